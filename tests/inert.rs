//! A text that is inert stays inert: tags that are text in one format are never live markup after conversions to another
//! format and on to a third, in any field. What is live is what the model holds as markup.

use crate::common;
use crate::generate;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use common::{count, try_convert};
use generate::Random;
use serde_json::Value;

/// Formats that hold texts.
const TARGETS: &[&str] =
    &["rss", "mrss", "rss-podcast", "atom", "atom-media", "sitemap", "video-sitemap", "json", "jsonl"];

/// Elements of HTML and others, some of which hide what stands in them.
const TAGS: &[&str] = &["b", "p", "img", "script", "style", "iframe", "a", "svg", "live", "title", "template"];

/// A document in the making: each tag in its texts has a number of its own.
struct Texts {
    random: Random,
    tags: usize,
}

impl Texts {
    /// Words with tags, escaped between once (markup for those who take the text for HTML) and four times.
    fn words(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..=self.random.below(3) {
            text.push_str(self.random.pick(&["Use ", "frogs ", "1 < 2 ", "a & b ", "caf&eacute; ", "", "&lt; "]));
            if self.random.chance(70) {
                self.tags += 1;
                let name = self.random.pick(TAGS);
                let mut tag = format!("<{name} id=k{}>", self.tags);
                if self.random.chance(40) {
                    let _ = write!(tag, "here</{name}>");
                }
                for _ in 0..self.random.below(4) {
                    tag = escaped(&tag);
                }
                text.push_str(&tag);
            }
            text.push_str(self.random.pick(&[" here", "", " in feeds"]));
        }
        escaped(&text)
    }

    /// An element, or none.
    fn element(&mut self, name: &str, attributes: &[&str]) -> String {
        if self.random.chance(40) {
            return String::new();
        }
        let attribute = if attributes.is_empty() { "" } else { self.random.pick(attributes) };
        let words = self.words();
        match attribute {
            "xhtml" => {
                format!("<{name} type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">{words}</div></{name}>")
            }
            "" => format!("<{name}>{words}</{name}>"),
            _ => format!("<{name} type=\"{attribute}\">{words}</{name}>"),
        }
    }

    fn elements(&mut self, names: &[&str], attributes: &[&str]) -> String {
        names.iter().map(|name| self.element(name, attributes)).collect()
    }

    /// Media RSS, of an item or inside of a group.
    fn media(&mut self) -> String {
        let types = ["", "plain", "html"];
        let texts = self.elements(&["media:title", "media:description"], &types);
        let other = self.elements(&["media:text"], &types) + &self.elements(&["media:copyright", "media:credit"], &[]);
        let inner = if self.random.chance(30) {
            self.elements(&["media:title", "media:description"], &types)
        } else {
            String::new()
        };
        let content = format!("<media:content url=\"https://e.com/v.mp4\" medium=\"video\">{inner}</media:content>");
        let group = if self.random.chance(30) { format!("<media:group>{content}</media:group>") } else { content };
        format!("{texts}{other}{group}<media:thumbnail url=\"https://e.com/t.jpg\"/>")
    }

    fn rss(&mut self) -> String {
        let kinds = ["", "text", "html", "xhtml"];
        let names = ["title", "description", "copyright", "itunes:subtitle", "itunes:summary", "dc:title", "dc:rights"];
        let head = self.elements(&names, &[]) + &self.elements(&["atom:subtitle", "atom:rights"], &kinds);
        let image = self.elements(&["title", "description"], &[]);
        let input = self.elements(&["title", "description"], &[]);
        let mut items = String::new();
        for number in 0..3 {
            let link =
                if self.random.chance(80) { format!("<link>https://e.com/{number}</link>") } else { String::new() };
            let names = [
                "title",
                "description",
                "content:encoded",
                "dc:title",
                "dc:description",
                "dc:rights",
                "dc:creator",
                "category",
                "itunes:title",
                "itunes:subtitle",
                "itunes:summary",
                "source",
            ];
            let own =
                self.elements(&names, &[]) + &self.elements(&["atom:title", "atom:summary", "atom:rights"], &kinds);
            let media = if self.random.chance(50) { self.media() } else { String::new() };
            let _ = write!(items, "<item>{link}{own}{media}</item>");
        }
        format!(
            "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
             xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" xmlns:atom=\"http://www.w3.org/2005/Atom\" \
             xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"><channel>{head}<link>https://e.com/</link>\
             <image><url>https://e.com/i.png</url>{image}</image><textInput>{input}</textInput>{items}</channel></rss>"
        )
    }

    fn atom(&mut self) -> String {
        let kinds = ["", "text", "html", "xhtml"];
        let head = self.elements(&["title", "subtitle", "rights"], &kinds);
        let mut entries = String::new();
        for number in 0..3 {
            let link = match self.random.chance(80) {
                true => format!("<link href=\"https://e.com/{number}\"/>"),
                false => String::new(),
            };
            let own = self.elements(&["title", "summary", "content", "rights"], &kinds);
            let source = self.elements(&["title", "subtitle", "rights"], &kinds);
            let author = self.element("name", &[]);
            let media = if self.random.chance(50) { self.media() } else { String::new() };
            let _ = write!(
                entries,
                "<entry><id>urn:x:{number}</id>{link}{own}<author>{author}</author><source>{source}</source>{media}</entry>"
            );
        }
        format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:media=\"http://search.yahoo.com/mrss/\">\
             <id>urn:x</id>{head}{entries}</feed>"
        )
    }

