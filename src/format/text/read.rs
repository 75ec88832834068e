//! Reads Lists of addresses, one a line.
use crate::format::{Around, Cut, Reader};
use crate::model::{Entry, Feed};
use crate::tree::{Node, Take};
#[allow(unused_imports)]
use crate::xml::split::Shape;

/// Reads `text`.
pub struct Text;

impl Reader for Text {
    fn cut(&self) -> Cut {
        Cut::Lines
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
