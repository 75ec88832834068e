//! What stands under the name of an output: a pipe is written to, a link is followed, and neither is replaced.
#![cfg(unix)]

use crate::common;

use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use common::{scratch, shell, transfeed};

fn page(dir: &Path) {
    std::fs::write(dir.join("pages.txt"), "https://pond.example/1\n").expect("a page list");
}

#[test]
fn a_pipe_with_a_name_is_written_to() {
    let dir = scratch("outputs-pipe");
    page(&dir);
    let made = std::process::Command::new("mkfifo").arg(dir.join("pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    for options in [&[][..], &["--strict"]] {
        let pipe = dir.join("pipe");
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            std::fs::File::open(pipe).expect("the pipe").read_to_string(&mut text).expect("its text");
            text
        });
        let args = [&["convert", "pages.txt", "--to", "text", "-o", "pipe"], options].concat();
        transfeed(&dir, &args, None).ok("a pipe");
        assert!(dir.join("pipe").metadata().expect("still there").file_type().is_fifo(), "the pipe was replaced");
        assert_eq!(reader.join().expect("a reader"), "https://pond.example/1\n");
    }
}

#[test]
fn a_link_stays_a_link() {
    let dir = scratch("outputs-link");
    page(&dir);
    std::fs::create_dir_all(dir.join("real")).expect("a folder");
    std::fs::write(dir.join("real/out.txt"), "before").expect("a file");
    let link = dir.join("out.txt");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink("real/out.txt", &link).expect("a link");
    transfeed(&dir, &["convert", "pages.txt", "--to", "text", "-o", "out.txt"], None).ok("a link");
    assert!(link.symlink_metadata().expect("the link").file_type().is_symlink(), "the link was replaced");
    assert_eq!(std::fs::read_to_string(dir.join("real/out.txt")).expect("a file"), "https://pond.example/1\n");
}

/// One rule for links: they are followed, also where nothing is at their end yet.
#[test]
fn a_dangling_link_is_followed() {
    let dir = scratch("outputs-dangling");
    page(&dir);
    std::fs::create_dir_all(dir.join("real")).expect("a folder");
    for (link, target) in [("out.txt", "over.txt"), ("over.txt", "real/out.txt"), ("round", "round")] {
        let _ = std::fs::remove_file(dir.join(link));
        std::os::unix::fs::symlink(target, dir.join(link)).expect("a link");
    }
    let _ = std::fs::remove_file(dir.join("real/out.txt"));
    transfeed(&dir, &["convert", "pages.txt", "--to", "text", "-o", "out.txt"], None).ok("a link");
    for link in ["out.txt", "over.txt"] {
        assert!(dir.join(link).symlink_metadata().expect("the link").file_type().is_symlink(), "{link} was replaced");
    }
    assert_eq!(std::fs::read_to_string(dir.join("real/out.txt")).expect("a file"), "https://pond.example/1\n");
    let run = transfeed(&dir, &["convert", "pages.txt", "--to", "text", "-o", "round"], None);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("round: "), "{}", run.stderr);
}

/// What a run leaves that was killed is taken away by the next one there; what a run has open or just made stays.
#[test]
fn temporaries_of_killed_runs_go() {
    let dir = scratch("outputs-killed");
    page(&dir);
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3_600);
    let made = |name: &str, time: std::time::SystemTime| {
        let file = std::fs::File::create(dir.join(name)).expect("a file");
        file.set_modified(time).expect("a time");
        file
    };
    drop(made(".transfeed-c-1-abc-XXXXXX", old));
    drop(made(".transfeed-c-1-abc-YYYYYY", old));
    drop(made(".transfeed-c-2-abc-XXXXXX", std::time::SystemTime::now()));
    // the newest of a run is locked while it lives, and tells of the others
    drop(made(".transfeed-c-3-abc-XXXXXX", old));
    let locked = made(".transfeed-c-3-abc-YYYYYY", old);
    rustix::fs::flock(&locked, rustix::fs::FlockOperation::NonBlockingLockExclusive).expect("a lock");
    drop(made(".transfeed-m-theirs", old));
    transfeed(&dir, &["convert", "pages.txt", "--to", "text", "-o", "out.txt"], None).ok("an output");
    let stays = [
        ".transfeed-c-2-abc-XXXXXX",
        ".transfeed-c-3-abc-XXXXXX",
        ".transfeed-c-3-abc-YYYYYY",
        ".transfeed-m-theirs",
        "out.txt",
        "pages.txt",
    ];
    assert_eq!(names(&dir), stays);
}

