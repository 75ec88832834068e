//! The interface of all output formats: they receive the findings of one file after the other.

use std::io::{self, Write};

use crate::cli::color::ClosableStream;
use crate::convert::Fetched;
use crate::error::{Error, ErrorKind, ErrorPart};
use crate::rules::{CheckSummary, Finding, FindingTotals};

/// One file that was checked.
pub(super) struct CheckedFileFindings<'s> {
    /// Its name, as the user knows it.
    pub name: &'s str,
    /// How it was fetched, if it came from a URL.
    pub fetched: Option<&'s Fetched>,
    pub checked: &'s CheckSummary,
    /// It is one of several.
    pub several: bool,
    pub findings: SortedFindings<'s>,
}

/// The findings of one file, by line and code.
pub(super) type SortedFindings<'s> = Box<dyn Iterator<Item = Result<Finding, Error>> + Send + 's>;

/// One form of the output.
pub(super) trait Render: Send {
    /// The findings of one file.
    ///
    /// # Errors
    /// Standard output, temporary files.
    fn file(&mut self, shown: CheckedFileFindings<'_>, out: &mut StandardOutput) -> Result<(), Error>;
    /// Renders one of several files that could not be read, with the reason. Standard error has it too.
    ///
    /// # Errors
    /// Standard output.
    fn refused(&mut self, _name: &str, _why: &str, _out: &mut StandardOutput) -> Result<(), Error> {
        Ok(())
    }
    /// Renders the end, after all files.
    ///
    /// # Errors
    /// Standard output.
    fn end(&mut self, _totals: FindingTotals, _out: &mut StandardOutput) -> Result<(), Error> {
        Ok(())
    }
}

/// The name of a file as programs that know a repository have it.
pub(super) fn in_repository(name: &str) -> &str {
    name.trim_start_matches("./")
}

/// What standard output is called in errors.
const STDOUT: &str = "standard output";

/// Bytes that are gathered before they are written.
const GATHERED: usize = 1 << 16;

/// Standard output, which is written to in large pieces.
pub(super) struct StandardOutput {
    held: Vec<u8>,
    /// The output may contain colors, which only a terminal shows.
    styled: bool,
}

impl StandardOutput {
    pub fn new(styled: bool) -> StandardOutput {
        StandardOutput { held: Vec::with_capacity(GATHERED), styled }
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// Standard output.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.write_all(bytes).map_err(wrong)
    }

    /// Writes a value as JSON.
    ///
    /// # Errors
    /// Standard output.
    pub fn put_json(&mut self, value: &impl serde::Serialize) -> Result<(), Error> {
        crate::report::write_json(self, value).map_err(wrong)
    }

    /// Writes what is gathered.
    ///
    /// # Errors
    /// Standard output.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.flush().map_err(wrong)
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        if self.held.len() >= GATHERED {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = match self.styled {
            true => crate::cli::color::stdout().write_all(&self.held),
            false => {
                let mut out = ClosableStream::new(io::stdout().lock());
                out.write_all(&self.held).and_then(|()| out.flush())
            }
        };
        self.held.clear();
        written
    }
}

pub(super) fn wrong(error: io::Error) -> Error {
    ErrorKind::Io { part: ErrorPart::Output, name: STDOUT.to_owned(), source: error }.into()
}

/// Whether an error is about the output, so that no further file is worth a look.
pub(super) fn is_output(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io { part: ErrorPart::Output | ErrorPart::Findings | ErrorPart::Temporary, .. })
}
