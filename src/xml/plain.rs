//! The short way to a [`Tree`]: one pass over an entry of the common shape, whose names are looked up once per path of
//! the document and not once per element. What is in any way odd (repairs, entities of HTML, a name in the wrong case,
//! markup that is not well-formed, a limit) is left to `parse`, which finds the same tree in everything read here.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memmem};

use super::escape;
use super::names::Ns;
use super::parse::{self, Binding, Scope, TreeLimits};
use super::scan::{ends_name, is_name, is_space};
use super::spelling::{self, Spelling};
use crate::text::bytes;
use crate::tree::{NodeKind, Raw, Tree, tag};

const NONE: u32 = u32::MAX;

/// Different names that may stand directly below one path; more of them are looked up faster elsewhere.
const KIDS: usize = 96;

/// Paths of a document; more of them are no common shape.
const PATHS: usize = 4_096;

/// The paths met so far below the same open elements, each with what its names mean there. A name that follows another
/// as it did the last time costs one comparison.
pub struct Paths<'a> {
    scope: Scope<'a>,
    paths: Vec<Path<'a>>,
    open: Vec<Open>,
    /// Counts tags, to find an attribute that stands in one twice.
    serial: u64,
    endings: memmem::Finder<'static>,
    spare: Vec<Raw<'a>>,
}

/// A place where elements or attributes of one name stand.
struct Path<'a> {
    kind: PathKind<'a>,
    ns: Ns,
    qname: &'a str,
    name: &'a str,
    uri: &'a str,
    tag: u64,
    /// Of its first bytes, and which of sixteen these are.
    start: (u128, u128),
    /// Readers know the name, and those of all elements around it.
    known: bool,
    /// It takes a repair to read it.
    odd: bool,
    parent: u32,
    below: Vec<u32>,
    /// Of what stands below: what came last in the element that is open, and what began one last time.
    last: u32,
    first: u32,
    /// What came next to it last time.
    next: u32,
    /// The tag it stood in last.
    serial: u64,
    /// The namespaces that its elements declare: such with other declarations have a path of their own.
    declares: Vec<Declared<'a>>,
}

#[derive(Clone, Copy, PartialEq)]
enum PathKind<'a> {
    Element,
    Attribute,
    /// An attribute that declares a namespace, with this value.
    Declaration(&'a str),
}

#[derive(Clone, Copy)]
struct Declared<'a> {
    key: &'a str,
    binding: Binding<'a>,
}

