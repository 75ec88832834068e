//! What single platforms say of pages and videos in namespaces of their own: a table for each (tables.rs), and its use
//! (apply.rs). An element of a table stays among the unknown markup, so that its own family gets it back as it was;
//! the model has what it means besides, under the same mark. What no table knows is only unknown markup.
//!
//! Not vocabularies that feeds of everybody share (Media RSS, Dublin Core, iTunes): those are read by the formats.

mod apply;
mod tables;

use std::fmt::Write;

pub use apply::{ForeignHandling, apply, settle};
pub use tables::DIALECTS;

use crate::model::{Feed, Field};
use crate::text::bytes::trimmed;

/// The item of a podcast for a live stream. The attributes of the element itself are kept as a module of this name.
pub const LIVE_ITEM: &str = "podcast:liveItem";

/// The feeds of one platform.
pub struct Dialect {
    /// What reports call it.
    pub name: &'static str,
    /// Whose feeds they are.
    pub title: &'static str,
    /// Its namespaces, in all spellings but for `https` and a slash at the end. One of them in use names the dialect.
    pub namespaces: &'static [&'static str],
    /// Words that name the dialect where the generator of the feed has them.
    pub generators: &'static [&'static str],
    /// Hosts that name the dialect where they are that of the feed's home page or of the feed itself.
    pub hosts: &'static [&'static str],
    /// What its elements mean.
    pub rows: &'static [DialectRow],
}

/// What one element, or one attribute of it, means.
#[derive(Clone, Copy)]
pub struct DialectRow {
    /// The element, without prefix: a child of the item or entry, or of `media:group` or `media:content`.
    pub element: &'static str,
    /// The attribute; empty for the text of the element. `child@name` is an attribute of its children with that name:
    /// each child adds one item, for example a file.
    pub attribute: &'static str,
    /// Restricts the row to elements where this attribute has one of these values; an empty value means an absent
    /// attribute.
    pub only: Option<(&'static str, &'static [&'static str])>,
    /// The field of the model.
    pub means: Field,
    /// The notation of its value.
    pub form: ValueForm,
}

impl DialectRow {
    /// The text of an element.
    const fn text(element: &'static str, means: Field) -> DialectRow {
        DialectRow { element, attribute: "", only: None, means, form: ValueForm::Plain }
    }
    /// An attribute of an element.
    const fn attr(element: &'static str, attribute: &'static str, means: Field) -> DialectRow {
        DialectRow { element, attribute, only: None, means, form: ValueForm::Plain }
    }
    const fn with_form(self, form: ValueForm) -> DialectRow {
        DialectRow { form, ..self }
    }
    const fn only(self, attribute: &'static str, values: &'static [&'static str]) -> DialectRow {
        DialectRow { only: Some((attribute, values)), ..self }
    }
}

/// The notation of a value.
#[derive(Clone, Copy)]
pub enum ValueForm {
    /// As everywhere else.
    Plain,
    /// A duration in milliseconds.
    Millis,
    /// A moment in seconds since 1970.
    Epoch,
    /// A rate in bits a second.
    Bits,
    /// A list with commas.
    List,
    /// One of these words, each with its equivalent in the model; other words are kept.
    Words(&'static [(&'static str, &'static str)]),
}

impl ValueForm {
    fn title(self) -> String {
        match self {
            ValueForm::Plain => String::new(),
            ValueForm::Millis => "milliseconds".to_owned(),
            ValueForm::Epoch => "seconds since 1970".to_owned(),
            ValueForm::Bits => "bits a second".to_owned(),
            ValueForm::List => "list with commas".to_owned(),
            ValueForm::Words(words) => {
                let words: Vec<String> = words.iter().map(|(said, meant)| format!("`{said}` is `{meant}`")).collect();
                words.join(", ")
            }
        }
    }
}

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
fn by_namespace(uri: &str) -> Option<&'static Dialect> {
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
        page.push('\n');
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}
