//! How JSON-LD spells a value: one or a list, a string or an object. What a property means is in the readers.

use std::borrow::Cow;

use crate::json::parse::{LIST, NULL, OBJECT, STRING};
use crate::model::value::{FromText, Note};
use crate::model::{Leaf, Seconds, Str, Text, TextKind};
use crate::text::{mime, url as urls};
use crate::tree::{Node, NodeKind, Take, Tree, TreeRepair, tag};

/// The type of a video.
pub(super) const VIDEO: &str = "VideoObject";

pub(super) fn is_object(node: Node<'_, '_>) -> bool {
    node.raw().uri == OBJECT
}

/// Whether this is a string, a number or a boolean.
pub(super) fn is_scalar(node: Node<'_, '_>) -> bool {
    node.kind() == NodeKind::Text && node.raw().uri != NULL
}

/// The first scalar member of this name.
pub(super) fn member<'t, 'a>(object: Node<'t, 'a>, name: &str) -> Option<Node<'t, 'a>> {
    object.nodes().find(|node| node.name() == name && is_scalar(*node))
}

/// The property that names the page of a video.
pub(super) const PAGE: &str = "mainEntityOfPage";

/// Whether the URL of a video is that of its file or player, which is no page. Where the property of this name is for pages, only
/// the ending of a file makes it one (S-M2).
pub(super) fn is_file<'t, 'a>(name: &str, mut objects: impl Iterator<Item = Node<'t, 'a>>, url: Node<'t, 'a>) -> bool {
    let plays = matches!(mime::medium_of_url(url.value()), Some(mime::Medium::Video | mime::Medium::Audio));
    if name == PAGE && !plays {
        return false;
    }
    let is_it = |name: &str, video| member(video, name).is_some_and(|file| urls::is_same(file.value(), url.value()));
    objects.any(|video| is_it("contentUrl", video) || is_it("embedUrl", video))
}

/// Whether a text is a URL, whole or relative. Some documents have the name of a page in its place.
pub(super) fn is_address(leaf: &Node<'_, '_>) -> bool {
    let text = leaf.value().trim();
    let is_part = || {
        let is_name = text.contains(char::is_whitespace) || text.starts_with('#');
        leaf.raw().uri == STRING && urls::scheme(text).is_none() && !is_name && text.contains(['/', '.', '?'])
    };
    urls::is_http(text) || text.starts_with('/') || is_part()
}

/// The values of a member: those of its list, or itself.
pub(super) fn values<'t, 'a>(
    node: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
) -> impl Iterator<Item = Node<'t, 'a>> + use<'t, 'a> {
    if node.raw().uri == LIST {
        take.known(node);
    }
    listed(node)
}

/// The same, where they are only looked at.
pub(super) fn listed<'t, 'a>(node: Node<'t, 'a>) -> impl Iterator<Item = Node<'t, 'a>> + use<'t, 'a> {
    let is_list = node.raw().uri == LIST;
    let inner = is_list.then(|| node.nodes()).into_iter().flatten();
    inner.chain((!is_list).then_some(node))
}

/// The scalar that a value is, or that a value object (`@value`) has.
pub(super) fn scalar<'t, 'a>(value: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Option<Node<'t, 'a>> {
    if is_scalar(value) {
        return Some(value);
    }
    let inner = member(value, "@value")?;
    take.known(value);
    Some(inner)
}

/// A term of schema.org without its prefix.
pub(super) fn term(name: &str) -> &str {
    let prefixes = ["http://schema.org/", "https://schema.org/", "schema:"];
    prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
}

/// Names of properties in older versions of schema.org, and those of today.
const OLD_NAMES: [(&str, &str); 2] = [("contentURL", "contentUrl"), ("embedURL", "embedUrl")];

/// Takes the prefix of schema.org from the names of properties, and replaces old names.
pub(super) fn respell(tree: &mut Tree<'_>) {
    for raw in &mut tree.nodes {
        let name = term(raw.name);
        let new = OLD_NAMES.iter().find_map(|(old, new)| (*old == name).then_some(*new));
        if let Some(new) = new {
            let done = Cow::Owned(format!("read as {new}"));
            tree.repairs.push(TreeRepair { code: "name.case", at: raw.at, found: name.to_owned(), done });
        }
        let name = new.unwrap_or(name);
        if name != raw.name {
            (raw.name, raw.tag) = (name, tag(name));
        }
    }
}

/// Whether an object has this type, as one or among others.
pub(super) fn has_type(object: Node<'_, '_>, name: &str) -> bool {
    let is_it = |node: Node<'_, '_>| is_scalar(node) && term(node.value()) == name;
    let mut types = object.nodes().filter(|node| node.name() == "@type");
    is_object(object) && types.any(|node| is_it(node) || node.nodes().any(is_it))
}

/// Takes the type of an object that its place implies; other types stay.
pub(super) fn take_type<'t, 'a>(object: Node<'t, 'a>, names: &[&str], take: &mut Take<'t, 'a>) {
    let types = object.nodes().filter(|node| node.name() == "@type");
    for node in types {
        if node.raw().uri == LIST && node.nodes().all(|name| is_scalar(name) && names.contains(&term(name.value()))) {
            take.known(node);
            node.nodes().for_each(|name| take.implied(name));
        } else if is_scalar(node) && names.contains(&term(node.value())) {
            take.implied(node);
        }
    }
}

/// Takes a scalar value into a slot. One that several references lead to is taken for each of them.
pub(super) fn put<'t, 'a, T: FromText<'a> + PartialEq>(
    value: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    slot: &mut Option<Leaf<T>>,
) {
    if let Some(leaf) = scalar(value, take) {
        put_leaf(leaf, take, slot);
    }
}

