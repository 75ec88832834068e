//! Unknown members of authors, attachments and hubs, by the objects of the source that they are in, so that they go back into
//! what is written of these. Those of the feed and of items need no such place (out.rs).

use std::ops::Range;

use crate::format::contract::Setup;
use crate::json::parse::{self, LIST, OBJECT};
use crate::model::origin::{LeafRecord, Origin, Syntax};
use crate::model::{Entry, Foreign, Mark, Walk};
use crate::tree::Node;

/// The members whose objects become parts of the model.
const HOLDERS: [&str; 4] = ["author", "authors", "attachments", "hubs"];

/// An object of the source with unknown members.
struct NestedObject<'w> {
    /// Its bytes in the source; none where that is the model.
    bytes: Range<u32>,
    /// The member that holds it.
    holder: &'static str,
    /// Its place among the objects of the list that the model has; none if it is not one of them.
    place: Option<usize>,
    path: &'w str,
    /// Its unknown members.
    items: &'w [Foreign<'w>],
    /// Its values are of the feed, as their marks say.
    of_feed: bool,
    written: bool,
}

/// The objects of an item or a feed with unknown members. From JSON Feed itself they are known by their bytes. By way of the
/// model, they are known by their numbers ([`number_attachments`]).
pub struct NestedUnknown<'w> {
    origin: &'w Origin<'w>,
    /// First those without bytes, by list and place; then the others by their bytes.
    objects: Vec<NestedObject<'w>>,
    /// How many have no bytes.
    placed: usize,
    /// The first object that may not be written yet.
    next: usize,
}

impl<'w> NestedUnknown<'w> {
    /// Those among the unknown values of an item or a feed.
    pub fn find(origin: &'w Origin<'w>, items: &'w [Foreign<'w>], setup: &Setup<'_>) -> NestedUnknown<'w> {
        let mut found = NestedUnknown { origin, objects: Vec::new(), placed: 0, next: 0 };
        let part = origin.parts.first().filter(|part| part.syntax == Syntax::Json);
        let Some(part) = part.filter(|_| setup.is_foreign_kept()) else { return found };
        let same = |one: &Foreign<'_>, other: &Foreign<'_>| holder(one).is_some() && holder(one) == holder(other);
        let groups: Vec<_> = items.chunk_by(same).collect();
        if groups.iter().all(|group| group.first().and_then(holder).is_none()) {
            return found;
        }
        let Ok(tree) = parse::parse(&part.raw, &setup.options.limits.tree) else { return found };
        let spans = tree.root().map(spans).unwrap_or_default();
        let blank = blank(items);
        for items in groups {
            let Some((holder, path)) = items.first().and_then(holder) else { continue };
            let Some(mark) = items.iter().find_map(mark_of) else { continue };
            let Some(at) = found.offset(mark) else { continue };
            let behind = spans.partition_point(|span| span.start <= at);
            let span = behind.checked_sub(1).and_then(|number| spans.get(number)).filter(|span| span.contains(&at));
            let bytes = span.cloned().unwrap_or_default();
            let place = place(holder, number(path), &blank);
            found.objects.push(NestedObject {
                bytes,
                holder,
                place,
                path,
                items,
                of_feed: mark.of_feed(),
                written: false,
            });
        }
        found.objects.sort_by_key(|object| (object.bytes.start, object.holder, object.place));
        found.placed = found.objects.partition_point(|object| object.bytes.is_empty());
        found
    }

    /// Where a value is in the source.
    fn offset(&self, mark: Mark) -> Option<u32> {
        self.origin.record(mark).map(|record| record.at).filter(|at| *at != LeafRecord::NOWHERE)
    }

