//! Writes `video:video` in the order of Google's schema. The choice among several values is in choice.rs.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::hash_map::Entry as MapEntry;
use std::collections::{HashMap, HashSet};

use super::choice::{self, Rendition, VideoContext};
use super::extensions::language;
use super::left;
use crate::emit::Out;
use crate::format::audience::{age_fitness, leaves_of, lower, scheme_of};
use crate::format::choice::{
    ChosenValue, EntryTexts, address, category_name, constants, effective, effective_list, episode_keywords,
    episode_length, explicit, is_kind, no_thumbnail, of_episode, plain, report_cut, report_whole, settle_date,
    settle_episode, shared_labels,
};
use crate::format::contract::Setup;
use crate::format::medium::{is_no_video, usual_file};
use crate::format::rss::person;
use crate::format::sitemap::date::{date, end_date};
use crate::model::category::CategoryFields;
use crate::model::episode::keywords;
use crate::model::origin::Role;
use crate::model::{
    Audience, Category, Date, Decimal, Entry, Field, Leaf, LeafView, Mark, Person, Platform, Price, Rating,
    Restriction, Seconds, Str, Video, Walk,
};
use crate::pages::Address;
use crate::reason::{Reason, ValueChange, altering};
use crate::text::mime::Medium;
use crate::text::{cut, region, site, url};
use crate::xml::names::Ns;

/// Writes the videos of a page, and settles those that cannot be written.
pub(super) fn videos<'e>(entry: &'e Entry<'e>, page: &Address<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
    let google = setup.google();
    let (mut before, mut texts) = (entry, EntryTexts::default());
    for (number, video) in entry.videos.iter().enumerate() {
        out.at_video(number);
        // where entries were joined, those of each have their own page
        let own = if entry.origin.joined.is_empty() { None } else { entry.origin.joined(video.first_mark()) };
        if entry.origin.parts.len() > 1 {
            out.books().making_beside(video.first_mark());
        }
        let own = own.unwrap_or(entry);
        if !std::ptr::eq(before, own) {
            (before, texts) = (own, EntryTexts::default());
        }
        let around = VideoContext::new(own, page, setup, google, &texts).in_origin(&entry.origin);
        if let Err(why) = write_video(video, &around, out) {
            out.skip("video:video");
            out.drop_video(video, why);
        }
    }
    out.at_video(entry.videos.len());
    out.books().making_beside(Mark::NONE);
}

/// Writes one video, or returns why it cannot be written.
fn write_video<'e>(video: &'e Video<'e>, around: &VideoContext<'e, '_>, out: &mut Out<'_, 'e>) -> Result<(), Reason> {
    if !around.setup.source.family.lists_pages() && is_no_video(video, around.setup.options.assume_video) {
        out.skip("video:video");
        out.drop(video, (), Reason::SitemapFile);
        return Ok(());
    }
    let inactive = !around.setup.options.keep_inactive;
    if inactive && video.is_inactive() {
        return Err(Reason::InactiveVideo);
    }
    let restriction = effective!(video, usual_file(&video.files), restriction);
    let forbidden = restriction.filter(|_| inactive && around.google).and_then(|said| forbids(said, true));
    if let Some(why) = forbidden {
        return Err(why);
    }
    let rendition = choice::rendition(video, around, out);
    let player = choice::player(video, &rendition, around, out);
    let thumbnail = choice::thumbnail(video, &rendition, around, out);
    let title = choice::title(video, &rendition, around, out);
    let description = choice::description(video, &rendition, around, title.as_ref(), out);
    if around.google {
        let required = [
            (rendition.content.is_some() || player.is_some(), choice::not_played(video, &rendition)),
            (thumbnail.is_some(), no_thumbnail(video, &around.beside())),
            (title.is_some(), Reason::NoTitle),
            (description.is_some(), Reason::NoDescription),
        ];
        if let Some((_, why)) = required.into_iter().find(|(there, _)| !there) {
            return Err(why);
        }
    }
    // readers would take the two for one (rule A2.6)
    let address = rendition.content.as_ref().or(player.as_ref()).filter(|_| around.entry.videos.len() > 1);
    if address.is_some_and(|address| !out.books().is_new_video(url::key(&address.text).into_owned())) {
        return Err(Reason::SameVideo);
    }
    let writing = VideoWriter { video, rendition, around };
    let chosen = ChosenValues { player, thumbnail, title, description };
    out.next_from("video:video", |see| see(video.first_mark()));
    out.element_always("video:video", |out| writing.all(&chosen, out));
    writing.settle(&chosen, out);
    Ok(())
}

/// What was chosen for the elements with one place.
struct ChosenValues {
    player: Option<ChosenValue>,
    thumbnail: Option<ChosenValue>,
    title: Option<ChosenValue>,
    description: Option<ChosenValue>,
}

/// One video on its way out.
struct VideoWriter<'e, 'a, 's> {
    video: &'e Video<'e>,
    rendition: Rendition<'e>,
    around: &'a VideoContext<'e, 's>,
}

impl<'e> VideoWriter<'e, '_, '_> {
    fn all(&self, chosen: &ChosenValues, out: &mut Out<'_, 'e>) {
        let (video, file) = (self.video, self.rendition.file);
        let write = |picked: &Option<ChosenValue>, name, field, out: &mut Out<'_, 'e>| {
            if let Some(picked) = picked {
                picked.write(name, field, out);
            }
        };
        write(&chosen.thumbnail, "video:thumbnail_loc", Field::VideoThumbnailUrl, out);
        let titles = [choice::own_title(video, &self.rendition, self.around.entry), effective!(video, file, title)];
        let title = titles
            .into_iter()
            .flatten()
            .find(|title| chosen.title.as_ref().is_some_and(|c| c.mark == title.value.mark));
        self.text("video:title", Field::VideoTitle, &chosen.title, title, out);
        let description = effective!(video, file, description);
        self.text("video:description", Field::VideoDescription, &chosen.description, description, out);
        write(&self.rendition.content, "video:content_loc", Field::VideoFileUrl, out);
        self.player(&chosen.player, out);
        self.duration(out);
        self.expiration(out);
        self.rating(out);
        self.segments(out);
        self.views(out);
        self.publication(out);
        self.tags(out);
        self.family_friendly(out);
        self.restriction(out);
        let wanted = !self.around.setup.options.no_deprecated;
        if wanted {
            self.gallery(out);
        }
        let subscription = self.prices(wanted, out);
        self.subscription(subscription, out);
        self.uploader(out);
        match wanted {
            true => self.tv(out),
            false => self.retired_numbers(out),
        }
        self.platform(out);
        self.live(out);
        self.ids(out);
    }

