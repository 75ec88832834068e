//! The page of a check: which rules documents break, how often, and where. Findings and
//! severities come from the rules.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::io::{self, Write};

use askama::Template;

use super::bar::Bar;
use super::escape::{cut, grouped, link, many};
use super::fetched::FetchedTable;
use super::{LISTED, PageSection, PageShell, SHOWN, write};
use crate::convert::Fetched;
use crate::rules::{self, Excerpt, Finding, FindingCounts, FindingTotals, Profile, Rule, Severity};

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct ValidationResult<'f> {
    /// The documents that were checked; the page lists at most [`LISTED`] of them.
    pub documents: Vec<CheckedDocument<'f>>,
    /// Documents that are counted and not among them.
    pub untold: u64,
    /// Those that could not be read, and why.
    pub refused: Vec<(Cow<'f, str>, Cow<'f, str>)>,
    /// How many findings there are.
    pub totals: FindingTotals,
    /// The same by rule and severity.
    pub rules: FindingCounts,
    /// The findings, each with the number of its document; at most [`LISTED`] are shown, the worst first.
    pub found: Vec<(usize, Finding)>,
    /// How documents came from URLs.
    pub fetched: Vec<Fetched>,
}

/// A document that was checked.
#[derive(Clone, Debug, Default)]
pub struct CheckedDocument<'f> {
    /// Its name.
    pub name: Cow<'f, str>,
    /// Its format.
    pub format: &'f str,
    /// Whose rules it was checked against.
    pub profiles: Vec<Profile>,
    /// Its entries.
    pub entries: u64,
    /// How many findings it has.
    pub totals: FindingTotals,
}

/// Writes the page of a check.
///
/// # Errors
/// An error of `out`.
pub fn findings(check: &ValidationResult<'_>, out: &mut dyn Write) -> io::Result<()> {
    let all = check.totals.sum();
    let mut found: Vec<&(usize, Finding)> = check.found.iter().collect();
    found.sort_by_key(|(document, finding)| (Reverse(finding.severity), *document, finding.line, finding.code));
    found.truncate(LISTED);
    let several = check.documents.len() + check.refused.len() > 1;
    let rows: Vec<BrokenRuleRow<'_>> =
        found.into_iter().map(|found| BrokenRuleRow::new(found, check, several)).collect();
    let untold = all.saturating_sub(rows.len() as u64);
    let mut documents: Vec<&CheckedDocument<'_>> = check.documents.iter().collect();
    documents.sort_by_key(|document| (Reverse(document.totals.error), Reverse(document.totals.warning)));
    let more = check.untold + documents.len().saturating_sub(LISTED) as u64;
    documents.truncate(LISTED);
    let shares = Severity::ALL.map(|severity| (severity.name(), check.totals.count(severity)));
    let fetched = FetchedTable::new(&check.fetched);
    let mut sections = sections(check, several, rows.len());
    sections.extend(fetched.section());
    let page = FindingsPage {
        shell: PageShell::new(),
        headline: headline(check.totals),
        lead: lead(check),
        sections,
        fetched,
        bar: Bar::new(&shares, all),
        refused: check.refused.iter().take(LISTED).map(|(name, why)| (cut(name, SHOWN), cut(why, SHOWN))).collect(),
        documents: if several { documents } else { Vec::new() },
        more: (more > 0).then(|| many(more, "more document", "more documents")),
        rules: broken(check),
        untold: (untold > 0).then(|| many(untold, "more finding", "more findings")),
        several,
        rows,
    };
    write(&page, out)
}

#[derive(Template)]
#[template(path = "findings.html", config = "src/html/askama.toml")]
struct FindingsPage<'f> {
    shell: PageShell,
    headline: String,
    lead: PageLead<'f>,
    sections: Vec<PageSection>,
    fetched: FetchedTable<'f>,
    bar: Bar,
    refused: Vec<(Cow<'f, str>, Cow<'f, str>)>,
    documents: Vec<&'f CheckedDocument<'f>>,
    more: Option<String>,
    rules: Vec<BrokenRule>,
    rows: Vec<BrokenRuleRow<'f>>,
    untold: Option<String>,
    several: bool,
}

/// The document, or how many there are; and what was checked.
struct PageLead<'f> {
    name: Cow<'f, str>,
    says: String,
}

/// A rule that is broken, as bad as it is.
struct BrokenRule {
    rule: &'static Rule,
    severity: &'static str,
    count: String,
    bar: Bar,
    /// Some of its findings are on the page.
    listed: bool,
}

struct BrokenRuleRow<'f> {
    severity: &'static str,
    code: &'static str,
    message: Cow<'f, str>,
    hint: Cow<'f, str>,
    line: u32,
    column: u32,
    path: Option<Cow<'f, str>>,
    /// The path is whole, and worth a copy.
    whole: bool,
    file: Option<Cow<'f, str>>,
    excerpt: Option<MarkedExcerpt<'f>>,
    value: Option<&'f str>,
}

