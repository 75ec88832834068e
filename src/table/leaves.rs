//! The leaves of a table: a value is the bytes of the source as they are written there, and is decoded when asked for.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use super::LeafTable;
use super::span::{LeafForm, LeafSpan};
use crate::text::bytes;
use crate::xml::{builder, escape, scan};

impl LeafTable {
    /// Adds a leaf.
    #[inline(always)]
    pub(crate) fn push(&mut self, path: u32, form: LeafForm, (start, end): (usize, usize), element: u32) {
        self.leaves.push(LeafSpan::new(path, form, (start, end), element));
    }

    /// The characters of a leaf. `source` is what the table was made of.
    pub fn value<'v>(&'v self, leaf: &LeafSpan, source: &'v str) -> Cow<'v, str> {
        let (start, end) = leaf.span();
        match leaf.form() {
            LeafForm::Arena => Cow::Borrowed(self.arena.text(start as u32, end as u32)),
            _ => written(leaf, source),
        }
    }
}

/// The characters of a leaf that is in the source.
#[inline]
pub(crate) fn written<'v>(leaf: &LeafSpan, source: &'v str) -> Cow<'v, str> {
    let (start, end) = leaf.span();
    let raw = source.get(start..end).unwrap_or("");
    let form = leaf.form();
    match form {
        LeafForm::Plain | LeafForm::Section => Cow::Borrowed(raw),
        LeafForm::Empty | LeafForm::Arena => Cow::Borrowed(""),
        LeafForm::Text | LeafForm::Attribute | LeafForm::Pieces => Cow::Owned(decoded(raw, form)),
    }
}

#[inline(never)]
fn decoded(raw: &str, form: LeafForm) -> String {
    let mut out = String::with_capacity(raw.len());
    match form {
        LeafForm::Pieces => push_pieces(raw, &mut out),
        form => push_decoded(raw, form == LeafForm::Attribute, &mut out),
    }
    out
}

/// Whether a run of text is white space of XML alone once it is decoded, and so no leaf.
pub(crate) fn is_blank(raw: &str, form: LeafForm) -> bool {
    let rest = raw.trim_start_matches(scan::SPACES);
    let mut out = String::new();
    match (form, rest.as_bytes().first()) {
        (LeafForm::Text | LeafForm::Attribute, Some(b'&')) => push_decoded(rest, form == LeafForm::Attribute, &mut out),
        (LeafForm::Pieces, Some(b'&' | b'<')) => push_pieces(rest, &mut out),
        (_, first) => return first.is_none(),
    }
    scan::is_blank(&out)
}

/// Appends the characters of a text or of an attribute's value.
fn push_decoded(raw: &str, attribute: bool, out: &mut String) {
    // there are no forbidden characters in the source of a table
    let is_clean = match attribute {
        true => !bytes::any(raw.as_bytes(), |block| bytes::below(block, b' ')),
        false => memchr(b'\r', raw.as_bytes()).is_none(),
    };
    let mut rest = raw;
    while !rest.is_empty() {
        let plain = memchr(b'&', rest.as_bytes()).unwrap_or(rest.len());
        match is_clean {
            true => out.push_str(&rest[..plain]),
            false => builder::push_plain(&rest[..plain], attribute, out, &mut |_, _| ()),
        }
        rest = &rest[plain..];
        if !rest.is_empty() {
            rest = &rest[escape::push_reference(rest, out).0..];
        }
    }
}

/// Appends the characters of texts and CDATA sections.
fn push_pieces(raw: &str, out: &mut String) {
    let mut rest = raw;
    while let Some(lt) = memchr(b'<', rest.as_bytes()) {
        push_decoded(&rest[..lt], false, out);
        rest = &rest[lt..];
        let (opening, closing) = match rest.as_bytes() {
            [b'<', b'?', ..] => (2, "?>"),
            [b'<', b'!', b'-', ..] => (4, "-->"),
            _ => (9, "]]>"),
        };
        let inner = rest.get(opening..).unwrap_or("");
        let end = memmem::find(inner.as_bytes(), closing.as_bytes()).unwrap_or(inner.len());
        if opening == 9 {
            out.push_str(&builder::line_ends(&inner[..end]));
        }
        rest = inner.get(end + closing.len()..).unwrap_or("");
    }
    push_decoded(rest, false, out);
}
