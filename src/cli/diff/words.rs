//! Two values shown next to each other: URLs by their differing part, long texts word by word, other values in full.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::cli::color::{added, faint, removed};
use crate::report::make_visible;
use crate::text::url;

/// Characters of a value that are shown, where not all are asked for.
const SHOWN: usize = 200;

/// Words of a text from which on it is shown word by word.
const LONG: usize = 8;

/// Words on both sides of a change that are shown.
const AROUND: usize = 4;

/// Pairs of words that are compared for one value; where there are more, all between the common ends counts as changed. It
/// bounds time without a clock, so that the same is shown every time.
const EFFORT: usize = 2_000_000;

/// Two values.
pub fn both(a: &str, b: &str, whole: bool) -> String {
    let (a, b) = (make_visible(a), make_visible(b));
    if url::is_http(&a) && url::is_http(&b) {
        return addresses(&a, &b);
    }
    if a.split_whitespace().nth(LONG - 1).is_some() && b.split_whitespace().nth(LONG - 1).is_some() {
        return texts(&a, &b, whole);
    }
    format!("{} → {}", removed(&quoted(&a, whole)), added(&quoted(&b, whole)))
}

/// One value.
pub fn quoted(text: &str, whole: bool) -> String {
    let text = make_visible(text);
    match text.char_indices().nth(SHOWN).filter(|_| !whole) {
        Some((cut, _)) => format!("\"{}…\"", &text[..cut]),
        None => format!("\"{text}\""),
    }
}

/// Shows two URLs with their common beginning and end only once.
fn addresses(a: &str, b: &str) -> String {
    let is_border = |c: char| matches!(c, '/' | '?' | '&' | '=' | '#');
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c);
    let mut head = 0;
    let mut at = 0;
    for c in common {
        at += c.len_utf8();
        if is_border(c) {
            head = at;
        }
    }
    let (rest_a, rest_b) = (a.get(head..).unwrap_or_default(), b.get(head..).unwrap_or_default());
    let common = rest_a.chars().rev().zip(rest_b.chars().rev()).take_while(|(a, b)| a == b).map(|(c, _)| c);
    let (mut tail, mut at) = (0, 0);
    for c in common {
        at += c.len_utf8();
        if is_border(c) {
            tail = at;
        }
    }
    let (cut_a, cut_b) = (rest_a.len() - tail, rest_b.len() - tail);
    let end = rest_a.get(cut_a..).unwrap_or_default();
    let (middle_a, middle_b) = (rest_a.get(..cut_a).unwrap_or_default(), rest_b.get(..cut_b).unwrap_or_default());
    let start = a.get(..head).unwrap_or_default();
    format!("{}{{{} → {}}}{}", faint(start), removed(middle_a), added(middle_b), faint(end))
}

/// Word by word: `[-old-]` and `{+new+}`, with a few words around.
fn texts(a: &str, b: &str, whole: bool) -> String {
    let words = |text: &'_ str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let (a, b) = (words(a), words(b));
    let steps = steps(&a, &b);
    let around = if whole { usize::MAX } else { AROUND };
    let mut shown: Vec<String> = Vec::new();
    let last = steps.len().saturating_sub(1);
    for (number, step) in steps.iter().enumerate() {
        match *step {
            DiffOp::Equal { old_index, len, .. } => {
                let words = &a[old_index..old_index + len];
                shown.extend(surroundings(words, around, number > 0, number < last));
            }
            DiffOp::Delete { old_index, old_len, .. } => shown.push(gone(&a[old_index..old_index + old_len], whole)),
            DiffOp::Insert { new_index, new_len, .. } => shown.push(come(&b[new_index..new_index + new_len], whole)),
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                shown.push(gone(&a[old_index..old_index + old_len], whole));
                shown.push(come(&b[new_index..new_index + new_len], whole));
            }
        }
    }
    format!("\"{}\"", shown.join(" "))
}

/// What leads from one to the other.
fn steps(a: &[String], b: &[String]) -> Vec<DiffOp> {
    let first = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a[first..], &b[first..]);
    let last = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_len, new_len) = (rest_a.len() - last, rest_b.len() - last);
    if old_len.saturating_mul(new_len) <= EFFORT {
        return capture_diff_slices(Algorithm::Myers, a, b);
    }
    vec![
        DiffOp::Equal { old_index: 0, new_index: 0, len: first },
        DiffOp::Replace { old_index: first, old_len, new_index: first, new_len },
        DiffOp::Equal { old_index: first + old_len, new_index: first + new_len, len: last },
    ]
}

/// The words next to what changed; an ellipsis for the others.
fn surroundings(words: &[String], around: usize, after: bool, before: bool) -> Vec<String> {
    let room = around.saturating_mul(usize::from(after) + usize::from(before));
    if words.len() <= room.saturating_add(1) {
        return words.to_vec();
    }
    let head = if after { around } else { 0 };
    let tail = if before { around } else { 0 };
    let mut shown = words[..head].to_vec();
    shown.push("…".to_owned());
    shown.extend_from_slice(&words[words.len() - tail..]);
    shown
}

fn gone(words: &[String], whole: bool) -> String {
    removed(&format!("[-{}-]", some(words, whole)))
}

fn come(words: &[String], whole: bool) -> String {
    added(&format!("{{+{}+}}", some(words, whole)))
}

fn some(words: &[String], whole: bool) -> String {
    let most = if whole { usize::MAX } else { 30 };
    let more = if words.len() > most { " …" } else { "" };
    format!("{}{more}", words[..words.len().min(most)].join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(a: &str, b: &str) -> String {
        anstream::adapter::strip_str(&both(a, b, false)).to_string()
    }

    #[test]
    fn addresses_are_shown_by_what_differs() {
        let shown = plain("https://example.com/a/1.mp4?x=1", "https://example.com/b/1.mp4?x=1");
        assert_eq!(shown, "https://example.com/{a → b}/1.mp4?x=1");
        assert_eq!(plain("https://example.com/a", "https://example.com/a/b"), "https://example.com/{a → a/b}");
        assert_eq!(plain("http://x.example/", "https://x.example/"), "{http: → https:}//x.example/");
    }

    #[test]
    fn long_texts_are_shown_word_by_word() {
        let shown = plain(
            "one two three four five six seven eight nine ten eleven",
            "one two three four five six seven 8 nine ten eleven",
        );
        assert_eq!(shown, "\"… four five six seven [-eight-] {+8+} nine ten eleven\"");
        assert_eq!(plain("old", "new"), "\"old\" → \"new\"");
        let long = "lamp ".repeat(40_000);
        assert_eq!(plain(&format!("{long}old"), &format!("{long}new")), "\"… lamp lamp lamp lamp [-old-] {+new+}\"");
        assert_eq!(plain("a\u{1b}[31m", "b"), "\"a\\u{1b}[31m\" → \"b\"");
    }
}
