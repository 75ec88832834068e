//! The hidden temporaries of a run, so that they can be taken away when it is ended from outside. What is written to them,
//! and how they get their names, is output.rs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// The temporaries that were made. A value, not a global: whoever makes outputs is given one.
#[derive(Clone, Default)]
pub struct Temporaries(Arc<Mutex<Vec<PathBuf>>>);

/// While this is held, no temporary is made or taken away, and nothing else is published.
pub struct Held<'t>(MutexGuard<'t, Vec<PathBuf>>);

impl Temporaries {
    /// Makes one beside this file. Its name begins with `prefix`.
    ///
    /// # Errors
    /// What the system says.
    pub fn beside(&self, path: &Path, prefix: &str) -> io::Result<NamedTempFile> {
        let mut held = self.hold();
        let file = tempfile::Builder::new().prefix(prefix).tempfile_in(folder(path))?;
        held.0.push(file.path().to_owned());
        Ok(file)
    }

    /// For a publish, which is finished before the run can be ended.
    pub fn hold(&self) -> Held<'_> {
        Held(self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes them all away; while the answer is held, there are no others. What has got its name by now is not known by
    /// its hidden one any more.
    pub fn remove(&self) -> Held<'_> {
        let held = self.hold();
        for path in held.0.iter() {
            // it may be gone already
            let _ = std::fs::remove_file(path);
        }
        held
    }
}

/// The folder that a file is in.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
