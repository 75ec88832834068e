//! Splits written entries into one or several documents, so that none exceeds a limit (rule A14). It handles only whole
//! entries; their content and the names of files are defined elsewhere.

use super::output::Output;
use super::runs::Spool;
use crate::diagnostic;
use crate::error::{Error, ErrorKind};
use crate::format::{EntryTally, Format};
use crate::ledger::Diagnostic;
use crate::model::Date;
use crate::options::Options;
use crate::survey::newer;
use crate::text::grouped;

/// What one document holds, of several that were written or of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutputPart {
    /// Entries, as the format counts them: elements, lines, objects.
    pub entries: u64,
    /// Bytes, before they are compressed.
    pub bytes: u64,
    /// `news:news` elements.
    pub news: u64,
    /// The latest `lastmod`, if the format has one.
    pub lastmod: Option<Date>,
}

/// A written entry: its place among the bytes of its chunk, and its counts.
#[derive(Clone, Copy)]
pub(super) struct WrittenEntry {
    pub start: usize,
    pub end: usize,
    pub entries: u64,
    pub tally: EntryTally,
    /// Bytes of it that are in a file.
    pub apart: u64,
}

/// Videos of an entry that wait in a file.
pub(super) struct VideosApart {
    /// Where they belong among the bytes of the chunk.
    pub place: usize,
    pub videos: Spool,
}

/// What one document may hold.
#[derive(Clone, Copy)]
struct DocumentLimits {
    entries: u64,
    bytes: u64,
    news: u64,
}

impl DocumentLimits {
    const ANY: DocumentLimits = DocumentLimits { entries: u64::MAX, bytes: u64::MAX, news: u64::MAX };
    /// The limits of sitemaps.org for sitemaps of either kind.
    const SITEMAP: DocumentLimits = DocumentLimits { entries: 50_000, bytes: 52_428_800, news: NEWS };

    fn passed(&self, part: &OutputPart) -> bool {
        part.entries > self.entries || part.bytes > self.bytes || part.news > self.news
    }

    /// The first limit that a document exceeds, as text.
    fn excess(&self, part: &OutputPart) -> String {
        let sums = [
            (part.entries, self.entries, "URLs"),
            (part.bytes, self.bytes, "bytes"),
            (part.news, self.news, "articles"),
        ];
        let over = sums.into_iter().find(|(has, most, _)| has > most);
        over.map_or_else(String::new, |(has, most, what)| {
            format!("{} {what}, and a sitemap may have {}", grouped(has), grouped(most))
        })
    }
}

/// Articles in a sitemap (Google).
const NEWS: u64 = 1_000;

/// When another part begins.
#[derive(Clone, Copy)]
pub(super) struct PartLimits {
    /// By the protocol.
    protocol: DocumentLimits,
    /// What holds here.
    most: DocumentLimits,
    /// Somebody asked for parts.
    asked: bool,
    /// Whether the output is split. A list of URLs has the limits of the protocol too, but may serve any purpose, so it
    /// is split only on request.
    splits: bool,
    /// Parts are of no use without an index.
    indexed: bool,
    /// The protocol means this target.
    sitemap: bool,
    /// No document beyond the protocol is to be written.
    refuses: bool,
}

impl PartLimits {
    const NONE: PartLimits = PartLimits {
        protocol: DocumentLimits::ANY,
        most: DocumentLimits::ANY,
        asked: false,
        splits: false,
        indexed: false,
        sitemap: false,
        refuses: false,
    };

    /// Whether the parts are named by an index.
    pub fn indexed(&self) -> bool {
        self.indexed
    }

    /// The limits of this target, and those requested. A sitemap index (`is_index`) cannot be listed in another index.
    ///
    /// # Errors
    /// Parts without entries, or without a known URL.
    pub fn for_target(to: &Format, is_index: bool, options: &Options) -> Result<PartLimits, Error> {
        let protocol = match to.family.protocol {
            true => DocumentLimits::SITEMAP,
            false => DocumentLimits::ANY,
        };
        let most = DocumentLimits {
            entries: options.split.unwrap_or(protocol.entries),
            bytes: options.split_bytes.unwrap_or(protocol.bytes),
            news: protocol.news,
        };
        let asked = options.split.is_some() || options.split_bytes.is_some();
        let sitemap = to.family.is_xml_sitemap();
        if most.entries == 0 || most.bytes == 0 {
            return Err(Error::format("parts of nothing cannot be made", "--split and --split-bytes are at least 1"));
        }
        let (indexed, refuses) = (sitemap && !is_index, sitemap && !options.no_limits);
        let limits = PartLimits { protocol, most, asked, splits: sitemap || asked, indexed, sitemap, refuses };
        if asked && limits.indexed && options.index_base.is_none() {
            return Err(missing_base_url("a sitemap is to be split"));
        }
        Ok(limits)
    }
}

