//! Findings as JSON, each written as it comes, so their number is unlimited. Their order is the caller's.

use std::io::{self, Write};

use serde::Serialize;

use super::{CheckSummary, Finding};
use crate::convert::SourceInfo;
use crate::report::write_json;

/// A finding as other programs read it.
#[derive(Serialize)]
pub struct JsonFinding<'f> {
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
    /// A finding, with the file that it is in if there are several.
    pub fn new(finding: &'f Finding, file: Option<&'f str>) -> JsonFinding<'f> {
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
}

/// Writes the check of one document, without a line feed at its end.
///
/// # Errors
/// An error of `out`, converted by `wrong`, and those of `findings`.
pub fn document<E>(
    name: &str,
    checked: &CheckSummary,
    findings: impl Iterator<Item = Result<Finding, E>>,
    out: &mut impl Write,
    wrong: impl Fn(io::Error) -> E,
) -> Result<(), E> {
    begin(name, checked, out).map_err(&wrong)?;
    for (number, finding) in findings.enumerate() {
        let finding = finding?;
        let between: &[u8] = if number == 0 { b"\n" } else { b",\n" };
        let written = out.write_all(between).and_then(|()| write_json(&mut *out, &JsonFinding::new(&finding, None)));
        written.map_err(&wrong)?;
    }
    end(checked, out).map_err(wrong)
}

fn begin(name: &str, checked: &CheckSummary, out: &mut impl Write) -> io::Result<()> {
    let SourceInfo { format, encoding, .. } = &checked.source;
    out.write_all(b"{\"source\":")?;
    write_json(&mut *out, &CheckedSource { name, format, encoding })?;
    out.write_all(b",\"profiles\":")?;
    let profiles: Vec<&str> = checked.profiles.iter().map(|profile| profile.name()).collect();
    write_json(&mut *out, &profiles)?;
    out.write_all(b",\"findings\":[")
}

fn end(checked: &CheckSummary, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"],\n\"totals\":")?;
    write_json(&mut *out, &checked.totals)?;
    if checked.untold > 0 {
        write!(out, ",\"unlisted\":{}", checked.untold)?;
    }
    out.write_all(b"}")
}
