//! How the first pass looks at an entry: by its bytes, by what it says, or by what it says once it is written in another
//! format. What follows from equal hashes is told elsewhere.

use super::hash::{Hash, Hasher};
use super::losses::Losses;
use super::passes::{Fields, Pass, end_of, ground, lost, note, remark_on};
use super::project::{Projection, Writing, Written, format_of};
use super::result::Remark;
use super::revisions;
use super::twins::Twins;
use crate::convert::{Document, RawEntry, Reading, raw_entry, read_entry};
use crate::format::{Around, Survey};
use crate::options::Options;
use crate::pages;
use crate::xml::split::{Chunk, Context};

/// One entry in the first pass.
pub(super) struct Row {
    pub number: u64,
    pub key: Hash,
    pub content: Hash,
}

/// What the first pass found in a chunk.
#[derive(Default)]
pub(super) struct Glance {
    pub rows: Vec<Row>,
    /// What entries of a page may be one by.
    pub ids: Vec<Hash>,
    pub remarks: Vec<Remark>,
    pub fields: Fields,
    /// What was left out of entries that were written.
    pub lost: Losses,
    pub survey: Survey,
    pub end: u64,
}

/// An entry whose content is known once it is read back.
struct Pending {
    row: usize,
    written: Written,
    has_key: bool,
}

/// How the first pass looks at entries.
pub(super) struct Looking<'d> {
    document: &'d Document<'d>,
    pass: Pass,
    by_page: bool,
    projection: Option<Projection<'d>>,
    hasher: &'d Hasher,
    options: &'d Options,
    base: u64,
    bit: u64,
    twins: &'d Twins<'d, 'd>,
}

impl<'d> Looking<'d> {
    /// At the entries of a document, of which the first stands at this place of the side with this bit.
    pub fn new(
        (document, base, bit): (&'d Document<'d>, u64, u64),
        (pass, by_page): (Pass, bool),
        (hasher, twins): (&'d Hasher, &'d Twins<'d, 'd>),
        options: &'d Options,
    ) -> Looking<'d> {
        let projection = match pass {
            Pass::In(target) if format_of(document) != target => {
                Projection::new(document, target, options, &Survey::default())
            }
            Pass::In(_) | Pass::Bytes | Pass::Said => None,
        };
        Looking { document, pass, by_page, projection, hasher, options, base, bit, twins }
    }

    /// At all of a chunk.
    pub fn chunk(&self, chunk: &Chunk) -> Glance {
        let mut glance = Glance { end: end_of(chunk), ..Glance::default() };
        let raws = chunk.pieces.iter().enumerate().map(|(offset, piece)| raw_entry(chunk, piece, offset));
        self.entries(raws, &chunk.context, &mut glance);
        // what was lost is like nothing, unless all is the same; then nobody else will tell of it
        for trouble in chunk.trouble.iter().filter(|trouble| trouble.lost) {
            let Some(number) = trouble.entry else { continue };
            let content = match self.twins.are() {
                true => lost(self.hasher, self.base + number),
                false => self.alone(number),
            };
            if self.twins.are() {
                glance.remarks.push(remark_on(self.document, trouble));
            }
            glance.rows.push(Row { number, key: content, content });
        }
        glance
    }

    /// At entries that stand in the same elements.
    pub fn entries<'t>(&self, raws: impl Iterator<Item = RawEntry<'t>>, context: &'t Context, glance: &mut Glance) {
        let ground = ground(self.document, &context.tags, self.hasher);
        let mut reading = Reading::of(context);
        let around = Around { feed: Some(&self.document.feed), options: self.options };
        let format = format_of(self.document);
        let family = format.family;
        let mut writing = self.projection.as_ref().map(Writing::new);
        let mut pending = Vec::new();
        for raw in raws {
            let number = raw.number;
            let read = match self.pass {
                Pass::Bytes => None,
                Pass::Said | Pass::In(_) => read_entry(self.document.format, &raw, &mut reading, around).ok(),
            };
            let Some(entry) = read else {
                let content = self.hasher.raw(ground, raw.text);
                glance.rows.push(Row { number, key: content, content });
                continue;
            };
            note(&entry, family, &mut glance.fields, &mut glance.survey);
            glance.ids.extend(revisions::id(&entry, format, self.hasher).filter(|_| self.by_page));
            let key = pages::key(&entry, family).filter(|_| self.by_page);
            let key = key.map(|key| self.hasher.bytes(key.as_bytes()));
            let content = match &mut writing {
                Some(writing) => {
                    let written = writing.entry(entry);
                    pending.push(Pending { row: glance.rows.len(), written, has_key: key.is_some() });
                    Hash::default()
                }
                None => self.hasher.entry(&entry, family),
            };
            glance.rows.push(Row { number, key: key.unwrap_or(content), content });
        }
        if let Some(writing) = writing {
            glance.lost.add(&writing.losses());
            self.read_back(&writing, pending, &mut glance.rows);
        }
    }

    /// Finds out what entries say once they are written.
    fn read_back(&self, writing: &Writing<'_, '_>, pending: Vec<Pending>, rows: &mut [Row]) {
        let projection = writing.projection;
        let mut reading = Reading::of(projection.context());
        let family = projection.target.family;
        for Pending { row, written, has_key } in pending {
            let Some(row) = rows.get_mut(row) else { continue };
            let content = projection.read(writing.text(&written), &written, &mut reading, |entries| match entries {
                // one that lost a video is told of, however alike the two are
                [one] if written.videos.is_empty() => self.hasher.entry(one, family),
                _ => self.alone(row.number),
            });
            row.content = content;
            if !has_key {
                row.key = content;
            }
        }
    }

    /// Equal to nothing.
    fn alone(&self, number: u64) -> Hash {
        self.hasher.bytes(format!("alone {} {number} {}", self.bit, self.document.info.name).as_bytes())
    }
}
