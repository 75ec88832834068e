//! Writes the properties of a `VideoObject`, and those of its page, into a draft. Each value is settled in the books as it
//! is written.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::draft::{Draft, DraftId, DraftValue};
use super::read_video::{GALLERIES, RATINGS, ROLES, TORRENT};
use crate::emit::Out;
use crate::format::audience::{age_fitness, leaves_of, scheme_of};
use crate::format::choice::{
    ChosenValue, PlayerChoice, category_name, constants, effective, effective_list, explicit, is_kind, is_moved_avatar,
    lose_overruled, plain, player_url, report_whole, settle_episode, shared_labels,
};
use crate::format::contract::Setup;
use crate::format::medium::{is_film, is_player};
use crate::format::ns::dcterms::w3c;
use crate::format::ns::media::is_tag_list;
use crate::format::rss::person::is_nameless;
use crate::format::share::Share;
use crate::format::sitemap::{is_currency, stars};
use crate::model::{
    Category, Date, Entry, Feed, Field, File, Leaf, LeafType, Location, Mark, Person, Price, Restriction, Scene,
    Seconds, Str, Text, Thumbnail, Value, Video, Walk,
};
use crate::pages::{self, Address};
use crate::reason::{Reason, ValueChange, altering};
use crate::text::mime::Medium;
use crate::text::{mime, region, url};
use crate::xml::names::Ns;

/// A video with the values that Google requires.
pub(super) struct RequiredValues<'e> {
    pub file: Option<&'e File<'e>>,
    pub title: Option<ChosenValue>,
    pub thumbnail: Option<ChosenValue>,
    pub published: Option<ChosenValue>,
    pub description: Option<ChosenValue>,
}

/// The order of the properties of a video.
#[rustfmt::skip]
pub(super) const ORDER: [&str; 62] = [
    "@type", "@id", "name", "description", "thumbnailUrl", "thumbnail", "uploadDate", "duration", "contentUrl", "embedUrl",
    "encodingFormat", "contentSize", "width", "height", "bitrate", "inLanguage", "encoding", "expires", "publication",
    "interactionStatistic", "aggregateRating", "regionsAllowed", "ineligibleRegion", "requiresSubscription",
    "isFamilyFriendly", "contentRating", "creativeWorkStatus", "offers", "keywords", "genre", "creator", "actor", "director", "musicBy", "producer",
    "author", "contributor", "publisher", "copyrightNotice", "usageInfo", "license", "sha256", "transcript", "caption",
    "hasPart", "contentLocation", "isPartOf", "isBasedOn", "partOfSeries", "partOfSeason", "episodeNumber", "mainEntityOfPage", "url", "identifier",
    "datePublished", "dateModified", "dateCreated", "image", "discussionUrl", "commentCount", "comment", "interactionCount",
];

/// What the videos of a page need of it, once for all of them.
pub(super) struct VideoPage<'e> {
    entry: &'e Entry<'e>,
    /// Its URL.
    pub address: Option<Address<'e>>,
    /// The flag of the episode or of the head.
    is_explicit: Option<(Mark, bool)>,
    authors: HashSet<&'e str>,
}

impl<'e> VideoPage<'e> {
    /// Whether the URL of a file is that of the page.
    pub fn is_at(&self, file: &File<'_>) -> bool {
        let page = self.address.as_ref();
        file.url.as_ref().is_some_and(|url| page.is_some_and(|page| url::is_same(&url.value, &page.url)))
    }

    pub fn new(entry: &'e Entry<'e>, setup: &Setup<'_>) -> Self {
        let is_explicit = if setup.same_family { None } else { explicit(entry, setup.own_feed) };
        let authors = entry.authors.iter().filter_map(|author| Some(&*author.name.as_ref()?.value)).collect();
        VideoPage { entry, address: pages::address(entry, setup.source.family), is_explicit, authors }
    }
}

/// An object that is being written.
pub(super) struct VideoWriting<'w, 'o, 'e> {
    draft: &'w mut Draft<'e>,
    node: DraftId,
    /// Its path in the source, if unknown values are put into it.
    path: String,
    out: &'w mut Out<'o, 'e>,
    /// The page of the video.
    page: Option<&'w VideoPage<'e>>,
    /// The values in it that were written.
    marks: Vec<Mark>,
    /// The genres written so far.
    pub genres: HashSet<&'e str>,
}

impl<'w, 'o, 'e> VideoWriting<'w, 'o, 'e> {
    pub fn new(draft: &'w mut Draft<'e>, node: DraftId, path: &str, out: &'w mut Out<'o, 'e>) -> Self {
        VideoWriting { draft, node, path: path.to_owned(), out, page: None, marks: Vec::new(), genres: HashSet::new() }
    }

    /// The same for a video of this page.
    pub fn on_page(self, page: &'w VideoPage<'e>) -> Self {
        VideoWriting { page: Some(page), ..self }
    }

    /// The same where a video with these genres was written.
    pub fn beside(self, genres: HashSet<&'e str>) -> Self {
        VideoWriting { genres, ..self }
    }

