//! What is measured: the goals, each a function that makes documents and names rows.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::catalogue::{Made, Recipe, Shape};
use crate::check::{EDIT, EDITED, Kind};
use crate::measure::{Run, make};
use crate::options::{Binary, Options};
use crate::peers;
use crate::session::{Document, Row, Session};
use crate::table::{self, Bound, Measured, Quantity};

/// The dialects of Media RSS, by what they are called in tables.
const DIALECTS: [(&str, Shape); 3] = [
    ("renditions in groups", Shape::Groups),
    ("one content an item", Shape::Single),
    ("another prefix, inner namespaces, CDATA", Shape::Prefix),
];

/// A group of rows, by the name that `--rows` has for it.
type Group = (&'static str, fn(&Session<'_>) -> Result<(), String>);

const GROUPS: [Group; 17] = [
    ("floors", floors),
    ("G1", dialects),
    ("G2", threads),
    ("G4", against_peers),
    ("G5", directions),
    ("G6", memory),
    ("allocations", allocations),
    ("G7", bulk),
    ("G8", changes),
    ("G9", gzip),
    ("split", split),
    ("G10", start),
    ("G11", report),
    ("G12", growth),
    ("dirty", dirty),
    ("commands", commands),
    ("lines", lines),
];

/// Measures what was asked for.
pub fn run(options: &Options) -> Result<(), String> {
    let known = |name: &String| GROUPS.iter().any(|(group, _)| group.eq_ignore_ascii_case(name));
    if let Some(unknown) = options.rows.iter().find(|name| !known(name)) {
        return Err(format!("there are no rows {unknown}; see --help"));
    }
    let session = Session::new(options)?;
    println!("{}", circumstances(options));
    for (name, group) in GROUPS {
        if options.wants(name) {
            group(&session)?;
        }
    }
    Ok(())
}

/// When, where and how it was measured.
fn circumstances(options: &Options) -> String {
    if options.quick {
        return "Only whether everything runs: these numbers mean nothing.".to_owned();
    }
    let date = Command::new("date").args(["-u", "+%F"]).output();
    let date = date.map_or_else(|_| String::new(), |date| String::from_utf8_lossy(&date.stdout).trim().to_owned());
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor = processor.lines().find_map(|line| line.strip_prefix("model name")?.split(':').nth(1));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "Measured {date} on {cores} cores ({}), kernel {}; documents of {} MB, medians of {} rounds.",
        processor.unwrap_or("unknown").trim(),
        kernel.trim(),
        table::short(options.size as f64 / 1e6),
        options.rounds
    )
}

fn bound(what: Quantity, goal: f64, must: f64) -> Bound {
    Bound { what, must, goal }
}

/// The main dialect at the size that was asked for.
fn main_document(session: &Session<'_>) -> Result<Document, String> {
    session.document("mrss", Recipe::new(Shape::Groups, session.options.size))
}

/// What no program can be below.
fn floors(session: &Session<'_>) -> Result<(), String> {
    let document = main_document(session)?;
    let mut rows = vec![session.q(&document)];
    rows.extend(["read", "memchr", "utf8"].map(|name| session.floor(name, &document)));
    if cfg!(feature = "table") {
        rows.push(Row { bounds: vec![bound(Quantity::Cpu, 0.4, 0.5)], ..session.floor("table", &document) });
    }
    session.table("What the machine gives", Some("q"), rows)?;
    Ok(())
}

/// Media RSS to a video sitemap on one thread with the whole report, in three dialects.
fn dialects(session: &Session<'_>) -> Result<(), String> {
    let report = session.file("report.json");
    let mut speeds = Vec::new();
    for (name, shape) in DIALECTS {
        let document = session.document("mrss", Recipe::new(shape, session.options.size))?;
        let mut rows =
            vec![session.q(&document), session.expert("mrss-to-video-sitemap", &document, Kind::VideoSitemap)];
        rows.extend(session.transfeed(
            "-j 1, full report",
            &document,
            &["--to", "video-sitemap", "-j", "1", "--report", &report],
            Kind::VideoSitemap,
            &[bound(Quantity::Cpu, 1.6, 2.4)],
        ));
        let measured = session.table(&format!("G1 mRSS → video sitemap: {name}"), Some("q"), rows)?;
        let own = measured.iter().filter(|row| !row.bounds.is_empty());
        speeds.push(own.map(|row| middle(row, |cost| cost.cpu) / row.bytes as f64).collect::<Vec<f64>>());
    }
    println!();
    for (at, binary) in session.options.transfeed.iter().enumerate() {
        let of = |dialect: &Vec<f64>| dialect.get(at).copied().unwrap_or(f64::NAN);
        let best = speeds.iter().map(of).fold(f64::INFINITY, f64::min);
        let worst = speeds.iter().map(of).fold(0.0, f64::max);
        let asked = table::judge(worst / best, 1.6, 1.6, false);
        println!("**{}**: CPU a byte, slowest dialect in fastest ≤ 1.6: {asked}\n", binary.name);
    }
    Ok(())
}

