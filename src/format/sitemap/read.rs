//! Reads XML sitemaps and sitemap indexes: `url` with all its content except videos (read_video.rs). Writers decide
//! which URLs are acceptable.

use std::borrow::Cow;

use super::read_video;
use crate::emit::PLAIN_AMPERSAND;
use crate::format::{EntryDelimiter, FormatReader, ReadContext};
use crate::model::date::DateForm;
use crate::model::{DataAttribute, DataObject, Entry, Feed, Image, Link, News, PageMap, Str, Text};
use crate::reason::Reason;
use crate::tree::{Node, Take};
use crate::xml::escape;
use crate::xml::names::Ns;
use crate::xml::split::Shape;

/// Reads `sitemap` and `video-sitemap`.
pub struct SitemapReader;

impl FormatReader for SitemapReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::Markup(Shape::SITEMAP)
    }
    fn head<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        _feed: &mut Feed<'a>,
        _around: ReadContext<'a>,
    ) {
        head(root, take);
    }
    fn entry<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        entry: &mut Entry<'a>,
        _around: ReadContext<'a>,
    ) {
        take.known(root);
        let reading = CoreNamespace { core: root.ns() };
        for node in root.children() {
            child(node, take, entry, reading);
        }
    }
}

/// There is nothing to read; reports a root in another namespace, or in none.
fn head<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>) {
    take.known(root);
    if root.ns() != Ns::Sitemap {
        let uri = root.raw().uri;
        let found = if uri.is_empty() { root.name() } else { uri };
        let said = if uri.is_empty() { "no namespace, " } else { "" };
        take.remark(root, "ns.alias", found, format!("{said}read as {}", Ns::Sitemap.uri()));
    }
}

/// Reads `sitemap-index`.
pub struct SitemapIndexReader;

impl FormatReader for SitemapIndexReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::Markup(Shape::SITEMAP_INDEX)
    }
    fn head<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        _feed: &mut Feed<'a>,
        _around: ReadContext<'a>,
    ) {
        head(root, take);
    }
    fn entry<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        entry: &mut Entry<'a>,
        _around: ReadContext<'a>,
    ) {
        take.known(root);
        let reading = CoreNamespace { core: root.ns() };
        for node in root.children().filter(|node| reading.is_core(node.ns())) {
            match name_of(node, take, &["loc", "lastmod"]) {
                "loc" => reading.address_of(node, take, &mut entry.loc),
                "lastmod" => take.date_text(node, DateForm::W3c, &mut entry.updated),
                _ => (),
            }
        }
    }
}

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
    take.construct(element, crate::model::TextKind::Plain, None, slot);
    let Some(text) = slot.as_mut().filter(|text| first && text.value.contains('&')) else { return };
    // the writer of sitemaps says so of a text that only looks as if it was escaped twice
    if element.source().contains(PLAIN_AMPERSAND) {
        return;
    }
    let (decoded, _) = escape::unescape_lenient(&text.value.value);
    if decoded != text.value.value {
        let decoded = decoded.into_owned();
        let done = "entities escaped twice, decoded once more";
        take.remark(element, "text.escaped_twice", element.text_value(), format!("{done}: {decoded}"));
        take.adjusted(text.value.mark, Reason::AsPlainText);
        text.value.value = Cow::Owned(decoded);
    }
}

const CHANGEFREQ: &[&str] = &["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];

fn child<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, reading: CoreNamespace) {
    match node.ns() {
        Ns::Video if node.name().eq_ignore_ascii_case("video") => {
            let video = read_video::video(node, take, reading);
            entry.videos.push(video);
        }
        Ns::Image if node.name().eq_ignore_ascii_case("image") => {
            let image = image(node, take, reading);
            entry.images.push(image);
        }
        Ns::News if node.name().eq_ignore_ascii_case("news") => news(node, take, entry.news.get_or_insert_default()),
        Ns::Xhtml if node.name().eq_ignore_ascii_case("link") => link(node, take, entry),
        Ns::Mobile if node.name().eq_ignore_ascii_case("mobile") => take.flag(node, &mut entry.mobile),
        Ns::PageMap if node.name() == "PageMap" => page_map(node, take, entry.page_map.get_or_insert_default()),
        ns if reading.is_core(ns) => core(node, take, entry, reading),
        _ => (),
    }
}

