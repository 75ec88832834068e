//! Cuts the model's own JSON into chunks, as the splitter does with markup: the values in the list `entries` of one
//! document, or one line each. It counts brackets and skips strings; the workers on the chunks parse the values and
//! find invalid JSON.
//!
//! Memory: one window, the chunk in work, one entry up to its limit, the frame up to its limit. Time: linear.

use std::io::{self, Read};
use std::sync::Arc;

use memchr::{memchr2, memchr3};

use super::de::is_entry_member;
use crate::detect::member_names;
use crate::xml::chunk::lossy;
use crate::xml::chunk::{Chunk, Context, Piece, SplitLimits, Trouble, beginning};
use crate::xml::frame::{FrameBuilder, to_chunk_text};
use crate::xml::input::InputWindow;
use crate::xml::place::Place;
use crate::xml::split::{Cutter, Frame, FrameSegment, LineSplitter};

/// A cutter for `json`, or with `lines` for `jsonl`.
pub(crate) fn cutter<'i, R: Read + Send + 'i>(
    input: R,
    lines: bool,
    limits: SplitLimits,
) -> Box<dyn Cutter + Send + 'i> {
    match lines {
        true => Box::new(ByLine::new(input, limits)),
        false => Box::new(JsonDocumentSplitter::new(input, limits)),
    }
}

/// Cuts JSON lines: the first is the frame, each further one an entry. Blank lines count as nothing. What other programs
/// write has no line for the frame: then all are entries.
struct ByLine<R> {
    lines: LineSplitter<R>,
    limits: SplitLimits,
    frame: Frame,
    seen: bool,
    /// The first line was the frame, not an entry.
    headed: bool,
}

impl<R: Read> ByLine<R> {
    fn new(input: R, limits: SplitLimits) -> Self {
        // the first line is a separate chunk
        let first = SplitLimits { line: limits.head, chunk: 0, ..limits.clone() };
        ByLine { lines: LineSplitter::new(input, first), limits, frame: Frame::default(), seen: false, headed: true }
    }

    /// Takes the head, which is the first chunk, unless that is an entry.
    fn take_head(&mut self, chunk: Chunk) -> Option<Chunk> {
        self.seen = true;
        self.lines.limit(SplitLimits { line: self.limits.entry, ..self.limits.clone() });
        self.frame.trouble = chunk.trouble.into_iter().map(|trouble| Trouble { entry: None, ..trouble }).collect();
        let Some(piece) = chunk.pieces.first() else {
            self.frame.trouble.iter_mut().for_each(|trouble| trouble.code = "limit.head");
            self.frame.stopped = true;
            return None;
        };
        let (text, line, column) = (&chunk.text, piece.line, piece.column);
        if is_entry(text) {
            self.headed = false;
            let trouble = std::mem::take(&mut self.frame.trouble);
            let trouble = trouble.into_iter().map(|trouble| Trouble { entry: Some(0), ..trouble }).collect();
            self.frame.segments = vec![FrameSegment { at: 0, line, column, made: true }];
            "{}".clone_into(&mut self.frame.text);
            return Some(Chunk { trouble, text: text.clone(), pieces: chunk.pieces, first: 0, context: chunk.context });
        }
        self.frame.segments = vec![FrameSegment { at: 0, line, column, made: false }];
        self.frame.text = chunk.text;
        None
    }

    /// A last line without an end that is not whole was cut off.
    fn cut_last(&mut self, chunk: &mut Chunk) {
        let Some(piece) = chunk.pieces.last().filter(|_| self.lines.ends_inside()) else { return };
        let Some(line) = chunk.text.get(piece.start..piece.end).filter(|line| !is_closed(line)) else { return };
        let raw = beginning(line.as_bytes(), &[], self.limits.entry);
        let found = format!("the input ends after {} bytes of the entry", line.len());
        let trouble = Trouble {
            line: piece.line,
            column: piece.column,
            ..Trouble::new("json.truncated", Place::default(), found, "skipped the entry")
        };
        let entry = chunk.first + chunk.pieces.len() as u64 - 1;
        chunk.trouble.push(trouble.of_lost(entry, raw));
        chunk.text.truncate(piece.start);
        chunk.pieces.pop();
    }
}