/// One thread against two, and both against a bare pass.
fn threads(session: &Session<'_>) -> Result<(), String> {
    let document = main_document(session)?;
    let report = session.file("report.json");
    let mut rows = vec![session.q(&document)];
    for (threads, bounds) in [("1", vec![]), ("2", vec![bound(Quantity::Wall, 1.0, 1.4)])] {
        rows.extend(session.transfeed(
            &format!("-j {threads}, full report"),
            &document,
            &["--to", "video-sitemap", "-j", threads, "--report", &report],
            Kind::VideoSitemap,
            &bounds,
        ));
    }
    let measured = session.table("G2, G3 mRSS → video sitemap on two threads", Some("q"), rows)?;
    println!();
    let count = session.options.transfeed.len();
    for (at, binary) in session.options.transfeed.iter().enumerate() {
        if let (Some(one), Some(two)) = (measured.get(1 + at), measured.get(1 + count + at)) {
            let gain = table::ratio(one, two, |cost| cost.wall);
            println!(
                "**{}**: wall of one thread in that of two ≥ 1.8; 1.6: {}\n",
                binary.name,
                table::judge(gain, 1.8, 1.6, true)
            );
        }
    }
    Ok(())
}

/// Other programs that convert Media RSS to a video sitemap.
fn against_peers(session: &Session<'_>) -> Result<(), String> {
    let document = main_document(session)?;
    let report = session.file("report.json");
    let mut rows = vec![session.q(&document)];
    for threads in ["1", "2"] {
        rows.extend(session.transfeed(
            &format!("-j {threads}, full report"),
            &document,
            &["--to", "video-sitemap", "-j", threads, "--report", &report],
            Kind::VideoSitemap,
            &[],
        ));
    }
    rows.extend(peers::rows(session, "mrss-to-video-sitemap", &document, Kind::VideoSitemap));
    let measured = session.table("G4 mRSS → video sitemap, beside other programs", Some("q"), rows)?;
    compare(session, &measured);
    Ok(())
}

/// How much less transfeed costs than the fastest peer that keeps the same fields.
fn compare(session: &Session<'_>, measured: &[Measured]) {
    let complete = |row: &&Measured| row.title.starts_with(peers::COMPLETE);
    let fastest = measured.iter().filter(complete).min_by(|a, b| middle(a, |c| c.cpu).total_cmp(&middle(b, |c| c.cpu)));
    let Some(peer) = fastest else {
        session.skip("the comparison with peers: none that keeps the same fields was measured");
        return;
    };
    println!("\nFastest peer that keeps the same fields: {}.\n", peer.title);
    let count = session.options.transfeed.len();
    for (at, binary) in session.options.transfeed.iter().enumerate() {
        if let (Some(one), Some(two)) = (measured.get(1 + at), measured.get(1 + count + at)) {
            let cpu = table::ratio(peer, one, |cost| cost.cpu);
            let wall = table::ratio(peer, two, |cost| cost.wall);
            let (cpu, wall) = (table::judge(cpu, 10.0, 7.0, true), table::judge(wall, 20.0, 12.0, true));
            println!(
                "**{}**: times less CPU (-j 1) ≥ 10; 7: {cpu} · times less wall (-j 2) ≥ 20; 12: {wall}\n",
                binary.name
            );
        }
    }
}

