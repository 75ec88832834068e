//! Converts a stream in any encoding of feeds, compressed or not, to UTF-8, and gives detection access to its beginning.
//!
//! The output is always valid UTF-8. Valid input is checked in place and not copied. Guesses and repairs
//! are in [`DecodeFindings`]. Of markup, only the XML declaration and the `meta` elements of HTML are read here.
//!
//! ```text
//! bytes -> source (inflated by gzip) -> mode: ASCII so far | UTF-8 | a table | encoding_rs -> text
//!                                        |       ^ a part that is not UTF-8 is read separately (evidence)
//!                                        +-> the first byte beyond ASCII decides, with those after it (evidence)
//! ```

mod block;
mod evidence;
mod found;
mod gzip;
mod label;
mod legacy;
mod source;

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};

use encoding_rs::{Encoding, UTF_8};

use self::evidence::{Evidence, Weight, units, whole_characters, whole_units};
use self::gzip::Ending;
use self::legacy::{DecodeStep, MultiByteEncoding, SingleByteEncoding};
use self::source::UnpackedSource;
use super::place::Place;
use crate::xml::decode::block::Block;

pub use self::found::DecodeFindings;
pub use self::gzip::{CapExceeded, Caps};

/// Bytes looked at for a mark, a declaration and what is refused.
const HEAD: usize = 4 * 1024;
/// Bytes of decoded text that [`DecodedStream::peek`] shows.
pub const PEEK: usize = 64 * 1024;
/// The same of a page of HTML: what it describes in scripts may be behind long styles.
const PAGE: usize = 4 << 20;
/// Bytes decoded at once.
const BLOCK: usize = 32 * 1024;
/// Bytes from the first one beyond ASCII on that decide on the encoding.
const WINDOW: usize = 64 * 1024;
/// Bytes from the first invalid one on that are looked at together.
const STRETCH: usize = 16 * 1024;
/// Bytes of a table's encoding that are looked at for UTF-8 together.
const GRANULE: usize = 1024;
/// Bytes before invalid ones that help to understand them.
const CONTEXT: usize = 16;
/// A reader that asks for less gets a copy.
const DIRECT: usize = 4 * 1024;

/// Why a stream is not read; the source of an `io::Error` of kind `InvalidData`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    /// What the input is: `bzip2`, `xz`, `zstd`, `zip`, `UTF-32`, `UTF-7`, `gzip inside of gzip`.
    pub what: &'static str,
    /// A command that makes it readable.
    pub hint: &'static str,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read the input: it is {}; try `{}`", self.what, self.hint)
    }
}

impl std::error::Error for DecodeError {}

/// First bytes of what is refused.
const REFUSED: [(&[u8], DecodeError); 10] = [
    (b"\x1f\x8b", DecodeError { what: "gzip inside gzip", hint: "gzip -dc FILE | transfeed …" }),
    (b"BZh", DecodeError { what: "bzip2", hint: "bzip2 -dc FILE | transfeed …" }),
    (b"\xfd7zXZ\0", DecodeError { what: "xz", hint: "xz -dc FILE | transfeed …" }),
    (b"\x28\xb5\x2f\xfd", DecodeError { what: "zstd", hint: "zstd -dc FILE | transfeed …" }),
    (b"PK\x03\x04", DecodeError { what: "zip", hint: "unzip -p FILE | transfeed …; export a spreadsheet as CSV" }),
    (b"PK\x05\x06", DecodeError { what: "an empty zip", hint: "unzip -p FILE | transfeed …" }),
    (b"\xff\xfe\0\0", DecodeError { what: "UTF-32", hint: "iconv -f UTF-32 -t UTF-8 FILE | transfeed …" }),
    (b"\0\0\xfe\xff", DecodeError { what: "UTF-32", hint: "iconv -f UTF-32 -t UTF-8 FILE | transfeed …" }),
    (b"<\0\0\0", DecodeError { what: "UTF-32", hint: "iconv -f UTF-32LE -t UTF-8 FILE | transfeed …" }),
    (b"\0\0\0<", DecodeError { what: "UTF-32", hint: "iconv -f UTF-32BE -t UTF-8 FILE | transfeed …" }),
];

/// The beginning of a document as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix {
    /// At most [`PEEK`] bytes; not cut inside a character.
    pub text: String,
    /// It is the whole document.
    pub complete: bool,
}

