//! The books as a report: JSON with totals and rows, and a table for people. It only shows; it counts nothing.

use std::borrow::Cow;
use std::io::Write as _;

use serde::Serialize;

use crate::code::Code;
use crate::convert::{SourceInfo, Summary};
use crate::format::Format;
use crate::ledger::{Diagnostic, Example, Ledger, Row, Totals};
use crate::text::many;

/// What the target was.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Target {
    /// Its name.
    format: &'static str,
    /// Whose rules were applied: `google`, `yandex` or `none`.
    profile: &'static str,
}

/// All values of one field that met the same fate.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Rows<'r> {
    /// `lost`, `changed`, `merged`, `unread` or `made`.
    kind: &'static str,
    /// What happened, exactly.
    code: &'static str,
    /// `error`, `warning` or `info`.
    severity: &'static str,
    /// `attention`, `unsupported` or `technical`.
    class: &'static str,
    /// The model's name of the field.
    field: &'static str,
    /// The element or attribute in the source, where the field is that of many.
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<&'r str>,
    /// The name of the reason, which `transfeed explain` explains.
    reason: &'static str,
    /// The reason.
    why: &'static str,
    /// How many values.
    count: u64,
    /// The first ten of them.
    examples: &'r [Example],
}

/// What a conversion kept, changed and lost.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Report<'r> {
    /// What was read; several inputs are one.
    source: &'r SourceInfo,
    /// What was written.
    target: Target,
    /// The sums.
    totals: Totals,
    /// What became of values that are not in the output as they were.
    rows: Vec<Rows<'r>>,
    /// Repairs of the input, errors first: the first 10,000, and the first ten of each code.
    diagnostics: Vec<&'r Diagnostic>,
}

/// The report as one JSON document.
///
/// # Errors
/// What `out` says.
pub fn json(
    summary: &Summary,
    target: &'static Format,
    profile: &'static str,
    out: &mut dyn std::io::Write,
) -> std::io::Result<()> {
    let source = source(summary);
    let rows = summary.ledger.rows().into_iter().map(|row| Rows {
        kind: row.kind.name(),
        code: row.code().name(),
        severity: row.severity().name(),
        class: row.class().name(),
        field: row.field,
        element: row.element.as_deref(),
        reason: row.reason.name(),
        why: row.why(),
        count: row.count,
        examples: &row.examples,
    });
    let report = Report {
        source: &source,
        target: Target { format: target.id, profile },
        totals: summary.ledger.totals(),
        rows: rows.collect(),
        diagnostics: summary.ledger.worst_first(),
    };
    // it is made of thousands of small pieces
    let mut out = std::io::BufWriter::new(out);
    serde_json::to_writer_pretty(&mut out, &report)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// The last line of a report of every occurrence.
///
/// # Errors
/// What `out` says.
pub fn last_line(summary: &Summary, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    #[derive(Serialize)]
    struct Last {
        totals: Totals,
    }
    serde_json::to_writer(&mut *out, &Last { totals: summary.ledger.totals() })?;
    out.write_all(b"\n")
}

/// Several inputs are one source in the report.
pub(crate) fn source(summary: &Summary) -> SourceInfo {
    let join = |part: fn(&SourceInfo) -> &str| {
        let mut parts: Vec<&str> = summary.sources.iter().map(part).collect();
        parts.dedup();
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    };
    SourceInfo {
        name: join(|source| &source.name),
        format: join(|source| &source.format),
        encoding: join(|source| &source.encoding),
        dialect: join(|source| &source.dialect),
    }
}

/// How much of the report a text shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// At most 20 lines.
    Summary,
    /// All rows; repairs of which there are many by their code.
    Table,
    /// All rows and all repairs.
    Whole,
}

/// Characters that a terminal obeys, shown rather than obeyed (control characters, bidi marks, zero-width ones).
pub fn tame(text: &str) -> String {
    let mut tamed = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' | '\r' => tamed.push(' '),
            c if unseen(c) => tamed.extend(c.escape_unicode()),
            c => tamed.push(c),
        }
    }
    tamed
}

/// What is obeyed or not seen at all: controls, marks of direction, characters without width, tags.
pub(crate) fn unseen(c: char) -> bool {
    let hidden = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    hidden || c.is_control()
}

/// JSON in which characters that a terminal obeys, or nobody sees, are escaped: it says the same to a program.
struct Visible;

impl serde_json::ser::Formatter for Visible {
    fn write_string_fragment<W: ?Sized + std::io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> std::io::Result<()> {
        write_visible(out, fragment)
    }
}