    /// A text, with its language where it came with one.
    fn text(
        &self,
        name: &str,
        field: Field,
        picked: &Option<ChosenValue>,
        own: Option<&'e crate::model::Text<'e>>,
        out: &mut Out<'_, 'e>,
    ) {
        let Some(picked) = picked else { return };
        let own = own.filter(|own| own.value.mark == picked.mark && picked.made.is_none());
        match own {
            Some(own) => out.element_always(name, |out| {
                language(own, out);
                picked.write_text(field, out);
            }),
            None => picked.write(name, field, out),
        }
    }

    fn player(&self, picked: &Option<ChosenValue>, out: &mut Out<'_, 'e>) {
        let video = self.video;
        let Some(picked) = picked else {
            let why = Reason::DetachedAttribute;
            let media = self.rendition.file.and_then(|file| file.media.as_deref());
            for level in media.into_iter().chain([video]) {
                out.drop(&level.allow_embed, Field::VideoAllowEmbed, why);
                out.drop(&level.autoplay, Field::VideoAutoplay, why);
                let denied = level.sharing.as_ref().filter(|said| said.value.eq_ignore_ascii_case("deny"));
                if let Some(denied) = denied {
                    out.books().lost(denied.mark, why);
                }
            }
            return;
        };
        out.element_always("video:player_loc", |out| {
            self.write_player_attributes(out);
            match picked.made {
                Some(why) => {
                    out.make_text(Field::VideoPlayerUrl, why, Some(picked.mark), &picked.text);
                }
                None => out.text_as(picked.mark, &picked.text, picked.change),
            }
        });
    }

    /// The attributes of a player, which Google retired.
    fn write_player_attributes(&self, out: &mut Out<'_, 'e>) {
        let (video, file) = (self.video, self.rendition.file);
        let sharing = effective!(video, file, sharing).filter(|said| said.value.eq_ignore_ascii_case("deny"));
        if self.around.setup.options.no_deprecated {
            if let Some(sharing) = sharing {
                out.books().lost(sharing.mark, Reason::RetiredElement);
            }
            return;
        }
        match (effective!(video, file, allow_embed), sharing) {
            (Some(allow), _) => {
                out.attr_as("allow_embed", allow.mark, if allow.value { "yes" } else { "no" }, None);
            }
            (None, Some(sharing)) => {
                out.attr_as("allow_embed", sharing.mark, "no", Some(Reason::OtherElement));
            }
            (None, None) => (),
        }
        if let Some(autoplay) = effective!(video, file, autoplay) {
            out.attr_as("autoplay", autoplay.mark, &autoplay.value, None);
        }
    }

    /// S-V7: of the rendition, else of the video, else of any rendition, else of the episode.
    fn duration(&self, out: &mut Out<'_, 'e>) {
        let (video, file) = (self.video, self.rendition.file);
        let own = file.and_then(|file| file.duration.as_ref()).or(effective!(video, file, duration));
        let any = || video.files.iter().find_map(|file| file.duration.as_ref());
        let episode = || {
            let (mark, length) = episode_length(self.around.entry)?;
            Some(Leaf { mark, ..Leaf::new(length) })
        };
        let (leaf, moved) = match own.or_else(any).map(|leaf| leaf.with(leaf.value)) {
            Some(leaf) => (leaf, false),
            None => match episode() {
                Some(leaf) => (leaf, true),
                None => return,
            },
        };
        if let Some((text, change)) = whole_seconds(leaf.value, self.least_duration()) {
            let change = change.or(moved.then_some(Reason::UsedForVideo));
            out.elem_as("video:duration", leaf.mark, &text, change);
        } else {
            let equal = episode().filter(|other| other.mark != leaf.mark && other.value == leaf.value);
            for mark in [Some(leaf.mark), equal.map(|other| other.mark)].into_iter().flatten() {
                out.books().lost(mark, Reason::DurationRange);
            }
        }
        // of the chosen rendition, of its level, of the video: the first counts
        let own = file.and_then(|file| file.duration.as_ref()).into_iter();
        for other in own.chain(effective!(video, file, duration)).chain(&video.duration) {
            if other.mark == leaf.mark {
                continue;
            }
            match other.value == leaf.value {
                true => out.books().merged_with(other.mark, leaf.mark, Reason::SameValue),
                false => out.books().lost(other.mark, Reason::OtherValue),
            }
        }
        if let Some(other) = episode().filter(|other| other.mark != leaf.mark && other.value != leaf.value) {
            out.books().lost(other.mark, Reason::OtherValue);
        }
    }

    /// Google wants at least a second; the schema does not.
    fn least_duration(&self) -> u64 {
        u64::from(self.around.google)
    }

    fn expiration(&self, out: &mut Out<'_, 'e>) {
        let Some(period) = effective!(self.video, self.rendition.file, available) else { return };
        if let Some(end) = &period.end {
            let (text, change) = end_date(&end.value);
            out.elem_as("video:expiration_date", end.mark, &text, change);
        }
    }

    fn publication(&self, out: &mut Out<'_, 'e>) {
        let Some(leaf) = self.published() else { return };
        let (text, change) = date(&leaf.value);
        let is_own = effective!(self.video, self.rendition.file, published).is_some();
        let change = if is_own { change } else { altering(Some(Reason::UsedForVideo), change) };
        out.elem_as("video:publication_date", leaf.mark, &text, change);
        if let Some(of_page) = self.around.entry.published.as_ref().filter(|of_page| of_page.mark != leaf.mark) {
            settle_date(of_page, leaf, Reason::OtherValue, out.books());
        }
    }

