//! Documents that come one after another while those before them are converted. A document is let go once it is converted,
//! unless the output may have to be written again: because entries of a page become one, or because the head depends on all
//! entries. `run` has what is done with each document.

use std::sync::Arc;

use super::chunks::each_batch;
use super::document::{Document, OpenedInput, OwnedInput};
use super::input::SourceInfo;
use super::look::{ChunkSurvey, DocumentSurvey, JoinedEntries, SurveyOptions, first_look};
use super::output::Output;
use super::refusal::{Summary, refuse_index};
use super::run::{PageState, RootState, RunningConversion};
use super::sink::PartLimits;
use super::{Conversion, SelectionCounter};
use crate::error::Error;
use crate::format::{self, PageGrouping, Survey};
use crate::xml::chunk::Chunk;

/// Inputs that come one after another.
pub(crate) trait InputStream: Send {
    /// The next one; nothing after the last. It waits until the input is there. `stays` is true if it may be read long after
    /// the next one came.
    ///
    /// # Errors
    /// The next one cannot be had.
    fn next(&mut self, stays: bool) -> Result<Option<Arc<dyn OwnedInput>>, Error>;
}

/// The documents of these inputs.
struct ComingDocuments<'c> {
    conversion: &'c Conversion,
    inputs: &'c mut dyn InputStream,
    counter: Option<SelectionCounter>,
    /// What reports say of those that came.
    sources: Vec<SourceInfo>,
    /// Those that are there: all that came, or the first and the last of them.
    there: Vec<Document<'static>>,
}

impl ComingDocuments<'_> {
    /// Waits for the next document; whether there is one.
    fn come(&mut self, stays: bool) -> Result<bool, Error> {
        let Some(input) = self.inputs.next(stays)? else { return Ok(false) };
        let Conversion { from, options, .. } = self.conversion;
        let name = input.name().to_owned();
        let opened = Document::opened(OpenedInput::Held(input), *from, options);
        let mut document = opened.map_err(|error| error.in_input(&name))?;
        document.label();
        self.conversion.select_in(&mut document, self.counter.as_mut())?;
        self.sources.push(document.info.clone());
        self.there.push(document);
        Ok(true)
    }
}

impl Conversion {
    /// Like [`Conversion::run`] for several inputs that are not there yet. The first of them is converted while the others
    /// come, so an output that is a stream has its entries although a later input may fail.
    ///
    /// # Errors
    /// As [`Conversion::run`], and those of the inputs.
    pub(crate) fn run_coming<'r>(
        &'r self,
        inputs: &mut dyn InputStream,
        out: &'r mut (dyn Output + 'r),
        lines: Option<&'r mut (dyn Output + 'r)>,
    ) -> Result<Summary, Error> {
        let mut run = self.running(out, lines)?;
        let counter = self.counter()?;
        let mut coming = ComingDocuments { conversion: self, inputs, counter, sources: Vec::new(), there: Vec::new() };
        coming.come(true)?;
        // what is no index cannot be written with one
        let is_index = coming.there.iter().any(Document::is_index);
        let limits = PartLimits::for_target(self.to, is_index, &self.options)?;
        run.sink.limit(limits, &self.options);
        self.options.on_threads(|| run.coming(&mut coming))??;
        Ok(run.into_summary(coming.sources, limits))
    }
}