/// The other pairs of formats.
fn directions(session: &Session<'_>) -> Result<(), String> {
    let document = |name: &str, shape| session.document(name, Recipe::new(shape, session.options.size));
    let pair = |document: &Document, to: &str, kind: Kind, bounds: &[Bound]| {
        let report = session.file("report.json");
        let mut rows = Vec::new();
        for threads in ["1", "2"] {
            let arguments = ["--to", to, "-j", threads, "--report", &report];
            let bounds = if threads == "1" { bounds } else { &[] };
            rows.extend(session.transfeed(&format!("-j {threads}, full report"), document, &arguments, kind, bounds));
        }
        rows
    };

    let videos = document("videos", Shape::VideoSitemap)?;
    let mut rows = vec![session.q(&videos), session.expert("video-sitemap-to-mrss", &videos, Kind::Rss)];
    rows.extend(pair(&videos, "mrss", Kind::Rss, &[bound(Quantity::Cpu, 1.7, 2.6)]));
    rows.extend(peers::rows(session, "video-sitemap-to-mrss", &videos, Kind::Rss));
    session.table("G5 video sitemap → mRSS", Some("q"), rows)?;

    let atom = document("atom", Shape::Atom)?;
    let mut rows = vec![session.q(&atom), session.expert("atom-to-rss", &atom, Kind::Rss)];
    rows.extend(pair(&atom, "rss", Kind::Rss, &[bound(Quantity::Cpu, 1.4, 2.2)]));
    rows.extend(peers::rows(session, "atom-to-rss", &atom, Kind::Rss));
    session.table("G5 Atom → RSS", Some("q"), rows)?;

    let rss = document("rss", Shape::Rss)?;
    let mut rows = vec![session.q(&rss)];
    rows.extend(pair(&rss, "jsonl", Kind::JsonLines, &[]));
    session.table("G5 RSS → jsonl", Some("q"), rows)?;

    let json = json_of(session, &main_document(session)?)?;
    let rate = bound(Quantity::Rate, 300.0, 200.0);
    session.table("G5 jsonl → mRSS", None, pair(&json, "mrss", Kind::Rss, &[rate]))?;

    let pages = document("pages", Shape::Sitemap)?;
    let mut rows = vec![session.q(&pages)];
    rows.extend(pair(&pages, "text", Kind::Text, &[]));
    session.table("G5 sitemap → text", Some("q"), rows)?;

    let list = document("list", Shape::Text)?;
    let rate = bound(Quantity::Rate, 500.0, 400.0);
    session.table("G5 text → sitemap", None, pair(&list, "sitemap", Kind::Sitemap, &[rate]))?;
    Ok(())
}

/// A document as JSON Lines, which only transfeed can make.
fn json_of(session: &Session<'_>, document: &Document) -> Result<Document, String> {
    let path = session.dir.join("jsonl");
    let mut made = document.made;
    if let Some(mut row) = session.transfeed("", document, &["--to", "jsonl"], Kind::JsonLines, &[]).into_iter().next()
    {
        row.run.output = Some(path.clone());
        row.run.measure()?;
        made.bytes = std::fs::metadata(&path).map_err(|error| error.to_string())?.len();
    }
    Ok(Document { path, made, ..*document })
}

/// Peak memory, with the document on a pipe, at sizes a decade apart.
fn memory(session: &Session<'_>) -> Result<(), String> {
    let size = session.options.size;
    let two = ("2", 12.0, 24.0);
    let videos = ("mRSS → video sitemap", "video-sitemap", Kind::VideoSitemap);
    let pairs = [
        (Shape::Groups, videos),
        (Shape::VideoSitemap, ("video sitemap → mRSS", "mrss", Kind::Rss)),
        (Shape::Atom, ("Atom → RSS", "rss", Kind::Rss)),
        (Shape::Rss, ("RSS → jsonl", "jsonl", Kind::JsonLines)),
        (Shape::Text, ("text → sitemap", "sitemap", Kind::Sitemap)),
    ];
    let mut rows = Vec::new();
    for (shape, pair) in pairs {
        for bytes in [size / 5 * 2, size * 4] {
            rows.extend(piped(session, Recipe::new(shape, bytes), pair, two));
        }
    }
    let shared = Recipe { shared: 0.05, ..Recipe::new(Shape::Groups, size) };
    rows.extend(piped(session, shared, ("mRSS with shared pages", "video-sitemap", Kind::VideoSitemap), two));
    rows.extend(piped(session, Recipe::new(Shape::Groups, size / 5 * 2), videos, ("16", 64.0, 64.0)));
    if session.options.large {
        // nobody has the disk for this output
        let unchecked = ("mRSS → video sitemap", "video-sitemap", Kind::Anything);
        rows.extend(piped(session, Recipe::new(Shape::Groups, size * 40), unchecked, two));
    } else {
        session.skip("4 GB on a pipe: only with --large");
    }
    session.table_of("G6 peak memory, from a pipe", None, rows, 1)?;
    Ok(())
}

/// A conversion on so many threads, and the MiB that are aimed at and allowed; grouping by page adds 24 bytes an entry.
fn piped(session: &Session<'_>, recipe: Recipe, pair: (&str, &str, Kind), threads: (&str, f64, f64)) -> Vec<Row> {
    let ((name, to, kind), (threads, goal, must)) = (pair, threads);
    // made once without being kept, for what is in it
    let made = recipe.write(&mut std::io::sink()).unwrap_or_default();
    let document = Document { path: session.dir.join("pipe"), recipe, made };
    let title = format!("{name}, {} MB, -j {threads}", table::short(made.bytes as f64 / 1e6));
    let grouping = if to.ends_with("sitemap") { made.entries as f64 * 24.0 / f64::from(1 << 20) } else { 0.0 };
    let whole = |mib: f64| (mib + grouping).round();
    let bounds = [bound(Quantity::Peak, whole(goal), whole(must))];
    let rows = session.transfeed(&title, &document, &["--to", to, "-j", threads], kind, &bounds);
    rows.into_iter().map(|row| session.piped(row)).collect()
}

