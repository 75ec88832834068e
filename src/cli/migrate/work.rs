//! The conversion of inputs on all threads. Each small file has one thread, in batches with one sync; a large file has
//! all threads. The plan is already complete.
//!
//! A thread that waits inside a file never starts another one: small files are converted without waiting, and a
//! large one is converted alone.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Instant, SystemTime};

use sha2::{Digest, Sha256};
use tempfile::SpooledTempFile;

use super::board::Board;
use super::plan::{self, MigrationPlan, Naming};
use super::reports::ReportFolder;
use super::sources::{SourceFile, kind};
use super::store::{self, History, Store};
use super::task::{MigrationTask, NoFeed, SPOILED};
use crate::cli::file::MISNAMED;
use crate::cli::gates::{self, GateArgs};
use crate::cli::hidden::Temporaries;
use crate::cli::kinds::is_document;
use crate::cli::lock::lock;
use crate::cli::migrate::leftover::HIDDEN;
use crate::cli::output::{FileOptions, OutputTarget, PartSet, ReadyOutput, stamp};
use crate::cli::places::CanonicalPaths;
use crate::cli::signals::InterruptFlag;
use crate::cli::temporary::{spooled, temporary_folder};
use crate::convert::Input as Readable;
use crate::convert::Summary;
use crate::convert::{Conversion, Output as Sink};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
pub use crate::job::journal::Record;
use crate::job::journal::{self, InputOrigin, RecordedOutput, Stamp, VERSION};
use crate::job::name::PartNames;
use crate::job::summary::{FileReport, InputStatus, WrittenFile};
use crate::job::{Name, shown};
use crate::options::Options;
use crate::text::url;

/// A file from this size on has all threads to itself.
const LARGE: u64 = 2 << 20;

/// Most files of a batch.
const BATCH: usize = 256;

/// Batches that there are at least for each thread, so that none is left alone for long.
const SHARES: usize = 8;

/// All that the threads share.
pub struct Work<'w> {
    /// The target.
    pub to: &'static Format,
    /// The source, if its content should not decide.
    pub from: Option<&'static Format>,
    /// What is asked of each conversion.
    pub options: &'w Options,
    /// What each output must not lose.
    pub gates: &'w GateArgs,
    /// Hash of all that outputs depend on besides their inputs.
    pub asked_for: &'w str,
    /// Where outputs go; none, if nothing is to be written.
    pub store: Option<&'w Store>,
    /// The progress and the reports.
    pub board: &'w Board,
    /// Whether and why the run ends early.
    pub stop: &'w RunState,
    /// The threads.
    pub pool: Arc<rayon::ThreadPool>,
    /// The folder for a report of each input.
    pub reports: Option<&'w ReportFolder>,
    /// Everything.
    pub plan: &'w MigrationPlan,
    /// What former runs did.
    pub history: &'w History,
    /// How outputs are called.
    pub naming: &'w Naming,
    /// The folder below which inputs that were named by absolute paths keep their paths.
    pub common: Option<Name>,
    /// The first failure ends the run.
    pub fail_fast: bool,
    /// The names of all outputs, once they are asked for.
    pub outputs: OnceLock<HashSet<&'w Path>>,
    /// The files that are read, the same way.
    pub inputs: OnceLock<HashSet<PathBuf>>,
}

/// Why a run ends before its time, and what else keeps it from being all right.
#[derive(Default)]
pub struct RunState {
    /// A signal.
    pub asked: InterruptFlag,
    stopped: AtomicBool,
    why: Mutex<Option<EndReason>>,
    bug: AtomicBool,
    unreported: Mutex<(u64, Option<Error>)>,
}

/// What ended a run.
pub enum EndReason {
    /// Something that any other input would meet as well.
    Trouble(Error),
    /// The first input that failed, as was asked for.
    Failure(Error),
}

impl EndReason {
    /// What went wrong.
    pub fn error(&self) -> &Error {
        match self {
            EndReason::Trouble(error) | EndReason::Failure(error) => error,
        }
    }
}

impl RunState {
    /// Of a run that listens to this.
    pub fn new(asked: InterruptFlag) -> RunState {
        RunState { asked, ..RunState::default() }
    }

    /// Ends the run for this reason, unless it has one already.
    pub fn stop(&self, why: Error) {
        self.end(EndReason::Trouble(why));
    }

