//! The links between pages of sitemaps in different languages. Links are recorded during the check; only if a link is
//! not returned, the document is read again for the place. The link itself is checked in `check::extension`.

use super::books::CheckBooks;
use super::context::{Check, CheckContext, FindingSink, LINKS_BACK};
use super::told::part;
use crate::convert::{Document, Input, each_batch, raw_entry};
use crate::error::Error;
use crate::markup::{Tokeniser, TokeniserMemory};
use crate::rules::alternates::{Alternates, LinkedPages};
use crate::rules::check::extension::{itself, one_way};
use crate::rules::finding::Finding;
use crate::rules::hits::Hits;
use crate::rules::levels::VARIANTS;
use crate::xml::chunk::Chunk;

impl Check {
    /// Notes the pages and alternates of a document, for rules about a set of documents.
    ///
    /// # Errors
    /// As [`Check::run`].
    pub fn note_alternates(&self, input: &dyn Input, alternates: &mut Alternates) -> Result<(), Error> {
        let document = Document::open_briefly(input, self.from, &self.options)?;
        if !document.format.family.is_xml_sitemap() {
            return Ok(());
        }
        let secret = alternates.secret();
        let look = |chunk: &Chunk| {
            let mut linked = LinkedPages::default();
            let mut tokeniser = Tokeniser::new(&chunk.context.tags, TokeniserMemory::default());
            for (offset, piece) in chunk.pieces.iter().enumerate() {
                let raw = raw_entry(chunk, piece, offset);
                if linked.note_plain(raw.text, &secret) {
                    continue;
                }
                if let Ok(tree) = tokeniser.tree(raw.text, &self.options.limits.tree) {
                    linked.note(&tree, None, &secret);
                    tokeniser.reuse(tree);
                }
            }
            linked
        };
        each_batch(&document, &self.options, &look, &mut |_, found| {
            found.iter().for_each(|linked| alternates.add(linked));
            Ok(())
        })
    }
}

impl CheckContext<'_> {
    /// The rule whose findings wait until all pages are known.
    pub(super) fn waits(&self) -> Option<usize> {
        let rule = self.active.levels.number(LINKS_BACK).filter(|_| self.links)?;
        self.active.levels.most.get(rule).is_some_and(|most| *most < u64::MAX).then_some(rule)
    }

    /// What is known of links when all pages are. Returns what could not be looked at.
    pub(super) fn links_back(
        &self,
        books: &mut CheckBooks<'_>,
        out: &mut dyn FindingSink,
    ) -> Result<Vec<String>, Error> {
        let Some(alternates) = books.alternates.take() else {
            return Ok(self.check.alternates.as_ref().map_or(Vec::new(), |alternates| alternates.notes()));
        };
        let Some(rule) = self.active.levels.number(LINKS_BACK) else { return Ok(Vec::new()) };
        let most = self.active.levels.most.get(rule).copied().unwrap_or(u64::MAX);
        let mut waiting = books.waiting.take().map(|(_, waiting)| waiting);
        if alternates.has_one_way() {
            let work = |chunk: &Chunk| self.one_way(chunk, rule, &alternates);
            each_batch(self.document, &self.check.options, &work, &mut |_, results| {
                for (found, counts) in results {
                    books.count(&counts);
                    match &mut waiting {
                        Some(waiting) => first(waiting, found, most),
                        None => {
                            books.forward(found.into_iter().map(|found| (rule, found)).collect(), self.active, out)?
                        }
                    }
                }
                Ok(())
            })?;
        }
        if let Some(waiting) = waiting {
            books.listed[rule] = 0;
            books.forward(waiting.into_iter().map(|found| (rule, found)).collect(), self.active, out)?;
        }
        Ok(alternates.notes())
    }

    /// The links of a chunk that nobody returns, as far as they may be wanted, and how many there are.
    fn one_way(&self, chunk: &Chunk, rule: usize, alternates: &Alternates) -> (Vec<Finding>, Vec<[u64; VARIANTS]>) {
        let (mut found, mut hits) = (Vec::new(), Hits::new(&self.active.levels));
        let mut tokeniser = Tokeniser::new(&chunk.context.tags, TokeniserMemory::default());
        hits.rule = rule;
        let pieces = if chunk.text.contains("hreflang") { chunk.pieces.as_slice() } else { &[] };
        for (offset, piece) in pieces.iter().enumerate() {
            let raw = raw_entry(chunk, piece, offset);
            let Some(tree) = self.parse(&raw, &mut tokeniser).ok().filter(|_| raw.text.contains("hreflang")) else {
                continue;
            };
            let (Some(root), cx) = (tree.root(), self.cx(Some(raw.number))) else { continue };
            hits.next_entry();
            // was reported already, and counts toward the listed findings of an entry
            let told = hits.counts[rule];
            itself(root, &cx, &mut hits);
            hits.counts[rule] = told;
            let own = hits.found.len();
            one_way(root, alternates, &cx, &mut hits);
            let part = part(raw.text, vec![(0, raw.line, raw.column)], Some(raw.number));
            let findings = self.findings(&hits, &tree, &part, &chunk.context.path);
            found.extend(findings.into_iter().skip(own).map(|(_, finding)| finding));
            hits.found.clear();
            tokeniser.reuse(tree);
        }
        found.sort_by_key(Finding::key);
        (found, hits.counts)
    }
}

/// Adds to findings what else was found, and keeps the first of all.
fn first(waiting: &mut Vec<Finding>, found: Vec<Finding>, most: u64) {
    waiting.extend(found);
    waiting.sort_by_key(Finding::key);
    waiting.truncate(usize::try_from(most).unwrap_or(usize::MAX));
}