    /// The date of the video, else that of its page, else the start of its period.
    fn published(&self) -> Option<&'e Leaf<Date>> {
        let (video, file) = (self.video, self.rendition.file);
        let start = effective!(video, file, available).and_then(|period| period.start.as_ref());
        effective!(video, file, published).or(self.around.entry.published.as_ref()).or(start)
    }

    fn rating(&self, out: &mut Out<'_, 'e>) {
        let Some(rating) = &self.level(left::community).rating else { return };
        let Some(average) = &rating.average else { return };
        match stars(rating, &average.value, out.same_family()) {
            Ok((text, change)) => {
                out.elem_as("video:rating", average.mark, &text, change);
                // zero to five is what the element means by itself
                for (slot, implied) in [(&rating.min, 0), (&rating.max, 5)] {
                    if let Some(leaf) = slot
                        && change.is_none()
                        && leaf.value.scaled(0) == Some(implied)
                    {
                        out.books().kept(leaf.mark);
                    }
                }
            }
            Err(_) if out.same_family() => out.books().lost(average.mark, Reason::RatingRange),
            Err(why) => out.books().lost(average.mark, why),
        }
    }

    fn segments(&self, out: &mut Out<'_, 'e>) {
        for segment in effective_list!(self.video, self.rendition.file, segments) {
            let Some(url) = &segment.url else {
                out.drop(segment, (), Reason::NoUrl);
                out.skip("video:content_segment_loc");
                continue;
            };
            if self.is_relative(url) {
                out.drop(segment, (), Reason::AbsoluteUrl);
                out.skip("video:content_segment_loc");
                continue;
            }
            out.element_at("video:content_segment_loc", url.mark, |out| {
                if let Some(duration) = &segment.duration {
                    match whole_seconds(duration.value, 0) {
                        Some((text, change)) => out.attr_as("duration", duration.mark, &text, change),
                        None => {
                            out.books().lost(duration.mark, Reason::DurationRange);
                        }
                    }
                }
                let (text, change) = address(&url.value, self.around.setup.options.iri);
                out.text_as(url.mark, &text, change);
            });
        }
    }

    /// Whether Google cannot follow a URL because it is relative.
    fn is_relative(&self, url: &Str<'_>) -> bool {
        self.around.google && url::scheme(&url.value).is_none()
    }

    /// The level that a group of members is taken from as a whole: that of the rendition, if it has any of them (A1.1).
    fn level(&self, has: fn(&Video<'_>) -> bool) -> &'e Video<'e> {
        let media = self.rendition.file.and_then(|file| file.media.as_deref());
        media.filter(|media| has(media)).unwrap_or(self.video)
    }

    fn views(&self, out: &mut Out<'_, 'e>) {
        if let Some(views) = &self.level(left::community).views {
            out.put_leaf(Field::VideoViews, views);
        }
    }

    /// S-V11 and S-V12: tags, then weighted tags, then the categories that `category` has no room for.
    fn tags(&self, out: &mut Out<'_, 'e>) {
        let (video, file) = (self.video, self.rendition.file);
        let same_family = out.same_family();
        let tags = effective_list!(video, file, tags);
        let own = self.categories(out);
        let all = own.iter().copied().chain(&self.around.entry.categories);
        for technical in all.clone().filter(|category| is_kind(category)) {
            out.drop(technical, CategoryFields::VIDEO, Reason::KindCategory);
        }
        let shared = shared_labels(all.clone());
        let mut subjects =
            all.filter(|category| !is_kind(category)).filter_map(|category| category_name(category, &shared));
        let first = subjects.next();
        let written = first.filter(|_| !self.around.setup.options.no_deprecated);
        let category = written.map(|subject| small(&subject.value));
        let few = Vec::with_capacity(tags.len().min(TAGS));
        let back = same_family && !tags.iter().any(|tag| self.is_part(tag));
        let mut room = Tags { category, few, cut: HashSet::new(), written: 0, back };
        for tag in tags {
            room.write(tag.mark, &tag.value, None, out);
        }
        self.keywords(&mut room, out);
        let mut weighted: Vec<_> = self.level(left::community).tag_weights.iter().collect();
        let weight =
            |tag: &crate::model::TagWeight<'_>| tag.weight.as_ref().map(|leaf| leaf.value.clone().into_owned());
        let one = if weighted.is_empty() { None } else { Decimal::from_scaled(1, 0) };
        weighted.sort_by(|a, b| match (weight(a).or(one.clone()), weight(b).or(one.clone())) {
            (Some(a), Some(b)) => b.cmp_num(&a),
            _ => Ordering::Equal,
        });
        for tag in weighted.into_iter().filter_map(|weighted| weighted.tag.as_ref()) {
            room.write(tag.mark, &tag.value, Some(Reason::UsedAsCategory), out);
        }
        for subject in subjects {
            room.write(subject.mark, &subject.value, Some(Reason::UsedAsCategory), out);
        }
        if let Some(subject) = written {
            let is_own = own.iter().filter_map(|own| category_name(own, &shared)).any(|name| name.mark == subject.mark);
            self.category(subject, is_own, out);
        }
    }

    /// The categories of all levels, the deepest first, each once (A1.4).
    fn categories(&self, out: &mut Out<'_, 'e>) -> Vec<&'e Category<'e>> {
        let media = self.rendition.file.and_then(|file| file.media.as_deref());
        let deepest = media.into_iter().flat_map(|media| &media.categories);
        let both = deepest.chain(&self.video.categories);
        if both.clone().nth(1).is_none() {
            return both.collect();
        }
        let mut known = HashMap::new();
        let mut found = Vec::new();
        for category in both {
            let [scheme, term] = [&category.scheme, &category.term].map(|leaf| leaf.as_ref().map(Leaf::as_str));
            let mark = category.term.as_ref().map(|term| term.mark);
            match (known.entry((scheme, term)), mark) {
                (MapEntry::Vacant(slot), _) => {
                    slot.insert(mark);
                    found.push(category);
                }
                // what was inherited is the same leaf
                (MapEntry::Occupied(first), Some(mark)) => {
                    let with = first.get().filter(|first| *first != mark);
                    with.into_iter().for_each(|with| out.books().merged_with(mark, with, Reason::SameValue));
                }
                _ => (),
            }
        }
        found
    }

    /// Writes `itunes:keywords`, if the video has no tags.
    fn keywords(&self, room: &mut Tags<'e>, out: &mut Out<'_, 'e>) {
        let Some((mark, said)) = episode_keywords(self.around.entry) else { return };
        if room.written > 0 {
            return out.books().lost(mark, Reason::OtherValue);
        }
        let why = Reason::UsedAsCategory;
        out.books().changed(mark, why, keywords(said).collect::<Vec<_>>().join(", "));
        for word in keywords(said) {
            room.write(mark, word, Some(why), out);
        }
    }

    fn category(&self, subject: &'e Str<'e>, is_own: bool, out: &mut Out<'_, 'e>) {
        let moved = if is_own { None } else { Some(Reason::UsedForVideo) };
        let cut = cut::cut(&subject.value, 256);
        let why = Reason::LongCategory;
        if let Some(cut) = &cut {
            report_cut(subject.mark, subject.value.chars().count(), why, cut, out);
        }
        let change = cut.as_ref().map(|_| why).or(moved);
        out.elem_as("video:category", subject.mark, cut.as_deref().unwrap_or(&subject.value), change);
    }

    /// Whether the video is family-friendly: one value that denies it decides, and one that cannot be decided blocks a
    /// yes (A10).
    fn family_friendly(&self, out: &mut Out<'_, 'e>) {
        let (video, file) = (self.video, self.rendition.file);
        let own = effective!(video, file, family_friendly);
        let ratings = effective_list!(video, file, ratings);
        let adult = effective!(video, file, adult);
        let episode = explicit(self.around.entry, self.around.setup.own_feed);
        let graded = ratings.iter().filter(|rating| rating.value.is_some());
        let said: Vec<Option<bool>> = graded.map(age_fitness).chain(adult.map(|adult| Some(!adult.value))).collect();
        let denied = said.contains(&Some(false)) || episode.is_some_and(|(_, explicit)| explicit);
        if let Some(own) = own.filter(|own| !own.value || !denied) {
            out.put_leaf(Field::VideoFamilyFriendly, own);
            return;
        }
        for leaf in ratings.iter().filter(|rating| age_fitness(rating).is_none()).flat_map(leaves_of) {
            out.books().lost(leaf.mark, Reason::AudienceRating);
        }
        match (said.contains(&None), episode) {
            _ if denied => (),
            (true, episode) => return self.undecided(ratings, adult, episode, out),
            (false, Some((mark, _))) if said.is_empty() => {
                return out.elem_as("video:family_friendly", mark, "yes", Some(Reason::OtherElement));
            }
            (false, None) if said.is_empty() => return,
            (false, _) => (),
        }
        let word = if denied { "no" } else { "yes" };
        out.elem_as("video:family_friendly", Mark::NONE, word, None);
        let (why, other) = (Reason::UsualTerm, Reason::OtherValue);
        if let Some(own) = own {
            out.books().lost(own.mark, other);
        }
        for rating in ratings {
            let Some(fit) = age_fitness(rating) else { continue };
            let exact = scheme_of(rating) == "urn:simple";
            for leaf in leaves_of(rating) {
                match fit != denied {
                    true if exact => out.books().kept_as(leaf.mark, || word.to_owned()),
                    true => out.books().changed(leaf.mark, why, word.to_owned()),
                    false => out.books().lost(leaf.mark, other),
                }
            }
        }
        if let Some(adult) = adult {
            match adult.value == denied {
                true => out.books().changed(adult.mark, why, word.to_owned()),
                false => out.books().lost(adult.mark, other),
            }
        }
        match episode {
            Some((mark, explicit)) if explicit == denied => {
                out.books().changed(mark, Reason::OtherElement, word.to_owned());
            }
            // a value of the head may be written with another video
            Some((mark, _)) if !mark.of_feed() => out.books().lost(mark, other),
            _ => (),
        }
    }

    /// Settles ratings if one cannot be decided: no other value can then say yes.
    fn undecided(
        &self,
        ratings: &'e [Audience<'e>],
        adult: Option<&'e Leaf<bool>>,
        episode: Option<(Mark, bool)>,
        out: &mut Out<'_, 'e>,
    ) {
        let why = Reason::AudienceRating;
        for leaf in ratings.iter().flat_map(leaves_of) {
            out.books().lost(leaf.mark, why);
        }
        if let Some(adult) = adult {
            out.books().lost(adult.mark, why);
        }
        if let Some((mark, _)) = episode {
            out.books().lost(mark, Reason::AudienceRating);
        }
    }

    fn restriction(&self, out: &mut Out<'_, 'e>) {
        if let Some(restriction) = effective!(self.video, self.rendition.file, restriction) {
            restrict(restriction, self.around.google, out);
        }
    }

    fn gallery(&self, out: &mut Out<'_, 'e>) {
        let Some(gallery) = effective!(self.video, self.rendition.file, gallery) else { return };
        let Some(url) = &gallery.url else {
            return out.drop(gallery, (), Reason::DetachedAttribute);
        };
        if self.is_relative(url) {
            return out.drop(gallery, (), Reason::AbsoluteUrl);
        }
        out.element_always("video:gallery_loc", |out| {
            out.put(Field::VideoGalleryTitle, &gallery.title);
            let (text, change) = address(&url.value, self.around.setup.options.iri);
            out.text_as(url.mark, &text, change);
        });
    }

    /// Writes the prices (A7) if `wanted`; returns the leaf of one that means "subscription".
    fn prices(&self, wanted: bool, out: &mut Out<'_, 'e>) -> Option<Mark> {
        let mut subscription = None;
        for price in effective_list!(self.video, self.rendition.file, prices) {
            let kind = price.kind.as_ref().map(|kind| lower(&kind.value));
            if let Some(leaf) = price.kind.as_ref().filter(|_| kind.as_deref() == Some("subscription")) {
                match subscription {
                    None => subscription = Some(leaf.mark),
                    Some(first) => out.books().merged_with(leaf.mark, first, Reason::SameValue),
                }
            }
            if !(wanted && written_price(price, kind.as_deref(), self.around.google, out)) {
                out.skip("video:price");
            }
        }
        subscription
    }

    fn subscription(&self, priced: Option<Mark>, out: &mut Out<'_, 'e>) {
        match (effective!(self.video, self.rendition.file, requires_subscription), priced) {
            (Some(said), mark) => {
                out.put_leaf(Field::VideoRequiresSubscription, said);
                if let Some(mark) = mark {
                    match said.value {
                        true => out.books().merged(mark, Reason::SameValue),
                        false => out.books().lost(mark, Reason::OtherValue),
                    }
                }
            }
            (None, Some(mark)) => {
                out.elem_as("video:requires_subscription", mark, "yes", Some(Reason::OtherElement));
            }
            (None, None) => (),
        }
    }

    /// S-V10: the uploader, else a credit of that role, else an author.
    fn uploader(&self, out: &mut Out<'_, 'e>) {
        let level = self.level(left::credits);
        let own = level.uploader.as_ref();
        let credits = level.credits.iter();
        let credit = level.uploader_credit();
        let is_author = |role: &Str<'_>| role.value.eq_ignore_ascii_case("author");
        let by_author = || {
            let credit = credits.clone().find(|credit| credit.role.as_ref().is_some_and(is_author));
            credit.and_then(|credit| credit.name.as_ref())
        };
        // A1.8: of RSS, the author of the episode comes before the creator, and before the author of the item
        let is_rss = self.around.setup.source.family.is_rss();
        let rank = |author: &&Person<'_>| match author.name.as_ref().and_then(|name| name.via) {
            Some(Ns::Itunes | Ns::GooglePlay) => 0,
            Some(Ns::Dc) if is_rss => 1,
            _ if is_rss => 2,
            _ => 0,
        };
        let named = self.around.entry.authors.iter().filter(|author| author.name.is_some());
        let is_given = |text: &str| (!text.trim().is_empty()).then_some(());
        let module = of_episode(self.around.entry, "author", is_given).map(|(leaf, ())| leaf);
        let author = named.min_by_key(rank).filter(|author| module.is_none() || rank(author) == 0);
        let moved = Some(Reason::UsedAsAuthor);
        let page = own.and_then(|own| own.uri.as_ref());
        let (name, uri, change) = match (own.filter(|own| own.name.is_some()), credit, author) {
            (Some(own), ..) => (own.name.as_ref(), page, None),
            (None, Some(credit), _) => {
                // the element itself implies the role, and the scheme that has it
                let implied =
                    credit.scheme.as_ref().filter(|scheme| scheme.value.trim().eq_ignore_ascii_case("urn:yvs"));
                for leaf in credit.role.iter().chain(implied) {
                    out.books().kept(leaf.mark);
                }
                (credit.name.as_ref(), page, None)
            }
            (None, None, Some(author)) => (author.name.as_ref(), page.or(author.uri.as_ref()), moved),
            (None, None, None) => (module.or_else(by_author), page, moved),
        };
        let Some(name) = name else { return self.nameless(page, out) };
        if let Some(other) = author.and_then(|author| author.name.as_ref())
            && other.value != name.value
            && !out.books().settled(other.mark)
        {
            out.books().lost(other.mark, Reason::OtherValue);
        }
        // a sitemap is public and has no element for an e-mail address
        let moved_uri = change;
        let whole = || out.same_family().then(|| Cow::Borrowed(&*name.value));
        let left = person::without_addresses(&name.value).or_else(whole);
        let Some(called) = left else {
            out.books().lost(name.mark, Reason::SitemapEmail);
            return self.nameless(page, out);
        };
        let called = &*called;
        let is_whole = called == name.value;
        let change = if is_whole { change } else { person::WITHOUT_ADDRESS };
        if credit.and_then(|credit| credit.name.as_ref()).is_some_and(|own| own.mark == name.mark) {
            self.merge_authors(name, module, out);
        }
        // the credits may name the same one
        for other in level.credits.iter().filter_map(|credit| credit.name.as_ref()) {
            if other.mark != name.mark && other.value == called {
                out.books().merged(other.mark, Reason::SameValue);
            }
        }
        // the feed gives the URL of the author, who has the same name
        let same = |author: &&Person<'_>| author.name.as_deref() == Some(&name.value);
        let author = self.around.entry.authors.iter().find(same).and_then(|author| author.uri.as_ref());
        let lent = (uri.is_none()).then_some(Reason::UsedAsAuthor);
        let uri = uri.or(author);
        let cut = cut::cut(called, 255);
        let why = Reason::LongUploader;
        let cut_change = cut.as_ref().map(|_| why);
        if let Some(cut) = &cut {
            report_cut(name.mark, called.chars().count(), why, cut, out);
        }
        out.element_always("video:uploader", |out| {
            if let Some(uri) = uri {
                if !self.around.google || site::is_same(&uri.value, &self.around.page.url) {
                    let (text, respelt) = address(&uri.value, self.around.setup.options.iri);
                    let change = moved_uri.filter(|_| page.is_none()).or(lent);
                    out.attr_as("info", uri.mark, &text, altering(change, respelt));
                } else {
                    out.books().lost(uri.mark, Reason::UploaderSite);
                }
            }
            out.text_as(name.mark, cut.as_deref().unwrap_or(called), cut_change.or(change));
        });
    }

    /// Merges an author with the uploader of this name, who is one by a credit. A name beside an e-mail in one value is not the
    /// whole of it.
    fn merge_authors(&self, uploader: &Str<'_>, of_episode: Option<&'e Str<'e>>, out: &mut Out<'_, 'e>) {
        let alone = |author: &'e Person<'e>| match &author.email {
            Some(email) if self.is_part(email) => None,
            _ => author.name.as_ref().filter(|name| !self.is_part(name)),
        };
        let named = self.around.entry.authors.iter().take(COMPARED).filter_map(alone).chain(of_episode);
        for author in named.filter(|author| author.value.trim() == uploader.value.trim()) {
            out.books().merged_with(author.mark, uploader.mark, Reason::SameValue);
        }
    }

    /// Whether a value is one of several in a leaf.
    fn is_part(&self, leaf: &Str<'_>) -> bool {
        let record = self.around.origin.record(leaf.mark);
        record.is_some_and(|record| matches!(record.role, Role::Part(_)))
    }

    /// An uploader of whom only a page is known.
    fn nameless(&self, page: Option<&'e Str<'e>>, out: &mut Out<'_, 'e>) {
        let Some(page) = page else { return };
        if self.around.google || !out.same_family() {
            return out.books().lost(page.mark, Reason::DetachedAttribute);
        }
        // what lacks it goes back as it came
        out.element_always("video:uploader", |out| {
            let (text, change) = address(&page.value, self.around.setup.options.iri);
            out.attr_as("info", page.mark, &text, change);
        });
    }

    fn tv(&self, out: &mut Out<'_, 'e>) {
        let Some(tv) = effective!(self.video, self.rendition.file, tv) else { return self.episode(out) };
        // the schema demands a title and a type; what lacks them goes back as it came
        let strict = self.around.google || !out.same_family();
        let no_synth = self.around.setup.options.no_synth;
        let lacks_show = strict && tv.show_title.is_none() && !no_synth;
        let show = self.around.setup.own_feed.title.as_ref().filter(|_| lacks_show);
        if strict && (tv.show_title.is_none() && show.is_none() || tv.kind.is_none() && no_synth) {
            return out.drop(tv, (), Reason::IncompletePart);
        }
        out.element("video:tvshow", |out| {
            out.put(Field::VideoTvShowTitle, &tv.show_title);
            if let Some(show) = show {
                out.elem_as("video:show_title", show.value.mark, &plain(show).0, Some(Reason::OtherElement));
            }
            match &tv.kind {
                None if strict => self.episode_kind(out),
                kind => match usual_kind(kind.as_ref()) {
                    Some((mark, word)) => out.elem_as("video:video_type", mark, word, None),
                    None => out.put(Field::VideoTvType, kind),
                },
            }
            out.put(Field::VideoTvEpisodeTitle, &tv.episode_title);
            let numbers = [
                (Field::VideoTvSeason, &tv.season, "itunes:season", "video:season_number"),
                (Field::VideoTvEpisode, &tv.episode, "itunes:episode", "video:episode_number"),
            ];
            for (field, number, module, name) in numbers {
                match (number, self.episode_number(module)) {
                    // they are counted from 1
                    (Some(leaf), _) if leaf.value == 0 && self.around.google => {
                        out.books().lost(leaf.mark, Reason::InvalidValue);
                    }
                    (None, Some(leaf)) => {
                        out.elem_as(name, leaf.mark, leaf.value.trim(), Some(Reason::OtherElement));
                    }
                    (number, _) => out.put(field, number),
                }
            }
            settle_episode(self.around.entry, tv, out);
            out.put(Field::VideoTvPremiere, &tv.premiere);
        });
    }

    /// The numbers of a podcast's episode, where the show has a title: the feed's.
    fn episode(&self, out: &mut Out<'_, 'e>) {
        let (season, episode) = (self.episode_number("itunes:season"), self.episode_number("itunes:episode"));
        let Some(show) = self.around.setup.own_feed.title.as_ref() else { return };
        if season.is_none() && episode.is_none() || self.around.setup.options.no_synth {
            return;
        }
        let moved = Some(Reason::OtherElement);
        out.element_always("video:tvshow", |out| {
            out.elem_as("video:show_title", show.value.mark, &plain(show).0, moved);
            self.episode_kind(out);
            for (name, leaf) in [("video:season_number", season), ("video:episode_number", episode)] {
                if let Some(leaf) = leaf {
                    out.elem_as(name, leaf.mark, leaf.value.trim(), moved);
                }
            }
        });
    }

    /// The numbers of an episode where retired elements are omitted.
    fn retired_numbers(&self, out: &mut Out<'_, 'e>) {
        for leaf in ["itunes:season", "itunes:episode"].into_iter().filter_map(|name| self.episode_number(name)) {
            out.books().lost(leaf.mark, Reason::RetiredElement);
        }
    }

    /// A number that a podcast gives its episode, of which this is the only video.
    fn episode_number(&self, module: &str) -> Option<&'e Str<'e>> {
        let entry = self.around.entry;
        let said = entry.module(module).and_then(|module| module.value.as_ref()).filter(|_| entry.videos.len() == 1);
        said.filter(|leaf| leaf.value.trim().parse::<u64>().is_ok_and(|count| count > 0))
    }

    /// The kind of the episode, which the schema requires.
    fn episode_kind(&self, out: &mut Out<'_, 'e>) {
        let kind = self.around.entry.module("itunes:episodeType").and_then(|module| module.value.as_ref());
        let word = match kind.map(|kind| kind.value.trim().to_ascii_lowercase()).as_deref() {
            Some("trailer") => "preview",
            Some("bonus") => "other",
            _ => "full",
        };
        match kind {
            Some(kind) => out.elem_as("video:video_type", kind.mark, word, Some(Reason::OtherElement)),
            None => {
                out.make("video:video_type", Field::VideoTvType, Reason::DefaultTerm, None, word);
            }
        }
    }

    fn platform(&self, out: &mut Out<'_, 'e>) {
        let Some(platform) = effective!(self.video, self.rendition.file, platform) else { return };
        let Platform { relationship, platforms } = platform;
        let known = |leaf: &&Str<'_>| ["web", "mobile", "tv"].iter().any(|w| leaf.value.eq_ignore_ascii_case(w));
        let words: Vec<String> = platforms.iter().filter(known).map(|leaf| leaf.value.to_ascii_lowercase()).collect();
        for leaf in platforms.iter().filter(|leaf| !known(leaf)) {
            out.books().lost(leaf.mark, Reason::NoTerm);
        }
        if words.is_empty() && !platforms.is_empty() {
            return out.drop(relationship, Field::VideoPlatformRelationship, Reason::NoTerm);
        }
        out.element_always("video:platform", |out| {
            relation(relationship, Field::VideoPlatformRelationship, out);
            if !words.is_empty() {
                out.text_as(Mark::NONE, &words.join(" "), None);
            }
            for leaf in platforms.iter().filter(known) {
                out.books().kept(leaf.mark);
            }
            report_whole(platforms, || words.join(" "), out);
        });
    }

    fn live(&self, out: &mut Out<'_, 'e>) {
        if let Some(live) = effective!(self.video, self.rendition.file, live) {
            return out.put_leaf(Field::VideoLive, live);
        }
        let expression = self.rendition.file.and_then(|file| file.expression.as_ref());
        if let Some(nonstop) = expression.filter(|said| said.value.eq_ignore_ascii_case("nonstop")) {
            out.elem_as("video:live", nonstop.mark, "yes", Some(Reason::UsualTerm));
        }
    }

    fn ids(&self, out: &mut Out<'_, 'e>) {
        const KINDS: &[&str] = &["tms:series", "tms:program", "rovi:series", "rovi:program", "freebase", "url"];
        for id in effective_list!(self.video, self.rendition.file, ids) {
            let known = id.kind.as_ref().is_some_and(|kind| KINDS.contains(&&*kind.value));
            if !known && !out.same_family() || id.value.is_none() {
                out.drop(id, (), if id.value.is_none() { Reason::NoText } else { Reason::NoTerm });
                out.skip("video:id");
                continue;
            }
            out.element_of("video:id", id, |out| {
                out.put(Field::VideoIdsType, &id.kind);
                out.text_of(Field::VideoIdsValue, &id.value);
            });
        }
    }

    /// What another value was written for.
    fn settle(&self, chosen: &ChosenValues, out: &mut Out<'_, 'e>) {
        // where no file is written, an object of Media RSS without a URL is the video, and not another file of it
        let bare = self.video.files.iter().filter(|file| file.url.is_none() && self.rendition.content.is_none());
        for file in self.rendition.file.into_iter().chain(bare) {
            constants(file, Some(Medium::Video), out);
        }
        if !self.around.entry.enclosures.is_empty() {
            let files = self.video.files.iter().filter_map(|file| file.url.as_ref());
            let files: HashMap<_, _> = files.map(|url| (url::key(&url.value), url.mark)).collect();
            for url in self.around.entry.enclosures.iter().filter_map(|enclosure| enclosure.url.as_ref()) {
                if let Some(file) = files.get(&url::key(&url.value)) {
                    out.books().merged_with(url.mark, *file, Reason::SameValue);
                }
            }
        }
        let written = left::WrittenVideo {
            rendition: &self.rendition,
            player: chosen.player.as_ref(),
            title: chosen.title.as_ref(),
            description: chosen.description.as_ref(),
        };
        left::video(self.video, &written, out);
    }
}

