//! Chooses one value for a video sitemap where the source has several, or none: rendition, player, thumbnail, title,
//! description (rules S-V1 to S-V6, A3, A8). Nothing is written here; values not chosen are settled in the books.
//! Replacements for missing values that all targets share are elsewhere.

use std::collections::HashMap;
use std::sync::Arc;

use crate::emit::Out;
use crate::format::choice::{
    ChosenValue, DESCRIPTION, EntryTexts, GOOGLE_THUMBNAIL, PlayerChoice, TITLE, VideoSurroundings, are_labels,
    best_thumbnail, effective, effective_list, is_avatar, is_small, made_description, made_thumbnail, made_title,
    words,
};
use crate::format::contract::Setup;
use crate::format::medium::{can_be_film, is_player_at, medium_of};
use crate::format::rank::{RenditionCandidate, rank};
use crate::model::origin::Origin;
use crate::model::{Enclosure, Entry, Field, File, Leaf, LeafView, Mark, Str, Text, Thumbnail, Video, Walk};
use crate::pages::Address;
use crate::reason::Reason;
use crate::text::mime::Medium;
use crate::text::url::UrlParts;
use crate::text::{embed, url};

/// What surrounds a video that is being written.
pub(in crate::format) struct VideoContext<'e, 's> {
    /// Its entry.
    pub entry: &'e Entry<'e>,
    /// The page that is written for it.
    pub page: &'s Address<'e>,
    /// The run.
    pub setup: &'s Setup<'s>,
    /// Whether Google's rules are applied.
    pub google: bool,
    /// The places of the video's values.
    pub origin: &'s Origin<'e>,
    /// The parts of the page's URL.
    parts: UrlParts<'s>,
    /// The texts of the entry.
    texts: &'s EntryTexts,
}

impl<'e, 's> VideoContext<'e, 's> {
    pub fn new(
        entry: &'e Entry<'e>,
        page: &'s Address<'e>,
        setup: &'s Setup<'s>,
        google: bool,
        texts: &'s EntryTexts,
    ) -> VideoContext<'e, 's> {
        VideoContext { entry, page, setup, google, origin: &entry.origin, parts: UrlParts::parse(&page.url), texts }
    }
    /// The same where the entry is one of several that were joined.
    pub fn in_origin(self, origin: &'s Origin<'e>) -> VideoContext<'e, 's> {
        VideoContext { origin, ..self }
    }
    pub fn beside(&self) -> VideoSurroundings<'e, '_> {
        let (feed, options) = (self.setup.own_feed, self.setup.options);
        VideoSurroundings { entry: self.entry, page: Some(self.page), feed, options, texts: self.texts }
    }
    /// The URL of a leaf.
    pub fn address(&self, leaf: &Str<'_>) -> ChosenValue {
        ChosenValue::address(leaf, self.setup.options.iri)
    }
    fn is_page(&self, address: &str) -> bool {
        url::is_same(address, &self.page.url)
    }
    /// The player that a known platform has for a watch page (A3).
    fn player_of(&self, address: &str) -> Option<String> {
        if self.setup.options.no_rewrite {
            return None;
        }
        embed::player(address, self.parts.host()).filter(|player| !self.is_page(player))
    }
}

/// The rendition that represents a video, and the URL of its bytes.
pub(in crate::format) struct Rendition<'e> {
    /// The rendition whose values count.
    pub file: Option<&'e File<'e>>,
    /// `content_loc`.
    pub content: Option<ChosenValue>,
    /// The first rendition whose URL is that of a player, not of a file.
    pub plays: Option<&'e File<'e>>,
}

/// Why Google rejects a URL as that of a file; true if it is a player's.
pub(in crate::format) type UrlRefusal = (Reason, bool);

/// Why Google rejects the URL of this file, if it does.
pub(in crate::format) fn refusal(file: &File<'_>, address: &str, around: &VideoContext<'_, '_>) -> Option<UrlRefusal> {
    let parts = UrlParts::parse(address);
    refusal_of(file, address, &parts, parts.extension(), around)
}

