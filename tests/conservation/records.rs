//! Conservation for documents that are no markup: tables and JSON Feed. Random documents carry a token of their own in every
//! value that can hold one; a token is in the output, or in the report under its path and line. What is written is written
//! the same when it is read again.

use super::common::{Report, count, try_convert};
use super::generate::Random;
use super::{TARGETS, tokens_in};

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use transfeed::convert::enrich::{EnrichKey, Enrichment};
use transfeed::convert::{Bytes, Conversion};
use transfeed::format::by_id;
use transfeed::options::Options;

/// A document, and what is known of it.
struct Made {
    format: &'static str,
    text: String,
    leaves: u64,
    /// Token to the path and the line of its leaf.
    tokens: BTreeMap<String, (String, u32)>,
}

/// What is in a column.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Text,
    Url,
    Date,
    Count,
    Flag,
    Seconds,
}

/// Headings, what is in their cells, and whether these are lists.
const COLUMNS: &[(&str, Kind, bool)] = &[
    ("loc", Kind::Url, false),
    ("id", Kind::Text, false),
    ("title", Kind::Text, false),
    ("title.html", Kind::Text, false),
    ("summary", Kind::Text, false),
    ("summary.html", Kind::Text, false),
    ("content.html", Kind::Text, false),
    ("published", Kind::Date, false),
    ("updated", Kind::Date, false),
    ("author.name", Kind::Text, true),
    ("author.email", Kind::Text, true),
    ("category.term", Kind::Text, true),
    ("category.scheme", Kind::Url, true),
    ("link.href", Kind::Url, true),
    ("link.rel", Kind::Text, true),
    ("enclosure.url", Kind::Url, true),
    ("enclosure.length", Kind::Count, true),
    ("image.loc", Kind::Url, true),
    ("image.caption", Kind::Text, true),
    ("news.name", Kind::Text, false),
    ("alternate.href", Kind::Url, true),
    ("alternate.hreflang", Kind::Text, true),
    ("priority", Kind::Count, false),
    ("language", Kind::Text, false),
    ("in_reply_to.ref", Kind::Text, true),
    ("source.title", Kind::Text, false),
    ("location.point", Kind::Text, true),
    ("mobile", Kind::Flag, false),
    ("video.id", Kind::Text, false),
    ("video.title", Kind::Text, false),
    ("video.description", Kind::Text, false),
    ("video.description.html", Kind::Text, false),
    ("video.thumbnail.url", Kind::Url, true),
    ("video.thumbnail.width", Kind::Count, true),
    ("video.player.url", Kind::Url, false),
    ("video.file.url", Kind::Url, true),
    ("video.file.type", Kind::Text, true),
    ("video.file.title", Kind::Text, true),
    ("video.file.bitrate", Kind::Count, true),
    ("video.file.duration", Kind::Seconds, true),
    ("video.duration", Kind::Seconds, false),
    ("video.published", Kind::Date, false),
    ("video.available.end", Kind::Date, false),
    ("video.rating.average", Kind::Count, false),
    ("video.ratings.value", Kind::Text, true),
    ("video.views", Kind::Count, false),
    ("video.family_friendly", Kind::Flag, false),
    ("video.restriction.relationship", Kind::Text, false),
    ("video.restriction.countries", Kind::Text, true),
    ("video.price.amount", Kind::Count, true),
    ("video.price.currency", Kind::Text, true),
    ("video.uploader.name", Kind::Text, false),
    ("video.credit.name", Kind::Text, true),
    ("video.live", Kind::Flag, false),
    ("video.tags", Kind::Text, true),
    ("video.category.term", Kind::Text, true),
    ("video.copyright.text", Kind::Text, false),
    ("video.hash.value", Kind::Text, true),
    ("video.text.value", Kind::Text, true),
    ("video.embed.url", Kind::Url, false),
    ("video.scene.title", Kind::Text, true),
    ("video.location.description", Kind::Text, true),
    ("video.comments", Kind::Text, true),
    ("video.tv.season", Kind::Count, false),
    ("video.ids.value", Kind::Text, true),
    ("video.segment.url", Kind::Url, true),
    ("videos.title", Kind::Text, true),
    ("videos.file.url", Kind::Url, true),
    ("SKU", Kind::Text, false),
    ("Price list", Kind::Text, false),
];

