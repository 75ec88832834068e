//! Report files: one per input and one in total, and merged reports of several shards.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use unicode_width::UnicodeWidthStr as _;

use super::board::{Board, OrderedSpool, write_summary};
use crate::cli::hidden::{Temporaries, rename};
use crate::cli::lock::lock;
use crate::cli::migrate::leftover::{HIDDEN, of_shard};
use crate::cli::output::{FileOptions, OutputOptions, OutputTarget};
use crate::cli::places::real;
use crate::error::Error;
use crate::html::{self, MigrationResult};
use crate::job::name::{cut_to, visible};
use crate::job::shard::Shard;
use crate::job::summary::{FileReport, InputStatus, RunSummary, SummaryBuilder, meaning, videos_in_words};
use crate::job::{self, Name, digest, shown};
use crate::text::{grouped, many};

/// Where a report goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReportDestination {
    /// One report per input, `summary.json`, and `summary.html`.
    Folder(PathBuf),
    /// One report of all inputs.
    Document(PathBuf),
    /// One occurrence per line.
    Lines(PathBuf),
    /// A page for people.
    Page(PathBuf),
}

impl ReportDestination {
    /// The destinations for these paths.
    ///
    /// # Errors
    /// See [`ReportDestination::from_path`]; two folders.
    pub fn all(paths: &[PathBuf]) -> Result<Vec<ReportDestination>, Error> {
        let places = paths.iter().map(|path| ReportDestination::from_path(path)).collect::<Result<Vec<_>, _>>()?;
        match places.iter().filter_map(ReportDestination::folder).nth(1) {
            None => Ok(places),
            Some(second) => Err(Error::format(
                format!("cannot write reports to {}: --report names another folder", shown(second)),
                "pass one folder to --report; further reports are files",
            )),
        }
    }

