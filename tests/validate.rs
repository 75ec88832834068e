//! What `validate` writes for other programs has the form that these read: SARIF by its own schema, JUnit and the reports of
//! GitLab and GitHub by what is published of them. And the commands around it: completions, manual pages, and the files
//! that docs/ci.md tells to write. What is found is tested by cases and beside the rules.

use crate::common;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use boon::{Compiler, Schemas};
use common::{Run, scratch, transfeed};
use serde_json::Value;
use transfeed::convert::Bytes;
use transfeed::rules::{Check, Settings, Severity};
use yaml_rust2::{Yaml, YamlLoader};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Samples, and texts that would end what they stand in.
fn folder(name: &str) -> PathBuf {
    let dir = scratch(name);
    for entry in std::fs::read_dir(root("samples")).expect("samples") {
        let path = entry.expect("a sample").path();
        std::fs::copy(&path, dir.join(path.file_name().expect("a name"))).expect("a copy");
    }
    let odd = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
        <url><loc>::error file=a::\"]]&gt;&lt;/failure&gt;\n::warning::%0A</loc><priority>\"9,\n:</priority></url>\n\
        <url><loc>https://a.example/&#x202E;\u{85}</loc><lastmod>&lt;b&gt;</lastmod></url></urlset>\n";
    std::fs::write(dir.join("odd, 100%:\u{e9}.xml"), odd).expect("a document");
    std::fs::write(dir.join("no feed.xml"), "<html/>").expect("a document");
    dir
}

fn validate(dir: &Path, form: &str) -> Run {
    let args = ["validate", ".", "--format", form, "--level", "info", "--all", "--now", "2026-06-01", "-j", "1"];
    let run = transfeed(dir, &args, None);
    assert_eq!(run.code, 2, "one file is no feed, which is said: {}", run.stderr);
    run
}

fn json(run: &Run) -> Value {
    serde_json::from_slice(&run.stdout).expect("JSON")
}

/// Findings of all files, as the form that has most of them tells.
fn count(dir: &Path) -> u64 {
    let lines = validate(dir, "jsonl").text();
    let last: Value = serde_json::from_str(lines.lines().last().expect("a line")).expect("JSON");
    let sum = ["error", "warning", "info"].iter().map(|key| last["totals"][key].as_u64().expect("a number")).sum();
    assert_eq!(sum, lines.lines().count() as u64 - 1);
    sum
}

#[test]
fn sarif_is_what_its_schema_says() {
    let dir = folder("validate-sarif");
    let log = json(&validate(&dir, "sarif"));
    let text = std::fs::read_to_string(root("tests/fixtures/schema/sarif-2.1.0.json")).expect("the schema is there");
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.enable_format_assertions();
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    compiler.add_resource("sarif.json", schema).expect("a schema");
    let index = compiler.compile("sarif.json", &mut schemas).expect("a schema");
    if let Err(error) = schemas.validate(&log, index) {
        panic!("{error:#}");
    }
    let run = &log["runs"][0];
    assert_eq!(run["results"].as_array().map(Vec::len), Some(count(&dir) as usize));
    let rules: HashSet<&str> = array(&run["tool"]["driver"]["rules"]).map(|rule| text_of(&rule["id"])).collect();
    for result in array(&run["results"]) {
        assert!(rules.contains(text_of(&result["ruleId"])), "{result}");
        let uri = text_of(&result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]);
        assert!(uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}:".contains(&byte)), "{uri}");
    }
    let prints: HashSet<String> = array(&run["results"])
        .map(|result| format!("{}{}", result["locations"][0], result["partialFingerprints"]))
        .collect();
    assert_eq!(prints.len() as u64, count(&dir), "every result can be known again");
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let notes: Vec<&Value> = array(&run["invocations"][0]["toolExecutionNotifications"]).collect();
    assert!(notes.iter().any(|note| note.to_string().contains("no%20feed.xml")), "{notes:?}");
    // what cannot be is seen by the schema
    let mut wrong = log.clone();
    wrong["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(schemas.validate(&wrong, index).is_err());
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("a list").iter()
}

