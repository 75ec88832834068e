//! How far a text or the value of an attribute reaches, and how it is written. Everything that takes a repair is refused.

use memchr::{memchr, memchr2, memmem};

use crate::table::LeafForm;
use crate::text::bytes;
use crate::xml::escape;
use crate::xml::scan::is_space;
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// Bytes of a text that are looked at eight at a time, before a search is faster.
const SHORT: usize = 64;

/// A text up to the next tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScannedText {
    /// No byte.
    Nothing,
    /// White space of XML.
    Blank,
    /// Bytes that mean themselves, or references and line ends among them.
    Written(LeafForm),
}

/// Where the text that begins at `from` ends, at a `<` or with the entry. `None` if it takes a repair.
#[inline]
pub(super) fn text(raw: &str, from: usize) -> Option<(usize, ScannedText)> {
    let bytes = raw.as_bytes();
    let rest = bytes.get(from..)?;
    let line_end = match rest {
        [b'<', ..] => return Some((from, ScannedText::Nothing)),
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    };
    if line_end > 0 {
        let indent = &rest[line_end..];
        let blanks = line_end + bytes::many(indent, if indent.first() == Some(&b'\t') { b'\t' } else { b' ' });
        if rest.get(blanks) == Some(&b'<') {
            return Some((from + blanks, ScannedText::Blank));
        }
    }
    let short = &bytes[..bytes.len().min(from + SHORT)];
    let mut form = LeafForm::Plain;
    let mut at = from;
    loop {
        at += bytes::before(&short[at..], marks);
        match short.get(at) {
            None if short.len() < bytes.len() => return long(raw, from, at, form),
            None | Some(b'<') => return Some((at, ScannedText::Written(form))),
            Some(b'&') => {
                at += reference(raw, at)?;
                form = LeafForm::Text;
                if at > short.len() {
                    return long(raw, from, at, form);
                }
                continue;
            }
            Some(b'\r') => form = LeafForm::Text,
            Some(b'>') if short[from..at].ends_with(b"]]") => return None,
            Some(b'\n' | b'\t' | b' '..) => (),
            Some(_) => return None,
        }
        at += 1;
    }
}

/// The same for a text of which some was read, up to `at`.
fn long(raw: &str, from: usize, at: usize, mut form: LeafForm) -> Option<(usize, ScannedText)> {
    let bytes = raw.as_bytes();
    let end = memchr(b'<', &bytes[at..]).map_or(bytes.len(), |found| at + found);
    let behind = bytes.get(at..end)?;
    let is_ended = || memmem::find(&bytes[from..end], b"]]>").is_some();
    if has_control(behind) || memchr(b'>', behind).is_some() && is_ended() {
        return None;
    }
    let mut at = at;
    while let Some(found) = memchr2(b'&', b'\r', &bytes[at..end]) {
        at += found;
        form = LeafForm::Text;
        at += if bytes[at] == b'&' { reference(raw, at)? } else { 1 };
    }
    Some((end, ScannedText::Written(form)))
}

/// Whether there are controls in it but for white space.
pub(super) fn has_control(bytes: &[u8]) -> bool {
    let is_control = |byte: u8| (byte < b' ') & (byte != b'\t') & (byte != b'\n') & (byte != b'\r');
    // no early exit, so that the loop works on many bytes at once
    bytes.iter().fold(false, |found, byte| found | is_control(*byte))
}

/// Where the value of an attribute ends that begins with the quote at `quote`, and how it is written. `None` if it takes
/// a repair.
#[inline]
pub(super) fn value(raw: &str, quote: usize) -> Option<(usize, LeafForm)> {
    let double = |block: u64| odd(block) | bytes::equal(block, b'"', b'"' ^ b'&');
    let single = |block: u64| odd(block) | bytes::equal(block, b'\'', b'\'' ^ b'&');
    match raw.as_bytes().get(quote) {
        Some(b'"') => value_with(raw, quote + 1, b'"', double),
        Some(b'\'') => value_with(raw, quote + 1, b'\'', single),
        _ => None,
    }
}

#[inline(always)]
fn value_with(raw: &str, start: usize, quote: u8, marks: impl Fn(u64) -> u64) -> Option<(usize, LeafForm)> {
    let bytes = raw.as_bytes();
    let mut form = LeafForm::Plain;
    let mut at = start;
    loop {
        at += bytes::before(bytes.get(at..)?, &marks);
        match *bytes.get(at)? {
            byte if byte == quote => return Some((at, form)),
            b'&' => {
                at += reference(raw, at)?;
                form = LeafForm::Attribute;
                continue;
            }
            b'\n' | b'\t' | b'\r' => form = LeafForm::Attribute,
            b'<' | ..b' ' => return None,
            _ => (),
        }
        at += 1;
    }
}

