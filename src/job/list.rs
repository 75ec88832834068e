//! Lists of feeds: the files named in an OPML document or an index of sitemaps. The caller checks whether the files
//! exist and may be read.

use std::path::{Component, Path, PathBuf};

use crate::convert::{Entries, Input};
use crate::diagnostic;
use crate::error::{Error, ErrorKind};
use crate::options::Options;
use crate::text::{unescape_percent, url};
use crate::xml::escape;
use crate::xml::place::Place;
use crate::xml::scan::{attributes, name_len, split_name, tag_end};

/// What a list names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ListEntry {
    /// A file, relative to the list, or absolute.
    File(PathBuf),
    /// Something on another machine.
    Remote(String),
    /// Something that is neither.
    Odd(String),
}

/// The URLs and paths of the feeds of an OPML document: of every `outline` with an `xmlUrl`, whatever the case of their names.
pub fn opml(text: &str) -> Vec<String> {
    let addresses = outlines(text).filter_map(|tag| value_of(tag, "xmlurl"));
    addresses.map(|address| without_feed(address.trim())).collect()
}

/// The names of the feeds of an OPML document without a URL. An outline without one is that of a folder, unless its type is that
/// of a feed, or it has an empty `xmlUrl` and no other outlines.
pub fn nameless_feeds(text: &str) -> Vec<String> {
    let nameless = outlines(text).filter(|tag| {
        let kind = value_of(tag, "type").unwrap_or_default();
        let is_feed = ["rss", "atom"].iter().any(|known| kind.trim().eq_ignore_ascii_case(known));
        match value_of(tag, "xmlurl") {
            Some(address) => address.trim().is_empty() && (is_feed || tag.ends_with("/>")),
            None => is_feed,
        }
    });
    nameless.map(|tag| value_of(tag, "text").or_else(|| value_of(tag, "title")).unwrap_or_default()).collect()
}

/// The start tags of outlines.
fn outlines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        while let Some((_, tag)) = rest.split_once('<') {
            let skipped = [("!--", "-->"), ("![CDATA[", "]]>")].iter().find_map(|(open, close)| {
                Some(tag.strip_prefix(open)?.split_once(close).map_or("", |(_, after)| after))
            });
            if let Some(after) = skipped {
                rest = after;
                continue;
            }
            let name = tag.get(..name_len(tag.as_bytes())).unwrap_or_default();
            let (_, local) = split_name(name.as_bytes());
            let end = tag_end(tag)?;
            rest = tag.get(end..).unwrap_or_default();
            if local.eq_ignore_ascii_case(b"outline") {
                return tag.get(..end);
            }
        }
        None
    })
}

/// The value of an attribute, whatever the case of its name.
fn value_of(tag: &str, wanted: &str) -> Option<String> {
    let found = attributes(tag).find(|(name, _)| name.eq_ignore_ascii_case(wanted));
    found.map(|(_, value)| escape::unescape_lenient(value).0.into_owned())
}

/// The URLs in an index of sitemaps; an unreadable entry is skipped. If the index is cut off, an error comes last:
/// further URLs are unknown.
///
/// # Errors
/// It cannot be read, or is not an index of sitemaps.
pub fn index<'i>(
    input: &'i dyn Input,
    options: &Options,
) -> Result<impl Iterator<Item = Result<String, Error>> + use<'i>, Error> {
    let entries = Entries::open_with(input, None, options.clone())?;
    if entries.format().id != "sitemap-index" {
        return Err(Error::format("cannot list sitemaps: not a sitemap index", "pass a sitemap index"));
    }
    let cut = entries.document().trouble.iter().find(|trouble| diagnostic::is_cut_off(trouble.code));
    let cut = cut.map(|cut| (cut.line, cut.column, cut.found.clone()));
    let at_end = cut.clone().map(|(line, column, found)| Err(cut_off(line, column, &found)));
    let locs = entries.map(move |entry| match (entry, &cut) {
        (Ok(entry), _) => Ok(entry.loc.map(|loc| loc.to_string())),
        // the entry in which the index ends
        (Err(_), Some((line, column, found))) => Err(cut_off(*line, *column, found)),
        (Err(error), None) => Err(error),
    });
    Ok(locs.filter_map(Result::transpose).chain(at_end))
}

