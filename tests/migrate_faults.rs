//! Whole trees when something goes wrong: kills, signals, full disks, few descriptors, a second run, sources that change.
//! `TRANSFEED_KILLS=300` kills so many times; what an undisturbed run does is tested in migrate.rs.
#![cfg(unix)]

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{count, is_ignored, make_old, scratch, shell};
use serde_json::Value;

fn list(from: usize, count: usize) -> String {
    (from..from + count).map(|n| format!("https://pond.example/{n}\n")).collect()
}

fn put(dir: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("a file");
}

/// Lists of addresses in folders, one of them in parts, and one that has all threads to itself.
fn tree(name: &str, large: usize) -> PathBuf {
    let dir = scratch(&format!("faults-{name}"));
    for n in 0..SMALL {
        put(&dir, &format!("src/{}/{n}.txt", n % 5), list(n * 1000, 20 + n));
    }
    put(&dir, "src/parts.txt", list(0, 6_000));
    put(&dir, "src/large.txt", list(0, large));
    make_old(&dir.join("src"));
    dir
}

const SMALL: usize = 60;
/// Just so much that all threads work on it.
const LARGE: usize = 78_000;

const ARGS: &str = "migrate src --to sitemap --split 2500 --index-base https://pond.example/";

fn command(dir: &Path, before: &str, args: &str) -> Command {
    shell(dir, &format!("{before}exec \"$0\" {args}"))
}

fn run(dir: &Path, before: &str, args: &str) -> Output {
    command(dir, before, args).output().expect("a shell")
}

fn start(dir: &Path, args: &str) -> Child {
    command(dir, "", args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a shell")
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn ends_with(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", stderr(output));
}

/// All files below a folder, the journal and its like apart; hidden ones in the second answer.
fn files(dir: &Path) -> (BTreeMap<PathBuf, Vec<u8>>, Vec<PathBuf>) {
    let (mut open, mut found, mut hidden) = (vec![dir.to_owned()], BTreeMap::new(), Vec::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let below = path.strip_prefix(dir).expect("below").to_owned();
            if path.is_dir() {
                if !path.ends_with(".transfeed") {
                    open.push(path);
                }
            } else if entry.file_name().to_string_lossy().starts_with('.') {
                hidden.push(below);
            } else if let Ok(content) = fs::read(&path) {
                found.insert(below, content);
            }
        }
    }
    (found, hidden)
}

fn whole(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (files, hidden) = files(dir);
    assert!(hidden.is_empty(), "{hidden:?}");
    files
}

/// What an undisturbed run makes of the tree.
fn undisturbed(dir: &Path) -> (BTreeMap<PathBuf, Vec<u8>>, Duration) {
    let start = Instant::now();
    ends_with(&run(dir, "", &format!("{ARGS} --out whole -q")), 0);
    (whole(&dir.join("whole")), start.elapsed())
}

/// The inputs that a journal tells to be done.
fn noted(out: &Path) -> BTreeSet<String> {
    let text = fs::read(out.join(".transfeed/journal.jsonl")).unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let done = lines.filter(|line| line["report"]["status"] == "done");
    done.filter_map(|line| line["report"]["path"].as_str().map(str::to_owned)).collect()
}

/// The inputs that a run says to have converted.
fn converted(stdout: &[u8]) -> BTreeSet<String> {
    let lines = stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let done = lines.filter(|line| line["type"] == "file" && line["status"] == "done");
    done.filter_map(|line| line["path"].as_str().map(str::to_owned)).collect()
}

/// Killed at any moment: what has a name is whole, what was noted is not done again, and in the end all is there.
#[test]
fn a_run_can_be_killed_at_any_time() {
    let kills: u32 =
        std::env::var("TRANSFEED_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(count(5, 15) as u32);
    let dir = tree("kills", LARGE);
    let (reference, time) = undisturbed(&dir);
    let out = dir.join("out");
    let (mut killed, mut finished, mut left) = (0, 0, 0);
    let mut state = u64::from(std::process::id());
    while killed < kills {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let before = noted(&out);
        let mut child = start(&dir, &format!("{ARGS} --out out --json -q --report reports"));
        let mut stdout = child.stdout.take().expect("a pipe");
        let reader = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            drop(std::io::Read::read_to_end(&mut stdout, &mut bytes));
            bytes
        });
        std::thread::sleep(time.mul_f64((state >> 33) as f64 / f64::from(1_u32 << 31)));
        let ended = child.try_wait().expect("a state").is_some();
        drop(child.kill());
        let status = child.wait().expect("a state");
        let again = converted(&reader.join().expect("a thread"));
        assert!(again.is_disjoint(&before), "done again: {:?}", again.intersection(&before).collect::<Vec<_>>());
        let (published, hidden) = files(&out);
        for (path, content) in &published {
            assert!(reference.get(path) == Some(content), "{} is not as it should be", path.display());
        }
        if ended {
            assert_eq!(status.code(), Some(0));
            assert_eq!((published == reference, hidden), (true, Vec::new()));
            fs::remove_dir_all(&out).expect("a folder");
            finished += 1;
        } else {
            killed += 1;
            left += hidden.len();
        }
    }
    ends_with(&run(&dir, "", &format!("{ARGS} --out out -q --report reports")), 0);
    assert!(whole(&out) == reference);
    assert!(whole(&dir.join("reports")).len() > SMALL);
    eprintln!("{killed} kills, {finished} runs that ended by themselves, {left} temporaries left and taken away");
}

