//! The model itself as JSON: one document, or a line an entry. Loses nothing.

mod de;
mod fate;
mod read;
pub(crate) mod split;
#[cfg(test)]
mod tests;
pub(crate) mod write;

use super::contract::Format;
use super::family::{EntryKind, Family};
use crate::json::split::EntryLists;
use crate::model::origin::Syntax;

/// Where the entries of a document are.
const LISTS: EntryLists = EntryLists::named(&["entries"]);

/// The model itself.
pub static FAMILY: Family = Family {
    name: "JSON",
    syntax: Syntax::Json,
    lists: EntryKind::Model,
    entry: ("entry", "entries"),
    ..Family::PLAIN
};

/// The model as one JSON document.
pub static JSON: Format = Format {
    id: "json",
    title: "the model as one JSON document",
    family: &FAMILY,
    reader: &read::JsonReader,
    writer: Some(&write::JsonWriter),
};

/// The model as JSON lines, one entry a line.
pub static JSONL: Format = Format {
    id: "jsonl",
    title: "the model as JSON lines, one entry a line",
    family: &FAMILY,
    reader: &read::JsonlReader,
    writer: Some(&write::JsonlWriter),
};
