//! The kinds of checks, and the checks themselves, one file per table of rules. A check reads markup and returns
//! problems; rule and severity are in the table.

pub(super) mod address;
pub(super) mod atom;
pub(super) mod document;
pub(super) mod extension;
pub(super) mod jsonfeed;
pub(super) mod jsonld;
pub(super) mod kind;
pub(super) mod media;
pub(super) mod module;
pub(super) mod opml;
pub(super) mod page;
pub(super) mod podcast;
mod reading;
pub(super) mod rss;
pub(super) mod value;
pub(super) mod video;

pub(crate) use kind::CheckKind;
