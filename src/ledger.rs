//! The books of a run: every leaf that came in is kept, changed, lost, unread or merged, or the run is refused.
//!
//! [`Books`] hold what a writer did with the leaves of one entry; [`Ledger::close`] holds it against the walk over
//! the model and the fate table, and adds it to the rows of the report. Not how a report looks (report.rs).

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::code::{Code, LossKind, Severity};
use crate::error::{Error, ErrorKind};
use crate::fate::{Fate, FateTable};
use crate::model::origin::{Origin, Preset, Record, Role};
use crate::model::{Field, Mark, Seen};
use crate::place::{Places, Told};
use crate::text::bytes;

/// What a writer did with one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum State {
    #[default]
    Open,
    Lost(u32),
    Merged(u32),
    Changed(u32),
    Kept,
}

impl State {
    /// A value that went several ways counts by the best of them.
    fn rank(self) -> u8 {
        match self {
            State::Open => 0,
            State::Lost(_) => 1,
            State::Merged(_) => 2,
            State::Changed(_) => 3,
            State::Kept => 4,
        }
    }

    /// The same with another number for its reason.
    fn with(self, number: impl FnOnce(u32) -> u32) -> State {
        match self {
            State::Open => State::Open,
            State::Lost(of) => State::Lost(number(of)),
            State::Merged(of) => State::Merged(number(of)),
            State::Changed(of) => State::Changed(number(of)),
            State::Kept => State::Kept,
        }
    }
}

/// Why a value was not written as it was.
#[derive(Clone, Copy, Debug)]
struct Detail {
    code: Code,
    why: &'static str,
    /// Where it stands what is said of this leaf alone; most say nothing.
    more: Option<u32>,
}

/// What is said of one leaf alone.
#[derive(Clone, Debug)]
struct More {
    /// A longer reason (which rendition, which limit).
    said: Option<Arc<str>>,
    /// How it stands in the output.
    to: Option<String>,
}

/// How many of the last details are looked through for one that says the same.
const RECENT: usize = 3;

/// Something the target requires and the source lacks.
#[derive(Clone, Debug)]
struct Made {
    code: Code,
    field: Field,
    why: &'static str,
    from: Option<Mark>,
    to: String,
}

/// One side of the books: the values of an entry, or those of the head.
#[derive(Clone, Debug, Default)]
struct Side {
    states: Vec<State>,
    details: Vec<Detail>,
    more: Vec<More>,
    /// The values whose reader changed them, by their numbers: what is written of them is not what the source says.
    adjusted: Vec<(u32, Code, &'static str)>,
}

impl Side {
    fn open(&mut self, records: usize) {
        self.states.clear();
        self.states.resize(records, State::Open);
        self.details.clear();
        self.more.clear();
    }

    fn expect(&mut self, records: &[Record]) {
        self.adjusted.clear();
        for (index, record) in records.iter().enumerate() {
            if let Preset::Adjusted(code, why) = record.preset {
                self.adjusted.push((index as u32, code, why));
            }
        }
    }

    /// The number of a value of which nothing is settled yet that counts as much as this rank.
    fn below(&mut self, mark: Mark, rank: u8) -> Option<usize> {
        let index = (mark.0 & !Mark::FEED) as usize;
        if index >= self.states.len() {
            self.states.resize(index + 1, State::Open);
        }
        self.states.get(index).is_some_and(|state| state.rank() < rank).then_some(index)
    }

    /// Settles a value, unless something better is settled of it.
    fn settle(&mut self, mark: Mark, state: State, rank: u8) {
        if let Some(slot) = self.below(mark, rank).and_then(|index| self.states.get_mut(index)) {
            *slot = state;
        }
    }

    /// The number of this reason; the same is said of many leaves.
    fn reason(&mut self, code: Code, why: &'static str) -> u32 {
        let count = self.details.len();
        for (back, known) in self.details.iter().rev().take(RECENT).enumerate() {
            if known.code == code && known.more.is_none() && std::ptr::eq(known.why, why) {
                return (count - 1 - back) as u32;
            }
        }
        self.details.push(Detail { code, why, more: None });
        count as u32
    }

    /// The number of a reason that is one leaf's own.
    fn own_reason(&mut self, code: Code, why: &'static str, more: More) -> u32 {
        self.details.push(Detail { code, why, more: Some(self.more.len() as u32) });
        self.more.push(more);
        (self.details.len() - 1) as u32
    }

    fn more(&self, detail: &Detail) -> Option<&More> {
        self.more.get(detail.more? as usize)
    }

    fn absorb(&mut self, other: &Side) {
        for (index, theirs) in other.states.iter().enumerate() {
            let mark = Mark(index as u32);
            if self.below(mark, theirs.rank()).is_some() {
                let state = theirs.with(|of| self.copied(other, of));
                self.settle(mark, state, theirs.rank());
            }
        }
    }

    /// The number of a reason of another side.
    fn copied(&mut self, other: &Side, of: u32) -> u32 {
        let detail = other.details[of as usize];
        match other.more(&detail) {
            Some(more) => self.own_reason(detail.code, detail.why, more.clone()),
            None => self.reason(detail.code, detail.why),
        }
    }
}

/// What a writer does with the leaves of one entry, as it does it.
#[derive(Clone, Debug, Default)]
pub struct Books {
    own: Side,
    feed: Side,
    made: Vec<Made>,
    blanket: Option<(Code, &'static str)>,
    doubts: Vec<&'static str>,
    /// How lists stand in the output as a whole, by the marks of their first members.
    wholes: HashMap<Mark, String>,
    /// What is written now stands in the words of another format, for this reason.
    carrying: Option<&'static str>,
    /// Every occurrence will be told of by itself.
    full: bool,
}

impl Books {
    /// Empty books; with `full`, what is said of single values will be shown.
    pub fn new(full: bool) -> Books {
        Books { full, ..Books::default() }
    }

