//! The check of URLs in feeds, the same for every element and attribute that holds one. Which ones do is in the table of
//! rules; URLs that have a rule of their own (`loc`, `guid`, `enclosure`, `id`) are not looked at here.

use super::super::hits::{Cx, Hits, Quoted};
use super::{media, value, video};
use crate::text::url;
use crate::tree::Node;
use crate::xml::names::Ns;

/// What an element or an attribute takes for a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// An absolute URL of http or https.
    Web,
    /// An absolute URL of any scheme.
    Whole,
    /// A reference, which may be relative.
    Reference,
}

/// Schemes of what runs and does not lie anywhere.
const SCRIPTS: [&str; 3] = ["javascript", "vbscript", "livescript"];

/// The variant of the rule where a character is at fault, and not the URL as a whole.
const CHARACTER: u8 = 2;

pub(super) fn check(node: Node<'_, '_>, name: Option<&str>, form: Form, variant: u8, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let found = match name {
        Some(name) => node.attribute(name),
        None => Some(node),
    };
    let Some(found) = found else { return };
    let text = found.value_or_text().trim();
    // what is empty is missing, which other rules tell
    if text.is_empty() {
        return;
    }
    // what the head links to is no page that Google takes from the feed, and files of other kinds are no videos
    let is_other = node.ns() == Ns::Media && node.name() == "content" && media::told(node) == Some(false);
    let variant = if cx.entry.is_none() || is_other { variant.max(1) } else { variant };
    let scheme = url::scheme(text);
    let fits = match form {
        Form::Web => value::is_web(text),
        Form::Whole => video::is_whole(text),
        Form::Reference => scheme.is_none() || video::is_whole(text),
    };
    let is_script = scheme.is_some_and(|scheme| SCRIPTS.iter().any(|script| script.eq_ignore_ascii_case(scheme)));
    if is_script || !(fits || scheme.is_none() && has_base(node, cx)) {
        let what = match form {
            _ if is_script => "a program and no URL",
            Form::Web => "no http or https URL",
            _ => "no absolute URL",
        };
        let says = format_args!("{} is {}, which is {what}", found.raw().qname, Quoted(text));
        return hits.tell(variant, found, says, video::make_whole(text));
    }
    if let Some(illegal) = value::illegal(text) {
        let says = format_args!("{} holds {illegal}, which no URL may hold as it is", found.raw().qname);
        let mended = url::normalize_for_sitemap(text);
        match mended == text {
            true => hits.tell(CHARACTER, found, says, "percent-encode it"),
            false => hits.tell(CHARACTER, found, says, format_args!("write {}", Quoted(&mended))),
        }
    }
}

/// Whether something around the element says what relative URLs are relative to.
pub(super) fn has_base(node: Node<'_, '_>, cx: &Cx<'_>) -> bool {
    let says = |node: Node<'_, '_>| node.attribute_ns(Ns::Xml, "base").is_some();
    let root = cx.head.root();
    std::iter::successors(Some(node), |node| node.parent()).any(says)
        || cx.channel().is_some_and(says)
        || root.is_some_and(says)
}
