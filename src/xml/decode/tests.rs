//! Tests of the decoder: every encoding, wrong declarations, mixtures, damage and compression, in all read sizes.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

use super::super::split::tests::Slow;
use super::*;

fn utf_16(text: &str, big: bool) -> Vec<u8> {
    text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Text, encoding, and codes with what was found.
type Outcome = (String, &'static str, Vec<(&'static str, u32, u32, String)>);

/// The same for all steps, and after a look ahead.
#[track_caller]
fn read(bytes: &[u8]) -> Outcome {
    let mut all: Vec<Outcome> = Vec::new();
    for (step, peek) in [(1, false), (2, true), (3, false), (7, true), (100_000, false), (100_000, true)] {
        let mut decoded = decode(Slow::new(bytes, step)).unwrap();
        let findings = decoded.findings();
        let prefix = if peek { Some(decoded.peek().unwrap()) } else { None };
        let mut text = Vec::new();
        decoded.read_to_end(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        if let Some(prefix) = prefix {
            assert!(text.starts_with(&prefix.text));
            assert_eq!(prefix.complete, prefix.text.len() == text.len());
        }
        let (trouble, untold) = findings.trouble();
        assert_eq!(untold, 0);
        let trouble = trouble.into_iter().map(|row| (row.code, row.line, row.column, row.found)).collect();
        all.push((text, findings.encoding(), trouble));
    }
    let first = all.swap_remove(0);
    for other in all {
        assert_eq!(first, other);
    }
    first
}

fn codes(outcome: &Outcome) -> Vec<&'static str> {
    outcome.2.iter().map(|row| row.0).collect()
}

fn encode(label: &str, text: &str) -> Vec<u8> {
    let (bytes, _, unmappable) = Encoding::for_label(label.as_bytes()).unwrap().encode(text);
    assert!(!unmappable, "{label} cannot say {text}");
    bytes.into_owned()
}

