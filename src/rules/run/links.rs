//! The links between the pages of sitemaps that are versions of each other: noted in a pass of their own, before entries are
//! checked. Whether they link back is a check (`check::extension`).

use super::Check;
use crate::convert::{Document, Input, each_batch, raw_entry};
use crate::error::Error;
use crate::format::Family;
use crate::rules::check::extension::Alternates;
use crate::xml::parse::{self, Scope};
use crate::xml::plain::Paths;
use crate::xml::split::Chunk;

impl Check {
    /// Notes the pages and alternates of a document, for rules about a set of documents.
    ///
    /// # Errors
    /// As [`Check::run`].
    pub fn note_alternates(&self, input: &dyn Input, alternates: &mut Alternates) -> Result<(), Error> {
        let document = Document::glanced(input, self.from, &self.options)?;
        self.learn(&document, alternates)
    }

    pub(super) fn learn(&self, document: &Document<'_>, alternates: &mut Alternates) -> Result<(), Error> {
        if document.format.family != Family::Sitemap {
            return Ok(());
        }
        let hasher = alternates.hasher();
        let look = |chunk: &Chunk| {
            if !chunk.context.tags.contains("xhtml") && !chunk.text.contains("hreflang") {
                return Vec::new();
            }
            let mut reading = Paths::new(Scope::of(&chunk.context.tags));
            let pages = chunk.pieces.iter().enumerate().filter_map(|(offset, piece)| {
                let raw = raw_entry(chunk, piece, offset);
                if let Some(page) = Alternates::of_plain(raw.text, &hasher) {
                    return Some(page);
                }
                let tree = parse::parse_below(raw.text, &mut reading, &self.options.limits.tree).ok()?;
                let page = Alternates::of(&tree, &hasher);
                reading.reuse(tree);
                page
            });
            pages.collect()
        };
        each_batch(document, &self.options, &look, &mut |_, found| {
            found.into_iter().flatten().for_each(|page| alternates.add(page));
            Ok(())
        })
    }
}
