//! Cuts a list of URLs into chunks of lines. A line that is not a URL is not an entry: it belongs to the frame, like
//! the markup around the entries of other formats.

use std::io::{self, Read};

use super::read::is_address;
use crate::text::url::SettledUrls;
use crate::xml::chunk::{Chunk, Piece, SplitLimits, Trouble};
use crate::xml::split::{Cutter, Frame, FrameSegment, LineSplitter};

/// What a line in the frame counts for beside its bytes: it takes much more memory than those.
const LINE: usize = 32;

/// A cutter for `text`.
pub(crate) struct List<R> {
    lines: LineSplitter<R>,
    frame: Frame,
    /// Lines in the frame.
    around: usize,
    /// Bytes that the frame may have.
    room: usize,
    /// The line that was put into the frame last.
    last: u32,
    /// Number of the next entry.
    next: u64,
    settled: SettledUrls,
}

impl<R: Read> List<R> {
    /// Lines from the start of a text.
    pub fn new(input: R, limits: SplitLimits) -> List<R> {
        let room = limits.head;
        List {
            lines: LineSplitter::new(input, limits),
            frame: Frame::default(),
            around: 0,
            room,
            last: 0,
            next: 0,
            settled: SettledUrls::default(),
        }
    }

    /// Moves the lines that are not URLs out of a chunk, and renumbers the others.
    fn skip_comments(&mut self, chunk: &mut Chunk) {
        let (first, next) = (chunk.first, self.next);
        let mut numbers: Vec<Option<u64>> = Vec::new();
        let text = &chunk.text;
        let mut stray: Vec<Piece> = Vec::new();
        chunk.pieces.retain(|piece| {
            let line = text.get(piece.start..piece.end).unwrap_or_default();
            let is_entry = self.settled.signs(line).is_some() || is_address(line);
            if !is_entry {
                if stray.is_empty() {
                    // until the first one, numbers change by as much
                    numbers = (next..self.next).map(Some).collect();
                }
                stray.push(piece.clone());
            }
            if !stray.is_empty() {
                numbers.push(is_entry.then_some(self.next));
            }
            self.next += u64::from(is_entry);
            is_entry
        });
        for piece in stray {
            self.set_aside(text.get(piece.start..piece.end).unwrap_or_default(), &piece);
        }
        chunk.first = next;
        let behind = self.next;
        for trouble in &mut chunk.trouble {
            let offset = trouble.entry.and_then(|entry| usize::try_from(entry.checked_sub(first)?).ok());
            trouble.entry = match offset.filter(|_| !trouble.lost) {
                Some(offset) if !numbers.is_empty() => numbers.get(offset).copied().flatten(),
                Some(offset) => Some(next + offset as u64),
                // a line that is too long ends the chunk, whatever it is
                None => trouble.entry.map(|_| behind),
            };
            self.next += u64::from(trouble.lost);
        }
    }

    /// Puts a line into the frame.
    fn set_aside(&mut self, line: &str, piece: &Piece) {
        if self.frame.text.len() + line.len() + LINE * self.around > self.room {
            return self.stop(piece);
        }
        if self.around > 0 {
            self.frame.text.push('\n');
        }
        if self.around == 0 || piece.line != self.last + 1 {
            let (at, line, column) = (self.frame.text.len(), piece.line, piece.column);
            self.frame.segments.push(FrameSegment { at, line, column, made: false });
        }
        self.frame.text.push_str(line);
        (self.around, self.last) = (self.around + 1, piece.line);
    }

    fn stop(&mut self, piece: &Piece) {
        if std::mem::replace(&mut self.frame.stopped, true) {
            return;
        }
        let found = format!("{} lines that are not URLs", self.around);
        self.frame.trouble.push(Trouble {
            line: piece.line,
            column: piece.column,
            ..Trouble::new("limit.head", Default::default(), found, "the rest was not read")
        });
    }
}

impl<R: Read> Cutter for List<R> {
    fn next_chunk_into(&mut self, _: Chunk) -> io::Result<Option<Chunk>> {
        while !self.frame.stopped
            && let Some(mut chunk) = self.lines.next_chunk()?
        {
            self.skip_comments(&mut chunk);
            self.frame.entries = self.next;
            if !chunk.pieces.is_empty() || !chunk.trouble.is_empty() {
                return Ok(Some(chunk));
            }
        }
        Ok(None)
    }

    fn frame(self: Box<Self>) -> Frame {
        self.frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entries with their numbers, and what was wrong, of which entry.
    type Found = (Vec<(u64, String)>, Vec<(&'static str, Option<u64>)>);

    /// What is found in chunks of this size, and what is around it.
    fn cut(text: &[u8], chunk: usize, head: usize) -> (Found, Frame) {
        let limits = SplitLimits { chunk, head, line: 20, ..SplitLimits::default() };
        let mut list = Box::new(List::new(text, limits));
        let (mut entries, mut trouble) = (Vec::new(), Vec::new());
        while let Some(chunk) = list.next_chunk_into(Chunk::default()).unwrap() {
            let text = |piece: &Piece| chunk.text[piece.start..piece.end].to_owned();
            entries.extend((chunk.first..).zip(chunk.pieces.iter().map(text)));
            trouble.extend(chunk.trouble.iter().map(|trouble| (trouble.code, trouble.entry)));
        }
        ((entries, trouble), list.frame())
    }

    #[test]
    fn lines_that_are_no_addresses_stand_around_the_entries() {
        let text =
            b"# one\nhttp://a/\n# \xFF\n# three\r\n\nhttp://b/\xFF\nhttp://too-long.example/1\nhttp://c/\n# four\n";
        for chunk in [1, 10, 30, 1000] {
            let ((entries, trouble), frame) = cut(text, chunk, 1 << 20);
            let entries: Vec<_> = entries.iter().map(|(number, text)| (*number, text.as_str())).collect();
            assert_eq!(entries, [(0, "http://a/"), (1, "http://b/\u{FFFD}"), (3, "http://c/")], "{chunk}");
            let told = [("encoding.invalid", None), ("encoding.invalid", Some(1)), ("limit.line", Some(2))];
            assert_eq!(trouble, told, "{chunk}");
            assert_eq!(frame.text, "# one\n# \u{FFFD}\n# three\n# four");
            let places: Vec<_> = frame.segments.iter().map(|segment| (segment.at, segment.line)).collect();
            assert_eq!((places.as_slice(), frame.entries), ([(0, 1), (6, 3), (20, 9)].as_slice(), 4));
            assert_eq!(frame.place(12), (4, 1));
        }
    }

    #[test]
    fn they_are_held_within_the_limit_of_a_head() {
        let text = "# note\n".repeat(1000);
        let (_, frame) = cut(text.as_bytes(), 100, 1000);
        assert!(frame.stopped && frame.text.len() < 1000 && frame.trouble[0].code == "limit.head");
    }
}
