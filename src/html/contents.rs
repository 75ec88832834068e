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
use crate::convert::Fetched;
use crate::ledger::{Diagnostic, Example, Totals};

/// What an inspection found.
#[derive(Clone, Debug, Default)]
pub struct Contents<'c> {
    /// The documents that could be read.
    pub documents: Vec<DocumentContents<'c>>,
    /// Those that could not: name and reason.
    pub refused: Vec<(Cow<'c, str>, Cow<'c, str>)>,
    /// Names of reports that list what the page only counts.
    pub beside: Vec<&'c str>,
    /// How documents came from URLs.
    pub fetched: Vec<&'c Fetched>,
}

/// The content of a document.
#[derive(Clone, Debug, Default)]
pub struct DocumentContents<'c> {
    /// Its name.
    pub name: Cow<'c, str>,
    /// Its format, as text.
    pub format: Cow<'c, str>,
    /// Entries that were looked at, where these are not all: how they were chosen.
    pub chosen: Option<Cow<'c, str>>,
    /// Its size.
    pub bytes: Option<u64>,
    /// Entries that were looked at.
    pub entries: u64,
    /// Videos in them.
    pub videos: u64,
    /// What else is known of the whole: names and values.
    pub facts: Vec<(&'static str, Cow<'c, str>)>,
    /// Entries by the time they are of, without gaps: a name of each stretch and a count.
    pub timeline: Vec<(String, u64)>,
    /// Values of the head: field, value, line.
    pub head: Vec<(&'c str, Cow<'c, str>, Option<u32>)>,
    /// The fields of the entries.
    pub fields: Vec<FieldUse<'c>>,
    /// Fields that the targets require, incomplete ones first.
    pub required: Vec<RequiredField<'c>>,
    /// What targets would make of it, those that fit best first.
    pub forecast: Vec<TargetForecast<'c>>,
    /// Duplicates: the kind of value, the value, its line, the line of the first one.
    pub repeats: Vec<(&'static str, Cow<'c, str>, u32, u32)>,
    /// How many repeats there are, where these are not all listed.
    pub repeated: u64,
    /// Names that occur often: of what (hosts of files, languages), the name, how often.
    pub names: Vec<(&'static str, Cow<'c, str>, u64)>,
    /// Namespaces: prefix, URL, whether it is known, number of its elements and attributes.
    pub namespaces: Vec<(Cow<'c, str>, Cow<'c, str>, bool, u64)>,
    /// Markup that no reader understood: path, how often, the first value, its line.
    pub foreign: Vec<UnreadMarkupRow<'c>>,
    /// Repairs, the first of each code.
    pub repairs: Vec<&'c Diagnostic>,
    /// All repairs.
    pub repaired: u64,
}

/// Markup that no reader understood: path, how often, the first value, its line.
pub type UnreadMarkupRow<'c> = (Cow<'c, str>, u64, Option<Cow<'c, str>>, Option<u32>);

/// How a field is used.
#[derive(Clone, Debug, Default)]
pub struct FieldUse<'c> {
    /// Its name.
    pub field: &'c str,
    /// Entries that have it.
    pub entries: u64,
    /// Values.
    pub values: u64,
    /// Different values.
    pub distinct: u64,
    /// The number of different values is an estimate.
    pub estimated: bool,
    /// The values at its ends.
    pub extremes: Extremes<'c>,
    /// The most frequent values.
    pub frequent: Vec<(Cow<'c, str>, u64)>,
    /// The counts of the most frequent values are at least so high.
    pub at_least: bool,
    /// The first values.
    pub examples: &'c [Example],
}

/// The values at the ends of a field.
#[derive(Clone, Debug, Default)]
pub enum Extremes<'c> {
    /// None are known.
    #[default]
    None,
    /// Of numbers and dates.
    Values(Cow<'c, str>, Cow<'c, str>),
    /// Of texts, by their lengths in characters.
    Lengths(u64, u64),
}

/// A field that targets require.
#[derive(Clone, Debug, Default)]
pub struct RequiredField<'c> {
    /// Its name, and those of fields that do as well.
    pub names: Vec<&'c str>,
    /// Entries that have it, or the most frequent of these fields.
    pub entries: u64,
    /// The targets.
    pub targets: Vec<&'c str>,
}

/// What a target would make of a document.
#[derive(Clone, Debug, Default)]
pub struct TargetForecast<'c> {
    /// The target.
    pub to: &'c str,
    /// Whose rules would be applied.
    pub profile: &'c str,
    /// Why there is no such conversion.
    pub refused: Option<Cow<'c, str>>,
    /// The totals of its report.
    pub totals: Totals,
    /// Entries that could not be written.
    pub dropped: u64,
    /// Videos read.
    pub videos: u64,
    /// Videos written.
    pub videos_written: u64,
    /// Values that a user of the target would miss, those without a place, and those that nobody misses.
    pub classes: [u64; 3],
    /// Lost values among those that would be missed.
    pub missed: u64,
    /// Of several targets, it fits best.
    pub best: bool,
}