fn text_of(value: &Value) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn sarif_lists_no_more_than_is_shown_and_counts_the_rest() {
    let dir = scratch("validate-many");
    let pages: String = (0..5_100).map(|page| format!("<url><loc>/{page}</loc></url>\n")).collect();
    let text = format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{pages}</urlset>");
    std::fs::write(dir.join("many.xml"), text).expect("a document");
    let run = transfeed(&dir, &["validate", "many.xml", "--profile", "sitemaps", "--format", "sarif"], None);
    let log = json(&run);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(5_000));
    let note = text_of(&log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]);
    assert_eq!(note, "and 100 more that are not listed here: 100 of U01");
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

/// The format of GitLab's documentation, "Code Quality report format": five members, of which the severity is one of
/// five words.
#[test]
fn gitlab_gets_what_it_documents() {
    let dir = folder("validate-gitlab");
    let report = json(&validate(&dir, "gitlab"));
    let mut seen = HashSet::new();
    for issue in array(&report) {
        for member in ["description", "check_name", "fingerprint", "severity"] {
            assert!(!text_of(&issue[member]).is_empty(), "{member}: {issue}");
        }
        let known = ["info", "minor", "major", "critical", "blocker"];
        assert!(known.contains(&text_of(&issue["severity"])), "{issue}");
        let path = text_of(&issue["location"]["path"]);
        assert!(!path.starts_with("./") && !path.starts_with('/'), "a path relative to the repository: {path}");
        assert!(issue["location"]["lines"]["begin"].as_u64().is_some_and(|line| line > 0), "{issue}");
        assert!(seen.insert(text_of(&issue["fingerprint"]).to_owned()), "a fingerprint twice: {issue}");
    }
    assert_eq!(seen.len() as u64, count(&dir));
}

/// Elements and attributes as the schema of Jenkins has them: suites with sums, cases with a name and a class, failures
/// and errors with a type and a message.
#[test]
fn junit_is_well_formed_and_adds_up() {
    let dir = folder("validate-junit");
    let text = validate(&dir, "junit").text();
    let document = roxmltree::Document::parse(&text).expect("XML");
    let suites = document.root_element();
    assert_eq!(suites.tag_name().name(), "testsuites");
    let mut failures = 0;
    for suite in suites.children().filter(roxmltree::Node::is_element) {
        let number = |name| suite.attribute(name).map_or(Ok(0), str::parse::<usize>).expect("a number");
        let cases: Vec<_> = suite.children().filter(roxmltree::Node::is_element).collect();
        assert!(suite.tag_name().name() == "testsuite" && suite.attribute("name").is_some());
        assert!(cases.iter().all(|case| case.tag_name().name() == "testcase"));
        assert!(cases.iter().all(|case| case.attribute("name").is_some() && case.attribute("classname").is_some()));
        let of = |name: &str| {
            let found = cases.iter().flat_map(|case| case.children()).filter(|child| child.has_tag_name(name));
            found
                .inspect(|child| assert!(child.attribute("type").is_some() && child.attribute("message").is_some()))
                .count()
        };
        assert_eq!((number("tests"), number("failures"), number("errors")), (cases.len(), of("failure"), of("error")));
        failures += of("failure") as u64;
    }
    assert_eq!(failures, count(&dir));
    assert_eq!(text.matches("<error ").count(), 1, "the file that is no feed");
}

/// A workflow command a line, with the properties that GitHub documents; nothing of a document begins a line.
#[test]
fn github_gets_one_command_for_each_finding() {
    let dir = folder("validate-github");
    let text = validate(&dir, "github").text();
    for line in text.lines() {
        let (command, says) = line.strip_prefix("::").and_then(|line| line.split_once("::")).expect("a command");
        let (name, properties) = command.split_once(' ').expect("properties");
        assert!(["error", "warning", "notice"].contains(&name), "{line}");
        let properties: Vec<(&str, &str)> =
            properties.split(',').map(|pair| pair.split_once('=').expect(line)).collect();
        let names: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["file", "line", "col", "title"], "{line}");
        assert!(properties.iter().all(|(_, value)| !value.contains([':', '\r', '\n']) && !value.is_empty()), "{line}");
        assert!(!says.contains(['\r', '\n']) && !says.is_empty(), "{line}");
    }
    assert_eq!(text.lines().count() as u64, count(&dir));
    assert!(text.contains("file=odd%2C 100%25%3A"), "{text}");
}

