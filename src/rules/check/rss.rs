//! Checks of RSS 2.0 and the modules that podcasts and blogs use with it.

use super::super::hits::{Cx, Hits, QuotedValue};
use super::reading;
use super::value::{self, attribute, shown};
use crate::model::Date;
use crate::pages::MOST_LINKS;
use crate::text::{html, language, mime, url};
use crate::tree::{Node, NodeKind};
use crate::xml::names::Ns;

/// Rules of RSS 2.0 are not those of its ancestors in RDF.
fn is_rss(cx: &Cx<'_>) -> bool {
    matches!(cx.format.id, "rss" | "mrss" | "rss-podcast")
}

/// Whether an element is directly in the channel, or in an item.
fn stands_in(node: Node<'_, '_>, cx: &Cx<'_>, name: &str) -> bool {
    match node.parent() {
        Some(parent) => cx.is(parent, Ns::None, name),
        None => false,
    }
}

pub(in super::super) fn version(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !is_rss(cx) || root.name() != "rss" {
        return;
    }
    match attribute(root, "version") {
        None => hits.report_missing(0, root, "<rss> has no version", "write <rss version=\"2.0\">"),
        Some(found) if !matches!(found.value(), "2.0" | "0.91" | "0.92" | "0.93" | "0.94") => {
            hits.report_wrong(0, found, "the version", "write version=\"2.0\"");
        }
        Some(_) => (),
    }
}

pub(in super::super) fn channel(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for name in ["title", "link", "description"] {
        if cx.text(node, Ns::None, name).is_none() {
            hits.report_missing(0, node, format_args!("the channel has no {name}"), format_args!("add <{name}>"));
        }
    }
}

pub(in super::super) fn no_channel(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if is_rss(cx) && root.name() == "rss" && cx.child(root, Ns::None, "channel").is_none() {
        hits.report_missing(0, root, "<rss> has no channel", "add <channel> with title, link and description");
    }
}

pub(in super::super) fn title_or_description(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let has = |name| cx.child(root, Ns::None, name).is_some_and(|found| found.nodes().next().is_some());
    // 0.92 and 0.93 require nothing of an item
    let is_free = || matches!(version_of(cx), "0.92" | "0.93");
    match is_rss(cx) {
        true if !has("title") && !has("description") && !is_free() => {
            hits.report_missing(0, root, "the item has neither a title nor a description", "add one of the two");
        }
        false if is_rss_1(cx) && !has("title") => {
            hits.report_missing(0, root, "the item has no title", "add <title>");
        }
        _ => (),
    }
}

/// RSS 1.0 requires the title and the link of an item.
fn is_rss_1(cx: &Cx<'_>) -> bool {
    cx.format.id == "rss1"
}

/// The version that the root of RSS has; empty if it has none.
fn version_of<'x>(cx: &'x Cx<'_>) -> &'x str {
    let version = cx.head.root().and_then(|root| root.attribute("version"));
    version.map_or("", |version| version.value())
}

/// The elements that can have the URL of the page of an item.
fn links<'t, 'a>(root: Node<'t, 'a>, cx: &Cx<'_>) -> impl Iterator<Item = Node<'t, 'a>> {
    let own = cx.child(root, Ns::None, "link").filter(|link| !link.text_value().is_empty());
    let permalink = cx.child(root, Ns::None, "guid").filter(|guid| {
        guid.attribute("isPermaLink").is_none_or(|found| found.value() != "false") && value::is_web(guid.text_value())
    });
    let others = cx.children(root, Ns::Atom, "link").filter(|link| {
        let rel = attribute(*link, "rel").map_or("alternate", |rel| rel.value());
        matches!(rel, "alternate" | "via") && attribute(*link, "href").is_some()
    });
    let others = others.filter_map(|link| link.attribute("href"));
    let found: Vec<Node<'t, 'a>> = own.into_iter().chain(permalink).chain(others).collect();
    found.into_iter()
}

