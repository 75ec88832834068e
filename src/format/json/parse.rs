//! JSON to a [`Tree`], with the place of every value: objects and lists become elements, scalars text.
//! Members of a list bear the list's name. Not the meaning of the members (read.rs).

use std::borrow::Cow;

use crate::tree::{NodeKind, Tree};

/// Why a piece of JSON could not be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Bad {
    /// Byte offset.
    pub at: usize,
    /// What is wrong.
    pub says: &'static str,
}

/// What a scalar is; it stands in the `uri` of its node, which JSON has no other use for.
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

/// Reads one JSON value. A scalar at the top becomes the only child of the root.
///
/// # Errors
/// [`Bad`] with the place, if it is not JSON or deeper than `depth`.
pub fn parse(raw: &str, depth: usize) -> Result<Tree<'_>, Bad> {
    let mut parser = Parser { raw, at: 0, tree: Tree::default(), open: Vec::new(), depth };
    parser.tree.json = true;
    parser.value("")?;
    while !parser.open.is_empty() {
        parser.step()?;
    }
    parser.blank();
    match parser.at == raw.len() {
        true => Ok(parser.tree),
        false => Err(parser.bad("text after the end of the value")),
    }
}

/// Reads an entry or a head, which are objects.
///
/// # Errors
/// As [`parse`], and for any other value.
pub fn parse_object(raw: &str, depth: usize) -> Result<Tree<'_>, Bad> {
    let tree = parse(raw, depth)?;
    match tree.nodes.first() {
        Some(root) if root.uri == OBJECT => Ok(tree),
        _ => Err(Bad { at: 0, says: "not an object" }),
    }
}

struct Parser<'a> {
    raw: &'a str,
    at: usize,
    tree: Tree<'a>,
    /// Open objects and lists: node, closing byte, name of the members of a list, whether a member came before.
    open: Vec<(u32, u8, &'a str, bool)>,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn bad(&self, says: &'static str) -> Bad {
        Bad { at: self.at, says }
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
    fn step(&mut self) -> Result<(), Bad> {
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
                return Err(self.bad("a comma or the end of the object or list is missing"));
            }
            self.at += 1;
            self.blank();
        }
        if let Some(last) = self.open.last_mut() {
            last.3 = true;
        }
        let name = match close {
            b'}' => self.key()?,
            _ => name,
        };
        self.value(name)
    }

    fn key(&mut self) -> Result<&'a str, Bad> {
        if self.peek() != Some(b'"') {
            return Err(self.bad("a member's name is missing"));
        }
        let start = self.at + 1;
        self.string()?;
        let key = &self.raw[start..self.at - 1];
        self.blank();
        if self.peek() != Some(b':') {
            return Err(self.bad("a colon is missing"));
        }
        self.at += 1;
        Ok(key)
    }

    fn value(&mut self, name: &'a str) -> Result<(), Bad> {
        self.blank();
        let start = self.at;
        match self.peek() {
            Some(open @ (b'{' | b'[')) => {
                if self.open.len() >= self.depth {
                    return Err(self.bad("objects and lists are nested too deeply"));
                }
                self.at += 1;
                let (close, kind) = if open == b'{' { (b'}', OBJECT) } else { (b']', LIST) };
                let node = self.node(NodeKind::Element, name, start, kind);
                self.open.push((node, close, name, false));
                Ok(())
            }
            Some(b'"') => {
                let value = self.string()?;
                self.scalar(name, start, STRING, value);
                Ok(())
            }
            Some(_) => {
                let rest = &self.raw[start..];
                let end = rest.find([',', '}', ']', ' ', '\t', '\n', '\r']).unwrap_or(rest.len());
                let word = &rest[..end];
                let kind = match word {
                    "true" | "false" => BOOLEAN,
                    "null" => NULL,
                    _ if serde_json::from_str::<serde_json::Number>(word).is_ok() => NUMBER,
                    _ => return Err(self.bad("neither a string, a number, true, false nor null")),
                };
                self.at += end;
                self.scalar(name, start, kind, Cow::Borrowed(word));
                Ok(())
            }
            None => Err(self.bad("a value is missing")),
        }
    }

    fn scalar(&mut self, name: &'a str, start: usize, kind: &'static str, value: Cow<'a, str>) {
        let node = self.node(NodeKind::Text, name, start, kind);
        self.tree.nodes[node as usize].value = value;
        self.tree.nodes[node as usize].end = self.at as u32;
    }

    fn node(&mut self, kind: NodeKind, name: &'a str, start: usize, uri: &'static str) -> u32 {
        let parent = self.open.last().map_or(u32::MAX, |open| open.0);
        let mut raw = Tree::raw(kind, "", start);
        (raw.qname, raw.name, raw.uri) = (name, name, uri);
        self.tree.push(parent, raw)
    }

    /// Reads a string from its opening quote to behind its closing one.
    fn string(&mut self) -> Result<Cow<'a, str>, Bad> {
        let start = self.at;
        let bytes = self.raw.as_bytes();
        let mut from = start + 1;
        let mut escaped = false;
        loop {
            match memchr::memchr2(b'"', b'\\', bytes.get(from..).unwrap_or(&[])) {
                None => return Err(self.bad("a string is not closed")),
                Some(step) if bytes[from + step] == b'"' => {
                    self.at = from + step + 1;
                    break;
                }
                Some(step) => {
                    escaped = true;
                    from += step + 2;
                }
            }
        }
        let literal = &self.raw[start..self.at];
        let inner = &literal[1..literal.len() - 1];
        if inner.bytes().any(|byte| byte < 0x20) {
            return Err(Bad { at: start, says: "a control character in a string" });
        }
        match escaped {
            false => Ok(Cow::Borrowed(inner)),
            true => serde_json::from_str::<String>(literal)
                .map(Cow::Owned)
                .map_err(|_| Bad { at: start, says: "a string with an escape that JSON does not know" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_values() {
        let tree = parse(r#"{"a": [1, "x\n"], "b": {"c": true}}"#, 10).unwrap();
        let seen: Vec<_> = tree.nodes.iter().map(|raw| (raw.name, raw.at, raw.value.to_string())).collect();
        let want = [("", 0, ""), ("a", 6, ""), ("a", 7, "1"), ("a", 10, "x\n"), ("b", 23, ""), ("c", 29, "true")];
        assert_eq!(seen, want.map(|(name, at, value)| (name, at, value.to_owned())));
    }

    #[test]
    fn what_is_no_json() {
        for bad in ["", "{", "[1 2]", "{\"a\" 1}", "\"a", "[01]", "nul", "{}x", "[[[[", "\"\\q\""] {
            assert!(parse(bad, 3).is_err(), "{bad}");
        }
    }
}
