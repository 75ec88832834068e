//! Properties of `diff`, for samples, specimens and random documents: nothing against itself, nothing against its own
//! conversion, the same from both sides, exactly the leaf that was changed, nothing for another order or spelling, and all
//! of a list of edits.

use crate::common::count;
use crate::generate;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use generate::{Document, Random, document};
use serde_json::Value;
use transfeed::convert::{Bytes, Conversion, DropGroup, DroppedKind, Entries, Input};
use transfeed::diff::{ComparedValue, Comparison, DiffSums, Difference, Inputs, UnpairedEntry};
use transfeed::format;
use transfeed::options::Options;

fn options() -> Options {
    let now = transfeed::model::Date::parse("2026-03-01T08:00:00Z").map(|(date, _)| date);
    Options { threads: 1, now, ..Options::default() }
}

fn comparison() -> Comparison {
    Comparison { options: Options { threads: 1, ..Options::default() }, ..Comparison::default() }
}

/// The same, without what a conversion drops.
fn lenient() -> Comparison {
    Comparison { allow_conversion_drops: true, ..comparison() }
}

/// What a comparison finds.
fn compare(a: &[u8], b: &[u8], how: &Comparison) -> Result<(DiffSums, Vec<Difference>), transfeed::error::Error> {
    let (a, b) = (Bytes { name: "a", bytes: a }, Bytes { name: "b", bytes: b });
    let mut found = Vec::new();
    let (of_a, of_b): ([&dyn Input; 1], [&dyn Input; 1]) = ([&a], [&b]);
    let sums = how.run(Inputs { name: "a", inputs: &of_a }, Inputs { name: "b", inputs: &of_b }, &mut found)?;
    Ok((sums, found))
}

#[track_caller]
fn found(a: &[u8], b: &[u8]) -> Vec<Difference> {
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
    // what is seen in a small one need not be looked for in a large one
    all.sort_by_key(|(_, text)| text.len());
    assert!(all.len() > 10, "only {} documents", all.len());
    all
}

/// Random documents, the same ones in every run.
fn random() -> impl Iterator<Item = (u64, Document)> {
    (0..count(10, 60) as u64).map(|number| (number, document(Random::new(0x6469_6666 + number).next())))
}

fn documents() -> impl Iterator<Item = (String, Vec<u8>)> {
    let random =
        random().map(|(number, document)| (format!("{} {number}", document.format), document.text.into_bytes()));
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
    let dropped = books.rows().iter().any(|row| row.kind.name() == "unread" && row.code().name() != "foreign_kept");
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
            match compare(&text, output.as_bytes(), &lenient()) {
                Ok((_, found)) => {
                    let output = Bytes { name: "b", bytes: output.as_bytes() };
                    let written = Entries::open(&output, None).expect("it was read").format();
                    // nothing tells that Google's rules were applied, or that podcast tags go back into RSS for its sake
                    if matches!((target.id, written.id), ("video-sitemap", "sitemap") | ("rss", "rss-podcast")) {
                        continue;
                    }
                    let target = written;
                    if source == target && !is_whole(&books) {
                        continue;
                    }
                    same_format += usize::from(source == target);
                    if let Some(first) = found.first() {
                        let kept = std::env::temp_dir().join(format!("diff-{}", name.replace(['/', ' '], "-")));
                        std::fs::write(kept, &text).expect("the failing document can be written down");
                        failures.push(format!("{name} ({}) to {}: {} {first:?}", source.id, target.id, found.len()));
                    }
                }
                // what holds no entry may be no document of its format either
                Err(error) if output.trim().is_empty() => assert!(error.to_string().contains("empty"), "{error}"),
                Err(error) => failures.push(format!("{name} to {}: {error}", target.id)),
            }
        }
    }
    assert!(same_format > count(5, 20), "only {same_format} documents came back whole");
    assert!(failures.is_empty(), "{} of {compared}:\n{}", failures.len(), failures.join("\n"));
}

