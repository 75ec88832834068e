//! What the conversion of one chunk gives: bytes, the ends of entries, books.

use super::look::ChunkSurvey;
use super::objects::{Drops, Objects};
use super::sink::{VideosApart, WrittenEntry};
use crate::ledger::{Books, Ledger};

pub(super) struct ConvertedChunk {
    pub(super) bytes: Vec<u8>,
    /// The entries among the bytes.
    pub(super) pieces: Vec<WrittenEntry>,
    /// Of the entries with such, the videos that are not among the bytes.
    pub(super) apart: Vec<VideosApart>,
    pub(super) ledger: Ledger,
    pub(super) objects: Objects,
    pub(super) drops: Drops,
    /// The books of attempts.
    pub(super) scratch: Option<Books>,
    pub(super) glance: ChunkSurvey,
}

impl ConvertedChunk {
    /// What was written is not wanted, only what was booked.
    pub(super) fn forget_bytes(&mut self) {
        self.bytes.clear();
        self.pieces.clear();
        self.apart.clear();
    }
}
