//! Cuts a stream of UTF-8 into chunks of whole entries and collects the frame around them.
//!
//! It hops from `<` to `<` and never parses an entry: what an entry holds, and whether it is well-formed, is found out
//! by those who work on the chunks. Inside an entry only tags of the entry's own name count, so that no mismatched tag
//! in one entry can swallow its neighbours; an entry without an end tag is the one thing that can. `<` inside of
//! attribute values, which XML forbids, is taken as the start of markup for the same reason: a forgotten quote costs
//! its entry only.
//!
//! Memory: one window, the chunk in work, one entry up to its limit, the frame up to its limit. Time: linear.

use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::sync::Arc;

use memchr::{memchr, memmem};

use super::frame::{self, Builder, lossy};
use super::input::Input;
use super::place::Place;
use super::scan::{attributes, ends_name, is_space, name_len, split_name, starts_name};

pub use super::frame::{Frame, Segment};
pub use super::lines::Lines;

/// Names of entries and containers are shorter; a longer name is never an entry's.
const LONGEST_NAME: usize = 1024;
/// Bytes of a tag looked at for the namespace of its prefix.
const LONGEST_LOOK: usize = 4096;
/// Entries stand at this depth or above it in documents that are well nested.
const DEEPEST_CONTAINER: u16 = 2;

/// How entries are marked in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Local names of entries, compared without regard to ASCII case.
    pub entry: &'static [&'static str],
    /// Depths at which they count as entries; the root element is at 0.
    pub depths: RangeInclusive<u16>,
}

impl Shape {
    /// RSS of all versions: `rss/channel/item`, `rdf:RDF/item`, `rss/item`. One deeper than any of them, so that an
    /// element of the channel whose end tag was forgotten does not hide all items.
    pub const RSS: Shape = Shape { entry: &["item"], depths: 1..=3 };
    /// Atom feeds: `feed/entry`.
    pub const ATOM: Shape = Shape { entry: &["entry"], depths: 1..=1 };
    /// Atom entry documents: the root is the entry.
    pub const ATOM_ENTRY: Shape = Shape { entry: &["entry"], depths: 0..=0 };
    /// Sitemaps: `urlset/url`.
    pub const SITEMAP: Shape = Shape { entry: &["url"], depths: 1..=1 };
    /// Sitemap indexes: `sitemapindex/sitemap`.
    pub const SITEMAP_INDEX: Shape = Shape { entry: &["sitemap"], depths: 1..=1 };
}

/// What a document may ask of us. Comments, processing instructions and white space between elements count towards none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one entry; a larger one is skipped while streaming and named (`limit.entry`).
    pub entry: usize,
    /// Bytes of the frame, and of a DOCTYPE; more stops the splitter (`limit.head`).
    pub head: usize,
    /// Open elements around the entries; more stops the splitter (`limit.depth`). Depth inside entries is not looked at.
    pub depth: usize,
    /// Bytes after which a chunk is handed out; it is larger by what its last entry exceeds this.
    pub chunk: usize,
    /// Bytes of a line for [`Lines`]; a longer one is skipped and named (`limit.line`).
    pub line: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { entry: 64 << 20, head: 16 << 20, depth: 256, chunk: 256 << 10, line: 64 << 10 }
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

/// A number of whole entries that follow one another and stand in the same elements. A lost entry ends a chunk, so
/// that the n-th piece is always the entry `first + n`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chunk {
    /// The entries, one after the other, nothing between them.
    pub text: String,
    /// Where each begins and ends; may be empty if there is trouble.
    pub pieces: Vec<Piece>,
    /// Index of the first entry among all entries of the document, lost ones included, from 0.
    pub first: u64,
    /// What the entries stand in.
    pub context: Arc<Context>,
    /// What was wrong with entries of this chunk.
    pub trouble: Vec<Trouble>,
}

/// The open elements around an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// Their start tags: `<rss …><channel>`.
    pub tags: String,
    /// Their qualified names: `rss/channel`.
    pub path: String,
}

