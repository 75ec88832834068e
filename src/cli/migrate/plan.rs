//! The output of every input, and whether it is up to date. Nothing is written here.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::reports::{self, ReportDestination};
use super::sources::{DiskFile, SourceFile, SourceListing, kind};
use super::store::{History, is_same_stamp, state_folder};
use crate::cli::file::MISNAMED;
use crate::cli::hash;
use crate::cli::kinds::is_document;
use crate::cli::migrate::task::{MigrationTask, NoFeed, SPOILED};
use crate::cli::places::{CanonicalPaths, real};
use crate::convert::{Document, Fetched};
use crate::error::Error;
use crate::format::Format;
use crate::job::journal::{
    self, InputOrigin, Journal, KnownRecord, Record, RecordPlace, RecordedOutput, Stamp, Validators,
};
use crate::job::name::{self, NameSource, PartNames, Template};
use crate::job::shard::Shard;
use crate::job::summary::{FileReport, InputStatus};
use crate::job::{Name, shown};
use crate::options::Options;
use crate::text::hex;

/// How outputs are called.
pub struct Naming {
    /// The target.
    pub to: &'static Format,
    /// Outputs are compressed.
    pub gzip: bool,
    /// An output may become parts.
    pub splits: bool,
}

impl Naming {
    /// Of outputs that are asked for in this way.
    pub fn for_target(to: &'static Format, gzip: bool, options: &Options) -> Naming {
        let asked = options.split.is_some() || options.split_bytes.is_some();
        Naming { to, gzip, splits: asked || to.family.is_xml_sitemap() && options.index_base.is_some() }
    }

    /// The ending.
    fn ext(&self) -> String {
        name::extension(self.to, self.gzip)
    }
}

impl PartNames for Naming {
    fn stem(&self, output: &Path) -> PathBuf {
        match self.splits {
            true => name::numbered(output, Some(self.to), self.gzip, ""),
            false => output.to_owned(),
        }
    }

    fn whole(&self, path: &Path) -> Option<PathBuf> {
        name::whole_of(path, self.to, self.gzip).filter(|_| self.splits)
    }
}

/// Inputs and what they become.
#[derive(Default)]
pub struct MigrationPlan {
    /// In the order of their keys.
    pub tasks: Vec<MigrationTask>,
    /// What cannot be converted.
    pub failed: Vec<(PathBuf, String)>,
    /// What is known to be no feed before anything is converted.
    pub not_feeds: Vec<NoFeed>,
    /// Other notes to print.
    pub notes: Vec<String>,
    /// The first outputs of inputs that are not among the sources any more.
    pub kept: Vec<Name>,
    /// Lists that were followed.
    pub lists: u64,
    /// Files that are read besides the inputs: those lists, and the file of `--enrich`.
    pub read: Vec<PathBuf>,
    /// Outputs of inputs in former runs, if the inputs are to be converted again.
    pub former: HashMap<usize, Box<[RecordedOutput]>>,
    /// The same of the output of all.
    pub former_merged: Box<[RecordedOutput]>,
    /// Where the records of documents are that could not be fetched, and whose outputs stay.
    pub in_place: HashMap<usize, RecordPlace>,
    /// The merged output of a former run that is kept.
    pub retained: Option<RetainedOutput>,
    /// The folder below which inputs that were named by absolute paths keep their paths.
    pub common: Option<PathBuf>,
    /// Outputs of former runs, by their paths, whose inputs are not among the sources, and what these are.
    owned: HashMap<PathBuf, String>,
    /// What all inputs are known by, those of other shares as well, and where they are.
    keys: HashMap<Name, Arc<InputOrigin>>,
    /// The inputs of the merged output of a former run that are not among the sources any more.
    unmerged: Vec<Name>,
    /// The output that all inputs become.
    merged: Option<PathBuf>,
}

/// An output of several inputs that is kept instead of one that lacks some of them, because they fail now.
pub struct RetainedOutput {
    /// Its report.
    pub report: FileReport,
    /// The numbers of the tasks whose inputs it contains.
    pub inputs: HashSet<usize>,
    /// Some of it fails already: it is no feed any more, or cannot be looked at.
    pub lacks: bool,
}

/// An input, or a merged output, that is as a former run left it.
pub struct CurrentInput {
    /// The number of its task; of a merged output, 0.
    pub number: usize,
    /// The fate it had.
    pub status: InputStatus,
    /// Where its record is.
    place: RecordPlace,
    /// It was done elsewhere, or failed since.
    is_moved: bool,
}

