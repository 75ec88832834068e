//! JSON to a [`Tree`], with the place of every value: objects and lists become elements, scalars text.
//! Members of a list bear the list's name. Not the meaning of the members (read.rs).

use std::borrow::Cow;

use crate::text::bytes;
use crate::tree::{NodeKind, RawNode, Tree, TreeRepair, tag};
use crate::xml::limits::{TOO_MANY, TreeLimits};
use crate::xml::names::Ns;

/// Why a piece of JSON could not be read.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonError {
    /// Byte offset.
    pub at: usize,
    /// `json.ill_formed`, or the limit that was passed.
    pub code: &'static str,
    /// The error message.
    pub says: &'static str,
}

/// The code of invalid JSON.
pub(crate) const ILL_FORMED: &str = "json.ill_formed";

/// The type of a scalar, kept in the `uri` of its node, which is otherwise unused in JSON.
pub const STRING: &str = "string";
/// A number.
pub const NUMBER: &str = "number";
/// `true` or `false`.
pub const BOOLEAN: &str = "boolean";
/// `null`.
pub const NULL: &str = "null";
/// An object.
pub const OBJECT: &str = "object";
/// A list.
pub const LIST: &str = "list";
/// A scalar of any type, for trees that are built to find which members are read; no document has it.
pub(crate) const ANY: &str = "any";
/// The text of an [`ANY`], readable as a string, a number and a date.
pub(crate) const ANY_TEXT: &str = "2000";

/// Reads one JSON value. A scalar at the top becomes the only child of the root.
///
/// # Errors
/// [`JsonError`] with the place, if it is not JSON, deeper than it may be, or of too many values.
pub fn parse<'a>(raw: &'a str, limits: &TreeLimits) -> Result<Tree<'a>, JsonError> {
    parse_into(Tree::default(), raw, limits)
}

/// The same into the memory of a tree that is empty.
///
/// # Errors
/// As [`parse`].
pub fn parse_into<'a>(spare: Tree<'a>, raw: &'a str, limits: &TreeLimits) -> Result<Tree<'a>, JsonError> {
    Parser { raw, at: 0, tree: spare, open: Vec::new(), limits: *limits }.all("")
}

/// The same for the value that begins at an offset of a text and ends with it, and bears this name.
///
/// # Errors
/// As [`parse`].
pub fn parse_from<'a>(raw: &'a str, at: usize, name: &'a str, limits: &TreeLimits) -> Result<Tree<'a>, JsonError> {
    Parser { raw, at, tree: Tree::default(), open: Vec::new(), limits: *limits }.all(name)
}

struct Parser<'a> {
    raw: &'a str,
    at: usize,
    tree: Tree<'a>,
    /// Open objects and lists: node, closing byte, name of the members of a list, whether a member came before.
    open: Vec<(u32, u8, &'a str, bool)>,
    limits: TreeLimits,
}