    /// The destination for a path: by its extension, or a folder.
    ///
    /// # Errors
    /// An unknown extension; an existing file without one.
    pub fn from_path(path: &Path) -> Result<ReportDestination, Error> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        Ok(match ending {
            _ if path.is_dir() => ReportDestination::Folder(path.to_owned()),
            Some("json") => ReportDestination::Document(path.to_owned()),
            Some("jsonl") => ReportDestination::Lines(path.to_owned()),
            Some("html" | "htm") => ReportDestination::Page(path.to_owned()),
            // an existing file cannot become a folder
            None if path.as_os_str() != "-" && !path.exists() => ReportDestination::Folder(path.to_owned()),
            _ => {
                return Err(Error::format(
                    format!("cannot infer the report type from {}", shown(path)),
                    "pass FILE.html (a page), FILE.json (rows), FILE.jsonl (each occurrence) or a folder (one report \
                    per file)",
                ));
            }
        })
    }

    /// Checks before the work that the report can be written. The folder of outputs may not exist yet.
    ///
    /// # Errors
    /// Its folder does not exist.
    pub fn has_room(&self, out: &Path) -> Result<(), Error> {
        let (ReportDestination::Document(path) | ReportDestination::Lines(path) | ReportDestination::Page(path)) = self
        else {
            return Ok(());
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        match folder {
            Some(folder) if folder != out && !folder.is_dir() => Err(Error::format(
                format!("cannot write {}: its folder does not exist", shown(path)),
                "create it, or pass another path",
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// Whether a report of an earlier run may have this real path below the source `root`. In a folder that has sources
    /// too, it counts as one of them.
    pub fn may_be_at(&self, path: &Path, root: &Path) -> bool {
        match self {
            ReportDestination::Folder(folder) => {
                let folder = real(folder);
                let is_one = path.extension().is_some_and(|end| end == "json" || end == "html");
                is_one && folder != root && folder.starts_with(root) && path.starts_with(folder)
            }
            ReportDestination::Document(file) | ReportDestination::Lines(file) | ReportDestination::Page(file) => {
                path.file_name() == file.file_name() && path == real(file)
            }
        }
    }

    /// The folder for the reports of single inputs.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            ReportDestination::Folder(folder) => Some(folder),
            ReportDestination::Document(_) | ReportDestination::Lines(_) | ReportDestination::Page(_) => None,
        }
    }
}

/// Maximum length of a file name in bytes.
const LONGEST: usize = 255;

/// The name of an input's report. Names of the summaries are reserved: an input `summary` has `_summary.json`,
/// one `_summary` has `__summary.json`. A folder never ends in `.json`, as reports do: it has a `_` more.
fn report_name(key: &Name) -> PathBuf {
    let path = PathBuf::from(key.path().unwrap_or_default());
    // `/x` and `../x` are not among the keys, but nothing else may depend on that
    let steps = path.components().filter(|step| matches!(step, Component::Normal(_)));
    let mut steps: Vec<OsString> = steps.map(|step| report_step(step.as_os_str())).collect();
    let last = steps.pop().unwrap_or_default();
    let word = last.to_str().unwrap_or_default().trim_start_matches('_');
    let taken = steps.is_empty() && word.starts_with("summary") && !word.contains('.');
    for folder in &mut steps {
        let underlines = folder.as_encoded_bytes().iter().rev().take_while(|byte| **byte == b'_').count();
        let bare = folder.as_encoded_bytes().len() - underlines;
        if folder.as_encoded_bytes().get(..bare).is_some_and(|bare| bare.ends_with(b".json")) {
            folder.push("_");
        }
    }
    let mut name = OsString::from(if taken { "_" } else { "" });
    name.push(last);
    name.push(".json");
    let folders = steps.into_iter().map(|folder| cut_to(folder, "", LONGEST));
    folders.chain([cut_to(name, "json", LONGEST)]).collect()
}

/// A step of the name of an input as one of its report. A changed one gets a mark, as another input may have that name.
fn report_step(step: &OsStr) -> OsString {
    let mut shown = visible(step);
    if shown != step {
        shown.push(format!("-{}", digest(step.as_encoded_bytes(), 8)));
    }
    shown
}

/// The folder of the reports of single inputs, and of those over all.
pub struct ReportFolder {
    path: PathBuf,
    /// What the names of its temporaries begin with, also those of other shares of the same run.
    run: String,
    /// The same, of this share.
    hidden: Arc<str>,
}

impl ReportFolder {
    /// That of a run with these outputs.
    pub fn for_outputs(path: &Path, out: &Path, shard: Option<Shard>) -> ReportFolder {
        // another run may have its reports here too
        let run = format!("{HIDDEN}-{}", job::digest(job::bytes_of(&real(out)), 8));
        let hidden: Arc<str> = of_shard(&run, shard, "-").into();
        let run = if shard.is_some() { hidden.to_string() } else { run };
        ReportFolder { path: path.to_owned(), run, hidden }
    }

    /// Removes the temporaries of a run that was killed.
    pub fn clean(&self) {
        super::leftover::clean(&self.path, &self.run);
    }

    /// Writes the report of an input that was done before, if it is missing or differs.
    ///
    /// # Errors
    /// An I/O error.
    pub fn renew(&self, report: &FileReport) -> Result<(), Error> {
        let report = FileReport { status: InputStatus::Done, ..report.clone() };
        match fs::read(self.path.join(report_name(&report.path))) {
            Ok(there) if there == text_of(&report) => Ok(()),
            Ok(_) | Err(_) => self.write(&report),
        }
    }

    /// Writes the report of one input.
    ///
    /// # Errors
    /// An I/O error.
    pub fn write(&self, report: &FileReport) -> Result<(), Error> {
        let path = self.path.join(report_name(&report.path));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| Error::io(shown(parent), error))?;
        }
        // not synced: the next run writes a lost report again
        let file = Temporaries::default().create_next_to(&path, &self.hidden);
        let written = file.and_then(|mut file| {
            file.write_all(&text_of(report))?;
            rename(file.into_temp_path(), &path)
        });
        written.map_err(|error| Error::io(shown(&path), io::Error::from(error.kind())))
    }

    /// Creates a file in the folder; it appears when it is complete.
    fn create(&self, name: &str) -> Result<OutputTarget, Error> {
        let path = self.path.join(name);
        // symlinks are followed: the target is replaced, not the symlink
        let path = path.canonicalize().unwrap_or(path);
        let how =
            FileOptions { gzip: false, prefix: self.hidden.clone(), many: false, temporaries: Temporaries::default() };
        let name = shown(&path);
        OutputTarget::of_many(path, &name, how)
    }
}

