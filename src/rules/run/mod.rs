//! The check of one document: its head, its entries on all cores, then checks over all entries. Memory is bounded:
//! findings are passed on as they are found, and unique values are stored as hashes.

mod books;
mod context;
mod links;
mod repeats;
mod told;
mod whole;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use super::active::ActiveRules;
use super::check::document::MOST;
use super::finding::FindingTotals;
use super::hits::Hits;
use super::levels::VARIANTS;
use super::{Profile, Severity};
use crate::convert::{Document, Input, SourceInfo, each_batch_to, raw_entry};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::markup::Tokeniser;
use crate::xml::chunk::Chunk;
use crate::xml::decode::DecodeFindings as Bytes;
use crate::xml::split::Frame;

use books::{CheckBooks, CheckedChunk};
use context::CheckContext;
pub use context::{Check, FindingSink};
use told::part;

/// Bytes of entries that one core checks at once. The findings of all cores are held until they are in order, and lines of
/// a few letters each have one.
pub const CHECKED_AT_ONCE: usize = 1 << 16;

/// How many findings there are of each rule and severity.
pub type FindingCounts = BTreeMap<(&'static str, Severity), u64>;

/// The result of a check besides its findings.
#[derive(Clone, Debug)]
pub struct CheckSummary {
    /// The document.
    pub source: SourceInfo,
    /// Its format.
    pub format: &'static Format,
    /// The profiles that were checked.
    pub profiles: Vec<Profile>,
    /// Requested profiles that have no rules for this format.
    pub unfit: Vec<Profile>,
    /// Its entries.
    pub entries: u64,
    /// How many findings there are, by severity.
    pub totals: FindingTotals,
    /// The same by rule and severity.
    pub rules: FindingCounts,
    /// Findings that were counted and not handed on.
    pub untold: u64,
    /// What could not be looked at.
    pub notes: Vec<String>,
}

impl Check {
    /// Checks a document.
    ///
    /// # Errors
    /// An input that cannot be read or has no known format, a limit of the document, an error of `out`.
    pub fn run(&self, input: &dyn Input, out: &mut dyn FindingSink) -> Result<CheckSummary, Error> {
        let (mut document, frame) = self.open(input)?;
        let wanted = match self.settings.profiles.as_slice() {
            [] => Profile::defaults(document.format),
            some => some,
        };
        let (profiles, unfit): (Vec<Profile>, Vec<Profile>) =
            wanted.iter().partition(|profile| profile.fits(document.format));
        let active = ActiveRules::for_format(document.format, &profiles, &self.settings);
        let (frame, begun) = match frame {
            Some(frame) => (frame, None),
            None => {
                let around = Frame::default();
                let ground = CheckContext::new(self, &document, &active, &around)?;
                let mut books = CheckBooks::new(&ground, &self.options);
                let (frame, bytes) = ground.entries(&mut books, out)?;
                document.end(&frame, &bytes, &self.options)?;
                (frame, Some(books))
            }
        };
        let ground = CheckContext::new(self, &document, &active, &frame)?;
        let mut books = match begun {
            Some(mut books) => {
                ground.head(&mut books, out)?;
                books
            }
            None => {
                let mut books = CheckBooks::new(&ground, &self.options);
                ground.head(&mut books, out)?;
                ground.entries(&mut books, out)?;
                books
            }
        };
        ground.end(&mut books, out)?;
        ground.once(&mut books, out)?;
        let notes = ground.links_back(&mut books, out)?;
        let mut checked = CheckSummary {
            source: document.info.clone(),
            format: document.format,
            profiles,
            unfit,
            entries: books.entries,
            totals: FindingTotals::default(),
            rules: BTreeMap::new(),
            untold: books.unreported(),
            notes,
        };
        for (number, variant, count) in books.counted() {
            let (Some(rule), Some((severity, _))) = (active.rules.get(number), active.levels.level(number, variant))
            else {
                continue;
            };
            checked.totals.add(severity, count);
            *checked.rules.entry((rule.code, severity)).or_default() += count;
        }
        Ok(checked)
    }

    /// The document, and what is around its entries; a list of feeds too, which cannot be converted. What is around the
    /// entries of a sitemap counts for none of them, so it may be known last: but where only the first findings are wanted,
    /// those of the head are among them.
    fn open<'i>(&self, input: &'i dyn Input) -> Result<(Document<'i>, Option<Frame>), Error> {
        let late: fn(&Format) -> bool = match self.settings.most {
            None => |format| format.family.is_xml_sitemap(),
            Some(_) => |_| false,
        };
        match Document::whole(input, self.from, &self.options, late) {
            Err(error) if self.from.is_none() && matches!(error.kind(), ErrorKind::Format { .. }) => {
                Document::whole(input, Some(&OPML), &self.options, |_| false).map_err(|_| error)
            }
            opened => opened,
        }
    }
}

