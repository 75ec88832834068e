//! Outputs that are published once complete: one file, or the parts of a split one with their index.

use std::fs::Metadata;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, SpooledTempFile, TempPath};

use super::color::{ClosableStream, StreamReader};
use super::file::InputSource;
use super::hidden::{Temporaries, rename};
use super::progress::{Progress, ProgressMode};
use crate::api::output::{resolve_link, special, sync_folder, without_path};
use crate::convert::{Output, OutputPart, scratch};
use crate::error::{Error, with_cause};
use crate::format::{Format, sitemap};
use crate::gzip::Gzip;
use crate::job::journal::Stamp;
use crate::job::name::{index_name, numbered};
use crate::text::hex;

/// Bytes that wait in memory for a stream; more wait in a temporary file.
const HELD: usize = 1 << 20;

/// How an output is written.
#[derive(Clone, Default)]
pub struct OutputOptions {
    /// A stream stays silent until the run has succeeded.
    pub hold: bool,
    /// It is compressed.
    pub gzip: bool,
    /// The folder of the file that a stream waits in.
    pub temp_dir: Option<PathBuf>,
}

/// Where the output goes: a stream (standard output, a device, a pipe with a name), or hidden temporaries beside the
/// name that are renamed when all are complete.
pub struct OutputTarget {
    name: String,
    place: Destination,
    reader: StreamReader,
}

impl OutputOptions {
    fn held(&self) -> PackedWriter<SpooledTempFile> {
        PackedWriter::new(scratch(HELD, self.temp_dir.as_deref()), self.gzip)
    }
}

enum Destination {
    Stream(PackedWriter<Box<dyn Write + Send>>),
    /// A stream that must stay silent until the run has succeeded (`--strict`, a sitemap that may pass its limits), and what
    /// it gets then.
    Held(Box<dyn Write + Send>, PackedWriter<SpooledTempFile>, OutputOptions),
    Files(Box<OutputFiles>),
}

/// A stream, and who reads it.
type WatchedStream = (Box<dyn Write + Send>, StreamReader);

fn watched(out: impl Write + Send + 'static) -> WatchedStream {
    let stream = ClosableStream::new(out);
    let reader = stream.reader();
    (Box::new(stream), reader)
}

/// The error of an output without the name of its temporary file.
fn unwritable(name: &str, error: &io::Error) -> Error {
    let cause = without_path(error);
    let begin = if cause.get_ref().is_some() { "cannot write " } else { "" };
    Error::io(format!("{begin}{name}"), cause)
}

/// The error of standard output.
pub fn stdout_error(error: io::Error) -> Error {
    Error::io("standard output", error)
}

/// Writes all of a text to standard output.
///
/// # Errors
/// Standard output.
pub fn print(mut stdout: impl Write, text: &[u8]) -> Result<(), Error> {
    stdout.write_all(text).and_then(|()| stdout.flush()).map_err(stdout_error)
}

/// Whether a name is that of standard output.
pub fn is_stdout(name: &str) -> bool {
    matches!(name, "-" | "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1")
}

impl OutputTarget {
    /// The output with this name; `-` is standard output.
    ///
    /// # Errors
    /// A directory, or one that cannot be written in.
    pub fn create(name: &str, manner: OutputOptions) -> Result<OutputTarget, Error> {
        OutputTarget::create_among(name, manner, &Temporaries::default())
    }

