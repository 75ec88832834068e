//! Objects of a document's head that its entries refer to: copied once from the head, and lent to the tree of each entry that
//! names them. A value taken from one keeps its place in the books of the head. A reader chooses the objects.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::{LentNodes, NONE, Node, NodeKind, RawNode, SpareMemory, Tree, tag};
use crate::model::lent::{LentNode, LentObjects};
use crate::model::origin::{LeafRecord, LentLeaf, Origin, Preset, Role};
use crate::model::{Entry, Mark, Walk};

/// The largest object that is lent, in nodes: each entry that names it gets a copy.
const LARGEST: usize = 128;

/// How many nodes are lent to an entry for each node of its own, besides the largest object: the work stays linear.
const EACH: usize = 16;

impl LentNode {
    /// A leaf that is not lent has no name, so that no reader finds it.
    fn new(raw: &RawNode<'_>, index: u32, is_lent: bool) -> LentNode {
        LentNode {
            kind: raw.kind,
            below: index.wrapping_sub(raw.parent),
            name: if is_lent { raw.name.to_owned() } else { String::new() },
            ns: raw.ns,
            uri: raw.uri.to_owned(),
            value: raw.value.to_string(),
            at: raw.at,
            mark: Mark::NONE,
        }
    }
}

impl LentObjects {
    /// Adds an object by its name, and by the names that it refers to. Objects come in the order of the head. Of two with one
    /// name, the first counts. One that is too large is not lent.
    pub(crate) fn add<'h>(
        &mut self,
        object: Node<'_, '_>,
        name: Option<&str>,
        holds: impl Iterator<Item = &'h str>,
        is_lent: impl Fn(Node<'_, '_>) -> bool,
    ) {
        let Some(end) = object.end() else { return };
        if !self.copied.0.contains(&object.index) {
            self.copied = (object.index..end, self.nodes.len());
            let nodes = (object.index..end).map(|index| (object.tree.node(index), index));
            self.nodes.extend(nodes.map(|(node, index)| LentNode::new(node.raw(), index, is_lent(node))));
        }
        // an object in one that is copied has its place there
        let (around, start) = &self.copied;
        let first = start + (object.index - around.start) as usize;
        let range = first..first + (end - object.index) as usize;
        if let Some(name) = name {
            self.by_name.entry(name.to_owned()).or_insert_with(|| range.clone());
        }
        for name in holds {
            self.holders.entry(name.to_owned()).or_insert_with(|| range.clone());
        }
    }

    /// Notes which values of the head the leaves are: of those that the head has no use for itself.
    pub(crate) fn number(&mut self, origin: &Origin<'_>) {
        let is_free = |record: &LeafRecord| record.role == Role::Leaf && matches!(record.preset, Preset::Unread(_));
        let records = origin.records.iter().enumerate().filter(|(_, record)| is_free(record));
        let by_place: HashMap<u32, u32> = records.map(|(number, record)| (record.at, number as u32)).collect();
        for node in self.nodes.iter_mut().filter(|node| node.kind != NodeKind::Element) {
            node.mark = by_place.get(&node.at).map_or(Mark::NONE, |number| Mark(number | Mark::FEED));
        }
    }
}

impl Node<'_, '_> {
    /// The number behind its last node, if it is not too large to be lent.
    fn end(self) -> Option<u32> {
        let behind = self.raw().end;
        let is_inside = |index: &u32| self.tree.node(*index).raw().at < behind;
        let inside = (self.index + 1..self.tree.own()).take(LARGEST).take_while(is_inside).count();
        (inside < LARGEST).then_some(self.index + 1 + inside as u32)
    }
}

impl<'a> Tree<'a> {
    /// How many nodes are its own.
    pub(crate) fn own(&self) -> u32 {
        self.lent.as_ref().map_or(self.nodes.len() as u32, |lent| lent.first)
    }

    /// Adds the object with this name; false if there is none, or no room for it.
    pub(crate) fn lend(&mut self, objects: &'a LentObjects, name: &str) -> bool {
        objects.by_name.get(name).is_some_and(|range| self.lend_nodes(objects, range.clone()))
    }

    /// Adds the object that refers to this name.
    pub(crate) fn lend_holder(&mut self, objects: &'a LentObjects, name: &str) -> bool {
        objects.holders.get(name).is_some_and(|range| self.lend_nodes(objects, range.clone()))
    }

    fn lend_nodes(&mut self, objects: &'a LentObjects, range: Range<usize>) -> bool {
        let own = self.own();
        let start = self.nodes.len() as u32;
        // a tree of the usual markup knows none
        self.last_child.resize(self.nodes.len(), NONE);
        if (start - own) as usize + range.len() > LARGEST + EACH * own as usize {
            return false;
        }
        let marks = &mut self.lent.get_or_insert_with(|| LentNodes { first: own, marks: Vec::new() }).marks;
        let nodes = objects.nodes.get(range).unwrap_or_default();
        marks.extend(nodes.iter().map(|node| node.mark));
        for (number, node) in (start..).zip(nodes) {
            let mut raw = Tree::raw(node.kind, "", node.at as usize);
            (raw.qname, raw.name, raw.uri, raw.tag) = (&node.name, &node.name, &node.uri, tag(&node.name));
            raw.ns = node.ns;
            raw.value = Cow::Borrowed(&node.value);
            let is_first = number == start;
            self.push(if is_first { NONE } else { number - node.below }, raw);
        }
        true
    }
}

/// Gives what was taken from lent nodes back to the head: the values of the entry get the marks that they have there.
pub(crate) fn give_back<'a>(tree: &Tree<'a>, spare: &SpareMemory, origin: &mut Origin<'a>, entry: &mut Entry<'a>) {
    let Some(lent) = &tree.lent else { return };
    let mut heads: HashMap<Mark, Mark> = HashMap::new();
    for (index, of_head) in (lent.first..).zip(&lent.marks) {
        let own = spare.mark_of(index);
        let Some(record) = origin.records.get_mut(own.0 as usize).filter(|_| own.is_some()) else { continue };
        let role = std::mem::replace(&mut record.role, Role::Silent);
        if of_head.is_some() {
            let follows = if let Role::Follows(of) = role { heads.get(&of).copied() } else { None };
            heads.insert(own, *of_head);
            origin.lent.push(LentLeaf { own, of_head: *of_head, follows });
        }
    }
    entry.marks(&mut |mark| {
        if let Some(of_head) = heads.get(mark) {
            *mark = *of_head;
        }
    });
}
