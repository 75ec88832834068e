//! The page of a conversion: how many objects were written, what needs attention, then the other losses by their causes,
//! values and repairs last. It shows the findings of the text report (report/text.rs) in the same order.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use askama::Template;

use super::bar::Bar;
use super::escape::{cut, grouped, link, many};
use super::fetched::FetchedTable;
use super::{LISTED, PageSection, PageShell, SHOWN, write};
use crate::code::{Class, LossKind};
use crate::convert::{DropGroup, DroppedKind, DroppedObject, Objects, Publication, Summary};
use crate::format::Format;
use crate::ledger::{Diagnostic, Example, Ledger, Row, Totals};
use crate::model::Field;
use crate::report::{self, FindingSubject};

/// Writes the page of a conversion. `beside` are the names of reports that list what the page only counts.
///
/// # Errors
/// An error of `out`.
pub fn losses(
    summary: &Summary,
    target: &'static Format,
    profile: &'static str,
    beside: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let ledger = &summary.ledger;
    let totals = ledger.totals();
    let mut room = ListingRoom { rows: LISTED, places: LISTED, tables: 0 };
    let mut attention: Vec<FindingRow<'_>> =
        report::findings(summary).into_iter().map(|found| FindingRow::new(found, summary, &mut room)).collect();
    let more = attention.split_off(attention.len().min(POINTS));
    let mut causes: Vec<FoldedRows<'_>> =
        report::causes(summary, target).into_iter().map(|cause| FoldedRows::new(cause, &mut room)).collect();
    causes.extend(FoldedRows::of_objects(ledger, &mut room));
    let others = summary.drops.groups().iter().filter(|group| group.reason.class() != Class::Attention);
    let left_out = others.map(|group| FindingRow::new(report::dropped_group(group), summary, &mut room)).collect();
    let listed = attention.iter().chain(&more).map(|point| point.rows.len()).sum::<usize>()
        + causes.iter().map(|cause| cause.rows.len()).sum::<usize>();
    let unlisted = (ledger.rows().len() as u64).saturating_sub(listed as u64);
    let repairs: Vec<RepairRow<'_>> = ledger.worst_first().into_iter().take(LISTED).map(RepairRow::new).collect();
    let fields = fields(ledger);
    let missed = ledger.rows().into_iter().filter(|row| is_missed(row)).map(|row| row.count).sum();
    let fetched = FetchedTable::new(&summary.fetched);
    let notes = summary.enrichment.as_ref().map(|found| report::enrichment_notes(found, true)).unwrap_or_default();
    let mut sections = sections(summary, (attention.len() + more.len(), causes.len(), fields.len()));
    sections.extend(PageSection::filled([("notes", "Notes", notes.len() as u64)]));
    sections.extend(fetched.section());
    let page = LossesPage {
        shell: PageShell::new(),
        headline: unpublished(summary).unwrap_or_else(|| headline(summary)),
        gates: gates(summary),
        says: report::headline(summary, target, None),
        lead: lead(summary, target, profile),
        source: source(summary),
        target: target.title,
        sections,
        values: report::values(summary, target, None),
        bar: Bar::from_totals(&totals, missed),
        columns: columns(&totals),
        fields: grouped_fields(fields),
        unlisted: (unlisted > 0).then(|| many(unlisted, "more row", "more rows")),
        unlisted_repairs: rest(ledger, repairs.len()),
        attention,
        more,
        causes,
        left_out,
        repairs,
        notes,
        fetched,
        beside,
    };
    write(&page, out)
}

/// So many findings are open; the others are folded.
const POINTS: usize = 12;

/// So many files' fields are one row of the table of fields.
const FOLDED: usize = 3;

/// What the page may still list.
struct ListingRoom {
    /// Rows of the books, and dropped objects.
    rows: usize,
    /// Examples.
    places: usize,
    /// Tables so far, for their names.
    tables: usize,
}

impl ListingRoom {
    fn table(&mut self, name: &str) -> String {
        self.tables += 1;
        format!("t-{name}-{}", self.tables)
    }

    fn findings<'r>(&mut self, rows: impl IntoIterator<Item = &'r Row>) -> Vec<LossRow<'r>> {
        let found: Vec<LossRow<'r>> =
            rows.into_iter().take(self.rows).map(|row| LossRow::new(row, &mut self.places)).collect();
        self.rows -= found.len();
        found
    }
}

