//! One conversion from beginning to end: what the input is, its head, its entries through all cores, in order.
//! Reading and writing of files is the caller's (`cli`); this knows streams only.

mod bare;
mod by_hand;
mod chunks;
#[cfg(feature = "cli")]
mod coming;
mod converted;
mod document;
mod edits;
pub mod enrich;
mod entries;
mod fetched;
mod forecast;
mod input;
pub(crate) mod json_lines;
mod keys;
mod look;
mod names;
mod objects;
mod output;
mod pieces;
pub(crate) mod read;
mod recognise;
mod refusal;
mod run;
mod runs;
mod sink;
mod threads;
mod trouble;
mod worker;

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::ledger::Ledger;
use crate::options::Options;
use crate::select::{self, SelectionCounter};

pub use crate::pool::Pool;
pub use by_hand::write;
pub(crate) use chunks::{Chunks, each_batch, each_batch_to, first_chunk};
#[cfg(feature = "cli")]
pub(crate) use coming::InputStream;
pub use document::Document;
pub(crate) use document::{OpenedInput, OwnedInput};
pub(crate) use edits::EntryMap;
pub use entries::Entries;
pub(crate) use entries::{DocumentItem, UnreadableEntry};
pub use fetched::Fetched;
pub use forecast::Select;
pub(crate) use forecast::{EntryObserver, ForecastOutcome, ForecastReport, ForecastRequest};
pub use input::{Bytes, Input, SourceInfo};
pub(crate) use keys::{PageKeys, RepeatedPage, Secret};
pub(crate) use look::RepeatedKeys;
pub(crate) use names::{NamespaceNames, NamespaceUse};
pub use objects::{DropGroup, DroppedKind, DroppedObject, Drops, Objects};
pub use output::{OneWayStream, Output, PartBuffers};
pub(crate) use read::{EntryReader, RawEntry, bad_place, line_tree, raw_entry, read_entry};
#[cfg(feature = "cli")]
pub(crate) use recognise::refusal;
pub(crate) use refusal::writer_for;
pub use refusal::{FiredGate, Publication, Summary};
pub(crate) use run::note_document;
pub(crate) use runs::{Runs, scratch};
pub use sink::OutputPart;
#[cfg(feature = "cli")]
pub(crate) use sink::refuse;
pub(crate) use trouble::{cut_off, diagnostic_of};
pub(crate) use worker::{bad_diagnostic, note_repairs, omitted_videos, settle};

use run::RunningConversion;
use sink::{EntrySink, PartLimits};

/// A conversion to one target.
#[derive(Clone, Debug)]
pub struct Conversion {
    to: &'static Format,
    from: Option<&'static Format>,
    options: Options,
    count: Option<Arc<AtomicU64>>,
    /// The books are to have no examples.
    bare: bool,
    /// The books are to count values by the names of their elements.
    naming: bool,
    /// Edits each entry before it is written.
    map: Option<EntryMap>,
}

impl Conversion {
    /// A conversion to this format, with default options.
    pub fn to(to: &'static Format) -> Conversion {
        Conversion { to, from: None, options: Options::default(), count: None, bare: false, naming: false, map: None }
    }

    /// Overrules detection.
    #[must_use]
    pub fn from(mut self, from: &'static Format) -> Conversion {
        self.from = Some(from);
        self
    }

    /// With these options.
    #[must_use]
    pub fn with(mut self, options: Options) -> Conversion {
        self.options = options;
        self
    }

    /// Writes what this function makes of each entry. Of an entry that is read more than once it has to make the same.
    #[must_use]
    pub(crate) fn mapped(mut self, map: EntryMap) -> Conversion {
        self.map = Some(map);
        self
    }

    /// Counts the entries read in `count` while it runs.
    #[must_use]
    pub fn counting(mut self, count: Arc<AtomicU64>) -> Conversion {
        self.count = Some(count);
        self
    }

    /// On the threads of this pool, unless one thread is asked for: then on the calling one.
    #[must_use]
    #[cfg(feature = "cli")]
    pub(crate) fn on(mut self, pool: Arc<rayon::ThreadPool>) -> Conversion {
        self.options.pool = Some(pool.into());
        self
    }

    /// With books that have no examples of what was lost: nobody reads them. With `strict` the first one is read.
    #[must_use]
    #[cfg(feature = "cli")]
    pub(crate) fn without_examples(mut self) -> Conversion {
        self.bare = !self.options.strict;
        self
    }

    /// With books that count values by the names of their elements, too.
    #[must_use]
    #[cfg(feature = "cli")]
    pub(crate) fn counting_names(mut self, is_wanted: bool) -> Conversion {
        self.naming = is_wanted;
        self
    }

    /// Books with nothing in them.
    fn books(&self, full: bool) -> Ledger {
        let books = Ledger::new(full);
        let books = if self.bare { books.without_examples() } else { books };
        if self.naming { books.counting_names() } else { books }
    }

    /// Converts bytes in memory.
    ///
    /// # Errors
    /// What [`Conversion::run`] returns.
    pub fn bytes(&self, input: &[u8]) -> Result<(String, Ledger), Error> {
        let mut out = Vec::new();
        let summary = self.run(&[&Bytes { name: "-", bytes: input }], &mut out, None)?;
        let text = String::from_utf8(out)
            .map_err(|error| Error::output(io::Error::new(io::ErrorKind::InvalidData, error.utf8_error())))?;
        Ok((text, summary.ledger))
    }

