//! The places of an entry's leaves in its source, and what its reader already settled about them. Places are byte
//! offsets until a report needs lines.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::field::Field;
use super::leaf::Mark;
use super::lent::LentObjects;
use super::page::Entry;
use super::record::{IntoOwned, JoinMember, LeafView, ValueType, Walk, WalkStep};
use crate::reason::Reason;
use crate::tree::Tree;
use crate::xml::chunk::Context;
use crate::xml::names::Ns;

/// In which syntax a piece of source is written: how a report finds the path of an offset in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Syntax {
    /// Markup.
    #[default]
    Xml,
    /// JSON.
    Json,
    /// An HTML page, of which only some values are read.
    Html,
    /// A line that is one value.
    Line,
    /// A row of a table.
    Row,
}

/// What a value is to the books.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A leaf of the source.
    Leaf,
    /// One of several values read from the leaf with this mark (a member of a list).
    Part(Mark),
    /// A leaf that goes where the one with this mark goes (the `type` of a text, markup inside XHTML).
    Follows(Mark),
    /// No leaf: an inherited copy in JSON, a structural string.
    Silent,
    /// No leaf of the source: a value from another file, in this line there.
    Filled(u32),
}

/// What the reader settled of a leaf before any writer saw it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preset {
    /// Nothing: a writer must account for it.
    Open,
    /// Read without a slot: an explicit default.
    Implied,
    /// A repetition of a single value; the value with this mark represents it.
    Merged(Reason, Mark),
    /// A value of this field in an entry that was joined to another; the value with this mark represents it.
    Joined(Reason, Field, Mark),
    /// Has another value in the model than in the source (a relative URL resolved).
    Adjusted(Reason),
    /// Not understood; kept in `foreign`. With the field it would belong to, if only its value could not be read.
    Unread(Option<Field>),
    /// A value of this field that was taken out of the entry, and why.
    Removed(Field, Reason),
}

/// One numbered value.
#[derive(Clone, Copy, Debug)]
pub struct LeafRecord {
    /// Byte offset of its leaf in the text of its part; [`LeafRecord::NOWHERE`] for a value without a source.
    pub at: u32,
    /// What it is to the books.
    pub role: Role,
    /// What is settled already.
    pub preset: Preset,
}

impl LeafRecord {
    /// The place of a value that no source has.
    pub const NOWHERE: u32 = u32::MAX;

    /// A value that who holds the entry gave it.
    pub fn given() -> LeafRecord {
        LeafRecord { at: LeafRecord::NOWHERE, role: Role::Leaf, preset: Preset::Open }
    }
}

/// How a caller changed an entry outside the conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EditedEntry {
    /// Its number among the entries that are written.
    pub number: u64,
    /// It was removed as a whole; its values are reported as lost.
    pub removed: bool,
}

/// A piece of source: the text of one entry, or the frame of a document.
#[derive(Clone, Debug)]
pub struct SourcePart<'a> {
    /// First of the records that belong to it.
    pub first: u32,
    /// 0-based number of the entry in its source; absent for the head.
    pub entry: Option<u64>,
    /// The raw text.
    pub raw: Cow<'a, str>,
    /// Its syntax.
    pub syntax: Syntax,
    /// The open elements around it, with their namespaces.
    pub context: Arc<Context>,
    /// Places: (offset in `raw`, line, column), 1-based, columns in characters. At least one, the first at 0.
    pub places: Vec<(usize, u32, u32)>,
}

impl SourcePart<'_> {
    /// The name of its input, where there are several.
    pub fn input(&self) -> Option<String> {
        self.context.input.as_deref().map(str::to_owned)
    }
}

/// A repair made while reading an entry.
#[derive(Clone, Debug)]
pub struct EntryRepair {
    /// Stable code.
    pub code: &'static str,
    /// The piece of source it was made in.
    pub part: u32,
    /// Byte offset in the text of that piece.
    pub at: u32,
    /// The original text.
    pub found: String,
    /// The repair.
    pub done: Cow<'static, str>,
}

