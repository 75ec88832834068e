//! One side of a comparison: its documents, and the first pass over their entries, which hashes every entry. Where both sides
//! can be walked over side by side, that is lockstep.rs; the second pass is pick.rs.

use super::hash::{Hash128, Hasher};
use super::lockstep::SideFacts;
use super::look::{ChunkHashes, FirstPass};
use super::losses::FieldLosses;
use super::passes::{Fields, HashMode, ground, mark, temporary};
use super::project::format_of;
use super::result::{InputRemark, SideInfo};
use super::twins::IdenticalInputs;
use crate::convert::{Document, Input, Runs, each_batch_to};
use crate::diff::ids::RepeatedIds;
use crate::error::Error;
use crate::format::{Format, Survey};
use crate::options::Options;
use crate::survey;
use crate::xml::chunk::{Chunk, Trouble};

/// How many remarks are listed; further ones are only counted.
const REMARKS: usize = 20;

/// One side.
pub(super) struct ComparedSide<'i> {
    /// Its name.
    pub name: String,
    /// Its documents, in order.
    pub documents: Vec<Document<'i>>,
    /// 1 for B: the highest bit of a place.
    pub bit: u64,
    /// Entries, lost ones too.
    pub entries: u64,
    /// The first pass found entries that are one with others by their ids.
    pub has_revisions: bool,
    /// Which fields occur.
    pub fields: Fields,
    /// Values omitted when its entries are written in the format of the other side.
    pub lost: FieldLosses,
    /// Surveys of its documents.
    pub surveys: Vec<Survey>,
    /// Problems of its inputs.
    pub remarks: Vec<InputRemark>,
    /// Remarks that are not listed.
    pub untold: u64,
}

