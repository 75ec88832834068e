//! The syntax of JSON: documents into chunks, values into trees, also of the JSON in HTML pages. What members mean is for the
//! formats to know.

pub(crate) mod names;
pub(crate) mod nested;
pub(crate) mod page;
pub(crate) mod page_split;
pub(crate) mod parse;
pub(crate) mod split;

/// Whether the path of a value is inside another: below an object or an element, or in a list.
pub(crate) fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.starts_with(['/', '[']))
}
