//! Cuts a JSON document into chunks, as the splitter does with markup: the values in a list of entries. It counts
//! brackets and skips strings; the workers on the chunks parse the values and find invalid JSON.
//!
//! A quote too many or too few, or a raw line end in a string, makes brackets and strings of an entry doubtful: it shows
//! where a string begins in no place of one, or a line ends in one. From the string before on, that entry ends where an
//! object follows an object: at the indentation of the entry, if it began a line, else with the name of its first
//! member, outside lists of objects; or where a list of objects ends that did not begin in it.
//!
//! Memory: one window, the chunk in work, one entry up to its limit, the frame up to its limit. Time: linear.

use std::io::{self, Read};
use std::sync::Arc;

use memchr::{memchr2, memchr3};

use super::nested::{self, FindEntries, NestedEntry};
use crate::text::grouped;
use crate::xml::chunk::lossy;
use crate::xml::chunk::{Chunk, Context, Piece, SplitLimits, Trouble, beginning};
use crate::xml::frame::{FrameBuilder, to_chunk_text};
use crate::xml::input::InputWindow;
use crate::xml::limits::TreeLimits;
use crate::xml::place::Place;
use crate::xml::split::{Cutter, Frame};

/// Where the entries of a JSON document are.
#[derive(Clone, Copy, Debug)]
pub struct EntryLists {
    /// The members of the top-level object whose list has the entries; the first list counts. At most 16 bytes each.
    pub members: &'static [&'static str],
    /// A top-level list has the entries, too.
    pub top: bool,
    /// An object without such a list is an entry; its size is limited as that of a frame.
    pub whole: bool,
    /// Whether a value in the list is an entry, by its text; any other stays in the frame.
    pub is_entry: fn(&[u8]) -> bool,
    /// Finds the entries in a value that holds several.
    pub(crate) nested: FindEntries,
}

impl EntryLists {
    /// The lists of this member of the top-level object.
    pub const fn named(members: &'static [&'static str]) -> EntryLists {
        EntryLists { members, top: false, whole: false, is_entry: |_| true, nested: |_, _| Vec::new() }
    }

    /// A document with these values as its entries, between commas.
    pub fn document(&self, entries: &str) -> String {
        let member = self.members.first().copied().unwrap_or_default();
        format!("{{\"{member}\":[{entries}]}}")
    }
}

/// What the next byte belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum JsonSplitState {
    /// Around the entries.
    Frame,
    /// Between two entries.
    Between,
    /// In an entry.
    Entry,
    /// In the rest of an entry that is no JSON.
    Broken,
}

/// Cuts one document.
pub(crate) struct JsonDocumentSplitter<R> {
    input: InputWindow<R>,
    lists: EntryLists,
    limits: SplitLimits,
    tree: TreeLimits,
    state: JsonSplitState,
    /// In a string, and whether the next byte is escaped.
    string: bool,
    escaped: bool,
    /// Brackets open around the present byte: of the frame; of the entry in work, by kind; deeper ones, uncounted.
    depth: usize,
    open: Vec<u8>,
    deeper: usize,
    /// Of the entry in work: the last byte that is no white space; where the last string began in it, in how many
    /// brackets; the white space before it, if it began its line.
    last: u8,
    string_at: usize,
    string_depth: usize,
    indent: Option<usize>,
    /// Of a broken one: the lists of objects around the present byte; the end of the last one.
    nested_lists: usize,
    list_end: Option<usize>,
    /// The member of the root that is being read: its name, and whether its colon was seen.
    name: Vec<u8>,
    naming: bool,
    named: bool,
    /// A list of entries was read: the bracket that ends what is around it.
    listed: bool,
    around: &'static [u8],
    /// A value of the list is in the frame.
    has_kept: bool,
    /// A value was seen since the last comma of the list.
    after: bool,
    frame: FrameBuilder,
    context: Arc<Context>,
    parts: JsonChunk,
    next: u64,
    ended: bool,
    stopped: bool,
}

