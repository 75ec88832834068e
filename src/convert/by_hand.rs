//! Writing of models made by hand.

use std::io::Write;
use std::sync::Arc;

use super::worker::note_repairs;
use crate::convert::refusal::writer_for;
use crate::emit::Out;
use crate::error::Error;
use crate::format::ns::dialect;
use crate::format::{ForeignHandling, Format, Setup, Survey};
use crate::ledger::{Books, Ledger, ReaderChanges};
use crate::model::origin::{LeafRecord, Role};
use crate::model::{Entry, Feed, Mark, Walk};
use crate::options::Options;
use crate::survey;

/// Writes a head and entries that were built in memory or read before, and keeps the books.
///
/// ```
/// use transfeed::convert::write;
/// use transfeed::format;
/// use transfeed::model::{Entry, Feed};
/// use transfeed::options::Options;
///
/// let mut out = Vec::new();
/// let books = write(&format::text::TEXT, Feed::default(), [Entry::at("https://example.com/")], &Options::default(), &mut out)?;
/// assert_eq!(out, b"https://example.com/\n");
/// assert_eq!(books.totals().kept, 1);
/// # Ok::<(), transfeed::error::Error>(())
/// ```
///
/// The model is taken as one of the target's own family, and every entry as one of its own: what [`super::Conversion`] does
/// with options of the source, with pages that return, with parts and with `strict` is not done here.
///
/// # Errors
/// `Unbalanced`, and what `out` states.
pub fn write<'e>(
    to: &'static Format,
    mut feed: Feed<'_>,
    entries: impl IntoIterator<Item = Entry<'e>>,
    options: &Options,
    out: &mut dyn Write,
) -> Result<Ledger, Error> {
    let writer = writer_for(to, options)?;
    number_feed(&mut feed);
    let mut entries: Vec<Entry<'e>> = entries.into_iter().collect();
    let mut seen = Survey::default();
    for entry in &mut entries {
        number(entry);
        dialect::settle(entry, if to.family.is_model() { ForeignHandling::Beside } else { ForeignHandling::Back });
        survey::look(entry, to.family, &mut seen);
    }
    let setup =
        Setup { source: to, target: to, same_family: true, options, feed: &feed, own_feed: &feed, survey: &seen };
    let declared = writer.namespaces(&setup);
    let style = setup.style(writer, &declared);
    let (mut books, read) = (Books::default(), Arc::new(ReaderChanges::from_records(&feed.origin.records)));
    books.open_feed(&read);
    let mut ledger = Ledger::default();
    let mut bytes = Vec::new();
    let mut head = Out::new(&style, &mut bytes, &mut books, 0);
    writer.head(&feed, &setup, &mut head);
    let markup = to.family.is_markup();
    if markup && !options.pretty {
        bytes.push(b'\n');
    }
    let mut between: &[u8] = b"";
    for entry in &entries {
        note_repairs(entry, &mut ledger);
        let mut entry_books = Books::default();
        entry_books.open_feed(&read);
        entry_books.open(&entry.origin.records);
        let mut one = Vec::new();
        writer.entry(entry, &setup, &mut Out::new(&style, &mut one, &mut entry_books, to.family.depth()));
        if !entry_books.dropped() && !one.is_empty() {
            bytes.extend_from_slice(between);
            bytes.extend_from_slice(&one);
            between = if markup && options.pretty { b"" } else { writer.between() };
        }
        ledger.close(&mut entry_books, &entry.origin, style.table, |visit| entry.walk((), visit))?;
    }
    if markup || to.family.is_lines() && !between.is_empty() {
        bytes.push(b'\n');
    }
    writer.tail(&setup, &mut bytes);
    ledger.close_feed(&mut books, &feed.origin, style.table, |visit| feed.walk((), visit))?;
    out.write_all(&bytes).map_err(Error::output)?;
    Ok(ledger)
}

/// Numbers the values of an entry made by hand, so that the books can name them.
fn number(entry: &mut Entry<'_>) {
    let mut records = std::mem::take(&mut entry.origin.records);
    entry.marks(&mut |mark: &mut Mark| {
        if !mark.is_some() {
            *mark = Mark(records.len() as u32);
            records.push(LeafRecord { at: 0, role: Role::Leaf, preset: crate::model::origin::Preset::Open });
        }
    });
    entry.origin.records = records;
}

