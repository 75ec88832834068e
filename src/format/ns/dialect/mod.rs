//! What single platforms say of pages and videos in namespaces of their own: a table for each (tables.rs), and its use
//! (apply.rs). An element of a table stays among the unknown markup, so that its own family gets it back as it was;
//! the model has what it means besides, under the same mark. What no table knows is only unknown markup.
//!
//! Not vocabularies that feeds of everybody share (Media RSS, Dublin Core, iTunes): those are read by the formats.

mod apply;
mod host;
mod row;
mod tables;
pub(in crate::format) mod thumbnail;

pub use row::{Dialect, DialectRow, IdSource, LIVE_ITEM, ThumbnailRow, ValueForm};
use std::fmt::Write;

pub use apply::{apply, note_known, settle};
pub use tables::DIALECTS;

use crate::model::Feed;
use crate::text::bytes::trimmed;

/// The part of a namespace URL that is compared: without `https` and a slash at the end.
fn namespace_key(uri: &str) -> &str {
    let uri = trimmed(uri);
    let uri = uri.strip_prefix("https:").or_else(|| uri.strip_prefix("http:")).unwrap_or(uri);
    uri.strip_suffix('/').unwrap_or(uri)
}

/// The last byte before a slash at the end.
fn last_of(uri: &str) -> Option<u8> {
    match *uri.as_bytes() {
        [.., last, b'/'] | [.., last] => Some(last),
        [] => None,
    }
}

/// The dialect with this namespace.
pub(crate) fn by_namespace(uri: &str) -> Option<&'static Dialect> {
    if uri.is_empty() {
        return None;
    }
    let key = namespace_key(uri);
    // most differ in length or in the last byte
    let may_be = |known: &str| {
        let more = known.len().checked_sub(key.len());
        more.is_some_and(|more| more <= "https:/".len()) && last_of(known) == last_of(key)
    };
    let is_same = |known: &&str| may_be(known) && namespace_key(known) == key;
    DIALECTS.iter().find(|dialect| dialect.namespaces.iter().any(&is_same))
}

/// The names of the dialects of a document, by the namespaces declared in its head, its generator and its hosts; empty
/// if none is known.
pub fn names<'n>(declared: impl Iterator<Item = &'n str>, feed: &Feed<'_>) -> String {
    let declared: Vec<&Dialect> = declared.filter_map(by_namespace).collect();
    let generator = feed.generator.as_ref().and_then(|generator| generator.name.as_ref());
    let generator = generator.map_or("", |name| name.as_str());
    let hosts = [&feed.home, &feed.self_url].map(|slot| slot.as_ref().and_then(|url| host(url.as_str())).unwrap_or(""));
    let in_use = |dialect: &&Dialect| {
        declared.iter().any(|found| found.name == dialect.name)
            || dialect.generators.iter().any(|word| generator.contains(word))
            || dialect.hosts.iter().any(|host| hosts.contains(host))
    };
    let names: Vec<&str> = DIALECTS.iter().filter(in_use).map(|dialect| dialect.name).collect();
    names.join(", ")
}

/// The host of a URL, without `www.`.
fn host(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let host = rest.split(['/', '?', '#', ':']).next()?;
    Some(host.strip_prefix("www.").unwrap_or(host))
}

/// The tables as a page of Markdown.
pub fn markdown() -> String {
    let mut page = String::new();
    for dialect in DIALECTS {
        // writing to memory does not fail
        let _ = write!(page, "## {}\n\n{}.\n\n", dialect.name, dialect.title);
        let signs = [("Namespace", dialect.namespaces), ("Generator", dialect.generators), ("Host", dialect.hosts)];
        for (sign, words) in signs {
            for word in words {
                let _ = writeln!(page, "- {sign}: `{word}`");
            }
        }
        page.push('\n');
        for row in dialect.thumbnails {
            let _ = writeln!(page, "Image of a video: `{}`. Source: {}.\n", row.image, row.source);
        }
        if dialect.rows.is_empty() {
            page.push_str("It uses standard elements only.\n\n");
            continue;
        }
        page.push_str("| element | where | field | written as |\n|---|---|---|---|\n");
        for row in dialect.rows {
            let name = match row.attribute {
                "" => format!("`{}`", row.element),
                attribute if attribute.contains('@') => format!("`{}/{attribute}`", row.element),
                attribute => format!("`{}@{attribute}`", row.element),
            };
            let place = row.only.map(|(attribute, values)| {
                let word = |value: &&str| if value.is_empty() { "absent".to_owned() } else { format!("`{value}`") };
                format!("`@{attribute}` is {}", values.iter().map(word).collect::<Vec<_>>().join(" or "))
            });
            let (place, form) = (place.unwrap_or_default(), row.form.title());
            let _ = writeln!(page, "| {name} | {place} | `{}` | {form} |", row.means.name());
        }
        let videos: Vec<String> = dialect.videos.iter().map(|name| format!("`{name}`")).collect();
        if !videos.is_empty() {
            let _ = write!(page, "\nEach is a separate video: {}.\n", videos.join(", "));
        }
        let known: Vec<String> = dialect.known.iter().map(|name| format!("`{name}`")).collect();
        if !known.is_empty() {
            let _ = write!(page, "\nKnown, without a field: {}.\n", known.join(", "));
        }
        page.push('\n');
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}
