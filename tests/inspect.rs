//! What `inspect` says is what is there: its forecast is the report of the conversion, its figures are those that others
//! count, and neither depends on the number of threads, on chunks, or on the size of the input (memory).

use crate::common;
use crate::generate;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use common::{count, scratch, transfeed};
use generate::{Random, document};
use serde_json::Value;
use transfeed::convert::Conversion;
use transfeed::convert::{Bytes, Select};
use transfeed::format::{self, Format};
use transfeed::inspect::{InspectOptions, InspectedInput};
use transfeed::ledger::Ledger;
use transfeed::options::Options;

const RUN: &str = "2026-03-01T08:00:00Z";

fn root(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

/// Samples and specimens.
fn documents() -> Vec<PathBuf> {
    let list = |folder: &str| std::fs::read_dir(root(folder)).expect("the folder is there");
    let all = ["samples", "tests/fixtures/specimen"].into_iter().flat_map(list);
    let mut files: Vec<PathBuf> = all.map(|entry| entry.expect("it can be read").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending != "md"));
    files.sort();
    assert!(files.len() > 15, "only {} documents", files.len());
    files
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// What the command line says of a document beforehand is what its reports say afterwards.
#[test]
fn the_forecast_is_the_report() {
    let dir = scratch("inspect-forecast");
    let mut compared = 0;
    for path in documents() {
        let name = path.to_string_lossy().into_owned();
        let run = transfeed(&dir, &["inspect", &name, "--json"], None).ok(&name);
        let found = json(&run.text());
        for forecast in found["inputs"][0]["forecast"].as_array().expect("a forecast") {
            let to = forecast["to"].as_str().expect("a target");
            let run = transfeed(&dir, &["convert", &name, "--to", to, "-o", "out", "--report", "r.json", "-q"], None);
            if forecast.get("refused").is_some() {
                assert_eq!(run.code, 2, "{name} to {to}");
                continue;
            }
            assert_eq!(run.code, 0, "{name} to {to}: {}", run.stderr);
            let report = json(&std::fs::read_to_string(dir.join("r.json")).expect("a report"));
            assert_eq!(forecast["totals"], report["totals"], "{name} to {to}");
            assert_eq!(forecast["profile"], report["target"]["profile"], "{name} to {to}");
            assert_eq!(rows(&forecast["rows"]), rows(&report["rows"]), "{name} to {to}");
            compared += 1;
        }
        assert_eq!(found["inputs"][0]["repairs"], found["totals"]["repairs"]);
    }
    assert!(compared > 120, "only {compared} compared");
}

/// Rows with their first examples, in order of their names.
fn rows(rows: &Value) -> BTreeMap<String, Value> {
    let name = |row: &Value| format!("{} {} {} {}", row["kind"], row["code"], row["field"], row["why"]);
    let first = |row: &Value| {
        let examples = row["examples"].as_array().map(|all| all.iter().take(3).cloned().collect::<Vec<_>>());
        serde_json::json!([row["count"], row["severity"], examples])
    };
    rows.as_array().expect("rows").iter().map(|row| (name(row), first(row))).collect()
}

/// Options under which documents are cut into many chunks.
fn small(threads: usize, chunk: usize) -> Options {
    let mut options =
        Options { threads, now: transfeed::model::Date::parse(RUN).map(|date| date.0), ..Options::default() };
    options.limits.chunk = chunk;
    options
}

fn sums(ledger: &Ledger) -> Vec<(String, u64)> {
    let name = |row: &&transfeed::ledger::Row| {
        format!("{} {} {} {}", row.kind.name(), row.code().name(), row.field, row.why())
    };
    let mut sums: Vec<(String, u64)> = ledger.rows().iter().map(|row| (name(row), row.count)).collect();
    sums.sort();
    sums
}

/// Holds the forecast of a document against conversions of it, under these options.
fn check(bytes: &[u8], options: &Options, what: &str) -> Option<InspectedInput> {
    let input = Bytes { name: "input", bytes };
    let found = InspectOptions::default().with(options.clone()).document(&input);
    for (at, to) in format::targets().enumerate() {
        let mut out = Vec::new();
        let converted = Conversion::to(to).with(options.clone()).run(&[&input], &mut out, None);
        let forecast = found.as_ref().ok().map(|found| &found.forecast[at]);
        match (converted, forecast) {
            (Ok(summary), Some(forecast)) => {
                assert_eq!(forecast.refused, None, "{what} to {}", to.id);
                assert_eq!(forecast.totals, summary.ledger.totals(), "{what} to {}", to.id);
                assert_eq!(forecast.dropped, summary.objects.dropped, "{what} to {}", to.id);
                let name = |row: &transfeed::inspect::ForecastRow| {
                    format!("{} {} {} {}", row.kind, row.code, row.field, row.why)
                };
                let mut foreseen: Vec<_> = forecast.rows.iter().map(|row| (name(row), row.count)).collect();
                foreseen.sort();
                assert_eq!(foreseen, sums(&summary.ledger), "{what} to {}", to.id);
                let found = found.as_ref().ok()?;
                assert_eq!(found.looked_at, summary.objects.entries, "{what} to {}", to.id);
                // that a sitemap is too long is said by who writes it
                let split =
                    ["limit_passed", "limit_split"].map(|code| summary.ledger.diagnostics_of(code)).iter().sum::<u64>();
                assert_eq!(found.repairs, summary.ledger.diagnostics_seen() - split, "{what} to {}", to.id);
            }
            (Err(_), Some(forecast)) => assert!(forecast.refused.is_some(), "{what} to {}", to.id),
            (Err(_), None) => (),
            (Ok(_), None) => panic!("{what}: {}", found.err()?),
        }
    }
    found.ok()
}

#[test]
fn the_forecast_is_the_report_however_the_document_is_cut() {
    for path in documents() {
        let bytes = std::fs::read(&path).expect("a document");
        for chunk in [1, 700] {
            check(&bytes, &small(2, chunk), &path.display().to_string());
        }
    }
    for number in 0..count(5, 30) as u64 {
        let document = document(Random::new(0x0069_6e73_7065_6374 + number).next());
        check(document.text.as_bytes(), &small(2, 1 + number as usize * 150), &format!("random document {number}"));
    }
}

/// What a first look at the beginning cannot know: namespaces that come late, pages and ids that return, a head that goes
/// on behind the entries, bytes that are of another encoding.
#[test]
fn what_comes_late_is_foreseen() {
    let item = |n: usize, more: &str| {
        format!("<item><title>t{n}</title><link>https://example.com/{}</link>{more}</item>\n", n % 190)
    };
    let media = "<media:content url=\"https://example.com/v.mp4\" duration=\"9\"/><media:thumbnail url=\"https://example.com/t.jpg\"/>";
    let items = |odd: &str| (0..200).map(|n| item(n, if n > 195 { odd } else { "" })).collect::<String>();
    let rss = |inside: &str| {
        format!(
            "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>c</title>{inside}</channel></rss>"
        )
    };
    let entries = |ids: usize| -> String {
        (0..100).map(|n| format!("<entry><id>urn:{}</id><updated>2026-01-{:02}T00:00:00Z</updated><link href=\"https://example.com/{n}\"/></entry>\n", n % ids, n % 28 + 1)).collect()
    };
    let atom =
        |entries: String| format!("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>f</title>{entries}</feed>");
    let url = |n: usize, more: &str| format!("<url><loc>https://example.com/{n}</loc>{more}</url>\n");
    let urls: String = (0..300)
        .map(|n| url(n, if n == 299 { "<news:news><news:title>n</news:title></news:news>" } else { "" }))
        .collect();
    let documents = [
        ("late media", rss(&items(media)).into_bytes()),
        ("late head", rss(&(items("") + "<language>fi</language><ttl>5</ttl>")).into_bytes()),
        ("late bytes", [rss(&items("")).replace("t199", "t\u{fffd}").into_bytes(), b"\xe4".to_vec()].concat()),
        ("late nonsense", rss(&items("<x:y>&nope; & </x:y>")).into_bytes()),
        ("cut off", rss(&items("")).into_bytes()[..9_000].to_vec()),
        ("revisions", atom(entries(60)).into_bytes()),
        ("late news", format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">{urls}</urlset>").into_bytes()),
    ];
    for (name, bytes) in documents {
        for chunk in [500, 4_000].into_iter().take(count(1, 2)) {
            let found = check(&bytes, &small(2, chunk), name).expect("it can be read");
            if name == "late media" {
                assert_eq!((found.pages.different, found.pages.again), (190, 10));
                let first = &found.pages.examples[0];
                assert_eq!((first.entry, first.first_entry, first.line, first.first_line), (190, 0, 191, 1));
                assert_eq!((found.distinct_videos.different, found.distinct_videos.again), (1, 3));
            }
        }
    }
}