/// Whether a first line is an entry of the model: it has a member of one, and lacks the version that a head has. A table may
/// have a column `feed`.
fn is_entry(line: &str) -> bool {
    let names = member_names(line);
    !names.contains(&"transfeed") && names.iter().any(|name| is_entry_member(name))
}

/// Whether as many brackets are closed as were opened.
fn is_closed(line: &str) -> bool {
    let (mut open, mut string, mut escaped) = (0_i64, false, false);
    for byte in line.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if string => escaped = true,
            b'"' => string = !string,
            b'{' | b'[' if !string => open += 1,
            b'}' | b']' if !string => open -= 1,
            _ => (),
        }
    }
    open <= 0 && !string
}

impl<R: Read> Cutter for ByLine<R> {
    fn next_chunk_into(&mut self, _: Chunk) -> io::Result<Option<Chunk>> {
        loop {
            if self.frame.stopped {
                return Ok(None);
            }
            let Some(mut chunk) = self.lines.next_chunk()? else { return Ok(None) };
            if !self.seen {
                match self.take_head(chunk) {
                    Some(entry) => chunk = entry,
                    None => continue,
                }
            }
            self.cut_last(&mut chunk);
            // the head was counted as a line
            let head = u64::from(self.headed);
            chunk.first = chunk.first.saturating_sub(head);
            for trouble in &mut chunk.trouble {
                trouble.entry = trouble.entry.map(|entry| entry.saturating_sub(head));
                if trouble.code == "limit.line" {
                    trouble.code = "limit.entry";
                }
            }
            self.frame.entries =
                chunk.first + (chunk.pieces.len() + chunk.trouble.iter().filter(|trouble| trouble.lost).count()) as u64;
            return Ok(Some(chunk));
        }
    }
    fn frame(self: Box<Self>) -> Frame {
        self.frame
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
}

/// Cuts one document.
struct JsonDocumentSplitter<R> {
    input: InputWindow<R>,
    limits: SplitLimits,
    state: JsonSplitState,
    /// In a string, and whether the next byte is escaped.
    string: bool,
    escaped: bool,
    /// Brackets open around the present byte: of the frame; of the entry in work, by kind; deeper ones, uncounted.
    depth: usize,
    open: Vec<u8>,
    deeper: usize,
    /// The member of the root that is being read: its name, and whether its colon was seen.
    name: Vec<u8>,
    naming: bool,
    named: bool,
    /// A list `entries` was read.
    listed: bool,
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

impl<R: Read> JsonDocumentSplitter<R> {
    fn new(input: R, limits: SplitLimits) -> Self {
        JsonDocumentSplitter {
            input: InputWindow::new(input),
            limits,
            state: JsonSplitState::Frame,
            string: false,
            escaped: false,
            depth: 0,
            open: Vec::new(),
            deeper: 0,
            name: Vec::new(),
            naming: false,
            named: false,
            listed: false,
            after: false,
            frame: FrameBuilder::new(),
            context: Arc::new(Context { path: "entries".to_owned(), ..Context::default() }),
            parts: JsonChunk::default(),
            next: 0,
            ended: false,
            stopped: false,
        }
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
            b'[' if self.depth == 1 && self.named && self.name == b"entries" && !self.listed => {
                (self.state, self.listed, self.after) = (JsonSplitState::Between, true, false);
                return true;
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => (),
        }
        false
    }

    fn stop(&mut self) {
        self.stopped = true;
        self.input.consume(usize::MAX / 2);
    }

    // ---- between entries ----

