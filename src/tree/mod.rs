//! One entry, or the frame of a document, as a flat list of nodes that borrow from the source.
//! It is made by `xml::parse` and `format::json::parse`, and read through [`Take`]. It knows no format.

mod take;

pub use take::Take;

use std::borrow::Cow;
use std::collections::HashMap;

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
pub(crate) struct Raw<'a> {
    pub kind: NodeKind,
    pub ns: Ns,
    /// Name without prefix; empty for text.
    pub name: &'a str,
    /// Name as written.
    pub qname: &'a str,
    /// Namespace as written; empty for none or for one never declared.
    pub uri: &'a str,
    /// Value of an attribute, characters of a run, decoded; empty for elements.
    pub value: Cow<'a, str>,
    /// Where its leaf begins: an attribute's name, an element's start tag, a run's first character.
    pub at: u32,
    /// End of the construct.
    pub end: u32,
    pub parent: u32,
    child: u32,
    next: u32,
}

/// A repair made while the tree was built.
#[derive(Clone, Debug)]
pub struct Repair {
    /// Stable code.
    pub code: &'static str,
    /// Byte offset.
    pub at: u32,
    /// What stood there.
    pub found: String,
    /// What was done.
    pub done: Cow<'static, str>,
}

/// A flat tree. Node 0 is the root.
#[derive(Clone, Debug, Default)]
pub struct Tree<'a> {
    pub(crate) nodes: Vec<Raw<'a>>,
    /// Repairs made on the way.
    pub repairs: Vec<Repair>,
    /// Made of JSON: text nodes have names, and `uri` says what a node is.
    pub(crate) json: bool,
    last_child: Vec<u32>,
}

impl<'a> Tree<'a> {
    /// Appends a node under `parent` and returns its number; `u32::MAX` as parent makes the root.
    pub(crate) fn push(&mut self, parent: u32, node: Raw<'a>) -> u32 {
        let number = self.nodes.len() as u32;
        self.nodes.push(Raw { parent, child: NONE, next: NONE, ..node });
        self.last_child.push(NONE);
        if let Some(last) = self.last_child.get_mut(parent as usize) {
            match std::mem::replace(last, number) {
                NONE => self.nodes[parent as usize].child = number,
                before => self.nodes[before as usize].next = number,
            }
        }
        number
    }

    /// Makes what stands below `node` from its first element on follow it instead, below its parent, whose last child
    /// it has to be.
    pub(crate) fn hoist(&mut self, node: u32) {
        let parent = self.nodes[node as usize].parent;
        if parent == NONE {
            return;
        }
        let (mut before, mut moved) = (NONE, self.nodes[node as usize].child);
        while moved != NONE && self.nodes[moved as usize].kind != NodeKind::Element {
            (before, moved) = (moved, self.nodes[moved as usize].next);
        }
        if moved == NONE {
            return;
        }
        match before {
            NONE => self.nodes[node as usize].child = NONE,
            before => self.nodes[before as usize].next = NONE,
        }
        self.last_child[parent as usize] = std::mem::replace(&mut self.last_child[node as usize], before);
        self.nodes[node as usize].next = moved;
        while moved != NONE {
            self.nodes[moved as usize].parent = parent;
            moved = self.nodes[moved as usize].next;
        }
    }