/// The paths of the reports of these inputs, or of the report of all.
pub fn planned_reports(place: &ReportDestination, keys: &[Name], shard: Option<Shard>) -> Vec<PathBuf> {
    match place {
        ReportDestination::Folder(folder) => {
            let summary = folder.join(summary_name(shard));
            let all = [summary.with_extension("html"), summary];
            keys.iter().map(|key| folder.join(report_name(key))).chain(all).collect()
        }
        ReportDestination::Document(path) | ReportDestination::Lines(path) | ReportDestination::Page(path) => {
            vec![path.clone()]
        }
    }
}

/// Serializes a report.
fn text_of(report: &FileReport) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(report).unwrap_or_default();
    text.push(b'\n');
    text
}

/// Writes the report of all inputs.
///
/// # Errors
/// An I/O error.
pub fn write_all(
    place: &ReportDestination,
    board: &Board,
    summary: &RunSummary,
    of: &RunDescription<'_>,
) -> Result<(), Error> {
    let mut files = lock(&board.files);
    let lines = board.lines.as_ref().and_then(|lines| lock(lines).trouble());
    if let Some(trouble) = files.trouble().or(lines) {
        return Err(trouble);
    }
    match place {
        ReportDestination::Folder(folder) => {
            fs::create_dir_all(folder).map_err(|error| Error::io(shown(folder), error))?;
            in_folder(&ReportFolder::for_outputs(folder, of.out, of.shard), summary, &mut files, of)
        }
        ReportDestination::Document(path) => write(path, |out| write_summary(summary, &mut files, out)),
        ReportDestination::Lines(path) => write(path, |out| {
            if let Some(lines) = &board.lines {
                write_lines(&mut files, &mut lock(lines), out)?;
            }
            writeln!(out, "{}", serde_json::json!({ "totals": summary.totals }))
        }),
        ReportDestination::Page(path) => write(path, |out| write_page(summary, &mut files, of, None, out)),
    }
}

/// A description of the run, for pages.
pub struct RunDescription<'o> {
    /// The sources.
    pub from: String,
    /// The displayed name of the folder of outputs.
    pub to: String,
    /// Whose rules were applied.
    pub profile: &'o str,
    /// The share.
    pub shard: Option<Shard>,
    /// The folder of outputs.
    pub out: &'o Path,
}

/// The two summaries of a folder of reports.
fn in_folder(
    folder: &ReportFolder,
    summary: &RunSummary,
    files: &mut OrderedSpool,
    of: &RunDescription<'_>,
) -> Result<(), Error> {
    let name = summary_name(of.shard);
    let path = folder.path.join(&name);
    write_to(folder.create(&name)?, &path, |out| write_summary(summary, files, out))?;
    let page = path.with_extension("html");
    let beside = Some((folder.path.as_path(), name.as_str()));
    let out = folder.create(&page.file_name().unwrap_or_default().to_string_lossy())?;
    write_to(out, &page, |out| write_page(summary, files, of, beside, out))
}

/// Writes a file that appears when it is complete.
fn write(path: &Path, body: impl FnOnce(&mut OutputTarget) -> io::Result<()>) -> Result<(), Error> {
    write_to(create(path)?, path, body)
}

fn write_to(
    mut out: OutputTarget,
    path: &Path,
    body: impl FnOnce(&mut OutputTarget) -> io::Result<()>,
) -> Result<(), Error> {
    body(&mut out).and_then(|()| out.flush()).map_err(|error| Error::io(shown(path), error))?;
    out.finish()
}

/// Every occurrence, each with the path of its file.
fn write_lines(files: &mut OrderedSpool, lines: &mut OrderedSpool, out: &mut dyn Write) -> io::Result<()> {
    lines.each_beside(files, |piece, file| {
        let name = serde_json::to_string(&report_in(file)?.path)?;
        with_name(&name, piece, out)
    })
}