/// The longest duration that the schema and Google take: eight hours.
const LONGEST: u64 = 28_800;

fn whole_seconds(seconds: Seconds, least: u64) -> Option<(String, ValueChange)> {
    let whole = seconds.whole();
    let change = (!seconds.is_whole()).then_some(Reason::RoundedNumber);
    (least..=LONGEST).contains(&whole).then(|| (whole.to_string(), change))
}

/// Converts the average of a rating to the scale of a sitemap, 0 to 5 (A10).
///
/// # Errors
/// The reason why the rating is not written.
pub(in crate::format) fn stars(
    rating: &Rating<'_>,
    average: &Decimal<'_>,
    is_of_sitemap: bool,
) -> Result<(String, ValueChange), Reason> {
    if rating.count.as_ref().is_some_and(|count| count.value == 0) {
        return Err(Reason::NoVotes);
    }
    on_scale(rating, average, is_of_sitemap).ok_or(Reason::RatingScale)
}

/// The average as a rating from 0 to 5, if it is on its scale.
fn on_scale(rating: &Rating<'_>, average: &Decimal<'_>, is_of_sitemap: bool) -> Option<(String, ValueChange)> {
    const ONE: i128 = 1_000_000_000_000;
    let number = |slot: &Option<Leaf<Decimal<'_>>>| slot.as_ref().and_then(|leaf| in_parts(&leaf.value));
    let max = number(&rating.max);
    if rating.min.as_ref().is_some_and(|min| average.cmp_num(&min.value) == Ordering::Less) {
        return None;
    }
    let within_five = average.cmp_num(&Decimal::from_scaled(5, 0)?) != Ordering::Greater;
    if max == Some(5 * ONE) || rating.max.is_none() && (within_five || is_of_sitemap) {
        return (within_five && !average.is_negative()).then(|| (average.as_str().to_owned(), None));
    }
    let average = in_parts(average)?;
    let max = match max {
        Some(max) => max,
        None if rating.max.is_some() => return None,
        None if average <= 10 * ONE => 10 * ONE,
        None if average <= 100 * ONE => 100 * ONE,
        None => return None,
    };
    // a scale from 1 is understood as one from 0, as it is where five is its end
    let min = match rating.min {
        Some(_) => Some(number(&rating.min)?).filter(|min| *min != ONE).unwrap_or(0),
        None => 0,
    };
    let (part, whole) = (average.checked_sub(min)?, max.checked_sub(min)?);
    if whole <= 0 || part < 0 || part > whole {
        return None;
    }
    let hundredths = (part.checked_mul(1000)?.checked_add(whole)?) / (whole.checked_mul(2)?);
    let text = Decimal::from_scaled(hundredths, 2)?.as_str().to_owned();
    Some((text, Some(Reason::FiveStars)))
}

