//! transfeed converts video and page feeds between formats and names every value that a conversion loses.

pub mod code;
pub mod detect;
mod emit;
pub mod error;
pub mod fate;
pub mod format;
pub mod ledger;
pub mod model;
pub mod options;
mod place;
pub mod text;
mod tree;
pub mod xml;
