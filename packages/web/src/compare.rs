//! The differences between two documents.

use serde_json::json;
use transfeed::Error;
use transfeed::convert::Input;
use transfeed::diff::json::DiffReport;
use transfeed::diff::{Comparison, DiffSums, Difference, DifferenceSink, Inputs};
use transfeed::html::{self, LISTED};
use transfeed::options::Options;

use crate::request::CompareRequest;
use crate::{Answer, Output, PageInput, stem, written};

/// Both forms of the findings.
struct Findings {
    report: DiffReport,
    listed: Vec<(String, Difference)>,
}

impl DifferenceSink for Findings {
    fn take(&mut self, found: Difference) -> Result<(), Error> {
        if self.listed.len() < LISTED {
            self.listed.push((String::new(), found.clone()));
        }
        self.report.take(found)
    }
}

pub(crate) fn run(asked: &CompareRequest, [a, b]: [&PageInput<'_>; 2]) -> Result<Answer, Error> {
    let options = Options { threads: 1, ..Options::default() };
    let mut found = Findings { report: DiffReport::new(None), listed: Vec::new() };
    let (old, new): (&dyn Input, &dyn Input) = (a, b);
    let sums = Comparison { options, ..Comparison::default() }.run(
        Inputs { name: a.name(), inputs: &[old] },
        Inputs { name: b.name(), inputs: &[new] },
        &mut found,
    )?;
    let view = json!({
        "a": sums.a,
        "b": sums.b,
        "same": sums.same,
        "added": sums.added,
        "removed": sums.removed,
        "moved": sums.moved,
        "changed": sums.changed,
        "fields": sums.fields,
        "remarks": sums.remarks.iter().map(|remark| format!("{}: {}", remark.name, remark.says)).collect::<Vec<_>>(),
    });
    let Findings { report, listed } = found;
    let json = written(|out| report.write(&sums, out))?;
    let html = page(&sums, &listed)?;
    let name = format!("{}-to-{}", stem(&asked.a.name), stem(&asked.b.name));
    let outputs =
        vec![Output::new("json", format!("{name}.json"), json), Output::new("html", format!("{name}.html"), html)];
    Ok(Answer { view, outputs })
}

fn page(sums: &DiffSums, listed: &[(String, Difference)]) -> Result<Vec<u8>, Error> {
    let mut all = DiffSums::default();
    all.add(sums);
    all.remarks.extend(sums.remarks.iter().take(LISTED).cloned());
    (all.a.name, all.b.name) = (sums.a.name.clone(), sums.b.name.clone());
    written(|out| html::changes(&all, listed, out))
}
