//! Inputs at URLs without the feature `fetch`: none is fetched, and errors name the reason.

use std::path::Path;
use std::sync::Arc;

use clap::Args;

pub use location::shown;

use super::file::InputSource;
use super::limits::LimitArgs;
use super::progress::Progress;
use crate::cli::color::StreamReader;
use crate::convert::{Fetched, InputStream, OwnedInput};
use crate::error::Error;
use crate::inspect::DiscoveredSite;

/// No options.
#[derive(Args)]
pub struct FetchArgs {}

impl FetchArgs {
    /// No list is written.
    pub fn list_of_moved(&self) -> Option<&Path> {
        None
    }

    /// No option is odd.
    ///
    /// # Errors
    /// None.
    pub fn check<'n>(&self, _: impl IntoIterator<Item = &'n str>, _: Option<&Path>) -> Result<(), Error> {
        Ok(())
    }

    /// No file is written.
    pub fn mark_files(&mut self, _: &str) {}

    /// No part of an index is fetched.
    pub fn follows_remote(&self) -> bool {
        false
    }
}

/// The inputs of a command that makes one document of them.
pub enum InputSources {
    /// All of them are there.
    All(Vec<InputSource>),
    /// Never: no input is fetched.
    #[expect(dead_code, reason = "the commands match the same type as with the feature")]
    Coming(Box<SourceStream>),
}

/// Documents by their names, or why one is not there.
pub type NamedSources = Vec<(String, Result<InputSource, Error>)>;

/// Inputs that are not there yet: there are none.
pub enum SourceStream {}

impl SourceStream {
    /// There is nothing to end.
    pub fn end_with(&mut self, _: StreamReader) {
        match *self {}
    }
}

impl InputStream for SourceStream {
    fn next(&mut self, _: bool) -> Result<Option<Arc<dyn OwnedInput>>, Error> {
        match *self {}
    }
}

impl InputSources {
    /// The first document.
    pub fn first(&self) -> Option<&InputSource> {
        match self {
            InputSources::All(sources) => sources.first(),
            InputSources::Coming(stream) => match **stream {},
        }
    }

    /// None was fetched.
    pub fn fetched(&self) -> Vec<Fetched> {
        Vec::new()
    }

    /// Nothing is for the user.
    pub fn take_notes(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// No: all are there.
    pub fn have_failed(&self) -> bool {
        false
    }
}

/// The inputs of a command: files, and standard input.
pub struct Fetcher<'f> {
    temp_dir: Option<&'f Path>,
}

impl<'f> Fetcher<'f> {
    /// Of files.
    pub fn new(_: &FetchArgs, _: &LimitArgs, temp_dir: Option<&'f Path>) -> Fetcher<'f> {
        Fetcher { temp_dir }
    }

    /// Opens an input.
    ///
    /// # Errors
    /// It cannot be read, or is a URL.
    pub fn open(&self, name: &str, progress: &Progress) -> Result<InputSource, Error> {
        InputSource::open(name, self.temp_dir, progress)
    }

    /// Opens all inputs, in order.
    ///
    /// # Errors
    /// One cannot be read, or is a URL.
    pub fn all(&self, names: &[String], progress: &Progress, _: &mut Vec<String>) -> Result<Vec<InputSource>, Error> {
        names.iter().map(|name| self.open(name, progress)).collect()
    }

    /// Opens all inputs, in order.
    ///
    /// # Errors
    /// As [`Fetcher::all`].
    pub fn inputs(
        &self,
        names: &[String],
        progress: &Progress,
        notes: &mut Vec<String>,
    ) -> Result<InputSources, Error> {
        self.all(names, progress, notes).map(InputSources::All)
    }

    /// Nothing: no input is a site.
    ///
    /// # Errors
    /// None.
    pub fn discover(
        &self,
        _: &str,
        _: &InputSource,
        _: &Progress,
        _: &mut Vec<String>,
    ) -> Result<Option<DiscoveredSite>, Error> {
        Ok(None)
    }

    /// Nothing: no input is a list.
    ///
    /// # Errors
    /// None.
    pub fn listed(
        &self,
        _: &str,
        _: &InputSource,
        _: &Progress,
        _: &mut Vec<String>,
    ) -> Result<Option<NamedSources>, Error> {
        Ok(None)
    }

    /// None: no input is a URL.
    pub fn each(&self, _: &str, _: &Progress, _: &mut Vec<String>) -> NamedSources {
        Vec::new()
    }

    /// Nothing.
    ///
    /// # Errors
    /// None.
    pub fn end(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// Whether URLs can be inputs.
pub const FETCHES: bool = false;

/// Whether an input is a URL to fetch: none is.
pub fn is_url(_: &str) -> bool {
    false
}

pub(super) mod location {
    /// The name of an input as it may be shown.
    pub fn shown(name: &str) -> String {
        name.to_owned()
    }
}
