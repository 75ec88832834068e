//! Lists within one entry or head: work grows with their length, not with its square. All lists of the model are grown, as its own
//! JSON (docs/schema/json.json says which there are), and the lists of formats that are no markup. The elements of markup are
//! repeated in growth.rs, which also says how work is counted.

use crate::common::count;
use crate::growth::Job;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};
use transfeed::convert::Conversion;
use transfeed::format;
use transfeed::options::Options;

/// A document with so many members in a list.
type Make = Box<dyn Fn(usize) -> String + Send + Sync>;

/// What is grown, and how.
struct Grown {
    name: String,
    make: Make,
}

impl Grown {
    fn new(name: impl Into<String>, make: impl Fn(usize) -> String + Send + Sync + 'static) -> Grown {
        Grown { name: name.into(), make: Box::new(make) }
    }
}

/// Members of the model that say how others were read.
const ABOUT: [&str; 3] = ["carriers", "link_order", "inherited"];

/// The lists of the model, each with the way to it; a list of each type of object once.
struct Lists<'s> {
    schema: &'s Value,
    known: BTreeSet<(String, String)>,
    found: Vec<(Vec<String>, Value)>,
}

impl<'s> Lists<'s> {
    fn below(&mut self, definition: &str, way: &[String]) {
        let members = self.schema["$defs"][definition]["properties"].as_object();
        for (name, member) in members.into_iter().flatten().filter(|(name, _)| !ABOUT.contains(&name.as_str())) {
            if !self.known.insert((definition.to_owned(), name.clone())) {
                continue;
            }
            let way = [way, std::slice::from_ref(name)].concat();
            let member = without_null(member);
            let inner = if member["type"] == "array" { &member["items"] } else { member };
            if member["type"] == "array" {
                self.found.push((way.clone(), inner.clone()));
            }
            if let Some(inner) = inner["$ref"].as_str().and_then(|target| target.rsplit('/').next()) {
                self.below(inner, &way);
            }
        }
    }
}

fn without_null(schema: &Value) -> &Value {
    let some = schema["anyOf"].as_array().and_then(|any| any.iter().find(|one| one["type"] != "null"));
    some.unwrap_or(schema)
}

/// A value of this type with this number.
fn value(root: &Value, schema: &Value, name: &str, number: usize, depth: usize) -> Value {
    let schema = without_null(schema);
    if let Some(definition) = schema["$ref"].as_str().and_then(|target| target.rsplit('/').next()) {
        return match definition {
            "Date" => json!("2026-05-01T10:00:00Z"),
            "Decimal" => json!("0.5"),
            "Seconds" => json!(number + 1),
            "TextKind" => json!("plain"),
            _ => value(root, &root["$defs"][definition], name, number, depth),
        };
    }
    match schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or("") {
        "object" => {
            let members = schema["properties"].as_object().into_iter().flatten();
            let wanted = members.filter(|(name, member)| {
                let is_inner = without_null(member)["type"] == "array" || *name == "media" || *name == "file";
                !(ABOUT.contains(&name.as_str()) || depth > 0 && is_inner)
            });
            let made = wanted.map(|(name, member)| (name.clone(), value(root, member, name, number, depth + 1)));
            Value::Object(made.collect::<Map<_, _>>())
        }
        "array" => json!([value(root, &schema["items"], name, number, depth + 1)]),
        "boolean" => json!(true),
        "integer" | "number" => json!(number + 1),
        _ => json!(word(name, number)),
    }
}

/// A text for a member with this name.
fn word(name: &str, number: usize) -> String {
    match name {
        "url" | "loc" | "href" | "uri" | "src" | "self" | "home" => format!("https://e.example/{number}.mp4"),
        "rel" => "related".to_owned(),
        "type" => "video/mp4".to_owned(),
        "medium" => "video".to_owned(),
        "path" => format!("rss/channel/item/x:a[{}]", number + 1),
        "ns" => "https://x.example/".to_owned(),
        "countries" => "DE".to_owned(),
        "hreflang" | "lang" | "language" => format!("x-{number}"),
        _ => format!("w{number}"),
    }
}