impl CurrentInput {
    /// Its report for this run.
    ///
    /// # Errors
    /// The journal cannot be read again.
    pub fn report(&self, plan: &MigrationPlan, history: &History) -> Result<FileReport, Error> {
        let report = unchanged(history.record(self.place)?.into_place());
        let fetched = match plan.tasks.get(self.number).filter(|_| report.inputs.is_empty()) {
            Some(task) => task.input.fetched(),
            None => plan.fetched(&report.inputs),
        };
        Ok(FileReport { fetched, ..report })
    }

    /// The line that a later run finds it by, if the one there is does not do.
    ///
    /// # Errors
    /// The journal cannot be read again.
    pub fn moved_line(&self, plan: &MigrationPlan, history: &History) -> Result<Option<Vec<u8>>, Error> {
        let Some(task) = plan.tasks.get(self.number).filter(|_| self.is_moved) else { return Ok(None) };
        let (origins, fetched) = (vec![(*task.input.origin).clone()], task.input.validators().cloned());
        let record = history.record(self.place)?.into_place();
        Ok(Some(journal::line(&Record { origins, fetched, ..record })))
    }
}

impl RetainedOutput {
    /// Whether an output of these inputs would have less in it.
    pub fn would_lack(&self, left: &[usize]) -> bool {
        let left: HashSet<&usize> = left.iter().collect();
        self.lacks || self.inputs.iter().any(|number| !left.contains(number))
    }
}

/// Each input gets an output of its own, named by the template.
///
/// # Errors
/// Two inputs have names that cannot be distinguished.
pub fn named(
    found: SourceListing,
    template: &Template,
    naming: &Naming,
    (options, from): (&Options, Option<&Format>),
) -> Result<MigrationPlan, Error> {
    let SourceListing { mut inputs, failed, mut notes, lists, read, common, .. } = found;
    let ext = &naming.ext();
    let asks = template.asks_document();
    let name = |number: usize, input: &SourceFile| {
        let head = if asks { head(input, options) } else { DocumentHead::default() };
        template.path(&NameSource {
            path: &input.path,
            ext,
            number: number + 1,
            format: &head.format,
            title: head.title.as_deref(),
            date: head.date.as_deref(),
        })
    };
    let mut outputs: Vec<PathBuf> = inputs.iter().enumerate().map(|(number, input)| name(number, input)).collect();
    // files that are not feeds do not reserve output names
    let mut not_feeds = Vec::new();
    let idle: HashSet<usize> = name::clashing(&outputs, naming)
        .into_iter()
        .filter(|index| inputs.get(*index).is_some_and(|input| !input.named && is_no_feed(input, (options, from))))
        .collect();
    if !idle.is_empty() {
        let mut index = 0..;
        outputs.retain(|_| index.next().is_none_or(|index| !idle.contains(&index)));
        let (kept, left) = inputs.into_iter().enumerate().partition::<Vec<_>, _>(|(index, _)| !idle.contains(index));
        inputs = kept.into_iter().map(|(_, input)| input).collect();
        not_feeds = left.iter().map(|(_, input)| NoFeed::from_file(input)).collect();
    }
    let keys: Vec<&Path> = inputs.iter().map(|input| input.key.as_path()).collect();
    let hint = "pass a --name template that distinguishes them, such as {dir}/{stem}-{n}.{ext}";
    let renamed = name::settle(&mut outputs, &keys, ext, naming).map_err(|says| Error::format(says, hint))?;
    let taken: HashSet<&PathBuf> = outputs.iter().collect();
    for other in &renamed {
        let (Some(input), Some(output)) = (inputs.get(other.index), outputs.get(other.index)) else { continue };
        let (key, wanted) = (shown(&input.key), shown(&other.wanted));
        let why = match taken.contains(&other.wanted) {
            true => format!("{wanted} is the output of another input"),
            false => format!("several inputs would become {wanted}"),
        };
        notes.push(format!("{key} becomes {}: {why}", shown(output)));
    }
    let tasks = inputs.into_iter().zip(outputs).map(|(input, output)| MigrationTask { input, output }).collect();
    Ok(MigrationPlan { tasks, failed, not_feeds, notes, lists, read, common, ..MigrationPlan::default() }.with_keys())
}

