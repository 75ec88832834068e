//! The result of a run over many inputs: one report per input, and their sums. These types define `summary.json` and
//! the events on standard output; their text for a terminal is here too. File access is elsewhere.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::Name;
use crate::code::{Class, Code, LossKind, Severity};
use crate::convert::enrich::EnrichmentUse;
use crate::convert::{self, DroppedKind, Fetched};
use crate::diagnostic;
use crate::format::{self, Format};
use crate::ledger::Totals;
use crate::report::{
    FindingSubject, ReportFinding, Sum, cause_lines, causes_of, finding_lines, fix_of, make_visible, out_of, sums_of,
    wrapped,
};
use crate::text::{grouped, many, size};

/// The fate of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum InputStatus {
    /// Converted in this run.
    Done,
    /// Converted by a former run, and the same since.
    Unchanged,
    /// It could not be converted.
    #[default]
    Failed,
    /// It was found in a folder and is not a feed.
    NotAFeed,
}

/// Repairs with one code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RepairCount {
    /// The code of the table of repairs.
    pub code: Cow<'static, str>,
    /// `error` or `warning`.
    pub severity: Cow<'static, str>,
    /// How often.
    pub count: u64,
    /// Input and line of one, where several inputs became one output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// Losses of one kind, of one field.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LossCount {
    /// `lost`, `changed`, `unread`, `merged` or `made`.
    pub kind: Cow<'static, str>,
    /// The code of the closed list.
    pub code: Cow<'static, str>,
    /// How much it matters.
    pub severity: Cow<'static, str>,
    /// `attention`, `unsupported` or `technical`; empty in journals of former versions.
    #[serde(default)]
    pub class: Cow<'static, str>,
    /// The model's name of the field.
    pub field: Cow<'static, str>,
    /// The element or attribute in the source, where the field is that of many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<Cow<'static, str>>,
    /// How many values.
    pub count: u64,
    /// Input and line of one, where several inputs became one output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// Videos, or entries, that were dropped for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DropCount {
    /// The code of the closed list.
    pub code: Cow<'static, str>,
    /// `attention`, `unsupported` or `technical`.
    #[serde(default)]
    pub class: Cow<'static, str>,
    /// The reason.
    pub why: Cow<'static, str>,
    /// How many.
    pub count: u64,
    /// Options that would keep some of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fix: Vec<FixCount>,
    /// In how many inputs, where several inputs became one output.
    #[serde(default, skip_serializing_if = "is_none")]
    pub inputs: u64,
    /// The inputs with the most, at most three, where several inputs became one output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worst: Vec<FileCount>,
}

/// An option that would keep some of what was dropped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FixCount {
    /// As it is typed.
    pub option: Cow<'static, str>,
    /// How many it would keep; it is tried on the first 10,000 of each file.
    pub count: u64,
}

impl DropCount {
    /// Of the groups of a conversion: `videos` or entries.
    fn from_drops(drops: &convert::Drops, videos: bool) -> Vec<DropCount> {
        let mut all: Vec<DropCount> = Vec::new();
        for group in drops.groups() {
            let count = if videos { group.videos } else { group.count };
            if count == 0 || !videos && group.kind == DroppedKind::Video {
                continue;
            }
            let (code, why) = (group.reason.code().name().into(), group.reason.text().into());
            // of a dropped entry the videos are not tried one by one
            let tried = !videos || group.kind == DroppedKind::Video;
            let fixes = group.fixes.iter().filter(|_| tried);
            let fix = fixes.map(|(option, count)| FixCount { option: (*option).into(), count: *count }).collect();
            let class = group.reason.class().name().into();
            all.push(DropCount { code, class, why, count, fix, inputs: 0, worst: Vec::new() });
        }
        let mut sums: Vec<DropCount> = Vec::new();
        all.iter().for_each(|dropped| match sums.iter_mut().find(|known| known.is_same(dropped)) {
            Some(known) => known.add(dropped),
            None => sums.push(dropped.clone()),
        });
        sums.iter_mut().for_each(|sum| sum.count_inputs(drops, videos));
        sums.sort_by(|a, b| a.order(b));
        sums
    }

    /// The options that would keep some of them, as text.
    pub(crate) fn fix_line(&self) -> Option<String> {
        let fixes: Vec<(&str, u64)> = self.fix.iter().map(|fix| (fix.option.as_ref(), fix.count)).collect();
        fix_of(&fixes, self.count, self.count)
    }

