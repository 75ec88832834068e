//! Cuts.
use crate::convert::Cutter;
use crate::xml::split::{Limits, Lines};
use std::io::Read;
/// A cutter.
pub(crate) fn cutter<'i, R: Read + Send + 'i>(input: R, _lines: bool, limits: Limits) -> Box<dyn Cutter + Send + 'i> {
    Box::new(Lines::new(input, limits))
}
