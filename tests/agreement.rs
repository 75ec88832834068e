//! What `convert --for google` writes, `validate --profile google` has no error against, as far as an entry alone decides:
//! samples, fixtures, and both of them damaged at random. Where the two disagree, one of them is wrong.

use std::path::{Path, PathBuf};

use transfeed::convert::{Bytes, Conversion};
use transfeed::format;
use transfeed::options::{Options, Profile as For};
use transfeed::rules::{Check, Finding, Profile, Settings, Severity};

/// Damaged documents for each document.
const DAMAGED: u64 = 12;

/// Larger documents are read whole, but not damaged.
const SMALL: usize = 60_000;

/// What a conversion writes as it is given, also where a document is damaged so that Google would not take it: links to
/// other languages, articles, enclosures, second thumbnails, and whole videos in a sitemap that is not made of them.
const AS_GIVEN: [(&str, &[&str]); 3] = [
    ("video-sitemap", &["H01", "H02", "H03", "N02"]),
    ("sitemap", &["H01", "H02", "H03", "N02", "V"]),
    ("mrss", &["R09", "M03", "M06", "M07", "M27"]),
];

/// What a conversion cannot mend: how many entries there are, and on which sites.
const OF_THE_WHOLE: [&str; 5] = ["D06", "D07", "D08", "D11", "D12"];

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

/// The errors that Google's profile finds in what is written for it.
fn errors(input: &[u8], to: &str) -> Option<(String, Vec<Finding>)> {
    let target = format::by_id(to).expect("a target");
    let options = Options { profile: For::Google, threads: 1, ..Options::default() };
    let (written, _) = Conversion::to(target).with(options).bytes(input).ok()?;
    let settings = Settings { profiles: vec![Profile::Google], level: Some(Severity::Error), ..Settings::default() };
    let check = Check { settings, ..Check::default() };
    let mut findings = Vec::new();
    check.run(&Bytes { name: "-", bytes: written.as_bytes() }, &mut findings).expect("what was written can be read");
    findings.retain(|finding| !OF_THE_WHOLE.contains(&finding.code));
    Some((written, findings))
}

fn agree(name: &str, input: &[u8], disagreements: &mut Vec<String>) -> usize {
    let mut checked = 0;
    for to in ["video-sitemap", "sitemap", "mrss"] {
        let Some((written, findings)) = errors(input, to) else { continue };
        checked += 1;
        let given = AS_GIVEN.iter().find(|(target, _)| *target == to && name.contains(" damaged "));
        let is_given = |finding: &&Finding| {
            given.is_some_and(|(_, codes)| codes.iter().any(|code| finding.code.starts_with(code)))
        };
        for finding in findings.iter().filter(|finding| !is_given(finding)).take(3) {
            let line = written.lines().nth(finding.line as usize - 1).unwrap_or("");
            let from = line.char_indices().nth(finding.column as usize - 1).map_or(0, |(at, _)| at);
            let near: String = line[from..].chars().take(200).collect();
            disagreements.push(format!("{} {to} {name}: {} at {near}", finding.code, finding.message));
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

#[test]
fn what_is_written_for_google_has_no_error_of_googles_own_rules() {
    let mut disagreements = Vec::new();
    let mut checked = 0;
    for (name, bytes) in documents() {
        checked += agree(&name, &bytes, &mut disagreements);
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        if bytes.len() > SMALL {
            continue;
        }
        for seed in 1..=DAMAGED {
            let name = format!("{name} damaged {seed}");
            checked += agree(&name, damaged(text, seed).as_bytes(), &mut disagreements);
        }
    }
    assert!(checked > 500, "only {checked} documents were converted");
    disagreements.sort();
    let count = disagreements.len();
    let shown: Vec<&String> = disagreements.iter().step_by((count / 60).max(1)).collect();
    assert!(shown.is_empty(), "{count} disagreements in {checked} documents\n{shown:#?}");
}
