//! Cuts the model's own JSON lines into chunks: one line an entry, the first one the head. Documents are cut by
//! `json::split`.

use std::io::{self, Read};

use super::de::is_entry_member;
use crate::detect::member_names;
use crate::xml::chunk::{Chunk, SplitLimits, Trouble, beginning};
use crate::xml::place::Place;
use crate::xml::split::{Cutter, Frame, FrameSegment, LineSplitter};

/// Cuts JSON lines: the first is the frame, each further one an entry. Blank lines count as nothing. What other programs
/// write has no line for the frame: then all are entries.
pub(crate) struct ByLine<R> {
    lines: LineSplitter<R>,
    limits: SplitLimits,
    frame: Frame,
    seen: bool,
    /// The first line was the frame, not an entry.
    headed: bool,
}

impl<R: Read> ByLine<R> {
    /// Cuts from the first line.
    pub fn new(input: R, limits: SplitLimits) -> Self {
        // the first line is a separate chunk
        let first = SplitLimits { line: limits.head, chunk: 0, ..limits.clone() };
        ByLine { lines: LineSplitter::new(input, first), limits, frame: Frame::default(), seen: false, headed: true }
    }

    /// Takes the head, which is the first chunk, unless that is an entry.
    fn take_head(&mut self, chunk: Chunk) -> Option<Chunk> {
        self.seen = true;
        self.lines.limit(SplitLimits { line: self.limits.entry, ..self.limits.clone() });
        self.frame.trouble = chunk.trouble.into_iter().map(|trouble| Trouble { entry: None, ..trouble }).collect();
        let Some(piece) = chunk.pieces.first() else {
            self.frame.trouble.iter_mut().for_each(|trouble| trouble.code = "limit.head");
            self.frame.stopped = true;
            return None;
        };
        let (text, line, column) = (&chunk.text, piece.line, piece.column);
        if is_entry(text) {
            self.headed = false;
            let trouble = std::mem::take(&mut self.frame.trouble);
            let trouble = trouble.into_iter().map(|trouble| Trouble { entry: Some(0), ..trouble }).collect();
            self.frame.segments = vec![FrameSegment { at: 0, line, column, made: true }];
            "{}".clone_into(&mut self.frame.text);
            return Some(Chunk { trouble, text: text.clone(), pieces: chunk.pieces, first: 0, context: chunk.context });
        }
        self.frame.segments = vec![FrameSegment { at: 0, line, column, made: false }];
        self.frame.text = chunk.text;
        None
    }

    /// A last line without an end that is not whole was cut off.
    fn cut_last(&mut self, chunk: &mut Chunk) {
        let Some(piece) = chunk.pieces.last().filter(|_| self.lines.ends_inside()) else { return };
        let Some(line) = chunk.text.get(piece.start..piece.end).filter(|line| !is_closed(line)) else { return };
        let raw = beginning(line.as_bytes(), &[], self.limits.entry);
        let found = format!("the input ends after {} bytes of the entry", line.len());
        let trouble = Trouble {
            line: piece.line,
            column: piece.column,
            ..Trouble::new("json.truncated", Place::default(), found, "skipped the entry")
        };
        let entry = chunk.first + chunk.pieces.len() as u64 - 1;
        chunk.trouble.push(trouble.of_lost(entry, raw));
        chunk.text.truncate(piece.start);
        chunk.pieces.pop();
    }
}

/// Whether a first line is an entry of the model: it has a member of one, and lacks the version that a head has. A table may
/// have a column `feed`.
fn is_entry(line: &str) -> bool {
    let names = member_names(line);
    !names.contains(&"transfeed") && names.iter().any(|name| is_entry_member(name))
}

/// Whether as many brackets are closed as were opened.
fn is_closed(line: &str) -> bool {
    let (mut open, mut string, mut escaped) = (0_i64, false, false);
    for byte in line.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if string => escaped = true,
            b'"' => string = !string,
            b'{' | b'[' if !string => open += 1,
            b'}' | b']' if !string => open -= 1,
            _ => (),
        }
    }
    open <= 0 && !string
}

