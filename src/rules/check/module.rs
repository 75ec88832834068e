//! Checks of the values that modules add to feeds: dates and languages of Dublin Core, places, `xml:lang`. Media RSS and
//! podcasts have separate files.

use super::super::hits::{Cx, Hits, QuotedValue};
use super::rss::is_language;
use super::value::{self, Iso, iso};
use crate::tree::Node;
use crate::xml::names::Ns;

/// W3C-DTF: a date, or a time with its zone.
pub(in super::super) fn date(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    let date = hits.date(text);
    if matches!(iso(text, date), None | Some(Iso::Time { zone: false, .. })) {
        let says = format_args!("{} is {}: not a W3C date", node.raw().qname, QuotedValue(text));
        return hits.report(0, node, says, value::as_w3c(text, date));
    }
    hits.report_placeholder(node, node.raw().qname, text, date);
}

pub(in super::super) fn language(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    check_language_value(node, node.text_value(), hits);
}

/// An empty `xml:lang` means an unknown language.
pub(in super::super) fn xml_lang(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if let Some(found) = node.attribute_ns(Ns::Xml, "lang").filter(|found| !found.value().is_empty()) {
        check_language_value(found, found.value(), hits);
    }
}

fn check_language_value(node: Node<'_, '_>, text: &str, hits: &mut Hits<'_>) {
    if !is_language(text) {
        let says = format_args!("{} is {}: not a language tag", node.raw().qname, QuotedValue(text));
        match crate::text::language::repair(text).filter(|mended| is_language(mended)) {
            Some(mended) => hits.report(0, node, says, format_args!("write {mended}")),
            None => hits.report(0, node, says, "write a tag such as en or en-GB"),
        }
    }
}

pub(in super::super) fn place(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let most = if node.name() == "lat" { 90.0 } else { 180.0 };
    let text = node.text_value();
    if !value::decimal(text).is_some_and(|degrees| (-most..=most).contains(&degrees)) {
        hits.report_wrong(0, node, node.raw().qname, format_args!("write decimal degrees from -{most} to {most}"));
    }
}
