//! Findings as a page: listed findings are kept until all files are read.

use super::render::{CheckedFileFindings, Render, StandardOutput};
use crate::error::Error;
use crate::html::{self, CheckedDocument, LISTED, ValidationResult};
use crate::rules::{Finding, FindingTotals, Severity};

/// The page.
#[derive(Default)]
pub(super) struct ValidationPage {
    page: ValidationResult<'static>,
    /// How many findings of each severity are held, the worst first.
    held: [usize; 3],
}

impl ValidationPage {
    /// Holds a finding if it may be among those that are listed: no more of its severity or worse are held than are.
    fn hold(&mut self, document: usize, finding: Finding) {
        let Some(place) = Severity::ALL.iter().position(|severity| *severity == finding.severity) else { return };
        if self.held.iter().take(place + 1).sum::<usize>() >= LISTED {
            return;
        }
        self.held[place] += 1;
        self.page.found.push((document, finding));
        if self.page.found.len() >= 2 * LISTED {
            self.page.found.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.severity));
            self.page.found.truncate(LISTED);
            for (held, severity) in self.held.iter_mut().zip(Severity::ALL) {
                *held = self.page.found.iter().filter(|(_, finding)| finding.severity == severity).count();
            }
        }
    }
}

impl Render for ValidationPage {
    fn file(&mut self, shown: CheckedFileFindings<'_>, _: &mut StandardOutput) -> Result<(), Error> {
        let document = self.page.documents.len();
        for finding in shown.findings {
            self.hold(document, finding?);
        }
        for (of, count) in &shown.checked.rules {
            *self.page.rules.entry(*of).or_default() += count;
        }
        self.page.fetched.extend(shown.fetched.cloned());
        self.page.documents.push(CheckedDocument {
            name: shown.name.to_owned().into(),
            format: shown.checked.format.id,
            profiles: shown.checked.profiles.clone(),
            entries: shown.checked.entries,
            totals: shown.checked.totals,
        });
        Ok(())
    }

    fn refused(&mut self, name: &str, why: &str, _: &mut StandardOutput) -> Result<(), Error> {
        self.page.refused.push((name.to_owned().into(), why.to_owned().into()));
        Ok(())
    }

    fn end(&mut self, totals: FindingTotals, out: &mut StandardOutput) -> Result<(), Error> {
        self.page.totals = totals;
        let mut page = Vec::new();
        html::findings(&self.page, &mut page).map_err(super::render::wrong)?;
        out.put(&page)
    }
}