    /// Opens the books of an entry with these numbered values; the head's side goes on.
    pub fn open(&mut self, records: &[Record]) {
        self.own.open(records.len());
        self.own.expect(records);
        self.made.clear();
        self.doubts.clear();
        self.wholes.clear();
        self.blanket = None;
    }

    /// Tells of the numbered values of the head, which entries may hold too.
    pub fn open_feed(&mut self, records: &[Record]) {
        self.feed.expect(records);
    }

    fn side(&mut self, mark: Mark) -> &mut Side {
        if mark.of_feed() { &mut self.feed } else { &mut self.own }
    }

    /// From now on what is written as it was stands in the words of another format (`foreign_kept`); with
    /// `None`, no longer.
    pub fn carry(&mut self, why: Option<&'static str>) {
        self.carrying = why;
    }

    /// The value is in the output, and means the same there.
    pub fn kept(&mut self, mark: Mark) {
        if let Some(why) = self.carrying {
            self.plain(mark, State::Changed, 3, Code::ForeignKept, why);
        } else if mark.is_some() {
            // what is known of how an adjusted value was written is not forgotten for a second place
            let rank = if self.adjustment(mark).is_some() { 3 } else { 4 };
            self.side(mark).settle(mark, State::Kept, rank);
        }
    }

    /// The same; `to` tells how it stands in the output, which is asked only if its reader changed it.
    pub fn kept_as(&mut self, mark: Mark, to: impl FnOnce() -> String) {
        match (self.adjustment(mark), self.carrying) {
            (None, None) if mark.is_some() => self.side(mark).settle(mark, State::Kept, 4),
            (None, None) => (),
            (None, Some(why)) => self.changed(mark, Code::ForeignKept, why, to()),
            (Some((code, why)), _) => {
                self.detail(mark, State::Changed, 4, (code, why), More { said: None, to: Some(to()) })
            }
        }
    }

    fn adjustment(&mut self, mark: Mark) -> Option<(Code, &'static str)> {
        let adjusted = &self.side(mark).adjusted;
        if adjusted.is_empty() {
            return None;
        }
        let index = mark.0 & !Mark::FEED;
        let at = adjusted.binary_search_by_key(&index, |(index, ..)| *index).ok()?;
        adjusted.get(at).map(|(_, code, why)| (*code, *why))
    }

    /// The value is in the output with a change; `to` is how it stands there.
    pub fn changed(&mut self, mark: Mark, code: Code, why: &'static str, to: String) {
        self.detail(mark, State::Changed, 3, (code, why), More { said: None, to: Some(to) });
    }

    /// The same; `said` tells more than the row's common reason.
    pub fn changed_saying(&mut self, mark: Mark, code: Code, why: &'static str, said: String, to: String) {
        self.detail(mark, State::Changed, 3, (code, why), More { said: Some(said.into()), to: Some(to) });
    }

    /// The same where nothing is written, which says what the value says.
    pub fn omitted(&mut self, mark: Mark, code: Code, why: &'static str) {
        self.plain(mark, State::Changed, 3, code, why);
    }

    /// The leaf of a list, by the mark of its first member, stands so in the output as a whole.
    pub fn whole(&mut self, mark: Mark, text: String) {
        if !mark.of_feed() {
            self.wholes.insert(mark, text);
        }
    }

    /// The value is not in the output.
    pub fn lost(&mut self, mark: Mark, code: Code, why: &'static str) {
        self.plain(mark, State::Lost, 1, code, why);
    }

    /// The value is not in the output; `said` tells more than the row's common reason.
    pub fn lost_saying(&mut self, mark: Mark, code: Code, why: &'static str, said: Option<Arc<str>>) {
        match said {
            None => self.plain(mark, State::Lost, 1, code, why),
            said => self.detail(mark, State::Lost, 1, (code, why), More { said, to: None }),
        }
    }

    /// The value is not in the output, also if another was chosen before it was known that none is written; a value
    /// that was refused for itself stays so.
    pub fn lost_with_all(&mut self, mark: Mark, code: Code, why: &'static str) {
        if !mark.is_some() {
            return;
        }
        let index = (mark.0 & !Mark::FEED) as usize;
        let side = self.side(mark);
        if let Some(State::Lost(of)) = side.states.get(index)
            && let Some(detail) = side.details.get(*of as usize)
            && matches!(detail.code, Code::ListReduced | Code::RenditionDropped)
        {
            side.states[index] = State::Open;
        }
        self.lost(mark, code, why);
    }

    /// Whether it will be shown what is said of single values.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Another, equal or earlier, value stands for it.
    pub fn merged(&mut self, mark: Mark, code: Code, why: &'static str) {
        self.plain(mark, State::Merged, 2, code, why);
    }

    /// Settles a value for a reason that others have too.
    fn plain(&mut self, mark: Mark, state: fn(u32) -> State, rank: u8, code: Code, why: &'static str) {
        let side = self.side(mark);
        if mark.is_some() && side.below(mark, rank).is_some() {
            let of = side.reason(code, why);
            side.settle(mark, state(of), rank);
        }
    }

