//! What conversions of one document to several targets would report: its entries are read once, written to each target
//! into nothing, and booked. Somebody may watch the entries go by. The figures are those of [`super::run`], because the
//! same workers make them; only what has to be known before the first entry is found out in another order.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::chunks::{each_batch, each_batch_to};
use super::document::Document;
use super::look::{ChunkSurvey, DocumentSurvey, JoinedEntries, Repeats, SurveyOptions, first_look, ordinal};
use super::names::NamespaceNames;
use super::objects::{Drops, Objects, attempts};
use super::read::{EntryReader, raw_entry, read_entry};
use super::run::{drop_unread_videos, note_document, setup};
use super::worker::{Worker, bad_diagnostic, note_repairs};
use crate::convert::converted::ConvertedChunk;
use crate::convert::input::Input;
use crate::convert::refusal::{refuse_index, writer_for};
use crate::convert::trouble::diagnostic_of;
use crate::emit::{Out, Style};
use crate::error::Error;
use crate::format::ns::modules;
use crate::format::{self, Family, Format, FormatWriter, PageGrouping, Setup, Survey};
use crate::ledger::{Books, CompleteRows, Ledger, ReaderChanges};
use crate::markup::MemoryPool;
use crate::model::{Entry, Walk};
use crate::options::Options;
use crate::xml::chunk::Chunk;

/// Which entries are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Select {
    /// All of them.
    #[default]
    All,
    /// The first so many; what follows is not read.
    First(u64),
    /// So many, at equal distances from the first to the last; fewer if there are not so many.
    Spread(u64),
}

/// The entries that are looked at, by their numbers.
#[derive(Clone, Copy, Debug)]
enum SelectedEntries {
    All,
    First(u64),
    Spread { wanted: u64, total: u64 },
}

impl SelectedEntries {
    fn has(self, number: u64) -> bool {
        match self {
            SelectedEntries::All => true,
            SelectedEntries::First(count) => number < count,
            SelectedEntries::Spread { wanted, total } if wanted >= total => true,
            SelectedEntries::Spread { wanted: 0, .. } => false,
            // the chosen ones are i * total / wanted for every i below wanted
            SelectedEntries::Spread { wanted, total } => {
                let (wanted, total, number) = (u128::from(wanted), u128::from(total), u128::from(number));
                let index = (number * wanted).div_ceil(total);
                index < wanted && index * total / wanted == number
            }
        }
    }
}

/// Who watches the entries go by: on all cores, a stretch at a time.
pub(crate) trait EntryObserver: Sync {
    /// What is noted of a stretch of entries.
    type Part: Send;
    /// Nothing noted yet.
    fn part(&self) -> Self::Part;
    /// Notes an entry of a document of this family.
    fn entry(&self, entry: &Entry<'_>, family: &'static Family, part: &mut Self::Part);
    /// Takes in a stretch; they come in order.
    fn absorb(&self, part: Self::Part);
    /// Forgets everything: the document is read again.
    fn reset(&self);
}

/// What a conversion to one target would report.
pub(crate) struct ForecastReport {
    pub to: &'static Format,
    /// Its books, and what it would read and write; or why there is no such conversion.
    pub books: Result<(Ledger, Objects, Drops), Error>,
}

/// What was found out about a document besides what somebody watched.
pub(crate) struct ForecastOutcome<'i> {
    pub document: Document<'i>,
    /// Entries there are, where all were passed by.
    pub entries: Option<u64>,
    /// Entries that were looked at.
    pub looked_at: u64,
    /// Those of them that could not be read.
    pub unreadable: u64,
    /// Repairs.
    pub told: Ledger,
    pub names: NamespaceNames,
    pub repeats: Repeats,
    pub foreseen: Vec<ForecastReport>,
}

/// The document and targets of a forecast.
pub(crate) struct ForecastRequest<'f> {
    pub from: Option<&'static Format>,
    pub targets: &'f [&'static Format],
    pub select: Select,
    pub options: &'f Options,
}

