//! The leaves of a table: a value is the bytes of the source as they are written there, and is decoded when asked for.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use super::LeafTable;
use crate::xml::{escape, parse};

/// A value: an attribute's, a run of text, or an element that has neither and no element in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LeafSpan {
    /// The number of its path, and above it the form of its value.
    path: u32,
    start: u32,
    end: u32,
    /// The element that it belongs to.
    pub element: u32,
}

const _: () = assert!(size_of::<LeafSpan>() == 16);

/// How the value of a leaf is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum LeafForm {
    /// In the source; every byte means itself, and none needs escaping in markup.
    Plain,
    /// In the source, with references or line ends to be decoded as in text.
    Text,
    /// The same as in the value of an attribute.
    Attribute,
    /// In one CDATA section of the source, without its marks: every byte means itself.
    Section,
    /// In the source: texts and CDATA sections, and between them comments and instructions that are no part of it.
    Pieces,
    /// In the arena, decoded.
    Arena,
    /// No characters: the leaf is an element without content, from its start to its end.
    Empty,
}

const FORMS: [LeafForm; 7] = [
    LeafForm::Plain,
    LeafForm::Text,
    LeafForm::Attribute,
    LeafForm::Section,
    LeafForm::Pieces,
    LeafForm::Arena,
    LeafForm::Empty,
];

/// Bits of a number that are the path.
const PATH_BITS: u32 = 29;

impl LeafSpan {
    /// The number of its path: of an attribute its own, else that of its element.
    pub fn path(&self) -> u32 {
        self.path & ((1 << PATH_BITS) - 1)
    }

    /// How its value is written.
    pub fn form(&self) -> LeafForm {
        FORMS[(self.path >> PATH_BITS) as usize % FORMS.len()]
    }

    /// Where its value is, in the source or in the arena.
    pub fn span(&self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }
}

impl std::fmt::Debug for LeafSpan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}..{} of path {}, element {}", self.form(), self.start, self.end, self.path(), self.element)
    }
}

impl LeafTable {
    /// Adds a leaf.
    #[inline(always)]
    pub(crate) fn push(&mut self, path: u32, form: LeafForm, (start, end): (usize, usize), element: u32) {
        let path = path | (form as u32) << PATH_BITS;
        self.leaves.push(LeafSpan { path, start: start as u32, end: end as u32, element });
    }

    /// The characters of a leaf. `source` is what the table was made of.
    pub fn value<'v>(&'v self, leaf: &LeafSpan, source: &'v str) -> Cow<'v, str> {
        let (start, end) = leaf.span();
        let raw = source.get(start..end).unwrap_or("");
        let mut out = String::new();
        match leaf.form() {
            LeafForm::Plain | LeafForm::Section => return Cow::Borrowed(raw),
            LeafForm::Empty => return Cow::Borrowed(""),
            LeafForm::Arena => return Cow::Borrowed(self.arena.text(leaf.start, leaf.end)),
            LeafForm::Text => push_decoded(raw, false, &mut out),
            LeafForm::Attribute => push_decoded(raw, true, &mut out),
            LeafForm::Pieces => push_pieces(raw, &mut out),
        }
        Cow::Owned(out)
    }
}

/// Whether a run of text is white space alone once it is decoded, and so no leaf.
pub(crate) fn is_blank(raw: &str, form: LeafForm) -> bool {
    let rest = raw.trim_start();
    let mut out = String::new();
    match (form, rest.as_bytes().first()) {
        (LeafForm::Text | LeafForm::Attribute, Some(b'&')) => push_decoded(rest, form == LeafForm::Attribute, &mut out),
        (LeafForm::Pieces, Some(b'&' | b'<')) => push_pieces(rest, &mut out),
        (_, first) => return first.is_none(),
    }
    out.trim().is_empty()
}

/// Appends the characters of a text or of an attribute's value.
fn push_decoded(raw: &str, attribute: bool, out: &mut String) {
    out.reserve(raw.len());
    let mut rest = raw;
    while !rest.is_empty() {
        let plain = memchr(b'&', rest.as_bytes()).unwrap_or(rest.len());
        // there are no forbidden characters in the source of a table
        parse::push_plain(&rest[..plain], attribute, out, &mut |_, _| ());
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
            out.push_str(&parse::line_ends(&inner[..end]));
        }
        rest = inner.get(end + closing.len()..).unwrap_or("");
    }
    push_decoded(rest, false, out);
}
