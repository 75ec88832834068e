//! Rules about `VideoObject` in JSON-LD, in documents and in HTML pages.

use super::super::check::{CheckKind, jsonld};
use super::super::{Profile, Rule, Within, source};

/// Properties that Google reads.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    Rule {
        code: "L01",
        title: "a VideoObject lacks name, thumbnailUrl or uploadDate",
        levels: &[(Profile::Google, "E")],
        source: (&source::GD, "Required properties"),
        why: "Google does not show the video as a rich result.",
        mend: "Add the property to the VideoObject.",
        within: Within::Document,
        bad: r#"{"@context": "https://schema.org", "@type": "VideoObject", "name": "Tree", "thumbnailUrl": "https://a.example/1.jpg"}"#,
        good: r#"{"@context": "https://schema.org", "@type": "VideoObject", "name": "Tree", "thumbnailUrl": "https://a.example/1.jpg", "uploadDate": "2026-05-01T10:00:00Z"}"#,
        checks: &[CheckKind::Entry(jsonld::required)],
    },
    Rule {
        code: "L02",
        title: "a VideoObject has no file, player, description or duration",
        levels: &[(Profile::Google, "W")],
        source: (&source::GD, "Recommended properties"),
        why: "Without contentUrl or embedUrl, Google may not find the video; the other two improve its result.",
        mend: "Add contentUrl or embedUrl, description, and duration.",
        within: Within::Document,
        bad: r#"{"@context": "https://schema.org", "@type": "VideoObject", "name": "Tree", "description": "A tree", "duration": "PT1M"}"#,
        good: r#"{"@context": "https://schema.org", "@type": "VideoObject", "name": "Tree", "description": "A tree", "duration": "PT1M", "embedUrl": "https://a.example/player/1"}"#,
        checks: &[CheckKind::Entry(jsonld::recommended)],
    },
    Rule {
        code: "L03",
        title: "regionsAllowed and ineligibleRegion are both present",
        levels: &[(Profile::Google, "W")],
        source: (&source::GD, "regionsAllowed, ineligibleRegion"),
        why: "Google reads one of them.",
        mend: "Remove one of them.",
        within: Within::Document,
        bad: r#"{"@context": "https://schema.org", "@type": "VideoObject", "regionsAllowed": "US", "ineligibleRegion": "CA"}"#,
        good: r#"{"@context": "https://schema.org", "@type": "VideoObject", "regionsAllowed": "US"}"#,
        checks: &[CheckKind::Entry(jsonld::regions)],
    },
    Rule {
        code: "L04",
        title: "a BroadcastEvent lacks its dates, or a Clip its name, start or URL",
        levels: &[(Profile::Google, "E")],
        source: (&source::GD, "BroadcastEvent, Clip"),
        why: "Google shows neither the live badge nor the key moments.",
        mend: "Add isLiveBroadcast, startDate and endDate to a BroadcastEvent, and name, startOffset and url to a Clip.",
        within: Within::Document,
        bad: r#"{"@context": "https://schema.org", "@type": "VideoObject", "hasPart": {"@type": "Clip", "name": "Roots", "startOffset": 30}}"#,
        good: r#"{"@context": "https://schema.org", "@type": "VideoObject", "hasPart": {"@type": "Clip", "name": "Roots", "startOffset": 30, "url": "https://a.example/1?t=30"}}"#,
        checks: &[CheckKind::Entry(jsonld::parts)],
    },
    Rule {
        code: "L05",
        title: "a time has no zone",
        levels: &[(Profile::Google, "I")],
        source: (&source::GD, "uploadDate, expires"),
        why: "Google assumes the zone of its crawler.",
        mend: "Add the zone, as in 2026-05-01T10:00:00+02:00.",
        within: Within::Document,
        bad: r#"{"@context": "https://schema.org", "@type": "VideoObject", "uploadDate": "2026-05-01T10:00:00"}"#,
        good: r#"{"@context": "https://schema.org", "@type": "VideoObject", "uploadDate": "2026-05-01T10:00:00Z"}"#,
        checks: &[CheckKind::Entry(jsonld::zones)],
    },
];
