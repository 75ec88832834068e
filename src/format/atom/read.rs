//! Reads Atom 1.0 (RFC 4287) and Atom 0.3, feeds and entry documents, with a prefix or without a namespace.
//! The elements of other vocabularies are read in `format::ns`, after the core ones, so that these win their places.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::format::contract::{EntryDelimiter, FormatReader, ReadContext};
use crate::format::ns::{georss, media, modules};
use crate::format::order;
use crate::format::rss::person::{holds_address, take_person};
use crate::format::sitemap::carry;
use crate::model::date::DateForm;
use crate::model::{
    Category, Date, Enclosure, Entry, Feed, FeedImage, Generator, Leaf, Link, Mark, Module, ModuleAttribute, Person,
    Source, SourceImage, Str, Text, TextKind,
};
use crate::reason::Reason;
use crate::text::{html, mime, relation, url};
use crate::tree::{Node, NodeKind, Take};
use crate::xml::names::Ns;
use crate::xml::split::Shape;

/// Reads all versions of Atom.
pub struct AtomReader;

impl FormatReader for AtomReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::Markup(Shape::ATOM)
    }

    fn head<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>, around: ReadContext<'a>) {
        take.known(root);
        if root.ns() == Ns::None {
            let old = root.attribute("version").is_some_and(|version| version.value().trim() == "0.3");
            let uri = if old { Ns::Atom03.uri() } else { Ns::Atom.uri() };
            take.remark(root, "ns.alias", root.name(), format!("no namespace, read as {uri}"));
        }
        if legacy(root)
            && let Some(version) = root.attribute("version")
        {
            take.implied(version);
        }
        take.xml_lang(root, &mut feed.language);
        take.attr_ns(root, Ns::Xml, "base", &mut feed.base);
        let base = Base::of_head(root, around);
        for el in core(root) {
            head_child(take, el, base, feed);
        }
        head_links(take, root, base, feed);
        for el in others(root) {
            if !media::feed_child(el, take, feed) {
                modules::feed_child(el, take, feed);
            }
        }
        modules::describe(feed);
        order::sort(&mut feed.modules, order::atom_head);
    }

    fn entry<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        entry: &mut Entry<'a>,
        around: ReadContext<'a>,
    ) {
        take.known(root);
        take.xml_lang(root, &mut entry.language);
        take.attr_ns(root, Ns::Xml, "base", &mut entry.base);
        let base = Base::of_entry(root, around);
        for el in core(root) {
            entry_child(take, el, base, entry);
        }
        let files = entry_links(take, root, base, entry);
        // before the modules, which keep what of it is no place
        georss::read(root, take, entry);
        for el in others(root) {
            if !media::item_child(el, take, entry, around.options) {
                modules::entry_child(el, take, entry);
            }
        }
        media::gather(entry, around);
        let apart = around.options.no_merge_ungrouped || files.len() > 1 && carry::has_several_videos(root);
        media::enclosures(files, Ns::Atom, entry, apart, (root, take));
        carry::read(root, take, entry);
        media::finish(entry, around);
        order::sort(&mut entry.modules, order::atom_entry);
    }
}

/// The children in the vocabulary of their parent.
fn core<'t, 'a>(parent: Node<'t, 'a>) -> impl Iterator<Item = Node<'t, 'a>> {
    let home = parent.ns();
    parent.children().filter(move |el| el.ns() == home || matches!(el.ns(), Ns::Atom | Ns::Atom03))
}

/// The children in other vocabularies.
fn others<'t, 'a>(parent: Node<'t, 'a>) -> impl Iterator<Item = Node<'t, 'a>> {
    let home = parent.ns();
    parent.children().filter(move |el| el.ns() != home && !matches!(el.ns(), Ns::Atom | Ns::Atom03))
}

/// Whether the names of Atom 0.3 count: in its namespace, and in none.
fn legacy(el: Node<'_, '_>) -> bool {
    matches!(el.ns(), Ns::Atom03 | Ns::None)
}

