//! The decompressed bytes of a document, with a look ahead of any length. Encodings are handled by its caller.

use std::io::{self, Read};

use super::gzip::{Caps, Ending, Inflate, MAGIC};

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
    fn unread(&mut self, bytes: &[u8]) {
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
fn read_retrying(input: &mut impl Read, out: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(out) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// An unpacked document.
pub(super) struct UnpackedSource<R> {
    ahead: Block,
    input: Packing<R>,
}

enum Packing<R> {
    Plain(R),
    Gzip(Box<Inflate<R>>),
}

impl<R: Read> UnpackedSource<R> {
    /// Detects whether the input is packed, and returns that too.
    pub(super) fn open(mut input: R, caps: Caps) -> io::Result<(Self, bool)> {
        let mut ahead = Block::default();
        while ahead.rest().len() < MAGIC.len() {
            if ahead.read_more(&mut input, MAGIC.len() - ahead.rest().len())? == 0 {
                break;
            }
        }
        if ahead.rest().starts_with(MAGIC) {
            let inflate = Inflate::new(ahead.bytes, input, caps);
            return Ok((UnpackedSource { ahead: Block::default(), input: Packing::Gzip(Box::new(inflate)) }, true));
        }
        Ok((UnpackedSource { ahead, input: Packing::Plain(input) }, false))
    }

    /// The next bytes, `length` of them or all that are left; they stay.
    pub(super) fn peek(&mut self, length: usize) -> io::Result<&[u8]> {
        while self.ahead.rest().len() < length {
            let room = length - self.ahead.rest().len();
            let count = match &mut self.input {
                Packing::Plain(input) => self.ahead.read_more(input, room)?,
                Packing::Gzip(input) => self.ahead.read_more(input, room)?,
            };
            if count == 0 {
                break;
            }
        }
        Ok(&self.ahead.rest()[..self.ahead.rest().len().min(length)])
    }

    pub(super) fn consume(&mut self, count: usize) {
        self.ahead.consume(count);
    }

    /// Gives back bytes that were read last.
    pub(super) fn unread(&mut self, bytes: &[u8]) {
        self.ahead.unread(bytes);
    }

    pub(super) fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if !self.ahead.rest().is_empty() {
            return Ok(self.ahead.read(out));
        }
        match &mut self.input {
            Packing::Plain(input) => read_retrying(input, out),
            Packing::Gzip(input) => input.read(out),
        }
    }

    /// How a packed stream ended, if not regularly.
    pub(super) fn ending(&self) -> Option<Ending> {
        match &self.input {
            Packing::Plain(_) => None,
            Packing::Gzip(inflate) => inflate.ending(),
        }
    }
}