/// The chunk in work.
#[derive(Default)]
struct JsonChunk {
    text: Vec<u8>,
    pieces: Vec<Piece>,
    trouble: Vec<Trouble>,
    first: u64,
    /// The entry in work: where it began in the document and in `text`, how long it is.
    place: Place,
    start: usize,
    size: usize,
    /// How it begins, once it is too large to be kept.
    raw: String,
}

/// Brackets in an entry up to this depth are matched by kind; deeper ones are only counted.
const DEEPEST: usize = 512;

/// The longest name of a member that is looked at.
const LONGEST_NAME: usize = 16;

/// Bytes looked at behind a bracket of a broken entry.
const LONGEST_LOOK: usize = 4096;

impl<R: Read> JsonDocumentSplitter<R> {
    /// Cuts from the start of a document.
    pub fn new(input: R, lists: EntryLists, limits: SplitLimits) -> Self {
        JsonDocumentSplitter {
            input: InputWindow::new(input),
            lists,
            limits,
            tree: TreeLimits::default(),
            state: JsonSplitState::Frame,
            string: false,
            escaped: false,
            depth: 0,
            open: Vec::new(),
            deeper: 0,
            last: b',',
            string_at: 0,
            string_depth: 0,
            indent: None,
            nested_lists: 0,
            list_end: None,
            name: Vec::new(),
            naming: false,
            named: false,
            listed: false,
            around: b"]}",
            has_kept: false,
            after: false,
            frame: FrameBuilder::new(),
            context: Arc::default(),
            parts: JsonChunk::default(),
            next: 0,
            ended: false,
            stopped: false,
        }
    }

    /// With these limits of the values that are looked into.
    pub fn within(self, tree: TreeLimits) -> Self {
        JsonDocumentSplitter { tree, ..self }
    }

    fn chunk(&mut self) -> io::Result<Option<Chunk>> {
        loop {
            if self.ended {
                return Ok(self.take());
            }
            if self.input.rest().is_empty() {
                match self.input.ended || self.stopped {
                    true => self.end(),
                    false => self.input.fill()?,
                }
                continue;
            }
            let full = match self.state {
                JsonSplitState::Frame => {
                    self.in_frame();
                    false
                }
                JsonSplitState::Between => self.between(),
                JsonSplitState::Entry => self.in_entry(),
                JsonSplitState::Broken => self.in_broken()?,
            };
            if full {
                return Ok(self.take());
            }
        }
    }

    // ---- around the entries ----

    /// Takes bytes of the frame up to the list of entries or the end of the window.
    fn in_frame(&mut self) {
        let place = self.input.place();
        let start = self.input.at();
        while let Some(&byte) = self.input.rest().first() {
            self.input.consume(1);
            if self.frame_byte(byte) {
                break;
            }
            if self.string && !self.escaped {
                self.run_of_string();
            }
        }
        let bytes = self.input.since(start);
        self.frame.push(bytes, place);
        self.limit_frame();
    }

    fn limit_frame(&mut self) {
        if self.frame.size() > self.limits.head && !self.stopped {
            let place = self.input.place();
            self.frame.fatal(Trouble::new("limit.head", place, String::new(), "nothing more is read"));
            self.stop();
        }
    }

    /// Skips characters without meaning inside a string.
    fn run_of_string(&mut self) {
        let rest = self.input.rest();
        let run = memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
        let beginning = rest[..run.min(LONGEST_NAME)].to_vec();
        self.spell(&beginning);
        self.input.consume(run);
    }

    /// More of the name of a member.
    fn spell(&mut self, bytes: &[u8]) {
        if self.naming && self.name.len() < LONGEST_NAME {
            self.name.extend_from_slice(bytes);
        }
    }

