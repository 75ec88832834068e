//! Writes the properties of a `VideoObject`, and those of its page, into a draft. Each value is settled in the books as it
//! is written.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::draft::{Draft, DraftId, DraftValue};
use super::read_video::{GALLERIES, RATINGS, ROLES};
use crate::emit::Out;
use crate::format::audience::{age_fitness, leaves_of, scheme_of};
use crate::format::choice::{ChosenValue, constants, effective, effective_list, plain, report_whole, settle_episode};
use crate::format::contract::Setup;
use crate::format::medium::is_film;
use crate::model::{
    Category, Date, Entry, Field, File, Leaf, LeafType, Mark, Person, Restriction, Scene, Seconds, Str, Text,
    Thumbnail, Value, Video, Walk,
};
use crate::reason::{Reason, ValueChange};
use crate::text::mime::Medium;
use crate::text::{embed, mime, region, url};

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
pub(super) const ORDER: [&str; 60] = [
    "@type", "@id", "name", "description", "thumbnailUrl", "thumbnail", "uploadDate", "duration", "contentUrl", "embedUrl",
    "encodingFormat", "contentSize", "width", "height", "bitrate", "inLanguage", "encoding", "expires", "publication",
    "interactionStatistic", "aggregateRating", "regionsAllowed", "ineligibleRegion", "requiresSubscription",
    "isFamilyFriendly", "contentRating", "offers", "keywords", "genre", "creator", "actor", "director", "musicBy", "producer",
    "author", "contributor", "publisher", "copyrightNotice", "usageInfo", "license", "sha256", "transcript", "caption",
    "hasPart", "contentLocation", "isPartOf", "partOfSeries", "partOfSeason", "episodeNumber", "mainEntityOfPage", "url", "identifier",
    "datePublished", "dateModified", "dateCreated", "image", "discussionUrl", "commentCount", "comment", "interactionCount",
];

/// An object that is being written.
pub(super) struct VideoWriting<'w, 'o, 'e> {
    draft: &'w mut Draft,
    node: DraftId,
    /// Its path in the source, if unknown values are put into it.
    path: String,
    out: &'w mut Out<'o, 'e>,
    /// The page of the video.
    loc: Option<&'e Str<'e>>,
}

impl<'w, 'o, 'e> VideoWriting<'w, 'o, 'e> {
    pub fn new(draft: &'w mut Draft, node: DraftId, path: &str, out: &'w mut Out<'o, 'e>) -> Self {
        VideoWriting { draft, node, path: path.to_owned(), out, loc: None }
    }

    /// The same for a video of this page.
    pub fn on_page(self, loc: &'e Option<Str<'e>>) -> Self {
        VideoWriting { loc: loc.as_ref(), ..self }
    }

