//! The fast parser to a [`Tree`]: one pass through an entry of the common shape, with names looked up once per path of the
//! document. Everything unusual (repairs, HTML entities, a name in the wrong case, markup that is not well-formed, a
//! limit) is left to `parse`, which builds the same tree for everything read here.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memmem};

use super::escape;
use super::names::Ns;
use super::parse::{self, Binding, Scope, TreeLimits};
use super::scan::{ends_name, is_name, is_space};
use super::spelling::{self, NameSpelling};
use crate::text::bytes;
use crate::tree::{NodeKind, RawNode, Tree, tag};

const NONE: u32 = u32::MAX;

/// Different names directly below one path; more of them are looked up faster elsewhere.
const KIDS: usize = 96;

/// Paths of a document; more of them are not a common shape.
const PATHS: usize = 4_096;

/// The paths met so far below the same open elements, each with what its names mean there. A name that follows another
/// as it did the last time costs one comparison.
#[derive(Clone)]
pub struct Paths<'a> {
    scope: Scope<'a>,
    paths: Vec<Path<'a>>,
    open: Vec<OpenNode>,
    /// Counts tags, to find an attribute that one tag has twice.
    serial: u64,
    endings: memmem::Finder<'static>,
    spare: Vec<RawNode<'a>>,
}

/// The elements or attributes of one name at one place.
#[derive(Clone)]
struct Path<'a> {
    /// Of an element its name, of an attribute its name and the `=` behind it.
    look: MarkupPattern,
    kind: PathKind<'a>,
    ns: Ns,
    qname: &'a str,
    name: &'a str,
    uri: &'a str,
    tag: u64,
    /// Readers know the name, and those of all elements around it.
    known: bool,
    /// It takes a repair to read it.
    odd: bool,
    /// The attribute and the element that began it last time.
    attribute: u32,
    child: u32,
    /// The element that came last in the one that is open.
    last: u32,
    /// What came next to it last time.
    next: u32,
    /// The last tag that had it.
    serial: u64,
    parent: u32,
    below: Vec<u32>,
    /// The namespaces that its elements declare; elements with other declarations have separate paths.
    declares: Vec<DeclaredPrefix<'a>>,
}

#[derive(Clone, Copy, PartialEq)]
enum PathKind<'a> {
    Element,
    Attribute,
    /// An attribute that declares a namespace, with this value.
    Declaration(&'a str),
}

#[derive(Clone, Copy)]
struct DeclaredPrefix<'a> {
    key: &'a str,
    binding: Binding<'a>,
}

/// An element that is not closed yet.
#[derive(Clone, Copy)]
struct OpenNode {
    path: u32,
    node: u32,
    /// What was made below it last.
    last: u32,
    /// It had a run of text already.
    spoken: bool,
}

impl<'a> Paths<'a> {
    /// No paths yet, below elements with these declarations.
    pub fn new(scope: Scope<'a>) -> Paths<'a> {
        let around = Path {
            kind: PathKind::Element,
            ns: Ns::None,
            qname: "",
            name: "",
            uri: "",
            tag: 0,
            look: MarkupPattern::parse(""),
            known: true,
            odd: false,
            attribute: NONE,
            child: NONE,
            last: NONE,
            next: NONE,
            serial: 0,
            parent: NONE,
            below: Vec::new(),
            declares: Vec::new(),
        };
        Paths {
            scope,
            paths: vec![around],
            open: Vec::new(),
            serial: 0,
            endings: memmem::Finder::new("]]>"),
            spare: Vec::new(),
        }
    }

    /// The declarations around.
    pub fn scope(&self) -> &Scope<'a> {
        &self.scope
    }

