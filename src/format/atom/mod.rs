//! Atom 1.0 and 0.3, with Media RSS or without.

mod fate;
mod link;
mod read;
#[cfg(test)]
mod tests;
mod text;
mod write;

use super::contract::Format;
use super::family::{EntryKind, Family};
use crate::model::origin::Syntax;
use crate::xml::names::Ns;

/// Atom 1.0 and 0.3, with Media RSS or without.
pub static FAMILY: Family = Family {
    name: "Atom",
    syntax: Syntax::Xml,
    lists: EntryKind::Items,
    entry: ("entry", "entries"),
    extension: Some("atom"),
    namespace: Some(Ns::Atom),
    aliases: &[Ns::None, Ns::Atom03],
    empty_entry: Some("<entry/>"),
    revisions: true,
    ..Family::PLAIN
};

/// Atom 1.0 (RFC 4287).
pub static ATOM: Format = Format {
    id: "atom",
    title: "Atom 1.0 (RFC 4287)",
    family: &FAMILY,
    reader: &read::AtomReader,
    writer: Some(&write::AtomWriter { media: false }),
};

/// Atom 1.0 with Media RSS 1.5.1.
pub static ATOM_MEDIA: Format = Format {
    id: "atom-media",
    title: "Atom 1.0 with Media RSS 1.5.1",
    family: &FAMILY,
    reader: &read::AtomReader,
    writer: Some(&write::AtomWriter { media: true }),
};

/// Atom 0.3.
pub static ATOM03: Format =
    Format { id: "atom03", title: "Atom 0.3", family: &FAMILY, reader: &read::AtomReader, writer: None };