/// The number times 10 to the 12th; digits behind that make no difference to hundredths of a star.
fn in_parts(number: &Decimal<'_>) -> Option<i128> {
    const DIGITS: usize = 12;
    let text = number.as_str();
    let end = text.find('.').map_or(text.len(), |dot| text.len().min(dot + 1 + DIGITS));
    Decimal::parse(text.get(..end)?.into())?.0.scaled(DIGITS as u32)
}

/// Tags being written.
struct Tags<'e> {
    /// The first, in small letters: a video may have no more of them, and hardly any has.
    few: Vec<Cow<'e, str>>,
    /// Those for which there was no room.
    cut: HashSet<Cow<'e, str>>,
    /// The category that is written, in lower case: no tag repeats it.
    category: Option<Cow<'e, str>>,
    written: usize,
    /// Tags of a sitemap are written back unchanged, even repeated ones; not those of a split list.
    back: bool,
}

/// How many authors are compared with the uploader of each video.
const COMPARED: usize = 64;

/// How many tags a video may have.
const TAGS: usize = 32;

impl<'e> Tags<'e> {
    fn write(&mut self, mark: Mark, tag: &'e str, change: ValueChange, out: &mut Out<'_, '_>) {
        let back = self.back && change.is_none();
        let key = small(tag);
        if !back && self.category.as_ref() == Some(&key) {
            return out.books().merged(mark, Reason::SameValue);
        }
        let is_new = !self.few.contains(&key);
        if !is_new && !back {
            return out.books().merged(mark, Reason::SameValue);
        }
        if self.written == TAGS || self.cut.contains(&key) {
            self.cut.insert(key);
            return out.books().lost(mark, Reason::VideoTags);
        }
        if is_new {
            self.few.push(key);
        }
        self.written += 1;
        out.elem_as("video:tag", mark, tag, change);
    }
}

