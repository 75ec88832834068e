//! From what a run over many files came to to its page. Files are not known here, only what was noted of them.

use std::cmp::Reverse;

use super::LISTED;
use super::escape::{grouped, many};
use super::files::{FileState, FrequentEvent, MigratedFile, MigrationResult};
use crate::code::{Class, Code, LossKind};
use crate::diagnostic;
use crate::job::summary::{
    DropCount, DropSum, FileReport, InputStatus, LossSum, RunSummary, StatusCounts, videos_in_words,
};

/// How many of the inputs that became one output are named next to it.
const NAMED: usize = 5;

/// The page of a run: its sums, the outcome of each file, and the number of files that are not listed. `report` returns
/// the path of a file's report, relative to the page.
pub fn migrated<'m>(
    summary: &'m RunSummary,
    files: &'m [FileReport],
    untold: u64,
    report: impl Fn(&FileReport) -> Option<String>,
) -> MigrationResult<'m> {
    let StatusCounts { done, unchanged, failed, not_feeds, lists: _, remaining, empty: _ } = summary.counts;
    let counts = vec![
        (FileState::Failed, failed),
        (FileState::Remaining, remaining),
        (FileState::Done, done),
        (FileState::Unchanged, unchanged),
        (FileState::Skipped, not_feeds),
    ];
    MigrationResult {
        from: "",
        to: "",
        target: &summary.format,
        dry: summary.dry_run,
        interrupted: summary.stopped.as_deref().map(|why| stopped(why, remaining).into()),
        counts,
        files: files.iter().map(|file| row(file, report(file))).collect(),
        untold,
        totals: summary.totals,
        entries: summary.entries,
        dropped: summary.dropped,
        videos: summary.videos,
        videos_written: summary.videos_written,
        videos_dropped: summary
            .videos_dropped
            .iter()
            .filter(|one| missed(&one.dropped))
            .map(|one| (one.dropped.why.as_ref(), one.dropped.count, one.dropped.fix_line().unwrap_or_default()))
            .collect(),
        entries_dropped: summary.entries_dropped.iter().map(entries_dropped).collect(),
        bytes: summary.bytes_read,
        written: summary.bytes_written,
        now: summary.bytes_now,
        millis: (summary.seconds * 1e3) as u64,
        frequent: summary.rows.iter().filter_map(frequent).collect(),
        notes: summary.notes.iter().map(String::as_str).collect(),
        fetched: files.iter().flat_map(|file| &file.fetched).collect(),
        beside: Vec::new(),
    }
}

/// Keeps those files that the page lists, where there are many more than it has room for.
pub fn keep_listed(files: &mut Vec<FileReport>) {
    let missing = |file: &FileReport| Reverse(file.videos.saturating_sub(file.videos_written));
    // a folder may hold many more files that are not feeds: they come last here
    let rank = |file: &FileReport| (file.status == InputStatus::NotAFeed, state(file.status), damage(file).is_empty());
    files.sort_by_cached_key(|file| (rank(file), missing(file), Reverse(file.totals.lost)));
    files.truncate(LISTED);
}

/// Why entries were dropped, how many, and the files with most of them.
fn entries_dropped(sum: &DropSum) -> (&str, u64, String) {
    let worst = sum.worst.iter().map(|file| format!("{} ({})", file.path, grouped(file.count)));
    let worst = worst.collect::<Vec<_>>().join(", ");
    let files = (!worst.is_empty()).then(|| format!("in {worst}"));
    let more: Vec<String> = files.into_iter().chain(sum.dropped.fix_line()).collect();
    (&sum.dropped.why, sum.dropped.count, more.join("; "))
}

fn stopped(why: &str, remaining: u64) -> String {
    match remaining {
        0 => why.to_owned(),
        _ => format!("{why}; {} left, the same command resumes", many(remaining, "file", "files")),
    }
}

fn state(status: InputStatus) -> FileState {
    match status {
        InputStatus::Done => FileState::Done,
        InputStatus::Unchanged => FileState::Unchanged,
        InputStatus::Failed => FileState::Failed,
        InputStatus::NotAFeed => FileState::Skipped,
    }
}

fn row(file: &FileReport, report: Option<String>) -> MigratedFile<'_> {
    MigratedFile {
        name: file.path.to_string().into(),
        state: state(file.status),
        says: describe(file).into(),
        damage: damage(file).into(),
        empty: file.empty,
        videos: file.videos,
        videos_written: file.videos
            - file.videos_dropped.iter().filter(|one| missed(one)).map(|one| one.count).sum::<u64>().min(file.videos),
        format: file.format.as_str().into(),
        bytes: file.bytes,
        entries: file.entries,
        totals: file.totals,
        micros: (file.seconds * 1e6) as u64,
        report: report.map(Into::into),
    }
}

/// Videos that a user of the target would miss.
fn missed(one: &DropCount) -> bool {
    one.class == Class::Attention.name()
}

/// Repairs by which something was lost.
fn damage(file: &FileReport) -> String {
    let lossy = file.diagnostics.iter().filter(|repairs| repairs.severity == "error");
    let says = lossy.map(|repairs| {
        let title = diagnostic::by_code(&repairs.code).map_or("", |known| known.title);
        let times = if repairs.count > 1 { format!(" ×{}", grouped(repairs.count)) } else { String::new() };
        format!("{title} ({}){times}", repairs.code)
    });
    says.collect::<Vec<_>>().join("; ")
}

/// Why it failed; of what an output was made that several inputs became.
fn describe(file: &FileReport) -> String {
    if let Some(error) = &file.error {
        return error.clone();
    }
    let dropped = match file.videos_dropped.iter().find(|one| missed(one)) {
        None => String::new(),
        Some(_) => format!("videos: {}", videos_in_words(file.videos, file.videos_written, &file.videos_dropped)),
    };
    if file.inputs.is_empty() {
        return dropped;
    }
    let mut named: Vec<String> = file.inputs.iter().take(NAMED).map(ToString::to_string).collect();
    let more = file.inputs.len() - named.len();
    if more > 0 {
        named.push(format!("and {} more", grouped(more as u64)));
    }
    let made = format!("from {}", named.join(", "));
    if dropped.is_empty() { made } else { format!("{dropped}; {made}") }
}

fn frequent(row: &LossSum) -> Option<FrequentEvent<'_>> {
    let LossSum { loss, files, example } = row;
    Some(FrequentEvent {
        kind: LossKind::by_name(&loss.kind)?,
        code: Code::by_name(&loss.code)?,
        class: Class::by_name(&loss.class)?,
        field: loss.name(),
        why: Code::by_name(&loss.code)?.meaning(),
        count: loss.count,
        files: *files,
        example: example.to_string().into(),
    })
}
