//! The books of a run: every leaf that came in is kept, changed, lost, unread or merged, or the run is refused.
//!
//! [`Books`] hold what a writer did with the leaves of one entry; [`Ledger::close`] holds it against the walk over
//! the model and the fate table, and adds it to the rows of the report. Not the form of a report (`report`).

mod books;
mod close;
mod lines;
mod named;
mod rows;
mod same;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use self::books::BookSide;
pub(crate) use self::books::ValueStates;
pub use self::books::{Books, LossGroup, ReaderChanges};
pub(crate) use self::close::why_unread;
use self::close::{LeafOutcome, Scratch, element_of};
use self::lines::{Beginning, write_line};
pub(crate) use self::named::{NamedCounts, NamedKey};
use self::rows::{FateRows, RowKey, RowNumberHasher, RowSubject};
use crate::code::{Class, Code, LossKind, Severity};
use crate::model::Field;
use crate::place::ReportedLeaf;
use crate::reason::Reason;

/// An example of a row: one leaf and what became of it.
#[derive(Clone, Default, PartialEq, Debug, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Example {
    /// The input, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// 0-based number of the entry in its source; absent for the head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<u64>,
    /// 1-based; absent where nothing of the source is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// 1-based, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The path of the leaf in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its value there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The value in the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// An attribute that describes another value, which is the better example.
    #[serde(skip)]
    pub is_beside: bool,
}

impl Example {
    /// The same of a whole entry, by how its source begins.
    #[must_use]
    pub(crate) fn beginning(self, raw: &str) -> Example {
        let raw = raw.trim();
        Example { from: (!raw.is_empty()).then(|| shorten(raw)), ..self }
    }

    /// A leaf, its values shortened.
    pub(crate) fn from_leaf(leaf: &ReportedLeaf<'_>) -> Example {
        let ReportedLeaf { input, entry, line, column, path, from, to } = leaf;
        Example {
            input: input.map(str::to_owned),
            entry: *entry,
            line: *line,
            column: *column,
            path: path.map(str::to_owned),
            from: from.map(shorten),
            to: to.as_deref().map(shorten),
            is_beside: false,
        }
    }

    fn as_leaf(&self) -> ReportedLeaf<'_> {
        let Example { input, entry, line, column, path, from, to, is_beside: _ } = self;
        ReportedLeaf {
            input: input.as_deref(),
            entry: *entry,
            line: *line,
            column: *column,
            path: path.as_deref(),
            from: from.as_deref(),
            to: to.as_deref().map(Cow::Borrowed),
        }
    }
}

/// All leaves of one field that met the same fate.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// What happened, in one of five words.
    pub kind: LossKind,
    /// Why, with the code and the class that follow from it.
    pub reason: Reason,
    /// The model's name of the field.
    pub field: &'static str,
    /// The field of the written value that it is equal to, where that is the reason.
    pub same: Option<Field>,
    /// The element or attribute in the source, where the field is that of many (`itunes:duration` of `modules`).
    pub element: Option<Arc<str>>,
    /// How many leaves.
    pub count: u64,
    /// The first of them.
    pub examples: Vec<Example>,
    /// How many examples are looked for.
    pub(crate) wanted: usize,
    /// The subject, part of its key.
    pub(crate) place: RowSubject,
}

impl Row {
    /// How much it matters.
    pub fn severity(&self) -> Severity {
        Severity::from_code(self.kind, self.code())
    }

    /// The code of the change or loss.
    pub fn code(&self) -> Code {
        self.reason.code_as(self.kind)
    }

    /// The reason, for people.
    pub fn why(&self) -> &'static str {
        text_of(self.reason, self.same)
    }

    /// What it means for publishing the output.
    pub fn class(&self) -> Class {
        self.reason.class_as(self.kind)
    }

    /// The name to show: the element where the field covers many, else the field.
    pub fn name(&self) -> &str {
        self.element.as_deref().unwrap_or(self.field)
    }

    /// The examples, values before the attributes that describe them.
    pub(crate) fn best_examples(&self) -> impl Iterator<Item = &Example> {
        let with = |is_beside| self.examples.iter().filter(move |example| example.is_beside == is_beside);
        with(false).chain(with(true))
    }

    fn key(&self) -> RowName {
        (self.kind, self.reason, self.field, self.same, self.element.clone())
    }
}