    fn end(&self, why: EndReason) {
        self.stopped.store(true, Ordering::Relaxed);
        let mut known = lock(&self.why);
        // trouble is worse than an input that failed
        match (&*known, &why) {
            (None, _) | (Some(EndReason::Failure(_)), EndReason::Trouble(_)) => *known = Some(why),
            (Some(_), EndReason::Trouble(_) | EndReason::Failure(_)) => (),
        }
    }

    /// Whether the run must end.
    pub fn now(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.asked.signal().is_some()
    }

    /// Why, if it is no signal; a second call has no answer.
    pub fn take_why(&self) -> Option<EndReason> {
        lock(&self.why).take()
    }

    /// Whether some input showed a mistake of this program.
    pub fn bug(&self) -> bool {
        self.bug.load(Ordering::Relaxed)
    }

    /// A report could not be written. The outputs can do without.
    pub fn unreported(&self, error: Error) {
        if ends_all(&error) {
            return self.stop(error);
        }
        let mut known = lock(&self.unreported);
        known.0 += 1;
        known.1.get_or_insert(error);
    }

    /// How many could not be, and why the first; a second call has no answer.
    pub fn take_unreported(&self) -> Option<(u64, Error)> {
        let mut known = lock(&self.unreported);
        known.1.take().map(|error| (known.0, error))
    }
}

/// A conversion that is complete, but has not got its names.
struct FinishedConversion {
    number: usize,
    record: Record,
    ready: Option<ReadyOutput>,
    lines: SpooledTempFile,
    seconds: f64,
}