/// All inputs become one output.
///
/// # Errors
/// A template with more than one name in it.
pub fn merged(
    found: SourceListing,
    template: Option<&Template>,
    naming: &Naming,
    wish: (&Options, Option<&Format>),
) -> Result<MigrationPlan, Error> {
    let SourceListing { inputs, failed, notes, lists, read, common, .. } = found;
    let ext = &naming.ext();
    let output = match template {
        None => PathBuf::from(format!("merged.{ext}")),
        Some(template) if template.is_fixed() => {
            template.path(&NameSource { path: Path::new(""), ext, number: 1, format: "", title: None, date: None })
        }
        Some(_) => {
            return Err(Error::format(
                "cannot name the outputs: --merge writes only one",
                "pass one name to --name, such as videos.xml or videos.{ext}",
            ));
        }
    };
    let (kept, not_feeds): (Vec<SourceFile>, Vec<SourceFile>) =
        inputs.into_iter().partition(|input| input.named || !is_no_feed(input, wish));
    let not_feeds = not_feeds.iter().map(NoFeed::from_file).collect();
    let tasks = kept.into_iter().map(|input| MigrationTask { input, output: output.clone() }).collect();
    let merged = Some(output);
    Ok(MigrationPlan { tasks, failed, not_feeds, notes, lists, read, common, merged, ..MigrationPlan::default() }
        .with_keys())
}

fn is_no_feed(input: &SourceFile, (options, from): (&Options, Option<&Format>)) -> bool {
    kind(&input.file).is_ok_and(|kind| !is_document(&kind, from, options.videos_from_html))
}

/// The metadata of a document.
#[derive(Default)]
struct DocumentHead {
    format: String,
    title: Option<String>,
    date: Option<String>,
}

/// Reads the metadata; empty if the document cannot be read, which fails later.
fn head(input: &SourceFile, options: &Options) -> DocumentHead {
    let name = shown(&input.path);
    let input = DiskFile { file: &input.file, name: &name };
    let Ok(document) = Document::open(&input, None, options) else {
        return DocumentHead { format: "unknown".to_owned(), ..DocumentHead::default() };
    };
    let feed = &document.feed;
    let date = feed.updated.as_ref().or(feed.published.as_ref());
    DocumentHead {
        format: document.format.id.to_owned(),
        title: feed.title.as_ref().map(|title| title.value.to_string()),
        date: date.map(|date| date.to_w3c().chars().take(10).collect()),
    }
}

/// The conditions under which a record of a former run is valid.
pub struct RunConditions<'k> {
    /// The folder of outputs.
    pub out: &'k Path,
    /// Hash of all that outputs depend on besides their inputs.
    pub asked_for: &'k str,
    /// Only what failed is done.
    pub retry: bool,
    /// All is done again.
    pub force: bool,
}

impl MigrationPlan {
    fn with_keys(mut self) -> MigrationPlan {
        let inputs = self.tasks.iter().map(|task| &task.input);
        self.keys = inputs
            .chain(self.not_feeds.iter().map(|no_feed| &no_feed.input))
            .map(|input| (Name::from_path(&input.key), Arc::clone(&input.origin)))
            .collect();
        self
    }

    /// Finds the outputs of former runs that belong to no input of this one.
    fn find_owned(&mut self, journal: &Journal, out: &Path) {
        let mut last: HashMap<PathBuf, (&KnownRecord, &Stamp)> = HashMap::new();
        for record in journal.all() {
            let files = record.files.iter().filter_map(|file| Some((below(&file.path)?, (record, &file.stamp))));
            last.extend(files);
        }
        let gone = MissingSources::default();
        // outputs that were removed have no owner
        last.retain(|path, (record, stamp)| {
            fs::symlink_metadata(out.join(path)).is_ok()
                && !self.is_current_input(record, &gone)
                // two mixed journals may have inputs with one path: then the output itself shows whose it is
                && (!self.shares_paths(record) || is_unchanged(&out.join(path), stamp))
        });
        self.owned = last.into_iter().map(|(path, (record, _))| (path, self.called(record))).collect();
    }

    /// Whether a record is of an input of this run, or of such that are, merged.
    fn is_current_input(&self, record: &KnownRecord, gone: &MissingSources) -> bool {
        let whence = RecordOrigin::find(record, gone);
        paths(record).any(|path| self.keys.get(path).is_some_and(|origin| whence.is(origin)))
    }

    /// Whether inputs of this run have the paths of a record's.
    fn shares_paths(&self, record: &KnownRecord) -> bool {
        paths(record).any(|path| self.keys.contains_key(path))
    }