/// A list of addresses.
fn pages(dir: &Path, count: usize) {
    let text: String = (0..count).map(|n| format!("https://pond.example/{n}\n")).collect();
    std::fs::write(dir.join("pages.txt"), text).expect("a page list");
}

/// The names in a folder, in order, and the length of each file.
fn listing(dir: &Path) -> Vec<(String, u64)> {
    let mut names: Vec<(String, u64)> = std::fs::read_dir(dir)
        .expect("a folder")
        .flatten()
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.metadata().expect("an entry").len()))
        .collect();
    names.sort();
    names
}

fn names(dir: &Path) -> Vec<String> {
    listing(dir).into_iter().map(|(name, _)| name).collect()
}

const HERE: [&str; 2] = ["--index-base", "https://pond.example/"];

#[test]
fn more_addresses_than_a_sitemap_may_have() {
    let dir = scratch("outputs-addresses");
    pages(&dir, 50_001);
    let base = ["convert", "pages.txt", "--to", "sitemap", "-o", "pages.xml"];
    // without an address its parts would stand nowhere: it is refused, and what was there stays
    std::fs::write(dir.join("pages.xml"), "before").expect("an output of before");
    let outputs = [(&["-o", "pages.xml"][..], ""), (&["-q"], ""), (&[], "--gzip"), (&["-o", "/dev/null"], "-q")];
    for (output, more) in outputs.into_iter().take(crate::common::count(2, 4)) {
        let args = [&base[..4], output, if more.is_empty() { &[] } else { std::slice::from_ref(&more) }].concat();
        let run = transfeed(&dir, &args, None);
        assert_eq!((run.code, run.stdout.len()), (2, 0), "{output:?}: {}", run.stderr);
        for said in ["50,001 URLs", "--index-base URL", "--split N", "--no-limits"] {
            assert!(run.stderr.contains(said), "{output:?}: {}", run.stderr);
        }
    }
    assert_eq!(std::fs::read_to_string(dir.join("pages.xml")).expect("it stays"), "before");
    assert_eq!(names(&dir), ["pages.txt", "pages.xml"]);
    let run = transfeed(&dir, &[&base[..], &["--no-limits"]].concat(), None).ok("whole");
    assert!(
        run.stderr.contains(" x a sitemap beyond the limits (limit_passed)") && run.stderr.contains("written whole"),
        "{}",
        run.stderr
    );
    assert!(std::fs::read_to_string(dir.join("pages.xml")).expect("a sitemap").ends_with("</urlset>\n"));
    // not an error, also where repairs are
    let run = transfeed(&dir, &[&base[..], &HERE, &["--strict"]].concat(), None).ok("split");
    assert!(run.stderr.contains("limit_split") && run.stderr.contains("split into 2 parts"), "{}", run.stderr);
    assert_eq!(names(&dir), ["pages-0001.xml", "pages-0002.xml", "pages.txt", "pages.xml"]);
    let count = |name: &str| std::fs::read_to_string(dir.join(name)).expect("a part").matches("<url>").count();
    assert_eq!((count("pages-0001.xml"), count("pages-0002.xml")), (50_000, 1));
    // what is asked for comes before the protocol where that is asked for too
    let larger = [&base[..], &HERE, &["--split", "60000"]].concat();
    let run = transfeed(&dir, &larger, None);
    assert!(run.code == 2 && run.stderr.contains("pass a smaller --split N, or --no-limits"), "{}", run.stderr);
    let run = transfeed(&dir, &[&larger[..], &["--no-limits"]].concat(), None).ok("whole");
    assert!(run.stderr.contains("limit_passed") && run.stderr.contains("pages-0001.xml and 1 more"), "{}", run.stderr);
    assert_eq!(count("pages.xml"), 50_001);
    // a list may be any list
    let run = transfeed(&dir, &["convert", "pages.txt", "--to", "text", "-o", "list.txt"], None).ok("whole");
    assert!(run.stderr.contains("limit_split") && run.stderr.contains("written whole"), "{}", run.stderr);
    let run = transfeed(&dir, &["convert", "pages.txt", "--to", "text", "-o", "list.txt", "-q"], None).ok("quiet");
    assert!(run.stderr.contains(": 50,001 URLs in ") && run.stderr.ends_with("makes parts\n"), "{}", run.stderr);
}

