//! An input whose format and head are known: the first pass over it. How entries are read is in `read`.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::edits::{Edits, EntryMap, HeldEntries};
use super::read::{EntryReader, RawEntry, raw_entry, read_entry_into, read_feed};
use super::recognise::{forced, recognise};
use super::trouble::{limit, unreadable};
use crate::convert::input::{Input, SourceInfo};
use crate::detect::{self, DocumentKind};
use crate::error::Error;
use crate::format::csv::split::TableSplitter;
use crate::format::json::split::ByLine;
use crate::format::ns::dialect;
use crate::format::text::split::List;
use crate::format::{self, EntryDelimiter, Format, ReadContext};
use crate::json::names::DecodedNames;
use crate::json::nested::FindEntries;
use crate::json::page_split::PageSplitter;
use crate::json::split::JsonDocumentSplitter;
use crate::model::origin::Syntax;
use crate::model::{Date, Entry, Feed, IntoOwned};
use crate::options::Options;
use crate::select::{self, SelectionCounter};
use crate::xml::chunk::{Chunk, SplitLimits, Trouble};
use crate::xml::decode::{self, DecodeFindings, DecodedStream};
use crate::xml::limits::TreeError;
use crate::xml::scope::Scope;
use crate::xml::split::{Cutter, Frame, LineSplitter, Shape, Splitter};

/// An input whose format and head are known.
pub struct Document<'i> {
    pub(crate) input: OpenedInput<'i>,
    /// Its format.
    pub format: &'static Format,
    /// What reports say of it.
    pub info: SourceInfo,
    /// The head.
    pub feed: Feed<'static>,
    shape: Option<Shape>,
    /// Each line of a list is an entry, even if it is not a URL.
    by_line: bool,
    pub(crate) trouble: Vec<Trouble>,
    /// Problems not listed in `trouble`.
    pub(crate) untold: u64,
    /// The input is valid UTF-8 from beginning to end.
    clean: bool,
    /// Only the beginning was read; the head is known from it.
    pub(crate) begun: bool,
    /// How its bytes are packed and what they say of themselves.
    pub(crate) wrapping: Wrapping,
    /// Entries from this number on are not read.
    pub(super) until: Option<u64>,
    /// Bytes of the whole, as UTF-8; known when all of it was read once.
    pub(crate) bytes: Arc<AtomicU64>,
    /// All of it, if it is short and was read whole while its head was looked for.
    held: Option<BufferedDocument>,
    /// The first entries of a document that was only begun.
    first: Option<Chunk>,
    /// Its name, where there are several documents.
    pub(crate) label: Option<Arc<str>>,
    /// Changes to apply to its entries when they are read.
    pub(super) edits: Edits,
    /// The options exclude entries or values.
    selects: bool,
    /// The number of the first entry that is beyond `--limit`.
    end: Option<u64>,
    /// The options to read it with, if its own URL resolves relative ones.
    own: Option<Box<Options>>,
}

/// An input, lent for as long as it is read, or held.
#[derive(Clone)]
pub(crate) enum OpenedInput<'i> {
    Lent(&'i dyn Input),
    Held(Arc<dyn OwnedInput>),
}

/// An input whose readers need nobody to hold it.
pub(crate) trait OwnedInput: Send + Sync {
    /// The name in messages.
    fn name(&self) -> &str;
    /// Opens a new reader at the beginning.
    ///
    /// # Errors
    /// An I/O error.
    fn open(&self) -> io::Result<Box<dyn Read + Send>>;
    /// The file it is read from, if it is one.
    fn path(&self) -> Option<&Path> {
        None
    }
    /// The check that ends a run by its error.
    fn check(&self) -> Option<&(dyn Fn() -> io::Result<()> + Send + Sync)> {
        None
    }
    /// A copy that it needs is stored in this folder.
    fn store_copy_in(&self, _folder: &Path) {}
    /// The URL it came from, as [`Input::base`].
    fn base(&self) -> Option<&str> {
        None
    }
    /// The encoding that its server named, as [`Input::charset`].
    fn charset(&self) -> Option<&str> {
        None
    }
    /// When it was last changed, if that is known.
    fn modified(&self) -> Option<Date> {
        None
    }
}