/// A stream of valid UTF-8 without byte order mark.
pub struct DecodedStream<R> {
    source: UnpackedSource<R>,
    /// Decoded bytes that come next.
    ready: Block,
    mode: DecodeMode,
    /// The first bytes of a character whose others are still to be read.
    carry: Vec<u8>,
    declared: Option<String>,
    /// The `charset` of the server, if the document declares no encoding.
    sent: Option<String>,
    by_mark: bool,
    findings: DecodeFindings,
    /// After the last byte that was decoded.
    place: Place,
    stretch: EncodingStretch,
}

/// How bytes are decoded.
enum DecodeMode {
    /// Only ASCII so far, which is the same in all remaining encodings; the declared one, if it can be decoded.
    Ascii(Option<&'static Encoding>),
    /// A byte beyond ASCII comes next.
    Deciding(Option<&'static Encoding>),
    Utf8,
    /// UTF-8 that was checked before.
    Trusted,
    /// UTF-8, but the next bytes are not.
    Broken,
    Table(SingleByteEncoding),
    Stream(MultiByteEncoding),
    Over,
}

/// What is known of text in another encoding than the rest of the document.
#[derive(Default)]
struct EncodingStretch {
    /// The last one that was found for sure.
    encoding: Option<&'static Encoding>,
    /// Code and encoding of the run that the last decoded bytes belong to.
    run: Option<(&'static str, Option<&'static Encoding>)>,
    /// The current unit contained UTF-8 characters beyond ASCII.
    spoken: bool,
    /// The last few bytes of ASCII or UTF-8 that were decoded.
    context: Vec<u8>,
}

/// Finds out the encoding of `input` and decodes it while it is read, within the default [`Caps`].
///
/// # Errors
/// As [`decode_within`].
pub fn decode<R: Read>(input: R) -> io::Result<DecodedStream<R>> {
    decode_within(input, None, Caps::default())
}

/// Unpacks `input`, detects its encoding and decodes it while it is read. Sources of the encoding, in order of
/// authority: byte order mark, the look of UTF-16 without one, the XML declaration, the `charset` that the server sent (RFC 9110
/// section 8.3.2) or the one of an HTML page unless the bytes disprove it, the look of the bytes.
///
/// # Errors
/// Those of the reader, and `InvalidData` with [`DecodeError`] inside for UTF-32, encodings that write all characters as ASCII,
/// and compression other than gzip.
/// Every read fails with [`CapExceeded`] inside once the input inflates beyond the caps.
pub fn decode_within<R: Read>(input: R, charset: Option<&str>, caps: Caps) -> io::Result<DecodedStream<R>> {
    let (mut source, gzip) = UnpackedSource::open(input, caps)?;
    let head = source.peek(HEAD)?;
    if let Some((_, reason)) = REFUSED.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason.clone()));
    }
    let (marked, skip) = match Encoding::for_bom(head) {
        Some((encoding, length)) => (Some(encoding), length),
        None => (None, 0),
    };
    let seen = marked.or_else(|| label::looks_utf_16(head));
    let mut declared = label::declaration(&head[skip..], seen.unwrap_or(UTF_8));
    let sent = charset.filter(|_| declared.is_none()).map(str::to_owned);
    if declared.is_none() && seen.is_none_or(|seen| seen == UTF_8) && is_page(head) {
        declared = label::of_page(source.peek(PEEK)?);
    }
    if let Some(label) = declared.as_deref().or(sent.as_deref()).filter(|label| label::readable(label).is_none())
        && let Some((what, hint)) = label::shifted(label, source.peek(PEEK)?)
    {
        return Err(io::Error::new(io::ErrorKind::InvalidData, DecodeError { what, hint }));
    }
    source.consume(skip);
    let mut decoded = DecodedStream {
        source,
        ready: Block::default(),
        mode: DecodeMode::Ascii(None),
        carry: Vec::new(),
        declared,
        sent,
        by_mark: marked.is_some(),
        findings: DecodeFindings::default(),
        place: Place::default(),
        stretch: EncodingStretch::default(),
    };
    decoded.findings.set_gzip(gzip);
    decoded.begin(seen);
    Ok(decoded)
}

impl EncodingStretch {
    fn remember(&mut self, good: &[u8]) {
        if good.len() < CONTEXT {
            self.context.extend_from_slice(good);
            self.context.drain(..self.context.len().saturating_sub(CONTEXT));
        } else {
            self.context.clear();
            self.context.extend_from_slice(&good[good.len() - CONTEXT..]);
        }
    }

