//! What a video sitemap says of a video where it has room for one value and the source has several, or none:
//! rendition, player, thumbnail, title, description (rules S-V1 to S-V6, A3, A8). Nothing is written here; what a
//! choice leaves out is settled in the books. What stands in for a missing value, in any target, is not chosen here.

use std::collections::HashMap;
use std::sync::Arc;

use crate::code::Code;
use crate::emit::Out;
use crate::format::Setup;
use crate::format::choice::{
    Beside, DESCRIPTION, LONG_DESCRIPTION, Picked, TITLE, effective, effective_list, is_film, is_picture,
    made_description, made_thumbnail, made_title, words,
};
use crate::format::plays::{self, Chosen, refusal};
use crate::format::rank::{Candidate, rank};
use crate::model::{Enclosure, Entry, Field, File, Leaf, Seen, Str, Thumbnail, Video, Walk};
use crate::pages::Address;
use crate::text::url;

/// What surrounds a video that is being written.
pub(super) struct Around<'e, 's> {
    /// The entry it stands in.
    pub entry: &'e Entry<'e>,
    /// The page that is written for it.
    pub page: &'s Address<'e>,
    /// The run.
    pub setup: &'s Setup<'s>,
    /// Whether Google's rules are applied.
    pub google: bool,
}

impl<'e> Around<'e, '_> {
    fn beside(&self) -> Beside<'e, '_> {
        let (feed, options) = (self.setup.own_feed, self.setup.options);
        Beside { entry: self.entry, page: Some(self.page), feed, options }
    }
    /// The address that a leaf holds.
    fn address(&self, leaf: &Str<'_>) -> Picked {
        Picked::address(leaf, self.setup.options.iri)
    }
}

/// The rendition that stands for a video, and where its bytes are.
pub(super) struct Rendition<'e> {
    /// The rendition whose values count.
    pub file: Option<&'e File<'e>>,
    /// `content_loc`.
    pub content: Option<Picked>,
    /// The first rendition whose address is not that of a file, but of a player.
    plays: Option<&'e File<'e>>,
}

/// Chooses the rendition (A8) and settles the others.
pub(super) fn rendition<'e>(video: &'e Video<'e>, around: &Around<'e, '_>, out: &mut Out<'_, 'e>) -> Rendition<'e> {
    let mut refused: Vec<(&'e File<'e>, Code, &'static str, bool)> = Vec::new();
    let mut taken: Vec<&'e File<'e>> = Vec::new();
    for file in video.files.iter().filter(|file| is_film(file)) {
        let Some(address) = &file.url else { continue };
        match refusal(file, &address.value, &around.beside()).filter(|_| around.google) {
            Some((code, why, plays)) => refused.push((file, code, why, plays)),
            None => taken.push(file),
        }
    }
    let language = around.setup.own_feed.language.as_ref().map(Leaf::as_str);
    let rule = &around.setup.options.rendition;
    let enclosed = enclosed(video, around.entry);
    let best = taken.into_iter().min_by_key(|file| {
        let url = file.url.as_ref().filter(|_| !enclosed.is_empty());
        let said = url.and_then(|url| enclosed.get(&*url::key(&url.value)));
        let own = Candidate::of(file);
        let (kind, size) = said.map_or((None, None), |said| (said.kind.as_ref(), said.length.as_ref()));
        rank(&Candidate { kind: own.kind.or(kind), size: own.size.or(size), ..own }, rule, language)
    });
    let content = best.and_then(|file| file.url.as_ref()).map(|leaf| around.address(leaf));
    let player = refused.iter().find(|(.., plays)| *plays).map(|(file, ..)| *file);
    let file = best.or(player).or_else(|| video.files.iter().find(|file| is_film(file)));
    for (other, code, why, plays) in &refused {
        if *plays && best.is_none() && file.is_some_and(|file| std::ptr::eq(file, *other)) {
            continue;
        }
        let url = other.url.as_ref().map(|url| url.mark);
        other.walk((), &mut |seen: Seen<'_>| {
            // the rest of what is chosen for its other values stays open
            if url == Some(seen.mark) || !file.is_some_and(|file| std::ptr::eq(file, *other)) {
                out.books().lost(seen.mark, *code, why);
            }
        });
    }
    for other in video.files.iter().filter(|file| !is_film(file)) {
        let why = match is_picture(other) {
            true => "an image has no such member in a sitemap",
            false => "a file that is no video goes with the page, for which a sitemap has no place",
        };
        out.drop(other, (), Code::NoCarrier, why);
    }
    let is_other = |other: &&File<'_>| is_film(other) && !file.is_some_and(|file| std::ptr::eq(file, *other));
    for other in video.files.iter().filter(is_other) {
        let said: Arc<str> = describe(other).into();
        let why = "a video sitemap names one file of a video";
        repeated(other, file, video, out);
        other.walk((), &mut |seen: Seen<'_>| {
            if !out.books().settled(seen.mark) {
                out.books().lost_saying(seen.mark, Code::RenditionDropped, why, said.clone());
            }
        });
    }
    Rendition { file, content, plays: player }
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