/// Whether an item names a page at all.
pub(super) fn has_page(root: Node<'_, '_>, cx: &Cx<'_>) -> bool {
    links(root, cx).next().is_some()
}

pub(in super::super) fn link(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let all: Vec<_> = links(root, cx).collect();
    // of the links of Atom, those to a file are skipped
    let is_skipped =
        |link: &&Node<'_, '_>| link.kind() == NodeKind::Attribute && reading::is_file(link.value_or_text(), root, cx);
    let first = all.iter().take(MOST_LINKS).find(|link| !is_skipped(link)).or(all.first()).copied();
    let mut links = all.into_iter();
    let Some(first) = first else {
        let variant = if is_rss_1(cx) { 2 } else { 0 };
        return hits.report_missing(variant, root, "the item has no link", "add <link> with the URL of its page");
    };
    let text = first.value_or_text();
    // another rule reports a relative one; Google does not use the guid as the page
    if url::scheme(text).is_some() && !value::is_web(text) {
        let hint = "write the https URL of the page, with fewer than 2,048 characters";
        let says = format_args!("the link of the item, {}, is not an http(s) URL", QuotedValue(text));
        hits.report(1, first, says, hint);
    } else if url::scheme(text).is_some() && !is_page(text) || reading::is_file(text, root, cx) {
        let hint = "write the URL of the page that shows it, and the file in <enclosure> or <media:content>";
        hits.report(1, first, format_args!("the link of the item, {}, is a media file", QuotedValue(text)), hint);
    } else if let Some(page) = links.find(|link| is_page(link.value_or_text())) {
        long_page(page, page.value_or_text(), hits);
    }
}

/// Whether a URL may be that of a page: one of the web, and not that of a media file.
pub(super) fn is_page(text: &str) -> bool {
    let is_media = matches!(mime::medium_of_url(text), Some(mime::Medium::Video | mime::Medium::Audio));
    value::is_web(text) && !is_media
}

/// The page that an entry names, where Google does not take it for its length.
pub(super) fn long_page(page: Node<'_, '_>, text: &str, hits: &mut Hits<'_>) {
    if let Some(count) = value::longer_url(text, 2047) {
        let says = format_args!("the URL of the page has {count}, fewer than 2,048 are allowed");
        hits.report(1, page, says, "use a shorter URL for the page");
    }
}

pub(in super::super) fn guid_missing(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let is_old = version_of(cx).starts_with("0.");
    // another rule reports an empty one
    if is_rss(cx) && !is_old && cx.child(root, Ns::None, "guid").is_none() {
        let hint = "add <guid> with the URL of the page, or another text that never changes";
        hits.report_missing(0, root, "the item has no guid", hint);
    }
}

/// Whether this is the guid of an item: a channel has none, and another rule reports it.
fn is_of_item(guid: Node<'_, '_>, cx: &Cx<'_>) -> bool {
    cx.entry.is_some() && guid.raw().parent == 0
}

pub(in super::super) fn guid(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !is_of_item(node, cx) {
        return;
    }
    let flag = node.attribute("isPermaLink");
    if let Some(flag) = flag.filter(|flag| !matches!(flag.value(), "true" | "false")) {
        hits.report_wrong(0, flag, "isPermaLink", "write true or false");
    }
    let text = node.text_value();
    if text.is_empty() {
        let hint = "write a text that never changes, such as the URL of the page";
        hits.report_missing(0, node, "the guid is empty", hint);
    } else if flag.is_none_or(|flag| flag.value() == "true") && !value::is_web(text) {
        let says = format_args!("the guid {} is a permalink, but not a URL", QuotedValue(text));
        hits.report(0, node, says, "write <guid isPermaLink=\"false\">");
    }
}

