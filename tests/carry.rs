//! `--foreign keep`: what a feed has no place for comes back on the way home. Video sitemaps made at random
//! go to each feed format and back, and are the same again; Media RSS goes through plain feeds.

use crate::common;

use std::fmt::Write as _;
use std::path::Path;

use proptest::prelude::*;

/// One element in some of the documents.
fn element(name: &'static str, values: &'static [&'static str]) -> BoxedStrategy<String> {
    proptest::option::of(proptest::sample::select(values))
        .prop_map(move |value| value.map(|value| format!("<{name}>{value}</{}>", first(name))).unwrap_or_default())
        .boxed()
}

fn first(name: &str) -> &str {
    name.split(' ').next().unwrap_or(name)
}

fn all(parts: Vec<BoxedStrategy<String>>) -> BoxedStrategy<String> {
    parts.prop_map(|parts| parts.concat()).boxed()
}

/// Addresses are made different by the number of the video.
fn video() -> BoxedStrategy<String> {
    let words = &["Frogs", "A &amp; B", "1 &lt; 2", "Ünï — ✓", "&lt;i&gt;slanted&lt;/i&gt; frogs", "two  blanks"];
    let price: &[&str] = &[
        "<video:price currency=\"EUR\" type=\"rent\" resolution=\"hd\">1.99</video:price>",
        "<video:price currency=\"EUR\">0.00</video:price>",
        "<video:price currency=\"USD\" resolution=\"sd\">3</video:price>",
        "<video:price currency=\"USD\" type=\"rent\">2.50</video:price>",
        "",
    ];
    let tv: &[&str] = &[
        "",
        "<video:tvshow><video:show_title>Pond</video:show_title><video:video_type>full</video:video_type>\
        <video:season_number>2</video:season_number><video:premier_date>2025-01-02</video:premier_date></video:tvshow>",
    ];
    let select = |values: &'static [&'static str]| proptest::sample::select(values).prop_map(str::to_owned).boxed();
    all(vec![
        Just("<video:video><video:thumbnail_loc>https://a.example/NUM.jpg</video:thumbnail_loc>".to_owned()).boxed(),
        proptest::sample::select(words).prop_map(|title| format!("<video:title>{title} NUM</video:title>")).boxed(),
        proptest::sample::select(words)
            .prop_map(|text| format!("<video:description>{text}</video:description>"))
            .boxed(),
        select(&[
            "<video:content_loc>https://a.example/NUM.mp4</video:content_loc>",
            "<video:player_loc allow_embed=\"yes\" autoplay=\"ap=1\">https://a.example/p/NUM</video:player_loc>",
            "<video:content_loc>https://a.example/NUM.mp4</video:content_loc><video:player_loc>https://a.example/p/NUM</video:player_loc>",
            "<video:player_loc allow_embed=\"no\">https://a.example/p/NUM</video:player_loc>",
        ]),
        element("video:duration", &["77", "28800"]),
        element("video:expiration_date", &["2030-01-01", "2030-01-01T10:00:00+03:00"]),
        element("video:rating", &["4.2", "5", "0.0"]),
        select(&[
            "",
            "<video:content_segment_loc duration=\"5\">https://a.example/s1</video:content_segment_loc>\
            <video:content_segment_loc>https://a.example/s2</video:content_segment_loc>",
        ]),
        element("video:view_count", &["0", "12345"]),
        select(&[
            "<video:publication_date>2026-01-02</video:publication_date>",
            "<video:publication_date>2026-01-02T03:04:05+00:00</video:publication_date>",
        ]),
        select(&["", "<video:tag>one</video:tag>", "<video:tag>one</video:tag><video:tag>two words</video:tag>"]),
        element("video:category", &["Cats", "Ponds &amp; lakes"]),
        element("video:family_friendly", &["yes", "no"]),
        select(&[
            "",
            "<video:restriction relationship=\"allow\">US CA</video:restriction>",
            "<video:restriction relationship=\"deny\">DE</video:restriction>",
        ]),
        select(&["", "<video:gallery_loc title=\"All\">https://a.example/g</video:gallery_loc>"]),
        select(price),
        element("video:requires_subscription", &["yes", "no"]),
        select(&[
            "<video:uploader info=\"https://a.example/u\">Ann</video:uploader>",
            "<video:uploader>Bob</video:uploader>",
        ]),
        select(tv),
        select(&[
            "",
            "<video:platform relationship=\"deny\">web tv</video:platform>",
            "<video:platform relationship=\"allow\">mobile</video:platform>",
        ]),
        element("video:live", &["yes", "no"]),
        select(&["", "<video:id type=\"tms:series\">x1</video:id>"]),
        Just("</video:video>".to_owned()).boxed(),
    ])
}