    /// The unknown members of the object that has this value, the one at this place of a list in the model; with its path. They are
    /// given once.
    pub fn beside(&mut self, mark: Mark, holder: &str, place: usize) -> Option<(&'w str, &'w [Foreign<'w>])> {
        if self.objects.is_empty() {
            return None;
        }
        let at = self.offset(mark);
        let (placed, others) = self.objects.split_at_mut(self.placed);
        let number = placed.binary_search_by_key(&(holder, Some(place)), |object| (object.holder, object.place));
        let object = match (number, at) {
            (Ok(number), _) => placed.get_mut(number)?,
            (Err(_), at) => {
                let at = at?;
                let behind = others.partition_point(|object| object.bytes.start <= at);
                others.get_mut(behind.checked_sub(1)?).filter(|object| object.bytes.contains(&at))?
            }
        };
        let is_it = object.of_feed == mark.of_feed() && !std::mem::replace(&mut object.written, true);
        is_it.then_some((object.path, object.items))
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

/// Gives the unknown members of attachments the numbers that these have in the model, where films precede other files.
pub fn number_attachments<'a>(root: Node<'_, 'a>, origin: &Origin<'a>, entry: &mut Entry<'a>) {
    let Entry { foreign, videos, enclosures, .. } = entry;
    if !foreign.iter().any(|item| item.path.starts_with(NUMBERED)) {
        return;
    }
    let list = root.nodes().find(|node| node.name() == ATTACHMENTS && node.raw().uri == LIST);
    let all: Vec<Range<u32>> =
        list.into_iter().flat_map(|list| list.nodes()).map(|node| node.raw().at..node.raw().end).collect();
    let mut numbers: Vec<Option<usize>> = vec![None; all.len()];
    let mut last = 0;
    let mut number = |mark: Option<Mark>| {
        last += 1;
        let at = mark.and_then(|mark| origin.record(mark)).map_or(LeafRecord::NOWHERE, |record| record.at);
        let behind = all.partition_point(|object| object.start <= at);
        let object = behind.checked_sub(1).filter(|object| all[*object].contains(&at));
        if let Some(slot) = object.and_then(|object| numbers.get_mut(object)) {
            *slot = slot.or(Some(last));
        }
    };
    videos.iter().flat_map(|video| &video.files).for_each(|file| number(first_mark(file)));
    enclosures.iter().for_each(|file| number(first_mark(file)));
    // those of which the model has nothing
    numbers.iter_mut().filter(|number| number.is_none()).zip(last + 1..).for_each(|(slot, next)| *slot = Some(next));
    for item in foreign {
        let Some((old, rest)) = item.path.strip_prefix(NUMBERED).and_then(|path| path.split_once(']')) else {
            continue;
        };
        let old = old.parse::<usize>().ok().and_then(|old| old.checked_sub(1));
        if let Some(new) = old.and_then(|old| numbers.get(old).copied().flatten()) {
            item.path = format!("{NUMBERED}{new}]{rest}").into();
        }
    }
}

const ATTACHMENTS: &str = "attachments";
const NUMBERED: &str = "attachments[";

/// The mark of the first value of a part.
fn first_mark<W: Walk<Names = ()>>(part: &W) -> Option<Mark> {
    let mut first = None;
    part.walk((), &mut |seen| first = first.or(Some(seen.mark).filter(|mark| mark.is_some())));
    first
}

/// The objects of which the model has nothing, in order: they are unknown as a whole.
fn blank(items: &[Foreign<'_>]) -> Vec<(&'static str, usize)> {
    let whole = items.iter().filter(|item| item.value.is_none() && !item.path.contains('/'));
    let mut blank: Vec<_> = whole.filter_map(|item| Some((held(&item.path)?, number(&item.path)))).collect();
    blank.sort_unstable();
    blank
}

/// The place of the object with a number among those that the model has.
fn place(holder: &'static str, number: usize, blank: &[(&'static str, usize)]) -> Option<usize> {
    let first = blank.partition_point(|known| *known < (holder, 0));
    match blank.binary_search(&(holder, number)) {
        Ok(_) => None,
        Err(behind) => number.checked_sub(behind - first + 1),
    }
}

/// The number at the end of a path, from 1; without one it is 1.
fn number(path: &str) -> usize {
    let inside = path.rsplit_once('[').and_then(|(_, end)| end.strip_suffix(']'));
    inside.and_then(|digits| digits.parse().ok()).unwrap_or(1)
}

/// The holder that a path begins with.
fn held(path: &str) -> Option<&'static str> {
    let name = path.split(['[', '/']).next()?;
    HOLDERS.into_iter().find(|known| *known == name)
}

/// The member of the root that an unknown value is below, and the path of the object there.
fn holder<'f>(item: &'f Foreign<'_>) -> Option<(&'static str, &'f str)> {
    let (path, _) = item.path.split_once('/')?;
    held(path).map(|known| (known, path))
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
