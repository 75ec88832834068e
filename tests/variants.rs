//! One feed and one sitemap, each written in the ways in which feeds and sitemaps of the world go wrong: what is read
//! of each, which repairs are told, and how the run ends. A variant is a row of a table; what it expects is what the
//! document says when it is in order, with the differences named.

use crate::common;

use std::io::Write;
use std::path::Path;

use common::{Run, scratch, transfeed};
use encoding_rs::Encoding;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

/// Pieces of a text that are replaced, in this order.
type Swaps = &'static [(&'static str, &'static str)];

/// A document that is not quite in order.
struct Variant {
    name: &'static str,
    /// What is done to the text of the document in order; each piece has to be there.
    swaps: Swaps,
    /// What is done to its bytes then.
    bytes: fn(String) -> Vec<u8>,
    expect: Expect,
}

enum Expect {
    /// It is read: how what is read differs, and the codes of the repairs.
    Read(Swaps, &'static [&'static str]),
    /// It cannot be read: exit code 2, and what the message says.
    Refused(&'static [&'static str]),
}

use Expect::{Read, Refused};

const FEED: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
<title>Новости</title>
<link>https://example.com/</link>
<description>Всё обо всём</description>
<item>
<title>Первый ролик</title>
<link>https://example.com/1</link>
<guid isPermaLink="false">one</guid>
<pubDate>Tue, 05 Mar 2024 10:00:00 GMT</pubDate>
<media:content url="https://example.com/1.mp4" type="video/mp4" duration="61"/>
</item>
<item>
<title>Второй ролик</title>
<link>https://example.com/2</link>
<guid isPermaLink="false">two</guid>
<pubDate>Wed, 06 Mar 2024 10:00:00 GMT</pubDate>
<media:content url="https://example.com/2.mp4" type="video/mp4" duration="62"/>
</item>
<item>
<title>Третий ролик</title>
<link>https://example.com/3</link>
<guid isPermaLink="false">three</guid>
<pubDate>Thu, 07 Mar 2024 10:00:00 GMT</pubDate>
<media:content url="https://example.com/3.mp4" type="video/mp4" duration="63"/>
</item>
</channel>
</rss>
"#;

const FEED_READ: &str = "\
mrss: Новости
Первый ролик | https://example.com/1 | 2024-03-05T10:00:00Z | https://example.com/1.mp4 61
Второй ролик | https://example.com/2 | 2024-03-06T10:00:00Z | https://example.com/2.mp4 62
Третий ролик | https://example.com/3 | 2024-03-07T10:00:00Z | https://example.com/3.mp4 63
";

const SITEMAP: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">
<url>
<loc>https://example.com/1</loc>
<lastmod>2024-03-05T10:00:00Z</lastmod>
<video:video>
<video:thumbnail_loc>https://example.com/1.jpg</video:thumbnail_loc>
<video:title>Первый ролик</video:title>
<video:description>О первом</video:description>
<video:content_loc>https://example.com/1.mp4</video:content_loc>
<video:duration>61</video:duration>
</video:video>
</url>
<url>
<loc>https://example.com/2</loc>
<lastmod>2024-03-06T10:00:00Z</lastmod>
<video:video>
<video:thumbnail_loc>https://example.com/2.jpg</video:thumbnail_loc>
<video:title>Второй ролик</video:title>
<video:description>О втором</video:description>
<video:content_loc>https://example.com/2.mp4</video:content_loc>
<video:duration>62</video:duration>
</video:video>
</url>
</urlset>
"#;

const SITEMAP_READ: &str = "\
video-sitemap
https://example.com/1 | 2024-03-05T10:00:00Z | Первый ролик | https://example.com/1.mp4 61
https://example.com/2 | 2024-03-06T10:00:00Z | Второй ролик | https://example.com/2.mp4 62
";

fn as_it_is(text: String) -> Vec<u8> {
    text.into_bytes()
}

