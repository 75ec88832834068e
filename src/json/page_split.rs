//! Cuts an HTML page. It is one entry, unless its format finds entries in its scripts: then the rest of it is the frame.
//!
//! Memory: the document, up to the limit of an entry. Time: linear.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use super::page::SCRIPT;
use crate::xml::chunk::{Chunk, Context, Piece, SplitLimits, Trouble, beginning};
use crate::xml::frame::{FrameBuilder, to_chunk_text};
use crate::xml::parse::TreeLimits;
use crate::xml::place::Place;
use crate::xml::split::{Cutter, Frame};

/// How much is read at once.
const WINDOW: usize = 64 << 10;

/// An entry in a script of a page, by its bytes there.
pub struct EntryInPage {
    /// The JSON of the entry.
    pub value: Range<usize>,
    /// The same, with what separates it from the next value or the last one: the rest stays JSON without it.
    pub place: Range<usize>,
}

/// Whether an entry in this context is JSON of a page, not a page.
pub(crate) fn is_in_page(context: &Context) -> bool {
    context.path == SCRIPT
}

/// Finds the entries in a page, in their order; none if the page is one.
pub(crate) type FindEntries = fn(&str, &TreeLimits) -> Vec<EntryInPage>;

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

    /// The entries as a chunk; the rest goes to the frame.
    fn cut(&mut self, html: &str, found: &[EntryInPage], chunk: &mut Chunk) {
        chunk.context = Arc::new(Context { path: SCRIPT.to_owned(), ..Context::default() });
        let (mut at, mut place) = (0, Place::default());
        let mut pass = |to: usize| {
            let (from, passed) = (place, html.get(at..to).unwrap_or_default());
            place.advance(passed.as_bytes());
            at = at.max(to);
            (passed, from, place)
        };
        for entry in found {
            let (around, from, _) = pass(entry.place.start);
            self.frame.push(around.as_bytes(), from);
            let (_, _, begin) = pass(entry.value.start);
            let (text, ..) = pass(entry.value.end);
            let start = chunk.text.len();
            chunk.text.push_str(text);
            let end = chunk.text.len();
            chunk.pieces.push(Piece { start, end, line: begin.line, column: begin.column });
            pass(entry.place.end);
            self.frame.skip();
        }
        let (rest, from, _) = pass(html.len());
        self.frame.push(rest.as_bytes(), from);
        self.entries = found.len() as u64;
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
            let found = format!("an entry of {size} bytes");
            let trouble = Trouble::new("limit.entry", place, found, "skipped the entry");
            chunk.trouble.push(trouble.of_lost(0, beginning(&text, &[], self.limits.entry)));
            return Ok(Some(chunk));
        }
        let mut pieces = vec![Piece { start: 0, end: text.len(), line: place.line, column: place.column }];
        let (html, trouble) = to_chunk_text(text, &mut pieces, 0);
        let found = (self.find)(&html, &self.tree);
        if found.is_empty() {
            (chunk.text, chunk.pieces, chunk.trouble) = (html, pieces, trouble);
            return Ok(Some(chunk));
        }
        self.cut(&html, &found, &mut chunk);
        // of the page, whichever of its entries it is in
        trouble.into_iter().for_each(|row| self.frame.trouble(Trouble { entry: None, ..row }));
        Ok(Some(chunk))
    }

    fn frame(self: Box<Self>) -> Frame {
        Frame { entries: self.entries, ..self.frame.finish(false, Place::default()) }
    }
}