    /// What a message calls the input of a record, or its inputs: with its place, where the path is that of another, too.
    fn called(&self, record: &KnownRecord) -> String {
        let place = record.origins.first().and_then(|origin| origin.named().path());
        let place = place.filter(|_| self.shares_paths(record)).map(PathBuf::from).unwrap_or_default();
        let mut paths = paths(record);
        let first = paths.next().and_then(Name::path).unwrap_or_default();
        match paths.count() {
            0 => format!("{}, which is", shown(place.join(first))),
            more => format!("{} and {more} more, which are", shown(place.join(first))),
        }
    }

    /// What an output of a former run was made of, if that is not among the sources.
    pub fn owner(&self, output: &Path) -> Option<&str> {
        self.owned.get(output).map(String::as_str)
    }

    /// No output may replace an input, or a list of them.
    ///
    /// # Errors
    /// One would.
    pub fn refuse_inputs(&self, out: &Path) -> Result<(), Error> {
        let Ok(out) = out.canonicalize() else { return Ok(()) };
        let mut places = CanonicalPaths::default();
        let inputs = self.inputs(&mut places);
        match self
            .tasks
            .iter()
            .map(|task| places.resolve(&out.join(&task.output)))
            .find(|output| inputs.contains(output))
        {
            None => Ok(()),
            Some(output) => Err(Error::format(
                format!("cannot write {}: it is an input", shown(output)),
                "pass another folder to --out; inputs are never replaced",
            )),
        }
    }

    /// All that is read, by the names that are given and where they lead.
    pub fn inputs(&self, places: &mut CanonicalPaths) -> HashSet<PathBuf> {
        let mut inputs: HashSet<PathBuf> = self.read.iter().cloned().collect();
        for task in &self.tasks {
            inputs.extend([places.resolve(&task.input.file)].into_iter().chain(task.input.file.canonicalize()));
        }
        inputs
    }

    /// No report may replace an input, an output, or what is ours.
    ///
    /// # Errors
    /// One would.
    pub fn refuse_reports(
        &self,
        reports: &[ReportDestination],
        out: &Path,
        naming: &Naming,
        shard: Option<Shard>,
    ) -> Result<(), Error> {
        if reports.is_empty() {
            return Ok(());
        }
        // of a merged output there is one report, called as it is; inputs that fail have theirs
        let merged = self.merged.as_deref().map(Name::from_path);
        let others = self.not_feeds.iter().map(|no_feed| &no_feed.input);
        let inputs = self.tasks.iter().map(|task| &task.input).chain(others);
        let keys: Vec<Name> = inputs.map(|input| Name::from_path(&input.key)).chain(merged).collect();
        let mut places = CanonicalPaths::default();
        let there = reports.iter().flat_map(|report| reports::planned_reports(report, &keys, shard));
        let mut written = HashSet::new();
        let mut twice = None;
        let there = there.map(|path| {
            let place = places.resolve(&path);
            let place = place.canonicalize().unwrap_or(place);
            if reports.len() > 1 && !written.insert(one_file(&place)) {
                twice.get_or_insert(path);
            }
            place
        });
        let there: Vec<PathBuf> = there.collect();
        if let Some(twice) = twice {
            return Err(Error::format(
                format!("cannot write {}: two reports have this name", shown(twice)),
                "use each name once",
            ));
        }
        let out = real(out);
        let mut names = HashSet::new();
        for task in &self.tasks {
            let output = places.resolve(&out.join(&task.output));
            names.extend([name::folded(&naming.stem(&output)), name::folded(&output)]);
        }
        let is_output = |path: &Path| names.contains(&name::folded(path));
        let taken = |path: &&PathBuf| {
            is_output(path)
                || naming.whole(path).is_some_and(|whole| is_output(&whole))
                || path.starts_with(state_folder(&out))
        };
        if let Some(report) = there.iter().find(taken) {
            return Err(Error::format(
                format!("cannot write {}: it is an output and a report", shown(report)),
                "pass another path to --report",
            ));
        }
        let there: HashSet<PathBuf> = there.into_iter().filter(|path| path.is_file()).collect();
        if there.is_empty() {
            return Ok(());
        }
        // a report of an earlier run that lies among the sources is no feed, and may be replaced
        let is_one = |input: &&SourceFile| input.file.canonicalize().is_ok_and(|file| there.contains(&file));
        let mut inputs = self.tasks.iter().map(|task| &task.input).filter(is_one);
        let input = inputs.find(|input| input.named || !is_no_feed(input, (&Options::default(), None)));
        match self.read.iter().find(|file| there.contains(*file)).or(input.map(|input| &input.file)) {
            None => Ok(()),
            Some(file) => Err(Error::format(
                format!("cannot write the report {}: it is an input", shown(file)),
                "pass another path to --report; inputs are never replaced",
            )),
        }
    }

