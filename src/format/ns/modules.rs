//! The modules that RSS and Atom share: Dublin Core, iTunes, threading, syndication and the like. They are read into
//! the concept they speak of where it has no value yet, else kept as they are, and go back where they came from.
//!
//! Not the formats' own elements, which must be read before these, and not Media RSS nor GeoRSS.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::emit::Out;
use crate::fate::FateTable;
use crate::format::contract::Setup;
use crate::format::rss::person::{holds_address, is_nameless, take_person, write_named};
use crate::markup::is_markup;
use crate::model::episode::is_explicit;
use crate::model::leaf::TextKind;
use crate::model::origin::{Origin, Preset};
use crate::model::value::{FromText, Note};
use crate::model::{
    Category, Date, Entry, Feed, Field, Flag, Image, InReplyTo, Leaf, LeafType, Link, Mark, Module, ModuleAttribute,
    Person, Precision, Str, Text, Walk,
};
use crate::reason::Reason;
use crate::text::url;
use crate::tree::{Node, NodeKind, Take, is_unescaped};
use crate::xml::names::{Ns, is_ncname};

/// Whether elements of this namespace are kept as modules when no concept takes them.
pub fn is_module(ns: Ns) -> bool {
    matches!(
        ns,
        Ns::Content
            | Ns::Dc
            | Ns::Dcterms
            | Ns::Itunes
            | Ns::GooglePlay
            | Ns::Sy
            | Ns::Slash
            | Ns::Wfw
            | Ns::Thr
            | Ns::Fh
            | Ns::Yt
            | Ns::CreativeCommons
            | Ns::Cc
            | Ns::Source
    )
}

// --- reading ---

/// Reads a child of an entry that belongs to a module; the entry's own elements must be read by then. Elements of
/// Atom count as a module's, so Atom's reader asks only for its other children.
pub fn entry_child<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    match child.ns() {
        Ns::Atom => entry_atom(child, take, entry),
        Ns::Dc => entry_dc(child, take, entry),
        Ns::Dcterms => entry_dcterms(child, take, entry),
        Ns::Itunes | Ns::GooglePlay => entry_podcast(child, take, entry),
        Ns::Content | Ns::Slash | Ns::Wfw | Ns::Thr | Ns::CreativeCommons | Ns::Cc => entry_small(child, take, entry),
        // places are read by now; what they do not hold (an elevation) is kept
        Ns::GeoRss | Ns::Geo if child.text().is_some_and(|text| !take.taken(text)) => {
            keep(child, take, &mut entry.modules);
        }
        ns if is_module(ns) => keep(child, take, &mut entry.modules),
        _ => (),
    }
}

/// Reads a child of a head that belongs to a module.
pub fn feed_child<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    match child.ns() {
        Ns::Atom => feed_atom(child, take, feed),
        Ns::Dc | Ns::Dcterms => feed_dc(child, take, feed),
        Ns::Itunes => feed_itunes(child, take, feed),
        Ns::GooglePlay => feed_google_play(child, take, feed),
        Ns::Sy => match child.name() {
            "updatePeriod" => slot(child, take, None, &mut feed.update_period, &mut feed.modules),
            "updateFrequency" => slot(child, take, None, &mut feed.update_frequency, &mut feed.modules),
            "updateBase" => update_base(child, take, feed),
            _ => keep(child, take, &mut feed.modules),
        },
        Ns::Fh => flag(child, take, feed),
        ns if is_module(ns) => keep(child, take, &mut feed.modules),
        _ => (),
    }
}

/// A description of the feed's format in Atom 0.3. Atom 1.0 has no element for it.
pub const ATOM_INFO: &str = "atom:info";

/// Keeps a module element whole. One with elements in it is not understood, and stays.
fn keep<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, modules: &mut Vec<Module<'a>>) {
    if child.has_children() {
        return;
    }
    take.module(child, name_of(child), modules);
    // a date that is neither a start nor an end is kept, and not understood
    if child.ns() == Ns::Dcterms && child.name() == "valid" {
        take.mark_unread(child);
    }
}

/// An element's name under its usual prefix.
fn name_of(node: Node<'_, '_>) -> String {
    format!("{}:{}", node.ns().prefix(), node.name())
}

/// Takes an element's text into a free slot, else keeps the element.
fn slot<'t, 'a, T: FromText<'a> + PartialEq>(
    child: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    via: Option<Ns>,
    slot: &mut Option<Leaf<T>>,
    modules: &mut Vec<Module<'a>>,
) {
    // attributes would be lost with a concept that has none; those that nobody knows stay with the element
    let bare = child.attributes().all(|attribute| attribute.ns() == Ns::Unknown);
    if let Some(text) = child.text().filter(|_| slot.is_none() && bare) {
        take.value(text, via, slot);
        if let Some(leaf) = slot {
            take.remark_form(text, &leaf.value);
            return take.known(child);
        }
    }
    // the elements before it do not decide whether it can be read
    let unread = child.text().is_some_and(|text| T::from_text(text.value().trim().to_owned().into()).is_none());
    keep(child, take, modules);
    if unread {
        take.mark_unread(child);
        take.invalid::<T>(child);
    }
}

/// The date that periods are counted from (`sy:updateBase`). The start of 1970 is usual and no placeholder here.
#[derive(PartialEq)]
struct PeriodBase(Date);

impl<'a> FromText<'a> for PeriodBase {
    const SPECIMEN: &'static str = Date::SPECIMEN;

    fn from_text(text: Cow<'a, str>) -> Option<(Self, Option<Note>)> {
        Date::read(&text).map(|(date, note)| (PeriodBase(date), note))
    }

    fn shown(&self) -> String {
        self.0.shown()
    }

    fn other_form(text: &str) -> Option<Note> {
        Date::other_form(text)
    }
}

fn update_base<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    let mut base = feed.update_base.take().map(|base| base.with(PeriodBase(base.value)));
    slot(child, take, None, &mut base, &mut feed.modules);
    feed.update_base = base.map(|base| base.with(base.value.0));
}

/// Takes a date next to one derived from it, which a format with a mandatory time of day required (rule A17): the same
/// instant in lower precision. It is the original.
fn is_more_exact<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Leaf<Date>>) -> bool {
    let (Some(date), Some(run)) = (slot.as_mut(), child.text()) else { return false };
    let Some((said, _)) = Date::parse(run.value()) else { return false };
    let coarser = said.precision() < Precision::Second && date.value.precision() == Precision::Second;
    let bare = date.via.is_none() && child.attributes().next().is_none();
    if !(coarser && bare && said.instant() == date.value.instant()) {
        return false;
    }
    date.value = said;
    take.known(child);
    take.follow(run, date.mark);
    true
}

/// Takes an element's text as a text into a free slot, else keeps the element.
fn text_slot<'t, 'a>(
    child: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    kind: TextKind,
    slot: &mut Option<Text<'a>>,
    modules: &mut Vec<Module<'a>>,
) {
    match slot {
        None => take.construct(child, kind, Some(child.ns()), slot),
        Some(_) => keep(child, take, modules),
    }
}

