//! Input that asks for more than it is worth, each run in a fixed room of memory and with a hang guard. What is held is
//! how a run ends and what it still reads; that time does not grow faster than the input is the business of the target
//! `growth` in tests/fuzz and of its replay.
//!
//! `TRANSFEED_FULL` repeats markup 100,000 times and more; `TRANSFEED_HOSTILE=full` runs everything in full size: an entry of
//! 1 GB, a gzip bomb of 10 GB.

#![cfg(target_os = "linux")]

use crate::common;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use common::{scratch, shell};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A run that takes longer hangs. Not a measure of speed.
const HANG: Duration = Duration::from_secs(120);

/// Address space of a run in KiB, where nothing else is said. Threads reserve some without using it.
const ROOM: u64 = 500 << 10;

/// A size: a small one by default, the usual one where properties are tried on many documents, else a huge one.
fn size(few: usize, many: usize, huge: usize) -> usize {
    if full() { huge } else { common::count(few, many) }
}

/// Times that a piece of markup is repeated where it takes a test long.
fn many() -> usize {
    size(20_000, 100_000, 1_000_000)
}

/// Whether sizes are the small ones.
fn is_small() -> bool {
    size(1, 0, 0) == 1
}

fn full() -> bool {
    std::env::var("TRANSFEED_HOSTILE").is_ok_and(|value| value == "full")
}

/// What a run left.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// A run of the binary in so many KiB of address space, its standard input fed by `feed`.
#[track_caller]
fn run(dir: &Path, args: &[&str], room: u64, feed: impl FnOnce(&mut dyn Write) + Send + 'static) -> Run {
    let (out, err) = (dir.join("stdout"), dir.join("stderr"));
    let file = |path: &PathBuf| std::fs::File::create(path).expect("a file can be made");
    let mut child = shell(dir, &format!("ulimit -v {room} && exec \"$0\" \"$@\""))
        .args(args)
        .env("TMPDIR", dir)
        .stdin(Stdio::piped())
        .stdout(file(&out))
        .stderr(file(&err))
        .spawn()
        .expect("a shell");
    let mut pipe = child.stdin.take().expect("a pipe");
    // who stops reading has said why
    let feeder = std::thread::spawn(move || feed(&mut pipe));
    let code = ended(&mut child);
    drop(feeder.join());
    let text = |path: &PathBuf| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    Run { code, stdout: text(&out), stderr: text(&err) }
}

