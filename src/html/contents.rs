//! The page of an inspection: the fields that targets require, the targets by how well they fit, then the fields of the
//! documents with their values.

use std::borrow::Cow;
use std::io::{self, Write};

use askama::Template;

use super::bar::Bar;
use super::escape::{cut, grouped, many, percent};
use super::fetched::FetchedTable;
use super::losses::{ExampleRow, RepairRow};
use super::{LISTED, PageSection, PageShell, SHOWN, figures, write};
use crate::inspect::{
    Classes, Coverage, Duplicate, Extreme, FieldStatistics, ForecastSummary, InspectedInput, Inspection, RefusedInput,
    Repeat, Selection, coverage,
};

/// How many documents are shown in full.
const IN_FULL: usize = 50;

/// Writes the page of an inspection.
///
/// # Errors
/// An error of `out`.
pub fn contents(found: &Inspection, out: &mut dyn Write) -> io::Result<()> {
    let several = found.inputs.len() + found.errors.len() > 1;
    let mut room = LISTED;
    let shown = found.inputs.iter().take(IN_FULL).enumerate();
    let documents: Vec<DocumentView<'_>> = shown.map(|(at, one)| DocumentView::new(one, at, &mut room)).collect();
    let list: Vec<DocumentLine<'_>> = match several {
        true => found.inputs.iter().take(LISTED).map(DocumentLine::new).collect(),
        false => Vec::new(),
    };
    let untold = found.inputs.len().saturating_sub(if several { LISTED } else { IN_FULL }) as u64;
    let fetched = FetchedTable::new(found.inputs.iter().filter_map(|one| one.fetched.as_ref()));
    let mut sections = match (several, documents.first()) {
        (_, None) => Vec::new(),
        (false, Some(one)) => one.sections(),
        (true, Some(_)) => {
            vec![PageSection::new(("documents", "Documents", found.inputs.len() as u64))]
        }
    };
    sections.extend(fetched.section());
    let page = ContentsPage {
        shell: PageShell::new(),
        headline: headline(found),
        lead: found.inputs.first().filter(|_| !several).map(name),
        refused: found.errors.iter().take(LISTED).map(refused).collect(),
        sections,
        fetched,
        documents,
        list,
        untold: (untold > 0).then(|| many(untold, "more document", "more documents")),
        several,
    };
    write(&page, out)
}

#[derive(Template)]
#[template(path = "contents.html", config = "src/html/askama.toml")]
struct ContentsPage<'c> {
    shell: PageShell,
    headline: String,
    lead: Option<Cow<'c, str>>,
    refused: Vec<(Cow<'c, str>, Cow<'c, str>)>,
    sections: Vec<PageSection>,
    fetched: FetchedTable<'c>,
    documents: Vec<DocumentView<'c>>,
    list: Vec<DocumentLine<'c>>,
    untold: Option<String>,
    several: bool,
}

/// A document in the list of several.
struct DocumentLine<'c> {
    found: &'c InspectedInput,
    name: Cow<'c, str>,
    format: String,
    size: String,
}

