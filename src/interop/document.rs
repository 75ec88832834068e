//! A whole document in memory, and what is lost of it on the way through the types of another crate.
//! Not those types (rss.rs, atom.rs).

use std::collections::HashMap;

use super::shallow;
use crate::convert::{Bytes, Conversion, Entries, write};
use crate::error::Error;
use crate::format::{Format, json};
use crate::ledger::{Books, Ledger};
use crate::model::{Entry, Feed, Field, LeafView};
use crate::options::Options;
use crate::reason::Reason;

/// A whole document in memory.
///
/// ```
/// # #[cfg(feature = "rss")] {
/// use transfeed::interop::InteropDocument;
///
/// let mut channel = rss::Channel::default();
/// channel.title = "Videos".to_owned();
/// channel.items.push(rss::Item { title: Some("One".to_owned()), ..rss::Item::default() });
/// let document = InteropDocument::try_from(&channel)?;
/// assert_eq!(document.entries[0].title.as_ref().unwrap().value.as_str(), "One");
/// let (back, losses) = document.to_rss()?;
/// assert_eq!(back.items[0].title.as_deref(), Some("One"));
/// assert_eq!(losses.types.totals().lost, 0);
/// # }
/// # Ok::<(), transfeed::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InteropDocument {
    /// The head.
    pub feed: Feed<'static>,
    /// The pages.
    pub entries: Vec<Entry<'static>>,
}

/// What did not fit.
#[derive(Clone, Debug)]
pub struct Losses {
    /// What the format cannot hold of the document.
    pub format: Ledger,
    /// What the other crate's types cannot hold of that format.
    pub types: Ledger,
}

impl InteropDocument {
    /// Reads a document.
    pub(super) fn read(wire: &[u8], format: &'static Format) -> Result<InteropDocument, Error> {
        let input = Bytes { name: format.id, bytes: wire };
        let entries = Entries::open(&input, Some(format))?;
        let feed = entries.feed().clone();
        Ok(InteropDocument { feed, entries: entries.collect::<Result<_, _>>()? })
    }

    /// Writes it; the bytes are within the depth that the other crates can bear.
    pub(super) fn wire(&self, format: &'static Format) -> Result<(Vec<u8>, Ledger), Error> {
        let mut wire = Vec::new();
        let ledger = write(format, self.feed.clone(), self.entries.clone(), &Options::default(), &mut wire)?;
        shallow(&String::from_utf8_lossy(&wire))?;
        Ok((wire, ledger))
    }
}

/// What is missing in `after` of `before`, which was written from it and read again.
pub(super) fn missing(before: &InteropDocument, after: &InteropDocument, why: Reason) -> Result<Ledger, Error> {
    let mut ledger = Ledger::default();
    let table = json::JSON.writer.map(|writer| writer.table(&Options::default()));
    let Some(table) = table else { return Ok(ledger) };
    let nothing = Entry::default();
    for (number, entry) in before.entries.iter().enumerate() {
        let mut books = Books::default();
        books.open(&entry.origin.records);
        let mut held = ReturnedValues::default();
        after.entries.get(number).unwrap_or(&nothing).each_leaf(&mut |seen| held.add(seen));
        entry.each_leaf(&mut |seen| held.settle(seen, &mut books, why));
        ledger.close(&mut books, &entry.origin, table, |visit| entry.each_leaf(visit))?;
    }
    let mut books = Books::default();
    let mut held = ReturnedValues::default();
    after.feed.each_leaf(&mut |seen| held.add(seen));
    before.feed.each_leaf(&mut |seen| held.settle(seen, &mut books, why));
    ledger.close_feed(&mut books, &before.feed.origin, table, |visit| before.feed.each_leaf(visit))?;
    Ok(ledger)
}

/// The values that came back.
#[derive(Default)]
struct ReturnedValues(HashMap<(Field, String), u32>);

impl ReturnedValues {
    fn add(&mut self, seen: LeafView<'_>) {
        *self.0.entry((seen.field, seen.value.to_string())).or_default() += 1;
    }

    fn settle(&mut self, seen: LeafView<'_>, books: &mut Books, why: Reason) {
        match self.0.get_mut(&(seen.field, seen.value.to_string())) {
            Some(left) if *left > 0 => {
                *left -= 1;
                books.kept(seen.mark);
            }
            _ => books.lost(seen.mark, why),
        }
    }
}

/// What our reader did not understand of what another crate wrote.
pub(super) fn unread(wire: &[u8], format: &'static Format) -> Result<Ledger, Error> {
    let lines = Conversion::to(&json::JSONL).from(format);
    Ok(lines.bytes(wire)?.1)
}

pub(super) fn refused(name: &'static str, error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::io(name, std::io::Error::other(error))
}