/// In a tree the file that is over the limit fails, and its old output stays.
#[test]
fn a_tree_with_a_sitemap_beyond_the_limit() {
    let dir = scratch("outputs-tree");
    std::fs::create_dir_all(dir.join("in")).expect("a folder");
    std::fs::create_dir_all(dir.join("out")).expect("a folder");
    pages(&dir.join("in"), 50_001);
    std::fs::write(dir.join("in/few.txt"), "https://pond.example/1\n").expect("a page list");
    std::fs::write(dir.join("out/pages.xml"), "before").expect("an output of before");
    let args = ["migrate", "in", "--to", "sitemap", "--out", "out", "-q"];
    let run = transfeed(&dir, &args, None);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("pages.txt: 50,001 URLs") && run.stderr.contains("--no-limits"), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(dir.join("out/pages.xml")).expect("it stays"), "before");
    assert!(dir.join("out/few.xml").is_file());
    let run = transfeed(&dir, &[&args[..6], &["--no-limits"]].concat(), None).ok("whole");
    assert!(run.stderr.contains(" x 1 repair in 1 file: a sitemap beyond the limits (limit_passed)"), "{}", run.stderr);
    // an output in parts, and a list that is whole
    for (more, parts) in [(&["sitemap", "--index-base", "https://pond.example/"][..], 2), (&["text"], 0)] {
        let out = format!("to-{}", more[0]);
        let run = transfeed(&dir, &[&["migrate", "in", "--out", &out, "--to"], more].concat(), None).ok("an output");
        assert!(run.stderr.contains("(limit_split), e.g."), "{}", run.stderr);
        let found = names(&dir.join(&out)).into_iter().filter(|name| name.starts_with("pages-")).count();
        assert_eq!(found, parts, "{}", run.stderr);
    }
}

