//! Bytes to text through the binary: every encoding, declarations that lie, two encodings in one file, gzip whole,
//! in members, cut and as a bomb. The limits of `convert` stand in tests/cases/bytes.

use crate::common;

use std::io::Write;
use std::path::Path;

use common::{Run, scratch, transfeed};
use encoding_rs::Encoding;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

/// Labels with words that need them.
const ENCODINGS: &[(&str, &str)] = &[
    ("UTF-8", "Привет café 中文 日本 한국"),
    ("ISO-8859-1", "café crème"),
    ("ISO-8859-2", "žluťoučký kůň"),
    ("ISO-8859-3", "ĉiuĵaŭde"),
    ("ISO-8859-4", "žąsų ķēķis"),
    ("ISO-8859-5", "Привет"),
    ("ISO-8859-6", "مرحبا"),
    ("ISO-8859-7", "Καλημέρα"),
    ("ISO-8859-8", "שלום"),
    ("ISO-8859-9", "günaydın"),
    ("ISO-8859-10", "Þórður ŋ"),
    ("ISO-8859-11", "สวัสดี"),
    ("ISO-8859-13", "žąsų"),
    ("ISO-8859-14", "ŵyneb"),
    ("ISO-8859-15", "cœur €"),
    ("ISO-8859-16", "știință"),
    ("windows-1250", "žluťoučký"),
    ("windows-1251", "Привет"),
    ("windows-1252", "café “crème”"),
    ("windows-1253", "Καλημέρα"),
    ("windows-1254", "günaydın"),
    ("windows-1255", "שלום"),
    ("windows-1256", "مرحبا"),
    ("windows-1257", "žąsų"),
    ("windows-1258", "đường".trim_ascii()),
    ("windows-874", "สวัสดี"),
    ("macintosh", "café"),
    ("x-mac-cyrillic", "Привет"),
    ("IBM866", "Привет"),
    ("KOI8-R", "Привет"),
    ("KOI8-U", "Їжак"),
    ("GBK", "中文节目"),
    ("GB18030", "中文节目"),
    ("Big5", "中文節目"),
    ("Shift_JIS", "日本の動画"),
    ("EUC-JP", "日本の動画"),
    ("ISO-2022-JP", "日本の動画"),
    ("EUC-KR", "한국어"),
];

fn item(words: &str, number: usize) -> String {
    format!("<item><title>{words}</title><link>https://example.com/{number}</link><guid>{number}</guid></item>\n")
}

fn feed(label: &str, items: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"{label}\"?>\n<rss version=\"2.0\"><channel><title>T</title>\
         <link>https://example.com/</link><description>D</description>\n{items}</channel></rss>\n"
    )
}

fn encode(label: &str, text: &str) -> Vec<u8> {
    let (bytes, _, _) = Encoding::for_label(label.as_bytes()).expect("a label").encode(text);
    bytes.into_owned()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

/// Converts to JSON; the run, and the report.
fn convert(dir: &Path, name: &str, bytes: &[u8], more: &[&str]) -> (Run, Value) {
    std::fs::write(dir.join(name), bytes).expect("the input can be written");
    let report = dir.join("report.json");
    drop(std::fs::remove_file(&report));
    let args = [&["convert", name, "--to", "json", "--report", "report.json"], more].concat();
    let run = transfeed(dir, &args, None);
    let report = std::fs::read(report).unwrap_or_default();
    (run, serde_json::from_slice(&report).unwrap_or_default())
}

fn codes(report: &Value) -> Vec<&str> {
    let rows = report["diagnostics"].as_array().map(Vec::as_slice).unwrap_or_default();
    rows.iter().filter_map(|row| row["code"].as_str()).collect()
}

fn entries(run: &Run) -> usize {
    let model: Value = serde_json::from_slice(&run.stdout).expect("the model is JSON");
    model["entries"].as_array().map_or(0, Vec::len)
}

#[test]
fn every_encoding_is_read() {
    let dir = scratch("encodings-all");
    for (label, words) in ENCODINGS {
        let document = feed(label, &item(words, 1));
        let (bytes, _, unmappable) = Encoding::for_label(label.as_bytes()).expect("a label").encode(&document);
        // Vietnamese in windows-1258 is written with accents that combine
        let words = if unmappable { "đ" } else { words };
        let bytes = if unmappable { encode(label, &feed(label, &item(words, 1))) } else { bytes.into_owned() };
        let (run, report) = convert(&dir, "feed.rss", &bytes, &[]);
        let run = run.ok(label);
        assert!(run.text().contains(words), "{label}: {}", run.text());
        assert_eq!(codes(&report), [""; 0], "{label}");
        let name = Encoding::for_label(label.as_bytes()).expect("a label").name();
        assert_eq!(report["source"]["encoding"], name);
    }
}

fn page(meta: &str, words: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html><head><!-- <meta charset=big5> -->{meta}<link rel=canonical href=https://example.com/1>\
         <title>{words}</title></head><body></body></html>"
    )
}

