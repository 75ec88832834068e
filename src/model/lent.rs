//! Copies of the objects of a document's head that its entries may refer to. How entries get them is in `tree/lent.rs`.

use std::collections::HashMap;
use std::ops::Range;

use super::leaf::Mark;
use crate::tree::NodeKind;
use crate::xml::names::Ns;

/// A node of an object. Objects and what is in them follow each other as in the head.
#[derive(Clone, Debug)]
pub(crate) struct LentNode {
    pub(crate) kind: NodeKind,
    /// How many nodes before it the node is that it is in.
    pub(crate) below: u32,
    pub(crate) name: String,
    pub(crate) ns: Ns,
    /// The type of the value.
    pub(crate) uri: String,
    pub(crate) value: String,
    /// The place in the head.
    pub(crate) at: u32,
    pub(crate) mark: Mark,
}

/// The objects of a head that entries may refer to, by their names.
#[derive(Clone, Debug, Default)]
pub struct LentObjects {
    pub(crate) nodes: Vec<LentNode>,
    pub(crate) by_name: HashMap<String, Range<usize>>,
    /// The objects that refer to something outside the head, by what they refer to.
    pub(crate) holders: HashMap<String, Range<usize>>,
    /// The last object that was copied: its nodes in the head, and where its first one is.
    pub(crate) copied: (Range<u32>, usize),
}

impl LentObjects {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}
