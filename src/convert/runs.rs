//! What memory may not hold: rows of numbers in order, in sorted blocks, above a budget in a temporary file; and bytes that
//! wait. What the numbers and bytes mean is the caller's.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::SpooledTempFile;

use crate::error::Error;

/// Rows that are sorted at once: 1.5 MiB of rows of three.
const BLOCK: usize = 1 << 16;

/// Bytes that are passed on at once.
const COPIED: usize = 64 << 10;

/// Rows that are read from a run, or written to one, at once.
const REFILL: usize = 1 << 8;

/// Rows of `W` numbers, in blocks: a table that doubles would hold everything three times while it grows.
pub(crate) struct Runs<'d, const W: usize> {
    open: Vec<[u64; W]>,
    blocks: Vec<Vec<[u64; W]>>,
    runs: Vec<(u64, u64)>,
    file: Option<SpooledTempFile>,
    /// Bytes that may be held.
    budget: usize,
    dir: Option<&'d Path>,
}

impl<'d, const W: usize> Runs<'d, W> {
    /// Bytes of a row in a file.
    const WIDTH: usize = W * 8;

    /// Rows that hold this many bytes, rounded up to a block, and put more of them into a temporary file in `dir`, or where
    /// the system keeps such.
    pub fn new(budget: usize, dir: Option<&'d Path>) -> Runs<'d, W> {
        Runs { open: Vec::new(), blocks: Vec::new(), runs: Vec::new(), file: None, budget, dir }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// A temporary file that cannot be written.
    pub fn push(&mut self, row: [u64; W]) -> io::Result<()> {
        self.open.push(row);
        if self.open.len() < BLOCK {
            return Ok(());
        }
        self.close_block();
        if self.blocks.len() * BLOCK * Self::WIDTH >= self.budget { self.spill() } else { Ok(()) }
    }

    fn close_block(&mut self) {
        self.blocks.push(sorted(&mut self.open));
        self.open.clear();
    }

    /// Writes each block as a sorted run.
    fn spill(&mut self) -> io::Result<()> {
        let file = self.file.get_or_insert_with(|| scratch(0, self.dir));
        let mut end = file.seek(SeekFrom::End(0))?;
        let mut bytes = Vec::with_capacity(REFILL * Self::WIDTH);
        for block in self.blocks.drain(..) {
            let start = end;
            for rows in block.chunks(REFILL) {
                bytes.clear();
                rows.as_flattened().iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
                file.write_all(&bytes)?;
                end += bytes.len() as u64;
            }
            self.runs.push((start, end));
        }
        Ok(())
    }

    /// Whether a temporary file holds some of it.
    #[cfg(test)]
    pub fn is_on_disk(&self) -> bool {
        self.file.is_some()
    }

    /// Bytes that are held in closed blocks.
    #[cfg(test)]
    pub fn held(&self) -> usize {
        self.blocks.len() * BLOCK * Self::WIDTH
    }

    /// Passes on all rows in order.
    ///
    /// # Errors
    /// A temporary file that cannot be read, or an error of `take`.
    pub fn in_order(self, take: impl FnMut([u64; W]) -> io::Result<()>) -> io::Result<()> {
        Runs::all_in_order(vec![self], take)
    }

    /// Passes on the rows of several tables in order.
    ///
    /// # Errors
    /// A temporary file that cannot be read, or an error of `take`.
    pub fn all_in_order(tables: Vec<Runs<'d, W>>, take: impl FnMut([u64; W]) -> io::Result<()>) -> io::Result<()> {
        let (mut cursors, mut files) = (Vec::new(), Vec::new());
        for (index, mut table) in tables.into_iter().enumerate() {
            table.close_block();
            cursors.extend(table.blocks.into_iter().map(RowCursor::block));
            let runs =
                table.runs.iter().map(|&(at, end)| RowCursor { rows: Vec::new(), next: 0, at, end, file: index });
            cursors.extend(runs);
            files.push(table.file);
        }
        merge(cursors, &mut files, take)
    }
}

/// A temporary file, in memory up to this size. WebAssembly has no files, so everything stays in memory there.
pub(crate) fn scratch(held: usize, dir: Option<&Path>) -> SpooledTempFile {
    let held = if cfg!(target_family = "wasm") { usize::MAX } else { held };
    match dir {
        Some(dir) => tempfile::spooled_tempfile_in(held, dir),
        None => tempfile::spooled_tempfile(held),
    }
}

/// Bytes that wait, above a size in a temporary file.
pub(crate) struct Spool {
    file: SpooledTempFile,
    size: u64,
}

impl Spool {
    /// Holds so many bytes in memory, and puts more of them into a temporary file in `dir`.
    pub fn new(held: usize, dir: Option<&Path>) -> Spool {
        Spool { file: scratch(held, dir), size: 0 }
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// A temporary file that cannot be written.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.size += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    /// How many bytes wait.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Passes on all bytes, block by block.
    ///
    /// # Errors
    /// A temporary file that cannot be read, or an error of `take`.
    pub fn each_block(&mut self, take: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        self.file.seek(SeekFrom::Start(0)).map_err(Error::temporary)?;
        let mut block = vec![0; COPIED];
        loop {
            let size = self.file.read(&mut block).map_err(Error::temporary)?;
            match block.get(..size) {
                None | Some([]) => return Ok(()),
                Some(block) => take(block)?,
            }
        }
    }
}

/// A sorted sequence of rows: in memory, or a stretch of a file that is read piece by piece.
struct RowCursor<const W: usize> {
    rows: Vec<[u64; W]>,
    next: usize,
    at: u64,
    end: u64,
    file: usize,
}

impl<const W: usize> RowCursor<W> {
    fn block(rows: Vec<[u64; W]>) -> RowCursor<W> {
        RowCursor { rows, next: 0, at: 0, end: 0, file: 0 }
    }

    fn next(&mut self, files: &mut [Option<SpooledTempFile>]) -> io::Result<Option<[u64; W]>> {
        if self.next == self.rows.len()
            && self.at < self.end
            && let Some(Some(file)) = files.get_mut(self.file)
        {
            self.refill(file)?;
        }
        let row = self.rows.get(self.next).copied();
        self.next += 1;
        if row.is_none() {
            self.rows = Vec::new();
        }
        Ok(row)
    }

    fn refill(&mut self, file: &mut SpooledTempFile) -> io::Result<()> {
        let size = (self.end - self.at).min((REFILL * W * 8) as u64) as usize;
        let mut bytes = vec![0; size];
        file.seek(SeekFrom::Start(self.at))?;
        file.read_exact(&mut bytes)?;
        self.at += size as u64;
        self.next = 0;
        self.rows.clear();
        let word = |word: &[u8]| word.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        self.rows.extend(bytes.chunks_exact(W * 8).map(|row| {
            let mut words = row.chunks_exact(8).map(word);
            std::array::from_fn(|_| words.next().unwrap_or(0))
        }));
        Ok(())
    }
}

/// The same rows in order. Many are first put apart by their highest bits, in which hashes differ evenly, so that what is
/// left to sort is short.
fn sorted<const W: usize>(rows: &mut Vec<[u64; W]>) -> Vec<[u64; W]> {
    const BITS: u32 = 10;
    if rows.len() < 1 << BITS {
        rows.sort_unstable_by(order);
        return std::mem::take(rows);
    }
    let of_row = |row: &[u64; W]| row.first().map_or(0, |word| (word >> (u64::BITS - BITS)) as usize);
    let mut ends = [0; 1 << BITS];
    rows.iter().for_each(|row| ends[of_row(row)] += 1);
    let mut sum = 0;
    for end in &mut ends {
        sum += std::mem::replace(end, sum);
    }
    let mut sorted = vec![[0; W]; rows.len()];
    for row in rows.iter() {
        let end = &mut ends[of_row(row)];
        sorted[*end] = *row;
        *end += 1;
    }
    let mut start = 0;
    for end in ends {
        sorted[start..end].sort_unstable_by(order);
        start = end;
    }
    sorted
}

/// The order of rows. Most begin with a hash, so one comparison usually decides.
fn order<const W: usize>(one: &[u64; W], other: &[u64; W]) -> Ordering {
    match (one.first(), other.first()) {
        (Some(one), Some(other)) if one != other => one.cmp(other),
        _ => one.cmp(other),
    }
}

/// The next row of a cursor.
#[derive(PartialEq, Eq)]
struct NextRow<const W: usize> {
    row: [u64; W],
    cursor: usize,
}

impl<const W: usize> Ord for NextRow<W> {
    fn cmp(&self, other: &Self) -> Ordering {
        order(&self.row, &other.row).then_with(|| self.cursor.cmp(&other.cursor))
    }
}

impl<const W: usize> PartialOrd for NextRow<W> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Hands on all rows in order.
fn merge<const W: usize>(
    mut cursors: Vec<RowCursor<W>>,
    files: &mut [Option<SpooledTempFile>],
    mut take: impl FnMut([u64; W]) -> io::Result<()>,
) -> io::Result<()> {
    let mut heap = BinaryHeap::with_capacity(cursors.len());
    for (cursor, rows) in cursors.iter_mut().enumerate() {
        heap.extend(rows.next(files)?.map(|row| Reverse(NextRow { row, cursor })));
    }
    while let Some(mut least) = heap.peek_mut() {
        take(least.0.row)?;
        let next = match cursors.get_mut(least.0.cursor) {
            Some(rows) => rows.next(files)?,
            None => None,
        };
        match next {
            Some(row) => least.0.row = row,
            None => {
                PeekMut::pop(least);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_several_tables_come_in_order() {
        let count = 3 * BLOCK as u64 + 5;
        for budget in [usize::MAX, BLOCK * 16, 0] {
            let mut tables = [Runs::<2>::new(budget, None), Runs::new(budget, None)];
            (0..count).for_each(|number| {
                let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                tables[(number % 2) as usize].push([mixed, number]).unwrap();
            });
            assert_eq!(tables[0].is_on_disk(), budget < usize::MAX);
            let (mut last, mut seen) = ([0, 0], 0);
            Runs::all_in_order(tables.into(), |row| {
                assert!(row >= last && row[0] == row[1].wrapping_mul(0x9e37_79b9_7f4a_7c15));
                (last, seen) = (row, seen + 1);
                Ok(())
            })
            .unwrap();
            assert_eq!(seen, count);
        }
    }
}
