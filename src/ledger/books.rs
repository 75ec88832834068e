//! Records what a writer does with the leaves of one entry, one state per value. close.rs evaluates the records once
//! the entry is done.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use crate::code::{Code, LossKind};
use crate::model::origin::{LeafRecord, Preset};
use crate::model::{Date, Field, Mark, Value};
use crate::reason::{Reason, ValueChange};

/// What a writer did with one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ValueState {
    #[default]
    Open,
    Lost(u32),
    Merged(u32),
    Changed(u32),
    Kept,
}

impl ValueState {
    /// A value that went several ways counts by the best of them.
    #[inline]
    fn rank(self) -> u8 {
        match self {
            ValueState::Open => 0,
            ValueState::Lost(_) => 1,
            ValueState::Merged(_) => 2,
            ValueState::Changed(_) => 3,
            ValueState::Kept => 4,
        }
    }

    /// The same with another number for its reason.
    fn with(self, number: impl FnOnce(u32) -> u32) -> ValueState {
        match self {
            ValueState::Open => ValueState::Open,
            ValueState::Lost(of) => ValueState::Lost(number(of)),
            ValueState::Merged(of) => ValueState::Merged(number(of)),
            ValueState::Changed(of) => ValueState::Changed(number(of)),
            ValueState::Kept => ValueState::Kept,
        }
    }
}

/// Why a value was not written as it was.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangeDetail {
    pub(super) why: Reason,
    /// Index into `BookSide::more`, for facts about this leaf alone; most leaves have none.
    more: Option<u32>,
}

/// Facts about one leaf alone.
#[derive(Clone, Debug, Default)]
pub(super) struct LeafDetail {
    /// A longer reason (which rendition, which limit).
    pub(super) said: Option<Arc<str>>,
    /// The value as written to the output.
    pub(super) to: Option<String>,
    /// The value that this one was merged into.
    pub(super) with: Option<Mark>,
    /// The field of the written value that it is equal to.
    pub(super) same: Option<Field>,
    /// Why it would be lost without that value.
    pub(super) lost: Option<Reason>,
}

/// How many of the last details are searched for an equal reason.
const RECENT: usize = 3;

/// Something the target requires and the source lacks.
#[derive(Clone, Debug)]
pub(super) struct GeneratedValue {
    pub(super) field: Field,
    pub(super) why: Reason,
    pub(super) from: Option<Mark>,
    /// A leaf of the entry that it is for, where several were joined.
    pub(super) beside: Mark,
    pub(super) to: String,
}

/// Changes a reader made to the values of an entry or of the head, known before anything is written.
#[derive(Clone, Debug, Default)]
pub struct ReaderChanges {
    /// Numbers of values that the reader changed: the output differs from the source.
    adjusted: Vec<(u32, Reason)>,
    /// Numbers of values that others were merged into: reports of the others show how these are written.
    wanted: Vec<u32>,
}

impl ReaderChanges {
    /// From the records of an entry, or of a head: then once for all its entries.
    pub fn from_records(records: &[LeafRecord]) -> ReaderChanges {
        let mut read = ReaderChanges::default();
        read.look(records);
        read
    }

    fn look(&mut self, records: &[LeafRecord]) {
        self.adjusted.clear();
        self.wanted.clear();
        for (index, record) in records.iter().enumerate() {
            match record.preset {
                Preset::Adjusted(why) => self.adjusted.push((index as u32, why)),
                Preset::Merged(_, with) | Preset::Joined(_, _, with) => self.wanted.push(with.0),
                Preset::Open | Preset::Implied | Preset::Unread(_) | Preset::Removed(..) => (),
            }
        }
        self.wanted.sort_unstable();
        self.wanted.dedup();
    }
}

/// One side of the books: the values of an entry, or those of the head.
#[derive(Clone, Debug, Default)]
pub(super) struct BookSide {
    pub(super) states: Vec<ValueState>,
    /// Numbers of the values of which something was settled.
    settled: Vec<u32>,
    pub(super) details: Vec<ChangeDetail>,
    more: Vec<LeafDetail>,
    read: Arc<ReaderChanges>,
    /// How they are written, where they are kept.
    pub(super) told: HashMap<u32, String>,
    /// The text of each list in the output, by the number of its first member.
    wholes: HashMap<u32, String>,
    /// Numbers of values of the head that entries understood, each with its field where it is in an entry.
    pub(super) lent: HashMap<u32, Option<Field>>,
    /// Numbers of values that are written exactly as in the source although their reader changed them.
    pub(super) verbatim: HashSet<u32>,
}

