//! Tables (RFC 4180): a row for each video, or for each page, below a row of headings that name fields of the model.

pub(crate) mod columns;
mod fate;
pub(crate) mod fill;
mod read;
pub(crate) mod row;
pub(crate) mod split;
mod write;

#[cfg(feature = "cli")]
pub(crate) use write::ALL;

use super::contract::Format;
use super::family::{EntryKind, Family};
use crate::model::origin::Syntax;

/// Tables.
pub static FAMILY: Family = Family {
    name: "a table",
    syntax: Syntax::Row,
    lists: EntryKind::Pages,
    entry: ("row", "rows"),
    extension: Some("csv"),
    ..Family::PLAIN
};

/// A table with a row for each video or page.
pub static CSV: Format = Format {
    id: "csv",
    title: "a table (CSV), one row a video or page",
    family: &FAMILY,
    reader: &read::CsvReader,
    writer: Some(&write::CsvWriter),
};
