//! The second pass over a side: collects the entries without an equal, or all, with their keys. Other modules match
//! them.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use super::hash::{Hash128, Hasher};
use super::lockstep::{EntryText, PendingTexts};
use super::passes::{Fields, end_of, ground, lost, note, remark_on, temporary};
use super::project::format_of;
use super::result::InputRemark;
use super::side::ComparedSide;
use super::texts::{Label, Texts, raw};
use super::twins::IdenticalInputs;
use crate::convert::{Document, EntryReader, RawEntry, Runs, bad_place, each_batch_to, raw_entry, read_entry};
use crate::error::Error;
use crate::format::{Family, Survey};
use crate::model::{Entry, Precision, TextKind};
use crate::options::Options;
use crate::pages;
use crate::survey;
use crate::text::{html, url};
use crate::xml::chunk::{Chunk, Context};

/// What the second pass found.
pub(super) struct SecondPassResult<'o> {
    /// The entries.
    pub texts: Texts,
    /// By equal bytes (only where all entries are picked), by page, by id, by title and date, and, of what has none of these,
    /// by content.
    pub keys: [Runs<'o, 3>; 5],
    /// What has no key, in order.
    pub keyless: Runs<'o, 3>,
}

impl<'o> SecondPassResult<'o> {
    fn new(options: &'o Options) -> SecondPassResult<'o> {
        let dir = options.temp_dir.as_deref();
        let runs = || Runs::new(options.memory / 64, dir);
        SecondPassResult { texts: Texts::new(dir), keys: std::array::from_fn(|_| runs()), keyless: runs() }
    }

    fn add(&mut self, known: PickedEntry, context: &Arc<Context>, text: &str, bit: u64) -> io::Result<()> {
        let place = bit | self.texts.push(&known.label, context, text)?;
        if known.is_keyless() {
            self.keyless.push([0, known.label.ordinal, place])?;
        }
        for (runs, hash) in self.keys.iter_mut().zip(known.keys) {
            if let Some([high, low]) = hash {
                runs.push([high, low, place])?;
            }
        }
        Ok(())
    }
}

impl ComparedSide<'_> {
    /// The second pass: over the entries at these places in order, or over all.
    ///
    /// # Errors
    /// An error while reading, or a temporary file.
    pub fn pick<'o>(
        &mut self,
        wanted: Option<&[u64]>,
        (hasher, twins): (&Hasher, &IdenticalInputs<'_, '_>),
        options: &'o Options,
    ) -> Result<SecondPassResult<'o>, Error> {
        let mut picked = SecondPassResult::new(options);
        if wanted.is_some_and(<[u64]>::is_empty) {
            return Ok(picked);
        }
        let documents = std::mem::take(&mut self.documents);
        self.entries = 0;
        for (index, document) in documents.iter().enumerate() {
            let base = self.entries;
            let mut last = base;
            let picking = SecondPass { document, wanted, base, hasher, options, twins };
            let mut done = |chunks: &[Chunk], found: Vec<PickedChunk>| {
                for (chunk, found) in chunks.iter().zip(found) {
                    for (at, word) in found.fields.iter().enumerate() {
                        self.fields[at] |= word;
                    }
                    if wanted.is_none() {
                        survey::merge(&mut self.surveys[index], found.survey);
                    }
                    last = last.max(base + end_of(chunk));
                    for remark in found.remarks {
                        self.remark(remark);
                    }
                    for mut known in found.known {
                        known.label.document = index as u32;
                        let text = known.piece.take().and_then(|piece| chunk.text.get(piece)).unwrap_or_default();
                        picked.add(known, &chunk.context, text, self.bit).map_err(temporary)?;
                    }
                }
                Ok(())
            };
            each_batch_to(document, options, &|chunk| picking.chunk(chunk), &mut done, &mut |_, _| Ok(()))
                .map_err(|error| error.in_input(&document.info.name))?;
            self.entries = last;
        }
        self.documents = documents;
        picked.texts.seal().map_err(temporary)?;
        Ok(picked)
    }

    /// The same over entries whose texts wait.
    ///
    /// # Errors
    /// A temporary file.
    pub fn pick_waiting<'o>(
        &mut self,
        wanted: &[u64],
        mut waiting: PendingTexts,
        (hasher, twins): (&Hasher, &IdenticalInputs<'_, '_>),
        options: &'o Options,
    ) -> Result<SecondPassResult<'o>, Error> {
        let mut picked = SecondPassResult::new(options);
        waiting.texts.seal().map_err(temporary)?;
        let documents = std::mem::take(&mut self.documents);
        for batch in wanted.chunks(AT_ONCE) {
            let texts = waiting.get(batch).map_err(temporary)?;
            let some: Vec<&[_]> = texts.chunk_by(|one, next| one.0.document == next.0.document).collect();
            let some: Vec<&[_]> = some.into_iter().flat_map(|some| some.chunks(TOGETHER)).collect();
            let read = |some: &&[EntryText]| -> Option<PickedChunk> {
                let (label, ..) = some.first()?;
                let (document, base) = (documents.get(label.document as usize)?, label.ordinal - label.number);
                Some(SecondPass { document, wanted: None, base, hasher, options, twins }.texts(some))
            };
            let found: Vec<Option<PickedChunk>> = options.each(&some, read);
            let mut texts = texts.iter();
            for found in found.into_iter().flatten() {
                self.fields.iter_mut().zip(found.fields).for_each(|(all, word)| *all |= word);
                found.remarks.into_iter().for_each(|remark| self.remark(remark));
                for (mut known, (label, context, text)) in found.known.into_iter().zip(texts.by_ref()) {
                    known.label.document = label.document;
                    picked.add(known, context, text, self.bit).map_err(temporary)?;
                }
            }
        }
        self.documents = documents;
        picked.texts.seal().map_err(temporary)?;
        Ok(picked)
    }
}

