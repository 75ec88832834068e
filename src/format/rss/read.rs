//! Reads an item of RSS of any version. The elements of RSS itself come first, so that they win wherever they are; then
//! Atom's, then those of other modules. The head of the document is read in head.rs.

use super::head::{self, category, is_core};
use super::person::take_person;
use crate::format::contract::{EntryDelimiter, FormatReader, ReadContext};
use crate::format::ns::dialect::LIVE_ITEM;
use crate::format::ns::{georss, media, modules};
use crate::format::order;
use crate::format::sitemap::carry;
use crate::model::date::DateForm;
use crate::model::leaf::TextKind;
use crate::model::lent::LentObjects;
use crate::model::{Date, Enclosure, Entry, Feed, Mark, Module, ModuleAttribute, Precision, Source};
use crate::options::Options;
use crate::pages;
use crate::reason::Reason;
use crate::text::html;
use crate::tree::wild::TRUE_FALSE;
use crate::tree::{Node, Take, Tree, is_unescaped};
use crate::xml::names::Ns;
use crate::xml::split::Shape;

/// Reads RSS of all versions.
pub struct RssReader;

impl FormatReader for RssReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::Markup(Shape::RSS)
    }
    fn head<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>, _around: ReadContext<'a>) {
        head::read(root, take, feed);
    }
    fn objects(&self, root: Node<'_, '_>) -> LentObjects {
        head::objects(root)
    }
    fn borrow<'a>(&self, tree: &mut Tree<'a>, objects: &'a LentObjects, container: u32) {
        let mut names = (0..).map(|number| head::lent_name(container, number));
        while names.next().is_some_and(|name| tree.lend(objects, &name)) {}
    }
    fn entry<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        entry: &mut Entry<'a>,
        around: ReadContext<'a>,
    ) {
        item(root, take, entry, around);
    }
}

fn item<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, around: ReadContext<'a>) {
    take.known(root);
    live_item(root, take, entry);
    take.xml_lang(root, &mut entry.language);
    if let Some(language) = &mut entry.language {
        language.via = Some(Ns::Xml);
    }
    take.attr_ns(root, Ns::Xml, "base", &mut entry.base);
    coarse_date(root, take, entry);
    let mut files = LinkedFiles::default();
    for child in root.children() {
        match child.ns() {
            Ns::Content if child.name() == "encoded" => take.construct(child, TextKind::Html, None, &mut entry.content),
            ns if is_core(ns) => core(child, take, entry, &mut files),
            _ => (),
        }
    }
    content_in_description(root, take, entry);
    about(root, take, entry);
    modules::page_link(root, take, &mut entry.loc, &mut entry.links);
    // feeds also give their license in these elements, others by links
    let is_license = |child: &Node<'t, 'a>| {
        child.name() == "license" && matches!(child.ns(), Ns::CreativeCommons | Ns::Cc | Ns::Dcterms)
    };
    for child in root.children().filter(is_license) {
        modules::entry_child(child, take, entry);
    }
    for child in root.children().filter(|child| child.ns() == Ns::Atom) {
        match child.name() {
            "link" if modules::rel_of(child) == "enclosure" => files.links.extend(link_enclosure(child, take)),
            _ => modules::entry_child(child, take, entry),
        }
    }
    georss::read(root, take, entry);
    for child in root.children().filter(|child| child.ns() != Ns::Atom) {
        others(child, take, entry, around.options);
    }
    if files.own.len() == 1 {
        attached(root, take, entry, around.options);
    }
    media::gather(entry, around);
    let several = files.own.len() + files.links.len() > 1;
    let apart = around.options.no_merge_ungrouped || several && carry::has_several_videos(root);
    media::enclosures(files.own, Ns::Rss2, entry, apart, (root, take));
    media::enclosures(files.links, Ns::Atom, entry, apart, (root, take));
    of_channel(root, take, entry);
    carry::read(root, take, entry);
    media::finish(entry, around);
    order::sort(&mut entry.modules, order::rss_item);
    pages::permalink(entry);
}

/// An item of a podcast for a live stream (A2.5): its status and its times. That it is live is read of the status
/// (`format::ns::dialect`).
fn live_item<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    if root.ns() != Ns::Podcast {
        return;
    }
    let mut module = Module { name: LIVE_ITEM.into(), ..Module::default() };
    for attribute in root.attributes().filter(|attribute| attribute.ns() == Ns::None) {
        let mut value = None;
        take.value(attribute, None, &mut value);
        module.attributes.push(ModuleAttribute { name: attribute.name().into(), value });
    }
    if root.attribute("status").is_none() {
        // without a status, the element is only a flag
        take.flag(root, &mut module.flag);
    }
    entry.modules.push(module);
}

/// Files named outside Media RSS: by `enclosure`, and by links of Atom.
#[derive(Default)]
struct LinkedFiles<'a> {
    own: Vec<Enclosure<'a>>,
    links: Vec<Enclosure<'a>>,
}