    /// How these inputs were fetched in this run.
    pub fn fetched(&self, inputs: &[Name]) -> Vec<Fetched> {
        let inputs: HashSet<&Name> = inputs.iter().collect();
        let is_in = |task: &&MigrationTask| inputs.contains(&Name::from_path(&task.input.key));
        self.tasks.iter().filter(is_in).flat_map(|task| task.input.fetched()).collect()
    }

    /// Removes the tasks of other shares.
    pub fn take_share(&mut self, shard: Option<Shard>) {
        let Some(shard) = shard else { return };
        // URLs were shared out before they were fetched
        self.tasks.retain(|task| task.input.remote.is_some() || shard.holds(&task.input.key));
        self.not_feeds.retain(|no_feed| shard.holds(&no_feed.input.key));
        self.failed.retain(|(path, _)| shard.holds(path));
    }

    /// Returns the numbers of the tasks to do, and the records of the others. The journal keeps inputs that no longer
    /// exist. If a merged output is kept, the tasks to do are the inputs that it lacks because they failed.
    pub fn sort_out(&mut self, history: &mut History, known: &RunConditions<'_>) -> (Vec<usize>, Vec<CurrentInput>) {
        let (mut todo, mut done) = (Vec::new(), Vec::new());
        if !known.force {
            self.find_owned(&history.journal, known.out);
        }
        let gone = MissingSources::default();
        if let Some(output) = self.merged.clone() {
            let sorted = self.sort_out_merged(&output, history, known, &gone);
            self.miss_feeds(|_| false);
            return sorted;
        }
        let journal = &mut history.journal;
        for (number, task) in self.tasks.iter().enumerate() {
            let record = take(journal, &task.input, &gone);
            let failed = record.as_ref().is_some_and(|record| record.status == InputStatus::Failed);
            if known.retry && !failed {
                continue;
            }
            let is_unfetched = task.input.remote.as_ref().is_some_and(|remote| remote.failure.is_some());
            let in_place = record.as_ref().filter(|_| is_unfetched).map(KnownRecord::in_place);
            if let Some(record) = in_place.filter(|record| record.status == InputStatus::Done) {
                self.in_place.insert(number, record.place);
            }
            match record.map(KnownRecord::into_place) {
                Some(record) if is_done(task, &record, known) => {
                    let input = &task.input;
                    let is_elsewhere = record.origins.iter().all(|known| known.real != input.origin.real);
                    let is_moved = is_elsewhere || failed || input.validators() != record.fetched.as_deref();
                    let KnownRecord { place, status, .. } = record;
                    done.push(CurrentInput { number, status, place, is_moved });
                }
                Some(KnownRecord { files, .. }) if !files.is_empty() => {
                    self.former.insert(number, files);
                    todo.push(number);
                }
                Some(_) | None => todo.push(number),
            }
        }
        let was = |input: &SourceFile| take(journal, input, &gone).is_some_and(|record| !record.files.is_empty());
        self.miss_feeds(was);
        (todo, done)
    }

    /// What is no feed any more, though a former run made something of it, has failed.
    fn miss_feeds(&mut self, mut was: impl FnMut(&SourceFile) -> bool) {
        for no_feed in self.not_feeds.iter_mut().filter(|no_feed| !no_feed.is_told) {
            let says = match (was(&no_feed.input), no_feed.fails) {
                (true, _) => SPOILED,
                (false, true) => MISNAMED,
                (false, false) => continue,
            };
            (no_feed.fails, no_feed.is_told) = (true, true);
            no_feed.why = format!("{says}: {}", no_feed.why);
        }
    }

