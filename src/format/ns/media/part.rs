//! Elements and attributes of Media RSS that a video has for every consumer. Which ones a video gets is not decided here.

use crate::emit::Out;
use crate::model::{Leaf, LeafType, Text, TextKind, Video};
use crate::reason::Reason;
use crate::text::html;
use std::borrow::Cow;

/// An attribute of the open element.
pub(super) fn attr<T: LeafType>(name: &str, slot: &Option<Leaf<T>>, out: &mut Out<'_, '_>) {
    if let Some(leaf) = slot {
        let (text, respelt) = out.spell(leaf.value.value());
        out.attr_as(name, leaf.mark, &text, respelt);
    }
}

/// A text with its kind.
pub(super) fn text(name: &str, slot: &Option<Text<'_>>, out: &mut Out<'_, '_>) {
    if let Some(text) = slot {
        out.element_always(name, |out| typed(text, out));
    }
}

/// The `type` of a text, its language, and its characters.
pub(super) fn typed(text: &Text<'_>, out: &mut Out<'_, '_>) {
    kind(text, out);
    characters(text, out);
}

pub(super) fn kind(text: &Text<'_>, out: &mut Out<'_, '_>) {
    match text.kind {
        // without a type, readers take what looks like markup for markup
        TextKind::Plain if html::looks_like_markup(&text.value) => out.constant("type", "plain"),
        TextKind::Plain => (),
        TextKind::Html | TextKind::Xhtml => out.constant("type", "html"),
    }
    attr("xml:lang", &text.lang, out);
    attr("xml:base", &text.base, out);
}

pub(super) fn characters(text: &Text<'_>, out: &mut Out<'_, '_>) {
    let (value, change) = match text.kind {
        TextKind::Plain | TextKind::Html => (Cow::Borrowed(text.value.as_str()), None),
        TextKind::Xhtml => (html::xhtml_to_html(&text.value), Some(Reason::AsHtml)),
    };
    out.text_as(text.value.mark, &value, change);
}

pub(super) fn player(video: &Video<'_>, out: &mut Out<'_, '_>) {
    if let Some(player) = &video.player {
        out.element("media:player", |out| {
            attr("url", &player.url, out);
            attr("width", &player.width, out);
            attr("height", &player.height, out);
        });
    }
}
