//! The page of a comparison: the first findings are kept, and the page is written at the end.

use std::io::Write;
use std::path::Path;

use super::inputs::{Pairs, Side};
use crate::cli::output::{Manner, Target};
use crate::cli::places::real;
use crate::diff::{Found, Remark, Sums, Take};
use crate::error::Error;
use crate::html;

/// What will be a page.
pub struct Page {
    name: String,
    target: Target,
    found: Vec<(String, Found)>,
    sums: Sums,
}

impl Page {
    /// A page under this name, of what is to be compared.
    ///
    /// # Errors
    /// A name that is compared, or cannot be written to.
    pub fn create(name: &str, pairs: &Pairs) -> Result<Page, Error> {
        let place = real(Path::new(name));
        let mut sides = pairs.tasks.iter().flat_map(|task| [&task.a, &task.b]);
        // a side may be an index, of which the parts are read
        let is_read = |side: &Side| {
            real(Path::new(&side.name)) == place || side.sources.iter().any(|source| source.is_at(&place))
        };
        if place.is_file() && sides.any(is_read) {
            return Err(Error::format(format!("cannot write {name}: it is an input"), "rename the page"));
        }
        let target = Target::create(name, Manner::default())?;
        Ok(Page { name: name.to_owned(), target, found: Vec::new(), sums: Sums::default() })
    }

    /// Findings go there, and here as long as there is room; `file` is where they are from, if from one of several.
    pub fn beside<'t>(&'t mut self, there: &'t mut dyn Take, file: &'t str) -> impl Take + 't {
        Both { there, page: self, file }
    }

    /// Adds the sums of a comparison.
    pub fn add(&mut self, sums: &Sums) {
        let all = &mut self.sums;
        all.add(sums);
        let room = html::LISTED.saturating_sub(all.remarks.len());
        all.remarks.extend(sums.remarks.iter().take(room).cloned());
    }

    /// Writes the page.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(mut self, sides: [&str; 2], pairs: &Pairs) -> Result<(), Error> {
        (self.sums.a.name, self.sums.b.name) = (sides[0].to_owned(), sides[1].to_owned());
        let alone = |names: &[String], says: &str| -> Vec<Remark> {
            let remark = |name: &String| Remark { name: name.clone(), line: 0, code: "file", says: says.to_owned() };
            names.iter().take(html::LISTED).map(remark).collect()
        };
        self.sums.remarks.extend(alone(&pairs.only_a, "only in the first folder"));
        self.sums.remarks.extend(alone(&pairs.only_b, "only in the second folder"));
        let page = html::compared(&self.sums, &self.found, Vec::new());
        let written = html::changes(&page, &mut self.target).and_then(|()| self.target.flush());
        written.map_err(|error| Error::io(self.name.as_str(), error))?;
        self.target.finish()
    }
}

struct Both<'t> {
    there: &'t mut dyn Take,
    page: &'t mut Page,
    file: &'t str,
}

impl Take for Both<'_> {
    fn take(&mut self, found: Found) -> Result<(), Error> {
        if self.page.found.len() < html::LISTED {
            self.page.found.push((self.file.to_owned(), found.clone()));
        }
        self.there.take(found)
    }
}
