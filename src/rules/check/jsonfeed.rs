//! Checks of JSON Feed 1.0 and 1.1: the members that it requires, their types, and those that it does not define.

use std::collections::HashSet;

use super::super::hits::{Cx, Hits, QuotedValue};
use super::value::{self, Iso, as_rfc_3339, is_web, iso};
use crate::format::jsonfeed::version::VERSIONS;
use crate::json::parse::{BOOLEAN, LIST, NULL, NUMBER, OBJECT, STRING};
use crate::text::url;
use crate::tree::Node;

/// The members of a feed.
const FEED: &[&str] = &[
    "version",
    "title",
    "items",
    "home_page_url",
    "feed_url",
    "description",
    "user_comment",
    "next_url",
    "icon",
    "favicon",
    "author",
    "authors",
    "language",
    "expired",
    "hubs",
];

/// The members of an item.
const ITEM: &[&str] = &[
    "id",
    "url",
    "external_url",
    "title",
    "content_html",
    "content_text",
    "summary",
    "image",
    "banner_image",
    "date_published",
    "date_modified",
    "author",
    "authors",
    "tags",
    "language",
    "attachments",
];

/// The members that hold nothing else than a text, a URL, or values of another type, with what the last are.
const TEXTS: &[&str] =
    &["title", "description", "user_comment", "content_html", "content_text", "summary", "name", "type", "language"];
const URLS: &[&str] = &[
    "url",
    "external_url",
    "image",
    "banner_image",
    "home_page_url",
    "feed_url",
    "next_url",
    "icon",
    "favicon",
    "avatar",
];
const OTHERS: &[(&str, &str)] = &[
    ("author", OBJECT),
    ("authors", LIST),
    ("tags", LIST),
    ("attachments", LIST),
    ("hubs", LIST),
    ("expired", BOOLEAN),
    ("size_in_bytes", NUMBER),
    ("duration_in_seconds", NUMBER),
];

fn kind<'a>(node: Node<'_, 'a>) -> &'a str {
    node.raw().uri
}

/// The member of an object with a value.
fn member<'t, 'a>(object: Node<'t, 'a>, name: &str) -> Option<Node<'t, 'a>> {
    object.nodes().find(|node| node.name() == name && kind(*node) != NULL)
}

/// The objects in a list that is a member.
fn objects<'t, 'a>(object: Node<'t, 'a>, name: &str) -> impl Iterator<Item = Node<'t, 'a>> + use<'t, 'a> {
    let list = member(object, name).filter(|list| kind(*list) == LIST);
    list.into_iter().flat_map(Node::nodes).filter(|node| kind(*node) == OBJECT)
}

/// What a value is, for a message.
fn type_of(node: Node<'_, '_>) -> &'static str {
    with_article(kind(node))
}

fn with_article(kind: &str) -> &'static str {
    match kind {
        STRING => "a string",
        NUMBER => "a number",
        OBJECT => "an object",
        LIST => "a list",
        BOOLEAN => "a boolean",
        _ => "a word",
    }
}

/// A member that must be there with a value of this type.
fn required(object: Node<'_, '_>, of: &str, name: &str, wanted: &str, hits: &mut Hits<'_>) {
    match member(object, name) {
        None => hits.report_missing(0, object, format_args!("the {of} has no {name}"), format_args!("add \"{name}\"")),
        Some(node) if kind(node) != wanted => {
            let says = format_args!("{name} is {}, not a {wanted}", type_of(node));
            hits.report(0, node, says, format_args!("write a {wanted}"));
        }
        Some(node) if wanted == STRING && node.value().trim().is_empty() => {
            hits.report_missing(0, node, format_args!("{name} is empty"), "write its value");
        }
        Some(_) => (),
    }
}

/// The values of the members of an object, but for the types of those that must be there.
fn values(object: Node<'_, '_>, told: &[&str], cx: &Cx<'_>, hits: &mut Hits<'_>) {
    values_except(object, told, |_| false, cx, hits);
}

