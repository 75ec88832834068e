//! Surveys all entries before writing: collects the values needed for the head of the output and finds entries that
//! share a page. `pages` joins them.

use std::collections::{BinaryHeap, HashMap};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tempfile::SpooledTempFile;

use super::chunks::each_batch;
use super::document::Document;
use super::keys::{PageKeys, RepeatedPage, Secret};
use super::read::{EntryReader, RawEntry, raw_entry};
use super::runs::scratch;
use crate::convert::trouble::unreadable;
use crate::error::Error;
use crate::format::medium::video_key;
use crate::format::{self, Family, PageGrouping, Survey};
use crate::markup::TokeniserMemory;
use crate::model::{Entry, IntoOwned};
use crate::options::Options;
use crate::pages;
use crate::survey;
use crate::xml::chunk::{Chunk, Context};
use crate::xml::limits::TreeError;

/// Bits of a place that are the entry's number in its document; the others are the document's.
const NUMBER: u32 = 40;

/// The place of an entry among those of all documents.
pub(super) fn ordinal(document: usize, number: u64) -> u64 {
    (document as u64) << NUMBER | number
}

/// Bytes of each kind of keys that are held in memory at most: a file of sorted runs costs less than they do.
const HELD_KEYS: usize = 4 << 20;

/// Bytes of texts that are held before they go to a temporary file.
pub(super) const HELD: usize = 1 << 20;

/// Surveys all entries, and fetches those whose page occurs again.
///
/// # Errors
/// An error while reading, or of a temporary file.
pub(super) fn look(
    documents: &[Document<'_>],
    options: &Options,
    groups: PageGrouping,
) -> Result<(Survey, JoinedEntries), Error> {
    let looking = SurveyOptions::new(groups);
    let mut looked = DocumentSurvey::new(options);
    for (index, document) in documents.iter().enumerate() {
        let glance = |chunk: &Chunk| ChunkSurvey::new(chunk, document, options, &looking);
        each_batch(document, options, &glance, &mut |_, glances| {
            glances.into_iter().try_for_each(|glance| looked.add(index, glance))
        })?;
    }
    let (survey, returns) = looked.end()?;
    Ok((survey, JoinedEntries::fetch(&returns, documents, options)?))
}

/// Surveys the first entries of a document, to guess the result for all of them; `None` if a page already occurs twice
/// among them. The entries are passed on if they are in memory.
///
/// # Errors
/// An error while reading.
pub(super) fn first_look<'c>(
    document: &'c Document<'_>,
    options: &'c Options,
    groups: PageGrouping,
) -> Result<Option<(Survey, Option<EntriesInMemory<'c>>)>, Error> {
    if let Some(already) = document.first_chunk().and_then(|chunk| EntriesInMemory::read(chunk, document, options)) {
        let (survey, returns) = already.survey_all(document, options, groups)?;
        return Ok(returns.is_empty().then_some((survey, Some(already))));
    }
    let chunk = document.cutter(options)?.next_chunk_into(Chunk::default());
    let chunk = chunk.map_err(|error| unreadable(document.input.name(), error))?;
    let Some(chunk) = chunk else { return Ok(Some(Default::default())) };
    let mut looked = DocumentSurvey::new(options);
    looked.add(0, ChunkSurvey::new(&chunk, document, options, &SurveyOptions::new(groups)))?;
    let (survey, returns) = looked.end()?;
    Ok(returns.is_empty().then_some((survey, None)))
}

/// Entries of a document that are in memory, all or those that it begins with: read once, to be looked at and then
/// written.
pub(super) struct EntriesInMemory<'c> {
    pub chunk: &'c Chunk,
    pub entries: Vec<Result<Entry<'c>, TreeError>>,
    pub learned: TokeniserMemory,
}

/// Entries that are in memory at once.
const ALREADY: usize = 512;

impl<'c> EntriesInMemory<'c> {
    /// Reads all entries of a document; `None` if they are not in memory, or are many.
    pub fn read_document(document: &'c Document<'_>, options: &'c Options) -> Option<EntriesInMemory<'c>> {
        EntriesInMemory::read(document.held_chunk()?, document, options)
    }

    fn read(chunk: &'c Chunk, document: &'c Document<'_>, options: &'c Options) -> Option<EntriesInMemory<'c>> {
        if chunk.pieces.len() > ALREADY {
            return None;
        }
        let mut reading = EntryReader::new(&chunk.context);
        let mut read = |(offset, piece)| document.read(&raw_entry(chunk, piece, offset), &mut reading, options);
        let entries = chunk.pieces.iter().enumerate().map(&mut read).collect();
        Some(EntriesInMemory { chunk, entries, learned: reading.learned() })
    }

