//! transfeed converts video and page feeds between formats and names every value that a conversion loses.

#[cfg(feature = "cli")]
pub mod cli;
pub mod code;
pub mod convert;
pub mod detect;
pub mod diagnostic;
mod emit;
pub mod error;
pub mod fate;
pub mod format;
pub mod interop;
pub mod ledger;
pub mod matrix;
pub mod model;
pub mod options;
mod pages;
mod place;
pub mod report;
mod resolve;
mod survey;
pub mod text;
pub mod tree;
pub mod xml;
