//! Feeds and sitemaps that a site names: in robots.txt, and in the head of its pages. Nothing is fetched here.

use crate::text::html;
use crate::xml::scan::{name_len, tag_end};

/// Documents that a site may name.
const MOST: usize = 10_000;

/// Bytes of a page that are looked at: links to feeds are in its head.
const HEAD: usize = 1 << 20;

/// A link to a feed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AlternateLink {
    /// As it is written.
    pub href: String,
    /// Its media type.
    pub kind: String,
    /// Its title; may be empty.
    pub title: String,
}

/// The sitemaps that a robots.txt names.
pub fn sitemaps(robots: &str) -> Vec<String> {
    let lines = robots.trim_start_matches('\u{feff}').lines();
    let named = lines.filter_map(|line| {
        let (field, value) = line.split_once(':')?;
        let value = value.split(" #").next().unwrap_or_default().trim();
        (field.trim().eq_ignore_ascii_case("sitemap") && !value.is_empty()).then(|| value.to_owned())
    });
    let mut found: Vec<String> = Vec::new();
    for url in named.take(MOST) {
        if !found.contains(&url) {
            found.push(url);
        }
    }
    found
}

/// The feeds that a page names as its alternates.
pub fn alternates(page: &str) -> Vec<AlternateLink> {
    let mut end = page.len().min(HEAD);
    while !page.is_char_boundary(end) {
        end -= 1;
    }
    let mut rest = page.get(..end).unwrap_or_default();
    let mut found: Vec<AlternateLink> = Vec::new();
    while let Some((_, tag)) = rest.split_once('<') {
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let name = tag.get(..name_len(tag.as_bytes())).unwrap_or_default();
        if name.is_empty() {
            rest = tag;
            continue;
        }
        let Some(end) = tag_end(tag) else { break };
        if name.eq_ignore_ascii_case("link") {
            let link = alternate(tag.get(..end).unwrap_or_default());
            found.extend(link.filter(|link| found.iter().all(|known| known.href != link.href)));
        }
        rest = tag.get(end..).unwrap_or_default();
        if name.eq_ignore_ascii_case("body") || found.len() >= MOST {
            break;
        }
    }
    found
}

/// The feed that this tag names.
fn alternate(tag: &str) -> Option<AlternateLink> {
    let attributes = attributes(tag);
    let value = |wanted: &str| {
        let (_, value) = attributes.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted))?;
        Some(html::decoded(value).trim().to_owned())
    };
    let is_alternate = value("rel")?.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case("alternate"));
    let kind = value("type")?.to_ascii_lowercase();
    let bare = kind.split(';').next().unwrap_or_default().trim().to_owned();
    let is_feed = matches!(bare.as_str(), "application/rss+xml" | "application/atom+xml" | "application/rdf+xml");
    let href = value("href").filter(|href| !href.is_empty() && is_alternate && is_feed)?;
    Some(AlternateLink { href, kind: bare, title: value("title").unwrap_or_default() })
}

/// Names and raw values of the attributes of a tag of HTML, where quotes may be absent.
fn attributes(tag: &str) -> Vec<(&str, &str)> {
    let is_end = |c: char| c.is_ascii_whitespace() || matches!(c, '=' | '>' | '/');
    let mut rest = tag.get(name_len(tag.as_bytes())..).unwrap_or_default();
    let mut found = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        let (name, after) = rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
        let Some(value) = after.trim_ascii_start().strip_prefix('=').map(str::trim_ascii_start) else {
            if name.is_empty() {
                return found;
            }
            rest = after;
            continue;
        };
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, after) = match quote {
            Some(quote) => value.get(1..).unwrap_or_default().split_once(quote).unwrap_or_default(),
            None => value.split_at(value.find(|c: char| c.is_ascii_whitespace() || c == '>').unwrap_or(value.len())),
        };
        found.push((name, value));
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn robots_name_sitemaps() {
        let text = "\u{feff}User-agent: *\nDisallow: /x\nSitemap: https://a.example/s.xml\nSITEMAP :  /t.xml # ours\n\
                    sitemap:\nSitemap: https://a.example/s.xml\nNoSitemap: x\n";
        assert_eq!(sitemaps(text), ["https://a.example/s.xml", "/t.xml"]);
        assert!(sitemaps("<html>").is_empty());
    }

    #[test]
    fn pages_name_feeds() {
        let page = "<!doctype html><html><head><!-- <link rel=alternate type=application/rss+xml href=no> -->\
            <link rel=\"stylesheet alternate\" type=\"application/rss+xml\" title=\"All &amp; more\" href=\"/feed?a=1&amp;b=2\">\
            <LINK REL='alternate' TYPE='application/atom+xml; charset=utf-8' HREF='x.atom'/>\
            <link rel=alternate hreflang=de href=/de><link rel=alternate type=text/html href=/m>\
            <link rel=alternate type=application/rss+xml href=''></head>\
            <body><link rel=alternate type=application/rss+xml href=late></body>";
        let found = alternates(page);
        let hrefs: Vec<&str> = found.iter().map(|link| link.href.as_str()).collect();
        assert_eq!(hrefs, ["/feed?a=1&b=2", "x.atom"]);
        assert_eq!((found[0].title.as_str(), found[1].kind.as_str()), ("All & more", "application/atom+xml"));
        for odd in ["<", "<link", "<!--", "<link rel=alternate", "é<é<link\u{0}>"] {
            assert!(alternates(odd).is_empty());
        }
    }
}