fn head_child<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, base: Base<'_>, feed: &mut Feed<'a>) {
    match el.name() {
        "id" => take.text(el, &mut feed.id),
        "title" => text(take, el, &mut feed.title),
        "subtitle" => text(take, el, &mut feed.subtitle),
        "tagline" if legacy(el) => text(take, el, &mut feed.subtitle),
        "updated" => updated(take, el, &mut feed.updated),
        "modified" if legacy(el) => take.date_text(el, DateForm::W3c, &mut feed.updated),
        // in no version of Atom, but in the feeds of YouTube
        "published" => take.date_text(el, DateForm::W3c, &mut feed.published),
        "author" => feed.authors.extend(person(take, el, base)),
        "contributor" => feed.contributors.extend(person(take, el, base)),
        "category" => feed.categories.extend(category(take, el)),
        "generator"
            if take.sets_aside(el, feed.generator.is_some(), |take, aside: &mut Feed<'a>| {
                generator(take, el, base, &mut aside.generator);
            }) => {}
        "generator" => generator(take, el, base, &mut feed.generator),
        "icon" => address_of(take, el, base, &mut feed.icon),
        "logo" => {
            let mut image = feed.image.take().unwrap_or_default();
            address_of(take, el, base, &mut image.url);
            feed.image = (image != FeedImage::default()).then_some(image);
        }
        "rights" => text(take, el, &mut feed.rights),
        "copyright" if legacy(el) => text(take, el, &mut feed.rights),
        "info" if legacy(el) => feed.modules.extend(info(take, el)),
        _ => nested(take, el),
    }
}

/// Entries in an element that is not read are not read either; the videos in them are counted.
fn nested<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>) {
    if !el.has_children() {
        return;
    }
    let is_video = |node: Node<'_, '_>| {
        let is_object = node.ns() == Ns::Media && matches!(node.name(), "content" | "group" | "player");
        is_object || node.ns() == el.ns() && node.name() == "link" && rel(node) == "enclosure"
    };
    let end = el.raw().end;
    let inside = el.and_behind().take_while(|node| node.raw().at < end);
    let entries = inside.filter(|node| node.ns() == el.ns() && node.name() == "entry");
    entries.filter(|entry| entry.children().any(is_video)).for_each(|entry| take.leave_video(entry));
}

/// A description of the feed's format in Atom 0.3; later versions have none.
fn info<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>) -> Option<Module<'a>> {
    let mut said = None;
    text(take, el, &mut said);
    let Text { kind: _, value, lang, base } = said?;
    let attribute = |(name, value): (&'static str, Option<Str<'a>>)| {
        Some(ModuleAttribute { name: name.into(), value: Some(value?) })
    };
    let attributes = [("xml:lang", lang), ("xml:base", base)].into_iter().filter_map(attribute).collect();
    Some(Module { name: modules::ATOM_INFO.into(), value: Some(value), attributes, flag: None })
}

fn entry_child<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, base: Base<'_>, entry: &mut Entry<'a>) {
    match el.name() {
        "id" => take.text(el, &mut entry.id),
        "title" => text(take, el, &mut entry.title),
        "summary" => text(take, el, &mut entry.summary),
        "content" => content(take, el, base, entry),
        "updated" => updated(take, el, &mut entry.updated),
        "modified" if legacy(el) => take.date_text(el, DateForm::W3c, &mut entry.updated),
        "published" => take.date_text(el, DateForm::W3c, &mut entry.published),
        "issued" if legacy(el) => take.date_text(el, DateForm::W3c, &mut entry.published),
        "created" if legacy(el) => take.date_text(el, DateForm::W3c, &mut entry.created),
        "author" => entry.authors.extend(person(take, el, base)),
        "contributor" => entry.contributors.extend(person(take, el, base)),
        "category" => entry.categories.extend(category(take, el)),
        "rights" => text(take, el, &mut entry.rights),
        "copyright" if legacy(el) => text(take, el, &mut entry.rights),
        "source" if entry.source.is_some() => {
            let chosen = take.chosen_like(el);
            take.set_aside(el, chosen, |take, aside| entry_child(take, el, base, aside));
        }
        "source" => {
            let source = source(take, el, base);
            entry.source = (source != Source::default()).then(|| Box::new(source));
        }
        _ => nested(take, el),
    }
}

