//! The model: one page with its videos, and the head of the document it came from.

pub mod date;
pub mod value;
