//! The hidden temporaries of a run, so that they can be taken away when it is ended from outside. What is written to them,
//! and how they get their names, is output.rs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, TempPath};

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

/// Learns what permissions new files have. That can only be had by setting it, so it is done before there are threads: files
/// that one of them made at that moment would have other ones.
pub fn learn_mode() {
    #[cfg(unix)]
    system::new_file_mode();
}

#[cfg(unix)]
mod system {
    use std::path::Path;
    use std::sync::OnceLock;
    use std::{fs, io};

    use rustix::fs::{Mode, chmod};
    use rustix::process::umask;

    static MODE: OnceLock<Mode> = OnceLock::new();

    /// The permissions of a new file.
    pub fn new_file_mode() -> Mode {
        *MODE.get_or_init(|| {
            let mask = umask(Mode::from_raw_mode(0o077));
            umask(mask);
            Mode::from_raw_mode(0o666) & !mask
        })
    }

    pub fn permit(file: &Path, path: &Path) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        match path.symlink_metadata() {
            Ok(before) if before.is_file() => {
                fs::set_permissions(file, fs::Permissions::from_mode(before.permissions().mode() & 0o777))
            }
            Ok(_) | Err(_) => Ok(chmod(file, new_file_mode())?),
        }
    }
}

/// A temporary is private; its successor has the permissions of what it replaces, or those of any new file.
#[cfg(unix)]
fn permit(file: &Path, path: &Path) -> io::Result<()> {
    system::permit(file, path)
}

#[cfg(not(unix))]
fn permit(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

/// Gives a temporary the permissions that a new file would have, and its name.
///
/// # Errors
/// What the system says.
pub fn rename(file: TempPath, path: &Path) -> io::Result<()> {
    permit(&file, path)?;
    file.persist(path).map_err(|error| error.error)
}

/// The folder that a file is in.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