    /// Takes one byte of the frame; true if the entries begin behind it.
    fn frame_byte(&mut self, byte: u8) -> bool {
        if self.string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => {
                    self.escaped = true;
                    // a name with escapes is none that is looked for
                    self.spell(&[byte]);
                }
                b'"' => (self.string, self.naming) = (false, false),
                _ => self.spell(&[byte]),
            }
            return false;
        }
        match byte {
            b'"' => {
                self.string = true;
                // at the depth of the root's members, a string is a name unless a colon precedes it
                if self.depth == 1 && !self.named {
                    self.naming = true;
                    self.name.clear();
                }
            }
            b':' if self.depth == 1 => self.named = true,
            b',' if self.depth == 1 => self.named = false,
            b'[' if self.has_entries() => {
                (self.state, self.listed, self.after) = (JsonSplitState::Between, true, false);
                self.indent = None;
                self.around = if self.depth == 0 { b"]" } else { b"]}" };
                let name = self.name.strip_prefix(b"@").unwrap_or(&self.name);
                let path = if self.depth == 0 { String::new() } else { lossy(name) };
                self.context = Arc::new(Context { path, ..Context::default() });
                return true;
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => (),
        }
        false
    }

    /// Whether the list that begins here has the entries.
    fn has_entries(&self) -> bool {
        !self.listed
            && match self.depth {
                0 => self.lists.top,
                1 => self.named && self.lists.members.iter().any(|name| name.as_bytes() == self.name),
                _ => false,
            }
    }

    fn stop(&mut self) {
        self.stopped = true;
        self.input.consume(usize::MAX / 2);
    }

    // ---- between entries ----

    fn between(&mut self) -> bool {
        let rest = self.input.rest();
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let line = rest[..blank].iter().rposition(|&byte| byte == b'\n');
        self.indent = line.map(|line| blank - line - 1).or_else(|| Some(self.indent? + blank));
        self.input.consume(blank);
        let Some(&byte) = self.input.rest().first() else { return false };
        match byte {
            b',' => {
                if !std::mem::replace(&mut self.after, false) {
                    self.note_repair(",", "ignored an extra comma");
                }
                self.indent = None;
                self.input.consume(1);
            }
            b']' => self.state = JsonSplitState::Frame,
            _ => {
                if self.after {
                    self.note_repair(&lossy(&[byte]), "read with a comma before it");
                }
                self.begin();
            }
        }
        false
    }

    fn note_repair(&mut self, found: &str, done: &'static str) {
        let place = self.input.place();
        self.frame.trouble(Trouble::new("json.comma", place, found.to_owned(), done));
    }

    fn begin(&mut self) {
        self.frame.skip();
        self.state = JsonSplitState::Entry;
        (self.deeper, self.string, self.escaped, self.last) = (0, false, false, b',');
        (self.string_at, self.string_depth) = (0, 0);
        self.open.clear();
        let parts = &mut self.parts;
        if parts.pieces.is_empty() && parts.trouble.is_empty() {
            parts.first = self.next;
        }
        (parts.place, parts.start, parts.size) = (self.input.place(), parts.text.len(), 0);
    }

    // ---- in an entry ----

    /// Takes bytes of an entry up to its end or that of the window; true if the chunk is complete.
    fn in_entry(&mut self) -> bool {
        let start = self.input.at();
        let mut done = false;
        while let Some(&byte) = self.input.rest().first() {
            if self.string {
                if self.string_byte(byte) {
                    continue;
                }
                self.save(start);
                self.begin_broken();
                return false;
            }
            match byte {
                b'"' => {
                    if !matches!(self.last, b'{' | b'[' | b',' | b':') && self.open.first() == Some(&b'{') {
                        self.save(start);
                        self.begin_broken();
                        return false;
                    }
                    self.string = true;
                    self.string_at = self.parts.size + (self.input.at() - start);
                    self.string_depth = self.open.len();
                }
                b' ' | b'\t' | b'\r' | b'\n' => {
                    self.input.consume(1);
                    continue;
                }
                b'{' | b'[' if self.open.len() < DEEPEST => self.open.push(byte),
                b'{' | b'[' => self.deeper += 1,
                b'}' | b']' if self.deeper > 0 => self.deeper -= 1,
                b'}' | b']' => {
                    let ends_list = !self.close(byte) && byte == b']';
                    if !ends_list && self.open.is_empty() {
                        self.input.consume(1);
                    }
                    if ends_list || self.open.is_empty() {
                        done = true;
                        break;
                    }
                }
                b',' if self.open.is_empty() => {
                    done = true;
                    break;
                }
                _ => (),
            }
            self.last = byte;
            self.input.consume(1);
        }
        self.save(start);
        done && self.finish()
    }

    /// From the last string on, it is unknown what is in a string.
    fn begin_broken(&mut self) {
        (self.state, self.string, self.escaped, self.list_end) = (JsonSplitState::Broken, false, false, None);
        let around = self.open.get(..self.string_depth).unwrap_or(&self.open);
        self.nested_lists = around.windows(2).filter(|pair| pair == b"[{").count();
        if self.parts.size <= self.limits.entry {
            self.give_back(self.string_at);
        }
    }

    /// Ends what is read of the entry here, and reads the rest again.
    fn give_back(&mut self, at: usize) {
        let parts = &mut self.parts;
        let text = parts.text.get(parts.start..).unwrap_or_default();
        let at = at.min(text.len());
        let (read, again) = text.split_at(at);
        let mut place = parts.place;
        place.advance(read);
        self.input.give_back(again, place);
        parts.text.truncate(parts.start + at);
        parts.size = at;
    }

    /// Takes bytes of a broken entry up to its end or that of the window; true if the chunk is complete.
    fn in_broken(&mut self) -> io::Result<bool> {
        let mut start = self.input.at();
        loop {
            let Some(hop) = memchr2(b'}', b'[', self.input.rest()) else {
                self.input.consume(usize::MAX / 2);
                self.save(start);
                return Ok(false);
            };
            self.input.consume(hop);
            if self.input.rest().len() < LONGEST_LOOK && !self.input.ended {
                self.save(start);
                self.input.fill()?;
                start = self.input.at();
                continue;
            }
            let ends = self.ends_broken(start);
            self.input.consume(1);
            if ends {
                self.save(start);
                return Ok(self.finish());
            }
        }
    }

    /// Whether the bracket that follows ends a broken entry.
    fn ends_broken(&mut self, start: usize) -> bool {
        let rest = self.input.rest();
        let rest = &rest[..rest.len().min(LONGEST_LOOK)];
        let (next, _) = behind_blank(&rest[1..]);
        match (rest[0], next.first()) {
            (b'[', Some(b'{')) => self.nested_lists += 1,
            (b'}', Some(b']')) if self.nested_lists == 0 => {
                return matches!(behind_blank(&next[1..]).0.first(), None | Some(b'}' | b','));
            }
            (b'}', Some(b']')) => {
                self.nested_lists -= 1;
                self.list_end = Some(self.parts.size + 1 + (self.input.at() - start));
            }
            (b'}', Some(b',')) => {
                let (object, indent) = behind_blank(&next[1..]);
                return match (object.first(), self.indent) {
                    (Some(b'{'), Some(_)) => indent == self.indent,
                    (Some(b'{'), None) => {
                        let own = self.parts.text.get(self.parts.start..).unwrap_or_default();
                        let is_like_own = match first_name(object) {
                            Some(name) => first_name(own).is_none_or(|own| own == name),
                            None => behind_blank(&object[1..]).0.starts_with(b"}"),
                        };
                        self.nested_lists == 0 && is_like_own
                    }
                    _ => false,
                };
            }
            _ => {}
        }
        false
    }

    /// Closes the innermost bracket of this kind and any open inside it; false if there is none.
    fn close(&mut self, byte: u8) -> bool {
        let opening = if byte == b'}' { b'{' } else { b'[' };
        let found = self.open.iter().rposition(|&open| open == opening);
        if let Some(at) = found {
            self.open.truncate(at);
        }
        found.is_some()
    }

    /// Takes a run of a string. A line end, which JSON forbids there, ends it: a forgotten quote costs its entry only. False
    /// where that makes an object a broken entry.
    fn string_byte(&mut self, byte: u8) -> bool {
        if std::mem::take(&mut self.escaped) && byte != b'\n' {
            self.input.consume(1);
            return true;
        }
        let rest = self.input.rest();
        let Some(run) = memchr3(b'"', b'\\', b'\n', rest) else {
            self.input.consume(usize::MAX / 2);
            return true;
        };
        let byte = rest[run];
        match byte {
            b'\\' => self.escaped = true,
            _ => self.string = false,
        }
        self.input.consume(run + 1);
        byte != b'\n' || self.open.first() != Some(&b'{')
    }

    fn save(&mut self, start: usize) {
        let bytes = self.input.since(start);
        let parts = &mut self.parts;
        parts.size = parts.size.saturating_add(bytes.len());
        match parts.size <= self.limits.entry {
            true => parts.text.extend_from_slice(bytes),
            false => {
                if parts.text.len() > parts.start || parts.size == bytes.len() {
                    parts.raw = beginning(parts.text.get(parts.start..).unwrap_or_default(), bytes, self.limits.entry);
                }
                parts.text.truncate(parts.start);
            }
        }
    }

    /// Ends the entry in work; true if the chunk is complete.
    fn finish(&mut self) -> bool {
        (self.state, self.after, self.string, self.escaped) = (JsonSplitState::Between, true, false, false);
        if self.is_kept() {
            return false;
        }
        let number = self.next;
        self.next += 1;
        let parts = &mut self.parts;
        if parts.size > self.limits.entry {
            let found = format!("an entry of {} bytes", grouped(parts.size as u64));
            let trouble = Trouble::new("limit.entry", parts.place, found, "skipped the entry");
            parts.trouble.push(trouble.of_lost(number, std::mem::take(&mut parts.raw)));
            return true;
        }
        while parts.text.len() > parts.start && parts.text.last().is_some_and(u8::is_ascii_whitespace) {
            parts.text.pop();
        }
        let start = parts.start;
        let found = nested::find(parts.text.get(start..).unwrap_or_default(), self.lists.nested, &self.tree);
        if found.is_empty() {
            let end = parts.text.len();
            parts.pieces.push(Piece { start, end, line: parts.place.line, column: parts.place.column });
        } else {
            self.next = number;
            if std::mem::replace(&mut self.has_kept, true) {
                self.frame.insert(b",", parts.place);
            }
            self.frame.skip();
            self.part(start, &found);
            self.frame.skip();
            self.limit_frame();
        }
        self.parts.text.len() >= self.limits.chunk
    }

    /// Takes the entries in a value instead of it.
    fn part(&mut self, start: usize, found: &[NestedEntry]) {
        let parts = &mut self.parts;
        let value = parts.text.split_off(start);
        nested::part(&value, parts.place, found, &mut self.frame, (&mut parts.text, &mut parts.pieces));
        self.next += found.len() as u64;
    }

    /// Moves the value in work to the frame, unless it is an entry.
    fn is_kept(&mut self) -> bool {
        let parts = &mut self.parts;
        let text = parts.text.get(parts.start..).unwrap_or_default();
        if parts.size > self.limits.entry || (self.lists.is_entry)(text) {
            return false;
        }
        if std::mem::replace(&mut self.has_kept, true) {
            self.frame.insert(b",", parts.place);
        }
        self.frame.skip();
        self.frame.push(text, parts.place);
        self.frame.skip();
        parts.text.truncate(parts.start);
        self.limit_frame();
        true
    }

    // ---- the end ----

    fn end(&mut self) {
        if self.state == JsonSplitState::Broken
            && self.parts.size <= self.limits.entry
            && let Some(at) = self.list_end.take()
            && let Some(rest) = self.parts.text.get(self.parts.start + at..)
            && rest.iter().all(|byte| b"]} \t\r\n".contains(byte))
        {
            self.give_back(at);
            self.finish();
            return;
        }
        if self.state == JsonSplitState::Entry && self.string && self.open.first() == Some(&b'{') {
            return self.begin_broken();
        }
        self.ended = true;
        if !self.stopped && !self.listed && self.lists.whole {
            return self.end_whole();
        }
        if self.stopped || self.state == JsonSplitState::Frame {
            return;
        }
        let place = self.input.place();
        if matches!(self.state, JsonSplitState::Entry | JsonSplitState::Broken) {
            let found = format!("the input ends after {} bytes of the entry", grouped(self.parts.size as u64));
            let trouble = Trouble::new("json.truncated", self.parts.place, found, "skipped the entry");
            let raw = match self.parts.size > self.limits.entry {
                true => std::mem::take(&mut self.parts.raw),
                false => beginning(self.parts.text.get(self.parts.start..).unwrap_or_default(), &[], self.limits.entry),
            };
            self.parts.trouble.push(trouble.of_lost(self.next, raw));
            self.parts.text.truncate(self.parts.start);
            self.next += 1;
        }
        let found = "the input ends before the list of entries does".to_owned();
        self.frame.trouble(Trouble::new("json.truncated", place, found, "closed the open values"));
        self.frame.insert(self.around, place);
    }

    /// What was taken for a frame is an entry.
    fn end_whole(&mut self) {
        let (text, mut place) = self.frame.take_text();
        self.frame.insert(b"{}", place);
        let blank = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        place.advance(text.get(..blank).unwrap_or_default());
        let text = text.get(blank..).unwrap_or_default();
        if text.is_empty() {
            return;
        }
        let parts = &mut self.parts;
        (parts.place, parts.size) = (place, text.len());
        self.next += 1;
        if self.depth > 0 || self.string {
            let found = format!("the input ends after {} bytes of the entry", grouped(text.len() as u64));
            let trouble = Trouble::new("json.truncated", place, found, "skipped the entry");
            parts.trouble.push(trouble.of_lost(0, beginning(text, &[], self.limits.entry)));
            return;
        }
        parts.text.extend_from_slice(text.trim_ascii_end());
        let found = nested::find(&parts.text, self.lists.nested, &self.tree);
        if !found.is_empty() {
            // the rest is a head after all
            self.next = 0;
            self.frame.take_text();
            return self.part(0, &found);
        }
        let (line, column) = (place.line, place.column);
        parts.pieces.push(Piece { start: 0, end: parts.text.len(), line, column });
    }

    fn take(&mut self) -> Option<Chunk> {
        let mut parts = std::mem::take(&mut self.parts);
        if parts.pieces.is_empty() && parts.trouble.is_empty() {
            return None;
        }
        let (text, bad) = to_chunk_text(parts.text, &mut parts.pieces, parts.first);
        let mut trouble = bad;
        trouble.append(&mut parts.trouble);
        Some(Chunk { text, pieces: parts.pieces, first: parts.first, context: self.context.clone(), trouble })
    }
}