impl BookSide {
    pub(super) fn open(&mut self, records: usize) {
        self.states.clear();
        self.states.resize(records, ValueState::Open);
        self.empty();
    }

    /// Opens it again for the same values. Those of a head are many, and an entry uses few of them.
    pub(super) fn reopen(&mut self) {
        for index in &self.settled {
            if let Some(state) = self.states.get_mut(*index as usize) {
                *state = ValueState::Open;
            }
        }
        self.empty();
    }

    fn empty(&mut self) {
        self.settled.clear();
        self.details.clear();
        self.more.clear();
        self.told.clear();
        self.wholes.clear();
        self.lent.clear();
        self.verbatim.clear();
    }

    /// The number of a value of which nothing is settled yet that counts as much as this rank.
    #[inline]
    fn below(&mut self, mark: Mark, rank: u8) -> Option<usize> {
        let index = (mark.0 & !Mark::FEED) as usize;
        if index >= self.states.len() {
            self.states.resize(index + 1, ValueState::Open);
        }
        self.states.get(index).is_some_and(|state| state.rank() < rank).then_some(index)
    }

    /// Settles a value, unless something better is settled of it.
    #[inline]
    fn settle(&mut self, mark: Mark, state: ValueState, rank: u8) {
        let Some(index) = self.below(mark, rank) else { return };
        if let Some(slot) = self.states.get_mut(index)
            && std::mem::replace(slot, state) == ValueState::Open
        {
            self.settled.push(index as u32);
        }
    }

    /// The number of this reason; leaves with the same reason share it.
    pub(super) fn reason(&mut self, why: Reason) -> u32 {
        let count = self.details.len();
        for (back, known) in self.details.iter().rev().take(RECENT).enumerate() {
            if known.why == why && known.more.is_none() {
                return (count - 1 - back) as u32;
            }
        }
        self.details.push(ChangeDetail { why, more: None });
        count as u32
    }

    /// The number of a reason that is one leaf's own.
    pub(super) fn own_reason(&mut self, why: Reason, more: LeafDetail) -> u32 {
        self.details.push(ChangeDetail { why, more: Some(self.more.len() as u32) });
        self.more.push(more);
        (self.details.len() - 1) as u32
    }

    pub(super) fn more(&self, detail: &ChangeDetail) -> Option<&LeafDetail> {
        self.more.get(detail.more? as usize)
    }

    pub(super) fn absorb(&mut self, other: &BookSide) {
        for (number, text) in &other.told {
            self.told.entry(*number).or_insert_with(|| text.clone());
        }
        for (number, text) in &other.wholes {
            self.wholes.entry(*number).or_insert_with(|| text.clone());
        }
        for (number, field) in &other.lent {
            let known = self.lent.entry(*number).or_default();
            *known = known.or(*field);
        }
        crate::work::count(other.settled.len());
        for index in &other.settled {
            let Some(theirs) = other.states.get(*index as usize) else { continue };
            let mark = Mark(*index);
            if self.below(mark, theirs.rank()).is_some() {
                let state = theirs.with(|of| self.copied(other, of));
                self.settle(mark, state, theirs.rank());
            }
        }
    }

    /// The number of a reason of another side.
    fn copied(&mut self, other: &BookSide, of: u32) -> u32 {
        let detail = other.details[of as usize];
        match other.more(&detail) {
            Some(more) => self.own_reason(detail.why, more.clone()),
            None => self.reason(detail.why),
        }
    }
}

/// What writers did with some values of an entry, to be added to books that are opened for these values again.
#[derive(Clone, Debug, Default)]
pub(crate) struct ValueStates(BookSide);

/// Where the videos of a page are that are written apart from the rest of it: those from a number on.
#[derive(Clone, Copy, Debug)]
pub(super) struct VideoCut {
    first: usize,
    /// Where the first of them begins, and where the last one ends.
    places: [Option<CutPlace>; 2],
}

