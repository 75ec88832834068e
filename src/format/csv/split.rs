//! Cuts a table into chunks of rows. The first row is the frame: the headings. A row ends with its line unless that is inside
//! quotes. Cells are not looked at (row.rs).
//!
//! Quotes that are not closed must not swallow the rows behind them. A row whose quoted cell goes over several lines, and
//! neither ends at a delimiter nor within the limit of an entry nor in the input at all, is lost with its first line, and the
//! others are read again. Quotes that would have closed it do not open a cell in the lines between, so no line is read more
//! than three times.
//!
//! Memory: one window, the chunk in work, one row up to its limit. Time: linear.

use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use std::sync::{Arc, OnceLock};

use memchr::{memchr, memchr2, memchr3};

use super::columns;
use super::row::{DELIMITERS, RawCell, cells, delimiter, is_comment, is_padding, is_separator_line};
use crate::model::Field;
use crate::text::grouped;
use crate::xml::chunk::{Chunk, Context, Piece, SplitLimits, Trouble, beginning, lossy};
use crate::xml::frame::to_chunk_text;
use crate::xml::input::InputWindow;
use crate::xml::place::Place;
use crate::xml::split::{Cutter, Frame, FrameSegment};

/// The code of quotes that are not closed.
const UNCLOSED: &str = "csv.unclosed";

/// The code of open quotes where the last line has no end either.
const TRUNCATED: &str = "csv.truncated";

/// The code of the line with which Excel names the delimiter.
const SEPARATOR: &str = "csv.separator";

/// The code of a comment before the headings.
const COMMENT: &str = "csv.comment";

/// The code of a heading that names no field.
const HEADING: &str = "csv.heading";

/// How many unknown headings are compared with the names of all columns: a search takes long, and a user reads few notes.
const DOUBTED: usize = 100;

/// Where in a row the next byte is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RowState {
    /// At the beginning of a cell.
    Begin,
    /// In a cell without quotes, or behind its quotes.
    Plain,
    /// In quotes.
    Quoted,
    /// Behind a quote in quotes.
    Quote,
    /// In white space behind the quotes.
    Closed,
}

/// How a row ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowEnd {
    /// At the end of its line, or of the input.
    Line,
    /// In quotes that are not closed.
    Open,
    /// In quotes that are not closed, in the middle of a line, with the input.
    Cut,
}

/// A cutter for `csv`.
pub(crate) struct TableSplitter<R> {
    input: InputWindow<R>,
    limits: SplitLimits,
    frame: Frame,
    /// The headings of the rows, once they are read.
    context: Option<Arc<Context>>,
    /// The delimiter; before the headings are read each of several is one.
    delimiter: Option<u8>,
    text: Vec<u8>,
    pieces: Vec<Piece>,
    trouble: Vec<Trouble>,
    first: u64,
    next: u64,
    /// The row in work: whether it began, where in the document and in `text`, its bytes, and whether it has content.
    in_row: bool,
    place: Place,
    start: usize,
    size: usize,
    solid: bool,
    state: RowState,
    /// Where its first line ends in `text`, and the place behind that.
    line: Option<(usize, Place)>,
    /// How it begins, once it is too long to be kept.
    raw: String,
}

impl<R: Read> TableSplitter<R> {
    /// Rows from the start of a text; of the limits, `head`, `entry` and `chunk` count.
    pub fn new(input: R, limits: SplitLimits) -> TableSplitter<R> {
        TableSplitter {
            input: InputWindow::new(input),
            limits,
            frame: Frame::default(),
            context: None,
            delimiter: None,
            text: Vec::new(),
            pieces: Vec::new(),
            trouble: Vec::new(),
            first: 0,
            next: 0,
            in_row: false,
            place: Place::default(),
            start: 0,
            size: 0,
            solid: false,
            state: RowState::Begin,
            line: None,
            raw: String::new(),
        }
    }