    /// Converts several inputs to one document. Every occurrence of the report goes to `lines` as a JSON line, if
    /// that is given.
    ///
    /// # Errors
    /// Any [`ErrorKind`]: unreadable or unknown input, a limit of the document, an output that cannot be written, and
    /// `Unbalanced`, if the books do not balance.
    pub fn run<'r>(
        &'r self,
        inputs: &[&dyn Input],
        out: &'r mut (dyn Output + 'r),
        lines: Option<&'r mut (dyn Output + 'r)>,
    ) -> Result<Summary, Error> {
        self.run_documents(&mut |can_restart| self.open(inputs, inputs.len() == 1 && can_restart), out, lines)
    }

    /// Like [`Conversion::run`] for documents that are open or held in memory. `open` gets `true` if only their
    /// beginnings are needed.
    ///
    /// # Errors
    /// As [`Conversion::run`].
    pub(crate) fn run_documents<'r, 'i>(
        &'r self,
        open: &mut dyn FnMut(bool) -> Result<Vec<Document<'i>>, Error>,
        out: &'r mut (dyn Output + 'r),
        lines: Option<&'r mut (dyn Output + 'r)>,
    ) -> Result<Summary, Error> {
        let mut run = self.running(out, lines)?;
        let mut open = |begin| self.select(open(begin)?);
        let mut documents = open(run.can_restart())?;
        let mut limits = self.limits(&documents)?;
        run.sink.limit(limits, &self.options);
        let mut ended = self.on_threads(&documents, || run.documents(&documents))?;
        // the error may come from guessing the head, unless it is an I/O error
        let wrong = ended.as_ref().is_err_and(|error| !matches!(error.kind(), ErrorKind::Io { .. }));
        if documents.iter().any(|document| document.begun) && (wrong || run.other_head) {
            run.restart(self.books(run.lines.is_some()))?;
            documents = open(false)?;
            limits = self.limits(&documents)?;
            run.sink.limit(limits, &self.options);
            ended = self.on_threads(&documents, || run.documents(&documents))?;
        }
        ended?;
        let sources = documents.into_iter().map(|document| document.info).collect();
        Ok(run.into_summary(sources, limits))
    }

    /// A conversion that has not begun.
    fn running<'r>(
        &'r self,
        out: &'r mut (dyn Output + 'r),
        lines: Option<&'r mut (dyn Output + 'r)>,
    ) -> Result<RunningConversion<'r>, Error> {
        let writer = writer_for(self.to, &self.options)?;
        if (self.options.split.is_some() || self.options.split_bytes.is_some()) && !out.can_split() {
            return Err(Error::format("this output cannot be split", "parts are files; pass -o FILE"));
        }
        Ok(RunningConversion {
            to: self.to,
            writer,
            options: &self.options,
            sink: EntrySink::new(out),
            ledger: self.books(lines.is_some()),
            lines,
            objects: Objects::default(),
            drops: Drops::default(),
            count: self.count.as_deref(),
            other_head: false,
            wrong_guess: false,
        })
    }
}

impl RunningConversion<'_> {
    /// What came of it.
    fn into_summary(self, sources: Vec<SourceInfo>, limits: PartLimits) -> Summary {
        Summary {
            sources,
            objects: self.objects,
            drops: self.drops,
            parts: self.sink.into_parts(),
            snippets: None,
            indexed: limits.indexed(),
            ledger: self.ledger,
            publication: Publication::default(),
            fetched: Vec::new(),
            enrichment: None,
        }
    }
}

impl Conversion {
    /// Determines which entries of all documents are written.
    fn select<'i>(&self, mut documents: Vec<Document<'i>>) -> Result<Vec<Document<'i>>, Error> {
        let mut counter = self.counter()?;
        documents.iter_mut().try_for_each(|document| self.select_in(document, counter.as_mut()))?;
        Ok(documents)
    }

    /// The counter of the entries that are written, if they are bounded.
    fn counter(&self) -> Result<Option<SelectionCounter>, Error> {
        let Options { max_age, drop_expired, now, .. } = &self.options;
        if now.is_none() && (max_age.is_some() || *drop_expired) {
            return Err(Error::format(
                "cannot determine the age of entries: the time of the run is unknown",
                "set `now`",
            ));
        }
        Ok(self.options.limit.map(SelectionCounter::new))
    }

    /// Determines which entries of a document are written, those before it counted.
    fn select_in(&self, document: &mut Document<'_>, counter: Option<&mut SelectionCounter>) -> Result<(), Error> {
        if select::is_asked(&self.options) { document.select(&self.options, counter) } else { Ok(()) }
    }

    /// Works on the threads that are asked for. What is in memory is done before threads are there.
    fn on_threads<T: Send>(&self, documents: &[Document<'_>], work: impl FnOnce() -> T + Send) -> Result<T, Error> {
        if documents.iter().all(Document::is_held) { Ok(work()) } else { self.options.on_threads(work) }
    }

    /// What one document of the output may hold.
    fn limits(&self, documents: &[Document<'_>]) -> Result<PartLimits, Error> {
        PartLimits::for_target(self.to, documents.iter().any(Document::is_index), &self.options)
    }

    /// The inputs, or only what they `begin` with.
    fn open<'i>(&self, inputs: &[&'i dyn Input], begin: bool) -> Result<Vec<Document<'i>>, Error> {
        let open = |input: &&'i dyn Input| {
            let document = match begin {
                true => Document::begin(*input, self.from, &self.options),
                false if inputs.len() == 1 => Document::keep(*input, self.from, &self.options),
                // all that are short could be too much together
                false => Document::open(*input, self.from, &self.options),
            };
            document.map_err(|error| error.in_input(input.name()))
        };
        let mut documents = inputs.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        if inputs.len() > 1 {
            documents.iter_mut().for_each(Document::label);
        }
        if let Some(map) = &self.map {
            documents.iter_mut().for_each(|document| document.edits = edits::Edits::Mapped(map.clone()));
        }
        Ok(documents)
    }
}
