//! Conservation of JSON-LD and HTML pages: random objects with a token in every string, known and unknown properties, in all
//! shapes that schema.org allows and some that it does not. A token that is neither in the output nor in a row of the report
//! is a silent loss. What was written is written again to the byte.

use crate::common;
use crate::generate::Random;

use std::collections::HashSet;

use common::{count, try_convert};

const TARGETS: &[&str] =
    &["jsonld", "video-sitemap", "mrss", "rss", "atom-media", "atom", "sitemap", "text", "json", "jsonl"];

const OPTIONS: &[&str] =
    &["", "--for=none", "--pretty", "--foreign=drop", "--no-synth", "--keep-inactive", "--videos-from-html"];

/// Properties that the reader knows, and some that it does not.
const PROPERTIES: &[&str] = &[
    "name",
    "description",
    "thumbnailUrl",
    "thumbnail",
    "uploadDate",
    "duration",
    "embedUrl",
    "expires",
    "interactionStatistic",
    "interactionCount",
    "publication",
    "hasPart",
    "regionsAllowed",
    "ineligibleRegion",
    "requiresSubscription",
    "keywords",
    "genre",
    "creator",
    "isFamilyFriendly",
    "contentRating",
    "aggregateRating",
    "offers",
    "copyrightNotice",
    "usageInfo",
    "license",
    "caption",
    "transcript",
    "contentLocation",
    "partOfSeries",
    "partOfSeason",
    "episodeNumber",
    "sha256",
    "encoding",
    "identifier",
    "inLanguage",
    "actor",
    "director",
    "contentUrl",
    "encodingFormat",
    "contentSize",
    "width",
    "height",
    "bitrate",
    "datePublished",
    "dateModified",
    "dateCreated",
    "author",
    "contributor",
    "publisher",
    "image",
    "discussionUrl",
    "commentCount",
    "url",
    "mainEntityOfPage",
    "@id",
    "isPartOf",
    "position",
    "potentialAction",
    "about/topic",
    "a[1]",
    "video",
    "@reverse",
    "null",
];

/// Members of objects below a property.
const MEMBERS: &[&str] = &[
    "@type",
    "@id",
    "@value",
    "@language",
    "name",
    "url",
    "contentUrl",
    "email",
    "width",
    "height",
    "value",
    "startOffset",
    "endOffset",
    "description",
    "interactionType",
    "userInteractionCount",
    "isLiveBroadcast",
    "startDate",
    "endDate",
    "ratingValue",
    "ratingCount",
    "bestRating",
    "price",
    "priceCurrency",
    "businessFunction",
    "seasonNumber",
    "identifier",
    "address",
    "addressCountry",
    "propertyID",
    "inLanguage",
    "encodingFormat",
    "duration",
    "jobTitle",
    "logo",
];

/// Types that the objects may have.
const TYPES: &[&str] = &[
    "Person",
    "Organization",
    "ImageObject",
    "MediaObject",
    "Clip",
    "VideoObject",
    "BroadcastEvent",
    "InteractionCounter",
    "WatchAction",
    "LikeAction",
    "Country",
    "Place",
    "Offer",
    "AggregateRating",
    "PropertyValue",
    "TVSeason",
    "Thing",
];

/// A document in the making.
struct Maker {
    random: Random,
    next: usize,
    /// How many leaves it has.
    leaves: usize,
    tokens: Vec<String>,
}

impl Maker {
    fn token(&mut self) -> String {
        self.next += 1;
        let token = format!("tk{:06}", self.next);
        self.tokens.push(token.clone());
        token
    }

    fn string(&mut self) -> String {
        self.leaves += 1;
        let token = self.token();
        match self.random.below(8) {
            0 | 1 => format!("\"https://media.example.com/{token}\""),
            2 => format!("\"//media.example.com/{token}\""),
            3 => format!("\"a,{token} ; b\""),
            4 => format!("\" {token}\\n\\u003c/script> \\ud83d\\ude00\""),
            _ => format!("\"{token}\""),
        }
    }

    fn scalar(&mut self) -> String {
        const OTHERS: &[&str] = &[
            "true",
            "false",
            "null",
            "0",
            "1e3",
            "-4.50",
            "12345678901234567890",
            "\"\"",
            "\"PT1M3S\"",
            "\"2026-05-01\"",
            "\"2026-05-01T10:00:00\"",
            "\"US\"",
            "\"US,DE\"",
            "\"MPAA pg\"",
            "\"30\"",
            "\"0:30\"",
            "\"true\"",
            "\"SE\"",
        ];
        if self.random.chance(55) {
            return self.string();
        }
        self.leaves += 1;
        self.random.pick(OTHERS).to_owned()
    }