    /// Like [`OutputTarget::create`], with its temporaries among these.
    ///
    /// # Errors
    /// See [`OutputTarget::create`].
    pub fn create_among(name: &str, manner: OutputOptions, temporaries: &Temporaries) -> Result<OutputTarget, Error> {
        if name.is_empty() {
            return Err(Error::format(
                "cannot write an output: its name is empty",
                "pass a file, or - for standard output",
            ));
        }
        // the system names the temporary, which nobody knows
        let wrong = |error: io::Error| unwritable(name, &error);
        let stream: Option<WatchedStream> = match name {
            // a file that standard output was sent to is gone on with, not replaced
            name if is_stdout(name) => Some(watched(io::stdout())),
            _ => special(Path::new(name))
                .map_err(|error| Error::io(format!("cannot write {name}"), with_cause(&error)))?
                .map(watched),
        };
        let (stream, reader) = stream.map_or((None, StreamReader::default()), |(out, reader)| (Some(out), reader));
        let place = match stream {
            Some(stream) if manner.hold => Destination::Held(stream, manner.held(), manner),
            Some(stream) => Destination::Stream(PackedWriter::new(stream, manner.gzip)),
            None => {
                // a link is followed: what it points at is replaced, not the link
                let path = resolve_link(Path::new(name)).map_err(|error| Error::io(name, error))?;
                temporaries.sweep(&path, HIDDEN);
                let how = FileOptions {
                    gzip: manner.gzip,
                    prefix: HIDDEN.into(),
                    many: false,
                    temporaries: temporaries.clone(),
                };
                Destination::Files(Box::new(OutputFiles::create(path, how).map_err(wrong)?))
            }
        };
        Ok(OutputTarget { name: name.to_owned(), place, reader })
    }

    /// One of many outputs, at this path; messages call it `name`. It has to be made [`ready`](Target::ready) and published.
    ///
    /// # Errors
    /// A folder that cannot be written in.
    pub fn of_many(path: PathBuf, name: &str, how: FileOptions) -> Result<OutputTarget, Error> {
        let files = OutputFiles::create(path, how).map_err(|error| unwritable(name, &error))?;
        Ok(OutputTarget {
            name: name.to_owned(),
            place: Destination::Files(Box::new(files)),
            reader: StreamReader::default(),
        })
    }

    /// An error of the conversion, with the name of what could not be written.
    pub fn with_output_name(&self, error: Error) -> Error {
        match self.place {
            Destination::Held(..) => error.in_temporary(),
            Destination::Stream(_) | Destination::Files(_) => error.in_output(&self.name),
        }
    }

    /// Who reads it, if it is a stream.
    pub fn reader(&self) -> StreamReader {
        self.reader.clone()
    }

    /// Whether it is a stream, which leaves no file to keep.
    pub fn is_stream(&self) -> bool {
        !matches!(self.place, Destination::Files(_))
    }

    /// Completes all files; `None` for a stream.
    ///
    /// # Errors
    /// An I/O error, or a part with the name of another file.
    pub fn ready(self, set: &PartSet<'_>) -> Result<Option<ReadyOutput>, Error> {
        match self.place {
            Destination::Stream(_) | Destination::Held(..) => Ok(None),
            Destination::Files(files) => files.ready(&self.name, set).map(Some),
        }
    }

    /// Publishes the whole output under its name.
    ///
    /// # Errors
    /// An I/O error.
    pub fn finish(self) -> Result<(), Error> {
        self.finish_set(&PartSet { parts: &[], format: None, index: None, taken: &|_| false }).map(|_| ())
    }

    /// Like [`OutputTarget::finish`], for an output that may be split.
    ///
    /// # Errors
    /// An I/O error, or a part with the name of another file.
    pub fn finish_set(self, set: &PartSet<'_>) -> Result<PublishedFiles, Error> {
        self.complete(set)?.publish()
    }

    /// Writes everything that is pending, so that only the renaming is left. An unbuffered stream is already complete.
    ///
    /// # Errors
    /// An I/O error, or a part with the name of another file.
    pub fn complete(self, set: &PartSet<'_>) -> Result<CompleteOutput, Error> {
        let name = self.name;
        let place = match self.place {
            Destination::Stream(out) => {
                let sent = out.finish().and_then(|mut stream| stream.flush());
                sent.map_err(|error| Error::output(error).in_output(&name))?;
                PendingOutput::Sent
            }
            Destination::Held(stream, file, manner) => {
                PendingOutput::Held(stream, file.finish().map_err(Error::temporary)?, manner.temp_dir)
            }
            Destination::Files(files) => PendingOutput::Files(files.path.clone(), files.ready(&name, set)?),
        };
        Ok(CompleteOutput { name, place })
    }
}

