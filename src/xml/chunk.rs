//! The parts of a stream: chunks, their entries, and the problems met on the way.

use super::place::Place;
use std::sync::Arc;

/// What a document may ask of us. Comments, processing instructions and white space between elements count towards none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitLimits {
    /// Bytes of one entry; a larger one is skipped while streaming and named (`limit.entry`).
    pub entry: usize,
    /// Bytes of the frame, and of a DOCTYPE; more stops the splitter (`limit.head`).
    pub head: usize,
    /// Open elements around the entries; more stops the splitter (`limit.depth`). Depth inside entries is not looked at.
    pub depth: usize,
    /// Bytes after which a chunk is handed out; it is larger by what its last entry exceeds this.
    pub chunk: usize,
    /// Bytes of a line for [`LineSplitter`](super::split::LineSplitter); a longer one is skipped and reported (`limit.line`).
    pub line: usize,
}

impl Default for SplitLimits {
    fn default() -> Self {
        SplitLimits { entry: 64 << 20, head: 16 << 20, depth: 256, chunk: 128 << 10, line: 64 << 10 }
    }
}

/// One entry of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Byte offset of its `<` in the chunk's text.
    pub start: usize,
    /// Byte offset after its last `>`.
    pub end: usize,
    /// Line of its first byte in the document, from 1.
    pub line: u32,
    /// Column of its first byte in the document, in characters, from 1.
    pub column: u32,
}

/// Consecutive whole entries in the same elements. A lost entry ends a chunk, so that the n-th piece is always the
/// entry `first + n`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chunk {
    /// The entries, one after the other, nothing between them.
    pub text: String,
    /// Where each begins and ends; may be empty if there is trouble.
    pub pieces: Vec<Piece>,
    /// Index of the first entry among all entries of the document, lost ones included, from 0.
    pub first: u64,
    /// The elements around the entries.
    pub context: Arc<Context>,
    /// The problems of entries of this chunk.
    pub trouble: Vec<Trouble>,
}

/// The elements around an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// The name of the input, where there are several.
    pub input: Option<Arc<str>>,
    /// The start tags of the open elements: `<rss …><channel>`.
    pub tags: String,
    /// Their qualified names: `rss/channel`.
    pub path: String,
    /// The position of the element around the entries that is directly below the root, from 1; 0 if there is none.
    pub container: u32,
}

/// Something that is wrong with the markup or beyond a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// `limit.entry`, `limit.head`, `limit.depth`, `limit.line`, `xml.truncated`, `xml.nesting`, `xml.markup`,
    /// `xml.unclosed`, `xml.prolog`, `xml.version`, `xml.after_root`, `xml.doctype`, `xml.entity` or
    /// `encoding.invalid`.
    pub code: &'static str,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What was found there, at most 80 characters.
    pub found: String,
    /// What was done about it.
    pub done: &'static str,
    /// Index of the entry it is about.
    pub entry: Option<u64>,
    /// That entry was lost.
    pub lost: bool,
    /// How the lost entry begins, for who wants to find it.
    pub raw: String,
}

impl Trouble {
    pub(crate) fn new(code: &'static str, place: Place, found: String, done: &'static str) -> Self {
        let found = found.chars().take(80).collect();
        Trouble {
            code,
            line: place.line,
            column: place.column,
            found,
            done,
            entry: None,
            lost: false,
            raw: String::new(),
        }
    }

    pub(crate) fn of_entry(mut self, entry: u64, lost: bool) -> Self {
        (self.entry, self.lost) = (Some(entry), lost);
        self
    }

    /// The same of an entry that is lost, and begins so.
    pub(crate) fn of_lost(mut self, entry: u64, raw: String) -> Self {
        self.raw = raw;
        self.of_entry(entry, true)
    }
}

/// How an entry begins of which so much was read: some more than a report shows, but no more than the limit that it passed,
/// up to which it was read whatever the reader gave at once.
pub(crate) fn beginning(read: &[u8], more: &[u8], limit: usize) -> String {
    const CHARACTERS: usize = 201;
    let bytes: Vec<u8> = read.iter().chain(more).take(limit.min(4 * CHARACTERS)).copied().collect();
    let mut text: String = lossy(&bytes).chars().take(CHARACTERS).collect();
    if bytes.len() == limit && read.len() + more.len() > limit {
        text.push('…');
    }
    text
}

/// Bytes as text, for names and quotations.
pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
