//! The parts of a sitemap index as a stream: each is converted while the next ones are fetched, and gone after that. What comes
//! out is what the same parts give as files.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::server::{Asked, Reply, Server};
use super::{gzip, run};
use crate::common::{self, count, scratch};

const URLSET: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
    xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">";

/// An index of these parts.
fn index(host: &str, parts: usize) -> String {
    let parts = (0..parts).map(|part| format!("<sitemap><loc>http://{host}/{part}.xml</loc></sitemap>"));
    let parts: String = parts.collect();
    format!("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{parts}</sitemapindex>")
}

/// A part with so many pages of its own.
fn part(number: usize, pages: usize) -> String {
    let pages = (0..pages).map(|page| format!("<url><loc>https://pond.example/{number}/{page}</loc></url>\n"));
    format!("{URLSET}{}</urlset>", pages.collect::<String>())
}

fn number(asked: &Asked) -> Option<usize> {
    asked.path().strip_prefix('/')?.strip_suffix(".xml")?.parse().ok()
}

/// Starts the program.
fn start(dir: &Path, args: &[&str]) -> Child {
    let mut command = common::program(dir);
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a run")
}

#[test]
fn a_part_is_converted_before_the_last_is_there() {
    for to in ["jsonl", "text", "yandex-video", "csv", "jsonld"] {
        let seen = Arc::new(AtomicBool::new(false));
        let state = Arc::clone(&seen);
        let parts = 8;
        let server = Server::start(move |asked, _| match number(asked) {
            None => Reply::ok(index(asked.header("host"), parts)),
            Some(number) => {
                let begun = Instant::now();
                while number > 2 && !state.load(Ordering::Relaxed) {
                    if begun.elapsed() > Duration::from_secs(20) {
                        return Reply::status(404);
                    }
                    std::thread::sleep(Duration::from_millis(5));
                }
                let video = "<video:video><video:thumbnail_loc>https://pond.example/t.jpg</video:thumbnail_loc>\
                     <video:title>T</video:title><video:description>D</video:description>\
                     <video:content_loc>https://pond.example/v.mp4</video:content_loc>\
                     <video:duration>9</video:duration><video:publication_date>2026-01-01</video:publication_date>\
                     </video:video></url>";
                // more than a stream holds back
                Reply::ok(part(number, 2_000).replace("</url>", video))
            }
        });
        let dir = scratch(&format!("fetch-stream-{to}"));
        let url = server.url("/index.xml");
        let more: &[&str] = if to == "text" { &["--no-group"] } else { &[] };
        let mut child = start(&dir, &[&["convert", &url, "--follow-remote", "--to", to], more].concat());
        let mut out = BufReader::new(child.stdout.take().expect("an output"));
        let mut before = String::new();
        while !before.contains("pond.example/0/") {
            assert!(out.read_line(&mut before).expect("a line") > 0, "{to}: {before:.200}");
        }
        let asked = server.asked().len();
        seen.store(true, Ordering::Relaxed);
        let mut rest = String::new();
        out.read_to_string(&mut rest).expect("the rest");
        let ended = child.wait_with_output().expect("it ends");
        assert!(ended.status.success(), "{to}: {}", String::from_utf8_lossy(&ended.stderr));
        assert!(asked < parts, "{to}: {asked} requests before the first part was converted");
        assert!(rest.contains("pond.example/7/1999"), "{to}");
        assert_eq!(server.asked().len(), parts + 1, "{to}: each once");
        assert!(server.most_together() <= 2, "{to}: {} requests together", server.most_together());
    }
}

#[test]
fn nothing_is_fetched_for_a_reader_that_left() {
    let parts = 60;
    let server = Server::start(move |asked, _| match number(asked) {
        None => Reply::ok(index(asked.header("host"), parts)),
        Some(number) => Reply::ok(part(number, 800)),
    });
    let dir = scratch("fetch-stream-left");
    let url = server.url("/index.xml");
    for (report, all) in [(None, false), (Some("report.json"), true)] {
        let before = server.asked().len();
        let more: Vec<&str> = report.iter().flat_map(|report| ["--report", report]).collect();
        let mut child = start(&dir, &[&["convert", &url, "--follow-remote", "--to", "jsonl"][..], &more].concat());
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("an output")).read_line(&mut line).expect("a line");
        let ended = child.wait_with_output().expect("it ends");
        let (says, asked) = (String::from_utf8_lossy(&ended.stderr).into_owned(), server.asked().len() - before);
        assert!(ended.status.success(), "{says}");
        assert_eq!(asked == parts + 1, all, "{asked} requests");
        assert_eq!(says.contains("the reader of the output has left"), !all, "{says}");
    }
}

