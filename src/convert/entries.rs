//! The entries of a document one after the other.

use super::Input;
use super::chunks::Cutter;
use super::document::{Document, limit, unreadable};
use super::read::{Reading, bad_place, raw_entry, read_entry};
use crate::diagnostic;
use crate::error::{Error, ErrorKind};
use crate::format::{Around, Format};
use crate::model::{Entry, Feed, IntoOwned};
use crate::options::Options;
use crate::xml::split::Chunk;

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
    /// Finds out what the input is (unless `from` says so) and reads its head.
    ///
    /// # Errors
    /// Unreadable, unknown, or with a head that cannot be read.
    pub fn open(input: &'i dyn Input, from: Option<&'static Format>) -> Result<Entries<'i>, Error> {
        Entries::open_with(input, from, Options::default())
    }

    /// The same with other limits, or another base for relative addresses.
    ///
    /// # Errors
    /// As [`Entries::open`].
    pub fn open_with(
        input: &'i dyn Input,
        from: Option<&'static Format>,
        options: Options,
    ) -> Result<Entries<'i>, Error> {
        let document = Document::open(input, from, &options)?;
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

    fn read(&mut self) -> Option<Result<Entry<'static>, Error>> {
        if let Some(piece) = self.chunk.pieces.get(self.next) {
            let raw = raw_entry(&self.chunk, piece, self.next);
            let mut reading = Reading::of(&self.chunk.context);
            let around = Around { feed: Some(&self.document.feed), options: &self.options };
            let entry = read_entry(self.document.format, &raw, &mut reading, around).map(IntoOwned::into_owned);
            let entry = entry.map_err(|bad| {
                let (line, column) = bad_place(&raw, &bad);
                match diagnostic::option(bad.code) {
                    Some(_) => limit(bad.code, format!("{} (line {line})", bad.says)),
                    None => Error::from(ErrorKind::Xml { line, column, says: bad.says }),
                }
            });
            self.next += 1;
            return Some(entry);
        }
        let trouble = self.chunk.trouble[self.trouble.min(self.chunk.trouble.len())..].iter();
        let lost = trouble.inspect(|_| self.trouble += 1).find(|trouble| trouble.lost)?;
        let says = format!("{}: {}", lost.code, lost.done);
        Some(Err(ErrorKind::Xml { line: lost.line, column: lost.column, says }.into()))
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.read() {
                return Some(entry);
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
}

impl std::iter::FusedIterator for Entries<'_> {}
