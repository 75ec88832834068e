//! Converts an entry or a head to another format and reads the result back. Between two formats, a difference that a
//! conversion explains is not reported. Values are compared elsewhere.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::losses::FieldLosses;
use crate::code::Code;
use crate::convert::{Bytes, Document, EntryReader, RawEntry, omitted_videos, read_entry, settle};
use crate::emit::{Out, Style};
use crate::error::Error;
use crate::fate::{Fate, FateTable};
use crate::format::csv::split::TableSplitter;
use crate::format::medium::video_key;
use crate::format::{self, EntryDelimiter, Format, FormatWriter, Setup, Survey};
use crate::json::split::JsonDocumentSplitter;
use crate::ledger::{Books, ReaderChanges, why_unread};
use crate::model::origin::Preset;
use crate::model::origin::Syntax;
use crate::model::{Entry, Feed, Field, IntoOwned, Mark};
use crate::options::Options;
use crate::pages;
use crate::reason::Reason;
use crate::xml::chunk::{Chunk, Context, SplitLimits};
use crate::xml::split::{Cutter, Splitter};

/// The format of what a document holds: the model as JSON is what it was read from.
pub(super) fn format_of(document: &Document<'_>) -> &'static Format {
    format::family_format(document.format, &document.feed)
}

/// The fate table of a format; a format that is only read has that of its family's plain format.
pub(super) fn table(format: &'static Format) -> FateTable {
    let relative = || format::targets().find(|relative| relative.family == format.family);
    let writer = format.writer.or_else(|| relative()?.writer);
    writer.map_or(|_| Fate::NONE, |writer| writer.table(&Options::default()))
}

/// How many fields a format has a place for: of two formats the one with fewer is the one to compare in.
pub(super) fn richness(format: &'static Format) -> usize {
    let table = table(format);
    Field::ALL.iter().filter(|field| table(**field).name().is_some()).count()
}

/// From one document to one target.
pub(super) struct Projection<'d> {
    /// The head of the document.
    own: Cow<'d, Feed<'d>>,
    source: &'static Format,
    /// The format to convert to.
    pub target: &'static Format,
    writer: &'static dyn FormatWriter,
    options: &'d Options,
    /// Changes the reader made to the values of the head.
    read: Arc<ReaderChanges>,
    /// The fields of the head's values, by their marks.
    fields: Vec<(Mark, Field)>,
    survey: Survey,
    declared: Vec<(String, String)>,
    /// The head, as it reads in the target.
    pub feed: Feed<'static>,
    /// Dates of the head that had to be made.
    pub made: Vec<Field>,
    /// Values of the head that are omitted, unless entries use them.
    pub lost: FieldLosses,
    context: Arc<Context>,
    /// The conversion back, built on first use.
    back: OnceLock<Option<Box<Projection<'d>>>>,
}

/// The result of converting an entry.
#[derive(Default)]
pub(super) struct ProjectionOutcome {
    /// As it reads in the target: one, or several (rule A13).
    pub entries: Vec<Entry<'static>>,
    /// Dates that had to be generated: they show when a conversion ran.
    pub made: Vec<Field>,
    /// Why it was not written, if it was not.
    pub dropped: Option<&'static str>,
    /// The videos of it that were not written.
    pub videos: Vec<OmittedVideo>,
    /// Values of the entry that were omitted.
    pub lost: FieldLosses,
}

impl<'d> Projection<'d> {
    /// Whether a conversion makes one entry of those of one page.
    pub fn groups(&self) -> bool {
        self.target.groups(self.options).joins(self.source.family)
    }

