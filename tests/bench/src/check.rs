//! Whether an output holds what its input promised, before its time counts: as many pages, videos, items or lines, and
//! the same addresses in the same order. The input is not read for that: its recipe tells.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use memchr::memmem::{Finder, find};

use crate::catalogue::{Made, Recipe};

/// What kind of output is to be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `<loc>` in each `<url>`, and a `<video:video>` for each video.
    VideoSitemap,
    /// `<loc>` in each `<url>`.
    Sitemap,
    /// `<link>` in each `<item>`.
    Rss,
    /// An object a line, after the one that is the head.
    JsonLines,
    /// An address a line.
    Text,
    /// What was changed in a document ([`EDIT`]): each change, and no other one.
    Edits,
    /// Anything.
    Anything,
}

/// Every so many entries of the other side of a comparison are changed, from the first one on.
pub const EDITED: usize = 100;

/// What is put at the end of the title of such an entry.
pub const EDIT: &str = " again";

/// Checks the output at `path`; the error tells what is wrong.
pub fn check(path: &Path, kind: Kind, recipe: &Recipe, made: &Made) -> Result<(), String> {
    let plan = match kind {
        Kind::VideoSitemap => Plan {
            entry: "<loc>",
            before: "<loc>",
            after: "</",
            count: &[("<video:video>", made.entries)],
            grouped: true,
        },
        Kind::Sitemap => Plan { entry: "<loc>", before: "<loc>", after: "</", count: &[], grouped: true },
        Kind::Rss => Plan { entry: "<item", before: "<link>", after: "</", count: &[], grouped: false },
        Kind::JsonLines => Plan { entry: "\n{", before: "\"loc\":\"", after: "\"", count: &[], grouped: false },
        Kind::Text => Plan { entry: "", before: "", after: "\n", count: &[], grouped: true },
        Kind::Edits => return edits(path, made.entries),
        Kind::Anything => return Ok(()),
    };
    plan.run(path, recipe, made)
}

/// Whether a comparison told of all edited titles: programs show them in quotes.
fn edits(path: &Path, entries: u64) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (told, due) = (text.matches(&format!("{EDIT}\"")).count() as u64, entries.div_ceil(EDITED as u64));
    if told == due { Ok(()) } else { Err(format!("{told} edited titles of {due}")) }
}

struct Plan<'a> {
    /// What an entry begins with.
    entry: &'a str,
    /// What stands before and after its address.
    before: &'a str,
    after: &'a str,
    /// What else is there how often.
    count: &'a [(&'a str, u64)],
    /// Entries of one page are one.
    grouped: bool,
}

impl Plan<'_> {
    fn run(&self, path: &Path, recipe: &Recipe, made: &Made) -> Result<(), String> {
        let failed = |error: io::Error| format!("{}: {error}", path.display());
        let mut pieces = Pieces::new(File::open(path).map_err(failed)?, self.entry);
        let mut numbers = 0..made.entries;
        let mut counts = vec![0; self.count.len()];
        let mut seen = 0;
        while let Some(piece) = pieces.next().map_err(failed)? {
            for (count, (what, _)) in counts.iter_mut().zip(self.count) {
                *count += Finder::new(what).find_iter(piece).count() as u64;
            }
            let expected = numbers.by_ref().map(|n| recipe.entry(n)).find(|entry| !self.grouped || !entry.shares);
            let Some(expected) = expected else {
                return Err(format!("more entries than the {seen} of the input"));
            };
            seen += 1;
            let found = self.address(piece).ok_or_else(|| format!("entry {seen} has no address"))?;
            if found != expected.link() {
                return Err(format!("entry {seen} is {found}, where {} was due", expected.link()));
            }
        }
        let due = if self.grouped { made.pages } else { made.entries };
        if seen != due {
            return Err(format!("{seen} entries of {due}"));
        }
        for (count, (what, due)) in counts.iter().zip(self.count) {
            if count != due {
                return Err(format!("{count} {what} of {due}"));
            }
        }
        Ok(())
    }

    fn address(&self, piece: &[u8]) -> Option<String> {
        let from = find(piece, self.before.as_bytes())? + self.before.len();
        let to = find(&piece[from..], self.after.as_bytes())?;
        let text = String::from_utf8_lossy(&piece[from..from + to]);
        let bare = text.trim().strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>"));
        Some(bare.map_or_else(|| text.trim().replace("&amp;", "&").replace("&#38;", "&"), str::to_owned))
    }
}

/// A file cut before each needle; what stands before the first is left out. Without a needle, its lines.
struct Pieces<'a> {
    file: File,
    needle: Finder<'a>,
    lines: bool,
    buffer: Vec<u8>,
    at: usize,
    started: bool,
}

impl<'a> Pieces<'a> {
    fn new(file: File, needle: &'a str) -> Pieces<'a> {
        let lines = needle.is_empty();
        let needle = Finder::new(if lines { "\n" } else { needle });
        Pieces { file, needle, lines, buffer: Vec::new(), at: 0, started: lines }
    }

    fn next(&mut self) -> io::Result<Option<&[u8]>> {
        let mut from = self.at + usize::from(!self.lines && self.started);
        loop {
            if let Some(found) = self.buffer.get(from..).and_then(|rest| self.needle.find(rest)) {
                let (start, end) = (self.at, from + found + usize::from(self.lines));
                self.at = end;
                if self.started {
                    return Ok(Some(&self.buffer[start..end]));
                }
                self.started = true;
                from = self.at + 1;
                continue;
            }
            from = from.max(self.buffer.len().saturating_sub(32)) - self.at;
            self.buffer.drain(..self.at);
            self.at = 0;
            let had = self.buffer.len();
            if (&mut self.file).take(1 << 20).read_to_end(&mut self.buffer)? == 0 {
                let rest = self.started && had > 0;
                self.at = had;
                self.started = false;
                return Ok(if rest { Some(&self.buffer[..]) } else { None });
            }
        }
    }
}
