//! Models that no reader would make: any member of the model, with any value, in any company (docs/schema/json.json says
//! which there are). Each is written in every format: nothing of it is our bug, what is markup is well-formed, and the
//! books balance.

use crate::common;
use crate::generate;

use std::path::Path;

use common::{count, try_convert};
use generate::Random;
use serde_json::{Map, Value, json};

/// How many models there are.
const FEW: usize = 100;

/// The same, where there is time.
const MANY: usize = 3_000;

const TARGETS: &[&str] = &[
    "rss",
    "mrss",
    "rss-podcast",
    "atom",
    "atom-media",
    "sitemap",
    "video-sitemap",
    "text",
    "csv",
    "jsonfeed",
    "jsonld",
    "yandex-video",
    "json",
    "jsonl",
];

const FORMATS: &[&str] = &[
    "rss",
    "mrss",
    "rss-podcast",
    "atom",
    "atom-media",
    "sitemap",
    "video-sitemap",
    "text",
    "csv",
    "jsonfeed",
    "jsonld",
    "yandex-video",
    "json",
    "rss1",
    "atom03",
];

const OPTIONS: &[&[&str]] = &[
    &[],
    &[],
    &["--foreign", "keep"],
    &["--foreign", "drop"],
    &["--for", "google"],
    &["--for", "yandex"],
    &["--one-item-per-video"],
    &["--one-item-per-page"],
    &["--no-group"],
    &["--no-synth"],
    &["--pretty"],
    &["--ext", "news"],
];

const ADDRESSES: &[&str] = &[
    "https://e.example/1",
    "https://e.example/2",
    "https://e.example/1.mp4",
    "https://e.example/2.mp4",
    "https://e.example/1.jpg",
    "https://e.example/2.mp3",
    "https://e.example/2.pdf",
    "/relative",
    "",
];

const WORDS: &[&str] = &[
    "a",
    "b c",
    "<b>x</b>",
    "<b>broken",
    "",
    "allow",
    "deny",
    "self",
    "alternate",
    "license",
    "replies",
    "video/mp4",
    "image/jpeg",
    "audio/mpeg",
    "text/html",
    "application/xml",
    "video",
    "image",
    "de",
    "US",
    "1",
    "12:00",
    "urn:mpaa",
    "author",
    "rent",
];

/// Names of elements and attributes: of modules, of unknown vocabularies, reserved, and none.
const NAMES: &[&str] = &[
    "itunes:duration",
    "itunes:block",
    "dc:date",
    "thr:count",
    "podcast:liveItem",
    "dcterms:valid",
    "rdf:x",
    "media:title",
    "atom:info",
    "fh:complete",
    "xml:lang",
    "a",
    "href",
    "x:a",
    "xmlns:a",
    "xmlns",
    "not a name",
];

const NAMESPACES: &[&str] =
    &["https://x.example/", "http://www.w3.org/2000/xmlns/", "http://www.w3.org/XML/1998/namespace", ""];

const PATHS: &[&str] = &[
    "rss/@x:a",
    "rss/channel/x:a",
    "rss/channel/xmlns:a",
    "rss/channel/@xmlns:a",
    "rss/channel/item/x:a",
    "rss/channel/item/@x:a",
    "rss/channel/item/link/x:a",
    "feed/x:a",
    "feed/@x:a",
    "feed/entry/@xmlns:a",
    "urlset/@x:a",
    "x",
];

struct Models<'s> {
    schema: &'s Value,
    random: Random,
    /// Of 100 members, how many there are.
    dense: usize,
}

impl Models<'_> {
    fn value(&mut self, schema: &Value, name: &str, depth: usize) -> Value {
        if let Some(target) = schema["$ref"].as_str() {
            let definition = target.rsplit('/').next().unwrap_or("");
            let schema = self.schema;
            return match definition {
                "Date" => json!(self.random.pick(&["2024-05-01", "2024-05-01T10:00:00+03:00", "2024"])),
                "Decimal" => json!(self.random.pick(&["0.5", "10", "1.50"])),
                "Seconds" => json!(self.random.below(3)),
                "Kind" => json!(self.random.pick(&["plain", "html", "xhtml"])),
                _ => self.value(&schema["$defs"][definition], name, depth),
            };
        }
        if let Some(any) = schema["anyOf"].as_array() {
            let any: Vec<&Value> = any.iter().filter(|one| one["type"] != "null").collect();
            let one = any[self.random.below(any.len())];
            return self.value(one, name, depth);
        }
        let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or("");
        match kind {
            "object" => self.object(schema, depth + 1),
            "array" => {
                let length = 1 + self.random.below(2);
                (0..length).map(|_| self.value(&schema["items"], name, depth)).collect()
            }
            "boolean" => json!(self.random.chance(50)),
            "integer" | "number" => json!([0, 1, 5, 99_999][self.random.below(4)]),
            _ => json!(self.text(name)),
        }
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let required = |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
        let mut object = Map::new();
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            // how carriers and links stand is told of documents that were read
            let is_deep = depth > 6 || matches!(name.as_str(), "carriers" | "link_order");
            if required(name) || !is_deep && self.random.chance(self.dense) {
                object.insert(name.clone(), self.value(member, name, depth));
            }
        }
        Value::Object(object)
    }

    fn text(&mut self, name: &str) -> &'static str {
        match name {
            "url" | "loc" | "href" | "uri" | "home" | "link" | "self" | "base" => self.random.pick(ADDRESSES),
            "name" => self.random.pick(NAMES),
            "path" => self.random.pick(PATHS),
            "ns" => self.random.pick(NAMESPACES),
            "inherited" => self.random.pick(&["title", "tags", "categories[1]", "rating", "thumbnails"]),
            _ if self.random.chance(10) => self.random.pick(ADDRESSES),
            _ => self.random.pick(WORDS),
        }
    }

    fn model(&mut self) -> Value {
        let definitions = &self.schema["$defs"];
        self.dense = [4, 10, 25][self.random.below(3)];
        let entries: Vec<Value> =
            (0..1 + self.random.below(2)).map(|_| self.object(&definitions["EntryMembers"], 0)).collect();
        let feed = self.object(&definitions["FeedMembers"], 0);
        json!({"transfeed": "0.1", "format": self.random.pick(FORMATS), "feed": feed, "entries": entries})
    }
}

#[test]
fn no_model_is_a_bug_of_ours() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/json.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(file).expect("a schema")).expect("JSON");
    let mut models = Models { schema: &schema, random: Random::new(1), dense: 0 };
    let mut faults = String::new();
    for number in 0..count(FEW, MANY) {
        let model = models.model().to_string();
        let options = OPTIONS[models.random.below(OPTIONS.len())];
        for target in TARGETS {
            let options = [&["--from", "json"][..], options].concat();
            let said = match try_convert(model.as_bytes(), target, &options) {
                Err((70, message)) => message,
                Ok(converted) if !matches!(*target, "text" | "csv" | "jsonfeed" | "jsonld" | "json" | "jsonl") => {
                    match roxmltree::Document::parse(&converted.output) {
                        Err(error) => format!("not well-formed: {error}"),
                        Ok(_) => continue,
                    }
                }
                Err(_) | Ok(_) => continue,
            };
            faults += &format!("{number} to {target} {options:?}: {said}\n{model}\n");
        }
        assert!(faults.len() < 20_000, "{faults}");
    }
    assert!(faults.is_empty(), "{faults}");
}
