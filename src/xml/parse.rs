//! From the raw markup of one entry, or of a frame, to a [`Tree`]. What is not well-formed is an error here;
//! what can be mended without guessing (HTML entities, bare ampersands, undeclared but usual prefixes) is mended
//! and noted.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::escape;
use super::names::Ns;
use crate::tree::{NodeKind, Repair, Tree};

/// Limits of what a tree is made of (each is an option of the command line).
#[derive(Clone, Copy, Debug)]
pub struct TreeLimits {
    /// Elements inside each other.
    pub depth: usize,
    /// Attributes of one element.
    pub attributes: usize,
    /// Namespace bindings in scope.
    pub namespaces: usize,
    /// Bytes of one run of text.
    pub text: usize,
    /// Bytes of one attribute value.
    pub attribute: usize,
}

impl Default for TreeLimits {
    fn default() -> TreeLimits {
        TreeLimits { depth: 256, attributes: 10_000, namespaces: 1_000, text: 64 << 20, attribute: 1 << 20 }
    }
}

/// Why there is no tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Bad {
    /// Byte offset.
    pub at: usize,
    /// `xml.ill_formed`, or the limit that was passed.
    pub code: &'static str,
    /// What is wrong.
    pub says: String,
}

/// One namespace declaration.
#[derive(Clone, Copy, Debug)]
pub struct Binding<'a> {
    /// Prefix; empty for the default namespace.
    pub prefix: &'a str,
    /// Address as written.
    pub uri: &'a str,
    /// What it stands for.
    pub ns: Ns,
}

/// The namespace declarations in force around an entry.
#[derive(Clone, Debug, Default)]
pub struct Scope<'a> {
    /// Declarations, outermost first.
    pub bindings: Vec<Binding<'a>>,
    /// Attributes of the open elements that govern what stands below: `xml:lang`, innermost.
    pub lang: Option<&'a str>,
    /// `xml:base`, outermost first.
    pub bases: Vec<&'a str>,
}

impl<'a> Scope<'a> {
    /// Reads the start tags of the open ancestors (`Context::tags` of a splitter).
    pub fn of(tags: &'a str) -> Scope<'a> {
        let mut scope = Scope::default();
        let mut reader = Reader::from_str(tags);
        reader.config_mut().check_end_names = false;
        let mut before = 0;
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Eof => break,
                Event::Start(tag) | Event::Empty(tag) => {
                    for attribute in attributes(&tag, tags, before).flatten() {
                        match attribute.key {
                            "xml:lang" => scope.lang = Some(attribute.raw),
                            "xml:base" => scope.bases.push(attribute.raw),
                            key => scope.bindings.extend(binding(key, attribute.raw)),
                        }
                    }
                }
                _ => (),
            }
            before = reader.buffer_position() as usize;
        }
        scope
    }
}

fn binding<'a>(key: &'a str, uri: &'a str) -> Option<Binding<'a>> {
    let prefix = match key {
        "xmlns" => "",
        _ => key.strip_prefix("xmlns:")?,
    };
    let ns = if uri.is_empty() { Ns::None } else { Ns::of(uri).ns };
    Some(Binding { prefix, uri, ns })
}

struct Found<'a> {
    key: &'a str,
    /// The value as it stands between its quotes.
    raw: &'a str,
    at: usize,
}

/// The attributes of a start tag that begins at `start` of `raw`, as slices of `raw`.
fn attributes<'x, 'a>(
    tag: &'x BytesStart<'_>,
    raw: &'a str,
    start: usize,
) -> impl Iterator<Item = Result<Found<'a>, (usize, String)>> + 'x
where
    'a: 'x,
{
    let content: &'x str = tag;
    // the parser hands out slices of the tag; the same bytes stand in `raw`, one behind the `<`
    let offset = move |part: &str| start + 1 + (part.as_ptr() as usize).saturating_sub(content.as_ptr() as usize);
    let slice = move |part: &str| {
        let at = offset(part);
        raw.get(at..at + part.len()).unwrap_or("")
    };
    tag.attributes().map(move |attribute| match attribute {
        Ok(attribute) => {
            let at = offset(attribute.key.as_ref());
            Ok(Found { key: slice(attribute.key.as_ref()), raw: slice(&attribute.value), at })
        }
        Err(error) => Err((start, error.to_string())),
    })
}