#[derive(Template)]
#[template(path = "losses.html", config = "src/html/askama.toml")]
struct LossesPage<'r> {
    shell: PageShell,
    headline: String,
    /// The gates that fired, and what became of the output.
    gates: Vec<String>,
    says: String,
    lead: String,
    source: String,
    target: &'static str,
    sections: Vec<PageSection>,
    attention: Vec<FindingRow<'r>>,
    more: Vec<FindingRow<'r>>,
    causes: Vec<FoldedRows<'r>>,
    /// Objects that nobody misses.
    left_out: Vec<FindingRow<'r>>,
    values: String,
    bar: Bar,
    columns: Vec<Column>,
    fields: Vec<FieldGroup<'r>>,
    unlisted: Option<String>,
    repairs: Vec<RepairRow<'r>>,
    unlisted_repairs: Option<String>,
    /// Rows of `--enrich` that fill nothing.
    notes: Vec<String>,
    fetched: FetchedTable<'r>,
    beside: &'r [String],
}

/// A finding of the report.
struct FindingRow<'r> {
    /// The class of its colour.
    severity: &'static str,
    says: String,
    places: String,
    fix: Option<String>,
    table: String,
    objects: Vec<ObjectRow<'r>>,
    /// Some objects have other fixes than the rest.
    mixed: bool,
    untold: Option<String>,
    rows: Vec<LossRow<'r>>,
    is_repair: bool,
}

/// A dropped object.
struct ObjectRow<'r> {
    of: &'r DroppedObject,
    input: Option<Cow<'r, str>>,
    title: Cow<'r, str>,
    url: Option<Cow<'r, str>>,
    link: Option<&'r str>,
    fixes: String,
}

impl<'r> ObjectRow<'r> {
    fn new(of: &'r DroppedObject) -> ObjectRow<'r> {
        let url = of.url.as_deref();
        let title = of.title.as_deref().or(url).unwrap_or("without a title");
        ObjectRow {
            of,
            input: of.input.as_deref().map(|input| cut(input, SHOWN)),
            title: cut(title, SHOWN),
            url: url.filter(|_| of.title.is_some()).map(|url| cut(url, SHOWN)),
            link: url.and_then(link),
            fixes: of.fixes.join(", "),
        }
    }
}

impl<'r> FindingRow<'r> {
    fn new(found: report::ReportFinding<'r>, summary: &'r Summary, room: &mut ListingRoom) -> FindingRow<'r> {
        let mut point = FindingRow {
            severity: found.severity.name(),
            says: found.says,
            places: found.places,
            fix: found.fix.map(|fix| fix.trim_start_matches("fix: ").to_owned()),
            table: room.table("attention"),
            objects: Vec::new(),
            mixed: false,
            untold: None,
            rows: Vec::new(),
            is_repair: false,
        };
        match found.subject {
            FindingSubject::Dropped(group) => {
                let is_of = |dropped: &&DroppedObject| belongs_to_group(dropped, group);
                point.objects = summary.drops.list().iter().filter(is_of).take(room.rows).map(ObjectRow::new).collect();
                room.rows -= point.objects.len();
                let untold = group.count.saturating_sub(point.objects.len() as u64);
                point.untold = (untold > 0).then(|| many(untold, "more", "more"));
                point.mixed = group.fixes.iter().any(|(_, count)| *count != group.listed);
            }
            FindingSubject::Rows(rows) => point.rows = room.findings(rows),
            FindingSubject::Repairs => point.is_repair = true,
            FindingSubject::Files => (),
        }
        point
    }
}

fn belongs_to_group(dropped: &DroppedObject, group: &DropGroup) -> bool {
    dropped.kind == group.kind && dropped.reason == group.reason
}

/// Rows that share a cause, folded.
struct FoldedRows<'r> {
    heading: String,
    names: String,
    count: String,
    table: String,
    rows: Vec<LossRow<'r>>,
}

