//! Makes UTF-8 of a stream in any encoding that feeds come in, and lets detection look at its beginning.
//!
//! UTF-8 passes through unchanged but for its byte order mark; whether it is valid is found out where it becomes text.
//! Nothing is unpacked: compressed input is recognised, named and refused.

use std::fmt;
use std::io::{self, Read};

use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::scan::attributes;

/// Bytes looked at to find out the encoding.
const HEAD: usize = 4 * 1024;
/// Bytes of decoded text that [`Decoded::peek`] shows.
pub const PEEK: usize = 64 * 1024;
/// Bytes decoded at once.
const BLOCK: usize = 32 * 1024;
/// Places of replaced runs that are kept.
const PLACES: usize = 5;

/// Why a stream is not read; the source of an `io::Error` of kind `InvalidData`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// What the input is: `gzip`, `bzip2`, `xz`, `zstd`, `zip`, `UTF-32`.
    pub what: &'static str,
    /// A command that makes it readable.
    pub hint: &'static str,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the input is {}, which is not read; try `{}`", self.what, self.hint)
    }
}

impl std::error::Error for Unreadable {}

/// First bytes of what is refused.
const REFUSED: [(&[u8], Unreadable); 7] = [
    (b"\x1f\x8b", Unreadable { what: "gzip", hint: "gzip -dc FILE | transfeed …" }),
    (b"BZh", Unreadable { what: "bzip2", hint: "bzip2 -dc FILE | transfeed …" }),
    (b"\xfd7zXZ\0", Unreadable { what: "xz", hint: "xz -dc FILE | transfeed …" }),
    (b"\x28\xb5\x2f\xfd", Unreadable { what: "zstd", hint: "zstd -dc FILE | transfeed …" }),
    (b"PK\x03\x04", Unreadable { what: "zip", hint: "unzip -p FILE | transfeed …" }),
    (b"\xff\xfe\0\0", Unreadable { what: "UTF-32", hint: "iconv -f UTF-32 -t UTF-8 FILE | transfeed …" }),
    (b"\0\0\xfe\xff", Unreadable { what: "UTF-32", hint: "iconv -f UTF-32 -t UTF-8 FILE | transfeed …" }),
];

/// The beginning of a document as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix {
    /// At most [`PEEK`] bytes, or a few more; invalid bytes replaced; not cut inside a character.
    pub text: String,
    /// It is the whole document.
    pub complete: bool,
}

/// A stream of UTF-8 without byte order mark.
pub struct Decoded<R> {
    input: R,
    /// Bytes read ahead of `input`, not decoded.
    head: Block,
    /// Decoded bytes that come next.
    ready: Block,
    decoder: Option<Decoder>,
    encoding: &'static Encoding,
    declared: Option<String>,
    by_mark: bool,
}

/// Bytes of which the first are used up.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    at: usize,
}

impl Block {
    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn read(&mut self, out: &mut [u8]) -> usize {
        let count = self.rest().len().min(out.len());
        out[..count].copy_from_slice(&self.bytes[self.at..self.at + count]);
        self.at += count;
        if self.at == self.bytes.len() {
            self.bytes.clear();
            self.at = 0;
        }
        count
    }
}

/// State of an encoding other than UTF-8.
struct Decoder {
    inner: encoding_rs::Decoder,
    raw: Block,
    /// Offset in the input of the first byte of `raw` that is not used up.
    offset: u64,
    ended: bool,
    /// The last byte is decoded; the inner decoder must not be asked again.
    finished: bool,
    /// Offset after the last replaced sequence.
    bad_end: Option<u64>,
    replaced: u64,
    places: Vec<u64>,
}

/// Finds out the encoding of `input` and decodes it while it is read. In order of authority: byte order mark, the look
/// of UTF-16 without one, the XML declaration, UTF-8.
///
/// # Errors
/// Those of the reader, and `InvalidData` with [`Unreadable`] inside for compressed input and UTF-32.
pub fn decode<R: Read>(mut input: R) -> io::Result<Decoded<R>> {
    let mut head = Vec::new();
    input.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    if let Some((_, reason)) = REFUSED.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason.clone()));
    }
    let (marked, skip) = match Encoding::for_bom(&head) {
        Some((encoding, length)) => (Some(encoding), length),
        None => (None, 0),
    };
    let seen = marked.or_else(|| looks_utf_16(&head));
    let declared = declaration(&head[skip..], seen.unwrap_or(UTF_8));
    let encoding = seen.or_else(|| declared.as_deref().and_then(readable)).unwrap_or(UTF_8);
    let decoder = (encoding != UTF_8).then(|| Decoder::new(encoding, skip as u64));
    let head = Block { bytes: head, at: skip };
    Ok(Decoded { input, head, ready: Block::default(), decoder, encoding, declared, by_mark: marked.is_some() })
}

