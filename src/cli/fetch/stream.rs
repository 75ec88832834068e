//! The documents of the inputs one after another, each fetched while those before it are read: itself, the parts of an index,
//! what a site names.

use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ahead::RequestsAhead;
use super::client::{Client, DocumentRequest, FetchAnswer};
use super::lists::{ListReader, ListedDocuments, PARTS, leads_somewhere};
use super::manners::PER_HOST;
use super::reading::PageReading;
use crate::cli::color::StreamReader;
use crate::cli::file::{InputSource, LastingSource};
use crate::cli::progress::Progress;
use crate::cli::temporary::temporary_file;
use crate::convert::{Fetched, Input as _, InputStream, OwnedInput};
use crate::error::Error;
use crate::options::Options;
use crate::text::many;

/// An input of a command.
pub enum TypedInput {
    /// A file that is open.
    File(InputSource),
    /// A document at a URL.
    Url(DocumentRequest),
}

/// The documents of the inputs of a command.
pub struct SourceStream {
    client: Arc<Client>,
    /// The sitemaps of an index are documents; what a site names is.
    lists: (bool, bool),
    temp_dir: Option<PathBuf>,
    progress: Progress,
    ahead: RequestsAhead,
    typed: VecDeque<TypedInput>,
    /// What is to be fetched before the next of these, the last first.
    open: Vec<DocumentRequest>,
    /// Documents and lists that came.
    came: usize,
    /// What is listed and must not be fetched, with the cause.
    refused: VecDeque<(String, Error)>,
    /// The name of the document that came last, or did not come.
    at: String,
    /// The URLs that the input before it led to.
    seen: HashSet<String>,
    /// Documents that came before they were asked for.
    ready: VecDeque<InputSource>,
    /// Why the one after them did not come.
    failure: Option<Error>,
    /// The bodies of documents that stay: a file for each could be more than a process may open.
    shared: Option<Arc<File>>,
    notes: Vec<String>,
    /// How many of the documents that others list moved.
    moved: u64,
    fetched: Vec<Fetched>,
    has_failed: bool,
    /// Who reads the output, if nothing else is made of the documents.
    reader: StreamReader,
}

impl SourceStream {
    /// Of these inputs.
    pub fn new(
        client: Arc<Client>,
        inputs: Vec<TypedInput>,
        lists: (bool, bool),
        (temp_dir, progress): (Option<&Path>, &Progress),
    ) -> SourceStream {
        SourceStream {
            ahead: RequestsAhead::new(Arc::clone(&client), progress),
            client,
            lists,
            temp_dir: temp_dir.map(Path::to_owned),
            progress: progress.clone(),
            typed: inputs.into(),
            open: Vec::new(),
            came: 0,
            refused: VecDeque::new(),
            at: String::new(),
            seen: HashSet::new(),
            ready: VecDeque::new(),
            failure: None,
            shared: None,
            notes: Vec::new(),
            moved: 0,
            fetched: Vec::new(),
            has_failed: false,
            reader: StreamReader::default(),
        }
    }

    /// Ends the documents when this reader leaves.
    pub fn end_with(&mut self, reader: StreamReader) {
        self.reader = reader;
    }

    /// Takes what this document lists as what comes next; whether it is a list.
    ///
    /// # Errors
    /// The list cannot be read.
    pub fn opens(&mut self, source: &InputSource, request: &DocumentRequest) -> Result<bool, Error> {
        let (follows, discovers) = self.lists;
        let (reads, options) = (PageReading::default(), &Options::default());
        let reader = ListReader { follows, discovers, opens_opml: false, reads, options };
        let url = &request.url;
        let named = reader.named_by(source, request).and_then(|named| match named {
            ListedDocuments::Site(page) => Ok(page.list(&page.wait(&self.client, &self.progress)?)),
            named => Ok(named),
        });
        let named = named.map_err(|error| error.in_input(&url.to_string()))?;
        let note = match named {
            ListedDocuments::List(list) => {
                self.refused.extend(list.refused);
                self.open.extend(list.requests.into_iter().rev());
                return Ok(true);
            }
            ListedDocuments::Page if !discovers => {
                "a page; --discover reads the feeds that the site names, and inspect lists them"
            }
            ListedDocuments::Page => "a page of a site that names no feeds and no sitemaps in robots.txt or links",
            ListedDocuments::Index => "the sitemaps of this index are not fetched; --follow-remote fetches them",
            ListedDocuments::Nothing | ListedDocuments::Site(_) => return Ok(false),
        };
        self.notes.push(format!("{url}: {note}"));
        Ok(false)
    }

    /// Whether there is more than one document. Waits for two of them; the first can be used though the second fails.
    ///
    /// # Errors
    /// The first cannot be fetched.
    pub fn has_several(&mut self) -> Result<bool, Error> {
        while self.ready.len() < 2 {
            match self.come() {
                Ok(Some(source)) => self.ready.push_back(source),
                Ok(None) => return Ok(false),
                Err(error) if self.ready.is_empty() => return Err(error),
                Err(error) => {
                    self.failure = Some(error);
                    break;
                }
            }
        }
        Ok(true)
    }

    /// The next document.
    fn take(&mut self) -> Result<Option<InputSource>, Error> {
        match self.ready.pop_front() {
            Some(source) => Ok(Some(source)),
            None => self.failure.take().map_or_else(|| self.come(), Err),
        }
    }

    /// All documents, without those that were taken.
    ///
    /// # Errors
    /// One cannot be fetched.
    pub fn all(&mut self, notes: &mut Vec<String>) -> Result<Vec<InputSource>, Error> {
        let mut sources = Vec::new();
        while let Some(mut source) = self.take()? {
            if !sources.is_empty() {
                self.share(&mut source)?;
            }
            sources.push(source);
        }
        notes.append(&mut self.end_notes());
        Ok(sources)
    }

