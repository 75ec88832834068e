//! Findings as JSON: one document, or one line per finding. They are written as they are found, so their number is
//! unlimited.

use serde::Serialize;

use super::render::{CheckedFileFindings, Render, StandardOutput, wrong};
use crate::convert::Fetched;
use crate::error::Error;
use crate::rules::json::document;
use crate::rules::{FindingMembers, FindingTotals};

/// One document.
#[derive(Default)]
pub(super) struct JsonForm {
    several: bool,
    files: u64,
}

impl Render for JsonForm {
    fn file(&mut self, shown: CheckedFileFindings<'_>, out: &mut StandardOutput) -> Result<(), Error> {
        self.several = shown.several;
        let before: &[u8] = match (shown.several, self.files) {
            (false, _) => b"",
            (true, 0) => b"{\"files\":[\n",
            (true, _) => b",\n",
        };
        out.put(before)?;
        self.files += 1;
        document((shown.name, shown.fetched), shown.checked, shown.findings, out, wrong)
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

/// How a file was fetched, before its findings.
#[derive(Serialize)]
struct FetchedLine<'s> {
    file: &'s str,
    fetched: &'s Fetched,
}

/// A finding a line, the totals last.
pub(super) struct JsonLinesForm;

impl Render for JsonLinesForm {
    fn file(&mut self, shown: CheckedFileFindings<'_>, out: &mut StandardOutput) -> Result<(), Error> {
        if let Some(fetched) = shown.fetched {
            out.put_json(&FetchedLine { file: shown.name, fetched })?;
            out.put(b"\n")?;
        }
        for finding in shown.findings {
            out.put_json(&FindingMembers::new(&finding?, Some(shown.name)))?;
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
