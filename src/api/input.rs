//! Sources of documents: files, bytes, streams. With the command line (cli/), the only place that uses files and the clock.

use std::fs;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use crate::convert::{self, OwnedInput};
use crate::error::Error;
use crate::model::Date;

/// The source of a document: the path of a file, or bytes. Compression and encoding are detected.
///
/// Functions accept a path as `&str`, `String`, `&Path` or `PathBuf`, and bytes as `&[u8]`, `&[u8; N]` or
/// `Vec<u8>`; a stream becomes one with [`Input::stream`].
///
/// ```
/// use transfeed::Input;
///
/// let from_stream = transfeed::read(Input::stream(std::io::Cursor::new("https://example.com/\n"))?)?;
/// assert_eq!(from_stream.entries, transfeed::read(b"https://example.com/\n")?.entries);
/// assert!(transfeed::read("no/such/file.xml").is_err());
/// # Ok::<(), transfeed::Error>(())
/// ```
#[derive(Clone)]
pub struct Input(Arc<dyn OwnedInput>);

/// A file. A named pipe can be read only once, so its content is copied to a private file first.
struct InputFile {
    path: PathBuf,
    name: String,
    spooled: OnceLock<tempfile::NamedTempFile>,
    /// The folder of the copy, if it is not that of the system.
    folder: OnceLock<PathBuf>,
}

/// Bytes in memory.
struct SharedBytes(Arc<[u8]>);

/// The content of a stream, in a private file.
struct SpooledStream(tempfile::NamedTempFile);

/// An input that the caller named.
struct NamedInput(Arc<dyn OwnedInput>, String);

/// An input with a check before each read.
struct WatchedInput(Arc<dyn OwnedInput>, Check);

/// A check that can end a run.
type Check = Arc<dyn Fn() -> io::Result<()> + Send + Sync>;

struct WatchedReader {
    input: Box<dyn Read + Send>,
    check: Check,
    /// Bytes of a read; unknown before the first, which shows whether they are compressed.
    most: Option<usize>,
}

impl WatchedReader {
    fn new(input: Box<dyn Read + Send>, check: Check) -> WatchedReader {
        WatchedReader { input, check, most: None }
    }
}

impl Read for WatchedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.check)()?;
        let length = buffer.len().min(self.most.unwrap_or(PACKED));
        let count = self.input.read(&mut buffer[..length])?;
        if self.most.is_none() && count > 0 {
            // a short read may have the first byte only
            let is_packed = buffer[..count].starts_with(&GZIP[..count.min(GZIP.len())]);
            self.most = Some(if is_packed { PACKED } else { HELD as usize });
        }
        Ok(count)
    }
}

/// The names of inputs that the caller did not name.
const BYTES: &str = "bytes";
const STREAM: &str = "stream";

/// Bytes of a stream that are held before they go to a file.
const HELD: u64 = 1 << 20;

/// Compressed bytes that are read between two checks: they inflate to a thousand times their number at most.
const PACKED: usize = 1 << 10;

/// The first bytes of what is compressed.
const GZIP: [u8; 2] = [0x1f, 0x8b];

impl Input {
    /// Reads all of a stream: a document may be read twice, because elements of its head may be at its end. More
    /// than a mebibyte is stored in a temporary file.
    ///
    /// # Errors
    /// Errors of the stream or the system.
    pub fn stream(stream: impl Read) -> Result<Input, Error> {
        Input::spooled(stream, None)
    }

    /// The same; the temporary file is in this folder, and not in that of the system.
    ///
    /// # Errors
    /// Errors of the stream or the system.
    pub fn stream_in(stream: impl Read, folder: impl AsRef<Path>) -> Result<Input, Error> {
        Input::spooled(stream, Some(folder.as_ref()))
    }

    fn spooled(mut stream: impl Read, folder: Option<&Path>) -> Result<Input, Error> {
        let mut held = Vec::new();
        let read = Read::by_ref(&mut stream).take(HELD).read_to_end(&mut held);
        read.map_err(|error| Error::io(STREAM, error))?;
        if (held.len() as u64) < HELD {
            return Ok(Input::from(held).named(STREAM));
        }
        let mut file = temporary_file(folder).map_err(Error::temporary)?;
        file.write_all(&held).map_err(Error::temporary)?;
        copy_rest(&mut stream, &mut file, &mut held)?;
        file.flush().map_err(Error::temporary)?;
        Ok(Input(Arc::new(SpooledStream(file))))
    }

    /// The same input. The content of a named pipe can be read once, and is copied to a file in this folder.
    #[must_use]
    pub fn copied_in(self, folder: impl AsRef<Path>) -> Input {
        self.0.store_copy_in(folder.as_ref());
        self
    }

    /// The same input, called `name` in errors and reports. A file has its path as name, and others `bytes` or `stream`.
    ///
    /// ```
    /// use transfeed::Input;
    ///
    /// let error = transfeed::read(Input::from(b"plain words").named("s3://feeds/a.rss")).unwrap_err();
    /// assert_eq!(error.input(), Some("s3://feeds/a.rss"));
    /// ```
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Input {
        Input(Arc::new(NamedInput(self.0, name.into())))
    }

