//! Where the leaves of a table begin: the offset that reports turn into line and column. Most of them follow from where
//! values are; a list holds the others, which only repairs make.

use super::LeafTable;
use super::paths::{PathRole, PathTable};

impl LeafTable {
    /// The offset in the source where a leaf begins: an attribute at its name, an empty element and the text that an
    /// element begins with at the element's start tag, any other text at its first character.
    pub fn at(&self, leaf: u32, paths: &PathTable) -> usize {
        match self.moved.binary_search_by_key(&leaf, |(leaf, _)| *leaf) {
            Ok(found) => self.moved[found].1 as usize,
            Err(_) => self.usual_at(leaf, paths),
        }
    }

    /// Notes where a leaf begins that was just added, if it is not where such a leaf usually begins.
    pub(crate) fn place_last(&mut self, at: usize, paths: &PathTable) {
        let Some(last) = self.leaves.len().checked_sub(1) else { return };
        if self.usual_at(last as u32, paths) != at {
            self.moved.push((last as u32, at as u32));
        }
    }

    fn usual_at(&self, leaf: u32, paths: &PathTable) -> usize {
        use super::LeafForm::{Arena, Attribute, Empty, Pieces, Plain, Section, Text};
        let span = &self.leaves[leaf as usize];
        let (start, _) = span.span();
        let name = paths.name(span.path());
        match (name.role, span.form()) {
            (PathRole::Attribute | PathRole::Declaration, _) => start.saturating_sub(name.qname().len() + "='".len()),
            (PathRole::Element | PathRole::Around, _) if self.is_first_text(leaf) => {
                self.elements[span.element as usize].at as usize
            }
            (PathRole::Element | PathRole::Around, Section) => start.saturating_sub("<![CDATA[".len()),
            (PathRole::Element | PathRole::Around, Plain | Text | Attribute | Pieces | Arena | Empty) => start,
        }
    }

    /// Whether an element begins with this text: it has no text and no element before it.
    fn is_first_text(&self, leaf: u32) -> bool {
        let span = &self.leaves[leaf as usize];
        let is_behind_child = self.first_child(span.element).is_some_and(|child| child.leaves <= leaf);
        let before = leaf.checked_sub(1).and_then(|before| self.leaves.get(before as usize));
        let is_behind_text =
            before.is_some_and(|before| (before.element, before.path()) == (span.element, span.path()));
        !is_behind_child && !is_behind_text
    }
}