/// An output that is complete and has yet to appear.
pub struct CompleteOutput {
    name: String,
    place: PendingOutput,
}

enum PendingOutput {
    Sent,
    /// The stream, what it gets, and the folder for temporary files.
    Held(Box<dyn Write + Send>, SpooledTempFile, Option<PathBuf>),
    Files(PathBuf, ReadyOutput),
}

impl CompleteOutput {
    /// The documents of the output, under their final names; empty if they were already sent.
    ///
    /// # Errors
    /// An I/O error.
    pub fn documents(&mut self) -> Result<Vec<InputSource>, Error> {
        match &mut self.place {
            PendingOutput::Sent => Ok(Vec::new()),
            PendingOutput::Held(_, held, dir) => {
                held.rewind().map_err(Error::temporary)?;
                let name = if is_stdout(&self.name) { "standard output" } else { &self.name };
                Ok(vec![InputSource::spooled(held, name, dir.as_deref())?])
            }
            PendingOutput::Files(_, ready) => ready.documents(),
        }
    }

    /// Publishes the whole output.
    ///
    /// # Errors
    /// An I/O error.
    pub fn publish(self) -> Result<PublishedFiles, Error> {
        match self.place {
            PendingOutput::Sent => Ok(PublishedFiles::default()),
            PendingOutput::Held(mut stream, mut held, _) => {
                held.rewind().map_err(Error::temporary)?;
                let sent = io::copy(&mut held, &mut stream).and_then(|_| stream.flush());
                sent.map_err(|error| Error::output(error).in_output(&self.name))?;
                Ok(PublishedFiles::default())
            }
            PendingOutput::Files(path, ready) => {
                let published = ready.publish()?;
                sync_folder(&path);
                Ok(published)
            }
        }
    }
}

/// What must be known of all parts of an output to publish them.
pub struct PartSet<'s> {
    /// The counts and facts of each part.
    pub parts: &'s [OutputPart],
    /// What they are.
    pub format: Option<&'static Format>,
    /// URL of the folder they will be in, if they have an index.
    pub index: Option<&'s str>,
    /// Names that must not be replaced.
    pub taken: &'s dyn Fn(&Path) -> bool,
}

/// The files that an output became, if it was split.
#[derive(Default)]
pub struct PublishedFiles {
    /// Names of the parts.
    pub parts: Vec<PathBuf>,
    /// Whether there is an index under the output's own name.
    pub index: bool,
    /// Files next to them that look like parts, but are not from this run.
    pub stale: Vec<PathBuf>,
}

/// Something written to as it is, or compressed.
enum PackedWriter<W: Write> {
    Plain(BufWriter<W>),
    Gzip(Gzip<W>),
}

impl<W: Write> PackedWriter<W> {
    fn new(out: W, gzip: bool) -> PackedWriter<W> {
        match gzip {
            true => PackedWriter::Gzip(Gzip::new(out)),
            false => PackedWriter::Plain(BufWriter::with_capacity(1 << 16, out)),
        }
    }

    /// Writes all that waits.
    fn finish(self) -> io::Result<W> {
        match self {
            PackedWriter::Plain(out) => out.into_inner().map_err(io::IntoInnerError::into_error),
            PackedWriter::Gzip(out) => out.finish(),
        }
    }
}

impl<W: Write> Write for PackedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            PackedWriter::Plain(out) => out.write(bytes),
            PackedWriter::Gzip(out) => out.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match self {
            PackedWriter::Plain(out) => out.flush(),
            PackedWriter::Gzip(out) => out.flush(),
        }
    }
}

/// What the names of hidden temporaries begin with.
const HIDDEN: &str = ".transfeed-c-";