/// The places of an entry's leaves. Never part of equality.
#[derive(Clone, Debug, Default)]
pub struct Origin<'a> {
    /// The pieces of source; more than one where entries were joined.
    pub parts: Vec<SourcePart<'a>>,
    /// One for each mark.
    pub records: Vec<LeafRecord>,
    /// Repairs.
    pub remarks: Vec<EntryRepair>,
    /// How many more repairs there were than are listed.
    pub untold: u64,
    /// The source from before the model was written as its own JSON.
    pub before: SourceDocument,
    /// The former places of values that the model's own JSON copies from an unknown element; these values have the
    /// element's marks now.
    pub(crate) stood: HashMap<Mark, u32>,
    /// The markup as it was read, while that is at hand: what a report asks for is looked up in it, instead of reading
    /// the piece again.
    pub(crate) tree: Option<Tree<'a>>,
    /// Values without a leaf, such as those found in HTML.
    pub(crate) generated: Vec<GeneratedLeaf>,
    /// Values that were taken from objects of the head.
    pub(crate) lent: Vec<LentLeaf>,
    /// Objects of a head that its entries may refer to.
    pub(crate) objects: Option<Arc<LentObjects>>,
    /// Where entries with videos were joined: each entry's own values about its page, with the first of its marks. The
    /// videos of one entry must not get the values of another (rule A1).
    pub joined: Vec<(u32, Entry<'a>)>,
    /// The name of the file that some values were taken from.
    pub(crate) filled_from: Option<Arc<str>>,
    /// The entry is that of a document that is held in memory.
    pub(crate) held: Option<EditedEntry>,
    /// Where the videos of its source are that could not be read: the piece, and the byte offset in it.
    pub(crate) unread_videos: Vec<(u32, u32)>,
    /// Why the entry is not among those that are written.
    pub(crate) unselected: Option<Reason>,
    /// How many of its videos are not among those that are written.
    pub(crate) unselected_videos: u64,
    /// Its markup has elements of Media RSS.
    pub(crate) media: bool,
    /// Elements by whose new numbers unknown markup is kept: their name, and the new position of each of the source's.
    pub(crate) renumbered: Vec<(&'static str, Vec<Option<usize>>)>,
}

/// A value of the model without a leaf in the source. The report has it as generated where a target writes it.
#[derive(Clone, Debug)]
pub(crate) struct GeneratedLeaf {
    /// Its field.
    pub field: Field,
    /// What it was made of.
    pub why: Reason,
    /// Its own mark.
    pub mark: Mark,
    /// The leaf it was found in.
    pub from: Mark,
    /// The value.
    pub text: String,
}

/// A value that was taken from an object of the head, which the entry refers to. It has the mark of the head.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LentLeaf {
    /// Its record here, which has what the reader settled of it.
    pub own: Mark,
    /// The value of the head.
    pub of_head: Mark,
    /// The value of the head that it is kept or lost with.
    pub follows: Option<Mark>,
}

/// Facts in the model's own JSON about the document it was written from.
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceDocument {
    /// Of a head: id of that document's format.
    pub format: Option<&'static str>,

    /// Of an entry: the line it began at.
    pub line: Option<u32>,
    /// The links' marks follow the order of the links in that document, not that of their leaves.
    pub ordered: bool,
}

/// How many repairs of one entry are listed. Each is a place to be found, which costs as much as reading up to there.
const REMARKS: usize = 1_000;

/// How many characters are shown of what was done.
const SHOWN: usize = 400;

/// Notes one more repair, as long as there are not too many.
pub(crate) fn note(remark: EntryRepair, remarks: &mut Vec<EntryRepair>, untold: &mut u64) {
    if remarks.len() >= REMARKS {
        *untold += 1;
        return;
    }
    let cut = remark.done.char_indices().nth(SHOWN).map(|(at, _)| format!("{}…", &remark.done[..at]));
    remarks.push(match cut {
        Some(cut) => EntryRepair { done: Cow::Owned(cut), ..remark },
        None => remark,
    });
}

impl<'a> Origin<'a> {
    /// Notes a repair.
    pub(crate) fn remark(&mut self, remark: EntryRepair) {
        note(remark, &mut self.remarks, &mut self.untold);
    }

    /// The 1-based line where the first piece begins; 0 for what was made by hand.
    pub fn line(&self) -> u32 {
        self.parts.first().and_then(|part| part.places.first()).map_or(0, |place| place.1)
    }