/// The date of the last change, and whether an earlier conversion generated it.
fn updated<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, slot: &mut Option<Leaf<Date>>) {
    let is_first = slot.is_none();
    take.date_text(el, DateForm::W3c, slot);
    let sign = el.attribute_ns(Ns::Transfeed, "generated").filter(|sign| is_first && sign.value().trim() == "true");
    if let (Some(sign), Some(date)) = (sign, slot) {
        date.via = Some(Ns::Transfeed);
        take.follow(sign, date.mark);
    }
}

fn source<'t, 'a>(take: &mut Take<'t, 'a>, root: Node<'t, 'a>, base: Base<'_>) -> Source<'a> {
    let mut source = Source::default();
    take.xml_lang(root, &mut source.language);
    take.attr_ns(root, Ns::Xml, "base", &mut source.base);
    let base = base.below(root);
    let page = page_link(root, base);
    for el in core(root) {
        match el.name() {
            "id" => take.text(el, &mut source.id),
            "title" => text(take, el, &mut source.title),
            "subtitle" => text(take, el, &mut source.subtitle),
            "updated" => take.date_text(el, DateForm::W3c, &mut source.updated),
            "modified" if legacy(el) => take.date_text(el, DateForm::W3c, &mut source.updated),
            "tagline" if legacy(el) => text(take, el, &mut source.subtitle),
            "rights" => text(take, el, &mut source.rights),
            "copyright" if legacy(el) => text(take, el, &mut source.rights),
            "author" => source.authors.extend(person(take, el, base)),
            "contributor" => source.contributors.extend(person(take, el, base)),
            "category" => source.categories.extend(category(take, el)),
            "generator"
                if take.sets_aside(el, source.generator.is_some(), |take, aside: &mut Entry<'a>| {
                    generator(take, el, base, &mut aside.source.get_or_insert_default().generator);
                }) => {}
            "generator" => generator(take, el, base, &mut source.generator),
            "icon" => address_of(take, el, base, &mut source.icon),
            "logo" => {
                let mut image = source.image.take().unwrap_or_default();
                address_of(take, el, base, &mut image.url);
                source.image = (image != SourceImage::default()).then_some(image);
            }
            "link" if Some(el.index) == page => {
                main_link(take, el, base, "alternate", None, &mut source.home, &mut source.links);
            }
            "link" if rel(el) == "self" && source.self_url.is_none() => {
                main_link(take, el, base, "self", None, &mut source.self_url, &mut source.links);
            }
            "link" => source.links.extend(link(take, el, base, None)),
            _ => (),
        }
    }
    source
}

fn person<'t, 'a>(take: &mut Take<'t, 'a>, root: Node<'t, 'a>, base: Base<'_>) -> Option<Person<'a>> {
    let mut person = Person::default();
    take.known(root);
    let base = base.below(root);
    for el in core(root) {
        match el.name() {
            "name" if person == Person::default() && holds_address(root, el) => {
                person = take_person(el, take, None).unwrap_or_default();
            }
            "name" => take.text(el, &mut person.name),
            "email" => take.text(el, &mut person.email),
            "uri" | "url" => address_of(take, el, base, &mut person.uri),
            _ => (),
        }
    }
    if !root.has_children() {
        take.text(root, &mut person.name);
    }
    (person != Person::default()).then_some(person)
}

fn category<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>) -> Option<Category<'a>> {
    let mut category = Category::default();
    take.attr(el, "term", &mut category.term);
    take.attr(el, "scheme", &mut category.scheme);
    take.attr(el, "label", &mut category.label);
    if category.term.is_none() {
        take.text(el, &mut category.term);
    }
    (category != Category::default()).then_some(category)
}

