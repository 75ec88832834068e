//! Shared by every pass on the entries of a side: places, fields that occur, and the context that affects the meaning
//! of entries. The passes themselves are elsewhere.

use std::io;

use super::hash::{Hash128, Hasher};
use super::result::InputRemark;
use crate::convert::Document;
use crate::error::Error;
use crate::format::{Family, Format, Survey};
use crate::model::{Entry, Feed, Field};
use crate::survey;
use crate::xml::chunk::{Chunk, Trouble};

/// Which fields occur: a bit for each.
pub(super) type Fields = [u64; 6];

pub(super) fn mark(fields: &mut Fields, field: Field) {
    let number = field as usize;
    if let Some(word) = fields.get_mut(number / 64) {
        *word |= 1 << (number % 64);
    }
}

pub(super) fn has(fields: &Fields, field: Field) -> bool {
    let number = field as usize;
    fields.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
}

/// How entries are hashed in the first pass.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum HashMode {
    /// By their bytes: both sides have one format and the same markup around their entries.
    Bytes,
    /// By what they say.
    Said,
    /// By what they say in this format.
    In(&'static Format),
}

/// The bit of a place that marks side B.
pub(super) const B: u64 = 1 << 63;

pub(super) fn temporary(error: io::Error) -> Error {
    Error::temporary(error)
}

/// The place after the last entry of a chunk, lost ones included.
pub(super) fn end_of(chunk: &Chunk) -> u64 {
    let lost = chunk.trouble.iter().filter(|trouble| trouble.lost).filter_map(|trouble| trouble.entry);
    lost.map(|entry| entry + 1).max().unwrap_or(0).max(chunk.first + chunk.pieces.len() as u64)
}

/// The hash of the context that affects the meaning of the entries of a chunk: start tags with their namespaces, and
/// the values of the head that readers use.
pub(super) fn ground(document: &Document<'_>, tags: &str, hasher: &Hasher) -> Hash128 {
    hasher.bytes(format!("{tags}\n{}", asked_of(&document.feed)).as_bytes())
}

/// What readers ask of a head.
pub(super) fn asked_of(feed: &Feed<'_>) -> String {
    serde_json::to_string(&(&feed.media, &feed.base, &feed.self_url, &feed.language)).unwrap_or_default()
}

/// Equal to what was lost at the same place of the same document.
pub(super) fn lost(hasher: &Hasher, place: u64) -> Hash128 {
    hasher.bytes(format!("lost {place}").as_bytes())
}

/// A problem of an input, as a remark.
pub(super) fn remark_on(document: &Document<'_>, trouble: &Trouble) -> InputRemark {
    let says = format!("{}; {}", trouble.found, trouble.done);
    InputRemark { name: document.info.name.clone(), line: trouble.line, code: trouble.code, says }
}

/// Notes what an entry contributes to the facts about its document.
pub(super) fn note(entry: &Entry<'_>, family: &'static Family, fields: &mut Fields, survey: &mut Survey) {
    entry.each_leaf(&mut |seen| mark(fields, seen.field));
    survey::look(entry, family, survey);
}