impl<'c> DocumentLine<'c> {
    fn new(found: &'c InspectedInput) -> DocumentLine<'c> {
        let size = found.bytes.map(figures::size).unwrap_or_default();
        DocumentLine { found, name: name(found), format: format_of(found), size }
    }
}

struct DocumentView<'c> {
    found: &'c InspectedInput,
    /// A suffix that makes the ids of its tables unique.
    mark: String,
    name: Cow<'c, str>,
    /// How the entries were chosen, where not all were looked at.
    selected: Option<String>,
    facts: Vec<(&'static str, String)>,
    /// Names that occur often: of what, the name, how often.
    names: Vec<(&'static str, &'c str, u64)>,
    fields: Vec<FieldView<'c>>,
    required: Vec<RequiredView>,
    /// The required fields are those of the one target that was asked for.
    chosen: bool,
    forecast: Vec<ForecastView<'c>>,
    /// The columns of the targets that have a figure: attention, unsupported, technical.
    columns: [bool; 3],
    timeline: Option<Timeline>,
    repeats: Vec<(&'static str, &'c Duplicate)>,
    repairs: Vec<RepairRow<'c>>,
    untold_repairs: Option<String>,
    untold_repeats: Option<String>,
    untold_fields: Option<String>,
}

struct FieldView<'c> {
    of: &'c FieldStatistics,
    name: &'c str,
    bar: Bar,
    share: String,
    distinct: String,
    range: String,
    places: Vec<ExampleRow<'c>>,
    frequent: Vec<(Cow<'c, str>, String)>,
    preview: Option<Cow<'c, str>>,
}

struct RequiredView {
    entries: u64,
    names: String,
    targets: String,
    bar: Bar,
    share: String,
    complete: bool,
    /// Other entries may have the other fields.
    at_least: bool,
}

impl RequiredView {
    fn new(of: &Coverage, entries: u64) -> RequiredView {
        let complete = of.entries >= entries;
        RequiredView {
            entries: of.entries,
            names: of.names.join(" or "),
            targets: of.targets.join(", "),
            bar: Bar::new(&[(if complete { "all" } else { "changed" }, of.entries)], entries),
            share: percent(of.entries, entries),
            complete,
            at_least: !complete && of.names.len() > 1 && of.entries > 0,
        }
    }
}

struct ForecastView<'c> {
    of: &'c ForecastSummary,
    /// Of several targets, it fits best.
    best: bool,
    videos: u64,
    videos_written: u64,
    bar: Bar,
    refused: Option<Cow<'c, str>>,
}

/// Entries over time: a drawing, and its ends as text.
struct Timeline {
    columns: Vec<(u64, u64, String)>,
    wide: u64,
    /// From one column to the next.
    pitch: u64,
    /// The columns are so few that the drawing keeps its own width.
    few: bool,
    first: String,
    /// None where there is only one column.
    last: Option<String>,
    most: String,
}

/// The width of a column where there are many, and the drawing is as wide as the page.
const NARROW: u64 = 10;
/// And where there are few.
const WIDE: u64 = 40;
/// So many are few.
const FEW: usize = 20;

/// The height of the drawing, in its own units.
const HIGH: u64 = 100;

impl Timeline {
    fn from_counts(counts: &[(String, u64)]) -> Option<Timeline> {
        let most = counts.iter().map(|(_, count)| *count).max().filter(|most| *most > 0)?;
        let (first, last) = (counts.first()?.0.clone(), counts.get(1..).and_then(<[_]>::last));
        let column = |(name, count): &(String, u64)| {
            let high = (u128::from(*count) * u128::from(HIGH)).div_ceil(u128::from(most)) as u64;
            (HIGH - high.min(HIGH), high, format!("{name}: {}", grouped(*count)))
        };
        let columns: Vec<_> = counts.iter().take(LISTED).map(column).collect();
        let few = columns.len() < FEW;
        let pitch = if few { WIDE } else { NARROW };
        Some(Timeline {
            wide: columns.len() as u64 * pitch,
            pitch,
            few,
            columns,
            first,
            last: last.map(|(name, _)| name.clone()),
            most: grouped(most),
        })
    }
}

