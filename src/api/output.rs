//! A file that gets its name once it is complete, and what its writing needs to know of a name. Outputs of several files are in
//! the command line (cli/output.rs).

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::convert::Output;
use crate::error::Error;
use crate::gzip::Gzip;

/// The beginning of the names of hidden files. Those that a killed process leaves behind are removed by a later one.
const HIDDEN: &str = ".transfeed-l-";

/// Age from which on a hidden file is one of a process that was killed: others may write to the same folder now.
const DEAD: Duration = Duration::from_secs(24 * 60 * 60);

/// Folders that are remembered as swept.
const FOLDERS: usize = 10_000;

/// Folders that this process has swept: a folder may get thousands of files, and is listed once.
static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes the hidden files of killed processes from a folder; those that cannot be removed stay.
fn sweep(folder: &Path) {
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if swept.len() >= FOLDERS {
        swept.clear();
    }
    if !swept.insert(folder.to_owned()) {
        return;
    }
    drop(swept);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(HIDDEN.as_bytes()) && is_dead(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_dead(path: &Path) -> bool {
    let age = |meta: Metadata| meta.modified().ok().filter(|_| meta.is_file()).and_then(|time| time.elapsed().ok());
    path.symlink_metadata().ok().and_then(age).is_some_and(|age| age > DEAD)
}

/// A file that is written under a hidden name in its folder. [`OutputFile::publish`] gives it its name; without that, nothing
/// of it remains. Two processes that write the same file at once do not disturb each other: the later one replaces the
/// file of the earlier one as a whole.
pub(super) struct OutputFile {
    /// The name in messages.
    name: String,
    place: FilePlace,
}

enum FilePlace {
    /// A device or a named pipe, which cannot be replaced.
    Special(BufWriter<File>),
    Hidden(PathBuf, HiddenWriter),
}

enum HiddenWriter {
    Plain(BufWriter<NamedTempFile>),
    Gzip(Gzip<BufWriter<NamedTempFile>>),
}

/// Writes a document to a file, which appears under its name once it is complete. A name that ends in `.gz` is compressed.
///
/// ```
/// let dir = tempfile::tempdir().unwrap();
/// let path = dir.path().join("pages.txt");
/// transfeed::save(b"https://example.com/a\n", &path)?;
/// assert_eq!(std::fs::read(&path).unwrap(), b"https://example.com/a\n");
/// # Ok::<(), transfeed::Error>(())
/// ```
///
/// # Errors
/// Errors of the system; the previous file stays as it was.
pub fn save(document: &[u8], path: impl AsRef<Path>) -> Result<(), Error> {
    let mut file = OutputFile::create(path.as_ref())?;
    let written = file.write_all(document);
    written.map_err(|error| file.with_output_name(Error::output(error)))?;
    file.publish()
}

/// Refuses names of outputs that are also the name of an input or of another output.
///
/// # Errors
/// The first name that two of them have.
pub(super) fn check_names(outputs: &[&Path], inputs: &[&Path]) -> Result<(), Error> {
    let refused = |path: &Path, says: &str, hint: &str| {
        Err(Error::format(format!("cannot write {}: {says}", path.display()), hint.to_owned()))
    };
    let inputs: Vec<PathBuf> = inputs.iter().map(|path| real_path(path)).collect();
    let mut seen = Vec::new();
    for path in outputs.iter().copied().filter(|path| !is_special(path)) {
        let real = real_path(path);
        if inputs.contains(&real) {
            return refused(path, "it is an input", "rename the output");
        }
        if seen.contains(&real) {
            return refused(path, "the document and the losses have this name", "use each name once");
        }
        seen.push(real);
    }
    Ok(())
}

/// Whether a name is that of something else than a file.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| !meta.is_file())
}

/// The one name of a file that its other names lead to, also if it does not exist yet.
fn real_path(name: &Path) -> PathBuf {
    let path = resolve_link(name).unwrap_or_else(|_| name.to_owned());
    match (folder(&path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        (Ok(_) | Err(_), _) => path,
    }
}

impl OutputFile {
    /// A name that ends in `.gz` is compressed.
    pub fn create(path: &Path) -> Result<OutputFile, Error> {
        let name = path.display().to_string();
        let place = match special(path).map_err(|error| Error::io(name.as_str(), error))? {
            Some(file) => FilePlace::Special(BufWriter::new(file)),
            None => {
                let path = resolve_link(path).map_err(|error| Error::io(name.as_str(), error))?;
                let file = HiddenWriter::create(&path);
                FilePlace::Hidden(path, file.map_err(|error| Error::io(name.as_str(), without_path(&error)))?)
            }
        };
        Ok(OutputFile { name, place })
    }

    /// An error of the conversion, with the name of this file.
    pub fn with_output_name(&self, error: Error) -> Error {
        error.in_output(&self.name)
    }

    /// Gives the file its name, once its content is on the disk.
    pub fn publish(self) -> Result<(), Error> {
        let name = self.name;
        let published = match self.place {
            FilePlace::Special(mut file) => file.flush(),
            FilePlace::Hidden(path, file) => file.publish(&path),
        };
        // one with a number does not name the hidden file
        let nameless = |error: io::Error| if error.raw_os_error().is_some() { error } else { error.kind().into() };
        published.map_err(|error| Error::io(name, nameless(error)))
    }
}

impl HiddenWriter {
    fn create(path: &Path) -> io::Result<HiddenWriter> {
        let file = BufWriter::new(hidden_file(path)?);
        Ok(match path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz")) {
            true => HiddenWriter::Gzip(Gzip::new(file)),
            false => HiddenWriter::Plain(file),
        })
    }

    fn publish(self, path: &Path) -> io::Result<()> {
        let file = match self {
            HiddenWriter::Plain(file) => file,
            HiddenWriter::Gzip(file) => file.finish()?,
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        if let Ok(before) = path.symlink_metadata()
            && before.is_file()
        {
            fs::set_permissions(file.path(), before.permissions())?;
        }
        file.persist(path).map_err(|error| error.error)?;
        sync_folder(path);
        Ok(())
    }
}

/// A new file has the permissions that the system gives to any; one that replaces another is private until it has those of
/// its predecessor.
fn hidden_file(path: &Path) -> io::Result<NamedTempFile> {
    sweep(folder(path));
    let mut builder = tempfile::Builder::new();
    builder.prefix(HIDDEN);
    #[cfg(unix)]
    if path.symlink_metadata().is_err() {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder(path))
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            FilePlace::Special(file) => file.write(bytes),
            FilePlace::Hidden(_, HiddenWriter::Plain(file)) => file.write(bytes),
            FilePlace::Hidden(_, HiddenWriter::Gzip(file)) => file.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            FilePlace::Special(file) => file.flush(),
            FilePlace::Hidden(_, HiddenWriter::Plain(file)) => file.flush(),
            FilePlace::Hidden(_, HiddenWriter::Gzip(file)) => file.flush(),
        }
    }
}