impl<'i> OpenedInput<'i> {
    pub fn name(&self) -> &str {
        match self {
            OpenedInput::Lent(input) => input.name(),
            OpenedInput::Held(input) => input.name(),
        }
    }

    fn base(&self) -> Option<&str> {
        match self {
            OpenedInput::Lent(input) => input.base(),
            OpenedInput::Held(input) => input.base(),
        }
    }

    fn charset(&self) -> Option<&str> {
        match self {
            OpenedInput::Lent(input) => input.charset(),
            OpenedInput::Held(input) => input.charset(),
        }
    }

    fn given_base(&self) -> Option<&str> {
        match self {
            OpenedInput::Lent(input) => input.given_base(),
            OpenedInput::Held(_) => None,
        }
    }

    fn open(&self) -> io::Result<Box<dyn Read + Send + 'i>> {
        match self {
            OpenedInput::Lent(input) => input.open(),
            OpenedInput::Held(input) => Ok(input.open()?),
        }
    }
}

/// A short document in memory: it is decoded and cut once, however often it is asked for.
struct BufferedDocument {
    chunks: Vec<Chunk>,
    frame: Frame,
    findings: DecodeFindings,
}

/// Hands out what is held.
struct BufferedChunks {
    chunks: std::vec::IntoIter<Chunk>,
    frame: Frame,
}

impl Cutter for BufferedChunks {
    fn next_chunk_into(&mut self, _: Chunk) -> io::Result<Option<Chunk>> {
        Ok(self.chunks.next())
    }
    fn frame(self: Box<Self>) -> Frame {
        self.frame
    }
}

/// Chunks of a document that is held: entries that cannot be read end one.
const HELD: usize = 16;

/// What a document decodes to.
type DecodedText<'i> = DecodedStream<Box<dyn Read + Send + 'i>>;

/// How the bytes of a document are packed, and what they say of themselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wrapping {
    /// The version of its format, where that has one.
    pub version: String,
    /// The encoding that the XML declaration names.
    pub declared: Option<String>,
    /// It begins with a byte order mark.
    pub mark: bool,
    /// It is compressed.
    pub gzip: bool,
}

/// Counts what is read.
struct CountingReader<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// How the head of a document longer than one chunk is read.
#[derive(Clone, Copy, PartialEq)]
enum LongDocument {
    /// From the text before the first entries.
    Begun,
    /// All of it is read for its head.
    Read,
}