/// Feeds in all encodings that are to be read, with words that need them.
pub(crate) const ENCODINGS: &[(&str, &str)] = &[
    ("UTF-8", "Привет café 中文 日本 한국"),
    ("ISO-8859-1", "café"),
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
    ("windows-1252", "café “”"),
    ("windows-1253", "Καλημέρα"),
    ("windows-1254", "günaydın"),
    ("windows-1255", "שלום"),
    ("windows-1256", "مرحبا"),
    ("windows-1257", "žąsų"),
    ("windows-1258", "Việt".trim_ascii()),
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

#[test]
fn every_declared_encoding_is_read() {
    for (label, words) in ENCODINGS {
        let words = if *label == "windows-1258" { "Vit Nam đ" } else { words };
        let document = format!("\n<?xml version=\"1.0\" encoding=\"{label}\"?><rss><t>{words}</t></rss>");
        let name = Encoding::for_label(label.as_bytes()).unwrap().name();
        let bytes = encode(label, &document);
        assert_eq!(read(&bytes), (document.clone(), name, vec![]));
        assert_eq!(read(&gzip(&bytes)), (document, name, vec![]));
    }
}

#[test]
fn marks_beat_looks_beat_declarations() {
    let document = "<?xml version='1.0' encoding='UTF-16'?><a>жé中𝄞</a>";
    for big in [false, true] {
        let name = if big { "UTF-16BE" } else { "UTF-16LE" };
        let want = (document.to_owned(), name, vec![]);
        assert_eq!(read(&utf_16(document, big)), want);
        assert_eq!(read(&utf_16(&format!("\u{FEFF}{document}"), big)), want);
    }
    let marked = read(format!("\u{FEFF}{document}").as_bytes());
    assert_eq!((marked.0.as_str(), marked.1, codes(&marked)), (document, "UTF-8", vec!["encoding.conflict"]));
    let lines = read(&utf_16("http://a/\nhttp://b/\n", false));
    assert_eq!((lines.1, codes(&lines)), ("UTF-16LE", vec!["encoding.guessed"]));
    let plain = read(document.replace("жé中𝄞", "a").as_bytes());
    assert_eq!((plain.1, codes(&plain)), ("UTF-8", vec!["encoding.conflict"]));
}

#[test]
fn unknown_labels_mean_utf_8_and_conflict() {
    for words in ["é", "e"] {
        let document = format!("<?xml version='1.0' encoding='klingon'?><a>{words}</a>");
        let outcome = read(document.as_bytes());
        assert_eq!((outcome.0.as_str(), outcome.1), (document.as_str(), "UTF-8"));
        let found = "declared as klingon, an unknown encoding; detected UTF-8".to_owned();
        assert_eq!(outcome.2, [("encoding.conflict", 1, 1, found)]);
    }
}

/// A feed of some length with words in it.
fn feed(label: &str, words: &str, times: usize) -> String {
    let items = format!("<item><title>{words}</title>\n</item>").repeat(times);
    format!("<?xml version='1.0' encoding='{label}'?>\n<rss><channel>{items}</channel></rss>")
}

#[test]
fn declarations_that_lie_are_seen_through() {
    for (declared, real, words) in [
        ("UTF-8", "windows-1251", "Привет, дорогие друзья «мира»"),
        // the detector takes all of KOI8 for this one, which has all letters of the other
        ("UTF-8", "KOI8-U", "Привет, дорогие друзья мира, как дела"),
        ("UTF-8", "windows-1252", "Été à la plage, «café» crème"),
        ("UTF-8", "GBK", "这是一个视频节目的标题和说明文字"),
        ("UTF-8", "Shift_JIS", "これは日本語の動画のタイトルです"),
        ("UTF-8", "EUC-KR", "한국어 동영상의 제목과 설명입니다"),
        ("windows-1251", "UTF-8", "Привет"),
        ("windows-1251", "UTF-8", "ж"),
        ("ISO-8859-1", "UTF-8", "é"),
        ("KOI8-R", "UTF-8", "Привет"),
        ("GBK", "UTF-8", "中文节目"),
        ("Shift_JIS", "UTF-8", "日本の動画"),
        ("EUC-KR", "UTF-8", "한국어"),
    ] {
        for times in [1, 60] {
            let document = feed(declared, words, times);
            let outcome = read(&encode(real, &document));
            assert_eq!((outcome.0, outcome.1), (document, real), "{declared} {real}");
            let found = format!("declared as {declared}, but encoded as {real}");
            assert_eq!(outcome.2, [("encoding.conflict", 1, 1, found)]);
        }
    }
}

#[test]
fn true_declarations_of_short_words_are_believed() {
    for (label, words) in [("windows-1251", "Ні"), ("windows-1251", "Рік"), ("GBK", "中"), ("EUC-KR", "한국")] {
        let document = feed(label, words, 1);
        assert_eq!(
            read(&encode(label, &document)),
            (document, Encoding::for_label(label.as_bytes()).unwrap().name(), vec![])
        );
    }
}

#[test]
fn the_first_byte_beyond_ascii_decides_however_late_it_comes() {
    let padding = format!("<!--{}-->", "x".repeat(200_000));
    for (declared, real) in [("UTF-8", "windows-1251"), ("windows-1251", "UTF-8"), ("windows-1251", "windows-1251")] {
        let document = feed(declared, "Привет, дорогие друзья", 3) + &padding + &feed("x", "Привет, друзья", 3);
        let document = document.replacen("<rss>", &format!("<rss>{padding}"), 1);
        let outcome = read(&encode(real, &document));
        assert!(outcome.0 == document, "{declared} {real}");
        assert_eq!((outcome.1, codes(&outcome).len()), (real, usize::from(declared != real)));
    }
}

#[test]
fn undeclared_encodings_are_guessed_and_told() {
    let document = "http://пример.рф/страница\nhttp://пример.рф/видео\n";
    let outcome = read(&encode("windows-1251", document));
    assert_eq!((outcome.0.as_str(), outcome.1, codes(&outcome)), (document, "windows-1251", vec!["encoding.guessed"]));
}

#[test]
fn a_stretch_in_another_encoding_is_read_by_itself() {
    let good = "<item><title>Привет, дорогие друзья</title></item>\n";
    let bad = "<item><title>Здравствуйте, уважаемые гости</title><link>x</link></item>\n";
    for (own, other) in [("UTF-8", "windows-1251"), ("windows-1251", "UTF-8")] {
        for (before, after) in [(1, 1), (3000, 1), (2, 3000)] {
            let start = encode(own, &format!("<?xml version='1.0' encoding='{own}'?>\n{}", good.repeat(before)));
            let mut bytes = start.clone();
            bytes.extend(encode(other, bad));
            bytes.extend(encode(own, &good.repeat(after)));
            bytes.extend(encode(other, bad));
            let want = format!(
                "<?xml version='1.0' encoding='{own}'?>\n{}{bad}{}{bad}",
                good.repeat(before),
                good.repeat(after)
            );
            let outcome = read(&bytes);
            assert!(outcome.0 == want, "{own} {other} {before} {after} {:?}", outcome.2);
            assert_eq!((outcome.1, codes(&outcome)), (own, vec!["encoding.mixed"; 2]));
            assert_eq!(outcome.2[0].1 as usize, 2 + before);
        }
    }
}

#[test]
fn damaged_characters_are_replaced_and_told_once_a_run() {
    let tail = "<a>Привет ми\u{FFFD}</a>\n<a>Привет\u{FFFD}мир, мир</a>";
    let outcome = read(b"<a>\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82 \xD0\xBC\xD0\xB8\xD1</a>\n<a>\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82\xFF\xD0\xBC\xD0\xB8\xD1\x80, \xD0\xBC\xD0\xB8\xD1\x80</a>");
    assert_eq!((outcome.0.as_str(), outcome.1), (tail, "UTF-8"));
    let rows: Vec<_> = outcome.2.iter().map(|row| (row.0, row.1, row.2, row.3.as_str())).collect();
    assert_eq!(rows, [("encoding.invalid", 1, 13, "the byte D1"), ("encoding.invalid", 2, 10, "the byte FF")]);
    // surrogates in UTF-8 are no text of another encoding
    let outcome = read(b"<a>\xED\xA0\xBD\xED\xB8\x80 x \xD0\xBC</a>");
    assert_eq!((outcome.1, codes(&outcome)), ("UTF-8", vec!["encoding.invalid"]));
    let outcome = read(b"<a>x \xD1 y</a>");
    assert_eq!((outcome.0.as_str(), codes(&outcome)), ("<a>x \u{FFFD} y</a>", vec!["encoding.invalid"]));
    let outcome = read("<a>мир".as_bytes().split_last().unwrap().1);
    assert_eq!((outcome.0.as_str(), codes(&outcome)), ("<a>ми", vec!["encoding.invalid"]));
    let damaged = [
        &encode("Shift_JIS", "<?xml version='1.0' encoding='Shift_JIS'?>日本の動画の日本の動画の日本の動画の\n")[..],
        b"a\xFF\xFFb\xFD",
    ];
    let outcome = read(&damaged.concat());
    assert!(outcome.0.ends_with("\na\u{FFFD}\u{FFFD}b\u{FFFD}"), "{}", outcome.0);
    let rows: Vec<_> = outcome.2.iter().map(|row| (row.0, row.1, row.2)).collect();
    assert_eq!(rows, [("encoding.invalid", 2, 2), ("encoding.invalid", 2, 5)]);
    let outcome = read(b"<?xml version='1.0' encoding='windows-1253'?>\n\xCA\xE1\xD2\xD2\xEB\xDC");
    assert!(outcome.0.ends_with("Κα\u{FFFD}\u{FFFD}λά"));
    assert_eq!(outcome.2.iter().map(|row| (row.0, row.1, row.2)).collect::<Vec<_>>(), [("encoding.invalid", 2, 3)]);
}

#[test]
fn a_cut_emoji_or_quotation_mark_is_damage() {
    for cut in [&b"\xF0\x9F\x98"[..], b"\xE2\x80"] {
        let outcome = read(&[b"<a>x ", cut, b" y</a>"].concat());
        assert_eq!((outcome.0.as_str(), codes(&outcome)), ("<a>x \u{FFFD} y</a>", vec!["encoding.invalid"]));
    }
}

#[test]
fn lone_letters_of_another_encoding_are_read() {
    let outcome = read(b"<a>\xABSe acab\xF3\x85\xBB</a>");
    assert_eq!((outcome.0.as_str(), outcome.1), ("<a>«Se acabó…»</a>", "windows-1252"));
    let outcome = read(b"<a>caf\xE9 cr\xE8me</a><b>it\x92s</b>");
    assert_eq!((outcome.0.as_str(), outcome.1), ("<a>café crème</a><b>it’s</b>", "windows-1252"));
    assert_eq!(codes(&outcome), ["encoding.guessed"]);
}

#[test]
fn single_letters_that_are_words_are_read() {
    for words in [
        "Voyage à Paris",
        "naïve, x é",
        "Un « mot »",
        "Ü",
        "Ä;Ö",
        "Å er blå",
        "Paris à 5 €",
        "A – B",
        "it’s",
        "20 °C",
        "10 £",
    ] {
        let document = format!("loc;title\r\nhttps://a.example/2;{words}\r\n");
        let outcome = read(&encode("windows-1252", &document));
        assert_eq!(outcome.0, document, "{} {:?}", outcome.1, codes(&outcome));
    }
    // halves of characters of UTF-8 are replaced
    for damaged in [&b"a \xC2 b"[..], b"\xD0 \xD1 x", b"a \xE2 b"] {
        let outcome = read(&[b"<a>", damaged, b"</a>"].concat());
        assert_eq!((outcome.1, codes(&outcome)[0]), ("UTF-8", "encoding.invalid"), "{}", outcome.0);
    }
}

#[test]
fn what_is_packed_otherwise_is_named() {
    for (bytes, what) in [
        (&b"BZh9"[..], "bzip2"),
        (b"\xfd7zXZ\0", "xz"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"PK\x03\x04", "zip"),
        (b"\xff\xfe\0\0<\0\0\0", "UTF-32"),
        (b"<\0\0\0r\0\0\0", "UTF-32"),
        (b"\0\0\0<\0\0\0r", "UTF-32"),
        (&gzip(&gzip(b"<a/>")), "gzip inside gzip"),
        (&gzip(b"BZh9"), "bzip2"),
    ] {
        let error = decode(bytes).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert!(error.to_string().contains(&format!("cannot read the input: it is {what}; try `")), "{error}");
    }
}

#[test]
fn all_members_of_gzip_are_read() {
    let (one, two) = (feed("UTF-8", "Привет", 100), feed("UTF-8", "café", 2000));
    let want = (format!("{one}{two}"), "UTF-8", vec![]);
    let members = [gzip(one.as_bytes()), gzip(b""), gzip(two.as_bytes())].concat();
    assert_eq!(read(&members), want);
    assert_eq!(read(&[&members[..], &[0; 1000]].concat()), want);
    let rest = read(&[&members[..], b"\0\0junk"].concat());
    assert_eq!((&rest.0, codes(&rest)), (&want.0, vec!["gzip.garbage"]));
    assert!(decode(&members[..]).unwrap().findings().gzip());
}

#[test]
fn damaged_gzip_gives_what_could_be_inflated() {
    let text = feed("UTF-8", "Привет", 50) + &feed("UTF-8", "café", 50);
    let whole = gzip(text.as_bytes());
    for length in 2..whole.len() {
        let cut = read(&whole[..length]);
        assert!(text.starts_with(&cut.0), "{length}");
        assert_eq!(codes(&cut).last(), Some(&"gzip.truncated"), "{length}");
    }
    let mut flipped = whole.clone();
    let end = flipped.len();
    flipped[end - 6] ^= 1;
    let flipped = read(&flipped);
    assert_eq!((flipped.0, flipped.2.last().unwrap().0), (text.clone(), "gzip.corrupt"));
}

#[test]
fn bombs_are_refused_within_their_caps() {
    let run =
        |bytes: &[u8], caps| -> io::Result<u64> { io::copy(&mut decode_within(bytes, None, caps)?, &mut io::sink()) };
    let caps = Caps { ratio_from: 1 << 20, ..Caps::default() };
    let bomb = gzip(&vec![b' '; 2 << 20]);
    let error = run(&bomb, caps).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the gzip stream decompresses to more than 200 times its size; --max-ratio raises the limit"
    );
    assert_eq!(run(&bomb, Caps { ratio: 2000, ..caps }).unwrap(), 2 << 20);
    let error = run(&bomb, Caps { inflated: 1000, ..Caps::default() }).unwrap_err();
    let says = "the gzip stream decompresses to more than 1,000 bytes; --max-inflated raises the limit";
    assert_eq!(error.to_string(), says);
    let small = gzip(&vec![b' '; 1 << 20]);
    assert_eq!(run(&small, Caps { ratio: 2, ..caps }).unwrap(), 1 << 20);
}

