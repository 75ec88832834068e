//! Conservation: whatever stands in a document, the output has it or the report names it.
//!
//! Random documents of every input format carry a token of its own in every value that can hold one. Each
//! document is converted; a token that is neither in the output nor in a report line under its true path and
//! line is a silent loss. By default 500 documents with one random target each, with `TRANSFEED_FULL` 2000;
//! `TRANSFEED_CONSERVATION=N` converts N documents to every target, `TRANSFEED_SEED=N` starts elsewhere.
//!
//! What a conversion should keep is not asked here (tests/retention.rs, tests/cases), only that it tells.

#[path = "records.rs"]
mod records;

use crate::common;
use crate::generate;
use crate::tables;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Leaf, Report, count, leaves, scratch, try_convert};
use generate::{Document, FORMATS, KINDS, Random, document, table, wide};

/// Every format that can be written.
const TARGETS: &[&str] = &[
    "rss",
    "mrss",
    "rss-podcast",
    "atom",
    "atom-media",
    "sitemap",
    "video-sitemap",
    "jsonld",
    "text",
    "csv",
    "jsonfeed",
    "json",
    "jsonl",
];

/// The seed of the first document unless `TRANSFEED_SEED` says otherwise.
const SEED: u64 = 0x7472_616e_7366;

/// How many different failures are printed.
const SHOWN: usize = 40;

#[test]
fn every_value_is_in_the_output_or_in_the_report() {
    let plan = Plan::from_environment();
    let failures = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    let dir = scratch("conservation");
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (plan, failures, next, dir) = (&plan, &failures, &next, &dir);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.documents {
                        break;
                    }
                    one_document(plan, number, dir, failures);
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no thread has panicked");
    assert!(failures.is_empty(), "{}", told(&failures, &plan));
}

/// What a run covers.
struct Plan {
    documents: usize,
    all_targets: bool,
    seed: u64,
}

impl Plan {
    fn from_environment() -> Self {
        let number = |name: &str| {
            std::env::var(name)
                .ok()
                .map(|text| text.parse::<u64>().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
        };
        let more = number("TRANSFEED_CONSERVATION");
        Plan {
            documents: more.map_or_else(|| count(300, 2000), |more| more as usize),
            all_targets: more.is_some(),
            seed: number("TRANSFEED_SEED").unwrap_or(SEED),
        }
    }
}

/// Failures of one kind: how many, and the first with what it takes to see it again.
struct Failure {
    count: usize,
    example: String,
}

type Failures = Mutex<BTreeMap<String, Failure>>;

fn one_document(plan: &Plan, number: usize, dir: &Path, failures: &Failures) {
    let seed = Random::new(plan.seed.wrapping_add(number as u64)).next();
    let document = wide(seed);
    let source = Source::of(&document);
    let chosen = TARGETS[Random::new(!seed).below(TARGETS.len())];
    let targets = if plan.all_targets { TARGETS } else { &[chosen] };
    for target in targets {
        let options = options(target, seed);
        let faults = convert(&document, &source, target, &options);
        if faults.is_empty() {
            continue;
        }
        let file = dir.join(format!("{}-{number}.xml", document.format));
        std::fs::write(&file, &document.text).expect("the failing document can be written down");
        let mut failures = failures.lock().expect("no thread has panicked");
        for (kind, detail) in faults {
            let failure = failures.entry(format!("{} to {target}: {kind}", document.format)).or_insert_with(|| {
                let example = format!(
                    "{detail}\n    transfeed convert {} --to {target} {} --report r.jsonl",
                    file.display(),
                    options.join(" ")
                );
                Failure { count: 0, example }
            });
            failure.count += 1;
        }
    }
}

fn told(failures: &BTreeMap<String, Failure>, plan: &Plan) -> String {
    let mut text = format!(
        "{} kinds of failure in {} documents (TRANSFEED_SEED={}):\n",
        failures.len(),
        plan.documents,
        plan.seed
    );
    let mut sorted: Vec<_> = failures.iter().collect();
    sorted.sort_by_key(|(_, failure)| std::cmp::Reverse(failure.count));
    for (kind, Failure { count, example }) in sorted.into_iter().take(SHOWN) {
        let _ = writeln!(text, "{count} × {kind}\n    {example}");
    }
    text
}

/// A document's leaves and where its tokens stand.
struct Source {
    leaves: Vec<Leaf>,
    /// Token to the leaves that hold it.
    tokens: BTreeMap<String, Vec<usize>>,
}

impl Source {
    fn of(document: &Document) -> Self {
        let leaves = if document.format == "text" { lines(&document.text) } else { leaves(&document.text) };
        let mut tokens: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, leaf) in leaves.iter().enumerate() {
            for token in tokens_in(&leaf.value) {
                tokens.entry(token.to_owned()).or_default().push(at);
            }
        }
        Source { leaves, tokens }
    }
}

