//! The keys of the rows of a ledger: a number built from the kind, the reason, the fields and the element. The rows
//! themselves are in mod.rs.

use std::hash::{BuildHasherDefault, Hasher};

use crate::code::LossKind;
use crate::fate::FateTable;
use crate::model::Field;
use crate::reason::Reason;

/// What a row is known by.
#[derive(Clone, Copy)]
pub(super) struct RowKey {
    pub(super) kind: LossKind,
    pub(super) reason: Reason,
    pub(super) field: RowSubject,
    /// The field of the written value that it is equal to, where that is the reason.
    pub(super) same: Option<Field>,
    /// One more than the number of an element, or 0.
    pub(super) element: u16,
}

impl RowKey {
    /// The key as a number: 16 bits each for the element, the fields, and kind and reason.
    #[inline]
    pub(super) fn number(self) -> u64 {
        let RowKey { kind, reason, field, same, element } = self;
        let same = same.map_or(0, |field| field as u64 + 1);
        u64::from(element) << 48 | same << 32 | field.number() << 16 | (kind as u64) << 12 | reason as u64
    }
}

/// The subject of a row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum RowSubject {
    Field(Field),
    Entry,
    Unknown,
}

impl RowSubject {
    fn number(self) -> u64 {
        match self {
            RowSubject::Field(field) => field as u64 + 2,
            RowSubject::Entry => 1,
            RowSubject::Unknown => 0,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            RowSubject::Field(field) => field.name(),
            RowSubject::Entry => "entry",
            RowSubject::Unknown => "?",
        }
    }
}

/// Hashes the numbers of rows. All are ours, so nobody can choose some that collide.
pub(super) type RowNumberHasher = BuildHasherDefault<SpreadHasher>;

/// Spreads the one number that is hashed.
#[derive(Default)]
pub(super) struct SpreadHasher(u64);

impl Hasher for SpreadHasher {
    fn finish(&self) -> u64 {
        // the low bits choose the place
        self.0 ^ (self.0 >> 32)
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }
    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// The rows of leaves that only the fate table settles, by the field's number. Most of these leaves are only counted,
/// because their rows need no more examples.
#[derive(Clone, Debug, Default)]
pub(super) struct FateRows {
    table: Option<FateTable>,
    pub(super) rows: Vec<Option<usize>>,
}

impl FateRows {
    /// Clears the rows when the fate table changes.
    pub(super) fn follow(&mut self, table: FateTable) {
        if !self.table.is_some_and(|known| std::ptr::fn_addr_eq(known, table)) {
            self.rows.clear();
            self.rows.resize(Field::ALL.len(), None);
            self.table = Some(table);
        }
    }
}
