//! Names of the files that a run leaves in the folder, and what is left of former runs.

use crate::job::shard::Shard;
use std::fs;
use std::path::Path;

/// Prefix of the names of temporaries of all runs.
pub const HIDDEN: &str = ".transfeed-m";

/// `journal.jsonl`, or `journal-1-of-4.jsonl`.
pub fn of_shard(name: &str, shard: Option<Shard>, ending: &str) -> String {
    match shard {
        Some(Shard { number, of }) => format!("{name}-{number}-of-{of}{ending}"),
        None => format!("{name}{ending}"),
    }
}

/// Removes the temporaries of a run that was killed. Symlinks are not followed.
pub fn clean(folder: &Path, prefix: &str) {
    let walk = walkdir::WalkDir::new(folder).into_iter().flatten();
    for entry in walk.filter(|entry| entry.file_type().is_file()) {
        if entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes()) {
            // a leftover temporary does no harm
            let _ = fs::remove_file(entry.path());
        }
    }
}
