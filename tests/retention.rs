//! Retention: a document written back in its own format comes back whole.
//!
//! The specimens hold every element and attribute their format has by its specification, with values of their
//! own, and two namespaces that nobody knows. What becomes of values in other formats is not asked here.

use crate::common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use common::{Leaf, Report, empty_elements, leaves, line_diff, scratch, without_lines};
use serde_json::Value;

/// The namespaces of the specimens that no reader knows.
const VENDORS: &[&str] = &["https://acme.example.com/ns/feed", "https://shop.example.net/2026/terms#"];

/// Their prefixes in the specimens.
const VENDOR_PREFIXES: &[&str] = &["acme:", "shop:"];

/// Values that a specification implies: writing them out or not says the same.
const IMPLIED: &[(&str, &str)] =
    &[("type", "plain"), ("type", "text"), ("rel", "alternate"), ("isPermaLink", "true"), ("version", "2.0")];

#[test]
fn media_rss_comes_back_whole() {
    comes_back_whole("full.mrss", "mrss", 117);
}

#[test]
fn rss_comes_back_whole() {
    comes_back_whole("full.rss", "rss", 117);
}

#[test]
fn atom_with_media_comes_back_whole() {
    comes_back_whole("full.atom", "atom-media", 117);
}

#[test]
fn a_video_sitemap_comes_back_whole() {
    comes_back_whole("full-video-sitemap.xml", "video-sitemap", 78);
}

#[test]
fn googles_shapes_come_back_whole() {
    comes_back_whole("google-video-sitemap.xml", "video-sitemap", 40);
    comes_back_whole("google-mrss.xml", "mrss", 35);
}

#[test]
fn json_is_read_back_without_loss() {
    let specimens = [
        ("full.mrss", "mrss"),
        ("full.rss", "rss"),
        ("full.atom", "atom-media"),
        ("full-video-sitemap.xml", "video-sitemap"),
        ("google-video-sitemap.xml", "video-sitemap"),
        ("google-mrss.xml", "mrss"),
    ];
    for (specimen, format) in specimens {
        let trip = Trip::new(&format!("json-{specimen}"), specimen);
        trip.convert("source", "direct", format);
        for model in ["json", "jsonl"] {
            trip.convert("source", model, model);
            trip.convert(model, "again", model);
            assert_same(&trip.read(model), &trip.read("again"), &format!("{specimen}: {model} to {model}"));
            trip.convert(model, "back", format);
            // namespaces may be declared elsewhere, so the models are compared, not the bytes
            trip.convert("direct", "direct.json", "json");
            trip.convert("back", "back.json", "json");
            let (direct, back) = (trip.model("direct.json"), trip.model("back.json"));
            assert_same(&pretty(&direct), &pretty(&back), &format!("{specimen}: {format} by way of {model}"));
        }
    }
}

/// Converts a specimen to its own format and holds the output, the report and the model against the source.
fn comes_back_whole(specimen: &str, format: &str, at_least: usize) {
    let trip = Trip::new(specimen, specimen);
    let report = trip.convert("source", "output", format);
    trip.convert("output", "second", format);
    let (source, output) = (trip.read("source"), trip.read("output"));
    let found = leaves(&source);
    assert!(found.len() >= at_least, "{specimen}: only {} leaves", found.len());

    books_are_right(specimen, &source, &found, &report);
    only_vendors_are_unread(specimen, &report);
    nothing_is_missing(specimen, &found, &leaves(&output));
    assert_eq!(vendor_order(&source), vendor_order(&output), "{specimen}: vendor markup in another order");
    assert_same(&output, &trip.read("second"), &format!("{specimen}: written twice"));

    trip.convert("source", "source.json", "json");
    trip.convert("output", "output.json", "json");
    let (before, after) = (trip.model("source.json"), trip.model("output.json"));
    known_markup_is_not_foreign(specimen, &before);
    assert_same(&pretty(&before), &pretty(&after), &format!("{specimen}: the model of source and output"));
}

/// A scratch folder with a specimen in it under the name `source`.
struct Trip {
    dir: PathBuf,
}

impl Trip {
    fn new(name: &str, specimen: &str) -> Self {
        let dir = scratch(&format!("retention-{name}"));
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/specimen").join(specimen);
        std::fs::copy(&from, dir.join("source")).expect("the specimen can be copied");
        Trip { dir }
    }

    #[track_caller]
    fn convert(&self, from: &str, to: &str, format: &str) -> Report {
        let source = std::fs::read(self.dir.join(from)).expect("the document was written");
        let converted = common::convert(&format!("{}: {from}", self.dir.display()), &source, format, &[]);
        std::fs::write(self.dir.join(to), converted.output).expect("an output can be written");
        converted.report
    }

    #[track_caller]
    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.dir.join(name)).expect("an output in UTF-8")
    }

    #[track_caller]
    fn model(&self, name: &str) -> Value {
        let mut model = serde_json::from_str(&self.read(name)).expect("the model is JSON");
        without_lines(&mut model);
        model
    }
}

