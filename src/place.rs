//! From the mark of a leaf to its path, line, column and value in the source. Asked only for what a report shows, and for the
//! elements that unknown markup goes back into, so it looks into the tree that the entry was read as, or reads the piece of
//! source again, rather than burdening every entry with it.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::format::csv::row::{self, Headings};
use crate::json;
use crate::markup;
use crate::model::origin::{LeafRecord, Origin, SourcePart, Syntax};
use crate::model::{Entry, Feed, Mark};
use crate::tree::{NodeKind, PathBuilder, Tree};
use crate::work;
use crate::xml::limits::TreeLimits;

/// What is looked at here was read before, within the limits of the run.
const PARSED: TreeLimits = TreeLimits {
    depth: usize::MAX,
    attributes: usize::MAX,
    namespaces: usize::MAX,
    text: usize::MAX,
    attribute: usize::MAX,
    nodes: usize::MAX,
};

/// The leaves of one piece of source. A path is made when it is asked for: all of them can be far longer than the
/// piece.
struct SourceLeaves<'o> {
    lines: LineIndex<'o>,
    nodes: LeafNodes<'o>,
    /// The path that was asked for last.
    path: String,
    /// The node whose path it begins with, and how much of it that is.
    above: Option<(u32, usize)>,
}

/// The markup of one piece of source.
struct LeafNodes<'o> {
    tree: Cow<'o, Tree<'o>>,
    /// Offset and node of each leaf, in document order.
    leaves: Vec<(u32, u32)>,
}

/// A leaf as reports show it. Absent members are unknown.
#[derive(Default)]
pub struct ReportedLeaf<'t> {
    /// The input, where there are several.
    pub input: Option<&'t str>,
    /// 0-based number of the entry in its source.
    pub entry: Option<u64>,
    /// 1-based.
    pub line: Option<u32>,
    /// 1-based, in characters.
    pub column: Option<u32>,
    /// Its path in the source.
    pub path: Option<&'t str>,
    /// Its value there.
    pub from: Option<&'t str>,
    /// The value as written to the output.
    pub to: Option<Cow<'t, str>>,
}

/// The places of one entry's leaves, found when first asked for.
pub struct LeafPlaces<'o, 'a> {
    origin: &'o Origin<'a>,
    spots: Vec<Option<SourceLeaves<'o>>>,
}

impl<'o, 'a> LeafPlaces<'o, 'a> {
    /// For the leaves of an entry or a head.
    pub fn new(origin: &'o Origin<'a>) -> LeafPlaces<'o, 'a> {
        LeafPlaces { origin, spots: Vec::new() }
    }

    /// The entry itself, where no leaf of it is meant.
    pub fn entry<'t>(&self, to: Option<Cow<'t, str>>) -> ReportedLeaf<'t>
    where
        'o: 't,
    {
        Self::start_of(self.origin.parts.first(), to)
    }

    /// The entry that a leaf is of, where several were joined.
    pub fn entry_of<'t>(&self, leaf: Mark, to: Option<Cow<'t, str>>) -> ReportedLeaf<'t>
    where
        'o: 't,
    {
        let parts: &'o [SourcePart<'a>] = &self.origin.parts;
        let is_own = leaf.is_some() && !leaf.of_feed();
        let behind = if is_own { parts.partition_point(|part| part.first <= leaf.0) } else { 0 };
        Self::start_of(parts.get(behind.saturating_sub(1)), to)
    }

    fn start_of<'t>(part: Option<&'o SourcePart<'a>>, to: Option<Cow<'t, str>>) -> ReportedLeaf<'t>
    where
        'o: 't,
    {
        let place = part.and_then(|part| part.places.first());
        let line = place.map(|place| place.1);
        let column = place.map(|place| place.2);
        let input = part.and_then(|part| part.context.input.as_deref());
        ReportedLeaf { input, entry: part.and_then(|part| part.entry), line, column, to, ..ReportedLeaf::default() }
    }

    /// The leaf with this number.
    pub fn leaf<'t>(&'t mut self, index: usize, to: Option<Cow<'t, str>>) -> ReportedLeaf<'t> {
        let Some(record) = self.origin.records.get(index) else { return self.entry(to) };
        if record.at == LeafRecord::NOWHERE {
            let entry = self.origin.held.map(|held| held.number);
            return ReportedLeaf { entry, to, ..ReportedLeaf::default() };
        }
        let parts: &'o [SourcePart<'a>] = &self.origin.parts;
        let behind = parts.partition_point(|part| part.first as usize <= index);
        let Some((number, part)) = behind.checked_sub(1).and_then(|number| Some((number, parts.get(number)?))) else {
            return self.entry(to);
        };
        if self.spots.len() <= number {
            self.spots.resize_with(number + 1, || None);
        }
        let tree: Option<&'o Tree<'a>> = self.origin.tree.as_ref();
        let spots = self.spots[number].get_or_insert_with(|| SourceLeaves::new(part, tree));
        let (line, column) = spots.lines.at(record.at as usize);
        let (path, from) = spots.find(part, record.at);
        let (line, column, path) = (Some(line), Some(column), Some(path));
        ReportedLeaf { input: part.context.input.as_deref(), entry: part.entry, line, column, path, from, to }
    }
}