    /// Counts the inputs that have some.
    fn count_inputs(&mut self, drops: &convert::Drops, videos: bool) {
        let mut counts: HashMap<&str, u64> = HashMap::new();
        let is_counted = |group: &&convert::DropGroup| videos || group.kind == DroppedKind::Entry;
        for group in drops.groups().iter().filter(is_counted) {
            if group.reason.code().name() == self.code && group.reason.text() == self.why {
                for (input, (objects, of_them)) in &group.inputs {
                    *counts.entry(input).or_default() += if videos { *of_them } else { *objects };
                }
            }
        }
        counts.retain(|_, count| *count > 0);
        self.inputs = counts.len() as u64;
        self.worst =
            counts.into_iter().map(|(input, count)| FileCount { path: Name::Text(input.to_owned()), count }).collect();
        self.worst.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.path.cmp(&b.path)));
        self.worst.truncate(WORST);
    }

    fn is_same(&self, other: &DropCount) -> bool {
        self.code == other.code && self.why == other.why
    }

    fn add(&mut self, other: &DropCount) {
        self.count += other.count;
        self.worst.clear();
        for FixCount { option, count } in &other.fix {
            match self.fix.iter_mut().find(|known| known.option == *option) {
                Some(known) => known.count += count,
                None => self.fix.push(FixCount { option: option.clone(), count: *count }),
            }
        }
    }

    /// The most frequent first.
    fn order(&self, other: &DropCount) -> std::cmp::Ordering {
        let order = other.count.cmp(&self.count).then_with(|| self.code.cmp(&other.code));
        order.then_with(|| self.why.cmp(&other.why))
    }
}

/// Objects that were dropped for one reason, in all inputs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DropSum {
    /// Why, and how many.
    #[serde(flatten)]
    pub dropped: DropCount,
    /// In how many inputs; 0 if that is not known.
    #[serde(default)]
    pub files: u64,
    /// The inputs with the most, at most three.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worst: Vec<FileCount>,
}

/// How many of something an input has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileCount {
    /// Its path.
    pub path: Name,
    /// How many.
    pub count: u64,
}

/// A summary names so many inputs of each reason.
const WORST: usize = 3;

/// The place of one of several inputs; none where there is only one input.
fn place(input: Option<&str>, line: Option<u32>) -> Option<String> {
    Some(match (input?, line.filter(|line| *line > 0)) {
        (input, Some(line)) => format!("{input}:{line}"),
        (input, None) => input.to_owned(),
    })
}

/// An example of what an input, or one of several, has.
fn example_of<'n>(place: Option<&String>, path: &'n Name) -> Cow<'n, Name> {
    place.map_or(Cow::Borrowed(path), |place| Cow::Owned(Name::Text(place.clone())))
}

/// Adds some, so that the most frequent reason comes first.
fn add_dropped(all: &mut Vec<DropSum>, more: impl IntoIterator<Item = DropSum>) {
    for sum in more {
        match all.iter_mut().find(|known| known.dropped.is_same(&sum.dropped)) {
            Some(known) => {
                known.dropped.add(&sum.dropped);
                known.files = files_in_all(known.files, sum.files);
                known.worst.extend(sum.worst);
                // whichever thread was first must not show
                known.worst.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.path.cmp(&b.path)));
                known.worst.truncate(WORST);
            }
            None => all.push(sum),
        }
    }
    all.sort_by(|a, b| a.dropped.order(&b.dropped));
}

/// How many inputs have something, if that is known of both parts.
fn files_in_all(one: u64, other: u64) -> u64 {
    if one > 0 && other > 0 { one + other } else { 0 }
}

/// In how many files something is, before what follows; nothing if that is not known.
fn in_files(files: u64) -> String {
    if files > 0 { format!(" in {}", many(files, "file", "files")) } else { String::new() }
}

/// What one input dropped, or several that became one output.
fn of_file<'f>(path: &'f Name, dropped: &'f [DropCount], is_merged: bool) -> impl Iterator<Item = DropSum> + 'f {
    dropped.iter().map(move |dropped| DropSum {
        dropped: DropCount { worst: Vec::new(), inputs: 0, ..dropped.clone() },
        files: if is_merged { dropped.inputs } else { 1 },
        worst: match dropped.worst.is_empty() {
            true => vec![FileCount { path: path.clone(), count: dropped.count }],
            false => dropped.worst.clone(),
        },
    })
}

/// The outcome of videos, as text: how many there were, how many are in the output, and why the others are not.
pub fn videos_in_words(videos: u64, written: u64, dropped: &[DropCount]) -> String {
    let lost: u64 = dropped.iter().map(|dropped| dropped.count).sum();
    let mut words = format!("{} in, {} out", grouped(videos), grouped(written));
    if lost > 0 {
        let whys = dropped.iter().map(|one| match dropped.len() {
            1 => one.why.to_string(),
            _ => format!("{}: {}", grouped(one.count), one.why),
        });
        words.push_str(&format!(", {} dropped ({})", grouped(lost), whys.collect::<Vec<_>>().join("; ")));
    }
    words
}

