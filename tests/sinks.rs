//! Where entries go: whatever is asked for, on however many threads, the output is the same, and the parts of a split one
//! hold what the whole one holds. How files get their names is the business of outputs.rs and of the cases.

use std::io::Read;

use proptest::prelude::*;
use transfeed::convert::{Conversion, Input, PartBuffers};
use transfeed::error::ErrorKind;
use transfeed::format;
use transfeed::options::{Limits, Options};
use transfeed::report;

/// A document that is read in small bites.
struct Bites {
    text: String,
    size: usize,
}

impl Input for Bites {
    fn name(&self) -> &str {
        "-"
    }
    fn open(&self) -> std::io::Result<Box<dyn Read + Send + '_>> {
        Ok(Box::new(Bite { rest: self.text.as_bytes(), size: self.size }))
    }
}

struct Bite<'b> {
    rest: &'b [u8],
    size: usize,
}

impl Read for Bite<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(self.size);
        (&mut self.rest).take(most as u64).read(buffer)
    }
}

/// How a run is made, where it must not matter.
#[derive(Clone, Copy, Debug)]
struct Way {
    threads: usize,
    chunk: usize,
    bite: usize,
}

const PLAIN: Way = Way { threads: 1, chunk: 256 << 10, bite: 1 << 16 };

/// What a run gives: the parts, the report as JSON, and as lines.
#[derive(Debug, PartialEq, Eq)]
struct Given {
    parts: Vec<String>,
    report: String,
    lines: String,
}

fn run(text: &str, to: &str, split: (Option<u64>, Option<u64>), way: Way) -> Result<Given, String> {
    let target = format::by_id(to).expect("a target");
    let options = Options {
        split: split.0,
        split_bytes: split.1,
        index_base: Some("https://pond.example/".to_owned()),
        threads: way.threads,
        limits: Limits { chunk: way.chunk, ..Limits::default() },
        ..Options::default()
    };
    let input = Bites { text: text.to_owned(), size: way.bite };
    let (mut out, mut lines, mut rows) = (PartBuffers::default(), Vec::new(), Vec::new());
    let conversion = Conversion::to(target).with(options);
    let mut summary = conversion.run(&[&input], &mut out, Some(&mut lines)).map_err(|error| match error.kind() {
        ErrorKind::Limit { .. } => "limit".to_owned(),
        _ => format!("{error}"),
    })?;
    let told: Vec<usize> = summary.parts.iter().map(|part| part.bytes as usize).collect();
    // how many files there are is what differs
    summary.parts.truncate(1);
    report::json(&summary, target, "none", &mut rows).expect("memory takes all");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("outputs are UTF-8");
    let parts: Vec<String> = out.0.into_iter().map(text).collect();
    assert_eq!(told, parts.iter().map(String::len).collect::<Vec<_>>(), "what is told of the parts");
    Ok(Given { parts, report: text(rows), lines: text(lines) })
}

/// Lines before the entries and after them; an entry is one line.
fn frame(to: &str) -> (usize, usize) {
    match to {
        "text" => (0, 0),
        "jsonl" => (1, 0),
        "json" => (1, 1),
        _ => (2, 1),
    }
}

/// The head, the entries, and the tail.
fn pieces(to: &str, part: &str) -> (String, Vec<String>, String) {
    let (head, tail) = frame(to);
    let lines: Vec<&str> = part.lines().collect();
    let end = lines.len() - tail;
    let entries = lines[head..end].iter().map(|line| line.trim_end_matches(',').to_owned());
    (lines[..head].join("\n"), entries.collect(), lines[end..].join("\n"))
}

#[derive(Clone, Debug)]
struct Item {
    page: u8,
    title: String,
    day: Option<u8>,
    odd: u8,
}

fn item() -> impl Strategy<Value = Item> {
    let title = prop::string::string_regex("[a-zа-я&<]{0,30}").expect("a pattern");
    (any::<u8>(), title, prop::option::of(1..28_u8), any::<u8>()).prop_map(|(page, title, day, odd)| Item {
        page,
        title,
        day,
        odd,
    })
}

fn feed(items: &[Item], grouped: bool) -> String {
    let mut text = "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel>".to_owned();
    for (number, item) in items.iter().enumerate() {
        // pages that return now and then
        let page = if grouped { usize::from(item.page % 8) } else { number };
        let title = item.title.replace('&', "&amp;").replace('<', "&lt;");
        text.push_str(&format!("<item><title>{title}</title><link>https://pond.example/{page}</link>"));
        if let Some(day) = item.day {
            text.push_str(&format!("<pubDate>{day} Mar 2026 08:00:00 GMT</pubDate>"));
        }
        text.push_str(match item.odd % 6 {
            0 => "<media:content url=\"https://pond.example/a.mp4\" duration=\"7\"/>",
            1 => "<description>a & b</description>",
            2 => "<guid>tag:x</guid><media:thumbnail url=\"//pond.example/a.jpg\"/>",
            _ => "",
        });
        text.push_str("</item>\n");
    }
    // late, as heads may be
    text + "<title>Pond</title><link>https://pond.example/</link><description>d</description></channel></rss>\n"
}