    /// All documents by their names, without those that were taken, or why one is not there.
    pub fn each(&mut self, notes: &mut Vec<String>) -> Vec<(String, Result<InputSource, Error>)> {
        let mut sources = Vec::new();
        loop {
            let source = match self.take() {
                Ok(None) => break,
                Ok(Some(mut source)) => self.share(&mut source).map(|()| source),
                Err(error) => Err(error),
            };
            let name = source.as_ref().map_or_else(|_| self.at.clone(), |source| source.name().to_owned());
            sources.push((name, source));
        }
        notes.append(&mut self.end_notes());
        sources
    }

    /// What is for the user so far, once.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// What is for the user when all documents came.
    pub fn end_notes(&mut self) -> Vec<String> {
        if let count @ 1.. = std::mem::take(&mut self.moved) {
            self.notes.push(moved_note(count, "--write-moved FILE"));
        }
        self.take_notes()
    }

    /// The first document, unless it was taken.
    pub fn first(&self) -> Option<&InputSource> {
        self.ready.front()
    }

    /// How the documents were fetched that were taken so far, in order.
    pub fn fetched(&self) -> &[Fetched] {
        &self.fetched
    }

    /// Whether the stream ended with an error of its own.
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Sends the requests that come next, as many as a host has connections.
    fn send_ahead(&mut self) {
        let typed = self.typed.iter().map_while(|input| match input {
            TypedInput::Url(request) => Some(request),
            TypedInput::File(_) => None,
        });
        let next = self.open.iter().rev().filter(|request| !self.seen.contains(&request.url.to_string())).chain(typed);
        for request in next.take(PER_HOST) {
            self.ahead.send(request);
        }
    }

    /// Waits for the next document.
    fn come(&mut self) -> Result<Option<InputSource>, Error> {
        loop {
            // where one is missing, the others are not all
            if let Some((name, error)) = self.refused.pop_front() {
                self.at = name;
                return Err(error);
            }
            self.send_ahead();
            let request = match self.open.pop() {
                Some(request) => request,
                None => match self.typed.pop_front() {
                    None => return Ok(None),
                    Some(TypedInput::File(source)) => return Ok(Some(source)),
                    Some(TypedInput::Url(request)) => {
                        self.seen.clear();
                        request
                    }
                },
            };
            if !self.seen.insert(request.url.to_string()) {
                continue;
            }
            self.at = request.url.to_string();
            if self.seen.len() > PARTS {
                self.open.clear();
                let says = format!("cannot fetch {}: it names more than {PARTS} documents", request.url);
                return Err(Error::format(says, "pass its parts one by one"));
            }
            self.came += 1;
            let known = self.came + self.open.len() + self.typed.len();
            self.progress.waits_for(self.came, known, request.url.host());
            let answer = self.ahead.receive(&request)?;
            let source = source_of(answer, &self.client, (self.lists.1, &self.progress))?;
            let facts = source.fetched().filter(|_| leads_somewhere(&source, self.lists.1, PageReading::default()));
            match facts.and_then(|facts| facts.moved_to.as_ref()) {
                Some(moved_to) if request.depth == 0 => {
                    self.notes.push(format!("{} moved for good to {moved_to}", request.url));
                }
                // an index may have thousands of them
                Some(_) => self.moved += 1,
                None => (),
            }
            let is_list = self.opens(&source, &request)?;
            if is_list {
                self.fetched.extend(source.fetched().cloned());
            }
            // while this one is read
            self.send_ahead();
            if !is_list {
                return Ok(Some(source));
            }
        }
    }

    /// Moves a body to the file of those that stay.
    fn share(&mut self, source: &mut InputSource) -> Result<(), Error> {
        let file = match &self.shared {
            Some(file) => file,
            None => self.shared.insert(Arc::new(temporary_file(self.temp_dir.as_deref()).map_err(Error::temporary)?)),
        };
        source.share(file).map_err(Error::temporary)
    }

    fn take_for_conversion(&mut self, stays: bool) -> Result<Option<InputSource>, Error> {
        let Some(mut source) = self.take()? else { return Ok(None) };
        if stays {
            self.share(&mut source)?;
        }
        self.fetched.extend(source.fetched().cloned());
        // the bytes count as they come
        Ok(Some(source.unwatched()))
    }
}

impl InputStream for SourceStream {
    fn next(&mut self, stays: bool) -> Result<Option<Arc<dyn OwnedInput>>, Error> {
        if self.reader.has_left() {
            self.notes.push("the reader of the output has left: the documents that follow are not fetched".to_owned());
            return Ok(None);
        }
        let taken = self.take_for_conversion(stays);
        self.has_failed |= taken.is_err();
        Ok(taken?.map(|source| Arc::new(LastingSource(source)) as Arc<dyn OwnedInput>))
    }
}

/// A note of so many URLs that moved, and of where they are listed.
pub fn moved_note(count: u64, by: &str) -> String {
    let (urls, them) = (many(count, "URL", "URLs"), if count == 1 { "it" } else { "them" });
    format!("{urls} moved for good; {by} lists {them}")
}

/// The input that an answer is.
///
/// # Errors
/// The document was not fetched.
pub fn source_of(
    answer: FetchAnswer,
    client: &Client,
    (discovers, progress): (bool, &Progress),
) -> Result<InputSource, Error> {
    let document = answer.map_err(|failure| Error::from(*failure))?;
    let source = InputSource::remote(document, progress)?;
    if let Some(facts) = source.fetched().filter(|_| leads_somewhere(&source, discovers, PageReading::default())) {
        client.note_moved(facts);
    }
    Ok(source)
}