/// Everything but the name of the thread count.
#[test]
fn the_figures_do_not_depend_on_threads_or_chunks() {
    let dir = scratch("inspect-threads");
    let items = 1_400;
    std::fs::write(dir.join("many.rss"), many(items)).expect("written");
    let run = |args: &[&str]| {
        transfeed(&dir, &[&["inspect", "many.rss", "--json"], args].concat(), None).ok("inspect").text()
    };
    let one = run(&["-j", "1"]);
    assert_eq!(one, run(&["-j", "2"]));
    assert_eq!(one, run(&["-j", "8"]));
    let found = &json(&one)["inputs"][0];
    assert_eq!(found["looked_at"], items);
    let field = |name: &str| {
        let fields = found["fields"].as_array().expect("fields");
        fields.iter().find(|field| field["field"] == name).cloned().unwrap_or_default()
    };
    // the generator is known, so its figures are
    let title = field("title");
    assert_eq!((&title["entries"], &title["values"]), (&items.into(), &items.into()));
    let distinct = title["distinct"].as_f64().expect("a number");
    assert!(title["estimated"] == true && (distinct / f64::from(items) - 1.0).abs() < 0.06, "{distinct}");
    assert_eq!(title["longest"]["characters"], 38);
    assert_eq!((&title["longest"]["entry"], &title["longest"]["line"]), (&1000.into(), &1002.into()));
    let category = field("category.term");
    assert_eq!(category["distinct"], 7);
    assert_eq!(category["frequent"][0], serde_json::json!({"value": "k0", "count": 200}));
    let published = field("published");
    assert_eq!(published["least"]["value"], "2026-01-01T00:00:00Z");
    assert_eq!(found["hosts"][0], serde_json::json!({"role": "page", "host": "h0.example", "count": 700}));
    assert_eq!(found["dates"]["latest"], "2026-01-28T00:00:00Z");
}