/// Allocations an entry, once buffers have their size: what the entries behind the first thousand add.
fn allocations(session: &Session<'_>) -> Result<(), String> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        session.skip("allocations an entry: valgrind is not there");
        return Ok(());
    }
    let entries = if session.options.quick { 10 } else { 1_000 };
    println!("\n### Allocations an entry behind the first {entries}, mRSS → video sitemap, -j 1\n");
    for binary in &session.options.transfeed {
        let made = [entries, 2 * entries].map(|entries| {
            let recipe = Recipe { entries, ..Recipe::new(Shape::Groups, u64::MAX) };
            allocated(binary, &session.document("counted", recipe)?)
        });
        let [few, many] = made;
        let each = (many? as f64 - few? as f64) / entries as f64;
        println!("**{}**: {each:.1} ≤ 1; 5: {}\n", binary.name, table::judge(each, 1.0, 5.0, false));
    }
    Ok(())
}

/// How many blocks of memory a conversion of this document asks for.
fn allocated(binary: &Binary, document: &Document) -> Result<u64, String> {
    let mut run = Command::new("valgrind");
    run.args(["--tool=memcheck", "--undef-value-errors=no", &binary.path, "convert", "-q", "-j", "1"]);
    run.arg(&document.path).args(["--to", "video-sitemap", "-o", "/dev/null"]);
    let output = run.output().map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let count = said.lines().find_map(|line| line.split_once("total heap usage: ")?.1.split(' ').next());
    let count = count.and_then(|count| count.replace(',', "").parse().ok());
    count.ok_or_else(|| format!("valgrind counted nothing:\n{said}"))
}

/// Lines of Rust in src without blanks, comments and tests.
fn lines(_: &Session<'_>) -> Result<(), String> {
    let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../src"))];
    let mut lines = 0;
    while let Some(folder) = folders.pop() {
        let failed = |error| format!("{}: {error}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("").lines().map(str::trim);
                lines += code.filter(|line| !line.is_empty() && !line.starts_with("//")).count();
            }
        }
    }
    println!("\n### Lines of Rust in src, without blanks, comments and tests\n");
    println!("{lines} ≤ 48,000; 54,000: {}\n", table::judge(lines as f64, 48_000.0, 54_000.0, false));
    Ok(())
}

/// Conversion with compression, against compression alone.
fn gzip(session: &Session<'_>) -> Result<(), String> {
    if !session.knows("--gzip") {
        return Ok(());
    }
    let document = main_document(session)?;
    let Some(plain) =
        session.transfeed("", &document, &["--to", "video-sitemap"], Kind::VideoSitemap, &[]).into_iter().next()
    else {
        return Ok(());
    };
    let output = session.dir.join("plain");
    let mut run = plain.run;
    run.output = Some(output.clone());
    run.measure()?;
    // its rates are told of the input, so that rows compare
    let mut deflate = session.floor("gzip", &Document { path: output, ..document.clone() });
    deflate.title = "zlib-rs −6 over the output".to_owned();
    let mut rows = vec![deflate];
    rows.extend(session.transfeed(
        "-j 1, plain",
        &document,
        &["--to", "video-sitemap", "-j", "1"],
        Kind::VideoSitemap,
        &[],
    ));
    for (threads, bounds) in [("1", vec![]), ("2", vec![bound(Quantity::Wall, 1.0, 1.2)])] {
        let arguments = ["--to", "video-sitemap", "--gzip", "-j", threads];
        rows.extend(session.transfeed(
            &format!("-j {threads}, --gzip"),
            &document,
            &arguments,
            Kind::Anything,
            &bounds,
        ));
    }
    session.table("G9 compressed output", Some("deflate"), rows)?;
    Ok(())
}

/// Many files in place of one.
fn split(session: &Session<'_>) -> Result<(), String> {
    if !session.knows("--split ") {
        return Ok(());
    }
    let document = main_document(session)?;
    let out = session.file("part.xml");
    let mut rows = Vec::new();
    for (title, more) in [
        ("-j 2, one file", &[][..]),
        ("-j 2, --split 1000", &["--split", "1000", "--index-base", "https://example.com/"]),
    ] {
        let arguments = [&["--to", "video-sitemap", "-j", "2", "-o", &out], more].concat();
        rows.extend(session.transfeed(title, &document, &arguments, Kind::Anything, &[]));
    }
    session.table("One file, and many", Some("first"), rows)?;
    Ok(())
}

