//! Lines and columns, counted while bytes are read. It only moves forward.

use memchr::{memchr, memchr_iter, memchr2_iter, memrchr};

/// A place in a document as a person counts it. A line ends at LF, or at a CR that no LF follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1; stays at `u32::MAX` in longer documents.
    pub line: u32,
    /// Column in characters (code points), from 1; stays at `u32::MAX` in longer lines.
    pub column: u32,
    /// The last byte was a CR, so an LF that follows does not end another line.
    after_cr: bool,
}

impl Default for Place {
    fn default() -> Self {
        Place::new(1, 1)
    }
}

impl Place {
    /// A place to count on from, both numbers from 1.
    pub fn new(line: u32, column: u32) -> Self {
        Place { line, column, after_cr: false }
    }

    /// Moves over `bytes` (UTF-8; in anything else, every byte that is not a continuation byte counts as a character).
    pub fn advance(&mut self, bytes: &[u8]) {
        let Some(&last) = bytes.last() else { return };
        let bytes = if self.after_cr { bytes.strip_prefix(b"\n").unwrap_or(bytes) } else { bytes };
        self.after_cr = last == b'\r';
        if memchr(b'\r', bytes).is_none() {
            return self.ends(memchr_iter(b'\n', bytes).count(), memrchr(b'\n', bytes), bytes);
        }
        let ends = memchr2_iter(b'\r', b'\n', bytes).filter(|&at| !(bytes[at] == b'\n' && follows_cr(bytes, at)));
        self.ends(ends.count(), memchr::memrchr2(b'\r', b'\n', bytes), bytes);
    }

    /// Moves over a whole line and its end, a CR or an LF. A lone LF after a CR ends no line.
    pub(crate) fn end_line(&mut self, is_cr: bool, alone: bool) {
        if !(self.after_cr && alone && !is_cr) {
            (self.line, self.column) = (self.line.saturating_add(1), 1);
        }
        self.after_cr = is_cr;
    }

    /// The place after `text`, counted from this one.
    #[must_use]
    pub fn after(mut self, text: &str) -> Self {
        self.advance(text.as_bytes());
        self
    }

    fn ends(&mut self, lines: usize, last: Option<usize>, bytes: &[u8]) {
        if let Some(last) = last {
            self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            self.column = 1;
            self.columns(&bytes[last + 1..]);
        } else {
            self.columns(bytes);
        }
    }

    fn columns(&mut self, bytes: &[u8]) {
        let characters = bytes.len() - continuations(bytes);
        self.column = self.column.saturating_add(u32::try_from(characters).unwrap_or(u32::MAX));
    }
}

/// The number of UTF-8 continuation bytes.
fn continuations(bytes: &[u8]) -> usize {
    // sums of bytes over so few of them that none overflows: the compiler makes wide instructions of these
    let sum = |some: &[u8]| usize::from(some.iter().fold(0_u8, |sum, byte| sum + u8::from(byte & 0xC0 == 0x80)));
    let (blocks, rest) = bytes.as_chunks::<128>();
    blocks.iter().map(|block| sum(block)).sum::<usize>() + sum(rest)
}

fn follows_cr(bytes: &[u8], at: usize) -> bool {
    at > 0 && bytes[at - 1] == b'\r'
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, one character at a time.
    pub(crate) fn naive(text: &str) -> (u32, u32) {
        let (mut line, mut column) = (1, 1);
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if c == '\n' || (c == '\r' && chars.peek() != Some(&'\n')) {
                (line, column) = (line + 1, 1);
            } else {
                column += 1;
            }
        }
        (line, column)
    }

    proptest! {
        #[test]
        fn counts_like_the_definition_in_any_pieces(text in "[a\r\né中]{0,40}", cut in 1usize..7) {
            let text = text + "x";
            let mut place = Place::default();
            for piece in text.as_bytes().chunks(cut) {
                place.advance(piece);
            }
            prop_assert_eq!((place.line, place.column), naive(&text));
        }
    }
}
