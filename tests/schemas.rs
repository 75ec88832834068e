//! JSON outputs are what the schemas in docs/schema say. That the schemas are those of the types is tested beside the
//! types (src/schemas/tests.rs).

use crate::common;

use std::path::{Path, PathBuf};

use boon::{Compiler, SchemaIndex, Schemas};
use common::{scratch, transfeed};
use serde_json::Value;

fn root(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

/// Samples and specimens.
fn documents() -> Vec<String> {
    let list = |folder: &str| std::fs::read_dir(root(folder)).expect("the folder is there");
    let all = ["samples", "tests/fixtures/specimen"].into_iter().flat_map(list);
    let mut files: Vec<PathBuf> = all.map(|entry| entry.expect("it can be read").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending != "md"));
    files.sort();
    files.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

struct Schema {
    all: Schemas,
    index: SchemaIndex,
}

impl Schema {
    fn text(name: &str) -> Value {
        let text = std::fs::read_to_string(root("docs/schema").join(name)).expect("the schema is there");
        serde_json::from_str(&text).expect("JSON")
    }

    fn of(name: &str) -> Schema {
        let (mut all, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource(name, Schema::text(name)).expect("a schema");
        let index = compiler.compile(name, &mut all).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        Schema { all, index }
    }

    #[track_caller]
    fn fits(&self, value: &Value, what: &str) {
        if let Err(error) = self.all.validate(value, self.index) {
            panic!("{what}: {error:#}");
        }
    }

    fn refuses(&self, value: &Value) -> bool {
        self.all.validate(value, self.index).is_err()
    }
}

#[test]
fn what_inspect_writes_is_what_its_schema_says() {
    let schema = Schema::of("inspect.json");
    let dir = scratch("schemas-inspect");
    std::fs::write(dir.join("cut.rss"), "<rss><channel><item><link>https://a.example/</link></item><item><x a='&'")
        .expect("written");
    let mut calls: Vec<Vec<String>> = documents().into_iter().map(|name| vec![name]).collect();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let sample = calls[0][0].clone();
    calls.push(words(&[&sample, "--limit", "1"]));
    calls.push(words(&[&sample, "--sample", "1", "--to", "none"]));
    calls.push(words(&["cut.rss", "missing.rss", &sample, "--to", "text"]));
    for call in calls {
        let args: Vec<&str> = ["inspect", "--json"].into_iter().chain(call.iter().map(String::as_str)).collect();
        let run = transfeed(&dir, &args, None);
        let value: Value = serde_json::from_str(&run.text()).unwrap_or_else(|error| panic!("{call:?}: {error}"));
        schema.fits(&value, &format!("{call:?}"));
        let mut wrong = value.clone();
        wrong["inputs"][0]["not_there"] = 1.into();
        assert!(schema.refuses(&wrong), "a member that the schema does not name");
        let mut wrong = value;
        wrong["inputs"][0]["looked_at"] = "many".into();
        assert!(schema.refuses(&wrong), "a word for a number");
    }
}

#[test]
fn what_formats_writes_is_what_its_schema_says() {
    let schema = Schema::of("formats.json");
    let dir = scratch("schemas-formats");
    for formats in [&[][..], &["rss"], &["video-sitemap", "atom-media"]] {
        let run = transfeed(&dir, &[&["formats", "--json"], formats].concat(), None).ok("formats");
        let mut value: Value = serde_json::from_str(&run.text()).expect("JSON");
        schema.fits(&value, "formats");
        value["fields"][0]["in"]["rss"] = serde_json::json!({"outcome": "kept", "nobody": "knows"});
        assert!(schema.refuses(&value), "a member that it does not name");
    }
}

#[test]
fn what_reports_say_is_what_their_schema_says() {
    let schema = Schema::of("report.json");
    let dir = scratch("schemas-report");
    for name in documents() {
        for to in ["mrss", "video-sitemap", "json"] {
            let run = transfeed(&dir, &["convert", &name, "--to", to, "-o", "out", "--report", "r.json", "-q"], None);
            if run.code != 0 {
                continue;
            }
            let value: Value =
                serde_json::from_slice(&std::fs::read(dir.join("r.json")).expect("a report")).expect("JSON");
            schema.fits(&value, &format!("{name} to {to}"));
            let mut wrong = value;
            wrong["totals"]["leaves"] = (-1).into();
            assert!(schema.refuses(&wrong));
        }
    }
}

#[test]
fn what_the_model_says_is_what_its_schemas_say() {
    let (document, line) = (Schema::of("json.json"), Schema::of("jsonl.json"));
    let dir = scratch("schemas-model");
    for name in documents() {
        let run = transfeed(&dir, &["convert", &name, "--to", "json", "-q"], None).ok(&name);
        let value: Value = serde_json::from_str(&run.text()).expect("JSON");
        document.fits(&value, &name);
        let mut wrong = value;
        wrong["entries"][0]["not_there"] = 1.into();
        assert!(document.refuses(&wrong), "a member that the schema does not name");
        let run = transfeed(&dir, &["convert", &name, "--to", "jsonl", "-q"], None).ok(&name);
        for (number, text) in run.text().lines().enumerate() {
            line.fits(&serde_json::from_str(text).expect("JSON"), &format!("{name}, line {}", number + 1));
        }
    }
}

/// A tree with documents of each kind: such as can be converted, one that cannot, one that is no feed.
fn tree(dir: &Path) {
    std::fs::create_dir_all(dir.join("src/more")).expect("folders");
    for name in documents() {
        let path = Path::new(&name);
        std::fs::copy(path, dir.join("src").join(path.file_name().expect("a name"))).expect("copied");
    }
    std::fs::write(dir.join("src/more/notes.txt"), "Feed the ducks.\n").expect("written");
    std::fs::write(dir.join("src/more/deep.xml"), format!("<rss><channel>{}", "<a>".repeat(1000))).expect("written");
}

fn lines(text: &str) -> impl Iterator<Item = Value> + '_ {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
}

fn file(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("a report")).expect("JSON")
}