/// A repair of the input, with its place.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Diagnostic {
    /// The input, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Stable code.
    pub code: &'static str,
    /// `error` where something was lost by it, else `warning`.
    pub severity: &'static str,
    /// 1-based.
    pub line: u32,
    /// 1-based, in characters.
    pub column: u32,
    /// The text that was repaired.
    pub found: String,
    /// The repair.
    pub done: String,
}

/// The sums of a run. `leaves = kept + changed + lost + unread + merged`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Totals {
    /// Leaves of the source.
    pub leaves: u64,
    /// In the output as they were.
    pub kept: u64,
    /// In the output with a change.
    pub changed: u64,
    /// Not in the output.
    pub lost: u64,
    /// Not understood.
    pub unread: u64,
    /// Became one with another.
    pub merged: u64,
    /// Values that no leaf gave.
    pub made: u64,
}

impl Totals {
    fn count_mut(&mut self, kind: LossKind) -> &mut u64 {
        match kind {
            LossKind::Lost => &mut self.lost,
            LossKind::Changed => &mut self.changed,
            LossKind::Unread => &mut self.unread,
            LossKind::Merged => &mut self.merged,
            LossKind::Made => &mut self.made,
        }
    }

    /// Adds those of another run.
    pub fn add(&mut self, other: &Totals) {
        let Totals { leaves, kept, changed, lost, unread, merged, made } = other;
        self.leaves += leaves;
        self.kept += kept;
        self.changed += changed;
        self.lost += lost;
        self.unread += unread;
        self.merged += merged;
        self.made += made;
    }
}

/// How many examples a row keeps.
const EXAMPLES: usize = 10;
/// How many rows a ledger keeps; hostile input may otherwise make as many as it has leaves.
const ROWS: usize = 10_000;
/// How many elements have rows of their own; those of the others are counted in the row of their field.
const ELEMENTS: usize = 500;
/// How many bytes of lines there may be for one of the source, for which room is made at once.
const LINES: usize = 4;
/// How many repairs are listed with their places, of whatever code; the first of each code are listed in any case.
const DIAGNOSTICS: usize = 10_000;

/// The books of a run.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    totals: Totals,
    /// How many leaves of each field were kept, by the field's number; empty before the first.
    kept: Vec<u64>,
    /// The elements that have separate rows, and how many of their values were kept.
    elements: Elements,
    rows: Vec<Row>,
    index: HashMap<u64, usize, RowNumberHasher>,
    /// Rows that have their examples elsewhere.
    sated: Arc<CompleteRows>,
    fated: FateRows,
    /// Every occurrence as a JSON line, if asked for.
    lines: Option<Vec<u8>>,
    /// What the lines of each row begin with.
    beginnings: Vec<Beginning>,
    named: NamedCounts,
    diagnostics: Vec<Diagnostic>,
    diagnostics_seen: u64,
    /// How many repairs there were of each code.
    by_code: BTreeMap<&'static str, u64>,
    /// The first guess, with the line of its entry.
    doubt: Option<(Field, Reason, u32)>,
    feed: BookSide,
    scratch: Scratch,
}

/// What rows are known by in other books, whose elements have other numbers.
type RowName = (LossKind, Reason, &'static str, Option<Field>, Option<Arc<str>>);

/// The text of a reason; of a value that is in the output under another name, with that name.
fn text_of(reason: Reason, same: Option<Field>) -> &'static str {
    match same {
        None => reason.text(),
        Some(Field::Module | Field::FeedModule) => "same as an element of a module",
        Some(field) => field.same_as(),
    }
}

/// The names of elements, which separate the rows of one field.
#[derive(Clone, Debug, Default)]
struct Elements {
    numbers: HashMap<Arc<str>, u16>,
    all: Vec<KeptElement>,
    /// The paths asked for last, in their order, with the numbers of their elements: entries mostly have the same ones.
    recent: Vec<(Box<str>, u16)>,
    /// The one that is expected next.
    next: usize,
}

/// How many paths are remembered.
const RECENT_PATHS: usize = 64;
/// Longer ones are not remembered.
const LONG_PATH: usize = 512;