impl Work<'_> {
    /// Does these tasks.
    pub fn run(&self, tasks: &[usize]) {
        let is_large = |number: &&usize| self.plan.tasks.get(**number).is_some_and(|task| task.input.size >= LARGE);
        let (large, mut small): (Vec<usize>, Vec<usize>) = tasks.iter().partition(is_large);
        // a folder for a thread, as far as possible: they wait for each other in one
        small.sort_by_key(|number| self.plan.tasks.get(*number).map(|task| &task.output));
        let threads = self.pool.current_num_threads();
        let size = small.len().div_ceil(threads * SHARES).clamp(1, BATCH);
        let batches: Vec<&[usize]> = small.chunks(size).collect();
        let next = AtomicUsize::new(0);
        keep_memory();
        self.pool.broadcast(|_| {
            while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                if self.stop.now() {
                    break;
                }
                self.batch(batch, true);
            }
        });
        for number in large {
            if !self.stop.now() {
                self.batch(&[number], false);
            }
        }
    }

    /// Converts some files, then puts them on the disk and gives them their names.
    fn batch(&self, numbers: &[usize], alone: bool) {
        let disk = self.store.and_then(Store::disk);
        let mut finished = Vec::new();
        for number in numbers {
            let Some(task) = self.plan.tasks.get(*number) else { continue };
            if self.stop.now() {
                break;
            }
            let name = task.input.title();
            let _working = self.board.working(*number, &name);
            // a format that somebody names is that of the feeds, not of all that lies about
            if self.from.is_some() && !task.input.named && !self.is_feed(task) {
                self.skip_file(*number, task, None);
                continue;
            }
            match self.convert(*number, task, &name, alone) {
                Ok(done) => finished.push(done),
                Err(error) => self.fail(*number, task, &name, error),
            }
        }
        self.publish(finished, disk.as_ref());
    }

    /// Whether a file can be read as a document. A file of bytes that are no text cannot.
    fn is_feed(&self, task: &MigrationTask) -> bool {
        kind(&task.input.file).is_ok_and(|kind| is_document(&kind, self.from, self.options.videos_from_html))
    }

    /// What is wrong with one input is its own matter; what is wrong with the disk is that of all.
    pub(super) fn fail(&self, number: usize, task: &MigrationTask, name: &str, error: Error) {
        if self.stop.asked.signal().is_some() {
            return;
        }
        if ends_all(&error) {
            self.stop.stop(error);
            return;
        }
        if !task.input.named && matches!(error.kind(), ErrorKind::Format { .. }) && !self.is_feed(task) {
            return self.skip_file(number, task, Some((name, error)));
        }
        if error.is_bug() {
            self.stop.bug.store(true, Ordering::Relaxed);
        }
        self.failed(number, task, &bare(name, &error));
        self.fail_fast(error);
    }

    /// Skips a file that is not a feed, unless it was meant to be one: it had an output before, or the name of a
    /// feed.
    fn skip_file(&self, number: usize, task: &MigrationTask, why: Option<(&str, Error)>) {
        let no_feed = NoFeed::from_file(&task.input);
        let why = why.map_or_else(|| no_feed.why.clone(), |(name, error)| bare(name, &error));
        let says = match (self.plan.former.contains_key(&number), no_feed.fails) {
            (true, _) => SPOILED,
            (false, true) => MISNAMED,
            (false, false) => {
                return self.record(number, task, passed_over(&task.input, why, no_feed.has_video));
            }
        };
        self.failed(number, task, &format!("{says}: {why}"));
        self.fail_fast(Error::format(format!("{}: {says}", shown(&task.input.path)), "fetch it again, or remove it"));
    }

    fn failed(&self, number: usize, task: &MigrationTask, says: &str) {
        let stays = self.plan.retained.as_ref().is_some_and(|retained| retained.inputs.contains(&number));
        let says = match stays {
            true => format!("{says}; {} has it and is kept (--force replaces it)", shown(&task.output)),
            false => says.to_owned(),
        };
        let says = match &task.input.remote {
            Some(remote) if !says.contains(&remote.facts.url) => format!("{}: {says}", remote.facts.url),
            Some(_) | None => says,
        };
        let report = FileReport::failed(Name::from_path(&task.input.key), task.input.size, says);
        self.record(number, task, FileReport { fetched: task.input.fetched(), ..report });
    }

    fn fail_fast(&self, error: Error) {
        if self.fail_fast {
            self.stop.end(EndReason::Failure(error));
        }
    }

    /// Reports and records an input that has no output. Its outputs of a former run stay in the record.
    fn record(&self, number: usize, task: &MigrationTask, report: FileReport) {
        if report.status == InputStatus::Failed {
            // replace an older report, which describes an output that no longer matches its input
            self.report(&report);
        }
        self.board.report_file(number, &report, &mut io::empty());
        let stamp = Stamp { size: task.input.size, mtime: task.input.mtime, hash: String::new() };
        let mut files = self.plan.former.get(&number).map(|files| files.to_vec()).unwrap_or_default();
        // drop outputs that belong to other inputs by now
        files.retain(|file| plan::below(&file.path).is_none_or(|path| self.plan.owner(&path).is_none()));
        // the server may be asked for what changed since then
        let done = match self.plan.in_place.get(&number).map(|place| self.history.record(*place)).transpose() {
            Ok(record) => record.map(|record| Box::new(record.into_place())),
            Err(error) => return self.stop.stop(error),
        };
        self.note(&Record { files, done, ..self.record_of(stamp, report, vec![(*task.input.origin).clone()]) });
    }

    /// Writes the report of an input, if somebody wants one.
    pub(super) fn report(&self, report: &FileReport) {
        if let Some(Err(error)) = self.reports.map(|folder| folder.write(report)) {
            self.stop.unreported(error);
        }
    }

    pub(super) fn record_of(&self, stamp: Stamp, report: FileReport, origins: Vec<InputOrigin>) -> Record {
        let options = self.asked_for.to_owned();
        let (below, fetched, done, files) = (self.common.clone(), None, None, Vec::new());
        Record { v: VERSION, stamp, options, at: now(), below, origins, fetched, done, files, report }
    }

    pub(super) fn note(&self, record: &Record) {
        self.note_lines(&journal::line(record));
    }

    /// Appends lines to the journal.
    fn note_lines(&self, lines: &[u8]) {
        if let Some(Err(error)) = self.store.map(|store| store.note(lines)) {
            self.stop.stop(error);
        }
    }

    /// Converts one file to hidden temporaries.
    fn convert(
        &self,
        number: usize,
        task: &MigrationTask,
        name: &str,
        alone: bool,
    ) -> Result<FinishedConversion, Error> {
        let (at, begun) = (now(), Instant::now());
        if let Some(failure) = task.input.fetch_failure() {
            return Err(failure);
        }
        self.refuse_owned(&task.output, name)?;
        let wrong = |error| Error::io(name, error);
        let mut file = File::open(&task.input.file).map_err(wrong)?;
        let before = file.metadata().map_err(wrong)?;
        let mut lines = OccurrenceSpool::new(self.options.temp_dir.as_deref());
        let mut options = self.options_of(task, &before);
        let (summary, ready, hash) = if alone {
            options.threads = 1;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(wrong)?;
            self.board.read(bytes.len() as u64);
            let (summary, ready) = self.write(
                task,
                name,
                &SmallFile { name, bytes: &bytes, charset: task.input.charset() },
                options,
                &mut lines,
            )?;
            (summary, ready, Sha256::digest(&bytes).to_vec())
        } else {
            let large = LargeFile {
                file: &task.input.file,
                name,
                board: self.board,
                stop: self.stop,
                hash: OnceLock::new(),
                base: None,
                charset: task.input.charset(),
                given: None,
            };
            let (summary, ready) = self.write(task, name, &large, options, &mut lines)?;
            (summary, ready, large.hash().map_err(wrong)?)
        };
        let after = fs::metadata(&task.input.file).map_err(wrong)?;
        let mut stamp = stamp(&before, &hash);
        if !store::is_same_stamp(&after, &stamp) {
            return Err(wrong(io::Error::other("changed while it was read; the next run converts it again")));
        }
        if task.input.remote.is_some() {
            stamp.mtime = task.input.mtime;
        }
        let mut report =
            FileReport { path: Name::from_path(&task.input.key), status: InputStatus::Done, ..FileReport::default() };
        report.bytes = stamp.size;
        report.fetched = task.input.fetched();
        report.add_conversion(&summary, self.to);
        let fetched = task.input.validators().cloned();
        let record = self.record_of(stamp, report, vec![(*task.input.origin).clone()]);
        let record = Record { at, fetched, ..record };
        Ok(FinishedConversion { number, record, ready, lines: lines.file, seconds: seconds(begun) })
    }

    /// What is asked of this conversion: what depends on the place of the file is put together with it.
    pub(super) fn options_of(&self, task: &MigrationTask, meta: &fs::Metadata) -> Options {
        let mut options = self.options.clone();
        options.modified = meta.modified().ok().and_then(crate::cli::wanted::date_of);
        let folder = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
        let document = || task.input.remote.as_ref().map(|remote| remote.facts.document_url().to_owned());
        options.base = options.base.map(|base| relative_url(&base, &task.input.path)).or_else(document);
        options.self_url = options.self_url.map(|address| relative_url(&address, &task.output));
        options.index_base = options.index_base.map(|base| relative_url(&base, &folder(&task.output).join("")));
        options
    }

    /// Runs the conversion.
    fn write(
        &self,
        task: &MigrationTask,
        name: &str,
        input: &dyn Readable,
        options: Options,
        lines: &mut OccurrenceSpool,
    ) -> Result<(Summary, Option<ReadyOutput>), Error> {
        let index = options.index_base.clone();
        let mut conversion = Conversion::to(self.to).with(options.clone()).on(self.pool.clone()).without_examples();
        conversion = conversion.counting_names(self.gates.are_named());
        if let Some(from) = self.from {
            conversion = conversion.from(from);
        }
        let lines: Option<&mut dyn Sink> = if self.board.lines.is_some() { Some(lines) } else { None };
        let Some(store) = self.store else {
            let summary = self.rehearse(&conversion, &[input], &task.output, (&options, lines));
            return summary.map(|summary| (summary, None)).map_err(|error| error.in_input(name));
        };
        store.make_folders(&task.output)?;
        let path = store.path(&task.output);
        let shown = shown(&path);
        let mut output = OutputTarget::of_many(path, &shown, store.file_options())?;
        let summary = conversion.run(&[input], &mut output, lines);
        let summary = summary.map_err(|error| error.in_output(&shown).in_input(name))?;
        if let Some(error) = self.refused(&summary, &options) {
            return Err(error.in_input(name));
        }
        let base = index.filter(|_| summary.indexed);
        let taken = |path: &Path| self.is_taken(store, task, path);
        let set = PartSet { parts: &summary.parts, format: Some(self.to), index: base.as_deref(), taken: &taken };
        let ready = output.ready(&set)?;
        if let Some(error) = self.invalid(ready.as_ref(), &options)? {
            return Err(error.in_input(name));
        }
        Ok((summary, ready))
    }

    /// Converts in a dry run. Where outputs are checked, this one is in a folder that is removed again.
    ///
    /// # Errors
    /// Whatever the run would end with.
    pub(super) fn rehearse(
        &self,
        conversion: &Conversion,
        inputs: &[&dyn Readable],
        output: &Path,
        (options, lines): (&Options, Option<&mut dyn Sink>),
    ) -> Result<Summary, Error> {
        // the object may live shorter in a copy
        let lines = lines.map(|lines| lines as &mut dyn Sink);
        if !self.gates.validate {
            let summary = conversion.run(inputs, &mut NullWriter, lines)?;
            return self.refused(&summary, options).map_or(Ok(summary), Err);
        }
        let folder = temporary_folder(options.temp_dir.as_deref()).map_err(Error::temporary)?;
        let path = folder.path().join(output.file_name().unwrap_or_default());
        let how = FileOptions { gzip: false, prefix: HIDDEN.into(), many: true, temporaries: Temporaries::default() };
        let mut target = OutputTarget::of_many(path, &shown(output), how)?;
        let summary = conversion.run(inputs, &mut target, lines)?;
        if let Some(error) = self.refused(&summary, options) {
            return Err(error);
        }
        let index = options.index_base.as_deref().filter(|_| summary.indexed);
        let set = PartSet { parts: &summary.parts, format: Some(self.to), index, taken: &|_| false };
        let ready = target.ready(&set)?;
        self.invalid(ready.as_ref(), options)?.map_or(Ok(summary), Err)
    }

    /// Refuses to replace an output of another input of a former run, unless this run converts that input, too.
    pub(super) fn refuse_owned(&self, output: &Path, name: &str) -> Result<(), Error> {
        match self.plan.owner(output) {
            Some(owner) => {
                let output = shown(output);
                Err(Error::format(
                    format!("cannot write {output} for {name}: it belongs to {owner} not among the sources"),
                    format!("pass another folder to --out, remove {output}, or replace it with --force"),
                ))
            }
            None => Ok(()),
        }
    }

    /// Whether a part of an output must not have this name: that of another output, or of something that is read.
    pub(super) fn is_taken(&self, store: &Store, task: &MigrationTask, path: &Path) -> bool {
        let (below, mut places) = (store.below(path), CanonicalPaths::default());
        below != task.output && (self.outputs().contains(below) || self.plan.owner(below).is_some())
            || self
                .inputs
                .get_or_init(|| self.plan.inputs(&mut CanonicalPaths::default()))
                .contains(&places.resolve(path))
    }

    fn outputs(&self) -> &HashSet<&Path> {
        self.outputs.get_or_init(|| self.plan.outputs())
    }

    /// All on the disk, then the names, then the notes.
    fn publish(&self, finished: Vec<FinishedConversion>, disk: Option<&File>) {
        let hidden: Vec<&Path> =
            finished.iter().filter_map(|one| one.ready.as_ref()).flat_map(ReadyOutput::hidden_file).collect();
        let synced = if hidden.is_empty() { Ok(()) } else { store::sync(disk, &hidden) };
        if let Err(error) = synced {
            self.stop.stop(Error::io("the disk", error));
            return;
        }
        let mut noted = Vec::new();
        for one in finished {
            let Some(task) = self.plan.tasks.get(one.number) else { continue };
            let FinishedConversion { number, mut record, ready, mut lines, seconds } = one;
            let former = self.plan.former.get(&number).map(|files| &**files).unwrap_or_default();
            match self.name(task, former, ready, &mut record) {
                Ok(()) => {
                    record.report.seconds = seconds;
                    // lines that cannot be read again are missed when they are written
                    let _ = lines.seek(SeekFrom::Start(0));
                    let text = record.report.json();
                    self.board.report_file_as(number, &record.report, &text, &mut lines);
                    journal::push_line(&mut noted, &record, &text);
                }
                Err(error) => self.fail(number, task, &task.input.title(), error),
            }
        }
        self.note_lines(&noted);
    }

    /// Gives an output its names, and an input its report.
    pub(super) fn name(
        &self,
        task: &MigrationTask,
        former: &[RecordedOutput],
        ready: Option<ReadyOutput>,
        record: &mut Record,
    ) -> Result<(), Error> {
        match (self.store, ready) {
            (Some(store), Some(ready)) => {
                for (path, stamp) in ready.files() {
                    let path = Name::from_path(store.below(path));
                    record.report.outputs.push(WrittenFile { path: path.clone(), bytes: stamp.size });
                    record.files.push(RecordedOutput { path, stamp: stamp.clone() });
                }
                let stale = ready.publish()?.stale;
                self.report_leftovers(store, task, former, &stale, record);
            }
            _ => record.report.outputs.push(WrittenFile { path: Name::from_path(&task.output), bytes: 0 }),
        }
        self.report(&record.report);
        Ok(())
    }

    /// Why what became of an input is not published.
    pub(super) fn refused(&self, summary: &Summary, options: &Options) -> Option<Error> {
        summary.refusal_of_input(options).or_else(|| self.fired(summary, options))
    }

    /// The gates that the output does not pass.
    pub(super) fn fired(&self, summary: &Summary, options: &Options) -> Option<Error> {
        let mut fired = summary.refusal_of_output(options);
        fired.extend(self.gates.refusal(summary, self.to));
        gates::error_of(&fired)
    }

    /// Why what is complete is not published: it breaks the rules, where it must not.
    pub(super) fn invalid(&self, ready: Option<&ReadyOutput>, options: &Options) -> Result<Option<Error>, Error> {
        match ready.filter(|_| self.gates.validate) {
            // the other threads have files of their own
            Some(ready) => {
                let options = Options { threads: 1, pool: None, ..options.clone() };
                Ok(gates::error_of(self.gates.invalid(&ready.documents()?, self.to, &options)?.as_slice()))
            }
            None => Ok(None),
        }
    }

    /// Reports files that were outputs of an input before and are not any more, and files that look like its parts.
    fn report_leftovers(
        &self,
        store: &Store,
        task: &MigrationTask,
        former: &[RecordedOutput],
        stale: &[PathBuf],
        record: &Record,
    ) {
        if former.is_empty() && stale.is_empty() {
            return;
        }
        let new: HashSet<PathBuf> = record.files.iter().filter_map(|file| plan::below(&file.path)).collect();
        let stale = stale.iter().map(|path| store.below(path).to_owned());
        let left: BTreeSet<PathBuf> = former.iter().filter_map(|file| plan::below(&file.path)).chain(stale).collect();
        let others = |path: &Path| path != task.output && self.outputs().contains(path);
        let is_others = |file: &Path| others(file) || self.naming.whole(file).is_some_and(|whole| others(&whole));
        for file in left.iter().filter(|file| !new.contains(*file) && !is_others(file)) {
            if store.path(file).is_file() {
                self.board.left(file);
            }
        }
    }
}

