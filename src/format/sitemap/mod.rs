//! XML sitemaps with their video, image and news extensions, and sitemap indexes.

mod fate;
mod read;
mod write;

use super::{Family, Format};

/// XML sitemap 0.9.
pub static SITEMAP: Format = Format {
    id: "sitemap",
    title: "XML sitemap 0.9",
    family: Family::Sitemap,
    reader: &read::Sitemap,
    writer: Some(&write::Sitemap),
};

/// XML sitemap 0.9 with Google video 1.1.
pub static VIDEO_SITEMAP: Format = Format {
    id: "video-sitemap",
    title: "XML sitemap 0.9 with Google video 1.1",
    family: Family::Sitemap,
    reader: &read::VideoSitemap,
    writer: Some(&write::VideoSitemap),
};

/// sitemap index 0.9.
pub static SITEMAP_INDEX: Format = Format {
    id: "sitemap-index",
    title: "sitemap index 0.9",
    family: Family::Sitemap,
    reader: &read::SitemapIndex,
    writer: None,
};