/// The elements of the source that the values of an entry or a head are from, for those who put markup back into them.
pub(crate) struct SourceElements<'o, 'a> {
    origin: &'o Origin<'a>,
    /// The source is not the model's own JSON, which has the paths of another document.
    is_here: bool,
    of_head: bool,
    found: Option<(LeafNodes<'o>, PathBuilder)>,
}

impl<'o, 'a> SourceElements<'o, 'a> {
    /// For the values of an entry of a document with this head.
    pub fn of_entry(entry: &'o Entry<'a>, head: &Feed<'_>) -> SourceElements<'o, 'a> {
        let (origin, is_here) = (&entry.origin, head.origin.before.format.is_none());
        SourceElements { origin, is_here, of_head: false, found: None }
    }

    /// For the values of an entry that was just read from markup.
    pub fn of_origin(origin: &'o Origin<'a>) -> SourceElements<'o, 'a> {
        SourceElements { origin, is_here: true, of_head: false, found: None }
    }

    /// For the values of a head.
    pub fn of_head(head: &'o Feed<'a>) -> SourceElements<'o, 'a> {
        let (origin, is_here) = (&head.origin, head.origin.before.format.is_none());
        SourceElements { origin, is_here, of_head: true, found: None }
    }

    /// The path of the element that has the value, as unknown markup in it has it; `None` if that is not known. Where entries are
    /// joined, their elements have new numbers.
    pub fn path(&mut self, mark: Mark) -> Option<String> {
        let [part] = self.origin.parts.as_slice() else { return None };
        let record = self.origin.record(mark).filter(|_| self.is_here && mark.of_feed() == self.of_head)?;
        let at = Some(record.at).filter(|at| *at != LeafRecord::NOWHERE)?;
        let (found, paths) = self.found.get_or_insert_with(|| {
            let found = LeafNodes::new(part, self.origin.tree.as_ref());
            let paths = PathBuilder::for_tree(&found.tree);
            (found, paths)
        });
        let leaf = found.at(at)?;
        let raw = found.tree.nodes.get(leaf as usize)?;
        let path = paths.path(&found.tree, if raw.kind == NodeKind::Element { leaf } else { raw.parent });
        Some(self.origin.path_now(path))
    }
}

/// The element of a path with its attribute; an element without a prefix is that of the one around it (`author/name`).
pub(crate) fn element_name(path: &str) -> String {
    let mut steps: Vec<&str> = path.split('/').map(|step| step.split('[').next().unwrap_or(step)).collect();
    let attribute = steps.pop_if(|last| last.starts_with('@')).unwrap_or_default();
    let element = steps.pop().unwrap_or_default();
    let around = steps.last().filter(|around| !["item", "entry", "url", "sitemap"].contains(around));
    match around.filter(|_| !element.contains(':')) {
        Some(around) => format!("{around}/{element}{attribute}"),
        None => format!("{element}{attribute}"),
    }
}

/// Bytes between two places that are counted once and for all.
const STEP: usize = 256;

/// Lines and columns in a piece of source, asked for in any order: one that is long, in one line and with many leaves
/// is not counted from its beginning for each of them.
#[derive(Default)]
pub struct LineIndex<'p> {
    text: &'p str,
    /// Offset, line and column, at least one in every [`STEP`] bytes.
    stops: Vec<(usize, u32, u32)>,
    /// The last position that was looked up: the next one is often close behind it.
    last: Option<(usize, u32, u32)>,
}

