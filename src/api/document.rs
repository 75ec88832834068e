//! A document in memory: read, edited, written. And a document read entry by entry.

use std::collections::HashSet;
use std::io::Read;
use std::sync::Arc;

use super::edit::{self};
use super::input::{self, Input};
use super::part::Provenance;
use super::report::{Diagnostic, Report};
use super::target::{Format, Target};
use super::{Entry, Head};
use crate::api::original::{DocumentIdentity, EntryOriginal};
use crate::convert::{
    self, Bytes, DocumentItem, Entries, SourceInfo, UnreadableEntry, bad_diagnostic, diagnostic_of, json_lines,
    note_document, note_repairs,
};
use crate::diagnostic::is_cut_off;
use crate::error::Error;
use crate::format;
use crate::ledger::Ledger;
use crate::model;
use crate::options::Options;
use crate::xml::chunk::{Chunk, Context, Piece, Trouble};
use crate::xml::limits::TreeError;

/// A document in memory.
///
/// In every format, a document is a head and entries; every value is a plain member of a struct. [`Document::write`]
/// writes it in any format, by the same rules as the command `transfeed convert`, and reports each value that is not
/// in the output: also those that the program removed or changed since it was read.
///
/// ```
/// use transfeed::Target;
///
/// let feed = br#"<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><item>
///   <link>https://example.com/1</link>
///   <media:group>
///     <media:content url="https://example.com/1.mp4" bitrate="800"/>
///     <media:title>A lighthouse</media:title>
///     <media:thumbnail url="https://example.com/1.jpg"/>
///   </media:group>
///   <media:group><media:content url="https://example.com/ad.mp4"/><media:title>Buy!</media:title></media:group>
/// </item></channel></rss>"#;
///
/// let mut document = transfeed::read(feed)?;
/// for entry in &mut document.entries {
///     entry.videos.retain(|video| !video.files.iter().any(|file| file.url.as_deref() == Some("https://example.com/ad.mp4")));
///     for video in &mut entry.videos {
///         video.title = Some("The lighthouse".into());
///     }
/// }
/// let (sitemap, report) = document.write(Target::VIDEO_SITEMAP)?;
///
/// assert!(String::from_utf8(sitemap).unwrap().contains("<video:title>The lighthouse</video:title>"));
/// for loss in report.losses() {
///     println!("{loss}");
/// }
/// let removed = report.losses().filter(|loss| loss.reason == "removed by the calling program").count();
/// assert_eq!(removed, 2);
/// # Ok::<(), transfeed::Error>(())
/// ```
///
/// # Where values come from
///
/// A struct that was read has its place in the source (its `provenance`), so an unchanged value is reported with
/// its line, and an unchanged document is written as by the command, byte for byte, with the same
/// report. A value that was changed is reported as changed (`edited_by_caller`), one that was removed as lost
/// (`removed_by_caller`). An added value is treated as a value of the input: if the target has no element for it,
/// it is reported as lost.
///
/// Values of Media RSS for all videos of an item, or for all files of a video, are in the videos, and also on their level
/// (`Entry::media`, `File::media`). Edit the videos: the levels follow. Unrecognized markup keeps its place as long as
/// its entry exists.
///
/// # By hand
///
/// ```
/// use std::time::Duration;
/// use transfeed::{Document, Entry, File, Target, Thumbnail, Video};
///
/// let mut document = Document::default();
/// document.head.title = Some("Lighthouses".into());
/// document.entries.push(Entry {
///     title: Some("A lighthouse".into()),
///     videos: vec![Video {
///         description: Some("It turns.".into()),
///         duration: Some(Duration::from_secs(77)),
///         thumbnails: vec![Thumbnail::at("https://example.com/1.jpg")],
///         files: vec![File { kind: Some("video/mp4".into()), ..File::at("https://example.com/1.mp4") }],
///         ..Video::default()
///     }],
///     ..Entry::at("https://example.com/1")
/// });
/// let (sitemap, report) = document.write(Target::VIDEO_SITEMAP)?;
/// assert!(String::from_utf8(sitemap).unwrap().contains("<video:duration>77</video:duration>"));
/// assert_eq!(report.dropped(), 0);
/// # Ok::<(), transfeed::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The format it was read in; none for a new document, which is treated as one of its target format.
    pub format: Option<Format>,
    /// The head.
    pub head: Head,
    /// The pages, in order.
    pub entries: Vec<Entry>,
    /// The problems of the document, at most 10,000.
    pub diagnostics: Vec<Diagnostic>,
    /// Its place in the source; `Default::default()` for a new one.
    pub provenance: Provenance,
}

