//! Reads The model itself as JSON: one document, or a line an entry. Loses nothing.
use crate::format::{Around, Cut, Reader};
use crate::model::{Entry, Feed};
use crate::tree::{Node, Take};
#[allow(unused_imports)]
use crate::xml::split::Shape;

/// Reads `json`.
pub struct Json;

impl Reader for Json {
    fn cut(&self) -> Cut {
        Cut::Json
    }
    fn head<'t, 'a>(&self, _root: Node<'t, 'a>, _take: &mut Take<'t, 'a>, _feed: &mut Feed<'a>, _around: Around<'a>) {}
    fn entry<'t, 'a>(
        &self,
        _root: Node<'t, 'a>,
        _take: &mut Take<'t, 'a>,
        _entry: &mut Entry<'a>,
        _around: Around<'a>,
    ) {
    }
}

/// Reads `jsonl`.
pub struct Jsonl;

impl Reader for Jsonl {
    fn cut(&self) -> Cut {
        Cut::Json
    }
    fn head<'t, 'a>(&self, _root: Node<'t, 'a>, _take: &mut Take<'t, 'a>, _feed: &mut Feed<'a>, _around: Around<'a>) {}
    fn entry<'t, 'a>(
        &self,
        _root: Node<'t, 'a>,
        _take: &mut Take<'t, 'a>,
        _entry: &mut Entry<'a>,
        _around: Around<'a>,
    ) {
    }
}
