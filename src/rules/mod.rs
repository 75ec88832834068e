//! The rules of Google, Yandex, sitemaps.org, the RSS Advisory Board, RFC 4287 and Media RSS as data: title, severity
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
mod profile;
mod rule;
mod run;
mod source;
mod table;
#[cfg(test)]
mod tests;

pub use alternates::Alternates;
#[cfg(feature = "cli")]
pub(crate) use finding::FindingMembers;
pub use finding::{Excerpt, Finding, FindingTotals};
pub(crate) use hits::Cx;
pub use hits::Hits;
pub use profile::{PartKind, PartKinds, Profile, Settings, Severity};
pub use rule::{Rule, Within};
pub use run::{CHECKED_AT_ONCE, Check, CheckSummary, FindingCounts, FindingSink};
pub use source::{RuleSource, specifications};
pub use table::{RuleTable, all, by_code, cases, slices};
