//! The input files of a run: folders, patterns, lists, sitemap indexes, single files.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use walkdir::{DirEntry, WalkDir};

use super::reports::ReportDestination;
use super::store::state_folder;
use crate::cli::fetch;
#[cfg(feature = "fetch")]
use crate::cli::fetch::DocumentRequest;
use crate::cli::file::{NameHint, lacks_scheme, open_error};
use crate::cli::kinds::is_document;
use crate::cli::output::changed;
use crate::cli::pattern::{self, PathPattern, Patterns};
use crate::cli::places::{CanonicalPaths, in_folder, real};
use crate::convert::{Fetched, Input as Readable};
use crate::detect::{self, DocumentKind};
use crate::error::{Error, cause};
use crate::job::journal::{InputOrigin, Validators};
use crate::job::list::{self, ListEntry};
use crate::job::{Name, shown};
use crate::options::Options;
use crate::xml::decode;

/// A file that is to be converted.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Where it is.
    pub file: PathBuf,
    /// Its path below its source, by which its output is named.
    pub path: PathBuf,
    /// What it is known by from run to run: its path, or more of it where that is not the only one of its kind.
    pub key: PathBuf,
    /// Where it was found.
    pub origin: Arc<InputOrigin>,
    /// Its size.
    pub size: u64,
    /// When it was last changed.
    pub mtime: i64,
    /// Named by the user, so it must be a feed.
    pub named: bool,
    /// How it came from a URL, if it did.
    pub remote: Option<Arc<RemoteInput>>,
}

/// How an input came from a URL.
#[derive(Debug, Default)]
pub struct RemoteInput {
    /// The facts for reports.
    pub facts: Fetched,
    /// What it may be asked for again with.
    pub validators: Option<Validators>,
    /// Bytes and hash of the body.
    #[cfg(feature = "fetch")]
    pub stamp: (u64, String),
    /// Why it could not be fetched, and what to do.
    pub failure: Option<(String, String)>,
    /// The journal knows the body, which was not sent again.
    #[cfg(feature = "fetch")]
    pub lacks_body: bool,
    /// The file of a body that is not kept.
    #[cfg(feature = "fetch")]
    pub passing: Option<Arc<tempfile::TempPath>>,
    /// What was asked for.
    #[cfg(feature = "fetch")]
    pub request: Option<Arc<DocumentRequest>>,
}

impl SourceFile {
    /// What messages call it: its path, or its URL.
    pub fn title(&self) -> String {
        self.remote.as_ref().map_or_else(|| shown(&self.path), |remote| remote.facts.url.clone())
    }

    /// The error of an input that could not be fetched.
    pub fn fetch_failure(&self) -> Option<Error> {
        let (says, hint) = self.remote.as_ref()?.failure.as_ref()?;
        Some(Error::format(says, hint))
    }

    /// The URL that it came from.
    pub fn base(&self) -> Option<&str> {
        self.remote.as_ref().map(|remote| remote.facts.document_url())
    }

    /// The encoding that its server named.
    pub fn charset(&self) -> Option<&str> {
        self.remote.as_ref()?.facts.charset.as_deref()
    }

    /// Facts for a report.
    pub fn fetched(&self) -> Vec<Fetched> {
        self.remote.iter().map(|remote| remote.facts.clone()).collect()
    }

    /// What its URL may be asked for again with.
    pub fn validators(&self) -> Option<&Validators> {
        self.remote.as_ref()?.validators.as_ref()
    }
}

/// So many symlinks that are skipped are named, unless all are asked for.
const NAMED: usize = 10;

/// The error for a pipe.
const NO_FILE: &str = "is not a file; use convert for standard input and pipes";

/// A URL that is a source.
#[cfg(feature = "fetch")]
pub struct RemoteSource {
    /// What is asked for.
    pub request: DocumentRequest,
    /// How it is shared out among machines.
    pub share: UrlShare,
}

/// How a URL is shared out among machines.
#[cfg(feature = "fetch")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum UrlShare {
    /// It was typed and may be a list: every machine fetches it, and a document of another share is left.
    Typed,
    /// It is an entry of a list: its machine fetches it.
    Listed,
    /// It is an entry of a list that was itself shared out, and goes with that.
    Inherited,
}

/// What was found.
#[derive(Default)]
pub struct SourceListing {
    /// The files, in the order of their keys.
    pub inputs: Vec<SourceFile>,
    /// What was named, or is in the way, and cannot be read.
    pub failed: Vec<(PathBuf, String)>,
    /// Other notes to print.
    pub notes: Vec<String>,
    /// Lists that were followed.
    pub lists: u64,
    /// Some URLs are those of other shards.
    pub has_others: bool,
    /// The files that they are, as they really are.
    pub read: Vec<PathBuf>,
    /// The folder below which files that were named by absolute paths keep their paths.
    pub common: Option<PathBuf>,
    /// URLs that are to be fetched.
    #[cfg(feature = "fetch")]
    pub remote: Vec<RemoteSource>,
}