    /// Writes into an object below this one.
    fn object(&mut self, name: &str, kind: &str, inside: impl FnOnce(&mut VideoWriting<'_, 'o, 'e>)) {
        let before = self.draft.noted();
        let (node, path) = self.draft.object(self.node, name, kind, &self.path);
        let (page, genres) = (self.page, HashSet::new());
        let mut below = VideoWriting { draft: self.draft, node, path, out: self.out, page, marks: Vec::new(), genres };
        inside(&mut below);
        let VideoWriting { path, marks, .. } = below;
        self.draft.end_object(before, name, &path, &marks);
        self.marks.extend(marks);
    }

    fn settle(&mut self, mark: Mark, text: &str, change: ValueChange) {
        self.marks.push(mark);
        match change {
            None => self.out.books().kept_as(mark, || text.to_owned()),
            Some(why) => self.out.books().changed(mark, why, text.to_owned()),
        }
    }

    /// A value that needs no leaf: a constant of the format.
    fn constant(&mut self, name: &str, text: &str) {
        self.draft.add(self.node, name, DraftValue::Text(text.to_owned()));
    }

    fn put<T: LeafType>(&mut self, name: &str, slot: &Option<Leaf<T>>) {
        if let Some(leaf) = slot {
            self.leaf(name, leaf, None);
        }
    }

    fn leaf<T: LeafType>(&mut self, name: &str, leaf: &Leaf<T>, change: ValueChange) {
        let (text, value, respelt) = spelt(leaf.value.value(), self.out);
        self.draft.add(self.node, name, value);
        self.settle(leaf.mark, &text, altering(change, respelt));
    }

    fn text(&mut self, name: &str, text: &Option<Text<'e>>) {
        let Some(text) = text else { return };
        let (words, change) = plain(text);
        match &text.lang {
            Some(lang) => {
                let name = name.to_owned();
                self.object(&name, "", |value| {
                    value.constant("@value", &words);
                    value.put("@language", &Some(lang.clone()));
                });
            }
            None => self.constant(name, &words),
        }
        self.settle(text.value.mark, &words, change);
    }

    fn chosen(&mut self, name: &str, field: Field, chosen: &Option<ChosenValue>) {
        let Some(chosen) = chosen else { return };
        self.constant(name, &chosen.text);
        match chosen.made {
            Some(why) if chosen.derived => {
                if why == Reason::TitleFromFileName {
                    self.out.books().doubt(field, why);
                }
                let from = chosen.mark.is_some().then_some(chosen.mark);
                self.out.books().made(field, why, from, chosen.text.clone());
            }
            made => {
                self.settle(chosen.mark, &chosen.text, chosen.change);
                if let Some(why) = made {
                    self.out.books().made(field, why, Some(chosen.mark), chosen.text.clone());
                }
            }
        }
    }

    /// Writes all of a video.
    pub fn video(&mut self, video: &'e Video<'e>, required: &RequiredValues<'e>, setup: &Setup<'_>) {
        let file = required.file;
        self.draft.implied_type(self.node, "VideoObject");
        self.chosen_text("name", Field::VideoTitle, &required.title, effective!(video, file, title));
        self.chosen_text(
            "description",
            Field::VideoDescription,
            &required.description,
            effective!(video, file, description),
        );
        self.thumbnails(video, required, setup);
        self.chosen("uploadDate", Field::VideoPublished, &required.published);
        self.files(video, required, setup);
        self.availability(video, file);
        self.statistics(video, file);
        self.rating(video, file, setup);
        if let Some(restriction) = effective!(video, file, restriction) {
            self.restriction(restriction, setup.google());
        }
        self.subscription(video, file);
        self.audience(video, file);
        if let Some(status) = effective!(video, file, status) {
            self.put("creativeWorkStatus", &status.state);
        }
        self.prices(video, file);
        self.subjects(video, file);
        self.people(video, file);
        self.rights(video, file);
        self.parts(video, file);
        self.programme(video);
    }

    /// A text, with its language where it is the video's own.
    fn chosen_text(&mut self, name: &str, field: Field, chosen: &Option<ChosenValue>, own: Option<&'e Text<'e>>) {
        let is_own = |own: &&Text<'_>| chosen.as_ref().is_some_and(|c| c.mark == own.value.mark && c.made.is_none());
        match own.filter(is_own).filter(|own| own.lang.is_some()) {
            Some(own) => self.text(name, &Some(own.clone())),
            None => self.chosen(name, field, chosen),
        }
    }

    fn thumbnails(&mut self, video: &'e Video<'e>, required: &RequiredValues<'e>, setup: &Setup<'_>) {
        self.chosen("thumbnailUrl", Field::VideoThumbnailUrl, &required.thumbnail);
        let first = required.thumbnail.as_ref().map(|chosen| chosen.mark);
        let is_taken = |one: &&Thumbnail<'e>| one.url.as_ref().is_none_or(|url| !is_refused(url, setup.google()));
        let (thumbnails, refused): (Vec<_>, Vec<_>) =
            effective_list!(video, required.file, thumbnails).iter().partition(is_taken);
        for thumbnail in refused {
            self.out.drop(thumbnail, (), Reason::AllowedScheme);
        }
        for thumbnail in thumbnails.iter().filter(|other| other.url.as_ref().map(|url| url.mark) != first) {
            self.put("thumbnailUrl", &thumbnail.url);
        }
        // in the order of their URLs
        let (chosen, others): (Vec<_>, Vec<_>) =
            thumbnails.into_iter().partition(|one| one.url.as_ref().is_some_and(|url| Some(url.mark) == first));
        let is_described = |one: &&Thumbnail<'e>| one.url.is_some() && (one.width.is_some() || one.height.is_some());
        for thumbnail in chosen.into_iter().chain(others).filter(|one| is_described(one)) {
            self.object("thumbnail", "ImageObject", |image| {
                image.put("url", &thumbnail.url);
                image.put("width", &thumbnail.width);
                image.put("height", &thumbnail.height);
            });
        }
    }

    fn duration(&mut self, name: &str, leaf: &Leaf<Seconds>) {
        let text = leaf.value.to_iso();
        self.constant(name, &text);
        self.settle(leaf.mark, &text, None);
    }

    /// The file that represents the video, its player, and the other files.
    fn files(&mut self, video: &'e Video<'e>, required: &RequiredValues<'e>, setup: &Setup<'_>) {
        let file = required.file;
        let length = file.and_then(|file| file.duration.as_ref()).or(effective!(video, file, duration));
        match length {
            Some(length) if setup.google() && length.value == Seconds::default() => {
                self.out.books().lost(length.mark, Reason::NoDuration);
            }
            Some(length) => self.duration("duration", length),
            None => (),
        }
        let page = self.page.filter(|_| !setup.same_family);
        let is_page = |file: &File<'_>| page.is_some_and(|page| page.is_at(file));
        let plays = |file: &&File<'_>| setup.google() && (is_player(file) || is_page(file));
        let content = file.filter(|file| !plays(file)).and_then(|file| file.url.as_ref());
        let content = self.taken(content, setup);
        content.into_iter().for_each(|url| self.leaf("contentUrl", url, None));
        if let Some(file) = file {
            self.of_file(file, setup);
        }
        let films = file.into_iter().chain(video.files.iter().filter(|other| is_film(other)));
        let played = films.filter(plays).find_map(|file| file.url.as_ref());
        self.player(video, file, [content, played], setup);
        let no_file = |file: &File<'_>| match file.url.as_ref().is_some_and(|url| is_refused(url, setup.google())) {
            true => Some(Reason::AllowedScheme),
            false if is_page(file) && setup.google() => Some(Reason::SameAsPage),
            false => Some(Reason::PlayerFile).filter(|_| plays(&file) && !setup.same_family),
        };
        let shared = OnceCell::new();
        let taken = || {
            shared.get_or_init(|| {
                let mut marks = HashSet::new();
                for file in video.files.iter().filter(|file| no_file(file).is_none()) {
                    file.walk((), &mut |seen| {
                        marks.insert(seen.mark);
                    });
                }
                marks
            })
        };
        for other in video.files.iter().filter(|other| file.is_none_or(|file| !std::ptr::eq(file, *other))) {
            for hash in other.media.iter().flat_map(|media| &media.hashes) {
                self.out.drop(hash, (), Reason::JsonLdElement);
            }
            if !is_film(other) && !self.out.same_family() {
                self.out.drop(other, (), Reason::JsonLdFile);
                continue;
            }
            if let Some(why) = no_file(other) {
                // what it has in common with another file goes with that
                let mut losing = self.out.books().losing(why, None);
                other.walk((), &mut |seen| {
                    if !taken().contains(&seen.mark) {
                        losing.lost(seen.mark);
                    }
                });
                continue;
            }
            if !has_property(other) {
                constants(other, Some(Medium::Video), self.out);
                self.out.drop(other, (), Reason::NoUrl);
                continue;
            }
            self.object("encoding", "MediaObject", |object| {
                object.put("contentUrl", &other.url);
                object.of_file(other, setup);
                if let Some(length) = &other.duration {
                    object.duration("duration", length);
                }
            });
        }
    }

