//! What independent readers see in our output of the samples, and of documents made at random, is what the model says: roxmltree, feed-rs, rss and
//! atom_syndication for titles, addresses and numbers of entries, jiff for dates.

use crate::common;
use crate::generate;

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The samples that are no sitemap index, whose entries are no pages.
fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let files = std::fs::read_dir(folder).expect("the samples are there");
    let mut found: Vec<PathBuf> = files.map(|file| file.expect("the folder can be read").path()).collect();
    found.retain(|path| {
        path.extension().is_some_and(|name| name != "md") && path.file_name().is_some_and(|name| name != "index.xml")
    });
    found.sort();
    found
}

#[track_caller]
fn convert(document: &str, target: &str) -> String {
    common::convert(document, document.as_bytes(), target, &[]).output
}

/// The model of what was written, read by ourselves.
#[track_caller]
fn model(text: &str) -> Value {
    serde_json::from_str(&convert(text, "json")).expect("the model is JSON")
}

/// For every sample, and for documents made at random: the output in this target, and its model. `check` is false if the
/// other reader cannot read it, which is an answer only where what is written is as odd as what was made.
fn outputs(target: &str, mut check: impl FnMut(&str, &str, &Value) -> bool) {
    let samples = samples();
    assert!(samples.len() > 8, "only {} samples", samples.len());
    for sample in samples {
        let name = sample.display().to_string();
        let text = convert(&std::fs::read_to_string(&sample).expect("a sample in UTF-8"), target);
        let model = model(&text);
        assert!(check(&format!("{name} to {target}"), &text, &model), "{name} to {target}: {text}");
    }
    let (mut made, mut read) = (0, 0);
    for seed in 0..common::count(20, 90) {
        let document = generate::document(generate::Random::new(seed as u64).next());
        if document.format == "sitemap-index" {
            continue;
        }
        let text = convert(&document.text, target);
        let model = model(&text);
        made += 1;
        read += usize::from(check(&format!("document {seed} to {target}"), &text, &model));
    }
    assert!(read * 2 > made, "{target}: of {made} documents only {read} could be read");
}

fn entries(model: &Value) -> &[Value] {
    model["entries"].as_array().expect("entries")
}

/// A text of the model: a string, or an object with its kind.
fn text(value: &Value) -> Option<String> {
    value.as_str().or(value["value"].as_str()).map(str::to_owned)
}

/// Texts compare without white space around them; markup is left out, which other readers clean up.
fn plain(value: Option<String>) -> Option<String> {
    value.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty() && !text.contains(['<', '&']))
}

#[test]
fn rss_sees_what_the_model_says() {
    for target in ["rss", "mrss", "rss-podcast"] {
        outputs(target, |what, written, model| {
            let Ok(channel) = rss::Channel::read_from(written.as_bytes()) else { return false };
            assert_eq!(plain(Some(channel.title)), plain(text(&model["feed"]["title"])), "{what}");
            assert_eq!(channel.items.len(), entries(model).len(), "{what}");
            for (item, entry) in channel.items.iter().zip(entries(model)) {
                // where only a module has a title, it is not theirs
                if item.title.is_some() {
                    assert_eq!(plain(item.title.clone()), plain(text(&entry["title"])), "{what}");
                }
                if let Some(link) = &item.link {
                    assert_eq!(Some(link.as_str()), entry["loc"].as_str(), "{what}");
                }
                // where only a module has an id, it is not theirs
                if let Some(guid) = &item.guid {
                    assert_eq!(Some(guid.value.as_str()), entry["id"].as_str(), "{what}");
                }
                same_instant(item.pub_date.as_deref(), &entry["published"], what);
            }
            true
        });
    }
}

