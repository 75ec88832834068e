//! Closes the books of an entry: compares the writer's records with the walk over the model and the fate table, and
//! counts each leaf in its row. A leaf that is not accounted for aborts the run.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::books::{BookSide, Books, ChangeDetail, LeafDetail, ValueState};
use super::rows::RowSubject;
use super::same::{self, EqualityCandidate};
use super::{Ledger, SHOWN, shorten};
use crate::code::{Code, LossKind};
use crate::error::{Error, ErrorKind};
use crate::fate::{Fate, FateTable};
use crate::model::origin::{LeafRecord, Origin, Preset, Role, SourcePart, Syntax};
use crate::model::refers::{UrlContent, refers};
use crate::model::{Field, LeafView, Mark, Value};
use crate::place::{LeafPlaces, ReportedLeaf, element_name};
use crate::reason::Reason;
use crate::text::url;

/// Shows every leaf of an entry, as often as asked.
type Leaves<'w, 'e> = dyn Fn(&mut dyn FnMut(LeafView<'e>)) + 'w;

#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    fields: Vec<Option<Field>>,
    /// Of a leaf that gave several values: what became of those behind the first, later of the first itself.
    parts: Vec<(ValueState, bool)>,
    /// These leaves, and the values behind the first.
    pieces: Vec<usize>,
}

/// The outcome of one leaf.
pub(super) struct LeafOutcome<'d> {
    pub(super) kind: LossKind,
    pub(super) field: Option<Field>,
    /// Without a field it is the entry's.
    of_entry: bool,
    pub(super) why: Reason,
    more: Option<&'d LeafDetail>,
    /// The element that contained the leaf, or its path, where the field covers many elements.
    pub(super) within: Option<&'d str>,
    /// The leaf is an attribute that describes the value.
    pub(super) is_beside: bool,
}

impl<'d> LeafOutcome<'d> {
    /// An outcome without details of this leaf alone.
    pub(super) fn plain(kind: LossKind, field: Option<Field>, why: Reason) -> LeafOutcome<'d> {
        LeafOutcome { kind, field, of_entry: false, why, more: None, within: None, is_beside: false }
    }

    /// The same, where a leaf without a field is the entry's.
    pub(super) fn of_entry(kind: LossKind, field: Option<Field>, why: Reason) -> LeafOutcome<'d> {
        LeafOutcome { of_entry: true, ..LeafOutcome::plain(kind, field, why) }
    }

    /// What a writer noted.
    fn noted(kind: LossKind, field: Option<Field>, of: u32, side: &'d BookSide) -> LeafOutcome<'d> {
        let detail = &side.details[of as usize];
        LeafOutcome { more: side.more(detail), ..LeafOutcome::plain(kind, field, detail.why) }
    }

    /// The subject of its row.
    pub(super) fn place(&self) -> RowSubject {
        match self.field {
            Some(field) => RowSubject::Field(field),
            None if self.of_entry => RowSubject::Entry,
            None => RowSubject::Unknown,
        }
    }

    /// The field of the equal value in the output, if that is the reason.
    pub(super) fn same(&self) -> Option<Field> {
        self.more.and_then(|more| more.same)
    }

    /// Why, in more words than the row's, if there are some.
    pub(super) fn value(&self) -> Option<&str> {
        self.more.and_then(|more| more.said.as_deref())
    }

    /// The text is unchanged, but written as markup of another format.
    fn is_unaltered(&self) -> bool {
        self.kind == LossKind::Changed && self.why.code() == Code::ForeignKept && self.to().is_none()
    }

    /// The kind of text that a value became.
    fn new_kind(&self) -> Option<&'static str> {
        match self.why.code() {
            Code::MarkupStripped => Some("plain"),
            Code::TypeChanged => Some("html"),
            _ => None,
        }
    }

    /// The value as written, if noted.
    fn to(&self) -> Option<&'d str> {
        self.more.and_then(|more| more.to.as_deref())
    }
}

impl Ledger {
    /// Closes the books of an entry: every leaf of `walk` is accounted for, or this is our bug.
    ///
    /// # Errors
    /// [`ErrorKind::Unbalanced`], naming the field and the line.
    pub fn close<'e>(
        &mut self,
        books: &mut Books,
        origin: &Origin<'_>,
        table: FateTable,
        walk: impl Fn(&mut dyn FnMut(LeafView<'e>)),
    ) -> Result<(), Error> {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.fields.clear();
        scratch.fields.resize(origin.records.len(), None);
        let mut unnumbered = None;
        let mut leaves = WalkNotes::default();
        leaves.candidates.reserve(origin.records.len().min(CANDIDATES));
        let is_whole = books.blanket.is_none();
        let mut lent = HashMap::new();
        walk(&mut |seen: LeafView<'e>| {
            if is_whole {
                leaves.candidates.extend(EqualityCandidate::from_leaf(&seen));
            }
            if seen.mark.of_feed() {
                if !origin.lent.is_empty() {
                    lent.insert(seen.mark, seen.field);
                }
                return;
            }
            if let Some(within) = seen.within {
                leaves.within.push((seen.mark, within));
            }
            match scratch.fields.get_mut(seen.mark.0 as usize) {
                // a guid may be the page too
                Some(slot @ Some(Field::Loc)) if seen.field == Field::Id => *slot = Some(seen.field),
                Some(slot) => *slot = slot.or(Some(seen.field)),
                None => unnumbered = Some(seen.field),
            }
        });
        let result = match unnumbered {
            Some(field) => Err(unbalanced(origin, 0, field.name(), "in the model without a number")),
            None => self.settle(books, origin, table, &mut scratch, leaves, &walk),
        };
        if is_whole {
            settle_lent(books, origin, table, &lent);
        }
        self.feed.absorb(&books.feed);
        books.feed.reopen();
        self.scratch = scratch;
        result
    }

