//! One conversion: heads, a first look where the target needs one, entries in order, tail. What a core does with a chunk
//! is in `worker`.

use super::chunks::each_batch_to;
use super::document::Document;
use super::look::{ChunkSurvey, DocumentSurvey, EntriesInMemory, JoinedEntries, SurveyOptions, first_look, look};
use super::objects::{DroppedKind, DroppedObject, Drops, Objects, attempts};
use super::output::Output;
use super::sink::{EntrySink, OutputFrame};
use super::trouble::{diagnostic_of, of_remark};
use super::worker::Worker;
use crate::convert::converted::ConvertedChunk;
use crate::convert::refusal::refuse_index;
use crate::emit::{Out, Style};
use crate::error::{Error, ErrorKind};
use crate::format::ns::modules;
use crate::format::{self, Format, FormatWriter, PageGrouping, Setup, Survey};
use crate::interop::verify::Verifier;
use crate::ledger::{Books, Ledger, ReaderChanges};
use crate::markup::MemoryPool;
use crate::model::origin::{Origin, Syntax};
use crate::model::{Field, LeafView, Walk};
use crate::options::Options;
use crate::place::{LineIndex, PieceLines};
use crate::reason::Reason;
use crate::xml::chunk::Chunk;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What is known of the pages of all entries, and what is found out about them while they are written.
pub(super) struct PageState<'p, 'o> {
    pub(super) joins: &'p JoinedEntries,
    pub(super) look: Option<(&'p SurveyOptions, &'p mut DocumentSurvey<'o>)>,
    /// The entries, or the first of them, where they were read to be looked at.
    pub(super) read: Option<EntriesInMemory<'p>>,
}

/// What the root of the output has, which is written once.
#[derive(Default)]
pub(super) struct RootState {
    verifier: Option<Verifier>,
    declared: Vec<(String, String)>,
}

/// The running conversion.
pub(super) struct RunningConversion<'r> {
    pub(super) to: &'static Format,
    pub(super) writer: &'static dyn FormatWriter,
    pub(super) options: &'r Options,
    pub(super) sink: EntrySink<'r>,
    pub(super) lines: Option<&'r mut (dyn Output + 'r)>,
    pub(super) ledger: Ledger,
    pub(super) objects: Objects,
    pub(super) drops: Drops,
    /// Entries so far, for who watches.
    pub(super) count: Option<&'r AtomicU64>,
    /// The head proved to be another one than the document began with.
    pub(super) other_head: bool,
    /// The head proved to be a wrong guess while entries were written, and the rest of them is not.
    pub(super) wrong_guess: bool,
}

