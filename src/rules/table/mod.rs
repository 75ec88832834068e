//! The tables of rules, one per kind of document or authority.

mod atom;
mod cases;
mod core;
mod document;
mod extension;
mod jsonfeed;
mod jsonld;
mod media;
mod module;
mod opml;
mod podcast;
mod rss;
mod video;

pub use cases::cases;

use super::Rule;
use crate::format::{Family, Format};
use crate::text::nearest;

/// Which documents a table is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RuleScope {
    /// All, lists of feeds too.
    Every,
    /// Those of families for which this is true.
    Families(fn(&Family) -> bool),
    /// Those of these formats.
    Formats(&'static [&'static str]),
}

/// The rules of one table.
#[derive(Debug)]
pub struct RuleTable {
    /// What they are about.
    pub title: &'static str,
    /// The documents that have it.
    pub(crate) scope: RuleScope,
    /// The rules.
    pub rules: &'static [&'static [Rule]],
}

impl RuleTable {
    /// Whether it has rules for documents of this format. Lists of feeds are documents, and nothing else.
    pub(crate) fn applies_to(&self, format: &Format) -> bool {
        match self.scope {
            RuleScope::Every => true,
            RuleScope::Families(fits) => fits(format.family) && format.id != OPML,
            RuleScope::Formats(ids) => ids.contains(&format.id),
        }
    }
}

/// The format of lists of feeds, which is only validated.
const OPML: &str = "opml";

/// RSS and Atom, whose entries can have the elements of Media RSS and of other modules.
fn has_modules(family: &Family) -> bool {
    family.is_rss() || family.is_atom()
}

static SLICES: &[RuleTable] = &[
    RuleTable { title: "Documents", scope: RuleScope::Every, rules: &[document::RULES] },
    RuleTable {
        title: "URLs and pages of sitemaps",
        scope: RuleScope::Families(|family| family.protocol),
        rules: &[core::PAGES],
    },
    RuleTable { title: "Lists of URLs", scope: RuleScope::Families(Family::is_lines), rules: &[core::LINES] },
    RuleTable {
        title: "Videos in sitemaps",
        scope: RuleScope::Families(Family::is_xml_sitemap),
        rules: &[video::RULES],
    },
    RuleTable {
        title: "Images, articles and alternates in sitemaps",
        scope: RuleScope::Families(Family::is_xml_sitemap),
        rules: &[extension::RULES],
    },
    RuleTable { title: "RSS", scope: RuleScope::Families(Family::is_rss), rules: &[rss::RULES] },
    RuleTable { title: "Podcasts", scope: RuleScope::Families(Family::is_rss), rules: &[podcast::RULES] },
    RuleTable { title: "Atom", scope: RuleScope::Families(Family::is_atom), rules: &[atom::RULES] },
    RuleTable { title: "Media RSS", scope: RuleScope::Families(has_modules), rules: &[media::RULES] },
    RuleTable { title: "Modules of feeds", scope: RuleScope::Families(has_modules), rules: &[module::RULES] },
    RuleTable {
        title: "Structured data about videos",
        scope: RuleScope::Formats(&["jsonld", "html"]),
        rules: &[jsonld::RULES],
    },
    RuleTable { title: "JSON Feed", scope: RuleScope::Formats(&["jsonfeed"]), rules: &[jsonfeed::RULES] },
    RuleTable { title: "Lists of feeds", scope: RuleScope::Formats(&[OPML]), rules: &[opml::RULES] },
];

/// All tables.
pub fn slices() -> &'static [RuleTable] {
    SLICES
}

/// All rules, in the order of their tables.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    slices().iter().flat_map(|slice| slice.rules.iter().copied().flatten())
}

/// A code of a rule, or the beginning of one, in capital letters, as [`Settings::select`](super::Settings::select) and
/// [`Settings::ignore`](super::Settings::ignore) take it.
///
/// # Errors
/// No code begins so; with one that is nearly the same.
pub fn code_prefix(text: &str) -> Result<String, String> {
    let wanted = text.trim().to_ascii_uppercase();
    if !wanted.is_empty() && all().any(|rule| rule.code.starts_with(&wanted)) {
        return Ok(wanted);
    }
    let near = nearest(&wanted, all().map(|rule| rule.code));
    let hint = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
    Err(format!("no rule code begins with {text}: {hint}`transfeed explain --list` lists all"))
}

/// The rule with this code, in any case.
pub fn by_code(code: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.code.eq_ignore_ascii_case(code))
}
