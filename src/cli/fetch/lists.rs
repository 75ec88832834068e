//! The documents that one at a URL lists: parts of an index, sitemaps of a robots.txt, feeds and sitemaps of a site, feeds of
//! an OPML document. Which of them are fetched, and which cause is an error, is the caller's choice.

use std::collections::HashSet;
use std::io::Read;

use super::client::{Client, DocumentRequest, FetchAnswer, FetchConditions};
use super::discover::{self, AlternateLink, PageLinks};
use super::location::{RemoteUrl, shown};
use super::reading::PageReading;
use crate::cli::file::InputSource;
use crate::cli::progress::Progress;
use crate::convert::{Fetched, Input};
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

/// Bytes of an OPML document.
const OPML: u64 = 256 << 20;

/// The documents that one at a URL lists.
pub enum ListedDocuments {
    /// Nothing: it is a document, or it cannot be read.
    Nothing,
    /// Nothing: it is a page of a site, which is not searched or names nothing.
    Page,
    /// What a site names, when its robots.txt is there.
    Site(Box<SitePage>),
    /// Nothing: it is an index, whose sitemaps are not to be listed.
    Index,
    /// These documents.
    List(NamedList),
}

/// The documents that a list names.
#[derive(Default)]
pub struct NamedList {
    /// Those that can be asked for.
    pub requests: Vec<DocumentRequest>,
    /// References that must not be followed, as they may be shown, and why.
    pub refused: Vec<(String, Error)>,
}

/// Finds what documents list.
pub struct ListReader<'l> {
    /// Whether the sitemaps of an index are listed.
    pub follows: bool,
    /// Whether a page lists the feeds and sitemaps of its site.
    pub discovers: bool,
    /// Whether the feeds of an OPML document are listed.
    pub opens_opml: bool,
    /// Which pages are documents.
    pub reads: PageReading,
    /// How an index is read.
    pub options: &'l Options,
}

impl ListReader<'_> {
    /// What a document lists.
    ///
    /// # Errors
    /// The list cannot be read, or is too long, or a robots.txt names nothing.
    pub fn named_by(&self, source: &InputSource, request: &DocumentRequest) -> Result<ListedDocuments, Error> {
        let here = final_location(source.fetched(), &request.url);
        if here.is_robots() {
            let named = sitemaps_of(source)?;
            if !named.is_empty() {
                return Ok(ListedDocuments::List(NamedList::new(named, ListKind::Own, (&here, request))));
            }
        }
        match kind(source) {
            Some(DocumentKind::Unknown { .. }) if here.is_robots() => {
                Err(Error::format("a robots.txt that names no sitemap", "pass the URL of a feed or of a sitemap"))
            }
            Some(DocumentKind::Html { .. }) if self.discovers => {
                SitePage::read(source, request).map(|page| ListedDocuments::Site(Box::new(page)))
            }
            Some(kind @ DocumentKind::Html { .. }) if !self.reads.is_read(&kind) => Ok(ListedDocuments::Page),
            Some(DocumentKind::Opml) if self.opens_opml => Ok(ListedDocuments::List(opml(source, (&here, request)))),
            Some(DocumentKind::SitemapIndex) if self.follows => {
                let named = index(source, self.options)?;
                Ok(ListedDocuments::List(NamedList::new(named, ListKind::Own, (&here, request))))
            }
            Some(DocumentKind::SitemapIndex) => Ok(ListedDocuments::Index),
            Some(_) | None => Ok(ListedDocuments::Nothing),
        }
    }
}

impl NamedList {
    /// What a document at a URL names.
    fn new(
        named: impl IntoIterator<Item = String>,
        kind: ListKind,
        (here, by): (&RemoteUrl, &DocumentRequest),
    ) -> NamedList {
        let mut list = NamedList::default();
        for reference in named {
            match linked((&reference, kind), here, by) {
                Ok(request) => list.requests.push(request),
                Err(error) => list.refused.push((shown(&reference), error)),
            }
        }
        list
    }
}

/// The feeds of an OPML document; one that is cut off is itself among what is refused.
fn opml(source: &InputSource, (here, by): (&RemoteUrl, &DocumentRequest)) -> NamedList {
    let text = text_of(source, OPML);
    // the outline of a folder may have an empty one
    let named = list::opml(&text).into_iter().filter(|address| !address.is_empty());
    let mut list = NamedList::new(named, ListKind::Foreign, (here, by));
    if let Err(cut_off) = list::whole_opml(&text) {
        let url = by.url.to_string();
        list.refused.push((url.clone(), cut_off.in_input(&url)));
    }
    list
}

/// A page of a site, and what it names, before the robots.txt of the site is there.
pub struct SitePage {
    /// The request for the robots.txt.
    pub robots: DocumentRequest,
    here: RemoteUrl,
    base: RemoteUrl,
    feeds: Vec<AlternateLink>,
}

/// What a site names in its robots.txt and in a page; and what it names and must not be followed.
pub type NamedBySite = (DiscoveredSite, Vec<(String, Error)>);

impl SitePage {
    /// The page that a request was answered with. What is no page names nothing itself.
    ///
    /// # Errors
    /// The robots.txt has no URL.
    pub fn read(page: &InputSource, request: &DocumentRequest) -> Result<SitePage, Error> {
        let here = final_location(page.fetched(), &request.url);
        let url = here.join("/robots.txt").map_err(|says| odd_link(&here, &says))?;
        let found = if is_html(page) { discover::links(&text_of(page, PAGE)) } else { PageLinks::default() };
        let base = found.base.and_then(|base| here.join(&base).ok()).unwrap_or_else(|| here.clone());
        Ok(SitePage { robots: DocumentRequest { url, ..request.clone() }, here, base, feeds: found.feeds })
    }

