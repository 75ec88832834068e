//! The content of a document and the cost of converting it: format, encoding, counts, the values of each field,
//! duplicates, and for each target the totals that the report of a conversion would have. Nothing is written.
//!
//! ```
//! use transfeed::convert::Bytes;
//! use transfeed::inspect::InspectOptions;
//!
//! let feed = br#"<rss version="2.0"><channel><item><link>https://example.com/1</link><author>a@example.com</author>
//!   </item></channel></rss>"#;
//! let found = InspectOptions::default().document(&Bytes { name: "feed.rss", bytes: feed })?;
//! assert_eq!((found.format.as_str(), found.looked_at), ("rss", 1));
//! let sitemap = found.forecast.iter().find(|forecast| forecast.to == "sitemap").unwrap();
//! assert_eq!((sitemap.totals.kept, sitemap.totals.lost), (2, 1));
//! # Ok::<(), transfeed::error::Error>(())
//! ```

mod census;
mod distinct;
mod extreme;
mod found;
mod frequent;
mod repeat;
mod required;
pub mod text;
mod times;

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use census::{Census, EntryCounts, FieldTally, ROLES};
use extreme::{End, Measure};
pub use found::*;
#[cfg(feature = "html")]
pub(crate) use required::{Coverage, coverage};

use crate::convert::{Drops, ForecastOutcome, ForecastReport, ForecastRequest, Input, Select};
use crate::error::{Error, ErrorKind};
use crate::format::ns::dialect;
use crate::format::{self, Format};
use crate::ledger::{Diagnostic, Ledger, Totals, shorten};
use crate::model::{Feed, Field, LeafView};
use crate::options::Options;
use crate::place::LeafPlaces;
use crate::report::{ObjectCounts, write_visible};

/// Values of one kind that are listed.
const FREQUENT: usize = 10;
/// Languages that are listed.
const LANGUAGES: usize = 50;
/// Values of the head that are listed.
const HEAD: usize = 200;
/// Repairs of one code that are listed.
const REPAIRS: usize = 5;
/// Examples in a row of a forecast.
const EXAMPLES: usize = 3;

/// Options of an inspection.
#[derive(Clone, Debug)]
pub struct InspectOptions {
    from: Option<&'static Format>,
    targets: Vec<&'static Format>,
    select: Select,
    options: Options,
}

impl Default for InspectOptions {
    /// All entries, and a forecast for every target.
    fn default() -> InspectOptions {
        let targets = format::targets().collect();
        InspectOptions { from: None, targets, select: Select::All, options: Options::default() }
    }
}

impl InspectOptions {
    /// Overrules detection.
    #[must_use]
    pub fn from(mut self, from: &'static Format) -> InspectOptions {
        self.from = Some(from);
        self
    }

