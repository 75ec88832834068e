//! The declared encoding in the first bytes of a document: byte order mark, XML declaration, `meta` elements of HTML.
//! Detection by content is in evidence.rs.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use memchr::memmem;

use crate::text::html::PageElements;
use crate::text::mime;
use crate::xml::scan::attributes;

/// UTF-16 without a mark, known by two ASCII characters at its beginning.
pub(super) fn looks_utf_16(head: &[u8]) -> Option<&'static Encoding> {
    let plain = |byte: u8| byte == b'\t' || byte == b'\n' || byte == b'\r' || (b' '..0x7F).contains(&byte);
    match *head {
        [a, 0, b, 0, ..] if plain(a) && plain(b) => Some(UTF_16LE),
        [0, a, 0, b, ..] if plain(a) && plain(b) => Some(UTF_16BE),
        [b'<', 0, next, ..] if next != 0 => Some(UTF_16LE),
        [0, b'<', 0, ..] => Some(UTF_16BE),
        _ => None,
    }
}

/// The label in the XML declaration that `head` begins with, white space before it forgiven.
pub(super) fn declaration(head: &[u8], encoding: &'static Encoding) -> Option<String> {
    let text = match encoding {
        // one that is read byte by byte
        utf_8 if utf_8 == UTF_8 => {
            let end = memchr::memchr(b'>', head).map_or(0, |end| end + 1);
            String::from_utf8_lossy(&head[..end])
        }
        wide => wide.decode_without_bom_handling(head).0,
    };
    let text = text.trim_start();
    let declaration = text.get(..5)?.eq_ignore_ascii_case("<?xml").then_some(text)?;
    let declaration = &declaration[..declaration.find('>')?];
    attributes(declaration).find(|(name, _)| *name == "encoding").map(|(_, label)| label.trim().to_owned())
}

/// The label that a page of HTML declares: the first that is known, else the first. As in HTML, one of UTF-16 means UTF-8.
pub(super) fn of_page(head: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(head);
    let labels: Vec<String> = PageElements::new(&text)
        .filter(|element| element.name.eq_ignore_ascii_case("meta"))
        .filter_map(|meta| {
            let is_type =
                || meta.raw("http-equiv").is_some_and(|name| name.trim().eq_ignore_ascii_case("content-type"));
            match meta.attribute("charset") {
                Some(label) => Some(label.trim().to_owned()),
                None if is_type() => mime::charset(&meta.attribute("content")?).map(str::to_owned),
                None => None,
            }
        })
        .filter(|label| !label.is_empty())
        .collect();
    let known = labels.iter().find(|label| Encoding::for_label_no_replacement(label.as_bytes()).is_some());
    let label = known.or(labels.first())?;
    let is_wide = [UTF_16LE, UTF_16BE].into_iter().any(|wide| Encoding::for_label(label.as_bytes()) == Some(wide));
    Some(if is_wide { UTF_8.name().to_owned() } else { label.clone() })
}

/// The encoding of a label. A declaration that could be read byte by byte is not in UTF-16, even if it declares it.
pub(super) fn readable(label: &str) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label_no_replacement(label.as_bytes())?;
    (encoding != UTF_16LE && encoding != UTF_16BE).then_some(encoding)
}

/// Whether a label means this encoding.
pub(super) fn means(label: &str, encoding: &'static Encoding) -> bool {
    match Encoding::for_label(label.as_bytes()) {
        // "UTF-16" means either order.
        Some(named) if named == UTF_16LE => encoding == UTF_16LE || encoding == UTF_16BE,
        named => named == Some(encoding),
    }
}

/// An encoding that writes all characters as ASCII, and is not read.
struct ShiftedEncoding {
    labels: &'static [&'static str],
    /// Its name, and a command that makes it readable.
    refused: (&'static str, &'static str),
    /// Whether a text uses it.
    is_used: fn(&[u8]) -> bool,
}

const SHIFTED: [ShiftedEncoding; 4] = [
    ShiftedEncoding {
        labels: &["utf-7", "unicode-1-1-utf-7", "csutf7", "csunicode11utf7"],
        refused: ("UTF-7", "iconv -f UTF-7 -t UTF-8 FILE | transfeed …"),
        is_used: has_base64,
    },
    ShiftedEncoding {
        labels: &["hz-gb-2312", "hz", "hzgb2312"],
        refused: ("HZ", "iconv -f HZ -t UTF-8 FILE | transfeed …"),
        is_used: |text| memmem::find(text, b"~{").is_some(),
    },
    ShiftedEncoding {
        labels: &["iso-2022-kr", "csiso2022kr"],
        refused: ("ISO-2022-KR", "iconv -f ISO-2022-KR -t UTF-8 FILE | transfeed …"),
        is_used: has_escape,
    },
    ShiftedEncoding {
        labels: &["iso-2022-cn", "iso-2022-cn-ext", "csiso2022cn"],
        refused: ("ISO-2022-CN", "iconv -f ISO-2022-CN -t UTF-8 FILE | transfeed …"),
        is_used: has_escape,
    },
];

/// Whether a text has an escape of ISO 2022.
fn has_escape(text: &[u8]) -> bool {
    memmem::find(text, b"\x1b$").is_some()
}

/// Whether a text has characters of UTF-7: a plus sign, some of Base64, a hyphen.
fn has_base64(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(plus) = memchr::memchr(b'+', rest) {
        rest = rest.get(plus + 1..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(byte)).count();
        rest = rest.get(length..).unwrap_or_default();
        if length > 2 && rest.first() == Some(&b'-') {
            return true;
        }
    }
    false
}

/// Why text of ASCII that declares this is not read.
pub(super) fn shifted(label: &str, text: &[u8]) -> Option<(&'static str, &'static str)> {
    let is_meant = |known: &&str| label.eq_ignore_ascii_case(known);
    let declared = SHIFTED.into_iter().find(|encoding| encoding.labels.iter().any(is_meant))?;
    (text.is_ascii() && (declared.is_used)(text)).then_some(declared.refused)
}