/// A process for a small file.
fn start(session: &Session<'_>) -> Result<(), String> {
    let document = session.document("small", Recipe::new(Shape::Groups, 2_000))?;
    let report = session.file("report.json");
    let mut rows = vec![session.floor("read", &document)];
    rows[0].title = "this bench, reading the file".to_owned();
    rows.extend(session.transfeed(
        "with report",
        &document,
        &["--to", "video-sitemap", "--report", &report],
        Kind::VideoSitemap,
        &[bound(Quantity::Milliseconds, 2.5, 4.0), bound(Quantity::Peak, 5.0, 8.0)],
    ));
    let times = if session.options.quick { 1 } else { 20 };
    rows.iter_mut().for_each(|row| row.run.times = times);
    // the output would hold all runs, one after the other
    let unchecked = |mut row: Row| {
        row.kind = Kind::Anything;
        row
    };
    session.table("G10 start-up, one entry of 5 kB", Some("first"), rows.into_iter().map(unchecked).collect())?;
    Ok(())
}

/// A tree of small files, migrated: in memory, where it shows what converting costs, and on the disk.
fn bulk(session: &Session<'_>) -> Result<(), String> {
    let own = format!("transfeed-bench-{}", std::process::id());
    let memory = session.options.memory_dir.join(&own);
    if session.options.memory_dir.is_dir() {
        let done = std::fs::create_dir_all(&memory).map_err(|error| format!("{}: {error}", memory.display()));
        let done = done.and_then(|()| bulk_in(session, &memory, "in memory", bound(Quantity::Cpu, 6.0, 9.0)));
        // what cannot be removed is seen there
        let _ = std::fs::remove_dir_all(&memory);
        done?;
    } else {
        session.skip("G7 in memory: --memory-dir is not there");
    }
    bulk_in(session, &session.dir, "on the disk", bound(Quantity::Wall, 1.5, 2.5))
}

/// Files of a tree; as many are in one folder.
const FILES: u64 = 2_000;
const IN_A_FOLDER: u64 = 100;

fn bulk_in(session: &Session<'_>, dir: &Path, place: &str, asked: Bound) -> Result<(), String> {
    let files = if session.options.quick { 20 } else { FILES };
    let tree = dir.join("tree");
    let mut made = Made::default();
    for number in 0..files {
        let folder = tree.join(format!("{:02}", number / IN_A_FOLDER));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        // 20 to 50 kB
        let recipe = Recipe { seed: number, ..Recipe::new(Shape::Groups, 20_000 + number * 7919 % 30_000) };
        let file = make(&recipe, &folder.join(format!("{number:04}.xml")))?;
        made.bytes += file.bytes;
        made.entries += file.entries;
    }
    let document = Document { path: tree.clone(), recipe: Recipe::new(Shape::Groups, 0), made };
    let path = tree.display().to_string();
    let mut copy = session.floor("copy", &document);
    copy.run.clear = Some(PathBuf::from(crate::floors::copied(&path)));
    let mut rows = vec![copy];
    let out = dir.join("migrated");
    let out_path = out.display().to_string();
    // CPU is the converter's own on one thread; waiting for the disk is what two are for
    let bounded = if matches!(asked.what, Quantity::Wall) { "2" } else { "1" };
    for threads in ["1", "2"] {
        let bounds = if threads == bounded { &[asked][..] } else { &[] };
        for binary in &session.options.transfeed {
            let words =
                [&binary.path, "migrate", &path, "--to", "video-sitemap", "--out", &out_path, "-q", "-j", threads];
            let mut row = session.own("", &[], &document, Kind::Anything);
            row.run = Run::new(words.map(str::to_owned).to_vec());
            row.run.clear = Some(out.clone());
            row.title = format!("**{}**, -j {threads}", binary.name);
            row.bounds = bounds.to_vec();
            rows.push(row);
        }
    }
    let title = format!("G7 {files} files of 20 to 50 kB {place}, mRSS → video sitemap");
    let measured = session.table(&title, Some("copy"), rows)?;
    println!();
    let count = session.options.transfeed.len();
    for (at, binary) in session.options.transfeed.iter().enumerate() {
        if let (Some(one), Some(two)) = (measured.get(1 + at), measured.get(1 + count + at)) {
            let gain = table::judge(table::ratio(one, two, |cost| cost.wall), 1.9, 1.6, true);
            println!("**{}**: wall of one thread in that of two ≥ 1.9; 1.6: {gain}\n", binary.name);
        }
    }
    complete(&tree, &out)?;
    std::fs::remove_dir_all(&tree).map_err(|error| format!("{path}: {error}"))
}

