//! From the markup of one entry, or of a frame, to a [`Tree`]: the strict parser, which only repairs unambiguous
//! problems (HTML entities, bare ampersands, undeclared but usual prefixes, names in the wrong case). Markup that is not
//! well-formed is parsed by `repair.rs`; both use the same builder.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::builder::{TreeBuilder, ill_formed};
use super::limits::{ILL_FORMED, TreeError, TreeLimits};
use super::repair;
use super::scan::has_forbidden;
use super::scope::Scope;
use crate::tree::Tree;

/// Reads one element and its content, repairing markup that is not well-formed.
///
/// # Errors
/// [`TreeError`], if it exceeds a limit or there is no element at all.
pub fn parse<'a>(raw: &'a str, scope: &Scope<'a>, limits: &TreeLimits) -> Result<Tree<'a>, TreeError> {
    if !has_forbidden(raw) {
        match strict(raw, scope, limits) {
            // too deep may be no more than end tags that are missing
            Err(bad) if bad.code == ILL_FORMED || bad.code == "limit.depth" => (),
            done => return done,
        }
    }
    repair::parse(raw, scope, limits)
}

/// Reads one element and its content by the rules of XML.
///
/// # Errors
/// [`TreeError`], if it is not well-formed or exceeds a limit.
pub(super) fn strict<'a>(raw: &'a str, scope: &Scope<'a>, limits: &TreeLimits) -> Result<Tree<'a>, TreeError> {
    let mut builder = TreeBuilder::new(raw, scope, limits);
    let mut reader = Reader::from_str(raw);
    reader.config_mut().allow_dangling_amp = true;
    let mut is_ended = false;
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader
            .read_event()
            .map_err(|error| ill_formed((reader.error_position() as usize).min(raw.len()), error.to_string()))?;
        let end = reader.buffer_position() as usize;
        is_ended |= matches!(event, Event::Text(_)) && raw.get(start..end).is_some_and(|text| text.contains("]]>"));
        if builder.event(event, start, end)? {
            break;
        }
    }
    // the end of a section that was not begun
    if is_ended {
        return Err(ill_formed(0, "]]> in text"));
    }
    builder.finish()
}
