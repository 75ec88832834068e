//! Cuts an HTML page. It is one entry, unless its format finds entries in its scripts: then the rest of it is the frame.
//!
//! Memory: the document, up to the limit of an entry. Time: linear.

use std::io::{self, Read};
use std::sync::Arc;

use super::names::decode_scripts;
use super::nested::{self, FindEntries};
use super::page::SCRIPT;
use crate::text::grouped;
use crate::xml::chunk::{Chunk, Context, Piece, SplitLimits, Trouble, beginning};
use crate::xml::frame::{FrameBuilder, to_chunk_text};
use crate::xml::limits::TreeLimits;
use crate::xml::place::Place;
use crate::xml::split::{Cutter, Frame};

/// How much is read at once.
const WINDOW: usize = 64 << 10;

/// Whether an entry in this context is JSON of a page, not a page.
pub(crate) fn is_in_page(context: &Context) -> bool {
    context.path == SCRIPT
}

/// Takes a document as one entry, or as the entries in it.
pub(crate) struct PageSplitter<R> {
    input: R,
    limits: SplitLimits,
    find: FindEntries,
    tree: TreeLimits,
    frame: FrameBuilder,
    entries: u64,
    ended: bool,
}

impl<R: Read> PageSplitter<R> {
    /// Reads from the start of a document.
    pub fn new(input: R, limits: SplitLimits, find: FindEntries, tree: TreeLimits) -> Self {
        PageSplitter { input, limits, find, tree, frame: FrameBuilder::new(), entries: 0, ended: false }
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

impl<R: Read> Cutter for PageSplitter<R> {
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
            let found = format!("an entry of {} bytes", grouped(size as u64));
            let trouble = Trouble::new("limit.entry", place, found, "skipped the entry");
            chunk.trouble.push(trouble.of_lost(0, beginning(&text, &[], self.limits.entry)));
            return Ok(Some(chunk));
        }
        let text = decode_scripts(text);
        let found = nested::find(&text, self.find, &self.tree);
        let (mut values, mut pieces) = (text, Vec::new());
        if found.is_empty() {
            pieces.push(Piece { start: 0, end: values.len(), line: place.line, column: place.column });
        } else {
            let page = std::mem::take(&mut values);
            chunk.context = Arc::new(Context { path: SCRIPT.to_owned(), ..Context::default() });
            nested::part(&page, place, &found, &mut self.frame, (&mut values, &mut pieces));
            self.entries = pieces.len() as u64;
        }
        (chunk.text, chunk.trouble) = to_chunk_text(values, &mut pieces, 0);
        chunk.pieces = pieces;
        Ok(Some(chunk))
    }

    fn frame(self: Box<Self>) -> Frame {
        Frame { entries: self.entries, ..self.frame.finish(false, Place::default()) }
    }
}
