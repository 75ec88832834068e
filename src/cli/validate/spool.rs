//! The findings of one file in the order in which they are shown, by line and code: in memory as long as they are few,
//! in sorted runs of a temporary file when there are many.

use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::baseline::Baseline;
use super::render::Sorted;
use crate::error::Error;
use crate::rules::{self, Checked, Counts, Excerpt, Finding, Findings, Profile, Severity, Totals};

/// Findings that are held in memory.
const HELD: usize = 20_000;

/// The findings of one file.
pub(super) struct Spool<'b> {
    held: Vec<Finding>,
    runs: Vec<NamedTempFile>,
    baseline: Option<&'b mut Baseline>,
    /// Of those that the baseline does not have.
    new: Counts,
}

/// A finding in a file.
#[derive(Serialize, Deserialize)]
struct Row(u32, u32, String, u8, String, String, String, String, Option<u64>, Option<String>, u64, Option<Cut>);

/// A part of the source in a file.
#[derive(Serialize, Deserialize)]
struct Cut(String, usize, usize, bool, bool);

impl Findings for Spool<'_> {
    fn take(&mut self, finding: Finding) -> io::Result<()> {
        if let Some(baseline) = &mut self.baseline {
            if baseline.has(finding.fingerprint) {
                return Ok(());
            }
            *self.new.entry((finding.code, finding.severity)).or_default() += 1;
        }
        self.held.push(finding);
        if self.held.len() < HELD { Ok(()) } else { self.spill() }
    }
}

impl<'b> Spool<'b> {
    pub fn new(baseline: Option<&'b mut Baseline>) -> Spool<'b> {
        Spool { held: Vec::new(), runs: Vec::new(), baseline, new: Counts::new() }
    }

    /// The totals without what the baseline has.
    pub fn recounted(&self, checked: &Checked) -> Option<(Totals, Counts)> {
        self.baseline.as_ref()?;
        let mut totals = Totals::default();
        self.new.iter().for_each(|((_, severity), count)| totals.add(*severity, *count));
        // what was too much to be listed cannot be known again
        totals.add(Severity::Warning, checked.untold);
        Some((totals, self.new.clone()))
    }

    fn spill(&mut self) -> io::Result<()> {
        self.held.sort_by(|one, other| one.key().cmp(&other.key()));
        let mut file = NamedTempFile::new()?;
        let mut out = BufWriter::new(file.as_file_mut());
        for finding in self.held.drain(..) {
            serde_json::to_writer(&mut out, &Row::of(finding))?;
            out.write_all(b"\n")?;
        }
        out.flush()?;
        drop(out);
        file.as_file_mut().seek(SeekFrom::Start(0))?;
        self.runs.push(file);
        Ok(())
    }

    /// All of them, by line and code.
    ///
    /// # Errors
    /// A temporary file.
    pub fn sorted(mut self) -> Result<Sorted<'static>, Error> {
        self.held.sort_by(|one, other| one.key().cmp(&other.key()));
        let mut cursors: Vec<Cursor> = Vec::new();
        for run in self.runs {
            let reopened = run.reopen().map_err(temporary)?;
            cursors.push(Cursor {
                lines: Some((BufReader::new(reopened), run)),
                held: Vec::new().into_iter(),
                next: None,
            });
        }
        cursors.push(Cursor { lines: None, held: self.held.into_iter(), next: None });
        for cursor in &mut cursors {
            cursor.advance().map_err(temporary)?;
        }
        Ok(Box::new(std::iter::from_fn(move || {
            let best = cursors.iter_mut().filter(|cursor| cursor.next.is_some()).min_by(|one, other| {
                let key = |cursor: &Cursor| cursor.next.as_ref().map(Finding::key);
                key(one).cmp(&key(other))
            })?;
            let found = best.next.take()?;
            Some(best.advance().map_err(temporary).map(|()| found))
        })))
    }
}

fn temporary(error: io::Error) -> Error {
    Error::io("temporary file", error)
}

/// A sorted sequence of findings.
struct Cursor {
    lines: Option<(BufReader<std::fs::File>, NamedTempFile)>,
    held: std::vec::IntoIter<Finding>,
    next: Option<Finding>,
}

impl Cursor {
    fn advance(&mut self) -> io::Result<()> {
        self.next = match &mut self.lines {
            None => self.held.next(),
            Some((lines, _)) => {
                let mut line = String::new();
                lines.read_line(&mut line)?;
                if line.is_empty() { None } else { serde_json::from_str::<Row>(&line)?.finding() }
            }
        };
        Ok(())
    }
}

impl Row {
    fn of(finding: Finding) -> Row {
        let cut = finding.excerpt.map(|cut| Cut(cut.text, cut.mark.0, cut.mark.1, cut.cut_before, cut.cut_after));
        Row(
            finding.line,
            finding.column,
            finding.code.to_owned(),
            finding.severity as u8,
            finding.profile.name().to_owned(),
            finding.message,
            finding.hint,
            finding.path,
            finding.entry,
            finding.value,
            finding.fingerprint,
            cut,
        )
    }

    fn finding(self) -> Option<Finding> {
        let Row(line, column, code, severity, profile, message, hint, path, entry, value, fingerprint, cut) = self;
        let excerpt = cut.map(|cut| Excerpt { text: cut.0, mark: (cut.1, cut.2), cut_before: cut.3, cut_after: cut.4 });
        Some(Finding {
            code: rules::by_code(&code)?.code,
            severity: Severity::ALL.into_iter().find(|known| *known as u8 == severity)?,
            profile: Profile::by_name(&profile)?,
            message,
            hint,
            line,
            column,
            path,
            entry,
            value,
            fingerprint,
            excerpt,
        })
    }
}