    /// The ASCII before the next byte.
    fn before(&self) -> &[u8] {
        let beyond = self.context.iter().rposition(|byte| !byte.is_ascii());
        &self.context[beyond.map_or(0, |at| at + 1)..]
    }
}

impl<R> DecodedStream<R> {
    /// The encoding in use, by its name in the WHATWG Encoding Standard: `UTF-8`, `windows-1251`. While only ASCII has
    /// been read, it is the expected one; [`DecodeFindings::encoding`] has the final one.
    pub fn encoding_name(&self) -> &'static str {
        self.findings.encoding()
    }

    /// The encoding that the XML declaration or the HTML page names, as written.
    pub fn declared(&self) -> Option<String> {
        self.declared.clone()
    }

    /// Whether the document began with a byte order mark.
    pub fn has_mark(&self) -> bool {
        self.by_mark
    }

    /// A handle on what is found out while the stream is read.
    pub fn findings(&self) -> DecodeFindings {
        self.findings.clone()
    }

    /// Passes the stream on unchecked, because it was read before and is valid UTF-8 ([`DecodeFindings::is_clean`]).
    /// Only its end is examined.
    #[must_use]
    pub fn trust_utf8(mut self) -> Self {
        self.mode = DecodeMode::Trusted;
        self
    }

    /// The mode to begin with.
    fn begin(&mut self, seen: Option<&'static Encoding>) {
        let declared = self.sent.as_deref().and_then(label::readable);
        let declared = declared.or(self.declared.as_deref().and_then(label::readable));
        match seen.or(declared) {
            Some(encoding) if seen.is_some() || !encoding.is_ascii_compatible() => self.settle(encoding),
            expected => {
                self.findings.set_encoding(expected.unwrap_or(UTF_8).name());
                self.mode = DecodeMode::Ascii(expected);
            }
        }
    }

    /// From here on the document is in this encoding.
    fn settle(&mut self, encoding: &'static Encoding) {
        self.mode = match encoding {
            _ if encoding == UTF_8 => DecodeMode::Utf8,
            _ if encoding.is_single_byte() => DecodeMode::Table(SingleByteEncoding(encoding)),
            _ => DecodeMode::Stream(MultiByteEncoding::new(encoding)),
        };
        self.findings.set_encoding(encoding.name());
        self.report_conflict(encoding);
    }

    fn report_conflict(&self, encoding: &'static Encoding) {
        let name = encoding.name();
        let sent = self.sent.as_ref().filter(|label| label::readable(label).is_some());
        let (code, found, done) = match sent.or(self.declared.as_ref()) {
            Some(label) if label::means(label, encoding) => return,
            Some(label) if label::readable(label).is_none() => {
                let found = format!("declared as {label}, an unknown encoding; detected {name}");
                ("encoding.conflict", found, "read as detected")
            }
            Some(label) => {
                let by = if sent.is_some() { " by the server" } else { "" };
                let found = format!("declared as {label}{by}, but encoded as {name}");
                ("encoding.conflict", found, "read as encoded")
            }
            None if self.by_mark || encoding == UTF_8 => return,
            None => ("encoding.guessed", format!("no encoding declared, detected {name}"), "read as detected"),
        };
        self.findings.push(code, Place::default(), found, done);
    }
}

/// Whether a text begins as a page of HTML does.
fn is_page(text: &[u8]) -> bool {
    let begin = text.get(..1024).unwrap_or(text).to_ascii_lowercase();
    let begin = begin.trim_ascii_start();
    let begin = begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begin).trim_ascii_start();
    let has_root = || memchr::memmem::find(begin, b"<html").is_some();
    [&b"<!doctype html"[..], b"<html", b"<head", b"<meta"].iter().any(|start| begin.starts_with(start))
        || [&b"<!--"[..], b"<?xml", b"<!doctype"].iter().any(|start| begin.starts_with(start)) && has_root()
}

