//! Which entry of one side belongs to which of the other: first what is equal, then by page, by id, by title and date;
//! of several with one key the first to the first. What has no key is paired by content, then by place. What entries say is not
//! compared here.

use std::collections::HashMap;
use std::io;

use super::passes::B;
use crate::convert::Runs;

/// Entries that are to be compared: the first of each side, by their indices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Pair {
    pub a: u64,
    pub b: u64,
}

/// Several entries of a page, on each side.
pub(super) type PageEntries = (Vec<u64>, Vec<u64>);

/// A set of indices, a bit for each.
struct IndexSet(Vec<u64>);

impl IndexSet {
    fn new(len: usize) -> IndexSet {
        IndexSet(vec![0; len.div_ceil(64)])
    }
    fn has(&self, index: u64) -> bool {
        self.0.get((index / 64) as usize).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }
    fn add(&mut self, index: u64) {
        if let Some(word) = self.0.get_mut((index / 64) as usize) {
            *word |= 1 << (index % 64);
        }
    }
}

/// Pairs as they are found.
pub(super) struct Alignment {
    a: IndexSet,
    b: IndexSet,
    /// In the order of A, once all are found.
    pub pairs: Vec<Pair>,
    /// The entries of each pair that represents several entries of one page, keyed by the first of A.
    pub pages: HashMap<u64, PageEntries>,
    /// Keys that several entries have on both sides.
    pub repeated: u64,
}

impl Alignment {
    /// Nothing yet, of so many entries a side.
    pub fn new(a: usize, b: usize) -> Alignment {
        let (a, b) = (IndexSet::new(a), IndexSet::new(b));
        Alignment { a, b, pairs: Vec::new(), pages: HashMap::new(), repeated: 0 }
    }

    /// Whether the entry has found its like.
    pub fn is_paired(&self, index: u64, of_b: bool) -> bool {
        if of_b { self.b.has(index) } else { self.a.has(index) }
    }

    /// Pairs what has one key in these tables. With `whole`, all entries of a page are one.
    ///
    /// # Errors
    /// A temporary file.
    pub fn round(&mut self, tables: Vec<Runs<'_, 3>>, whole: bool) -> io::Result<()> {
        let mut group: Group = Group::default();
        Runs::all_in_order(tables, |[high, low, place]| {
            if group.hash != [high, low] {
                self.group(&mut group, whole);
                group.hash = [high, low];
            }
            let (index, of_b) = (place & !B, place & B != 0);
            if !self.is_paired(index, of_b) {
                if of_b { group.b.push(index) } else { group.a.push(index) }
            }
            Ok(())
        })?;
        self.group(&mut group, whole);
        Ok(())
    }

    /// Pairs entries without keys in order. If one side has more, the entries nearest in position are paired, counted
    /// from the beginning or from the end. The tables hold places on their sides; `entries` are the lengths of the
    /// sides.
    ///
    /// # Errors
    /// A temporary file.
    pub fn by_place(&mut self, tables: Vec<Runs<'_, 3>>, entries: (u64, u64)) -> io::Result<()> {
        let mut sides: [Vec<(u64, u64)>; 2] = Default::default();
        Runs::all_in_order(tables, |[_, at, place]| {
            let (index, of_b) = (place & !B, place & B != 0);
            if !self.is_paired(index, of_b) {
                sides[usize::from(of_b)].push((at, index));
            }
            Ok(())
        })?;
        let [a, b] = sides;
        let shift = entries.0.abs_diff(entries.1);
        let is_more = a.len() > b.len();
        let is_longer = if is_more { entries.0 > entries.1 } else { entries.1 > entries.0 };
        // how far the place of one of the many is from that of one of the few
        let far = |many: u64, few: u64| {
            let at_end = if is_longer { few + shift } else { few.saturating_sub(shift) };
            many.abs_diff(few).min(many.abs_diff(at_end))
        };
        let (few, many) = if is_more { (b, a) } else { (a, b) };
        let mut surplus = many.len() - few.len();
        let mut many = many.into_iter().peekable();
        for (at, one) in few {
            let Some(mut next) = many.next() else { break };
            while let Some(nearer) = many.next_if(|other| surplus > 0 && far(other.0, at) < far(next.0, at)) {
                surplus -= 1;
                next = nearer;
            }
            let (a, b) = if is_more { (next.1, one) } else { (one, next.1) };
            self.a.add(a);
            self.b.add(b);
            self.pairs.push(Pair { a, b });
        }
        Ok(())
    }