    fn chunk(&mut self) -> io::Result<Option<Chunk>> {
        while !self.frame.stopped {
            if self.input.rest().is_empty() {
                if !self.input.ended {
                    self.input.fill()?;
                    continue;
                }
                if !self.in_row {
                    break;
                }
                let how = match self.state {
                    RowState::Quoted if !matches!(self.text.last(), Some(b'\r' | b'\n')) => RowEnd::Cut,
                    RowState::Quoted => RowEnd::Open,
                    _ => RowEnd::Line,
                };
                if !self.end(how) {
                    continue;
                }
            } else if !self.step() {
                continue;
            }
            if self.is_full() {
                return Ok(self.take());
            }
        }
        Ok(self.take())
    }

    fn is_full(&self) -> bool {
        self.text.len() >= self.limits.chunk || !self.trouble.is_empty()
    }

    /// The bytes that a row may have.
    fn limit(&self) -> usize {
        if self.context.is_some() { self.limits.entry } else { self.limits.head }
    }

    fn begin(&mut self) {
        if !std::mem::replace(&mut self.in_row, true) {
            self.place = self.input.place();
            (self.start, self.size, self.solid) = (self.text.len(), 0, false);
            (self.state, self.line) = (RowState::Begin, None);
        }
    }

    /// Takes bytes up to the next one that matters, or the end of the window; true if a row ended.
    fn step(&mut self) -> bool {
        self.begin();
        let rest = self.input.rest();
        match self.state {
            RowState::Begin => {
                let quote = rest.first() == Some(&b'"');
                let padding = rest.first().is_some_and(|byte| self.is_padding(*byte));
                if quote || padding {
                    self.keep(1);
                }
                self.state = match quote {
                    true => RowState::Quoted,
                    false if padding => RowState::Begin,
                    false => RowState::Plain,
                };
                false
            }
            RowState::Plain => self.plain(),
            RowState::Quoted => self.quoted(),
            RowState::Quote | RowState::Closed => match rest.first() {
                Some(b'"') if self.state == RowState::Quote => {
                    self.keep(1);
                    self.state = RowState::Quoted;
                    false
                }
                Some(byte) if self.is_padding(*byte) => {
                    self.state = RowState::Closed;
                    self.keep(1);
                    false
                }
                Some(byte) if self.line.is_some() && !matches!(byte, b'\r' | b'\n') && !self.is_delimiter(*byte) => {
                    self.end(RowEnd::Open)
                }
                _ => {
                    self.state = RowState::Plain;
                    false
                }
            },
        }
    }

    fn is_delimiter(&self, byte: u8) -> bool {
        self.delimiter.map_or_else(|| DELIMITERS.contains(&byte), |own| own == byte)
    }

    fn is_padding(&self, byte: u8) -> bool {
        is_padding(byte, self.delimiter.unwrap_or(b'\t'))
    }

    fn plain(&mut self) -> bool {
        let rest = self.input.rest();
        let found = match self.delimiter {
            Some(delimiter) => memchr3(delimiter, b'\r', b'\n', rest),
            None => rest.iter().position(|byte| matches!(byte, b'\r' | b'\n') || DELIMITERS.contains(byte)),
        };
        let Some(at) = found else {
            self.keep(rest.len());
            return false;
        };
        if matches!(rest[at], b'\r' | b'\n') {
            self.keep(at);
            self.input.consume_line(1);
            return self.end(RowEnd::Line);
        }
        self.keep(at + 1);
        self.state = RowState::Begin;
        false
    }

    fn quoted(&mut self) -> bool {
        let rest = self.input.rest();
        let quote = memchr(b'"', rest);
        let inner = &rest[..quote.unwrap_or(rest.len())];
        if self.line.is_none()
            && let Some(at) = memchr2(b'\r', b'\n', inner)
        {
            self.keep(at);
            // where there is no room for more lines, the first is all of it
            if self.size >= self.limit() {
                self.input.consume_line(1);
                return self.end(RowEnd::Open);
            }
            let end = self.text.len();
            self.keep(1);
            self.line = Some((end, self.input.place()));
            return false;
        }
        let length = inner.len();
        if self.line.is_some() && self.size + length >= self.limit() {
            return self.end(RowEnd::Open);
        }
        self.keep(length + usize::from(quote.is_some()));
        if quote.is_some() {
            self.state = RowState::Quote;
        }
        false
    }

