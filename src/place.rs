//! From the mark of a leaf to its path, line, column and value in the source. Asked only for what a report shows,
//! so it reads the piece of source again rather than burdening every entry with it.

use crate::format::json;
use crate::ledger::Example;
use crate::model::origin::{Origin, Part, Syntax};
use crate::tree::NodeKind;
use crate::xml::parse::{self, Scope, TreeLimits};

/// What is looked at here was read before, within the limits of the run.
const PARSED: TreeLimits = TreeLimits {
    depth: usize::MAX,
    attributes: usize::MAX,
    namespaces: usize::MAX,
    text: usize::MAX,
    attribute: usize::MAX,
};

struct Spot {
    at: u32,
    path: String,
    value: Option<String>,
}

/// The places of one entry's leaves, found when first asked for.
pub struct Places<'o, 'a> {
    origin: &'o Origin<'a>,
    spots: Vec<Option<Vec<Spot>>>,
}

impl<'o, 'a> Places<'o, 'a> {
    /// For the leaves of an entry or a head.
    pub fn new(origin: &'o Origin<'a>) -> Places<'o, 'a> {
        Places { origin, spots: Vec::new() }
    }

    /// The entry itself, where no leaf of it is meant.
    pub fn entry(&self) -> Example {
        let part = self.origin.parts.first();
        let place = part.and_then(|part| part.places.first());
        let line = place.map(|place| place.1);
        let column = place.map(|place| place.2);
        Example { entry: part.and_then(|part| part.entry), line, column, path: None, from: None, to: None }
    }

    /// The leaf with this number.
    pub fn example(&mut self, index: usize, to: Option<String>) -> Example {
        let Some(record) = self.origin.records.get(index) else { return Example { to, ..self.entry() } };
        let number = self.origin.parts.iter().rposition(|part| part.first as usize <= index);
        let Some((number, part)) = number.and_then(|number| Some((number, self.origin.parts.get(number)?))) else {
            return Example { to, ..self.entry() };
        };
        if self.spots.len() <= number {
            self.spots.resize_with(number + 1, || None);
        }
        let spots = self.spots[number].get_or_insert_with(|| locate(part));
        let found = spots.binary_search_by_key(&record.at, |spot| spot.at).ok().and_then(|found| spots.get(found));
        let (line, column) = position(part, record.at as usize);
        Example {
            entry: part.entry,
            line: Some(line),
            column: Some(column),
            path: Some(found.map_or_else(|| part.context.path.clone(), |spot| spot.path.clone())),
            from: found.and_then(|spot| spot.value.clone()),
            to,
        }
    }
}

/// The line and column of an offset in a piece of source. A line ends at LF, or at CR without LF.
pub fn position(part: &Part<'_>, at: usize) -> (u32, u32) {
    let nearest = part.places.iter().rev().find(|place| place.0 <= at).copied().unwrap_or((0, 1, 1));
    let between = part.raw.get(nearest.0..at).unwrap_or("");
    let next = part.raw.as_bytes().get(at).copied();
    advance(between, next, nearest.1, nearest.2)
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

/// All leaves of a piece of source, in document order.
fn locate(part: &Part<'_>) -> Vec<Spot> {
    let raw: &str = &part.raw;
    let tree = match part.syntax {
        Syntax::Line => {
            return vec![Spot { at: 0, path: part.context.path.clone(), value: Some(raw.to_owned()) }];
        }
        Syntax::Xml => parse::parse(raw, &Scope::of(&part.context.tags), &PARSED).ok(),
        Syntax::Json => json::parse::parse(raw, usize::MAX).ok(),
    };
    let Some(tree) = tree else { return Vec::new() };
    let paths = tree.paths(&part.context.path);
    let mut spots: Vec<Spot> = Vec::new();
    for (index, (raw, path)) in tree.nodes.iter().zip(paths).enumerate() {
        let value = match raw.kind {
            NodeKind::Element if tree.is_leaf(index as u32) => None,
            NodeKind::Element => continue,
            NodeKind::Attribute | NodeKind::Text => Some(raw.value.clone().into_owned()),
        };
        spots.push(Spot { at: raw.at, path, value });
    }
    // a first run of text bears the place of its element's start tag, before the attributes
    spots.sort_by_key(|spot| spot.at);
    spots
}
