//! The page of a conversion: what became of its values, field by field, with examples, and what was repaired.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use askama::Template;

use super::bar::Bar;
use super::escape::{cut, grouped, link, many};
use super::{LISTED, SHOWN, Section, Shell, write};
use crate::code::LossKind;
use crate::convert::Summary;
use crate::format::Format;
use crate::ledger::{Diagnostic, Example, Ledger, Row, Totals};
use crate::model::Field;
use crate::report;

/// Writes the page of a conversion. `beside` are the names of reports that list what the page only counts.
///
/// # Errors
/// What `out` says.
pub fn losses(
    summary: &Summary,
    target: &'static Format,
    profile: &'static str,
    beside: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let ledger = &summary.ledger;
    let totals = ledger.totals();
    let mut rows = ledger.rows();
    rows.sort_by_key(|row| (row.severity(), row.kind));
    let unlisted = rows.len().saturating_sub(LISTED);
    let mut room = LISTED;
    let rows: Vec<Finding<'_>> = rows.into_iter().take(LISTED).map(|row| Finding::of(row, &mut room)).collect();
    let repairs: Vec<Repair<'_>> = ledger.worst_first().into_iter().take(LISTED).map(Repair::of).collect();
    let fields = fields(ledger);
    let sections = sections(&fields, &rows, ledger);
    let page = Losses {
        shell: Shell::new(),
        headline: headline(&totals),
        lead: lead(summary, target, profile),
        source: source(summary),
        target: target.title,
        sections,
        bar: Bar::of(&totals),
        made: (totals.made > 0).then(|| many(totals.made, "value was", "values were")),
        leaves: grouped(totals.leaves),
        dropped: (summary.objects.dropped > 0).then(|| many(summary.objects.dropped, "entry", "entries")),
        fields,
        unlisted: (unlisted > 0).then(|| many(unlisted as u64, "more row", "more rows")),
        rows,
        unlisted_repairs: rest(ledger, repairs.len()),
        repairs,
        beside,
    };
    write(&page, out)
}

#[derive(Template)]
#[template(path = "losses.html", config = "src/html/askama.toml")]
struct Losses<'r> {
    shell: Shell,
    headline: String,
    lead: String,
    source: String,
    target: &'static str,
    sections: Vec<Section>,
    bar: Bar,
    made: Option<String>,
    leaves: String,
    dropped: Option<String>,
    fields: Vec<FieldRow<'r>>,
    rows: Vec<Finding<'r>>,
    unlisted: Option<String>,
    repairs: Vec<Repair<'r>>,
    unlisted_repairs: Option<String>,
    beside: &'r [String],
}

/// What became of the values of one field.
struct FieldRow<'r> {
    name: Cow<'r, str>,
    totals: Totals,
    bar: Bar,
    /// Whether anything happened to it that has a row of its own.
    found: bool,
}

impl FieldRow<'_> {
    fn cells(&self) -> [(&'static str, u64); 6] {
        let Totals { leaves: _, kept, changed, lost, unread, merged, made } = self.totals;
        [("kept", kept), ("changed", changed), ("merged", merged), ("unread", unread), ("lost", lost), ("made", made)]
    }
}

/// A row of the report.
struct Finding<'r> {
    row: &'r Row,
    name: Cow<'r, str>,
    count: String,
    places: Vec<Place<'r>>,
    /// What the closed list of examples says of itself.
    lines: String,
    /// The beginning of the first value.
    preview: Option<Cow<'r, str>>,
}

/// An example.
pub(super) struct Place<'r> {
    pub(super) input: Option<Cow<'r, str>>,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
    pub(super) path: Option<Cow<'r, str>>,
    /// A path that was cut is not worth copying.
    pub(super) whole: bool,
    pub(super) from: Option<Value<'r>>,
    pub(super) to: Option<Value<'r>>,
}

pub(super) struct Value<'r> {
    pub(super) text: &'r str,
    pub(super) link: Option<&'r str>,
}

