//! Marks the differing words of two texts side by side. Long texts are shown in part; if marking would take too long,
//! everything between the common ends is marked.

use similar::{Algorithm, DiffTag, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

/// A stretch of a text.
#[derive(PartialEq, Eq, Debug)]
pub struct TextSpan {
    /// Whether the other text does not have it.
    pub marked: bool,
    pub text: String,
}

/// What marking may cost on one page: pairs of words that are compared. It bounds time without a clock, so that a page
/// is the same every time.
pub struct Effort(u64);

impl Default for Effort {
    fn default() -> Effort {
        Effort(20_000_000)
    }
}

/// How many bytes of a text are compared; of the rest, the page only notes that it exists.
const LOOKED_AT: usize = 64 << 10;
/// So many characters of a stretch that both have are shown at each of its ends.
const COMMON: usize = 120;
/// So many characters of a stretch that differs.
const DIFFERENT: usize = 1500;

/// Both texts in pieces.
pub fn marked(a: &str, b: &str, effort: &mut Effort) -> (Vec<TextSpan>, Vec<TextSpan>) {
    let (a, a_cut) = head(a);
    let (b, b_cut) = head(b);
    let (old, new) = (words(a), words(b));
    let first = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let left = old.len().min(new.len()) - first;
    let last = old.iter().rev().zip(new.iter().rev()).take(left).take_while(|(a, b)| a == b).count();
    let (old_middle, new_middle) = (&old[first..old.len() - last], &new[first..new.len() - last]);
    let mut sides = (MarkedText::default(), MarkedText::default());
    sides.0.add(false, &old[..first]);
    sides.1.add(false, &new[..first]);
    let cost = (old_middle.len() as u64).saturating_mul(new_middle.len() as u64);
    if cost <= effort.0 {
        effort.0 -= cost;
        for op in capture_diff_slices(Algorithm::Myers, old_middle, new_middle) {
            let differ = op.tag() != DiffTag::Equal;
            sides.0.add(differ, &old_middle[op.old_range()]);
            sides.1.add(differ, &new_middle[op.new_range()]);
        }
    } else {
        sides.0.add(true, old_middle);
        sides.1.add(true, new_middle);
    }
    sides.0.add(false, &old[old.len() - last..]);
    sides.1.add(false, &new[new.len() - last..]);
    (sides.0.pieces(a_cut), sides.1.pieces(b_cut))
}

/// One text without another to compare it with.
pub fn unmarked(text: &str) -> Vec<TextSpan> {
    let (text, cut) = head(text);
    let mut side = MarkedText::default();
    side.add(true, &[text]);
    side.pieces(cut)
}

fn head(text: &str) -> (&str, bool) {
    let end = match text.len() {
        0..=LOOKED_AT => text.len(),
        _ => (0..=LOOKED_AT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0),
    };
    (&text[..end], end < text.len())
}

/// Words, and the text between them; of a URL, its parts.
fn words(text: &str) -> Vec<&str> {
    text.split_word_bounds().collect()
}

#[derive(Default)]
struct MarkedText {
    stretches: Vec<(bool, String)>,
}

impl MarkedText {
    fn add(&mut self, marked: bool, words: &[&str]) {
        if words.is_empty() {
            return;
        }
        match self.stretches.last_mut() {
            Some((before, text)) if *before == marked => text.extend(words.iter().copied()),
            _ => self.stretches.push((marked, words.concat())),
        }
    }

    fn pieces(self, cut: bool) -> Vec<TextSpan> {
        let last = self.stretches.len().saturating_sub(1);
        let shortened = self.stretches.into_iter().enumerate().map(|(at, (marked, text))| {
            let text = match marked {
                true => middle_out(text, DIFFERENT / 2, DIFFERENT / 2),
                false => middle_out(text, if at == 0 { 0 } else { COMMON }, if at == last { 0 } else { COMMON }),
            };
            TextSpan { marked, text }
        });
        let mut pieces: Vec<TextSpan> = shortened.collect();
        if cut {
            pieces.push(TextSpan { marked: true, text: "…".to_owned() });
        }
        pieces
    }
}

/// A long text without its middle; at an end of the whole text, the little that is next to the mark is enough.
fn middle_out(text: String, before: usize, after: usize) -> String {
    let count = text.chars().count();
    let (before, after) = match (before, after) {
        (0, 0) => (COMMON, COMMON),
        ends => ends,
    };
    if count <= before + after + 40 {
        return text;
    }
    let start: String = text.chars().take(before).collect();
    let end: String = text.chars().skip(count - after).collect();
    format!("{start} … {end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(a: &str, b: &str) -> (String, String) {
        let say = |pieces: Vec<TextSpan>| {
            let one = |piece: &TextSpan| if piece.marked { format!("[{}]", piece.text) } else { piece.text.clone() };
            pieces.iter().map(one).collect::<String>()
        };
        let (a, b) = marked(a, b, &mut Effort::default());
        (say(a), say(b))
    }

    #[test]
    fn words_that_differ_are_marked() {
        for (a, b, old, new) in [
            ("the old lamp", "the new lamp", "the [old] lamp", "the [new] lamp"),
            ("one", "one", "one", "one"),
            ("", "one", "", "[one]"),
            ("a b c", "a c", "a [b ]c", "a c"),
            ("灯台の光", "灯台の霧", "灯台の[光]", "灯台の[霧]"),
            (
                "https://pond.example/a/1.mp4",
                "https://pond.example/b/1.mp4",
                "https://pond.example/[a]/1.mp4",
                "https://pond.example/[b]/1.mp4",
            ),
        ] {
            assert_eq!(shown(a, b), (old.to_owned(), new.to_owned()));
        }
    }

    #[test]
    fn what_is_long_is_told_in_part_and_in_time() {
        let long = "lamp ".repeat(1000);
        let (old, new) = shown(&format!("{long}old {long}"), &format!("{long}new {long}"));
        assert!(old.contains("[old]") && new.contains("[new]") && old.len() < 700, "{old}");
        // words that have nothing in common, many times over: all of it is marked, and none of it compared
        let a: String = (0..10_000).map(|n| format!("a{n} ")).collect();
        let b: String = (0..10_000).map(|n| format!("b{n} ")).collect();
        let mut effort = Effort::default();
        let (old, _) = marked(&a, &b, &mut effort);
        assert!(old.iter().any(|piece| piece.marked));
        assert_eq!(effort.0, Effort::default().0);
    }
}
