//! Findings as JSON: one document, or one line per finding. They are written as they are found, so their number is
//! unlimited.

use serde::Serialize;

use super::render::{CheckedFileFindings, Render, SortedFindings, StandardOutput};
use crate::convert::{Fetched, SourceInfo};
use crate::error::Error;
use crate::rules::{Finding, FindingTotals};

/// A finding as other programs read it.
#[derive(Serialize)]
pub(super) struct JsonFinding<'f> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'f str>,
    code: &'static str,
    severity: &'static str,
    profile: &'static str,
    message: &'f str,
    hint: &'f str,
    line: u32,
    column: u32,
    path: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'f str>,
    fingerprint: String,
}

impl<'f> JsonFinding<'f> {
    fn new(finding: &'f Finding, file: Option<&'f str>) -> JsonFinding<'f> {
        JsonFinding {
            file,
            code: finding.code,
            severity: finding.severity.name(),
            profile: finding.profile.name(),
            message: &finding.message,
            hint: &finding.hint,
            line: finding.line,
            column: finding.column,
            path: &finding.path,
            entry: finding.entry,
            value: finding.value.as_deref(),
            fingerprint: format!("{:016x}", finding.fingerprint),
        }
    }
}

/// The source, without its dialect.
#[derive(Serialize)]
struct CheckedSource<'s> {
    name: &'s str,
    format: &'s str,
    encoding: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fetched: Option<&'s Fetched>,
}

/// One document.
#[derive(Default)]
pub(super) struct JsonForm {
    several: bool,
    files: u64,
}

impl Render for JsonForm {
    fn file(
        &mut self,
        shown: &CheckedFileFindings<'_>,
        findings: SortedFindings<'_>,
        out: &mut StandardOutput,
    ) -> Result<(), Error> {
        self.several = shown.several;
        let before: &[u8] = match (shown.several, self.files) {
            (false, _) => b"",
            (true, 0) => b"{\"files\":[\n",
            (true, _) => b",\n",
        };
        out.put(before)?;
        self.files += 1;
        out.put(b"{\"source\":")?;
        let SourceInfo { format, encoding, .. } = &shown.checked.source;
        out.put_json(&CheckedSource { name: shown.name, format, encoding, fetched: shown.fetched })?;
        out.put(b",\"profiles\":")?;
        let profiles: Vec<&str> = shown.checked.profiles.iter().map(|profile| profile.name()).collect();
        out.put_json(&profiles)?;
        out.put(b",\"findings\":[")?;
        for (number, finding) in findings.enumerate() {
            out.put(if number == 0 { b"\n" } else { b",\n" })?;
            out.put_json(&JsonFinding::new(&finding?, None))?;
        }
        out.put(b"],\n\"totals\":")?;
        out.put_json(&shown.checked.totals)?;
        if shown.checked.untold > 0 {
            out.put(format!(",\"unlisted\":{}", shown.checked.untold).as_bytes())?;
        }
        out.put(b"}")
    }

    fn end(&mut self, totals: FindingTotals, out: &mut StandardOutput) -> Result<(), Error> {
        if self.several {
            out.put(if self.files == 0 { b"{\"files\":[" } else { b"" })?;
            out.put(b"],\n\"totals\":")?;
            out.put_json(&totals)?;
            out.put(b"}")?;
        }
        out.put(b"\n")
    }
}

/// A finding a line, the totals last.
pub(super) struct JsonLinesForm;

impl Render for JsonLinesForm {
    fn file(
        &mut self,
        shown: &CheckedFileFindings<'_>,
        findings: SortedFindings<'_>,
        out: &mut StandardOutput,
    ) -> Result<(), Error> {
        for finding in findings {
            out.put_json(&JsonFinding::new(&finding?, Some(shown.name)))?;
            out.put(b"\n")?;
        }
        Ok(())
    }

    fn end(&mut self, totals: FindingTotals, out: &mut StandardOutput) -> Result<(), Error> {
        out.put(b"{\"totals\":")?;
        out.put_json(&totals)?;
        out.put(b"}\n")
    }
}