    fn settle<'e>(
        &mut self,
        books: &mut Books,
        origin: &Origin<'_>,
        table: FateTable,
        scratch: &mut Scratch,
        mut leaves: WalkNotes<'e>,
        walk: &Leaves<'_, 'e>,
    ) -> Result<(), Error> {
        if books.own.states.len() < origin.records.len() {
            books.own.states.resize(origin.records.len(), ValueState::Open);
        }
        for (number, field) in &books.own.lent {
            if let (Some(field), Some(slot)) = (field, scratch.fields.get_mut(*number as usize)) {
                *slot = Some(*field);
            }
        }
        lose_misplaced(&mut books.own, origin, &scratch.fields, table);
        scratch.gather(&mut books.own, &origin.records, table);
        let is_alone = |index: usize| !matches!(scratch.parts.get(index), Some((_, true)));
        same::merge(books, &origin.records, table, &leaves.candidates, is_alone);
        leaves.within.sort_unstable_by_key(|(mark, _)| *mark);
        self.fated.follow(table);
        let mut places = LeafPlaces::new(origin);
        let closing = EntryClosing {
            books,
            origin,
            scratch,
            table,
            within: &leaves.within,
            walk,
            instead: OnceCell::new(),
            content: OnceCell::new(),
            pieces: OnceCell::new(),
        };
        let is_whole = closing.books.blanket.is_none();
        let leaves = origin.records.iter().zip(&closing.scratch.fields).zip(&closing.books.own.states).enumerate();
        for (index, ((record, field), state)) in leaves {
            if closing.books.is_pending(index) {
                continue;
            }
            let of = match record.role {
                Role::Leaf if is_whole && record.preset == Preset::Open => {
                    self.totals.leaves += 1;
                    if is_of_many(*field) || self.is_naming() || !self.is_counted(*state, *field, &closing.books.own) {
                        self.settle_leaf(&closing, &mut places, index, index)?;
                    }
                    continue;
                }
                Role::Leaf => index,
                // followers of followers do not occur: a reader lets a leaf follow a value
                Role::Follows(of) => of.0 as usize,
                Role::Filled(line) => {
                    self.settle_filled(&closing, &mut places, index, line);
                    continue;
                }
                Role::Part(_) | Role::Silent => continue,
            };
            self.totals.leaves += 1;
            self.settle_leaf(&closing, &mut places, index, of)?;
        }
        self.settle_made(books, &mut places);
        if let (None, Some((field, why))) = (self.doubt, books.doubts.first()) {
            self.doubt = Some((*field, *why, origin.line()));
        }
        Ok(())
    }

    /// Settles a leaf that goes where the value with the second number goes, mostly its own.
    fn settle_leaf(
        &mut self,
        closing: &EntryClosing<'_, '_, '_, '_>,
        places: &mut LeafPlaces<'_, '_>,
        index: usize,
        of: usize,
    ) -> Result<(), Error> {
        let EntryClosing { books, origin, scratch, .. } = *closing;
        let Some(record) = origin.records.get(of) else {
            return Err(unbalanced(origin, index, "?", "follows a leaf that is not there"));
        };
        let field = scratch.fields[of];
        let state = books.own.states[of];
        let is_open = state == ValueState::Open && record.preset == Preset::Open && books.blanket.is_none();
        // this leaf is an attribute that describes the value it follows
        let said = origin.records.get(index).map(|own| own.preset).filter(|_| index != of);
        let outcome = match (closing.outcome(of, record), said) {
            (Ok(None), Some(Preset::Adjusted(why))) => Ok(Some(LeafOutcome::plain(LossKind::Changed, field, why))),
            // it is true of it still, unless the kind of the value is another
            (Ok(Some(outcome)), Some(Preset::Implied))
                if outcome.kind == LossKind::Changed && outcome.new_kind().is_none() =>
            {
                Ok(None)
            }
            (Ok(Some(outcome)), Some(Preset::Adjusted(why))) if outcome.kind == LossKind::Changed => {
                Ok(Some(LeafOutcome::plain(LossKind::Changed, field, why)))
            }
            (outcome, _) => outcome,
        };
        let outcome = match outcome {
            Ok(Some(outcome)) if is_of_many(outcome.field) => LeafOutcome { within: closing.within(of), ..outcome },
            Ok(Some(outcome)) => outcome,
            Ok(None) => {
                if self.is_naming() {
                    self.count_name(None, field.map_or("", Field::name), name_of(places, index));
                }
                match field.zip(closing.within(of)) {
                    Some((field, within)) => self.count_kept(field, within),
                    None => self.keep(field),
                }
                return Ok(());
            }
            Err(what) => return Err(unbalanced(origin, index, field.map_or("?", Field::name), what)),
        };
        if self.is_naming() {
            let row = (outcome.kind, outcome.why.code_as(outcome.kind));
            self.count_name(Some(row), outcome.place().name(), name_of(places, index));
        }
        match self.count(&outcome) {
            Some(row) => {
                let given = closing.given(index);
                let to = match (outcome.kind, said) {
                    (LossKind::Merged, Some(Preset::Implied)) if outcome.why.code() != Code::DuplicateMerged => None,
                    (LossKind::Merged, _) => {
                        let other = closing.written(&outcome, index).or_else(|| closing.instead(&outcome, of));
                        other.map(beginning)
                    }
                    (LossKind::Changed, Some(Preset::Adjusted(..))) => {
                        Some(Cow::Borrowed(outcome.new_kind().unwrap_or("plain")))
                    }
                    (LossKind::Changed, Some(Preset::Implied)) => outcome.new_kind().map(Cow::Borrowed),
                    (LossKind::Changed, _) | (_, None) => closing.written(&outcome, index),
                    (_, Some(_)) => None,
                };
                let mut leaf = places.leaf(index, to);
                leaf.from = leaf.from.or(given.as_deref());
                if outcome.is_unaltered() {
                    leaf.to = leaf.from.map(Cow::Borrowed);
                }
                let outcome = LeafOutcome { is_beside: said == Some(Preset::Implied), ..outcome };
                self.report(row, &outcome, &leaf);
            }
            None if is_open && outcome.within.is_none() => self.note_fated(&outcome),
            None => (),
        }
        Ok(())
    }

    /// Counts a leaf that its own books or the fate table alone settle, if its row needs no more examples.
    #[inline]
    fn is_counted(&mut self, state: ValueState, field: Option<Field>, side: &BookSide) -> bool {
        let (kind, of) = match state {
            ValueState::Kept => {
                self.keep(field);
                return true;
            }
            ValueState::Open => return self.is_fated(field),
            ValueState::Lost(of) => (LossKind::Lost, of),
            ValueState::Merged(of) => (LossKind::Merged, of),
            ValueState::Changed(of) => (LossKind::Changed, of),
        };
        let Some(field) = field else { return false };
        let Some(detail) = side.details.get(of as usize) else { return false };
        let more = side.more(detail);
        // the value that it was merged into may itself be lost
        if more.is_some_and(|more| more.with.is_some()) {
            return false;
        }
        self.is_near(kind, field, detail.why, more.and_then(|more| more.same))
    }

    /// Reports a value from another file, if it is in the output.
    fn settle_filled(
        &mut self,
        closing: &EntryClosing<'_, '_, '_, '_>,
        places: &mut LeafPlaces<'_, '_>,
        index: usize,
        line: u32,
    ) {
        let EntryClosing { books, origin, scratch, .. } = *closing;
        let is_written = matches!(books.own.states.get(index), Some(ValueState::Kept | ValueState::Changed(_)));
        let Some(field) = scratch.fields.get(index).copied().flatten().filter(|_| is_written) else { return };
        if books.dropped() {
            return;
        }
        let within = closing.within(index);
        let outcome = LeafOutcome { within, ..LeafOutcome::plain(LossKind::Made, Some(field), Reason::Enriched) };
        if self.is_naming() {
            let row = (LossKind::Made, Reason::Enriched.code_as(LossKind::Made));
            self.count_name(Some(row), field.name(), String::new());
        }
        let Some(row) = self.count(&outcome) else { return };
        let source = format!("{}:{line}", origin.filled_from.as_deref().unwrap_or_default());
        let value = closing.given(index).map(Cow::Owned);
        let leaf = ReportedLeaf { from: Some(&source), ..places.entry(value) };
        self.report(row, &outcome, &leaf);
    }

    fn settle_made(&mut self, books: &mut Books, places: &mut LeafPlaces<'_, '_>) {
        for made in std::mem::take(&mut books.made) {
            let outcome = LeafOutcome::plain(LossKind::Made, Some(made.field), made.why);
            if self.is_naming() {
                let row = (LossKind::Made, made.why.code_as(LossKind::Made));
                self.count_name(Some(row), made.field.name(), String::new());
            }
            let Some(row) = self.count(&outcome) else { continue };
            let to = Some(Cow::Borrowed(made.to.as_str()));
            let leaf = match made.from {
                Some(mark) if mark.is_some() && !mark.of_feed() => places.leaf(mark.0 as usize, to),
                _ => places.entry_of(made.beside, to),
            };
            self.report(row, &outcome, &leaf);
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
        walk: impl Fn(&mut dyn FnMut(LeafView<'e>)),
    ) -> Result<(), Error> {
        self.feed.absorb(&books.feed);
        let used = std::mem::take(&mut self.feed);
        let made = std::mem::take(&mut books.made);
        let doubts = std::mem::take(&mut books.doubts);
        let mut own = Books { own: used, made, doubts, dates: books.dates, ..Books::default() };
        (own.blanket, own.markup_dropped) = (books.blanket, books.markup_dropped);
        books.feed.reopen();
        self.close(&mut own, origin, table, |visit| {
            walk(&mut |seen: LeafView<'e>| visit(LeafView { mark: without_feed_bit(seen.mark), ..seen }));
        })
    }
}

/// The element or attribute of a leaf in the source; empty where the source has no markup.
fn name_of(places: &mut LeafPlaces<'_, '_>, index: usize) -> String {
    match places.leaf(index, None).path {
        Some(path) if path.contains('/') => element_name(path),
        _ => String::new(),
    }
}

impl Scratch {
    /// Counts the members of lists with the leaf that gave them.
    fn gather(&mut self, side: &mut BookSide, records: &[LeafRecord], table: FateTable) {
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
        parts.resize(records.len(), (ValueState::Open, false));
        for &index in &*pieces {
            let record = &records[index];
            if let Preset::Removed(_, why) = record.preset {
                side.states[index] = ValueState::Lost(side.reason(why));
            }
            if side.states[index] == ValueState::Open
                && !matches!(record.preset, Preset::Unread(_))
                && let Some(field) = fields[index]
                && let Fate::Lost(why) = table(field)
            {
                side.states[index] = ValueState::Lost(side.reason(why));
            }
            if let Role::Part(of) = record.role {
                let state = match (record.preset, side.states[index], side.states[of.0 as usize]) {
                    // an entry of the same page had it, but not the first member
                    (Preset::Joined(..), ValueState::Open, ValueState::Open) => ValueState::Open,
                    (Preset::Joined(why, field, _), ValueState::Open, _) => match table(field) {
                        Fate::Lost(why) => ValueState::Lost(side.reason(why)),
                        _ => ValueState::Merged(side.reason(why)),
                    },
                    // read as another member of the list, which is in the output
                    (Preset::Adjusted(why), ValueState::Merged(_), ValueState::Kept | ValueState::Changed(_)) => {
                        ValueState::Changed(side.reason(why))
                    }
                    (_, state, _) => state,
                };
                if fields[of.0 as usize].is_none() {
                    fields[of.0 as usize] = fields[index];
                }
                let part = &mut parts[of.0 as usize];
                *part = match *part {
                    (ValueState::Open, false) => (state, true),
                    (before, _) => (mixed(before, state, &side.details), true),
                };
            }
        }
        // the first member of a list bears the leaf's own mark
        for &index in &*pieces {
            let (parts, some) = &mut parts[index];
            if *some {
                let own = side.states[index];
                let whole = match own {
                    ValueState::Open => *parts,
                    own => mixed(own, *parts, &side.details),
                };
                side.states[index] = whole;
                *parts = own;
            }
        }
    }
}

/// Settles values of the head that an entry refers to, where its writer did not.
fn settle_lent(books: &mut Books, origin: &Origin<'_>, table: FateTable, fields: &HashMap<Mark, Field>) {
    for leaf in &origin.lent {
        let Some(record) = origin.record(leaf.own) else { continue };
        let field = fields.get(&leaf.of_head).copied();
        books.understood(leaf.of_head, field);
        match (record.preset, field.map(table)) {
            (Preset::Implied, _) => books.kept(leaf.of_head),
            _ if leaf.follows.is_some_and(|lead| books.is_written(lead)) => books.kept(leaf.of_head),
            (Preset::Merged(why, _), _) => books.merged(leaf.of_head, why),
            (_, Some(Fate::Lost(why))) => books.lost(leaf.of_head, why),
            _ => (),
        }
    }
}

/// Settles values as lost that the target has an element for, but not at this place, so that no writer looks for them.
/// Only in models from JSON, from a table or from a caller: for markup documents, this would hide that a writer forgot a value.
fn lose_misplaced(side: &mut BookSide, origin: &Origin<'_>, fields: &[Option<Field>], table: FateTable) {
    let is_made = is_of_caller(origin) || origin.filled_from.is_some();
    let is_free = |part: &SourcePart<'_>| matches!(part.syntax, Syntax::Json | Syntax::Row);
    if !is_made && !origin.parts.iter().any(is_free) {
        return;
    }
    for (index, (record, field)) in origin.records.iter().zip(fields).enumerate() {
        let is_open = side.states.get(index) == Some(&ValueState::Open)
            && matches!(record.role, Role::Leaf | Role::Part(_))
            && matches!(record.preset, Preset::Open | Preset::Adjusted(..));
        let has_place = is_open && field.is_some_and(|field| table(field).name().is_some());
        let is_json = || origin.part_of(Mark(index as u32)).is_some_and(is_free);
        if has_place && (is_made || is_json()) {
            side.states[index] = ValueState::Lost(side.reason(Reason::NoElement));
        }
    }
}

/// Whether a user of the library holds this, or made it.
fn is_of_caller(origin: &Origin<'_>) -> bool {
    let is_edited = |record: &LeafRecord| {
        record.at == LeafRecord::NOWHERE && !matches!(record.role, Role::Filled(_))
            || matches!(
                record.preset,
                Preset::Removed(_, Reason::RemovedByCaller) | Preset::Adjusted(Reason::EditedByCaller)
            )
    };
    origin.held.is_some() || origin.records.iter().any(is_edited)
}

/// What is known of an entry when its books are closed.
struct EntryClosing<'c, 'a, 'w, 'e> {
    books: &'c Books,
    origin: &'c Origin<'a>,
    scratch: &'c Scratch,
    table: FateTable,
    /// The elements of leaves whose field is that of many, by their marks.
    within: &'c [(Mark, &'e str)],
    walk: &'c Leaves<'w, 'e>,
    /// The values that merged ones were merged into; found when the first is reported.
    instead: OnceCell<Substitutes<'e>>,
    /// The content of the entry; found when it is asked for.
    content: OnceCell<Option<Mark>>,
    /// The output of each leaf that gave several values; found for all leaves when the first is reported.
    pieces: OnceCell<HashMap<usize, String>>,
}

/// The values of an entry, to find the value that replaces another.
#[derive(Default)]
struct Substitutes<'e> {
    values: HashMap<Mark, (Field, Value<'e>)>,
    /// The first value of each field that is in the output.
    of_field: HashMap<Field, Mark>,
    /// The first one there with this text.
    same: HashMap<String, Mark>,
}

/// As many values as most entries have that may be equal to another.
const CANDIDATES: usize = 128;

/// What is noted of an entry's leaves while they are walked over.
#[derive(Default)]
struct WalkNotes<'e> {
    candidates: Vec<EqualityCandidate<'e>>,
    within: Vec<(Mark, &'e str)>,
}

/// Why a value that was not read is not in the output. With the field of a value that could not be read, by whether the
/// target would have written it.
pub(crate) fn why_unread(field: Option<Field>, table: FateTable) -> Reason {
    let has_place = |field: Field| table(field).name().is_some();
    match field {
        None => Reason::UnknownMarkup,
        // a sitemap has the date of an entry with its video
        Some(field) if has_place(field) || field == Field::Published && has_place(Field::VideoPublished) => {
            Reason::InvalidValue
        }
        Some(_) => Reason::InvalidUnsupported,
    }
}

/// Whether a field covers many elements, which get separate rows.
fn is_of_many(field: Option<Field>) -> bool {
    use Field::{FeedFlag, FeedForeign, FeedModule, Foreign, Module};
    matches!(field, Some(Module | FeedModule | Foreign | FeedForeign | FeedFlag))
}

impl<'c, 'e: 'c> EntryClosing<'c, '_, '_, 'e> {
    /// The element that contained a leaf, where its field covers many elements.
    fn within(&self, of: usize) -> Option<&'c str> {
        // what is understood may also be kept as the markup it was
        if !is_of_many(self.scratch.fields.get(of).copied().flatten()) {
            return None;
        }
        let at = self.within.binary_search_by_key(&Mark(of as u32), |(mark, _)| *mark).ok()?;
        self.within.get(at).map(|(_, within)| *within)
    }

    /// The outcome of a leaf, by the books of the value that it is or follows and by the fate table; `None` if it is in
    /// the output unchanged.
    fn outcome(&self, of: usize, record: &LeafRecord) -> Result<Option<LeafOutcome<'c>>, &'static str> {
        let outcome = self.usual_outcome(of, record)?;
        Ok(outcome.map(|outcome| match outcome.why {
            Reason::UnknownMarkup if self.books.markup_dropped => LeafOutcome { why: Reason::DroppedMarkup, ..outcome },
            _ => outcome,
        }))
    }

    /// The same, whether or not unknown markup was to be written.
    fn usual_outcome(&self, of: usize, record: &LeafRecord) -> Result<Option<LeafOutcome<'c>>, &'static str> {
        let EntryClosing { books, origin, scratch, table, .. } = *self;
        let field = scratch.fields[of].or(match record.preset {
            // a value of a joined entry, which only a video of that entry has
            Preset::Joined(_, field, _) => Some(field),
            _ => None,
        });
        let state = books.own.states[of];
        let is_understood = state != ValueState::Open && books.own.lent.contains_key(&(of as u32));
        let preset = if is_understood { Preset::Open } else { record.preset };
        // of a list, members may be left
        if let (Preset::Removed(removed, why), ValueState::Open | ValueState::Lost(_)) = (record.preset, state) {
            // the other content was chosen only if it is in the output
            let chosen = (why == Reason::MarkupInstead).then(|| self.content()).flatten();
            let absent = chosen.and_then(|mark| self.absent_outcome(mark, false));
            // what no field has is named by its element
            let named = if why == Reason::NoElement { field.or(Some(removed)) } else { Some(removed) };
            let is_markup = matches!(field, Some(Field::Foreign | Field::FeedForeign));
            let is_dropped = why == Reason::NoElement && is_markup && books.markup_dropped;
            let why = if is_dropped { Reason::DroppedMarkup } else { why };
            return Ok(Some(absent.unwrap_or(LeafOutcome::plain(LossKind::Lost, named, why))));
        }
        if let Some(why) = books.blanket {
            let field = field.or_else(|| match record.preset {
                Preset::Joined(_, field, _) | Preset::Removed(field, _) => Some(field),
                Preset::Merged(_, with) => merged_field(origin, &scratch.fields, with),
                Preset::Open | Preset::Adjusted(..) | Preset::Implied | Preset::Unread(_) => None,
            });
            return Ok(Some(LeafOutcome::of_entry(LossKind::Lost, field, why)));
        }
        let noted = |kind, of| LeafOutcome::noted(kind, field, of, &books.own);
        // the value that it was merged into may itself be lost
        if let (
            Preset::Merged(_, with) | Preset::Joined(_, _, with),
            ValueState::Open | ValueState::Lost(_) | ValueState::Merged(_),
        ) = (record.preset, state)
            && let Some(lost) = self.absent_outcome(with, is_repetition(record.preset))
        {
            return Ok(Some(lost));
        }
        let merged = |of| noted(LossKind::Merged, of);
        if let ValueState::Merged(of) = state
            && let Some(with) = merged(of).more.and_then(|more| more.with)
            && let Some(lost) = self.absent_outcome(with, merged(of).why.code() == Code::DuplicateMerged)
        {
            return Ok(Some(lost));
        }
        Ok(Some(match (preset, state) {
            (Preset::Implied, _) => return Ok(None),
            (Preset::Merged(why, with), ValueState::Open | ValueState::Lost(_) | ValueState::Merged(_)) => {
                let field = merged_field(origin, &scratch.fields, with).or(field);
                LeafOutcome::of_entry(LossKind::Merged, field, why)
            }
            (Preset::Joined(why, field, _), ValueState::Open | ValueState::Lost(_) | ValueState::Merged(_)) => {
                LeafOutcome::plain(LossKind::Merged, Some(field), why)
            }
            (Preset::Unread(_), ValueState::Changed(of)) => noted(LossKind::Unread, of),
            (Preset::Unread(_), ValueState::Kept) => LeafOutcome::plain(LossKind::Unread, field, Reason::CopiedMarkup),
            (Preset::Unread(of), _) if field.is_some() => {
                LeafOutcome::plain(LossKind::Unread, field, why_unread(of, table))
            }
            (Preset::Adjusted(..), ValueState::Kept) if books.own.verbatim.contains(&(of as u32)) => return Ok(None),
            (Preset::Adjusted(why), ValueState::Kept) => LeafOutcome::plain(LossKind::Changed, field, why),
            (_, ValueState::Kept) => return Ok(None),
            (_, ValueState::Changed(of)) => noted(LossKind::Changed, of),
            (_, ValueState::Merged(of)) => merged(of),
            (_, ValueState::Lost(of)) => noted(LossKind::Lost, of),
            (Preset::Open, ValueState::Open)
                if matches!(field, Some(Field::Foreign | Field::FeedForeign))
                    && field.map(table).is_some_and(|fate| fate.name().is_none()) =>
            {
                LeafOutcome::plain(LossKind::Lost, field, Reason::SchemaLocation)
            }
            (_, ValueState::Open) => match field.map(table) {
                Some(Fate::Lost(why)) => LeafOutcome::plain(LossKind::Lost, field, why),
                Some(Fate::Native(_) | Fate::Near(..)) => return Err("neither written nor reported"),
                None => return Err("read and then forgotten"),
            },
        }))
    }

    /// The content of the entry.
    fn content(&self) -> Option<Mark> {
        let find = || self.scratch.fields.iter().position(|field| *field == Some(Field::Content));
        *self.content.get_or_init(|| find().map(|index| Mark(index as u32)))
    }

    /// The outcome of the value with this mark, if neither it nor a value it was merged into is in the output. That its text
    /// is in the output under another name counts for its repetitions alone.
    fn absent_outcome(&self, mut with: Mark, is_repetition: bool) -> Option<LeafOutcome<'c>> {
        let side = &self.books.own;
        for _ in 0..MERGED_INTO {
            let index = (with.0 & !Mark::FEED) as usize;
            let record = self.origin.records.get(index)?;
            match side.states.get(index)? {
                ValueState::Merged(of) => {
                    let more = side.more(side.details.get(*of as usize)?)?;
                    if !is_repetition {
                        return Some(LeafOutcome::plain(LossKind::Lost, self.scratch.fields[index], more.lost?));
                    }
                    with = more.with.filter(|next| !next.of_feed())?;
                    continue;
                }
                ValueState::Kept | ValueState::Changed(_) => return None,
                ValueState::Open | ValueState::Lost(_) => (),
            }
            with = match (record.preset, record.role) {
                (Preset::Merged(_, next) | Preset::Joined(_, _, next), _) => next,
                (_, Role::Follows(of) | Role::Part(of)) => of,
                (_, Role::Leaf | Role::Silent | Role::Filled(_)) => {
                    let outcome = self.outcome(index, record).ok()??;
                    return Some(outcome).filter(|outcome| outcome.kind == LossKind::Lost);
                }
            };
        }
        None
    }

    /// A value that no source has: who holds the entry gave it.
    fn given(&self, index: usize) -> Option<String> {
        if self.origin.records.get(index).is_none_or(|record| record.at != LeafRecord::NOWHERE) {
            return None;
        }
        let instead = self.instead.get_or_init(|| self.find_instead());
        instead.values.get(&Mark(index as u32)).map(|(_, value)| value.to_string())
    }

    /// The leaf as written to the output, if known.
    fn written<'b>(&'b self, outcome: &LeafOutcome<'b>, index: usize) -> Option<Cow<'b, str>> {
        let in_pieces = if outcome.kind == LossKind::Changed { self.whole(index) } else { None };
        in_pieces.or(outcome.to()).map(Cow::Borrowed)
    }

    /// A leaf that gave several values, as written to the output.
    fn whole(&self, index: usize) -> Option<&str> {
        self.scratch.parts.get(index).filter(|(_, is_of_many)| *is_of_many)?;
        match self.books.whole_of(Mark(index as u32)) {
            Some(text) => Some(text).filter(|text| !text.is_empty()),
            None => self.pieces.get_or_init(|| self.find_pieces()).get(&index).map(String::as_str),
        }
    }

    /// The output of the value that replaces a merged one.
    fn instead(&self, outcome: &LeafOutcome<'_>, of: usize) -> Option<Cow<'_, str>> {
        let instead = self.instead.get_or_init(|| self.find_instead());
        let mut with = match self.origin.records.get(of)?.preset {
            Preset::Merged(_, with) | Preset::Joined(_, _, with) => with,
            _ => match outcome.more.and_then(|more| more.with) {
                Some(with) => with,
                None => instead.of_written(Mark(of as u32), outcome.why.code())?,
            },
        };
        for _ in 0..MERGED_INTO {
            if let Some(text) = self.text(with, instead) {
                return Some(text);
            }
            let record = self.origin.records.get((with.0 & !Mark::FEED) as usize)?;
            with = match (record.preset, record.role) {
                (Preset::Merged(_, next) | Preset::Joined(_, _, next), _) => next,
                (_, Role::Follows(of) | Role::Part(of)) => of,
                (_, Role::Leaf | Role::Silent | Role::Filled(_)) => instead.of_written(with, outcome.why.code())?,
            };
        }
        None
    }

    /// The value as written, if it is in the output.
    fn text(&self, mark: Mark, instead: &Substitutes<'e>) -> Option<Cow<'_, str>> {
        let spelt = || {
            if let Some(text) = self.books.own.told.get(&mark.0) {
                return Some(Cow::Borrowed(text.as_str()));
            }
            let (_, value) = instead.values.get(&mark)?;
            Some(self.books.spelt(*value))
        };
        let state = self.books.own.states.get(mark.0 as usize)?;
        let whole = matches!(state, ValueState::Kept | ValueState::Changed(_)).then(|| self.whole(mark.0 as usize));
        if let Some(whole) = whole.flatten() {
            return Some(Cow::Borrowed(whole));
        }
        match state {
            ValueState::Kept => spelt(),
            ValueState::Changed(of) => {
                let detail = self.books.own.details.get(*of as usize)?;
                let to = self.books.own.more(detail).and_then(|more| more.to.as_deref());
                to.map(Cow::Borrowed).or_else(spelt)
            }
            ValueState::Open | ValueState::Lost(_) | ValueState::Merged(_) => None,
        }
    }

    /// The output of each leaf that gave several values: those that were written, in order.
    fn find_pieces(&self) -> HashMap<usize, String> {
        let EntryClosing { books, origin, scratch, .. } = *self;
        let mut told = HashSet::new();
        let mut pieces: HashMap<usize, Vec<(u32, String)>> = HashMap::new();
        (self.walk)(&mut |seen: LeafView<'e>| {
            let index = seen.mark.0 as usize;
            if seen.mark.of_feed() {
                return;
            }
            let leaf = match origin.records.get(index).map(|record| record.role) {
                Some(Role::Part(of)) => of.0 as usize,
                _ => index,
            };
            let Some((own, true)) = scratch.parts.get(leaf) else { return };
            if !told.insert(index) {
                return;
            }
            let piece = match books.own.states.get(index).map(|state| if index == leaf { own } else { state }) {
                Some(ValueState::Kept) => books.spelt(seen.value).into_owned(),
                Some(ValueState::Changed(of)) => {
                    let detail = books.own.details.get(*of as usize);
                    let to = detail.and_then(|detail| books.own.more(detail)?.to.clone());
                    to.unwrap_or_else(|| seen.value.to_string())
                }
                Some(ValueState::Open | ValueState::Lost(_) | ValueState::Merged(_)) | None => return,
            };
            pieces.entry(leaf).or_default().push((seen.mark.0, piece));
        });
        let joined = |(leaf, mut pieces): (usize, Vec<(u32, String)>)| {
            pieces.sort_unstable_by_key(|(mark, _)| *mark);
            (leaf, pieces.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(", "))
        };
        pieces.into_iter().map(joined).collect()
    }

    fn find_instead(&self) -> Substitutes<'e> {
        let mut instead = Substitutes::default();
        (self.walk)(&mut |seen: LeafView<'e>| {
            if seen.mark.of_feed() || !seen.mark.is_some() {
                return;
            }
            instead.values.entry(seen.mark).or_insert((seen.field, seen.value));
            let state = self.books.own.states.get(seen.mark.0 as usize);
            if matches!(state, Some(ValueState::Kept | ValueState::Changed(_))) {
                instead.of_field.entry(seen.field).or_insert(seen.mark);
                instead.same.entry(comparable(seen.field, seen.value)).or_insert(seen.mark);
            }
        });
        instead
    }
}