/// A document of the model around a list.
fn model(root: &Value, (way, items): &(Vec<String>, Value), in_feed: bool, format: &str, numbers: &[usize]) -> String {
    let last = way.last().map_or("", String::as_str);
    let members = numbers.iter().map(|number| value(root, items, last, *number, 0)).collect::<Vec<_>>();
    let video = json!({"title": "v", "thumbnails": [{"url": "https://e.example/t.jpg"}],
        "files": [{"url": "https://e.example/v.mp4", "type": "video/mp4"}]});
    let mut entry = json!({"loc": "https://e.example/1", "id": "1", "title": "t", "summary": "s", "videos": [video]});
    let mut feed = json!({"title": "f", "home": "https://e.example/", "subtitle": "s"});
    let mut at = if in_feed { &mut feed } else { &mut entry };
    for (number, step) in way.iter().enumerate() {
        at = &mut at[step.as_str()];
        if number + 1 < way.len() {
            // a part, or the first one of a list
            let is_list = matches!(step.as_str(), "videos" | "files" | "enclosures" | "modules" | "objects");
            if is_list && at.is_null() {
                *at = json!([{"url": "https://e.example/e.pdf", "name": "itunes:x"}]);
            } else if at.is_null() {
                *at = json!({});
            }
            if at.is_array() {
                at = &mut at[0];
            }
        }
    }
    *at = Value::Array(members);
    json!({"transfeed": "0.1", "format": format, "feed": feed, "entries": [entry]}).to_string()
}

/// All of the model's lists, with other values and with the same.
fn of_the_model() -> Vec<Grown> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/json.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(file).expect("a schema")).expect("JSON");
    let schema: &'static Value = Box::leak(Box::new(schema));
    let mut all = Vec::new();
    let mut known = BTreeSet::new();
    for (definition, in_feed) in [("EntryMembers", false), ("FeedMembers", true)] {
        let mut lists = Lists { schema, known, found: Vec::new() };
        lists.below(definition, &[]);
        known = lists.known;
        for list in lists.found {
            for (format, is_equal) in [("mrss", false), ("jsonfeed", true), ("atom-media", true)] {
                let name = format!("{definition}/{} of {format}, equal: {is_equal}", list.0.join("/"));
                let list = list.clone();
                all.push(Grown::new(name, move |count| {
                    let numbers: Vec<usize> = (0..count).map(|number| if is_equal { 0 } else { number }).collect();
                    model(schema, &list, in_feed, format, &numbers)
                }));
            }
        }
    }
    all
}

/// The cells of a table: lists in each column, and more cells than headings.
fn of_tables() -> Vec<Grown> {
    let options = Options { columns: vec!["all".to_owned()], ..Options::default() };
    let to = format::by_id("csv").expect("tables");
    let (table, _) = Conversion::to(to).with(options).bytes(b"loc\nhttps://e.example/1\n").expect("a table");
    let headings = table.lines().next().unwrap_or_default().split(',').map(str::to_owned);
    let mut all: Vec<Grown> = headings
        .map(|heading| {
            let address = heading.ends_with("url") || heading.ends_with("href") || heading.ends_with("loc");
            Grown::new(format!("csv {heading}"), move |count| {
                let cell: Vec<String> = (0..count)
                    .map(|number| if address { format!("https://e.example/{number}") } else { format!("{number}") })
                    .collect();
                format!("loc,video.title,{heading}\nhttps://e.example/1,t,{}\n", cell.join("|"))
            })
        })
        .collect();
    all.push(Grown::new("csv surplus", |count| {
        let cells: String = (0..count).map(|number| format!(",{number}")).collect();
        format!("loc,title\nhttps://e.example/1,t{cells}\n")
    }));
    all.push(Grown::new("csv unknown headings", |count| {
        let names: String = (0..count).map(|number| format!(",x{number}")).collect();
        let cells: String = (0..count).map(|number| format!(",{number}")).collect();
        format!("loc,title{names}\nhttps://e.example/1,t{cells}\n")
    }));
    all.push(Grown::new("csv escapes", |count| {
        format!("loc,title,video.tags\nhttps://e.example/1,t,\"{}\"\n", "a\\|\"\"\\\\|".repeat(count))
    }));
    all
}

