//! The threads that a run works on: none besides the calling one where one is asked for (WebAssembly and forked processes
//! have no others), those of a pool that was handed in, or new ones.

use std::fmt;
use std::io;
use std::sync::Arc;

use rayon::prelude::*;

use crate::error::Error;
use crate::options::Options;

/// More threads than any machine here has only cost memory.
const MAX_THREADS: usize = 256;

/// Threads that several runs share ([`Options::pool`]).
#[derive(Clone)]
pub struct Pool(Arc<rayon::ThreadPool>);

impl Pool {
    /// With this many threads; 0 means one per core.
    ///
    /// # Errors
    /// An I/O error.
    pub fn new(threads: usize) -> Result<Pool, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.min(MAX_THREADS)).build();
        pool.map(|pool| Pool(Arc::new(pool))).map_err(|error| Error::io("threads", io::Error::other(error)))
    }
}

impl Pool {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Works on them.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.0.install(work)
    }
}

impl From<Arc<rayon::ThreadPool>> for Pool {
    fn from(pool: Arc<rayon::ThreadPool>) -> Pool {
        Pool(pool)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({})", self.len())
    }
}

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
