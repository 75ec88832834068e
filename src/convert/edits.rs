//! Entries that are not written as they were read: those of a document that the caller holds, and those that a function
//! of the caller's changes on their way. Every pass over a document reads its entries here, so all of them see the same.

use std::fmt;
use std::sync::Arc;

use crate::model::Entry;
use crate::xml::limits::TreeError;

/// The entries of a document that is held, by their numbers; none of one that could not be read, which is why.
pub(crate) type HeldEntries = Arc<Vec<Result<Entry<'static>, TreeError>>>;

/// Changes to the entries of a document when they are read.
#[derive(Clone, Debug, Default)]
pub(crate) enum Edits {
    /// Nothing.
    #[default]
    None,
    /// They are these.
    Given(HeldEntries),
    /// What this function makes of them.
    Mapped(EntryMap),
}

/// A function from an entry and its number to what is written in its place.
#[derive(Clone)]
pub(crate) struct EntryMap(pub Arc<dyn Fn(Entry<'static>, u64) -> Entry<'static> + Send + Sync>);

impl fmt::Debug for EntryMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Map")
    }
}
