//! Vocabularies that several formats share: Media RSS, the modules of RSS and Atom, and of Dublin Core terms and
//! GeoRSS what a video or a page has its own place for.

pub mod dcterms;
pub mod georss;
pub mod media;
pub mod modules;
