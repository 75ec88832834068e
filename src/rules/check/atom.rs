//! Checks of Atom 1.0 (RFC 4287).

use super::super::hits::{Cx, Hits, QuotedValue};
use super::reading;
use super::rss::is_language;
use super::value::{self, Iso, attribute, iso};
use crate::model::Date;
use crate::text::{relation, url};
use crate::tree::Node;
use crate::xml;
use crate::xml::names::Ns;

/// What a feed and an entry must have once.
const REQUIRED: [&str; 3] = ["id", "title", "updated"];

fn is_1_0(cx: &Cx<'_>) -> bool {
    cx.format.id != "atom03"
}

fn required(node: Node<'_, '_>, what: &str, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for name in REQUIRED {
        let mut found = cx.children(node, Ns::Atom, name);
        let first = found.next();
        // a title may be empty
        if first.is_none_or(|first| name != "title" && first.text_value().is_empty()) {
            let hint = format_args!("add <{name}>");
            hits.report_missing(0, first.unwrap_or(node), format_args!("the {what} has no {name}"), hint);
        }
        for extra in found {
            hits.report(1, extra, format_args!("a second {name} in one {what}"), "remove one of them");
        }
    }
}

pub(in super::super) fn feed(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if is_1_0(cx) && root.name() == "feed" {
        required(root, "feed", cx, hits);
    }
}

pub(in super::super) fn entry(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if is_1_0(cx) {
        required(root, "entry", cx, hits);
    }
}

/// What the source of an entry should say of the feed that the entry was copied from.
pub(in super::super) fn source(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    // in RSS the element is another one
    if !is_1_0(cx) || !cx.format.family.is_atom() {
        return;
    }
    for name in REQUIRED {
        if cx.child(node, Ns::Atom, name).is_none() {
            let hint = format_args!("add <{name}> of that feed");
            hits.report_missing(2, node, format_args!("the source has no {name}"), hint);
        }
    }
}

pub(in super::super) fn author(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let has = |node: Node<'_, '_>| cx.child(node, Ns::Atom, "author").is_some();
    let source = cx.child(root, Ns::Atom, "source");
    if is_1_0(cx) && !has(root) && !source.is_some_and(has) && !cx.channel().is_some_and(has) {
        let hint = "add <author><name>…</name></author> to the feed";
        hits.report_missing(0, root, "neither the entry nor the feed has an author", hint);
    }
}

/// The relation of a link by its short name.
fn rel<'t>(link: Node<'t, '_>) -> &'t str {
    let rel = attribute(link, "rel").map_or("alternate", |rel| rel.value());
    rel.strip_prefix("http://www.iana.org/assignments/relation/").unwrap_or(rel)
}

pub(in super::super) fn content_or_link(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let alternate = cx.children(root, Ns::Atom, "link").any(|link| rel(link) == "alternate");
    if cx.child(root, Ns::Atom, "content").is_none() && !alternate {
        let hint = "add <link href=\"…\"/> with the URL of its page, or <content>";
        return hits.report_missing(0, root, "the entry has neither content nor a link to its page", hint);
    }
    let links = cx.children(root, Ns::Atom, "link").filter(|link| matches!(rel(*link), "alternate" | "via"));
    let mut links = links.filter_map(|link| attribute(link, "href"));
    let is_page = |href: Node<'_, '_>| match url::scheme(href.value()) {
        Some(_) => super::rss::is_page(href.value()),
        None => is_based(href, cx),
    };
    // an entry is read for each of those that a file may have, so not for any number of them
    let mut asked = 0;
    let mut is_file = |href: Node<'_, '_>| {
        asked += 1;
        asked <= 8 && reading::is_file(href.value(), root, cx)
    };
    match links.find(|href| is_page(*href) && !is_file(*href)) {
        Some(page) => super::rss::long_page(page, page.value(), hits),
        None => {
            let hint = "add <link href=\"…\"/> with the https URL of its page";
            hits.report_missing(1, root, "the entry has no link to an http(s) URL", hint);
        }
    }
}

/// Whether a relative URL has a base.
fn is_based(node: Node<'_, '_>, cx: &Cx<'_>) -> bool {
    let is_own = |link: Node<'_, '_>| {
        rel(link) == "self" && attribute(link, "href").is_some_and(|href| value::is_web(href.value()))
    };
    super::reading::has_base(node, cx)
        || cx.channel().is_some_and(|feed| cx.children(feed, Ns::Atom, "link").any(is_own))
}

