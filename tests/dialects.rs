//! Dialects: every row of the tables is understood, and documents come back the same by way of JSON. What a document
//! becomes is shown in tests/cases/dialects, whose inputs are taken here too.

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;

use common::line_diff;
use transfeed::convert::Conversion;
use transfeed::format::json::JSON;
use transfeed::format::ns::dialect::{DIALECTS, DialectRow, ValueForm};
use transfeed::model::Field;

/// Something that can stand for the row's value.
fn value(row: &DialectRow) -> &'static str {
    match (row.form, row.means) {
        (ValueForm::Millis, _) => "92500",
        (ValueForm::OnlyWords(words), _) => words[0].0,
        (ValueForm::Epoch, _) => "1333606028",
        (ValueForm::Integrity, _) => "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        (ValueForm::Geo, _) => "geo:60.2,24.9;u=9",
        (_, Field::Created | Field::VideoPublished | Field::VideoTvPremiere) => "2024-03-11",
        (_, Field::VideoAllowEmbed | Field::VideoFileIsDefault) => "true",
        (ValueForm::Plain, Field::VideoFileType) => "video/mp4",
        (_, Field::VideoFileLang) => "en",
        _ => "7",
    }
}

/// An element with all that the rows of its name speak of.
fn element(rows: &[&DialectRow]) -> String {
    let (mut attributes, mut children) = (BTreeMap::new(), BTreeMap::new());
    let mut text = "".to_owned();
    for row in rows {
        match row.attribute {
            "" => text = value(row).to_owned(),
            // the children of one name are one child
            nested if nested.contains('@') => drop(children.insert(nested, value(row))),
            name => {
                attributes.insert(name, value(row));
            }
        }
        match row.only {
            Some((nested, values)) if nested.contains('@') => drop(children.insert(nested, values[0])),
            Some((name, values)) => drop(attributes.insert(name, values[0])),
            None => (),
        }
    }
    let mut open = "";
    for (nested, value) in children {
        let (child, name) = nested.split_once('@').expect("a child and its attribute");
        text += &match child == std::mem::replace(&mut open, child) {
            true => format!(" {name}=\"{value}\""),
            false if text.is_empty() => format!("<d:{child} {name}=\"{value}\""),
            false => format!("/><d:{child} {name}=\"{value}\""),
        };
    }
    if !open.is_empty() {
        text += "/>";
    }
    let attributes: String = attributes.iter().map(|(name, value)| format!(" {name}=\"{value}\"")).collect();
    let name = rows[0].element;
    format!("<d:{name}{attributes}>{text}</d:{name}>")
}

#[test]
fn every_row_is_understood() {
    for dialect in DIALECTS {
        let mut by_name: BTreeMap<&str, Vec<&DialectRow>> = BTreeMap::new();
        dialect.rows.iter().for_each(|row| by_name.entry(row.element).or_default().push(row));
        for (namespace, rows) in dialect.namespaces.iter().flat_map(|uri| by_name.values().map(move |rows| (uri, rows)))
        {
            let element = element(rows);
            let feed = format!(
                "<rss version=\"2.0\" xmlns:d=\"{namespace}\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel>\
                 <item><link>https://a.example/</link><media:content url=\"https://a.example/v.mp4\"/>{element}</item>\
                 </channel></rss>"
            );
            let (json, books) = Conversion::to(&JSON).bytes(feed.as_bytes()).expect("it converts");
            assert_eq!(books.totals().unread, 0, "{}: {element}\n{json}", dialect.name);
            let is_known = json.contains("\"dialect\"") || json.contains("[\"yt\"]");
            assert!(is_known, "{}: {element} gives the model nothing\n{json}", dialect.name);
        }
    }
}

/// The document in a case, and its name.
fn input(case: &Path) -> (String, String) {
    let text = std::fs::read_to_string(case).expect("a case can be read");
    let (_, rest) = text.split_once("```xml file=").expect("a case has a document");
    let (name, rest) = rest.split_once('\n').expect("it has a name");
    let (document, _) = rest.split_once("\n```\n").expect("it ends");
    (name.to_owned(), document.to_owned() + "\n")
}

#[test]
fn by_way_of_json_they_are_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/dialects");
    let mut seen = 0;
    for case in std::fs::read_dir(folder).expect("cases are there") {
        let (name, document) = input(&case.expect("a case").path());
        let convert = |document: &str, to: &str| {
            let options = ["--to", to, "--now", common::NOW, "-j", "1"];
            let converted = transfeed::cli::in_memory::convert(document.as_bytes(), &options);
            String::from_utf8(converted.unwrap_or_else(|error| panic!("{name} to {to}: {error}")).output)
                .expect("UTF-8")
        };
        let model = convert(&document, "json");
        let again = convert(&model, "json");
        assert!(again == model, "{name}: json to json\n{}", line_diff(&model, &again));
        for target in ["rss", "mrss", "rss-podcast", "atom", "atom-media", "sitemap", "video-sitemap"] {
            let (direct, by_json) = (convert(&document, target), convert(&model, target));
            let (direct, by_json) = (without_namespaces(&direct), without_namespaces(&by_json));
            assert!(direct == by_json, "{name} to {target} by way of json\n{}", line_diff(&direct, &by_json));
        }
        seen += 1;
    }
    assert!(seen >= 14, "{seen} cases of dialects");
}

/// The document without the declarations of namespaces: they may stand elsewhere.
fn without_namespaces(document: &str) -> String {
    let mut words = Vec::new();
    for word in document.split(' ') {
        match word.strip_prefix("xmlns") {
            Some(rest) => words.push(rest.split_once('>').map_or("", |(_, rest)| rest)),
            None => words.push(word.trim_end_matches("/>").trim_end_matches('>')),
        }
    }
    words.retain(|word| !word.is_empty());
    words.join(" ")
}