/// Takes the tag of a language.
pub(super) fn put_language<'t, 'a>(value: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Str<'a>>) {
    let Some(leaf) = scalar(value, take) else { return };
    put_leaf(leaf, take, slot);
    take.language(Some(leaf), slot);
}

/// Takes a boolean, which may be a term of schema.org: `https://schema.org/True`.
pub(super) fn put_flag<'t, 'a>(value: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Leaf<bool>>) {
    let Some(leaf) = scalar(value, take) else { return };
    let word = term(leaf.value());
    match word.len() < leaf.value().len() {
        true => take.value_as(leaf, word, slot),
        false => put_leaf(leaf, take, slot),
    }
}

/// The same of what is known to be a scalar.
pub(super) fn put_leaf<'t, 'a, T: FromText<'a> + PartialEq>(
    leaf: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    slot: &mut Option<Leaf<T>>,
) {
    match slot.is_none() && take.taken(leaf) {
        true => *slot = take.again(leaf),
        false => take.value(leaf, None, slot),
    }
}

/// Takes the first scalar member of this name into a slot.
pub(super) fn put_member<'t, 'a, T: FromText<'a> + PartialEq>(
    object: Node<'t, 'a>,
    name: &str,
    take: &mut Take<'t, 'a>,
    slot: &mut Option<Leaf<T>>,
) {
    if let Some(node) = object.nodes().find(|node| node.name() == name) {
        put(node, take, slot);
    }
}

/// Takes a text, with its language where it is a value object.
pub(super) fn put_text<'t, 'a>(value: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Text<'a>>) {
    let Some(leaf) = scalar(value, take) else { return };
    let mut first: Option<Str<'a>> = slot.as_ref().map(|text| text.value.clone());
    put_leaf(leaf, take, &mut first);
    if let (None, Some(read)) = (&*slot, first) {
        let mut text = Text::new(TextKind::Plain, read);
        if let Some(lang) = member(value, "@language") {
            take.value(lang, None, &mut text.lang);
            take.language(Some(lang), &mut text.lang);
        }
        *slot = Some(text);
    }
}

/// The scalar with the URL of a value: itself, or a member of the object it is.
pub(super) fn url<'t, 'a>(value: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Option<Node<'t, 'a>> {
    let found = scalar_of_url(value)?;
    if found.index != value.index {
        take.known(value);
    }
    Some(found)
}

/// The same, which is not taken yet.
pub(super) fn scalar_of_url<'t, 'a>(value: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
    let inner = || ["contentUrl", "url", "@id", "@value"].iter().find_map(|name| member(value, name));
    if is_scalar(value) { Some(value) } else { inner() }
}

/// A duration of ISO 8601, which needs no note here.
#[derive(Clone, Copy, PartialEq)]
struct IsoSeconds(Seconds);

impl<'a> FromText<'a> for IsoSeconds {
    const SPECIMEN: &'static str = "PT1S";

    fn parse_fast(_: &'a str) -> Option<Self> {
        None
    }

    fn from_text(text: Cow<'a, str>) -> Option<(Self, Option<Note>)> {
        let (seconds, note) = Seconds::parse(&text)?;
        let note = note.filter(|_| !text.trim_start().starts_with(['P', 'p']));
        Some((IsoSeconds(seconds), note))
    }

    fn shown(&self) -> String {
        self.0.to_string()
    }
}

/// Takes a duration into a slot.
pub(super) fn put_duration<'t, 'a>(value: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Leaf<Seconds>>) {
    let mut own = slot.as_ref().map(|first| first.with(IsoSeconds(first.value)));
    put(value, take, &mut own);
    if slot.is_none() {
        *slot = own.map(|read| read.with(read.value.0));
    }
}
