//! The lenient parser from markup to a [`Tree`], for markup that is not well-formed: a separate scanner that accepts
//! every byte and reports each deviation from XML. On well-formed markup it builds the same tree as the strict parser.
//! Of formats it only uses the usual names (`spelling.rs`).
//!
//! - A `<` that does not begin a tag is text; in an attribute value it is kept.
//! - An end tag closes the innermost open element of its name, in any case, and open inner elements. One that
//!   closes nothing is removed, unless the innermost element has no end tag ahead: then it closes that element.
//! - An element without an end tag ends before the first element that cannot be in it, and that one follows it. One that
//!   never holds its own kind ends before the next of these.
//! - Linear: every byte is read a fixed number of times, except for the open elements, whose number is
//!   limited.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use memchr::memmem;

use super::builder::{TreeBuilder, line_ends};
use super::limits::{ILL_FORMED, TreeError, TreeLimits};
use super::names::Ns;
use super::scan::{ends_name, has_forbidden, is_name, is_space, name_len, starts_name, tag_end};
use super::scope::{RawAttribute, Scope};
use super::spelling::{self, NameSpelling, OwnChildren};
use crate::tree::{Node, NodeKind, Tree};

const CDATA_START: &[u8] = b"<![CDATA[";

/// Elements of HTML that have no end tag.
const VOID: &[&str] = &["br", "hr", "img", "wbr", "input", "area", "col", "meta"];

/// Reads one element and its content, however malformed.
///
/// # Errors
/// [`TreeError`], if a limit is exceeded or there is no element at all.
pub(super) fn parse<'a>(raw: &'a str, scope: &Scope<'a>, limits: &TreeLimits) -> Result<Tree<'a>, TreeError> {
    let mut reading = LenientParser {
        raw,
        at: 0,
        builder: TreeBuilder::new(raw, scope, limits),
        names: Vec::new(),
        last_ends: last_ends(raw),
        lacking: HashMap::new(),
        seen: HashSet::new(),
        section: None,
        less: NextOccurrence::new(b"<"),
        quotes: [NextOccurrence::new(b"\""), NextOccurrence::new(b"'")],
        closings: [
            NextOccurrence::new(b"-->"),
            NextOccurrence::new(b"]]>"),
            NextOccurrence::new(b"?>"),
            NextOccurrence::new(b">"),
        ],
    };
    while reading.at < raw.len() {
        reading.step()?;
    }
    reading.finish()
}

/// The places of the last end tags, by name.
fn last_ends(raw: &str) -> HashMap<&str, usize> {
    let ends = memmem::find_iter(raw.as_bytes(), b"</");
    ends.map(|at| (&raw[at + 2..at + 2 + name_len(&raw.as_bytes()[at + 2..])], at)).collect()
}

/// The next place of a string, remembered: asked for with places that only grow, it reads everything once.
struct NextOccurrence {
    what: &'static [u8],
    /// Asked from here last, and found there.
    known: Option<(usize, Option<usize>)>,
}

impl NextOccurrence {
    fn new(what: &'static [u8]) -> NextOccurrence {
        NextOccurrence { what, known: None }
    }

    fn find(&mut self, raw: &str, from: usize) -> Option<usize> {
        if let Some((asked, found)) = self.known
            && asked <= from
            && found.is_none_or(|found| from <= found)
        {
            return found;
        }
        let rest = raw.as_bytes().get(from..)?;
        let found = memmem::find(rest, self.what).map(|at| from + at);
        self.known = Some((from, found));
        found
    }
}

struct LenientParser<'a, 'l> {
    raw: &'a str,
    at: usize,
    builder: TreeBuilder<'a, 'l>,
    /// The names of the open elements.
    names: Vec<&'a str>,
    last_ends: HashMap<&'a str, usize>,
    /// Whether elements of these names lack end tags.
    lacking: HashMap<&'a str, bool>,
    /// The attribute names of a tag with many.
    seen: HashSet<&'a str>,
    /// What was found out about the end of a CDATA section, which several may run up to.
    section: Option<CdataEnd>,
    less: NextOccurrence,
    quotes: [NextOccurrence; 2],
    /// Ends of comments, of CDATA, of instructions, of tags.
    closings: [NextOccurrence; 4],
}

