//! Cuts a stream of UTF-8 into chunks of whole entries and collects the frame around them.
//!
//! It jumps from `<` to `<` and never parses an entry: its content and well-formedness are checked
//! by the workers. Inside an entry only tags of the same name count, so that no mismatched tag
//! in one entry can swallow its neighbors. `<` inside attribute values, which XML forbids, is treated as the start of
//! markup for the same reason: a missing quote affects only its entry.
//!
//! An entry without an end tag (`xml.unclosed`). Entries nest in no format, but `item` in `item` is well-formed, so a
//! second start tag alone proves nothing. The first one inside is stored; the entry was not closed, and ends
//! before it, if
//! - the end tag of an element around the entries comes while the entry is open, or
//! - the start tag is directly in the entry, and 256 follow, or the entry exceeds its limit, or the input ends.
//!
//! The excess is read again. After that, a start tag directly in an entry ends it at once; if the proof was
//! about one that was not directly in its entry, every one does. So there are at most two returns, and reading
//! is linear. Likewise, if the input ends in a comment or CDATA section of an entry, although the end tag of the root
//! comes last, the section has no end: it is read again as if it did not begin, at most once for each kind.
//!
//! An element of the head without an end tag (`xml.unclosed`). A start tag of an entry in it proves nothing, since the
//! element may hold others of this name. The first one is stored; the open elements of the head end before it, if the end
//! tag of an element around the entries comes while they are open, or a limit is exceeded. From there everything is read
//! again, and further ones end the head at once: at most one return. Where the input ends first, nothing is known.
//!
//! Memory: one window, the chunk in work, one entry up to its limit, the frame up to its limit. Time: linear.

use std::collections::HashSet;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::sync::Arc;

use memchr::{memchr, memmem};

use super::aside;
use super::chunk::{Chunk, Context, Piece, SplitLimits, Trouble, beginning};
use super::frame::{self, FrameBuilder, FrameMark};
use super::input::InputWindow;
use super::names::Ns;
use super::place::Place;
use super::scan::{attributes, ends_name, is_declaration, is_space, missing_quote, name_len, split_name, starts_name};
use crate::text::bytes;
use crate::text::grouped;
use crate::text::html::is_of_message;
use crate::xml::chunk::lossy;

pub use super::frame::{Frame, FrameSegment};
pub use super::lines::LineSplitter;

/// Anything that cuts a stream into chunks of entries.
pub(crate) trait Cutter {
    /// The next chunk; the given one is used again.
    fn next_chunk_into(&mut self, spent: Chunk) -> io::Result<Option<Chunk>>;
    /// The document without its entries, after the last chunk.
    fn frame(self: Box<Self>) -> Frame;
}

impl<R: Read> Cutter for Splitter<R> {
    fn next_chunk_into(&mut self, spent: Chunk) -> io::Result<Option<Chunk>> {
        Splitter::next_chunk_into(self, spent)
    }
    fn frame(self: Box<Self>) -> Frame {
        Splitter::frame(*self)
    }
}

impl<R: Read> Cutter for LineSplitter<R> {
    fn next_chunk_into(&mut self, _: Chunk) -> io::Result<Option<Chunk>> {
        self.next_chunk()
    }
    fn frame(self: Box<Self>) -> Frame {
        Frame::default()
    }
}

/// Names of entries and containers are shorter; a longer name is never an entry's.
const LONGEST_NAME: usize = 1024;
/// Bytes of a tag looked at for the namespace of its prefix.
const LONGEST_LOOK: usize = 4096;
/// So many start tags of its own name show that an entry was not closed.
const MANY_INNER: u32 = 256;
/// So many bindings of prefixes of guests are known at a time.
const MOST_BOUND: usize = 16;
/// Open elements looked through for the one an end tag closes.
const LONGEST_SEARCH: usize = 64;
/// Bytes quoted of text outside the root.
const QUOTED: usize = 320;
/// Bytes of an XML declaration looked at.
const DECLARATION: usize = 200;
/// In well-nested documents, entries are at this depth or above it.
const DEEPEST_CONTAINER: u16 = 2;

/// How entries are marked in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Local names of entries, compared without regard to ASCII case.
    pub entry: &'static [&'static str],
    /// Depths at which they count as entries; the root element is at 0.
    pub depths: RangeInclusive<u16>,
    /// Elements of another vocabulary that are entries as well: local names and namespaces.
    pub guests: &'static [(&'static str, Ns)],
}

impl Shape {
    /// RSS of all versions: `rss/channel/item`, `rdf:RDF/item`, `rss/item`. One deeper than any of them, so that an
    /// element of the channel whose end tag was forgotten does not hide all items.
    /// Podcasts have items of their own for live streams.
    pub const RSS: Shape = Shape { entry: &["item"], depths: 1..=3, guests: &[("liveItem", Ns::Podcast)] };
    /// Atom feeds: `feed/entry`.
    pub const ATOM: Shape = Shape { entry: &["entry"], depths: 1..=1, guests: &[] };
    /// Atom entry documents: the root is the entry.
    pub const ATOM_ENTRY: Shape = Shape { entry: &["entry"], depths: 0..=0, guests: &[] };
    /// Sitemaps: `urlset/url`.
    pub const SITEMAP: Shape = Shape { entry: &["url"], depths: 1..=1, guests: &[] };
    /// Descriptions of videos for Yandex: the root is the only one.
    pub const YANDEX_VIDEO: Shape = Shape { entry: &["video"], depths: 0..=0, guests: &[] };
    /// Several of them in one root.
    pub const YANDEX_VIDEOS: Shape = Shape { entry: &["video"], depths: 1..=1, guests: &[] };
    /// Sitemap indexes: `sitemapindex/sitemap`.
    pub const SITEMAP_INDEX: Shape = Shape { entry: &["sitemap"], depths: 1..=1, guests: &[] };
}

/// Cuts a document into chunks of whole entries. The stream is to be UTF-8 without a byte order mark
/// ([`decode`](super::decode::decode) makes it so); invalid bytes are replaced and named.
pub struct Splitter<R> {
    input: InputWindow<R>,
    shape: Shape,
    limits: SplitLimits,
    state: SplitState,
    entry: Option<CurrentEntry>,
    /// The last entry, if no tag of the frame came since: what is known of its name is so of the next one's.
    last: Option<CurrentEntry>,
    /// Index of the next entry.
    next: u64,
    parts: ChunkInWork,
    frame: FrameBuilder,
    keep_entries: bool,
    prefixes: Prefixes,
    /// Prefixes of guests that the open elements around the entries bind, or bind to something else.
    bound: Vec<BoundPrefix>,
    /// The tag of the frame in work, and where it began.
    tag: Vec<u8>,
    tag_place: Place,
    /// Something else than white space was seen since the last markup of the frame.
    in_text: bool,
    /// Only white space, comments and instructions since the last entry.
    after_entry: bool,
    /// Text outside the root: its place and its first bytes.
    stray: Option<(Place, Vec<u8>)>,
    /// The names of the elements around the entry in work.
    around: Vec<Vec<u8>>,
    /// What is known of entries without an end tag.
    nesting: Nesting,
    /// The first start tag of an entry in an element of the head that is open.
    in_head: Option<EntryInHead>,
    /// Elements of the head that are open end where an entry begins.
    ends_head: bool,
    /// Passages of entries that have no end up to the input's: comments, CDATA, instructions.
    endless: Vec<Passage>,
    doctype: Doctype,
    has_doctype: bool,
    /// Something in the comment or instruction in work was noted.
    is_faulty: bool,
    comments: u64,
    instructions: u64,
    truncated: bool,
    finished: bool,
    stopped: bool,
    stopped_at: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SplitState {
    Text,
    /// Inside a tag that has to be known up to its end.
    Tag {
        role: TagRole,
        quote: u8,
        last: u8,
    },
    Passage(Passage),
    Doctype,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagRole {
    EntryStart,
    EntryEnd,
    FrameStart,
    FrameEnd,
}

/// Markup that lasts until a fixed string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Passage {
    Comment,
    Cdata,
    Instruction,
    DoctypeComment,
    DoctypeInstruction,
}

impl Passage {
    fn opening(self) -> &'static [u8] {
        match self {
            Passage::Comment | Passage::DoctypeComment => b"<!--",
            Passage::Cdata => b"<![CDATA[",
            Passage::Instruction | Passage::DoctypeInstruction => b"<?",
        }
    }

