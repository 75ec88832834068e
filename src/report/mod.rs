//! The books as a report: JSON for programs, text for people (text.rs). It only shows; it counts nothing.

mod text;
mod visible;

use std::io::Write as _;

use serde::Serialize;

use crate::convert::enrich::EnrichmentUse;
use crate::convert::{DroppedObject, Fetched, FiredGate, Objects, SourceInfo, Summary};
use crate::format::Format;
use crate::ledger::{Diagnostic, Example, Totals};
#[cfg(any(feature = "html", feature = "cli"))]
use crate::text::many;

pub(crate) use self::text::source;
#[cfg(feature = "html")]
pub(crate) use self::text::{Cause, causes, dropped_group, findings, source_name, values};
pub(crate) use self::text::{
    FindingSubject, ReportFinding, Sum, cause_lines, causes_of, dropped, finding_lines, fix_of, out_of, sums_of,
    wrapped,
};
pub use self::text::{ReportDetail, TextOptions, headline, quiet, text};
pub(crate) use self::visible::unseen;
pub use self::visible::{input_title, make_visible};

/// The target.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TargetInfo {
    /// Its name.
    format: &'static str,
    /// Whose rules were applied: `google`, `yandex` or `none`.
    profile: &'static str,
}

/// All values of one field that met the same fate.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Rows<'r> {
    /// `lost`, `changed`, `merged`, `unread` or `made`.
    kind: &'static str,
    /// The code of the change or loss.
    code: &'static str,
    /// `error`, `warning` or `info`.
    severity: &'static str,
    /// `attention`, `unsupported` or `technical`.
    class: &'static str,
    /// The model's name of the field.
    field: &'static str,
    /// The element or attribute in the source, where the field is that of many.
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<&'r str>,
    /// The name of the reason, which `transfeed explain` explains.
    reason: &'static str,
    /// The reason.
    why: &'static str,
    /// How many values.
    count: u64,
    /// The first ten of them.
    examples: &'r [Example],
}

/// How many objects went in and came out.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ObjectTotals {
    /// Read.
    #[serde(rename = "in")]
    read: u64,
    /// Written, whole or in part.
    #[serde(rename = "out")]
    written: u64,
    /// Dropped; pages may also be joined.
    dropped: u64,
    /// Not asked for (`--where` and others).
    #[serde(skip_serializing_if = "is_zero")]
    unselected: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands out a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl ObjectTotals {
    /// Read and asked for.
    fn selected(self) -> u64 {
        self.read.saturating_sub(self.unselected)
    }

    fn add(&mut self, other: ObjectTotals) {
        self.read += other.read;
        self.written += other.written;
        self.dropped += other.dropped;
        self.unselected += other.unselected;
    }
}

/// Entries, pages, videos and files.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ObjectCounts {
    /// Entries of the source, and those of the output: a page with several videos may become several.
    entries: ObjectTotals,
    /// Pages: entries of one page are one.
    pages: ObjectTotals,
    /// Videos; those of dropped entries are dropped.
    videos: ObjectTotals,
    /// Files written.
    files: u64,
}

impl ObjectCounts {
    /// Of a run that wrote so many files.
    pub(crate) fn new(objects: &Objects, files: u64) -> ObjectCounts {
        let Objects {
            entries,
            dropped,
            unselected,
            joined: _,
            entries_written,
            pages_written,
            videos,
            videos_unselected,
            videos_written,
        } = *objects;
        ObjectCounts {
            entries: ObjectTotals { read: entries, written: entries_written, dropped, unselected },
            pages: ObjectTotals { read: objects.pages(), written: pages_written, dropped, unselected: 0 },
            videos: ObjectTotals {
                read: videos + videos_unselected,
                written: videos_written,
                dropped: objects.videos_dropped(),
                unselected: videos_unselected,
            },
            files,
        }
    }

    /// Adds those of another run.
    pub(crate) fn add(&mut self, other: &ObjectCounts) {
        self.entries.add(other.entries);
        self.pages.add(other.pages);
        self.videos.add(other.videos);
        self.files += other.files;
    }

    /// Entries dropped.
    pub(crate) fn entries_dropped(&self) -> u64 {
        self.entries.dropped
    }

    /// Videos dropped, those of dropped entries among them.
    pub(crate) fn videos_dropped(&self) -> u64 {
        self.videos.dropped
    }

    /// Videos selected and videos written.
    #[cfg(any(feature = "html", feature = "cli"))]
    pub(crate) fn videos(&self) -> (u64, u64) {
        (self.videos.selected(), self.videos.written)
    }
}

