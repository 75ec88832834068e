//! Tests of the test helpers: leaves with known positions, the report's contract, the line diff, and that no test can meet
//! the clock.

use crate::common;

use common::{Leaf, Report, empty_elements, leaves, line_diff, without_lines};

fn brief(leaf: &Leaf) -> (&str, &str, u32, u32) {
    (leaf.path.as_str(), leaf.value.as_str(), leaf.line, leaf.column)
}

#[test]
fn leaves_stand_at_names_start_tags_and_later_runs() {
    let xml = concat!(
        "<?xml version=\"1.0\"?>\n",
        "<r:rss xmlns:r=\"urn:r\" xmlns=\"urn:d\" version='2.0'>\n",
        "  <a\n    один=\"1 &amp; 2\" r:two=\"2\">é<![CDATA[<x>]]>&lt;<!-- c -->end<b/> later<b> \n </b>\n</a>\n",
        "  <void/>\n",
        "</r:rss>"
    );
    let found = leaves(xml);
    let expected = [
        ("r:rss/@version", "2.0", 2, 38),
        ("r:rss/a/@один", "1 & 2", 4, 5),
        ("r:rss/a/@r:two", "2", 4, 22),
        ("r:rss/a", "é<x><end", 3, 3),
        ("r:rss/a", " later", 4, 69),
    ];
    assert_eq!(found.iter().map(brief).collect::<Vec<_>>(), expected);
    assert_eq!((found[2].owner.as_str(), found[2].attribute.as_deref()), ("a", Some("two")));
    assert_eq!(found[0].namespace, "urn:r");
}

#[test]
fn a_run_after_a_child_stands_by_itself() {
    let found = leaves("<a><b/>one<b/>two</a>");
    assert_eq!(found.iter().map(brief).collect::<Vec<_>>(), [("a", "one", 1, 8), ("a", "two", 1, 15)]);
}

#[test]
fn bare_elements_are_counted_by_namespace() {
    let xml = "<a xmlns:v='urn:v' xmlns:w='urn:w'><v:x/><v:x> </v:x><v:x k='1'/><v:x><w:y/></v:x><z/></a>";
    assert_eq!(empty_elements(xml, &["urn:v"]), 2);
    assert_eq!(empty_elements(xml, &["urn:v", "urn:w"]), 3);
}

#[test]
fn specimens_and_samples_are_well_formed() {
    let mut documents = 0;
    for folder in ["tests/fixtures/specimen", "samples"] {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in std::fs::read_dir(&root).expect("the folder can be listed") {
            let path = entry.expect("the folder can be listed").path();
            if path.extension().is_some_and(|name| {
                !["md", "txt", "csv", "json", "jsonl", "jsonld", "html"].iter().any(|other| name == *other)
            }) {
                let text = std::fs::read_to_string(&path).expect("a document in UTF-8");
                assert!(!leaves(&text).is_empty(), "{}: no leaves", path.display());
                documents += 1;
            }
        }
    }
    assert!(documents >= 17, "only {documents} documents");
}

#[test]
fn a_report_must_balance_and_agree_with_its_lines() {
    let row = r#"{"kind":"lost","code":"no_carrier","severity":"warning","field":"ttl","why":"w","line":3,"column":5,"path":"rss/channel/ttl","from":"60"}"#;
    let totals = |kept: u32, lost: u32| {
        format!(r#"{{"totals":{{"leaves":5,"kept":{kept},"changed":0,"lost":{lost},"unread":0,"merged":0,"made":0}}}}"#)
    };
    let report = Report::parse(&format!("{row}\n{}\n", totals(4, 1))).expect("a report in order");
    assert_eq!((report.rows[0].path.as_str(), report.rows[0].line, report.rows[0].column), ("rss/channel/ttl", 3, 5));
    assert!(Report::parse(&format!("{row}\n{}\n", totals(3, 1))).is_err(), "does not balance");
    assert!(Report::parse(&format!("{}\n", totals(4, 1))).is_err(), "a lost leaf without its line");
    assert!(Report::parse(&format!("{row}\n")).is_err(), "no totals");
    assert!(Report::parse(&format!("{}\n{row}\n", totals(4, 1))).is_err(), "totals not last");
}

#[test]
fn lines_vanish_from_models_at_any_depth() {
    let mut model = serde_json::json!({"entries": [{"line": 3, "videos": [{"line": 1, "title": "t"}]}]});
    without_lines(&mut model);
    assert_eq!(model, serde_json::json!({"entries": [{"videos": [{"title": "t"}]}]}));
}

#[test]
fn a_diff_shows_what_changed_and_little_else() {
    let diff = line_diff("a\nb\nc\nd\n", "a\nx\nc\nd");
    assert_eq!(diff, "@ line 2\n  a\n- b\n+ x\n  c\n  d\n(the final newline differs)\n");
}

/// A program that was started by anything but the helpers could meet the clock, and fail where a second begins.
#[test]
fn only_the_helpers_start_the_program() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let (mut open, mut read) = (vec![root], 0);
    let name = ["CARGO_BIN", "EXE"].join("_");
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be listed").flatten() {
            let path = entry.path();
            let of_another_crate = ["fuzz", "bench"].iter().any(|name| path.ends_with(name));
            if path.is_dir() && !of_another_crate {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("common/mod.rs") {
                let text = std::fs::read_to_string(&path).expect("a test in UTF-8");
                assert!(!text.contains(&name), "{} starts the program itself", path.display());
                read += 1;
            }
        }
    }
    assert!(read > 30, "only {read} files were found");
}

#[test]
fn no_run_meets_the_clock() {
    let dir = common::scratch("clock");
    let feed = "<rss version=\"2.0\"><channel><title>c</title><item><title>a</title></item></channel></rss>";
    std::fs::write(dir.join("feed.rss"), feed).expect("a feed");
    for input in [None, Some(feed.as_bytes())] {
        let name = if input.is_some() { "-" } else { "feed.rss" };
        let run = common::transfeed(&dir, &["convert", name, "--to", "atom", "-q"], input).ok(name);
        assert!(run.text().contains(common::NOW), "{}", run.text());
    }
    let converted = common::convert("a feed", feed.as_bytes(), "atom", &[]);
    assert!(converted.output.contains(common::NOW), "{}", converted.output);
}