/// Something that is wrong with the markup or beyond a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// `limit.entry`, `limit.head`, `limit.depth`, `limit.line`, `xml.truncated`, `xml.nesting`, `xml.markup`,
    /// `xml.doctype`, `xml.entity` or `encoding.invalid`.
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
}

impl Trouble {
    pub(crate) fn new(code: &'static str, place: Place, found: String, done: &'static str) -> Self {
        let found = found.chars().take(80).collect();
        Trouble { code, line: place.line, column: place.column, found, done, entry: None, lost: false }
    }

    pub(crate) fn of_entry(mut self, entry: u64, lost: bool) -> Self {
        (self.entry, self.lost) = (Some(entry), lost);
        self
    }
}

/// Cuts a document into chunks of whole entries. The stream is to be UTF-8 without a byte order mark
/// ([`decode`](super::decode::decode) makes it so); invalid bytes are replaced and named.
pub struct Splitter<R> {
    input: Input<R>,
    shape: Shape,
    limits: Limits,
    state: State,
    entry: Option<Current>,
    /// Index of the next entry.
    next: u64,
    parts: Parts,
    frame: Builder,
    keep_entries: bool,
    prefixes: Prefixes,
    /// The tag of the frame in work, and where it began.
    tag: Vec<u8>,
    tag_place: Place,
    /// Something else than white space was seen since the last markup of the frame.
    in_text: bool,
    /// Nothing but white space, comments and instructions since the last entry.
    after_entry: bool,
    doctype: Doctype,
    comments: u64,
    instructions: u64,
    truncated: bool,
    finished: bool,
    stopped: bool,
    stopped_at: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Text,
    /// Inside a tag that has to be known up to its end.
    Tag {
        role: Role,
        quote: u8,
        last: u8,
    },
    Passage(Passage),
    Doctype,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
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