fn others<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, options: &Options) {
    match child.ns() {
        Ns::Content if child.name() == "encoded" => (),
        // feeds that forgot the prefix
        ns if is_core(ns) && child.name() == "content" => {
            take.construct(child, TextKind::Html, None, &mut entry.content);
        }
        _ if media::item_child(child, take, entry, options) => (),
        _ => modules::entry_child(child, take, entry),
    }
}

/// Media elements in the only enclosure of an item, which is an empty element, are those of the item.
fn attached<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, options: &Options) {
    let enclosures = root.children().filter(|child| is_core(child.ns()) && child.name() == "enclosure");
    for child in enclosures.flat_map(Node::children).filter(|child| child.ns() == Ns::Media) {
        let is_object = matches!(child.name(), "group" | "content");
        if !is_object && media::item_child(child, take, entry, options) {
            take.remark(child, "markup.place", child.name(), "read as an element of the item");
        }
    }
}

/// The content in a description is that of the item.
fn content_in_description<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let descriptions = root.children().filter(|child| is_core(child.ns()) && child.name() == "description");
    let inside = descriptions.filter(|description| !is_unescaped(*description)).flat_map(Node::children);
    for child in inside.filter(|child| child.ns() == Ns::Content && child.name() == "encoded") {
        take.construct(child, TextKind::Html, None, &mut entry.content);
        take.remark(child, "markup.place", child.raw().qname, "read as an element of the item");
    }
}

/// Takes the values for videos of the item's own channel, where the document has several.
fn of_channel<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let mut channel = None;
    for child in root.lent() {
        match child.ns() {
            Ns::Itunes => explicit(child, take, entry),
            _ => _ = media::level(child, take, &mut channel),
        }
    }
    if let Some(channel) = channel {
        media::apply_defaults(entry, &channel);
    }
}

/// Whether the channel of an item is explicit, which an item may say itself.
fn explicit<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    const NAME: &str = "itunes:explicit";
    if let Some(text) = child.text().filter(|_| entry.module(NAME).is_none()) {
        let mut module = Module { name: NAME.into(), ..Module::default() };
        take.value(text, None, &mut module.value);
        entry.modules.push(module);
    }
}

/// Items in an item are not read; the videos in them are counted.
fn nested<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>) {
    let is_video = |node: Node<'_, '_>| {
        let is_object = node.ns() == Ns::Media && matches!(node.name(), "content" | "group" | "player");
        is_object || is_core(node.ns()) && node.name() == "enclosure"
    };
    let end = child.raw().end;
    let below = child.and_behind().take_while(|node| node.raw().at < end);
    let items = below.filter(|node| is_core(node.ns()) && node.name() == "item");
    items.filter(|item| item.children().any(is_video)).for_each(|item| take.leave_video(item));
}

fn core<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, files: &mut LinkedFiles<'a>) {
    let is_filled = match child.name() {
        "guid" => entry.id.is_some(),
        "source" => entry.source.is_some(),
        _ => false,
    };
    if take.sets_aside(child, is_filled, |take, aside| core(child, take, aside, files)) {
        return;
    }
    match child.name() {
        "title" => take.construct(child, modules::default_kind(child), None, &mut entry.title),
        "link" => take.text(child, &mut entry.loc),
        "description" => {
            let (kind, via) = match stated_kind(child) {
                Some(kind) => (kind, None),
                // words go back as they came
                None if is_words(child) => (TextKind::Plain, Some(Ns::None)),
                None => (TextKind::Html, None),
            };
            take.construct(child, kind, via, &mut entry.summary);
            follow_type(child, take, entry);
        }
        "author" => entry.authors.extend(take_person(child, take, None)),
        "category" => entry.categories.extend(category(child, take)),
        "comments" => take.text(child, &mut entry.comments),
        "enclosure" => files.own.extend(enclosure(child, take)),
        "guid" => {
            take.text(child, &mut entry.id);
            take.flag_attr(child, "isPermaLink", TRUE_FALSE, &mut entry.id_is_permalink);
        }
        "pubDate" => take.date_text(child, DateForm::Rfc822, &mut entry.published),
        "expirationDate" => {
            let media = entry.media.get_or_insert_default();
            let available = media.available.get_or_insert_default();
            take.text_via(child, Some(Ns::Rss2), &mut available.end);
        }
        "source" => {
            let source = entry.source.get_or_insert_with(Box::<Source<'a>>::default);
            take.construct(child, TextKind::Plain, None, &mut source.title);
            take.attr(child, "url", &mut source.self_url);
        }
        _ if child.has_children() => nested(child, take),
        _ => (),
    }
}

/// Whether a description that does not say what it is has words in angle brackets: they would vanish as tags.
fn is_words(element: Node<'_, '_>) -> bool {
    !is_unescaped(element) && reads_as_words(element.text_value())
}

/// The same of a text.
pub(super) fn reads_as_words(text: &str) -> bool {
    html::has_tag(text) && !html::is_markup(text)
}