/// The arguments of the search.
pub struct SourceRequest<'w> {
    /// The sources, as given.
    pub sources: &'w [OsString],
    /// Only files like these.
    pub include: &'w [String],
    /// No files and folders like these.
    pub exclude: &'w [String],
    /// Links are followed wherever they lead.
    pub follow: bool,
    /// Parts of an index that are not next to it are fetched.
    pub follow_remote: bool,
    /// Names in lists end with a zero byte.
    pub zero: bool,
    /// The URL of the folder that sitemap indexes are in.
    pub base: Option<&'w str>,
    /// The folder of outputs, which is no source.
    pub out: Option<&'w Path>,
    /// Where reports are written. Those of an earlier run are no sources.
    pub reports: &'w [ReportDestination],
    /// How indexes are read.
    pub options: &'w Options,
    /// Whether a former run knows this file as no index.
    pub known: &'w dyn Fn(&Path, &Metadata) -> bool,
    /// The value of [`SourceListing::common`] in earlier runs.
    pub common: Option<PathBuf>,
    /// Every symlink that is skipped is named.
    pub verbose: bool,
}

impl SourceListing {
    /// Whether something is to be fetched.
    pub fn has_urls(&self) -> bool {
        #[cfg(feature = "fetch")]
        let has_urls = !self.remote.is_empty();
        #[cfg(not(feature = "fetch"))]
        let has_urls = false;
        has_urls
    }
}

struct SourceFinder<'w> {
    wish: &'w SourceRequest<'w>,
    include: Option<Patterns>,
    exclude: Patterns,
    /// The folder of outputs as it really is.
    out: Option<PathBuf>,
    /// Several folders are sources: each keeps its name.
    several: bool,
    found: SourceListing,
    /// Symlinks that are skipped, and why.
    links: Vec<(PathBuf, &'static str)>,
    /// Folders of files that were named by absolute paths.
    named_in: Vec<PathBuf>,
    /// Lists that were followed already, as they really are.
    lists: HashSet<PathBuf>,
}

/// Finds all files.
///
/// # Errors
/// A source that is not there, a pattern that is none, a list that cannot be read.
pub fn find(wish: &SourceRequest<'_>) -> Result<SourceListing, Error> {
    let out = wish.out.and_then(|out| out.canonicalize().ok());
    let folders = wish.sources.iter().filter(|source| Path::new(source).is_dir()).count();
    let mut finder = SourceFinder {
        wish,
        include: if wish.include.is_empty() { None } else { Some(Patterns::parse("--include", wish.include)?) },
        exclude: Patterns::parse("--exclude", wish.exclude)?,
        out,
        several: folders > 1,
        found: SourceListing::default(),
        links: Vec::new(),
        named_in: Vec::new(),
        lists: HashSet::new(),
    };
    for source in wish.sources {
        finder.source(source)?;
    }
    finder.end()
}