impl LossCount {
    /// The name to show: the element where the field covers many, else the field.
    pub fn name(&self) -> &str {
        self.element.as_deref().unwrap_or(&self.field)
    }
}

/// How many rows there are before those of many elements are counted with their fields.
const ROWS: usize = 10_000;

const NO_ELEMENT: Cow<'static, str> = Cow::Borrowed("");

/// A file that was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WrittenFile {
    /// Its path below the folder of outputs.
    pub path: Name,
    /// Its size.
    pub bytes: u64,
}

/// The report of one input, or of several that became one output.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileReport {
    /// Its path below its source; of several that became one, the output's.
    pub path: Name,
    /// Its fate.
    pub status: InputStatus,
    /// How it was fetched, if it came from a URL; of several that became one, each of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fetched: Vec<Fetched>,
    /// Why it could not be converted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The inputs, where several became one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Name>,
    /// The files written, the one with the planned name last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<WrittenFile>,
    /// Videos read.
    #[serde(default)]
    pub videos: u64,
    /// Videos of which something is in the output.
    #[serde(default)]
    pub videos_written: u64,
    /// Why the others are not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub videos_dropped: Vec<DropCount>,
    /// Why entries were dropped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries_dropped: Vec<DropCount>,
    /// Its format.
    #[serde(default)]
    pub format: String,
    /// The platforms whose own elements it has.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub dialect: String,
    /// Entries read.
    #[serde(default)]
    pub entries: u64,
    /// Entries written: a page may become several.
    #[serde(default)]
    pub entries_written: u64,
    /// Entries dropped.
    #[serde(default)]
    pub dropped: u64,
    /// Its size.
    #[serde(default)]
    pub bytes: u64,
    /// Its output has no entries or, as a video sitemap, no videos.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub empty: bool,
    /// Repairs of the input.
    #[serde(default)]
    pub repairs: u64,
    /// The same by code, errors first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<RepairCount>,
    /// The sums of its books.
    #[serde(default)]
    pub totals: Totals,
    /// Its losses, by field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<LossCount>,
    /// It was skipped, and has a video that an option could read or report.
    #[serde(skip)]
    pub has_video: bool,
    /// How long this run took to convert it, without the wait for the disk. Absent from reports of single inputs, which are
    /// the same in every run, and where a former run converted it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seconds: f64,
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

impl Default for Name {
    fn default() -> Name {
        Name::Text(String::new())
    }
}

impl FileReport {
    /// Of an input that was not converted.
    pub fn failed(path: Name, bytes: u64, error: String) -> FileReport {
        FileReport { path, bytes, error: Some(error), ..FileReport::default() }
    }

    /// Adds the results of a conversion.
    pub fn add_conversion(&mut self, summary: &convert::Summary, target: &Format) {
        let join = |of: fn(&convert::SourceInfo) -> &str| {
            let mut words: Vec<&str> = summary.sources.iter().map(of).filter(|word| !word.is_empty()).collect();
            words.dedup();
            words.join(", ")
        };
        self.format = join(|source| &source.format);
        self.dialect = join(|source| &source.dialect);
        (self.entries, self.dropped, self.videos) =
            (summary.objects.entries, summary.objects.dropped, summary.objects.videos);
        self.empty = summary.empty(target).is_some();
        (self.videos_written, self.entries_written) = (summary.objects.videos_written, summary.objects.entries_written);
        self.videos_dropped = DropCount::from_drops(&summary.drops, true);
        self.entries_dropped = DropCount::from_drops(&summary.drops, false);
        self.repairs = summary.ledger.diagnostics_seen();
        let repairs = summary.ledger.diagnostic_codes();
        let repairs = repairs.map(|(code, count)| RepairCount {
            code: code.into(),
            severity: diagnostic::severity(code).into(),
            count,
            place: summary
                .ledger
                .diagnostics()
                .iter()
                .find(|found| found.code == code)
                .and_then(|found| place(found.input.as_deref(), Some(found.line))),
        });
        self.diagnostics = repairs.collect();
        self.diagnostics.sort_by_key(|repairs| repairs.severity != "error");
        self.totals = summary.ledger.totals();
        let rows = summary.ledger.rows();
        self.rows = Vec::with_capacity(rows.len());
        let mut told: Vec<(LossKind, Code, &str, Option<&str>)> = Vec::with_capacity(rows.len());
        for row in rows {
            let key = (row.kind, row.code(), row.field, row.element.as_deref());
            // most differ in the number of the code, before a name is looked at
            let at = told.iter().position(|known| *known == key);
            match at.and_then(|at| self.rows.get_mut(at)) {
                Some(loss) => loss.count += row.count,
                None => {
                    told.push(key);
                    self.rows.push(LossCount {
                        kind: row.kind.name().into(),
                        code: row.code().name().into(),
                        severity: row.severity().name().into(),
                        class: row.class().name().into(),
                        field: row.field.into(),
                        element: row.element.as_deref().map(|element| element.to_owned().into()),
                        count: row.count,
                        place: row.examples.first().and_then(|found| place(found.input.as_deref(), found.line)),
                    });
                }
            }
        }
    }

