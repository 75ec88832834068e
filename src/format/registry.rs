//! The one list of formats. Help, detection, the matrix and the tests iterate over it; no format knows it.

use super::contract::{Format, ReadContext};
use super::{atom, csv, json, jsonfeed, jsonld, rss, sitemap, text, yandex};
use crate::model::Feed;
use crate::options::Options;

/// All formats, targets first. Help, detection, the matrix and the tests iterate over them.
pub static FORMATS: &[&Format] = &[
    &rss::RSS,
    &rss::MRSS,
    &rss::PODCAST,
    &atom::ATOM,
    &atom::ATOM_MEDIA,
    &sitemap::SITEMAP,
    &sitemap::VIDEO,
    &text::TEXT,
    &csv::CSV,
    &jsonfeed::JSON_FEED,
    &json::JSON,
    &json::JSONL,
    &jsonld::JSONLD,
    &rss::RSS1,
    &rss::RSS09,
    &atom::ATOM03,
    &sitemap::SITEMAP_INDEX,
    &jsonld::HTML,
    &yandex::YANDEX_VIDEO,
];

/// The format with this name.
pub fn by_id(id: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.id == id)
}

/// The formats that can be written.
pub fn targets() -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().copied().filter(|format| format.writer.is_some())
}

/// The format whose family a document belongs to: for the model as JSON, the one it was first read from.
pub(crate) fn family_format(format: &'static Format, feed: &Feed<'_>) -> &'static Format {
    feed.origin.before.format.and_then(by_id).unwrap_or(format)
}

/// What a reader of this document may look at; without a head while the head itself is read.
pub(crate) fn around<'a>(feed: Option<&'a Feed<'a>>, options: &'a Options) -> ReadContext<'a> {
    ReadContext { feed, options, formats: FORMATS }
}
