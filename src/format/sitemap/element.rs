//! What every element of a sitemap is read with: its namespace, its spelling, its text. Not what the elements mean.

use crate::emit::PLAIN_AMPERSAND;
use crate::model::{Str, Text, TextKind};
use crate::reason::Reason;
use crate::tree::{Node, NodeKind, Take};
use crate::xml::escape;
use crate::xml::names::Ns;
use std::borrow::Cow;

/// What reading an element takes besides the element.
#[derive(Clone, Copy)]
pub(super) struct CoreNamespace {
    /// The namespace of the `url` element: sitemaps have been seen in none and in ones of their own.
    core: Ns,
}

impl CoreNamespace {
    /// The protocol's own elements are in this namespace.
    pub(super) fn new(core: Ns) -> CoreNamespace {
        CoreNamespace { core }
    }

    /// Whether this is the namespace of the protocol's own elements.
    pub(super) fn is_core(self, ns: Ns) -> bool {
        ns == self.core || matches!(ns, Ns::Sitemap | Ns::None)
    }

    /// Reads the text of an element as a URL.
    pub(super) fn address_of<'t, 'a>(self, element: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Str<'a>>) {
        take.known(element);
        match element.text() {
            Some(text) => take.value(text, None, slot),
            None => take.snippet(element, slot),
        }
    }
}

/// The name among these that an element bears; one in another case is taken for it, with a remark. Empty for others.
pub(super) fn name_of<'t, 'a>(
    node: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    names: &'static [&'static str],
) -> &'static str {
    let written = node.name();
    if let Some(name) = names.iter().find(|name| **name == written) {
        return name;
    }
    let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(written)) else { return "" };
    take.remark(node, "name.case", written, format!("read as {name}"));
    name
}

/// Takes a leaf that must be one of these words, in any case, as the word.
pub(super) fn word<'t, 'a>(
    node: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    words: &'static [&'static str],
    slot: &mut Option<Str<'a>>,
) {
    let Some(word) = words.iter().find(|word| word.eq_ignore_ascii_case(node.value().trim())) else { return };
    let first = slot.is_none();
    take.value(node, None, slot);
    if let Some(leaf) = slot.as_mut().filter(|_| first) {
        leaf.value = Cow::Borrowed(word);
    }
}

/// Takes the text of an element as plain text; one that was escaped twice is decoded once more.
pub(super) fn plain<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Text<'a>>) {
    let first = slot.is_none();
    take.construct(element, TextKind::Plain, None, slot);
    if let Some(text) = slot.as_mut().filter(|text| first && text.kind == TextKind::Plain) {
        decode_again(element, take, &mut text.value);
    }
}

/// The same for a text without a kind.
pub(super) fn words<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Str<'a>>) {
    let first = slot.is_none();
    take.text(element, slot);
    if let Some(text) = slot.as_mut().filter(|_| first) {
        decode_again(element, take, text);
    }
}

/// Decodes a text of an element once more if it was escaped twice.
pub(super) fn decode_again<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>, text: &mut Str<'a>) {
    if let Some(decoded) = escaped_twice(element, &text.value) {
        let done = "entities escaped twice, decoded once more";
        take.remark(element, "text.escaped_twice", &text.value, format!("{done}: {decoded}"));
        take.adjusted(text.mark, Reason::AsPlainText);
        text.value = Cow::Owned(decoded);
    }
}

/// The text of an element that was escaped twice, decoded once more.
pub(crate) fn escaped_twice(element: Node<'_, '_>, text: &str) -> Option<String> {
    // the writer marks a text that only looks as if it was
    if !text.contains('&') || element.source().contains(PLAIN_AMPERSAND) {
        return None;
    }
    let (decoded, _) = escape::unescape_lenient(text);
    (decoded != text).then(|| decoded.into_owned())
}

/// What is in an element that is not read is not read either; the videos in it are counted.
pub(super) fn leave_videos<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>) {
    if !node.has_children() {
        return;
    }
    let is_video = |node: &Node<'_, '_>| {
        let is_element = node.kind() == NodeKind::Element && node.ns() == Ns::Video;
        is_element && node.name().eq_ignore_ascii_case("video")
    };
    let end = node.raw().end;
    let inside = node.and_behind().take_while(|below| below.raw().at < end);
    inside.filter(is_video).for_each(|video| take.leave_video(video));
}
