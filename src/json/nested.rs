//! Takes entries out of a text that holds several; the rest goes to the frame. The formats know where the entries are.

use std::ops::Range;

use crate::xml::chunk::Piece;
use crate::xml::frame::FrameBuilder;
use crate::xml::limits::TreeLimits;
use crate::xml::place::Place;

/// An entry in a text, by its bytes there.
pub struct NestedEntry {
    /// The JSON of the entry.
    pub value: Range<usize>,
    /// The same, with what separates it from the next value or the last one: the rest stays JSON without it.
    pub place: Range<usize>,
}

/// Finds the entries in a text, in their order; none if the text is one.
pub(crate) type FindEntries = fn(&str, &TreeLimits) -> Vec<NestedEntry>;

/// Finds the entries in bytes. Those that are not UTF-8 have no meaning to them.
pub(crate) fn find(bytes: &[u8], find: FindEntries, limits: &TreeLimits) -> Vec<NestedEntry> {
    match std::str::from_utf8(bytes) {
        Ok(text) => find(text, limits),
        Err(_) => {
            let mut text = String::with_capacity(bytes.len());
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(chunk.invalid().iter().map(|_| '?'));
            }
            find(&text, limits)
        }
    }
}

/// Puts the entries of a text that begins at a place behind others, and the rest into the frame.
pub(crate) fn part(
    bytes: &[u8],
    mut place: Place,
    found: &[NestedEntry],
    frame: &mut FrameBuilder,
    (text, pieces): (&mut Vec<u8>, &mut Vec<Piece>),
) {
    let mut at = 0;
    let mut pass = |to: usize| {
        let (from, passed) = (place, bytes.get(at..to).unwrap_or_default());
        place.advance(passed);
        at = at.max(to);
        (passed, from)
    };
    for entry in found {
        let (around, from) = pass(entry.place.start);
        frame.push(around, from);
        pass(entry.value.start);
        let (value, begin) = pass(entry.value.end);
        let start = text.len();
        text.extend_from_slice(value);
        pieces.push(Piece { start, end: text.len(), line: begin.line, column: begin.column });
        pass(entry.place.end);
        frame.skip();
    }
    let (rest, from) = pass(bytes.len());
    frame.push(rest, from);
}
