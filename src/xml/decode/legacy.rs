//! Transcodes encodings other than UTF-8 with encoding_rs: single-byte encodings piece by piece, the others with their
//! state.

use encoding_rs::{DecoderResult, Encoding};

/// An encoding of one byte a character.
#[derive(Clone, Copy)]
pub(super) struct SingleByteEncoding(pub(super) &'static Encoding);

impl SingleByteEncoding {
    /// Appends the text of `bytes`; false, with nothing appended, if one of them means nothing.
    pub(super) fn decode(self, bytes: &[u8], out: &mut Vec<u8>) -> bool {
        let start = out.len();
        out.resize(start + bytes.len() * 3, 0);
        let mut decoder = self.0.new_decoder_without_bom_handling();
        let (result, _, wrote) = decoder.decode_to_utf8_without_replacement(bytes, &mut out[start..], true);
        let whole = result == DecoderResult::InputEmpty;
        out.truncate(if whole { start + wrote } else { start });
        whole
    }
}

/// What an encoding of several bytes a character, or with a state, leaves to do.
pub(super) enum DecodeStep {
    /// All input is used up.
    Empty,
    /// This many bytes of input are not a character; they are consumed.
    Malformed,
}

/// An encoding of several bytes a character.
pub(super) struct MultiByteEncoding {
    inner: encoding_rs::Decoder,
    finished: bool,
}

impl MultiByteEncoding {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        MultiByteEncoding { inner: encoding.new_decoder_without_bom_handling(), finished: false }
    }

    /// Appends the text of some of `bytes`; returns how many were used and why it stopped. Must not be called again
    /// after the `last` bytes and [`DecodeStep::Empty`]; see [`is_finished`](Self::is_finished).
    pub(super) fn decode(&mut self, bytes: &[u8], last: bool, out: &mut Vec<u8>) -> (usize, DecodeStep) {
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
                    return (used, DecodeStep::Empty);
                }
                DecoderResult::Malformed(..) => return (used, DecodeStep::Malformed),
            }
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.finished
    }
}