/// Whether the items below these start tags are of RSS 0.91, which knows no markup in descriptions.
pub(crate) fn has_plain_descriptions(tags: &str) -> bool {
    version_begins(tags, &["version=\"0.91\"", "version='0.91'"])
}

/// Whether they are of RSS 0.91 to 0.94, which require less of an item than RSS 2.0.
pub(super) fn is_older(tags: &str) -> bool {
    version_begins(tags, &["version=\"0.9", "version='0.9"])
}

fn version_begins(tags: &str, versions: &[&str]) -> bool {
    let root = tags.split('>').find(|tag| tag.starts_with("<rss")).unwrap_or("");
    versions.iter().any(|version| root.contains(version))
}

/// Takes a description for what it is there: plain text, unless it has markup all the same.
pub(crate) fn plain_description(entry: &mut Entry<'_>) {
    if let Some(summary) = &mut entry.summary
        && summary.kind != TextKind::Xhtml
        && matches!(summary.value.via, None | Some(Ns::None))
        && !html::is_markup(&summary.value.value)
    {
        (summary.kind, summary.value.via) = (TextKind::Plain, None);
    }
}

/// The kind of a description by its `type`, which RSS 0.94 has.
fn stated_kind(element: Node<'_, '_>) -> Option<TextKind> {
    match element.attribute("type")?.value().trim() {
        "text/html" | "html" => Some(TextKind::Html),
        "text/plain" | "plain" | "text" => Some(TextKind::Plain),
        _ => None,
    }
}

/// Takes the `type` of a description with it, if that is the kind of the text.
fn follow_type<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &Entry<'a>) {
    if let (Some(kind), Some(text)) = (child.attribute("type"), &entry.summary)
        && stated_kind(child) == Some(text.kind)
    {
        take.follow(kind, text.value.mark);
    }
}

/// Reads a date without a time of day next to a `pubDate` that had to be given one (see `write::published`): if both
/// are the same date, the coarse one is the original.
fn coarse_date<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let issued = root.children().find(|child| child.ns() == Ns::Dcterms && child.name() == "issued");
    let Some(issued) = issued else { return };
    let precise = root.children().find(|child| is_core(child.ns()) && child.name() == "pubDate");
    let (Some(coarse), Some(run)) = (issued.text(), precise.and_then(Node::text)) else { return };
    let date = |node: Node<'_, '_>| Date::parse(node.value().trim()).map(|(date, _)| date);
    let (Some(short), Some(long)) = (date(coarse), date(run)) else { return };
    if short.precision() < Precision::Second && is_raised(&short, &long) {
        take.text(issued, &mut entry.published);
        if let (Some(published), Some(precise)) = (&entry.published, precise) {
            take.known(precise);
            take.follow(run, published.mark);
        }
    }
}

/// Whether `long` is `short` with the time of day that its carrier asks for: midnight UTC for a day, no seconds for a
/// minute.
fn is_raised(short: &Date, long: &Date) -> bool {
    let timed = short.precision() >= Precision::Minute;
    long.precision() > short.precision() && (timed || long.offset() == Some(0)) && short.instant() == long.instant()
}

/// `rdf:about` is the URL of an item, and its identifier if there is no `guid`.
fn about<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let Some(about) = root.attribute_ns(Ns::Rdf, "about") else { return };
    match &entry.id {
        Some(id) => {
            let same = about.value().trim() == id.as_str();
            let why = if same { Reason::SameValue } else { Reason::FirstWins };
            let mark: Mark = id.mark;
            take.merge(about, why, mark);
        }
        None => take.value(about, Some(Ns::Rdf), &mut entry.id),
    }
}

fn enclosure<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Option<Enclosure<'a>> {
    let mut enclosure = Enclosure::default();
    take.attr(child, "url", &mut enclosure.url);
    take.attr(child, "type", &mut enclosure.kind);
    match child.attribute("length").filter(|length| length.value().trim() == UNKNOWN) {
        // it follows the URL: back into an enclosure, which requires a length
        Some(length) => match &enclosure.url {
            Some(url) => take.follow(length, url.mark),
            None => take.implied(length),
        },
        None => take.attr(child, "length", &mut enclosure.length),
    }
    (enclosure != Enclosure::default()).then_some(enclosure)
}

/// The length of an enclosure that means it is unknown.
pub(super) const UNKNOWN: &str = "0";

fn link_enclosure<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Option<Enclosure<'a>> {
    let mut enclosure = Enclosure::default();
    take.attr(child, "href", &mut enclosure.url);
    take.attr(child, "type", &mut enclosure.kind);
    take.attr(child, "length", &mut enclosure.length);
    take.attr(child, "title", &mut enclosure.title);
    take.language_attr(child, "hreflang", &mut enclosure.lang);
    if let Some(rel) = child.attribute("rel").filter(|_| enclosure != Enclosure::default()) {
        take.implied(rel);
    }
    if let Some(url) = &mut enclosure.url {
        url.via = Some(Ns::Atom);
    }
    (enclosure != Enclosure::default()).then_some(enclosure)
}
