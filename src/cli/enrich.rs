//! The options of `--enrich`, what its rows did not fill, and the names of columns.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::argument::TABLES;
use super::color::eprint;
use super::fetch;
use super::file::InputSource;
use super::progress::{Progress, ProgressMode};
use crate::convert::enrich::{EnrichKey, Enrichment, EnrichmentUse};
use crate::error::Error;
use crate::format::csv::ALL;
use crate::format::csv::columns;
use crate::options::Options;
use crate::report;
use crate::text::nearest;

/// The options.
#[derive(Args)]
#[command(next_help_heading = TABLES)]
pub struct EnrichArgs {
    /// Fill in missing values from a table or JSON lines
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    enrich: Option<PathBuf>,
    /// Find rows of --enrich by loc, id or video.file.url
    #[arg(long, value_name = "FIELD", default_value = "loc", requires = "enrich", value_parser = key, hide_short_help = true)]
    key: EnrichKey,
    /// Replace values that --enrich has, too
    #[arg(long, requires = "enrich", hide_short_help = true)]
    enrich_over: bool,
}

/// The heading of a column.
pub fn column(name: &str) -> Result<String, String> {
    let name = name.trim();
    if name == ALL {
        return Ok(name.to_owned());
    }
    if let Some(known) = columns::by_heading(name) {
        return Ok(known.heading.to_owned());
    }
    let headings = columns::all().iter().map(|column| column.heading);
    let hint = nearest(name, headings).map(|near| format!("did you mean {near}? ")).unwrap_or_default();
    Err(format!("no column with this name: {hint}`transfeed formats csv` lists them"))
}

/// What finds the row of an entry.
fn key(name: &str) -> Result<EnrichKey, String> {
    let found = EnrichKey::ALL.into_iter().find(|key| key.name() == name);
    found.ok_or_else(|| "expected loc, id or video.file.url".to_owned())
}

impl EnrichArgs {
    /// Reads the file of `--enrich` into memory.
    ///
    /// # Errors
    /// It cannot be read, is no table or JSON lines, or is larger than `--memory`.
    pub fn enrichment(&self, options: &mut Options) -> Result<Option<Arc<Enrichment>>, Error> {
        let Some(path) = &self.enrich else { return Ok(None) };
        let name = path.display().to_string();
        if name == "-" || fetch::is_url(&name) {
            let says = format!("cannot read {}: --enrich reads a file", fetch::shown(&name));
            return Err(Error::format(says, "save it first, and pass its path"));
        }
        let source = InputSource::at(path, &name, options.temp_dir.as_deref(), &Progress::new(ProgressMode::Never))?;
        let read = Enrichment::read(&source, self.key, self.enrich_over, options);
        let found = Arc::new(read.map_err(|error| error.in_input(&name))?);
        options.enrich = Some(found.clone());
        Ok(Some(found))
    }

    /// The file of values.
    pub fn file(&self) -> Option<&Path> {
        self.enrich.as_deref()
    }

    /// What of the file affects outputs: its name, size and date, and how it is used.
    pub fn essence(&self) -> String {
        let Some(path) = &self.enrich else { return String::new() };
        let stamp = std::fs::metadata(path).ok().map(|meta| (meta.len(), meta.modified().ok()));
        format!(" {} {stamp:?} {:?} {}", path.display(), self.key, self.enrich_over)
    }
}

/// Warns about a file of values of which no row is used: as a rule the key is the wrong one.
pub fn warn_unused(found: &EnrichmentUse) {
    let (name, key) = (report::make_visible(&found.file), found.key);
    let others: Vec<&str> = EnrichKey::ALL.into_iter().map(EnrichKey::name).filter(|other| *other != key).collect();
    let hint = format!("try --key {}", others.join(" or "));
    if found.rows == 0 && found.keyless > 0 {
        eprint(&format!("warning: no row of {name} has a value of {key}; {hint}\n"));
    } else if found.rows > 0 && found.unmatched == found.rows {
        eprint(&format!("warning: no row of {name} matches an entry by its {key}; check its values, or {hint}\n"));
    }
}

/// Names the rows of a file of values, and the values of them, that fill nothing. A `quiet` run warns only if none fills anything.
pub fn note_unmatched(found: &EnrichmentUse, quiet: bool) {
    warn_unused(found);
    if !quiet {
        report::enrichment_notes(found, true).iter().for_each(|note| eprint(&format!("note: {note}\n")));
    }
}
