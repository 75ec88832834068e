//! From plain structs back to the model, with consistent books: unchanged values keep their marks, changed ones keep
//! them and are noted, new ones get new marks, and missing ones are reported as removed.

use std::collections::HashSet;
use std::sync::Arc;

use super::levels;
use super::original::{DocumentIdentity, EntryOriginal, HeadMarks, ModelRestorer};
use super::part::{self, ModelPart, Provenance};
use super::{Entry, Head};
use crate::model::origin::{EditedEntry, Origin};
use crate::model::{self, Mark, Module, Walk};
use crate::xml::names::Ns;

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
