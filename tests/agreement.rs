//! What `convert --for google` writes, `validate --profile google` has no error against, as far as an entry alone decides,
//! and the same of Yandex: samples, fixtures, both of them damaged at random, and generated documents. Where the two
//! disagree, one of them is wrong.

use crate::common::count;
use crate::generate;

use std::path::{Path, PathBuf};

use transfeed::convert::{Bytes, Conversion};
use transfeed::format;
use transfeed::options::{Options, Profile as For};
use transfeed::rules::{Check, Finding, Profile, Settings, Severity};

/// Damaged documents for each document.
fn damaged_copies() -> u64 {
    count(2, 8) as u64
}

/// Larger documents are read whole, but not damaged.
const SMALL: usize = 60_000;

/// Whose rules are applied, and the targets that have them.
const TARGETS: [(For, Profile, &str); 6] = [
    (For::Google, Profile::Google, "video-sitemap"),
    (For::Google, Profile::Google, "sitemap"),
    (For::Google, Profile::Google, "mrss"),
    (For::Google, Profile::Google, "text"),
    (For::Yandex, Profile::Yandex, "sitemap"),
    (For::Yandex, Profile::Yandex, "text"),
];

/// What a conversion cannot mend: how many entries there are, and on which sites.
const OF_THE_WHOLE: [&str; 6] = ["D06", "D07", "D08", "D10", "D11", "D12"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if !path.extension().is_some_and(|end| end == "md" || end == "txt" && path.ends_with("README.txt")) {
            found.push(path);
        }
    }
}

fn documents() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    files(&root.join("samples"), &mut paths);
    files(&root.join("tests/fixtures"), &mut paths);
    if let Some(more) = std::env::var_os("TRANSFEED_CORPUS") {
        files(Path::new(&more), &mut paths);
    }
    assert!(paths.len() > 40, "the documents were not found");
    paths.into_iter().map(|path| (path.display().to_string(), std::fs::read(&path).expect("a document"))).collect()
}

/// The errors that a profile finds in what is written for it.
fn errors(input: &[u8], target: &(For, Profile, &str)) -> Option<(String, Vec<Finding>)> {
    let (rules, profile, to) = *target;
    let to = format::by_id(to).expect("a target");
    let options = Options { profile: rules, threads: 1, ..Options::default() };
    let (written, _) = Conversion::to(to).with(options).bytes(input).ok()?;
    let settings = Settings { profiles: vec![profile], level: Some(Severity::Error), ..Settings::default() };
    // a list without addresses cannot be told from any other text
    let check = Check { settings, from: Some(to).filter(|_| to.id == "text"), ..Check::default() };
    let mut findings = Vec::new();
    check.run(&Bytes { name: "-", bytes: written.as_bytes() }, &mut findings).expect("what was written can be read");
    findings.retain(|finding| !OF_THE_WHOLE.contains(&finding.code));
    Some((written, findings))
}

fn agree(name: &str, input: &[u8], disagreements: &mut Vec<String>) -> usize {
    let mut checked = 0;
    for target in &TARGETS {
        let Some((written, findings)) = errors(input, target) else { continue };
        checked += 1;
        for finding in findings.iter().take(3) {
            let line = written.lines().nth(finding.line as usize - 1).unwrap_or("");
            let from = line.char_indices().nth(finding.column as usize - 1).map_or(0, |(at, _)| at);
            let near: String = line[from..].chars().take(200).collect();
            let (profile, to) = (target.1.name(), target.2);
            disagreements.push(format!("{} {profile} {to} {name}: {} at {near}", finding.code, finding.message));
        }
    }
    checked
}

/// A number that depends on the seed and nothing else.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// A document with some of its values replaced by others of it, by odd ones, or lost.
fn damaged(text: &str, seed: u64) -> String {
    const ODD: [&str; 12] = [
        "",
        " ",
        "0",
        "-1",
        "99999",
        "maybe",
        "https://a.example/",
        "/relative",
        "2026-13-45",
        "a&amp;b",
        "UK, de",
        "ü",
    ];
    let mut state = seed;
    let mut out = String::new();
    let pieces = text.split_inclusive(['>', '"']);
    for piece in pieces {
        let value = piece.trim_end_matches(['"']).split('<').next().unwrap_or("");
        if !value.is_empty() && !piece.starts_with(['<', ' ', '?']) && next(&mut state).is_multiple_of(12) {
            out.push_str(ODD[next(&mut state) % ODD.len()]);
            out.push_str(&piece[value.len()..]);
        } else {
            out.push_str(piece);
        }
    }
    out
}

/// Fails where there are disagreements, and shows some of each rule.
fn none(mut disagreements: Vec<String>, checked: usize) {
    disagreements.sort();
    let count = disagreements.len();
    let shown: Vec<&String> = disagreements.iter().step_by((count / 60).max(1)).collect();
    assert!(shown.is_empty(), "{count} disagreements in {checked} documents\n{shown:#?}");
}

#[test]
fn what_is_written_has_no_error_of_the_rules_it_was_written_by() {
    let mut disagreements = Vec::new();
    let mut checked = 0;
    for (name, bytes) in documents() {
        checked += agree(&name, &bytes, &mut disagreements);
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        if bytes.len() > SMALL {
            continue;
        }
        for seed in 1..=damaged_copies() {
            let name = format!("{name} damaged {seed}");
            checked += agree(&name, damaged(text, seed).as_bytes(), &mut disagreements);
        }
    }
    assert!(checked > 500, "only {checked} documents were converted");
    none(disagreements, checked);
}

#[test]
fn what_is_written_of_generated_documents_has_none_either() {
    let count = count(40, 120) as u64;
    let mut disagreements = Vec::new();
    let mut checked = 0;
    for seed in 0..count {
        let document = generate::document(seed);
        checked += agree(&format!("generated {seed}"), document.text.as_bytes(), &mut disagreements);
        let damaged = damaged(&document.text, seed);
        checked += agree(&format!("generated {seed} and damaged"), damaged.as_bytes(), &mut disagreements);
    }
    assert!(checked as u64 > count * 5, "only {checked} documents were converted");
    none(disagreements, checked);
}