/// Whether the text of an OPML document ends before its root does.
///
/// # Errors
/// It does.
pub fn whole_opml(text: &str) -> Result<(), Error> {
    let is_root = |tag: &str| {
        let name = tag.get(..name_len(tag.as_bytes())).unwrap_or_default();
        split_name(name.as_bytes()).1.eq_ignore_ascii_case(b"opml")
    };
    let is_empty = |tag: &str| {
        tag_end(tag).and_then(|end| tag.get(..end)).is_some_and(|tag| tag.trim_end_matches('>').ends_with('/'))
    };
    let ends = |tag: &str| tag.strip_prefix('/').map_or_else(|| is_root(tag) && is_empty(tag), is_root);
    if text.split('<').skip(1).any(ends) {
        return Ok(());
    }
    let mut place = Place::default();
    place.advance(text.as_bytes());
    Err(cut_off(place.line, place.column, "the root element is not closed"))
}

fn cut_off(line: u32, column: u32, found: &str) -> Error {
    ErrorKind::Xml { line, column, says: format!("cut off: {found}; fetch the list again") }.into()
}

/// A URL without the scheme that some readers put before it: `feed://host/path`, `feed:https://host/path`.
fn without_feed(address: &str) -> String {
    match address.split_at_checked(5) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("feed:") => match rest.strip_prefix("//") {
            Some(rest) => format!("http://{rest}"),
            None => rest.to_owned(),
        },
        Some(_) | None => address.to_owned(),
    }
}

/// The meaning of a URL or a path in a list that is a file.
pub fn meaning(address: &str) -> ListEntry {
    let lower = address.get(..7).unwrap_or_default().to_ascii_lowercase();
    if url::is_http(address) {
        return ListEntry::Remote(address.to_owned());
    }
    match (lower.as_str(), url::scheme(address)) {
        ("file://", _) => {
            let path = address.get(7..).unwrap_or_default();
            let path = path.strip_prefix("localhost").unwrap_or(path);
            file(path)
                .filter(|path| path.is_absolute())
                .map_or_else(|| ListEntry::Odd(address.to_owned()), ListEntry::File)
        }
        (_, Some(_)) => ListEntry::Odd(address.to_owned()),
        // a path may be percent-encoded or not
        _ if address.is_empty() => ListEntry::Odd(address.to_owned()),
        _ => ListEntry::File(PathBuf::from(address)),
    }
}

