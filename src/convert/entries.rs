//! The entries of a document one after the other.

use std::sync::Arc;

use super::document::{Document, OpenedInput};
use super::read::{EntryReader, RawEntry, bad_place, raw_entry, read_entry};
use crate::convert::input::Input;
use crate::convert::trouble::{limit, unreadable};
use crate::diagnostic;
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::model::{Entry, Feed, IntoOwned};
use crate::options::Options;
use crate::xml::chunk::{Chunk, Context, Trouble};
use crate::xml::limits::TreeError;
use crate::xml::split::Cutter;

/// Reads the entries of a document one after the other, in constant memory.
///
/// ```
/// use transfeed::convert::{Bytes, Entries};
///
/// let input = Bytes { name: "urls.txt", bytes: b"https://example.com/a\nhttps://example.com/b\n" };
/// let entries = Entries::open(&input, None)?;
/// let pages: Vec<String> =
///     entries.map(|entry| Ok(entry?.loc.unwrap().to_string())).collect::<Result<_, transfeed::error::Error>>()?;
/// assert_eq!(pages, ["https://example.com/a", "https://example.com/b"]);
/// # Ok::<(), transfeed::error::Error>(())
/// ```
pub struct Entries<'i> {
    document: Document<'i>,
    options: Options,
    cutter: Box<dyn Cutter + Send + 'i>,
    chunk: Chunk,
    next: usize,
    trouble: usize,
    /// Nothing more comes.
    done: bool,
}

impl<'i> Entries<'i> {
    /// Detects the format of the input (unless `from` names it) and reads its head.
    ///
    /// # Errors
    /// Unreadable, unknown, or with a head that cannot be read.
    pub fn open(input: &'i dyn Input, from: Option<&'static Format>) -> Result<Entries<'i>, Error> {
        Entries::open_with(input, from, Options::default())
    }

    /// Like [`Entries::open`], with other limits or another base for relative URLs.
    ///
    /// # Errors
    /// As [`Entries::open`].
    pub fn open_with(
        input: &'i dyn Input,
        from: Option<&'static Format>,
        options: Options,
    ) -> Result<Entries<'i>, Error> {
        Entries::opened(OpenedInput::Lent(input), from, options)
    }

    /// The same of an input that is lent or held.
    ///
    /// # Errors
    /// As [`Entries::open`].
    pub(crate) fn opened(
        input: OpenedInput<'i>,
        from: Option<&'static Format>,
        options: Options,
    ) -> Result<Entries<'i>, Error> {
        let document = Document::opened(input, from, &options)?;
        let cutter = document.cutter(&options)?;
        Ok(Entries { document, options, cutter, chunk: Chunk::default(), next: 0, trouble: 0, done: false })
    }

    /// The head.
    pub fn feed(&self) -> &Feed<'static> {
        &self.document.feed
    }

    /// What the document is.
    pub fn format(&self) -> &'static Format {
        self.document.format
    }

    /// The document, without its entries.
    pub(crate) fn document(&self) -> &Document<'i> {
        &self.document
    }

    /// The next one of all that is in the document, in order.
    pub(crate) fn next_item(&mut self) -> Option<Result<DocumentItem, Error>> {
        loop {
            if let Some(item) = self.item() {
                return Some(Ok(item));
            }
            if self.done {
                return None;
            }
            match self.cutter.next_chunk_into(std::mem::take(&mut self.chunk)) {
                Ok(Some(chunk)) => (self.chunk, self.next, self.trouble) = (chunk, 0, 0),
                Ok(None) => self.done = true,
                Err(error) => {
                    // what it would say next is not known
                    (self.chunk, self.done) = (Chunk::default(), true);
                    return Some(Err(unreadable(self.document.input.name(), error)));
                }
            }
        }
    }

    fn item(&mut self) -> Option<DocumentItem> {
        if let Some(piece) = self.chunk.pieces.get(self.next) {
            let raw = raw_entry(&self.chunk, piece, self.next);
            let mut reading = EntryReader::new(&self.chunk.context);
            let around = self.document.around(&self.options);
            let read = read_entry(self.document.format, &raw, &mut reading, around).map(IntoOwned::into_owned);
            self.next += 1;
            return Some(match read {
                Ok(entry) => DocumentItem::Entry(Box::new(entry)),
                Err(bad) => DocumentItem::Bad(UnreadableEntry {
                    text: raw.text.to_owned(),
                    context: raw.context.clone(),
                    line: raw.line,
                    column: raw.column,
                    bad,
                }),
            });
        }
        let trouble = self.chunk.trouble.get(self.trouble)?.clone();
        self.trouble += 1;
        Some(DocumentItem::Trouble(trouble, self.chunk.context.clone()))
    }
}

/// An item of a document.
pub(crate) enum DocumentItem {
    Entry(Box<Entry<'static>>),
    /// An entry that cannot be read.
    Bad(UnreadableEntry),
    /// Something else that is wrong; an entry may be lost with it.
    Trouble(Trouble, Arc<Context>),
}

/// An entry that cannot be read.
#[derive(Clone, Debug)]
pub(crate) struct UnreadableEntry {
    pub text: String,
    pub context: Arc<Context>,
    pub line: u32,
    pub column: u32,
    pub bad: TreeError,
}

impl UnreadableEntry {
    pub fn raw(&self, number: u64) -> RawEntry<'_> {
        RawEntry { text: &self.text, context: &self.context, number, line: self.line, column: self.column }
    }

    pub fn error(&self) -> Error {
        let (line, column) = bad_place(&self.raw(0), &self.bad);
        let says = &self.bad.says;
        match diagnostic::option(self.bad.code) {
            Some(_) => limit(self.bad.code, format!("{says} (line {line})")),
            None => Error::from(ErrorKind::Xml { line, column, says: says.clone() }),
        }
    }
}

impl DocumentItem {
    /// Its entry, or why there is none; nothing of what costs no entry.
    pub fn entry(self) -> Option<Result<Entry<'static>, Error>> {
        match self {
            DocumentItem::Entry(entry) => Some(Ok(*entry)),
            DocumentItem::Bad(unreadable) => Some(Err(unreadable.error())),
            DocumentItem::Trouble(lost, _) if lost.lost => {
                let says = format!("{}: {}", lost.code, lost.done);
                Some(Err(ErrorKind::Xml { line: lost.line, column: lost.column, says }.into()))
            }
            DocumentItem::Trouble(..) => None,
        }
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_item()?.map(DocumentItem::entry) {
                Ok(None) => (),
                Ok(Some(read)) => return Some(read),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl std::iter::FusedIterator for Entries<'_> {}