/// Pages and videos in a few words.
impl std::fmt::Display for ObjectCounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let of = |totals: ObjectTotals, words| out_of(totals.written, totals.selected(), words);
        f.write_str(&of(self.pages, ("page", "pages")))?;
        match self.videos.selected() {
            0 => Ok(()),
            _ => write!(f, ", {}", of(self.videos, ("video", "videos"))),
        }
    }
}

/// The values that a conversion kept, changed and lost.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ConversionReport<'r> {
    /// The source; several inputs are one.
    source: SourceInfo,
    /// How the inputs that came from URLs were fetched.
    #[serde(skip_serializing_if = "<[Fetched]>::is_empty")]
    fetched: &'r [Fetched],
    /// How the rows of `--enrich` were used.
    #[serde(skip_serializing_if = "Option::is_none")]
    enrichment: Option<&'r EnrichmentUse>,
    /// The target.
    target: TargetInfo,
    /// Whether the output was published. A gate that fires keeps the previous one in place.
    published: bool,
    /// The gates that fired.
    gates: &'r [FiredGate],
    /// Entries, pages and videos.
    objects: ObjectCounts,
    /// The dropped ones in the order of the source, at most 10,000.
    dropped: &'r [DroppedObject],
    /// How many were dropped: entries, and videos of other entries.
    dropped_count: u64,
    /// How many inputs they are in, where there are several inputs.
    #[serde(skip_serializing_if = "is_zero")]
    dropped_inputs: u64,
    /// The sums.
    totals: Totals,
    /// The changes and losses: values that are not in the output as they were.
    rows: Vec<Rows<'r>>,
    /// Repairs of the input, errors first: the first 10,000, and the first ten of each code.
    diagnostics: Vec<&'r Diagnostic>,
}