    fn sort_out_merged(
        &mut self,
        output: &Path,
        history: &mut History,
        known: &RunConditions<'_>,
        gone: &MissingSources,
    ) -> (Vec<usize>, Vec<CurrentInput>) {
        let all = (0..self.tasks.len()).collect();
        let ours = |record: &mut KnownRecord| self.is_current_input(record, gone);
        let taken = history.journal.take(&Name::from_path(output), ours);
        let read_again = |record: KnownRecord| history.record(record.place).ok().map(|whole| (record, whole.report));
        let Some((record, report)) = taken.and_then(read_again) else { return (all, Vec::new()) };
        let (inputs, whence) = (record.inputs.iter().collect::<HashSet<_>>(), RecordOrigin::find(&record, gone));
        let was = |input: &SourceFile| inputs.contains(&Name::from_path(&input.key)) && whence.is(&input.origin);
        let is_in = |task: &MigrationTask| was(&task.input);
        let same = !known.force
            && *record.options == *known.asked_for
            && record.status == InputStatus::Done
            && self.tasks.iter().filter(|task| is_in(task)).all(|task| whence.real.contains(&task.input.origin.real))
            && record.stamp.hash == inputs_hash(self.tasks.iter().filter(|task| is_in(task)))
            && self.tasks.iter().all(|task| !is_fresh(task.input.mtime, record.at))
            && are_outputs_unchanged(&record, output, known);
        let failed = |task: &MigrationTask| {
            let record = take(&mut history.journal, &task.input, gone);
            let stamp = record.filter(|record| record.status == InputStatus::Failed).map(|record| record.stamp);
            stamp.is_some_and(|stamp| (stamp.size, stamp.mtime) == (task.input.size, task.input.mtime))
        };
        let others: Vec<usize> =
            self.tasks.iter().enumerate().filter(|(_, task)| !is_in(task)).map(|(number, _)| number).collect();
        let stands = same && others.iter().filter_map(|number| self.tasks.get(*number)).all(failed);
        let was_in: HashSet<PathBuf> = self
            .not_feeds
            .iter()
            .map(|no_feed| &no_feed.input)
            .filter(|input| was(input))
            .map(|input| input.key.clone())
            .collect();
        let is_file = |file: &RecordedOutput| below(&file.path).is_some_and(|path| known.out.join(path).is_file());
        let standing = !known.force && record.files.iter().any(is_file);
        // of what could not be looked at it is not known that it is no more
        let missed = !self.failed.is_empty() && inputs.iter().any(|input| !self.keys.contains_key(*input));
        let numbers = self.tasks.iter().enumerate().filter(|(_, task)| is_in(task)).map(|(number, _)| number).collect();
        let still: HashSet<Name> = self
            .tasks
            .iter()
            .map(|task| &task.input)
            .chain(self.not_feeds.iter().map(|no_feed| &no_feed.input))
            .filter(|input| was(input))
            .map(|input| &input.key)
            .chain(self.failed.iter().map(|(path, _)| path))
            .map(Name::from_path)
            .collect();
        self.unmerged = record.inputs.iter().filter(|input| !still.contains(*input)).cloned().collect();
        let output = shown(output);
        self.former_merged.clone_from(&record.files);
        if standing {
            let lacks = missed || !was_in.is_empty();
            self.retained = Some(RetainedOutput { report, inputs: numbers, lacks });
            for (_, says) in self.failed.iter_mut().filter(|_| missed) {
                says.push_str(&format!("; {output} is kept"));
            }
        }
        self.miss_feeds(|input| was_in.contains(&input.key));
        match stands {
            true => {
                let (status, place) = (record.status, record.place);
                (others, vec![CurrentInput { number: 0, status, place, is_moved: false }])
            }
            false => (all, Vec::new()),
        }
    }

    /// Inputs of former runs that are no more are noted. The answer are files that former runs made of what is an input now,
    /// in another way: merged, or one by one.
    pub fn remove_missing(&mut self, journal: &Journal, out: &Path, naming: &Naming) -> Vec<PathBuf> {
        let rest = journal.rest();
        let moved = MissingSources::default();
        let done = rest.iter().filter(|record| record.status == InputStatus::Done);
        let (other, gone): (Vec<&&KnownRecord>, Vec<&&KnownRecord>) =
            done.partition(|record| self.is_current_input(record, &moved));
        if let Some(first) = gone.first() {
            let inputs: HashSet<_> =
                gone.iter().flat_map(|record| paths(record).map(|path| (path, &record.origins))).collect();
            let says = missing_inputs(inputs.len(), paths(first).next().unwrap_or(&first.path));
            let output = first.files.first().map_or(String::new(), |file| format!(", as {}", file.path));
            let (them, all) = match gone.len() {
                1 => ("it", ""),
                _ => ("them", "; the report in JSON lists all"),
            };
            self.notes.push(format!("{says}; outputs are kept{output}: delete {them} if you do not need {them}{all}"));
        }
        self.kept = gone.iter().flat_map(|record| &record.files).map(|file| file.path.clone()).take(KEPT).collect();
        let outputs = self.outputs();
        let files = other.iter().flat_map(|record| &record.files).filter_map(|file| below(&file.path));
        files.filter(|file| is_stale_output(file, out, naming, &outputs)).collect()
    }