/// How many documents are shown in full.
const IN_FULL: usize = 50;

/// Writes the page of an inspection.
///
/// # Errors
/// An error of `out`.
pub fn contents(contents: &Contents<'_>, out: &mut dyn Write) -> io::Result<()> {
    let several = contents.documents.len() + contents.refused.len() > 1;
    let mut room = LISTED;
    let documents: Vec<DocumentView<'_>> = contents
        .documents
        .iter()
        .take(IN_FULL)
        .enumerate()
        .map(|(at, one)| DocumentView::new(one, at, &mut room))
        .collect();
    let list: Vec<DocumentLine<'_>> = match several {
        true => contents.documents.iter().take(LISTED).map(DocumentLine::new).collect(),
        false => Vec::new(),
    };
    let untold = contents.documents.len().saturating_sub(if several { LISTED } else { IN_FULL }) as u64;
    let fetched = FetchedTable::new(contents.fetched.iter().copied());
    let mut sections = match (several, documents.first()) {
        (_, None) => Vec::new(),
        (false, Some(one)) => one.sections(),
        (true, Some(_)) => {
            vec![PageSection { id: "documents", name: "Documents", count: grouped(contents.documents.len() as u64) }]
        }
    };
    sections.extend(fetched.section());
    let page = ContentsPage {
        shell: PageShell::new(),
        headline: headline(contents),
        lead: contents.documents.first().filter(|_| !several).map(|one| cut(&one.name, SHOWN)),
        refused: contents.refused.iter().take(LISTED).map(|(name, why)| (cut(name, SHOWN), cut(why, SHOWN))).collect(),
        contents,
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
    contents: &'c Contents<'c>,
    sections: Vec<PageSection>,
    fetched: FetchedTable<'c>,
    documents: Vec<DocumentView<'c>>,
    list: Vec<DocumentLine<'c>>,
    untold: Option<String>,
    several: bool,
}

/// A document in the list of several.
struct DocumentLine<'c> {
    document: &'c DocumentContents<'c>,
    name: Cow<'c, str>,
    size: String,
}

impl<'c> DocumentLine<'c> {
    fn new(document: &'c DocumentContents<'c>) -> DocumentLine<'c> {
        let size = document.bytes.map(figures::size).unwrap_or_default();
        DocumentLine { document, name: cut(&document.name, SHOWN), size }
    }
}

struct DocumentView<'c> {
    document: &'c DocumentContents<'c>,
    /// A suffix that makes the ids of its tables unique.
    mark: String,
    name: Cow<'c, str>,
    facts: Vec<(&'static str, Cow<'c, str>)>,
    fields: Vec<FieldView<'c>>,
    required: Vec<RequiredView<'c>>,
    /// The required fields are those of the one target that was asked for.
    chosen: bool,
    forecast: Vec<ForecastView<'c>>,
    /// The columns of the targets that have a figure: attention, unsupported, technical.
    columns: [bool; 3],
    timeline: Option<Timeline>,
    repairs: Vec<RepairRow<'c>>,
    untold_repairs: Option<String>,
    untold_repeats: Option<String>,
    untold_fields: Option<String>,
}

struct FieldView<'c> {
    of: &'c FieldUse<'c>,
    bar: Bar,
    share: String,
    distinct: String,
    range: String,
    places: Vec<ExampleRow<'c>>,
    frequent: Vec<(Cow<'c, str>, String)>,
    preview: Option<Cow<'c, str>>,
}

struct RequiredView<'c> {
    of: &'c RequiredField<'c>,
    names: String,
    targets: String,
    bar: Bar,
    share: String,
    complete: bool,
    /// Other entries may have the other fields.
    at_least: bool,
}