#[test]
fn html_pages_are_read_in_the_encoding_that_they_declare() {
    let dir = scratch("encodings-pages");
    let from = ["--from", "html"];
    for (label, words) in ENCODINGS {
        for meta in [
            format!("<meta charset=\"{label}\">"),
            format!("<META HTTP-EQUIV='Content-Type' CONTENT='text/html; Charset = {label}'>"),
            format!("<meta charset=nothing><style>{}</style><meta charset=' {label} '>", " ".repeat(2000)),
        ] {
            let document = page(&meta, words);
            let (bytes, _, unmappable) = Encoding::for_label(label.as_bytes()).expect("a label").encode(&document);
            let words = if unmappable { "đ" } else { words };
            let bytes = if unmappable { encode(label, &page(&meta, words)) } else { bytes.into_owned() };
            let (run, report) = convert(&dir, "page.html", &bytes, &from);
            let run = run.ok(label);
            assert!(run.text().contains(words), "{label}: {}", run.text());
            assert_eq!(codes(&report), [""; 0], "{label}");
        }
    }
    for label in ["utf-16", "UTF-16LE", "unicode", "utf-8"] {
        let document = page(&format!("<meta charset={label}>"), "Привет café");
        let (run, report) = convert(&dir, "page.html", document.as_bytes(), &from);
        assert!(run.ok(label).text().contains("Привет café"));
        assert_eq!(codes(&report), [""; 0], "{label}");
    }
    // the mark wins, and so do bytes that contradict
    for (mark, declared, real) in
        [("\u{FEFF}", "iso-8859-2", "UTF-8"), ("", "windows-1251", "UTF-8"), ("", "UTF-8", "KOI8-U")]
    {
        let words = "Привет, дорогие друзья";
        let document = page(&format!("<meta charset={declared}>"), words);
        let bytes = [mark.as_bytes(), &encode(real, &document)].concat();
        let (run, report) = convert(&dir, "page.html", &bytes, &from);
        assert!(run.ok(declared).text().contains(words), "{declared} {real}");
        assert_eq!(codes(&report), ["encoding.conflict"], "{declared} {real}");
    }
    // only pages have it
    let feed = feed("", &item("Привет", 1))
        .replace(" encoding=\"\"", "")
        .replace("<title>T", "<meta charset='big5'/><title>T");
    let (run, report) = convert(&dir, "feed.rss", feed.as_bytes(), &[]);
    assert!(run.ok("feed").text().contains("Привет"));
    assert_eq!(codes(&report), [""; 0]);
}

#[test]
fn utf_16_is_read_with_and_without_a_mark() {
    let dir = scratch("encodings-utf-16");
    for mark in ["", "\u{FEFF}"] {
        for big in [false, true] {
            let document = format!("{mark}{}", feed("UTF-16", &item("Привет 𝄞", 1)));
            let units = document.encode_utf16();
            let bytes: Vec<u8> =
                units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect();
            let (run, report) = convert(&dir, "feed.rss", &bytes, &[]);
            assert!(run.ok("UTF-16").text().contains("Привет 𝄞"));
            assert_eq!(codes(&report), [""; 0]);
        }
    }
}

#[test]
fn declarations_that_lie_are_seen_through_and_told() {
    let dir = scratch("encodings-lies");
    for (declared, real) in
        [("UTF-8", "windows-1251"), ("windows-1251", "UTF-8"), ("UTF-8", "KOI8-U"), ("GBK", "UTF-8")]
    {
        let words = "Привет, дорогие друзья";
        let bytes = encode(real, &feed(declared, &item(words, 1).repeat(5)));
        let (run, report) = convert(&dir, "feed.rss", &bytes, &[]);
        let run = run.ok(declared);
        assert!(run.text().contains(words));
        assert_eq!(codes(&report), ["encoding.conflict"], "{declared} {real}");
        assert!(run.stderr.contains(&format!("declared as {declared}, but encoded as {real}")), "{}", run.stderr);
        let (run, _) = convert(&dir, "feed.rss", &bytes, &["--strict"]);
        assert_eq!((run.code, run.stdout.len()), (2, 0));
    }
}

#[test]
fn two_encodings_in_one_file_are_both_read() {
    let dir = scratch("encodings-mixed");
    for (own, other) in [("UTF-8", "windows-1251"), ("windows-1251", "UTF-8")] {
        let document = feed(own, &(item("Привет, дорогие друзья", 1).repeat(40) + "MARK\n" + &item("Конец", 2)));
        let (before, after) = document.split_once("MARK\n").expect("the mark");
        let odd = encode(other, &item("Здравствуйте, уважаемые гости", 3));
        let bytes = [encode(own, before), odd, encode(own, after)].concat();
        let (run, report) = convert(&dir, "feed.rss", &bytes, &[]);
        let text = run.ok(own).text();
        assert!(text.contains("Здравствуйте, уважаемые гости") && text.contains("Конец"), "{own}");
        assert_eq!(codes(&report), ["encoding.mixed"]);
        assert_eq!(report["diagnostics"][0]["line"], 43);
    }
}