fn generator<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, base: Base<'_>, slot: &mut Option<Generator<'a>>) {
    let mut generator = slot.take().unwrap_or_default();
    take.text(el, &mut generator.name);
    for name in ["uri", "url"] {
        if let Some(attribute) = el.attribute(name) {
            address(take, attribute, base.below(el), &mut generator.uri);
        }
    }
    take.attr(el, "version", &mut generator.version);
    *slot = (generator != Generator::default()).then_some(generator);
}

// --- URLs ---

/// The base of relative URLs: the enclosing bases, outermost first, and the feed's own URL if there are none (RFC 4287
/// section 2, RFC 3986 section 5.1).
#[derive(Clone, Copy)]
struct Base<'b> {
    chain: [Option<&'b str>; 4],
    self_url: Option<&'b str>,
}

impl<'b> Base<'b> {
    fn of_head<'a: 'b>(root: Node<'b, 'a>, around: ReadContext<'a>) -> Base<'b> {
        let links = core(root).filter(|el| el.name() == "link" && rel(*el) == "self");
        let self_url = links.filter_map(|el| el.attribute("href")).map(|href| href.value()).next();
        Base { chain: [around.options.base.as_deref(), None, own_base(root), None], self_url }
    }

    fn of_entry<'a: 'b>(root: Node<'b, 'a>, around: ReadContext<'a>) -> Base<'b> {
        let outer = around.feed.and_then(|feed| feed.base.as_ref()).map(|base| base.as_str());
        let self_url = around.feed.and_then(|feed| feed.self_url.as_ref()).map(|address| address.as_str());
        Base { chain: [around.options.base.as_deref(), outer, own_base(root), None], self_url }
    }

    /// The base inside an element of an entry or a head.
    fn below<'c, 'a>(self, el: Node<'c, 'a>) -> Base<'c>
    where
        'b: 'c,
    {
        match own_base(el) {
            None => self,
            Some(own) => {
                let [a, b, c, d] = self.chain;
                // `source` and persons are one level deeper than the other children of an entry
                let chain = if d.is_none() { [a, b, c, Some(own)] } else { [a.or(b), c, d, Some(own)] };
                Base { chain, ..self }
            }
        }
    }

    fn resolve(&self, reference: &str) -> Option<String> {
        let mut whole: Option<String> = None;
        for step in self.chain.iter().flatten().map(|step| step.trim()) {
            whole = match &whole {
                _ if url::scheme(step).is_some() => Some(step.to_owned()),
                Some(outer) => url::resolve(outer, step),
                None => None,
            };
        }
        let base = whole.or_else(|| self.self_url.map(str::to_owned))?;
        url::resolve(&base, reference)
    }
}

fn own_base<'t>(el: Node<'t, '_>) -> Option<&'t str> {
    el.attribute_ns(Ns::Xml, "base").map(|base| base.value())
}

/// Reads a URL and makes it absolute.
fn address<'t, 'a>(take: &mut Take<'t, 'a>, node: Node<'t, 'a>, base: Base<'_>, slot: &mut Option<Str<'a>>) {
    let full = slot.is_some();
    take.value(node, None, slot);
    let Some(leaf) = slot.as_mut().filter(|_| !full) else { return };
    if let Some(mended) = url::repair(&leaf.value) {
        take.remark(node, "url.lenient", &leaf.value, format!("{}: {}", mended.said, mended.address));
        take.adjusted(leaf.mark, if mended.snippet { Reason::PlayerUrl } else { Reason::ValidUrl });
        leaf.value = mended.address.into();
    }
    if url::scheme(leaf).is_some() {
        return;
    }
    match base.resolve(leaf) {
        Some(absolute) => {
            leaf.value = absolute.into();
            take.adjusted(leaf.mark, Reason::ResolvedUrl);
        }
        None if leaf.starts_with("//") => {
            leaf.value = format!("https:{}", leaf.value).into();
            take.adjusted(leaf.mark, Reason::ValidUrl);
        }
        None => take.remark(node, "url.relative", leaf, "kept; its base URL is unknown"),
    }
}

/// The same for the text of an element.
fn address_of<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, base: Base<'_>, slot: &mut Option<Str<'a>>) {
    take.known(el);
    if let Some(run) = el.text() {
        address(take, run, base.below(el), slot);
        follow_base(take, el, slot);
    }
}

/// Marks the base as part of the resolved URL.
fn follow_base<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, slot: &Option<Str<'a>>) {
    if let (Some(base), Some(leaf)) = (el.attribute_ns(Ns::Xml, "base"), slot) {
        take.follow(base, leaf.mark);
    }
}

