//! Atom 1.0 and 0.3, with Media RSS or without.

mod fate;
mod link;
mod read;
#[cfg(test)]
mod tests;
mod text;
mod write;

use super::contract::{Family, Format};

/// Atom 1.0 (RFC 4287).
pub static ATOM: Format = Format {
    id: "atom",
    title: "Atom 1.0 (RFC 4287)",
    family: Family::Atom,
    reader: &read::AtomReader,
    writer: Some(&write::AtomWriter { media: false }),
};

/// Atom 1.0 with Media RSS 1.5.1.
pub static ATOM_MEDIA: Format = Format {
    id: "atom-media",
    title: "Atom 1.0 with Media RSS 1.5.1",
    family: Family::Atom,
    reader: &read::AtomReader,
    writer: Some(&write::AtomWriter { media: true }),
};

/// Atom 0.3.
pub static ATOM03: Format =
    Format { id: "atom03", title: "Atom 0.3", family: Family::Atom, reader: &read::AtomReader, writer: None };
