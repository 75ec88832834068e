//! By way of the model as JSON, every document becomes what it becomes directly: X to JSON to Y equals X to Y, for all
//! samples and specimens, and the books of the model tell nothing lost.

mod common;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use common::{Report, scratch, transfeed};

const TARGETS: &[&str] = &["rss", "mrss", "atom", "atom-media", "sitemap", "video-sitemap", "text"];

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["samples", "tests/fixtures/specimen"] {
        for file in std::fs::read_dir(root.join(folder)).expect("the folder is there") {
            let path = file.expect("the folder can be read").path();
            if path.extension().is_some_and(|name| name != "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 10, "only {} documents", found.len());
    found
}

/// Gives a file the age of another, which a target may take for a date.
fn same_age(path: &Path) {
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let file = std::fs::File::options().write(true).open(path).expect("the file can be opened");
    file.set_modified(then).expect("its time can be set");
}

#[test]
fn by_way_of_the_model_everything_comes_out_the_same() {
    for document in documents() {
        let name = document.file_name().and_then(|name| name.to_str()).expect("a plain name").to_owned();
        let dir = scratch(&format!("roundtrip-{name}"));
        std::fs::copy(&document, dir.join("source")).expect("the document can be copied");
        same_age(&dir.join("source"));
        for model in ["json", "jsonl"] {
            let report = convert(&dir, "source", model, model);
            assert_eq!(
                report.totals.leaves,
                report.totals.kept + report.totals.unread + report.totals.merged + report.totals.changed,
                "{name}"
            );
            same_age(&dir.join(model));
            convert(&dir, model, "again", model);
            assert_same(&dir, model, "again", &format!("{name}: {model} to {model}"));
        }
        for target in TARGETS {
            let index = name == "index.xml" && *target != "sitemap";
            if index {
                continue;
            }
            convert(&dir, "source", "direct", target);
            for model in ["json", "jsonl"] {
                convert(&dir, model, "back", target);
                assert_same(&dir, "direct", "back", &format!("{name}: {target} by way of {model}"));
            }
        }
    }
}

#[track_caller]
fn convert(dir: &Path, from: &str, to: &str, format: &str) -> Report {
    let what = format!("{}: {from} to {format}", dir.display());
    let args = ["convert", from, "--to", format, "-o", to, "--report", "report.jsonl", "-q"];
    transfeed(dir, &args, None).ok(&what);
    Report::read(&dir.join("report.jsonl")).unwrap_or_else(|error| panic!("{what}: {error}"))
}

#[track_caller]
fn assert_same(dir: &Path, left: &str, right: &str, what: &str) {
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).expect("an output in UTF-8").replace("><", ">\n<");
    let (left, right) = (read(left), read(right));
    let mut pairs = left.lines().zip(right.lines()).enumerate();
    let differs = pairs.find(|(_, (left, right))| left != right);
    assert!(differs.is_none() && left.lines().count() == right.lines().count(), "{what}: {differs:?}");
}

/// Converts a document there and back and compares these members of the entries of its model.
fn there_and_back(document: &str, there: &str, back: &str, members: &[&str]) {
    let dir = scratch(&format!("trip-{}-{there}", document.replace('/', "-")));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    std::fs::copy(source, dir.join("source")).expect("the document can be copied");
    convert(&dir, "source", "there", there);
    convert(&dir, "there", "back", back);
    convert(&dir, "source", "source.json", "json");
    convert(&dir, "back", "back.json", "json");
    let entries = |name: &str| -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(dir.join(name)).expect("the model was written");
        let model: serde_json::Value = serde_json::from_str(&text).expect("the model is JSON");
        model["entries"].as_array().expect("it has entries").clone()
    };
    let (before, after) = (entries("source.json"), entries("back.json"));
    assert_eq!(before.len(), after.len(), "{document} by way of {there}");
    assert!(!before.is_empty(), "{document} has no entries");
    for (number, (one, two)) in before.iter().zip(&after).enumerate() {
        for member in members {
            // what the way requires may be made; what was there must come back
            if one.get(*member).is_some() {
                assert_eq!(
                    one.get(*member),
                    two.get(*member),
                    "{document} by way of {there}: {member} of entry {number}"
                );
            }
        }
    }
}

#[test]
fn rss_comes_back_from_atom() {
    let members = ["loc", "title", "summary", "content", "published", "categories", "enclosures", "comments", "source"];
    there_and_back("samples/news.rss", "atom", "rss", &members);
    let core = ["loc", "title", "summary", "content", "published", "comments", "source"];
    there_and_back("tests/fixtures/specimen/full.rss", "atom", "rss", &core);
}

#[test]
fn media_rss_and_atom_with_media_hold_the_same() {
    let members = ["loc", "title", "summary", "content", "published", "videos", "media"];
    there_and_back("samples/catalogue.mrss", "atom-media", "mrss", &members);
    there_and_back(
        "samples/channel.atom",
        "mrss",
        "atom-media",
        &["loc", "id", "title", "published", "updated", "videos"],
    );
}