#[test]
fn a_run_that_is_asked_to_end_says_what_remains() {
    let dir = tree("signals", 150_000);
    let interrupt = if is_ignored("INT") { ("INT", "TERM", 143) } else { ("INT", "INT", 130) };
    for (out, signal, code) in [("TERM", "TERM", 143), interrupt] {
        let child = start(&dir, &format!("{ARGS} --out {out} --json --report {out}.json"));
        while noted(&dir.join(out)).is_empty() {
            std::thread::sleep(Duration::from_millis(2));
        }
        send(&child, signal);
        let output = child.wait_with_output().expect("it ends");
        ends_with(&output, code);
        assert!(stderr(&output).contains("files left; run the same command again to resume"), "{}", stderr(&output));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let last: Value = serde_json::from_str(text.lines().last().expect("events")).expect("JSON");
        assert_eq!(last["type"], "summary");
        assert!(last["stopped"].as_str().is_some_and(|why| why.contains("signal")), "{last}");
        assert!(last["counts"]["remaining"].as_u64().is_some_and(|remaining| remaining > 0), "{last}");
        let report: Value =
            serde_json::from_slice(&fs::read(dir.join(format!("{out}.json"))).expect("a report")).expect("JSON");
        assert_eq!(report["counts"], last["counts"]);
        let before = whole(&dir.join(out));
        assert!(!before.is_empty());
        ends_with(&run(&dir, "", &format!("{ARGS} --out {out} -q")), 0);
    }
    assert!(whole(&dir.join("TERM")) == whole(&dir.join("INT")));
}

#[test]
fn the_second_signal_ends_at_once() {
    let dir = tree("twice", LARGE);
    // it cannot end by itself: somebody must read what it says
    let mut command = command(&dir, "", &format!("{ARGS} --out out --json"));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a shell");
    let _unread = child.stdout.take();
    while !dir.join("out/.transfeed/running").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    while child.try_wait().expect("a state").is_none() {
        send(&child, "TERM");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(child.wait().expect("a state").code(), Some(143));
    ends_with(&run(&dir, "", &format!("{ARGS} --out out -q")), 0);
    assert!(whole(&dir.join("out")) == undisturbed(&dir).0);
}

/// A lock that is held by a process that is gone is none.
#[test]
fn one_run_at_a_time() {
    let dir = tree("lock", 10);
    ends_with(&run(&dir, "", &format!("{ARGS} --out out -q")), 0);
    let lock = fs::File::open(dir.join("out/.transfeed/lock")).expect("a lock");
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).expect("a lock");
    for shard in ["", "--shard 1/2"] {
        let output = run(&dir, "", &format!("{ARGS} --out out {shard}"));
        ends_with(&output, 2);
        assert!(stderr(&output).contains("another run is active there"), "{}", stderr(&output));
    }
    drop(lock);
    ends_with(&run(&dir, "", &format!("{ARGS} --out out -q")), 0);
}