/// A list of feeds, which is read here only.
pub(crate) static OPML: Format = Format {
    id: "opml",
    title: "OPML (a list of feeds)",
    family: &crate::format::rss::FAMILY,
    reader: &crate::format::rss::read::RssReader,
    writer: None,
};

impl CheckContext<'_> {
    /// All entries, on all cores, in order. Returns what is around them, and what was found out about the bytes.
    fn entries(&self, books: &mut CheckBooks<'_>, out: &mut dyn FindingSink) -> Result<(Frame, Bytes), Error> {
        let listed = Mutex::new(books.listed.clone());
        let work = |chunk: &Chunk| {
            let listed = listed.lock().unwrap_or_else(PoisonError::into_inner).clone();
            self.chunk(chunk, listed)
        };
        let mut take = |chunks: &[Chunk], results: Vec<CheckedChunk>| {
            for (chunk, mut done) in chunks.iter().zip(results) {
                if let Some((first, last)) = done.lines {
                    let mut hits = Hits::new(&self.active.levels);
                    let before = std::mem::replace(&mut books.line, last);
                    // before all else of the chunk
                    done.found.splice(0..0, self.blank(before, first, &mut hits));
                    if let Some(number) = MOST.checked_sub(books.urls).filter(|number| *number < done.urls) {
                        done.found.extend(self.surplus(chunk, number, &mut hits));
                        done.found.sort_by_key(|(_, finding)| finding.key());
                    }
                    books.count(&hits.counts);
                }
                if let Some(count) = &self.check.count {
                    count.fetch_add(done.entries, Ordering::Relaxed);
                }
                books.add(done, self.active, out)?;
            }
            listed.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&books.listed);
            Ok(())
        };
        let mut around = (Frame::default(), Bytes::default());
        each_batch_to(self.document, &self.check.options, &work, &mut take, &mut |frame, bytes| {
            around = (frame, bytes);
            Ok(())
        })?;
        Ok(around)
    }

    /// Checks one chunk, on one thread.
    fn chunk(&self, chunk: &Chunk, listed: Vec<u64>) -> CheckedChunk {
        let mut done = CheckedChunk { counts: vec![[0; VARIANTS]; listed.len()], ..CheckedChunk::default() };
        let mut hits = Hits::new(&self.active.levels);
        hits.listed = listed.into_iter().map(|listed| (listed, 0)).collect();
        let mut tokeniser = Tokeniser::new(&chunk.context.tags, self.learned.take());
        if self.document.format.family.is_lines() {
            self.lines(chunk, &mut done, &mut hits);
        }
        for (offset, piece) in chunk.pieces.iter().enumerate() {
            done.entries += 1;
            let raw = raw_entry(chunk, piece, offset);
            hits.next_entry();
            match self.parse(&raw, &mut tokeniser) {
                Ok(tree) => {
                    let cx = self.cx(Some(raw.number));
                    match self.document.format.family.is_lines() {
                        true => self.active.line(&tree, &cx, &mut hits),
                        false => self.active.tree(&tree, &cx, &mut hits),
                    }
                    self.repairs(&tree, false, &mut hits);
                    if !hits.found.is_empty() {
                        let part = part(raw.text, vec![(0, raw.line, raw.column)], Some(raw.number));
                        done.found.extend(self.findings(&hits, &tree, &part, &chunk.context.path));
                        hits.found.clear();
                    }
                    let page = self.compare(&tree, &cx, &raw, &mut hits, &mut done);
                    if self.links {
                        done.linked.note(&tree, page, &self.secret);
                    }
                    tokeniser.reuse(tree);
                }
                Err(bad) => done.found.extend(self.check_unreadable(&raw, &bad, &mut hits)),
            }
        }
        self.learned.keep(tokeniser.into_memory());
        for trouble in &chunk.trouble {
            done.entries += u64::from(trouble.lost);
            done.found.extend(self.trouble(trouble, &mut hits));
        }
        done.found.sort_by_key(|(_, finding)| finding.key());
        done.counts = std::mem::take(&mut hits.counts);
        done
    }
}
