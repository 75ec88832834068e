//! Rules about the values that modules add to feeds. Media RSS and podcasts have separate files.

use super::super::check::{CheckKind, module};
use super::super::{Profile, Rule, Within, source};
use crate::xml::names::Ns;

/// Dublin Core, and places.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    Rule {
        code: "X01",
        title: "a Dublin Core date is not a W3C date",
        levels: &[(Profile::RssBoard, "E;W"), (Profile::Atom, "E;W")],
        source: (&source::FV, "InvalidW3CDTFDate"),
        why: "Dublin Core dates have the syntax of sitemaps, not of pubDate.",
        mend: "Write YYYY-MM-DD, or a time with its zone.",
        within: Within::Item,
        bad: "<dc:date>Fri, 01 May 2026 10:00:00 GMT</dc:date>",
        good: "<dc:date>2026-05-01T10:00:00Z</dc:date>",
        checks: &[CheckKind::Each(Ns::Dc, "date", module::date), CheckKind::Each(Ns::Dcterms, "created", module::date), CheckKind::Each(Ns::Dcterms, "issued", module::date), CheckKind::Each(Ns::Dcterms, "modified", module::date)],
    },
    Rule {
        code: "X02",
        title: "dc:language is not a language tag",
        levels: &[(Profile::RssBoard, "E"), (Profile::Atom, "E")],
        source: (&source::FV, "InvalidLanguage"),
        why: "Readers use it for display and for text to speech.",
        mend: "Write a tag such as en-GB.",
        within: Within::Item,
        bad: "<dc:language>English</dc:language>",
        good: "<dc:language>en</dc:language>",
        checks: &[CheckKind::Each(Ns::Dc, "language", module::language)],
    },
    Rule {
        code: "X03",
        title: "a latitude or longitude is not a number of degrees",
        levels: &[(Profile::RssBoard, "E"), (Profile::Atom, "E")],
        source: (&source::FV, "InvalidLatitude, InvalidLongitude"),
        why: "Maps show a wrong place, or none.",
        mend: "Write decimal degrees: latitudes from -90 to 90, longitudes from -180 to 180.",
        within: Within::Item,
        bad: "<geo:lat>91</geo:lat><geo:long>0</geo:long>",
        good: "<geo:lat>52.5</geo:lat><geo:long>13.4</geo:long>",
        checks: &[CheckKind::Each(Ns::Geo, "lat", module::place), CheckKind::Each(Ns::Geo, "long", module::place)],
    },
];
