//! Threads that several runs share.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::error::Error;

/// More threads than any machine here has only cost memory.
const MAX_THREADS: usize = 256;

/// Threads that several runs share (`Options::pool`).
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