#[test]
fn few_files_may_be_open() {
    let dir = tree("descriptors", LARGE);
    let (reference, _) = undisturbed(&dir);
    let args = format!("{ARGS} --out out -q -j 64 --report reports");
    ends_with(&run(&dir, "ulimit -n 64; ", &args), 0);
    assert!(whole(&dir.join("out")) == reference);
    let others = ["--merge --out merged", "--out lines --report all.jsonl -j 16"];
    for args in others.into_iter().take(count(1, 2)) {
        ends_with(&run(&dir, "ulimit -n 64; ", &format!("{ARGS} -q {args}")), 0);
    }
}

#[test]
fn a_file_that_may_not_grow_costs_that_file() {
    let dir = tree("limit", LARGE);
    let (reference, _) = undisturbed(&dir);
    let output = run(&dir, "ulimit -f 400; ", "migrate src --to sitemap --out out");
    ends_with(&output, 3);
    assert!(stderr(&output).contains("failed large.txt: cannot use out/large.xml"), "{}", stderr(&output));
    assert_eq!(whole(&dir.join("out")).len(), SMALL);
    // with other options all is done again
    ends_with(&run(&dir, "", &format!("{ARGS} --out out -q")), 0);
    assert!(whole(&dir.join("out")) == reference);
}

/// Needs the right to mount; without it nothing is tested, and that is said.
#[test]
fn a_full_disk_stops_the_run() {
    let dir = tree("full", LARGE);
    let (reference, _) = undisturbed(&dir);
    let out = dir.join("out");
    fs::create_dir(&out).expect("a folder");
    let mount = |args: &[&str]| {
        let done = Command::new("mount").args(args).arg(&out).stderr(Stdio::null()).status();
        done.is_ok_and(|status| status.success())
    };
    if !mount(&["-t", "tmpfs", "-o", "size=1200k", "tmpfs"]) {
        eprintln!("SKIPPED: a full disk cannot be had here");
        return;
    }
    let outcome = std::panic::catch_unwind(|| {
        put(&dir, "src/0/bad.xml", format!("<rss><channel>{}", "<a>".repeat(1000)));
        let output = run(&dir, "", &format!("{ARGS} --out out"));
        ends_with(&output, 2);
        let says = stderr(&output);
        assert!(says.contains("failed 0/bad.xml") && says.contains("stopped: "), "{says}");
        assert!(says.contains("no storage space") && says.contains("left; run the same command"), "{says}");
        fs::remove_file(dir.join("src/0/bad.xml")).expect("a file");
        let (some, hidden) = files(&out);
        assert!(!some.is_empty() && hidden.is_empty(), "{hidden:?}");
        assert!(some.iter().all(|(path, content)| reference.get(path) == Some(content)));
        assert!(mount(&["-o", "remount,size=40m"]));
        ends_with(&run(&dir, "", &format!("{ARGS} --out out -q")), 0);
        assert!(whole(&out) == reference);
    });
    assert!(Command::new("umount").arg(&out).status().is_ok_and(|status| status.success()));
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn nobody_need_listen() {
    let dir = tree("closed", 10);
    let script = format!("{{ \"$0\" {ARGS} --out out --json -q; echo \"code $?\" >&2; }} | head -n 1 >first");
    let output = shell(&dir, &script).output().expect("a shell");
    assert_eq!(stderr(&output), "code 0\n");
    assert!(fs::read_to_string(dir.join("first")).expect("a line").starts_with("{\"type\":\"file\","));
    assert_eq!(whole(&dir.join("out")), undisturbed(&dir).0);
}

/// A source that grows while it is read: never a part of it under its name.
#[test]
fn a_source_that_changes_is_no_source() {
    let dir = tree("changing", LARGE);
    let source = dir.join("src/large.txt");
    let child = start(&dir, &format!("{ARGS} --out out"));
    let over = std::sync::atomic::AtomicBool::new(false);
    let output = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = fs::File::options().append(true).open(&source).expect("a file");
            while !over.load(std::sync::atomic::Ordering::Relaxed) {
                file.write_all(b"https://pond.example/more\n").expect("a disk");
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        let output = child.wait_with_output().expect("it ends");
        over.store(true, std::sync::atomic::Ordering::Relaxed);
        output
    });
    ends_with(&output, 3);
    assert!(stderr(&output).contains("failed large.txt: changed while it was read"), "{}", stderr(&output));
    assert!(!dir.join("out/large.xml").exists() && !dir.join("out/large-0001.xml").exists());
    ends_with(&run(&dir, "", &format!("{ARGS} --out out -q")), 0);
    assert!(whole(&dir.join("out")) == undisturbed(&dir).0);
}

