//! The model as JSON with members that are deleted, doubled, moved, renamed, of another type or under another name: whatever it
//! says, it is converted with balanced books or refused with a place.

use crate::common::count;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use transfeed::convert::Conversion;
use transfeed::error::ErrorKind;
use transfeed::format::{self, Format};
use transfeed::options::{ForeignMode, Options};

/// JSON with its members in order, however often each occurs.
#[derive(Clone, Debug)]
enum Node {
    Object(Vec<(String, Node)>),
    List(Vec<Node>),
    /// As it is written.
    Value(String),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Node;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("JSON")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Node::Object(members))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(Node::List(items))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
                Ok(Node::Value(value.to_string()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
                Ok(Node::Value(value.to_string()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
                Ok(Node::Value(value.to_string()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
                Ok(Node::Value(value.to_string()))
            }
            fn visit_str<E>(self, value: &str) -> Result<Node, E> {
                Ok(Node::Value(serde_json::Value::from(value).to_string()))
            }
            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Value("null".to_owned()))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl Node {
    fn write(&self, out: &mut String, line_end: &str) {
        match self {
            Node::Value(text) => out.push_str(text),
            Node::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    out.push(if index == 0 { '[' } else { ',' });
                    item.write(out, line_end);
                }
                out.push_str(if items.is_empty() { "[]" } else { "]" });
            }
            Node::Object(members) => {
                for (index, (name, value)) in members.iter().enumerate() {
                    out.push(if index == 0 { '{' } else { ',' });
                    out.push_str(if index == 0 { "" } else { line_end });
                    let _ = write!(out, "{}:", serde_json::Value::from(&**name));
                    value.write(out, line_end);
                }
                out.push_str(if members.is_empty() { "{}" } else { "}" });
            }
        }
    }

    /// How many values it consists of.
    fn size(&self) -> usize {
        1 + match self {
            Node::Object(members) => members.iter().map(|(_, value)| value.size()).sum::<usize>(),
            Node::List(items) => items.iter().map(Node::size).sum(),
            Node::Value(_) => 0,
        }
    }

    /// The first member of this name.
    fn member(&mut self, wanted: &str) -> Option<&mut Node> {
        let Node::Object(members) = self else { return None };
        members.iter_mut().find(|(name, _)| name == wanted).map(|(_, value)| value)
    }

    /// The value with this number, from the outside to the inside.
    fn at(&mut self, mut number: usize) -> Option<&mut Node> {
        if number == 0 {
            return Some(self);
        }
        number -= 1;
        let inner: Vec<&mut Node> = match self {
            Node::Object(members) => members.iter_mut().map(|(_, value)| value).collect(),
            Node::List(items) => items.iter_mut().collect(),
            Node::Value(_) => return None,
        };
        for node in inner {
            let size = node.size();
            if number < size {
                return node.at(number);
            }
            number -= size;
        }
        None
    }

    fn names(&self, found: &mut Vec<String>) {
        match self {
            Node::Object(members) => members.iter().for_each(|(name, value)| {
                found.push(name.clone());
                value.names(found);
            }),
            Node::List(items) => items.iter().for_each(|item| item.names(found)),
            Node::Value(_) => (),
        }
    }
}

/// A generator of numbers that always gives the same (Marsaglia's xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    fn one<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }
}

/// Values of all types.
const VALUES: [&str; 34] = [
    "null",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "1.5",
    "1e999",
    "-1e-999",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "\"\"",
    "\" \"",
    "\"x\"",
    "\"https://e.com/x.mp4\"",
    "\"2026-02-30\"",
    "\"2026-01-01T00:00:00Z\"",
    "\"99999999999999999999\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"a\\u0001b\"",
    "\"rss\"",
    "\"sitemap\"",
    "\"sitemap-index\"",
    "\"json\"",
    "[]",
    "{}",
    "[null]",
    "[[]]",
    "[{}]",
    "{\"x\":1}",
];

/// Steps of paths of unknown markup.
const PATHS: [&str; 16] = [
    "",
    "/",
    "rss",
    "rss/channel",
    "item",
    "item/@a",
    "item/text()",
    "item/x:a",
    "item/x:a[0]",
    "item/x:a[2]/@x:b",
    "item/x:a[99999999999]/text()[3]",
    "item[1]/media:content[1]/media:title",
    "entry/x:a/xmlns",
    "url/video:video[2]/x:a/x:b",
    "feed/entry/x:a",
    "item/x:a/../x:b",
];

/// What a step of such a path may be written as.
const STEPS: [&str; 5] = ["", "//", "[2]/", "[0]/", "/@"];

/// What is mutated, with the names that occur in any of them.
struct Corpus {
    documents: Vec<(String, Node)>,
    names: Vec<String>,
    parts: Vec<Node>,
}

impl Corpus {
    fn new() -> Corpus {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut paths = Vec::new();
        for folder in ["samples", "tests/fixtures/specimen"] {
            let files = std::fs::read_dir(root.join(folder)).expect("a folder").flatten().map(|file| file.path());
            paths.extend(files.filter(|path| path.extension().is_some_and(|ending| ending != "md")));
        }
        paths.sort();
        let mut corpus = Corpus { documents: Vec::new(), names: Vec::new(), parts: Vec::new() };
        for path in paths {
            let Ok((json, _)) = Conversion::to(target("json")).bytes(&std::fs::read(&path).expect("a file")) else {
                continue;
            };
            let mut node: Node = serde_json::from_str(&json).expect("our own JSON");
            shorten(&mut node);
            node.names(&mut corpus.names);
            for number in 0..node.size() {
                corpus.parts.extend(node.at(number).filter(|part| part.size() < 40).cloned());
            }
            corpus.documents.push((path.display().to_string(), node));
        }
        corpus.names.sort();
        corpus.names.dedup();
        assert!(corpus.documents.len() > 10 && corpus.names.len() > 100);
        corpus
    }
}

/// Leaves two entries of a document: what is wrong in one is wrong in many.
fn shorten(document: &mut Node) {
    if let Node::Object(members) = document {
        for (name, value) in members {
            if let (true, Node::List(entries)) = (name == "entries", value) {
                entries.truncate(2);
                // a page that returns is joined
                entries.extend(entries.first().cloned());
            }
        }
    }
}

fn target(id: &str) -> &'static Format {
    format::targets().find(|format| format.id == id).expect("a target of this name")
}