    fn ending(self) -> &'static [u8] {
        match self {
            Passage::Comment | Passage::DoctypeComment => b"-->",
            Passage::Cdata => b"]]>",
            Passage::Instruction | Passage::DoctypeInstruction => b"?>",
        }
    }

    fn next_state(self) -> SplitState {
        match self {
            Passage::Comment | Passage::Cdata | Passage::Instruction => SplitState::Text,
            Passage::DoctypeComment | Passage::DoctypeInstruction => SplitState::Doctype,
        }
    }
}

/// What to do next.
enum Flow {
    Go,
    /// Nothing can be decided without more input.
    More,
    /// The chunk is complete.
    Full,
}

/// Whether start tags in an entry of its own name are taken for the next entry's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Nesting {
    /// Nothing was found yet: they are not, until there is a proof.
    Allowed,
    /// Those directly in the entry are.
    Below,
    /// All are.
    None,
}

/// The bytes that some names begin with, in either case.
#[derive(Clone, Copy, Default)]
struct FirstBytes([u64; 4]);

impl FirstBytes {
    fn collect<'n>(names: impl Iterator<Item = &'n [u8]>) -> FirstBytes {
        let mut letters = FirstBytes::default();
        for first in names.filter_map(|name| name.first()) {
            for first in [first.to_ascii_lowercase(), first.to_ascii_uppercase()] {
                letters.0[usize::from(first >> 6)] |= 1 << (first & 63);
            }
        }
        letters
    }

    fn has(&self, letter: u8) -> bool {
        self.0[usize::from(letter >> 6)] >> (letter & 63) & 1 == 1
    }
}

/// How far it is to the next `<`, which is seldom far.
fn to_tag(bytes: &[u8]) -> Option<usize> {
    const NEAR: usize = 256;
    let near = bytes.get(..NEAR).unwrap_or(bytes);
    let at = bytes::blocks_before(near, |byte| byte == b'<');
    let near = at + bytes::before(&near[at..], |block| bytes::equal(block, b'<', 0));
    match bytes.get(near) {
        Some(b'<') => Some(near),
        _ => memchr(b'<', bytes.get(near..)?).map(|hop| near + hop),
    }
}

/// The entry in work.
struct CurrentEntry {
    /// What its own end tag and those of the elements around it begin with.
    ends: FirstBytes,
    /// What start tags begin with that may be those of other entries.
    starts: FirstBytes,
    name: Vec<u8>,
    /// The names of entries of other kinds, which cannot be inside it either.
    others: Vec<Vec<u8>>,
    /// The longest name that counts in it.
    longest: usize,
    /// Open elements of its name, itself included.
    open: u64,
    place: Place,
    /// Where its unsaved bytes begin in the window.
    held: usize,
    size: usize,
    /// The first start tag of its name in it.
    suspect: Option<Suspect>,
    /// How it begins, once it is too large to be kept.
    raw: String,
    /// Start tags of its name in it, and of those of other kinds.
    inner: u32,
    /// What is open in it, as far as that was asked for.
    nest: OpenElements,
    /// Where the passage in work begins in it, and in the document.
    passage: (usize, Place),
}

impl CurrentEntry {
    /// The next entry, of the same name and in the same elements, which begins here.
    fn again(mut self, place: Place, held: usize) -> CurrentEntry {
        self.nest.read = 0;
        self.nest.open.clear();
        CurrentEntry { open: 0, place, held, size: 0, suspect: None, inner: 0, passage: (0, place), ..self }
    }
}

/// A start tag that may be that of the next entry.
#[derive(Clone, Copy)]
struct Suspect {
    /// Offset in the entry.
    at: usize,
    place: Place,
    /// No other element of the entry is open there.
    direct: bool,
}

/// A start tag of an entry in an element of the head, and all that was read since.
struct EntryInHead {
    place: Place,
    /// Where its unsaved bytes begin in the window.
    held: usize,
    read: Vec<u8>,
    frame: FrameMark,
    comments: u64,
    instructions: u64,
}

/// The open elements of an entry, itself first; read only where a question arises, and further from there.
#[derive(Default)]
struct OpenElements {
    read: usize,
    /// The places of their names.
    open: Vec<std::ops::Range<usize>>,
}

impl OpenElements {
    /// Reads on to the end of `bytes`, which is before a `<`.
    fn read(&mut self, bytes: &[u8]) {
        while let Some(hop) = bytes.get(self.read..).and_then(|rest| memchr(b'<', rest)) {
            let start = self.read + hop;
            self.read = start + 1;
            let rest = &bytes[start..];
            let passage = [Passage::Comment, Passage::Cdata, Passage::Instruction];
            if let Some(passage) = passage.into_iter().find(|passage| rest.starts_with(passage.opening())) {
                let end = memmem::find(rest, passage.ending()).map_or(1, |at| at + passage.ending().len());
                self.read = start + end;
            } else if rest.get(1) == Some(&b'/') {
                self.close(bytes, start + 2);
            } else if rest.get(1).is_some_and(|&byte| starts_name(byte)) {
                let name = start + 1..start + 1 + name_len(&rest[1..]);
                let (length, empty) = tag_length(rest);
                self.read = start + length;
                if !empty {
                    self.open.push(name);
                }
            }
        }
        self.read = bytes.len();
    }

    fn close(&mut self, bytes: &[u8], at: usize) {
        let name = &bytes[at..at + name_len(&bytes[at..])];
        let from = self.open.len().saturating_sub(LONGEST_SEARCH).max(1);
        let inside = self.open.get(from..).unwrap_or_default();
        if let Some(found) = inside.iter().rposition(|open| bytes[open.clone()].eq_ignore_ascii_case(name)) {
            self.open.truncate(from + found);
        }
    }

    fn holds(&self, bytes: &[u8], name: &[u8]) -> bool {
        self.open.iter().skip(1).any(|open| bytes[open.clone()].eq_ignore_ascii_case(name))
    }
}

/// The length of the tag at the start of `rest`, and whether it is one without content.
fn tag_length(rest: &[u8]) -> (usize, bool) {
    let mut quote = 0;
    for (at, &byte) in rest.iter().enumerate().skip(1) {
        match byte {
            b'<' => return (at, false),
            b'>' if quote == 0 => return (at + 1, rest[at - 1] == b'/'),
            b'"' | b'\'' if quote == 0 => quote = byte,
            _ if byte == quote => quote = 0,
            _ => {}
        }
    }
    (rest.len(), false)
}

/// The chunk in work.
#[derive(Default)]
struct ChunkInWork {
    text: Vec<u8>,
    pieces: Vec<Piece>,
    first: u64,
    context: Option<Arc<Context>>,
    trouble: Vec<Trouble>,
}

#[derive(Default)]
struct Doctype {
    place: Place,
    size: usize,
    brackets: u32,
    quote: u8,
    start: Vec<u8>,
    entities: bool,
}

/// The prefixes that entries may have, known from the root.
#[derive(Default)]
struct Prefixes {
    known: Vec<Vec<u8>>,
    /// The root's own namespace.
    namespace: Option<String>,
}

/// A prefix that an element around the entries binds.
struct BoundPrefix {
    /// The element's depth.
    depth: usize,
    prefix: String,
    ns: Ns,
}

impl Prefixes {
    /// That of the root, others bound there to the same namespace (in RDF: to one of RSS), and none if the root has one.
    fn of_root(tag: &[u8], name: &[u8]) -> Self {
        let (prefix, local) = split_name(name);
        let prefix = prefix.unwrap_or_default();
        let is_rdf = local.eq_ignore_ascii_case(b"RDF");
        let tag = lossy(tag);
        let namespace = bindings(&tag).find(|(bound, _)| bound.as_bytes() == prefix).map(|(_, uri)| uri.to_owned());
        let is_rss = |uri: &str| uri.ends_with("purl.org/rss/1.0/") || uri.contains("netscape.com/rdf/simple/0.9");
        let same = |uri: &str| if is_rdf { is_rss(uri) } else { Some(uri) == namespace.as_deref() };
        let mut known: Vec<Vec<u8>> =
            bindings(&tag).filter(|(_, uri)| same(uri)).map(|(bound, _)| bound.as_bytes().to_vec()).take(8).collect();
        known.push(prefix.to_vec());
        if is_rdf || !prefix.is_empty() {
            known.push(Vec::new());
        }
        Prefixes { known, namespace }
    }

