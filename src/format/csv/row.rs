//! The rows of a table (RFC 4180): its cells with their places, its delimiter by the evidence of the headings, and a row as
//! the tree that readers take leaves from. Where rows begin and end in a stream is in split.rs.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::columns::{self, KnownColumn};
use crate::text::many;
use crate::tree::{NodeKind, Tree, TreeRepair, tag};
use crate::xml::limits::{TOO_MANY, TreeError, TreeLimits};

/// What may separate cells, the most usual first.
pub const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Separates the values of a list in a cell.
pub const LIST: char = '|';

/// Separates the values of one video in a cell that has those of all videos of a page.
pub const INNER_LIST: char = ';';

/// Precedes a separator that is part of a value, or itself.
pub const ESCAPE: char = '\\';

/// Values of a cell; each may be a part of the model of some size.
const MOST_MEMBERS: usize = 10_000;

/// The codes of rows with more or fewer cells than there are headings.
const CELLS: &str = "csv.cells";
const RAGGED: &str = "csv.ragged";

/// The code of a quote inside a cell.
const QUOTE: &str = "csv.quote";

/// The code of a character that no text has.
const NUL: &str = "csv.nul";

/// Cells without a heading that have a number in their name.
const NUMBERED: usize = 256;

/// The kinds of a node of a tree that is no markup, as JSON has them.
const STRING: &str = "string";
const OBJECT: &str = "object";
const VALUES: &str = "list";
const GAP: &str = "null";

/// The kind of a cell without a heading. Its name is not that of a column, even if one is called so.
pub(super) const SURPLUS: &str = "surplus";

/// A cell of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct RawCell<'a> {
    /// Byte offset of its content.
    pub at: usize,
    /// The content without the quotes around it.
    pub text: Cow<'a, str>,
    /// It is in quotes.
    quoted: bool,
    /// A quote in it is neither doubled nor at its end.
    pub odd: bool,
    /// White space is around its quotes.
    padded: bool,
}

/// Whether a byte may be around the quotes of a cell.
pub(super) fn is_padding(byte: u8, delimiter: u8) -> bool {
    matches!(byte, b' ' | b'\t') && byte != delimiter
}

/// The cells of a row without its line end.
pub fn cells(row: &str, delimiter: u8) -> Vec<RawCell<'_>> {
    let (mut found, mut at) = (Vec::new(), 0);
    loop {
        let (cell, end) = cell(row, at, delimiter);
        found.push(cell);
        if end >= row.len() {
            return found;
        }
        at = end + 1;
    }
}

/// The cell that begins here, and where it ends: at its delimiter or at the end of the row.
fn cell(row: &str, start: usize, delimiter: u8) -> (RawCell<'_>, usize) {
    let bytes = row.as_bytes();
    let until = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        memchr::memchr(delimiter, rest).map_or(bytes.len(), |step| from + step)
    };
    let behind = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| is_padding(**byte, delimiter)).count()
    };
    let open = behind(start);
    if bytes.get(open) != Some(&b'"') {
        let end = until(start);
        let text = Cow::Borrowed(&row[start..end]);
        return (RawCell { at: start, text, quoted: false, odd: false, padded: false }, end);
    }
    let (mut close, mut doubled) = (open + 1, false);
    loop {
        close = memchr::memchr(b'"', bytes.get(close..).unwrap_or_default()).map_or(bytes.len(), |step| close + step);
        if bytes.get(close + 1) != Some(&b'"') {
            break;
        }
        doubled = true;
        close += 2;
    }
    let end = until((close + 1).min(bytes.len()));
    let odd = behind(close + 1) != end;
    let inner = match odd {
        true => row[open + 1..end].strip_suffix('"').unwrap_or(&row[open + 1..end]),
        false => &row[open + 1..close],
    };
    let padded = !odd && (start < open || close + 1 < end);
    let text = if doubled { Cow::Owned(inner.replace("\"\"", "\"")) } else { Cow::Borrowed(inner) };
    (RawCell { at: open + 1, text, quoted: true, odd, padded }, end)
}

/// The delimiter of a table by its row of headings: the one that makes the most known headings, then the most headings.
pub fn delimiter(header: &str) -> u8 {
    let score = |delimiter: u8| {
        let found = cells(header, delimiter);
        let known = found.iter().filter(|cell| columns::by_heading(cell.text.trim()).is_some()).count();
        (known, found.len())
    };
    let mut best = (b',', score(b','));
    for other in DELIMITERS {
        if score(other) > best.1 {
            best = (other, score(other));
        }
    }
    best.0
}

