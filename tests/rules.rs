//! Every rule of the mapping that is listed here has a case that shows it: `tests/cases/rules/ID.md`, or one whose name
//! begins with `ID-`. Which rules there are is told by the list below; what a case must show, by the reader of cases.

use std::collections::BTreeSet;
use std::path::Path;

/// The rules, by the names that the code and the cases give them. A rule that is finished goes in.
const RULES: &[&str] = &[
    "A1.1", "A1.2", "A1.3", "A1.4", "A1.5", "A1.6", "A1.7", "A1.8", "A1.9", "A2.1", "A2.2", "A2.3", "A2.4", "A2.5",
    "A2.6", "A2.7", "A3", "A5", "A5.5", "A8", "A13", "S-A1", "S-A2", "S-A3", "S-A4", "S-A5", "S-A6", "S-A7", "S-A8",
    "S-M1", "S-M2", "S-M3", "S-M4", "S-N1", "S-R1", "S-R2", "S-R3", "S-R4", "S-R5", "S-R6", "S-R7", "S-R8", "S-R9",
    "S-R10", "S-R11", "S-T1", "S-V1", "S-V2", "S-V3", "S-V4", "S-V5", "S-V6", "S-V7", "S-V8", "S-V9", "S-V10", "S-V11",
    "S-V12",
];

/// The names of the cases of rules, with their titles.
fn cases() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/rules");
    let files = std::fs::read_dir(folder).expect("the folder of the rules is there");
    let files = files.map(|file| file.expect("the folder can be read").path());
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a plain name").to_owned();
        let text = std::fs::read_to_string(&path).expect("a case can be read");
        (name, text.lines().next().unwrap_or_default().to_owned())
    };
    files.map(read).collect()
}

/// The rule that a case is named for: its name up to a word of its own (`A8-excluded`; `S-A1` has none).
fn rule_of(name: &str) -> &str {
    let begin = if name.starts_with("S-") { 2 } else { 0 };
    name[begin..].find('-').map_or(name, |at| &name[..begin + at])
}

#[test]
fn every_rule_has_a_case() {
    let cases = cases();
    let shown: BTreeSet<&str> = cases.iter().map(|(name, _)| rule_of(name)).collect();
    let missing: Vec<&&str> = RULES.iter().filter(|rule| !shown.contains(**rule)).collect();
    assert!(missing.is_empty(), "no case in tests/cases/rules for {missing:?}");
    let unlisted: Vec<&&str> = shown.iter().filter(|rule| !is_listed(rule)).collect();
    assert!(unlisted.is_empty(), "cases of rules that tests/rules.rs does not list: {unlisted:?}");
}

/// Whether a rule is listed, or one of its numbered points is (`A1` with `A1.1`).
fn is_listed(rule: &str) -> bool {
    RULES.iter().any(|listed| listed.strip_prefix(rule).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

#[test]
fn every_case_of_a_rule_names_it_in_its_title() {
    for (name, title) in cases() {
        let rule = rule_of(&name);
        assert!(title.starts_with(&format!("# {rule}: ")), "tests/cases/rules/{name}.md is called {title:?}");
    }
}

#[test]
fn no_rule_is_listed_twice() {
    assert_eq!(RULES.iter().collect::<BTreeSet<_>>().len(), RULES.len());
}
