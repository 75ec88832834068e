//! Every occurrence as a line of JSON, for who asked for all of them. Not the report with its rows (`report`).

use super::close::LeafOutcome;
use super::text_of;
use crate::code::Severity;
use crate::place::ReportedLeaf;
use crate::text::bytes;

/// What the lines of a row begin with: words of ours, the same in all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Beginning {
    words: Vec<u8>,
    /// How many of these bytes precede the reason; some lines give their own.
    bare: usize,
}

impl Beginning {
    pub(super) fn new(outcome: &LeafOutcome<'_>, element: Option<&str>) -> Beginning {
        let mut words = Vec::new();
        write_text(&mut words, "{\"kind\":", outcome.kind.name());
        write_text(&mut words, ",\"code\":", outcome.why.code_as(outcome.kind).name());
        write_text(
            &mut words,
            ",\"severity\":",
            Severity::from_code(outcome.kind, outcome.why.code_as(outcome.kind)).name(),
        );
        write_text(&mut words, ",\"class\":", outcome.why.class_as(outcome.kind).name());
        write_text(&mut words, ",\"field\":", outcome.place().name());
        if let Some(element) = element {
            write_text(&mut words, ",\"element\":", element);
        }
        write_text(&mut words, ",\"reason\":", outcome.why.name());
        let bare = words.len();
        write_text(&mut words, WHY, text_of(outcome.why, outcome.same()));
        Beginning { words, bare }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn write(&self, lines: &mut Vec<u8>, outcome: &LeafOutcome<'_>) {
        match outcome.value() {
            None => lines.extend_from_slice(&self.words),
            Some(said) => {
                lines.extend_from_slice(self.words.get(..self.bare).unwrap_or_default());
                write_text(lines, WHY, said);
            }
        }
    }
}

/// The name of the reason in a line.
const WHY: &str = ",\"why\":";

/// Appends an occurrence as JSON.
pub(super) fn write_line(
    lines: &mut Vec<u8>,
    beginning: &Beginning,
    outcome: &LeafOutcome<'_>,
    leaf: &ReportedLeaf<'_>,
) {
    let ReportedLeaf { input, entry, line, column, path, from, to } = leaf;
    beginning.write(lines, outcome);
    if let Some(input) = input {
        write_text(lines, ",\"input\":", input);
    }
    let numbers =
        [(",\"entry\":", *entry), (",\"line\":", line.map(u64::from)), (",\"column\":", column.map(u64::from))];
    for (name, number) in numbers {
        if let Some(number) = number {
            lines.extend_from_slice(name.as_bytes());
            // writing to memory does not fail, here and below
            let _ = serde_json::to_writer(&mut *lines, &number);
        }
    }
    for (name, text) in [(",\"path\":", *path), (",\"from\":", *from), (",\"to\":", to.as_deref())] {
        if let Some(text) = text {
            write_text(lines, name, text);
        }
    }
    lines.extend_from_slice(b"}\n");
}

/// Appends a text as JSON; most need no escapes.
fn write_text(lines: &mut Vec<u8>, name: &str, text: &str) {
    lines.extend_from_slice(name.as_bytes());
    let odd = |block| bytes::below(block, 0x20) | bytes::equal(block, b'"', 0) | bytes::equal(block, b'\\', 0);
    let is_odd = |byte: u8| (byte < 0x20) | (byte == b'"') | (byte == b'\\');
    let rest = text.as_bytes().get(bytes::blocks_before(text.as_bytes(), is_odd)..).unwrap_or_default();
    if bytes::any(rest, odd) {
        let _ = serde_json::to_writer(&mut *lines, text);
        return;
    }
    lines.push(b'"');
    lines.extend_from_slice(text.as_bytes());
    lines.push(b'"');
}
