//! The first pass over two sides in lockstep: the equal of an entry is expected at the same place of the other side.
//! Only entries that miss it there wait, with their texts, so most are cut and hashed once, and no document is read
//! twice. The result is that of sorting all hashes (align.rs, pairs.rs). The hashes come from look.rs and literal.rs.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use super::align::UnpairedEntries;
use super::hash::{Hash128, Hasher};
use super::literal::{CommonLines, LiteralChunk, LiteralPass};
use super::look::{ChunkHashes, FirstPass};
use super::losses::FieldLosses;
use super::pairs::{MOST_OPEN, OpenPairs, PairStep, WalkedEntry};
use super::passes::{B, Fields, HashMode, end_of, ground, temporary};
use super::project::format_of;
use super::texts::{Label, Texts, raw};
use super::twins::IdenticalInputs;
use crate::convert::{Chunks, Document, raw_entry};
use crate::diff::ids::RepeatedIds;
use crate::error::Error;
use crate::format::{Format, Survey};
use crate::options::Options;
use crate::survey;
use crate::xml::chunk::{Chunk, Context};

/// Chunks of a side that are cut at once.
const AT_ONCE: usize = 4;

/// Bytes of texts of a side that may wait; where there are more, they are looked for once more.
const MOST_WAITING: u64 = 64 << 20;

/// How a walk over both sides ended.
pub(super) enum WalkResult {
    /// To the end.
    Whole(Box<LockstepOutcome>),
    /// A document that was only begun held more of a head.
    Begun,
    /// A problem must be reported in document order: read the sides one after the other.
    Odd,
}

/// What it found.
pub(super) struct LockstepOutcome {
    /// Entries without an equal.
    pub left: UnpairedEntries,
    /// Of A and of B.
    pub sides: [SideFacts; 2],
    /// The texts of entries without an equal, if they were kept.
    pub waiting: Option<[PendingTexts; 2]>,
}

/// Facts about a whole side.
#[derive(Default)]
pub(super) struct SideFacts {
    /// Entries, lost ones too.
    pub entries: u64,
    /// Some are one with others by their ids, where all entries were read.
    pub has_revisions: bool,
    /// Which fields occur, where all entries were read.
    pub fields: Fields,
    /// The survey of the document, if all entries were read.
    pub survey: Survey,
    /// Values of converted entries that were omitted.
    pub lost: FieldLosses,
}

/// How many converted entries are compared by their bytes before checking whether any match.
const TRIED: usize = 256;

/// Walks over both sides of one format.
///
/// # Errors
/// A temporary file.
pub(super) fn walk(
    (a, b): (&[Document<'_>], &[Document<'_>]),
    hasher: &Hasher,
    options: &Options,
) -> Result<WalkResult, Error> {
    let mut sides = [SideWalker::new(a, None, hasher, options), SideWalker::new(b, None, hasher, options)];
    let (mut pairs, mut waiting) = (OpenPairs::new(options), Some([(); 2].map(|()| PendingTexts::new(options))));
    if let Some(ended) = go(&mut sides, &mut pairs, &mut waiting)? {
        return Ok(ended);
    }
    let left = pairs.left().map_err(temporary)?;
    walk_whole(left, sides, waiting)
}

