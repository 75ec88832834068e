//! The hidden temporary files of a run, to remove them when the run is interrupted. Their content and names are in
//! output.rs.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use tempfile::{NamedTempFile, TempPath};

use crate::api::output::folder;
#[cfg(unix)]
use crate::cli::lock::FileLock;
use crate::cli::lock::lock;

/// The temporaries that were made. A value, not a global: whoever makes outputs is given one.
#[derive(Clone, Default)]
pub struct Temporaries(Arc<Mutex<TemporarySet>>);

#[derive(Default)]
pub struct TemporarySet {
    paths: Vec<PathBuf>,
    /// What this run's names have in common, where later runs look for what it may leave.
    run: String,
    /// The newest temporary in each folder, locked: by that others see that the run lives.
    locks: HashMap<PathBuf, File>,
}

/// While this is held, no temporary is made or taken away, and nothing else is published.
pub struct TemporariesGuard<'t>(MutexGuard<'t, TemporarySet>);

impl Temporaries {
    /// Creates a temporary file next to this one. Its name begins with `prefix`.
    ///
    /// # Errors
    /// An I/O error.
    pub fn create_next_to(&self, path: &Path, prefix: &str) -> io::Result<NamedTempFile> {
        let mut held = self.hold();
        let made = &mut *held.0;
        let file = tempfile::Builder::new().prefix(&format!("{prefix}{}", made.run)).tempfile_in(folder(path))?;
        made.paths.push(file.path().to_owned());
        if !made.run.is_empty()
            && let Some(lock) = locked(file.as_file())
        {
            made.locks.insert(folder(path).to_owned(), lock);
        }
        Ok(file)
    }

    /// Removes temporaries next to this file that killed runs left behind, and marks those of this run, so that a later
    /// run can distinguish them from its own.
    pub fn sweep(&self, path: &Path, prefix: &str) {
        let mut held = self.hold();
        if held.0.run.is_empty() {
            let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            held.0.run = format!("{:x}-{:x}-", std::process::id(), time.as_nanos());
        }
        let own = format!("{prefix}{}", held.0.run);
        for run in left(folder(path), prefix).into_values() {
            let is_own = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&own));
            if !run.iter().any(is_own) && run.iter().all(|path| is_dead(path)) {
                // what cannot be taken away stays
                run.iter().for_each(|path| _ = std::fs::remove_file(path));
            }
        }
    }

    /// For a publish, which is finished before the run can be ended.
    pub fn hold(&self) -> TemporariesGuard<'_> {
        TemporariesGuard(lock(&self.0))
    }

    /// Takes them all away; while the answer is held, there are no others. What has got its name by now is not known by
    /// its hidden one any more.
    pub fn remove(&self) -> TemporariesGuard<'_> {
        let held = self.hold();
        for path in &held.0.paths {
            // it may be gone already
            let _ = std::fs::remove_file(path);
        }
        held
    }
}

/// The temporaries in a folder, by the run that made them.
fn left(folder: &Path, prefix: &str) -> HashMap<String, Vec<PathBuf>> {
    let mut runs: HashMap<String, Vec<PathBuf>> = HashMap::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some((run, _)) = name.to_str().and_then(|name| name.strip_prefix(prefix)?.rsplit_once('-')) else {
            continue;
        };
        runs.entry(run.to_owned()).or_default().push(entry.path());
    }
    runs
}

/// A file is made before it is locked; nothing takes so long in between.
const YOUNG: Duration = Duration::from_secs(60);

/// Whether a temporary is one that no run has locked or has just made.
fn is_dead(path: &Path) -> bool {
    let is_old = |meta: &std::fs::Metadata| {
        let age = meta.modified().ok().and_then(|time| time.elapsed().ok());
        meta.is_file() && age.is_some_and(|age| age > YOUNG)
    };
    path.symlink_metadata().is_ok_and(|meta| is_old(&meta))
        && File::open(path).is_ok_and(|file| locked(&file).is_some())
}

/// A handle that keeps a file locked; none where another has locked it, or where files cannot be locked.
#[cfg(unix)]
fn locked(file: &File) -> Option<File> {
    FileLock::Exclusive.take(file).ok()?;
    file.try_clone().ok()
}

#[cfg(not(unix))]
fn locked(_: &File) -> Option<File> {
    None
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

/// Gives a temporary file the permissions of a new file, and its final name.
///
/// # Errors
/// An I/O error.
pub fn rename(file: TempPath, path: &Path) -> io::Result<()> {
    permit(&file, path)?;
    file.persist(path).map_err(|error| error.error)
}
