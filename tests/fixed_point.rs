//! X to Y to Y is a fixed point from the first Y on: what a format has written, that format writes again to the byte. For
//! every target; for samples, fixtures, the inputs of the cases, random documents, and those in the folder that
//! `TRANSFEED_CORPUS` names.

use crate::common;
use crate::generate;

use std::path::{Path, PathBuf};

use common::{count, files, line_diff, try_convert};
use generate::{Random, document, wide};

/// How long a document may be to be taken from a corpus.
const LONGEST: usize = 400_000;

/// The inputs in a case, by name.
fn inputs(case: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut lines = case.lines();
    while let Some(line) = lines.next() {
        let ticks = line.bytes().take_while(|byte| *byte == b'`').count();
        if ticks < 3 {
            continue;
        }
        let fence = &line[..ticks];
        let text: String = lines.by_ref().take_while(|line| *line != fence).map(|line| format!("{line}\n")).collect();
        if let Some((_, name)) = line.split_once(" file=") {
            found.push((name, text));
        }
    }
    found
}

/// The documents, by name.
fn documents() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let folders = ["samples", "tests/fixtures/specimen"].map(|folder| root.join(folder));
    let corpus = std::env::var_os("TRANSFEED_CORPUS").map(PathBuf::from);
    folders.into_iter().chain(corpus).for_each(|folder| files(folder, &mut found));
    found.sort();
    assert!(found.len() > 10, "only {} documents", found.len());
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("the document can be read");
        (bytes.len() <= LONGEST).then(|| (path.display().to_string(), bytes))
    };
    let mut all: Vec<_> = found.into_iter().filter_map(read).collect();
    let mut cases = Vec::new();
    files(root.join("tests/cases"), &mut cases);
    cases.sort();
    // few of them by default, and not those of one folder only
    for case in cases.iter().step_by(count(48, 1)) {
        let text = std::fs::read_to_string(case).expect("a case can be read");
        let named = |(name, text): (&str, String)| (format!("{}: {name}", case.display()), text.into_bytes());
        all.extend(inputs(&text).into_iter().map(named));
    }
    all.extend((0..count(12, 400) as u64).map(|seed| {
        let document = match seed % 3 {
            0 => wide(seed),
            _ => document(Random::new(seed ^ 0x6669_7865_6420).next()),
        };
        (format!("{}{RANDOM}{seed}", document.format), document.text.into_bytes())
    }));
    all
}

/// The names of random documents have this in them.
const RANDOM: &str = " of seed ";

/// Documents that differ, and why. What stands in a case is written to show this very thing.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "cli/odd-inherited.md",
        "a level of Media RSS with a length, which has no place in markup: its file is carried once",
    ),
    ("diff/read-otherwise.md", "a country that readers of markup mend, and the model as JSON holds as it was given"),
    ("rules/S-V12.md", "one tag with a comma, which readers of sitemaps take for a list (A11)"),
    ("values/dates-sentinel.md", "the year 1970, whose first moment stands for no date where dates have a time of day"),
];

/// The targets that `--foreign keep` carries elements of other formats into. Random documents contradict themselves, and what
/// was carried then says more than what it was made of.
const FEEDS: [&str; 5] = ["rss", "mrss", "rss-podcast", "atom", "atom-media"];

/// What was carried into a feed converts to every feed of the family without it too, whatever the feed is called.
fn left_out_again(name: &str, carried: &str) {
    let is_atom = carried.contains("<feed");
    let family: Vec<&str> = FEEDS.into_iter().filter(|id| id.starts_with("atom") == is_atom).collect();
    for from in &family {
        for target in &family {
            if let Err((70, message)) = try_convert(carried.as_bytes(), target, &["--from", from, "--foreign", "drop"])
            {
                panic!("{name} carried, as {from} to {target}: {message}");
            }
        }
    }
}

#[test]
fn what_a_format_has_written_it_writes_again_to_the_byte() {
    let mut runs: Vec<(&str, &[&str])> = transfeed::format::targets().map(|format| (format.id, &[][..])).collect();
    runs.extend(FEEDS.map(|id| (id, &["--foreign", "keep"][..])));
    let (mut faults, mut compared) = (Vec::new(), 0);
    for (name, bytes) in documents() {
        if EXCEPTIONS.iter().any(|(known, _)| name.contains(known)) {
            continue;
        }
        for (target, options) in &runs {
            if name.contains(RANDOM) && !options.is_empty() {
                continue;
            }
            let first = match try_convert(&bytes, target, options) {
                Ok(first) => first.output,
                Err((code, message)) => {
                    assert_ne!(code, 70, "{name} to {target}: {message}");
                    continue;
                }
            };
            let again = match try_convert(first.as_bytes(), target, options) {
                Ok(again) => again.output,
                Err((_, message)) => message,
            };
            compared += 1;
            if !options.is_empty() {
                left_out_again(&name, &first);
            }
            // no line at all is a document of no format
            if !first.is_empty() && first != again {
                let lines = |text: &str| text.replace("><", ">\n<").replace(",\"", ",\n\"");
                faults.push(format!("{name} to {target} {options:?}:\n{}", line_diff(&lines(&first), &lines(&again))));
            }
        }
    }
    assert!(compared > count(200, 500), "only {compared} conversions");
    let shown: Vec<&str> = faults.iter().take(20).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} of {compared} differ:\n{}", faults.len(), shown.join("\n"));
}