impl ForecastRequest<'_> {
    /// Reads the document.
    ///
    /// # Errors
    /// The errors of a conversion that do not depend on the target.
    pub fn run<'i, W: EntryObserver>(&self, input: &'i dyn Input, watch: &W) -> Result<ForecastOutcome<'i>, Error> {
        let named = |error: Error| error.in_input(input.name());
        let document = match self.select {
            Select::All | Select::First(_) => Document::begin(input, self.from, self.options),
            Select::Spread(_) => Document::open(input, self.from, self.options),
        };
        let document = document.map_err(named)?;
        let begun = document.begun;
        let mut pass = ForecastPass::new(self, document);
        match self.options.on_threads(|| pass.run(watch))? {
            Ok(true) => return Ok(pass.into_outcome()),
            Ok(false) => (),
            Err(error) if !begun => return Err(named(error)),
            // what was found wrong may be a consequence of a head that proved to be another one
            Err(_) => (),
        }
        watch.reset();
        let mut pass = ForecastPass::new(self, Document::open(input, self.from, self.options).map_err(named)?);
        self.options.on_threads(|| pass.run(watch))?.map_err(named)?;
        Ok(pass.into_outcome())
    }
}

/// A target while its books are kept.
struct TargetBooks {
    to: &'static Format,
    writer: &'static dyn FormatWriter,
    ledger: Ledger,
    objects: Objects,
    drops: Drops,
    /// The books are those of a whole pass.
    done: bool,
}

/// The reading of a document.
struct ForecastPass<'f, 'i> {
    asked: &'f ForecastRequest<'f>,
    documents: [Document<'i>; 1],
    family: &'static Family,
    chosen: SelectedEntries,
    desks: Vec<TargetBooks>,
    refused: Vec<(usize, ForecastReport)>,
    entries: Option<u64>,
    looked_at: u64,
    unreadable: u64,
    told: Ledger,
    names: NamespaceNames,
    repeats: Repeats,
}

/// What one core found in a chunk.
struct ChunkNotes<P> {
    part: Option<P>,
    dones: Vec<ConvertedChunk>,
    glance: ChunkSurvey,
    names: NamespaceNames,
    told: Ledger,
    looked_at: u64,
    unreadable: u64,
    /// The number behind that of the last entry.
    end: u64,
}

impl<'f, 'i> ForecastPass<'f, 'i> {
    fn new(asked: &'f ForecastRequest<'f>, document: Document<'i>) -> ForecastPass<'f, 'i> {
        let (mut desks, mut refused) = (Vec::new(), Vec::new());
        for (index, &to) in asked.targets.iter().enumerate() {
            let writer = writer_for(to, asked.options);
            match writer.and_then(|writer| refuse_index(to, &document, false).map(|()| writer)) {
                Ok(writer) => {
                    desks.push(TargetBooks {
                        to,
                        writer,
                        ledger: Ledger::new(false),
                        objects: Objects::default(),
                        drops: Drops::default(),
                        done: false,
                    });
                }
                Err(error) => refused.push((index, ForecastReport { to, books: Err(error) })),
            }
        }
        ForecastPass {
            asked,
            family: format::family_format(document.format, &document.feed).family,
            documents: [document],
            chosen: SelectedEntries::All,
            desks,
            refused,
            entries: None,
            looked_at: 0,
            unreadable: 0,
            told: Ledger::new(false),
            names: NamespaceNames::default(),
            repeats: Repeats::default(),
        }
    }

    /// Reads everything; false if the head proved to be another one than the document began with.
    fn run<W: EntryObserver>(&mut self, watch: &W) -> Result<bool, Error> {
        self.choose()?;
        let [document] = &self.documents;
        note_document(document, &mut self.told);
        self.names.count_head(document.feed.origin.parts.first(), self.asked.options);
        let (family, options) = (self.family, self.asked.options);
        let guess = first_look(document, options, PageGrouping::Always)?;
        let returns_at_once = guess.is_none();
        let (guess, _) = guess.unwrap_or_default();
        let wanted = |desk: &TargetBooks| !(returns_at_once && desk.groups(family, options));
        let looking = SurveyOptions::for_repeats();
        let mut looked = DocumentSurvey::new(options);
        let whole =
            self.entries_of(Some((watch, &looking, &mut looked)), &wanted, &guess, &JoinedEntries::default())?;
        if !whole {
            return Ok(false);
        }
        let joins = self.desks.iter().any(|desk| desk.groups(family, options));
        let (survey, returns, repeats) = looked.end_with_repeats(self.family, joins)?;
        self.repeats = repeats;
        self.mark_done(&guess, &survey, !returns.is_empty());
        if self.desks.iter().any(|desk| !desk.done) {
            let fetched = match self.desks.iter().any(|desk| !desk.done && desk.groups(family, options)) {
                true => JoinedEntries::fetch(&returns, &self.documents, options)?,
                false => JoinedEntries::default(),
            };
            // pages that return are one for those that group, and for no other
            for groups in [true, false] {
                let joins = if groups { &fetched } else { &JoinedEntries::default() };
                let wanted = |desk: &TargetBooks| !desk.done && desk.groups(family, options) == groups;
                self.entries_of::<W>(None, &wanted, &survey, joins)?;
            }
        }
        self.close_heads(&survey)?;
        Ok(true)
    }

