//! Whether a body that came over a connection without a length is a whole document: a cut-off one is never kept. How it is
//! read is decided elsewhere.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::detect::{self, DocumentKind};
use crate::xml::decode;
use crate::xml::scan::{name_len, tag_end};

/// Bytes at the end of a document that are searched for its last tag; comments may follow it.
const TAIL: usize = 64 << 10;

/// What a body is.
pub struct BodyNature {
    /// Its kind, by its beginning.
    pub kind: DocumentKind,
    /// Nothing shows that its end is missing. A list of URLs does not show it.
    pub is_whole: bool,
}

/// Reads a body to its end and detects what it is.
///
/// # Errors
/// An I/O error of the file, not of the document.
pub fn nature(mut body: impl Read) -> io::Result<BodyNature> {
    let mut text = match decode::decode(&mut body) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(odd()),
        Err(error) => return Err(error),
    };
    let Ok(prefix) = text.peek() else { return Ok(odd()) };
    let kind = detect::detect(&prefix.text, prefix.complete);
    let (mut tail, mut buffer) = (VecDeque::with_capacity(2 * TAIL), vec![0; TAIL]);
    loop {
        match text.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => {
                tail.extend(buffer.get(..read).unwrap_or_default());
                tail.drain(..tail.len().saturating_sub(TAIL));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            // the compression has an error or ends too early
            Err(_) => return Ok(BodyNature { kind, is_whole: false }),
        }
    }
    let is_cut = text.findings().trouble().0.iter().any(|row| matches!(row.code, "gzip.truncated" | "gzip.corrupt"));
    let tail = String::from_utf8_lossy(tail.make_contiguous()).into_owned();
    let is_whole = !is_cut && ends(&kind, &prefix.text, tail.trim_end());
    Ok(BodyNature { kind, is_whole })
}

fn odd() -> BodyNature {
    BodyNature { kind: DocumentKind::Unknown { looks: String::new() }, is_whole: true }
}

/// Whether a document of this kind that begins and ends so is whole.
fn ends(kind: &DocumentKind, head: &str, tail: &str) -> bool {
    match kind {
        DocumentKind::Text
        | DocumentKind::Table
        | DocumentKind::Csv { .. }
        | DocumentKind::Empty
        | DocumentKind::Unknown { .. }
        | DocumentKind::Html { .. }
        | DocumentKind::HtmlVideo => true,
        DocumentKind::Json
        | DocumentKind::JsonLines
        | DocumentKind::JsonFeed
        | DocumentKind::JsonLd
        | DocumentKind::UnknownJson { .. } => tail.ends_with(['}', ']']),
        DocumentKind::Rss { .. }
        | DocumentKind::Rss10
        | DocumentKind::Rss090
        | DocumentKind::Rss11
        | DocumentKind::Atom
        | DocumentKind::Atom03
        | DocumentKind::AtomEntry
        | DocumentKind::Sitemap
        | DocumentKind::SitemapIndex
        | DocumentKind::YandexVideo { .. }
        | DocumentKind::Opml
        | DocumentKind::UnknownXml { .. } => root_ends(head, tail),
    }
}

/// Whether the root element is closed.
fn root_ends(head: &str, tail: &str) -> bool {
    let Some(tag) = root_tag(head) else { return true };
    let name = tag.get(..name_len(tag.as_bytes())).unwrap_or_default();
    let is_empty = tag_end(tag).and_then(|end| tag.get(..end)).is_some_and(|tag| {
        let inside = tag.trim_end_matches('>');
        inside.ends_with('/')
    });
    let closes = |(at, _): (usize, &str)| {
        let after = tail.get(at + 2..).and_then(|rest| rest.get(name.len()..).filter(|_| rest.starts_with(name)));
        after.is_some_and(|after| after.trim_start().starts_with('>'))
    };
    is_empty || tail.rmatch_indices("</").any(closes)
}

/// The tag of the root element, without its `<`.
fn root_tag(head: &str) -> Option<&str> {
    let mut rest = head;
    loop {
        let (_, tag) = rest.split_once('<')?;
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->")?.1;
        } else if !tag.starts_with(['?', '!']) && name_len(tag.as_bytes()) > 0 {
            return Some(tag);
        } else {
            rest = tag;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const FEED: &str = "<?xml version=\"1.0\"?><!-- <a> --><rss version=\"2.0\"><channel><title>T</title>\
        <item><link>https://pond.example/</link></item></channel></rss>";

    fn is_whole(body: &[u8]) -> bool {
        nature(body).expect("memory").is_whole
    }

    #[test]
    fn every_beginning_of_a_feed_is_cut_off() {
        assert!(is_whole(FEED.as_bytes()) && is_whole(format!("{FEED}\n<!-- made by x -->\n").as_bytes()));
        let begin = FEED.find("<rss").expect("a root") + "<rss version=\"2.0\">".len();
        for end in begin..FEED.len() {
            assert!(!is_whole(&FEED.as_bytes()[..end]), "{}", &FEED[..end]);
        }
        let long = FEED.replace("<item>", &format!("{}<item>", "<item><guid>x</guid></item>".repeat(9_000)));
        assert!(is_whole(long.as_bytes()) && !is_whole(&long.as_bytes()[..long.len() - 3]));
    }

    #[test]
    fn other_documents_end_too() {
        assert!(is_whole(b"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"/>"));
        assert!(is_whole(b"{\"format\":\"x\"}\n") && !is_whole(b"{\"format\":\"x\",\"entries\":[{\"a\":1"));
        assert!(is_whole(b"https://pond.example/1\nhttps://pond.exa"), "a cut is invisible in a list");
    }

    #[test]
    fn compressed_documents_end_too() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        let packed = packed.write_all(FEED.as_bytes()).and_then(|()| packed.finish()).expect("memory");
        assert!(is_whole(&packed) && !is_whole(&packed[..packed.len() - 12]));
    }
}
