//! The frame of a document: the document without its entries, comments and processing instructions. The splitter
//! collects it, and it parses separately, also when the document is truncated. The readers extract titles and URLs from
//! it.

use std::sync::Arc;

use super::chunk::lossy;
use super::place::Place;
use crate::xml::chunk::{Context, Piece, Trouble};

/// Rows of trouble kept of one frame; further ones are only counted.
const TROUBLE: usize = 1000;

/// The document minus its entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame {
    /// Well-formed as far as nesting goes: elements left open by a cut document are closed. Empty if the frame was not
    /// to be collected.
    pub text: String,
    /// The places of the runs of `text` in the document, ascending.
    pub segments: Vec<FrameSegment>,
    /// The problems, in document order: at most 1000, and the one that stopped the splitter.
    pub trouble: Vec<Trouble>,
    /// Rows not listed in `trouble`.
    pub untold: u64,
    /// The input ended before the document did.
    pub truncated: bool,
    /// The splitter stopped at a limit of the frame (`limit.head`, `limit.depth`); entries after it were not read.
    pub stopped: bool,
    /// Comments skipped outside entries.
    pub comments: u64,
    /// Processing instructions skipped outside entries, without the XML declaration.
    pub instructions: u64,
    /// Entries seen, lost ones included.
    pub entries: u64,
}

/// A contiguous run of the document in the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameSegment {
    /// Byte offset in the frame's text.
    pub at: usize,
    /// Line in the document, from 1.
    pub line: u32,
    /// Column in the document, in characters, from 1.
    pub column: u32,
    /// It is not in the document; it was inserted to make the frame parse.
    pub made: bool,
}

impl Frame {
    /// Whether the byte at this offset of `text` was inserted.
    pub(crate) fn is_made(&self, at: usize) -> bool {
        let next = self.segments.partition_point(|segment| segment.at <= at);
        next.checked_sub(1).and_then(|index| self.segments.get(index)).is_some_and(|segment| segment.made)
    }

    /// Line and column in the document of a byte offset in `text`; (1, 1) for an empty frame.
    pub fn place(&self, at: usize) -> (u32, u32) {
        let next = self.segments.partition_point(|segment| segment.at <= at);
        let Some(segment) = next.checked_sub(1).and_then(|index| self.segments.get(index)) else { return (1, 1) };
        let mut place = Place::new(segment.line, segment.column);
        place.advance(&self.text.as_bytes()[segment.at..at.min(self.text.len())]);
        (place.line, place.column)
    }
}

/// An element of the frame that is open.
struct OpenFrameElement {
    id: u64,
    name: Vec<u8>,
    tag: Vec<u8>,
}

/// A state of the frame to which it can return, as long as the elements that are open there are not closed.
pub(crate) struct FrameMark {
    text: usize,
    segments: usize,
    trouble: usize,
    untold: u64,
    gap: bool,
    size: usize,
    open: usize,
    opened: u64,
    containers: u32,
}

impl FrameMark {
    /// The number of elements open there.
    pub(crate) fn depth(&self) -> usize {
        self.open
    }
}

/// Collects the frame and knows its open elements.
pub(crate) struct FrameBuilder {
    text: Vec<u8>,
    segments: Vec<FrameSegment>,
    trouble: Vec<Trouble>,
    untold: u64,
    keep: bool,
    /// What comes next does not follow on the last bytes of `text`.
    gap: bool,
    /// Bytes of the frame, kept or not, and of contexts after the first.
    size: usize,
    open: Vec<OpenFrameElement>,
    opened: u64,
    /// How many elements began directly below the root.
    containers: u32,
    context: Option<(u64, Arc<Context>)>,
}

impl FrameBuilder {
    pub(crate) fn new() -> Self {
        FrameBuilder {
            text: Vec::new(),
            segments: Vec::new(),
            trouble: Vec::new(),
            untold: 0,
            keep: true,
            gap: true,
            size: 0,
            open: Vec::new(),
            opened: 0,
            containers: 0,
            context: None,
        }
    }

    pub(crate) fn keep(&mut self, keep: bool) {
        self.keep = keep;
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Number of open elements: the depth of what comes next.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether any element was opened so far.
    pub(crate) fn has_root(&self) -> bool {
        self.opened > 0
    }

    /// The names of the innermost open elements.
    pub(crate) fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.open.iter().rev().map(|open| open.name.as_slice())
    }

    pub(crate) fn mark(&self) -> FrameMark {
        FrameMark {
            text: self.text.len(),
            segments: self.segments.len(),
            trouble: self.trouble.len(),
            untold: self.untold,
            gap: self.gap,
            size: self.size,
            open: self.open.len(),
            opened: self.opened,
            containers: self.containers,
        }
    }

