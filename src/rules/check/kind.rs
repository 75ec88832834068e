//! The kinds of checks, and how each is run on an element, an entry, a head or a line.

use super::address::{self, UrlForm};
use super::value::shown;
use crate::rules::across::ComparedValues;
use crate::rules::hits::{Cx, Hits};
use crate::tree::Node;
use crate::xml::names::Ns;

/// A check of one element.
pub(crate) type CheckFn = fn(Node<'_, '_>, &Cx<'_>, &mut Hits<'_>);

/// How a rule is checked.
#[derive(Debug)]
pub(crate) enum CheckKind {
    /// Each element of this name, in any place.
    Each(Ns, &'static str, CheckFn),
    /// Its text has at most so many characters.
    Longer(Ns, &'static str, usize),
    /// It has a child of this name that is not empty.
    Lacks(Ns, &'static str, Ns, &'static str),
    /// It has at most so many children of this name.
    More(Ns, &'static str, Ns, &'static str, usize),
    /// It holds a URL of this form, or its attribute of this name does; the variant of the rule where it does not.
    Address(u8, Ns, &'static str, Option<&'static str>, UrlForm),
    /// Each entry.
    Entry(CheckFn),
    /// The document without its entries.
    Head(CheckFn),
    /// Each line of a list of URLs.
    Line(CheckFn),
    /// What reading had to repair: the variant of the rule, the codes of the repairs.
    Repairs(u8, &'static [&'static str]),
    /// Values that must be unique in a document; the variant of the rule for a repeated one.
    Once(u8, ComparedValues),
    /// The run itself finds it, as it takes the whole document or more.
    Run,
}

/// Checks an entry, a line or the head.
pub(crate) fn root(kind: &CheckKind, node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if let CheckKind::Entry(look) | CheckKind::Head(look) | CheckKind::Line(look) = kind {
        look(node, cx, hits);
    }
}

/// Checks an element of the name that the check is about.
pub(crate) fn element(kind: &CheckKind, node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    match kind {
        CheckKind::Each(_, _, look) => look(node, cx, hits),
        CheckKind::Longer(_, name, most) => hits.report_longer(node, name, *most),
        CheckKind::Lacks(_, name, ns, child) => lacks(node, name, *ns, child, cx, hits),
        CheckKind::More(_, name, ns, child, most) => {
            if let Some(extra) = cx.children(node, *ns, child).nth(*most) {
                let count = cx.children(node, *ns, child).count();
                let says = format_args!("{count} {} in one {name}, at most {most} are allowed", shown(*ns, child));
                hits.report_missing(0, extra, says, format_args!("keep {most}"));
            }
        }
        CheckKind::Address(variant, _, _, name, form) => address::check(node, *name, *form, *variant, cx, hits),
        CheckKind::Entry(_)
        | CheckKind::Head(_)
        | CheckKind::Line(_)
        | CheckKind::Repairs(..)
        | CheckKind::Once(..)
        | CheckKind::Run => (),
    }
}

fn lacks(node: Node<'_, '_>, name: &str, ns: Ns, child: &'static str, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let shown = shown(ns, child);
    match cx.child(node, ns, child) {
        None => hits.report_missing(0, node, format_args!("this {name} has no {shown}"), format_args!("add <{shown}>")),
        Some(empty) if empty.text_value().is_empty() && !empty.has_children() => {
            hits.report_missing(0, empty, format_args!("{shown} is empty"), "write its text");
        }
        Some(_) => (),
    }
}