/// A diagnostic is not drowned by many others.
#[test]
fn what_matters_comes_before_many_repairs() {
    let dir = scratch("outputs-drowned");
    let item = |n: u32| format!("<url><loc>https://pond.example/{n}</loc><priority>0,5</priority></url>\n");
    let text = format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}</urlset>",
        (0..50_001).map(item).collect::<String>()
    );
    std::fs::write(dir.join("pages.xml"), text).expect("pages");
    let args = ["convert", "pages.xml", "--to", "sitemap", "-o", "out.xml", "--no-limits", "--report", "r.json"];
    for (more, least) in [(&[][..], 3), (&["-v"], 10_000)].into_iter().take(crate::common::count(1, 2)) {
        let run = transfeed(&dir, &[&args[..], more].concat(), None).ok("whole");
        let wanted = |line: &&str| !line.is_empty() && !line.starts_with("changed");
        let lines: Vec<&str> = run.stderr.lines().skip(1).filter(wanted).collect();
        assert!(lines.len() >= least, "{}", lines.len());
        assert!(lines[0].contains("limit_passed"), "{}", lines[0]);
        let sums = ["50,001 numbers repaired", "number.lenient  ×50001"];
        let rows = lines.iter().filter(|line| sums.iter().any(|sum| line.contains(*sum))).count();
        assert_eq!(rows, 1, "{more:?}: {}", run.stderr.len());
    }
    let report = std::fs::read_to_string(dir.join("r.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["diagnostics"][0]["code"], "limit_passed");
}

/// What seems too much at first is not if pages return.
#[test]
fn pages_that_return_count_once() {
    let dir = scratch("outputs-returns");
    let text: String = (0..60_000).map(|n| format!("https://pond.example/{}\n", n % 45_000)).collect();
    std::fs::write(dir.join("pages.txt"), text).expect("a page list");
    transfeed(&dir, &["convert", "pages.txt", "--to", "sitemap", "-o", "pages.xml", "-q"], None).ok("one sitemap");
    assert_eq!(names(&dir), ["pages.txt", "pages.xml"]);
}

#[test]
fn more_articles_and_bytes_than_a_sitemap_may_have() {
    let dir = scratch("outputs-news");
    let article = |n: u32| {
        format!(
            "<url><loc>https://pond.example/{n}</loc><news:news><news:publication><news:name>Pond</news:name>\
             <news:language>en</news:language></news:publication><news:publication_date>2026-03-01\
             </news:publication_date><news:title>N{n}</news:title></news:news></url>\n"
        )
    };
    let text = format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">{}</urlset>",
        (0..1_001).map(article).collect::<String>()
    );
    std::fs::write(dir.join("news.xml"), text).expect("articles");
    let args = ["convert", "news.xml", "--to", "sitemap", "-o", "out.xml"];
    let run = transfeed(&dir, &[&args[..], &HERE].concat(), None).ok("split");
    assert!(run.stderr.contains("1,001 articles"), "{}", run.stderr);
    assert_eq!(names(&dir), ["news.xml", "out-0001.xml", "out-0002.xml", "out.xml"]);
    // without them it is one
    transfeed(&dir, &["convert", "news.xml", "--to", "sitemap", "--ext", "none", "-o", "bare.xml", "-q"], None)
        .ok("one");

    // 50 MiB take time without optimisation
    if crate::common::count(0, 1) == 0 {
        return;
    }
    let dir = scratch("outputs-bytes");
    let long: String = (0..26).map(|n| format!("https://pond.example/{n}{}\n", "a".repeat(2 << 20))).collect();
    std::fs::write(dir.join("pages.txt"), long).expect("a page list");
    let args = ["convert", "pages.txt", "--to", "sitemap", "-o", "out.xml", "-q", "--max-line", "4MiB"];
    transfeed(&dir, &[&args[..], &HERE].concat(), None).ok("split");
    let sizes: Vec<u64> =
        listing(&dir).into_iter().filter(|(name, _)| name.contains('-')).map(|(_, size)| size).collect();
    assert_eq!(sizes.len(), 2);
    assert!(sizes[0] <= 52_428_800 && sizes[0] > 50_000_000, "{sizes:?}");
}