/// Whether there is an output for each file of a tree, with as many videos as that has items.
fn complete(tree: &Path, out: &Path) -> Result<(), String> {
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    for folder in std::fs::read_dir(tree).map_err(|error| failed(tree, error))? {
        let folder = folder.map_err(|error| failed(tree, error))?;
        for file in std::fs::read_dir(folder.path()).map_err(|error| failed(&folder.path(), error))? {
            let path = file.map_err(|error| failed(&folder.path(), error))?.path();
            let made = out.join(folder.file_name()).join(path.file_name().unwrap_or_default());
            let count = |path: &Path, what: &str| {
                std::fs::read_to_string(path)
                    .map(|text| text.matches(what).count())
                    .map_err(|error| failed(path, error))
            };
            let (items, videos) = (count(&path, "<item>")?, count(&made, "<video:video>")?);
            if items != videos {
                return Err(format!("{}: {videos} videos of {items} items", made.display()));
            }
        }
    }
    Ok(())
}

/// The commands that read and write no document, against a conversion of the same one.
fn commands(session: &Session<'_>) -> Result<(), String> {
    let inspect = ("inspect", ["--to", "video-sitemap"], &["inspect", "--json", "--to", "video-sitemap"][..], 1.25);
    let validate = ("validate", ["--to", "jsonl"], &["validate", "--format", "json", "--exit-zero"][..], 1.43);
    for (shape, name, commands) in [
        (Shape::Groups, "mRSS", &[inspect, validate][..]),
        (Shape::VideoSitemap, "video sitemap", &[validate]),
        (Shape::Sitemap, "sitemap", &[validate]),
    ] {
        let document = session.document("read", Recipe::new(shape, session.options.size))?;
        for (title, convert, command, must) in commands {
            for threads in ["1", "2"] {
                let rows = beside(session, &document, (&convert[..], command), threads, *must);
                session.table(&format!("{title} beside a conversion, {name}, -j {threads}"), Some("first"), rows)?;
            }
        }
    }
    Ok(())
}

/// A conversion, and a command that may cost so many times its CPU.
fn beside(
    session: &Session<'_>,
    document: &Document,
    (convert, command): (&[&str], &[&str]),
    threads: &str,
    must: f64,
) -> Vec<Row> {
    let arguments = [convert, &["-j", threads]].concat();
    let name = format!("convert {}, -j {threads}", convert.join(" "));
    let mut rows = session.transfeed(&name, document, &arguments, Kind::Anything, &[]);
    for row in &mut rows {
        row.run.output = Some(session.dir.join("output"));
    }
    let path = document.path.display().to_string();
    for binary in &session.options.transfeed {
        let mut row = session.own("", &[], document, Kind::Anything);
        let words = [&[binary.path.as_str()], command, &["-j", threads, &path]].concat();
        row.run = Run::new(words.into_iter().map(str::to_owned).collect());
        row.title = format!("**{}**, {}, -j {threads}", binary.name, command.join(" "));
        row.bounds = vec![bound(Quantity::Cpu, 1.0, must)];
        rows.push(row);
    }
    rows
}

/// A document, of which every so many titles got a word more, or what a conversion makes of it.
fn other_side(session: &Session<'_>, document: &Document, to: Option<&str>) -> Result<String, String> {
    let path = session.dir.join("other");
    let text = std::fs::read_to_string(&document.path).map_err(|error| error.to_string())?;
    let Some(to) = to else {
        let entry = if text.contains("<item") { "<item" } else { "<url>" };
        let mut edited = String::with_capacity(text.len() + text.len() / 100);
        for (number, piece) in text.split(entry).enumerate() {
            if number > 0 {
                edited.push_str(entry);
            }
            match number % EDITED {
                1 => {
                    let piece = piece.replacen("</title>", &format!("{EDIT}</title>"), 1);
                    edited.push_str(&piece.replacen("0.8</priority>", "0.7</priority>", 1));
                }
                _ => edited.push_str(piece),
            }
        }
        std::fs::write(&path, edited).map_err(|error| error.to_string())?;
        return Ok(path.display().to_string());
    };
    let binary = session.options.transfeed.first().ok_or("nothing to measure")?;
    let made = Command::new(&binary.path)
        .args(["convert", "-q", "--to", to, "--no-limits"])
        .arg(&document.path)
        .arg("-o")
        .arg(&path)
        .status();
    match made {
        Ok(status) if status.success() => Ok(path.display().to_string()),
        other => Err(format!("{}: {other:?}", binary.path)),
    }
}

