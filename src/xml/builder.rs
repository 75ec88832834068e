//! Builds a tree from tags and texts, for the parser of well-formed markup and for the one that repairs.

use std::borrow::Cow;

use quick_xml::events::{BytesStart, Event};

use super::limits::{ILL_FORMED, TOO_MANY, TreeError, TreeLimits};
use super::names::Ns;
use super::scan::{self, has_noncharacter, is_name, is_space};
use super::scope::{Binding, RawAttribute, Scope, attributes, binding, is_misbound, name_root};
use super::spelling::{self, NameSpelling};
use super::{aside, escape};
use crate::text::bytes;
use crate::tree::{NodeKind, Tree, TreeRepair, tag};

/// Repairs listed for one tree; the last one counts the others.
const REPAIRS: usize = 1_000;
const MANY: &str = "an element has too many attributes";

pub(super) fn ill_formed(at: usize, says: impl Into<String>) -> TreeError {
    TreeError { at, code: ILL_FORMED, says: says.into() }
}

/// What both ways of reading build their tree with.
pub(super) struct TreeBuilder<'a, 'l> {
    raw: &'a str,
    pub tree: Tree<'a>,
    bindings: Vec<Binding<'a>>,
    /// Open elements, with the number of bindings before each.
    open: Vec<(u32, usize)>,
    /// The run of text being read: where it begins, its characters.
    run: Option<(usize, Cow<'a, str>)>,
    limits: &'l TreeLimits,
    /// What is known of each node.
    states: Vec<ParseState>,
    /// The attributes of the tag in work.
    found: Vec<RawAttribute<'a>>,
    /// Repairs not kept.
    untold: usize,
    done: bool,
}

#[derive(Clone, Copy, Default)]
struct ParseState {
    /// It had a run of text already.
    spoken: bool,
    /// Its name is one that readers know.
    known: bool,
}

impl<'a, 'l> TreeBuilder<'a, 'l> {
    pub fn new(raw: &'a str, scope: &Scope<'a>, limits: &'l TreeLimits) -> TreeBuilder<'a, 'l> {
        TreeBuilder {
            raw,
            tree: Tree::empty(raw),
            bindings: scope.bindings.clone(),
            open: Vec::new(),
            run: None,
            limits,
            states: Vec::new(),
            found: Vec::new(),
            untold: 0,
            done: false,
        }
    }

    /// Takes one event in; true at the end.
    pub fn event(&mut self, event: Event<'_>, start: usize, end: usize) -> Result<bool, TreeError> {
        match event {
            Event::Start(tag) => {
                let qname = self.tag(&tag, start, end)?;
                self.open(qname, start, end)?;
            }
            Event::Empty(tag) => {
                let qname = self.tag(&tag, start, end)?;
                self.open(qname, start, end)?;
                self.close(end)?;
            }
            Event::End(_) => self.close(end)?,
            Event::Text(_) | Event::GeneralRef(_) => {
                if self.open.is_empty() && !self.done && !self.raw[start..end].trim().is_empty() {
                    return Err(ill_formed(start, "text outside the element"));
                }
                let text = self.decode(&self.raw[start..end], start, false);
                self.text(start, text)?;
            }
            Event::CData(_) => {
                let inner = self.raw[start..end].strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>"));
                self.text(start, line_ends(inner.unwrap_or("")))?;
            }
            Event::Comment(_) | Event::PI(_) | Event::Decl(_) => self.aside(start, end),
            Event::DocType(_) => self.declaration(start, end),
            Event::Eof => return Ok(true),
        }
        Ok(false)
    }

