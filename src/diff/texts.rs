//! The raw texts of entries that need a second look, in a temporary file, each with a label. They are parsed elsewhere.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tempfile::SpooledTempFile;

use crate::convert::{RawEntry, scratch};
use crate::xml::chunk::Context;

/// Bytes of texts that are held before they go to a temporary file.
const HELD: usize = 1 << 20;

/// The label of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Label {
    /// Its place on its side, over all documents.
    pub ordinal: u64,
    /// Its place in its document.
    pub number: u64,
    /// The document.
    pub document: u32,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// It could not be read.
    pub unread: bool,
    /// What it is shown as.
    pub key: String,
    /// Its title, cut; empty if it has none, or is shown as its title.
    pub title: String,
}

/// Texts in the order of their documents.
pub(super) struct Texts {
    file: Mutex<SpooledTempFile>,
    contexts: Vec<Arc<Context>>,
    /// Where each begins: 8 bytes an entry.
    offsets: Vec<u64>,
    end: u64,
    /// What is not in the file yet.
    pending: Vec<u8>,
}

/// Bytes that are written at once.
const AT_ONCE: usize = 256 << 10;

/// The number of integers stored before each text.
const NUMBERS: usize = 10;

impl Texts {
    /// None yet.
    pub fn new(dir: Option<&Path>) -> Texts {
        Texts {
            file: Mutex::new(scratch(HELD, dir)),
            contexts: Vec::new(),
            offsets: Vec::new(),
            end: 0,
            pending: Vec::new(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Adds one. Returns its index.
    ///
    /// # Errors
    /// A temporary file.
    pub fn push(&mut self, label: &Label, context: &Arc<Context>, text: &str) -> io::Result<u64> {
        if self.contexts.last().is_none_or(|last| **last != **context) {
            self.contexts.push(context.clone());
        }
        let numbers: [u64; NUMBERS] = [
            label.ordinal,
            label.number,
            label.document.into(),
            label.line.into(),
            label.column.into(),
            label.unread.into(),
            self.contexts.len() as u64 - 1,
            label.key.len() as u64,
            label.title.len() as u64,
            text.len() as u64,
        ];
        self.offsets.push(self.end + self.pending.len() as u64);
        numbers.iter().for_each(|number| self.pending.extend(number.to_le_bytes()));
        self.pending.extend_from_slice(label.key.as_bytes());
        self.pending.extend_from_slice(label.title.as_bytes());
        self.pending.extend_from_slice(text.as_bytes());
        if self.pending.len() >= AT_ONCE {
            self.seal()?;
        }
        Ok(self.offsets.len() as u64 - 1)
    }

    /// Puts all that is pending into the file; before anything is read.
    ///
    /// # Errors
    /// A temporary file.
    pub fn seal(&mut self) -> io::Result<()> {
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&self.pending)?;
        self.end += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Reads one.
    ///
    /// # Errors
    /// A temporary file.
    pub fn get(&self, index: u64) -> io::Result<(Label, Arc<Context>, String)> {
        let gone = || io::Error::from(io::ErrorKind::NotFound);
        let offset = usize::try_from(index).ok().and_then(|index| self.offsets.get(index)).ok_or_else(gone)?;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(*offset))?;
        let mut head = [0; NUMBERS * 8];
        file.read_exact(&mut head)?;
        let mut words =
            head.chunks_exact(8).map(|word| word.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
        let numbers: [u64; NUMBERS] = std::array::from_fn(|_| words.next().unwrap_or(0));
        let [ordinal, number, document, line, column, unread, context, key, title, text] = numbers;
        let mut read = |length: u64| -> io::Result<String> {
            let mut string = String::new();
            Read::by_ref(&mut *file).take(length).read_to_string(&mut string)?;
            Ok(string)
        };
        let (key, title, text) = (read(key)?, read(title)?, read(text)?);
        let label = Label {
            ordinal,
            number,
            document: document as u32,
            line: line as u32,
            column: column as u32,
            unread: unread > 0,
            key,
            title,
        };
        let context = usize::try_from(context).ok().and_then(|index| self.contexts.get(index)).cloned();
        Ok((label, context.unwrap_or_default(), text))
    }
}

/// An entry as it is in its document, rebuilt from its stored text.
pub(super) fn raw<'t>(label: &Label, context: &'t Arc<Context>, text: &'t str) -> RawEntry<'t> {
    RawEntry { text, context, number: label.number, line: label.line, column: label.column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_with_their_labels() {
        let mut texts = Texts::new(None);
        let context = Arc::new(Context { tags: "<rss>".to_owned(), path: "rss".to_owned(), ..Context::default() });
        for number in 0..50 {
            let (key, title) = (format!("key {number}"), "A title".to_owned());
            let label = Label { number, line: 7, key, title, ..Label::default() };
            assert_eq!(texts.push(&label, &context, &"x".repeat(200_000)).unwrap(), number);
        }
        texts.seal().unwrap();
        for number in [49, 0, 25] {
            let (label, found, text) = texts.get(number).unwrap();
            assert_eq!((label.key, label.line, text.len()), (format!("key {number}"), 7, 200_000));
            assert_eq!(label.title, "A title");
            assert_eq!(found.path, "rss");
        }
        assert!(texts.get(50).is_err());
    }
}