/// The kind of a text without a declared kind.
pub fn default_kind(element: Node<'_, '_>) -> TextKind {
    let html = is_unescaped(element) || crate::text::html::is_markup(element.text_value());
    if html { TextKind::Html } else { TextKind::Plain }
}

fn name_only<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, persons: &mut Vec<Person<'a>>) {
    persons.extend(take_person(child, take, Some(child.ns())));
}

fn subject<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, categories: &mut Vec<Category<'a>>) {
    let mut category = Category::default();
    take.text_via(child, Some(child.ns()), &mut category.term);
    if category.term.is_some() {
        categories.push(category);
    }
}

fn entry_dc<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let via = Some(Ns::Dc);
    let modules = &mut entry.modules;
    match child.name() {
        "creator" => name_only(child, take, &mut entry.authors),
        "contributor" => name_only(child, take, &mut entry.contributors),
        "publisher" => slot(child, take, None, &mut entry.publisher, modules),
        "date" => slot(child, take, via, &mut entry.published, modules),
        "subject" => subject(child, take, &mut entry.categories),
        "rights" => text_slot(child, take, TextKind::Plain, &mut entry.rights, modules),
        "language" => {
            slot(child, take, via, &mut entry.language, modules);
            take.language(child.text(), &mut entry.language);
        }
        "title" => text_slot(child, take, default_kind(child), &mut entry.title, modules),
        "description" => text_slot(child, take, default_kind(child), &mut entry.summary, modules),
        // terms of the other namespace of Dublin Core
        "created" | "issued" | "modified" => entry_dcterms(child, take, entry),
        _ => keep(child, take, modules),
    }
}

fn entry_dcterms<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let via = Some(Ns::Dcterms);
    let modules = &mut entry.modules;
    match child.name() {
        "created" => slot(child, take, None, &mut entry.created, modules),
        "issued" if is_more_exact(child, take, &mut entry.published) => (),
        "modified" if is_more_exact(child, take, &mut entry.updated) => (),
        "issued" => slot(child, take, via, &mut entry.published, modules),
        "modified" => slot(child, take, via, &mut entry.updated, modules),
        "abstract" => text_slot(child, take, default_kind(child), &mut entry.summary, modules),
        "license" => slot(child, take, via, &mut entry.license, modules),
        _ => keep(child, take, modules),
    }
}

/// Elements of iTunes, and those of Google Play, which mean the same.
fn entry_podcast<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    match (child.ns(), child.name()) {
        (Ns::Itunes, "title") => text_slot(child, take, TextKind::Plain, &mut entry.title, &mut entry.modules),
        (Ns::Itunes, "summary") | (Ns::GooglePlay, "description") => {
            let kind = default_kind(child);
            text_slot(child, take, kind, &mut entry.summary, &mut entry.modules);
        }
        (_, "author") if entry.authors.iter().all(is_nameless) => name_only(child, take, &mut entry.authors),
        (_, "image") if entry.images.is_empty() && is_image(child) => {
            let mut image = Image::default();
            take.attr_alias(child, IMAGE_ATTRIBUTES, &mut image.loc);
            via(&mut image.loc, child.ns());
            entry.images.push(image);
        }
        (Ns::Itunes, "category") => itunes_category(child, take, &mut entry.categories),
        (_, "explicit") => {
            match child.text() {
                Some(word) if is_explicit(word.value()).is_some() && !is_explicit_word(child) => {
                    take.remark_value::<bool>(word);
                }
                _ => note_explicit(child, take),
            }
            keep(child, take, &mut entry.modules);
        }
        _ => keep(child, take, &mut entry.modules),
    }
}

/// Whether the word for an explicit show or episode is one of those that are no usual flags.
fn is_explicit_word(element: Node<'_, '_>) -> bool {
    let word = element.text_value().trim();
    ["explicit", "clean"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Notes a word that means neither side.
fn note_explicit<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>) {
    let word = child.text_value().trim();
    if !word.is_empty() && is_explicit(word).is_none() {
        take.remark(child, "explicit.unknown", word, "neither true nor false; not taken for clean");
    }
}

fn entry_small<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let via = Some(child.ns());
    let modules = &mut entry.modules;
    match (child.ns(), child.name()) {
        (Ns::Content, "encoded") => text_slot(child, take, TextKind::Html, &mut entry.content, modules),
        (Ns::Slash, "comments") => slot(child, take, via, &mut entry.comment_count, modules),
        (Ns::Thr, "total") => slot(child, take, via, &mut entry.comment_count, modules),
        (Ns::Wfw, "commentRss" | "commentRSS") => slot(child, take, via, &mut entry.comment_feed, modules),
        (Ns::Thr, "in-reply-to") if !child.has_children() && child.text().is_none() => {
            let mut reply = InReplyTo::default();
            take.attr(child, "ref", &mut reply.reference);
            take.attr(child, "href", &mut reply.href);
            take.attr(child, "type", &mut reply.kind);
            take.attr(child, "source", &mut reply.source);
            entry.in_reply_to.push(reply);
        }
        (Ns::CreativeCommons | Ns::Cc, "license") => license(child, take, entry),
        _ => keep(child, take, modules),
    }
}

/// `creativeCommons:license` holds the URL as text, `cc:license` as `rdf:resource`; both are written back the same way.
fn license<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    if let (None, Some(resource)) = (&entry.license, child.attribute_ns(Ns::Rdf, "resource")) {
        take.known(child);
        let via = if child.ns() == Ns::Cc { Ns::Rdf } else { child.ns() };
        take.value(resource, Some(via), &mut entry.license);
        return;
    }
    slot(child, take, Some(child.ns()), &mut entry.license, &mut entry.modules);
}

/// The attribute with the URL of an image of a podcast, and one that is seen in its place.
const IMAGE_ATTRIBUTES: [&str; 2] = ["href", "url"];

/// Whether the URL of an image is the only value of the element.
fn is_image(element: Node<'_, '_>) -> bool {
    let mut nodes = element.nodes();
    let is_it = |node: Node<'_, '_>| node.kind() == NodeKind::Attribute && IMAGE_ATTRIBUTES.contains(&node.name());
    let first = nodes.next().is_some_and(|node| is_it(node) && !node.value().trim().is_empty());
    first && nodes.next().is_none()
}

/// Sets the vocabulary that a value came from.
fn via<T>(leaf: &mut Option<Leaf<T>>, ns: Ns) {
    if let Some(leaf) = leaf {
        leaf.via = Some(ns);
    }
}

