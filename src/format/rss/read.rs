//! Reads RSS of all versions, with Media RSS or without.
use crate::format::{Around, Cut, Reader};
use crate::model::{Entry, Feed};
use crate::tree::{Node, Take};
#[allow(unused_imports)]
use crate::xml::split::Shape;

/// Reads `rss`.
pub struct Rss;

impl Reader for Rss {
    fn cut(&self) -> Cut {
        Cut::Markup(Shape::RSS)
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

/// Reads `mrss`.
pub struct Mrss;

impl Reader for Mrss {
    fn cut(&self) -> Cut {
        Cut::Markup(Shape::RSS)
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

/// Reads `rss1`.
pub struct Rss1;

impl Reader for Rss1 {
    fn cut(&self) -> Cut {
        Cut::Markup(Shape::RSS)
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

/// Reads `rss09`.
pub struct Rss09;

impl Reader for Rss09 {
    fn cut(&self) -> Cut {
        Cut::Markup(Shape::RSS)
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