    /// Reads one element with everything below it; `None` if it is not of the common shape.
    pub(super) fn tree(&mut self, raw: &'a str, limits: &TreeLimits) -> Option<Tree<'a>> {
        if parse::has_noncharacter(raw) {
            return None;
        }
        self.open.clear();
        let mut tree = Tree::empty(raw);
        tree.nodes = std::mem::take(&mut self.spare);
        let mut reading = PlainParser { paths: self, raw, bytes: raw.as_bytes(), limits, tree, run: None, done: false };
        reading.all()?;
        Some(reading.tree)
    }

    /// Takes the memory of a tree for the next one.
    pub fn reuse(&mut self, tree: Tree<'a>) {
        self.spare = tree.nodes;
        self.spare.clear();
    }

    fn path(&self, path: u32) -> &Path<'a> {
        &self.paths[path as usize]
    }

    /// The element below `parent` with the name that `rest` begins with.
    #[inline]
    fn child(&mut self, parent: u32, rest: &'a str) -> Option<u32> {
        let above = &self.paths[parent as usize];
        let last = above.last;
        let next = if last == NONE { above.child } else { self.paths[last as usize].next };
        for guess in [next, last] {
            if guess != NONE && self.paths[guess as usize].is_element_at(rest.as_bytes()) {
                self.paths[parent as usize].last = guess;
                return Some(guess);
            }
        }
        let path = self.found(parent, rest, false)?;
        self.follows(parent, path);
        Some(path)
    }

    /// The attribute of a tag of `parent` with the name that `rest` begins with, behind `last`: not the expected one. What
    /// is odd is never expected.
    #[cold]
    fn unexpected(&mut self, parent: u32, last: u32, rest: &'a str) -> Option<u32> {
        let path = self.found(parent, rest, true).filter(|path| !self.path(*path).odd)?;
        match last {
            NONE => self.paths[parent as usize].attribute = path,
            last => self.paths[last as usize].next = path,
        }
        Some(path)
    }

    /// The path below `parent` with the name that `rest` begins with.
    #[cold]
    fn found(&mut self, parent: u32, rest: &'a str, attribute: bool) -> Option<u32> {
        let end = rest.bytes().position(ends_name)?;
        let qname = &rest[..end];
        let same = |below: &&u32| {
            let below = self.path(**below);
            below.qname == qname && (below.kind != PathKind::Element) == attribute
        };
        match self.path(parent).below.iter().find(same) {
            Some(path) => Some(*path),
            None if attribute => self.attribute(parent, qname),
            None => self.element(parent, qname, Vec::new()),
        }
    }

    /// Learns that the element `path` came next below `parent`.
    fn follows(&mut self, parent: u32, path: u32) {
        match self.path(parent).last {
            NONE => self.paths[parent as usize].child = path,
            last => self.paths[last as usize].next = path,
        }
        self.paths[parent as usize].last = path;
    }

    fn attribute(&mut self, parent: u32, qname: &'a str) -> Option<u32> {
        if qname == "xmlns" || qname.starts_with("xmlns:") {
            // only `declaring` makes such
            return None;
        }
        let (ns, uri, bound) = self.resolve(parent, qname, false);
        let known = self.path(parent).known;
        let odd = !bound || !is_name(qname) || known && matches!(spelling::attribute(qname), NameSpelling::Other(_));
        self.add(parent, PathKind::Attribute, qname, (ns, uri), odd, Vec::new())
    }

    fn element(&mut self, parent: u32, qname: &'a str, declares: Vec<DeclaredPrefix<'a>>) -> Option<u32> {
        let path = self.add(parent, PathKind::Element, qname, (Ns::None, ""), false, declares)?;
        let (ns, uri, bound) = self.resolve(path, qname, true);
        let spelling =
            if self.path(parent).known { spelling::element(ns, self.path(path).name) } else { NameSpelling::None };
        let this = &mut self.paths[path as usize];
        (this.ns, this.uri) = (ns, uri);
        this.known = spelling == NameSpelling::Exact;
        this.odd = !bound || !is_name(qname) || matches!(spelling, NameSpelling::Other(_));
        for declared in this.declares.clone() {
            let kind = PathKind::Declaration(declared.binding.uri);
            self.add(path, kind, declared.key, (Ns::None, ""), false, Vec::new())?;
        }
        Some(path)
    }

