//! Google's requirements for a video in Media RSS (rules S-R11, A18): a title, a description and a thumbnail, and a
//! file or player that Google accepts. Missing values are found or generated before the video is written, so that a
//! video without them can be dropped. Choices for video sitemaps are elsewhere.

use super::part::{attr, player, text};
use crate::code::Code;
use crate::emit::Out;
use crate::format::choice::{
    ChosenValue, DESCRIPTION, GOOGLE_THUMBNAIL, TITLE, VideoSurroundings, is_small, made_description, made_thumbnail,
    made_title, no_thumbnail, words,
};
use crate::format::medium::{is_film, is_picture, usual_file};
use crate::format::sitemap::choice::{self, Rendition, VideoContext};
use crate::format::sitemap::forbids;
use crate::model::{Field, File, Leaf, LeafView, Text, Thumbnail, Video, Walk};
use crate::reason::Reason;
use crate::text::url;

/// Replacements for values of the video that do not meet Google's rules; `None` where the value meets them.
pub(super) struct GoogleValues<'e> {
    /// The files that Google takes.
    files: Vec<&'e File<'e>>,
    /// A file without its URL, if Google accepts none.
    bare: Option<Box<File<'e>>>,
    player: Option<ChosenValue>,
    title: Option<ChosenValue>,
    description: Option<ChosenValue>,
    thumbnail: Option<ChosenValue>,
}

/// Finds the values that Google requires, or returns why one is missing.
pub(super) fn wanted<'e>(
    video: &'e Video<'e>,
    around: &VideoContext<'e, '_>,
    out: &mut Out<'_, 'e>,
) -> Result<GoogleValues<'e>, Reason> {
    let denied = video.restriction.as_ref().filter(|_| !around.setup.options.keep_inactive);
    if let Some(why) = denied.and_then(|said| forbids(said, true)).filter(|why| *why != Reason::NoCountry) {
        return Err(why);
    }
    let GoogleValues { title, description, thumbnail, .. } = collect_values(video, &around.beside())?;
    let (files, rendition) = files(video, around, out);
    let bare = rendition.file.filter(|_| rendition.content.is_none()).cloned();
    let bare = bare.map(|file| Box::new(File { url: None, kind: None, codecs: None, ..file }));
    let player = choice::player(video, &rendition, around, out);
    if rendition.content.is_none() && player.is_none() {
        return Err(Reason::NotPlayable);
    }
    Ok(GoogleValues { files, bare, player, title, description, thumbnail })
}

/// The files that Google takes; what is refused is settled in the books.
fn files<'e>(
    video: &'e Video<'e>,
    around: &VideoContext<'e, '_>,
    out: &mut Out<'_, 'e>,
) -> (Vec<&'e File<'e>>, Rendition<'e>) {
    let refusal = |file: &File<'_>| choice::refusal(file, &file.url.as_ref()?.value, around);
    // a list of videos means what it lists, whatever the name of the file
    let is_video = |file: &File<'_>| is_film(file) || around.setup.source.family.lists_pages() && !is_picture(file);
    let (mut files, mut refused) = (Vec::new(), Vec::new());
    for file in &video.files {
        match refusal(file).filter(|_| is_video(file)) {
            Some((why, plays)) => refused.push((file, why, plays)),
            None => files.push(file),
        }
    }
    let usual = usual_file(&video.files).filter(|file| refusal(file).is_none());
    let taken = usual.or_else(|| files.iter().copied().find(|file| is_video(file))).filter(|file| file.url.is_some());
    let plays = refused.iter().find(|(.., plays)| *plays).map(|(file, ..)| *file);
    let content = taken.and_then(|file| file.url.as_ref()).map(|leaf| around.address(leaf));
    // the player plays the file that represents the video, if none without a URL does
    let represents = content.is_none() && !files.iter().any(|file| is_video(file));
    let bare = plays.or_else(|| refused.first().map(|(file, ..)| *file)).filter(|_| represents);
    for (file, why, _) in refused {
        let is_bare = bare.is_some_and(|bare| std::ptr::eq(bare, file));
        let said = [&file.url, &file.kind, &file.codecs];
        let address = said.map(|slot| slot.as_ref().map(|leaf| leaf.mark));
        file.walk((), &mut |seen: LeafView<'_>| {
            if !is_bare || address.contains(&Some(seen.mark)) {
                out.books().lost(seen.mark, why);
            }
        });
        if !is_bare {
            out.skip("media:content");
        }
    }
    (files, Rendition { file: taken.or(bare), content, plays })
}

/// The texts and the thumbnail.
fn collect_values<'e>(video: &Video<'_>, beside: &VideoSurroundings<'_, '_>) -> Result<GoogleValues<'e>, Reason> {
    let film = usual_file(&video.files);
    let own = words(video.title.as_ref());
    let as_given = own.is_some();
    let mut title = (own.or_else(|| link_title(film)).or_else(|| made_title(film, beside))).ok_or(Reason::NoTitle)?;
    title.cut(TITLE, Reason::LongTitle);
    let own = words(video.description.as_ref());
    let described = own.is_some();
    let mut description = (own.or_else(|| made_description(Some(&title), beside))).ok_or(Reason::NoDescription)?;
    description.cut(DESCRIPTION, Reason::LongDescription);
    let thumbnail = match has_thumbnail(video) {
        true => None,
        false => Some(made_thumbnail(video, film, beside).ok_or_else(|| no_thumbnail(video, beside))?),
    };
    let is_whole = |picked: &ChosenValue| !matches!(picked.change, Some(why) if why.code() == Code::Truncated);
    let title = Some(title).filter(|title| !(as_given && is_whole(title)));
    let description = Some(description).filter(|description| !(described && is_whole(description)));
    Ok(GoogleValues { files: Vec::new(), bare: None, player: None, title, description, thumbnail })
}