fn page() -> BoxedStrategy<String> {
    let images = "<image:image><image:loc>https://a.example/i.jpg</image:loc><image:caption>c</image:caption>\
        <image:geo_location>Ulm</image:geo_location><image:license>https://a.example/l</image:license></image:image>";
    let news = "<news:news><news:publication><news:name>Post</news:name><news:language>en</news:language></news:publication>\
        <news:publication_date>2026-01-05</news:publication_date><news:title>Pond found</news:title>\
        <news:keywords>a, b</news:keywords></news:news>";
    let select = |values: Vec<String>| proptest::sample::select(values).boxed();
    all(vec![
        select(vec!["<lastmod>2026-02-03</lastmod>".into(), "<lastmod>2026-02-03T04:05:06+00:00</lastmod>".into()]),
        element("changefreq", &["daily", "never"]),
        element("priority", &["0.3", "1.0"]),
        element("expires", &["2031-01-01"]),
        select(vec![String::new(), images.to_owned()]),
        proptest::collection::vec(video(), 0..3).prop_map(|videos| videos.concat()).boxed(),
        select(vec![String::new(), news.to_owned()]),
    ])
}

fn sitemap() -> impl Strategy<Value = String> {
    proptest::collection::vec(page(), 1..4).prop_map(|pages| {
        let mut text = String::from(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
             xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\n",
        );
        let mut video = 0;
        for (number, page) in pages.iter().enumerate() {
            let mut numbered = String::new();
            for (index, part) in page.split("<video:video>").enumerate() {
                video += usize::from(index > 0);
                let start = if index > 0 { "<video:video>" } else { "" };
                numbered.push_str(&format!("{start}{}", part.replace("NUM", &video.to_string())));
            }
            let _ = writeln!(text, "<url><loc>https://a.example/page/{number}</loc>{numbered}</url>");
        }
        text.push_str("</urlset>\n");
        text
    })
}

/// Converts, and returns the output.
#[track_caller]
fn convert(from: &str, to: &str, options: &[&str]) -> String {
    common::convert(from, from.as_bytes(), to, options).output
}

/// There and back: what the first and the last are as a sitemap with all that its schema can hold.
fn there_and_back(document: &str, there: &str) -> (String, String) {
    let options = ["--for", "none", "--pretty"];
    let feed = convert(document, there, &["--foreign", "keep"]);
    (convert(document, "video-sitemap", &options), convert(&feed, "video-sitemap", &options))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: common::count(16, 48) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_video_sitemap_comes_back_whole_from_every_feed(document in sitemap()) {
        for there in ["mrss", "atom-media", "rss", "rss-podcast", "atom"] {
            let (before, after) = there_and_back(&document, there);
            prop_assert_eq!(&before, &after, "by way of {}", there);
        }
    }
}

/// The members of a model that hold something, without those that a way may add.
fn model(document: &str) -> Vec<serde_json::Value> {
    let text = convert(document, "json", &[]);
    let model: serde_json::Value = serde_json::from_str(&text).expect("the model is JSON");
    model["entries"].as_array().expect("it has entries").clone()
}

#[test]
fn media_rss_comes_back_from_plain_feeds() {
    for (document, own) in [
        ("samples/catalogue.mrss", "mrss"),
        ("tests/fixtures/specimen/full.mrss", "mrss"),
        ("samples/channel.atom", "atom-media"),
    ] {
        for there in ["rss", "atom"] {
            let root = Path::new(env!("CARGO_MANIFEST_DIR"));
            let source = std::fs::read_to_string(root.join(document)).expect("the document");
            let back = convert(&convert(&source, there, &["--foreign", "keep"]), own, &[]);
            let (before, after) = (model(&source), model(&back));
            assert_eq!(before.len(), after.len(), "{document} by way of {there}");
            for (one, two) in before.iter().zip(&after) {
                for member in ["videos", "media"] {
                    assert_eq!(one.get(member), two.get(member), "{document} by way of {there}: {member}");
                }
            }
        }
    }
}
