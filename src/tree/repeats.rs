//! Elements that come again where there is room for one. What contradicts nothing of the first fills its gaps; of one that
//! contradicts it, nothing goes into the model, so that the model has no mixture of the two.

use std::collections::{HashMap, HashSet};

use super::{Node, NodeKind, Take};
use crate::model::origin::{Preset, Role};
use crate::model::{LeafView, Mark, Walk};
use crate::reason::Reason;
use crate::text::bytes::trimmed;

/// How many nodes are searched for the counterpart of one: an element may come again any number of times.
const SEARCHED: usize = 64;

impl<'t, 'a> Take<'t, 'a> {
    /// Sets an element aside if it contradicts the first of its name, which exists only if its place `is_filled`. Returns
    /// `false` if the element is to be read.
    pub(crate) fn sets_aside<W: Walk<Names = ()> + Default>(
        &mut self,
        element: Node<'t, 'a>,
        is_filled: bool,
        read: impl FnOnce(&mut Self, &mut W),
    ) -> bool {
        let contradicted = is_filled.then(|| self.contradicted(element)).flatten();
        if contradicted.is_some() {
            self.set_aside(element, contradicted, read);
        }
        contradicted.is_some()
    }

    /// The element of the same name that is read, if this one contradicts it or an element that filled its gaps.
    pub(crate) fn contradicted(&mut self, element: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
        let chosen = self.chosen_like(element)?;
        let place = (element.parent()?.index, element.ns(), element.name());
        let mut fillers = self.fillers.remove(&place).unwrap_or_default();
        // the last one is read by now
        let fills = |filler: u32| {
            let leaves = counterparts(element.tree.node(filler), Some(chosen));
            leaves.into_iter().any(|(leaf, other)| other.is_none() && self.taken(leaf))
        };
        fillers.pop_if(|last| !fills(*last));
        let comparison = self.compare(element, std::iter::once(chosen.index).chain(fillers.iter().copied()));
        if comparison == Some(true) && fillers.len() < SEARCHED {
            fillers.push(element.index);
        }
        if !fillers.is_empty() {
            self.fillers.insert(place, fillers);
        }
        comparison.is_none().then_some(chosen)
    }

    /// Whether an element has what none of these elements has; `None` if it contradicts one of them.
    fn compare(&self, element: Node<'t, 'a>, others: impl Iterator<Item = u32>) -> Option<bool> {
        let mut is_missing: Vec<bool> = Vec::new();
        for other in others.map(|index| element.tree.node(index)) {
            if !is_small(other) {
                return None;
            }
            let leaves = counterparts(element, Some(other));
            let differs = |(leaf, other): &(Node<'t, 'a>, Option<Node<'t, 'a>>)| {
                other.is_some_and(|other| self.taken(other) && !is_same(other.value(), leaf.value()))
            };
            if leaves.iter().any(differs) {
                return None;
            }
            is_missing.resize(leaves.len(), true);
            is_missing.iter_mut().zip(leaves).for_each(|(missing, (_, other))| *missing &= other.is_none());
        }
        Some(is_missing.contains(&true))
    }

    /// The element of the same name beside this one that is read.
    pub(crate) fn chosen_like(&mut self, element: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
        let parent = element.parent()?;
        let first =
            || parent.children().find(|other| is_like(*other, element)).map_or(element.index, |other| other.index);
        let chosen = *self.chosen.entry((parent.index, element.ns(), element.name())).or_insert_with(first);
        (chosen != element.index).then(|| element.tree.node(chosen))
    }

    /// The element beside this one that has the value with this mark.
    pub(crate) fn beside(&self, element: Node<'t, 'a>, mark: Mark) -> Option<Node<'t, 'a>> {
        let at = self.offset_of(mark)?;
        let holds = |other: &Node<'t, 'a>| is_like(*other, element) && (other.raw().at..other.raw().end).contains(&at);
        element.parent()?.children().take(SEARCHED).find(holds)
    }

    /// Reads an element only to account for its values, because another one is in its place.
    pub(crate) fn set_aside<W: Walk<Names = ()> + Default>(
        &mut self,
        element: Node<'t, 'a>,
        chosen: Option<Node<'t, 'a>>,
        read: impl FnOnce(&mut Self, &mut W),
    ) {
        let mut aside = W::default();
        let told = self.origin.remarks.len();
        read(self, &mut aside);
        // a repair of a value that is not used repairs nothing
        self.origin.remarks.truncate(told);
        self.put_aside(element, chosen, &aside, Reason::FirstWins);
    }

