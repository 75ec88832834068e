//! Every occurrence as a line of JSON, for who asked for all of them. Not the report with its rows (report.rs).

use super::close::Outcome;
use crate::code::Severity;
use crate::place::Told;
use crate::text::bytes;

/// Appends what the lines of a row begin with: words of ours, the same in all of them.
pub(super) fn write_words(words: &mut Vec<u8>, outcome: &Outcome<'_>) {
    let severity = Severity::of(outcome.kind, outcome.code).name();
    write_text(words, "{\"kind\":", outcome.kind.name());
    write_text(words, ",\"code\":", outcome.code.name());
    write_text(words, ",\"severity\":", severity);
    write_text(words, ",\"field\":", outcome.field());
}

/// Appends an occurrence as JSON.
pub(super) fn write_line(lines: &mut Vec<u8>, words: &[u8], outcome: &Outcome<'_>, leaf: &Told<'_>) {
    let Told { input, entry, line, column, path, from, to } = leaf;
    lines.extend_from_slice(words);
    write_text(lines, ",\"why\":", outcome.says());
    if let Some(input) = input {
        write_text(lines, ",\"input\":", input);
    }
    let numbers =
        [(",\"entry\":", *entry), (",\"line\":", line.map(u64::from)), (",\"column\":", column.map(u64::from))];
    for (name, number) in numbers {
        if let Some(number) = number {
            lines.extend_from_slice(name.as_bytes());
            write_number(lines, number);
        }
    }
    for (name, text) in [(",\"path\":", *path), (",\"from\":", *from), (",\"to\":", to.as_deref())] {
        if let Some(text) = text {
            write_text(lines, name, text);
        }
    }
    lines.extend_from_slice(b"}\n");
}

/// Appends a number.
fn write_number(lines: &mut Vec<u8>, number: u64) {
    let mut digits = [0; 20];
    let (mut at, mut rest) = (digits.len(), number);
    while at > 0 {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    lines.extend_from_slice(&digits[at..]);
}

/// Appends a text as JSON; most need no escapes.
fn write_text(lines: &mut Vec<u8>, name: &str, text: &str) {
    lines.extend_from_slice(name.as_bytes());
    let odd = |block| bytes::below(block, 0x20) | bytes::equal(block, b'"', 0) | bytes::equal(block, b'\\', 0);
    let is_odd = |byte: u8| (byte < 0x20) | (byte == b'"') | (byte == b'\\');
    let rest = text.as_bytes().get(bytes::blocks_before(text.as_bytes(), is_odd)..).unwrap_or_default();
    if bytes::any(rest, odd) {
        // writing to memory does not fail
        let _ = serde_json::to_writer(&mut *lines, text);
        return;
    }
    lines.push(b'"');
    lines.extend_from_slice(text.as_bytes());
    lines.push(b'"');
}