#[test]
fn what_migrate_writes_is_what_its_schemas_say() {
    let (whole, one, event) =
        (Schema::of("migrate.json"), Schema::of("migrate-file.json"), Schema::of("migrate-events.json"));
    let line = Schema::of("report-lines.json");
    let dir = scratch("schemas-migrate");
    tree(&dir);
    let to = ["migrate", "src", "--to", "video-sitemap", "-q", "--json"];
    let runs: [&[&str]; 4] = [
        &["--out", "out", "--report", "reports"],
        &["--out", "out", "--report", "again.json"],
        &["--out", "merged", "--merge", "--report", "merged.json"],
        &["--out", "lines", "--report", "all.jsonl"],
    ];
    for args in runs {
        let run = transfeed(&dir, &[&to, args].concat(), None);
        assert!(run.code == 3, "{args:?}: {}", run.stderr);
        let mut kinds = Vec::new();
        for value in lines(&run.text()) {
            event.fits(&value, &format!("{args:?}: {value}"));
            kinds.push(value["type"].as_str().map(str::to_owned));
            let mut wrong = value;
            wrong["not_there"] = 1.into();
            assert!(event.refuses(&wrong), "a member that the schema does not name");
        }
        assert_eq!(kinds.pop().flatten().as_deref(), Some("summary"));
    }
    for name in ["reports/summary.json", "again.json", "merged.json"] {
        let value = file(&dir.join(name));
        whole.fits(&value, name);
        let mut wrong = value;
        wrong["files"][0]["not_there"] = 1.into();
        assert!(whole.refuses(&wrong), "a member that the schema does not name");
    }
    for name in ["catalogue.mrss.json", "more/deep.xml.json"] {
        one.fits(&file(&dir.join("reports").join(name)), name);
    }
    let text = std::fs::read_to_string(dir.join("all.jsonl")).expect("a report");
    lines(&text).for_each(|value| line.fits(&value, &value.to_string()));
    assert!(line.refuses(&serde_json::json!({"kind": "lost"})));
}

#[test]
fn what_reports_say_line_by_line_is_what_their_schema_says() {
    let schema = Schema::of("report-lines.json");
    let dir = scratch("schemas-lines");
    for name in documents() {
        let args = ["convert", &name, "--to", "rss", "-o", "out", "--report", "r.jsonl", "-q"];
        if transfeed(&dir, &args, None).code == 0 {
            let text = std::fs::read_to_string(dir.join("r.jsonl")).expect("a report");
            lines(&text).for_each(|value| schema.fits(&value, &format!("{name}: {value}")));
        }
    }
}

