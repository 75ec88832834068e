//! Checks of pictures, articles and alternates in sitemaps.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use memchr::memmem;

use super::super::hits::{Cx, Hits, Quoted};
use super::attribute;
use super::value::{self, Iso, iso};
use crate::model::Date;
use crate::text::{language, url};
use crate::tree::{Node, Tree};
use crate::xml::names::Ns;

pub(in super::super) fn image_loc(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    match cx.child(node, Ns::Image, "loc") {
        None => hits.lacks(0, node, "the image has no address", "add <image:loc>"),
        Some(loc) if !value::is_web(loc.text_value()) => {
            let says = format_args!("{} is not an absolute http or https address", Quoted(loc.text_value()));
            hits.tell(0, loc, says, "write the whole address, with https:// and the host");
        }
        Some(_) => (),
    }
}

pub(in super::super) fn retired_image(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for child in node.children().filter(|child| child.ns() == Ns::Image && child.name() != "loc") {
        let says = format_args!("Google retired image:{} in 2022", child.name());
        hits.lacks(0, child, says, "it does no harm, and no good");
    }
}

pub(in super::super) fn one_article(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for extra in cx.children(node, Ns::News, "news").skip(1) {
        hits.lacks(0, extra, "a second article stands in one page", "list each article with its own page");
    }
}

pub(in super::super) fn article(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let publication = cx.child(node, Ns::News, "publication");
    for name in ["name", "language"] {
        if publication.and_then(|publication| cx.text(publication, Ns::News, name)).is_none() {
            let says = format_args!("the publication of the article has no {name}");
            hits.lacks(0, publication.unwrap_or(node), says, format_args!("add <news:{name}> in <news:publication>"));
        }
    }
    for name in ["publication_date", "title"] {
        if cx.text(node, Ns::News, name).is_none() {
            hits.lacks(0, node, format_args!("the article has no {name}"), format_args!("add <news:{name}>"));
        }
    }
}