/// What a conversion drops is what a comparison misses for that reason, and no more.
#[test]
fn what_a_conversion_drops_is_removed() {
    for target in ["video-sitemap", "jsonld", "rss", "rss-podcast", "atom", "jsonfeed"] {
        let target = format::by_id(target).expect("a format");
        let (mut videos, mut entries) = (0, 0);
        for (name, text) in documents() {
            let input = Bytes { name: "a", bytes: &text };
            let mut output = Vec::new();
            let summary = Conversion::to(target).with(options()).run(&[&input], &mut output, None);
            let Ok(summary) = summary else { continue };
            let groups = summary.drops.groups();
            let by_itself =
                |group: &&DropGroup| group.kind == DroppedKind::Video && group.reason.code().name() == "video_dropped";
            let dropped: u64 = groups.iter().filter(by_itself).map(|group| group.videos).sum();
            let all: u64 = groups.iter().map(|group| group.videos).sum();
            assert_eq!(summary.objects.videos_dropped(), all, "{name}");
            let Ok((sums, told)) = compare(&text, &output, &comparison()) else { continue };
            let missing = |wanted: fn(&UnpairedEntry) -> bool| {
                let lone = |found: &&Difference| matches!(found, Difference::Removed(lone) if lone.why.is_some() && wanted(lone));
                told.iter().filter(lone).count() as u64
            };
            if sums.a.format == sums.b.format || sums.b.format != target.id {
                continue;
            }
            assert_eq!(missing(|lone| lone.video.is_some()), dropped, "videos of {name} to {}", target.id);
            assert_eq!(missing(|lone| lone.video.is_none()), summary.objects.dropped, "entries of {name}");
            (videos, entries) = (videos + dropped, entries + summary.objects.dropped);
        }
        let least = count(2, 5) as u64;
        assert!(target.family.is_feed() || videos + entries > least, "only {videos} videos and {entries} entries");
    }
}

/// A finding without places, in the order of what it says: what both directions have in common.
fn brief(found: &[Difference], swap: bool) -> BTreeSet<String> {
    let sides = |a: String, b: String| if swap { (b, a) } else { (a, b) };
    let told = |value: &Option<ComparedValue>| format!("{value:?}");
    found
        .iter()
        .flat_map(|found| match found {
            Difference::Added(lone) => vec![format!("{} {}", if swap { "removed" } else { "added" }, lone.entry)],
            Difference::Removed(lone) => vec![format!("{} {}", if swap { "added" } else { "removed" }, lone.entry)],
            Difference::Moved(moved) => vec![format!("{} {:?}", moved.field, sides(moved.a.clone(), moved.b.clone()))],
            Difference::Changed(changed) => {
                let lines = sides(changed.a_line.to_string(), changed.b_line.to_string());
                let fields = changed
                    .fields
                    .iter()
                    .map(|field| format!("{lines:?} {} {:?}", field.field, sides(told(&field.a), told(&field.b))));
                fields.collect()
            }
        })
        .collect()
}

#[test]
fn both_directions_find_the_same() {
    let all: Vec<(String, Vec<u8>)> = documents().take(90).collect();
    for (at, (name, a)) in all.iter().enumerate() {
        let (other, b) = &all[(at * 7 + 3) % all.len()];
        let compared = |a: &[u8], b: &[u8]| compare(a, b, &comparison()).unwrap_or_else(|error| panic!("{error}"));
        let ((there, found), (back, told)) = (compared(a, b), compared(b, a));
        assert_eq!(brief(&found, false), brief(&told, true), "{name} and {other}");
        let sums = |sums: &DiffSums| (sums.same, sums.moved, sums.changed, sums.fields.clone());
        assert_eq!(sums(&there), sums(&back), "{name} and {other}");
        assert_eq!((there.added, there.removed), (back.removed, back.added), "{name} and {other}");
        let how = Comparison { ignore: vec!["video".to_owned(), "title".to_owned()], ..comparison() };
        let ignoring = compare(a, b, &how).expect("both were read before").1;
        let names = |found: &Difference| match found {
            Difference::Changed(changed) => changed.fields.iter().map(|field| field.field.clone()).collect(),
            Difference::Moved(moved) => vec![moved.field.to_owned()],
            Difference::Added(_) | Difference::Removed(_) => Vec::new(),
        };
        let hidden = |name: &String| name == "title" || name.starts_with("title.") || name.starts_with("video");
        assert!(!ignoring.iter().flat_map(names).any(|name| hidden(&name)), "{name} and {other}");
    }
}

/// The places of all single values in a JSON value.
fn scalars(value: &Value, path: &str, all: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            let structure = ["line", "link_order", "kind", "inherited", "ns", "shape", "group", "sub"];
            // what an element of a module is called
            let called = |name: &str| {
                (name == "name" || name == "path")
                    && ["modules", "flags", "foreign"].iter().any(|list| path.contains(list))
            };
            let is_leaf = |name: &str| !structure.contains(&name) && !called(name);
            for (name, value) in members.iter().filter(|(name, _)| is_leaf(name)) {
                scalars(value, &format!("{path}/{name}"), all);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(number, item)| scalars(item, &format!("{path}/{number}"), all));
        }
        Value::String(_) | Value::Number(_) | Value::Bool(_) => all.push(path.to_owned()),
        Value::Null => (),
    }
}

/// A place without the numbers in it.
fn shape_of(path: &str) -> String {
    path.split('/').filter(|step| step.parse::<usize>().is_err()).collect::<Vec<_>>().join("/")
}

