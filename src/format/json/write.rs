//! Writes the model itself as JSON: one document (`json`), or a line an entry (`jsonl`). Loses nothing.
//! The members are those of the model's structs; `line` and `carriers` are added here.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::emit::{Out, ValueSpelling};
use crate::fate::FateTable;
use crate::format::contract::{FormatWriter, Setup};
use crate::model::{Entry, Feed, Field, Foreign, LeafView, Origin, Walk};
use crate::options::{ForeignMode, Options};
use crate::reason::Reason;

/// Bytes of a head that is written on more than one line.
const LONG_HEAD: usize = 16 << 10;

/// The version of the model, written as the member `transfeed`.
const VERSION: &str = "0.1";

/// Writes `json`.
pub struct JsonWriter;

/// Writes `jsonl`.
pub struct JsonlWriter;

impl FormatWriter for JsonWriter {
    fn table(&self, _options: &Options) -> FateTable {
        super::fate::fate
    }
    fn spelling(&self) -> ValueSpelling {
        SPELLING
    }
    fn head<'e>(&self, feed: &'e Feed<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        let mut text = head(feed, setup, setup.options.pretty, out);
        // the object stays open around the entries
        while text.last().is_some_and(|byte| matches!(byte, b'}' | b'\n' | b' ')) {
            let brace = text.pop() == Some(b'}');
            if brace {
                break;
            }
        }
        while text.last().is_some_and(u8::is_ascii_whitespace) {
            text.pop();
        }
        // a head on one line, longer than what detection looks at, would be taken for the first of many lines
        if text.len() > LONG_HEAD && !setup.options.pretty {
            text.splice(1..1, *b"\n");
        }
        text.extend_from_slice(if setup.options.pretty { b",\n  \"entries\": [\n" } else { b",\"entries\":[\n" });
        out.bytes().append(&mut text);
    }
    fn entry<'e>(&self, entry: &'e Entry<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        if !setup.options.pretty {
            return write_video(entry, setup, out, |entry, buf| write(entry, false, buf));
        }
        write_video(entry, setup, out, |entry, buf| {
            let mut text = Vec::new();
            write(entry, true, &mut text);
            indented(&text, buf);
        });
    }
    fn tail(&self, setup: &Setup<'_>, buf: &mut Vec<u8>) {
        buf.extend_from_slice(if setup.options.pretty { b"\n  ]\n}\n" } else { b"\n]}\n" });
    }
    fn between(&self) -> &'static [u8] {
        b",\n"
    }
}

impl FormatWriter for JsonlWriter {
    fn table(&self, _options: &Options) -> FateTable {
        super::fate::fate
    }
    fn spelling(&self) -> ValueSpelling {
        SPELLING
    }
    fn head<'e>(&self, feed: &'e Feed<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        let text = head(feed, setup, false, out);
        out.bytes().extend_from_slice(&text);
        out.bytes().push(b'\n');
    }
    fn entry<'e>(&self, entry: &'e Entry<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        write_video(entry, setup, out, |entry, buf| write(entry, false, buf));
        out.bytes().push(b'\n');
    }
    fn tail(&self, _setup: &Setup<'_>, _buf: &mut Vec<u8>) {}
    fn between(&self) -> &'static [u8] {
        b""
    }
}

/// Values spell themselves (`Serialize`); this is what reports show.
const SPELLING: ValueSpelling = ValueSpelling { yes: "true", no: "false", date: |date| (date.to_w3c(), None) };

/// The names of the vocabularies that carried the values of a field, in model order; empty for the usual one.
type Carriers = BTreeMap<&'static str, Vec<&'static str>>;

/// The first line of `jsonl`, and what `json` begins with.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct JsonHead<'e> {
    /// The version of this form.
    transfeed: &'static str,
    /// The format of the source.
    format: &'static str,
    /// The head.
    feed: FeedMembers<'e>,
}

/// The head of a document.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FeedMembers<'e> {
    #[serde(flatten)]
    feed: &'e Feed<'e>,
    /// The vocabularies that carried the values of a field, in order; empty for the usual one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    carriers: Carriers,
    /// The order of links and files in the source, if it differs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    link_order: Vec<usize>,
}

/// An entry.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EntryMembers<'e> {
    #[serde(flatten)]
    entry: &'e Entry<'e>,
    /// The vocabularies that carried the values of a field, in order; empty for the usual one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    carriers: Carriers,
    /// The order of links and files in the source, if it differs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    link_order: Vec<usize>,
    /// The line it began at.
    line: u32,
}

/// The head as an object, and everything in it in the books.
fn head<'e>(feed: &'e Feed<'e>, setup: &Setup<'_>, pretty: bool, out: &mut Out<'_, 'e>) -> Vec<u8> {
    let without;
    let feed = match setup.options.foreign {
        ForeignMode::Same | ForeignMode::Keep => feed,
        ForeignMode::Drop => {
            leave_out(&feed.foreign, out);
            without = Feed { foreign: Vec::new(), ..feed.clone() };
            &without
        }
    };
    let carriers = settle(|visit| feed.walk((), visit), out);
    let format = feed.origin.before.format.unwrap_or(setup.source.id);
    let link_order = link_order(|visit| feed.walk((), visit), &feed.origin, &feed.foreign);
    let mut text = Vec::new();
    write(
        &JsonHead { transfeed: VERSION, format, feed: FeedMembers { feed, carriers, link_order } },
        pretty,
        &mut text,
    );
    text
}

