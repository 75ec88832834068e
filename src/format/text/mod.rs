//! Lists of addresses, one a line.

mod fate;
pub(crate) mod read;
mod write;

use super::{Family, Format};

/// text sitemap: one address a line.
pub static TEXT: Format = Format {
    id: "text",
    title: "text sitemap: one address a line",
    family: Family::Text,
    reader: &read::Text,
    writer: Some(&write::Text),
};