    /// The piece that a mark belongs to.
    pub fn part_of(&self, mark: Mark) -> Option<&SourcePart<'a>> {
        self.parts.get(self.piece_of(mark)? as usize)
    }

    /// The number of that piece.
    pub(crate) fn piece_of(&self, mark: Mark) -> Option<u32> {
        let index = mark.0 & !Mark::FEED;
        let behind = self.parts.partition_point(|part| part.first <= index);
        behind.checked_sub(1).map(|piece| piece as u32)
    }

    /// The values about its page of the entry that a mark came with, if that entry was joined with others.
    pub fn joined(&self, mark: Mark) -> Option<&Entry<'a>> {
        let index = (mark.is_some() && !mark.of_feed()).then_some(mark.0)?;
        let behind = self.joined.partition_point(|(first, _)| *first <= index);
        self.joined.get(behind.checked_sub(1)?).map(|(_, entry)| entry)
    }

    /// A number that grows with the place of a leaf in the document it first came from.
    pub fn place(&self, mark: Mark) -> Option<u32> {
        match self.before.ordered {
            _ if self.stood.contains_key(&mark) => self.stood.get(&mark).copied(),
            true => mark.is_some().then_some(mark.0),
            false => self.record(mark).map(|record| record.at),
        }
    }

    /// The record of a mark.
    pub fn record(&self, mark: Mark) -> Option<&LeafRecord> {
        if !mark.is_some() {
            return None;
        }
        self.records.get((mark.0 & !Mark::FEED) as usize)
    }

    /// Notes how a value without a leaf is written, once its URL is absolute. Those of HTML are numbered behind all others.
    pub(crate) fn restate(&mut self, mark: Mark, text: &str) {
        let at = self.generated.partition_point(|made| made.mark < mark);
        if let Some(made) = self.generated.get_mut(at).filter(|made| made.mark == mark) {
            text.clone_into(&mut made.text);
        }
    }

    /// Whether nothing of the entry is to be written: who holds it removed all of it, or it was not selected.
    pub(crate) fn is_skipped(&self) -> bool {
        self.unselected.is_some() || self.held.is_some_and(|held| held.removed)
    }

    /// Settles a value that was taken out of the entry or head; that of a head is not settled by an entry.
    pub(crate) fn remove(&mut self, mark: Mark, field: Field, why: Reason) {
        let record = (mark.is_some() && !mark.of_feed()).then_some(mark.0 as usize);
        let Some(record) = record.and_then(|index| self.records.get_mut(index)) else { return };
        let is_open = matches!(record.preset, Preset::Open | Preset::Adjusted(_) | Preset::Unread(_));
        if is_open && matches!(record.role, Role::Leaf | Role::Part(_)) {
            record.preset = Preset::Removed(field, why);
        }
    }

    /// Takes in the source of another entry that becomes part of this one; the other's marks must be moved by
    /// the number this returns.
    pub fn absorb(&mut self, other: Origin<'a>) -> u32 {
        let by = self.records.len() as u32;
        let parts = self.parts.len() as u32;
        self.tree = None;
        self.parts.extend(other.parts.into_iter().map(|part| SourcePart { first: part.first + by, ..part }));
        self.records.extend(other.records.into_iter().map(|record| LeafRecord {
            role: match record.role {
                Role::Part(of) => Role::Part(Mark(of.0 + by)),
                Role::Follows(of) => Role::Follows(Mark(of.0 + by)),
                role @ (Role::Leaf | Role::Silent | Role::Filled(_)) => role,
            },
            preset: match record.preset {
                Preset::Merged(reason, with) => Preset::Merged(reason, Mark(with.0 + by)),
                preset @ (Preset::Open
                | Preset::Implied
                | Preset::Joined(..)
                | Preset::Adjusted(..)
                | Preset::Removed(..)
                | Preset::Unread(_)) => preset,
            },
            ..record
        }));
        self.remarks
            .extend(other.remarks.into_iter().map(|remark| EntryRepair { part: remark.part + parts, ..remark }));
        self.untold += other.untold;
        self.unselected_videos += other.unselected_videos;
        self.unread_videos.extend(other.unread_videos.into_iter().map(|(part, at)| (part + parts, at)));
        self.media |= other.media;
        self.filled_from = self.filled_from.take().or(other.filled_from);
        let moved =
            |made: GeneratedLeaf| GeneratedLeaf { mark: Mark(made.mark.0 + by), from: Mark(made.from.0 + by), ..made };
        self.generated.extend(other.generated.into_iter().map(moved));
        self.lent.extend(other.lent.into_iter().map(|leaf| LentLeaf { own: Mark(leaf.own.0 + by), ..leaf }));
        self.stood.extend(other.stood.into_iter().map(|(mark, place)| (Mark(mark.0 + by), place)));
        by
    }

    /// Forgets the values about their pages of joined entries that none of these marks came with.
    pub(crate) fn keep_joined(&mut self, marks: &[Mark]) {
        let behind = |mark: &Mark| self.joined.partition_point(|(first, _)| *first <= mark.0).checked_sub(1);
        let kept: HashSet<usize> = marks.iter().filter(|mark| mark.is_some()).filter_map(behind).collect();
        let mut index = 0..;
        self.joined.retain(|_| index.next().is_some_and(|index| kept.contains(&index)));
    }

    /// Forgets all records but those with a new number, and the pieces of source that none of them came from: only the
    /// first piece stays, for it is the entry's place. The marks of the entry must be moved by [`move_mark`].
    pub(crate) fn keep_records(&mut self, numbers: &[Option<u32>]) {
        let next = numbers.iter().flatten().count() as u32;
        let moved = |mark| move_mark(mark, numbers);
        let is_kept = |index: usize| numbers.get(index).is_some_and(Option::is_some);
        let mut index = 0..;
        self.records.retain(|_| index.next().is_some_and(is_kept));
        for record in &mut self.records {
            record.role = match record.role {
                Role::Part(of) => Role::Part(moved(of)),
                Role::Follows(of) => Role::Follows(moved(of)),
                role @ (Role::Leaf | Role::Silent | Role::Filled(_)) => role,
            };
            record.preset = match record.preset {
                Preset::Merged(why, with) => Preset::Merged(why, moved(with)),
                Preset::Joined(why, field, with) => Preset::Joined(why, field, moved(with)),
                preset @ (Preset::Open
                | Preset::Implied
                | Preset::Adjusted(_)
                | Preset::Removed(..)
                | Preset::Unread(_)) => preset,
            };
        }
        // how many records are kept before each number
        let before: Vec<u32> = std::iter::once(0)
            .chain(numbers.iter().scan(0, |sum, number| {
                *sum += u32::from(number.is_some());
                Some(*sum)
            }))
            .collect();
        let begins = |first: u32| before.get(first as usize).or(before.last()).copied().unwrap_or(0);
        let ends: Vec<u32> = self.parts.iter().skip(1).map(|part| begins(part.first)).chain([next]).collect();
        let mut parts = std::mem::take(&mut self.parts).into_iter().zip(ends).enumerate();
        self.parts.extend(parts.by_ref().filter_map(|(index, (part, end))| {
            let first = begins(part.first);
            (index == 0 || first < end).then_some(SourcePart { first, ..part })
        }));
        for (first, said) in &mut self.joined {
            *first = begins(*first);
            said.marks(&mut |mark| *mark = moved(*mark));
        }
        for made in &mut self.generated {
            (made.mark, made.from) = (moved(made.mark), moved(made.from));
        }
        self.generated.retain(|made| made.mark.is_some());
        self.lent.iter_mut().for_each(|leaf| leaf.own = moved(leaf.own));
        self.lent.retain(|leaf| leaf.own.is_some());
        let stood = std::mem::take(&mut self.stood).into_iter().map(|(mark, place)| (moved(mark), place));
        self.stood = stood.filter(|(mark, _)| mark.is_some()).collect();
        (self.remarks, self.untold, self.tree) = (Vec::new(), 0, None);
    }
}