impl<'r> ConversionReport<'r> {
    /// The report of a run.
    pub(crate) fn new(summary: &'r Summary, target: &'static Format, profile: &'static str) -> ConversionReport<'r> {
        let rows = summary.ledger.rows().into_iter().map(|row| Rows {
            kind: row.kind.name(),
            code: row.code().name(),
            severity: row.severity().name(),
            class: row.class().name(),
            field: row.field,
            element: row.element.as_deref(),
            reason: row.reason.name(),
            why: row.why(),
            count: row.count,
            examples: &row.examples,
        });
        ConversionReport {
            source: source(summary),
            fetched: &summary.fetched,
            enrichment: summary.enrichment.as_ref(),
            target: TargetInfo { format: target.id, profile },
            published: summary.publication.is_published,
            gates: &summary.publication.gates,
            objects: ObjectCounts::new(&summary.objects, files_written(summary)),
            dropped: summary.drops.list(),
            dropped_count: summary.drops.count(),
            dropped_inputs: summary.drops.inputs(),
            totals: summary.ledger.totals(),
            rows: rows.collect(),
            diagnostics: summary.ledger.worst_first(),
        }
    }
}

/// How many files a run wrote: none, where the output was not published.
pub(crate) fn files_written(summary: &Summary) -> u64 {
    match summary.publication.is_published {
        true => summary.snippets.unwrap_or(summary.parts.len() as u64),
        false => 0,
    }
}

/// The report as one JSON document.
///
/// # Errors
/// An error of `out`.
pub fn json(
    summary: &Summary,
    target: &'static Format,
    profile: &'static str,
    out: &mut dyn std::io::Write,
) -> std::io::Result<()> {
    let report = ConversionReport::new(summary, target, profile);
    // it is written in thousands of small pieces
    let mut out = std::io::BufWriter::new(out);
    serde_json::to_writer_pretty(&mut out, &report)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// The last line of a report of every occurrence.
///
/// # Errors
/// An error of `out`.
pub fn last_line(summary: &Summary, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    #[derive(Serialize)]
    struct ReportTotalsLine<'s> {
        totals: Totals,
        #[serde(skip_serializing_if = "<[Fetched]>::is_empty")]
        fetched: &'s [Fetched],
        #[serde(skip_serializing_if = "Option::is_none")]
        enrichment: Option<&'s EnrichmentUse>,
    }
    let (totals, enrichment) = (summary.ledger.totals(), summary.enrichment.as_ref());
    let line = ReportTotalsLine { totals, fetched: &summary.fetched, enrichment };
    write_json(&mut *out, &line)?;
    out.write_all(b"\n")
}

/// The rows of a file of values, and the values of them, that fill nothing (`--enrich`). A run that is not `whole` has not read
/// all entries.
#[cfg(any(feature = "html", feature = "cli"))]
pub(crate) fn enrichment_notes(found: &EnrichmentUse, whole: bool) -> Vec<String> {
    let EnrichmentUse { file, key, rows, unmatched, keys, keyless, unreadable, without_video, further, .. } = found;
    let EnrichmentUse { unread, unread_names, unused, unused_names, .. } = found;
    let name = make_visible(file);
    let mut notes = Vec::new();
    if *unmatched > 0 {
        let more = if *unmatched > keys.len() as u64 { ", …" } else { "" };
        let verb = if *unmatched == 1 { "matches" } else { "match" };
        let keys = make_visible(&keys.join(", "));
        let entry = if whole { "no entry" } else { "no entry that this run read" };
        notes.push(format!("{unmatched} of {rows} rows of {name} {verb} {entry}: {keys}{more}"));
    }
    if *keyless > 0 {
        let rows = if *keyless == 1 { "row" } else { "rows" };
        notes.push(format!("{keyless} {rows} of {name} without a value of {key}"));
    }
    if *unreadable > 0 {
        notes.push(format!("{} of {name} cannot be read", many(*unreadable, "row", "rows")));
    }
    if *further > 0 {
        let rows = many(*further, "row", "rows");
        notes.push(format!("{rows} of {name} with the key of an earlier row, whose values count first"));
    }
    if *without_video > 0 {
        let rows = many(*without_video, "row", "rows");
        let why = "the entry has no video with the same file, nor as many videos as the file";
        notes.push(format!("values of a video in {rows} of {name} are not used: {why}"));
    }
    if *unread > 0 {
        let values = many(*unread, "value", "values");
        let more = if *unread > unread_names.len() as u64 { ", …" } else { "" };
        let names = make_visible(&unread_names.join(", "));
        notes.push(format!("{values} of {name} not read: no field, or of another type: {names}{more}"));
    }
    if *unused > 0 {
        let values = many(*unused, "value", "values");
        let more = if *unused > unused_names.len() as u64 { ", …" } else { "" };
        let names = make_visible(&unused_names.join(", "));
        let why = "the entry has another that is not replaced, or no place for them";
        notes.push(format!("{values} of {name} not used: {why}: {names}{more}"));
    }
    notes
}

/// A finding that needs attention, for programs that show it themselves.
#[cfg(feature = "html")]
#[derive(Clone, Debug, Serialize)]
pub struct AttentionLine {
    /// `error`, `warning` or `info`.
    severity: &'static str,
    /// The problem.
    says: String,
    /// Lines of the source.
    places: String,
    /// The options that would keep the objects, as on the command line.
    fix: Option<String>,
}

/// What needs attention, in the order of the report.
#[cfg(feature = "html")]
pub fn attention_lines(summary: &Summary) -> Vec<AttentionLine> {
    let line = |found: ReportFinding<'_>| AttentionLine {
        severity: found.severity.name(),
        says: found.says,
        places: found.places,
        fix: found.fix.map(|fix| fix.trim_start_matches("fix: ").to_owned()),
    };
    findings(summary).into_iter().map(line).collect()
}

/// JSON with terminal control and invisible characters escaped; the meaning for programs is the same.
struct JsonEscaper;

impl serde_json::ser::Formatter for JsonEscaper {
    fn write_string_fragment<W: ?Sized + std::io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> std::io::Result<()> {
        write_visible(out, fragment)
    }
}

/// Writes a value as JSON on one line, with these characters escaped.
///
/// # Errors
/// An error of `out`.
pub(crate) fn write_json(out: impl std::io::Write, value: &(impl Serialize + ?Sized)) -> std::io::Result<()> {
    Ok(value.serialize(&mut serde_json::Serializer::with_formatter(out, JsonEscaper))?)
}

/// Writes JSON with only these characters escaped. All of them are in strings, except the line feeds between values.
///
/// # Errors
/// An error of `out`.
pub(crate) fn write_visible<W: ?Sized + std::io::Write>(out: &mut W, json: &str) -> std::io::Result<()> {
    let mut rest = json;
    while let Some((at, c)) = rest.char_indices().find(|(_, c)| *c != '\n' && unseen(*c)) {
        out.write_all(&rest.as_bytes()[..at])?;
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}")?;
        }
        rest = &rest[at + c.len_utf8()..];
    }
    out.write_all(rest.as_bytes())
}