pub(in super::super) fn same_alternate(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let of = |link: Node<'_, '_>, name| {
        attribute(link, name).map_or(String::new(), |found| found.value().to_ascii_lowercase())
    };
    let mut seen: Vec<(String, String)> = Vec::new();
    for link in cx.children(node, Ns::Atom, "link").filter(|link| rel(*link) == "alternate").take(1000) {
        let kind = (of(link, "type"), of(link, "hreflang"));
        match seen.contains(&kind) {
            true => {
                let hint = "keep one, or give them different types or hreflang";
                hits.report_value(
                    0,
                    link,
                    attribute(link, "href").map(Node::value),
                    "a second alternate link of the same type and language",
                    hint,
                );
            }
            false => seen.push(kind),
        }
    }
}

pub(in super::super) fn date(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.value_or_text();
    let date = hits.date(text);
    let written = node.text().map_or(text, |text| text.value());
    // another rule reports an empty `updated` of a feed or an entry, where it is required
    let is_required = node.name() == "updated" && node.parent().is_none_or(|parent| parent.name() != "source");
    if is_1_0(cx) && text.is_empty() && !is_required {
        let hint = "write it as in 2026-05-01T10:00:00Z, or leave the element out";
        return hits.report_missing(0, node, format_args!("{} is empty", node.name()), hint);
    }
    if is_1_0(cx) && !text.is_empty() && written.trim() != written {
        hits.report(0, node, "white space around the date", "write the date directly between the tags");
    }
    if !is_1_0(cx) {
        return;
    }
    if matches!(iso(text, date), Some(Iso::Time { seconds: true, zone: true, .. })) || text.is_empty() {
        return hits.report_placeholder(node, node.raw().qname, text, date);
    }
    let says = format_args!("{} is {}: not an RFC 3339 date", node.name(), QuotedValue(text));
    hits.report(0, node, says, value::as_rfc_3339(text, date));
}

pub(in super::super) fn id(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    let raw = node.text().map_or("", |text| text.value());
    if raw.trim() != raw {
        hits.report(2, node, "white space around the id", "write the id directly between the tags");
    }
    if text.is_empty() {
        return;
    }
    if !value::is_absolute(text) {
        let says = format_args!("the id {} is not an absolute URL", QuotedValue(text));
        hits.report(0, node, says, "write an http, tag: or urn: URL that never changes");
    } else if value::is_web(text) && !text.contains('#') && !is_normal(text) {
        let says = format_args!("the id {} is not normalized", QuotedValue(text));
        let key = url::key(text);
        let hint = format_args!("for a new feed write {}; never change an id in use", QuotedValue(&key));
        hits.report(1, node, says, hint);
    }
}

/// Whether a URL is in normal form. The other characters of an IRI are so as they are.
fn is_normal(text: &str) -> bool {
    let plain = match text.is_ascii() {
        true => text.into(),
        false => text.replace(|c: char| !c.is_ascii(), "x"),
    };
    url::key(&plain) == plain
}

pub(in super::super) fn text(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !is_1_0(cx) {
        return;
    }
    let kind = node.attribute("type");
    let is_content = node.name() == "content";
    match kind.map_or("text", |kind| kind.value()) {
        "xhtml" => {
            let divs = node.children().filter(|child| child.ns() == Ns::Xhtml && child.name() == "div").count();
            if divs != 1 || node.children().count() != 1 || node.text().is_some() {
                let hint = "wrap all of it in one <div xmlns=\"http://www.w3.org/1999/xhtml\">";
                hits.report_missing(0, node, format_args!("{} of type xhtml is not one div", node.name()), hint);
            }
        }
        kind @ ("text" | "html") => {
            if let Some(child) = node.children().next() {
                let says = format_args!("{} of type {kind} contains the element <{}>", node.name(), child.raw().qname);
                let hint = "escape the markup, with < as &lt;, or write type=\"xhtml\" and a div";
                hits.report_missing(0, child, says, hint);
            }
        }
        // another rule reports types of other content
        other if is_content && (!other.trim().is_empty() || attribute(node, "src").is_some()) => (),
        other => {
            let says = format_args!("the type of {} is {}", node.name(), QuotedValue(other));
            let hint = match other {
                "text/html" => "write type=\"html\"",
                "text/plain" => "write type=\"text\"",
                "application/xhtml+xml" => "write type=\"xhtml\"",
                _ => "write text, html or xhtml",
            };
            match kind {
                Some(kind) => hits.report(0, kind, says, hint),
                None => hits.report_missing(0, node, says, hint),
            }
        }
    }
}

/// Whether content of this type is readable without decoding: text or markup.
fn is_readable(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    matches!(kind.as_str(), "text" | "html" | "xhtml" | "") || kind.starts_with("text/") || is_xml(&kind)
}

fn is_xml(kind: &str) -> bool {
    kind.ends_with("+xml") || kind.ends_with("/xml")
}

