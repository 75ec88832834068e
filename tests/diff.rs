//! Properties of `diff`, for samples, specimens and random documents: nothing against itself, nothing against its own
//! conversion, the same from both sides, exactly the leaf that was changed, nothing for another order or spelling, and all
//! of a list of edits.

mod common;
#[allow(dead_code, reason = "the conservation test needs more of it")]
#[path = "conservation/generate.rs"]
mod generate;
#[path = "conservation/tables.rs"]
mod tables;

use std::collections::BTreeSet;
use std::path::Path;

use generate::{Document, Random, document};
use serde_json::Value;
use transfeed::Conversion;
use transfeed::convert::{Bytes, Entries, Input};
use transfeed::diff::{Comparison, Found, Inputs, Sums, Told};
use transfeed::format::{self, Format};
use transfeed::options::Options;

fn options() -> Options {
    let now = transfeed::model::Date::parse("2026-03-01T08:00:00Z").map(|(date, _)| date);
    Options { threads: 1, now, ..Options::default() }
}

fn comparison() -> Comparison {
    Comparison { options: Options { threads: 1, ..Options::default() }, ..Comparison::default() }
}

/// What a comparison finds.
fn compare(a: &[u8], b: &[u8], how: &Comparison) -> Result<(Sums, Vec<Found>), transfeed::error::Error> {
    let (a, b) = (Bytes { name: "a", bytes: a }, Bytes { name: "b", bytes: b });
    let mut found = Vec::new();
    let (of_a, of_b): ([&dyn Input; 1], [&dyn Input; 1]) = ([&a], [&b]);
    let sums = how.run(Inputs { name: "a", inputs: &of_a }, Inputs { name: "b", inputs: &of_b }, &mut found)?;
    Ok((sums, found))
}

#[track_caller]
fn found(a: &[u8], b: &[u8]) -> Vec<Found> {
    compare(a, b, &comparison()).unwrap_or_else(|error| panic!("{error}")).1
}

/// Samples and specimens, by their names.
fn specimens() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in ["samples", "tests/fixtures/specimen"] {
        for file in std::fs::read_dir(root.join(folder)).expect("the folder is there").flatten() {
            let path = file.path();
            if path.extension().is_some_and(|name| name != "md") {
                all.push((path.display().to_string(), std::fs::read(path).expect("a document")));
            }
        }
    }
    all.sort();
    assert!(all.len() > 10, "only {} documents", all.len());
    all
}

/// Random documents, the same ones in every run; `TRANSFEED_DIFF=N` takes N of them.
fn random() -> impl Iterator<Item = (u64, Document)> {
    let count = std::env::var("TRANSFEED_DIFF").ok().and_then(|count| count.parse().ok()).unwrap_or(150);
    (0..count).map(|number| (number, document(Random::new(0x6469_6666 + number).next())))
}

fn documents() -> impl Iterator<Item = (String, Vec<u8>)> {
    let random = random().map(|(number, document)| (format!("{} {number}", document.format), document.text.into_bytes()));
    specimens().into_iter().chain(random)
}

#[test]
fn nothing_differs_from_itself() {
    for (name, text) in documents() {
        let (sums, found) = compare(&text, &text, &comparison()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(found, [], "{name}");
        assert_eq!(sums.same, sums.a.entries, "{name}");
        assert_eq!(sums.not_comparable, [], "{name}");
        let ordered = Comparison { order: true, ..comparison() };
        assert_eq!(compare(&text, &text, &ordered).expect("it was read before").1, [], "{name}, in order");
    }
}

/// Whether all of a document is in its conversion, and nothing else is. What is lost or made within one format, which
/// could hold the one and lacks the other, is a difference.
fn is_whole(books: &transfeed::ledger::Ledger) -> bool {
    let totals = books.totals();
    let dropped = books.rows().iter().any(|row| row.kind.name() == "unread" && row.code.name() != "foreign_kept");
    totals.leaves == totals.kept + totals.unread && totals.made == 0 && !dropped
}

#[test]
fn nothing_differs_from_its_own_conversion() {
    let mut failures: Vec<String> = Vec::new();
    let (mut compared, mut same_format) = (0, 0);
    for (name, text) in documents() {
        let input = Bytes { name: "a", bytes: &text };
        let source = Entries::open(&input, None).expect("a known format").format();
        for target in format::targets() {
            if source.id == "sitemap-index" && !matches!(target.id, "sitemap" | "json" | "jsonl") {
                continue;
            }
            let converted = Conversion::to(target).with(options()).bytes(&text);
            let (output, books) = converted.unwrap_or_else(|error| panic!("{name} to {}: {error}", target.id));
            compared += 1;
            match compare(&text, output.as_bytes(), &comparison()) {
                Ok((_, found)) => {
                    if source == target && !is_whole(&books) {
                        continue;
                    }
                    same_format += usize::from(source == target);
                    if let Some(first) = found.first() {
                        failures.push(format!("{name} ({}) to {}: {} {first:?}", source.id, target.id, found.len()));
                    }
                }
                // what holds no entry may be no document of its format either
                Err(error) if output.trim().is_empty() => assert!(error.to_string().contains("empty"), "{error}"),
                Err(error) => failures.push(format!("{name} to {}: {error}", target.id)),
            }
        }
    }
    assert!(same_format > 20, "only {same_format} documents came back whole");
    assert!(failures.is_empty(), "{} of {compared}:\n{}", failures.len(), failures.join("\n"));
}
