//! Reads lists of URLs, one per line. Other lines are part of the frame (split.rs) and are not understood.

use crate::format::contract::{EntryDelimiter, FormatReader, ReadContext};
use crate::model::{Entry, Feed};
use crate::text::url;
use crate::tree::{Node, NodeKind, Take};

/// Reads `text`.
pub struct TextReader;

impl FormatReader for TextReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::Lines
    }
    fn head<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        _feed: &mut Feed<'a>,
        _around: ReadContext<'a>,
    ) {
        for line in root.and_behind() {
            let text = url::bare(line.value());
            take.remark(line, "text.line", text, advice(text));
        }
    }
    fn entry<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        entry: &mut Entry<'a>,
        _around: ReadContext<'a>,
    ) {
        let line = if root.kind() == NodeKind::Text { Some(root) } else { root.text() };
        if let Some(line) = line.filter(|line| is_address(line.value())) {
            take.value(line, None, &mut entry.loc);
        }
    }
}

/// Whether a line is a URL, and so an entry.
pub(super) fn is_address(line: &str) -> bool {
    let text = url::bare(line);
    url::is_http(text) && !text.contains(char::is_whitespace)
}

fn advice(line: &str) -> &'static str {
    let is_robots = line.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("sitemap:"));
    match line.starts_with('#') {
        true => "a comment, which the format does not know, was ignored",
        false if is_robots => "a line of robots.txt was ignored: convert the sitemap it names",
        false => "ignored a line that is not a URL",
    }
}