    /// The player, beside these URLs of the file and of a file that is a player.
    fn player(
        &mut self,
        video: &'e Video<'e>,
        file: Option<&'e File<'e>>,
        [content, played]: [Option<&'e Str<'e>>; 2],
        setup: &Setup<'_>,
    ) {
        let google = setup.google();
        let own = self.taken(effective!(video, file, player).and_then(|player| player.url.as_ref()), setup);
        let embed = self.taken(effective!(video, file, embed).and_then(|embed| embed.url.as_ref()), setup);
        let page = self.page.and_then(|page| page.address.as_ref());
        let is_page = |address: &str| page.is_some_and(|page| url::is_same(address, &page.url));
        let rewrites = google && !setup.options.no_rewrite;
        let how = PlayerChoice {
            takes: &|leaf| setup.same_family || !is_page(&leaf.value),
            spelled: &|leaf| ChosenValue::own(leaf.mark, leaf.value.to_string(), None),
            rewritten: &|address| player_url(address, page).filter(|_| rewrites),
        };
        let is_made = google && content.is_none() && !setup.same_family && !setup.options.no_synth;
        let chosen = how.choose([own, embed, played]);
        let chosen = chosen.or_else(|| is_made.then(|| how.of_platform(video, page)).flatten());
        // without Google's rules a page is better than nothing
        let chosen = chosen.or_else(|| own.filter(|_| !google).map(how.spelled));
        self.chosen("embedUrl", Field::VideoPlayerUrl, &chosen);
        let page_file = played.filter(|_| google && !setup.same_family);
        for leaf in own.into_iter().chain(page_file).filter(|leaf| is_page(&leaf.value)) {
            if chosen.as_ref().is_none_or(|chosen| chosen.mark != leaf.mark) {
                self.out.books().lost(leaf.mark, Reason::SameAsPage);
            }
        }
    }

    /// A URL, if it is taken; one that is not is settled.
    fn taken(&mut self, url: Option<&'e Str<'e>>, setup: &Setup<'_>) -> Option<&'e Str<'e>> {
        let refused = url.filter(|url| is_refused(url, setup.google()));
        refused.into_iter().for_each(|url| self.out.books().lost(url.mark, Reason::AllowedScheme));
        url.filter(|_| refused.is_none())
    }

    /// The values of a file, unless it has another URL than that of a file: then they say nothing of the video.
    fn of_file(&mut self, file: &'e File<'e>, setup: &Setup<'_>) {
        constants(file, Some(Medium::Video), self.out);
        let is_refused = file.url.as_ref().is_some_and(|url| is_refused(url, setup.google()));
        let why = if is_refused { Reason::AllowedScheme } else { Reason::PlayerFile };
        if !setup.same_family && (is_refused || setup.google() && is_player(file)) {
            let File { kind, codecs, size, width, height, bitrate, .. } = file;
            let texts = kind.iter().chain(codecs).map(|leaf| leaf.mark);
            let sizes = size.iter().chain(width).chain(height).map(|leaf| leaf.mark);
            let marks = texts.chain(sizes).chain(bitrate.iter().map(|leaf| leaf.mark));
            marks.for_each(|mark| self.out.books().lost(mark, why));
            return self.put("inLanguage", &file.lang);
        }
        match (&file.kind, &file.codecs) {
            (Some(kind), Some(codecs)) => {
                let whole = mime::with_codecs(kind, codecs);
                self.constant("encodingFormat", &whole);
                self.settle(codecs.mark, &whole, Some(Reason::OtherElement));
                self.out.books().kept(kind.mark);
            }
            (kind, codecs) => {
                self.put("encodingFormat", kind);
                codecs.iter().for_each(|codecs| self.out.books().lost(codecs.mark, Reason::DetachedAttribute));
            }
        }
        if let Some(size) = &file.size {
            let text = size.value.to_string();
            self.constant("contentSize", &text);
            self.settle(size.mark, &text, None);
        }
        self.put("width", &file.width);
        self.put("height", &file.height);
        if let Some(rate) = &file.bitrate {
            self.constant("bitrate", rate.value.as_str());
            self.settle(rate.mark, rate.value.as_str(), None);
        }
        self.put("inLanguage", &file.lang);
    }