/// A text without what two values that are the same may differ in.
fn comparable(field: Field, value: Value<'_>) -> String {
    match (refers(field), value) {
        (UrlContent::Always, Value::Str(address)) => url::key(address).into_owned(),
        (_, value) => value.to_string().trim().to_lowercase(),
    }
}

impl Substitutes<'_> {
    /// The value that a writer chose instead: an equal one, or the first of its field.
    fn of_written(&self, mark: Mark, code: Code) -> Option<Mark> {
        let (field, value) = self.values.get(&mark)?;
        match code {
            Code::DuplicateMerged => self.same.get(&comparable(*field, *value)).copied(),
            _ => self.of_field.get(field).copied(),
        }
    }
}

/// The element at the end of a path, or its attribute: `a:b@c` of `rss/a:b[2]/@c`, `a:b` of `rss/a:b/text()`.
pub(super) fn element_of(path: &str) -> Cow<'_, str> {
    let name = |step: &'_ str| step.split_once('[').map_or(step.len(), |(name, _)| name.len());
    let (above, last) = path.rsplit_once('/').unwrap_or(("", path));
    let host = above.rsplit_once('/').map_or(above, |(_, step)| step);
    let host = &host[..name(host)];
    match last.strip_prefix('@') {
        Some(attribute) => Cow::Owned(format!("{host}@{attribute}")),
        // around the entries of a list
        None if last == "text()" && host.is_empty() => Cow::Borrowed("line"),
        None if last.starts_with("text()") => Cow::Borrowed(host),
        None => Cow::Borrowed(&last[..name(last)]),
    }
}