/// How files are made.
#[derive(Clone)]
pub struct FileOptions {
    /// They are compressed.
    pub gzip: bool,
    /// What the names of their temporaries begin with.
    pub prefix: Arc<str>,
    /// One of many: who publishes them sees to it that they are on the disk, and wants to know what is in them.
    pub many: bool,
    /// The temporaries of the run.
    pub temporaries: Temporaries,
}

impl FileOptions {
    /// A temporary in the folder of a file.
    fn hidden_file(&self, path: &Path) -> io::Result<PackedWriter<HiddenFile>> {
        let file = self.temporaries.create_next_to(path, &self.prefix)?;
        Ok(PackedWriter::new(HiddenFile { file, sum: self.many.then(Sha256::new) }, self.gzip))
    }

    /// All of it under its hidden name; the file itself is closed, as there may be many.
    fn complete(&self, file: PackedWriter<HiddenFile>) -> io::Result<CompleteFile> {
        let HiddenFile { file, sum } = file.finish()?;
        let stamp = match sum {
            Some(sum) => stamp(&file.as_file().metadata()?, &sum.finalize()),
            None => {
                file.as_file().sync_all()?;
                Stamp::default()
            }
        };
        Ok(CompleteFile { file: file.into_temp_path(), stamp })
    }
}

/// A temporary that is written to.
struct HiddenFile {
    file: NamedTempFile,
    sum: Option<Sha256>,
}

impl Write for HiddenFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        if let Some(sum) = &mut self.sum {
            sum.update(bytes.get(..written).unwrap_or_default());
        }
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A temporary that is complete.
struct CompleteFile {
    file: TempPath,
    stamp: Stamp,
}

/// The facts that show whether a file is unchanged.
pub fn stamp(meta: &Metadata, hash: &[u8]) -> Stamp {
    Stamp { size: meta.len(), mtime: changed(meta), hash: hex(hash) }
}

/// When a file was last changed, in nanoseconds since 1970; 0 if the system does not report it.
pub fn changed(meta: &Metadata) -> i64 {
    let Ok(time) = meta.modified() else { return 0 };
    let nanos = |span: Duration| i64::try_from(span.as_nanos()).unwrap_or(i64::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => nanos(since),
        Err(before) => -nanos(before.duration()),
    }
}

/// The parts of an output, each a hidden temporary beside its name until all are complete.
struct OutputFiles {
    path: PathBuf,
    how: FileOptions,
    complete: Vec<CompleteFile>,
    open: PackedWriter<HiddenFile>,
}

impl OutputFiles {
    fn create(path: PathBuf, how: FileOptions) -> io::Result<OutputFiles> {
        let open = how.hidden_file(&path)?;
        Ok(OutputFiles { path, how, complete: Vec::new(), open })
    }

    /// Begins another file; the one before is complete then.
    fn next(&mut self) -> io::Result<()> {
        let next = self.how.hidden_file(&self.path)?;
        let before = std::mem::replace(&mut self.open, next);
        self.complete.push(self.how.complete(before)?);
        Ok(())
    }

    fn restart(&mut self) -> io::Result<()> {
        self.complete.clear();
        self.open = self.how.hidden_file(&self.path)?;
        Ok(())
    }