    /// Finds out which entries are looked at; for some of all, all are counted.
    fn choose(&mut self) -> Result<(), Error> {
        match self.asked.select {
            Select::All => (),
            Select::First(count) => {
                self.chosen = SelectedEntries::First(count);
                self.documents[0].until = Some(count);
            }
            Select::Spread(wanted) => {
                let mut total = 0;
                let count = |chunk: &Chunk| end_of(chunk);
                each_batch(&self.documents[0], self.asked.options, &count, &mut |_, ends| {
                    total = ends.into_iter().fold(total, u64::max);
                    Ok(())
                })?;
                self.chosen = SelectedEntries::Spread { wanted, total };
            }
        }
        Ok(())
    }

    /// Takes the books of a pass with a guess for good where what was found out afterwards would not change them.
    fn mark_done(&mut self, guess: &Survey, survey: &Survey, returns: bool) {
        let [document] = &self.documents;
        let (family, options) = (self.family, self.asked.options);
        for desk in &mut self.desks {
            let declared =
                |survey: &Survey| desk.writer.namespaces(&setup(desk.to, options, (document, document), survey));
            let same = declared(survey) == declared(guess);
            desk.done = same && !(returns && desk.groups(family, options));
            if !desk.done {
                (desk.ledger, desk.objects, desk.drops) = (Ledger::new(false), Objects::default(), Drops::default());
            }
        }
    }

