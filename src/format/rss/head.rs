//! Reads the head of RSS of any version: the channel, and the elements that RSS 0.90 and 1.0 put next to it. There,
//! `items` gives the order of the items; document order is used instead, because writers keep the two equal.

use std::borrow::Cow;

use super::person::take_person;
use crate::format::ns::{media, modules};
use crate::format::order;
use crate::model::date::DateForm;
use crate::model::leaf::TextKind;
use crate::model::lent::LentObjects;
use crate::model::{Category, Cloud, Feed, Generator, Leaf, Module, ModuleAttribute, TextInput};
use crate::reason::Reason;
use crate::text::url;
use crate::tree::{Node, Take};
use crate::xml::names::Ns;

/// Reads the document without its items.
pub fn read<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    take.known(root);
    match root.attribute("version") {
        Some(version) => take.implied(version),
        None if root.name() == "rss" => take.remark(root, "rss.version", "<rss>", "no version, read as 2.0"),
        None => (),
    }
    let number = channels(root).count();
    if matches!(root.name(), "channel" | "Channel") || root.name() == "rss" && number == 0 {
        channel(root, false, take, feed);
        return finish(feed);
    }
    for child in root.children().filter(|child| is_core(child.ns())) {
        match child.name() {
            "channel" => channel(child, number > 1, take, feed),
            // beside the channel in RSS 0.90 and 1.0
            "image" | "textinput" | "textInput" => core(child, take, feed),
            _ => (),
        }
    }
    let why = if number > 1 { Reason::FirstWins } else { Reason::InnerValue };
    take_language(root, why, take, feed);
    take_base(root, why, take, feed);
    finish(feed);
}

fn finish(feed: &mut Feed<'_>) {
    modules::describe(feed);
    order::sort(&mut feed.modules, order::rss_head);
}

/// `xml:lang` gives the language if no element does.
fn take_language<'t, 'a>(element: Node<'t, 'a>, why: Reason, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    match (element.attribute_ns(Ns::Xml, "lang"), &feed.language) {
        (None, _) => (),
        (Some(language), Some(inner)) => merge(language, inner, why, take),
        (Some(_), None) => {
            take.xml_lang(element, &mut feed.language);
            from_xml(&mut feed.language);
        }
    }
}

/// `xml:base`, which may be around another one that is relative to it.
fn take_base<'t, 'a>(element: Node<'t, 'a>, why: Reason, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    let (Some(base), Some(inner)) = (element.attribute_ns(Ns::Xml, "base"), &mut feed.base) else {
        return take.attr_ns(element, Ns::Xml, "base", &mut feed.base);
    };
    let whole = url::resolve(base.value().trim(), &inner.value).filter(|_| !url::is_http(&inner.value));
    match whole.filter(|_| why == Reason::InnerValue) {
        Some(whole) => {
            inner.value = whole.into();
            take.adjusted(inner.mark, Reason::ResolvedUrl);
            take.follow(base, inner.mark);
        }
        None => merge(base, inner, why, take),
    }
}

/// Takes an attribute for which another value counts.
fn merge<'t, 'a>(attribute: Node<'t, 'a>, chosen: &Leaf<Cow<'a, str>>, why: Reason, take: &mut Take<'t, 'a>) {
    let is_same = attribute.value().trim() == chosen.as_str();
    take.merge(attribute, if is_same { Reason::SameValue } else { why }, chosen.mark);
}

/// The channels of a document, each with its number among the elements below the root.
fn channels<'t, 'a>(root: Node<'t, 'a>) -> impl Iterator<Item = (u32, Node<'t, 'a>)> {
    (1..).zip(root.children()).filter(|(_, child)| is_core(child.ns()) && child.name() == "channel")
}

/// Whether an element of a channel has a value for the videos of its items.
fn is_default(child: Node<'_, '_>) -> bool {
    media::is_element(child) || child.ns() == Ns::Itunes && child.name() == "explicit"
}

/// The elements of channels that apply to the videos of their items (A1), in a document of several channels.
pub fn objects(root: Node<'_, '_>) -> LentObjects {
    let mut objects = LentObjects::default();
    if channels(root).nth(1).is_some() {
        for (container, channel) in channels(root) {
            for (child, number) in channel.children().filter(|child| is_default(*child)).zip(0..) {
                objects.add(child, Some(&lent_name(container, number)), std::iter::empty(), |_| true);
            }
        }
    }
    objects
}

