//! The table of diagnostics against the code that raises them, and docs/repairs.md against the table.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use transfeed::diagnostic;
use transfeed::model::Field;

/// All sources but the table itself.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut open, mut found) = (vec![root.clone()], Vec::new());
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).expect("a folder of sources").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") && path != root.join("diagnostic.rs") {
                let text = std::fs::read_to_string(&path).expect("a source in UTF-8");
                found.push((path, text));
            }
        }
    }
    found
}

/// String literals that look like a code of one of the groups in the table and are no names of fields.
fn codes_in(text: &str) -> BTreeSet<&str> {
    let groups: BTreeSet<&str> = diagnostic::ALL.iter().filter_map(|row| row.code.split('.').next()).collect();
    let is_name = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let is_code = |literal: &str| {
        let parts = literal.split_once('.');
        // `json.json` is the name of a file
        parts.is_some_and(|(group, name)| groups.contains(group) && is_name(name) && name != "json")
            && !Field::ALL.iter().any(|field| field.name() == literal)
    };
    text.split('"').filter(|literal| is_code(literal)).collect()
}

/// The codes that are the first string of a call that notes a repair, whatever their group.
fn codes_noted(text: &str) -> BTreeSet<&str> {
    let is_name = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let mut found = BTreeSet::new();
    for call in ["remark(", ".repair(", ".note("].iter().flat_map(|call| text.split(call).skip(1)) {
        let arguments = call.split(';').next().unwrap_or_default();
        let literal = arguments.split('"').nth(1).unwrap_or_default();
        if literal.split_once('.').is_some_and(|(group, name)| is_name(group) && is_name(name)) {
            found.insert(literal);
        }
    }
    found
}

#[test]
fn every_code_in_use_stands_in_the_table_and_no_other_does() {
    let sources = sources();
    let mut used = BTreeSet::new();
    for (path, text) in &sources {
        for code in codes_in(text).into_iter().chain(codes_noted(text)) {
            assert!(diagnostic::by_code(code).is_some(), "{}: {code} is not in src/diagnostic.rs", path.display());
            used.insert(code);
        }
    }
    assert!(used.len() > 10, "the scan found hardly anything");
    // one code has no group, as the model's own codes have none
    let is_named = |code: &str| {
        let named = format!("code = \"{code}\"");
        sources.iter().any(|(_, text)| text.contains(&named))
    };
    for row in diagnostic::ALL {
        let is_used = used.contains(row.code) || is_named(row.code);
        assert!(is_used, "{} is in the table, but nothing raises it", row.code);
    }
}

#[test]
fn the_page_is_that_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/repairs.md");
    let page = diagnostic::markdown();
    if std::env::var_os("TRANSFEED_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "docs/repairs.md is not what the table says; TRANSFEED_BLESS=1 writes it");
}
