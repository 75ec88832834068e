//! Findings as JSON, each written as it comes, so their number is unlimited. Their order is the caller's.

use std::io::{self, Write};

use serde::Serialize;

use super::{CheckSummary, Finding};
use crate::convert::{Fetched, SourceInfo};
use crate::report::write_json;

/// The source, without its dialect.
#[derive(Serialize)]
struct CheckedSource<'s> {
    name: &'s str,
    format: &'s str,
    encoding: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fetched: Option<&'s Fetched>,
}

/// Writes the check of one document, without a line feed at its end: its name, how it was fetched, its findings.
///
/// # Errors
/// An error of `out`, converted by `wrong`, and those of `findings`.
pub fn document<E>(
    (name, fetched): (&str, Option<&Fetched>),
    checked: &CheckSummary,
    findings: impl Iterator<Item = Result<Finding, E>>,
    out: &mut impl Write,
    wrong: impl Fn(io::Error) -> E,
) -> Result<(), E> {
    begin(name, fetched, checked, out).map_err(&wrong)?;
    for (number, finding) in findings.enumerate() {
        let finding = finding?;
        let between: &[u8] = if number == 0 { b"\n" } else { b",\n" };
        let written = out.write_all(between).and_then(|()| write_json(&mut *out, &finding));
        written.map_err(&wrong)?;
    }
    end(checked, out).map_err(wrong)
}

fn begin(name: &str, fetched: Option<&Fetched>, checked: &CheckSummary, out: &mut impl Write) -> io::Result<()> {
    let SourceInfo { format, encoding, .. } = &checked.source;
    out.write_all(b"{\"source\":")?;
    write_json(&mut *out, &CheckedSource { name, format, encoding, fetched })?;
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