/// The title of the link that a file came by.
fn link_title(film: Option<&File<'_>>) -> Option<ChosenValue> {
    let title = film?.title.as_ref().filter(|title| !title.value.trim().is_empty())?;
    Some(ChosenValue::own(title.mark, title.value.to_string(), None).moved(Reason::UsedAsTitle))
}

fn has_thumbnail(video: &Video<'_>) -> bool {
    video.thumbnails.iter().any(|thumbnail| refused(thumbnail).is_none())
}

/// Why Google rejects an image.
fn refused(thumbnail: &Thumbnail<'_>) -> Option<Reason> {
    let address = thumbnail.url.as_ref().map(Leaf::as_str).unwrap_or_default();
    if !url::is_http(&url::normalize_for_sitemap(address)) {
        return Some(Reason::AllowedScheme);
    }
    is_small(thumbnail, GOOGLE_THUMBNAIL).then_some(Reason::ThumbnailSize)
}

/// The thumbnails of a level that Google takes; the others are settled in the books.
pub(super) fn taken<'v, 'e>(thumbnails: &'v [Thumbnail<'e>], out: &mut Out<'_, '_>) -> Vec<&'v Thumbnail<'e>> {
    let mut taken = Vec::new();
    for thumbnail in thumbnails {
        match refused(thumbnail) {
            Some(why) => out.drop(thumbnail, (), why),
            None => taken.push(thumbnail),
        }
    }
    taken
}

/// Writes the player that a level gives its videos, if Google takes it.
pub(super) fn player_of_level(level: &Video<'_>, page: Option<&str>, out: &mut Out<'_, '_>) {
    let address = level.player.as_ref().and_then(|player| player.url.as_ref()).map_or("", |url| url.value.trim());
    match address {
        "" => out.drop(&level.player, (), Reason::NoUrl),
        address if page.is_some_and(|page| url::is_same(address, page)) => {
            out.drop(&level.player, (), Reason::OtherPlayer);
        }
        address if url::scheme(address).is_some() && !url::is_http(&url::normalize_for_sitemap(address)) => {
            out.drop(&level.player, (), Reason::AllowedScheme);
        }
        _ => player(level, out),
    }
}

impl GoogleValues<'_> {
    /// The files to be written.
    pub fn files(&self) -> Vec<&File<'_>> {
        self.files.iter().copied().chain(self.bare.as_deref()).collect()
    }

    /// The thumbnails of a video that Google takes; the others are settled in the books.
    pub fn thumbnails<'v, 'e>(&self, video: &'v Video<'e>, out: &mut Out<'_, '_>) -> Vec<&'v Thumbnail<'e>> {
        taken(&video.thumbnails, out)
    }

    /// Writes the player.
    pub fn player(&self, video: &Video<'_>, out: &mut Out<'_, '_>) {
        let own = video.player.as_ref();
        let of_own = own.and_then(|own| own.url.as_ref()).map(|url| url.mark);
        let Some(picked) = &self.player else {
            return out.drop(&video.player, (), Reason::OtherPlayer);
        };
        if of_own == Some(picked.mark) && picked.change.is_none() && picked.made.is_none() {
            return player(video, out);
        }
        if is_embed(picked, video) {
            // the element that it comes from stays as it is
            out.books().made(Field::VideoPlayerUrl, Reason::GeneratedPlayer, Some(picked.mark), picked.text.clone());
        }
        out.element_always("media:player", |out| {
            picked.write_attr("url", Field::VideoPlayerUrl, out);
            match own {
                Some(own) if of_own == Some(picked.mark) => {
                    attr("width", &own.width, out);
                    attr("height", &own.height, out);
                }
                Some(own) => out.drop(own, (), Reason::OtherPlayer),
                None => (),
            }
        });
    }

    /// Writes title and description.
    pub fn texts(&self, video: &Video<'_>, out: &mut Out<'_, '_>) {
        one("media:title", Field::VideoTitle, &self.title, &video.title, out);
        one("media:description", Field::VideoDescription, &self.description, &video.description, out);
    }

    /// Writes the thumbnail that was made.
    pub fn thumbnail(&self, out: &mut Out<'_, '_>) {
        if let Some(picked) = &self.thumbnail {
            out.element_always("media:thumbnail", |out| picked.write_attr("url", Field::VideoThumbnailUrl, out));
        }
    }
}

/// Whether a player is that of `media:embed`.
fn is_embed(picked: &ChosenValue, video: &Video<'_>) -> bool {
    let files = video.files.iter().filter_map(|file| file.media.as_deref());
    let mut embeds = std::iter::once(video).chain(files).filter_map(|level| level.embed.as_ref()?.url.as_ref());
    !picked.derived && embeds.any(|url| url.mark == picked.mark)
}

/// A text as given, cut or generated. A replacement is plain text, with the language of the text it was cut from.
fn one(name: &str, field: Field, picked: &Option<ChosenValue>, own: &Option<Text<'_>>, out: &mut Out<'_, '_>) {
    let Some(picked) = picked else { return text(name, own, out) };
    out.element_always(name, |out| {
        match own {
            Some(own) if own.value.mark == picked.mark && picked.made.is_none() => {
                attr("xml:lang", &own.lang, out);
                attr("xml:base", &own.base, out);
            }
            Some(own) => out.drop(own, field, Reason::OtherValue),
            None => (),
        }
        picked.write_text(field, out);
    });
}