#[test]
fn a_page_tells_what_the_other_forms_tell() {
    let dir = folder("validate-html");
    let page = validate(&dir, "html").text();
    assert_eq!(
        page.matches("<tbody data-kind=").count() as u64,
        count(&dir) + page.matches("<summary>Reason and remedy</summary>").count() as u64
    );
    assert!(page.contains("Could not be read") && page.contains("no feed.xml") && !page.contains("::error file=a::\""));
    let one = transfeed(&dir, &["validate", "urls.txt", "--level", "error", "--format", "html"], None).text();
    assert!(one.contains("<h1>Nothing found</h1>") && one.contains("No rule is broken"), "{one:.2000}");
}

/// The commands of the program, as its help lists them.
fn commands(dir: &Path) -> Vec<String> {
    let help = transfeed(dir, &["--help"], None).ok("--help").text();
    let (_, list) = help.split_once("Commands:").expect("a list of commands");
    let is_row = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let rows = list.lines().skip(1).take_while(|line| !line.is_empty()).filter(is_row);
    let rows = rows.map(|line| line.trim().split_once("  ").unwrap_or_else(|| panic!("nothing is said of{line}")));
    let names: Vec<String> = rows.map(|(name, _)| name.to_owned()).collect();
    assert!(names.len() >= 8 && names.contains(&"validate".to_owned()), "{names:?}");
    names
}

#[test]
fn the_list_of_commands_says_what_their_own_help_begins_with() {
    let dir = scratch("commands");
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let list = one_line(&transfeed(&dir, &["--help"], None).ok("--help").text());
    for name in commands(&dir).iter().filter(|name| *name != "help") {
        for long in ["-h", "--help"] {
            let help = transfeed(&dir, &[name, long], None).ok(name).text();
            let (first, _) = help.split_once("\n\n").expect("a first paragraph");
            let first = one_line(first).trim_end_matches('.').to_owned();
            assert!(list.contains(&format!("{name} {first}")), "{name}: {first:?} is not in the list");
        }
    }
}

#[test]
fn completions_know_every_command() {
    let dir = scratch("completions");
    let names = commands(&dir);
    for (shell, start) in [
        ("bash", "_transfeed()"),
        ("zsh", "#compdef transfeed"),
        ("fish", "# Print an optspec"),
        ("powershell", "\nusing namespace System.Management.Automation"),
        ("elvish", "\nuse builtin;"),
    ] {
        let script = transfeed(&dir, &["completions", shell], None).ok(shell).text();
        assert!(script.starts_with(start), "{shell} begins with {:.60}", script);
        for name in names.iter().filter(|name| *name != "help") {
            assert!(script.contains(name.as_str()), "{shell} knows no {name}");
        }
        for word in ["--profile", "rss-board"] {
            let word = if shell == "fish" { word.trim_start_matches("--") } else { word };
            assert!(script.contains(word), "{shell} knows no {word}");
        }
    }
    let wrong = transfeed(&dir, &["completions", "fihs"], None);
    assert!(wrong.code == 2 && wrong.stderr.contains("fish"), "{}", wrong.stderr);
}

#[test]
fn every_command_has_a_manual_page() {
    let dir = scratch("man");
    transfeed(&dir, &["man", "pages/man1"], None).ok("man");
    let mut found: Vec<String> = std::fs::read_dir(dir.join("pages/man1"))
        .expect("the folder was made")
        .map(|entry| entry.expect("a page").file_name().to_string_lossy().into_owned())
        .collect();
    found.sort();
    let names = commands(&dir).into_iter().filter(|name| name != "help");
    let mut wanted: Vec<String> = names.map(|name| format!("transfeed-{name}.1")).collect();
    wanted.push("transfeed.1".to_owned());
    wanted.sort();
    assert_eq!(found, wanted);
    for name in &found {
        let page = std::fs::read_to_string(dir.join("pages/man1").join(name)).expect("a page");
        let title = name.trim_end_matches(".1");
        assert!(page.contains(&format!(".TH {title} 1")), "{name}: {page:.200}");
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{name}");
        assert!(!page.contains(".SH EXTRA") && !page.contains("help(1)"), "{name}");
        assert!(page.contains(concat!("\"transfeed ", env!("CARGO_PKG_VERSION"), "\"")), "{name}: {page:.200}");
    }
    let first = transfeed(&dir, &["man"], None).ok("man").stdout;
    assert_eq!(first, std::fs::read(dir.join("pages/man1/transfeed.1")).expect("a page"));
}

