//! Removes elements of dialects whose values were taken out of an entry. The values of an element are in the model under the marks
//! of the element, which stays among the unknown markup or the modules.

use std::collections::HashMap;

use crate::model::origin::{Origin, Preset, Role};
use crate::model::{Entry, Field, Foreign, Mark, Module};
use crate::reason::Reason;

/// Removes the leaves with these marks from the unknown markup and the modules of an entry, and what goes with them. An element
/// without another value that was understood goes as a whole.
pub(super) fn prune(entry: &mut Entry<'_>, removed: &[(Mark, Field)], is_dropped: &dyn Fn(Field) -> bool) {
    if entry.foreign.is_empty() && entry.modules.is_empty() {
        return;
    }
    let Entry { foreign, modules, origin, .. } = entry;
    let fields = removed.iter().copied().collect();
    let mut pruning = CopyPruning { fields, is_dropped, origin };
    pruning.foreign(foreign);
    modules.retain_mut(|module| pruning.is_module_kept(module));
}

struct CopyPruning<'p, 'a> {
    /// The values that were removed, with their fields.
    fields: HashMap<Mark, Field>,
    is_dropped: &'p dyn Fn(Field) -> bool,
    origin: &'p mut Origin<'a>,
}

/// An element of the unknown markup whose content is read.
struct OpenForeign {
    index: usize,
    /// The field of the first leaf in it that was removed.
    removed: Option<Field>,
    is_understood: bool,
}

impl CopyPruning<'_, '_> {
    /// The field of a leaf that was removed, or that goes with one that was.
    fn field(&self, mark: Mark) -> Option<Field> {
        let of = |mark: Mark| self.fields.get(&mark).copied();
        let record = self.origin.record(mark)?;
        of(mark).or_else(|| match (record.role, record.preset) {
            (Role::Follows(with), _) | (_, Preset::Merged(_, with)) => of(with),
            (_, Preset::Removed(field, Reason::NoElement)) => Some(field).filter(|field| (self.is_dropped)(*field)),
            _ => None,
        })
    }

    fn is_understood(&self, mark: Mark) -> bool {
        self.origin.record(mark).is_some_and(|record| !matches!(record.preset, Preset::Unread(_)))
    }

    fn remove(&mut self, mark: Mark, field: Field) {
        if let Some(record) = self.origin.records.get_mut(mark.0 as usize)
            && record.role == Role::Leaf
            && !matches!(record.preset, Preset::Merged(..))
        {
            record.preset = Preset::Removed(field, Reason::DroppedField);
        }
    }

    fn foreign(&mut self, items: &mut Vec<Foreign<'_>>) {
        let mut fields: Vec<Option<Field>> = vec![None; items.len()];
        let mut whole = vec![false; items.len()];
        let mut open: Vec<OpenForeign> = Vec::new();
        for index in 0..=items.len() {
            let path = items.get(index).map_or("", |item| &*item.path);
            while let Some(last) = open.pop_if(|last| !is_below(path, &items[last.index].path)) {
                if let Some(field) = last.removed.filter(|_| !last.is_understood) {
                    whole[last.index..index].fill(true);
                    fields[last.index..index].iter_mut().for_each(|of| *of = of.or(Some(field)));
                }
                if let Some(parent) = open.last_mut() {
                    parent.removed = parent.removed.or(last.removed);
                    parent.is_understood |= last.is_understood;
                }
            }
            let Some(item) = items.get(index) else { break };
            let mark = item.value.as_ref().map_or(Mark::NONE, |value| value.mark);
            let removed = self.field(mark);
            fields[index] = removed;
            open.push(OpenForeign { index, removed, is_understood: removed.is_none() && self.is_understood(mark) });
        }
        let mut all = fields.into_iter().zip(whole);
        items.retain_mut(|item| {
            let Some((Some(field), is_whole)) = all.next() else { return true };
            let text = item.value.take().map(|value| value.mark);
            let empty = item.empty.take_if(|_| is_whole).map(|leaf| leaf.mark);
            text.into_iter().chain(empty).for_each(|mark| self.remove(mark, field));
            !is_whole
        });
    }

    fn is_module_kept(&mut self, module: &mut Module<'_>) -> bool {
        let mut is_changed = false;
        let slots = module.attributes.iter_mut().map(|attribute| &mut attribute.value);
        for slot in slots.chain([&mut module.value]) {
            let Some(mark) = slot.as_ref().map(|value| value.mark) else { continue };
            let Some(field) = self.field(mark) else { continue };
            self.remove(mark, field);
            *slot = None;
            is_changed = true;
        }
        module.attributes.retain(|attribute| attribute.value.is_some());
        !is_changed || module.value.is_some() || !module.attributes.is_empty()
    }
}

/// Whether the first path is that of something in the element with the second.
fn is_below(path: &str, element: &str) -> bool {
    path.strip_prefix(element).is_some_and(|rest| rest.starts_with('/'))
}