/// Whether a line is not a row, but names the delimiter, as Excel does: `sep=;`.
pub fn is_separator_line(line: &str) -> bool {
    let line = line.trim_end_matches(['\r', '\n']);
    let end = line.split_at_checked(4).filter(|(start, _)| start.eq_ignore_ascii_case("sep="));
    end.is_some_and(|(_, end)| end.len() == 1 && DELIMITERS.contains(&end.as_bytes()[0]))
}

/// Whether a line before the headings is a comment: it begins with `#` and names no field.
pub fn is_comment(line: &str) -> bool {
    let names = |line: &str| Headings::read(line).list.iter().any(|heading| heading.known.is_some());
    line.trim_start().starts_with('#') && !names(line)
}

/// A heading of a table.
#[derive(Clone, Copy)]
pub struct Heading<'a> {
    /// As it is written, or in the usual spelling if it is known.
    pub name: &'a str,
    /// The column, if it is known.
    pub known: Option<KnownColumn>,
}

/// The headings of a table, with what separates its cells.
#[derive(Clone)]
pub struct Headings<'a> {
    /// What separates the cells.
    pub delimiter: u8,
    /// The headings, in order.
    pub list: Vec<Heading<'a>>,
}

impl<'a> Headings<'a> {
    /// Those in this row.
    pub fn read(header: &'a str) -> Headings<'a> {
        let delimiter = delimiter(header);
        let heading = |cell: &RawCell<'a>| {
            // a name with a quote in it is kept as it is written
            let raw = header.get(cell.at..).unwrap_or_default();
            let raw = match &cell.text {
                Cow::Borrowed(text) => text,
                Cow::Owned(_) => raw.split(['\r', '\n', char::from(delimiter)]).next().unwrap_or_default(),
            };
            let name = raw.trim();
            let known = columns::by_heading(name);
            Heading { name: known.map_or(name, |known| known.heading), known }
        };
        Headings { delimiter, list: cells(header, delimiter).iter().map(heading).collect() }
    }
}

/// Whether a first row names columns: no cell is a URL, and enough headings are known. A word alone may be anything, so `loc`, a
/// name with a dot or two names must be among them, and either all headings are known, two have a dot, or a row `after` it
/// has several cells.
pub fn is_header(header: &str, after: Option<&str>) -> bool {
    let headings = Headings::read(header);
    let known: Vec<&str> =
        headings.list.iter().filter(|heading| heading.known.is_some()).map(|heading| heading.name).collect();
    let is_ours = known.len() > 1 || known.iter().any(|name| *name == "loc" || name.contains('.'));
    if !is_ours || headings.list.iter().any(|heading| heading.name.contains("://")) {
        return false;
    }
    let named = headings.list.iter().filter(|heading| !heading.name.is_empty()).count();
    let dotted = known.iter().filter(|name| name.contains('.')).count();
    let is_row = |row: &str| cells(row, headings.delimiter).len() > 1;
    known.len() == named || dotted > 1 || after.is_none_or(is_row)
}

/// A row as a tree: for each cell that is not empty, a text named by its heading, or a list of them. A cell without a heading
/// is named by its number. Offsets are those in the row.
///
/// # Errors
/// More values than the limits allow.
pub fn parse<'a>(row: &'a str, headings: &Headings<'a>, limits: &TreeLimits) -> Result<Tree<'a>, TreeError> {
    let mut tree = Tree::default();
    // the kind of a cell without a heading is kept
    (tree.json, tree.typed) = (true, true);
    let root = tree.push(u32::MAX, node(NodeKind::Element, "", OBJECT, 0, row.len()));
    let found = cells(row, headings.delimiter);
    let count = found.len();
    let mut surplus = None;
    for (number, cell) in found.into_iter().enumerate() {
        if cell.text.trim().is_empty() {
            continue;
        }
        if tree.nodes.len() >= limits.nodes {
            return Err(too_many(cell.at));
        }
        remark(&cell, &mut tree.repairs);
        let heading = headings.list.get(number);
        if heading.is_none() {
            surplus = surplus.or(Some(cell.at));
        }
        match heading.filter(|heading| !heading.name.is_empty()) {
            Some(heading) if heading.known.is_some_and(|known| known.column.list || known.of_videos) => {
                let levels: &[char] = match heading.known {
                    Some(known) if known.of_videos && known.column.list => &[LIST, INNER_LIST],
                    _ => &[LIST],
                };
                push_list(&mut tree, root, (heading.name, levels), row, cell, limits)?;
            }
            heading => {
                let (name, kind) = heading.map_or((unnamed(number), SURPLUS), |heading| (heading.name, STRING));
                let mut raw = node(NodeKind::Text, name, kind, cell.at, cell.at + cell.text.len());
                raw.value = cell.text;
                tree.push(root, raw);
            }
        }
    }
    tree.repairs.extend(uneven(count, headings.list.len(), surplus));
    Ok(tree)
}

