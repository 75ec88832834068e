//! Lists of URLs, one per line (sitemaps.org, "Text file").

mod fate;
pub(crate) mod read;
pub(crate) mod split;
mod write;

use super::contract::Format;
use super::family::{EntryKind, Family};
use crate::model::origin::Syntax;

/// Lists of URLs.
pub static FAMILY: Family = Family {
    name: "a list of URLs",
    syntax: Syntax::Line,
    lists: EntryKind::Pages,
    entry: ("URL", "URLs"),
    extension: Some("txt"),
    protocol: true,
    ..Family::PLAIN
};

/// text sitemap: one URL per line.
pub static TEXT: Format = Format {
    id: "text",
    title: "text sitemap: one URL per line",
    family: &FAMILY,
    reader: &read::TextReader,
    writer: Some(&write::TextWriter),
};