pub(in super::super) fn short_guid(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    if is_of_item(node, cx) && text.len() < 9 && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let says = format_args!("the guid is {}, which is not unique across feeds", QuotedValue(text));
        hits.report(1, node, says, "add the host: example.com/123");
    }
}

pub(in super::super) fn date(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    // 1 January 1970 is a date here: readers take it for a missing one
    let Some((date, _)) = Date::read(text) else {
        let says = format_args!("{} is {}: not a date", node.name(), QuotedValue(text));
        return hits.report(0, node, says, value::as_rfc_822(text, None));
    };
    let hint = value::as_rfc_822(text, Some(date));
    if text.split_ascii_whitespace().any(|word| word.starts_with("24:")) {
        let says = format_args!("the hour in {} is 24; a day ends at 23:59:59", QuotedValue(text));
        return hits.report(0, node, says, hint);
    }
    if let Some(day) = value::wrong_weekday(text) {
        let says = format_args!("wrong weekday: {} is a {day}", QuotedValue(text));
        return hits.report(1, node, says, hint);
    }
    if !value::is_rfc_822(text) {
        let says = format_args!("{} is {}: not an RFC 822 date", node.name(), QuotedValue(text));
        return hits.report(0, node, says, hint);
    }
    let mut words = text.split_ascii_whitespace().map(|word| word.trim_end_matches(','));
    if words.any(|word| word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_digit()) && is_year(text, word)) {
        let says = format_args!("the year in {} has two digits", QuotedValue(text));
        return hits.report(2, node, says, hint);
    }
    // RFC 822 has their signs the wrong way round
    if let Some(zone) = text.split_ascii_whitespace().next_back().filter(|zone| zone.len() == 1) {
        let says = format_args!(
            "the zone {} in {} is one letter, which readers interpret differently",
            zone,
            QuotedValue(text)
        );
        return hits.report(2, node, says, hint);
    }
    let year = date.to_w3c();
    let future = cx.settings.now.is_some_and(|now| date.instant() > now.instant() + 86_400_000_000_000);
    if year.get(..4).is_some_and(|year| year < "1990") || future {
        hits.report(3, node, format_args!("{} is implausible", QuotedValue(text)), "write when it was published");
    }
}

/// Whether a word is the third of day, month and year.
fn is_year(text: &str, word: &str) -> bool {
    let date = text.split_once(',').map_or(text, |(_, date)| date);
    date.split_ascii_whitespace().nth(2) == Some(word)
}

pub(in super::super) fn enclosure(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for name in ["url", "length", "type"] {
        if attribute(node, name).is_none() {
            let hint = match name {
                "length" => "add length=\"…\" with the size in bytes, or 0 if unknown".to_owned(),
                name => format!("add {name}=\"…\""),
            };
            hits.report_missing(0, node, format_args!("the enclosure has no {name}"), hint);
        }
    }
    if let Some(length) = attribute(node, "length").filter(|length| value::whole(length.value()).is_none()) {
        hits.report_wrong(0, length, "the length", "write the size in bytes, or 0 if unknown");
    }
    if let Some(kind) = attribute(node, "type").filter(|kind| !value::is_mime(kind.value())) {
        hits.report_wrong(0, kind, "the type", "write a MIME type such as video/mp4");
    }
    if let Some(address) = attribute(node, "url").filter(|address| !value::is_web(address.value())) {
        let says = format_args!("{} is not an http or https URL", QuotedValue(address.value()));
        hits.report(0, address, says, "write the absolute URL of the file");
    }
}

pub(in super::super) fn one_enclosure(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for extra in cx.children(root, Ns::None, "enclosure").skip(1) {
        let hint = "keep one, and write the others as <media:content>";
        hits.report_missing(0, extra, "a second enclosure in one item", hint);
    }
}

