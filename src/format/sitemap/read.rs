//! Reads XML sitemaps and sitemap indexes: `url` with all its content except videos (read_video.rs). Writers decide
//! which URLs are acceptable.

use super::element::{CoreNamespace, leave_videos, name_of, plain, word, words};

use super::news::is_article;
use super::read_video;
use crate::format::contract::{EntryDelimiter, FormatReader, ReadContext};
use crate::model::date::DateForm;
use crate::model::{DataAttribute, DataObject, Entry, Feed, Field, Image, Link, News, PageMap, Walk};
use crate::reason::Reason;
use crate::tree::{Node, Take};
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
        let reading = CoreNamespace::new(root.ns());
        for node in root.children() {
            child(node, take, entry, reading);
        }
    }
}

/// There is nothing to read; reports a root in another namespace, or in none.
fn head<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>) {
    take.known(root);
    leave_videos(root, take);
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
        let reading = CoreNamespace::new(root.ns());
        for node in root.children().filter(|node| reading.is_core(node.ns())) {
            match name_of(node, take, &["loc", "lastmod"]) {
                "loc" => reading.address_of(node, take, &mut entry.loc),
                "lastmod" => take.date_text(node, DateForm::W3c, &mut entry.updated),
                _ => (),
            }
        }
    }
}

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
        Ns::News if node.name().eq_ignore_ascii_case("news") => {
            article(node, take, entry.news.get_or_insert_default());
        }
        Ns::Xhtml if node.name().eq_ignore_ascii_case("link") => link(node, take, entry),
        Ns::Mobile if node.name().eq_ignore_ascii_case("mobile") => take.flag(node, &mut entry.mobile),
        Ns::PageMap if node.name() == "PageMap" => page_map(node, take, entry.page_map.get_or_insert_default()),
        ns if reading.is_core(ns) => core(node, take, entry, reading),
        _ => leave_videos(node, take),
    }
}

pub(super) fn core<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, reading: CoreNamespace) {
    match name_of(node, take, &["loc", "lastmod", "changefreq", "priority", "expires", "PageMap"]) {
        "loc" => reading.address_of(node, take, &mut entry.loc),
        "lastmod" => take.date_text(node, DateForm::W3c, &mut entry.updated),
        "changefreq" => {
            take.known(node);
            if let Some(text) = node.text() {
                word(text, take, Field::Changefreq.terms(), &mut entry.changefreq);
            }
        }
        "priority" => take.text(node, &mut entry.priority),
        "expires" => take.date_text(node, DateForm::W3c, &mut entry.expires),
        "PageMap" => page_map(node, take, entry.page_map.get_or_insert_default()),
        _ => leave_videos(node, take),
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
            "geo_location" => words(child, take, &mut image.geo_location),
            "title" => plain(child, take, &mut image.title),
            "license" => reading.address_of(child, take, &mut image.license),
            _ => (),
        }
    }
}

const NEWS: &[&str] =
    &["publication", "publication_date", "title", "access", "genres", "keywords", "stock_tickers", "name", "language"];

/// Reads the article of a page: of several that contradict each other, the first that is whole.
pub(super) fn article<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, first: &mut News<'a>) {
    let contradicted = if first.is_blank() { None } else { take.contradicted(node) };
    let Some(before) = contradicted else { return news(node, take, first) };
    let mut second = News::default();
    news(node, take, &mut second);
    if is_article(&second) && !is_article(first) {
        std::mem::swap(first, &mut second);
        take.choose(node, before, &second, Reason::CompleteNews);
    } else {
        take.put_aside(node, Some(before), &second, Reason::FirstWins);
    }
}

fn news<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, news: &mut News<'a>) {
    take.known(node);
    for child in node.children().filter(|child| matches!(child.ns(), Ns::News | Ns::Sitemap | Ns::None)) {
        let name = name_of(child, take, NEWS);
        if !name.is_empty() {
            take.unprefixed(child, Ns::News);
        }
        match name {
            "publication" => publication(child, take, news),
            "publication_date" => take.date_text(child, DateForm::W3c, &mut news.published),
            "title" => words(child, take, &mut news.title),
            "access" => take.text(child, &mut news.access),
            "genres" => take.text(child, &mut news.genres),
            "keywords" => words(child, take, &mut news.keywords),
            "stock_tickers" => take.text(child, &mut news.stock_tickers),
            _ => (),
        }
    }
}

fn publication<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, news: &mut News<'a>) {
    let is_filled = news.name.is_some() || news.language.is_some();
    if take.sets_aside(node, is_filled, |take, aside| publication(node, take, aside)) {
        return;
    }
    take.known(node);
    for part in node.children() {
        match name_of(part, take, &["name", "language"]) {
            "name" => words(part, take, &mut news.name),
            "language" => take.language_text(part, &mut news.language),
            _ => (),
        }
    }
}

/// `xhtml:link`: one with `hreflang` names the page in another language, any other is a link.
fn link<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    take.known(node);
    let mut link = Link::default();
    let language = node.attribute("hreflang").is_some();
    link.without_rel = node.attribute("rel").is_none_or(|rel| rel.value().trim().is_empty());
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