impl RunningConversion<'_> {
    fn coming(&mut self, coming: &mut ComingDocuments<'_>) -> Result<(), Error> {
        self.all_coming(coming)?;
        self.note_trouble()
    }

    fn all_coming(&mut self, coming: &mut ComingDocuments<'_>) -> Result<(), Error> {
        self.fits(coming)?;
        let Some(first) = coming.there.first() else { return Ok(()) };
        let groups = self.to.groups(self.options);
        let takes = groups.joins(format::family_format(first.format, &first.feed).family);
        if groups != PageGrouping::Never && !takes {
            // whether anything is joined depends on all of them
            while coming.come(true)? {
                self.fits(coming)?;
            }
            return self.all(&coming.there);
        }
        if groups == PageGrouping::Never && !self.writer.surveys(&first.feed, self.options) {
            let pages = PageState { joins: &JoinedEntries::default(), look: None, read: None };
            return self.flow(coming, &Survey::default(), pages, false);
        }
        self.look_at_coming(coming, groups)
    }

    /// Writes the output, and looks at all entries meanwhile, or before that if it could not be begun again.
    fn look_at_coming(&mut self, coming: &mut ComingDocuments<'_>, groups: PageGrouping) -> Result<(), Error> {
        let before = self.ledger.clone();
        let looking = SurveyOptions::new(groups);
        let mut looked = DocumentSurvey::new(self.options);
        let guess = match (self.can_restart(), coming.there.first()) {
            (true, Some(first)) => first_look(first, self.options, groups)?.map(|(guess, _)| guess),
            (_, _) => None,
        };
        match &guess {
            Some(guess) => {
                let look = Some((&looking, &mut looked));
                let pages = PageState { joins: &JoinedEntries::default(), look, read: None };
                self.flow(coming, guess, pages, true)?;
            }
            None => self.survey(coming, &looking, &mut looked)?,
        }
        let (survey, returns) = looked.end()?;
        let documents = coming.there.as_slice();
        let Some(first) = documents.first() else { return Ok(()) };
        if let Some(guess) = guess {
            if returns.is_empty() && !self.wrong_guess && self.is_guess_correct(&guess, &survey, first) {
                return Ok(());
            }
            self.restart(before)?;
        }
        let joins = JoinedEntries::fetch(&returns, documents, self.options)?;
        self.pass(documents, &survey, PageState { joins: &joins, look: None, read: None })
    }

    /// Looks at the entries of all documents as they come.
    fn survey(
        &mut self,
        coming: &mut ComingDocuments<'_>,
        looking: &SurveyOptions,
        looked: &mut DocumentSurvey<'_>,
    ) -> Result<(), Error> {
        let options = self.options;
        while let Some(document) = coming.there.last() {
            let index = coming.there.len() - 1;
            let glance = |chunk: &Chunk| ChunkSurvey::new(chunk, document, options, looking);
            each_batch(document, options, &glance, &mut |_, glances| {
                glances.into_iter().try_for_each(|glance| looked.add(index, glance))
            })?;
            if !coming.come(true)? {
                break;
            }
            self.fits(coming)?;
        }
        Ok(())
    }

    /// Writes everything, each document when it is there. It stays only if it is needed again.
    fn flow(
        &mut self,
        coming: &mut ComingDocuments<'_>,
        survey: &Survey,
        mut pages: PageState<'_, '_>,
        stays: bool,
    ) -> Result<(), Error> {
        let mut root = RootState::default();
        for index in 0.. {
            let Some(place) = coming.there.len().checked_sub(1) else { break };
            self.document((index, place), &coming.there, survey, &mut pages, &mut root)?;
            // whoever reads a stream need not wait for the next document
            self.sink.flush()?;
            // the head of the first is that of the output
            if !stays && place > 0 {
                coming.there.pop();
            }
            if !coming.come(stays)? {
                break;
            }
            self.fits(coming)?;
        }
        self.end()
    }

    /// Refuses an index of sitemaps that the target cannot have, or that came with something else.
    fn fits(&self, coming: &ComingDocuments<'_>) -> Result<(), Error> {
        let (Some(first), Some(last)) = (coming.there.first(), coming.there.last()) else { return Ok(()) };
        let mixed = first.is_index() != last.is_index();
        let refuse = |document: &Document<'_>| {
            refuse_index(self.to, document, mixed).map_err(|error| error.in_input(&document.info.name))
        };
        refuse(first).and_then(|()| refuse(last))
    }
}