/// The leaves of a text sitemap: its lines. They have no path that the contract names.
fn lines(text: &str) -> Vec<Leaf> {
    let leaf = |(number, line): (usize, &str)| Leaf {
        path: String::new(),
        owner: String::new(),
        attribute: None,
        namespace: String::new(),
        value: line.trim().to_owned(),
        line: number as u32 + 1,
        column: 1,
        element: number,
    };
    text.lines().enumerate().map(leaf).filter(|leaf| !leaf.value.is_empty()).collect()
}

/// Every `tk` with its six digits.
fn tokens_in(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("tk").filter_map(|(at, _)| {
        let token = text.get(at..at + 8)?;
        token.bytes().skip(2).all(|byte| byte.is_ascii_digit()).then_some(token)
    })
}

/// Options that change what is written, a few of them for each document.
const OPTIONS: &[&str] = &[
    "--only-with-video",
    "--limit=2",
    "--since=2010",
    "--drop-expired",
    "--drop-field=title,video.player",
    "--drop-field=feed,video.file",
    "--drop-field=foreign,*.module*,video.tags",
    "--where=not video.duration > 60",
    "--foreign=keep",
    "--foreign=drop",
    "--no-synth",
    "--pretty",
    "--no-group",
    "--no-deprecated",
    "--keep-inactive",
    "--fit-titles",
    "--title-from=slug",
    "--thumbnails-as-images",
    "--default-thumbnail=https://made.example/t.jpg",
    "--thumbnail-from-feed",
    "--thumbnail-from-html",
    "--feed-changefreq",
    "--lastmod-from-published",
    "--pubdate-from-lastmod",
    "--keep-fragments",
    "--absolutize-html",
    "--base=https://made.example/in/",
    "--ext=none",
    "--ext=image,alternates",
    "--ext=news",
    "--news-name=Made",
    "--for=none",
    "--for=google",
    "--for=yandex",
    "--rendition=smallest",
    "--rendition=largest",
    "--rendition=first",
    "--rendition=type=video/webm",
    "--rendition=height<=500",
    "--one-item-per-page",
    "--one-item-per-video",
    "--no-merge-ungrouped",
    "--assume-video",
    "--no-rewrite",
    "--decode-twice",
    "--self=https://example.com/made.xml",
    "--ext=alternates",
    "--ext=image",
    "--ext=image,news,alternates",
    "--memory=1KiB",
    "--iri",
];

/// The options of a document: for half of the documents none. Each is given once, and Yandex takes no feeds.
fn options(target: &str, seed: u64) -> Vec<&'static str> {
    let mut random = Random::new(seed ^ 0x006f_7074_696f_6e73);
    let mut drawn: Vec<&'static str> = Vec::new();
    if random.chance(50) {
        return drawn;
    }
    let name = |option: &'static str| match option.split('=').next().unwrap_or(option) {
        "--one-item-per-video" => "--one-item-per-page",
        name => name,
    };
    let feed = ["rss", "mrss", "rss-podcast", "atom", "atom-media", "jsonfeed"].contains(&target);
    // where one excludes another, the first of them would win too often
    let start = random.below(OPTIONS.len());
    let (late, early) = OPTIONS.split_at(start);
    for option in early.iter().chain(late).copied() {
        let known = drawn.iter().any(|other| name(other) == name(option));
        if random.chance(15) && !known && !(feed && option == "--for=yandex") {
            drawn.push(option);
        }
    }
    drawn
}

/// Converts a document and returns what is wrong: a kind that is the same for like failures, and the details.
fn convert(document: &Document, source: &Source, target: &str, options: &[&str]) -> Vec<(String, String)> {
    match try_convert(document.text.as_bytes(), target, options) {
        Ok(converted) => faults(document, source, &converted.report, &converted.output),
        Err((code, message)) => {
            vec![(format!("exit code {code}"), message.lines().next().unwrap_or_default().to_owned())]
        }
    }
}

