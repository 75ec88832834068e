//! Lists of addresses, one a line (sitemaps.org, "Text file").

mod fate;
pub(crate) mod read;
pub(crate) mod split;
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