    /// Reads the entries and keeps the books of some targets. Who watches sees them in the first of all passes; it
    /// returns false if the head proved to be another one.
    fn entries_of<W: EntryObserver>(
        &mut self,
        mut watched: Option<(&W, &SurveyOptions, &mut DocumentSurvey<'_>)>,
        wanted: &dyn Fn(&TargetBooks) -> bool,
        survey: &Survey,
        joins: &JoinedEntries,
    ) -> Result<bool, Error> {
        let documents = &self.documents;
        let [document] = documents;
        let options = self.asked.options;
        let mut desks: Vec<&mut TargetBooks> = self.desks.iter_mut().filter(|desk| wanted(desk)).collect();
        if desks.is_empty() && watched.is_none() {
            return Ok(true);
        }
        let setups: Vec<Setup<'_>> =
            desks.iter().map(|desk| setup(desk.to, options, (document, document), survey)).collect();
        let declared: Vec<_> = desks.iter().zip(&setups).map(|(desk, setup)| desk.writer.namespaces(setup)).collect();
        let styles: Vec<Style<'_>> = desks
            .iter()
            .zip(setups.iter().zip(&declared))
            .map(|(desk, (setup, declared))| setup.style(desk.writer, declared))
            .collect();
        let sated: Vec<Mutex<Arc<CompleteRows>>> = desks.iter().map(|_| Mutex::default()).collect();
        let head = Arc::new(ReaderChanges::from_records(&document.feed.origin.records));
        let enough: Vec<AtomicBool> = desks.iter().map(|_| AtomicBool::new(false)).collect();
        let workers = desks.iter().zip(setups.iter().zip(&styles)).zip(sated.iter().zip(&enough));
        let workers: Vec<Worker<'_>> = workers
            .map(|((desk, (setup, style)), (sated, enough))| Worker {
                documents,
                document,
                index: 0,
                setup,
                style,
                writer: desk.writer,
                joins,
                looking: None,
                learned: MemoryPool::default(),
                full: false,
                between: b"",
                verifier: None,
                head: Arc::clone(&head),
                sated,
                attempts: attempts(options),
                enough,
                quiet: true,
            })
            .collect();
        let (watch, looking) = watched.as_ref().map(|(watch, looking, _)| (*watch, *looking)).unzip();
        let reader =
            ForecastWorker { document, options, family: self.family, chosen: self.chosen, workers, watch, looking };
        let (looked_at, unreadable) = (&mut self.looked_at, &mut self.unreadable);
        let (names, told, mut end) = (&mut self.names, &mut self.told, 0);
        let mut done = |_: &[Chunk], noted: Vec<Result<ChunkNotes<W::Part>, Error>>| {
            for noted in noted {
                let noted = noted?;
                for (desk, done) in desks.iter_mut().zip(noted.dones) {
                    desk.objects += done.objects;
                    desk.drops.absorb_counts(&done.drops);
                    desk.ledger.absorb(done.ledger);
                }
                let Some((watch, _, looked)) = &mut watched else { continue };
                looked.add(0, noted.glance)?;
                noted.part.into_iter().for_each(|part| watch.absorb(part));
                names.absorb(noted.names);
                told.absorb(noted.told);
                *looked_at += noted.looked_at;
                *unreadable += noted.unreadable;
                end = end.max(noted.end);
            }
            for (desk, (sated, enough)) in desks.iter().zip(sated.iter().zip(&enough)) {
                enough.store(desk.drops.is_full(), Ordering::Relaxed);
                let now = desk.ledger.complete_rows();
                let mut sated = sated.lock().unwrap_or_else(PoisonError::into_inner);
                if now.len() != sated.len() {
                    *sated = Arc::new(now);
                }
            }
            Ok(())
        };
        let stops = matches!(self.chosen, SelectedEntries::First(_));
        let mut same_head = true;
        let mut over = |frame, findings| {
            same_head = stops || !document.begun || document.was_all(&frame, &findings, options);
            Ok(())
        };
        each_batch_to(document, options, &|chunk| reader.chunk(chunk), &mut done, &mut over)?;
        if watched.is_some() {
            self.entries = match self.chosen {
                SelectedEntries::All => Some(*looked_at),
                SelectedEntries::First(count) => (end < count).then_some(*looked_at),
                SelectedEntries::Spread { total, .. } => Some(total),
            };
        }
        Ok(same_head)
    }

    /// Writes the heads, with what is known of all entries, and closes their books.
    fn close_heads(&mut self, survey: &Survey) -> Result<(), Error> {
        let [document] = &self.documents;
        let (feed, options) = (&document.feed, self.asked.options);
        let read = Arc::new(ReaderChanges::from_records(&feed.origin.records));
        for desk in &mut self.desks {
            let setup = setup(desk.to, options, (document, document), survey);
            let declared = desk.writer.namespaces(&setup);
            let style = setup.style(desk.writer, &declared);
            let (mut books, mut nowhere) = (Books::default(), Vec::new());
            books.open_feed(&read);
            let mut out = Out::new(&style, &mut nowhere, &mut books, 0);
            modules::lose_second(feed, &feed.modules, (&setup, style.table), &feed.origin, &mut out);
            desk.writer.head(feed, &setup, &mut out);
            drop_unread_videos(&feed.origin, &mut desk.objects, &mut desk.drops);
            desk.ledger.close_feed(&mut books, &feed.origin, style.table, |visit| feed.walk((), visit))?;
        }
        Ok(())
    }

    fn into_outcome(self) -> ForecastOutcome<'i> {
        let [document] = self.documents;
        let foreseen =
            |desk: TargetBooks| ForecastReport { to: desk.to, books: Ok((desk.ledger, desk.objects, desk.drops)) };
        let mut all: Vec<ForecastReport> = self.desks.into_iter().map(foreseen).collect();
        // in the order that was asked for
        for (index, refused) in self.refused {
            all.insert(index.min(all.len()), refused);
        }
        ForecastOutcome {
            document,
            entries: self.entries,
            looked_at: self.looked_at,
            unreadable: self.unreadable,
            told: self.told,
            names: self.names,
            repeats: self.repeats,
            foreseen: all,
        }
    }
}

impl TargetBooks {
    fn groups(&self, source: &'static Family, options: &Options) -> bool {
        self.to.groups(options).joins(source)
    }
}

/// The work of one thread.
struct ForecastWorker<'r, W> {
    document: &'r Document<'r>,
    options: &'r Options,
    family: &'static Family,
    chosen: SelectedEntries,
    workers: Vec<Worker<'r>>,
    watch: Option<&'r W>,
    looking: Option<&'r SurveyOptions>,
}