    /// Surveys all documents.
    ///
    /// # Errors
    /// An error while reading, or of a temporary file.
    pub fn look(
        &self,
        documents: &[Document<'_>],
        options: &Options,
        groups: PageGrouping,
    ) -> Result<(Survey, JoinedEntries), Error> {
        let Some(document) = documents.first() else { return Ok(Default::default()) };
        let (survey, returns) = self.survey_all(document, options, groups)?;
        Ok((survey, JoinedEntries::fetch(&returns, documents, options)?))
    }

    fn survey_all(
        &self,
        document: &Document<'_>,
        options: &Options,
        groups: PageGrouping,
    ) -> Result<(Survey, Vec<RepeatedPage>), Error> {
        let (looking, mut looked) = (SurveyOptions::new(groups), DocumentSurvey::new(options));
        let mut glance = ChunkSurvey::default();
        let family = format::family_format(document.format, &document.feed).family;
        for (number, entry) in (self.chunk.first..).zip(&self.entries) {
            if let Ok(entry) = entry {
                looking.entry(entry, number, family, &mut glance);
            }
        }
        looked.add(0, glance)?;
        looked.end()
    }
}

fn temporary(error: io::Error) -> Error {
    Error::temporary(error)
}

/// Entries that have a page or an id with another are one, whichever it is; their first is the first of all of them.
fn united(pages: Vec<RepeatedPage>, ids: Vec<RepeatedPage>) -> Vec<RepeatedPage> {
    if ids.is_empty() {
        return pages;
    }
    let mut parents: HashMap<u64, u64> = HashMap::new();
    fn root(parents: &mut HashMap<u64, u64>, mut place: u64) -> u64 {
        while let Some(&parent) = parents.get(&place) {
            let above = parents.get(&parent).copied().unwrap_or(parent);
            parents.insert(place, above);
            place = parent;
        }
        place
    }
    for RepeatedPage { place, first } in pages.into_iter().chain(ids) {
        let (a, b) = (root(&mut parents, place), root(&mut parents, first));
        if a != b {
            parents.insert(a.max(b), a.min(b));
        }
    }
    let places: Vec<u64> = parents.keys().copied().collect();
    let mut returns: Vec<RepeatedPage> =
        places.into_iter().map(|place| RepeatedPage { place, first: root(&mut parents, place) }).collect();
    returns.sort_unstable();
    returns
}

/// What was found out about all entries so far.
pub(super) struct DocumentSurvey<'o> {
    survey: Survey,
    keys: PageKeys<'o>,
    ids: PageKeys<'o>,
    videos: PageKeys<'o>,
}

/// What occurs again of one kind of key.
#[derive(Clone, Debug, Default)]
pub(crate) struct RepeatedKeys {
    /// Different keys.
    pub different: u64,
    /// Further occurrences of a key.
    pub again: u64,
    /// The first of these.
    pub first: Vec<RepeatedPage>,
}

/// How many examples there are of what occurs again.
const REPEATED: usize = 10;

impl RepeatedKeys {
    fn find(keys: PageKeys<'_>, visit: &mut dyn FnMut(RepeatedPage)) -> io::Result<RepeatedKeys> {
        let (mut again, mut first) = (0, BinaryHeap::new());
        let different = keys.each_return(&mut |found| {
            again += 1;
            first.push(found);
            if first.len() > REPEATED {
                first.pop();
            }
            visit(found);
        })?;
        Ok(RepeatedKeys { different, again, first: first.into_sorted_vec() })
    }
}

/// What occurs again among the entries of a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repeats {
    pub pages: RepeatedKeys,
    pub ids: RepeatedKeys,
    pub videos: RepeatedKeys,
}