/// Runs in a shell that sets a limit first.
fn limited(dir: &Path, limit: &str, args: &[&str]) -> (Option<i32>, String) {
    let output = shell(dir, &format!("{limit}; exec \"$0\" \"$@\"")).args(args).output().expect("a shell");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The disk is full: what was there stays, and nothing else is.
#[test]
fn a_full_disk_leaves_what_was_there() {
    let dir = scratch("outputs-full");
    pages(&dir, 40);
    let base = ["convert", "pages.txt", "--to", "sitemap", "-o", "out.xml", "-q"];
    transfeed(&dir, &[&base[..], &HERE, &["--split", "3"]].concat(), None).ok("the set before");
    pages(&dir, 10_000);
    let before = listing(&dir);
    for (blocks, more) in [(60, &[][..]), (60, &["--split", "9000"]), (1, &["--gzip", "--split", "9500"])] {
        let limit = format!("ulimit -f {blocks}");
        let (code, says) = limited(&dir, &limit, &[&base[..], &HERE, more].concat());
        assert_eq!(code, Some(2), "{more:?}: {says}");
        assert!(says.starts_with("error: cannot use out.xml") && says.lines().count() == 1, "{says}");
        assert_eq!(listing(&dir), before, "{more:?}");
    }
    // small parts find room
    let args = [&base[..], &HERE, &["--split", "300"]].concat();
    assert_eq!(limited(&dir, "ulimit -f 60", &args).0, Some(0));
}

/// What waits for the end before it goes to standard output waits where temporary files shall be.
#[test]
fn what_waits_for_the_end_waits_in_the_folder_for_it() {
    let dir = scratch("outputs-waits");
    pages(&dir, 30_000);
    let args = ["convert", "pages.txt", "--to", "sitemap", "-q", "--temp-dir"];
    let whole = transfeed(&dir, &[&args[..], &["."]].concat(), None).ok("in a folder");
    assert!(whole.stdout.len() > 1 << 20 && whole.text().ends_with("</urlset>\n"));
    assert_eq!(names(&dir), ["pages.txt"]);
    let run = transfeed(&dir, &[&args[..], &["nowhere"]].concat(), None);
    assert!(run.code == 2 && run.stdout.is_empty(), "{}", run.stderr);
    let (code, full) = limited(&dir, "ulimit -f 60", &[&args[..], &["."]].concat());
    assert_eq!(code, Some(2), "{full}");
    assert!(run.stderr.contains("--temp-dir <DIR>': this folder does not exist"), "{}", run.stderr);
    assert!(full.contains("temporary file") && !full.contains("standard output"), "{full}");
}

/// What cannot be written is named: the folder of temporary files where standard input waits, and a report.
#[test]
fn what_is_full_is_named() {
    let dir = scratch("outputs-full-names");
    pages(&dir, 30_000);
    for command in [&["inspect", "-"][..], &["validate", "-"], &["convert", "-", "--to", "text"]] {
        let args = [command, &["--temp-dir", "."]].concat();
        let (code, says) = limited(&dir, "ulimit -f 60; exec < pages.txt", &args);
        assert_eq!(code, Some(2), "{args:?}: {says}");
        let begin = "error: cannot use a temporary file: file too large in the folder .; free space, or pass another";
        assert!(says.starts_with(begin), "{args:?}: {says}");
    }
    let titles = |n: usize| format!("{{\"loc\":\"https://pond.example/{n}\",\"title\":\"{}\"}}\n", "x".repeat(200));
    let entries: String = (0..400).map(titles).collect();
    std::fs::write(dir.join("a.jsonl"), format!("{{\"transfeed\":\"0.1\",\"feed\":{{}}}}\n{entries}"))
        .expect("entries");
    let args = ["convert", "a.jsonl", "--to", "text", "-o", "a.txt", "--report", "lines.jsonl", "-q"];
    let (code, says) = limited(&dir, "ulimit -f 60", &args);
    assert_eq!(code, Some(2), "{says}");
    assert_eq!(says, "error: cannot use lines.jsonl: file too large; try another path\n");
}

#[test]
fn names_that_cannot_be_written() {
    let dir = scratch("outputs-names");
    pages(&dir, 9);
    std::fs::create_dir(dir.join("folder")).expect("a folder");
    std::fs::create_dir(dir.join("out-0002.xml")).expect("a folder");
    std::fs::write(dir.join("out.xml"), "before").expect("a file");
    for (output, says) in [
        ("folder", "folder: it is a folder"),
        ("nowhere/out.xml", "nowhere/out.xml: its folder does not exist"),
        ("pages.txt/out.xml", "pages.txt/out.xml: "),
        ("out.xml", "out-0002.xml: is a folder with the name of a part of the output"),
    ] {
        let before = listing(&dir);
        let args = ["convert", "pages.txt", "--to", "sitemap", "-q", "--split", "4", "-o", output];
        let run = transfeed(&dir, &[&args[..], &HERE].concat(), None);
        assert_eq!(run.code, 2, "{output}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{output}: {}", run.stderr);
        assert_eq!(listing(&dir), before, "{output}");
    }
    let locked = dir.join("folder");
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o555)).expect("a mode");
    // nothing is locked to the superuser
    if std::fs::write(locked.join("probe"), "").is_err() {
        let run = transfeed(&dir, &["convert", "pages.txt", "--to", "sitemap", "-o", "folder/out.xml"], None);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains("folder/out.xml: its folder is not writable"), "{}", run.stderr);
    }
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o755)).expect("a mode");
}

