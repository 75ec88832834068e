//! Every input that was kept from fuzzing (tests/fixtures/fuzz, a folder for each target of tests/fuzz) goes through the
//! checks of its target again: those that once found a mistake have names, the others are named by their bytes.

use std::path::Path;

#[path = "fuzz/src/lib.rs"]
mod checks;

fn replay(target: &str) {
    let (_, check) = checks::CHECKS.into_iter().find(|(name, _)| *name == target).expect("a target of this name");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fuzz").join(target);
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("inputs were kept").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::path);
    assert!(!files.is_empty());
    for file in files {
        // shown if the check fails
        println!("{}", file.path().display());
        check(&std::fs::read(file.path()).expect("an input can be read"));
    }
}

#[test]
fn splitter() {
    replay("splitter");
}

#[test]
fn tree() {
    replay("tree");
}

#[test]
fn decode() {
    replay("decode");
}

#[test]
fn values() {
    replay("values");
}

#[test]
fn convert() {
    replay("convert");
}

#[test]
fn growth() {
    replay("growth");
}

#[test]
fn journal() {
    replay("journal");
}

#[test]
fn diff() {
    replay("diff");
}
