//! Elements that come again where there is room for one: the first is read, and the whole of each other is merged into it,
//! so that the model has no mixture of the two.

use super::{Node, NodeKind, Take};
use crate::model::{Mark, Walk};
use crate::reason::Reason;
use crate::text::bytes::trimmed;
use crate::xml::names::Ns;

/// How many nodes are searched for the counterpart of one: an element may come again any number of times.
const SEARCHED: usize = 64;

impl<'t, 'a> Take<'t, 'a> {
    /// Whether an element comes again whose part of the model has values already. All of it is merged then.
    pub(crate) fn repeats<W: Walk>(&mut self, element: Node<'t, 'a>, part: &mut W) -> bool {
        if part.is_blank() {
            return false;
        }
        let mut first = Mark::NONE;
        part.marks(&mut |mark| first = if first.is_some() { first } else { *mark });
        self.merge_whole(element, first);
        true
    }

    /// Takes all values of an element as ignored, because another element, which has the value with this mark, is in its
    /// place. Each is merged with the one at the same place there, if there is one.
    pub(crate) fn merge_whole(&mut self, element: Node<'t, 'a>, with: Mark) {
        let at = self.offset_of(with);
        let is_first = |other: &Node<'t, 'a>| {
            let holds = at.is_some_and(|at| (other.raw().at..other.raw().end).contains(&at));
            holds && is_like(*other, element) && is_small(*other)
        };
        let first = element.parent().and_then(|above| above.children().take(SEARCHED).find(is_first));
        let mut stack = vec![(element, first)];
        while let Some((element, first)) = stack.pop() {
            self.known(element);
            let mut others = first.into_iter().flat_map(|first| first.children());
            for node in element.nodes() {
                let other = match node.kind() {
                    NodeKind::Element if node.ns() == Ns::Unknown => continue,
                    NodeKind::Element => {
                        let next = others.next().filter(|other| is_like(*other, node));
                        let named = || first.and_then(|first| first.children().find(|other| is_like(*other, node)));
                        stack.push((node, next.or_else(named).filter(|other| is_small(*other))));
                        continue;
                    }
                    NodeKind::Attribute if node.ns() != Ns::None => continue,
                    NodeKind::Attribute => first.and_then(|first| first.attribute(node.name())),
                    NodeKind::Text => first.and_then(|first| first.text()),
                };
                let other = other.filter(|other| self.mark_of(*other).is_some());
                let is_same = other.is_some_and(|other| is_same(other.value(), node.value()));
                let why = if is_same { Reason::SameValue } else { Reason::FirstWins };
                self.merge(node, why, other.map_or(with, |other| self.mark_of(other)));
            }
        }
    }
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
