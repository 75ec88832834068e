//! What independent readers see in our output of the samples is what the model says: roxmltree, feed-rs, rss and
//! atom_syndication for titles, addresses and numbers of entries, jiff for dates.

mod common;

use std::path::{Path, PathBuf};

use common::{scratch, transfeed};
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
fn convert(dir: &Path, from: &Path, target: &str) -> String {
    let from = from.to_str().expect("a plain name");
    let run = transfeed(dir, &["convert", from, "--to", target, "-q"], None);
    run.ok(&format!("{from} to {target}")).text()
}

/// The model of what was written, read by ourselves.
#[track_caller]
fn model(dir: &Path, text: &str) -> Value {
    std::fs::write(dir.join("written"), text).expect("a file can be written");
    serde_json::from_str(&convert(dir, Path::new("written"), "json")).expect("the model is JSON")
}

/// For every sample: the output in this target, and its model.
fn outputs(target: &str, mut check: impl FnMut(&str, &str, &Value)) {
    let dir = scratch(&format!("oracle-{target}"));
    let samples = samples();
    assert!(samples.len() > 8, "only {} samples", samples.len());
    for sample in samples {
        let name = sample.display().to_string();
        let text = convert(&dir, &sample, target);
        let model = model(&dir, &text);
        check(&format!("{name} to {target}"), &text, &model);
    }
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
    for target in ["rss", "mrss"] {
        outputs(target, |what, written, model| {
            let channel = rss::Channel::read_from(written.as_bytes()).expect(what);
            assert_eq!(plain(Some(channel.title)), plain(text(&model["feed"]["title"])), "{what}");
            assert_eq!(channel.items.len(), entries(model).len(), "{what}");
            for (item, entry) in channel.items.iter().zip(entries(model)) {
                assert_eq!(plain(item.title.clone()), plain(text(&entry["title"])), "{what}");
                if let Some(link) = &item.link {
                    assert_eq!(Some(link.as_str()), entry["loc"].as_str(), "{what}");
                }
                let guid = item.guid.as_ref().map(|guid| guid.value.as_str());
                assert_eq!(guid, entry["id"].as_str(), "{what}");
                same_instant(item.pub_date.as_deref(), &entry["published"], what);
            }
        });
    }
}

#[test]
fn atom_syndication_sees_what_the_model_says() {
    for target in ["atom", "atom-media"] {
        outputs(target, |what, written, model| {
            let feed = atom_syndication::Feed::read_from(written.as_bytes()).expect(what);
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
        });
    }
}

#[test]
fn feed_rs_sees_what_the_model_says() {
    for target in ["rss", "mrss", "atom", "atom-media"] {
        outputs(target, |what, written, model| {
            let feed = feed_rs::parser::parse(written.as_bytes()).expect(what);
            assert_eq!(feed.entries.len(), entries(model).len(), "{what}");
            for (other, entry) in feed.entries.iter().zip(entries(model)) {
                let title = other.title.as_ref().map(|title| title.content.clone());
                assert_eq!(plain(title), plain(text(&entry["title"])), "{what}");
                if let Some(loc) = entry["loc"].as_str().filter(|loc| loc.is_ascii()) {
                    let found = other.links.iter().any(|link| link.href == loc);
                    assert!(found || other.links.is_empty(), "{what}: {loc} is not among {:?}", other.links);
                }
                if let Some(published) = other.published {
                    same_instant(Some(&published.to_rfc3339()), &entry["published"], what);
                }
            }
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