    /// Reads the attributes of a tag, which is to be in order; returns its name.
    fn tag(&mut self, tag: &BytesStart<'_>, start: usize, end: usize) -> Result<&'a str, TreeError> {
        let qname = self.raw.get(start + 1..start + 1 + tag.name().as_ref().len()).unwrap_or("");
        if self.done {
            return Err(ill_formed(start, "a second root"));
        }
        if !is_name(qname) || memchr::memchr(b'<', &self.raw.as_bytes()[start + 1..end]).is_some() {
            return Err(ill_formed(start, "not a tag"));
        }
        for attribute in attributes(tag, self.raw, start) {
            let attribute = attribute.map_err(|(at, says)| ill_formed(at, says))?;
            let before = self.raw.as_bytes().get(attribute.at.wrapping_sub(1));
            if !is_name(attribute.key) || !before.is_some_and(|&byte| is_space(byte)) {
                return Err(ill_formed(attribute.at, "not an attribute"));
            }
            self.found.push(attribute);
        }
        Ok(qname)
    }

    /// An attribute of the tag that is opened next.
    pub fn found(&mut self, found: RawAttribute<'a>) -> Result<(), TreeError> {
        self.found.push(found);
        match self.found.len() > self.limits.attributes.saturating_add(self.limits.namespaces) {
            true => Err(self.limit(self.found.first().map_or(0, |first| first.at), "limit.attributes", MANY)),
            false => Ok(()),
        }
    }

    /// Forgets the attributes of a tag that turned out not to be one.
    pub fn forget(&mut self) {
        self.found.clear();
    }

    fn limit(&self, at: usize, code: &'static str, says: &str) -> TreeError {
        TreeError { at, code, says: says.to_owned() }
    }

    /// The number of the innermost open element.
    pub fn top(&self) -> Option<u32> {
        self.open.last().map(|open| open.0)
    }

    /// The outermost element was closed.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Begins an element with the attributes found.
    pub fn open(&mut self, qname: &'a str, start: usize, end: usize) -> Result<(), TreeError> {
        self.end_run()?;
        let before = self.bindings.len();
        let mut found = std::mem::take(&mut self.found);
        let declarations = found.iter().filter(|found| binding(found.key, found.raw).is_some()).count();
        if before + declarations > self.limits.namespaces {
            return Err(self.limit(start, "limit.namespaces", "too many namespaces are declared"));
        }
        let version = found.iter().find(|found| found.key == "version").map(|found| found.raw);
        found.retain(|attribute| !self.declares(attribute));
        if self.open.is_empty()
            && let Some(root) = name_root(qname, version, &mut self.bindings[before..])
        {
            let (uri, ns) = (root.uri, root.ns);
            self.repair("ns.alias", start, uri, || format!("read as {}", ns.uri()));
        }
        if found.len() > self.limits.attributes {
            return Err(self.limit(start, "limit.attributes", MANY));
        }
        let parent = self.top();
        if let Some(state) = parent.and_then(|parent| self.states.get_mut(parent as usize)) {
            // text behind a child is not what the element begins with
            state.spoken = true;
        }
        let mut raw = Tree::raw(NodeKind::Element, qname, start);
        raw.end = end as u32;
        (raw.ns, raw.uri) = self.resolve(qname, true, start);
        let known = self.spell(parent, &mut raw, start);
        let node = self.tree.push(parent.unwrap_or(u32::MAX), raw);
        for attribute in &found {
            let other = match known.then(|| spelling::attribute(attribute.key)) {
                Some(NameSpelling::Other(name)) => {
                    Some(name).filter(|name| found.iter().all(|found| found.key != *name))
                }
                _ => None,
            };
            self.attribute(node, attribute, other)?;
        }
        found.clear();
        self.found = found;
        self.states.resize(self.tree.nodes.len(), ParseState::default());
        self.states[node as usize].known = known;
        self.open.push((node, before));
        if self.tree.nodes.len() > self.limits.nodes {
            return Err(self.limit(start, "limit.entry", TOO_MANY));
        }
        match self.open.len() > self.limits.depth {
            true => Err(self.limit(start, "limit.depth", "elements are nested too deeply")),
            false => Ok(()),
        }
    }

    /// Passes a comment or an instruction.
    pub fn aside(&mut self, start: usize, end: usize) {
        if let Some(fault) = self.raw.get(start..end).and_then(aside::fault) {
            self.repair(fault.code, start + fault.at, &fault.found, || aside::REMOVED.to_owned());
        }
    }

    /// Passes a declaration, which has no place here.
    pub fn declaration(&mut self, start: usize, end: usize) {
        let found = &self.raw[start..end];
        self.repair("xml.markup", start, found, || "a declaration inside the document, removed".to_owned());
    }

    /// Takes an attribute in that declares a namespace.
    fn declares(&mut self, found: &RawAttribute<'a>) -> bool {
        let Some((binding, alias)) = binding(found.key, found.raw) else { return false };
        // for its repairs: a namespace is compared as it is written
        self.decode(found.raw, found.value_at, true);
        if is_misbound(&binding) {
            self.repair("xml.attribute", found.at, found.key, || "an empty or reserved namespace".to_owned());
        }
        if alias {
            self.repair("ns.alias", found.at, binding.uri, || format!("read as {}", binding.ns.uri()));
        }
        self.bindings.push(binding);
        true
    }

    /// Restores the usual case of a known name, if its parent element is known too.
    fn spell(&mut self, parent: Option<u32>, raw: &mut crate::tree::RawNode<'a>, at: usize) -> bool {
        if parent.is_some_and(|parent| !self.states[parent as usize].known) {
            return false;
        }
        match spelling::element(raw.ns, raw.name) {
            NameSpelling::Exact => true,
            NameSpelling::None => false,
            NameSpelling::Other(name) => {
                self.repair("name.case", at, raw.qname, || format!("read as {name}"));
                (raw.name, raw.tag) = (name, tag(name));
                true
            }
        }
    }

    /// Ends the innermost element.
    pub fn close(&mut self, end: usize) -> Result<(), TreeError> {
        self.end_run()?;
        if let Some((node, bindings)) = self.open.pop() {
            self.tree.nodes[node as usize].end = end as u32;
            self.bindings.truncate(bindings);
        }
        self.done |= self.open.is_empty();
        Ok(())
    }

    /// Adds an attribute; `spelling` is the usual form of its name, if that differs.
    fn attribute(
        &mut self,
        element: u32,
        found: &RawAttribute<'a>,
        spelling: Option<&'static str>,
    ) -> Result<(), TreeError> {
        if found.raw.len() > self.limits.attribute {
            return Err(self.limit(found.at, "limit.attribute", "an attribute value is too long"));
        }
        let mut raw = Tree::raw(NodeKind::Attribute, found.key, found.at);
        raw.end = (found.at + found.key.len()) as u32;
        (raw.ns, raw.uri) = self.resolve(found.key, false, found.at);
        if let Some(name) = spelling.filter(|name| self.tree.node(element).attribute(name).is_none()) {
            self.repair("name.case", found.at, found.key, || format!("read as {name}"));
            (raw.name, raw.tag) = (name, tag(name));
        }
        raw.value = self.decode(found.raw, found.value_at, true);
        self.tree.push(element, raw);
        Ok(())
    }

    /// The namespace of a name. An attribute without prefix is in none (Namespaces in XML 1.0 section 6.2).
    fn resolve(&mut self, qname: &'a str, element: bool, at: usize) -> (Ns, &'a str) {
        let prefix = match qname.split_once(':') {
            None if !element => return (Ns::None, ""),
            None => "",
            Some(("xml", _)) => return (Ns::Xml, Ns::Xml.uri()),
            Some((prefix, _)) => prefix,
        };
        if let Some(binding) = self.bindings.iter().rev().find(|binding| binding.prefix == prefix) {
            return (binding.ns, binding.uri);
        }
        if prefix.is_empty() {
            return (Ns::None, "");
        }
        let ns = Ns::by_prefix(prefix).unwrap_or(Ns::Unknown);
        self.repair("ns.undeclared", at, &format!("prefix {prefix}"), || match ns {
            Ns::Unknown => "kept as unrecognized markup".to_owned(),
            known => format!("read as {}", known.uri()),
        });
        (ns, "")
    }

    /// Whether readers know an element of this name here; notes nothing.
    pub fn is_known(&self, qname: &str) -> bool {
        let (ns, name) = self.name(qname);
        spelling::element(ns, name) != NameSpelling::None
    }

    /// Whether an element of this name is a known container here that never contains another of its name.
    pub fn never_nests(&self, qname: &str) -> bool {
        let (ns, name) = self.name(qname);
        spelling::is_container(ns, name) && !spelling::nests(ns, name)
    }

    fn name<'n>(&self, qname: &'n str) -> (Ns, &'n str) {
        let (prefix, name) = qname.split_once(':').unwrap_or(("", qname));
        let bound = self.bindings.iter().rev().find(|binding| binding.prefix == prefix).map(|binding| binding.ns);
        (bound.or_else(|| Ns::by_prefix(prefix)).unwrap_or(Ns::None), name)
    }

