//! JSON Feed 1.0 and 1.1: read, and written as 1.1.

mod fate;
mod nested;
mod out;
mod read;
pub(crate) mod version;
mod write;

use super::contract::Format;
use super::family::{EntryKind, Family};
use crate::model::origin::Syntax;
pub(in crate::format) use read::pass_over_plain;

/// JSON Feed.
pub static FAMILY: Family = Family {
    name: "JSON Feed",
    syntax: Syntax::Json,
    lists: EntryKind::Items,
    entry: ("item", "items"),
    extension: Some("json"),
    ..Family::PLAIN
};

/// JSON Feed.
pub static JSON_FEED: Format = Format {
    id: "jsonfeed",
    title: "JSON Feed 1.0 and 1.1",
    family: &FAMILY,
    reader: &read::JsonFeedReader,
    writer: Some(&write::JsonFeedWriter),
};
