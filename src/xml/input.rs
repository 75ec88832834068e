//! A window of a byte stream with line and column.

use std::io::{self, Read};

use super::place::Place;

/// Bytes asked of the reader at once. Larger gains nothing and leaves the second-level cache.
const WINDOW: usize = 64 * 1024;

/// The window: unread bytes from `at`, refilled on demand. Unread bytes are kept, so users must leave only a short
/// look-ahead unread when they ask for more.
pub(crate) struct InputWindow<R> {
    reader: R,
    bytes: Vec<u8>,
    filled: usize,
    at: usize,
    /// Up to here `place` has been counted.
    counted: usize,
    place: Place,
    /// The reader has nothing more.
    pub(crate) ended: bool,
}

impl<R: Read> InputWindow<R> {
    pub(crate) fn new(reader: R) -> Self {
        InputWindow {
            reader,
            bytes: vec![0; WINDOW],
            filled: 0,
            at: 0,
            counted: 0,
            place: Place::default(),
            ended: false,
        }
    }

    /// The bytes in the window that are not consumed.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.bytes[self.at..self.filled]
    }

    /// The position in the window; valid until the next `fill`.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The bytes of the window from a position taken earlier up to the present one.
    pub(crate) fn since(&self, start: usize) -> &[u8] {
        &self.bytes[start..self.at]
    }

    pub(crate) fn consume(&mut self, count: usize) {
        self.at = (self.at + count).min(self.filled);
    }

    /// The same for what is left of a line, with the CR or LF that ends it, from a place that was asked for.
    pub(crate) fn consume_line(&mut self, count: usize) {
        if self.counted == self.at
            && let Some(last) = self.bytes[..self.filled].get(self.at + count - 1)
        {
            self.place.end_line(*last == b'\r', count == 1);
            self.counted += count;
        }
        self.consume(count);
    }

    /// Line and column of the first byte not consumed.
    pub(crate) fn place(&mut self) -> Place {
        self.place.advance(&self.bytes[self.counted..self.at]);
        self.counted = self.at;
        self.place
    }

    /// Puts consumed bytes, which are at `place`, back in front of the unread ones. The current position is 0
    /// afterwards.
    pub(crate) fn rewind(&mut self, again: &[u8], place: Place) {
        let bytes = [again, self.rest()].concat();
        self.filled = bytes.len();
        if self.bytes.len() < bytes.len() {
            self.bytes.resize(bytes.len(), 0);
        }
        self.bytes[..bytes.len()].copy_from_slice(&bytes);
        (self.at, self.counted, self.place) = (0, 0, place);
    }

    /// Puts the bytes consumed last, which are at `place`, back in front of the unread ones, without a copy where the window
    /// still has them.
    pub(crate) fn give_back(&mut self, again: &[u8], place: Place) {
        match self.at.checked_sub(again.len()) {
            Some(at) => (self.at, self.counted, self.place) = (at, at, place),
            None => self.rewind(again, place),
        }
    }

    /// Reads more. Afterwards the present position is 0.
    pub(crate) fn fill(&mut self) -> io::Result<()> {
        self.place();
        self.bytes.copy_within(self.at..self.filled, 0);
        self.filled -= self.at;
        (self.at, self.counted) = (0, 0);
        if self.filled == self.bytes.len() {
            self.bytes.resize(self.filled * 2, 0);
        }
        loop {
            match self.reader.read(&mut self.bytes[self.filled..]) {
                Ok(count) => {
                    self.filled += count;
                    self.ended = count == 0;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
