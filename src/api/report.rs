//! The report on the values of a document, for users of the library. Counts are in ledger/, texts in report.rs.

use std::fmt;
use std::io;

use serde::{Serialize, Serializer};

use crate::code::{Code, LossKind, Severity};
use crate::convert::Summary;
use crate::format::Format;
use crate::ledger::{self, Totals};
use crate::report;

/// The report on every value of a written document.
///
/// ```
/// use transfeed::{Entry, Document, Target};
///
/// let mut document = Document::default();
/// document.entries.push(Entry { title: Some("A".into()), ..Entry::at("https://example.com/a") });
/// let (list, report) = document.write(Target::TEXT)?;
/// assert_eq!(list, b"https://example.com/a\n");
///
/// let losses: Vec<String> = report.losses().map(|loss| loss.to_string()).collect();
/// assert_eq!(losses, ["title \"A\" (set by the caller): lost, no element in a text sitemap (no_carrier)"]);
/// let sums = report.totals();
/// assert_eq!((sums.leaves, sums.kept, sums.lost), (2, 1, 1));
/// # Ok::<(), transfeed::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Report {
    summary: Summary,
    target: &'static Format,
    profile: &'static str,
    notes: Vec<Loss>,
}

/// The loss or change of one value.
///
/// Its `Display` is a line: field, value, place, kind, reason, and code.
/// With serde it has the members of a line that `transfeed convert --report FILE.jsonl` writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// The kind, one of five.
    pub kind: LossKind,
    /// The code.
    pub code: Code,
    /// The field: `video.file.bitrate`. The names are those of the structs, with a few names for lists.
    pub field: String,
    /// The reason, for people.
    pub reason: String,
    /// The name of the input, if there are several.
    pub input: Option<String>,
    /// Number of the entry in its source, from 0; absent for the head.
    pub entry: Option<u64>,
    /// Line in the source, from 1; absent for a value that the caller set.
    pub line: Option<u32>,
    /// Column in the source, from 1, in characters.
    pub column: Option<u32>,
    /// Its path: `rss/channel/item/media:content/@bitrate`.
    pub path: Option<String>,
    /// The value in the source, or as the caller set it.
    pub value: Option<String>,
    /// The value in the output.
    pub written: Option<String>,
}

/// The number of values of one field with the same loss or change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The kind, one of five.
    pub kind: LossKind,
    /// The code.
    pub code: Code,
    /// The field.
    pub field: String,
    /// The reason, for people.
    pub reason: String,
    /// The number of values.
    pub count: u64,
}

/// A repaired problem of a document.
///
/// ```
/// let document = transfeed::read(b"<rss version='2.0'><channel><item><title>Fish & chips</title></item></channel></rss>")?;
/// assert_eq!(document.entries[0].title.as_ref().unwrap(), "Fish & chips");
/// assert_eq!(document.diagnostics[0].code, "xml.ampersand");
/// assert_eq!(document.diagnostics[0].line, 1);
/// # Ok::<(), transfeed::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code; docs/repairs.md of the repository lists all codes.
    pub code: &'static str,
    /// Whether data was lost.
    pub is_error: bool,
    /// The name of the input, if there are several.
    pub input: Option<String>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters.
    pub column: u32,
    /// The problem.
    pub found: String,
    /// The repair.
    pub done: String,
}

/// A line of the books.
#[derive(serde::Deserialize)]
struct ReportLine {
    kind: String,
    code: String,
    field: String,
    why: String,
    input: Option<String>,
    entry: Option<u64>,
    line: Option<u32>,
    column: Option<u32>,
    path: Option<String>,
    from: Option<String>,
    to: Option<String>,
}

/// A loss as programs read it.
#[derive(Serialize)]
struct LossMembers<'l> {
    kind: &'static str,
    code: &'static str,
    severity: &'static str,
    field: &'l str,
    why: &'l str,
    #[serde(flatten)]
    place: ledger::Example,
}

impl Serialize for Loss {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Loss { kind, code, field, reason, input, entry, line, column, path, value, written } = self.clone();
        let place = ledger::Example { input, entry, line, column, path, from: value, to: written, is_beside: false };
        let (kind, code, severity) = (kind.name(), code.name(), self.severity().name());
        LossMembers { kind, code, severity, field: &field, why: &reason, place }.serialize(serializer)
    }
}

/// A row as programs read it.
#[derive(Serialize)]
struct RowMembers<'r> {
    kind: &'static str,
    code: &'static str,
    severity: &'static str,
    field: &'r str,
    why: &'r str,
    count: u64,
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Row { kind, code, field, reason, count } = self;
        let severity = Severity::from_code(*kind, *code).name();
        let (kind, code) = (kind.name(), code.name());
        RowMembers { kind, code, severity, field, why: reason, count: *count }.serialize(serializer)
    }
}

/// With the members of a repair in a report.
impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Diagnostic { code, is_error, input, line, column, found, done } = self.clone();
        let severity = if is_error { "error" } else { "warning" };
        ledger::Diagnostic { input, code, severity, line, column, found, done }.serialize(serializer)
    }
}

impl Report {
    /// With all occurrences of these lines, otherwise the examples of the rows.
    pub(super) fn from_summary(
        summary: Summary,
        target: &'static Format,
        profile: &'static str,
        lines: Option<&[u8]>,
    ) -> Report {
        let notes = match lines {
            Some(lines) => parse_lines(lines),
            None => shown(&summary.ledger),
        };
        Report { summary, target, profile, notes }
    }