/// The report counts what stands in the document and keeps every leaf that a reader knows.
fn books_are_right(specimen: &str, source: &str, found: &[Leaf], report: &Report) {
    let counted = (found.len() + empty_elements(source, VENDORS)) as u64;
    // An element that is a flag by standing there has no value to count, but a place in the model.
    let flags = source.matches("<mobile:mobile/>").count() as u64;
    let totals = report.totals;
    assert!(
        (counted..=counted + flags).contains(&totals.leaves),
        "{specimen}: {counted} leaves and {flags} flags stand in it, the report says {}",
        totals.leaves
    );
    // Real documents spell values as a writer would not (lower-case countries, white space in addresses).
    let exact = specimen.starts_with("full");
    let told: Vec<String> = report
        .rows
        .iter()
        .filter(|row| row.kind != "unread" && (exact || row.kind != "changed"))
        .map(|row| format!("{} {} {}:{} {:?} -> {:?}", row.kind, row.code, row.path, row.line, row.from, row.to))
        .collect();
    assert!(told.is_empty(), "{specimen}: not all is kept:\n{}", told.join("\n"));
    assert_eq!(totals.lost + totals.merged, 0, "{specimen}: {totals:?}");
}

fn only_vendors_are_unread(specimen: &str, report: &Report) {
    let known: Vec<String> = report
        .rows
        .iter()
        .filter(|row| row.kind == "unread" && !is_vendor(&row.path))
        .map(|row| format!("{}:{} {:?}", row.path, row.line, row.from))
        .collect();
    assert!(known.is_empty(), "{specimen}: unread though known:\n{}", known.join("\n"));
    assert!(report.rows.iter().all(|row| row.code == "foreign_kept"), "{specimen}: vendor markup is not written back");
}

fn is_vendor(path: &str) -> bool {
    path.split('/').any(|step| VENDOR_PREFIXES.iter().any(|prefix| step.trim_start_matches('@').starts_with(prefix)))
}

/// Every value of the source stands as often in the output, under an owner of the same name.
fn nothing_is_missing(specimen: &str, source: &[Leaf], output: &[Leaf]) {
    let mut have: BTreeMap<(String, String), usize> = BTreeMap::new();
    for leaf in output {
        *have.entry(key(leaf)).or_default() += 1;
    }
    let mut missing = Vec::new();
    for leaf in source {
        match have.get_mut(&key(leaf)) {
            Some(count) if *count > 0 => *count -= 1,
            _ if is_implied(leaf) || is_date(&leaf.value) => {}
            _ => missing.push(format!("{}:{} {:?}", leaf.path, leaf.line, leaf.value)),
        }
    }
    assert!(missing.is_empty(), "{specimen}: {} values are missing:\n{}", missing.len(), missing.join("\n"));
}

/// Local name of the owner (with the attribute's) and the value in a form that spelling does not change.
fn key(leaf: &Leaf) -> (String, String) {
    let owner = leaf.attribute.as_ref().map_or(leaf.owner.clone(), |name| format!("{}@{name}", leaf.owner));
    (owner, plain_form(&leaf.value))
}

/// Numbers without superfluous zeros, lists of `name=value;` in one order, letters in lower case.
fn plain_form(value: &str) -> String {
    let value = value.trim().to_lowercase();
    if value.contains("start=") || value.contains("end=") {
        let mut parts: Vec<&str> = value.split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
        parts.retain(|part| !part.contains("start=") && !part.contains("end="));
        parts.sort_unstable();
        return parts.join(";");
    }
    match value.contains('.') && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        true => value.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => value,
    }
}

fn is_implied(leaf: &Leaf) -> bool {
    leaf.attribute.as_deref().is_some_and(|name| IMPLIED.contains(&(name, leaf.value.as_str())))
}

/// Dates may be spelt in more than one way; that they say the same is seen in the model.
fn is_date(value: &str) -> bool {
    value.contains("2026") && value.contains(':') && !value.contains("tk")
}

/// Vendor leaves in document order.
fn vendor_order(xml: &str) -> Vec<(String, String)> {
    let vendors = leaves(xml).into_iter().filter(|leaf| VENDORS.contains(&leaf.namespace.as_str()));
    vendors.filter(|leaf| leaf.attribute.is_none()).map(|leaf| (leaf.owner, leaf.value.trim().to_owned())).collect()
}

/// What a reader knows stands in the model's own fields.
fn known_markup_is_not_foreign(specimen: &str, model: &Value) {
    let heads = model.get("feed").into_iter();
    let entries = model.get("entries").and_then(Value::as_array).into_iter().flatten();
    let mut foreign = 0;
    for item in heads.chain(entries).filter_map(|object| object.get("foreign")?.as_array()).flatten() {
        let path = item.get("path").and_then(Value::as_str).unwrap_or_default();
        assert!(is_vendor(path), "{specimen}: known, but foreign in the model: {item}");
        foreign += 1;
    }
    let has_vendors = specimen.starts_with("full");
    assert_eq!(foreign > 0, has_vendors, "{specimen}: {foreign} foreign values in the model");
}

fn pretty(model: &Value) -> String {
    serde_json::to_string_pretty(model).expect("a model can be written")
}

#[track_caller]
fn assert_same(expected: &str, found: &str, what: &str) {
    assert!(expected == found, "{what}: not the same\n{}", line_diff(expected, found));
}
