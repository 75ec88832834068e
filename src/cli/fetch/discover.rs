//! Feeds and sitemaps that a site names: in robots.txt, and in the head of its pages. Nothing is fetched here.

use std::collections::HashSet;

use crate::text::html;
use crate::xml::scan::{name_len, tag_end};

/// Feeds of a page that are looked at; no page has so many.
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

/// What the head of a page names.
#[derive(Default, Debug)]
pub struct PageLinks {
    /// The URL that its links are relative to, as it is written.
    pub base: Option<String>,
    /// Its feeds.
    pub feeds: Vec<AlternateLink>,
}

/// Elements whose text is no markup.
const RAW: [&str; 4] = ["script", "style", "title", "textarea"];

/// The sitemaps that a robots.txt names.
pub fn sitemaps(robots: &str) -> Vec<String> {
    let lines = robots.trim_start_matches('\u{feff}').lines();
    let named = lines.filter_map(|line| {
        let (field, value) = line.split_once(':')?;
        let value = value.split(" #").next().unwrap_or_default().trim();
        (field.trim().eq_ignore_ascii_case("sitemap") && !value.is_empty()).then(|| value.to_owned())
    });
    let mut seen = HashSet::new();
    named.filter(|url| seen.insert(url.clone())).collect()
}

/// The feeds that a page names as its alternates, and their base.
pub fn links(page: &str) -> PageLinks {
    let mut end = page.len().min(HEAD);
    while !page.is_char_boundary(end) {
        end -= 1;
    }
    let mut rest = page.get(..end).unwrap_or_default();
    let mut found = PageLinks::default();
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
            found.feeds.extend(link.filter(|link| found.feeds.iter().all(|known| known.href != link.href)));
        }
        if name.eq_ignore_ascii_case("base") && found.base.is_none() {
            found.base = href(&attributes(tag.get(..end).unwrap_or_default()));
        }
        rest = tag.get(end..).unwrap_or_default();
        if RAW.iter().any(|raw| name.eq_ignore_ascii_case(raw)) {
            rest = after_raw(rest, name);
        }
        if name.eq_ignore_ascii_case("body") || found.feeds.len() >= MOST {
            break;
        }
    }
    found
}

/// What follows the text of an element like this, from its end tag on.
fn after_raw<'t>(text: &'t str, name: &str) -> &'t str {
    let ends = |(at, _): &(usize, &str)| {
        let end = text.get(at + 2..).and_then(|rest| rest.get(..name.len()));
        end.is_some_and(|end| end.eq_ignore_ascii_case(name))
    };
    text.match_indices("</").find(ends).and_then(|(at, _)| text.get(at + 1..)).unwrap_or_default()
}

/// The reference of a tag; nothing if it is empty.
fn href(attributes: &[(&str, &str)]) -> Option<String> {
    let (_, value) = attributes.iter().find(|(name, _)| name.eq_ignore_ascii_case("href"))?;
    Some(html::decoded(value).trim().to_owned()).filter(|href| !href.is_empty())
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
    let href = href(&attributes).filter(|_| is_alternate && is_feed)?;
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
    fn scripts_are_no_markup_and_links_have_a_base() {
        let page = "<html><head><title>a < b's</title><BASE HREF='/blog/'><base href=/other/>\
            <script>for(i=0;i<n;i++){} // don't </style>\n</SCRIPT>\
            <link rel=alternate type=application/rss+xml href=feed.rss></head>";
        let found = links(page);
        assert_eq!((found.base.as_deref(), found.feeds.len()), (Some("/blog/"), 1));
        assert!(links("<script><link rel=alternate type=application/rss+xml href=x>").feeds.is_empty());
    }

    #[test]
    fn pages_name_feeds() {
        let page = "<!doctype html><html><head><!-- <link rel=alternate type=application/rss+xml href=no> -->\
            <link rel=\"stylesheet alternate\" type=\"application/rss+xml\" title=\"All &amp; more\" href=\"/feed?a=1&amp;b=2\">\
            <LINK REL='alternate' TYPE='application/atom+xml; charset=utf-8' HREF='x.atom'/>\
            <link rel=alternate hreflang=de href=/de><link rel=alternate type=text/html href=/m>\
            <link rel=alternate type=application/rss+xml href=''></head>\
            <body><link rel=alternate type=application/rss+xml href=late></body>";
        let found = links(page).feeds;
        let hrefs: Vec<&str> = found.iter().map(|link| link.href.as_str()).collect();
        assert_eq!(hrefs, ["/feed?a=1&b=2", "x.atom"]);
        assert_eq!((found[0].title.as_str(), found[1].kind.as_str()), ("All & more", "application/atom+xml"));
        for odd in ["<", "<link", "<!--", "<link rel=alternate", "é<é<link\u{0}>"] {
            assert!(links(odd).feeds.is_empty());
        }
    }
}
