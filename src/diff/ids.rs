//! Ids of Atom entries that repeat, whose entries may be revisions of one another (revisions.rs).

use super::hash::Hasher;
use crate::convert::PageKeys;
use crate::format::Format;
use crate::model::Entry;
use crate::options::Options;
use std::io;

/// Ids as they go by in the first pass: whether one returns, is all that is asked.
pub(super) struct RepeatedIds<'o>(Option<PageKeys<'o>>);

impl<'o> RepeatedIds<'o> {
    /// Of a side; of no entry, if none of its formats has revisions, or they are not asked for.
    pub fn for_formats(
        mut formats: impl Iterator<Item = &'static Format>,
        wanted: bool,
        options: &'o Options,
    ) -> RepeatedIds<'o> {
        let counts = wanted && formats.any(has);
        RepeatedIds(counts.then(|| PageKeys::new(options.memory / 64, options.temp_dir.as_deref())))
    }

    /// Notes one.
    ///
    /// # Errors
    /// A temporary file.
    pub fn push(&mut self, id: [u64; 2]) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), |keys| keys.push(id, 0))
    }

    /// Whether some id returns.
    ///
    /// # Errors
    /// A temporary file.
    pub fn any_returns(self) -> io::Result<bool> {
        let mut returns = false;
        if let Some(keys) = self.0 {
            keys.each_return(&mut |_| returns = true)?;
        }
        Ok(returns)
    }
}

/// What an entry of a format with revisions is one with others by.
pub(super) fn id(entry: &Entry<'_>, format: &Format, hasher: &Hasher) -> Option<[u64; 2]> {
    entry.id.as_ref().filter(|_| has(format)).map(|id| hasher.bytes(id.value.trim().as_bytes()))
}

/// Whether entries of this format with one id are one.
pub(super) fn has(format: &Format) -> bool {
    format.family.revisions
}