/// Checks the options that a conversion to this target would reject for every document.
///
/// # Errors
/// Parts without entries, or without a known URL.
#[cfg(feature = "cli")]
pub(crate) fn refuse(to: &Format, options: &Options) -> Result<(), Error> {
    PartLimits::for_target(to, false, options).map(|_| ())
}

/// Where entries go. Writes the head before them and the tail after them, in each part.
pub(super) struct EntrySink<'r> {
    out: &'r mut (dyn Output + 'r),
    limits: PartLimits,
    splits: bool,
    frame: OutputFrame,
    part: OutputPart,
    /// The part has an entry.
    begun: bool,
    /// The document will be refused: what is left is only counted.
    full: bool,
    parts: Vec<OutputPart>,
}

/// The markup around the entries of a document.
#[derive(Default)]
pub(super) struct OutputFrame {
    pub head: Vec<u8>,
    pub between: &'static [u8],
    pub tail: Vec<u8>,
    /// The tail of a document that has no entry.
    pub empty_tail: Vec<u8>,
}

impl<'r> EntrySink<'r> {
    /// Writes to `out`, into one document.
    pub fn new(out: &'r mut (dyn Output + 'r)) -> EntrySink<'r> {
        EntrySink {
            out,
            limits: PartLimits::NONE,
            splits: false,
            frame: OutputFrame::default(),
            part: OutputPart::default(),
            begun: false,
            full: false,
            parts: Vec::new(),
        }
    }

    /// Keeps to these limits from here on.
    pub fn limit(&mut self, limits: PartLimits, options: &Options) {
        self.limits = limits;
        // an index needs the URLs of its parts; without them the document is written whole
        let has_address = options.index_base.is_some() || !limits.indexed;
        self.splits = self.out.can_split() && limits.splits && has_address;
    }

    /// Sends on what the output holds back.
    ///
    /// # Errors
    /// An I/O error.
    #[cfg(feature = "cli")]
    pub fn flush(&mut self) -> Result<(), Error> {
        self.out.flush().map_err(Error::output)
    }

    /// Whether the output can be begun again.
    pub fn can_restart(&self) -> bool {
        self.out.can_restart()
    }

    /// Forgets everything.
    ///
    /// # Errors
    /// The output's.
    pub fn restart(&mut self) -> Result<(), Error> {
        self.parts.clear();
        self.full = false;
        self.out.restart().map_err(wrong)
    }

    /// Begins the first part.
    ///
    /// # Errors
    /// The output's.
    pub fn begin(&mut self, frame: OutputFrame) -> Result<(), Error> {
        self.frame = frame;
        self.open()
    }

    fn open(&mut self) -> Result<(), Error> {
        let around = self.frame.head.len() + self.frame.tail.len();
        self.part = OutputPart { bytes: around as u64, ..OutputPart::default() };
        self.begun = false;
        self.out.write_all(&self.frame.head).map_err(wrong)
    }

    /// Writes entries: `bytes` are the pieces and the text between them.
    ///
    /// # Errors
    /// An error of the output, or an entry that no part can hold.
    pub fn entries(
        &mut self,
        bytes: &[u8],
        pieces: &[WrittenEntry],
        apart: impl IntoIterator<Item = VideosApart>,
    ) -> Result<(), Error> {
        let mut apart = apart.into_iter();
        let mut run: Option<EntryBatch> = None;
        for piece in pieces {
            let mut part = self.with(piece);
            if self.splits && self.limits.most.passed(&part) {
                self.write(bytes, run.take())?;
                if self.begun {
                    self.next()?;
                    part = self.with(piece);
                }
                self.must_hold(&part)?;
            }
            if self.limits.refuses && !self.full && self.limits.protocol.passed(&part) {
                self.write(bytes, run.take())?;
                self.full = true;
            }
            let stretch = run.get_or_insert(EntryBatch { start: piece.start, end: piece.end, first: !self.begun });
            stretch.end = piece.end;
            (self.part, self.begun) = (part, true);
            if let Some(videos) = if piece.apart > 0 { apart.next() } else { None } {
                self.write_around(bytes, run.take(), videos)?;
            }
        }
        self.write(bytes, run)
    }

    /// The part with one more entry.
    fn with(&self, piece: &WrittenEntry) -> OutputPart {
        let between = if self.begun { self.frame.between.len() } else { 0 };
        OutputPart {
            entries: self.part.entries + piece.entries,
            bytes: self.part.bytes + (between + piece.end - piece.start) as u64 + piece.apart,
            news: self.part.news + piece.tally.news,
            lastmod: newer(self.part.lastmod, piece.tally.lastmod),
        }
    }

    /// What one entry of the source became stays together, also where it is more items than asked for.
    fn must_hold(&self, part: &OutputPart) -> Result<(), Error> {
        if part.bytes <= self.limits.most.bytes {
            return Ok(());
        }
        let (has, most) = (part.bytes, self.limits.most.bytes);
        let says = format!("a part with one entry has {has} bytes; the limit is {most}");
        Err(ErrorKind::Limit { option: "--split-bytes", says }.into())
    }

    fn write(&mut self, bytes: &[u8], run: Option<EntryBatch>) -> Result<(), Error> {
        let Some(EntryBatch { start, end, first }) = run.filter(|_| !self.full) else { return Ok(()) };
        if !first {
            self.out.write_all(self.frame.between).map_err(wrong)?;
        }
        self.out.write_all(bytes.get(start..end).unwrap_or_default()).map_err(wrong)
    }

    /// Writes entries whose last one has videos in a file.
    fn write_around(&mut self, bytes: &[u8], run: Option<EntryBatch>, mut videos: VideosApart) -> Result<(), Error> {
        let Some(EntryBatch { start, end, first }) = run.filter(|_| !self.full) else { return Ok(()) };
        self.write(bytes, Some(EntryBatch { start, end: videos.place, first }))?;
        videos.videos.each_block(&mut |block| self.out.write_all(block).map_err(wrong))?;
        self.write(bytes, Some(EntryBatch { start: videos.place, end, first: true }))
    }

    fn next(&mut self) -> Result<(), Error> {
        self.close()?;
        self.out.next_part().map_err(wrong)?;
        self.open()
    }

    fn close(&mut self) -> Result<(), Error> {
        let tail = if self.begun { &self.frame.tail } else { &self.frame.empty_tail };
        self.out.write_all(tail).map_err(wrong)?;
        if !self.begun {
            self.part.bytes = (self.frame.head.len() + self.frame.empty_tail.len()) as u64;
        }
        self.parts.push(self.part);
        Ok(())
    }

    /// Ends the last part.
    ///
    /// # Errors
    /// The output's.
    pub fn end(&mut self) -> Result<(), Error> {
        self.close()?;
        self.out.flush().map_err(wrong)
    }

    /// The limits of the protocol that were passed, and what was done about it.
    ///
    /// # Errors
    /// The output passes them, and is refused for it.
    pub fn trouble(&self) -> Result<Option<Diagnostic>, Error> {
        let over = self.parts.iter().find(|part| self.limits.protocol.passed(part));
        if let Some(part) = over.filter(|_| self.limits.refuses) {
            return Err(self.refusal(part));
        }
        let done = match (self.parts.len(), over) {
            (0, _) => return Ok(None),
            (1, Some(_)) if self.limits.sitemap => "written whole (--no-limits)".to_owned(),
            (1, Some(_)) if !self.splits => match self.out.can_split() {
                true => "written whole; --split or --split-bytes makes parts".to_owned(),
                false => "written whole; -o FILE with --split or --split-bytes makes parts".to_owned(),
            },
            (_, Some(_)) => "parts are as large as --split and --split-bytes say".to_owned(),
            (parts, None) if parts > 1 && !self.limits.asked => format!("split into {parts} parts"),
            (_, None) => return Ok(None),
        };
        let mut code = "limit_split";
        if over.is_some() && self.limits.sitemap {
            code = "limit_passed";
        }
        let sum = |of: fn(&OutputPart) -> u64| self.parts.iter().map(of).sum::<u64>();
        let (entries, bytes, news) = (sum(|part| part.entries), sum(|part| part.bytes), sum(|part| part.news));
        let found = match news > NEWS {
            true => {
                let (entries, news, bytes) = (grouped(entries), grouped(news), grouped(bytes));
                format!("{entries} URLs with {news} articles in {bytes} bytes")
            }
            false => format!("{} URLs in {} bytes", grouped(entries), grouped(bytes)),
        };
        Ok(Some(Diagnostic {
            input: None,
            code,
            severity: diagnostic::severity(code),
            line: 1,
            column: 1,
            found,
            done,
        }))
    }

    /// Why a document beyond the protocol is not written, and what would help.
    fn refusal(&self, part: &OutputPart) -> Error {
        let says = self.limits.protocol.excess(part);
        let splits = match (self.splits, self.limits.indexed, self.out.can_split()) {
            (true, _, _) => "pass a smaller --split N",
            (false, true, true) => "pass --index-base URL to split it (--split N for smaller parts)",
            (false, true, false) => "pass -o FILE and --index-base URL to split it (--split N for smaller parts)",
            (false, false, _) => "pass -o FILE to split it (--split N for smaller parts)",
        };
        let hint = format!("{splits}, or --no-limits to write it whole");
        ErrorKind::Refused { at: None, says, hint, finding: false }.into()
    }

    /// The written parts.
    pub fn into_parts(self) -> Vec<OutputPart> {
        self.parts
    }
}

/// Entries that are written at once.
struct EntryBatch {
    start: usize,
    end: usize,
    /// They are the first of their part.
    first: bool,
}

fn wrong(error: std::io::Error) -> Error {
    Error::output(error)
}

fn missing_base_url(why: &str) -> Error {
    Error::format(why, "the index lists the URLs of its parts; pass --index-base https://example.com/sitemaps/")
}