    /// The same input; `check` is called before each read, of about a mebibyte at most (of a kibibyte if it is compressed),
    /// and before a conversion writes. Its error ends the run.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use transfeed::Input;
    ///
    /// let stopped = Arc::new(|| Err(std::io::Error::other("stopped by the user")));
    /// let error = transfeed::read(Input::from(b"https://example.com/").watched(stopped)).unwrap_err();
    /// assert!(error.to_string().contains("stopped by the user"));
    /// ```
    #[must_use]
    pub fn watched(self, check: Check) -> Input {
        Input(Arc::new(WatchedInput(self.0, check)))
    }

    /// When it was last changed; only files have a date.
    pub fn modified(&self) -> Option<Date> {
        self.0.modified()
    }

    /// The file it is read from, if it is one.
    pub(super) fn path(&self) -> Option<&Path> {
        self.0.path()
    }

    /// The check that ends a run by its error.
    pub(super) fn check(&self) -> Option<&(dyn Fn() -> io::Result<()> + Send + Sync)> {
        self.0.check()
    }

    pub(super) fn lasting(&self) -> Arc<dyn OwnedInput> {
        self.0.clone()
    }
}

impl convert::Input for Input {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
        self.0.open()
    }
}

impl OwnedInput for InputFile {
    fn name(&self) -> &str {
        &self.name
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        if let Some(spooled) = self.spooled.get() {
            return Ok(Box::new(spooled.reopen()?));
        }
        let mut file = fs::File::open(&self.path)?;
        let meta = file.metadata()?;
        if meta.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder; pass the files in it"));
        }
        if meta.is_file() {
            return Ok(Box::new(file));
        }
        let mut copy = temporary_file(self.folder.get().map(PathBuf::as_path))?;
        io::copy(&mut file, &mut copy)?;
        Ok(Box::new(self.spooled.get_or_init(|| copy).reopen()?))
    }
    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }
    fn store_copy_in(&self, folder: &Path) {
        // the first folder stays: what it has may be read by now
        let _ = self.folder.set(folder.to_owned());
    }
    fn modified(&self) -> Option<Date> {
        let meta = fs::metadata(&self.path).ok().filter(fs::Metadata::is_file)?;
        date_of(meta.modified().ok()?)
    }
}

impl OwnedInput for NamedInput {
    fn name(&self) -> &str {
        &self.1
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        self.0.open()
    }
    fn path(&self) -> Option<&Path> {
        self.0.path()
    }
    fn check(&self) -> Option<&(dyn Fn() -> io::Result<()> + Send + Sync)> {
        self.0.check()
    }
    fn store_copy_in(&self, folder: &Path) {
        self.0.store_copy_in(folder);
    }
    fn modified(&self) -> Option<Date> {
        self.0.modified()
    }
}

impl OwnedInput for WatchedInput {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(WatchedReader::new(self.0.open()?, self.1.clone())))
    }
    fn path(&self) -> Option<&Path> {
        self.0.path()
    }
    fn check(&self) -> Option<&(dyn Fn() -> io::Result<()> + Send + Sync)> {
        Some(&*self.1)
    }
    fn store_copy_in(&self, folder: &Path) {
        self.0.store_copy_in(folder);
    }
    fn modified(&self) -> Option<Date> {
        self.0.modified()
    }
}

impl OwnedInput for SharedBytes {
    fn name(&self) -> &str {
        BYTES
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(io::Cursor::new(self.0.clone())))
    }
}

impl OwnedInput for SpooledStream {
    fn name(&self) -> &str {
        STREAM
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(self.0.reopen()?))
    }
}

impl From<PathBuf> for Input {
    fn from(path: PathBuf) -> Input {
        let name = path.display().to_string();
        Input(Arc::new(InputFile { path, name, spooled: OnceLock::new(), folder: OnceLock::new() }))
    }
}

impl From<Vec<u8>> for Input {
    fn from(bytes: Vec<u8>) -> Input {
        Input(Arc::new(SharedBytes(bytes.into())))
    }
}

macro_rules! also {
    ($($type:ty, $of:ty;)*) => {$(
        impl From<$type> for Input {
            fn from(input: $type) -> Input {
                Input::from(<$of>::from(input))
            }
        }
    )*};
}

also! {
    &Path, PathBuf;
    &PathBuf, PathBuf;
    &str, PathBuf;
    String, PathBuf;
    &String, PathBuf;
    &[u8], Vec<u8>;
}

impl<const N: usize> From<&[u8; N]> for Input {
    fn from(bytes: &[u8; N]) -> Input {
        Input::from(bytes.to_vec())
    }
}

impl From<&Vec<u8>> for Input {
    fn from(bytes: &Vec<u8>) -> Input {
        Input::from(bytes.clone())
    }
}

fn temporary_file(folder: Option<&Path>) -> io::Result<tempfile::NamedTempFile> {
    match folder {
        Some(folder) => tempfile::NamedTempFile::new_in(folder),
        None => tempfile::NamedTempFile::new(),
    }
}

/// Copies what is left of a stream. Which of both failed is what the error is about.
fn copy_rest(stream: &mut impl Read, file: &mut impl io::Write, buffer: &mut [u8]) -> Result<(), Error> {
    loop {
        let count = match stream.read(buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Error::io(STREAM, error)),
        };
        file.write_all(buffer.get(..count).unwrap_or_default()).map_err(Error::temporary)?;
    }
}

/// The time of the run; WebAssembly without a host has no clock.
pub(super) fn now() -> Option<Date> {
    if cfg!(all(target_family = "wasm", target_os = "unknown")) { None } else { date_of(SystemTime::now()) }
}

fn date_of(time: SystemTime) -> Option<Date> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Date::from_unix(i64::try_from(since.as_secs()).ok()?)
}
