//! The invariants of absence (docs/ARCHITECTURE.md): who knows nothing of what. Read off the source text, comments and
//! unit tests apart.

use std::path::{Path, PathBuf};

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

/// The code of each file, by its path under `src`.
fn code() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 30, "the sources were not found");
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        (name, lines.collect::<Vec<_>>().join("\n"))
    };
    files.iter().map(read).collect()
}

/// Fails where a file outside of the allowed folders names one of the words.
fn only(allowed: &[&str], words: &[&str]) {
    for (name, text) in code() {
        if allowed.iter().any(|prefix| name.starts_with(prefix)) {
            continue;
        }
        for word in words {
            assert!(!text.contains(word), "src/{name} names {word}, which belongs into {allowed:?}");
        }
    }
}

/// Fails where a file in these folders names one of the words.
fn never(folders: &[&str], words: &[&str]) {
    for (name, text) in code() {
        if folders.iter().any(|prefix| name.starts_with(prefix)) {
            for word in words {
                assert!(!text.contains(word), "src/{name} names {word}");
            }
        }
    }
}

#[test]
fn only_xml_knows_the_parser() {
    only(&["xml/"], &["quick_xml"]);
}

#[test]
fn only_the_command_line_knows_clap_files_and_the_environment() {
    only(&["cli/"], &["clap::", "std::env", "println!"]);
    only(&["cli/", "api/input.rs", "api/output.rs"], &["std::fs", "SystemTime"]);
    // what grouping and diff cannot hold goes to a temporary file
    only(
        &[
            "cli/",
            "api/input.rs",
            "api/output.rs",
            "convert/runs.rs",
            "convert/look.rs",
            "diff/texts.rs",
            "diff/json.rs",
        ],
        &["tempfile"],
    );
}

#[test]
fn only_interop_knows_the_crates_of_others() {
    only(&["interop/"], &["atom_syndication::", "rss::Channel", "rss::Item"]);
}

#[test]
fn the_core_does_no_input_or_output() {
    let core = [
        "model/",
        "tree/",
        "text/",
        "table/",
        "markup/",
        "xml/",
        "format/",
        "resolve/",
        "ledger/",
        "emit.rs",
        "fate.rs",
        "code.rs",
        "pages.rs",
        "place.rs",
        "reason.rs",
        "survey.rs",
    ];
    never(&core, &["std::fs", "std::net", "std::process", "std::env", "println!", "stderr", "Instant::now"]);
}

#[test]
fn the_model_knows_no_format() {
    never(&["model/"], &["crate::format", "crate::emit", "crate::ledger", "crate::convert"]);
    never(&["tree/", "text/"], &["crate::format", "crate::emit", "crate::ledger"]);
    never(&["format/"], &["crate::convert"]);
}

/// Fails where a file in this folder uses a module of the crate other than these.
fn uses_only(folder: &str, modules: &[&str]) {
    for (name, text) in code().iter().filter(|(name, _)| name.starts_with(folder)) {
        for path in text.split("crate::").skip(1) {
            let module = path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            assert!(modules.contains(&module), "src/{name} uses crate::{module}");
        }
    }
}

#[test]
fn the_table_knows_no_meaning_and_markup_no_format() {
    uses_only("table/", &["table", "xml", "text", "tree"]);
    uses_only("markup/", &["markup", "table", "xml", "text", "tree"]);
    // of the tree that the table will replace: the list of repairs, and what the repairing parser makes
    never(&["table/"], &["Tree<", "tree::Node", "tree::Take"]);
}

#[test]
fn fate_tables_have_no_wildcard() {
    for (name, text) in code().iter().filter(|(name, _)| name.ends_with("fate.rs") && name.starts_with("format/")) {
        // a variant of a table may hand all it does not change on to the whole table
        let delegates = |line: &str| line.ends_with("(field),");
        let wild = text.lines().find(|line| line.trim_start().starts_with("_ =>") && !delegates(line));
        assert!(wild.is_none(), "src/{name}: {}", wild.unwrap_or_default());
    }
}

/// A file of tests that no program has among its modules would never run, and nobody would hear of it.
#[test]
fn every_file_of_tests_is_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let (suite, manifest) = (text("tests/suite.rs"), text("Cargo.toml"));
    for entry in std::fs::read_dir(root.join("tests")).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".rs")) else { continue };
        let program = format!("[[test]]\nname = \"{name}\"\n");
        let module = format!("mod {name};\n");
        assert!(suite.contains(&module) || manifest.contains(&program), "tests/{name}.rs is in no program of tests");
    }
}
