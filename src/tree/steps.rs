//! The paths of what stays foreign, root first: the source's own names, with the usual prefix for namespaces that are
//! known, and a number where a name repeats. In JSON names of members, and numbers in lists.
//! Not the paths of a report, which name things as they are written ([`Tree::path`](super::Tree)).

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use super::{NONE, NodeKind, RawNode, Tree};
use crate::xml::names::Ns;

/// Makes paths of one tree after the other. They are asked for in document order, so each begins with most of the one
/// before it.
#[derive(Default)]
pub(crate) struct PathBuilder {
    /// The namespace of the root, whose names need no prefix.
    home: Option<Ns>,
    /// The path that was made last.
    path: String,
    /// The nodes on it, root first, and how long the path to each is.
    open: Vec<(u32, usize)>,
    /// Those that the next path has beyond this one, root last.
    fresh: Vec<u32>,
    /// The numbers of nodes that were counted at once, else 0: all in JSON, otherwise those with many neighbours.
    numbers: Vec<u32>,
    /// Whether the children of a node were.
    counted: Vec<bool>,
}

/// How many siblings are compared with each other; more of them are distinguished by hashing.
const NEIGHBOURS: usize = 32;

impl PathBuilder {
    /// Begins with another tree.
    pub fn begin(&mut self, tree: &Tree<'_>) {
        // in an item in the podcast namespace, paths are the same as in any other item
        let own = |root: &RawNode<'_>| if root.ns == Ns::Podcast { Ns::None } else { root.ns };
        self.home = tree.nodes.first().map(own);
        self.path.clear();
        self.open.clear();
        self.counted.clear();
        self.numbers.clear();
        if tree.json {
            number_members(tree, &mut self.numbers);
        }
    }

    /// For paths of one tree.
    pub fn for_tree(tree: &Tree<'_>) -> PathBuilder {
        let mut paths = PathBuilder::default();
        paths.begin(tree);
        paths
    }

    /// The path of this node, made fastest in document order.
    pub fn path(&mut self, tree: &Tree<'_>, index: u32) -> String {
        self.fresh.clear();
        let mut at = index;
        while let Some(raw) = tree.nodes.get(at as usize) {
            // a node comes after its ancestors, so open ones with higher indices are done
            self.open.truncate(self.open.iter().rposition(|(open, _)| *open <= at).map_or(0, |last| last + 1));
            if self.open.last().is_some_and(|(open, _)| *open == at) {
                break;
            }
            self.fresh.push(at);
            at = raw.parent;
        }
        if at == NONE {
            // no open one contains it
            self.open.clear();
        }
        self.path.truncate(self.open.last().map_or(0, |(_, length)| *length));
        while let Some(at) = self.fresh.pop() {
            self.add(tree, at);
            self.open.push((at, self.path.len()));
        }
        self.path.clone()
    }

    /// Goes one step further.
    fn add(&mut self, tree: &Tree<'_>, index: u32) {
        let Some(raw) = tree.nodes.get(index as usize) else { return };
        let number = self.number(tree, index, raw);
        let in_list = tree.json && number > 0;
        let slash = if tree.json { !self.path.is_empty() && !in_list } else { raw.parent != NONE };
        if slash {
            self.path.push('/');
        }
        match raw.kind {
            _ if in_list => (),
            _ if tree.json => self.path.push_str(raw.name),
            NodeKind::Element => push_usual_name(raw, self.home.unwrap_or(Ns::None), &mut self.path),
            NodeKind::Attribute => {
                self.path.push('@');
                push_usual_name(raw, Ns::None, &mut self.path);
            }
            NodeKind::Text => self.path.push_str("text()"),
        }
        match number {
            0 => (),
            1..=9 => self.path.extend(['[', char::from(b'0' + number as u8), ']']),
            // writing to memory does not fail
            _ => _ = write!(self.path, "[{number}]"),
        }
    }

