//! Keys of pages while all entries are looked at once: 24 bytes each, above a budget in a temporary file. What makes a
//! key, and what becomes of entries that share one, is told elsewhere.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::SpooledTempFile;

/// A hash of a page's address, and where an entry with it stands. Sorted, the first of a page stands first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    hash: [u64; 2],
    place: u64,
}

/// Bytes of a key in a file.
const WIDTH: usize = 24;

/// Keys that are sorted at once: 1.5 MiB.
const BLOCK: usize = 1 << 16;

/// Keys that are read from a run at once.
const REFILL: usize = 1 << 10;

/// An entry whose page has been seen before, and where.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Return {
    /// The entry.
    pub place: u64,
    /// The first with its page.
    pub first: u64,
}

/// Keys, in blocks: a table that doubles would hold everything three times while it grows.
pub(crate) struct Keys<'d> {
    open: Vec<Key>,
    blocks: Vec<Vec<Key>>,
    runs: Vec<(u64, u64)>,
    file: Option<SpooledTempFile>,
    /// Bytes that may be held.
    budget: usize,
    dir: Option<&'d Path>,
}

impl<'d> Keys<'d> {
    /// Keys that hold this many bytes, rounded up to a block, and put more of them into a temporary file in `dir`, or where the
    /// system keeps such.
    pub fn new(budget: usize, dir: Option<&'d Path>) -> Keys<'d> {
        Keys { open: Vec::new(), blocks: Vec::new(), runs: Vec::new(), file: None, budget, dir }
    }

    /// Notes that the entry at this place has a page with this hash.
    ///
    /// # Errors
    /// A temporary file that cannot be written.
    pub fn push(&mut self, hash: [u64; 2], place: u64) -> io::Result<()> {
        self.open.push(Key { hash, place });
        if self.open.len() < BLOCK {
            return Ok(());
        }
        self.close_block();
        if self.blocks.len() * BLOCK * WIDTH >= self.budget { self.spill() } else { Ok(()) }
    }

    fn close_block(&mut self) {
        let mut block = std::mem::take(&mut self.open);
        block.sort_unstable();
        self.blocks.push(block);
    }

    /// Writes all blocks as one sorted run.
    fn spill(&mut self) -> io::Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => scratch(0, self.dir),
        };
        let start = file.seek(SeekFrom::End(0))?;
        let blocks = std::mem::take(&mut self.blocks);
        let mut out = BufWriter::with_capacity(REFILL * WIDTH, &mut file);
        merge(blocks.into_iter().map(Cursor::block).collect(), None, |key| {
            let [high, low] = key.hash;
            [high, low, key.place].iter().try_for_each(|word| out.write_all(&word.to_le_bytes()))
        })?;
        out.flush()?;
        drop(out);
        self.runs.push((start, file.stream_position()?));
        self.file = Some(file);
        Ok(())
    }

    /// The entries whose page has been seen before, in order of their places.
    ///
    /// # Errors
    /// A temporary file that cannot be read.
    pub fn returns(mut self) -> io::Result<Vec<Return>> {
        self.close_block();
        let runs = self.runs.iter().map(|&(at, end)| Cursor { keys: Vec::new(), next: 0, at, end });
        let cursors = self.blocks.into_iter().map(Cursor::block).chain(runs).collect();
        let mut returns = Vec::new();
        let mut first: Option<Key> = None;
        merge(cursors, self.file.as_mut(), |key| {
            match first {
                Some(first) if first.hash == key.hash => {
                    returns.push(Return { place: key.place, first: first.place });
                }
                _ => first = Some(key),
            }
            Ok(())
        })?;
        returns.sort_unstable();
        Ok(returns)
    }
}

/// A temporary file, in memory up to this size.
pub(super) fn scratch(held: usize, dir: Option<&Path>) -> SpooledTempFile {
    match dir {
        Some(dir) => tempfile::spooled_tempfile_in(held, dir),
        None => tempfile::spooled_tempfile(held),
    }
}

/// A sorted sequence of keys: in memory, or a stretch of the file that is read piece by piece.
struct Cursor {
    keys: Vec<Key>,
    next: usize,
    at: u64,
    end: u64,
}

impl Cursor {
    fn block(keys: Vec<Key>) -> Cursor {
        Cursor { keys, next: 0, at: 0, end: 0 }
    }

    fn next(&mut self, file: &mut Option<&mut SpooledTempFile>) -> io::Result<Option<Key>> {
        if let Some(file) = file
            && self.next == self.keys.len()
            && self.at < self.end
        {
            self.refill(file)?;
        }
        let key = self.keys.get(self.next).copied();
        self.next += 1;
        if key.is_none() {
            self.keys = Vec::new();
        }
        Ok(key)
    }

    fn refill(&mut self, file: &mut SpooledTempFile) -> io::Result<()> {
        let size = (self.end - self.at).min((REFILL * WIDTH) as u64) as usize;
        let mut bytes = vec![0; size];
        file.seek(SeekFrom::Start(self.at))?;
        file.read_exact(&mut bytes)?;
        self.at += size as u64;
        self.next = 0;
        self.keys.clear();
        let words =
            bytes.chunks_exact(8).map(|word| word.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
        let words: Vec<u64> = words.collect();
        let keys = words.chunks_exact(3).map(|words| match *words {
            [high, low, place] => Key { hash: [high, low], place },
            _ => Key { hash: [0, 0], place: 0 },
        });
        self.keys.extend(keys);
        Ok(())
    }
}

/// Hands on all keys in order.
fn merge(
    mut cursors: Vec<Cursor>,
    mut file: Option<&mut SpooledTempFile>,
    mut take: impl FnMut(Key) -> io::Result<()>,
) -> io::Result<()> {
    let mut heap = BinaryHeap::with_capacity(cursors.len());
    for (index, cursor) in cursors.iter_mut().enumerate() {
        heap.extend(cursor.next(&mut file)?.map(|key| Reverse((key, index))));
    }
    while let Some(Reverse((key, index))) = heap.pop() {
        take(key)?;
        if let Some(cursor) = cursors.get_mut(index) {
            heap.extend(cursor.next(&mut file)?.map(|key| Reverse((key, index))));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hash for a page's number that is not in order.
    fn hash(page: u64) -> [u64; 2] {
        let mixed = page.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        [mixed, mixed.rotate_left(17)]
    }

    #[test]
    fn what_returns_is_the_same_in_memory_and_on_disk() {
        let count = 5 * BLOCK as u64 + 7;
        // every page comes again after half of the entries
        let page = |place: u64| place % (count / 2);
        let expected: Vec<Return> = (count / 2..count).map(|place| Return { place, first: page(place) }).collect();
        for budget in [usize::MAX, 2 * BLOCK * WIDTH, 0] {
            let mut keys = Keys::new(budget, None);
            (0..count).for_each(|place| keys.push(hash(page(place)), place).unwrap());
            assert!(keys.blocks.len() * BLOCK * WIDTH <= budget.saturating_add(BLOCK * WIDTH));
            assert_eq!(keys.file.is_some(), budget < usize::MAX);
            assert_eq!(keys.returns().unwrap(), expected, "{budget}");
        }
        assert_eq!(std::mem::size_of::<Key>(), WIDTH);
    }

    #[test]
    fn nothing_returns_of_nothing() {
        assert_eq!(Keys::new(0, None).returns().unwrap(), []);
    }
}
