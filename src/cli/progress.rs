//! The progress bar on standard error, for inputs that take a while.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use crate::text::{many, size};

/// When there is a bar.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressMode {
    /// On a terminal, after half a second
    Auto,
    /// At once, whatever standard error is
    Always,
    /// Never
    Never,
}

/// Before that, nobody waits.
const PATIENCE: Duration = Duration::from_millis(500);

/// Bytes, speed, entries, time left; what does not fit on the line is cut, or a narrow terminal would get a line each time.
const STYLE: &str = "{bar:10} {wide_msg}";
/// The same of an input whose end is not known.
const OPEN: &str = "{spinner} {bytes}, {bytes_per_sec}{msg}";

/// How far the reading of all inputs is. Does nothing where there is no bar.
#[derive(Clone)]
pub struct Progress {
    bar: ProgressBar,
    shown: Arc<AtomicBool>,
    start: Instant,
    when: ProgressMode,
    entries: Arc<AtomicU64>,
    /// Bytes of one pass over all inputs.
    pass: Arc<AtomicU64>,
    /// Passes that are over.
    passes: Arc<AtomicU64>,
}

impl Progress {
    /// A bar that nobody sees yet.
    pub fn new(when: ProgressMode) -> Progress {
        let when = match when {
            ProgressMode::Auto if !console_is_there() => ProgressMode::Never,
            when => when,
        };
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let entries = Arc::new(AtomicU64::new(0));
        Progress {
            bar,
            shown: Arc::new(AtomicBool::new(false)),
            start: Instant::now(),
            when,
            entries,
            pass: Arc::default(),
            passes: Arc::default(),
        }
    }

    /// The counter of entries that the conversion increments.
    pub fn entries(&self) -> Arc<AtomicU64> {
        self.entries.clone()
    }

    /// That many bytes are to be read, once or more often: most documents are read once.
    pub fn expect(&self, bytes: u64) {
        if self.when == ProgressMode::Never {
            return;
        }
        self.bar.set_style(ProgressStyle::with_template(STYLE).unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.bar.reset();
        self.pass.store(bytes, Ordering::Relaxed);
        self.bar.set_length(bytes);
    }

    /// A reader whose bytes count.
    pub fn watch<R: Read>(&self, inner: R) -> ProgressReader<R> {
        ProgressReader { inner, progress: (self.when != ProgressMode::Never).then(|| self.clone()) }
    }

    /// Takes the bar away.
    pub fn done(&self) {
        if self.when != ProgressMode::Never {
            self.bar.finish_and_clear();
        }
    }

    /// So many bytes were read that no [reader](Progress::watch) counted.
    #[cfg(feature = "fetch")]
    pub fn advance(&self, bytes: u64) {
        if self.when != ProgressMode::Never {
            self.read(usize::try_from(bytes).unwrap_or(usize::MAX));
        }
    }

    /// The document that is waited for: its number among those that are known so far, and its host.
    #[cfg(feature = "fetch")]
    pub fn waits_for(&self, number: usize, known: usize, host: &str) {
        if self.when != ProgressMode::Never {
            self.bar.set_message(format!(", document {number} of {known} from {host}"));
        }
    }

    fn read(&self, bytes: usize) {
        if !self.shown.load(Ordering::Relaxed) && (self.when == ProgressMode::Always || self.start.elapsed() > PATIENCE)
        {
            self.shown.store(true, Ordering::Relaxed);
            let target = match self.when {
                ProgressMode::Always => ProgressDrawTarget::term_like_with_hz(Box::new(AnyTerminal), 10),
                ProgressMode::Auto | ProgressMode::Never => ProgressDrawTarget::stderr_with_hz(10),
            };
            self.bar.set_draw_target(target);
        }
        self.bar.inc(bytes as u64);
        let length = self.pass.load(Ordering::Relaxed);
        // the beginning is looked at before; more than that is another pass
        let slack = length / 16 + (1 << 18);
        if length > 0 && self.bar.position() > length.saturating_add(slack) {
            self.passes.fetch_add(1, Ordering::Relaxed);
            self.bar.set_position(bytes as u64);
        }
        if length > 0 && self.shown.load(Ordering::Relaxed) {
            self.bar.set_message(self.line(length));
        }
    }

    /// The progress, as text.
    fn line(&self, length: u64) -> String {
        let position = self.bar.position().min(length);
        let seconds = self.start.elapsed().as_secs_f64();
        let passes = self.passes.load(Ordering::Relaxed);
        let speed = (passes * length + position) as f64 / seconds.max(0.001);
        let left = length.saturating_sub(position) as f64 / speed.max(1.0);
        let mut line = format!("{} of {}, {}/s", size(position), size(length), size(speed as u64));
        if passes > 0 {
            line.push_str(&format!(", pass {}", passes + 1));
        }
        match self.entries.load(Ordering::Relaxed) {
            0 => (),
            entries => line.push_str(&format!(", {}", many(entries, "entry", "entries"))),
        }
        line + &format!(", {left:.0} s left")
    }

    /// For a stream that is spooled first.
    pub fn expect_stream(&self) {
        if self.when == ProgressMode::Never {
            return;
        }
        self.bar.set_style(ProgressStyle::with_template(OPEN).unwrap_or_else(|_| ProgressStyle::default_spinner()));
    }
}

/// Where a bar is drawn, if there is one.
pub fn bar(when: ProgressMode) -> Option<ProgressDrawTarget> {
    match when {
        ProgressMode::Always => Some(ProgressDrawTarget::term_like_with_hz(Box::new(AnyTerminal), 10)),
        ProgressMode::Auto if console_is_there() => Some(ProgressDrawTarget::stderr_with_hz(10)),
        ProgressMode::Auto | ProgressMode::Never => None,
    }
}

/// Whether somebody sees standard error.
fn console_is_there() -> bool {
    io::IsTerminal::is_terminal(&io::stderr())
}

/// A reader whose bytes are counted.
pub struct ProgressReader<R> {
    inner: R,
    progress: Option<Progress>,
}

impl<R: Read> Read for ProgressReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        if let Some(progress) = &self.progress {
            progress.read(read);
        }
        Ok(read)
    }
}

/// Standard error, whatever it is, as a terminal of 80 columns (`--progress always`).
#[derive(Debug)]
struct AnyTerminal;

impl AnyTerminal {
    fn print(&self, text: &str) -> io::Result<()> {
        io::stderr().write_all(text.as_bytes())
    }
}

impl TermLike for AnyTerminal {
    fn width(&self) -> u16 {
        80
    }
    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        if n == 0 { Ok(()) } else { self.print(&format!("\x1b[{n}A")) }
    }
    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        if n == 0 { Ok(()) } else { self.print(&format!("\x1b[{n}B")) }
    }
    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        if n == 0 { Ok(()) } else { self.print(&format!("\x1b[{n}C")) }
    }
    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        if n == 0 { Ok(()) } else { self.print(&format!("\x1b[{n}D")) }
    }
    fn write_line(&self, line: &str) -> io::Result<()> {
        self.print(&format!("{line}\n"))
    }
    fn write_str(&self, text: &str) -> io::Result<()> {
        self.print(text)
    }
    fn clear_line(&self) -> io::Result<()> {
        self.print("\r\x1b[2K")
    }
    fn flush(&self) -> io::Result<()> {
        io::stderr().flush()
    }
}