pub(super) fn core<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, reading: CoreNamespace) {
    match name_of(node, take, &["loc", "lastmod", "changefreq", "priority", "expires", "PageMap"]) {
        "loc" => reading.address_of(node, take, &mut entry.loc),
        "lastmod" => take.date_text(node, DateForm::W3c, &mut entry.updated),
        "changefreq" => {
            take.known(node);
            if let Some(text) = node.text() {
                word(text, take, CHANGEFREQ, &mut entry.changefreq);
            }
        }
        "priority" => take.text(node, &mut entry.priority),
        "expires" => take.date_text(node, DateForm::W3c, &mut entry.expires),
        "PageMap" => page_map(node, take, entry.page_map.get_or_insert_default()),
        _ => (),
    }
}

pub(super) fn image<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, reading: CoreNamespace) -> Image<'a> {
    let mut image = Image::default();
    image_into(node, take, &mut image, reading);
    image
}

/// Reads an image into one that may have values already.
pub(super) fn image_into<'t, 'a>(
    node: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    image: &mut Image<'a>,
    reading: CoreNamespace,
) {
    take.known(node);
    for child in node.children().filter(|child| child.ns() == Ns::Image || reading.is_core(child.ns())) {
        let name = name_of(child, take, &["loc", "caption", "geo_location", "title", "license"]);
        if !name.is_empty() {
            take.unprefixed(child, Ns::Image);
        }
        match name {
            "loc" => reading.address_of(child, take, &mut image.loc),
            "caption" => plain(child, take, &mut image.caption),
            "geo_location" => take.text(child, &mut image.geo_location),
            "title" => plain(child, take, &mut image.title),
            "license" => reading.address_of(child, take, &mut image.license),
            _ => (),
        }
    }
}

const NEWS: &[&str] =
    &["publication", "publication_date", "title", "access", "genres", "keywords", "stock_tickers", "name", "language"];

pub(super) fn news<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, news: &mut News<'a>) {
    take.known(node);
    for child in node.children().filter(|child| matches!(child.ns(), Ns::News | Ns::Sitemap | Ns::None)) {
        let name = name_of(child, take, NEWS);
        if !name.is_empty() {
            take.unprefixed(child, Ns::News);
        }
        match name {
            "publication" => {
                take.known(child);
                for part in child.children() {
                    match name_of(part, take, &["name", "language"]) {
                        "name" => take.text(part, &mut news.name),
                        "language" => take.language_text(part, &mut news.language),
                        _ => (),
                    }
                }
            }
            "publication_date" => take.date_text(child, DateForm::W3c, &mut news.published),
            "title" => take.text(child, &mut news.title),
            "access" => take.text(child, &mut news.access),
            "genres" => take.text(child, &mut news.genres),
            "keywords" => take.text(child, &mut news.keywords),
            "stock_tickers" => take.text(child, &mut news.stock_tickers),
            _ => (),
        }
    }
}

/// `xhtml:link`: one with `hreflang` names the page in another language, any other is a link.
fn link<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    take.known(node);
    let mut link = Link::default();
    let language = node.attribute("hreflang").is_some();
    if language {
        take.implied_attr(node, "rel", "alternate");
    }
    take.language_attr(node, "hreflang", &mut link.hreflang);
    if node.attribute("rel").is_some_and(|rel| !take.taken(rel)) {
        take.attr(node, "rel", &mut link.rel);
    }
    take.attr(node, "media", &mut link.media);
    take.attr(node, "type", &mut link.kind);
    take.attr(node, "title", &mut link.title);
    if let Some(href) = node.attribute("href") {
        take.value(href, None, &mut link.href);
    }
    let place = if language && link.rel.is_none() { &mut entry.alternates } else { &mut entry.links };
    place.push(link);
}

pub(super) fn page_map<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, map: &mut PageMap<'a>) {
    take.known(node);
    for child in node.children().filter(|child| child.ns() == node.ns()) {
        match child.name() {
            "Template" => take.attr(child, "src", &mut map.template),
            "DataObject" => {
                let mut object = DataObject::default();
                take.attr(child, "type", &mut object.kind);
                take.attr(child, "id", &mut object.id);
                for part in child.children().filter(|part| part.ns() == node.ns() && part.name() == "Attribute") {
                    let mut attribute = DataAttribute::default();
                    take.attr(part, "name", &mut attribute.name);
                    take.attr(part, "value", &mut attribute.value);
                    if attribute.value.is_none() {
                        take.text(part, &mut attribute.value);
                        attribute.text = attribute.value.is_some();
                    }
                    object.attributes.push(attribute);
                }
                map.objects.push(object);
            }
            _ => (),
        }
    }
}
