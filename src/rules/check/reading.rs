//! Entries as the readers of formats parse them, for rules about the result, such as the number of videos. Parsing is
//! slower than reading markup, so checks use it only if necessary.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use super::super::hits::Cx;
use super::value::attribute;
use crate::format;
use crate::format::ns::dialect;
use crate::model::origin::{SourcePart, Syntax};
use crate::model::{Entry, Mark};
use crate::options::Options;
use crate::text::mime::{self, Medium};
use crate::text::url;
use crate::tree::{Node, SpareMemory, Take};
use crate::xml::names::Ns;
use crate::{pages, resolve};

static OPTIONS: LazyLock<Options> = LazyLock::new(Options::default);

/// Reads an entry without what its head hands down.
pub(super) fn entry<'t>(root: Node<'t, 't>, cx: &Cx<'_>) -> Entry<'t> {
    let around = format::around(None, &OPTIONS);
    let mut take = Take::new(root.tree, false);
    let mut entry = Entry::default();
    cx.format.reader.entry(root, &mut take, &mut entry, around);
    if let Ok(origin) = take.rest_into(OPTIONS.limits.entry, &mut entry.foreign, &mut SpareMemory::default()) {
        entry.origin = origin;
    }
    if entry.videos.len() > 1 {
        // which of them an element in a group speaks of follows from its place
        entry.origin.parts = vec![tree_part()];
        entry.origin.tree = Some(root.tree.clone());
    }
    dialect::apply(&mut entry, cx.format.family, around);
    (entry.origin.parts, entry.origin.tree) = (Vec::new(), None);
    resolve::entry(&mut entry, &resolve::inner_bases(root), None, &OPTIONS);
    entry
}

/// The piece of source whose tree is at hand.
fn tree_part<'t>() -> SourcePart<'t> {
    let (raw, context, places) = (Cow::Borrowed(""), Arc::default(), vec![(0, 1, 1)]);
    SourcePart { first: 0, entry: None, raw, syntax: Syntax::Xml, context, places }
}

/// Whether the URL that an entry gives for its page is that of one of its files, by the type of that file (S-M2).
pub(super) fn is_file(address: &str, root: Node<'_, '_>, cx: &Cx<'_>) -> bool {
    let is_typed = |node: Node<'_, '_>| {
        let kind = attribute(node, "type").filter(|kind| !mime::is_html(kind.value()));
        kind.is_some_and(|kind| mime::medium_of_type(kind.value()).is_some())
    };
    let is_same = url::is_same_as(address);
    let is_named = |node: Node<'_, '_>| {
        let url = attribute(node, "url").or_else(|| attribute(node, "href"));
        url.is_some_and(|url| is_same(url.value()))
    };
    let is_image = mime::medium_of_url(address) == Some(Medium::Image);
    let grouped = root.children().filter(|child| child.ns() == Ns::Media && child.name() == "group");
    let mut files = root.children().chain(grouped.flat_map(Node::children));
    files.any(|node| (is_image || is_typed(node)) && is_named(node))
        && pages::is_media(&entry(root, cx), address, cx.format.family)
}

/// The markup that a value of an entry was read from.
pub(super) fn node<'t, 'a>(root: Node<'t, 'a>, entry: &Entry<'_>, mark: Mark) -> Option<Node<'t, 'a>> {
    let record = entry.origin.records.get(mark.0 as usize)?;
    // nodes are in document order
    let index = root.tree.nodes.binary_search_by_key(&record.at, |raw| raw.at).ok()?;
    Some(root.tree.node(u32::try_from(index).ok()?))
}

/// Whether an element around this one sets the base of relative URLs.
pub(super) fn has_base(node: Node<'_, '_>, cx: &Cx<'_>) -> bool {
    let says = |node: Node<'_, '_>| node.attribute_ns(Ns::Xml, "base").is_some();
    let root = cx.head.root();
    std::iter::successors(Some(node), |node| node.parent()).any(says)
        || cx.channel().is_some_and(says)
        || root.is_some_and(says)
}