/// Writes the page: sums, and the files with the most losses. `beside` is the folder of reports around it, and the
/// name of the report of all inputs.
fn write_page(
    summary: &RunSummary,
    files: &mut OrderedSpool,
    of: &RunDescription<'_>,
    beside: Option<(&Path, &str)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (mut listed, mut all) = (Vec::new(), 0_u64);
    files.each(|file| {
        listed.push(FileReport { rows: Vec::new(), ..report_in(file)? });
        all += 1;
        if listed.len() >= 2 * html::LISTED {
            html::keep_listed(&mut listed);
        }
        Ok(())
    })?;
    html::keep_listed(&mut listed);
    let untold = all.saturating_sub(listed.len() as u64);
    let report = |file: &FileReport| {
        let (folder, _) = beside.filter(|_| matches!(file.status, InputStatus::Done | InputStatus::Unchanged))?;
        let name = report_name(&file.path);
        folder.join(&name).is_file().then(|| name.to_str().map(str::to_owned)).flatten()
    };
    let target = match (of.profile, of.shard) {
        ("none", None) => summary.format.clone(),
        (profile, None) => format!("{}, by the rules of {profile}", summary.format),
        ("none", Some(shard)) => format!("{}; shard {shard}", summary.format),
        (profile, Some(shard)) => format!("{}, by the rules of {profile}; shard {shard}", summary.format),
    };
    let page = html::migrated(summary, &listed, untold, report);
    let beside = beside.iter().map(|(_, name)| *name).collect();
    html::files(&MigrationResult { from: &of.from, to: &of.to, target: &target, beside, ..page }, out)
}

/// Reads a stored report. It is read whole first, because parsing it directly would need one system call per byte.
pub fn report_in(file: &mut dyn Read) -> io::Result<FileReport> {
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}

/// Lines of one input, each with its path.
fn with_name(name: &str, lines: &mut dyn Read, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = BufReader::new(lines);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        write!(out, "{{\"file\":{name},")?;
        out.write_all(line.get(1..).unwrap_or_default())?;
        line.clear();
    }
    Ok(())
}

fn create(path: &Path) -> Result<OutputTarget, Error> {
    let name: OsString = path.as_os_str().to_owned();
    let name = name.to_str().ok_or_else(|| {
        Error::format(format!("cannot write {}: its name is not UTF-8", shown(path)), "rename the report")
    })?;
    OutputTarget::create(name, OutputOptions::default())
}

fn summary_name(shard: Option<Shard>) -> String {
    match shard {
        Some(Shard { number, of }) => format!("summary-{number}-of-{of}.json"),
        None => "summary.json".to_owned(),
    }
}

/// Reads a summary as it was written: its reports one by one, and what is around them. However many reports there are,
/// one at a time is in memory.
struct SummaryReader<'e> {
    each: &'e mut dyn FnMut(FileReport),
}

impl<'de> Visitor<'de> for SummaryReader<'_> {
    type Value = RunSummary;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the summary of a shard")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<RunSummary, A::Error> {
        let (mut around, mut has_files) = (serde_json::Map::new(), false);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "files" => {
                    has_files = true;
                    map.next_value_seed(ReportList(&mut self))?;
                }
                _ => drop(around.insert(key, map.next_value()?)),
            }
        }
        match has_files {
            true => serde_json::from_value(around.into()).map_err(de::Error::custom),
            false => Err(de::Error::missing_field("files")),
        }
    }
}

/// The list of reports in a summary.
struct ReportList<'l, 'e>(&'l mut SummaryReader<'e>);

impl<'de> DeserializeSeed<'de> for ReportList<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ReportList<'_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of reports")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(report) = list.next_element()? {
            (self.0.each)(report);
        }
        Ok(())
    }
}

