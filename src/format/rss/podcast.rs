//! The elements of podcasts in RSS: those of iTunes and of Podcasting 2.0, for values that came from other elements. What
//! was read from elements of podcasts goes back into them as it was; that is not decided here.

use std::collections::{HashMap, HashSet};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::files::{first_stays, rank_as_enclosure};
use super::item::{RssItem, episode_files, is_episode, is_sound, named_license};
use super::words::as_plain;
use crate::emit::Out;
use crate::fate::Fate;
use crate::format::audience::{age_fitness, leaves_of};
use crate::format::choice::is_avatar;
use crate::format::medium::{is_film, of_page};
use crate::format::ns::media;
use crate::model::{
    Category, Decimal, Enclosure, Entry, FeedImage, Field, File, Foreign, Hash, Leaf, LeafView, Mark, Seconds, Str,
    TextKind, Video, Walk,
};
use crate::reason::{Reason, ValueChange};
use crate::text::{byte_of_hex, bytes, mime, url};
use crate::xml::names::Ns;

/// The fate table of `rss-podcast`: that of RSS, and what podcasts have elements for besides.
pub fn fate(field: Field) -> Fate {
    use Fate::{Lost, Native, Near};
    match field {
        Field::FeedOwnerName => Native("itunes:owner/itunes:name"),
        Field::FeedOwnerEmail => Native("itunes:owner/itunes:email"),
        Field::FeedExplicit => Native("itunes:explicit"),
        Field::ImageLoc => Native("itunes:image@href"),
        Field::VideoThumbnailUrl => Native("podcast:image@href"),
        Field::VideoThumbnailWidth => Native("podcast:image@width"),
        Field::VideoThumbnailHeight => Native("podcast:image@height"),
        Field::VideoFileHeight => Native("podcast:alternateEnclosure@height"),
        Field::VideoFileBitrate => Native("podcast:alternateEnclosure@bitrate"),
        Field::VideoFileCodecs => Native("podcast:alternateEnclosure@codecs"),
        Field::VideoFileLang => Native("podcast:alternateEnclosure@lang"),
        Field::VideoFileTitle => Native("podcast:alternateEnclosure@title"),
        Field::VideoFileIsDefault => Native("podcast:alternateEnclosure@default"),
        Field::VideoHashValue | Field::VideoHashAlgo => Native("podcast:integrity@value"),
        Field::VideoDuration | Field::VideoFileDuration => Native("itunes:duration"),
        Field::VideoFamilyFriendly => Near("itunes:explicit", Reason::OtherElement),
        Field::VideoRatingsValue | Field::VideoRatingsScheme | Field::VideoAdult => {
            Near("itunes:explicit", Reason::UsualTerm)
        }
        Field::VideoUploaderName => Near("itunes:author", Reason::UsedAsAuthor),
        Field::VideoTag => Native("itunes:keywords"),
        Field::VideoTvSeason => Native("itunes:season"),
        Field::VideoTvEpisode => Native("itunes:episode"),
        Field::VideoCreditName => Native("podcast:person"),
        Field::VideoCreditRole => Native("podcast:person@role"),
        Field::VideoCreditScheme => Lost(Reason::RssAttribute),
        Field::VideoLicenseText => Native("podcast:license"),
        Field::VideoLicenseHref => Native("podcast:license@url"),
        Field::VideoSubtitleHref => Native("podcast:transcript@url"),
        Field::VideoSubtitleType => Native("podcast:transcript@type"),
        Field::VideoSubtitleLang => Native("podcast:transcript@language"),
        Field::VideoLocationDescription => Native("podcast:location"),
        Field::VideoLocationPoint => Native("podcast:location@geo"),
        field => match super::fate::fate(field) {
            Lost(Reason::RssVideo | Reason::RssThumbnail) => Lost(Reason::PodcastElement),
            fate => fate,
        },
    }
}

// --- the channel ---

