//! A rule: a row of the tables in table/.

use super::check::kind::CheckKind;
use super::source::RuleSource;
use super::{Profile, Severity};

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// The stable code: `V05`.
    pub code: &'static str,
    /// The problem, in a few words.
    pub title: &'static str,
    /// Its severity: for each profile that has the rule, a letter (`E`, `W`, `I`, `·` for not at all) for each of
    /// its variants; the last letter is also for those after it.
    pub levels: &'static [(Profile, &'static str)],
    /// Where it is written: the source, and its section.
    pub source: (&'static RuleSource, &'static str),
    /// Why it matters.
    pub why: &'static str,
    /// How to fix it.
    pub mend: &'static str,
    /// The place of the examples.
    pub within: Within,
    /// A document that breaks it, or the part of one that does.
    pub bad: &'static str,
    /// The same as it should be.
    pub good: &'static str,
    /// How it is checked.
    pub(crate) checks: &'static [CheckKind],
}

/// The markup around the example of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// Nothing: a whole document.
    Document,
    /// A list of URLs.
    Text,
    /// The root of a sitemap.
    Urlset,
    /// A page of a sitemap, with its URL.
    Url,
    /// A video of such a page.
    Video,
    /// The root of an index.
    Index,
    /// The channel of an RSS document.
    Channel,
    /// An item of one.
    Item,
    /// The feed element of an Atom document.
    Feed,
    /// An entry of one.
    Entry,
    /// None: the example needs a whole document, or more than one.
    Words,
}

impl Rule {
    /// The severity of a variant for a profile.
    pub fn level(&self, profile: Profile, variant: u8) -> Option<Severity> {
        let (_, letters) = self.levels.iter().find(|(of, _)| *of == profile)?;
        let letter = letters.split(';').nth(usize::from(variant)).or_else(|| letters.split(';').next_back())?;
        match letter {
            "E" => Some(Severity::Error),
            "W" => Some(Severity::Warning),
            "I" => Some(Severity::Info),
            _ => None,
        }
    }

    /// The worst it can be for a profile.
    pub fn worst(&self, profile: Profile) -> Option<Severity> {
        (0..8).filter_map(|variant| self.level(profile, variant)).max()
    }
}