    /// It as JSON.
    pub fn json(&self) -> Vec<u8> {
        // what is in a report has nothing that JSON cannot say
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// Losses of one kind, of one field, in all inputs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LossSum {
    /// What, and how often.
    #[serde(flatten)]
    pub loss: LossCount,
    /// In how many inputs; 0 if that is not known, because several became one output.
    pub files: u64,
    /// One of them.
    pub example: Name,
}

/// Repairs with one code, in all inputs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RepairSum {
    /// What, and how often.
    #[serde(flatten)]
    pub repairs: RepairCount,
    /// In how many inputs; 0 if that is not known, because several became one output.
    pub files: u64,
    /// One of them.
    pub example: Name,
}

/// How many inputs there are of each fate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StatusCounts {
    /// Converted in this run.
    pub done: u64,
    /// Converted by a former run.
    pub unchanged: u64,
    /// Not converted.
    pub failed: u64,
    /// No feeds.
    pub not_feeds: u64,
    /// Lists that were followed: indexes of sitemaps, OPML.
    pub lists: u64,
    /// Not processed, because the run ended before, or because only some were requested.
    pub remaining: u64,
    /// Done in this or a former run, with an output that has no entries or, as a video sitemap, no videos.
    #[serde(default, skip_serializing_if = "is_none")]
    pub empty: u64,
}

#[cfg(feature = "cli")]
impl StatusCounts {
    /// The feeds that were processed, successfully or not.
    pub(crate) fn inputs(&self) -> u64 {
        self.done + self.unchanged + self.failed
    }
}

/// What a run came to.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunSummary {
    /// The version that wrote it.
    pub transfeed: String,
    /// The target.
    pub format: String,
    /// Whose rules were applied.
    pub profile: String,
    /// The share of the inputs that this is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// Nothing was written.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// Why the run ended before it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// Videos read.
    pub videos: u64,
    /// Videos of which something is in the outputs.
    pub videos_written: u64,
    /// Why the others are not, the most frequent reason first.
    pub videos_dropped: Vec<DropSum>,
    /// Why entries were dropped, likewise.
    #[serde(default)]
    pub entries_dropped: Vec<DropSum>,
    /// How many inputs.
    pub counts: StatusCounts,
    /// Entries read.
    pub entries: u64,
    /// Entries written: a page may become several.
    #[serde(default)]
    pub entries_written: u64,
    /// Entries dropped.
    pub dropped: u64,
    /// Bytes of the inputs that were converted, also by former runs.
    pub bytes_read: u64,
    /// Bytes of their outputs.
    pub bytes_written: u64,
    /// Bytes converted by this run.
    pub bytes_now: u64,
    /// How long it took.
    pub seconds: f64,
    /// The sums of all books.
    pub totals: Totals,
    /// The losses, the most frequent first.
    pub rows: Vec<LossSum>,
    /// Repairs of the inputs by code, errors first.
    #[serde(default)]
    pub diagnostics: Vec<RepairSum>,
    /// The first input by name whose output is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty_example: Option<Name>,
    /// Outputs of inputs that are not among the sources any more, at most 10,000. They are kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept_outputs: Vec<Name>,
    /// The documents that were fetched for these inputs.
    #[serde(default, skip_serializing_if = "FetchSum::is_none")]
    pub fetched: FetchSum,
    /// The use of the file of `--enrich`, of a run that read all inputs.
    #[serde(default, skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub enrichment: Option<Box<EnrichmentUse>>,
    /// Notes: URLs that were not fetched, names that were changed, inputs that are gone.
    pub notes: Vec<String>,
}

/// The documents that a run fetched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FetchSum {
    /// Documents that a server was asked for.
    pub documents: u64,
    /// Those that had not changed (304).
    pub unchanged: u64,
    /// Bytes of bodies as they were sent.
    pub bytes: u64,
}

impl FetchSum {
    fn is_none(&self) -> bool {
        self.documents == 0
    }

    fn add(&mut self, other: &FetchSum) {
        self.documents += other.documents;
        self.unchanged += other.unchanged;
        self.bytes += other.bytes;
    }

    fn sum(fetched: &[Fetched]) -> FetchSum {
        let asked = fetched.iter().filter(|document| document.status > 0 || !document.cached);
        asked.fold(FetchSum::default(), |sum, document| FetchSum {
            documents: sum.documents + 1,
            unchanged: sum.unchanged + u64::from(document.status == 304),
            bytes: sum.bytes + document.bytes,
        })
    }
}

