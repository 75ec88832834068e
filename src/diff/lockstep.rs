//! The first pass over two sides of one format, side by side: an entry is expected where the other side stands. Only what is
//! not there waits, with its text, so most entries are cut, hashed and done with, and no document is read twice. What it finds
//! is what sorting all hashes finds (align.rs); where that cannot be told from what was kept, all hashes are sorted.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::io;

use super::align::Left;
use super::hash::{Hash, Hasher};
use super::side::{B, end_of, ground, temporary};
use super::texts::{Label, Texts};
use crate::convert::{Chunks, Document, Runs, raw_entry};
use crate::error::Error;
use crate::options::Options;
use crate::xml::split::Chunk;

/// Chunks of a side that are cut at once.
const AT_ONCE: usize = 4;

/// Entries of a side that may wait for their equals; with more of them all hashes are sorted.
const MOST_OPEN: usize = 1 << 17;

/// Bytes of texts of a side that may wait; where there are more, they are looked for once more.
const MOST_WAITING: u64 = 64 << 20;

/// Bytes of waiting texts that are held before they go to a temporary file.
const HELD: usize = 1 << 20;

/// How a walk over both sides ended.
pub(super) enum Walked {
    /// To the end.
    Whole(Box<Outcome>),
    /// A document that was only begun held more of a head.
    Begun,
    /// Something is wrong that has to be told in its order: the sides must be looked at one by one.
    Odd,
}

/// What it found.
pub(super) struct Outcome {
    /// Entries without an equal.
    pub left: Left,
    /// Entries of A and of B.
    pub entries: [u64; 2],
    /// The texts of those without an equal, if they were kept.
    pub waiting: Option<[Waiting; 2]>,
}

/// Walks over both sides.
///
/// # Errors
/// A temporary file.
pub(super) fn walk(
    (a, b): (&[Document<'_>], &[Document<'_>]),
    hasher: &Hasher,
    options: &Options,
) -> Result<Walked, Error> {
    let mut sides = [Walker::new(a, hasher, options), Walker::new(b, hasher, options)];
    let mut pairs = Pairs::new(options);
    let mut waiting = Some([Waiting::new(options), Waiting::new(options)]);
    loop {
        let [a, b] = &mut sides;
        let (of_a, of_b) = rayon::join(|| a.refill(), || b.refill());
        // who looks at the sides one by one finds what is wrong again, and tells of A first
        let (Ok(()), Ok(())) = (of_a, of_b) else { return Ok(Walked::Odd) };
        if a.is_odd || b.is_odd {
            return Ok(Walked::Odd);
        }
        if a.has_more_head || b.has_more_head {
            return Ok(Walked::Begun);
        }
        if a.is_done() && b.is_done() {
            break;
        }
        // where one side ends, the other one goes on
        while (a.has_next() || a.ended) && (b.has_next() || b.ended) && (a.has_next() || b.has_next()) {
            step((a, b), &mut pairs, &mut waiting).map_err(temporary)?;
        }
    }
    let entries = sides.map(|side| side.base);
    let left = pairs.left().map_err(temporary)?;
    let has = |waiting: &Waiting, places: &[u64]| places.iter().all(|place| waiting.index(*place).is_some());
    let waiting = waiting.filter(|[a, b]| has(a, &left.a) && has(b, &left.b));
    Ok(Walked::Whole(Box::new(Outcome { left, entries, waiting })))
}