    fn value(&mut self, depth: usize) -> String {
        match self.random.below(10) {
            0..=4 => self.scalar(),
            5 | 6 if depth < 4 => {
                let count = self.random.below(4);
                let values: Vec<String> = (0..count).map(|_| self.value(depth + 1)).collect();
                if values.is_empty() {
                    // an unknown list without values is a leaf, a known one is none
                    return self.scalar();
                }
                format!("[{}]", values.join(", "))
            }
            _ if depth < 4 => {
                let count = 1 + self.random.below(5);
                let mut members: Vec<String> = Vec::new();
                for _ in 0..count {
                    let name = self.random.pick(MEMBERS);
                    let value = match name {
                        "@type" => {
                            self.leaves += 1;
                            format!("\"{}\"", self.random.pick(TYPES))
                        }
                        _ => self.value(depth + 1),
                    };
                    members.push(format!("\"{name}\": {value}"));
                }
                format!("{{{}}}", members.join(",\n "))
            }
            _ => self.scalar(),
        }
    }

    fn video(&mut self) -> String {
        self.leaves += 1;
        let mut members = vec!["\"@type\": \"VideoObject\"".to_owned()];
        if self.random.chance(70) {
            for name in ["name", "thumbnailUrl"] {
                let value = self.string();
                members.push(format!("\"{name}\": {value}"));
            }
            self.leaves += 2;
            members.push("\"uploadDate\": \"2026-05-01\"".to_owned());
            members.push(format!("\"url\": \"https://media.example.com/page{}\"", self.random.below(3)));
        }
        for _ in 0..self.random.below(14) {
            let name = self.random.pick(PROPERTIES);
            let value = self.value(0);
            members.push(format!("\"{name}\": {value}"));
        }
        format!("{{{}}}", members.join(",\n  "))
    }

    /// A video, a page with videos, or an object of another type.
    fn object(&mut self) -> String {
        match self.random.below(6) {
            0 => {
                self.leaves += 1;
                let (video, other) = (self.video(), self.value(0));
                format!("{{\"@type\": \"Article\", \"video\": {video}, \"other\": {other}}}")
            }
            1 => {
                self.leaves += 1;
                let videos: Vec<String> = (0..2).map(|_| self.video()).collect();
                let headline = self.string();
                format!(
                    "{{\"@type\": \"WebPage\", \"headline\": {headline}, \"mainEntity\": {{\"video\": [{}]}}}}",
                    videos.join(",\n")
                )
            }
            2 => {
                self.leaves += 2;
                let name = self.string();
                format!("{{\"@type\": \"Organization\", \"name\": {name}, \"about\": {{\"unknown\": [{{\"x\": 1}}]}}}}")
            }
            _ => self.video(),
        }
    }

    fn document(&mut self) -> String {
        self.leaves += 1;
        let shape = self.random.below(5);
        let first = self.video();
        let members = first.strip_prefix('{').unwrap_or_default();
        if shape == 0 {
            return format!("{{\"@context\": \"https://schema.org\", {members}");
        }
        let objects: Vec<String> = (0..1 + self.random.below(3)).map(|_| self.object()).collect();
        match shape {
            1 => format!("[{{\"@context\": \"https://schema.org\", {members},\n{}]", objects.join(",\n")),
            2 => {
                let item = |object: &String| format!("{{\"position\": 1, \"item\": {object}}}");
                let items: Vec<String> = objects.iter().map(item).collect();
                self.leaves += items.len();
                format!(
                    "{{\"@context\": \"https://schema.org\", \"itemListElement\": [{},\n{first}]}}",
                    items.join(",\n")
                )
            }
            3 => {
                self.leaves += 3;
                let list =
                    format!("{{\"@type\": \"ItemList\", \"itemListElement\": [{},\n{first}]}}", objects.join(",\n"));
                let page = format!("{{\"@type\": \"CollectionPage\", \"a\": 1, \"mainEntity\": {list}}}");
                format!("{{\"@context\": \"https://schema.org\", \"@graph\": [{page}]}}")
            }
            _ => format!("{{\"@context\": \"http://schema.org/\", \"@graph\": [{first},\n{}]}}", objects.join(",\n")),
        }
    }
}

fn tokens_in(text: &str) -> HashSet<&str> {
    text.match_indices("tk").filter_map(|(at, _)| text.get(at..at + 8)).collect()
}

/// What is wrong with the conversion of a document.
fn complaint(text: &str, leaves: Option<usize>, tokens: &[String], target: &str, options: &[&str]) -> Option<String> {
    let converted = match try_convert(text.as_bytes(), target, options) {
        Ok(converted) => converted,
        Err((code, message)) => return Some(format!("exit code {code}: {message}")),
    };
    if let Some(leaves) = leaves.filter(|leaves| converted.report.totals.leaves != *leaves as u64) {
        return Some(format!("{leaves} leaves, the report has {}", converted.report.totals.leaves));
    }
    let written = tokens_in(&converted.output);
    let told: HashSet<&str> =
        converted.report.rows.iter().filter_map(|row| row.from.as_deref()).flat_map(tokens_in).collect();
    let lost = tokens.iter().find(|token| !written.contains(token.as_str()) && !told.contains(token.as_str()));
    if let Some(token) = lost {
        return Some(format!("{token} is silently lost; output:\n{}", converted.output));
    }
    if target != "jsonld" {
        return None;
    }
    // a property of the wrong type may find another place once; after that, nothing moves
    let mut outputs = vec![converted.output];
    for _ in 0..2 {
        let last = outputs.last().map_or("", String::as_str);
        match try_convert(last.as_bytes(), target, options) {
            Ok(again) => outputs.push(again.output),
            Err((code, message)) => return Some(format!("again: exit code {code}: {message}\n{last}")),
        }
    }
    (outputs[1] != outputs[2]).then(|| format!("written otherwise:\n{}\n{}", outputs[1], outputs[2]))
}