/// Memory that one file was converted in is kept for the next. The allocator of glibc gives it back to the system whenever
/// 128 KiB of it are free, until something larger was given back once: twice that may be free from then on. 4 MiB is more
/// than a file of this kind takes, so what stays is 8 MiB at most; other allocators do not care.
fn keep_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(4 << 20)));
}

/// The report of a skipped file that is not a feed.
pub fn passed_over(input: &SourceFile, why: String, has_video: bool) -> FileReport {
    let (path, error) = (Name::from_path(&input.key), Some(why));
    FileReport { path, status: InputStatus::NotAFeed, bytes: input.size, error, has_video, ..FileReport::default() }
}

/// The text of an error without the name of the input, which is shown next to it.
fn bare(name: &str, error: &Error) -> String {
    let says = error.to_string();
    let begins = [format!("{name}:"), format!("cannot use {name}:")];
    let cause = begins.iter().find_map(|begin| says.strip_prefix(begin));
    cause.map_or(says.as_str(), str::trim_start).to_owned()
}

/// Whether an error is one of the disk, which any other file would meet as well.
pub fn ends_all(error: &Error) -> bool {
    use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    match error.kind() {
        ErrorKind::Io { source, .. } => matches!(source.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem),
        _ => false,
    }
}

/// The URL of a file below a folder with this URL. A URL that is not a folder is used for every file.
pub(super) fn relative_url(address: &str, path: &Path) -> String {
    if !address.ends_with('/') {
        return address.to_owned();
    }
    let mut escaped = String::new();
    for byte in crate::job::bytes_of(path) {
        match *byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => escaped.push((*byte).into()),
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    url::resolve(address, &format!("./{escaped}")).unwrap_or_else(|| address.to_owned())
}

/// Nanoseconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// Seconds since then, in whole microseconds.
pub fn seconds(begun: Instant) -> f64 {
    begun.elapsed().as_micros() as f64 / 1e6
}

/// Occurrences, in memory as long as they are few.
pub struct OccurrenceSpool {
    pub file: SpooledTempFile,
    temp_dir: Option<PathBuf>,
}

/// Bytes of them.
const FEW_LINES: usize = 1 << 20;

impl OccurrenceSpool {
    /// None; many go to this folder.
    pub fn new(temp_dir: Option<&Path>) -> OccurrenceSpool {
        OccurrenceSpool { file: spooled(FEW_LINES, temp_dir), temp_dir: temp_dir.map(Path::to_owned) }
    }
}

impl Write for OccurrenceSpool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Sink for OccurrenceSpool {
    fn can_restart(&self) -> bool {
        true
    }
    fn restart(&mut self) -> io::Result<()> {
        *self = OccurrenceSpool::new(self.temp_dir.clone().as_deref());
        Ok(())
    }
}

/// Where what is not wanted goes.
pub struct NullWriter;

impl Write for NullWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for NullWriter {
    fn can_restart(&self) -> bool {
        true
    }
    fn restart(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn can_split(&self) -> bool {
        true
    }
    fn next_part(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file that is read while it is converted, as often as need be.
pub struct LargeFile<'l> {
    /// Where it is.
    pub file: &'l Path,
    /// What messages call it.
    pub name: &'l str,
    /// Receives the progress.
    pub board: &'l Board,
    /// Interrupts the reading.
    pub stop: &'l RunState,
    /// The hash of the content, once all of it was read.
    pub hash: OnceLock<Vec<u8>>,
    /// The URL it came from.
    pub base: Option<&'l str>,
    /// The encoding that the server named.
    pub charset: Option<&'l str>,
    /// Its own URL by `--base`, where the options have that of another.
    pub given: Option<String>,
}

/// A file in memory.
struct SmallFile<'s> {
    name: &'s str,
    bytes: &'s [u8],
    /// The encoding that the server named.
    charset: Option<&'s str>,
}

impl Readable for SmallFile<'_> {
    fn name(&self) -> &str {
        self.name
    }
    fn charset(&self) -> Option<&str> {
        self.charset
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
        Ok(Box::new(self.bytes))
    }
}

impl LargeFile<'_> {
    /// The hash of the content.
    ///
    /// # Errors
    /// Nobody has read all of it, and it cannot be read.
    pub fn hash(&self) -> io::Result<Vec<u8>> {
        if self.hash.get().is_none() {
            io::copy(&mut self.open()?, &mut io::sink())?;
        }
        Ok(self.hash.get().cloned().unwrap_or_default())
    }
}

impl Readable for LargeFile<'_> {
    fn name(&self) -> &str {
        self.name
    }
    fn given_base(&self) -> Option<&str> {
        self.given.as_deref()
    }
    fn base(&self) -> Option<&str> {
        self.base
    }
    fn charset(&self) -> Option<&str> {
        self.charset
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
        let sum = self.hash.get().is_none().then(Sha256::new);
        Ok(Box::new(MeasuredReader { file: File::open(self.file)?, of: self, sum }))
    }
}

struct MeasuredReader<'r> {
    file: File,
    of: &'r LargeFile<'r>,
    sum: Option<Sha256>,
}

impl Read for MeasuredReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.of.stop.now() {
            return Err(io::Error::other("the run was interrupted"));
        }
        let read = self.file.read(buffer)?;
        let end = read == 0 && !buffer.is_empty();
        if let Some(sum) = &mut self.sum {
            sum.update(buffer.get(..read).unwrap_or_default());
            // what is read again shows no progress
            self.of.board.read(read as u64);
        }
        if let Some(sum) = self.sum.take_if(|_| end) {
            // whoever reads to the end first; the others find the same
            let _ = self.of.hash.set(sum.finalize().to_vec());
        }
        Ok(read)
    }
}