/// What one of the values of a channel is called.
pub fn lent_name(container: u32, number: u32) -> String {
    format!("{container}.{number}")
}

/// Reads a channel; `lends` if what it has for videos is for its own items.
fn channel<'t, 'a>(channel: Node<'t, 'a>, lends: bool, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    take.known(channel);
    for child in channel.children().filter(|child| is_core(child.ns())) {
        core(child, take, feed);
    }
    let why = if lends { Reason::FirstWins } else { Reason::InnerValue };
    take_language(channel, why, take, feed);
    match channel.attribute_ns(Ns::Xml, "base").filter(|_| !holds_items(channel)) {
        // it applies to what the channel has itself; if its link needs none, it goes nowhere
        Some(base) => {
            let links = channel.children().filter(|child| is_core(child.ns()) && child.name() == "link");
            let is_used = links.map(Node::text_value).any(|link| url::scheme(link.trim()).is_none());
            if let Some(home) = feed.home.as_ref().filter(|_| is_used) {
                take.follow(base, home.mark);
            }
        }
        None => take_base(channel, why, take, feed),
    }
    if let Some(about) = channel.attribute_ns(Ns::Rdf, "about") {
        take.value(about, Some(Ns::Rdf), &mut feed.id);
    }
    modules::page_link(channel, take, &mut feed.home, &mut feed.links);
    for child in channel.children().filter(|child| child.ns() == Ns::Atom) {
        modules::feed_child(child, take, feed);
    }
    let others = channel.children().filter(|child| !is_core(child.ns()) && child.ns() != Ns::Atom);
    for child in others.filter(|child| !lends || !is_default(*child)) {
        if !media::feed_child(child, take, feed) {
            modules::feed_child(child, take, feed);
        }
    }
}

/// Whether the items are in the channel, and not next to it as in RDF.
fn holds_items(channel: Node<'_, '_>) -> bool {
    channel.parent().is_none_or(|root| root.ns() != Ns::Rdf)
}

fn core<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    // how RSS 1.1 is to be read as RDF
    if let Some(kind) = child.attribute_ns(Ns::Rdf, "parseType").filter(|_| child.ns() == Ns::Rss11) {
        take.implied(kind);
    }
    match child.name() {
        "title" => take.construct(child, modules::default_kind(child), None, &mut feed.title),
        "link" => take.text(child, &mut feed.home),
        "description" => take.construct(child, modules::default_kind(child), None, &mut feed.subtitle),
        "language" => take.language_text(child, &mut feed.language),
        "copyright" => take.construct(child, TextKind::Plain, None, &mut feed.rights),
        "managingEditor" => managing_editor(child, take, feed),
        "webMaster" => web_master(child, take, feed),
        "pubDate" => take.date_text(child, DateForm::Rfc822, &mut feed.published),
        "lastBuildDate" => take.date_text(child, DateForm::Rfc822, &mut feed.updated),
        "category" => feed.categories.extend(category(child, take)),
        "generator" => {
            let generator = feed.generator.get_or_insert_with(Generator::default);
            take.text(child, &mut generator.name);
        }
        "docs" => take.text(child, &mut feed.docs),
        "cloud"
            if take.sets_aside(child, feed.cloud.is_some(), |take, aside: &mut Feed<'a>| {
                cloud(child, take, aside.cloud.get_or_insert_default());
            }) => {}
        "cloud" => cloud(child, take, feed.cloud.get_or_insert_default()),
        "ttl" => take.text(child, &mut feed.ttl),
        "image" => image(child, take, feed),
        "rating" => take.text(child, &mut feed.pics_rating),
        "textInput" | "textinput" => text_input(child, take, feed),
        "skipHours" => {
            take.known(child);
            for hour in named(child, "hour") {
                take.push(hour, None, &mut feed.skip_hours);
            }
        }
        "skipDays" => {
            take.known(child);
            for day in named(child, "day") {
                take.push(day, None, &mut feed.skip_days);
            }
        }
        "items" => sequence(child, take, feed),
        _ => (),
    }
}

fn named<'t, 'a>(element: Node<'t, 'a>, name: &'static str) -> impl Iterator<Item = Node<'t, 'a>> {
    element.children().filter(move |child| is_core(child.ns()) && child.name() == name)
}

