//! Finds entries of two formats that are byte for byte the same once one is written in the other's format. The output
//! of a conversion can so be compared with its source without being read back. Entries that differ are left to the
//! ordinary first pass (look.rs).

use memchr::memmem;

use super::hash::{Hash128, Hasher};
use super::ids;
use super::losses::FieldLosses;
use super::pairs::WalkedEntry;
use super::passes::{Fields, asked_of, note};
use super::project::{Projection, ProjectionWriter, format_of};
use crate::convert::{Document, EntryReader, first_chunk, raw_entry, read_entry};
use crate::error::Error;
use crate::format::{self, Format, Survey};
use crate::options::Options;
use crate::pages;
use crate::xml::chunk::{Chunk, Context};
use crate::xml::scope::Scope;

/// Reads the entries of one side: as they are, or converted to the format of the other side.
pub(super) struct LiteralPass<'l> {
    document: &'l Document<'l>,
    /// Writes them, on the side of the other format.
    projection: Option<Projection<'l>>,
    hasher: &'l Hasher,
    options: &'l Options,
    /// The markup around the entries of the side already in the target format.
    context: &'l Context,
    /// Beginnings of names that mean one thing there and another one, or nothing, around what is written.
    strange: &'l [memmem::Finder<'static>],
}

/// What was found in a chunk.
#[derive(Default)]
pub(super) struct LiteralChunk {
    pub seen: Vec<WalkedEntry>,
    /// What entries of a page may be one by.
    pub ids: Vec<Hash128>,
    pub fields: Fields,
    /// Values of converted entries that were omitted.
    pub lost: FieldLosses,
    pub survey: Survey,
    /// An entry could not be read.
    pub is_odd: bool,
}

/// What both sides have in common.
pub(super) struct CommonLines {
    context: Context,
    strange: Vec<memmem::Finder<'static>>,
}

/// The context shared by two documents. `None` if the markup around the entries of the document in the target format
/// differs in meaning from that around converted entries.
///
/// # Errors
/// An error while reading.
pub(super) fn common(
    (other, own): (&Document<'_>, &Document<'_>),
    target: &'static Format,
    options: &Options,
) -> Result<Option<CommonLines>, Error> {
    let Some(projection) = Projection::new(other, target, options, &Survey::default()) else { return Ok(None) };
    let Some(chunk) = first_chunk(own, options)? else { return Ok(None) };
    let context = Context::clone(&chunk.context);
    let strange = differing_prefixes(&Scope::from_tags(&context.tags), &Scope::from_tags(&projection.context().tags));
    let is_common = context.path == projection.context().path && asked_of(&own.feed) == asked_of(&projection.feed);
    Ok(strange.filter(|_| is_common).map(|strange| CommonLines { context, strange }))
}

/// Beginnings of names that the two bind differently; nothing, if the default namespace is among them, or a language or a
/// base.
fn differing_prefixes(one: &Scope<'_>, other: &Scope<'_>) -> Option<Vec<memmem::Finder<'static>>> {
    let bound = |scope: &Scope<'_>, prefix: &str| {
        scope.bindings.iter().rev().find(|binding| binding.prefix == prefix).map(|binding| binding.uri.to_owned())
    };
    let prefixes = || one.bindings.iter().chain(&other.bindings).map(|binding| binding.prefix);
    let mut differ: Vec<&str> = prefixes().filter(|prefix| bound(one, prefix) != bound(other, prefix)).collect();
    differ.sort_unstable();
    differ.dedup();
    if differ.contains(&"") || one.lang != other.lang || one.bases != other.bases {
        return None;
    }
    let finder = |prefix: &&str| memmem::Finder::new(&format!("{prefix}:")).into_owned();
    Some(differ.iter().map(finder).collect())
}

impl<'l> LiteralPass<'l> {
    /// At the entries of a document.
    pub fn new(
        document: &'l Document<'l>,
        (target, common): (&'static Format, &'l CommonLines),
        hasher: &'l Hasher,
        options: &'l Options,
    ) -> LiteralPass<'l> {
        let projection = match format_of(document) == target {
            true => None,
            false => Projection::new(document, target, options, &Survey::default()),
        };
        LiteralPass { document, projection, hasher, options, context: &common.context, strange: &common.strange }
    }

    /// Reads a chunk whose first entry is at this place.
    pub fn chunk(&self, chunk: &Chunk, first: u64) -> LiteralChunk {
        let mut found = LiteralChunk::default();
        let mut reading = EntryReader::new(&chunk.context);
        let around = format::around(Some(&self.document.feed), self.options);
        let format = format_of(self.document);
        let family = format.family;
        let mut writing = self.projection.as_ref().map(ProjectionWriter::new);
        let stands_so = self.projection.is_some() || *chunk.context == *self.context;
        for (offset, piece) in chunk.pieces.iter().enumerate() {
            let (raw, place) = (raw_entry(chunk, piece, offset), first + offset as u64);
            let Ok(entry) = read_entry(self.document.format, &raw, &mut reading, around) else {
                found.is_odd = true;
                return found;
            };
            note(&entry, family, &mut found.fields, &mut found.survey);
            found.ids.extend(ids::id(&entry, format, self.hasher));
            let key = pages::key(&entry, family).map(|key| self.hasher.bytes(key.as_bytes())).filter(|_| stands_so);
            let hash = key.and_then(|key| match &mut writing {
                Some(writing) => {
                    writing.clear();
                    let written = writing.entry(entry);
                    // a dropped video is always reported, even if the entries are otherwise equal
                    let is_one = written.dropped.is_none() && written.videos.is_empty() && written.tops <= 1;
                    let text = writing.text(&written);
                    let is_strange = || self.strange.iter().any(|name| name.find(text.as_bytes()).is_some());
                    (is_one && !is_strange()).then(|| self.hasher.raw(key, text))
                }
                None => Some(self.hasher.raw(key, raw.text)),
            });
            let hash = hash.unwrap_or_else(|| self.unique_hash(place));
            found.seen.push(WalkedEntry { hash, place, key: key.unwrap_or_default() });
        }
        found.lost = writing.map(|writing| writing.losses()).unwrap_or_default();
        found
    }

    /// Equal to nothing.
    fn unique_hash(&self, place: u64) -> Hash128 {
        self.hasher.bytes(format!("apart {} {place}", self.projection.is_some()).as_bytes())
    }
}
