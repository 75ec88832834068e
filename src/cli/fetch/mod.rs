//! Inputs at URLs: the requests of commands, and the documents of a URL (itself, the parts of an index, those that a site
//! names). The client is in client.rs, lists in lists.rs. Without the feature `fetch`, no_fetch.rs replaces this module.

mod address;
mod ahead;
mod args;
mod body;
pub(super) mod client;
mod discover;
mod forward;
mod lists;
pub(super) mod location;
mod manners;
mod reading;
mod secrets;
mod store;
mod stream;
mod whole;

use std::cell::OnceCell;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

pub use args::{FetchArgs, StoreUse};
pub use client::{Client, DocumentRequest, FetchAnswer, FetchAttempts, FetchConditions, FetchFailure};
pub use lists::{
    ListReader, ListedDocuments, NamedList, PARTS, SitePage, is_html, kind, leads_somewhere, sitemaps_of_site,
};
pub use location::{RemoteUrl, shown, unescaped};
pub use manners::PER_HOST;
pub use reading::PageReading;
use stream::TypedInput;
pub use stream::{SourceStream, moved_note};

use super::file::InputSource;
use super::limits::LimitArgs;
use super::output::{OutputOptions, OutputTarget};
use super::progress::Progress;
use crate::convert::Fetched;
use crate::error::Error;
use crate::inspect::DiscoveredSite;

/// Whether URLs can be inputs.
pub const FETCHES: bool = true;

/// Whether an input is a URL to fetch.
pub fn is_url(name: &str) -> bool {
    RemoteUrl::is_one(name)
}

/// The inputs of a command, wherever they are.
pub struct Fetcher<'f> {
    args: &'f FetchArgs,
    limits: &'f LimitArgs,
    temp_dir: Option<&'f Path>,
    client: OnceCell<Arc<Client>>,
}

/// The inputs of a command that makes one document of them.
pub enum InputSources {
    /// All of them are there.
    All(Vec<InputSource>),
    /// There are several, and not all are there yet.
    Coming(Box<SourceStream>),
}

/// Documents by their names, or why one is not there.
pub type NamedSources = Vec<(String, Result<InputSource, Error>)>;

impl InputSources {
    /// The first document, before any was converted.
    pub fn first(&self) -> Option<&InputSource> {
        match self {
            InputSources::All(sources) => sources.first(),
            InputSources::Coming(stream) => stream.first(),
        }
    }

    /// How those that were fetched came, in order.
    pub fn fetched(&self) -> Vec<Fetched> {
        match self {
            InputSources::All(sources) => sources.iter().filter_map(InputSource::fetched).cloned().collect(),
            InputSources::Coming(stream) => stream.fetched().to_vec(),
        }
    }

    /// Notes for the user that were not taken before.
    pub fn take_notes(&mut self) -> Vec<String> {
        match self {
            InputSources::All(_) => Vec::new(),
            InputSources::Coming(stream) => stream.end_notes(),
        }
    }

    /// Whether the error of the conversion is that of a document that could not be fetched.
    pub fn have_failed(&self) -> bool {
        matches!(self, InputSources::Coming(stream) if stream.has_failed())
    }
}