// --- links ---

/// The relation of a link under its short name (RFC 4287 section 4.2.7.2).
fn rel<'t>(el: Node<'t, '_>) -> &'t str {
    let rel = el.attribute("rel").map_or("", |rel| rel.value().trim());
    match rel.strip_prefix("http://www.iana.org/assignments/relation/") {
        Some(short) => short,
        None if rel.is_empty() => "alternate",
        None if rel.bytes().any(|byte| byte.is_ascii_uppercase()) => relation::registered(rel).unwrap_or(rel),
        None => rel,
    }
}

/// The links of a feed or an entry that lead somewhere.
fn links<'t, 'a>(root: Node<'t, 'a>) -> impl Iterator<Item = Node<'t, 'a>> {
    core(root).filter(|el| el.name() == "link" && el.attribute("href").is_some())
}

fn kind<'t>(el: Node<'t, '_>) -> Option<&'t str> {
    el.attribute("type").map(|kind| kind.value().trim())
}

/// The link to the page: an alternate that is HTML or has no type, those without a language first.
/// An empty one leads nowhere, unless there is a base that it refers to.
fn page_link(root: Node<'_, '_>, base: Base<'_>) -> Option<u32> {
    let leads = |el: &Node<'_, '_>| {
        let is_empty = el.attribute("href").is_none_or(|href| href.value().trim().is_empty());
        !is_empty || base.below(*el).resolve("").is_some()
    };
    let rank = |el: &Node<'_, '_>| {
        let foreign = kind(*el).is_some_and(|kind| !mime::is_html(kind));
        (foreign, el.attribute("hreflang").is_some(), kind(*el).is_none())
    };
    links(root).filter(|el| rel(*el) == "alternate" && leads(el)).min_by_key(rank).map(|el| el.index)
}

fn head_links<'t, 'a>(take: &mut Take<'t, 'a>, root: Node<'t, 'a>, base: Base<'_>, feed: &mut Feed<'a>) {
    let page = page_link(root, base);
    for el in links(root) {
        let more = &mut feed.links;
        match rel(el) {
            "alternate" if Some(el.index) == page => {
                main_link(take, el, base, "alternate", None, &mut feed.home, more);
            }
            "self" if feed.self_url.is_none() => main_link(take, el, base, "self", None, &mut feed.self_url, more),
            _ => more.extend(link(take, el, base, None)),
        }
    }
}

/// The links of an entry; returns its files.
fn entry_links<'t, 'a>(
    take: &mut Take<'t, 'a>,
    root: Node<'t, 'a>,
    base: Base<'_>,
    entry: &mut Entry<'a>,
) -> Vec<Enclosure<'a>> {
    let mut files = Vec::new();
    let page = page_link(root, base);
    for el in links(root) {
        let more = &mut entry.links;
        let html = kind(el).is_some_and(mime::is_html);
        match rel(el) {
            "alternate" if Some(el.index) == page => {
                main_link(take, el, base, "alternate", None, &mut entry.loc, more);
            }
            "alternate" if el.attribute("hreflang").is_some() => {
                entry.alternates.extend(link(take, el, base, Some("alternate")));
            }
            "license" if entry.license.is_none() => {
                main_link(take, el, base, "license", None, &mut entry.license, more);
            }
            "replies" if html && entry.comments.is_none() => {
                main_link(take, el, base, "replies", Some("text/html"), &mut entry.comments, more);
            }
            "replies" if !html && entry.comment_feed.is_none() => {
                main_link(take, el, base, "replies", None, &mut entry.comment_feed, more);
            }
            "enclosure" => files.push(enclosure(take, el, base)),
            _ => more.extend(link(take, el, base, None)),
        }
    }
    files
}

