//! Checks of URLs and of the core elements of sitemaps, and of lists of URLs.

use super::super::hits::{Cx, Hits, QuotedValue, cut};
use super::value::{self, Iso, iso};
use crate::model::Date;
use crate::text::{site, url};
use crate::tree::Node;
use crate::xml::names::Ns;

/// The URL of a page, or of a part of an index: in XML an element, in a list the line. Other rules check lines that are
/// not URLs.
fn address<'t>(node: Node<'t, '_>, cx: &Cx<'_>) -> &'t str {
    match cx.format.family.is_lines() {
        true => listed(node.value()).unwrap_or(""),
        false => node.text_value(),
    }
}

/// A line of a list.
fn of_line<'t>(node: Node<'t, '_>) -> &'t str {
    node.value().trim_start_matches('\u{feff}').trim()
}

/// The URL in a line of a list.
pub(in super::super) fn listed(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('\u{feff}').trim();
    (value::is_web(text) && !text.contains(char::is_whitespace)).then_some(text)
}

pub(in super::super) fn absolute(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = address(node, cx);
    if text.is_empty() || value::is_web(text) {
        return;
    }
    let hint = match text.starts_with('/') || url::scheme(text).is_none() {
        true => "write the absolute URL, with https:// and the host",
        false => "write a URL that begins with https:// or http:// and a host",
    };
    hits.report(0, node, format_args!("{} is not an absolute http or https URL", QuotedValue(text)), hint);
}

pub(in super::super) fn too_long(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    report_long(node, 2047, "fewer than 2,048 are allowed", cx, hits);
}

pub(in super::super) fn too_long_for_yandex(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    report_long(node, 1024, "Yandex reads at most 1,024", cx, hits);
}

fn report_long(node: Node<'_, '_>, most: usize, limit: &str, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if let Some(count) = value::longer_url(address(node, cx), most) {
        let says = format_args!("the URL has {count}, {limit}");
        hits.report(0, node, says, "use a shorter URL for the page");
    }
}

pub(in super::super) fn illegal(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = address(node, cx);
    if let Some(found) = value::illegal(text) {
        let mended = url::normalize_for_sitemap(text);
        let says = format_args!("the URL contains {found}, which is not allowed in URLs");
        hits.report(0, node, says, format_args!("write {}", QuotedValue(&mended)));
    }
}

pub(in super::super) fn beyond_ascii(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = address(node, cx);
    if text.is_ascii() {
        return;
    }
    if let Some(c) = text.chars().find(|c| !c.is_ascii()) {
        let mended = url::normalize_for_sitemap(text);
        let says = format_args!("the URL contains {c:?}, which is not ASCII");
        hits.report(0, node, says, format_args!("safer: {}", QuotedValue(&mended)));
    }
}

pub(in super::super) fn fragment(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = address(node, cx);
    if text.contains('#') {
        let says = format_args!("{} has a fragment", QuotedValue(text));
        hits.report(0, node, says, "remove the fragment: search engines list whole pages");
    }
}

/// The URL of the sitemap, for its pages: other rules check the parts of an index.
fn own_address<'x>(cx: &'x Cx<'_>) -> Option<&'x str> {
    cx.settings.sitemap_url.as_deref().filter(|_| cx.format.id != "sitemap-index")
}

pub(in super::super) fn other_site(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(own) = own_address(cx) else { return };
    let text = address(node, cx);
    if value::is_web(text) && !same_origin(text, own) {
        let origin = url::origin(own).unwrap_or(own).to_owned();
        let says = format_args!("{} is not on the site of the sitemap, {origin}", QuotedValue(text));
        let hint = format_args!(
            "list only URLs that begin with {origin}, or list this sitemap in the robots.txt of the other site"
        );
        hits.report(0, node, says, hint);
    }
}

/// Scheme, host and port are the same; `www.` counts.
pub(super) fn same_origin(one: &str, other: &str) -> bool {
    let key = |address: &str| url::origin(&url::key(address)).map(str::to_owned);
    key(one).is_some_and(|one| key(other) == Some(one))
}

/// The path with its first `/`, up to its last one.
pub(super) fn folder(address: &str) -> String {
    let key = url::key(address).into_owned();
    let path = key.get(url::origin(&key).map_or(0, str::len)..).unwrap_or("");
    let path = path.split(['?', '#']).next().unwrap_or("");
    path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or("/").to_owned()
}

pub(in super::super) fn outside(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(own) = own_address(cx) else { return };
    let text = address(node, cx);
    let folder = folder(own);
    if value::is_web(text) && same_origin(text, own) && !path(text).starts_with(&folder) {
        let says = format_args!("{} is outside {folder}, the folder of the sitemap", QuotedValue(text));
        hits.report(0, node, says, "move the sitemap up, ideally to the root of the site");
    }
}

/// The path of a URL with its first `/`.
pub(super) fn path(address: &str) -> String {
    let key = url::key(address).into_owned();
    let path = key.get(url::origin(&key).map_or(0, str::len)..).unwrap_or("");
    if path.starts_with('/') { path.to_owned() } else { format!("/{path}") }
}

