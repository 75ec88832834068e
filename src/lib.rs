//! transfeed converts video and page feeds between formats and reports every value that is lost.
//!
//! # A document: read, edit, write
//!
//! ```
//! use transfeed::Target;
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
//! let mut document = transfeed::read(feed)?; // or the path of a file
//! for entry in &mut document.entries {
//!     entry.videos.retain(|video| video.duration.is_some_and(|duration| duration.as_secs() > 10));
//! }
//! let (sitemap, report) = document.write(Target::VIDEO_SITEMAP)?;
//!
//! assert!(String::from_utf8(sitemap).unwrap().contains("<video:duration>77</video:duration>"));
//! let losses: Vec<String> = report.losses().map(|loss| loss.to_string()).collect();
//! assert_eq!(losses.len(), 1);
//! assert!(losses[0].starts_with("video.file.bitrate \"800\" (3:"), "{}", losses[0]);
//! # Ok::<(), transfeed::Error>(())
//! ```
//!
//! [`read`] accepts any format and encoding, and repairs problems (`document.diagnostics`). [`Document`] describes how to
//! build documents, and how edits are reported.
//!
//! # A stream: convert, filter
//!
//! [`Conversion`] converts files of any size in constant memory, on all cores, and edits entries
//! with [`Conversion::map`]. [`reader`] reads a stream entry by entry.
//!
//! ```no_run
//! use std::fs::File;
//! use transfeed::{Conversion, Target};
//!
//! let report = Conversion::to(Target::MRSS).run("catalogue.atom", File::create("catalogue.mrss")?)?;
//! println!("{report}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! `cli` (default) is the program `transfeed`; without it the library has no command-line dependencies. `rss` and `atom`
//! (default) convert documents to and from the types of the crates `rss` and `atom_syndication`.

pub mod api;
mod emit;
mod gzip;
mod json;
mod pages;
mod place;
mod pool;
mod resolve;
mod survey;
#[cfg(test)]
mod schemas {
    mod tests;
}

// The program, and the tests, the fuzzer and the bench of this repository, use these modules from outside this crate,
// so they cannot be private. They are not part of the library, and change without notice.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod code;
#[doc(hidden)]
pub mod convert;
#[doc(hidden)]
pub mod detect;
#[doc(hidden)]
pub mod diagnostic;
#[doc(hidden)]
pub mod diff;
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod example;
#[doc(hidden)]
pub mod fate;
#[doc(hidden)]
pub mod format;
#[cfg(feature = "html")]
#[doc(hidden)]
pub mod html;
#[doc(hidden)]
pub mod inspect;
#[doc(hidden)]
pub mod interop;
#[doc(hidden)]
pub mod job;
#[doc(hidden)]
pub mod ledger;
#[doc(hidden)]
pub mod markup;
#[doc(hidden)]
pub mod matrix;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod reason;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod rules;
pub mod select;
#[doc(hidden)]
pub mod table;
#[doc(hidden)]
pub mod text;
#[doc(hidden)]
pub mod tree;
#[doc(hidden)]
pub mod work;
pub mod xml;

#[doc(no_inline)]
pub use api::page::{
    Cloud, DataAttribute, DataObject, Enclosure, FeedImage, Flag, Foreign, Generator, Image, InReplyTo, Link, Location,
    Module, ModuleAttribute, News, PageMap, Person, Source, SourceImage, TextInput,
};
#[doc(no_inline)]
pub use api::video::{
    Audience, Available, Category, Copyright, Credit, Embed, File, Gallery, Hash, License, Param, PeerLink, Platform,
    Player, Price, Rating, Restriction, Scene, Segment, Status, Subtitle, TagWeight, Thumbnail, TimedText, Tv, TypedId,
    Uploader, UriRestriction, VideoLocation,
};
#[doc(inline)]
pub use api::{
    Conversion, Decimal, Diagnostic, Document, Format, Input, Loss, NoDecimal, Provenance, Reader, Report, Row, Target,
    Text, page::Entry, page::Head, read, reader, save, video::Video,
};
#[doc(inline)]
pub use code::{Code, LossKind, Severity};
#[doc(inline)]
pub use convert::Pool;
#[doc(inline)]
pub use error::{Error, ErrorKind, ErrorPart};
#[doc(inline)]
pub use ledger::Totals;
#[doc(inline)]
pub use model::{Date, Precision, TextKind};
#[doc(inline)]
pub use options::{
    Extensions, ForeignMode, Items, Limits, Options, Profile, RenditionRule, TableRows, ThumbnailRule, TitleSource,
};
#[doc(inline)]
pub use xml::{decode::Caps, limits::TreeLimits};