/// Goes on by an entry, or by one on each side.
fn step(
    (a, b): (&mut Walker<'_, '_>, &mut Walker<'_, '_>),
    pairs: &mut Pairs<'_>,
    waiting: &mut Option<[Waiting; 2]>,
) -> io::Result<()> {
    let next = (a.next(), b.next());
    let gone = pairs.go(next)?;
    if let (Step::Apart, Some([of_a, of_b])) = (gone, waiting.as_mut()) {
        if let Some((_, place)) = next.0 {
            a.keep(place, of_a)?;
        }
        if let Some((_, place)) = next.1 {
            b.keep(place, of_b)?;
        }
    }
    // what is sorted is looked for once more
    if waiting.as_ref().is_some_and(|waiting| pairs.tables.is_some() || waiting.iter().any(Waiting::is_full)) {
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

/// What became of the next entries of both sides.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Step {
    /// They are equal.
    Together,
    /// That of A found its equal among those that wait.
    OfA,
    /// That of B did.
    OfB,
    /// Both wait.
    Apart,
}

impl Step {
    /// Which sides go on.
    fn advances(self) -> (bool, bool) {
        (self != Step::OfB, self != Step::OfA)
    }
}

/// Entries of a chunk with their hashes.
struct Stretch {
    chunk: Chunk,
    document: usize,
    /// The place of the document's first entry on its side.
    base: u64,
    hashes: Vec<Hash>,
}

/// One side, as far as it is cut.
struct Walker<'w, 'i> {
    documents: &'w [Document<'i>],
    hasher: &'w Hasher,
    options: &'w Options,
    /// The document in work.
    at: usize,
    chunks: Option<Chunks<'w, 'i>>,
    /// What stands around the entries of the last chunk, and its hash.
    ground: Option<(std::sync::Arc<crate::xml::split::Context>, Hash)>,
    /// The place of the first entry of the document in work; in the end the number of entries.
    base: u64,
    /// The place after the last entry so far.
    last: u64,
    ready: VecDeque<Stretch>,
    /// The next entry in the first stretch.
    next: usize,
    ended: bool,
    is_odd: bool,
    has_more_head: bool,
}

