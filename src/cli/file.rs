//! Inputs that can be read again: files, and pipes that are spooled to a temporary file. Outputs are in output.rs.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
#[cfg(feature = "fetch")]
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

#[cfg(feature = "fetch")]
use super::fetch::client::{BodyPlace, FetchedDocument};
use super::fetch::location;
use super::places::{is_below, real};
use super::progress::{Progress, ProgressMode};
use super::temporary::{self, temporary_file};
#[cfg(feature = "fetch")]
use crate::convert::OwnedInput;
use crate::convert::{Fetched, Input};
use crate::detect::DocumentKind;
use crate::error::{Error, cause};
use crate::job::{list, shown};
use crate::text::url::is_http;

/// A file, or standard input spooled to one, because a document is read twice.
pub struct InputSource {
    name: String,
    place: FileStorage,
    progress: Progress,
    /// How it was fetched, if it came from a URL, and when it was last changed.
    fetched: Option<Box<(Fetched, Option<SystemTime>)>>,
}

enum FileStorage {
    Path(PathBuf),
    /// Without a name, so that nothing of it stays, however the run ends.
    Spool(Arc<File>),
    /// From there on so many bytes of such a file, which has other documents, too.
    #[cfg(feature = "fetch")]
    Share(Arc<File>, u64, u64),
}

impl InputSource {
    /// The file with this name; `-` is standard input, which is copied to a temporary file (in `dir`, if given).
    ///
    /// # Errors
    /// Missing, unreadable, a directory.
    pub fn open(name: &str, dir: Option<&Path>, progress: &Progress) -> Result<InputSource, Error> {
        if name == "-" {
            return spool(io::stdin().lock(), "-", dir, progress);
        }
        InputSource::at(Path::new(name), name, dir, progress)
    }

    /// The file at this path, shown under this name.
    ///
    /// # Errors
    /// As [`InputSource::open`].
    pub fn at(path: &Path, name: &str, dir: Option<&Path>, progress: &Progress) -> Result<InputSource, Error> {
        let path = path.to_owned();
        let file = File::open(&path).map_err(|error| open_error(name, error))?;
        let meta = file.metadata().map_err(|error| Error::io(name, error))?;
        if meta.is_dir() {
            let says = "is a folder; migrate converts folders, validate and diff read them";
            return Err(Error::io(name, io::Error::other(says)));
        }
        if !meta.is_file() {
            // a named pipe can be read only once
            return spool(file, name, dir, progress);
        }
        Ok(InputSource {
            name: name.to_owned(),
            place: FileStorage::Path(path),
            progress: progress.clone(),
            fetched: None,
        })
    }

    /// Copies an input that can be read only once to a temporary file (in `dir`, if given), so that it can be read
    /// again.
    ///
    /// # Errors
    /// An I/O error.
    pub fn spooled(input: impl Read, name: &str, dir: Option<&Path>) -> Result<InputSource, Error> {
        spool(input, name, dir, &Progress::new(ProgressMode::Never))
    }

    /// The document at a URL, shown under the URL that was asked for.
    ///
    /// # Errors
    /// Its body is missing: the program asked for no body.
    #[cfg(feature = "fetch")]
    pub fn remote(document: FetchedDocument, progress: &Progress) -> Result<InputSource, Error> {
        let FetchedDocument { facts, body, modified, .. } = document;
        let name = facts.url.clone();
        let place = match body {
            Some(BodyPlace::Stored(path)) => FileStorage::Path(path),
            Some(BodyPlace::Spooled(file)) => FileStorage::Spool(Arc::new(file)),
            // its name goes
            Some(BodyPlace::Passing(path)) => {
                FileStorage::Spool(Arc::new(File::open(&path).map_err(Error::temporary)?))
            }
            None => {
                return Err(Error::format(format!("cannot fetch {name}: the server sent no body"), "check the URL"));
            }
        };
        Ok(InputSource { name, place, progress: progress.clone(), fetched: Some(Box::new((facts, modified))) })
    }

    /// Appends a document from one file to a file of several documents.
    ///
    /// # Errors
    /// An I/O error.
    #[cfg(feature = "fetch")]
    pub fn share(&mut self, with: &Arc<File>) -> io::Result<()> {
        if let FileStorage::Spool(own) = &self.place {
            let (mut from, mut to) = (&**own, &**with);
            from.rewind()?;
            let at = to.seek(SeekFrom::End(0))?;
            let size = io::copy(&mut from, &mut to)?;
            self.place = FileStorage::Share(Arc::clone(with), at, size);
        }
        Ok(())
    }