impl<'r> FoldedRows<'r> {
    fn new(cause: report::Cause<'r>, room: &mut ListingRoom) -> FoldedRows<'r> {
        let (names, count, table) = (cause.names(), grouped(cause.count), room.table("cause"));
        FoldedRows { heading: cause.heading, names, count, table, rows: room.findings(cause.rows) }
    }

    /// Values of dropped objects, which are reported by object.
    fn of_objects(ledger: &'r Ledger, room: &mut ListingRoom) -> Option<FoldedRows<'r>> {
        let mut rows = ledger.rows();
        rows.retain(|row| row.code().is_of_object());
        rows.sort_by_key(|row| std::cmp::Reverse(row.count));
        let first = rows.first()?;
        let (names, count) = (first.why().to_owned(), rows.iter().map(|row| row.count).sum());
        Some(FoldedRows {
            heading: "Values of dropped objects".to_owned(),
            names: if rows.iter().all(|row| row.reason == first.reason) { names } else { String::new() },
            count: grouped(count),
            table: room.table("cause"),
            rows: room.findings(rows),
        })
    }
}

/// A column of the table of fields: the class of its colour, and its heading.
type Column = (&'static str, &'static str);

/// The columns that have a figure.
fn columns(totals: &Totals) -> Vec<Column> {
    let all = cells(totals, 0);
    let heads = ["Kept", "Changed", "Merged", "Unread", "Lost", "Generated"];
    let shown = all.iter().zip(heads).filter(|((_, count), _)| *count > 0);
    shown.map(|((kind, _), head)| (*kind, head)).collect()
}

fn cells(totals: &Totals, missed: u64) -> [(&'static str, u64); 6] {
    let Totals { leaves: _, kept, changed, lost, unread, merged, made } = *totals;
    let gone = if missed > 0 && missed == lost { "attention" } else { "lost" };
    [("kept", kept), ("changed", changed), ("merged", merged), ("unread", unread), (gone, lost), ("made", made)]
}

/// Whether a user of the target would miss values that are lost.
fn is_missed(row: &Row) -> bool {
    row.kind == LossKind::Lost && row.class() == Class::Attention
}

/// Some fields in one row, or a single one.
struct FieldGroup<'r> {
    all: FieldLossRow<'r>,
    members: Vec<FieldLossRow<'r>>,
}

/// The outcome of the values of one field.
struct FieldLossRow<'r> {
    /// The model's name.
    name: Cow<'r, str>,
    /// The name in the source, where all its rows have one.
    source: Option<String>,
    totals: Totals,
    missed: u64,
    bar: Bar,
    /// The section with the details of the field.
    told: Option<&'static str>,
}

impl FieldLossRow<'_> {
    /// The figures of the columns that the table has.
    fn cells(&self, columns: &[Column]) -> Vec<(&'static str, u64)> {
        let base = cells(&self.totals, 0);
        let all = base.iter().zip(cells(&self.totals, self.missed));
        all.filter(|((kind, _), _)| columns.iter().any(|(known, _)| known == kind)).map(|(_, cell)| cell).collect()
    }
}

/// A row of the report.
struct LossRow<'r> {
    row: &'r Row,
    /// Its fate in a word, and the class of its color: only rows that need attention have one.
    word: &'static str,
    color: &'static str,
    /// The name in the source, and that of the model.
    name: String,
    field: Cow<'r, str>,
    count: String,
    places: Vec<ExampleRow<'r>>,
    /// The label of the collapsed list of examples.
    lines: String,
    /// The beginning of the first value.
    preview: Option<Cow<'r, str>>,
}

/// An example.
pub(super) struct ExampleRow<'r> {
    pub(super) input: Option<Cow<'r, str>>,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
    pub(super) path: Option<Cow<'r, str>>,
    /// A path that was cut is not worth copying.
    pub(super) whole: bool,
    pub(super) from: Option<ShownValue<'r>>,
    pub(super) to: Option<ShownValue<'r>>,
}

pub(super) struct ShownValue<'r> {
    pub(super) text: &'r str,
    pub(super) link: Option<&'r str>,
}

