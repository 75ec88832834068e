//! Every sample converts to every target, and the books of each conversion are right.
//!
//! What exactly comes out is shown by tests/cases; here it has to come out at all, counted to the last leaf.

use crate::common;

use std::path::{Path, PathBuf};

use common::{Report, leaves, scratch, transfeed};

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
    "json",
    "jsonl",
    "jsonld",
];

/// What an index of sitemaps can become.
const INDEX_TARGETS: &[&str] = &["sitemap", "json", "jsonl"];

/// Podcasting 2.0, of which the model has a part: the rest is unknown markup.
const PODCAST: &str = "podcast:";

/// The vendor namespace of the catalogue: its prefix.
const VENDOR: &str = "lh:";

fn samples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let entries = std::fs::read_dir(root).expect("the samples can be listed");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending != "md"));
    files.sort();
    files
}

#[test]
fn every_sample_becomes_every_target() {
    let dir = scratch("samples");
    let mut complaints = Vec::new();
    for sample in samples() {
        let is_index = sample.ends_with("index.xml");
        for target in TARGETS {
            let expected = if is_index && !INDEX_TARGETS.contains(target) { 2 } else { 0 };
            if let Err(complaint) = convert(&dir, &sample, target, expected) {
                complaints.push(format!("{} to {target}: {complaint}", sample.display()));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Readers that are not ours see in the output what ours sees.
#[test]
fn every_feed_made_of_a_sample_is_verified() {
    let dir = scratch("samples-verify");
    let mut complaints = Vec::new();
    for sample in samples().into_iter().filter(|sample| !sample.ends_with("index.xml")) {
        for target in ["rss", "mrss", "rss-podcast", "atom", "atom-media"] {
            let name = sample.to_string_lossy();
            let run = transfeed(&dir, &["convert", &name, "--to", target, "--verify", "-o", "out", "-q"], None);
            if run.code != 0 {
                complaints.push(format!("{name} to {target}: exit code {}: {}", run.code, run.stderr));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The strings, numbers and booleans of a JSON document.
fn scalars(json: &str) -> usize {
    let mut open: Vec<serde_json::Value> = vec![serde_json::from_str(json).expect("a sample is JSON")];
    let mut count = 0;
    while let Some(value) = open.pop() {
        match value {
            serde_json::Value::Array(values) => open.extend(values),
            serde_json::Value::Object(members) => open.extend(members.into_iter().map(|(_, value)| value)),
            _ => count += 1,
        }
    }
    count
}

fn convert(dir: &Path, sample: &Path, target: &str, expected: i32) -> Result<(), String> {
    let name = sample.to_string_lossy();
    let args = ["convert", &name, "--to", target, "-o", "out", "--report", "report.jsonl", "-q"];
    drop((std::fs::remove_file(dir.join("out")), std::fs::remove_file(dir.join("report.jsonl"))));
    let run = transfeed(dir, &args, None);
    if run.code != expected {
        return Err(format!("exit code {} instead of {expected}: {}", run.code, run.stderr));
    }
    if expected != 0 {
        return if dir.join("out").exists() { Err("refused, but an output stands there".to_owned()) } else { Ok(()) };
    }
    let report = Report::read(&dir.join("report.jsonl"))?;
    // records are counted in tests/conservation/records.rs
    if name.ends_with(".csv") || name.ends_with(".json") {
        return Ok(());
    }
    let text = std::fs::read_to_string(sample).map_err(|error| error.to_string())?;
    let counted = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("txt") => text.lines().count(),
        Some("jsonld") => scalars(&text),
        // the language, the title, the description and the canonical URL
        Some("html") => {
            4 + text
                .split("</script>")
                .filter_map(|part| part.split_once("ld+json\">"))
                .map(|(_, json)| scalars(json))
                .sum::<usize>()
        }
        _ => leaves(&text).len(),
    } as u64;
    let flags = text.matches("<mobile:mobile/>").count() as u64;
    if !(counted..=counted + flags).contains(&report.totals.leaves) {
        return Err(format!("{counted} leaves stand in it, the report says {}", report.totals.leaves));
    }
    let unread = report
        .rows
        .iter()
        .find(|row| row.kind == "unread" && !row.path.contains(VENDOR) && !row.path.contains(PODCAST));
    unread.map_or(Ok(()), |row| Err(format!("unread though known: {}:{}", row.path, row.line)))
}