/// The same, without the strings that have a rule of their own.
fn values_except(
    object: Node<'_, '_>,
    told: &[&str],
    is_other: impl Fn(&Node<'_, '_>) -> bool,
    cx: &Cx<'_>,
    hits: &mut Hits<'_>,
) {
    let mut seen = HashSet::new();
    for node in object.nodes() {
        let name = node.name();
        if !seen.insert(name) {
            let says = format_args!("a second {} in one object", QuotedValue(name));
            hits.report_missing(0, node, says, "remove one of them: readers use either");
        }
        let other = OTHERS.iter().find(|(of, _)| *of == name).map(|(_, wanted)| *wanted);
        let is_string = TEXTS.contains(&name) || URLS.contains(&name) || name == "mime_type";
        let Some(wanted) = other.or_else(|| is_string.then_some(STRING)).filter(|_| kind(node) != NULL) else {
            continue;
        };
        if kind(node) == wanted {
            if !is_other(&node) {
                value(node, cx, hits);
            }
        } else if !told.contains(&name) {
            let wanted = with_article(wanted);
            let says = format_args!("{name} is {}, not {wanted}", type_of(node));
            hits.report(0, node, says, format_args!("write {wanted}"));
        }
    }
}

/// The value of a member that has the right type.
fn value(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let (name, text) = (node.name(), node.value().trim());
    let shown = QuotedValue(text);
    match name {
        "tags" => each(node, STRING, hits),
        "authors" | "attachments" | "hubs" => each(node, OBJECT, hits),
        "size_in_bytes" if value::whole(text).is_none() => {
            hits.report(0, node, format_args!("{name} is {text}"), "write a whole number of bytes");
        }
        "duration_in_seconds" if value::decimal(text).is_some_and(|number| number < 0.0) => {
            hits.report(0, node, format_args!("{name} is {text}"), "write a number of seconds");
        }
        "language" if !super::rss::is_language(text) => {
            hits.report(0, node, format_args!("{name} is {shown}"), "write a language tag such as en or pt-BR");
        }
        "mime_type" if !text.is_empty() && !value::is_mime(text) => {
            hits.report(0, node, format_args!("{name} is {shown}"), "write a MIME type such as audio/mpeg");
        }
        name if URLS.contains(&name) && !text.is_empty() => address(node, text, cx, hits),
        _ => (),
    }
}

/// The values of a list.
fn each(list: Node<'_, '_>, wanted: &str, hits: &mut Hits<'_>) {
    for node in list.nodes().filter(|node| kind(*node) != wanted) {
        let wanted = with_article(wanted);
        let says = format_args!("a value of {} is {}, not {wanted}", list.name(), type_of(node));
        hits.report(0, node, says, format_args!("write {wanted}"));
    }
}

/// Whether a value is of an attachment, which may be a file on any server.
fn is_of_attachment(node: Node<'_, '_>) -> bool {
    node.parent().and_then(Node::parent).is_some_and(|list| list.name() == "attachments")
}

/// A URL, absolute or below that of the feed.
fn address(node: Node<'_, '_>, text: &str, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let own = cx.head.root().and_then(|feed| member(feed, "feed_url")).filter(|own| is_web(own.value()));
    let name = node.name();
    match url::scheme(text) {
        Some(_) if is_web(text) => (),
        Some(scheme) if is_of_attachment(node) && !url::is_web_scheme(scheme) => (),
        Some(_) => {
            let says = format_args!("{name} is {}: no URL of a page", QuotedValue(text));
            return hits.report(0, node, says, "write an absolute http or https URL");
        }
        None if own.is_some_and(|own| own.index != node.index || cx.entry.is_some()) => (),
        None => {
            let says = format_args!("{name} is {}: not an absolute URL", QuotedValue(text));
            return hits.report(0, node, says, "write the absolute URL, with https:// and the host");
        }
    }
    if let Some(illegal) = value::illegal(text) {
        let says = format_args!("{name} contains {illegal}, which is not allowed in URLs");
        hits.report(0, node, says, format_args!("write {}", QuotedValue(&url::normalize_for_sitemap(text))));
    }
}