/// Writes a category of Apple's list as `itunes:category`; false for other categories.
pub fn write_category(category: &Category<'_>, out: &mut Out<'_, '_>) -> bool {
    let (Some(term), Some(scheme)) = (&category.term, &category.scheme) else { return false };
    if scheme.value != Ns::Itunes.uri() {
        return false;
    }
    out.element_at("itunes:category", term.mark, |out| out.attr_as("text", term.mark, &term.value, None));
    out.books().kept(scheme.mark);
    true
}

/// Writes the image of a channel from another family where Apple reads it. False if RSS's own element must hold it
/// too, for the values that iTunes has no attribute for.
pub fn write_artwork(image: &FeedImage<'_>, out: &mut Out<'_, '_>) -> bool {
    let Some(address) = image.url.as_ref().filter(|_| !out.same_family()) else { return false };
    out.leftover(|out| {
        out.element_always("itunes:image", |out| out.attr_as("href", address.mark, &address.value, None));
    });
    let FeedImage { url: _, title, link, width, height, description } = image;
    let more = title.is_some() || link.is_some() || description.is_some();
    !(more || width.is_some() || height.is_some())
}

// --- items ---

/// Whether the tags of the item's video become its keywords: readers take the first `itunes:keywords` only.
pub fn writes_keywords(item: &RssItem<'_, '_>) -> bool {
    let is_episode = item.only().is_some_and(is_episode) || item.values_of_file().is_some();
    item.podcast() && is_episode && item.entry.module("itunes:keywords").is_none()
}

/// Whether this tag of the video is a keyword of the item: neither the list nor one of its words can hold every sign.
pub fn is_keyword(tag: &Str<'_>, video: &Video<'_>) -> bool {
    let splits = tag.value.contains(',') || video.tags.len() == 1 && tag.value.contains(';');
    !splits && tag.via.is_none()
}

/// Writes what the elements of podcasts hold of the item's only video, if it has a file.
pub fn write<'e>(item: &RssItem<'_, 'e>, out: &mut Out<'_, 'e>) {
    let holds = item.podcast() && !item.carry.holds();
    if holds {
        length_of_file(item, out);
        let levels = MediaLevels::of_page(item.entry);
        if let Some(levels) = &levels {
            out.leftover(|out| explicit(levels, item.entry, out));
        }
        if let Some(page) = of_page(item.entry) {
            if levels.is_none() {
                let Video { ratings, adult, family_friendly, .. } = page;
                out.drop(ratings, (), Reason::EpisodeFile);
                out.drop(adult, Field::VideoAdult, Reason::EpisodeFile);
                out.drop(family_friendly, Field::VideoFamilyFriendly, Reason::EpisodeFile);
            }
            thumbnails(page, item, out);
            subtitles(page, item.entry, out);
            credits(page, out);
        }
        if let Some(values) = item.values_of_file() {
            write_values_of_file(values, item, out);
        }
    }
    let Some(video) = item.only().filter(|video| holds && is_episode(video)) else { return };
    out.leftover(|out| {
        let films = || episode_files(video);
        let is_other =
            |file: &File<'_>| !out.same_family() || file.url.as_ref().is_none_or(|url| url.via != Some(Ns::Rss2));
        let first_stays = first_stays(item) || is_sound(video);
        let ranked =
            films().filter_map(|file| Some((is_other(file), rank_as_enclosure(file, first_stays, item.setup)?, file)));
        let enclosed = ranked.min_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1))).map(|(.., file)| file);
        let own = enclosed.and_then(|file| file.duration.as_ref()).or(video.duration.as_ref());
        if let Some(duration) = own.or_else(|| films().find_map(|file| file.duration.as_ref())) {
            write_duration(duration, item.entry, out);
            for other in films().filter_map(|file| file.duration.as_ref()).chain(&video.duration) {
                match other.value == duration.value {
                    _ if other.mark == duration.mark || out.books().settled(other.mark) => (),
                    true => out.books().merged_with(other.mark, duration.mark, Reason::SameValue),
                    false => out.books().lost(other.mark, Reason::OtherValue),
                }
            }
        }
        explicit(&MediaLevels::of_video(video), item.entry, out);
        keywords(item, video, out);
        if let Some(tv) = &video.tv {
            for (name, number) in [("itunes:season", &tv.season), ("itunes:episode", &tv.episode)] {
                if let Some(number) = number {
                    once(name, number.mark, &number.value.to_string(), None, item.entry, out);
                }
            }
        }
    });
    write_description(video, item, out);
    for hash in &video.hashes {
        let why = match subresource_algorithm(hash) {
            None => Reason::NoTerm,
            Some(_) if subresource_integrity(hash).is_none() => Reason::InvalidValue,
            Some(_) if is_sound(video) => Reason::PodcastElement,
            Some(_) if !has_one_film(video) => Reason::SeveralFiles,
            Some(_) => Reason::OtherValue,
        };
        out.drop(hash, (), why);
    }
}

