//! From plain structs back to the model, with consistent books: unchanged values keep their marks, changed ones keep
//! them and are noted, new ones get new marks, and missing ones are reported as removed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::levels;
use super::part::{self, ModelPart, Provenance};
use super::{Entry, Head};
use crate::model::origin::{EditedEntry, LeafRecord, Origin, Preset, Role};
use crate::model::{self, Field, Leaf, Mark, Module, Walk};
use crate::reason::Reason;
use crate::xml::names::Ns;

/// The document that entries and a head were read from: other documents have other marks.
#[derive(Clone, Debug, Default)]
pub(crate) struct DocumentIdentity(Arc<()>);

impl DocumentIdentity {
    fn is(&self, other: &DocumentIdentity) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The original of an entry or a head that was read.
#[derive(Debug)]
pub(crate) struct EntryOriginal {
    document: DocumentIdentity,
    /// Its number in the document.
    pub position: usize,
    origin: Origin<'static>,
    /// Its values in the model, with their fields.
    fields: Vec<(Mark, Field)>,
    /// Values both in a video and on one of its levels.
    handed: HashSet<Mark>,
    /// Values both in unrecognized markup, or a module, and in the member that a dialect maps them to.
    dialect: HashSet<Mark>,
}

/// The marks of the head that are still valid.
pub(crate) type HeadMarks = HashSet<Mark>;

/// The way back of one entry or head.
pub(crate) struct ModelRestorer<'b> {
    mother: Option<&'b Arc<EntryOriginal>>,
    head: Option<&'b HeadMarks>,
    records: Vec<LeafRecord>,
    /// The originals of converted structs.
    shells: HashSet<usize>,
    /// New marks of changed values, with their old ones.
    edited: Vec<(Mark, Mark)>,
    /// Members of videos that differ from their level.
    pub changed_members: HashSet<String>,
    is_head: bool,
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

/// The original of an entry, moved out of it.
fn remember<W: Walk<Names = ()>>(
    (document, position): (&DocumentIdentity, usize),
    origin: Origin<'static>,
    part: &W,
    is_head: bool,
) -> EntryOriginal {
    let mut fields = Vec::new();
    part.walk((), &mut |seen| {
        if seen.mark.is_some() && seen.mark.of_feed() == is_head {
            fields.push((seen.mark, seen.field));
        }
    });
    let mut known = HashSet::new();
    fields.retain(|(mark, _)| known.insert(*mark));
    let (handed, dialect) = (HashSet::new(), HashSet::new());
    EntryOriginal { document: document.clone(), position, origin, fields, handed, dialect }
}

/// An entry as its users see it.
pub(crate) fn show_entry(mut entry: model::Entry<'static>, document: &DocumentIdentity, position: usize) -> Entry {
    let origin = std::mem::take(&mut entry.origin);
    let mut mother = remember((document, position), origin, &entry, false);
    mother.handed = levels::inherited_marks(&entry);
    entry.walk((), &mut |seen| {
        if seen.via == Some(Ns::Dialect) {
            mother.dialect.insert(seen.mark);
        }
    });
    part::show(&mut entry, &Arc::new(mother))
}

/// A head as its users see it.
pub(crate) fn show_head(mut head: model::Feed<'static>, document: &DocumentIdentity) -> Head {
    let origin = std::mem::take(&mut head.origin);
    let mother = remember((document, 0), origin, &head, true);
    part::show(&mut head, &Arc::new(mother))
}

/// The original of an entry or head, if it is from this document.
pub(crate) fn original_in<'p, M: std::any::Any + Send + Sync>(
    provenance: &'p Provenance,
    document: &DocumentIdentity,
) -> Option<&'p Arc<EntryOriginal>> {
    provenance.original::<M>().filter(|mother| mother.document.is(document))
}

/// The head of the model again, with the marks of which entries may hold copies.
pub(crate) fn fill_head(head: &Head, mother: Option<&Arc<EntryOriginal>>) -> (model::Feed<'static>, HeadMarks) {
    let (mut filled, mut back) = begin::<Head>(head, mother, None, true);
    let before: HashSet<Mark> = back.edited.iter().map(|(_, old)| *old).collect();
    let mut marks = HashSet::new();
    filled.walk((), &mut |seen| {
        marks.insert(seen.mark);
    });
    marks.retain(|mark| !before.contains(mark));
    let moved = back.close(marks_of(&filled));
    filled.marks(&mut |mark| *mark = *moved.get(mark).unwrap_or(mark));
    filled.origin = back.origin();
    (filled, marks)
}

