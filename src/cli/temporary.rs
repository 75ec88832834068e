//! Temporary files: without a name, so that nothing of them stays, however the run ends.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::{SpooledTempFile, TempDir};

/// A file in this folder, or in that of the system.
///
/// # Errors
/// The error names the folder; it is for `Error::temporary`.
pub fn temporary_file(dir: Option<&Path>) -> io::Result<File> {
    let made = match dir {
        Some(dir) => tempfile::tempfile_in(dir),
        None => tempfile::tempfile_in(std::env::temp_dir()),
    };
    made.map_err(|error| named(dir, &error))
}

/// A folder in this folder, or in that of the system, which goes with the value.
///
/// # Errors
/// As [`temporary_file`].
pub fn temporary_folder(dir: Option<&Path>) -> io::Result<TempDir> {
    let made = match dir {
        Some(dir) => tempfile::tempdir_in(dir),
        None => tempfile::tempdir_in(std::env::temp_dir()),
    };
    made.map_err(|error| named(dir, &error))
}

/// Bytes in memory, which become a file in this folder when they are more than `held`.
pub fn spooled(held: usize, dir: Option<&Path>) -> SpooledTempFile {
    crate::convert::scratch(held, dir)
}

/// The error of such a file or folder, with the place where it is to be.
pub fn named(dir: Option<&Path>, error: &io::Error) -> io::Error {
    let place = match dir {
        Some(dir) => format!("the folder {}", dir.to_string_lossy()),
        None => "the temporary folder of the system".to_owned(),
    };
    let says = match error.kind() {
        io::ErrorKind::NotFound => format!("{place} does not exist"),
        kind => format!("{kind} in {place}"),
    };
    io::Error::new(error.kind(), says)
}