fn cyrillic(text: String) -> Vec<u8> {
    encode("windows-1251", &text)
}

fn encode(label: &str, text: &str) -> Vec<u8> {
    let (bytes, _, _) = Encoding::for_label(label.as_bytes()).expect("a label").encode(text);
    bytes.into_owned()
}

fn gzip(bytes: Vec<u8>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

/// Twenty thousand elements inside each other, in the second item.
fn nested(text: String) -> Vec<u8> {
    let deep = "<a>".repeat(20_000) + &"</a>".repeat(20_000);
    text.replace("<guid isPermaLink=\"false\">two", &format!("{deep}<guid isPermaLink=\"false\">two")).into_bytes()
}

/// Up to the middle of the element that holds the second of these words.
fn cut(text: String) -> Vec<u8> {
    let at = text.find("Второй").expect("the second entry") + 6;
    text.into_bytes()[..at].to_vec()
}

/// Without the last end tags.
fn cut_near_the_end(text: String) -> Vec<u8> {
    let at = text.rfind("</video:video>").expect("a video");
    text.into_bytes()[..at].to_vec()
}

const BOMB: &str = "<!DOCTYPE rss [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \
                    \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;\">]>\n<rss version";
const OUTSIDE: &str =
    "<!DOCTYPE rss [<!ENTITY % p SYSTEM \"secret.dtd\"> %p; <!ENTITY x SYSTEM \"secret.txt\">]>\n<rss version";

const FEEDS: &[Variant] = &[
    Variant {
        name: "windows-1251, declared",
        swaps: &[("UTF-8", "windows-1251")],
        bytes: cyrillic,
        expect: Read(&[], &[]),
    },
    Variant {
        name: "UTF-16 with a mark",
        swaps: &[("UTF-8", "UTF-16")],
        bytes: |text| format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect(),
        expect: Read(&[], &[]),
    },
    Variant {
        name: "UTF-8 with a mark",
        swaps: &[],
        bytes: |text| format!("\u{FEFF}{text}").into_bytes(),
        expect: Read(&[], &[]),
    },
    Variant {
        name: "blank lines before the declaration",
        swaps: &[("<?xml", "\n\n<?xml")],
        bytes: as_it_is,
        expect: Read(&[], &["xml.prolog"]),
    },
    Variant {
        name: "declared as UTF-8, but windows-1251",
        swaps: &[],
        bytes: cyrillic,
        expect: Read(&[], &["encoding.conflict"]),
    },
    Variant {
        name: "declared as windows-1251, but UTF-8",
        swaps: &[("UTF-8", "windows-1251")],
        bytes: as_it_is,
        expect: Read(&[], &["encoding.conflict"]),
    },
    Variant {
        name: "a bare & in a title",
        swaps: &[("Первый ролик", "Том & Джерри")],
        bytes: as_it_is,
        expect: Read(&[("Первый ролик", "Том & Джерри")], &["xml.ampersand"]),
    },
    Variant {
        name: "a bare & in a link",
        swaps: &[("https://example.com/1<", "https://example.com/?a=1&b=2&c=3<")],
        bytes: as_it_is,
        expect: Read(&[("example.com/1 ", "example.com/?a=1&b=2&c=3 ")], &["xml.ampersand", "xml.ampersand"]),
    },
    Variant {
        name: "entities of HTML without a DTD",
        swaps: &[("Первый ролик", "Caf&eacute;&nbsp;noir")],
        bytes: as_it_is,
        expect: Read(&[("Первый ролик", "Café\u{a0}noir")], &["xml.entity", "xml.entity"]),
    },
    Variant {
        name: "cut in the middle of item 2",
        swaps: &[],
        bytes: cut,
        expect: Read(&[FEED_SECOND, FEED_THIRD], &["xml.truncated"]),
    },
    Variant {
        name: "a mismatched end tag inside item 1",
        swaps: &[("Первый ролик</title>", "Первый ролик</titel>")],
        bytes: as_it_is,
        expect: Read(&[], &["xml.nesting"]),
    },
    Variant {
        name: "the namespace of Media RSS without its slash",
        swaps: &[("/mrss/", "/mrss")],
        bytes: as_it_is,
        expect: Read(&[], &["ns.alias"]),
    },
    Variant {
        name: "the namespace of Media RSS with https",
        swaps: &[("http://search", "https://search")],
        bytes: as_it_is,
        expect: Read(&[], &["ns.alias"]),
    },
    Variant {
        name: "another prefix than media",
        swaps: &[("xmlns:media", "xmlns:m"), ("media:content", "m:content")],
        bytes: as_it_is,
        expect: Read(&[], &[]),
    },
    Variant {
        name: "the prefix media, not declared",
        swaps: &[(" xmlns:media=\"http://search.yahoo.com/mrss/\"", "")],
        bytes: as_it_is,
        expect: Read(&[], &["ns.undeclared"; 3]),
    },
    Variant {
        name: "rss without a version",
        swaps: &[(" version=\"2.0\"", "")],
        bytes: as_it_is,
        expect: Read(&[], &["rss.version"]),
    },
    Variant {
        name: "ITEM and TITLE",
        swaps: &[("<item>", "<ITEM>"), ("</item>", "</ITEM>"), ("title>", "TITLE>")],
        bytes: as_it_is,
        expect: Read(&[], &["name.case"; 7]),
    },
    Variant {
        name: "a control character in a title",
        swaps: &[("Первый ролик", "Первый \u{b}ролик\u{1}")],
        bytes: as_it_is,
        expect: Read(&[], &["xml.control"]),
    },
    Variant { name: "gzip", swaps: &[], bytes: |text| gzip(text.into_bytes()), expect: Read(&[], &[]) },
    Variant {
        name: "a date without seconds, zone EST",
        swaps: &[("Tue, 05 Mar 2024 10:00:00 GMT", "Tue, 05 Mar 2024 10:00 EST")],
        bytes: as_it_is,
        expect: Read(&[("2024-03-05T10:00:00Z", "2024-03-05T10:00-05:00")], &[]),
    },
    Variant {
        name: "ISO 8601 in pubDate",
        swaps: &[("Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05T10:00:00Z")],
        bytes: as_it_is,
        expect: Read(&[], &["date.lenient"]),
    },
    Variant {
        name: "a date of SQL in pubDate",
        swaps: &[("Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05 10:00:00")],
        bytes: as_it_is,
        expect: Read(&[("2024-03-05T10:00:00Z", "2024-03-05T10:00:00")], &["date.lenient"]),
    },
    Variant {
        name: "Russian names of day and month",
        swaps: &[("Tue, 05 Mar 2024 10:00:00 GMT", "Вт, 05 мар 2024 10:00:00 GMT")],
        bytes: as_it_is,
        expect: Read(&[], &["date.lenient"]),
    },
    Variant {
        name: "the duration 1:01.5",
        swaps: &[("duration=\"61\"", "duration=\"1:01.5\"")],
        bytes: as_it_is,
        expect: Read(&[("1.mp4 61", "1.mp4 61.5")], &["duration.lenient"]),
    },
    Variant {
        name: "an entity bomb",
        swaps: &[("<rss version", BOMB), ("Первый ролик", "&d;")],
        bytes: as_it_is,
        expect: Read(&[("Первый ролик", "&d;")], &["xml.doctype", "xml.entity", "xml.entity"]),
    },
    Variant {
        name: "an entity from outside",
        swaps: &[("<rss version", OUTSIDE), ("Первый ролик", "&x;")],
        bytes: as_it_is,
        expect: Read(&[("Первый ролик", "&x;")], &["xml.doctype", "xml.entity", "xml.entity"]),
    },
    Variant {
        name: "20,000 nested elements",
        swaps: &[],
        bytes: nested,
        expect: Read(&[FEED_SECOND], &["limit.depth"]),
    },
    Variant { name: "nothing at all", swaps: &[], bytes: |_| Vec::new(), expect: Refused(&["empty"]) },
    Variant {
        name: "a page of HTML",
        swaps: &[],
        bytes: |_| b"<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body>No</body></html>".to_vec(),
        expect: Refused(&["HTML", "404 Not Found"]),
    },
    Variant { name: "lines that end in CR", swaps: &[("\n", "\r")], bytes: as_it_is, expect: Read(&[], &[]) },
];

const FEED_SECOND: (&str, &str) =
    ("Второй ролик | https://example.com/2 | 2024-03-06T10:00:00Z | https://example.com/2.mp4 62\n", "");
const FEED_THIRD: (&str, &str) =
    ("Третий ролик | https://example.com/3 | 2024-03-07T10:00:00Z | https://example.com/3.mp4 63\n", "");
const SITEMAP_SECOND: (&str, &str) =
    ("https://example.com/2 | 2024-03-06T10:00:00Z | Второй ролик | https://example.com/2.mp4 62\n", "");

const SITEMAPS: &[Variant] = &[
    Variant {
        name: "blanks and line ends around loc",
        swaps: &[("<loc>https://example.com/1<", "<loc>\n    https://example.com/1  \n<")],
        bytes: as_it_is,
        expect: Read(&[], &[]),
    },
    Variant {
        name: "loc in CDATA",
        swaps: &[("<loc>https://example.com/1<", "<loc><![CDATA[https://example.com/1]]><")],
        bytes: as_it_is,
        expect: Read(&[], &[]),
    },
    Variant {
        name: "no namespace",
        swaps: &[(" xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"", "")],
        bytes: as_it_is,
        expect: Read(&[], &["ns.alias"]),
    },
    Variant {
        name: "the namespace of 0.84",
        swaps: &[("http://www.sitemaps.org/schemas/sitemap/0.9", "http://www.google.com/schemas/sitemap/0.84")],
        bytes: as_it_is,
        expect: Read(&[], &["ns.alias"]),
    },
    Variant {
        name: "the namespace with https",
        swaps: &[("http://www.sitemaps.org", "https://www.sitemaps.org")],
        bytes: as_it_is,
        expect: Read(&[], &["ns.alias"]),
    },
    Variant {
        name: "a prefix for all",
        swaps: &[
            ("xmlns=", "xmlns:s="),
            ("<urlset", "<s:urlset"),
            ("</urlset", "</s:urlset"),
            ("<url>", "<s:url>"),
            ("</url>", "</s:url>"),
            ("<loc>", "<s:loc>"),
            ("</loc>", "</s:loc>"),
            ("lastmod>", "s:lastmod>"),
            ("</s:lastmod>", "</s:lastmod>"),
        ],
        bytes: as_it_is,
        expect: Read(&[], &[]),
    },
    Variant {
        name: "another prefix than video",
        swaps: &[("xmlns:video", "xmlns:v"), ("<video:", "<v:"), ("</video:", "</v:")],
        bytes: as_it_is,
        expect: Read(&[], &[]),
    },
    Variant {
        name: "video 1.0 with https",
        swaps: &[(
            "http://www.google.com/schemas/sitemap-video/1.1",
            "https://www.google.com/schemas/sitemap-video/1.0",
        )],
        bytes: as_it_is,
        expect: Read(&[], &["ns.alias"]),
    },
    Variant {
        name: "lastmod of SQL, and of RFC 822",
        swaps: &[
            ("2024-03-05T10:00:00Z", "2024-03-05 10:00:00"),
            ("2024-03-06T10:00:00Z", "Wed, 06 Mar 2024 10:00:00 GMT"),
        ],
        bytes: as_it_is,
        expect: Read(&[("2024-03-05T10:00:00Z", "2024-03-05T10:00:00")], &["date.lenient", "date.lenient"]),
    },
    Variant {
        name: "the duration 61.4",
        swaps: &[(">61<", ">61.4<")],
        bytes: as_it_is,
        expect: Read(&[("1.mp4 61", "1.mp4 61.4")], &["duration.lenient"]),
    },
    Variant {
        name: "the durations PT1M1S and 00:01:02",
        swaps: &[(">61<", ">PT1M1S<"), (">62<", ">00:01:02<")],
        bytes: as_it_is,
        expect: Read(&[], &["duration.lenient", "duration.lenient"]),
    },
    Variant {
        name: "a bare & in loc",
        swaps: &[("<loc>https://example.com/1<", "<loc>https://example.com/?a=1&b=2<")],
        bytes: as_it_is,
        expect: Read(&[("example.com/1 ", "example.com/?a=1&b=2 ")], &["xml.ampersand"]),
    },
    Variant {
        name: "cut near its end",
        swaps: &[],
        bytes: cut_near_the_end,
        expect: Read(&[SITEMAP_SECOND], &["xml.truncated"]),
    },
    Variant {
        name: "a relative loc",
        swaps: &[("<loc>https://example.com/1<", "<loc>/1<")],
        bytes: as_it_is,
        expect: Read(&[("https://example.com/1 ", "/1 ")], &["url.relative"]),
    },
    Variant {
        name: "gzip of windows-1251",
        swaps: &[("UTF-8", "windows-1251")],
        bytes: |text| gzip(cyrillic(text)),
        expect: Read(&[], &[]),
    },
];

#[test]
fn thirty_feeds_that_are_not_in_order() {
    assert_eq!(FEEDS.len(), 30);
    let dir = scratch("variants-feeds");
    std::fs::write(dir.join("secret.txt"), "the secret").expect("a file can be written");
    std::fs::write(dir.join("secret.dtd"), "<!ENTITY x \"the secret\">").expect("a file can be written");
    check(&dir, FEED, FEED_READ, FEEDS, feed_read);
}

#[test]
fn fifteen_sitemaps_that_are_not_in_order() {
    assert_eq!(SITEMAPS.len(), 15);
    check(&scratch("variants-sitemaps"), SITEMAP, SITEMAP_READ, SITEMAPS, sitemap_read);
}

/// Every spelling of a namespace that is told as one, with the canonical one: an element of it says the same.
#[test]
fn every_spelling_of_a_namespace() {
    let spellings: &[(&str, &str, &str, &[&str])] = &[
        (
            "<p:title>Said</p:title>",
            "\"title\":\"Said\"",
            "http://search.yahoo.com/mrss/",
            &[
                "http://search.yahoo.com/mrss",
                "https://search.yahoo.com/mrss/",
                " http://search.yahoo.com/mrss/ ",
                "HTTP://Search.Yahoo.com/mrss/",
                "http://video.search.yahoo.com/mrss",
                "http://video.search.yahoo.com/mrss/",
                "http://tools.search.yahoo.com/mrss",
                "http://tools.search.yahoo.com/mrss/",
                "http://www.rssboard.org/media-rss",
                "http://www.rssboard.org/media-rss/",
                "http://search.yahoo.com/searchmonkey/media",
                "http://search.yahoo.com/searchmonkey/media/",
            ],
        ),
        (
            "<p:updated>2024-03-05T10:00:00Z</p:updated>",
            "\"updated\":\"2024-03-05T10:00:00Z\"",
            "http://www.w3.org/2005/Atom",
            &["https://www.w3.org/2005/Atom", "http://www.w3.org/2005/Atom/"],
        ),
        (
            "<p:encoded>Said</p:encoded>",
            "\"content\":{\"kind\":\"html\",\"value\":\"Said\"}",
            "http://purl.org/rss/1.0/modules/content/",
            &["http://purl.org/rss/1.0/modules/content"],
        ),
        (
            "<p:creator>Said</p:creator>",
            "\"authors\":[{\"name\":\"Said\"}]",
            "http://purl.org/dc/elements/1.1/",
            &[
                "http://purl.org/dc/elements/1.1",
                "http://purl.org/dc/elements/1.0/",
                "http://dublincore.org/documents/dcmi-namespace/",
            ],
        ),
        (
            "<p:created>2024-03-05</p:created>",
            "\"created\":\"2024-03-05\"",
            "http://purl.org/dc/terms/",
            &["http://purl.org/dc/terms", "http://dublincore.org/documents/dcmi-terms/"],
        ),
        (
            "<p:author>Said</p:author>",
            "\"authors\":[{\"name\":\"Said\"}]",
            "http://www.itunes.com/dtds/podcast-1.0.dtd",
            &["http://www.itunes.com/DTDs/PodCast-1.0.dtd", "http://example.com/DTDs/PodCast-1.0.dtd"],
        ),
        (
            "<p:comments>7</p:comments>",
            "\"comment_count\":7",
            "http://purl.org/rss/1.0/modules/slash/",
            &["http://purl.org/rss/1.0/modules/slash"],
        ),
        (
            "<p:commentRss>https://example.com/c</p:commentRss>",
            "\"comment_feed\":\"https://example.com/c\"",
            "http://wellformedweb.org/CommentAPI/",
            &["http://wellformedweb.org/commentAPI/", "http://wellformedweb.org/CommentAPI"],
        ),
        (
            "<p:in-reply-to ref=\"https://example.com/0\"/>",
            "\"in_reply_to\":",
            "http://purl.org/syndication/thread/1.0",
            &["http://purl.org/rss/1.0/modules/threading/"],
        ),
        (
            "<p:license>https://example.com/by</p:license>",
            "\"license\":",
            "http://backend.userland.com/creativeCommonsRssModule",
            &["http://cyber.law.harvard.edu/rss/creativeCommonsRssModule.html"],
        ),
        (
            "<p:license p2:resource=\"https://example.com/by\"/>",
            "https://example.com/by",
            "http://web.resource.org/cc/",
            &["http://creativecommons.org/ns#"],
        ),
        (
            "<p:author>Said</p:author>",
            "Said",
            "http://www.google.com/schemas/play-podcasts/1.0",
            &[
                "http://www.google.com/schemas/play-podcasts/1.0/",
                "https://www.google.com/schemas/play-podcasts/1.0",
                "http://www.google.com/schemas/play-podcasts/1.0/play-podcasts.xsd",
            ],
        ),
    ];
    let dir = scratch("variants-namespaces");
    for (element, said, canonical, aliases) in spellings {
        for uri in std::iter::once(canonical).chain(*aliases) {
            let document = format!(
                "<rss version=\"2.0\" xmlns:p=\"{uri}\" xmlns:p2=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><channel>\
                 <item>{element}<link>https://example.com/1</link></item></channel></rss>"
            );
            let (run, report) = convert(&dir, document.as_bytes(), &[]);
            assert!(run.text().contains(said), "{uri}: {}", run.text());
            let told: &[&str] = if uri == canonical { &[] } else { &["ns.alias"] };
            assert_eq!((codes(&report).as_slice(), run.code), (told, 0), "{uri}");
        }
    }
}

/// RSS in a namespace that it does not have, and in one under a prefix.
#[test]
fn rss_in_a_namespace() {
    let dir = scratch("variants-rss2");
    for uri in [
        "http://backend.userland.com/rss2",
        "http://backend.userland.com/RSS2",
        "http://blogs.law.harvard.edu/tech/rss",
        "http://www.rssboard.org/rss-specification",
    ] {
        let default = swapped(FEED, &[("xmlns:media", "xmlns=\"URI\" xmlns:media")], uri).replace("URI", uri);
        let (run, _) = convert(&dir, default.as_bytes(), &[]);
        assert_eq!(feed_read(&serde_json::from_slice(&run.stdout).unwrap_or_default()), FEED_READ, "{uri}");
    }
}

/// Sitemaps whole, in other encodings, cut at six tenths, and larger than one may be.
#[test]
fn sitemaps_of_all_kinds() {
    let dir = scratch("variants-sitemaps-of-all-kinds");
    let url = |n: usize| format!("<url><loc>https://example.com/{n}</loc></url>\n");
    let urls = |count: usize| -> String { (0..count).map(url).collect() };
    let document =
        |urls: &str| format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n");
    let whole = document(&urls(100));
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let cut = whole.len() * 6 / 10;
    for (name, bytes, codes_said, entries) in [
        ("UTF-16", wide(&whole), &["encoding.guessed"][..], 100..=100),
        ("UTF-16 with a mark", wide(&format!("\u{FEFF}{whole}")), &[], 100..=100),
        ("UTF-8 with a mark", format!("\u{FEFF}{whole}").into_bytes(), &[], 100..=100),
        ("gzip", gzip(whole.clone().into_bytes()), &[], 100..=100),
        ("cut", whole.as_bytes()[..cut].to_vec(), &["xml.truncated"], 55..=60),
        ("50,001", document(&urls(50_001)).into_bytes(), &[], 50_001..=50_001),
        ("twice", document(&(urls(3) + &url(1))).into_bytes(), &[], 4..=4),
    ] {
        let (run, report) = convert(&dir, &bytes, &[]);
        let model: Value = serde_json::from_slice(&run.stdout).unwrap_or_default();
        let found = model["entries"].as_array().map_or(0, Vec::len);
        assert!(run.code == i32::from(name == "cut") && entries.contains(&found), "{name}: {found} {}", run.stderr);
        assert_eq!(codes(&report), codes_said, "{name}");
    }
}

/// Lists of addresses with all that stands in them beside addresses.
#[test]
fn lists_of_addresses() {
    let dir = scratch("variants-text");
    let list = "https://example.com/a\n\n  https://example.com/b  \nhttp://пример.рф/ё\n";
    let expected = ["https://example.com/a", "https://example.com/b", "http://пример.рф/ё"];
    for (name, bytes) in [
        ("LF", list.as_bytes().to_vec()),
        ("CRLF", list.replace('\n', "\r\n").into_bytes()),
        ("CR", list.replace('\n', "\r").into_bytes()),
        ("a mark", format!("\u{FEFF}{list}").into_bytes()),
        ("no last line end", list.trim_end().as_bytes().to_vec()),
        ("UTF-16", format!("\u{FEFF}{list}").encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("gzip", gzip(list.as_bytes().to_vec())),
    ] {
        let (run, report) = convert(&dir, &bytes, &[]);
        assert_eq!(locs(&run), expected, "{name}: {}", run.stderr);
        assert_eq!((codes(&report), run.code), (vec![], 0), "{name}");
    }
    let odd = "https://example.com/a\n# a comment\nno address\nwww.example.com/b\n/c\nhttps://example.com/d\n";
    let (run, report) = convert(&dir, odd.as_bytes(), &[]);
    assert_eq!((codes(&report), run.code), (vec!["text.line"; 4], 0), "{}", run.stderr);
    let read = locs(&run);
    assert!(read.contains(&"https://example.com/a".to_owned()) && read.contains(&"https://example.com/d".to_owned()));
    let model = run.text();
    assert!(
        ["# a comment", "no address", "www.example.com/b", "/c"].iter().all(|line| model.contains(line)),
        "{model}"
    );
}

fn locs(run: &Run) -> Vec<String> {
    let model: Value = serde_json::from_slice(&run.stdout).unwrap_or_default();
    let entries = model["entries"].as_array().into_iter().flatten();
    entries.filter_map(|entry| entry["loc"].as_str().map(str::to_owned)).collect()
}

/// Holds every variant against what is expected of it, and names all that differ.
#[track_caller]
fn check(dir: &Path, base: &str, read: &str, variants: &[Variant], shown: fn(&Value) -> String) {
    let in_order = Variant { name: "in order", swaps: &[], bytes: as_it_is, expect: Read(&[], &[]) };
    let mut wrong = String::new();
    for variant in std::iter::once(&in_order).chain(variants) {
        let document = (variant.bytes)(swapped(base, variant.swaps, variant.name));
        let (run, report) = convert(dir, &document, &[]);
        let (expected, found) = match variant.expect {
            Read(swaps, codes) => {
                let model = serde_json::from_slice(&run.stdout).unwrap_or_default();
                let found = format!("{}{:?}, exit code {}\n", shown(&model), self::codes(&report), run.code);
                // what was cut off goes to standard output with a finding
                let code = i32::from(codes.contains(&"xml.truncated"));
                (format!("{}{codes:?}, exit code {code}\n", swapped(read, swaps, variant.name)), found)
            }
            Refused(words) => {
                let all = words.iter().all(|word| run.stderr.contains(word));
                let said = if all { format!("{words:?}") } else { run.stderr.clone() };
                (format!("{words:?}, exit code 2\n"), format!("{said}, exit code {}\n", run.code))
            }
        };
        if expected != found {
            wrong.push_str(&format!("\n{}:\n{}", variant.name, common::line_diff(&expected, &found)));
        }
        if let Some(fault) = strict(dir, variant, &document) {
            wrong.push_str(&format!("\n{}: {fault}\n", variant.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// With `--strict` what had to be repaired is refused, and nothing is written.
fn strict(dir: &Path, variant: &Variant, document: &[u8]) -> Option<String> {
    let (run, _) = convert(dir, document, &["--strict"]);
    let expected = if matches!(variant.expect, Read(_, &[])) { (0, true) } else { (2, false) };
    let found = (run.code, !run.stdout.is_empty());
    (found != expected).then(|| format!("--strict: exit code and output {found:?}, not {expected:?}"))
}

#[track_caller]
fn swapped(text: &str, swaps: Swaps, name: &str) -> String {
    swaps.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{name}: {from} is not there");
        text.replace(from, to)
    })
}

/// Converts to JSON; the run, and the report.
fn convert(dir: &Path, bytes: &[u8], more: &[&str]) -> (Run, Value) {
    std::fs::write(dir.join("in"), bytes).expect("the input can be written");
    let report = dir.join("report.json");
    drop(std::fs::remove_file(&report));
    let run = transfeed(dir, &[&["convert", "in", "--to", "json", "--report", "report.json"], more].concat(), None);
    (run, serde_json::from_slice(&std::fs::read(report).unwrap_or_default()).unwrap_or_default())
}

/// The codes of the repairs, sorted.
fn codes(report: &Value) -> Vec<&str> {
    let rows = report["diagnostics"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut codes: Vec<&str> = rows.iter().filter_map(|row| row["code"].as_str()).collect();
    codes.sort_unstable();
    codes
}

fn feed_read(model: &Value) -> String {
    let mut shown = format!("{}: {}\n", text(&model["format"]), text(&model["feed"]["title"]));
    for entry in model["entries"].as_array().into_iter().flatten() {
        let parts = [text(&entry["title"]), text(&entry["loc"]), text(&entry["published"]), video(entry)];
        shown.push_str(&(parts.join(" | ") + "\n"));
    }
    shown
}

fn sitemap_read(model: &Value) -> String {
    let mut shown = format!("{}\n", text(&model["format"]));
    for entry in model["entries"].as_array().into_iter().flatten() {
        let title = text(&entry["videos"][0]["title"]);
        let parts = [text(&entry["loc"]), text(&entry["updated"]), title, video(entry)];
        shown.push_str(&(parts.join(" | ") + "\n"));
    }
    shown
}

fn video(entry: &Value) -> String {
    let video = &entry["videos"][0];
    format!("{} {}", text(&video["files"][0]["url"]), text(&video["duration"]))
}

/// A value of the model as it is read: the characters of a text.
fn text(value: &Value) -> String {
    let value = if value.is_object() { &value["value"] } else { value };
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
