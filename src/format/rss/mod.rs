//! RSS of all versions, with Media RSS or without.

mod fate;
mod files;
mod head;
mod item;
mod left;
pub(in crate::format) mod person;
mod podcast;
pub(crate) mod read;
mod words;
mod write;
mod write_head;

use super::contract::Format;
use super::family::{EntryKind, Family};
use crate::model::origin::Syntax;
use crate::xml::names::Ns;

/// RSS of all versions, with Media RSS or without.
pub static FAMILY: Family = Family {
    name: "RSS",
    syntax: Syntax::Xml,
    lists: EntryKind::Items,
    entry: ("item", "items"),
    extension: Some("rss"),
    namespace: Some(Ns::None),
    aliases: &[Ns::Rss2, Ns::YahooChannel, Ns::Rss10, Ns::Rss090, Ns::Rss11],
    holder: Some("channel"),
    empty_entry: Some("<item/>"),
    permalinks: true,
    ..Family::PLAIN
};

/// RSS 2.0 (reads 0.91 to 2.0).
pub static RSS: Format = Format {
    id: "rss",
    title: "RSS 2.0 (reads 0.91 to 2.0)",
    family: &FAMILY,
    reader: &read::RssReader,
    writer: Some(&write::RssWriter { extension: item::Extension::None }),
};

/// RSS 2.0 with Media RSS 1.5.1.
pub static MRSS: Format = Format {
    id: "mrss",
    title: "RSS 2.0 with Media RSS 1.5.1",
    family: &FAMILY,
    reader: &read::RssReader,
    writer: Some(&write::RssWriter { extension: item::Extension::Media }),
};

/// RSS 2.0 with the elements of podcasts.
pub static PODCAST: Format = Format {
    id: "rss-podcast",
    title: "RSS 2.0 with iTunes and Podcasting 2.0",
    family: &FAMILY,
    reader: &read::RssReader,
    writer: Some(&write::RssWriter { extension: item::Extension::Podcast }),
};

/// RSS 1.0 (RDF).
pub static RSS1: Format =
    Format { id: "rss1", title: "RSS 1.0 and 1.1 (RDF)", family: &FAMILY, reader: &read::RssReader, writer: None };

/// RSS 0.90 (RDF).
pub static RSS09: Format =
    Format { id: "rss09", title: "RSS 0.90 (RDF)", family: &FAMILY, reader: &read::RssReader, writer: None };