fn managing_editor<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    let first = feed.authors.first().and_then(|author| author.email.as_ref().or(author.name.as_ref()));
    match (first.map(|leaf| leaf.mark), child.text()) {
        (Some(with), Some(text)) => {
            take.known(child);
            take.merge(text, Reason::FirstWins, with);
        }
        _ => feed.authors.extend(take_person(child, take, None)),
    }
}

fn web_master<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    let first = feed.web_master.as_ref().and_then(|person| person.email.as_ref().or(person.name.as_ref()));
    match (first.map(|leaf| leaf.mark), child.text()) {
        (Some(with), Some(text)) => {
            take.known(child);
            take.merge(text, Reason::FirstWins, with);
        }
        _ => feed.web_master = take_person(child, take, None),
    }
}

fn cloud<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, cloud: &mut Cloud<'a>) {
    take.attr(child, "domain", &mut cloud.domain);
    take.attr(child, "port", &mut cloud.port);
    take.attr(child, "path", &mut cloud.path);
    take.attr(child, "registerProcedure", &mut cloud.register_procedure);
    take.attr(child, "protocol", &mut cloud.protocol);
}

/// Attributes of RDF that link elements of one document (`rdf:resource`, `rdf:about`): kept under the name of their
/// element.
fn ties<'t, 'a>(element: Node<'t, 'a>, name: &'static str, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    take.known(element);
    let mut module = Module { name: name.into(), ..Module::default() };
    for attribute in element.attributes().filter(|attribute| matches!(attribute.name(), "resource" | "about")) {
        if let Some(value) = take.leaf(attribute, None) {
            module.attributes.push(ModuleAttribute { name: attribute.name().into(), value: Some(value) });
        }
    }
    if !module.attributes.is_empty() {
        feed.modules.push(module);
    }
}

fn image<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    ties(child, "rdf:image", take, feed);
    if !child.has_children() || take.sets_aside(child, feed.image.is_some(), |take, aside| image(child, take, aside)) {
        return;
    }
    let image = feed.image.get_or_insert_default();
    for part in child.children().filter(|part| is_core(part.ns())) {
        match part.name() {
            "url" => take.text(part, &mut image.url),
            "title" => take.construct(part, TextKind::Plain, None, &mut image.title),
            "link" => take.text(part, &mut image.link),
            "width" => take.text(part, &mut image.width),
            "height" => take.text(part, &mut image.height),
            "description" => take.construct(part, TextKind::Plain, None, &mut image.description),
            _ => (),
        }
    }
}

fn text_input<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    ties(child, "rdf:textinput", take, feed);
    if !child.has_children()
        || take.sets_aside(child, feed.text_input.is_some(), |take, aside| text_input(child, take, aside))
    {
        return;
    }
    let input: &mut TextInput<'a> = feed.text_input.get_or_insert_default();
    for part in child.children().filter(|part| is_core(part.ns())) {
        match part.name() {
            "title" => take.construct(part, TextKind::Plain, None, &mut input.title),
            "description" => take.construct(part, TextKind::Plain, None, &mut input.description),
            "name" => take.text(part, &mut input.name),
            "link" => take.text(part, &mut input.link),
            _ => (),
        }
    }
}

/// The table of contents of RSS 1.0: it names the items that follow.
fn sequence<'t, 'a>(items: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    take.known(items);
    for list in items.children().filter(|list| list.ns() == Ns::Rdf) {
        take.known(list);
        for item in list.children().filter(|item| item.ns() == Ns::Rdf && item.name() == "li") {
            ties(item, "rdf:li", take, feed);
        }
    }
}

/// Whether elements of this namespace are RSS's own: those without one, and the namespaces that versions and
/// producers put them into.
pub fn is_core(ns: Ns) -> bool {
    matches!(ns, Ns::None | Ns::Rss2 | Ns::Rss10 | Ns::Rss090 | Ns::Rss11 | Ns::YahooChannel)
}

/// A category of an item or a channel.
pub fn category<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Option<Category<'a>> {
    let mut category = Category::default();
    take.text(child, &mut category.term);
    take.attr(child, "domain", &mut category.scheme);
    (category.term.is_some() || category.scheme.is_some()).then_some(category)
}

/// Marks a value as coming from an attribute in the namespace of XML.
pub fn from_xml<T>(leaf: &mut Option<Leaf<T>>) {
    if let Some(leaf) = leaf {
        leaf.via = Some(Ns::Xml);
    }
}