#[test]
fn what_diff_writes_is_what_its_schemas_say() {
    let (whole, line) = (Schema::of("diff.json"), Schema::of("diff-lines.json"));
    let dir = scratch("schemas-diff");
    let page = |loc: &str, date: &str| {
        format!(
            "<item><title>{date}</title><link>https://a.example/{loc}</link><guid isPermaLink='false'>{date}</guid>\
             <category>{loc}</category></item>"
        )
    };
    let feed = |items: &[String]| format!("<rss><channel>{}</channel></rss>", items.concat());
    for (name, text) in [
        ("a/1.rss", feed(&[page("1", "x"), page("2", "y"), page("3", "z")])),
        ("b/1.rss", feed(&[page("2", "w"), page("4", "z"), page("5", "v")])),
        ("a/2.rss", feed(&[page("1", "x")])),
        ("b/3.rss", feed(&[page("1", "x")])),
        ("a/4.rss", feed(&[page("1", "x")])),
        ("b/4.rss", "ducks".to_owned()),
    ] {
        std::fs::create_dir_all(dir.join(name).parent().expect("a folder")).expect("folders");
        std::fs::write(dir.join(name), text).expect("written");
    }
    std::fs::write(dir.join("a.txt"), "https://a.example/2\n").expect("written");
    let mut kinds = std::collections::BTreeSet::new();
    let calls: [&[&str]; 5] = [
        &["a/1.rss", "b/1.rss"],
        &["a/1.rss", "b/1.rss", "--order"],
        &["a/1.rss", "a/1.rss"],
        &["a/1.rss", "a.txt"],
        &["a", "b"],
    ];
    for call in calls {
        let value = transfeed(&dir, &[&["diff", "--json", "-q"], call].concat(), None);
        let value: Value = serde_json::from_str(&value.text()).unwrap_or_else(|error| panic!("{call:?}: {error}"));
        whole.fits(&value, &format!("{call:?}"));
        let mut wrong = value;
        wrong["not_there"] = 1.into();
        assert!(whole.refuses(&wrong), "a member that the schema does not name");
        for value in lines(&transfeed(&dir, &[&["diff", "--jsonl", "-q"], call].concat(), None).text()) {
            line.fits(&value, &format!("{call:?}: {value}"));
            kinds.extend(value["kind"].as_str().map(str::to_owned));
        }
    }
    let all: Vec<&str> = kinds.iter().map(String::as_str).collect();
    assert_eq!(all, ["added", "changed", "moved", "removed"]);
}

#[test]
fn what_validate_writes_is_what_its_schemas_say() {
    let (whole, line) = (Schema::of("validate.json"), Schema::of("validate-lines.json"));
    let dir = scratch("schemas-validate");
    let all = documents();
    // no profile has rules for these
    let without_rules =
        |name: &&str| name.contains("yandex-video") || name.ends_with(".csv") || name.ends_with("radio.json");
    let several: Vec<&str> = all.iter().map(String::as_str).filter(|name| !without_rules(name)).collect();
    let calls = several.iter().map(|name| vec![*name]).chain([several.clone()]);
    let mut members = std::collections::BTreeSet::new();
    for call in calls {
        let args = ["validate", "--level", "info", "--no-config", "--now", "2026-03-01", "--format"];
        let run = transfeed(&dir, &[&args[..], &["json"], &call].concat(), None);
        let value: Value = serde_json::from_str(&run.text()).unwrap_or_else(|error| panic!("{call:?}: {error}"));
        whole.fits(&value, &format!("{call:?}"));
        for finding in value["findings"].as_array().into_iter().flatten() {
            members.extend(finding.as_object().into_iter().flatten().map(|(name, _)| name.clone()));
        }
        let mut wrong = value;
        wrong["totals"]["error"] = "many".into();
        assert!(whole.refuses(&wrong), "a word for a number");
        let run = transfeed(&dir, &[&args[..], &["jsonl"], &call].concat(), None);
        lines(&run.text()).for_each(|value| line.fits(&value, &format!("{call:?}: {value}")));
    }
    // what the schema names is written
    let said = Schema::text("validate.json");
    let named = &said["$defs"]["Finding"]["properties"];
    for name in named.as_object().expect("properties").keys().filter(|name| *name != "file") {
        assert!(members.contains(name), "{name} was never written");
    }
}