/// The lists of formats that have each member as text: `{}` is its number.
fn of_formats() -> Vec<Grown> {
    const FEED: (&str, &str) = (
        r#"{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{"id":"1","content_text":"c","LIST":["#,
        "]}]}",
    );
    const HEAD: (&str, &str) =
        (r#"{"version":"https://jsonfeed.org/version/1.1","title":"t","LIST":["#, r#"],"items":[]}"#);
    const LINKED: (&str, &str) = (
        r#"{"@context":"https://schema.org","@type":"VideoObject","name":"n","thumbnailUrl":"https://e.example/t.jpg","uploadDate":"2026-05-01T10:00:00Z","contentUrl":"https://e.example/v.mp4","LIST":["#,
        "]}",
    );
    const PODCAST: (&str, &str) = (
        r#"<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>t</title><link>https://e.example/</link><description>d</description><item><title>t</title><link>https://e.example/1</link><enclosure url="https://e.example/v.mp4" length="1" type="video/mp4"/>"#,
        "</item></channel></rss>",
    );
    const CHANNEL: (&str, &str) = (
        r#"<rss version="2.0" xmlns:cc="http://backend.userland.com/creativeCommonsRssModule"><channel><title>t</title><link>https://e.example/</link><description>d</description>"#,
        "</channel></rss>",
    );
    let rows: [((&str, &str), &str, &str, &str); 22] = [
        (FEED, "tags", ",", r#""w{}""#),
        (FEED, "authors", ",", r#"{"name":"w{}","avatar":"a{}"}"#),
        (FEED, "authors", ",", r#"{"avatar":"a{}"}"#),
        (
            FEED,
            "attachments",
            ",",
            r#"{"url":"https://e.example/{}.mp4","mime_type":"video/mp4","title":"t{}","_x":[{}]}"#,
        ),
        (FEED, "attachments", ",", r#"{"url":"https://e.example/{}.mp4","mime_type":"video/mp4","title":"t"}"#),
        (FEED, "attachments", ",", r#"{"url":"https://e.example/{}.pdf","mime_type":"application/pdf"}"#),
        (FEED, "_x", ",", r#"{"a{}":[{}]}"#),
        (HEAD, "authors", ",", r#"{"name":"w{}"}"#),
        (HEAD, "hubs", ",", r#"{"type":"WebSub","url":"https://e.example/{}","_x":{}}"#),
        (HEAD, "_x", ",", r#"{"a{}":[{}]}"#),
        (LINKED, "keywords", ",", r#""w{}""#),
        (LINKED, "thumbnail", ",", r#"{"@type":"ImageObject","url":"https://e.example/{}.jpg"}"#),
        (LINKED, "hasPart", ",", r#"{"@type":"Clip","name":"w{}","startOffset":{},"url":"https://e.example/1?t={}"}"#),
        (LINKED, "actor", ",", r#"{"@type":"Person","name":"w{}"}"#),
        (LINKED, "x", ",", r#"{"y{}":"w{}"}"#),
        (
            PODCAST,
            "",
            "",
            r#"<podcast:alternateEnclosure type="video/mp4" height="{}"><podcast:source uri="https://e.example/{}.mp4"/><podcast:integrity type="sri" value="sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="/></podcast:alternateEnclosure>"#,
        ),
        (PODCAST, "", "", r#"<podcast:transcript url="https://e.example/{}.vtt" type="text/vtt"/>"#),
        (PODCAST, "", "", r#"<podcast:person role="host">w{}</podcast:person>"#),
        (PODCAST, "", "", r#"<podcast:image href="https://e.example/{}.jpg" purpose="poster"/>"#),
        (PODCAST, "", "", r#"<podcast:license url="https://e.example/{}">w{}</podcast:license>"#),
        (CHANNEL, "", "", "<cc:license>https://e.example/{}</cc:license>"),
        (PODCAST, "", "", r#"<podcast:location geo="geo:1,{}">w{}</podcast:location>"#),
    ];
    let grown = rows.into_iter().map(|((before, after), list, between, member)| {
        let before = before.replace("LIST", list);
        Grown::new(format!("{list} {member}"), move |count| {
            let members: Vec<String> = (0..count).map(|number| member.replace("{}", &number.to_string())).collect();
            format!("{before}{}{after}", members.join(between))
        })
    });
    let mut all: Vec<Grown> = grown.collect();
    all.push(Grown::new("podcast sources", |count| {
        let sources: String =
            (0..count).map(|number| format!("<podcast:source uri=\"https://e.example/{number}.mp4\"/>")).collect();
        let (before, after) = PODCAST;
        format!("{before}<podcast:alternateEnclosure type=\"video/mp4\">{sources}</podcast:alternateEnclosure>{after}")
    }));
    all
}

#[test]
fn a_list_four_times_as_long_takes_four_times_the_work() {
    let mut all: Vec<Grown> = of_the_model().into_iter().chain(of_tables()).chain(of_formats()).collect();
    assert!(all.len() > 300, "only {} lists", all.len());
    let mut number = 0;
    let every = std::env::var("TRANSFEED_GROWTH").ok().and_then(|every| every.parse().ok()).unwrap_or(count(12, 2));
    all.retain(|_| {
        number += 1;
        number % every == 0
    });
    let (jobs, next, faults) = (Job::all(), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(grown) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = jobs.iter().filter_map(|job| job.fault(&grown.name, |count| (grown.make)(count)));
                    let found: Vec<String> = found.collect();
                    faults.lock().expect("no thread has panicked").extend(found);
                }
            });
        }
    });
    let faults = faults.into_inner().expect("no thread has panicked");
    assert!(faults.is_empty(), "{} grow too fast:\n{}", faults.len(), faults.join("\n"));
}
