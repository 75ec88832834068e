//! A fast path for entries that are only a URL, as nearly all lines of a list are: after one was read and written the
//! usual way, the others are written like it. Only for URLs in normal form that need no remark from a reader or writer
//! and pass the rules of the chosen profile; every other line goes the usual way. Only here is a leaf counted without
//! its mark: it is kept as the first one was.

use super::sink::WrittenEntry;
use crate::convert::converted::ConvertedChunk;
use crate::format::{EntryTally, FormatWriter, Setup, profile};
use crate::ledger::Totals;
use crate::model::Field;
use crate::text::url::{SettledUrls, UrlSigns};

/// The bytes around the URL of an entry that has no other value.
pub(super) struct BareUrlWriter<'s> {
    setup: &'s Setup<'s>,
    spell: fn(&str, &mut Vec<u8>),
    around: Option<(Vec<u8>, Vec<u8>)>,
    settled: SettledUrls,
}

/// A line that is a URL that needs no remark.
#[derive(Clone, Copy)]
pub(super) struct BareUrl<'l> {
    line: &'l str,
    signs: UrlSigns,
}

impl<'s> BareUrlWriter<'s> {
    /// For lists of URLs, if the target writes such a URL without further values.
    pub fn new(writer: &dyn FormatWriter, setup: &'s Setup<'s>) -> Option<BareUrlWriter<'s>> {
        let spell = writer.address_alone(setup).filter(|_| setup.source.family.is_lines())?;
        Some(BareUrlWriter { setup, spell, around: None, settled: SettledUrls::default() })
    }

    /// This line, if it is a URL that needs no remark.
    pub fn accepts<'l>(&mut self, line: &'l str) -> Option<BareUrl<'l>> {
        let signs = self.settled.signs(line).filter(|signs| !signs.has_reference())?;
        profile::refusal(line, self.setup).is_none().then_some(BareUrl { line, signs })
    }

    /// Learns from what was done with one that went the usual way; `before` are the sums without it.
    pub fn learn(&mut self, BareUrl { line, .. }: BareUrl<'_>, done: &ConvertedChunk, before: &Totals) {
        let kept = Totals { leaves: before.leaves + 1, kept: before.kept + 1, ..*before };
        let Some(piece) = done.pieces.last().filter(|piece| done.ledger.totals() == kept && is_usual(piece)) else {
            return;
        };
        let Some(written) = done.bytes.get(piece.start..piece.end) else { return };
        let mut address = Vec::new();
        (self.spell)(line, &mut address);
        if let Some(at) = memchr::memmem::find(written, &address) {
            self.around = Some((written[..at].to_vec(), written[at + address.len()..].to_vec()));
        }
    }

    /// Writes one like the one that was learned from; false if there was none yet.
    pub fn write(&self, BareUrl { line, signs }: BareUrl<'_>, between: &[u8], done: &mut ConvertedChunk) -> bool {
        let Some((front, back)) = &self.around else { return false };
        if !done.bytes.is_empty() {
            done.bytes.extend_from_slice(between);
        }
        let start = done.bytes.len();
        done.bytes.extend_from_slice(front);
        // of all that is in a settled URL, formats spell only the ampersand otherwise
        match signs.ampersand {
            true => (self.spell)(line, &mut done.bytes),
            false => done.bytes.extend_from_slice(line.as_bytes()),
        }
        done.bytes.extend_from_slice(back);
        done.pieces.push(WrittenEntry {
            start,
            end: done.bytes.len(),
            entries: 1,
            tally: EntryTally::default(),
            apart: 0,
        });
        done.objects.entries_written += 1;
        done.objects.pages_written += 1;
        done.ledger.count_kept_value(Field::Loc);
        true
    }
}

/// Whether it counts as one entry and adds nothing to an index.
fn is_usual(piece: &WrittenEntry) -> bool {
    piece.entries == 1 && piece.tally == EntryTally::default()
}

#[cfg(test)]
mod tests {
    use super::super::document::Document;
    use super::super::look::ChunkSurvey;
    use super::super::objects::{Drops, Objects};
    use super::super::run::setup;
    use super::*;
    use crate::convert::Bytes;
    use crate::format::{Survey, sitemap, text};
    use crate::ledger::Ledger;
    use crate::options::{Options, Profile};

    fn done(written: &[u8]) -> ConvertedChunk {
        let piece = WrittenEntry { start: 0, end: written.len(), entries: 1, tally: EntryTally::default(), apart: 0 };
        let mut ledger = Ledger::new(false);
        ledger.count_kept_value(Field::Loc);
        let (bytes, pieces, glance) = (written.to_vec(), vec![piece], ChunkSurvey::default());
        ConvertedChunk {
            bytes,
            pieces,
            apart: Vec::new(),
            ledger,
            objects: Objects::default(),
            drops: Drops::default(),
            scratch: None,
            glance,
        }
    }

    #[test]
    fn the_second_is_written_like_the_first() {
        let base = Some("https://a.example/s/map.xml".to_owned());
        let options = Options { profile: Profile::Yandex, base, ..Options::default() };
        let input = Bytes { name: "list", bytes: b"https://a.example/s/1\n" };
        let document = Document::open(&input, Some(&text::TEXT), &options).expect("a list");
        let survey = Survey::default();
        let setup = setup(&sitemap::SITEMAP, &options, (&document, &document), &survey);
        let writer = sitemap::SITEMAP.writer.expect("a target");
        let mut bare = BareUrlWriter::new(writer, &setup).expect("a list");
        for taken in ["https://a.example/s/1", "https://a.example/s/?a=1&b=2"] {
            assert!(bare.accepts(taken).is_some(), "{taken}");
        }
        let long = format!("https://a.example/s/{}", "x".repeat(1_100));
        let others =
            ["https://a.example/s/1#b", "https://a.example/s/?a&amp;b", "https://b.example/s/1", "words", &long];
        for other in others {
            assert!(bare.accepts(other).is_none(), "{other}");
        }
        let (one, two) =
            (bare.accepts("https://a.example/s/1").unwrap(), bare.accepts("https://a.example/s/2").unwrap());
        let more = bare.accepts("https://a.example/s/?a=1&b=2").unwrap();
        let mut done = done(b"<url><loc>https://a.example/s/1</loc></url>");
        assert!(!bare.write(two, b"\n", &mut done), "nothing was learned yet");
        // one of which something else was told teaches nothing
        bare.learn(one, &done, &Totals { lost: 1, ..Totals::default() });
        assert!(!bare.write(two, b"\n", &mut done));
        bare.learn(one, &done, &Totals::default());
        assert!(bare.write(more, b"\n", &mut done));
        let written = String::from_utf8(done.bytes).expect("text");
        let (_, second) = written.split_once('\n').expect("two");
        assert_eq!(second, "<url><loc>https://a.example/s/?a=1&amp;b=2</loc></url>");
        assert_eq!((done.pieces.len(), done.ledger.totals().kept, done.ledger.totals().leaves), (2, 2, 2));
    }
}