fn feed_dc<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    let via = Some(child.ns());
    let modules = &mut feed.modules;
    match (child.ns(), child.name()) {
        (Ns::Dc, "creator") => name_only(child, take, &mut feed.authors),
        (Ns::Dc, "contributor") => name_only(child, take, &mut feed.contributors),
        (Ns::Dc, "publisher") => slot(child, take, None, &mut feed.publisher, modules),
        (Ns::Dc, "date") | (Ns::Dcterms, "issued") => slot(child, take, via, &mut feed.published, modules),
        (Ns::Dcterms, "modified") => slot(child, take, via, &mut feed.updated, modules),
        (Ns::Dc, "subject") => subject(child, take, &mut feed.categories),
        (Ns::Dc, "rights") => text_slot(child, take, TextKind::Plain, &mut feed.rights, modules),
        (Ns::Dc, "language") => {
            slot(child, take, via, &mut feed.language, modules);
            take.language(child.text(), &mut feed.language);
        }
        (Ns::Dc, "title") => text_slot(child, take, default_kind(child), &mut feed.title, modules),
        (Ns::Dc, "description") => text_slot(child, take, default_kind(child), &mut feed.subtitle, modules),
        _ => keep(child, take, modules),
    }
}

fn feed_itunes<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    match child.name() {
        "title" => text_slot(child, take, TextKind::Plain, &mut feed.title, &mut feed.modules),
        "summary" => {
            let kind = default_kind(child);
            text_slot(child, take, kind, &mut feed.subtitle, &mut feed.modules);
        }
        "author" if feed.authors.iter().all(is_nameless) => name_only(child, take, &mut feed.authors),
        "image" if lacks_image(feed) && is_image(child) => podcast_image(child, take, feed),
        "explicit" => explicit(child, take, feed),
        "category" => itunes_category(child, take, &mut feed.categories),
        "owner" if take.sets_aside(child, feed.owner.is_some(), |take, aside| feed_itunes(child, take, aside)) => (),
        "owner" => {
            take.known(child);
            let owner = feed.owner.get_or_insert_default();
            for part in child.children().filter(|part| part.ns() == Ns::Itunes) {
                match part.name() {
                    "name" => take.text(part, &mut owner.name),
                    "email" => take.text(part, &mut owner.email),
                    _ => (),
                }
            }
        }
        "block" | "complete" | "new-feed-url" => flag(child, take, feed),
        _ => keep(child, take, &mut feed.modules),
    }
}

/// The elements of Google Play that mean what those of iTunes do.
fn feed_google_play<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    match child.name() {
        "description" => {
            let kind = default_kind(child);
            text_slot(child, take, kind, &mut feed.subtitle, &mut feed.modules);
        }
        "author" if feed.authors.iter().all(is_nameless) => name_only(child, take, &mut feed.authors),
        "image" if lacks_image(feed) && is_image(child) => podcast_image(child, take, feed),
        "explicit" => explicit(child, take, feed),
        _ => keep(child, take, &mut feed.modules),
    }
}

/// The logo of Atom outside it.
const ATOM_LOGO: &str = "atom:logo";

/// Uses `itunes:subtitle` as the description of a feed without another one, and `atom:logo` as its image. The first is written back
/// unchanged.
pub fn describe(feed: &mut Feed<'_>) {
    if feed.subtitle.is_none() {
        let said = feed.module("itunes:subtitle").and_then(|module| module.value.clone());
        feed.subtitle = said.map(|said| Text::new(TextKind::Plain, said));
    }
    let is_logo = |module: &Module<'_>| module.name == ATOM_LOGO && module.attributes.is_empty();
    if lacks_image(feed)
        && let Some(at) = feed.modules.iter().position(|module| is_logo(module) && module.value.is_some())
    {
        let image = feed.image.get_or_insert_default();
        image.url = feed.modules.remove(at).value;
        via(&mut image.url, Ns::Atom);
    }
}

/// Whether no element gave the URL of an image: RSS's own element may only give its other values.
fn lacks_image(feed: &Feed<'_>) -> bool {
    feed.image.as_ref().is_none_or(|image| image.url.is_none())
}

fn podcast_image<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    let image = feed.image.get_or_insert_default();
    take.attr_alias(child, IMAGE_ATTRIBUTES, &mut image.url);
    via(&mut image.url, child.ns());
}

/// `itunes:explicit` has three words each for yes and no; the third of each is not a usual flag.
fn explicit<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    note_explicit(child, take);
    let said = is_explicit(child.text_value()).filter(|_| is_explicit_word(child));
    let google = Some(child.ns()).filter(|ns| *ns == Ns::GooglePlay);
    match (said, child.text()) {
        (Some(value), Some(run)) if feed.explicit.is_none() && child.attributes().next().is_none() => {
            let Some(leaf) = take.leaf::<std::borrow::Cow<'a, str>>(run, google) else { return };
            take.known(child);
            take.adjusted(leaf.mark, Reason::UsualTerm);
            feed.explicit = Some(leaf.with(value));
        }
        _ => slot(child, take, google, &mut feed.explicit, &mut feed.modules),
    }
}

/// `itunes:category`, which may contain a second level.
fn itunes_category<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, categories: &mut Vec<Category<'a>>) {
    let mut add = |element: Node<'t, 'a>, sub: bool, take: &mut Take<'t, 'a>| {
        let mut category = Category { sub, ..Category::default() };
        take.attr(element, "text", &mut category.term);
        via(&mut category.term, Ns::Itunes);
        // Apple's list, implied by the element: not a separate leaf
        category.scheme = category.term.as_ref().map(|term| term.with(Ns::Itunes.uri().into()));
        if category.term.is_some() {
            categories.push(category);
        }
    };
    add(child, false, take);
    for below in child.children().filter(|below| below.ns() == Ns::Itunes && below.name() == "category") {
        add(below, true, take);
    }
}

fn flag<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    if child.has_children() || child.attributes().next().is_some() {
        return keep(child, take, &mut feed.modules);
    }
    let mut flag = Flag { name: name_of(child).into(), ..Flag::default() };
    take.text(child, &mut flag.value);
    if flag.value.is_none() {
        take.flag(child, &mut flag.flag);
    }
    feed.flags.push(flag);
}

// --- Atom's elements in RSS ---

fn entry_atom<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let via = Some(Ns::Atom);
    let modules = &mut entry.modules;
    match child.name() {
        "id" => slot(child, take, via, &mut entry.id, modules),
        "updated" => slot(child, take, None, &mut entry.updated, modules),
        "published" => slot(child, take, via, &mut entry.published, modules),
        "author" => entry.authors.extend(atom_person(child, take)),
        "contributor" => entry.contributors.extend(atom_person(child, take)),
        "category" => entry.categories.push(atom_category(child, take)),
        "title" => atom_text(child, take, &mut entry.title, modules),
        "summary" => atom_text(child, take, &mut entry.summary, modules),
        "content" => atom_text(child, take, &mut entry.content, modules),
        "rights" => atom_text(child, take, &mut entry.rights, modules),
        "link" => entry_link(child, take, entry),
        _ => keep(child, take, modules),
    }
}