#[test]
fn what_may_not_be_read_or_written_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tree("locked", 10);
    let mode =
        |path: &str, mode| fs::set_permissions(dir.join(path), fs::Permissions::from_mode(mode)).expect("a mode");
    mode("src/0", 0o000);
    if fs::read_dir(dir.join("src/0")).is_ok() {
        eprintln!("SKIPPED: nothing is locked to the superuser");
        mode("src/0", 0o755);
        return;
    }
    let output = run(&dir, "", &format!("{ARGS} --out out"));
    mode("src/0", 0o755);
    ends_with(&output, 3);
    assert!(stderr(&output).contains("failed 0: "), "{}", stderr(&output));
    fs::create_dir(dir.join("locked")).expect("a folder");
    mode("locked", 0o555);
    let output = run(&dir, "", &format!("{ARGS} --out locked/out"));
    ends_with(&output, 2);
    assert!(stderr(&output).contains("locked/out: "), "{}", stderr(&output));
}

/// A file of which nothing can be known is no file that may be left out.
#[test]
fn what_may_not_be_looked_at_has_failed() {
    use std::os::unix::fs::PermissionsExt;
    let dir = scratch("unseen");
    fs::create_dir_all(dir.join("feeds/locked")).expect("a folder");
    put(&dir, "feeds/list.txt", "https://pond.example/1\n");
    put(&dir, "feeds/locked/more.txt", "https://pond.example/2\n");
    put(&dir, "feeds/locked/README", "words");
    let mode = |mode| fs::set_permissions(dir.join("feeds/locked"), fs::Permissions::from_mode(mode)).expect("a mode");
    // names can be listed, and nothing else
    mode(0o444);
    if fs::metadata(dir.join("feeds/locked/more.txt")).is_ok() {
        eprintln!("SKIPPED: nothing is locked to the superuser");
        return mode(0o755);
    }
    for args in ["validate feeds", "diff feeds feeds", "convert feeds/*/*.txt --to sitemap -o out.xml"] {
        let output = run(&dir, "", args);
        ends_with(&output, 2);
        let says = "cannot read feeds/locked/more.txt: permission denied";
        assert!(stderr(&output).contains(says), "{args}: {}", stderr(&output));
    }
    assert!(!stderr(&run(&dir, "", "validate feeds")).contains("README"));
    mode(0o755);
}