/// Two documents compared: one format and two, 50,000 entries and ten times as many, against a script that hashes and
/// sorts and knows no more than which entries are the same; small ones against a program that compares any XML.
fn changes(session: &Session<'_>) -> Result<(), String> {
    let mut cases = vec![
        ("sitemap", Shape::Sitemap, None, 50_000, 0.75, 0.5),
        ("sitemap", Shape::Sitemap, None, 500_000, 0.75, 0.5),
        ("mRSS", Shape::Single, None, 50_000, 0.75, 0.5),
        ("mRSS and its video sitemap", Shape::Single, Some("video-sitemap"), 50_000, 2.0, 1.0),
    ];
    if session.options.large {
        cases.insert(2, ("sitemap", Shape::Sitemap, None, 1_000_000, 0.75, 0.5));
    } else {
        session.skip("diff of 1,000,000 entries a side: only with --large");
    }
    let mut speeds: Vec<(u64, Vec<f64>)> = Vec::new();
    for (name, shape, to, entries, must, goal) in cases {
        let entries = if session.options.quick { entries / 100 } else { entries };
        let (one, document, other) = two_sides(session, Recipe { entries, ..Recipe::new(shape, u64::MAX) }, to)?;
        let mut rows = vec![session.q(&one)];
        if to.is_none() {
            rows.push(session.own(
                "expert: hash and sort",
                &["expert", "hash-and-sort", &other],
                &document,
                Kind::Anything,
            ));
        }
        let [least, most] = peaks(entries);
        let asked = [bound(Quantity::Cpu, goal, must), bound(Quantity::Peak, least, most)];
        rows.extend(comparing(session, &document, &other, "1", &asked));
        rows.extend(comparing(session, &document, &other, "2", &asked[1..]));
        let title = format!("G8 diff of {name}, {entries} entries a side; q over both");
        let measured = session.table(&title, Some("q"), rows)?;
        if shape == Shape::Sitemap {
            let own = measured.iter().filter(|row| row.bounds.len() == asked.len());
            let speed = |row: &Measured| row.bytes as f64 / middle(row, |cost| cost.cpu);
            speeds.push((entries, own.map(speed).collect()));
        }
    }
    if let (Some((few, first)), Some((many, last))) = (speeds.first(), speeds.last()) {
        println!();
        for ((binary, one), other) in session.options.transfeed.iter().zip(first).zip(last) {
            // a machine that others use is good to a fifth
            let asked = table::judge(other / one, 1.0, 0.8, true);
            println!("**{}**: MB/s of CPU of {many} entries in that of {few} ≥ 1; 0.8: {asked}\n", binary.name);
        }
    }
    for entries in [20, 200] {
        let recipe = Recipe { entries, ..Recipe::new(Shape::Single, u64::MAX) };
        let (_, document, other) = two_sides(session, recipe, None)?;
        let mut rows = comparing(session, &document, &other, "1", &[]);
        rows.iter_mut().for_each(|row| row.kind = Kind::Edits);
        rows.extend(peers::xmldiff(session, &document, &other));
        // one that takes a minute tells no more the second time
        let rounds = if entries > 20 { 1 } else { session.options.rounds };
        session.table_of(&format!("G8 diff of mRSS, {entries} entries a side"), Some("first"), rows, rounds)?;
    }
    Ok(())
}

/// What a comparison may take at most in memory, in MiB: what is aimed at, and what a release must keep to. So many bytes
/// for each entry of either side.
fn peaks(entries: u64) -> [f64; 2] {
    [(16.0, 32.0), (48.0, 48.0)].map(|(fixed, each)| (fixed + each * 2.0 * entries as f64 / f64::from(1 << 20)).floor())
}

/// A document, the same with the bytes of both sides as its own, and the other side.
fn two_sides(session: &Session<'_>, recipe: Recipe, to: Option<&str>) -> Result<(Document, Document, String), String> {
    let one = session.document("one", recipe)?;
    let other = other_side(session, &one, to)?;
    let mut both = one.clone();
    both.made.bytes += std::fs::metadata(&other).map_err(|error| error.to_string())?.len();
    Ok((one, both, other))
}

/// The rows of each transfeed that compares the two.
fn comparing(session: &Session<'_>, document: &Document, other: &str, threads: &str, bounds: &[Bound]) -> Vec<Row> {
    let path = document.path.display().to_string();
    let each = |binary: &Binary| {
        let mut row = session.own("", &[], document, Kind::Anything);
        let words = [&binary.path, "diff", &path, other, "--max-changed", "100%", "--json", "-j", threads];
        row.run = Run::new(words.map(str::to_owned).to_vec());
        row.title = format!("**{}**, -j {threads}", binary.name);
        row.bounds = bounds.to_vec();
        row
    };
    session.options.transfeed.iter().map(each).collect()
}

/// What a report costs.
fn report(session: &Session<'_>) -> Result<(), String> {
    let document = main_document(session)?;
    let (json, jsonl) = (session.file("report.json"), session.file("report.jsonl"));
    for binary in &session.options.transfeed {
        let row = |title: &str, more: &[&str], bounds: &[Bound]| {
            let mut arguments = vec!["--to", "video-sitemap", "-j", "1"];
            arguments.extend(more);
            session.transfeed_one(binary, title, &document, &arguments, Kind::VideoSitemap, bounds)
        };
        let rows = vec![
            row("no report", &[], &[]),
            row("--report FILE.json", &["--report", &json], &[bound(Quantity::Cpu, 1.1, 1.2)]),
            row("--report FILE.jsonl", &["--report", &jsonl], &[bound(Quantity::Cpu, 2.0, 2.0)]),
        ];
        session.table("G11 what a report costs", Some("first"), rows)?;
    }
    Ok(())
}