/// Reads one element with everything below it.
///
/// # Errors
/// [`Bad`], if it is not well-formed or passes a limit.
pub fn parse<'a>(raw: &'a str, scope: &Scope<'a>, limits: &TreeLimits) -> Result<Tree<'a>, Bad> {
    let mut builder = Builder {
        raw,
        tree: Tree::default(),
        bindings: scope.bindings.clone(),
        open: Vec::new(),
        run: None,
        limits,
        spoken: Vec::new(),
        done: false,
    };
    let mut reader = Reader::from_str(raw);
    reader.config_mut().allow_dangling_amp = true;
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|error| Bad {
            at: (reader.error_position() as usize).min(raw.len()),
            code: "xml.ill_formed",
            says: error.to_string(),
        })?;
        let end = reader.buffer_position() as usize;
        if builder.event(event, start, end)? {
            break;
        }
    }
    builder.finish()
}

struct Builder<'a, 'l> {
    raw: &'a str,
    tree: Tree<'a>,
    bindings: Vec<Binding<'a>>,
    /// Open elements, with the number of bindings before each.
    open: Vec<(u32, usize)>,
    /// The run of text being read: where it begins, its characters.
    run: Option<(usize, Cow<'a, str>)>,
    limits: &'l TreeLimits,
    /// Whether an element had a run of text already, by its number.
    spoken: Vec<bool>,
    done: bool,
}

impl<'a> Builder<'a, '_> {
    /// Takes one event in; true at the end.
    fn event(&mut self, event: Event<'_>, start: usize, end: usize) -> Result<bool, Bad> {
        match event {
            Event::Start(tag) => {
                self.end_run()?;
                let node = self.element(&tag, start, end)?;
                self.open.push(node);
                if self.open.len() > self.limits.depth {
                    return Err(self.limit(start, "limit.depth", "elements are nested too deeply"));
                }
            }
            Event::Empty(tag) => {
                self.end_run()?;
                let (_, bindings) = self.element(&tag, start, end)?;
                self.bindings.truncate(bindings);
                self.done |= self.open.is_empty();
            }
            Event::End(_) => {
                self.end_run()?;
                if let Some((node, bindings)) = self.open.pop() {
                    self.tree.nodes[node as usize].end = end as u32;
                    self.bindings.truncate(bindings);
                }
                self.done |= self.open.is_empty();
            }
            Event::Text(_) => self.text(start, Cow::Borrowed(&self.raw[start..end]))?,
            Event::CData(_) => {
                let inner = self.raw[start..end].strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>"));
                self.text(start, Cow::Borrowed(inner.unwrap_or("")))?;
            }
            Event::GeneralRef(_) => self.reference(start, end)?,
            Event::Comment(_) | Event::PI(_) | Event::Decl(_) | Event::DocType(_) => (),
            Event::Eof => return Ok(true),
        }
        Ok(false)
    }

    fn limit(&self, at: usize, code: &'static str, says: &str) -> Bad {
        Bad { at, code, says: says.to_owned() }
    }

    fn element(&mut self, tag: &BytesStart<'_>, start: usize, end: usize) -> Result<(u32, usize), Bad> {
        let before = self.bindings.len();
        let mut found = Vec::new();
        for attribute in attributes(tag, self.raw, start) {
            let attribute = attribute.map_err(|(at, says)| Bad { at, code: "xml.ill_formed", says })?;
            match binding(attribute.key, attribute.raw) {
                Some(binding) => self.bindings.push(binding),
                None => found.push(attribute),
            }
        }
        if found.len() > self.limits.attributes {
            return Err(self.limit(start, "limit.attributes", "an element has too many attributes"));
        }
        if self.bindings.len() > self.limits.namespaces {
            return Err(self.limit(start, "limit.namespaces", "too many namespaces are declared"));
        }
        let qname = self.raw.get(start + 1..start + 1 + tag.name().as_ref().len()).unwrap_or("");
        let parent = self.open.last().map_or(u32::MAX, |open| open.0);
        let mut raw = Tree::raw(NodeKind::Element, qname, start);
        raw.end = end as u32;
        (raw.ns, raw.uri) = self.resolve(qname, true, start);
        let node = self.tree.push(parent, raw);
        self.spoken.resize(self.tree.nodes.len(), false);
        for attribute in found {
            self.attribute(node, attribute)?;
        }
        Ok((node, before))
    }