/// What Media RSS gives for the file of an episode without a video.
fn write_values_of_file<'e>(values: &'e Video<'e>, item: &RssItem<'_, 'e>, out: &mut Out<'_, 'e>) {
    out.leftover(|out| keywords(item, values, out));
    write_description(values, item, out);
    if item.entry.title.is_some() {
        out.drop(&values.title, Field::VideoTitle, Reason::ItemValue);
    }
    if !item.writes_description() {
        out.drop(&values.description, Field::VideoDescription, Reason::ItemValue);
    }
}

/// The elements that describe an episode.
fn write_description<'e>(video: &'e Video<'e>, item: &RssItem<'_, 'e>, out: &mut Out<'_, 'e>) {
    thumbnails(video, item, out);
    subtitles(video, item.entry, out);
    credits(video, out);
    license(video, out);
    locations(video, out);
}

/// Whether a file plays, by its type or by its name.
pub fn plays(url: &Str<'_>, kind: Option<&Str<'_>>) -> bool {
    let medium = kind.and_then(|kind| mime::medium_of_type(&kind.value)).or_else(|| mime::medium_of_url(&url.value));
    matches!(medium, Some(mime::Medium::Video | mime::Medium::Audio))
}

/// The file of an episode without a video: the only one, or the first that plays.
pub fn episode_file<'e, 'a>(entry: &'e Entry<'a>) -> Option<&'e Enclosure<'a>> {
    match entry.enclosures.as_slice() {
        _ if !entry.videos.is_empty() => None,
        [only] => Some(only),
        files => files.iter().find(|file| is_episode_file(file)),
    }
}

/// The length of an episode without a video is that of its file.
fn length_of_file(item: &RssItem<'_, '_>, out: &mut Out<'_, '_>) {
    let chosen = episode_file(item.entry);
    for file in &item.entry.enclosures {
        let Some(duration) = file.file.as_ref().and_then(|file| file.duration.as_ref()) else { continue };
        match chosen.is_some_and(|chosen| std::ptr::eq(chosen, file)) {
            true => out.leftover(|out| write_duration(duration, item.entry, out)),
            false => out.books().lost(duration.mark, Reason::RssAttribute),
        }
    }
}

fn write_duration(duration: &Leaf<Seconds>, entry: &Entry<'_>, out: &mut Out<'_, '_>) {
    let whole = duration.value.whole().to_string();
    let change = (!duration.value.is_whole()).then_some(Reason::RoundedNumber);
    once("itunes:duration", duration.mark, &whole, change, entry, out);
}

/// Writes an element that an item has once, unless it goes back into the item as it was.
fn once(name: &str, mark: Mark, text: &str, change: ValueChange, entry: &Entry<'_>, out: &mut Out<'_, '_>) {
    match entry.module(name) {
        None => out.elem_as(name, mark, text, change),
        Some(module) => {
            let is_same = module.value.as_ref().is_some_and(|given| given.value.trim() == text);
            match is_same {
                true => out.books().merged(mark, Reason::SameValue),
                false => out.books().lost(mark, Reason::ItemValue),
            }
        }
    }
}

