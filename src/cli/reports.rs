//! The reports of a command: their types, by name, and their targets. Their content is in `report` and `html`.

use std::io::Write;

use super::hidden::Temporaries;
use super::output::{OutputOptions, OutputTarget};
use crate::convert::Summary;
use crate::error::Error;
use crate::format::Format;
use crate::html;
use crate::report;

/// What a report is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ReportKind {
    /// Totals and rows, for programs.
    Rows,
    /// Every occurrence, one a line.
    Lines,
    /// A page for people.
    Page,
    /// Text on standard error.
    Table,
}

impl ReportKind {
    /// What a report with this name is.
    ///
    /// # Errors
    /// A name that does not say.
    pub fn from_name(name: &str) -> Result<ReportKind, Error> {
        match name.rsplit_once('.').map(|(_, extension)| extension) {
            _ if name.is_empty() => {
                Err(Error::format("cannot write a report: its name is empty", "pass a file, or - for a table"))
            }
            _ if name == "-" => Ok(ReportKind::Table),
            Some("jsonl") => Ok(ReportKind::Lines),
            Some("json") => Ok(ReportKind::Rows),
            Some("html" | "htm") => Ok(ReportKind::Page),
            _ => Err(Error::format(
                format!("cannot infer the report type from {name}"),
                "end it in .html (a page), .json (rows) or .jsonl (each occurrence), or pass - for a table",
            )),
        }
    }
}

/// All reports of a run.
pub struct Reports {
    table: bool,
    files: Vec<(ReportKind, String, OutputTarget)>,
}

impl Reports {
    /// Opens reports under these names.
    ///
    /// # Errors
    /// A name that does not say what it is, two of every occurrence, a place that cannot be written to.
    pub fn create(names: &[String], temporaries: &Temporaries) -> Result<Reports, Error> {
        let kinds = names.iter().map(|name| ReportKind::from_name(name)).collect::<Result<Vec<_>, _>>()?;
        if kinds.iter().filter(|kind| **kind == ReportKind::Lines).count() > 1 {
            return Err(Error::format("cannot write two .jsonl reports", "pass one file that ends in .jsonl"));
        }
        let mut files = Vec::new();
        for (kind, name) in kinds.iter().zip(names).filter(|(kind, _)| **kind != ReportKind::Table) {
            files.push((*kind, name.clone(), OutputTarget::create_among(name, OutputOptions::default(), temporaries)?));
        }
        Ok(Reports { table: kinds.contains(&ReportKind::Table), files })
    }

    /// The file for every occurrence, if requested.
    pub fn lines(&mut self) -> Option<&mut OutputTarget> {
        self.files.iter_mut().find(|(kind, ..)| *kind == ReportKind::Lines).map(|(.., file)| file)
    }

    /// The name of that file.
    pub fn name_of_lines(&self) -> Option<&str> {
        self.files.iter().find(|(kind, ..)| *kind == ReportKind::Lines).map(|(_, name, _)| name.as_str())
    }

    /// Whether one of them is a table on standard error.
    pub fn table(&self) -> bool {
        self.table
    }

    /// Writes all reports except the table, after the run.
    ///
    /// # Errors
    /// An I/O error.
    pub fn write(self, summary: &Summary, to: &'static Format, profile: &'static str) -> Result<(), Error> {
        let json = |kind: &ReportKind| matches!(kind, ReportKind::Rows | ReportKind::Lines);
        let beside: Vec<String> =
            self.files.iter().filter(|(kind, ..)| json(kind)).map(|(_, name, _)| name.clone()).collect();
        for (kind, name, mut file) in self.files {
            let written = match kind {
                ReportKind::Rows => report::json(summary, to, profile, &mut file),
                ReportKind::Lines => report::last_line(summary, &mut file),
                ReportKind::Page => html::losses(summary, to, profile, &beside, &mut file),
                ReportKind::Table => Ok(()),
            };
            written.and_then(|()| file.flush()).map_err(|error| Error::io(name.as_str(), error))?;
            file.finish()?;
        }
        Ok(())
    }
}