#[test]
fn looking_ahead_stops_at_a_whole_character() {
    let document = "x".to_owned() + &"é".repeat(PEEK);
    let mut decoded = decode(document.as_bytes()).unwrap();
    let prefix = decoded.peek().unwrap();
    assert_eq!((prefix.text.len(), prefix.complete), (PEEK - 1, false));
    assert_eq!(decoded.peek().unwrap(), prefix);
    let mut text = String::new();
    decoded.read_to_string(&mut text).unwrap();
    assert_eq!(text, document);
    assert_eq!(decode(&b""[..]).unwrap().peek().unwrap(), Prefix { text: String::new(), complete: true });
}

#[test]
fn damage_without_end_is_counted() {
    let bytes = b"\xD0\xBC\xFF".repeat(30_000);
    let mut decoded = decode(&bytes[..]).unwrap();
    let findings = decoded.findings();
    assert_eq!(io::copy(&mut decoded, &mut io::sink()).unwrap(), 30_000 * 5);
    assert_eq!(findings.trouble().0.len(), 10_000);
    assert_eq!(findings.trouble().1, 20_000);
}

proptest! {
    #[test]
    fn any_bytes_decode_alike_in_any_steps(
        label in prop::sample::select(&["utf-16", "gb18030", "iso-2022-jp", "big5", "x", "utf-8", "windows-1251"][..]),
        tail in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'<'), Just(b'a'), Just(0xD0), Just(0xB3)], 0..60),
        times in prop::sample::select(&[1usize, 1, 1, 700][..]),
        mark in 0usize..4, packed in any::<bool>(),
    ) {
        let mark: &[u8] = [&b""[..], b"\xFF\xFE", b"\xFE\xFF", b"\xEF\xBB\xBF"][mark];
        let bytes = [mark, format!("<?xml version='1.0' encoding='{label}'?>").as_bytes(), &tail.repeat(times)].concat();
        let bytes = if packed { gzip(&bytes) } else { bytes };
        let mut results = Vec::new();
        for step in [1, 3, 4096, 100_000] {
            if let Ok(mut decoded) = decode(Slow::new(&bytes, step)) {
                let findings = decoded.findings();
                let mut text = Vec::new();
                decoded.read_to_end(&mut text).unwrap();
                prop_assert!(std::str::from_utf8(&text).is_ok());
                results.push((text, findings.encoding(), findings.trouble()));
            }
        }
        prop_assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    }
}

#[test]
fn each_line_with_invalid_bytes_is_told() {
    let ascii = "a line of letters that everybody has\n".repeat(20);
    let mut bytes = format!("<?xml version='1.0'?>\n<a>{}</a>\n", "größer, schöner ".repeat(200)).into_bytes();
    for _ in 0..10 {
        bytes.extend_from_slice(b"<b>x\xE9\xE9y</b>\n");
        bytes.extend_from_slice(ascii.as_bytes());
    }
    let (.., told) = read(&bytes);
    let told = told.iter().filter(|(code, ..)| matches!(*code, "encoding.invalid" | "encoding.mixed"));
    let lines: Vec<u32> = told.map(|told| told.1).collect();
    let expected: Vec<u32> = (0..10).map(|number| 3 + 21 * number).collect();
    assert_eq!(lines, expected);
}
