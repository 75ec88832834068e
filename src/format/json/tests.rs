//! Proofs that a model comes back from JSON as it was. The models are made by asking the model itself for its
//! members, so that none can be forgotten here.

use serde::Deserialize;
use serde::de::value::{Error, StrDeserializer};
use serde::de::{self, DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use crate::convert::{Bytes, Conversion, Entries, write};
use crate::format::contract::Format;
use crate::format::json::{JSON, JSONL};
use crate::model::leaf::{MARKED, TEXT};
use crate::model::value::{DATE, DECIMAL, DURATION};
use crate::model::{Entry, Feed, Walk};
use crate::options::Options;
use crate::xml::names::Ns;

/// Makes up a value for whatever it is asked for.
struct Maker {
    state: u64,
    /// Of 8 members, so many are there.
    density: u64,
    videos: u8,
    /// The struct and the member in work.
    at: (&'static str, &'static str),
    /// The first member of the struct in work, unless that may be empty.
    first: &'static str,
}

impl Maker {
    fn new(seed: u64, density: u64) -> Maker {
        Maker { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, density, videos: 0, at: ("", ""), first: "" }
    }
    fn random(&mut self, below: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state % below
    }
    fn text(&mut self) -> String {
        let mut number = self.random(1 << 30);
        const ODD: [&str; 7] = ["\"", "\\", "\n", "é", "\u{1F600}", "</x>", " "];
        let odd = ODD[self.random(7) as usize];
        number += 1;
        match self.at {
            ("Module" | "Flag", "name") => format!("itunes:n{number}"),
            ("ModuleAttribute", "name") => format!("n{number}"),
            // markup that is none would be read as html, with good reason
            ("Text", "value") => format!("a &amp; <b>b{number}</b>"),
            ("Location", "shape") => "polygon".to_owned(),
            ("Foreign", "path") => format!("item/x:e[{number}]/@{odd}"),
            _ => format!("{odd}t{number}{odd}"),
        }
    }
    fn has(&mut self, member: &'static str) -> bool {
        match (self.at.0, member) {
            ("Foreign" | "Text", _) => true,
            ("Module" | "ModuleAttribute" | "Flag", "name") => true,
            // copies are read by the rules of inheritance, which these values do not follow
            (_, "inherited") => false,
            // a part without any leaf is as good as none
            _ if member == self.first => true,
            ("Video", "files") if self.videos > 1 => false,
            _ => self.random(8) < self.density,
        }
    }
}

impl<'de> Deserializer<'de> for &mut Maker {
    type Error = Error;
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let expected = (&visitor as &dyn de::Expected).to_string();
        let number = self.random(1 << 40);
        match expected.as_str() {
            "a duration in seconds" => visitor.visit_string(format!("{}.{:03}", number % 1_000_000, number % 1000)),
            "a decimal number" => visitor.visit_string(format!("-{number}.{:03}", number % 1000)),
            other => Err(Error::custom(format_args!("what is {other}?"))),
        }
    }
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let dates = ["2024-05", "2024-05-01T10:00:00+03:00", "2024-05-01T10:00:00.25", "Wed, 01 May 2024 10:00 EST"];
        match (&visitor as &dyn de::Expected).to_string().as_str() {
            "a W3C date" => visitor.visit_str(dates[self.random(4) as usize]),
            _ => visitor.visit_string(self.text()),
        }
    }
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(self.random(2) == 0)
    }
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u64(u64::MAX >> self.random(64))
    }
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        match name {
            MARKED | DATE | DURATION | DECIMAL => visitor.visit_newtype_struct(self),
            TEXT => self.deserialize_struct("Text", &["kind", "value", "lang", "base"], visitor),
            other => Err(Error::custom(format_args!("what is {other}?"))),
        }
    }
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let left = 1 + self.random(3);
        visitor.visit_seq(Made { maker: self, fields: &[], left })
    }
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (at, videos) = (self.at, self.videos);
        self.at = (name, "");
        self.first = fields.first().filter(|_| !matches!(name, "Feed" | "Entry")).copied().unwrap_or("");
        self.videos += u8::from(name == "Video");
        let made = visitor.visit_map(Made { maker: &mut *self, fields, left: 0 });
        (self.at, self.videos) = (at, videos);
        made
    }
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let variant = variants[self.random(variants.len() as u64) as usize];
        visitor.visit_enum(variant.into_deserializer())
    }
    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct map
        identifier ignored_any
    }
}

struct Made<'m> {
    maker: &'m mut Maker,
    fields: &'static [&'static str],
    left: u64,
}

impl<'de> SeqAccess<'de> for Made<'_> {
    type Error = Error;
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(&mut *self.maker).map(Some)
    }
}