pub(in super::super) fn content(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !is_1_0(cx) {
        return;
    }
    let kind = attribute(node, "type");
    let name = kind.map_or("", |kind| kind.value());
    if attribute(node, "src").is_some() {
        if node.text().is_some() || node.has_children() {
            hits.report_missing(0, node, "content with src is not empty", "remove its text, or src");
        }
        if let Some(kind) = node.attribute("type").filter(|_| is_composite(name) || !value::is_mime(name)) {
            let says = format_args!("content with src has the type {}", QuotedValue(name));
            hits.report(0, kind, says, "write the MIME type of that URL, such as text/html");
        }
        return;
    }
    let Some(kind) = kind.filter(|_| !is_readable(name)) else { return };
    if is_composite(name) {
        let says = format_args!("content has the composite type {}", QuotedValue(name));
        hits.report(0, kind, says, "use one of the parts");
    } else if !value::is_mime(name) {
        hits.report_wrong(0, kind, "the type of content", "write text, html, xhtml or a MIME type");
    } else if !is_base64(node.text_value()) {
        let says = format_args!("content of the type {} is not in Base64", QuotedValue(name));
        hits.report_missing(0, node, says, "encode it in Base64, or write its URL as src");
    }
}

/// Whether a MIME type is one of documents that consist of others.
fn is_composite(kind: &str) -> bool {
    let of = kind.split('/').next().unwrap_or_default().trim();
    of.eq_ignore_ascii_case("multipart") || of.eq_ignore_ascii_case("message")
}

fn is_base64(text: &str) -> bool {
    let signs: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let end = signs.iter().rposition(|byte| *byte != b'=').map_or(0, |at| at + 1);
    let is_sign = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    signs.len().is_multiple_of(4) && signs.len() - end <= 2 && signs[..end].iter().all(is_sign)
}

pub(in super::super) fn summary(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(content) = cx.child(root, Ns::Atom, "content").filter(|_| is_1_0(cx)) else { return };
    let kind = attribute(content, "type").map_or("", |kind| kind.value());
    let elsewhere = attribute(content, "src").is_some();
    if (elsewhere || !is_readable(kind)) && cx.child(root, Ns::Atom, "summary").is_none() {
        let what = if elsewhere { "elsewhere" } else { "in Base64" };
        hits.report_missing(0, content, format_args!("the entry has content {what} and no summary"), "add <summary>");
    }
}

pub(in super::super) fn link(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    // an empty one is the document itself
    if node.attribute("href").is_none() {
        hits.report_missing(0, node, "the link has no href", "add href=\"…\"");
    }
    if let Some(length) = node.attribute("length").filter(|length| value::whole(length.value()).is_none()) {
        hits.report_wrong(4, length, "the length of the link", "write the size in bytes");
    }
    if let Some(kind) = attribute(node, "type").filter(|kind| !value::is_mime(kind.value())) {
        hits.report_wrong(1, kind, "the type of the link", "write a MIME type such as text/html");
    }
    if let Some(code) = attribute(node, "hreflang").filter(|code| !is_language(code.value())) {
        hits.report_wrong(2, code, "hreflang", "write a language tag such as en-GB");
    }
    let name = rel(node);
    // drafts of Atom had others
    if is_1_0(cx)
        && !name.contains(':')
        && !relation::is_registered(name)
        && let Some(found) = attribute(node, "rel")
    {
        let says = format_args!("{} is not a registered relation", QuotedValue(name));
        hits.report(3, found, says, "write a registered one, or your own absolute URL");
    }
    if let Some(empty) = node.attribute("rel").filter(|rel| rel.value().trim().is_empty()) {
        hits.report_missing(3, empty, "rel is empty", "remove it, or write a registered relation");
    }
}

pub(in super::super) fn enclosure(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if rel(node) == "enclosure" && attribute(node, "length").is_none() {
        hits.report_missing(0, node, "the enclosure has no length", "add length=\"…\" with the size in bytes");
    }
}

pub(in super::super) fn own_link(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if root.name() == "feed" && is_1_0(cx) && !cx.children(root, Ns::Atom, "link").any(|link| rel(link) == "self") {
        let hint = "add <link rel=\"self\" href=\"…\"/> with the URL of the feed";
        hits.report_missing(0, root, "the feed has no link to itself", hint);
    }
}

pub(in super::super) fn category(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if is_1_0(cx) && attribute(node, "term").is_none() {
        hits.report_missing(0, node, "the category has no term", "add term=\"…\"");
    }
}

pub(in super::super) fn person(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if cx.text(node, Ns::Atom, "name").is_none() {
        hits.report_missing(0, node, format_args!("the {} has no name", node.name()), "add <name>");
    }
    if let Some(email) = cx.child(node, Ns::Atom, "email").filter(|email| !value::is_email(email.text_value())) {
        hits.report_wrong(0, email, "the e-mail address", "write name@host without the name of the person");
    }
    // another rule reports a uri that is not a URL
    if let Some(uri) = cx.child(node, Ns::Atom, "uri").filter(|uri| uri.text_value().is_empty()) {
        hits.report_missing(0, uri, "the uri is empty", "write the URL, or remove the element");
    }
}