/// Standard input has no name, but its file is an input all the same.
#[test]
fn the_file_of_standard_input_is_not_replaced() {
    let dir = scratch("outputs-own");
    page(&dir);
    std::fs::hard_link(dir.join("pages.txt"), dir.join("same.txt")).expect("a second name");
    for output in ["pages.txt", "same.txt"] {
        let run =
            shell(&dir, &format!("\"$0\" convert --to sitemap -o {output} < pages.txt")).output().expect("a shell");
        let says = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.code() == Some(2) && says.contains("it is an input"), "{says}");
    }
    assert_eq!(std::fs::read_to_string(dir.join("pages.txt")).expect("the pages"), "https://pond.example/1\n");
}

/// A run that fails at its last entry has written all parts, and none of them appears.
#[test]
fn a_late_failure_leaves_the_former_set() {
    let dir = scratch("outputs-late");
    pages(&dir, 9);
    let args = ["convert", "pages.txt", "--to", "sitemap", "-q", "-o", "out.xml", "--split", "2"];
    transfeed(&dir, &[&args[..], &HERE].concat(), None).ok("the set before");
    let text = std::fs::read_to_string(dir.join("pages.txt")).expect("the pages");
    std::fs::write(dir.join("pages.txt"), text + "no address\n").expect("the pages");
    let before = listing(&dir);
    let run = transfeed(&dir, &[&args[..], &HERE, &["--strict"]].concat(), None);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert_eq!(listing(&dir), before);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let dir = scratch("outputs-closed");
    pages(&dir, 50_000);
    for more in ["", "--gzip", "--strict"] {
        let command =
            format!("{{ \"$0\" convert pages.txt --to text -q {more}; echo \"code $?\" >&2; }} | head -c 10 >first");
        let output = shell(&dir, &command).output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "code 0\n", "{more}");
    }
}

/// The bar, where it is asked for: on standard error, gone at the end, and nothing of it where nobody looks.
#[test]
fn a_bar_is_drawn_and_taken_away() {
    let dir = scratch("outputs-bar");
    pages(&dir, 20_000);
    let base = ["convert", "pages.txt", "--to", "text", "-q"];
    let run = transfeed(&dir, &[&base[..], &["--progress", "always"]].concat(), None).ok("a bar");
    assert!(run.stderr.contains(" kB of ") && run.stderr.contains("B/s, "), "{:?}", run.stderr);
    assert!(run.stderr.ends_with("\r\u{1b}[2K"), "{:?}", run.stderr);
    for when in ["auto", "never"] {
        let run = transfeed(&dir, &[&base[..], &["--progress", when]].concat(), None).ok("no bar");
        assert_eq!(run.stderr, "");
    }
}

/// The same bytes on any number of threads, and one gzip member: readers that know no second one take it too.
#[test]
fn compressed_output_is_one_member_and_always_the_same() {
    let dir = scratch("outputs-gzip");
    pages(&dir, 60_000);
    let mut outputs = Vec::new();
    for threads in ["1", "2", "16"] {
        let args = ["convert", "pages.txt", "--to", "text", "-q", "--gzip", "-j", threads, "-o", "out.txt.gz"];
        transfeed(&dir, &args, None).ok("gzip");
        outputs.push(std::fs::read(dir.join("out.txt.gz")).expect("an output"));
    }
    let mut text = String::new();
    flate2::read::GzDecoder::new(&outputs[0][..]).read_to_string(&mut text).expect("gzip");
    assert!(text == std::fs::read_to_string(dir.join("pages.txt")).expect("the pages"));
    assert_eq!(&outputs[0][..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff], "no time, no name");
    assert!(outputs.iter().all(|output| *output == outputs[0]));
}
