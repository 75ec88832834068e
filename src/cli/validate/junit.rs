//! Findings as JUnit XML: a suite per file, a failed test per finding, and a passed test for a file without findings.

use super::render::{CheckedFileFindings, Render, StandardOutput};
use crate::error::Error;
use crate::report::make_visible;
use crate::rules::FindingTotals;
use crate::xml::escape::escape_attr;

/// The document.
#[derive(Default)]
pub(super) struct Junit {
    begun: bool,
}

/// A text as the value of an attribute.
fn value(text: &str) -> String {
    let mut out = Vec::new();
    escape_attr(&make_visible(text), &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

impl Junit {
    fn begin(&mut self, out: &mut StandardOutput) -> Result<(), Error> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        out.put(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"transfeed validate\">\n")
    }
}

impl Render for Junit {
    fn file(&mut self, shown: CheckedFileFindings<'_>, out: &mut StandardOutput) -> Result<(), Error> {
        self.begin(out)?;
        let listed = shown.checked.totals.sum().saturating_sub(shown.checked.untold);
        let (name, tests) = (value(shown.name), listed.max(1));
        out.put(format!("<testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{listed}\">\n").as_bytes())?;
        for finding in shown.findings {
            let finding = finding?;
            let place = format!("{}:{}", finding.line, finding.column);
            let (code, severity) = (finding.code, finding.severity.name());
            let (message, hint) = (value(&finding.message), value(&finding.hint));
            out.put(
                format!(
                    "<testcase classname=\"{name}\" name=\"{code} {place}\">\
                 <failure type=\"{severity}\" message=\"{message}\">{name}:{place}: {hint}</failure></testcase>\n"
                )
                .as_bytes(),
            )?;
        }
        if listed == 0 {
            out.put(format!("<testcase classname=\"{name}\" name=\"all rules\"/>\n").as_bytes())?;
        }
        out.put(b"</testsuite>\n")
    }

    fn refused(&mut self, name: &str, why: &str, out: &mut StandardOutput) -> Result<(), Error> {
        self.begin(out)?;
        let (name, why) = (value(name), value(why));
        out.put(
            format!(
                "<testsuite name=\"{name}\" tests=\"1\" failures=\"0\" errors=\"1\">\n\
             <testcase classname=\"{name}\" name=\"can be read\"><error type=\"input\" message=\"{why}\"/></testcase>\n\
             </testsuite>\n"
            )
            .as_bytes(),
        )
    }

    fn end(&mut self, _: FindingTotals, out: &mut StandardOutput) -> Result<(), Error> {
        self.begin(out)?;
        out.put(b"</testsuites>\n")
    }
}