/// Another value of the same sort.
fn other(value: &Value) -> Value {
    match value {
        Value::String(text) if transfeed::model::Date::parse(text).is_some() && text.len() >= 10 => {
            Value::from("1999-12-31T23:59:59Z")
        }
        Value::String(text) if text.starts_with("http") => Value::from(format!("{text}-mutated")),
        Value::String(text) if text.parse::<f64>().is_ok() => Value::from("98765.5"),
        Value::String(text) => Value::from(format!("{text} mutated")),
        Value::Number(_) => Value::from(987_654),
        Value::Bool(flag) => Value::from(!flag),
        other => other.clone(),
    }
}

/// A model with its members in the order that it is known by.
fn model_text(model: &Value) -> String {
    let member = |name: &str| format!("\"{name}\": {}", model[name]);
    format!("{{{}}}", ["transfeed", "format", "feed", "entries"].map(member).join(", "))
}

/// The leaves of the head and of the entries of a model: field, value.
fn leaves(model: &[u8]) -> Vec<Vec<(&'static str, String)>> {
    let input = Bytes { name: "model", bytes: model };
    let entries = Entries::open(&input, None).expect("the model is read");
    let leaves = |entry: transfeed::model::Entry<'_>| {
        let mut all = Vec::new();
        entry.each_leaf(&mut |seen| all.push((seen.field.name(), seen.value.to_string())));
        all
    };
    let mut head = Vec::new();
    entries.feed().each_leaf(&mut |seen| head.push((seen.field.name(), seen.value.to_string())));
    std::iter::once(head).chain(entries.map(|entry| leaves(entry.expect("an entry is read")))).collect()
}

/// What random documents never hold.
const RARE: &str = r#"{"transfeed": "0.1", "format": "atom-media", "feed": {"title": "Harbour", "base": "https://example.com/", "links": [{"href": "https://example.com/l", "rel": "via", "hreflang": "fr", "title": "L", "type": "text/html", "length": 7}]}, "entries": [
    {"loc": "https://example.com/1", "base": "https://example.com/base/", "line": 1,
     "enclosures": [{"url": "https://example.com/1.pdf", "type": "application/pdf", "lang": "de"}],
     "alternates": [{"href": "https://example.com/de/1", "hreflang": "de", "title": "Ebbe", "length": 7}],
     "source": {"id": "urn:x", "language": "de", "base": "https://example.com/other/",
        "links": [{"href": "https://example.com/l", "rel": "via", "hreflang": "fr", "title": "L", "type": "text/html",
            "length": 7}]},
     "videos": [{"title": "Tide", "files": [{"url": "https://example.com/1.mp4", "codecs": "avc1"}],
        "available": {"start": "2026-01-01", "name": "spring"}}]},
    {"loc": "https://example.com/2", "title": "Another", "line": 2}]}"#;

/// What a finding names.
fn fields_of(found: &Difference) -> Vec<&str> {
    match found {
        Difference::Changed(changed) => changed.fields.iter().map(|field| field.field.as_str()).collect(),
        Difference::Moved(moved) => vec![moved.field],
        // by its address alone it was known
        Difference::Added(_) | Difference::Removed(_) => vec!["loc"],
    }
}

/// Changes each leaf below a member of a model, and looks at what is told; adds the fields that were.
fn change_each(
    name: &str,
    model: &Value,
    root: &str,
    tried: &mut BTreeMap<String, u8>,
    fields: &mut BTreeSet<&'static str>,
) {
    let mut paths = Vec::new();
    scalars(model.pointer(root).expect("the model has it"), root, &mut paths);
    // what is of no sort that can be changed is tried a few times
    paths.retain(|path| tried.get(&shape_of(path)).is_none_or(|tries| *tries < 3));
    let text = model_text(model);
    let before = leaves(text.as_bytes());
    for path in paths {
        let tries = tried.entry(shape_of(&path)).or_default();
        *tries = tries.saturating_add(1);
        let mut changed = model.clone();
        let place = changed.pointer_mut(&path).expect("it was found there");
        *place = other(place);
        let changed = model_text(&changed);
        let after = leaves(changed.as_bytes());
        if before.iter().map(Vec::len).ne(after.iter().map(Vec::len)) {
            // the value is none of its sort, or others hung on it
            continue;
        }
        let all = before.iter().flatten().zip(after.iter().flatten());
        let differ: BTreeSet<&str> = all.filter(|(one, two)| one != two).map(|(one, _)| one.0).collect();
        // a field is seen once, or, where properties are tried on much, in each place where it can be
        if differ.is_empty() || count(1, 0) > 0 && differ.is_subset(fields) {
            continue;
        }
        tried.insert(shape_of(&path), u8::MAX);
        let found = found(text.as_bytes(), changed.as_bytes());
        let told: BTreeSet<&str> = found.iter().flat_map(fields_of).collect();
        let entries =
            found.iter().filter(|found| !matches!(found, Difference::Added(_) | Difference::Removed(_))).count();
        // a default of the head is one of all its entries
        assert!(entries <= 1 || path.starts_with("/feed/media"), "{name} {path}: {found:?}");
        assert_eq!(told, differ, "{name} {path}: {found:?}");
        fields.extend(differ);
    }
}