/// Whether an episode is explicit in one of its files (A10): a grade that decides nothing blocks a no.
fn explicit(levels: &MediaLevels<'_, '_>, entry: &Entry<'_>, out: &mut Out<'_, '_>) {
    let own = levels.effective(|level| level.family_friendly.is_some());
    let adults = levels.effective(|level| level.adult.is_some());
    let graded = levels.effective(|level| !level.ratings.is_empty());
    let grades = graded.flat_map(|level| &level.ratings).filter(|rating| rating.value.is_some());
    let mut said: Vec<Option<bool>> = grades.map(age_fitness).collect();
    said.extend(adults.filter_map(|level| level.adult.as_ref()).map(|adult| Some(!adult.value)));
    said.extend(own.filter_map(|level| level.family_friendly.as_ref()).map(|own| Some(own.value)));
    let denied = said.contains(&Some(false));
    let decided = denied || !said.is_empty() && !said.contains(&None);
    let is_free = entry.module("itunes:explicit").is_none();
    let word = if denied { "true" } else { "false" };
    if decided && is_free {
        out.elem_as("itunes:explicit", Mark::NONE, word, None);
    }
    let mut settle = |mark: Mark, fits: Option<bool>, why: Reason| match fits {
        _ if !is_free => out.books().lost(mark, Reason::ItemValue),
        None => out.books().lost(mark, Reason::NoTerm),
        Some(_) if !decided => out.books().lost(mark, Reason::NoTerm),
        Some(fits) if fits == denied => out.books().lost(mark, Reason::OtherValue),
        Some(_) => out.books().changed(mark, why, word.to_owned()),
    };
    for level in levels.all() {
        for rating in &level.ratings {
            let fits = age_fitness(rating);
            leaves_of(rating).for_each(|leaf| settle(leaf.mark, fits, Reason::UsualTerm));
        }
        if let Some(adult) = &level.adult {
            settle(adult.mark, Some(!adult.value), Reason::UsualTerm);
        }
        if let Some(own) = &level.family_friendly {
            settle(own.mark, Some(own.value), Reason::OtherElement);
        }
    }
}

/// The values of an episode, and those of each of its files.
struct MediaLevels<'v, 'e> {
    shared: Option<&'v Video<'e>>,
    files: Vec<&'v Video<'e>>,
    /// The values of a file, for each that is the episode.
    own: Vec<Option<&'v Video<'e>>>,
}

impl<'v, 'e> MediaLevels<'v, 'e> {
    fn of_video(video: &'v Video<'e>) -> MediaLevels<'v, 'e> {
        let films = episode_files(video);
        MediaLevels {
            shared: Some(video),
            files: video.files.iter().filter_map(|file| file.media.as_deref()).collect(),
            own: films.map(|film| film.media.as_deref()).collect(),
        }
    }

    /// Those of an episode without a video, if it has a file.
    fn of_page(entry: &'v Entry<'e>) -> Option<MediaLevels<'v, 'e>> {
        let own: Vec<Option<&Video<'_>>> = match entry.videos.is_empty() {
            true => entry.enclosures.iter().filter(|file| is_episode_file(file)).map(own_values).collect(),
            false => Vec::new(),
        };
        let files = own.iter().flatten().copied().collect();
        (!own.is_empty()).then_some(MediaLevels { shared: entry.media.as_deref(), files, own })
    }

    fn all(&self) -> impl Iterator<Item = &'v Video<'e>> {
        self.shared.into_iter().chain(self.files.iter().copied())
    }

    /// Those that a value is in effect from: not the shared ones where each file of the episode has the value itself (A1).
    fn effective(&self, has: fn(&Video<'e>) -> bool) -> impl Iterator<Item = &'v Video<'e>> {
        let is_hidden = self.own.iter().all(|own| own.is_some_and(has));
        self.shared.filter(|_| !is_hidden).into_iter().chain(self.files.iter().copied())
    }
}

/// What a file has itself of Media RSS.
fn own_values<'v, 'e>(file: &'v Enclosure<'e>) -> Option<&'v Video<'e>> {
    file.file.as_ref().and_then(|file| file.media.as_deref())
}

/// Whether a file can be an episode.
fn is_episode_file(file: &Enclosure<'_>) -> bool {
    file.url.as_ref().is_some_and(|url| plays(url, file.kind.as_ref()))
}