fn many(items: i32) -> String {
    let item = |n: i32| {
        let long = if n == 1000 { " that is longer than others" } else { "" };
        format!(
            "<item><title>title {n}{long}{}</title><link>https://h{}.example/{n}</link><category>k{}</category>\
             <pubDate>{:02} Jan 2026 00:00:00 GMT</pubDate></item>\n",
            if n == 1000 { "…" } else { "" },
            n % 2,
            n % 7,
            n % 28 + 1
        )
    };
    let all: String = (0..items).map(item).collect();
    format!("<rss version=\"2.0\"><channel><title>c</title>\n{all}</channel></rss>")
}

/// Namespaces and fields, counted by roxmltree.
#[test]
fn figures_are_those_of_another_parser() {
    let mut compared = 0;
    for path in documents() {
        let text = std::fs::read_to_string(&path).expect("a document in UTF-8");
        let Ok(xml) = roxmltree::Document::parse(&text) else { continue };
        let found =
            InspectOptions::default().to(&[]).document(&Bytes { name: "x", bytes: text.as_bytes() }).expect("read");
        let mut elements: BTreeMap<String, u64> = BTreeMap::new();
        for node in xml.descendants().filter(roxmltree::Node::is_element) {
            *elements.entry(node.tag_name().namespace().unwrap_or_default().to_owned()).or_default() += 1;
        }
        let ours: BTreeMap<String, u64> = found
            .namespaces
            .iter()
            .filter(|used| used.elements > 0)
            .map(|used| (used.uri.clone(), used.elements))
            .collect();
        assert_eq!(ours, elements, "{}", path.display());
        let entry = ["item", "entry", "url", "sitemap"];
        let above = ["channel", "feed", "urlset", "sitemapindex", "RDF"];
        let is_entry = |node: &roxmltree::Node<'_, '_>| {
            let parent = node.parent_element().map(|parent| parent.tag_name().name());
            let is_root = node.tag_name().name() == "video" && parent.is_none();
            is_root || entry.contains(&node.tag_name().name()) && parent.is_some_and(|parent| above.contains(&parent))
        };
        let entries: Vec<_> = xml.descendants().filter(is_entry).collect();
        assert_eq!(found.looked_at, entries.len() as u64, "{}", path.display());
        // an element that means one field and nothing else
        for (name, uri, field) in [
            ("pubDate", "", "published"),
            ("guid", "", "id"),
            ("lastmod", "http://www.sitemaps.org/schemas/sitemap/0.9", "updated"),
            ("changefreq", "http://www.sitemaps.org/schemas/sitemap/0.9", "changefreq"),
        ] {
            let is = |node: &roxmltree::Node<'_, '_>| {
                node.tag_name().name() == name && node.tag_name().namespace().unwrap_or_default() == uri
            };
            let values: Vec<&str> =
                entries.iter().flat_map(|entry| entry.children()).filter(is).filter_map(|node| node.text()).collect();
            let row = found.fields.iter().find(|row| row.field == field);
            if values.is_empty() || found.format == "sitemap-index" {
                continue;
            }
            let row = row.unwrap_or_else(|| panic!("{}: no {field}", path.display()));
            assert_eq!(
                (row.values, row.entries),
                (values.len() as u64, values.len() as u64),
                "{}: {field}",
                path.display()
            );
            if field != "published" {
                assert_eq!(
                    row.distinct,
                    values.iter().collect::<HashSet<_>>().len() as u64,
                    "{}: {field}",
                    path.display()
                );
            }
            compared += 1;
        }
    }
    assert!(compared >= 8, "only {compared} fields compared");
}

