//! Checks of a document as a file: head, encoding, size, name, blank lines.

use std::sync::atomic::Ordering;

use super::books::{CheckBooks, CheckedChunk, NumberedFinding};
use super::context::{CheckContext, FindingSink};
use super::told::part;
use crate::convert::{RawEntry, raw_entry};
use crate::error::Error;
use crate::rules::check::page::listed;
use crate::rules::hits::{Hits, QuotedValue, cut};
use crate::xml::chunk::Chunk;

/// Articles of a news sitemap.
const ARTICLES: u64 = 1000;

/// Bytes of a document, before compression, that are read.
const BYTES: u64 = 52_428_800;

/// Repairs of the prolog of a document; each rule about them reports only the first.
const ONCE: [&str; 3] = ["xml.doctype", "xml.entity", "xml.prolog"];

/// The lines of a list that are URLs.
fn urls(chunk: &Chunk) -> impl Iterator<Item = RawEntry<'_>> {
    let lines = chunk.pieces.iter().enumerate().map(|(offset, piece)| raw_entry(chunk, piece, offset));
    lines.filter(|line| listed(line.text).is_some())
}

impl CheckContext<'_> {
    /// The head, and what is wrong with the bytes and the markup around the entries.
    pub(super) fn head(&self, books: &mut CheckBooks<'_>, out: &mut dyn FindingSink) -> Result<(), Error> {
        let mut hits = Hits::new(&self.active.levels);
        self.active.tree(&self.head, &self.cx(None), &mut hits);
        self.repairs(&self.head, true, &mut hits);
        let places = self.frame.segments.iter().map(|segment| (segment.at, segment.line, segment.column)).collect();
        let part = part(&self.frame.text, places, None);
        let mut found = self.findings(&hits, &self.head, &part, "");
        let encoding = &self.document.info.encoding;
        if encoding != "UTF-8" && !self.document.format.family.is_model() && self.document.format.id != "html" {
            // for a label like ISO-8859-1, which is decoded as windows-1252, name the declared encoding
            let odd = self.document.trouble.iter().any(|trouble| trouble.code.starts_with("encoding."));
            let declared = self.document.wrapping.declared.as_ref().filter(|name| !odd && name.len() < 40);
            let says = format!("the document is in {}", declared.unwrap_or(encoding));
            found.extend(self.whole("D02", says, "save it as UTF-8, and declare that", &mut hits));
        }
        let bytes = self.document.bytes.load(Ordering::Relaxed);
        let is_feed = self.document.format.family.protocol || self.document.format.family.is_feed();
        if bytes > BYTES && is_feed {
            let code = if self.document.is_index() { "D08" } else { "D07" };
            let says = format!("the document has {bytes} bytes, at most {BYTES} are read");
            let hint = match self.document.format.family.is_xml_sitemap() {
                true => "split it: `transfeed convert` does so when it writes a sitemap with -o",
                false => "split it: `transfeed convert --split-bytes 50MiB` does",
            };
            found.extend(self.whole(code, says, hint, &mut hits));
        }
        let mut reported = Vec::new();
        for trouble in &self.document.trouble {
            let rule = self.active.of_repair(trouble.code).filter(|_| ONCE.contains(&trouble.code));
            // a document type with entities is one problem, and so is all that comes before the root
            if rule.is_some() && reported.contains(&rule) {
                continue;
            }
            reported.extend(rule.map(Some));
            found.extend(self.trouble(trouble, &mut hits));
        }
        found.sort_by_key(|(_, finding)| finding.key());
        books.count(&hits.counts);
        books.forward(found, self.active, out)
    }

    /// Findings about the document's format.
    pub(super) fn format_findings(&self, books: &CheckBooks<'_>, hits: &mut Hits<'_>) -> Vec<NumberedFinding> {
        let format = self.document.format;
        let mut found = Vec::new();
        if !format.family.protocol {
            let says = format!("Yandex does not read {} as a sitemap", format.title);
            let hint = "convert it: transfeed convert FEED --to sitemap --for yandex -o sitemap.xml";
            found.extend(self.whole("D17", says, hint, hits));
        }
        let name = self.check.settings.file_name.as_deref().filter(|_| format.family.is_lines());
        if let Some(name) = name.filter(|name| !name.ends_with(".txt") && !name.ends_with(".txt.gz")) {
            let says = format!("the name {} does not end in .txt", QuotedValue(name));
            found.extend(self.whole("T02", says, "rename it, e.g. to sitemap.txt", hits));
        }
        if books.articles > ARTICLES {
            let says = format!("the file lists {} articles, Google reads {ARTICLES}", books.articles);
            found.extend(self.whole("N01", says, "remove articles older than two days, or split the file", hits));
        }
        found
    }

    /// The URLs and the blank lines of a chunk; the lines before it are its neighbours' affair.
    pub(super) fn lines(&self, chunk: &Chunk, done: &mut CheckedChunk, hits: &mut Hits<'_>) {
        done.urls = urls(chunk).count() as u64;
        let lost = chunk.trouble.iter().filter(|trouble| trouble.lost).map(|trouble| trouble.line);
        let mut lines: Vec<u32> = chunk.pieces.iter().map(|piece| piece.line).chain(lost).collect();
        lines.sort_unstable();
        for pair in lines.windows(2) {
            done.found.extend(self.blank(pair[0], pair[1], hits));
        }
        done.lines = lines.first().copied().zip(lines.last().copied());
    }

    /// Reports the first URL of too many in a list, by its number in this chunk; other lines do not count.
    pub(super) fn surplus(&self, chunk: &Chunk, number: u64, hits: &mut Hits<'_>) -> Option<NumberedFinding> {
        let rule = self.active.levels.number("D06")?;
        let first = urls(chunk).nth(usize::try_from(number).ok()?)?;
        let says = "this is URL 50,001; a list has at most 50,000".to_owned();
        let hint = "split it: `transfeed convert --to text --split 50000 -o FILE` does so".to_owned();
        let place = (first.line, first.column, Some(first.number));
        self.placed((rule, 0), place, (says, hint, Some(cut(first.text.trim(), 200))), hits)
    }

    /// Reports blank lines between two other lines.
    pub(super) fn blank(&self, before: u32, next: u32, hits: &mut Hits<'_>) -> Option<NumberedFinding> {
        let count = next.saturating_sub(before).checked_sub(1).filter(|count| *count > 0)?;
        let rule = self.active.levels.number("T03")?;
        let (says, hint) = match count {
            1 => ("a blank line".to_owned(), "remove it"),
            count => (format!("{count} blank lines"), "remove them"),
        };
        self.placed((rule, 0), (before + 1, 1, None), (says, hint.to_owned(), None), hits)
    }
}