    fn add(
        &mut self,
        parent: u32,
        kind: PathKind<'a>,
        qname: &'a str,
        (ns, uri): (Ns, &'a str),
        odd: bool,
        declares: Vec<DeclaredPrefix<'a>>,
    ) -> Option<u32> {
        if self.paths.len() >= PATHS || self.path(parent).below.len() >= KIDS {
            return None;
        }
        let path = self.paths.len() as u32;
        let name = qname.rsplit_once(':').map_or(qname, |(_, local)| local);
        let look = match kind {
            PathKind::Element => MarkupPattern::parse(qname),
            PathKind::Attribute | PathKind::Declaration(_) => MarkupPattern::of_attribute(qname),
        };
        self.paths.push(Path {
            look,
            kind,
            ns,
            qname,
            name,
            uri,
            tag: tag(name),
            known: false,
            odd,
            attribute: NONE,
            child: NONE,
            last: NONE,
            next: NONE,
            serial: 0,
            parent,
            below: Vec::new(),
            declares,
        });
        self.paths[parent as usize].below.push(path);
        Some(path)
    }

    /// The namespace of a name in `path`, and whether its prefix is bound there (Namespaces in XML 1.0 section 6).
    fn resolve(&self, path: u32, qname: &'a str, element: bool) -> (Ns, &'a str, bool) {
        let prefix = match qname.split_once(':') {
            None if !element => return (Ns::None, "", true),
            None => "",
            Some(("xml", _)) => return (Ns::Xml, Ns::Xml.uri(), true),
            Some((prefix, _)) => prefix,
        };
        let mut at = path;
        while at != NONE {
            let inner = self.path(at).declares.iter().rev().map(|declared| declared.binding);
            if let Some(binding) = inner.into_iter().find(|binding| binding.prefix == prefix) {
                return (binding.ns, binding.uri, true);
            }
            at = self.path(at).parent;
        }
        match self.scope.bindings.iter().rev().find(|binding| binding.prefix == prefix) {
            Some(binding) => (binding.ns, binding.uri, true),
            None => (Ns::None, "", prefix.is_empty()),
        }
    }

    /// The number of declarations in force in `path`.
    fn bindings(&self, path: u32) -> usize {
        let mut count = self.scope.bindings.len();
        let mut at = path;
        while at != NONE {
            count += self.path(at).declares.len();
            at = self.path(at).parent;
        }
        count
    }

    /// The path of a tag that declares namespaces.
    #[cold]
    fn declaring(&mut self, parent: u32, rest: &'a str, limits: &TreeLimits) -> Option<u32> {
        let end = super::scan::tag_end(rest)?;
        let text = &rest[..end];
        let qname = &rest[..rest.bytes().position(ends_name)?];
        let mut declares = Vec::new();
        for (key, value) in super::scan::attributes(text) {
            if let Some((binding, alias)) = parse::binding(key, value) {
                if alias || value.contains('<') || parse::has_control(value) || !is_name(key) {
                    return None;
                }
                declares.push(DeclaredPrefix { key, binding });
            }
        }
        // an unknown namespace may be identified by the name of the root
        let prefix = qname.split_once(':').map_or("", |(prefix, _)| prefix);
        let root = Ns::of_root(qname, None).unwrap_or(Ns::Unknown);
        let is_own = |declared: &DeclaredPrefix<'_>| {
            declared.binding.prefix == prefix && parse::is_misnamed(root, declared.binding.ns)
        };
        if parent == 0 && declares.iter().any(is_own) {
            return None;
        }
        let same = |below: &&u32| {
            let path = self.path(**below);
            path.kind == PathKind::Element
                && path.qname == qname
                && path.declares.len() == declares.len()
                && path.declares.iter().zip(&declares).all(|(a, b)| a.key == b.key && a.binding.uri == b.binding.uri)
        };
        let found = self.path(parent).below.iter().find(same).copied();
        let path = match found {
            Some(path) => path,
            None => self.element(parent, qname, declares)?,
        };
        if self.bindings(path) > limits.namespaces {
            return None;
        }
        self.follows(parent, path);
        Some(path)
    }
}