    /// Notes a repair.
    pub fn repair(&mut self, code: &'static str, at: usize, found: &str, done: impl FnOnce() -> String) {
        if self.tree.repairs.len() >= REPAIRS {
            self.untold += 1;
            return;
        }
        let found = found.chars().take(200).collect();
        self.tree.repairs.push(TreeRepair { code, at: at as u32, found, done: Cow::Owned(done()) });
    }

    /// Resolves the references in a text or an attribute value and normalizes its white space; forbidden characters are
    /// dropped.
    pub fn decode(&mut self, value: &'a str, at: usize, attribute: bool) -> Cow<'a, str> {
        let special = |byte: u8| match byte {
            b'&' | b'\r' => true,
            b'\n' | b'\t' => attribute,
            byte => byte < 0x20,
        };
        if !value.bytes().any(special) && !has_noncharacter(value) {
            return Cow::Borrowed(value);
        }
        let mut out = String::with_capacity(value.len());
        let (mut start, mut forbidden) = (0, None);
        while start < value.len() {
            let rest = &value[start..];
            let plain = memchr::memchr(b'&', rest.as_bytes()).unwrap_or(rest.len());
            push_plain(&rest[..plain], attribute, &mut out, &mut |offset, found| {
                forbidden.get_or_insert((start + offset, found, 0)).2 += 1;
            });
            start += plain;
            start += self.reference(&value[start..], at + start, &mut out);
        }
        if let Some((offset, first, count)) = forbidden {
            self.repair("xml.control", at + offset, &format!("U+{:04X}", u32::from(first)), || match count {
                1 => "removed".to_owned(),
                count => format!("removed, with {} more in this value", count - 1),
            });
        }
        Cow::Owned(out)
    }

    /// Appends the characters of the reference at the start of `rest`; returns its length.
    fn reference(&mut self, rest: &str, at: usize, out: &mut String) -> usize {
        if rest.is_empty() {
            return 0;
        }
        let name = escape::reference_name(rest);
        let length = name.map_or(1, |name| name.len() + 2);
        let (text, repairs) = escape::unescape_lenient(&rest[..length]);
        out.push_str(&text);
        if let Some(repair) = repairs.first() {
            let (code, done) = match repair.kind {
                escape::RepairKind::HtmlEntity => ("xml.entity", "an HTML entity, decoded"),
                escape::RepairKind::BareAmpersand if name.is_some() => {
                    ("xml.entity", "an unknown entity, kept as written")
                }
                escape::RepairKind::BareAmpersand => ("xml.ampersand", "a bare &, read as &"),
                escape::RepairKind::BadCharRef if text.is_empty() => {
                    ("xml.charref", "a reference to an invalid character, removed")
                }
                escape::RepairKind::BadCharRef => (
                    "xml.charref",
                    "a reference to an invalid character, kept as \
                written",
                ),
                escape::RepairKind::CapitalX => ("xml.charref", "&#X instead of &#x, decoded"),
                escape::RepairKind::Windows1252 => ("xml.charref", "a number of windows-1252, decoded as in HTML"),
            };
            let quoted = if name.is_some() { length } else { rest.len() };
            let found: String = rest[..quoted].chars().take(40).take_while(|c| !c.is_whitespace()).collect();
            self.repair(code, at, &found, || done.to_owned());
        }
        length
    }

    /// Appends to the run of text, if an element is open.
    pub fn text(&mut self, start: usize, more: Cow<'a, str>) -> Result<(), TreeError> {
        if self.open.is_empty() {
            self.outside(start, &more);
            return Ok(());
        }
        match &mut self.run {
            None => self.run = Some((start, more)),
            Some((_, text)) => text.to_mut().push_str(&more),
        }
        let length = self.run.as_ref().map_or(0, |(_, text)| text.len());
        if length > self.limits.text {
            return Err(self.limit(start, "limit.text", "a text is too long"));
        }
        Ok(())
    }

    fn outside(&mut self, start: usize, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            let code = if self.done { "xml.after_root" } else { "xml.prolog" };
            self.repair(code, start, text, || "text outside the root element, removed".to_owned());
        }
    }