impl<'o> DocumentSurvey<'o> {
    pub fn new(options: &'o Options) -> DocumentSurvey<'o> {
        let dir = options.temp_dir.as_deref();
        let keys = || PageKeys::new(options.memory.min(HELD_KEYS), dir);
        DocumentSurvey { survey: Survey::default(), keys: keys(), ids: keys(), videos: keys() }
    }

    /// Adds what was found in a chunk of the document with this index.
    ///
    /// # Errors
    /// A temporary file.
    pub fn add(&mut self, index: usize, glance: ChunkSurvey) -> Result<(), Error> {
        survey::merge(&mut self.survey, glance.survey);
        for (number, hash) in glance.keys {
            self.keys.push(hash, ordinal(index, number)).map_err(temporary)?;
        }
        for (number, hash) in glance.ids {
            self.ids.push(hash, ordinal(index, number)).map_err(temporary)?;
        }
        for (number, hash) in glance.videos {
            self.videos.push(hash, ordinal(index, number)).map_err(temporary)?;
        }
        Ok(())
    }

    /// What the head must know, so far.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Like [`DocumentSurvey::end`], with the keys that occur again. Entries with one id are only joined in a document
    /// of this family.
    ///
    /// # Errors
    /// A temporary file.
    pub fn end_with_repeats(
        self,
        family: &'static Family,
        joins: bool,
    ) -> Result<(Survey, Vec<RepeatedPage>, Repeats), Error> {
        let (mut pages, mut ids) = (Vec::new(), Vec::new());
        let mut page = |found| {
            if joins {
                pages.push(found)
            }
        };
        let mut id = |found| {
            if joins && family.revisions {
                ids.push(found)
            }
        };
        let repeats = Repeats {
            pages: RepeatedKeys::find(self.keys, &mut page).map_err(temporary)?,
            ids: RepeatedKeys::find(self.ids, &mut id).map_err(temporary)?,
            videos: RepeatedKeys::find(self.videos, &mut |_| ()).map_err(temporary)?,
        };
        pages.sort_unstable();
        ids.sort_unstable();
        Ok((self.survey, united(pages, ids), repeats))
    }

    /// The survey for the head, and in order the entries whose page occurred before.
    ///
    /// # Errors
    /// A temporary file.
    pub fn end(self) -> Result<(Survey, Vec<RepeatedPage>), Error> {
        let pages = self.keys.returns().map_err(temporary)?;
        Ok((self.survey, united(pages, self.ids.returns().map_err(temporary)?)))
    }
}

/// How entries are looked at.
pub(super) struct SurveyOptions {
    groups: PageGrouping,
    repeats: bool,
    secret: Secret,
}

impl SurveyOptions {
    /// For entries of one page too, if they become one.
    pub fn new(groups: PageGrouping) -> SurveyOptions {
        SurveyOptions { groups, repeats: false, secret: Secret::default() }
    }

    /// For whatever occurs again.
    pub fn for_repeats() -> SurveyOptions {
        SurveyOptions { groups: PageGrouping::Always, repeats: true, secret: Secret::default() }
    }

    /// Notes an entry that is only a URL, which is its own key. An entry like it was surveyed before, so it adds
    /// nothing to the head.
    pub fn address(&self, address: &str, number: u64, glance: &mut ChunkSurvey) {
        if self.groups != PageGrouping::Never {
            glance.keys.push((number, self.secret.hash(address.as_bytes())));
        }
    }

    /// Looks at one entry.
    pub fn entry(&self, entry: &Entry<'_>, number: u64, family: &'static Family, glance: &mut ChunkSurvey) {
        if entry.origin.is_skipped() {
            return;
        }
        survey::look(entry, family, &mut glance.survey);
        if !self.groups.joins(family) {
            return;
        }
        let hash = |key: &str| self.secret.hash(key.as_bytes());
        if let Some(key) = pages::key(entry, family) {
            glance.keys.push((number, hash(&key)));
        }
        if let Some(id) = entry.id.as_ref().filter(|_| self.repeats || family.revisions) {
            glance.ids.push((number, hash(&id.value)));
        }
        if self.repeats {
            let keys = entry.videos.iter().filter_map(video_key);
            glance.videos.extend(keys.map(|key| (number, hash(&key))));
        }
    }
}

/// What the first look at a chunk found.
#[derive(Default)]
pub(super) struct ChunkSurvey {
    survey: Survey,
    keys: Vec<(u64, [u64; 2])>,
    ids: Vec<(u64, [u64; 2])>,
    videos: Vec<(u64, [u64; 2])>,
}

impl ChunkSurvey {
    /// Makes room for the keys of so many entries.
    pub(super) fn expect(&mut self, entries: usize) {
        self.keys.reserve(entries);
    }