/// Like [`refusal`], with the parts of the URL and its extension already known.
fn refusal_of(
    file: &File<'_>,
    address: &str,
    parts: &UrlParts<'_>,
    extension: Option<&str>,
    around: &VideoContext<'_, '_>,
) -> Option<UrlRefusal> {
    let is_fetched = |scheme: &str| ["https", "http", "ftp"].iter().any(|known| known.eq_ignore_ascii_case(scheme));
    match parts.scheme() {
        None => return Some((Reason::AbsoluteUrl, false)),
        Some(scheme) if !is_fetched(scheme) => {
            return Some((Reason::AllowedScheme, false));
        }
        Some(_) if parts.host().is_none() => {
            return Some((Reason::AbsoluteUrl, false));
        }
        Some(_) => (),
    }
    if !parts.is_elsewhere(&around.parts) && around.is_page(address) {
        return Some((Reason::SameAsPage, false));
    }
    let is_player = is_player_at(file, parts, extension);
    // a player is not fetched over ftp, as a file is
    let is_fetched = url::is_http(&url::normalize_for_sitemap(address));
    is_player.then_some(if is_fetched { (Reason::MediaFile, true) } else { (Reason::AllowedScheme, false) })
}

/// A file that may be a rendition.
struct VideoFile<'e> {
    file: &'e File<'e>,
    /// The extension of its name.
    extension: Option<&'e str>,
    refused: Option<UrlRefusal>,
}

impl<'e> VideoFile<'e> {
    fn new(file: &'e File<'e>, around: &VideoContext<'_, '_>) -> VideoFile<'e> {
        let Some(url) = &file.url else { return VideoFile { file, extension: None, refused: None } };
        let parts = UrlParts::parse(&url.value);
        let extension = parts.extension();
        let refused = around.google.then(|| refusal_of(file, &url.value, &parts, extension, around)).flatten();
        VideoFile { file, extension, refused }
    }
}

/// Chooses the rendition (A8) and settles the others.
pub(super) fn rendition<'e>(
    video: &'e Video<'e>,
    around: &VideoContext<'e, '_>,
    out: &mut Out<'_, 'e>,
) -> Rendition<'e> {
    let (mut films, mut others) = (Vec::with_capacity(video.files.len()), Vec::new());
    let family = around.setup.source.family;
    for file in &video.files {
        match medium_of(file) {
            // a sitemap means what it lists, whatever the name of the file; a page in another list of videos plays one
            medium if can_be_film(medium) || family.is_xml_sitemap() => films.push(VideoFile::new(file, around)),
            Some(Medium::Document) if family.lists_pages() => films.push(VideoFile::new(file, around)),
            _ => others.push(file),
        }
    }
    let best = best(&films, video, around);
    let refused = || films.iter().filter_map(|film| Some((film.file, film.refused?)));
    let content = best.and_then(|file| file.url.as_ref()).map(|leaf| around.address(leaf));
    let player = refused().find(|(_, (.., plays))| *plays).map(|(file, _)| file);
    let file = best.or(player).or_else(|| films.first().map(|film| film.file));
    let is_chosen = |other: &File<'_>| file.is_some_and(|file| std::ptr::eq(file, other));
    // sources of one file share the values that apply to all of them; the length of one may be that of the video
    let shared = if video.files.len() > 1 { marks(file) } else { Vec::new() };
    let length = video.duration.as_ref().map(|length| length.mark);
    let is_shared = |mark: Mark| length == Some(mark) || shared.binary_search(&mark).is_ok();
    // values of a refused file that also apply to accepted ones are not refused
    let (has_refused, fine) = (refused().next().is_some(), films.iter().filter(|film| film.refused.is_none()));
    let fine = if has_refused { marks(fine.map(|film| film.file)) } else { Vec::new() };
    let is_alone = |mark: Mark| !is_shared(mark) && fine.binary_search(&mark).is_err();
    for (other, (why, plays)) in refused() {
        if plays && best.is_none() && is_chosen(other) {
            continue;
        }
        let url = other.url.as_ref().map(|url| url.mark);
        other.walk((), &mut |seen: LeafView<'_>| {
            // the rest of what is chosen for its other values stays open
            if url == Some(seen.mark) || !is_chosen(other) && is_alone(seen.mark) {
                out.books().lost(seen.mark, why);
            }
        });
    }
    for other in others {
        out.drop(other, (), Reason::SitemapFile);
    }
    for other in films.iter().map(|film| film.file).filter(|other| !is_chosen(other)) {
        let said: Option<Arc<str>> = out.books().is_full().then(|| describe(other).into());
        repeated(other, file, video, out);
        let mut losing = out.books().losing(Reason::OtherFile, said);
        other.walk((), &mut |seen: LeafView<'_>| {
            if !is_shared(seen.mark) {
                losing.lost(seen.mark);
            }
        });
    }
    Rendition { file, content, plays: player }
}