#[test]
fn a_file_of_values_that_was_cut_off_is_refused() {
    let dir = scratch("encodings-values");
    let feed = "<rss version=\"2.0\"><channel><title>T</title><item><link>https://pond.example/1</link></item></channel></rss>";
    std::fs::write(dir.join("a.rss"), feed).unwrap();
    let whole = gzip(b"loc,video.duration\nhttps://pond.example/1,86399\nhttps://pond.example/2,3599\n");
    std::fs::write(dir.join("cut.csv.gz"), &whole[..whole.len() - 20]).unwrap();
    std::fs::write(dir.join("cut.jsonl"), "{\"loc\":\"https://pond.example/1\",\"summary\":\"A fi").unwrap();
    for cut in ["cut.csv.gz", "cut.jsonl"] {
        let args = ["convert", "a.rss", "--to", "jsonl", "--enrich", cut];
        let refused = transfeed(&dir, &args, None);
        assert_eq!((refused.code, refused.text().as_str()), (2, ""), "{cut}: {}", refused.stderr);
        assert!(
            refused.stderr.contains(&format!("{cut}:")) && refused.stderr.contains("cut off"),
            "{}",
            refused.stderr
        );
        transfeed(&dir, &[&args[..], &["--accept-truncated"]].concat(), None).ok(cut);
    }
}

#[test]
fn gzip_is_known_by_its_content() {
    let dir = scratch("encodings-gzip");
    let document = feed("windows-1251", &(1..=300).map(|number| item("Привет", number)).collect::<String>());
    let bytes = encode("windows-1251", &document);
    let (plain, _) = convert(&dir, "feed.rss", &bytes, &[]);
    let half = bytes.len() / 2;
    let members = [gzip(&bytes[..half]), gzip(&bytes[half..]), vec![0; 512]].concat();
    for packed in [gzip(&bytes), members] {
        let (run, report) = convert(&dir, "feed.rss", &packed, &[]);
        assert!(run.ok("gzip").stdout == plain.stdout);
        assert_eq!(codes(&report), [""; 0]);
    }
}

#[test]
fn gzip_cut_off_gives_all_complete_entries() {
    let dir = scratch("encodings-cut");
    let document = feed("UTF-8", &(1..=300).map(|number| item("Привет", number)).collect::<String>());
    let packed = gzip(document.as_bytes());
    let (run, report) = convert(&dir, "feed.rss", &packed[..packed.len() / 2], &["--accept-truncated"]);
    let run = run.ok("cut");
    assert!((10..300).contains(&entries(&run)), "{}", entries(&run));
    assert!(codes(&report).contains(&"gzip.truncated") && codes(&report).contains(&"xml.truncated"));
    let (run, _) = convert(&dir, "feed.rss", &packed[..packed.len() / 2], &["--strict"]);
    assert_eq!((run.code, run.stdout.len()), (2, 0));
}

#[test]
fn damaged_gzip_without_content_is_not_empty() {
    let dir = scratch("encodings-damaged");
    let begun = [0x1f, 0x8b, 8, 0];
    for (bytes, says) in [(&b"\x1f\x8bjunk"[..], "damaged"), (&begun, "damaged"), (&gzip(b""), "empty")] {
        let (run, _) = convert(&dir, "feed.rss", bytes, &[]);
        assert!(run.code == 2 && run.stderr.contains(says), "{}", run.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn bombs_are_refused_in_flat_memory() {
    let dir = scratch("encodings-bomb");
    let mut bomb = GzEncoder::new(Vec::new(), Compression::default());
    let zeros = vec![0; 1 << 20];
    bomb.write_all(b"<rss version='2.0'><channel><title>").expect("memory takes it");
    // the ratio is looked at from 100 MiB on, which takes time without optimisation
    let full = common::count(0, 1) > 0;
    (0..if full { 104 } else { 24 }).for_each(|_| bomb.write_all(&zeros).expect("memory takes it"));
    std::fs::write(dir.join("bomb.gz"), bomb.finish().expect("memory takes it")).expect("the input can be written");
    let convert = ["convert", "bomb.gz", "--to", "json", "-j", "2"];
    for (more, says) in [
        (&[][..], "--max-head raises the limit"),
        (&["--max-head", "10GiB"], "--max-ratio raises the limit"),
        (&["--max-inflated", "1MiB"], "--max-inflated raises the limit"),
    ] {
        if says.contains("ratio") && !full {
            continue;
        }
        // a head of that size is allowed to cost memory
        let room = if more.contains(&"--max-head") { u64::MAX } else { 64 * 1024 };
        let (peak, code, stderr) = common::watch(&dir, &[&convert, more].concat());
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(says), "{stderr}");
        assert!(peak < room, "{peak} KiB");
    }
}

#[test]
fn other_packings_are_refused_with_a_hint() {
    let dir = scratch("encodings-packings");
    for (magic, hint) in [
        (&b"BZh91AY"[..], "bzip2 -dc"),
        (b"\xfd7zXZ\0\0", "xz -dc"),
        (b"\x28\xb5\x2f\xfd\0", "zstd -dc"),
        (b"PK\x03\x04", "unzip -p"),
        (&gzip(&gzip(b"<rss/>")), "gzip -dc"),
    ] {
        let (run, _) = convert(&dir, "feed.rss", magic, &[]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(hint), "{}", run.stderr);
    }
}