/// Writes a value as JSON on one line, such characters escaped.
///
/// # Errors
/// What `out` says.
pub(crate) fn write_json(out: impl std::io::Write, value: &(impl Serialize + ?Sized)) -> std::io::Result<()> {
    Ok(value.serialize(&mut serde_json::Serializer::with_formatter(out, Visible))?)
}

/// Writes JSON as it is but for such characters. All of them stand in strings, except the line feeds between values.
///
/// # Errors
/// What `out` says.
pub(crate) fn write_visible<W: ?Sized + std::io::Write>(out: &mut W, json: &str) -> std::io::Result<()> {
    let mut rest = json;
    while let Some((at, c)) = rest.char_indices().find(|(_, c)| *c != '\n' && unseen(*c)) {
        out.write_all(&rest.as_bytes()[..at])?;
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}")?;
        }
        rest = &rest[at + c.len_utf8()..];
    }
    out.write_all(rest.as_bytes())
}

/// The report as text: one line a row, the worst first, and a last line that sums up.
pub fn text(summary: &Summary, target: &Format, detail: Detail) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut rows = summary.ledger.rows();
    rows.sort_by_key(|row| (row.severity(), row.kind));
    let room = match detail {
        Detail::Summary => 16,
        Detail::Table | Detail::Whole => usize::MAX,
    };
    let rows = match detail {
        Detail::Summary => by_object(rows),
        Detail::Table | Detail::Whole => rows.into_iter().map(Cow::Borrowed).collect(),
    };
    let wide = rows.iter().take(room).map(|row| row.name().chars().count()).max().unwrap_or(0);
    lines.extend(rows.iter().take(room).map(|row| row_line(row, wide)));
    if rows.len() > room {
        let rest: u64 = rows[room..].iter().map(|row| row.count).sum();
        let more = many((rows.len() - room) as u64, "more row", "more rows");
        let values = many(rest, "value", "values");
        lines.push(format!("… and {more} ({values}); --report FILE.json lists them, --report - shows all"));
    }
    lines.extend(diagnostics(&summary.ledger, detail));
    lines.push(last_sentence(summary, target));
    lines.join("\n") + "\n"
}

/// What a whole object was dropped for is one line of a summary, not one for each of its fields.
fn by_object(rows: Vec<&Row>) -> Vec<Cow<'_, Row>> {
    let mut shown: Vec<Cow<'_, Row>> = Vec::new();
    for row in rows {
        let object = match row.code() {
            Code::VideoDropped => "values of a video",
            Code::RenditionDropped => "values of a file",
            Code::EntryDropped | Code::PageMissing if row.field != "entry" => "values of an entry",
            _ => {
                shown.push(Cow::Borrowed(row));
                continue;
            }
        };
        let same = |other: &&mut Cow<'_, Row>| {
            other.name() == object && other.code() == row.code() && other.why() == row.why()
        };
        match shown.iter_mut().find(same) {
            Some(sum) => sum.to_mut().count += row.count,
            None => shown.push(Cow::Owned(Row { field: object, element: None, ..row.clone() })),
        }
    }
    shown
}

fn row_line(row: &Row, wide: usize) -> String {
    let places = row.examples.iter().filter_map(|example| Some((example.input.as_deref(), example.line?.to_string())));
    let places = places_of(places);
    let lines = match places.as_slice() {
        [] => String::new(),
        [line] => format!(", line {line}"),
        [first @ .., _] if first.len() >= PLACES => format!(", lines {} …", first[..PLACES].join(" ")),
        all => format!(", lines {}", all.join(" ")),
    };
    let example = row.examples.first();
    let quoted = |text: &str| {
        let tame = tame(text);
        let cut: String = tame.chars().take(48).collect();
        if cut.len() < tame.len() { format!("\"{cut}…\"") } else { format!("\"{cut}\"") }
    };
    let from = example.and_then(|example| example.from.as_deref()).map(quoted);
    let to = example.and_then(|example| example.to.as_deref()).map(quoted);
    let value = match (from, to) {
        (Some(from), Some(to)) if from != to => format!(", e.g. {from} → {to}"),
        (Some(value), _) | (None, Some(value)) => format!(", e.g. {value}"),
        (None, None) => String::new(),
    };
    let (kind, field, count, why) = (row.kind.name(), tame(row.name()), row.count, row.why());
    format!("{kind:<8}{field:<wide$}  ×{count} ({why}{lines}{value})")
}