#[derive(Clone, Debug)]
struct KeptElement {
    name: Arc<str>,
    /// How many of its values were kept, for each field that they belong to.
    kept: Vec<(Field, u64)>,
}

impl KeptElement {
    fn keep(&mut self, field: Field, count: u64) {
        match self.kept.iter_mut().find(|(known, _)| *known == field) {
            Some((_, kept)) => *kept += count,
            None => self.kept.push((field, count)),
        }
    }
}

impl Elements {
    /// The number of the element of a leaf with this path.
    fn number_at(&mut self, within: &str) -> u16 {
        match self.recent.get(self.next) {
            Some((path, number)) if **path == *within => {
                let number = *number;
                self.next = (self.next + 1) % self.recent.len();
                number
            }
            _ => self.find(within),
        }
    }

    /// The same for a path that is not the expected one.
    fn find(&mut self, within: &str) -> u16 {
        if let Some(at) = self.recent.iter().position(|(path, _)| **path == *within) {
            self.next = (at + 1) % self.recent.len();
            return self.recent[at].1;
        }
        let number = self.number(&element_of(within));
        if within.len() > LONG_PATH {
            return number;
        }
        if self.recent.len() >= RECENT_PATHS {
            self.recent.clear();
        }
        self.recent.push((within.into(), number));
        self.next = 0;
        number
    }

    /// The number of an element: 0 where there are too many of them.
    fn number(&mut self, name: &str) -> u16 {
        let name = match name.len() {
            0..=200 => Cow::Borrowed(name),
            _ => Cow::Owned(shorten(name)),
        };
        if let Some(number) = self.numbers.get(&*name) {
            return *number;
        }
        if self.all.len() >= ELEMENTS {
            return 0;
        }
        let name: Arc<str> = (*name).into();
        self.all.push(KeptElement { name: name.clone(), kept: Vec::new() });
        let number = self.all.len() as u16;
        self.numbers.insert(name, number);
        number
    }

    fn get(&self, number: u16) -> Option<&KeptElement> {
        self.all.get(number.checked_sub(1)? as usize)
    }
}

/// Rows that have all the examples they want.
#[derive(Clone, Debug, Default)]
pub struct CompleteRows {
    rows: HashSet<RowName>,
    /// Nobody reads any.
    all: bool,
    /// Values are counted by the names of their elements, too.
    named: bool,
}

impl CompleteRows {
    /// How many rows there are that have all.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether all rows want some.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && !self.all
    }
}

impl Ledger {
    /// Empty books; `full` also writes every occurrence as a line of JSON.
    pub fn new(full: bool) -> Ledger {
        Ledger { lines: full.then(Vec::new), ..Ledger::default() }
    }

    /// Empty books that collect no examples for these rows, because earlier books have enough.
    pub fn for_worker(full: bool, sated: Arc<CompleteRows>) -> Ledger {
        Ledger { sated, ..Ledger::new(full) }
    }

    /// Reserves room for the lines of a piece of source of this size; the lines are longer than the source.
    pub(crate) fn expect(&mut self, bytes: usize) {
        if let Some(lines) = &mut self.lines {
            lines.reserve(LINES.saturating_mul(bytes));
        }
    }

    /// The same books without examples, where nobody reads any.
    #[must_use]
    pub fn without_examples(mut self) -> Ledger {
        self.sated = Arc::new(CompleteRows { all: true, ..CompleteRows::default() });
        self
    }

    /// The same books with values counted by the names of their elements.
    #[must_use]
    pub(crate) fn counting_names(mut self) -> Ledger {
        Arc::make_mut(&mut self.sated).named = true;
        self
    }