/// Tags as the keywords of the item. Those that it cannot hold are categories ([`is_keyword`]).
fn keywords(item: &RssItem<'_, '_>, video: &Video<'_>, out: &mut Out<'_, '_>) {
    if !writes_keywords(item) {
        return;
    }
    let mut known = HashSet::new();
    let mut is_new = |tag: &Str<'_>| out.same_family() || known.insert(tag.value.to_lowercase());
    let (tags, repeated): (Vec<&Str<'_>>, Vec<_>) =
        video.tags.iter().filter(|tag| is_keyword(tag, video)).partition(|tag| is_new(tag));
    for tag in repeated {
        out.books().merged(tag.mark, Reason::SameValue);
    }
    if tags.is_empty() {
        return;
    }
    let text: Vec<&str> = tags.iter().map(|tag| tag.as_str()).collect();
    out.elem_as("itunes:keywords", Mark::NONE, &text.join(", "), None);
    for tag in tags {
        out.books().kept_as(tag.mark, || tag.value.to_string());
    }
}

/// Thumbnails as the posters of the video or the page, each once.
fn thumbnails(video: &Video<'_>, item: &RssItem<'_, '_>, out: &mut Out<'_, '_>) {
    let mut known = HashSet::new();
    for thumbnail in MediaLevels::of_video(video).all().flat_map(|level| &level.thumbnails) {
        let Some(address) = &thumbnail.url else {
            out.drop(thumbnail, (), Reason::NoUrl);
            continue;
        };
        if item.setup.source.id != item.setup.target.id && is_avatar(&address.value) {
            out.drop(thumbnail, (), Reason::AvatarImage);
            continue;
        }
        if !known.insert(url::key(&address.value)) {
            out.books().merged(address.mark, Reason::SameValue);
            out.drop(thumbnail, (), Reason::OtherThumbnail);
            continue;
        }
        out.element_always("podcast:image", |out| {
            out.attr_as("href", address.mark, &address.value, None);
            out.constant("purpose", "poster");
            for (name, size) in [("width", &thumbnail.width), ("height", &thumbnail.height)] {
                if let Some(size) = size {
                    out.attr_as(name, size.mark, &size.value.to_string(), None);
                }
            }
        });
    }
}

/// Files of subtitles as transcripts. One that was a transcript has the `rel` that it had.
fn subtitles(video: &Video<'_>, entry: &Entry<'_>, out: &mut Out<'_, '_>) {
    let transcripts = if video.subtitles.is_empty() { HashMap::new() } else { transcripts(entry) };
    for subtitle in &video.subtitles {
        let Some(address) = &subtitle.href else {
            out.drop(subtitle, (), Reason::NoUrl);
            continue;
        };
        out.element_at("podcast:transcript", address.mark, |out| {
            out.attr_as("url", address.mark, &address.value, None);
            match transcripts.get(&address.mark) {
                Some(Some(rel)) => out.attr_as("rel", rel.mark, &rel.value, None),
                Some(None) => (),
                None => out.constant("rel", "captions"),
            }
            let by_name = url::extension(&address.value).and_then(mime::by_extension);
            match (&subtitle.kind, by_name) {
                (Some(kind), _) => out.attr_as("type", kind.mark, &kind.value, None),
                (None, Some(kind)) => {
                    let from = Some(address.mark);
                    out.make_attr("type", Field::VideoSubtitleType, Reason::GeneratedType, from, kind);
                }
                (None, None) => (),
            }
            if let Some(lang) = &subtitle.lang {
                out.attr_as("language", lang.mark, &lang.value, None);
            }
        });
    }
}

/// The `rel` of each transcript of the source, by the mark of its URL.
fn transcripts<'e>(entry: &'e Entry<'e>) -> HashMap<Mark, Option<&'e Str<'e>>> {
    let attributes = || {
        entry.foreign.iter().filter_map(|item| {
            let (element, name) = item.path.rsplit_once("/@")?;
            Some((element, name, item.value.as_ref().filter(|value| value.mark.is_some())?))
        })
    };
    let of_elements: HashMap<&str, &Str<'_>> =
        attributes().filter(|(_, name, _)| *name == "rel").map(|(element, _, rel)| (element, rel)).collect();
    let is_transcript = |item: &&Foreign<'_>| &*item.name == "transcript" && &*item.ns == Ns::Podcast.uri();
    let elements: HashSet<&str> = entry.foreign.iter().filter(is_transcript).map(|item| &*item.path).collect();
    let urls = attributes().filter(|(element, name, _)| *name == "url" && elements.contains(element));
    urls.map(|(element, _, url)| (url.mark, of_elements.get(element).copied())).collect()
}

