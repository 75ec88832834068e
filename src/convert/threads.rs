//! The threads that a run works on: none besides the calling one where one is asked for (WebAssembly and forked processes
//! have no others), those of a pool that was handed in, or new ones.

use rayon::prelude::*;

use crate::error::Error;
use crate::options::Options;
use crate::pool::Pool;

impl Options {
    /// Works on the threads that are asked for.
    pub(crate) fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
        match &self.pool {
            _ if self.threads == 1 => Ok(work()),
            Some(pool) => Ok(pool.install(work)),
            None => Ok(Pool::new(self.threads)?.install(work)),
        }
    }

    /// Does two things, at the same time if there are threads.
    pub(crate) fn both<A: Send, B: Send>(
        &self,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        if self.threads == 1 { (first(), second()) } else { rayon::join(first, second) }
    }

    /// Does the same with each, in order, on all threads.
    pub(crate) fn each<I: Sync, T: Send>(&self, items: &[I], work: impl Fn(&I) -> T + Sync + Send) -> Vec<T> {
        if self.threads == 1 { items.iter().map(work).collect() } else { items.par_iter().map(work).collect() }
    }
}
