//! Samples cut off, with a byte missing, and shuffled at random: whatever comes in, the library neither panics nor
//! loses count, and a document that is cut off yields every entry that was complete.

use crate::common::count;

use std::path::Path;

use transfeed::convert::Conversion;
use transfeed::format::{self, Format};

struct Sample {
    name: String,
    bytes: Vec<u8>,
}

fn samples() -> Vec<Sample> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut files: Vec<_> = std::fs::read_dir(root).expect("the samples can be listed").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::path);
    let markdown = |path: &Path| path.extension().is_some_and(|ending| ending == "md");
    let paths = files.into_iter().map(|file| file.path()).filter(|path| !markdown(path));
    let sample = |path: std::path::PathBuf| Sample {
        name: path.display().to_string(),
        bytes: std::fs::read(&path).expect("a sample can be read"),
    };
    paths.map(sample).collect()
}

fn target(id: &str) -> &'static Format {
    format::targets().find(|format| format.id == id).expect("a target of this name")
}

/// Converts to one target; what came out, or that it was refused for a reason.
#[track_caller]
fn convert(what: &str, bytes: &[u8], to: &'static Format) -> Option<String> {
    match Conversion::to(to).bytes(bytes) {
        Ok((text, ledger)) => {
            let totals = ledger.totals();
            let sum = totals.kept + totals.changed + totals.lost + totals.unread + totals.merged;
            assert_eq!(sum, totals.leaves, "{what}: {}", String::from_utf8_lossy(bytes));
            Some(text)
        }
        Err(error) => {
            assert!(!error.is_bug(), "{what}: {error}\n{}", String::from_utf8_lossy(bytes));
            None
        }
    }
}

/// Places in a document, at even distances.
fn cuts(length: usize) -> impl Iterator<Item = usize> {
    let cuts = count(40, 200).min(length);
    (0..cuts).map(move |n| n * length / cuts)
}

#[test]
fn a_document_cut_off_yields_its_complete_entries() {
    // a page is one entry, whole or not
    for Sample { name, bytes } in samples().into_iter().filter(|sample| !sample.name.ends_with(".html")) {
        let whole = convert(&name, &bytes, target("jsonl")).unwrap_or_default();
        let whole: Vec<&str> = whole.lines().skip(1).collect();
        let mut before = 0;
        for cut in cuts(bytes.len()) {
            let what = format!("{name} cut at {cut}");
            let Some(part) = convert(&what, &bytes[..cut], target("jsonl")) else { continue };
            // the last line of a list or a table may be cut
            let spared = usize::from(name.ends_with(".txt") || name.ends_with(".csv"));
            let part: Vec<&str> = part.lines().skip(1).collect();
            let complete = &part[..part.len().saturating_sub(spared)];
            assert!(whole.starts_with(complete), "{what}");
            assert!(complete.len() + spared >= before, "{what}: fewer entries than before");
            before = complete.len();
            convert(&what, &bytes[..cut], target("video-sitemap"));
        }
    }
}

#[test]
fn a_byte_less_is_survived() {
    for Sample { name, bytes } in samples() {
        for at in cuts(bytes.len()) {
            let rest = [&bytes[..at], &bytes[at + 1..]].concat();
            let what = format!("{name} without byte {at}");
            convert(&what, &rest, target("jsonl"));
            convert(&what, &rest, target("video-sitemap"));
        }
    }
}

/// A generator of numbers that needs no dependency and always gives the same (Marsaglia's xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

const INSERTS: &[&[u8]] = &[
    b"<",
    b">",
    b"&",
    b"\"",
    b"'",
    b"</",
    b"/>",
    b"]]>",
    b"<![CDATA[",
    b"<!--",
    b"-->",
    b"<?",
    b"\0",
    b"\x01",
    b"\xFF",
    b"\xC3",
    b"&nbsp;",
    b"&#0;",
    b"<item>",
    b"</item>",
    b"<entry>",
    b"</url>",
    b"</channel>",
    b"</rss>",
    b"<b>",
    b" a=b",
    b"\r",
    b"\xEF\xBB\xBF",
    b"<!DOCTYPE x [",
];

/// One to four changes: bytes inserted, removed, doubled, moved or set.
fn mutate(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(out.len());
        let end = (at + 1 + numbers.below(60)).min(out.len());
        match numbers.below(6) {
            0 | 1 => drop(out.splice(at..at, INSERTS[numbers.below(INSERTS.len())].iter().copied())),
            2 => drop(out.drain(at..end)),
            3 => {
                let piece = out[at..end].to_vec();
                let to = numbers.below(out.len());
                drop(out.splice(to..to, piece));
            }
            4 => out.truncate(end.max(out.len() / 2)),
            _ => {
                if let Some(byte) = out.get_mut(at) {
                    *byte = numbers.below(256) as u8;
                }
            }
        }
    }
    out
}

#[test]
fn random_changes_are_survived() {
    let samples = samples();
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for round in 0..count(400, 2_000) {
        let sample = &samples[round % samples.len()];
        let mutant = mutate(&sample.bytes, &mut numbers);
        let what = format!("{} in round {round}", sample.name);
        convert(&what, &mutant, target(if round % 2 == 0 { "jsonl" } else { "video-sitemap" }));
    }
}