/// A word in small letters.
fn small(word: &str) -> Cow<'_, str> {
    match () {
        () if word.is_ascii() => lower(word),
        () if word.chars().all(is_small) => Cow::Borrowed(word),
        () => Cow::Owned(word.to_lowercase()),
    }
}

/// Whether this is surely no capital letter: not one of ASCII, Latin-1 or the usual Cyrillic ones.
fn is_small(c: char) -> bool {
    matches!(c, '\0'..='@' | '['..='\u{7f}' | 'ß'..='ÿ' | 'а'..='џ')
}

/// Writes `relationship`, which the schema requires.
fn relation<'e>(relationship: &'e Option<Str<'e>>, field: Field, out: &mut Out<'_, 'e>) {
    match relationship {
        Some(said) => out.attr_as("relationship", said.mark, &said.value.to_ascii_lowercase(), None),
        None => {
            out.make_attr("relationship", field, Reason::DefaultTerm, None, "allow");
        }
    }
}

/// Why a video is dropped for its restriction: the restriction neither allows nor denies, allows no country, or denies only codes
/// that Google does not know, and without them the video would be free everywhere.
pub(in crate::format) fn forbids(restriction: &Restriction<'_>, google: bool) -> Option<Reason> {
    let denies = restriction.relationship.as_ref().is_some_and(|said| said.value.eq_ignore_ascii_case("deny"));
    let mut known = restriction.countries.iter().filter_map(|leaf| region::country(&leaf.value)).peekable();
    let is_reserved = known.peek().is_some() && !known.any(|country| country.is_assigned());
    match allows_no_country(restriction) {
        _ if restriction.is_unclear() => Some(Reason::UnclearRestriction),
        true => Some(Reason::NoCountry),
        false => (denies && google && is_reserved).then_some(Reason::DeniedCountry),
    }
}

