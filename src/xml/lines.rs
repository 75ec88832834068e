//! Splits a text with one entry per line into the same chunks as the splitter of markup, without parsing the lines.

use std::io::{self, Read};

use memchr::memchr2;

use super::frame::to_chunk_text;
use super::input::InputWindow;
use super::place::Place;
use crate::text::grouped;
use crate::xml::chunk::{Chunk, Piece, SplitLimits, Trouble, beginning};

/// Cuts a stream of UTF-8 into chunks of lines. A line ends at LF, CR or CRLF; lines with only white space are skipped.
pub struct LineSplitter<R> {
    input: InputWindow<R>,
    limits: SplitLimits,
    text: Vec<u8>,
    pieces: Vec<Piece>,
    trouble: Vec<Trouble>,
    first: u64,
    next: u64,
    /// The line in work: where it began, where in `text`, its length so far, and whether it holds more than white space.
    place: Place,
    start: usize,
    size: usize,
    solid: bool,
    in_line: bool,
    /// How it begins, once it is too long to be kept.
    raw: String,
    /// The last line had no end.
    open: bool,
}

impl<R: Read> LineSplitter<R> {
    /// Lines from the start of a text; of the limits, `line` and `chunk` count.
    pub fn new(input: R, limits: SplitLimits) -> Self {
        LineSplitter {
            input: InputWindow::new(input),
            limits,
            text: Vec::new(),
            pieces: Vec::new(),
            trouble: Vec::new(),
            first: 0,
            next: 0,
            place: Place::default(),
            start: 0,
            size: 0,
            solid: false,
            in_line: false,
            raw: String::new(),
            open: false,
        }
    }

    /// Whether the input has ended, and not with the end of a line.
    pub(crate) fn ends_inside(&self) -> bool {
        self.input.ended && self.input.rest().is_empty() && self.open
    }

    /// Other limits for the lines to come.
    pub(crate) fn limit(&mut self, limits: SplitLimits) {
        self.limits = limits;
    }

    /// The next chunk, `None` after the last. Pieces are lines without their ends; the context is empty.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        loop {
            if self.input.rest().is_empty() {
                if self.input.ended {
                    self.open |= self.in_line;
                    self.end_line();
                    return Ok(self.take());
                }
                self.input.fill()?;
            } else if self.line() {
                return Ok(self.take());
            }
        }
    }

    /// Takes up to the next end of a line in the window; true if the chunk is complete.
    fn line(&mut self) -> bool {
        if !std::mem::replace(&mut self.in_line, true) {
            self.place = self.input.place();
            (self.start, self.size, self.solid) = (self.text.len(), 0, false);
        }
        let rest = self.input.rest();
        let end = memchr2(b'\r', b'\n', rest);
        let bytes = &rest[..end.unwrap_or(rest.len())];
        self.solid |= !bytes.iter().all(u8::is_ascii_whitespace);
        self.size = self.size.saturating_add(bytes.len());
        if self.size <= self.limits.line {
            self.text.extend_from_slice(bytes);
        } else {
            if self.text.len() > self.start || self.size == bytes.len() {
                self.raw = beginning(self.text.get(self.start..).unwrap_or_default(), bytes, self.limits.line);
            }
            self.text.truncate(self.start);
        }
        let length = bytes.len();
        match end {
            // an LF after CR ends an empty line, which is skipped
            Some(_) => self.input.consume_line(length + 1),
            None => self.input.consume(length),
        }
        end.is_some() && self.end_line()
    }

    fn end_line(&mut self) -> bool {
        if !std::mem::take(&mut self.in_line) {
            return false;
        }
        if !self.solid {
            self.text.truncate(self.start);
            return false;
        }
        if self.pieces.is_empty() {
            self.first = self.next;
        }
        self.next += 1;
        if self.size > self.limits.line {
            let found = format!("a line of {} bytes", grouped(self.size as u64));
            let trouble = Trouble::new("limit.line", self.place, found, "skipped the line");
            self.trouble.push(trouble.of_lost(self.next - 1, std::mem::take(&mut self.raw)));
            return true;
        }
        let (start, end) = (self.start, self.text.len());
        self.pieces.push(Piece { start, end, line: self.place.line, column: self.place.column });
        end >= self.limits.chunk
    }

    fn take(&mut self) -> Option<Chunk> {
        if self.pieces.is_empty() && self.trouble.is_empty() {
            return None;
        }
        // the next one is as large
        let (size, count) = (self.text.len(), self.pieces.len());
        let bytes = std::mem::replace(&mut self.text, Vec::with_capacity(size));
        let mut pieces = std::mem::replace(&mut self.pieces, Vec::with_capacity(count));
        let mut trouble = std::mem::take(&mut self.trouble);
        let (text, bad) = to_chunk_text(bytes, &mut pieces, self.first);
        trouble.splice(0..0, bad);
        Some(Chunk { text, pieces, first: self.first, trouble, ..Chunk::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::split::tests::Slow;
    use super::*;

    fn all(text: &[u8], step: usize, limits: &SplitLimits) -> (Vec<(String, u32)>, Vec<Trouble>) {
        let mut lines = LineSplitter::new(Slow::new(text, step), limits.clone());
        let (mut found, mut trouble) = (Vec::new(), Vec::new());
        while let Some(chunk) = lines.next_chunk().unwrap() {
            for (n, piece) in chunk.pieces.iter().enumerate() {
                assert_eq!(chunk.first + n as u64, (found.len() + trouble.len()) as u64);
                assert_eq!(piece.column, 1);
                found.push((chunk.text[piece.start..piece.end].to_owned(), piece.line));
            }
            trouble.extend(chunk.trouble.into_iter().filter(|trouble| trouble.lost));
        }
        (found, trouble)
    }

    #[test]
    fn lines_of_all_ends_are_cut_in_any_steps() {
        let text = b"http://a/\r\nhttp://b/\n\n \rhttp://\xD0\xB6/\rhttp://c/";
        for step in [1, 2, 3, 7, 4096] {
            for chunk in [1, 12, 4096] {
                let (found, trouble) = all(text, step, &SplitLimits { chunk, ..SplitLimits::default() });
                let found: Vec<_> = found.iter().map(|(text, line)| (text.as_str(), *line)).collect();
                assert_eq!(found, [("http://a/", 1), ("http://b/", 2), ("http://ж/", 5), ("http://c/", 6)]);
                assert!(trouble.is_empty());
            }
        }
    }

    #[test]
    fn long_lines_are_named_and_left_out() {
        for step in [1, 2, 3, 7, 4096] {
            let (found, trouble) =
                all(b"a\nbbbbbb\nccc\ndddddd", step, &SplitLimits { line: 5, ..SplitLimits::default() });
            assert_eq!(found, [("a".to_owned(), 1), ("ccc".to_owned(), 3)]);
            let told: Vec<_> = trouble.iter().map(|t| (t.code, t.line, t.entry)).collect();
            assert_eq!(told, [("limit.line", 2, Some(1)), ("limit.line", 4, Some(3))]);
        }
    }
}