/// Those who took part.
fn credits(video: &Video<'_>, out: &mut Out<'_, '_>) {
    for credit in &video.credits {
        let Some(name) = credit.name.as_ref().filter(|name| !bytes::trimmed(&name.value).is_empty()) else {
            out.drop(credit, (), Reason::NoText);
            continue;
        };
        out.element_at("podcast:person", name.mark, |out| {
            if let Some(role) = &credit.role {
                out.attr_as("role", role.mark, &role.value, None);
            }
            out.text_as(name.mark, &name.value, None);
        });
    }
}

fn license(video: &Video<'_>, out: &mut Out<'_, '_>) {
    let named = named_license(video);
    for (number, license) in video.license.iter().enumerate() {
        let name = license.text.as_ref().filter(|_| named == Some(number));
        let Some(name) = name else {
            out.drop(&license.text, Field::VideoLicenseText, Reason::OtherValue);
            continue;
        };
        out.element_at("podcast:license", name.mark, |out| {
            if let Some(address) = &license.href {
                out.attr_as("url", address.mark, &address.value, None);
            }
            out.text_as(name.mark, &name.value, None);
        });
    }
}

/// Places with a name, which the element requires.
fn locations(video: &Video<'_>, out: &mut Out<'_, '_>) {
    for place in &video.location {
        let name = place.description.as_ref().filter(|name| !bytes::trimmed(&name.value).is_empty());
        let Some(name) = name else {
            out.drop(&place.description, Field::VideoLocationDescription, Reason::NoText);
            out.drop(&place.point, Field::VideoLocationPoint, Reason::NoText);
            continue;
        };
        out.element_always("podcast:location", |out| {
            if let Some(point) = &place.point {
                match geo(&point.value) {
                    Some(geo) => out.attr_as("geo", point.mark, &geo, None),
                    None => out.books().lost(point.mark, Reason::NoTerm),
                }
            }
            out.text_as(name.mark, &name.value, None);
        });
    }
}

/// "latitude longitude" as a URI (RFC 5870).
fn geo(point: &str) -> Option<String> {
    let mut numbers = point.split_whitespace();
    let (latitude, longitude) = (numbers.next()?, numbers.next()?);
    let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    let whole = numbers.next().is_none() && is_number(latitude) && is_number(longitude);
    whole.then(|| format!("geo:{latitude},{longitude}"))
}

// --- files ---

/// Whether a video has one film, so that a checksum of the video is that of this file (A1.5).
pub fn has_one_film(video: &Video<'_>) -> bool {
    video.files.iter().filter(|file| is_film(file)).take(2).count() == 1
}

/// The checksum of a file that podcasts can state: of an algorithm of Subresource Integrity, as it is written there.
fn integrity<'v, 'e>(file: &'v File<'e>, video: &'v Video<'e>, alone: bool) -> Option<(&'v Hash<'e>, String)> {
    let shared = video.hashes.iter().filter(|_| alone && is_film(file));
    let own = file.media.iter().flat_map(|media| &media.hashes);
    own.chain(shared).find_map(|hash| Some((hash, subresource_integrity(hash)?)))
}

/// The name of an algorithm of Subresource Integrity, and the length of its digests in bytes.
fn subresource_algorithm(hash: &Hash<'_>) -> Option<(&'static str, usize)> {
    let algo = hash.algo.as_ref()?.value.to_ascii_lowercase().replace('-', "");
    [("sha256", 32), ("sha384", 48), ("sha512", 64)].into_iter().find(|(name, _)| *name == algo)
}