fn number_feed(feed: &mut Feed<'_>) {
    let mut records = std::mem::take(&mut feed.origin.records);
    feed.marks(&mut |mark: &mut Mark| {
        if !mark.is_some() {
            *mark = Mark(records.len() as u32 | Mark::FEED);
            records.push(LeafRecord { at: 0, role: Role::Leaf, preset: crate::model::origin::Preset::Open });
        }
    });
    feed.origin.records = records;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::{Carrier, ValueSpelling};
    use crate::fate::{Fate, FateTable};
    use crate::format::FormatWriter;
    use crate::model::Field;

    /// A writer that declares two fields and forgets one of them from the second entry on.
    struct Forgetful;

    impl FormatWriter for Forgetful {
        fn table(&self, _: &Options) -> FateTable {
            |field| match field {
                Field::Loc => Fate::Native("loc"),
                Field::Title => Fate::Native("title"),
                _ => Fate::NONE,
            }
        }
        fn carrier(&self) -> Carrier {
            |_, _| None
        }
        fn spelling(&self) -> ValueSpelling {
            ValueSpelling { yes: "yes", no: "no", date: |date| (date.to_w3c(), None) }
        }
        fn namespaces(&self, _: &Setup<'_>) -> Vec<(String, String)> {
            Vec::new()
        }
        fn surveys(&self, _: &Feed<'_>, _: &Options) -> bool {
            false
        }
        fn head<'e>(&self, _: &'e Feed<'e>, _: &Setup<'_>, _: &mut Out<'_, 'e>) {}
        fn entry<'e>(&self, entry: &'e Entry<'e>, _: &Setup<'_>, out: &mut Out<'_, 'e>) {
            out.element("page", |out| {
                out.put(Field::Loc, &entry.loc);
                if entry.loc.as_ref().is_some_and(|loc| loc.ends_with('1')) {
                    out.put(Field::Title, &entry.title.as_ref().map(|title| title.value.clone()));
                }
            });
        }
        fn tail(&self, _: &Setup<'_>, _: &mut Vec<u8>) {}
    }

    static FORGETFUL: Format = Format {
        id: "forgetful",
        title: "a format whose writer forgets",
        family: &crate::format::text::FAMILY,
        reader: &crate::format::text::read::TextReader,
        writer: Some(&Forgetful),
    };

    fn page(number: u32) -> Entry<'static> {
        let loc = Some(format!("https://example.com/{number}").into());
        Entry { loc, title: Some("a title".into()), ..Entry::default() }
    }

    #[test]
    fn the_ledger_catches_a_writer_that_forgets_a_field() {
        let mut out = Vec::new();
        let options = Options::default();
        let good = write(&FORGETFUL, Feed::default(), [page(1)], &options, &mut out).unwrap();
        assert_eq!(good.totals().kept, 2);
        let bad = write(&FORGETFUL, Feed::default(), [page(1), page(2)], &options, &mut out).unwrap_err();
        assert!(bad.is_bug(), "{bad}");
        assert!(bad.to_string().contains("title at"), "{bad}");
        assert!(bad.to_string().contains("neither written nor reported"), "{bad}");
    }

    #[test]
    fn a_value_in_the_model_without_a_number_is_a_bug_too() {
        let mut entry = page(1);
        number(&mut entry);
        entry.id = Some("late".into());
        let mut ledger = Ledger::default();
        let mut books = Books::default();
        books.open(&entry.origin.records);
        let table: FateTable = |_| Fate::NONE;
        let closed = ledger.close(&mut books, &entry.origin, table, |visit| entry.walk((), visit));
        assert!(closed.is_err_and(|error| error.is_bug()));
    }

    #[test]
    fn a_leaf_that_a_reader_took_and_dropped_is_a_bug() {
        let mut entry = page(1);
        number(&mut entry);
        entry.title = None;
        let mut ledger = Ledger::default();
        let mut books = Books::default();
        books.open(&entry.origin.records);
        let table: FateTable = |_| Fate::NONE;
        let closed = ledger.close(&mut books, &entry.origin, table, |visit| entry.walk((), visit));
        assert!(closed.is_err_and(|error| error.to_string().contains("read and then forgotten")));
    }
}
