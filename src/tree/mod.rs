//! One entry, or the frame of a document, as a flat list of nodes that borrow from the source.
//! It is made by `markup`, `xml::parse` and `json::parse`, and read through [`Take`]. It knows no format.

mod attributes;
pub(crate) mod lent;
mod repeats;
mod steps;
mod take;
pub mod wild;

pub(crate) use attributes::AttributeNames;
pub(crate) use steps::PathBuilder;
pub(crate) use take::is_unescaped;

pub use take::{SpareMemory, Take};

use std::borrow::Cow;

use crate::model::Mark;
use crate::text::bytes::trimmed;
use crate::work;
use crate::xml::names::Ns;

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// An element; in JSON an object or a list.
    Element,
    /// An attribute.
    Attribute,
    /// A run of text that belongs to its parent; in JSON a scalar.
    Text,
}

/// "No such node".
const NONE: u32 = u32::MAX;

/// One node of a [`Tree`].
#[derive(Clone, Debug)]
pub(crate) struct RawNode<'a> {
    pub kind: NodeKind,
    pub ns: Ns,
    /// Name without prefix; empty for text.
    pub name: &'a str,
    /// Name as written.
    pub qname: &'a str,
    /// Namespace as written; empty for none or for one never declared.
    pub uri: &'a str,
    /// [`tag`] of its name.
    pub tag: u64,
    /// Value of an attribute, characters of a run, decoded; empty for elements.
    pub value: Cow<'a, str>,
    /// Where its leaf begins: an attribute's name, an element's start tag, a run's first character.
    pub at: u32,
    /// End of the construct.
    pub end: u32,
    pub parent: u32,
    pub child: u32,
    pub next: u32,
}

impl RawNode<'_> {
    #[inline]
    fn is(&self, ns: Ns, name: &str, tag: u64) -> bool {
        self.tag == tag && self.ns == ns && (name.len() <= 7 || self.name == name)
    }
}

/// A number for a name, to compare names by: its first bytes and its length. Names of at most seven bytes that have the
/// same are the same.
#[inline]
pub(crate) const fn tag(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let mut tag = if bytes.len() < 0xFF { bytes.len() as u64 } else { 0xFF };
    let mut at = 0;
    while at < bytes.len() && at < 7 {
        tag |= (bytes[at] as u64) << (8 * at + 8);
        at += 1;
    }
    tag
}

/// A repair made while the tree was built.
#[derive(Clone, Debug)]
pub struct TreeRepair {
    /// Stable code.
    pub code: &'static str,
    /// Byte offset.
    pub at: u32,
    /// The original text.
    pub found: String,
    /// The repair.
    pub done: Cow<'static, str>,
}

/// The nodes of a tree that are lent: those from a number on.
#[derive(Clone, Debug)]
pub(crate) struct LentNodes {
    first: u32,
    /// The values of the head that their leaves are.
    marks: Vec<Mark>,
}

/// A flat tree. Node 0 is the root.
#[derive(Clone, Debug, Default)]
pub struct Tree<'a> {
    pub(crate) nodes: Vec<RawNode<'a>>,
    /// Repairs made on the way.
    pub repairs: Vec<TreeRepair>,
    /// Built from JSON: text nodes have names, and `uri` is the JSON type of a node.
    pub(crate) json: bool,
    /// Built from an HTML page.
    pub(crate) page: bool,
    /// Where the videos are that could not be read, as byte offsets.
    pub(crate) unread_videos: Vec<u32>,
    /// Unknown values of JSON keep their types, which are their namespaces in `Foreign`.
    pub(crate) typed: bool,
    last_child: Vec<u32>,
    /// Its last nodes are copies of objects in the head.
    lent: Option<LentNodes>,
    /// The markup it was parsed from, if any.
    pub(crate) source: &'a str,
}

impl<'a> Tree<'a> {
    /// An empty tree, to be filled from this markup.
    pub(crate) fn empty(source: &'a str) -> Tree<'a> {
        Tree { source, ..Tree::default() }
    }

    /// An empty tree in its memory.
    pub(crate) fn emptied(self) -> Tree<'a> {
        let Tree { mut nodes, mut last_child, .. } = self;
        nodes.clear();
        last_child.clear();
        Tree { nodes, last_child, ..Tree::default() }
    }

    /// Appends a node under `parent` and returns its number; `u32::MAX` as parent makes the root.
    pub(crate) fn push(&mut self, parent: u32, node: RawNode<'a>) -> u32 {
        let number = self.nodes.len() as u32;
        self.nodes.push(RawNode { parent, child: NONE, next: NONE, ..node });
        self.last_child.push(NONE);
        if let Some(last) = self.last_child.get_mut(parent as usize) {
            match std::mem::replace(last, number) {
                NONE => self.nodes[parent as usize].child = number,
                before => self.nodes[before as usize].next = number,
            }
        }
        number
    }