/// Whether a byte costs the same in large documents and odd ones.
fn growth(session: &Session<'_>) -> Result<(), String> {
    let size = session.options.size;
    let mut sizes = vec![size / 5, size * 16 / 5];
    if session.options.large {
        sizes.push(size * 20);
    } else {
        session.skip("2 GB, and 10 million entries: only with --large");
    }
    growth_of(session, "catalogue", Shape::Groups, "video-sitemap", Kind::VideoSitemap, &sizes)?;
    let tiny = [size / 5, if session.options.large { size * 11 } else { size }];
    growth_of(session, "entries of 100 bytes", Shape::Tiny, "jsonl", Kind::JsonLines, &tiny)?;
    let odd = [
        ("one entry of half the size, of 60 MiB at most", Shape::Giant),
        ("9,990 attributes", Shape::Attributes),
        ("240 levels", Shape::Depth),
    ];
    for (name, shape) in odd {
        growth_of(session, name, shape, "jsonl", Kind::JsonLines, &[size / 5, size])?;
    }
    Ok(())
}

fn growth_of(
    session: &Session<'_>,
    name: &str,
    shape: Shape,
    to: &str,
    kind: Kind,
    sizes: &[u64],
) -> Result<(), String> {
    for threads in ["1", "2"] {
        for binary in &session.options.transfeed {
            let mut rows = Vec::new();
            for (at, &bytes) in sizes.iter().enumerate() {
                let document = session.document(&format!("growth-{at}"), Recipe::new(shape, bytes))?;
                let title = format!("{} MB", table::short(document.made.bytes as f64 / 1e6));
                let what = if threads == "1" { Quantity::Cpu } else { Quantity::Wall };
                let bounds = if at == 0 { vec![] } else { vec![bound(what, 1.1, 1.2)] };
                rows.push(session.transfeed_one(
                    binary,
                    &title,
                    &document,
                    &["--to", to, "-j", threads],
                    kind,
                    &bounds,
                ));
            }
            session.table_of(
                &format!("G12 {name}, -j {threads}; a byte in that of the first"),
                Some("first"),
                rows,
                3.min(session.options.rounds),
            )?;
        }
    }
    Ok(())
}

/// Repairs, another encoding, shared pages: the same entries as the clean document.
fn dirty(session: &Session<'_>) -> Result<(), String> {
    let clean = main_document(session)?;
    let same = Recipe { size: u64::MAX, entries: clean.made.entries, ..clean.recipe };
    let variants = [
        ("a repair in every tenth entry", Recipe { dirty: 0.1, ..same }),
        ("windows-1251", Recipe { windows_1251: true, ..same }),
        ("every twentieth on the page of another", Recipe { shared: 0.05, ..same }),
    ];
    let mut rows = vec![session.q(&clean)];
    let arguments = ["--to", "video-sitemap", "-j", "1"];
    rows.extend(session.transfeed("clean", &clean, &arguments, Kind::VideoSitemap, &[]));
    for (at, (name, recipe)) in variants.iter().enumerate() {
        let mut document = session.document(&format!("variant-{at}"), *recipe)?;
        // as many entries: compared by what the whole costs
        document.made.bytes = clean.made.bytes;
        rows.extend(session.transfeed(name, &document, &arguments, Kind::VideoSitemap, &[]));
    }
    let measured = session.table("Dirty input, -j 1, mRSS → video sitemap", Some("q"), rows)?;
    println!();
    let count = session.options.transfeed.len();
    for (at, binary) in session.options.transfeed.iter().enumerate() {
        let row = |variant: usize| measured.get(1 + variant * count + at);
        if let (Some(q), Some(clean), Some(dirty), Some(encoded)) = (measured.first(), row(0), row(1), row(2)) {
            let cpu = |row: &Measured, to: &Measured| table::ratio(row, to, |cost| cost.cpu);
            let (dirty, encoded) = (cpu(dirty, clean), cpu(encoded, q) - cpu(clean, q));
            let (dirty, encoded) = (table::judge(dirty, 1.5, 1.5, false), table::judge(encoded, 0.5, 0.5, false));
            println!("**{}**: dirty in clean ≤ 1.5: {dirty} · windows-1251, q more ≤ 0.5: {encoded}\n", binary.name);
        }
    }
    Ok(())
}

fn middle(row: &Measured, value: fn(&crate::measure::Cost) -> f64) -> f64 {
    table::median(row.costs.iter().map(value))
}