impl<'f> Fetcher<'f> {
    /// With these options. Nothing is prepared until a URL is asked for.
    pub fn new(args: &'f FetchArgs, limits: &'f LimitArgs, temp_dir: Option<&'f Path>) -> Fetcher<'f> {
        Fetcher { args, limits, temp_dir, client: OnceCell::new() }
    }

    fn client(&self) -> Result<&Arc<Client>, Error> {
        if self.client.get().is_none() {
            let client = self.args.client(self.limits, self.temp_dir, StoreUse::default())?;
            // only this thread has it
            let _ = self.client.set(Arc::new(client));
        }
        self.client.get().ok_or_else(|| Error::format("cannot fetch", "this is a bug"))
    }

    /// Opens an input as it is: a file, standard input, or the document at a URL.
    ///
    /// # Errors
    /// It cannot be read or fetched.
    pub fn open(&self, name: &str, progress: &Progress) -> Result<InputSource, Error> {
        let Some(request) = typed(name)? else { return InputSource::open(name, self.temp_dir, progress) };
        progress.expect_stream();
        let received = |bytes: u64| progress.advance(bytes);
        let conditions = FetchConditions { known: None, stop: &|| false, received: &received };
        let answer = self.client()?.get(&request, &conditions);
        stream::source_of(answer, self.client()?, (self.args.discover, progress))
    }

    /// The documents of these requests, and what these list.
    fn stream(&self, inputs: Vec<TypedInput>, progress: &Progress) -> Result<SourceStream, Error> {
        progress.expect_stream();
        let lists = (self.args.follow_remote, self.args.discover);
        Ok(SourceStream::new(Arc::clone(self.client()?), inputs, lists, (self.temp_dir, progress)))
    }

    /// Opens the files among these inputs, and begins to fetch the others.
    fn begin(&self, names: &[String], progress: &Progress) -> Result<SourceStream, Error> {
        let open = |name: &String| match typed(name)? {
            Some(request) => Ok(TypedInput::Url(request)),
            None => InputSource::open(name, self.temp_dir, progress).map(TypedInput::File),
        };
        self.stream(names.iter().map(open).collect::<Result<_, Error>>()?, progress)
    }

    /// Opens all documents of the inputs, in order: with `--follow-remote` the parts of an index at a URL, the sitemaps that a
    /// robots.txt names, with `--discover` what a site names. Notes are for the user.
    ///
    /// # Errors
    /// Something of it cannot be read or fetched.
    pub fn all(
        &self,
        names: &[String],
        progress: &Progress,
        notes: &mut Vec<String>,
    ) -> Result<Vec<InputSource>, Error> {
        if !names.iter().any(|name| is_url(name)) {
            return names.iter().map(|name| InputSource::open(name, self.temp_dir, progress)).collect();
        }
        self.begin(names, progress)?.all(notes)
    }

    /// The documents of one input, each with its name, or why it is not there: what is wrong with one costs no other.
    pub fn each(&self, name: &str, progress: &Progress, notes: &mut Vec<String>) -> NamedSources {
        let begun = self.begin(std::slice::from_ref(&name.to_owned()), progress);
        match begun {
            Ok(mut stream) => stream.each(notes),
            Err(error) => vec![(shown(name), Err(error))],
        }
    }

    /// Like [`Fetcher::all`], but of several documents at URLs only the first need be there.
    ///
    /// # Errors
    /// It cannot be read or fetched.
    pub fn inputs(
        &self,
        names: &[String],
        progress: &Progress,
        notes: &mut Vec<String>,
    ) -> Result<InputSources, Error> {
        if !names.iter().any(|name| is_url(name)) {
            return self.all(names, progress, notes).map(InputSources::All);
        }
        let mut stream = self.begin(names, progress)?;
        let has_several = stream.has_several()?;
        notes.append(&mut stream.take_notes());
        match has_several {
            true => Ok(InputSources::Coming(Box::new(stream))),
            false => stream.all(notes).map(InputSources::All),
        }
    }

    /// Opens the documents of a list that is open already: with `--follow-remote` the parts of an index, the sitemaps that
    /// a robots.txt names. Nothing for a document.
    ///
    /// # Errors
    /// The list cannot be read.
    pub fn listed(
        &self,
        name: &str,
        source: &InputSource,
        progress: &Progress,
        notes: &mut Vec<String>,
    ) -> Result<Option<NamedSources>, Error> {
        let Some(request) = typed(name)?.filter(|_| source.fetched().is_some()) else { return Ok(None) };
        let mut stream = self.stream(Vec::new(), progress)?;
        let sources = stream.opens(source, &request)?.then(|| stream.each(notes));
        notes.append(&mut stream.take_notes());
        Ok(sources)
    }

    /// What a site names, if the input is a page of it; nothing for a document.
    ///
    /// # Errors
    /// Something is not fetched.
    pub fn discover(
        &self,
        name: &str,
        source: &InputSource,
        progress: &Progress,
        notes: &mut Vec<String>,
    ) -> Result<Option<DiscoveredSite>, Error> {
        let Some(request) = typed(name)?.filter(|_| source.fetched().is_some()) else { return Ok(None) };
        if !self.args.discover && !is_html(source) {
            return Ok(None);
        }
        let (client, page) = (self.client()?, SitePage::read(source, &request)?);
        let (site, refused) = page.named(&page.wait(client, progress)?);
        notes.extend(refused.iter().map(|(url, error)| format!("{url}: {error}")));
        Ok(Some(site))
    }

    /// Writes the list of URLs that moved, if it is asked for.
    ///
    /// # Errors
    /// The list cannot be written.
    pub fn end(&self) -> Result<(), Error> {
        match self.client.get() {
            Some(client) => write_moved(self.args, client, None),
            None => Ok(()),
        }
    }
}

/// Writes the list of URLs that moved, if it is asked for: an empty one if none did. Where only some URLs were asked for,
/// the lines of the others stay.
///
/// # Errors
/// The list cannot be written.
pub fn write_moved(args: &FetchArgs, client: &Client, asked: Option<&HashSet<String>>) -> Result<(), Error> {
    let Some(path) = &args.write_moved else { return Ok(()) };
    let name = path.to_string_lossy();
    let mut moved = client.moved();
    if let Some(asked) = asked {
        let before = match std::fs::read_to_string(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(name, error)),
            before => before.unwrap_or_default(),
        };
        let lines = before.lines().filter_map(|line| line.split_once('\t'));
        let others = lines.filter(|(old, _)| !asked.contains(*old));
        moved.extend(others.map(|(old, new)| (old.to_owned(), new.to_owned())));
        moved.sort_unstable();
        moved.dedup();
    }
    let mut out = OutputTarget::create(&name, OutputOptions::default())?;
    for (old, new) in moved {
        std::io::Write::write_all(&mut out, format!("{old}\t{new}\n").as_bytes())
            .map_err(|error| Error::io(name.clone(), error))?;
    }
    out.finish()
}

/// The request for a URL that was typed; nothing for a file.
///
/// # Errors
/// A URL that cannot be fetched.
pub fn typed(name: &str) -> Result<Option<DocumentRequest>, Error> {
    if !is_url(name) {
        return Ok(None);
    }
    let odd = |says: String| {
        Error::io(format!("cannot fetch {}", shown(name)), std::io::Error::other(format!("{says}; check the URL")))
    };
    RemoteUrl::typed(name).map(|url| Some(DocumentRequest::typed(url))).map_err(odd)
}
