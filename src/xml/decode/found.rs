//! The findings of the decoder, kept beyond its lifetime: the splitter owns the decoder when the last byte is read.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::xml::chunk::Trouble;
use crate::xml::place::Place;

/// Rows of trouble kept of one document; further ones are only counted.
const TROUBLE: usize = 10_000;

/// A handle on what the decoder of a stream finds; complete when the stream is at its end.
#[derive(Debug, Clone, Default)]
pub struct DecodeFindings(Arc<Mutex<DecodeState>>);

#[derive(Debug, Default)]
struct DecodeState {
    encoding: &'static str,
    gzip: bool,
    clean: bool,
    trouble: Vec<Trouble>,
    untold: u64,
}

impl DecodeFindings {
    /// The encoding of most of the document, as the WHATWG Encoding Standard names it: `UTF-8`, `windows-1251`.
    pub fn encoding(&self) -> &'static str {
        self.found().encoding
    }

    /// Whether the document came packed.
    pub fn gzip(&self) -> bool {
        self.found().gzip
    }

    /// The problems, in document order, and the number of rows omitted after the first 10,000.
    pub fn trouble(&self) -> (Vec<Trouble>, u64) {
        let found = self.found();
        (found.trouble.clone(), found.untold)
    }

    /// Whether the document was read to its end and is valid UTF-8.
    pub fn is_clean(&self) -> bool {
        self.found().clean
    }

    /// The document was UTF-8 up to its end.
    pub(super) fn set_clean(&self) {
        let mut found = self.found();
        let damaged = |code: &str| matches!(code, "encoding.invalid" | "encoding.mixed");
        found.clean = !found.trouble.iter().any(|row| damaged(row.code));
    }

    pub(super) fn set_gzip(&self, gzip: bool) {
        self.found().gzip = gzip;
    }

    pub(super) fn set_encoding(&self, name: &'static str) {
        self.found().encoding = name;
    }

    pub(super) fn push(&self, code: &'static str, place: Place, found: String, done: &'static str) {
        let mut all = self.found();
        if all.trouble.len() < TROUBLE {
            all.trouble.push(Trouble::new(code, place, found, done));
        } else {
            all.untold += 1;
        }
    }

    // a thread that panicked with the lock leaves rows as they are
    fn found(&self) -> MutexGuard<'_, DecodeState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
