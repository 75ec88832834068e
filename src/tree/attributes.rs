//! Attributes of an element that are asked for by many names: found in one pass over those that it has, instead of one
//! for each name. What is taken of them, and in which order, is the reader's matter.

use super::{Node, tag};
use crate::xml::names::Ns;

/// The names of attributes without a namespace that are looked for together.
pub(crate) struct AttributeNames<const N: usize> {
    names: [&'static str; N],
    tags: [u64; N],
}

impl<const N: usize> AttributeNames<N> {
    /// Makes them ready to be looked for.
    pub const fn new(names: [&'static str; N]) -> AttributeNames<N> {
        let mut tags = [0; N];
        let mut at = 0;
        while at < N {
            tags[at] = tag(names[at]);
            at += 1;
        }
        AttributeNames { names, tags }
    }

    /// The attributes of an element, each in the place of its name.
    #[inline]
    pub fn find_in<'t, 'a>(&self, element: Node<'t, 'a>) -> [Option<Node<'t, 'a>>; N] {
        let mut found = [None; N];
        for attribute in element.attributes() {
            let raw = attribute.raw();
            let mut place = 0;
            while place < N && !raw.is(Ns::None, self.names[place], self.tags[place]) {
                place += 1;
            }
            if let Some(slot) = found.get_mut(place) {
                // of two with one name the first counts
                slot.get_or_insert(attribute);
            }
        }
        found
    }
}
