//! The elements of a table: where each begins and ends in the source, and which leaves are in it.

use super::paths::NONE;
use super::span::ElementSpan;
use super::{LeafForm, LeafTable};

impl LeafTable {
    /// Begins an element.
    #[inline(always)]
    pub(crate) fn open(&mut self, path: u32, parent: u32, at: usize) -> u32 {
        let number = self.elements.len() as u32;
        let leaves = self.leaves.len() as u32;
        self.elements.push(ElementSpan { path, parent, at: at as u32, end: NONE, leaves, leaves_end: NONE });
        number
    }

    /// Ends the innermost element. If there is nothing in it, it is a leaf itself.
    #[inline(always)]
    pub(crate) fn close(&mut self, element: u32, end: usize) {
        let elements = self.elements.len();
        let span = &mut self.elements[element as usize];
        span.end = end as u32;
        let (path, at) = (span.path, span.at as usize);
        if span.leaves as usize == self.leaves.len() && elements == element as usize + 1 {
            self.push(path, LeafForm::Empty, (at, end), element);
        }
        self.elements[element as usize].leaves_end = self.leaves.len() as u32;
    }

    /// The first element directly below this one.
    pub(crate) fn first_child(&self, element: u32) -> Option<&ElementSpan> {
        self.elements.get(element as usize + 1).filter(|child| child.parent == element)
    }
}
