//! What becomes of a run that is asked to end, and of a file that may not grow. Unix only.
#![cfg(unix)]

use crate::common;

use std::path::Path;
use std::process::{Child, Command, Stdio};

use common::{is_ignored, program, scratch, shell};

/// A list of addresses that takes a while.
fn pages(dir: &Path) {
    let text: String = (0..400_000).map(|n| format!("https://pond.example/{n}\n")).collect();
    std::fs::write(dir.join("pages.txt"), text).expect("a page list");
}

fn start(dir: &Path, before: &str, args: &str) -> Child {
    shell(dir, &format!("{before}exec \"$0\" {args}")).stderr(Stdio::piped()).spawn().expect("a shell")
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}

/// Names of a folder, hidden ones too.
fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).expect("a folder").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Waits until the run has begun to write.
fn wait_for_temporary(dir: &Path, child: &mut Child) {
    while !names(dir).iter().any(|name| name.starts_with(".transfeed-")) {
        assert!(child.try_wait().expect("a state").is_none(), "it ended before it wrote");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[test]
fn a_conversion_that_is_asked_to_end_leaves_nothing() {
    let signals = [("INT", 130), ("TERM", 143), ("HUP", 129)];
    for (signal, code) in signals.into_iter().filter(|(signal, _)| !is_ignored(signal)) {
        let dir = scratch(&format!("signals-{signal}"));
        pages(&dir);
        std::fs::write(dir.join("out.xml"), "before").expect("a file");
        let args = "convert pages.txt --to sitemap -o out.xml --report report.jsonl --split 1000 \
                    --index-base https://pond.example/";
        let mut child = start(&dir, "", args);
        wait_for_temporary(&dir, &mut child);
        send(&child, signal);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(code));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "note: interrupted\n");
        assert_eq!(names(&dir), ["out.xml", "pages.txt"]);
        assert_eq!(std::fs::read(dir.join("out.xml")).expect("a file"), b"before");
    }
}

/// What waits for an input that does not come ends as well.
#[test]
fn a_run_that_waits_ends_too() {
    let dir = scratch("signals-waiting");
    let mut command = program(&dir);
    command.args(["convert", "--to", "text", "-o", "out.txt"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary starts");
    let _open = child.stdin.take();
    while child.try_wait().expect("a state").is_none() {
        // before it listens, the signal does what it does to any program
        send(&child, "TERM");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let ended = child.wait().expect("a state");
    assert!(matches!(ended.code(), Some(143) | None), "{ended:?}");
    assert!(names(&dir).is_empty());
}

/// Commands that only read have the same exit codes.
#[test]
fn what_reads_ends_with_a_code() {
    for args in [&["validate"][..], &["inspect", "-"], &["diff", "-", "a.txt"]] {
        let dir = scratch(&format!("signals-{}", args[0]));
        std::fs::write(dir.join("a.txt"), "https://pond.example/1\n").expect("a list");
        let mut child = program(&dir).args(args).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a run");
        let _open = child.stdin.take();
        // until it listens, the signal does what it does to any program
        std::thread::sleep(std::time::Duration::from_millis(500));
        send(&child, "TERM");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(143), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "note: interrupted\n");
    }
}

#[test]
fn what_was_ignored_stays_ignored() {
    let dir = scratch("signals-ignored");
    pages(&dir);
    let mut child = start(&dir, "trap '' HUP; ", "convert pages.txt --to text -o out.txt -q");
    wait_for_temporary(&dir, &mut child);
    send(&child, "HUP");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(names(&dir), ["out.txt", "pages.txt"]);
}
