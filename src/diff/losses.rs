//! Losses of a conversion whose target format has a place for the field: the second of two thumbnails, a value hidden
//! by a deeper level. A comparison cannot show them if the other side is poorer, so they are listed. Fields without a
//! place in the format are in its fate table (explain.rs).

use super::passes::{Fields, has, mark};
use crate::model::Field;

/// Fields with omitted values, and the reasons.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct FieldLosses {
    /// By the numbers of the fields; no longer than needed.
    whys: Vec<Vec<&'static str>>,
    /// Fields whose value in the head is used by entries.
    used: Fields,
}

impl FieldLosses {
    /// Notes a value.
    pub fn note(&mut self, field: Field, why: &'static str) {
        let number = field as usize;
        if self.whys.len() <= number {
            self.whys.resize(number + 1, Vec::new());
        }
        if let Some(whys) = self.whys.get_mut(number)
            && !whys.contains(&why)
        {
            whys.push(why);
        }
    }

    /// Notes that entries use the head's value of this field.
    pub fn note_used(&mut self, field: Field) {
        mark(&mut self.used, field);
    }

    /// Whether entries use the head's value of a field.
    pub fn is_used(&self, field: Field) -> bool {
        has(&self.used, field)
    }

    /// The same of others.
    pub fn add(&mut self, other: &FieldLosses) {
        self.used.iter_mut().zip(other.used).for_each(|(all, word)| *all |= word);
        for (field, why) in other.all() {
            self.note(field, why);
        }
    }

    /// Why values of a field were omitted; the order of the reasons does not depend on that of the entries.
    pub fn reasons(&self, field: Field) -> Vec<&'static str> {
        let mut whys = self.whys.get(field as usize).cloned().unwrap_or_default();
        whys.sort_unstable();
        whys
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = (Field, &'static str)> {
        Field::ALL.iter().zip(&self.whys).flat_map(|(field, whys)| whys.iter().map(|why| (*field, *why)))
    }
}