/// What is written in place of a value that is readable.
const ODD: &[&str] = &["=1+1", "a;b", "x, y", "\"q\"", "  ", "é|", "\\", "two\nlines", "<b>", "&amp;"];

struct Maker {
    random: Random,
    next: usize,
    leaves: u64,
    tokens: BTreeMap<String, (String, u32)>,
}

impl Maker {
    fn new(seed: u64) -> Maker {
        Maker { random: Random::new(seed), next: 0, leaves: 0, tokens: BTreeMap::new() }
    }

    fn token(&mut self) -> String {
        self.next += 1;
        format!("tk{:06}", self.next)
    }

    /// A value of this kind; one in twelve is unreadable.
    fn value(&mut self, kind: Kind) -> String {
        let token = self.token();
        let number = self.next;
        match kind {
            Kind::Text => match self.random.below(4) {
                0 => format!("{token} {}", self.random.pick(ODD).trim()),
                1 => format!("{} {token}", self.random.pick(ODD).trim()),
                _ => token,
            },
            Kind::Url => format!("https://example.com/{token}.mp4"),
            _ if self.random.chance(8) => token,
            Kind::Date => format!("2026-03-{:02}T10:00:00Z", 1 + number % 28),
            Kind::Count => (1 + number % 500).to_string(),
            Kind::Flag => self.random.pick(&["true", "no", "1"]).to_owned(),
            Kind::Seconds => self.random.pick(&["77", "1:17", "PT5M", "12.5"]).to_owned(),
        }
    }

    /// Notes where the tokens of a value are.
    fn note(&mut self, value: &str, path: &str, line: u32) {
        self.leaves += 1;
        for token in tokens_in(value) {
            self.tokens.insert(token.to_owned(), (path.to_owned(), line));
        }
    }

    fn done(self, format: &'static str, text: String) -> Made {
        Made { format, text, leaves: self.leaves, tokens: self.tokens }
    }

    fn table(mut self) -> Made {
        let delimiter = self.random.pick(&[",", ";", "\t"]);
        let mut columns: Vec<_> = COLUMNS.iter().filter(|_| self.random.chance(30)).collect();
        columns.insert(0, &COLUMNS[self.random.below(4)]);
        let names: Vec<&str> = columns.iter().map(|column| column.0).collect();
        let end = self.random.pick(&["\n", "\r\n", "\r"]);
        let mut text = if self.random.chance(20) { "\u{feff}".to_owned() } else { String::new() };
        text.push_str(&names.join(delimiter));
        text.push_str(end);
        let mut line = 2;
        for _ in 0..1 + self.random.below(5) {
            let width = if self.random.chance(10) { 1 + self.random.below(columns.len()) } else { columns.len() };
            let mut cells = Vec::new();
            for (name, kind, is_list) in columns.iter().take(width) {
                let cell = self.cell(name, *kind, *is_list, line);
                let ends = cell.replace("\r\n", "\n").matches(['\r', '\n']).count() as u32;
                cells.push(quoted(&cell, delimiter, self.random.chance(20)));
                line += ends;
            }
            text.push_str(&cells.join(delimiter));
            text.push_str(end);
            line += 1;
        }
        self.done("csv", text)
    }

    /// A cell that begins in this line.
    fn cell(&mut self, name: &str, kind: Kind, is_list: bool, line: u32) -> String {
        if self.random.chance(25) {
            return String::new();
        }
        if !is_list {
            let value = self.value(kind);
            self.note(&value, name, line);
            return value;
        }
        let mut cell = String::new();
        let mut at = line;
        for number in 0..1 + self.random.below(3) {
            if number > 0 {
                cell.push('|');
            }
            if self.random.chance(20) {
                continue;
            }
            let value = self.value(kind);
            self.note(&value, name, at);
            at += value.matches('\n').count() as u32;
            cell.push_str(&value.replace('\\', "\\\\").replace('|', "\\|"));
        }
        cell
    }