pub(in super::super) fn person(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    // of Atom and others there are authors too
    if node.parent().is_some() && !stands_in(node, cx, "item") && !stands_in(node, cx, "channel") {
        return;
    }
    let text = node.text_value();
    if text.is_empty() {
        let hint = "write an e-mail address, or remove the element";
        return hits.report_missing(0, node, format_args!("{} is empty", node.name()), hint);
    }
    let address = text.split_whitespace().next().unwrap_or("");
    let rest = text.get(address.len()..).unwrap_or("").trim();
    let is_name = rest.is_empty() || rest.starts_with('(') && rest.ends_with(')');
    if !is_name || !value::is_email(address) {
        let says = format_args!("{} is {}", node.name(), QuotedValue(text));
        let hint = match node.name() {
            "author" => "write an e-mail address and the name in brackets, or use <dc:creator> for a name alone",
            _ => "write an e-mail address and the name in brackets: editor@example.com (Jo Doe)",
        };
        hits.report(0, node, says, hint);
    }
}

pub(in super::super) fn image(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !stands_in(node, cx, "channel") || !is_rss(cx) {
        return;
    }
    for (name, most) in [("width", 144), ("height", 400)] {
        if let Some(size) = cx.child(node, Ns::None, name)
            && !value::whole(size.text_value()).is_some_and(|size| (1..=most).contains(&size))
        {
            let (what, hint) =
                (format_args!("the {name} of the image"), format_args!("write a number from 1 to {most}"));
            hits.report_wrong(u8::from(name == "height"), size, what, hint);
        }
    }
    for name in ["url", "title", "link"] {
        if cx.text(node, Ns::None, name).is_none() {
            hits.report_missing(2, node, format_args!("the image has no {name}"), format_args!("add <{name}>"));
        }
    }
    let Some(channel) = node.parent() else { return };
    for name in ["title", "link"] {
        let (own, above) = (cx.child(node, Ns::None, name), cx.text(channel, Ns::None, name));
        if let (Some(own), Some(above)) = (own, above)
            && !own.text_value().is_empty()
            && own.text_value() != above
        {
            let says = format_args!("the {name} of the image is not that of the channel");
            hits.report(3, own, says, format_args!("write {}", QuotedValue(above)));
        }
    }
}

const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

pub(in super::super) fn skips(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let child = if node.name() == "skipHours" { "hour" } else { "day" };
    // a bit for each hour or day
    let mut seen = 0_u32;
    for entry in cx.children(node, Ns::None, child) {
        let text = entry.text_value();
        let place = match child {
            "hour" => value::whole(text).filter(|hour| *hour <= last_hour(cx)),
            _ => DAYS.iter().position(|day| *day == text).map(|day| day as u64),
        };
        let hint = match child {
            "hour" => format!("write a number from 0 to {}", last_hour(cx)),
            _ => format!("write one of {}", DAYS.join(", ")),
        };
        match place {
            None => hits.report_wrong(0, entry, child, hint),
            Some(place) if seen >> place & 1 == 1 => {
                hits.report(0, entry, format_args!("the {child} {} occurs twice", QuotedValue(text)), "list each once");
            }
            Some(place) => seen |= 1 << place,
        }
    }
    if cx.child(node, Ns::None, child).is_none() {
        let hint = format_args!("add <{child}>, or remove it");
        hits.report_missing(0, node, format_args!("{} has no {child}", node.name()), hint);
    }
}

/// RSS 0.91 of UserLand counts hours from 1 to 24.
fn last_hour(cx: &Cx<'_>) -> u64 {
    let version = cx.head.root().and_then(|root| root.attribute("version"));
    if version.is_some_and(|version| version.value() == "0.91") { 24 } else { 23 }
}

pub(in super::super) fn ttl(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    if value::whole(text).is_none_or(|minutes| minutes == 0) {
        hits.report_wrong(0, node, "ttl", "write minutes, as a whole number above 0");
    }
}

