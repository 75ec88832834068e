//! Escaping and unescaping of XML text and attribute values, strict and lenient. The caller has already found the begin
//! and end of a value.

use std::borrow::Cow;

use memchr::memchr;
use quick_xml::escape::resolve_xml_entity;

pub use super::entities::html_entity;
use crate::text::bytes;

/// The longest reference considered, in bytes without `&` and `;`. The longest HTML entity name has 31; the bound keeps
/// text consisting of ampersands linear.
const MAX_REFERENCE: usize = 40;

/// Appends `s` as XML text: `&`, `<`, `>` escaped, a carriage return as `&#13;` so that no parser turns it into a
/// line feed. Returns `false` when characters that XML 1.0 forbids were dropped.
pub fn escape_text(s: &str, out: &mut Vec<u8>) -> bool {
    escape_with(s, out, &TEXT)
}

/// Appends `s` as a double-quoted attribute value (without the quotes): as [`escape_text`], and also `"`, tab and line
/// feed, which attribute value normalization would turn into spaces. Returns `false` when characters that XML 1.0
/// forbids were dropped.
pub fn escape_attr(s: &str, out: &mut Vec<u8>) -> bool {
    escape_with(s, out, &ATTR)
}

/// What a byte needs on output.
#[derive(Clone, Copy, PartialEq)]
enum ByteClass {
    Plain,
    Replace(&'static str),
    Forbidden,
    /// First byte of U+F000..=U+FFFF, among which U+FFFE and U+FFFF are forbidden.
    Suspect,
}

static TEXT: [ByteClass; 256] = classes(false);
static ATTR: [ByteClass; 256] = classes(true);

const fn classes(attribute: bool) -> [ByteClass; 256] {
    let mut table = [ByteClass::Plain; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = ByteClass::Forbidden;
        byte += 1;
    }
    table[0xEF] = ByteClass::Suspect;
    table[b'&' as usize] = ByteClass::Replace("&amp;");
    table[b'<' as usize] = ByteClass::Replace("&lt;");
    table[b'>' as usize] = ByteClass::Replace("&gt;");
    table[b'\r' as usize] = ByteClass::Replace("&#13;");
    table[b'\t' as usize] = if attribute { ByteClass::Replace("&#9;") } else { ByteClass::Plain };
    table[b'\n' as usize] = if attribute { ByteClass::Replace("&#10;") } else { ByteClass::Plain };
    if attribute {
        table[b'"' as usize] = ByteClass::Replace("&quot;");
    }
    table
}

fn escape_with(s: &str, out: &mut Vec<u8>, classes: &[ByteClass; 256]) -> bool {
    let bytes = s.as_bytes();
    let (mut complete, mut copied, mut at) = (true, 0, 0);
    loop {
        at += plain_before(bytes.get(at..).unwrap_or_default());
        let Some(byte) = bytes.get(at) else { break };
        let (replacement, length) = match classes[usize::from(*byte)] {
            ByteClass::Plain => {
                at += 1;
                continue;
            }
            ByteClass::Replace(replacement) => (replacement, 1),
            ByteClass::Forbidden => ("", 1),
            ByteClass::Suspect if is_noncharacter(&bytes[at..]) => ("", 3),
            ByteClass::Suspect => {
                at += 3;
                continue;
            }
        };
        complete &= !replacement.is_empty();
        out.extend_from_slice(&bytes[copied..at]);
        out.extend_from_slice(replacement.as_bytes());
        at += length;
        copied = at;
    }
    out.extend_from_slice(&bytes[copied..]);
    complete
}

/// How many bytes precede the first that may not be plain.
#[inline]
fn plain_before(bytes: &[u8]) -> usize {
    let mut at = bytes::blocks_before(bytes, is_suspicious);
    at += bytes::before(bytes.get(at..).unwrap_or_default(), suspicious);
    let rest = bytes.len() - at;
    match bytes.last_chunk::<8>() {
        // the next one is suspicious
        _ if rest >= 8 => at,
        _ if rest == 0 => at,
        // the last eight, without those that were looked at
        Some(last) => {
            let block = suspicious(u64::from_le_bytes(*last) >> (64 - 8 * rest));
            at + rest.min(block.trailing_zeros() as usize / 8)
        }
        None => at + bytes.iter().position(|byte| is_suspicious(*byte)).unwrap_or(rest),
    }
}

/// Marks all bytes that are not plain in one of the tables, and a few that are.
#[inline]
fn suspicious(block: u64) -> u64 {
    const LESS_OR_GREATER: u8 = b'<' ^ b'>';
    const AMPERSAND_OR_QUOTE: u8 = b'&' ^ b'"';
    bytes::below(block, 0x20)
        | bytes::equal(block, b'<', LESS_OR_GREATER)
        | bytes::equal(block, b'&', AMPERSAND_OR_QUOTE)
        | bytes::equal(block, 0xEF, 0)
}

/// The same of one byte.
#[inline]
fn is_suspicious(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'<') | (byte == b'>') | (byte == b'&') | (byte == b'"') | (byte == 0xEF)
}

