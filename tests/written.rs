//! What a report says of the output is so, for samples, fixtures, random documents, and those in the folder that
//! `TRANSFEED_CORPUS` names: how a value is said to stand in the output, it stands there, at its entry; and what is said to
//! be kept stands where a reader of that format looks for it.

use crate::common;
use crate::generate;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Converted, count, files, try_convert};
use generate::{Random, document};
use serde_json::Value;

/// Every target.
const TARGETS: &[&str] = &[
    "rss",
    "mrss",
    "rss-podcast",
    "atom",
    "atom-media",
    "sitemap",
    "video-sitemap",
    "text",
    "jsonfeed",
    "json",
    "jsonl",
];

/// Entries are written one by one, so that the first of the output is that of the source.
const OPTIONS: &[&str] = &["--no-group"];

/// How long a document may be to be taken from a corpus.
const LONGEST: usize = 400_000;

/// The documents, by name.
fn documents() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    files(root.join("samples"), &mut found);
    files(root.join("tests/fixtures"), &mut found);
    if let Some(corpus) = std::env::var_os("TRANSFEED_CORPUS") {
        files(corpus.into(), &mut found);
    }
    found.sort();
    assert!(found.len() > 10, "only {} documents", found.len());
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("the document can be read");
        (bytes.len() <= LONGEST).then(|| (path.display().to_string(), bytes))
    };
    let random = (0..count(50, 1000) as u64).map(|seed| {
        let document = document(Random::new(seed ^ 0x7772_6974).next());
        (format!("{} of seed {seed}", document.format), document.text.into_bytes())
    });
    found.into_iter().filter_map(read).chain(random).collect()
}

/// Converts each document to each target and looks at what came of it; what is no document is left out.
#[test]
fn what_a_report_says_of_the_output_is_so() {
    let (documents, next, converted) = (documents(), AtomicUsize::new(0), AtomicUsize::new(0));
    let faults = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((name, bytes)) = documents.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let lines = try_convert(bytes, "jsonl", &[]).map_or(0, |lines| lines.output.lines().count());
                    for target in TARGETS {
                        match try_convert(bytes, target, OPTIONS) {
                            Ok(found) => {
                                converted.fetch_add(1, Ordering::Relaxed);
                                let told = [misplaced(target, lines, &found), misread(target, &found)].concat();
                                let told = told.into_iter().map(|fault| format!("{name} to {target}: {fault}"));
                                faults.lock().expect("no thread has panicked").extend(told);
                            }
                            Err((code, message)) => assert_ne!(code, 70, "{name} to {target}: {message}"),
                        }
                    }
                }
            });
        }
    });
    assert!(converted.into_inner() > 500, "few conversions");
    let mut faults = faults.into_inner().expect("no thread has panicked");
    faults.sort();
    let shown: Vec<&str> = faults.iter().step_by(faults.len().div_ceil(40).max(1)).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), shown.join("\n"));
}

/// Without differences in white space.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands in a document and in each of its entries: values, and markup as it is written.
fn written(target: &str, output: &str) -> (String, Vec<String>) {
    match target {
        "text" => (plain(output), output.lines().map(plain).collect()),
        "json" | "jsonfeed" => {
            let document = serde_json::from_str(output).expect("an output is JSON");
            let list = if target == "json" { "entries" } else { "items" };
            let entries = match &document {
                Value::Object(members) => members.get(list).and_then(Value::as_array),
                _ => None,
            };
            (told_in_json(&document), entries.into_iter().flatten().map(told_in_json).collect())
        }
        "jsonl" => {
            let lines = output.lines().map(|line| serde_json::from_str(line).expect("a line of the output is JSON"));
            let lines: Vec<String> = lines.map(|line: Value| told_in_json(&line)).collect();
            (lines.join(" "), lines.into_iter().skip(1).collect())
        }
        _ => written_in_xml(output),
    }
}

/// The values of a piece of JSON.
fn told_in_json(value: &Value) -> String {
    let (mut open, mut text) = (vec![value], String::new());
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => open.extend(members.values()),
            Value::Array(items) => open.extend(items),
            Value::String(value) => {
                text.push('\n');
                text.push_str(value);
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {
                text.push('\n');
                text.push_str(&value.to_string());
            }
        }
    }
    plain(&text)
}

fn written_in_xml(output: &str) -> (String, Vec<String>) {
    let document = roxmltree::Document::parse(output).expect("an output is well-formed");
    let values = |top: roxmltree::Node<'_, '_>| {
        let mut text = String::new();
        for node in top.descendants() {
            for value in node.attributes().map(|attribute| attribute.value()) {
                text.push('\n');
                text.push_str(value);
            }
            if let Some(run) = node.text().filter(|_| node.is_text()) {
                text.push('\n');
                text.push_str(run);
            }
        }
        text.push_str(&output[top.range()]);
        plain(&text)
    };
    let is_entry = |node: &roxmltree::Node<'_, '_>| {
        let around = node.parent_element().map_or("", |parent| parent.tag_name().name());
        matches!((around, node.tag_name().name()), ("channel", "item") | ("feed", "entry") | ("urlset", "url"))
    };
    let entries = document.descendants().filter(is_entry).map(values).collect();
    (values(document.root()), entries)
}

/// The rows that tell what became of a value, where that does not stand in the output at the value's entry.
fn misplaced(target: &str, lines: usize, converted: &Converted) -> Vec<String> {
    let (whole, entries) = written(target, &converted.output);
    let is_one_by_one = lines == entries.len() + 1;
    let told = converted.report.rows.iter().filter(|row| ["changed", "made", "merged"].contains(&row.kind.as_str()));
    let missing = told.filter(|row| {
        let Some(to) = &row.to else { return row.kind != "merged" || row.entry.is_some() };
        // the kind of a text is what it is there, not what stands there
        let is_kind = row.path.ends_with("/@type") || row.path.ends_with("/@mode");
        if is_kind && matches!(to.as_str(), "plain" | "html") {
            return false;
        }
        let at = row.entry.filter(|_| is_one_by_one).and_then(|entry| entries.get(entry as usize));
        let place = at.unwrap_or(&whole);
        // the parts of a value that was split stand apart
        !place.contains(&plain(to)) && !to.split(", ").all(|part| place.contains(&plain(part)))
    });
    missing.map(|row| format!("{row:?}")).collect()
}

/// The values that were written where no reader of the target looks for them.
fn misread(target: &str, converted: &Converted) -> Vec<String> {
    // the model as JSON keeps apart what was not understood
    if target.starts_with("json") {
        return Vec::new();
    }
    let options: &[&str] = if target == "text" { &["--from", "text"] } else { &[] };
    let Ok(again) = try_convert(converted.output.as_bytes(), "json", options) else {
        return vec!["the output cannot be read".to_owned()];
    };
    let unread = |converted: &'_ Converted| {
        let rows = converted.report.rows.iter().filter(|row| row.kind == "unread");
        rows.map(|row| plain(row.from.as_deref().unwrap_or_default())).collect::<HashSet<_>>()
    };
    let before = unread(converted);
    unread(&again).difference(&before).map(|value| format!("{value:?} is not understood")).collect()
}
