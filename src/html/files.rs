//! The page of a migration: files and videos that need attention first, then all files, then the other losses by class.
//! What a run came to is counted in `job` and put into these terms in migrated.rs.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::io::{self, Write};

use askama::Template;

use super::bar::Bar;
use super::escape::{cut, grouped, many, relative};
use super::fetched::FetchedTable;
use super::{LISTED, PageSection, PageShell, SHOWN, figures, write};
use crate::code::{Class, Code, LossKind};
use crate::convert::Fetched;
use crate::ledger::Totals;

/// What a migration did.
#[derive(Clone, Debug, Default)]
pub struct MigrationResult<'f> {
    /// What was migrated, as it was asked for.
    pub from: &'f str,
    /// Where the outputs are.
    pub to: &'f str,
    /// The target format and the profile, as text.
    pub target: &'f str,
    /// Nothing was written: it was only asked what would be.
    pub dry: bool,
    /// What ended the run before its end, if anything did.
    pub interrupted: Option<Cow<'f, str>>,
    /// How many files there are in each state.
    pub counts: Vec<(FileState, u64)>,
    /// The files, in any order; the page lists at most [`LISTED`] of them, those with trouble first.
    pub files: Vec<MigratedFile<'f>>,
    /// Files that are counted and not among `files`.
    pub untold: u64,
    /// The sums over all files.
    pub totals: Totals,
    /// Entries that were read.
    pub entries: u64,
    /// Those of them that could not be written.
    pub dropped: u64,
    /// Videos in them.
    pub videos: u64,
    /// Those of which something is in the outputs.
    pub videos_written: u64,
    /// Why the others are not, how many, and the options that would keep some of them (empty if none would).
    pub videos_dropped: Vec<(&'f str, u64, String)>,
    /// Why entries were dropped, how many, and the files with most of them, with the options that would keep some.
    pub entries_dropped: Vec<(&'f str, u64, String)>,
    /// Bytes of the files that were converted, also by earlier runs.
    pub bytes: u64,
    /// Bytes of what they became.
    pub written: u64,
    /// Bytes that were converted now.
    pub now: u64,
    /// How long it took.
    pub millis: u64,
    /// What was lost most often, the most frequent first.
    pub frequent: Vec<FrequentEvent<'f>>,
    /// Further notes: renamed files, URLs not fetched, inputs that no longer exist.
    pub notes: Vec<&'f str>,
    /// How inputs came from URLs.
    pub fetched: Vec<&'f Fetched>,
    /// Names of reports that list what the page only counts.
    pub beside: Vec<&'f str>,
}

/// The state of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FileState {
    /// It could not be converted.
    Failed,
    /// It is not a feed.
    Skipped,
    /// It is not processed yet.
    Remaining,
    /// It was converted.
    Done,
    /// An earlier run converted it, and nothing changed since.
    Unchanged,
}

impl FileState {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            FileState::Failed => "failed",
            FileState::Remaining => "remaining",
            FileState::Done => "done",
            FileState::Unchanged => "unchanged",
            FileState::Skipped => "skipped",
        }
    }
}

/// One file of a migration.
#[derive(Clone, Debug)]
pub struct MigratedFile<'f> {
    /// Its name, below what was migrated.
    pub name: Cow<'f, str>,
    /// Its state.
    pub state: FileState,
    /// Why it failed, or another note; often empty.
    pub says: Cow<'f, str>,
    /// Repairs that lost some of its values, as text; empty if there are none.
    pub damage: Cow<'f, str>,
    /// Its output has no entries or no videos.
    pub empty: bool,
    /// Its videos.
    pub videos: u64,
    /// Those of which something is in the output.
    pub videos_written: u64,
    /// Its format; empty if that is not known.
    pub format: Cow<'f, str>,
    /// Its size.
    pub bytes: u64,
    /// Its entries.
    pub entries: u64,
    /// The totals of its values.
    pub totals: Totals,
    /// How long it took, in microseconds; 0 where it was not converted now.
    pub micros: u64,
    /// Its own report, by its path relative to the page.
    pub report: Option<Cow<'f, str>>,
}