    /// Puts another tree below a node.
    pub(crate) fn graft(&mut self, parent: u32, other: Tree<'a>) {
        let by = self.nodes.len() as u32;
        for node in other.nodes {
            let above = if node.parent == NONE { parent } else { node.parent + by };
            self.push(above, node);
        }
        self.repairs.extend(other.repairs);
    }

    /// Moves `child` of `node` and the children after it behind `node`, as its siblings. `node` must be the last child of
    /// its parent.
    pub(crate) fn hoist(&mut self, node: u32, child: u32) {
        let parent = self.nodes[node as usize].parent;
        if parent == NONE {
            return;
        }
        let (mut before, mut next) = (NONE, self.nodes[node as usize].child);
        while next != NONE && next != child {
            (before, next) = (next, self.nodes[next as usize].next);
        }
        match before {
            NONE => self.nodes[node as usize].child = NONE,
            before => self.nodes[before as usize].next = NONE,
        }
        self.last_child[parent as usize] = std::mem::replace(&mut self.last_child[node as usize], before);
        self.nodes[node as usize].end = self.nodes[child as usize].at;
        self.nodes[node as usize].next = child;
        let mut moved = child;
        while moved != NONE {
            self.nodes[moved as usize].parent = parent;
            moved = self.nodes[moved as usize].next;
        }
    }

