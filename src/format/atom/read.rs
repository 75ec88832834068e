//! Reads Atom 1.0 and 0.3, with Media RSS or without.
use crate::format::{Around, Cut, Reader};
use crate::model::{Entry, Feed};
use crate::tree::{Node, Take};
#[allow(unused_imports)]
use crate::xml::split::Shape;

/// Reads `atom`.
pub struct Atom;

impl Reader for Atom {
    fn cut(&self) -> Cut {
        Cut::Markup(Shape::ATOM)
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

/// Reads `atom-media`.
pub struct AtomMedia;

impl Reader for AtomMedia {
    fn cut(&self) -> Cut {
        Cut::Markup(Shape::ATOM)
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

/// Reads `atom03`.
pub struct Atom03;

impl Reader for Atom03 {
    fn cut(&self) -> Cut {
        Cut::Markup(Shape::ATOM)
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