/// Walks over two documents of different formats, of which one is written in the format of the other.
///
/// # Errors
/// A temporary file.
pub(super) fn walk_written(
    (a, b): (&Document<'_>, &Document<'_>),
    (target, common): (&'static Format, &CommonLines),
    (hasher, twins): (&Hasher, &IdenticalInputs<'_, '_>),
    options: &Options,
) -> Result<WalkResult, Error> {
    let literal = [a, b].map(|document| LiteralPass::new(document, (target, common), hasher, options));
    let [of_a, of_b] = &literal;
    let documents = [std::slice::from_ref(a), std::slice::from_ref(b)];
    let mut sides = [
        SideWalker::new(documents[0], Some(of_a), hasher, options),
        SideWalker::new(documents[1], Some(of_b), hasher, options),
    ];
    let (mut pairs, mut waiting) = (OpenPairs::by_page(options), Some([(); 2].map(|()| PendingTexts::new(options))));
    if let Some(ended) = go(&mut sides, &mut pairs, &mut waiting)? {
        return Ok(ended);
    }
    let (Some((mut tables, open)), Some(waits)) = (pairs.pages(), &mut waiting) else { return Ok(WalkResult::Odd) };
    // what is not the same so is looked at as usual
    for (side, document) in [a, b].into_iter().enumerate() {
        let looking = FirstPass::new((document, 0, BITS[side]), (HashMode::In(target), true), (hasher, twins), options);
        waits[side].texts.seal().map_err(temporary)?;
        for batch in open[side].chunks(AT_ONCE * TOGETHER) {
            let texts = waits[side].get(batch).map_err(temporary)?;
            let glance = |texts: &[EntryText]| {
                let mut glance = ChunkHashes::default();
                for same in texts.chunk_by(|one, next| one.1 == next.1) {
                    let raws = same.iter().map(|(label, context, text)| raw(label, context, text));
                    looking.entries(raws, same.first().map_or(&Context::default(), |text| &text.1), &mut glance);
                }
                glance
            };
            let stretches: Vec<&[EntryText]> = texts.chunks(TOGETHER).collect();
            let glances = options.each(&stretches, |texts| glance(texts));
            for glance in glances {
                sides[side].told.lost.add(&glance.lost);
                for row in glance.rows {
                    let place = BITS[side] | row.number;
                    tables[side]
                        .push([row.key[0], row.key[1], place, row.content[0], row.content[1]])
                        .map_err(temporary)?;
                }
            }
        }
    }
    let left = UnpairedEntries::of_pages(tables.into()).map_err(temporary)?;
    walk_whole(left, sides, waiting)
}

/// The bits of places of A and of B.
const BITS: [u64; 2] = [0, B];

/// Texts that one thread reads.
const TOGETHER: usize = 64;

fn walk_whole(
    left: UnpairedEntries,
    sides: [SideWalker<'_, '_>; 2],
    waiting: Option<[PendingTexts; 2]>,
) -> Result<WalkResult, Error> {
    let has = |waiting: &PendingTexts, places: &[u64]| places.iter().all(|place| waiting.index(*place).is_some());
    let waiting = waiting.filter(|[a, b]| has(a, &left.a) && has(b, &left.b));
    let [a, b] = sides.map(SideWalker::into_facts);
    let sides = [a.map_err(temporary)?, b.map_err(temporary)?];
    Ok(WalkResult::Whole(Box::new(LockstepOutcome { left, sides, waiting })))
}

/// Walks to the ends of both sides; returns early with the reason if the walk must stop.
fn go(
    sides: &mut [SideWalker<'_, '_>; 2],
    pairs: &mut OpenPairs<'_>,
    waiting: &mut Option<[PendingTexts; 2]>,
) -> Result<Option<WalkResult>, Error> {
    let mut tried = sides.iter().all(|side| side.literal.is_none());
    loop {
        let [a, b] = &mut *sides;
        let options = a.options;
        let (of_a, of_b) = options.both(|| a.refill(), || b.refill());
        // reading the sides one after the other finds the problem again, and reports A first
        let (Ok(()), Ok(())) = (of_a, of_b) else { return Ok(Some(WalkResult::Odd)) };
        if a.is_odd || b.is_odd {
            return Ok(Some(WalkResult::Odd));
        }
        if a.has_more_head || b.has_more_head {
            return Ok(Some(WalkResult::Begun));
        }
        if a.is_done() && b.is_done() {
            return Ok(None);
        }
        // where one side ends, the other continues
        while (a.has_next() || a.ended) && (b.has_next() || b.ended) && (a.has_next() || b.has_next()) {
            step((a, b), pairs, waiting).map_err(temporary)?;
            if a.literal.is_some() && waiting.is_none() {
                return Ok(Some(WalkResult::Odd));
            }
            let (same, open) = pairs.counts();
            if !tried && same as usize + open > TRIED {
                if open as u64 > same {
                    return Ok(Some(WalkResult::Odd));
                }
                tried = true;
            }
        }
    }
}

/// Advances by one entry, or by one on each side.
fn step(
    (a, b): (&mut SideWalker<'_, '_>, &mut SideWalker<'_, '_>),
    pairs: &mut OpenPairs<'_>,
    waiting: &mut Option<[PendingTexts; 2]>,
) -> io::Result<()> {
    let next = (a.next(), b.next());
    let gone = pairs.go(next)?;
    if let (PairStep::Apart, Some([of_a, of_b])) = (gone, waiting.as_mut()) {
        if let Some(seen) = next.0 {
            a.keep(seen.place, of_a)?;
        }
        if let Some(seen) = next.1 {
            b.keep(seen.place, of_b)?;
        }
    }
    // what is sorted is looked for once more
    if waiting.as_ref().is_some_and(|waiting| pairs.is_overflown() || waiting.iter().any(PendingTexts::is_full)) {
        *waiting = None;
    }
    let (by_a, by_b) = gone.advances();
    if by_a {
        a.advance();
    }
    if by_b {
        b.advance();
    }
    Ok(())
}

/// Entries of a chunk with their hashes.
struct HashedEntries {
    chunk: Chunk,
    document: usize,
    /// The place of the document's first entry on its side.
    base: u64,
    seen: Vec<WalkedEntry>,
}

/// One side, as far as it is cut.
struct SideWalker<'w, 'i> {
    documents: &'w [Document<'i>],
    /// How entries are looked at, if not by their bytes alone.
    literal: Option<&'w LiteralPass<'w>>,
    hasher: &'w Hasher,
    options: &'w Options,
    /// The document in work.
    at: usize,
    chunks: Option<Chunks<'w, 'i>>,
    /// The markup around the entries of the last chunk, and its hash.
    ground: Option<(Arc<Context>, Hash128)>,
    /// The place of the first entry of the document in work; in the end the number of entries.
    base: u64,
    /// The place after the last entry so far.
    last: u64,
    ready: VecDeque<HashedEntries>,
    /// The next entry in the first stretch.
    next: usize,
    ended: bool,
    is_odd: bool,
    has_more_head: bool,
    ids: RepeatedIds<'w>,
    told: SideFacts,
}