impl<'r> Value<'r> {
    fn of(text: &'r str) -> Value<'r> {
        Value { text, link: link(text) }
    }
}

impl<'r> Finding<'r> {
    /// Takes as many examples as there is room for on the page.
    fn of(row: &'r Row, room: &mut usize) -> Finding<'r> {
        let places: Vec<Place<'r>> = row.examples.iter().take(*room).map(Place::of).collect();
        *room -= places.len();
        let mut lines: Vec<u32> = places.iter().filter_map(|place| place.line).collect();
        lines.dedup();
        let shown: Vec<String> = lines.iter().take(6).map(u32::to_string).collect();
        let more = if row.count > shown.len() as u64 { " …" } else { "" };
        let lines = match lines.len() {
            0 => "examples".to_owned(),
            1 => format!("line {}{more}", shown[0]),
            _ => format!("lines {}{more}", shown.join(", ")),
        };
        let first = row.examples.first().and_then(|example| example.from.as_deref().or(example.to.as_deref()));
        let preview = first.map(|value| cut(value, 60));
        Finding { row, name: cut(row.name(), SHOWN), count: grouped(row.count), places, lines, preview }
    }
}

impl<'r> Place<'r> {
    pub(super) fn of(example: &'r Example) -> Place<'r> {
        let Example { input, entry: _, line, column, path, from, to } = example;
        let shown = path.as_deref().map(|path| cut(path, SHOWN));
        Place {
            input: input.as_deref().map(|input| cut(input, SHOWN)),
            line: *line,
            column: *column,
            whole: shown == path.as_deref().map(Cow::Borrowed),
            path: shown,
            from: from.as_deref().map(Value::of),
            to: to.as_deref().map(Value::of),
        }
    }
}

/// A repair of the input.
pub(super) struct Repair<'r> {
    pub(super) severity: &'static str,
    pub(super) code: &'static str,
    pub(super) input: Option<Cow<'r, str>>,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) found: Cow<'r, str>,
    pub(super) done: Cow<'r, str>,
}

impl<'r> Repair<'r> {
    pub(super) fn of(diagnostic: &'r Diagnostic) -> Repair<'r> {
        let Diagnostic { input, code, severity, line, column, found, done } = diagnostic;
        let (found, done) = (cut(found, SHOWN), cut(done, SHOWN));
        let input = input.as_deref().map(|input| cut(input, SHOWN));
        Repair { severity, code, input, line: *line, column: *column, found, done }
    }
}

/// The run in one sentence, as somebody would say it who had one breath for it.
fn headline(totals: &Totals) -> String {
    let Totals { leaves, kept, changed, lost, unread, merged, made: _ } = *totals;
    let of = |count: u64, what: &str| {
        let verb = if count == 1 { "was" } else { "were" };
        format!("{} of {} {verb} {what}", grouped(count), many(leaves, "value", "values"))
    };
    match (lost, unread, changed, merged) {
        _ if leaves == 0 => "There was no value to convert".to_owned(),
        _ if lost > 0 => of(lost, "lost"),
        (_, 1.., ..) => format!("Nothing was lost; {}", of(unread, "not understood")),
        (_, _, 1.., _) => format!("Nothing was lost; {}", of(changed, "changed")),
        (_, _, _, 1..) => format!("Nothing was lost; {}", of(merged, "merged with another")),
        _ if kept == 1 => "The only value was kept".to_owned(),
        _ => format!("All {} values were kept", grouped(kept)),
    }
}

fn source(summary: &Summary) -> String {
    let source = report::source(summary);
    let name = if source.name == "-" { "standard input" } else { &source.name };
    cut(name, SHOWN).into_owned()
}

/// What was converted to what.
fn lead(summary: &Summary, target: &Format, profile: &str) -> String {
    let source = report::source(summary);
    let dialect = if source.dialect.is_empty() { String::new() } else { format!(" of {}", source.dialect) };
    let rules = if profile == "none" { String::new() } else { format!(", by the rules of {profile}") };
    let entries = many(summary.objects.entries, "entry", "entries");
    cut(&format!("{entries} of {}{dialect} ({}) became {}{rules}.", source.format, source.encoding, target.id), 2000)
        .into_owned()
}

fn sections(fields: &[FieldRow<'_>], rows: &[Finding<'_>], ledger: &Ledger) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut add = |id, name, count: u64| {
        if count > 0 {
            sections.push(Section { id, name, count: grouped(count) });
        }
    };
    add("fields", "By field", fields.len() as u64);
    add("losses", "What happened", rows.len() as u64);
    add("repairs", "Repairs of the input", ledger.diagnostics_seen());
    sections
}

fn rest(ledger: &Ledger, listed: usize) -> Option<String> {
    let rest = ledger.diagnostics_seen().saturating_sub(listed as u64);
    (rest > 0).then(|| many(rest, "more repair", "more repairs"))
}

/// All fields that had values, those that lost most first.
fn fields(ledger: &Ledger) -> Vec<FieldRow<'_>> {
    let mut names: Vec<&str> = Vec::new();
    let mut sums: HashMap<&str, Totals> = HashMap::new();
    let mut sum = |name, kind: Option<LossKind>, count: u64| {
        let sums = sums.entry(name).or_insert_with(|| {
            names.push(name);
            Totals::default()
        });
        let part = match kind {
            None => &mut sums.kept,
            Some(LossKind::Lost) => &mut sums.lost,
            Some(LossKind::Changed) => &mut sums.changed,
            Some(LossKind::Unread) => &mut sums.unread,
            Some(LossKind::Merged) => &mut sums.merged,
            Some(LossKind::Made) => &mut sums.made,
        };
        *part += count;
        if kind != Some(LossKind::Made) {
            sums.leaves += count;
        }
    };
    for (name, count) in ledger.kept_by_name() {
        sum(name, None, count);
    }
    for row in ledger.rows() {
        sum(row.name(), Some(row.kind), row.count);
    }
    let order: HashMap<&str, usize> = Field::ALL.iter().enumerate().map(|(at, field)| (field.name(), at)).collect();
    let mut rows: Vec<FieldRow<'_>> = names.into_iter().map(|name| field_row(name, &sums)).collect();
    rows.sort_by_key(|row| {
        let Totals { lost, unread, changed, .. } = row.totals;
        (std::cmp::Reverse((lost, unread, changed)), order.get(&*row.name).copied())
    });
    rows
}

fn field_row<'r>(name: &'r str, sums: &HashMap<&str, Totals>) -> FieldRow<'r> {
    let totals = sums.get(name).copied().unwrap_or_default();
    let found = totals.leaves > totals.kept || totals.made > 0;
    FieldRow { name: cut(name, SHOWN), totals, bar: Bar::of(&totals), found }
}