/// One change to a value, or to what it has.
fn mutate(document: &mut Node, corpus: &Corpus, numbers: &mut Numbers) {
    let place = numbers.below(document.size());
    let other = document.at(numbers.below(document.size())).cloned();
    let Some(node) = document.at(place) else { return };
    let (name, part) = (numbers.one(&corpus.names).clone(), numbers.one(&corpus.parts).clone());
    match node {
        Node::Object(members) => {
            let at = numbers.below(members.len());
            match numbers.below(9) {
                0 if !members.is_empty() => drop(members.remove(at)),
                1 if !members.is_empty() => members.push(members[at].clone()),
                2 if !members.is_empty() => members[at].0 = name,
                3 => members.insert(at, (name, part)),
                4 => members.insert(at, (name, Node::Value(numbers.one(&VALUES).to_string()))),
                5 => members.extend(other.map(|other| (name, other))),
                6 => members.reverse(),
                7 => {
                    let own: Vec<String> = members.iter().map(|(name, _)| name.clone()).collect();
                    let names = if own.is_empty() || numbers.below(3) == 0 { &corpus.names } else { &own };
                    members.insert(at, ("inherited".to_owned(), inherited(names, numbers)));
                }
                _ => *node = part,
            }
        }
        Node::List(items) => {
            let at = numbers.below(items.len());
            match numbers.below(7) {
                0 if !items.is_empty() => drop(items.remove(at)),
                1 if !items.is_empty() => items.push(items[at].clone()),
                2 => items.reverse(),
                3 => items.insert(at, part),
                4 => items.extend(other),
                5 => items.insert(at, Node::Value(numbers.one(&VALUES).to_string())),
                _ => *node = part,
            }
        }
        Node::Value(text) => match numbers.below(6) {
            0 => *node = part,
            1 => {
                if let Some(other) = other {
                    *node = other;
                }
            }
            2 => *text = serde_json::Value::from(*numbers.one(&PATHS)).to_string(),
            3 if text.contains('/') => *text = text.replacen('/', STEPS[numbers.below(STEPS.len())], 1),
            _ => *text = numbers.one(&VALUES).to_string(),
        },
    }
}

/// Says that a document was read from another format, or gives it an entry of a document of another one.
fn confuse(document: &mut Node, corpus: &Corpus, numbers: &mut Numbers) {
    let wanted = *numbers.one(&["format", "entries"]);
    let (_, other) = numbers.one(&corpus.documents);
    match (document.member(wanted), other.clone().member(wanted)) {
        (Some(Node::List(entries)), Some(Node::List(others))) => entries.extend(others.first().cloned()),
        (Some(format), Some(other)) => *format = other.clone(),
        _ => (),
    }
}