    fn between(&mut self) -> bool {
        let rest = self.input.rest();
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.input.consume(blank);
        let Some(&byte) = self.input.rest().first() else { return false };
        match byte {
            b',' => {
                if !std::mem::replace(&mut self.after, false) {
                    self.note_repair(",", "ignored an extra comma");
                }
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
        (self.deeper, self.string, self.escaped) = (0, false, false);
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
                self.string_byte(byte);
                continue;
            }
            match byte {
                b'"' => self.string = true,
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
            self.input.consume(1);
        }
        self.save(start);
        done && self.finish()
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

    /// Takes a run of a string. A line end, which JSON forbids there, ends it: a forgotten quote costs its entry only.
    fn string_byte(&mut self, byte: u8) {
        if std::mem::take(&mut self.escaped) && byte != b'\n' {
            self.input.consume(1);
            return;
        }
        let rest = self.input.rest();
        match memchr3(b'"', b'\\', b'\n', rest) {
            None => self.input.consume(usize::MAX / 2),
            Some(run) => {
                match rest[run] {
                    b'\\' => self.escaped = true,
                    _ => self.string = false,
                }
                self.input.consume(run + 1);
            }
        }
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
        let number = self.next;
        self.next += 1;
        let parts = &mut self.parts;
        if parts.size > self.limits.entry {
            let found = format!("an entry of {} bytes", parts.size);
            let trouble = Trouble::new("limit.entry", parts.place, found, "skipped the entry");
            parts.trouble.push(trouble.of_lost(number, std::mem::take(&mut parts.raw)));
            return true;
        }
        while parts.text.len() > parts.start && parts.text.last().is_some_and(u8::is_ascii_whitespace) {
            parts.text.pop();
        }
        let (start, end) = (parts.start, parts.text.len());
        parts.pieces.push(Piece { start, end, line: parts.place.line, column: parts.place.column });
        end >= self.limits.chunk
    }

    // ---- the end ----

    fn end(&mut self) {
        self.ended = true;
        if self.stopped || self.state == JsonSplitState::Frame {
            return;
        }
        let place = self.input.place();
        if self.state == JsonSplitState::Entry {
            let found = format!("the input ends after {} bytes of the entry", self.parts.size);
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
        self.frame.insert(b"]}", place);
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

    struct Cut {
        entries: Vec<(String, u32, u32)>,
        trouble: Vec<&'static str>,
        frame: Frame,
    }

    fn cut(text: &str, lines: bool, step: usize, limits: &SplitLimits) -> Cut {
        let mut cutter = cutter(Slow::new(text.as_bytes(), step), lines, limits.clone());
        let (mut entries, mut trouble, mut next) = (Vec::new(), Vec::new(), 0);
        while let Some(chunk) = cutter.next_chunk_into(Chunk::default()).unwrap() {
            assert_eq!(chunk.first, next);
            for piece in &chunk.pieces {
                entries.push((chunk.text[piece.start..piece.end].to_owned(), piece.line, piece.column));
            }
            let lost = chunk.trouble.iter().filter(|trouble| trouble.lost);
            next += (chunk.pieces.len() + lost.count()) as u64;
            trouble.extend(chunk.trouble.iter().map(|trouble| trouble.code));
        }
        let frame = cutter.frame();
        trouble.extend(frame.trouble.iter().map(|trouble| trouble.code));
        assert_eq!(frame.entries, next);
        Cut { entries, trouble, frame }
    }

    #[track_caller]
    fn check(text: &str, lines: bool, entries: &[(&str, u32, u32)], frame: &str, trouble: &[&str]) {
        for step in [1, 2, 3, 7, 4096] {
            for chunk in [1, 12, 4096] {
                let cut = cut(text, lines, step, &SplitLimits { chunk, ..SplitLimits::default() });
                let found: Vec<_> = cut.entries.iter().map(|(text, l, c)| (text.as_str(), *l, *c)).collect();
                assert_eq!(found, entries, "{text} in steps of {step}");
                assert_eq!(cut.frame.text, frame, "{text}");
                assert_eq!(cut.trouble, trouble, "{text}");
            }
        }
    }

    #[test]
    fn documents_are_cut_in_any_steps() {
        let text = "{\"feed\": {\"entries\": [1], \"s\": \"\\\"]\"},\n\"entries\": [\n {\"a\": \"]},\\\"\"}, [2]\n,3 ,\"x,]\"\n], \"z\": 1}\n";
        let frame = "{\"feed\": {\"entries\": [1], \"s\": \"\\\"]\"},\n\"entries\": [], \"z\": 1}\n";
        let entries = [("{\"a\": \"]},\\\"\"}", 3, 2), ("[2]", 3, 18), ("3", 4, 2), ("\"x,]\"", 4, 5)];
        check(text, false, &entries, frame, &[]);
        check("{\"entries\":[]}", false, &[], "{\"entries\":[]}", &[]);
        check("{\"entrie\\us\":[1]}", false, &[], "{\"entrie\\us\":[1]}", &[]);
    }

    #[test]
    fn lines_are_cut_in_any_steps() {
        let text = "\n{\"feed\": 1}\n\n{\"a\": 1}\r\n  \n{\"b\": 1}";
        check(text, true, &[("{\"a\": 1}", 4, 1), ("{\"b\": 1}", 6, 1)], "{\"feed\": 1}", &[]);
        let text = "\n{\"id\": 1}\n{\"a\": 1}";
        check(text, true, &[("{\"id\": 1}", 2, 1), ("{\"a\": 1}", 3, 1)], "{}", &[]);
    }

    #[test]
    fn broken_entries_cost_themselves() {
        let list = |inside: &str| format!("{{\"entries\":[{inside}]}}");
        let frame = "{\"entries\":[]}";
        check(&list("{\"a\":[1},{}"), false, &[("{\"a\":[1}", 1, 13), ("{}", 1, 22)], frame, &[]);
        check(&list("{\"a\":\"x\n},{}"), false, &[("{\"a\":\"x\n}", 1, 13), ("{}", 2, 3)], frame, &[]);
        check(&list("{} {},,{}"), false, &[("{}", 1, 13), ("{}", 1, 16), ("{}", 1, 20)], frame, &["json.comma"; 2]);
    }

    #[test]
    fn documents_cut_off_are_closed() {
        let frame = "{\"feed\": 1}";
        check("{\"feed\": 1}\n{}\n{\"a", true, &[("{}", 2, 1)], frame, &["json.truncated"]);
        check("{\"feed\": 1}\n{}\n{\"a\":1}", true, &[("{}", 2, 1), ("{\"a\":1}", 3, 1)], frame, &[]);
        check("{\"feed\": 1}\n{}\n{\"a\n", true, &[("{}", 2, 1), ("{\"a", 3, 1)], frame, &[]);
        check("{\"entries\":[{},{\"a", false, &[("{}", 1, 13)], "{\"entries\":[]}", &["json.truncated"; 2]);
    }

    #[test]
    fn limits_are_named() {
        let limits = SplitLimits { entry: 6, head: 20, chunk: 4096, ..SplitLimits::default() };
        for step in [1, 3, 4096] {
            let document = cut("{\"entries\":[{},{\"a\":11},{}]}", false, step, &limits);
            assert_eq!((document.entries.len(), document.trouble), (2, vec!["limit.entry"]));
            let lines = cut("{\"feed\":1234567}\n{}\n{\"a\":11}\n{}", true, step, &limits);
            assert_eq!((lines.entries.len(), lines.trouble), (2, vec!["limit.entry"]));
            for lines in [false, true] {
                let head = cut("{\"feed\":\"0123456789012345678\"}\n{}", lines, step, &limits);
                assert!(head.frame.stopped && head.trouble == ["limit.head"] && head.entries.is_empty());
            }
        }
    }

    #[test]
    fn brackets_that_do_not_fit_cost_no_more_than_their_number() {
        let text = format!("{{\"entries\":[{}{}]}}", "[".repeat(1 << 20), "}".repeat(1 << 20));
        cut(&text, false, 1 << 16, &SplitLimits::default());
    }
}
