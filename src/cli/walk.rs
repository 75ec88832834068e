//! The files of a folder that `validate` and `diff` read, and what they skip. Those of `migrate` are found in
//! migrate/sources.rs.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
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
    /// Folders in it that cannot be listed, and files of which nothing can be known.
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
            let kind = match entry.file_type() {
                Ok(kind) => kind,
                Err(error) => {
                    found.failed.push((path.clone(), open_error(&shown(&path), error)));
                    continue;
                }
            };
            let leads_nowhere = |error: &io::Error| kind.is_symlink() && error.kind() != ErrorKind::PermissionDenied;
            let why = match path.metadata() {
                _ if kind.is_dir() => {
                    open.push(path);
                    continue;
                }
                Ok(meta) if meta.is_file() && (kind.is_file() || is_below(root, &path)) => {
                    found.files.insert(path.strip_prefix(root).unwrap_or(&path).as_os_str().to_owned(), path);
                    continue;
                }
                Err(error) if leads_nowhere(&error) => "a broken symlink",
                Err(error) => {
                    found.failed.push((path.clone(), open_error(&shown(&path), error)));
                    continue;
                }
                Ok(_) if !kind.is_symlink() => "not a file",
                Ok(meta) if meta.is_dir() => "a symlink to a folder",
                Ok(meta) if meta.is_file() => "a symlink out of the folder",
                Ok(_) => "a symlink to what is not a file",
            };
            found.skipped.push(format!("skipped {}: {why}", shown(&path)));
        }
    }
    Ok(found)
}