#[test]
fn each_document_is_sent_on_when_it_is_converted() {
    let seen = Arc::new(AtomicBool::new(false));
    let state = Arc::clone(&seen);
    let server = Server::start(move |asked, _| match number(asked) {
        None => Reply::ok(index(asked.header("host"), 2)),
        Some(number) => {
            let begun = Instant::now();
            while number > 0 && !state.load(Ordering::Relaxed) && begun.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(5));
            }
            Reply::ok(part(number, 2))
        }
    });
    let dir = scratch("fetch-stream-small");
    let url = server.url("/index.xml");
    // two documents are waited for before the first is converted
    let mut child = start(
        &dir,
        &["convert", &server.url("/0.xml"), &server.url("/0.xml"), &url, "--follow-remote", "--to", "jsonl"],
    );
    let mut out = BufReader::new(child.stdout.take().expect("an output"));
    let mut line = String::new();
    while !line.contains("pond.example/0/") {
        assert!(out.read_line(&mut line).expect("a line") > 0, "{line}");
    }
    assert!(!seen.swap(true, Ordering::Relaxed));
    out.read_to_string(&mut line).expect("the rest");
    assert!(child.wait().expect("it ends").success() && line.contains("pond.example/1/1"));
}

#[test]
fn a_part_gets_no_answer_of_what_was_typed() {
    let other = Server::start(|asked, _| match asked.header("authorization") {
        "" => Reply::status(401),
        _ => Reply::ok("https://pond.example/secret\n"),
    });
    let there = other.url("/4.xml").replace("127.0.0.1", "127.0.0.2");
    let part = there.clone();
    let server = Server::start(move |asked, _| {
        let entry = format!("<sitemap><loc>{part}</loc></sitemap>");
        Reply::ok(index(asked.header("host"), 0).replace("</sitemapindex>", &format!("{entry}</sitemapindex>")))
    });
    let dir = scratch("fetch-stream-typed");
    let typed = there.replace("http://", "http://u:p@");
    let mut command = common::program(&dir);
    command.args(["convert", &server.url("/index.xml"), &typed, "--follow-remote", "--to", "text", "--no-group"]);
    let done = command.output().expect("a run");
    let says = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.code() == Some(2) && says.contains("not on the public internet"), "{says}");
    assert!(done.stdout.is_empty());
}

