//! Names of members with escapes, decoded in the text that a cutter of JSON has cut: names in trees are slices of it.

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use super::parse::unescape;
use crate::xml::chunk::Chunk;
use crate::xml::split::{Cutter, Frame};

/// Cuts as another cutter, and decodes the names in what that one cuts.
pub(crate) struct DecodedNames<C>(pub C);

impl<C: Cutter> Cutter for DecodedNames<C> {
    fn next_chunk_into(&mut self, spare: Chunk) -> io::Result<Option<Chunk>> {
        let mut chunk = self.0.next_chunk_into(spare)?;
        for chunk in chunk.iter_mut() {
            for piece in &chunk.pieces {
                decode(&mut chunk.text, piece.start..piece.end);
            }
        }
        Ok(chunk)
    }

    fn frame(self: Box<Self>) -> Frame {
        let mut frame = Box::new(self.0).frame();
        let all = 0..frame.text.len();
        decode(&mut frame.text, all);
        frame
    }
}

/// Decodes the names in the JSON-LD of a page.
pub(crate) fn decode_scripts(page: Vec<u8>) -> Vec<u8> {
    if memchr::memchr(b'\\', &page).is_none() {
        return page;
    }
    let mut page = match String::from_utf8(page) {
        Ok(page) => page,
        Err(broken) => return broken.into_bytes(),
    };
    let mut end = 0;
    while let Some(kind) = find(&page, end, "ld+json") {
        let is_script = is_in_tag(&page[end..kind], "<script");
        end = if is_script { find(&page, kind, "</script").unwrap_or(page.len()) } else { kind + 1 };
        if is_script {
            decode(&mut page, kind..end);
        }
    }
    page.into_bytes()
}

/// Whether a text ends in a tag that begins so.
fn is_in_tag(text: &str, begin: &str) -> bool {
    let tag = memchr::memrchr(b'<', text.as_bytes()).and_then(|at| text.get(at..at + begin.len()));
    tag.is_some_and(|tag| tag.eq_ignore_ascii_case(begin))
}

/// Where a text from a place on has these words, in capitals or not.
fn find(text: &str, from: usize, words: &str) -> Option<usize> {
    let (text, words) = (text.as_bytes(), words.as_bytes());
    let sign = words.iter().position(|byte| !byte.is_ascii_alphabetic())?;
    let signs = memchr::memchr_iter(*words.get(sign)?, text.get(from + sign..)?);
    signs
        .map(|at| from + at)
        .find(|at| text.get(*at..at + words.len()).is_some_and(|found| found.eq_ignore_ascii_case(words)))
}

/// Decodes the escapes in the names of a value in a text.
fn decode(text: &mut String, value: Range<usize>) {
    if let Some(decoded) = text.get(value.clone()).and_then(decoded) {
        text.replace_range(value, &decoded);
    }
}

/// A value with the escapes in its names decoded (RFC 8259 section 7), if there are any. Spaces behind a name make up for what
/// becomes shorter, so that all places stay the same.
fn decoded(text: &str) -> Option<String> {
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(escape) = memchr::memchr(b'\\', text.as_bytes().get(at..)?).map(|step| at + step) {
        let start = memchr::memrchr(b'"', &text.as_bytes()[at..escape]).map(|quote| at + quote + 1);
        let end = string_end(text, escape);
        at = (end + 1).min(text.len());
        let Some(name) = start.map(|start| &text[start..end]).filter(|_| is_name(text, end)) else { continue };
        let Some((decoded, None)) = unescape(name) else { continue };
        let decoded = quoted(&decoded);
        if decoded.len() < name.len() {
            out.push_str(&text[copied..end - name.len()]);
            out.push_str(&decoded);
            out.push('"');
            out.extend(std::iter::repeat_n(' ', name.len() - decoded.len()));
            copied = at;
        }
    }
    out.push_str(&text[copied..]);
    (copied > 0).then_some(out)
}

/// The quote that ends the string in which there is an escape, or the end of the line: no string has one.
fn string_end(text: &str, escape: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = escape;
    while let Some(step) = memchr::memchr3(b'"', b'\\', b'\n', bytes.get(at..).unwrap_or_default()) {
        at += step;
        if bytes[at] != b'\\' {
            return at;
        }
        at += if bytes.get(at + 1) == Some(&b'\n') { 1 } else { 2 };
    }
    text.len()
}

/// Whether the string that ends here is a name.
fn is_name(text: &str, end: usize) -> bool {
    let after = text[end..].strip_prefix('"').unwrap_or_default();
    after.trim_start_matches([' ', '\t', '\n', '\r']).starts_with(':')
}

/// The characters of a name in a tree; `None` for an invalid escape.
pub(crate) fn unescaped(name: &str) -> Option<Cow<'_, str>> {
    match memchr::memchr(b'\\', name.as_bytes()) {
        None => Some(Cow::Borrowed(name)),
        Some(_) => unescape(name).map(|(name, _)| Cow::Owned(name)),
    }
}

/// A name with the escapes that it needs.
fn quoted(name: &str) -> String {
    let json = serde_json::Value::from(name).to_string();
    json[1..json.len() - 1].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, want: &str) {
        let decoded = decoded(text).unwrap_or_else(|| text.to_owned());
        assert_eq!(decoded, want);
        assert_eq!(decoded.len(), text.len());
    }

    #[test]
    fn names_are_decoded_in_their_place_and_values_stay() {
        check(r#"{"l\u006fc": "a\u006fb", "x":1}"#, r#"{"loc"     : "a\u006fb", "x":1}"#);
        check(r#"{"http:\/\/schema.org\/name" : "\/"}"#, r#"{"http://schema.org/name"    : "\/"}"#);
        check(r#"{"a\"b":1,"\ud83d\ude00":2}"#, r#"{"a\"b":1,"😀"        :2}"#);
        check(r#"["a\\", "b\"", {"c\\\/":[]}]"#, r#"["a\\", "b\"", {"c\\/" :[]}]"#);
        check(r#"{"\ud83d":"half","cut\"#, r#"{"\ud83d":"half","cut\"#);
        check("{\"a\": \"b\\}\n{\"l\\u006fc\":1}", "{\"a\": \"b\\}\n{\"loc\"     :1}");
    }

    #[test]
    fn names_in_pages_are_decoded_in_scripts_of_json_ld() {
        let check = |page: &str, want: &str| assert_eq!(decode_scripts(page.into()), want.as_bytes());
        let (script, decoded) =
            (r#"<script type="application/LD+json">{"\u0061":1"#, r#"<script type="application/LD+json">{"a"     :1"#);
        let around = r#"<p title='"\u0061":1'>é</p><script>{"\u0061":1}</script>"#;
        check(script, decoded);
        let words = r#"<p>ld+json</p><p title='"\u0061":1'>ld+json: "\u0061":1</p>"#;
        check(words, words);
        check(&format!("{around}{script}}}</SCRIPT>{around}"), &format!("{around}{decoded}}}</SCRIPT>{around}"));
    }
}
