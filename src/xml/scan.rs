//! Small lexical functions for tags and names, shared by the splitter, the decoder and detection. They do not check
//! well-formedness.

use super::names::is_qname;

/// White space as XML 1.0 (2.3) has it.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The same as characters.
pub(crate) const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];

/// Whether a text is white space of XML alone.
pub(crate) fn is_blank(text: &str) -> bool {
    text.bytes().all(is_space)
}

/// Whether a name can begin with this byte. All bytes of non-ASCII characters can.
pub(crate) fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':') || byte >= 0x80
}

/// Length of the name that `bytes` begin with: up to white space or a delimiter of tags.
pub(crate) fn name_len(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| ends_name(byte)).unwrap_or(bytes.len())
}

/// Whether a name is over before this byte.
pub(crate) fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>' | b'<' | b'=' | b'"' | b'\'')
}

/// Whether this can be the name of an element or an attribute, in XML with namespaces.
pub(crate) fn is_name(name: &str) -> bool {
    let inner = |&byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    // nearly all names have neither a prefix nor other letters
    match name.as_bytes() {
        [first, rest @ ..] if (first.is_ascii_alphabetic() || *first == b'_') && rest.iter().all(inner) => true,
        _ => is_qname(name),
    }
}

/// Whether a processing instruction is the XML declaration. Nothing in it has a `>`, so it ends with the first one.
pub(crate) fn is_declaration(rest: &[u8]) -> bool {
    rest.len() > 5 && rest[..5].eq_ignore_ascii_case(b"<?xml") && is_space(rest[5])
}

/// Prefix and local name of a qualified name.
pub(crate) fn split_name(name: &[u8]) -> (Option<&[u8]>, &[u8]) {
    match memchr::memchr(b':', name) {
        Some(colon) => (Some(&name[..colon]), &name[colon + 1..]),
        None => (None, name),
    }
}

/// Where the tag that `text` begins with ends (after its `>`), with regard to quotes.
pub(crate) fn tag_end(text: &str) -> Option<usize> {
    let mut quote = 0;
    for (at, &byte) in text.as_bytes().iter().enumerate() {
        match byte {
            b'>' if quote == 0 => return Some(at + 1),
            b'"' | b'\'' if quote == 0 => quote = byte,
            _ if byte == quote => quote = 0,
            _ => {}
        }
    }
    None
}

/// The quote of a value that is not closed in a tag up to the next `<`, and the end of the tag after the first `>` in it.
pub(crate) fn missing_quote(tag: &[u8]) -> Option<(usize, usize)> {
    let mut open = None;
    for (at, &byte) in tag.iter().enumerate() {
        match (byte, open) {
            (b'"' | b'\'', None) => open = Some(at),
            (_, Some(quote)) if byte == tag[quote] => open = None,
            _ => {}
        }
    }
    let end = memchr::memchr(b'>', tag.get(open?..)?)?;
    Some((open?, open? + end + 1))
}

/// The attributes of a start tag, a processing instruction or an XML declaration (from `<` to `>`), names and raw
/// values. Attributes without a quoted value are skipped.
pub(crate) fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let name = tag.find(|c: char| c.is_ascii() && is_space(c as u8)).unwrap_or(tag.len());
    let mut rest = &tag[name..];
    std::iter::from_fn(move || {
        loop {
            let (before, after) = rest.split_once('=')?;
            let after = after.trim_start();
            let Some(quote) = after.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
                rest = after;
                continue;
            };
            let (value, left) = after[1..].split_once(quote)?;
            rest = left;
            let name = before.trim_end();
            let start = name.rfind(|c: char| c.is_ascii_whitespace()).map_or(0, |at| at + 1);
            return Some((&name[start..], value));
        }
    })
}

/// Whether it contains characters that XML forbids.
pub(super) fn has_forbidden(raw: &str) -> bool {
    has_control(raw) || has_noncharacter(raw)
}

/// Controls but for white space.
pub(crate) fn has_control(raw: &str) -> bool {
    let control = |&byte: &u8| byte < 0x20 && byte != b'\t' && byte != b'\n' && byte != b'\r';
    // no early exit, so that the loop works on many bytes at once
    raw.as_bytes().iter().fold(false, |found, byte| found | control(byte))
}

/// U+FFFE and U+FFFF.
pub(crate) fn has_noncharacter(raw: &str) -> bool {
    // most texts have no such byte at all, so a search for one beats one for two
    memchr::memchr_iter(0xEF, raw.as_bytes())
        .any(|at| raw.as_bytes().get(at + 1..at + 3).is_some_and(|rest| rest[0] == 0xBF && rest[1] >= 0xBE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_in_any_quotes() {
        let tag = "<rss a='1' b = \"x>'y\" c d=e xmlns:f=\"\"\n g='2'/>";
        let found: Vec<_> = attributes(tag).collect();
        assert_eq!(found, [("a", "1"), ("b", "x>'y"), ("xmlns:f", ""), ("g", "2")]);
        assert_eq!(tag_end(tag), Some(tag.len()));
        assert_eq!(attributes("<rss").count() + attributes("<rss a=\"").count(), 0);
    }

    #[test]
    fn names_end_at_delimiters() {
        assert_eq!(name_len(b"a:b/>"), 3);
        assert_eq!(split_name(b"a:b"), (Some(&b"a"[..]), &b"b"[..]));
        assert_eq!(split_name(b"b"), (None, &b"b"[..]));
    }
}