/// No skipped page is named in a summary beyond so many notes; each is in the reports.
const NOTES: usize = 1000;

/// Sums up reports one by one.
#[derive(Clone, Debug, Default)]
pub struct SummaryBuilder {
    summary: RunSummary,
    index: HashMap<[Cow<'static, str>; 5], usize>,
    /// The row behind the one that was counted last: most inputs of a run lose the same, in the same order.
    next: usize,
}

impl SummaryBuilder {
    /// Continues an existing summary.
    pub fn from_summary(mut summary: RunSummary) -> SummaryBuilder {
        let rows = std::mem::take(&mut summary.rows);
        let mut sums = SummaryBuilder { summary, ..SummaryBuilder::default() };
        for row in rows {
            sums.count(&row.loss, row.files, &row.example);
        }
        sums
    }

    /// Adds what became of an input.
    pub fn add(&mut self, file: &FileReport) {
        let sum = &mut self.summary;
        let inputs = file.inputs.len().max(1) as u64;
        let is_merged = inputs > 1;
        let files = if is_merged { 0 } else { 1 };
        match file.status {
            InputStatus::Done => sum.counts.done += inputs,
            InputStatus::Unchanged => sum.counts.unchanged += inputs,
            InputStatus::Failed => sum.counts.failed += 1,
            InputStatus::NotAFeed => sum.counts.not_feeds += 1,
        }
        sum.fetched.add(&FetchSum::sum(&file.fetched));
        if let Some(why) = file.error.as_ref().filter(|_| file.has_video && sum.notes.len() < NOTES) {
            sum.notes.push(format!("skipped {}: {why}", file.path));
        }
        if matches!(file.status, InputStatus::Failed | InputStatus::NotAFeed) {
            return;
        }
        sum.entries += file.entries;
        sum.entries_written += file.entries_written;
        sum.dropped += file.dropped;
        sum.videos += file.videos;
        sum.videos_written += file.videos_written;
        add_dropped(&mut sum.videos_dropped, of_file(&file.path, &file.videos_dropped, is_merged));
        add_dropped(&mut sum.entries_dropped, of_file(&file.path, &file.entries_dropped, is_merged));
        sum.bytes_read += file.bytes;
        sum.bytes_now += if file.status == InputStatus::Done { file.bytes } else { 0 };
        sum.bytes_written += file.outputs.iter().map(|output| output.bytes).sum::<u64>();
        sum.totals.add(&file.totals);
        if file.empty {
            sum.counts.empty += 1;
            note_empty(sum, &file.path);
        }
        for repairs in &file.diagnostics {
            repaired(sum, repairs, files, &example_of(repairs.place.as_ref(), &file.path));
        }
        for loss in &file.rows {
            self.count(loss, files, &example_of(loss.place.as_ref(), &file.path));
        }
    }

    /// Adds what another run came to, over other inputs.
    pub fn add_all(&mut self, other: &RunSummary) {
        let (sum, counts) = (&mut self.summary, &other.counts);
        sum.counts.done += counts.done;
        sum.counts.unchanged += counts.unchanged;
        sum.counts.failed += counts.failed;
        sum.counts.not_feeds += counts.not_feeds;
        sum.counts.lists = sum.counts.lists.max(counts.lists);
        sum.counts.remaining += counts.remaining;
        sum.counts.empty += counts.empty;
        if let Some(name) = &other.empty_example {
            note_empty(sum, name);
        }
        let known: HashSet<Name> = sum.kept_outputs.iter().cloned().collect();
        for RepairSum { repairs, files, example } in &other.diagnostics {
            repaired(sum, repairs, *files, example);
        }
        sum.fetched.add(&other.fetched);
        sum.kept_outputs.extend(other.kept_outputs.iter().filter(|name| !known.contains(*name)).cloned());
        sum.entries += other.entries;
        sum.entries_written += other.entries_written;
        sum.dropped += other.dropped;
        sum.videos += other.videos;
        sum.videos_written += other.videos_written;
        add_dropped(&mut sum.videos_dropped, other.videos_dropped.iter().cloned());
        add_dropped(&mut sum.entries_dropped, other.entries_dropped.iter().cloned());
        sum.bytes_read += other.bytes_read;
        sum.bytes_written += other.bytes_written;
        sum.bytes_now += other.bytes_now;
        sum.seconds = sum.seconds.max(other.seconds);
        sum.totals.add(&other.totals);
        let new: Vec<String> = other.notes.iter().filter(|note| !sum.notes.contains(note)).cloned().collect();
        sum.notes.extend(new);
        if sum.stopped.is_none() {
            sum.stopped.clone_from(&other.stopped);
        }
        for row in &other.rows {
            self.count(&row.loss, row.files, &row.example);
        }
    }