#[test]
fn parts_that_moved_are_counted_and_the_index_is_reported() {
    let server = Server::start(|asked, _| match (asked.path(), number(asked)) {
        ("/old.xml", _) => Reply::to(301, "/index.xml"),
        (_, None) => Reply::ok(index(asked.header("host"), 6)),
        (path, Some(number)) if number < 6 => {
            Reply::to(308, &path.replace(&number.to_string(), &(10 + number).to_string()))
        }
        (_, Some(number)) => Reply::ok(part(number, 2)),
    });
    let dir = scratch("fetch-stream-moved");
    let url = server.url("/old.xml");
    let args = ["convert", &url, "--follow-remote", "--to", "jsonl", "-o", "out", "--report", "report.json"];
    let done = common::transfeed(&dir, &args, None);
    assert!(done.stderr.contains("6 URLs moved for good; --write-moved FILE lists them"), "{}", done.stderr);
    assert_eq!(done.stderr.matches("moved for good").count(), 2, "{}", done.stderr);
    let report = fs::read(dir.join("report.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_slice(&report).expect("JSON");
    let urls: Vec<&str> =
        report["fetched"].as_array().expect("a list").iter().filter_map(|one| one["url"].as_str()).collect();
    assert_eq!((urls.len(), urls[0]), (7, url.as_str()), "the list comes first");
}

/// The files without a name that a process has open in this folder: how many, and their bytes.
#[cfg(target_os = "linux")]
fn hidden_files(process: u32, folder: &Path) -> (usize, u64) {
    let open = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let hidden = open.filter(|entry| {
        let target = fs::read_link(entry.path()).unwrap_or_default();
        target.starts_with(folder) && target.to_string_lossy().ends_with("(deleted)")
    });
    let sizes: Vec<u64> = hidden.filter_map(|entry| Some(fs::metadata(entry.path()).ok()?.len())).collect();
    (sizes.len(), sizes.iter().sum())
}

#[cfg(target_os = "linux")]
#[test]
fn temporary_files_do_not_accumulate() {
    let parts = count(60, 400);
    let server = Server::start(move |asked, _| match number(asked) {
        None => Reply::ok(index(asked.header("host"), parts)),
        Some(number) => Reply::ok(part(number, 3_000)),
    });
    let dir = scratch("fetch-stream-files").canonicalize().expect("a folder");
    let folder = dir.join("temporary");
    fs::create_dir(&folder).expect("a folder");
    let size = part(0, 3_000).len() as u64;
    let url = server.url("/index.xml");
    for (to, keeps) in [("jsonl", false), ("text", true)] {
        let args = ["convert", &url, "--follow-remote", "--to", to, "-o", "out", "--temp-dir", "temporary", "-q"];
        let mut child = start(&dir, &args);
        let (mut files, mut bytes) = (0, 0);
        while child.try_wait().expect("a state").is_none() {
            let now = hidden_files(child.id(), &folder);
            (files, bytes) = (files.max(now.0), bytes.max(now.1));
            std::thread::sleep(Duration::from_millis(1));
        }
        let ended = child.wait_with_output().expect("it ends");
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        // the first, the one that is converted, and those ahead; or all of them in one file, as pages could return
        assert!(files > 0 && files <= 12, "{to}: {files} files");
        assert_eq!(bytes > 10 * size, keeps, "{to}: {bytes} bytes of parts of {size}");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0, "nothing stays");
    }
}

/// Parts with everything that depends on several of them: pages that return, markup that is not known, an empty part, a feed.
fn odd_parts() -> Vec<Vec<u8>> {
    let video = |page: &str, title: &str| {
        format!(
            "<url><loc>https://pond.example/{page}</loc><lastmod>2026-01-02</lastmod><video:video>\
             <video:thumbnail_loc>https://pond.example/t.jpg</video:thumbnail_loc><video:title>{title}</video:title>\
             <video:description>D</video:description><video:content_loc>https://pond.example/{title}.mp4</video:content_loc>\
             <video:odd>x</video:odd></video:video></url>"
        )
    };
    vec![
        format!("{URLSET}<!-- one -->{}{}</urlset>", video("1", "A"), video("2", "B")).into_bytes(),
        gzip(format!("{URLSET}{}<url><loc>https://pond.example/3</loc></url></urlset>", video("1", "C")).as_bytes()),
        format!("{URLSET}</urlset>").into_bytes(),
        format!(
            "{}<url><loc>https://pond.example/4</loc><image:image><image:loc>https://pond.example/i.png</image:loc>\
             </image:image></url><url><loc>bad</url></urlset>",
            URLSET.replace('>', " xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">")
        )
        .into_bytes(),
        super::RSS.as_bytes().to_vec(),
        b"https://pond.example/2\nhttps://pond.example/9\n".to_vec(),
    ]
}

#[test]
fn what_comes_of_a_stream_is_what_comes_of_files() {
    let dir = scratch("fetch-stream-same");
    let odd = odd_parts();
    let names: Vec<String> = (0..odd.len()).map(|number| format!("{number}.xml")).collect();
    for (name, part) in names.iter().zip(&odd) {
        fs::write(dir.join(name), part).expect("written");
    }
    let server = Server::start(move |asked, _| match number(asked).and_then(|number| odd.get(number)) {
        None => Reply::ok(index(asked.header("host"), odd.len())),
        // the age that the files have
        Some(part) => Reply::ok(part.clone()).with("Last-Modified", "Tue, 01 Dec 2026 00:00:00 GMT"),
    });
    let (root, url) = (server.url("/"), server.url("/index.xml"));
    let plain = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&root, "");
    let mut outcomes = Vec::new();
    for to in ["jsonl", "json", "text", "sitemap", "video-sitemap", "mrss", "rss", "atom", "csv", "jsonfeed", "jsonld"]
    {
        for more in [&[][..], &["--no-group"], &["--limit", "4"], &["-j", "1"], &["--strict"]] {
            let base = ["--base", "https://pond.example/", "--accept-truncated"];
            let told = |report: &str| {
                let mut report: serde_json::Value = super::json(&dir.join(report));
                report.as_object_mut().expect("an object").remove("fetched");
                plain(&serde_json::to_vec_pretty(&report).expect("JSON"))
            };
            // a stream is not begun again, a file may be
            for place in ["-", "out"].into_iter().filter(|place| more.len() < 2 || *place == "out") {
                let common = [&["--to", to, "-o", place, "-q"], more, &base].concat();
                let _ = [fs::remove_file(dir.join("local.json")), fs::remove_file(dir.join("remote.json"))];
                let files: Vec<&str> = names.iter().map(String::as_str).collect();
                let local = [&["convert"], &files[..], &common, &["--report", "local.json"]].concat();
                let local = common::transfeed(&dir, &local, None);
                let written = fs::read(dir.join("out")).unwrap_or_default();
                let remote =
                    [&["convert", &url, "--follow-remote"], &common[..], &["--report", "remote.json"]].concat();
                let remote = run(&dir, &remote);
                let what = format!("{to} {more:?} {place}");
                assert_eq!(remote.code, local.code, "{what}: {} {}", remote.stderr, local.stderr);
                assert_eq!(plain(remote.stderr.as_bytes()), local.stderr, "{what}");
                outcomes.push(local.code);
                if local.code > 1 {
                    continue;
                }
                let (now, was) = (plain(&remote.stdout), plain(&local.stdout));
                assert!(now == was, "{what}: {}", common::line_diff(&was, &now));
                let (now, was) = (told("remote.json"), told("local.json"));
                assert!(now == was, "{what}: {}", common::line_diff(&was, &now));
                if place == "out" && local.code == 0 {
                    let now = plain(&fs::read(dir.join("out")).expect("an output"));
                    let was = plain(&written);
                    assert!(now == was, "{what}: {}", common::line_diff(&was, &now));
                }
            }
        }
    }
    assert!(outcomes.iter().filter(|code| **code < 2).count() > 60, "{outcomes:?}");
}

#[test]
fn a_part_that_fails_ends_the_conversion() {
    let server = Server::start(|asked, _| match number(asked) {
        None => Reply::ok(index(asked.header("host"), 6)),
        Some(4) => Reply::status(404),
        Some(5) if asked.header("host").starts_with("127.0.0.9") => Reply::ok("<html><body>no</body></html>"),
        Some(number) => Reply::ok(part(number, 10)),
    });
    let dir = scratch("fetch-stream-fails");
    let (url, missing) = (server.url("/index.xml"), server.url("/4.xml"));
    for to in ["jsonl", "text", "sitemap", "rss"] {
        fs::write(dir.join("out"), "before").expect("written");
        let ended = run(&dir, &["convert", &url, "--follow-remote", "--to", to, "-o", "out", "--report", "r.json"]);
        let says = format!("error: cannot fetch {missing}: not found (404); check the URL\n");
        assert_eq!((ended.code, ended.stderr.as_str()), (2, says.as_str()), "{to}");
        assert_eq!(fs::read_to_string(dir.join("out")).expect("an output"), "before", "{to}");
        let mut left: Vec<PathBuf> = Vec::new();
        common::files(dir.clone(), &mut left);
        assert_eq!(left, [dir.join("out")], "{to}: nothing else stays");
    }
    // a stream has what came before
    let ended = run(&dir, &["convert", &url, "--follow-remote", "--to", "jsonl"]);
    assert!(ended.code == 2 && ended.text().contains("pond.example/3/9"), "{}", ended.stderr);
}
