//! `transfeed diff`: the arguments, the comparison, its output and exit code. Text is in diff/text.rs, the pairing of
//! files in diff/inputs.rs.

mod inputs;
mod later;
mod page;
mod text;
mod words;

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

use self::inputs::{ComparisonTask, DiffInputs, LoneFile};
use self::page::DiffPage;
use self::text::{DiffDetail, DifferenceText};
use super::exit::Exit;
use super::fetch::{self, FetchArgs, Fetcher};
use super::file::InputSource;
use super::known::known;
use super::output::{is_stdout, stdout_error};
use super::progress::{Progress, ProgressMode};
use super::{color, limits};
use crate::cli::argument::{address, folder, source, source_names};
use crate::cli::color::{eprint, print_notes};
use crate::convert::Input;
use crate::diff::{self, Comparison, DiffSums, DifferenceSink, FileSums, Inputs, json};
use crate::error::Error;
use crate::format::Format;
use crate::job::Name;
use crate::options::Options;
use crate::report::{input_title, make_visible, write_json, write_visible};
use crate::text::many;

/// Compare two documents of any formats, or two folders.
///
/// Entries are matched by page URL, then by id, then by title and publication date. Dates are compared at the coarser
/// precision, texts without markup and white space, numbers by value, URLs after normalization. Between two formats,
/// values that a conversion changes are equal; what it drops is a difference (--allow-conversion-drops).
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    transfeed diff old.xml new.xml --fail-on removed\n  \
    transfeed diff feed.mrss sitemap.xml --ignore video.views --json\n  \
    transfeed diff yesterday/ today/ --merge --max-changed 5% --stat\n\n\
    Exit codes: 0 equal, 1 different, 2 an input cannot be read.")]
pub struct Diff {
    /// Old document: a file, a URL, a folder, or `-` for standard input
    ///
    /// A sitemap index represents the sitemaps next to it.
    #[arg(value_name = "A")]
    a: String,
    /// New document
    #[arg(value_name = "B")]
    b: String,
    /// Print one JSON document
    #[arg(long, conflicts_with_all = ["jsonl", "stat"])]
    json: bool,
    /// Print a JSON line per finding, then the totals
    #[arg(long, conflicts_with = "stat")]
    jsonl: bool,
    /// Write a page too; `-` prints only the page
    #[arg(long, value_name = "FILE")]
    html: Option<String>,
    /// Print only totals, one line per kind and field
    #[arg(long)]
    stat: bool,
    /// List all findings in full [default: 50]
    #[arg(long)]
    all: bool,
    /// Report entries that moved (field `order`)
    #[arg(long)]
    order: bool,
    /// Compare a folder as one catalogue, not by file
    #[arg(long)]
    merge: bool,
    /// Ignore fields: names, prefixes, globs (video.*.url)
    #[arg(long, value_name = "FIELD", value_delimiter = ',', value_parser = known(diff::field, diff::field_names), hide_possible_values = true)]
    ignore: Vec<String>,
    /// Compare only these fields
    ///
    /// Added and removed entries always count.
    #[arg(long, value_name = "FIELD", value_delimiter = ',', value_parser = known(diff::field, diff::field_names), hide_possible_values = true)]
    only: Vec<String>,
    /// Ignore what a conversion drops
    ///
    /// Entries and videos that the other format cannot hold.
    #[arg(long)]
    allow_conversion_drops: bool,
    /// Exit 1 only for: added, removed, changed
    ///
    /// Moved entries are changed.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', hide_possible_values = true)]
    fail_on: Vec<FindingKind>,
    /// Exit 1 only above N findings, or N% of the entries
    #[arg(long, value_name = "N|N%", allow_negative_numbers = true, default_value = "0", hide_default_value = true)]
    max_changed: AllowedFindings,
    /// Format of both [default: detected from the content]
    #[arg(long, value_name = "FORMAT", value_parser = known(source, source_names), hide_possible_values = true)]
    from: Option<&'static Format>,
    /// Set the input URL, to resolve relative URLs
    #[arg(long, value_name = "URL", value_parser = address)]
    base: Option<String>,
    /// Memory to use before temporary files
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, default_value = "256MiB", hide_short_help = true)]
    memory: limits::Size,
    /// Folder for temporary files [default: that of the system]
    #[arg(long, value_name = "DIR", value_parser = folder(), hide_short_help = true)]
    temp_dir: Option<PathBuf>,
    /// Use colors: auto, always or never
    ///
    /// auto: on a terminal without NO_COLOR.
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_possible_values = true, hide_short_help = true)]
    pub(super) color: color::ColorMode,
    /// Number of threads (0 = one per core)
    #[arg(short = 'j', long = "threads", value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = crate::cli::wanted::threads)]
    threads: usize,
    /// Print only requested JSON
    #[arg(short, long)]
    quiet: bool,
    /// List fields that were not compared, with reasons
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    fetch: FetchArgs,
    #[command(flatten)]
    limits: limits::LimitArgs,
}

