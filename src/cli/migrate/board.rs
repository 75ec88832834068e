//! Progress of a run: totals, events on standard output, the bar, and the data of the final reports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::cli::color::eprint;
use crate::cli::lock::lock;
use crate::cli::output::stdout_error;
use crate::cli::progress;
use crate::cli::temporary::temporary_file;
use crate::error::Error;
use crate::job::shown;
use crate::job::summary::{FileReport, InputStatus, RunSummary, SummaryBuilder};
use crate::report::write_json;

/// Interval of lines if there is no bar.
const LINES: Duration = Duration::from_secs(10);
/// Maximum number of leftover files that are named.
const LEFT: usize = 10;
/// Interval at which the bar is redrawn.
const BAR: Duration = Duration::from_millis(100);

/// The state that all threads report to.
pub struct Board {
    sums: Mutex<SummaryBuilder>,
    /// Number and bytes of the inputs to be processed.
    expected: (u64, u64),
    bytes: AtomicU64,
    done: AtomicU64,
    events: Option<AtomicBool>,
    /// Reports of single inputs, as JSON, if they are read at the end.
    pub files: Mutex<OrderedSpool>,
    keeps_files: bool,
    /// Every occurrence, if requested.
    pub lines: Option<Mutex<OrderedSpool>>,
    failures: Mutex<BTreeMap<usize, String>>,
    /// Files that were skipped, if requested.
    skipped: Option<Mutex<BTreeMap<usize, String>>>,
    /// Files of former runs that belong to no input any more: their number, and the first by name.
    left: Mutex<(u64, BTreeSet<PathBuf>)>,
    /// Why events could not be written.
    unheard: Mutex<Option<io::Error>>,
    /// Inputs being converted, if they are shown.
    work: Mutex<BTreeMap<usize, String>>,
    /// When the run began, and when the first conversion did.
    begun: Instant,
    start: Instant,
}

#[derive(Serialize)]
struct Event<'e, T> {
    r#type: &'static str,
    #[serde(flatten)]
    body: &'e T,
}

impl Board {
    /// The board of a run that continues from these sums.
    pub fn new(sums: SummaryBuilder, expected: (u64, u64), json: bool) -> Board {
        Board {
            sums: Mutex::new(sums),
            expected,
            bytes: AtomicU64::new(0),
            done: AtomicU64::new(0),
            events: json.then(|| AtomicBool::new(true)),
            files: Mutex::default(),
            keeps_files: false,
            lines: None,
            failures: Mutex::default(),
            skipped: None,
            left: Mutex::default(),
            unheard: Mutex::default(),
            work: Mutex::default(),
            begun: Instant::now(),
            start: Instant::now(),
        }
    }

    /// Spools reports of inputs in this folder if `files` are read at the end, and occurrences if there are to be `lines` of
    /// them.
    #[must_use]
    pub fn spooling_in(self, temp_dir: Option<&Path>, (files, lines): (bool, bool)) -> Board {
        let spool = || Mutex::new(OrderedSpool::new(temp_dir));
        Board { files: spool(), keeps_files: files, lines: lines.then(spool), ..self }
    }

    /// The time of the run begins here: what was fetched took its part of it.
    #[must_use]
    pub fn since(self, begun: Instant) -> Board {
        Board { begun, ..self }
    }

    /// Collects the names of skipped files if `wanted`.
    #[must_use]
    pub fn naming_skipped(self, wanted: bool) -> Board {
        Board { skipped: wanted.then(Mutex::default), ..self }
    }

    /// Counts further bytes that were read.
    pub fn read(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Shows an input as being converted until the returned value is dropped.
    pub fn working(&self, number: usize, name: &str) -> WorkingEntry<'_> {
        lock(&self.work).insert(number, name.to_owned());
        WorkingEntry { board: self, number }
    }

    /// Records the result of the input with this number.
    pub fn report_file(&self, number: usize, report: &FileReport, lines: &mut dyn Read) {
        let text = if self.keeps_files { report.json() } else { Vec::new() };
        self.report_file_as(number, report, &text, lines);
    }

    /// Like [`Board::report_file`], for callers that already have the report as [JSON](FileReport::json).
    pub fn report_file_as(&self, number: usize, report: &FileReport, mut text: &[u8], lines: &mut dyn Read) {
        lock(&self.sums).add(report);
        if report.status != InputStatus::Unchanged {
            self.done.fetch_add(report.inputs.len().max(1) as u64, Ordering::Relaxed);
        }
        if self.keeps_files {
            // an error here is reported when the pieces are read
            lock(&self.files).add(number, &mut text);
        }
        if let Some(spool) = &self.lines {
            lock(spool).add(number, lines);
        }
        let names = match report.status {
            InputStatus::NotAFeed => self.skipped.as_ref(),
            InputStatus::Failed | InputStatus::Done | InputStatus::Unchanged => Some(&self.failures),
        };
        if let (Some(names), Some(error)) = (names, &report.error) {
            // the URL is in the message, and the path is made of it
            let is_named = report.fetched.iter().any(|fetched| error.contains(&fetched.url));
            let line = if is_named { error.clone() } else { format!("{}: {error}", report.path) };
            lock(names).insert(number, line);
        }
        self.event("file", report);
    }

