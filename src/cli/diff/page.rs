//! The page of a comparison: the first findings are kept, and the page is written at the end.

use std::io::Write;
use std::path::Path;

use super::inputs::{DiffInputs, InputSide, LoneFile};
use crate::cli::output::{OutputOptions, OutputTarget};
use crate::cli::places::real;
use crate::diff::{DiffSums, Difference, DifferenceSink, InputRemark};
use crate::error::Error;
use crate::html;
use crate::job::shown;

/// What will be a page.
pub struct DiffPage {
    name: String,
    target: OutputTarget,
    found: Vec<(String, Difference)>,
    sums: DiffSums,
}

impl DiffPage {
    /// A page under this name, of what is to be compared.
    ///
    /// # Errors
    /// A name that is compared, or cannot be written to.
    pub fn create(name: &str, pairs: &DiffInputs) -> Result<DiffPage, Error> {
        let place = real(Path::new(name));
        let mut sides = pairs.tasks.iter().flat_map(|task| [&task.a, &task.b]);
        // a side may be an index, of which the parts are read
        let is_read = |side: &InputSide| {
            real(Path::new(&side.name)) == place || side.sources.iter().any(|source| source.is_same_file(&place))
        };
        if place.is_file() && sides.any(is_read) {
            return Err(Error::format(format!("cannot write {name}: it is an input"), "rename the page"));
        }
        let target = OutputTarget::create(name, OutputOptions::default())?;
        Ok(DiffPage { name: name.to_owned(), target, found: Vec::new(), sums: DiffSums::default() })
    }

    /// Findings go there, and here as long as there is room; `file` is where they are from, if from one of several.
    pub fn tee<'t>(&'t mut self, there: &'t mut dyn DifferenceSink, file: &'t str) -> impl DifferenceSink + 't {
        PageAndSink { there, page: self, file }
    }

    /// Adds the sums of a comparison.
    pub fn add(&mut self, sums: &DiffSums) {
        let all = &mut self.sums;
        all.add(sums);
        let room = html::LISTED.saturating_sub(all.remarks.len());
        all.remarks.extend(sums.remarks.iter().take(room).cloned());
    }

    /// Writes the page.
    ///
    /// # Errors
    /// An I/O error.
    pub fn write(mut self, sides: [&str; 2], pairs: &DiffInputs) -> Result<(), Error> {
        (self.sums.a.name, self.sums.b.name) = (sides[0].to_owned(), sides[1].to_owned());
        let alone = |files: &[LoneFile], says: &str| -> Vec<InputRemark> {
            let remark = |lone: &LoneFile| {
                let name = shown(&lone.path);
                InputRemark { name, line: 0, code: "file", says: says.to_owned() }
            };
            files.iter().take(html::LISTED).map(remark).collect()
        };
        self.sums.remarks.extend(alone(&pairs.only_a, "only in the first folder"));
        self.sums.remarks.extend(alone(&pairs.only_b, "only in the second folder"));
        let written = html::changes(&self.sums, &self.found, &mut self.target).and_then(|()| self.target.flush());
        written.map_err(|error| Error::io(self.name.as_str(), error))?;
        self.target.finish()
    }
}

struct PageAndSink<'t> {
    there: &'t mut dyn DifferenceSink,
    page: &'t mut DiffPage,
    file: &'t str,
}

impl DifferenceSink for PageAndSink<'_> {
    fn take(&mut self, found: Difference) -> Result<(), Error> {
        if self.page.found.len() < html::LISTED {
            self.page.found.push((self.file.to_owned(), found.clone()));
        }
        self.there.take(found)
    }
}