    /// With a forecast for these targets.
    #[must_use]
    pub fn to(mut self, targets: &[&'static Format]) -> InspectOptions {
        self.targets = targets.to_vec();
        self
    }

    /// Looks at these entries.
    #[must_use]
    pub fn select(mut self, select: Select) -> InspectOptions {
        self.select = select;
        self
    }

    /// With these options: those that a conversion would have.
    #[must_use]
    pub fn with(mut self, options: Options) -> InspectOptions {
        self.options = options;
        self
    }

    /// Inspects one document.
    ///
    /// # Errors
    /// The errors of any conversion of it: unreadable, unknown, beyond a limit.
    pub fn document(&self, input: &dyn Input) -> Result<InspectedInput, Error> {
        let input = MeasuredInput { input, bytes: AtomicU64::new(0) };
        let census = Census::new();
        let asked =
            ForecastRequest { from: self.from, targets: &self.targets, select: self.select, options: &self.options };
        let mut outcome = asked.run(&input, &census)?;
        let whole = !matches!(self.select, Select::First(_)) || outcome.entries.is_some();
        let bytes = whole.then(|| input.bytes.load(Ordering::Relaxed));
        let (pages, ids, distinct_videos) = repeat::count_repeats(&mut outcome, &self.options)?;
        let (counts, estimates) = census.into_counts(&outcome.document.feed);
        let mut found = self.found(outcome, &counts, &estimates)?;
        found.bytes = bytes;
        (found.pages, found.ids, found.distinct_videos) = (pages, ids, distinct_videos);
        Ok(found)
    }

    fn found(
        &self,
        outcome: ForecastOutcome<'_>,
        counts: &EntryCounts,
        estimates: &[u64],
    ) -> Result<InspectedInput, Error> {
        let info = &outcome.document.info;
        let wrapping = &outcome.document.wrapping;
        let (namespaces, namespaces_untold) = namespaces(outcome.names);
        Ok(InspectedInput {
            name: info.name.clone(),
            fetched: None,
            format: info.format.clone(),
            version: wrapping.version.clone(),
            dialect: info.dialect.clone(),
            encoding: Encoding {
                real: info.encoding.clone(),
                declared: wrapping.declared.clone(),
                byte_order_mark: wrapping.mark,
            },
            compression: wrapping.gzip.then_some("gzip"),
            bytes: None,
            selected: match self.select {
                Select::All => Selection::All,
                Select::First(_) => Selection::First,
                Select::Spread(_) => Selection::Sample,
            },
            entries: outcome.entries,
            looked_at: outcome.looked_at,
            unreadable: outcome.unreadable,
            pages: Repeat::default(),
            ids: Repeat::default(),
            distinct_videos: Repeat::default(),
            videos: counts.videos,
            renditions: counts.renditions,
            dates: dates(counts),
            languages: counted(&counts.languages, LANGUAGES),
            hosts: hosts(counts),
            head: head(&outcome.document.feed),
            fields: fields(counts, estimates),
            namespaces,
            namespaces_untold,
            foreign: foreign(counts),
            foreign_untold: counts.foreign_untold,
            diagnostics: repairs(&outcome.told),
            repairs: outcome.told.diagnostics_seen(),
            forecast: outcome
                .foreseen
                .into_iter()
                .map(|foreseen| forecast(foreseen, &outcome.told, &self.options))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl Inspection {
    /// Writes it as JSON.
    ///
    /// # Errors
    /// An error of `out`.
    pub fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        write_visible(out, &(text + "\n"))
    }

    /// Adds what is in an input, or why it could not be read.
    pub fn push(&mut self, name: &str, found: Result<InspectedInput, Error>) {
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                self.errors.push(RefusedInput { name: name.to_owned(), error: error.to_string() });
                return;
            }
        };
        let sums = &mut self.totals;
        sums.inputs += 1;
        sums.bytes += found.bytes.unwrap_or(0);
        sums.looked_at += found.looked_at;
        sums.videos += found.videos;
        sums.renditions += found.renditions;
        sums.repairs += found.repairs;
        for forecast in found.forecast.iter().filter(|forecast| forecast.refused.is_none()) {
            match sums.forecast.iter_mut().find(|sum| sum.to == forecast.to) {
                Some(sum) => {
                    sum.inputs += 1;
                    sum.totals.add(&forecast.totals);
                    sum.objects.add(&forecast.objects);
                    sum.classes.add_all(&forecast.classes);
                }
                None => {
                    let ForecastSummary { to, totals, objects, classes, .. } = *forecast;
                    sums.forecast.push(SumOfForecasts { to, inputs: 1, totals, objects, classes });
                }
            }
        }
        self.inputs.push(found);
    }
}

/// An input that knows how many bytes the last reading of it took.
struct MeasuredInput<'i> {
    input: &'i dyn Input,
    bytes: AtomicU64,
}

impl Input for MeasuredInput<'_> {
    fn name(&self) -> &str {
        self.input.name()
    }
    fn given_base(&self) -> Option<&str> {
        self.input.given_base()
    }
    fn base(&self) -> Option<&str> {
        self.input.base()
    }
    fn charset(&self) -> Option<&str> {
        self.input.charset()
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
        Ok(Box::new(InputCounter { reader: self.input.open()?, read: 0, most: &self.bytes }))
    }
}

struct InputCounter<'c> {
    reader: Box<dyn Read + Send + 'c>,
    read: u64,
    most: &'c AtomicU64,
}

impl Read for InputCounter<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.read += read as u64;
        self.most.fetch_max(self.read, Ordering::Relaxed);
        Ok(read)
    }
}

