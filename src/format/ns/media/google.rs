//! What Google requires of a video in Media RSS (rules S-R11): a title, a description and a thumbnail, found or made
//! before the video is written, so that one without them can be left out. Not what video sitemaps choose.

use super::write::{attr, text};
use crate::code::Code;
use crate::emit::Out;
use crate::format::choice::{
    Beside, DESCRIPTION, LONG_DESCRIPTION, Picked, TITLE, made_description, made_thumbnail, made_title, usual_file,
    words,
};
use crate::model::{Field, File, Leaf, Text, Video};
use crate::text::url;

/// What is written in place of what the video says; absent where that is as Google wants it.
pub(super) struct Wanted {
    title: Option<Picked>,
    description: Option<Picked>,
    thumbnail: Option<Picked>,
}

const LONG_TITLE: &str = "a title has at most 100 characters";

/// Finds what Google requires, or tells what cannot be had.
pub(super) fn wanted(video: &Video<'_>, beside: &Beside<'_, '_>) -> Result<Wanted, &'static str> {
    let film = usual_file(&video.files);
    let own = words(video.title.as_ref());
    let as_given = own.is_some();
    let mut title = (own.or_else(|| link_title(film)).or_else(|| made_title(film, beside)))
        .ok_or("it has no title, which Google requires")?;
    title.cut(TITLE, LONG_TITLE);
    let own = words(video.description.as_ref());
    let described = own.is_some();
    let mut description = (own.or_else(|| made_description(Some(&title), beside)))
        .ok_or("it has no description, which Google requires")?;
    description.cut(DESCRIPTION, LONG_DESCRIPTION);
    let thumbnail = match has_thumbnail(video) {
        true => None,
        false => Some(made_thumbnail(video, film, beside).ok_or("it has no thumbnail, which Google requires")?),
    };
    let is_whole = |picked: &Picked| !matches!(picked.change, Some((Code::Truncated, _)));
    let title = Some(title).filter(|title| !(as_given && is_whole(title)));
    let description = Some(description).filter(|description| !(described && is_whole(description)));
    Ok(Wanted { title, description, thumbnail })
}

/// The title of the link that a file came by.
fn link_title(film: Option<&File<'_>>) -> Option<Picked> {
    let title = film?.title.as_ref().filter(|title| !title.value.trim().is_empty())?;
    Some(Picked::own(title.mark, title.value.to_string(), None).moved("the title of a link to the file"))
}

fn has_thumbnail(video: &Video<'_>) -> bool {
    let addresses = video.thumbnails.iter().filter_map(|thumbnail| thumbnail.url.as_ref());
    addresses.map(Leaf::as_str).any(|address| url::is_http(&url::normalize_for_sitemap(address)))
}

impl Wanted {
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

/// A text as it was given, cut, or made. What stands in is plain text, with the language of the text that was cut.
fn one(name: &str, field: Field, picked: &Option<Picked>, own: &Option<Text<'_>>, out: &mut Out<'_, '_>) {
    let Some(picked) = picked else { return text(name, own, out) };
    out.element_always(name, |out| {
        match own {
            Some(own) if own.value.mark == picked.mark && picked.made.is_none() => {
                attr("xml:lang", &own.lang, out);
                attr("xml:base", &own.base, out);
            }
            Some(own) => out.drop(own, field, Code::Shadowed, "it holds no words, and another text stands there"),
            None => (),
        }
        picked.write_text(field, out);
    });
}
