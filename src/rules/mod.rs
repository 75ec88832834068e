//! The rules of Google, Yandex, sitemaps.org, the RSS Advisory Board, RFC 4287, Media RSS and JSON Feed as data: title, severity
//! per profile, source, reason, fix, two examples, and a check. [`run`](Check::run) checks documents. Losses of
//! conversions are in code.rs, repairs of the reader in diagnostic.rs, though the latter are findings too.

pub(crate) mod across;
pub(crate) mod active;
mod alternates;
pub(crate) mod check;
mod finding;
mod hits;
pub mod json;
mod levels;
pub mod manual;
mod rule;
mod run;
mod source;
mod table;
#[cfg(test)]
mod tests;

use crate::format::Format;
use crate::model::Date;

pub use alternates::Alternates;
#[cfg(feature = "cli")]
pub(crate) use finding::FindingMembers;
pub use finding::{Excerpt, Finding, FindingTotals};
pub(crate) use hits::Cx;
pub use hits::Hits;
pub use rule::{Rule, Within};
#[cfg(feature = "cli")]
pub(crate) use run::OPML;
pub use run::{CHECKED_AT_ONCE, Check, CheckSummary, FindingCounts, FindingSink};
pub use source::{RuleSource, specifications};
pub use table::{RuleTable, all, by_code, cases, code_prefix, slices};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know.
    Info,
    /// It costs something, or may.
    Warning,
    /// The document breaks the rule, and what it says there is not used.
    Error,
}

impl Severity {
    /// All, the worst first.
    pub const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Info];

    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Whose rules are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// Google Search.
    Google,
    /// Yandex Webmaster.
    Yandex,
    /// The protocol of sitemaps.org.
    Sitemaps,
    /// RSS 2.0 and its best practices, as the RSS Advisory Board publishes them.
    RssBoard,
    /// RFC 4287.
    Atom,
    /// Media RSS.
    Mrss,
    /// Apple Podcasts.
    Apple,
    /// Podcasting 2.0.
    Podcast,
    /// JSON Feed 1.1.
    JsonFeed,
}

impl Profile {
    /// All of them.
    pub const ALL: [Profile; 9] = [
        Profile::Google,
        Profile::Yandex,
        Profile::Sitemaps,
        Profile::RssBoard,
        Profile::Atom,
        Profile::Mrss,
        Profile::Apple,
        Profile::Podcast,
        Profile::JsonFeed,
    ];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Google => "google",
            Profile::Yandex => "yandex",
            Profile::Sitemaps => "sitemaps",
            Profile::RssBoard => "rss-board",
            Profile::Atom => "atom",
            Profile::Mrss => "mrss",
            Profile::Apple => "apple",
            Profile::Podcast => "podcast",
            Profile::JsonFeed => "jsonfeed",
        }
    }

    /// The profile with this name.
    pub fn by_name(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// Whether it has anything to say of documents of this format.
    pub fn fits(self, format: &Format) -> bool {
        match self {
            // it has a rule for formats that it does not read, but no document is a table for search engines
            Profile::Yandex => !format.family.is_table(),
            Profile::Google => {
                let is_of_pages = matches!(format.id, "jsonld" | "html");
                format.family.protocol || format.family.is_rss() || format.family.is_atom() || is_of_pages
            }
            Profile::Sitemaps => format.family.protocol,
            Profile::RssBoard | Profile::Apple | Profile::Podcast => format.family.is_rss(),
            Profile::Atom => format.family.is_atom(),
            Profile::Mrss => matches!(format.id, "mrss" | "atom-media"),
            Profile::JsonFeed => format.id == "jsonfeed",
        }
    }

    /// The profiles that documents of this format are checked against if nobody says otherwise: those of whom they are
    /// made for.
    pub fn defaults(format: &Format) -> &'static [Profile] {
        match format.id {
            "video-sitemap" => &[Profile::Google, Profile::Sitemaps],
            "mrss" => &[Profile::Google, Profile::RssBoard, Profile::Mrss],
            "rss-podcast" => &[Profile::RssBoard, Profile::Apple, Profile::Podcast],
            "atom-media" => &[Profile::Atom, Profile::Mrss],
            "jsonld" | "html" => &[Profile::Google],
            "jsonfeed" => &[Profile::JsonFeed],
            _ if format.family.protocol => &[Profile::Google, Profile::Yandex, Profile::Sitemaps],
            _ if format.family.is_rss() => &[Profile::RssBoard],
            _ if format.family.is_atom() => &[Profile::Atom],
            _ => &[],
        }
    }
}

/// What a check is asked for.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The profiles; those that fit the format if there is none.
    pub profiles: Vec<Profile>,
    /// What is less bad is not looked for.
    pub level: Option<Severity>,
    /// Only these rules: codes, or their beginnings (`V`).
    pub select: Vec<String>,
    /// Not these.
    pub ignore: Vec<String>,
    /// The address of the document.
    pub sitemap_url: Option<String>,
    /// Which format the parts of an index have that lie beside it.
    pub kinds: Option<PartKinds>,
    /// Today, for what is past or to come.
    pub now: Option<Date>,
    /// The user has said what today is, so that what grows old by itself is told too.
    pub now_said: bool,
    /// The name of the file, without its folder.
    pub file_name: Option<String>,
    /// Findings of a rule in one document that are kept; the others are counted.
    pub most: Option<u64>,
    /// Parts of the source are to be kept for who shows them.
    pub excerpts: bool,
    /// Entries are to be known again in another run.
    pub fingerprints: bool,
}

/// Answers which format the part of an index has, for those that can be looked at.
#[derive(Clone)]
pub struct PartKinds(pub std::sync::Arc<PartKind>);

/// From the address of a part to the name of its format.
pub type PartKind = dyn Fn(&str) -> Option<String> + Send + Sync;

impl PartKinds {
    /// The name of the format of the part with this address.
    pub(crate) fn format_name(&self, address: &str) -> Option<String> {
        (self.0)(address)
    }
}

impl std::fmt::Debug for PartKinds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PartKinds")
    }
}

impl Settings {
    /// Whether a rule was asked for.
    pub(crate) fn wants(&self, code: &str) -> bool {
        let among = |codes: &[String]| codes.iter().any(|wanted| code.starts_with(wanted.as_str()));
        (self.select.is_empty() || among(&self.select)) && !among(&self.ignore)
    }
}
