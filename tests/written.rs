//! What a report says of the output is so, for samples, fixtures, random documents, and those in the folder that
//! `TRANSFEED_CORPUS` names: how a value is said to stand in the output, it stands there, at its entry; and what is said to
//! be kept stands where a reader of that format looks for it.

use crate::common;
use crate::generate;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use common::{Converted, count, try_convert};
use generate::{Random, document};

/// Every format of which readers are asked.
const TARGETS: &[&str] = &["rss", "mrss", "atom", "atom-media", "sitemap", "video-sitemap"];

/// Entries are written one by one, so that the first of the output is that of the source.
const OPTIONS: &[&str] = &["--no-group"];

/// How long a document may be to be taken from a corpus.
const LONGEST: usize = 400_000;

/// The files below a folder.
fn files(folder: PathBuf, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(&folder) else { return };
    for path in entries.map(|file| file.expect("the folder can be read").path()) {
        match path.is_dir() {
            true => files(path, found),
            false => found.push(path),
        }
    }
}

/// The documents, by name.
fn documents() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    files(root.join("samples"), &mut found);
    files(root.join("tests/fixtures/specimen"), &mut found);
    if let Some(corpus) = std::env::var_os("TRANSFEED_CORPUS") {
        files(corpus.into(), &mut found);
    }
    found.sort();
    assert!(found.len() > 10, "only {} documents", found.len());
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("the document can be read");
        (bytes.len() <= LONGEST).then(|| (path.display().to_string(), bytes))
    };
    let random = (0..count(150, 1500) as u64).map(|seed| {
        let document = document(Random::new(seed ^ 0x7772_6974).next());
        (format!("{} of seed {seed}", document.format), document.text.into_bytes())
    });
    found.into_iter().filter_map(read).chain(random).collect()
}

/// What is wrong with a conversion: the document's name, the document, the target, and what came of it.
type Check = dyn Fn(&str, &[u8], &str, &Converted) -> Vec<String>;

/// Converts each document to each target and shows what came of it; what is no document is left out.
fn each(check: &Check) {
    let (mut faults, mut converted) = (Vec::new(), 0);
    for (name, bytes) in documents() {
        for target in TARGETS {
            match try_convert(&bytes, target, OPTIONS) {
                Ok(found) => {
                    converted += 1;
                    let told = check(&name, &bytes, target, &found);
                    faults.extend(told.into_iter().map(|fault| format!("{name} to {target}: {fault}")));
                }
                Err((code, message)) => assert_ne!(code, 70, "{name} to {target}: {message}"),
            }
        }
    }
    assert!(converted > 500, "only {converted} conversions");
    let shown: Vec<&str> = faults.iter().take(40).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), shown.join("\n"));
}

/// Without differences in white space.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands in a document and in each of its entries: values, and markup as it is written.
fn written(output: &str) -> (String, Vec<String>) {
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

#[test]
fn what_became_of_a_value_stands_in_the_output_at_its_entry() {
    each(&|_, bytes, _, converted| {
        let (whole, entries) = written(&converted.output);
        let lines = try_convert(bytes, "jsonl", &[]).map_or(0, |lines| lines.output.lines().count());
        let is_one_by_one = lines == entries.len() + 1;
        let told =
            converted.report.rows.iter().filter(|row| ["changed", "made", "merged"].contains(&row.kind.as_str()));
        let missing = told.filter(|row| {
            let Some(to) = &row.to else { return false };
            // the kind of a text is what it is there, not what stands there
            let is_kind = row.path.ends_with("/@type") && matches!(to.as_str(), "plain" | "html");
            if is_kind {
                return false;
            }
            let at = row.entry.filter(|_| is_one_by_one).and_then(|entry| entries.get(entry as usize));
            let place = at.unwrap_or(&whole);
            // the parts of a value that was split stand apart
            !place.contains(&plain(to)) && !to.split(", ").all(|part| place.contains(&plain(part)))
        });
        missing.map(|row| format!("{row:?}")).collect()
    });
}

#[test]
fn what_was_kept_stands_where_readers_look() {
    each(&|_, _, _, converted| {
        let Ok(again) = try_convert(converted.output.as_bytes(), "json", &[]) else {
            return vec!["the output cannot be read".to_owned()];
        };
        let unread = |converted: &'_ Converted| {
            let rows = converted.report.rows.iter().filter(|row| row.kind == "unread");
            rows.map(|row| plain(row.from.as_deref().unwrap_or_default())).collect::<HashSet<_>>()
        };
        let before = unread(converted);
        unread(&again).difference(&before).map(|value| format!("{value:?} is not understood")).collect()
    });
}
