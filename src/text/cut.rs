//! Shortening a text to a limit of Unicode scalar values. Text only: it does not know markup, though it never leaves
//! half an entity or half a visible character behind.

use unicode_segmentation::UnicodeSegmentation;

/// Longest reference, in bytes with `&`, that a cut steps back over.
const MAX_REFERENCE: usize = 34;

/// `text` shortened to at most `max_chars` Unicode scalar values with `…` as the last of them; `None` if it fits.
/// The cut is made at the last white space within the final tenth, else between two grapheme clusters, else (one
/// cluster longer than the limit) between two characters. With `max_chars` 0 the result is empty.
pub fn cut(text: &str, max_chars: usize) -> Option<String> {
    let excess = nth_char(text, max_chars)?;
    if max_chars == 0 {
        return Some(String::new());
    }
    let limit = text[..excess].char_indices().next_back().map_or(0, |(at, _)| at);
    let kept = before_entity(text, cut_at(text, limit, max_chars / 10)).trim_end();
    let mut out = String::with_capacity(kept.len() + '…'.len_utf8());
    out.push_str(kept);
    out.push('…');
    Some(out)
}

/// Byte offset of the character number `n`; `None` if there are not more than `n`.
fn nth_char(text: &str, n: usize) -> Option<usize> {
    if text.len() <= n {
        // no character has less than a byte
        return None;
    }
    text.char_indices().nth(n).map(|(at, _)| at)
}

/// Byte offset to cut at, not beyond `limit`; `tail` is how many characters before it white space is looked for.
fn cut_at(text: &str, limit: usize, tail: usize) -> usize {
    if text[limit..].starts_with(char::is_whitespace) {
        return limit;
    }
    let space = text[..limit].char_indices().rev().take(tail).find(|(_, c)| c.is_whitespace());
    space.map_or_else(|| cluster_boundary(text, limit), |(at, _)| at)
}

/// The last boundary between grapheme clusters that is not beyond `limit`; `limit` itself if there is only the start.
fn cluster_boundary(text: &str, limit: usize) -> usize {
    let last = text.grapheme_indices(true).map(|(at, _)| at).take_while(|at| *at <= limit).last();
    last.filter(|at| *at > 0).unwrap_or(limit)
}

/// `text[..at]`, without the start of an entity or character reference that the cut would tear apart.
fn before_entity(text: &str, at: usize) -> &str {
    let head = &text[..at];
    let bytes = head.as_bytes();
    let window = &bytes[bytes.len().saturating_sub(MAX_REFERENCE)..];
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'#';
    let Some(back) = window.iter().rev().position(|b| *b == b'&') else { return head };
    let start = at - back - 1;
    let rest = &text.as_bytes()[start + 1..];
    let name = rest.iter().take(MAX_REFERENCE).take_while(|b| is_name(b)).count();
    let torn = name > 0 && rest.get(name) == Some(&b';') && name + 1 > back;
    if torn { &text[..start] } else { head }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cuts() {
        for (text, max, expected) in [
            ("", 0, None),
            ("abc", 3, None),
            ("жжж", 3, None),
            ("abcd", 3, Some("ab…")),
            ("abcd", 1, Some("…")),
            ("abcd", 0, Some("")),
            ("жжжж", 3, Some("жж…")),
            // White space within the final tenth, on its edge, and outside it.
            ("aaaaaaaaaaaaaaaaa bbbbbbb", 20, Some("aaaaaaaaaaaaaaaaa…")),
            ("aaaaaaaaaaaaaaaaaaa bbbbb", 20, Some("aaaaaaaaaaaaaaaaaaa…")),
            ("aaaaaaaaa bbbbbbbbbbbbbbbb", 20, Some("aaaaaaaaa bbbbbbbbb…")),
            // A family of four is seven characters and one cluster; so is a flag with two.
            ("ab👨‍👩‍👧‍👦cd", 6, Some("ab…")),
            ("🇩🇪🇫🇷🇮🇹", 4, Some("🇩🇪…")),
            ("e\u{301}\u{302}\u{303}\u{304}", 3, Some("e\u{301}…")),
            // Never inside an entity.
            ("abc&eacute;def", 8, Some("abc…")),
            ("abc&eacute;def", 12, Some("abc&eacute;…")),
            ("abc&#1234;def", 6, Some("abc…")),
            ("AT&T and more", 5, Some("AT&T…")),
        ] {
            assert_eq!(cut(text, max).as_deref(), expected, "{text:?} at {max}");
        }
    }

    #[test]
    fn long_texts() {
        let one_cluster = format!("a{}", "\u{301}".repeat(1 << 20));
        assert_eq!(cut(&one_cluster, 100).map(|s| s.chars().count()), Some(100));
        let words = "word ".repeat(1 << 18);
        assert_eq!(cut(&words, 2048).map(|s| s.chars().count() <= 2048), Some(true));
    }

    proptest! {
        #[test]
        fn result_fits(text in "\\PC{0,60}", max in 0usize..50) {
            match cut(&text, max) {
                None => prop_assert!(text.chars().count() <= max),
                Some(short) => {
                    prop_assert!(short.chars().count() <= max);
                    prop_assert!(text.starts_with(short.trim_end_matches('…')));
                }
            }
        }
    }
}