const TARGETS: [&str; 8] = ["rss", "mrss", "rss-podcast", "atom", "sitemap", "text", "json", "jsonl"];

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::common::count(12, 96) as u32, ..ProptestConfig::default() })]

    #[test]
    fn neither_threads_nor_chunks_nor_reads_matter(
        items in prop::collection::vec(item(), 0..25),
        grouped in any::<bool>(),
        target in prop::sample::select(&TARGETS[..]),
        split in prop::option::of(1..9_u64),
        bytes in prop::option::of(200..3000_u64),
    ) {
        let text = feed(&items, grouped);
        let plain = run(&text, target, (split, bytes), PLAIN);
        for threads in [1, 2, 4, 16] {
            for (chunk, bite) in [(1, 1), (300, 7), (5, 4096), (256 << 10, 3)] {
                let way = Way { threads, chunk, bite };
                prop_assert_eq!(&run(&text, target, (split, bytes), way), &plain, "{:?}", way);
            }
        }
    }

    #[test]
    fn parts_hold_what_the_whole_holds(
        items in prop::collection::vec(item(), 0..40),
        grouped in any::<bool>(),
        target in prop::sample::select(&TARGETS[..]),
        split in prop::option::of(1..9_u64),
        bytes in prop::option::of(1200..6000_u64),
    ) {
        let text = feed(&items, grouped);
        let whole = run(&text, target, (None, None), PLAIN).expect("a conversion");
        prop_assert_eq!(whole.parts.len(), usize::from(!whole.parts.is_empty()));
        let whole_text = whole.parts.first().cloned().unwrap_or_default();
        let parts = run(&text, target, (split, bytes), PLAIN).expect("parts are large enough for an entry");
        prop_assert_eq!(&parts.lines, &whole.lines);
        prop_assert_eq!(&parts.report, &whole.report);
        let (head, entries, tail) = pieces(target, &whole_text);
        let mut joined = Vec::new();
        for part in &parts.parts {
            let (own_head, own, own_tail) = pieces(target, part);
            prop_assert_eq!(&own_head, &head);
            prop_assert_eq!(&own_tail, &tail);
            prop_assert!(own.len() as u64 <= split.unwrap_or(u64::MAX));
            prop_assert!(part.len() as u64 <= bytes.unwrap_or(u64::MAX));
            prop_assert!(parts.parts.len() < 2 || !own.is_empty());
            joined.extend(own);
        }
        prop_assert_eq!(joined, entries);
    }
}

#[test]
fn an_entry_that_no_part_holds_ends_the_run() {
    let text = feed(&[Item { page: 0, title: "a".repeat(3000), day: None, odd: 5 }], false);
    assert_eq!(run(&text, "rss", (None, Some(2000)), PLAIN), Err("limit".to_owned()));
    assert!(run(&text, "rss", (None, Some(5000)), PLAIN).is_ok());
}

/// A part is full to the byte, the tail counted.
#[test]
fn the_limit_is_the_last_byte() {
    let text: String = (10..30).map(|n| format!("https://pond.example/{n}\n")).collect();
    let whole = run(&text, "sitemap", (None, None), PLAIN).expect("a sitemap");
    let size = whole.parts[0].len() as u64;
    assert_eq!(run(&text, "sitemap", (None, Some(size)), PLAIN).expect("one part").parts.len(), 1);
    assert_eq!(run(&text, "sitemap", (None, Some(size - 1)), PLAIN).expect("two parts").parts.len(), 2);
}

#[test]
fn items_of_one_page_stay_together() {
    let video = |n: u32| {
        format!(
            "<video:video><video:thumbnail_loc>https://pond.example/{n}.jpg</video:thumbnail_loc><video:title>V{n}\
             </video:title><video:description>d</video:description><video:content_loc>https://pond.example/{n}.mp4\
             </video:content_loc></video:video>"
        )
    };
    let url = |n: u32| format!("<url><loc>https://pond.example/{n}</loc>{}{}</url>", video(2 * n), video(2 * n + 1));
    let text = format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">{}{}{}</urlset>",
        url(1),
        url(2),
        url(3)
    );
    let items = |split| -> Vec<usize> {
        let given = run(&text, "mrss", (Some(split), None), PLAIN).expect("parts");
        given.parts.iter().map(|part| part.matches("<item>").count()).collect()
    };
    assert_eq!(items(1), [2, 2, 2]);
    assert_eq!(items(3), [2, 2, 2]);
    assert_eq!(items(4), [4, 2]);
}
