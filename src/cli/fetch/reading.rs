//! Which of the documents at URLs can be read.

use crate::cli::kinds::is_document;
use crate::detect::DocumentKind;
use crate::format::Format;

/// How pages of HTML are read that have no JSON-LD.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageReading {
    /// The format that is asked for.
    pub from: Option<&'static Format>,
    /// Their players and videos are asked for.
    pub players: bool,
}

impl PageReading {
    /// Whether a document of this kind can be read.
    pub fn is_read(self, kind: &DocumentKind) -> bool {
        is_document(kind, self.from, self.players)
    }
}