impl Output for OutputFile {
    fn can_restart(&self) -> bool {
        matches!(self.place, FilePlace::Hidden(..))
    }
    fn restart(&mut self) -> io::Result<()> {
        match &mut self.place {
            FilePlace::Special(_) => return Err(io::ErrorKind::Unsupported.into()),
            FilePlace::Hidden(path, file) => *file = HiddenWriter::create(path)?,
        }
        Ok(())
    }
}

/// The file under the name, if it cannot be replaced but only written to: a device (`/dev/null`) or a named pipe.
pub(crate) fn special(path: &Path) -> io::Result<Option<File>> {
    match path.metadata() {
        Ok(found) if found.is_dir() => {
            Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; pass the name of a file"))
        }
        Ok(found) if !found.is_file() => File::options().write(true).open(path).map(Some),
        Ok(_) | Err(_) => Ok(None),
    }
}

/// Where a name leads: a link is followed, also one to a file that does not exist yet.
pub(crate) fn resolve_link(name: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = name.canonicalize() {
        return Ok(path);
    }
    let mut path = name.to_owned();
    // as many as Linux follows
    for _ in 0..40 {
        match path.read_link() {
            Ok(target) => path = folder(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("is a loop of symlinks"))
}

/// The error without the name of its temporary file.
pub(crate) fn without_path(error: &io::Error) -> io::Error {
    let says = match error.kind() {
        io::ErrorKind::NotFound => "its folder does not exist; create it",
        io::ErrorKind::PermissionDenied => "its folder is not writable",
        kind => return io::Error::from(kind),
    };
    io::Error::new(error.kind(), says)
}

/// The renames are in the folder; where a system cannot sync one, the files themselves are safe.
pub(crate) fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(folder(path)) {
        let _ = folder.sync_all();
    }
}

/// The folder that a file is in.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn what_killed_processes_leave_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let old = SystemTime::now() - 2 * DEAD;
        for (name, time) in [(".transfeed-l-old", Some(old)), (".transfeed-l-new", None), (".other", Some(old))] {
            let file = File::create(folder.path().join(name)).expect("a file");
            time.into_iter().for_each(|time| file.set_modified(time).expect("a time"));
        }
        for name in ["a.xml", "b.xml"] {
            let mut file = OutputFile::create(&folder.path().join(name)).expect("a file");
            file.write_all(b"x").expect("written");
            file.publish().expect("published");
        }
        let mut names: Vec<_> =
            fs::read_dir(folder.path()).expect("a folder").flatten().map(|e| e.file_name()).collect();
        names.sort();
        assert_eq!(names, [".other", ".transfeed-l-new", "a.xml", "b.xml"]);
    }
}