/// An entry as an object, and everything in it in the books.
fn write_video<'e>(
    entry: &'e Entry<'e>,
    setup: &Setup<'_>,
    out: &mut Out<'_, 'e>,
    write: impl FnOnce(&EntryMembers<'_>, &mut Vec<u8>),
) {
    let without;
    let entry = match setup.options.foreign {
        ForeignMode::Same | ForeignMode::Keep => entry,
        ForeignMode::Drop => {
            leave_out(&entry.foreign, out);
            without = Entry { foreign: Vec::new(), ..entry.clone() };
            &without
        }
    };
    let carriers = settle(|visit| entry.walk((), visit), out);
    let line = entry.origin.before.line.unwrap_or_else(|| entry.line());
    let link_order = link_order(|visit| entry.walk((), visit), &entry.origin, &entry.foreign);
    write(&EntryMembers { entry, carriers, link_order, line }, out.bytes());
}

/// Marks unknown markup that is not written as lost: the understood part of it only locates schemas.
fn leave_out(foreign: &[Foreign<'_>], out: &mut Out<'_, '_>) {
    for value in foreign.iter().filter_map(|item| item.value.as_ref()) {
        out.books().lost(value.mark, Reason::SchemaLocation);
    }
}

/// The numbers of the files, counted among the links in model order, in the order of the source; of all links where
/// unknown markup finds its link by its number. Empty where that is the order of the model.
fn link_order<'w>(
    walk: impl Fn(&mut dyn FnMut(LeafView<'w>)),
    origin: &Origin<'_>,
    foreign: &[Foreign<'_>],
) -> Vec<usize> {
    let all = foreign.iter().any(Foreign::is_in_link);
    let mut links = Vec::new();
    walk(&mut |seen| links.extend(is_link(seen.field).then_some((seen.field, seen.mark))));
    // an entry has no element for values that it inherits from the head
    let own = links.iter().any(|(_, mark)| mark.is_some() && !mark.of_feed());
    let links: Vec<_> = links
        .into_iter()
        .map(|(field, mark)| (field, origin.place(mark).filter(|_| !own || !mark.of_feed())))
        .collect();
    let is_file = |field| matches!(field, Field::EnclosureUrl | Field::ImageLoc | Field::VideoFileUrl);
    let mut order: Vec<usize> = (0..links.len()).filter(|index| all || is_file(links[*index].0)).collect();
    order.retain(|index| links[*index].1.is_some());
    order.sort_by_key(|index| links[*index].1);
    if order.is_sorted() { Vec::new() } else { order }
}

/// How `carriers` names elements without a namespace.
pub(super) const CORE: &str = "core";

/// Everything that is walked over is written.
fn settle<'w>(walk: impl Fn(&mut dyn FnMut(LeafView<'w>)), out: &mut Out<'_, '_>) -> Carriers {
    let books = out.books();
    let mut carried: Vec<Field> = Vec::new();
    walk(&mut |seen| {
        books.kept_as(seen.mark, || seen.value.to_string());
        if seen.via.is_some() && carried.last() != Some(&seen.field) {
            carried.push(seen.field);
        }
    });
    if carried.is_empty() {
        return Carriers::new();
    }
    // by the field's number; `None` for a field that no other vocabulary carried
    let mut names: Vec<Option<Vec<&'static str>>> = vec![None; Field::ALL.len()];
    for field in carried {
        names[field as usize] = Some(Vec::new());
    }
    walk(&mut |seen| {
        let Some(Some(names)) = names.get_mut(seen.field as usize) else { return };
        names.push(match seen.via {
            None => "",
            // an element of RSS itself, where the usual carrier is another (`enclosure`)
            Some(crate::xml::names::Ns::None) => CORE,
            Some(ns) => ns.name(),
        });
    });
    let named = |field: &Field| {
        let names = names.get_mut(*field as usize)?.take().filter(|names| names.iter().any(|name| !name.is_empty()))?;
        Some((field.name(), names))
    };
    Field::ALL.iter().filter_map(named).collect()
}

/// Writing to memory does not fail, and the model has nothing that JSON cannot say.
fn write(value: &impl Serialize, pretty: bool, buf: &mut Vec<u8>) {
    let start = buf.len();
    let done =
        if pretty { serde_json::to_writer_pretty(&mut *buf, value) } else { serde_json::to_writer(&mut *buf, value) };
    if done.is_err() {
        buf.truncate(start);
    }
}

/// Puts the lines of an entry in their place below `entries`. A line feed in a string is an escape, so every real one
/// ends a line.
fn indented(text: &[u8], buf: &mut Vec<u8>) {
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        if number > 0 {
            buf.push(b'\n');
        }
        buf.extend_from_slice(b"    ");
        buf.extend_from_slice(line);
    }
}

/// Whether a leaf is the URL of a link or a file: their order among each other is written back, and counts where
/// they have unknown attributes.
pub(super) fn is_link(field: Field) -> bool {
    use Field::*;
    matches!(
        field,
        FeedHome
            | FeedSelf
            | FeedLinkHref
            | Loc
            | Comments
            | CommentFeed
            | License
            | LinkHref
            | AlternateHref
            | EnclosureUrl
            | ImageLoc
            | VideoFileUrl
            | VideoPeerLinkHref
            | VideoLicenseHref
    )
}
