//! Vocabularies that several formats share: Media RSS, of Dublin Core terms and GeoRSS what a video or a page has its
//! own place for, and the other modules of RSS and Atom.

pub mod dcterms;
pub mod georss;
pub mod media;
pub mod modules;