fn feed_atom<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    let via = Some(Ns::Atom);
    let modules = &mut feed.modules;
    match child.name() {
        "id" => slot(child, take, None, &mut feed.id, modules),
        "updated" => slot(child, take, via, &mut feed.updated, modules),
        "author" => feed.authors.extend(atom_person(child, take)),
        "contributor" => feed.contributors.extend(atom_person(child, take)),
        "category" => feed.categories.push(atom_category(child, take)),
        "title" => atom_text(child, take, &mut feed.title, modules),
        "subtitle" => atom_text(child, take, &mut feed.subtitle, modules),
        "rights" => atom_text(child, take, &mut feed.rights, modules),
        "icon" => slot(child, take, None, &mut feed.icon, modules),
        "link" => feed_link(child, take, feed),
        _ => keep(child, take, modules),
    }
}

fn atom_person<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Option<Person<'a>> {
    take.known(element);
    let mut person = Person::default();
    let via = Some(Ns::Atom);
    if !element.has_children() {
        take.text_via(element, via, &mut person.name);
    }
    for part in element.children().filter(|part| part.ns() == Ns::Atom) {
        match part.name() {
            "name" if person == Person::default() && holds_address(element, part) => {
                person = take_person(part, take, via).unwrap_or_default();
            }
            "name" => take.text_via(part, via, &mut person.name),
            "email" => take.text_via(part, via, &mut person.email),
            "uri" => take.text_via(part, via, &mut person.uri),
            _ => (),
        }
    }
    (person != Person::default()).then_some(person)
}

fn atom_category<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Category<'a> {
    let mut category = Category::default();
    take.attr(element, "term", &mut category.term);
    take.attr(element, "scheme", &mut category.scheme);
    take.attr(element, "label", &mut category.label);
    via(&mut category.term, Ns::Atom);
    via(&mut category.scheme, Ns::Atom);
    via(&mut category.label, Ns::Atom);
    category
}

/// A text construct (RFC 4287 section 3.1) outside Atom.
fn atom_text<'t, 'a>(
    element: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    slot: &mut Option<Text<'a>>,
    modules: &mut Vec<Module<'a>>,
) {
    let said = element.attribute("type");
    let kind = match said.map_or("text", |said| said.value().trim()) {
        "text" | "text/plain" => TextKind::Plain,
        "html" | "text/html" => TextKind::Html,
        "xhtml" | "application/xhtml+xml" => TextKind::Xhtml,
        _ => return keep(element, take, modules),
    };
    // a module holds no markup, so a second XHTML text is merged
    if slot.is_some() && kind != TextKind::Xhtml {
        return keep(element, take, modules);
    }
    match kind {
        TextKind::Xhtml => {
            let inner = element.child(Ns::Xhtml, "div").unwrap_or(element);
            take.xhtml(element, inner, Some(Ns::Atom), slot);
        }
        TextKind::Plain | TextKind::Html => take.construct(element, kind, Some(Ns::Atom), slot),
    }
    if let Some(said) = said {
        match slot {
            Some(text) => take.follow(said, text.value.mark),
            None => take.implied(said),
        }
    }
}

/// The attributes of a link without a separate slot. `rel` is kept if it differs from `main` or if there are other
/// attributes; otherwise it is implied.
fn link_rest<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>, main: &str) -> Option<Link<'a>> {
    let mut link = Link::default();
    take.attr(element, "type", &mut link.kind);
    take.language_attr(element, "hreflang", &mut link.hreflang);
    take.attr(element, "title", &mut link.title);
    take.attr(element, "length", &mut link.length);
    for attribute in element.attributes().filter(|attribute| is_module(attribute.ns())) {
        let mut value = None;
        take.value(attribute, None, &mut value);
        link.modules.push(ModuleAttribute { name: name_of(attribute).into(), value });
    }
    let more = link != Link::default();
    if !more && element.attribute("href").is_some() {
        take.implied_attr(element, "rel", main);
    }
    take.attr(element, "rel", &mut link.rel);
    (more || link.rel.is_some()).then_some(link)
}

/// A link with all its attributes.
pub fn whole_link<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Link<'a> {
    let mut href = None;
    take.attr(element, "href", &mut href);
    // an explicit `rel` is always kept
    let mut link = link_rest(element, take, "\0").unwrap_or_default();
    link.href = href;
    link
}

/// A link to the page in another language; its relation is implied by the list.
pub fn alternate<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Link<'a> {
    take.implied_attr(element, "rel", "alternate");
    whole_link(element, take)
}

/// The relation of a link, without the prefix that makes an IRI of it; `alternate` if it has none.
pub fn rel_of<'a>(element: Node<'_, 'a>) -> &'a str {
    let rel = match element.attribute("rel").map(|rel| &rel.raw().value) {
        Some(std::borrow::Cow::Borrowed(rel)) => rel.trim(),
        // a relation that needs decoding is not a registered one
        Some(std::borrow::Cow::Owned(_)) => "?",
        None => "alternate",
    };
    short_rel(rel)
}

/// A relation without the prefix that makes an IRI of a registered one (RFC 4287 section 4.2.7.2).
pub fn short_rel(rel: &str) -> &str {
    rel.strip_prefix("http://www.iana.org/assignments/relation/").unwrap_or(rel)
}

/// Whether a link holds the further attributes of the one whose URL is that of the page.
pub fn gives_page(link: &Link<'_>) -> bool {
    link.href.is_none() && link.rel.as_ref().is_none_or(|rel| short_rel(&rel.value) == "alternate")
}

/// Reads a link's URL into its own slot, and its further attributes into `links`.
pub fn link_slot<'t, 'a>(
    element: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    via: Option<Ns>,
    slot: &mut Option<Str<'a>>,
    links: &mut Vec<Link<'a>>,
) {
    let Some(href) = element.attribute("href").filter(|_| slot.is_none()) else {
        links.push(whole_link(element, take));
        return;
    };
    take.known(element);
    take.value(href, via, slot);
    links.extend(link_rest(element, take, rel_of(element)));
}

/// Reads the URL of the page from a link of Atom in RSS, if there are several alternates and no other element gives it:
/// the one that readers of Atom choose, with types other than HTML last.
pub fn page_link<'t, 'a>(
    parent: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    slot: &mut Option<Str<'a>>,
    links: &mut Vec<Link<'a>>,
) {
    let is_alternate = |child: &Node<'t, 'a>| {
        child.ns() == Ns::Atom
            && child.name() == "link"
            && child.attribute("href").is_some_and(|href| !href.value().trim().is_empty())
            && child.attribute("hreflang").is_none()
            && rel_of(*child) == "alternate"
    };
    let rank = |child: &Node<'t, 'a>| {
        let kind = child.attribute("type").map(|kind| kind.value().trim());
        (kind.is_some_and(|kind| !crate::text::mime::is_html(kind)), kind.is_none())
    };
    if slot.is_none()
        && let Some(page) = parent.children().filter(is_alternate).min_by_key(rank)
    {
        link_slot(page, take, Some(Ns::Atom), slot, links);
    }
}

/// Whether the URL of a link was already read into a slot.
fn is_taken<'t, 'a>(element: Node<'t, 'a>, take: &Take<'t, 'a>) -> bool {
    element.attribute("href").is_some_and(|href| take.taken(href))
}