pub(in super::super) fn entries_first(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(first) = cx.first_line.filter(|_| is_1_0(cx)) else { return };
    let late =
        root.children().find(|child| child.ns() == Ns::Atom && cx.line_of(*child).is_some_and(|line| line > first));
    if let Some(late) = late {
        let says = format_args!("{} of the feed follows its first entry", late.name());
        hits.report_missing(0, late, says, "move it before the entries");
    }
}

pub(in super::super) fn published(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let of = |name| cx.child(root, Ns::Atom, name).and_then(|node| Some((node, Date::parse(node.text_value())?.0)));
    if let (Some((node, published)), Some((_, updated))) = (of("published"), of("updated"))
        && published.instant() > updated.instant()
    {
        let says = format_args!("the entry is published {}, after updated", QuotedValue(node.text_value()));
        hits.report(0, node, says, "fix the wrong date");
    }
}

pub(in super::super) fn check_text_missing(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let says_something = |name| {
        let found = cx.child(root, Ns::Atom, name);
        found.is_some_and(|found| found.text().is_some() || found.has_children() || attribute(found, "src").is_some())
    };
    if is_1_0(cx) && !says_something("summary") && !says_something("content") {
        hits.report_missing(0, root, "the entry has neither a summary nor content", "add <summary>");
    }
}

pub(in super::super) fn old_version(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !is_1_0(cx) {
        hits.report_missing(0, root, "this is Atom 0.3", "write Atom 1.0; `transfeed convert --to atom` does");
    }
}

pub(in super::super) fn unknown(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for node in value::elements(root) {
        let raw = node.raw();
        let is_xhtml = |text: &Node<'_, '_>| attribute(*text, "type").is_some_and(|kind| kind.value() == "xhtml");
        if raw.ns != Ns::Xhtml && node.parent().filter(is_text).filter(is_xhtml).is_some() {
            let says = format_args!("<{}> in a text of type xhtml", raw.qname);
            hits.report_missing(0, node, says, "write only XHTML elements, in the XHTML namespace");
        } else if raw.ns == Ns::Atom && !xml::is_known(Ns::Atom, raw.name) && is_1_0(cx) {
            // inside a text, another finding covers all markup
            let mut around = std::iter::successors(node.parent(), |node| node.parent());
            if !around.any(|node| is_text(&node)) {
                let hint = "use your own namespace";
                hits.report_missing(0, node, format_args!("Atom has no element <{}>", raw.qname), hint);
            }
        } else if raw.ns == Ns::Atom && is_1_0(cx) {
            misplaced(node, hits);
        }
    }
}

/// Elements of Atom, each with its allowed parents (RFC 4287, section 4). Elements not listed are allowed in feed,
/// entry and source.
const PLACES: [(&str, &[&str]); 13] = [
    ("feed", &[]),
    ("entry", &["feed"]),
    ("source", &["entry"]),
    ("content", &["entry"]),
    ("summary", &["entry"]),
    ("published", &["entry"]),
    ("subtitle", &["feed", "source"]),
    ("generator", &["feed", "source"]),
    ("icon", &["feed", "source"]),
    ("logo", &["feed", "source"]),
    ("name", &["author", "contributor"]),
    ("uri", &["author", "contributor"]),
    ("email", &["author", "contributor"]),
];

/// Reports an element in a parent for which Atom does not define it. Elements inside extensions are not checked.
fn misplaced(node: Node<'_, '_>, hits: &mut Hits<'_>) {
    let Some(holder) = node.parent().filter(|parent| parent.ns() == Ns::Atom && !is_text(parent)) else { return };
    let homes = match PLACES.iter().find(|(name, _)| *name == node.name()) {
        Some((_, homes)) => *homes,
        None => &["feed", "entry", "source"],
    };
    if !homes.contains(&holder.name()) && xml::is_known(Ns::Atom, holder.name()) {
        let says = format_args!("{} has no meaning in <{}>", node.raw().qname, holder.raw().qname);
        match homes {
            [] => hits.report_missing(0, node, says, "remove it"),
            homes => hits.report_missing(0, node, says, format_args!("put it into {}", homes.join(" or "))),
        }
    }
}

/// Whether an element is a text, whose markup depends on its type.
fn is_text(node: &Node<'_, '_>) -> bool {
    node.ns() == Ns::Atom && matches!(node.name(), "content" | "summary" | "title" | "subtitle" | "rights")
}
