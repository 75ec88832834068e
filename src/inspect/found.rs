//! What an inspection finds: the types that are shown, written as JSON (docs/schema/inspect.json) and handed to pages for
//! people. Nothing here counts.

use serde::Serialize;

use crate::code::Class;
use crate::convert::{Drops, Fetched};
use crate::ledger::{Diagnostic, Example, Row, Totals};
use crate::report::ObjectCounts;

/// The content of several inputs.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Inspection {
    /// Those that could be read, in the order given.
    pub inputs: Vec<InspectedInput>,
    /// Those that could not.
    pub errors: Vec<RefusedInput>,
    /// Sites that were looked at for the feeds and sitemaps they name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sites: Vec<DiscoveredSite>,
    /// All of those that could be read together.
    pub totals: InspectionSums,
}

/// The feeds and sitemaps that a site names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiscoveredSite {
    /// The URL of the page.
    pub url: String,
    /// The documents it names: sitemaps first, each once.
    pub documents: Vec<DiscoveredDocument>,
}

/// A document that a site names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiscoveredDocument {
    /// Its URL.
    pub url: String,
    /// Where it is named: `robots.txt`, or `link` of the page.
    pub by: String,
    /// Its media type, if it is given.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its title, if it is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// An input that could not be read.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RefusedInput {
    /// Its name.
    pub name: String,
    /// Why, and what to do.
    pub error: String,
}

/// Sums of several inputs.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InspectionSums {
    /// Inputs that could be read.
    pub inputs: u64,
    /// Bytes of those whose size is known.
    pub bytes: u64,
    /// Entries that were looked at.
    pub looked_at: u64,
    /// Videos in them.
    pub videos: u64,
    /// Files of these videos.
    pub renditions: u64,
    /// Repairs.
    pub repairs: u64,
    /// The forecast of each target for all inputs that it accepts, each converted by itself.
    pub forecast: Vec<SumOfForecasts>,
}

/// The forecast of a target for several inputs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SumOfForecasts {
    /// The target.
    pub to: &'static str,
    /// Inputs that it takes.
    pub inputs: u64,
    /// The sums of their reports.
    pub totals: Totals,
    /// Entries, pages and videos; files are not counted.
    pub objects: ObjectCounts,
    /// Values by class.
    pub classes: Classes,
}

/// The content of one input.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InspectedInput {
    /// Its name.
    pub name: String,
    /// How it was fetched, if it came from a URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fetched: Option<Fetched>,
    /// Its format.
    pub format: String,
    /// The version of that format, where it has one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// The platforms whose own elements it may have.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub dialect: String,
    /// Its encoding.
    pub encoding: Encoding,
    /// How it is compressed: `gzip`, or not at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<&'static str>,
    /// Bytes as they are stored; absent if only the beginning was read and the size is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Which entries were looked at. All that follows is about these.
    pub selected: Selection,
    /// Entries there are, unreadable ones too; absent where only the first ones were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<u64>,
    /// Entries that were looked at.
    pub looked_at: u64,
    /// Those of them that cannot be read.
    pub unreadable: u64,
    /// Different pages, and entries with a repeated page.
    pub pages: Repeat,
    /// Different ids, and entries with a repeated id.
    pub ids: Repeat,
    /// Different videos by their URL, and repeated videos.
    pub distinct_videos: Repeat,
    /// Videos.
    pub videos: u64,
    /// Their files.
    pub renditions: u64,
    /// The earliest and the latest date that an entry was published or updated at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<Dates>,
    /// Languages, and how many entries have a value in each. The head's language counts for entries without one. At
    /// most 50.
    pub languages: Vec<ValueCount>,
    /// Hosts by what they are named for, the most frequent first. At most 10 for each.
    pub hosts: Vec<Host>,
    /// Values of the head. At most 200.
    pub head: Vec<HeadValue>,
    /// Fields of the entries, in the order of the model.
    pub fields: Vec<FieldStatistics>,
    /// Namespaces of the markup, the most frequent first. At most 1,000 unknown ones.
    pub namespaces: Vec<Namespace>,
    /// Elements and attributes in namespaces beyond that.
    pub namespaces_untold: u64,
    /// Markup that no reader understood, the most frequent first. At most 1,000 paths.
    pub foreign: Vec<UnreadMarkup>,
    /// Values of unknown markup at paths beyond that.
    pub foreign_untold: u64,
    /// Repairs, by their codes.
    pub diagnostics: Vec<RepairGroup>,
    /// All repairs.
    pub repairs: u64,
    /// The forecast of each target.
    pub forecast: Vec<ForecastSummary>,
}

/// The encoding of a document.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Encoding {
    /// The encoding that was used.
    pub real: String,
    /// The encoding of the XML declaration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<String>,
    /// It begins with a byte order mark.
    pub byte_order_mark: bool,
}

/// Which entries were looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Selection {
    /// All of them.
    #[default]
    All,
    /// The first ones (`--limit`).
    First,
    /// Some, spread from the first to the last (`--sample`).
    Sample,
}

/// The number of different objects, and of those that occur more than once.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Repeat {
    /// Different ones.
    pub different: u64,
    /// How many are repeated.
    pub again: u64,
    /// The first of these, at most 10.
    pub examples: Vec<Duplicate>,
}

/// A repeated object.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Duplicate {
    /// The value, at most 200 characters.
    pub value: String,
    /// The number of the entry, from 0.
    pub entry: u64,
    /// The line of that entry.
    pub line: u32,
    /// The number of the entry of the first one.
    pub first_entry: u64,
    /// The line of that one.
    pub first_line: u32,
}

