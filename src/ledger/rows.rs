//! Finding the row of a leaf by the number of its field, without hashing. Not the rows themselves (mod.rs).

use std::hash::{BuildHasherDefault, Hasher};

use crate::code::{Code, LossKind};
use crate::fate::FateTable;
use crate::model::Field;

/// Hashes the words that a row is known by. All are ours, so nobody can choose such that fall together.
pub(super) type Cheap = BuildHasherDefault<Words>;

/// Folds eight bytes at a time.
#[derive(Default)]
pub(super) struct Words(u64);

impl Words {
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

    fn fold(&mut self, part: u64) {
        self.0 = (self.0.rotate_left(5) ^ part).wrapping_mul(Words::SPREAD);
    }
}

impl Hasher for Words {
    fn finish(&self) -> u64 {
        // the low bits choose the place
        self.0 ^ (self.0 >> 32)
    }
    fn write(&mut self, bytes: &[u8]) {
        let mut blocks = bytes.chunks_exact(8);
        for block in &mut blocks {
            self.fold(block.iter().fold(0, |part, byte| part << 8 | u64::from(*byte)));
        }
        self.fold(blocks.remainder().iter().fold(1, |part, byte| part << 8 | u64::from(*byte)));
    }
    fn write_u8(&mut self, byte: u8) {
        self.fold(u64::from(byte));
    }
    fn write_isize(&mut self, number: isize) {
        self.fold(number as u64);
    }
}

/// The rows that the fate table leads to, by the field's number: of those that nothing more is told of, most leaves are
/// only counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Fated {
    table: Option<FateTable>,
    pub(super) rows: Vec<Option<usize>>,
}

impl Fated {
    /// Forgets what another table said.
    pub(super) fn follow(&mut self, table: FateTable) {
        if !self.table.is_some_and(|known| std::ptr::fn_addr_eq(known, table)) {
            self.rows.clear();
            self.rows.resize(Field::ALL.len(), None);
            self.table = Some(table);
        }
    }
}

/// The rows of each field, found by its number: the values of one meet the same few fates again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    /// By the field's number, one more than that of the last of its links; 0 before the first.
    last: Vec<u32>,
    links: Vec<Link>,
}

/// A row of a field, and the one noted before it.
#[derive(Clone, Debug)]
struct Link {
    kind: LossKind,
    code: Code,
    why: &'static str,
    row: usize,
    before: u32,
}

impl Near {
    #[inline]
    pub(super) fn find(&self, kind: LossKind, code: Code, field: Field, why: &'static str) -> Option<usize> {
        let mut next = *self.last.get(field as usize)?;
        while let Some(link) = next.checked_sub(1).and_then(|next| self.links.get(next as usize)) {
            // a text that stands in the program twice is noted twice
            if link.kind == kind && link.code == code && std::ptr::eq(link.why, why) {
                return Some(link.row);
            }
            next = link.before;
        }
        None
    }

    pub(super) fn note(&mut self, kind: LossKind, code: Code, field: Field, why: &'static str, row: usize) {
        if self.last.is_empty() {
            self.last.resize(Field::ALL.len(), 0);
        }
        if let Some(last) = self.last.get_mut(field as usize) {
            self.links.push(Link { kind, code, why, row, before: *last });
            *last = self.links.len() as u32;
        }
    }
}