/// A place in the output of an entry.
#[derive(Clone, Copy, Debug)]
struct CutPlace {
    /// Bytes before it.
    bytes: usize,
    /// Values made before it.
    made: usize,
}

/// How a target writes a date, and what that changes.
pub(super) type SpellDate = fn(&Date) -> (String, ValueChange);

/// What a writer does with the leaves of one entry, as it does it.
#[derive(Clone, Debug, Default)]
pub struct Books {
    pub(super) own: BookSide,
    pub(super) feed: BookSide,
    pub(super) made: Vec<GeneratedValue>,
    pub(super) blanket: Option<Reason>,
    pub(super) doubts: Vec<(Field, Reason)>,
    /// Why videos of the entry are not written, by their first marks.
    pub(super) videos: Vec<(Mark, Reason)>,
    /// Values are now written as markup of another format, for this reason.
    pub(super) carrying: Option<Reason>,
    /// Every occurrence is listed separately.
    pub(super) full: bool,
    /// How the target spells dates.
    pub(super) dates: Option<SpellDate>,
    /// Unknown markup is not written because that was asked for.
    pub(super) markup_dropped: bool,
    /// The URLs of videos that were written, of a page where entries were joined.
    pub(super) addresses: HashSet<String>,
    pub(super) cut: Option<VideoCut>,
    /// A leaf of the entry that what is made now is for, where several were joined.
    pub(super) beside: Mark,
    /// Values that are settled later, by their numbers.
    pub(super) pending: Vec<bool>,
}

impl Books {
    /// Empty books; `full` if details of single values will be shown.
    pub fn new(full: bool) -> Books {
        Books { full, ..Books::default() }
    }

    /// Sets how the target spells dates.
    pub(crate) fn spelling(&mut self, dates: fn(&Date) -> (String, ValueChange)) {
        self.dates = Some(dates);
    }

    /// Sets whether unknown markup is not written because that was asked for.
    pub(crate) fn drop_markup(&mut self, dropped: bool) {
        self.markup_dropped = dropped;
    }