/// The entry of the model again. `mother` is what it was read from, unless its values count as the caller's.
pub(crate) fn fill_entry(
    entry: &Entry,
    mother: Option<&Arc<EntryOriginal>>,
    head: Option<&HeadMarks>,
    number: u64,
) -> model::Entry<'static> {
    let (mut filled, mut back) = begin::<Entry>(entry, mother, head, false);
    if let Some(mother) = mother {
        levels::settle(&mut filled, &mother.handed, &back.changed_members);
        forget_dialect(&mut filled, &mother.dialect);
    }
    let moved = back.close(marks_of(&filled));
    filled.marks(&mut |mark| *mark = *moved.get(mark).unwrap_or(mark));
    filled.origin = back.origin();
    filled.origin.held = Some(EditedEntry { number, removed: false });
    filled
}

/// An entry without remaining values.
pub(crate) fn removed(mother: &Arc<EntryOriginal>, number: u64) -> model::Entry<'static> {
    let mut back = ModelRestorer::new(Some(mother), None, false);
    back.close(HashSet::new());
    let mut origin = back.origin();
    origin.held = Some(EditedEntry { number, removed: true });
    model::Entry { origin, ..model::Entry::default() }
}

fn begin<'b, P: ModelPart>(
    part: &P,
    mother: Option<&'b Arc<EntryOriginal>>,
    head: Option<&'b HeadMarks>,
    is_head: bool,
) -> (P::Model, ModelRestorer<'b>) {
    let mut back = ModelRestorer::new(mother, head, is_head);
    let filled = part::fill(part, &mut back);
    (filled, back)
}

fn marks_of<W: Walk<Names = ()>>(part: &W) -> HashSet<Mark> {
    let mut marks = HashSet::new();
    part.walk((), &mut |seen| {
        marks.insert(seen.mark);
    });
    marks
}

impl<'b> ModelRestorer<'b> {
    fn new(mother: Option<&'b Arc<EntryOriginal>>, head: Option<&'b HeadMarks>, is_head: bool) -> ModelRestorer<'b> {
        let records = mother.map_or_else(Vec::new, |mother| mother.origin.records.clone());
        let (shells, changed_members) = (HashSet::new(), HashSet::new());
        ModelRestorer { mother, head, records, shells, edited: Vec::new(), changed_members, is_head }
    }

    fn record(&mut self, mark: Mark) -> Option<&mut LeafRecord> {
        self.records.get_mut((mark.0 & !Mark::FEED) as usize)
    }

    /// Settles all marks of the original; these marks are in the model now. Returns the new marks that are
    /// old ones: those of values that only have another value.
    fn close(&mut self, present: HashSet<Mark>) -> HashMap<Mark, Mark> {
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
                record.preset = Preset::Removed(*field);
            }
        }
        moved
    }

    /// The current positions of values.
    fn origin(self) -> Origin<'static> {
        let ModelRestorer { mother, records, .. } = self;
        let origin = mother.map_or_else(Origin::default, |mother| mother.origin.clone());
        Origin { records, tree: None, ..origin }
    }
}

/// The leaf that a member of a list is a part of.
fn part_of(record: &LeafRecord) -> Option<Mark> {
    match record.role {
        Role::Part(of) => Some(of),
        Role::Leaf | Role::Follows(_) | Role::Silent => None,
    }
}

/// Takes out of the unknown markup what a dialect means by a value that is in the model no longer: it would come back
/// with the markup.
fn forget_dialect(entry: &mut model::Entry<'static>, dialect: &HashSet<Mark>) {
    if dialect.is_empty() {
        return;
    }
    let (mut foreign, mut modules) = (std::mem::take(&mut entry.foreign), std::mem::take(&mut entry.modules));
    let present = marks_of(entry);
    let gone: HashSet<Mark> = dialect.iter().filter(|mark| !present.contains(mark)).copied().collect();
    let is_gone = |leaf: &Option<model::Str<'static>>| leaf.as_ref().is_some_and(|leaf| gone.contains(&leaf.mark));
    if !gone.is_empty() {
        let lost: HashSet<String> =
            foreign.iter().filter(|item| is_gone(&item.value)).map(|item| host(&item.path).to_owned()).collect();
        foreign.retain(|item| !is_gone(&item.value) || !last_step(&item.path).starts_with('@'));
        for item in &mut foreign {
            if is_gone(&item.value) {
                item.value = None;
            }
        }
        // an element of which nothing is left is gone with its last value
        let hosts: HashSet<String> = foreign.iter().map(|item| parent(&item.path).to_owned()).collect();
        foreign.retain(|item| {
            item.value.is_some() || item.empty.is_some() || hosts.contains(&*item.path) || !lost.contains(&*item.path)
        });
        for module in &mut modules {
            module.attributes.retain(|attribute| !is_gone(&attribute.value));
            if is_gone(&module.value) {
                module.value = None;
            }
        }
        let is_left =
            |module: &Module<'static>| module.value.is_some() || module.flag.is_some() || !module.attributes.is_empty();
        modules.retain(is_left);
    }
    (entry.foreign, entry.modules) = (foreign, modules);
}

/// The element that a path of unknown markup speaks of.
fn host(path: &str) -> &str {
    if last_step(path).starts_with('@') { parent(path) } else { path }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn last_step(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, step)| step)
}