/// Whoever may write into the folder of outputs does not write elsewhere by that.
#[test]
fn links_among_what_is_kept_are_not_followed() {
    use std::os::unix::fs::symlink;
    for (name, code) in [("running", 0), ("lock", 2), ("journal.jsonl", 2)] {
        let dir = tree(&format!("planted-{name}"), 10);
        put(&dir, "precious", "precious");
        for target in ["precious", "made"] {
            for args in ["", "--force"] {
                drop(fs::remove_dir_all(dir.join("out")));
                fs::create_dir_all(dir.join("out/.transfeed")).expect("a folder");
                symlink(dir.join(target), dir.join("out/.transfeed").join(name)).expect("a link");
                let output = run(&dir, "", &format!("{ARGS} --out out {args}"));
                ends_with(&output, code);
                assert!(code == 0 || stderr(&output).contains("is not a regular file"), "{}", stderr(&output));
                assert_eq!(fs::read(dir.join("precious")).expect("a file"), b"precious");
                assert!(!dir.join("made").exists());
            }
        }
        // nor does anybody wait for the other end of a pipe
        drop(fs::remove_dir_all(dir.join("out")));
        fs::create_dir_all(dir.join("out/.transfeed")).expect("a folder");
        let pipe = Command::new("mkfifo").arg(dir.join("out/.transfeed").join(name)).status();
        assert!(pipe.expect("mkfifo").success());
        ends_with(&run(&dir, "", &format!("{ARGS} --out out")), code);
    }
}

/// While a list is read nothing is begun: the first signal is the last.
#[cfg(target_os = "linux")]
#[test]
fn a_list_that_does_not_end_can_be_interrupted() {
    let dir = tree("waiting", 10);
    let mut command = command(&dir, "", "migrate @- --to sitemap --out out");
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a shell");
    let open = child.stdin.take();
    let listens = || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> 14 & 1 == 1)
    };
    while !listens() {
        std::thread::sleep(Duration::from_millis(2));
    }
    send(&child, "TERM");
    let status = std::thread::scope(|scope| {
        // one that goes on ends when the list does, and not by the signal
        let (over, is_over) = std::sync::mpsc::channel::<()>();
        scope.spawn(move || {
            let _ = is_over.recv_timeout(Duration::from_secs(20));
            drop(open);
        });
        let status = child.wait().expect("a state");
        drop(over);
        status
    });
    assert_eq!(status.code(), Some(143));
    assert!(!dir.join("out").exists());
}

/// Only who closes the pipe does not want to know; events that cannot be written are trouble.
#[test]
fn events_that_cannot_be_written_are_told() {
    let dir = tree("unheard", 10);
    let output = run(&dir, "ulimit -f 0; ", &format!("{ARGS} --out out --dry-run --json >events"));
    ends_with(&output, 2);
    assert!(stderr(&output).contains("standard output: "), "{}", stderr(&output));
}

#[test]
fn the_mask_of_permissions_is_kept_to() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tree("mask", 10);
    let mode = |path: &str| fs::metadata(dir.join(path)).expect("a file").permissions().mode() & 0o777;
    for (mask, wanted) in [("077", 0o600), ("022", 0o644)] {
        let out = format!("out{mask}");
        let args = format!("{ARGS} --out {out} --report {out}/reports");
        ends_with(&run(&dir, &format!("umask {mask}; "), &args), 0);
        let (one, report) = (format!("{out}/1/1.xml"), format!("{out}/reports/1/1.txt.json"));
        let summary = format!("{out}/reports/summary.json");
        assert_eq!([mode(&one), mode(&report), mode(&summary)], [wanted; 3], "{mask}");
        let args = format!("convert src/1/1.txt --to sitemap -o {mask}.xml --report {mask}.json");
        ends_with(&run(&dir, &format!("umask {mask}; "), &args), 0);
        assert_eq!([mode(&format!("{mask}.xml")), mode(&format!("{mask}.json"))], [wanted; 2], "{mask}");
    }
}
