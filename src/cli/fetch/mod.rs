//! Inputs at URLs: the requests of commands, and the documents of a URL (itself, the parts of an index, those that a site
//! names). The client is in client.rs. Without the feature `fetch`, no_fetch.rs replaces this module.

mod address;
mod args;
mod body;
mod client;
mod discover;
mod location;
mod manners;
mod secrets;
mod store;
mod whole;

use std::cell::{Cell, OnceCell};
use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

pub use args::{FetchArgs, StoreUse};
pub use client::{BodyPlace, Client, DocumentRequest, FetchConditions, FetchFailure, FetchedDocument};
pub use location::{RemoteUrl, shown, unescaped};
pub use manners::PER_HOST;

use super::file::InputSource;
use super::kinds::is_document;
use super::limits::LimitArgs;
use super::output::{OutputOptions, OutputTarget};
use super::progress::Progress;
use crate::convert::{Document, Fetched};
use crate::detect::{self, DocumentKind};
use crate::error::Error;
use crate::inspect::{DiscoveredDocument, DiscoveredSite};
use crate::job::list;
use crate::options::Options;
use crate::xml::decode;

/// Documents that one input may list.
pub const PARTS: usize = 50_000;

/// Lists that may lead to a document, each named by the one before: an index by a robots.txt, and so on.
const DEPTH: u8 = 8;

/// Bytes of a page or a robots.txt that are looked at.
const PAGE: u64 = 4 << 20;

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
    client: OnceCell<Client>,
    /// The bodies of all documents but the first: a file for each could be more than a process may open.
    shared: OnceCell<Arc<File>>,
    fetched: Cell<u64>,
}