impl<'a> Path<'a> {
    /// Whether the name that `rest` begins with is that of these elements.
    #[inline]
    fn is_element_at(&self, rest: &[u8]) -> bool {
        let name = self.qname.as_bytes();
        (self.look.begins(rest) || rest.starts_with(name)) && rest.get(name.len()).is_some_and(|byte| ends_name(*byte))
    }

    /// A node of this path.
    #[inline]
    fn node(&self, kind: NodeKind, at: usize) -> RawNode<'a> {
        Tree::raw_as(kind, self.ns, (self.name, self.qname, self.uri, self.tag), at)
    }
}

/// A short piece of markup as a pattern that is compared at once: whatever is expected is compared with what is there,
/// a hundred thousand times.
#[derive(Clone, Copy)]
struct MarkupPattern {
    bytes: [u8; MarkupPattern::SIZE],
    /// Which of the bytes count.
    mask: [u8; MarkupPattern::SIZE],
}

impl MarkupPattern {
    const SIZE: usize = 32;

    fn parse(text: &str) -> MarkupPattern {
        let mut look = MarkupPattern { bytes: [0; MarkupPattern::SIZE], mask: [0; MarkupPattern::SIZE] };
        if text.len() > MarkupPattern::SIZE {
            // too long to be compared: nothing looks like this
            return MarkupPattern { bytes: [1; MarkupPattern::SIZE], ..look };
        }
        for ((to, mask), from) in look.bytes.iter_mut().zip(&mut look.mask).zip(text.as_bytes()) {
            (*to, *mask) = (*from, 0xFF);
        }
        look
    }

    fn of_attribute(name: &str) -> MarkupPattern {
        match name.len() <= MarkupPattern::SIZE {
            true => MarkupPattern::parse(&[name, "="].concat()),
            false => MarkupPattern::parse(name),
        }
    }

    /// Whether `rest` begins with it; `false` too if there is too little to compare.
    #[inline]
    fn begins(&self, rest: &[u8]) -> bool {
        let Some(block) = rest.first_chunk::<{ MarkupPattern::SIZE }>() else { return false };
        // no early exit and nothing to be inlined, so that the loop is one comparison
        let (mut unlike, mut at) = (0, 0);
        while at < MarkupPattern::SIZE {
            unlike |= (block[at] & self.mask[at]) ^ self.bytes[at];
            at += 1;
        }
        unlike == 0
    }
}

/// One entry on its way.
struct PlainParser<'p, 'a> {
    paths: &'p mut Paths<'a>,
    raw: &'a str,
    bytes: &'a [u8],
    limits: &'p TreeLimits,
    tree: Tree<'a>,
    /// A run of text that continues after a comment or a section: its start and its characters.
    run: Option<(usize, Cow<'a, str>)>,
    done: bool,
}

impl<'a> PlainParser<'_, 'a> {
    fn all(&mut self) -> Option<()> {
        if self.bytes.first() != Some(&b'<') {
            return None;
        }
        let mut at = 0;
        while let Some((found, holds)) = text_length(&self.bytes[at..]) {
            let lt = at + found;
            let next = *self.bytes.get(lt + 1)?;
            let markup = matches!(next, b'!' | b'?');
            if lt > at {
                self.text(at, lt, markup, holds)?;
            }
            at = match next {
                b'/' => self.end(lt)?,
                b'!' | b'?' => self.beside(lt)?,
                _ => self.start(lt)?,
            };
        }
        let rest = self.raw.get(at..)?;
        (self.done && rest.bytes().all(is_space)).then_some(())
    }