/// The fields of the model that are not among these.
fn lacking(fields: &BTreeSet<&str>) -> Vec<&'static str> {
    let names = transfeed::model::Field::ALL.iter().map(|field| field.name());
    names.filter(|name| !fields.contains(name)).collect()
}

#[test]
fn exactly_the_leaf_that_was_changed_is_told() {
    let mut fields: BTreeSet<&str> = BTreeSet::new();
    let mut tried: BTreeMap<String, u8> = BTreeMap::new();
    let rare = ("rare".to_owned(), RARE.as_bytes().to_vec());
    for (name, text) in std::iter::once(rare).chain(documents()) {
        if lacking(&fields).is_empty() {
            break;
        }
        let (model, _) = Conversion::to(&format::json::JSON).with(options()).bytes(&text).expect("a model");
        let mut whole: Value = serde_json::from_str(&model).expect("JSON");
        let entries = std::mem::take(whole["entries"].as_array_mut().expect("it has entries"));
        whole["entries"] = entries.iter().take(1).cloned().collect();
        change_each(&name, &whole, "/feed", &mut tried, &mut fields);
        for (number, entry) in entries.iter().enumerate() {
            if lacking(&fields).is_empty() {
                break;
            }
            // the entry and one more, in which nothing changes
            let next = entries.get((number + 1) % entries.len()).filter(|next| *next != entry);
            whole["entries"] = [Some(entry), next].into_iter().flatten().cloned().collect();
            change_each(&name, &whole, "/entries/0", &mut tried, &mut fields);
        }
    }
    assert!(lacking(&fields).is_empty(), "never changed: {:?}", lacking(&fields));
}

/// A model of which one leaf was changed.
struct Mutant {
    /// The leaf.
    path: String,
    text: String,
    /// The fields whose values are others now.
    differ: BTreeSet<&'static str>,
}

