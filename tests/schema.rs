//! Written sitemaps are what the schemas in tests/fixtures/xsd say: samples, specimens, the inputs of the cases and random
//! documents, for each profile. The schemas are written for this project from the public descriptions.
//!
//! `xmllint` (libxml2) does the work; where it is not installed, nothing is checked, and the test says so.

use crate::common;
use crate::generate;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{scratch, try_convert};
use generate::{Random, document};

/// How many random documents there are.
const DOCUMENTS: u64 = 120;

/// How many complaints are shown.
const SHOWN: usize = 40;

/// The profiles, and the options of other kinds that go with each.
const PROFILES: &[(&str, &[&str])] = &[
    ("google", &[]),
    ("google", &["--iri"]),
    ("google", &["--no-deprecated", "--fit-titles", "--no-group", "--default-thumbnail=https://made.example/t.jpg"]),
    ("yandex", &[]),
    ("none", &[]),
];

#[test]
fn written_sitemaps_are_what_their_schemas_say() {
    if !has_xmllint() {
        eprintln!("SKIPPED: xmllint is not installed, no sitemap was held against its schema");
        return;
    }
    let dir = scratch("schema");
    let sources = sources();
    assert!(sources.len() > 200, "only {} documents", sources.len());
    let mut complaints = String::new();
    for (number, (profile, options)) in PROFILES.iter().enumerate() {
        let schema = schema(&dir, profile, options.contains(&"--iri"));
        let mut written = Vec::new();
        for (name, text) in &sources {
            let out = format!("{number}-{name}.xml");
            // what is unknown goes back into its own family as it was, and no schema knows it
            let args = [&["--foreign", "drop", "--for", profile][..], *options].concat();
            match try_convert(text, "video-sitemap", &args) {
                Ok(converted) => {
                    std::fs::write(dir.join(&out), converted.output).expect("an output can be written");
                    written.push(out);
                }
                Err((code, message)) => assert_eq!(code, 2, "{name}: {message}"),
            }
        }
        assert!(written.len() * 4 > sources.len() * 3, "only {} of {} were written", written.len(), sources.len());
        complaints += &check(&dir, &schema, &written);
    }
    let shown: Vec<&str> = complaints.lines().take(SHOWN).collect();
    assert!(shown.is_empty(), "in {}\n{}", dir.display(), shown.join("\n"));
}

fn has_xmllint() -> bool {
    let mut command = Command::new("xmllint");
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// What the schemas complain about.
fn check(dir: &Path, schema: &Path, written: &[String]) -> String {
    let mut command = Command::new("xmllint");
    command.args(["--noout", "--nonet", "--schema"]).arg(schema).args(written).current_dir(dir);
    let output = command.output().expect("xmllint starts");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let good = written.iter().filter(|name| told.contains(&format!("{name} validates"))).count();
    let bad = told.lines().filter(|line| !line.ends_with(" validates")).map(|line| format!("{line}\n"));
    let bad: String = bad.collect();
    assert!(good == written.len() || !bad.is_empty(), "xmllint said nothing of some documents:\n{told}");
    bad
}

/// The schemas for a profile. Google requires three elements of a video, which are made or else the video is dropped;
/// for others a video is written with what there is, and addresses as they are. With `--iri` addresses are not escaped.
fn schema(dir: &Path, profile: &str, iri: bool) -> PathBuf {
    let to = dir.join(format!("xsd-{profile}-{iri}"));
    std::fs::create_dir_all(&to).expect("a folder for the schemas");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/xsd");
    for name in ["all.xsd", "sitemap.xsd", "video.xsd", "image.xsd", "news.xsd"] {
        let mut text = std::fs::read_to_string(from.join(name)).expect("the schema is there");
        if profile != "google" {
            text = text.replace("<xs:maxLength value=\"2048\"/>\n      <xs:pattern", "<xs:pattern");
            text = text.replace("minOccurs=\"1\"", "minOccurs=\"0\"");
            text = text.replace(
                "tAddress\">\n    <xs:restriction base=\"xs:anyURI",
                "tAddress\">\n    <xs:restriction base=\"xs:string",
            );
            text = text.replace("[A-Za-z][A-Za-z0-9+.\\-]*:[!-~]+", "[!-~]*");
        }
        if iri {
            text = text.replace("[!-~]+", "[^\\s]+");
        }
        std::fs::write(to.join(name), text).expect("the schema can be copied");
    }
    to.join("all.xsd")
}

/// Documents by their names.
fn sources() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["samples", "tests/fixtures/specimen"] {
        for path in files(&root.join(folder)).into_iter().filter(|path| path.extension().is_some_and(|e| e != "md")) {
            let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
            found.push((name.to_owned(), std::fs::read(&path).expect("it can be read")));
        }
    }
    for folder in ["basics", "dialects", "google", "options", "pairs", "repair", "rules", "values"] {
        for path in files(&root.join("tests/cases").join(folder)) {
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a plain name");
            let text = std::fs::read_to_string(&path).expect("a case in UTF-8");
            let inputs = inputs(&text).into_iter().enumerate();
            found.extend(inputs.map(|(at, text)| (format!("{folder}-{name}-{at}"), text.into_bytes())));
        }
    }
    for number in 0..DOCUMENTS {
        let document = document(Random::new(0x0073_6368_656d_6100 + number).next());
        found.push((format!("random-{number}-{}", document.format), document.text.into_bytes()));
    }
    found
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    found.sort();
    found
}

/// The inputs of a case.
fn inputs(case: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = case.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let fence: String = line.chars().take_while(|c| *c == '`').collect();
        if fence.len() < 3 {
            continue;
        }
        let body: String = lines.by_ref().take_while(|line| line.trim_end() != fence).collect();
        if line.contains(" file=") {
            found.push(body);
        }
    }
    found
}
