//! Videos as schema.org describes them in JSON-LD (`VideoObject`), as Google reads it: in documents, and in HTML pages.

mod address;
mod draft;
mod fate;
mod listing;
mod page;
mod read;
mod read_video;
mod refer;
mod value;
mod write;
mod write_video;

use super::contract::Format;
use super::family::{EntryKind, Family};
use crate::model::origin::Syntax;

pub(crate) use address::pages_of_videos;

/// JSON-LD.
pub static FAMILY: Family = Family {
    name: "JSON-LD",
    syntax: Syntax::Json,
    lists: EntryKind::Pages,
    entry: ("entry", "entries"),
    extension: Some("jsonld"),
    namespace: None,
    aliases: &[],
    holder: None,
    empty_entry: None,
    protocol: false,
    revisions: false,
    typed: true,
    holds: None,
    permalinks: false,
};

/// HTML pages, which are only read.
pub static PAGES: Family = Family {
    name: "an HTML page",
    syntax: Syntax::Html,
    entry: ("page", "pages"),
    extension: Some("html"),
    holds: Some(&FAMILY),
    ..FAMILY
};

/// JSON-LD with `VideoObject`s.
pub static JSONLD: Format = Format {
    id: "jsonld",
    title: "schema.org VideoObject as JSON-LD",
    family: &FAMILY,
    reader: &read::JsonLdReader,
    writer: Some(&write::JsonLdWriter),
};

/// An HTML page with JSON-LD.
pub static HTML: Format =
    Format { id: "html", title: "HTML page with JSON-LD", family: &PAGES, reader: &page::HtmlReader, writer: None };