    pub(crate) fn back_to(&mut self, mark: FrameMark) {
        self.text.truncate(mark.text);
        self.segments.truncate(mark.segments);
        self.trouble.truncate(mark.trouble);
        self.open.truncate(mark.open);
        (self.untold, self.gap, self.size) = (mark.untold, mark.gap, mark.size);
        (self.opened, self.containers) = (mark.opened, mark.containers);
    }

    /// The number of elements around the one that an end tag of this name closes.
    pub(crate) fn depth_of(&self, name: &[u8]) -> Option<usize> {
        self.open.iter().rposition(|open| open.name == name)
    }

    /// Closes open elements before an entry.
    pub(crate) fn end_inner(&mut self, depth: usize, place: Place) {
        if let Some(open) = self.open.get(depth) {
            let found = format!("<{}>", lossy(&open.name));
            self.trouble(Trouble::new("xml.unclosed", place, found, "closed it before an entry"));
        }
        self.close_down_to(depth, place);
    }

    /// Takes back what is in it, with the place of its beginning: it was no frame.
    pub(crate) fn take_text(&mut self) -> (Vec<u8>, Place) {
        let first = self.segments.first().map_or(Place::default(), |first| Place::new(first.line, first.column));
        self.segments.clear();
        (std::mem::take(&mut self.text), first)
    }

    /// Notes that something was skipped.
    pub(crate) fn skip(&mut self) {
        self.gap = true;
    }

    pub(crate) fn push(&mut self, bytes: &[u8], place: Place) {
        self.size = self.size.saturating_add(bytes.len());
        if !self.keep || bytes.is_empty() {
            return;
        }
        if std::mem::take(&mut self.gap) {
            self.segments.push(FrameSegment {
                at: self.text.len(),
                line: place.line,
                column: place.column,
                made: false,
            });
        }
        self.text.extend_from_slice(bytes);
    }

    /// Inserts bytes that are not in the document.
    pub(crate) fn insert(&mut self, bytes: &[u8], place: Place) {
        self.gap = true;
        let before = self.segments.len();
        self.push(bytes, place);
        if let Some(segment) = self.segments.get_mut(before) {
            segment.made = true;
        }
        self.gap = true;
    }

    pub(crate) fn trouble(&mut self, trouble: Trouble) {
        if self.trouble.len() < TROUBLE {
            self.trouble.push(trouble);
        } else {
            self.untold += 1;
        }
    }

    /// Adds a problem that ends the run, even beyond the limit of rows.
    pub(crate) fn fatal(&mut self, trouble: Trouble) {
        self.trouble.push(trouble);
    }

    pub(crate) fn open(&mut self, name: Vec<u8>, tag: Vec<u8>) {
        self.open_and_close();
        self.open.push(OpenFrameElement { id: self.opened, name, tag });
    }

    /// An element without content.
    pub(crate) fn open_and_close(&mut self) {
        self.opened += 1;
        self.containers += u32::from(self.open.len() == 1);
    }

    /// Handles an end tag. Open elements inside the one it ends are closed; an end tag without a start tag is dropped.
    pub(crate) fn close(&mut self, name: &[u8], tag: &[u8], place: Place) {
        let Some(at) = self.depth_of(name) else {
            self.gap = true;
            return self.trouble(Trouble::new("xml.nesting", place, lossy(tag), "removed an end tag without a start"));
        };
        if at + 1 < self.open.len() {
            self.trouble(Trouble::new("xml.nesting", place, lossy(tag), "closed the open inner elements"));
        }
        self.close_down_to(at + 1, place);
        self.open.truncate(at);
        self.push(tag, place);
    }

    /// The elements around the next entry.
    pub(crate) fn context(&mut self) -> Arc<Context> {
        // after the root's end: as the entries before it
        if self.open.is_empty()
            && let Some((_, context)) = &self.context
        {
            return Arc::clone(context);
        }
        let id = self.open.last().map_or(0, |open| open.id);
        match &self.context {
            Some((of, context)) if *of == id => return Arc::clone(context),
            // Each further context counts as if its tags were repeated; otherwise containers that alternate below a
            // huge start tag would cost the square of the input.
            Some(_) => self.size = self.size.saturating_add(self.open.iter().map(|open| open.tag.len()).sum()),
            None => {}
        }
        let tags: Vec<u8> = self.open.iter().flat_map(|open| &open.tag).copied().collect();
        let path: Vec<&[u8]> = self.open.iter().map(|open| open.name.as_slice()).collect();
        let container = if self.open.len() > 1 { self.containers } else { 0 };
        let path = lossy(&path.join(&b'/'));
        let context = Arc::new(Context { input: None, tags: lossy(&tags), path, container });
        self.context = Some((id, Arc::clone(&context)));
        context
    }