pub(in super::super) fn feed(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    required(root, "feed", "version", STRING, hits);
    let version = member(root, "version").filter(|node| kind(*node) == STRING && !node.value().trim().is_empty());
    if let Some(node) = version.filter(|node| !node.value().contains(VERSIONS)) {
        let says = format_args!("version is {}: not one of JSON Feed", QuotedValue(node.value()));
        hits.report(0, node, says, "write https://jsonfeed.org/version/1.1");
    }
    required(root, "feed", "title", STRING, hits);
    required(root, "feed", "items", LIST, hits);
    values(root, &["title"], cx, hits);
    for hub in objects(root, "hubs") {
        required(hub, "hub", "type", STRING, hits);
        required(hub, "hub", "url", STRING, hits);
        values(hub, &["type", "url"], cx, hits);
    }
    people(root, cx, hits);
}

pub(in super::super) fn item(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if kind(root) != OBJECT {
        let says = format_args!("the item is {}, not an object", type_of(root));
        return hits.report_missing(0, root, says, "write an object with an id and its content");
    }
    required(root, "item", "id", STRING, hits);
    let is_content =
        |node: Node<'_, '_>| matches!(node.name(), "content_html" | "content_text") && kind(node) == STRING;
    if !root.nodes().any(is_content) {
        let says = "the item has neither content_html nor content_text";
        hits.report_missing(0, root, says, "add one of them, as a string");
    }
    values(root, &[], cx, hits);
    for attachment in objects(root, "attachments") {
        required(attachment, "attachment", "url", STRING, hits);
        required(attachment, "attachment", "mime_type", STRING, hits);
        values(attachment, &["url", "mime_type"], cx, hits);
    }
    for node in root.nodes().filter(|node| matches!(node.name(), "date_published" | "date_modified")) {
        date(node, hits);
    }
    people(root, cx, hits);
}

fn date(node: Node<'_, '_>, hits: &mut Hits<'_>) {
    let text = node.value();
    let date = hits.date(text);
    // RFC 3339 allows t and z in lower case
    let is_whole = matches!(iso(&text.to_ascii_uppercase(), date), Some(Iso::Time { seconds: true, zone: true, .. }));
    if kind(node) == NULL || kind(node) == STRING && is_whole {
        return hits.report_placeholder(node, node.raw().qname, text, date);
    }
    let says = format_args!("{} is {}: not an RFC 3339 date", node.name(), QuotedValue(text));
    hits.report(0, node, says, as_rfc_3339(text, date));
}

/// An author has at least one of three values.
fn people(object: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let only = member(object, "author").filter(|author| kind(*author) == OBJECT);
    for author in objects(object, "authors").chain(only) {
        // the page of an author may be a mail address
        let is_mail = |node: &Node<'_, '_>| node.name() == "url" && url::scheme(node.value().trim()) == Some("mailto");
        values_except(author, &[], is_mail, cx, hits);
        if !["name", "url", "avatar"].iter().any(|name| member(author, name).is_some()) {
            let says = "the author has neither name nor url nor avatar";
            hits.report_missing(0, author, says, "add one of them, or remove the object");
        }
    }
}

pub(in super::super) fn members(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let (known, of) = if cx.entry.is_some() { (ITEM, "an item") } else { (FEED, "a feed") };
    let is_1_0 = cx.head.root().and_then(|feed| member(feed, "version")).is_some_and(|node| is_1_0(node.value()));
    for node in root.nodes().filter(|_| kind(root) == OBJECT) {
        let name = node.name();
        if name == "author" && !is_1_0 && member(root, "authors").is_none() {
            let hint = "write \"authors\", a list of objects";
            hits.report_missing(0, node, "author is deprecated in JSON Feed 1.1", hint);
        }
        if !known.contains(&name) && !name.starts_with('_') {
            let says = format_args!("{of} has no member {}", QuotedValue(name));
            hits.report_missing(1, node, says, "begin the names of your members with _");
        }
    }
}

fn is_1_0(version: &str) -> bool {
    let version = version.trim().trim_end_matches('/');
    version.ends_with("/version/1") || version.ends_with("/version/1.0")
}