    fn allow(&self, prefix: &[u8]) -> bool {
        self.known.is_empty() || self.known.iter().any(|known| known == prefix)
    }

    /// Whether a tag binds its own prefix to the namespace of the root.
    fn bound_by(&self, tag: &[u8], prefix: &[u8]) -> bool {
        let tag = lossy(tag);
        bindings(&tag).any(|(bound, uri)| bound.as_bytes() == prefix && Some(uri) == self.namespace.as_deref())
    }
}

/// The namespaces that a tag binds, the default one with an empty prefix. Of two for one prefix the first counts.
fn bindings(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut seen = HashSet::new();
    attributes(tag).filter_map(move |(name, uri)| {
        let prefix = if name == "xmlns" { "" } else { name.strip_prefix("xmlns:")? };
        seen.insert(prefix).then(|| (prefix, uri.trim()))
    })
}

impl<R: Read> Splitter<R> {
    /// A splitter at the start of a document.
    pub fn new(input: R, shape: Shape, limits: SplitLimits) -> Self {
        Splitter {
            input: InputWindow::new(input),
            shape,
            limits,
            state: SplitState::Text,
            entry: None,
            last: None,
            next: 0,
            parts: ChunkInWork::default(),
            frame: FrameBuilder::new(),
            keep_entries: true,
            prefixes: Prefixes::default(),
            bound: Vec::new(),
            tag: Vec::new(),
            tag_place: Place::default(),
            in_text: false,
            after_entry: false,
            stray: None,
            around: Vec::new(),
            nesting: Nesting::Allowed,
            in_head: None,
            ends_head: false,
            endless: Vec::new(),
            doctype: Doctype::default(),
            has_doctype: false,
            is_faulty: false,
            comments: 0,
            instructions: 0,
            truncated: false,
            finished: false,
            stopped: false,
            stopped_at: Place::default(),
        }
    }

    /// Whether the text of the frame is kept, which is the default; second passes need none. To be called before the
    /// first chunk. Limits apply either way.
    pub fn collect_frame(&mut self, keep: bool) {
        self.frame.keep(keep);
    }

    /// Whether to keep the text of entries, which is the default; a first pass for the frame does not need it. Without
    /// it, the chunks hold only trouble. Must be called before the first chunk.
    pub fn collect_entries(&mut self, keep: bool) {
        self.keep_entries = keep;
    }