/// U+FFFE and U+FFFF in UTF-8.
fn is_noncharacter(bytes: &[u8]) -> bool {
    matches!(bytes, [0xEF, 0xBF, 0xBE | 0xBF, ..])
}

/// XML 1.0 production `Char`.
pub(crate) fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// Whether all characters are allowed in XML; ASCII is checked by bytes.
pub(crate) fn is_all_xml(text: &str) -> bool {
    !bytes::has(text.as_bytes(), |byte| !(b' '..0x7f).contains(&byte)) || text.chars().all(is_xml_char)
}

/// Resolves the five predefined entities and character references. `None` if there is any other `&`;
/// [`unescape_lenient`] then gives the problem and its place.
pub fn unescape(raw: &str) -> Option<Cow<'_, str>> {
    let (text, repairs) = unescape_lenient(raw);
    repairs.is_empty().then_some(text)
}

/// One departure from XML 1.0 that [`unescape_lenient`] got over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EscapeRepair {
    /// Byte offset of the `&` in the raw string.
    pub at: usize,
    /// The kind of problem.
    pub kind: RepairKind,
}

/// The departures from XML 1.0 that occur around an `&`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairKind {
    /// An HTML entity that XML does not predefine, such as `&nbsp;`; resolved.
    HtmlEntity,
    /// An `&` that begins no known reference; kept unchanged.
    BareAmpersand,
    /// A character reference without a number (kept unchanged) or to a character XML forbids (dropped).
    BadCharRef,
    /// `&#X` for `&#x`, as HTML has it; resolved.
    CapitalX,
    /// The number of a character in windows-1252, as HTML has it (`&#146;`); resolved. In XML it is a control character.
    Windows1252,
}

/// As [`unescape`], but never fails: HTML entities are resolved too, a bare `&` stays, and what was repaired is
/// listed in the order of the text.
pub fn unescape_lenient(raw: &str) -> (Cow<'_, str>, Vec<EscapeRepair>) {
    let bytes = raw.as_bytes();
    let Some(first) = memchr(b'&', bytes) else { return (Cow::Borrowed(raw), Vec::new()) };
    let mut out = String::with_capacity(raw.len());
    let mut repairs = Vec::new();
    let (mut copied, mut next) = (0, Some(first));
    while let Some(at) = next {
        out.push_str(&raw[copied..at]);
        let (length, kind) = push_reference(&raw[at..], &mut out);
        repairs.extend(kind.map(|kind| EscapeRepair { at, kind }));
        copied = at + length;
        next = memchr(b'&', &bytes[copied..]).map(|found| copied + found);
    }
    out.push_str(&raw[copied..]);
    (Cow::Owned(out), repairs)
}

/// Appends the characters of the reference at the start of `rest`; returns its length in bytes and the problem, if any.
pub(crate) fn push_reference(rest: &str, out: &mut String) -> (usize, Option<RepairKind>) {
    let Some(name) = reference_name(rest) else {
        out.push('&');
        let bad = rest.as_bytes().get(1) == Some(&b'#');
        return (1, Some(if bad { RepairKind::BadCharRef } else { RepairKind::BareAmpersand }));
    };
    let length = name.len() + 2;
    if let Some(number) = name.strip_prefix('#') {
        return push_char_ref(number, &rest[..length], out);
    }
    if let Some(text) = resolve_xml_entity(name) {
        out.push_str(text);
        return (length, None);
    }
    if let Some(text) = html_entity(name) {
        out.push_str(text);
        return (length, Some(RepairKind::HtmlEntity));
    }
    out.push('&');
    (1, Some(RepairKind::BareAmpersand))
}

fn push_char_ref(number: &str, whole: &str, out: &mut String) -> (usize, Option<RepairKind>) {
    match char_code(number).map(char::from_u32) {
        None => out.push_str(whole),
        Some(Some(c)) if windows_1252(c.into()).is_some_and(|meant| meant != c) => {
            out.extend(windows_1252(c.into()));
            return (whole.len(), Some(RepairKind::Windows1252));
        }
        Some(Some(c)) if is_xml_char(c) => {
            out.push(c);
            return (whole.len(), number.starts_with('X').then_some(RepairKind::CapitalX));
        }
        Some(_) => {}
    }
    (whole.len(), Some(RepairKind::BadCharRef))
}

/// What numeric references to the C1 controls mean in HTML (WHATWG HTML 13.2.5.80); unassigned places keep the control.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// The character that a number from 0x80 to 0x9F means in HTML: that of windows-1252, or the control character if it has none.
pub(crate) fn windows_1252(code: u32) -> Option<char> {
    WINDOWS_1252.get(usize::try_from(code.checked_sub(0x80)?).ok()?).copied()
}