/// What `--fail-on` names.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FindingKind {
    Added,
    Removed,
    Changed,
}

/// What may be found without being a failure.
#[derive(Clone, Copy, PartialEq, Debug)]
enum AllowedFindings {
    Count(u64),
    Percent(f64),
}

impl FromStr for AllowedFindings {
    type Err = String;

    fn from_str(text: &str) -> Result<AllowedFindings, String> {
        let wrong = || "expected a number such as 10, or a percentage such as 5%".to_owned();
        match text.strip_suffix('%') {
            Some(share) => {
                let share: f64 = share.trim().parse().map_err(|_| wrong())?;
                if (0.0..=100.0).contains(&share) { Ok(AllowedFindings::Percent(share)) } else { Err(wrong()) }
            }
            None => text.parse().map(AllowedFindings::Count).map_err(|_| wrong()),
        }
    }
}

impl Diff {
    fn comparison(&self) -> Comparison {
        let options = Options {
            base: self.base.clone(),
            threads: self.threads,
            memory: self.memory.bytes(),
            temp_dir: self.temp_dir.clone(),
            limits: self.limits.limits(),
            ..Options::default()
        };
        let (ignore, only) = (self.ignore.clone(), self.only.clone());
        let allow_conversion_drops = self.allow_conversion_drops;
        Comparison { from: self.from, options, order: self.order, ignore, only, allow_conversion_drops }
    }

    fn manner(&self) -> DiffDetail {
        match (self.quiet, self.stat, self.all) {
            (true, ..) => DiffDetail::Nothing,
            (_, true, _) => DiffDetail::Sums,
            (_, _, true) => DiffDetail::All,
            _ => DiffDetail::Some,
        }
    }

    /// How many findings are a failure.
    fn counted(&self, sums: &DiffSums) -> u64 {
        let counts = |kind| self.fail_on.is_empty() || self.fail_on.contains(&kind);
        let of = |kind, count: u64| if counts(kind) { count } else { 0 };
        of(FindingKind::Added, sums.added)
            + of(FindingKind::Removed, sums.removed)
            + of(FindingKind::Changed, sums.changed + sums.moved)
    }

    fn exit(&self, counted: u64, entries: u64) -> Exit {
        let fails = match self.max_changed {
            AllowedFindings::Count(most) => counted > most,
            AllowedFindings::Percent(share) => counted as f64 * 100.0 > share * entries as f64,
        };
        if fails { Exit::Finding } else { Exit::Done }
    }
}

/// Where findings go.
enum DiffOutput {
    Text(Box<DifferenceText<DiffStream>>),
    Json(DiffStream),
    Lines(json::JsonLinesWriter<DiffStream>),
}

type DiffStream = BufWriter<Box<dyn Write + Send>>;

/// So many notes about the inputs are shown; a folder may have one for each file.
const NOTES: usize = 20;

