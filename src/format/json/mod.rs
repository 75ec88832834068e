//! The model itself as JSON: `json` (one document) and `jsonl` (a line an entry). Loses nothing.

pub mod parse;