impl<'r> ShownValue<'r> {
    fn new(text: &'r str) -> ShownValue<'r> {
        ShownValue { text, link: link(text) }
    }
}

impl<'r> LossRow<'r> {
    /// Takes as many examples as there is room for on the page.
    fn new(row: &'r Row, room: &mut usize) -> LossRow<'r> {
        let places: Vec<ExampleRow<'r>> = row.examples.iter().take(*room).map(ExampleRow::new).collect();
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
        let first = row.best_examples().next().and_then(|example| example.from.as_deref().or(example.to.as_deref()));
        let preview = first.map(|value| cut(value, 60));
        let word = if row.kind == LossKind::Made { "generated" } else { row.kind.name() };
        let is_bad = row.class() == Class::Attention && !row.code().is_of_object();
        let color = match row.kind {
            LossKind::Lost if is_bad => "attention",
            kind if is_bad => kind.name(),
            _ => "plain",
        };
        let (name, field) = (cut(&report::source_name(row), SHOWN).into_owned(), cut(row.name(), SHOWN));
        LossRow { row, word, color, name, field, count: grouped(row.count), places, lines, preview }
    }
}

impl<'r> ExampleRow<'r> {
    pub(super) fn new(example: &'r Example) -> ExampleRow<'r> {
        let Example { input, entry: _, line, column, path, from, to, is_beside: _ } = example;
        let shown = path.as_deref().map(|path| cut(path, SHOWN));
        ExampleRow {
            input: input.as_deref().map(|input| cut(input, SHOWN)),
            line: *line,
            column: *column,
            whole: shown == path.as_deref().map(Cow::Borrowed),
            path: shown,
            from: from.as_deref().map(ShownValue::new),
            to: to.as_deref().map(ShownValue::new),
        }
    }
}

/// A repair of the input.
pub(super) struct RepairRow<'r> {
    pub(super) severity: &'static str,
    pub(super) code: &'static str,
    pub(super) input: Option<Cow<'r, str>>,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) found: Cow<'r, str>,
    pub(super) done: Cow<'r, str>,
}

impl<'r> RepairRow<'r> {
    pub(super) fn new(diagnostic: &'r Diagnostic) -> RepairRow<'r> {
        let Diagnostic { input, code, severity, line, column, found, done } = diagnostic;
        let (found, done) = (cut(found, SHOWN), cut(done, SHOWN));
        let input = input.as_deref().map(|input| cut(input, SHOWN));
        RepairRow { severity, code, input, line: *line, column: *column, found, done }
    }
}

/// The run in one sentence, in objects: videos, or entries where the target has no videos.
fn headline(summary: &Summary) -> String {
    let Objects { entries, dropped, unselected, videos, videos_written, .. } = summary.objects;
    let entries = entries.saturating_sub(unselected);
    let out = |written: u64, all: u64, one: &str, more: &str| match all.saturating_sub(written) {
        0 if all == 1 => format!("The only {one} was written"),
        0 => format!("All {} written", many(all, one, more)),
        dropped => format!("{} of {} written; {} dropped", grouped(written), many(all, one, more), grouped(dropped)),
    };
    let is_missed = |group: &DropGroup| group.kind == DroppedKind::Video && group.reason.class() == Class::Attention;
    let is_without = videos_written == 0 && !summary.drops.groups().iter().any(is_missed);
    match (entries, videos) {
        (0, _) => "There was no entry to convert".to_owned(),
        (_, 1..) if !is_without => out(videos_written, videos, "video", "videos"),
        _ => out(entries.saturating_sub(dropped), entries, "entry", "entries"),
    }
}

/// Why the output was not published, if it was not.
fn unpublished(summary: &Summary) -> Option<String> {
    let Publication { is_published, gates } = &summary.publication;
    if *is_published {
        return None;
    }
    let why =
        gates.first().map_or("the input is cut off".to_owned(), |gate| format!("{}, {}", gate.condition(), gate.found));
    Some(format!("Not published: {why}"))
}

/// The gates that fired, where the headline does not name the only one.
fn gates(summary: &Summary) -> Vec<String> {
    let Publication { is_published, gates } = &summary.publication;
    let shown = gates.iter().skip(usize::from(!is_published)).map(ToString::to_string);
    match is_published {
        true => shown.map(|gate| format!("Published in spite of {gate}")).collect(),
        false => shown.map(|gate| format!("Also {gate}")).collect(),
    }
}

fn source(summary: &Summary) -> String {
    let source = report::source(summary);
    let name = if source.name == "-" { "standard input" } else { &source.name };
    cut(name, SHOWN).into_owned()
}

/// The formats, the encoding and the rules.
fn lead(summary: &Summary, target: &Format, profile: &str) -> String {
    let source = report::source(summary);
    let dialect = if source.dialect.is_empty() { String::new() } else { format!(" of {}", source.dialect) };
    let rules = if profile == "none" { String::new() } else { format!(", by the rules of {profile}") };
    cut(&format!("From {}{dialect} ({}) to {}{rules}.", source.format, source.encoding, target.id), 2000).into_owned()
}

fn sections(summary: &Summary, (attention, causes, fields): (usize, usize, usize)) -> Vec<PageSection> {
    let ledger = &summary.ledger;
    PageSection::filled([
        ("attention", "Needs attention", attention as u64),
        ("losses", "Other losses", causes as u64),
        ("values", "Values", ledger.totals().leaves),
        ("fields", "By field", fields as u64),
        ("repairs", "Repairs of the input", ledger.diagnostics_seen()),
    ])
}

fn rest(ledger: &Ledger, listed: usize) -> Option<String> {
    let rest = ledger.diagnostics_seen().saturating_sub(listed as u64);
    (rest > 0).then(|| many(rest, "more repair", "more repairs"))
}

/// All fields that had values, those that need attention first, then those that lost most.
fn fields(ledger: &Ledger) -> Vec<FieldLossRow<'_>> {
    let mut names: Vec<&str> = Vec::new();
    let mut sums: HashMap<&str, FieldSum> = HashMap::new();
    let mut sum = |name, row: Option<&Row>, count: u64| {
        let sum = sums.entry(name).or_insert_with(|| {
            names.push(name);
            FieldSum::default()
        });
        let sums = &mut sum.totals;
        let part = match row.map(|row| row.kind) {
            None => &mut sums.kept,
            Some(LossKind::Lost) => &mut sums.lost,
            Some(LossKind::Changed) => &mut sums.changed,
            Some(LossKind::Unread) => &mut sums.unread,
            Some(LossKind::Merged) => &mut sums.merged,
            Some(LossKind::Made) => &mut sums.made,
        };
        *part += count;
        let Some(row) = row else {
            sums.leaves += count;
            return;
        };
        if row.kind != LossKind::Made {
            sums.leaves += count;
        }
        if is_missed(row) {
            sum.missed += count;
        }
        let here = if row.class() == Class::Attention && !row.code().is_of_object() { "attention" } else { "losses" };
        // where it has rows of both, the folded ones are the more
        if row.kind != LossKind::Made {
            let name = cut(&report::source_name(row), SHOWN).into_owned();
            sum.several |= sum.source.as_ref().is_some_and(|source| *source != name);
            sum.source.get_or_insert(name);
        }
        sum.told = if sum.told == Some("losses") { sum.told } else { Some(here) };
    };
    for (name, count) in ledger.kept_by_name() {
        sum(name, None, count);
    }
    for row in ledger.rows() {
        sum(row.name(), Some(row), row.count);
    }
    let order: HashMap<&str, usize> = Field::ALL.iter().enumerate().map(|(at, field)| (field.name(), at)).collect();
    let mut rows: Vec<FieldLossRow<'_>> = names
        .into_iter()
        .map(|name| {
            let FieldSum { totals, missed, told, source, several } = sums.remove(name).unwrap_or_default();
            let name = cut(name, SHOWN);
            let source = source.filter(|source| !several && *source != name);
            FieldLossRow { name, source, totals, missed, bar: Bar::from_totals(&totals, missed), told }
        })
        .collect();
    rows.sort_by_key(|row| {
        let Totals { lost, unread, changed, .. } = row.totals;
        (std::cmp::Reverse((row.missed, lost, unread, changed)), order.get(&*row.name).copied())
    });
    rows
}

#[derive(Default)]
struct FieldSum {
    totals: Totals,
    missed: u64,
    told: Option<&'static str>,
    /// The name in the source, and whether there are several.
    source: Option<String>,
    several: bool,
}

/// Fields of files in one row where they are many.
fn grouped_fields(fields: Vec<FieldLossRow<'_>>) -> Vec<FieldGroup<'_>> {
    const FILES: &str = "video.file.";
    let (files, others): (Vec<_>, Vec<_>) = fields.into_iter().partition(|field| field.name.starts_with(FILES));
    let single = |all| FieldGroup { all, members: Vec::new() };
    let mut groups: Vec<FieldGroup<'_>> = others.into_iter().map(single).collect();
    if files.len() < FOLDED {
        groups.extend(files.into_iter().map(single));
    } else {
        let mut totals = Totals::default();
        files.iter().for_each(|field| totals.add(&field.totals));
        let missed = files.iter().map(|field| field.missed).sum();
        let name = format!("{FILES}*").into();
        let all =
            FieldLossRow { name, source: None, totals, missed, bar: Bar::from_totals(&totals, missed), told: None };
        groups.push(FieldGroup { all, members: files });
    }
    groups.sort_by_key(|group| std::cmp::Reverse((group.all.missed, group.all.totals.lost)));
    groups
}