    fn group(&mut self, group: &mut Group, whole: bool) {
        let (a, b) = (std::mem::take(&mut group.a), std::mem::take(&mut group.b));
        let (Some(&first), Some(&other)) = (a.first(), b.first()) else { return };
        if whole && (a.len() > 1 || b.len() > 1) {
            a.iter().for_each(|index| self.a.add(*index));
            b.iter().for_each(|index| self.b.add(*index));
            self.pairs.push(Pair { a: first, b: other });
            self.pages.insert(first, (a, b));
            return;
        }
        self.repeated += u64::from(a.len() > 1 && b.len() > 1);
        for (&a, &b) in a.iter().zip(&b) {
            self.a.add(a);
            self.b.add(b);
            self.pairs.push(Pair { a, b });
        }
    }
}

/// Entries with one key.
#[derive(Default)]
struct Group {
    hash: [u64; 2],
    a: Vec<u64>,
    b: Vec<u64>,
}

/// What the first pass leaves: entries of each side that have no equal, in order, and how many have one.
#[derive(Default)]
pub(super) struct UnpairedEntries {
    pub a: Vec<u64>,
    pub b: Vec<u64>,
    pub same: u64,
}

impl UnpairedEntries {
    /// From tables of entries: an equal entry may be anywhere on the other side.
    ///
    /// # Errors
    /// A temporary file.
    pub fn of_entries(tables: Vec<Runs<'_, 3>>) -> io::Result<UnpairedEntries> {
        let (mut left, mut group) = (UnpairedEntries::default(), Group::default());
        Runs::all_in_order(tables, |row| {
            left.row(row, &mut group);
            Ok(())
        })?;
        left.entries(&mut group);
        Ok(left.sorted())
    }

    /// The same of rows that are in order.
    pub fn of_sorted(rows: Vec<[u64; 3]>) -> UnpairedEntries {
        let (mut left, mut group) = (UnpairedEntries::default(), Group::default());
        rows.into_iter().for_each(|row| left.row(row, &mut group));
        left.entries(&mut group);
        left.sorted()
    }

    fn row(&mut self, [high, low, place]: [u64; 3], group: &mut Group) {
        if group.hash != [high, low] {
            self.entries(group);
            group.hash = [high, low];
        }
        if place & B != 0 { group.b.push(place & !B) } else { group.a.push(place) }
    }

    fn entries(&mut self, group: &mut Group) {
        let (a, b) = (std::mem::take(&mut group.a), std::mem::take(&mut group.b));
        let equal = a.len().min(b.len());
        self.same += equal as u64;
        self.a.extend_from_slice(&a[equal..]);
        self.b.extend_from_slice(&b[equal..]);
    }

    /// Of pages: one entry on each side, and these are equal; or all of them are left.
    ///
    /// # Errors
    /// A temporary file.
    pub fn of_pages(tables: Vec<Runs<'_, 5>>) -> io::Result<UnpairedEntries> {
        let mut left = UnpairedEntries::default();
        let mut group = Group::default();
        let mut contents: [[u64; 2]; 2] = [[0; 2]; 2];
        Runs::all_in_order(tables, |[high, low, place, one, two]| {
            if group.hash != [high, low] {
                left.pages(&mut group, contents[0] == contents[1]);
                group.hash = [high, low];
            }
            contents[usize::from(place & B != 0)] = [one, two];
            if place & B != 0 {
                group.b.push(place & !B)
            } else {
                group.a.push(place)
            }
            Ok(())
        })?;
        left.pages(&mut group, contents[0] == contents[1]);
        Ok(left.sorted())
    }

    fn pages(&mut self, group: &mut Group, equal: bool) {
        let (mut a, mut b) = (std::mem::take(&mut group.a), std::mem::take(&mut group.b));
        if a.len() == 1 && b.len() == 1 && equal {
            self.same += 1;
            return;
        }
        self.a.append(&mut a);
        self.b.append(&mut b);
    }

    fn sorted(mut self) -> UnpairedEntries {
        self.a.sort_unstable();
        self.b.sort_unstable();
        self
    }
}

/// More than any number of pairs.
const LONG: u64 = 1 << 32;

/// Marks the pairs, given in the order of A, that are out of the order most of them have in B: one flag per pair. As few
/// pairs as possible are marked, and none that has the same place in A and B, even if more others are then.
pub(super) fn displaced(pairs: &[Pair]) -> Vec<bool> {
    let mut displaced = outside_run(pairs, (LONG, 1));
    if pairs.iter().zip(&displaced).any(|(pair, displaced)| *displaced && pair.a == pair.b) {
        displaced = outside_run(pairs, (1, LONG));
    }
    displaced
}