/// A stretch of time.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Dates {
    /// Its beginning.
    pub earliest: String,
    /// Its end.
    pub latest: String,
    /// Entries of each day, month or span of years, without gaps; for charts, not part of the JSON.
    #[serde(skip)]
    pub entries: Vec<(String, u64)>,
}

/// A value and how often it occurs.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValueCount {
    /// The value, at most 200 characters.
    pub value: String,
    /// How often.
    pub count: u64,
}

/// A host in URLs.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Host {
    /// The role of the URLs: `page`, `file`, `player`, `picture` or `link`.
    pub role: &'static str,
    /// The host.
    pub host: String,
    /// How many URLs have it.
    pub count: u64,
}

/// A value of the head.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HeadValue {
    /// The field.
    pub field: &'static str,
    /// The element of a module, if the field has values of many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// Its value, at most 200 characters.
    pub value: String,
    /// Its line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// Statistics of a field of the entries. A value that occurs once and applies to several videos counts once.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FieldStatistics {
    /// The model's name of it.
    pub field: &'static str,
    /// The element of a module, if the field has values of many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// Entries that have it.
    pub entries: u64,
    /// Their share of all that could be read, from 0 to 1.
    pub share: f64,
    /// Values.
    pub values: u64,
    /// Different values: counted, or estimated with a standard error of 1.6 %.
    pub distinct: u64,
    /// They were estimated.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// Of a text: the one with the fewest characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortest: Option<Extreme>,
    /// The one with the most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<Extreme>,
    /// Of a number, a date or a length of time: the least one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<Extreme>,
    /// The greatest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub greatest: Option<Extreme>,
    /// The most frequent values, at most 10; empty if none is frequent.
    pub frequent: Vec<ValueCount>,
    /// The counts of the most frequent values are not exact: there are at least so many.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
    /// The first three values, as in the source.
    pub examples: Vec<Example>,
}

/// A value at one end.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Extreme {
    /// The value, at most 200 characters.
    pub value: String,
    /// All its characters, where it is a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub characters: Option<u64>,
    /// The number of the entry, from 0.
    pub entry: u64,
    /// Its line.
    pub line: u32,
}

/// A namespace in use.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Namespace {
    /// The usual prefix, or that of the document for an unknown one; empty for none.
    pub prefix: String,
    /// Its URL.
    pub uri: String,
    /// Whether some reader knows it.
    pub known: bool,
    /// Elements in it.
    pub elements: u64,
    /// Attributes in it.
    pub attributes: u64,
}

/// Markup that no reader understood.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnreadMarkup {
    /// Its place.
    pub path: String,
    /// Its namespace.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub ns: String,
    /// How often it occurs.
    pub count: u64,
    /// In how many entries.
    pub entries: u64,
    /// The first value, at most 200 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
    /// The line of the first entry that has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// Repairs of one code.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RepairGroup {
    /// The code.
    pub code: &'static str,
    /// `error` where something was lost by it, else `warning`.
    pub severity: &'static str,
    /// How often it was repaired.
    pub count: u64,
    /// The first ones, at most 5.
    pub examples: Vec<Diagnostic>,
}

/// The forecast for one target.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ForecastSummary {
    /// The target.
    pub to: &'static str,
    /// Whose rules would be applied.
    pub profile: &'static str,
    /// Why the conversion is impossible; the other members are then empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The totals that the report of a conversion would have.
    pub totals: Totals,
    /// Entries that could not be written.
    pub dropped: u64,
    /// Entries, pages and videos that would go in and come out; files are not counted.
    pub objects: ObjectCounts,
    /// Values that would not be in the output as they are, by class.
    pub classes: Classes,
    /// The objects that would be dropped.
    #[serde(skip)]
    pub drops: Drops,
    /// The rows that its report would have, each with at most 3 examples.
    pub rows: Vec<ForecastRow>,
}

impl ForecastSummary {
    /// How little the target fits, for comparison: the least fits best. Fewest videos dropped, then fewest values that a
    /// user would miss, then fewest without a place. Targets that take no such document come last.
    pub fn fit(&self) -> (bool, u64, u64, u64) {
        fit(self.refused.is_none(), &self.objects, &self.classes)
    }
}

/// The sort key of [`ForecastSummary::fit`].
pub(crate) fn fit(possible: bool, objects: &ObjectCounts, classes: &Classes) -> (bool, u64, u64, u64) {
    (!possible, objects.videos_dropped(), classes.attention, classes.unsupported)
}

/// Values of the rows of a report by class.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Classes {
    /// A user of the target would miss them; repairs of the input that may change a value count here, too.
    pub attention: u64,
    /// The target has no place for them.
    pub unsupported: u64,
    /// Users of the target do not miss them.
    pub technical: u64,
}

impl Classes {
    /// Adds the values of a row.
    pub(crate) fn add(&mut self, row: &Row) {
        let sum = match row.class() {
            Class::Attention => &mut self.attention,
            Class::Unsupported => &mut self.unsupported,
            Class::Technical => &mut self.technical,
        };
        *sum += row.count;
    }

    /// Adds those of another document.
    pub(crate) fn add_all(&mut self, other: &Classes) {
        self.attention += other.attention;
        self.unsupported += other.unsupported;
        self.technical += other.technical;
    }
}

/// All values of one field that would meet the same fate.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ForecastRow {
    /// `lost`, `changed`, `merged`, `unread` or `made`.
    pub kind: &'static str,
    /// The code of the change or loss.
    pub code: &'static str,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// `attention`, `unsupported` or `technical`.
    pub class: &'static str,
    /// The model's name of the field.
    pub field: &'static str,
    /// The element or attribute in the source, where the field is that of many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// The reason.
    pub why: &'static str,
    /// How many values.
    pub count: u64,
    /// The first of them.
    pub examples: Vec<Example>,
}
