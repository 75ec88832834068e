//! The original of what was read, and the changes that a caller made to it, in the books. The conversions of whole entries are in edit.rs.

use std::sync::Arc;

use crate::model::origin::{LeafRecord, Origin, Preset, Role};
use crate::model::{Field, Leaf, Mark};
use crate::reason::Reason;
use crate::xml::names::Ns;
use std::collections::HashMap;
use std::collections::HashSet;

/// The original of an entry or a head that was read.
#[derive(Debug)]
pub(crate) struct EntryOriginal {
    pub(super) document: DocumentIdentity,
    /// Its number in the document.
    pub position: usize,
    pub(super) origin: Origin<'static>,
    /// Its values in the model, with their fields.
    pub(super) fields: Vec<(Mark, Field)>,
    /// Values both in a video and on one of its levels.
    pub(super) handed: HashSet<Mark>,
    /// Values both in unrecognized markup, or a module, and in the member that a dialect maps them to.
    pub(super) dialect: HashSet<Mark>,
}

/// The way back of one entry or head.
pub(crate) struct ModelRestorer<'b> {
    pub(super) mother: Option<&'b Arc<EntryOriginal>>,
    pub(super) head: Option<&'b HeadMarks>,
    pub(super) records: Vec<LeafRecord>,
    /// The originals of converted structs.
    pub(super) shells: HashSet<usize>,
    /// New marks of changed values, with their old ones.
    pub(super) edited: Vec<(Mark, Mark)>,
    /// Members of videos that differ from their level.
    pub changed_members: HashSet<String>,
    pub(super) is_head: bool,
}

impl ModelRestorer<'_> {
    /// Whether a struct was read in its current entry.
    pub fn owns(&self, mother: &Arc<EntryOriginal>) -> bool {
        self.mother.is_some_and(|own| Arc::ptr_eq(own, mother))
    }

    /// Whether this is the first struct that was read from this shell.
    pub fn is_first_use<T>(&mut self, shell: &T) -> bool {
        self.shells.insert(std::ptr::from_ref(shell).addr())
    }

    fn new_mark(&mut self) -> Mark {
        let sign = if self.is_head { Mark::FEED } else { 0 };
        self.records.push(LeafRecord::given());
        Mark((self.records.len() - 1) as u32 | sign)
    }

    /// A leaf that was read, if it is the same, or is now this value.
    pub fn leaf<T: Clone>(&mut self, was: Option<&Leaf<T>>, same: bool, value: impl FnOnce() -> T) -> Leaf<T> {
        let Some(was) = was.filter(|was| was.mark.is_some()) else {
            return Leaf { mark: self.new_mark(), ..Leaf::new(value()) };
        };
        // what the head gives its entries must still be there
        let is_heads = was.mark.of_feed() && !self.is_head;
        let is_gone = is_heads && self.head.is_some_and(|head| !head.contains(&was.mark));
        if same && !is_gone {
            return was.clone();
        }
        let mark = self.new_mark();
        if !is_heads {
            self.edited.push((mark, was.mark));
        }
        Leaf { value: value(), mark, via: was.via.filter(|via| *via != Ns::Dialect) }
    }
}

impl<'b> ModelRestorer<'b> {
    pub(super) fn new(
        mother: Option<&'b Arc<EntryOriginal>>,
        head: Option<&'b HeadMarks>,
        is_head: bool,
    ) -> ModelRestorer<'b> {
        let records = mother.map_or_else(Vec::new, |mother| mother.origin.records.clone());
        let (shells, changed_members) = (HashSet::new(), HashSet::new());
        ModelRestorer { mother, head, records, shells, edited: Vec::new(), changed_members, is_head }
    }

    pub(super) fn record(&mut self, mark: Mark) -> Option<&mut LeafRecord> {
        self.records.get_mut((mark.0 & !Mark::FEED) as usize)
    }

    /// Settles all marks of the original; these marks are in the model now. Returns the new marks that are
    /// old ones: those of values that only have another value.
    pub(super) fn close(&mut self, present: HashSet<Mark>) -> HashMap<Mark, Mark> {
        let mut moved: HashMap<Mark, Mark> = HashMap::new();
        let mut again: HashSet<Mark> = HashSet::new();
        // a list in one leaf has members that came and went
        let lists: HashSet<Mark> = self.records.iter().filter_map(part_of).collect();
        for (new, old) in std::mem::take(&mut self.edited) {
            let is_list = lists.contains(&Mark(old.0 & !Mark::FEED)) || lists.contains(&old);
            if is_list || present.contains(&old) || !present.contains(&new) || again.contains(&old) {
                continue;
            }
            let Some(record) = self.record(old) else { continue };
            if record.role != Role::Leaf || !matches!(record.preset, Preset::Open | Preset::Adjusted(..)) {
                continue;
            }
            record.preset = Preset::Adjusted(Reason::EditedByCaller);
            if let Some(record) = self.record(new) {
                (record.role, record.preset) = (Role::Silent, Preset::Implied);
            }
            again.insert(old);
            moved.insert(new, old);
        }
        for (mark, field) in self.mother.map_or(&[][..], |mother| &mother.fields) {
            if present.contains(mark) || again.contains(mark) {
                continue;
            }
            if let Some(record) = self.record(*mark)
                && matches!(record.role, Role::Leaf | Role::Part(_))
            {
                record.preset = Preset::Removed(*field, Reason::RemovedByCaller);
            }
        }
        moved
    }

    /// The current positions of values.
    pub(super) fn origin(self) -> Origin<'static> {
        let ModelRestorer { mother, records, .. } = self;
        let origin = mother.map_or_else(Origin::default, |mother| mother.origin.clone());
        Origin { records, tree: None, ..origin }
    }
}

/// The document that entries and a head were read from: other documents have other marks.
#[derive(Clone, Debug, Default)]
pub(crate) struct DocumentIdentity(Arc<()>);

impl DocumentIdentity {
    pub(super) fn is(&self, other: &DocumentIdentity) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The marks of the head that are still valid.
pub(crate) type HeadMarks = HashSet<Mark>;

/// The leaf that a member of a list is a part of.
pub(super) fn part_of(record: &LeafRecord) -> Option<Mark> {
    match record.role {
        Role::Part(of) => Some(of),
        Role::Leaf | Role::Follows(_) | Role::Silent | Role::Filled(_) => None,
    }
}