#[test]
fn a_part_is_the_part_that_was_asked_for() {
    let text = many(2_000);
    let input = Bytes { name: "x", bytes: text.as_bytes() };
    let look = |select| InspectOptions::default().select(select).with(small(2, 20_000)).document(&input).expect("read");
    let first = look(Select::First(100));
    assert_eq!((first.looked_at, first.entries, first.bytes), (100, None, None));
    let sample = look(Select::Spread(100));
    assert_eq!((sample.looked_at, sample.entries), (100, Some(2_000)));
    let all = look(Select::All);
    assert_eq!((all.looked_at, all.entries, all.bytes), (2_000, Some(2_000), Some(text.len() as u64)));
    // a part of more than there is, is all there is
    for select in [Select::First(9_000), Select::Spread(9_000)] {
        let found = look(select);
        assert_eq!((found.looked_at, found.entries), (2_000, Some(2_000)));
        assert_eq!(totals(&found), totals(&all));
    }
    // the forecast of the first ones is the report of a document that ends there
    let cut = text.lines().take(101).collect::<Vec<_>>().join("\n") + "</channel></rss>";
    let cut = InspectOptions::default().with(small(2, 20_000)).document(&Bytes { name: "x", bytes: cut.as_bytes() });
    assert_eq!(totals(&cut.expect("read")), totals(&first));
    let titles = sample.fields.iter().find(|row| row.field == "title").expect("titles");
    assert_eq!(titles.examples.iter().map(|example| example.entry).collect::<Vec<_>>(), [Some(0), Some(20), Some(40)]);
}

fn totals(found: &InspectedInput) -> Vec<(&'static str, transfeed::ledger::Totals)> {
    found.forecast.iter().map(|forecast| (forecast.to, forecast.totals)).collect()
}

/// Formats that no reader and no writer knows cannot be forecast.
#[test]
fn a_format_that_is_only_read_is_refused() {
    let opml: Option<&'static Format> = format::by_id("rss1");
    let found =
        InspectOptions::default().to(&[opml.expect("rss1")]).document(&Bytes { name: "x", bytes: many(2).as_bytes() });
    assert!(found.expect("read").forecast[0].refused.as_deref().is_some_and(|says| says.contains("only be read")));
}

/// Memory does not grow with the number of entries: no more than keys that wait in memory, up to their limit.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_flat() {
    let dir = scratch("inspect-memory");
    let item = |n: u32| {
        format!(
            "<item><title>title {n} {}</title><link>https://h{n}.example/{n}</link><guid>g{n}</guid>\
             <x:v xmlns:x=\"https://x.example/{}\" a{}=\"{n}\">{n}</x:v></item>\n",
            "word ".repeat(40),
            n % 5_000,
            n % 5_000
        )
    };
    let write = |name: &str, items: u32| {
        let mut text = String::from("<rss version=\"2.0\"><channel><title>c</title>\n");
        (0..items).for_each(|n| text.push_str(&item(n)));
        std::fs::write(dir.join(name), text + "</channel></rss>").expect("written");
    };
    // as much as is read ahead, and more
    write("small.rss", 8_000);
    write("large.rss", 14_000);
    let peak = |name: &str| {
        let (peak, code, stderr) =
            common::watch(&dir, &["inspect", name, "--json", "-j", "2", "--to", "video-sitemap"]);
        assert_eq!(code, Some(0), "{stderr}");
        peak
    };
    let (small, large) = (peak("small.rss"), peak("large.rss"));
    // 6,000 entries more with 24 bytes for each of two keys, and some room
    let room = 6_000 * 24 * 2 / 1024 + 4 * 1024;
    assert!(small > 1_000 && large < small + room, "{small} KiB, then {large} KiB");
    assert!(large < 96 * 1024, "{large} KiB");
}
