//! Whole trees: what is found, what it becomes, what is done again and what is not, and what is told of it. Trees are made
//! by the tests. What happens when a run is disturbed is tested in migrate_faults.rs.
#![cfg(unix)]

use crate::common;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use common::{Run, Totals, make_old, scratch, transfeed};
use serde_json::Value;

/// A feed of so many items about a place.
fn feed(name: &str, items: usize) -> String {
    let item = |n: usize| {
        format!(
            "<item><title>{name} {n}</title><link>https://pond.example/{name}/{n}</link><guid isPermaLink=\"false\">{name}{n}\
             </guid><media:content url=\"https://pond.example/{name}/{n}.mp4\" bitrate=\"{n}\"><media:title>V</media:title>\
             <media:description>D</media:description><media:thumbnail url=\"https://pond.example/{n}.jpg\"/>\
             </media:content></item>\n"
        )
    };
    format!(
        "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>{name}</title>\
         <link>https://pond.example/{name}</link><description>d</description>\n{}</channel></rss>\n",
        (0..items).map(item).collect::<String>()
    )
}

fn put(dir: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("a file");
}

/// A tree of five feeds, a text that is none, and hidden files.
fn tree(name: &str) -> PathBuf {
    let dir = scratch(&format!("migrate-{name}"));
    for (path, items) in [("a.rss", 2), ("b/c.xml", 3), ("b/d/e.mrss", 1), ("b/f.xml", 0), ("g h.xml", 5)] {
        put(&dir, &format!("src/{path}"), feed(path, items));
    }
    put(&dir, "src/README.md", "no feed\n");
    put(&dir, "src/.hidden.rss", feed("hidden", 1));
    put(&dir, "src/.git/x.rss", feed("hidden", 1));
    make_old(&dir.join("src"));
    dir
}

fn migrate(dir: &Path, args: &[&str]) -> Run {
    transfeed(dir, &[&["migrate"], args].concat(), None)
}

const TO: [&str; 4] = ["--to", "video-sitemap", "--out", "out"];

fn go(dir: &Path, more: &[&str]) -> Run {
    migrate(dir, &[&["src"], &TO[..], more].concat())
}

/// All files below a folder with their content, the journal apart.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut open, mut found) = (vec![dir.to_owned()], BTreeMap::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                if !path.ends_with(".transfeed") {
                    open.push(path);
                }
            } else {
                let content = fs::read(&path).expect("a file");
                found.insert(path.strip_prefix(dir).expect("below").to_owned(), content);
            }
        }
    }
    found
}

fn names(dir: &Path) -> Vec<String> {
    files(dir).keys().map(|path| path.display().to_string()).collect()
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a report")).expect("JSON")
}

