//! Transcodes encodings other than UTF-8: those of one byte a character by a table, the others through encoding_rs.

use encoding_rs::{DecoderResult, Encoding};

/// An encoding of one byte a character, as the UTF-8 of each byte beyond ASCII.
pub(super) struct Table {
    /// Length of the UTF-8, and the UTF-8; 0 for bytes that mean nothing.
    chars: Box<[(u8, [u8; 3]); 128]>,
}

impl Table {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        let mut chars = Box::new([(0, [0; 3]); 128]);
        for (byte, entry) in (0x80..=0xFFu8).zip(chars.iter_mut()) {
            let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(&[byte]).map(String::from)
            else {
                continue;
            };
            // no such encoding goes beyond the Basic Multilingual Plane
            if let Some(bytes) = entry.1.get_mut(..text.len()) {
                bytes.copy_from_slice(text.as_bytes());
                entry.0 = text.len() as u8;
            }
        }
        Table { chars }
    }

    /// Appends the text of `bytes`; false, with nothing appended, if one of them means nothing.
    pub(super) fn decode(&self, bytes: &[u8], out: &mut Vec<u8>) -> bool {
        let start = out.len();
        out.resize(start + bytes.len() * 3, 0);
        let mut at = start;
        let mut rest = bytes;
        while let Some((&first, _)) = rest.split_first() {
            if first.is_ascii() {
                let ascii = Encoding::ascii_valid_up_to(rest);
                out[at..at + ascii].copy_from_slice(&rest[..ascii]);
                at += ascii;
                rest = &rest[ascii..];
            } else {
                let high = rest.iter().take_while(|byte| !byte.is_ascii()).count();
                for &byte in &rest[..high] {
                    let (length, text) = self.chars[usize::from(byte & 0x7F)];
                    if length == 0 {
                        out.truncate(start);
                        return false;
                    }
                    out[at..at + 3].copy_from_slice(&text);
                    at += usize::from(length);
                }
                rest = &rest[high..];
            }
        }
        out.truncate(at);
        true
    }
}

/// What an encoding of several bytes a character, or with a state, leaves to do.
pub(super) enum Step {
    /// All input is used up.
    Empty,
    /// These many bytes of input are no character; they are used up.
    Malformed,
}

/// An encoding of several bytes a character.
pub(super) struct Stream {
    inner: encoding_rs::Decoder,
    finished: bool,
}

impl Stream {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        Stream { inner: encoding.new_decoder_without_bom_handling(), finished: false }
    }

    /// Appends the text of some of `bytes`, returns how many were used and why it stopped. After the `last` bytes and
    /// [`Step::Empty`] it must not be called again; [`is_finished`](Self::is_finished) tells.
    pub(super) fn decode(&mut self, bytes: &[u8], last: bool, out: &mut Vec<u8>) -> (usize, Step) {
        let mut used = 0;
        loop {
            let start = out.len();
            // room for a few characters at least, or the decoder could not move
            out.resize(start + (bytes.len() - used) * 2 + 64, 0);
            let (result, read, wrote) =
                self.inner.decode_to_utf8_without_replacement(&bytes[used..], &mut out[start..], last);
            out.truncate(start + wrote);
            used += read;
            match result {
                DecoderResult::OutputFull => {}
                DecoderResult::InputEmpty => {
                    self.finished = last;
                    return (used, Step::Empty);
                }
                DecoderResult::Malformed(..) => return (used, Step::Malformed),
            }
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.finished
    }
}
