//! Rules about JSON Feed.

use super::super::across::ComparedValues;
use super::super::check::{CheckKind, jsonfeed};
use super::super::{Profile, Rule, Within, source};

/// Members of feeds and items.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    Rule {
        code: "J01",
        title: "a required member is missing, or a value is not what JSON Feed requires",
        levels: &[(Profile::JsonFeed, "E;W")],
        source: (&source::JF, "Top-level, Items, Attachments"),
        why: "A reader may reject the feed, or lose the item.",
        mend: "Write version, title and items; of each item a unique id as a string, its content and an absolute URL; of each \
               attachment url and mime_type; dates of RFC 3339.",
        within: Within::Document,
        bad: r#"{"version": "https://jsonfeed.org/version/1.1", "title": "Ponds", "items": [{"id": 1, "content_text": "Frogs", "date_published": "2026-05-01"}]}"#,
        good: r#"{"version": "https://jsonfeed.org/version/1.1", "title": "Ponds", "items": [{"id": "1", "content_text": "Frogs", "date_published": "2026-05-01T10:00:00Z"}]}"#,
        checks: &[CheckKind::Head(jsonfeed::feed), CheckKind::Entry(jsonfeed::item), CheckKind::Once(0, ComparedValues::ItemId)],
    },
    Rule {
        code: "J02",
        title: "a member is deprecated, or JSON Feed does not define it",
        levels: &[(Profile::JsonFeed, "W;I")],
        source: (&source::JF, "Top-level, Items, Extensions"),
        why: "Readers ignore members that they do not know, and a later version may define them.",
        mend: "Write authors instead of author, and begin the names of your members with an underscore.",
        within: Within::Document,
        bad: r#"{"version": "https://jsonfeed.org/version/1.1", "title": "Ponds", "author": {"name": "Ann"}, "mood": "calm", "items": []}"#,
        good: r#"{"version": "https://jsonfeed.org/version/1.1", "title": "Ponds", "authors": [{"name": "Ann"}], "_mood": "calm", "items": []}"#,
        checks: &[CheckKind::Head(jsonfeed::members), CheckKind::Entry(jsonfeed::members)],
    },
];