/// The possible paths of the index part with this URL below the folder of the index, most likely first: relative to
/// `base`, if that is the URL of the index; as a relative path; by its name alone.
pub fn part(address: &str, base: Option<&str>) -> Vec<PathBuf> {
    let bare = address.split(['?', '#']).next().unwrap_or_default();
    let below =
        base.and_then(|base| bare.strip_prefix(base.trim_end_matches('/'))).and_then(|rest| rest.strip_prefix('/'));
    let relative = url::scheme(bare).is_none().then_some(bare);
    let name = bare.rsplit('/').next();
    let paths = [below, relative, name].into_iter().flatten().filter_map(file);
    let mut found: Vec<PathBuf> = Vec::new();
    for path in paths {
        if is_below_root(&path) && !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

/// Whether a path leads nowhere but down.
pub fn is_below_root(path: &Path) -> bool {
    let down = |step: Component<'_>| matches!(step, Component::Normal(_) | Component::CurDir);
    path.file_name().is_some() && path.components().all(down)
}

/// The path that a URL spells like this.
fn file(text: &str) -> Option<PathBuf> {
    let bytes = unescape_percent(text);
    if bytes.is_empty() || bytes.contains(&0) {
        return None;
    }
    super::from_bytes(bytes).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::Bytes;

    #[test]
    fn the_feeds_of_an_outline() {
        let text = r#"<?xml version="1.0"?><opml version="2.0"><head><title>x</title></head><body>
            <!-- <outline xmlUrl="no.xml"/> --><outline text="folder > x">
            <Outline type="rss" TEXT="a" XMLURL=' a%20b&amp;c.xml '/><outline xmlUrl="https://x.example/feed"/></outline>
            <outline xmlUrl="file:///srv/a%20b.xml"/><outline xmlUrl="FILE://localhost/c.xml"/><outline htmlUrl="x"/>
            <outline xmlUrl="ftp://x/y"/><outline xmlUrl="file:relative.xml"/><outline xmlUrl=""/><outline xmlUrl="../up.xml"/>
            </body></opml>"#;
        let path = |path: &str| ListEntry::File(path.into());
        let odd = |address: &str| ListEntry::Odd(address.to_owned());
        let expected = [
            path("a%20b&c.xml"),
            ListEntry::Remote("https://x.example/feed".to_owned()),
            path("/srv/a b.xml"),
            path("/c.xml"),
            odd("ftp://x/y"),
            odd("file:relative.xml"),
            odd(""),
            path("../up.xml"),
        ];
        let found: Vec<ListEntry> = opml(text).iter().map(|address| meaning(address)).collect();
        assert_eq!(found, expected);
        let feeds = "<opml><outline xmlUrl='feed://x.example/a'/><outline xmlUrl='FEED:https://x.example/b'/></opml>";
        assert_eq!(opml(feeds), ["http://x.example/a", "https://x.example/b"]);
        assert!(opml("<outline xmlUrl='x").is_empty());
        let nameless = r#"<opml><outline text="a" xmlUrl=""/><outline text="b" type="rss" url="x"/><outline text="c" xmlUrl="">
            <outline title="d" type="RSS" xmlUrl=" "></outline><outline text="e" xmlUrl="e.xml"/><outline text="f"/></outline></opml>"#;
        assert_eq!(nameless_feeds(nameless), ["a", "b", "d"]);
        for whole in [text, "<opml/>", "<OPML version='2.0'></OPML ><!-- </x> -->", "<o:opml xmlns:o='u'></o:opml>"] {
            assert!(whole_opml(whole).is_ok(), "{whole}");
        }
        for cut in ["<opml version='2.0'><body>", "<opml><outline text='/>'/></body>", "<opml><body></op"] {
            assert!(whole_opml(cut).is_err(), "{cut}");
        }
    }

    #[test]
    fn parts_are_looked_for_below_their_index() {
        let paths = |address: &str, base| -> Vec<String> {
            part(address, base).iter().map(|path| path.display().to_string()).collect()
        };
        assert_eq!(paths("https://x.example/s/a/b.xml", Some("https://x.example/s/")), ["a/b.xml", "b.xml"]);
        assert_eq!(paths("https://x.example/s/b%20c.xml?v=1", None), ["b c.xml"]);
        assert_eq!(paths("a/b.xml", None), ["a/b.xml", "b.xml"]);
        assert_eq!(paths("../b.xml", None), ["b.xml"]);
        assert_eq!(paths("https://x.example/..%2f..%2fetc%2fpasswd", None), [""; 0]);
        assert_eq!(paths("https://x.example/", None), [""; 0]);
    }

    #[test]
    fn the_addresses_of_an_index() {
        let bytes = b"<sitemapindex><sitemap><loc>https://x.example/a.xml</loc></sitemap><sitemap><loc>b.xml</loc></sitemap></sitemapindex>";
        let input = Bytes { name: "i.xml", bytes };
        let found = index(&input, &Options::default()).expect("an index");
        let found: Vec<String> = found.flatten().collect();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0] == "https://x.example/a.xml" && found[1].ends_with("b.xml"), "{found:?}");
    }
}
