//! What Google requires of a video in Media RSS (rules S-R11): a title, a description and a thumbnail, and a file or a
//! player that it takes (S-V4 to S-V6), found or made before the video is written, so that one without them can be left
//! out. Not what video sitemaps choose.

use super::write::{attr, text};
use crate::code::Code;
use crate::emit::Out;
use crate::format::choice::{
    Beside, DESCRIPTION, LONG_DESCRIPTION, Picked, TITLE, is_film, made_description, made_thumbnail, made_title,
    usual_file, words,
};
use crate::format::plays::{self, Chosen, refusal};
use crate::model::{Field, File, Leaf, Str, Text, Video, Walk};
use crate::text::url;

/// What is written in place of what the video says; absent where that is as Google wants it.
pub(super) struct Wanted<'e> {
    title: Option<Picked>,
    description: Option<Picked>,
    thumbnail: Option<Picked>,
    player: Option<Picked>,
    /// Files that Google cannot fetch.
    pub refused: Vec<&'e File<'e>>,
    /// One of them, where there is no other: all but its address and its type is written.
    pub bare: Option<&'e File<'e>>,
}

const LONG_TITLE: &str = "a title has at most 100 characters";

/// Finds what Google requires, or tells what cannot be had.
pub(super) fn wanted<'e>(
    video: &'e Video<'e>,
    beside: &Beside<'_, '_>,
    out: &mut Out<'_, '_>,
) -> Result<Wanted<'e>, &'static str> {
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
    let mut wanted =
        Wanted { title: None, description: None, thumbnail, player: None, refused: Vec::new(), bare: None };
    wanted.plays(video, beside, out)?;
    let is_whole = |picked: &Picked| !matches!(picked.change, Some((Code::Truncated, _)));
    let title = Some(title).filter(|title| !(as_given && is_whole(title)));
    let description = Some(description).filter(|description| !(described && is_whole(description)));
    Ok(Wanted { title, description, ..wanted })
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

impl<'e> Wanted<'e> {
    /// Finds the files that Google can fetch, and the player.
    fn plays(
        &mut self,
        video: &'e Video<'e>,
        beside: &Beside<'_, '_>,
        out: &mut Out<'_, '_>,
    ) -> Result<(), &'static str> {
        let films = || video.files.iter().filter(|file| is_film(file));
        let named = films().filter_map(|file| Some((file, file.url.as_ref()?)));
        let why = |(file, url): (&'e File<'e>, &'e Str<'e>)| Some((file, refusal(file, &url.value, beside)?));
        let refused: Vec<_> = named.clone().filter_map(why).collect();
        let content = named.count() > refused.len();
        let plays = refused.iter().find(|(_, (.., plays))| *plays).map(|(file, _)| *file);
        let file = if content { usual_file(&video.files) } else { plays.or_else(|| films().next()) };
        let player = plays::player(video, &Chosen { file, plays, content }, beside, out);
        if !content && player.is_none() {
            return Err("it has neither a file nor a player that Google takes");
        }
        self.player = player.map(|picked| {
            // the element it comes from is written too
            let embed = video.embed.as_ref().and_then(|embed| embed.url.as_ref());
            match embed.is_some_and(|embed| embed.mark == picked.mark) {
                true => Picked::derived(picked.mark, picked.text, Code::SynthPlayer, "where it is embedded from"),
                false => picked,
            }
        });
        self.bare = file.filter(|file| refused.iter().any(|(other, _)| std::ptr::eq(*file, *other)));
        let taken = self.player.as_ref().map(|player| player.mark);
        for (file, (code, why, _)) in &refused {
            let bare = self.bare.is_some_and(|bare| std::ptr::eq(bare, *file));
            let address = file.url.as_ref().map(|url| url.mark);
            let kind = file.kind.as_ref().map(|kind| kind.mark);
            file.walk((), &mut |seen| {
                let gone = !bare || Some(seen.mark) == address || Some(seen.mark) == kind;
                if gone && Some(seen.mark) != taken {
                    out.books().lost(seen.mark, *code, why);
                }
            });
        }
        self.refused = refused.into_iter().map(|(file, _)| file).collect();
        Ok(())
    }

    /// Whether a file is written.
    pub fn has(&self, file: &File<'_>) -> bool {
        let is_it = |other: &&File<'_>| std::ptr::eq(*other, file);
        self.bare.iter().any(is_it) || !self.refused.iter().any(is_it)
    }

    /// Writes the player.
    pub fn player(&self, video: &Video<'_>, out: &mut Out<'_, '_>) {
        let Some(picked) = &self.player else {
            return out.drop(
                &video.player,
                (),
                Code::AttributeDropped,
                "a player without an address that Google takes",
            );
        };
        out.element_always("media:player", |out| {
            picked.write_attr("url", Field::VideoPlayerUrl, out);
            if let Some(player) = &video.player {
                attr("width", &player.width, out);
                attr("height", &player.height, out);
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