    /// How the output spells a kept value.
    pub(super) fn spelt<'v>(&self, value: Value<'v>) -> Cow<'v, str> {
        match (value, self.dates) {
            (Value::Str(text), _) => Cow::Borrowed(text),
            (Value::Date(date), Some(spelt)) => Cow::Owned(spelt(date).0),
            _ => Cow::Owned(value.to_string()),
        }
    }

    /// Opens the books of an entry with these numbered values; the head's side stays open.
    pub fn open(&mut self, records: &[LeafRecord]) {
        self.own.open(records.len());
        Arc::make_mut(&mut self.own.read).look(records);
        self.made.clear();
        self.doubts.clear();
        self.videos.clear();
        self.addresses.clear();
        (self.blanket, self.cut, self.beside) = (None, None, Mark::NONE);
        self.pending.clear();
    }

    /// Opens the books again for an entry of which a piece was written, to write its videos from this number on.
    pub(crate) fn open_piece(&mut self, records: &[LeafRecord], first: usize) {
        let addresses = std::mem::take(&mut self.addresses);
        self.open(records);
        self.addresses = addresses;
        self.cut = Some(VideoCut { first, places: [None; 2] });
    }

    /// Notes the URL of a video of the page; whether there was none like it.
    pub(crate) fn is_new_video(&mut self, address: String) -> bool {
        self.addresses.insert(address)
    }

    /// What is made now is for the entry of this leaf, of several that were joined.
    pub(crate) fn making_beside(&mut self, leaf: Mark) {
        self.beside = leaf;
    }

    /// So many videos of the page are settled, with so many bytes of the entry written.
    pub(crate) fn at_video(&mut self, number: usize, bytes: usize) {
        let place = CutPlace { bytes, made: self.made.len() };
        if let Some(VideoCut { first, places: [begin, end] }) = &mut self.cut
            && number >= *first
        {
            begin.get_or_insert(place);
            *end = Some(place);
        }
    }

    /// The bytes of the videos that are written apart; `None` if the writer has no place for videos.
    pub(crate) fn cut(&self) -> Option<Range<usize>> {
        let [begin, end] = self.cut?.places;
        Some(begin?.bytes..end?.bytes)
    }

    /// Leaves these values to later books, and what was made outside the videos that are written apart.
    pub(crate) fn leave(&mut self, pending: Vec<bool>) {
        self.pending = pending;
        let made = self.cut.and_then(|cut| Some(cut.places[0]?.made..cut.places[1]?.made)).unwrap_or_default();
        self.made.truncate(made.end);
        self.made.drain(..made.start.min(self.made.len()));
    }

    /// What was done with the values that have a new number.
    pub(crate) fn states(&self, numbers: &[Option<u32>]) -> ValueStates {
        let (mut states, own) = (BookSide::default(), &self.own);
        for (index, number) in numbers.iter().enumerate() {
            let (Some(number), Some(state)) = (*number, own.states.get(index)) else { continue };
            let state = state.with(|of| states.copied(own, of));
            states.settle(Mark(number), state, state.rank());
            states.told.extend(own.told.get(&(index as u32)).map(|text| (number, text.clone())));
            states.verbatim.extend(own.verbatim.contains(&(index as u32)).then_some(number));
        }
        ValueStates(states)
    }

    /// Adds what was done before with these values.
    pub(crate) fn add_states(&mut self, before: &ValueStates) {
        self.own.absorb(&before.0);
        self.own.verbatim.extend(&before.0.verbatim);
    }

    /// Whether a value is settled in later books.
    pub(super) fn is_pending(&self, index: usize) -> bool {
        self.pending.get(index).copied().unwrap_or(false)
    }

    /// Notes that an entry understood a value of the head: as a value of this field, or as what the reader made of it.
    pub(super) fn understood(&mut self, mark: Mark, field: Option<Field>) {
        let known = self.feed.lent.entry(mark.0 & !Mark::FEED).or_default();
        *known = known.or(field);
    }

    /// Sets the reader's changes to the head, whose values entries may write too.
    pub fn open_feed(&mut self, head: &Arc<ReaderChanges>) {
        self.feed.read = Arc::clone(head);
    }

    #[inline]
    fn side(&mut self, mark: Mark) -> &mut BookSide {
        crate::work::count(1);
        if mark.of_feed() { &mut self.feed } else { &mut self.own }
    }

    /// From now on, values written unchanged count as markup of another format (`foreign_kept`); `None` ends this.
    pub fn carry(&mut self, why: Option<Reason>) {
        self.carrying = why;
    }

    /// The value is in the output, and means the same there.
    pub fn kept(&mut self, mark: Mark) {
        if let Some(why) = self.carrying {
            self.plain(mark, ValueState::Changed, 3, why);
        } else if mark.is_some() {
            // what is known of how an adjusted value was written is not forgotten for a second place
            let rank = if self.adjustment(mark).is_some() { 3 } else { 4 };
            self.side(mark).settle(mark, ValueState::Kept, rank);
        }
    }

    /// The target implies the value. One that its reader changed is not named with a text that is not in the output.
    pub fn implied(&mut self, mark: Mark) {
        match self.adjustment(mark) {
            None => self.kept(mark),
            Some(_) => self.lost(mark, Reason::SameAsDefault),
        }
    }

    /// Whether the reader changed the value.
    pub fn is_adjusted(&mut self, mark: Mark) -> bool {
        self.adjustment(mark).is_some()
    }

    /// The value is written exactly as in the source, although its reader changed it for another place.
    pub fn verbatim(&mut self, mark: Mark, text: &str) {
        let (side, number) = (self.side(mark), mark.0 & !Mark::FEED);
        side.verbatim.insert(number);
        side.told.insert(number, text.to_owned());
        side.settle(mark, ValueState::Kept, 4);
    }

    /// Like [`Books::kept`]. `to` returns the value as written; it is called only if the reader changed the value or
    /// merged others into it.
    pub fn kept_as(&mut self, mark: Mark, to: impl FnOnce() -> String) {
        let (side, number) = (self.side(mark), mark.0 & !Mark::FEED);
        if !side.read.wanted.is_empty() && side.read.wanted.binary_search(&number).is_ok() {
            let text = to();
            side.told.entry(number).or_insert_with(|| text.clone());
            return self.keep_as(mark, || text);
        }
        self.keep_as(mark, to);
    }

    fn keep_as(&mut self, mark: Mark, to: impl FnOnce() -> String) {
        match (self.adjustment(mark), self.carrying) {
            (None, None) if mark.is_some() => self.side(mark).settle(mark, ValueState::Kept, 4),
            (None, None) => (),
            (None, Some(why)) => self.changed(mark, why, to()),
            (Some(why), _) => {
                self.detail(mark, ValueState::Changed, 4, why, LeafDetail { to: Some(to()), ..LeafDetail::default() })
            }
        }
    }

    /// How the reader changed the value.
    #[inline]
    pub(crate) fn adjustment(&mut self, mark: Mark) -> Option<Reason> {
        let adjusted = &self.side(mark).read.adjusted;
        if adjusted.is_empty() {
            return None;
        }
        let index = mark.0 & !Mark::FEED;
        let at = adjusted.binary_search_by_key(&index, |(index, _)| *index).ok()?;
        adjusted.get(at).map(|(_, why)| *why)
    }

    /// The value is in the output with a change; `to` is the value as written.
    pub fn changed(&mut self, mark: Mark, why: Reason, to: String) {
        debug_assert!(why.code().is_change(), "{why:?} is not a change");
        self.detail(mark, ValueState::Changed, 3, why, LeafDetail { to: Some(to), ..LeafDetail::default() });
    }

    /// Like [`Books::changed`]; `said` is more specific than the row's common reason.
    pub fn changed_with_text(&mut self, mark: Mark, why: Reason, said: String, to: String) {
        self.detail(
            mark,
            ValueState::Changed,
            3,
            why,
            LeafDetail { said: Some(said.into()), to: Some(to), ..LeafDetail::default() },
        );
    }

    /// Sets the text of a whole list in the output, by the mark of its first member.
    pub fn replace_text(&mut self, mark: Mark, text: String) {
        self.side(mark).wholes.insert(mark.0 & !Mark::FEED, text);
    }

    /// The text of this list in the output, if a writer set it.
    pub(super) fn whole_of(&self, mark: Mark) -> Option<&str> {
        self.own.wholes.get(&mark.0).map(String::as_str)
    }

    /// The value is not in the output.
    pub fn lost(&mut self, mark: Mark, why: Reason) {
        debug_assert!(why.code().is_loss(), "{why:?} is not a loss");
        self.plain(mark, ValueState::Lost, 1, why);
    }

    /// The value is not in the output, also if another was chosen before it was known that none is written; a value
    /// that was refused for itself stays so.
    pub fn lost_with_all(&mut self, mark: Mark, why: Reason) {
        if !mark.is_some() {
            return;
        }
        let index = (mark.0 & !Mark::FEED) as usize;
        let side = self.side(mark);
        if let Some(ValueState::Lost(of)) = side.states.get(index)
            && let Some(detail) = side.details.get(*of as usize)
            && matches!(detail.why.code(), Code::ListReduced | Code::RenditionDropped)
        {
            side.states[index] = ValueState::Open;
        }
        self.lost(mark, why);
    }

    /// Whether details of single values will be shown.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Groups values lost for one reason; values already settled keep their state. `said` is more specific than the
    /// row's common reason.
    pub fn losing(&mut self, why: Reason, said: Option<Arc<str>>) -> LossGroup<'_> {
        LossGroup { books: self, why, said, of: [None; 2] }
    }

    /// An equal or earlier value represents this one.
    pub fn merged(&mut self, mark: Mark, why: Reason) {
        debug_assert_eq!(why.usual_kind(), LossKind::Merged, "{why:?}");
        self.plain(mark, ValueState::Merged, 2, why);
    }

    /// The same, where it is known which one that is.
    pub fn merged_with(&mut self, mark: Mark, with: Mark, why: Reason) {
        self.detail(mark, ValueState::Merged, 2, why, LeafDetail { with: Some(with), ..LeafDetail::default() });
    }

    /// Settles a value for a reason that others have too.
    fn plain(&mut self, mark: Mark, state: fn(u32) -> ValueState, rank: u8, why: Reason) {
        let side = self.side(mark);
        if mark.is_some() && side.below(mark, rank).is_some() {
            let of = side.reason(why);
            side.settle(mark, state(of), rank);
        }
    }

    /// Settles a value with details of its own.
    fn detail(&mut self, mark: Mark, state: fn(u32) -> ValueState, rank: u8, why: Reason, more: LeafDetail) {
        let side = self.side(mark);
        if mark.is_some() && side.below(mark, rank).is_some() {
            let of = side.own_reason(why, more);
            side.settle(mark, state(of), rank);
        }
    }

    /// A value was generated that no source leaf gave; `from` is the leaf it was derived from.
    pub fn made(&mut self, field: Field, why: Reason, from: Option<Mark>, to: String) {
        debug_assert!(why.is_generated(), "{why:?} generates nothing");
        self.made.push(GeneratedValue { field, why, from, beside: self.beside, to });
    }

    /// What was made is more a guess than a fact: with `--strict`, this is an error.
    pub fn doubt(&mut self, field: Field, why: Reason) {
        self.doubts.push((field, why));
    }

    /// Nothing of the entry is written: each of its leaves is lost for this reason.
    pub fn drop_all(&mut self, why: Reason) {
        self.blanket = Some(why);
        self.made.clear();
    }

    /// Whether the entry was dropped.
    pub fn dropped(&self) -> bool {
        self.blanket.is_some()
    }

    /// For what the entry was dropped, if it was.
    pub(crate) fn dropped_for(&self) -> Option<Reason> {
        self.blanket
    }

    /// Why a value is not in the output, if a writer recorded it.
    pub(crate) fn reason_of_loss(&self, mark: Mark) -> Option<Reason> {
        let side = if mark.of_feed() { &self.feed } else { &self.own };
        match side.states.get((mark.0 & !Mark::FEED) as usize)? {
            ValueState::Lost(of) | ValueState::Merged(of) => side.details.get(*of as usize).map(|detail| detail.why),
            ValueState::Open | ValueState::Kept | ValueState::Changed(_) => None,
        }
    }

    /// The value that a value is one with.
    pub(crate) fn merged_into(&self, mark: Mark) -> Option<Mark> {
        let side = if mark.of_feed() { &self.feed } else { &self.own };
        let ValueState::Merged(of) = side.states.get((mark.0 & !Mark::FEED) as usize)? else { return None };
        side.more(side.details.get(*of as usize)?)?.with
    }

    /// Nothing of a video of the entry is written, for this reason.
    pub fn drop_video(&mut self, first: Mark, why: Reason) {
        self.videos.push((first, why));
    }

    /// Why videos of the entry are not written, by the first mark of each video dropped separately.
    pub(crate) fn videos_dropped_at(&self) -> HashMap<Mark, Reason> {
        self.videos.iter().copied().collect()
    }

    /// Whether writers recorded any loss or change.
    pub(crate) fn has_losses(&self) -> bool {
        !self.own.details.is_empty()
    }

    /// Why a value, or a part of it, is omitted. `None` for values lost with their whole video or entry, which are
    /// reported once.
    pub(crate) fn loss_reason(&self, mark: Mark) -> Option<Reason> {
        let side = if mark.of_feed() { &self.feed } else { &self.own };
        let state = side.states.get((mark.0 & !Mark::FEED) as usize)?;
        let (of, codes): (_, fn(Code) -> bool) = match state {
            ValueState::Lost(of) => {
                (of, |code| !matches!(code, Code::VideoDropped | Code::EntryDropped | Code::PageMissing))
            }
            ValueState::Merged(of) => (of, |code| matches!(code, Code::ConflictFirstWins | Code::Shadowed)),
            // only a part of it is in the output, or one value represents several
            ValueState::Changed(of) => {
                (of, |code| matches!(code, Code::Truncated | Code::UrlRewritten | Code::FragmentDropped))
            }
            ValueState::Open | ValueState::Kept => return None,
        };
        let detail = side.details.get(*of as usize)?;
        codes(detail.why.code()).then_some(detail.why)
    }

    /// The fields of which something was made, and what.
    pub(crate) fn made_fields(&self) -> impl Iterator<Item = (Code, Field)> {
        self.made.iter().map(|made| (made.why.code(), made.field))
    }

    /// Whether the value is in the output in any form, or another value represents it.
    pub fn written(&mut self, mark: Mark) -> bool {
        matches!(self.state(mark), ValueState::Kept | ValueState::Changed(_) | ValueState::Merged(_))
    }

    /// Whether anything was settled of a value, for all entries so far.
    pub(crate) fn is_settled(&self, mark: Mark) -> bool {
        let side = if mark.of_feed() { &self.feed } else { &self.own };
        side.states.get((mark.0 & !Mark::FEED) as usize).is_some_and(|state| *state != ValueState::Open)
    }

    /// Whether a value is in the output, for all entries so far.
    pub(crate) fn is_written(&self, mark: Mark) -> bool {
        let side = if mark.of_feed() { &self.feed } else { &self.own };
        let state = side.states.get((mark.0 & !Mark::FEED) as usize);
        matches!(state, Some(ValueState::Kept | ValueState::Changed(_)))
    }

    /// The values of the head that the entries so far have written.
    pub(crate) fn of_head(&self) -> impl Iterator<Item = Mark> {
        let is_in = |state: &ValueState| matches!(state, ValueState::Kept | ValueState::Changed(_));
        let states = self.feed.states.iter().enumerate();
        states.filter(move |(_, state)| is_in(state)).map(|(number, _)| Mark(number as u32 | Mark::FEED))
    }

    /// Whether the value is in the output as it was.
    pub fn is_kept(&mut self, mark: Mark) -> bool {
        self.state(mark) == ValueState::Kept
    }

    /// The same, or as its reader made it.
    pub fn is_unchanged(&mut self, mark: Mark) -> bool {
        match self.state(mark) {
            ValueState::Kept => true,
            ValueState::Changed(of) => self.adjustment(mark).is_some_and(|why| {
                let detail = self.side(mark).details.get(of as usize);
                detail.is_some_and(|detail| detail.why == why)
            }),
            ValueState::Open | ValueState::Merged(_) | ValueState::Lost(_) => false,
        }
    }

    /// Whether a rule of the target left the value out, and not want of a place for it.
    pub fn refused(&mut self, mark: Mark) -> bool {
        let ValueState::Lost(of) = self.state(mark) else { return false };
        let detail = self.side(mark).details.get(of as usize);
        detail.is_some_and(|detail| {
            !matches!(detail.why.code(), Code::NoCarrier | Code::ColumnNotChosen | Code::AttributeDropped)
        })
    }

    #[inline]
    fn state(&mut self, mark: Mark) -> ValueState {
        let index = (mark.0 & !Mark::FEED) as usize;
        self.side(mark).states.get(index).copied().unwrap_or_default()
    }

    /// Whether anything was settled of this value.
    #[inline]
    pub fn settled(&mut self, mark: Mark) -> bool {
        self.state(mark) != ValueState::Open
    }
}