/// Whether a restriction lets nobody see the video: of all countries, or to none of them.
fn allows_no_country(restriction: &Restriction<'_>) -> bool {
    let has = |word: &str| restriction.countries.iter().any(|leaf| leaf.value.eq_ignore_ascii_case(word));
    let is_known = |leaf: &Str<'_>| region::country(&leaf.value).is_some_and(|country| country.is_assigned());
    match restriction.relationship.as_ref().is_some_and(|said| said.value.eq_ignore_ascii_case("deny")) {
        true => has("all"),
        // countries that Google does not know are not written
        false => has("none") || !has("all") && !restriction.countries.iter().any(is_known),
    }
}

/// Writes a restriction of countries (A6).
fn restrict<'e>(restriction: &'e Restriction<'e>, google: bool, out: &mut Out<'_, 'e>) {
    let Restriction { relationship, countries } = restriction;
    if restriction.is_unclear() && !out.same_family() {
        let unknown = relationship.iter().chain(countries).map(|leaf| leaf.mark);
        return unknown.for_each(|mark| out.books().lost(mark, Reason::NoTerm));
    }
    let denies = relationship.as_ref().is_some_and(|said| said.value.eq_ignore_ascii_case("deny"));
    let all = countries.iter().any(|leaf| leaf.value.eq_ignore_ascii_case("all"));
    let none = countries.iter().any(|leaf| leaf.value.eq_ignore_ascii_case("none"));
    if all && !denies || none && denies || countries.is_empty() && denies && !out.same_family() {
        // without a restriction, it may be shown everywhere
        let implied = relationship.iter().chain(countries).map(|leaf| leaf.mark);
        return implied.for_each(|mark| out.books().kept(mark));
    }
    if all || none {
        out.element_always("video:restriction", |out| out.constant("relationship", "allow"));
        for leaf in relationship.iter().chain(countries) {
            out.books().changed(leaf.mark, Reason::UsualTerm, "allow".to_owned());
        }
        return report_whole(countries, || "allow".to_owned(), out);
    }
    if countries.is_empty() {
        return out.element_always("video:restriction", |out| {
            relation(relationship, Field::VideoRestrictionRelationship, out);
        });
    }
    let mut codes: Vec<&'static str> = Vec::with_capacity(countries.len());
    for leaf in countries {
        match region::country(&leaf.value) {
            Some(country) if google && !country.is_assigned() => {
                out.books().lost(leaf.mark, Reason::UnknownCountry);
            }
            Some(country) if codes.contains(&country.code) => {
                out.books().merged(leaf.mark, Reason::SameValue);
            }
            Some(country) => {
                codes.push(country.code);
                match leaf.value.eq_ignore_ascii_case(country.code) {
                    true => out.books().kept_as(leaf.mark, || country.code.to_owned()),
                    false => {
                        out.books().changed(leaf.mark, Reason::CountryCode, country.code.to_owned());
                    }
                }
            }
            None => out.books().lost(leaf.mark, Reason::UnknownCountry),
        }
    }
    // denying an empty list restricts nothing; an allowed list does, even if all its countries are unknown
    if codes.is_empty() && denies {
        return out.drop(relationship, Field::VideoRestrictionRelationship, Reason::UnknownCountry);
    }
    out.element_always("video:restriction", |out| {
        relation(relationship, Field::VideoRestrictionRelationship, out);
        if !codes.is_empty() {
            out.text_as(Mark::NONE, &codes.join(" "), None);
        }
    });
    report_whole(countries, || codes.join(" "), out);
}