    /// Takes so many bytes into the row, if it is not too long.
    fn keep(&mut self, count: usize) {
        let limit = self.limit();
        let bytes = self.input.rest().get(..count).unwrap_or_default();
        let is_content = |byte: &u8| match self.state {
            RowState::Begin | RowState::Closed => false,
            RowState::Plain => !byte.is_ascii_whitespace() && !self.is_delimiter(*byte),
            // the quote that may end the cell is counted when it does not
            RowState::Quoted => !byte.is_ascii_whitespace() && *byte != b'"',
            RowState::Quote => true,
        };
        let solid = self.solid || bytes.iter().any(is_content);
        let before = self.size;
        self.size = self.size.saturating_add(count);
        if self.size <= limit {
            self.text.extend_from_slice(bytes);
        } else if before <= limit {
            self.raw = beginning(self.text.get(self.start..).unwrap_or_default(), bytes, limit);
            self.text.truncate(self.start);
        }
        self.solid = solid;
        self.input.consume(count);
    }

    /// Ends the row; true if it counts as one.
    fn end(&mut self, how: RowEnd) -> bool {
        self.in_row = false;
        if how != RowEnd::Line && self.size <= self.limit() {
            return self.lose_line(how == RowEnd::Cut);
        }
        if !self.solid && self.size <= self.limit() {
            self.text.truncate(self.start);
            return false;
        }
        if self.context.is_none() {
            self.take_headings();
            return false;
        }
        self.number();
        if self.size > self.limit() {
            let found = format!("a row of {} bytes", grouped(self.size as u64));
            let trouble = Trouble::new("limit.entry", self.place, found, "skipped the row");
            self.trouble.push(trouble.of_lost(self.next - 1, std::mem::take(&mut self.raw)));
            return true;
        }
        let (start, end) = (self.start, self.text.len());
        self.pieces.push(Piece { start, end, line: self.place.line, column: self.place.column });
        true
    }

    fn number(&mut self) {
        if self.pieces.is_empty() && self.trouble.is_empty() {
            self.first = self.next;
        }
        self.next += 1;
    }

    /// Loses the first line of a row with quotes that are not closed, and gives the others back to be read.
    fn lose_line(&mut self, is_cut: bool) -> bool {
        let (end, behind) = self.line.unwrap_or((self.text.len(), self.input.place()));
        let line = self.text.get(self.start..end).unwrap_or_default().to_vec();
        let mut again = self.text.split_off(end);
        self.text.truncate(self.start);
        if self.line.is_some() {
            // the line end itself stays with the line
            again.drain(..1);
            self.input.give_back(&again, behind);
        }
        let (code, found) = match is_cut {
            true => (TRUNCATED, "the input ends inside quotes".to_owned()),
            false => (UNCLOSED, lossy(line.get(..line.len().min(80)).unwrap_or_default())),
        };
        let trouble = Trouble::new(code, self.place, found, "skipped the line");
        if self.context.is_none() {
            self.frame.trouble.push(trouble);
            return false;
        }
        self.number();
        let raw = beginning(&line, &[], self.limits.entry);
        self.trouble.push(trouble.of_lost(self.next - 1, raw));
        true
    }

    /// Makes the first row the headings of the others.
    fn take_headings(&mut self) {
        if self.size > self.limits.head {
            let trouble = Trouble::new("limit.head", self.place, String::new(), "nothing more is read");
            self.frame.trouble.push(trouble);
            self.frame.stopped = true;
            return;
        }
        let (mut pieces, bytes) = (Vec::new(), self.text.split_off(self.start));
        let (header, bad) = to_chunk_text(bytes, &mut pieces, 0);
        self.frame.trouble.extend(bad);
        if is_separator_line(&header) && self.frame.trouble.iter().all(|trouble| trouble.code != SEPARATOR) {
            self.frame.trouble.push(Trouble::new(SEPARATOR, self.place, header, "not a row; the headings decide"));
            return;
        }
        if is_comment(&header) {
            let done = "a comment, which the format does not know, was ignored";
            self.frame.trouble.push(Trouble::new(COMMENT, self.place, header, done));
            return;
        }
        let found = delimiter(&header);
        self.delimiter = Some(found);
        note_headings(&header, found, self.place, &mut self.frame.trouble);
        self.frame.segments =
            vec![FrameSegment { at: 0, line: self.place.line, column: self.place.column, made: false }];
        self.frame.text.clone_from(&header);
        self.context = Some(Arc::new(Context { tags: header, ..Context::default() }));
    }

