//! The page of a migration: which files became what, what that cost, and what was lost most often.

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
    /// What ended the run before its end, if anything did.
    pub interrupted: Option<&'f str>,
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
    /// Videos in them.
    pub videos: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// How long it took.
    pub millis: u64,
    /// What was lost most often, the most frequent first.
    pub frequent: Vec<Frequent<'f>>,
    /// Names of reports that list what the page only counts.
    pub beside: Vec<&'f str>,
}

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum State {
    /// It could not be converted.
    Failed,
    /// It is no longer there.
    Gone,
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
            State::Gone => "gone",
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
    /// Why it failed or was skipped; empty for the others.
    pub says: Cow<'f, str>,
    /// Its format; empty if that is not known.
    pub format: Cow<'f, str>,
    /// Its size.
    pub bytes: u64,
    /// Its entries.
    pub entries: u64,
    /// What became of its values.
    pub totals: Totals,
    /// How long it took.
    pub millis: u64,
    /// A report of its own, by its path relative to the page.
    pub report: Option<Cow<'f, str>>,
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
    files.sort_by_key(|file| (file.state, Reverse(file.totals.lost)));
    let untold = migration.untold + files.len().saturating_sub(LISTED) as u64;
    let rows: Vec<FileRow<'_>> = files.into_iter().take(LISTED).map(FileRow::of).collect();
    let all: u64 = migration.counts.iter().map(|(_, count)| count).sum();
    let states: Vec<(&'static str, u64)> =
        migration.counts.iter().map(|(state, count)| (state.name(), *count)).collect();
    let count = |state| migration.counts.iter().filter(|(other, _)| *other == state).map(|(_, count)| count).sum();
    let seconds = (migration.millis as f64 / 1000.0).max(0.001);
    let rate = format!("{}/s", figures::size((migration.bytes as f64 / seconds) as u64));
    let mut sections = vec![Section { id: "files", name: "Files", count: grouped(all) }];
    if !migration.frequent.is_empty() {
        sections.insert(0, Section { id: "frequent", name: "Most frequent", count: String::new() });
    }
    let page = FilesPage {
        shell: Shell::new(),
        headline: headline(all, count(State::Failed), &migration.totals),
        from: cut(migration.from, SHOWN),
        to: cut(migration.to, SHOWN),
        migration,
        sections,
        all: many(all, "file", "files"),
        states: Bar::new(&states, all),
        values: Bar::of(&migration.totals),
        leaves: many(migration.totals.leaves, "value", "values"),
        facts: vec![
            ("Entries", grouped(migration.entries)),
            ("Videos", grouped(migration.videos)),
            ("Read", figures::size(migration.bytes)),
            ("Time", figures::time(migration.millis)),
            ("Speed", rate),
            ("Values made", grouped(migration.totals.made)),
        ],
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
}

impl<'f> FileRow<'f> {
    fn of(file: &'f File<'f>) -> FileRow<'f> {
        FileRow {
            file,
            name: cut(&file.name, SHOWN),
            says: cut(&file.says, SHOWN),
            bar: Bar::of(&file.totals),
            report: file.report.as_deref().map(relative),
            size: figures::size(file.bytes),
            time: figures::time(file.millis),
            entries: grouped(file.entries),
        }
    }
}

fn headline(all: u64, failed: u64, totals: &Totals) -> String {
    let files = many(all, "file", "files");
    let values = many(totals.leaves, "value", "values");
    match (failed, totals.lost) {
        _ if all == 0 => "There was no file to convert".to_owned(),
        (1.., _) => format!("{} of {files} could not be converted", grouped(failed)),
        (_, 0) => format!("{files} went through, and nothing was lost"),
        (_, lost) => format!("{files} went through; {} of {values} were lost", grouped(lost)),
    }
}