    /// The values that are not in the output. For a [`Conversion`](crate::Conversion), which uses constant memory, up to
    /// ten for each row.
    pub fn losses(&self) -> impl Iterator<Item = &Loss> {
        self.notes.iter().filter(|note| note.is_loss())
    }

    /// All reported values: those of [`Report::losses`], and those that were changed, merged or generated.
    pub fn notes(&self) -> impl Iterator<Item = &Loss> {
        self.notes.iter()
    }

    /// The same as totals: values of one field with the same loss or change.
    pub fn rows(&self) -> Vec<Row> {
        let row = |row: &ledger::Row| Row {
            kind: row.kind,
            code: row.code(),
            field: row.field.to_owned(),
            reason: row.why().to_owned(),
            count: row.count,
        };
        self.summary.ledger.rows().into_iter().map(row).collect()
    }

    /// The totals: `leaves = kept + changed + lost + unread + merged`.
    pub fn totals(&self) -> Totals {
        self.summary.ledger.totals()
    }

    /// The problems of the documents, at most 10,000.
    pub fn diagnostics(&self) -> impl Iterator<Item = Diagnostic> {
        self.summary.ledger.diagnostics().iter().map(Diagnostic::from_ledger)
    }

    /// Entries, including those that the caller removed.
    pub fn entries(&self) -> u64 {
        self.summary.objects.entries
    }

    /// Entries that could not be written.
    pub fn dropped(&self) -> u64 {
        self.summary.objects.dropped
    }

    /// Writes the report that `transfeed convert --report FILE.json` writes.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write_json(&self, mut out: impl io::Write) -> io::Result<()> {
        report::json(&self.summary, self.target, self.profile, &mut out)
    }
}

/// The table that `transfeed convert` prints.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&report::text(&self.summary, self.target, &report::TextOptions::plain(report::ReportDetail::Table)))
    }
}

/// The report that `transfeed convert --report FILE.json` writes.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        report::ConversionReport::new(&self.summary, self.target, self.profile).serialize(serializer)
    }
}

/// The notes in lines of JSON.
fn parse_lines(lines: &[u8]) -> Vec<Loss> {
    let read = serde_json::Deserializer::from_slice(lines).into_iter::<ReportLine>();
    read.filter_map(Result::ok).filter_map(Loss::from_line).collect()
}

/// The examples of the rows.
pub(crate) fn shown(books: &ledger::Ledger) -> Vec<Loss> {
    let mut notes = Vec::new();
    for row in books.rows() {
        notes.extend(row.examples.iter().map(|example| Loss {
            kind: row.kind,
            code: row.code(),
            field: row.field.to_owned(),
            reason: row.why().to_owned(),
            input: example.input.clone(),
            entry: example.entry,
            line: example.line,
            column: example.column,
            path: example.path.clone(),
            value: example.from.clone(),
            written: example.to.clone(),
        }));
    }
    notes
}

impl Loss {
    fn from_line(line: ReportLine) -> Option<Loss> {
        let ReportLine { kind, code, field, why, input, entry, line, column, path, from, to } = line;
        Some(Loss {
            kind: LossKind::by_name(&kind)?,
            code: Code::by_name(&code)?,
            field,
            reason: why,
            input,
            entry,
            line,
            column,
            path,
            value: from,
            written: to,
        })
    }

    /// Whether the value is not in the output.
    pub fn is_loss(&self) -> bool {
        match self.kind {
            LossKind::Lost => true,
            LossKind::Unread => self.code != Code::ForeignKept,
            LossKind::Changed | LossKind::Merged | LossKind::Made => false,
        }
    }

    /// The severity.
    pub fn severity(&self) -> Severity {
        Severity::from_code(self.kind, self.code)
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.field)?;
        if let Some(value) = &self.value {
            write!(f, " {:?}", report::make_visible(value))?;
        }
        match (self.line, self.column) {
            (Some(line), column) => {
                f.write_str(" (")?;
                if let Some(input) = &self.input {
                    write!(f, "{input}:")?;
                }
                write!(f, "{line}:{}", column.unwrap_or(1))?;
                if let Some(path) = &self.path {
                    write!(f, " {path}")?;
                }
                f.write_str(")")?;
            }
            (None, _) if self.kind != LossKind::Made => f.write_str(" (set by the caller)")?,
            (None, _) => (),
        }
        write!(f, ": {}, {} ({})", self.kind.name(), self.reason, self.code.name())?;
        match &self.written {
            Some(written) => write!(f, ": {:?}", report::make_visible(written)),
            None => Ok(()),
        }
    }
}

impl Diagnostic {
    pub(super) fn from_ledger(diagnostic: &ledger::Diagnostic) -> Diagnostic {
        Diagnostic {
            code: diagnostic.code,
            is_error: diagnostic.severity == "error",
            input: diagnostic.input.clone(),
            line: diagnostic.line,
            column: diagnostic.column,
            found: diagnostic.found.clone(),
            done: diagnostic.done.clone(),
        }
    }
}

/// A line: place, code, problem, repair.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(input) = &self.input {
            write!(f, "{input}:")?;
        }
        let Diagnostic { line, column, code, .. } = self;
        write!(f, "{line}:{column}: {code}: {}; {}", report::make_visible(&self.found), self.done)
    }
}