/// The tables of the first pass: hash and place; or, where pages are compared as a whole, key, place and hash.
pub(super) enum FirstPassTable<'o> {
    Entries(Runs<'o, 3>),
    Pages(Runs<'o, 5>),
}

impl<'i> ComparedSide<'i> {
    /// Opens the inputs, or only what they `begin` with.
    ///
    /// # Errors
    /// Unreadable, unknown, or with a head that cannot be read.
    pub fn open(
        (name, inputs): (&str, &[&'i dyn Input]),
        bit: u64,
        (from, options): (Option<&'static Format>, &Options),
        begin: bool,
    ) -> Result<ComparedSide<'i>, Error> {
        let open = |input: &&'i dyn Input| {
            let document = match begin {
                true => Document::begin(*input, from, options),
                false => Document::open(*input, from, options),
            };
            document.map_err(|error| error.in_input(input.name()))
        };
        let documents = inputs.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let mut side = ComparedSide {
            name: name.to_owned(),
            surveys: vec![Survey::default(); documents.len()],
            documents,
            bit,
            entries: 0,
            has_revisions: false,
            fields: [0; 6],
            lost: FieldLosses::default(),
            remarks: Vec::new(),
            untold: 0,
        };
        for index in 0..side.documents.len() {
            side.add_document(index);
        }
        Ok(side)
    }

    fn add_document(&mut self, index: usize) {
        let Some(document) = self.documents.get(index) else { return };
        let name = document.info.name.clone();
        let (trouble, untold) = (document.trouble.clone(), document.untold);
        document.feed.each_leaf(&mut |seen| mark(&mut self.fields, seen.field));
        trouble.iter().for_each(|trouble| self.add_trouble(&name, trouble));
        self.untold += untold;
    }

    /// Notes what is wrong with an input.
    fn add_trouble(&mut self, name: &str, trouble: &Trouble) {
        let says = format!("{}; {}", trouble.found, trouble.done);
        self.remark(InputRemark { name: name.to_owned(), line: trouble.line, code: trouble.code, says });
    }

    pub(super) fn remark(&mut self, remark: InputRemark) {
        if self.remarks.len() < REMARKS { self.remarks.push(remark) } else { self.untold += 1 }
    }

    /// Notes what a walk over its entries found.
    pub fn add_facts(&mut self, told: SideFacts) {
        self.entries = told.entries;
        self.has_revisions = told.has_revisions;
        self.fields.iter_mut().zip(told.fields).for_each(|(all, word)| *all |= word);
        self.lost.add(&told.lost);
        if let [survey] = self.surveys.as_mut_slice() {
            survey::merge(survey, told.survey);
        }
    }

    /// Its name, formats and number of entries.
    pub fn info(&self) -> SideInfo {
        let mut formats: Vec<&str> = self.documents.iter().map(|document| document.info.format.as_str()).collect();
        formats.sort_unstable();
        formats.dedup();
        let (name, format) = (self.name.clone(), formats.join(", "));
        SideInfo { name, format, entries: self.entries, fetched: Vec::new() }
    }

    /// The formats of what its documents hold.
    pub fn formats(&self) -> Vec<&'static Format> {
        let mut formats: Vec<&'static Format> = Vec::new();
        for document in &self.documents {
            let format = format_of(document);
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
        formats
    }

    /// The hash of the context of its first entry, read from its first document.
    ///
    /// # Errors
    /// An error while reading.
    pub fn ground(&self, hasher: &Hasher, options: &Options) -> Result<Option<Hash128>, Error> {
        let Some(document) = self.documents.first() else { return Ok(None) };
        let mut cutter = document.cutter(options)?;
        let chunk = cutter.next_chunk_into(Chunk::default());
        let chunk = chunk.map_err(|error| Error::io(document.info.name.clone(), error))?;
        Ok(chunk.map(|chunk| ground(document, &chunk.context.tags, hasher)))
    }

    /// The first pass.
    ///
    /// # Errors
    /// An error while reading, or a temporary file. `Ok(None)` if a document that was only begun held more of a head.
    pub fn look<'o>(
        &mut self,
        (pass, by_page): (HashMode, bool),
        (hasher, twins): (&Hasher, &IdenticalInputs<'_, '_>),
        options: &'o Options,
    ) -> Result<Option<FirstPassTable<'o>>, Error> {
        let dir = options.temp_dir.as_deref();
        let mut table = match by_page {
            true => FirstPassTable::Pages(Runs::new(options.memory / 2, dir)),
            false => FirstPassTable::Entries(Runs::new(options.memory / 2, dir)),
        };
        let mut ids = RepeatedIds::for_formats(self.formats().into_iter(), by_page, options);
        let documents = std::mem::take(&mut self.documents);
        let mut whole = true;
        for (index, document) in documents.iter().enumerate() {
            let base = self.entries;
            let looking = FirstPass::new((document, base, self.bit), (pass, by_page), (hasher, twins), options);
            let mut last = base;
            let mut done = |_: &[Chunk], glances: Vec<ChunkHashes>| {
                for glance in glances {
                    for (at, word) in glance.fields.iter().enumerate() {
                        self.fields[at] |= word;
                    }
                    self.lost.add(&glance.lost);
                    survey::merge(&mut self.surveys[index], glance.survey);
                    last = last.max(base + glance.end);
                    for remark in glance.remarks {
                        self.remark(remark);
                    }
                    glance.ids.into_iter().try_for_each(|id| ids.push(id)).map_err(temporary)?;
                    for row in glance.rows {
                        let place = self.bit | (base + row.number);
                        match &mut table {
                            FirstPassTable::Entries(runs) => runs.push([row.content[0], row.content[1], place]),
                            FirstPassTable::Pages(runs) => {
                                runs.push([row.key[0], row.key[1], place, row.content[0], row.content[1]])
                            }
                        }
                        .map_err(temporary)?;
                    }
                }
                Ok(())
            };
            let mut end = |frame, findings| {
                whole &= !document.begun || document.was_all(&frame, &findings, options);
                Ok(())
            };
            each_batch_to(document, options, &|chunk| looking.chunk(chunk), &mut done, &mut end)
                .map_err(|error| error.in_input(&document.info.name))?;
            self.entries = last;
        }
        self.documents = documents;
        self.has_revisions = ids.any_returns().map_err(temporary)?;
        Ok(whole.then_some(table))
    }
}