pub(in super::super) fn mixed_hosts(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let (Some(first), None) = (cx.first_page, cx.settings.sitemap_url.as_deref()) else { return };
    // another rule checks the parts of an index
    if cx.format.id == "sitemap-index" {
        return;
    }
    let text = address(node, cx);
    // fast path: most pages start with exactly the origin of the first one
    let rest = url::origin(first).and_then(|origin| text.strip_prefix(origin));
    if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#'])) {
        return;
    }
    if value::is_web(text) && value::is_web(first) && !same_origin(text, first) {
        let origin = url::origin(first.trim()).unwrap_or(first).to_owned();
        let says = format_args!("{} is on another site than the first page, {origin}", QuotedValue(text));
        let host = |address: &str| url::host(address).map(str::to_ascii_lowercase);
        let hint = match host(text) == host(first) && scheme_of(text) != scheme_of(first) {
            true => "http and https are different sites: use one scheme for all URLs, usually https",
            false => "write one sitemap per site; --sitemap-url checks each URL against it",
        };
        hits.report(0, node, says, hint);
    }
}

fn scheme_of(address: &str) -> Option<String> {
    url::scheme(address.trim()).map(str::to_ascii_lowercase)
}

pub(in super::super) fn padded(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(text) = node.text() else { return };
    let raw = node.raw();
    let source = node.tree.source.get(raw.at as usize..raw.end as usize).unwrap_or("");
    // most hold no such sign, which is found faster than the word
    if memchr::memchr(b'!', source.as_bytes()).is_some() && source.contains("<![CDATA[") {
        hits.report(0, node, "the URL is in CDATA", "write it as text, with & as &amp;");
    } else if text.value().trim() != text.value() {
        hits.report(0, node, "white space around the URL", "write the URL directly between the tags");
    }
}

pub(in super::super) fn lastmod(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    let date = hits.date(text);
    if text.is_empty() || is_w3c(text, date) {
        return hits.report_placeholder(node, node.raw().qname, text, date);
    }
    let says = format_args!("lastmod is {}: not a W3C date", QuotedValue(text));
    hits.report(0, node, says, value::as_w3c(text, date));
}

/// W3C-DTF: a time has a zone.
fn is_w3c(text: &str, date: Option<Date>) -> bool {
    !matches!(iso(text, date), None | Some(Iso::Time { zone: false, .. })) && value::is_in_schemas(text, date)
}

pub(in super::super) fn future(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let (Some(now), Some(date)) = (cx.settings.now, hits.date(node.text_value())) else { return };
    // a day that has begun somewhere is not in the future; another rule reports what is no date
    if is_w3c(node.text_value(), Some(date)) && date.instant() > now.instant() + 14 * 3_600_000_000_000 {
        let says =
            format_args!("the page was last changed on {}, which is in the future", QuotedValue(node.text_value()));
        hits.report(0, node, says, "write when the page was last changed");
    }
}

pub(in super::super) fn changefreq(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    const WORDS: [&str; 7] = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];
    let text = node.text_value();
    if !text.is_empty() && !WORDS.contains(&text) {
        let hint = match WORDS.iter().find(|word| word.eq_ignore_ascii_case(text)) {
            Some(word) => format!("write {word}"),
            None => format!("write one of {}", WORDS.join(", ")),
        };
        hits.report_wrong(0, node, "changefreq", hint);
    }
}

pub(in super::super) fn priority(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    if !text.is_empty() && !value::decimal(text).is_some_and(|number| (0.0..=1.0).contains(&number)) {
        hits.report_wrong(0, node, "priority", "write a decimal number from 0.0 to 1.0");
    }
}

pub(in super::super) fn ignored(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let says = format_args!("Google ignores {}", node.name());
    hits.report(0, node, says, "remove it, unless another search engine uses it");
}

pub(in super::super) fn too_much(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let bytes = node.text_value().len();
    if bytes > 100 {
        let says = format_args!("{} has {bytes} bytes, Yandex reads at most 100", node.name());
        hits.report(0, node, says, "write only the value");
    }
}

pub(in super::super) fn unknown_to_yandex(root: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let known = |node: &Node<'_, '_>| {
        matches!(node.ns(), Ns::Sitemap | Ns::None)
            && matches!(node.name(), "loc" | "lastmod" | "changefreq" | "priority")
    };
    for child in root.children().filter(|child| !known(child)) {
        let says = format_args!("Yandex ignores <{}> in every entry", cut(child.raw().qname, 60));
        hits.report_missing(0, child, says, "only this element is ignored; omit it in a sitemap only for Yandex");
    }
}

pub(in super::super) fn line(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = of_line(node);
    if text.starts_with('#') || listed(text).is_some() {
        return;
    }
    let says = format_args!("{} is not a URL", QuotedValue(text));
    let whole = format!("https://{}", text.trim_start_matches('/'));
    let is_robots = text.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("sitemap:"));
    match () {
        () if is_robots => hits.report(0, node, says, "this is a robots.txt line; write page URLs here"),
        () if is_host(text) => hits.report(0, node, says, format_args!("write {}", QuotedValue(&whole))),
        () if value::is_web(text) => {
            hits.report(0, node, says, "write one URL per line and nothing else, with %20 for spaces");
        }
        () => hits.report(0, node, says, "write one absolute URL per line, and nothing else"),
    }
}

/// Whether a text begins with the name of a host, without the `https://` before it.
fn is_host(text: &str) -> bool {
    let rest = text.strip_prefix("//").unwrap_or(text);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or("").to_ascii_lowercase();
    let is_name = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    url::scheme(text).is_none()
        && !text.contains(char::is_whitespace)
        && host.contains('.')
        && host.split('.').all(is_name)
        && (site::has_public_suffix(&host) || host.starts_with("www.") || rest.len() < text.len())
}

pub(in super::super) fn comment(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if of_line(node).starts_with('#') {
        hits.report(0, node, "a list of URLs has no comments", "remove the line");
    }
}
