//! The page of a migration: which files became what, what that cost, and what was lost most often. What a run came to is
//! counted in `job` and put into these terms in migrated.rs.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::io::{self, Write};

use askama::Template;

use super::bar::Bar;
use super::escape::{cut, grouped, many, relative};
use super::{LISTED, SHOWN, Section, Shell, figures, write};
use crate::code::LossKind;
use crate::ledger::Totals;

/// What a migration did.
#[derive(Clone, Debug, Default)]
pub struct Files<'f> {
    /// What was migrated, as it was asked for.
    pub from: &'f str,
    /// Where the outputs are.
    pub to: &'f str,
    /// The target format, and whose rules were applied, in words.
    pub target: &'f str,
    /// Nothing was written: it was only asked what would be.
    pub dry: bool,
    /// What ended the run before its end, if anything did.
    pub interrupted: Option<Cow<'f, str>>,
    /// How many files there are in each state.
    pub counts: Vec<(State, u64)>,
    /// The files, in any order; the page lists at most [`LISTED`] of them, those with trouble first.
    pub files: Vec<File<'f>>,
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
    /// Why the others are not, and how many.
    pub videos_dropped: Vec<(&'f str, u64)>,
    /// Bytes of the files that were converted, also by earlier runs.
    pub bytes: u64,
    /// Bytes of what they became.
    pub written: u64,
    /// Bytes that were converted now.
    pub now: u64,
    /// How long it took.
    pub millis: u64,
    /// What was lost most often, the most frequent first.
    pub frequent: Vec<Frequent<'f>>,
    /// What else there is to tell: names that were changed, what was not fetched, inputs that are gone.
    pub notes: Vec<&'f str>,
    /// Names of reports that list what the page only counts.
    pub beside: Vec<&'f str>,
}

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum State {
    /// It could not be converted.
    Failed,
    /// It is yet to be dealt with.
    Remaining,
    /// It was converted.
    Done,
    /// An earlier run converted it, and nothing changed since.
    Unchanged,
    /// It is no feed.
    Skipped,
}

impl State {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            State::Failed => "failed",
            State::Remaining => "remaining",
            State::Done => "done",
            State::Unchanged => "unchanged",
            State::Skipped => "skipped",
        }
    }
}

/// One file of a migration.
#[derive(Clone, Debug)]
pub struct File<'f> {
    /// Its name, below what was migrated.
    pub name: Cow<'f, str>,
    /// What became of it.
    pub state: State,
    /// Why it failed, or what else is to be said of it; often nothing.
    pub says: Cow<'f, str>,
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
    /// What became of its values.
    pub totals: Totals,
    /// How long it took, in microseconds; 0 where it was not converted now.
    pub micros: u64,
    /// A report of its own, by its path relative to the page.
    pub report: Option<Cow<'f, str>>,
}

impl File<'_> {
    /// How many videos of it are not in the output.
    pub fn missing(&self) -> u64 {
        self.videos.saturating_sub(self.videos_written)
    }
}