    /// Handles a piece of text. `goes_on`: its run may continue after it.
    #[inline]
    fn text(&mut self, start: usize, end: usize, goes_on: bool, holds: TextContent) -> Option<()> {
        if end - start > self.limits.text {
            return None;
        }
        let ends_run = self.run.is_none() && !goes_on;
        if ends_run && holds == TextContent::Blanks {
            return Some(());
        }
        let raw = &self.raw[start..end];
        if ends_run && is_blank(raw) {
            return Some(());
        }
        if self.paths.open.is_empty() {
            return raw.bytes().all(is_space).then_some(());
        }
        let text = decoded(raw, holds, false)?;
        if !ends_run {
            return self.more(start, text);
        }
        // white space may be written as references
        if is_blank(&text) { Some(()) } else { self.push_run(start, text) }
    }

    fn more(&mut self, start: usize, more: Cow<'a, str>) -> Option<()> {
        match &mut self.run {
            None => self.run = Some((start, more)),
            Some((_, text)) => text.to_mut().push_str(&more),
        }
        let length = self.run.as_ref().map_or(0, |(_, text)| text.len());
        (length <= self.limits.text).then_some(())
    }

    #[inline]
    fn end_run(&mut self) -> Option<()> {
        if self.run.is_none() { Some(()) } else { self.end_this_run() }
    }

    fn end_this_run(&mut self) -> Option<()> {
        match self.run.take() {
            Some((start, text)) if !text.trim().is_empty() => self.push_run(start, text),
            _ => Some(()),
        }
    }

    fn push_run(&mut self, start: usize, text: Cow<'a, str>) -> Option<()> {
        if text.len() > self.limits.text {
            return None;
        }
        let top = self.paths.open.last_mut()?;
        let first = !std::mem::replace(&mut top.spoken, true);
        let at = if first { self.tree.nodes[top.node as usize].at } else { start as u32 };
        let mut raw = Tree::raw_as(NodeKind::Text, Ns::None, ("", "", "", tag("")), at as usize);
        raw.value = text;
        self.push(raw);
        Some(())
    }

    /// Adds a node below what is open.
    #[inline]
    fn push(&mut self, mut raw: RawNode<'a>) -> u32 {
        let number = self.tree.nodes.len() as u32;
        if let Some(top) = self.paths.open.last_mut() {
            raw.parent = top.node;
            // text behind a child is not what the element begins with
            top.spoken |= raw.kind == NodeKind::Element;
            let last = std::mem::replace(&mut top.last, number);
            match self.tree.nodes.get_mut(last as usize) {
                Some(before) => before.next = number,
                None => self.tree.nodes[top.node as usize].child = number,
            }
        }
        self.tree.nodes.push(raw);
        number
    }

    /// A comment, a processing instruction, a CDATA section. Returns where it ends.
    fn beside(&mut self, lt: usize) -> Option<usize> {
        let rest = &self.bytes[lt..];
        if rest.starts_with(b"<![CDATA[") {
            let end = lt + 9 + self.paths.endings.find(&rest[9..])?;
            if self.paths.open.is_empty() {
                return None;
            }
            let text = &self.raw[lt + 9..end];
            if parse::has_control(text) {
                return None;
            }
            self.more(lt, parse::line_ends(text))?;
            return Some(end + 3);
        }
        let end: &[u8] = match rest {
            [b'<', b'?', first, ..] if first.is_ascii_alphabetic() => b"?>",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            _ => return None,
        };
        let inner = lt + 2 + if end.len() == 3 { 2 } else { 0 };
        let length = memmem::find(&self.bytes[inner..], end)?;
        let clean = !parse::has_control(&self.raw[inner..inner + length]);
        clean.then_some(inner + length + end.len())
    }

    fn end(&mut self, lt: usize) -> Option<usize> {
        self.end_run()?;
        let open = self.paths.open.pop()?;
        let (path, rest) = (self.paths.path(open.path), self.bytes.get(lt + 2..)?);
        if !path.look.begins(rest) && !rest.starts_with(path.qname.as_bytes()) {
            return None;
        }
        let mut at = lt + 2 + path.qname.len();
        while is_space(*self.bytes.get(at)?) {
            at += 1;
        }
        (self.bytes[at] == b'>').then_some(())?;
        self.close(open, at + 1);
        Some(at + 1)
    }

