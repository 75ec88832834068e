//! XML sitemaps with their video, image and news extensions, and sitemap indexes (sitemaps.org protocol 0.9; Google's
//! schemas). How pages are found and joined is not decided here (pages.rs).

pub mod carry;
pub(super) mod choice;
pub(in crate::format) mod date;
mod element;
mod extensions;
mod fate;
mod left;
pub(crate) mod news;
mod read;
mod read_video;
mod video;
mod write;

#[cfg(test)]
mod tests;

use super::contract::Format;
use super::family::{EntryKind, Family};
use crate::model::origin::Syntax;
use crate::xml::names::Ns;

pub(crate) use element::escaped_twice;
pub(crate) use extensions::look as look_at_extensions;
pub(crate) use read_video::NAMES as VIDEO_CHILDREN;
pub(crate) use video::TV_KINDS;
pub(in crate::format) use video::{forbids, is_currency, stars};
pub use write::{SITEMAPS_OF_INDEX, index, indexes};

/// XML sitemaps and their extensions.
pub static FAMILY: Family = Family {
    name: "a sitemap",
    syntax: Syntax::Xml,
    lists: EntryKind::Pages,
    entry: ("page", "pages"),
    extension: Some("xml"),
    namespace: Some(Ns::Sitemap),
    aliases: &[Ns::None],
    empty_entry: Some("<url/>"),
    protocol: true,
    ..Family::PLAIN
};

/// XML sitemap 0.9.
pub static SITEMAP: Format = Format {
    id: "sitemap",
    title: "XML sitemap 0.9",
    family: &FAMILY,
    reader: &read::SitemapReader,
    writer: Some(&write::SitemapWriter { video: false }),
};

/// XML sitemap 0.9 with Google video 1.1.
pub static VIDEO: Format = Format {
    id: "video-sitemap",
    title: "XML sitemap 0.9 with Google video 1.1",
    family: &FAMILY,
    reader: &read::SitemapReader,
    writer: Some(&write::SitemapWriter { video: true }),
};

/// sitemap index 0.9.
pub static SITEMAP_INDEX: Format = Format {
    id: "sitemap-index",
    title: "sitemap index 0.9",
    family: &FAMILY,
    reader: &read::SitemapIndexReader,
    writer: None,
};