/// Something that happened to many values.
#[derive(Clone, Debug)]
pub struct Frequent<'f> {
    /// What happened.
    pub kind: LossKind,
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
/// What `out` says.
pub fn files(migration: &Files<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut files: Vec<&File<'_>> = migration.files.iter().collect();
    files.sort_by_key(|file| (file.state, Reverse(file.missing()), Reverse(file.totals.lost)));
    let listed = files.len() as u64 + migration.untold;
    let untold = migration.untold + files.len().saturating_sub(LISTED) as u64;
    let rows: Vec<FileRow<'_>> = files.into_iter().take(LISTED).map(FileRow::of).collect();
    let all: u64 = migration.counts.iter().map(|(_, count)| count).sum();
    let states: Vec<(&'static str, u64)> =
        migration.counts.iter().map(|(state, count)| (state.name(), *count)).collect();
    let count =
        |state| -> u64 { migration.counts.iter().filter(|(other, _)| *other == state).map(|(_, count)| count).sum() };
    let mut sections = vec![Section { id: "files", name: "Files", count: grouped(listed) }];
    if !migration.frequent.is_empty() {
        sections.insert(0, Section { id: "frequent", name: "Most frequent", count: String::new() });
    }
    if !migration.notes.is_empty() {
        sections.push(Section { id: "notes", name: "Notes", count: grouped(migration.notes.len() as u64) });
    }
    let page = FilesPage {
        shell: Shell::new(),
        headline: headline(migration, all - count(State::Skipped), count(State::Failed)),
        from: cut(migration.from, SHOWN),
        to: cut(migration.to, SHOWN),
        migration,
        sections,
        all: many(all, "file", "files"),
        states: Bar::new(&states, all),
        values: Bar::of(&migration.totals, 0),
        leaves: many(migration.totals.leaves, "value", "values"),
        facts: facts(migration),
        rows,
        untold: (untold > 0).then(|| many(untold, "more file", "more files")),
    };
    write(&page, out)
}

#[derive(Template)]
#[template(path = "files.html", config = "src/html/askama.toml")]
struct FilesPage<'f> {
    shell: Shell,
    headline: String,
    from: Cow<'f, str>,
    to: Cow<'f, str>,
    migration: &'f Files<'f>,
    sections: Vec<Section>,
    all: String,
    states: Bar,
    values: Bar,
    leaves: String,
    facts: Vec<(&'static str, String)>,
    rows: Vec<FileRow<'f>>,
    untold: Option<String>,
}

struct FileRow<'f> {
    file: &'f File<'f>,
    name: Cow<'f, str>,
    says: Cow<'f, str>,
    bar: Bar,
    /// An address that leads to the file's own report and nowhere else.
    report: Option<String>,
    size: String,
    time: String,
    entries: String,
    missing: u64,
}

impl<'f> FileRow<'f> {
    fn of(file: &'f File<'f>) -> FileRow<'f> {
        FileRow {
            file,
            name: cut(&file.name, SHOWN),
            says: cut(&file.says, SHOWN),
            bar: Bar::of(&file.totals, 0),
            report: file.report.as_deref().map(relative),
            size: figures::size(file.bytes),
            time: if file.micros > 0 { figures::short(file.micros) } else { String::new() },
            entries: grouped(file.entries),
            missing: file.missing(),
        }
    }
}

fn facts(migration: &Files<'_>) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Videos", grouped(migration.videos)), ("Videos written", grouped(migration.videos_written))];
    let dropped: u64 = migration.videos_dropped.iter().map(|(_, count)| count).sum();
    if dropped > 0 {
        let whys = migration.videos_dropped.iter().map(|(why, count)| format!("{}: {why}", grouped(*count)));
        facts.push(("Videos dropped", format!("{} ({})", grouped(dropped), whys.collect::<Vec<_>>().join("; "))));
    }
    facts.push(("Entries", grouped(migration.entries)));
    if migration.dropped > 0 {
        facts.push(("Entries not written", grouped(migration.dropped)));
    }
    facts.extend([("Values made", grouped(migration.totals.made)), ("Read", figures::size(migration.bytes))]);
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

/// The outcome in a sentence; `all` are the files that are feeds.
fn headline(migration: &Files<'_>, all: u64, failed: u64) -> String {
    let remaining = migration.counts.iter().filter(|(state, _)| *state == State::Remaining);
    let remaining: u64 = remaining.map(|(_, count)| count).sum();
    let through = all.saturating_sub(failed + remaining);
    let (files, totals) = (many(through, "file", "files"), &migration.totals);
    let values = many(totals.leaves, "value", "values");
    let went = if migration.dry { "would go through" } else { "went through" };
    let verb = match (migration.dry, totals.lost) {
        (true, _) => "would be lost",
        (false, 1) => "was lost",
        (false, _) => "were lost",
    };
    match (failed, remaining, totals.lost) {
        _ if all == 0 => "There was no file to convert".to_owned(),
        (1.., ..) => format!("{} of {} could not be converted", grouped(failed), many(all, "file", "files")),
        (_, 1.., _) => format!("{} of {} went through so far", grouped(through), many(all, "file", "files")),
        (.., 0) if migration.dry => format!("{files} would go through, and nothing would be lost"),
        (.., 0) => format!("{files} went through, and nothing was lost"),
        (.., lost) => format!("{files} {went}; {} of {values} {verb}", grouped(lost)),
    }
}
