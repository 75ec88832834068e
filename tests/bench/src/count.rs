//! The command `count`: instructions per leaf, under valgrind, compared with the figures recorded in counts.toml. A count
//! is the same on every machine and under any load, so a build that became slower fails here. How fast it is, the
//! other commands measure.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::catalogue::{Recipe, Shape};
use crate::measure::make;

/// The recorded figures: direction, instructions per leaf.
const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/counts.toml");

/// What the record begins with.
const RECORD_HEAD: &str = "\
# Instructions per leaf of the build of .ci/run, which docs/PERFORMANCE.md shows.
# To record them anew: cargo run --manifest-path tests/bench/Cargo.toml --no-default-features -- count --record
";

/// The program that is counted, unless another is given.
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/debug/transfeed");

/// How far a count may be from its record, in percent, on either side: a record that is too high would hide growth.
const MARGIN: f64 = 10.0;

/// Bytes of a document: the first look at its first chunk (256 KiB) shall not count most.
const SIZE: u64 = 1_000_000;

/// The directions that are counted: name, source, target.
const DIRECTIONS: [(&str, Source, &str); 5] = [
    ("mrss-to-video-sitemap", Source::Markup(Shape::Groups), "video-sitemap"),
    ("video-sitemap-to-mrss", Source::Markup(Shape::VideoSitemap), "mrss"),
    ("atom-to-rss", Source::Markup(Shape::Atom), "rss"),
    ("text-to-sitemap", Source::Lines, "sitemap"),
    ("jsonl-to-mrss", Source::Json, "mrss"),
];

/// How a document is made, and how its leaves are counted.
#[derive(Clone, Copy)]
enum Source {
    /// Attributes and texts.
    Markup(Shape),
    /// A URL per line.
    Lines,
    /// JSON Lines, which transfeed makes of Media RSS.
    Json,
}

/// A counted direction.
struct Count {
    name: &'static str,
    leaves: u64,
    per_leaf: u64,
}

/// The command `count [--transfeed PATH] [--record]`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mut program, mut record) = (PROGRAM.to_owned(), false);
    let mut rest = arguments.iter();
    while let Some(name) = rest.next() {
        match name.as_str() {
            "--transfeed" => rest.next().ok_or("--transfeed needs a value")?.clone_into(&mut program),
            "--record" => record = true,
            _ => return Err(format!("{name} is unknown; see --help")),
        }
    }
    if !Path::new(&program).is_file() {
        return Err(format!("{program} is not there; build it: cargo build"));
    }
    let dir = std::env::temp_dir().join(format!("transfeed-count-{}", std::process::id()));
    fs::create_dir_all(&dir).map_err(failed(&dir))?;
    let counts = count_all(&program, &dir);
    // what cannot be removed is in the system's temporary directory
    let _ = fs::remove_dir_all(&dir);
    let counts = counts?;
    if record {
        let lines: String = counts.iter().map(|count| format!("{} = {}\n", count.name, count.per_leaf)).collect();
        fs::write(RECORD, format!("{RECORD_HEAD}{lines}")).map_err(failed(Path::new(RECORD)))?;
    }
    compare(&counts)
}

/// All directions at once: each is one process on one thread.
fn count_all(program: &str, dir: &Path) -> Result<Vec<Count>, String> {
    thread::scope(|scope| {
        let each = |(name, source, to)| scope.spawn(move || count(program, dir, name, source, to));
        let running: Vec<_> = DIRECTIONS.into_iter().map(each).collect();
        running.into_iter().map(|count| count.join().map_err(|_| "a count panicked")?).collect()
    })
}

fn count(program: &str, dir: &Path, name: &'static str, source: Source, to: &str) -> Result<Count, String> {
    let (document, output, report) =
        (dir.join(name), dir.join(format!("{name}.out")), dir.join(format!("{name}.json")));
    let leaves = match source {
        Source::Markup(shape) => {
            make(&Recipe::new(shape, SIZE), &document)?;
            leaves_of_markup(&read(&document)?)?
        }
        Source::Lines => make(&Recipe::new(Shape::Text, SIZE), &document)?.entries,
        Source::Json => {
            let feed = dir.join(format!("{name}.mrss"));
            make(&Recipe::new(Shape::Groups, SIZE), &feed)?;
            finish(Command::new(program).arg("convert").arg(&feed).args(["--to", "jsonl", "-q", "-o"]).arg(&document))?;
            leaves_of_json(&read(&document)?)
        }
    };
    // the same numbers as callgrind's, in half the time
    let mut run = Command::new("valgrind");
    run.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]).arg(program).arg("convert");
    run.arg(&document).args(["--to", to, "-q", "-j", "1", "--report"]).arg(&report).arg("-o").arg(&output);
    let said = String::from_utf8_lossy(&finish(&mut run)?.stderr).into_owned();
    let total =
        said.lines().find_map(|line| line.split_once("I   refs:")?.1.trim().replace(',', "").parse::<u64>().ok());
    let total = total.ok_or_else(|| format!("valgrind printed no count:\n{said}"))?;
    if leaves == 0 {
        return Err(format!("{name}: the document has no leaves"));
    }
    Ok(Count { name, leaves, per_leaf: total / leaves })
}