    pub(crate) fn raw(kind: NodeKind, qname: &'a str, at: usize) -> Raw<'a> {
        let name = qname.rsplit_once(':').map_or(qname, |(_, local)| local);
        Raw {
            kind,
            ns: Ns::None,
            name,
            qname,
            uri: "",
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

    /// The source path of each node: qualified names from the root, attributes with `@`; text has its element's.
    pub(crate) fn paths(&self, above: &str) -> Vec<String> {
        let mut paths: Vec<String> = Vec::with_capacity(self.nodes.len());
        for raw in &self.nodes {
            let parent = paths.get(raw.parent as usize).map_or(above, String::as_str);
            let above_uri = self.nodes.get(raw.parent as usize).map_or("", |up| up.uri);
            let path = match raw.kind {
                // JSON: a scalar or an object is named by its member, the members of a list by the list
                _ if above_uri == "list" => parent.to_owned(),
                NodeKind::Text | NodeKind::Element if raw.qname.is_empty() => parent.to_owned(),
                NodeKind::Text if parent.is_empty() => raw.qname.to_owned(),
                NodeKind::Text => format!("{parent}/{}", raw.qname),
                NodeKind::Attribute => format!("{parent}/@{}", raw.qname),
                NodeKind::Element if parent.is_empty() => raw.qname.to_owned(),
                NodeKind::Element => format!("{parent}/{}", raw.qname),
            };
            paths.push(path);
        }
        paths
    }
}

/// A node, as readers see it.
#[derive(Clone, Copy)]
pub struct Node<'t, 'a> {
    pub(crate) tree: &'t Tree<'a>,
    pub(crate) index: u32,
}

impl<'t, 'a> Node<'t, 'a> {
    pub(crate) fn raw(self) -> &'t Raw<'a> {
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
    /// What it is.
    pub fn kind(self) -> NodeKind {
        self.raw().kind
    }
    /// The elements below it, in document order.
    pub fn children(self) -> impl Iterator<Item = Node<'t, 'a>> {
        self.nodes().filter(|node| node.kind() == NodeKind::Element)
    }
    /// Its attributes.
    pub fn attributes(self) -> impl Iterator<Item = Node<'t, 'a>> {
        self.nodes().take_while(|node| node.kind() == NodeKind::Attribute)
    }
    /// Everything directly below it: attributes first, then text and elements in document order.
    pub fn nodes(self) -> impl Iterator<Item = Node<'t, 'a>> {
        let tree = self.tree;
        let step = move |index: u32| (index != NONE).then_some(Node { tree, index });
        std::iter::successors(step(self.raw().child), move |node| step(node.raw().next))
    }
    /// Its attribute without a namespace.
    pub fn attribute(self, name: &str) -> Option<Node<'t, 'a>> {
        self.attributes().find(|node| node.ns() == Ns::None && node.name() == name)
    }
    /// Its attribute in a namespace.
    pub fn attribute_ns(self, ns: Ns, name: &str) -> Option<Node<'t, 'a>> {
        self.attributes().find(|node| node.ns() == ns && node.name() == name)
    }
    /// The first element below it with this name.
    pub fn child(self, ns: Ns, name: &str) -> Option<Node<'t, 'a>> {
        self.children().find(|node| node.ns() == ns && node.name() == name)
    }
    /// Its first run of text that is not blank, not taken.
    pub fn text(self) -> Option<Node<'t, 'a>> {
        self.nodes().find(|node| node.kind() == NodeKind::Text)
    }
    /// The value of an attribute or the characters of a run, not taken; empty for elements.
    pub fn value(self) -> &'t str {
        &self.raw().value
    }
    /// Its first run of text, trimmed; empty if it has none.
    pub fn text_value(self) -> &'t str {
        self.text().map_or("", |text| text.value().trim())
    }
    /// Whether it has elements below it.
    pub fn has_children(self) -> bool {
        self.children().next().is_some()
    }
}

/// Names for the steps of a foreign path: the source's own names, with the usual prefix for namespaces that are
/// known, and a number where a name repeats.
pub(crate) struct Steps {
    counts: HashMap<(u32, String), (u32, u32)>,
    home: Ns,
}

impl Steps {
    /// Counts the repeating names below every node.
    pub fn of(tree: &Tree<'_>) -> Steps {
        let home = tree.nodes.first().map_or(Ns::None, |root| root.ns);
        let mut counts: HashMap<(u32, String), (u32, u32)> = HashMap::new();
        for raw in &tree.nodes {
            if raw.kind == NodeKind::Element && raw.parent != NONE {
                counts.entry((raw.parent, usual_name(raw, home))).or_default().0 += 1;
            }
        }
        Steps { counts, home }
    }

    /// The step of one element; elements must be asked for in document order, each once.
    pub fn step(&mut self, raw: &Raw<'_>) -> String {
        let name = usual_name(raw, self.home);
        match self.counts.get_mut(&(raw.parent, name.clone())) {
            Some((many, seen)) if *many > 1 => {
                *seen += 1;
                format!("{name}[{seen}]")
            }
            _ => name,
        }
    }
}

/// The name under which foreign paths show a node. `home` is the namespace of the root, whose names need no prefix
/// (Atom has one only inside other formats).
pub(crate) fn usual_name(raw: &Raw<'_>, home: Ns) -> String {
    match (raw.ns, raw.ns.prefix()) {
        (Ns::Unknown, _) => raw.qname.to_owned(),
        (ns, _) if ns == home => raw.name.to_owned(),
        (_, "") => raw.name.to_owned(),
        (_, prefix) => format!("{prefix}:{}", raw.name),
    }
}