/// A part of the source, with what is at fault in the middle.
struct MarkedExcerpt<'f> {
    before: Cow<'f, str>,
    fault: &'f str,
    behind: Cow<'f, str>,
}

impl<'f> MarkedExcerpt<'f> {
    fn new(excerpt: &'f Excerpt) -> Option<MarkedExcerpt<'f>> {
        let (start, end) = excerpt.mark;
        let part = |from: usize, to: usize| excerpt.text.get(from..to);
        let (before, fault, behind) = (part(0, start)?, part(start, end)?, part(end, excerpt.text.len())?);
        if excerpt.text.trim().is_empty() {
            return None;
        }
        let before = before.trim_start();
        Some(MarkedExcerpt {
            before: if excerpt.cut_before { Cow::Owned(format!("…{before}")) } else { Cow::Borrowed(before) },
            fault,
            behind: if excerpt.cut_after { Cow::Owned(format!("{behind}…")) } else { Cow::Borrowed(behind) },
        })
    }
}

impl<'f> BrokenRuleRow<'f> {
    fn new(
        (document, finding): &'f (usize, Finding),
        check: &'f ValidationResult<'_>,
        several: bool,
    ) -> BrokenRuleRow<'f> {
        let name = check.documents.get(*document).filter(|_| several).map(|document| cut(&document.name, SHOWN));
        BrokenRuleRow {
            severity: finding.severity.name(),
            code: finding.code,
            message: cut(&finding.message, SHOWN),
            hint: cut(&finding.hint, SHOWN),
            line: finding.line,
            column: finding.column,
            path: Some(cut(&finding.path, SHOWN)).filter(|path| !path.is_empty()),
            whole: finding.path.chars().nth(SHOWN).is_none(),
            file: name,
            excerpt: finding.excerpt.as_ref().and_then(MarkedExcerpt::new),
            value: finding.value.as_deref().and_then(link),
        }
    }
}

/// The rules that are broken, the worst and most frequent first.
fn broken(check: &ValidationResult<'_>) -> Vec<BrokenRule> {
    let mut counts: Vec<_> = check.rules.iter().map(|((code, severity), count)| (*severity, *count, *code)).collect();
    counts.sort_by_key(|(severity, count, code)| (Reverse(*severity), Reverse(*count), *code));
    let most = counts.iter().map(|(_, count, _)| *count).max().unwrap_or(0);
    let of = |(severity, count, code): (Severity, u64, &'static str)| {
        Some(BrokenRule {
            rule: rules::by_code(code)?,
            severity: severity.name(),
            count: grouped(count),
            bar: Bar::new(&[(severity.name(), count)], most),
            listed: check.found.iter().any(|(_, finding)| finding.code == code),
        })
    };
    counts.into_iter().filter_map(of).collect()
}

fn lead<'f>(check: &'f ValidationResult<'_>) -> PageLead<'f> {
    let names = |profiles: &[Profile]| match profiles {
        [] => "no rules".to_owned(),
        some => some.iter().map(|profile| profile.name()).collect::<Vec<_>>().join(", "),
    };
    match check.documents.as_slice() {
        [one] if check.untold == 0 && check.refused.is_empty() => PageLead {
            name: cut(&one.name, SHOWN),
            says: format!(
                "{}, checked for {}: {}.",
                cut(one.format, SHOWN),
                names(&one.profiles),
                many(one.entries, "entry", "entries")
            ),
        },
        documents => {
            let mut profiles: Vec<Profile> = documents.iter().flat_map(|one| one.profiles.iter().copied()).collect();
            profiles.sort_unstable();
            profiles.dedup();
            let count = documents.len() as u64 + check.untold;
            let entries = documents.iter().map(|one| one.entries).sum();
            let says = format!("Checked for {}: {}.", names(&profiles), many(entries, "entry", "entries"));
            PageLead { name: Cow::Owned(many(count, "document", "documents")), says }
        }
    }
}

fn sections(check: &ValidationResult<'_>, several: bool, rows: usize) -> Vec<PageSection> {
    let documents = if several { check.documents.len() as u64 + check.untold } else { 0 };
    let found = if rows > 0 { check.totals.sum() } else { 0 };
    let all = [
        ("refused", "Could not be read", check.refused.len() as u64),
        ("rules", "By rule", check.rules.len() as u64),
        ("documents", "Documents", documents),
        ("found", "Findings", found),
    ];
    let there = all.into_iter().filter(|(_, _, count)| *count > 0);
    there.map(|(id, name, count)| PageSection { id, name, count: grouped(count) }).collect()
}

fn headline(totals: FindingTotals) -> String {
    let counts = [
        (totals.error, "error", "errors"),
        (totals.warning, "warning", "warnings"),
        (totals.info, "remark", "remarks"),
    ];
    let said = counts.iter().filter(|(count, ..)| *count > 0).map(|(count, one, more)| many(*count, one, more));
    let said: Vec<String> = said.collect();
    match said.as_slice() {
        [] => "Nothing found".to_owned(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
    }
}
