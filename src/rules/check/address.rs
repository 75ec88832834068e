//! The check of URLs in feeds, the same for all elements and attributes; the table of rules lists them. Of URLs with a
//! specific rule, it checks only the characters (`guid`, `enclosure`), or nothing (`loc`, `id`).

use super::super::hits::{Cx, Hits, QuotedValue};
use super::{media, reading, value, video};
use crate::text::url;
use crate::tree::{Node, NodeKind};
use crate::xml::names::Ns;

/// What an element or an attribute takes for a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UrlForm {
    /// An absolute URL of http or https.
    Web,
    /// An absolute URL of any scheme.
    Whole,
    /// A reference, which may be relative.
    Reference,
    /// A URL of the web; another rule reports URLs that are not.
    Legal,
}

/// Schemes of what runs and does not lie anywhere.
const SCRIPTS: [&str; 3] = ["javascript", "vbscript", "livescript"];

/// The variant of the rule where a character is at fault, and not the URL as a whole.
const CHARACTER: u8 = 2;

pub(super) fn check(
    node: Node<'_, '_>,
    name: Option<&str>,
    form: UrlForm,
    variant: u8,
    cx: &Cx<'_>,
    hits: &mut Hits<'_>,
) {
    let found = match name {
        Some(name) => node.attribute(name),
        None => Some(node),
    };
    let Some(found) = found else { return };
    // the children of an unknown element are unknown too, even in a known namespace
    if node.parent().is_some_and(|above| above.ns() == Ns::Unknown) {
        return;
    }
    let text = found.value_or_text().trim();
    if text.is_empty() {
        return empty(node, found, form, variant, cx, hits);
    }
    if form == UrlForm::Legal {
        let is_page = node.name() != "guid" || node.attribute("isPermaLink").is_none_or(|said| said.value() == "true");
        return if is_page && value::is_web(text) {
            characters(found, text, hits)
        };
    }
    // Google does not index links of the head as pages of the feed, and files of other kinds are not videos
    let is_other = node.ns() == Ns::Media && node.name() == "content" && media::is_video_content(node) == Some(false);
    let variant = if cx.entry.is_none() || is_other { variant.max(1) } else { variant };
    let scheme = url::scheme(text);
    let fits = match form {
        UrlForm::Web => value::is_web(text),
        UrlForm::Whole => video::is_whole(text),
        UrlForm::Reference | UrlForm::Legal => scheme.is_none() || video::is_whole(text),
    };
    let is_script = scheme.is_some_and(|scheme| SCRIPTS.iter().any(|script| script.eq_ignore_ascii_case(scheme)));
    if is_script || !(fits || scheme.is_none() && reading::has_base(node, cx)) {
        let what = match form {
            _ if is_script => "a script, not a URL",
            UrlForm::Web => "not an http or https URL",
            _ => "not an absolute URL",
        };
        let says = format_args!("{} is {}: {what}", found.raw().qname, QuotedValue(text));
        return hits.report(variant, found, says, video::make_whole(text));
    }
    characters(found, text, hits);
}

/// A character that no URL may hold.
fn characters(found: Node<'_, '_>, text: &str, hits: &mut Hits<'_>) {
    if let Some(illegal) = value::illegal(text) {
        let says = format_args!("{} contains {illegal}, which is not allowed in URLs", found.raw().qname);
        let mended = url::normalize_for_sitemap(text);
        match mended == text {
            true => hits.report(CHARACTER, found, says, "percent-encode it"),
            false => hits.report(CHARACTER, found, says, format_args!("write {}", QuotedValue(&mended))),
        }
    }
}

/// Checks for an empty URL. Where the element requires one, a separate rule reports it, if a profile enables that rule.
/// An empty reference is the document itself.
fn empty(node: Node<'_, '_>, found: Node<'_, '_>, form: UrlForm, variant: u8, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let in_entry = cx.entry.is_some() && node.raw().parent == 0;
    let above = node.parent().map_or("", Node::name);
    let own = match (cx.canonical_namespace(node.ns()), node.name()) {
        (Ns::None, "link") if above == "image" => Some(("R12", 2)),
        (Ns::None, "link") if above == "textInput" => Some(("R25", 0)),
        (Ns::None, "link") if in_entry => Some(("R04", 0)),
        (Ns::None, "link") => Some(("R02", 0)),
        (Ns::None, "url") => Some(("R12", 2)),
        (Ns::None, "source") => Some(("R25", 0)),
        (Ns::Media, "content") => Some(("M02", 0)),
        (Ns::Media, "thumbnail") => Some(("M06", 1)),
        (Ns::Media, "player") => Some(("M07", 1)),
        (Ns::Media, "license" | "peerLink" | "subTitle") => Some(("M24", 0)),
        (Ns::Itunes | Ns::GooglePlay, "image") => Some(("R23", 0)),
        (Ns::Podcast, "transcript") => Some(("R24", 0)),
        _ => None,
    };
    let is_own = own.is_some_and(|(code, variant)| hits.is_required(code, variant));
    if matches!(form, UrlForm::Web | UrlForm::Whole) && !is_own {
        let variant = if cx.entry.is_none() { variant.max(1) } else { variant };
        let hint = "write the URL, or remove it";
        hits.report_missing(variant, found, format_args!("{} is empty", found.raw().qname), hint);
    }
}

/// The bases of relative URLs, whatever element has one.
pub(in super::super) fn bases(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !cx.format.family.is_feed() {
        return;
    }
    let is_base =
        |node: &Node<'_, '_>| node.kind() == NodeKind::Attribute && node.ns() == Ns::Xml && node.name() == "base";
    for base in root.and_lent().filter(is_base) {
        let text = base.value().trim();
        if url::scheme(text).is_some() && !video::is_whole(text) {
            let says = format_args!("{} is {}: not an absolute URL", base.raw().qname, QuotedValue(text));
            hits.report(1, base, says, video::make_whole(text));
        } else {
            characters(base, text, hits);
        }
    }
}