impl<'w, 'i> Walker<'w, 'i> {
    fn new(documents: &'w [Document<'i>], hasher: &'w Hasher, options: &'w Options) -> Self {
        Walker {
            documents,
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
        }
    }

    fn has_next(&self) -> bool {
        !self.ready.is_empty()
    }

    fn is_done(&self) -> bool {
        self.ended && self.ready.is_empty()
    }

    /// The hash and the place of the next entry.
    fn next(&self) -> Option<(Hash, u64)> {
        let stretch = self.ready.front()?;
        let hash = stretch.hashes.get(self.next)?;
        Some((*hash, stretch.base + stretch.chunk.first + self.next as u64))
    }

    fn advance(&mut self) {
        self.next += 1;
        if self.ready.front().is_some_and(|stretch| self.next >= stretch.hashes.len()) {
            self.next = 0;
            if let (Some(stretch), Some(chunks)) = (self.ready.pop_front(), &mut self.chunks) {
                chunks.reuse(stretch.chunk);
            }
        }
    }

    /// Keeps the text of the next entry, which has this place.
    fn keep(&self, place: u64, waiting: &mut Waiting) -> io::Result<()> {
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

    /// Cuts and hashes some chunks more, if few are left.
    fn refill(&mut self) -> Result<(), Error> {
        while self.ready.len() < AT_ONCE && !self.ended {
            let Some(document) = self.documents.get(self.at) else {
                self.ended = true;
                return Ok(());
            };
            let chunks = match &mut self.chunks {
                Some(chunks) => chunks,
                None => self.chunks.insert(Chunks::of(document, self.options)?),
            };
            match chunks.next()? {
                Some(chunk) => self.add(document, chunk),
                None => self.close(document),
            }
        }
        Ok(())
    }

    fn add(&mut self, document: &Document<'_>, chunk: Chunk) {
        self.is_odd |= chunk.trouble.iter().any(|trouble| trouble.lost);
        self.last = self.base + end_of(&chunk);
        if chunk.pieces.is_empty() {
            return;
        }
        let ground = match &self.ground {
            Some((context, ground)) if *context == chunk.context => *ground,
            Some(_) | None => {
                let ground = ground(document, &chunk, self.hasher);
                self.ground = Some((chunk.context.clone(), ground));
                ground
            }
        };
        let texts = chunk.pieces.iter().map(|piece| chunk.text.get(piece.start..piece.end).unwrap_or_default());
        let hashes = texts.map(|text| self.hasher.raw(ground, text)).collect();
        self.ready.push_back(Stretch { chunk, document: self.at, base: self.base, hashes });
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

/// Texts of entries that have no equal so far, in the order of their places.
pub(super) struct Waiting {
    pub texts: Texts,
    places: Vec<u64>,
    bytes: u64,
}

impl Waiting {
    fn new(options: &Options) -> Waiting {
        Waiting { texts: Texts::holding(HELD, options.temp_dir.as_deref()), places: Vec::new(), bytes: 0 }
    }

    fn is_full(&self) -> bool {
        self.bytes > MOST_WAITING || self.places.len() > MOST_OPEN
    }

    /// The index of the text of the entry at this place.
    pub fn index(&self, place: u64) -> Option<u64> {
        self.places.binary_search(&place).ok().map(|index| index as u64)
    }
}

/// An entry that waits for its equal.
#[derive(Clone, Copy)]
struct Open {
    hash: Hash,
    place: u64,
    is_paired: bool,
}

/// The entries of a side that wait.
#[derive(Default)]
struct Opens {
    all: Vec<Open>,
    /// Where the first with a hash stands that waits. Others with it are found when all is over.
    known: HashMap<Hash, usize>,
}

impl Opens {
    fn add(&mut self, hash: Hash, place: u64) {
        if let Entry::Vacant(vacant) = self.known.entry(hash) {
            vacant.insert(self.all.len());
        }
        self.all.push(Open { hash, place, is_paired: false });
    }

    /// The place of one with this hash, which now has its equal.
    fn take(&mut self, hash: Hash) -> Option<u64> {
        if self.known.is_empty() {
            return None;
        }
        let open = self.known.remove(&hash).and_then(|index| self.all.get_mut(index))?;
        open.is_paired = true;
        Some(open.place)
    }

    /// Lets go of what has found its equal, if there are many; `false` if many wait still.
    fn fits(&mut self) -> bool {
        if self.all.len() < MOST_OPEN {
            return true;
        }
        let all = std::mem::take(&mut self.all);
        self.known.clear();
        all.iter().filter(|open| !open.is_paired).for_each(|open| self.add(open.hash, open.place));
        self.all.len() < MOST_OPEN / 2
    }
}

/// Hashes of pairs that are held in one piece.
const BLOCK: usize = 1 << 16;

/// Pairs whose places on both sides follow on each other.
struct Lane {
    a: u64,
    b: u64,
    length: u64,
}

impl Lane {
    /// The places of its pairs.
    fn places(&self) -> impl Iterator<Item = (u64, u64)> {
        let (a, b) = (self.a, self.b);
        (0..self.length).map(move |at| (a + at, b + at))
    }
}

/// What has been found of both sides.
struct Pairs<'o> {
    same: u64,
    /// The hashes of pairs in the order in which they were found, and their places: 16 bytes a pair.
    hashes: Vec<Vec<Hash>>,
    lanes: Vec<Lane>,
    opens: [Opens; 2],
    /// All hashes, where too much would have to be held.
    tables: Option<[Runs<'o, 3>; 2]>,
    options: &'o Options,
}

impl<'o> Pairs<'o> {
    fn new(options: &'o Options) -> Self {
        Pairs { same: 0, hashes: Vec::new(), lanes: Vec::new(), opens: Default::default(), tables: None, options }
    }

    /// Looks at the next entry of each side: its hash and its place.
    fn go(&mut self, (a, b): (Option<(Hash, u64)>, Option<(Hash, u64)>)) -> io::Result<Step> {
        if let (Some(one), Some(other)) = (a, b)
            && one.0 == other.0
        {
            self.pair(one.0, one.1, other.1)?;
            return Ok(Step::Together);
        }
        if let Some((hash, place)) = a
            && let Some(other) = self.opens[1].take(hash)
        {
            self.pair(hash, place, other)?;
            return Ok(Step::OfA);
        }
        if let Some((hash, place)) = b
            && let Some(other) = self.opens[0].take(hash)
        {
            self.pair(hash, other, place)?;
            return Ok(Step::OfB);
        }
        for (side, next) in [a, b].into_iter().enumerate() {
            if let Some((hash, place)) = next {
                self.open(hash, place, side)?;
            }
        }
        Ok(Step::Apart)
    }

    /// Notes two equal entries.
    fn pair(&mut self, hash: Hash, a: u64, b: u64) -> io::Result<()> {
        if let Some([of_a, of_b]) = &mut self.tables {
            of_a.push([hash[0], hash[1], a])?;
            return of_b.push([hash[0], hash[1], B | b]);
        }
        self.same += 1;
        match self.lanes.last_mut() {
            Some(lane) if a == lane.a + lane.length && b == lane.b + lane.length => lane.length += 1,
            Some(_) | None => self.lanes.push(Lane { a, b, length: 1 }),
        }
        match self.hashes.last_mut() {
            Some(block) if block.len() < BLOCK => block.push(hash),
            Some(_) | None => {
                self.hashes.push(vec![hash]);
                if self.held() > self.options.memory / 4 {
                    self.sort_all()?;
                }
            }
        }
        Ok(())
    }

    fn held(&self) -> usize {
        let blocks = self.hashes.len().saturating_sub(1);
        blocks * BLOCK * size_of::<Hash>() + self.lanes.len() * size_of::<Lane>()
    }

    /// Notes an entry without an equal so far.
    fn open(&mut self, hash: Hash, place: u64, side: usize) -> io::Result<()> {
        if let Some(tables) = &mut self.tables {
            let bit = if side == 0 { 0 } else { B };
            return tables[side].push([hash[0], hash[1], bit | place]);
        }
        self.opens[side].add(hash, place);
        if self.opens[side].fits() { Ok(()) } else { self.sort_all() }
    }

    /// From now on all hashes go to tables to be sorted, those of before first.
    fn sort_all(&mut self) -> io::Result<()> {
        let dir = self.options.temp_dir.as_deref();
        let mut tables = [(); 2].map(|()| Runs::new(self.options.memory / 2, dir));
        let [of_a, of_b] = &mut tables;
        let lanes = std::mem::take(&mut self.lanes);
        let hashes = std::mem::take(&mut self.hashes).into_iter().flatten();
        for ([high, low], (a, b)) in hashes.zip(lanes.iter().flat_map(Lane::places)) {
            of_a.push([high, low, a])?;
            of_b.push([high, low, B | b])?;
        }
        for (table, (opens, bit)) in tables.iter_mut().zip(std::mem::take(&mut self.opens).into_iter().zip([0, B])) {
            for Open { hash, place, .. } in opens.all.into_iter().filter(|open| !open.is_paired) {
                table.push([hash[0], hash[1], bit | place])?;
            }
        }
        self.tables = Some(tables);
        Ok(())
    }

    /// What has no equal. Of several entries with one hash the last ones are left, also where one of them found an equal
    /// before the others came.
    fn left(self) -> io::Result<Left> {
        if let Some(tables) = self.tables {
            return Left::of_entries(tables.into());
        }
        let open = self.opens.iter().zip([0, B]).flat_map(|(opens, bit)| {
            let open = opens.all.iter().filter(|open| !open.is_paired);
            open.map(move |Open { hash: [high, low], place, .. }| [*high, *low, bit | place])
        });
        let mut rows: Vec<[u64; 3]> = open.collect();
        rows.sort_unstable();
        let mut same = self.same;
        let mut groups: Vec<&[[u64; 3]]> = rows.chunk_by(|one, next| one[..2] == next[..2]).collect();
        groups.retain(|group| {
            let of_b = group.iter().filter(|row| row[2] & B != 0).count();
            let lacks = of_b * 2 != group.len();
            same += if lacks { 0 } else { of_b as u64 };
            lacks
        });
        let mut rows = groups.concat();
        let earlier = self.earlier(&groups);
        same -= earlier.len() as u64 / 2;
        rows.extend(earlier);
        rows.sort_unstable();
        let mut left = Left::of_sorted(rows);
        left.same += same;
        Ok(left)
    }

    /// Of the entries that found an equal, those with a hash of one of these groups: one of A and one of B for each pair.
    fn earlier(&self, groups: &[&[[u64; 3]]]) -> Vec<[u64; 3]> {
        if groups.is_empty() {
            return Vec::new();
        }
        // most hashes are told by one bit
        let mut bits = vec![0u64; 1 << 14];
        let bit = |low: u64| ((low >> 6) as usize & 0x3fff, 1u64 << (low & 63));
        for [_, low, _] in groups.iter().filter_map(|group| group.first()) {
            let (word, bit) = bit(*low);
            bits[word] |= bit;
        }
        let holds = |[high, low]: &Hash| {
            let (word, bit) = bit(*low);
            bits[word] & bit != 0
                && groups
                    .binary_search_by(|group| group.first().map(|row| (row[0], row[1])).cmp(&Some((*high, *low))))
                    .is_ok()
        };
        let mut found = Vec::new();
        for (hash, (a, b)) in self.hashes.iter().flatten().zip(self.lanes.iter().flat_map(Lane::places)) {
            if holds(hash) {
                found.extend([[hash[0], hash[1], a], [hash[0], hash[1], B | b]]);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What sorting finds.
    fn sorted(a: &[u64], b: &[u64]) -> Left {
        let of = |all: &[u64], bit: u64| {
            let mut runs = Runs::new(usize::MAX, None);
            (0u64..).zip(all).for_each(|(place, hash)| runs.push([*hash, 0, bit | place]).unwrap());
            runs
        };
        Left::of_entries(vec![of(a, 0), of(b, B)]).unwrap()
    }

    /// What walking finds.
    fn walked(a: &[u64], b: &[u64], memory: usize) -> Left {
        let options = Options { memory, ..Options::default() };
        let mut pairs = Pairs::new(&options);
        let (mut at_a, mut at_b) = (0, 0);
        loop {
            let next = |all: &[u64], at: usize| all.get(at).map(|hash| ([*hash, 0], at as u64));
            let (of_a, of_b) = (next(a, at_a), next(b, at_b));
            if of_a.is_none() && of_b.is_none() {
                return pairs.left().unwrap();
            }
            let (by_a, by_b) = pairs.go((of_a, of_b)).unwrap().advances();
            at_a += usize::from(by_a && of_a.is_some());
            at_b += usize::from(by_b && of_b.is_some());
        }
    }

    proptest! {
        #[test]
        fn walking_finds_what_sorting_finds(
            a in proptest::collection::vec(0u64..12, 0..40),
            edits in proptest::collection::vec((0usize..40, 0usize..40, 0u64..14), 0..8),
        ) {
            let mut b = a.clone();
            for (from, to, hash) in edits {
                match hash {
                    12 if !b.is_empty() => { b.remove(from % b.len()); }
                    13 if !b.is_empty() => { let moved = b.remove(from % b.len()); b.insert(to % (b.len() + 1), moved); }
                    _ => b.insert(to % (b.len() + 1), hash),
                }
            }
            for (a, b) in [(&a, &b), (&b, &a)] {
                let wanted = sorted(a, b);
                for memory in [usize::MAX, 0] {
                    let found = walked(a, b, memory);
                    prop_assert_eq!((&found.a, &found.b, found.same), (&wanted.a, &wanted.b, wanted.same));
                }
            }
        }
    }
}
