//! transfeed converts video and page feeds between formats and names every value that a conversion loses.
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
//! [`read`] takes any format and encoding, and puts up with what is wrong (`document.diagnostics`). [`Document`] tells how
//! documents are made by hand, and what becomes of edits in the report.
//!
//! # A stream: convert, filter
//!
//! [`Conversion`] holds no document: files of any size are converted in constant memory, on all cores, and changed on
//! their way with [`Conversion::map`]. [`reader`] reads a stream one entry after the other.
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
//! `cli` (default) is the program `transfeed`; without it the library needs no command-line crates. `rss` and `atom` (default)
//! turn documents into the types of the crates `rss` and `atom_syndication`, and back.

mod api;
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

pub use api::{
    Audience, Available, Category, Cloud, Conversion, Copyright, Credit, DataAttribute, DataObject, Decimal,
    Diagnostic, Document, Embed, Enclosure, Entry, FeedImage, File, Flag, Foreign, Format, Gallery, Generator, Hash,
    Head, Image, InReplyTo, Input, License, Link, Location, Loss, Module, ModuleAttribute, News, NoDecimal, PageMap,
    Param, PeerLink, Person, Platform, Player, Price, Provenance, Rating, Reader, Report, Restriction, Row, Scene,
    Segment, Source, Status, Subtitle, TagWeight, Target, Text, TextInput, TextKind, Thumbnail, TimedText, Tv, TypedId,
    Uploader, UriRestriction, Video, VideoLocation, read, reader,
};
pub use code::{Code, LossKind, Severity};
pub use error::{Error, ErrorKind};
pub use ledger::Totals;
pub use model::{Date, Precision};
pub use options::Options;