    /// The number that the step of a node has: of an element whose name repeats among its siblings, of a member of a
    /// list; else 0.
    fn number(&mut self, tree: &Tree<'_>, index: u32, raw: &RawNode<'_>) -> u32 {
        let counted = tree.json || self.counted.get(raw.parent as usize).is_some_and(|counted| *counted);
        if counted {
            return self.numbers.get(index as usize).copied().unwrap_or(0);
        }
        if raw.kind != NodeKind::Element || raw.parent == NONE {
            return 0;
        }
        let home = self.home.unwrap_or(Ns::None);
        let (mut before, mut behind, mut neighbours) = (0, false, 0);
        let mut at = tree.nodes.get(raw.parent as usize).map_or(NONE, |parent| parent.child);
        while let Some(sibling) = tree.nodes.get(at as usize).filter(|_| !behind) {
            if neighbours == NEIGHBOURS {
                self.count(tree, raw.parent);
                return self.numbers.get(index as usize).copied().unwrap_or(0);
            }
            neighbours += usize::from(sibling.kind == NodeKind::Element);
            if at != index && sibling.kind == NodeKind::Element && is_same_name(raw, sibling, home) {
                behind = at > index;
                before += u32::from(at < index);
            }
            at = sibling.next;
        }
        if before > 0 || behind { before + 1 } else { 0 }
    }

    /// Numbers the children of a node that has many.
    fn count(&mut self, tree: &Tree<'_>, parent: u32) {
        self.numbers.resize(tree.nodes.len(), 0);
        self.counted.resize(tree.nodes.len(), false);
        self.counted[parent as usize] = true;
        let home = self.home.unwrap_or(Ns::None);
        let mut counts: HashMap<Cow<'_, str>, (u32, u32)> = HashMap::new();
        for child in tree.node(parent).children() {
            let (many, first) = counts.entry(usual_name(child.raw(), home)).or_insert((0, child.index));
            *many += 1;
            if *many > 1 {
                // the first one has a number only if there is a second
                self.numbers[*first as usize] = 1;
                self.numbers[child.index as usize] = *many;
            }
        }
    }
}

/// Whether foreign paths show two elements under one name.
#[inline]
fn is_same_name(one: &RawNode<'_>, other: &RawNode<'_>, home: Ns) -> bool {
    one.tag == other.tag && is_shown_as(one, other, home)
}

fn is_shown_as(one: &RawNode<'_>, other: &RawNode<'_>, home: Ns) -> bool {
    // a name always ends with its local name, so most differ without being built
    let may_be = match (one.ns, other.ns) {
        (Ns::Unknown, Ns::Unknown) => return one.qname == other.qname,
        (ns, same) if ns == same => return one.name == other.name,
        (Ns::Unknown, _) => one.qname.ends_with(other.name),
        (_, Ns::Unknown) => other.qname.ends_with(one.name),
        (_, _) => one.name == other.name,
    };
    may_be && usual_name(one, home) == usual_name(other, home)
}

/// The numbers of the members of lists in JSON.
fn number_members(tree: &Tree<'_>, numbers: &mut Vec<u32>) {
    let mut seen = vec![0_u32; tree.nodes.len()];
    for raw in &tree.nodes {
        let above = raw.parent as usize;
        let number = match (tree.nodes.get(above), seen.get_mut(above)) {
            (Some(list), Some(seen)) if list.uri == "list" => {
                *seen += 1;
                *seen
            }
            _ => 0,
        };
        numbers.push(number);
    }
}

/// The name under which foreign paths show a node. `home` is the namespace of the root, whose names need no prefix
/// (Atom has one only inside other formats).
fn usual_name<'a>(raw: &RawNode<'a>, home: Ns) -> Cow<'a, str> {
    match usual_prefix(raw, home) {
        _ if raw.ns == Ns::Unknown => Cow::Borrowed(raw.qname),
        "" => Cow::Borrowed(raw.name),
        prefix => Cow::Owned(format!("{prefix}:{}", raw.name)),
    }
}

/// Appends [`usual_name`].
fn push_usual_name(raw: &RawNode<'_>, home: Ns, path: &mut String) {
    match usual_prefix(raw, home) {
        _ if raw.ns == Ns::Unknown => return path.push_str(raw.qname),
        "" => (),
        prefix => {
            path.push_str(prefix);
            path.push(':');
        }
    }
    path.push_str(raw.name);
}

fn usual_prefix(raw: &RawNode<'_>, home: Ns) -> &'static str {
    if raw.ns == home { "" } else { raw.ns.prefix() }
}
