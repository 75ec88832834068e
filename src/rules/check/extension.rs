//! Checks of images, articles and alternates in sitemaps.

use super::super::hits::{Cx, Hits, QuotedValue};
use super::value::{self, Iso, attribute, iso};
use crate::rules::alternates::{Alternates, alternates};
use crate::text::{language, url};
use crate::tree::Node;
use crate::xml::names::Ns;

pub(in super::super) fn image_loc(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    match cx.child(node, Ns::Image, "loc") {
        None => hits.report_missing(0, node, "the image has no URL", "add <image:loc>"),
        Some(loc) if !value::is_web(loc.text_value()) => {
            let says = format_args!("{} is not an absolute http or https URL", QuotedValue(loc.text_value()));
            hits.report(0, loc, says, "write the absolute URL, with https:// and the host");
        }
        Some(_) => (),
    }
}

/// Elements of images that Google had until 2022.
const RETIRED: [&str; 4] = ["caption", "geo_location", "title", "license"];

pub(in super::super) fn retired_image(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for child in node.children().filter(|child| child.ns() == Ns::Image && RETIRED.contains(&child.name())) {
        let says = format_args!("Google retired image:{} in 2022", child.name());
        hits.report_missing(0, child, says, "it has no effect");
    }
}

pub(in super::super) fn one_article(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for extra in cx.children(node, Ns::News, "news").skip(1) {
        hits.report_missing(0, extra, "a second article in one page", "list each article with its own page");
    }
}

pub(in super::super) fn article(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let publication = cx.child(node, Ns::News, "publication");
    for name in ["name", "language"] {
        if publication.and_then(|publication| cx.text(publication, Ns::News, name)).is_none() {
            let says = format_args!("the publication of the article has no {name}");
            let hint = format_args!("add <news:{name}> in <news:publication>");
            hits.report_missing(0, publication.unwrap_or(node), says, hint);
        }
    }
    for name in ["publication_date", "title"] {
        if cx.text(node, Ns::News, name).is_none() {
            hits.report_missing(0, node, format_args!("the article has no {name}"), format_args!("add <news:{name}>"));
        }
    }
}