#[test]
fn manual_pages_are_not_written_where_they_may_not() {
    let dir = scratch("man-refused");
    std::fs::write(dir.join("file"), "mine").expect("a file");
    for target in ["file", "file/man1"] {
        let run = transfeed(&dir, &["man", target], None);
        assert!(run.code == 2 && run.stderr.contains("file"), "{target}: {}", run.stderr);
    }
    assert_eq!(std::fs::read_to_string(dir.join("file")).expect("the file"), "mine");
    #[cfg(unix)]
    {
        // who is root may write anywhere else
        std::fs::create_dir(dir.join("man1")).expect("a folder");
        std::fs::create_dir(dir.join("man1/transfeed.1")).expect("a folder in the place of a page");
        let run = transfeed(&dir, &["man", "man1"], None);
        assert!(run.code == 2 && run.stderr.contains("transfeed.1"), "{}", run.stderr);
    }
}

/// Blocks of docs/ci.md in a language.
fn blocks(language: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root("docs/ci.md")).expect("the page is there");
    let fence = format!("```{language}\n");
    let found = text.split(&fence).skip(1).filter_map(|rest| Some(rest.split_once("```")?.0.to_owned()));
    found.collect()
}

/// The texts of a document of YAML that are commands of this program.
fn told(yaml: &Yaml, found: &mut Vec<String>) {
    match yaml {
        Yaml::String(text) => {
            found.extend(text.lines().filter(|line| line.starts_with("transfeed ")).map(str::to_owned))
        }
        Yaml::Array(items) => items.iter().for_each(|item| told(item, found)),
        Yaml::Hash(items) => items.iter().for_each(|(_, item)| told(item, found)),
        _ => (),
    }
}

#[test]
fn the_files_of_ci_are_yaml_and_their_commands_run() {
    let dir = scratch("ci");
    std::fs::create_dir(dir.join("public")).expect("a folder");
    for name in ["videos.xml", "pages.xml", "urls.txt"] {
        std::fs::copy(root("samples").join(name), dir.join("public").join(name)).expect("a copy");
    }
    let mut commands = Vec::new();
    let blocks = blocks("yaml");
    assert_eq!(blocks.len(), 4);
    for block in &blocks {
        let documents = YamlLoader::load_from_str(block).unwrap_or_else(|error| panic!("{error}\n{block}"));
        assert_eq!(documents.len(), 1);
        documents.iter().for_each(|document| told(document, &mut commands));
    }
    assert!(commands.len() >= 4, "{commands:?}");
    for command in commands {
        let (command, out) = command.split_once(" > ").map_or((&*command, None), |(command, out)| (command, Some(out)));
        let mut args: Vec<&str> = command.split(' ').skip(1).collect();
        // a hook is given the names of files
        if !args.contains(&"public/") {
            args.push("public/videos.xml");
        }
        let run = transfeed(&dir, &args, None);
        let may = if args.contains(&"--exit-zero") { [0, 0] } else { [0, 1] };
        assert!(may.contains(&run.code), "{command}: {}\n{}", run.code, run.stderr);
        if out.is_some_and(|out| out.ends_with(".json") || out.ends_with(".sarif")) {
            json(&run);
        }
    }
}

#[test]
fn the_action_has_the_inputs_that_ci_uses() {
    let text = std::fs::read_to_string(root("packages/action/action.yml")).expect("the action");
    let action = YamlLoader::load_from_str(&text).expect("YAML").remove(0);
    let known = action["inputs"].as_hash().expect("inputs");
    let workflow = YamlLoader::load_from_str(&blocks("yaml")[0]).expect("YAML").remove(0);
    let steps = workflow["jobs"]["validate"]["steps"].as_vec().expect("steps");
    let step = steps.iter().find(|step| step["uses"].as_str().is_some_and(|uses| uses.contains("packages/action")));
    let given = step.expect("a step with the action")["with"].as_hash().expect("inputs");
    assert!(given.keys().all(|name| known.contains_key(name)), "{given:?}");
    // the step hands on each input, as a variable
    let env = action["runs"]["steps"][0]["env"].as_hash().expect("variables");
    assert_eq!(env.len(), known.len());
}