impl<'a> Parser<'a> {
    /// Reads a value and what it contains, up to the end.
    fn all(mut self, name: &'a str) -> Result<Tree<'a>, JsonError> {
        self.tree.json = true;
        self.value(name)?;
        while !self.open.is_empty() {
            self.step()?;
        }
        self.blank();
        match self.at == self.raw.len() {
            true => Ok(self.tree),
            false => Err(self.error("text after the end of the value")),
        }
    }

    fn error(&self, says: &'static str) -> JsonError {
        JsonError { at: self.at, code: ILL_FORMED, says }
    }

    fn blank(&mut self) {
        let bytes = self.raw.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.raw.as_bytes().get(self.at).copied()
    }

    /// Reads the next member of the innermost object or list, or its end.
    fn step(&mut self) -> Result<(), JsonError> {
        let Some(&(node, close, name, before)) = self.open.last() else { return Ok(()) };
        self.blank();
        if self.peek() == Some(close) {
            self.at += 1;
            self.tree.nodes[node as usize].end = self.at as u32;
            self.open.pop();
            return Ok(());
        }
        if before {
            if self.peek() != Some(b',') {
                return Err(self.error("a comma or the end of the object or list is missing"));
            }
            self.at += 1;
            self.blank();
        }
        if let Some(last) = self.open.last_mut() {
            last.3 = true;
        }
        if self.tree.nodes.len() > self.limits.nodes {
            return Err(JsonError { at: self.at, code: "limit.entry", says: TOO_MANY });
        }
        let name = match close {
            b'}' => self.key()?,
            _ => name,
        };
        self.value(name)
    }

    fn key(&mut self) -> Result<&'a str, JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.error("a member's name is missing"));
        }
        let start = self.at + 1;
        self.string()?;
        let key = &self.raw[start..self.at - 1];
        self.blank();
        if self.peek() != Some(b':') {
            return Err(self.error("a colon is missing"));
        }
        self.at += 1;
        Ok(key)
    }

    fn value(&mut self, name: &'a str) -> Result<(), JsonError> {
        self.blank();
        let start = self.at;
        match self.peek() {
            Some(open @ (b'{' | b'[')) => {
                if self.open.len() >= self.limits.depth {
                    let says = "objects and lists are nested too deeply";
                    return Err(JsonError { at: self.at, code: "limit.depth", says });
                }
                self.at += 1;
                let (close, kind) = if open == b'{' { (b'}', OBJECT) } else { (b']', LIST) };
                let node = self.push(NodeKind::Element, name, start, kind, Cow::Borrowed(""));
                self.open.push((node, close, name, false));
                Ok(())
            }
            Some(b'"') => {
                let value = self.string()?;
                self.push(NodeKind::Text, name, start, STRING, value);
                Ok(())
            }
            Some(_) => {
                let rest = &self.raw[start..];
                let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r');
                let end = rest.as_bytes().iter().position(ends).unwrap_or(rest.len());
                let word = &rest[..end];
                let kind = match word {
                    "true" | "false" => BOOLEAN,
                    "null" => NULL,
                    _ if is_number(word) => NUMBER,
                    _ => return Err(self.error("neither a string, a number, true, false nor null")),
                };
                self.at += end;
                self.push(NodeKind::Text, name, start, kind, Cow::Borrowed(word));
                Ok(())
            }
            None => Err(self.error("a value is missing")),
        }
    }

    fn push(&mut self, kind: NodeKind, name: &'a str, start: usize, uri: &'static str, value: Cow<'a, str>) -> u32 {
        let parent = self.open.last().map_or(u32::MAX, |open| open.0);
        let raw = Tree::raw_as(kind, Ns::None, (name, name, uri, tag(name)), start);
        self.tree.push(parent, RawNode { value, end: self.at as u32, ..raw })
    }

    /// Reads a string from its opening quote to behind its closing one.
    fn string(&mut self) -> Result<Cow<'a, str>, JsonError> {
        let start = self.at;
        let raw = self.raw.as_bytes();
        let mut from = start + 1;
        let mut escaped = false;
        loop {
            match memchr::memchr2(b'"', b'\\', raw.get(from..).unwrap_or(&[])) {
                None => return Err(self.error("a string is not closed")),
                Some(step) if raw[from + step] == b'"' => {
                    self.at = from + step + 1;
                    break;
                }
                Some(step) => {
                    escaped = true;
                    from += step + 2;
                }
            }
        }
        let inner = &self.raw[start + 1..self.at - 1];
        if bytes::has(inner.as_bytes(), |byte| byte < 0x20) {
            return Err(JsonError { at: start, code: ILL_FORMED, says: "a control character in a string" });
        }
        if !escaped {
            return Ok(Cow::Borrowed(inner));
        }
        let Some((text, half)) = unescape(inner) else {
            return Err(JsonError {
                at: start,
                code: ILL_FORMED,
                says: "a string with an escape that JSON does not know",
            });
        };
        if let Some(at) = half {
            self.tree.repairs.push(TreeRepair {
                code: "json.surrogate",
                at: (start + 1 + at) as u32,
                found: inner[at..at + 6].to_owned(),
                done: Cow::Borrowed("read as U+FFFD"),
            });
        }
        Ok(Cow::Owned(text))
    }
}

