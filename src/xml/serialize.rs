//! From a part of a tree back to markup: the content of XHTML texts, and unescaped HTML. Writing formats is in emit.rs.

use super::escape;
use super::names::Ns;
use super::scan::{is_space, tag_end};
use crate::model::TextKind;
use crate::text::html;
use crate::tree::{Node, NodeKind};

/// The content of an element as markup: names of HTML without prefix, other namespaces declared where they begin,
/// references only where XML asks for them, and the white space between elements, which a tree does not hold. Of the
/// kind HTML only elements that cannot have content are without an end tag; otherwise those that have none. Linear, and
/// without recursion.
pub fn inner(outer: Node<'_, '_>, kind: TextKind) -> String {
    let mut out = Vec::new();
    let mut open: Vec<PendingEndTag<'_>> = Vec::new();
    let nodes = &outer.tree.nodes;
    for index in outer.index + 1..nodes.len() as u32 {
        let raw = &nodes[index as usize];
        if raw.at as usize >= outer.raw().end as usize {
            break;
        }
        if raw.kind == NodeKind::Attribute {
            continue;
        }
        while let Some(last) = open.pop_if(|last| last.node != raw.parent) {
            close(&mut out, outer, &last);
        }
        if open.is_empty() && raw.parent != outer.index {
            continue;
        }
        let node = outer.tree.node(index);
        match raw.kind {
            NodeKind::Text if kind == TextKind::Html && open.last().is_some_and(|last| html::is_raw(last.name)) => {
                out.extend_from_slice(raw.value.as_bytes());
            }
            NodeKind::Text => {
                escape::escape_text(&raw.value, &mut out);
            }
            NodeKind::Attribute => (),
            NodeKind::Element => open.extend(element(&mut out, node, kind)),
        }
    }
    while let Some(last) = open.pop() {
        close(&mut out, outer, &last);
    }
    // the white space before the end tag around it all
    if outer.nodes().last().is_some_and(|last| last.kind() == NodeKind::Element) {
        out.truncate(out.trim_ascii_end().len());
    }
    // pieces of `str` put together at their borders
    String::from_utf8(out).unwrap_or_default()
}

/// An element whose end tag is to be written.
struct PendingEndTag<'a> {
    node: u32,
    name: &'a str,
}

/// Writes a start tag; an element that is complete with it is not returned.
fn element<'a>(out: &mut Vec<u8>, node: Node<'_, 'a>, kind: TextKind) -> Option<PendingEndTag<'a>> {
    let name = written_name(node);
    start(out, node, name, kind);
    let first = node.nodes().find(|below| below.kind() != NodeKind::Attribute);
    let after = start_end(node);
    let blank = first.is_none() && !blank_between(node, after, node.raw().end as usize).is_empty();
    let empty = first.is_none() && !blank;
    match kind {
        TextKind::Html if empty && html::is_empty_element(name) => out.push(b'>'),
        TextKind::Plain | TextKind::Xhtml if empty => out.extend_from_slice(b"/>"),
        TextKind::Plain | TextKind::Xhtml | TextKind::Html => {
            out.push(b'>');
            match first {
                Some(_) => blank_after(out, node, after, first),
                None => out.extend_from_slice(blank_between(node, after, node.raw().end as usize)),
            }
            return Some(PendingEndTag { node: node.index, name });
        }
    }
    blank_after(out, node, node.raw().end as usize, node.following());
    None
}

fn written_name<'a>(node: Node<'_, 'a>) -> &'a str {
    match node.ns() {
        Ns::Xhtml | Ns::None | Ns::Atom | Ns::Atom03 => node.name(),
        _ => node.raw().qname,
    }
}

fn start(out: &mut Vec<u8>, node: Node<'_, '_>, name: &str, kind: TextKind) {
    out.push(b'<');
    out.extend_from_slice(name.as_bytes());
    let raw = node.raw();
    let above = node.tree.nodes.get(raw.parent as usize);
    let is_inherited = raw.uri.is_empty() || above.is_some_and(|up| up.uri == raw.uri);
    let prefix = raw.qname.split_once(':').map_or(String::new(), |(prefix, _)| format!(":{prefix}"));
    // HTML has no namespaces, so its elements are only by chance in the one around them
    let is_html = kind == TextKind::Html && prefix.is_empty();
    if name == raw.qname && node.ns() != Ns::Xhtml && !is_inherited && !is_html {
        attribute(out, &format!("xmlns{prefix}"), &escape::unescape_lenient(raw.uri).0);
    }
    // a prefix that only attributes use may be declared outside the content
    let mut bound: Vec<&str> = name.split_once(':').map(|(prefix, _)| prefix).into_iter().collect();
    for below in node.attributes() {
        let raw = below.raw();
        if let Some((prefix, _)) = raw.qname.split_once(':')
            && prefix != "xml"
            && !raw.uri.is_empty()
            && !bound.contains(&prefix)
        {
            attribute(out, &format!("xmlns:{prefix}"), &escape::unescape_lenient(raw.uri).0);
            bound.push(prefix);
        }
        attribute(out, raw.qname, below.value());
    }
}

fn attribute(out: &mut Vec<u8>, name: &str, value: &str) {
    out.push(b' ');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"=\"");
    escape::escape_attr(value, out);
    out.push(b'"');
}

fn close(out: &mut Vec<u8>, outer: Node<'_, '_>, last: &PendingEndTag<'_>) {
    out.extend_from_slice(b"</");
    out.extend_from_slice(last.name.as_bytes());
    out.push(b'>');
    let node = outer.tree.node(last.node);
    blank_after(out, node, node.raw().end as usize, node.following());
}

/// Writes the white space at this place of the source, unless a run of text follows, which has it.
fn blank_after(out: &mut Vec<u8>, node: Node<'_, '_>, at: usize, next: Option<Node<'_, '_>>) {
    let end = match next {
        Some(next) if next.kind() == NodeKind::Text => return,
        Some(next) => next.raw().at as usize,
        None => node.tree.nodes.get(node.raw().parent as usize).map_or(at, |above| above.end as usize),
    };
    out.extend_from_slice(blank_between(node, at, end));
}

/// The white space at the first place, or else after the comments there, up to the second.
fn blank_between<'t>(node: Node<'t, '_>, at: usize, end: usize) -> &'t [u8] {
    let mut rest = node.tree.source.as_bytes().get(at..end).unwrap_or_default();
    while rest.starts_with(b"<!--")
        && let Some(end) = memchr::memmem::find(rest, b"-->")
    {
        rest = &rest[end + 3..];
    }
    &rest[..rest.iter().take_while(|&&byte| is_space(byte)).count()]
}

/// Where the start tag of an element ends in the source; it is not looked for beyond the first element inside.
fn start_end(node: Node<'_, '_>) -> usize {
    let (at, end) = (node.raw().at as usize, node.raw().end as usize);
    let inside = node.children().next().map_or(end, |first| first.raw().at as usize);
    node.tree.source.get(at..inside).and_then(tag_end).map_or(end, |length| at + length)
}