impl<'c> DocumentView<'c> {
    fn new(found: &'c InspectedInput, at: usize, room: &mut usize) -> DocumentView<'c> {
        let listed = found.fields.iter().take(*room);
        let fields: Vec<FieldView<'c>> = listed.map(|field| FieldView::new(field, found.looked_at)).collect();
        *room -= fields.len();
        let rest = |all: u64, listed: usize, one, more| {
            let rest = all.saturating_sub(listed as u64);
            (rest > 0).then(|| many(rest, one, more))
        };
        let repairs = found.diagnostics.iter().flat_map(|repairs| &repairs.examples);
        let repairs: Vec<RepairRow<'c>> = repairs.take(LISTED).map(RepairRow::new).collect();
        let mut forecasts: Vec<&ForecastSummary> = found.forecast.iter().collect();
        forecasts.sort_by_key(|forecast| forecast.fit());
        let several = forecasts.len() > 1;
        let has = |count: fn(&Classes) -> u64| forecasts.iter().any(|forecast| count(&forecast.classes) > 0);
        let again = |(what, repeat): (&'static str, &'c Repeat)| repeat.examples.iter().map(move |one| (what, one));
        let repeats: Vec<_> = repeats(found).into_iter().flat_map(again).collect();
        DocumentView {
            found,
            mark: at.to_string(),
            name: name(found),
            selected: selected(found),
            facts: facts(found),
            names: names(found),
            untold_fields: rest(found.fields.len() as u64, fields.len(), "more field", "more fields"),
            fields,
            required: coverage(found, &forecasts).iter().map(|one| RequiredView::new(one, found.looked_at)).collect(),
            chosen: !several && !forecasts.is_empty(),
            columns: [has(|of| of.attention), has(|of| of.unsupported), has(|of| of.technical)],
            forecast: forecasts.iter().zip(0..).map(|(one, at)| ForecastView::new(one, several && at == 0)).collect(),
            timeline: found.dates.as_ref().and_then(|dates| Timeline::from_counts(&dates.entries)),
            untold_repairs: rest(found.repairs, repairs.len(), "more repair", "more repairs"),
            untold_repeats: rest(repeated(found), repeats.len(), "more repeat", "more repeats"),
            repeats,
            repairs,
        }
    }

    fn sections(&self) -> Vec<PageSection> {
        let InspectedInput { fields, forecast, foreign, namespaces, repairs, .. } = self.found;
        PageSection::filled([
            ("required-0", "Required fields", self.required.len() as u64),
            ("forecast-0", "Targets", forecast.len() as u64),
            ("fields-0", "Fields", fields.len() as u64),
            ("repeats-0", "Repeats", repeated(self.found)),
            ("names-0", "Namespaces", namespaces.len() as u64),
            ("foreign-0", "Unrecognized markup", foreign.len() as u64),
            ("repairs-0", "Repairs", *repairs),
        ])
    }
}

impl<'c> FieldView<'c> {
    fn new(field: &'c FieldStatistics, entries: u64) -> FieldView<'c> {
        let least = if field.at_least { "≥ " } else { "" };
        let frequent = field.frequent.iter().take(20);
        let first = field.frequent.first().map(|one| one.value.as_str());
        let first = first.or_else(|| field.examples.first().and_then(|example| example.from.as_deref()));
        FieldView {
            name: field.element.as_deref().unwrap_or(field.field),
            bar: Bar::new(&[("all", field.entries)], entries),
            share: percent(field.entries, entries),
            distinct: format!("{}{}", if field.estimated { "≈ " } else { "" }, grouped(field.distinct)),
            range: range(field),
            places: field.examples.iter().take(10).map(ExampleRow::new).collect(),
            frequent: frequent.map(|one| (cut(&one.value, SHOWN), format!("{least}{}", grouped(one.count)))).collect(),
            preview: first.map(|value| cut(value, 60)),
            of: field,
        }
    }
}

/// What the values of a field lie between: numbers and dates, or the lengths of texts.
fn range(field: &FieldStatistics) -> String {
    let length = |end: &Option<Extreme>| end.as_ref().and_then(|end| end.characters);
    match (field.least.as_ref().zip(field.greatest.as_ref()), length(&field.shortest).zip(length(&field.longest))) {
        (Some((least, most)), _) if least.value == most.value => cut(&least.value, 60).into_owned(),
        (Some((least, most)), _) => format!("{} … {}", cut(&least.value, 60), cut(&most.value, 60)),
        (None, Some((least, most))) if least == most => many(least, "character", "characters"),
        (None, Some((least, most))) => format!("{} to {} characters", grouped(least), grouped(most)),
        (None, None) => String::new(),
    }
}

impl<'c> ForecastView<'c> {
    /// The columns beside its name.
    fn span(&self, columns: &[bool; 3]) -> usize {
        3 + columns.iter().filter(|shown| **shown).count()
    }

