//! Locks of files that two processes must not use at the same time, and of values that threads share.

use std::fs::File;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex even if a thread panicked while it held the lock.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Who else may lock the same file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileLock {
    Exclusive,
    Shared,
}

impl FileLock {
    /// Locks a file until it is closed. Does nothing where the system has no such locks.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if another process has locked it; an I/O error.
    #[cfg(unix)]
    pub fn take(self, file: &File) -> io::Result<()> {
        use rustix::fs::{FlockOperation, flock};
        let how = match self {
            FileLock::Exclusive => FlockOperation::NonBlockingLockExclusive,
            FileLock::Shared => FlockOperation::NonBlockingLockShared,
        };
        // a signal that does not end the run must not interrupt the locking
        Ok(rustix::io::retry_on_intr(|| flock(file, how))?)
    }

    /// Does nothing: the oldest supported standard library has no locks.
    #[cfg(not(unix))]
    pub fn take(self, _: &File) -> io::Result<()> {
        Ok(())
    }
}