    pub(crate) fn raw(kind: NodeKind, qname: &'a str, at: usize) -> RawNode<'a> {
        let name = qname.rsplit_once(':').map_or(qname, |(_, local)| local);
        Tree::raw_as(kind, Ns::None, (name, qname, "", tag(name)), at)
    }

    /// The same for a name that is known: without prefix, as written, the namespace as written, its tag.
    #[inline]
    pub(crate) fn raw_as(
        kind: NodeKind,
        ns: Ns,
        (name, qname, uri, tag): (&'a str, &'a str, &'a str, u64),
        at: usize,
    ) -> RawNode<'a> {
        RawNode {
            kind,
            ns,
            name,
            qname,
            uri,
            tag,
            value: Cow::Borrowed(""),
            at: at as u32,
            end: at as u32,
            parent: NONE,
            child: NONE,
            next: NONE,
        }
    }

    /// The root element, if there is one.
    pub fn root(&self) -> Option<Node<'_, 'a>> {
        (!self.nodes.is_empty()).then_some(Node { tree: self, index: 0 })
    }

    /// How many nodes it has.
    pub(crate) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// The node with this number.
    pub(crate) fn node(&self, index: u32) -> Node<'_, 'a> {
        Node { tree: self, index }
    }

    /// Whether node `index` holds a leaf: an attribute, a run of text that is not blank, an empty element (which is
    /// one only if nobody knows it).
    pub(crate) fn is_leaf(&self, index: u32) -> bool {
        let raw = &self.nodes[index as usize];
        match raw.kind {
            NodeKind::Attribute => true,
            NodeKind::Text => true,
            NodeKind::Element => raw.child == NONE,
        }
    }

    /// The source path of a node: qualified names from the root, attributes with `@`; text has its element's.
    pub(crate) fn path(&self, index: u32, above: &str) -> String {
        let mut steps: Vec<(&str, &str)> = Vec::with_capacity(8);
        let mut at = index;
        while let Some(raw) = self.nodes.get(at as usize) {
            let in_list = self.nodes.get(raw.parent as usize).is_some_and(|up| up.uri == "list");
            match raw.kind {
                NodeKind::Attribute if !in_list => steps.push(("@", raw.qname)),
                // JSON: a scalar or an object is named by its member, the members of a list by the list
                NodeKind::Text | NodeKind::Element if !in_list && !raw.qname.is_empty() => steps.push(("", raw.qname)),
                NodeKind::Attribute | NodeKind::Text | NodeKind::Element => (),
            }
            at = raw.parent;
        }
        let length: usize = steps.iter().map(|(sign, name)| 1 + sign.len() + name.len()).sum();
        let mut path = String::with_capacity(above.len() + length);
        path.push_str(above);
        for (sign, name) in steps.into_iter().rev() {
            if !path.is_empty() || !sign.is_empty() {
                path.push('/');
            }
            path.push_str(sign);
            path.push_str(name);
        }
        path
    }
}

/// A node, as readers see it.
#[derive(Clone, Copy)]
pub struct Node<'t, 'a> {
    pub(crate) tree: &'t Tree<'a>,
    pub(crate) index: u32,
}

impl<'t, 'a> Node<'t, 'a> {
    pub(crate) fn raw(self) -> &'t RawNode<'a> {
        work::count(1);
        &self.tree.nodes[self.index as usize]
    }
    /// Its namespace.
    pub fn ns(self) -> Ns {
        self.raw().ns
    }
    /// Its name without prefix.
    pub fn name(self) -> &'a str {
        self.raw().name
    }
    /// Its kind.
    pub fn kind(self) -> NodeKind {
        self.raw().kind
    }
    /// The elements below it, in document order.
    pub fn children(self) -> impl Iterator<Item = Node<'t, 'a>> {
        self.nodes().filter(|node| node.kind() == NodeKind::Element)
    }
    /// Its parent element.
    pub fn parent(self) -> Option<Node<'t, 'a>> {
        let parent = self.raw().parent;
        (parent != NONE).then_some(Node { tree: self.tree, index: parent })
    }
    /// Its attributes, which directly follow it.
    #[inline]
    pub fn attributes(self) -> impl Iterator<Item = Node<'t, 'a>> {
        let (tree, parent) = (self.tree, self.index);
        let behind = tree.nodes.get(parent as usize + 1..).unwrap_or_default();
        let own = behind.iter().take_while(move |raw| raw.kind == NodeKind::Attribute && raw.parent == parent);
        own.zip(parent + 1..).map(move |(_, index)| Node { tree, index })
    }
    /// Everything directly below it: attributes first, then text and elements in document order.
    pub fn nodes(self) -> impl Iterator<Item = Node<'t, 'a>> {
        let tree = self.tree;
        let step = move |index: u32| {
            work::count(1);
            (index != NONE).then_some(Node { tree, index })
        };
        std::iter::successors(step(self.raw().child), move |node| step(node.raw().next))
    }
    /// It, and all that was put into the tree behind it.
    pub(crate) fn and_behind(self) -> impl Iterator<Item = Node<'t, 'a>> {
        let tree = self.tree;
        (self.index..tree.own()).map(move |index| Node { tree, index })
    }
    /// The same, and what is lent to the tree.
    pub(crate) fn and_lent(self) -> impl Iterator<Item = Node<'t, 'a>> {
        let tree = self.tree;
        (self.index..tree.nodes.len() as u32).map(move |index| Node { tree, index })
    }
    /// What is lent to the tree.
    pub(crate) fn lent(self) -> impl Iterator<Item = Node<'t, 'a>> {
        let tree = self.tree;
        let lent = (tree.own()..tree.nodes.len() as u32).map(move |index| Node { tree, index });
        lent.filter(|node| node.raw().parent == NONE)
    }
    /// What follows it below the same element.
    pub(crate) fn following(self) -> Option<Node<'t, 'a>> {
        let next = self.raw().next;
        (next != NONE).then_some(Node { tree: self.tree, index: next })
    }
    /// Its attribute without a namespace.
    #[inline]
    pub fn attribute(self, name: &str) -> Option<Node<'t, 'a>> {
        self.tagged_attribute(Ns::None, name, tag(name))
    }
    /// Its attribute in a namespace.
    #[inline]
    pub fn attribute_ns(self, ns: Ns, name: &str) -> Option<Node<'t, 'a>> {
        self.tagged_attribute(ns, name, tag(name))
    }
    /// The same for a name whose tag is known.
    pub(crate) fn tagged_attribute(self, ns: Ns, name: &str, tag: u64) -> Option<Node<'t, 'a>> {
        let (tree, parent) = (self.tree, self.index);
        let behind = tree.nodes.get(parent as usize + 1..).unwrap_or_default();
        for (raw, index) in behind.iter().zip(parent + 1..) {
            work::count(1);
            if raw.kind != NodeKind::Attribute || raw.parent != parent {
                return None;
            }
            if raw.is(ns, name, tag) {
                return Some(Node { tree, index });
            }
        }
        None
    }
    /// The first element below it with this name.
    #[inline]
    pub fn child(self, ns: Ns, name: &str) -> Option<Node<'t, 'a>> {
        let tag = tag(name);
        self.children().find(|node| node.is(ns, name, tag))
    }
    #[inline]
    fn is(self, ns: Ns, name: &str, tag: u64) -> bool {
        self.raw().is(ns, name, tag)
    }
    /// Its first run of text that is not blank in any script, not taken. In JSON its first scalar.
    pub fn text(self) -> Option<Node<'t, 'a>> {
        let is_value = |node: &Node<'t, 'a>| self.tree.json || !trimmed(node.value()).is_empty();
        self.nodes().find(|node| node.kind() == NodeKind::Text && is_value(node))
    }
    /// The value of an attribute or the characters of a run, not taken; empty for elements.
    pub fn value(self) -> &'t str {
        &self.raw().value
    }
    /// The markup that an element was read from.
    pub(crate) fn source(self) -> &'a str {
        let RawNode { at, end, .. } = *self.raw();
        self.tree.source.get(at as usize..end as usize).unwrap_or_default()
    }
    /// Its first run of text, trimmed; empty if it has none.
    pub fn text_value(self) -> &'t str {
        self.text().map_or("", |text| trimmed(text.value()))
    }
    /// The value of an attribute, or the text of an element.
    pub(crate) fn value_or_text(self) -> &'t str {
        if self.kind() == NodeKind::Element { self.text_value() } else { self.value() }
    }
    /// Whether it has elements below it.
    pub fn has_children(self) -> bool {
        self.children().next().is_some()
    }
}