    /// Ends a run of text: white space of XML is formatting, that of other scripts is not.
    fn end_run(&mut self) -> Result<(), TreeError> {
        let Some((start, text)) = self.run.take() else { return Ok(()) };
        let Some(parent) = self.top() else { return Ok(()) };
        if scan::is_blank(&text) {
            return Ok(());
        }
        let first = !std::mem::replace(&mut self.states[parent as usize].spoken, true);
        // the first run is named by its element's start tag; later ones by themselves
        let at = if first { self.tree.nodes[parent as usize].at as usize } else { start };
        let mut raw = Tree::raw(NodeKind::Text, "", at);
        raw.value = text;
        self.tree.push(parent, raw);
        self.states.resize(self.tree.nodes.len(), ParseState::default());
        Ok(())
    }

    /// The tree, with nothing left open.
    pub fn finish(mut self) -> Result<Tree<'a>, TreeError> {
        if !self.open.is_empty() || self.tree.nodes.is_empty() {
            return Err(ill_formed(self.raw.len(), "an element is not closed"));
        }
        if self.untold > 0 {
            let found = format!("{} more repairs in this entry", self.untold);
            let (at, done) =
                (self.tree.repairs.last().map_or(0, |last| last.at), Cow::Borrowed("applied, but not listed"));
            self.tree.repairs.push(TreeRepair { code: "xml.repairs", at, found, done });
        }
        Ok(self.tree)
    }
}