    fn take(&mut self) -> Option<Chunk> {
        self.frame.entries = self.next;
        if self.pieces.is_empty() && self.trouble.is_empty() {
            return None;
        }
        let bytes = std::mem::take(&mut self.text);
        let mut pieces = std::mem::take(&mut self.pieces);
        let mut trouble = std::mem::take(&mut self.trouble);
        let (text, bad) = to_chunk_text(bytes, &mut pieces, self.first);
        trouble.splice(0..0, bad);
        let context = self.context.clone().unwrap_or_default();
        Some(Chunk { text, pieces, first: self.first, context, trouble })
    }
}

/// Notes headings that name no field but look as if they did, and headings of which none names a field. One that looks like a
/// field with a column is of a column of the user's own.
fn note_headings(header: &str, delimiter: u8, place: Place, trouble: &mut Vec<Trouble>) {
    let headings = cells(header, delimiter);
    let field_of = |name: &str| columns::by_heading(name).map(|known| known.column.field);
    let fields: HashSet<Field> = headings.iter().filter_map(|cell| field_of(cell.text.trim())).collect();
    let is_known = |cell: &RawCell<'_>| field_of(cell.text.trim()).is_some();
    let at = |cell: &RawCell<'_>| {
        let mut at = place;
        at.column += column_of(header, cell.at);
        at
    };
    let found = |cell: &RawCell<'_>| cell.text.trim().chars().take(80).collect::<String>();
    for cell in headings.iter().filter(|cell| !is_known(cell)).take(DOUBTED) {
        let meant = columns::meant(&cell.text);
        let is_free = |name: &&str| field_of(name).is_none_or(|field| !fields.contains(&field));
        if let Some(meant) = meant.filter(is_free).and_then(question) {
            trouble.push(Trouble::new(HEADING, at(cell), found(cell), meant));
        }
    }
    if let Some(first) = headings.first().filter(|_| fields.is_empty()) {
        let says = "no heading names a field; `transfeed formats csv` lists the names";
        trouble.push(Trouble::new(HEADING, at(first), found(first), says));
    }
}

/// The column of an offset in a line, from 0.
fn column_of(header: &str, at: usize) -> u32 {
    let before = header.get(..at).unwrap_or_default();
    u32::try_from(before.chars().count()).unwrap_or(u32::MAX)
}