impl SourceFinder<'_> {
    fn source(&mut self, source: &OsStr) -> Result<(), Error> {
        if let Some(url) = source.to_str().filter(|text| fetch::is_url(text)) {
            return self.url(url, true);
        }
        let path = Path::new(source);
        if let Some(list) = source.as_encoded_bytes().strip_prefix(b"@") {
            let list = Name::from_path(source).path().filter(|_| !list.is_empty());
            return match list.as_ref().and_then(|list| Path::new(list).to_str()).and_then(|list| list.strip_prefix('@'))
            {
                Some("-") => self.list(Path::new("standard input"), read(&mut io::stdin().lock())),
                Some(name) => {
                    self.found.read.push(real(Path::new(name)));
                    self.list(Path::new(name), File::open(name).and_then(|mut file| read(&mut file)))
                }
                None => {
                    Err(Error::format("cannot read a list: its name is empty", "pass @FILE, or @- for standard input"))
                }
            };
        }
        match fs::metadata(path) {
            Ok(meta) if meta.is_dir() => self.source_folder(path, None),
            Ok(_) => self.named_file(path),
            Err(error) => match source.to_str().filter(|text| pattern::is_pattern(text)) {
                Some(pattern) => self.pattern(pattern),
                None => match source.to_str() {
                    Some("-") => Err(Error::format(
                        "cannot read -: migrate reads no document from standard input",
                        "pass @- to read a list of files there, or use transfeed convert",
                    )),
                    Some(name) => Err(open_error(name, error)),
                    None => Err(Error::io(shown(path), error)),
                },
            },
        }
    }

    /// The files that a pattern names, from its first step that is one.
    fn pattern(&mut self, pattern: &str) -> Result<(), Error> {
        let (folder, pattern_below) = pattern::split(pattern)
            .map_err(|error| Error::format(error, "pass a folder, or a pattern such as feeds/**/*.xml"))?;
        let folder = if folder.as_os_str().is_empty() { PathBuf::from("./") } else { folder };
        let before = self.found.inputs.len() + self.found.failed.len();
        self.source_folder(&folder, Some(&pattern_below))?;
        match self.found.inputs.len() + self.found.failed.len() > before {
            true => Ok(()),
            false => Err(Error::format(
                format!("cannot find a file that matches {}", shown(pattern)),
                "check the pattern, or pass a folder",
            )),
        }
    }

    /// A folder on the command line: one of several keeps its name.
    fn source_folder(&mut self, root: &Path, only: Option<&PathPattern>) -> Result<(), Error> {
        let real = root.canonicalize().map_err(|error| Error::io(shown(root), error))?;
        let prefix = real.file_name().filter(|_| self.several).map(PathBuf::from);
        self.folder(root, &prefix.unwrap_or_default(), only)
    }

    /// All files of a folder and the folders in it, hidden ones apart. Their paths begin with `prefix`.
    fn folder(&mut self, root: &Path, prefix: &Path, only: Option<&PathPattern>) -> Result<(), Error> {
        let real = root.canonicalize().map_err(|error| Error::io(shown(root), error))?;
        if self.out.as_ref() == Some(&real) {
            return Err(Error::format(
                format!("cannot write to {}: it is the source", shown(root)),
                "pass another folder to --out; inputs are never replaced",
            ));
        }
        let out = self.out.clone();
        let exclude = self.exclude.clone();
        let before = self.found.inputs.len();
        let inner_out = Cell::new(None);
        let wanted = |entry: &DirEntry| {
            let hidden = entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
            let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
            let is_out = || {
                let is_out = entry.file_type().is_dir() && out.is_some() && entry.path().canonicalize().ok() == out;
                if is_out {
                    inner_out.set(Some(entry.path().to_owned()));
                }
                is_out
            };
            let is_folder = entry.depth() > 0 && entry.file_type().is_dir();
            let leads = !is_folder || only.is_none_or(|only| only.leads_into(below));
            leads && !(hidden || entry.depth() > 0 && exclude.matches(below) || is_out())
        };
        let walk = WalkDir::new(root).follow_links(self.wish.follow).follow_root_links(true).sort_by_file_name();
        let mut indexes = Vec::new();
        for entry in walk.into_iter().filter_entry(wanted) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) if self.skips_symlink(&error, root, only) => continue,
                Err(error) => {
                    let path = error.path().unwrap_or(root);
                    let path = path.strip_prefix(root).map_or_else(|_| path.to_owned(), |below| prefix.join(below));
                    let says = error.io_error().map_or_else(|| error.to_string(), cause);
                    self.found.failed.push((path, says));
                    continue;
                }
            };
            let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
            let fits = self.include.as_ref().is_none_or(|include| include.matches(below));
            let fits = fits && only.is_none_or(|only| only.matches(below));
            let leads = only.is_none_or(|only| only.leads_into(below));
            let path = prefix.join(below);
            let Some(meta) = self.file((&entry, &path), &real, (fits, leads)) else { continue };
            if self.is_report(&real.join(below), &real) {
                continue;
            }
            if !(self.wish.known)(&path, &meta) && meta.len() > 0 && may_be_index(entry.path()) {
                indexes.push((entry.path().to_owned(), path));
                continue;
            }
            self.push(entry.path().to_owned(), path, &meta, false);
        }
        if let Some(out) = inner_out.take() {
            let is_asked_for = |file: &Path| {
                let below = file.strip_prefix(root).unwrap_or(file);
                let fits = self.include.as_ref().is_none_or(|include| include.matches(below));
                fits && only.is_none_or(|only| only.matches(below)) && !self.exclude.matches(below)
            };
            refuse_feeds_of_source(&out, &is_asked_for)?;
        }
        for (file, path) in indexes {
            match kind(&file) {
                Ok(DocumentKind::SitemapIndex) => self.index(&file, (&real, prefix), false),
                Ok(_) | Err(_) => self.found_file(file, path),
            }
        }
        let origin = Arc::new(InputOrigin { source: Some(Name::from_path(&real)), ..InputOrigin::default() });
        for input in self.found.inputs.iter_mut().skip(before) {
            input.origin = Arc::clone(&origin);
        }
        Ok(())
    }

    /// Whether an error is that of a followed symlink that leads to a folder around it, or nowhere and has no name of a feed. It
    /// is noted if it could be asked for.
    fn skips_symlink(&mut self, error: &walkdir::Error, root: &Path, only: Option<&PathPattern>) -> bool {
        let Some(path) = error.path() else { return false };
        let is_missing = error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::NotFound);
        let below = path.strip_prefix(root).unwrap_or(path);
        let is_wanted = self.include.as_ref().is_none_or(|include| include.matches(below))
            && only.is_none_or(|only| only.matches(below));
        let why = match error.loop_ancestor() {
            Some(_) => "leads to a folder around it",
            None if !(is_missing && path.is_symlink()) => return false,
            None if !is_wanted => return true,
            None if NameHint::from_path(path).is_feed(&DocumentKind::Empty) => return false,
            None => "broken",
        };
        self.links.push((path.to_owned(), why));
        true
    }

    /// Whether a file is a report of an earlier run: it has the place of one, and is no feed.
    fn is_report(&self, path: &Path, root: &Path) -> bool {
        self.wish.reports.iter().any(|report| report.may_be_at(path, root))
            && kind(path).is_ok_and(|kind| !is_document(&kind, None, false))
    }

    /// What is known of a file that was found and `fits` what is asked for; nothing of what is no file. A symlink that is
    /// skipped is noted if it fits, or if it `leads` to what may fit; an error has failed.
    fn file(
        &mut self,
        (entry, below): (&DirEntry, &Path),
        root: &Path,
        (fits, leads): (bool, bool),
    ) -> Option<Metadata> {
        let (path, kind) = (entry.path(), entry.file_type());
        let is_link = kind.is_symlink() && entry.depth() > 0;
        let found = match is_link {
            _ if kind.is_dir() => return None,
            // a folder may hold what fits
            true => path.canonicalize().and_then(|real| Ok((fs::metadata(&real)?, real.starts_with(root)))),
            false => match entry.metadata() {
                Ok(meta) => Ok((meta, true)),
                Err(error) => Err(error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into())),
            },
        };
        let skipped = match found {
            Ok((meta, true)) if meta.is_file() => return Some(meta).filter(|_| fits),
            Ok((meta, _)) if meta.is_dir() => "a folder",
            Ok((meta, false)) if meta.is_file() => "outside the source",
            Ok(_) => "no file",
            Err(error)
                if is_link
                    && error.kind() == io::ErrorKind::NotFound
                    && !NameHint::from_path(path).is_feed(&DocumentKind::Empty) =>
            {
                "broken"
            }
            Err(error) if fits => {
                let link = if is_link { fs::read_link(path).ok() } else { None };
                let link = link.map(|to| format!("a symlink to {}: ", shown(&to))).unwrap_or_default();
                self.found.failed.push((below.to_owned(), format!("{link}{}", cause(&error))));
                return None;
            }
            Err(_) => return None,
        };
        match (is_link, skipped) {
            (true, "a folder") if leads => self.links.push((path.to_owned(), skipped)),
            (true, _) if fits && skipped != "a folder" => self.links.push((path.to_owned(), skipped)),
            (false, "no file") if fits && NameHint::from_path(path).is_feed(&DocumentKind::Empty) => {
                self.found.failed.push((below.to_owned(), NO_FILE.to_owned()));
            }
            _ => (),
        }
        None
    }

    fn found_file(&mut self, file: PathBuf, path: PathBuf) {
        match fs::metadata(&file) {
            Ok(meta) => self.push(file, path, &meta, false),
            Err(error) => self.found.failed.push((path, cause(&error))),
        }
    }

    fn push(&mut self, file: PathBuf, path: PathBuf, meta: &Metadata, named: bool) {
        let key = path.clone();
        let origin = Arc::default();
        let (size, mtime, remote) = (meta.len(), changed(meta), None);
        self.found.inputs.push(SourceFile { file, path, key, origin, size, mtime, named, remote });
    }

    /// The names in a list, a line each.
    fn list(&mut self, name: &Path, bytes: io::Result<Vec<u8>>) -> Result<(), Error> {
        let bytes = bytes.map_err(|error| list_error(name, &error))?;
        let end = if self.wish.zero { 0 } else { b'\n' };
        // some editors begin a file with this mark
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        for (number, line) in bytes.split(|byte| *byte == end).enumerate() {
            let line = if self.wish.zero { line } else { line.strip_suffix(b"\r").unwrap_or(line) };
            let Some(path) = path_of(line).filter(|_| !line.is_empty()) else { continue };
            if let Some(url) = path.to_str().map(str::trim).filter(|text| fetch::is_url(text)) {
                // an entry that cannot be fetched does not stop the others
                if let Err(error) = self.url(url, false) {
                    let says = format!("{error} ({}, line {})", shown(name), number + 1);
                    self.found.failed.push((PathBuf::from(fetch::shown(url)), says));
                }
                continue;
            }
            match fs::metadata(&path) {
                Ok(meta) if meta.is_dir() => {
                    let prefix = shown_path(&path);
                    if prefix.is_absolute() {
                        self.named_in.push(prefix.clone());
                    }
                    self.folder(&path, &prefix, None)?;
                }
                Ok(_) => self.named_file(&path)?,
                Err(error) => {
                    // of a URL that is not fetched, the reason is not that there is no such file
                    let url = path.to_str().filter(|text| text.contains("://")).map(str::to_owned);
                    let says = match url {
                        Some(url) => open_error(&url, error).to_string(),
                        None if error.kind() == io::ErrorKind::NotFound => {
                            let hint = match path.to_str() {
                                Some(text) if text.trim_start().starts_with('#') => "a list has no comments",
                                Some(text) if lacks_scheme(text) => "a URL begins with https:// or http://",
                                Some(_) | None => "correct the path, or remove the line",
                            };
                            format!("no such file ({}, line {}); {hint}", shown(name), number + 1)
                        }
                        None => cause(&error),
                    };
                    let named = path.to_str().map(|text| PathBuf::from(fetch::shown(text)));
                    self.found.failed.push((named.unwrap_or(path), says));
                }
            }
        }
        self.found.lists += 1;
        Ok(())
    }

    /// A file that somebody named, under the path by which it was named.
    fn named_file(&mut self, file: &Path) -> Result<(), Error> {
        let path = shown_path(file);
        if path.is_absolute() {
            self.named_in.extend(path.parent().map(Path::to_owned));
        }
        self.named(file.to_owned(), path)
    }

    /// A file that somebody named: a document, or a list of others.
    fn named(&mut self, file: PathBuf, path: PathBuf) -> Result<(), Error> {
        let mut open = vec![(file, path)];
        while let Some((file, path)) = open.pop() {
            let meta = match fs::metadata(&file) {
                Ok(meta) if meta.is_file() => meta,
                Ok(_) => {
                    self.found.failed.push((path, NO_FILE.to_owned()));
                    continue;
                }
                Err(error) => {
                    self.found.failed.push((path, cause(&error)));
                    continue;
                }
            };
            let real = file.canonicalize().unwrap_or_else(|_| file.clone());
            let root = real.parent().map(Path::to_owned).unwrap_or_default();
            let folder = path.parent().map(Path::to_owned).unwrap_or_default();
            match kind(&file) {
                Ok(DocumentKind::Opml) if self.lists.insert(real) => self.opml(&file, &root, &folder, &mut open),
                Ok(DocumentKind::SitemapIndex) => self.index(&file, (&root, &folder), true),
                Ok(DocumentKind::Opml) => (),
                Ok(_) | Err(_) => self.push(file, path, &meta, true),
            }
        }
        Ok(())
    }

    /// The feeds that an OPML document names; they must be in its folder, or below.
    fn opml(&mut self, file: &Path, root: &Path, folder: &Path, open: &mut Vec<(PathBuf, PathBuf)>) {
        self.found.lists += 1;
        let text = File::open(file).and_then(decode::decode).and_then(|mut decoded| read(&mut decoded));
        let text = match text {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                self.found.failed.push((file.to_owned(), cause(&error)));
                return;
            }
        };
        if let Err(cut_off) = list::whole_opml(&text) {
            self.found.failed.push((file.to_owned(), cut_off.to_string()));
        }
        for name in list::nameless_feeds(&text) {
            self.note(format!("{}: skipped the feed {name:?}: its outline has no xmlUrl", shown(file)));
        }
        let mut children = Vec::new();
        for address in list::opml(&text) {
            match list::meaning(&address) {
                ListEntry::Remote(address) if fetch::is_url(&address) => self.linked_url(&address),
                ListEntry::Remote(address) => {
                    self.note(format!("{}: skipped {address}: URLs are not fetched", shown(file)))
                }
                // the outline of a folder
                ListEntry::Odd(address) if address.is_empty() => (),
                ListEntry::Odd(address) => {
                    let says = format!("listed in {}, but no file, and no http or https URL", shown(file));
                    self.found.failed.push((PathBuf::from(address), says));
                }
                ListEntry::File(path) => match self.below(&root.join(&path), root) {
                    Some(below) => children.push((root.join(&path), folder.join(below))),
                    None => {
                        let says = format!("listed in {}, but outside its folder", shown(file));
                        self.found.failed.push((path, says));
                    }
                },
            }
        }
        open.extend(children.into_iter().rev());
    }

    /// The parts of an index of sitemaps that lie below `root`, and those of the indexes among them. One that is missing has
    /// failed if somebody named the index: without it there is less than was asked for.
    fn index(&mut self, file: &Path, (root, prefix): (&Path, &Path), named: bool) {
        let mut open = vec![file.to_owned()];
        let mut is_listed = false;
        while let Some(file) = open.pop() {
            let real = file.canonicalize().unwrap_or_else(|_| file.clone());
            if !self.lists.insert(real.clone()) {
                if is_listed {
                    self.note(format!("{} is listed again, and read once", shown(&file)));
                }
                continue;
            }
            self.found.lists += 1;
            let name = shown(&file);
            is_listed = true;
            let index = DiskFile { file: &file, name: &name };
            let beside = real.parent().unwrap_or(root);
            let (mut wrong, mut more) = (None, 0_u64);
            match list::index(&index, self.wish.options) {
                Ok(addresses) => {
                    for address in addresses {
                        match address {
                            Ok(address) => {
                                let is_there = self.part(&address, beside, (root, prefix), &mut open);
                                if !is_there {
                                    self.missing(&file, &address, named);
                                }
                            }
                            Err(error) if wrong.is_none() => wrong = Some(error.to_string()),
                            Err(_) => more += 1,
                        }
                    }
                }
                Err(error) => wrong = Some(error.to_string()),
            }
            if let Some(wrong) = wrong {
                let more =
                    if more > 0 { format!("; {more} more of its entries cannot be read") } else { String::new() };
                self.found.failed.push((file, wrong + &more));
            }
        }
    }

    /// Takes the part with this URL, unless it is excluded. Returns whether it exists or was reported as failed.
    fn part(&mut self, address: &str, beside: &Path, (root, prefix): (&Path, &Path), open: &mut Vec<PathBuf>) -> bool {
        let places = list::part(address, self.wish.base).into_iter().map(|path| beside.join(path));
        let mut inside = places.filter_map(|place| Some((self.below(&place, root)?, place)));
        let mut wrong = None;
        let mut file = |place: &Path| match fs::metadata(place) {
            Ok(meta) => Some(meta).filter(Metadata::is_file),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => None,
            Err(error) => {
                wrong.get_or_insert((place.to_owned(), cause(&error)));
                None
            }
        };
        let found = inside.find_map(|(below, place)| Some((below, file(&place)?, place)));
        drop(inside);
        match found {
            None if wrong.is_some() => self.found.failed.extend(wrong),
            Some((below, ..)) if self.exclude.matches(&below) => (),
            Some((_, _, place)) if matches!(kind(&place), Ok(DocumentKind::SitemapIndex)) => open.push(place),
            Some((below, meta, place)) => self.push(place, prefix.join(below), &meta, true),
            None => return false,
        }
        true
    }

    /// Notes a part of an index that is not there, unless it is excluded.
    fn missing(&mut self, index: &Path, address: &str, named: bool) {
        let places = list::part(address, self.wish.base);
        let index_name = shown(index);
        let hint = match self.wish.base {
            _ if !fetch::is_url(address) => "",
            Some(_) => "; --follow-remote fetches it",
            None => "; pass --index-base URL if it is in a folder below, or --follow-remote to fetch it",
        };
        match places.first() {
            _ if places.iter().any(|place| self.exclude.matches(place)) => (),
            _ if self.wish.follow_remote && fetch::is_url(address) => self.linked_url(address),
            _ if !named => self.note(format!("{index_name}: sitemap {address} is not next to it{hint}")),
            Some(place) => {
                let says = format!("not next to {index_name}, which lists it as {address}{hint}");
                self.found.failed.push((index.with_file_name("").join(place), says));
            }
            None => self.found.failed.push((index.to_owned(), format!("sitemap {address} is not next to it{hint}"))),
        }
    }

    /// The path below `root`, if the file is there or, where links are followed, looks as if.
    fn below(&self, file: &Path, root: &Path) -> Option<PathBuf> {
        let real = file.canonicalize();
        match real {
            Ok(real) if real.starts_with(root) => real.strip_prefix(root).ok().map(Path::to_owned),
            Ok(_) if !self.wish.follow => None,
            // missing files are reported elsewhere
            Ok(_) | Err(_) => {
                let below = file.strip_prefix(root).ok()?;
                list::is_below_root(below).then(|| below.to_owned())
            }
        }
    }

    /// A URL that was typed: on the command line, or in a list.
    #[cfg(feature = "fetch")]
    fn url(&mut self, url: &str, is_argument: bool) -> Result<(), Error> {
        if let Some(request) = fetch::typed(url)? {
            let share = if is_argument { UrlShare::Typed } else { UrlShare::Listed };
            self.found.remote.push(RemoteSource { request, share });
        }
        Ok(())
    }

    /// A URL that a document names.
    #[cfg(feature = "fetch")]
    fn linked_url(&mut self, url: &str) {
        match fetch::typed(url) {
            Ok(Some(request)) => {
                let request = DocumentRequest { anchor: None, url: request.url.without_credentials(), depth: 1 };
                self.found.remote.push(RemoteSource { request, share: UrlShare::Listed });
            }
            Ok(None) => (),
            Err(error) => self.found.failed.push((PathBuf::from(fetch::shown(url)), error.to_string())),
        }
    }

    /// Not reached: without the feature nothing is a URL.
    #[cfg(not(feature = "fetch"))]
    fn url(&mut self, url: &str, _: bool) -> Result<(), Error> {
        Err(open_error(url, io::Error::from(io::ErrorKind::NotFound)))
    }

    /// Not reached: without the feature nothing is a URL.
    #[cfg(not(feature = "fetch"))]
    fn linked_url(&mut self, _: &str) {}

    fn note(&mut self, note: String) {
        self.found.notes.push(crate::report::make_visible(&note));
    }

    /// Each file once, each key once, in order.
    fn end(mut self) -> Result<SourceListing, Error> {
        if !self.links.is_empty() {
            let count = self.links.len();
            let named = if self.wish.verbose { count } else { NAMED };
            let names = self.links.iter().take(named).map(|(path, why)| format!("{} ({why})", shown(path)));
            let names = names.collect::<Vec<_>>().join(", ");
            let more = match count.saturating_sub(named) {
                0 => String::new(),
                more => format!(" and {more} more (-v names them)"),
            };
            let links = crate::text::many(count as u64, "symlink", "symlinks");
            let them = if count == 1 { "it" } else { "them" };
            let follow = if self.wish.follow { String::new() } else { format!("; --follow follows {them}") };
            self.note(format!("skipped {links}: {names}{more}{follow}"));
        }
        self.settle_paths();
        if self.wish.sources.len() > 1 || self.found.lists > 0 {
            let twice = dedup_files(&mut self.found.inputs);
            if let Some(first) = twice.first() {
                let what = match twice.len() {
                    1 => "1 file is listed twice and converted once".to_owned(),
                    count => format!("{count} files are listed twice and converted once"),
                };
                self.note(format!("{what}; {} is not converted twice", shown(first)));
            }
        }
        let mut found = self.found;
        found.read.extend(self.lists);
        let mut counts: HashMap<PathBuf, u32> = HashMap::new();
        found.inputs.iter().for_each(|input| *counts.entry(input.path.clone()).or_default() += 1);
        for input in found.inputs.iter_mut().filter(|input| counts.get(&input.path).is_some_and(|count| *count > 1)) {
            input.key = input.file.components().filter(|step| matches!(step, Component::Normal(_))).collect();
        }
        let (mut places, mut last) = (CanonicalPaths::default(), Arc::default());
        for input in &mut found.inputs {
            let origin = origin_of(input, &mut places);
            // most inputs have that of the one before
            if *last != origin {
                last = Arc::new(origin);
            }
            input.origin = Arc::clone(&last);
        }
        found.inputs.sort_by(|a, b| a.key.as_os_str().cmp(b.key.as_os_str()).then_with(|| a.file.cmp(&b.file)));
        Ok(found)
    }
}