    /// That the merged output lacks inputs which a former one had.
    pub fn unmerged_note(&self) -> Option<String> {
        let (first, output) = (self.unmerged.first()?, self.merged.as_deref()?);
        let them = if self.unmerged.len() == 1 { "it" } else { "them" };
        Some(format!("{}; {} is written without {them}", missing_inputs(self.unmerged.len(), first), shown(output)))
    }

    /// The names of all outputs, parts apart.
    pub fn outputs(&self) -> HashSet<&Path> {
        self.tasks.iter().map(|task| task.output.as_path()).chain(self.merged.as_deref()).collect()
    }
}

/// Outputs that are listed although their inputs are not among the sources any more.
const KEPT: usize = 10_000;

/// That so many inputs of former runs are not among the sources, and the first of them.
fn missing_inputs(count: usize, first: &Name) -> String {
    match count {
        1 => format!("the sources lack 1 input of a previous run, {first}"),
        _ => format!("the sources lack {count} inputs of previous runs, e.g. {first}"),
    }
}

/// The paths of what a record is of.
fn paths(record: &KnownRecord) -> impl Iterator<Item = &Name> {
    let inputs = &record.inputs;
    std::iter::once(&*record.path).filter(|_| inputs.is_empty()).chain(inputs)
}

/// The last record of an input, and no other one of it stays.
fn take(journal: &mut Journal, input: &SourceFile, gone: &MissingSources) -> Option<KnownRecord> {
    let is_of =
        |record: &mut KnownRecord| record.inputs.is_empty() && RecordOrigin::find(record, gone).is(&input.origin);
    journal.take(&Name::from_path(&input.key), is_of)
}

/// Sources of former runs, and whether they are gone; each is looked for once.
#[derive(Default)]
struct MissingSources(RefCell<HashMap<Name, bool>>);

impl MissingSources {
    fn is(&self, source: &Name) -> bool {
        let mut known = self.0.borrow_mut();
        if let Some(known) = known.get(source) {
            return *known;
        }
        let error = source.path().and_then(|path| fs::symlink_metadata(path).err());
        let gone = error.is_some_and(|error| error.kind() == io::ErrorKind::NotFound);
        known.insert(source.clone(), gone);
        gone
    }
}

/// Where the inputs of a record were. An input with one of their paths matches if its location or its given name is the
/// same, if the old location no longer exists, or if the record's version did not store locations.
struct RecordOrigin<'r> {
    real: HashSet<&'r Name>,
    named: HashSet<&'r Name>,
    record: &'r KnownRecord,
    gone: &'r MissingSources,
    moved: OnceCell<bool>,
}

impl<'r> RecordOrigin<'r> {
    fn find(record: &'r KnownRecord, gone: &'r MissingSources) -> RecordOrigin<'r> {
        let (real, named) = record.origins.iter().map(|origin| (&origin.real, origin.named())).unzip();
        RecordOrigin { real, named, record, gone, moved: OnceCell::new() }
    }

    fn is(&self, origin: &InputOrigin) -> bool {
        let origins = &self.record.origins;
        let moved = || origins.iter().all(|origin| self.gone.is(origin.source()));
        self.real.contains(&origin.real) || self.named.contains(origin.named()) || *self.moved.get_or_init(moved)
    }
}

/// A path below the folder of outputs, if it is one.
pub fn below(name: &Name) -> Option<PathBuf> {
    name.path().map(PathBuf::from).filter(|path| crate::job::list::is_below_root(path))
}

/// Whether a file of a former run is there and none that this run may have written.
pub fn is_stale_output(file: &Path, out: &Path, naming: &Naming, outputs: &HashSet<&Path>) -> bool {
    let is_part = || naming.whole(file).is_some_and(|whole| outputs.contains(&*whole));
    !outputs.contains(file) && !is_part() && fs::symlink_metadata(out.join(file)).is_ok_and(|meta| meta.is_file())
}

