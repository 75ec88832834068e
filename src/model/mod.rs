//! The model: one page with its videos, and the head of the document it came from.