/// The marks of the values of files, in order.
fn marks<'f, 'e: 'f>(files: impl IntoIterator<Item = &'f File<'e>>) -> Vec<Mark> {
    let mut marks = Vec::new();
    files.into_iter().for_each(|file| file.walk((), &mut |seen: LeafView<'_>| marks.push(seen.mark)));
    marks.sort_unstable();
    marks
}

/// The best rendition with a URL that is not refused.
fn best<'e>(films: &[VideoFile<'e>], video: &Video<'_>, around: &VideoContext<'e, '_>) -> Option<&'e File<'e>> {
    let mut taken = films.iter().filter(|film| film.file.url.is_some() && film.refused.is_none());
    if films.len() < 2 {
        return taken.next().map(|film| film.file);
    }
    let language = around.setup.own_feed.language.as_ref().map(Leaf::as_str);
    let rule = &around.setup.options.rendition;
    let enclosed = enclosed(video, around.entry);
    let best = taken.min_by_key(|film| {
        let url = film.file.url.as_ref().filter(|_| !enclosed.is_empty());
        let said = url.and_then(|url| enclosed.get(&*url::key(&url.value)));
        let own = RenditionCandidate::named(film.file, film.extension);
        let (kind, size) = said.map_or((None, None), |said| (said.kind.as_ref(), said.length.as_ref()));
        rank(&RenditionCandidate { kind: own.kind.or(kind), size: own.size.or(size), ..own }, rule, language)
    });
    best.map(|film| film.file)
}

/// The enclosures that name a rendition once more: they may know its type and its size (A2.4).
fn enclosed<'e>(video: &Video<'_>, entry: &'e Entry<'e>) -> HashMap<String, &'e Enclosure<'e>> {
    if video.files.len() < 2 || entry.enclosures.is_empty() {
        return HashMap::new();
    }
    let named = |enclosure: &'e Enclosure<'e>| Some((url::key(&enclosure.url.as_ref()?.value).into_owned(), enclosure));
    // the first one counts
    entry.enclosures.iter().rev().filter_map(named).collect()
}

/// Merges values of another rendition that repeat those of the chosen one.
fn repeated(other: &File<'_>, file: Option<&File<'_>>, video: &Video<'_>, out: &mut Out<'_, '_>) {
    let mut merge = |mark: Mark, with: Mark| {
        if !out.books().settled(mark) {
            out.books().merged_with(mark, with, Reason::SameValue);
        }
    };
    if let Some(media) = other.media.as_deref() {
        for level in file.and_then(|file| file.media.as_deref()).into_iter().chain([video]) {
            media.walk_shared(level, (), &mut |seen, with| merge(seen.mark, with));
        }
    }
    if let (Some(own), Some(chosen)) = (&other.url, file.and_then(|file| file.url.as_ref()))
        && own == chosen
    {
        merge(own.mark, chosen.mark);
    }
    let length = file.and_then(|file| file.duration.as_ref()).or(video.duration.as_ref());
    if let (Some(own), Some(length)) = (&other.duration, length)
        && own == length
        && own.mark != length.mark
    {
        merge(own.mark, length.mark);
    }
}

