//! The result of a check: one broken rule at one place. Its display is in the command line.

use serde::{Serialize, Serializer};

use super::{Profile, Severity};

/// One broken rule at one place.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub code: &'static str,
    /// The severity for the strictest profile.
    pub severity: Severity,
    /// That profile; of several, the first.
    pub profile: Profile,
    /// The problem, with the value at fault.
    pub message: String,
    /// The correction.
    pub hint: String,
    /// Line of the leaf, from 1.
    pub line: u32,
    /// Its column in characters, from 1.
    pub column: u32,
    /// The path: the names from the root, attributes with `@`.
    pub path: String,
    /// The entry, from 0; `None` for the document as a whole.
    pub entry: Option<u64>,
    /// The value at fault, at most 200 characters.
    pub value: Option<String>,
    /// Equal in every run while the entry and the rule are unchanged, even if the entry moves; 0 if not requested.
    pub fingerprint: u64,
    /// The source around it, if requested.
    pub excerpt: Option<Excerpt>,
}

impl Finding {
    /// What findings are sorted by.
    pub fn key(&self) -> (u32, &'static str, u32) {
        (self.line, self.code, self.column)
    }
}

/// A finding as programs read it.
#[derive(Serialize)]
pub(crate) struct FindingMembers<'f> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'f str>,
    code: &'static str,
    severity: &'static str,
    profile: &'static str,
    message: &'f str,
    hint: &'f str,
    line: u32,
    column: u32,
    path: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'f str>,
    fingerprint: String,
}

impl<'f> FindingMembers<'f> {
    /// With the name of its file, where there are several.
    pub(crate) fn new(finding: &'f Finding, file: Option<&'f str>) -> FindingMembers<'f> {
        FindingMembers {
            file,
            code: finding.code,
            severity: finding.severity.name(),
            profile: finding.profile.name(),
            message: &finding.message,
            hint: &finding.hint,
            line: finding.line,
            column: finding.column,
            path: &finding.path,
            entry: finding.entry,
            value: finding.value.as_deref(),
            fingerprint: format!("{:016x}", finding.fingerprint),
        }
    }
}

/// As `transfeed validate --format json` writes it.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        FindingMembers::new(self, None).serialize(serializer)
    }
}

/// A part of a line of the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The characters, without the line's end.
    pub text: String,
    /// Bytes of it that are at fault.
    pub mark: (usize, usize),
    /// The line has more text before it.
    pub cut_before: bool,
    /// The line has more text after it.
    pub cut_after: bool,
}

/// How many findings there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FindingTotals {
    /// Errors.
    pub error: u64,
    /// Warnings.
    pub warning: u64,
    /// Infos.
    pub info: u64,
}

impl FindingTotals {
    /// Counts one more, or several.
    pub fn add(&mut self, severity: Severity, count: u64) {
        *match severity {
            Severity::Error => &mut self.error,
            Severity::Warning => &mut self.warning,
            Severity::Info => &mut self.info,
        } += count;
    }

    /// Adds those of another document.
    pub fn merge(&mut self, other: FindingTotals) {
        for severity in Severity::ALL {
            self.add(severity, other.count(severity));
        }
    }

    /// Those of one severity.
    pub fn count(self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Info => self.info,
        }
    }

    /// All of them.
    pub fn sum(self) -> u64 {
        self.error + self.warning + self.info
    }
}

/// Characters of the source that are shown before and behind the place.
const BEFORE: usize = 60;
const BEHIND: usize = 100;

impl Excerpt {
    /// The line of `text` that contains `at`, or the part of it around `at`, with `length` bytes from there marked.
    pub(super) fn around(text: &str, at: usize, length: usize) -> Excerpt {
        let at = floor(text, at.min(text.len()));
        // a document may be one line: no more of it is searched than an excerpt can hold
        let first = floor(text, at.saturating_sub(4 * (BEFORE + 1)));
        let last = floor(text, (at + 4 * (BEHIND + 1)).min(text.len()));
        let start = text[first..at].rfind(['\n', '\r']).map_or(first, |end| first + end + 1);
        let end = text[at..last].find(['\n', '\r']).map_or(last, |end| at + end);
        let from = text[start..at].char_indices().rev().nth(BEFORE - 1).map_or(start, |(near, _)| start + near);
        let to = text[at..end].char_indices().nth(BEHIND).map_or(end, |(far, _)| at + far);
        let stop = floor(text, (at + length.max(1)).min(to)).max(at);
        let (text, cut) = (&text[from..to], (from > start, to < end));
        Excerpt { text: text.to_owned(), mark: (at - from, stop - from), cut_before: cut.0, cut_after: cut.1 }
    }
}

/// The last boundary of a character that is not behind this place.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_a_window_of_one_line() {
        let found = Excerpt::around("a\n  <b>х</b>\nc", 4, 3);
        let expected = Excerpt { text: "  <b>х</b>".into(), mark: (2, 5), cut_before: false, cut_after: false };
        assert_eq!(found, expected);
        let long = "ю".repeat(1000);
        let found = Excerpt::around(&long, 1001, 500);
        assert_eq!(found.text.chars().count(), BEFORE + BEHIND);
        assert!(found.cut_before && found.cut_after);
        assert_eq!(found.mark.0, BEFORE * 2);
        assert_eq!(Excerpt::around("", 7, 7), Excerpt::default());
        assert_eq!(Excerpt::around("a\n", 2, 1).text, "");
    }
}