    fn new(of: &'c ForecastSummary, best: bool) -> ForecastView<'c> {
        let missed = of.rows.iter().filter(|row| row.kind == "lost" && row.class == "attention");
        let (videos, videos_written) = of.objects.videos();
        ForecastView {
            of,
            best: best && of.refused.is_none(),
            videos,
            videos_written,
            bar: Bar::from_totals(&of.totals, missed.map(|row| row.count).sum()),
            refused: of.refused.as_deref().map(|why| cut(why, SHOWN)),
        }
    }
}

fn headline(found: &Inspection) -> String {
    let sum = |of: fn(&InspectedInput) -> u64| found.inputs.iter().map(of).fold(0, u64::saturating_add);
    let entries = many(sum(|one| one.looked_at), "entry", "entries");
    let videos = match sum(|one| one.videos) {
        0 => String::new(),
        count => format!(" with {}", many(count, "video", "videos")),
    };
    let all = found.inputs.len() + found.errors.len();
    match (found.errors.len(), found.inputs.as_slice()) {
        (0, [one]) => format!("{entries}{videos}, as {}", cut(&format_of(one), 80)),
        (0, _) => format!("{entries}{videos} in {}", many(all as u64, "document", "documents")),
        (refused, _) => {
            format!("{} of {} could not be read", grouped(refused as u64), many(all as u64, "document", "documents"))
        }
    }
}

fn name(found: &InspectedInput) -> Cow<'_, str> {
    cut(if found.name == "-" { "standard input" } else { &found.name }, SHOWN)
}

/// Its format, with the version.
fn format_of(found: &InspectedInput) -> String {
    match found.version.as_str() {
        "" => found.format.clone(),
        version => format!("{} {version}", found.format),
    }
}

/// What could not be read, and why, without the name that is next to it.
fn refused(refused: &RefusedInput) -> (Cow<'_, str>, Cow<'_, str>) {
    let bare = refused.error.strip_prefix(refused.name.as_str()).and_then(|rest| rest.strip_prefix(": "));
    (cut(&refused.name, SHOWN), cut(bare.unwrap_or(&refused.error), SHOWN))
}

fn selected(found: &InspectedInput) -> Option<String> {
    let entries = many(found.looked_at, "entry", "entries");
    match found.selected {
        Selection::All => None,
        Selection::First => Some(format!("Only the first {entries} were looked at.")),
        Selection::Sample => Some(format!("A sample of {entries} was looked at.")),
    }
}

fn names(found: &InspectedInput) -> Vec<(&'static str, &str, u64)> {
    let languages = found.languages.iter().map(|one| ("language", one.value.as_str(), one.count));
    let role = |role| if role == "picture" { "image" } else { role };
    let hosts = found.hosts.iter().map(|host| (role(host.role), host.host.as_str(), host.count));
    languages.chain(hosts).collect()
}

fn repeats(found: &InspectedInput) -> [(&'static str, &Repeat); 3] {
    [("page", &found.pages), ("id", &found.ids), ("video", &found.distinct_videos)]
}

/// How many repeats there are.
fn repeated(found: &InspectedInput) -> u64 {
    repeats(found).iter().map(|(_, repeat)| repeat.again).sum()
}

/// What is known of the whole.
fn facts(found: &InspectedInput) -> Vec<(&'static str, String)> {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let some = |count: u64| (count > 0).then(|| grouped(count));
    let declared = found.encoding.declared.as_deref().filter(|name| !name.eq_ignore_ascii_case(&found.encoding.real));
    let all = [
        ("Format", Some(found.format.clone())),
        ("Version", text(&found.version)),
        ("Dialect", text(&found.dialect)),
        ("Encoding", text(&found.encoding.real)),
        ("Declared as", declared.and_then(text)),
        ("Compression", found.compression.map(str::to_owned)),
        ("Size", found.bytes.map(figures::size)),
        ("Entries", Some(grouped(found.entries.unwrap_or(found.looked_at)))),
        ("Cannot be read", some(found.unreadable)),
        ("Pages", Some(grouped(found.pages.different))),
        ("Videos", Some(grouped(found.videos))),
        ("Files of videos", Some(grouped(found.renditions))),
        ("Earliest", found.dates.as_ref().and_then(|dates| text(&dates.earliest))),
        ("Latest", found.dates.as_ref().and_then(|dates| text(&dates.latest))),
        ("Unknown markup beyond the list", some(found.foreign_untold)),
        ("Namespaces beyond the list", some(found.namespaces_untold)),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name, cut(&value?, SHOWN).into_owned()))).collect()
}
