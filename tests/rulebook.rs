//! docs/rules-of-conversion.md tells of every rule that the source code or a case names, and its links lead to cases of
//! the rules they stand at. Not whether the program keeps the rules: the cases show that.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rules of the document, with the cases that their rows link to.
fn told() -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(root().join("docs/rules-of-conversion.md")).expect("the document is there");
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| rule "));
    let row = |row: &str| {
        let cell = row.split('|').nth(1).expect("a first cell").trim();
        let name = cell.strip_prefix('[').and_then(|cell| cell.split(']').next()).unwrap_or(cell);
        let links = row.split("](../").skip(1).filter_map(|link| link.split(')').next());
        (name.to_owned(), links.map(str::to_owned).collect())
    };
    rows.map(row).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The rule that a word names: `A8`, `A1.3`, `S-V11`.
fn rule(word: &str) -> Option<&str> {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let number = match word.strip_prefix("S-") {
        Some(rest) => rest.strip_prefix(|c: char| c.is_ascii_uppercase())?,
        None => word.strip_prefix('A')?,
    };
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    number.split('.').all(is_number).then_some(word)
}

#[test]
fn words_that_name_rules() {
    assert_eq!(rule("(A1.4)."), Some("A1.4"));
    assert_eq!(rule("S-V11:"), Some("S-V11"));
    assert_eq!([rule("A"), rule("Atom"), rule("S-"), rule("A1b"), rule("U+00A0")], [None; 5]);
}

#[test]
fn every_rule_that_the_source_names_is_told() {
    let told = told();
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    let mut cited = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source");
        for comment in text.lines().filter_map(|line| line.split_once("//").map(|(_, comment)| comment)) {
            cited.extend(comment.split_whitespace().filter_map(rule).map(str::to_owned));
        }
    }
    assert!(cited.len() > 40, "the comments were not understood: {cited:?}");
    let untold: Vec<_> = cited.iter().filter(|name| !told.contains_key(*name)).collect();
    assert!(untold.is_empty(), "not in docs/rules-of-conversion.md: {untold:?}");
}

#[test]
fn every_case_of_a_rule_is_one_of_a_rule_that_is_told() {
    let told = told();
    for entry in std::fs::read_dir(root().join("tests/cases/rules")).expect("the cases of rules") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        assert!(told.keys().any(|rule| is_of(&name, rule)), "no rule for tests/cases/rules/{name}.md");
    }
}

#[test]
fn every_link_of_a_rule_leads_to_a_case_of_it() {
    for (rule, links) in told() {
        for link in links {
            let name = link.strip_prefix("tests/cases/rules/").and_then(|name| name.strip_suffix(".md"));
            assert!(name.is_some_and(|name| is_of(name, &rule)), "{rule}: {link}");
            assert!(root().join(&link).is_file(), "{rule}: {link} is not there");
        }
    }
}

/// Whether a case is one of a rule: named for it, or for it and a word.
fn is_of(case: &str, rule: &str) -> bool {
    case.strip_prefix(rule).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}