fn subresource_integrity(hash: &Hash<'_>) -> Option<String> {
    let (algo, length) = subresource_algorithm(hash)?;
    let digits = bytes::trimmed(&hash.value.as_ref()?.value);
    let pairs = digits.as_bytes().chunks(2);
    let binary: Option<Vec<u8>> = pairs.map(byte_of_hex).collect();
    let binary = binary.filter(|binary| binary.len() == length && digits.len() == 2 * length)?;
    Some(format!("{algo}-{}", STANDARD.encode(binary)))
}

/// Whether a file has values that an enclosure has no attribute for; `alone` if the video [has one film](has_one_film).
pub fn has_details(file: &File<'_>, video: &Video<'_>, alone: bool) -> bool {
    let File { height, bitrate, codecs, lang, title, .. } = file;
    height.is_some()
        || bitrate.is_some()
        || codecs.is_some()
        || lang.is_some()
        || title.is_some()
        || label(file).is_some()
        || integrity(file, video, alone).is_some()
}

/// The title of a rendition alone, which distinguishes it from the others.
fn label<'v, 'e>(file: &'v File<'e>) -> Option<&'v crate::model::Text<'e>> {
    file.media.as_ref()?.title.as_ref()
}

/// A file with what is made of its type.
pub struct AlternateFile<'v, 'e> {
    /// The file itself.
    pub file: &'v File<'e>,
    /// Its URL.
    pub url: &'v Str<'e>,
    /// Its type, and how it was made if it was.
    pub kind: Result<&'v Str<'e>, (&'static str, Reason)>,
    /// Its size.
    pub size: Option<&'v Leaf<u64>>,
    /// Its language.
    pub lang: Option<&'v Str<'e>>,
    /// Its title.
    pub title: Option<&'v Str<'e>>,
    /// It is the enclosure too.
    pub is_enclosure: bool,
    /// It is the enclosure of the source, which goes back as it came.
    pub back: bool,
    /// Its video has one film.
    pub alone: bool,
}

/// Writes a file of the item's only video with all that podcasts say of files.
pub fn write_file(of: &AlternateFile<'_, '_>, video: &Video<'_>, out: &mut Out<'_, '_>) {
    let AlternateFile { file, url, kind, size, lang, title, is_enclosure, back, alone } = of;
    out.element_at("podcast:alternateEnclosure", url.mark, |out| {
        match kind {
            Ok(kind) => out.attr_as("type", kind.mark, &kind.value, None),
            // the enclosure has the same, which was reported there
            Err((kind, _)) if *is_enclosure && !back => out.constant("type", kind),
            Err((kind, why)) => out.make_attr("type", Field::VideoFileType, *why, Some(url.mark), kind),
        }
        if let Some(size) = size {
            out.attr_as("length", size.mark, &size.value.to_string(), None);
        }
        if let Some(rate) = &file.bitrate {
            match bits(&rate.value) {
                // the source has bits, too
                Some(bits) if out.same_family() && out.books().adjustment(rate.mark) == Some(Reason::UsualUnit) => {
                    out.attr_as("bitrate", Mark::NONE, &bits, None);
                    out.books().verbatim(rate.mark, &bits);
                }
                Some(bits) => out.attr_as("bitrate", rate.mark, &bits, Some(Reason::UsualUnit)),
                None => out.books().lost(rate.mark, Reason::NoTerm),
            }
        }
        if let Some(height) = &file.height {
            out.attr_as("height", height.mark, &height.value.to_string(), None);
        }
        if let Some(lang) = lang {
            out.attr_as("lang", lang.mark, &lang.value, None);
        }
        match (title, label(file)) {
            (Some(title), _) => out.attr_as("title", title.mark, &title.value, None),
            (None, Some(label)) => {
                let change = (label.kind != TextKind::Plain).then_some(Reason::AsPlainText);
                let (text, _) = as_plain(out, label, Some(Reason::AsPlainText));
                out.attr_as("title", label.value.mark, &text, change);
            }
            (None, None) => (),
        }
        if let Some(codecs) = &file.codecs {
            out.attr_as("codecs", codecs.mark, &codecs.value, None);
        }
        match &file.is_default {
            Some(said) if said.value == *is_enclosure => {
                out.attr_as("default", said.mark, if said.value { "true" } else { "false" }, None);
            }
            // the attribute is for whether the file is the enclosure
            Some(said) => {
                let why = if said.value { Reason::OtherFile } else { Reason::SameAsDefault };
                out.books().lost(said.mark, why);
            }
            None => (),
        }
        out.element_always("podcast:source", |out| out.attr_as("uri", url.mark, &url.value, None));
        if let Some((hash, value)) = integrity(file, video, *alone) {
            out.element_always("podcast:integrity", |out| {
                out.constant("type", "sri");
                out.attr_as("value", hash.value.as_ref().map_or(Mark::NONE, |leaf| leaf.mark), &value, None);
            });
            if let Some(algo) = &hash.algo {
                out.books().kept_as(algo.mark, || value.clone());
            }
        }
    });
}

/// Settles what only that element has of a file, where the element lacks its type.
pub fn drop_details(file: &File<'_>, out: &mut Out<'_, '_>) {
    out.drop(&file.height, Field::VideoFileHeight, Reason::IncompletePart);
    out.drop(&file.bitrate, Field::VideoFileBitrate, Reason::IncompletePart);
    out.drop(&file.codecs, Field::VideoFileCodecs, Reason::IncompletePart);
    out.drop(&file.is_default, Field::VideoFileIsDefault, Reason::IncompletePart);
}

/// Kilobits as bits.
fn bits(rate: &Decimal<'_>) -> Option<String> {
    let bits = Decimal::from_scaled(rate.scaled(6)?, 3)?;
    Some(bits.as_str().trim_end_matches('0').trim_end_matches('.').to_owned())
}

// --- what is left ---

/// Whether a value that Media RSS has a place for is not written.
pub fn leaves_any(item: &RssItem<'_, '_>, out: &mut Out<'_, '_>) -> bool {
    let mut any = false;
    // terms of the item go back by themselves
    let mut terms = Vec::new();
    if let Some(media) = item.entry.media.as_deref().filter(|_| out.same_family()) {
        media.available.walk((), &mut |seen| terms.push(seen.mark));
        terms.extend(media.live.as_ref().map(|live| live.mark));
    }
    let mut look = |seen: LeafView<'_>| {
        let may_be =
            super::fate::fate_media(seen.field).name().is_some() && seen.mark.is_some() && !seen.mark.of_feed();
        any |= may_be && !terms.contains(&seen.mark) && !out.books().written(seen.mark);
    };
    item.videos.iter().for_each(|video| video.walk((), &mut look));
    item.entry.media.walk((), &mut look);
    item.share.pictures(item.entry).iter().for_each(|image| image.walk((), &mut look));
    // Media RSS has no content for what other formats say of a file without a URL
    let has_content = |file: &&Enclosure<'_>| file.url.is_some() || media::is_media_enclosure(file);
    item.share.enclosures(item.entry).filter(has_content).for_each(|file| file.walk((), &mut look));
    any
}

/// Settles what podcasts have elements for, but not here: values of several videos in one item, and of levels and files
/// that are not written with all their values.
pub fn settle<'e>(item: &RssItem<'_, 'e>, out: &mut Out<'_, 'e>) {
    if !item.podcast() || item.carry.holds() {
        return;
    }
    let several = !item.split && item.only().is_none();
    let mut left = |seen: LeafView<'_>, why: Reason| {
        let own = fate(seen.field).name().is_some() && super::fate::fate(seen.field).name().is_none();
        if own && !out.books().settled(seen.mark) {
            out.books().lost(seen.mark, why);
        }
    };
    for video in &item.entry.videos {
        if several {
            video.walk((), &mut |seen| left(seen, Reason::RssOneVideo));
        } else if !is_episode(video) {
            video.walk((), &mut |seen| left(seen, Reason::EpisodeFile));
        }
        video.files.walk((), &mut |seen| left(seen, Reason::RssAttribute));
    }
    item.entry.media.walk((), &mut |seen| left(seen, Reason::PodcastElement));
    item.entry.enclosures.walk((), &mut |seen| left(seen, Reason::RssAttribute));
    item.entry.images.walk((), &mut |seen| left(seen, Reason::RssAttribute));
}