/// The name of a cell without a heading.
fn unnamed(number: usize) -> &'static str {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    let names = NAMES.get_or_init(|| (1..=NUMBERED).map(|number| format!("cell {number}")).collect());
    names.get(number).map_or("cell", String::as_str)
}

/// What is odd about a cell.
fn remark(cell: &RawCell<'_>, repairs: &mut Vec<TreeRepair>) {
    let found = || cell.text.chars().take(80).collect();
    let done = match cell {
        RawCell { odd: true, .. } => Some("read as written"),
        RawCell { padded: true, .. } => Some("read without the white space around its quotes"),
        _ => None,
    };
    repairs.extend(done.map(|done| TreeRepair { code: QUOTE, at: at(cell.at), found: found(), done: done.into() }));
    if memchr::memchr(0, cell.text.as_bytes()).is_some() {
        repairs.push(TreeRepair { code: NUL, at: at(cell.at), found: found(), done: "kept as written".into() });
    }
}

/// The repair of a row with another number of cells than there are headings; content beyond them begins at `surplus`.
fn uneven(cells: usize, headings: usize, surplus: Option<usize>) -> Option<TreeRepair> {
    let (code, offset, done) = match surplus {
        Some(offset) => (CELLS, offset, "each cell beyond the last heading is unread"),
        None if cells < headings => (RAGGED, 0, "the missing cells are empty"),
        None => return None,
    };
    let found =
        format!("{} below {}", many(cells as u64, "cell", "cells"), many(headings as u64, "heading", "headings"));
    Some(TreeRepair { code, at: at(offset), found, done: done.into() })
}

fn too_many(at: usize) -> TreeError {
    TreeError { at, code: "limit.entry", says: TOO_MANY.to_owned() }
}

fn at(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

fn node<'a>(kind: NodeKind, name: &'a str, uri: &'static str, start: usize, end: usize) -> crate::tree::RawNode<'a> {
    let mut raw = Tree::raw(kind, "", start);
    (raw.name, raw.qname, raw.uri, raw.tag, raw.end) = (name, name, uri, tag(name), at(end));
    raw
}

/// Splits a cell into its values, which are separated on these levels. Values of the second level are a list in that of the first.
fn push_list<'a>(
    tree: &mut Tree<'a>,
    root: u32,
    (name, levels): (&'a str, &[char]),
    row: &'a str,
    cell: RawCell<'a>,
    limits: &TreeLimits,
) -> Result<(), TreeError> {
    let list = tree.push(root, node(NodeKind::Element, name, VALUES, cell.at, cell.at + cell.text.len()));
    let ranges = members(&cell.text, levels[0]);
    let mut count = ranges.len();
    let mut place = CellPlace { raw: row.as_bytes(), at: cell.at, text: 0, quoted: cell.quoted };
    for range in ranges {
        let inner = levels.get(1).map_or_else(Vec::new, |inner| members(&cell.text[range.clone()], *inner));
        count += inner.len();
        if count > MOST_MEMBERS || tree.nodes.len() + count > limits.nodes {
            return Err(too_many(cell.at));
        }
        if inner.len() < 2 {
            push_member(tree, list, (name, levels), &mut place, (&cell.text, range));
            continue;
        }
        let start = place.advance_to(range.start);
        let list = tree.push(list, node(NodeKind::Element, name, VALUES, start, start + range.len()));
        for own in inner {
            let own = range.start + own.start..range.start + own.end;
            push_member(tree, list, (name, levels), &mut place, (&cell.text, own));
        }
    }
    Ok(())
}

/// Adds a value of a cell to a list.
fn push_member<'a>(
    tree: &mut Tree<'a>,
    list: u32,
    (name, levels): (&'a str, &[char]),
    place: &mut CellPlace<'_>,
    (cell, range): (&Cow<'a, str>, std::ops::Range<usize>),
) {
    let start = place.advance_to(range.start);
    let text = match cell {
        Cow::Borrowed(text) => Cow::Borrowed(&text[range]),
        Cow::Owned(text) => Cow::Owned(text[range].to_owned()),
    };
    if text.trim().is_empty() {
        tree.push(list, node(NodeKind::Element, name, GAP, start, start));
        return;
    }
    let mut raw = node(NodeKind::Text, name, STRING, start, start + text.len());
    raw.value = if text.contains(ESCAPE) { Cow::Owned(unescaped(&text, levels)) } else { text };
    tree.push(list, raw);
}

/// The places of the values of a list in the text of its cell.
fn members(text: &str, separator: char) -> Vec<std::ops::Range<usize>> {
    let (mut found, mut start, mut escaped) = (Vec::new(), 0, false);
    for at in memchr::memchr2_iter(separator as u8, ESCAPE as u8, text.as_bytes()) {
        // an escape that follows another directly is that one's
        let follows = escaped && at > 0 && text.as_bytes()[at - 1] == ESCAPE as u8;
        match text.as_bytes()[at] {
            _ if follows => escaped = false,
            byte if byte == ESCAPE as u8 => escaped = true,
            _ => {
                escaped = false;
                found.push(start..at);
                start = at + 1;
            }
        }
    }
    found.push(start..text.len());
    found
}

/// A value of a list without its escapes. One before another character is part of the value.
fn unescaped(text: &str, separators: &[char]) -> String {
    let mut value = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.next_if(|next| letter == ESCAPE && (separators.contains(next) || *next == ESCAPE));
        value.push(next.unwrap_or(letter));
    }
    value
}

/// A value of a list with its escapes.
pub fn escaped<'v>(value: &'v str, separators: &[char]) -> Cow<'v, str> {
    if separators.is_empty() || !value.contains(separators) && !value.contains(ESCAPE) {
        return Cow::Borrowed(value);
    }
    let mut text = String::with_capacity(value.len() + 8);
    for letter in value.chars() {
        if letter == ESCAPE || separators.contains(&letter) {
            text.push(ESCAPE);
        }
        text.push(letter);
    }
    Cow::Owned(text)
}

