//! Writes a comparison as JSON: one document, or one line per finding. Memory use does not grow with the findings: the
//! sections of a document wait in temporary files until the sums, which precede them, are known.

use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use serde::Serialize;
use tempfile::SpooledTempFile;

use super::result::{DiffSums, Difference, DifferenceSink};
use crate::convert::scratch;
use crate::error::Error;
use crate::report::write_json;

/// Bytes of a section that are held before they go to a temporary file.
const HELD: usize = 1 << 20;

/// One list of the document.
struct JsonSection {
    out: BufWriter<SpooledTempFile>,
    rows: u64,
}

impl JsonSection {
    fn new(dir: Option<&Path>) -> JsonSection {
        JsonSection { out: BufWriter::new(scratch(HELD, dir)), rows: 0 }
    }

    fn push(&mut self, row: &impl Serialize) -> Result<(), Error> {
        let between: &[u8] = if self.rows == 0 { b"\n    " } else { b",\n    " };
        self.rows += 1;
        let written = self.out.write_all(between).and_then(|()| write_json(&mut self.out, row));
        written.map_err(Error::temporary)
    }

    fn copy(self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "  \"{name}\": [")?;
        let mut file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        io::copy(&mut file, out)?;
        let end: &[u8] = if self.rows == 0 { b"],\n" } else { b"\n  ],\n" };
        out.write_all(end)
    }
}

/// Collects one JSON document: `{"a", "b", "same", "added", "removed", "moved", "changed", "fields",
/// "not_comparable"}`, and `folded` behind `fields` where some are.
pub struct DiffReport {
    added: JsonSection,
    removed: JsonSection,
    moved: JsonSection,
    changed: JsonSection,
}

impl DiffReport {
    /// An empty one, whose temporary files are made in `dir`, or where the system keeps such.
    pub fn new(dir: Option<&Path>) -> DiffReport {
        let section = || JsonSection::new(dir);
        DiffReport { added: section(), removed: section(), moved: section(), changed: section() }
    }

    /// Writes the document.
    ///
    /// # Errors
    /// An error of `out` or of a temporary file.
    pub fn write(self, sums: &DiffSums, out: &mut dyn Write) -> io::Result<()> {
        fn member(out: &mut dyn Write, name: &str, value: &impl Serialize, end: &str) -> io::Result<()> {
            write!(out, "  \"{name}\": ")?;
            write_json(&mut *out, value)?;
            writeln!(out, "{end}")
        }
        out.write_all(b"{\n")?;
        member(out, "a", &sums.a, ",")?;
        member(out, "b", &sums.b, ",")?;
        member(out, "same", &sums.same, ",")?;
        self.added.copy("added", out)?;
        self.removed.copy("removed", out)?;
        self.moved.copy("moved", out)?;
        self.changed.copy("changed", out)?;
        member(out, "fields", &sums.fields, ",")?;
        if !sums.folded.is_empty() {
            member(out, "folded", &sums.folded, ",")?;
        }
        member(out, "not_comparable", &sums.not_comparable, "")?;
        out.write_all(b"}\n")
    }
}

impl DifferenceSink for DiffReport {
    fn take(&mut self, found: Difference) -> Result<(), Error> {
        match found {
            Difference::Added(lone) => self.added.push(&lone),
            Difference::Removed(lone) => self.removed.push(&lone),
            Difference::Moved(moved) => self.moved.push(&moved),
            Difference::Changed(changed) => self.changed.push(&changed),
        }
    }
}

/// Writes each finding as a line, with its `kind`, as soon as it is made.
pub struct JsonLinesWriter<W> {
    out: W,
}

impl<W: Write + Send> JsonLinesWriter<W> {
    /// Onto this.
    pub fn new(out: W) -> JsonLinesWriter<W> {
        JsonLinesWriter { out }
    }

    /// Writes one line.
    ///
    /// # Errors
    /// An error of the output.
    pub fn line(&mut self, row: &impl Serialize) -> Result<(), Error> {
        let written = write_json(&mut self.out, row).and_then(|()| self.out.write_all(b"\n"));
        written.map_err(|error| Error::io("standard output", error))
    }

    /// Writes the last line: `{"totals": …}`, the sums.
    ///
    /// # Errors
    /// An error of the output.
    pub fn end(&mut self, sums: &DiffSums) -> Result<(), Error> {
        #[derive(Serialize)]
        struct TotalsLine<'s> {
            totals: &'s DiffSums,
        }
        self.line(&TotalsLine { totals: sums })
    }

    /// Writes what is still buffered.
    ///
    /// # Errors
    /// An error of the output.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.out.flush().map_err(|error| Error::io("standard output", error))
    }
}

impl<W: Write + Send> DifferenceSink for JsonLinesWriter<W> {
    fn take(&mut self, found: Difference) -> Result<(), Error> {
        self.line(&found)
    }
}