/// The question whether a field was meant.
fn question(field: &'static str) -> Option<&'static str> {
    static QUESTIONS: OnceLock<HashMap<&'static str, String>> = OnceLock::new();
    let questions = QUESTIONS.get_or_init(|| {
        let all = columns::all().iter().map(|column| column.heading);
        all.map(|name| (name, format!("no field; did you mean {name}?"))).collect()
    });
    questions.get(field).map(String::as_str)
}

impl<R: Read> Cutter for TableSplitter<R> {
    fn next_chunk_into(&mut self, _: Chunk) -> io::Result<Option<Chunk>> {
        self.chunk()
    }

    fn frame(self: Box<Self>) -> Frame {
        self.frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::split::tests::Slow;

    /// The rows with their lines, and what was wrong in which line.
    type Found = (Vec<(String, u32)>, Vec<(&'static str, u32)>);

    fn cut(text: &[u8], step: usize, limits: &SplitLimits) -> (Found, Frame) {
        let mut rows = Box::new(TableSplitter::new(Slow::new(text, step), limits.clone()));
        let (mut found, mut trouble, mut next) = (Vec::new(), Vec::new(), 0);
        while let Some(chunk) = rows.chunk().unwrap() {
            assert_eq!(chunk.first, next);
            for piece in &chunk.pieces {
                found.push((chunk.text[piece.start..piece.end].to_owned(), piece.line));
            }
            next += (chunk.pieces.len() + chunk.trouble.iter().filter(|trouble| trouble.lost).count()) as u64;
            trouble.extend(chunk.trouble.iter().map(|trouble| (trouble.code, trouble.line)));
        }
        ((found, trouble), rows.frame())
    }

    fn check(text: &str, rows: &[(&str, u32)], trouble: &[(&'static str, u32)]) {
        for step in [1, 2, 3, 7, 4096] {
            for chunk in [1, 12, 4096] {
                let limits = SplitLimits { chunk, entry: 60, ..SplitLimits::default() };
                let ((found, told), frame) = cut(text.as_bytes(), step, &limits);
                let found: Vec<_> = found.iter().map(|(text, line)| (text.as_str(), *line)).collect();
                assert_eq!((found.as_slice(), told.as_slice()), (rows, trouble), "step {step}, chunk {chunk}: {text}");
                assert_eq!(frame.text, "loc,title");
                assert_eq!(frame.entries, (rows.len() + trouble.len()) as u64);
            }
        }
    }

    #[test]
    fn rows_end_with_their_lines_unless_they_are_in_quotes() {
        check("loc,title\na,b\r\nc,\"d\ne\"\rf,g", &[("a,b", 2), ("c,\"d\ne\"", 3), ("f,g", 5)], &[]);
        check("\n \nloc,title\n,\n\n\"\",\" \"\na,b\n", &[("a,b", 7)], &[]);
        check("loc,title\na,\"b\"\"\n\"\"c\"\nd,e", &[("a,\"b\"\"\n\"\"c\"", 2), ("d,e", 4)], &[]);
    }

    #[test]
    fn quotes_that_are_not_closed_cost_one_line() {
        check("loc,title\na,\"b\nc,d\ne,f\n", &[("c,d", 3), ("e,f", 4)], &[(UNCLOSED, 2)]);
        check("loc,title\na,\"b\nc,\"d\ne,f\n", &[("e,f", 4)], &[(UNCLOSED, 2), (UNCLOSED, 3)]);
        check("loc,title\na,b\nc,\"d", &[("a,b", 2)], &[(TRUNCATED, 3)]);
        check("loc,title\na,\"b\nc,\"d", &[], &[(UNCLOSED, 2), (TRUNCATED, 3)]);
        check("loc,title\na,\"b\nc", &[("c", 3)], &[(TRUNCATED, 2)]);
        check("loc,title\na,\"b\" c\nd,e", &[("a,\"b\" c", 2), ("d,e", 3)], &[]);
        let rest = "x,y\n".repeat(30);
        let lines: Vec<_> = (3..33).map(|line| ("x,y", line)).collect();
        check(&format!("loc,title\na,\"b\n{rest}"), &lines, &[(UNCLOSED, 2)]);
    }

    #[test]
    fn rows_beyond_the_limit_are_lost_and_take_no_memory() {
        let long = "y".repeat(100);
        check(&format!("loc,title\na,{long}\nb,c"), &[("b,c", 3)], &[("limit.entry", 2)]);
        check(&format!("loc,title\na,\"{long}\"\nb,c"), &[("b,c", 3)], &[("limit.entry", 2)]);
        check(&format!("loc,title\na,\"{long}\nb,c"), &[("b,c", 3)], &[("limit.entry", 2)]);
        check(&format!("loc,title\na,{long}"), &[], &[("limit.entry", 2)]);
    }

    #[test]
    fn quotes_without_end_take_linear_time() {
        let text = format!("loc,title\n{}", "a,\"b\n".repeat(20_000));
        let began = std::time::Instant::now();
        let ((found, trouble), _) = cut(text.as_bytes(), 4096, &SplitLimits::default());
        assert_eq!((found.len(), trouble.len()), (0, 20_000));
        assert!(began.elapsed().as_secs() < 20);
    }
}