/// A link in an entry of RSS. Those with `rel=enclosure` are the caller's.
fn entry_link<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let via = Some(Ns::Atom);
    let kind = element.attribute("type").map_or("", |kind| kind.value().trim());
    match rel_of(element) {
        "alternate" if is_taken(element, take) => (),
        "alternate" if element.attribute("hreflang").is_some() => {
            entry.alternates.push(alternate(element, take));
        }
        "alternate" => link_slot(element, take, via, &mut entry.loc, &mut entry.links),
        "replies" if crate::text::mime::is_html(kind) => {
            link_slot(element, take, via, &mut entry.comments, &mut entry.links);
        }
        "replies" => link_slot(element, take, via, &mut entry.comment_feed, &mut entry.links),
        "license" => link_slot(element, take, via, &mut entry.license, &mut entry.links),
        _ => entry.links.push(whole_link(element, take)),
    }
}

/// A link in the head of RSS.
fn feed_link<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    match rel_of(element) {
        "alternate" if is_taken(element, take) => (),
        "self" => link_slot(element, take, None, &mut feed.self_url, &mut feed.links),
        "alternate" => link_slot(element, take, Some(Ns::Atom), &mut feed.home, &mut feed.links),
        _ => feed.links.push(whole_link(element, take)),
    }
}

// --- writing ---

/// A module element that carries fields of an entry or a head, beside the formats' own, with the vocabularies of values that go
/// back to it.
type ModuleCarrier = (&'static [Field], &'static [Ns], &'static str);

const CARRIERS: &[ModuleCarrier] = &[
    (&[Field::Published, Field::FeedPublished], &[Ns::Dc], "dc:date"),
    (&[Field::Published, Field::FeedPublished], &[Ns::Dcterms], "dcterms:issued"),
    (&[Field::Published], &[Ns::Atom], "atom:published"),
    (&[Field::Updated, Field::FeedUpdated], &[Ns::Dcterms], "dcterms:modified"),
    (&[Field::FeedUpdated], &[Ns::Atom], "atom:updated"),
    (&[Field::Title, Field::FeedTitle], &[Ns::Dc], "dc:title"),
    (&[Field::Title, Field::FeedTitle], &[Ns::Itunes], "itunes:title"),
    (&[Field::Title, Field::FeedTitle], &[Ns::Atom], "atom:title"),
    (&[Field::Summary, Field::FeedSubtitle], &[Ns::Dc], "dc:description"),
    (&[Field::Summary, Field::FeedSubtitle], &[Ns::Itunes], "itunes:summary"),
    (&[Field::Summary, Field::FeedSubtitle], &[Ns::GooglePlay], "googleplay:description"),
    (&[Field::Summary], &[Ns::Dcterms], "dcterms:abstract"),
    (&[Field::Summary], &[Ns::Atom], "atom:summary"),
    (&[Field::FeedSubtitle], &[Ns::Atom], "atom:subtitle"),
    (&[Field::Content], &[Ns::Content], "content:encoded"),
    (&[Field::Content], &[Ns::Atom], "atom:content"),
    (&[Field::Rights, Field::FeedRights], &[Ns::Dc], "dc:rights"),
    (&[Field::Rights, Field::FeedRights], &[Ns::Atom], "atom:rights"),
    (&[Field::Language, Field::FeedLanguage], &[Ns::Dc], "dc:language"),
    (&[Field::Id], &[Ns::Atom], "atom:id"),
    (&[Field::License], &[Ns::CreativeCommons], "creativeCommons:license"),
    (&[Field::License], &[Ns::Cc, Ns::Rdf], "cc:license"),
    (&[Field::License], &[Ns::Dcterms], "dcterms:license"),
    (&[Field::CommentCount], &[Ns::Slash], "slash:comments"),
    (&[Field::CommentCount], &[Ns::Thr], "thr:total"),
    (&[Field::CommentFeed], &[Ns::Wfw], "wfw:commentRss"),
    (&[Field::AuthorName, Field::FeedAuthorName], &[Ns::Dc], "dc:creator"),
    (&[Field::AuthorName, Field::FeedAuthorName], &[Ns::Itunes], "itunes:author"),
    (&[Field::AuthorName, Field::FeedAuthorName], &[Ns::GooglePlay], "googleplay:author"),
    (&[Field::AuthorName, Field::FeedAuthorName], &[Ns::Atom], "atom:author"),
    (&[Field::ContributorName, Field::FeedContributorName], &[Ns::Dc], "dc:contributor"),
    (&[Field::ContributorName, Field::FeedContributorName], &[Ns::Atom], "atom:contributor"),
    (&[Field::CategoryTerm, Field::FeedCategoryTerm], &[Ns::Dc], "dc:subject"),
    (&[Field::CategoryTerm, Field::FeedCategoryTerm], &[Ns::Itunes], "itunes:category"),
    (&[Field::CategoryTerm, Field::FeedCategoryTerm], &[Ns::Atom], "atom:category"),
    (&[Field::ImageLoc, Field::FeedImageUrl], &[Ns::Itunes], "itunes:image"),
    (&[Field::ImageLoc, Field::FeedImageUrl], &[Ns::GooglePlay], "googleplay:image"),
    (&[Field::FeedImageUrl], &[Ns::Atom], ATOM_LOGO),
    (&[Field::FeedExplicit], &[Ns::GooglePlay], "googleplay:explicit"),
];

/// Which module element carries a field, beside the formats' own.
pub fn carrier(field: Field, ns: Ns) -> Option<&'static str> {
    let found = CARRIERS.iter().find(|(fields, of, _)| of.contains(&ns) && fields.contains(&field));
    found.map(|(.., name)| *name)
}

/// The fields that a module element gives, if it is not kept because another gave them before.
fn given_by(name: &str) -> &'static [Field] {
    match name {
        "itunes:subtitle" => &[Field::Summary, Field::FeedSubtitle],
        "atom:generator" => &[Field::FeedGeneratorName],
        "dcterms:created" | "dc:created" => &[Field::Created],
        "dc:issued" => &[Field::Published],
        "dc:modified" => &[Field::Updated],
        name => CARRIERS.iter().find(|(.., carrier)| *carrier == name).map_or(&[], |(fields, ..)| *fields),
    }
}