    /// Prepares it; nothing for a target that is not written.
    pub fn new(
        document: &'d Document<'d>,
        target: &'static Format,
        options: &'d Options,
        known: &Survey,
    ) -> Option<Projection<'d>> {
        Projection::between(Cow::Borrowed(&document.feed), (format_of(document), target), options, known)
    }

    /// From what was written to what it was written from: what both formats can say, in the words of that one.
    pub fn back(&self) -> Option<&Projection<'d>> {
        let formats = (self.target, self.source);
        let back =
            || Projection::between(Cow::Owned(self.feed.clone()), formats, self.options, &self.survey).map(Box::new);
        self.back.get_or_init(back).as_deref()
    }

    fn between(
        own: Cow<'d, Feed<'d>>,
        (source, target): (&'static Format, &'static Format),
        options: &'d Options,
        known: &Survey,
    ) -> Option<Projection<'d>> {
        let writer = target.writer?;
        let survey = Survey { images: true, news: true, thumbnails: true, alternates: true, ..known.clone() };
        let survey = Survey { mobile: true, page_map: true, ..survey };
        let mut fields = Vec::new();
        own.each_leaf(&mut |seen| fields.push((seen.mark, seen.field)));
        fields.sort_unstable();
        let mut projection = Projection {
            read: Arc::new(ReaderChanges::from_records(&own.origin.records)),
            fields,
            own,
            source,
            target,
            writer,
            options,
            survey,
            declared: Vec::new(),
            feed: Feed::default(),
            made: Vec::new(),
            lost: FieldLosses::default(),
            context: Arc::default(),
            back: OnceLock::new(),
        };
        projection.declared = writer.namespaces(&projection.setup());
        projection.head();
        Some(projection)
    }

    fn setup(&self) -> Setup<'_> {
        Setup {
            source: self.source,
            target: self.target,
            same_family: Setup::same_family(self.source, self.target),
            options: self.options,
            feed: &self.own,
            own_feed: &self.own,
            survey: &self.survey,
        }
    }

    /// Writes the head and reads it.
    fn head(&mut self) {
        let (mut bytes, mut books) = (Vec::new(), Books::default());
        {
            let setup = self.setup();
            let style = setup.style(self.writer, &self.declared);
            books.open_feed(&self.read);
            self.writer.head(&self.own, &setup, &mut Out::new(&style, &mut bytes, &mut books, 0));
        }
        if self.target.family.is_lines() {
            return;
        }
        // the headings of a table are what is around its rows
        let around = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        bytes.extend_from_slice(self.target.family.empty_entry.unwrap_or_default().as_bytes());
        self.writer.tail(&self.setup(), &mut bytes);
        let input = Bytes { name: "", bytes: &bytes };
        if let Ok(document) = Document::open(&input, Some(self.target), self.options) {
            self.feed = document.feed;
        }
        let text = String::from_utf8_lossy(&bytes);
        let of_rows = || Arc::new(Context { tags: around, ..Context::default() });
        self.context = match self.target.family.syntax {
            Syntax::Row => of_rows(),
            _ => chunk_of(self.target, &text).map(|chunk| chunk.context).unwrap_or_default(),
        };
        self.made = made_dates(&books);
        let mut lost = FieldLosses::default();
        self.own.each_leaf(&mut |seen| {
            if let Some(why) = books.loss_reason(seen.mark) {
                lost.note(seen.field, why.text());
            }
        });
        self.lost = lost;
    }

    /// The markup around converted entries.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Converts an entry and reads the result back.
    pub fn entry(&self, entry: Entry<'_>) -> ProjectionOutcome {
        let mut writing = ProjectionWriter::new(self);
        let mut written = writing.entry(entry);
        let (made, videos) = (std::mem::take(&mut written.made), std::mem::take(&mut written.videos));
        let dropped = written.dropped;
        let mut reading = EntryReader::new(&self.context);
        let owned = |entries: &[Entry<'_>]| entries.iter().map(|entry| entry.clone().into_owned()).collect();
        let entries = self.read(writing.text(&written), &written, &mut reading, owned);
        let lost = writing.losses();
        ProjectionOutcome { entries, made, dropped, videos, lost }
    }

    /// Reads what was written, and shows it: one entry, several, or none.
    pub fn read<'t, R>(
        &'t self,
        text: &'t str,
        written: &ProjectedEntry,
        reading: &mut EntryReader<'t>,
        done: impl FnOnce(&[Entry<'_>]) -> R,
    ) -> R {
        if written.dropped.is_some() {
            return done(&[]);
        }
        if self.target.family.is_lines() {
            let lines = text.lines().filter_map(|line| self.write_one(line, &self.context, written.line, reading));
            return done(&lines.collect::<Vec<_>>());
        }
        if written.tops <= 1 {
            let read = self.write_one(text, &self.context, written.line, reading);
            return done(read.as_slice());
        }
        let around = &self.context.tags;
        let whole = match self.target.reader.cut() {
            EntryDelimiter::Json(lists) => lists.document(text),
            EntryDelimiter::Rows => format!("{around}\n{text}"),
            _ => format!("{around}{text}"),
        };
        let Some(chunk) = chunk_of(self.target, &whole) else { return done(&[]) };
        let mut reading = EntryReader::new(&chunk.context);
        let texts = chunk.pieces.iter().filter_map(|piece| chunk.text.get(piece.start..piece.end));
        let read = texts.filter_map(|text| self.write_one(text, &chunk.context, written.line, &mut reading));
        done(&read.collect::<Vec<_>>())
    }

    fn write_one<'t>(
        &'t self,
        text: &'t str,
        context: &'t Arc<Context>,
        line: u32,
        reading: &mut EntryReader<'t>,
    ) -> Option<Entry<'t>> {
        let around = format::around(Some(&self.feed), self.options);
        let raw = RawEntry { text, context, number: 0, line, column: 1 };
        read_entry(self.target, &raw, reading, around).ok()
    }
}