    fn close(&mut self, open: OpenNode, end: usize) {
        self.tree.nodes[open.node as usize].end = end as u32;
        self.done |= self.paths.open.is_empty();
    }

    /// A start tag, or one of an empty element. Returns where it ends.
    fn start(&mut self, lt: usize) -> Option<usize> {
        self.end_run()?;
        if self.done {
            return None;
        }
        let parent = self.paths.open.last().map_or(0, |open| open.path);
        let begun = (self.tree.nodes.len(), self.paths.open.last().map(|open| open.last));
        let rest = self.raw.get(lt + 1..)?;
        let before = self.paths.path(parent).last;
        let path = self.paths.child(parent, rest)?;
        if let Some(end) = self.tag(lt, path)? {
            return Some(end);
        }
        // it declares other namespaces than those of its name did so far
        self.undo(begun);
        self.paths.paths[parent as usize].last = before;
        let path = self.paths.declaring(parent, rest, self.limits)?;
        self.tag(lt, path)?
    }

    fn undo(&mut self, (nodes, last): (usize, Option<u32>)) {
        self.tree.nodes.truncate(nodes);
        let (Some(top), Some(last)) = (self.paths.open.last_mut(), last) else { return };
        top.last = last;
        match self.tree.nodes.get_mut(last as usize) {
            Some(before) => before.next = NONE,
            None => self.tree.nodes[top.node as usize].child = NONE,
        }
    }

    /// Reads the tag at `lt` as one of this path. `Some(None)` if its declarations are not those of the path.
    fn tag(&mut self, lt: usize, path: u32) -> Option<Option<usize>> {
        let bytes = self.bytes;
        self.paths.serial += 1;
        let serial = self.paths.serial;
        let this = &mut self.paths.paths[path as usize];
        if this.odd {
            return self.declares(lt);
        }
        this.last = NONE;
        let (mut expected, declares) = (this.attribute, this.declares.len());
        let mut at = lt + 1 + this.qname.len();
        let mut raw = this.node(NodeKind::Element, lt);
        raw.end = NONE;
        let node = self.push(raw);
        let (mut last, mut declared) = (NONE, 0);
        let empty = loop {
            let before = at;
            while is_space(*bytes.get(at)?) {
                at += 1;
            }
            let rest = &bytes[at..];
            match rest {
                [b'>', ..] => break false,
                [b'/', b'>', ..] => break true,
                _ if at == before => return None,
                _ => (),
            }
            let this = match self.paths.paths.get_mut(expected as usize) {
                Some(path) if path.look.begins(rest) => {
                    last = expected;
                    path
                }
                _ => match self.attribute(at, path, last)? {
                    Some(attribute) => {
                        last = attribute;
                        &mut self.paths.paths[attribute as usize]
                    }
                    None => return self.declares(lt),
                },
            };
            if std::mem::replace(&mut this.serial, serial) == serial {
                return None;
            }
            expected = this.next;
            let (key, key_end) = (at, at + this.qname.len());
            let begin = key_end + "='".len();
            let (length, holds) = value_length(bytes.get(begin - 1..)?);
            let text = self.raw.get(begin..begin + length)?;
            at = begin + length + 1;
            if let PathKind::Declaration(uri) = this.kind {
                if uri != text {
                    return Some(None);
                }
                declared += 1;
                continue;
            }
            if length > self.limits.attribute {
                return None;
            }
            self.tree.nodes.push(RawNode {
                kind: NodeKind::Attribute,
                ns: this.ns,
                name: this.name,
                qname: this.qname,
                uri: this.uri,
                tag: this.tag,
                value: if holds == TextContent::Plain { Cow::Borrowed(text) } else { decoded(text, holds, true)? },
                at: key as u32,
                end: key_end as u32,
                parent: node,
                child: NONE,
                // another one follows, if it is not the last
                next: self.tree.nodes.len() as u32 + 1,
            });
        };
        if declared != declares {
            return Some(None);
        }
        self.open_tag(path, node, at + if empty { 2 } else { 1 }, empty)
    }