/// An end of CDATA: the last start before it, the first `<` after it.
struct CdataEnd {
    end: usize,
    last: Option<usize>,
    next: Option<usize>,
}

const COMMENT: usize = 0;
const CDATA: usize = 1;
const INSTRUCTION: usize = 2;
const TAG: usize = 3;

/// How the text of a start tag ends.
enum TagEnd {
    /// With `>`; true for `/>`.
    Closed(bool),
    /// Before a `<` or at the end of the entry.
    Open,
}

impl<'a> LenientParser<'a, '_> {
    fn bytes(&self) -> &'a [u8] {
        self.raw.as_bytes()
    }

    /// Takes text up to the next `<`, or what begins with one.
    fn step(&mut self) -> Result<(), TreeError> {
        let start = self.at;
        let end = self.less.find(self.raw, start).unwrap_or(self.raw.len());
        if start < end {
            self.at = end;
            return self.text(start, end);
        }
        let rest = &self.bytes()[start..];
        match rest.get(1) {
            Some(b'!') if rest.starts_with(b"<!--") => {
                self.passage(4, COMMENT, 3);
                Ok(())
            }
            Some(b'!')
                if rest.get(..CDATA_START.len()).is_some_and(|start| start.eq_ignore_ascii_case(CDATA_START)) =>
            {
                if !rest.starts_with(CDATA_START) {
                    let found = &self.raw[start..start + CDATA_START.len()];
                    self.builder.repair("xml.markup", start, found, || "read as the start of CDATA".to_owned());
                }
                self.cdata()
            }
            Some(b'!') => self.declaration(),
            Some(b'?') => {
                self.passage(2, INSTRUCTION, 2);
                Ok(())
            }
            Some(b'/') if rest.get(2).is_some_and(|&byte| starts_name(byte)) => self.end_tag(),
            Some(&byte) if starts_name(byte) => self.start_tag(),
            _ => self.literal(),
        }
    }

    fn text(&mut self, start: usize, end: usize) -> Result<(), TreeError> {
        let text = &self.raw[start..end];
        for at in memmem::find_iter(text.as_bytes(), b"]]>") {
            self.builder
                .repair("xml.markup", start + at, "]]>", || "the end of CDATA without a start, kept as text".into());
        }
        let text = self.builder.decode(text, start, false);
        self.builder.text(start, text)
    }

    /// A `<` that begins nothing.
    fn literal(&mut self) -> Result<(), TreeError> {
        let start = self.at;
        self.at += 1;
        let found: String = self.raw[start..].chars().take(20).take_while(|c| *c != '\n').collect();
        self.builder.repair("xml.markup", start, &found, || "a < that does not begin a tag, read as text".to_owned());
        self.builder.text(start, Cow::Borrowed(&self.raw[start..=start]))
    }

    /// Skips a comment or an instruction.
    fn passage(&mut self, opening: usize, closing: usize, length: usize) {
        let start = self.at;
        if let Some(end) = self.closings[closing].find(self.raw, start + opening) {
            self.at = end + length;
            return self.builder.aside(start, self.at);
        }
        // no end: what follows the next tag is not given up for it
        self.at = self.less.find(self.raw, start + 1).unwrap_or(self.raw.len());
        let found = &self.raw[start..self.at];
        self.builder.repair("xml.unterminated", start, found, || "without an end, removed up to the next tag".into());
    }

    /// A declaration, which has no place here.
    fn declaration(&mut self) -> Result<(), TreeError> {
        let start = self.at;
        match self.closings[TAG].find(self.raw, start) {
            Some(end) => {
                self.at = end + 1;
                self.builder.declaration(start, self.at);
                Ok(())
            }
            None => self.literal(),
        }
    }

    fn cdata(&mut self) -> Result<(), TreeError> {
        let (start, from) = (self.at, self.at + CDATA_START.len());
        let closing = self.closings[CDATA].find(self.raw, from);
        let inner_end = match closing.filter(|&end| !self.is_past_element(from, end)) {
            Some(end) => {
                self.at = end + 3;
                end
            }
            None => {
                let end = self.own_end(from, closing).or(closing).unwrap_or(self.raw.len());
                self.at = end;
                self.builder.repair("xml.unterminated", start, "<![CDATA[", || {
                    "without an end, ended with its element".to_owned()
                });
                end
            }
        };
        let text = line_ends(&self.raw[from..inner_end]);
        let text = match has_forbidden(&text) {
            true => Cow::Owned(self.without_forbidden(&text, from)),
            false => text,
        };
        self.builder.text(start, text)
    }

    /// Whether a CDATA section runs over the end of its element into another one: another section begins in it after
    /// an end tag of the element, and what follows its end is the end tag of another.
    fn is_past_element(&mut self, from: usize, end: usize) -> bool {
        let section = match self.section.take().filter(|section| section.end == end) {
            Some(section) => section,
            None => CdataEnd {
                end,
                last: memmem::rfind(&self.bytes()[from..end], b"<![CDATA[").map(|at| from + at),
                next: self.raw[end + 3..].find('<').map(|at| end + 3 + at),
            },
        };
        let (last, next) = (section.last, section.next);
        self.section = Some(section);
        let own_end = last.filter(|&last| last >= from).and_then(|last| self.own_end(from, Some(last)));
        let ends = |next: usize| self.bytes()[next..].starts_with(b"</") && !self.is_own_end(next);
        own_end.is_some() && next.is_none_or(ends)
    }

    /// The place of the end tag of the innermost element.
    fn own_end(&self, from: usize, to: Option<usize>) -> Option<usize> {
        let inner = &self.bytes()[from..to.unwrap_or(self.raw.len())];
        memmem::find_iter(inner, b"</").map(|at| from + at).find(|&at| self.is_own_end(at))
    }

    fn is_own_end(&self, at: usize) -> bool {
        let Some(top) = self.names.last() else { return false };
        let rest = &self.bytes()[at..];
        rest.starts_with(b"</")
            && rest[2..].get(..top.len()).is_some_and(|name| name.eq_ignore_ascii_case(top.as_bytes()))
            && rest.get(2 + top.len()).is_none_or(|&byte| ends_name(byte))
    }

    fn without_forbidden(&mut self, text: &str, at: usize) -> String {
        let mut first = None;
        let kept = text.chars().filter(|&c| {
            let forbidden = matches!(c, '\u{FFFE}' | '\u{FFFF}') || (c < ' ' && !matches!(c, '\t' | '\n' | '\r'));
            if forbidden {
                first.get_or_insert(c);
            }
            !forbidden
        });
        let kept = kept.collect();
        let found = first.map_or_else(String::new, |c| format!("U+{:04X}", u32::from(c)));
        self.builder.repair("xml.control", at, &found, || "removed".to_owned());
        kept
    }

    // ---- start tags ----

    fn start_tag(&mut self) -> Result<(), TreeError> {
        let start = self.at;
        let name = self.name_at(start + 1);
        let before = self.builder.tree.repairs.len();
        let end = match is_name(name) {
            true => self.tag_body(name, start + 1 + name.len())?,
            false => None,
        };
        let Some((length, end, had_value)) = end else { return self.read_as_text(before) };
        let empty = match end {
            TagEnd::Closed(empty) => empty,
            TagEnd::Open
                if had_value
                    || (self.raw[start + 1 + name.len()..length].trim().is_empty() && self.builder.is_known(name)) =>
            {
                let found = &self.raw[start..length];
                self.builder.repair("xml.unterminated", start, found, || "a tag without >, read as a tag".to_owned());
                false
            }
            TagEnd::Open => return self.read_as_text(before),
        };
        self.at = length;
        let endless = !empty && !self.ends_behind(name, length);
        if self.names.len() > 1 && self.names.last() == Some(&name) && (endless || self.lacks_ends(name)) {
            self.close_unclosed(start)?;
        }
        if self.builder.is_done() && self.names.is_empty() {
            self.builder.repair("xml.after_root", start, &self.raw[start..length], || "a second document".into());
        }
        self.builder.open(name, start, length)?;
        self.names.push(name);
        if empty {
            self.names.pop();
            return self.builder.close(length);
        }
        match endless && VOID.iter().any(|void| void.eq_ignore_ascii_case(name)) && !self.builder.is_known(name) {
            true => self.close_unclosed(length),
            false => Ok(()),
        }
    }

    /// Whether there is an end tag of this name behind a place.
    fn ends_behind(&self, name: &str, at: usize) -> bool {
        self.last_ends.get(name).is_some_and(|&last| last >= at)
    }

    /// Whether end tags of this name are missing: there are fewer than start tags. Only containers that never contain another
    /// of their name are counted.
    fn lacks_ends(&mut self, name: &'a str) -> bool {
        if !self.builder.never_nests(name) {
            return false;
        }
        let raw = self.raw;
        *self.lacking.entry(name).or_insert_with(|| {
            let (mut starts, mut ends) = (0, 0);
            for at in memmem::find_iter(raw.as_bytes(), name) {
                let (before, rest) = (&raw[..at], &raw[at..]);
                if rest.as_bytes().get(name.len()).is_some_and(|&byte| !ends_name(byte)) {
                    continue;
                }
                if before.ends_with('<') {
                    // no further than the next tag
                    let tag = &rest[..memchr::memchr(b'<', rest.as_bytes()).unwrap_or(rest.len())];
                    starts += usize::from(!tag_end(tag).is_some_and(|end| tag[..end].ends_with("/>")));
                } else {
                    ends += usize::from(before.ends_with("</"));
                }
            }
            ends < starts
        })
    }

    fn read_as_text(&mut self, repairs: usize) -> Result<(), TreeError> {
        self.builder.tree.repairs.truncate(repairs);
        self.builder.forget();
        self.literal()
    }

    fn name_at(&self, at: usize) -> &'a str {
        &self.raw[at..at + name_len(&self.bytes()[at..])]
    }

    /// Reads the attributes of a tag, to its end; whether any had a value. `None` if it cannot be a tag.
    fn tag_body(&mut self, name: &str, from: usize) -> Result<Option<(usize, TagEnd, bool)>, TreeError> {
        let (mut at, mut count, mut had_value) = (from, 0, false);
        self.seen.clear();
        loop {
            let word = at;
            at += self.bytes()[at..].iter().take_while(|&&byte| is_space(byte)).count();
            let rest = &self.bytes()[at..];
            match rest.first() {
                None | Some(b'<') => return Ok(Some((at, TagEnd::Open, had_value))),
                Some(b'>') => return Ok(Some((at + 1, TagEnd::Closed(false), had_value))),
                Some(b'/') if rest.get(1) == Some(&b'>') => return Ok(Some((at + 2, TagEnd::Closed(true), had_value))),
                Some(b'/') if had_value && rest.get(1) == Some(&b'<') && !self.ends_behind(name, at) => {
                    self.attribute_note(at, "/", "a tag without >, read as />");
                    return Ok(Some((at + 1, TagEnd::Closed(true), had_value)));
                }
                Some(b'/' | b'=' | b'"' | b'\'') => {
                    self.attribute_note(at, &self.raw[at..=at], "a stray character in a tag, removed");
                    at += 1;
                }
                Some(_) => {
                    if word == at && count > 0 {
                        self.attribute_note(at, self.name_at(at), "no space before an attribute");
                    }
                    count += 1;
                    let (next, valued) = self.attribute(at)?;
                    had_value |= valued;
                    at = next;
                }
            }
        }
    }

    fn attribute_note(&mut self, at: usize, found: &str, done: &str) {
        self.builder.repair("xml.attribute", at, found, || done.to_owned());
    }

    /// Reads one attribute; where it ends and whether it has a value.
    fn attribute(&mut self, at: usize) -> Result<(usize, bool), TreeError> {
        let key = self.name_at(at);
        let mut end = at + key.len();
        let blank = self.bytes()[end..].iter().take_while(|&&byte| is_space(byte)).count();
        let (value, valued) = match self.bytes().get(end + blank) {
            Some(b'=') => {
                end += blank + 1;
                end += self.bytes()[end..].iter().take_while(|&&byte| is_space(byte)).count();
                let value = self.value(key, at, end);
                end = value.1;
                (value.0, true)
            }
            _ => {
                self.attribute_note(at, key, "an attribute without a value, read as empty");
                ((end, end), false)
            }
        };
        let found = RawAttribute { key, raw: &self.raw[value.0..value.1], at, value_at: value.0 };
        if !is_name(key) {
            self.attribute_note(at, &self.raw[at..end], "not an attribute, removed");
        } else if !self.is_new(key) {
            self.attribute_note(at, &self.raw[at..end], "repeated in one tag, used the first");
        } else {
            self.builder.found(found)?;
        }
        Ok((end, valued))
    }

    fn is_new(&mut self, key: &'a str) -> bool {
        self.seen.insert(key)
    }

    /// The range of the value that begins at `from`, and the end of the attribute.
    fn value(&mut self, key: &str, at: usize, from: usize) -> ((usize, usize), usize) {
        let quote = match self.bytes().get(from) {
            Some(b'"') => 0,
            Some(b'\'') => 1,
            _ => return self.unquoted(key, at, from),
        };
        let start = from + 1;
        let closing = self.quotes[quote].find(self.raw, start);
        let less = self.less.find(self.raw, start).unwrap_or(self.raw.len());
        match closing.filter(|&end| self.is_closing(start, end, less)) {
            Some(end) => {
                if less < end {
                    self.builder.repair("xml.markup", less, "<", || "a < in an attribute value, kept".to_owned());
                }
                ((start, end), end + 1)
            }
            None => {
                let end = self.word_end(start, closing.is_some());
                self.attribute_note(at, &self.raw[at..end], "a value without a closing quote");
                ((start, end), end)
            }
        }
    }

    /// Whether the quote at `end` is the one that closes the value which begins at `start`.
    fn is_closing(&self, start: usize, end: usize, less: usize) -> bool {
        let delimits = |&byte: &u8| is_space(byte) || matches!(byte, b'/' | b'>' | b'?' | b'<');
        if self.bytes().get(end + 1).is_none_or(delimits) {
            return true;
        }
        // the quote of another attribute's value, or one in a text further on
        let before = self.bytes()[start..end].iter().rev().find(|&&byte| !is_space(byte));
        less > end && before != Some(&b'=')
    }

    /// Where a value ends that no quote ends: before the tag's end, or, if words follow, after its first word.
    fn word_end(&self, start: usize, first_word: bool) -> usize {
        let ends = |&byte: &u8| matches!(byte, b'>' | b'<') || (first_word && is_space(byte));
        let end = start + self.bytes()[start..].iter().position(ends).unwrap_or(self.raw.len() - start);
        let slash = self.bytes().get(end) == Some(&b'>') && end > start && self.bytes()[end - 1] == b'/';
        if slash { end - 1 } else { end }
    }

    fn unquoted(&mut self, key: &str, at: usize, from: usize) -> ((usize, usize), usize) {
        let end = self.word_end(from, true);
        let done =
            if key.is_empty() || end == from { "a value is missing, read as empty" } else { "a value without quotes" };
        self.attribute_note(at, &self.raw[at..end], done);
        ((from, end), end)
    }

    // ---- end tags ----

    fn end_tag(&mut self) -> Result<(), TreeError> {
        let start = self.at;
        let name = self.name_at(start + 2);
        let after = start + 2 + name.len();
        let less = self.less.find(self.raw, after).unwrap_or(self.raw.len());
        let close = self.closings[TAG].find(self.raw, after).filter(|&end| end < less);
        self.at = close.map_or(less, |end| end + 1);
        let (inner, found) = (&self.raw[after..close.unwrap_or(less)], &self.raw[start..self.at]);
        if close.is_none() || !inner.trim().is_empty() {
            self.builder.repair("xml.nesting", start, found, || format!("read as </{name}>"));
        }
        let Some(open) = self.names.iter().rposition(|open| open.eq_ignore_ascii_case(name)) else {
            return self.stray_end(name, start);
        };
        while self.names.len() > open + 1 {
            self.close_unclosed(start)?;
        }
        if self.names.last() != Some(&name) {
            let done = self.names.last().map_or_else(String::new, |open| format!("read as </{open}>"));
            self.builder.repair("xml.nesting", start, found, || done);
        }
        self.names.pop();
        self.builder.close(self.at)
    }

    /// An end tag of no open element.
    fn stray_end(&mut self, name: &str, start: usize) -> Result<(), TreeError> {
        let found = &self.raw[start..self.at];
        let Some(&top) = self.names.last().filter(|_| self.names.len() > 1) else {
            self.builder.repair("xml.nesting", start, found, || "an end tag without a start, removed".to_owned());
            return Ok(());
        };
        let own_follows = self.last_ends.get(top).is_some_and(|&last| last > start);
        if own_follows || VOID.contains(&name) || name == "p" {
            self.builder.repair("xml.nesting", start, found, || "an end tag without a start, removed".to_owned());
            return Ok(());
        }
        self.builder.repair("xml.nesting", start, found, || format!("read as </{top}>"));
        self.names.pop();
        self.builder.close(self.at)
    }

    /// Closes the innermost element, whose end tag is missing.
    fn close_unclosed(&mut self, at: usize) -> Result<(), TreeError> {
        let Some(name) = self.names.pop() else { return Ok(()) };
        let node = self.builder.top();
        self.builder.close(at)?;
        let Some(node) = node else { return Ok(()) };
        let opened = self.builder.tree.nodes[node as usize].at as usize;
        self.builder.repair("xml.unclosed", opened, &format!("<{name}>"), || "a missing end tag, closed".to_owned());
        if let Some(child) = self.first_behind(node) {
            self.builder.tree.hoist(node, child);
        }
        Ok(())
    }

    /// The first child of an element without an end tag that follows it rather than belongs to it.
    fn first_behind(&self, node: u32) -> Option<u32> {
        let element = self.builder.tree.node(node);
        let mut children = element.children();
        if !self.holds_elements(node) {
            return children.next().map(|child| child.index);
        }
        let own = spelling::own_children(element.ns(), element.name());
        let is_listed = |ns: Ns, child: Node<'_, '_>| spelling::element(ns, child.name()) != NameSpelling::None;
        let of_module = |child: Node<'_, '_>| spelling::is_core(child.ns()) && is_listed(element.ns(), child);
        // the children of a module are without its prefix if the first one is
        let is_bare = element.children().next().is_some_and(of_module);
        let is_own_bare = |child: Node<'_, '_>| is_bare && of_module(child);
        let mut seen = HashSet::new();
        let mut follows = |child: Node<'_, 'a>| match own {
            OwnChildren::Named(_, once) if once.contains(&child.name()) => !seen.insert(child.name()),
            OwnChildren::Named(names, _) => !names.contains(&child.name()),
            OwnChildren::Open => spelling::is_core(child.ns()) && !is_own_bare(child),
            OwnChildren::Closed => child.ns() != element.ns() && !is_own_bare(child),
            OwnChildren::Any => false,
        };
        children.find(|&child| is_listed(child.ns(), child) && follows(child)).map(|child| child.index)
    }

    /// Whether an element is there to hold others: it is known for that, or unknown and does not begin with a text.
    fn holds_elements(&self, node: u32) -> bool {
        let node = self.builder.tree.node(node);
        let first = node.nodes().find(|below| below.kind() != NodeKind::Attribute);
        let begins_with_text = first.is_some_and(|first| first.kind() == NodeKind::Text);
        let known = !matches!(spelling::element(node.ns(), node.name()), NameSpelling::None);
        !begins_with_text && (!known || spelling::is_container(node.ns(), node.name()))
    }

    fn finish(mut self) -> Result<Tree<'a>, TreeError> {
        while !self.names.is_empty() {
            self.close_unclosed(self.raw.len())?;
        }
        let empty = self.builder.tree.nodes.is_empty();
        match empty {
            true => Err(TreeError { at: 0, code: ILL_FORMED, says: "there is no element".to_owned() }),
            false => self.builder.finish(),
        }
    }
}

#[cfg(test)]
mod tests;