    /// The frame, with what is open closed.
    pub(crate) fn finish(mut self, truncated: bool, place: Place) -> Frame {
        if truncated {
            cut_half_character(&mut self.text);
        }
        self.close_down_to(0, place);
        let marks: Vec<&mut usize> = self.segments.iter_mut().map(|segment| &mut segment.at).collect();
        let (text, bad) = to_utf8(std::mem::take(&mut self.text), marks);
        let FrameBuilder { segments, trouble, untold, .. } = self;
        let mut frame = Frame { text, segments, trouble, untold, truncated, ..Frame::default() };
        if let Some(&first) = bad.first() {
            let (line, column) = frame.place(first);
            let found = format!("{} runs of invalid bytes", bad.len());
            frame.trouble.push(Trouble::new("encoding.invalid", Place::new(line, column), found, "replaced by U+FFFD"));
        }
        frame
    }

    fn close_down_to(&mut self, depth: usize, place: Place) {
        while self.open.len() > depth
            && let Some(open) = self.open.pop()
        {
            let tag = [b"</", open.name.as_slice(), b">"].concat();
            self.insert(&tag, place);
        }
    }
}

fn cut_half_character(text: &mut Vec<u8>) {
    let tail = text.len().saturating_sub(3);
    let lead = text[tail..].iter().rposition(|&byte| byte >= 0xC0).map(|at| tail + at);
    if let Some(lead) = lead
        && std::str::from_utf8(&text[lead..]).is_err_and(|error| error.error_len().is_none())
    {
        text.truncate(lead);
    }
}

/// Makes text of bytes. Where they are not UTF-8, runs of invalid bytes are replaced, `marks`
/// (ascending offsets) moved along, and the offsets of the runs in the text returned.
pub(crate) fn to_utf8<'m>(bytes: Vec<u8>, marks: impl IntoIterator<Item = &'m mut usize>) -> (String, Vec<usize>) {
    // a look at many bytes at once and a copy take less time than the standard library's look alone
    if let Ok(text) = simdutf8::basic::from_utf8(&bytes) {
        return (text.to_owned(), Vec::new());
    }
    let (mut text, mut runs, mut at) = (String::with_capacity(bytes.len()), Vec::new(), 0);
    let mut marks = marks.into_iter().peekable();
    let mut bad_until = None;
    for chunk in bytes.utf8_chunks() {
        let valid_end = at + chunk.valid().len();
        while let Some(mark) = marks.next_if(|mark| **mark <= valid_end) {
            *mark = text.len() + mark.saturating_sub(at);
        }
        text.push_str(chunk.valid());
        at = valid_end + chunk.invalid().len();
        if !chunk.invalid().is_empty() {
            if bad_until != Some(valid_end) {
                runs.push(text.len());
            }
            text.push(char::REPLACEMENT_CHARACTER);
            bad_until = Some(at);
        }
    }
    for mark in marks {
        *mark = text.len();
    }
    (text, runs)
}

/// Text and pieces of a chunk from its bytes, with a row for each entry in which invalid bytes were replaced.
pub(crate) fn to_chunk_text(bytes: Vec<u8>, pieces: &mut [Piece], first: u64) -> (String, Vec<Trouble>) {
    let marks = pieces.iter_mut().flat_map(|piece| [&mut piece.start, &mut piece.end]);
    let (text, runs) = to_utf8(bytes, marks);
    let mut runs = runs.into_iter().peekable();
    let mut rows = Vec::new();
    for (index, piece) in (first..).zip(pieces) {
        let Some(at) = runs.next_if(|&at| at < piece.end) else { continue };
        let mut count = 1;
        while runs.next_if(|&at| at < piece.end).is_some() {
            count += 1;
        }
        let place = Place::new(piece.line, piece.column).after(text.get(piece.start..at).unwrap_or_default());
        let found = format!("{count} runs of invalid bytes");
        rows.push(Trouble::new("encoding.invalid", place, found, "replaced by U+FFFD").of_entry(index, false));
    }
    (text, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_runs_are_replaced_once_and_marks_follow() {
        let mut marks = [0, 2, 5, 7];
        let (text, runs) = to_utf8(b"ab\xFF\xFEcd\xE2e".to_vec(), &mut marks);
        assert_eq!(text, "ab\u{FFFD}\u{FFFD}cd\u{FFFD}e");
        assert_eq!(runs, [2, 10]);
        assert_eq!(marks, [0, 2, 9, 13]);
    }

    #[test]
    fn half_characters_at_a_cut_are_dropped() {
        for (bytes, want) in
            [(&b"a\xD0"[..], &b"a"[..]), (b"a\xE2\x82", b"a"), (b"a\xD0\xB0", b"a\xD0\xB0"), (b"", b"")]
        {
            let mut text = bytes.to_vec();
            cut_half_character(&mut text);
            assert_eq!(text, want);
        }
    }
}