impl<R: Read> Cutter for ByLine<R> {
    fn next_chunk_into(&mut self, _: Chunk) -> io::Result<Option<Chunk>> {
        loop {
            if self.frame.stopped {
                return Ok(None);
            }
            let Some(mut chunk) = self.lines.next_chunk()? else { return Ok(None) };
            if !self.seen {
                match self.take_head(chunk) {
                    Some(entry) => chunk = entry,
                    None => continue,
                }
            }
            self.cut_last(&mut chunk);
            // the head was counted as a line
            let head = u64::from(self.headed);
            chunk.first = chunk.first.saturating_sub(head);
            for trouble in &mut chunk.trouble {
                trouble.entry = trouble.entry.map(|entry| entry.saturating_sub(head));
                if trouble.code == "limit.line" {
                    trouble.code = "limit.entry";
                }
            }
            self.frame.entries =
                chunk.first + (chunk.pieces.len() + chunk.trouble.iter().filter(|trouble| trouble.lost).count()) as u64;
            return Ok(Some(chunk));
        }
    }
    fn frame(self: Box<Self>) -> Frame {
        self.frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::split::JsonDocumentSplitter;
    use crate::xml::split::tests::Slow;

    struct Cut {
        entries: Vec<(String, u32, u32)>,
        trouble: Vec<&'static str>,
        frame: Frame,
    }

    fn cut(text: &str, lines: bool, step: usize, limits: &SplitLimits) -> Cut {
        let input = Slow::new(text.as_bytes(), step);
        let mut cutter: Box<dyn Cutter> = match lines {
            true => Box::new(ByLine::new(input, limits.clone())),
            false => Box::new(JsonDocumentSplitter::new(input, super::super::LISTS, limits.clone())),
        };
        let (mut entries, mut trouble, mut next) = (Vec::new(), Vec::new(), 0);
        while let Some(chunk) = cutter.next_chunk_into(Chunk::default()).unwrap() {
            assert_eq!(chunk.first, next);
            for piece in &chunk.pieces {
                entries.push((chunk.text[piece.start..piece.end].to_owned(), piece.line, piece.column));
            }
            let lost = chunk.trouble.iter().filter(|trouble| trouble.lost);
            next += (chunk.pieces.len() + lost.count()) as u64;
            trouble.extend(chunk.trouble.iter().map(|trouble| trouble.code));
        }
        let frame = cutter.frame();
        trouble.extend(frame.trouble.iter().map(|trouble| trouble.code));
        assert_eq!(frame.entries, next);
        Cut { entries, trouble, frame }
    }

    #[track_caller]
    fn check(text: &str, lines: bool, entries: &[(&str, u32, u32)], frame: &str, trouble: &[&str]) {
        for step in [1, 2, 3, 7, 4096] {
            for chunk in [1, 12, 4096] {
                let cut = cut(text, lines, step, &SplitLimits { chunk, ..SplitLimits::default() });
                let found: Vec<_> = cut.entries.iter().map(|(text, l, c)| (text.as_str(), *l, *c)).collect();
                assert_eq!(found, entries, "{text} in steps of {step}");
                assert_eq!(cut.frame.text, frame, "{text}");
                assert_eq!(cut.trouble, trouble, "{text}");
            }
        }
    }

    #[test]
    fn documents_are_cut_in_any_steps() {
        let text = "{\"feed\": {\"entries\": [1], \"s\": \"\\\"]\"},\n\"entries\": [\n {\"a\": \"]},\\\"\"}, [2]\n,3 ,\"x,]\"\n], \"z\": 1}\n";
        let frame = "{\"feed\": {\"entries\": [1], \"s\": \"\\\"]\"},\n\"entries\": [], \"z\": 1}\n";
        let entries = [("{\"a\": \"]},\\\"\"}", 3, 2), ("[2]", 3, 18), ("3", 4, 2), ("\"x,]\"", 4, 5)];
        check(text, false, &entries, frame, &[]);
        check("{\"entries\":[]}", false, &[], "{\"entries\":[]}", &[]);
        check("{\"entrie\\us\":[1]}", false, &[], "{\"entrie\\us\":[1]}", &[]);
    }

    #[test]
    fn lines_are_cut_in_any_steps() {
        let text = "\n{\"feed\": 1}\n\n{\"a\": 1}\r\n  \n{\"b\": 1}";
        check(text, true, &[("{\"a\": 1}", 4, 1), ("{\"b\": 1}", 6, 1)], "{\"feed\": 1}", &[]);
        let text = "\n{\"id\": 1}\n{\"a\": 1}";
        check(text, true, &[("{\"id\": 1}", 2, 1), ("{\"a\": 1}", 3, 1)], "{}", &[]);
    }

    #[test]
    fn broken_entries_cost_themselves() {
        let list = |inside: &str| format!("{{\"entries\":[{inside}]}}");
        let frame = "{\"entries\":[]}";
        check(&list("{\"a\":[1},{}"), false, &[("{\"a\":[1}", 1, 13), ("{}", 1, 22)], frame, &[]);
        check(&list("{\"a\":\"x\n},{}"), false, &[("{\"a\":\"x\n}", 1, 13), ("{}", 2, 3)], frame, &[]);
        check(&list("{} {},,{}"), false, &[("{}", 1, 13), ("{}", 1, 16), ("{}", 1, 20)], frame, &["json.comma"; 2]);
    }

    #[test]
    fn documents_cut_off_are_closed() {
        let frame = "{\"feed\": 1}";
        check("{\"feed\": 1}\n{}\n{\"a", true, &[("{}", 2, 1)], frame, &["json.truncated"]);
        check("{\"feed\": 1}\n{}\n{\"a\":1}", true, &[("{}", 2, 1), ("{\"a\":1}", 3, 1)], frame, &[]);
        check("{\"feed\": 1}\n{}\n{\"a\n", true, &[("{}", 2, 1), ("{\"a", 3, 1)], frame, &[]);
        check("{\"entries\":[{},{\"a", false, &[("{}", 1, 13)], "{\"entries\":[]}", &["json.truncated"; 2]);
    }

    #[test]
    fn limits_are_named() {
        let limits = SplitLimits { entry: 6, head: 20, chunk: 4096, ..SplitLimits::default() };
        for step in [1, 3, 4096] {
            let document = cut("{\"entries\":[{},{\"a\":11},{}]}", false, step, &limits);
            assert_eq!((document.entries.len(), document.trouble), (2, vec!["limit.entry"]));
            let lines = cut("{\"feed\":1234567}\n{}\n{\"a\":11}\n{}", true, step, &limits);
            assert_eq!((lines.entries.len(), lines.trouble), (2, vec!["limit.entry"]));
            for lines in [false, true] {
                let head = cut("{\"feed\":\"0123456789012345678\"}\n{}", lines, step, &limits);
                assert!(head.frame.stopped && head.trouble == ["limit.head"] && head.entries.is_empty());
            }
        }
    }

    #[test]
    fn brackets_that_do_not_fit_cost_no_more_than_their_number() {
        let text = format!("{{\"entries\":[{}{}]}}", "[".repeat(1 << 20), "}".repeat(1 << 20));
        cut(&text, false, 1 << 16, &SplitLimits::default());
    }
}
