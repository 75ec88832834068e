//! The findings of one file, sorted by line and code: in memory if they are few, otherwise in temporary files. They are
//! nearly sorted, so a few sorted runs hold any number of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::baseline::Baseline;
use super::render::SortedFindings;
use crate::cli::temporary::temporary_file;
use crate::error::Error;
use crate::rules::{
    self, CheckSummary, Excerpt, Finding, FindingCounts, FindingSink, FindingTotals, Profile, Severity,
};

/// Findings that are held in memory.
const HELD: usize = 20_000;

/// Runs that are read side by side; more become one.
const RUNS: usize = 32;

/// What findings are sorted by.
type SortKey = (u32, &'static str, u32);

/// The findings of one file.
pub(super) struct FindingSpool<'b> {
    temp_dir: Option<PathBuf>,
    held: Vec<Finding>,
    runs: Vec<SortedRun>,
    baseline: Option<&'b mut Baseline>,
    /// Of those that the baseline does not have.
    new: FindingCounts,
}

/// Findings in order, in a temporary file, with the key of the last one.
struct SortedRun {
    file: File,
    last: SortKey,
}

/// A finding in a file.
#[derive(Serialize, Deserialize)]
struct SpooledFinding(
    u32,
    u32,
    String,
    u8,
    String,
    String,
    String,
    String,
    Option<u64>,
    Option<String>,
    u64,
    Option<SpooledExcerpt>,
);

/// A part of the source in a file.
#[derive(Serialize, Deserialize)]
struct SpooledExcerpt(String, usize, usize, bool, bool);

impl FindingSink for FindingSpool<'_> {
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

impl<'b> FindingSpool<'b> {
    pub fn new(baseline: Option<&'b mut Baseline>, temp_dir: Option<PathBuf>) -> FindingSpool<'b> {
        FindingSpool { held: Vec::new(), runs: Vec::new(), baseline, new: FindingCounts::new(), temp_dir }
    }

    /// The totals without what the baseline has.
    pub fn recounted(&self, checked: &CheckSummary) -> Option<(FindingTotals, FindingCounts)> {
        self.baseline.as_ref()?;
        let mut totals = FindingTotals::default();
        self.new.iter().for_each(|((_, severity), count)| totals.add(*severity, *count));
        // what was too much to be listed cannot be known again
        totals.add(Severity::Warning, checked.untold);
        Some((totals, self.new.clone()))
    }

    /// Writes what is held behind the latest run, if that ends before it, or as another run.
    fn spill(&mut self) -> io::Result<()> {
        self.held.sort_by_key(Finding::key);
        let (Some(first), Some(last)) = (self.held.first().map(Finding::key), self.held.last().map(Finding::key))
        else {
            return Ok(());
        };
        // behind the latest only: of equal keys those that came first are shown first
        if self.runs.last().is_none_or(|run| run.last > first) {
            if self.runs.len() == RUNS {
                self.join()?;
            }
            self.runs.push(SortedRun { file: temporary_file(self.temp_dir.as_deref())?, last });
        }
        let Some(run) = self.runs.last_mut() else { return Ok(()) };
        run.last = last;
        let mut out = BufWriter::new(&mut run.file);
        self.held.drain(..).try_for_each(|finding| write(finding, &mut out))?;
        out.flush()
    }

    /// Makes one run of all.
    fn join(&mut self) -> io::Result<()> {
        let mut file = temporary_file(self.temp_dir.as_deref())?;
        let mut out = BufWriter::new(&mut file);
        let mut last = None;
        for finding in MergedRuns::new(std::mem::take(&mut self.runs), Vec::new())? {
            let finding = finding?;
            last = Some(finding.key());
            write(finding, &mut out)?;
        }
        out.flush()?;
        drop(out);
        self.runs.extend(last.map(|last| SortedRun { file, last }));
        Ok(())
    }

    /// All of them, by line and code.
    ///
    /// # Errors
    /// A temporary file.
    pub fn sorted(mut self) -> Result<SortedFindings<'static>, Error> {
        self.held.sort_by_key(Finding::key);
        let merged = MergedRuns::new(self.runs, self.held).map_err(temporary)?;
        Ok(Box::new(merged.map(|found| found.map_err(temporary))))
    }
}

fn write(finding: Finding, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &SpooledFinding::from_finding(finding))?;
    out.write_all(b"\n")
}

fn temporary(error: io::Error) -> Error {
    Error::temporary(error)
}

/// A sorted sequence of findings.
struct FindingCursor {
    lines: Option<BufReader<File>>,
    held: std::vec::IntoIter<Finding>,
    next: Option<Finding>,
}

impl FindingCursor {
    fn advance(&mut self) -> io::Result<()> {
        self.next = match &mut self.lines {
            None => self.held.next(),
            Some(lines) => {
                let mut line = String::new();
                lines.read_line(&mut line)?;
                if line.is_empty() { None } else { serde_json::from_str::<SpooledFinding>(&line)?.finding() }
            }
        };
        Ok(())
    }
}

/// Several sorted sequences as one; of equal keys those of the earlier sequence come first.
struct MergedRuns {
    cursors: Vec<FindingCursor>,
    heads: BinaryHeap<Reverse<(SortKey, usize)>>,
}

impl MergedRuns {
    fn new(runs: Vec<SortedRun>, held: Vec<Finding>) -> io::Result<MergedRuns> {
        let mut cursors = Vec::new();
        for mut run in runs {
            run.file.seek(SeekFrom::Start(0))?;
            cursors.push(FindingCursor {
                lines: Some(BufReader::new(run.file)),
                held: Vec::new().into_iter(),
                next: None,
            });
        }
        cursors.push(FindingCursor { lines: None, held: held.into_iter(), next: None });
        let mut merged = MergedRuns { heads: BinaryHeap::with_capacity(cursors.len()), cursors };
        (0..merged.cursors.len()).try_for_each(|index| merged.advance(index))?;
        Ok(merged)
    }

    fn advance(&mut self, index: usize) -> io::Result<()> {
        let Some(cursor) = self.cursors.get_mut(index) else { return Ok(()) };
        cursor.advance()?;
        self.heads.extend(cursor.next.as_ref().map(|next| Reverse((next.key(), index))));
        Ok(())
    }
}

impl Iterator for MergedRuns {
    type Item = io::Result<Finding>;

    fn next(&mut self) -> Option<io::Result<Finding>> {
        let Reverse((_, index)) = self.heads.pop()?;
        let found = self.cursors.get_mut(index)?.next.take()?;
        Some(self.advance(index).map(|()| found))
    }
}

impl SpooledFinding {
    fn from_finding(finding: Finding) -> SpooledFinding {
        let cut =
            finding.excerpt.map(|cut| SpooledExcerpt(cut.text, cut.mark.0, cut.mark.1, cut.cut_before, cut.cut_after));
        SpooledFinding(
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
        let SpooledFinding(line, column, code, severity, profile, message, hint, path, entry, value, fingerprint, cut) =
            self;
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