    fn feed(mut self) -> Made {
        let mut feed = Map::new();
        feed.insert("version".to_owned(), json!("https://jsonfeed.org/version/1.1"));
        for name in ["title", "description", "user_comment"] {
            self.member(&mut feed, name, Kind::Text);
        }
        for name in ["home_page_url", "feed_url", "next_url", "icon", "favicon"] {
            self.member(&mut feed, name, Kind::Url);
        }
        self.authors(&mut feed);
        if self.random.chance(50) {
            let hub = json!({"type": self.token(), "url": format!("https://hub.example/{}", self.token())});
            feed.insert("hubs".to_owned(), json!([hub]));
        }
        if self.random.chance(50) {
            feed.insert("expired".to_owned(), json!(self.random.chance(50)));
        }
        self.extension(&mut feed);
        let mut items = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            items.push(Value::Object(self.item()));
        }
        feed.insert("items".to_owned(), Value::Array(items));
        let feed = Value::Object(feed);
        let mut leaves = Vec::new();
        leaves_of(&feed, "", &mut leaves);
        let text = serde_json::to_string_pretty(&feed).expect("JSON");
        for (path, value) in leaves {
            let line = tokens_in(&value)
                .next()
                .and_then(|token| text.find(token))
                .map_or(0, |at| 1 + text[..at].matches('\n').count() as u32);
            self.note(&value, &path, line);
        }
        self.done("jsonfeed", text)
    }

    fn member(&mut self, object: &mut Map<String, Value>, name: &str, kind: Kind) {
        if self.random.chance(50) {
            let value = self.value(kind);
            object.insert(name.to_owned(), json!(value));
        }
    }

    fn authors(&mut self, object: &mut Map<String, Value>) {
        if !self.random.chance(50) {
            return;
        }
        // an empty object that is understood is no leaf
        let mut author = Map::from_iter([("name".to_owned(), json!(self.token()))]);
        self.member(&mut author, "url", Kind::Url);
        self.member(&mut author, "avatar", Kind::Url);
        match self.random.below(5) {
            0 => object.insert("author".to_owned(), Value::Object(author)),
            // as version 1.1 advises
            1 => {
                object.insert("author".to_owned(), Value::Object(author.clone()));
                object.insert("authors".to_owned(), json!([author]))
            }
            2 => object.insert("authors".to_owned(), json!([author.clone(), {"name": self.token()}, author])),
            3 => object.insert("authors".to_owned(), json!([author])),
            _ => object
                .insert("authors".to_owned(), json!([{"url": format!("mailto:{}@a.example", self.token())}, author])),
        };
    }

    fn extension(&mut self, object: &mut Map<String, Value>) {
        if self.random.chance(40) {
            let (one, two) = (self.token(), self.token());
            object.insert(
                "_more".to_owned(),
                json!({"about": one, "n": 5, "list": [two, null, true, {"x": []}], "e": {}}),
            );
        }
    }

    fn item(&mut self) -> Map<String, Value> {
        let mut item = Map::new();
        if self.random.chance(20) {
            item.insert("id".to_owned(), json!(self.next));
        } else {
            self.member(&mut item, "id", Kind::Text);
        }
        for name in ["url", "external_url", "image", "banner_image"] {
            self.member(&mut item, name, Kind::Url);
        }
        for name in ["title", "content_html", "content_text", "summary", "language"] {
            self.member(&mut item, name, Kind::Text);
        }
        self.member(&mut item, "date_published", Kind::Date);
        self.member(&mut item, "date_modified", Kind::Date);
        self.authors(&mut item);
        self.extension(&mut item);
        if self.random.chance(50) {
            let tags = [self.token(), self.token()];
            item.insert("tags".to_owned(), json!(tags));
        }
        let title = self.token();
        let mut attachments = Vec::new();
        for _ in 0..self.random.below(4) {
            let mut attachment = Map::new();
            self.member(&mut attachment, "url", Kind::Url);
            let kind = self.random.pick(&["video/mp4", "audio/mpeg", "video/webm", "odd"]);
            attachment.insert("mime_type".to_owned(), json!(kind));
            if self.random.chance(50) {
                attachment.insert("title".to_owned(), json!(title));
            }
            if self.random.chance(50) {
                attachment.insert("size_in_bytes".to_owned(), json!(self.next));
            }
            if self.random.chance(50) {
                attachment.insert("duration_in_seconds".to_owned(), json!(self.random.below(3) as f64 + 0.5));
            }
            self.extension(&mut attachment);
            attachments.push(Value::Object(attachment));
        }
        if !attachments.is_empty() {
            item.insert("attachments".to_owned(), Value::Array(attachments));
        }
        item
    }
}