    fn then(self) -> State {
        match self {
            Passage::Comment | Passage::Cdata | Passage::Instruction => State::Text,
            Passage::DoctypeComment | Passage::DoctypeInstruction => State::Doctype,
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

/// The entry in work.
struct Current {
    name: Vec<u8>,
    /// Open elements of its name, itself included.
    open: u64,
    place: Place,
    /// Where its unsaved bytes begin in the window.
    held: usize,
    size: usize,
}

/// The chunk in work.
#[derive(Default)]
struct Parts {
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

/// The namespaces that a tag binds, the default one with an empty prefix.
fn bindings(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    attributes(tag).filter_map(|(name, uri)| {
        let prefix = if name == "xmlns" { "" } else { name.strip_prefix("xmlns:")? };
        Some((prefix, uri.trim()))
    })
}

impl<R: Read> Splitter<R> {
    /// A splitter at the start of a document.
    pub fn new(input: R, shape: Shape, limits: Limits) -> Self {
        Splitter {
            input: Input::new(input),
            shape,
            limits,
            state: State::Text,
            entry: None,
            next: 0,
            parts: Parts::default(),
            frame: Builder::new(),
            keep_entries: true,
            prefixes: Prefixes::default(),
            tag: Vec::new(),
            tag_place: Place::default(),
            in_text: false,
            after_entry: false,
            doctype: Doctype::default(),
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

    /// Whether the text of entries is kept, which is the default; first passes, for the frame, need none. Without it the
    /// chunks hold nothing but trouble. To be called before the first chunk.
    pub fn collect_entries(&mut self, keep: bool) {
        self.keep_entries = keep;
    }

    /// The next chunk, `None` after the last.
    ///
    /// # Errors
    /// Those of the reader. Troubles of the document are no errors: see [`Chunk::trouble`] and [`Frame::trouble`].
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
            match self.step() {
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
        self.input.fill()
    }

    fn step(&mut self) -> Flow {
        match (self.state, self.entry.is_some()) {
            _ if self.stopped => Flow::More,
            (State::Text, true) => self.entry_text(),
            (State::Text, false) => self.frame_text(),
            (State::Tag { role, quote, last }, _) => self.tag(role, quote, last),
            (State::Passage(passage), _) => self.passage(passage),
            (State::Doctype, _) => self.in_doctype(),
        }
    }

    // ---- inside an entry ----

    fn entry_text(&mut self) -> Flow {
        while let Some(hop) = memchr(b'<', self.input.rest()) {
            self.input.consume(hop);
            match self.entry_markup() {
                Some(State::Text) => self.input.consume(1),
                Some(state) => {
                    self.state = state;
                    return Flow::Go;
                }
                None => return Flow::More,
            }
        }
        self.input.consume(usize::MAX / 2);
        Flow::More
    }

    /// What begins at this `<`: `Text` if nothing that matters, `None` if it cannot be told yet.
    fn entry_markup(&mut self) -> Option<State> {
        let rest = self.input.rest();
        let entry = self.entry.as_ref()?;
        if rest.len() < entry.name.len().max(7) + 3 && !self.input.ended {
            return None;
        }
        let (state, length) = match rest.get(1) {
            Some(b'/') if is_named(&rest[2..], &entry.name) => (State::tag(Role::EntryEnd), 2 + entry.name.len()),
            Some(b'!') if rest.starts_with(b"<!--") => (State::Passage(Passage::Comment), 4),
            Some(b'!') if rest.starts_with(b"<![CDATA[") => (State::Passage(Passage::Cdata), 9),
            Some(b'?') => (State::Passage(Passage::Instruction), 2),
            Some(_) if is_named(&rest[1..], &entry.name) => (State::tag(Role::EntryStart), 1 + entry.name.len()),
            _ => return Some(State::Text),
        };
        self.input.consume(length);
        Some(state)
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
        self.entry = Some(Current { name, open: 0, place, held, size: 0 });
        self.state = State::tag(Role::EntryStart);
        self.in_text = false;
        self.after_entry = true;
        self.frame.skip();
        Flow::Go
    }

    fn entry_tag(&mut self, role: Role, self_closing: bool) -> Flow {
        let Some(entry) = &mut self.entry else { return Flow::Go };
        match role {
            Role::EntryEnd => entry.open = entry.open.saturating_sub(1),
            _ if self_closing => {}
            _ => entry.open += 1,
        }
        if entry.open == 0 { self.end_entry() } else { Flow::Go }
    }

    fn end_entry(&mut self) -> Flow {
        self.save_entry();
        let Some(entry) = self.entry.take() else { return Flow::Go };
        let index = self.next;
        self.next += 1;
        if entry.size > self.limits.entry {
            let found = format!("<{}> of {} bytes", lossy(&entry.name), entry.size);
            let trouble = Trouble::new("limit.entry", entry.place, found, "the entry is left out");
            self.parts.trouble.push(trouble.of_entry(index, true));
            return Flow::Full;
        }
        if !self.keep_entries {
            return Flow::Go;
        }
        let start = self.parts.text.len() - entry.size;
        let end = self.parts.text.len();
        self.parts.pieces.push(Piece { start, end, line: entry.place.line, column: entry.place.column });
        if end >= self.limits.chunk { Flow::Full } else { Flow::Go }
    }

    /// Moves what the window holds of the entry to the chunk, or away if the entry is too large.
    fn save_entry(&mut self) {
        let Some(entry) = &mut self.entry else { return };
        let bytes = self.input.since(entry.held);
        if self.keep_entries && entry.size <= self.limits.entry {
            if entry.size + bytes.len() <= self.limits.entry {
                self.parts.text.extend_from_slice(bytes);
            } else {
                self.parts.text.truncate(self.parts.text.len() - entry.size);
            }
        }
        entry.size = entry.size.saturating_add(bytes.len());
        entry.held = 0; // the window moves next, or the entry is at its end
    }

    // ---- around the entries ----

    fn frame_text(&mut self) -> Flow {
        let rest = self.input.rest();
        let hop = memchr(b'<', rest);
        let text = &rest[..hop.unwrap_or(rest.len())];
        let length = text.len();
        // Around entries white space means nothing and may be endless; deeper it may be part of a text.
        let around = usize::from(DEEPEST_CONTAINER.min(*self.shape.depths.end()));
        let blank = match (self.after_entry || self.frame.depth() <= around) && !self.in_text {
            true => text.iter().position(|&byte| !is_space(byte)).unwrap_or(length),
            false => 0,
        };
        self.in_text |= blank < length;
        self.after_entry &= !self.in_text;
        self.pass(blank);
        self.keep(length - blank);
        if self.stopped || hop.is_none() { Flow::More } else { self.frame_markup() }
    }

    fn frame_markup(&mut self) -> Flow {
        let Some(opener) = opener(self.input.rest(), self.input.ended) else { return Flow::More };
        match opener {
            Opener::Passage(passage) => self.begin_passage(passage),
            Opener::Doctype => self.begin_doctype(),
            Opener::Text => self.literal(),
            Opener::Start(length) => {
                let name = self.input.rest()[1..=length].to_vec();
                match self.is_entry(&name) {
                    Some(true) => return self.begin_entry(name),
                    Some(false) => self.begin_frame_tag(Role::FrameStart, 1 + length),
                    None => return Flow::More,
                }
            }
            Opener::End => self.begin_frame_tag(Role::FrameEnd, 2),
        }
        Flow::Go
    }

    /// Whether the tag that comes next begins an entry; `None` if it cannot be told yet.
    fn is_entry(&self, name: &[u8]) -> Option<bool> {
        let depth = self.frame.depth();
        let (prefix, local) = split_name(name);
        let prefix = prefix.unwrap_or_default();
        if !u16::try_from(depth).is_ok_and(|depth| self.shape.depths.contains(&depth))
            || !self.shape.entry.iter().any(|entry| local.eq_ignore_ascii_case(entry.as_bytes()))
        {
            return Some(false);
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

    fn begin_frame_tag(&mut self, role: Role, length: usize) {
        self.after_entry = false;
        self.in_text = false;
        self.tag_place = self.input.place();
        self.tag.clear();
        self.tag.extend_from_slice(&self.input.rest()[..length]);
        self.input.consume(length);
        self.state = State::tag(role);
    }

    fn frame_tag(&mut self, role: Role, self_closing: bool) -> Flow {
        let tag = std::mem::take(&mut self.tag);
        let place = self.tag_place;
        if role == Role::FrameEnd {
            self.frame.close(&tag[2..2 + name_len(&tag[2..])], &tag, place);
            return Flow::Go;
        }
        let name = tag[1..1 + name_len(&tag[1..])].to_vec();
        if !self.frame.has_root() {
            self.prefixes = Prefixes::of_root(&tag, &name);
        }
        self.frame.push(&tag, place);
        if self_closing {
            self.frame.open_and_close();
        } else if self.frame.depth() >= self.limits.depth {
            let found = format!("<{}> inside of {} elements", lossy(&name), self.frame.depth());
            self.stop(Trouble::new("limit.depth", place, found, "reading ends here"));
        } else {
            self.frame.open(name, tag);
        }
        Flow::Go
    }

    /// A `<` that begins no markup is text.
    fn literal(&mut self) {
        let place = self.input.place();
        self.frame.trouble(Trouble::new(
            "xml.markup",
            place,
            "<".to_owned(),
            "a `<` that begins no tag is taken as text",
        ));
        self.frame.insert(b"&lt;", place);
        self.in_text = true;
        self.pass(1);
        self.check_head(self.frame.size(), place);
    }

    /// A tag that meets a `<` before its `>` is text.
    fn literal_tag(&mut self) {
        let mut place = self.tag_place;
        let tag = std::mem::take(&mut self.tag);
        self.frame.trouble(Trouble::new("xml.markup", place, lossy(&tag), "a tag without its end is taken as text"));
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
        let found = format!("more than {} bytes outside of entries", self.limits.head);
        self.stop(Trouble::new("limit.head", place, found, "reading ends here"));
    }

    fn stop(&mut self, trouble: Trouble) {
        if !std::mem::replace(&mut self.stopped, true) {
            self.stopped_at = Place::new(trouble.line, trouble.column);
            self.frame.fatal(trouble);
        }
    }

    // ---- tags, passages and the document type, wherever they stand ----

    fn tag(&mut self, role: Role, mut quote: u8, mut last: u8) -> Flow {
        let in_frame = matches!(role, Role::FrameStart | Role::FrameEnd);
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
            self.state = State::Tag { role, quote, last };
            return Flow::More;
        };
        self.state = State::Text;
        match (in_frame, whole) {
            (true, true) => self.frame_tag(role, last == b'/'),
            (true, false) => {
                self.literal_tag();
                Flow::Go
            }
            (false, whole) => self.entry_tag(role, whole && last == b'/'),
        }
    }

    fn begin_passage(&mut self, passage: Passage) {
        let length = passage.opening().len();
        match passage {
            Passage::Cdata => {
                self.after_entry = false;
                self.keep(length);
            }
            Passage::Instruction if is_declaration(self.input.rest()) => self.pass(length),
            Passage::Instruction => {
                self.instructions += 1;
                self.pass(length);
            }
            _ => {
                self.comments += 1;
                self.pass(length);
            }
        }
        self.in_text = false;
        self.state = State::Passage(passage);
    }

    fn passage(&mut self, passage: Passage) -> Flow {
        let rest = self.input.rest();
        let ending = passage.ending();
        let found = memmem::find(rest, ending);
        let length = match found {
            Some(at) => at + ending.len(),
            None => rest.len().saturating_sub(ending.len() - 1),
        };
        self.take_of_passage(passage, length);
        if found.is_none() {
            return Flow::More;
        }
        self.state = passage.then();
        Flow::Go
    }

    fn take_of_passage(&mut self, passage: Passage, length: usize) {
        match (self.entry.is_some(), passage) {
            (true, _) => self.input.consume(length),
            (false, Passage::Cdata) => self.keep(length),
            (false, _) => self.pass(length),
        }
    }

    fn begin_doctype(&mut self) {
        self.doctype = Doctype { place: self.input.place(), ..Doctype::default() };
        self.in_text = false;
        self.state = State::Doctype;
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
                _ if byte == doctype.quote => doctype.quote = 0,
                _ if doctype.quote != 0 => {}
                b'<' if doctype.brackets == 0 => next = Some(State::Text),
                b'<' => match doctype.declaration(&rest[at..], self.input.ended) {
                    None => break,
                    Some(state) => next = state,
                },
                b'"' | b'\'' => doctype.quote = byte,
                b'[' => doctype.brackets += 1,
                b']' => doctype.brackets = doctype.brackets.saturating_sub(1),
                b'>' if doctype.brackets == 0 => {
                    next = Some(State::Text);
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
            State::Passage(passage) => self.pass(passage.opening().len()),
            _ => self.end_doctype(),
        }
        self.state = state;
        Flow::Go
    }

    fn end_doctype(&mut self) {
        let Doctype { place, start, entities, .. } = std::mem::take(&mut self.doctype);
        let found = lossy(&start);
        if entities {
            let done = "the definitions of entities are refused";
            self.frame.trouble(Trouble::new("xml.entity", place, found.clone(), done));
        }
        self.frame.trouble(Trouble::new("xml.doctype", place, found, "the document type declaration is passed over"));
    }

    // ---- the end of the input ----

    fn end(&mut self) {
        self.finished = true;
        if self.stopped {
            return;
        }
        let left = self.input.rest().len();
        if let State::Passage(passage) = self.state {
            self.take_of_passage(passage, left);
        } else {
            self.input.consume(left);
        }
        if self.entry.is_some() {
            self.truncated = true;
            self.cut_entry();
        } else if left > 0 || self.state != State::Text || self.frame.depth() > 0 {
            self.truncated = true;
            self.cut_frame();
        }
    }

    fn cut_entry(&mut self) {
        self.save_entry();
        let Some(entry) = self.entry.take() else { return };
        let index = self.next;
        self.next += 1;
        if self.keep_entries && entry.size <= self.limits.entry {
            self.parts.text.truncate(self.parts.text.len() - entry.size);
        }
        let found = format!("the input ends after {} bytes of <{}>", entry.size, lossy(&entry.name));
        let trouble = Trouble::new("xml.truncated", entry.place, found, "the entry is left out");
        self.parts.trouble.push(trouble.of_entry(index, true));
    }

    fn cut_frame(&mut self) {
        let place = self.input.place();
        if self.state == State::Passage(Passage::Cdata) {
            self.frame.insert(Passage::Cdata.ending(), place);
        }
        let found = match self.state {
            State::Tag { .. } => format!("the input ends inside {}", lossy(&self.tag)),
            State::Passage(passage) => format!("the input ends after {}", lossy(passage.opening())),
            State::Doctype => "the input ends inside the document type declaration".to_owned(),
            State::Text => format!("the input ends with {} elements open", self.frame.depth()),
        };
        self.frame.fatal(Trouble::new("xml.truncated", place, found, "what is open is closed"));
    }
}

impl State {
    fn tag(role: Role) -> State {
        State::Tag { role, quote: 0, last: 0 }
    }
}

impl Doctype {
    /// What begins at this `<` inside the internal subset; `None` if it cannot be told yet.
    fn declaration(&mut self, rest: &[u8], ended: bool) -> Option<Option<State>> {
        if rest.len() < b"<!ENTITY".len() && !ended {
            return None;
        }
        self.entities |= rest.starts_with(b"<!ENTITY");
        let passages = [Passage::DoctypeComment, Passage::DoctypeInstruction];
        Some(passages.into_iter().find(|passage| rest.starts_with(passage.opening())).map(State::Passage))
    }
}

impl Parts {
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
        let context = parts.context.unwrap_or_default();
        Some(Chunk { text, pieces: parts.pieces, first: parts.first, context, trouble: parts.trouble })
    }
}

/// What a `<` of the frame begins.
enum Opener {
    Passage(Passage),
    Doctype,
    /// A start tag with a name of this length.
    Start(usize),
    End,
    Text,
}

/// `None` if it cannot be told without more input.
fn opener(rest: &[u8], ended: bool) -> Option<Opener> {
    match *rest.get(1)? {
        b'!' => declaration(rest),
        b'?' => (rest.len() > 6 || ended).then_some(Opener::Passage(Passage::Instruction)),
        b'/' => Some(if starts_name(*rest.get(2)?) { Opener::End } else { Opener::Text }),
        byte if starts_name(byte) => {
            let length = name_len(&rest[1..]);
            let known = 1 + length < rest.len() || length > LONGEST_NAME || ended;
            known.then_some(Opener::Start(length))
        }
        _ => Some(Opener::Text),
    }
}

fn declaration(rest: &[u8]) -> Option<Opener> {
    for passage in [Passage::Comment, Passage::Cdata] {
        if rest.starts_with(passage.opening()) {
            return Some(Opener::Passage(passage));
        }
    }
    let doctype = b"<!DOCTYPE";
    let common = rest.len().min(doctype.len());
    if rest[..common].eq_ignore_ascii_case(&doctype[..common]) {
        return (common == doctype.len()).then_some(Opener::Doctype);
    }
    let begins = [Passage::Comment, Passage::Cdata].iter().any(|passage| passage.opening().starts_with(rest));
    if begins { None } else { Some(Opener::Text) }
}

/// Whether a processing instruction is the XML declaration.
fn is_declaration(rest: &[u8]) -> bool {
    rest.len() > 5 && rest[..5].eq_ignore_ascii_case(b"<?xml") && is_space(rest[5])
}

/// Whether a tag has this name. Case is forgiven, so that `<item>` and `</ITEM>` cost no neighbours.
fn is_named(bytes: &[u8], name: &[u8]) -> bool {
    bytes.len() >= name.len()
        && bytes[..name.len()].eq_ignore_ascii_case(name)
        && bytes.get(name.len()).is_none_or(|&byte| ends_name(byte))
}

#[cfg(test)]
pub(crate) mod tests;