impl<R: Read> DecodedStream<R> {
    /// The beginning of the text; the stream can still be read from its start.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn peek(&mut self) -> io::Result<Prefix> {
        let (mut ended, mut most) = (false, PEEK);
        while self.ready.rest().len() < most && !ended {
            ended = !self.more()?;
            if most == PEEK && self.ready.rest().len() >= most && is_page(self.ready.rest()) {
                most = PAGE;
            }
        }
        let ready = self.ready.rest();
        let shown = whole_characters(&ready[..ready.len().min(most)]);
        let complete = ended && shown.len() == ready.len();
        // what is ready is UTF-8
        let text = simdutf8::basic::from_utf8(shown).map_or_else(|_| String::from_utf8_lossy(shown), Cow::Borrowed);
        Ok(Prefix { text: text.into_owned(), complete })
    }

    /// Decodes something behind what is ready, which may be nothing; false at the end.
    fn more(&mut self) -> io::Result<bool> {
        match &self.mode {
            DecodeMode::Ascii(_) | DecodeMode::Utf8 | DecodeMode::Trusted => {
                let mut ready = std::mem::take(&mut self.ready);
                let before = ready.bytes.len();
                // what is shown of a document grows in place
                ready.bytes.reserve(if before == 0 { PEEK } else { 0 });
                // of a short one hardly more is read than there is
                ready.bytes.resize(before + before.clamp(HEAD, BLOCK), 0);
                let count = self.direct(&mut ready.bytes[before..]);
                ready.bytes.truncate(before + *count.as_ref().unwrap_or(&0));
                self.ready = ready;
                count?;
            }
            DecodeMode::Deciding(declared) => {
                let declared = *declared;
                self.decide(declared)?;
            }
            DecodeMode::Broken => self.decode_broken()?,
            DecodeMode::Table(_) => self.table()?,
            DecodeMode::Stream(_) => self.stream()?,
            DecodeMode::Over => return Ok(false),
        }
        Ok(true)
    }

    /// Reads UTF-8 to where it is to go; 0 if something else has to be done first, or at the end.
    fn direct(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let carried = self.carry.len();
        let count = self.source.read(&mut out[carried..])?;
        out[..carried].copy_from_slice(&self.carry);
        self.carry.clear();
        if count == 0 {
            self.end(carried);
            return Ok(0);
        }
        if matches!(self.mode, DecodeMode::Trusted) {
            return Ok(count);
        }
        let bytes = &out[..carried + count];
        let valid = match self.mode {
            DecodeMode::Ascii(_) => Encoding::ascii_valid_up_to(bytes),
            _ => match simdutf8::compat::from_utf8(bytes) {
                Ok(_) => bytes.len(),
                Err(error) if error.error_len().is_none() => {
                    self.carry.extend_from_slice(&bytes[error.valid_up_to()..]);
                    error.valid_up_to()
                }
                Err(error) => error.valid_up_to(),
            },
        };
        let (good, rest) = bytes.split_at(valid);
        self.note(good);
        if !rest.is_empty() && self.carry.is_empty() {
            self.source.unread(rest);
            self.mode = match self.mode {
                DecodeMode::Ascii(declared) => DecodeMode::Deciding(declared),
                _ => DecodeMode::Broken,
            };
        }
        Ok(valid)
    }

    /// Takes note of text that was decoded.
    fn note(&mut self, good: &[u8]) {
        self.place.advance(good);
        self.stretch.remember(good);
        if matches!(self.mode, DecodeMode::Ascii(_)) {
            return;
        }
        let tail = memchr::memrchr3(b'<', b'"', b'\n', good);
        let spoken = !good[tail.unwrap_or(0)..].is_ascii();
        self.stretch.spoken = spoken || (self.stretch.spoken && tail.is_none());
        // spaces and tags do not end a run, but a line break does
        if self.stretch.run.is_some() && (!good.is_ascii() || memchr::memchr(b'\n', good).is_some()) {
            self.stretch.run = None;
        }
    }

    fn end(&mut self, carried: usize) {
        let mode = std::mem::replace(&mut self.mode, DecodeMode::Over);
        if matches!(mode, DecodeMode::Ascii(None)) {
            self.report_conflict(UTF_8);
        }
        if carried > 0 {
            let found = "the input ends inside a character".to_owned();
            self.findings.push("encoding.invalid", self.place, found, "removed the character");
        }
        if matches!(mode, DecodeMode::Ascii(_) | DecodeMode::Utf8) {
            self.findings.set_clean();
        }
        let (code, found, done) = match self.source.ending() {
            None => return,
            Some(Ending::Cut) => {
                ("gzip.truncated", "the gzip stream is truncated", "read the decompressed part as a truncated document")
            }
            Some(Ending::Corrupt) => (
                "gzip.corrupt",
                "the gzip stream cannot be decompressed beyond this byte",
                "read the part before it as a truncated document",
            ),
            Some(Ending::Garbage) => ("gzip.garbage", "data after the gzip stream", "removed"),
        };
        self.findings.push(code, self.place, found.to_owned(), done);
    }

    fn decide(&mut self, declared: Option<&'static Encoding>) -> io::Result<()> {
        let window = self.source.peek(WINDOW)?;
        let whole = window.len() < WINDOW;
        let window = [self.stretch.before(), if whole { window } else { whole_characters(window) }].concat();
        self.settle(evidence::decide(&window, declared));
        Ok(())
    }

    /// Decodes a stretch that begins with invalid UTF-8, up to the end of a unit.
    fn decode_broken(&mut self) -> io::Result<()> {
        let ahead = self.source.peek(STRETCH)?;
        let stretch = match ahead.len() < STRETCH {
            true => ahead,
            false => whole_characters(&ahead[..whole_units(ahead)]),
        };
        let stretch = stretch.to_vec();
        self.source.consume(stretch.len());
        let mut evidence = Evidence::new();
        evidence.feed(self.stretch.before());
        let mut spoken = self.stretch.spoken;
        let mut all = Vec::new();
        for unit in units(&stretch) {
            let foreign = Weight::measure(unit).is_foreign(std::mem::take(&mut spoken));
            if foreign {
                evidence.feed(unit);
            }
            all.push((unit, foreign));
        }
        let encoding = evidence.verdict(self.stretch.encoding);
        self.stretch.encoding = encoding.or(self.stretch.encoding);
        for (unit, foreign) in all {
            match encoding.filter(|_| foreign) {
                Some(encoding) => self.put_foreign(unit, encoding, "bytes"),
                None => self.put_lossy(unit),
            }
        }
        self.mode = DecodeMode::Utf8;
        Ok(())
    }

    /// A unit in another encoding than the document's.
    fn put_foreign(&mut self, unit: &[u8], encoding: &'static Encoding, what: &str) {
        let text = encoding.decode_without_bom_handling(unit).0;
        self.run("encoding.mixed", Some(encoding), || {
            (format!("{what} of {}", encoding.name()), "read this part in that encoding")
        });
        self.ready.bytes.extend_from_slice(text.as_bytes());
        self.place.advance(text.as_bytes());
        self.stretch.spoken = false;
    }

    fn put_lossy(&mut self, unit: &[u8]) {
        for chunk in unit.utf8_chunks() {
            if !chunk.valid().is_empty() {
                self.ready.bytes.extend_from_slice(chunk.valid().as_bytes());
                self.note(chunk.valid().as_bytes());
            }
            if let [first, ..] = *chunk.invalid() {
                self.run("encoding.invalid", None, || (format!("the byte {first:02X}"), "replaced by U+FFFD"));
                self.put_replacement();
            }
        }
    }

    fn put_replacement(&mut self) {
        let mut bytes = [0; 4];
        let text = char::REPLACEMENT_CHARACTER.encode_utf8(&mut bytes);
        self.ready.bytes.extend_from_slice(text.as_bytes());
        self.place.advance(text.as_bytes());
    }

    /// Reports a repair, unless it continues the previous one.
    fn run(
        &mut self,
        code: &'static str,
        encoding: Option<&'static Encoding>,
        says: impl FnOnce() -> (String, &'static str),
    ) {
        if self.stretch.run != Some((code, encoding)) {
            self.stretch.run = Some((code, encoding));
            let (found, done) = says();
            self.findings.push(code, self.place, found, done);
        }
    }

    /// Decodes a block by the table; what is UTF-8 in it is left as it is.
    fn table(&mut self) -> io::Result<()> {
        let ahead = self.source.peek(BLOCK)?;
        let block = &ahead[..if ahead.len() < BLOCK { ahead.len() } else { whole_units(ahead) }];
        if block.is_empty() {
            self.end(0);
            return Ok(());
        }
        let block = block.to_vec();
        self.source.consume(block.len());
        let DecodeMode::Table(table) = std::mem::replace(&mut self.mode, DecodeMode::Over) else { return Ok(()) };
        let (mut from, mut to) = (0, 0);
        for granule in granules(&block) {
            let start = to;
            to += granule.len();
            if resembles_utf8(granule) {
                self.put_table(table, &block[from..start]);
                units(granule).for_each(|unit| self.unit(table, unit));
                from = to;
            }
        }
        self.put_table(table, &block[from..]);
        self.mode = DecodeMode::Table(table);
        Ok(())
    }

    fn unit(&mut self, table: SingleByteEncoding, unit: &[u8]) {
        // shorter ones occur by chance: D0 B3 is a syllable of Ukrainian in windows-1251
        let sure = matches!(Weight::measure(unit), Weight { valid: 4.., invalid: 0 });
        if sure { self.put_foreign(unit, UTF_8, "text") } else { self.put_table(table, unit) }
    }

    fn put_table(&mut self, table: SingleByteEncoding, bytes: &[u8]) {
        let before = self.ready.bytes.len();
        if table.decode(bytes, &mut self.ready.bytes) {
            let text = self.ready.bytes.get(before..).unwrap_or_default();
            self.place.advance(text);
            if self.stretch.run.is_some() && (text.len() > bytes.len() || memchr::memchr(b'\n', text).is_some()) {
                self.stretch.run = None;
            }
            return;
        }
        for byte in bytes.chunks(1) {
            let before = self.ready.bytes.len();
            if table.decode(byte, &mut self.ready.bytes) {
                self.place.advance(self.ready.bytes.get(before..).unwrap_or_default());
                self.stretch.run = None;
            } else {
                self.run("encoding.invalid", None, || (format!("the byte {:02X}", byte[0]), "replaced by U+FFFD"));
                self.put_replacement();
            }
        }
    }

    fn stream(&mut self) -> io::Result<()> {
        let block = self.source.peek(BLOCK)?.to_vec();
        let last = block.len() < BLOCK;
        self.source.consume(block.len());
        let DecodeMode::Stream(mut stream) = std::mem::replace(&mut self.mode, DecodeMode::Over) else { return Ok(()) };
        let mut rest = &block[..];
        loop {
            let before = self.ready.bytes.len();
            let (used, step) = stream.decode(rest, last, &mut self.ready.bytes);
            rest = &rest[used..];
            let text = self.ready.bytes.get(before..).unwrap_or_default();
            self.place.advance(text);
            if !text.is_empty() {
                self.stretch.run = None;
            }
            match step {
                DecodeStep::Empty => break,
                DecodeStep::Malformed => {
                    let found = || ("invalid bytes".to_owned(), "replaced by U+FFFD");
                    self.run("encoding.invalid", None, found);
                    self.put_replacement();
                }
            }
        }
        if stream.is_finished() {
            self.end(0);
        } else {
            self.mode = DecodeMode::Stream(stream);
        }
        Ok(())
    }
}