/// Finds the place in the row for one in the text of a cell, where doubled quotes count once. It only moves forward.
struct CellPlace<'r> {
    raw: &'r [u8],
    at: usize,
    text: usize,
    quoted: bool,
}

impl CellPlace<'_> {
    fn advance_to(&mut self, offset: usize) -> usize {
        let mut rest = offset - self.text;
        while rest > 0 {
            let next = if self.quoted { self.raw.get(self.at..self.at + rest) } else { None };
            match next.and_then(|bytes| memchr::memchr(b'"', bytes)) {
                None => {
                    self.at += rest;
                    rest = 0;
                }
                Some(step) => {
                    let doubled = usize::from(self.raw.get(self.at + step + 1) == Some(&b'"'));
                    self.at += step + 1 + doubled;
                    rest -= step + 1;
                }
            }
        }
        self.text = offset;
        self.at
    }
}

/// Appends a cell, in quotes where it needs them.
pub fn write_cell(text: &str, buf: &mut Vec<u8>) {
    let is_special = |byte: u8| matches!(byte, b',' | b'"' | b'\r' | b'\n');
    let edges = text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace);
    if !edges && !text.bytes().any(is_special) {
        return buf.extend_from_slice(text.as_bytes());
    }
    buf.push(b'"');
    for (number, piece) in text.split('"').enumerate() {
        if number > 0 {
            buf.extend_from_slice(b"\"\"");
        }
        buf.extend_from_slice(piece.as_bytes());
    }
    buf.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(row: &str, delimiter: u8) -> Vec<String> {
        cells(row, delimiter).into_iter().map(|cell| cell.text.into_owned()).collect()
    }

    #[test]
    fn cells_of_a_row() {
        assert_eq!(texts("a,b,,\"c,\"\"d\"\"\",", b','), ["a", "b", "", "c,\"d\"", ""]);
        assert_eq!(texts("", b','), [""]);
        assert_eq!(texts("\"a\nb\";c", b';'), ["a\nb", "c"]);
        // quotes inside a cell, and after its end
        assert_eq!(texts("a \"b\",\"12\" screen\",x", b','), ["a \"b\"", "12\" screen", "x"]);
        assert_eq!(texts("\"a", b','), ["a"]);
    }

    #[test]
    fn the_delimiter_follows_from_the_headings() {
        let table = [
            ("loc,title", b','),
            ("loc;title", b';'),
            ("loc\ttitle", b'\t'),
            ("loc;a,b,c", b';'),
            ("\"a;b\",loc", b','),
            ("a;b", b';'),
        ];
        for (header, found) in table {
            assert_eq!(delimiter(header), found, "{header}");
        }
    }

    #[test]
    fn headers_are_known_by_their_headings() {
        let table = [
            ("loc,title", None, true),
            ("loc", None, true),
            ("title", Some("http://a/"), false),
            ("video.file.url", Some("http://a/"), true),
            ("sku,video.duration", Some("1,2"), true),
            ("My site, title, and more", Some("http://a/"), false),
            ("http://a/,title", Some("http://b/,x"), false),
            ("title;url", Some("Frogs;http://a/"), false),
            ("title;id", None, true),
            ("url;2026", Some("url;2027"), false),
            ("loc,sku", Some("http://a/,1,2"), true),
            ("loc,sku", Some("http://a/"), false),
            ("loc,title,", Some("http://a/,1,,2"), true),
            ("url,", Some("http://a/,"), false),
        ];
        for (header, after, found) in table {
            assert_eq!(is_header(header, after), found, "{header}");
        }
    }

    #[test]
    fn a_row_is_a_tree_with_places() {
        let header = "loc,video.tags,SKU";
        let row = "http://a/,\"x|\"\"y\"\"||z\\|w\",7";
        let tree = parse(row, &Headings::read(header), &TreeLimits::default()).unwrap();
        let seen: Vec<_> = tree
            .nodes
            .iter()
            .map(|raw| (raw.name, raw.kind == NodeKind::Text, raw.at, raw.value.to_string()))
            .collect();
        let want = [
            ("", false, 0, ""),
            ("loc", true, 0, "http://a/"),
            ("video.tags", false, 11, ""),
            ("video.tags", true, 11, "x"),
            ("video.tags", true, 13, "\"y\""),
            ("video.tags", false, 19, ""),
            ("video.tags", true, 20, "z|w"),
            ("SKU", true, 26, "7"),
        ];
        assert_eq!(seen, want.map(|(name, text, at, value)| (name, text, at, value.to_owned())));
    }

    #[test]
    fn ragged_rows() {
        let headings = Headings::read("loc,title");
        let read = |row: &'static str| parse(row, &headings, &TreeLimits::default());
        assert!(read("a,b,,").unwrap().repairs.is_empty());
        let tree = read("a,b,c,,d").unwrap();
        assert_eq!((tree.repairs[0].code, tree.repairs[0].at), (CELLS, 4));
        let paths: Vec<_> = (1..5).map(|index| tree.path(index, "")).collect();
        assert_eq!(paths, ["loc", "title", "cell 3", "cell 5"]);
        assert_eq!(read("a,b\0").unwrap().repairs[0].code, NUL);
        let few = TreeLimits { nodes: 4, ..TreeLimits::default() };
        assert_eq!(parse("a,b,c,d", &headings, &few).unwrap_err().at, 6);
        assert_eq!(read("a").unwrap().repairs[0].code, RAGGED);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(cells_in in prop::collection::vec("[a,\"\r\n|\\\\;é ]{0,6}", 1..5)) {
            let mut buf = Vec::new();
            for (number, cell) in cells_in.iter().enumerate() {
                if number > 0 {
                    buf.push(b',');
                }
                write_cell(cell, &mut buf);
            }
            let row = String::from_utf8(buf).unwrap();
            prop_assert_eq!(&texts(&row, b','), &cells_in);
            prop_assert!(cells(&row, b',').iter().all(|cell| !cell.odd));
        }

        #[test]
        fn lists_are_read_as_written(values in prop::collection::vec("[a|\\\\é]{0,6}", 1..5)) {
            let cell: Vec<_> = values.iter().map(|value| escaped(value, &[LIST])).collect();
            let cell = cell.join("|");
            let read: Vec<_> =
                members(&cell, LIST).into_iter().map(|range| unescaped(&cell[range], &[LIST])).collect();
            prop_assert_eq!(read, values);
        }

        #[test]
        fn rows_are_those_of_the_crate_csv(text in "[ab,\"\n]{0,20}") {
            let mut peer = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
            let Some(Ok(record)) = peer.records().next() else { return Ok(()) };
            let whole = peer.position().byte() as usize;
            let row = text.get(..whole).unwrap_or(&text).trim_start_matches('\n').trim_end_matches('\n');
            let ours = cells(row, b',');
            // ours says where quotes are wrong, theirs reads on
            if ours.iter().all(|cell| !cell.odd) {
                let theirs: Vec<&str> = record.iter().collect();
                prop_assert_eq!(ours.iter().map(|cell| cell.text.as_ref()).collect::<Vec<_>>(), theirs);
            }
        }
    }
}
