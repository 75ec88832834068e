//! The structs that documents consist of, with typed members: [`page`] has entries and heads, [`video`] videos and their
//! files. All of them, and what reads and writes documents, are at the root of the crate.

// They are created from the model and turned into it again when they are written; the pipeline never builds them.
mod conversion;
mod decimal;
mod document;
mod edit;
mod input;
mod levels;
mod options;
mod original;
pub(crate) mod output;
pub mod page;
mod part;
mod report;
mod target;
mod text;
pub mod video;

#[doc(hidden)]
pub use conversion::Conversion;
#[doc(hidden)]
pub use decimal::{Decimal, NoDecimal};
#[doc(hidden)]
pub use document::{Document, Reader, read, reader};
#[doc(hidden)]
pub use input::Input;
#[doc(hidden)]
pub use output::save;
#[doc(no_inline)]
pub use page::{Entry, Head};
#[doc(hidden)]
pub use part::Provenance;
#[cfg(any(feature = "rss", feature = "atom"))]
pub(crate) use report::shown;
#[doc(hidden)]
pub use report::{Diagnostic, Loss, Report, Row};
#[doc(hidden)]
pub use target::{Format, Target};
#[doc(hidden)]
pub use text::Text;