impl<R: Read> Decoded<R> {
    /// The encoding in use, as the WHATWG Encoding Standard names it: `UTF-8`, `windows-1251`.
    pub fn encoding_name(&self) -> &'static str {
        self.encoding.name()
    }

    /// The encoding that the XML declaration names, as written.
    pub fn declared(&self) -> Option<String> {
        self.declared.clone()
    }

    /// Whether the XML declaration names another encoding than the one in use, or one that is not known.
    pub fn conflict(&self) -> bool {
        let named = |label: &String| match Encoding::for_label(label.trim().as_bytes()) {
            // "UTF-16" means either order.
            Some(named) if named == UTF_16LE => self.encoding == UTF_16LE || self.encoding == UTF_16BE,
            named => named == Some(self.encoding),
        };
        self.declared.as_ref().is_some_and(|label| !named(label))
    }

    /// Whether the document began with a byte order mark.
    pub fn has_mark(&self) -> bool {
        self.by_mark
    }

    /// Runs of invalid bytes replaced so far; always 0 for UTF-8, which is checked later.
    pub fn replaced(&self) -> u64 {
        self.decoder.as_ref().map_or(0, |decoder| decoder.replaced)
    }

    /// Byte offsets in the input of the first few of them.
    pub fn replaced_at(&self) -> &[u64] {
        self.decoder.as_ref().map_or(&[], |decoder| &decoder.places)
    }

    /// The beginning of the text; the stream can still be read from its start.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn peek(&mut self) -> io::Result<Prefix> {
        let mut ended = false;
        let mut block = vec![0; 8 * 1024];
        while self.ready.rest().len() < PEEK && !ended {
            let count = match self.decode_some(&mut block) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                count => count?,
            };
            self.ready.bytes.extend_from_slice(&block[..count]);
            ended = count == 0;
        }
        let mut bytes = &self.ready.rest()[..self.ready.rest().len().min(PEEK)];
        let complete = ended && bytes.len() == self.ready.rest().len();
        if !complete {
            bytes = whole_characters(bytes);
        }
        Ok(Prefix { text: String::from_utf8_lossy(bytes).into_owned(), complete })
    }

    fn decode_some(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match &mut self.decoder {
            Some(decoder) => decoder.read(&mut self.head, &mut self.input, out),
            None => read_raw(&mut self.head, &mut self.input, out),
        }
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if !self.ready.rest().is_empty() {
            return Ok(self.ready.read(out));
        }
        if self.decoder.is_none() || out.len() >= BLOCK {
            return self.decode_some(out);
        }
        // A decoder needs room for a whole character at least.
        let mut bytes = std::mem::take(&mut self.ready.bytes);
        bytes.resize(BLOCK, 0);
        let count = self.decode_some(&mut bytes)?;
        bytes.truncate(count);
        self.ready = Block { bytes, at: 0 };
        Ok(self.ready.read(out))
    }
}

impl Decoder {
    fn new(encoding: &'static Encoding, offset: u64) -> Self {
        Decoder {
            inner: encoding.new_decoder_without_bom_handling(),
            raw: Block::default(),
            offset,
            ended: false,
            finished: false,
            bad_end: None,
            replaced: 0,
            places: Vec::new(),
        }
    }

    /// Fills some of `out`, which has room for at least a few characters; 0 at the end.
    fn read<R: Read>(&mut self, head: &mut Block, input: &mut R, out: &mut [u8]) -> io::Result<usize> {
        let mut written = 0;
        while written == 0 && !self.finished {
            if self.raw.rest().is_empty() && !self.ended {
                self.fill(head, input)?;
            }
            self.finished = self.decode(out, &mut written);
        }
        Ok(written)
    }

    fn fill<R: Read>(&mut self, head: &mut Block, input: &mut R) -> io::Result<()> {
        self.raw.bytes.resize(BLOCK, 0);
        self.raw.at = 0;
        let count = read_raw(head, input, &mut self.raw.bytes);
        self.raw.bytes.truncate(*count.as_ref().unwrap_or(&0));
        self.ended = count? == 0;
        Ok(())
    }