    fn sitemap(&mut self) -> String {
        let mut urls = String::new();
        for number in 0..3 {
            let image = self.elements(&["image:caption", "image:title"], &[]);
            let news = self.elements(&["news:title"], &[]);
            let name = self.element("news:name", &[]);
            let names = ["video:title", "video:description", "video:tag", "video:category", "video:uploader"];
            let videos: String = (0..self.random.below(3))
                .map(|video| {
                    let own = self.elements(&names, &[]);
                    format!(
                        "<video:video><video:thumbnail_loc>https://e.com/t.jpg</video:thumbnail_loc>{own}\
                         <video:content_loc>https://e.com/{video}.mp4</video:content_loc></video:video>"
                    )
                })
                .collect();
            let _ = write!(
                urls,
                "<url><loc>https://e.com/{number}</loc><image:image><image:loc>https://e.com/i.png</image:loc>{image}</image:image>\
                 <news:news><news:publication>{name}<news:language>en</news:language></news:publication>{news}</news:news>\
                 {videos}</url>"
            );
        }
        format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
             xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">{urls}</urlset>"
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The tags that are live in a document: those in the texts that the model holds as markup.
fn live(document: &str) -> Result<BTreeSet<String>, (i32, String)> {
    let mut found = BTreeSet::new();
    for line in try_convert(document.as_bytes(), "jsonl", &[])?.output.lines() {
        let mut open = vec![serde_json::from_str::<Value>(line).expect("a line of JSON")];
        while let Some(value) = open.pop() {
            match value {
                Value::Object(members) => {
                    let text = |name: &str| members.get(name).and_then(Value::as_str);
                    if let (Some("html" | "xhtml"), Some(text)) = (text("kind"), text("value")) {
                        found.extend(tags(text));
                    }
                    open.extend(members.into_iter().map(|(_, member)| member));
                }
                Value::Array(items) => open.extend(items),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
            }
        }
    }
    Ok(found)
}

/// The numbers of the tags in markup.
fn tags(markup: &str) -> impl Iterator<Item = String> {
    markup.split('<').skip(1).filter_map(|tag| {
        let (name, rest) = tag.split_once(" id=")?;
        let number = rest.trim_start_matches('"').split(|c: char| !c.is_ascii_alphanumeric()).next()?;
        TAGS.contains(&name).then(|| number.to_owned())
    })
}

/// What is wrong with a chain of conversions.
fn fault(source: &str, chain: &[&str], options: &[&str]) -> Option<String> {
    let before = live(source).expect("the document can be read");
    let mut document = source.to_owned();
    for target in chain {
        document = match try_convert(document.as_bytes(), target, options) {
            Ok(converted) => converted.output,
            Err((code, message)) => {
                assert_ne!(code, 70, "{chain:?}: {message}\n{source}");
                return None;
            }
        };
        let after = live(&document).ok()?;
        let new: Vec<_> = after.difference(&before).collect();
        if !new.is_empty() {
            return Some(format!("{new:?} became live on the way {chain:?} {options:?}:\n{source}\n{document}"));
        }
    }
    None
}

#[test]
fn what_is_inert_stays_inert() {
    let (mut faults, mut chains) = (Vec::new(), 0);
    for seed in 0..count(12, 400) as u64 {
        let mut texts = Texts { random: Random::new(seed ^ 0x696e_6572_7400), tags: 0 };
        let source = match seed % 4 {
            0 | 1 => texts.rss(),
            2 => texts.atom(),
            _ => texts.sitemap(),
        };
        let options: &[&str] = if seed % 3 == 2 { &["--foreign", "keep"] } else { &[] };
        for first in TARGETS {
            let second = texts.random.pick(TARGETS);
            chains += 1;
            faults.extend(fault(&source, &[first, second], options));
        }
    }
    assert!(chains > 90, "only {chains} chains");
    let shown: Vec<&str> = faults.iter().take(3).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} of {chains}:\n{}", faults.len(), shown.join("\n\n"));
}
