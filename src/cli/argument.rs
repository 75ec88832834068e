//! Values of arguments that several commands take, the names of commands, and the headings of their help.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::format::{self, Format};
use crate::model::Date;
use crate::rules::OPML;
use crate::text::nearest;

pub(super) fn target(id: &str) -> Result<&'static Format, String> {
    match format::by_id(id) {
        Some(format) if format.writer.is_some() => Ok(format),
        None if id != OPML.id => Err(unknown("format", id, true)),
        Some(_) | None => Err(format!("cannot write {id}, only read it; targets are {}", names(true))),
    }
}

pub(super) fn source(id: &str) -> Result<&'static Format, String> {
    format::by_id(id).ok_or_else(|| match id == OPML.id {
        true => "migrate and validate read OPML lists of feeds without --from".to_owned(),
        false => unknown("format", id, false),
    })
}

pub(super) fn target_names() -> Vec<&'static str> {
    format::FORMATS.iter().filter(|format| format.writer.is_some()).map(|format| format.id).collect()
}

pub(super) fn source_names() -> Vec<&'static str> {
    format::FORMATS.iter().map(|format| format.id).collect()
}

pub(super) fn names(targets: bool) -> String {
    if targets { target_names().join(", ") } else { source_names().join(", ") }
}

/// Formats by words that users try for them.
pub(super) const MEANT: [(&str, &str); 13] = [
    ("excel", "csv"),
    ("json-feed", "jsonfeed"),
    ("google", "video-sitemap"),
    ("media", "mrss"),
    ("media-rss", "mrss"),
    ("mediarss", "mrss"),
    ("ndjson", "jsonl"),
    ("podcast", "rss-podcast"),
    ("txt", "text"),
    ("urls", "text"),
    ("video", "video-sitemap"),
    ("xml", "sitemap"),
    ("yandex", "yandex-video"),
];

pub(super) fn unknown(what: &str, given: &str, targets: bool) -> String {
    let known = || if targets { target_names() } else { source_names() };
    let lower = given.to_ascii_lowercase();
    let meant = MEANT.iter().find(|(word, _)| *word == lower).map(|(_, id)| *id);
    let near = meant.or_else(|| nearest(&lower, known()));
    let hint = near.map(|id| format!("did you mean {id}? ")).unwrap_or_default();
    format!("no {what} with this name: {hint}{what}s are {}", names(targets))
}

/// A folder that is there.
pub(super) fn folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new()
        .try_map(|path| if path.is_dir() { Ok(path) } else { Err("this folder does not exist".to_owned()) })
}

pub(super) fn address(text: &str) -> Result<String, String> {
    match crate::text::url::is_http(text) {
        true => Ok(text.to_owned()),
        false => Err("expected an absolute URL such as https://example.com/feed.xml".to_owned()),
    }
}

/// The URL of a folder.
pub(super) fn folder_address(text: &str) -> Result<String, String> {
    match address(text)? {
        text if text.contains(['?', '#']) => Err("expected the URL of a folder, without ? and #".to_owned()),
        text => Ok(text),
    }
}

pub(super) fn date(text: &str) -> Result<Date, String> {
    let read = Date::parse(text).map(|(date, _)| date);
    read.ok_or_else(|| "expected a date such as 2026-05-01 or 2026-05-01T12:00:00Z".to_owned())
}

/// A number of things.
pub(super) fn count<N: FromStr>(text: &str) -> Result<N, String> {
    let text = text.trim();
    text.parse().map_err(|_| match !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("expected a smaller number, not {text}"),
        false => format!("expected a whole number such as 10, not {text:?}"),
    })
}

/// A number of objects, not zero.
pub(super) fn at_least_one(text: &str) -> Result<u64, String> {
    match count(text)? {
        0 => Err(format!("expected a whole number from 1, not {text:?}")),
        count => Ok(count),
    }
}

/// The words that are commands.
pub(super) const COMMANDS: [&str; 11] =
    ["convert", "migrate", "run", "inspect", "diff", "validate", "formats", "explain", "completions", "man", "help"];

/// Headings of the help, by what the reader needs; the commands that convert share them.
pub(super) const WHAT: &str = "What";

pub(super) const WHERE: &str = "Where to";

pub(super) const REPORT: &str = "Report and gates";

pub(super) const VIDEO: &str = "Video choices";

pub(super) const PAGES: &str = "Pages and entries";

pub(super) const SELECTION: &str = "Selection";

pub(super) const TABLES: &str = "Tables";

pub(super) const RUN: &str = "Run";