/// A hash that identifies these inputs.
pub fn inputs_hash<'t>(tasks: impl Iterator<Item = &'t MigrationTask>) -> String {
    let mut hash = Sha256::new();
    for task in tasks {
        let SourceFile { key, size, mtime, .. } = &task.input;
        hash.update(crate::job::bytes_of(key));
        hash.update(format!("\0{size} {mtime}\0"));
        // relative URLs are resolved against it, and redirects may lead elsewhere each time
        hash.update(task.input.base().unwrap_or_default());
    }
    hex(&hash.finalize())
}

fn unchanged(record: Record) -> FileReport {
    let status = match record.report.status {
        InputStatus::Done => InputStatus::Unchanged,
        other => other,
    };
    FileReport { status, seconds: 0.0, ..record.report }
}

/// Whether all of it was done, and is still the same.
fn is_done(task: &MigrationTask, record: &KnownRecord, known: &RunConditions<'_>) -> bool {
    if known.force || *record.options != *known.asked_for || record.stamp.size != task.input.size {
        return false;
    }
    let remote = task.input.remote.as_ref();
    // relative URLs are resolved against the URL that the document came from
    let url = |validators: Option<&Validators>| validators.map(|validators| validators.url.clone());
    let is_other = || url(task.input.validators()) != url(record.fetched.as_deref());
    if remote.is_some_and(|remote| remote.failure.is_some() || is_other()) {
        return false;
    }
    // elsewhere a file of the same size and date may be another one
    let is_there = record.origins.iter().any(|origin| origin.real == task.input.origin.real);
    let as_it_was = is_there && record.stamp.mtime == task.input.mtime && !is_fresh(task.input.mtime, record.at);
    let (hash, file) = (&record.stamp.hash, &task.input.file);
    // a date that was made may be that of the file
    let dated = record.has_made_date;
    let same = || as_it_was || !hash.is_empty() && !dated && hash::of_file(file).is_ok_and(|found| found == *hash);
    match record.status {
        InputStatus::Done => are_outputs_unchanged(record, &task.output, known) && same(),
        InputStatus::NotAFeed => as_it_was && !task.input.named,
        InputStatus::Failed | InputStatus::Unchanged => false,
    }
}

/// Whether a file may have been changed again after it was read, in the same moment of a clock that is not fine.
fn is_fresh(mtime: i64, read: i64) -> bool {
    const FINE: i64 = 50_000_000;
    const COARSE: i64 = 2_000_000_000;
    let moment = if mtime % 1_000_000_000 == 0 { COARSE } else { FINE };
    mtime.saturating_add(moment) > read
}

/// Whether a file is there as it was written.
fn is_unchanged(path: &Path, stamp: &Stamp) -> bool {
    let is_file = |meta: &Metadata| meta.is_file() && meta.len() == stamp.size;
    match fs::symlink_metadata(path).ok().filter(is_file) {
        Some(meta) => is_same_stamp(&meta, stamp) || hash::of_file(path).is_ok_and(|hash| hash == stamp.hash),
        None => false,
    }
}

/// Whether all files of a record are there as they were written.
#[cfg(feature = "fetch")]
pub fn are_files_unchanged(record: &KnownRecord, out: &Path) -> bool {
    let is_same =
        |file: &RecordedOutput| below(&file.path).is_some_and(|path| is_unchanged(&out.join(path), &file.stamp));
    !record.files.is_empty() && record.files.iter().all(is_same)
}

/// Whether the outputs are there as they were written, and their report.
fn are_outputs_unchanged(record: &KnownRecord, output: &Path, known: &RunConditions<'_>) -> bool {
    let path = below;
    let planned = record.files.iter().any(|file| path(&file.path).is_some_and(|path| path == output));
    // feeds in parts have no file of the planned name
    let parts = || {
        record.files.len() > 1
            && record.files.iter().all(|file| path(&file.path).is_some_and(|path| path.parent() == output.parent()))
    };
    (planned || parts())
        && record
            .files
            .iter()
            .all(|file| path(&file.path).is_some_and(|path| is_unchanged(&known.out.join(path), &file.stamp)))
}

/// What two paths of one file share: where folders ignore capital letters, their name without them.
fn one_file(path: &Path) -> PathBuf {
    match cfg!(any(windows, target_os = "macos")) {
        true => PathBuf::from(name::folded(path)),
        false => path.to_owned(),
    }
}