    /// The next chunk, `None` after the last.
    ///
    /// # Errors
    /// Those of the reader. Problems of the document are not errors: see [`Chunk::trouble`] and [`Frame::trouble`].
    pub fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        self.next_chunk_into(Chunk::default())
    }

    /// The next chunk in the buffers of one that is no longer needed.
    ///
    /// # Errors
    /// As [`next_chunk`](Self::next_chunk).
    pub fn next_chunk_into(&mut self, spent: Chunk) -> io::Result<Option<Chunk>> {
        self.parts.recycle(spent, self.limits.chunk);
        while !self.finished {
            let flow = self.step();
            if self.stopped && self.cut_head() {
                continue;
            }
            match flow {
                Flow::Go => {}
                Flow::Full => break,
                Flow::More if self.stopped || self.input.ended => self.end(),
                Flow::More => self.fill()?,
            }
        }
        Ok(self.parts.take())
    }

    /// The document without its entries; complete after the last chunk.
    pub fn frame(mut self) -> Frame {
        let place = match self.stopped {
            true => self.stopped_at,
            false => self.input.place(),
        };
        Frame {
            stopped: self.stopped,
            comments: self.comments,
            instructions: self.instructions,
            entries: self.next,
            ..self.frame.finish(self.truncated, place)
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        self.save_entry();
        if self.has_overflowed() {
            self.cut_at_suspect();
            return Ok(());
        }
        if self.is_head_long() {
            self.cut_head();
            return Ok(());
        }
        if let Some(head) = &mut self.in_head {
            head.read.extend_from_slice(self.input.since(head.held));
        }
        let filled = self.input.fill();
        if let Some(entry) = &mut self.entry {
            entry.held = self.input.at();
        }
        if let Some(head) = &mut self.in_head {
            head.held = self.input.at();
        }
        filled
    }

    fn step(&mut self) -> Flow {
        match (self.state, self.entry.is_some()) {
            _ if self.stopped => Flow::More,
            (SplitState::Text, true) => self.entry_text(),
            (SplitState::Text, false) => self.frame_text(),
            (SplitState::Tag { role, quote, last }, _) => self.tag(role, quote, last),
            (SplitState::Passage(passage), _) => self.passage(passage),
            (SplitState::Doctype, _) => self.in_doctype(),
        }
    }

    // ---- inside an entry ----

    fn entry_text(&mut self) -> Flow {
        while let Some(hop) = self.entry_hop() {
            self.input.consume(hop);
            match self.entry_markup() {
                EntryMarkup::Text => self.input.consume(1),
                EntryMarkup::Unknown => return Flow::More,
                EntryMarkup::Start => return self.inner_start(true),
                EntryMarkup::Other => return self.inner_start(false),
                EntryMarkup::AroundEnd => return self.end_around(),
                EntryMarkup::Markup(state, length) => {
                    if let SplitState::Passage(_) = state {
                        self.note_passage();
                    }
                    self.input.consume(length);
                    self.state = state;
                    return Flow::Go;
                }
            }
        }
        self.input.consume(usize::MAX / 2);
        Flow::More
    }

    /// The distance to the next `<` that may begin relevant markup: a look at one letter excludes most other tags.
    fn entry_hop(&self) -> Option<usize> {
        let rest = self.input.rest();
        let Some(entry) = &self.entry else { return memchr(b'<', rest) };
        let mut at = 0;
        loop {
            at += to_tag(rest.get(at..)?)?;
            let surely = rest.len() - at >= entry.longest.max(7) + 3;
            match (rest.get(at + 1), rest.get(at + 2)) {
                (Some(b'!' | b'?'), _) => return Some(at),
                (Some(b'/'), Some(letter)) if surely && !entry.ends.has(*letter) => at += 1,
                (Some(letter), Some(_)) if surely && *letter != b'/' && !entry.starts.has(*letter) => at += 1,
                _ => return Some(at),
            }
        }
    }

    /// What begins at this `<`.
    fn entry_markup(&self) -> EntryMarkup {
        let rest = self.input.rest();
        let Some(entry) = &self.entry else { return EntryMarkup::Text };
        if rest.len() < entry.longest.max(7) + 3 && !self.input.ended {
            return EntryMarkup::Unknown;
        }
        let passages = [Passage::Comment, Passage::Cdata, Passage::Instruction];
        let passage = || passages.into_iter().find(|passage| rest.starts_with(passage.opening()));
        match rest.get(1) {
            Some(b'/') if is_named(&rest[2..], &entry.name) => {
                EntryMarkup::Markup(SplitState::tag(TagRole::EntryEnd), 2 + entry.name.len())
            }
            Some(b'/') if self.around.iter().any(|name| is_named(&rest[2..], name) && rest.len() > 2 + name.len()) => {
                EntryMarkup::AroundEnd
            }
            Some(b'!' | b'?') => match passage().filter(|passage| !self.endless.contains(passage)) {
                Some(passage) => EntryMarkup::Markup(SplitState::Passage(passage), passage.opening().len()),
                None => EntryMarkup::Text,
            },
            // the input's end may have cut a longer name
            Some(_) if is_named(&rest[1..], &entry.name) && rest.len() > 1 + entry.name.len() => EntryMarkup::Start,
            Some(_) if entry.others.iter().any(|name| is_named(&rest[1..], name) && rest.len() > 1 + name.len()) => {
                EntryMarkup::Other
            }
            _ => EntryMarkup::Text,
        }
    }

    fn note_passage(&mut self) {
        let place = self.input.place();
        let at = self.input.at();
        if let Some(entry) = &mut self.entry {
            entry.passage = (entry.size + (at - entry.held), place);
        }
    }

    /// A start tag in it of the entry's own name, or of that of an entry of another kind.
    fn inner_start(&mut self, own: bool) -> Flow {
        self.save_entry();
        if self.has_overflowed() {
            return self.cut_at_suspect();
        }
        let place = self.input.place();
        let start = self.parts.text.len();
        let Some(entry) = &mut self.entry else { return Flow::Go };
        let kept = entry.size <= self.limits.entry;
        entry.inner = entry.inner.saturating_add(1);
        // only the first can end the entry; what is open there is of no interest afterwards
        let asked = entry.suspect.is_none() || self.nesting == Nesting::Below;
        if kept && asked {
            entry.nest.read(&self.parts.text[start - entry.size..]);
            let direct = entry.nest.open.len() <= 1;
            if self.nesting == Nesting::None || (self.nesting == Nesting::Below && direct) {
                return self.close_entry();
            }
            entry.suspect.get_or_insert(Suspect { at: entry.size, place, direct });
        }
        if entry.inner >= MANY_INNER && entry.suspect.is_some_and(|suspect| suspect.direct) {
            return self.cut_at_suspect();
        }
        if own {
            self.input.consume(1 + entry.name.len());
            self.state = SplitState::tag(TagRole::EntryStart);
        } else {
            self.input.consume(1);
        }
        Flow::Go
    }

    /// The end tag of an element around the entry, if it is not one of an element in it.
    fn end_around(&mut self) -> Flow {
        self.save_entry();
        if self.has_overflowed() {
            return self.cut_at_suspect();
        }
        let rest = &self.input.rest()[2..];
        let name = &rest[..name_len(rest)];
        let Some(entry) = &mut self.entry else { return Flow::Go };
        if entry.size <= self.limits.entry {
            let bytes = &self.parts.text[self.parts.text.len() - entry.size..];
            entry.nest.read(bytes);
            if !entry.nest.holds(bytes, name) {
                return if entry.suspect.is_some() { self.cut_at_suspect() } else { self.close_entry() };
            }
        }
        self.input.consume(2);
        Flow::Go
    }

    fn has_overflowed(&self) -> bool {
        self.entry
            .as_ref()
            .is_some_and(|entry| entry.size > self.limits.entry && entry.suspect.is_some_and(|suspect| suspect.direct))
    }

    /// The entry ended where the next one seems to begin: from there on everything is read again.
    fn cut_at_suspect(&mut self) -> Flow {
        let end = self.parts.text.len();
        let Some(entry) = &mut self.entry else { return Flow::Go };
        let Some(suspect) = entry.suspect.take() else { return self.close_entry() };
        let start = end - entry.size;
        self.input.rewind(&self.parts.text[start + suspect.at..], suspect.place);
        self.parts.text.truncate(start + suspect.at);
        (entry.size, entry.held) = (suspect.at, self.input.at());
        self.nesting = self.nesting.max(if suspect.direct { Nesting::Below } else { Nesting::None });
        self.close_entry()
    }

    /// Ends an entry that has no end tag.
    fn close_entry(&mut self) -> Flow {
        self.state = SplitState::Text;
        let Some(entry) = &mut self.entry else { return Flow::Go };
        let tag = [b"</", entry.name.as_slice(), b">"].concat();
        if entry.size <= self.limits.entry {
            if entry.size + tag.len() <= self.limits.entry {
                self.parts.text.extend_from_slice(&tag);
            } else {
                let start = self.parts.text.len() - entry.size;
                entry.raw = beginning(self.parts.text.get(start..).unwrap_or_default(), &[], self.limits.entry);
                self.parts.text.truncate(start);
            }
        }
        entry.size = entry.size.saturating_add(tag.len());
        entry.suspect = None;
        let found = format!("<{}>", lossy(&entry.name));
        let trouble = Trouble::new("xml.unclosed", entry.place, found, "the entry has no end tag, closed it");
        self.parts.trouble.push(trouble.of_entry(self.next, false));
        self.end_entry()
    }

    fn begin_entry(&mut self, name: Vec<u8>) -> Flow {
        let context = self.frame.context();
        if !self.parts.fits(&context) {
            return Flow::Full;
        }
        self.parts.begin(context, self.next);
        let place = self.input.place();
        let held = self.input.at();
        self.input.consume(1 + name.len());
        if self.frame.depth() == 0 && !self.shape.depths.contains(&0) {
            let found = format!("<{}>", lossy(&name));
            self.frame.trouble(Trouble::new("xml.after_root", place, found, "read as an entry"));
        }
        self.in_text = false;
        self.after_entry = true;
        self.frame.skip();
        self.state = SplitState::tag(TagRole::EntryStart);
        if let Some(last) = self.last.take().filter(|last| last.name == name) {
            self.entry = Some(last.again(place, held));
            return Flow::Go;
        }
        self.around.clear();
        let around = self.frame.names().filter(|around| *around != name.as_slice() && around.len() <= LONGEST_NAME);
        self.around.extend(around.take(4).map(<[u8]>::to_vec));
        let others = self.other_names(&name);
        let names = self.around.iter().chain(&others).map(Vec::len);
        let longest = names.max().unwrap_or(0).max(name.len());
        let own = || std::iter::once(name.as_slice());
        let ends = FirstBytes::collect(own().chain(self.around.iter().map(Vec::as_slice)));
        let starts = FirstBytes::collect(own().chain(others.iter().map(Vec::as_slice)));
        self.entry = Some(CurrentEntry {
            ends,
            starts,
            name,
            others,
            longest,
            open: 0,
            place,
            held,
            size: 0,
            suspect: None,
            raw: String::new(),
            inner: 0,
            nest: OpenElements::default(),
            passage: (0, place),
        });
        Flow::Go
    }

    /// The names of other kinds of entries, with the prefixes bound here.
    fn other_names(&self, name: &[u8]) -> Vec<Vec<u8>> {
        let (_, local) = split_name(name);
        let qualified = |prefix: &[u8], local: &str| match prefix {
            [] => local.as_bytes().to_vec(),
            prefix => [prefix, b":", local.as_bytes()].concat(),
        };
        let is_guest = self.shape.guests.iter().any(|(guest, _)| guest.as_bytes() == local);
        if is_guest {
            let prefixes = || self.prefixes.known.iter();
            return self
                .shape
                .entry
                .iter()
                .flat_map(|entry| prefixes().map(|prefix| qualified(prefix, entry)))
                .collect();
        }
        let prefixes = |wanted: Ns| self.bound.iter().filter(move |bound| bound.ns == wanted);
        let named = |&(guest, ns): &(&str, Ns)| {
            prefixes(ns).map(move |bound| qualified(bound.prefix.as_bytes(), guest)).collect::<Vec<_>>()
        };
        self.shape.guests.iter().flat_map(named).collect()
    }

    fn entry_tag(&mut self, role: TagRole, self_closing: bool) -> Flow {
        let Some(entry) = &mut self.entry else { return Flow::Go };
        match role {
            TagRole::EntryEnd => entry.open = entry.open.saturating_sub(1),
            _ if self_closing => {}
            _ => entry.open += 1,
        }
        if entry.open == 0 { self.end_entry() } else { Flow::Go }
    }

    fn end_entry(&mut self) -> Flow {
        self.save_entry();
        if self.has_overflowed() {
            return self.cut_at_suspect();
        }
        let Some(entry) = self.entry.take() else { return Flow::Go };
        let index = self.next;
        self.next += 1;
        if entry.size > self.limits.entry {
            let found = format!("<{}> of {} bytes", lossy(&entry.name), grouped(entry.size as u64));
            let trouble = Trouble::new("limit.entry", entry.place, found, "skipped the entry");
            self.parts.trouble.push(trouble.of_lost(index, entry.raw));
            return Flow::Full;
        }
        let start = self.parts.text.len() - entry.size;
        if !self.keep_entries {
            self.parts.text.truncate(start);
            return if self.parts.trouble.is_empty() { Flow::Go } else { Flow::Full };
        }
        let end = self.parts.text.len();
        self.parts.pieces.push(Piece { start, end, line: entry.place.line, column: entry.place.column });
        self.last = Some(entry);
        if end >= self.limits.chunk { Flow::Full } else { Flow::Go }
    }

    /// Moves what the window holds of the entry to the chunk, or away if the entry is too large.
    fn save_entry(&mut self) {
        let Some(entry) = &mut self.entry else { return };
        let bytes = self.input.since(entry.held);
        if entry.size <= self.limits.entry {
            // with a suspect, what is too large is cut there instead
            let suspected = entry.suspect.is_some_and(|suspect| suspect.direct);
            if entry.size + bytes.len() <= self.limits.entry || suspected {
                if self.parts.text.is_empty() {
                    // of a short document all there is
                    self.parts.text.reserve(bytes.len() + self.input.rest().len());
                }
                self.parts.text.extend_from_slice(bytes);
            } else {
                let start = self.parts.text.len() - entry.size;
                entry.raw = beginning(self.parts.text.get(start..).unwrap_or_default(), bytes, self.limits.entry);
                self.parts.text.truncate(start);
            }
        }
        entry.size = entry.size.saturating_add(bytes.len());
        entry.held = self.input.at();
    }

    // ---- around the entries ----

    fn frame_text(&mut self) -> Flow {
        let rest = self.input.rest();
        let hop = memchr(b'<', rest);
        let text = &rest[..hop.unwrap_or(rest.len())];
        let length = text.len();
        if self.frame.depth() == 0 {
            self.outside(length);
            return if hop.is_none() { Flow::More } else { self.frame_markup() };
        }
        // Around entries white space means nothing and may be endless; deeper it may be part of a text.
        let blank = match (self.after_entry || self.frame.depth() <= self.containers()) && !self.in_text {
            true => text.iter().position(|&byte| !is_space(byte)).unwrap_or(length),
            false => 0,
        };
        self.in_text |= blank < length;
        self.after_entry &= !self.in_text;
        self.pass(blank);
        self.keep(length - blank);
        if self.stopped || hop.is_none() { Flow::More } else { self.frame_markup() }
    }

    /// Skips text outside the root, but keeps its first bytes for a message.
    fn outside(&mut self, length: usize) {
        let text = &self.input.rest()[..length];
        let skip = match self.stray {
            Some(_) => 0,
            None => text.iter().position(|&byte| !is_space(byte)).unwrap_or(length),
        };
        self.pass(skip);
        if skip < length {
            let place = self.input.place();
            let (_, stray) = self.stray.get_or_insert_with(|| (place, Vec::new()));
            let room = QUOTED.saturating_sub(stray.len()).min(length - skip);
            stray.extend_from_slice(&self.input.rest()[..room]);
            self.pass(length - skip);
        }
    }

    fn end_stray(&mut self) {
        let Some((place, text)) = self.stray.take() else { return };
        let (code, done) = match self.frame.has_root() {
            true => ("xml.after_root", "removed text after the root"),
            false => ("xml.prolog", "removed text before the root"),
        };
        self.frame.trouble(Trouble::new(code, place, lossy(&text).trim().to_owned(), done));
    }

    fn frame_markup(&mut self) -> Flow {
        let rest = self.input.rest();
        let Some(opener) = opener(rest, self.input.ended) else { return Flow::More };
        if matches!(opener, FrameMarkup::Passage(Passage::Instruction)) && !self.has_declaration() {
            return Flow::More;
        }
        if self.is_message(&opener) {
            self.literal();
            return Flow::Go;
        }
        match opener {
            FrameMarkup::Text => {}
            _ => self.end_stray(),
        }
        match opener {
            FrameMarkup::Passage(passage) => self.begin_passage(passage),
            FrameMarkup::Doctype => self.begin_doctype(),
            FrameMarkup::Text => self.literal(),
            FrameMarkup::Start(length) => {
                let name = self.input.rest()[1..=length].to_vec();
                match self.is_entry(&name) {
                    Some(true) => return self.begin_entry(name),
                    Some(false) if self.is_entry_in_head(&name) => {
                        if self.ends_head {
                            let place = self.input.place();
                            self.frame.end_inner(self.containers(), place);
                            return self.begin_entry(name);
                        }
                        self.note_entry_in_head();
                        self.begin_frame_tag(TagRole::FrameStart, 1 + length);
                    }
                    Some(false) => self.begin_frame_tag(TagRole::FrameStart, 1 + length),
                    None => return Flow::More,
                }
            }
            FrameMarkup::End => self.begin_frame_tag(TagRole::FrameEnd, 2),
        }
        Flow::Go
    }

    /// Whether this is HTML before the root, as of a message that the server wrote in front of the document.
    fn is_message(&self, opener: &FrameMarkup) -> bool {
        if self.frame.has_root() || self.frame.depth() > 0 {
            return false;
        }
        match opener {
            FrameMarkup::Start(length) => is_of_message(&lossy(&self.input.rest()[1..=*length])),
            FrameMarkup::End => true,
            _ => false,
        }
    }

    /// Whether the next tag begins an entry; `None` if more input is needed.
    fn is_entry(&self, name: &[u8]) -> Option<bool> {
        let depth = self.frame.depth();
        let (prefix, local) = split_name(name);
        let prefix = prefix.unwrap_or_default();
        // content after the root's end is read as if it came before it
        let after_root = depth == 0 && self.frame.has_root();
        let in_reach = after_root || u16::try_from(depth).is_ok_and(|depth| self.shape.depths.contains(&depth));
        if !in_reach || !self.shape.entry.iter().any(|entry| local.eq_ignore_ascii_case(entry.as_bytes())) {
            return if in_reach { self.is_guest_entry(prefix, local) } else { Some(false) };
        }
        if depth == 0 || self.prefixes.allow(prefix) {
            return Some(true);
        }
        // A foreign prefix: only the tag itself can make it the root's namespace.
        let rest = &self.input.rest()[..self.input.rest().len().min(LONGEST_LOOK)];
        let end = memchr(b'>', rest);
        let known = end.is_some() || rest.len() == LONGEST_LOOK || self.input.ended;
        known.then(|| self.prefixes.bound_by(&rest[..end.unwrap_or(rest.len())], prefix))
    }

    /// How many elements are around the entries of a well-nested document.
    fn containers(&self) -> usize {
        usize::from(DEEPEST_CONTAINER.min(*self.shape.depths.end()))
    }

    /// Whether a start tag is that of an entry, but for the elements that are open.
    fn is_entry_in_head(&self, name: &[u8]) -> bool {
        let (prefix, local) = split_name(name);
        self.containers() > 0
            && self.frame.depth() > usize::from(*self.shape.depths.end())
            && self.shape.entry.iter().any(|entry| local.eq_ignore_ascii_case(entry.as_bytes()))
            && self.prefixes.allow(prefix.unwrap_or_default())
    }

    fn note_entry_in_head(&mut self) {
        if self.in_head.is_none() {
            self.in_head = Some(EntryInHead {
                place: self.input.place(),
                held: self.input.at(),
                read: Vec::new(),
                frame: self.frame.mark(),
                comments: self.comments,
                instructions: self.instructions,
            });
        }
    }

    /// Whether the end tag of this name proves that an element of the head has none: it ends one around the entries.
    fn proves_open_head(&mut self, name: &[u8]) -> bool {
        let Some(head) = &self.in_head else { return false };
        let Some(depth) = self.frame.depth_of(name) else { return false };
        let proves = depth < self.containers() || self.is_head_long();
        if !proves && depth < head.frame.depth() {
            self.in_head = None;
        }
        proves
    }

    /// Whether more was read since the first entry in the head than the frame may have.
    fn is_head_long(&self) -> bool {
        let read = |head: &EntryInHead| head.read.len() + self.input.since(head.held).len();
        self.in_head.as_ref().is_some_and(|head| read(head) > self.limits.head)
    }

    /// Reads again from the first entry in the head, which ends there; false if there is none.
    fn cut_head(&mut self) -> bool {
        let Some(mut head) = self.in_head.take() else { return false };
        head.read.extend_from_slice(self.input.since(head.held));
        self.input.rewind(&head.read, head.place);
        self.bound.retain(|bound| bound.depth < head.frame.depth());
        self.frame.back_to(head.frame);
        (self.comments, self.instructions) = (head.comments, head.instructions);
        self.tag.clear();
        (self.state, self.stopped, self.in_text, self.is_faulty) = (SplitState::Text, false, false, false);
        self.ends_head = true;
        true
    }

    /// Whether the next tag is that of an entry in another vocabulary; `None` if more input is needed.
    fn is_guest_entry(&self, prefix: &[u8], local: &[u8]) -> Option<bool> {
        let guest = self.shape.guests.iter().find(|(name, _)| name.as_bytes() == local);
        let Some(&(_, wanted)) = guest else { return Some(false) };
        let rest = &self.input.rest()[..self.input.rest().len().min(LONGEST_LOOK)];
        let end = memchr(b'>', rest);
        if end.is_none() && rest.len() < LONGEST_LOOK && !self.input.ended {
            return None;
        }
        let tag = lossy(&rest[..end.unwrap_or(rest.len())]);
        let own = bindings(&tag).find(|(bound, _)| bound.as_bytes() == prefix).map(|(_, uri)| Ns::from_uri(uri).ns);
        let depth = self.frame.depth();
        let around = || self.bound.iter().rev().find(|bound| bound.depth < depth && bound.prefix.as_bytes() == prefix);
        let usual = || std::str::from_utf8(prefix).ok().and_then(Ns::by_prefix);
        Some(own.or_else(|| Some(around()?.ns)).or_else(usual) == Some(wanted))
    }

    /// Notes the prefixes of guests that the tag of an element around the entries binds.
    fn bind(&mut self, tag: &[u8]) {
        let depth = self.frame.depth();
        self.bound.retain(|bound| bound.depth < depth);
        if self.shape.guests.is_empty() || memmem::find(tag, b"xmlns").is_none() {
            return;
        }
        let tag = lossy(tag);
        for (prefix, uri) in bindings(&tag) {
            let ns = Ns::from_uri(uri).ns;
            let is_guest = |ns: Ns| self.shape.guests.iter().any(|(_, guest)| *guest == ns);
            let matters = is_guest(ns)
                || Ns::by_prefix(prefix).is_some_and(is_guest)
                || self.bound.iter().any(|bound| bound.prefix == prefix);
            if matters && self.bound.len() < MOST_BOUND {
                self.bound.push(BoundPrefix { depth, prefix: prefix.to_owned(), ns });
            }
        }
    }

    fn begin_frame_tag(&mut self, role: TagRole, length: usize) {
        self.last = None;
        self.after_entry = false;
        self.in_text = false;
        self.tag_place = self.input.place();
        self.tag.clear();
        self.tag.extend_from_slice(&self.input.rest()[..length]);
        self.input.consume(length);
        self.state = SplitState::tag(role);
    }

    fn frame_tag(&mut self, role: TagRole, self_closing: bool) -> Flow {
        let tag = std::mem::take(&mut self.tag);
        let place = self.tag_place;
        if role == TagRole::FrameEnd {
            if self.proves_open_head(&tag[2..2 + name_len(&tag[2..])]) {
                self.cut_head();
                return Flow::Go;
            }
            self.frame.close(&tag[2..2 + name_len(&tag[2..])], &tag, place);
            return Flow::Go;
        }
        let name = tag[1..1 + name_len(&tag[1..])].to_vec();
        if self.frame.depth() == 0 {
            self.prefixes = Prefixes::of_root(&tag, &name);
        }
        if !self_closing {
            self.bind(&tag);
        }
        self.frame.push(&tag, place);
        if self_closing {
            self.frame.open_and_close();
        } else if self.frame.depth() >= self.limits.depth {
            let found = format!("<{}> inside {} elements", lossy(&name), self.frame.depth());
            self.stop(Trouble::new("limit.depth", place, found, "stopped reading here"));
        } else {
            self.frame.open(name, tag);
        }
        Flow::Go
    }

    /// A `<` that begins no markup is text.
    fn literal(&mut self) {
        if self.frame.depth() == 0 {
            return self.outside(1);
        }
        let place = self.input.place();
        self.frame.trouble(Trouble::new(
            "xml.markup",
            place,
            "<".to_owned(),
            "a `<` that does not begin a tag, read as text",
        ));
        self.frame.insert(b"&lt;", place);
        self.in_text = true;
        self.pass(1);
        self.check_head(self.frame.size(), place);
    }

    /// A start tag of the frame with a value that no quote ends: it ends with its first `>` there, and the value before.
    fn tag_without_quote(&mut self, end: usize) -> Flow {
        let mut place = self.tag_place;
        place.advance(&self.tag[..end]);
        self.input.give_back(&self.tag[end..], place);
        self.tag.truncate(end);
        // the URL of a namespace of the root may end with a slash
        let self_closing = self.tag.ends_with(b"/>") && self.frame.has_root();
        let at = end - if self_closing { 2 } else { 1 };
        if let Some((quote, _)) = missing_quote(&self.tag).filter(|(quote, _)| quote + 1 < at) {
            let mut place = self.tag_place;
            place.advance(&self.tag[..quote]);
            let found = lossy(&self.tag[quote..at]);
            self.frame.trouble(Trouble::new("xml.attribute", place, found, "a value without a closing quote"));
            self.tag.insert(at, self.tag[quote]);
        }
        self.frame_tag(TagRole::FrameStart, self_closing)
    }

    /// A tag that meets a `<` before its `>` is text.
    fn literal_tag(&mut self) {
        let mut place = self.tag_place;
        let tag = std::mem::take(&mut self.tag);
        if self.frame.depth() == 0 {
            let (_, stray) = self.stray.get_or_insert_with(|| (place, Vec::new()));
            let room = QUOTED.saturating_sub(stray.len()).min(tag.len());
            return stray.extend_from_slice(&tag[..room]);
        }
        self.frame.trouble(Trouble::new("xml.markup", place, lossy(&tag), "a tag without an end, read as text"));
        self.frame.insert(b"&lt;", place);
        place.advance(b"<");
        self.frame.push(&tag[1..], place);
        self.frame.skip();
        self.in_text = true;
        self.check_head(self.frame.size(), place);
    }

    /// Consumes bytes that belong to the frame.
    fn keep(&mut self, length: usize) {
        if length == 0 {
            return;
        }
        let place = self.input.place();
        // Up to the limit and not further, so that the outcome does not depend on how the input arrives.
        let room = length.min(self.limits.head.saturating_sub(self.frame.size()));
        self.frame.push(&self.input.rest()[..room], place);
        self.input.consume(room);
        if room < length {
            let place = self.input.place();
            self.stop_at_head(place);
        }
    }

    /// Consumes bytes that belong to nothing.
    fn pass(&mut self, length: usize) {
        if length > 0 {
            self.frame.skip();
            self.input.consume(length);
        }
    }

    fn check_head(&mut self, size: usize, place: Place) {
        if size > self.limits.head {
            self.stop_at_head(place);
        }
    }

    fn stop_at_head(&mut self, place: Place) {
        let found = format!("more than {} bytes outside entries", grouped(self.limits.head as u64));
        self.stop(Trouble::new("limit.head", place, found, "stopped reading here"));
    }

    fn stop(&mut self, trouble: Trouble) {
        if !std::mem::replace(&mut self.stopped, true) {
            self.stopped_at = Place::new(trouble.line, trouble.column);
            self.frame.fatal(trouble);
        }
    }

    // ---- tags, passages and the document type, in the frame and in entries ----

    fn tag(&mut self, role: TagRole, mut quote: u8, mut last: u8) -> Flow {
        let in_frame = matches!(role, TagRole::FrameStart | TagRole::FrameEnd);
        let mut end = None;
        let rest = self.input.rest();
        for (at, &byte) in rest.iter().enumerate() {
            match byte {
                b'<' => end = Some((at, false)),
                b'>' if quote == 0 => end = Some((at + 1, true)),
                b'"' | b'\'' if quote == 0 => quote = byte,
                _ if byte == quote => quote = 0,
                _ => {}
            }
            if end.is_some() {
                break;
            }
            last = byte;
        }
        let length = end.map_or(rest.len(), |(length, _)| length);
        if in_frame {
            self.tag.extend_from_slice(&rest[..length]);
        }
        self.input.consume(length);
        if in_frame {
            self.check_head(self.frame.size().saturating_add(self.tag.len()), self.tag_place);
        }
        let Some((_, whole)) = end.filter(|_| !self.stopped) else {
            self.state = SplitState::Tag { role, quote, last };
            return Flow::More;
        };
        self.state = SplitState::Text;
        match (in_frame, whole) {
            (true, true) => self.frame_tag(role, last == b'/'),
            (true, false) => match missing_quote(&self.tag).filter(|_| role == TagRole::FrameStart) {
                Some((_, end)) => self.tag_without_quote(end),
                None => {
                    self.literal_tag();
                    Flow::Go
                }
            },
            (false, whole) => self.entry_tag(role, whole && last == b'/'),
        }
    }

    fn begin_passage(&mut self, passage: Passage) {
        let length = passage.opening().len();
        match passage {
            Passage::Cdata if self.frame.depth() == 0 => self.outside(length),
            Passage::Cdata => {
                self.after_entry = false;
                self.keep(length);
            }
            Passage::Instruction if is_declaration(self.input.rest()) => {
                let end = self.note_declaration();
                self.pass(end.unwrap_or(length));
                self.in_text = false;
                if end.is_some() {
                    return;
                }
            }
            Passage::Instruction => {
                self.note_instruction();
                self.instructions += 1;
                self.pass(length);
            }
            _ => {
                self.comments += 1;
                self.pass(length);
            }
        }
        self.in_text = false;
        self.is_faulty = false;
        self.state = SplitState::Passage(passage);
    }

    /// Whether an XML declaration or the target of an instruction is in the window, as far as it is looked at.
    fn has_declaration(&self) -> bool {
        let rest = self.input.rest();
        self.input.ended || rest.len() >= DECLARATION || memmem::find(&rest[2..], b"?>").is_some()
    }

    /// The length of the declaration, if it ends without its question mark.
    fn note_declaration(&mut self) -> Option<usize> {
        let place = self.input.place();
        let rest = self.input.rest();
        let seen = &rest[..rest.len().min(DECLARATION)];
        let end = memchr(b'>', seen);
        let text = lossy(&seen[..end.map_or(seen.len(), |at| at + 1)]);
        let version = attributes(&text).find(|(name, _)| *name == "version").map(|(_, version)| version.trim());
        if version.is_some_and(|version| version != "1.0") {
            self.frame.trouble(Trouble::new("xml.version", place, text.clone(), "read as XML 1.0"));
        } else if end.is_some() && !aside::is_declaration(&text) {
            self.frame.trouble(Trouble::new("xml.declaration", place, text.clone(), "read as XML 1.0"));
        }
        if place != Place::default() {
            let code = if self.frame.has_root() { "xml.after_root" } else { "xml.prolog" };
            self.frame.trouble(Trouble::new(code, place, text, "an XML declaration after the beginning"));
        }
        end.filter(|at| seen[at - 1] != b'?').map(|at| at + 1)
    }

    fn note_instruction(&mut self) {
        let place = self.input.place();
        let rest = self.input.rest();
        let seen = &rest[Passage::Instruction.opening().len()..rest.len().min(DECLARATION)];
        let inner = lossy(&seen[..memmem::find(seen, b"?>").unwrap_or(seen.len())]);
        if !aside::has_target(&inner) {
            let found = format!("<?{inner}?>");
            self.frame.trouble(Trouble::new("xml.instruction", place, found, aside::REMOVED));
        }
    }

    /// Notes the first thing in a comment or an instruction of the frame that XML forbids. A piece that is not the last
    /// one is looked at up to the bytes that the next one has again.
    fn note_fault(&mut self, passage: Passage, end: Option<usize>) {
        if self.is_faulty || self.entry.is_some() || passage == Passage::Cdata {
            return;
        }
        let rest = self.input.rest();
        let inner = &rest[..end.unwrap_or(rest.len())];
        let is_comment = matches!(passage, Passage::Comment | Passage::DoctypeComment);
        let Some(fault) = aside::fault_inside(inner, is_comment, end.is_some()) else { return };
        let before = inner[..fault.at].to_vec();
        let mut place = self.input.place();
        place.advance(&before);
        self.is_faulty = true;
        self.frame.trouble(Trouble::new(fault.code, place, fault.found, aside::REMOVED));
    }

    fn passage(&mut self, passage: Passage) -> Flow {
        let ending = passage.ending();
        let found = memmem::find(self.input.rest(), ending);
        self.note_fault(passage, found);
        let rest = self.input.rest();
        let length = match found {
            Some(at) => at + ending.len(),
            None => rest.len().saturating_sub(ending.len() - 1),
        };
        self.take_of_passage(passage, length);
        if found.is_none() {
            return Flow::More;
        }
        self.state = passage.next_state();
        Flow::Go
    }

    fn take_of_passage(&mut self, passage: Passage, length: usize) {
        match (self.entry.is_some(), passage) {
            (true, _) => self.input.consume(length),
            (false, Passage::Cdata) if self.frame.depth() == 0 => self.outside(length),
            (false, Passage::Cdata) => self.keep(length),
            (false, _) => self.pass(length),
        }
    }

    fn begin_doctype(&mut self) {
        let place = self.input.place();
        self.doctype = Doctype { place, ..Doctype::default() };
        if std::mem::replace(&mut self.has_doctype, true) || self.frame.has_root() {
            let done = "a declaration inside the document, removed";
            self.frame.trouble(Trouble::new("xml.markup", place, "<!DOCTYPE".to_owned(), done));
        }
        self.in_text = false;
        self.state = SplitState::Doctype;
        self.doctype.start.extend_from_slice(b"<!DOCTYPE");
        self.pass(b"<!DOCTYPE".len());
    }

    /// Matches the brackets of a document type declaration; nothing in it is expanded or fetched.
    fn in_doctype(&mut self) -> Flow {
        let rest = self.input.rest();
        let doctype = &mut self.doctype;
        let (mut at, mut next) = (0, None);
        while let Some(&byte) = rest.get(at) {
            match byte {
                // also in a literal that no quote ends
                b'<' if doctype.brackets == 0 => next = Some(SplitState::Text),
                _ if byte == doctype.quote => doctype.quote = 0,
                _ if doctype.quote != 0 => {}
                b'<' => match doctype.declaration(&rest[at..], self.input.ended) {
                    None => break,
                    Some(state) => next = state,
                },
                b'"' | b'\'' => doctype.quote = byte,
                b'[' => doctype.brackets += 1,
                b']' => doctype.brackets = doctype.brackets.saturating_sub(1),
                b'>' if doctype.brackets == 0 => {
                    next = Some(SplitState::Text);
                    at += 1;
                }
                _ => {}
            }
            if next.is_some() {
                break;
            }
            at += 1;
        }
        doctype.size = doctype.size.saturating_add(at);
        let room = 80usize.saturating_sub(doctype.start.len());
        doctype.start.extend_from_slice(&rest[..at.min(room)]);
        let (size, place) = (doctype.size, doctype.place);
        self.pass(at);
        self.check_head(size, place);
        let Some(state) = next.filter(|_| !self.stopped) else { return Flow::More };
        match state {
            SplitState::Passage(passage) => {
                self.is_faulty = false;
                self.pass(passage.opening().len());
            }
            _ => self.end_doctype(),
        }
        self.state = state;
        Flow::Go
    }

    fn end_doctype(&mut self) {
        let Doctype { place, start, entities, .. } = std::mem::take(&mut self.doctype);
        let found = lossy(&start);
        if entities {
            let done = "ignored the entity definitions";
            self.frame.trouble(Trouble::new("xml.entity", place, found.clone(), done));
        }
        self.frame.trouble(Trouble::new("xml.doctype", place, found, "ignored the document type declaration"));
    }

    // ---- the end of the input ----

    fn end(&mut self) {
        if self.stopped {
            self.finished = true;
            return;
        }
        let left = self.input.rest().len();
        if let SplitState::Passage(passage) = self.state {
            self.take_of_passage(passage, left);
        } else {
            self.input.consume(left);
        }
        if self.entry.is_some() && self.restart_entry() || self.is_head_long() && self.cut_head() {
            return;
        }
        self.finished = true;
        self.end_stray();
        if self.entry.is_some() {
            self.truncated = true;
            self.cut_entry();
        } else if left > 0 || self.state != SplitState::Text || self.frame.depth() > 0 {
            self.truncated = true;
            self.cut_frame();
        }
    }

    /// Reads a part of the entry in work again, if that is what its missing end calls for.
    fn restart_entry(&mut self) -> bool {
        self.save_entry();
        if let SplitState::Passage(passage) = self.state
            && self.ends_with_root()
        {
            self.read_passage_again(passage);
            return true;
        }
        let direct = self.entry.as_ref().and_then(|entry| entry.suspect).is_some_and(|suspect| suspect.direct);
        if direct {
            self.cut_at_suspect();
        }
        direct
    }

    /// Whether the last thing of the entry is an end tag of an element around it: nothing of the document is missing.
    fn ends_with_root(&self) -> bool {
        let Some(entry) = self.entry.as_ref().filter(|entry| entry.size <= self.limits.entry) else { return false };
        let bytes = self.parts.text[self.parts.text.len() - entry.size..].trim_ascii_end();
        let tail = &bytes[bytes.len().saturating_sub(2 * LONGEST_NAME)..];
        let tag = memmem::rfind(tail, b"</").map(|at| &tail[at + 2..]);
        tag.is_some_and(|tag| tag.ends_with(b">") && self.around.iter().any(|name| is_named(tag, name)))
    }

    fn read_passage_again(&mut self, passage: Passage) {
        self.endless.push(passage);
        let end = self.parts.text.len();
        let Some(entry) = &mut self.entry else { return };
        let (at, place) = entry.passage;
        let start = end - entry.size + at;
        self.input.rewind(&self.parts.text[start..], place);
        self.parts.text.truncate(start);
        (entry.size, entry.held) = (at, self.input.at());
        self.state = SplitState::Text;
    }

    fn cut_entry(&mut self) {
        self.save_entry();
        let Some(entry) = self.entry.take() else { return };
        let index = self.next;
        self.next += 1;
        let mut raw = entry.raw;
        if entry.size <= self.limits.entry {
            let start = self.parts.text.len() - entry.size;
            raw = beginning(self.parts.text.get(start..).unwrap_or_default(), &[], self.limits.entry);
            self.parts.text.truncate(start);
        }
        let found = format!("the input ends after {} bytes of <{}>", grouped(entry.size as u64), lossy(&entry.name));
        let trouble = Trouble::new("xml.truncated", entry.place, found, "skipped the entry");
        self.parts.trouble.push(trouble.of_lost(index, raw));
    }

    fn cut_frame(&mut self) {
        let place = self.input.place();
        if self.state == SplitState::Passage(Passage::Cdata) {
            self.frame.insert(Passage::Cdata.ending(), place);
        }
        let found = match self.state {
            SplitState::Tag { .. } => format!("the input ends inside {}", lossy(&self.tag)),
            SplitState::Passage(passage) => format!("the input ends after {}", lossy(passage.opening())),
            SplitState::Doctype => "the input ends inside the document type declaration".to_owned(),
            SplitState::Text => format!(
                "the input ends with {} open",
                crate::text::many(self.frame.depth() as u64, "element", "elements")
            ),
        };
        self.frame.fatal(Trouble::new("xml.truncated", place, found, "closed the open elements"));
    }
}