impl MigratedFile<'_> {
    /// How many videos of it are not in the output.
    pub fn missing(&self) -> u64 {
        self.videos.saturating_sub(self.videos_written)
    }

    /// Where it is listed: those that need attention come first.
    fn rank(&self) -> (u8, FileState) {
        let rank = match self.state {
            FileState::Failed => 0,
            FileState::Skipped => 1,
            _ if !self.damage.is_empty() => 2,
            FileState::Remaining | FileState::Done | FileState::Unchanged => 3,
        };
        (rank, self.state)
    }
}

/// Something that happened to many values.
#[derive(Clone, Debug)]
pub struct FrequentEvent<'f> {
    /// What happened.
    pub kind: LossKind,
    /// The exact code.
    pub code: Code,
    /// What that means to a user of the target.
    pub class: Class,
    /// The field.
    pub field: &'f str,
    /// Why.
    pub why: &'f str,
    /// To how many values.
    pub count: u64,
    /// In how many files; 0 if that was not counted.
    pub files: u64,
    /// One of these files.
    pub example: Cow<'f, str>,
}

/// Writes the page of a migration.
///
/// # Errors
/// An error of `out`.
pub fn files(migration: &MigrationResult<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut files: Vec<&MigratedFile<'_>> = migration.files.iter().collect();
    files.sort_by_key(|file| (file.rank(), Reverse(file.missing()), Reverse(file.totals.lost)));
    let listed = files.len() as u64 + migration.untold;
    let untold = migration.untold + files.len().saturating_sub(LISTED) as u64;
    let attention = attention(migration, &files);
    let rows: Vec<FileRow<'_>> = files.into_iter().take(LISTED).map(FileRow::new).collect();
    let all: u64 = migration.counts.iter().map(|(_, count)| count).sum();
    let states: Vec<(&'static str, u64)> =
        migration.counts.iter().map(|(state, count)| (state.name(), *count)).collect();
    let folds = folds(&migration.frequent);
    let missed = migration.frequent.iter().filter(|one| one.kind == LossKind::Lost && one.class == Class::Attention);
    let missed = missed.map(|one| one.count).sum();
    let sections = [
        ("attention", "Needs attention", attention.len() as u64),
        ("files", "Files", listed),
        ("frequent", "Other losses", folds.len() as u64),
        ("values", "Values", migration.totals.leaves),
        ("notes", "Notes", migration.notes.len() as u64),
    ];
    let there = sections.into_iter().filter(|(id, _, count)| *count > 0 || *id == "files");
    let fetched = FetchedTable::new(migration.fetched.iter().copied());
    let page = FilesPage {
        shell: PageShell::new(),
        headline: headline(migration, all - migration.count(FileState::Skipped)),
        from: cut(migration.from, SHOWN),
        to: cut(migration.to, SHOWN),
        migration,
        sections: there.map(PageSection::new).chain(fetched.section()).collect(),
        fetched,
        states: Bar::new(&states, all),
        values: Bar::from_totals(&migration.totals, missed),
        leaves: many(migration.totals.leaves, "value", "values"),
        facts: facts(migration),
        columns: Columns::from_rows(&rows),
        attention,
        folds,
        rows,
        untold: (untold > 0).then(|| many(untold, "more file", "more files")),
    };
    write(&page, out)
}

impl MigrationResult<'_> {
    fn count(&self, state: FileState) -> u64 {
        self.counts.iter().filter(|(other, _)| *other == state).map(|(_, count)| count).sum()
    }
}

/// So many files are listed for one reason.
const NAMED: usize = 500;

/// So many kinds of values that need attention are listed.
const POINTS: usize = 12;