fn enclosure<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, base: Base<'_>) -> Enclosure<'a> {
    let mut file = Enclosure::default();
    if let Some(href) = el.attribute("href") {
        address(take, href, base.below(el), &mut file.url);
        follow_base(take, el, &file.url);
    }
    take.attr(el, "type", &mut file.kind);
    take.attr(el, "length", &mut file.length);
    take.attr(el, "title", &mut file.title);
    take.language_attr(el, "hreflang", &mut file.lang);
    if let Some(rel) = el.attribute("rel").filter(|_| file != Enclosure::default()) {
        take.implied(rel);
    }
    file
}

/// Reads a link with all its attributes. The relation is `usual` if the link's field in the model implies it.
fn link<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, base: Base<'_>, usual: Option<&str>) -> Option<Link<'a>> {
    let mut link = Link::default();
    if let Some(href) = el.attribute("href") {
        address(take, href, base.below(el), &mut link.href);
        follow_base(take, el, &link.href);
    }
    if let Some(usual) = usual.filter(|_| link.href.is_some()) {
        take.implied_attr(el, "rel", usual);
    }
    details(take, el, &mut link);
    (link != Link::default()).then_some(link)
}

/// Reads a link whose URL has its own field in the model. Its further attributes are kept in a link without a URL,
/// unless they are only the relation and type that the field implies.
fn main_link<'t, 'a>(
    take: &mut Take<'t, 'a>,
    el: Node<'t, 'a>,
    base: Base<'_>,
    usual_rel: &str,
    usual_type: Option<&str>,
    slot: &mut Option<Str<'a>>,
    more: &mut Vec<Link<'a>>,
) {
    take.known(el);
    if let Some(href) = el.attribute("href") {
        address(take, href, base.below(el), slot);
        follow_base(take, el, slot);
    }
    // without a URL, nothing implies the relation
    let says_more = slot.is_none()
        || el.attributes().any(|attribute| match (attribute.ns(), attribute.name()) {
            (Ns::None, "rel") => !attribute.value().trim().eq_ignore_ascii_case(usual_rel),
            (Ns::None, "type") => usual_type != Some(attribute.value().trim()),
            (Ns::None, "hreflang" | "title" | "length") => true,
            (ns, _) => modules::is_module(ns),
        });
    if says_more {
        let mut link = Link::default();
        details(take, el, &mut link);
        more.extend((link != Link::default()).then_some(link));
    } else {
        take.implied_attr(el, "rel", usual_rel);
        if let Some(usual) = usual_type {
            take.implied_attr(el, "type", usual);
        }
    }
}

fn details<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, link: &mut Link<'a>) {
    take.attr(el, "rel", &mut link.rel);
    take.attr(el, "type", &mut link.kind);
    take.language_attr(el, "hreflang", &mut link.hreflang);
    take.attr(el, "title", &mut link.title);
    take.attr(el, "length", &mut link.length);
    for attribute in el.attributes().filter(|attribute| modules::is_module(attribute.ns())) {
        let mut value = None;
        take.value(attribute, None, &mut value);
        let name = format!("{}:{}", attribute.ns().prefix(), attribute.name());
        link.modules.push(ModuleAttribute { name: name.into(), value });
    }
}

// --- texts ---

/// What the `type` of a text means; absent for other MIME types.
fn kind_of(kind: &str) -> Option<TextKind> {
    let is = |names: &[&str]| names.iter().any(|name| kind.eq_ignore_ascii_case(name));
    match kind.split(';').next().unwrap_or("").trim() {
        "" => Some(TextKind::Plain),
        _ if is(&["text", "text/plain"]) => Some(TextKind::Plain),
        _ if is(&["html", "text/html"]) => Some(TextKind::Html),
        _ if is(&["xhtml", "application/xhtml+xml"]) => Some(TextKind::Xhtml),
        _ => None,
    }
}

