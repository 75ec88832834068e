//! The real paths of files behind symlinks, to detect two names of the same file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The real path of a name, whether it exists or not.
pub fn real(path: &Path) -> PathBuf {
    let mut rest = Vec::new();
    let mut at = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    loop {
        if let Ok(real) = at.canonicalize() {
            return rest.iter().rev().fold(real, |path, step| path.join(step));
        }
        let (Some(name), Some(parent)) = (at.file_name(), at.parent()) else { return path.to_owned() };
        rest.push(name.to_owned());
        at = parent.to_owned();
    }
}

/// Whether standard input is redirected from this file, under whatever name.
#[cfg(unix)]
pub fn is_standard_input(path: &Path) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let input = std::io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from);
    let place = |meta: std::fs::Metadata| meta.is_file().then(|| (meta.dev(), meta.ino()));
    let input = input.and_then(|file| file.metadata()).ok().and_then(place);
    input.is_some() && input == path.metadata().ok().and_then(place)
}

/// Whether standard input is redirected from this file; not asked of other systems.
#[cfg(not(unix))]
pub fn is_standard_input(_: &Path) -> bool {
    false
}

/// A name in its real folder. It may be that of a link: what is done to it is done to the link.
pub fn in_folder(path: &Path) -> PathBuf {
    CanonicalPaths::default().resolve(path)
}

/// Whether a file is below a folder also when links are followed: what was not named is not read elsewhere.
pub fn is_below(folder: &Path, file: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    real(file).starts_with(real(folder))
}

/// The places of many names, each folder looked at once.
#[derive(Default)]
pub struct CanonicalPaths(HashMap<PathBuf, PathBuf>);

impl CanonicalPaths {
    /// See [`in_folder`].
    pub fn resolve(&mut self, path: &Path) -> PathBuf {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return real(path) };
        if let Some(known) = self.0.get(folder) {
            return known.join(name);
        }
        let found = real(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        let place = found.join(name);
        self.0.insert(folder.to_owned(), found);
        place
    }
}