/// Texts that are read at once, and those of them that one thread reads.
const AT_ONCE: usize = 512;
const TOGETHER: usize = 64;

/// One entry in the second pass.
struct PickedEntry {
    label: Label,
    piece: Option<std::ops::Range<usize>>,
    keys: [Option<Hash128>; 5],
}

impl PickedEntry {
    /// Whether it has no key to match it with an entry of the other side. An unreadable entry matches none.
    fn is_keyless(&self) -> bool {
        self.keys[4].is_some()
    }
}

/// What the second pass found in a chunk.
struct PickedChunk {
    known: Vec<PickedEntry>,
    fields: Fields,
    survey: Survey,
    remarks: Vec<InputRemark>,
}

/// How the second pass looks at entries.
struct SecondPass<'d> {
    document: &'d Document<'d>,
    wanted: Option<&'d [u64]>,
    base: u64,
    hasher: &'d Hasher,
    options: &'d Options,
    twins: &'d IdenticalInputs<'d, 'd>,
}

impl SecondPass<'_> {
    fn wants(&self, number: u64) -> bool {
        self.wanted.is_none_or(|wanted| wanted.binary_search(&(self.base + number)).is_ok())
    }

    fn chunk(&self, chunk: &Chunk) -> PickedChunk {
        let mut found =
            PickedChunk { known: Vec::new(), fields: [0; 6], survey: Survey::default(), remarks: Vec::new() };
        let mut reading = EntryReader::new(&chunk.context);
        let mut around_chunk = None;
        for (offset, piece) in chunk.pieces.iter().enumerate() {
            let raw = raw_entry(chunk, piece, offset);
            if !self.wants(raw.number) {
                continue;
            }
            let mut known = self.entry(&raw, &mut reading, &mut found);
            if self.wanted.is_none() {
                let ground =
                    *around_chunk.get_or_insert_with(|| ground(self.document, &chunk.context.tags, self.hasher));
                known.keys[0] = Some(self.hasher.raw(ground, raw.text));
            }
            known.piece = Some(piece.start..piece.end);
            found.known.push(known);
        }
        for trouble in chunk.trouble.iter().filter(|trouble| trouble.lost) {
            let Some(number) = trouble.entry.filter(|number| self.wants(*number)) else { continue };
            found.remarks.push(remark_on(self.document, trouble));
            let label = self.label(number, trouble.line, trouble.column, true, format!("line {}", trouble.line));
            let same = (self.wanted.is_none() && self.twins.are()).then(|| lost(self.hasher, self.base + number));
            found.known.push(PickedEntry { label, piece: None, keys: [same, None, None, None, None] });
        }
        found.known.sort_by_key(|known| known.label.number);
        found
    }

    /// Reads texts of the document.
    fn texts(&self, texts: &[EntryText]) -> PickedChunk {
        let mut found =
            PickedChunk { known: Vec::new(), fields: [0; 6], survey: Survey::default(), remarks: Vec::new() };
        for same in texts.chunk_by(|one, next| one.1 == next.1) {
            let Some((_, context, _)) = same.first() else { continue };
            let mut reading = EntryReader::new(context);
            for (label, _, text) in same {
                let known = self.entry(&raw(label, context, text), &mut reading, &mut found);
                found.known.push(known);
            }
        }
        found
    }

    fn label(&self, number: u64, line: u32, column: u32, unread: bool, key: String) -> Label {
        Label { ordinal: self.base + number, number, document: 0, line, column, unread, key, title: String::new() }
    }

    fn remark(&self, line: u32, code: &'static str, says: String) -> InputRemark {
        InputRemark { name: self.document.info.name.clone(), line, code, says }
    }

    fn entry<'a>(&'a self, raw: &RawEntry<'a>, reading: &mut EntryReader<'a>, found: &mut PickedChunk) -> PickedEntry {
        let around = self.document.around(self.options);
        match read_entry(self.document.format, raw, reading, around) {
            Ok(entry) => {
                let family = format_of(self.document).family;
                note(&entry, family, &mut found.fields, &mut found.survey);
                let mut label = self.label(raw.number, raw.line, raw.column, false, shown(&entry, raw.line));
                label.title = title(&entry, &label.key);
                let [bytes, page, id, title] = keys(&entry, family, self.hasher);
                let is_keyless = [page, id, title].iter().all(Option::is_none);
                let content = is_keyless.then(|| self.hasher.entry(&entry, family));
                PickedEntry { label, piece: None, keys: [bytes, page, id, title, content] }
            }
            Err(bad) => {
                let (line, _) = bad_place(raw, &bad);
                found.remarks.push(self.remark(
                    line,
                    bad.code,
                    format!("{}; the entry is compared as it is", bad.says),
                ));
                let label = self.label(raw.number, raw.line, raw.column, true, format!("line {}", raw.line));
                PickedEntry { label, piece: None, keys: [None; 5] }
            }
        }
    }
}