    /// The attribute at `key`, which is not the expected one. `Some(None)` if its name cannot be read as it is.
    #[inline(never)]
    fn attribute(&mut self, key: usize, path: u32, last: u32) -> Option<Option<u32>> {
        let rest = self.raw.get(key..)?;
        let Some(attribute) = self.paths.unexpected(path, last, rest) else { return Some(None) };
        let end = self.paths.path(attribute).qname.len();
        (rest.as_bytes().get(end) == Some(&b'=')).then_some(Some(attribute))
    }

    /// The tag of this node was read up to `end`.
    fn open_tag(&mut self, path: u32, node: u32, end: usize, empty: bool) -> Option<Option<usize>> {
        let (limits, nodes) = (self.limits, self.tree.nodes.len());
        let attributes = nodes - 1 - node as usize;
        if attributes > limits.attributes || nodes > limits.nodes || self.paths.open.len() >= limits.depth {
            return None;
        }
        let mut last = NONE;
        if attributes > 0 {
            last = nodes as u32 - 1;
            self.tree.nodes[last as usize].next = NONE;
            self.tree.nodes[node as usize].child = node + 1;
        }
        self.tree.nodes[node as usize].end = end as u32;
        let open = OpenNode { path, node, last, spoken: false };
        match empty {
            true => self.close(open, end),
            false => self.paths.open.push(open),
        }
        Some(Some(end))
    }
}

impl PlainParser<'_, '_> {
    /// `Some(None)` if the tag at `lt`, which cannot be read as it is, declares namespaces.
    #[cold]
    fn declares(&self, lt: usize) -> Option<Option<usize>> {
        let rest = self.raw.get(lt..)?;
        let tag = rest.get(..super::scan::tag_end(rest)?)?;
        memmem::find(tag.as_bytes(), b"xmlns").map(|_| None)
    }
}

/// What a text or the value of an attribute is known to be.
#[derive(Clone, Copy, PartialEq)]
enum TextContent {
    /// Only white space.
    Blanks,
    /// Characters that mean themselves.
    Plain,
    /// The same, and references.
    References,
    /// Not known.
    Anything,
}

/// Bytes of a text that are looked at eight at a time, before it is worth more.
const SHORT: usize = 64;

/// The distance to the next tag, and the kind of text before it.
#[inline]
fn text_length(bytes: &[u8]) -> Option<(usize, TextContent)> {
    let line_end = match bytes {
        [b'<', ..] => return Some((0, TextContent::Plain)),
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    };
    if line_end > 0 {
        let indent = &bytes[line_end..];
        let blanks = line_end + bytes::many(indent, if indent.first() == Some(&b'\t') { b'\t' } else { b' ' });
        if bytes.get(blanks) == Some(&b'<') {
            return Some((blanks, TextContent::Blanks));
        }
    }
    let short = bytes.get(..SHORT).unwrap_or(bytes);
    let plain = bytes::before(short, odd_in_text);
    let found = match bytes.get(plain)? {
        b'<' => return Some((plain, TextContent::Plain)),
        b'&' => behind(short, plain, b'<', odd_in_text),
        _ => None,
    };
    found.or_else(|| Some((plain + memchr(b'<', &bytes[plain..])?, TextContent::Anything)))
}

/// The length of the value of an attribute that begins with this quote, and what it holds. Where it has no end, it is as
/// long as all that is left, with the quote.
#[inline(never)]
fn value_length(quoted: &[u8]) -> (usize, TextContent) {
    let marks = |block: u64| odd(block) | bytes::equal(block, b'"', b'"' ^ b'&');
    let single = |block: u64| odd(block) | bytes::equal(block, b'\'', b'\'' ^ b'&');
    let (quote, value, plain) = match quoted {
        [b'"', value @ ..] => (b'"', value, bytes::before(value, marks)),
        [b'\'', value @ ..] => (b'\'', value, bytes::before(value, single)),
        _ => return (quoted.len(), TextContent::Anything),
    };
    if value.get(plain) == Some(&quote) {
        return (plain, TextContent::Plain);
    }
    let found = match quote {
        b'"' => behind(value, plain, b'"', marks),
        _ => behind(value, plain, b'\'', single),
    };
    found.unwrap_or((quoted.len(), TextContent::Anything))
}