/// A cell as it stands in a row.
fn quoted(cell: &str, delimiter: &str, always: bool) -> String {
    let needs = cell.contains(delimiter) || cell.contains(['"', '\r', '\n']);
    if needs || always && !cell.is_empty() { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

/// The scalars of a value, and what is empty in it, with their paths.
fn leaves_of(value: &Value, path: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) if members.is_empty() => found.push((path.to_owned(), String::new())),
        Value::Array(values) if values.is_empty() => found.push((path.to_owned(), String::new())),
        Value::Object(members) => {
            for (name, value) in members {
                let path = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
                leaves_of(value, &path, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| leaves_of(value, path, found)),
        Value::String(text) => found.push((path.to_owned(), text.clone())),
        other => found.push((path.to_owned(), other.to_string())),
    }
}

fn made(seed: u64) -> Made {
    if seed.is_multiple_of(2) { Maker::new(seed).table() } else { Maker::new(seed).feed() }
}

const OPTIONS: &[&[&str]] = &[
    &[],
    &[],
    &["--foreign=drop"],
    &["--for=none"],
    &["--no-synth"],
    &["--pretty"],
    &["--columns=all"],
    &["--columns=all", "--rows=page"],
    &["--columns=loc,title,video.title", "--csv-safe"],
    &["--no-group"],
    &["--base=https://made.example/in/"],
    &["--self=https://example.com/made"],
    &["--one-item-per-video"],
];

fn faults(document: &Made, report: &Report, output: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if report.totals.leaves != document.leaves {
        faults.push(format!("{} leaves, {} counted", document.leaves, report.totals.leaves));
    }
    for (token, (path, line)) in &document.tokens {
        // in JSON and in texts that are stripped, what surrounds a token changes, the token does not
        if output.contains(token.as_str()) {
            continue;
        }
        let told: Vec<_> = report
            .rows
            .iter()
            .filter(|row| row.from.as_deref().is_some_and(|from| from.contains(token.as_str())))
            .collect();
        if told.is_empty() {
            faults.push(format!("silently lost: {token} of {path}"));
        } else if document.text.matches(token.as_str()).count() > 1 {
            // the same value in two places is told at either
        } else if !told.iter().any(|row| row.path == *path && row.line == *line) {
            let places: Vec<_> = told.iter().map(|row| (&row.path, row.line)).collect();
            faults.push(format!("{token} of {path} in line {line} is reported at {places:?}"));
        }
    }
    faults
}

#[test]
fn records_are_in_the_output_or_in_the_report() {
    let mut failures = Vec::new();
    for number in 0..count(200, 2000) as u64 {
        let mut random = Random::new(number.rotate_left(17));
        let document = made(number);
        let target = random.pick(TARGETS);
        let options = OPTIONS[random.below(OPTIONS.len())];
        let what = format!("{number}: {} to {target} {options:?}", document.format);
        match try_convert(document.text.as_bytes(), target, options) {
            Ok(converted) => {
                let found = faults(&document, &converted.report, &converted.output);
                failures.extend(found.into_iter().map(|fault| format!("{what}: {fault}")));
                // what is attached may be read as videos, and each as an item of its own
                let is_once = |option: &&str| option.starts_with("--columns=loc") || *option == "--one-item-per-video";
                let again: &[&str] = if options.iter().any(is_once) { &[] } else { options };
                if matches!(target, "csv" | "jsonfeed") && !options.contains(&"--foreign=drop") {
                    match try_convert(converted.output.as_bytes(), target, again) {
                        Ok(second) if second.output == converted.output => (),
                        Ok(second) => {
                            failures.push(format!("{what}: not a fixed point\n{}\n{}", converted.output, second.output))
                        }
                        // no rows, or nothing but a word
                        Err((2, _)) => (),
                        Err((code, says)) => failures.push(format!("{what}: again: exit code {code}: {says}")),
                    }
                }
            }
            Err((code, says)) => failures.push(format!("{what}: exit code {code}: {says}\n{}", document.text)),
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures[..failures.len().min(20)].join("\n"));
}

#[test]
fn documents_that_become_records_are_accounted_for() {
    for number in 0..count(60, 600) as u64 {
        let mut random = Random::new(number.rotate_left(29));
        let document = super::wide(random.next());
        for target in ["csv", "jsonfeed"] {
            let options = OPTIONS[random.below(OPTIONS.len())];
            let converted = try_convert(document.text.as_bytes(), target, options);
            let (code, says) = match converted {
                Ok(_) => continue,
                Err(error) => error,
            };
            panic!("{} to {target} {options:?}: exit code {code}: {says}\n{}", document.format, document.text);
        }
    }
}

#[test]
fn damaged_records_end_in_a_report_or_an_error() {
    for number in 0..count(200, 4000) as u64 {
        let document = made(number);
        let mut random = Random::new(number.rotate_left(5));
        let mut bytes = document.text.clone().into_bytes();
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => drop(bytes.splice(at..at, random.pick(&["\"", "\0", "\n", ",", ";", "{", "]", "\\"]).bytes())),
            1 => drop(bytes.remove(at)),
            2 => bytes.truncate(at),
            _ => bytes[at] = 0xff,
        }
        let target = random.pick(TARGETS);
        if let Err((code, says)) = try_convert(&bytes, target, &[]) {
            assert_eq!(code, 2, "{number}: {} to {target}: {says}\n{}", document.format, document.text);
        }
    }
}

/// Entries of any document that get values from a table: the books balance, whatever is filled in or replaced.
#[test]
fn values_of_another_file_are_accounted_for() {
    let mut made_values = 0;
    for number in 0..count(120, 1200) as u64 {
        let mut random = Random::new(number.rotate_left(23));
        let document = if random.chance(70) { super::wide(random.next()).text } else { made(number).text };
        let (heading, key) =
            [("loc", EnrichKey::Loc), ("id", EnrichKey::Id), ("video.file.url", EnrichKey::FileUrl)][random.below(3)];
        let Ok(keys) = try_convert(document.as_bytes(), "csv", &["--columns", heading]) else {
            continue;
        };
        let columns: Vec<_> =
            COLUMNS.iter().filter(|column| column.0 != heading && !column.0.starts_with("videos.")).collect();
        let mut table = vec![[vec![heading], columns.iter().map(|column| column.0).collect()].concat().join(",")];
        let mut maker = Maker::new(number);
        for key in keys.output.lines().skip(1).filter(|key| !key.contains('"')) {
            let cells =
                columns.iter().map(|(name, kind, is_list)| quoted(&maker.cell(name, *kind, *is_list, 1), ",", false));
            let cells: Vec<String> = std::iter::once(key.to_owned()).chain(cells).collect();
            table.push(cells.join(","));
        }
        let table = table.join("\n");
        let side = Bytes { name: "side.csv", bytes: table.as_bytes() };
        let over = random.chance(50);
        let options = Options { threads: 1, ..Options::default() };
        let enrichment = match Enrichment::read(&side, key, over, &options) {
            Ok(found) => std::sync::Arc::new(found),
            Err(error) => panic!("{number}: {error}\n{table}"),
        };
        let target = random.pick(TARGETS);
        let options = Options { enrich: Some(enrichment), ..options };
        let conversion = Conversion::to(by_id(target).expect("a format")).with(options);
        let (mut output, mut report) = (Vec::new(), Vec::new());
        let input = Bytes { name: "-", bytes: document.as_bytes() };
        match conversion.run(&[&input], &mut output, Some(&mut report)) {
            Ok(summary) => made_values += summary.ledger.totals().made,
            Err(error) => assert!(!error.is_bug(), "{number} to {target}, over {over}: {error}\n{table}\n{document}"),
        }
    }
    assert!(made_values > 1000, "only {made_values} values were filled in");
}
