//! The tables of rules, one per kind of document or authority.

mod atom;
mod cases;
mod core;
mod document;
mod extension;
mod media;
mod module;
mod opml;
mod rss;
mod video;

pub use cases::cases;

use super::Rule;
use crate::format::{Family, Format};

/// The rules of one table.
#[derive(Debug)]
pub struct RuleTable {
    /// What they are about.
    pub title: &'static str,
    /// The formats that have it.
    pub(crate) families: &'static [Family],
    /// The only format of them that it is about.
    pub(crate) only: Option<&'static str>,
    /// The rules.
    pub rules: &'static [&'static [Rule]],
}

impl RuleTable {
    /// Whether it has rules for documents of this format. Lists of feeds are documents, and nothing else.
    pub(crate) fn applies_to(&self, format: &Format) -> bool {
        let is_list = format.id == "opml";
        match self.only {
            Some(only) => only == format.id,
            None => self.families.contains(&format.family) && (!is_list || self.families.len() == 5),
        }
    }
}

static SLICES: &[RuleTable] = &[
    RuleTable {
        title: "Documents",
        families: &[Family::Rss, Family::Atom, Family::Sitemap, Family::Text, Family::Json],
        only: None,
        rules: &[document::RULES],
    },
    RuleTable {
        title: "URLs and pages of sitemaps",
        families: &[Family::Sitemap, Family::Text],
        only: None,
        rules: &[core::PAGES],
    },
    RuleTable { title: "Lists of URLs", families: &[Family::Text], only: None, rules: &[core::LINES] },
    RuleTable { title: "Videos in sitemaps", families: &[Family::Sitemap], only: None, rules: &[video::RULES] },
    RuleTable {
        title: "Images, articles and alternates in sitemaps",
        families: &[Family::Sitemap],
        only: None,
        rules: &[extension::RULES],
    },
    RuleTable { title: "RSS", families: &[Family::Rss], only: None, rules: &[rss::RULES] },
    RuleTable { title: "Atom", families: &[Family::Atom], only: None, rules: &[atom::RULES] },
    RuleTable { title: "Media RSS", families: &[Family::Rss, Family::Atom], only: None, rules: &[media::RULES] },
    RuleTable {
        title: "Modules of feeds",
        families: &[Family::Rss, Family::Atom],
        only: None,
        rules: &[module::RULES],
    },
    RuleTable { title: "Lists of feeds", families: &[Family::Rss], only: Some("opml"), rules: &[opml::RULES] },
];

/// All tables.
pub fn slices() -> &'static [RuleTable] {
    SLICES
}

/// All rules, in the order of their tables.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    slices().iter().flat_map(|slice| slice.rules.iter().copied().flatten())
}

/// The rule with this code, in any case.
pub fn by_code(code: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.code.eq_ignore_ascii_case(code))
}