/// New numbers for the records that are kept.
pub(crate) fn numbers(is_kept: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0..;
    is_kept.iter().map(|kept| if *kept { next.next() } else { None }).collect()
}

/// The mark of a value in an entry of which some records were kept; none for a value without its record.
pub(crate) fn move_mark(mark: Mark, numbers: &[Option<u32>]) -> Mark {
    match mark.is_some() && !mark.of_feed() {
        true => numbers.get(mark.0 as usize).copied().flatten().map_or(Mark::NONE, Mark),
        false => mark,
    }
}

impl PartialEq for Origin<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Walk for Origin<'_> {
    type Names = ();
    fn walk<'e>(&'e self, (): (), _: &mut dyn FnMut(LeafView<'e>)) {}
    fn outline<'e>(&'e self, (): (), _: &mut dyn FnMut(WalkStep<'e>)) {}
    fn addresses(&mut self, (): (), _: &mut dyn FnMut(LeafView<'_>) -> Option<String>) {}
    fn marks(&mut self, _: &mut dyn FnMut(&mut Mark)) {}
    fn carriers(&mut self, _: &mut dyn FnMut(&mut Option<Ns>)) {}
    fn prune(&mut self, (): (), _: &dyn Fn(Field) -> bool, _: &mut Vec<(Mark, Field)>) -> bool {
        false
    }
    fn types((): (), _: u8, _: &mut dyn FnMut(Field, ValueType)) {}
    fn is_blank(&self) -> bool {
        true
    }
}

impl JoinMember for Origin<'_> {}

impl IntoOwned for Origin<'_> {
    type Owned = Origin<'static>;
    fn into_owned(self) -> Origin<'static> {
        let own = |part: SourcePart<'_>| SourcePart {
            first: part.first,
            entry: part.entry,
            raw: Cow::Owned(part.raw.into_owned()),
            syntax: part.syntax,
            context: part.context,
            places: part.places,
        };
        let parts = self.parts.into_iter().map(own).collect();
        let joined = self.joined.into_iter().map(|(first, entry)| (first, entry.into_owned())).collect();
        let Origin {
            records,
            remarks,
            untold,
            before,
            held,
            unread_videos,
            unselected,
            unselected_videos,
            media,
            renumbered,
            stood,
            generated,
            lent,
            objects,
            filled_from,
            ..
        } = self;
        let tree = None;
        Origin {
            parts,
            records,
            remarks,
            untold,
            before,
            stood,
            generated,
            lent,
            objects,
            tree,
            joined,
            filled_from,
            held,
            unread_videos,
            unselected,
            unselected_videos,
            media,
            renumbered,
        }
    }
}