impl<R: Read> Read for DecodedStream<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        while self.ready.rest().is_empty() {
            if out.len() >= DIRECT && matches!(self.mode, DecodeMode::Ascii(_) | DecodeMode::Utf8 | DecodeMode::Trusted)
            {
                match self.direct(out)? {
                    0 => continue,
                    count => return Ok(count),
                }
            }
            if !self.more()? {
                return Ok(0);
            }
        }
        Ok(self.ready.read(out))
    }
}

/// Pieces of whole units of about [`GRANULE`] bytes.
fn granules(mut block: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let after = block.get(GRANULE..).unwrap_or_default();
        let length = memchr::memchr3(b'<', b'"', b'\n', after).map_or(block.len(), |at| GRANULE + at);
        let (granule, rest) = block.split_at(length);
        block = rest;
        (!granule.is_empty()).then_some(granule)
    })
}

/// Whether bytes that should be one character each pair up as those of UTF-8 do, if only some of them.
fn resembles_utf8(granule: &[u8]) -> bool {
    let (mut high, mut pairs) = (0, 0);
    // sums of bytes over so few of them that none overflows: the compiler makes wide instructions of these
    for start in (0..granule.len()).step_by(128) {
        let some = &granule[start..granule.len().min(start + 128)];
        let next = &granule[granule.len().min(start + 1)..granule.len().min(start + 129)];
        high += usize::from(some.iter().fold(0u8, |sum, byte| sum + (byte >> 7)));
        let pair = |a: u8, b: u8| u8::from(a >= 0xC2) & u8::from(b & 0xC0 == 0x80);
        pairs += usize::from(some.iter().zip(next).fold(0u8, |sum, (&a, &b)| sum + pair(a, b)));
    }
    pairs >= 2 && pairs * 20 >= high
}

#[cfg(test)]
mod tests;
