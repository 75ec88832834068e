//! Reads HTML pages: the JSON-LD of all their scripts, and the URL, title and description of the page. Each page is one entry.

use super::read::read_objects;
use super::value::is_scalar;
use crate::format::contract::{EntryDelimiter, FormatReader, ReadContext};
use crate::json::page::SCRIPT;
use crate::model::{Entry, Feed, Field, Text, TextKind};
use crate::reason::Reason;
use crate::text::url;
use crate::tree::{Node, Take};

/// Reads `html`.
pub struct HtmlReader;

impl FormatReader for HtmlReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::Whole
    }
    fn head<'t, 'a>(&self, _: Node<'t, 'a>, _: &mut Take<'t, 'a>, _: &mut Feed<'a>, _: ReadContext<'a>) {}
    fn entry<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        entry: &mut Entry<'a>,
        around: ReadContext<'a>,
    ) {
        take.known(root);
        if let Some(node) = root.nodes().find(|node| node.name() == "base" && is_scalar(*node)) {
            take.value(node, None, &mut entry.base);
        }
        address(root, take, entry, around);
        for node in root.nodes() {
            match node.name() {
                "lang" if entry.language.is_none() => take.value(node, None, &mut entry.language),
                "title" => text(node, take, &mut entry.title),
                "description" => text(node, take, &mut entry.summary),
                SCRIPT => take.known(node),
                _ => (),
            }
        }
        read_objects(root, take, entry);
    }
}

fn text<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Text<'a>>) {
    // another one is not read
    if slot.is_none() {
        *slot = take.leaf(node, None).map(|leaf| Text::new(TextKind::Plain, leaf));
    }
}

/// The canonical URL, else `og:url`, else that of the document. A page that cannot have the first may have the second.
fn address<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, around: ReadContext<'a>) {
    let base = around.options.base.as_deref();
    let has_base = base.is_some() || entry.base.as_ref().is_some_and(|own| url::is_http(&own.value));
    let is_usable = |node: &Node<'_, '_>| url::is_http(node.value()) || has_base;
    for name in ["canonical", "og:url"] {
        let found = root.nodes().find(|node| node.name() == name && is_scalar(*node));
        if let Some(node) = found.filter(is_usable) {
            take.value(node, None, &mut entry.loc);
        }
    }
    if let (None, Some(base)) = (&entry.loc, base) {
        take.remark(root, "html.page", "neither a canonical link nor og:url", format!("read as {base}"));
        entry.loc = Some(take.generated(root, Field::Loc, Reason::PageUrlOfDocument, base.to_owned()));
    }
}
