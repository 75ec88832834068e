//! The syntax of JSON: documents into chunks, values into trees, also of the JSON in HTML pages. What members mean is for the
//! formats to know.

pub(crate) mod page;
pub(crate) mod parse;
pub(crate) mod split;
pub(crate) mod whole;
