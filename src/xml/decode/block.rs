//! Bytes of which the first are used up.

use std::io;
use std::io::Read;

/// Bytes of which the first are used up.
#[derive(Default)]
pub(super) struct Block {
    pub(super) bytes: Vec<u8>,
    at: usize,
}

impl Block {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Block { bytes, at: 0 }
    }

    pub(super) fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    pub(super) fn consume(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.bytes.len());
        if self.at == self.bytes.len() {
            self.bytes.clear();
            self.at = 0;
        }
    }

    pub(super) fn read(&mut self, out: &mut [u8]) -> usize {
        let count = self.rest().len().min(out.len());
        out[..count].copy_from_slice(&self.rest()[..count]);
        self.consume(count);
        count
    }

    /// Puts bytes before the rest.
    pub(super) fn unread(&mut self, bytes: &[u8]) {
        self.bytes.splice(..self.at, bytes.iter().copied());
        self.at = 0;
    }

    /// Reads up to `room` bytes behind the rest.
    pub(super) fn read_more(&mut self, input: &mut impl Read, room: usize) -> io::Result<usize> {
        self.bytes.drain(..self.at);
        self.at = 0;
        let before = self.bytes.len();
        self.bytes.resize(before + room, 0);
        let count = read_retrying(input, &mut self.bytes[before..]);
        self.bytes.truncate(before + *count.as_ref().unwrap_or(&0));
        count
    }
}

/// Reads once, but not in vain for a signal.
pub(super) fn read_retrying(input: &mut impl Read, out: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(out) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