/// The document as one, or as lines.
fn written(mut document: Node, numbers: &mut Numbers) -> String {
    let mut text = String::new();
    let entries = match document.member("entries") {
        Some(Node::List(entries)) if numbers.below(3) == 0 => std::mem::take(entries),
        _ => Vec::new(),
    };
    let is_lines = !entries.is_empty();
    if let (true, Node::Object(members)) = (is_lines, &mut document) {
        members.retain(|(name, _)| name != "entries");
    }
    for node in std::iter::once(&document).chain(&entries) {
        node.write(&mut text, if is_lines { "" } else { "\n" });
        text.push('\n');
    }
    text
}

/// Names of members that may be inherited, or not be there at all.
fn inherited(names: &[String], numbers: &mut Numbers) -> Node {
    let mut name = || Node::Value(serde_json::Value::from(&**numbers.one(names)).to_string());
    Node::List(vec![name(), name()])
}

/// Options that ask for more of a model than the default ones, or for other parts of it.
fn options(numbers: &mut Numbers) -> Options {
    let mut is = || numbers.below(3) == 0;
    Options {
        base: is().then(|| "https://e.com/a/".to_owned()),
        foreign: if is() { ForeignMode::Drop } else { ForeignMode::default() },
        assume_video: is(),
        pretty: is(),
        no_deprecated: is(),
        keep_inactive: is(),
        thumbnails_as_images: is(),
        thumbnail_from_html: is(),
        videos_from_html: is(),
        lastmod_from_published: is(),
        pubdate_from_lastmod: is(),
        no_group: is(),
        // entries of one page are joined piece by piece
        memory: if is() { 1 << 20 } else { 256 << 20 },
        ..Options::default()
    }
}

/// What is wrong with the conversion of a document, in a few words.
fn fault(text: &str, to: &'static Format, options: Options) -> Option<String> {
    let converted = catch_unwind(AssertUnwindSafe(|| Conversion::to(to).with(options).bytes(text.as_bytes())));
    match converted {
        Err(_) => Some("a panic".to_owned()),
        Ok(Ok((_, ledger))) => {
            let totals = ledger.totals();
            let sum = totals.kept + totals.changed + totals.lost + totals.unread + totals.merged;
            (sum != totals.leaves).then(|| format!("{sum} of {} leaves", totals.leaves))
        }
        Ok(Err(error)) if error.is_bug() => Some(error.to_string()),
        // what format it is depends on all of it
        Ok(Err(error)) if matches!(error.kind(), ErrorKind::Format { .. }) => None,
        Ok(Err(error)) => error.position().is_none_or(|(_, column)| column == 0).then(|| format!("no place: {error}")),
    }
}

#[test]
fn whatever_json_says_is_converted_or_refused() {
    let corpus = Corpus::new();
    let targets: Vec<&'static Format> = format::targets().collect();
    let mut numbers = Numbers(
        std::env::var("TRANSFEED_SEED")
            .map_or(0x9E37_79B9_7F4A_7C15, |seed| seed.parse().expect("TRANSFEED_SEED is a number")),
    );
    let mut faults: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for round in 0..count(600, 12_000) {
        let (_, document) = numbers.one(&corpus.documents);
        let mut document = document.clone();
        for _ in 0..=numbers.below(3) {
            mutate(&mut document, &corpus, &mut numbers);
        }
        if numbers.below(2) == 0 {
            confuse(&mut document, &corpus, &mut numbers);
        }
        let mut text = written(document, &mut numbers);
        if numbers.below(12) == 0 {
            let end = text.floor_char_boundary(numbers.below(text.len()));
            text.truncate(end);
        }
        for _ in 0..2 {
            let to = *numbers.one(&targets);
            let options = if numbers.below(2) == 0 { Options::default() } else { options(&mut numbers) };
            if let Some(fault) = fault(&text, to, options) {
                let kind: String = fault.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
                let known =
                    faults.entry(kind).or_insert_with(|| (0, format!("round {round} to {}: {fault}\n{text}", to.id)));
                known.0 += 1;
            }
        }
    }
    if let Ok(folder) = std::env::var("TRANSFEED_FAULTS") {
        for (number, (kind, (count, example))) in faults.iter().enumerate() {
            println!("{count} × {kind}");
            std::fs::write(Path::new(&folder).join(format!("{number}.json")), example).expect("written");
        }
    }
    let first = faults.values().next().map(|(_, example)| example);
    assert!(
        faults.is_empty(),
        "{:#?}\n{first:?}",
        faults.iter().map(|(kind, (count, _))| (count, kind)).collect::<Vec<_>>()
    );
}