/// The text between the `&` that `rest` begins with and the next `;`, if that can be a reference.
pub(crate) fn reference_name(rest: &str) -> Option<&str> {
    let bytes = rest.as_bytes().get(1..)?;
    let end = bytes.iter().take(MAX_REFERENCE + 1).position(|b| !b.is_ascii_alphanumeric() && *b != b'#')?;
    (end > 0 && bytes[end] == b';').then(|| &rest[1..=end])
}

/// The number of a character reference without `&#` and `;`: decimal, or hexadecimal after `x`. `None` if it is not a
/// number; `u32::MAX` if it is too large to be a character.
pub(crate) fn char_code(number: &str) -> Option<u32> {
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    Some(u32::from_str_radix(digits, radix).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(s: &str) -> (String, bool) {
        let mut out = Vec::new();
        let complete = escape_text(s, &mut out);
        (String::from_utf8(out).unwrap(), complete)
    }

    fn attr(s: &str) -> (String, bool) {
        let mut out = Vec::new();
        let complete = escape_attr(s, &mut out);
        (String::from_utf8(out).unwrap(), complete)
    }

    #[test]
    fn escapes() {
        for (raw, in_text, in_attr, complete) in [
            ("", "", "", true),
            ("a & <b> \"c\"", "a &amp; &lt;b&gt; \"c\"", "a &amp; &lt;b&gt; &quot;c&quot;", true),
            ("a\tb\nc\rd", "a\tb\nc&#13;d", "a&#9;b&#10;c&#13;d", true),
            ("\u{0}a\u{B}\u{1F}b", "ab", "ab", false),
            ("x\u{FFFE}y\u{FFFF}", "xy", "xy", false),
            ("\u{FFFD}\u{FEFF}\u{F000}ж𝄞", "\u{FFFD}\u{FEFF}\u{F000}ж𝄞", "\u{FFFD}\u{FEFF}\u{F000}ж𝄞", true),
        ] {
            assert_eq!(text(raw), (in_text.to_owned(), complete), "{raw:?}");
            assert_eq!(attr(raw), (in_attr.to_owned(), complete), "{raw:?}");
        }
    }

    #[test]
    fn unescapes() {
        use RepairKind::{BadCharRef, BareAmpersand, CapitalX, HtmlEntity};
        for (raw, expected, kinds) in [
            ("plain", "plain", &[][..]),
            ("&lt;b&gt; &amp;amp; &quot;&apos;", "<b> &amp; \"'", &[]),
            ("&#65;&#x42;&#0067;", "ABC", &[]),
            ("&#X43;", "C", &[CapitalX]),
            ("a&nbsp;b&eacute;", "a\u{A0}bé", &[HtmlEntity, HtmlEntity]),
            ("Q&A & more&", "Q&A & more&", &[BareAmpersand; 3]),
            ("?a=1&b=2&unknown;", "?a=1&b=2&unknown;", &[BareAmpersand; 2]),
            ("&#0;&#xD800;&#x110000;&#99999999999;", "", &[BadCharRef; 4]),
            ("&#;&#zz;&#x;&# 5;", "&#;&#zz;&#x;&# 5;", &[BadCharRef; 4]),
            ("&CounterClockwiseContourIntegral;", "∳", &[HtmlEntity]),
            ("&;&é;", "&;&é;", &[BareAmpersand; 2]),
        ] {
            let (out, repairs) = unescape_lenient(raw);
            assert_eq!(out, expected);
            assert_eq!(repairs.iter().map(|r| r.kind).collect::<Vec<_>>(), kinds, "{raw}");
            assert!(repairs.iter().all(|r| raw[r.at..].starts_with('&')), "{raw}");
            assert_eq!(unescape(raw).is_some(), kinds.is_empty(), "{raw}");
        }
        assert!(matches!(unescape("no reference"), Some(Cow::Borrowed(_))));
    }

    #[test]
    fn a_text_of_ampersands_is_linear() {
        let raw = "&".repeat(1 << 20);
        assert_eq!(unescape_lenient(&raw).1.len(), 1 << 20);
        let raw = "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".repeat(1 << 14);
        assert_eq!(unescape_lenient(&raw).0, raw);
    }

    proptest! {
        #[test]
        fn escaping_is_undone_by_unescaping(s in any::<String>()) {
            let allowed: String = s.chars().filter(|c| is_xml_char(*c)).collect();
            for (escaped, complete) in [text(&s), attr(&s)] {
                let unescaped = unescape(&escaped);
                prop_assert_eq!(unescaped.as_deref(), Some(allowed.as_str()));
                prop_assert_eq!(complete, allowed == s);
            }
        }

        #[test]
        fn arbitrary_text_never_panics(s in "[&#;x0-9a-z<é ]{0,40}") {
            let (_, repairs) = unescape_lenient(&s);
            prop_assert_eq!(unescape(&s).is_none(), !repairs.is_empty());
        }
    }
}