/// Whether Atom 0.3 marks a text as Base64.
fn is_coded(el: Node<'_, '_>) -> bool {
    el.attribute("mode").is_some_and(|mode| mode.value().trim().eq_ignore_ascii_case("base64"))
}

/// Takes a text construct (RFC 4287 section 3.1), also with the MIME types of Atom 0.3.
fn text<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, slot: &mut Option<Text<'a>>) {
    if is_coded(el) {
        return decoded(take, el, slot);
    }
    take.known(el);
    let kind = understood_kind(take, el);
    let full = slot.is_some();
    if el.has_children() || kind == TextKind::Xhtml {
        if kind != TextKind::Xhtml && !full {
            note_markup(take, el);
        }
        xhtml(take, el, sole_div(el).unwrap_or(el), slot);
    } else {
        take.construct(el, kind, None, slot);
    }
    follow_kind(take, el, full, slot);
}

/// Takes a text that Atom 0.3 has as Base64. What is no such thing, or no text of a kind that is about, stays unread.
fn decoded<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, slot: &mut Option<Text<'a>>) {
    let said = el.attribute("type").map_or("", |kind| kind.value().trim());
    let Some(kind @ (TextKind::Plain | TextKind::Html)) =
        kind_of(said).filter(|_| slot.is_none() && !el.has_children())
    else {
        return;
    };
    let coded: String = el.text_value().split_ascii_whitespace().collect();
    let Some(words) = STANDARD.decode(coded).ok().and_then(|bytes| String::from_utf8(bytes).ok()) else { return };
    take.construct(el, kind, None, slot);
    if let Some(text) = slot {
        text.value.value = words.into();
    }
    follow_kind(take, el, false, slot);
}

/// Reports elements in a text that should be without markup, or have it escaped. Atom 0.3 allows them in any text.
fn note_markup<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>) {
    let escaped = el.attribute("mode").is_some_and(|mode| mode.value().trim().eq_ignore_ascii_case("escaped"));
    if let Some(first) = el.children().next().filter(|_| has_content(el) && (escaped || !legacy(el))) {
        let found = format!("<{}>", first.raw().qname);
        take.remark(el, "text.markup", &found, "elements in a plain text, read as XHTML");
    }
}

/// The kind that the `type` of a text names, or the nearest to it.
fn understood_kind<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>) -> TextKind {
    let Some(attribute) = el.attribute("type") else { return TextKind::Plain };
    let found = attribute.value().trim();
    match kind_of(found) {
        Some(kind) => {
            if el.ns() == Ns::Atom && found.contains('/') {
                take.remark(attribute, "text.type", found, "read as the kind of text that it means");
            }
            kind
        }
        None if el.has_children() => {
            take.remark(attribute, "text.type", found, "read as XHTML");
            TextKind::Xhtml
        }
        None if html::is_markup(el.text_value()) => {
            take.remark(attribute, "text.type", found, "read as HTML");
            TextKind::Html
        }
        None => {
            take.remark(attribute, "text.type", found, "read as plain text");
            TextKind::Plain
        }
    }
}

/// The `type` (and in Atom 0.3 the `mode`) of a text goes where the text goes.
fn follow_kind<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, full: bool, slot: &Option<Text<'a>>) {
    for name in ["type", "mode"] {
        let Some(attribute) = el.attribute(name).filter(|_| name == "type" || legacy(el)) else { continue };
        match slot {
            Some(first) if full => take.merge(attribute, Reason::FirstWins, first.value.mark),
            Some(text) if name == "type" && kind_of(attribute.value().trim()).is_none() => {
                let why = match text.kind {
                    TextKind::Plain => Reason::UsualTerm,
                    TextKind::Html | TextKind::Xhtml => Reason::AsHtml,
                };
                take.follow_otherwise(attribute, text.value.mark, why);
            }
            Some(text) => take.follow(attribute, text.value.mark),
            // content other than text is not understood, nor is its type
            None if el.has_children() => (),
            // the kind of a text that is not there
            None => take.implied(attribute),
        }
    }
}