    /// The same; reading it is no progress.
    #[cfg(feature = "fetch")]
    pub fn unwatched(self) -> InputSource {
        InputSource { progress: Progress::new(ProgressMode::Never), ..self }
    }

    /// Opens a reader that needs nobody to hold the source.
    fn reader(&self) -> io::Result<Box<dyn Read + Send>> {
        let at_start = |file: &Arc<File>| SharedReader { file: Arc::clone(file), at: 0 };
        Ok(match &self.place {
            FileStorage::Path(path) => Box::new(self.progress.watch(File::open(path)?)),
            FileStorage::Spool(file) => Box::new(self.progress.watch(at_start(file))),
            #[cfg(feature = "fetch")]
            FileStorage::Share(file, at, size) => {
                Box::new(self.progress.watch(SharedReader { at: *at, ..at_start(file) }.take(*size)))
            }
        })
    }

    /// How it was fetched, if it came from a URL.
    pub fn fetched(&self) -> Option<&Fetched> {
        self.fetched.as_ref().map(|fetched| &fetched.0)
    }

    /// Whether it is the file at this real place.
    pub fn is_same_file(&self, place: &Path) -> bool {
        match &self.place {
            FileStorage::Path(path) => real(path) == place,
            FileStorage::Spool(_) => false,
            #[cfg(feature = "fetch")]
            FileStorage::Share(..) => false,
        }
    }

    /// Bytes of the file; 0 if the system does not report them.
    pub fn size(&self) -> u64 {
        let meta = match &self.place {
            FileStorage::Path(path) => path.metadata(),
            FileStorage::Spool(file) => file.metadata(),
            #[cfg(feature = "fetch")]
            FileStorage::Share(_, _, size) => return *size,
        };
        meta.map_or(0, |meta| meta.len())
    }

    /// When the file was last changed; unknown for pipes.
    pub fn modified(&self) -> Option<SystemTime> {
        match (&self.fetched, &self.place) {
            (Some(fetched), _) => fetched.1,
            (None, FileStorage::Path(path)) => path.metadata().and_then(|meta| meta.modified()).ok(),
            (None, _) => None,
        }
    }
}

/// The file of the index part with this URL, if it is next to the index.
pub fn beside_index(folder: &Path, address: &str) -> Option<PathBuf> {
    let mut parts = list::part(address, None).into_iter().map(|part| folder.join(part));
    parts.find(|file| file.is_file() && is_below(folder, file))
}

/// Commands that print the file at a URL of this scheme: the text before and after the URL.
const FETCH: [(&str, &str, &str); 4] = [
    ("http", "curl -fsSL --compressed", ""),
    ("https", "curl -fsSL --compressed", ""),
    ("s3", "aws s3 cp --no-progress", " -"),
    ("gs", "gcloud storage cat", ""),
];

/// Why there is no file of this name, and what to do about a URL.
pub fn open_error(name: &str, error: io::Error) -> Error {
    let name = &location::shown(name);
    if name.trim() != name && is_http(name.trim()) {
        return Error::format(format!("cannot read {name:?}: white space is around the URL"), "remove the white space");
    }
    let scheme = name.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    if let Some(scheme) = scheme.filter(|_| error.kind() == io::ErrorKind::NotFound) {
        let hint = match FETCH.iter().find(|(known, ..)| *known == scheme) {
            Some((_, command, end)) => {
                format!("download it first: {command} '{}'{end} | transfeed …", name.replace('\'', "%27"))
            }
            None if scheme == "file" => "pass the path of the file".to_owned(),
            None => "download it first".to_owned(),
        };
        let what = match cfg!(feature = "fetch") {
            true => "transfeed reads only files and http or https URLs",
            false => "transfeed reads only files, because it was built without the feature fetch",
        };
        // the name is in the message; inputs are named only where they are not
        return Error::io(format!("cannot read {name}"), io::Error::other(format!("{what}; {hint}")));
    }
    if name.is_empty() {
        return Error::format("cannot read an input: its name is empty", "pass a file, or - for standard input");
    }
    let says = match error.kind() {
        io::ErrorKind::NotFound => format!("no such file; {}", near_file(name)),
        _ => cause(&error),
    };
    Error::io(format!("cannot read {name}"), io::Error::new(error.kind(), says))
}

/// The name of a file, for people and programs; one that is not text as it is shown.
pub fn name_of(file: &Path) -> String {
    file.to_str().map_or_else(|| shown(file), str::to_owned)
}