    /// Merges each value that was read from an element into its counterpart in the chosen one. One without a counterpart
    /// is lost.
    pub(crate) fn put_aside<W: Walk<Names = ()>>(
        &mut self,
        element: Node<'t, 'a>,
        chosen: Option<Node<'t, 'a>>,
        aside: &W,
        why: Reason,
    ) {
        let mut fields = HashMap::new();
        aside.walk((), &mut |seen: LeafView<'_>| _ = fields.entry(plain(seen.mark)).or_insert(seen.field));
        for (node, other) in counterparts(element, chosen.filter(|chosen| is_small(*chosen))) {
            let mark = self.mark_of(node);
            let Some(record) = self.origin.records.get(plain(mark)).filter(|_| mark.is_some()) else { continue };
            let into = match (record.role, record.preset) {
                (Role::Follows(_), Preset::Implied) => mark,
                (Role::Leaf | Role::Follows(_), Preset::Open | Preset::Adjusted(_)) => mark,
                (Role::Leaf, Preset::Merged(_, into)) => into,
                _ => continue,
            };
            match (other.and_then(|other| self.read_as(other)), fields.get(&plain(into))) {
                (Some((other, with)), _) => {
                    let is_same = is_same(other.value(), node.value());
                    self.speaks(mark);
                    self.fold(mark, if is_same { Reason::SameValue } else { why }, with);
                }
                (None, Some(field)) => self.pass_over(mark, *field, Reason::ElementNotChosen),
                (None, None) => (),
            }
        }
        for index in fields.into_keys() {
            if let Some(record) = self.origin.records.get_mut(index)
                && matches!(record.role, Role::Part(_))
            {
                (record.role, record.preset) = (Role::Silent, Preset::Implied);
            }
        }
    }

    /// A leaf with the mark of the value in the model that it is read as.
    fn read_as(&self, node: Node<'t, 'a>) -> Option<(Node<'t, 'a>, Mark)> {
        let mark = self.mark_of(node);
        let record = self.origin.records.get(plain(mark)).filter(|_| mark.is_some())?;
        match (record.role, record.preset) {
            (Role::Follows(of) | Role::Part(of), Preset::Open | Preset::Adjusted(_) | Preset::Implied) => {
                Some((node, of))
            }
            (_, Preset::Open | Preset::Adjusted(_)) => Some((node, mark)),
            (_, Preset::Merged(_, with)) => Some((node, with)),
            _ => None,
        }
    }

    /// Chooses an element in place of another one, whose values were read into `aside`.
    pub(crate) fn choose<W: Walk<Names = ()>>(
        &mut self,
        element: Node<'t, 'a>,
        before: Node<'t, 'a>,
        aside: &W,
        why: Reason,
    ) {
        self.put_aside(before, Some(element), aside, why);
        if let Some(parent) = element.parent() {
            let place = (parent.index, element.ns(), element.name());
            self.chosen.insert(place, element.index);
            self.fillers.remove(&place);
        }
        // what was merged into the other one is merged into this one, or lost with it
        let mut left = HashSet::new();
        aside.walk((), &mut |seen: LeafView<'_>| _ = left.insert(plain(seen.mark)));
        for index in 0..self.origin.records.len() {
            let Preset::Merged(own, with) = self.origin.records[index].preset else { continue };
            let Some(before) = self.origin.records.get(plain(with)).filter(|_| left.contains(&plain(with))) else {
                continue;
            };
            self.origin.records[index].preset = match before.preset {
                Preset::Merged(same, now) if own == Reason::SameValue => Preset::Merged(same, now),
                Preset::Merged(_, now) => Preset::Merged(why, now),
                preset => preset,
            };
        }
    }
}

fn plain(mark: Mark) -> usize {
    (mark.0 & !Mark::FEED) as usize
}

/// The leaves of an element, each with the one at the same place in another element.
fn counterparts<'t, 'a>(
    element: Node<'t, 'a>,
    chosen: Option<Node<'t, 'a>>,
) -> Vec<(Node<'t, 'a>, Option<Node<'t, 'a>>)> {
    let mut leaves = Vec::new();
    let mut stack = vec![(element, chosen)];
    while let Some((element, chosen)) = stack.pop() {
        let mut numbers = HashMap::new();
        for node in element.nodes() {
            match node.kind() {
                NodeKind::Element => {
                    // the first of a name is the counterpart of the first, the second that of the second
                    let number = numbers.entry((node.ns(), node.name())).or_insert(0);
                    let others = chosen.into_iter().flat_map(|chosen| chosen.children());
                    let other = others.filter(|other| is_like(*other, node)).nth(*number);
                    *number += 1;
                    stack.push((node, other.filter(|other| is_small(*other))));
                }
                NodeKind::Attribute => {
                    leaves.push((node, chosen.and_then(|chosen| chosen.attribute_ns(node.ns(), node.name()))));
                }
                NodeKind::Text if trimmed(node.value()).is_empty() => (),
                NodeKind::Text => leaves.push((node, chosen.and_then(|chosen| chosen.text()))),
            }
        }
    }
    leaves
}

fn is_like(one: Node<'_, '_>, other: Node<'_, '_>) -> bool {
    one.ns() == other.ns() && one.name() == other.name()
}

fn is_small(element: Node<'_, '_>) -> bool {
    element.nodes().nth(SEARCHED).is_none()
}

/// Whether the first of two values is the second, in time that the second pays for.
fn is_same(first: &str, second: &str) -> bool {
    first.len() <= 2 * second.len() + SEARCHED && trimmed(first) == trimmed(second)
}
