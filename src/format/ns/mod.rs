//! Vocabularies that several formats share: Media RSS, of Dublin Core terms and GeoRSS what a video or a page has its
//! own place for, the other modules of RSS and Atom, and what single platforms say in namespaces of their own.

pub mod dcterms;
pub mod dialect;
pub mod georss;
pub mod media;
pub mod modules;