fn events(run: &Run) -> Vec<Value> {
    run.text().lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

const OUTPUTS: [&str; 5] = ["a.xml", "b/c.xml", "b/d/e.xml", "b/f.xml", "g h.xml"];

#[test]
fn a_tree_becomes_a_tree() {
    let dir = tree("tree");
    let run = go(&dir, &[]).ok("a tree");
    assert_eq!(names(&dir.join("out")), OUTPUTS);
    assert!(run.stderr.contains("files     5 done, 1 skipped: not feeds"), "{}", run.stderr);
    assert!(run.stderr.contains("\ncontent   11 entries, 11 videos\n"), "{}", run.stderr);
    assert!(run.stderr.contains(" No element in a video sitemap   "), "{}", run.stderr);
    // each as convert has it
    let args = ["convert", "src/b/c.xml", "--to", "video-sitemap"];
    let alone = transfeed(&dir, &args, None).ok("alone");
    assert_eq!(fs::read(dir.join("out/b/c.xml")).expect("an output"), alone.stdout);
}

#[test]
fn what_is_done_is_not_done_again() {
    let dir = tree("again");
    go(&dir, &[]).ok("first");
    let (before, old) = (files(&dir.join("out")), fs::metadata(dir.join("out/a.xml")).expect("a file").modified().ok());
    let run = go(&dir, &[]).ok("again");
    assert!(run.stderr.contains("resuming in out: 5 files up to date"), "{}", run.stderr);
    assert!(run.stderr.contains("files     0 done, 5 up to date, 1 skipped"), "{}", run.stderr);
    assert!(run.stderr.contains("\ncontent   11 entries, 11 videos\n"), "{}", run.stderr);
    assert_eq!(fs::metadata(dir.join("out/a.xml")).expect("a file").modified().ok(), old);
    let run = go(&dir, &["--resume"]).ok("the same, asked for");
    assert!(!run.stderr.contains("resuming"), "{}", run.stderr);
    // touched, but the same
    put(&dir, "src/a.rss", feed("a.rss", 2));
    // changed, new, gone, damaged, missing
    put(&dir, "src/b/c.xml", feed("b/C.xml", 3));
    put(&dir, "src/new.rss", feed("new", 1));
    fs::remove_file(dir.join("src/b/f.xml")).expect("a file");
    put(&dir, "out/b/d/e.xml", before[Path::new("b/d/e.xml")].iter().rev().copied().collect::<Vec<_>>());
    fs::remove_file(dir.join("out/g h.xml")).expect("a file");
    let run = go(&dir, &[]).ok("changes");
    assert!(run.stderr.contains("files     4 done, 1 up to date"), "{}", run.stderr);
    assert!(
        run.stderr
            .contains("the sources lack 1 input of a previous run, b/f.xml; outputs are kept, as b/f.xml: delete it"),
        "{}",
        run.stderr
    );
    let after = files(&dir.join("out"));
    assert_ne!(after[Path::new("b/c.xml")], before[Path::new("b/c.xml")]);
    for same in ["a.xml", "b/d/e.xml", "g h.xml", "b/f.xml"] {
        assert_eq!(after[Path::new(same)], before[Path::new(same)], "{same}");
    }
    let run = go(&dir, &["--force"]).ok("all again");
    assert!(run.stderr.contains("files     5 done, 1 skipped"), "{}", run.stderr);
    let run = go(&dir, &["--pretty"]).ok("other options");
    assert!(run.stderr.contains("out was written with other options"), "{}", run.stderr);
    assert!(run.stderr.contains("files     5 done, 1 skipped"), "{}", run.stderr);
}

/// The journal is altered in every way: nothing is wrong for it, and nothing is passed over that is not done.
#[test]
fn the_journal_is_not_trusted() {
    let dir = tree("journal");
    go(&dir, &[]).ok("first");
    let (path, whole) = (dir.join("out/.transfeed/journal.jsonl"), files(&dir.join("out")));
    let journal = fs::read(&path).expect("a journal");
    let mut altered: Vec<Vec<u8>> = (1..8).map(|n| journal[..journal.len() * n / 8].to_vec()).collect();
    for n in 0..8 {
        let mut bytes = journal.clone();
        let at = bytes.len() * n / 8 + 40;
        bytes[at] ^= 1;
        altered.push(bytes);
    }
    altered.push(b"\xff\0{}\nnull\n[]\n".to_vec());
    altered.push([&journal[..], b"{\"v\":1,\"stamp\":{\"size\":"].concat());
    // of another run, with other inputs of the same names, and with other options; mixed with ours, and torn in between
    for (n, args) in [["other", "--pretty"], ["src", "--pretty"], ["other", "-q"]].into_iter().enumerate() {
        for (path, items) in [("a.rss", 3), ("b/c.xml", 1), ("b/d/e.mrss", 2)] {
            put(&dir, &format!("other/{path}"), feed(path, items));
        }
        let out = format!("out-{n}");
        migrate(&dir, &[args[0], "--to", "video-sitemap", "--out", &out, args[1]]).ok("another run");
        let foreign = fs::read(dir.join(out).join(".transfeed/journal.jsonl")).expect("a journal");
        altered.push(foreign.clone());
        altered.push([&journal[..], &foreign].concat());
        altered.push([&foreign[..], &journal].concat());
        let between = |bytes: &[u8]| bytes.iter().position(|byte| *byte == b'\n').unwrap_or(0) + 60;
        altered.push([&journal[..between(&journal)], &foreign[..], &journal[between(&journal)..]].concat());
    }
    for bytes in altered {
        fs::write(&path, &bytes).expect("a journal");
        fs::write(dir.join("out/a.xml"), "not this").expect("an output");
        go(&dir, &["-q"]).ok("with an altered journal");
        assert_eq!(files(&dir.join("out")), whole);
        let run = go(&dir, &[]).ok("once more");
        assert!(run.stderr.contains("files     0 done, 5 up to date"), "{}", run.stderr);
    }
    fs::remove_file(&path).expect("a journal");
    fs::create_dir(&path).expect("a folder");
    let run = go(&dir, &[]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}

/// The reports of single files are there, and the last ones, whatever runs were without them.
#[test]
fn reports_are_those_of_the_last_run() {
    let dir = tree("reports");
    go(&dir, &["--report", "first"]).ok("first");
    go(&dir, &["--report", "reports"]).ok("nothing is done again for the sake of reports");
    let run = go(&dir, &["--report", "reports"]).ok("again");
    assert!(run.stderr.contains("files     0 done, 5 up to date"), "{}", run.stderr);
    let report = |name: &str| fs::read(dir.join(name)).expect("a report");
    assert_eq!(report("first/b/c.xml.json"), report("reports/b/c.xml.json"));
    put(&dir, "src/a.rss", feed("a.rss", 4));
    put(&dir, "src/b/c.xml", format!("<rss><channel>{}", "<a>".repeat(1000)));
    go(&dir, &["-q"]);
    assert_eq!(go(&dir, &["--report", "reports", "-q"]).code, 3);
    assert_eq!(json(&dir.join("reports/a.rss.json"))["entries"], 4);
    assert_eq!(json(&dir.join("reports/b/c.xml.json"))["status"], "failed");
    let page = String::from_utf8(report("reports/summary.html")).expect("UTF-8");
    for part in ["1 of 5 files failed", "href=\"./a.rss.json\"", "elements are nested too deeply"] {
        assert!(page.contains(part), "{part}");
    }
    // a page alone, and of what would be
    go(&dir, &["--report", "page.html", "--dry-run", "-q"]);
    let page = String::from_utf8(report("page.html")).expect("UTF-8");
    assert!(page.contains("<b>Nothing was written:</b>") && !page.contains("href=\"./a.rss.json\""));
    // no report replaces an input
    for (input, report) in [("src/a.rss.json", "src"), ("src/x.html", "src/x.html"), ("src/x.jsonl", "src/x.jsonl")] {
        put(&dir, input, "https://pond.example/1\n");
        let run = go(&dir, &["--report", report]);
        assert!(run.code == 2 && run.stderr.contains(": it is an input"), "{}", run.stderr);
        assert_eq!(fs::read_to_string(dir.join(input)).expect("an input"), "https://pond.example/1\n");
        fs::remove_file(dir.join(input)).expect("an input");
    }
}

#[test]
fn one_bad_file_costs_that_file() {
    let dir = tree("bad");
    put(&dir, "src/bad.xml", format!("<rss><channel>{}", "<a>".repeat(1000)));
    put(&dir, "src/b/\u{1b}[1m\nbad.rss", format!("<rss><channel>{}", "<a>".repeat(1000)));
    put(&dir, "src/empty.md", "");
    let run = go(&dir, &["--report", "reports", "--json"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert_eq!(names(&dir.join("out")), OUTPUTS);
    assert!(run.stderr.contains("failed bad.xml: elements are nested too deeply"), "{}", run.stderr);
    assert!(run.stderr.contains("failed b/\\u{1b}[1m\\nbad.rss: "), "{}", run.stderr);
    assert!(!run.stderr.contains('\u{1b}') && !run.text().contains('\u{1b}'));
    assert!(run.stderr.contains("files     5 done, 2 failed, 2 skipped: not feeds"), "{}", run.stderr);
    let events = events(&run);
    let status = |wanted: &str| events.iter().filter(|event| event["status"] == wanted).count();
    assert_eq!((status("done"), status("failed"), status("not_a_feed")), (5, 2, 2));
    let last = events.last().expect("events");
    assert_eq!((&last["type"], &last["counts"]["failed"]), (&Value::from("summary"), &Value::from(2)));
    // the report of all holds what the others say
    let all = json(&dir.join("reports/summary.json"));
    assert_eq!(all["totals"], last["totals"]);
    assert_eq!(all["files"].as_array().map(Vec::len), Some(9));
    sums_are_right(&all);
    assert_eq!(json(&dir.join("reports/b/c.xml.json"))["entries"], 3);
    // only what failed is done again
    put(&dir, "src/bad.xml", feed("bad", 1));
    put(&dir, "src/other.xml", feed("other", 1));
    let run = go(&dir, &["--retry-failed"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("files     1 done, 1 failed"), "{}", run.stderr);
    assert_eq!(names(&dir.join("out")), ["a.xml", "b/c.xml", "b/d/e.xml", "b/f.xml", "bad.xml", "g h.xml"]);
    let run = go(&dir, &["--fail-fast", "--force", "-j", "1"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("left; run the same command"), "{}", run.stderr);
}

/// The sums of a summary are those of its files.
#[track_caller]
fn sums_are_right(all: &Value) {
    let files = all["files"].as_array().expect("files");
    for member in ["entries", "videos", "videos_written", "dropped"] {
        let sum: u64 = files.iter().filter_map(|file| file[member].as_u64()).sum();
        assert_eq!(all[member], sum, "{member}");
    }
    let dropped = |one: &Value| -> u64 {
        let whys = one["videos_dropped"].as_array().into_iter().flatten();
        whys.filter_map(|why| why["count"].as_u64()).sum()
    };
    assert_eq!(dropped(all), files.iter().map(dropped).sum::<u64>());
    for one in files.iter().chain([all]) {
        let count = |member: &str| one[member].as_u64().unwrap_or(0);
        assert_eq!(count("videos"), count("videos_written") + dropped(one), "{one}");
    }
    for total in ["leaves", "kept", "changed", "lost", "unread", "merged", "made"] {
        let sum: u64 = files.iter().filter_map(|file| file["totals"][total].as_u64()).sum();
        assert_eq!(all["totals"][total], sum, "{total}");
    }
    let sum = |kind: &str| -> u64 {
        let rows = all["rows"].as_array().expect("rows").iter().filter(|row| row["kind"] == kind);
        rows.filter_map(|row| row["count"].as_u64()).sum()
    };
    for kind in ["changed", "lost", "unread", "merged", "made"] {
        assert_eq!(all["totals"][kind], sum(kind), "{kind}");
    }
}

/// Videos that are in no output are counted by reason, for each file and in the sum, first of all.
#[test]
fn dropped_videos_are_told_first() {
    let dir = tree("dropped");
    let without = |name: &str, what: &str, items| feed(name, items).replace(what, "");
    put(&dir, "src/bare.rss", without("bare", "<media:title>V</media:title>", 2));
    put(&dir, "src/pages.rss", without("pages", "<title>pages 0</title><link>https://pond.example/pages/0</link>", 3));
    let blocked = feed("blocked", 1).replace("</media:content>", "<media:status state='blocked'/></media:content>");
    put(&dir, "src/blocked.rss", blocked);
    let whole = feed("p", 1200);
    let pictureless = whole.lines().map(|line| {
        let end = line.find("<media:thumbnail").unwrap_or(line.len());
        let rest = line.get(end..).and_then(|rest| rest.split_once("/>")).map_or("", |(_, rest)| rest);
        format!("{}{rest}\n", &line[..end])
    });
    put(&dir, "src/p.rss", pictureless.collect::<String>());
    let run = go(&dir, &["--report", "reports", "--json"]).ok("dropped");
    let first = "content   1,216 of 1,217 entries, 15 of 1,217 videos\n\n \
                 x 1 entry dropped in 1 file: no page URL (required by the target)\n     in pages.rss (1)\n     \
                 fix: add a link in the source (a page: <link rel=canonical>)\n \
                 x 1,200 videos dropped in 1 file: no thumbnail (required by Google)\n     in p.rss (1,200)\n     \
                 fix: --default-thumbnail URL; --for none keeps them\n \
                 x 1 video dropped in 1 file: no viewers: blocked or deleted\n     in blocked.rss (1)\n     fix: --keep-inactive\n";
    assert!(run.stderr.contains(first), "{}", run.stderr);
    let (events, all) = (events(&run), json(&dir.join("reports/summary.json")));
    sums_are_right(&all);
    assert_eq!(events.last().expect("a summary")["videos_dropped"], all["videos_dropped"]);
    let of = |path: &str| events.iter().find(|event| event["path"] == path).cloned().expect("an event");
    assert_eq!((&of("p.rss")["videos"], &of("p.rss")["videos_written"]), (&Value::from(1200), &Value::from(0)));
    let why = "no page URL (required by the target)";
    let wanted = serde_json::json!([{"code": "page_missing", "class": "attention", "why": why, "count": 1}]);
    assert_eq!(of("pages.rss")["videos_dropped"], wanted);
    assert!(of("a.rss")["videos_dropped"].is_null(), "none of it");
    let page = fs::read_to_string(dir.join("reports/summary.html")).expect("a page");
    for part in [
        "15 of 1,217 videos written, 1,202 dropped</h1>",
        "<h3>1,200 videos dropped: no thumbnail (required by Google)",
        "<h3>1 video dropped: no page URL",
        "videos: 1,200 in, 0 out, 1,200 dropped",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let run = go(&dir, &[]).ok("again");
    assert!(run.stderr.contains(first), "{}", run.stderr);
    let run = go(&dir, &["--dry-run", "--force", "-q"]).ok("dry");
    assert!(run.text().contains("  videos  1,200 in, 0 out, 1,200 dropped (no thumbnail"), "{}", run.text());
    // where a target has no place for videos, all of them are dropped
    let list = ["src/a.rss", "--to", "text", "--out", "text", "--report", "list.html"];
    let run = migrate(&dir, &list).ok("a list");
    assert!(run.stderr.contains("\ncontent   2 entries, 0 of 2 videos\n\n No element"), "{}", run.stderr);
    // and nobody misses them
    let page = fs::read_to_string(dir.join("list.html")).expect("a page");
    assert!(page.contains("<h1>1 file converted; 2 entries written</h1>") && page.contains("Nothing needs attention"));
}

#[test]
fn every_occurrence_can_be_had() {
    let dir = tree("lines");
    go(&dir, &["--report", "all.jsonl", "-q"]).ok("lines");
    let text = fs::read_to_string(dir.join("all.jsonl")).expect("a report");
    let report = common::Report::parse(&text).expect("a report in order");
    assert!(report.totals != Totals::default() && report.totals.balance());
    let files: Vec<Value> =
        text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")["file"].clone()).collect();
    assert_eq!((&files[0], files.last()), (&Value::from("a.rss"), Some(&Value::Null)));
    assert!(
        files[..files.len() - 1].is_sorted_by_key(|file| file.as_str().map(str::to_owned)),
        "in the order of names"
    );
    go(&dir, &["--report", "all.json", "--force", "-q"]).ok("one document");
    sums_are_right(&json(&dir.join("all.json")));
    for wrong in ["all.txt", "-"] {
        assert_eq!(go(&dir, &["--report", wrong]).code, 2, "{wrong}");
    }
}

/// Every task of an array job converts the shard that its environment names.
#[test]
fn tasks_of_an_array_job_convert_all_shards() {
    let dir = scratch("migrate-array");
    for n in 0..20 {
        put(&dir, &format!("src/{n}.rss"), feed(&format!("f{n}"), 1));
    }
    make_old(&dir.join("src"));
    go(&dir, &["-q"]).ok("the whole");
    let task = |variables: &[(&str, String)]| {
        let mut command = common::program(&dir);
        command.args(["migrate", "src", "--to", "video-sitemap", "--out", "array", "-q", "--shard", "auto/3"]);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        command.output().expect("the program runs")
    };
    let index = |n: usize| ("AWS_BATCH_JOB_ARRAY_INDEX", n.to_string());
    let size = |n: usize| ("AWS_BATCH_JOB_ARRAY_SIZE", n.to_string());
    for n in 0..3 {
        assert!(task(&[index(n), size(3)]).status.success(), "{n}");
    }
    assert_eq!(files(&dir.join("array")), files(&dir.join("out")));
    for wrong in [&[index(3)][..], &[index(0), size(4)], &[]] {
        assert_eq!(task(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

/// The same tree on any number of threads, and of any shares.
#[test]
fn threads_and_shares_do_not_show() {
    let dir = scratch("migrate-threads");
    for n in 0..60 {
        put(&dir, &format!("src/{}/{n}.rss", n % 7), feed(&format!("f{n}"), n % 9));
    }
    put(&dir, "src/large.rss", feed("large", 3_000));
    let mut trees = Vec::new();
    for threads in ["1", "2", "8"] {
        let out = format!("out{threads}");
        let args =
            ["src", "--to", "video-sitemap", "--out", &out, "-j", threads, "-q", "--report", &format!("r{threads}")];
        migrate(&dir, &args).ok("a tree");
        let mut tree = files(&dir.join(&out));
        let mut reports = files(&dir.join(format!("r{threads}")));
        let summary = reports.remove(Path::new("summary.json")).expect("a summary");
        let mut summary: Value = serde_json::from_slice(&summary).expect("JSON");
        summary["seconds"] = Value::Null;
        for file in summary["files"].as_array_mut().expect("files") {
            assert!(file.as_object_mut().and_then(|file| file.remove("seconds")).is_some());
        }
        // it shows the same, and how long it took
        reports.remove(Path::new("summary.html")).expect("a page");
        reports.insert("summary.json".into(), summary.to_string().into_bytes());
        tree.extend(reports);
        trees.push(tree);
    }
    assert_eq!(trees[0].len(), 61 + 61 + 1);
    assert!(trees[0] == trees[1] && trees[1] == trees[2]);
    for shard in ["1/3", "2/3", "3/3"] {
        let args = ["src", "--to", "video-sitemap", "--out", "shards", "--shard", shard, "-q", "--report", "parts"];
        migrate(&dir, &args).ok("a share");
    }
    assert_eq!(files(&dir.join("shards")), files(&dir.join("out1")));
    let run = migrate(&dir, &["--merge-reports", "parts"]).ok("reports");
    assert!(run.stderr.contains("files     61 done"), "{}", run.stderr);
    let (all, one) = (json(&dir.join("parts/summary.json")), json(&dir.join("r1/summary.json")));
    sums_are_right(&all);
    assert!(dir.join("parts/summary.html").is_file() && dir.join("parts/summary-1-of-3.html").is_file());
    for member in ["totals", "rows", "counts", "entries", "bytes_written"] {
        assert_eq!(all[member], one[member], "{member}");
    }
    let timeless = |all: &Value| -> Vec<Value> {
        let mut files = all["files"].as_array().cloned().unwrap_or_default();
        files.iter_mut().filter_map(Value::as_object_mut).for_each(|file| drop(file.remove("seconds")));
        files
    };
    assert_eq!(timeless(&all), timeless(&one));
    // what shares have done is done
    let run = migrate(&dir, &["src", "--to", "video-sitemap", "--out", "shards"]).ok("no share");
    assert!(run.stderr.contains("files     0 done, 61 up to date"), "{}", run.stderr);
    fs::remove_file(dir.join("parts/summary-2-of-3.json")).expect("a summary");
    let run = migrate(&dir, &["--merge-reports", "parts"]);
    assert!(run.code == 2 && run.stderr.contains("the summary of shard 2/3 is missing"), "{}", run.stderr);
}

#[test]
fn names_are_told_apart_before_anything_is_written() {
    let dir = scratch("migrate-names");
    for path in ["x.rss", "x.atom", "Y.rss", "y.xml", "caf\u{e9}.rss", "cafe\u{301}.rss", "z.md"] {
        put(&dir, &format!("src/{path}"), feed(path, 1));
    }
    put(&dir, "src/z.rss", feed("z", 1));
    put(&dir, "src/z.md", "no feed");
    let run = go(&dir, &["--to", "sitemap"]);
    assert_eq!(run.code, 2, "an option twice: {}", run.stderr);
    let run = go(&dir, &[]).ok("names");
    let outputs = names(&dir.join("out"));
    assert_eq!(outputs.len(), 7, "{outputs:?}");
    assert!(outputs.contains(&"z.xml".to_owned()), "{outputs:?}");
    assert!(!outputs.iter().any(|name| ["x.xml", "y.xml", "Y.xml"].contains(&name.as_str())), "{outputs:?}");
    assert!(
        run.stderr.contains("x.rss becomes x-") && run.stderr.contains(": several inputs would become x.xml"),
        "{}",
        run.stderr
    );
    let run = go(&dir, &["--name", "{title}.{ext}", "--force"]).ok("by title");
    assert!(names(&dir.join("out")).contains(&"caf%C3%A9.rss.xml".to_owned()), "{}", run.stderr);
    for wrong in ["../x.xml", "/x.xml", "{dir}", "{nothing}.xml"] {
        assert_eq!(go(&dir, &["--name", wrong]).code, 2, "{wrong}");
    }
}

#[test]
fn nothing_is_written_outside() {
    let dir = scratch("migrate-inside");
    for (n, title) in ["../../x", "/etc/x", "..", ".", "a/b", "con", "\u{202e}", " "].iter().enumerate() {
        put(
            &dir,
            &format!("src/{n}.rss"),
            feed("t", 1).replace("<title>t</title>", &format!("<title>{title}</title>")),
        );
    }
    for (n, template) in ["{title}", "{title}/{stem}.{ext}", "x{title}y/{n}"].iter().enumerate() {
        let out = format!("out{n}/in/deep");
        migrate(&dir, &["src", "--to", "text", "--out", &out, "--name", template, "-q"]).ok(template);
        assert_eq!(files(&dir.join(out)).len(), 8);
        assert_eq!(names(&dir).len(), 8 + 8 * (n + 1));
    }
    // a link in the folder of outputs
    let dir = tree("links");
    fs::create_dir_all(dir.join("elsewhere")).expect("a folder");
    fs::create_dir_all(dir.join("out")).expect("a folder");
    symlink("../elsewhere", dir.join("out/b")).expect("a link");
    fs::write(dir.join("precious"), "precious").expect("a file");
    symlink("../precious", dir.join("out/a.xml")).expect("a link");
    let run = go(&dir, &[]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("failed b/c.xml: out/b: its path contains a symlink"), "{}", run.stderr);
    assert_eq!(names(&dir.join("elsewhere")), [""; 0]);
    assert_eq!(fs::read(dir.join("precious")).expect("a file"), b"precious");
    assert!(!dir.join("out/a.xml").is_symlink());
    go(&dir, &["--follow"]).ok("asked for");
    assert_eq!(names(&dir.join("elsewhere")), ["c.xml", "d/e.xml", "f.xml"]);
}

#[test]
fn an_input_is_never_replaced() {
    let dir = tree("inputs");
    let before = files(&dir.join("src"));
    for args in
        [&["src", "--out", "src"][..], &["src", "--out", "."], &["src/b", "--out", "src", "--name", "b/{stem}.xml"]]
    {
        let run = migrate(&dir, &[args, &["--to", "sitemap"]].concat());
        if run.code == 0 {
            // beside the inputs is where outputs may be
            fs::remove_dir_all(dir.join(".transfeed")).expect("a folder");
        }
        assert!(before.iter().all(|(path, bytes)| files(&dir.join("src")).get(path) == Some(bytes)), "{args:?}");
    }
    let run = migrate(&dir, &["src/b", "--out", "src/b/out", "--to", "sitemap"]).ok("below");
    assert!(run.stderr.contains("files     3 done"), "{}", run.stderr);
    let run = migrate(&dir, &["src/b", "--out", "src/b/out", "--to", "sitemap"]).ok("outputs are no inputs");
    assert!(run.stderr.contains("files     0 done, 3 up to date"), "{}", run.stderr);
}

#[test]
fn patterns_and_links_choose_sources() {
    let dir = tree("patterns");
    for (args, outputs) in [
        (&["src", "--include", "*.xml"][..], &["b/c.xml", "b/f.xml", "g h.xml"][..]),
        (&["src", "--include", "b/**", "--exclude", "d/"], &["b/c.xml", "b/f.xml"]),
        (&["src", "--exclude", "b"], &["a.xml", "g h.xml"]),
        (&["src/**/*.{mrss,rss}"], &["a.xml", "b/d/e.xml"]),
        (&["src/b/d", "src/b/f.xml"], &["e.xml", "src/b/f.xml"]),
        (&["src/b", "src/b/d"], &["b/c.xml", "b/d/e.xml", "b/f.xml"]),
    ] {
        drop(fs::remove_dir_all(dir.join("out")));
        migrate(&dir, &[args, &TO[..]].concat()).ok("sources");
        assert_eq!(names(&dir.join("out")), outputs, "{args:?}");
    }
    for wrong in [&["nowhere"][..], &["src/*.nothing"], &["src", "--include", "["], &["src/.git/nothing"]] {
        assert_eq!(migrate(&dir, &[wrong, &TO[..]].concat()).code, 2, "{wrong:?}");
    }
    put(&dir, "other/o.rss", feed("o", 1));
    symlink("../other", dir.join("src/folder")).expect("a link");
    symlink("../other/o.rss", dir.join("src/out.rss")).expect("a link");
    symlink("a.rss", dir.join("src/in.rss")).expect("a link");
    symlink("nowhere", dir.join("src/broken.rss")).expect("a link");
    drop(fs::remove_dir_all(dir.join("out")));
    symlink("nowhere", dir.join("src/lock")).expect("a link");
    symlink("self.rss", dir.join("src/self.rss")).expect("a link");
    let run = go(&dir, &[]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    let skipped =
        "skipped 3 symlinks: src/folder (a folder), src/lock (broken), src/out.rss (outside the source); --follow";
    assert!(run.stderr.contains(skipped), "{}", run.stderr);
    assert!(run.stderr.contains("failed broken.rss: a symlink to nowhere: "), "{}", run.stderr);
    assert!(run.stderr.contains("failed self.rss: a symlink to self.rss: "), "{}", run.stderr);
    assert_eq!(names(&dir.join("out")).len(), 6);
    // what nobody asks for is not told
    let run = migrate(&dir, &["src/*.mrss", "src/*/*/*.mrss", "--to", "text", "--out", "like"]);
    assert!(run.code == 2 && run.stderr.contains("cannot find a file that matches src/*.mrss"), "{}", run.stderr);
    let run = migrate(&dir, &["src/b/*/*.mrss", "--to", "text", "--out", "like"]).ok("a pattern");
    assert!(!run.stderr.contains("symlink"), "{}", run.stderr);
    // a folder that may hold what is asked for
    let run = migrate(&dir, &["src/*/*.xml", "--to", "text", "--out", "like"]).ok("a pattern");
    assert!(run.stderr.contains("skipped 1 symlink: src/folder (a folder)"), "{}", run.stderr);
    let run = go(&dir, &["--include", "*.mrss", "--force"]).ok("other files");
    assert!(run.stderr.contains("skipped 1 symlink: src/folder (a folder); --follow follows it"), "{}", run.stderr);
    fs::remove_file(dir.join("src/self.rss")).expect("a link");
    symlink(".", dir.join("src/loop")).expect("a link");
    let run = go(&dir, &["--follow"]);
    assert!(names(&dir.join("out")).contains(&"folder/o.xml".to_owned()), "{}", run.stderr);
}

#[test]
fn lists_name_sources() {
    let dir = tree("lists");
    put(&dir, "outside.rss", feed("outside", 1));
    put(
        &dir,
        "src/list.opml",
        "<opml version='2.0'><body><outline text='f'><outline xmlUrl='a.rss'/><outline XMLURL='b/c.xml'/></outline>\
         <outline xmlUrl='http://127.0.0.1/feed'/><outline xmlUrl='../outside.rss'/><outline xmlUrl='missing.rss'/>\
         <outline xmlUrl='feed://127.0.0.1/alias'/><outline xmlUrl='ftp://pond.example/a'/></body></opml>",
    );
    let run = migrate(&dir, &[&["src/list.opml"], &TO[..]].concat());
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(
        run.stderr.contains("cannot fetch http://127.0.0.1/feed: 127.0.0.1 is not on the public internet (loopback)"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("failed ../outside.rss: listed in src/list.opml, but outside its folder"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("failed src/missing.rss: "), "{}", run.stderr);
    assert!(run.stderr.contains("cannot fetch http://127.0.0.1/alias: "), "{}", run.stderr);
    assert!(
        run.stderr
            .contains("failed ftp://pond.example/a: listed in src/list.opml, but no file, and no http or https URL"),
        "{}",
        run.stderr
    );
    assert_eq!(names(&dir.join("out")), ["src/a.xml", "src/b/c.xml"]);
    // what is found in a folder is no source by itself
    drop(fs::remove_dir_all(dir.join("out")));
    let run = go(&dir, &[]).ok("a tree with a list in it");
    assert!(run.stderr.contains("files     5 done, 2 skipped"), "{}", run.stderr);

    put(&dir, "paths", "src/a.rss\r\n\nsrc/b/d\nnowhere.rss\n");
    let run = migrate(&dir, &[&["@paths"], &TO[..], &["--force"]].concat());
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("failed nowhere.rss: "), "{}", run.stderr);
    assert!(run.stderr.contains("files     2 done, 1 failed, 1 list read"), "{}", run.stderr);
    let paths = b"src/a.rss\0src/g h.xml\0".to_vec();
    let args = ["migrate", "@-", "-0", "--to", "text", "--out", "zero"];
    transfeed(&dir, &args, Some(&paths)).ok("from standard input");
    assert_eq!(names(&dir.join("zero")), ["src/a.txt", "src/g h.txt"]);
}

#[test]
fn an_index_that_lists_itself_is_read_once() {
    let dir = scratch("migrate-index-of-itself");
    put(
        &dir,
        "index.xml",
        "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
         <sitemap><loc>https://pond.example/index.xml</loc></sitemap>\
         <sitemap><loc>https://pond.example/a.txt</loc></sitemap></sitemapindex>",
    );
    put(&dir, "a.txt", "https://pond.example/1\n");
    let run = migrate(&dir, &[&["index.xml"], &TO[..]].concat()).ok("an index of itself");
    assert!(run.stderr.contains("index.xml is listed again, and read once"), "{}", run.stderr);
    assert!(run.stderr.contains("files     1 done, 1 list read"), "{}", run.stderr);
}

/// What a file becomes does not depend on the others of its list, nor on lists of earlier runs.
#[test]
fn absolute_paths_keep_their_names() {
    let dir = scratch("migrate-absolute");
    for path in ["a/x.mrss", "b/x.mrss", "b/sub/y.mrss"] {
        put(&dir, path, feed(path, 1));
    }
    let list = |paths: &[&str]| {
        let lines: String = paths.iter().map(|path| format!("{}\n", dir.join(path).display())).collect();
        put(&dir, "list", lines);
    };
    let run = |out: &str| migrate(&dir, &["@list", "--to", "text", "--out", out, "-q"]).ok(out);
    let below = |path: &str| {
        let path = dir.join(path).canonicalize().expect("a file").with_extension("txt");
        path.strip_prefix("/").expect("below the root").display().to_string()
    };
    list(&["a/x.mrss", "b/x.mrss"]);
    run("both");
    assert_eq!(names(&dir.join("both")), ["a/x.txt", "b/x.txt"]);
    // the folder of the first list is kept to
    list(&["a/x.mrss"]);
    run("out");
    let first = files(&dir.join("out"));
    assert_eq!(first.keys().collect::<Vec<_>>(), [Path::new("x.txt")]);
    list(&["b/x.mrss", "b/sub"]);
    run("out");
    let mut wanted = vec![below("b/sub/y.mrss"), below("b/x.mrss"), "x.txt".to_owned()];
    wanted.sort_unstable();
    assert_eq!(names(&dir.join("out")), wanted);
    assert_eq!(files(&dir.join("out"))[Path::new("x.txt")], first[Path::new("x.txt")]);
    list(&["a/x.mrss", "b/x.mrss", "b/sub/y.mrss"]);
    let again = migrate(&dir, &["@list", "--to", "text", "--out", "out"]).ok("all of them");
    assert!(again.stderr.contains("files     0 done, 3 up to date"), "{}", again.stderr);
    // so is a file that is named by itself, also by a way up
    migrate(&dir, &["a/../b/x.mrss", "--to", "text", "--out", "out", "-q"]).ok("a file");
    assert_eq!(names(&dir.join("out")), wanted);
    assert_eq!(files(&dir.join("out"))[Path::new("x.txt")], first[Path::new("x.txt")]);
}

/// The same path below two sources is not the same input: neither passed over for the other, nor put in its place.
#[test]
fn a_source_is_not_another() {
    let dir = scratch("migrate-origins");
    for name in ["first", "other"] {
        put(&dir, &format!("{name}/a.rss"), feed(name, 2));
        put(&dir, &format!("{name}/b/c.rss"), feed(name, 1));
    }
    make_old(&dir);
    let to = |source: &str, more: &[&str]| migrate(&dir, &[&[source, "--to", "text", "--out", "out"], more].concat());
    to("first", &[]).ok("first");
    let before = files(&dir.join("out"));
    for n in 0..3 {
        let run = to("other", &[]);
        assert_eq!(run.code, 3, "{n}: {}", run.stderr);
        assert!(
            run.stderr.contains("cannot write a.txt for a.rss: it belongs to") && run.stderr.contains("/first/a.rss"),
            "{}",
            run.stderr
        );
        assert_eq!(files(&dir.join("out")), before);
        // what one was refused tells nothing of the other
        let run = to("first", &[]).ok("again");
        assert!(run.stderr.contains("files     0 done, 2 up to date"), "{n}: {}", run.stderr);
        put(&dir, "other/a.rss", feed("other", 3 + n));
    }
    // an input that is gone keeps its output, as long as its source is there
    fs::remove_file(dir.join("first/a.rss")).expect("a file");
    assert_eq!(to("other", &[]).code, 3);
    // the same source by other names
    symlink("first", dir.join("link")).expect("a link");
    let whole = dir.join("first").display().to_string();
    for source in ["./first", "other/../first", "link", &whole, "first/**/*.rss"] {
        let run = to(source, &[]).ok(source);
        assert!(run.stderr.contains("files     0 done, 1 up to date"), "{source}: {}", run.stderr);
    }
    let run =
        transfeed(&dir.join("first"), &["migrate", ".", "--to", "text", "--out", "../out"], None).ok("from within");
    assert!(run.stderr.contains("files     0 done, 1 up to date"), "{}", run.stderr);
    // moved as a whole
    fs::rename(dir.join("first"), dir.join("moved")).expect("a move");
    fs::remove_file(dir.join("link")).expect("a link");
    let run = to("moved", &[]).ok("moved");
    assert!(run.stderr.contains("files     0 done, 1 up to date"), "{}", run.stderr);
    let run = to("moved", &[]).ok("moved, and known there");
    assert!(run.stderr.contains("files     0 done, 1 up to date"), "{}", run.stderr);
    // a link that leads elsewhere now is the name of what is there now
    symlink("moved", dir.join("current")).expect("a link");
    migrate(&dir, &["current", "--to", "text", "--out", "releases"]).ok("a link");
    fs::remove_file(dir.join("current")).expect("a link");
    symlink("other", dir.join("current")).expect("a link");
    migrate(&dir, &["current", "--to", "text", "--out", "releases"]).ok("a link that leads elsewhere");
    assert!(fs::read_to_string(dir.join("releases/b/c.txt")).expect("an output").contains("/other/"));
    // asked for
    to("other", &["--force"]).ok("by force");
    assert!(fs::read_to_string(dir.join("out/b/c.txt")).expect("an output").contains("/other/"));
    assert_eq!(to("moved", &[]).code, 3);
}

/// Force on some inputs forgets nothing of the others.
#[test]
fn force_keeps_what_is_known_of_others() {
    let dir = scratch("migrate-force");
    for name in ["one", "two"] {
        put(&dir, &format!("{name}/x.rss"), feed(name, 1));
    }
    put(&dir, "three/x.rss", feed("three", 1));
    make_old(&dir);
    let to = |source: &str, more: &[&str]| migrate(&dir, &[&[source, "--to", "text", "--out", "out"], more].concat());
    to("one/x.rss", &["--name", "x.txt"]).ok("one");
    to("two/x.rss", &["--force"]).ok("two, by force");
    let run = to("three/x.rss", &["--name", "x.txt"]);
    assert!(run.code == 3 && run.stderr.contains("belongs to one/x.rss"), "{}", run.stderr);
    // by force it is replaced, and that is known as well
    to("three/x.rss", &["--name", "x.txt", "--force"]).ok("three, by force");
    let run = to("one/x.rss", &["--name", "x.txt"]);
    assert!(run.code == 3 && run.stderr.contains("belongs to three/x.rss"), "{}", run.stderr);
    to("three/x.rss", &["--name", "x.txt"]).ok("three");
}

/// A share knows whose outputs are, whoever wrote them.
#[test]
fn shares_know_the_outputs_of_others() {
    let dir = scratch("migrate-share-owners");
    put(&dir, "s/a.rss", feed("a", 1));
    put(&dir, "s/b.rss", feed("b", 1));
    make_old(&dir);
    let to = |source: &str, out: &str, more: &[&str]| {
        migrate(&dir, &[&[source, "--to", "text", "--name", "x.txt", "--out", out], more].concat())
    };
    for (out, first, second) in [
        ("whole", &[][..], &["--shard", "1/1"][..]),
        ("other", &["--shard", "1/1"], &["--shard", "1/1"]),
        ("none", &["--shard", "1/1"], &[]),
    ] {
        to("s/a.rss", out, first).ok(out);
        let run = to("s/b.rss", out, second);
        assert!(run.code == 3 && run.stderr.contains("belongs to s/a.rss"), "{out}: {}", run.stderr);
        assert!(fs::read_to_string(dir.join(out).join("x.txt")).expect("an output").contains("/a/"));
    }
    // journals of other counts of shares
    to("s/a.rss", "counts", &["--shard", "1/1"]).ok("one of one");
    for share in ["1/2", "2/2"] {
        let run = to("s/b.rss", "counts", &["--shard", share]);
        assert!(run.code != 0 || run.stderr.contains("files     0 done"), "{share}: {}", run.stderr);
    }
    assert!(fs::read_to_string(dir.join("counts/x.txt")).expect("an output").contains("/a/"));
}

/// A merged output is that of its inputs: it is not replaced by one of others.
#[test]
fn what_was_merged_is_not_replaced_by_others() {
    let dir = scratch("migrate-merge-owners");
    for name in ["one/a", "one/b", "two/c", "two/a"] {
        put(&dir, &format!("{name}.rss"), feed(name, 1));
    }
    make_old(&dir);
    let to = |sources: &[&str]| migrate(&dir, &[sources, &["--merge", "--to", "text", "--out", "out"]].concat());
    let merged = || fs::read_to_string(dir.join("out/merged.txt")).expect("an output");
    to(&["one"]).ok("one");
    for sources in [&["two"][..], &["two/c.rss"]] {
        let run = to(sources);
        assert_eq!(run.code, 3, "{sources:?}: {}", run.stderr);
        let owner = ["/one/a.rss and 1 more, which are not among the sources", "belongs to a.rss and 1 more"];
        assert!(owner.iter().any(|owner| run.stderr.contains(owner)), "{}", run.stderr);
        assert!(merged().contains("/one/a/") && !merged().contains("/two/"), "{}", merged());
    }
    let run = to(&["one"]).ok("again");
    assert!(run.stderr.contains("files     0 done, 2 up to date"), "{}", run.stderr);
    // with a new one beside them it is theirs still
    put(&dir, "one/d.rss", feed("one/d", 1));
    to(&["one"]).ok("one more");
    assert!(merged().contains("/one/d/"), "{}", merged());
    // one that is gone is not in it any more
    fs::remove_file(dir.join("one/a.rss")).expect("a file");
    let run = to(&["one"]).ok("one less");
    assert!(!merged().contains("/one/a/"), "{}", merged());
    let lacks = "the sources lack 1 input of a previous run, a.rss; merged.txt is written without it\n";
    assert!(run.stderr.contains(lacks), "{}", run.stderr);
    assert!(!to(&["one"]).ok("once").stderr.contains("lack"));
    // where none of them is left, each counts
    for name in ["b", "d"] {
        fs::remove_file(dir.join(format!("one/{name}.rss"))).expect("a file");
    }
    put(&dir, "one/z.rss", feed("one/z", 1));
    let run = to(&["one"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    let says = "the sources lack 2 inputs of previous runs, e.g. b.rss; outputs are kept, as merged.txt: delete it if";
    assert!(run.stderr.contains(says), "{}", run.stderr);
}

/// A merged output is kept, and the run fails, if none of its inputs is a feed any more.
#[test]
fn a_merged_output_stays_when_all_of_its_inputs_are_spoiled() {
    let dir = scratch("migrate-merge-outage");
    for extension in ["txt", "json", "rss", "xml"] {
        let source = format!("{extension}/a.{extension}");
        let go = |more: &[&str]| {
            migrate(&dir, &[&[extension, "--merge", "--to", "text", "--out", "out", "--force"], more].concat())
        };
        let again =
            |more: &[&str]| migrate(&dir, &[&[extension, "--merge", "--to", "text", "--out", "out"], more].concat());
        let text = match extension {
            "txt" => "https://pond.example/1\n".to_owned(),
            "json" => {
                r#"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"https://pond.example/1"}]}"#.to_owned()
            }
            _ => feed("a", 1),
        };
        put(&dir, &source, text);
        make_old(&dir.join(extension));
        go(&[]).ok("the feeds");
        for error in ["<html>", ""] {
            put(&dir, &source, error);
            for (more, code) in [(&[][..], 3), (&[], 3), (&["--max-failed", "0"], 1)] {
                let run = again(more);
                assert_eq!(run.code, code, "{extension}: {}", run.stderr);
                let says = format!("failed a.{extension}: is no longer a feed; the previous output is kept: ");
                assert!(run.stderr.contains(&says) && !run.stderr.contains("is left"), "{extension}: {}", run.stderr);
                assert!(dir.join("out/merged.txt").is_file());
            }
        }
    }
}

/// An input that was merged and fails now does not cost what is there of it.
#[test]
fn a_merged_output_never_lacks_what_fails() {
    let dir = scratch("migrate-merge-stays");
    let good = feed("a", 2);
    let spoiled = "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>".to_owned();
    let bad = format!("<rss><channel>{}", "<a>".repeat(1000));
    let merged = || fs::read_to_string(dir.join("out/merged.txt")).expect("an output");
    let go = |more: &[&str]| migrate(&dir, &[&["src", "--merge", "--to", "text", "--out", "out"], more].concat());
    for (n, text) in [good[..400].to_owned(), spoiled, String::new(), bad].into_iter().enumerate() {
        put(&dir, "src/a.rss", &good);
        put(&dir, "src/b.rss", feed("b", 2));
        make_old(&dir.join("src"));
        go(&["--force"]).ok("both");
        assert_eq!(merged().lines().count(), 4);
        put(&dir, "src/a.rss", &text);
        // a change in another one does not bring it about, nor a second run
        for _ in 0..2 {
            let run = go(&[]);
            assert_eq!(run.code, 3, "{n}: {}", run.stderr);
            assert!(run.stderr.contains("failed a.rss: "), "{n}: {}", run.stderr);
            assert!(run.stderr.contains("is kept"), "{n}: {}", run.stderr);
            assert!(run.stderr.contains("files     0 done, 1 up to date, 1 failed"), "{n}: {}", run.stderr);
            assert_eq!(merged().lines().count(), 4, "{n}: {}", run.stderr);
            put(&dir, "src/b.rss", feed("b", 3));
        }
        if n == 0 {
            go(&["--accept-truncated"]).ok("asked for");
            assert!(merged().contains("/b/2"), "{}", merged());
        }
    }
    assert_eq!(go(&["--force"]).code, 3);
    assert_eq!(merged().lines().count(), 3, "{}", merged());
}

/// What cannot be looked at is named: here because its path is longer than a system takes.
#[test]
#[cfg(target_os = "linux")]
fn errors_of_the_walk_are_failures() {
    let dir = scratch("migrate-walk");
    put(&dir, "src/a.rss", feed("a", 1));
    // the folder's path is just short enough; its name is so long once the file is in it
    let deep = format!("src/{}", format!("{}/", "d".repeat(200)).repeat(20));
    let (short, last) = (format!("{deep}x"), format!("{deep}{}", "d".repeat(69)));
    let script = format!("mkdir -p {short} && cp src/a.rss {short}/a.rss && mv {short} {last}");
    let made = std::process::Command::new("sh").args(["-c", &script]).current_dir(&dir).status().expect("a shell");
    assert!(made.success());
    let run = go(&dir, &[]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("/a.rss: file name too long"), "{}", run.stderr);
    assert!(run.stderr.contains("files     1 done, 1 failed"), "{}", run.stderr);
    let removed = std::process::Command::new("rm").args(["-r", "src"]).current_dir(&dir).status().expect("rm");
    assert!(removed.success());
}

#[test]
fn parts_of_an_index_are_followed() {
    let dir = scratch("migrate-index");
    let urls = |name: &str| {
        format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://pond.example/{name}</loc></url></urlset>"
        )
    };
    let index = |parts: &[&str]| {
        let parts: String = parts.iter().map(|part| format!("<sitemap><loc>{part}</loc></sitemap>")).collect();
        format!("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{parts}</sitemapindex>")
    };
    put(&dir, "src/s/one.xml", urls("one"));
    put(&dir, "src/s/deep/two.xml", urls("two"));
    put(&dir, "secret.xml", urls("secret"));
    let parts = [
        "https://pond.example/maps/one.xml",
        "https://pond.example/maps/deep/two.xml",
        "https://pond.example/maps/deep/../../../secret.xml",
        "https://pond.example/maps/gone.xml",
    ];
    put(&dir, "src/s/index.xml", index(&parts));
    let args = ["src/s/index.xml", "--to", "text", "--out", "out", "--index-base", "https://pond.example/maps/"];
    // it is named, and not all of it is there
    let run = migrate(&dir, &args);
    assert_eq!((run.code, names(&dir.join("out"))), (3, vec!["src/s/deep/two.txt".into(), "src/s/one.txt".into()]));
    let says = "src/s/gone.xml: not next to src/s/index.xml, which lists it as https://pond.example/maps/gone.xml";
    assert!(run.stderr.contains(&format!("failed {says}; --follow-remote fetches it\n")), "{}", run.stderr);
    // the base finds parts, whatever the target
    assert!(!run.stderr.contains("has no effect"), "{}", run.stderr);
    let run = migrate(&dir, &["src/s/index.xml", "--to", "text", "--out", "no-base"]);
    let hint = "maps/deep/two.xml; pass --index-base URL if it is in a folder below, or --follow-remote to fetch it";
    assert!(run.code == 3 && run.stderr.contains(hint), "{}", run.stderr);
    // found in a folder: each once, and the index itself is none
    put(&dir, "src/top.xml", index(&["s/index.xml", "s/one.xml"]));
    let run = migrate(&dir, &["src", "--to", "jsonl", "--out", "all"]).ok("a folder");
    assert_eq!(names(&dir.join("all")), ["s/deep/two.jsonl", "s/one.jsonl"]);
    assert!(run.stderr.contains("files     2 done, 2 lists read"), "{}", run.stderr);
    assert!(run.stderr.contains("sitemap https://pond.example/maps/gone.xml is not next to it"), "{}", run.stderr);
}

#[test]
fn all_can_become_one() {
    let dir = tree("merge");
    put(&dir, "src/same.rss", feed("a.rss", 1));
    put(&dir, "src/bad.xml", format!("<rss><channel>{}", "<a>".repeat(1000)));
    make_old(&dir.join("src"));
    let args = ["--merge", "--split", "4", "--index-base", "https://pond.example/"];
    let run = go(&dir, &args);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert_eq!(names(&dir.join("out")), ["merged-0001.xml", "merged-0002.xml", "merged-0003.xml", "merged.xml"]);
    assert!(run.stderr.contains("failed bad.xml: "), "{}", run.stderr);
    assert!(run.stderr.contains("files     6 done, 1 failed, 1 skipped"), "{}", run.stderr);
    let pages: usize = (1..=3)
        .map(|n| {
            fs::read_to_string(dir.join(format!("out/merged-000{n}.xml"))).expect("a part").matches("<url>").count()
        })
        .sum();
    assert_eq!(pages, 11, "pages are joined");
    fs::remove_file(dir.join("src/bad.xml")).expect("a file");
    go(&dir, &args).ok("all of them");
    let run = go(&dir, &args).ok("nothing to do");
    assert!(run.stderr.contains("files     0 done, 6 up to date"), "{}", run.stderr);
    put(&dir, "src/a.rss", feed("a.rss", 4));
    let run = go(&dir, &[&args[..], &["--name", "videos.xml", "--json"]].concat()).ok("one changed");
    assert!(names(&dir.join("out")).contains(&"videos-0001.xml".to_owned()), "{}", run.stderr);
    let events = events(&run);
    assert_eq!(events.iter().filter(|event| event["type"] == "file" && event["inputs"].is_array()).count(), 1);
    assert_eq!(go(&dir, &["--merge", "--name", "{stem}.xml"]).code, 2);
    assert_eq!(go(&dir, &["--merge", "--shard", "1/2"]).code, 2);
}

#[test]
fn what_cannot_be_merged_is_left_out() {
    let dir = scratch("migrate-merge-names");
    let bad = format!("<rss><channel>{}", "<a>".repeat(1000));
    put(&dir, "one/a.xml", feed("one", 2));
    put(&dir, "two/a.xml", &bad);
    for n in 0..4 {
        put(&dir, &format!("three/{n}.xml"), if n % 2 == 0 { bad.clone() } else { feed("three", 1) });
    }
    make_old(&dir);
    // the same path twice, once of a bad one
    let sources = ["one/../one/a.xml", "two/../two/a.xml", "three"];
    let args = [&sources[..], &["--to", "text", "--out", "out", "--merge"]].concat();
    let run = migrate(&dir, &args);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("failed two/a.xml: "), "{}", run.stderr);
    assert!(run.stderr.contains("files     3 done, 3 failed"), "{}", run.stderr);
    let merged = || fs::read_to_string(dir.join("out/merged.txt")).expect("an output");
    assert_eq!(merged().lines().filter(|line| line.contains("/one/")).count(), 2, "{}", merged());
    // what failed fails again, the rest stands
    let run = migrate(&dir, &args);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("files     0 done, 3 up to date, 3 failed"), "{}", run.stderr);
    put(&dir, "two/a.xml", feed("two", 1));
    let run = migrate(&dir, &args);
    assert!(run.stderr.contains("files     4 done, 2 failed"), "{}", run.stderr);
    assert!(merged().contains("/two/"), "{}", merged());
}

#[test]
fn each_that_is_merged_has_its_own_base() {
    let dir = scratch("migrate-merge-base");
    let item = "<rss version='2.0'><channel><item><title>i</title><link>p/1</link></item></channel></rss>";
    put(&dir, "src/a/b.rss", item);
    put(&dir, "src/a/c.rss", item.replace("p/1", "p/2"));
    let args = ["src", "--to", "text", "--out", "out", "--merge", "--base", "https://pond.example/in/"];
    migrate(&dir, &args).ok("one folder");
    let text = fs::read_to_string(dir.join("out/merged.txt")).expect("an output");
    assert_eq!(text, "https://pond.example/in/a/p/1\nhttps://pond.example/in/a/p/2\n");
    put(&dir, "src/d/e.rss", item);
    migrate(&dir, &args).ok("two folders");
    let text = fs::read_to_string(dir.join("out/merged.txt")).expect("an output");
    let urls = ["a/p/1", "a/p/2", "d/p/1"].map(|path| format!("https://pond.example/in/{path}\n"));
    assert_eq!(text, urls.concat());
}

/// No report has the name of an output or of its parts, no part that of another output or of an input.
#[test]
fn no_name_is_used_twice() {
    let dir = scratch("migrate-twice");
    put(&dir, "src/a.xml", feed("a", 3));
    put(&dir, "src/b", feed("b", 1));
    let to = |more: &[&str]| migrate(&dir, &[&["src", "--to", "json", "--out", "out"], more].concat());
    for (args, first) in [
        (&["--report", "out"][..], "out/b.json"),
        (&["--report", "out/a.json"], "out/a.json"),
        (&["--report", "out/a-0002.json", "--split", "1"], "out/a-0002.json"),
    ] {
        let run = to(args);
        assert!(run.code == 2 && run.stderr.contains("it is an output and a report"), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(first) && !dir.join("out").exists(), "{args:?}: {}", run.stderr);
    }
    to(&["--report", "out/all.json"]).ok("a name of its own");
    let run = to(&["--report", "out/.transfeed/journal.jsonl"]);
    assert!(run.code == 2 && run.stderr.contains("it is an output and a report"), "{}", run.stderr);
    // parts of two outputs
    put(&dir, "parts/all.xml", feed("one", 3));
    put(&dir, "parts/all.jsonl.xml", feed("two", 3));
    let args = ["parts", "--to", "jsonl", "--split", "1", "--name", "{stem}", "--out", "parted"];
    let run = migrate(&dir, &args).ok("parts");
    assert_eq!(names(&dir.join("parted")).len(), 6, "{:?}", names(&dir.join("parted")));
    assert!(run.stderr.contains("all.xml becomes all-"), "{}", run.stderr);
    // a part and an input
    let dir = scratch("migrate-part-input");
    put(&dir, "a.xml", feed("a", 2));
    put(&dir, "x0001-0001.rss", feed("x", 1));
    let args = ["a.xml", "x0001-0001.rss", "--to", "rss", "--split", "1", "--out", ".", "--name", "x{n}.rss"];
    let run = migrate(&dir, &args);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("failed a.xml: "), "{}", run.stderr);
    assert_eq!(fs::read_to_string(dir.join("x0001-0001.rss")).expect("an input"), feed("x", 1));
}

/// An error page in place of a feed, and an emptied file: the outputs that stand are old, and that is said.
#[test]
fn what_was_a_feed_is_missed() {
    let dir = tree("spoiled");
    go(&dir, &["--report", "reports"]).ok("first");
    let old = fs::read(dir.join("out/a.xml")).expect("an output");
    put(&dir, "src/a.rss", "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>");
    put(&dir, "src/b/c.xml", "");
    for args in [&[][..], &[], &["--force"], &["--retry-failed"]] {
        let run = go(&dir, &[&["--report", "reports"], args].concat());
        assert_eq!(run.code, 3, "{args:?}: {}", run.stderr);
        for name in ["a.rss", "b/c.xml"] {
            let says = format!("failed {name}: is no longer a feed; the previous output is kept");
            assert!(run.stderr.contains(&says), "{args:?}: {}", run.stderr);
            assert_eq!(json(&dir.join(format!("reports/{name}.json")))["status"], "failed");
        }
        assert_eq!(fs::read(dir.join("out/a.xml")).expect("an output"), old);
    }
    put(&dir, "src/a.rss", feed("a.rss", 2));
    put(&dir, "src/b/c.xml", feed("b/c.xml", 3));
    go(&dir, &[]).ok("fetched again");
}

#[test]
fn a_named_format_makes_no_feed_of_anything() {
    let dir = tree("from");
    put(&dir, "src/x.png", b"\x89PNG\r\n\x1a\n\0\0");
    let run = go(&dir, &["--from", "rss"]).ok("a format");
    assert_eq!(names(&dir.join("out")), OUTPUTS);
    assert!(run.stderr.contains("files     5 done, 2 skipped: not feeds"), "{}", run.stderr);
    let args = ["src/README.md", "--from", "text", "--to", "jsonl", "--out", "named"];
    migrate(&dir, &args).ok("what is named is what it is said to be");
    assert_eq!(names(&dir.join("named")), ["src/README.jsonl"]);
}

#[test]
fn any_input_can_have_a_report() {
    let dir = scratch("migrate-report-names");
    let long = format!("{}.rss", "y".repeat(250));
    put(&dir, &format!("src/{long}"), feed("long", 1));
    put(&dir, "src/a", feed("a", 1));
    put(&dir, "src/a.json/b.rss", feed("b", 1));
    put(&dir, "src/a.json_/b.rss", feed("b", 1));
    let run = go(&dir, &["--report", "reports"]).ok("names");
    let reports = names(&dir.join("reports"));
    assert_eq!(reports.len(), 4 + 2, "{reports:?}");
    assert!(
        reports.contains(&"a.json".to_owned()) && reports.contains(&"a.json_/b.rss.json".to_owned()),
        "{reports:?}"
    );
    assert!(!run.stderr.contains("not written"), "{}", run.stderr);
    // one that cannot be written costs itself
    let dir = tree("report-obstacle");
    fs::create_dir_all(dir.join("reports/a.rss.json/x")).expect("a folder");
    for _ in 0..2 {
        let run = go(&dir, &["--report", "reports"]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(
            run.stderr.contains("error: 1 report was not written: cannot use reports/a.rss.json: "),
            "{}",
            run.stderr
        );
        assert_eq!(names(&dir.join("out")), OUTPUTS);
        assert!(dir.join("reports/summary.html").is_file() && dir.join("reports/g h.xml.json").is_file());
    }
}

#[test]
fn what_is_found_twice_is_an_input_once() {
    let dir = tree("found-twice");
    symlink("a.rss", dir.join("src/z.rss")).expect("a link");
    let index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"></sitemapindex>";
    put(&dir, "src/index.xml", index);
    go(&dir, &[]).ok("an index");
    assert!(dir.join("out/z.xml").is_file(), "a link is a name of its own");
    for sources in [["src", "src/README.md"], ["src/README.md", "src"]] {
        let run = migrate(&dir, &[&sources, &TO[..]].concat());
        assert!(run.code == 3 && run.stderr.contains("failed "), "{sources:?}: {}", run.stderr);
    }
    let run = migrate(&dir, &["src", "src/b", "--to", "text", "--out", "both"]).ok("a folder in another");
    assert!(run.stderr.contains("3 files are listed twice and converted once"), "{}", run.stderr);
}

#[test]
fn what_is_left_from_before_is_named() {
    let dir = tree("left");
    let index = ["--index-base", "https://pond.example/"];
    go(&dir, &[&["--split", "1"], &index[..]].concat()).ok("many parts");
    let run = go(&dir, &[&["--split", "3"], &index[..]].concat()).ok("fewer parts");
    for name in ["a-0001.xml", "b/c-0001.xml", "g h-0003.xml"] {
        assert!(run.stderr.contains(name), "{name}: {}", run.stderr);
    }
    assert!(run.stderr.contains("are left from a previous run"), "{}", run.stderr);
    assert!(!run.stderr.contains("g h-0002.xml"), "{}", run.stderr);
    let run = go(&dir, &["--name", "new/{stem}.{ext}", "-j", "1"]).ok("other names");
    assert!(run.stderr.contains("a.xml,") && run.stderr.contains("are left from a previous run"), "{}", run.stderr);
    let run = go(&dir, &["--merge"]).ok("merged");
    assert!(run.stderr.contains("new/a.xml") && run.stderr.contains("are left from a previous run"), "{}", run.stderr);
    let run = go(&dir, &["--merge", "--name", "one.xml"]).ok("another name");
    assert!(run.stderr.contains("merged.xml, new/a.xml, "), "{}", run.stderr);
    assert!(!run.stderr.contains("not among the sources"), "{}", run.stderr);
}

/// A date that was made of that of the file is another one when the file is touched.
#[test]
fn a_date_of_the_file_is_a_part_of_it() {
    let dir = tree("dated");
    for (to, done) in [("atom", 1), ("video-sitemap", 0)] {
        let args = ["src", "--to", to, "--out", to];
        migrate(&dir, &args).ok("first");
        put(&dir, "src/a.rss", feed("a.rss", 2));
        make_old(&dir.join("src"));
        let run = migrate(&dir, &args).ok("touched");
        let says = format!("files     {done} done, {} up to date", 5 - done);
        assert!(run.stderr.contains(&says), "{to}: {}", run.stderr);
    }
}

#[test]
fn the_short_help_is_a_screen() {
    let run = migrate(&scratch("migrate-help"), &["-h"]).ok("help");
    let lines = run.text().lines().count();
    assert!(lines <= 43, "{lines} lines\n{}", run.text());
}

#[test]
fn a_dry_run_writes_nothing() {
    let dir = tree("dry");
    let before = files(&dir);
    let run = go(&dir, &["--dry-run"]).ok("dry");
    assert_eq!(files(&dir), before);
    assert!(!dir.join("out").exists());
    let text = run.text();
    assert!(text.contains("b/c.xml → b/c.xml: 3 entries, "), "{text}");
    assert!(text.contains("  lost    video.file.bitrate  ×3 ("), "{text}");
    assert!(text.contains("README.md: skipped, not a feed"), "{text}");
    assert!(run.stderr.contains("files     5 to convert"), "{}", run.stderr);
    go(&dir, &["-q"]).ok("done");
    fs::remove_file(dir.join("src/a.rss")).expect("a file");
    let before = files(&dir);
    let run = go(&dir, &["--dry-run", "--merge"]).ok("dry and merged");
    assert!(run.text().contains("merged.xml"), "{}", run.text());
    let run = go(&dir, &["--dry-run"]).ok("nothing to do");
    assert!(run.text().contains("b/c.xml: up to date"), "{}", run.text());
    assert_eq!(files(&dir), before);
}

#[test]
fn a_long_plan_is_folded() {
    let dir = scratch("migrate-plan");
    for n in 0..70 {
        put(&dir, &format!("src/{}/{}/{n:02}.txt", if n < 35 { "a" } else { "b" }, n % 3), "https://pond.example/1\n");
    }
    put(&dir, "src/b/bad.rss", "no feed");
    put(&dir, "src/z.txt", "no list");
    let plan = |args: &[&str]| go(&dir, &[&["--dry-run", "-q"], args].concat()).text().to_owned();
    let text = plan(&[]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[19].starts_with("a/1/22.txt → "), "{text}");
    let rest = [
        "… and 52 more files; -v lists them",
        "  ./    1 skipped",
        "  a/1/  4 to convert",
        "  a/2/  11 to convert",
        "  b/    1 failed",
        "  b/0/  12 to convert",
        "  b/1/  11 to convert",
        "  b/2/  12 to convert",
    ];
    assert_eq!(lines[20..], rest, "{text}");
    assert_eq!(plan(&["-v"]).lines().count(), 72);
    assert_eq!(plan(&["--json"]).lines().count(), 73);
    // folders are joined where there are too many
    for n in 0..40 {
        put(&dir, &format!("src/c/{n}/x.txt"), "https://pond.example/1\n");
    }
    let text = plan(&[]);
    assert!(text.contains("… and 92 more files; -v lists them\n  ./  1 skipped\n  a/  15 to convert\n"), "{text}");
    assert!(text.ends_with("  c/  40 to convert\n"), "{text}");
}

#[test]
fn names_are_bytes() {
    let dir = scratch("migrate-bytes");
    for name in [&b"\xff\xfe.rss"[..], b"new\nline.rss", b"\x1b[31m.rss", "пруд.rss".as_bytes()] {
        fs::create_dir_all(dir.join("src")).expect("a folder");
        fs::write(dir.join("src").join(OsStr::from_bytes(name)), feed("x", 1)).expect("a file");
    }
    fs::write(dir.join("src").join(OsStr::from_bytes(b"\xfe\xff.rss")), feed("x", 1)).expect("a file");
    let run = go(&dir, &["--json", "--report", "reports"]).ok("bytes");
    assert!(dir.join("out").join(OsStr::from_bytes(b"\xfe\xff.xml")).is_file());
    assert!(dir.join("out").join(OsStr::from_bytes(b"\xff\xfe.xml")).is_file());
    assert!(dir.join("out/new%0Aline.xml").is_file() && dir.join("out/пруд.xml").is_file());
    assert_eq!(fs::read_dir(dir.join("reports")).expect("reports").flatten().count(), 7);
    for name in names(&dir.join("reports")) {
        assert!(!name.contains(char::is_control), "{name:?}");
    }
    assert!(dir.join("reports").join(OsStr::from_bytes(b"\xff\xfe.rss.json")).is_file());
    let hex = events(&run).iter().filter(|event| event["path"]["hex"] == "fffe2e727373").count();
    assert_eq!(hex, 1, "{}", run.text());
    let run = go(&dir, &[]).ok("again");
    assert!(run.stderr.contains("files     0 done, 5 up to date"), "{}", run.stderr);
    let long = format!("src/{}.rss", "y".repeat(250));
    put(&dir, &long, feed("long", 1));
    let run = go(&dir, &["--gzip", "--split", "1", "--index-base", "https://pond.example/"]).ok("long names");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = go(&dir, &["--gzip", "--split", "1", "--index-base", "https://pond.example/"]).ok("again");
    assert!(run.stderr.contains("files     0 done, 6 up to date"), "{}", run.stderr);
}

#[test]
fn addresses_go_down_with_the_tree() {
    let dir = scratch("migrate-addresses");
    put(
        &dir,
        "src/a/b.rss",
        "<rss version='2.0'><channel><title>t</title><link>x</link><description>d</description><item><title>i</title><link>p/1</link></item></channel></rss>",
    );
    let args = [
        "src",
        "--to",
        "atom",
        "--out",
        "out",
        "--base",
        "https://pond.example/in/",
        "--self",
        "https://pond.example/out/",
        "-q",
    ];
    migrate(&dir, &args).ok("addresses");
    let text = fs::read_to_string(dir.join("out/a/b.atom")).expect("an output");
    assert!(text.contains("https://pond.example/in/a/p/1"), "{text}");
    assert!(text.contains("https://pond.example/out/a/b.atom"), "{text}");
    put(&dir, "src/a/c.txt", "https://pond.example/1\nhttps://pond.example/2\n");
    let args = [
        "src/a/c.txt",
        "--to",
        "sitemap",
        "--out",
        "maps",
        "--split",
        "1",
        "--index-base",
        "https://pond.example/maps/",
    ];
    migrate(&dir, &args).ok("an index");
    let text = fs::read_to_string(dir.join("maps/src/a/c.xml")).expect("an index");
    assert!(text.contains("https://pond.example/maps/src/a/c-0001.xml"), "{text}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let dir = tree("refused");
    put(&dir, "empty", "");
    symlink("gone", dir.join("nowhere")).expect("a link");
    for (args, says) in [
        (&["src", "--to", "text"][..], "--out"),
        (&["--to", "text", "--out", "out"], "SRC"),
        (&["src", "--out", "out"], "pass --to with one of"),
        (&["src", "--to", "text", "--out", "out", "-o", "-"], "to standard output"),
        (&["src", "--to", "text", "--out", "out", "-o", "x.txt"], "pass --out DIR"),
        (&["src", "--to", "text", "--out", "out", "--resume", "--force"], "cannot be used with"),
        (&["src", "--to", "text", "--out", "out", "--shard", "3/2"], "expected a shard"),
        (&["src", "--to", "text", "--out", "out", "--retry-failed"], "no previous run"),
        (&["src", "--to", "text", "--out", "src/a.rss"], "src/a.rss"),
        (&["src", "--to", "sitemap", "--out", "out", "--split", "1"], "pass --index-base"),
        (&["@", "--to", "text", "--out", "out"], "pass @FILE"),
        (&["@empty", "--to", "text", "--out", "out"], "add a path or a URL per line to the list"),
        (&["src", "--to", "text", "--out", "nowhere"], "cannot write to nowhere: it is a symlink to nowhere"),
    ] {
        let run = migrate(&dir, args);
        assert_eq!(run.code, 2, "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{args:?}: {}", run.stderr);
        assert!(files(&dir.join("out")).is_empty(), "{args:?}");
    }
    // a gate is that of each file
    let run = go(&dir, &["--fail-on", "lost"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    let without_loss = names(&dir.join("out"));
    assert!(without_loss.len() < OUTPUTS.len() && run.stderr.contains("--fail-on lost: "), "{}", run.stderr);
    assert_eq!(go(&dir, &[]).code, 0);
    assert_eq!(names(&dir.join("out")), OUTPUTS);
}

/// Each day other entries are too old, so an unchanged input is converted again.
#[test]
fn entries_chosen_by_their_age_are_chosen_again() {
    let dir = common::scratch("migrate-age");
    let feed = "<rss version=\"2.0\"><channel><title>N</title><link>https://a.example/</link><description>d</description>\
        <item><title>Old</title><link>https://a.example/1</link><pubDate>Tue, 02 Sep 2025 08:00:00 GMT</pubDate></item>\
        </channel></rss>";
    std::fs::write(dir.join("news.rss"), feed).expect("written");
    for (out, option, again) in
        [("a", None, false), ("b", Some("--max-age=48h"), true), ("c", Some("--drop-expired"), true)]
    {
        let args = ["migrate", "news.rss", "--to", "rss", "--json", "--out", out].into_iter().chain(option);
        let args: Vec<&str> = args.collect();
        for is_second in [false, true] {
            // in the same second, the same entries are chosen
            if is_second && again {
                std::thread::sleep(std::time::Duration::from_millis(1100));
            }
            let run = common::program(&dir).args(&args).env_remove("SOURCE_DATE_EPOCH").output().expect("it runs");
            let told = String::from_utf8_lossy(&run.stdout);
            assert!(run.status.success(), "{told}");
            assert_eq!(told.contains("\"status\":\"done\""), !is_second || again, "{args:?} {told}");
        }
    }
}

#[test]
fn spools_are_in_the_folder_of_temporary_files() {
    let dir = scratch("migrate-spools");
    fs::create_dir(dir.join("spools")).expect("a folder");
    fs::write(dir.join("a.txt"), "https://pond.example/1\n").expect("written");
    let migrate = |temp_dir: &str| {
        let args = ["migrate", "a.txt", "--to", "text", "--out", "out", "--force", "--report", "r.jsonl"];
        let mut command = common::program(&dir);
        command.args(args).args(["--temp-dir", temp_dir]).env("TMPDIR", "/nonexistent").output().expect("a run")
    };
    let ended = migrate("spools");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(fs::read_dir(dir.join("spools")).expect("a folder").count(), 0);
    let ended = migrate("nowhere");
    let says = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(2), "{says}");
    assert!(says.contains("nowhere") && !says.contains("r.jsonl") && !says.contains("os error"), "{says}");
}

/// A list is not split by itself, so a quiet run has a warning too, as that of a single conversion.
#[test]
fn a_list_beyond_the_limits_is_named_by_a_quiet_run() {
    let dir = scratch("migrate-long-list");
    put(&dir, "src/a.rss", feed("a", 50_001));
    let run = |options: &[&str]| {
        let args = ["migrate", "src", "--to", "text", "-q", "--out"];
        transfeed(&dir, &[&args[..], options].concat(), None).ok("a long list").stderr
    };
    let says = run(&["out"]);
    assert!(says.contains("1 output beyond the sitemap limits") && says.contains("--split"), "{says}");
    assert_eq!(run(&["parts", "--split", "50000"]), "");
}
