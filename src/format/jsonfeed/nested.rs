//! Unknown members of authors, attachments and hubs, by the objects of the source that they are in, so that they go back into
//! what is written of these. Those of the feed and of items need no such place (out.rs).

use std::ops::Range;

use crate::format::contract::Setup;
use crate::json::parse::{self, LIST, OBJECT};
use crate::model::origin::{LeafRecord, Origin, Syntax};
use crate::model::{Foreign, Mark};
use crate::tree::Node;

/// The members whose objects become parts of the model.
const HOLDERS: [&str; 4] = ["author", "authors", "attachments", "hubs"];

/// An object of the source with unknown members.
struct NestedObject<'w> {
    /// Its bytes in the source.
    bytes: Range<u32>,
    /// The member that holds it, and its path.
    holder: &'static str,
    path: &'w str,
    /// Its unknown members.
    items: &'w [Foreign<'w>],
    /// Its values are of the feed, as their marks say.
    of_feed: bool,
    written: bool,
}

/// The objects of an item or a feed with unknown members, in the order of the source.
pub struct NestedUnknown<'w> {
    origin: &'w Origin<'w>,
    objects: Vec<NestedObject<'w>>,
    /// The first object that may not be written yet.
    next: usize,
}

impl<'w> NestedUnknown<'w> {
    /// Those among the unknown values of an item or a feed. Of one that was not read from JSON Feed, nothing is known of
    /// its objects.
    pub fn of(origin: &'w Origin<'w>, items: &'w [Foreign<'w>], setup: &Setup<'_>) -> NestedUnknown<'w> {
        let mut found = NestedUnknown { origin, objects: Vec::new(), next: 0 };
        let part = origin.parts.first().filter(|part| part.syntax == Syntax::Json);
        let Some(part) = part.filter(|_| setup.is_foreign_kept()) else { return found };
        let groups: Vec<_> =
            items.chunk_by(|one, other| holder(one).is_some() && holder(one) == holder(other)).collect();
        if groups.iter().all(|group| group.first().and_then(holder).is_none()) {
            return found;
        }
        let Ok(tree) = parse::parse(&part.raw, &setup.options.limits.tree) else { return found };
        let spans = tree.root().map(spans).unwrap_or_default();
        for items in groups {
            let Some((holder, path)) = items.first().and_then(holder) else { continue };
            let Some(mark) = items.iter().find_map(mark_of) else { continue };
            let Some(at) = found.offset(mark) else { continue };
            let behind = spans.partition_point(|span| span.start <= at);
            let span = behind.checked_sub(1).and_then(|number| spans.get(number)).filter(|span| span.contains(&at));
            if let Some(bytes) = span.cloned() {
                found.objects.push(NestedObject {
                    bytes,
                    holder,
                    path,
                    items,
                    of_feed: mark.of_feed(),
                    written: false,
                });
            }
        }
        found.objects.sort_by_key(|object| object.bytes.start);
        found
    }

    /// Where a value is in the source.
    fn offset(&self, mark: Mark) -> Option<u32> {
        self.origin.record(mark).map(|record| record.at).filter(|at| *at != LeafRecord::NOWHERE)
    }

    /// The unknown members of the object that has this value, with its path. They are given once.
    pub fn beside(&mut self, mark: Mark) -> Option<(&'w str, &'w [Foreign<'w>])> {
        if self.objects.is_empty() {
            return None;
        }
        let at = self.offset(mark)?;
        let behind = self.objects.partition_point(|object| object.bytes.start <= at);
        let object = self.objects.get_mut(behind.checked_sub(1)?)?;
        let is_it = object.bytes.contains(&at) && object.of_feed == mark.of_feed() && !object.written;
        is_it.then(|| {
            object.written = true;
            (object.path, object.items)
        })
    }

    /// The same of the next object in this list of which nothing was written, once all others are; asked of one list only.
    pub fn next_of(&mut self, holder: &str) -> Option<(&'w str, &'w [Foreign<'w>])> {
        let mut rest = self.objects.iter_mut().enumerate().skip(self.next);
        let (at, object) = rest.find(|(_, object)| object.holder == holder && !object.written)?;
        self.next = at + 1;
        object.written = true;
        Some((object.path, object.items))
    }
}

/// The member of the root that an unknown value is below, and the path of the object there.
fn holder<'f>(item: &'f Foreign<'_>) -> Option<(&'static str, &'f str)> {
    let (path, _) = item.path.split_once('/')?;
    let name = path.split('[').next()?;
    HOLDERS.into_iter().find(|known| *known == name).map(|known| (known, path))
}

fn mark_of(item: &Foreign<'_>) -> Option<Mark> {
    let value = item.value.as_ref().map(|value| value.mark);
    value.or(item.empty.as_ref().map(|empty| empty.mark))
}

/// The bytes of the objects in the members that hold them, in order.
fn spans(root: Node<'_, '_>) -> Vec<Range<u32>> {
    let held = root.nodes().filter(|node| HOLDERS.contains(&node.name()));
    let objects = held.flat_map(|node| {
        let own = (node.raw().uri == OBJECT).then_some(node);
        let members = node.nodes().filter(move |member| node.raw().uri == LIST && member.raw().uri == OBJECT);
        own.into_iter().chain(members)
    });
    objects.map(|object| object.raw().at..object.raw().end).collect()
}