impl SplitState {
    fn tag(role: TagRole) -> SplitState {
        SplitState::Tag { role, quote: 0, last: 0 }
    }
}

impl Doctype {
    /// The markup that begins at this `<` inside the internal subset; `None` if more input is needed.
    fn declaration(&mut self, rest: &[u8], ended: bool) -> Option<Option<SplitState>> {
        if rest.len() < b"<!ENTITY".len() && !ended {
            return None;
        }
        self.entities |= rest.starts_with(b"<!ENTITY");
        let passages = [Passage::DoctypeComment, Passage::DoctypeInstruction];
        Some(passages.into_iter().find(|passage| rest.starts_with(passage.opening())).map(SplitState::Passage))
    }
}

impl ChunkInWork {
    fn recycle(&mut self, spent: Chunk, target: usize) {
        // A buffer that once held a giant entry is let go.
        if self.text.capacity() == 0 && spent.text.capacity() <= target.saturating_mul(4) {
            self.text = spent.text.into_bytes();
            self.text.clear();
        }
        if self.pieces.capacity() == 0 {
            self.pieces = spent.pieces;
            self.pieces.clear();
        }
    }

    fn fits(&self, context: &Arc<Context>) -> bool {
        self.pieces.is_empty() || self.context.as_ref().is_some_and(|mine| Arc::ptr_eq(mine, context))
    }