#[test]
fn the_settings_of_ci_are_taken() {
    let dir = scratch("ci-settings");
    std::fs::copy(root("samples/pages.xml"), dir.join("pages.xml")).expect("a copy");
    let settings = blocks("toml");
    assert_eq!(settings.len(), 1);
    std::fs::write(dir.join("transfeed.toml"), &settings[0]).expect("the settings");
    let known = ["validate", "pages.xml", "--no-config", "--format", "json", "--exit-zero"];
    std::fs::write(dir.join("known.json"), transfeed(&dir, &known, None).ok("a baseline").stdout).expect("a baseline");
    let run = transfeed(&dir, &["validate", "pages.xml", "--format", "json", "--exit-zero"], None).ok("the settings");
    assert_eq!(json(&run)["profiles"], serde_json::json!(["google", "sitemaps"]));
}

/// Samples and fixtures, and the documents in the folder that `TRANSFEED_CORPUS` names.
fn documents() -> Vec<PathBuf> {
    let mut open = vec![root("samples"), root("tests/fixtures")];
    open.extend(std::env::var_os("TRANSFEED_CORPUS").map(PathBuf::from));
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.retain(|path| path.extension().is_none_or(|end| end != "md"));
    found.sort();
    assert!(found.len() > 200, "the documents were not found");
    found
}

/// The lines of a text, each without its end.
fn lines(text: &str) -> Vec<String> {
    text.replace("\r\n", "\n").split(['\n', '\r']).map(str::to_owned).collect()
}

#[test]
fn what_is_shown_of_the_source_stands_there() {
    let mut looked = 0;
    for path in documents() {
        let bytes = std::fs::read(&path).expect("a document");
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        let lines = lines(text.trim_start_matches('\u{feff}'));
        let settings = Settings { level: Some(Severity::Info), excerpts: true, ..Settings::default() };
        let check = Check { settings, ..Check::default() };
        let mut findings = Vec::new();
        if check.run(&Bytes { name: "-", bytes: &bytes }, &mut findings).is_err() {
            continue;
        }
        for finding in findings {
            let Some(excerpt) = &finding.excerpt else { continue };
            let says = format!(
                "{}: {} {} in line {}: {excerpt:?}",
                path.display(),
                finding.code,
                finding.message,
                finding.line
            );
            let line = lines.get(finding.line as usize - 1).unwrap_or_else(|| panic!("no such line: {says}"));
            let before = excerpt.text[..excerpt.mark.0].chars().count();
            let from =
                (finding.column as usize - 1).checked_sub(before).unwrap_or_else(|| panic!("no such column: {says}"));
            let stands: String = line.chars().skip(from).take(excerpt.text.chars().count()).collect();
            assert_eq!(stands, excerpt.text, "{says}");
            looked += 1;
        }
    }
    assert!(looked > 50, "only {looked} were looked at");
}

#[test]
fn text_and_json_name_one_place() {
    let names: Vec<String> =
        documents().iter().filter(|path| path.extension().is_some()).map(|path| path.display().to_string()).collect();
    let dir = scratch("validate-places");
    let run = |form: &[&str]| {
        let mut args = vec!["validate", "--level", "info", "--all", "--now", "2026-06-01", "-j", "1"];
        args.extend(form);
        args.extend(names.iter().map(String::as_str));
        transfeed(&dir, &args, None).text()
    };
    let mut told: Vec<(String, String)> = Vec::new();
    let mut code = String::new();
    for line in run(&["--format", "text"]).lines() {
        let begins = ["error[", "warning[", "info["].iter().find_map(|start| line.strip_prefix(start));
        if let Some((found, _)) = begins.and_then(|rest| rest.split_once(']')) {
            found.clone_into(&mut code);
        } else if let Some(place) = line.trim_start().strip_prefix("--> ") {
            told.push((code.clone(), place.to_owned()));
        }
    }
    let rows = run(&["--format", "jsonl"]);
    let rows = rows.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut known: Vec<(String, String)> = rows
        .filter(|row| row["code"].is_string())
        .map(|row| {
            (text_of(&row["code"]).to_owned(), format!("{}:{}:{}", text_of(&row["file"]), row["line"], row["column"]))
        })
        .collect();
    assert!(known.len() > 50, "only {} were told", known.len());
    known.sort();
    told.sort();
    assert_eq!(told, known);
}
