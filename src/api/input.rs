//! Sources of documents: files, bytes, streams. With the command line (cli/), the only place that uses files and the clock.

use std::fs;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
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

/// A file.
struct InputFile(PathBuf, String);

/// Bytes in memory.
struct SharedBytes(Arc<[u8]>);

/// The content of a stream, in a private file.
struct SpooledStream(tempfile::NamedTempFile);

/// Bytes of a stream that are held before they go to a file.
const HELD: u64 = 1 << 20;

impl Input {
    /// Reads all of a stream: a document may be read twice, because elements of its head may be at its end. More
    /// than a mebibyte is stored in a temporary file.
    ///
    /// # Errors
    /// Errors of the stream or the system.
    pub fn stream(mut stream: impl Read) -> Result<Input, Error> {
        let mut held = Vec::new();
        let read = Read::by_ref(&mut stream).take(HELD).read_to_end(&mut held);
        read.map_err(|error| Error::io("stream", error))?;
        if (held.len() as u64) < HELD {
            return Ok(Input::from(held));
        }
        let mut file = tempfile::NamedTempFile::new().map_err(Error::temporary)?;
        file.write_all(&held).map_err(Error::temporary)?;
        io::copy(&mut stream, &mut file).map_err(|error| Error::io("stream", error))?;
        file.flush().map_err(Error::temporary)?;
        Ok(Input(Arc::new(SpooledStream(file))))
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
        &self.1
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(fs::File::open(&self.0)?))
    }
    fn modified(&self) -> Option<Date> {
        date_of(fs::metadata(&self.0).and_then(|meta| meta.modified()).ok()?)
    }
}

impl OwnedInput for SharedBytes {
    fn name(&self) -> &str {
        "-"
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(io::Cursor::new(self.0.clone())))
    }
}

impl OwnedInput for SpooledStream {
    fn name(&self) -> &str {
        "-"
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(self.0.reopen()?))
    }
}

impl From<PathBuf> for Input {
    fn from(path: PathBuf) -> Input {
        let name = path.display().to_string();
        Input(Arc::new(InputFile(path, name)))
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

/// The time of the run.
pub(super) fn now() -> Option<Date> {
    date_of(SystemTime::now())
}

fn date_of(time: SystemTime) -> Option<Date> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Date::from_unix(i64::try_from(since.as_secs()).ok()?)
}