/// The distance to `end`, and the kind of text before it; the first byte found by `marks` is at `at`.
#[inline]
fn behind(bytes: &[u8], mut at: usize, end: u8, marks: impl Fn(u64) -> u64) -> Option<(usize, TextContent)> {
    let mut holds = TextContent::Plain;
    while let b'&' = *bytes.get(at)? {
        holds = TextContent::References;
        at += 1;
        at += bytes::before(bytes.get(at..)?, &marks);
    }
    if bytes.get(at) == Some(&end) {
        return Some((at, holds));
    }
    Some((at + memchr(end, bytes.get(at..)?)?, TextContent::Anything))
}

/// Whether it is only white space.
#[inline]
fn is_blank(text: &str) -> bool {
    match text.bytes().find(|byte| !is_space(*byte)) {
        None => true,
        Some(byte) if byte < 0x80 => false,
        Some(_) => text.trim().is_empty(),
    }
}

/// Marks bytes that end a text or are not allowed in it: `>` may be the end of `]]>`.
#[inline]
fn odd_in_text(block: u64) -> u64 {
    bytes::below(block, 0x20) | bytes::equal(block, b'<', b'<' ^ b'>') | bytes::equal(block, b'&', 0)
}

/// Marks bytes that are not allowed in the value of an attribute.
#[inline]
fn odd(block: u64) -> u64 {
    bytes::below(block, 0x20) | bytes::equal(block, b'<', 0)
}

/// The characters of a text or of an attribute's value; `None` if it takes a repair to read them.
#[inline]
fn decoded(raw: &str, holds: TextContent, attribute: bool) -> Option<Cow<'_, str>> {
    match holds {
        TextContent::Plain => Some(Cow::Borrowed(raw)),
        TextContent::References => referring(raw).map(Cow::Owned),
        TextContent::Blanks | TextContent::Anything => unescape_any(raw, attribute),
    }
}

fn unescape_any(raw: &str, attribute: bool) -> Option<Cow<'_, str>> {
    let plain = match attribute {
        // an attribute is short, and may not hold a tag
        true => !bytes::any(raw.as_bytes(), |block| odd(block) | bytes::equal(block, b'&', 0)),
        false if parse::has_control(raw) || memchr(b'>', raw.as_bytes()).is_some() && raw.contains("]]>") => {
            return None;
        }
        false => memchr2(b'&', b'\r', raw.as_bytes()).is_none(),
    };
    if plain { Some(Cow::Borrowed(raw)) } else { unescaped(raw, attribute).map(Cow::Owned) }
}

/// The characters of a text in which only references need decoding.
fn referring(raw: &str) -> Option<String> {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (length, repair) = escape::push_reference(rest, &mut out);
        if repair.is_some() {
            return None;
        }
        rest = &rest[length..];
    }
    out.push_str(rest);
    Some(out)
}

fn unescaped(raw: &str, attribute: bool) -> Option<String> {
    if attribute && memchr(b'<', raw.as_bytes()).is_some() {
        return None;
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while !rest.is_empty() {
        let plain = memchr(b'&', rest.as_bytes()).unwrap_or(rest.len());
        let mut clean = true;
        parse::push_plain(&rest[..plain], attribute, &mut out, &mut |_, _| clean = false);
        if !clean {
            return None;
        }
        rest = &rest[plain..];
        if !rest.is_empty() {
            let (length, repair) = escape::push_reference(rest, &mut out);
            if repair.is_some() {
                return None;
            }
            rest = &rest[length..];
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests;