    fn count(&mut self, loss: &LossCount, files: u64, example: &Name) {
        let rows = &mut self.summary.rows;
        let same = |row: &LossSum| {
            let other = &row.loss;
            other.field == loss.field
                && other.element == loss.element
                && other.code == loss.code
                && other.class == loss.class
                && other.kind == loss.kind
        };
        let at = match rows.get(self.next).is_some_and(same) {
            true => self.next,
            false => {
                let known = loss.element.as_ref().filter(|_| rows.len() < ROWS);
                let element = known.unwrap_or(&NO_ELEMENT);
                let key = [&loss.kind, &loss.code, &loss.class, &loss.field, element].map(Clone::clone);
                *self.index.entry(key).or_insert(rows.len())
            }
        };
        self.next = at + 1;
        match rows.get_mut(at) {
            Some(row) => {
                row.loss.count += loss.count;
                row.files = files_in_all(row.files, files);
                // whichever thread was first must not show
                if *example < row.example {
                    row.example.clone_from(example);
                }
            }
            None => {
                let element = loss.element.clone().filter(|_| at < ROWS);
                let loss = LossCount { element, place: None, ..loss.clone() };
                rows.push(LossSum { loss, files, example: example.clone() });
            }
        }
    }

    /// What it comes to so far.
    pub fn current(&self) -> &RunSummary {
        &self.summary
    }

    /// The same, for what is known of the whole.
    pub fn whole(&mut self) -> &mut RunSummary {
        &mut self.summary
    }

    /// What it came to.
    pub fn end(mut self) -> RunSummary {
        let key = |row: &LossSum| {
            let LossCount { kind, code, severity: _, class, field, element, count, place: _ } = row.loss.clone();
            (std::cmp::Reverse(count), kind, code, field, element, class)
        };
        self.summary.rows.sort_by_cached_key(key);
        let key = |row: &RepairSum| {
            let RepairCount { code, severity, count, place: _ } = row.repairs.clone();
            (severity != "error", std::cmp::Reverse(count), code)
        };
        self.summary.diagnostics.sort_by_cached_key(key);
        self.summary
    }
}

/// Keeps the first name: whichever thread was first must not show.
fn note_empty(sum: &mut RunSummary, name: &Name) {
    if sum.empty_example.as_ref().is_none_or(|known| name < known) {
        sum.empty_example = Some(name.clone());
    }
}

fn repaired(sum: &mut RunSummary, repairs: &RepairCount, files: u64, example: &Name) {
    match sum.diagnostics.iter_mut().find(|row| row.repairs.code == repairs.code) {
        Some(row) => {
            row.repairs.count += repairs.count;
            row.files = files_in_all(row.files, files);
            if *example < row.example {
                row.example.clone_from(example);
            }
        }
        None => {
            let repairs = RepairCount { place: None, ..repairs.clone() };
            sum.diagnostics.push(RepairSum { repairs, files, example: example.clone() });
        }
    }
}

impl RunSummary {
    /// The summary for a terminal of so many columns: files, what needs attention, other losses by cause, values.
    pub fn text(&self, width: usize) -> String {
        let content = self.content();
        let mut head = vec![self.files(), content];
        if self.fetched.documents > 0 {
            head.insert(1, self.fetching());
        }
        let mut found: Vec<ReportFinding<'_>> = self.dropped_objects();
        if self.counts.done + self.counts.failed == 0 {
            // nothing was converted: what else the outputs lack was printed when they were
            let blocks = [head, finding_lines(&found, "--report DIR lists all", width), vec![self.run()]];
            return in_blocks(blocks);
        }
        let mut others: Vec<ReportFinding<'_>> = self.attention().chain(self.repaired()).collect();
        others.sort_by_key(|found| (found.severity, std::cmp::Reverse(found.count)));
        found.extend(others);
        let values = wrapped(
            &format!("values    {}: {}", grouped(self.totals.leaves), sums_of(&self.totals)),
            "",
            "          ",
            width,
        );
        let tail = values.into_iter().chain([self.run()]).collect();
        in_blocks([head, finding_lines(&found, "--report DIR lists all", width), self.causes(width), tail])
    }

    fn files(&self) -> String {
        let StatusCounts { done, unchanged, failed, not_feeds, lists, remaining, empty: _ } = self.counts;
        let mut files = format!("files     {} {}", grouped(done), if self.dry_run { "to convert" } else { "done" });
        for (count, what) in [
            (unchanged, "up to date"),
            (failed, "failed"),
            (not_feeds, "skipped: not feeds"),
            (lists, if lists == 1 { "list read" } else { "lists read" }),
            (remaining, "left"),
        ] {
            if count > 0 {
                files.push_str(&format!(", {} {what}", grouped(count)));
            }
        }
        files
    }

