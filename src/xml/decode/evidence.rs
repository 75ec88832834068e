//! The encoding of bytes by their content: whether they are UTF-8, and otherwise the most likely encoding. It uses only
//! the given slices, without state.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use memchr::{memchr3_iter, memrchr3};

/// Bytes of evidence that are decoded to see whether a guess makes sense.
const SAMPLE: usize = 4 * 1024;
/// Bytes beyond ASCII from which on a new guess may overrule an earlier one.
const MUCH: usize = 24;

/// Cuts bytes into pieces that are likely to be in one encoding: a tag or an attribute with the text after it, a line.
pub(super) fn units(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    let ends = memchr3_iter(b'<', b'"', b'\n', bytes).filter(|&at| at > 0).chain(std::iter::once(bytes.len()));
    ends.filter_map(move |end| {
        let unit = bytes.get(start..end).filter(|unit| !unit.is_empty());
        start = end;
        unit
    })
}

/// Length of the beginning of `bytes` that holds whole units, if these are at least half of it; else all of it.
pub(super) fn whole_units(bytes: &[u8]) -> usize {
    let half = bytes.len() / 2;
    memrchr3(b'<', b'"', b'\n', &bytes[half..]).map_or(bytes.len(), |at| (half + at).max(1))
}

/// How much bytes look like UTF-8.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Weight {
    /// Bytes that continue a character of UTF-8.
    pub(super) valid: usize,
    /// Bytes that are not UTF-8, except surrogates encoded as UTF-8: Java and old databases write characters beyond the
    /// Basic Multilingual Plane that way, so they do not indicate another encoding.
    pub(super) invalid: usize,
}

impl Weight {
    pub(super) fn measure(bytes: &[u8]) -> Weight {
        let mut weight = Weight::default();
        if simdutf8::basic::from_utf8(bytes).is_ok() {
            return Weight { valid: continuations(bytes), invalid: 0 };
        }
        for chunk in bytes.utf8_chunks() {
            weight.valid += continuations(chunk.valid().as_bytes());
            let cut = if is_cut(chunk.invalid()) { chunk.invalid().len() - 1 } else { 0 };
            weight.valid += cut;
            weight.invalid += chunk.invalid().len() - cut;
        }
        if weight.invalid > 0 {
            let surrogate = |w: &[u8]| w[0] == 0xED && (0xA0..=0xBF).contains(&w[1]) && w[2] & 0xC0 == 0x80;
            let surrogates = bytes.windows(3).filter(|w| surrogate(w)).count();
            weight.invalid = weight.invalid.saturating_sub(3 * surrogates);
        }
        weight
    }

    /// Whether the bytes are text of another encoding rather than damaged UTF-8; `spoken` if characters of UTF-8 came
    /// before them in the same piece.
    pub(super) fn is_foreign(self, spoken: bool) -> bool {
        let damage = self.valid + if spoken { 3 } else { 0 };
        self.invalid > damage
    }
}

/// Whether these bytes, which no further byte makes a character of UTF-8, are the beginning of one, and hardly anything in
/// another encoding: three of the four bytes of an emoji, or two of a dash or a quotation mark.
fn is_cut(bytes: &[u8]) -> bool {
    matches!(bytes, [0xF0, 0x9F, _] | [0xE2, 0x80])
}

/// Bytes that continue a character, if they are UTF-8.
fn continuations(bytes: &[u8]) -> usize {
    // sums of bytes over so few of them that none overflows: the compiler makes wide instructions of these
    let sum = |some: &[u8]| usize::from(some.iter().fold(0u8, |sum, byte| sum + u8::from(byte & 0xC0 == 0x80)));
    bytes.chunks(128).map(sum).sum()
}

/// Bytes without a character of UTF-8 cut off at their end.
pub(super) fn whole_characters(bytes: &[u8]) -> &[u8] {
    let tail = bytes.len().saturating_sub(3);
    let lead = bytes[tail..].iter().rposition(|&byte| byte >= 0xC0).map(|at| tail + at);
    match lead {
        Some(lead) if std::str::from_utf8(&bytes[lead..]).is_err_and(|error| error.error_len().is_none()) => {
            &bytes[..lead]
        }
        _ => bytes,
    }
}

/// Collects pieces that are not UTF-8 and guesses their encoding.
pub(super) struct Evidence {
    detector: EncodingDetector,
    sample: Vec<u8>,
    high: usize,
}

impl Evidence {
    pub(super) fn new() -> Self {
        Evidence { detector: EncodingDetector::new(Iso2022JpDetection::Deny), sample: Vec::new(), high: 0 }
    }

    pub(super) fn feed(&mut self, piece: &[u8]) {
        self.detector.feed(piece, false);
        self.high += piece.iter().filter(|byte| !byte.is_ascii()).count();
        if self.sample.len() < SAMPLE {
            // whole pieces, so that no character of two bytes is cut
            self.sample.extend_from_slice(piece);
        }
    }