impl<'c> RequiredView<'c> {
    fn new(of: &'c RequiredField<'c>, entries: u64) -> RequiredView<'c> {
        let complete = of.entries >= entries;
        RequiredView {
            of,
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
    of: &'c TargetForecast<'c>,
    attention: u64,
    unsupported: u64,
    technical: u64,
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
    fn new(document: &'c DocumentContents<'c>, at: usize, room: &mut usize) -> DocumentView<'c> {
        let listed = document.fields.iter().take(*room);
        let fields: Vec<FieldView<'c>> = listed.map(|field| FieldView::new(field, document.entries)).collect();
        *room -= fields.len();
        let rest = |all: u64, listed: usize, one, more| {
            let rest = all.saturating_sub(listed as u64);
            (rest > 0).then(|| many(rest, one, more))
        };
        let repairs: Vec<RepairRow<'c>> =
            document.repairs.iter().take(LISTED).map(|found| RepairRow::new(found)).collect();
        DocumentView {
            mark: at.to_string(),
            name: cut(&document.name, SHOWN),
            facts: document.facts.iter().map(|(name, value)| (*name, cut(value, SHOWN))).collect(),
            untold_fields: rest(document.fields.len() as u64, fields.len(), "more field", "more fields"),
            fields,
            required: document.required.iter().map(|one| RequiredView::new(one, document.entries)).collect(),
            chosen: document.forecast.len() == 1,
            columns: [0, 1, 2].map(|at| document.forecast.iter().any(|one| one.classes[at] > 0)),
            forecast: document.forecast.iter().map(ForecastView::new).collect(),
            timeline: Timeline::from_counts(&document.timeline),
            untold_repairs: rest(document.repaired, repairs.len(), "more repair", "more repairs"),
            untold_repeats: rest(document.repeated, document.repeats.len(), "more repeat", "more repeats"),
            repairs,
            document,
        }
    }

    fn sections(&self) -> Vec<PageSection> {
        let DocumentContents { fields, required, forecast, repeated, foreign, namespaces, repaired, .. } =
            self.document;
        let all = [
            ("required-0", "Required fields", required.len() as u64),
            ("forecast-0", "Targets", forecast.len() as u64),
            ("fields-0", "Fields", fields.len() as u64),
            ("repeats-0", "Repeats", *repeated),
            ("names-0", "Namespaces", namespaces.len() as u64),
            ("foreign-0", "Unrecognized markup", foreign.len() as u64),
            ("repairs-0", "Repairs", *repaired),
        ];
        let there = all.into_iter().filter(|(.., count)| *count > 0);
        there.map(|(id, name, count)| PageSection { id, name, count: grouped(count) }).collect()
    }
}

impl<'c> FieldView<'c> {
    fn new(field: &'c FieldUse<'c>, entries: u64) -> FieldView<'c> {
        let least = if field.at_least { "≥ " } else { "" };
        let frequent: Vec<_> = field
            .frequent
            .iter()
            .take(20)
            .map(|(value, count)| (cut(value, SHOWN), format!("{least}{}", grouped(*count))))
            .collect();
        let first = field.frequent.first().map(|(value, _)| &**value);
        let first = first.or_else(|| field.examples.first().and_then(|example| example.from.as_deref()));
        FieldView {
            bar: Bar::new(&[("all", field.entries)], entries),
            share: percent(field.entries, entries),
            distinct: format!("{}{}", if field.estimated { "≈ " } else { "" }, grouped(field.distinct)),
            range: match &field.extremes {
                Extremes::None => String::new(),
                Extremes::Values(least, most) if least == most => cut(least, 60).into_owned(),
                Extremes::Values(least, most) => format!("{} … {}", cut(least, 60), cut(most, 60)),
                Extremes::Lengths(least, most) if least == most => many(*least, "character", "characters"),
                Extremes::Lengths(least, most) => format!("{} to {} characters", grouped(*least), grouped(*most)),
            },
            places: field.examples.iter().take(10).map(ExampleRow::new).collect(),
            frequent,
            preview: first.map(|value| cut(value, 60)),
            of: field,
        }
    }
}

impl<'c> ForecastView<'c> {
    /// The columns beside its name.
    fn span(&self, columns: &[bool; 3]) -> usize {
        3 + columns.iter().filter(|shown| **shown).count()
    }

    fn new(forecast: &'c TargetForecast<'c>) -> ForecastView<'c> {
        let refused = forecast.refused.as_deref().map(|why| cut(why, SHOWN));
        let [attention, unsupported, technical] = forecast.classes;
        ForecastView {
            of: forecast,
            attention,
            unsupported,
            technical,
            bar: Bar::from_totals(&forecast.totals, forecast.missed),
            refused,
        }
    }
}

fn headline(contents: &Contents<'_>) -> String {
    let sum = |of: fn(&DocumentContents<'_>) -> u64| contents.documents.iter().map(of).fold(0, u64::saturating_add);
    let entries = many(sum(|one| one.entries), "entry", "entries");
    let videos = match sum(|one| one.videos) {
        0 => String::new(),
        count => format!(" with {}", many(count, "video", "videos")),
    };
    let all = contents.documents.len() + contents.refused.len();
    match (contents.refused.len(), contents.documents.as_slice()) {
        (0, [one]) => format!("{entries}{videos}, as {}", cut(&one.format, 80)),
        (0, _) => format!("{entries}{videos} in {}", many(all as u64, "document", "documents")),
        (refused, _) => {
            format!("{} of {} could not be read", grouped(refused as u64), many(all as u64, "document", "documents"))
        }
    }
}
