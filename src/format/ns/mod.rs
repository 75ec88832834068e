//! Vocabularies that several formats share: Media RSS, and of Dublin Core terms and GeoRSS what a video or a page
//! has its own place for. Not the modules that only RSS has.

pub mod dcterms;
pub mod georss;
pub mod media;