/// Entries written in the target, one after the other.
pub(super) struct ProjectionWriter<'p, 'd> {
    pub projection: &'p Projection<'d>,
    setup: Setup<'p>,
    style: Style<'p>,
    books: Books,
    bytes: Vec<u8>,
    /// Values omitted so far.
    lost: FieldLosses,
}

/// An entry as it was written.
pub(super) struct ProjectedEntry {
    /// The place of the entry in the written bytes.
    range: Range<usize>,
    /// How many entries it became.
    pub tops: u64,
    line: u32,
    /// Dates that had to be made.
    made: Vec<Field>,
    /// Why it was not written, if it was not.
    pub dropped: Option<&'static str>,
    /// The videos of it that were not written.
    pub videos: Vec<OmittedVideo>,
}

/// A video that a conversion drops.
#[derive(Clone, Debug)]
pub(super) struct OmittedVideo {
    /// Its key (rule A2.6), if it has one.
    pub key: Option<String>,
    /// Why it is dropped.
    pub why: &'static str,
}

impl<'p, 'd> ProjectionWriter<'p, 'd> {
    /// Nothing yet.
    pub fn new(projection: &'p Projection<'d>) -> ProjectionWriter<'p, 'd> {
        let setup = projection.setup();
        let style = setup.style(projection.writer, &projection.declared);
        let mut books = Books::default();
        books.open_feed(&projection.read);
        ProjectionWriter { projection, setup, style, books, bytes: Vec::new(), lost: FieldLosses::default() }
    }

    /// Writes an entry.
    pub fn entry(&mut self, mut entry: Entry<'_>) -> ProjectedEntry {
        let (source, target) = (self.projection.source, self.projection.target);
        settle(&mut entry, &self.setup, self.projection.writer);
        if target.joins_videos(source.family) && pages::repeats(&entry) {
            let mut joined = entry.into_owned();
            pages::join(&mut joined, Vec::new(), false);
            return self.write(&joined);
        }
        self.write(&entry)
    }

    fn write(&mut self, entry: &Entry<'_>) -> ProjectedEntry {
        let start = self.bytes.len();
        self.books.open(&entry.origin.records);
        let mut out = Out::new(&self.style, &mut self.bytes, &mut self.books, self.projection.target.family.depth());
        self.projection.writer.entry(entry, &self.setup, &mut out);
        let tops = out.open_level();
        let made = made_dates(&self.books);
        let says_nothing = self.bytes.get(start..).unwrap_or_default().trim_ascii().is_empty();
        let dropped = (self.books.dropped() || says_nothing)
            .then(|| self.books.dropped_for().unwrap_or(Reason::EmptyEntry).text());
        let videos = if entry.videos.is_empty() { Vec::new() } else { self.omitted_videos(entry, start, dropped) };
        if dropped.is_none() && (self.setup.same_family || self.books.has_losses()) {
            self.note_losses(entry);
        }
        ProjectedEntry { range: start..self.bytes.len(), tops, line: entry.line(), made, dropped, videos }
    }