/// Whether a word is a number by the grammar (RFC 8259 section 6), of whatever size.
pub fn is_number(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let word = word.strip_prefix('-').unwrap_or(word);
    let (word, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let (whole, fraction) = word.split_once('.').unwrap_or((word, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    digits(whole) && (whole == "0" || !whole.starts_with('0')) && digits(fraction) && digits(exponent)
}

/// The characters of a string with escapes, and the place of the first lone surrogate: the grammar allows them, but
/// they mean nothing (RFC 8259 section 8.2). `None` for an invalid escape.
pub(super) fn unescape(inner: &str) -> Option<(String, Option<usize>)> {
    let mut text = String::with_capacity(inner.len());
    let (mut at, mut half) = (0, None);
    while let Some(step) = memchr::memchr(b'\\', &inner.as_bytes()[at..]) {
        text.push_str(&inner[at..at + step]);
        at += step;
        let plain = match inner.as_bytes().get(at + 1)? {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = unit(inner, at)?;
                let second = unit(inner, at + 6).filter(|_| (0xd800..0xdc00).contains(&first));
                let both = char::decode_utf16([Some(first), second].into_iter().flatten()).next();
                let (character, length) = match (both, char::from_u32(u32::from(first))) {
                    (_, Some(character)) => (character, 6),
                    (Some(Ok(character)), None) => (character, 12),
                    (_, None) => {
                        half = half.or(Some(at));
                        (char::REPLACEMENT_CHARACTER, 6)
                    }
                };
                text.push(character);
                at += length;
                continue;
            }
            _ => return None,
        };
        text.push(plain);
        at += 2;
    }
    text.push_str(&inner[at..]);
    Some((text, half))
}

/// The number of the escape `\uXXXX` that begins here.
fn unit(inner: &str, at: usize) -> Option<u16> {
    let digits = inner.get(at..at + 6)?.strip_prefix("\\u")?;
    let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u16::from_str_radix(digits, 16).ok().filter(|_| hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deep(depth: usize) -> TreeLimits {
        TreeLimits { depth, ..TreeLimits::default() }
    }

    #[test]
    fn places_and_values() {
        let tree = parse(r#"{"a": [1, "x\n"], "b": {"c": true}}"#, &deep(10)).unwrap();
        let seen: Vec<_> = tree.nodes.iter().map(|raw| (raw.name, raw.at, raw.value.to_string())).collect();
        let want = [("", 0, ""), ("a", 6, ""), ("a", 7, "1"), ("a", 10, "x\n"), ("b", 23, ""), ("c", 29, "true")];
        assert_eq!(seen, want.map(|(name, at, value)| (name, at, value.to_owned())));
    }

    #[test]
    fn what_is_no_json() {
        for bad in ["", "{", "[1 2]", "{\"a\" 1}", "\"a", "[01]", "nul", "{}x", "[[[[", "\"\\q\""] {
            assert!(parse(bad, &deep(3)).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_odd_but_json() {
        for good in ["1e400", "-0", "0.10", "1E+2", "123456789012345678901234567890"] {
            assert_eq!(parse(good, &deep(1)).unwrap().nodes[0].value, good);
        }
        for bad in ["-", "1.", ".5", "+1", "1e", "0x1", "NaN"] {
            assert!(parse(bad, &deep(1)).is_err(), "{bad}");
        }
        let told = |text: &str| {
            let tree = parse(text, &deep(1)).unwrap();
            (tree.nodes[0].value.to_string(), tree.repairs.iter().map(|repair| repair.at).collect::<Vec<_>>())
        };
        assert_eq!(told(r#""\ud83d\ude00\u00e9\/""#), ("\u{1f600}é/".to_owned(), vec![]));
        assert_eq!(told(r#""a\ud800b\udc00""#), ("a\u{fffd}b\u{fffd}".to_owned(), vec![2]));
        assert_eq!(told(r#""\ud800\ud83d\ude00""#), ("\u{fffd}\u{1f600}".to_owned(), vec![1]));
        assert!(parse(r#""\u+12f""#, &deep(1)).is_err() && parse(r#""\u12""#, &deep(1)).is_err());
    }
}