    fn availability(&mut self, video: &'e Video<'e>, file: Option<&'e File<'e>>) {
        let period = effective!(video, file, available);
        let of_page = || self.page.and_then(|page| page.entry.expires.as_ref());
        if let Some(end) = period.and_then(|period| period.end.as_ref()) {
            if !self.is_of_offer(video, file, end) {
                let is_moved = self.out.same_family() && end.via.is_some();
                self.end(end, is_moved.then_some(Reason::OtherElement));
            }
        } else if let Some(end) = of_page() {
            self.end(end, Some(Reason::UsedForVideo));
        }
        let Some(live) = effective!(video, file, live) else { return };
        if !live.value && !self.out.same_family() {
            // an event has a start
            return self.out.books().lost(live.mark, Reason::SameAsDefault);
        }
        let start = start_of(video, file).filter(|_| live.value);
        self.object("publication", "BroadcastEvent", |event| {
            event.leaf("isLiveBroadcast", live, None);
            if let Some(start) = start {
                event.leaf("startDate", start, None);
            }
        });
    }

    /// Whether the end of a period goes back into the offer that it was read from: of several, it is not known which.
    fn is_of_offer(&self, video: &Video<'_>, file: Option<&File<'_>>, end: &Leaf<Date>) -> bool {
        let offers = || effective_list!(video, file, prices).iter().filter(|price| is_offer(price));
        self.out.same_family() && end.via.is_some() && offers().take(2).count() == 1
    }

    /// A date until which the video can be seen: the last day that it names.
    fn end(&mut self, end: &Leaf<Date>, change: ValueChange) {
        let last = end.value.last_day();
        match last == end.value || self.out.same_family() {
            true => self.leaf("expires", end, change),
            false => self.leaf("expires", &end.with(last), altering(change, Some(Reason::MorePrecise))),
        }
    }

    fn statistics(&mut self, video: &'e Video<'e>, file: Option<&'e File<'e>>) {
        let likes = (!self.out.same_family()).then_some(Reason::UsedAsLikes);
        let counts = [
            ("WatchAction", effective!(video, file, views), None),
            ("LikeAction", effective!(video, file, favorites), likes),
        ];
        for (action, count, change) in counts {
            let Some(count) = count else { continue };
            self.object("interactionStatistic", "InteractionCounter", |counter| {
                counter.object("interactionType", action, |_| ());
                counter.leaf("userInteractionCount", count, change);
            });
        }
    }

    /// Stars, on their scale: without one, five are the most, and others become five (A10).
    fn rating(&mut self, video: &'e Video<'e>, file: Option<&'e File<'e>>, setup: &Setup<'_>) {
        let Some(rating) = effective!(video, file, rating) else { return };
        let Some(average) = &rating.average else { return self.out.drop(rating, (), Reason::DetachedAttribute) };
        let of_five = match self.out.same_family() {
            true => None,
            false => match stars(rating, &average.value, setup.source.family.is_xml_sitemap()) {
                Ok((text, change)) => Some(text).filter(|_| change.is_some() && rating.max.is_none()),
                Err(why) => return self.out.drop(rating, (), why),
            },
        };
        self.object("aggregateRating", "AggregateRating", |object| {
            match &of_five {
                Some(text) => {
                    object.draft.add(object.node, "ratingValue", DraftValue::Bare(text.clone()));
                    object.settle(average.mark, text, Some(Reason::FiveStars));
                }
                None => object.put("ratingValue", &rating.average),
            }
            object.put("ratingCount", &rating.count);
            if of_five.is_none() {
                object.put("worstRating", &rating.min);
                object.put("bestRating", &rating.max);
            }
        });
        for min in rating.min.iter().filter(|_| of_five.is_some()) {
            self.out.books().lost(min.mark, Reason::OtherValue);
        }
    }

    /// Countries (A6). A restriction that allows all countries needs no property, and one that neither allows nor denies has none.
    fn restriction(&mut self, restriction: &'e Restriction<'e>, google: bool) {
        let Restriction { relationship, countries } = restriction;
        if restriction.is_unclear() {
            let unknown = relationship.iter().chain(countries).map(|leaf| leaf.mark);
            return unknown.for_each(|mark| self.out.books().lost(mark, Reason::NoTerm));
        }
        let denies = relationship.as_ref().is_some_and(|said| said.value.eq_ignore_ascii_case("deny"));
        let has = |word: &str| countries.iter().any(|leaf| leaf.value.eq_ignore_ascii_case(word));
        if denies && (has("none") || countries.is_empty()) || !denies && has("all") {
            let implied = relationship.iter().chain(countries).map(|leaf| leaf.mark);
            return implied.for_each(|mark| self.out.books().kept(mark));
        }
        let name = if denies { "ineligibleRegion" } else { "regionsAllowed" };
        let mut codes: Vec<&'static str> = Vec::new();
        for leaf in countries {
            match region::country(&leaf.value).filter(|country| country.is_assigned() || !google) {
                Some(country) if codes.contains(&country.code) => {
                    self.out.books().merged(leaf.mark, Reason::SameValue);
                }
                Some(country) => {
                    codes.push(country.code);
                    self.constant(name, country.code);
                    let same = leaf.value.eq_ignore_ascii_case(country.code);
                    self.settle(leaf.mark, country.code, (!same).then_some(Reason::CountryCode));
                }
                None => self.out.books().lost(leaf.mark, Reason::UnknownCountry),
            }
        }
        report_whole(countries, || codes.join(", "), self.out);
        if let Some(said) = relationship {
            match codes.is_empty() {
                true => self.out.books().lost(said.mark, Reason::UnknownCountry),
                false => self.settle(said.mark, name, None),
            }
        }
    }