impl<'p> LineIndex<'p> {
    /// Counts the lines of a piece once.
    pub fn new(part: &'p SourcePart<'_>) -> LineIndex<'p> {
        let text: &'p str = &part.raw;
        let mut stops = Vec::with_capacity(part.places.len() + text.len() / STEP);
        for (number, &place) in part.places.iter().enumerate() {
            let end = part.places.get(number + 1).map_or(text.len(), |next| next.0);
            let mut stop = place;
            stops.push(stop);
            while end.saturating_sub(stop.0) > STEP {
                let Some(at) = (stop.0 + STEP..end).find(|&at| text.is_char_boundary(at)) else { break };
                let (line, column) = count(text, stop, at);
                stop = (at, line, column);
                stops.push(stop);
            }
        }
        LineIndex { text, stops, last: None }
    }

    /// The line and column of an offset. A line ends at LF, or at CR without LF.
    pub fn at(&mut self, offset: usize) -> (u32, u32) {
        let behind = self.stops.partition_point(|stop| stop.0 <= offset);
        let stop = behind.checked_sub(1).and_then(|number| self.stops.get(number)).copied().unwrap_or((0, 1, 1));
        let closer = self.last.filter(|last| (stop.0..=offset).contains(&last.0));
        let (line, column) = count(self.text, closer.unwrap_or(stop), offset);
        self.last = Some((offset, line, column));
        (line, column)
    }
}

/// Lines and columns in the pieces of source of an entry, each counted when it is first asked for.
pub struct PieceLines<'p, 'a> {
    parts: &'p [SourcePart<'a>],
    counted: HashMap<u32, LineIndex<'p>>,
}

impl<'p, 'a> PieceLines<'p, 'a> {
    /// Of these pieces.
    pub fn new(parts: &'p [SourcePart<'a>]) -> PieceLines<'p, 'a> {
        PieceLines { parts, counted: HashMap::new() }
    }

    /// The line and column of a byte offset in the piece with this number.
    pub fn at(&mut self, piece: u32, offset: u32) -> Option<(u32, u32)> {
        let part = self.parts.get(piece as usize)?;
        let lines = self.counted.entry(piece).or_insert_with(|| LineIndex::new(part));
        Some(lines.at(offset as usize))
    }
}

/// The line and column of an offset, counted from a stop before it.
fn count(text: &str, stop: (usize, u32, u32), offset: usize) -> (u32, u32) {
    let between = text.get(stop.0..offset).unwrap_or("");
    advance(between, text.as_bytes().get(offset).copied(), stop.1, stop.2)
}

/// Moves a line and a column over a text; `next` is the byte behind it.
pub fn advance(text: &str, next: Option<u8>, mut line: u32, mut column: u32) -> (u32, u32) {
    let bytes = text.as_bytes();
    let mut start = 0;
    for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        let after = bytes.get(at + 1).copied().or(next);
        if bytes[at] == b'\n' || after != Some(b'\n') {
            line += 1;
            column = 1;
            start = at + 1;
        }
    }
    (line, column + text[start..].chars().count() as u32)
}

/// The parsed tree; an empty one if the text could not be read.
fn owned<'o>(tree: Option<Tree<'o>>) -> Cow<'o, Tree<'o>> {
    Cow::Owned(tree.unwrap_or_default())
}

impl<'o> LeafNodes<'o> {
    /// The leaves of a piece, by the tree that was read from it, where that is still at hand.
    fn new(part: &'o SourcePart<'_>, tree: Option<&'o Tree<'_>>) -> LeafNodes<'o> {
        let raw: &'o str = &part.raw;
        let tree = match (part.syntax, tree) {
            (Syntax::Xml, Some(tree)) => Cow::Borrowed(tree),
            (Syntax::Xml, None) => owned(markup::parse(raw, &part.context.tags, &PARSED).ok()),
            (Syntax::Json, _) => owned(json::parse::parse(raw, &PARSED).ok()),
            (Syntax::Row, _) => owned(row::parse(raw, &Headings::read(&part.context.tags), &PARSED).ok()),
            (Syntax::Html, _) => Cow::Owned(json::page::parse_page(raw, &PARSED)),
            (Syntax::Line, _) => owned(None),
        };
        work::count(tree.nodes.len());
        let nodes = tree.nodes.iter().zip(0_u32..);
        let found = nodes.filter(|(_, index)| tree.is_leaf(*index)).map(|(raw, index)| (raw.at, index));
        let mut leaves: Vec<(u32, u32)> = Vec::with_capacity(tree.nodes.len());
        leaves.extend(found);
        // a first run of text bears the place of its element's start tag, before the attributes
        leaves.sort_by_key(|(at, _)| *at);
        LeafNodes { tree, leaves }
    }

    /// The leaf at this offset.
    fn at(&self, at: u32) -> Option<u32> {
        let found = self.leaves.binary_search_by_key(&at, |(at, _)| *at).ok()?;
        self.leaves.get(found).map(|(_, index)| *index)
    }
}