impl<W: EntryObserver> ForecastWorker<'_, W> {
    fn chunk(&self, chunk: &Chunk) -> Result<ChunkNotes<W::Part>, Error> {
        let mut noted = ChunkNotes {
            part: self.watch.map(EntryObserver::part),
            dones: self.workers.iter().map(Worker::begin).collect(),
            glance: ChunkSurvey::default(),
            names: NamespaceNames::default(),
            told: Ledger::new(false),
            looked_at: 0,
            unreadable: 0,
            end: end_of(chunk),
        };
        let mut reading = EntryReader::new(&chunk.context);
        reading.names = self.watch.map(|_| NamespaceNames::default());
        let mut books: Vec<Books> = self.workers.iter().map(Worker::books).collect();
        let around = self.document.around(self.options);
        for (offset, piece) in chunk.pieces.iter().enumerate() {
            let raw = raw_entry(chunk, piece, offset);
            if !self.chosen.has(raw.number) {
                continue;
            }
            noted.looked_at += 1;
            noted.dones.iter_mut().for_each(|done| done.objects.entries += 1);
            match read_entry(self.document.format, &raw, &mut reading, around) {
                Ok(entry) => self.entry(entry, raw.number, &mut books, &mut noted)?,
                Err(bad) => {
                    noted.unreadable += 1;
                    noted.told.diagnostic(bad_diagnostic(&raw, &bad));
                    let dones = self.workers.iter().zip(&mut noted.dones);
                    dones.for_each(|(worker, done)| worker.lose(&raw, &bad, done));
                }
            }
        }
        for trouble in &chunk.trouble {
            if trouble.entry.is_some_and(|number| !self.chosen.has(number)) {
                continue;
            }
            noted.told.diagnostic(diagnostic_of(trouble, None));
            noted.looked_at += u64::from(trouble.lost);
            noted.unreadable += u64::from(trouble.lost);
            let dones = self.workers.iter().zip(&mut noted.dones);
            dones.for_each(|(worker, done)| worker.lose_piece(trouble, chunk, done));
        }
        noted.names = reading.names.take().unwrap_or_default();
        Ok(noted)
    }

    fn entry(
        &self,
        mut entry: Entry<'_>,
        number: u64,
        books: &mut [Books],
        noted: &mut ChunkNotes<W::Part>,
    ) -> Result<(), Error> {
        if let Some(looking) = self.looking {
            looking.entry(&entry, number, self.family, &mut noted.glance);
        }
        if let Some((watch, part)) = self.watch.zip(noted.part.as_mut()) {
            note_repairs(&entry, &mut noted.told);
            watch.entry(&entry, self.family, part);
        }
        let is_later = |worker: &Worker<'_>| worker.joins.is_later(ordinal(0, number));
        for (_, done) in self.workers.iter().zip(&mut noted.dones).filter(|(worker, _)| is_later(worker)) {
            done.objects.joined += 1;
        }
        let mut desks = self.workers.iter().zip(books.iter_mut().zip(&mut noted.dones));
        let last = desks.next_back();
        for (worker, (books, done)) in desks.filter(|(worker, _)| !is_later(worker)) {
            worker.borrowed(&entry, books, done)?;
            done.forget_bytes();
        }
        // nobody wants it any more
        if let Some((worker, (books, done))) = last.filter(|(worker, _)| !is_later(worker)) {
            worker.entry(&mut entry, books, done)?;
            done.forget_bytes();
        }
        Ok(())
    }
}

fn end_of(chunk: &Chunk) -> u64 {
    let pieces = chunk.first + chunk.pieces.len() as u64;
    let lost = chunk.trouble.iter().filter(|trouble| trouble.lost).filter_map(|trouble| trouble.entry);
    lost.map(|number| number + 1).fold(pieces, u64::max)
}

impl Document<'_> {
    /// Reads the entries with these numbers again, and stops after the last of them.
    ///
    /// # Errors
    /// An error while reading.
    pub(crate) fn find(
        &mut self,
        numbers: &BTreeSet<u64>,
        options: &Options,
        visit: &mut dyn FnMut(u64, &Entry<'_>),
    ) -> Result<(), Error> {
        let Some(last) = numbers.last() else { return Ok(()) };
        self.until = Some(last + 1);
        let document = &*self;
        each_batch(document, options, &|_| (), &mut |chunks, _| {
            for chunk in chunks {
                let mut reading = EntryReader::new(&chunk.context);
                for number in numbers.range(chunk.first..end_of(chunk)) {
                    let offset = usize::try_from(number - chunk.first).unwrap_or(usize::MAX);
                    let Some(piece) = chunk.pieces.get(offset) else { continue };
                    let around = document.around(options);
                    let raw = raw_entry(chunk, piece, offset);
                    if let Ok(entry) = read_entry(document.format, &raw, &mut reading, around) {
                        visit(*number, &entry);
                    }
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_from_end_to_end() {
        for total in [1_u64, 2, 7, 100, 1_001] {
            for wanted in [0_u64, 1, 2, 3, 7, 50, 2_000] {
                let chosen = SelectedEntries::Spread { wanted, total };
                let found: Vec<u64> = (0..total).filter(|number| chosen.has(*number)).collect();
                let expected: Vec<u64> = (0..wanted.min(total)).map(|i| i * total / wanted.min(total)).collect();
                assert_eq!(found, expected, "{wanted} of {total}");
            }
        }
    }
}