    /// Bytes beyond ASCII so far.
    pub(super) fn high(&self) -> usize {
        self.high
    }

    /// The encoding of the pieces, if the guess is a good one. An encoding that the document was found to use before
    /// (or that it declares) is kept to, if it fits.
    pub(super) fn verdict(mut self, before: Option<&'static Encoding>) -> Option<&'static Encoding> {
        if self.high == 0 {
            return None;
        }
        if let Some(before) = before.filter(|_| self.high < MUCH)
            && makes_sense(before, &self.sample)
        {
            return Some(before);
        }
        self.detector.feed(b"", true);
        let guess = self.detector.guess(None, Utf8Detection::Deny);
        // a few signs alone mislead the detector
        [guess, WINDOWS_1252].into_iter().find(|encoding| makes_sense(encoding, &self.sample))
    }
}

/// Letters that are words by themselves, or names of something. The others of windows-1252 are mostly halves of characters
/// of UTF-8.
const WORDS: &str = "àÀáÁäÄåÅæÆèÈéÉêÊíÍóÓôÔöÖøØúÚüÜýÝ";

/// Whether bytes are text in this encoding: nothing invalid, hardly anything but letters and common signs, and few
/// isolated letters, which are typical of halved characters.
fn makes_sense(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes) else { return false };
    let (mut good, mut lone, mut odd) = (0u32, 0u32, 0u32);
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let joined = before.is_alphabetic() || chars.peek().is_some_and(|next| next.is_alphabetic());
        before = c;
        match c {
            _ if c.is_ascii() => {}
            _ if is_common_sign(c) => good += 1,
            // characters of East Asia are words by themselves
            _ if c.is_alphabetic() && (joined || c >= '\u{1100}') => good += 1,
            _ if WORDS.contains(c) => {}
            _ if c.is_alphabetic() => lone += 1,
            _ => odd += 1,
        }
    }
    lone * 2 <= good && odd * 8 <= good
}

fn is_common_sign(c: char) -> bool {
    matches!(
        c,
        '\u{A0}' | '£' | '§' | '©' | '«' | '®' | '°' | '»' | '\u{2010}'..='\u{2026}' | '\u{2030}' | '€' | '№' | '™'
            // accents that combine, and the signs above Thai letters
            | '\u{300}'..='\u{36F}' | '\u{E31}'..='\u{E4E}'
            | '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FF65}'
    )
}

/// What the first bytes beyond ASCII and those after them say, against what was declared.
pub(super) fn decide(window: &[u8], declared: Option<&'static Encoding>) -> &'static Encoding {
    let weight = Weight::measure(window);
    match declared.filter(|encoding| *encoding != UTF_8) {
        Some(declared) if is_utf_8_after_all(window, weight, declared) => UTF_8,
        Some(declared) if declared.is_single_byte() || !is_wrong(declared, window) => declared,
        Some(declared) => guess(window).unwrap_or(declared),
        None if weight.invalid == 0 => UTF_8,
        None => guess(window).unwrap_or(UTF_8),
    }
}

/// UTF-8 is so regular that a few characters of it prove it.
fn is_utf_8_after_all(window: &[u8], weight: Weight, declared: &'static Encoding) -> bool {
    let enough = if declared.is_single_byte() { 4 } else { 6 };
    match weight {
        Weight { valid: 0, .. } => false,
        Weight { valid, invalid } if valid >= enough => invalid * 20 <= valid,
        Weight { invalid: 0, .. } => !makes_words(declared, window),
        _ => false,
    }
}

/// Whether everything beyond ASCII is letters.
fn makes_words(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    text.is_some_and(|text| text.chars().all(|c| c.is_ascii() || c.is_alphabetic()))
}

/// Whether too much is invalid in this encoding for damage.
fn is_wrong(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let (text, wrong) = encoding.decode_without_bom_handling(bytes);
    let errors = if wrong { text.matches(char::REPLACEMENT_CHARACTER).count() } else { 0 };
    errors >= 3 && errors * 8 >= bytes.iter().filter(|byte| !byte.is_ascii()).count()
}

/// The encoding of the window; UTF-8 if a good part of it is, `None` if unknown.
fn guess(window: &[u8]) -> Option<&'static Encoding> {
    let mut evidence = Evidence::new();
    let mut utf_8 = 0;
    for unit in units(window).filter(|unit| !unit.is_ascii()) {
        let weight = Weight::measure(unit);
        if weight.is_foreign(false) {
            evidence.feed(unit);
        } else {
            utf_8 += weight.valid;
        }
    }
    // UTF-8 hardly ever comes about by chance, so that a little of it outweighs a lot of anything else
    if evidence.high() > utf_8 * 8 { evidence.verdict(None) } else { Some(UTF_8) }
}