/// A value that others were merged into, as each of their occurrences shows it: many may have a long one.
fn beginning(value: Cow<'_, str>) -> Cow<'_, str> {
    if value.len() <= SHOWN { value } else { Cow::Owned(shorten(&value)) }
}

fn without_feed_bit(mark: Mark) -> Mark {
    if mark.of_feed() { Mark(mark.0 & !Mark::FEED) } else { mark }
}

/// How many values may each be merged into the next: one of an entry that was joined to another, and then some.
const MERGED_INTO: usize = 32;

/// Whether a value was merged with an equal one.
fn is_repetition(preset: Preset) -> bool {
    match preset {
        Preset::Merged(why, _) | Preset::Joined(why, ..) => why.code() == Code::DuplicateMerged,
        Preset::Open | Preset::Implied | Preset::Adjusted(_) | Preset::Unread(_) | Preset::Removed(..) => false,
    }
}

/// The field of the value that a merged one went into.
fn merged_field(origin: &Origin<'_>, fields: &[Option<Field>], mut with: Mark) -> Option<Field> {
    for _ in 0..MERGED_INTO {
        let index = (with.0 & !Mark::FEED) as usize;
        if let Some(field) = fields.get(index).copied().flatten() {
            return Some(field);
        }
        let record = origin.records.get(index)?;
        with = match (record.preset, record.role) {
            (Preset::Joined(_, field, _) | Preset::Removed(field, _), _) => return Some(field),
            (Preset::Merged(_, next), _) => next,
            (_, Role::Follows(of) | Role::Part(of)) => of,
            (_, Role::Leaf | Role::Silent | Role::Filled(_)) => return None,
        };
    }
    None
}

/// A leaf of which some members were written and others not is a changed one; where all met one fate, so did the leaf.
fn mixed(before: ValueState, state: ValueState, details: &[ChangeDetail]) -> ValueState {
    if matches!(
        (before, state),
        (ValueState::Lost(_), ValueState::Lost(_)) | (ValueState::Merged(_), ValueState::Merged(_))
    ) {
        return before;
    }
    let detail_of = |state: ValueState| match state {
        ValueState::Lost(of) | ValueState::Merged(of) | ValueState::Changed(of) => Some(of),
        ValueState::Open | ValueState::Kept => None,
    };
    if before == ValueState::Open || state == ValueState::Open {
        return ValueState::Open;
    }
    // a removed member is reported even if others were kept or changed
    let is_gone = |of: &u32| details.get(*of as usize).is_some_and(|detail| detail.why.code() == Code::CountryDropped);
    let both = || detail_of(before).into_iter().chain(detail_of(state));
    let Some(of) = both().find(is_gone).or_else(|| both().next()) else { return ValueState::Kept };
    ValueState::Changed(of)
}

fn unbalanced(origin: &Origin<'_>, index: usize, field: &'static str, what: &'static str) -> Error {
    let mut places = LeafPlaces::new(origin);
    let leaf = places.leaf(index, None);
    Error::from(ErrorKind::Unbalanced {
        line: leaf.line.unwrap_or(0),
        path: leaf.path.unwrap_or_default().to_owned(),
        field,
        what,
    })
}
