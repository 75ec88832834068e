//! Colors on terminals. They are always written; the stream removes them where they are not wanted.

use std::io::{self, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anstream::stream::{IsTerminal, RawStream};
use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;

use crate::report::make_visible;

/// When there is colour.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorMode {
    /// On a terminal, and without NO_COLOR
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

static CHOSEN: OnceLock<ColorMode> = OnceLock::new();

/// Sets the mode once for the run.
pub fn choose(when: ColorMode) {
    CHOSEN.get_or_init(|| when);
}

/// Standard output, without colours unless a terminal shows them.
pub fn stdout() -> ClosableStream<AutoStream<Stdout>> {
    ClosableStream::new(stream(io::stdout()))
}

/// A stream whose reader may leave (`| head -1`). The rest of the output is discarded, and the command continues: its
/// exit code and its reports do not depend on how much of the output was read.
pub struct ClosableStream<W> {
    inner: W,
    reader: StreamReader,
}

/// Whether anybody still reads a stream.
#[derive(Clone, Default)]
pub struct StreamReader(Arc<AtomicBool>);

impl StreamReader {
    /// Whether the reader left before the end.
    #[cfg(feature = "fetch")]
    pub fn has_left(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl<W> ClosableStream<W> {
    /// A stream that is read.
    pub fn new(inner: W) -> ClosableStream<W> {
        ClosableStream { inner, reader: StreamReader::default() }
    }

    /// Who reads it.
    pub fn reader(&self) -> StreamReader {
        self.reader.clone()
    }

    fn unless_gone<T>(&self, done: io::Result<T>, instead: T) -> io::Result<T> {
        match done {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.reader.0.store(true, Ordering::Relaxed);
                Ok(instead)
            }
            done => done,
        }
    }
}

impl<W: Write> Write for ClosableStream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.inner.write(bytes);
        self.unless_gone(done, bytes.len())
    }
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let done = self.inner.write_all(bytes);
        self.unless_gone(done, ())
    }
    fn flush(&mut self) -> io::Result<()> {
        let done = self.inner.flush();
        self.unless_gone(done, ())
    }
}

/// Writes to standard error in the same way.
///
/// # Errors
/// An I/O error.
fn write_error(text: &str) -> io::Result<()> {
    let out = io::stderr();
    if is_wanted(&out) {
        return AutoStream::new(out, ColorChoice::Always).write_all(text.as_bytes());
    }
    // in one piece, where each between two colours would be a call of the system
    let mut plain = AutoStream::new(Vec::with_capacity(text.len()), ColorChoice::Never);
    plain.write_all(text.as_bytes())?;
    out.lock().write_all(&plain.into_inner())
}

fn stream<S: RawStream + IsTerminal>(stream: S) -> AutoStream<S> {
    let wanted = is_wanted(&stream);
    AutoStream::new(stream, if wanted { ColorChoice::Always } else { ColorChoice::Never })
}

fn is_wanted(stream: &impl IsTerminal) -> bool {
    let says = |name: &str| std::env::var_os(name).unwrap_or_default();
    match CHOSEN.get().unwrap_or(&ColorMode::Auto) {
        ColorMode::Auto => stream.is_terminal() && says("NO_COLOR").is_empty() && says("TERM") != "dumb",
        ColorMode::Always => true,
        ColorMode::Never => false,
    }
}

const RED: &str = "31";
const YELLOW: &str = "33";
const FAINT: &str = "2";
const BOLD: &str = "1";
const GREEN: &str = "32";

fn painted(word: &str, color: &str) -> String {
    if word.is_empty() { String::new() } else { format!("\x1b[{color}m{word}\x1b[0m") }
}

/// A word that signals a problem.
pub fn red(word: &str) -> String {
    painted(word, RED)
}

/// What is no longer there.
pub fn removed(text: &str) -> String {
    painted(text, RED)
}

/// What is there now.
pub fn added(text: &str) -> String {
    painted(text, GREEN)
}

/// What is neither, but to be seen.
pub fn noted(text: &str) -> String {
    painted(text, YELLOW)
}

/// Secondary text.
pub fn faint(text: &str) -> String {
    painted(text, FAINT)
}

/// What counts.
pub fn bold(text: &str) -> String {
    painted(text, BOLD)
}

/// Colors a report; the mark or first word of a row gives its severity.
pub fn report(text: &str) -> String {
    let (headline, rest) = text.split_once('\n').unwrap_or((text, ""));
    std::iter::once(bold(headline) + "\n").chain(rest.split_inclusive('\n').map(row)).collect()
}

/// Colors the text of an inspection: titles are bold, problems are colored; JSON is unchanged.
pub fn inspection(text: &str, json: bool) -> String {
    if json {
        return text.to_owned();
    }
    text.split_inclusive('\n').map(inspected).collect()
}

fn inspected(line: &str) -> String {
    let inner = line.trim_start();
    let indent = line.get(..line.len() - inner.len()).unwrap_or("");
    match inner.split_once(' ') {
        Some((word @ ("lost" | "!"), rest)) => format!("{indent}{} {rest}", painted(word, RED)),
        Some((word @ ("changed" | "unread" | "repair"), rest)) => {
            format!("{indent}{} {rest}", painted(word, YELLOW))
        }
        _ => line.to_owned(),
    }
}

fn row(line: &str) -> String {
    if let Some(rest) = line.strip_prefix(" x ") {
        return format!(" {} {rest}", painted("x", RED));
    }
    if let Some(rest) = line.strip_prefix(" ! ") {
        return format!(" {} {rest}", painted("!", YELLOW));
    }
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let color = match word {
        "lost" | "error" => RED,
        "changed" | "unread" | "warning" => YELLOW,
        "merged" | "made" => FAINT,
        _ => return line.to_owned(),
    };
    format!("{} {rest}", painted(word, color))
}

/// Prints notes, each on a line, unless a run is quiet.
pub(super) fn print_notes(notes: &[String], quiet: bool) {
    notes.iter().filter(|_| !quiet).for_each(|note| eprint(&format!("note: {}\n", make_visible(note))));
}

/// Writes to standard error; failures cannot be reported anywhere.
pub(super) fn eprint(text: &str) {
    let _ = write_error(text);
}