    /// Prints one line on standard output, for programs. A closed pipe is not an error.
    pub fn event<T: Serialize>(&self, kind: &'static str, body: &T) {
        let Some(open) = self.events.as_ref().filter(|open| open.load(Ordering::Relaxed)) else { return };
        let mut line = Vec::new();
        // writing to memory cannot fail
        let _ = write_json(&mut line, &Event { r#type: kind, body });
        line.push(b'\n');
        let mut out = io::stdout().lock();
        if let Err(error) = out.write_all(&line).and_then(|()| out.flush()) {
            open.store(false, Ordering::Relaxed);
            if error.kind() != io::ErrorKind::BrokenPipe {
                lock(&self.unheard).get_or_insert(error);
            }
        }
    }

    /// Why events could not be written, unless the pipe was closed; a second call has no answer.
    pub fn take_output_error(&self) -> Option<Error> {
        lock(&self.unheard).take().map(stdout_error)
    }

    /// Notes a file of a former run that belongs to no input any more.
    pub fn left(&self, file: &Path) {
        let mut left = lock(&self.left);
        left.0 += 1;
        left.1.insert(file.to_owned());
        // the result must not depend on the order of threads
        if left.1.len() > LEFT {
            left.1.pop_last();
        }
    }

    /// The note about leftover files.
    pub fn leftovers_note(&self) -> Option<String> {
        let left = lock(&self.left);
        let names: Vec<String> = left.1.iter().map(shown).collect();
        let more = match left.0.saturating_sub(names.len() as u64) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let are = if left.0 == 1 { "is" } else { "are" };
        (left.0 > 0).then(|| format!("{}{more} {are} left from a previous run", names.join(", ")))
    }

    /// What failed, in the order of the inputs.
    pub fn failures(&self) -> Vec<String> {
        lock(&self.failures).values().cloned().collect()
    }

    /// The skipped files, in the order of the inputs.
    pub fn skipped(&self) -> Vec<String> {
        self.skipped.as_ref().map(|skipped| lock(skipped).values().cloned().collect()).unwrap_or_default()
    }

    /// The sums, to be updated.
    pub fn sums(&self) -> MutexGuard<'_, SummaryBuilder> {
        lock(&self.sums)
    }

    /// Counts the inputs of an output that is kept as done.
    pub fn count_kept(&self, inputs: usize) {
        self.done.fetch_add(inputs as u64, Ordering::Relaxed);
    }

    /// How many inputs are still to be processed.
    pub fn remaining(&self) -> u64 {
        self.expected.0.saturating_sub(self.done.load(Ordering::Relaxed))
    }

    /// Seconds since the run began.
    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// Shows the progress until `over` receives a message or is closed.
    pub fn show(&self, when: progress::ProgressMode, verbose: bool, over: &Receiver<()>) {
        let bar = progress::bar(when);
        let pause = if bar.is_some() { BAR } else { LINES };
        if bar.is_none() && !verbose {
            return;
        }
        let bar = bar.map(|target| {
            let style =
                ProgressStyle::with_template("{bar:10} {wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target(Some(self.expected.1.max(1)), target).with_style(style)
        });
        while let Err(RecvTimeoutError::Timeout) = over.recv_timeout(pause) {
            match &bar {
                Some(bar) => {
                    bar.set_position(self.bytes.load(Ordering::Relaxed));
                    bar.set_message(self.line(true));
                }
                None => eprint(&format!("note: {}\n", self.line(false))),
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
    }

    /// The progress as one line.
    fn line(&self, work: bool) -> String {
        let (done, bytes, seconds) =
            (self.done.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed), self.start.elapsed().as_secs_f64());
        let (lost, of) = (lock(&self.sums).current().totals.lost, self.expected);
        let left = match bytes {
            0 => "?".to_owned(),
            _ => format!("{:.0}", seconds * of.1.saturating_sub(bytes) as f64 / bytes as f64),
        };
        let mega = |bytes: u64| bytes as f64 / 1e6;
        let mut line = format!(
            "{done}/{} files, {:.1}/{:.1} MB, {:.1} MB/s, {lost} lost, {left} s left",
            of.0,
            mega(bytes),
            mega(of.1),
            mega(bytes) / seconds.max(0.001)
        );
        if work {
            // what does not fit on the line is cut
            let names: Vec<String> = lock(&self.work).values().take(2).map(shown).collect();
            line.push_str(&format!(": {}", names.join(", ")));
        }
        line
    }
}

/// While it lives, an input is shown as being worked on.
pub struct WorkingEntry<'b> {
    board: &'b Board,
    number: usize,
}

impl Drop for WorkingEntry<'_> {
    fn drop(&mut self) {
        lock(&self.board.work).remove(&self.number);
    }
}

/// Pieces that arrive in any order and are read in the order of their numbers. They are kept in an unnamed file.
#[derive(Default)]
pub struct OrderedSpool {
    /// The folder of the file, if it is not that of the system.
    temp_dir: Option<PathBuf>,
    file: Option<BufWriter<File>>,
    end: u64,
    places: Vec<(usize, u64, u64)>,
    /// The first error.
    wrong: Option<io::Error>,
}

impl OrderedSpool {
    /// Nothing; what comes goes to a file in this folder.
    pub fn new(temp_dir: Option<&Path>) -> OrderedSpool {
        OrderedSpool { temp_dir: temp_dir.map(Path::to_owned), ..OrderedSpool::default() }
    }