    /// Writes into an object below this one.
    fn object(&mut self, name: &str, kind: &str, inside: impl FnOnce(&mut VideoWriting<'_, 'o, 'e>)) {
        let (node, path) = self.draft.object(self.node, name, kind, &self.path);
        inside(&mut VideoWriting { draft: self.draft, node, path, out: self.out, loc: self.loc });
    }

    fn settle(&mut self, mark: Mark, text: &str, change: ValueChange) {
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
        let (text, value) = spelt(leaf.value.value());
        self.draft.add(self.node, name, value);
        self.settle(leaf.mark, &text, change);
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
        if let Some(restriction) = effective!(video, file, restriction) {
            self.restriction(restriction, setup.google());
        }
        self.put("requiresSubscription", &effective!(video, file, requires_subscription).cloned());
        self.audience(video, file);
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
        let player = self.taken(effective!(video, file, player).and_then(|player| player.url.as_ref()), setup);
        let plays = |file: &&File<'_>| {
            let is_player = file.url.as_ref().is_some_and(|url| embed::is_embed_host(&url.value));
            is_player && setup.google()
        };
        let played = file.filter(plays);
        if let Some(file) = file {
            if played.is_none() {
                self.taken(file.url.as_ref(), setup).into_iter().for_each(|url| self.leaf("contentUrl", url, None));
            }
            self.of_file(file);
        }
        let embedded = self.taken(effective!(video, file, embed).and_then(|embed| embed.url.as_ref()), setup);
        let rewrites = setup.google() && !setup.options.no_rewrite;
        let rewritten = |leaf: &Str<'_>| embed::player(&leaf.value, None).filter(|_| rewrites);
        if let Some(leaf) = player {
            match rewritten(leaf).filter(|player| **player != *leaf.value) {
                Some(player) => {
                    self.constant("embedUrl", &player);
                    self.settle(leaf.mark, &player, Some(Reason::PlayerUrl));
                }
                None => self.leaf("embedUrl", leaf, None),
            }
        } else if let Some(leaf) = embedded {
            self.leaf("embedUrl", leaf, Some(Reason::UsedForVideo));
        } else if let Some(leaf) = played.and_then(|file| file.url.as_ref()) {
            let player = rewritten(leaf).unwrap_or_else(|| leaf.value.to_string());
            self.constant("embedUrl", &player);
            self.settle(leaf.mark, &player, Some(Reason::UsedAsPlayer));
        }
        let shared = OnceCell::new();
        let taken = || {
            shared.get_or_init(|| {
                let is_taken = |file: &&File<'_>| file.url.as_ref().is_none_or(|url| !is_refused(url, setup.google()));
                let mut marks = HashSet::new();
                for file in video.files.iter().filter(is_taken) {
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
            if other.url.as_ref().is_some_and(|url| is_refused(url, setup.google())) {
                // what it has in common with another file goes with that
                let mut losing = self.out.books().losing(Reason::AllowedScheme, None);
                other.walk((), &mut |seen| {
                    if !taken().contains(&seen.mark) {
                        losing.lost(seen.mark);
                    }
                });
                continue;
            }
            if !has_property(other) {
                self.out.drop(other, (), Reason::NoUrl);
                continue;
            }
            self.object("encoding", "MediaObject", |object| {
                object.put("contentUrl", &other.url);
                object.of_file(other);
                if let Some(length) = &other.duration {
                    object.duration("duration", length);
                }
            });
        }
    }

    /// A URL, if it is taken; one that is not is settled.
    fn taken(&mut self, url: Option<&'e Str<'e>>, setup: &Setup<'_>) -> Option<&'e Str<'e>> {
        let refused = url.filter(|url| is_refused(url, setup.google()));
        refused.into_iter().for_each(|url| self.out.books().lost(url.mark, Reason::AllowedScheme));
        url.filter(|_| refused.is_none())
    }

    fn of_file(&mut self, file: &'e File<'e>) {
        constants(file, Some(Medium::Video), self.out);
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
        if let Some(end) = period.and_then(|period| period.end.as_ref()) {
            self.leaf("expires", end, None);
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

    fn statistics(&mut self, video: &'e Video<'e>, file: Option<&'e File<'e>>) {
        let counts =
            [("WatchAction", effective!(video, file, views)), ("LikeAction", effective!(video, file, favorites))];
        for (action, count) in counts {
            let Some(count) = count else { continue };
            self.object("interactionStatistic", "InteractionCounter", |counter| {
                counter.object("interactionType", action, |_| ());
                counter.leaf("userInteractionCount", count, None);
            });
        }
        if let Some(rating) = effective!(video, file, rating).filter(|rating| rating.average.is_some()) {
            self.object("aggregateRating", "AggregateRating", |object| {
                object.put("ratingValue", &rating.average);
                object.put("ratingCount", &rating.count);
                object.put("worstRating", &rating.min);
                object.put("bestRating", &rating.max);
            });
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
        let denied = fits.contains(&Some(false));
        let written = match own.filter(|own| !own.value || !denied || self.out.same_family()) {
            Some(own) => Some(own.value),
            // a grade that goes back where it was needs no other value
            None if self.out.same_family() => None,
            None if denied => Some(false),
            None => Some(true).filter(|_| !fits.is_empty() && !fits.contains(&None)),
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
            Some(own) if written == Some(own.value) => return self.leaf("isFamilyFriendly", own, None),
            Some(own) => self.out.books().lost(own.mark, Reason::OtherValue),
            None => (),
        }
        if written.is_some() {
            self.draft.add(self.node, "isFamilyFriendly", DraftValue::Bare(word.to_owned()));
        }
        if let Some(grade) = grades.filter(|_| !is_said && written.is_some()) {
            let why = Reason::GeneratedFriendliness;
            self.out.books().made(Field::VideoFamilyFriendly, why, Some(grade), word.to_owned());
        }
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

    fn prices(&mut self, video: &'e Video<'e>, file: Option<&'e File<'e>>) {
        let is_live = effective!(video, file, live).is_some_and(|live| live.value);
        let mut start = start_of(video, file).filter(|_| !is_live);
        for price in effective_list!(video, file, prices) {
            let kind = price.kind.as_ref();
            let is_kind = |word: &str| kind.is_some_and(|kind| kind.value.eq_ignore_ascii_case(word));
            if price.amount.is_none() && price.info.is_none() && price.currency.is_none() {
                let why = if is_kind("subscription") { Reason::NoTerm } else { Reason::IncompletePart };
                self.out.drop(price, (), why);
                continue;
            }
            self.object("offers", "Offer", |offer| {
                offer.put("price", &price.amount);
                offer.put("priceCurrency", &price.currency);
                offer.put("url", &price.info);
                if let Some(start) = start.take() {
                    offer.leaf("availabilityStarts", start, None);
                }
                if let Some(kind) = kind {
                    if is_kind("rent") {
                        let term = "http://purl.org/goodrelations/v1#LeaseOut";
                        offer.constant("businessFunction", term);
                        offer.settle(kind.mark, term, None);
                    } else if is_kind("purchase") {
                        offer.out.books().implied(kind.mark);
                    } else {
                        offer.out.books().lost(kind.mark, Reason::NoTerm);
                    }
                }
            });
        }
    }

    fn subjects(&mut self, video: &'e Video<'e>, file: Option<&'e File<'e>>) {
        for tag in effective_list!(video, file, tags) {
            self.leaf("keywords", tag, None);
        }
        for category in effective_list!(video, file, categories) {
            self.genre(category);
        }
    }

    /// A category by its label, else by its term.
    fn genre(&mut self, category: &'e Category<'e>) {
        let Some(name) = category.label.as_ref().or(category.term.as_ref()) else { return };
        self.leaf("genre", name, None);
        if let (Some(_), Some(term)) = (&category.label, &category.term) {
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
            let Some(name) = &credit.name else {
                self.out.drop(credit, (), Reason::IncompletePart);
                continue;
            };
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
            let numbers = place.point.as_ref().and_then(|point| Some((point, coordinates(&point.value)?)));
            if place.description.is_none() && numbers.is_none() {
                continue;
            }
            self.object("contentLocation", "Place", |object| {
                object.put("name", &place.description);
                let Some((point, [latitude, longitude])) = numbers else {
                    return place
                        .point
                        .iter()
                        .for_each(|point| object.out.books().lost(point.mark, Reason::InvalidValue));
                };
                object.object("geo", "GeoCoordinates", |geo| {
                    geo.draft.add(geo.node, "latitude", DraftValue::Bare(latitude.to_owned()));
                    geo.draft.add(geo.node, "longitude", DraftValue::Bare(longitude.to_owned()));
                    geo.settle(point.mark, &point.value, None);
                });
            });
        }
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
        if let Some(gallery) = &video.gallery {
            self.object("isPartOf", GALLERIES[0], |object| {
                object.put("url", &gallery.url);
                object.put("name", &gallery.title);
            });
        }
        for id in &video.ids {
            let is_url = id.kind.as_ref().is_some_and(|kind| kind.value.eq_ignore_ascii_case("url"));
            match (&id.value, is_url) {
                (Some(value), true) => {
                    // the page is in another property
                    match self.loc.is_some_and(|loc| url::is_same(&loc.value, &value.value)) {
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

    /// The values of the page; `apart` from its videos, in its own object.
    pub fn page(&mut self, entry: &'e Entry<'e>, apart: bool, setup: &Setup<'_>) {
        let of_videos = |has: fn(&Video<'_>) -> bool| entry.videos.iter().any(has);
        if !apart && !of_videos(|video| video.files.iter().any(|file| file.lang.is_some())) {
            let own = entry.language.as_ref();
            if let Some(language) = own.or(setup.own_feed.language.as_ref()) {
                self.leaf("inLanguage", language, Some(Reason::UsedForVideo));
            }
        }
        if let Some(rights) = entry.rights.as_ref().filter(|_| !of_videos(|video| video.copyright.is_some())) {
            let (words, change) = plain(rights);
            self.constant("copyrightNotice", &words);
            self.settle(rights.value.mark, &words, change.or(Some(Reason::UsedForVideo)));
        }
        if let Some(license) = entry.license.as_ref().filter(|_| !of_videos(|video| !video.license.is_empty())) {
            self.leaf("license", license, Some(Reason::UsedForVideo));
        }
        self.page_address(entry);
        self.put("identifier", &entry.id);
        self.put("datePublished", &entry.published);
        self.put("dateModified", &entry.updated);
        self.put("dateCreated", &entry.created);
        for author in &entry.authors {
            self.person("author", author);
        }
        for contributor in &entry.contributors {
            self.person("contributor", contributor);
        }
        if let Some(publisher) = &entry.publisher {
            self.object("publisher", "Organization", |object| object.leaf("name", publisher, None));
        } else if let Some(name) = setup.own_feed.publisher.as_ref().filter(|_| !setup.same_family) {
            self.object("publisher", "Organization", |object| {
                object.leaf("name", name, Some(Reason::UsedForEntry));
            });
        }
        for image in entry.images.iter().filter_map(|image| image.loc.as_ref()) {
            self.leaf("image", image, None);
        }
        if let Some(tv) = entry.videos.first().and_then(|video| video.tv.as_ref()) {
            settle_episode(entry, tv, self.out);
        }
        self.put("discussionUrl", &entry.comments);
        self.put("commentCount", &entry.comment_count);
        for category in &entry.categories {
            self.genre(category);
        }
    }

    /// The URL of the page.
    pub fn page_address(&mut self, entry: &'e Entry<'e>) {
        let Some(loc) = &entry.loc else { return };
        self.leaf("mainEntityOfPage", loc, None);
    }

    fn person(&mut self, property: &str, person: &'e Person<'e>) {
        self.object(property, "Person", |object| {
            object.put("name", &person.name);
            object.put("email", &person.email);
            object.put("url", &person.uri);
        });
    }
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

/// A value as JSON, and as reports show it.
fn spelt(value: Value<'_>) -> (String, DraftValue) {
    let (text, is_bare) = match value {
        Value::Str(text) => (text.to_owned(), false),
        Value::Decimal(number) => (number.as_str().to_owned(), true),
        Value::Date(date) => (date.to_w3c(), false),
        Value::Flag(_) | Value::Count(_) | Value::Seconds(_) => (value.to_string(), true),
        Value::Nothing => (String::new(), false),
    };
    let is_bare = is_bare && (crate::json::parse::is_number(&text) || matches!(&*text, "true" | "false"));
    let value = if is_bare { DraftValue::Bare(text.clone()) } else { DraftValue::Text(text.clone()) };
    (text, value)
}