impl SourceFinder<'_> {
    /// Shortens the paths of files with absolute names to those below their common folder, or that of a former run: the
    /// output of a file must not depend on which others are named. Files outside that folder keep the whole path.
    fn settle_paths(&mut self) {
        let mut common = self.wish.common.clone();
        if common.is_none() {
            let mut folders = self.named_in.iter();
            common = folders.next().cloned();
            for folder in folders {
                common = common.map(|common| shared(&common, folder));
            }
        }
        let Some(common) = common else { return };
        for input in self.found.inputs.iter_mut().filter(|input| input.path.is_absolute()) {
            let below = input.path.strip_prefix(&common).unwrap_or(&input.path);
            let steps = below.components().filter(|step| matches!(step, Component::Normal(_)));
            input.path = steps.collect();
            input.key.clone_from(&input.path);
        }
        self.found.common = Some(common);
    }
}

/// Refuses a folder of outputs in a source if no run has written there and it has feeds that are asked for: they are those of
/// the source.
fn refuse_feeds_of_source(out: &Path, is_asked_for: &dyn Fn(&Path) -> bool) -> Result<(), Error> {
    if state_folder(out).exists() {
        return Ok(());
    }
    let is_shown = |entry: &DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
    let files = WalkDir::new(out).sort_by_file_name().into_iter().filter_entry(is_shown).flatten();
    let is_feed = |entry: &DirEntry| {
        let is_file = entry.file_type().is_file() && is_asked_for(entry.path());
        is_file && kind(entry.path()).is_ok_and(|kind| is_document(&kind, None, false))
    };
    files.into_iter().find(is_feed).map_or(Ok(()), |feed| {
        Err(Error::format(
            format!("cannot write to {}: it has feeds of the source, such as {}", shown(out), shown(feed.path())),
            "pass an empty folder, or one outside the source, to --out",
        ))
    })
}

