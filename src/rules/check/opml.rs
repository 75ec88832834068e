//! Checks of OPML, the lists of feeds that other programs export.

use super::super::hits::{Cx, Hits};
use super::value::{self, attribute};
use crate::tree::Node;

pub(in super::super) fn list(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if cx.format.id != "opml" {
        return;
    }
    match attribute(root, "version") {
        Some(found) if matches!(found.value(), "1.0" | "1.1" | "2.0") => (),
        Some(found) => hits.report_wrong(0, found, "the version", "write version=\"2.0\""),
        None => hits.report_missing(0, root, "<opml> has no version", "write <opml version=\"2.0\">"),
    }
    value::elements(root).filter(|node| node.name() == "outline").for_each(|node| outline(node, hits));
}

fn outline(node: Node<'_, '_>, hits: &mut Hits<'_>) {
    // attributes of OPML are written in any case
    let find = |name: &str| node.attributes().find(|found| found.name().eq_ignore_ascii_case(name));
    let is_feed = find("type").is_some_and(|kind| matches!(kind.value().to_ascii_lowercase().as_str(), "rss" | "atom"));
    match find("xmlUrl") {
        None if is_feed => hits.report_missing(0, node, "the outline of a feed has no xmlUrl", "add xmlUrl=\"…\""),
        Some(found) if !value::is_web(found.value()) => {
            hits.report_wrong(0, found, "xmlUrl", "write the absolute URL of the feed");
        }
        _ => (),
    }
    if find("text").is_none_or(|text| text.value().trim().is_empty()) {
        hits.report_missing(0, node, "the outline has no text", "add text=\"…\" for readers to show");
    }
}