impl Mutant {
    /// Changes a leaf; nothing, if that changes nothing, or more than values.
    fn new(model: &Value, path: &str, before: &[Vec<(&'static str, String)>]) -> Option<Mutant> {
        let mut changed = model.clone();
        let place = changed.pointer_mut(path)?;
        *place = other(place);
        let text = model_text(&changed);
        let after = leaves(text.as_bytes());
        if before.iter().map(Vec::len).ne(after.iter().map(Vec::len)) {
            return None;
        }
        let all = before.iter().flatten().zip(after.iter().flatten());
        let differ: BTreeSet<_> = all.filter(|(one, two)| one != two).map(|(one, _)| one.0).collect();
        (!differ.is_empty()).then(|| Mutant { path: path.to_owned(), text, differ })
    }
}

/// What a finding is about, without what about it.
fn named(found: &Difference) -> impl Iterator<Item = &str> {
    fields_of(found).into_iter().map(|name| name.strip_suffix(".kind").unwrap_or(name))
}

/// A model in another format.
struct Converted {
    model: String,
    target: &'static format::Format,
    output: String,
}

impl Converted {
    fn new(model: &str, target: &'static format::Format) -> Converted {
        let (output, _) = Conversion::to(target).with(options()).bytes(model.as_bytes()).expect("a model is read");
        Converted { model: model.to_owned(), target, output }
    }

    /// The format that the output is read as: RSS with tags of a podcast is one, whoever wrote it.
    fn read_as(&self) -> &'static format::Format {
        let output = Bytes { name: "b", bytes: self.output.as_bytes() };
        let found = Entries::open(&output, None).map(|entries| entries.format()).ok();
        found.filter(|found| format::targets().any(|target| target.id == found.id)).unwrap_or(self.target)
    }

    /// What is wrong with what is told of it, and of the model after a leaf was changed there; the other way round, if
    /// `swap`. It must be told of under its name, or under that of what it is here, or be among what cannot be compared.
    fn fault(&self, mutant: &Mutant, source: &str, swap: bool) -> Option<String> {
        let (a, b) = (mutant.text.as_bytes(), self.output.as_bytes());
        // what holds no entry may be no document of its format either
        if self.output.trim().is_empty() {
            return None;
        }
        let (sums, told) = match compare(if swap { b } else { a }, if swap { a } else { b }, &lenient()) {
            Ok(told) => told,
            Err(error) => return Some(error.to_string()),
        };
        let lone = told.iter().any(|found| matches!(found, Difference::Added(_) | Difference::Removed(_)));
        let names: BTreeSet<&str> =
            told.iter().flat_map(named).chain(sums.not_comparable.iter().map(|row| row.field)).collect();
        let is_of_video = mutant.differ.iter().any(|name| name.starts_with("video."));
        let is_told = lone || names.contains("entry") || is_of_video && names.contains("video");
        if is_told || mutant.differ.iter().any(|name| names.contains(name)) {
            return None;
        }
        // what it became here, and what that is where it came from
        let target = self.read_as();
        let [before, again] = [&self.model, &mutant.text].map(|model| Converted::new(model, target).output);
        let mut became = if again == before { Vec::new() } else { found(before.as_bytes(), again.as_bytes()) };
        if let Some(source) = format::targets().find(|format| format.id == source && !became.is_empty()) {
            let [before, after] = [&before, &again].map(|output| Converted::new(output, source).output);
            became.extend(found(before.as_bytes(), after.as_bytes()));
        }
        let became: BTreeSet<&str> = became.iter().flat_map(named).collect();
        if became.iter().any(|name| names.contains(name)) {
            return None;
        }
        Some(format!(
            "{:?} changed and is said to be the same; written, it changes {became:?}; told: {names:?}",
            mutant.differ
        ))
    }
}

/// The share of changes that are tried in `what_differs_between_formats_is_never_said_to_be_the_same`, in percent of
/// some ten thousand; all of them with `TRANSFEED_DIFF_SHARE=100`.
fn share() -> usize {
    std::env::var("TRANSFEED_DIFF_SHARE").ok().and_then(|share| share.parse().ok()).unwrap_or(count(1, 4))
}

#[test]
fn what_differs_between_formats_is_never_said_to_be_the_same() {
    let rare = ("rare".to_owned(), RARE.as_bytes().to_vec());
    let mut random = Random::new(0x6c65_6176);
    let mut tried: BTreeMap<String, u8> = BTreeMap::new();
    let (mut changed, mut failures) = (0, Vec::new());
    for (name, text) in std::iter::once(rare).chain(documents()).step_by(count(3, 1)) {
        let (model, _) = Conversion::to(&format::json::JSON).with(options()).bytes(&text).expect("a model");
        let mut whole: Value = serde_json::from_str(&model).expect("JSON");
        let source = whole["format"].as_str().unwrap_or_default().to_owned();
        let wanted = |target: &&format::Format| source != "sitemap-index" || target.id == "sitemap";
        let targets: Vec<_> = format::targets().filter(wanted).collect();
        let entries = std::mem::take(whole["entries"].as_array_mut().expect("it has entries"));
        for (number, entry) in entries.iter().enumerate() {
            let next = entries.get((number + 1) % entries.len()).filter(|next| *next != entry);
            whole["entries"] = [Some(entry), next].into_iter().flatten().cloned().collect();
            let mut paths = Vec::new();
            scalars(&whole["feed"], "/feed", &mut paths);
            scalars(&whole["entries"][0], "/entries/0", &mut paths);
            // what is of no sort that can be changed is tried a few times
            paths.retain(|path| {
                let tries = tried.entry(format!("{source} {}", shape_of(path))).or_default();
                *tries = tries.saturating_add(1);
                *tries <= 3
            });
            let chosen = |path: String| {
                let of_them: Vec<_> = targets.iter().filter(|_| random.chance(share())).collect();
                (!of_them.is_empty()).then_some((path, of_them))
            };
            let chosen: Vec<_> = paths.into_iter().filter_map(chosen).collect();
            if chosen.is_empty() {
                continue;
            }
            let text = model_text(&whole);
            let before = leaves(text.as_bytes());
            let mut converted: BTreeMap<&str, Converted> = BTreeMap::new();
            for (path, chosen) in chosen {
                let Some(mutant) = Mutant::new(&whole, &path, &before) else { continue };
                for target in chosen {
                    let converted = converted.entry(target.id).or_insert_with(|| Converted::new(&text, target));
                    let swap = random.chance(50);
                    changed += 1;
                    if let Some(fault) = converted.fault(&mutant, &source, swap) {
                        let mirrored = if swap { ", mirrored" } else { "" };
                        let value = whole.pointer(&mutant.path).cloned().unwrap_or_default();
                        failures
                            .push(format!("{name} to {}{mirrored}: {} of {value}: {fault}", target.id, mutant.path));
                    }
                }
            }
        }
    }
    assert!(changed > count(30, 100), "only {changed} changes were tried");
    assert!(failures.is_empty(), "{} of {changed}:\n{}", failures.len(), failures.join("\n"));
}

/// A document of pages whose texts and order are easily changed.
fn pages(pages: &[(u32, String)]) -> Vec<u8> {
    let entry = |(number, title): &(u32, String)| {
        format!(
            "<item><title>{title}</title><link>https://example.com/{number}</link><guid isPermaLink=\"false\">id-{number}</guid>\
             <description>Words of {number}</description></item>"
        )
    };
    let entries: String = pages.iter().map(entry).collect::<Vec<_>>().join("\n");
    format!("<rss version=\"2.0\"><channel><title>T</title><link>https://example.com/</link><description>D</description>\n{entries}\n</channel></rss>")
        .into_bytes()
}

#[test]
fn another_order_is_no_difference_unless_it_is_asked_for() {
    let mut random = Random::new(7);
    // a page may stand several times
    let all: Vec<(u32, String)> = (0..300).map(|number| (number / 2 * 2, format!("Title {}", number % 5))).collect();
    let mut shuffled = all.clone();
    for last in (1..shuffled.len()).rev() {
        shuffled.swap(last, random.below(last + 1));
    }
    let (a, b) = (pages(&all), pages(&shuffled));
    assert_eq!(found(&a, &b), []);
    // the same where what stands around the entries is spelt otherwise, so that all of them are read
    let other = String::from_utf8(b.clone()).unwrap().replace("<rss version=\"2.0\">", "<rss  version='2.0'>");
    assert_eq!(found(&a, other.as_bytes()), []);
    let ordered = Comparison { order: true, ..comparison() };
    let (sums, found) = compare(&a, &b, &ordered).expect("both are read");
    assert!(sums.moved > 200 && sums.moved < 300, "{sums:?}");
    assert!(found.iter().all(|found| matches!(found, Difference::Moved(moved) if moved.field == "order")));
}

#[test]
fn a_list_of_edits_is_found_again() {
    let mut random = Random::new(11);
    for round in 0..40 {
        let all: Vec<(u32, String)> = (0..120).map(|number| (number, format!("Title {number}"))).collect();
        let (mut edited, mut edits) = (Vec::new(), BTreeSet::new());
        for (number, title) in &all {
            match random.below(12) {
                0 => {
                    edits.insert(format!("removed https://example.com/{number}"));
                }
                1 => {
                    edits.insert(format!("changed https://example.com/{number} title"));
                    edited.push((*number, format!("{title}, again")));
                }
                2 => {
                    edits.insert(format!("added https://example.com/{}", 1000 + number));
                    edited.extend([(*number, title.clone()), (1000 + number, "New".to_owned())]);
                }
                _ => edited.push((*number, title.clone())),
            }
        }
        let told: BTreeSet<String> = found(&pages(&all), &pages(&edited))
            .iter()
            .map(|found| match found {
                Difference::Added(lone) => format!("added {}", lone.key),
                Difference::Removed(lone) => format!("removed {}", lone.key),
                Difference::Moved(moved) => format!("moved {}", moved.key),
                Difference::Changed(changed) => {
                    let fields: Vec<&str> = changed.fields.iter().map(|field| field.field.as_str()).collect();
                    format!("changed {} {}", changed.key, fields.join(" "))
                }
            })
            .collect();
        assert_eq!(told, edits, "round {round}");
    }
}

#[test]
fn another_spelling_is_no_difference() {
    let respelt = [
        (
            r#"<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>A &amp; b</title><link>https://example.com/</link><description>D</description>
               <item><title>Ebb &amp; flow</title><link>https://example.com/%7Efilms/1</link><pubDate>Sun, 01 Mar 2026 08:00:00 GMT</pubDate>
               <category domain="urn:a">one</category><category>two</category>
               <media:content url="https://example.com/1.mp4" type="video/mp4" duration="77" isDefault="false"><media:title>Ebb</media:title><media:keywords>a, b</media:keywords><media:restriction relationship="allow" type="country">de fr</media:restriction></media:content></item></channel></rss>"#,
            r#"<?xml version='1.0'?><rss xmlns:m='http://search.yahoo.com/mrss/' version='2.0'><channel><description><![CDATA[D]]></description><title><![CDATA[A & b]]></title><link>HTTPS://EXAMPLE.com:443</link>
               <item><m:content duration="1:17" type='Video/MP4' url=' https://Example.com/1.mp4'><m:restriction type="country" relationship="ALLOW">FR  DE</m:restriction><m:keywords>b,a</m:keywords><m:title>Ebb
               </m:title></m:content><category>two</category><category domain='urn:a'>one</category>
               <pubDate>Sun, 1 Mar 2026 09:00:00 +0100</pubDate><link>https://example.com/~films/1</link><title>Ebb &#38;   flow</title></item></channel></rss>"#,
        ),
        (
            r#"<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:f</id><title type="html">&lt;b&gt;Tide&lt;/b&gt;</title><updated>2026-03-01T08:00:00Z</updated>
               <entry><id>urn:1</id><title>One</title><link href="https://example.com/1"/><updated>2026-03-01T08:00:00Z</updated><x:y xmlns:x="urn:x" b="2" a="1"><x:z>w</x:z></x:y></entry></feed>"#,
            r#"<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:updated>2026-03-01T08:00:00.000Z</a:updated><a:title type="html"><![CDATA[<b>Tide</b>]]></a:title><a:id>urn:f</a:id>
               <a:entry><q:y a="1" b="2" xmlns:q="urn:x"><q:z><![CDATA[w]]></q:z></q:y><a:updated>2026-03-01T09:00:00+01:00</a:updated><a:link rel="alternate" href="https://example.com/1"/><a:title type="text"> One</a:title><a:id>urn:1</a:id></a:entry></a:feed>"#,
        ),
        (
            r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2026-03-01</lastmod><priority>0.5</priority></url></urlset>"#,
            r#"<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:priority>0.50</s:priority><s:loc> https://EXAMPLE.com/a?b=1&#x26;c=2 </s:loc><s:lastmod>2026-03-01T17:00:00Z</s:lastmod></s:url></s:urlset>"#,
        ),
    ];
    for (number, (a, b)) in respelt.iter().enumerate() {
        assert_eq!(found(a.as_bytes(), b.as_bytes()), [], "pair {number}");
    }
}

/// A document of pages of which some were taken out, put elsewhere, repeated, changed or spelt otherwise.
fn edited(pages: &[(u32, String)], random: &mut Random) -> Vec<(u32, String)> {
    let mut edited: Vec<(u32, String)> = pages.to_vec();
    for _ in 0..random.below(12) {
        if edited.is_empty() {
            break;
        }
        let (at, to) = (random.below(edited.len()), random.below(edited.len()));
        match random.below(6) {
            0 => drop(edited.remove(at)),
            1 => edited.insert(to, edited[at].clone()),
            2 => edited[at].1.push_str(" again"),
            3 => {
                let moved = edited.remove(at);
                edited.insert(to, moved);
            }
            4 => edited.rotate_left(at),
            _ => edited.truncate(at.max(3)),
        }
    }
    edited
}

/// What stands between entries and around them, spelt in ways that splitters stumble over.
fn roughened(text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let text = String::from_utf8(text).expect("pages are UTF-8");
    let text = match random.below(8) {
        0 => text.replace('\n', "\r\n"),
        1 => text.replace("</item>\n", "</item><!-- <item> --><?x <item>?>\n"),
        2 => text.replacen("</item>\n", "</item>\n<language>de</language>\n", 3),
        3 => text.replacen("<rss ", "<rss xml:base=\"https://other.example/\" ", 1),
        4 => text.replacen("<rss ", "<rss xmlns:media=\"https://other.example/\" ", 1),
        5 => text.get(..text.len() * 2 / 3).unwrap_or_default().to_owned(),
        _ => text,
    };
    text.into_bytes()
}

#[test]
fn walking_side_by_side_finds_what_sorting_finds() {
    let mut random = Random::new(23);
    let mut differ = 0;
    for round in 0..400 {
        // the same page several times, with the same words and with others
        let all: Vec<(u32, String)> =
            (0..random.below(60) as u32).map(|number| (number % 17, format!("Title {}", number % 5))).collect();
        let (a, b) = (pages(&all), pages(&edited(&all, &mut random)));
        let (a, b) = (roughened(a, &mut random), roughened(b, &mut random));
        // without memory all hashes are sorted
        let sorting = Comparison { options: Options { threads: 1, memory: 0, ..Options::default() }, ..comparison() };
        let (walked, sorted) = (compare(&a, &b, &comparison()), compare(&a, &b, &sorting));
        let (walked, sorted) = (walked.expect("both are read"), sorted.expect("both are read"));
        assert_eq!(format!("{walked:?}"), format!("{sorted:?}"), "round {round}");
        differ += usize::from(!walked.1.is_empty());
    }
    assert!(differ > 200, "only {differ} differ");
}

#[test]
fn what_was_written_is_compared_as_what_is_read() {
    let mut random = Random::new(29);
    let sitemap = format::targets().find(|format| format.id == "sitemap").expect("a target");
    let mut differ = 0;
    for round in 0..200 {
        let all: Vec<(u32, String)> =
            (0..random.below(40) as u32).map(|number| (number % 31, format!("Title {}", number % 5))).collect();
        let a = pages(&all);
        let other = pages(&edited(&all, &mut random));
        let (b, _) = Conversion::to(sitemap).with(options()).bytes(&other).expect("a sitemap");
        // an entry that cannot be read has both sides read and held against each other one by one
        let broken = b.replacen("</urlset>", "<url><loc>https://example.com/broken</url></loc></urlset>", 1);
        for swap in [false, true] {
            let of = |b: &str| {
                let (a, b) = if swap { (b.as_bytes(), &a[..]) } else { (&a[..], b.as_bytes()) };
                compare(a, b, &comparison()).expect("both are read")
            };
            let ((walked, found), (read, mut told)) = (of(&b), of(&broken));
            let last = broken.lines().count() as u32;
            told.retain(|found| match found {
                Difference::Added(lone) => swap || lone.line < last,
                Difference::Removed(lone) => !swap || lone.line < last,
                Difference::Moved(_) | Difference::Changed(_) => true,
            });
            assert_eq!(format!("{found:?}"), format!("{told:?}"), "round {round}");
            assert_eq!((walked.same, walked.changed), (read.same, read.changed), "round {round}");
            assert_eq!(format!("{:?}", walked.not_comparable), format!("{:?}", read.not_comparable), "round {round}");
            differ += usize::from(!found.is_empty());
        }
    }
    assert!(differ > 100, "only {differ} differ");
}

/// Memory grows by some bytes an entry, whatever differs.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_a_few_bytes_an_entry() {
    let dir = crate::common::scratch("diff-memory");
    let write = |name: &str, numbers: &mut dyn Iterator<Item = u32>, priority: &dyn Fn(u32) -> u32| {
        let mut text = String::from("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
        for number in numbers {
            let priority = priority(number);
            text.push_str(&format!(
                "<url><loc>https://www.example.com/watch/{number}</loc><priority>0.{priority}</priority></url>\n"
            ));
        }
        std::fs::write(dir.join(name), text + "</urlset>").expect("written");
    };
    let entries = count(15_000, 60_000) as u32;
    write("a.xml", &mut (0..entries), &|_| 5);
    write("edited.xml", &mut (0..entries), &|number| if number % 1000 == 0 { 6 } else { 5 });
    write("reversed.xml", &mut (0..entries).rev(), &|_| 5);
    write("shifted.xml", &mut (0..entries).map(|number| (number + entries / 3) % entries), &|_| 5);
    for (other, more) in
        [("edited.xml", &[][..]), ("reversed.xml", &[]), ("shifted.xml", &[]), ("edited.xml", &["--order"])]
    {
        let args = [&["diff", "a.xml", other, "--max-changed", "100%", "--stat", "-j", "2"], more].concat();
        let (peak, code, stderr) = crate::common::watch(&dir, &args);
        assert_eq!(code, Some(0), "{stderr}");
        let most = 48 * 1024 + u64::from(entries) * 2 * 48 / 1024;
        assert!(peak > 1_000 && peak < most, "{other} {more:?}: {peak} KiB of {most}");
    }
}

/// What lies beside an index is what lies there: a link that leads elsewhere is not followed.
#[cfg(unix)]
#[test]
fn a_part_of_an_index_stays_beside_it() {
    use crate::common::{scratch, transfeed};
    let dir = scratch("diff-index-link");
    let sitemap = |name: &str, tag: &str, loc: &str| {
        let (outer, inner) = if tag == "sitemap" { ("sitemapindex", "sitemap") } else { ("urlset", "url") };
        let loc = format!("https://pond.example/{loc}");
        let text = format!(
            "<{outer} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><{inner}><loc>{loc}</loc></{inner}></{outer}>"
        );
        std::fs::create_dir_all(dir.join(name).parent().expect("a folder")).expect("folders");
        std::fs::write(dir.join(name), text).expect("written");
    };
    sitemap("maps/index.xml", "sitemap", "l.xml");
    sitemap("secret/p.xml", "url", "secret");
    sitemap("other.xml", "url", "1");
    std::os::unix::fs::symlink("../secret/p.xml", dir.join("maps/l.xml")).expect("a link");
    let run = transfeed(&dir, &["diff", "maps/index.xml", "other.xml"], None);
    assert!(!run.text().contains("secret"), "{}", run.text());
    assert!(run.stderr.contains("no sitemap of this index is next to it; comparing their URLs"), "{}", run.stderr);
    // one that leads to another file there is as good as any
    std::fs::remove_file(dir.join("maps/l.xml")).expect("removed");
    sitemap("maps/p.xml", "url", "1");
    std::os::unix::fs::symlink("p.xml", dir.join("maps/l.xml")).expect("a link");
    let run = transfeed(&dir, &["diff", "maps/index.xml", "other.xml"], None);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.text());
}

/// Two files that are shown alike are two files.
#[cfg(target_os = "linux")]
#[test]
fn files_that_are_shown_alike_are_told_apart() {
    use std::os::unix::ffi::OsStrExt;
    let dir = crate::common::scratch("diff-names");
    for (folder, pages) in [("a", [1, 2]), ("b", [1, 3])] {
        std::fs::create_dir_all(dir.join(folder)).expect("a folder");
        for (name, page) in [(&b"\xff.txt"[..], pages[0]), (&b"\\xff.txt"[..], pages[1])] {
            let path = dir.join(folder).join(std::ffi::OsStr::from_bytes(name));
            std::fs::write(path, format!("https://pond.example/{page}\n")).expect("written");
        }
    }
    let sums = |args: &[&str]| {
        let run = crate::common::transfeed(&dir, &[&["diff", "a", "b"], args].concat(), None);
        (run.code, run.text())
    };
    let (code, told) = sums(&["--stat"]);
    assert!(told.contains("2 files compared, 1 the same"), "{told}");
    assert_eq!(code, 1);
    let (_, told) = sums(&["--merge"]);
    assert!(told.contains("2 entries of text, 2 entries of text"), "{told}");
}
