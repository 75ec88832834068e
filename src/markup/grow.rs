//! Makes the tree of an entry from its table: what readers take values from.

use std::collections::HashSet;

use crate::table::paths::PathTable;
use crate::table::{LeafForm, LeafSpan, LeafTable, NONE, leaves};
use crate::tree::{NodeKind, RawNode, Tree, tag};
use crate::xml::names::Ns;
use crate::xml::scan;
use crate::xml::scope::Scope;

/// Makes the trees of the entries of one chunk, whose texts they borrow.
pub(super) struct TreeGrower<'a> {
    /// The names of the paths that nodes of this chunk have.
    names: Vec<NodeName<'a>>,
    /// The namespaces as they are written around the entries and in them.
    uris: HashSet<&'a str>,
    elements: Vec<GrownElement>,
    spare: Tree<'a>,
}

/// What all nodes of one path have in common.
#[derive(Clone, Copy)]
struct NodeName<'a> {
    /// Empty if no node of this chunk had the path so far.
    qname: &'a str,
    name: &'a str,
    uri: &'a str,
    tag: u64,
    ns: Ns,
}

/// An element that has a node.
struct GrownElement {
    node: u32,
    /// The last node directly below it.
    last: u32,
}

impl<'a> TreeGrower<'a> {
    /// For entries below elements with these declarations.
    pub fn new(scope: &Scope<'a>) -> TreeGrower<'a> {
        let uris = scope.bindings.iter().map(|binding| binding.uri).collect();
        TreeGrower { names: Vec::new(), uris, elements: Vec::new(), spare: Tree::default() }
    }

    /// Takes the memory of a tree for the next one.
    pub fn reuse(&mut self, tree: Tree<'a>) {
        self.spare = tree.emptied();
    }

    /// An empty tree in the memory of the last one.
    pub fn spare(&mut self) -> Tree<'a> {
        std::mem::take(&mut self.spare)
    }

    /// The tree of an entry of the usual shape: every value of its table is a piece of `raw`.
    pub fn grow(&mut self, table: &LeafTable, paths: &PathTable, raw: &'a str) -> Tree<'a> {
        let mut tree = self.spare();
        tree.source = raw;
        tree.nodes.reserve(table.elements.len() + table.leaves.len());
        self.names.resize(paths.len(), NodeName { qname: "", name: "", uri: "", tag: 0, ns: Ns::None });
        self.elements.clear();
        let mut grown = 0;
        for (element, own) in table.elements.iter().zip(0_u32..) {
            // texts of elements that began before this one
            let first = element.leaves as usize;
            self.texts(&mut tree, &table.leaves[grown..first]);
            let at = element.at as usize;
            let name = self.name(element.path, paths, raw, |_| at + 1);
            let mut node = name.node(NodeKind::Element, at);
            node.end = element.end;
            let number = self.push(&mut tree, element.parent, node);
            let rest = table.leaves[first..].iter();
            for leaf in rest.take_while(|leaf| leaf.element == own && leaf.path() != element.path) {
                let end = leaf.span().0 - "='".len();
                let name = self.name(leaf.path(), paths, raw, |length| end - length);
                tree.nodes.push(RawNode {
                    kind: NodeKind::Attribute,
                    ns: name.ns,
                    name: name.name,
                    qname: name.qname,
                    uri: name.uri,
                    tag: name.tag,
                    value: leaves::written(leaf, raw),
                    at: (end - name.qname.len()) as u32,
                    end: end as u32,
                    parent: number,
                    child: NONE,
                    // another one follows, if it is not the last
                    next: tree.nodes.len() as u32 + 1,
                });
            }
            let attributes = tree.nodes.len() - 1 - number as usize;
            grown = first + attributes;
            let mut last = NONE;
            if attributes > 0 {
                last = number + attributes as u32;
                tree.nodes[last as usize].next = NONE;
                tree.nodes[number as usize].child = number + 1;
            }
            self.elements.push(GrownElement { node: number, last });
        }
        self.texts(&mut tree, &table.leaves[grown..]);
        tree
    }

    /// Adds the nodes of texts of elements that have nodes.
    #[inline]
    fn texts(&mut self, tree: &mut Tree<'a>, texts: &[LeafSpan]) {
        for leaf in texts {
            let (start, above) = (leaf.span().0, &self.elements[leaf.element as usize]);
            let before = tree.nodes.get(above.last as usize);
            let at = match leaf.form() {
                LeafForm::Empty => continue,
                // an element begins with it
                _ if before.is_none_or(|before| before.kind == NodeKind::Attribute) => {
                    tree.nodes[above.node as usize].at as usize
                }
                LeafForm::Section => start - "<![CDATA[".len(),
                _ => start,
            };
            let mut node = Tree::raw_as(NodeKind::Text, Ns::None, ("", "", "", tag("")), at);
            node.value = leaves::written(leaf, tree.source);
            self.push(tree, leaf.element, node);
        }
    }

    /// Adds a node directly below an element.
    #[inline]
    fn push(&mut self, tree: &mut Tree<'a>, parent: u32, mut node: RawNode<'a>) -> u32 {
        let number = tree.nodes.len() as u32;
        if let Some(above) = self.elements.get_mut(parent as usize) {
            node.parent = above.node;
            match std::mem::replace(&mut above.last, number) {
                NONE => tree.nodes[above.node as usize].child = number,
                before => tree.nodes[before as usize].next = number,
            }
        }
        tree.nodes.push(node);
        number
    }

    /// What a node of this path has; `at` is where its name begins that has this length.
    #[inline]
    fn name(&mut self, path: u32, paths: &PathTable, raw: &'a str, at: impl FnOnce(usize) -> usize) -> NodeName<'a> {
        let name = self.names[path as usize];
        match name.qname.is_empty() {
            true => self.learn(path, paths, &raw[at(paths.name(path).qname().len())..]),
            false => name,
        }
    }

    #[cold]
    #[inline(never)]
    fn learn(&mut self, path: u32, paths: &PathTable, rest: &'a str) -> NodeName<'a> {
        let known = paths.name(path);
        if known.declares_any() {
            let tag = &rest[..scan::tag_end(rest).unwrap_or(rest.len())];
            let declared = scan::attributes(tag).filter(|(key, _)| known.declared(key).is_some());
            self.uris.extend(declared.map(|(_, uri)| uri));
        }
        let (qname, local) = (&rest[..known.qname().len()], known.local());
        let uri = match paths.uri(path) {
            "" => "",
            // the namespace of `xml:` is declared nowhere
            uri => self.uris.get(uri).copied().unwrap_or(Ns::Xml.uri()),
        };
        let name = &qname[qname.len() - local.len()..];
        let learned = NodeName { qname, name, uri, tag: tag(name), ns: known.ns };
        self.names[path as usize] = learned;
        learned
    }
}

impl<'a> NodeName<'a> {
    #[inline]
    fn node(self, kind: NodeKind, at: usize) -> RawNode<'a> {
        Tree::raw_as(kind, self.ns, (self.name, self.qname, self.uri, self.tag), at)
    }
}