/// What to do about a file that is not there: a name that is nearly the same, if its folder has one.
fn near_file(name: &str) -> String {
    let path = Path::new(name);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = folder.read_dir().into_iter().flatten().take(1_000).flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let own = path.file_name().map(|own| own.to_string_lossy().into_owned()).unwrap_or_default();
    if let Some(list) = name.strip_prefix('@').filter(|list| Path::new(list).is_file()) {
        return format!("only migrate reads a list; to merge its documents, pass migrate @{list} --merge");
    }
    match crate::text::nearest(&own, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {}?", path.with_file_name(near).display()),
        None if lacks_scheme(name) => format!("a URL begins with https:// or http://: did you mean https://{name}?"),
        None => "try another path, or - for standard input".to_owned(),
    }
}

/// Whether a name that is no file looks like a URL without its scheme: it begins with a host, and has a port or a path.
pub fn lacks_scheme(name: &str) -> bool {
    let first = name.split('/').next().unwrap_or_default();
    let (host, port) = first.split_once(':').unwrap_or((first, ""));
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let is_host = (host.contains('.') || host == "localhost") && host.split('.').all(is_label);
    let has_more = !port.is_empty() || name.len() > first.len();
    cfg!(feature = "fetch")
        && is_host
        && has_more
        && port.bytes().all(|b| b.is_ascii_digit())
        && !Path::new(first).exists()
}

fn spool(input: impl Read, name: &str, dir: Option<&Path>, progress: &Progress) -> Result<InputSource, Error> {
    let mut file = temporary_file(dir).map_err(Error::temporary)?;
    progress.expect_stream();
    let said = if name == "-" { "standard input" } else { name };
    let unwritable = |error| Error::temporary(temporary::named(dir, &error));
    let (mut input, mut buffer) = (progress.watch(input), vec![0; 1 << 16]);
    loop {
        match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => file.write_all(&buffer[..count]).map_err(unwritable)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(Error::io(said, error)),
        }
    }
    Ok(InputSource {
        name: name.to_owned(),
        place: FileStorage::Spool(Arc::new(file)),
        progress: progress.clone(),
        fetched: None,
    })
}

impl Input for InputSource {
    fn name(&self) -> &str {
        &self.name
    }
    fn base(&self) -> Option<&str> {
        self.fetched().map(Fetched::document_url)
    }
    fn charset(&self) -> Option<&str> {
        self.fetched()?.charset.as_deref()
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
        self.reader().map(|reader| reader as Box<dyn Read + Send>)
    }
}

/// A source that is there as long as anybody reads it.
#[cfg(feature = "fetch")]
pub struct LastingSource(pub InputSource);

#[cfg(feature = "fetch")]
impl OwnedInput for LastingSource {
    fn name(&self) -> &str {
        &self.0.name
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        self.0.reader()
    }
    fn base(&self) -> Option<&str> {
        Input::base(&self.0)
    }
    fn charset(&self) -> Option<&str> {
        Input::charset(&self.0)
    }
}

/// A reader with its own position in a shared file.
struct SharedReader {
    file: Arc<File>,
    at: u64,
}

impl Read for SharedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = read_at(&self.file, buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}

/// The message for a file that has the name of a feed.
pub const MISNAMED: &str = "has the name of a feed, but is not one";

/// What a file name shows about the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameHint {
    /// A feed, and nothing else.
    Feed,
    /// XML, as feeds are.
    Xml,
    /// Nothing.
    Other,
}

impl NameHint {
    /// By its ending.
    pub fn from_path(path: &Path) -> NameHint {
        let ending = |path: &Path| path.extension().map(|ending| ending.to_ascii_lowercase());
        let stem = path.file_stem().map(Path::new);
        let ending = match (ending(path), stem) {
            (Some(gz), Some(stem)) if gz == "gz" => ending(stem),
            (ending, _) => ending,
        };
        match ending.as_deref().and_then(OsStr::to_str) {
            Some("rss" | "mrss" | "atom" | "rdf") => NameHint::Feed,
            Some("xml") => NameHint::Xml,
            Some(_) | None => NameHint::Other,
        }
    }

    /// Whether a file that is called so and holds this was meant to be a feed: an error page in its place, an empty file.
    pub fn is_feed(self, kind: &DocumentKind) -> bool {
        match self {
            NameHint::Feed => true,
            NameHint::Xml => {
                matches!(kind, DocumentKind::Empty | DocumentKind::Html { .. } | DocumentKind::Unknown { .. })
            }
            NameHint::Other => false,
        }
    }
}
