//! transfeed converts video and page feeds between formats and names every value that a conversion loses.
//!
//! ```
//! use transfeed::{Conversion, format};
//!
//! let feed = br#"<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><item>
//!   <link>https://example.com/1</link>
//!   <media:content url="https://example.com/1.mp4" duration="77" bitrate="800">
//!     <media:title>A lighthouse</media:title>
//!     <media:description>It turns.</media:description>
//!     <media:thumbnail url="https://example.com/1.jpg"/>
//!   </media:content>
//! </item></channel></rss>"#;
//!
//! let (sitemap, report) = Conversion::to(&format::sitemap::VIDEO).bytes(feed)?;
//!
//! assert!(sitemap.contains("<video:duration>77</video:duration>"));
//! assert_eq!(report.lost().next().unwrap().0, "video.file.bitrate");
//! let sums = report.totals();
//! assert_eq!(sums.leaves, sums.kept + sums.changed + sums.lost + sums.unread + sums.merged);
//! # Ok::<(), transfeed::error::Error>(())
//! ```
//!
//! [`convert`] has the ways in: whole documents ([`convert::Conversion`]), entries one by one
//! ([`convert::Entries`]), models made by hand ([`convert::write`]). [`model`] is what every format is read into.
//! [`ledger`] keeps the books. docs/ARCHITECTURE.md of the repository tells how it hangs together.

#[cfg(feature = "cli")]
pub mod cli;
pub mod code;
pub mod convert;
pub mod detect;
pub mod diagnostic;
pub mod diff;
mod emit;
pub mod error;
pub mod example;
pub mod fate;
pub mod format;
#[cfg(feature = "html")]
pub mod html;
pub mod inspect;
pub mod interop;
pub mod job;
pub mod ledger;
pub mod matrix;
pub mod model;
pub mod options;
mod pages;
mod place;
pub mod report;
mod resolve;
pub mod rules;
#[cfg(test)]
mod schemas {
    mod tests;
}
mod survey;
pub mod text;
pub mod tree;
pub mod xml;

pub use convert::Conversion;
