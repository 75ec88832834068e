//! The syntax of JSON: documents into chunks, values into trees. What members mean is for the formats to know.

pub(crate) mod parse;
pub(crate) mod split;