/// Runs the command.
///
/// # Errors
/// An unreadable file, and errors of standard output.
pub fn run(args: &Diff) -> Result<Exit, Error> {
    let alone = args.html.as_deref().is_some_and(is_stdout);
    if alone && (args.json || args.jsonl) {
        return Err(Error::format("cannot print JSON and a page to standard output", "pass a file to --html"));
    }
    let comparison = args.comparison();
    let temp_dir = args.temp_dir.as_deref();
    let files = [args.a.as_str(), &args.b].into_iter().chain(args.html.as_deref());
    args.fetch.check(files, None)?;
    let fetcher = Fetcher::new(&args.fetch, &args.limits, temp_dir);
    let pairs = DiffInputs::find((&args.a, &args.b), args.merge, temp_dir, &fetcher)?;
    fetcher.end()?;
    if !args.quiet {
        let shown = if args.verbose { pairs.notes.len() } else { pairs.notes.len().min(NOTES) };
        print_notes(&pairs.notes[..shown], false);
        if let more @ 1.. = pairs.notes.len() - shown {
            eprint(&format!("note: {} (-v shows them)\n", many(more as u64, "more note", "more notes")));
        }
    }
    let shown = [fetch::shown(&args.a), fetch::shown(&args.b)];
    let sides = [shown[0].as_str(), shown[1].as_str()];
    let mut page = args.html.as_deref().map(|name| DiffPage::create(name, &pairs)).transpose()?;
    let out: DiffStream = BufWriter::new(Box::new(color::stdout()));
    let mut sink = match (args.json, args.jsonl) {
        (true, _) => DiffOutput::Json(out),
        (_, true) => DiffOutput::Lines(json::JsonLinesWriter::new(out)),
        _ if alone => DiffOutput::Text(Box::new(DifferenceText::new(out, DiffDetail::Nothing))),
        _ => {
            let text = DifferenceText::new(out, args.manner()).verbose(args.verbose);
            DiffOutput::Text(Box::new(text.temp_dir(args.temp_dir.clone())))
        }
    };
    let exit = match pairs.tasks.as_slice() {
        [task] if !pairs.by_file => compare_pair(args, &comparison, task, &mut sink, (&mut page, "")).map(|sums| {
            let entries = sums.a.entries.max(sums.b.entries);
            args.exit(args.counted(&sums), entries)
        }),
        _ => each(args, &comparison, &pairs, &mut sink, &mut page),
    };
    let flushed = match &mut sink {
        DiffOutput::Text(text) => text.flush(),
        DiffOutput::Json(out) => out.flush().map_err(stdout_error),
        DiffOutput::Lines(lines) => lines.flush(),
    };
    let exit = flushed.and(exit)?;
    page.map_or(Ok(()), |page| page.write(sides, &pairs))?;
    Ok(exit)
}

/// Compares one with one.
fn compare_pair(
    args: &Diff,
    comparison: &Comparison,
    task: &ComparisonTask,
    sink: &mut DiffOutput,
    (page, file): (&mut Option<DiffPage>, &str),
) -> Result<DiffSums, Error> {
    let a: Vec<&dyn Input> = task.a.sources.iter().map(|source| source as &dyn Input).collect();
    let b: Vec<&dyn Input> = task.b.sources.iter().map(|source| source as &dyn Input).collect();
    let (a, b) = (Inputs { name: &task.a.name, inputs: &a }, Inputs { name: &task.b.name, inputs: &b });
    let mut compare = |take: &mut dyn DifferenceSink| -> Result<DiffSums, Error> {
        let mut sums = match page {
            Some(page) => comparison.run(a, b, &mut page.tee(take, file))?,
            None => comparison.run(a, b, take)?,
        };
        (sums.a.fetched, sums.b.fetched) = (task.a.fetched(), task.b.fetched());
        page.iter_mut().for_each(|page| page.add(&sums));
        Ok(sums)
    };
    let sums = match sink {
        DiffOutput::Text(text) => {
            text.begin(&task.a.name, &task.b.name);
            let sums = compare(text.as_mut())?;
            text.end(&sums)?;
            sums
        }
        DiffOutput::Json(out) => {
            let mut report = json::DiffReport::new(comparison.options.temp_dir.as_deref());
            let sums = compare(&mut report)?;
            report.write(&sums, out).map_err(stdout_error)?;
            sums
        }
        DiffOutput::Lines(lines) => {
            let sums = compare(lines)?;
            lines.end(&sums)?;
            sums
        }
    };
    if !args.quiet {
        remarks(&sums);
    }
    Ok(sums)
}

/// Prints the problems of the inputs.
fn remarks(sums: &DiffSums) {
    for remark in &sums.remarks {
        let line = if remark.line > 0 { format!(":{}", remark.line) } else { String::new() };
        eprint(&format!(
            "warning: {}{line}: {}: {}\n",
            input_title(&remark.name),
            remark.code,
            make_visible(&remark.says)
        ));
    }
    if sums.untold > 0 {
        eprint(&format!("note: … and {} more\n", sums.untold));
    }
    if sums.repeated > 0 {
        let keys = if sums.repeated == 1 { "key occurs" } else { "keys occur" };
        eprint(&format!(
            "note: {} {keys} several times on both sides; aligned these entries in order\n",
            sums.repeated
        ));
    }
}

