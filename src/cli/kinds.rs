//! Questions about the kind of a file: whether it can be read, and whether it is a list of feeds rather than of
//! pages. Kinds are detected elsewhere.

use std::fs::File;
use std::path::Path;

use crate::detect::{self, DocumentKind};
use crate::format::Format;
use crate::model::origin::Syntax;
use crate::text::url;
use crate::xml::decode;

/// Endings of the names of feeds and sitemaps.
const FEEDS: [&str; 7] = [".rss", ".atom", ".mrss", ".rdf", ".xml", ".xml.gz", "/feed"];

/// Whether a file is a text list whose URLs look like feeds: more than half of the first ones. Its owner may expect that
/// the feeds are converted, and not the list.
pub fn is_list_of_feeds(file: &Path) -> bool {
    const FIRST: usize = 100;
    let open = || File::open(file).and_then(|file| decode::decode(file)?.peek());
    let Some(prefix) = file.is_file().then(open).and_then(Result::ok) else { return false };
    if !matches!(detect::detect(&prefix.text, prefix.complete), DocumentKind::Text) {
        return false;
    }
    let urls: Vec<&str> = prefix.text.lines().map(str::trim).filter(|line| url::is_http(line)).take(FIRST).collect();
    let is_feed = |url: &&&str| {
        let path = url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/').to_ascii_lowercase();
        FEEDS.iter().any(|end| path.ends_with(end))
    };
    urls.iter().filter(is_feed).count() * 2 > urls.len()
}

/// The note about a list of feeds that is converted itself.
pub fn list_note(name: &str) -> String {
    format!("{name}: a list of feeds, converted itself; transfeed migrate @{name} converts what it names")
}

/// Whether a document of this kind can be read as the format that is asked for, if any. A page without JSON-LD is read on
/// request, and one with players where these are asked for.
pub fn is_document(kind: &DocumentKind, from: Option<&Format>, players: bool) -> bool {
    match kind {
        DocumentKind::Html { players: true, .. } if players && from.is_none() => true,
        DocumentKind::Html { .. } => from.is_some_and(|from| from.family.syntax == Syntax::Html),
        DocumentKind::Rss { .. }
        | DocumentKind::Rss10
        | DocumentKind::Rss090
        | DocumentKind::Rss11
        | DocumentKind::Atom
        | DocumentKind::Atom03
        | DocumentKind::AtomEntry
        | DocumentKind::Sitemap
        | DocumentKind::SitemapIndex
        | DocumentKind::Text
        | DocumentKind::YandexVideo { .. }
        | DocumentKind::Json
        | DocumentKind::JsonLines
        | DocumentKind::JsonFeed
        | DocumentKind::JsonLd
        | DocumentKind::HtmlVideo
        | DocumentKind::Table => true,
        DocumentKind::Opml
        | DocumentKind::UnknownXml { .. }
        | DocumentKind::UnknownJson { .. }
        | DocumentKind::Csv { .. }
        | DocumentKind::Empty
        | DocumentKind::Unknown { .. } => false,
    }
}
