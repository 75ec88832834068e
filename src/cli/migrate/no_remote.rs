//! The fetching of inputs without the feature `fetch`: there is nothing to fetch.

use std::path::Path;

use super::args::Migrate;
use super::plan::MigrationPlan;
use super::sources::SourceListing;
use super::store::History;
use super::work::RunState;
use crate::error::Error;
use crate::options::Options;

/// No bodies.
pub struct RemoteBodies;

/// The facts of a run: its options, their hash, the journal of former runs, and why it ends early.
type RunFacts<'r> = (&'r Migrate, &'r str, &'r History, &'r RunState);

impl RemoteBodies {
    /// Nothing is prepared.
    ///
    /// # Errors
    /// None.
    pub fn open(_: &Migrate, _: &Path) -> Result<RemoteBodies, Error> {
        Ok(RemoteBodies)
    }

    /// Nothing is fetched.
    ///
    /// # Errors
    /// None.
    pub fn fetch(&self, _: RunFacts<'_>, _: &Options, _: &mut SourceListing) -> Result<(), Error> {
        Ok(())
    }

    /// Nothing is fetched.
    pub fn complete(&self, _: RunFacts<'_>, _: &Options, _: (&mut MigrationPlan, &[usize])) {}

    /// Nothing is removed.
    ///
    /// # Errors
    /// None.
    pub fn end(&self, _: &Migrate, _: (bool, bool)) -> Result<(), Error> {
        Ok(())
    }
}