pub(in super::super) fn cloud(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for name in ["domain", "port", "path", "registerProcedure", "protocol"] {
        // a protocol may have no procedure to name
        let missing =
            if name == "registerProcedure" { node.attribute(name).is_none() } else { attribute(node, name).is_none() };
        if missing {
            hits.report_missing(0, node, format_args!("the cloud has no {name}"), format_args!("add {name}=\"…\""));
        }
    }
    const PROTOCOLS: [&str; 3] = ["xml-rpc", "soap", "http-post"];
    if let Some(protocol) = attribute(node, "protocol").filter(|found| !PROTOCOLS.contains(&found.value())) {
        hits.report_wrong(0, protocol, "the protocol", format_args!("write one of {}", PROTOCOLS.join(", ")));
    }
    if let Some(port) = attribute(node, "port")
        && value::whole(port.value()).is_none_or(|number| !(1..=65535).contains(&number))
    {
        hits.report_wrong(0, port, "the port", "write a number from 1 to 65535");
    }
}

/// What `textInput` must hold, and `source` must say.
pub(in super::super) fn parts(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !is_rss(cx) {
        return;
    }
    if node.name() == "textInput" {
        for name in ["title", "description", "name", "link"] {
            if cx.text(node, Ns::None, name).is_none() {
                hits.report_missing(0, node, format_args!("textInput has no {name}"), format_args!("add <{name}>"));
            }
        }
    } else if stands_in(node, cx, "item") && attribute(node, "url").is_none() {
        let hint = "add url=\"…\" with the URL of the feed that the item is from";
        hits.report_missing(0, node, "the source has no url", hint);
    }
}

pub(in super::super) fn language_code(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !stands_in(node, cx, "channel") {
        return;
    }
    let text = node.text_value();
    if !is_language(text) {
        let says = format_args!("the language is {}", QuotedValue(text));
        match language::repair(text).filter(|mended| is_language(mended)) {
            Some(mended) => hits.report(0, node, says, format_args!("write {mended}")),
            None => hits.report(0, node, says, "write a code such as en or en-us"),
        }
    }
}

/// A language tag whose first part may be a code of ISO 639.
pub(super) fn is_language(text: &str) -> bool {
    let first = text.split('-').next().unwrap_or("");
    // Indonesian and Yiddish have other codes today, and these in the list of RSS
    let is_code = language::is_code(first) || first.eq_ignore_ascii_case("in") || first.eq_ignore_ascii_case("ji");
    language::is_tag(text) && (is_code || first.eq_ignore_ascii_case("x") || first.eq_ignore_ascii_case("i"))
}

pub(in super::super) fn own_link(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(channel) = cx.channel().filter(|_| is_rss(cx)) else { return };
    let is_self = |link: &Node<'_, '_>| link.attribute("rel").is_some_and(|rel| rel.value() == "self");
    let _ = root;
    match cx.children(channel, Ns::Atom, "link").find(is_self) {
        None => {
            let hint = "add <atom:link rel=\"self\" type=\"application/rss+xml\" href=\"…\"/> with the URL of the feed";
            hits.report_missing(0, channel, "the channel has no link to itself", hint);
        }
        Some(link) => {
            let own = cx.settings.sitemap_url.as_deref();
            let href = attribute(link, "href");
            if let (Some(own), Some(href)) = (own, href)
                && !url::is_same(own, href.value())
            {
                let says = format_args!("the channel links to itself as {}", QuotedValue(href.value()));
                hits.report(1, href, says, format_args!("write {}", QuotedValue(own)));
            }
        }
    }
}

pub(in super::super) fn content_first(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let place = |ns, name: &str| root.children().position(|child| cx.is(child, ns, name));
    if let (Some(content), Some(description)) = (place(Ns::Content, "encoded"), place(Ns::None, "description"))
        && content < description
        && let Some(node) = cx.child(root, Ns::Content, "encoded")
    {
        let hint = "write description first, then content:encoded";
        hits.report_missing(0, node, "content:encoded precedes description", hint);
    }
}