fn namespaces(names: crate::convert::NamespaceNames) -> (Vec<Namespace>, u64) {
    let (rows, untold) = names.into_rows();
    let row = |(prefix, uri, has_reader, occurs): (_, String, bool, crate::convert::NamespaceUse)| Namespace {
        prefix,
        known: has_reader || dialect::by_namespace(&uri).is_some(),
        uri: if has_reader { uri } else { shorten(&uri) },
        elements: occurs.elements,
        attributes: occurs.attributes,
    };
    (rows.into_iter().map(row).collect(), untold)
}

fn counted(values: &frequent::FrequentValues, most: usize) -> Vec<ValueCount> {
    let (top, _) = values.top(most);
    top.into_iter().map(|(value, count)| ValueCount { value: value.to_owned(), count }).collect()
}

fn hosts(counts: &EntryCounts) -> Vec<Host> {
    let of = |(role, hosts): (&'static &'static str, &frequent::FrequentValues)| {
        let counted = counted(hosts, FREQUENT).into_iter();
        counted.map(|ValueCount { value, count }| Host { role, host: value, count }).collect::<Vec<_>>()
    };
    ROLES.iter().zip(&counts.hosts).flat_map(of).collect()
}

/// When the entries were published and updated.
fn dates(counts: &EntryCounts) -> Option<Dates> {
    let tallies: Vec<&FieldTally> =
        [Field::Published, Field::Updated].iter().filter_map(|field| counts.fields.get(*field as usize)).collect();
    let order = |a: &&End, b: &&End| a.measure.partial_cmp(&b.measure).unwrap_or(std::cmp::Ordering::Equal);
    let earliest = tallies.iter().filter_map(|tally| tally.ends.least.as_ref()).min_by(order)?;
    let latest = tallies.iter().filter_map(|tally| tally.ends.greatest.as_ref()).max_by(order)?;
    Some(Dates { earliest: earliest.value.clone(), latest: latest.value.clone(), entries: counts.times.columns() })
}

fn head(feed: &Feed<'_>) -> Vec<HeadValue> {
    let mut places = LeafPlaces::new(&feed.origin);
    let mut values = Vec::new();
    feed.each_leaf(&mut |seen: LeafView<'_>| {
        if values.len() < HEAD {
            let mark = seen.mark.is_some().then_some(seen.mark.0 & !crate::model::Mark::FEED);
            let line = mark.and_then(|mark| places.leaf(mark as usize, None).line);
            let element = seen.within.filter(|_| seen.field == Field::FeedModule).map(str::to_owned);
            let value = shorten(&seen.value.to_string());
            values.push(HeadValue { field: seen.field.name(), element, value, line });
        }
    });
    values
}

fn fields(counts: &EntryCounts, estimates: &[u64]) -> Vec<FieldStatistics> {
    let mut elements: Vec<_> = counts.elements.iter().collect();
    elements.sort_unstable_by_key(|(_, element)| element.first);
    let elements = elements
        .into_iter()
        .map(|(name, element)| (Field::Module, Some(name.as_str()), &element.tally, element.distinct.count()));
    let rows = Field::ALL.iter().zip(counts.fields.iter().zip(estimates));
    let rows = rows.map(|(field, (tally, estimate))| (*field, None, tally, *estimate));
    let mut rows: Vec<_> = elements.chain(rows).filter(|(_, _, tally, _)| tally.values > 0).collect();
    // the elements of a field in their order
    rows.sort_by_key(|(field, ..)| *field);
    let row = |(field, element, tally, estimate): (Field, Option<&str>, &FieldTally, u64)| {
        let different = tally.frequent.different();
        let (top, exact) = tally.frequent.top(FREQUENT);
        // where all are different, none is frequent
        let few = different.is_some_and(|different| different <= FREQUENT as u64);
        let top = top.into_iter().filter(|(_, count)| few || *count > 1);
        let frequent = top.map(|(value, count)| ValueCount { value: value.to_owned(), count }).collect::<Vec<_>>();
        let end = |end: &Option<End>, text: bool| {
            end.as_ref().filter(|end| matches!(end.measure, Measure::Characters(_)) == text).map(extreme)
        };
        FieldStatistics {
            field: field.name(),
            element: element.map(str::to_owned),
            entries: tally.entries,
            share: share(tally.entries, counts.entries),
            values: tally.values,
            // an estimate may be above what is possible
            distinct: different.unwrap_or(estimate).min(tally.values),
            estimated: different.is_none(),
            shortest: end(&tally.ends.least, true),
            longest: end(&tally.ends.greatest, true),
            least: end(&tally.ends.least, false),
            greatest: end(&tally.ends.greatest, false),
            at_least: !exact && !frequent.is_empty(),
            frequent,
            examples: tally.examples.clone(),
        }
    };
    rows.into_iter().map(row).collect()
}