impl<'de> MapAccess<'de> for Made<'_> {
    type Error = Error;
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        while let Some((member, rest)) = self.fields.split_first() {
            self.fields = rest;
            if self.maker.has(member) {
                self.maker.at.1 = member;
                let key: StrDeserializer<'_, Error> = (*member).into_deserializer();
                return seed.deserialize(key).map(Some);
            }
        }
        Ok(None)
    }
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let (of, member) = self.maker.at;
        let value = seed.deserialize(&mut *self.maker);
        self.maker.at = (of, member);
        value
    }
}

fn carried(part: &mut impl Walk<Names = ()>, maker: &mut Maker) {
    part.carriers(&mut |via| {
        *via = [None, None, None, Some(Ns::Dc), Some(Ns::Atom03)][maker.random(5) as usize];
    });
}

fn model(seed: u64, density: u64) -> (Feed<'static>, Vec<Entry<'static>>) {
    let mut maker = Maker::new(seed, density);
    let mut feed = Feed::deserialize(&mut maker).unwrap();
    carried(&mut feed, &mut maker);
    let entries = (0..2).map(|_| {
        let mut entry = Entry::deserialize(&mut maker).unwrap();
        carried(&mut entry, &mut maker);
        entry
    });
    let entries = entries.collect();
    (feed, entries)
}

/// The carriers, which equality does not look at.
fn carriers(part: &impl Walk<Names = ()>) -> Vec<Option<Ns>> {
    let mut all = Vec::new();
    part.walk((), &mut |seen| all.push(seen.via));
    all
}

#[track_caller]
fn comes_back(format: &'static Format, seed: u64, density: u64, options: &Options) {
    let (feed, entries) = model(seed, density);
    let mut json = Vec::new();
    write(format, feed.clone(), entries.clone(), options, &mut json).unwrap();
    let text = String::from_utf8(json).unwrap();
    let input = Bytes { name: "model", bytes: text.as_bytes() };
    let read = Entries::open(&input, None).unwrap();
    assert_eq!(read.format(), format);
    let leaves = |part: &Feed<'_>| carriers(part);
    assert_eq!((read.feed(), leaves(read.feed())), (&feed, carriers(&feed)), "{text}");
    let back: Vec<Entry<'_>> = read.map(Result::unwrap).collect();
    for (back, entry) in back.iter().zip(&entries) {
        assert_eq!(back, entry, "{text}");
        assert_eq!(carriers(back), carriers(entry), "{text}");
    }
    assert_eq!(back.len(), entries.len());
    let (again, ledger) = Conversion::to(format).with(options.clone()).bytes(text.as_bytes()).unwrap();
    assert_eq!(again, text);
    let totals = ledger.totals();
    assert_eq!(totals.leaves, totals.kept + totals.unread, "{:?}", ledger.rows());
    assert!(ledger.rows().iter().all(|row| row.field.ends_with("foreign")), "{:?}", ledger.rows());
    assert!(ledger.diagnostics().is_empty(), "{:?}", ledger.diagnostics());
}

#[test]
fn any_model_comes_back_from_a_document_and_from_lines() {
    comes_back(&JSON, 1, 8, &Options::default());
    comes_back(&JSONL, 1, 8, &Options::default());
    let pretty = Options { pretty: true, ..Options::default() };
    for seed in 0..9 {
        comes_back(&JSON, seed, seed % 9, &Options::default());
        comes_back(&JSONL, seed, seed % 9, &Options::default());
        comes_back(&JSON, seed, seed % 9, &pretty);
    }
}

/// Converts and gives the output with the rows of the report as (kind, field, path, value).
#[track_caller]
fn convert(text: &str) -> (String, Vec<String>) {
    let (again, ledger) = Conversion::to(&JSONL).bytes(text.as_bytes()).unwrap();
    let rows = ledger.rows().into_iter().flat_map(|row| {
        row.examples.iter().map(|example| {
            let path = example.path.as_deref().unwrap_or("-");
            let from = example.from.as_deref().unwrap_or("-");
            format!("{} {} {path} {from}", row.kind.name(), row.field)
        })
    });
    (again, rows.collect())
}

fn lines(entry: &str) -> String {
    format!("{{\"transfeed\":\"0.1\",\"format\":\"rss\",\"feed\":{{}}}}\n{entry}\n")
}

#[test]
fn what_cannot_be_read_is_foreign_and_stays_so() {
    let entry = r#"{"loc":"a","title":{"kind":"odd","value":"t","lang":3},"id":["x",{}],"loc":"b","new":{"a":[1,[null]]},
        "comment_count":-1,"tags":[1],"videos":[{"duration":"soon","tags":["a",2]},7],"updated":"never","rights":null}"#;
    let (once, rows) = convert(&lines(&entry.replace('\n', " ")));
    let wanted = [
        "unread foreign title/kind odd",
        "unread foreign title/lang 3",
        "unread foreign id x",
        "unread foreign id -",
        "unread foreign loc b",
        "unread foreign new/a 1",
        "unread foreign new/a null",
        "unread foreign comment_count -1",
        "unread foreign tags 1",
        "unread foreign videos/tags 2",
        "unread foreign videos/duration soon",
        "unread foreign videos 7",
        "unread foreign updated never",
    ];
    assert_eq!(rows, wanted, "{once}");
    let (twice, rows) = convert(&once);
    assert_eq!(once, twice);
    assert!(
        rows.iter()
            .all(|row| row.starts_with("unread foreign foreign/value") || row == "unread foreign foreign/path id[2]"),
        "{rows:?}"
    );
}

