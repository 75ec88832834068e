//! The tables of rules, one for each kind of documents or authority.

mod atom;
mod core;
mod document;
mod extension;
mod media;
mod rss;
mod video;

use super::Rule;
use crate::format::Family;

/// The rules of one table.
#[derive(Debug)]
pub struct Slice {
    /// What they are about.
    pub title: &'static str,
    /// The formats that have it.
    pub(crate) families: &'static [Family],
    /// The rules.
    pub rules: &'static [&'static [Rule]],
}

static SLICES: &[Slice] = &[
    Slice {
        title: "Documents",
        families: &[Family::Rss, Family::Atom, Family::Sitemap, Family::Text, Family::Json],
        rules: &[document::RULES],
    },
    Slice {
        title: "Addresses and pages of sitemaps",
        families: &[Family::Sitemap, Family::Text],
        rules: &[core::PAGES],
    },
    Slice { title: "Lists of addresses", families: &[Family::Text], rules: &[core::LINES] },
    Slice { title: "Videos in sitemaps", families: &[Family::Sitemap], rules: &[video::RULES] },
    Slice {
        title: "Pictures, articles and alternates in sitemaps",
        families: &[Family::Sitemap],
        rules: &[extension::RULES],
    },
    Slice { title: "RSS", families: &[Family::Rss], rules: &[rss::RULES] },
    Slice { title: "Atom", families: &[Family::Atom], rules: &[atom::RULES] },
    Slice { title: "Media RSS", families: &[Family::Rss, Family::Atom], rules: &[media::RULES] },
];

/// All tables.
pub fn slices() -> &'static [Slice] {
    SLICES
}