/// What another rendition says of the video as the chosen one does is said.
fn repeated(other: &File<'_>, file: Option<&File<'_>>, video: &Video<'_>, out: &mut Out<'_, '_>) {
    let mut merge = |seen: Seen<'_>| {
        if !out.books().settled(seen.mark) {
            out.books().merged(seen.mark, Code::DuplicateMerged, "another rendition says the same of the video");
        }
    };
    if let Some(media) = other.media.as_deref() {
        for level in file.and_then(|file| file.media.as_deref()).into_iter().chain([video]) {
            media.walk_shared(level, (), &mut merge);
        }
    }
    let length = file.and_then(|file| file.duration.as_ref()).or(video.duration.as_ref());
    if length.is_some() && other.duration.as_ref() == length {
        other.duration.walk(Field::VideoFileDuration, &mut merge);
    }
}

/// A rendition in a few words.
fn describe(file: &File<'_>) -> String {
    let url = file.url.as_ref().map(|url| url.value.to_string());
    let kind = file.kind.as_ref().map(|kind| kind.value.to_string());
    let height = file.height.as_ref().map(|height| format!("height {}", height.value));
    let said: Vec<String> = url.into_iter().chain(kind).chain(height).collect();
    format!("another rendition was chosen than {}", said.join(", "))
}

/// Chooses the player (S-V6, A3).
pub(super) fn player<'e>(
    video: &'e Video<'e>,
    rendition: &Rendition<'e>,
    around: &Around<'e, '_>,
    out: &mut Out<'_, 'e>,
) -> Option<Picked> {
    let own = effective!(video, rendition.file, player).and_then(|player| player.url.as_ref());
    if !around.google {
        return own.map(|leaf| around.address(leaf));
    }
    let chosen = Chosen { file: rendition.file, plays: rendition.plays, content: rendition.content.is_some() };
    plays::player(video, &chosen, &around.beside(), out)
}

/// Chooses the thumbnail (S-V1) and settles the others.
pub(super) fn thumbnail<'e>(
    video: &'e Video<'e>,
    rendition: &Rendition<'e>,
    around: &Around<'e, '_>,
    out: &mut Out<'_, 'e>,
) -> Option<Picked> {
    let all = effective_list!(video, rendition.file, thumbnails);
    let usable = |thumbnail: &&Thumbnail<'_>| {
        let url = thumbnail.url.as_ref();
        url.is_some_and(|url| !around.google || url::is_http(&url::normalize_for_sitemap(&url.value)))
    };
    // Google, "Video SEO best practices" (2025): at least 60 by 30
    let large = |thumbnail: &&Thumbnail<'_>| {
        let below = |slot: &Option<Leaf<u64>>, least| slot.as_ref().is_some_and(|leaf| leaf.value < least);
        !around.google || !below(&thumbnail.width, 60) && !below(&thumbnail.height, 30)
    };
    let candidates = || all.iter().filter(usable).filter(large);
    let best = candidates().find(|thumbnail| thumbnail.time.is_none()).or_else(|| candidates().next());
    for other in all.iter().filter(|other| !best.is_some_and(|best| std::ptr::eq(best, *other))) {
        out.drop(other, (), Code::ListReduced, "a video sitemap takes one thumbnail, of 60 by 30 pixels at least");
    }
    let own = best.and_then(|best| best.url.as_ref()).map(|leaf| around.address(leaf));
    own.or_else(|| made_thumbnail(video, rendition.file, &around.beside()))
}

/// Chooses the title (S-V2).
pub(super) fn title<'e>(video: &'e Video<'e>, rendition: &Rendition<'e>, around: &Around<'e, '_>) -> Option<Picked> {
    let own = words(effective!(video, rendition.file, title));
    let mut picked = own.or_else(|| made_title(rendition.file, &around.beside()))?;
    if around.setup.options.fit_titles {
        picked.cut(TITLE, "a title was asked to have at most 100 characters");
    }
    Some(picked)
}

/// Chooses the description (S-V3) and cuts it (S-V8).
pub(super) fn description<'e>(
    video: &'e Video<'e>,
    rendition: &Rendition<'e>,
    around: &Around<'e, '_>,
    title: Option<&Picked>,
) -> Option<Picked> {
    let own = words(effective!(video, rendition.file, description));
    let mut picked = own.or_else(|| made_description(title, &around.beside()))?;
    picked.cut(DESCRIPTION, LONG_DESCRIPTION);
    Some(picked)
}