/// An element that is not closed yet.
#[derive(Clone, Copy)]
struct Open {
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
            start: (0, 0),
            known: true,
            odd: false,
            parent: NONE,
            below: Vec::new(),
            last: NONE,
            first: NONE,
            next: NONE,
            serial: 0,
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
        self.open.clear();
        let mut reading = Reading {
            paths: self,
            raw,
            bytes: raw.as_bytes(),
            limits,
            tree: Tree::of(raw),
            run: None,
            sections: 0,
            done: false,
        };
        reading.tree.nodes = std::mem::take(&mut reading.paths.spare);
        reading.all()?;
        let Reading { tree, sections, .. } = reading;
        // `]]>` must not stand in text
        if self.endings.find_iter(raw.as_bytes()).count() != sections {
            return None;
        }
        Some(tree)
    }

    /// Takes the memory of a tree for the next one.
    pub fn reuse(&mut self, tree: Tree<'a>) {
        self.spare = tree.nodes;
        self.spare.clear();
    }

    fn path(&self, path: u32) -> &Path<'a> {
        &self.paths[path as usize]
    }

    /// What stands below `parent` under the name that `rest` begins with.
    #[inline]
    fn below(&mut self, parent: u32, rest: &'a str, attribute: bool) -> Option<u32> {
        let above = &self.paths[parent as usize];
        let last = above.last;
        let guess = if last == NONE { above.first } else { self.paths[last as usize].next };
        for guess in [guess, last] {
            if guess != NONE && self.paths[guess as usize].is_at(rest.as_bytes(), attribute) {
                self.paths[parent as usize].last = guess;
                return Some(guess);
            }
        }
        self.found(parent, rest, attribute)
    }

    /// The same, for a name that was not expected.
    #[cold]
    fn found(&mut self, parent: u32, rest: &'a str, attribute: bool) -> Option<u32> {
        let end = rest.bytes().position(ends_name)?;
        let qname = &rest[..end];
        let same = |below: &&u32| self.path(**below).is_at(rest.as_bytes(), attribute);
        let path = match self.path(parent).below.iter().find(same) {
            Some(path) => *path,
            None if attribute => self.attribute(parent, qname)?,
            None => self.element(parent, qname, Vec::new())?,
        };
        self.follows(parent, path);
        Some(path)
    }

    /// Learns that `path` came next below `parent`.
    fn follows(&mut self, parent: u32, path: u32) {
        match self.path(parent).last {
            NONE => self.paths[parent as usize].first = path,
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
        let odd = !bound || !is_name(qname) || known && matches!(spelling::attribute(qname), Spelling::Other(_));
        self.add(parent, PathKind::Attribute, qname, (ns, uri), odd, Vec::new())
    }

    fn element(&mut self, parent: u32, qname: &'a str, declares: Vec<Declared<'a>>) -> Option<u32> {
        let path = self.add(parent, PathKind::Element, qname, (Ns::None, ""), false, declares)?;
        let (ns, uri, bound) = self.resolve(path, qname, true);
        let spelling =
            if self.path(parent).known { spelling::element(ns, self.path(path).name) } else { Spelling::None };
        let this = &mut self.paths[path as usize];
        (this.ns, this.uri) = (ns, uri);
        this.known = spelling == Spelling::Exact;
        this.odd = !bound || !is_name(qname) || matches!(spelling, Spelling::Other(_));
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
        declares: Vec<Declared<'a>>,
    ) -> Option<u32> {
        if self.paths.len() >= PATHS || self.path(parent).below.len() >= KIDS {
            return None;
        }
        let path = self.paths.len() as u32;
        let name = qname.rsplit_once(':').map_or(qname, |(_, local)| local);
        self.paths.push(Path {
            kind,
            ns,
            qname,
            name,
            uri,
            tag: tag(name),
            start: start(qname),
            known: false,
            odd,
            parent,
            below: Vec::new(),
            last: NONE,
            first: NONE,
            next: NONE,
            serial: 0,
            declares,
        });
        self.paths[parent as usize].below.push(path);
        Some(path)
    }

    /// The namespace of a name that stands in `path`, and whether its prefix is bound there (Namespaces in XML 1.0
    /// section 6).
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
                if alias || value.contains('<') || !is_name(key) {
                    return None;
                }
                declares.push(Declared { key, binding });
            }
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

impl Path<'_> {
    /// Whether the name that `rest` begins with is this one.
    #[inline]
    fn is_at(&self, rest: &[u8], attribute: bool) -> bool {
        if (self.kind != PathKind::Element) != attribute {
            return false;
        }
        let name = self.qname.as_bytes();
        if let (Some(block), 0..16) = (rest.first_chunk::<16>(), name.len()) {
            let (start, mask) = self.start;
            return u128::from_le_bytes(*block) & mask == start && ends_name(block[name.len()]);
        }
        rest.len() > name.len() && rest[..name.len()] == *name && ends_name(rest[name.len()])
    }
}

/// The first sixteen bytes of a name as a number, with zeros behind it, and the bits that it has there: names are compared
/// a hundred thousand times, and most are shorter.
fn start(name: &str) -> (u128, u128) {
    let (mut bytes, mut mask) = ([0; 16], [0; 16]);
    for ((to, bits), from) in bytes.iter_mut().zip(&mut mask).zip(name.as_bytes()) {
        (*to, *bits) = (*from, 0xFF);
    }
    (u128::from_le_bytes(bytes), u128::from_le_bytes(mask))
}