    /// Waits for the sitemaps that the robots.txt names.
    ///
    /// # Errors
    /// As [`sitemaps_of_site`].
    pub fn wait(&self, client: &Client, progress: &Progress) -> Result<Vec<String>, Error> {
        let received = |bytes: u64| progress.advance(bytes);
        let conditions = FetchConditions { known: None, stop: &|| false, received: &received };
        sitemaps_of_site(client, (&self.robots, client.get(&self.robots, &conditions)), progress)
    }

    /// What the site names, by the sitemaps in its robots.txt.
    pub fn named(&self, sitemaps: &[String]) -> NamedBySite {
        let (mut documents, mut refused, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        let mut add = |base: &RemoteUrl, reference: &str, (by, kind, title): (&str, &str, &str)| {
            let url = match base.join(reference) {
                Ok(url) => url.to_string(),
                Err(says) => return refused.push((reference.to_owned(), odd_link(&self.here, &says))),
            };
            let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            if seen.insert(url.clone()) {
                documents.push(DiscoveredDocument { url, by: by.to_owned(), kind: text(kind), title: text(title) });
            }
        };
        sitemaps.iter().for_each(|url| add(&self.here, url, ("robots.txt", "", "")));
        for link in &self.feeds {
            add(&self.base, &link.href, ("link", &link.kind, &link.title));
        }
        (DiscoveredSite { url: self.here.to_string(), documents }, refused)
    }

    /// What the site names, as a list; a page if that is nothing.
    pub fn list(&self, sitemaps: &[String]) -> ListedDocuments {
        let (site, refused) = self.named(sitemaps);
        let urls = site.documents.into_iter().map(|document| document.url);
        // the page led to the robots.txt
        let mut list = NamedList::new(urls, ListKind::Own, (&self.here, &self.robots));
        list.refused.splice(..0, refused);
        let is_empty = list.requests.is_empty() && list.refused.is_empty();
        if is_empty { ListedDocuments::Page } else { ListedDocuments::List(list) }
    }
}

/// The sitemaps that the robots.txt of a site names, by the answer to the request for it.
///
/// # Errors
/// It could not be fetched, or names too much.
pub fn sitemaps_of_site(
    client: &Client,
    (request, answer): (&DocumentRequest, FetchAnswer),
    progress: &Progress,
) -> Result<Vec<String>, Error> {
    match answer {
        Ok(document) => {
            let robots = InputSource::remote(document, progress)?;
            client.note_list(request);
            match is_html(&robots) {
                true => Ok(Vec::new()),
                false => sitemaps_of(&robots).map_err(|error| error.in_input(&request.url.to_string())),
            }
        }
        // most sites without a robots.txt have one of these
        Err(failure) if matches!(failure.facts.status, 401 | 403 | 404 | 410) => Ok(Vec::new()),
        Err(failure) => Err(Error::from(*failure)),
    }
}

/// The URLs of the sitemaps in an index.
///
/// # Errors
/// It is cut off, cannot be read, or has more URLs than are accepted.
fn index(source: &InputSource, options: &Options) -> Result<Vec<String>, Error> {
    let named = list::index(source, options)?.take(PARTS + 1).collect::<Result<Vec<_>, _>>()?;
    match named.len() > PARTS {
        true => Err(Error::format(format!("cannot fetch more than {PARTS} sitemaps of an index"), "split the index")),
        false => Ok(named),
    }
}

/// Who has the documents that a list names.
#[derive(Clone, Copy)]
enum ListKind {
    /// The publisher of the list: parts of an index, sitemaps and feeds of a site.
    Own,
    /// Anybody, perhaps without https: an OPML document.
    Foreign,
}

/// The request for a document that this one names.
///
/// # Errors
/// A URL that must not be followed.
fn linked(
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
fn sitemaps_of(source: &InputSource) -> Result<Vec<String>, Error> {
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
pub fn leads_somewhere(source: &InputSource, discovers: bool, reads: PageReading) -> bool {
    let is_robots = || {
        let here = source.fetched().and_then(|facts| RemoteUrl::parse(facts.document_url()).ok());
        here.is_some_and(|here| here.is_robots())
    };
    match kind(source) {
        Some(kind @ DocumentKind::Html { .. }) => discovers || reads.is_read(&kind),
        Some(DocumentKind::Opml) => true,
        Some(kind) => reads.is_read(&kind) || is_robots(),
        None => false,
    }
}

/// The kind of a document, by its beginning.
pub fn kind(source: &InputSource) -> Option<DocumentKind> {
    let prefix = source.open().and_then(|reader| decode::decode(reader)?.peek()).ok()?;
    Some(detect::detect(&prefix.text, prefix.complete))
}

/// Whether a document is a page of HTML.
pub fn is_html(source: &InputSource) -> bool {
    matches!(kind(source), Some(DocumentKind::Html { .. }))
}

/// So many bytes of a text.
pub fn text_of(source: &InputSource, most: u64) -> String {
    let mut bytes = Vec::new();
    let read = source.open().and_then(|reader| decode::decode(reader)?.take(most).read_to_end(&mut bytes));
    match read {
        Ok(_) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => String::new(),
    }
}