    pub(super) fn new(
        chunk: &Chunk,
        document: &Document<'_>,
        options: &Options,
        looking: &SurveyOptions,
    ) -> ChunkSurvey {
        let mut glance = ChunkSurvey::default();
        let mut reading = EntryReader::new(&chunk.context);
        let family = format::family_format(document.format, &document.feed).family;
        for (offset, piece) in chunk.pieces.iter().enumerate() {
            let raw = raw_entry(chunk, piece, offset);
            let Ok(entry) = document.read(&raw, &mut reading, options) else { continue };
            looking.entry(&entry, raw.number, family, &mut glance);
        }
        glance
    }
}

/// Which entries are one page with an earlier one, and the later ones themselves: their texts wait in a file.
#[derive(Default)]
pub(super) struct JoinedEntries {
    /// The places of the later ones, in order.
    later: Vec<u64>,
    /// For the first of each page where a later one waits, in order.
    of: Vec<(u64, u64)>,
    contexts: Vec<Arc<Context>>,
    texts: Option<Mutex<SpooledTempFile>>,
    large: Mutex<()>,
}

/// A piece has so much less text than there is memory: as a model it takes about seventy times as much as its text, and each
/// thread may hold one.
const SHARE: usize = 1 << 10;

/// Bytes of text that are joined at once.
pub(super) fn piece(options: &Options) -> usize {
    options.memory / SHARE
}

/// The later entries of one page.
#[derive(Clone, Copy)]
pub(super) struct LaterEntries<'j> {
    joins: &'j JoinedEntries,
    /// The place of the first, and where their texts are.
    waiting: &'j [(u64, u64)],
    documents: &'j [Document<'j>],
    options: &'j Options,
}

impl LaterEntries<'_> {
    /// Whether the page does not return.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The one with this number; `None` if it cannot be read.
    ///
    /// # Errors
    /// A temporary file that cannot be read.
    pub fn get(&self, number: usize) -> Result<Option<Entry<'static>>, Error> {
        let Some((_, at)) = self.waiting.get(number) else { return Ok(None) };
        self.joins.fetched(*at, self.documents, self.options).map_err(temporary)
    }

    /// All of them, unless they have more bytes of text than this.
    ///
    /// # Errors
    /// A temporary file that cannot be read.
    pub fn within(&self, bytes: usize) -> Result<Option<Vec<Entry<'static>>>, Error> {
        let (mut entries, mut size) = (Vec::new(), 0);
        for number in 0..self.len() {
            let Some(entry) = self.get(number)? else { continue };
            size += entry.origin.parts.iter().map(|part| part.raw.len()).sum::<usize>();
            if size > bytes {
                return Ok(None);
            }
            entries.push(entry);
        }
        Ok(Some(entries))
    }
}

/// The label of a waiting text, stored before it.
struct PendingText {
    place: u64,
    line: u32,
    column: u32,
    context: u32,
    size: u64,
}

impl PendingText {
    const SIZE: usize = 28;

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.place.to_le_bytes().to_vec();
        bytes.extend(self.line.to_le_bytes());
        bytes.extend(self.column.to_le_bytes());
        bytes.extend(self.context.to_le_bytes());
        bytes.extend(self.size.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8; PendingText::SIZE]) -> PendingText {
        let number =
            |from: usize, to: usize| bytes[from..to].iter().rev().fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte));
        PendingText {
            place: number(0, 8),
            line: number(8, 12) as u32,
            column: number(12, 16) as u32,
            context: number(16, 20) as u32,
            size: number(20, 28),
        }
    }
}