/// One entry on its way.
struct Reading<'p, 'a> {
    paths: &'p mut Paths<'a>,
    raw: &'a str,
    bytes: &'a [u8],
    limits: &'p TreeLimits,
    tree: Tree<'a>,
    /// A run of text that goes on behind a comment or a section: where it begins, its characters.
    run: Option<(usize, Cow<'a, str>)>,
    /// CDATA sections.
    sections: usize,
    done: bool,
}

impl<'a> Reading<'_, 'a> {
    fn all(&mut self) -> Option<()> {
        if self.bytes.first() != Some(&b'<') {
            return None;
        }
        let mut at = 0;
        while let Some((found, plain)) = up_to_tag(&self.bytes[at..]) {
            let lt = at + found;
            let next = *self.bytes.get(lt + 1)?;
            let markup = matches!(next, b'!' | b'?');
            if lt > at {
                self.text(at, lt, markup, plain)?;
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

    /// A piece of text. `goes_on` says that its run may not be over behind it, `plain` that its characters are as they
    /// stand there.
    #[inline]
    fn text(&mut self, start: usize, end: usize, goes_on: bool, plain: bool) -> Option<()> {
        let raw = &self.raw[start..end];
        if self.paths.open.is_empty() {
            return raw.bytes().all(is_space).then_some(());
        }
        if raw.len() > self.limits.text {
            return None;
        }
        if self.run.is_none() && !goes_on {
            if is_blank(raw) {
                return Some(());
            }
            let text = if plain { Cow::Borrowed(raw) } else { decoded(raw, false)? };
            // white space may be written as references
            let blank = matches!(&text, Cow::Owned(text) if text.trim().is_empty());
            return if blank { Some(()) } else { self.push_run(start, text) };
        }
        self.more(start, decoded(raw, false)?)
    }

    fn more(&mut self, start: usize, more: Cow<'a, str>) -> Option<()> {
        match &mut self.run {
            None => self.run = Some((start, more)),
            Some((_, text)) => text.to_mut().push_str(&more),
        }
        let length = self.run.as_ref().map_or(0, |(_, text)| text.len());
        (length <= self.limits.text).then_some(())
    }

    fn end_run(&mut self) -> Option<()> {
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
        let mut raw = Tree::raw(NodeKind::Text, "", at as usize);
        raw.value = text;
        self.push(raw);
        Some(())
    }

    /// Adds a node below what is open.
    #[inline]
    fn push(&mut self, mut raw: Raw<'a>) -> u32 {
        let number = self.tree.nodes.len() as u32;
        if let Some(top) = self.paths.open.last_mut() {
            raw.parent = top.node;
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
            let text = parse::line_ends(&self.raw[lt + 9..end]);
            self.more(lt, text)?;
            self.sections += 1;
            return Some(end + 3);
        }
        let end: &[u8] = match rest {
            [b'<', b'?', first, ..] if first.is_ascii_alphabetic() => b"?>",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            _ => return None,
        };
        let inner = lt + 2 + if end.len() == 3 { 2 } else { 0 };
        Some(inner + memmem::find(&self.bytes[inner..], end)? + end.len())
    }

    fn end(&mut self, lt: usize) -> Option<usize> {
        self.end_run()?;
        let open = self.paths.open.pop()?;
        let name = self.paths.path(open.path).qname.as_bytes();
        let mut at = lt + 2 + name.len();
        if self.bytes.get(lt + 2..at)? != name {
            return None;
        }
        while is_space(*self.bytes.get(at)?) {
            at += 1;
        }
        (self.bytes[at] == b'>').then_some(())?;
        self.close(open, at + 1);
        Some(at + 1)
    }

    fn close(&mut self, open: Open, end: usize) {
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
        let path = self.paths.below(parent, rest, false)?;
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
        let mut at = lt + 1 + this.qname.len();
        let mut raw = Tree::raw_as(NodeKind::Element, this.ns, (this.name, this.qname, this.uri, this.tag), lt);
        let declares = this.declares.len();
        raw.end = NONE;
        let node = self.push(raw);
        let (mut last, mut attributes, mut declared) = (NONE, 0, 0);
        let empty = loop {
            let before = at;
            while is_space(*bytes.get(at)?) {
                at += 1;
            }
            match bytes[at] {
                b'>' => break false,
                b'/' if bytes.get(at + 1) == Some(&b'>') => break true,
                _ if at == before => return None,
                _ => (),
            }
            let rest = self.raw.get(at..)?;
            let Some(attribute) = self.paths.below(path, rest, true) else {
                return self.declares(lt);
            };
            let this = &mut self.paths.paths[attribute as usize];
            if this.odd {
                return self.declares(lt);
            }
            if std::mem::replace(&mut this.serial, serial) == serial {
                return None;
            }
            let key = at;
            at += this.qname.len();
            if bytes.get(at) != Some(&b'=') {
                return None;
            }
            let quote = *bytes.get(at + 1)?;
            if quote != b'"' && quote != b'\'' {
                return None;
            }
            let begin = at + 2;
            let value = bytes.get(begin..)?;
            let plain = match quote {
                b'"' => bytes::before(value, |block| odd(block) | bytes::equal(block, b'"', b'"' ^ b'&')),
                _ => bytes::before(value, |block| {
                    odd(block) | bytes::equal(block, b'\'', 0) | bytes::equal(block, b'&', 0)
                }),
            };
            let is_plain = value.get(plain) == Some(&quote);
            let end = begin + if is_plain { plain } else { memchr(quote, value)? };
            at = end + 1;
            let text = &self.raw[begin..end];
            if let PathKind::Declaration(uri) = this.kind {
                if uri != text {
                    return Some(None);
                }
                declared += 1;
                continue;
            }
            if text.len() > self.limits.attribute {
                return None;
            }
            let mut raw = Tree::raw_as(NodeKind::Attribute, this.ns, (this.name, this.qname, this.uri, this.tag), key);
            raw.end = (key + this.qname.len()) as u32;
            raw.value = if is_plain { Cow::Borrowed(text) } else { decoded(text, true)? };
            raw.parent = node;
            let number = self.tree.nodes.len() as u32;
            match last {
                NONE => self.tree.nodes[node as usize].child = number,
                before => self.tree.nodes[before as usize].next = number,
            }
            last = number;
            self.tree.nodes.push(raw);
            attributes += 1;
        };
        if declared != declares {
            return Some(None);
        }
        let end = at + if empty { 2 } else { 1 };
        let limits = self.limits;
        if attributes > limits.attributes
            || self.tree.nodes.len() > limits.nodes
            || self.paths.open.len() >= limits.depth
        {
            return None;
        }
        self.tree.nodes[node as usize].end = end as u32;
        let open = Open { path, node, last, spoken: false };
        match empty {
            true => self.close(open, end),
            false => self.paths.open.push(open),
        }
        Some(Some(end))
    }
}

impl Reading<'_, '_> {
    /// `Some(None)` if the tag at `lt`, which cannot be read as it is, declares namespaces.
    #[cold]
    fn declares(&self, lt: usize) -> Option<Option<usize>> {
        let rest = self.raw.get(lt..)?;
        let tag = rest.get(..super::scan::tag_end(rest)?)?;
        memmem::find(tag.as_bytes(), b"xmlns").map(|_| None)
    }
}

/// Bytes of a text that are looked at eight at a time, before it is worth more.
const SHORT: usize = 64;

/// How far it is to the next tag, and whether there is known to be nothing but plain characters before it.
#[inline]
fn up_to_tag(bytes: &[u8]) -> Option<(usize, bool)> {
    if bytes.first() == Some(&b'<') {
        return Some((0, true));
    }
    let short = bytes.get(..SHORT).unwrap_or(bytes);
    let end = bytes::before(short, |block| {
        bytes::equal(block, b'<', 0) | bytes::equal(block, b'&', 0) | bytes::equal(block, b'\r', 0)
    });
    match bytes.get(end)? {
        b'<' => Some((end, true)),
        _ => Some((end + memchr(b'<', &bytes[end..])?, false)),
    }
}

/// Whether nothing but white space stands in it.
#[inline]
fn is_blank(text: &str) -> bool {
    match text.bytes().find(|byte| !is_space(*byte)) {
        None => true,
        Some(byte) if byte < 0x80 => false,
        Some(_) => text.trim().is_empty(),
    }
}

/// Marks what must not stand in the value of an attribute as it is.
#[inline]
fn odd(block: u64) -> u64 {
    bytes::below(block, 0x20) | bytes::equal(block, b'<', 0)
}

/// The characters of a text or of an attribute's value; `None` if it takes a repair to read them.
#[inline]
fn decoded(raw: &str, attribute: bool) -> Option<Cow<'_, str>> {
    let plain = match attribute {
        // an attribute is short, and may not hold a tag
        true => !bytes::any(raw.as_bytes(), |block| odd(block) | bytes::equal(block, b'&', 0)),
        false => memchr2(b'&', b'\r', raw.as_bytes()).is_none(),
    };
    if plain { Some(Cow::Borrowed(raw)) } else { unescaped(raw, attribute).map(Cow::Owned) }
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