#[test]
fn places_deeper_than_the_limit_are_not_built() {
    let path = "a/".repeat(3000);
    let entry = format!(r#"{{"loc":"a","foreign":[{{"path":"{path}b","name":"b","value":"v"}}]}}"#);
    let text = lines(&entry);
    let input = Bytes { name: "model", bytes: text.as_bytes() };
    assert_eq!(Entries::open(&input, None).unwrap().filter_map(Result::ok).count(), 0);
    let (_, ledger) = Conversion::to(&crate::format::rss::RSS).bytes(text.as_bytes()).unwrap();
    assert_eq!(ledger.diagnostics()[0].code, "limit.depth");
}

#[test]
fn names_and_markup_from_json_cannot_break_a_document() {
    let entry = r#"{"modules":[{"name":"itunes:x><evil","value":"v"},{"name":"xmlns:a","value":"v"},
        {"name":"itunes:ok","attributes":[{"name":"a b","value":"1"},{"name":"c","value":"2"},{"name":"c","value":"3"}]}],
        "content":{"kind":"xhtml","value":"</div><evil/>"},"summary":{"kind":"xhtml","value":"<b>a</b>"}}"#;
    let text = lines(&entry.replace('\n', " "));
    let input = Bytes { name: "model", bytes: text.as_bytes() };
    let entry = Entries::open(&input, None).unwrap().next().unwrap().unwrap();
    assert_eq!(entry.modules.len(), 1);
    assert_eq!(entry.modules[0].attributes.len(), 1);
    let kinds = [&entry.content, &entry.summary].map(|text| text.as_ref().map(|text| text.kind));
    assert_eq!(kinds, [Some(crate::model::TextKind::Html), Some(crate::model::TextKind::Xhtml)]);
    assert_eq!(entry.origin.remarks[0].code, "json.xhtml");
}

#[test]
fn nesting_within_the_limit_does_not_overflow() {
    let options = {
        let mut options = Options::default();
        options.limits.tree.depth = 10_000;
        options
    };
    let deep = |open: &str, close: &str| lines(&format!("{}{}", open.repeat(500), close.repeat(500)));
    for text in [deep("{\"videos\":[", "]}"), deep("{\"media\":{\"files\":[", "]}}"), deep("{\"a\":[", "]}")] {
        Conversion::to(&JSONL).with(options.clone()).bytes(text.as_bytes()).unwrap();
    }
}

#[test]
fn entries_that_are_none_are_lost_and_named() {
    let text = "{\"transfeed\":\"0.1\",\"feed\":{},\"entries\":[1,{\"loc\":\"a\"},[],{\"loc\":}]}";
    let (_, ledger) = Conversion::to(&JSON).bytes(text.as_bytes()).unwrap();
    let totals = ledger.totals();
    assert_eq!((totals.leaves, totals.kept, totals.lost), (4, 1, 3));
    let places: Vec<_> = ledger.rows()[0].examples.iter().map(|example| (example.entry, example.column)).collect();
    assert_eq!(places, [(Some(0), Some(41)), (Some(2), Some(55)), (Some(3), Some(58))]);
}

#[test]
fn what_is_called_inherited_and_is_not_stays_a_leaf() {
    let entry = r#"{"videos":[{"title":"a","tags":["b"],"categories":[{"term":"c"},{"term":"d"}],
        "inherited":["title","categories[1]"]}],"media":{"categories":[{"term":"d"}]}}"#;
    let (once, rows) = convert(&lines(&entry.replace('\n', " ")));
    assert_eq!(rows, ["unread foreign videos/inherited title"]);
    assert!(once.contains(r#""title":"a""#) && once.contains(r#""inherited":["categories[1]"]"#), "{once}");
    let (_, ledger) = Conversion::to(&JSONL).bytes(once.as_bytes()).unwrap();
    assert_eq!(ledger.totals().leaves, 5, "a, b, c and d, which stands twice, and the name that is none");
}

#[test]
fn a_head_longer_than_detection_looks_is_still_one_document() {
    let title = "frogs ".repeat(20_000);
    let feed =
        format!("<rss version='2.0'><channel><title>{title}</title><item><title>x</title></item></channel></rss>");
    for target in [&JSON, &JSONL] {
        let (text, _) = Conversion::to(target).bytes(feed.as_bytes()).unwrap();
        let (again, _) = Conversion::to(target).bytes(text.as_bytes()).unwrap();
        assert_eq!(again, text);
    }
}
