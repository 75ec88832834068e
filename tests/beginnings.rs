//! A long document is written while only its beginning is known; what comes late must count as if it had been known.
//! Chunks of a few bytes make every document a long one.

use std::path::Path;

use transfeed::convert::{Bytes, Conversion, Input};
use transfeed::format;
use transfeed::options::Options;

/// The output, and what the books say.
fn converted(text: &[u8], to: &'static format::Format, chunk: usize) -> Result<(String, String), String> {
    let mut options = Options::default();
    options.limits.chunk = chunk;
    let (out, ledger) = Conversion::to(to).with(options).bytes(text).map_err(|error| error.to_string())?;
    let books = format!("{:?}\n{:?}\n{:?}", ledger.totals(), ledger.rows(), ledger.diagnostics());
    Ok((out, books))
}

fn same_in_any_chunks(name: &str, text: &[u8]) {
    for to in format::targets() {
        let whole = converted(text, to, 1 << 18);
        for chunk in [1, 64, 1 << 10] {
            assert_eq!(converted(text, to, chunk), whole, "{name} to {} in chunks of {chunk}", to.id);
        }
    }
}

/// Entries, and something that stands behind them.
fn late(head: &str, entry: &str, tail: &str) -> String {
    let entries: String = (0..20).map(|number| entry.replace("{}", &number.to_string())).collect();
    format!("{head}{entries}{tail}")
}

const RSS: &str = "<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel><title>A</title><link>https://example.com/</link><description>B</description>";
const ITEM: &str = "<item><title>T{}</title><link>https://example.com/{}</link><description>D</description><media:content url='https://example.com/{}.mp4' type='video/mp4'><media:thumbnail url='https://example.com/{}.jpg'/></media:content></item>\n";

#[test]
fn samples_are_the_same_in_any_chunks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut count = 0;
    for file in std::fs::read_dir(folder).expect("the samples can be listed").flatten() {
        let bytes = std::fs::read(file.path()).expect("a sample can be read");
        same_in_any_chunks(&file.path().display().to_string(), &bytes);
        count += 1;
    }
    assert!(count > 8);
}

#[test]
fn what_comes_late_counts() {
    let end = "</channel></rss>";
    let again = ITEM.replace("{}", "3");
    let image = "<item><link>https://example.com/x</link><media:content url='https://example.com/x.jpg' medium='image'/></item>";
    let tails = [
        ("nothing", end.to_owned()),
        ("a language", format!("<language>de</language>{end}")),
        ("a second title", format!("<title>Z</title>{end}")),
        ("an unknown element", format!("<x:y xmlns:x='urn:x'>z</x:y>{end}")),
        ("a page that returns", format!("{again}{end}")),
        ("an image", format!("{image}{end}")),
        ("a comment", format!("<!-- z -->{end}<!-- z -->")),
        ("no end", String::new()),
        ("a wrong end", format!("</x>{end}")),
        ("an entry cut off", "<item><title>".to_owned()),
        ("something behind the end", format!("{end} z")),
        ("a bad entry", format!("<item><title>&nbsp;<b></title></item>{end}")),
    ];
    for (name, tail) in tails.iter().step_by(crate::common::count(3, 1)) {
        same_in_any_chunks(name, late(RSS, ITEM, tail).as_bytes());
    }
}

#[test]
fn what_a_sitemap_says_late_counts() {
    const HEAD: &str = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'>";
    const URL: &str = "<url><loc>https://example.com/{}</loc><lastmod>2024-05-01</lastmod></url>";
    const NEWS: &str = "<url><loc>https://example.org/n</loc><news:news><news:publication><news:name>Late Times</news:name><news:language>en</news:language></news:publication><news:publication_date>2024-05-02</news:publication_date><news:title>T</news:title></news:news></url>";
    let tails = [
        ("nothing", "</urlset>".to_owned()),
        ("a name of a newspaper", format!("{NEWS}</urlset>")),
        ("a page that returns", format!("{}</urlset>", URL.replace("{}", "3"))),
        ("another page", "<url><loc>https://example.org/</loc></url></urlset>".to_owned()),
        ("no end", String::new()),
    ];
    for (name, tail) in tails {
        same_in_any_chunks(name, late(HEAD, URL, &tail).as_bytes());
        // the first page comes late
        same_in_any_chunks(name, late(HEAD, "<url><lastmod>2024-05-01</lastmod></url>", &tail).as_bytes());
    }
}

#[test]
fn odd_bytes_that_come_late_count() {
    let declared = "<?xml version='1.0' encoding='windows-1251'?>";
    for head in [RSS.to_owned(), format!("{declared}{RSS}")] {
        let text = late(&head, ITEM, "");
        for odd in [&b"\xE9"[..], b"\xD0\x96", b"\xFF", b"\0"] {
            let mut bytes = text.clone().into_bytes();
            bytes.extend_from_slice(b"<item><title>");
            bytes.extend_from_slice(odd);
            bytes.extend_from_slice(b"</title><link>https://example.com/odd</link></item></channel></rss>");
            same_in_any_chunks("odd bytes", &bytes);
        }
    }
}

#[test]
fn addresses_that_come_late_count() {
    let lines = "https://example.com/{}\n";
    for tail in ["", "https://example.com/3\n", "# no address\n", "https://example.com/\u{e9}"] {
        for head in ["", "# no address either\n"] {
            same_in_any_chunks("lines", late(head, lines, tail).as_bytes());
        }
    }
}

#[test]
fn what_stood_in_the_output_before_stays() {
    let mut options = Options::default();
    options.limits.chunk = 64;
    let to = format::by_id("video-sitemap").expect("a format");
    // a page that returns at the end would begin the output again
    let text = late(RSS, ITEM, &format!("{}</channel></rss>", ITEM.replace("{}", "3")));
    let conversion = Conversion::to(to).with(options);
    let (whole, _) = conversion.bytes(text.as_bytes()).expect("a feed");
    let input = Bytes { name: "-", bytes: text.as_bytes() };
    let mut out = b"before ".to_vec();
    conversion.run(&[&input as &dyn Input], &mut out, None).expect("a feed");
    assert_eq!(String::from_utf8(out).expect("text"), format!("before {whole}"));
}