/// A rendition in a few words.
fn describe(file: &File<'_>) -> String {
    let texts = [&file.url, &file.kind].into_iter().flatten().map(|text| text.value.to_string());
    let height = file.height.as_ref().map(|height| format!("height {}", height.value));
    let words: Vec<String> = texts.chain(height).collect();
    let why = Reason::OtherFile.text();
    if words.is_empty() { why.to_owned() } else { format!("{why}; this one is {}", words.join(", ")) }
}

/// Chooses the player (S-V6, A3).
pub(in crate::format) fn player<'e>(
    video: &'e Video<'e>,
    rendition: &Rendition<'e>,
    around: &VideoContext<'e, '_>,
    out: &mut Out<'_, 'e>,
) -> Option<ChosenValue> {
    let own = effective!(video, rendition.file, player).and_then(|player| player.url.as_ref());
    if !around.google {
        return own.map(|leaf| around.address(leaf));
    }
    let is_player = |leaf: &&Str<'_>| {
        let written = url::normalize_for_sitemap(&leaf.value);
        url::is_http(&written) && !around.is_page(&written)
    };
    let embed = effective!(video, rendition.file, embed).and_then(|embed| embed.url.as_ref());
    let played = rendition.plays.and_then(|file| file.url.as_ref());
    let how = PlayerChoice {
        takes: &|leaf| is_player(&leaf),
        spelled: &|leaf| around.address(leaf),
        rewritten: &|address| around.player_of(address),
    };
    let found = how.choose([own, embed, played]).or_else(|| {
        let is_made = rendition.content.is_none() && !around.setup.options.no_synth;
        is_made.then(|| how.of_platform(video, Some(around.page))).flatten()
    });
    if let Some(leaf) = own {
        let why = if around.is_page(&leaf.value) { Reason::SameAsPage } else { Reason::AbsoluteUrl };
        let why =
            if why == Reason::AbsoluteUrl && url::scheme(&leaf.value).is_some() { Reason::AllowedScheme } else { why };
        if found.as_ref().is_none_or(|found| found.mark != leaf.mark) {
            out.books().lost(leaf.mark, why);
        }
    }
    if let Some(leaf) = embed.filter(|leaf| url::scheme(&leaf.value).is_none())
        && found.as_ref().is_none_or(|found| found.mark != leaf.mark)
    {
        out.books().lost(leaf.mark, Reason::AbsoluteUrl);
    }
    found
}

/// Why a video without a playable URL is dropped, and which option would help.
pub(super) fn not_played<'e>(video: &'e Video<'e>, rendition: &Rendition<'e>) -> Reason {
    let player = effective!(video, rendition.file, player).and_then(|player| player.url.as_ref());
    let embed = effective!(video, rendition.file, embed).and_then(|embed| embed.url.as_ref());
    let mut all = video.files.iter().filter_map(|file| file.url.as_ref()).chain(player).chain(embed);
    match all.any(|url| url::scheme(&url.value).is_none()) {
        true => Reason::RelativeUrl,
        false => Reason::NotPlayable,
    }
}