/// Runs a program that must succeed.
fn finish(command: &mut Command) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    match output.status.success() {
        true => Ok(output),
        false => Err(format!("{name}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}

fn read(path: &PathBuf) -> Result<String, String> {
    fs::read_to_string(path).map_err(failed(path))
}

fn failed(path: &Path) -> impl Fn(io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Attributes that declare no namespace, and texts between tags that are not blank.
fn leaves_of_markup(text: &str) -> Result<u64, String> {
    fn attributes(start: &BytesStart<'_>) -> Result<u64, String> {
        let mut leaves = 0;
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| error.to_string())?;
            leaves += u64::from(!attribute.key.as_ref().starts_with("xmlns"));
        }
        Ok(leaves)
    }
    let mut reader = Reader::from_str(text);
    let (mut leaves, mut in_text) = (0, false);
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        let is_value = match &event {
            Event::Text(text) => !text.trim().is_empty(),
            Event::CData(_) | Event::GeneralRef(_) => true,
            Event::Start(start) | Event::Empty(start) => {
                leaves += attributes(start)?;
                false
            }
            Event::Eof => return Ok(leaves),
            _ => false,
        };
        let is_text = matches!(event, Event::Text(_) | Event::CData(_) | Event::GeneralRef(_));
        // a text may come in several events
        leaves += u64::from(is_value && !in_text);
        in_text = is_text && (in_text || is_value);
    }
}

/// Values that are no object and no array.
fn leaves_of_json(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let (mut leaves, mut at) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        let scalar = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        match byte {
            b'"' => {
                at += 1;
                while bytes.get(at).is_some_and(|byte| *byte != b'"') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                // before a colon, it is a name
                leaves += u64::from(bytes.get(at) != Some(&b':'));
            }
            byte if scalar(byte) => {
                at += bytes[at..].iter().take_while(|byte| scalar(byte)).count();
                leaves += 1;
            }
            _ => at += 1,
        }
    }
    leaves
}

/// Prints all counts beside their records, and fails if one is beyond the margin.
fn compare(counts: &[Count]) -> Result<(), String> {
    let record = fs::read_to_string(RECORD).map_err(failed(Path::new(RECORD)))?;
    println!("| direction | leaves | instructions per leaf | recorded | difference |");
    println!("|---|---:|---:|---:|---:|");
    let mut wrong = Vec::new();
    for Count { name, leaves, per_leaf } in counts {
        let recorded = recorded(&record, name).ok_or_else(|| format!("counts.toml has no {name}"))?;
        let difference = (*per_leaf as f64 / recorded as f64 - 1.0) * 100.0;
        println!("| {name} | {leaves} | {per_leaf} | {recorded} | {difference:+.1} % |");
        let (word, advice) = match difference {
            more if more > MARGIN => ("above", "find the cause, or record the new figure with a reason"),
            less if less < -MARGIN => ("below", "record the lower figure, or later growth is not seen"),
            _ => continue,
        };
        let percent = difference.abs();
        wrong.push(format!(
            "{name}: {per_leaf} instructions per leaf are {percent:.1} % {word} the recorded {recorded}; {advice}"
        ));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let margin = format!("counts may differ by {MARGIN} % from tests/bench/counts.toml; `count --record` writes it");
    Err([wrong, vec![margin]].concat().join("\n"))
}

/// The figure of a direction.
fn recorded(record: &str, name: &str) -> Option<u64> {
    let lines = record.lines().filter_map(|line| line.split_once('='));
    lines.filter(|(key, _)| key.trim() == name).find_map(|(_, figure)| figure.trim().parse().ok())
}