/// Loses elements whose value another one has given, in a target that has a place for it.
pub fn lose_second(
    part: &impl Walk<Names = ()>,
    modules: &[Module<'_>],
    (setup, table): (&Setup<'_>, FateTable),
    origin: &Origin<'_>,
    out: &mut Out<'_, '_>,
) {
    if setup.same_family || setup.target.family.is_model() {
        return;
    }
    let is_read =
        |leaf: &Str<'_>| !origin.record(leaf.mark).is_some_and(|record| matches!(record.preset, Preset::Unread(_)));
    let seconds = modules.iter().filter(|module| module.value.iter().all(is_read));
    let seconds: Vec<_> = seconds.map(|module| (module, given_by(&module.name))).collect();
    let mut wanted: Vec<Field> = seconds.iter().flat_map(|(_, fields)| fields.iter().copied()).collect();
    wanted.sort_unstable_by_key(|field| *field as usize);
    wanted.dedup();
    if wanted.is_empty() {
        return;
    }
    let mut given = Vec::new();
    part.walk((), &mut |seen| {
        let is_one = wanted.contains(&seen.field) && !given.contains(&seen.field);
        given.extend(Some(seen.field).filter(|field| is_one && table(*field).name().is_some()));
    });
    for (module, _) in seconds.iter().filter(|(_, fields)| fields.iter().any(|field| given.contains(field))) {
        match LICENSES.contains(&&*module.name) {
            // other attributes are no license
            true => licenses(module).into_iter().flatten().for_each(|it| out.books().lost(it.mark, Reason::OtherValue)),
            false => out.drop(*module, Field::Module, Reason::OtherValue),
        }
    }
}

/// The module element a value goes back to: only in the family it came from.
pub fn carried(out: &Out<'_, '_>, field: Field, via: Option<Ns>) -> Option<&'static str> {
    if !out.same_family() {
        return None;
    }
    carrier(field, via?)
}

/// Writes a date back to the module element it came from; false if it came from none.
pub fn write_date(out: &mut Out<'_, '_>, field: Field, date: &Leaf<Date>) -> bool {
    let Some(name) = carried(out, field, date.via) else { return false };
    match name.starts_with("atom:") {
        true => write_atom_date(out, name, date),
        false => out.elem_as(name, date.mark, &date.value.to_w3c(), None),
    }
    true
}

/// Writes a date where RFC 3339 rules: with seconds and a zone.
pub fn write_atom_date(out: &mut Out<'_, '_>, name: &str, date: &Leaf<Date>) {
    use crate::model::Precision;
    let change = match date.value.precision() {
        precision if precision >= Precision::Minute && date.value.offset().is_none() => Some(Reason::AsUtc),
        precision if precision < Precision::Second => Some(Reason::MorePrecise),
        _ => None,
    };
    out.elem_as(name, date.mark, &date.value.to_rfc3339(), change);
}

/// Writes a text back to the module element it came from; false if it came from none.
pub fn write_text(out: &mut Out<'_, '_>, field: Field, text: &Text<'_>) -> bool {
    let Some(name) = carried(out, field, text.value.via) else { return false };
    out.element_at(name, text.value.mark, |out| {
        let (mark, value) = (text.value.mark, text.value.as_str());
        let atom = name.starts_with("atom:");
        let broken = atom && text.kind == TextKind::Xhtml && !is_markup(value);
        match text.kind {
            TextKind::Html if atom => out.constant("type", "html"),
            TextKind::Xhtml if atom => out.constant("type", if broken { "html" } else { "xhtml" }),
            TextKind::Plain | TextKind::Html | TextKind::Xhtml => (),
        }
        out.put_text_attributes(text);
        if broken {
            out.text_as(mark, value, Some(Reason::AsHtml));
        } else if atom && text.kind == TextKind::Xhtml {
            out.element_always("div", |out| {
                out.constant("xmlns", Ns::Xhtml.uri());
                out.markup(mark, value, None);
            });
        } else {
            out.text_as(mark, value, None);
        }
    });
    true
}

/// Writes a value back to the module element it came from; false if it came from none.
pub fn write_value<T: LeafType>(out: &mut Out<'_, '_>, field: Field, leaf: &Leaf<T>) -> bool {
    let Some(name) = carried(out, field, leaf.via) else { return false };
    let (text, change) = out.spell(leaf.value.value());
    match leaf.via {
        // RDF puts the reference into an attribute
        Some(Ns::Rdf) => out.element_at(name, leaf.mark, |out| out.attr_as("rdf:resource", leaf.mark, &text, change)),
        _ => out.elem_as(name, leaf.mark, &text, change),
    }
    true
}

/// The module element that a person goes back to. `field` is that of the name.
pub fn carrier_of(out: &Out<'_, '_>, field: Field, person: &Person<'_>) -> Option<&'static str> {
    let first = person.name.as_ref().or(person.email.as_ref()).or(person.uri.as_ref());
    carried(out, field, first.and_then(|leaf| leaf.via))
}

/// The order of elements in the output, so that reading it gives the order of the model: the format's own elements,
/// those of Atom, those of other modules.
pub fn rank(carrier: Option<&str>) -> u8 {
    carrier.map_or(0, |name| if name.starts_with("atom:") { 1 } else { 2 })
}

/// Writes a person back to the module element it came from; false if it came from none. `field` is that of the name.
pub fn write_person(out: &mut Out<'_, '_>, field: Field, person: &Person<'_>) -> bool {
    let Some(name) = carrier_of(out, field, person) else { return false };
    if !name.starts_with("atom:") {
        write_named(out, name, person, None);
        return true;
    }
    out.element_at(name, person.first_mark(), |out| {
        for (part, value) in [("atom:name", &person.name), ("atom:email", &person.email), ("atom:uri", &person.uri)] {
            match value {
                Some(value) => out.elem_as(part, value.mark, &value.value, None),
                // Atom requires it
                None if part == "atom:name" => out.element_always(part, |_| ()),
                None => (),
            }
        }
    });
    true
}

/// Writes a value as this attribute of the open element, or as its text.
fn attr_or_text(out: &mut Out<'_, '_>, attribute: Option<&str>, value: &Option<Str<'_>>) {
    match (value, attribute) {
        (Some(value), Some(name)) => out.attr_as(name, value.mark, &value.value, None),
        (Some(value), None) => out.text_as(value.mark, &value.value, None),
        (None, _) => (),
    }
}

const ITUNES_CATEGORY: &str = "itunes:category";

/// Whether a category is of Apple's list, which `itunes:category` implies.
fn is_of_itunes(category: &Category<'_>) -> bool {
    category.scheme.as_ref().is_some_and(|scheme| scheme.value == Ns::Itunes.uri())
}

/// Writes categories: with `own`, then `more`, then those of modules, which are written back to them. `field` is that
/// of the term.
pub fn write_categories<'e>(
    out: &mut Out<'_, 'e>,
    field: Field,
    categories: &'e [Category<'e>],
    own: impl Fn(&mut Out<'_, 'e>, &'e Category<'e>),
    more: impl FnOnce(&mut Out<'_, 'e>),
) {
    let mut of_modules = Vec::new();
    // categories before this index are nested in the previous one
    let mut inside = 0;
    for (index, category) in categories.iter().enumerate() {
        if index < inside {
            continue;
        }
        let via = [&category.term, &category.scheme, &category.label].into_iter().flatten().find_map(|leaf| leaf.via);
        let name = carried(out, field, via).filter(|name| *name != ITUNES_CATEGORY || is_of_itunes(category));
        match name {
            None => own(out, category),
            Some(name) => {
                let behind = categories.get(index + 1..).unwrap_or_default();
                let is_below = |below: &&Category<'_>| below.sub && name == ITUNES_CATEGORY && is_of_itunes(below);
                let below = behind.iter().take_while(is_below).count();
                of_modules.push((name, category, behind.get(..below).unwrap_or_default()));
                inside = index + 1 + below;
            }
        }
    }
    more(out);
    of_modules.sort_by_key(|(name, ..)| rank(Some(name)));
    for (name, category, below) in of_modules {
        match name {
            "atom:category" => out.element_at(name, category.first_mark(), |out| {
                attr_or_text(out, Some("term"), &category.term);
                attr_or_text(out, Some("scheme"), &category.scheme);
                attr_or_text(out, Some("label"), &category.label);
            }),
            ITUNES_CATEGORY => {
                out.element_at(name, category.first_mark(), |out| {
                    attr_or_text(out, Some("text"), &category.term);
                    for below in below {
                        out.element_at(name, below.first_mark(), |out| attr_or_text(out, Some("text"), &below.term));
                    }
                });
                // implied by the element
                let schemes = std::iter::once(category).chain(below).filter_map(|category| category.scheme.as_ref());
                schemes.for_each(|scheme| out.books().kept(scheme.mark));
            }
            name => out.element_at(name, category.first_mark(), |out| attr_or_text(out, None, &category.term)),
        }
    }
}