impl<'o> SourceLeaves<'o> {
    fn new(part: &'o SourcePart<'_>, tree: Option<&'o Tree<'_>>) -> SourceLeaves<'o> {
        let (lines, nodes) = (LineIndex::new(part), LeafNodes::new(part, tree));
        SourceLeaves { lines, nodes, path: String::new(), above: None }
    }

    /// The path and the value of the leaf at this offset.
    fn find<'t>(&'t mut self, part: &'t SourcePart<'_>, at: u32) -> (&'t str, Option<&'t str>) {
        let above = part.context.path.as_str();
        if part.syntax == Syntax::Line {
            let line = part.raw.get(at as usize..).and_then(|rest| rest.split('\n').next());
            return (above, line);
        }
        let Some(index) = self.nodes.at(at) else { return (above, None) };
        self.go(index, above);
        let raw = self.nodes.tree.nodes.get(index as usize);
        let value = raw.filter(|raw| raw.kind != NodeKind::Element).map(|raw| &*raw.value);
        (&self.path, value)
    }

    /// Makes the path of a leaf, of which most is often that of the last one.
    fn go(&mut self, index: u32, above: &str) {
        let parent = self.nodes.tree.nodes.get(index as usize).map_or(index, |raw| raw.parent);
        match self.above {
            Some((node, length)) if node == parent => self.path.truncate(length),
            _ => {
                self.path = self.nodes.tree.path(parent, above);
                self.above = Some((parent, self.path.len()));
            }
        }
        if let Some(raw) = self.nodes.tree.nodes.get(index as usize) {
            // as the tree does it: the members of a list in JSON are named by the list
            let in_list = self.nodes.tree.nodes.get(raw.parent as usize).is_some_and(|up| up.uri == "list");
            let sign = if raw.kind == NodeKind::Attribute { "@" } else { "" };
            if !in_list && (!sign.is_empty() || !raw.qname.is_empty()) {
                self.path.push_str(if self.path.is_empty() && sign.is_empty() { "" } else { "/" });
                self.path.push_str(sign);
                self.path.push_str(raw.qname);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_counted_from_the_beginning() {
        let raw = "é\r\nab\rc\n".repeat(700) + &"x中\r".repeat(900) + &"long ".repeat(800);
        let second = raw.char_indices().nth(3000).map_or(0, |(at, _)| at);
        let part = SourcePart {
            first: 0,
            entry: None,
            raw: raw.as_str().into(),
            syntax: Syntax::Xml,
            context: std::sync::Arc::default(),
            places: vec![(0, 7, 3), (second, 9000, 5)],
        };
        let mut lines = LineIndex::new(&part);
        assert!(lines.stops.len() > raw.len() / STEP);
        for at in (0..=raw.len()).filter(|&at| raw.is_char_boundary(at)) {
            let (start, line, column) = part.places[usize::from(at >= second)];
            let next = raw.as_bytes().get(at).copied();
            assert_eq!(lines.at(at), advance(&raw[start..at], next, line, column), "{at}");
        }
        // in another order, so that what was asked last is of no use
        let forward: Vec<_> = (0..raw.len()).step_by(7).filter(|&at| raw.is_char_boundary(at)).collect();
        let found: Vec<_> = forward.iter().map(|&at| lines.at(at)).collect();
        let back: Vec<_> = forward.iter().rev().map(|&at| lines.at(at)).collect();
        assert!(found.iter().eq(back.iter().rev()));
    }
}
