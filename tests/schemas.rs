//! JSON outputs are what the schemas in docs/schema say. That the schemas are those of the types is tested beside the
//! types (src/schemas/tests.rs).

mod common;

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
    fn of(name: &str) -> Schema {
        let text = std::fs::read_to_string(root("docs/schema").join(name)).expect("the schema is there");
        let (mut all, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource(name, serde_json::from_str(&text).expect("JSON")).expect("a schema");
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