    /// Decodes what is there; true if nothing more will come.
    fn decode(&mut self, out: &mut [u8], written: &mut usize) -> bool {
        loop {
            let room = out.len().saturating_sub(char::REPLACEMENT_CHARACTER.len_utf8());
            let Some(target) = out.get_mut(*written..room) else { return false };
            let (result, read, wrote) =
                self.inner.decode_to_utf8_without_replacement(self.raw.rest(), target, self.ended);
            self.raw.at += read;
            self.offset += read as u64;
            *written += wrote;
            match result {
                DecoderResult::InputEmpty => return self.ended,
                DecoderResult::OutputFull => return false,
                DecoderResult::Malformed(length, after) => {
                    let end = self.offset.saturating_sub(u64::from(after));
                    self.replace(end.saturating_sub(u64::from(length)), end);
                    *written += char::REPLACEMENT_CHARACTER.encode_utf8(&mut out[*written..]).len();
                }
            }
        }
    }

    fn replace(&mut self, start: u64, end: u64) {
        if self.bad_end != Some(start) {
            self.replaced += 1;
            if self.places.len() < PLACES {
                self.places.push(start);
            }
        }
        self.bad_end = Some(end);
    }
}

fn read_raw<R: Read>(head: &mut Block, input: &mut R, out: &mut [u8]) -> io::Result<usize> {
    if head.rest().is_empty() { input.read(out) } else { Ok(head.read(out)) }
}

fn looks_utf_16(head: &[u8]) -> Option<&'static Encoding> {
    match head {
        [b'<', 0, next, ..] if *next != 0 => Some(UTF_16LE),
        [0, b'<', 0, ..] => Some(UTF_16BE),
        _ => None,
    }
}

/// The label in the XML declaration that `head` begins with, white space before it forgiven.
fn declaration(head: &[u8], encoding: &'static Encoding) -> Option<String> {
    let text =
        if encoding == UTF_8 { String::from_utf8_lossy(head) } else { encoding.decode_without_bom_handling(head).0 };
    let text = text.trim_start();
    let declaration = text.get(..5)?.eq_ignore_ascii_case("<?xml").then_some(text)?;
    let declaration = &declaration[..declaration.find("?>")?];
    attributes(declaration).find(|(name, _)| *name == "encoding").map(|(_, label)| label.to_owned())
}

/// The encoding of a label. One whose declaration could be read byte by byte is not UTF-16, whatever it says.
fn readable(label: &str) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label_no_replacement(label.trim().as_bytes())?;
    (encoding != UTF_16LE && encoding != UTF_16BE).then_some(encoding)
}

