//! What all forms of the output have in common: they take the findings of one file after the other.

use std::io::{self, Write};

use super::{Form, annotations, json, junit, page, sarif, text};
use crate::error::{Error, ErrorKind};
use crate::rules::{Checked, Finding, Totals};

/// One file that was checked.
pub(super) struct Shown<'s> {
    /// Its name, as the user knows it.
    pub name: &'s str,
    pub checked: &'s Checked,
    /// It is one of several.
    pub several: bool,
}

/// The findings of one file, by line and code.
pub(super) type Sorted<'s> = Box<dyn Iterator<Item = Result<Finding, Error>> + Send + 's>;

/// One form of the output.
pub(super) trait Render: Send {
    /// The findings of one file.
    ///
    /// # Errors
    /// Standard output, temporary files.
    fn file(&mut self, shown: &Shown<'_>, findings: Sorted<'_>) -> Result<(), Error>;
    /// One of several files that could not be read, and why. Standard error says it too.
    ///
    /// # Errors
    /// Standard output.
    fn refused(&mut self, _name: &str, _why: &str) -> Result<(), Error> {
        Ok(())
    }
    /// What stands behind those of all files.
    ///
    /// # Errors
    /// Standard output.
    fn end(&mut self, totals: Totals) -> Result<(), Error>;
}

pub(super) fn of(form: Form, all: bool) -> Box<dyn Render> {
    match form {
        Form::Text => Box::new(text::Text::new(all)),
        Form::Json => Box::new(json::Json::default()),
        Form::Jsonl => Box::new(json::Lines),
        Form::Sarif => Box::new(sarif::Sarif::default()),
        Form::Github => Box::new(annotations::Github),
        Form::Gitlab => Box::new(annotations::Gitlab::default()),
        Form::Junit => Box::new(junit::Junit::default()),
        Form::Html => Box::new(page::Page::default()),
    }
}

/// The name of a file as programs that know a repository have it.
pub(super) fn in_repository(name: &str) -> &str {
    name.trim_start_matches("./")
}

/// What standard output is called in errors.
const STDOUT: &str = "standard output";

/// Writes to standard output.
pub(super) fn put(bytes: &[u8]) -> Result<(), Error> {
    anstream::stdout().write_all(bytes).map_err(wrong)
}

/// The same for something with a value as JSON.
pub(super) fn put_json(value: &impl serde::Serialize) -> Result<(), Error> {
    let mut out = Vec::new();
    serde_json::to_writer(&mut out, value).map_err(|error| wrong(io::Error::other(error)))?;
    put(&out)
}

pub(super) fn wrong(error: io::Error) -> Error {
    Error::io(STDOUT, error)
}

/// Whether an error is about the output, so that no further file is worth a look.
pub(super) fn is_output(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io { name, .. } if name == STDOUT || name == "findings" || name == "temporary file")
}
