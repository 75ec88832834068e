//! Pairs equal entries while both sides are walked over: those side by side at once, others when their equal arrives.
//! The rest is left to sorting all hashes (align.rs). Texts are not read here.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;

use super::align::UnpairedEntries;
use super::hash::Hash128;
use super::passes::B;
use crate::convert::Runs;
use crate::options::Options;

/// Entries of a side that may wait for their equals; with more of them all hashes are sorted.
pub(super) const MOST_OPEN: usize = 1 << 17;

/// An entry as it is walked over.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct WalkedEntry {
    pub hash: Hash128,
    /// Its place on its side.
    pub place: u64,
    /// What its page is known by, where that is asked for.
    pub key: Hash128,
}

/// The outcome of comparing the next entries of both sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum PairStep {
    /// They are equal.
    Together,
    /// That of A found its equal among those that wait.
    OfA,
    /// That of B did.
    OfB,
    /// Both wait.
    Apart,
}

impl PairStep {
    /// Which sides advance.
    pub fn advances(self) -> (bool, bool) {
        (self != PairStep::OfB, self != PairStep::OfA)
    }
}

/// An entry that waits for its equal.
#[derive(Clone, Copy)]
struct OpenEntry {
    hash: Hash128,
    place: u64,
    is_paired: bool,
}

/// The entries of a side that wait.
#[derive(Default)]
struct OpenEntries {
    all: Vec<OpenEntry>,
    /// The index of the first waiting entry with a hash. Others with the same hash are found at the end of the walk.
    known: HashMap<Hash128, usize>,
}

impl OpenEntries {
    fn add(&mut self, hash: Hash128, place: u64) {
        if let Entry::Vacant(vacant) = self.known.entry(hash) {
            vacant.insert(self.all.len());
        }
        self.all.push(OpenEntry { hash, place, is_paired: false });
    }