pub(in super::super) fn article_language(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    if !text.is_empty() && !language::is_of_news(text) {
        let says = format_args!("the language of the publication is {}", Quoted(text));
        let short: String = text.chars().take_while(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
        match matches!(short.len(), 2 | 3) {
            true => hits.tell(0, node, says, format_args!("write {short}, or zh-cn or zh-tw for Chinese")),
            false => hits.tell(0, node, says, "write a code of ISO 639 in two or three letters, or zh-cn or zh-tw"),
        }
    }
}

pub(in super::super) fn article_date(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    if text.is_empty() {
        return;
    }
    if matches!(iso(text), None | Some(Iso::Year | Iso::Month | Iso::Time { zone: false, .. })) {
        let says = format_args!("publication_date is {}", Quoted(text));
        return hits.tell(0, node, says, "write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss+00:00");
    }
    let now = cx.settings.now.filter(|_| cx.settings.now_said);
    let (Some(now), Some((date, _))) = (now, Date::parse(text)) else { return };
    if now.instant() - date.instant() > 2 * 86_400_000_000_000 {
        let says = format_args!("the article is of {}, more than two days ago", Quoted(text));
        hits.tell(1, node, says, "leave news:news out of pages that are older than two days");
    }
}

/// Elements that the documentation no longer has.
const LEGACY: [&str; 4] = ["access", "genres", "keywords", "stock_tickers"];
const GENRES: [&str; 6] = ["PressRelease", "Satire", "Blog", "OpEd", "Opinion", "UserGenerated"];

pub(in super::super) fn legacy(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for child in node.children().filter(|child| child.ns() == Ns::News && LEGACY.contains(&child.name())) {
        let says = format_args!("news:{} is no longer documented", child.name());
        hits.lacks(0, child, says, "it does no harm, and no good");
        let text = child.text_value();
        let words = || text.split(',').map(str::trim).filter(|word| !word.is_empty());
        match child.name() {
            "access" if !matches!(text, "Subscription" | "Registration") => {
                hits.tell(1, child, format_args!("access is {}", Quoted(text)), "write Subscription or Registration");
            }
            "genres" => {
                if let Some(odd) = words().find(|word| !GENRES.contains(word)) {
                    let hint = format_args!("write some of {}", GENRES.join(", "));
                    hits.tell(1, child, format_args!("{} is no genre", Quoted(odd)), hint);
                }
            }
            "stock_tickers" if words().count() > 5 || words().any(|word| !word.contains(':')) => {
                let says = format_args!("stock_tickers is {}", Quoted(text));
                hits.tell(1, child, says, "write at most five, each with its exchange: NASDAQ:AMAT");
            }
            _ => (),
        }
    }
}

/// The links of a page that name its versions in other languages.
fn alternates<'t, 'a>(root: Node<'t, 'a>) -> impl Iterator<Item = Node<'t, 'a>> {
    let is_link = |node: &Node<'t, 'a>| node.ns() == Ns::Xhtml && node.name() == "link";
    // links for other screens and for apps are no versions in another language
    let is_other = |node: &Node<'t, 'a>| node.attribute("media").is_some() && node.attribute("hreflang").is_none();
    root.children().filter(is_link).filter(move |node| !is_other(node))
}

pub(in super::super) fn link(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let rel = attribute(node, "rel").map_or("", |rel| rel.value());
    if rel.eq_ignore_ascii_case("amphtml") || node.attribute("media").is_some() {
        return;
    }
    if !rel.eq_ignore_ascii_case("alternate") {
        let says = format_args!("the link is of the relation {}", Quoted(rel));
        hits.lacks(0, node, says, "write rel=\"alternate\"");
    }
    let is_app = attribute(node, "href").is_some_and(|href| href.value().starts_with("android-app:"));
    for name in ["hreflang", "href"] {
        if attribute(node, name).is_none() && !is_app {
            hits.lacks(0, node, format_args!("the link has no {name}"), format_args!("add {name}=\"…\""));
        }
    }
}

pub(in super::super) fn hreflang(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(code) = attribute(node, "hreflang") else { return };
    let text = code.value();
    if language::is_hreflang(text) {
        return;
    }
    let says = format_args!("{} is no language code that Google knows", Quoted(text));
    match language::mend_hreflang(text) {
        Some(mended) => hits.tell(0, code, says, format_args!("write {mended}")),
        None => hits.tell(
            0,
            code,
            says,
            "write a language of two letters, and a country if it is meant: en, en-GB, zh-Hant",
        ),
    }
}

pub(in super::super) fn relative_link(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(href) = attribute(node, "href") else { return };
    let text = href.value();
    if !value::is_web(text) && !text.starts_with("android-app:") {
        let says = format_args!("{} is not an absolute address", Quoted(text));
        hits.tell(0, href, says, "write the whole address, with https:// and the host");
    }
}

pub(in super::super) fn returns(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(page) = cx.text(root, Ns::Sitemap, "loc") else { return };
    let links: Vec<(Node<'_, '_>, &str)> = alternates(root)
        .filter(|link| link.attribute("hreflang").is_some())
        .filter_map(|link| Some((link, attribute(link, "href")?.value())))
        .collect();
    let Some((first, _)) = links.first() else { return };
    if !links.iter().any(|(_, href)| url::is_same(href, page)) {
        let hint = format_args!("add a link with hreflang=\"…\" and href=\"{}\"", super::super::hits::cut(page, 100));
        hits.lacks(0, *first, "the page is not among its own alternates", hint);
    }
    let Some(alternates) = cx.alternates else { return };
    for (link, href) in links {
        if alternates.is_one_way(page, href) {
            let says = format_args!("{} does not link back to this page", Quoted(href));
            hits.tell_value(0, link, Some(href), says, "name all versions, with each other, at each of them");
        }
    }
}

pub(in super::super) fn doubled(root: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let mut seen: Vec<(String, &str)> = Vec::new();
    for link in alternates(root).take(1000) {
        let (Some(code), Some(href)) = (attribute(link, "hreflang"), attribute(link, "href")) else { continue };
        let name = code.value().to_ascii_lowercase();
        match seen.iter().find(|(before, _)| *before == name) {
            Some((_, before)) if !url::is_same(before, href.value()) || name == "x-default" => {
                let says = format_args!("{} stands twice among the alternates", Quoted(code.value()));
                hits.tell(0, code, says, "name one page for each language");
            }
            Some(_) => (),
            None => seen.push((name, href.value())),
        }
    }
}

/// The pages of a set of documents that name alternates, and which name which. By hashes, as many as fit.
#[derive(Debug, Default)]
pub struct Alternates {
    hasher: RandomState,
    pages: HashSet<u64>,
    links: HashSet<(u64, u64)>,
    full: bool,
}

/// Links that are remembered, in all documents of a set: 64 MiB.
const LINKS: usize = 2_000_000;

impl Alternates {
    pub(in super::super) fn hasher(&self) -> RandomState {
        self.hasher.clone()
    }

    /// A page that names none, where that can be seen without reading its markup: many do not.
    pub(in super::super) fn of_plain(text: &str, hasher: &RandomState) -> Option<(u64, Vec<u64>)> {
        let has = |what: &[u8]| memmem::find(text.as_bytes(), what).is_some();
        if has(b"link") || has(b"<!") {
            return None;
        }
        let inner = text.strip_prefix("<url>")?.trim_start();
        let (loc, _) = inner.strip_prefix("<loc>")?.split_once('<')?;
        (!loc.contains('&')).then(|| (hasher.hash_one(url::key(loc)), Vec::new()))
    }

    /// A page with its alternates, as hashes.
    pub(in super::super) fn of(tree: &Tree<'_>, hasher: &RandomState) -> Option<(u64, Vec<u64>)> {
        let root = tree.root()?;
        let loc =
            root.children().find(|child| matches!(child.ns(), Ns::Sitemap | Ns::None) && child.name() == "loc")?;
        let links =
            alternates(root).filter_map(|link| Some(hasher.hash_one(url::key(attribute(link, "href")?.value()))));
        let links: Vec<u64> = links.collect();
        Some((hasher.hash_one(url::key(loc.text_value())), links))
    }

    pub(in super::super) fn add(&mut self, (page, links): (u64, Vec<u64>)) {
        if self.pages.len() + self.links.len() + links.len() > LINKS {
            self.full = true;
            return;
        }
        self.pages.insert(page);
        self.links.extend(links.into_iter().map(|link| (page, link)));
    }

    /// Whether a page names another one of the set that does not name it.
    fn is_one_way(&self, page: &str, href: &str) -> bool {
        let (page, href) = (self.hasher.hash_one(url::key(page)), self.hasher.hash_one(url::key(href)));
        page != href && !self.full && self.pages.contains(&href) && !self.links.contains(&(href, page))
    }

    /// What could not be looked at.
    pub(in super::super) fn notes(&self) -> Vec<String> {
        match self.full {
            true => vec![format!("more than {LINKS} alternates: whether they link back (H04) was not checked")],
            false => Vec::new(),
        }
    }
}