    /// Completes all files, and finds out which names they will have: none of them is taken.
    fn ready(self, name: &str, set: &PartSet<'_>) -> Result<ReadyOutput, Error> {
        let OutputFiles { path, how, complete: mut files, open } = self;
        let wrong = |error| Error::io(name, error);
        files.push(how.complete(open).map_err(wrong)?);
        let part = |number| part_name(&path, set.format, how.gzip, number);
        let (name, temporaries) = (name.to_owned(), how.temporaries.clone());
        if files.len() == 1 {
            let published = PublishedFiles { stale: following(part, 1), ..PublishedFiles::default() };
            let moves = files.into_iter().map(|file| (file, path.clone())).collect();
            return Ok(ReadyOutput { name, moves, published, temporaries });
        }
        let parts: Vec<PathBuf> = (1..=files.len()).map(part).collect();
        let indexes = match set.index {
            Some(base) => indexes(&path, &how, base, &parts, set.parts).map_err(wrong)?,
            None => Vec::new(),
        };
        parts.iter().chain(indexes.iter().map(|(path, _)| path)).try_for_each(|path| is_free(path, &name, set))?;
        let mut stale = following(part, parts.len() + 1);
        let index = !indexes.is_empty();
        if !index && path.exists() {
            stale.push(path.clone());
        }
        // the first index has the name of the output: it is the last one to appear
        let indexes = indexes.into_iter().rev().map(|(path, file)| (file, path));
        let moves = files.into_iter().zip(parts.iter().cloned()).chain(indexes).collect();
        Ok(ReadyOutput { name, moves, published: PublishedFiles { parts, index, stale }, temporaries })
    }
}

/// An output that is complete, and has only to be given its names.
pub struct ReadyOutput {
    name: String,
    moves: Vec<(CompleteFile, PathBuf)>,
    published: PublishedFiles,
    temporaries: Temporaries,
}

impl ReadyOutput {
    /// The temporaries, which may have to be put on the disk yet.
    pub fn hidden_file(&self) -> impl Iterator<Item = &Path> {
        self.moves.iter().map(|(whole, _)| &*whole.file)
    }

    /// The names that it will have, and what is in each.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &Stamp)> {
        self.moves.iter().map(|(whole, path)| (path.as_path(), &whole.stamp))
    }

    /// Their documents, readable before they have their names.
    ///
    /// # Errors
    /// An I/O error.
    pub fn documents(&self) -> Result<Vec<InputSource>, Error> {
        let one = self.moves.len() == 1;
        let open = |(whole, path): &(CompleteFile, PathBuf)| {
            let name = if one { self.name.clone() } else { shown_part(&self.name, path) };
            InputSource::at(&whole.file, &name, None, &Progress::new(ProgressMode::Never))
        };
        self.moves.iter().map(open).collect()
    }

    /// Gives all files their names, the index last, so that all files it lists exist. They are on disk already.
    ///
    /// # Errors
    /// An I/O error.
    pub fn publish(self) -> Result<PublishedFiles, Error> {
        let _held = self.temporaries.hold();
        let one = self.moves.len() == 1;
        for (whole, path) in self.moves {
            rename(whole.file, &path).map_err(|error| match one {
                true => Error::io(self.name.as_str(), error),
                false => Error::io(shown_part(&self.name, &path), error),
            })?;
        }
        Ok(self.published)
    }
}

/// The name of a part, relative like the `output` that the user gave.
fn shown_part(output: &str, part: &Path) -> String {
    Path::new(output).with_file_name(part.file_name().unwrap_or_default()).display().to_string()
}

/// Whether a part can have this name.
fn is_free(path: &Path, output: &str, set: &PartSet<'_>) -> Result<(), Error> {
    let error = match path.metadata() {
        Ok(found) if found.is_dir() => Some("is a folder with the name of a part of the output"),
        Ok(found) if !found.is_file() => Some("cannot be replaced by a part of the output"),
        Ok(_) | Err(_) => None,
    };
    if let Some(says) = error {
        return Err(Error::io(shown_part(output, path), io::Error::other(says)));
    }
    if (set.taken)(path) {
        let says =
            format!("cannot write {}, a part of the output: it is an input or the report", shown_part(output, path));
        return Err(Error::format(says, "rename the output"));
    }
    Ok(())
}

/// Indexes of the parts, the first under the output's own name; more than one only where it cannot hold all.
fn indexes(
    path: &Path,
    how: &FileOptions,
    base: &str,
    names: &[PathBuf],
    parts: &[OutputPart],
) -> io::Result<Vec<(PathBuf, CompleteFile)>> {
    let children: Vec<_> = names.iter().map(PathBuf::as_path).zip(parts.iter().map(|part| part.lastmod)).collect();
    let write = |(number, index): (usize, Vec<u8>)| {
        let mut file = how.hidden_file(path)?;
        file.write_all(&index)?;
        Ok((index_name(path, how.gzip, number), how.complete(file)?))
    };
    sitemap::indexes(base, &children).enumerate().map(write).collect()
}

