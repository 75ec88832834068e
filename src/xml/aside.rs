//! The rules of XML for the markup that readers skip: comments, processing instructions and the XML declaration.

use super::scan::{is_name, is_space};

/// The declaration that other encodings than UTF-8 need.
const ENCODING: &str = "encoding";

/// What is done about a fault.
pub(super) const REMOVED: &str = "removed";

/// Something that XML forbids there.
#[derive(Debug, PartialEq)]
pub(crate) struct AsideFault {
    pub at: usize,
    pub code: &'static str,
    pub found: String,
}

/// The first fault of a comment or an instruction, from its `<` to its `>`.
pub(crate) fn fault(markup: &str) -> Option<AsideFault> {
    let (inner, is_comment) = match markup.strip_prefix("<!--") {
        Some(rest) => (rest.strip_suffix("-->")?, true),
        None => (markup.strip_prefix("<?")?.strip_suffix("?>")?, false),
    };
    if !is_comment && !has_target(inner) {
        let found = markup.chars().take(200).collect();
        return Some(AsideFault { at: 0, code: "xml.instruction", found });
    }
    let start = if is_comment { 4 } else { 2 };
    fault_inside(inner.as_bytes(), is_comment, true).map(|fault| AsideFault { at: start + fault.at, ..fault })
}

/// The first fault of the content of one. Of a piece that is not the last, the two last bytes are looked at again in the
/// next.
pub(super) fn fault_inside(inner: &[u8], is_comment: bool, is_last: bool) -> Option<AsideFault> {
    let hyphens = hyphens(inner).filter(|at| is_comment && (is_last || at + 2 < inner.len()));
    let hyphens = hyphens.map(|at| AsideFault { at, code: "xml.comment", found: "--".to_owned() });
    let forbidden = forbidden(inner).map(|(at, c)| {
        let found = format!("U+{:04X}", u32::from(c));
        AsideFault { at, code: "xml.control", found }
    });
    hyphens.into_iter().chain(forbidden).min_by_key(|fault| fault.at)
}

/// Where the content of a comment has the two hyphens that only its end may have.
fn hyphens(inner: &[u8]) -> Option<usize> {
    memchr::memmem::find(inner, b"--").or_else(|| inner.ends_with(b"-").then(|| inner.len() - 1))
}

/// The first character of these bytes that XML forbids, and where.
fn forbidden(bytes: &[u8]) -> Option<(usize, char)> {
    let control = bytes.iter().position(|byte| matches!(byte, 0..=8 | 11 | 12 | 14..=31));
    let others = ['\u{FFFE}', '\u{FFFF}'].map(|c| memchr::memmem::find(bytes, c.encode_utf8(&mut [0; 4]).as_bytes()));
    let at = others.into_iter().chain([control]).flatten().min()?;
    let c = match bytes.get(at)? {
        0xEF if bytes.get(at + 2) == Some(&0xBE) => '\u{FFFE}',
        0xEF => '\u{FFFF}',
        byte => char::from(*byte),
    };
    Some((at, c))
}

/// Whether a processing instruction, without its delimiters, has a target (XML 1.0 section 2.6). What follows the target
/// can be anything.
pub(super) fn has_target(inner: &str) -> bool {
    let target = inner.split(|c: char| c.is_ascii() && is_space(c as u8)).next().unwrap_or_default();
    is_name(target) && !target.eq_ignore_ascii_case("xml")
}

/// Whether an XML declaration, from `<?xml` to `?>`, is one (XML 1.0 section 2.8); its version is looked at elsewhere.
pub(super) fn is_declaration(text: &str) -> bool {
    let Some(inner) = text.strip_prefix("<?xml").and_then(|rest| rest.strip_suffix("?>")) else { return false };
    let mut parts = pseudo_attributes(inner);
    let mut next = parts.next();
    let is_version = |value: &str| {
        let minor = value.strip_prefix("1.").unwrap_or_default();
        !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !matches!(next, Some(Some(("version", value))) if is_version(value)) {
        return false;
    }
    next = parts.next();
    if let Some(Some((ENCODING, value))) = next {
        let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        if !value.starts_with(|c: char| c.is_ascii_alphabetic()) || !value.bytes().all(is_inner) {
            return false;
        }
        next = parts.next();
    }
    if let Some(Some(("standalone", "yes" | "no"))) = next {
        next = parts.next();
    }
    next.is_none()
}

/// The names and values of an XML declaration; `None` in the place of what is neither.
fn pseudo_attributes(inner: &str) -> impl Iterator<Item = Option<(&str, &str)>> {
    let blank = |c: char| c.is_ascii() && is_space(c as u8);
    let mut rest = inner;
    std::iter::from_fn(move || {
        let text = rest.trim_start_matches(blank);
        if text.is_empty() {
            return None;
        }
        let apart = text.len() < rest.len();
        let part = text.split_once('=').filter(|_| apart).and_then(|(name, value)| {
            let value = value.trim_start_matches(blank);
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (value, behind) = value[1..].split_once(quote)?;
            rest = behind;
            Some((name.trim_end_matches(blank), value))
        });
        if part.is_none() {
            rest = "";
        }
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_those_of_xml() {
        for text in [
            r#"<?xml version="1.0"?>"#,
            r#"<?xml version = '1.0' ?>"#,
            r#"<?xml version="1.1" encoding="x-mac_1.2" standalone="yes"?>"#,
            "<?xml\n\tversion=\"1.0\"\n\tstandalone='no'\n?>",
        ] {
            assert!(is_declaration(text), "{text}");
        }
        for text in [
            r#"<?xml version"1.0"?>"#,
            "<?xml version=1.0?>",
            "<?xml ?>",
            "<?xml?>",
            r#"<?XML version="1.0"?>"#,
            r#"<?xml Version="1.0"?>"#,
            r#"<?xml version="1"?>"#,
            r#"<?xml version="2.0"?>"#,
            r#"<?xml encoding="UTF-8"?>"#,
            r#"<?xml encoding="UTF-8" version="1.0"?>"#,
            r#"<?xml version="1.0" standalone="yes" encoding="UTF-8"?>"#,
            r#"<?xml version="1.0" standalone="maybe"?>"#,
            r#"<?xml version="1.0"encoding="UTF-8"?>"#,
            r#"<?xml version="1.0" encoding=""?>"#,
            r#"<?xml version="1.0" encoding="8bit"?>"#,
            r#"<?xml version="1.0" version="1.0"?>"#,
            r#"<?xml version="1.0" a="b"?>"#,
            r#"<?xml version="1.0" x?>"#,
        ] {
            assert!(!is_declaration(text), "{text}");
        }
    }

    #[test]
    fn comments_and_instructions() {
        assert_eq!(
            [hyphens(b" a - b "), hyphens(b"->"), hyphens(b"a--b"), hyphens(b"a-")],
            [None, None, Some(1), Some(1)]
        );
        for inner in ["x", "x y", "xml-stylesheet href=''", "x:y z"] {
            assert!(has_target(inner), "{inner}");
        }
        for inner in ["", " x", "%i a", "xml", "XML a", "x=y", "1"] {
            assert!(!has_target(inner), "{inner}");
        }
    }
}
