//! The files of a folder that `validate` and `diff` read, and what they skip. Those of `migrate` are found in
//! migrate/sources.rs.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::file::open_error;
use super::places::is_below;
use crate::error::Error;
use crate::job::shown;

/// What a folder holds.
#[derive(Default)]
pub struct FolderListing {
    /// Its files and those of folders in it, by their paths below it.
    pub files: BTreeMap<OsString, PathBuf>,
    /// What is never opened, and why.
    pub skipped: Vec<String>,
    /// Folders in it that cannot be listed.
    pub failed: Vec<(PathBuf, Error)>,
}

/// Finds the files below a folder that are not hidden. Links are not followed into folders, nor out of it.
///
/// # Errors
/// The folder itself cannot be listed.
pub fn files(root: &Path) -> Result<FolderListing, Error> {
    let mut found = FolderListing::default();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let mut entries = match entries.map_err(|error| open_error(&shown(&folder), error)) {
            Ok(entries) => entries,
            Err(error) if folder == root => return Err(error),
            Err(error) => {
                found.failed.push((folder, error));
                continue;
            }
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let Ok(kind) = entry.file_type() else { continue };
            let why = match path.metadata() {
                _ if kind.is_dir() => {
                    open.push(path);
                    continue;
                }
                Ok(meta) if meta.is_file() && (kind.is_file() || is_below(root, &path)) => {
                    found.files.insert(path.strip_prefix(root).unwrap_or(&path).as_os_str().to_owned(), path);
                    continue;
                }
                _ if !kind.is_symlink() => "not a file",
                Err(_) => "a broken symlink",
                Ok(meta) if meta.is_dir() => "a symlink to a folder",
                Ok(meta) if meta.is_file() => "a symlink out of the folder",
                Ok(_) => "a symlink to what is not a file",
            };
            found.skipped.push(format!("skipped {}: {why}", shown(&path)));
        }
    }
    Ok(found)
}