    /// Settles a value of which something is said alone.
    fn detail(&mut self, mark: Mark, state: fn(u32) -> State, rank: u8, why: (Code, &'static str), more: More) {
        let side = self.side(mark);
        if mark.is_some() && side.below(mark, rank).is_some() {
            let of = side.own_reason(why.0, why.1, more);
            side.settle(mark, state(of), rank);
        }
    }

    /// Something was written that no source leaf gave. `from` is a leaf it was made from.
    pub fn made(&mut self, code: Code, field: Field, why: &'static str, from: Option<Mark>, to: String) {
        self.made.push(Made { code, field, why, from, to });
    }

    /// What was made is more a guess than a fact: with `--strict`, this is an error.
    pub fn doubt(&mut self, why: &'static str) {
        self.doubts.push(why);
    }

    /// Nothing of the entry is written: each of its leaves is lost for this reason.
    pub fn drop_all(&mut self, code: Code, why: &'static str) {
        self.blanket = Some((code, why));
        self.made.clear();
    }

    /// Whether the entry was dropped.
    pub fn dropped(&self) -> bool {
        self.blanket.is_some()
    }

    /// Why the entry was dropped, if it was.
    pub(crate) fn dropped_why(&self) -> Option<&'static str> {
        self.blanket.map(|(_, why)| why)
    }

    /// Why a video of the entry was dropped, if one was.
    pub(crate) fn video_dropped(&self) -> Option<&'static str> {
        self.own.details.iter().find(|detail| detail.code == Code::VideoDropped).map(|detail| detail.why)
    }

    /// The fields of which something was made, and what.
    pub(crate) fn made_fields(&self) -> impl Iterator<Item = (Code, Field)> {
        self.made.iter().map(|made| (made.code, made.field))
    }

    /// Whether the value is in the output, in whatever form, or another one stands for it.
    pub fn written(&mut self, mark: Mark) -> bool {
        matches!(self.state(mark), State::Kept | State::Changed(_) | State::Merged(_))
    }

    /// Whether the value is in the output as it was.
    pub fn is_kept(&mut self, mark: Mark) -> bool {
        self.state(mark) == State::Kept
    }

    /// Whether a rule of the target left the value out, and not want of a place for it.
    pub fn refused(&mut self, mark: Mark) -> bool {
        let State::Lost(of) = self.state(mark) else { return false };
        let detail = self.side(mark).details.get(of as usize);
        detail.is_some_and(|detail| !matches!(detail.code, Code::NoCarrier | Code::AttributeDropped))
    }

    fn state(&mut self, mark: Mark) -> State {
        let index = (mark.0 & !Mark::FEED) as usize;
        self.side(mark).states.get(index).copied().unwrap_or_default()
    }

    /// Whether anything was settled of this value.
    pub fn settled(&mut self, mark: Mark) -> bool {
        self.state(mark) != State::Open
    }
}

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
    /// Where the leaf stands in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its value there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The value as it stands in the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

impl Example {
    /// The same of a whole entry, by how its source begins.
    #[must_use]
    pub(crate) fn beginning(self, raw: &str) -> Example {
        let raw = raw.trim();
        Example { from: (!raw.is_empty()).then(|| shorten(raw)), ..self }
    }

    /// A leaf, its values shortened.
    pub(crate) fn of(leaf: &Told<'_>) -> Example {
        let Told { input, entry, line, column, path, from, to } = leaf;
        Example {
            input: input.map(str::to_owned),
            entry: *entry,
            line: *line,
            column: *column,
            path: path.map(str::to_owned),
            from: from.map(shorten),
            to: to.as_deref().map(shorten),
        }
    }

    fn told(&self) -> Told<'_> {
        let Example { input, entry, line, column, path, from, to } = self;
        Told {
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
    /// What happened, exactly.
    pub code: Code,
    /// The model's name of the field.
    pub field: &'static str,
    /// The reason, for people.
    pub why: &'static str,
    /// How many leaves.
    pub count: u64,
    /// The first of them.
    pub examples: Vec<Example>,
    /// How many examples are looked for.
    pub(crate) wanted: usize,
}

impl Row {
    /// How much it matters.
    pub fn severity(&self) -> Severity {
        Severity::of(self.kind, self.code)
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
    /// What stood there.
    pub found: String,
    /// What was done.
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
/// How many repairs are listed with their places.
const DIAGNOSTICS: usize = 10_000;

/// The books of a run.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    totals: Totals,
    /// How many leaves of each field were kept, by the field's number; empty before the first.
    kept: Vec<u64>,
    rows: Vec<Row>,
    index: HashMap<RowKey, usize>,
    /// Rows that have their examples elsewhere.
    sated: Arc<Sated>,
    near: Near,
    fated: Fated,
    /// Every occurrence as a JSON line, if asked for.
    lines: Option<Vec<u8>>,
    /// What the lines of each row begin with, as JSON.
    words: Vec<Vec<u8>>,
    diagnostics: Vec<Diagnostic>,
    diagnostics_seen: u64,
    /// How many repairs there were of each code.
    by_code: BTreeMap<&'static str, u64>,
    /// The first guess, with the line of its entry.
    doubt: Option<(&'static str, u32)>,
    feed: Side,
    scratch: Scratch,
}

type RowKey = (LossKind, Code, &'static str, &'static str);

/// Rows that have all the examples they want.
#[derive(Clone, Debug, Default)]
pub struct Sated {
    rows: HashSet<RowKey>,
    /// Nobody reads any.
    all: bool,
}

impl Sated {
    /// How many rows there are that have all.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether all rows want some.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && !self.all
    }
}

/// The rows that the fate table leads to, by the field's number: of those that nothing more is told of, most leaves are
/// only counted.
#[derive(Clone, Debug, Default)]
struct Fated {
    table: Option<FateTable>,
    rows: Vec<Option<usize>>,
}

impl Fated {
    /// Forgets what another table said.
    fn follow(&mut self, table: FateTable) {
        if !self.table.is_some_and(|known| std::ptr::fn_addr_eq(known, table)) {
            self.rows.clear();
            self.rows.resize(Field::ALL.len(), None);
            self.table = Some(table);
        }
    }
}

/// The rows of each field, found by its number: the values of one meet the same few fates again and again.
#[derive(Clone, Debug, Default)]
struct Near {
    /// By the field's number, one more than that of the last of its links; 0 before the first.
    last: Vec<u32>,
    links: Vec<Link>,
}

/// A row of a field, and the one noted before it.
#[derive(Clone, Debug)]
struct Link {
    kind: LossKind,
    code: Code,
    why: &'static str,
    row: usize,
    before: u32,
}

impl Near {
    fn find(&self, kind: LossKind, code: Code, field: Field, why: &'static str) -> Option<usize> {
        let mut next = *self.last.get(field as usize)?;
        while let Some(link) = next.checked_sub(1).and_then(|next| self.links.get(next as usize)) {
            // a text that stands in the program twice is noted twice
            if link.kind == kind && link.code == code && std::ptr::eq(link.why, why) {
                return Some(link.row);
            }
            next = link.before;
        }
        None
    }

