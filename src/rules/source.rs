//! The documents that define the rules, each with its URL and the date of its state.

use crate::format::Format;

/// A document that rules are written in.
#[derive(Debug, PartialEq, Eq)]
pub struct RuleSource {
    /// Its title.
    pub title: &'static str,
    /// Its URL.
    pub address: &'static str,
    /// The state of the document that was read: its own date, or the month in which the rule was written down.
    pub read: &'static str,
}

const fn source(title: &'static str, address: &'static str, read: &'static str) -> RuleSource {
    RuleSource { title, address, read }
}

#[rustfmt::skip]
mod list {
    use super::{RuleSource, source};

    pub static GV: RuleSource = source("Google Search Central, Video sitemaps and alternatives",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps", "2025-12-10");
    pub static GVX: RuleSource = source("Google, schema of sitemap-video/1.1",
        "https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd", "2010, with later additions");
    pub static GDEP: RuleSource = source("Google Search Central, Spring cleaning: some sitemap extension tags are going away",
        "https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions", "2022-05-06");
    pub static GB: RuleSource = source("Google Search Central, Build and submit a sitemap",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap", "2026-09");
    pub static GL: RuleSource = source("Google Search Central, Manage your sitemaps with a sitemap index file",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps", "2026-11");
    pub static GH: RuleSource = source("Google Search Central, Tell Google about localized versions of your page",
        "https://developers.google.com/search/docs/specialty/international/localized-versions", "2026-11");
    pub static GI: RuleSource = source("Google Search Central, Image sitemaps",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps", "2025-12-10");
    pub static GN: RuleSource = source("Google Search Central, News sitemaps",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap", "2025-12-10");
    pub static GNX: RuleSource = source("Google, schema of sitemap-news/0.9",
        "https://www.google.com/schemas/sitemap-news/0.9/sitemap-news.xsd", "2026-11");
    pub static GVB: RuleSource = source("Google Search Central, Video SEO best practices",
        "https://developers.google.com/search/docs/appearance/video", "2025-12-18");
    pub static GD: RuleSource = source("Google Search Central, Video structured data",
        "https://developers.google.com/search/docs/appearance/structured-data/video", "2025-12-18");
    pub static SO: RuleSource = source("schema.org, VideoObject", "https://schema.org/VideoObject", "2026-11");
    pub static SM: RuleSource = source("sitemaps.org, Sitemaps XML format",
        "https://www.sitemaps.org/protocol.html", "2026-11");
    pub static SMX: RuleSource = source("sitemaps.org, schema of sitemaps",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd", "2008-03-26");
    pub static YS: RuleSource = source("Yandex Webmaster, Using the Sitemap file",
        "https://yandex.com/support/webmaster/controlling-robot/sitemap.html", "2026-11");
    pub static YE: RuleSource = source("Yandex Webmaster, Sitemap errors reference",
        "https://yandex.com/support/webmaster/", "2026-11");
    pub static MR: RuleSource = source("RSS Advisory Board, Media RSS specification 1.5.1",
        "https://www.rssboard.org/media-rss", "2026-11");
    pub static R2: RuleSource = source("RSS Advisory Board, RSS 2.0 specification",
        "https://www.rssboard.org/rss-specification", "2026-11");
    pub static RP: RuleSource = source("RSS Advisory Board, Really Simple Syndication Best Practices Profile",
        "https://www.rssboard.org/rss-profile", "2026-11");
    pub static RFC: RuleSource = source("RFC 4287, The Atom Syndication Format",
        "https://www.rfc-editor.org/rfc/rfc4287", "2005-12");
    pub static FV: RuleSource = source("W3C Feed Validation Service",
        "https://validator.w3.org/feed/docs/", "2026-11");
    pub static PN: RuleSource = source("Podcasting 2.0, the podcast namespace",
        "https://podcastindex.org/namespace/1.0", "2026-11");
    pub static AP: RuleSource = source("Apple, A podcaster's guide to RSS",
        "https://help.apple.com/itc/podcasts_connect/", "2026-11");
    pub static JF: RuleSource = source("JSON Feed, version 1.1",
        "https://www.jsonfeed.org/version/1.1/", "2020-08-07");
    pub static OP: RuleSource = source("OPML 2.0", "http://opml.org/spec2.opml", "2026-11");
    pub static XML: RuleSource = source("W3C, Extensible Markup Language (XML) 1.0",
        "https://www.w3.org/TR/xml/", "2008-11-26");
}
pub(super) use list::*;

/// Where a format is written down.
pub fn specifications(format: &Format) -> Vec<&'static RuleSource> {
    match format.id {
        "rss" => vec![&R2, &RP],
        "mrss" => vec![&R2, &MR],
        "rss-podcast" => vec![&R2, &AP, &PN],
        "atom" => vec![&RFC],
        "atom-media" => vec![&RFC, &MR],
        "sitemap" => vec![&SM, &SMX, &GB, &GI, &GN],
        "video-sitemap" => vec![&SM, &SMX, &GV, &GVX],
        "sitemap-index" => vec![&SM, &GL],
        "text" => vec![&SM],
        "jsonld" => vec![&GD, &SO],
        "jsonfeed" => vec![&JF],
        // the model's own documents, and what is older than any specification that is still kept
        _ => Vec::new(),
    }
}