    /// Values by the names of their elements where they are counted so, else by their fields.
    #[cfg(feature = "cli")]
    pub(crate) fn named(&self) -> Cow<'_, NamedCounts> {
        if !self.is_naming() {
            return Cow::Owned(self.counts_by_field());
        }
        // a gate that counts less than the report is one that never fires
        debug_assert_eq!(
            self.named.iter().map(|(_, count)| count).sum::<u64>(),
            self.totals.leaves + self.totals.made,
            "values were counted without their names"
        );
        Cow::Borrowed(&self.named)
    }

    /// The same from rows and kept values, which have no names.
    #[cfg(feature = "cli")]
    fn counts_by_field(&self) -> NamedCounts {
        let mut counts = NamedCounts::default();
        let mut add = |row, field, count| counts.add(NamedKey { row, field, name: String::new() }, count);
        self.rows.iter().for_each(|row| add(Some((row.kind, row.code())), row.field, row.count));
        let mut unnamed = self.totals.kept;
        for (field, count) in self.kept() {
            unnamed -= count;
            add(None, field.name(), count);
        }
        // explicit constants and defaults have no field
        add(None, "", unnamed);
        counts
    }

    /// Whether values are counted by the names of their elements.
    #[inline]
    fn is_naming(&self) -> bool {
        self.sated.named
    }

    /// Counts a value by this name; kept values have no row.
    fn count_name(&mut self, row: Option<(LossKind, Code)>, field: &'static str, name: String) {
        self.named.add(NamedKey { row, field, name }, 1);
    }

    /// The rows that want no more examples.
    pub fn complete_rows(&self) -> CompleteRows {
        let full = self.rows.iter().filter(|row| row.examples.len() >= EXAMPLES);
        CompleteRows { rows: full.map(Row::key).collect(), all: self.sated.all, named: self.sated.named }
    }

    /// The sums.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// The rows, in the order of kinds, then of first occurrence.
    pub fn rows(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| row.kind);
        rows
    }

    /// The rows of values that are not in the output: (field, row).
    pub fn lost(&self) -> impl Iterator<Item = (&'static str, &Row)> {
        self.rows.iter().filter(|row| row.kind == LossKind::Lost).map(|row| (row.field, row))
    }

    /// How many values of each field are in the output unchanged; only fields with some, in model order. Explicit
    /// constants and defaults have no field and are not included.
    pub fn kept(&self) -> impl Iterator<Item = (Field, u64)> {
        let of = |field: &Field| (*field, self.kept.get(*field as usize).copied().unwrap_or(0));
        Field::ALL.iter().map(of).filter(|(_, count)| *count > 0)
    }

    /// Like [`Ledger::kept`], with an entry per element where a field covers many elements.
    #[cfg(feature = "html")]
    pub(crate) fn kept_by_name(&self) -> Vec<(&str, u64)> {
        let mut named: HashMap<Field, u64> = HashMap::new();
        for (field, kept) in self.elements.all.iter().flat_map(|element| &element.kept) {
            *named.entry(*field).or_insert(0) += kept;
        }
        let rest = |(field, count): (Field, u64)| (field.name(), count - named.get(&field).copied().unwrap_or(0));
        let sum = |element: &KeptElement| element.kept.iter().map(|(_, kept)| kept).sum();
        let elements = self.elements.all.iter().map(|element| (&*element.name, sum(element)));
        self.kept().map(rest).chain(elements).filter(|(_, count)| *count > 0).collect()
    }

    /// Repairs of the input: the first 10,000, and the first ten of each code.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The same, errors first.
    pub fn worst_first(&self) -> Vec<&Diagnostic> {
        let mut all: Vec<&Diagnostic> = self.diagnostics.iter().collect();
        all.sort_by_key(|diagnostic| diagnostic.severity != "error");
        all
    }

    /// How many repairs there were.
    pub fn diagnostics_seen(&self) -> u64 {
        self.diagnostics_seen
    }

    /// The occurrences written since the last call, one JSON object a line; empty unless the books are full ones.
    pub fn take_lines(&mut self) -> Vec<u8> {
        self.lines.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The first thing made that is more a guess than a fact, with the line of its entry (0 for the head).
    pub fn doubt(&self) -> Option<(Field, Reason, u32)> {
        self.doubt
    }

    /// The codes of all of them, with how many there were.
    pub fn diagnostic_codes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.by_code.iter().map(|(code, count)| (*code, *count))
    }

    /// How many of them have this code.
    pub fn diagnostics_of(&self, code: &str) -> u64 {
        self.by_code.get(code).copied().unwrap_or(0)
    }

    /// Notes a repair.
    pub fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.diagnostics_seen += 1;
        let seen = self.by_code.entry(diagnostic.code).or_insert(0);
        *seen += 1;
        if self.diagnostics.len() < DIAGNOSTICS || *seen <= EXAMPLES as u64 {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Counts repairs of which nothing more is known.
    pub fn count_unnamed(&mut self, count: u64) {
        self.diagnostics_seen += count;
    }

    /// Notes an entry of which nothing could be read: one leaf, lost.
    pub fn unreadable(&mut self, why: Reason, here: Example) {
        self.totals.leaves += 1;
        let outcome = LeafOutcome::of_entry(LossKind::Lost, None, why);
        if self.is_naming() {
            self.count_name(Some((LossKind::Lost, why.code_as(LossKind::Lost))), outcome.place().name(), String::new());
        }
        if let Some(row) = self.count(&outcome) {
            self.report(row, &outcome, &here.as_leaf());
        }
    }

    /// Takes in the books of a worker that came after.
    pub fn absorb(&mut self, other: Ledger) {
        self.totals.add(&other.totals);
        if self.kept.len() < other.kept.len() {
            self.kept.resize(other.kept.len(), 0);
        }
        for (mine, more) in self.kept.iter_mut().zip(other.kept) {
            *mine += more;
        }
        match self.rows.is_empty() && self.elements.all.is_empty() {
            true => (self.rows, self.index, self.elements) = (other.rows, other.index, other.elements),
            false => self.absorb_rows(other.elements, other.rows),
        }
        self.named.absorb(other.named);
        self.diagnostics_seen += other.diagnostics_seen;
        // the first of each code are listed on both sides, so these are the first of both
        let mut listed: BTreeMap<&'static str, u64> = BTreeMap::new();
        for diagnostic in other.diagnostics {
            let before = listed.entry(diagnostic.code).or_insert_with(|| self.diagnostics_of(diagnostic.code));
            *before += 1;
            if self.diagnostics.len() < DIAGNOSTICS || *before <= EXAMPLES as u64 {
                self.diagnostics.push(diagnostic);
            }
        }
        for (code, count) in other.by_code {
            *self.by_code.entry(code).or_insert(0) += count;
        }
        self.doubt = self.doubt.or(other.doubt);
        if let (Some(lines), Some(more)) = (&mut self.lines, other.lines) {
            match lines.is_empty() {
                true => *lines = more,
                false => lines.extend(more),
            }
        }
        self.feed.absorb(&other.feed);
    }

    fn absorb_rows(&mut self, elements: Elements, rows: Vec<Row>) {
        for element in elements.all {
            let number = self.elements.number(&element.name);
            if let Some(mine) = number.checked_sub(1).and_then(|at| self.elements.all.get_mut(at as usize)) {
                element.kept.iter().for_each(|(field, count)| mine.keep(*field, *count));
            }
        }
        for row in rows {
            // all of them are known by now, or have no room
            let element = row.element.as_ref().and_then(|name| self.elements.numbers.get(name)).copied().unwrap_or(0);
            let Row { kind, reason, place: field, same, .. } = row;
            let index = self.row(RowKey { kind, reason, field, element, same });
            let Some(mine) = index.and_then(|index| self.rows.get_mut(index)) else { continue };
            mine.count += row.count;
            let room = EXAMPLES.saturating_sub(mine.examples.len());
            mine.examples.extend(row.examples.into_iter().take(room));
        }
    }

    /// The number of a row; none if there are too many.
    fn row(&mut self, key: RowKey) -> Option<usize> {
        let (number, next) = (key.number(), self.rows.len());
        let index = *self.index.entry(number).or_insert(next);
        if index == next {
            if next >= ROWS {
                self.index.remove(&number);
                return None;
            }
            let element = self.elements.get(key.element).map(|element| element.name.clone());
            let RowKey { kind, reason, field: place, same, .. } = key;
            let (field, examples) = (place.name(), Vec::new());
            let mut row = Row { kind, reason, field, place, same, element, count: 0, examples, wanted: EXAMPLES };
            if self.sated.all || !self.sated.rows.is_empty() && self.sated.rows.contains(&row.key()) {
                row.wanted = 0;
            }
            self.rows.push(row);
        }
        Some(index)
    }

    fn row_of(&mut self, outcome: &LeafOutcome<'_>) -> Option<usize> {
        let LeafOutcome { kind, field, why, .. } = *outcome;
        let element = match (field, outcome.within) {
            (Some(_), Some(within)) => self.elements.number_at(within),
            _ => 0,
        };
        self.row(RowKey { kind, reason: why, field: outcome.place(), element, same: outcome.same() })
    }

    #[inline]
    fn keep(&mut self, field: Option<Field>) {
        self.totals.kept += 1;
        let Some(field) = field else { return };
        if self.kept.is_empty() {
            self.kept.resize(Field::ALL.len(), 0);
        }
        if let Some(count) = self.kept.get_mut(field as usize) {
            *count += 1;
        }
    }

    /// Counts a value of this element, which is in the output as it was.
    fn count_kept(&mut self, field: Field, within: &str) {
        self.keep(Some(field));
        let number = self.elements.number_at(within);
        if let Some(element) = number.checked_sub(1).and_then(|at| self.elements.all.get_mut(at as usize)) {
            element.keep(field, 1);
        }
    }

    /// Counts the only leaf of an entry, which is in the output as it was.
    #[inline]
    pub(crate) fn count_kept_value(&mut self, field: Field) {
        self.totals.leaves += 1;
        self.keep(Some(field));
        if self.is_naming() {
            self.count_name(None, field.name(), String::new());
        }
    }

    /// Counts an entry without values that was written: it counts as one leaf, as it does when lost.
    pub(crate) fn count_kept_empty(&mut self) {
        self.totals.leaves += 1;
        self.keep(None);
        if self.is_naming() {
            self.count_name(None, "", String::new());
        }
    }

    /// Counts a leaf whose row is known, if the row needs no more examples.
    #[inline]
    fn is_near(&mut self, kind: LossKind, field: Field, reason: Reason, same: Option<Field>) -> bool {
        let key = RowKey { kind, reason, field: RowSubject::Field(field), same, element: 0 };
        let row = self.index.get(&key.number()).and_then(|row| self.rows.get_mut(*row));
        match row.filter(|row| row.examples.len() >= row.wanted && self.lines.is_none()) {
            Some(row) => row.count += 1,
            None => return false,
        }
        *self.totals.count_mut(kind) += 1;
        true
    }

    /// Counts a leaf; returns the number of its row if the leaf is to be reported.
    fn count(&mut self, outcome: &LeafOutcome<'_>) -> Option<usize> {
        *self.totals.count_mut(outcome.kind) += 1;
        let index = self.row_of(outcome)?;
        let row = self.rows.get_mut(index)?;
        row.count += 1;
        (row.examples.len() < row.wanted || self.lines.is_some()).then_some(index)
    }

    /// Counts a leaf that only the fate table settles, if its row is known to need no more examples.
    #[inline]
    fn is_fated(&mut self, field: Option<Field>) -> bool {
        let row = field.and_then(|field| *self.fated.rows.get(field as usize)?);
        let Some(row) = row.and_then(|row| self.rows.get_mut(row)) else { return false };
        self.totals.lost += 1;
        row.count += 1;
        true
    }

    /// Remembers the row of a leaf that only the fate table settles and that needs no more examples.
    fn note_fated(&mut self, outcome: &LeafOutcome<'_>) {
        let row = self.row_of(outcome);
        if let Some(slot) = outcome.field.and_then(|field| self.fated.rows.get_mut(field as usize)) {
            *slot = row;
        }
    }

    /// Reports a leaf that was counted in this row.
    fn report(&mut self, row: usize, outcome: &LeafOutcome<'_>, leaf: &ReportedLeaf<'_>) {
        if let Some(row) = self.rows.get_mut(row).filter(|row| row.examples.len() < row.wanted) {
            row.examples.push(Example { is_beside: outcome.is_beside, ..Example::from_leaf(leaf) });
        }
        if let Some(lines) = &mut self.lines {
            if self.beginnings.len() <= row {
                self.beginnings.resize(row + 1, Beginning::default());
            }
            let beginning = &mut self.beginnings[row];
            if beginning.is_empty() {
                let element = self.rows.get(row).and_then(|row| row.element.as_deref());
                *beginning = Beginning::new(outcome, element);
            }
            write_line(lines, beginning, outcome, leaf);
        }
    }
}

/// How many characters of a value reports show.
const SHOWN: usize = 200;

/// A value as reports show it.
pub fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