impl<'f> Fetcher<'f> {
    /// With these options. Nothing is prepared until a URL is asked for.
    pub fn new(args: &'f FetchArgs, limits: &'f LimitArgs, temp_dir: Option<&'f Path>) -> Fetcher<'f> {
        Fetcher { args, limits, temp_dir, client: OnceCell::new(), shared: OnceCell::new(), fetched: Cell::new(0) }
    }

    fn client(&self) -> Result<&Client, Error> {
        if self.client.get().is_none() {
            // only this thread has it
            let _ = self.client.set(self.args.client(self.limits, self.temp_dir, StoreUse::default())?);
        }
        self.client.get().ok_or_else(|| Error::format("cannot fetch", "this is a bug"))
    }

    /// Opens an input as it is: a file, standard input, or the document at a URL.
    ///
    /// # Errors
    /// It cannot be read or fetched.
    pub fn open(&self, name: &str, progress: &Progress) -> Result<InputSource, Error> {
        match typed(name)? {
            Some(request) => self.fetch(&request, progress),
            None => InputSource::open(name, self.temp_dir, progress),
        }
    }

    fn fetch(&self, request: &DocumentRequest, progress: &Progress) -> Result<InputSource, Error> {
        progress.expect_stream();
        let received = |bytes: u64| progress.advance(bytes);
        let conditions = FetchConditions { known: None, stop: &|| false, received: &received };
        let document = self.client()?.get(request, &conditions).map_err(|failure| Error::from(*failure))?;
        let mut source = InputSource::remote(document, progress)?;
        if let Some(facts) = source.fetched().filter(|_| leads_somewhere(&source, self.args.discover)) {
            self.client()?.note_moved(facts);
        }
        if self.fetched.replace(self.fetched.get() + 1) > 0 {
            source.share(self.shared()?).map_err(Error::temporary)?;
        }
        Ok(source)
    }

    /// The file for many bodies.
    fn shared(&self) -> Result<&Arc<File>, Error> {
        if self.shared.get().is_none() {
            let file =
                self.temp_dir.map_or_else(tempfile::tempfile, tempfile::tempfile_in).map_err(Error::temporary)?;
            // only this thread has it
            let _ = self.shared.set(Arc::new(file));
        }
        self.shared.get().ok_or_else(|| Error::format("cannot fetch", "this is a bug"))
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
        let mut sources = Vec::new();
        for name in names {
            match typed(name)? {
                Some(request) => self.expand(vec![request], progress, (&mut sources, notes))?,
                None => sources.push(InputSource::open(name, self.temp_dir, progress)?),
            }
        }
        Ok(sources)
    }

    /// Opens the documents of a list that is open already: with `--follow-remote` the parts of an index, the sitemaps that
    /// a robots.txt names. Nothing for a document.
    ///
    /// # Errors
    /// Something of it cannot be read or fetched.
    pub fn listed(
        &self,
        name: &str,
        source: &InputSource,
        progress: &Progress,
        notes: &mut Vec<String>,
    ) -> Result<Option<Vec<InputSource>>, Error> {
        let Some(request) = typed(name)?.filter(|_| source.fetched().is_some()) else { return Ok(None) };
        let Some(named) = self.named_by(source, &request, (progress, notes))? else { return Ok(None) };
        let mut sources = Vec::new();
        self.expand(named, progress, (&mut sources, notes))?;
        Ok(Some(sources))
    }

    fn expand(
        &self,
        requests: Vec<DocumentRequest>,
        progress: &Progress,
        (sources, notes): (&mut Vec<InputSource>, &mut Vec<String>),
    ) -> Result<(), Error> {
        let mut open = requests;
        open.reverse();
        let mut seen = HashSet::new();
        while let Some(request) = open.pop() {
            if !seen.insert(request.url.to_string()) {
                continue;
            }
            let source = self.fetch(&request, progress)?;
            let facts = source.fetched().filter(|_| leads_somewhere(&source, self.args.discover));
            if let Some(moved_to) = facts.and_then(|facts| facts.moved_to.as_ref()) {
                notes.push(format!("{} moved for good to {moved_to}", request.url));
            }
            let named = self.named_by(&source, &request, (progress, notes))?;
            match named {
                Some(named) => open.extend(named.into_iter().rev()),
                None => sources.push(source),
            }
            if seen.len() > PARTS {
                let says = format!("cannot fetch {}: it names more than {PARTS} documents", request.url);
                return Err(Error::format(says, "pass its parts one by one"));
            }
        }
        Ok(())
    }

    /// The documents that this one lists; nothing if it is one itself.
    fn named_by(
        &self,
        source: &InputSource,
        request: &DocumentRequest,
        (progress, notes): (&Progress, &mut Vec<String>),
    ) -> Result<Option<Vec<DocumentRequest>>, Error> {
        let here = final_location(source.fetched(), &request.url);
        if here.is_robots() {
            let named = sitemaps_of(source).map_err(|error| error.in_input(&request.url.to_string()))?;
            if !named.is_empty() {
                return parts(&named, &here, request).map(Some);
            }
        }
        if self.args.discover && is_page(source) {
            let (site, refused) = site(self.client()?, source, request, (progress, &|| false))?;
            if let Some((_, error)) = refused.into_iter().next() {
                return Err(error);
            }
            let urls: Vec<String> = site.documents.into_iter().map(|document| document.url).collect();
            return parts(&urls, &here, request).map(|found| Some(found).filter(|found| !found.is_empty()));
        }
        if is_page(source) {
            let url = &request.url;
            notes
                .push(format!("{url}: a page; --discover reads the feeds that the site names, and inspect lists them"));
        }
        let is_index = Document::open_briefly(source, None, &Options::default())
            .is_ok_and(|document| document.format.id == "sitemap-index");
        if !is_index {
            return Ok(None);
        }
        if !self.args.follow_remote {
            notes.push(format!(
                "{}: the sitemaps of this index are not fetched; --follow-remote fetches them",
                request.url
            ));
            return Ok(None);
        }
        let named = index(source, &Options::default()).map_err(|error| error.in_input(&request.url.to_string()))?;
        parts(&named, &here, request).map(Some)
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
        if !self.args.discover && !is_page(source) {
            return Ok(None);
        }
        let (site, refused) = site(self.client()?, source, &request, (progress, &|| false))?;
        notes.extend(refused.iter().map(|(url, error)| format!("{}: {error}", shown(url))));
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

/// What a site names in its robots.txt and in this page; and what it names and must not be followed.
///
/// # Errors
/// The robots.txt cannot be fetched, or names too much.
pub fn site(
    client: &Client,
    page: &InputSource,
    request: &DocumentRequest,
    (progress, stop): (&Progress, &dyn Fn() -> bool),
) -> Result<(DiscoveredSite, Vec<(String, Error)>), Error> {
    let here = final_location(page.fetched(), &request.url);
    let robots = here.join("/robots.txt").map_err(|says| odd_link(&here, &says))?;
    let (mut documents, mut refused, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    let mut add = |base: &RemoteUrl, reference: &str, (by, kind, title): (&str, &str, &str)| {
        let url = match base.join(reference) {
            Ok(url) => url.to_string(),
            Err(says) => return refused.push((reference.to_owned(), odd_link(&here, &says))),
        };
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        if seen.insert(url.clone()) {
            documents.push(DiscoveredDocument { url, by: by.to_owned(), kind: text(kind), title: text(title) });
        }
    };
    let asked = DocumentRequest { url: robots, ..request.clone() };
    let conditions = FetchConditions { known: None, stop, received: &|bytes| progress.advance(bytes) };
    match client.get(&asked, &conditions) {
        Ok(document) => {
            let robots = InputSource::remote(document, progress)?;
            client.note_list(&asked);
            if !is_page(&robots) {
                let named = sitemaps_of(&robots).map_err(|error| error.in_input(&asked.url.to_string()))?;
                named.iter().for_each(|url| add(&here, url, ("robots.txt", "", "")));
            }
        }
        // most sites without a robots.txt have one of these
        Err(failure) if matches!(failure.facts.status, 401 | 403 | 404 | 410) => (),
        Err(failure) => return Err(Error::from(*failure)),
    }
    if is_page(page) {
        let found = discover::links(&text_of(page, PAGE));
        let base = found.base.and_then(|base| here.join(&base).ok()).unwrap_or_else(|| here.clone());
        for link in found.feeds {
            add(&base, &link.href, ("link", &link.kind, &link.title));
        }
    }
    Ok((DiscoveredSite { url: here.to_string(), documents }, refused))
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

/// The URLs of the sitemaps in an index.
///
/// # Errors
/// It is cut off, cannot be read, or has more URLs than are accepted.
pub fn index(source: &InputSource, options: &Options) -> Result<Vec<String>, Error> {
    let named = list::index(source, options)?.take(PARTS + 1).collect::<Result<Vec<_>, _>>()?;
    match named.len() > PARTS {
        true => Err(Error::format(format!("cannot fetch more than {PARTS} sitemaps of an index"), "split the index")),
        false => Ok(named),
    }
}

/// Who has the documents that a list names.
#[derive(Clone, Copy)]
pub enum ListKind {
    /// The publisher of the list: parts of an index, sitemaps and feeds of a site.
    Own,
    /// Anybody, perhaps without https: an OPML document.
    Foreign,
}

/// The request for a document that this one names.
///
/// # Errors
/// A URL that must not be followed.
pub fn linked(
    (reference, kind): (&str, ListKind),
    here: &RemoteUrl,
    by: &DocumentRequest,
) -> Result<DocumentRequest, Error> {
    if by.depth >= DEPTH {
        let says = format!("cannot follow a URL in {here}: more than {DEPTH} lists lead to it");
        return Err(Error::format(says, "pass the URL itself"));
    }
    let url = match kind {
        ListKind::Own => here.join(reference),
        ListKind::Foreign => here.link(reference),
    };
    let url = url.map_err(|says| odd_link(here, &says))?;
    Ok(DocumentRequest { url, anchor: by.anchor.clone(), depth: by.depth + 1 })
}

/// The requests for all documents that this one names: where one is missing, the others are not all.
fn parts(named: &[String], here: &RemoteUrl, by: &DocumentRequest) -> Result<Vec<DocumentRequest>, Error> {
    named.iter().map(|reference| linked((reference, ListKind::Own), here, by)).collect()
}

fn odd_link(here: &RemoteUrl, says: &str) -> Error {
    Error::format(format!("cannot follow a URL in {here}: {says}"), "pass the other URLs one by one")
}

/// The URL that a document really has.
pub fn final_location(facts: Option<&Fetched>, asked: &RemoteUrl) -> RemoteUrl {
    facts.and_then(|facts| RemoteUrl::parse(facts.document_url()).ok()).unwrap_or_else(|| asked.clone())
}

/// The sitemaps that a robots.txt names.
///
/// # Errors
/// It is too large, or names too many.
pub fn sitemaps_of(source: &InputSource) -> Result<Vec<String>, Error> {
    let text = text_of(source, PAGE + 1);
    let cannot = |cause: String| {
        Error::format(format!("cannot list the sitemaps of a robots.txt: {cause}"), "pass its sitemaps one by one")
    };
    if text.len() as u64 > PAGE {
        return Err(cannot(format!("it is larger than {}", crate::text::size(PAGE))));
    }
    let named = discover::sitemaps(&text);
    match named.len() > PARTS {
        true => Err(cannot(format!("it names more than {PARTS}"))),
        false => Ok(named),
    }
}

/// Whether there is a document or a list at a URL, and not the page that many servers redirect to when a feed is gone.
pub fn leads_somewhere(source: &InputSource, discovers: bool) -> bool {
    let is_robots = || {
        let here = source.fetched().and_then(|facts| RemoteUrl::parse(facts.document_url()).ok());
        here.is_some_and(|here| here.is_robots())
    };
    match kind(source) {
        Some(DocumentKind::Html { .. }) => discovers,
        Some(DocumentKind::Opml) => true,
        Some(kind) => is_document(&kind) || is_robots(),
        None => false,
    }
}

/// The kind of a document, by its beginning.
pub fn kind(source: &InputSource) -> Option<DocumentKind> {
    use crate::convert::Input;
    let prefix = source.open().and_then(|reader| decode::decode(reader)?.peek()).ok()?;
    Some(detect::detect(&prefix.text, prefix.complete))
}

/// Whether a document is a page of HTML.
pub fn is_page(source: &InputSource) -> bool {
    matches!(kind(source), Some(DocumentKind::Html { .. }))
}

/// So many bytes of a text.
pub fn text_of(source: &InputSource, most: u64) -> String {
    use crate::convert::Input;
    let mut bytes = Vec::new();
    let read = source.open().and_then(|reader| decode::decode(reader)?.take(most).read_to_end(&mut bytes));
    match read {
        Ok(_) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => String::new(),
    }
}
