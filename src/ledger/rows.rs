//! Finding the row of a leaf by the number of its field, without hashing. Not the rows themselves (mod.rs).

use crate::code::{Code, LossKind};
use crate::fate::FateTable;
use crate::model::Field;

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