impl<'i> Document<'i> {
    /// Finds out what the input is and reads its head.
    ///
    /// # Errors
    /// Unreadable, unknown, or with a head that cannot be read.
    pub fn open(input: &'i dyn Input, from: Option<&'static Format>, options: &Options) -> Result<Document<'i>, Error> {
        Document::opened(OpenedInput::Lent(input), from, options)
    }

    /// The same of an input that is lent or held.
    ///
    /// # Errors
    /// See [`Document::open`].
    pub(crate) fn opened(
        input: OpenedInput<'i>,
        from: Option<&'static Format>,
        options: &Options,
    ) -> Result<Document<'i>, Error> {
        let (mut document, _) = Document::recognised(input, from, options)?;
        document.read_head(options)?;
        Ok(document)
    }

    /// The same; a document that is shorter than a chunk is kept, so that it is read once.
    ///
    /// # Errors
    /// See [`Document::open`].
    pub(super) fn keep(
        input: &'i dyn Input,
        from: Option<&'static Format>,
        options: &Options,
    ) -> Result<Document<'i>, Error> {
        Document::from_beginning(input, from, options, LongDocument::Read)
    }

    fn from_beginning(
        input: &'i dyn Input,
        from: Option<&'static Format>,
        options: &Options,
        long: LongDocument,
    ) -> Result<Document<'i>, Error> {
        let (mut document, decoded) = Document::recognised(OpenedInput::Lent(input), from, options)?;
        if !document.read_beginning(decoded, options, long)? {
            document.read_head(options)?;
        }
        Ok(document)
    }

    /// The same for the rules, which look at each line of a list: with the document without its entries. For a long document in
    /// one of the `late` formats that is left to a pass over the entries, which must end with [`Document::end`].
    ///
    /// # Errors
    /// See [`Document::open`].
    pub(crate) fn whole(
        input: &'i dyn Input,
        from: Option<&'static Format>,
        options: &Options,
        late: fn(&Format) -> bool,
    ) -> Result<(Document<'i>, Option<Frame>), Error> {
        let (mut document, decoded) = Document::recognised(OpenedInput::Lent(input), from, options)?;
        document.by_line = true;
        if late(document.format) && document.read_beginning(decoded, options, LongDocument::Begun)? {
            let frame = document.held.as_ref().map(|held| held.frame.clone());
            return Ok((document, frame));
        }
        let frame = document.read_head(options)?;
        Ok((document, Some(frame)))
    }

    /// Takes over what a pass over the entries found out about the rest of a document that was only begun.
    ///
    /// # Errors
    /// See [`Document::open`].
    pub(crate) fn end(&mut self, frame: &Frame, findings: &DecodeFindings, options: &Options) -> Result<(), Error> {
        self.begun = false;
        stops(frame)?;
        self.close_head(frame, findings, options)
    }

    /// What it is, and no more.
    ///
    /// # Errors
    /// Unreadable or unknown.
    pub(crate) fn open_briefly(
        input: &'i dyn Input,
        from: Option<&'static Format>,
        options: &Options,
    ) -> Result<Document<'i>, Error> {
        Document::recognised(OpenedInput::Lent(input), from, options).map(|(document, _)| document)
    }

    /// The same without reading more than the first entries, where nothing is odd so far: for who reads the entries to
    /// the end and then asks whether that [`was all`](Document::was_all).
    ///
    /// # Errors
    /// See [`Document::open`].
    pub(crate) fn begin(
        input: &'i dyn Input,
        from: Option<&'static Format>,
        options: &Options,
    ) -> Result<Document<'i>, Error> {
        Document::from_beginning(input, from, options, LongDocument::Begun)
    }

    /// What it is, and its text from the beginning.
    fn recognised(
        input: OpenedInput<'i>,
        from: Option<&'static Format>,
        options: &Options,
    ) -> Result<(Document<'i>, DecodedText<'i>), Error> {
        let mut decoded = decoded(&input, options)?;
        let prefix = decoded.peek().map_err(|error| unreadable(input.name(), error))?;
        let kind = detect::detect(&prefix.text, prefix.complete);
        let damage = |row: &Trouble| matches!(row.code, "gzip.corrupt" | "gzip.truncated");
        if kind == DocumentKind::Empty && decoded.findings().trouble().0.iter().any(damage) {
            let hint = "pass a whole gzip stream, or the document without compression";
            return Err(Error::format("a damaged gzip stream, of which nothing can be decompressed", hint));
        }
        let format = match from {
            Some(format) => forced(&kind, &prefix.text, format).map(|()| format)?,
            None => recognise(&kind, &prefix.text, options.videos_from_html)?,
        };
        let shape = match (format.reader.cut(), &kind) {
            (EntryDelimiter::Markup(_), DocumentKind::AtomEntry) => Some(Shape::ATOM_ENTRY),
            (EntryDelimiter::Markup(_), DocumentKind::YandexVideo { nested: false }) => Some(Shape::YANDEX_VIDEO),
            (EntryDelimiter::Markup(shape), _) => Some(shape),
            (
                EntryDelimiter::Lines
                | EntryDelimiter::Rows
                | EntryDelimiter::Json(_)
                | EntryDelimiter::JsonLines
                | EntryDelimiter::Page(_),
                _,
            ) => None,
        };
        let info = SourceInfo {
            name: input.name().to_owned(),
            format: format.id.to_owned(),
            encoding: decoded.encoding_name().to_owned(),
            dialect: String::new(),
        };
        let feed = Feed::default();
        let (trouble, untold) = (Vec::new(), 0);
        let wrapping = Wrapping {
            version: kind.version().to_owned(),
            declared: decoded.declared(),
            mark: decoded.has_mark(),
            gzip: decoded.findings().gzip(),
        };
        let (clean, begun, until) = (false, false, None);
        let base = input.given_base().or_else(|| input.base().filter(|_| options.base.is_none())).map(str::to_owned);
        let own = base.map(|base| Box::new(Options { base: Some(base), ..options.clone() }));
        let document = Document {
            input,
            format,
            info,
            feed,
            shape,
            by_line: false,
            trouble,
            untold,
            clean,
            begun,
            wrapping,
            until,
            bytes: Arc::default(),
            held: None,
            first: None,
            label: None,
            edits: Edits::None,
            selects: false,
            end: None,
            own,
        };
        Ok((document, decoded))
    }

    /// A document that the caller holds, as it was read: its entries are `given` by their numbers, which those of the chunks
    /// follow.
    pub(crate) fn held(
        input: &'i dyn Input,
        format: &'static Format,
        (info, feed): (SourceInfo, Feed<'static>),
        (trouble, untold): (Vec<Trouble>, u64),
        (chunks, given): (Vec<Chunk>, HeldEntries),
    ) -> Document<'i> {
        Document {
            input: OpenedInput::Lent(input),
            format,
            info,
            feed,
            shape: None,
            by_line: false,
            trouble,
            untold,
            clean: true,
            begun: false,
            wrapping: Wrapping::default(),
            until: None,
            bytes: Arc::default(),
            held: Some(BufferedDocument { chunks, frame: Frame::default(), findings: DecodeFindings::default() }),
            first: None,
            label: None,
            edits: Edits::Given(given),
            selects: false,
            end: None,
            own: None,
        }
    }

    /// The options to read it with: these, or with the URL that it came from.
    fn reading_options<'o>(&'o self, options: &'o Options) -> &'o Options {
        self.own.as_deref().unwrap_or(options)
    }

    /// What its reader has to know of it to read an entry.
    pub(crate) fn around<'o>(&'o self, options: &'o Options) -> ReadContext<'o> {
        format::around(Some(&self.feed), self.reading_options(options))
    }

    /// Whether all of it is in memory: so little that one thread does it.
    pub(super) fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// All its entries, if they are in memory in one piece.
    pub(super) fn held_chunk(&self) -> Option<&Chunk> {
        match self.held.as_ref().map(|held| held.chunks.as_slice()) {
            Some([chunk]) => Some(chunk),
            Some(_) | None => None,
        }
    }

    /// The entries that it begins with, if they are in memory while the others are not.
    pub(super) fn first_chunk(&self) -> Option<&Chunk> {
        self.first.as_ref()
    }

    /// Whether it is an index of sitemaps, whose entries are not pages.
    pub(crate) fn is_index(&self) -> bool {
        format::family_format(self.format, &self.feed).id == "sitemap-index"
    }

    pub(super) fn decoded(&self, options: &Options) -> Result<DecodedText<'i>, Error> {
        decoded(&self.input, options)
    }

    /// Adds the input's name to reports from now on, because there are several inputs.
    pub(crate) fn label(&mut self) {
        let name: Arc<str> = self.info.name.as_str().into();
        for part in &mut self.feed.origin.parts {
            Arc::make_mut(&mut part.context).input = Some(name.clone());
        }
        self.label = Some(name);
        if let Some(mut held) = self.held.take() {
            held.chunks.iter_mut().for_each(|chunk| self.sign(chunk));
            self.held = Some(held);
        }
        if let Some(mut first) = self.first.take() {
            self.sign(&mut first);
            self.first = Some(first);
        }
    }

    /// Adds the input's name to a chunk, if there are several inputs.
    pub(super) fn sign(&self, chunk: &mut Chunk) {
        if self.label.is_some() && chunk.context.input != self.label {
            Arc::make_mut(&mut chunk.context).input.clone_from(&self.label);
        }
    }

    pub(crate) fn cutter(&self, options: &Options) -> Result<Box<dyn Cutter + Send + 'i>, Error> {
        self.watched(options).map(|(cutter, _)| cutter)
    }

    /// The same, with what will be found out about the bytes.
    pub(crate) fn watched(&self, options: &Options) -> Result<(Box<dyn Cutter + Send + 'i>, DecodeFindings), Error> {
        if let Some(held) = &self.held {
            let again = BufferedChunks { chunks: held.chunks.clone().into_iter(), frame: held.frame.clone() };
            return Ok((Box::new(again), held.findings.clone()));
        }
        let decoded = self.decoded(options)?;
        let findings = decoded.findings();
        let decoded = if self.clean { decoded.trust_utf8() } else { decoded };
        if !self.begun {
            return Ok((self.cut(decoded, options, true), findings));
        }
        self.bytes.store(0, Ordering::Relaxed);
        let counted = CountingReader { inner: decoded, count: Arc::clone(&self.bytes) };
        Ok((self.cut(counted, options, true), findings))
    }

    /// Of the first pass the `entries` are not wanted.
    fn cut<R>(&self, decoded: R, options: &Options, entries: bool) -> Box<dyn Cutter + Send + 'i>
    where
        R: Read + Send + 'i,
    {
        let limits = crate::xml::chunk::SplitLimits {
            entry: options.limits.entry,
            head: options.limits.head,
            depth: options.limits.tree.depth,
            chunk: options.limits.chunk,
            line: options.limits.line,
        };
        // what a line becomes is several times as long, and so is what is noted of it
        let lists = SplitLimits { chunk: limits.chunk / 4, ..limits.clone() };
        match (&self.shape, self.format.family.syntax) {
            (Some(shape), _) => {
                let mut splitter = Splitter::new(decoded, shape.clone(), limits);
                splitter.collect_entries(entries);
                Box::new(splitter)
            }
            (None, Syntax::Json) => match self.format.reader.cut() {
                EntryDelimiter::Json(lists) => {
                    let splitter = JsonDocumentSplitter::new(decoded, lists, limits);
                    Box::new(DecodedNames(splitter.within(options.limits.tree)))
                }
                _ => Box::new(DecodedNames(ByLine::new(decoded, limits))),
            },
            (None, Syntax::Row) => Box::new(TableSplitter::new(decoded, limits)),
            (None, Syntax::Html) => {
                let find: FindEntries = match self.format.reader.cut() {
                    EntryDelimiter::Page(find) => find,
                    _ => |_, _| Vec::new(),
                };
                Box::new(PageSplitter::new(decoded, limits, find, options.limits.tree))
            }
            (None, _) if self.by_line => Box::new(LineSplitter::new(decoded, lists)),
            (None, _) => Box::new(List::new(decoded, lists)),
        }
    }

    /// Reads all of a short document, or the head of a long one up to the first entries; `false` if the head cannot be
    /// determined from either.
    fn read_beginning(
        &mut self,
        decoded: DecodedText<'i>,
        options: &Options,
        long: LongDocument,
    ) -> Result<bool, Error> {
        if self.format.family.syntax == Syntax::Json {
            return Ok(false);
        }
        let findings = decoded.findings();
        let count = Arc::default();
        let mut cutter = self.cut(CountingReader { inner: decoded, count: Arc::clone(&count) }, options, true);
        let (mut chunks, mut size) = (Vec::new(), 0);
        let mut next = || cutter.next_chunk_into(Chunk::default());
        while let Some(chunk) = next().map_err(|error| unreadable(self.input.name(), error))? {
            size += chunk.text.len();
            chunks.push(chunk);
            if size >= options.limits.chunk || chunks.len() > HELD {
                return Ok(long == LongDocument::Begun && self.begin_with(chunks, &cutter.frame(), &findings, options));
            }
        }
        let frame = cutter.frame();
        if chunks.is_empty() || frame.stopped {
            return Ok(false);
        }
        self.close_head(&frame, &findings, options)?;
        self.held = Some(BufferedDocument { chunks, frame, findings });
        self.bytes = count;
        Ok(true)
    }

    /// Takes the head of a long document from what is around its first entries; `false` if something there is odd.
    fn begin_with(&mut self, chunks: Vec<Chunk>, frame: &Frame, findings: &DecodeFindings, options: &Options) -> bool {
        let (trouble, untold) = findings.trouble();
        let is_bad = !trouble.is_empty() || untold > 0 || chunks.iter().any(|chunk| !chunk.trouble.is_empty());
        // where some lines of a list are no URLs, more of them follow
        if is_bad || is_odd(frame) || self.format.family.is_lines() && !frame.text.is_empty() {
            return false;
        }
        let Ok(feed) = self.head(frame, options) else { return false };
        self.feed = feed;
        self.info.dialect = self.dialect(frame);
        findings.encoding().clone_into(&mut self.info.encoding);
        self.begun = true;
        self.first = chunks.into_iter().next();
        true
    }

    /// Whether a document of which only the beginning was known held no more of a head, and nothing odd in its bytes.
    pub(crate) fn was_all(&self, frame: &Frame, findings: &DecodeFindings, options: &Options) -> bool {
        let (trouble, untold) = findings.trouble();
        if !trouble.is_empty() || untold > 0 || is_odd(frame) || findings.encoding() != self.info.encoding {
            return false;
        }
        let Ok(feed) = self.head(frame, options) else { return false };
        let is_same = |one: &Feed<'_>, other: &Feed<'_>| {
            let (one, other) = (&one.origin, &other.origin);
            let records = one.records.iter().map(|record| record.at).eq(other.records.iter().map(|record| record.at));
            records && one.remarks.len() == other.remarks.len() && one.untold == other.untold
        };
        feed == self.feed && is_same(&feed, &self.feed) && self.dialect(frame) == self.info.dialect
    }

    fn head(&self, frame: &Frame, options: &Options) -> Result<Feed<'static>, Error> {
        match self.format.family.syntax {
            Syntax::Json => Ok(Feed::default()),
            Syntax::Xml | Syntax::Line | Syntax::Row | Syntax::Html => {
                read_feed(self.format, frame, self.reading_options(options))
            }
        }
    }

    fn dialect(&self, frame: &Frame) -> String {
        if self.shape.is_none() {
            return String::new();
        }
        let scope = Scope::from_tags(&frame.text);
        dialect::names(scope.bindings.iter().map(|binding| binding.uri), &self.feed)
    }

    /// The first pass: everything but the entries, and what is wrong with the bytes.
    fn read_head(&mut self, options: &Options) -> Result<Frame, Error> {
        let decoded = self.decoded(options)?;
        let findings = decoded.findings();
        let counted = CountingReader { inner: decoded, count: Arc::clone(&self.bytes) };
        let mut cutter = self.cut(counted, options, false);
        let mut spent = Chunk::default();
        while let Some(chunk) =
            cutter.next_chunk_into(std::mem::take(&mut spent)).map_err(|error| unreadable(self.input.name(), error))?
        {
            spent = chunk;
        }
        let frame = cutter.frame();
        stops(&frame)?;
        self.close_head(&frame, &findings, options)?;
        Ok(frame)
    }

    /// Takes over what a pass over the whole found out.
    fn close_head(&mut self, frame: &Frame, findings: &DecodeFindings, options: &Options) -> Result<(), Error> {
        self.note_bytes(findings);
        self.feed = read_feed(self.format, frame, self.reading_options(options))?;
        self.info.dialect = self.dialect(frame);
        self.trouble.extend(frame.trouble.iter().cloned());
        Ok(())
    }

    fn note_bytes(&mut self, findings: &DecodeFindings) {
        let (trouble, untold) = findings.trouble();
        self.trouble.extend(trouble);
        self.untold += untold;
        self.clean = findings.is_clean();
        self.info.encoding = findings.encoding().to_owned();
    }
}