/// Writes an image's URL back into the element of a podcast or of Atom that it came from, if any.
pub fn write_itunes_image(out: &mut Out<'_, '_>, field: Field, url: &Option<Str<'_>>) -> bool {
    let Some(name) = carried(out, field, url.as_ref().and_then(|url| url.via)) else { return false };
    let attribute = (name != ATOM_LOGO).then_some("href");
    let mark = url.as_ref().map_or(Mark::NONE, |url| url.mark);
    out.element_at(name, mark, |out| attr_or_text(out, attribute, url));
    true
}

/// Writes what an entry answers to (RFC 4685 section 3).
pub fn write_in_reply_to(out: &mut Out<'_, '_>, replies: &[InReplyTo<'_>]) {
    for reply in replies {
        out.element_of("thr:in-reply-to", reply, |out| {
            attr_or_text(out, Some("ref"), &reply.reference);
            attr_or_text(out, Some("href"), &reply.href);
            attr_or_text(out, Some("type"), &reply.kind);
            attr_or_text(out, Some("source"), &reply.source);
        });
    }
}

/// Writes the marks of a head: those of feed history anywhere, those of iTunes in the source's family and in a `podcast`.
pub fn write_flags(out: &mut Out<'_, '_>, feed: &Feed<'_>, podcast: bool) {
    let anywhere = |name: &str| name.starts_with("fh:") || podcast && name.starts_with("itunes:");
    for flag in &feed.flags {
        if !is_element(&flag.name) || !(out.same_family() || anywhere(&flag.name)) {
            continue;
        }
        out.element_always(&flag.name, |out| {
            attr_or_text(out, None, &flag.value);
            settle_flag(out, &flag.flag);
        });
    }
}

/// Marks an element that is written without content as kept.
fn settle_flag(out: &mut Out<'_, '_>, flag: &Option<Leaf<bool>>) {
    let mark = flag.as_ref().map_or(Mark::NONE, |flag| flag.mark);
    out.books().kept(mark);
}

/// Writes `itunes:owner` and `itunes:explicit`: back, or into a `podcast`.
pub fn write_itunes_feed(out: &mut Out<'_, '_>, feed: &Feed<'_>, podcast: bool) {
    if !out.same_family() && !podcast {
        return;
    }
    if let Some(owner) = &feed.owner {
        out.element("itunes:owner", |out| {
            for (part, value) in [("itunes:name", &owner.name), ("itunes:email", &owner.email)] {
                if let Some(value) = value {
                    out.elem_as(part, value.mark, &value.value, None);
                }
            }
        });
    }
    if let Some(explicit) = &feed.explicit {
        let (text, change) = out.spell(explicit.value.value());
        let name = carried(out, Field::FeedExplicit, explicit.via).unwrap_or("itunes:explicit");
        out.elem_as(name, explicit.mark, &text, change);
    }
}

/// Writes module elements back whole, if the target is of the source's family; terms of videos come later.
pub fn write_modules<'m, 'a: 'm>(out: &mut Out<'_, '_>, modules: impl IntoIterator<Item = &'m Module<'a>>) {
    if out.same_family() {
        write_whole(out, modules.into_iter().filter(|module| !is_term(module)));
    }
}

/// Elements that hold the URL of a license.
const LICENSES: [&str; 3] = ["creativeCommons:license", "cc:license", "dcterms:license"];

/// The license that an element gives by an attribute, and as text.
fn licenses<'m, 'a>(module: &'m Module<'a>) -> [Option<&'m Str<'a>>; 2] {
    let resource = module.attributes.iter().find(|attribute| attribute.name == RESOURCE);
    [resource.and_then(|attribute| attribute.value.as_ref()), module.value.as_ref()]
}

/// The attribute of RDF for a URL.
const RESOURCE: &str = "rdf:resource";

fn is_license_url(address: &Str<'_>) -> bool {
    url::is_http(address.value.trim())
}

/// Uses the URL of an element with more than a URL as the license of an entry without one.
pub(crate) fn take_license(entry: &mut Entry<'_>) {
    if entry.license.is_some() {
        return;
    }
    let has_url = |module: &&mut Module<'_>| {
        LICENSES.contains(&&*module.name) && licenses(module).into_iter().flatten().any(is_license_url)
    };
    let Some(module) = entry.modules.iter_mut().find(has_url) else { return };
    let resource = module
        .attributes
        .iter()
        .position(|attribute| attribute.name == RESOURCE && attribute.value.as_ref().is_some_and(is_license_url));
    let address = match resource {
        Some(at) => module.attributes.remove(at).value,
        None => module.value.take(),
    };
    if let Some(record) = address.as_ref().and_then(|address| entry.origin.records.get_mut(address.mark.0 as usize))
        && record.preset == Preset::Open
    {
        record.preset = Preset::Adjusted(Reason::OtherElement);
    }
    entry.license = address;
}

/// Writes the licenses of a feed of another family, each once, unless a link names them.
pub fn write_licenses(feed: &Feed<'_>, out: &mut Out<'_, '_>, write: impl Fn(&Str<'_>, &mut Out<'_, '_>)) {
    if out.same_family() {
        return;
    }
    let is_license = |link: &&Link<'_>| link.rel.as_ref().is_some_and(|rel| rel.value.eq_ignore_ascii_case("license"));
    let linked = feed.links.iter().filter(is_license).filter_map(|link| link.href.as_ref());
    let mut known: HashMap<&str, Mark> = linked.map(|href| (href.value.trim(), href.mark)).collect();
    for module in feed.modules.iter().filter(|module| LICENSES.contains(&&*module.name)) {
        let Some(address) = licenses(module).into_iter().flatten().find(|address| is_license_url(address)) else {
            continue;
        };
        let others = licenses(module).into_iter().flatten().filter(|other| other.mark != address.mark);
        others.for_each(|other| out.books().lost(other.mark, Reason::OtherValue));
        match known.get(address.value.trim()) {
            Some(with) => out.books().merged_with(address.mark, *with, Reason::SameValue),
            None => {
                known.insert(address.value.trim(), address.mark);
                write(address, out);
            }
        }
    }
}

