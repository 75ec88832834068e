//! One entry, or the head of a document, as a table of leaves: the one form between markup and everything that asks for
//! values. A leaf is a path and a piece of the source; nothing is copied and nothing is decoded before it is asked for.
//!
//! The table knows no format and no meaning, only names and namespaces. `markup` fills it.

pub(crate) mod arena;
pub(crate) mod elements;
pub(crate) mod leaves;
pub(crate) mod paths;
mod places;
mod span;

pub use paths::{NONE, PathName, PathRole, PathTable};
pub use span::{ElementSpan, LeafForm, LeafSpan};

use crate::tree::TreeRepair;

/// The leaves and elements of one entry, in document order. Its memory is used again for the next one.
#[derive(Clone, Default, Debug)]
pub struct LeafTable {
    pub(crate) leaves: Vec<LeafSpan>,
    pub(crate) elements: Vec<ElementSpan>,
    pub(crate) arena: arena::TextArena,
    /// Leaves that do not begin where such leaves usually do, with the offset where they do.
    moved: Vec<(u32, u32)>,
    /// Repairs made on the way.
    pub repairs: Vec<TreeRepair>,
}

/// Leaves and elements that memory is kept for.
const KEPT: usize = 1 << 16;

impl LeafTable {
    /// The leaves in document order. One that is an element counts only where nobody knows what the element means.
    pub fn leaves(&self) -> &[LeafSpan] {
        &self.leaves
    }

    /// The elements in document order.
    pub fn elements(&self) -> &[ElementSpan] {
        &self.elements
    }

    /// Empties the table; what memory a huge entry took is given back.
    pub(crate) fn clear(&mut self) {
        self.leaves.clear();
        self.leaves.shrink_to(KEPT);
        self.elements.clear();
        self.elements.shrink_to(KEPT);
        self.arena.clear();
        self.moved.clear();
        self.repairs.clear();
    }

    /// Takes back what was added since there were so many elements and leaves.
    pub(crate) fn truncate(&mut self, (elements, leaves): (usize, usize)) {
        self.elements.truncate(elements);
        self.leaves.truncate(leaves);
    }

    /// So many elements and leaves.
    pub(crate) fn lengths(&self) -> (usize, usize) {
        (self.elements.len(), self.leaves.len())
    }
}