/// Line ends as XML 1.0 (2.11) reads them.
pub(crate) fn line_ends(text: &str) -> Cow<'_, str> {
    match memchr::memchr(b'\r', text.as_bytes()) {
        None => Cow::Borrowed(text),
        Some(_) => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
    }
}

/// Appends text without references: line ends become LF, in attribute values all white space becomes spaces (XML 1.0
/// sections 2.11 and 3.3.3), and forbidden characters are reported and dropped.
pub(crate) fn push_plain(text: &str, attribute: bool, out: &mut String, forbidden: &mut dyn FnMut(usize, char)) {
    let bytes = text.as_bytes();
    let (mut copied, mut at) = (0, 0);
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        at += bytes::before(rest, |block| bytes::below(block, b' ') | bytes::equal(block, 0xEF, 0));
        let Some(byte) = bytes.get(at) else { break };
        let instead = match byte {
            b'\n' if at > 0 && bytes[at - 1] == b'\r' => "",
            b'\n' | b'\r' | b'\t' if attribute => " ",
            b'\r' => "\n",
            b'\n' | b'\t' | b' '..=0xEE | 0xF0.. => {
                at += 1;
                continue;
            }
            0xEF if !matches!(bytes[at..], [_, 0xBF, 0xBE | 0xBF, ..]) => {
                at += 1;
                continue;
            }
            _ => "",
        };
        out.push_str(&text[copied..at]);
        out.push_str(instead);
        let c = text[at..].chars().next().unwrap_or_default();
        if !matches!(c, '\n' | '\r' | '\t') {
            forbidden(at, c);
        }
        at += c.len_utf8();
        copied = at;
    }
    out.push_str(&text[copied..]);
}