/// Writes one price, if the extension can say it (A7).
fn written_price<'e>(price: &'e Price<'e>, kind: Option<&str>, google: bool, out: &mut Out<'_, 'e>) -> bool {
    let drop = |why: Reason, out: &mut Out<'_, 'e>| {
        out.drop(price, (), why);
        false
    };
    match (kind, &price.amount) {
        (Some("subscription"), _) => {
            price.walk((), &mut |seen: LeafView<'_>| {
                if seen.field != Field::VideoPriceType {
                    out.books().lost(seen.mark, Reason::VideoSitemapElement);
                }
            });
            return false;
        }
        (Some("package"), _) => return drop(Reason::NoTerm, out),
        (None, None) => return drop(Reason::IncompletePart, out),
        (Some(kind), _) if !["rent", "purchase", "own"].contains(&kind) && (google || !out.same_family()) => {
            return drop(Reason::NoTerm, out);
        }
        (_, Some(amount)) if amount.value.is_negative() => {
            return drop(Reason::NegativePrice, out);
        }
        (_, Some(_)) if google && price.currency.is_none() => {
            return drop(Reason::NoCurrency, out);
        }
        _ => (),
    }
    // values from a sitemap go back unchanged, unless Google's rules apply
    let is_strict = google || !out.same_family();
    if is_strict && price.currency.as_ref().is_some_and(|currency| !is_currency(currency)) {
        return drop(Reason::NoCurrency, out);
    }
    if is_strict && !matches!(kind, None | Some("rent" | "purchase" | "own")) {
        return drop(Reason::NoTerm, out);
    }
    let is_purchase = matches!(kind, Some("purchase" | "own"));
    out.element_of("video:price", price, |out| {
        match &price.currency {
            Some(currency) if is_currency(currency) => {
                out.attr_as("currency", currency.mark, &currency.value.to_ascii_uppercase(), None);
            }
            Some(currency) if google || !out.same_family() => {
                out.books().lost(currency.mark, Reason::NoCurrency);
            }
            currency => out.put(Field::VideoPriceCurrency, currency),
        }
        if let Some(leaf) = &price.kind {
            // without a type an amount is that of a purchase, in both vocabularies that are about
            let is_free = !out.same_family() || out.books().is_adjusted(leaf.mark);
            if is_purchase && price.amount.is_some() && is_free {
                out.books().implied(leaf.mark);
            } else if kind == Some("own") && !out.same_family() {
                out.attr_as("type", leaf.mark, "purchase", Some(Reason::UsualTerm));
            } else {
                out.attr_as("type", leaf.mark, kind.unwrap_or(&leaf.value), None);
            }
        }
        out.put(Field::VideoPriceResolution, &price.resolution);
        out.text_of(Field::VideoPriceAmount, &price.amount);
    });
    true
}

/// The kinds of videos of a show.
pub(crate) const TV_KINDS: [&str; 6] = ["full", "preview", "clip", "interview", "news", "other"];

/// A kind in the spelling that the schema has.
fn usual_kind(kind: Option<&Str<'_>>) -> Option<(Mark, &'static str)> {
    let kind = kind?;
    let word = TV_KINDS.iter().find(|word| word.eq_ignore_ascii_case(kind.value.trim()))?;
    Some((kind.mark, word))
}

pub(in crate::format) fn is_currency(code: &Str<'_>) -> bool {
    code.value.len() == 3 && code.value.bytes().all(|byte| byte.is_ascii_alphabetic())
}