impl<'w, 'i> SideWalker<'w, 'i> {
    fn new(
        documents: &'w [Document<'i>],
        literal: Option<&'w LiteralPass<'w>>,
        hasher: &'w Hasher,
        options: &'w Options,
    ) -> Self {
        SideWalker {
            documents,
            literal,
            hasher,
            options,
            at: 0,
            chunks: None,
            ground: None,
            base: 0,
            last: 0,
            ready: VecDeque::new(),
            next: 0,
            ended: false,
            is_odd: false,
            has_more_head: false,
            ids: RepeatedIds::for_formats(documents.iter().map(format_of), literal.is_some(), options),
            told: SideFacts::default(),
        }
    }

    /// Facts about the side after the walk.
    fn into_facts(self) -> io::Result<SideFacts> {
        Ok(SideFacts { entries: self.base, has_revisions: self.ids.any_returns()?, ..self.told })
    }

    fn has_next(&self) -> bool {
        !self.ready.is_empty()
    }

    fn is_done(&self) -> bool {
        self.ended && self.ready.is_empty()
    }

    fn next(&self) -> Option<WalkedEntry> {
        self.ready.front()?.seen.get(self.next).copied()
    }

    fn advance(&mut self) {
        self.next += 1;
        if self.ready.front().is_some_and(|stretch| self.next >= stretch.seen.len()) {
            self.next = 0;
            if let (Some(stretch), Some(chunks)) = (self.ready.pop_front(), &mut self.chunks) {
                chunks.reuse(stretch.chunk);
            }
        }
    }

    /// Keeps the text of the next entry, which has this place.
    fn keep(&self, place: u64, waiting: &mut PendingTexts) -> io::Result<()> {
        let Some(stretch) = self.ready.front() else { return Ok(()) };
        let Some(piece) = stretch.chunk.pieces.get(self.next) else { return Ok(()) };
        let raw = raw_entry(&stretch.chunk, piece, self.next);
        let label = Label {
            ordinal: place,
            number: raw.number,
            document: stretch.document as u32,
            line: raw.line,
            column: raw.column,
            ..Label::default()
        };
        waiting.places.push(place);
        waiting.bytes += raw.text.len() as u64;
        waiting.texts.push(&label, raw.context, raw.text).map(drop)
    }

    /// Cuts some chunks more, if few are left, and looks at their entries.
    fn refill(&mut self) -> Result<(), Error> {
        let mut cut: Vec<HashedEntries> = Vec::new();
        while self.ready.len() + cut.len() < AT_ONCE && !self.ended {
            let Some(document) = self.documents.get(self.at) else {
                self.ended = true;
                break;
            };
            let chunks = match &mut self.chunks {
                Some(chunks) => chunks,
                None => self.chunks.insert(Chunks::from_start(document, self.options)?),
            };
            match chunks.next()? {
                Some(chunk) => cut.extend(self.cut(document, chunk)),
                None => self.close(document),
            }
        }
        if let Some(literal) = self.literal {
            let look = |stretch: &HashedEntries| literal.chunk(&stretch.chunk, stretch.base + stretch.chunk.first);
            let found: Vec<LiteralChunk> = self.options.each(&cut, look);
            for (stretch, found) in cut.iter_mut().zip(found) {
                stretch.seen = found.seen;
                found.ids.into_iter().try_for_each(|id| self.ids.push(id)).map_err(temporary)?;
                self.is_odd |= found.is_odd;
                self.told.fields.iter_mut().zip(found.fields).for_each(|(all, word)| *all |= word);
                survey::merge(&mut self.told.survey, found.survey);
                self.told.lost.add(&found.lost);
            }
        }
        self.ready.extend(cut);
        Ok(())
    }

    /// A chunk of which the hashes are those of its bytes, if it holds entries.
    fn cut(&mut self, document: &Document<'_>, chunk: Chunk) -> Option<HashedEntries> {
        self.is_odd |= chunk.trouble.iter().any(|trouble| trouble.lost);
        self.last = self.base + end_of(&chunk);
        if chunk.pieces.is_empty() {
            return None;
        }
        let mut stretch = HashedEntries { chunk, document: self.at, base: self.base, seen: Vec::new() };
        if self.literal.is_some() {
            return Some(stretch);
        }
        let chunk = &stretch.chunk;
        let ground = match &self.ground {
            Some((context, ground)) if *context == chunk.context => *ground,
            Some(_) | None => {
                let ground = ground(document, &chunk.context.tags, self.hasher);
                self.ground = Some((chunk.context.clone(), ground));
                ground
            }
        };
        let texts = chunk.pieces.iter().map(|piece| chunk.text.get(piece.start..piece.end).unwrap_or_default());
        let seen = (self.base + chunk.first..).zip(texts);
        let seen = seen.map(|(place, text)| WalkedEntry {
            hash: self.hasher.raw(ground, text),
            place,
            key: Hash128::default(),
        });
        stretch.seen = seen.collect();
        Some(stretch)
    }

    /// Ends the document in work.
    fn close(&mut self, document: &Document<'_>) {
        if let Some(chunks) = self.chunks.take() {
            let (frame, findings) = chunks.end();
            self.has_more_head |= document.begun && !document.was_all(&frame, &findings, self.options);
        }
        (self.ground, self.base) = (None, self.last);
        self.at += 1;
    }
}

/// The text of an entry, with its label and the markup around it.
pub(super) type EntryText = (Label, Arc<Context>, String);

/// Texts of entries that have no equal so far, in the order of their places.
pub(super) struct PendingTexts {
    pub texts: Texts,
    places: Vec<u64>,
    bytes: u64,
}

impl PendingTexts {
    fn new(options: &Options) -> PendingTexts {
        PendingTexts { texts: Texts::new(options.temp_dir.as_deref()), places: Vec::new(), bytes: 0 }
    }

    fn is_full(&self) -> bool {
        self.bytes > MOST_WAITING || self.places.len() > MOST_OPEN
    }

    /// The texts of the entries at these places, as far as they wait; once they are sealed.
    ///
    /// # Errors
    /// A temporary file.
    pub fn get(&self, places: &[u64]) -> io::Result<Vec<EntryText>> {
        places.iter().filter_map(|place| self.index(*place)).map(|index| self.texts.get(index)).collect()
    }

    /// The index of the text of the entry at this place.
    fn index(&self, place: u64) -> Option<u64> {
        self.places.binary_search(&place).ok().map(|index| index as u64)
    }
}