    /// The videos that are not in what was written of an entry from `start` on. A format without a place for videos drops
    /// none, unless it has relatives with one.
    fn omitted_videos(&self, entry: &Entry<'_>, start: usize, dropped: Option<&str>) -> Vec<OmittedVideo> {
        let written = self.bytes.get(start..).filter(|_| dropped.is_none()).unwrap_or_default();
        let count = match written {
            [] => 0,
            written => self.projection.writer.videos(entry, written, &self.books),
        };
        let missing = entry.videos.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
        if missing == 0 {
            return Vec::new();
        }
        let Setup { source, target, .. } = self.setup;
        let is_relative = dropped.is_none() && source.family == target.family && !target.has_videos();
        omitted_videos(entry, &self.books, (!written.is_empty(), missing), (&self.setup, self.style.table))
            .into_iter()
            .filter(|(_, why)| is_relative || why.code() == Code::VideoDropped)
            .map(|(video, why)| OmittedVideo { key: video_key(video), why: why.text() })
            .collect()
    }

    fn note_losses(&mut self, entry: &Entry<'_>) {
        let (books, lost, setup) = (&self.books, &mut self.lost, &self.setup);
        let fates = table(setup.target);
        entry.each_leaf(&mut |seen| {
            let Some(record) = entry.origin.records.get(seen.mark.0 as usize) else { return };
            let is_related = || setup.same_family && !books.is_settled(seen.mark);
            let why = match record.preset {
                Preset::Implied | Preset::Merged(..) | Preset::Joined(..) | Preset::Removed(..) => None,
                Preset::Unread(of) if is_related() => Some(why_unread(of, fates)),
                // relatives write each other's modules, where they do
                Preset::Open | Preset::Adjusted(..) if is_related() => match fates(seen.field) {
                    Fate::Lost(why) => Some(why),
                    Fate::Native(_) | Fate::Near(..) => None,
                },
                Preset::Open | Preset::Adjusted(..) | Preset::Unread(_) => books.loss_reason(seen.mark),
            };
            if let Some(why) = why {
                lost.note(seen.field, why.text());
            }
        });
    }

    /// Values omitted from all entries so far, and from the parts of the head they use.
    pub fn losses(&self) -> FieldLosses {
        let (mut lost, fields) = (self.lost.clone(), &self.projection.fields);
        for mark in self.books.of_head() {
            let from = fields.partition_point(|(known, _)| *known < mark);
            let known = fields.iter().skip(from).take_while(|(known, _)| *known == mark);
            known.for_each(|(_, field)| lost.note_used(*field));
        }
        lost
    }

    /// The text of an entry; writers write only UTF-8.
    pub fn text(&self, written: &ProjectedEntry) -> &str {
        let bytes = self.bytes.get(written.range.clone()).unwrap_or_default();
        str::from_utf8(bytes).unwrap_or_default().trim()
    }

    /// Lets go of all texts.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }
}

/// Dates that a target requires and the source lacks.
fn made_dates(books: &Books) -> Vec<Field> {
    books.made_fields().filter(|(code, _)| *code == Code::SynthDate).map(|(_, field)| field).collect()
}

fn chunk_of(target: &Format, text: &str) -> Option<crate::xml::chunk::Chunk> {
    let limits = SplitLimits { entry: usize::MAX, head: usize::MAX, chunk: usize::MAX, ..SplitLimits::default() };
    let chunk = match target.reader.cut() {
        EntryDelimiter::Markup(shape) => Splitter::new(text.as_bytes(), shape, limits).next_chunk(),
        EntryDelimiter::Rows => TableSplitter::new(text.as_bytes(), limits).next_chunk_into(Chunk::default()),
        EntryDelimiter::Json(lists) => {
            JsonDocumentSplitter::new(text.as_bytes(), lists, limits).next_chunk_into(Chunk::default())
        }
        EntryDelimiter::Lines | EntryDelimiter::JsonLines | EntryDelimiter::Page(_) => Ok(None),
    };
    chunk.ok().flatten()
}

/// Reads an entry that waits as text.
///
/// # Errors
/// What the text is instead.
pub(super) fn read_text(
    document: &Document<'_>,
    raw: &RawEntry<'_>,
    options: &Options,
) -> Result<Entry<'static>, Error> {
    let read = read_entry(document.format, raw, &mut EntryReader::new(raw.context), document.around(options));
    read.map(IntoOwned::into_owned).map_err(|bad| {
        let (line, column) = crate::convert::bad_place(raw, &bad);
        crate::error::ErrorKind::Xml { line, column, says: bad.says }.into()
    })
}
