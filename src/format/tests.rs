//! A vocabulary and a target that nobody else has: docs/CONTRIBUTING.md shows them, and here they convert documents. What is
//! between the lines `// [` and `// ]` stands there, word for word.

use std::path::Path;

use crate::convert::Conversion;
use crate::options::Profile;

// [ a vocabulary
use super::ns::dialect::{Dialect, DialectRow};
use crate::model::Field;

pub const HARBOUR: Dialect = Dialect {
    name: "harbour",
    title: "Harbour: recordings of ships (RSS)",
    namespaces: &["https://harbour.example/terms"],
    generators: &[],
    hosts: &["harbour.example"],
    rows: &[
        DialectRow::attr("recording", "seconds", Field::VideoDuration),
        DialectRow::text("watched", Field::VideoViews),
    ],
    videos: &[],
    known: &[],
    thumbnails: &[],
};
// ]

// [ a target
use super::{Format, FormatWriter, Setup, rss};
use crate::emit::{Carrier, Out, ValueSpelling};
use crate::fate::{Fate, FateTable};
use crate::model::{Entry, Feed};
use crate::options::Options;
use crate::reason::Reason;

/// RSS with nothing but addresses.
static BULLETIN: Format = Format {
    id: "bulletin",
    title: "RSS 2.0 with only addresses and ids",
    family: &rss::FAMILY,
    reader: rss::RSS.reader,
    writer: Some(&BulletinWriter),
};

struct BulletinWriter;

fn fate(field: Field) -> Fate {
    match field {
        Field::FeedHome | Field::Loc => Fate::Native("link"),
        Field::Id => Fate::Native("guid"),
        _ => Fate::NONE,
    }
}

impl FormatWriter for BulletinWriter {
    fn table(&self, _options: &Options) -> FateTable {
        fate
    }
    fn carrier(&self) -> Carrier {
        |_, _| None
    }
    fn spelling(&self) -> ValueSpelling {
        ValueSpelling { yes: "true", no: "false", date: |date| (date.to_rfc822(), None) }
    }
    fn namespaces(&self, _setup: &Setup<'_>) -> Vec<(String, String)> {
        Vec::new()
    }
    fn surveys(&self, _feed: &Feed<'_>, _options: &Options) -> bool {
        false
    }
    fn head<'e>(&self, feed: &'e Feed<'e>, _setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        out.enter("rss");
        out.enter("channel");
        out.put_always("link", Field::FeedHome, &feed.home, Reason::EmptyLink);
    }
    fn entry<'e>(&self, entry: &'e Entry<'e>, _setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        out.element("item", |out| {
            out.put(Field::Loc, &entry.loc);
            out.put(Field::Id, &entry.id);
        });
    }
    fn tail(&self, _setup: &Setup<'_>, buf: &mut Vec<u8>) {
        buf.extend_from_slice(b"</channel></rss>\n");
    }
}
// ]

/// What the example says, without the marks around it.
fn shown(what: &str) -> String {
    let source = include_str!("tests.rs");
    let (_, after) = source.split_once(&format!("// [ {what}\n")).expect("the beginning of an example");
    after.split_once("// ]").expect("the end of an example").0.to_owned()
}

#[test]
fn the_examples_in_the_documentation_are_those_that_run_here() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/CONTRIBUTING.md");
    let page = std::fs::read_to_string(page).expect("docs/CONTRIBUTING.md");
    for what in ["a vocabulary", "a target"] {
        assert!(page.contains(&format!("```rust\n{}```", shown(what))), "docs/CONTRIBUTING.md differs in {what}");
    }
}

const FEED: &str = r#"<rss version="2.0" xmlns:h="https://harbour.example/terms"><channel><title>Ships</title>
<link>https://example.com/</link><description>All of them</description>
<item><title>Ferry</title><link>https://example.com/1</link><guid isPermaLink="false">one</guid>
<enclosure url="https://example.com/1.mp4" length="5" type="video/mp4"/>
<h:recording seconds="77"/><h:watched>12</h:watched></item></channel></rss>"#;

#[test]
fn a_vocabulary_is_rows() {
    let options = Options { profile: Profile::None, ..Options::default() };
    let target = Conversion::to(&super::sitemap::VIDEO).with(options);
    let (whole, books) = target.bytes(FEED.as_bytes()).expect("a sitemap");
    assert!(whole.contains("<video:duration>77</video:duration>"), "{whole}");
    assert!(whole.contains("<video:view_count>12</video:view_count>"), "{whole}");
    let kept: Vec<Field> = books.kept().map(|(field, _)| field).collect();
    assert!(kept.contains(&Field::VideoDuration) && kept.contains(&Field::VideoViews), "{kept:?}");
}

#[test]
fn a_target_is_a_folder_and_a_line() {
    let (text, books) = Conversion::to(&BULLETIN).bytes(FEED.as_bytes()).expect("a bulletin");
    let head = "<rss><channel><link>https://example.com/</link>";
    let item = "<item><link>https://example.com/1</link><guid>one</guid></item>";
    assert_eq!(text, format!("{head}\n{item}\n</channel></rss>\n"));
    // every other leaf is named, and none was forgotten: a forgotten one would have been an error
    let totals = books.totals();
    assert_eq!(totals.leaves, totals.kept + totals.changed + totals.lost + totals.unread + totals.merged, "{totals:?}");
    let kept: Vec<Field> = books.kept().map(|(field, _)| field).collect();
    assert!([Field::FeedHome, Field::Loc, Field::Id].iter().all(|field| kept.contains(field)), "{kept:?}");
    let lost: Vec<&str> = books.lost().map(|(_, row)| row.name()).collect();
    assert!(lost.contains(&"title") && lost.contains(&"feed.title"), "{lost:?}");
}