/// The original of a document that was read.
struct DocumentOriginal {
    identity: DocumentIdentity,
    format: &'static format::Format,
    info: SourceInfo,
    head: Option<Arc<EntryOriginal>>,
    trouble: Vec<Trouble>,
    untold: u64,
    items: Vec<DocumentParts>,
    options: Options,
}

/// The parts of a document that was read.
enum DocumentParts {
    Entry(Arc<EntryOriginal>),
    Bad(UnreadableEntry),
    Trouble(Trouble, Arc<Context>),
}

/// Reads a document: a file by its path, or bytes. Its format, encoding and compression are detected.
///
/// ```
/// let document = transfeed::read(b"https://example.com/a\nhttps://example.com/b\n")?;
/// let pages: Vec<&str> = document.entries.iter().filter_map(|entry| entry.loc.as_deref()).collect();
/// assert_eq!(pages, ["https://example.com/a", "https://example.com/b"]);
/// # Ok::<(), transfeed::Error>(())
/// ```
///
/// # Errors
/// A file that cannot be read, a document that is not a feed, or one whose head cannot be read. An entry that cannot be read
/// is skipped and listed in [`Document::diagnostics`].
pub fn read(input: impl Into<Input>) -> Result<Document, Error> {
    Document::read(input, None, &Options::default())
}

/// Reads a stream entry by entry; see [`Reader`].
///
/// # Errors
/// As [`read`], and errors of the stream.
pub fn reader(stream: impl Read) -> Result<Reader, Error> {
    Reader::open(Input::stream(stream)?, None, &Options::default())
}

impl Document {
    /// Reads a document as [`read`] does, in this format if given, with these options (`base`, limits …). It is
    /// written with them too.
    ///
    /// # Errors
    /// As [`read`].
    pub fn read(input: impl Into<Input>, from: Option<Format>, options: &Options) -> Result<Document, Error> {
        let mut reader = Reader::open(input, from, options)?;
        let mut entries = Vec::new();
        let mut items = Vec::new();
        while let Some(item) = reader.entries.next_item() {
            items.push(match item? {
                DocumentItem::Entry(entry) => {
                    let entry = reader.show(*entry, items.len());
                    let Some(mother) = entry.provenance.original::<model::Entry<'static>>() else { continue };
                    let known = DocumentParts::Entry(mother.clone());
                    entries.push(entry);
                    known
                }
                DocumentItem::Bad(unreadable) => {
                    reader.told.diagnostic(bad_diagnostic(&unreadable.raw(0), &unreadable.bad));
                    DocumentParts::Bad(unreadable)
                }
                DocumentItem::Trouble(trouble, context) => {
                    reader.told.diagnostic(diagnostic_of(&trouble, None));
                    DocumentParts::Trouble(trouble, context)
                }
            });
        }
        let diagnostics = reader.diagnostics().collect();
        let document = reader.entries.document();
        let whole = DocumentOriginal {
            identity: reader.identity.clone(),
            format: document.format,
            info: document.info.clone(),
            head: reader.head.provenance.original::<model::Feed<'static>>().cloned(),
            trouble: document.trouble.clone(),
            untold: document.untold,
            items,
            options: reader.options,
        };
        Ok(Document {
            format: Some(Format(whole.format)),
            head: reader.head,
            entries,
            diagnostics,
            provenance: Provenance::new(whole),
        })
    }

    /// Writes it in a format, and reports every value: the same bytes and books as those of the command
    /// `transfeed convert`.
    ///
    /// # Errors
    /// Limits of the target that the document exceeds, and `Unbalanced`, which is a bug of this library.
    pub fn write(&self, target: Target) -> Result<(Vec<u8>, Report), Error> {
        let read = self.provenance.get::<DocumentOriginal>();
        self.write_with(target, &read.map_or_else(Options::default, |read| read.options.clone()))
    }