/// Many values that are lost for one reason, which is noted with the first of them.
pub struct LossGroup<'b> {
    books: &'b mut Books,
    why: Reason,
    said: Option<Arc<str>>,
    /// The number of the reason, on the entry's own side and on that of the head.
    of: [Option<u32>; 2],
}

impl LossGroup<'_> {
    /// This one is lost too.
    #[inline]
    pub fn lost(&mut self, mark: Mark) {
        // nearly all are the entry's own, and behind the first of them
        match (self.of[0], self.books.own.states.get_mut(mark.0 as usize)) {
            (Some(of), Some(state)) if *state == ValueState::Open => *state = ValueState::Lost(of),
            (Some(_), Some(_)) => (),
            _ => self.lose_any(mark),
        }
    }

    fn lose_any(&mut self, mark: Mark) {
        if mark.is_some() && self.books.side(mark).below(mark, 1).is_some() {
            let of = match self.of[usize::from(mark.of_feed())] {
                Some(of) => of,
                None => self.note(mark),
            };
            self.books.side(mark).settle(mark, ValueState::Lost(of), 1);
        }
    }

    /// Notes the reason.
    fn note(&mut self, mark: Mark) -> u32 {
        let side = self.books.side(mark);
        let of = match &self.said {
            None => side.reason(self.why),
            said => side.own_reason(self.why, LeafDetail { said: said.clone(), ..LeafDetail::default() }),
        };
        self.of[usize::from(mark.of_feed())] = Some(of);
        of
    }
}