/// Repairs, errors first: grouped by code with their first places, or each in a line. In a table those are grouped that
/// are many; where all are shown and are more than a screen, a line for each code follows.
fn diagnostics(ledger: &Ledger, detail: Detail) -> Vec<String> {
    let all = ledger.worst_first();
    let groups = groups(&all);
    let counted: u64 = groups.iter().map(|group| ledger.diagnostics_of(group[0].code)).sum();
    let many = |group: &[&Diagnostic]| ledger.diagnostics_of(group[0].code) > PLACES as u64;
    let mut lines: Vec<String> = match detail {
        Detail::Whole if counted > SCREEN => {
            let each = all.iter().map(|diagnostic| diagnostic_line(diagnostic));
            each.chain(groups.iter().map(|group| group_line(group, ledger))).collect()
        }
        Detail::Whole => all.iter().map(|diagnostic| diagnostic_line(diagnostic)).collect(),
        Detail::Summary | Detail::Table => {
            let lines = groups.iter().flat_map(|group| match detail == Detail::Summary || many(group) {
                true => vec![group_line(group, ledger)],
                false => group.iter().map(|diagnostic| diagnostic_line(diagnostic)).collect(),
            });
            lines.collect()
        }
    };
    let rest = ledger.diagnostics_seen().saturating_sub(counted);
    if rest > 0 {
        lines.push(format!("… and {}", crate::text::many(rest, "more repair", "more repairs")));
    }
    lines
}

fn diagnostic_line(diagnostic: &Diagnostic) -> String {
    let Diagnostic { input, code, severity, line, column, found, done } = diagnostic;
    let input = input.as_deref().map_or(String::new(), |input| format!("{}, ", tame(input)));
    format!("{severity:<8}{code}  {input}line {line}, column {column}: {}; {}", tame(found), tame(done))
}

/// Places in a row; where there are several inputs, the first of each one's says whose it is.
fn places_of<'p>(places: impl Iterator<Item = (Option<&'p str>, String)>) -> Vec<String> {
    let mut last = None;
    let mut all: Vec<(Option<&str>, String)> = places.collect();
    all.dedup();
    let shown = all.into_iter().map(|(input, place)| match input {
        Some(name) if last.replace(name) != Some(name) => format!("{}:{place}", tame(name)),
        _ => place,
    });
    shown.collect()
}

/// The first repairs of each code, in the order of their first ones.
fn groups<'d>(all: &[&'d Diagnostic]) -> Vec<Vec<&'d Diagnostic>> {
    let mut groups: Vec<Vec<&Diagnostic>> = Vec::new();
    for diagnostic in all {
        match groups.iter_mut().find(|group| group[0].code == diagnostic.code) {
            Some(group) if group.len() < PLACES => group.push(diagnostic),
            Some(_) => (),
            None => groups.push(vec![diagnostic]),
        }
    }
    groups
}

/// So many places stand in the line of a code.
const PLACES: usize = 5;

/// So many repairs fit on a screen.
const SCREEN: u64 = 20;

fn group_line(group: &[&Diagnostic], ledger: &Ledger) -> String {
    let places = group.iter().map(|found| (found.input.as_deref(), format!("{}:{}", found.line, found.column)));
    let places = places_of(places);
    let Some(Diagnostic { code, severity, found, done, .. }) = group.first() else { return String::new() };
    let count = ledger.diagnostics_of(code);
    let more = if count > group.len() as u64 { " …" } else { "" };
    let others = if group.iter().any(|other| other.found != *found) { "; and others" } else { "" };
    let (places, found, done) = (places.join(" "), tame(found), tame(done));
    format!("{severity:<8}{code}  ×{count} ({places}{more}: {found}; {done}{others})")
}

/// The run in one sentence.
pub fn last_sentence(summary: &Summary, target: &Format) -> String {
    let totals = summary.ledger.totals();
    let entries = summary.entries;
    let source = source(summary);
    let dialect = if source.dialect.is_empty() { String::new() } else { format!(" ({})", source.dialect) };
    let mut says = format!(
        "{}{dialect} → {}: {}, {}: {} kept, {} changed, {} lost, {} unread, {} merged; {} made",
        source.format,
        target.id,
        many(entries, "entry", "entries"),
        many(totals.leaves, "value", "values"),
        totals.kept,
        totals.changed,
        totals.lost,
        totals.unread,
        totals.merged,
        totals.made,
    );
    if summary.dropped > 0 {
        says.push_str(&format!("; {} could not be written", many(summary.dropped, "entry", "entries")));
    }
    says
}