/// Where an input was found: what is left of its names without the path that it is known by.
fn origin_of(input: &SourceFile, places: &mut CanonicalPaths) -> InputOrigin {
    let real = places.resolve(&input.file);
    let named = std::path::absolute(&input.file).unwrap_or_else(|_| input.file.clone());
    let source = input.origin.source.clone().unwrap_or_else(|| Name::from_path(&real));
    let (real, named) =
        (Name::from_path(source_folder_of(&real, &input.key)), Name::from_path(source_folder_of(&named, &input.key)));
    InputOrigin {
        named: Some(named).filter(|named| *named != real),
        source: Some(source).filter(|source| *source != real),
        real,
    }
}

/// The folder below which a file has this path, or as much of it as it has.
fn source_folder_of<'p>(file: &'p Path, path: &Path) -> &'p Path {
    let mut above = file;
    for step in path.components().rev() {
        match (above.file_name(), above.parent()) {
            (Some(name), Some(parent)) if name == step.as_os_str() => above = parent,
            _ => break,
        }
    }
    above
}

/// The folder that two absolute paths have in common.
fn shared(one: &Path, other: &Path) -> PathBuf {
    let steps = one.components().zip(other.components()).take_while(|(one, other)| one == other);
    steps.map(|(step, _)| step).collect()
}