/// Waits for the end of a run, but not for ever.
#[track_caller]
fn ended(child: &mut Child) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the child can be waited for") {
            return status.code();
        }
        if start.elapsed() > HANG {
            drop(child.kill());
            panic!("the run hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Converts a document to JSON lines in the usual room.
#[track_caller]
fn convert(name: &str, document: String, more: &[&str]) -> Run {
    let dir = scratch(&format!("hostile-{name}"));
    let args = [&["convert", "-", "--to", "jsonl", "-j", "2"], more].concat();
    run(&dir, &args, ROOM, move |pipe| drop(pipe.write_all(document.as_bytes())))
}

/// A feed of three items, the middle one with this inside.
fn around(middle: &str) -> String {
    let item = |n: u32, inside: &str| {
        format!("<item><title>Item {n}</title><link>https://example.com/{n}</link>{inside}</item>\n")
    };
    format!(
        "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>T</title>\n{}{}{}</channel></rss>\n",
        item(1, ""),
        item(2, middle),
        item(3, "")
    )
}

/// The middle item is lost for this reason, its neighbours are not.
#[track_caller]
fn loses_the_middle(name: &str, middle: &str, code: &str) {
    loses_the_middle_within(name, middle, code, &[]);
}

/// The same, within other limits.
#[track_caller]
fn loses_the_middle_within(name: &str, middle: &str, code: &str, limits: &[&str]) {
    let run = convert(name, around(middle), limits);
    assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
    assert!(run.stderr.contains(code), "{name}: {}", run.stderr);
    let has = |n: u32| run.stdout.contains(&format!("Item {n}\""));
    assert_eq!((has(1), has(2), has(3)), (true, false, true), "{name}: {}", run.stderr);
}

/// All three items are read.
#[track_caller]
fn reads_all(name: &str, middle: &str) -> Run {
    let run = convert(name, around(middle), &[]);
    assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
    let has = |n: u32| run.stdout.contains(&format!("Item {n}"));
    assert!(has(1) && has(2) && has(3), "{name}: {}", run.stderr);
    run
}

fn attributes(count: usize) -> String {
    (0..count).map(|n| format!(" a{n}=\"\"")).collect()
}

#[test]
fn a_hundred_thousand_attributes() {
    loses_the_middle("attributes", &format!("<x{}/>", attributes(100_000)), "limit.attributes");
    // the same in a tag that has to be repaired
    loses_the_middle("attributes-bare", &format!("<x b=c{}/>", attributes(100_000)), "limit.attributes");
    let below = format!("<x{}/>", attributes(9_999)).repeat(10);
    reads_all("attributes-below", &below);
    // of attributes with one name the first counts
    let same = " a=\"\"".repeat(100_000);
    reads_all("attributes-same", &format!("<x{same}/>"));
}

#[test]
fn namespaces_without_end() {
    let declarations: String = (0..many()).map(|n| format!(" xmlns:n{n}=\"u{n}\"")).collect();
    loses_the_middle("namespaces", &format!("<x{declarations}/>"), "limit.namespaces");
    let run = convert("namespaces-head", format!("<rss version=\"2.0\"{declarations}><channel/></rss>"), &[]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("--max-namespaces"), "{}", run.stderr);
    // as many as may be, and a name for each
    let some: String = (0..900).map(|n| format!(" xmlns:n{n}=\"u{n}\"")).collect();
    let uses: String = (0..many() / 4).map(|n| format!("<n{}:x/>", n % 900)).collect();
    reads_all("namespaces-below", &format!("<x{some}>{uses}</x>"));
}

#[test]
fn open_tags_without_end() {
    loses_the_middle("depth", &("<a>".repeat(many()) + &"</a>".repeat(many())), "limit.depth");
    let mixed = "<a><b>".repeat(many());
    loses_the_middle("depth-open", &mixed, "limit.depth");
    let nested = "<media:group>".repeat(many()) + &"</media:group>".repeat(many());
    loses_the_middle("depth-media", &nested, "limit.depth");
    // of one name they are taken for a list, each without its end tag, and then there are too many
    // (the limit allows an element for every 128 bytes)
    let (limit, times) = if is_small() { ("4MiB", 50_000) } else { ("64MiB", 1_000_000) };
    for (name, tag) in [("depth-list", "<a>"), ("depth-flat", "<a/>")] {
        loses_the_middle_within(name, &tag.repeat(times), "limit.entry", &["--max-entry", limit]);
    }
    let deep = "<a>".repeat(many());
    let run = convert("depth-head", format!("<rss version=\"2.0\"><channel>{deep}</channel></rss>"), &[]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("--max-depth"), "{}", run.stderr);
}

#[test]
fn angle_brackets_without_end() {
    for (name, piece) in [
        ("less", "<"),
        ("less-space", "< "),
        ("end", "</"),
        ("cdata", "<![CDATA["),
        ("comment", "<!--"),
        ("instruction", "<?"),
        ("declaration", "<!"),
        ("quote", "<a b=\""),
        ("ends", "</b>"),
        ("ampersand", "&"),
        ("reference", "&#"),
        ("control", "\u{1}"),
    ] {
        let run = convert(name, around(&piece.repeat(many())), &[]);
        assert!(matches!(run.code, Some(0 | 2)), "{name}: {:?} {}", run.code, run.stderr);
        assert!(run.stdout.contains("Item 1"), "{name}: {}", run.stderr);
        assert!(run.stderr.lines().count() <= 25, "{name}: {}", run.stderr);
    }
}

/// Texts in which a value is sought again and again.
#[test]
fn long_values_of_odd_kinds() {
    let zeros = "0".repeat(many());
    for (name, inside) in [
        ("date", format!("<pubDate>{zeros}</pubDate>")),
        ("parentheses", format!("<pubDate>Tue, 05 Mar 2024 10:00:00 GMT {}</pubDate>", "(".repeat(many()))),
        ("duration", format!("<media:content url=\"a\" duration=\"{zeros}:{zeros}\"/>")),
        ("number", format!("<media:content url=\"a\" fileSize=\"{}\"/>", "1,".repeat(many()))),
        ("address", format!("<guid>https://example.com/{}</guid>", "../".repeat(many()))),
        (
            "countries",
            format!("<media:restriction relationship=\"allow\">{}</media:restriction>", "de ".repeat(many())),
        ),
        ("keywords", format!("<media:keywords>{}</media:keywords>", "a, ".repeat(many()))),
        ("html", format!("<description>{}</description>", "&lt;div&gt;".repeat(many()))),
        ("thumbnails", "<media:thumbnail url=\"a\"/>".repeat(many())),
        ("contents", "<media:content url=\"a\"/>".repeat(many() / 4)),
        ("categories", "<category>a</category>".repeat(many())),
        ("titles", "<title>again</title>".repeat(many())),
        ("unescaped", format!("<description>{}</description>", "<p>a</p> <br/>".repeat(many()))),
        (
            "descriptions",
            "<media:content url=\"a\"><media:description><p>a</p></media:description></media:content>"
                .repeat(many() / 20),
        ),
    ] {
        reads_all(name, &inside);
    }
}

/// Ten million characters out of a hundred, if somebody expanded them.
#[test]
fn entity_bombs() {
    let mut subset = String::from("<!ENTITY e0 \"ha\">");
    for n in 1..40 {
        subset.push_str(&format!("<!ENTITY e{n} \"{}\">", format!("&e{};", n - 1).repeat(10)));
    }
    let quadratic = format!("<!ENTITY long \"{}\">", "x".repeat(50_000));
    for (name, subset, reference) in
        [("laughs", subset, "&e39;".to_owned()), ("long", quadratic, "&long;".repeat(10_000))]
    {
        let document = format!("<!DOCTYPE rss [{subset}]>\n{}", around(&format!("<author>{reference}</author>")));
        let run = convert(name, document, &[]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains("Item 3") && run.stdout.len() < 200_000, "{}", run.stderr);
        assert!(run.stderr.contains("xml.entity"), "{}", run.stderr);
    }
}

/// One entry far beyond its limit goes by while streaming; what stands around it is read.
#[test]
fn a_huge_entry() {
    let size = size(12, 40, 1_000);
    // the default limit is that of the full size
    let limit = if full() { "64MiB" } else { "4MiB" };
    for (name, piece) in [("huge-text", "some text and more of it, "), ("huge-markup", "<a b=\"c\">d</a>")] {
        let dir = scratch(&format!("hostile-{name}"));
        let megabyte = piece.repeat((1 << 20) / piece.len() + 1);
        let document = around("MARK");
        let run = run(&dir, &["convert", "-", "--to", "jsonl", "-j", "2", "--max-entry", limit], ROOM, move |pipe| {
            let (before, after) = document.split_once("MARK").expect("the mark");
            drop(pipe.write_all(before.as_bytes()));
            (0..size).for_each(|_| drop(pipe.write_all(megabyte.as_bytes())));
            drop(pipe.write_all(after.as_bytes()));
        });
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        assert!(run.stderr.contains("limit.entry") && run.stderr.contains("--max-entry"), "{name}: {}", run.stderr);
        assert!(run.stdout.contains("Item 1") && run.stdout.contains("Item 3"), "{name}: {}", run.stderr);
    }
}

/// A bomb is refused when it has shown what it is: nobody waits for its end.
#[test]
fn gzip_bombs() {
    // the ratio is looked at from 100 MiB on, which takes time without optimisation; there is nothing between
    let size = if full() { 10_000 } else { common::count(0, 130).max(11) };
    let limit = if is_small() { "--max-inflated" } else { "--max-ratio" };
    let limits = if is_small() { &["--max-inflated", "10MiB", "--max-head", "8MiB"][..] } else { &[] };
    let item = "<item><title>Item</title><link>https://example.com/</link></item>\n";
    let items = item.repeat((1 << 20) / item.len() + 1);
    for (name, start, megabyte, says) in [
        ("bomb-title", "<rss version=\"2.0\"><channel><title>", "a".repeat(1 << 20), "--max-head"),
        ("bomb-entry", "<rss version=\"2.0\"><channel><item><title>", "a".repeat(1 << 20), limit),
        ("bomb-items", "<rss version=\"2.0\"><channel>", items, limit),
        ("bomb-lines", "https://example.com/\n", "https://example.com/a\n".repeat(50_000), limit),
        ("bomb-json", "{\"transfeed\":\"0.1\",\"entries\":[{\"title\":\"", "a".repeat(1 << 20), limit),
    ] {
        let dir = scratch(&format!("hostile-{name}"));
        let args = [&["convert", "-", "--to", "jsonl", "-j", "2"], limits].concat();
        let run = run(&dir, &args, ROOM, move |pipe| {
            let mut packed = GzEncoder::new(pipe, Compression::best());
            drop(packed.write_all(start.as_bytes()));
            // who stops reading needs no more of it
            let _ = (0..size).try_for_each(|_| packed.write_all(megabyte.as_bytes()));
        });
        assert_eq!(run.code, Some(2), "{name}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{name}: {}", run.stderr);
        assert!(run.stdout.is_empty(), "{name}");
    }
}

/// What the reader of markup would not take from a file, the reader of the model does not take either: no writer builds
/// it.
#[test]
fn a_model_deeper_than_markup_may_be() {
    let path = "a/".repeat(100_000) + "a";
    let row = |path: &str| format!("{{\"path\":\"item/{path}\",\"name\":\"a\",\"value\":\"deep\"}}");
    let entry = |n: u32, foreign: &str| {
        format!("{{\"loc\":\"https://example.com/{n}\",\"title\":\"Item {n}\",\"foreign\":[{foreign}],\"line\":1}}")
    };
    let document = |middle: &str| {
        let entries = [entry(1, ""), entry(2, middle), entry(3, "")].join(",");
        format!("{{\"transfeed\":\"0.1\",\"format\":\"rss\",\"feed\":{{\"title\":\"T\"}},\"entries\":[{entries}]}}")
    };
    // many rows, each a little deeper: together as deep, their paths far longer than the document
    let stairs: Vec<String> = (1..2_000).map(|n| row(&("a/".repeat(n) + "a"))).collect();
    for (name, middle) in [("deep", row(&path)), ("stairs", stairs.join(","))] {
        for target in ["rss", "json"] {
            let dir = scratch(&format!("hostile-{name}-{target}"));
            let document = document(&middle);
            let run = run(&dir, &["convert", "-", "--to", target, "-j", "2"], ROOM, move |pipe| {
                drop(pipe.write_all(document.as_bytes()));
            });
            assert_eq!(run.code, Some(0), "{name} to {target}: {}", run.stderr);
            assert!(run.stderr.contains("limit.depth"), "{name} to {target}: {}", run.stderr);
            assert!(run.stdout.contains("Item 1") && run.stdout.contains("Item 3"), "{name}: {}", run.stdout);
            if target == "rss" {
                let document = roxmltree::Document::parse(&run.stdout).expect("well-formed");
                let depth = |node: roxmltree::Node<'_, '_>| node.ancestors().count();
                assert!(document.descendants().map(depth).max() < Some(270), "{name}");
            }
        }
    }
    let nested = format!("{}1{}", "[".repeat(many()), "]".repeat(many()));
    let document = document("").replace("\"foreign\":[]", &format!("\"odd\":{nested}"));
    let run = convert("nested-json", document, &[]);
    assert!(matches!(run.code, Some(0 | 2)), "{:?} {}", run.code, run.stderr);
}

/// Repairs are counted, not heaped up.
#[test]
fn repairs_without_number() {
    let dir = scratch("hostile-repairs");
    let item = "<item><title>a & b</title><link>https://example.com/?a&b</link></item>\n";
    let document = format!("<rss version=\"2.0\"><channel>{}</channel></rss>", item.repeat(6_000));
    let args = ["convert", "-", "--to", "text", "-j", "2", "--report", "report.json"];
    let run = run(&dir, &args, ROOM, move |pipe| drop(pipe.write_all(document.as_bytes())));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let report = std::fs::read(dir.join("report.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_slice(&report).expect("JSON");
    assert_eq!(report["diagnostics"].as_array().map(Vec::len), Some(10_000));
    assert!(run.stderr.contains(" ! 12,000 repairs: "), "{}", run.stderr);
}

/// Many parts, compressed, out of a stream: what was written is not held.
#[test]
fn an_output_in_many_parts() {
    let size = size(12_000, 100_000, 4_000_000);
    for (name, to, more) in [
        ("parts-sitemap", "sitemap", &["--split", "500", "--index-base", "https://example.com/"][..]),
        ("parts-rss", "rss", &["--split-bytes", "32KiB"]),
        ("parts-one", "rss", &[]),
    ] {
        let dir = scratch(&format!("hostile-{name}"));
        let args = [&["convert", "-", "--to", to, "-j", "2", "-q", "--gzip", "-o", "out.xml.gz"], more].concat();
        let run = run(&dir, &args, 200 << 10, move |pipe| {
            let mut pipe = std::io::BufWriter::new(pipe);
            drop(pipe.write_all(b"<rss version=\"2.0\"><channel>"));
            for n in 0..size {
                let item = format!("<item><title>Item {n}</title><link>https://example.com/{n}</link></item>\n");
                drop(pipe.write_all(item.as_bytes()));
            }
            drop(pipe.write_all(b"</channel></rss>"));
        });
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        let names = std::fs::read_dir(&dir).expect("a folder").flatten().map(|entry| entry.file_name());
        let parts = names.filter(|name| name.to_string_lossy().starts_with("out")).count();
        assert!(if more.is_empty() { parts == 1 } else { parts > 20 }, "{name}: {parts} files");
    }
}