impl RunningConversion<'_> {
    pub(super) fn documents(&mut self, documents: &[Document<'_>]) -> Result<(), Error> {
        self.all(documents)?;
        self.note_trouble()
    }

    /// Notes what is wrong with the whole output.
    pub(super) fn note_trouble(&mut self) -> Result<(), Error> {
        if let Some(trouble) = self.sink.trouble()? {
            self.ledger.diagnostic(trouble);
        }
        Ok(())
    }

    pub(super) fn all(&mut self, documents: &[Document<'_>]) -> Result<(), Error> {
        let Some(first) = documents.first() else { return Ok(()) };
        let mixed = documents.iter().any(Document::is_index) && !documents.iter().all(Document::is_index);
        for document in documents {
            refuse_index(self.to, document, mixed).map_err(|error| error.in_input(&document.info.name))?;
        }
        let groups = self.to.groups(self.options);
        let takes =
            |document: &Document<'_>| groups.joins(format::family_format(document.format, &document.feed).family);
        let groups = if documents.iter().any(takes) { groups } else { PageGrouping::Never };
        let looks = groups != PageGrouping::Never || self.writer.surveys(&first.feed, self.options);
        if let ([document], true) = (documents, looks)
            && let Some(read) = EntriesInMemory::read_document(document, self.options)
        {
            let (survey, joins) = read.look(documents, self.options, groups)?;
            return self.pass(documents, &survey, PageState { joins: &joins, look: None, read: Some(read) });
        }
        let (survey, joins) = match looks {
            false => Default::default(),
            true => {
                let guess = match self.can_restart() {
                    true => first_look(first, self.options, groups)?,
                    false => None,
                };
                let found = match guess {
                    Some((guess, read)) => self.at_once(documents, &guess, read, groups)?,
                    None => Some(look(documents, self.options, groups)?),
                };
                match found {
                    Some(found) => found,
                    None => return Ok(()),
                }
            }
        };
        self.pass(documents, &survey, PageState { joins: &joins, look: None, read: None })
    }

    /// Whether a head that was written with a guess is what it would have been, as far as entries are known.
    pub(super) fn is_guess_correct(&self, guess: &Survey, survey: &Survey, first: &Document<'_>) -> bool {
        let declared = |survey: &Survey| self.writer.namespaces(&setup(self.to, self.options, (first, first), survey));
        let asked = |survey: &Survey| self.writer.head_asks(&first.feed, survey);
        declared(survey) == declared(guess) && asked(survey) == asked(guess)
    }

    /// Whether the output can be written before all entries were looked at.
    pub(super) fn can_restart(&self) -> bool {
        let lines = self.lines.as_ref().is_none_or(|lines| lines.can_restart());
        // an error may be one of the guess
        !self.options.strict && self.sink.can_restart() && lines
    }

    /// Begins again, with these books.
    pub(super) fn restart(&mut self, ledger: Ledger) -> Result<(), Error> {
        self.sink.restart()?;
        if let Some(lines) = &mut self.lines {
            lines.restart().map_err(Error::report)?;
        }
        self.ledger = ledger;
        (self.objects, self.drops) = Default::default();
        (self.other_head, self.wrong_guess) = (false, false);
        Ok(())
    }

    /// Writes the output with the head that the first entries ask for, and looks at all of them meanwhile. Should they
    /// ask for another one, or should pages return, the output is to be begun again, with what was found.
    fn at_once(
        &mut self,
        documents: &[Document<'_>],
        guess: &Survey,
        read: Option<EntriesInMemory<'_>>,
        groups: PageGrouping,
    ) -> Result<Option<(Survey, JoinedEntries)>, Error> {
        let Some(first) = documents.first() else { return Ok(None) };
        let before = self.ledger.clone();
        let looking = SurveyOptions::new(groups);
        let mut looked = DocumentSurvey::new(self.options);
        let pages = PageState { joins: &JoinedEntries::default(), look: Some((&looking, &mut looked)), read };
        self.pass(documents, guess, pages)?;
        if self.other_head {
            return Ok(None);
        }
        let (survey, returns) = looked.end()?;
        if returns.is_empty() && !self.wrong_guess && self.is_guess_correct(guess, &survey, first) {
            return Ok(None);
        }
        self.restart(before)?;
        let joins = JoinedEntries::fetch(&returns, documents, self.options)?;
        Ok(Some((survey, joins)))
    }

    /// Writes everything, from the head to the tail.
    pub(super) fn pass(
        &mut self,
        documents: &[Document<'_>],
        survey: &Survey,
        mut pages: PageState<'_, '_>,
    ) -> Result<(), Error> {
        let mut root = RootState::default();
        for index in 0..documents.len() {
            self.document((index, index), documents, survey, &mut pages, &mut root)?;
        }
        self.end()
    }

    /// Writes the entries of one document, before the first of them the head. It has this number among all, and this place
    /// among those that are there.
    pub(super) fn document(
        &mut self,
        (index, place): (usize, usize),
        documents: &[Document<'_>],
        survey: &Survey,
        pages: &mut PageState<'_, '_>,
        root: &mut RootState,
    ) -> Result<(), Error> {
        let (Some(first), Some(document)) = (documents.first(), documents.get(place)) else { return Ok(()) };
        let written = self.write_document((index, place), documents, (first, document, survey), pages, root);
        written.map_err(|error| match &document.label {
            Some(name) => error.in_input(name),
            None => error,
        })
    }

    fn write_document(
        &mut self,
        (index, place): (usize, usize),
        documents: &[Document<'_>],
        (first, document, survey): (&Document<'_>, &Document<'_>, &Survey),
        pages: &mut PageState<'_, '_>,
        root: &mut RootState,
    ) -> Result<(), Error> {
        note_document(document, &mut self.ledger);
        self.strict()?;
        let setup = setup(self.to, self.options, (first, document), survey);
        // the root is written once
        if index == 0 {
            root.declared = self.writer.namespaces(&setup);
        }
        let style = setup.style(self.writer, &root.declared);
        let mut books = Books::default();
        if index == 0 {
            let head = self.head(document, &setup, &style, &mut books);
            root.verifier = self.options.verify.then(|| Verifier::new(self.to, &head)).transpose()?;
            let (tail, empty_tail) = (self.tail(&setup, true), self.tail(&setup, false));
            self.sink.begin(OutputFrame { head, between: self.between(), tail, empty_tail })?;
        }
        self.entries((index, place), documents, &setup, &style, pages, root.verifier.as_ref())?;
        self.close_head(index, document, first, &style, &mut books)
    }

    /// Writes the tail.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        self.sink.end()?;
        self.flush_lines()
    }

    fn strict(&self) -> Result<(), Error> {
        if !self.options.strict {
            return Ok(());
        }
        if let Some(diagnostic) = self.ledger.diagnostics().first() {
            let says = format!("{}: {}, {}", diagnostic.code, diagnostic.found, diagnostic.done);
            return Err(in_input(ErrorKind::Strict { line: diagnostic.line, says }, diagnostic.input.as_deref()));
        }
        if let Some((field, why, line)) = self.ledger.doubt() {
            return Err(ErrorKind::Strict { line, says: format!("{}: {}", field.name(), why.text()) }.into());
        }
        let worst = self.ledger.rows().into_iter().find(|row| row.severity() == crate::code::Severity::Error);
        match worst {
            Some(row) => {
                let example = row.best_examples().next();
                let line = example.and_then(|example| example.line).unwrap_or(0);
                let says = format!("{}: {}", row.code().name(), row.why());
                let input = example.and_then(|example| example.input.as_deref());
                Err(in_input(ErrorKind::Strict { line, says }, input))
            }
            None => Ok(()),
        }
    }

    fn is_markup(&self) -> bool {
        self.to.family.is_markup()
    }

    fn flush_lines(&mut self) -> Result<(), Error> {
        let bytes = self.ledger.take_lines();
        match &mut self.lines {
            Some(lines) => lines.write_all(&bytes).map_err(Error::report),
            None => Ok(()),
        }
    }

    fn head(&mut self, document: &Document<'_>, setup: &Setup<'_>, style: &Style<'_>, books: &mut Books) -> Vec<u8> {
        let mut buf = Vec::new();
        books.open_feed(&Arc::new(ReaderChanges::from_records(&document.feed.origin.records)));
        let mut out = Out::new(style, &mut buf, books, 0);
        let feed = &document.feed;
        modules::lose_second(feed, &feed.modules, (setup, style.table), &feed.origin, &mut out);
        self.writer.head(feed, setup, &mut out);
        if self.is_markup() && !self.options.pretty {
            buf.push(b'\n');
        }
        buf
    }

    /// The text between two entries.
    fn between(&self) -> &'static [u8] {
        if self.is_markup() && self.options.pretty { b"" } else { self.writer.between() }
    }

    fn close_head(
        &mut self,
        index: usize,
        document: &Document<'_>,
        first: &Document<'_>,
        style: &Style<'_>,
        books: &mut Books,
    ) -> Result<(), Error> {
        let feed = &document.feed;
        if index > 0 {
            // of several documents, the head of the first is written
            let mut known: HashMap<Field, Vec<String>> = HashMap::new();
            first.feed.each_leaf(&mut |seen| known.entry(seen.field).or_default().push(seen.value.to_string()));
            let has_place = |field: Field| (style.table)(field).name().is_some();
            feed.each_leaf(&mut |seen: LeafView<'_>| {
                if !has_place(seen.field) {
                    return;
                }
                match known.get(&seen.field) {
                    Some(values) if values.contains(&seen.value.to_string()) => {
                        books.merged(seen.mark, Reason::SameValue);
                    }
                    Some(_) => books.merged(seen.mark, Reason::FirstWins),
                    None => books.lost(seen.mark, Reason::FurtherHead),
                }
            });
        }
        drop_unread_videos(&feed.origin, &mut self.objects, &mut self.drops);
        self.ledger.close_feed(books, &feed.origin, style.table, |visit| feed.walk((), visit))?;
        self.strict()
    }

    /// The text after the entries, or in place of them if there are none.
    fn tail(&self, setup: &Setup<'_>, entries: bool) -> Vec<u8> {
        let mut buf = Vec::new();
        let line_end = match self.to.family.syntax {
            Syntax::Json | Syntax::Row | Syntax::Html => false,
            Syntax::Line => entries,
            Syntax::Xml => entries || self.options.pretty,
        };
        if line_end {
            buf.push(b'\n');
        }
        self.writer.tail(setup, &mut buf);
        buf
    }

    fn entries(
        &mut self,
        (index, place): (usize, usize),
        documents: &[Document<'_>],
        setup: &Setup<'_>,
        style: &Style<'_>,
        pages: &mut PageState<'_, '_>,
        verifier: Option<&Verifier>,
    ) -> Result<(), Error> {
        let (full, options) = (self.lines.is_some(), self.options);
        let between = self.between();
        let Some(document) = documents.get(place) else { return Ok(()) };
        let joins = pages.joins;
        let (looking, mut looked) = pages.look.as_mut().map(|(looking, looked)| (*looking, looked)).unzip();
        let writer = self.writer;
        let read = pages.read.take().map(|EntriesInMemory { chunk, entries, learned }| ((chunk, entries), learned));
        let (read, learned) = read.unzip();
        let sated = Mutex::new(Arc::new(self.ledger.complete_rows()));
        let enough = AtomicBool::new(self.drops.is_full());
        let worker = Worker {
            documents,
            document,
            index,
            setup,
            style,
            writer,
            joins,
            looking,
            learned: learned.map(MemoryPool::new).unwrap_or_default(),
            full,
            between,
            verifier,
            head: Arc::new(ReaderChanges::from_records(&document.feed.origin.records)),
            sated: &sated,
            attempts: attempts(options),
            enough: &enough,
            quiet: false,
        };
        if document.is_held()
            && let Some((chunk, entries)) = read
        {
            let done = worker.read(chunk, entries)?;
            return self.finish_chunk(done);
        }
        let read = Mutex::new(read);
        // the head was a wrong guess: what is written will be written again, so the rest is only looked at
        let wrong = AtomicBool::new(self.wrong_guess);
        let work = |chunk: &Chunk| {
            if let Some(looking) = looking.filter(|_| wrong.load(Ordering::Relaxed)) {
                return Ok(ConvertedChunk {
                    glance: ChunkSurvey::new(chunk, document, options, looking),
                    ..worker.begin()
                });
            }
            let mut read = read.lock().unwrap_or_else(PoisonError::into_inner);
            let already = read.take_if(|(first, _)| *first == chunk);
            drop(read);
            already.map_or_else(|| worker.chunk(chunk), |(_, entries)| worker.read(chunk, entries))
        };
        let mut same_head = true;
        let mut done = |_: &[Chunk], results: Vec<Result<ConvertedChunk, Error>>| {
            results.into_iter().try_for_each(|done| {
                let mut done = done?;
                if let Some(looked) = &mut looked {
                    looked.add(index, std::mem::take(&mut done.glance))?;
                }
                if wrong.load(Ordering::Relaxed) { Ok(()) } else { self.finish_chunk(done) }
            })?;
            if let (Some(looked), Some(first)) = (&looked, documents.first())
                && !self.is_guess_correct(setup.survey, looked.survey(), first)
            {
                self.wrong_guess = true;
                wrong.store(true, Ordering::Relaxed);
            }
            enough.store(self.drops.is_full(), Ordering::Relaxed);
            // books of one batch look for what those before it lack
            let now = self.ledger.complete_rows();
            let mut sated = sated.lock().unwrap_or_else(PoisonError::into_inner);
            if now.len() != sated.len() {
                *sated = Arc::new(now);
            }
            Ok(())
        };
        let mut end = |frame, findings| {
            same_head = !document.begun || document.was_all(&frame, &findings, options);
            Ok(())
        };
        each_batch_to(document, options, &work, &mut done, &mut end)?;
        self.other_head |= !same_head;
        Ok(())
    }

    fn finish_chunk(&mut self, done: ConvertedChunk) -> Result<(), Error> {
        self.objects += done.objects;
        self.drops.absorb(done.drops);
        if let Some(count) = self.count {
            count.store(self.objects.entries, Ordering::Relaxed);
        }
        self.ledger.absorb(done.ledger);
        self.strict()?;
        self.sink.entries(&done.bytes, &done.pieces, done.apart)?;
        self.flush_lines()
    }
}

/// An error in one of several inputs.
fn in_input(kind: ErrorKind, input: Option<&str>) -> Error {
    let error = Error::from(kind);
    match input {
        Some(input) => error.in_input(input),
        None => error,
    }
}

/// Lists the videos in what could not be read around the entries.
pub(super) fn drop_unread_videos(head: &Origin<'_>, objects: &mut Objects, drops: &mut Drops) {
    let mut lines = PieceLines::new(&head.parts);
    for &(piece, at) in &head.unread_videos {
        objects.videos += 1;
        drops.add(DroppedObject {
            kind: DroppedKind::Video,
            input: head.parts.first().and_then(|part| part.context.input.as_deref()).map(str::to_owned),
            entry: None,
            line: lines.at(piece, at).map(|(line, _)| line),
            title: None,
            url: None,
            reason: Reason::UnreadVideo,
            fixes: Vec::new(),
            videos: 1,
        });
    }
}

/// Notes what is wrong with the bytes of a document and with its head.
pub(crate) fn note_document(document: &Document<'_>, ledger: &mut Ledger) {
    let input = document.label.as_deref();
    for trouble in &document.trouble {
        ledger.diagnostic(diagnostic_of(trouble, input));
    }
    let origin = &document.feed.origin;
    ledger.count_unnamed(document.untold + origin.untold);
    let mut lines = origin.parts.first().map(LineIndex::new).unwrap_or_default();
    for remark in &origin.remarks {
        ledger.diagnostic(of_remark(remark, lines.at(remark.at as usize), input));
    }
}

pub(super) fn setup<'s>(
    to: &'static Format,
    options: &'s Options,
    (first, document): (&'s Document<'_>, &'s Document<'_>),
    survey: &'s Survey,
) -> Setup<'s> {
    let source = format::family_format(document.format, &document.feed);
    Setup {
        source,
        target: to,
        same_family: Setup::same_family(source, to),
        options,
        feed: &first.feed,
        own_feed: &document.feed,
        survey,
    }
}