/// A document without its entries that passes a limit costs all of it.
fn stops(frame: &Frame) -> Result<(), Error> {
    if !frame.stopped {
        return Ok(());
    }
    let worst = frame.trouble.iter().rev().find(|trouble| trouble.code.starts_with("limit."));
    let code = worst.map_or("limit.head", |trouble| trouble.code);
    let says = match code {
        "limit.depth" => "elements are nested too deeply",
        _ => "the document without its entries is too large",
    };
    Err(limit(code, says.to_owned()))
}

/// Whether something is wrong with the markup around the entries, or it ended too early.
fn is_odd(frame: &Frame) -> bool {
    frame.stopped || frame.truncated || !frame.trouble.is_empty() || frame.untold > 0
}

pub(super) fn decoded<'i>(input: &OpenedInput<'i>, options: &Options) -> Result<DecodedText<'i>, Error> {
    let opened = input.open().and_then(|reader| decode::decode_within(reader, input.charset(), options.limits.gzip));
    opened.map_err(|error| unreadable(input.name(), error))
}

impl Document<'_> {
    /// Whether entries may be written otherwise than they are read, or not at all.
    pub(super) fn is_edited(&self) -> bool {
        self.selects || !matches!(self.edits, Edits::None)
    }

    /// Skips the entries that the options exclude, and those after as many as the `counter` has left.
    ///
    /// # Errors
    /// An input that cannot be read.
    pub(super) fn select(&mut self, options: &Options, counter: Option<&mut SelectionCounter>) -> Result<(), Error> {
        self.selects = true;
        let Some(counter) = counter else { return Ok(()) };
        let mut cutter = self.cutter(options)?;
        let mut chunk = Chunk::default();
        while let Some(next) = cutter.next_chunk_into(chunk).map_err(|error| unreadable(self.input.name(), error))? {
            let mut reading = EntryReader::new(&next.context);
            for (offset, piece) in next.pieces.iter().enumerate() {
                let raw = raw_entry(&next, piece, offset);
                let Ok(entry) = self.read(&raw, &mut reading, options) else { continue };
                if counter.count(&entry).is_break() {
                    self.end = Some(raw.number);
                    return Ok(());
                }
            }
            chunk = next;
        }
        Ok(())
    }

    /// Reads an entry of it, into one that is empty so far.
    ///
    /// # Errors
    /// As [`super::read_entry`].
    pub(super) fn read_into<'a>(
        &'a self,
        raw: &RawEntry<'a>,
        reading: &mut EntryReader<'a>,
        options: &'a Options,
        entry: &mut Entry<'a>,
    ) -> Result<(), TreeError> {
        if let Edits::Given(given) = &self.edits {
            let known = usize::try_from(raw.number).ok().and_then(|number| given.get(number));
            if let Some(known) = known {
                *entry = known.clone()?;
            }
            return Ok(());
        }
        read_entry_into(self.format, raw, reading, self.around(options), entry)?;
        if let Edits::Mapped(EntryMap(map)) = &self.edits {
            *entry = map(std::mem::take(entry).into_owned(), raw.number);
        }
        if self.selects {
            select::select(entry, raw.number, self.end, self.reading_options(options));
        }
        Ok(())
    }

    /// Reads an entry of it.
    ///
    /// # Errors
    /// As [`super::read_entry`].
    pub(super) fn read<'a>(
        &'a self,
        raw: &RawEntry<'a>,
        reading: &mut EntryReader<'a>,
        options: &'a Options,
    ) -> Result<Entry<'a>, TreeError> {
        let mut entry = Entry::default();
        self.read_into(raw, reading, options, &mut entry).map(|()| entry)
    }
}