    /// Grades of the schemes that `contentRating` has; and whether the video is family-friendly, which one value that denies
    /// it decides, and to which a grade that decides nothing forbids a yes (A10).
    fn audience(&mut self, video: &'e Video<'e>, file: Option<&'e File<'e>>) {
        let own = effective!(video, file, family_friendly);
        let adult = effective!(video, file, adult);
        let ratings = effective_list!(video, file, ratings);
        let graded = ratings.iter().filter(|rating| rating.value.is_some());
        let fits: Vec<Option<bool>> = graded.map(age_fitness).chain(adult.map(|adult| Some(!adult.value))).collect();
        let episode = self.page.and_then(|page| page.is_explicit);
        // that of an episode with one video is the video's own, and goes before that of the head
        let episode = episode.filter(|(mark, _)| own.is_none() || !mark.of_feed());
        let denied = fits.contains(&Some(false)) || episode.is_some_and(|(_, is_explicit)| is_explicit);
        let written = match own.filter(|own| !own.value || !denied || self.out.same_family()) {
            Some(own) => Some(own.value),
            // a grade that goes back where it was needs no other value
            None if self.out.same_family() => None,
            None if denied => Some(false),
            None => Some(true).filter(|_| (!fits.is_empty() || episode.is_some()) && !fits.contains(&None)),
        };
        let word = written.map_or("", |is_friendly| if is_friendly { "true" } else { "false" });
        // whether another value means it, too, and the grade that does
        let (mut is_said, mut grades) = (false, None);
        for rating in ratings {
            let (scheme, fits) = (scheme_of(rating), age_fitness(rating));
            let term = RATINGS.iter().find(|(_, known)| scheme == *known).map(|(term, _)| term);
            let (Some(term), Some(grade)) = (term, &rating.value) else {
                leaves_of(rating).for_each(|leaf| is_said |= self.fitness(leaf.mark, fits, (written, word)));
                continue;
            };
            let text = format!("{term} {}", grade.value);
            self.constant("contentRating", &text);
            self.settle(grade.mark, &text, None);
            rating.scheme.iter().for_each(|scheme| self.out.books().kept(scheme.mark));
            grades = grades.or(Some(grade.mark).filter(|_| fits == written));
        }
        if let Some(adult) = adult {
            is_said |= self.fitness(adult.mark, Some(!adult.value), (written, word));
        }
        match own {
            Some(own) if written == Some(own.value) => {
                self.episode_fitness(episode, written);
                return self.leaf("isFamilyFriendly", own, None);
            }
            Some(own) => self.out.books().lost(own.mark, Reason::OtherValue),
            None => (),
        }
        if written.is_some() {
            self.draft.add(self.node, "isFamilyFriendly", DraftValue::Bare(word.to_owned()));
        }
        is_said |= self.episode_fitness(episode, written);
        if let Some(grade) = grades.filter(|_| !is_said && written.is_some()) {
            let why = Reason::GeneratedFriendliness;
            self.out.books().made(Field::VideoFamilyFriendly, why, Some(grade), word.to_owned());
        }
    }

    /// Settles the flag of the episode, or of the head; whether it is the one that is written.
    fn episode_fitness(&mut self, episode: Option<(Mark, bool)>, written: Option<bool>) -> bool {
        let Some((mark, is_explicit)) = episode else { return false };
        let word = if is_explicit { "false" } else { "true" };
        match written == Some(!is_explicit) {
            true => self.settle(mark, word, Some(Reason::OtherElement)),
            // a value of the head may be written with another video
            false if mark.of_feed() => return false,
            false => self.out.books().lost(mark, Reason::OtherValue),
        }
        written == Some(!is_explicit)
    }

    /// Settles a value by which the video fits or does not; whether it is the one that is written.
    fn fitness(&mut self, mark: Mark, fits: Option<bool>, (written, word): (Option<bool>, &str)) -> bool {
        let is_written = fits.is_some() && fits == written;
        match fits {
            Some(_) if is_written => self.settle(mark, word, Some(Reason::UsualTerm)),
            Some(_) => self.out.books().lost(mark, Reason::OtherValue),
            None => self.out.books().lost(mark, Reason::NoTerm),
        }
        is_written
    }

    /// Whether a subscription is required: by its own value, else by a price of this type.
    fn subscription(&mut self, video: &'e Video<'e>, file: Option<&'e File<'e>>) {
        let own = effective!(video, file, requires_subscription);
        self.put("requiresSubscription", &own.cloned());
        let mut written = own.map(|own| own.value);
        for kind in effective_list!(video, file, prices).iter().filter_map(|price| price.kind.as_ref()) {
            if !kind.value.eq_ignore_ascii_case("subscription") {
                continue;
            }
            match written {
                Some(true) => self.out.books().merged(kind.mark, Reason::SameValue),
                Some(false) => self.out.books().lost(kind.mark, Reason::OtherValue),
                None => {
                    self.draft.add(self.node, "requiresSubscription", DraftValue::Bare("true".to_owned()));
                    self.settle(kind.mark, "true", Some(Reason::OtherElement));
                    written = Some(true);
                }
            }
        }
    }

    /// Prices of a purchase or a rent: an offer of schema.org has no other (A7).
    fn prices(&mut self, video: &'e Video<'e>, file: Option<&'e File<'e>>) {
        let is_live = effective!(video, file, live).is_some_and(|live| live.value);
        let mut start = start_of(video, file).filter(|_| !is_live);
        let end = effective!(video, file, available).and_then(|period| period.end.as_ref());
        let mut end = end.filter(|end| self.is_of_offer(video, file, end));
        for price in effective_list!(video, file, prices) {
            let kind = price.kind.as_ref();
            if !is_offer(price) {
                let why = if has_offer_kind(price) { Reason::IncompletePart } else { Reason::NoTerm };
                self.out.drop(price, (), why);
                continue;
            }
            let currency = price.currency.as_ref().filter(|code| !self.out.same_family() && is_currency(code));
            self.object("offers", "Offer", |offer| {
                offer.put("price", &price.amount);
                match currency.map(|code| (code.mark, code.value.to_ascii_uppercase())) {
                    Some((mark, code)) => {
                        offer.constant("priceCurrency", &code);
                        offer.settle(mark, &code, None);
                    }
                    None => offer.put("priceCurrency", &price.currency),
                }
                offer.put("url", &price.info);
                if let Some(start) = start.take() {
                    offer.leaf("availabilityStarts", start, None);
                }
                if let Some(end) = end.take() {
                    offer.leaf("availabilityEnds", end, None);
                }
                if let Some(kind) = kind {
                    if kind.value.eq_ignore_ascii_case("rent") {
                        let term = "http://purl.org/goodrelations/v1#LeaseOut";
                        offer.constant("businessFunction", term);
                        offer.settle(kind.mark, term, None);
                    } else {
                        offer.out.books().implied(kind.mark);
                    }
                }
            });
        }
    }