/// Marks the pairs outside the heaviest run of pairs that rise in B. A pair weighs `one`; one that kept its place weighs
/// `kept` more.
fn outside_run(pairs: &[Pair], (one, kept): (u64, u64)) -> Vec<bool> {
    const NONE: usize = usize::MAX;
    let mut rank = vec![0; pairs.len()];
    let mut in_b: Vec<usize> = (0..pairs.len()).collect();
    in_b.sort_unstable_by_key(|at| pairs[*at].b);
    in_b.into_iter().zip(1..).for_each(|(at, place)| rank[at] = place);
    // the weights and last pairs of the heaviest runs that end in some ranks of B: a Fenwick tree
    let mut best = vec![(0, NONE); pairs.len() + 1];
    let mut before = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let (mut place, mut last) = (rank[at] - 1, (0, NONE));
        while place > 0 {
            last = last.max(best[place]);
            place &= place - 1;
        }
        before.push(last.1);
        let run = (last.0 + if pair.a == pair.b { one + kept } else { one }, at);
        place = rank[at];
        while let Some(known) = best.get_mut(place) {
            *known = run.max(*known);
            place += place & place.wrapping_neg();
        }
    }
    let mut displaced = vec![true; pairs.len()];
    let mut next = best.into_iter().max().map_or(NONE, |(_, at)| at);
    while let Some(at) = before.get(next) {
        displaced[next] = false;
        next = *at;
    }
    displaced
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(u64, u64)]) -> Vec<Runs<'static, 3>> {
        let mut runs = Runs::new(usize::MAX, None);
        rows.iter().for_each(|(key, place)| runs.push([*key, 0, *place]).unwrap());
        vec![runs]
    }

    #[test]
    fn of_one_key_the_first_goes_to_the_first() {
        let mut aligned = Alignment::new(3, 3);
        aligned.round(table(&[(7, 0), (7, 2), (9, 1), (7, B), (7, B | 1), (7, B | 2)]), false).unwrap();
        aligned.pairs.sort_unstable();
        assert_eq!(aligned.pairs, [Pair { a: 0, b: 0 }, Pair { a: 2, b: 1 }]);
        assert_eq!(aligned.repeated, 1);
        assert!(!aligned.is_paired(1, false) && !aligned.is_paired(2, true));
        aligned.round(table(&[(1, 0), (1, 1), (1, B | 1), (1, B | 2)]), false).unwrap();
        assert_eq!(aligned.pairs.last(), Some(&Pair { a: 1, b: 2 }));
    }

    #[test]
    fn what_has_no_key_is_paired_by_place() {
        let pairs = |a: &[u64], b: &[u64], entries| {
            let mut runs = Runs::new(usize::MAX, None);
            (0..).zip(a).for_each(|(index, at)| runs.push([0, *at, index]).unwrap());
            (0..).zip(b).for_each(|(index, at)| runs.push([0, *at, B | index]).unwrap());
            let mut aligned = Alignment::new(a.len(), b.len());
            aligned.by_place(vec![runs], entries).unwrap();
            aligned.pairs.iter().map(|pair| (a[pair.a as usize], b[pair.b as usize])).collect::<Vec<_>>()
        };
        assert_eq!(pairs(&[3, 5], &[0, 9], (10, 10)), [(3, 0), (5, 9)]);
        assert_eq!(pairs(&[0, 4], &[3], (10, 10)), [(4, 3)]);
        assert_eq!(pairs(&[3], &[0, 4], (10, 10)), [(3, 4)]);
        assert_eq!(pairs(&[0, 1, 2, 3], &[3, 9], (10, 10)), [(2, 3), (3, 9)]);
        assert_eq!(pairs(&[], &[3, 9], (10, 10)), []);
        // counted from the end
        assert_eq!(pairs(&[0, 2], &[1], (3, 2)), [(2, 1)]);
        assert_eq!(pairs(&[1], &[0, 2], (2, 3)), [(1, 2)]);
        assert_eq!(pairs(&[5], &[2, 105], (10, 110)), [(5, 105)]);
    }

    #[test]
    fn what_is_equal_is_equal_wherever_it_stands() {
        let left =
            UnpairedEntries::of_entries(table(&[(1, 0), (2, 1), (1, 2), (2, B), (1, B | 1), (3, B | 2)])).unwrap();
        assert_eq!((left.a, left.b, left.same), (vec![2], vec![2], 2));
    }

    #[test]
    fn the_fewest_are_displaced() {
        let pairs: Vec<Pair> = [0, 9, 1, 2, 3].iter().enumerate().map(|(a, b)| Pair { a: a as u64, b: *b }).collect();
        assert_eq!(displaced(&pairs), [false, true, false, false, false]);
        assert!(displaced(&[]).is_empty());
        // an entry that kept its place has not moved
        let pairs = |b: &[u64]| b.iter().zip(0..).map(|(b, a)| Pair { a, b: *b }).collect::<Vec<_>>();
        assert_eq!(displaced(&pairs(&[4, 3, 2, 1, 0])), [true, true, false, true, true]);
        assert_eq!(displaced(&pairs(&[3, 4, 2])), [true, true, false]);
    }
}
