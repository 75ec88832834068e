//! Lists of URLs, one per line (sitemaps.org, "Text file").

mod fate;
pub(crate) mod read;
pub(crate) mod split;
mod write;

use super::contract::{Family, Format};

/// text sitemap: one URL per line.
pub static TEXT: Format = Format {
    id: "text",
    title: "text sitemap: one URL per line",
    family: Family::Text,
    reader: &read::TextReader,
    writer: Some(&write::TextWriter),
};