/// What an entry is known by: its page, its id, its title and the day it was published.
pub(super) fn keys(entry: &Entry<'_>, family: &'static Family, hasher: &Hasher) -> [Option<Hash128>; 4] {
    let own = || entry.loc.as_ref().map(|loc| url::key(&loc.value).into_owned());
    let page = pages::key(entry, family).map(Cow::into_owned).or_else(own);
    let id = entry.id.as_ref().map(|id| id.value.trim().to_owned());
    let title = words_of(entry).filter(|title| !title.is_empty()).map(|title| {
        let day = entry.published.as_ref().map(|date| date.truncated(Precision::Day).to_w3c());
        format!("{title}\n{}", day.unwrap_or_default())
    });
    let hash = |key: Option<String>| key.map(|key| hasher.bytes(key.as_bytes()));
    [None, hash(page), hash(id), hash(title)]
}

/// The words of its title.
fn words_of(entry: &Entry<'_>) -> Option<String> {
    let title = entry.title.as_ref()?;
    Some(words_in(title.kind, &title.value))
}

/// The words of a text, without markup.
fn words_in(kind: TextKind, value: &str) -> String {
    match kind {
        TextKind::Plain => super::values::collapsed(value).into_owned(),
        TextKind::Html | TextKind::Xhtml => super::values::collapsed(&html::to_plain(value)).into_owned(),
    }
}

/// Characters of a title that are kept: it is shown beside what the entry is known by, and waits with its text.
const TITLE: usize = 200;

/// The title of an entry, or of its first video; empty where the entry is shown as its title.
pub(super) fn title(entry: &Entry<'_>, shown: &str) -> String {
    let of_video = || {
        let title = entry.videos.iter().find_map(|video| video.title.as_ref())?;
        Some(words_in(title.kind, &title.value))
    };
    let title = words_of(entry).filter(|title| !title.is_empty()).or_else(of_video).unwrap_or_default();
    if title == shown {
        return String::new();
    }
    match title.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", &title[..end]),
        None => title,
    }
}

/// What an entry is shown as.
pub(super) fn shown(entry: &Entry<'_>, line: u32) -> String {
    let loc = || entry.loc.as_ref().map(|loc| loc.value.trim().to_owned());
    let id = || entry.id.as_ref().map(|id| id.value.trim().to_owned());
    loc()
        .or_else(id)
        .or_else(|| words_of(entry))
        .filter(|key| !key.is_empty())
        .unwrap_or_else(|| format!("line {line}"))
}