    fn attribute(&mut self, element: u32, found: Found<'a>) -> Result<(), Bad> {
        if found.raw.len() > self.limits.attribute {
            return Err(self.limit(found.at, "limit.attribute", "an attribute value is too long"));
        }
        let mut raw = Tree::raw(NodeKind::Attribute, found.key, found.at);
        raw.end = (found.at + found.key.len()) as u32;
        (raw.ns, raw.uri) = self.resolve(found.key, false, found.at);
        raw.value = self.decode(found.raw, found.at);
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
        let done = match ns {
            Ns::Unknown => "kept as unknown markup".to_owned(),
            known => format!("read as {}", known.uri()),
        };
        self.repair("ns.undeclared", at, format!("prefix {prefix}"), done);
        (ns, "")
    }

    fn repair(&mut self, code: &'static str, at: usize, found: String, done: String) {
        self.tree.repairs.push(Repair { code, at: at as u32, found, done: Cow::Owned(done) });
    }

    /// Resolves the references in an attribute value.
    fn decode(&mut self, value: &'a str, at: usize) -> Cow<'a, str> {
        if !value.contains(['&', '\n', '\t', '\r']) {
            return Cow::Borrowed(value);
        }
        // white space in attribute values reads as blanks (XML 1.0 section 3.3.3)
        let flat = value.replace(['\n', '\t', '\r'], " ");
        if let Some(text) = escape::unescape(&flat) {
            return Cow::Owned(text.into_owned());
        }
        let (text, repairs) = escape::unescape_lenient(&flat);
        for repair in repairs {
            self.mended(&repair, at);
        }
        Cow::Owned(text.into_owned())
    }

    fn mended(&mut self, repair: &escape::Repair, at: usize) {
        let (code, found, done) = match repair.kind {
            escape::RepairKind::HtmlEntity => ("xml.entity", "an entity of HTML", "read as the character it means"),
            escape::RepairKind::BareAmpersand => ("xml.ampersand", "a bare &", "read as itself"),
            escape::RepairKind::BadCharRef => ("xml.charref", "a reference to no character", "left out"),
        };
        self.repair(code, at, found.to_owned(), done.to_owned());
    }

    fn text(&mut self, start: usize, more: Cow<'a, str>) -> Result<(), Bad> {
        if self.open.is_empty() {
            return match more.trim().is_empty() || self.done {
                true => Ok(()),
                false => Err(self.limit(start, "xml.ill_formed", "text outside of the element")),
            };
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

    fn reference(&mut self, start: usize, end: usize) -> Result<(), Bad> {
        let raw = &self.raw[start..end];
        if let Some(text) = escape::unescape(raw) {
            let text = Cow::Owned(text.into_owned());
            return self.text(start, text);
        }
        let (text, repairs) = escape::unescape_lenient(raw);
        let text = Cow::Owned(text.into_owned());
        for repair in repairs {
            self.mended(&repair, start);
        }
        self.text(start, text)
    }

    /// Ends a run of text: blank ones are formatting.
    fn end_run(&mut self) -> Result<(), Bad> {
        let Some((start, text)) = self.run.take() else { return Ok(()) };
        let Some(&(parent, _)) = self.open.last() else { return Ok(()) };
        if text.trim().is_empty() {
            return Ok(());
        }
        let first = !std::mem::replace(&mut self.spoken[parent as usize], true);
        // the first run is named by its element's start tag; later ones by themselves
        let at = if first { self.tree.nodes[parent as usize].at as usize } else { start };
        let mut raw = Tree::raw(NodeKind::Text, "", at);
        raw.value = text;
        self.tree.push(parent, raw);
        Ok(())
    }

    fn finish(self) -> Result<Tree<'a>, Bad> {
        if !self.open.is_empty() || self.tree.nodes.is_empty() {
            return Err(Bad { at: self.raw.len(), code: "xml.ill_formed", says: "an element is not closed".into() });
        }
        Ok(self.tree)
    }
}