    fn fetching(&self) -> String {
        let FetchSum { documents, unchanged, bytes } = self.fetched;
        let same = if unchanged > 0 { format!("{} unchanged (304), ", grouped(unchanged)) } else { String::new() };
        format!("fetched   {}: {same}{}", many(documents, "document", "documents"), size(bytes))
    }

    fn content(&self) -> String {
        let written = self.entries_written;
        let entries = out_of(written, written + self.dropped, ("entry", "entries"));
        // entries of one page are joined
        let read = match self.entries > written + self.dropped && self.dropped > 0 {
            true => format!(" ({} read)", grouped(self.entries)),
            false => String::new(),
        };
        let videos = match self.videos {
            0 => String::new(),
            all => format!(", {}", out_of(self.videos_written, all, ("video", "videos"))),
        };
        format!("content   {entries}{read}{videos}")
    }

    fn run(&self) -> String {
        let (read, written) = (size(self.bytes_read), size(self.bytes_written));
        let mut run = format!("run       {:.1} s; inputs {read}, outputs {written}", self.seconds);
        if self.bytes_now > 0 {
            let speed = self.bytes_now as f64 / self.seconds.max(0.001);
            run.push_str(&format!("; {}/s", size(speed as u64)));
        }
        run
    }

    /// Dropped objects by reason, with the files that have the most.
    fn dropped_objects(&self) -> Vec<ReportFinding<'_>> {
        let entries = self.entries_dropped.iter().map(|sum| (sum, ("entry", "entries")));
        let videos = self.videos_dropped.iter().map(|sum| (sum, ("video", "videos")));
        let of_entry = |sum: &DropSum| self.entries_dropped.iter().any(|other| other.dropped.is_same(&sum.dropped));
        let all = entries.chain(videos.filter(|(sum, _)| !of_entry(sum)));
        let is_missed = |sum: &DropSum| sum.dropped.class == Class::Attention.name();
        let finding = |(sum, (one, more)): (&DropSum, (&str, &str))| {
            let DropCount { why, count, .. } = &sum.dropped;
            let files = in_files(sum.files);
            let worst = sum
                .worst
                .iter()
                .map(|file| format!("{} ({})", make_visible(&file.path.to_string()), grouped(file.count)));
            let most = if sum.files != sum.worst.len() as u64 { "most in " } else { "in " };
            ReportFinding {
                severity: Severity::Error,
                count: *count,
                says: format!("{} dropped{files}: {why}", many(*count, one, more)),
                places: most.to_owned() + &worst.collect::<Vec<_>>().join(", "),
                fix: sum.dropped.fix_line(),
                subject: FindingSubject::Files,
            }
        };
        all.filter(|(sum, _)| is_missed(sum)).map(finding).collect()
    }

    /// What a run that is otherwise silent reports: dropped objects, and lists beyond the limits, which are not split.
    pub fn quiet(&self) -> Vec<String> {
        let dropped = self.dropped_objects().into_iter().map(|found| format!("{} ({})", found.says, found.places));
        let is_list = format::by_id(&self.format).is_some_and(|target| target.family.is_lines());
        let whole = self.diagnostics.iter().filter(|sum| is_list && sum.repairs.code == "limit_split").map(|sum| {
            let (files, example) = (in_files(sum.files), make_visible(&sum.example.to_string()));
            let outputs = many(sum.repairs.count, "output", "outputs");
            format!("{outputs} beyond the sitemap limits{files}, e.g. {example}; --split or --split-bytes makes parts")
        });
        dropped.chain(whole).collect()
    }