pub(in super::super) fn article_language(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    if !text.is_empty() && !language::is_of_news(text) {
        let says = format_args!("the language of the publication is {}", QuotedValue(text));
        let short: String = text.chars().take_while(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
        match language::is_of_news(&short) && short != text {
            true => hits.report(0, node, says, format_args!("write {short}, or zh-cn or zh-tw for Chinese")),
            false => hits.report(0, node, says, "write an ISO 639 code of two or three letters, or zh-cn or zh-tw"),
        }
    }
}

pub(in super::super) fn article_date(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    if text.is_empty() {
        return;
    }
    let found = hits.date(text);
    let form = iso(text, found);
    let is_whole = !matches!(form, None | Some(Iso::Year | Iso::Month | Iso::Time { zone: false, .. }));
    if !is_whole || !value::is_in_schemas(text, found) {
        let says = format_args!("publication_date is {}", QuotedValue(text));
        return match form {
            Some(Iso::Year | Iso::Month) => {
                hits.report(0, node, says, "write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss+00:00");
            }
            None | Some(Iso::Day | Iso::Time { .. }) => hits.report(0, node, says, value::as_w3c(text, found)),
        };
    }
    let now = cx.settings.now.filter(|_| cx.settings.now_said);
    let Some(date) = found else { return };
    let is_old = now.is_some_and(|now| now.instant() - date.instant() > 2 * 86_400_000_000_000);
    // a placeholder for a missing date is old at any time
    if is_old || date.is_zero() {
        let says = format_args!("the article is from {}, more than two days ago", QuotedValue(text));
        hits.report(1, node, says, "remove news:news from pages older than two days");
    }
}

/// Elements that the documentation no longer has.
const LEGACY: [&str; 4] = ["access", "genres", "keywords", "stock_tickers"];
const GENRES: [&str; 6] = ["PressRelease", "Satire", "Blog", "OpEd", "Opinion", "UserGenerated"];

pub(in super::super) fn legacy(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for child in node.children().filter(|child| child.ns() == Ns::News && LEGACY.contains(&child.name())) {
        let says = format_args!("news:{} is no longer documented", child.name());
        hits.report_missing(0, child, says, "it has no effect");
        let text = child.text_value();
        let words = || text.split(',').map(str::trim).filter(|word| !word.is_empty());
        match child.name() {
            "access" if !matches!(text, "Subscription" | "Registration") => {
                hits.report_wrong(1, child, "access", "write Subscription or Registration");
            }
            "genres" => {
                if let Some(odd) = words().find(|word| !GENRES.contains(word)) {
                    let hint = format_args!("write values of {}", GENRES.join(", "));
                    hits.report(1, child, format_args!("{} is not a genre", QuotedValue(odd)), hint);
                }
            }
            "stock_tickers" if words().count() > 5 || words().any(|word| !word.contains(':')) => {
                hits.report_wrong(1, child, "stock_tickers", "write at most five, each with its exchange: NASDAQ:AMAT");
            }
            _ => (),
        }
    }
}

pub(in super::super) fn link(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let rel = attribute(node, "rel").map_or("", |rel| rel.value());
    if rel.eq_ignore_ascii_case("amphtml") || node.attribute("media").is_some() {
        return;
    }
    if !rel.eq_ignore_ascii_case("alternate") {
        let says = format_args!("the link has the relation {}", QuotedValue(rel));
        hits.report_missing(0, node, says, "write rel=\"alternate\"");
    }
    let is_app = attribute(node, "href").is_some_and(|href| href.value().starts_with("android-app:"));
    for name in ["hreflang", "href"] {
        if attribute(node, name).is_none() && !is_app {
            hits.report_missing(0, node, format_args!("the link has no {name}"), format_args!("add {name}=\"…\""));
        }
    }
}

pub(in super::super) fn hreflang(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(code) = attribute(node, "hreflang") else { return };
    let text = code.value();
    if language::is_hreflang(text) {
        return;
    }
    let says = format_args!("{} is not a language code that Google supports", QuotedValue(text));
    match language::repair_hreflang(text) {
        Some(mended) => hits.report(0, code, says, format_args!("write {mended}")),
        None => hits.report(
            0,
            code,
            says,
            "write a language of two letters, optionally with script or country: en, en-GB, zh-Hant",
        ),
    }
}

pub(in super::super) fn relative_link(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(href) = attribute(node, "href") else { return };
    let text = href.value();
    if !value::is_web(text) && !text.starts_with("android-app:") {
        let says = format_args!("{} is not an absolute URL", QuotedValue(text));
        hits.report(0, href, says, "write the absolute URL, with https:// and the host");
    }
}

/// The links of a page with a language and a URL.
fn versions<'t, 'a>(root: Node<'t, 'a>) -> impl Iterator<Item = (Node<'t, 'a>, &'t str)> {
    let named = alternates(root).filter(|link| link.attribute("hreflang").is_some());
    named.filter_map(|link| Some((link, attribute(link, "href")?.value())))
}

pub(in super::super) fn returns(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    itself(root, cx, hits);
    if let Some(alternates) = cx.alternates {
        one_way(root, alternates, cx, hits);
    }
}

/// A page names itself among its versions.
pub(in super::super) fn itself(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some((first, _)) = versions(root).next() else { return };
    let Some(page) = cx.text(root, Ns::Sitemap, "loc") else { return };
    let is_page = url::is_same_as(page);
    if !versions(root).any(|(_, href)| is_page(href)) {
        let hint = format_args!("add a link with hreflang=\"…\" and href=\"{}\"", super::super::hits::cut(page, 100));
        hits.report_missing(0, first, "the page is not among its own alternates", hint);
    }
}

/// The versions that a page names name it.
pub(in super::super) fn one_way(root: Node<'_, '_>, alternates: &Alternates, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(page) = cx.text(root, Ns::Sitemap, "loc") else { return };
    let page = alternates.name(page);
    for (link, href) in versions(root) {
        if alternates.is_one_way(page, alternates.name(href)) {
            let says = format_args!("{} does not link back to this page", QuotedValue(href));
            hits.report_value(0, link, Some(href), says, "list all versions on each of them");
        }
    }
}

pub(in super::super) fn doubled(root: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for link in alternates(root).take(1000) {
        let (Some(code), Some(href)) = (attribute(link, "hreflang"), attribute(link, "href")) else { continue };
        let name = code.value();
        match seen.iter().find(|(before, _)| before.eq_ignore_ascii_case(name)) {
            Some((_, before)) if !url::is_same(before, href.value()) || name.eq_ignore_ascii_case("x-default") => {
                let says = format_args!("{} occurs twice among the alternates", QuotedValue(code.value()));
                hits.report(0, code, says, "list one page per language");
            }
            Some(_) => (),
            None => seen.push((name, href.value())),
        }
    }
}