fn faults(document: &Document, source: &Source, report: &Report, output: &str) -> Vec<(String, String)> {
    let mut faults = Vec::new();
    let counted = (source.leaves.len() + document.bare) as u64;
    if !(counted..=counted + document.flags as u64).contains(&report.totals.leaves) {
        let detail = format!("{counted} leaves stand in the document, the report says {}", report.totals.leaves);
        faults.push(("leaves miscounted".to_owned(), detail));
    }
    faults.extend(torn(&source.leaves, report).map(|detail| ("kept although its value is lost".to_owned(), detail)));
    let written: HashSet<&str> = tokens_in(output).collect();
    let mut told: HashMap<(&str, u32), Vec<&str>> = HashMap::new();
    for row in &report.rows {
        let path = if document.format == "text" { "" } else { row.path.as_str() };
        told.entry((path, row.line)).or_default().extend(row.from.as_deref());
    }
    let named = |token: &str, leaf: &Leaf| {
        told.get(&(leaf.path.as_str(), leaf.line))
            .is_some_and(|values| values.iter().any(|value| value.contains(token)))
    };
    for (token, places) in &source.tokens {
        if written.contains(token.as_str()) || places.iter().any(|at| named(token, &source.leaves[*at])) {
            continue;
        }
        let leaf = &source.leaves[places[0]];
        let near: Vec<String> = report
            .rows
            .iter()
            .filter(|row| row.from.as_deref().is_some_and(|from| from.contains(token.as_str())))
            .map(|row| format!("{} at {}:{}", row.path, row.line, row.column))
            .collect();
        let kind = if near.is_empty() { "silently lost" } else { "reported under a wrong path or line" };
        let owner = leaf.attribute.as_ref().map_or(leaf.owner.clone(), |name| format!("{}@{name}", leaf.owner));
        let detail =
            format!("{token} of {} at {}:{} in {:?} {near:?}", leaf.path, leaf.line, leaf.column, cut(&leaf.value));
        faults.push((format!("{kind}: {owner}"), detail));
    }
    faults
}

/// The attributes that speak of the value of their element, and mean nothing without it.
const SPEAK_OF_IT: &[&str] = &["rel", "type", "hreflang", "lang", "scheme", "domain", "mode", "role"];

/// An attribute that speaks of a lost value and is itself said to be kept: what is in no row of the report is kept. The
/// value of an element is its text, or its address.
fn torn(leaves: &[Leaf], report: &Report) -> Option<String> {
    let place = |leaf: &Leaf| (leaf.path.clone(), leaf.line, leaf.column);
    let told: HashMap<(String, u32, u32), &str> = report
        .rows
        .iter()
        .filter(|row| row.kind != "made")
        .map(|row| ((row.path.clone(), row.line, row.column), row.kind.as_str()))
        .collect();
    // the relationship is the value of a restriction, and a rendition is more than its address
    let is_apart = |leaf: &&Leaf| {
        let owner = leaf.owner.as_str();
        matches!(owner, "restriction" | "alternateEnclosure") || owner == "content" && leaf.path.contains(':')
    };
    let others = leaves.iter().filter(|leaf| !is_apart(leaf));
    let mut elements: BTreeMap<usize, Vec<&Leaf>> = BTreeMap::new();
    others.for_each(|leaf| elements.entry(leaf.element).or_default().push(leaf));
    for parts in elements.values() {
        let named = |name: &str| parts.iter().find(|leaf| leaf.attribute.as_deref() == Some(name));
        let text = parts.iter().find(|leaf| leaf.attribute.is_none());
        let Some(value) = text.or_else(|| ["href", "url", "src"].into_iter().find_map(named)) else { continue };
        if told.get(&place(value)) != Some(&"lost") {
            continue;
        }
        let kept = |leaf: &&&Leaf| {
            let speaks = leaf.attribute.as_deref().is_some_and(|name| SPEAK_OF_IT.contains(&name));
            speaks && !told.contains_key(&place(leaf))
        };
        if let Some(kept) = parts.iter().find(kept) {
            return Some(format!("{} = {:?} at {}:{}", kept.path, kept.value, kept.line, kept.column));
        }
    }
    None
}

/// The same of documents that people and programs wrote: samples, fixtures, and the corpus where it is.
#[test]
fn what_belongs_to_a_lost_value_is_lost_with_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open = vec![root.join("samples"), root.join("tests/fixtures"), root.join("../shared/corpus")];
    let (mut read, mut looked) = (0, 0);
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let text = text.trim_start_matches('\u{feff}');
            if text.len() > 200_000 || roxmltree::Document::parse(text).is_err() {
                continue;
            }
            // every fourth of them, where few are enough
            read += 1;
            if read % count(4, 1) != 0 {
                continue;
            }
            let leaves = leaves(text);
            for target in ["text", "sitemap", "video-sitemap", "rss", "mrss", "rss-podcast", "atom", "atom-media"] {
                let Ok(converted) = try_convert(text.as_bytes(), target, &[]) else { continue };
                let torn = torn(&leaves, &converted.report);
                assert!(torn.is_none(), "{} to {target}: {}", path.display(), torn.unwrap_or_default());
                looked += 1;
            }
        }
    }
    assert!(looked > count(10, 100), "only {looked} conversions were looked at");
}

