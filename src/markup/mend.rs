//! Fills a table from the tree that the repairing parser makes of an entry that cannot be read as it is. After that,
//! nothing shows which way an entry was read.

use std::collections::HashMap;

use super::naming;
use crate::table::paths::{PathRole, PathTable};
use crate::table::{LeafForm, LeafTable, NONE};
use crate::tree::{NodeKind, Tree};

/// An element of the tree that is not over yet.
#[derive(Clone, Copy)]
struct UnclosedNode {
    node: u32,
    path: u32,
    element: u32,
    end: usize,
}

/// Fills a table; `None` if there is no number for one of its parts.
pub(super) fn fill(table: &mut LeafTable, paths: &mut PathTable, around: u32, raw: &str, tree: Tree<'_>) -> Option<()> {
    let mut open: Vec<UnclosedNode> = Vec::new();
    let mut uris: HashMap<(*const u8, usize), u32> = HashMap::new();
    let mut last_uri = (("".as_ptr(), 0), NONE);
    for (node, number) in tree.nodes.iter().zip(0_u32..) {
        while open.last().is_some_and(|last| last.node != node.parent) {
            end_last(table, &mut open);
        }
        let above = open.last().map_or(UnclosedNode { node: NONE, path: around, element: NONE, end: 0 }, |last| *last);
        // nodes in one namespace share its text
        let key = (node.uri.as_ptr(), node.uri.len());
        let uri = match last_uri {
            (last, uri) if last == key => uri,
            _ => *uris.entry(key).or_insert_with(|| paths.uri_number(node.uri)),
        };
        last_uri = (key, uri);
        let mut path = |role| naming::mended(paths, above.path, role, node.qname, (node.ns, uri, node.name));
        match node.kind {
            NodeKind::Element => {
                let path = path(PathRole::Element)?;
                let element = table.open(path, above.element, node.at as usize);
                open.push(UnclosedNode { node: number, path, element, end: node.end as usize });
                continue;
            }
            NodeKind::Attribute => {
                let path = path(PathRole::Attribute)?;
                leaf(table, path, raw, &node.value, above.element)?;
            }
            NodeKind::Text => leaf(table, above.path, raw, &node.value, above.element)?,
        }
        table.place_last(node.at as usize, paths);
    }
    while !open.is_empty() {
        end_last(table, &mut open);
    }
    table.repairs = tree.repairs;
    Some(())
}

/// Ends the innermost element.
fn end_last(table: &mut LeafTable, open: &mut Vec<UnclosedNode>) {
    if let Some(last) = open.pop() {
        table.close(last.element, last.end);
    }
}

/// Adds a leaf: a piece of the source where it is one, else in the arena.
fn leaf(table: &mut LeafTable, path: u32, raw: &str, value: &str, element: u32) -> Option<()> {
    let (form, span) = match piece(raw, value) {
        Some(start) if raw[..start].ends_with("<![CDATA[") => (LeafForm::Section, (start, start + value.len())),
        Some(start) if !value.contains(['&', '<']) && !value.contains("]]>") => {
            (LeafForm::Plain, (start, start + value.len()))
        }
        Some(_) | None => {
            let (start, end) = table.arena.push(value)?;
            (LeafForm::Arena, (start as usize, end as usize))
        }
    };
    table.push(path, form, span, element);
    Some(())
}

/// Where a text begins in the source, if it is a piece of it and no copy.
fn piece(raw: &str, text: &str) -> Option<usize> {
    let start = (text.as_ptr() as usize).checked_sub(raw.as_ptr() as usize)?;
    (raw.get(start..start + text.len())? == text).then_some(start)
}
