//! Reads lists of addresses, one a line. A line that is none stays what it is: not understood.

use crate::format::{Around, Cut, Reader};
use crate::model::{Entry, Feed};
use crate::text::url;
use crate::tree::{Node, NodeKind, Take};

/// Reads `text`.
pub struct Text;

impl Reader for Text {
    fn cut(&self) -> Cut {
        Cut::Lines
    }
    fn head<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, _feed: &mut Feed<'a>, _around: Around<'a>) {
        take.known(root);
    }
    fn entry<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, _around: Around<'a>) {
        let line = if root.kind() == NodeKind::Text { Some(root) } else { root.text() };
        let Some(line) = line else { return };
        let text = line.value().trim_start_matches('\u{feff}').trim();
        if url::is_settled(text) || url::is_http(text) && !text.contains(char::is_whitespace) {
            take.value(line, None, &mut entry.loc);
        } else {
            take.remark(line, "text.line", text, advice(text));
        }
    }
}

fn advice(line: &str) -> &'static str {
    let is_robots = line.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("sitemap:"));
    match line.starts_with('#') {
        true => "a comment, which the format does not know, was ignored",
        false if is_robots => "a line of robots.txt was ignored: convert the sitemap it names",
        false => "a line that is no address was ignored",
    }
}