    fn subjects(&mut self, video: &'e Video<'e>, file: Option<&'e File<'e>>) {
        let mut known = HashSet::new();
        let tags = effective_list!(video, file, tags);
        // a tag alone would be read as a list of tags
        if tags.iter().any(|tag| is_tag_list(&tag.value)) {
            self.draft.add(self.node, "keywords", DraftValue::List);
        }
        for tag in tags {
            match self.out.same_family() || known.insert(tag.value.to_lowercase()) {
                // what is unknown in a term stays with it
                true if self.draft.is_beside_unknown("keywords", tag.mark) => {
                    self.object("keywords", "DefinedTerm", |term| term.leaf("name", tag, None));
                }
                true => self.leaf("keywords", tag, None),
                false => self.out.books().merged(tag.mark, Reason::SameValue),
            }
        }
        let categories = effective_list!(video, file, categories);
        let shared = shared_labels(categories.iter());
        for category in categories {
            self.genre(category, &shared);
        }
    }

    /// A category by its label, else by its term.
    fn genre(&mut self, category: &'e Category<'e>, shared: &HashSet<&str>) {
        let Some(name) = category_name(category, shared) else { return };
        if is_kind(category) {
            let all = [&category.term, &category.label, &category.scheme];
            return all.into_iter().flatten().for_each(|leaf| self.out.books().lost(leaf.mark, Reason::KindCategory));
        }
        match self.genres.insert(&name.value) || self.out.same_family() {
            true => self.leaf("genre", name, None),
            false => self.out.books().merged(name.mark, Reason::SameValue),
        }
        if let Some(term) = category.term.as_ref().filter(|term| term.mark != name.mark) {
            match term.value == name.value {
                true => self.out.books().merged(term.mark, Reason::SameValue),
                false => self.out.books().lost(term.mark, Reason::LabelInstead),
            }
        }
    }

    fn people(&mut self, video: &'e Video<'e>, file: Option<&'e File<'e>>) {
        if let Some(uploader) = effective!(video, file, uploader) {
            self.object("creator", "Person", |person| {
                person.put("name", &uploader.name);
                person.put("url", &uploader.uri);
            });
        }
        for credit in effective_list!(video, file, credits) {
            let role = credit.role.as_ref().map_or("", |role| &*role.value);
            let known = ROLES.iter().find(|(_, known)| role.eq_ignore_ascii_case(known)).map(|(name, _)| *name);
            let known = known.or_else(|| role.eq_ignore_ascii_case("uploader").then_some("creator"));
            let is_author = role.eq_ignore_ascii_case("author");
            let known = known.or_else(|| is_author.then_some("author"));
            let Some(name) = &credit.name else {
                self.out.drop(credit, (), Reason::IncompletePart);
                continue;
            };
            let names_author = is_author || known.is_none();
            if names_author && self.page.is_some_and(|page| page.authors.contains(&*name.value)) {
                let same = [Some(name), credit.role.as_ref().filter(|_| is_author)].into_iter().flatten();
                same.for_each(|leaf| self.out.books().merged(leaf.mark, Reason::SameValue));
                continue;
            }
            let (property, change) = match known {
                Some(property) => (property, None),
                None => ("contributor", Some(Reason::UsedAsAuthor)),
            };
            self.object(property, "Person", |person| person.leaf("name", name, change));
            if known.is_some() {
                credit.role.iter().for_each(|role| self.out.books().kept(role.mark));
            }
        }
    }

    fn rights(&mut self, video: &'e Video<'e>, file: Option<&'e File<'e>>) {
        if let Some(copyright) = effective!(video, file, copyright) {
            self.put("copyrightNotice", &copyright.text);
            self.put("usageInfo", &copyright.url);
        }
        for license in effective_list!(video, file, license) {
            match (&license.text, &license.href) {
                (Some(_), Some(_)) => self.object("license", "CreativeWork", |object| {
                    object.put("name", &license.text);
                    object.put("url", &license.href);
                }),
                (text, href) => {
                    self.put("license", text);
                    self.put("license", href);
                }
            }
        }
        for hash in effective_list!(video, file, hashes) {
            let algo = hash.algo.as_ref().map_or("md5", |algo| &*algo.value);
            if !algo.eq_ignore_ascii_case("sha-256") {
                self.out.drop(hash, (), Reason::NoTerm);
                continue;
            }
            self.put("sha256", &hash.value);
            hash.algo.iter().for_each(|algo| self.out.books().kept(algo.mark));
        }
    }

    /// Transcripts, subtitles, scenes, segments, places.
    fn parts(&mut self, video: &'e Video<'e>, file: Option<&'e File<'e>>) {
        for text in effective_list!(video, file, texts) {
            self.text("transcript", &text.value);
        }
        for subtitle in effective_list!(video, file, subtitles) {
            self.object("caption", "MediaObject", |caption| {
                caption.put("contentUrl", &subtitle.href);
                caption.put("inLanguage", &subtitle.lang);
                caption.put("encodingFormat", &subtitle.kind);
            });
        }
        for comment in effective_list!(video, file, comments) {
            self.object("comment", "Comment", |object| object.leaf("text", comment, None));
        }
        for scene in effective_list!(video, file, scenes) {
            if !self.has_clip_value(scene) {
                self.out.drop(scene, (), Reason::InvalidValue);
                continue;
            }
            self.object("hasPart", "Clip", |clip| {
                clip.put("name", &scene.title);
                clip.put("description", &scene.description);
                clip.offset("startOffset", &scene.start);
                clip.offset("endOffset", &scene.end);
            });
        }
        for segment in effective_list!(video, file, segments) {
            self.object("hasPart", "VideoObject", |part| {
                part.put("contentUrl", &segment.url);
                if let Some(length) = &segment.duration {
                    part.duration("duration", length);
                }
            });
        }
        for place in effective_list!(video, file, location) {
            self.place((&place.description, &place.point), None);
        }
        for link in effective_list!(video, file, peer_links) {
            // one of another type is read as a file
            if link.href.is_none() || !link.kind.as_ref().is_some_and(|kind| kind.value.eq_ignore_ascii_case(TORRENT)) {
                self.out.drop(link, (), Reason::NoTerm);
                continue;
            }
            self.object("encoding", "MediaObject", |object| {
                object.put("contentUrl", &link.href);
                object.put("encodingFormat", &link.kind);
            });
        }
    }