    fn begin(&mut self, context: Arc<Context>, index: u64) {
        if self.pieces.is_empty() {
            (self.context, self.first) = (Some(context), index);
        }
    }

    fn take(&mut self) -> Option<Chunk> {
        if self.pieces.is_empty() && self.trouble.is_empty() {
            return None;
        }
        let mut parts = std::mem::take(self);
        let (text, bad) = frame::to_chunk_text(parts.text, &mut parts.pieces, parts.first);
        parts.trouble.splice(0..0, bad);
        // in the order of the entries, however many of them a chunk holds
        parts.trouble.sort_by_key(|trouble| trouble.entry);
        let context = parts.context.unwrap_or_default();
        Some(Chunk { text, pieces: parts.pieces, first: parts.first, context, trouble: parts.trouble })
    }
}

/// What a `<` in an entry begins.
enum EntryMarkup {
    /// Nothing that matters.
    Text,
    /// More input is needed.
    Unknown,
    /// A start tag of the entry's name.
    Start,
    /// A start tag with the name of an entry of another kind.
    Other,
    /// An end tag with the name of an element around the entry.
    AroundEnd,
    /// Something that lasts, after so many bytes.
    Markup(SplitState, usize),
}

/// What a `<` of the frame begins.
enum FrameMarkup {
    Passage(Passage),
    Doctype,
    /// A start tag with a name of this length.
    Start(usize),
    End,
    Text,
}