impl JoinedEntries {
    /// Fetches the later entries of a page from their documents.
    ///
    /// # Errors
    /// An error while reading, or of a temporary file.
    pub fn fetch(
        returns: &[RepeatedPage],
        documents: &[Document<'_>],
        options: &Options,
    ) -> Result<JoinedEntries, Error> {
        let mut joins = JoinedEntries::default();
        if returns.is_empty() {
            return Ok(joins);
        }
        let mut texts = scratch(HELD, options.temp_dir.as_deref());
        let mut at = 0;
        let mut rest = returns.iter().peekable();
        for (index, document) in documents.iter().enumerate() {
            each_batch(document, options, &|_| (), &mut |chunks, _| {
                for chunk in chunks {
                    let end = ordinal(index, chunk.first + chunk.pieces.len() as u64);
                    while let Some(next) = rest.next_if(|next| next.place < end) {
                        let size = joins.wait(next.place, index, chunk, &mut texts).map_err(temporary)?;
                        if size > 0 {
                            joins.of.push((next.first, at));
                            at += size;
                        }
                    }
                }
                Ok(())
            })?;
        }
        // a page's later entries stay in their order, which is that of the texts
        joins.of.sort_unstable();
        joins.later = returns.iter().map(|next| next.place).collect();
        joins.texts = Some(Mutex::new(texts));
        Ok(joins)
    }

    /// Puts one aside. Returns the bytes it took.
    fn wait(&mut self, at: u64, index: usize, chunk: &Chunk, texts: &mut SpooledTempFile) -> io::Result<u64> {
        let offset = at.checked_sub(ordinal(index, chunk.first)).and_then(|offset| usize::try_from(offset).ok());
        let Some(piece) = offset.and_then(|offset| chunk.pieces.get(offset)) else { return Ok(0) };
        let text = chunk.text.get(piece.start..piece.end).unwrap_or("");
        if self.contexts.last().is_none_or(|last| **last != *chunk.context) {
            self.contexts.push(chunk.context.clone());
        }
        let context = self.contexts.len() as u32 - 1;
        let size = text.len() as u64;
        texts.write_all(&PendingText { place: at, line: piece.line, column: piece.column, context, size }.bytes())?;
        texts.write_all(text.as_bytes())?;
        Ok(PendingText::SIZE as u64 + size)
    }

    /// Whether the entry is written together with the first of its page.
    pub fn is_later(&self, place: u64) -> bool {
        self.later.binary_search(&place).is_ok()
    }

    /// Whether later entries share a page with the one at this place.
    pub fn is_first(&self, place: u64) -> bool {
        self.of.binary_search_by_key(&place, |(first, _)| *first).is_ok()
    }

    /// The later entries of the page whose first entry is at this place, in order.
    pub fn later<'j>(&'j self, first: u64, documents: &'j [Document<'j>], options: &'j Options) -> LaterEntries<'j> {
        let start = self.of.partition_point(|(place, _)| *place < first);
        let end = self.of.partition_point(|(place, _)| *place <= first);
        LaterEntries { joins: self, waiting: self.of.get(start..end).unwrap_or_default(), documents, options }
    }

    /// Held by who joins a page that is too large for memory: one at a time.
    pub fn large(&self) -> MutexGuard<'_, ()> {
        self.large.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fetched(&self, at: u64, documents: &[Document<'_>], options: &Options) -> io::Result<Option<Entry<'static>>> {
        let Some(texts) = &self.texts else { return Ok(None) };
        let (waiting, text) = {
            let mut texts = texts.lock().unwrap_or_else(PoisonError::into_inner);
            texts.seek(SeekFrom::Start(at))?;
            let mut head = [0; PendingText::SIZE];
            texts.read_exact(&mut head)?;
            let waiting = PendingText::read(&head);
            let mut text = String::new();
            Read::by_ref(&mut *texts).take(waiting.size).read_to_string(&mut text)?;
            (waiting, text)
        };
        let context = self.contexts.get(waiting.context as usize);
        let document = documents.get((waiting.place >> NUMBER) as usize);
        let Some((context, document)) = context.zip(document) else { return Ok(None) };
        let number = waiting.place & ((1 << NUMBER) - 1);
        let (line, column) = (waiting.line, waiting.column);
        let raw = RawEntry { text: &text, context, number, line, column };
        Ok(document.read(&raw, &mut EntryReader::new(context), options).ok().map(IntoOwned::into_owned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shares_a_page_or_an_id_is_united() {
        let returns = |pairs: &[(u64, u64)]| -> Vec<RepeatedPage> {
            pairs.iter().map(|&(place, first)| RepeatedPage { place, first }).collect()
        };
        assert_eq!(united(returns(&[(3, 1)]), vec![]), returns(&[(3, 1)]));
        // 4 has the page of 2 and the id of 1, and 5 the id of 2
        let all = united(returns(&[(4, 2)]), returns(&[(4, 1), (5, 2)]));
        assert_eq!(all, returns(&[(2, 1), (4, 1), (5, 1)]));
    }
}