fn drawn(seed: u64) -> (Maker, String, &'static str, Vec<&'static str>) {
    let mut maker = Maker { random: Random::new(seed), next: 0, leaves: 0, tokens: Vec::new() };
    let text = maker.document();
    let target = maker.random.pick(TARGETS);
    let options = [maker.random.pick(OPTIONS)].into_iter().filter(|option| !option.is_empty()).collect();
    (maker, text, target, options)
}

#[test]
fn every_value_of_json_ld_is_in_the_output_or_in_the_report() {
    let mut complaints = Vec::new();
    for number in 0..count(400, 4000) as u64 {
        let (maker, text, target, options) = drawn(number * 2 + 1);
        if let Some(wrong) = complaint(&text, Some(maker.leaves), &maker.tokens, target, &options) {
            complaints.push(format!("{number} to {target} {options:?}: {wrong}\nof\n{text}\n"));
        }
    }
    let count = complaints.len();
    assert!(complaints.is_empty(), "{count}:\n{}", complaints.into_iter().take(2).collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_value_of_a_page_is_in_the_output_or_in_the_report() {
    let mut complaints = Vec::new();
    for number in 0..count(200, 2000) as u64 {
        let (maker, json, target, options) = drawn(number * 2);
        // the end of a script cannot be in a string
        let (json, cut) = (json.replace("</", "<\\/"), number % 5 == 0);
        let script = |json: &str| format!("<script type=\"application/ld+json\">{json}</script>");
        let broken = if cut { script("{\"VideoObject\": ") } else { String::new() };
        // without a canonical URL, a page may be the head of several entries
        let own = if number % 2 == 0 { "<link rel=canonical href=https://media.example.com/p>" } else { "" };
        let text = format!("<!DOCTYPE html><html><head>{own}<title>t</title>{broken}{}</head></html>", script(&json));
        let leaves = maker.leaves + 1 + usize::from(!own.is_empty()) + usize::from(cut);
        let target = if target == "jsonld" { "json" } else { target };
        if let Some(wrong) = complaint(&text, Some(leaves), &maker.tokens, target, &options) {
            complaints.push(format!("{number} to {target} {options:?}: {wrong}\nof\n{text}\n"));
        }
    }
    let count = complaints.len();
    assert!(complaints.is_empty(), "{count}:\n{}", complaints.into_iter().take(2).collect::<Vec<_>>().join("\n"));
}

#[test]
fn documents_that_are_cut_off_or_deep_are_survived() {
    let deep =
        format!("{{\"@context\": \"https://schema.org\", \"@type\": \"VideoObject\", \"a\": {}", "[".repeat(200_000));
    let wide = format!(
        "{{\"@context\": \"https://schema.org\", \"@type\": \"VideoObject\"{}}}",
        ", \"keywords\": \"x\"".repeat(50_000)
    );
    for text in [deep, wide] {
        if let Err((code, message)) = try_convert(text.as_bytes(), "jsonld", &["--accept-truncated"]) {
            assert_ne!(code, 70, "{message}");
        }
    }
    let (_, text, ..) = drawn(77);
    for end in (1..text.len()).filter(|end| text.is_char_boundary(*end)).step_by(7) {
        if let Err((code, message)) = try_convert(&text.as_bytes()[..end], "video-sitemap", &["--accept-truncated"]) {
            assert_ne!(code, 70, "{message} at {end}");
        }
    }
}

/// Many pages have their structured data behind styles and texts.
#[test]
fn structured_data_at_the_end_of_a_page_is_found() {
    let script = "<script type=\"application/ld+json\">{\"@type\": \"VideoObject\", \"name\": \"n\", \"description\": \"d\", \
                  \"thumbnailUrl\": \"1.jpg\", \"uploadDate\": \"2026-01-02\", \"contentUrl\": \"1.mp4\"}</script>";
    for begin in ["<!doctype html><html>", "<html>", "\n<!-- x --><html>"] {
        let page = |script: &str| {
            let head = "<head><title>t</title><link rel=canonical href=https://pond.example/p></head>";
            format!("{begin}{head}<body>{}{script}</body></html>", "<p>words of a page</p>\n".repeat(9_000))
        };
        let found = try_convert(page(script).as_bytes(), "video-sitemap", &[]).expect("a page with a video");
        assert!(found.output.contains("<video:title>n</video:title>"), "{begin}");
        assert!(try_convert(page("").as_bytes(), "video-sitemap", &[]).is_err(), "{begin}");
    }
}
