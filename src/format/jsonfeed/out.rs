//! JSON as it is written: members in the order in which they are added. Not the parser (json/).

use std::borrow::Cow;

use crate::json::is_below;
use crate::json::names::unescaped;
use crate::json::parse::{BOOLEAN, LIST, NULL, NUMBER};
use crate::model::Foreign;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// Members with their names.
    Object(Vec<(String, Json)>),
    /// Values.
    List(Vec<Json>),
    /// A string.
    Text(String),
    /// A number, `true`, `false` or `null`.
    Word(String),
}

impl Json {
    /// An object without members.
    pub fn object() -> Json {
        Json::Object(Vec::new())
    }

    /// Adds a member.
    pub fn add(&mut self, name: &str, value: Json) {
        if let Json::Object(members) = self {
            members.push((name.to_owned(), value));
        }
    }

    /// Whether it has a member with this name.
    pub fn has(&self, name: &str) -> bool {
        matches!(self, Json::Object(members) if members.iter().any(|(known, _)| known == name))
    }

    /// The text of a member.
    pub fn text(&self, name: &str) -> Option<&str> {
        let Json::Object(members) = self else { return None };
        members.iter().find_map(|(known, value)| match value {
            Json::Text(text) if known == name => Some(text.as_str()),
            _ => None,
        })
    }

    /// Whether it is an object or list without content.
    pub fn is_empty(&self) -> bool {
        match self {
            Json::Object(members) => members.is_empty(),
            Json::List(values) => values.is_empty(),
            Json::Text(_) | Json::Word(_) => false,
        }
    }

    /// Appends it as text; `indent` is its depth, if lines are wanted.
    pub fn write(&self, indent: Option<usize>, buf: &mut Vec<u8>) {
        match self {
            Json::Text(text) => write_string(text, buf),
            Json::Word(word) => buf.extend_from_slice(word.as_bytes()),
            Json::Object(members) => {
                let items = members.iter().map(|(name, value)| (Some(name.as_str()), value));
                write_items(b"{}", items, indent, buf);
            }
            Json::List(values) => write_items(b"[]", values.iter().map(|value| (None, value)), indent, buf),
        }
    }
}

fn write_items<'j>(
    brackets: &[u8; 2],
    items: impl ExactSizeIterator<Item = (Option<&'j str>, &'j Json)>,
    indent: Option<usize>,
    buf: &mut Vec<u8>,
) {
    let is_empty = items.len() == 0;
    buf.push(brackets[0]);
    for (number, (name, value)) in items.enumerate() {
        if number > 0 {
            buf.push(b',');
        }
        new_line(indent.map(|depth| depth + 1), buf);
        if let Some(name) = name {
            write_string(name, buf);
            buf.extend_from_slice(if indent.is_some() { b": " } else { b":" });
        }
        value.write(indent.map(|depth| depth + 1), buf);
    }
    if !is_empty {
        new_line(indent, buf);
    }
    buf.push(brackets[1]);
}

/// Begins a line at a depth, if lines are wanted.
pub fn new_line(indent: Option<usize>, buf: &mut Vec<u8>) {
    if let Some(depth) = indent {
        buf.push(b'\n');
        buf.extend(std::iter::repeat_n(b' ', 2 * depth));
    }
}

fn write_string(text: &str, buf: &mut Vec<u8>) {
    // a string cannot fail to be written to memory
    let _ = serde_json::to_writer(buf, text);
}

/// Values that no reader understood, as they were: those in a member that is not taken, of the object with the path
/// `of`, which is empty for the root. The given function gets each that is written.
pub fn unknown(
    items: &[Foreign<'_>],
    of: &str,
    is_taken: impl Fn(&Foreign<'_>, &str) -> bool,
    mut told: impl FnMut(&Foreign<'_>),
) -> Vec<(String, Json)> {
    let mut members: Vec<(String, Json)> = Vec::new();
    // the objects and lists that are open: path, and the way to them by numbers
    let mut open: Vec<(&str, Vec<usize>)> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let path: &str = &item.path;
        while open.last().is_some_and(|(above, _)| !is_below(path, above)) {
            open.pop();
        }
        let Some(name) = unescaped(&item.name).map(Cow::into_owned) else { continue };
        let (way, in_list) = match open.last() {
            Some((above, way)) => (way.clone(), path.get(above.len()..).is_some_and(|rest| rest.starts_with('['))),
            None if is_member(path, of, &item.name) && !is_taken(item, &name) => (Vec::new(), false),
            None => continue,
        };
        let value = value_of(item, items.get(at + 1));
        let is_open = matches!(value, Json::Object(_) | Json::List(_));
        if let Some(number) = put(&mut members, &way, (!in_list).then_some(name), value) {
            told(item);
            if is_open {
                open.push((path, [way, vec![number]].concat()));
            }
        }
    }
    members
}

/// Whether a path is that of a member of the object with the path `of`.
fn is_member(path: &str, of: &str, name: &str) -> bool {
    match of {
        "" => path == name,
        of => path.strip_prefix(of).and_then(|rest| rest.strip_prefix('/')) == Some(name),
    }
}

/// The value of an item before this `next` one; objects and lists are empty at first.
fn value_of(item: &Foreign<'_>, next: Option<&Foreign<'_>>) -> Json {
    let text = || item.value.as_ref().map(|value| value.value.to_string()).unwrap_or_default();
    match &*item.ns {
        _ if item.value.is_none() => {
            let inside = next.and_then(|next| next.path.strip_prefix(&*item.path));
            match inside.is_some_and(|rest| rest.starts_with('[')) || &*item.ns == LIST {
                true => Json::List(Vec::new()),
                false => Json::object(),
            }
        }
        NUMBER | BOOLEAN | NULL => Json::Word(text()),
        _ => Json::Text(text()),
    }
}

/// Puts a value into the object or list at the end of a way; returns its number there.
fn put(members: &mut Vec<(String, Json)>, way: &[usize], name: Option<String>, value: Json) -> Option<usize> {
    let Some((first, rest)) = way.split_first() else {
        members.push((name?, value));
        return Some(members.len() - 1);
    };
    let mut at = &mut members.get_mut(*first)?.1;
    for step in rest {
        at = match at {
            Json::Object(members) => &mut members.get_mut(*step)?.1,
            Json::List(values) => values.get_mut(*step)?,
            Json::Text(_) | Json::Word(_) => return None,
        };
    }
    match (at, name) {
        (Json::Object(members), Some(name)) => {
            members.push((name, value));
            Some(members.len() - 1)
        }
        (Json::List(values), None) => {
            values.push(value);
            Some(values.len() - 1)
        }
        _ => None,
    }
}
