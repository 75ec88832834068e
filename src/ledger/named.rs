//! Values counted by the names of their elements in the source. Only runs whose gates name elements count them: the name
//! of a value has to be looked up in the source.

use std::collections::HashMap;

use crate::code::{Code, LossKind};

/// So many different names are counted; hostile input may otherwise have as many as values.
const NAMES: usize = 10_000;

/// What is counted together.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NamedKey {
    /// The kind and the code of the row; of kept values there is none.
    pub(crate) row: Option<(LossKind, Code)>,
    /// The model's name of the field; empty where there is none.
    pub(crate) field: &'static str,
    /// The element or attribute in the source; empty where the source has no names.
    pub(crate) name: String,
}

impl NamedKey {
    /// Whether the values are in the output neither as they were nor changed.
    #[cfg(feature = "cli")]
    pub(crate) fn is_lost(&self) -> bool {
        let Some((kind, code)) = self.row else { return false };
        kind == LossKind::Lost || matches!(code, Code::ExtensionDropped | Code::InvalidDropped)
    }
}

/// The counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamedCounts(HashMap<NamedKey, u64>);

impl NamedCounts {
    pub(super) fn add(&mut self, mut key: NamedKey, count: u64) {
        if self.0.len() >= NAMES && !self.0.contains_key(&key) {
            key.name.clear();
        }
        *self.0.entry(key).or_insert(0) += count;
    }

    pub(super) fn absorb(&mut self, other: NamedCounts) {
        other.0.into_iter().for_each(|(key, count)| self.add(key, count));
    }

    /// All of them, in no order.
    #[cfg(feature = "cli")]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&NamedKey, u64)> {
        self.0.iter().map(|(key, count)| (key, *count))
    }
}