/// What follows white space, and how much of that is in the last line, if it has a line end.
fn behind_blank(bytes: &[u8]) -> (&[u8], Option<usize>) {
    let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let (blank, rest) = bytes.split_at(blank);
    (rest, blank.iter().rposition(|&byte| byte == b'\n').map(|line| blank.len() - line - 1))
}

/// The name of the first member of an object, as it is written.
fn first_name(object: &[u8]) -> Option<&[u8]> {
    let name = behind_blank(object.strip_prefix(b"{")?).0.strip_prefix(b"\"")?;
    memchr::memchr(b'"', name).map(|end| &name[..end])
}

impl<R: Read> Cutter for JsonDocumentSplitter<R> {
    fn next_chunk_into(&mut self, _: Chunk) -> io::Result<Option<Chunk>> {
        self.chunk()
    }
    fn frame(mut self: Box<Self>) -> Frame {
        let place = self.input.place();
        let truncated = self.listed && self.state != JsonSplitState::Frame;
        Frame { stopped: self.stopped, entries: self.next, ..self.frame.finish(truncated, place) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::split::tests::Slow;

    const LISTS: EntryLists = EntryLists {
        members: &["@graph"],
        top: true,
        whole: true,
        is_entry: |text| memchr::memmem::find(text, b"Video").is_some(),
        nested: |_, _| Vec::new(),
    };

    #[track_caller]
    fn check(text: &str, entries: &[(&str, u32, u32)], frame: &str, trouble: &[&str]) {
        for step in [1, 3, 4096] {
            let input = Slow::new(text.as_bytes(), step);
            let mut cutter = Box::new(JsonDocumentSplitter::new(input, LISTS, SplitLimits::default()));
            let (mut found, mut codes) = (Vec::new(), Vec::new());
            while let Some(chunk) = cutter.next_chunk_into(Chunk::default()).unwrap() {
                let cut = |piece: &Piece| (chunk.text[piece.start..piece.end].to_owned(), piece.line, piece.column);
                found.extend(chunk.pieces.iter().map(cut));
                codes.extend(chunk.trouble.iter().map(|trouble| trouble.code));
            }
            let around = cutter.frame();
            codes.extend(around.trouble.iter().map(|trouble| trouble.code));
            let found: Vec<_> = found.iter().map(|(text, line, column)| (text.as_str(), *line, *column)).collect();
            assert_eq!((found.as_slice(), around.text.as_str(), codes.as_slice()), (entries, frame, trouble), "{text}");
        }
    }

    #[test]
    fn other_values_of_the_list_stay_around_the_entries() {
        let text = "{\"@graph\": [{\"a\": 1},\n {\"Video\": 2}, [3] ], \"z\": [{\"Video\": 4}]}";
        check(text, &[("{\"Video\": 2}", 2, 2)], "{\"@graph\": [{\"a\": 1},[3]], \"z\": [{\"Video\": 4}]}", &[]);
        check("\n[{\"Video\": 1}, 2]", &[("{\"Video\": 1}", 2, 2)], "\n[2]", &[]);
        check("[1,{\"Video\"", &[], "[1]", &["json.truncated"; 2]);
    }

    #[test]
    fn an_object_without_a_list_is_an_entry() {
        check("\n {\"a\": [1]} ", &[("{\"a\": [1]}", 2, 2)], "{}", &[]);
        check("{\"@graph\": {\"Video\": 1}}", &[("{\"@graph\": {\"Video\": 1}}", 1, 1)], "{}", &[]);
        check("{\"a\": \"b", &[], "{}", &["json.truncated"]);
        check(" ", &[], "{}", &[]);
    }

    #[test]
    fn a_broken_entry_leaves_its_neighbors() {
        let check = |entries: &[&str], between: &str| {
            let text = format!("{{\"@graph\": [{}]}}", entries.join(between));
            for step in [1, 3, 4096] {
                let input = Slow::new(text.as_bytes(), step);
                let mut cutter = Box::new(JsonDocumentSplitter::new(input, LISTS, SplitLimits::default()));
                let mut found = Vec::new();
                while let Some(chunk) = cutter.next_chunk_into(Chunk::default()).unwrap() {
                    found.extend(chunk.pieces.iter().map(|piece| chunk.text[piece.start..piece.end].trim().to_owned()));
                }
                assert_eq!(found, entries, "{text}");
                assert_eq!((cutter.frame().text.as_str(), step), ("{\"@graph\": []}", step), "{text}");
            }
        };
        let whole = "{\"Video\": 1, \"a\": [{\"Video\": 2}, {\"Video\": \"}, {\"}], \"b\": [\"c\"]}";
        for broken in [
            "{\"Video\": \"a\nb\"}",
            "{\"Video\": \"a\n\nb}\", \"a\": [{\"Video\": 2}, {\"Video\": 3}]}",
            "{\"Video\": \"a \"b\"}",
            "{\"Video\": \"a \"b\" c\", \"a\": [{\"Video\": 2}, {\"Video\": 3}]}",
            "{\"Video\": \"a}",
            "{\"Video\": a\"}",
            "{\"Video\": [{\"c\": d\"}, {\"Video\": 2}], \"e\": 1}",
            "{\"Video\": [{c\": \"d\"}, {\"Video\": 2}], \"e\": 1}",
            "{\"Video\": [\"a\", b\", \"c\"]}",
        ] {
            for between in [",", ", ", ",\n"] {
                check(&[whole, broken, whole, whole], between);
                check(&[broken, broken, whole], between);
            }
            check(&[whole, broken], ",\n");
        }
        check(&[whole, "{Video\": 1}", whole], ",");
        let cut =
            "{\"@graph\": [{\"Video\": [{\"a\": 1}]}, {\"Video\": \"b \"c\", \"d\": [{\"e\": 1}], \"f\": \"{g}] h";
        let cut_off = ["json.truncated"; 2];
        super::tests::check(cut, &[("{\"Video\": [{\"a\": 1}]}", 1, 13)], "{\"@graph\": []}", &cut_off);
    }
}