/// Leaves each file once, whatever leads there; a link to another file is a name of its own. The answer are the paths under
/// which files are no inputs for that.
fn dedup_files(inputs: &mut Vec<SourceFile>) -> Vec<PathBuf> {
    let (mut places, mut known) = (CanonicalPaths::default(), HashMap::new());
    let (mut kept, mut twice) = (Vec::<SourceFile>::with_capacity(inputs.len()), Vec::new());
    for input in inputs.drain(..) {
        let at = *known.entry(places.resolve(&input.file)).or_insert(kept.len());
        match kept.get_mut(at) {
            Some(first) => {
                first.named |= input.named;
                if first.path != input.path {
                    twice.push(input.path);
                }
            }
            None => kept.push(input),
        }
    }
    *inputs = kept;
    twice.sort_unstable();
    twice
}

/// A file as the library reads it.
pub struct DiskFile<'f> {
    /// Where it is.
    pub file: &'f Path,
    /// What messages call it.
    pub name: &'f str,
}

impl Readable for DiskFile<'_> {
    fn name(&self) -> &str {
        self.name
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
        Ok(Box::new(File::open(self.file)?))
    }
}

/// Maximum size of a list in bytes.
pub const LIST: u64 = 256 << 20;

fn read(from: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = from.take(LIST).read_to_end(&mut bytes)?;
    match read as u64 == LIST {
        true => Err(io::Error::new(io::ErrorKind::InvalidData, "it is too large for a list")),
        false => Ok(bytes),
    }
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    Some(PathBuf::from(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}

/// Detects what a file is by its beginning.
///
/// # Errors
/// An I/O error.
pub fn kind(file: &Path) -> io::Result<DocumentKind> {
    let prefix = decode::decode(File::open(file)?)?.peek()?;
    Ok(detect::detect(&prefix.text, prefix.complete))
}

/// Whether the beginning of a file looks as if it were an index of sitemaps, or in such a way that it could be anything.
fn may_be_index(file: &Path) -> bool {
    let mut bytes = [0; 2048];
    let Ok(read) = File::open(file).and_then(|mut file| file.read(&mut bytes)) else { return false };
    let bytes = bytes.get(..read).unwrap_or_default();
    let plain = bytes.first().is_some_and(|first| first.is_ascii_graphic() || first.is_ascii_whitespace());
    let plain = (plain || bytes.starts_with(b"\xef\xbb\xbf")) && !bytes.contains(&0);
    !plain || memchr::memmem::find(&bytes.to_ascii_lowercase(), b"sitemapindex").is_some()
}

/// The path that a file keeps: as it was named where that leads down from here, else its absolute path.
fn shown_path(path: &Path) -> PathBuf {
    let down = |step: Component<'_>| matches!(step, Component::Normal(_) | Component::CurDir);
    match path.components().all(down) {
        true => path.components().filter(|step| matches!(step, Component::Normal(_))).collect(),
        // `..` behind a link is not the folder before it
        false if path.components().any(|step| step == Component::ParentDir) => in_folder(path),
        false => path.to_owned(),
    }
}

/// Why a list cannot be read, and what to do.
fn list_error(name: &Path, error: &io::Error) -> Error {
    let (list, named) = (fetch::shown(&shown(name)), name.to_string_lossy());
    let says = match error.kind() {
        io::ErrorKind::NotFound if named.contains("://") => {
            "a list must be a file; download it, and pass @FILE".to_owned()
        }
        io::ErrorKind::NotFound => "no such file; check the path".to_owned(),
        _ => cause(error),
    };
    Error::io(format!("cannot read the list {list}"), io::Error::other(says))
}