/// Puts the summaries of all shares in a folder together.
///
/// # Errors
/// None is there, one is missing, or one is of another conversion.
pub fn merge(folder: &Path) -> Result<RunSummary, Error> {
    let shards = shards_in(folder)?;
    let (mut sums, mut known) = (SummaryBuilder::default(), None::<(String, String, String)>);
    let (mut spool, mut paths) = (OrderedSpool::default(), Vec::new());
    for shard in shards {
        let path = folder.join(summary_name(Some(shard)));
        let name = shown(&path);
        let file = fs::File::open(&path).map_err(|error| Error::io(name.as_str(), error))?;
        let mut each = |file: FileReport| {
            spool.add(paths.len(), &mut serde_json::to_vec(&file).unwrap_or_default().as_slice());
            paths.push(file.path);
        };
        let mut text = serde_json::Deserializer::from_reader(BufReader::new(file));
        let read = text.deserialize_map(SummaryReader { each: &mut each });
        let summary = read
            .and_then(|summary| text.end().map(|()| summary))
            .map_err(|error| Error::format(format!("{name}: {error}"), "run that shard again"))?;
        let RunSummary { transfeed, format, profile, .. } = &summary;
        let kind = (transfeed.clone(), format.clone(), profile.clone());
        if *known.get_or_insert(kind.clone()) != kind {
            return Err(Error::format(
                format!("cannot merge {name}: it belongs to another conversion"),
                "use one folder per conversion",
            ));
        }
        sums.add_all(&summary);
    }
    let mut order: Vec<usize> = (0..paths.len()).collect();
    order.sort_by(|a, b| paths[*a].cmp(&paths[*b]));
    let mut numbers = vec![0; order.len()];
    order.iter().enumerate().for_each(|(number, at)| numbers[*at] = number);
    spool.renumber(&numbers);
    let (transfeed, format, profile) = known.unwrap_or_default();
    let summary = RunSummary { transfeed, format, profile, ..sums.end() };
    let of = RunDescription {
        from: "all shards".to_owned(),
        to: shown(folder),
        profile: &summary.profile,
        shard: None,
        out: folder,
    };
    in_folder(&ReportFolder::for_outputs(folder, folder, None), &summary, &mut spool, &of)?;
    Ok(summary)
}

/// The shares that have a summary here: all of one number.
fn shards_in(folder: &Path) -> Result<Vec<Shard>, Error> {
    let entries = fs::read_dir(folder).map_err(|error| Error::io(shown(folder), error))?;
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let shard = |name: String| -> Option<Shard> {
        let (number, of) = name.strip_prefix("summary-")?.strip_suffix(".json")?.split_once("-of-")?;
        Shard::parse(&format!("{number}/{of}"), &|_| None).ok()
    };
    let found: Vec<Shard> = names.filter_map(shard).collect();
    let hint = "run `transfeed migrate --shard K/N --report DIR` for each shard, then --merge-reports DIR";
    let of = match found.first() {
        Some(shard) if found.iter().all(|other| other.of == shard.of) => shard.of,
        Some(_) => {
            return Err(Error::format(
                format!("cannot merge {}: it has shards of different numbers", shown(folder)),
                hint,
            ));
        }
        None => {
            return Err(Error::format(format!("cannot merge {}: it has no summary of a shard", shown(folder)), hint));
        }
    };
    let all: Vec<Shard> = (1..=of).map(|number| Shard { number, of }).collect();
    match all.iter().find(|shard| !found.contains(shard)) {
        Some(missing) => Err(Error::format(
            format!("cannot merge {}: the summary of shard {missing} is missing", shown(folder)),
            hint,
        )),
        None => Ok(all),
    }
}