fn extreme(end: &End) -> Extreme {
    let characters = match end.measure {
        Measure::Characters(characters) => Some(characters),
        Measure::Instant(_) | Measure::Number(_) => None,
    };
    Extreme { value: end.value.clone(), characters, entry: end.entry, line: end.line }
}

/// A share with four digits: more would only be longer.
fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { (part as f64 / all as f64 * 10_000.0).round() / 10_000.0 }
}

fn foreign(counts: &EntryCounts) -> Vec<UnreadMarkup> {
    let mut all: Vec<_> = counts.foreign.iter().collect();
    all.sort_unstable_by(|(a, one), (b, other)| (other.count, one.first, a).cmp(&(one.count, other.first, b)));
    let row = |(path, strange): (&String, &census::UnreadMarkupCount)| UnreadMarkup {
        path: path.clone(),
        ns: shorten(&strange.ns),
        count: strange.count,
        entries: strange.entries,
        example: strange.example.clone(),
        line: strange.line,
    };
    all.into_iter().map(row).collect()
}

fn repairs(told: &Ledger) -> Vec<RepairGroup> {
    let mut all: Vec<RepairGroup> = Vec::new();
    for (code, count) in told.diagnostic_codes() {
        let of = told.diagnostics().iter().filter(|diagnostic| diagnostic.code == code);
        let examples: Vec<Diagnostic> = of.take(REPAIRS).cloned().collect();
        let severity = match examples.iter().any(|example| example.severity == "error") {
            true => "error",
            false => crate::diagnostic::severity(code),
        };
        all.push(RepairGroup { code, severity, count, examples });
    }
    all.sort_by_key(|repairs| std::cmp::Reverse(repairs.count));
    all
}

fn forecast(foreseen: ForecastReport, told: &Ledger, options: &Options) -> Result<ForecastSummary, Error> {
    let (to, profile) = (foreseen.to.id, foreseen.to.profile_name(options));
    let none = |refused| ForecastSummary {
        to,
        profile,
        refused: Some(refused),
        totals: Totals::default(),
        dropped: 0,
        objects: ObjectCounts::default(),
        classes: Classes::default(),
        drops: Drops::default(),
        rows: Vec::new(),
    };
    let (ledger, objects, drops) = match foreseen.books {
        Ok(books) => books,
        Err(error) => match error.kind() {
            ErrorKind::Format { looks, hint } => return Ok(none(format!("{looks}; {hint}"))),
            _ => return Err(error),
        },
    };
    let rows = ledger.rows().into_iter().map(|row| ForecastRow {
        kind: row.kind.name(),
        code: row.code().name(),
        severity: row.severity().name(),
        class: row.class().name(),
        field: row.field,
        element: row.element.as_deref().map(str::to_owned),
        why: row.why(),
        count: row.count,
        examples: row.examples.iter().take(EXAMPLES).cloned().collect(),
    });
    let mut classes = Classes::default();
    ledger.rows().into_iter().for_each(|row| classes.add(row));
    let repairs = told.diagnostic_codes().filter(|(code, _)| crate::diagnostic::needs_attention(code));
    classes.attention += repairs.map(|(_, count)| count).sum::<u64>();
    Ok(ForecastSummary {
        to,
        profile,
        refused: None,
        totals: ledger.totals(),
        dropped: objects.dropped,
        objects: ObjectCounts::new(&objects, 0),
        classes,
        drops,
        rows: rows.collect(),
    })
}
