//! Findings as annotations of GitHub Actions and GitLab Code Quality. Document text can neither end nor begin a command
//! of theirs.

use std::collections::HashMap;
use std::fmt::Write;

use serde::Serialize;

use super::render::{CheckedFileFindings, Render, StandardOutput, in_repository};
use crate::error::Error;
use crate::report::make_visible;
use crate::rules::{FindingTotals, Severity};

/// Workflow commands of GitHub Actions.
pub(super) struct Github;

impl Render for Github {
    fn file(&mut self, shown: CheckedFileFindings<'_>, out: &mut StandardOutput) -> Result<(), Error> {
        let name = property(in_repository(shown.name));
        for finding in shown.findings {
            let finding = finding?;
            let command = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "notice",
            };
            let mut line = format!("::{command} file={name},line={},col={}", finding.line, finding.column);
            let says = data(&format!("{}; {}", finding.message, finding.hint));
            let _ = writeln!(line, ",title={}::{says}", property(finding.code));
            out.put(line.as_bytes())?;
        }
        Ok(())
    }
}

/// A text behind a command.
fn data(text: &str) -> String {
    make_visible(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// The report of GitLab Code Quality.
#[derive(Default)]
pub(super) struct Gitlab {
    written: bool,
}

#[derive(Serialize)]
struct Issue<'i> {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: IssueLocation<'i>,
}

#[derive(Serialize)]
struct IssueLocation<'i> {
    path: &'i str,
    lines: IssueLines,
}

#[derive(Serialize)]
struct IssueLines {
    begin: u32,
}

impl Render for Gitlab {
    fn file(&mut self, shown: CheckedFileFindings<'_>, out: &mut StandardOutput) -> Result<(), Error> {
        let path = in_repository(shown.name);
        // GitLab takes two issues with one fingerprint for one
        let mut seen: HashMap<u64, u32> = HashMap::new();
        for finding in shown.findings {
            let finding = finding?;
            let count = seen.entry(finding.fingerprint).or_insert(0);
            *count += 1;
            let number = if *count > 1 { format!("-{count}") } else { String::new() };
            let severity = match finding.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Info => "info",
            };
            out.put(if std::mem::replace(&mut self.written, true) { b",\n" } else { b"[\n" })?;
            out.put_json(&Issue {
                description: make_visible(&format!("{}: {}; {}", finding.code, finding.message, finding.hint)),
                check_name: finding.code,
                // the name of the file is part of it, or two files with one entry would be one issue
                fingerprint: format!("{:016x}{number}-{path}", finding.fingerprint),
                severity,
                location: IssueLocation { path, lines: IssueLines { begin: finding.line } },
            })?;
        }
        Ok(())
    }

    fn end(&mut self, _: FindingTotals, out: &mut StandardOutput) -> Result<(), Error> {
        out.put(if self.written { b"\n]\n" } else { b"[]\n" })
    }
}
