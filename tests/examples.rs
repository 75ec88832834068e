//! The examples of losses and repairs, converted: each is told under its code. And every code that `explain --list` names
//! is explained whole.

use std::io::Write as _;
use std::path::Path;
use std::process::Output;

use crate::common::program;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use transfeed::code::{Code, LossKind};
use transfeed::example::{self, CodeExample};
use transfeed::rules::Within;
use transfeed::{diagnostic, rules};

/// Codes that no document is known to raise: the reader that mends finds an element in every entry.
const NEVER: [&str; 1] = ["xml.ill_formed"];

/// Limits that end the run: its message names the option.
const ENDS: [&str; 1] = ["limit.head"];

fn transfeed(args: &[&str]) -> Output {
    let dir = std::env::current_dir().expect("a folder");
    program(&dir).args(args).output().expect("the program")
}

fn document(within: Within, part: &str) -> Option<String> {
    let rss = "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\" \
        xmlns:dcterms=\"http://purl.org/dc/terms/\" xmlns:ex=\"https://ex.example/ns\">";
    let sitemap = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
        xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
        xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">";
    let url = |part: &str| format!("{sitemap}<url><loc>https://a.example/p</loc>{part}</url></urlset>");
    let channel = "<title>c</title><link>https://a.example/</link><description>d</description>";
    Some(match within {
        Within::Document | Within::Text => part.to_owned(),
        Within::Urlset => format!("{sitemap}{part}</urlset>"),
        Within::Url => url(part),
        Within::Video => url(&format!("<video:video>{part}</video:video>")),
        Within::Channel => format!("{rss}<channel>{part}</channel></rss>"),
        Within::Item => format!("{rss}<channel>{channel}<item>{part}</item></channel></rss>"),
        Within::Feed => format!("<feed xmlns=\"http://www.w3.org/2005/Atom\">{part}</feed>"),
        Within::Entry => format!("<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry>{part}</entry></feed>"),
        Within::Index | Within::Words => return None,
    })
}

fn item(title: &[u8]) -> Vec<u8> {
    [b"<item><title>".as_slice(), title, b"</title></item>"].concat()
}

fn feed(declaration: &str, items: &[u8]) -> Vec<u8> {
    let head = format!("{declaration}<rss version=\"2.0\"><channel><title>c</title>");
    [head.as_bytes(), items, b"</channel></rss>"].concat()
}

fn gzipped() -> Vec<u8> {
    let text = document(Within::Url, "<lastmod>2026-05-01</lastmod>").expect("a document");
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    out.write_all(text.as_bytes()).expect("gzip in memory");
    out.finish().expect("gzip in memory")
}

/// The documents of examples that are told in words.
fn in_words(code: &str) -> Vec<u8> {
    // "привет, мир, сегодня" in windows-1251
    let cyrillic = b"\xef\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0, \xf1\xe5\xe3\xee\xe4\xed\xff".as_slice();
    let packed = gzipped();
    match code {
        "encoding.conflict" => feed("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", &item(cyrillic)),
        "encoding.guessed" => feed("<?xml version=\"1.0\"?>", &item(cyrillic)),
        "encoding.invalid" => feed("<?xml version=\"1.0\"?>", &item(&"привет".as_bytes()[..11])),
        "encoding.mixed" => {
            let items = [item("привет, мир".as_bytes()).repeat(20), item(cyrillic)].concat();
            feed("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", &items)
        }
        "gzip.corrupt" => {
            let mut packed = packed;
            let middle = packed.len() - 5;
            packed[middle] ^= 0xFF;
            packed
        }
        "gzip.garbage" => [packed.as_slice(), b"a line of text\n"].concat(),
        "gzip.truncated" => packed[..packed.len() / 2].to_vec(),
        "limit_passed" | "limit_split" => {
            (0..50_001).flat_map(|number| format!("https://a.example/{number}\n").into_bytes()).collect()
        }
        "xml.repairs" => feed("", &item("& ".repeat(1_001).as_bytes())),
        code => panic!("no document for {code}"),
    }
}

/// What a conversion of an example reports, and what it says.
fn converted(example: &CodeExample, dir: &Path) -> (String, String) {
    let (input, report) = (dir.join("input"), dir.join("report.json"));
    let bytes = match document(example.within, &example.part()) {
        Some(text) => text.into_bytes(),
        None => in_words(example.code),
    };
    std::fs::write(&input, bytes).expect("a file");
    let _ = std::fs::remove_file(&report);
    let path = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
    let (input, report_to) = (path(&input), path(&report));
    let mut args = vec!["convert", &input, "--report", &report_to];
    args.extend(example.options.split(' '));
    let output = transfeed(&args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (std::fs::read_to_string(report).unwrap_or_default(), said)
}

/// The words that stand under these keys, anywhere in a report.
fn words(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                match value {
                    Value::String(text) if matches!(key.as_str(), "code" | "kind") => found.push(text.clone()),
                    value => words(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| words(item, found)),
        _ => (),
    }
}

#[test]
fn examples_are_told_under_their_codes() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    // what a program of the library's users did is shown in tests/library.rs
    let by_caller = |code: &str| Code::by_name(code).is_some_and(Code::is_callers);
    let shown = |example: &&CodeExample| !NEVER.contains(&example.code) && !by_caller(example.code);
    for example in example::ALL.iter().filter(shown) {
        let (report, said) = converted(example, dir.path());
        let mut told = Vec::new();
        words(&serde_json::from_str(&report).unwrap_or_default(), &mut told);
        let option = diagnostic::option(example.code).unwrap_or_default();
        let ended = ENDS.contains(&example.code) && said.contains(option);
        if !ended && !told.iter().any(|code| code == example.code) {
            wrong.push(format!("{}: {told:?}; {said}", example.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn examples_have_codes_of_their_own() {
    for (number, one) in example::ALL.iter().enumerate() {
        assert!(example::ALL.iter().skip(number + 1).all(|other| other.code != one.code), "{} twice", one.code);
        let is_code = Code::by_name(one.code).is_some()
            || LossKind::by_name(one.code).is_some()
            || diagnostic::by_code(one.code).is_some();
        assert!(is_code, "{} is no code", one.code);
    }
}

#[test]
fn every_code_is_explained_whole() {
    let losses = Code::ALL.iter().map(|code| (code.name(), &["Reasons\n", "Shown by"][..]));
    let kinds = LossKind::ALL.into_iter().map(|kind| (kind.name(), &["Example", "Shown by"][..]));
    let repairs = diagnostic::ALL.iter().map(|row| (row.code, &["Problem\n", "Repair\n", "Example", "Shown by"][..]));
    let rule_parts = &["Why it matters", "How to fix it", "Bad\n", "Good\n", "Source", "Shown by"][..];
    let rules = rules::all().map(|rule| (rule.code, rule_parts));
    let list = String::from_utf8(transfeed(&["explain", "--list"]).stdout).expect("UTF-8");
    for (code, parts) in losses.chain(kinds).chain(repairs).chain(rules) {
        assert!(list.lines().any(|line| line.split_whitespace().next() == Some(code)), "{code} is not in the list");
        let output = transfeed(&["explain", code]);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(output.status.success() && text.starts_with(code), "{code}: {text}");
        for part in parts {
            assert!(text.contains(part), "{code} has no {part}:\n{text}");
        }
        assert!(!text.contains("\n\n\n"), "{code} has holes:\n{text}");
    }
}