/// Elements of modules that repeat an element of the core.
const SAME: &[(Ns, &str, &[&str])] = &[
    (Ns::Dc, "date", &["pubDate"]),
    (Ns::Dc, "creator", &["author", "managingEditor"]),
    (Ns::Dc, "subject", &["category"]),
    (Ns::Dc, "title", &["title"]),
    (Ns::Dc, "description", &["description"]),
    (Ns::Dc, "language", &["language"]),
    (Ns::Dc, "rights", &["copyright"]),
    (Ns::Dc, "source", &["source"]),
    (Ns::Dc, "publisher", &["webMaster"]),
    (Ns::Dcterms, "issued", &["pubDate"]),
    (Ns::Dcterms, "modified", &["lastBuildDate"]),
    (Ns::Atom, "id", &["guid"]),
    (Ns::Atom, "updated", &["lastBuildDate"]),
];

pub(in super::super) fn check_duplicate_purpose(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for (ns, name, others) in SAME {
        let Some(other) = others.iter().find(|other| cx.child(node, Ns::None, other).is_some()) else { continue };
        if let Some(found) = cx.child(node, *ns, name) {
            let says = format_args!("{} has the same purpose as {other}", shown(*ns, name));
            hits.report(0, found, says, "keep one of them: readers choose either");
        }
    }
    for (name, other) in ADMIN {
        let found =
            || node.children().find(|child| child.name() == name && child.raw().uri == "http://webns.net/mvcb/");
        if let Some(found) = cx.child(node, Ns::None, other).and_then(|_| found()) {
            let says = format_args!("{} has the same purpose as {other}", found.raw().qname);
            hits.report_missing(0, found, says, "keep one of them: readers choose either");
        }
    }
}

/// The same of the vocabulary `admin`, which no reader knows.
const ADMIN: [(&str, &str); 2] = [("generatorAgent", "generator"), ("errorReportsTo", "webMaster")];

/// Texts with markup.
const TEXTS: [(Ns, &str); 3] = [(Ns::None, "description"), (Ns::Content, "encoded"), (Ns::Itunes, "summary")];

pub(in super::super) fn markup(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for (ns, name) in TEXTS {
        for node in cx.children(root, ns, name) {
            let text = node.text_value();
            if !html::looks_like_markup(text) {
                continue;
            }
            let shown = shown(ns, name);
            if let Some(event) = attribute_in(text, is_handler) {
                let says = format_args!("{shown} contains the script {event}=\"…\"");
                hits.report_missing(0, node, says, "remove it: readers do not run scripts");
            } else if let Some(tag) = dangerous(text) {
                let says = format_args!("{shown} contains <{tag}>");
                hits.report_missing(0, node, says, "remove it: readers remove it, some with the rest of the text");
            } else if let Some(address) = address_in(text, is_script) {
                let says = format_args!("{shown} contains the script {}", QuotedValue(&address));
                hits.report_value(0, node, Some(&address), says, "remove it: readers do not run scripts");
            } else if let Some(address) = address_in(text, is_relative) {
                let says = format_args!("{shown} has the relative URL {}", QuotedValue(&address));
                hits.report_value(0, node, Some(&address), says, "write absolute URLs: readers have no base URL");
            } else if attribute_in(text, |name| name == "style").is_some() {
                let says = format_args!("{shown} contains style=\"…\"");
                hits.report_missing(0, node, says, "remove it: readers use their own styles");
            }
        }
    }
}

/// An element that readers do not show.
fn dangerous(text: &str) -> Option<&'static str> {
    const TAGS: [&str; 7] = ["script", "style", "iframe", "object", "embed", "form", "meta"];
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'<', bytes).find_map(|at| {
        let rest = text.get(at + 1..)?;
        TAGS.into_iter().find(|tag| {
            let named = rest.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
            named && !rest.as_bytes().get(tag.len()).is_some_and(u8::is_ascii_alphanumeric)
        })
    })
}