/// The same in a podcast, which has those of iTunes from any family.
pub fn write_podcast_modules<'m, 'a: 'm>(out: &mut Out<'_, '_>, modules: impl IntoIterator<Item = &'m Module<'a>>) {
    let same_family = out.same_family();
    let is_itunes = |module: &&Module<'_>| module.name.starts_with("itunes:");
    write_whole(out, modules.into_iter().filter(|module| !is_term(module) && (same_family || is_itunes(module))));
}

/// Writes the terms of videos that were not understood, behind those that were: readers take the first of each.
pub fn write_terms<'m, 'a: 'm>(out: &mut Out<'_, '_>, modules: impl IntoIterator<Item = &'m Module<'a>>) {
    if out.same_family() {
        write_whole(out, modules.into_iter().filter(|module| is_term(module)));
    }
}

fn is_term(module: &Module<'_>) -> bool {
    matches!(&*module.name, "dcterms:valid" | "dcterms:type")
}

fn write_whole<'m, 'a: 'm>(out: &mut Out<'_, '_>, modules: impl Iterator<Item = &'m Module<'a>>) {
    for module in modules.filter(|module| is_element(&module.name)) {
        if module.name == ATOM_INFO {
            out.drop(module, Field::Module, Reason::AtomElement);
            continue;
        }
        if module.name.starts_with("rdf:") {
            let why = if module.name == "rdf:li" { Reason::RdfOrder } else { Reason::NoElement };
            out.drop(module, Field::Module, why);
            continue;
        }
        out.leftover(|out| {
            out.next_from(&module.name, |see| module.walk(Field::Module, &mut |seen| see(seen.mark)));
            out.element_always(&module.name, |out| {
                write_attributes(out, module);
                attr_or_text(out, None, &module.value);
            });
        });
    }
}

/// The modules that Google's rules allow: not a `dcterms:valid`, which is not a period or a second one.
pub fn for_google<'m, 'a>(modules: &'m [Module<'a>], google: bool, out: &mut Out<'_, '_>) -> Vec<&'m Module<'a>> {
    let refused = |module: &&Module<'_>| google && module.name == "dcterms:valid";
    for module in modules.iter().filter(refused) {
        out.drop(module, Field::Module, Reason::OnePeriod);
    }
    modules.iter().filter(|module| !refused(module)).collect()
}

/// Writes the attributes of a module element into the open element.
pub fn write_attributes(out: &mut Out<'_, '_>, module: &Module<'_>) {
    for attribute in module.attributes.iter().filter(|attribute| is_ncname(&attribute.name)) {
        write_attribute(out, attribute);
    }
    write_prefixed(out, &module.attributes);
    settle_flag(out, &module.flag);
}

/// Whether this is the name of an element in a known namespace: models that people wrote may hold anything.
fn is_element(name: &str) -> bool {
    name.split_once(':').is_some_and(|(prefix, local)| Ns::by_prefix(prefix).is_some() && is_ncname(local))
}

/// Whether an alternate of this entry may be written as one. For a page without a URL, readers would take it for the
/// page.
pub fn may_alternate(entry: &Entry<'_>, setup: &Setup<'_>) -> bool {
    entry.loc.is_some() || !setup.source.family.is_xml_sitemap() || setup.same_family
}

/// Writes the attributes of a link behind `rel` and `href`.
fn describe_link(out: &mut Out<'_, '_>, link: &Link<'_>) {
    attr_or_text(out, Some("type"), &link.kind);
    attr_or_text(out, Some("hreflang"), &link.hreflang);
    attr_or_text(out, Some("title"), &link.title);
    if let Some(length) = &link.length {
        out.attr_as("length", length.mark, &length.value.to_string(), None);
    }
    write_link_modules(out, link);
}

/// Writes a link as one to what is related.
pub fn write_related(out: &mut Out<'_, '_>, name: &str, link: &Link<'_>) {
    let Some(href) = &link.href else { return };
    let change = Some(Reason::OtherElement);
    out.element_at(name, href.mark, |out| {
        match &link.rel {
            Some(rel) => out.attr_as("rel", rel.mark, "related", change),
            None => out.constant("rel", "related"),
        }
        out.attr_as("href", href.mark, &href.value, change);
        describe_link(out, link);
    });
}

/// The relation of a link without one: in sitemaps, which use HTML links, one that Atom readers do not take for an
/// alternate.
pub fn meant_rel(setup: &Setup<'_>) -> &'static str {
    if setup.source.family.is_xml_sitemap() && !setup.same_family { "related" } else { "" }
}

/// Writes a link as an element of this name. `rel` is used if the link has none; `href` is the URL of a link that only
/// holds the further attributes of another field.
pub fn write_link(out: &mut Out<'_, '_>, name: &str, rel: &str, href: Option<&Str<'_>>, link: Option<&Link<'_>>) {
    let blank = Link::default();
    let link = link.unwrap_or(&blank);
    let address = link.href.as_ref().or(href);
    out.element_at(name, address.or(link.rel.as_ref()).map_or(Mark::NONE, |value| value.mark), |out| {
        match &link.rel {
            Some(said) => out.attr_as("rel", said.mark, &said.value, None),
            None if !rel.is_empty() => out.constant("rel", rel),
            None => (),
        }
        if let Some(href) = address {
            out.attr_as("href", href.mark, &href.value, None);
        }
        describe_link(out, link);
    });
}

/// Attributes in known namespaces: in the source's family; those of RFC 4685, as `thr:count`, also in another.
pub fn write_link_modules(out: &mut Out<'_, '_>, link: &Link<'_>) {
    let same_family = out.same_family();
    let may_be = |attribute: &&ModuleAttribute<'_>| same_family || attribute.name.starts_with("thr:");
    write_prefixed(out, link.modules.iter().filter(may_be));
}

/// Attributes in known namespaces, which are declared where nothing around does.
fn write_prefixed<'m, 'a: 'm>(out: &mut Out<'_, '_>, attributes: impl IntoIterator<Item = &'m ModuleAttribute<'a>>) {
    let mut declared: Vec<&str> = Vec::new();
    for attribute in attributes.into_iter().filter(|attribute| is_element(&attribute.name)) {
        let prefix = attribute.name.split(':').next().unwrap_or("");
        if !declared.contains(&prefix) {
            declared.push(prefix);
            out.declare(&attribute.name);
        }
        write_attribute(out, attribute);
    }
}

fn write_attribute(out: &mut Out<'_, '_>, attribute: &ModuleAttribute<'_>) {
    if let Some(value) = &attribute.value {
        out.attr_of_model(&attribute.name, value.mark, &value.value);
    }
}
