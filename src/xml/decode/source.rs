//! The decompressed bytes of a document, with a look ahead of any length. Encodings are handled by its caller.

use std::io::{self, Read};

use super::block::{Block, read_retrying};
use super::gzip::{Caps, Ending, Inflate, MAGIC};

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