    /// Values that a user of the target would miss; those of dropped objects are counted with these.
    fn attention(&self) -> impl Iterator<Item = ReportFinding<'_>> {
        let of_object = ["video_dropped", "entry_dropped", "page_missing"];
        let wanted =
            move |row: &&LossSum| row.loss.class == Class::Attention.name() && !of_object.contains(&&*row.loss.code);
        let finding = |LossSum { loss, files, example }: &LossSum| {
            let severity = Severity::ALL.into_iter().find(|severity| severity.name() == loss.severity);
            ReportFinding {
                severity: severity.unwrap_or(Severity::Info),
                count: loss.count,
                says: format!(
                    "{} {}{}: {}, e.g. {}",
                    grouped(loss.count),
                    make_visible(loss.name()),
                    in_files(*files),
                    meaning(&loss.code),
                    make_visible(&example.to_string())
                ),
                places: String::new(),
                fix: None,
                subject: FindingSubject::Files,
            }
        };
        self.rows.iter().filter(wanted).map(finding)
    }

    fn repaired(&self) -> impl Iterator<Item = ReportFinding<'_>> {
        let finding = |RepairSum { repairs, files, example }: &RepairSum| {
            let title = diagnostic::by_code(&repairs.code).map_or("", |known| known.title);
            let (files, example) = (in_files(*files), make_visible(&example.to_string()));
            ReportFinding {
                severity: if repairs.severity == "error" { Severity::Error } else { Severity::Warning },
                count: repairs.count,
                says: match diagnostic::object(&repairs.code) {
                    Some((one, more)) => {
                        format!("{} repaired{files}: {title}, e.g. {example}", many(repairs.count, one, more))
                    }
                    None => format!(
                        "{}{files}: {title} ({}), e.g. {example}",
                        many(repairs.count, "repair", "repairs"),
                        repairs.code
                    ),
                },
                places: String::new(),
                fix: diagnostic::remedy(&repairs.code).map(|remedy| format!("fix: {remedy}")),
                subject: FindingSubject::Files,
            }
        };
        let missed = |sum: &&RepairSum| diagnostic::needs_attention(&sum.repairs.code);
        self.diagnostics.iter().filter(missed).map(finding)
    }

    /// The other losses by cause.
    fn causes(&self, width: usize) -> Vec<String> {
        let rows = self.rows.iter().filter_map(|LossSum { loss, .. }| {
            Some(Sum {
                kind: LossKind::by_name(&loss.kind)?,
                code: Code::by_name(&loss.code)?,
                class: Class::by_name(&loss.class)?,
                field: &loss.field,
                name: make_visible(loss.name()),
                count: loss.count,
                is_repeated: false,
                row: None,
            })
        });
        cause_lines(&causes_of(rows.collect(), format::by_id(&self.format)), width)
    }
}

/// Lines in blocks, with an empty line between them.
fn in_blocks(blocks: impl IntoIterator<Item = Vec<String>>) -> String {
    let blocks = blocks.into_iter().filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n") + "\n");
    blocks.collect::<Vec<_>>().join("\n")
}

/// The sentence of a code; an unknown code from a later version is returned unchanged.
pub(crate) fn meaning(code: &str) -> &str {
    Code::by_name(code).map_or(code, |known| known.meaning())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, count: u64) -> FileReport {
        let row = |kind: &'static str, count| LossCount {
            kind: kind.into(),
            code: "no_carrier".into(),
            severity: "warning".into(),
            class: "unsupported".into(),
            field: "title".into(),
            element: None,
            count,
            place: None,
        };
        FileReport {
            path: Name::Text(path.into()),
            status: InputStatus::Done,
            entries: 1,
            bytes: 10,
            totals: Totals { leaves: count + 1, kept: 1, lost: count, ..Totals::default() },
            rows: vec![row("lost", count), row("changed", 1)],
            ..FileReport::default()
        }
    }

    #[test]
    fn shares_add_up_to_the_whole() {
        let files: Vec<FileReport> = (0..9).map(|n| file(&format!("{}.xml", 9 - n), n)).collect();
        let sum = |files: &[FileReport]| {
            let mut sums = SummaryBuilder::default();
            files.iter().for_each(|file| sums.add(file));
            sums.end()
        };
        let whole = sum(&files);
        assert_eq!((whole.totals.lost, whole.rows.len(), whole.rows[0].files), (36, 2, 9));
        assert_eq!(whole.rows[0].example, Name::Text("1.xml".into()));
        let mut parts = SummaryBuilder::from_summary(sum(&files[..4]));
        parts.add_all(&sum(&files[4..]));
        assert_eq!(parts.end(), whole);
        let text = serde_json::to_string(&whole).expect("JSON");
        assert_eq!(serde_json::from_str::<RunSummary>(&text).expect("a summary"), whole);
    }

    #[test]
    fn what_needs_attention_does_not_depend_on_the_order() {
        let mut other = file("2.xml", 1);
        other.rows.iter_mut().for_each(|row| row.class = "attention".into());
        let mut files = [file("1.xml", 1), other];
        let sum = |files: &[FileReport]| {
            let mut sums = SummaryBuilder::default();
            files.iter().for_each(|file| sums.add(file));
            sums.end()
        };
        let whole = sum(&files);
        assert_eq!(whole.rows.iter().filter(|row| row.loss.class == "attention").count(), 2);
        files.reverse();
        assert_eq!(sum(&files), whole);
    }

    #[test]
    fn what_failed_counts_for_nothing_else() {
        let mut sums = SummaryBuilder::default();
        sums.add(&FileReport::failed(Name::Text("a".into()), 5, "why".into()));
        let summary = sums.end();
        assert_eq!((summary.counts.failed, summary.bytes_read, summary.totals), (1, 0, Totals::default()));
    }
}
