//! Reads HTML pages: the JSON-LD of all their scripts, and the URL, title and description of the page. A page is one entry, or
//! the head of those in it.

use super::listing::{self, OWN_URLS};
use super::value::{VIDEO, has_type, is_scalar, member, respell};
use super::{read, refer};
use crate::format::contract::{EntryDelimiter, FormatReader, ReadContext};
use crate::json::page::SCRIPT;
use crate::model::lent::LentObjects;
use crate::model::page::VIDEO_PLACE;
use crate::model::{Entry, Feed, Field, Str, Text, TextKind};
use crate::reason::Reason;
use crate::text::url;
use crate::tree::{Node, Take, Tree};

/// Reads `html`.
pub struct HtmlReader;

impl FormatReader for HtmlReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::Page(listing::entries)
    }
    fn head<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>, _: ReadContext<'a>) {
        values(root, take, [&mut feed.base, &mut feed.language], [&mut feed.title, &mut feed.subtitle]);
        read::around(root, take);
    }
    fn objects(&self, root: Node<'_, '_>) -> LentObjects {
        refer::objects(root)
    }
    fn respell(&self, tree: &mut Tree<'_>) {
        respell(tree);
    }
    fn borrow<'a>(&self, tree: &mut Tree<'a>, objects: &'a LentObjects, _: u32) {
        refer::borrow(tree, objects);
    }
    fn entry<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        entry: &mut Entry<'a>,
        around: ReadContext<'a>,
    ) {
        let is_page = root.tree.page;
        if is_page {
            let base = &mut entry.base;
            values(root, take, [base, &mut entry.language], [&mut entry.title, &mut entry.summary]);
            address(root, take, entry, around);
            made_address(root, take, entry, around);
        }
        read::read_objects(root, take, entry);
        if !is_page {
            made_address(root, take, entry, around);
            // so that the videos of an entry in a page have their places, as those of a page
            if has_type(root, VIDEO) {
                take.label(root, VIDEO_PLACE);
            }
        }
    }
}

/// The values of a page that are not in its scripts: its base and language, its title and description.
fn values<'t, 'a>(
    root: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    [base, language]: [&mut Option<Str<'a>>; 2],
    [title, description]: [&mut Option<Text<'a>>; 2],
) {
    take.known(root);
    for node in root.nodes() {
        match node.name() {
            "base" if base.is_none() && is_scalar(node) => take.value(node, None, base),
            "lang" if language.is_none() => {
                take.value(node, None, language);
                take.language(Some(node), language);
            }
            "title" => text(node, take, title),
            "description" => text(node, take, description),
            SCRIPT => take.known(node),
            _ => (),
        }
    }
}

fn text<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Text<'a>>) {
    // another one is not read
    if slot.is_none() {
        *slot = take.leaf(node, None).map(|leaf| Text::new(TextKind::Plain, leaf));
    }
}

/// The canonical URL, else `og:url`. A page that cannot have the first may have the second.
fn address<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, around: ReadContext<'a>) {
    let own = entry.base.as_ref().is_some_and(|own| url::is_http(&own.value));
    let has_base = own || around.options.base.is_some();
    let is_usable = |node: &Node<'_, '_>| url::is_http(node.value()) || has_base;
    let document = around.options.base.as_deref();
    let base = match &entry.base {
        Some(own) if !url::is_http(&own.value) => document.and_then(|document| url::resolve(document, &own.value)),
        Some(own) => Some(own.value.to_string()),
        None => document.map(str::to_owned),
    };
    let resolved = |text: &str| base.as_deref().and_then(|base| url::resolve(base, text));
    let is_same = |one: &str, other: &str| resolved(one).is_some_and(|one| Some(one) == resolved(other));
    for node in OWN_URLS.iter().filter_map(|name| member(root, name)).filter(is_usable) {
        match entry.loc.as_ref().filter(|loc| is_same(&loc.value, node.value())) {
            Some(loc) => take.merge(node, Reason::SameValue, loc.mark),
            None => take.value(node, None, &mut entry.loc),
        }
    }
}

/// The URL of the document, for an entry without one.
fn made_address<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, around: ReadContext<'a>) {
    if let (None, Some(base)) = (&entry.loc, around.options.base.as_deref()) {
        take.remark(root, "html.page", "neither a canonical link nor og:url", format!("read as {base}"));
        entry.loc = Some(take.generated(root, Field::Loc, Reason::PageUrlOfDocument, base.to_owned()));
    }
}