/// The one `div` around XHTML, if it has no attributes.
fn sole_div<'t, 'a>(el: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
    let mut inside = el.nodes().filter(|node| node.kind() != NodeKind::Attribute);
    let div = inside.next().filter(|node| node.kind() == NodeKind::Element && node.name() == "div")?;
    (inside.next().is_none() && div.attributes().next().is_none()).then_some(div)
}

/// Takes markup as a text: the content of `inner`, which is the element itself or its `div`.
fn xhtml<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, inner: Node<'t, 'a>, slot: &mut Option<Text<'a>>) {
    if inner.index != el.index || slot.is_some() {
        take.xhtml(el, inner, None, slot);
        return;
    }
    if !has_content(el) {
        return;
    }
    // the attributes of the element itself are none of its content
    let (mut lang, mut base) = (None, None);
    take.xml_lang(el, &mut lang);
    take.attr_ns(el, Ns::Xml, "base", &mut base);
    take.xhtml(el, el, None, slot);
    if let Some(text) = slot {
        text.lang = lang;
        text.base = base;
        for attribute in ["type", "mode"].into_iter().filter_map(|name| el.attribute(name)) {
            take.follow(attribute, text.value.mark);
        }
    }
}

/// Whether there is a leaf below an element, besides its own attributes.
fn has_content(el: Node<'_, '_>) -> bool {
    let (first, end) = (el.index + 1, el.raw().end);
    let below =
        (first..el.tree.nodes.len() as u32).map(|index| el.tree.node(index)).take_while(|node| node.raw().at < end);
    below.into_iter().any(|node| match node.kind() {
        NodeKind::Text => true,
        NodeKind::Attribute => node.raw().parent != el.index,
        NodeKind::Element => false,
    })
}

/// Takes `content`: a text, a reference, or something of another MIME type (RFC 4287 section 4.1.3).
fn content<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, base: Base<'_>, entry: &mut Entry<'a>) {
    let first = first_content(entry);
    if let Some(src) = el.attribute("src") {
        take.known(el);
        match first {
            Some(mark) => merge_attributes(take, el, &["src", "type"], mark),
            None => {
                address(take, src, base.below(el), &mut entry.content_src);
                follow_base(take, el, &entry.content_src);
                take.attr(el, "type", &mut entry.content_type);
            }
        }
        return;
    }
    let typed =
        el.attribute("type").is_some_and(|kind| kind_of(kind.value().trim()).is_none() && kind.value().contains('/'));
    match first {
        None if typed => {
            // what calls itself text and is coded all the same stays unread, as any other text that is
            let coded = is_coded(el);
            if coded && el.attribute("type").is_some_and(|kind| mime::is_text_or_xml(kind.value())) {
                return;
            }
            take.attr(el, "type", &mut entry.content_type);
            match el.has_children() {
                true => xhtml(take, el, el, &mut entry.content),
                false => take.construct(el, TextKind::Plain, None, &mut entry.content),
            }
            if let (true, Some(mode), Some(text)) = (coded, el.attribute("mode"), &entry.content) {
                // in Atom 1.0, the type implies the mode
                take.follow(mode, text.value.mark);
            }
        }
        Some(mark) if entry.content_src.is_some() => {
            let chosen = take.beside(el, mark);
            take.set_aside(el, chosen, |take, aside| content(take, el, base, aside));
        }
        // a text after a type alone stays unread
        Some(_) if entry.content.is_none() => (),
        _ => text(take, el, &mut entry.content),
    }
}

fn first_content(entry: &Entry<'_>) -> Option<Mark> {
    let text = entry.content.as_ref().map(|text| text.value.mark);
    let src = || entry.content_src.as_ref().map(|src| src.mark);
    text.or_else(src).or_else(|| entry.content_type.as_ref().map(|kind| kind.mark))
}

fn merge_attributes<'t, 'a>(take: &mut Take<'t, 'a>, el: Node<'t, 'a>, names: &[&str], mark: Mark) {
    for attribute in names.iter().filter_map(|name| el.attribute(name)) {
        take.merge(attribute, Reason::FirstWins, mark);
    }
}
