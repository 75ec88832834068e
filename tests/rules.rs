//! Every rule of the mapping has a case that shows it: `tests/cases/rules/ID.md`, or one whose name begins with `ID-`; how
//! values are compared is shown in `tests/cases/diff`, in cases called "Rule ID: …".
//! Which rules there are is told by two sources that must agree with the cases: the count of each family below, and the
//! rules that comments of the code name. What a case must show is not told here, but by the reader of cases.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The algorithms, with the number of their points; 0 where one has none.
const ALGORITHMS: &[(u32, u32)] = &[
    (1, 9),
    (2, 7),
    (3, 0),
    (4, 0),
    (5, 5),
    (6, 8),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 0),
    (12, 0),
    (13, 0),
    (14, 0),
    (15, 0),
    (16, 0),
    (17, 0),
    (18, 0),
];

/// The tables of what is made up, by their letter, with the number of their rows: RSS, Atom, pages of sitemaps, their
/// videos, their news, text.
const TABLES: &[(char, u32)] = &[('R', 11), ('A', 8), ('M', 4), ('V', 12), ('N', 1), ('T', 1)];

/// All rules, by the names that the code and the cases give them.
fn rules() -> BTreeSet<String> {
    let points = |(number, points): &(u32, u32)| match points {
        0 => vec![format!("A{number}")],
        points => (1..=*points).map(|point| format!("A{number}.{point}")).collect(),
    };
    let rows = |(letter, rows): &(char, u32)| (1..=*rows).map(|row| format!("S-{letter}{row}")).collect::<Vec<_>>();
    ALGORITHMS.iter().flat_map(points).chain(TABLES.iter().flat_map(rows)).collect()
}

/// The names of the cases of rules, with their titles.
fn cases() -> Vec<(String, String)> {
    let read = |path: PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a plain name").to_owned();
        let text = std::fs::read_to_string(&path).expect("a case can be read");
        (name, text.lines().next().unwrap_or_default().to_owned())
    };
    let comparisons = files_of("tests/cases/diff").map(read).filter_map(|(name, title)| {
        let title = title.strip_prefix("# Rule ")?;
        Some((format!("{}-{name}", title.split(':').next()?), format!("# {title}")))
    });
    files_of("tests/cases/rules").map(read).chain(comparisons).collect()
}

fn files_of(folder: &str) -> impl Iterator<Item = PathBuf> {
    files(&root().join(folder)).into_iter()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a folder and those below it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found
}

/// The rule that a case is named for: its name up to a word of its own (`A8-excluded`; `S-A1` has none).
fn rule_of(name: &str) -> &str {
    let begin = if name.starts_with("S-") { 2 } else { 0 };
    name[begin..].find('-').map_or(name, |at| &name[..begin + at])
}

/// Whether a name is that of a rule, or of one that has numbered points (`A1` with `A1.1`).
fn is_rule(name: &str, rules: &BTreeSet<String>) -> bool {
    rules.iter().any(|rule| rule.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

/// Whether a word of a comment has the form of a rule's name.
fn is_name(word: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match (word.strip_prefix("S-"), word.strip_prefix('A')) {
        (Some(row), _) => row.starts_with(|c: char| c.is_ascii_uppercase()) && is_number(&row[1..]),
        (None, Some(number)) => number.split('.').all(is_number) && number.split('.').count() < 3,
        (None, None) => false,
    }
}

/// The rules that the comments of the code name, with the file that does.
fn cited() -> BTreeSet<(String, PathBuf)> {
    let mut cited = BTreeSet::new();
    for path in files(&root().join("src")) {
        let text = std::fs::read_to_string(&path).expect("source can be read");
        for comment in text.lines().filter_map(|line| Some(line.split_once("//")?.1)) {
            let words = comment.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '%')));
            let names = words.map(|word| word.trim_end_matches('.')).filter(|word| is_name(word));
            cited.extend(names.map(|name| (name.to_owned(), path.clone())));
        }
    }
    cited
}

#[test]
fn every_rule_has_a_case() {
    let (cases, rules) = (cases(), rules());
    let shown: BTreeSet<&str> = cases.iter().map(|(name, _)| rule_of(name)).collect();
    let missing: Vec<&String> = rules.iter().filter(|rule| !shown.contains(rule.as_str())).collect();
    assert!(missing.is_empty(), "no case in tests/cases/rules for {missing:?}");
    let unlisted: Vec<&&str> = shown.iter().filter(|rule| !is_rule(rule, &rules)).collect();
    assert!(unlisted.is_empty(), "cases of rules that tests/rules.rs does not count: {unlisted:?}");
}

#[test]
fn every_rule_that_the_code_names_has_a_case() {
    let rules = rules();
    let cited = cited();
    assert!(cited.len() > 50, "the code names rules");
    let unknown: Vec<_> = cited.iter().filter(|(name, _)| !is_rule(name, &rules)).collect();
    assert!(unknown.is_empty(), "comments name rules that have no case: {unknown:?}");
}

#[test]
fn every_case_of_a_rule_names_it_in_its_title() {
    for (name, title) in cases() {
        let rule = rule_of(&name);
        assert!(title.starts_with(&format!("# {rule}: ")), "the case {name} is called {title:?}");
    }
}

#[test]
fn names_of_rules_are_told_from_other_words() {
    for (word, is) in [("A1", true), ("A1.8", true), ("S-V12", true), ("A", false), ("AB1", false), ("S-1", false)] {
        assert_eq!(is_name(word), is, "{word}");
    }
    assert!(is_rule("A1", &rules()) && is_rule("A1.9", &rules()) && !is_rule("A1.10", &rules()));
}