/// The length of the reference at this place; `None` if it is not one that XML knows by itself.
#[inline]
fn reference(raw: &str, at: usize) -> Option<usize> {
    match raw.as_bytes().get(at + 1..)? {
        [b'a', b'm', b'p', b';', ..] => Some(5),
        [b'l' | b'g', b't', b';', ..] => Some(4),
        [b'q', b'u', b'o', b't', b';', ..] | [b'a', b'p', b'o', b's', b';', ..] => Some(6),
        [b'#', ..] => character(raw.get(at..)?),
        _ => None,
    }
}

/// The length of a reference to a character that XML allows, except a number that HTML reads as windows-1252.
#[cold]
fn character(rest: &str) -> Option<usize> {
    let name = escape::reference_name(rest)?;
    let number = name.strip_prefix('#').filter(|number| !number.starts_with('X'))?;
    let found = char::from_u32(escape::char_code(number)?)?;
    let is_control = ('\u{80}'..='\u{9F}').contains(&found);
    (!is_control && escape::is_xml_char(found)).then_some(name.len() + 2)
}

/// Whether the first character that is not white space of XML shows that this text is a value. If not, it may be white
/// space that is written by references.
#[inline]
pub(super) fn is_solid(text: &[u8]) -> Option<bool> {
    match text.iter().position(|byte| !is_space(*byte)).map(|at| &text[at..]) {
        None => Some(false),
        Some([b'&', b'#', ..]) => None,
        Some(_) => Some(true),
    }
}

/// Marks what ends a text, or must not be in it as it is: `>` may be the end of `]]>`.
#[inline]
fn marks(block: u64) -> u64 {
    bytes::below(block, b' ') | bytes::equal(block, b'<', b'<' ^ b'>') | bytes::equal(block, b'&', 0)
}

/// Marks what must not be in the value of an attribute as it is.
#[inline]
fn odd(block: u64) -> u64 {
    bytes::below(block, b' ') | bytes::equal(block, b'<', 0)
}

/// The end of a CDATA section.
pub(super) static SECTION_END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("]]>"));

pub(super) fn section_end(text: &str) -> Option<usize> {
    SECTION_END.find(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(form: LeafForm) -> ScannedText {
        ScannedText::Written(form)
    }

    #[test]
    fn texts_end_at_the_next_tag() {
        use LeafForm::{Plain, Text};
        let long = "word ".repeat(40);
        for (raw, expected) in [
            ("<a", Some((0, ScannedText::Nothing))),
            ("\n    <a", Some((5, ScannedText::Blank))),
            ("\r\n\t<a", Some((3, ScannedText::Blank))),
            ("a > b]]<a", Some((7, written(Plain)))),
            ("a &amp; b<a", Some((9, written(Text)))),
            ("a\rb<a", Some((3, written(Text)))),
            ("a\n\tb", Some((4, written(Plain)))),
            ("&#65;&#x41;<a", Some((11, written(Text)))),
            ("&#X41;<a", None),
            ("&#0;<a", None),
            ("&nbsp;<a", None),
            ("a & b<a", None),
            ("a\u{1}b<a", None),
            ("a]]>b<a", None),
        ] {
            assert_eq!(text(raw, 0), expected, "{raw:?}");
            let expected = match expected {
                Some((end, ScannedText::Nothing)) => Some((end + long.len(), written(Plain))),
                Some((end, ScannedText::Blank)) if raw.starts_with('\r') => Some((end + long.len(), written(Text))),
                Some((end, ScannedText::Blank)) => Some((end + long.len(), written(Plain))),
                Some((end, form)) => Some((end + long.len(), form)),
                None => None,
            };
            assert_eq!(text(&format!("{long}{raw}"), 0), expected, "{raw:?}");
        }
    }

    #[test]
    fn a_mark_is_found_wherever_it_is() {
        for length in 0..200 {
            let blanks = "中".repeat(length);
            assert_eq!(text(&format!("{blanks}]]><"), 0), None, "{length}");
            assert_eq!(text(&format!("{blanks}\u{2}<"), 0), None, "{length}");
            assert_eq!(text(&format!("{blanks}&lt;<"), 0), Some((3 * length + 4, written(LeafForm::Text))), "{length}");
            assert_eq!(value(&format!("'{blanks}&lt;'"), 0), Some((3 * length + 5, LeafForm::Attribute)), "{length}");
            assert_eq!(value(&format!("\"{blanks}'\" "), 0), Some((3 * length + 2, LeafForm::Plain)), "{length}");
            assert_eq!(value(&format!("'{blanks}"), 0), None, "{length}");
        }
    }

    #[test]
    fn values_end_at_their_quote() {
        use LeafForm::{Attribute, Plain};
        for (raw, expected) in [
            ("\"a'b\"c", Some((4, Plain))),
            ("'a\"b'", Some((4, Plain))),
            ("'a\nb'", Some((4, Attribute))),
            ("'a&quot;b'", Some((9, Attribute))),
            ("'a<b'", None),
            ("'a&b'", None),
            ("'a\u{1}b'", None),
            ("a'", None),
            ("", None),
        ] {
            assert_eq!(value(raw, 0), expected, "{raw:?}");
        }
    }
}