#[test]
fn atom_syndication_sees_what_the_model_says() {
    for target in ["atom", "atom-media"] {
        outputs(target, |what, written, model| {
            let Ok(feed) = atom_syndication::Feed::read_from(written.as_bytes()) else { return false };
            assert_eq!(Some(feed.id.as_str()), model["feed"]["id"].as_str(), "{what}");
            assert_eq!(feed.entries.len(), entries(model).len(), "{what}");
            for (other, entry) in feed.entries.iter().zip(entries(model)) {
                assert_eq!(Some(other.id.as_str()), entry["id"].as_str(), "{what}");
                assert_eq!(plain(Some(other.title.value.clone())), plain(text(&entry["title"])), "{what}");
                let alternate = other.links.iter().find(|link| link.rel == "alternate" && link.hreflang.is_none());
                if let Some(link) = alternate {
                    assert_eq!(Some(link.href.as_str()), entry["loc"].as_str(), "{what}");
                }
                same_instant(Some(&other.updated.to_rfc3339()), &entry["updated"], what);
            }
            true
        });
    }
}

#[test]
fn feed_rs_sees_what_the_model_says() {
    for target in ["rss", "mrss", "rss-podcast", "atom", "atom-media"] {
        outputs(target, |what, written, model| {
            let Ok(feed) = feed_rs::parser::parse(written.as_bytes()) else { return false };
            assert_eq!(feed.entries.len(), entries(model).len(), "{what}");
            for (other, entry) in feed.entries.iter().zip(entries(model)) {
                let title = other.title.as_ref().map(|title| title.content.clone());
                if title.is_some() {
                    assert_eq!(plain(title), plain(text(&entry["title"])), "{what}");
                }
                let is_plain = |loc: &&str| loc.is_ascii() && !loc.contains(' ') && !loc.starts_with("HTTPS:");
                // feed-rs takes no guid for a link
                let is_guid = entry["carriers"]["loc"][0] == "rss2";
                if let Some(loc) = entry["loc"].as_str().filter(is_plain).filter(|_| !is_guid) {
                    let found = other.links.iter().any(|link| link.href == loc);
                    assert!(found || other.links.is_empty(), "{what}: {loc} is not among {:?}", other.links);
                }
                // of several dates made at random it takes the last
                if let Some(published) = other.published.filter(|_| !what.starts_with("document")) {
                    same_instant(Some(&published.to_rfc3339()), &entry["published"], what);
                }
            }
            true
        });
    }
}

#[test]
fn roxmltree_sees_what_the_model_says() {
    let names = [("rss", "item"), ("mrss", "item"), ("atom", "entry"), ("atom-media", "entry")];
    for (target, name) in names.into_iter().chain([("sitemap", "url"), ("video-sitemap", "url")]) {
        outputs(target, |what, written, model| {
            let document = roxmltree::Document::parse(written).expect(what);
            let found: Vec<_> =
                document.descendants().filter(|node| node.has_tag_name(name) || named(node, name)).collect();
            assert_eq!(found.len(), entries(model).len(), "{what}");
            for (node, entry) in found.iter().zip(entries(model)) {
                if let Some(loc) = node.children().find(|child| child.tag_name().name() == "loc") {
                    assert_eq!(loc.text(), entry["loc"].as_str(), "{what}");
                }
            }
            let videos = document.descendants().filter(|node| node.tag_name().name() == "video").count();
            let known: usize = entries(model).iter().filter_map(|entry| entry["videos"].as_array()).map(Vec::len).sum();
            if target == "video-sitemap" {
                assert_eq!(videos, known, "{what}");
            }
            true
        });
    }
}

/// An element of the document's own vocabulary, not one inside another entry.
fn named(node: &roxmltree::Node<'_, '_>, name: &str) -> bool {
    let root = node.document().root_element();
    node.is_element() && node.tag_name().name() == name && node.tag_name().namespace() == root.tag_name().namespace()
}

#[track_caller]
fn same_instant(theirs: Option<&str>, ours: &Value, what: &str) {
    let (Some(theirs), Some(ours)) = (theirs, ours.as_str()) else { return };
    if let (Some(theirs), Some(ours)) = (instant(theirs), instant(ours)) {
        assert_eq!(theirs, ours, "{what}");
    }
}

/// A date with a time of day and a zone, as jiff reads it.
fn instant(text: &str) -> Option<jiff::Timestamp> {
    let rfc = jiff::fmt::rfc2822::parse(text).ok().map(|zoned| zoned.timestamp());
    rfc.or_else(|| text.parse().ok())
}
