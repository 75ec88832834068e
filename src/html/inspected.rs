//! From what an inspection found to its page.

use std::borrow::Cow;

use super::contents::{Contents, DocumentContents, Extremes, FieldUse, RequiredField, TargetForecast};
use super::escape::{grouped, many};
use super::figures;
use crate::inspect::{
    Coverage, Extreme, FieldStatistics, ForecastSummary, InspectedInput, Inspection, Repeat, Selection, coverage,
};

impl<'i> From<&'i Inspection> for Contents<'i> {
    fn from(all: &'i Inspection) -> Contents<'i> {
        // the name is shown next to it
        let bare = |name: &str, error: &'i str| error.strip_prefix(name).and_then(|rest| rest.strip_prefix(": "));
        let refused = all.errors.iter().map(|refused| {
            let error = refused.error.as_str();
            (refused.name.as_str().into(), bare(&refused.name, error).unwrap_or(error).into())
        });
        Contents {
            documents: all.inputs.iter().map(document).collect(),
            refused: refused.collect(),
            beside: Vec::new(),
            fetched: all.inputs.iter().filter_map(|found| found.fetched.as_ref()).collect(),
        }
    }
}

fn document(found: &InspectedInput) -> DocumentContents<'_> {
    let chosen = match found.selected {
        Selection::All => None,
        Selection::First => {
            Some(format!("Only the first {} were looked at.", many(found.looked_at, "entry", "entries")))
        }
        Selection::Sample => Some(format!("A sample of {} was looked at.", many(found.looked_at, "entry", "entries"))),
    };
    let value = |(of, name, count): (&'static str, &'_ str, u64)| (of, Cow::Owned(name.to_owned()), count);
    let languages = found.languages.iter().map(|one| ("language", one.value.as_str(), one.count));
    let role = |role| if role == "picture" { "image" } else { role };
    let hosts = found.hosts.iter().map(|host| (role(host.role), host.host.as_str(), host.count));
    let mut forecasts: Vec<&ForecastSummary> = found.forecast.iter().collect();
    forecasts.sort_by_key(|forecast| forecast.fit());
    let several = forecasts.len() > 1;
    let repeats = [("page", &found.pages), ("id", &found.ids), ("video", &found.distinct_videos)];
    DocumentContents {
        name: if found.name == "-" { "standard input".into() } else { found.name.as_str().into() },
        format: match found.version.as_str() {
            "" => found.format.as_str().into(),
            version => format!("{} {version}", found.format).into(),
        },
        chosen: chosen.map(Cow::Owned),
        bytes: found.bytes,
        entries: found.looked_at,
        videos: found.videos,
        facts: facts(found),
        timeline: found.dates.as_ref().map(|dates| dates.entries.clone()).unwrap_or_default(),
        head: found
            .head
            .iter()
            .map(|one| (one.element.as_deref().unwrap_or(one.field), one.value.as_str().into(), one.line))
            .collect(),
        fields: found.fields.iter().map(field).collect(),
        required: coverage(found, &forecasts)
            .into_iter()
            .map(|Coverage { names, entries, targets }| RequiredField { names, entries, targets })
            .collect(),
        forecast: forecasts.iter().enumerate().map(|(at, found)| forecast(found, several && at == 0)).collect(),
        repeats: repeats.iter().flat_map(|(what, repeat)| again(what, repeat)).collect(),
        repeated: repeats.iter().map(|(_, repeat)| repeat.again).sum(),
        names: languages.chain(hosts).map(value).collect(),
        namespaces: found
            .namespaces
            .iter()
            .map(|ns| (ns.prefix.as_str().into(), ns.uri.as_str().into(), ns.known, ns.elements + ns.attributes))
            .collect(),
        foreign: found
            .foreign
            .iter()
            .map(|one| (one.path.as_str().into(), one.count, one.example.as_deref().map(Cow::Borrowed), one.line))
            .collect(),
        repairs: found.diagnostics.iter().flat_map(|repairs| &repairs.examples).collect(),
        repaired: found.repairs,
    }
}

fn facts(found: &InspectedInput) -> Vec<(&'static str, Cow<'_, str>)> {
    let mut facts: Vec<(&'static str, Cow<'_, str>)> = vec![("Format", found.format.as_str().into())];
    let mut add = |name, value: Option<Cow<'static, str>>| facts.extend(value.map(|value| (name, value)));
    let text = |text: &str| (!text.is_empty()).then(|| Cow::Owned(text.to_owned()));
    let count = |count: u64| Some(Cow::Owned(grouped(count)));
    add("Version", text(&found.version));
    add("Dialect", text(&found.dialect));
    let declared = found.encoding.declared.as_deref().filter(|name| !name.eq_ignore_ascii_case(&found.encoding.real));
    add("Encoding", text(&found.encoding.real));
    add("Declared as", declared.and_then(text));
    add("Compression", found.compression.map(Cow::Borrowed));
    add("Size", found.bytes.map(|bytes| Cow::Owned(figures::size(bytes))));
    add("Entries", count(found.entries.unwrap_or(found.looked_at)));
    add("Cannot be read", (found.unreadable > 0).then(|| grouped(found.unreadable).into()));
    add("Pages", count(found.pages.different));
    add("Videos", count(found.videos));
    add("Files of videos", count(found.renditions));
    add("Earliest", found.dates.as_ref().and_then(|dates| text(&dates.earliest)));
    add("Latest", found.dates.as_ref().and_then(|dates| text(&dates.latest)));
    add("Unknown markup beyond the list", (found.foreign_untold > 0).then(|| grouped(found.foreign_untold).into()));
    add("Namespaces beyond the list", (found.namespaces_untold > 0).then(|| grouped(found.namespaces_untold).into()));
    facts
}

fn again<'r>(what: &'static str, repeat: &'r Repeat) -> impl Iterator<Item = (&'static str, Cow<'r, str>, u32, u32)> {
    repeat.examples.iter().map(move |again| (what, again.value.as_str().into(), again.line, again.first_line))
}

fn field(found: &FieldStatistics) -> FieldUse<'_> {
    let value = |end: &Option<Extreme>| end.as_ref().map(|end| end.value.clone());
    let length = |end: &Option<Extreme>| end.as_ref().and_then(|end| end.characters);
    let lengths = length(&found.shortest).zip(length(&found.longest));
    let extremes = match (value(&found.least).zip(value(&found.greatest)), lengths) {
        (Some((least, greatest)), _) => Extremes::Values(least.into(), greatest.into()),
        (None, Some((shortest, longest))) => Extremes::Lengths(shortest, longest),
        (None, None) => Extremes::None,
    };
    FieldUse {
        field: found.element.as_deref().unwrap_or(found.field),
        entries: found.entries,
        values: found.values,
        distinct: found.distinct,
        estimated: found.estimated,
        extremes,
        frequent: found.frequent.iter().map(|one| (one.value.as_str().into(), one.count)).collect(),
        at_least: found.at_least,
        examples: &found.examples,
    }
}

fn forecast(found: &ForecastSummary, first: bool) -> TargetForecast<'_> {
    let (videos, videos_written) = found.objects.videos();
    let missed = found.rows.iter().filter(|row| row.kind == "lost" && row.class == "attention");
    TargetForecast {
        to: found.to,
        profile: found.profile,
        refused: found.refused.as_deref().map(Cow::Borrowed),
        totals: found.totals,
        dropped: found.dropped,
        videos,
        videos_written,
        classes: [found.classes.attention, found.classes.unsupported, found.classes.technical],
        missed: missed.map(|row| row.count).sum(),
        best: first && found.refused.is_none(),
    }
}
