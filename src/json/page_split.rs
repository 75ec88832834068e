//! A document that is one entry: an HTML page.
//!
//! Memory: the document, up to the limit of an entry. Time: linear.

use std::io::{self, Read};
use std::sync::Arc;

use crate::xml::chunk::{Chunk, Piece, SplitLimits, Trouble, beginning};
use crate::xml::frame::to_chunk_text;
use crate::xml::place::Place;
use crate::xml::split::{Cutter, Frame};

/// How much is read at once.
const WINDOW: usize = 64 << 10;

/// Takes a document as one entry.
pub(crate) struct WholeDocument<R> {
    input: R,
    limits: SplitLimits,
    entries: u64,
    ended: bool,
}

impl<R: Read> WholeDocument<R> {
    /// Reads from the start of a document.
    pub fn new(input: R, limits: SplitLimits) -> Self {
        WholeDocument { input, limits, entries: 0, ended: false }
    }

    /// All of it, as far as it is not too large, and how large it is.
    fn read(&mut self) -> io::Result<(Vec<u8>, usize)> {
        let (mut text, mut size) = (Vec::new(), 0_usize);
        let mut window = vec![0; WINDOW];
        loop {
            let count = match self.input.read(&mut window) {
                Ok(0) => return Ok((text, size)),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            size = size.saturating_add(count);
            if size <= self.limits.entry {
                text.extend_from_slice(window.get(..count).unwrap_or_default());
            }
        }
    }
}

impl<R: Read> Cutter for WholeDocument<R> {
    fn next_chunk_into(&mut self, _: Chunk) -> io::Result<Option<Chunk>> {
        if std::mem::replace(&mut self.ended, true) {
            return Ok(None);
        }
        let (text, size) = self.read()?;
        let place = Place::default();
        self.entries = 1;
        let mut chunk =
            Chunk { text: String::new(), pieces: Vec::new(), first: 0, context: Arc::default(), trouble: Vec::new() };
        if size > self.limits.entry {
            let found = format!("an entry of {size} bytes");
            let trouble = Trouble::new("limit.entry", place, found, "skipped the entry");
            chunk.trouble.push(trouble.of_lost(0, beginning(&text, &[], self.limits.entry)));
            return Ok(Some(chunk));
        }
        chunk.pieces.push(Piece { start: 0, end: text.len(), line: place.line, column: place.column });
        (chunk.text, chunk.trouble) = to_chunk_text(text, &mut chunk.pieces, 0);
        Ok(Some(chunk))
    }

    fn frame(self: Box<Self>) -> Frame {
        Frame { entries: self.entries, ..Frame::default() }
    }
}
