//! The formats, one folder each: how a document is read into the model, how the model is written, and what becomes
//! of every field (read, write and fate side by side). Nothing here does input or output.

pub mod atom;
mod audience;
pub(crate) mod choice;
mod contract;
pub mod csv;
pub(crate) mod embedded;
mod family;
pub mod json;
pub mod jsonfeed;
pub mod jsonld;
pub(crate) mod medium;
pub mod ns;
mod order;
pub(crate) mod profile;
mod rank;
mod registry;
pub mod rss;
pub(crate) mod share;
pub mod sitemap;
mod stamp;
#[cfg(test)]
mod tests;
pub mod text;
pub mod yandex;

pub use contract::{EntryDelimiter, EntryTally, Format, FormatReader, FormatWriter, ReadContext, Setup, Survey};
pub(crate) use contract::{ForeignHandling, PageGrouping, WrittenVideos};
pub use family::{EntryKind, Family};
pub use registry::{FORMATS, by_id, targets};
pub(crate) use registry::{around, family_format};