/// `bytes` without a character cut off at their end.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    let tail = bytes.len().saturating_sub(3);
    let lead = bytes[tail..].iter().rposition(|&byte| byte >= 0xC0).map(|at| tail + at);
    match lead {
        Some(lead) if std::str::from_utf8(&bytes[lead..]).is_err_and(|error| error.error_len().is_none()) => {
            &bytes[..lead]
        }
        _ => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::super::split::tests::Slow;
    use super::*;
    use proptest::prelude::*;

    fn utf_16(text: &str, big: bool) -> Vec<u8> {
        text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }

    /// Text, encoding, declared, replaced runs; the same for all steps, and after a look ahead.
    fn read(bytes: &[u8]) -> (String, &'static str, Option<String>, u64) {
        let mut all = Vec::new();
        for (step, peek) in [(1, false), (2, true), (3, false), (7, true), (100_000, false), (100_000, true)] {
            let mut decoded = decode(Slow::new(bytes, step)).unwrap();
            let prefix = if peek { Some(decoded.peek().unwrap()) } else { None };
            let mut text = Vec::new();
            decoded.read_to_end(&mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            if let Some(prefix) = prefix {
                assert!(text.starts_with(&prefix.text));
                assert_eq!(prefix.complete, prefix.text.len() == text.len());
            }
            all.push((text, decoded.encoding_name(), decoded.declared(), decoded.replaced()));
        }
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
        all.swap_remove(0)
    }

    #[test]
    fn marks_beat_looks_beat_declarations() {
        let document = "<?xml version='1.0' encoding='UTF-16'?><a>жé中𝄞</a>";
        let declared = Some("UTF-16".to_owned());
        for big in [false, true] {
            let name = if big { "UTF-16BE" } else { "UTF-16LE" };
            let want = (document.to_owned(), name, declared.clone(), 0);
            assert_eq!(read(&utf_16(document, big)), want);
            assert_eq!(read(&utf_16(&format!("\u{FEFF}{document}"), big)), want);
        }
        let marked = format!("\u{FEFF}{document}");
        assert_eq!(read(marked.as_bytes()), (document.to_owned(), "UTF-8", declared, 0));
        assert!(decode(marked.as_bytes()).unwrap().conflict());
        assert!(!decode(&utf_16(document, true)[..]).unwrap().conflict());
    }

    #[test]
    fn declared_encodings_are_read() {
        for (label, text) in [
            ("windows-1251", "Привет"),
            ("KOI8-R", "Привет"),
            ("ISO-8859-1", "café"),
            ("iso-8859-2", "žluťoučký"),
            ("GBK", "中文"),
            ("Big5", "中文"),
            ("Shift_JIS", "日本"),
            ("EUC-KR", "한국"),
        ] {
            let document = format!("\n<?xml version=\"1.0\" encoding=\"{label}\"?><a>{text}</a>");
            let (bytes, encoding, _) = Encoding::for_label(label.as_bytes()).unwrap().encode(&document);
            assert_eq!(read(&bytes), (document.clone(), encoding.name(), Some(label.to_owned()), 0));
            assert!(!decode(&bytes[..]).unwrap().conflict());
        }
    }

    #[test]
    fn unknown_labels_mean_utf_8_and_conflict() {
        let document = "<?xml version='1.0' encoding='klingon'?><a>é</a>";
        assert_eq!(read(document.as_bytes()), (document.to_owned(), "UTF-8", Some("klingon".to_owned()), 0));
        assert!(decode(document.as_bytes()).unwrap().conflict());
    }

    #[test]
    fn invalid_runs_are_counted_with_their_places() {
        let mut bytes = b"<?xml version='1.0' encoding='Shift_JIS'?>".to_vec();
        let start = bytes.len() as u64;
        bytes.extend(b"a\xFF\xFFb\xFD");
        assert_eq!((read(&bytes).0.ends_with("a\u{FFFD}\u{FFFD}b\u{FFFD}"), read(&bytes).3), (true, 2));
        let mut decoded = decode(&bytes[..]).unwrap();
        decoded.peek().unwrap();
        assert_eq!(decoded.replaced_at(), [start + 1, start + 4]);
    }

    #[test]
    fn compressed_input_is_named() {
        for (bytes, what) in [
            (&b"\x1f\x8b\x08"[..], "gzip"),
            (b"BZh9", "bzip2"),
            (b"\xfd7zXZ\0", "xz"),
            (b"\x28\xb5\x2f\xfd", "zstd"),
            (b"PK\x03\x04", "zip"),
            (b"\xff\xfe\0\0<\0\0\0", "UTF-32"),
        ] {
            let error = decode(bytes).err().unwrap();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData);
            assert!(error.to_string().contains(&format!("the input is {what}, which is not read; try `")), "{error}");
        }
    }

    #[test]
    fn looking_ahead_stops_at_a_whole_character() {
        let document = "x".to_owned() + &"é".repeat(PEEK);
        let mut decoded = decode(document.as_bytes()).unwrap();
        let prefix = decoded.peek().unwrap();
        assert_eq!((prefix.text.len(), prefix.complete), (PEEK - 1, false));
        assert_eq!(decoded.peek().unwrap(), prefix);
        let mut text = String::new();
        decoded.read_to_string(&mut text).unwrap();
        assert_eq!(text, document);
        assert_eq!(decode(&b""[..]).unwrap().peek().unwrap(), Prefix { text: String::new(), complete: true });
    }

    proptest! {
        #[test]
        fn any_bytes_decode_alike_in_any_steps(
            label in prop::sample::select(&["utf-16", "gb18030", "iso-2022-jp", "big5", "x"][..]),
            tail in prop::collection::vec(any::<u8>(), 0..40), mark in 0usize..4,
        ) {
            let mark: &[u8] = [&b""[..], b"\xFF\xFE", b"\xFE\xFF", b"\xEF\xBB\xBF"][mark];
            let bytes = [mark, format!("<?xml version='1.0' encoding='{label}'?>").as_bytes(), &tail].concat();
            let mut results = Vec::new();
            for step in [1, 3, 4096] {
                if let Ok(mut decoded) = decode(Slow::new(&bytes, step)) {
                    let mut text = Vec::new();
                    decoded.read_to_end(&mut text).unwrap();
                    results.push((text, decoded.replaced(), decoded.replaced_at().to_vec()));
                }
            }
            prop_assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
        }
    }
}
