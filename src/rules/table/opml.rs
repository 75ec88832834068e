//! Rules about OPML, the lists of feeds that other programs export.

use super::super::check::{CheckKind, opml};
use super::super::{Profile, Rule, Within, source};

/// Lists of feeds.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    Rule {
        code: "O01",
        title: "an outline lacks its URL or text, or the version is unknown",
        levels: &[(Profile::RssBoard, "W")],
        source: (&source::OP, "The outline element"),
        why: "Programs that read the list skip the feed.",
        mend: "Write text, and for feeds xmlUrl.",
        within: Within::Document,
        bad: r#"<opml version="2.0"><body><outline type="rss" text="t"/></body></opml>"#,
        good: r#"<opml version="2.0"><body><outline type="rss" text="t" xmlUrl="https://a.example/f"/></body></opml>"#,
        checks: &[CheckKind::Head(opml::list)],
    },
];
