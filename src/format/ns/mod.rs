//! Vocabularies that several formats share: Media RSS and the modules of RSS and Atom.

pub mod modules;
