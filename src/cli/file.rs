//! Files: inputs that can be read again, and outputs that appear only when they are complete.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::convert::{Input, Output};
use crate::error::Error;

/// A file, or standard input spooled to one, because a document is read twice.
pub struct Source {
    name: String,
    place: Place,
}

enum Place {
    Path(PathBuf),
    Spool(NamedTempFile),
}

impl Source {
    /// The file with this name; `-` is standard input, which waits in a temporary file (in `dir`, if said).
    ///
    /// # Errors
    /// Missing, unreadable, a directory.
    pub fn open(name: &str, dir: Option<&Path>) -> Result<Source, Error> {
        if name == "-" {
            return spool(dir).map_err(|error| Error::io("standard input", error));
        }
        let path = PathBuf::from(name);
        let file = File::open(&path).map_err(|error| Error::io(name, error))?;
        let meta = file.metadata().map_err(|error| Error::io(name, error))?;
        if meta.is_dir() {
            return Err(Error::io(name, io::Error::new(io::ErrorKind::IsADirectory, "is a directory, not a document")));
        }
        if !meta.is_file() {
            // a named pipe can be read only once
            return spool_from(file, name, dir).map_err(|error| Error::io(name, error));
        }
        Ok(Source { name: name.to_owned(), place: Place::Path(path) })
    }

    /// When the file was last changed; unknown for pipes.
    pub fn modified(&self) -> Option<std::time::SystemTime> {
        match &self.place {
            Place::Path(path) => path.metadata().and_then(|meta| meta.modified()).ok(),
            Place::Spool(_) => None,
        }
    }
}

fn spool(dir: Option<&Path>) -> io::Result<Source> {
    spool_from(io::stdin().lock(), "-", dir)
}

fn spool_from(mut input: impl Read, name: &str, dir: Option<&Path>) -> io::Result<Source> {
    let mut file = dir.map_or_else(NamedTempFile::new, NamedTempFile::new_in)?;
    io::copy(&mut input, file.as_file_mut())?;
    Ok(Source { name: name.to_owned(), place: Place::Spool(file) })
}

impl Input for Source {
    fn name(&self) -> &str {
        &self.name
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
        match &self.place {
            Place::Path(path) => Ok(Box::new(File::open(path)?)),
            Place::Spool(file) => Ok(Box::new(file.reopen()?)),
        }
    }
}

/// Where the output goes: a stream (standard output, a device, a pipe with a name), or a hidden temporary beside the
/// name that is renamed when it is complete.
pub struct Target {
    name: String,
    place: Destination,
}

enum Destination {
    Stream(BufWriter<Box<dyn Write + Send>>),
    /// A stream that must stay silent until the run has succeeded (`--strict`), and what it gets then.
    Held(Box<dyn Write + Send>, NamedTempFile),
    File(BufWriter<NamedTempFile>, PathBuf),
}

impl Target {
    /// The output with this name; `-` is standard output, which `hold`s back what it gets until the end if asked.
    ///
    /// # Errors
    /// A directory, or one that cannot be written in.
    pub fn create(name: &str, hold: bool) -> Result<Target, Error> {
        // the system names the temporary, which nobody knows
        let wrong = |error: io::Error| Error::io(name, without_path(&error));
        let stream: Option<Box<dyn Write + Send>> = match name {
            // a file that standard output was sent to is gone on with, not replaced
            "-" | "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1" => Some(Box::new(io::stdout())),
            _ => special(Path::new(name))
                .map_err(|error| Error::io(name, error))?
                .map(|file| Box::new(file) as Box<dyn Write + Send>),
        };
        let place = match stream {
            Some(stream) if hold => Destination::Held(stream, NamedTempFile::new().map_err(wrong)?),
            Some(stream) => Destination::Stream(BufWriter::with_capacity(1 << 16, stream)),
            None => {
                // a link is followed: what it points at is replaced, not the link
                let path = Path::new(name).canonicalize().unwrap_or_else(|_| PathBuf::from(name));
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new("."));
                let file = tempfile::Builder::new().prefix(".transfeed-").tempfile_in(folder).map_err(wrong)?;
                Destination::File(BufWriter::with_capacity(1 << 16, file), path)
            }
        };
        Ok(Target { name: name.to_owned(), place })
    }

    /// Makes the output appear under its name, whole.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(self) -> Result<(), Error> {
        let name = self.name;
        let wrong = |error| Error::io(name.as_str(), error);
        match self.place {
            Destination::Stream(mut out) => out.flush().map_err(wrong),
            Destination::Held(mut stream, file) => {
                let mut held = file.reopen().map_err(wrong)?;
                io::copy(&mut held, &mut stream).and_then(|_| stream.flush()).map_err(wrong)
            }
            Destination::File(out, path) => {
                let file = out.into_inner().map_err(|error| wrong(error.into_error()))?;
                publish(file, &path).map_err(wrong)
            }
        }
    }
}

/// What stands under the name and cannot be replaced, only written to: a device (`/dev/null`), a pipe with a name.
fn special(path: &Path) -> io::Result<Option<File>> {
    match path.metadata() {
        Ok(found) if found.is_dir() => {
            Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory, not a file name"))
        }
        Ok(found) if !found.is_file() => File::options().write(true).open(path).map(Some),
        Ok(_) | Err(_) => Ok(None),
    }
}

/// What went wrong, without the name of the temporary it went wrong with.
fn without_path(error: &io::Error) -> io::Error {
    let says = match error.kind() {
        io::ErrorKind::NotFound => "its folder does not exist",
        io::ErrorKind::PermissionDenied => "its folder cannot be written in",
        kind => return io::Error::from(kind),
    };
    io::Error::new(error.kind(), says)
}

/// Syncs, gives the permissions a new file would have, and renames.
fn publish(file: NamedTempFile, path: &Path) -> io::Result<()> {
    permit(file.as_file(), path)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    // the rename is in the folder; where a system cannot sync one, the file itself is safe
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A temporary is private; its successor has the permissions of what it replaces, or those of any new file.
#[cfg(unix)]
fn permit(file: &File, path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = match path.metadata() {
        Ok(before) => before.permissions().mode() & 0o777,
        Err(_) => 0o644,
    };
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn permit(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}

impl Output for Target {
    fn can_restart(&self) -> bool {
        matches!(self.place, Destination::Held(..) | Destination::File(..))
    }
    fn restart(&mut self) -> io::Result<()> {
        let file = match &mut self.place {
            Destination::Stream(_) => return Err(io::ErrorKind::Unsupported.into()),
            Destination::Held(_, file) => file,
            Destination::File(out, _) => {
                out.flush()?;
                out.get_mut()
            }
        };
        file.as_file().set_len(0)?;
        file.as_file_mut().rewind()
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Destination::Stream(out) => out.write(bytes),
            Destination::Held(_, out) => out.write(bytes),
            Destination::File(out, _) => out.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            Destination::Stream(out) => out.flush(),
            Destination::Held(_, out) => out.flush(),
            Destination::File(out, _) => out.flush(),
        }
    }
}