fn cut(value: &str) -> String {
    value.chars().take(120).collect()
}

/// Documents by way of the model as JSON: each token in that is in the output or in the report.
#[test]
fn what_came_by_way_of_json_is_accounted_for() {
    let plan = Plan::from_environment();
    let failures = Mutex::new(BTreeMap::new());
    let dir = scratch("conservation-json");
    for number in 0..plan.documents / 4 {
        let mut random = Random::new(plan.seed.wrapping_add(number as u64).rotate_left(11));
        let document = wide(random.next());
        let form = random.pick(&["json", "jsonl"]);
        let target = random.pick(TARGETS);
        let fail = |kind: String, detail: String| {
            let file = dir.join(format!("{}-{number}.xml", document.format));
            std::fs::write(&file, &document.text).expect("the failing document can be written down");
            let example = format!("{detail}\n    transfeed convert {} --to {form}, then to {target}", file.display());
            let kind = format!("{} by way of {form} to {target}: {kind}", document.format);
            let mut failures = failures.lock().expect("no thread has panicked");
            failures.entry(kind).or_insert(Failure { count: 0, example }).count += 1;
        };
        let model = match try_convert(document.text.as_bytes(), form, &[]) {
            Ok(converted) => converted.output,
            Err((code, message)) => {
                fail(format!("exit code {code}"), message);
                continue;
            }
        };
        let (output, report) = match try_convert(model.as_bytes(), target, &[]) {
            Ok(converted) => (converted.output, converted.report),
            Err((code, message)) => {
                fail(format!("exit code {code}"), message);
                continue;
            }
        };
        // a reader puts a value where writers look for it
        for row in report.rows.iter().filter(|row| row.why == MISPLACED) {
            fail("forgotten".to_owned(), format!("{} {}", row.field, row.from.as_deref().unwrap_or("")));
        }
        let rows = report.rows.iter().filter_map(|row| row.from.as_deref());
        let told: HashSet<&str> = rows.flat_map(tokens_in).chain(tokens_in(&output)).collect();
        for token in tokens_in(&model).filter(|token| !told.contains(token)) {
            fail("silently lost".to_owned(), token.to_owned());
        }
    }
    let failures = failures.into_inner().expect("no thread has panicked");
    assert!(failures.is_empty(), "{}", told(&failures, &plan));
}

/// What the report says of a value of a model made by hand that no writer looked for.
const MISPLACED: &str = "the target has no place for it where it stands";

/// Documents that were damaged: each token that is left in the text of one is in the output, in the report or in a
/// diagnostic, or stands in what is named as left out. The books balance.
#[test]
fn what_is_left_of_a_damaged_document_is_accounted_for() {
    let plan = Plan::from_environment();
    let failures = Mutex::new(BTreeMap::new());
    let dir = scratch("conservation-damaged");
    let mut whole = 0;
    let rounds = plan.documents / 4;
    for number in 0..rounds {
        let mut random = Random::new(plan.seed.wrapping_add(number as u64).rotate_left(7));
        let document = wide(random.next());
        if document.format == "text" {
            continue;
        }
        let damaged = damage(&document.text, &mut random);
        let target = random.pick(TARGETS);
        whole += usize::from(one_damaged(&damaged, target, &dir, number, &failures));
    }
    assert!(whole > rounds / 5, "only {whole} of {rounds} damaged documents were read without a loss");
    let failures = failures.into_inner().expect("no thread has panicked");
    assert!(failures.is_empty(), "{}", told(&failures, &plan));
}