    /// A place by its name and its "latitude longitude".
    fn place(&mut self, (name, point): (&'e Option<Str<'e>>, &'e Option<Str<'e>>), change: ValueChange) {
        let numbers = point.as_ref().and_then(|point| Some((point, coordinates(&point.value)?)));
        if name.is_none() && numbers.is_none() {
            return;
        }
        self.object("contentLocation", "Place", |object| {
            name.iter().for_each(|name| object.leaf("name", name, change));
            let Some((point, [latitude, longitude])) = numbers else {
                return point.iter().for_each(|point| object.out.books().lost(point.mark, Reason::InvalidValue));
            };
            object.object("geo", "GeoCoordinates", |geo| {
                geo.draft.add(geo.node, "latitude", DraftValue::Bare(latitude.to_owned()));
                geo.draft.add(geo.node, "longitude", DraftValue::Bare(longitude.to_owned()));
                geo.settle(point.mark, &point.value, change);
            });
        });
    }

    /// Whether a scene has a value that a `Clip` can hold.
    fn has_clip_value(&self, scene: &Scene<'_>) -> bool {
        let is_time = |slot: &Option<Str<'_>>| {
            slot.as_ref().is_some_and(|leaf| self.out.same_family() || Seconds::parse(&leaf.value).is_some())
        };
        scene.title.is_some() || scene.description.is_some() || is_time(&scene.start) || is_time(&scene.end)
    }

    /// A time in the video, in seconds.
    fn offset(&mut self, name: &str, slot: &Option<Str<'e>>) {
        let Some(leaf) = slot else { return };
        match Seconds::parse(&leaf.value) {
            Some((seconds, _)) => {
                let text = seconds.to_string();
                self.draft.add(self.node, name, DraftValue::Bare(text.clone()));
                let change = (text != leaf.value.trim()).then_some(Reason::UsualUnit);
                self.settle(leaf.mark, &text, change);
            }
            None if self.out.same_family() => self.leaf(name, leaf, None),
            None => self.out.books().lost(leaf.mark, Reason::InvalidValue),
        }
    }

    /// The programme it is an episode of, and its numbers elsewhere.
    fn programme(&mut self, video: &'e Video<'e>) {
        if let Some(tv) = &video.tv {
            if let Some(show) = &tv.show_title {
                self.object("partOfSeries", "TVSeries", |series| series.leaf("name", show, None));
            }
            if let Some(season) = &tv.season {
                self.object("partOfSeason", "TVSeason", |object| object.leaf("seasonNumber", season, None));
            }
            self.put("episodeNumber", &tv.episode);
        }
        if let Some(gallery) = &video.gallery
            && (gallery.url.is_some() || gallery.title.is_some())
        {
            self.object("isPartOf", GALLERIES[0], |object| {
                object.put("url", &gallery.url);
                object.put("name", &gallery.title);
            });
        }
        if let Some(number) = &video.id {
            self.object("identifier", "PropertyValue", |object| {
                if number.via == Some(Ns::Yt) {
                    object.constant("propertyID", "youtube");
                }
                object.put("value", &video.id);
            });
        }
        for id in &video.ids {
            let is_url = id.kind.as_ref().is_some_and(|kind| kind.value.eq_ignore_ascii_case("url"));
            match (&id.value, is_url) {
                (Some(value), true) => {
                    // the page is in another property
                    match self
                        .page
                        .and_then(|page| page.entry.loc.as_ref())
                        .is_some_and(|loc| url::is_same(&loc.value, &value.value))
                    {
                        true => self.out.books().merged(value.mark, Reason::SameValue),
                        false => self.leaf("url", value, None),
                    }
                    id.kind.iter().for_each(|kind| self.out.books().kept(kind.mark));
                }
                (value, _) => self.object("identifier", "PropertyValue", |object| {
                    object.put("propertyID", &id.kind);
                    object.put("value", value);
                }),
            }
        }
    }

    /// What a page is called, in its own object.
    pub fn page_texts(&mut self, entry: &'e Entry<'e>) {
        self.text("name", &entry.title);
        self.text("description", &entry.summary);
        self.put("inLanguage", &entry.language);
    }

    /// The values of the page, beside these of its videos, or `apart` from them in its own object.
    pub fn page(&mut self, entry: &'e Entry<'e>, videos: &[Video<'_>], apart: bool, setup: &Setup<'_>) {
        if !apart {
            self.language(entry, videos, setup);
        }
        self.shared(entry, videos, Share::WHOLE, setup);
        self.page_alone(entry, setup);
    }

    /// Those of them that hold for a further video of the page.
    pub fn further(&mut self, entry: &'e Entry<'e>, video: &Video<'_>, number: usize, setup: &Setup<'_>) {
        let videos = std::slice::from_ref(video);
        self.language(entry, videos, setup);
        self.shared(entry, videos, Share::new(number, video, false), setup);
    }

    /// The language of a page, or else of its feed, unless one of these videos has its own.
    fn language(&mut self, entry: &'e Entry<'e>, videos: &[Video<'_>], setup: &Setup<'_>) {
        let own = entry.language.as_ref().or(setup.own_feed.language.as_ref());
        let is_own = videos.iter().flat_map(|video| &video.files).any(|file| file.lang.is_some());
        if let Some(language) = own.filter(|_| !is_own) {
            self.leaf("inLanguage", language, Some(Reason::UsedForVideo));
        }
    }

    /// Those that hold for each video, except what these videos say themselves; a share of the lists.
    fn shared(&mut self, entry: &'e Entry<'e>, videos: &[Video<'_>], share: Share<'_>, setup: &Setup<'_>) {
        let of_videos = |has: fn(&Video<'_>) -> bool| videos.iter().any(has);
        let of_feed = Some(setup.own_feed).filter(|_| !setup.same_family);
        let rights = entry.rights.as_ref().or(of_feed.and_then(|feed| feed.rights.as_ref()));
        if let Some(rights) = rights.filter(|_| !of_videos(|video| video.copyright.is_some())) {
            let (words, change) = plain(rights);
            self.constant("copyrightNotice", &words);
            self.settle(rights.value.mark, &words, change.or(Some(Reason::UsedForVideo)));
        }
        if let Some(license) = entry.license.as_ref().filter(|_| !of_videos(|video| !video.license.is_empty())) {
            self.leaf("license", license, Some(Reason::UsedForVideo));
        }
        self.page_address(entry);
        self.put("datePublished", &entry.published);
        self.put("dateModified", &entry.updated);
        self.put("dateCreated", &entry.created);
        for author in share.few(&entry.authors) {
            self.person("author", author);
        }
        for contributor in share.few(&entry.contributors) {
            self.person("contributor", contributor);
        }
        if let Some(publisher) = &entry.publisher {
            self.object("publisher", "Organization", |object| object.leaf("name", publisher, None));
        } else if let Some(name) = of_feed.and_then(publisher) {
            self.object("publisher", "Organization", |object| {
                object.leaf("name", name, Some(Reason::UsedForEntry));
            });
        }
        let categories = share.few(&entry.categories);
        let shared = shared_labels(categories.iter());
        for category in categories {
            self.genre(category, &shared);
        }
    }

    /// Those that are only of the page.
    fn page_alone(&mut self, entry: &'e Entry<'e>, setup: &Setup<'_>) {
        let of_videos = |has: fn(&Video<'_>) -> bool| entry.videos.iter().any(has);
        let mut known: HashMap<&str, Mark> = HashMap::new();
        for place in entry.location.iter().filter(|_| !of_videos(|video| !video.location.is_empty())) {
            if let Location { point: Some(point), name: None, .. } = place
                && let Some(first) = known.get(point.value.trim())
            {
                self.out.books().merged_with(point.mark, *first, Reason::SameValue);
                continue;
            }
            let written = place.point.iter().filter(|point| coordinates(&point.value).is_some());
            known.extend(written.map(|point| (point.value.trim(), point.mark)));
            self.place((&place.name, &place.point), Some(Reason::UsedForVideo));
        }
        self.put("identifier", &entry.id);
        for image in &entry.images {
            match &image.loc {
                Some(loc) if is_moved_avatar(loc, setup.same_family) => self.out.drop(image, (), Reason::AvatarImage),
                loc => self.put("image", loc),
            }
            // the properties of these names are those of the video
            self.out.drop(image, (), Reason::JsonLdElement);
        }
        if let Some(tv) = entry.videos.first().and_then(|video| video.tv.as_ref()) {
            settle_episode(entry, tv, self.out);
        }
        let is_free = |field| field != Field::VideoFamilyFriendly && super::fate::fate(field).name().is_some();
        lose_overruled(entry, is_free, self.out.books());
        for link in entry.links.iter().filter(|link| link.href.is_some()) {
            if let Some(rel) = link.rel.as_ref().filter(|rel| rel.value.eq_ignore_ascii_case("via")) {
                self.put("isBasedOn", &link.href);
                self.out.books().kept(rel.mark);
            }
        }
        self.put("discussionUrl", &entry.comments);
        self.put("commentCount", &entry.comment_count);
    }

    /// The URL of the page.
    pub fn page_address(&mut self, entry: &'e Entry<'e>) {
        let Some(loc) = &entry.loc else { return };
        self.leaf("mainEntityOfPage", loc, None);
    }

    fn person(&mut self, property: &str, person: &'e Person<'e>) {
        self.object(property, "Person", |object| {
            match person.name.as_ref().filter(|_| is_nameless(person) && !object.out.same_family()) {
                Some(name) => object.out.books().merged(name.mark, Reason::SameValue),
                None => object.put("name", &person.name),
            }
            object.put("email", &person.email);
            object.put("url", &person.uri);
        });
    }
}

/// Who publishes a feed: its publisher, otherwise its first author with a name.
fn publisher<'f>(feed: &'f Feed<'f>) -> Option<&'f Str<'f>> {
    let named = feed.authors.iter().filter(|author| !is_nameless(author));
    feed.publisher.as_ref().or_else(|| named.filter_map(|author| author.name.as_ref()).next())
}

/// Whether Google cannot fetch a URL because of its scheme (A8), where its rules are applied.
pub(super) fn is_refused(url: &Str<'_>, google: bool) -> bool {
    google && url::scheme(&url.value).is_some() && !url::is_http(&url::normalize_for_sitemap(&url.value))
}

/// Whether a file has a value that has a property in a `MediaObject`.
fn has_property(file: &File<'_>) -> bool {
    let texts = [&file.url, &file.kind, &file.lang].into_iter().any(Option::is_some);
    let sizes = file.size.is_some() || file.width.is_some() || file.height.is_some() || file.bitrate.is_some();
    texts || sizes || file.duration.is_some()
}

/// Whether the type of a price is one that an offer can have.
fn has_offer_kind(price: &Price<'_>) -> bool {
    let kinds = ["purchase", "own", "rent"];
    price.kind.as_ref().is_none_or(|kind| kinds.iter().any(|word| kind.value.eq_ignore_ascii_case(word)))
}

/// Whether a price becomes an offer.
fn is_offer(price: &Price<'_>) -> bool {
    has_offer_kind(price) && (price.amount.is_some() || price.info.is_some() || price.currency.is_some())
}

/// When a video can first be seen.
fn start_of<'e>(video: &'e Video<'e>, file: Option<&'e File<'e>>) -> Option<&'e Leaf<Date>> {
    effective!(video, file, available).and_then(|period| period.start.as_ref())
}

/// The numbers in "latitude longitude".
fn coordinates(point: &str) -> Option<[&str; 2]> {
    let mut numbers = point.split_whitespace();
    let both = [numbers.next()?, numbers.next()?];
    (numbers.next().is_none() && both.iter().all(|number| crate::json::parse::is_number(number))).then_some(both)
}

/// A value as reports show it and as JSON, and what that changes.
fn spelt(value: Value<'_>, out: &Out<'_, '_>) -> (String, DraftValue, ValueChange) {
    let (text, is_bare, change) = match value {
        Value::Str(text) => (text.to_owned(), false, None),
        Value::Decimal(number) => (number.as_str().to_owned(), true, None),
        Value::Date(date) => {
            let (text, change) = w3c(date, out);
            (text, false, change)
        }
        Value::Flag(_) | Value::Count(_) | Value::Seconds(_) => (value.to_string(), true, None),
        Value::Nothing => (String::new(), false, None),
    };
    let is_bare = is_bare && (crate::json::parse::is_number(&text) || matches!(&*text, "true" | "false"));
    let value = if is_bare { DraftValue::Bare(text.clone()) } else { DraftValue::Text(text.clone()) };
    (text, value, change)
}