/// Chooses the thumbnail (S-V1) and settles the others.
pub(super) fn thumbnail<'e>(
    video: &'e Video<'e>,
    rendition: &Rendition<'e>,
    around: &VideoContext<'e, '_>,
    out: &mut Out<'_, 'e>,
) -> Option<ChosenValue> {
    let all = effective_list!(video, rendition.file, thumbnails);
    let usable = |thumbnail: &&Thumbnail<'_>| {
        let url = thumbnail.url.as_ref();
        url.is_some_and(|url| !around.google || url::is_http(&url::normalize_for_sitemap(&url.value)))
    };
    let large = |thumbnail: &&Thumbnail<'_>| !around.google || !is_small(thumbnail, GOOGLE_THUMBNAIL);
    let shows = |thumbnail: &&Thumbnail<'_>| out.same_family() || !is_portrait(thumbnail);
    let candidates: Vec<_> = all.iter().filter(usable).filter(large).filter(shows).collect();
    let best = best_thumbnail(&candidates, around.setup.options.thumbnail);
    for other in all.iter().filter(|other| !best.is_some_and(|best| std::ptr::eq(best, *other))) {
        let why = match (is_portrait(other), around.google && is_small(other, GOOGLE_THUMBNAIL)) {
            (true, _) => Reason::AvatarImage,
            (_, true) => Reason::UnderThumbnailSize,
            _ => Reason::OtherThumbnail,
        };
        out.drop(other, (), why);
    }
    let own = best.and_then(|best| best.url.as_ref()).map(|leaf| around.address(leaf));
    own.or_else(|| made_thumbnail(video, rendition.file, &around.beside()))
}

fn is_portrait(thumbnail: &Thumbnail<'_>) -> bool {
    thumbnail.url.as_ref().is_some_and(|url| is_avatar(&url.value))
}

/// The video's own title: that of its rendition, unless that is the label of a file.
pub(super) fn own_title<'e>(
    video: &'e Video<'e>,
    rendition: &Rendition<'e>,
    entry: &Entry<'_>,
) -> Option<&'e Text<'e>> {
    let title = effective!(video, rendition.file, title);
    let of_item = entry.media.as_deref().and_then(|media| media.title.as_ref()).or(entry.title.as_ref());
    let labels = are_labels(&video.files, video.title.as_ref(), video.group, of_item);
    if labels { video.title.as_ref() } else { title }
}

/// Chooses the title (S-V2).
pub(super) fn title<'e>(
    video: &'e Video<'e>,
    rendition: &Rendition<'e>,
    around: &VideoContext<'e, '_>,
    out: &mut Out<'_, 'e>,
) -> Option<ChosenValue> {
    let label = effective!(video, rendition.file, title);
    let picked = words(own_title(video, rendition, around.entry)).or_else(|| {
        // a label is better than what was never meant for a title
        let made = made_title(rendition.file, &around.beside());
        let (title, other) = if made.as_ref().is_some_and(|made| !made.derived) { (made, None) } else { (None, made) };
        title.or_else(|| words(label)).or(other)
    });
    if let Some(label) = label.filter(|label| picked.as_ref().is_some_and(|picked| picked.mark != label.value.mark)) {
        out.drop(label, Field::VideoTitle, Reason::NoLabel);
    }
    let mut picked = picked?;
    if around.setup.options.fit_titles {
        picked.cut(TITLE, Reason::LongTitle);
    }
    Some(picked)
}

/// Chooses the description (S-V3) and cuts it (S-V8).
pub(super) fn description<'e>(
    video: &'e Video<'e>,
    rendition: &Rendition<'e>,
    around: &VideoContext<'e, '_>,
    title: Option<&ChosenValue>,
    out: &mut Out<'_, 'e>,
) -> Option<ChosenValue> {
    let own = words(effective!(video, rendition.file, description));
    let mut picked = own.or_else(|| made_description(title, &around.beside()))?;
    let of_episode = around.entry.module("itunes:summary").and_then(|module| module.value.as_ref());
    if picked.made.is_some() && of_episode.is_some_and(|summary| summary.mark == picked.mark) {
        out.drop(&around.entry.summary, Field::Summary, Reason::OtherValue);
    }
    picked.cut(DESCRIPTION, Reason::LongDescription);
    Some(picked)
}