/// One piece of markup too many, or one too few.
fn damage(text: &str, random: &mut Random) -> String {
    let inserts =
        ["&", "<", ">", "\"", "</b>", "<b>", "&nbsp;", "]]>", "<![CDATA[", "<!--", "\u{1}", "</item>", " x=y "];
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len());
    match random.below(3) {
        0 => drop(bytes.splice(at..at, random.pick(&inserts).bytes())),
        1 => {
            let marks = memchr::memchr3_iter(b'<', b'>', b'"', &bytes).chain(memchr::memchr2_iter(b'/', b'=', &bytes));
            let marks: Vec<usize> = marks.collect();
            bytes.remove(marks[random.below(marks.len())]);
        }
        _ => drop(bytes.remove(at)),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Converts a damaged document and checks it; whether no entry was lost.
fn one_damaged(text: &str, target: &str, dir: &Path, number: usize, failures: &Failures) -> bool {
    let fail = |kind: String, detail: String| {
        let file = dir.join(format!("{number}.xml"));
        std::fs::write(&file, text).expect("the failing document can be written down");
        let example = format!("{detail}\n    transfeed convert {} --to {target} -v", file.display());
        failures.lock().expect("no thread has panicked").entry(kind).or_insert(Failure { count: 0, example }).count +=
            1;
    };
    let converted = match try_convert(text.as_bytes(), target, &[]) {
        Ok(converted) => converted,
        // a head that cannot be read ends the run
        Err((2, _)) => return false,
        Err((code, message)) => {
            fail(format!("exit code {code}"), message);
            return false;
        }
    };
    let report = converted.report;
    // what is left out as a whole is named by where it begins, not by each of its values
    let whole = ["xml.prolog", "xml.truncated", "xml.after_root"];
    if report.rows.iter().any(|row| row.field == "entry") || whole.iter().any(|code| converted.summary.contains(code)) {
        return false;
    }
    let written: HashSet<&str> = tokens_in(&converted.output).collect();
    let rows = report.rows.iter().filter_map(|row| row.from.as_deref());
    let named: HashSet<&str> = rows.flat_map(tokens_in).chain(tokens_in(&converted.summary)).collect();
    // where a comment cuts a token in two, the damage may make a name of one half and a text of the other
    for token in tokens_in(&without_comments(text)).filter(|token| text.contains(token)) {
        if !written.contains(token) && !named.contains(token) {
            fail(format!("silently lost to {target}"), token.to_owned());
            break;
        }
    }
    true
}

/// The text without comments and instructions, whose content is nobody's value.
fn without_comments(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(at) = ["<!--", "<?"].iter().filter_map(|opening| rest.find(opening)).min() {
        kept.push_str(&rest[..at]);
        let (opening, ending) = if rest[at..].starts_with("<?") { ("<?", "?>") } else { ("<!--", "-->") };
        let inner = &rest[at + opening.len()..];
        // without an end it is none
        rest = inner.split_once(ending).map_or(inner, |(_, after)| after);
    }
    kept + rest
}

#[test]
fn tables_name_only_known_kinds_and_every_document_is_well_formed() {
    let known = |kind: &str| KINDS.contains(&kind) || kind.contains('|') || kind.starts_with('\'');
    for (name, _) in tables::TABLES {
        for kind in table(name).iter().flat_map(generate::Element::kinds) {
            assert!(known(&kind), "table {name}: no kind is called {kind}");
        }
    }
    let mut seen: HashSet<&str> = HashSet::new();
    for seed in 0..400 {
        let document = document(Random::new(seed).next());
        let source = Source::of(&document);
        assert!(!source.tokens.is_empty(), "seed {seed}: no tokens in\n{}", document.text);
        let places: HashSet<_> = source.leaves.iter().map(|leaf| (&leaf.path, leaf.line, leaf.column)).collect();
        assert_eq!(places.len(), source.leaves.len(), "seed {seed}: two leaves share a place");
        seen.insert(document.format);
    }
    assert_eq!(seen.len(), FORMATS.len(), "a format never came up: {seen:?}");
}

#[test]
fn the_same_seed_gives_the_same_document() {
    assert_eq!(document(7).text, document(7).text);
    assert_ne!(document(7).text, document(8).text);
}

#[test]
fn a_silent_loss_is_found_and_a_told_one_is_not() {
    let document = Document {
        format: "rss",
        text: "<rss><channel><ttl>tk000001</ttl></channel></rss>".to_owned(),
        flags: 0,
        bare: 0,
    };
    let source = Source::of(&document);
    let totals = r#"{"totals":{"leaves":1,"kept":0,"changed":0,"lost":1,"unread":0,"merged":0,"made":0}}"#;
    let row = |line: u32| {
        let row = r#"{"kind":"lost","code":"no_carrier","severity":"warning","field":"ttl","why":"w","column":15,"path":"rss/channel/ttl","from":"tk000001","line":"#;
        Report::parse(&format!("{row}{line}}}\n{totals}")).expect("a report in order")
    };
    assert!(faults(&document, &source, &row(1), "").is_empty());
    assert_eq!(faults(&document, &source, &row(2), "")[0].0, "reported under a wrong path or line: ttl");
    assert!(faults(&document, &source, &row(2), "<x>tk000001</x>").is_empty());
}