/// NAME-0001.xml, or NAME-0001.xml.gz.
fn part_name(path: &Path, format: Option<&Format>, gzip: bool, number: usize) -> PathBuf {
    numbered(path, format, gzip, &format!("-{number:04}"))
}

/// The files that exist under the names from this number on, up to the first that does not.
fn following(name: impl Fn(usize) -> PathBuf, from: usize) -> Vec<PathBuf> {
    (from..).map(name).take_while(|path| path.exists()).collect()
}

impl Output for OutputTarget {
    fn can_restart(&self) -> bool {
        matches!(self.place, Destination::Held(..) | Destination::Files(_))
    }
    fn restart(&mut self) -> io::Result<()> {
        match &mut self.place {
            Destination::Stream(_) => Err(io::ErrorKind::Unsupported.into()),
            Destination::Held(_, file, manner) => {
                *file = manner.held();
                Ok(())
            }
            Destination::Files(files) => files.restart(),
        }
    }
    fn can_split(&self) -> bool {
        matches!(self.place, Destination::Files(_))
    }
    fn next_part(&mut self) -> io::Result<()> {
        match &mut self.place {
            Destination::Stream(_) | Destination::Held(..) => Err(io::ErrorKind::Unsupported.into()),
            Destination::Files(files) => files.next(),
        }
    }
}

impl Write for OutputTarget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Destination::Stream(out) => out.write(bytes),
            Destination::Held(_, out, _) => out.write(bytes),
            Destination::Files(files) => files.open.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            Destination::Stream(out) => out.flush(),
            Destination::Held(_, out, _) => out.flush(),
            Destination::Files(files) => files.open.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_after_their_output() {
        for (name, format, gzip, part) in [
            ("a/pages.xml", "sitemap", false, "a/pages-0007.xml"),
            ("pages.xml", "sitemap", true, "pages-0007.xml.gz"),
            ("pages.xml.gz", "sitemap", true, "pages-0007.xml.gz"),
            ("feed.rss", "rss", false, "feed-0007.rss"),
            ("v1.2/pages", "sitemap", false, "v1.2/pages-0007.xml"),
            ("pages", "text", true, "pages-0007.txt.gz"),
            ("all", "jsonl", false, "all-0007.jsonl"),
            (".gz", "json", false, ".gz-0007.json"),
        ] {
            let format = crate::format::by_id(format);
            assert_eq!(part_name(Path::new(name), format, gzip, 7), Path::new(part), "{name}");
        }
        let last = part_name(Path::new("a.xml"), None, false, 12_345);
        assert_eq!(last, Path::new("a-12345.xml"));
    }

    #[test]
    fn an_index_holds_so_many_and_no_more() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("a.xml");
        let names: Vec<PathBuf> =
            (1..=sitemap::SITEMAPS_OF_INDEX + 1).map(|number| part_name(&path, None, false, number)).collect();
        let parts = vec![OutputPart::default(); names.len()];
        let how = FileOptions { gzip: false, prefix: HIDDEN.into(), many: false, temporaries: Temporaries::default() };
        let made = indexes(&path, &how, "https://pond.example/", &names, &parts).expect("two indexes");
        let count =
            |whole: &CompleteFile| std::fs::read_to_string(&whole.file).expect("an index").matches("<sitemap>").count();
        let found: Vec<_> = made.iter().map(|(name, file)| (name.file_name(), count(file))).collect();
        let name = |name: &'static str| Some(std::ffi::OsStr::new(name));
        assert_eq!(found, [(name("a.xml"), sitemap::SITEMAPS_OF_INDEX), (name("a-index-0002.xml"), 1)]);
    }
}