/// Something that needs attention, with the files that it is about.
struct AttentionPoint<'f> {
    /// The class of its color.
    severity: &'static str,
    says: String,
    more: String,
    table: String,
    files: Vec<(Cow<'f, str>, Cow<'f, str>, Option<String>)>,
    untold: Option<String>,
    /// The list is folded.
    closed: bool,
}

impl<'f> AttentionPoint<'f> {
    fn new(
        (severity, says): (&'static str, String),
        table: &str,
        count: u64,
        files: impl Iterator<Item = (&'f MigratedFile<'f>, Cow<'f, str>)>,
    ) -> Option<AttentionPoint<'f>> {
        let row = |(file, says): (&'f MigratedFile<'f>, Cow<'f, str>)| {
            let says = cut(&says, SHOWN).into_owned().into();
            (cut(&file.name, SHOWN), says, file.report.as_deref().map(relative))
        };
        let files: Vec<_> = files.take(NAMED).map(row).collect();
        let untold = count.saturating_sub(files.len() as u64);
        (count > 0).then(|| AttentionPoint {
            severity,
            says,
            more: String::new(),
            table: format!("t-{table}"),
            untold: (untold > 0 && !files.is_empty()).then(|| many(untold, "more file", "more files")),
            files,
            closed: false,
        })
    }

    /// Without files.
    fn plain(severity: &'static str, says: String, more: String) -> AttentionPoint<'f> {
        AttentionPoint { severity, says, more, table: String::new(), files: Vec::new(), untold: None, closed: false }
    }
}

/// Files that failed, that were skipped and that were read in part; dropped videos; then the values.
fn attention<'f>(migration: &'f MigrationResult<'f>, files: &[&'f MigratedFile<'f>]) -> Vec<AttentionPoint<'f>> {
    let of = |wanted: fn(&MigratedFile<'_>) -> bool| files.iter().copied().filter(move |file| wanted(file));
    let converted = |file: &MigratedFile<'_>| !matches!(file.state, FileState::Failed | FileState::Skipped);
    let counted = |count: u64, says: &str| format!("{} {says}", many(count, "file", "files"));
    let (failed, skipped) = (migration.count(FileState::Failed), migration.count(FileState::Skipped));
    let mut points = Vec::new();
    let list = of(|file| file.state == FileState::Failed).map(|file| (file, Cow::Borrowed(&*file.says)));
    points.extend(AttentionPoint::new(("error", counted(failed, "failed")), "failed", failed, list));
    let list = of(|file| file.state == FileState::Skipped).map(|file| (file, Cow::Borrowed(&*file.says)));
    let skipped_files = AttentionPoint::new(("info", counted(skipped, "skipped: not feeds")), "skipped", skipped, list);
    points.extend(skipped_files.map(|point| AttentionPoint { closed: true, ..point }));
    let damaged: Vec<&MigratedFile<'_>> = of(|file| !file.damage.is_empty()).filter(|file| converted(file)).collect();
    let count = damaged.len() as u64;
    let list = damaged.into_iter().map(|file| (file, Cow::Borrowed(&*file.damage)));
    points.extend(AttentionPoint::new(
        ("error", counted(count, "truncated or damaged: read in part")),
        "damaged",
        count,
        list,
    ));
    let mut losing: Vec<&MigratedFile<'_>> = of(|file| file.missing() > 0).filter(|file| converted(file)).collect();
    losing.sort_by_key(|file| Reverse(file.missing()));
    let mut reasons = migration.videos_dropped.iter();
    for (why, count, fix) in reasons.by_ref().take(POINTS) {
        let says = format!("{} dropped: {}", many(*count, "video", "videos"), cut(why, SHOWN));
        points.push(AttentionPoint::plain("error", says, fix.clone()));
    }
    // the files are listed once, under the last of the reasons
    if !migration.videos_dropped.is_empty() {
        let count = losing.len() as u64;
        let says = |file: &MigratedFile<'_>| {
            format!("{} of {} dropped", grouped(file.missing()), many(file.videos, "video", "videos"))
        };
        let list = losing.into_iter().map(|file| (file, Cow::Owned(says(file))));
        let heading = format!("Dropped videos by file: {}", many(count, "file", "files"));
        let by_file = AttentionPoint::new(("error", heading), "dropped", count, list);
        match (migration.videos_dropped.len(), points.pop(), by_file) {
            (1, Some(reason), Some(by_file)) => {
                points.push(AttentionPoint { says: reason.says, more: reason.more, ..by_file })
            }
            (_, reason, by_file) => points.extend(reason.into_iter().chain(by_file)),
        }
    }
    for (why, count, more) in migration.entries_dropped.iter().take(POINTS) {
        let says = format!("{} dropped: {}", many(*count, "entry", "entries"), cut(why, SHOWN));
        points.push(AttentionPoint::plain("error", says, more.clone()));
    }
    let told: u64 = migration.entries_dropped.iter().take(POINTS).map(|(_, count, _)| count).sum();
    if migration.dropped > told {
        let (one, several) = if told > 0 { ("more entry", "more entries") } else { ("entry", "entries") };
        let says = format!("{} dropped", many(migration.dropped - told, one, several));
        points.push(AttentionPoint::plain("error", says, String::new()));
    }
    let empty: Vec<&MigratedFile<'_>> = of(|file| file.empty).filter(|file| converted(file)).collect();
    let count = empty.len() as u64;
    let says = format!("{} without entries or without videos", many(count, "output", "outputs"));
    let list = empty.into_iter().map(|file| (file, Cow::Borrowed("")));
    points.extend(AttentionPoint::new(("warning", says), "empty", count, list));
    let values = migration.frequent.iter().filter(|one| one.class == Class::Attention && !one.code.is_of_object());
    points.extend(values.take(POINTS).map(|one| {
        let word = if one.kind == LossKind::Made { "generated" } else { one.kind.name() };
        let says = format!("{} {} {word}: {}", grouped(one.count), cut(one.field, SHOWN), cut(one.why, SHOWN));
        let more = match one.files {
            0 | 1 => format!("in {}", cut(&one.example, SHOWN)),
            files => format!("in {} files, {} among them", grouped(files), cut(&one.example, SHOWN)),
        };
        AttentionPoint::plain(if one.kind == LossKind::Made { "info" } else { "warning" }, says, more)
    }));
    points
}

/// Losses of one class, folded.
struct FoldedLosses<'f> {
    heading: &'static str,
    table: &'static str,
    count: String,
    rows: Vec<&'f FrequentEvent<'f>>,
}

fn folds<'f>(frequent: &'f [FrequentEvent<'f>]) -> Vec<FoldedLosses<'f>> {
    let fold = |heading, table, listed, wanted: fn(&FrequentEvent<'_>) -> bool| {
        let rows: Vec<&FrequentEvent<'_>> = frequent.iter().filter(|one| wanted(one)).skip(listed).collect();
        let count = rows.iter().map(|one| one.count).sum();
        FoldedLosses { heading, table, count: grouped(count), rows }
    };
    let all = [
        fold("More values that need attention", "t-frequent-attention", POINTS, |one| {
            one.class == Class::Attention && !one.code.is_of_object()
        }),
        fold("No element in the target", "t-frequent-unsupported", 0, |one| one.class == Class::Unsupported),
        fold("Not needed, or in the output with another syntax", "t-frequent-technical", 0, |one| {
            one.class == Class::Technical
        }),
        fold("Values of dropped objects", "t-frequent-objects", 0, |one| {
            one.class == Class::Attention && one.code.is_of_object()
        }),
    ];
    all.into_iter().filter(|fold| !fold.rows.is_empty()).collect()
}

/// The columns of the table of files that have a figure.
struct Columns {
    missing: bool,
    lost: bool,
    changed: bool,
    time: bool,
}

impl Columns {
    fn from_rows(rows: &[FileRow<'_>]) -> Columns {
        Columns {
            missing: rows.iter().any(|row| row.missing > 0),
            lost: rows.iter().any(|row| row.file.totals.lost > 0),
            changed: rows.iter().any(|row| row.file.totals.changed > 0),
            time: rows.iter().any(|row| row.file.micros > 0),
        }
    }
}

#[derive(Template)]
#[template(path = "files.html", config = "src/html/askama.toml")]
struct FilesPage<'f> {
    shell: PageShell,
    headline: String,
    from: Cow<'f, str>,
    to: Cow<'f, str>,
    migration: &'f MigrationResult<'f>,
    sections: Vec<PageSection>,
    fetched: FetchedTable<'f>,
    attention: Vec<AttentionPoint<'f>>,
    states: Bar,
    values: Bar,
    leaves: String,
    facts: Vec<(&'static str, String)>,
    columns: Columns,
    folds: Vec<FoldedLosses<'f>>,
    rows: Vec<FileRow<'f>>,
    untold: Option<String>,
}

struct FileRow<'f> {
    file: &'f MigratedFile<'f>,
    name: Cow<'f, str>,
    says: Cow<'f, str>,
    damage: Cow<'f, str>,
    bar: Bar,
    /// The URL of the file's own report, relative to the page.
    report: Option<String>,
    size: String,
    time: String,
    entries: String,
    missing: u64,
}

impl<'f> FileRow<'f> {
    fn new(file: &'f MigratedFile<'f>) -> FileRow<'f> {
        FileRow {
            file,
            name: cut(&file.name, SHOWN),
            says: cut(&file.says, SHOWN),
            damage: cut(&file.damage, SHOWN),
            bar: Bar::from_totals(&file.totals, 0),
            report: file.report.as_deref().map(relative),
            size: figures::size(file.bytes),
            time: if file.micros > 0 { figures::short(file.micros) } else { String::new() },
            entries: grouped(file.entries),
            missing: file.missing(),
        }
    }
}

fn facts(migration: &MigrationResult<'_>) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Entries", grouped(migration.entries)), ("Read", figures::size(migration.bytes))];
    if !migration.dry {
        facts.push(("Written", figures::size(migration.written)));
    }
    facts.push(("Time", figures::time(migration.millis)));
    if migration.now > 0 {
        let seconds = (migration.millis as f64 / 1000.0).max(0.001);
        facts.push(("Speed", format!("{}/s", figures::size((migration.now as f64 / seconds) as u64))));
    }
    facts
}

/// The outcome in a sentence: files that failed, then videos, or entries where there are none; `all` are the feeds.
fn headline(migration: &MigrationResult<'_>, all: u64) -> String {
    let (failed, remaining) = (migration.count(FileState::Failed), migration.count(FileState::Remaining));
    let through = all.saturating_sub(failed + remaining);
    let files = many(all, "file", "files");
    let be = if migration.dry { "would be " } else { "" };
    let files = match (failed, remaining) {
        _ if all == 0 => return "There was no file to convert".to_owned(),
        (0, 0) => format!("{files} {be}converted"),
        (0, _) => format!("{} of {files} {be}converted so far", grouped(through)),
        (failed, _) => {
            format!("{} of {files} {}", grouped(failed), if migration.dry { "would fail" } else { "failed" })
        }
    };
    let (read, written, one, more) = match (migration.videos, migration.videos_written) {
        (0, _) => (migration.entries, migration.entries.saturating_sub(migration.dropped), "entry", "entries"),
        // a target without videos drops none
        (_, 0) if migration.videos_dropped.is_empty() => {
            (migration.entries, migration.entries.saturating_sub(migration.dropped), "entry", "entries")
        }
        (read, written) => (read, written, "video", "videos"),
    };
    match read.saturating_sub(written) {
        _ if read == 0 => files,
        0 => format!("{files}; {} {be}written", many(read, one, more)),
        dropped => {
            format!(
                "{files}; {} of {} {be}written, {} dropped",
                grouped(written),
                many(read, one, more),
                grouped(dropped)
            )
        }
    }
}