/// `None` if more input is needed.
fn opener(rest: &[u8], ended: bool) -> Option<FrameMarkup> {
    match *rest.get(1)? {
        b'!' => declaration(rest),
        b'?' => (rest.len() > 6 || ended).then_some(FrameMarkup::Passage(Passage::Instruction)),
        b'/' => Some(if starts_name(*rest.get(2)?) { FrameMarkup::End } else { FrameMarkup::Text }),
        byte if starts_name(byte) => {
            let length = name_len(&rest[1..]);
            let known = 1 + length < rest.len() || length > LONGEST_NAME || ended;
            known.then_some(FrameMarkup::Start(length))
        }
        _ => Some(FrameMarkup::Text),
    }
}

fn declaration(rest: &[u8]) -> Option<FrameMarkup> {
    for passage in [Passage::Comment, Passage::Cdata] {
        if rest.starts_with(passage.opening()) {
            return Some(FrameMarkup::Passage(passage));
        }
    }
    let doctype = b"<!DOCTYPE";
    let common = rest.len().min(doctype.len());
    if rest[..common].eq_ignore_ascii_case(&doctype[..common]) {
        return (common == doctype.len()).then_some(FrameMarkup::Doctype);
    }
    let begins = [Passage::Comment, Passage::Cdata].iter().any(|passage| passage.opening().starts_with(rest));
    if begins { None } else { Some(FrameMarkup::Text) }
}

/// Whether a tag has this name. Case is forgiven, so that `<item>` and `</ITEM>` cost no neighbours.
fn is_named(bytes: &[u8], name: &[u8]) -> bool {
    bytes.len() >= name.len()
        && bytes[..name.len()].eq_ignore_ascii_case(name)
        && bytes.get(name.len()).is_none_or(|&byte| ends_name(byte))
}

#[cfg(test)]
pub(crate) mod tests;
