//! Entries that are not written as they were read: those of a document that the caller holds, and those that a function
//! of the caller's changes on their way. Every pass over a document reads its entries here, so all of them see the same.

use std::fmt;
use std::sync::Arc;

use super::document::Document;
use super::read::{EntryReader, RawEntry, read_entry_into};
use crate::format;
use crate::model::{Entry, IntoOwned};
use crate::options::Options;
use crate::xml::parse::TreeError;

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

impl Document<'_> {
    /// Whether entries are written as they are read.
    pub(super) fn is_edited(&self) -> bool {
        !matches!(self.edits, Edits::None)
    }

    /// Reads an entry of it, into one that is empty so far.
    ///
    /// # Errors
    /// As [`super::read_entry`].
    pub(super) fn read_into<'a>(
        &'a self,
        raw: &RawEntry<'a>,
        reading: &mut EntryReader<'a>,
        options: &'a Options,
        entry: &mut Entry<'a>,
    ) -> Result<(), TreeError> {
        if let Edits::Given(given) = &self.edits {
            let known = usize::try_from(raw.number).ok().and_then(|number| given.get(number));
            if let Some(known) = known {
                *entry = known.clone()?;
            }
            return Ok(());
        }
        let options = self.reading_options(options);
        read_entry_into(self.format, raw, reading, format::around(Some(&self.feed), options), entry)?;
        if let Edits::Mapped(EntryMap(map)) = &self.edits {
            *entry = map(std::mem::take(entry).into_owned(), raw.number);
        }
        Ok(())
    }

    /// Reads an entry of it.
    ///
    /// # Errors
    /// As [`super::read_entry`].
    pub(super) fn read<'a>(
        &'a self,
        raw: &RawEntry<'a>,
        reading: &mut EntryReader<'a>,
        options: &'a Options,
    ) -> Result<Entry<'a>, TreeError> {
        let mut entry = Entry::default();
        self.read_into(raw, reading, options, &mut entry).map(|()| entry)
    }
}
