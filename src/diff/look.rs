//! Hashes an entry in the first pass: by its bytes, by its content, or by its content once written in another format.
//! Equal hashes are evaluated elsewhere.

use super::hash::{Hash128, Hasher};
use super::ids;
use super::losses::FieldLosses;
use super::passes::{Fields, HashMode, end_of, ground, lost, note, remark_on};
use super::project::{ProjectedEntry, Projection, ProjectionWriter, format_of};
use super::result::InputRemark;
use super::twins::IdenticalInputs;
use crate::convert::{Document, EntryReader, RawEntry, raw_entry, read_entry};
use crate::format::Survey;
use crate::options::Options;
use crate::pages;
use crate::xml::chunk::{Chunk, Context};

/// One entry in the first pass.
pub(super) struct HashedEntry {
    pub number: u64,
    pub key: Hash128,
    pub content: Hash128,
}

/// What the first pass found in a chunk.
#[derive(Default)]
pub(super) struct ChunkHashes {
    pub rows: Vec<HashedEntry>,
    /// What entries of a page may be one by.
    pub ids: Vec<Hash128>,
    pub remarks: Vec<InputRemark>,
    pub fields: Fields,
    /// Values of written entries that were omitted.
    pub lost: FieldLosses,
    pub survey: Survey,
    pub end: u64,
}

/// An entry whose content is known once it is read back.
struct PendingEntry {
    row: usize,
    written: ProjectedEntry,
    has_key: bool,
}

/// How the first pass looks at entries.
pub(super) struct FirstPass<'d> {
    document: &'d Document<'d>,
    pass: HashMode,
    by_page: bool,
    projection: Option<Projection<'d>>,
    hasher: &'d Hasher,
    options: &'d Options,
    base: u64,
    bit: u64,
    twins: &'d IdenticalInputs<'d, 'd>,
}

impl<'d> FirstPass<'d> {
    /// Over the entries of a document whose first entry is at this place of the side with this bit.
    pub fn new(
        (document, base, bit): (&'d Document<'d>, u64, u64),
        (pass, by_page): (HashMode, bool),
        (hasher, twins): (&'d Hasher, &'d IdenticalInputs<'d, 'd>),
        options: &'d Options,
    ) -> FirstPass<'d> {
        let projection = match pass {
            HashMode::In(target) if format_of(document) != target => {
                Projection::new(document, target, options, &Survey::default())
            }
            HashMode::In(_) | HashMode::Bytes | HashMode::Said => None,
        };
        FirstPass { document, pass, by_page, projection, hasher, options, base, bit, twins }
    }

    /// At all of a chunk.
    pub fn chunk(&self, chunk: &Chunk) -> ChunkHashes {
        let mut glance = ChunkHashes { end: end_of(chunk), ..ChunkHashes::default() };
        let raws = chunk.pieces.iter().enumerate().map(|(offset, piece)| raw_entry(chunk, piece, offset));
        self.entries(raws, &chunk.context, &mut glance);
        // an unreadable entry equals no other; only identical inputs have no later pass to report it
        for trouble in chunk.trouble.iter().filter(|trouble| trouble.lost) {
            let Some(number) = trouble.entry else { continue };
            let content = match self.twins.are() {
                true => lost(self.hasher, self.base + number),
                false => self.unique_hash(number),
            };
            if self.twins.are() {
                glance.remarks.push(remark_on(self.document, trouble));
            }
            glance.rows.push(HashedEntry { number, key: content, content });
        }
        glance
    }

    /// Hashes entries that share their surrounding elements.
    pub fn entries<'t>(
        &self,
        raws: impl Iterator<Item = RawEntry<'t>>,
        context: &'t Context,
        glance: &mut ChunkHashes,
    ) {
        let ground = ground(self.document, &context.tags, self.hasher);
        let mut reading = EntryReader::new(context);
        let around = self.document.around(self.options);
        let format = format_of(self.document);
        let family = format.family;
        let mut writing = self.projection.as_ref().map(ProjectionWriter::new);
        let mut pending = Vec::new();
        for raw in raws {
            let number = raw.number;
            let read = match self.pass {
                HashMode::Bytes => None,
                HashMode::Said | HashMode::In(_) => read_entry(self.document.format, &raw, &mut reading, around).ok(),
            };
            let Some(entry) = read else {
                let content = self.hasher.raw(ground, raw.text);
                glance.rows.push(HashedEntry { number, key: content, content });
                continue;
            };
            note(&entry, family, &mut glance.fields, &mut glance.survey);
            glance.ids.extend(ids::id(&entry, format, self.hasher).filter(|_| self.by_page));
            let key = pages::key(&entry, family).filter(|_| self.by_page);
            let key = key.map(|key| self.hasher.bytes(key.as_bytes()));
            let content = match &mut writing {
                Some(writing) => {
                    let written = writing.entry(entry);
                    pending.push(PendingEntry { row: glance.rows.len(), written, has_key: key.is_some() });
                    Hash128::default()
                }
                None => self.hasher.entry(&entry, family),
            };
            glance.rows.push(HashedEntry { number, key: key.unwrap_or(content), content });
        }
        if let Some(writing) = writing {
            glance.lost.add(&writing.losses());
            self.read_back(&writing, pending, &mut glance.rows);
        }
    }

    /// Finds out what entries say once they are written.
    fn read_back(&self, writing: &ProjectionWriter<'_, '_>, pending: Vec<PendingEntry>, rows: &mut [HashedEntry]) {
        let projection = writing.projection;
        let mut reading = EntryReader::new(projection.context());
        let family = projection.target.family;
        for PendingEntry { row, written, has_key } in pending {
            let Some(row) = rows.get_mut(row) else { continue };
            let content = projection.read(writing.text(&written), &written, &mut reading, |entries| match entries {
                // a dropped video is always reported, even if the entries are otherwise equal
                [one] if written.videos.is_empty() => self.hasher.entry(one, family),
                _ => self.unique_hash(row.number),
            });
            row.content = content;
            if !has_key {
                row.key = content;
            }
        }
    }

    /// Equal to nothing.
    fn unique_hash(&self, number: u64) -> Hash128 {
        self.hasher.bytes(format!("alone {} {number} {}", self.bit, self.document.info.name).as_bytes())
    }
}
