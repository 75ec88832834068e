//! Pages that return too often to be held as one entry: with little memory they are joined piece by piece, and what comes out
//! is what comes out with much.

use crate::common::{self, Report, leaves, scratch};

use std::fmt::Write as _;

const SPECIMENS: [(&str, &str); 6] = [
    ("full.mrss", "item"),
    ("full.atom", "entry"),
    ("full.rss", "item"),
    ("full-video-sitemap.xml", "url"),
    ("google-mrss.xml", "item"),
    ("google-video-sitemap.xml", "url"),
];

/// With an option that matters there.
const TARGETS: [(&str, &str); 5] = [
    ("video-sitemap", "--keep-inactive"),
    ("sitemap", "--no-limits"),
    // an image of the page for each video: nothing can be written before the last
    ("sitemap", "--thumbnails-as-images"),
    ("text", "--no-limits"),
    ("mrss", "--no-limits"),
];

/// How entries of one page differ.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// They do not.
    Same,
    /// Each has videos of its own.
    Distinct,
    /// Some have the same videos.
    Some,
    /// They have titles, ids and dates of their own, too.
    Ids,
}

/// The document with so many copies of its longest entry in place of its entries.
fn repeated(document: &str, name: &str, way: Way, copies: usize) -> String {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let starts = document.match_indices(&open).map(|(at, _)| at);
    let starts = starts.filter(|at| document[at + open.len()..].starts_with(['>', ' '])).collect::<Vec<_>>();
    let end_of = |start: usize| start + document[start..].find(&close).expect("an entry ends") + close.len();
    let entry = starts.iter().map(|start| &document[*start..end_of(*start)]).max_by_key(|entry| entry.len());
    let (entry, first) = (entry.expect("an entry"), starts[0]);
    let last = end_of(starts[starts.len() - 1]);
    let copies: String = (0..copies).map(|copy| changed(entry, way, copy)).collect();
    format!("{}{copies}{}", &document[..first], &document[last..])
}

fn changed(entry: &str, way: Way, copy: usize) -> String {
    let number = match way {
        Way::Same => return entry.to_owned(),
        Way::Some => copy % 4,
        Way::Distinct | Way::Ids => copy,
    };
    let mut text = entry.to_owned();
    for ending in [".mp4", ".flv", ".webm", "player?", "embed/"] {
        text = text.replace(ending, &format!("-{number}{ending}"));
    }
    if let Way::Ids = way {
        text = text.replace("<title>", &format!("<title>{copy} ")).replace("2026-0", &format!("202{}-0", copy % 7));
        text = text.replace("</id>", &format!("-{copy}</id>")).replace("</guid>", &format!("-{copy}</guid>"));
    }
    text
}

/// Every occurrence of a report, in whatever order.
fn occurrences(report: &Report) -> Vec<String> {
    let mut rows: Vec<String> = report.rows.iter().map(|row| format!("{row:?}")).collect();
    rows.sort_unstable();
    rows
}

/// What a document holds, wherever it stands and wherever its prefixes are declared.
fn values(xml: &str) -> Vec<(String, Option<String>, String)> {
    let mut values: Vec<_> = leaves(xml).into_iter().map(|leaf| (leaf.owner, leaf.attribute, leaf.value)).collect();
    values.sort_unstable();
    values
}

#[test]
fn pieces_are_what_the_whole_is() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/specimen");
    for (specimen, name) in SPECIMENS {
        let document = std::fs::read_to_string(root.join(specimen)).expect("a specimen");
        for way in [Way::Same, Way::Distinct, Way::Some, Way::Ids] {
            let document = repeated(&document, name, way, 5);
            for (target, option) in TARGETS {
                let what = format!("{specimen}, {way:?}, to {target} {option}");
                let convert = |memory: &str| {
                    let options = [option, "--memory", memory];
                    common::try_convert(document.as_bytes(), target, &options)
                        .unwrap_or_else(|(code, error)| panic!("{what}: exit {code}: {error}"))
                };
                let (whole, pieces) = (convert("256MiB"), convert("2MiB"));
                assert_eq!(whole.report.totals, pieces.report.totals, "{what}");
                let (told, again) = (occurrences(&whole.report), occurrences(&pieces.report));
                assert!(told == again, "{what}: {}", common::line_diff(&told.join("\n"), &again.join("\n")));
                if whole.output == pieces.output {
                    continue;
                }
                // unknown markup of the page is written with the last piece
                assert!(specimen == "full-video-sitemap.xml" && target == "video-sitemap", "{what}");
                assert_eq!(values(&whole.output), values(&pieces.output), "{what}");
            }
        }
    }
}

/// A feed of one page with so many videos.
fn one_page(entries: usize) -> String {
    let mut feed = String::from("<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel>\n");
    for n in 0..entries {
        let _ = writeln!(
            feed,
            "<item><title>Video {n}</title><link>https://e.com/watch</link>\
             <media:content url=\"https://e.com/{n}.mp4\" type=\"video/mp4\"/>\
             <media:thumbnail url=\"https://e.com/{n}.jpg\"/></item>"
        );
    }
    feed + "</channel></rss>"
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_that_returns_is_not_held() {
    let dir = scratch("pieces-memory");
    let mut peaks = Vec::new();
    for (name, entries) in [("small.mrss", 1_500), ("large.mrss", 4_500)] {
        std::fs::write(dir.join(name), one_page(entries)).expect("written");
        let args = ["convert", name, "--to", "video-sitemap", "-o", "out.xml", "-q", "--memory", "4MiB", "-j", "2"];
        let (peak, code, stderr) = common::watch(&dir, &args);
        assert_eq!(code, Some(0), "{stderr}");
        let written = std::fs::read_to_string(dir.join("out.xml")).expect("an output");
        assert_eq!((written.matches("<url>").count(), written.matches("<video:video>").count()), (1, entries));
        peaks.push(peak);
    }
    // 3,000 entries more as a model would take about 40 MiB
    assert!(peaks[1] < peaks[0] + 6 * 1024, "{peaks:?} KiB");
}

#[test]
fn what_cannot_be_written_apart_is_bounded() {
    let mut page = String::from(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">",
    );
    for n in 0..4_000 {
        let _ = write!(
            page,
            "<url><loc>https://e.com/watch</loc><image:image><image:loc>https://e.com/{n}.jpg</image:loc></image:image></url>"
        );
    }
    page.push_str("</urlset>");
    let result = common::try_convert(page.as_bytes(), "mrss", &["--memory", "1MiB"]);
    let (code, error) = result.map(|_| ()).expect_err("too much for so little memory");
    assert_eq!(code, 2);
    assert!(error.contains("the page https://e.com/watch has 4,000 entries") && error.contains("--memory"), "{error}");
}
