//! From a piece of a tree back to markup: the content of XHTML texts. Writing formats is emit.rs.

use super::escape;
use super::names::Ns;
use crate::tree::{Node, NodeKind};

/// The content of an XHTML element as markup: XHTML names without prefix, other namespaces declared where they
/// begin, references only where XML asks for them. Linear, and without recursion.
pub fn inner_xhtml(outer: Node<'_, '_>) -> String {
    let mut out = Vec::new();
    let mut open: Vec<(u32, &str)> = Vec::new();
    let nodes = &outer.tree.nodes;
    for index in outer.index + 1..nodes.len() as u32 {
        let raw = &nodes[index as usize];
        if raw.kind == NodeKind::Attribute || (raw.at as usize) >= outer.raw().end as usize {
            continue;
        }
        while open.last().is_some_and(|(node, _)| *node != raw.parent) {
            close(&mut out, open.pop());
        }
        match raw.kind {
            NodeKind::Text => {
                escape::escape_text(&raw.value, &mut out);
            }
            NodeKind::Attribute => (),
            NodeKind::Element => {
                let node = outer.tree.node(index);
                let name = written_name(node);
                start(&mut out, node, name);
                if node.nodes().all(|below| below.kind() == NodeKind::Attribute) {
                    out.extend_from_slice(b"/>");
                } else {
                    out.push(b'>');
                    open.push((index, name));
                }
            }
        }
    }
    while let Some(last) = open.pop() {
        close(&mut out, Some(last));
    }
    // pieces of `str` put together at their borders
    String::from_utf8(out).unwrap_or_default()
}

fn written_name<'a>(node: Node<'_, 'a>) -> &'a str {
    match node.ns() {
        Ns::Xhtml | Ns::None | Ns::Atom | Ns::Atom03 => node.name(),
        _ => node.raw().qname,
    }
}

fn start(out: &mut Vec<u8>, node: Node<'_, '_>, name: &str) {
    out.push(b'<');
    out.extend_from_slice(name.as_bytes());
    let raw = node.raw();
    let above = node.tree.nodes.get(raw.parent as usize);
    if name == raw.qname && node.ns() != Ns::Xhtml && !raw.uri.is_empty() && above.is_none_or(|up| up.uri != raw.uri) {
        let prefix = raw.qname.split_once(':').map_or(String::new(), |(prefix, _)| format!(":{prefix}"));
        attribute(out, &format!("xmlns{prefix}"), raw.uri);
    }
    // a prefix that only attributes use may have been declared outside of the content
    let mut bound: Vec<&str> = name.split_once(':').map(|(prefix, _)| prefix).into_iter().collect();
    for below in node.attributes() {
        let raw = below.raw();
        if let Some((prefix, _)) = raw.qname.split_once(':')
            && prefix != "xml"
            && !raw.uri.is_empty()
            && !bound.contains(&prefix)
        {
            attribute(out, &format!("xmlns:{prefix}"), raw.uri);
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

fn close(out: &mut Vec<u8>, open: Option<(u32, &str)>) {
    if let Some((_, name)) = open {
        out.extend_from_slice(b"</");
        out.extend_from_slice(name.as_bytes());
        out.push(b'>');
    }
}