/// Compares folders file by file.
fn each(
    args: &Diff,
    comparison: &Comparison,
    pairs: &DiffInputs,
    sink: &mut DiffOutput,
    page: &mut Option<DiffPage>,
) -> Result<Exit, Error> {
    if let DiffOutput::Text(text) = sink {
        text.of_folders(&args.a, &args.b);
    }
    let (mut totals, mut counted, mut entries, mut trouble) = (FileSums::default(), 0, 0, false);
    if let DiffOutput::Json(out) = sink {
        out.write_all(b"{\"files\": [\n").map_err(stdout_error)?;
    }
    for (number, task) in pairs.tasks.iter().enumerate() {
        if let (DiffOutput::Json(out), true) = (&mut *sink, number > 0) {
            out.write_all(b",\n").map_err(stdout_error)?;
        }
        match compare_pair(args, comparison, task, sink, (page, &task.a.name)) {
            Ok(sums) => {
                totals.add(&sums);
                counted += args.counted(&sums);
                entries += sums.a.entries.max(sums.b.entries);
            }
            Err(error) if super::is_broken_pipe(&error) => return Err(error),
            Err(error) => {
                trouble = true;
                totals.files_failed += 1;
                report_failure(sink, (&task.a.name, &task.b.name), &error)?;
            }
        }
    }
    for (number, failed) in (pairs.tasks.len()..).zip(&pairs.failed) {
        if let (DiffOutput::Json(out), true) = (&mut *sink, number > 0) {
            out.write_all(b",\n").map_err(stdout_error)?;
        }
        trouble = true;
        totals.files_failed += 1;
        report_failure(sink, (&failed.a, &failed.b), &failed.error)?;
    }
    (totals.files_added, totals.files_removed) = (pairs.only_b.len() as u64, pairs.only_a.len() as u64);
    for (lone, of_b) in
        pairs.only_a.iter().map(|lone| (lone, false)).chain(pairs.only_b.iter().map(|lone| (lone, true)))
    {
        let count = entries_of(comparison, lone);
        let sums = |entries| match of_b {
            true => DiffSums { added: entries, ..DiffSums::default() },
            false => DiffSums { removed: entries, ..DiffSums::default() },
        };
        totals.add_entries(&sums(count));
        if let DiffOutput::Text(text) = sink {
            text.add(&sums(count));
        }
        // a file without entries is a finding too
        counted += args.counted(&sums(count.max(1)));
        entries += count;
    }
    match sink {
        DiffOutput::Text(text) => text.files(pairs, &totals)?,
        DiffOutput::Json(out) => {
            let (added, removed) = (names(&pairs.only_b), names(&pairs.only_a));
            let rest = serde_json::json!({"added": added, "removed": removed, "totals": totals});
            let rest = rest.to_string();
            let written = writeln!(out, "],")
                .and_then(|()| write_visible(out, rest.strip_prefix('{').unwrap_or(&rest)))
                .and_then(|()| out.write_all(b"\n"));
            written.map_err(stdout_error)?;
        }
        DiffOutput::Lines(lines) => {
            let (added, removed) = (names(&pairs.only_b), names(&pairs.only_a));
            let rest = serde_json::json!({"files_added": added, "files_removed": removed, "totals_of_files": totals});
            lines.line(&rest)?;
        }
    }
    Ok(if trouble { Exit::Trouble } else { args.exit(counted, entries) })
}

/// The paths of files, for programs.
fn names(files: &[LoneFile]) -> Vec<Name> {
    files.iter().map(|lone| Name::from_path(&lone.path)).collect()
}

/// Names two files that cannot be compared.
fn report_failure(sink: &mut DiffOutput, (a, b): (&str, &str), error: &Error) -> Result<(), Error> {
    eprint(&format!("{}: {}\n", color::red("error"), make_visible(&error.to_string())));
    let row = serde_json::json!({"a": {"name": a}, "b": {"name": b}, "error": error.to_string()});
    match sink {
        DiffOutput::Text(_) => Ok(()),
        DiffOutput::Json(out) => write_json(&mut *out, &row).and_then(|()| out.write_all(b"\n")).map_err(stdout_error),
        DiffOutput::Lines(lines) => lines.line(&row),
    }
}

/// How many entries a file has that only one folder has; none if it cannot be read. A file is the same as itself.
fn entries_of(comparison: &Comparison, lone: &LoneFile) -> u64 {
    let progress = Progress::new(ProgressMode::Never);
    let Ok(source) = InputSource::at(&lone.file, "", comparison.options.temp_dir.as_deref(), &progress) else {
        return 0;
    };
    let inputs: [&dyn Input; 1] = [&source];
    let side = Inputs { name: "", inputs: &inputs };
    let comparison = Comparison { order: false, ..comparison.clone() };
    comparison.run(side, side, &mut Vec::new()).map_or(0, |sums| sums.a.entries)
}