    /// The same with other options than it was read with.
    ///
    /// # Errors
    /// As [`Document::write`].
    pub fn write_with(&self, target: Target, options: &Options) -> Result<(Vec<u8>, Report), Error> {
        let mut options = options.clone();
        options.now = options.now.or_else(input::now);
        let whole = self.provenance.get::<DocumentOriginal>();
        options.modified = options.modified.or_else(|| whole.and_then(|whole| whole.options.modified));
        let none = DocumentIdentity::default();
        let identity = whole.map_or(&none, |whole| &whole.identity);
        let (feed, head_marks) = edit::fill_head(&self.head, whole.and_then(|whole| whole.head.as_ref()));
        let mut given = PipelineInput::default();
        let items = whole.map_or(&[][..], |whole| &whole.items);
        let mut used: HashSet<usize> = HashSet::new();
        let own: Vec<Option<&Arc<EntryOriginal>>> = self
            .entries
            .iter()
            .map(|entry| edit::original_in::<model::Entry<'static>>(&entry.provenance, identity))
            // a clone's values are the caller's
            .map(|mother| mother.filter(|mother| used.insert(mother.position)))
            .collect();
        let mut next = 0;
        for (entry, mother) in self.entries.iter().zip(own) {
            if let Some(mother) = mother.filter(|mother| mother.position >= next) {
                given.rest(&items[next..mother.position], &used);
                next = mother.position + 1;
            }
            given.entry(|number| edit::fill_entry(entry, mother, Some(&head_marks), number));
        }
        given.rest(items.get(next..).unwrap_or_default(), &used);
        let (format, info, trouble) = match whole {
            Some(whole) => (whole.format, whole.info.clone(), (whole.trouble.clone(), whole.untold)),
            None => (target.0, made_by_hand(target.0), (Vec::new(), 0)),
        };
        let PipelineInput { chunks, entries } = given;
        let entries = Arc::new(entries);
        let nothing = Bytes { name: "-", bytes: b"" };
        let conversion = convert::Conversion::to(target.0).with(options.clone());
        let (mut out, mut lines) = (Vec::new(), Vec::new());
        let mut open = |_| {
            let held = (chunks.clone(), entries.clone());
            Ok(vec![convert::Document::held(&nothing, format, (info.clone(), feed.clone()), trouble.clone(), held)])
        };
        let summary = conversion.run_documents(&mut open, &mut out, Some(&mut lines))?;
        let profile = target.0.profile_name(&options);
        Ok((out, Report::from_summary(summary, target.0, profile, Some(&lines))))
    }
}

fn made_by_hand(format: &'static format::Format) -> SourceInfo {
    SourceInfo { name: "-".to_owned(), format: format.id.to_owned(), ..SourceInfo::default() }
}

/// Entries a chunk.
const CHUNK: usize = 256;

/// A document as the pipeline is given it.
#[derive(Default)]
struct PipelineInput {
    chunks: Vec<Chunk>,
    entries: Vec<Result<model::Entry<'static>, TreeError>>,
}

impl PipelineInput {
    fn entry(&mut self, entry: impl FnOnce(u64) -> model::Entry<'static>) {
        let is_full =
            |chunk: &Chunk| !chunk.text.is_empty() || !chunk.trouble.is_empty() || chunk.pieces.len() >= CHUNK;
        if self.chunks.last().is_none_or(is_full) {
            self.chunk(Chunk::default());
        }
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.pieces.push(Piece { start: 0, end: 0, line: 0, column: 0 });
        }
        let number = self.entries.len() as u64;
        self.entries.push(Ok(entry(number)));
    }

    fn chunk(&mut self, chunk: Chunk) {
        self.chunks.push(Chunk { first: self.entries.len() as u64, ..chunk });
    }

    /// Entries of the source that are not in the document: unreadable ones, and removed ones.
    fn rest(&mut self, items: &[DocumentParts], used: &HashSet<usize>) {
        for item in items {
            match item {
                // it comes later
                DocumentParts::Entry(mother) if used.contains(&mother.position) => (),
                DocumentParts::Entry(mother) => self.entry(|number| edit::removed(mother, number)),
                DocumentParts::Bad(UnreadableEntry { text, context, line, column, bad }) => {
                    let pieces = vec![Piece { start: 0, end: text.len(), line: *line, column: *column }];
                    let (text, context) = (text.clone(), context.clone());
                    self.chunk(Chunk { text, pieces, context, ..Chunk::default() });
                    self.entries.push(Err(bad.clone()));
                }
                DocumentParts::Trouble(trouble, context) => {
                    let (trouble, context) = (vec![trouble.clone()], context.clone());
                    self.chunk(Chunk { trouble, context, ..Chunk::default() });
                }
            }
        }
    }
}