    fn note(&mut self, kind: LossKind, code: Code, field: Field, why: &'static str, row: usize) {
        if self.last.is_empty() {
            self.last.resize(Field::ALL.len(), 0);
        }
        if let Some(last) = self.last.get_mut(field as usize) {
            self.links.push(Link { kind, code, why, row, before: *last });
            *last = self.links.len() as u32;
        }
    }
}

/// Shows every leaf of an entry, as often as asked.
type Leaves<'w, 'e> = dyn Fn(&mut dyn FnMut(Seen<'e>)) + 'w;

#[derive(Clone, Debug, Default)]
struct Scratch {
    fields: Vec<Option<Field>>,
    /// Of a leaf that gave several values: what became of those behind the first, later of the first itself.
    parts: Vec<(State, bool)>,
    /// These leaves, and the values behind the first.
    pieces: Vec<usize>,
}

/// What became of one leaf.
struct Outcome<'d> {
    kind: LossKind,
    code: Code,
    field: Option<Field>,
    /// Without a field it is the entry's.
    of_entry: bool,
    why: &'static str,
    more: Option<&'d More>,
}

impl<'d> Outcome<'d> {
    /// Nothing of which is said of this leaf alone.
    fn plain(kind: LossKind, code: Code, field: Option<Field>, why: &'static str) -> Outcome<'d> {
        Outcome { kind, code, field, of_entry: false, why, more: None }
    }

    /// The same, where a leaf without a field is the entry's.
    fn of_entry(kind: LossKind, code: Code, field: Option<Field>, why: &'static str) -> Outcome<'d> {
        Outcome { of_entry: true, ..Outcome::plain(kind, code, field, why) }
    }

    /// What a writer noted.
    fn noted(kind: LossKind, field: Option<Field>, of: u32, side: &'d Side) -> Outcome<'d> {
        let detail = &side.details[of as usize];
        Outcome { more: side.more(detail), ..Outcome::plain(kind, detail.code, field, detail.why) }
    }

    fn field(&self) -> &'static str {
        self.field.map_or(if self.of_entry { "entry" } else { "?" }, Field::name)
    }

    /// Why, in more words if there are some.
    fn says(&self) -> &str {
        self.more.and_then(|more| more.said.as_deref()).unwrap_or(self.why)
    }

    /// It stands in the output as it was, but in other words.
    fn is_unaltered(&self) -> bool {
        self.kind == LossKind::Changed && self.code == Code::ForeignKept && self.to().is_none()
    }

    /// How it stands in the output, where that was noted.
    fn to(&self) -> Option<&'d str> {
        self.more.and_then(|more| more.to.as_deref())
    }
}

impl Ledger {
    /// Empty books; `full` also writes every occurrence as a line of JSON.
    pub fn new(full: bool) -> Ledger {
        Ledger { lines: full.then(Vec::new), ..Ledger::default() }
    }

    /// Empty books that look for no examples of these rows, as they stand in books that come before them.
    pub fn beside(full: bool, sated: Arc<Sated>) -> Ledger {
        Ledger { sated, ..Ledger::new(full) }
    }

    /// The same books without examples, where nobody reads any.
    #[must_use]
    pub fn without_examples(mut self) -> Ledger {
        self.sated = Arc::new(Sated { all: true, ..Sated::default() });
        self
    }

    /// The rows that want no more examples.
    pub fn sated(&self) -> Sated {
        let full = self.rows.iter().filter(|row| row.examples.len() >= EXAMPLES);
        let rows = full.map(|row| (row.kind, row.code, row.field, row.why)).collect();
        Sated { rows, all: self.sated.all }
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

    /// How many values of each field are in the output as they were: those of which there are any, in model order.
    /// Constants and defaults said aloud have no field and are not among them.
    pub fn kept(&self) -> impl Iterator<Item = (Field, u64)> {
        let of = |field: &Field| (*field, self.kept.get(*field as usize).copied().unwrap_or(0));
        Field::ALL.iter().map(of).filter(|(_, count)| *count > 0)
    }

    /// Repairs of the input, at most 10,000 of them.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
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
    pub fn doubt(&self) -> Option<(&'static str, u32)> {
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
        *self.by_code.entry(diagnostic.code).or_insert(0) += 1;
        if self.diagnostics.len() < DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Counts repairs of which nothing more is known.
    pub fn untold(&mut self, count: u64) {
        self.diagnostics_seen += count;
    }

    /// Notes an entry of which nothing could be read: one leaf, lost.
    pub fn unreadable(&mut self, why: &'static str, here: Example) {
        self.totals.leaves += 1;
        let outcome = Outcome::of_entry(LossKind::Lost, Code::EntryDropped, None, why);
        if let Some(row) = self.count(&outcome) {
            self.tell(row, &outcome, &here.told());
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
        for row in other.rows {
            let index = self.row(row.kind, row.code, row.field, row.why);
            let Some(mine) = index.and_then(|index| self.rows.get_mut(index)) else { continue };
            mine.count += row.count;
            let room = EXAMPLES.saturating_sub(mine.examples.len());
            mine.examples.extend(row.examples.into_iter().take(room));
        }
        self.diagnostics_seen += other.diagnostics_seen;
        for (code, count) in other.by_code {
            *self.by_code.entry(code).or_insert(0) += count;
        }
        self.doubt = self.doubt.or(other.doubt);
        let room = DIAGNOSTICS.saturating_sub(self.diagnostics.len());
        self.diagnostics.extend(other.diagnostics.into_iter().take(room));
        if let (Some(lines), Some(more)) = (&mut self.lines, other.lines) {
            lines.extend(more);
        }
        self.feed.absorb(&other.feed);
    }

    /// The number of a row; none if there are too many.
    fn row(&mut self, kind: LossKind, code: Code, field: &'static str, why: &'static str) -> Option<usize> {
        let next = self.rows.len();
        let index = *self.index.entry((kind, code, field, why)).or_insert(next);
        if index == next {
            if next >= ROWS {
                self.index.remove(&(kind, code, field, why));
                return None;
            }
            let sated = self.sated.all || self.sated.rows.contains(&(kind, code, field, why));
            let wanted = if sated { 0 } else { EXAMPLES };
            self.rows.push(Row { kind, code, field, why, count: 0, examples: Vec::new(), wanted });
        }
        Some(index)
    }

    fn row_of(&mut self, outcome: &Outcome<'_>) -> Option<usize> {
        let Outcome { kind, code, field, why, .. } = *outcome;
        if let Some(row) = field.and_then(|field| self.near.find(kind, code, field, why)) {
            return Some(row);
        }
        let row = self.row(kind, code, outcome.field(), why)?;
        if let Some(field) = field {
            self.near.note(kind, code, field, why, row);
        }
        Some(row)
    }

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

    /// Counts a leaf; the number of its row, if it is to be told of.
    fn count(&mut self, outcome: &Outcome<'_>) -> Option<usize> {
        let sum = match outcome.kind {
            LossKind::Lost => &mut self.totals.lost,
            LossKind::Changed => &mut self.totals.changed,
            LossKind::Unread => &mut self.totals.unread,
            LossKind::Merged => &mut self.totals.merged,
            LossKind::Made => &mut self.totals.made,
        };
        *sum += 1;
        let index = self.row_of(outcome)?;
        let row = self.rows.get_mut(index)?;
        row.count += 1;
        (row.examples.len() < row.wanted || self.lines.is_some()).then_some(index)
    }

    /// Counts a leaf that only the fate table settles, if it is known that nothing is told of it.
    fn is_fated(&mut self, field: Option<Field>) -> bool {
        let row = field.and_then(|field| *self.fated.rows.get(field as usize)?);
        let Some(row) = row.and_then(|row| self.rows.get_mut(row)) else { return false };
        self.totals.lost += 1;
        row.count += 1;
        true
    }

    /// Notes the row of such a leaf, of which nothing is told any more.
    fn note_fated(&mut self, outcome: &Outcome<'_>) {
        let row = self.row_of(outcome);
        if let Some(slot) = outcome.field.and_then(|field| self.fated.rows.get_mut(field as usize)) {
            *slot = row;
        }
    }

    /// Tells of a leaf that was counted in this row.
    fn tell(&mut self, row: usize, outcome: &Outcome<'_>, leaf: &Told<'_>) {
        if let Some(row) = self.rows.get_mut(row).filter(|row| row.examples.len() < row.wanted) {
            row.examples.push(Example::of(leaf));
        }
        if let Some(lines) = &mut self.lines {
            if self.words.len() <= row {
                self.words.resize(row + 1, Vec::new());
            }
            let words = &mut self.words[row];
            if words.is_empty() {
                write_words(words, outcome);
            }
            write_line(lines, words, outcome, leaf);
        }
    }

    /// Closes the books of an entry: every leaf of `walk` is accounted for, or this is our bug.
    ///
    /// # Errors
    /// [`ErrorKind::Unbalanced`], naming the field and the line.
    pub fn close<'e>(
        &mut self,
        books: &mut Books,
        origin: &Origin<'_>,
        table: FateTable,
        walk: impl Fn(&mut dyn FnMut(Seen<'e>)),
    ) -> Result<(), Error> {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.fields.clear();
        scratch.fields.resize(origin.records.len(), None);
        let mut unnumbered = None;
        walk(&mut |seen: Seen<'e>| {
            if seen.mark.of_feed() {
                return;
            }
            match scratch.fields.get_mut(seen.mark.0 as usize) {
                Some(slot) => *slot = slot.or(Some(seen.field)),
                None => unnumbered = Some(seen.field),
            }
        });
        let result = match unnumbered {
            Some(field) => Err(unbalanced(origin, 0, field.name(), "in the model without a number")),
            None => self.settle(books, origin, table, &mut scratch, &walk),
        };
        self.feed.absorb(&books.feed);
        books.feed.open(0);
        self.scratch = scratch;
        result
    }

    fn settle<'e>(
        &mut self,
        books: &mut Books,
        origin: &Origin<'_>,
        table: FateTable,
        scratch: &mut Scratch,
        walk: &Leaves<'_, 'e>,
    ) -> Result<(), Error> {
        if books.own.states.len() < origin.records.len() {
            books.own.states.resize(origin.records.len(), State::Open);
        }
        scratch.gather(&mut books.own, &origin.records, table);
        self.fated.follow(table);
        let mut places = Places::new(origin);
        let closing = Closing { books, origin, scratch, table, walk };
        for (index, record) in origin.records.iter().enumerate() {
            let of = match record.role {
                Role::Leaf => index,
                // followers of followers do not occur: a reader lets a leaf follow a value
                Role::Follows(of) => of.0 as usize,
                Role::Part(_) | Role::Silent => continue,
            };
            self.totals.leaves += 1;
            self.settle_leaf(&closing, &mut places, index, of)?;
        }
        self.settle_made(books, &mut places);
        if let (None, Some(why)) = (self.doubt, books.doubts.first()) {
            self.doubt = Some((why, origin.line()));
        }
        Ok(())
    }

    /// Settles a leaf that goes where the value with the second number goes, mostly its own.
    fn settle_leaf(
        &mut self,
        closing: &Closing<'_, '_, '_, '_>,
        places: &mut Places<'_, '_>,
        index: usize,
        of: usize,
    ) -> Result<(), Error> {
        let Closing { books, origin, scratch, .. } = *closing;
        let Some(record) = origin.records.get(of) else {
            return Err(unbalanced(origin, index, "?", "follows a leaf that is not there"));
        };
        let field = scratch.fields[of];
        let is_open = match books.own.states[of] {
            _ if record.preset != Preset::Open || books.blanket.is_some() => false,
            State::Kept => {
                self.keep(field);
                return Ok(());
            }
            State::Open if self.is_fated(field) => return Ok(()),
            State::Open => true,
            State::Lost(_) | State::Merged(_) | State::Changed(_) => false,
        };
        let outcome = match closing.outcome(of, record) {
            Ok(Some(outcome)) => outcome,
            Ok(None) => {
                self.keep(field);
                return Ok(());
            }
            Err(what) => return Err(unbalanced(origin, index, field.map_or("?", Field::name), what)),
        };
        match self.count(&outcome) {
            Some(row) => {
                let mut leaf = places.leaf(index, closing.written(&outcome, index));
                if outcome.is_unaltered() {
                    leaf.to = leaf.from.map(Cow::Borrowed);
                }
                self.tell(row, &outcome, &leaf);
            }
            None if is_open => self.note_fated(&outcome),
            None => (),
        }
        Ok(())
    }

    fn settle_made(&mut self, books: &mut Books, places: &mut Places<'_, '_>) {
        for made in std::mem::take(&mut books.made) {
            let outcome = Outcome::plain(LossKind::Made, made.code, Some(made.field), made.why);
            let Some(row) = self.count(&outcome) else { continue };
            let to = Some(Cow::Borrowed(made.to.as_str()));
            let leaf = match made.from {
                Some(mark) if mark.is_some() && !mark.of_feed() => places.leaf(mark.0 as usize, to),
                _ => places.entry(to),
            };
            self.tell(row, &outcome, &leaf);
        }
    }

    /// Closes the books of the head, after those of all entries that may have used its values.
    ///
    /// # Errors
    /// [`ErrorKind::Unbalanced`].
    pub fn close_feed<'e>(
        &mut self,
        books: &mut Books,
        origin: &Origin<'_>,
        table: FateTable,
        walk: impl Fn(&mut dyn FnMut(Seen<'e>)),
    ) -> Result<(), Error> {
        self.feed.absorb(&books.feed);
        let used = std::mem::take(&mut self.feed);
        let made = std::mem::take(&mut books.made);
        let doubts = std::mem::take(&mut books.doubts);
        let mut own = Books { own: used, made, doubts, ..Books::default() };
        own.blanket = books.blanket;
        books.feed.open(0);
        self.close(&mut own, origin, table, |visit| {
            walk(&mut |seen: Seen<'e>| visit(Seen { mark: unfeed(seen.mark), ..seen }));
        })
    }
}

impl Scratch {
    /// Counts the members of lists with the leaf that gave them.
    fn gather(&mut self, side: &mut Side, records: &[Record], table: FateTable) {
        let Scratch { fields, parts, pieces } = self;
        pieces.clear();
        parts.clear();
        for (index, record) in records.iter().enumerate() {
            if let Role::Part(of) = record.role {
                pieces.extend([of.0 as usize, index]);
            }
        }
        if pieces.is_empty() {
            return;
        }
        pieces.sort_unstable();
        pieces.dedup();
        parts.resize(records.len(), (State::Open, false));
        for &index in &*pieces {
            let record = &records[index];
            if side.states[index] == State::Open
                && record.preset != Preset::Unread
                && let Some(field) = fields[index]
                && let Fate::Lost(code, why) = table(field)
            {
                side.states[index] = State::Lost(side.reason(code, why));
            }
            if let Role::Part(of) = record.role {
                let state = side.states[index];
                if fields[of.0 as usize].is_none() {
                    fields[of.0 as usize] = fields[index];
                }
                let part = &mut parts[of.0 as usize];
                *part = match *part {
                    (State::Open, false) => (state, true),
                    (before, _) => (mixed(before, state, &mut side.details), true),
                };
            }
        }
        // the first member of a list bears the leaf's own mark
        for &index in &*pieces {
            let (parts, some) = &mut parts[index];
            if *some {
                let own = side.states[index];
                let whole = match own {
                    State::Open => *parts,
                    own => mixed(own, *parts, &mut side.details),
                };
                side.states[index] = whole;
                *parts = own;
            }
        }
    }
}

/// What is known of an entry when its books are closed.
struct Closing<'c, 'a, 'w, 'e> {
    books: &'c Books,
    origin: &'c Origin<'a>,
    scratch: &'c Scratch,
    table: FateTable,
    walk: &'c Leaves<'w, 'e>,
}

impl<'c> Closing<'c, '_, '_, '_> {
    /// What became of a leaf, by the books of the value that it is or follows, and by the fate table; nothing where it
    /// is in the output as it was.
    fn outcome(&self, of: usize, record: &Record) -> Result<Option<Outcome<'c>>, &'static str> {
        let Closing { books, origin, scratch, table, .. } = *self;
        let field = scratch.fields[of];
        if let Some((code, why)) = books.blanket {
            let field = field.or_else(|| match record.preset {
                Preset::Joined(_, _, field) => Some(field),
                Preset::Merged(_, with) => merged_field(origin, &scratch.fields, with),
                Preset::Open | Preset::Adjusted(..) | Preset::Implied | Preset::Unread => None,
            });
            return Ok(Some(Outcome::of_entry(LossKind::Lost, code, field, why)));
        }
        let state = books.own.states[of];
        let noted = |kind, of| Outcome::noted(kind, field, of, &books.own);
        Ok(Some(match (record.preset, state) {
            (Preset::Implied, _) => return Ok(None),
            (Preset::Merged(code, with), State::Open | State::Lost(_) | State::Merged(_)) => {
                let field = merged_field(origin, &scratch.fields, with).or(field);
                Outcome::of_entry(LossKind::Merged, code, field, code.meaning())
            }
            (Preset::Joined(code, why, field), State::Open | State::Lost(_) | State::Merged(_)) => {
                Outcome::plain(LossKind::Merged, code, Some(field), why)
            }
            (Preset::Unread, State::Changed(of)) => Outcome { code: Code::ForeignKept, ..noted(LossKind::Unread, of) },
            (Preset::Unread, State::Kept) => {
                let code = Code::ForeignKept;
                Outcome::plain(LossKind::Unread, code, field, code.meaning())
            }
            (Preset::Unread, _) if field.is_some() => {
                let code = Code::ExtensionDropped;
                Outcome::plain(LossKind::Unread, code, field, code.meaning())
            }
            (Preset::Adjusted(code, why), State::Kept) => Outcome::plain(LossKind::Changed, code, field, why),
            (_, State::Kept) => return Ok(None),
            (_, State::Changed(of)) => noted(LossKind::Changed, of),
            (_, State::Merged(of)) => noted(LossKind::Merged, of),
            (_, State::Lost(of)) => noted(LossKind::Lost, of),
            (_, State::Open) => match field.map(table) {
                Some(Fate::Lost(code, why)) => Outcome::plain(LossKind::Lost, code, field, why),
                Some(Fate::Native(_) | Fate::Near(..)) => return Err("neither written nor reported"),
                None => return Err("read and then forgotten"),
            },
        }))
    }

    /// How a leaf stands in the output, where that is known.
    fn written<'b>(&self, outcome: &Outcome<'b>, index: usize) -> Option<Cow<'b, str>> {
        // the word for what a value says is none for what follows it
        let follows = matches!(self.origin.records.get(index).map(|record| record.role), Some(Role::Follows(_)));
        if follows && outcome.code == Code::EnumMapped {
            return None;
        }
        let in_pieces = match self.scratch.parts.get(index) {
            Some((own, true)) if outcome.kind == LossKind::Changed => {
                remainder(self.books, self.origin, index, *own, self.walk)
            }
            _ => None,
        };
        in_pieces.map(Cow::Owned).or(outcome.to().map(Cow::Borrowed))
    }
}

fn unfeed(mark: Mark) -> Mark {
    if mark.of_feed() { Mark(mark.0 & !Mark::FEED) } else { mark }
}

/// How many values may each be merged into the next: one of an entry that was joined to another, and then some.
const MERGED_INTO: usize = 32;

/// The field of the value that stands for a merged one.
fn merged_field(origin: &Origin<'_>, fields: &[Option<Field>], mut with: Mark) -> Option<Field> {
    for _ in 0..MERGED_INTO {
        let index = (with.0 & !Mark::FEED) as usize;
        if let Some(field) = fields.get(index).copied().flatten() {
            return Some(field);
        }
        let record = origin.records.get(index)?;
        with = match (record.preset, record.role) {
            (Preset::Joined(_, _, field), _) => return Some(field),
            (Preset::Merged(_, next), _) => next,
            (_, Role::Follows(of) | Role::Part(of)) => of,
            (_, Role::Leaf | Role::Silent) => return None,
        };
    }
    None
}

/// A leaf of which some members were written and others not is a changed one; where all met one fate, so did the leaf.
fn mixed(before: State, state: State, details: &mut Vec<Detail>) -> State {
    if matches!((before, state), (State::Lost(_), State::Lost(_)) | (State::Merged(_), State::Merged(_))) {
        return before;
    }
    let detail_of = |state: State| match state {
        State::Lost(of) | State::Merged(of) | State::Changed(of) => Some(of),
        State::Open | State::Kept => None,
    };
    if before == State::Open || state == State::Open {
        return State::Open;
    }
    // that a member is gone is told, whatever became of the others
    let is_gone = |of: &u32| details.get(*of as usize).is_some_and(|detail| detail.code == Code::CountryDropped);
    let both = || detail_of(before).into_iter().chain(detail_of(state));
    let Some(of) = both().find(is_gone).or_else(|| both().next()) else { return State::Kept };
    let mut detail = details[of as usize];
    if !detail.code.is_change() {
        detail.code = Code::Split;
    }
    details.push(detail);
    State::Changed((details.len() - 1) as u32)
}

/// What is in the output of a leaf that gave several values: those that were written, in order.
fn remainder<'e>(books: &Books, origin: &Origin<'_>, leaf: usize, own: State, walk: &Leaves<'_, 'e>) -> Option<String> {
    let is_member = |index: usize| {
        index == leaf
            || matches!(origin.records.get(index).map(|record| record.role), Some(Role::Part(of)) if of.0 as usize == leaf)
    };
    if let Some(text) = books.wholes.get(&Mark(leaf as u32)) {
        return (!text.is_empty()).then(|| text.clone());
    }
    let mut told = HashSet::new();
    let mut pieces: Vec<(u32, String)> = Vec::new();
    walk(&mut |seen: Seen<'e>| {
        let index = seen.mark.0 as usize;
        if seen.mark.of_feed() || !is_member(index) || !told.insert(index) {
            return;
        }
        match books.own.states.get(index).map(|state| if index == leaf { &own } else { state }) {
            Some(State::Kept) => pieces.push((seen.mark.0, seen.value.to_string())),
            Some(State::Changed(of)) => {
                let detail = books.own.details.get(*of as usize);
                let to = detail.and_then(|detail| books.own.more(detail)?.to.clone());
                pieces.push((seen.mark.0, to.unwrap_or_else(|| seen.value.to_string())));
            }
            Some(State::Open | State::Lost(_) | State::Merged(_)) | None => (),
        }
    });
    pieces.sort_unstable_by_key(|(mark, _)| *mark);
    let texts: Vec<String> = pieces.into_iter().map(|(_, text)| text).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

fn unbalanced(origin: &Origin<'_>, index: usize, field: &'static str, what: &'static str) -> Error {
    let mut places = Places::new(origin);
    let leaf = places.leaf(index, None);
    Error::from(ErrorKind::Unbalanced {
        line: leaf.line.unwrap_or(0),
        path: leaf.path.unwrap_or_default().to_owned(),
        field,
        what,
    })
}

/// A value as reports show it: at most 200 characters.
pub fn shorten(text: &str) -> String {
    match text.char_indices().nth(200) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Appends what the lines of a row begin with: words of ours, the same in all of them.
fn write_words(words: &mut Vec<u8>, outcome: &Outcome<'_>) {
    let severity = Severity::of(outcome.kind, outcome.code).name();
    write_text(words, "{\"kind\":", outcome.kind.name());
    write_text(words, ",\"code\":", outcome.code.name());
    write_text(words, ",\"severity\":", severity);
    write_text(words, ",\"field\":", outcome.field());
}

/// Appends an occurrence as JSON.
fn write_line(lines: &mut Vec<u8>, words: &[u8], outcome: &Outcome<'_>, leaf: &Told<'_>) {
    let Told { input, entry, line, column, path, from, to } = leaf;
    lines.extend_from_slice(words);
    write_text(lines, ",\"why\":", outcome.says());
    if let Some(input) = input {
        write_text(lines, ",\"input\":", input);
    }
    let numbers =
        [(",\"entry\":", *entry), (",\"line\":", line.map(u64::from)), (",\"column\":", column.map(u64::from))];
    for (name, number) in numbers {
        if let Some(number) = number {
            lines.extend_from_slice(name.as_bytes());
            // writing to memory does not fail, here and below
            let _ = serde_json::to_writer(&mut *lines, &number);
        }
    }
    for (name, text) in [(",\"path\":", *path), (",\"from\":", *from), (",\"to\":", to.as_deref())] {
        if let Some(text) = text {
            write_text(lines, name, text);
        }
    }
    lines.extend_from_slice(b"}\n");
}

/// Appends a text as JSON; most need no escapes.
fn write_text(lines: &mut Vec<u8>, name: &str, text: &str) {
    lines.extend_from_slice(name.as_bytes());
    let odd = |block| bytes::below(block, 0x20) | bytes::equal(block, b'"', 0) | bytes::equal(block, b'\\', 0);
    let is_odd = |byte: u8| (byte < 0x20) | (byte == b'"') | (byte == b'\\');
    let rest = text.as_bytes().get(bytes::blocks_before(text.as_bytes(), is_odd)..).unwrap_or_default();
    if bytes::any(rest, odd) {
        let _ = serde_json::to_writer(&mut *lines, text);
        return;
    }
    lines.push(b'"');
    lines.extend_from_slice(text.as_bytes());
    lines.push(b'"');
}