/// What would become of an input, for people.
pub fn dry_run_text(report: &FileReport) -> String {
    let FileReport { path, status, error, outputs, totals, inputs, .. } = report;
    match status {
        InputStatus::Unchanged => return format!("{path}: up to date\n"),
        InputStatus::NotAFeed => return format!("{path}: skipped, not a feed\n"),
        InputStatus::Failed => {
            return format!(
                "{path}: {}\n",
                crate::report::make_visible(error.as_deref().unwrap_or("it cannot be converted"))
            );
        }
        InputStatus::Done => (),
    }
    let output = outputs.first().map(|output| output.path.to_string()).unwrap_or_default();
    let from = match inputs.as_slice() {
        [] => path.to_string(),
        [one] => one.to_string(),
        several => many(several.len() as u64, "file", "files"),
    };
    let mut text = format!(
        "{from} → {output}: {}, {}: {} kept, {} changed, {} lost, {} unread, {} merged; {} generated\n",
        many(report.entries, "entry", "entries"),
        many(totals.leaves, "value", "values"),
        totals.kept,
        totals.changed,
        totals.lost,
        totals.unread,
        totals.merged,
        totals.made
    );
    if !report.videos_dropped.is_empty() {
        let videos = videos_in_words(report.videos, report.videos_written, &report.videos_dropped);
        text.push_str(&format!("  videos  {videos}\n"));
    }
    let rows: Vec<_> = report.rows.iter().filter(|row| row.severity != "info").collect();
    for row in rows.iter().take(5) {
        text.push_str(&format!(
            "  {:<8}{}  ×{} ({})\n",
            row.kind,
            crate::report::make_visible(row.name()),
            row.count,
            meaning(&row.code)
        ));
    }
    if rows.len() > 5 {
        text.push_str(&format!("  … and {}\n", many(rows.len() as u64 - 5, "more row", "more rows")));
    }
    text
}

/// So many folders of files that are not listed are named.
const FOLDERS: usize = 20;

/// The files of a plan that are not listed: how many would meet each fate, by folder.
#[derive(Default)]
pub struct Unlisted {
    folders: BTreeMap<PathBuf, Fates>,
}

/// How many files would be converted, are up to date, fail, and are skipped.
type Fates = [u64; 4];

impl Unlisted {
    /// Counts one more.
    pub fn add(&mut self, report: &FileReport) {
        let path = report.path.path().map(PathBuf::from).unwrap_or_default();
        let fate = match report.status {
            InputStatus::Done => 0,
            InputStatus::Unchanged => 1,
            InputStatus::Failed => 2,
            InputStatus::NotAFeed => 3,
        };
        self.folders.entry(path.parent().unwrap_or(Path::new("")).to_owned()).or_default()[fate] += 1;
    }

    /// The folders, joined to those above them where there are too many.
    fn joined(&self) -> BTreeMap<PathBuf, Fates> {
        let deepest = self.folders.keys().map(|folder| folder.components().count()).max().unwrap_or(0);
        let up_to = |depth: usize| {
            let mut joined: BTreeMap<PathBuf, Fates> = BTreeMap::new();
            for (folder, fates) in &self.folders {
                let sums = joined.entry(folder.components().take(depth).collect()).or_default();
                sums.iter_mut().zip(fates).for_each(|(sum, count)| *sum += count);
            }
            joined
        };
        let mut depths = (1..=deepest.max(1)).rev().map(up_to);
        let last = depths.find(|folders| folders.len() <= FOLDERS);
        last.unwrap_or_else(|| up_to(1))
    }
}

impl fmt::Display for Unlisted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fates = |fates: &Fates| {
            let words = ["to convert", "up to date", "failed", "skipped"];
            let counts = fates.iter().zip(words).filter(|(count, _)| **count > 0);
            counts.map(|(count, word)| format!("{} {word}", grouped(*count))).collect::<Vec<_>>().join(", ")
        };
        let count = self.folders.values().flatten().sum();
        if count == 0 {
            return Ok(());
        }
        writeln!(f, "… and {}; -v lists them", many(count, "more file", "more files"))?;
        let folders = self.joined();
        let name =
            |folder: &PathBuf| format!("{}/", if folder.as_os_str().is_empty() { ".".into() } else { shown(folder) });
        let wide = folders.keys().take(FOLDERS).map(|folder| name(folder).width()).max().unwrap_or(0);
        for (folder, sums) in folders.iter().take(FOLDERS) {
            let name = name(folder);
            writeln!(f, "  {name}{}  {}", " ".repeat(wide - name.width()), fates(sums))?;
        }
        let rest: Vec<&Fates> = folders.values().skip(FOLDERS).collect();
        if !rest.is_empty() {
            let mut sums = Fates::default();
            rest.iter().for_each(|fates| sums.iter_mut().zip(*fates).for_each(|(sum, count)| *sum += count));
            writeln!(f, "  … and {}: {}", many(rest.len() as u64, "more folder", "more folders"), fates(&sums))?;
        }
        Ok(())
    }
}