/// The entries of a document one by one, in constant memory.
///
/// ```
/// let stream = std::io::Cursor::new("https://example.com/a\nhttps://example.com/b\n");
/// let mut reader = transfeed::reader(stream)?;
/// assert_eq!(reader.format(), transfeed::Format::TEXT);
/// let first = reader.next().unwrap()?;
/// assert_eq!(first.loc.as_deref(), Some("https://example.com/a"));
/// assert_eq!(reader.count(), 1);
/// # Ok::<(), transfeed::Error>(())
/// ```
///
/// An entry that cannot be read is an error; the following ones are still read. A document that was cut off ends with an
/// error, unless the options [accept it](Options::accept_truncated). To write edited entries without
/// holding them, use [`Conversion::map`](crate::Conversion::map).
pub struct Reader {
    entries: Entries<'static>,
    identity: DocumentIdentity,
    head: Head,
    told: Ledger,
    options: Options,
    read: usize,
    /// That the document was cut off was returned as an error.
    is_refused: bool,
}

impl Reader {
    /// Reads a file by its path, or bytes, in this format if given, with these options.
    ///
    /// # Errors
    /// As [`read`].
    pub fn open(input: impl Into<Input>, from: Option<Format>, options: &Options) -> Result<Reader, Error> {
        let mut input = input.into();
        if let Some(folder) = &options.temp_dir {
            input = input.copied_in(folder);
        }
        let input = input.lasting();
        let mut options = options.clone();
        options.modified = options.modified.or_else(|| input.modified());
        let from = from.map(|format| format.0);
        let entries = Entries::opened(convert::OpenedInput::Held(input.clone()), from, options.clone());
        let entries = entries.map_err(|error| error.in_input(input.name()))?;
        let identity = DocumentIdentity::default();
        let mut told = Ledger::default();
        note_document(entries.document(), &mut told);
        let head = edit::show_head(entries.feed().clone(), &identity);
        Ok(Reader { entries, identity, head, told, options, read: 0, is_refused: false })
    }

    /// The format of the document.
    pub fn format(&self) -> Format {
        Format(self.entries.format())
    }

    /// The head.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The problems of the document so far, at most 10,000.
    pub fn diagnostics(&self) -> impl Iterator<Item = Diagnostic> {
        self.told.diagnostics().iter().map(Diagnostic::from_ledger)
    }

    fn next_entry(&mut self) -> Option<Result<model::Entry<'static>, Error>> {
        loop {
            let item = match self.entries.next_item() {
                Some(Ok(item)) => item,
                Some(Err(error)) => return Some(Err(error)),
                None => {
                    let mut trouble = self.entries.document().trouble.iter();
                    let cut = trouble.find(|trouble| is_cut_off(trouble.code))?.clone();
                    return self.refusal(&cut).map(Err);
                }
            };
            if let DocumentItem::Trouble(trouble, _) = &item {
                self.told.diagnostic(diagnostic_of(trouble, None));
                if is_cut_off(trouble.code) {
                    match self.refusal(trouble) {
                        Some(error) => return Some(Err(error)),
                        None => continue,
                    }
                }
            }
            if let Some(read) = item.entry() {
                self.read += 1;
                let name = &self.entries.document().info.name;
                return Some(read.map_err(|error| error.in_input(name)));
            }
        }
    }

    /// That the document was cut off, once, unless the options accept it.
    fn refusal(&mut self, cut: &Trouble) -> Option<Error> {
        let is_told = std::mem::replace(&mut self.is_refused, true);
        let name = &self.entries.document().info.name;
        (!is_told && !self.options.accept_truncated)
            .then(|| convert::cut_off((cut.line, cut.column), &cut.found).in_input(name))
    }

    /// The head as the first line of `jsonl`, without its line feed.
    pub fn head_json(&self) -> Vec<u8> {
        json_lines::head_line(self.entries.document(), &self.options)
    }

    /// The next entry as a line of `jsonl`, without its line feed, for programs in other languages. Afterwards,
    /// [`Reader::next`] returns the entry that follows it.
    ///
    /// # Errors
    /// As those of the iterator.
    pub fn next_json(&mut self) -> Option<Result<Vec<u8>, Error>> {
        let entry = self.next_entry()?;
        Some(entry.map(|entry| {
            note_repairs(&entry, &mut self.told);
            json_lines::entry_line(self.entries.document(), &self.options, entry)
        }))
    }

    fn show(&mut self, entry: model::Entry<'static>, position: usize) -> Entry {
        note_repairs(&entry, &mut self.told);
        edit::show_entry(entry, &self.identity, position)
    }
}

impl Iterator for Reader {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.next_entry()?;
        Some(entry.map(|entry| self.show(entry, self.read)))
    }
}

impl std::iter::FusedIterator for Reader {}