/// The first attribute of a text with markup whose name, in small letters, is one of those.
fn attribute_in(text: &str, is_it: fn(&str) -> bool) -> Option<String> {
    let is_tag = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_alphabetic());
    let tags = memchr::memchr_iter(b'<', text.as_bytes()).filter_map(|at| text.get(at + 1..).filter(is_tag));
    tags.into_iter().find_map(|tag| attribute_of(tag, is_it))
}

/// Whether an attribute holds a script.
fn is_handler(name: &str) -> bool {
    let rest = name.strip_prefix("on").unwrap_or("");
    rest.len() > 2 && rest.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The same in one tag, from its name on.
fn attribute_of(tag: &str, is_it: fn(&str) -> bool) -> Option<String> {
    let (mut quote, mut word, mut ended) = (None, 0, false);
    for (at, c) in tag.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => (quote, ended) = (None, true),
            (Some(_), _) => (),
            (None, '>' | '<') => return None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '=') => {
                let name = tag.get(word..at)?.trim_end().to_ascii_lowercase();
                if is_it(&name) {
                    return Some(name);
                }
                word = at + 1;
            }
            (None, c) if c.is_ascii_whitespace() || c == '/' => ended = true,
            (None, _) if ended => (word, ended) = (at, false),
            (None, _) => (),
        }
    }
    None
}

/// The first URL in a text with markup for which `is_it` holds.
fn address_in(text: &str, is_it: fn(&str) -> bool) -> Option<String> {
    let found = std::cell::RefCell::new(None);
    html::absolutize(text, |address| {
        if is_it(address) {
            found.borrow_mut().get_or_insert_with(|| address.to_owned());
        }
        None
    });
    found.into_inner().or_else(|| html::find_in_srcset(text, is_it))
}

fn is_relative(address: &str) -> bool {
    !address.is_empty() && !address.starts_with('#') && url::scheme(address).is_none()
}

fn is_script(address: &str) -> bool {
    let scheme = url::scheme(address).unwrap_or("");
    scheme.eq_ignore_ascii_case("javascript") || scheme.eq_ignore_ascii_case("vbscript")
}

/// What holds a title that readers show.
const TITLED: [&str; 4] = ["item", "channel", "image", "textInput"];

pub(in super::super) fn title(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !is_rss(cx) || node.parent().is_some() && !TITLED.iter().any(|name| stands_in(node, cx, name)) {
        return;
    }
    let text = node.text_value();
    if html::looks_like_markup(text) {
        let plain = html::to_plain(text);
        let says = format_args!("the title {} contains markup", QuotedValue(text));
        hits.report(0, node, says, format_args!("write only text: {}", QuotedValue(&plain)));
    } else if let Some(name) = html::open_entity(text) {
        let says = format_args!("the title {} contains the HTML entity &{name}", QuotedValue(text));
        hits.report(0, node, says, "write the character itself");
    }
}

pub(in super::super) fn items_first(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(first) = cx.first_line else { return };
    let Some(channel) = cx.channel().filter(|_| is_rss(cx)) else { return };
    let _ = root;
    let late =
        channel.children().find(|child| child.ns() == Ns::None && cx.line_of(*child).is_some_and(|line| line > first));
    if let Some(late) = late {
        let says = format_args!("{} of the channel follows its first item", late.name());
        hits.report_missing(0, late, says, "move it before the items: readers may stop at the first item");
    }
}

pub(in super::super) fn old_version(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let hint = "write RSS 2.0; `transfeed convert --to rss` does";
    match attribute(root, "version") {
        Some(found) if is_rss(cx) && found.value().starts_with("0.9") => {
            hits.report(0, found, format_args!("this is RSS {}", found.value()), hint);
        }
        _ if !is_rss(cx) => hits.report_missing(0, root, format_args!("this is {}", cx.format.title), hint),
        _ => (),
    }
}