    /// Stores a piece. An error is reported when the pieces are read, and no later piece is stored.
    pub fn add(&mut self, number: usize, piece: &mut dyn Read) {
        if self.wrong.is_none() {
            self.wrong = self.put(number, piece).err();
        }
    }

    fn put(&mut self, number: usize, piece: &mut dyn Read) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(BufWriter::with_capacity(1 << 16, temporary_file(self.temp_dir.as_deref())?)),
        };
        let length = io::copy(piece, file)?;
        self.places.push((number, self.end, length));
        self.end += length;
        Ok(())
    }

    /// Why a piece could not be stored.
    pub fn trouble(&self) -> Option<Error> {
        let copy = |error: &io::Error| Error::temporary(io::Error::new(error.kind(), error.to_string()));
        self.wrong.as_ref().map(copy)
    }

    /// Gives the pieces other numbers: that of piece `n` becomes `numbers[n]`.
    pub fn renumber(&mut self, numbers: &[usize]) {
        for (number, ..) in &mut self.places {
            *number = numbers.get(*number).copied().unwrap_or(*number);
        }
    }

    /// Passes all pieces to `each`.
    ///
    /// # Errors
    /// A piece could not be stored, or `each` fails.
    pub fn each(&mut self, mut each: impl FnMut(&mut dyn Read) -> io::Result<()>) -> io::Result<()> {
        self.ready()?;
        for at in 0..self.places.len() {
            each(&mut self.piece(at)?)?;
        }
        self.rewind()
    }

    /// Passes all pieces to `each`, each with the piece of another spool that has the same place among its own.
    ///
    /// # Errors
    /// A piece could not be stored, or `each` fails.
    pub fn each_beside(
        &mut self,
        other: &mut OrderedSpool,
        mut each: impl FnMut(&mut dyn Read, &mut dyn Read) -> io::Result<()>,
    ) -> io::Result<()> {
        self.ready()?;
        other.ready()?;
        for at in 0..self.places.len() {
            each(&mut self.piece(at)?, &mut other.piece(at)?)?;
        }
        self.rewind()?;
        other.rewind()
    }

    /// Puts the pieces in order, ready to be read.
    fn ready(&mut self) -> io::Result<()> {
        if let Some(error) = &self.wrong {
            return Err(io::Error::new(error.kind(), error.to_string()));
        }
        self.places.sort_unstable();
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }

    /// Reads the piece at this place. Behind the last one there is nothing to read.
    fn piece(&self, at: usize) -> io::Result<Box<dyn Read + '_>> {
        let (Some(file), Some((_, start, length))) = (&self.file, self.places.get(at)) else {
            return Ok(Box::new(io::empty()));
        };
        let mut file = file.get_ref();
        file.seek(SeekFrom::Start(*start))?;
        Ok(Box::new(file.take(*length)))
    }

    /// Later pieces are appended.
    fn rewind(&mut self) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(0), |file| file.get_ref().seek(SeekFrom::End(0))).map(|_| ())
    }
}

/// Writes a summary with the reports of all inputs.
///
/// # Errors
/// Reading or writing fails.
pub fn write_summary(summary: &RunSummary, files: &mut OrderedSpool, out: &mut dyn Write) -> io::Result<()> {
    let mut head = serde_json::to_vec_pretty(summary)?;
    // the object continues with the files
    head.pop();
    out.write_all(head.trim_ascii_end())?;
    out.write_all(b",\n  \"files\": [")?;
    let mut between: &[u8] = b"\n    ";
    files.each(|file| {
        out.write_all(between)?;
        between = b",\n    ";
        io::copy(file, out).map(|_| ())
    })?;
    out.write_all(b"\n  ]\n}\n")
}
