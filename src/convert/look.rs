//! The first look at all entries: what the head of the output must know, and which entries are one page.

use std::collections::{HashMap, HashSet};

use super::document::Document;
use super::read::{raw_entry, read_entry};
use crate::format::{Around, Survey, json};
use crate::model::{Entry, IntoOwned};
use crate::options::Options;
use crate::pages;
use crate::survey;
use crate::xml::parse::Scope;
use crate::xml::split::Chunk;

/// Which entries are one page with an earlier one.
#[derive(Default)]
pub(super) struct Joins {
    /// The later ones: (document, number).
    pub(super) later: HashSet<(usize, u64)>,
    /// For the first of each page, the later ones, in order.
    pub(super) of: HashMap<(usize, u64), Vec<Entry<'static>>>,
}

/// What the first look at a chunk found.
pub(super) struct Glance {
    pub(super) survey: Survey,
    pub(super) keys: Vec<(u64, u128)>,
}

impl Glance {
    pub(super) fn of(
        chunk: &Chunk,
        document: &Document<'_>,
        options: &Options,
        groups: bool,
        hasher: &std::collections::hash_map::RandomState,
    ) -> Glance {
        let mut glance = Glance { survey: Survey::default(), keys: Vec::new() };
        let scope = Scope::of(&chunk.context.tags);
        let around = Around { feed: Some(&document.feed), options };
        let family = json::family_format(document.format, &document.feed).family;
        for (offset, piece) in chunk.pieces.iter().enumerate() {
            let raw = raw_entry(chunk, piece, offset, &scope);
            let Ok(entry) = read_entry(document.format, &raw, around) else { continue };
            survey::look(&entry, &mut glance.survey);
            if groups && let Some(key) = pages::key(&entry, family) {
                use std::hash::BuildHasher;
                let high = hasher.hash_one((0_u8, &key));
                let low = hasher.hash_one((1_u8, &key));
                glance.keys.push((raw.number, u128::from(high) << 64 | u128::from(low)));
            }
        }
        glance
    }
}

pub(super) fn reread(chunk: &Chunk, number: u64, document: &Document<'_>, options: &Options) -> Option<Entry<'static>> {
    let offset = number.checked_sub(chunk.first)? as usize;
    let scope = Scope::of(&chunk.context.tags);
    let raw = raw_entry(chunk, chunk.pieces.get(offset)?, offset, &scope);
    let around = Around { feed: Some(&document.feed), options };
    read_entry(document.format, &raw, around).ok().map(IntoOwned::into_owned)
}
