//! What surrounds a run and is no document: names and words that are no text, the environment, outputs that are full. Unix
//! only, as the others cannot have such names.
#![cfg(unix)]

use crate::common;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output};

use common::{program, scratch, transfeed};

const FEED: &str = "<rss version=\"2.0\"><channel><title>c</title><link>https://pond.example/</link>\
    <description>d</description><item><title>a</title><link>https://pond.example/1</link></item></channel></rss>";

fn command(dir: &Path) -> Command {
    let mut command = program(dir);
    command.env_remove("NO_COLOR");
    command
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn words_that_are_no_text_are_refused_in_words() {
    let dir = scratch("no-text");
    for word in [&b"\xff.rss"[..], b"--x\xff", b"convert\xff"] {
        let run = command(&dir).arg(OsStr::from_bytes(word)).output().expect("the program");
        assert_eq!(run.status.code(), Some(2), "{}", words(&run));
        assert!(!words(&run).is_empty() && !words(&run).contains("panicked"), "{}", words(&run));
    }
}

#[test]
fn a_folder_is_checked_with_the_names_that_it_has() {
    let dir = scratch("names");
    let name = OsStr::from_bytes(b"\xff.rss");
    std::fs::create_dir(dir.join("feeds")).expect("a folder");
    std::fs::write(dir.join("feeds").join(name), FEED).expect("a feed");
    std::fs::write(dir.join("feeds/\\xff.rss"), FEED).expect("another feed");
    let run = transfeed(&dir, &["validate", "feeds", "--json", "--exit-zero"], None).ok("both are read");
    let files: Vec<serde_json::Value> = match serde_json::from_slice(&run.stdout).expect("JSON") {
        serde_json::Value::Object(mut all) => all["files"].as_array_mut().map(std::mem::take).expect("files"),
        other => panic!("{other}"),
    };
    assert_eq!(files.len(), 2);
}

#[test]
fn a_time_that_is_none_is_refused() {
    let dir = scratch("epoch");
    std::fs::write(dir.join("feed.rss"), FEED).expect("a feed");
    let args = ["convert", "feed.rss", "--to", "atom", "-q"];
    for (said, code) in [("1780000000", 0), ("", 0), ("foo", 2), ("99999999999999999999", 2)] {
        let run = command(&dir).args(args).env("SOURCE_DATE_EPOCH", said).output().expect("the program");
        assert_eq!(run.status.code(), Some(code), "{said}: {}", words(&run));
        assert_eq!(words(&run).contains("SOURCE_DATE_EPOCH"), code == 2, "{}", words(&run));
    }
}

#[test]
fn only_terminals_see_colour_unless_it_is_asked_for() {
    let dir = scratch("colour");
    std::fs::write(dir.join("feed.rss"), FEED).expect("a feed");
    let colored = |args: &[&str], (name, value): (&str, &str)| {
        let run = command(&dir).args(args).env(name, value).output().expect("the program");
        run.stdout.contains(&b'\x1b') || run.stderr.contains(&b'\x1b')
    };
    let plain = ["convert", "feed.rss", "--to", "text", "-o", "list.txt"];
    let always = ["convert", "feed.rss", "--to", "text", "-o", "list.txt", "--color", "always"];
    assert!(!colored(&plain, ("CLICOLOR_FORCE", "1")));
    assert!(!colored(&["validate", "feed.rss", "--profile", "rss"], ("CLICOLOR_FORCE", "1")));
    assert!(colored(&always, ("NO_COLOR", "1")));
}

#[test]
fn settings_are_found_above_and_the_environment_wins_over_them() {
    let dir = scratch("settings");
    std::fs::create_dir_all(dir.join("a/b")).expect("folders");
    std::fs::write(dir.join("feed.rss"), FEED).expect("a feed");
    let tables = "[convert]\nto = \"text\"\noutput = \"pages.txt\"\n\
        [validate]\nlevel = \"error\"\nformat = \"jsonl\"\nexit-zero = true\n\
        [job.pages]\ncommand = \"convert\"\ninputs = [\"feed.rss\"]\n";
    std::fs::write(dir.join("transfeed.toml"), tables).expect("the settings");
    std::fs::write(dir.join("other.toml"), "[convert]\nto = \"jsonl\"\n").expect("other settings");
    let run = |args: &[&str], env: &[(&str, &str)]| {
        let run = command(&dir.join("a/b")).args(args).envs(env.iter().copied()).output().expect("the program");
        (run.status.code(), String::from_utf8_lossy(&run.stdout).into_owned(), words(&run))
    };
    let pages = || std::fs::read_to_string(dir.join("pages.txt")).unwrap_or_default();

    let (code, out, said) = run(&["convert", "../../feed.rss"], &[]);
    assert_eq!((code, out.as_str(), pages().as_str()), (Some(0), "", "https://pond.example/1\n"), "{said}");
    assert!(said.starts_with("note: ../../transfeed.toml adds options to convert"), "{said}");
    std::fs::remove_file(dir.join("pages.txt")).expect("the output");
    let (code, _, said) = run(&["run", "pages", "-q"], &[]);
    assert_eq!((code, said.as_str(), pages().as_str()), (Some(0), "", "https://pond.example/1\n"));

    // the environment names another file, or none
    let other = [("TRANSFEED_CONFIG", "../../other.toml")];
    let (code, out, said) = run(&["convert", "../../feed.rss", "-q"], &other);
    assert!(code == Some(0) && out.starts_with("{\"transfeed\""), "{out} {said}");
    let (code, _, said) = run(&["convert", "../../feed.rss", "-q", "--no-config"], &other);
    assert!(code == Some(2) && said.contains("no target format"), "{said}");

    // an empty variable is not set
    let empty = [("TRANSFEED_CONFIG", "")];
    let (code, out, said) = run(&["convert", "../../feed.rss", "-q", "-o", "-"], &empty);
    assert_eq!((code, out.as_str(), said.as_str()), (Some(0), "https://pond.example/1\n", ""));
    let (code, _, said) = run(&["run", "pages", "-q"], &empty);
    assert_eq!((code, said.as_str()), (Some(0), ""));

    // a warning: the file shows only errors, as a line of JSON, and is never a failure
    let validate = ["validate", "../../feed.rss", "--profile", "rss-board"];
    let (code, out, _) = run(&validate, &[]);
    assert_eq!((code, out.lines().count()), (Some(0), 1), "{out}");
    let (code, out, _) = run(&validate, &[("TRANSFEED_LEVEL", "warn"), ("TRANSFEED_EXIT_ZERO", "false")]);
    assert!(code == Some(1) && out.contains("\"severity\":\"warning\""), "{code:?} {out}");
    let (_, out, _) = run(&[&validate[..], &["--level", "error"]].concat(), &[("TRANSFEED_LEVEL", "warn")]);
    assert_eq!(out.lines().count(), 1, "{out}");
}

/// A reader that leaves has all it wanted; what the run found is told all the same.
#[cfg(unix)]
#[test]
fn the_exit_code_does_not_depend_on_the_reader() {
    let dir = scratch("reader");
    std::fs::write(dir.join("feed.rss"), FEED).expect("a feed");
    std::fs::write(dir.join("cut.rss"), FEED.split("<link>https://pond.example/1").next().expect("a part"))
        .expect("a feed");
    for (args, code) in [
        (&["convert", "feed.rss", "--to", "jsonl"][..], 0),
        (&["convert", "feed.rss", "--to", "text", "--fail-on", "lost"], 1),
        (&["convert", "cut.rss", "--to", "jsonl"], 1),
        (&["convert", "feed.rss", "--to", "text", "--strict", "--report", "report.json"], 0),
        (&["validate", "feed.rss", "--profile", "rss-board"], 1),
        (&["validate", "feed.rss", "--profile", "rss-board", "--format", "jsonl"], 1),
        (&["diff", "feed.rss", "cut.rss"], 1),
        (&["inspect", "feed.rss", "missing.rss"], 2),
        (&["migrate", ".", "--to", "text", "--out", "out", "--dry-run", "--fail-on", "lost"], 3),
        (&["explain", "V05"], 0),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let run = command(&dir).args(args).stdout(writer).output().expect("the program");
        assert_eq!(run.status.code(), Some(code), "{args:?}: {}", words(&run));
        assert!(!words(&run).contains("Broken pipe"), "{args:?}: {}", words(&run));
    }
    assert!(dir.join("report.json").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_trouble() {
    let dir = scratch("help");
    for args in [&["--help"][..], &["--version"], &["help", "diff"], &["diff", "-h"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let run = command(&dir).args(args).stdout(full).output().expect("the program");
        assert_eq!(run.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn a_list_of_addresses_has_at_most_50_000() {
    let dir = scratch("long-list");
    for (lines, found) in [(50_000, false), (50_001, true)] {
        let text: String = (0..lines).map(|number| format!("https://pond.example/{number}\n")).collect();
        std::fs::write(dir.join("list.txt"), text).expect("a list");
        let run = transfeed(&dir, &["validate", "list.txt", "--select", "D06"], None);
        assert_eq!((run.code, run.text().contains("D06")), (i32::from(found), found), "{}", run.text());
    }
}

#[test]
fn a_wrong_variable_is_named() {
    let dir = scratch("variables");
    std::fs::write(dir.join("feed.rss"), FEED).expect("a feed");
    let validate = |name: &str, value: &str| {
        let run = command(&dir).args(["validate", "feed.rss"]).env(name, value).output().expect("the program");
        (run.status.code(), words(&run))
    };
    let (code, said) = validate("TRANSFEED_LEVEL", "foo");
    assert!(code == Some(2) && said.contains("'TRANSFEED_LEVEL'") && !said.contains("--level"), "{said}");
    let (code, said) = validate("TRANSFEED_PROFILE", "rss-board,foo");
    assert!(code == Some(2) && said.contains("'TRANSFEED_PROFILE'"), "{said}");
    let (code, said) = validate("TRANSFEED_CONFIG", "none.toml");
    assert!(code == Some(2) && said.contains("the settings file none.toml (TRANSFEED_CONFIG)"), "{said}");
    assert_eq!(validate("TRANSFEED_EXIT_ZERO", "1").0, Some(0));
    let typed = ["validate", "feed.rss", "--level", "foo"];
    let run = command(&dir).args(typed).env("TRANSFEED_LEVEL", "foo").output().expect("the program");
    assert!(words(&run).contains("'--level <LEVEL>'"), "{}", words(&run));
}

/// Pipes are never opened where a folder is read, and read once where they are named.
#[test]
fn pipes_are_read_only_if_they_are_named() {
    let dir = scratch("pipes");
    for folder in ["a", "b"] {
        std::fs::create_dir(dir.join(folder)).expect("a folder");
        std::fs::write(dir.join(folder).join("feed.rss"), FEED).expect("a feed");
        let made = Command::new("mkfifo").arg(dir.join(folder).join("pipe.xml")).status().expect("mkfifo");
        assert!(made.success());
    }
    for args in [&["validate", "a", "--exit-zero"][..], &["diff", "a", "b"], &["diff", "a", "b", "--merge"]] {
        let run = transfeed(&dir, args, None).ok("the pipe is not opened");
        assert!(run.stderr.contains("skipped a/pipe.xml: not a file"), "{}", run.stderr);
    }
    let run = transfeed(&dir, &["validate", "/dev/stdin", "--exit-zero"], Some(FEED.as_bytes())).ok("it is read once");
    assert!(run.text().contains("/dev/stdin (rss, "), "{}", run.text());
}

#[test]
fn a_folder_that_cannot_be_listed_costs_that_folder() {
    use std::os::unix::fs::PermissionsExt;
    let dir = scratch("closed");
    for folder in ["a", "b"] {
        std::fs::create_dir_all(dir.join(folder).join("closed")).expect("folders");
        std::fs::write(dir.join(folder).join("feed.rss"), FEED).expect("a feed");
        std::fs::write(dir.join(folder).join("closed/feed.rss"), FEED).expect("a feed");
    }
    let mode = |mode| std::fs::set_permissions(dir.join("a/closed"), std::fs::Permissions::from_mode(mode));
    mode(0o000).expect("a mode");
    if std::fs::read_dir(dir.join("a/closed")).is_ok() {
        eprintln!("SKIPPED: nothing is locked to the superuser");
        mode(0o755).expect("a mode");
        return;
    }
    let checked = transfeed(&dir, &["validate", "a"], None);
    let compared = transfeed(&dir, &["diff", "a", "b"], None);
    mode(0o755).expect("a mode");
    let error = "error: cannot read a/closed: permission denied";
    assert!(checked.code == 2 && checked.stderr.contains(error), "{}", checked.stderr);
    assert!(checked.text().contains("a/feed.rss"), "{}", checked.text());
    assert!(compared.code == 2 && compared.stderr.contains(error), "{}", compared.stderr);
    assert_eq!(compared.text(), "1 file compared, 1 the same, 1 failed\n");
}

#[test]
fn programs_get_the_names_that_files_have() {
    let dir = scratch("diff-names-for-programs");
    for folder in ["a", "b"] {
        std::fs::create_dir(dir.join(folder)).expect("a folder");
        std::fs::write(dir.join(folder).join("x\n.rss"), FEED).expect("a feed");
    }
    for name in [&b"y\x1b.rss"[..], b"z\xff.rss"] {
        std::fs::write(dir.join("a").join(OsStr::from_bytes(name)), FEED).expect("a feed");
    }
    let run = transfeed(&dir, &["diff", "a", "b", "--json"], None);
    let found: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(found["files"][0]["a"]["name"], "a/x\n.rss");
    assert_eq!(found["removed"], serde_json::json!(["y\u{1b}.rss", {"hex": "7aff2e727373"}]));
    assert!(!run.text().contains('\x1b') && !run.stderr.contains('\x1b'));
}