    /// The place of one with this hash, which now has its equal.
    fn take(&mut self, hash: Hash128) -> Option<u64> {
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
struct PairRun {
    a: u64,
    b: u64,
    length: u64,
}

impl PairRun {
    /// The places of its pairs.
    fn places(&self) -> impl Iterator<Item = (u64, u64)> {
        let (a, b) = (self.a, self.b);
        (0..self.length).map(move |at| (a + at, b + at))
    }
}

/// What has been found of both sides.
pub(super) struct OpenPairs<'o> {
    same: u64,
    /// The hashes of pairs in the order in which they were found, and their places: 16 bytes a pair.
    hashes: Vec<Vec<Hash128>>,
    lanes: Vec<PairRun>,
    opens: [OpenEntries; 2],
    /// All hashes, where too much would have to be held.
    tables: Option<[Runs<'o, 3>; 2]>,
    /// Where pages are compared as a whole: the pairs by their pages.
    pages: Option<[Runs<'o, 5>; 2]>,
    options: &'o Options,
}

impl<'o> OpenPairs<'o> {
    /// None yet.
    pub fn new(options: &'o Options) -> Self {
        let (hashes, lanes, opens) = (Vec::new(), Vec::new(), Default::default());
        OpenPairs { same: 0, hashes, lanes, opens, tables: None, pages: None, options }
    }

    /// None yet, where pages are compared as a whole.
    pub fn by_page(options: &'o Options) -> Self {
        let dir = options.temp_dir.as_deref();
        let pages = Some([(); 2].map(|()| Runs::new(options.memory / 2, dir)));
        OpenPairs { pages, ..OpenPairs::new(options) }
    }

    /// Whether more entries waited than could: some of them are not known any more.
    pub fn is_overflown(&self) -> bool {
        self.tables.is_some()
    }

    /// How many pairs there are, and how many entries wait.
    pub fn counts(&self) -> (u64, usize) {
        (self.same, self.opens.iter().map(|opens| opens.known.len()).sum())
    }

    /// Looks at the next entry of each side.
    ///
    /// # Errors
    /// A temporary file.
    pub fn go(&mut self, (a, b): (Option<WalkedEntry>, Option<WalkedEntry>)) -> io::Result<PairStep> {
        if let (Some(one), Some(other)) = (a, b)
            && one.hash == other.hash
        {
            self.pair(one, one.place, other.place)?;
            return Ok(PairStep::Together);
        }
        if let Some(one) = a
            && let Some(other) = self.opens[1].take(one.hash)
        {
            self.pair(one, one.place, other)?;
            return Ok(PairStep::OfA);
        }
        if let Some(one) = b
            && let Some(other) = self.opens[0].take(one.hash)
        {
            self.pair(one, other, one.place)?;
            return Ok(PairStep::OfB);
        }
        for (side, next) in [a, b].into_iter().enumerate() {
            if let Some(seen) = next {
                self.open(seen.hash, seen.place, side)?;
            }
        }
        Ok(PairStep::Apart)
    }

    /// Notes two equal entries.
    fn pair(&mut self, WalkedEntry { hash, key, .. }: WalkedEntry, a: u64, b: u64) -> io::Result<()> {
        if let Some([of_a, of_b]) = &mut self.tables {
            of_a.push([hash[0], hash[1], a])?;
            return of_b.push([hash[0], hash[1], B | b]);
        }
        self.same += 1;
        if let Some([of_a, of_b]) = &mut self.pages {
            of_a.push([key[0], key[1], a, hash[0], hash[1]])?;
            return of_b.push([key[0], key[1], B | b, hash[0], hash[1]]);
        }
        match self.lanes.last_mut() {
            Some(lane) if a == lane.a + lane.length && b == lane.b + lane.length => lane.length += 1,
            Some(_) | None => self.lanes.push(PairRun { a, b, length: 1 }),
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
        blocks * BLOCK * size_of::<Hash128>() + self.lanes.len() * size_of::<PairRun>()
    }

    /// Notes an entry without an equal so far.
    fn open(&mut self, hash: Hash128, place: u64, side: usize) -> io::Result<()> {
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
        for ([high, low], (a, b)) in hashes.zip(lanes.iter().flat_map(PairRun::places)) {
            of_a.push([high, low, a])?;
            of_b.push([high, low, B | b])?;
        }
        for (table, (opens, bit)) in tables.iter_mut().zip(std::mem::take(&mut self.opens).into_iter().zip([0, B])) {
            for OpenEntry { hash, place, .. } in opens.all.into_iter().filter(|open| !open.is_paired) {
                table.push([hash[0], hash[1], bit | place])?;
            }
        }
        self.tables = Some(tables);
        Ok(())
    }

    /// The pairs by their pages, and the places on both sides of what waits still.
    pub fn pages(self) -> Option<([Runs<'o, 5>; 2], [Vec<u64>; 2])> {
        let open =
            |opens: OpenEntries| opens.all.iter().filter(|open| !open.is_paired).map(|open| open.place).collect();
        self.pages.map(|pages| (pages, self.opens.map(open)))
    }

    /// What has no equal. Of several entries with one hash the last ones are left, also where one of them found an equal
    /// before the others came.
    ///
    /// # Errors
    /// A temporary file.
    pub fn left(self) -> io::Result<UnpairedEntries> {
        if let Some(tables) = self.tables {
            return UnpairedEntries::of_entries(tables.into());
        }
        let open = self.opens.iter().zip([0, B]).flat_map(|(opens, bit)| {
            let open = opens.all.iter().filter(|open| !open.is_paired);
            open.map(move |OpenEntry { hash: [high, low], place, .. }| [*high, *low, bit | place])
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
        let mut left = UnpairedEntries::of_sorted(rows);
        left.same += same;
        Ok(left)
    }

    /// Of the entries that found an equal, those with a hash of one of these groups: one of A and one of B for each pair.
    fn earlier(&self, groups: &[&[[u64; 3]]]) -> Vec<[u64; 3]> {
        if groups.is_empty() {
            return Vec::new();
        }
        // a bit set rejects most hashes without a lookup
        let mut bits = vec![0u64; 1 << 14];
        let bit = |low: u64| ((low >> 6) as usize & 0x3fff, 1u64 << (low & 63));
        for [_, low, _] in groups.iter().filter_map(|group| group.first()) {
            let (word, bit) = bit(*low);
            bits[word] |= bit;
        }
        let holds = |[high, low]: &Hash128| {
            let (word, bit) = bit(*low);
            bits[word] & bit != 0
                && groups
                    .binary_search_by(|group| group.first().map(|row| (row[0], row[1])).cmp(&Some((*high, *low))))
                    .is_ok()
        };
        let mut found = Vec::new();
        for (hash, (a, b)) in self.hashes.iter().flatten().zip(self.lanes.iter().flat_map(PairRun::places)) {
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
    fn sorted(a: &[u64], b: &[u64]) -> UnpairedEntries {
        let of = |all: &[u64], bit: u64| {
            let mut runs = Runs::new(usize::MAX, None);
            (0u64..).zip(all).for_each(|(place, hash)| runs.push([*hash, 0, bit | place]).unwrap());
            runs
        };
        UnpairedEntries::of_entries(vec![of(a, 0), of(b, B)]).unwrap()
    }

    /// What walking finds.
    fn walked(a: &[u64], b: &[u64], memory: usize) -> UnpairedEntries {
        let options = Options { memory, ..Options::default() };
        let mut pairs = OpenPairs::new(&options);
        let (mut at_a, mut at_b) = (0, 0);
        loop {
            let next = |all: &[u64], at: usize| {
                all.get(at).map(|hash| WalkedEntry { hash: [*hash, 0], place: at as u64, key: Hash128::default() })
            };
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
