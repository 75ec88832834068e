//! The fetching of inputs at URLs, before anything is converted: all at once, few for each host, lists and indexes followed
//! where they may be. Each becomes a file that the rest of the run reads; what did not change has none.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::args::Migrate;
use super::leftover;
use super::plan::{MigrationPlan, are_files_unchanged};
use super::sources::{RemoteInput, RemoteSource, SourceFile, SourceListing, UrlShare, kind};
use super::store;
use super::task::is_document;
use super::work::StopReason;
use crate::cli::eprint;
use crate::cli::fetch::{
    self, BodyPlace, Client, DocumentRequest, FetchConditions, FetchFailure, FetchedDocument, RemoteUrl, unescaped,
};
use crate::cli::file::InputSource;
use crate::cli::progress::{self, Progress, ProgressMode};
use crate::convert::{Fetched, refusal};
use crate::detect::DocumentKind;
use crate::error::{Error, ErrorKind};
use crate::job::journal::{InputOrigin, Journal, Record, Validators};
use crate::job::name::Template;
use crate::job::shard::Shard;
use crate::job::summary::InputStatus;
use crate::job::{Name, digest, list, name};
use crate::options::Options;
use crate::text::{many, size};
use crate::xml::decode;

/// Requests at the same time, where `-j` does not say how many.
const TOGETHER: usize = 16;

/// Interval of looks at signals and of progress.
const LOOK: Duration = Duration::from_millis(100);

/// The bodies that a run fetches, and the client that does.
pub struct RemoteBodies {
    client: Arc<Client>,
    /// The folder of bodies that is no cache.
    folder: Option<PathBuf>,
    _temporary: Option<tempfile::TempDir>,
}

/// The facts of a run: its options, their hash, the journal of former runs, and why it ends early.
type RunFacts<'r> = (&'r Migrate, &'r str, &'r Journal, &'r StopReason);

impl RemoteBodies {
    /// Prepares the client and the folder: the cache, one in the folder of outputs, or a temporary one in a dry run.
    ///
    /// # Errors
    /// The options do not fit, or the folder cannot be used.
    pub fn open(args: &Migrate, out: &Path) -> Result<RemoteBodies, Error> {
        let temp_dir = args.wanted.temp_dir.as_deref();
        let temporary = match args.dry_run && args.fetch.cache.is_none() {
            true => Some(temp_dir.map_or_else(tempfile::tempdir, tempfile::tempdir_in).map_err(Error::temporary)?),
            false => None,
        };
        let folder = match &temporary {
            Some(temporary) => temporary.path().to_owned(),
            None => store::state_folder(out).join(leftover::of_shard("fetched", args.shard, "")),
        };
        let client = Arc::new(args.fetch.client(&args.wanted.limits, temp_dir, Some(&folder))?);
        Ok(RemoteBodies { client, folder: args.fetch.cache.is_none().then_some(folder), _temporary: temporary })
    }

    fn fetching<'f>(&self, (args, asked_for, journal, stop): RunFacts<'f>, options: &'f Options) -> RemoteFetching<'f> {
        RemoteFetching {
            client: Arc::clone(&self.client),
            out: args.out.as_deref().unwrap_or(Path::new("")),
            journal,
            asked_for,
            // an output of all inputs needs all of them, and a name may need the document
            trusts_journal: !args.force && !args.merge && !args.name.as_ref().is_some_and(Template::asks_document),
            retry: args.retry_failed,
            shard: args.shard,
            follows: args.fetch.follow_remote,
            discovers: args.fetch.discover,
            threads: args.wanted.threads.into(),
            stop,
            shows: (args.wanted.bar(), args.wanted.verbose && !args.wanted.quiet),
            options,
        }
    }

    /// Fetches the URLs of a listing, and what these name.
    ///
    /// # Errors
    /// More documents than are accepted.
    pub fn fetch(&self, run: RunFacts<'_>, options: &Options, found: &mut SourceListing) -> Result<(), Error> {
        let options = Options { limits: options.limits, ..Options::default() };
        self.fetching(run, &options).fetch(found)
    }

    /// Fetches whole what is to be done, but for which the journal was trusted.
    pub fn complete(&self, run: RunFacts<'_>, options: &Options, (plan, todo): (&mut MigrationPlan, &[usize])) {
        let options = Options { limits: options.limits, ..Options::default() };
        self.fetching(run, &options).complete(plan, todo);
    }

    /// Removes what no later run needs, and writes the list of URLs that moved.
    ///
    /// # Errors
    /// The list cannot be written.
    pub fn end(&self, args: &Migrate, is_interrupted: bool) -> Result<(), Error> {
        // the next run needs not fetch again what this one did not come to; a merged output is made of all bodies again
        let folder = self.folder.as_ref().filter(|_| !is_interrupted && !args.merge);
        if let Some(folder) = folder {
            // what stays is only in the way
            let _ = std::fs::remove_dir_all(folder);
        }
        fetch::write_moved(&args.fetch, &self.client)
    }
}

/// What is asked of the fetching.
struct RemoteFetching<'f> {
    /// The client.
    client: Arc<Client>,
    /// The folder of outputs.
    out: &'f Path,
    /// The journal of former runs.
    journal: &'f Journal,
    /// Hash of all that outputs depend on besides their inputs.
    asked_for: &'f str,
    /// Documents that the journal has are needed only if they changed.
    trusts_journal: bool,
    /// Only what failed is asked for.
    retry: bool,
    /// The share of this run.
    shard: Option<Shard>,
    /// Parts of indexes are fetched, too.
    follows: bool,
    /// Pages are replaced by the feeds and sitemaps that their site names.
    discovers: bool,
    /// Requests at the same time; 0 for the default.
    threads: usize,
    /// Why and whether the run ends early.
    stop: &'f StopReason,
    /// When to draw a bar, and whether to print lines without one.
    shows: (ProgressMode, bool),
    /// How lists are read.
    options: &'f Options,
}

/// The answer to a request.
type Answer = Result<FetchedDocument, Box<FetchFailure>>;

/// A source with its request and what it is known by.
struct NamedRequest {
    source: RemoteSource,
    path: PathBuf,
}

impl RemoteFetching<'_> {
    /// Fetches the URLs of a listing, and what these name. Each document becomes an input; one that could not be fetched
    /// becomes one that fails.
    ///
    /// # Errors
    /// More documents than are accepted.
    fn fetch(&self, found: &mut SourceListing) -> Result<(), Error> {
        let mut seen = HashSet::new();
        let mut open = std::mem::take(&mut found.remote);
        let mut inputs: BTreeMap<String, SourceFile> = BTreeMap::new();
        while !open.is_empty() && !self.stop.now() {
            let mut wanted: Vec<NamedRequest> = Vec::new();
            for source in std::mem::take(&mut open) {
                if !seen.insert(source.request.url.to_string()) {
                    found.notes.push(format!("{} is listed twice and fetched once", source.request.url));
                    continue;
                }
                let path = path_of(&source.request.url);
                if source.share != UrlShare::Listed || self.shard.is_none_or(|shard| shard.holds(&path)) {
                    wanted.push(NamedRequest { source, path });
                }
            }
            let answers = self.answers(&wanted);
            for (wanted, answer) in wanted.into_iter().zip(answers) {
                let url = wanted.source.request.url.to_string();
                let is_others = wanted.source.share == UrlShare::Typed
                    && self.shard.is_some_and(|shard| !shard.holds(&wanted.path));
                let answer = match answer {
                    Some(Ok(document)) => Some(self.look(&wanted.source.request, document, found)),
                    Some(Err(failure)) => Some(FetchedKind::Failed(failure.facts.clone(), of_failure(*failure))),
                    None => None,
                };
                match answer {
                    Some(FetchedKind::List(named)) => {
                        found.lists += 1;
                        let share = match wanted.source.share {
                            UrlShare::Typed => UrlShare::Listed,
                            UrlShare::Listed | UrlShare::Inherited => UrlShare::Inherited,
                        };
                        open.extend(named.into_iter().map(|request| RemoteSource { request, share }));
                    }
                    _ if is_others => (),
                    Some(FetchedKind::Document(remote, file)) => {
                        inputs.insert(url, source_file(wanted.path, remote, file));
                    }
                    Some(FetchedKind::Failed(facts, says)) => {
                        let remote = RemoteInput { facts, failure: Some(says), ..RemoteInput::default() };
                        inputs.insert(url, source_file(wanted.path, remote, None));
                    }
                    None => {
                        let facts = Fetched { url: url.clone(), ..Fetched::default() };
                        let remote = RemoteInput { facts, ..RemoteInput::default() };
                        inputs.insert(url, source_file(wanted.path, remote, None));
                    }
                }
            }
            if seen.len() > MOST {
                let says = format!("cannot fetch more than {MOST} documents in one run");
                return Err(Error::format(says, "pass fewer sources, or split them with --shard"));
            }
        }
        // in an interrupted run
        for source in open {
            let url = source.request.url.to_string();
            if seen.insert(url.clone()) {
                let remote =
                    RemoteInput { facts: Fetched { url: url.clone(), ..Fetched::default() }, ..RemoteInput::default() };
                inputs.insert(url, source_file(path_of(&source.request.url), remote, None));
            }
        }
        let moved = inputs.values().filter(|input| input.fetched().iter().any(|facts| facts.moved_to.is_some()));
        if let count @ 1.. = moved.count() {
            let urls = many(count as u64, "URL", "URLs");
            found.notes.push(format!("{urls} moved for good; --write-moved FILE lists them"));
        }
        let mut paths = HashSet::new();
        for (url, mut input) in inputs {
            if !paths.insert(input.key.clone()) {
                input.path = with_mark(&input.path, &digest(url.as_bytes(), 8));
                input.key.clone_from(&input.path);
                paths.insert(input.key.clone());
            }
            found.inputs.push(input);
        }
        found.inputs.sort_by(|a, b| a.key.as_os_str().cmp(b.key.as_os_str()).then_with(|| a.file.cmp(&b.file)));
        Ok(())
    }

    /// Fetches whole what the journal was trusted for and is needed all the same.
    fn complete(&self, plan: &mut MigrationPlan, todo: &[usize]) {
        let mut again: Vec<(usize, NamedRequest)> = Vec::new();
        for number in todo {
            let Some(input) = plan.tasks.get(*number).map(|task| &task.input) else { continue };
            let Some(remote) = input.remote.as_ref().filter(|remote| remote.lacks_body) else { continue };
            let Ok(url) = RemoteUrl::parse(&remote.facts.url) else { continue };
            let request = remote.request.as_deref().cloned().unwrap_or(DocumentRequest { url, anchor: None });
            let source = RemoteSource { request, share: UrlShare::Inherited };
            again.push((*number, NamedRequest { source, path: input.path.clone() }));
        }
        let (numbers, wanted): (Vec<usize>, Vec<NamedRequest>) = again.into_iter().unzip();
        let whole = RemoteFetching { client: Arc::clone(&self.client), trusts_journal: false, retry: false, ..*self };
        let answers = whole.answers(&wanted);
        let mut ignored = SourceListing::default();
        for ((number, wanted), answer) in numbers.into_iter().zip(wanted).zip(answers) {
            let looked = match answer {
                Some(Ok(document)) => self.look(&wanted.source.request, document, &mut ignored),
                Some(Err(failure)) => FetchedKind::Failed(failure.facts.clone(), of_failure(*failure)),
                None => continue,
            };
            let Some(task) = plan.tasks.get_mut(number) else { continue };
            let (remote, file) = match looked {
                FetchedKind::Document(remote, file) => (remote, file),
                FetchedKind::Failed(facts, says) => {
                    (RemoteInput { facts, failure: Some(says), ..RemoteInput::default() }, None)
                }
                FetchedKind::List(_) => {
                    let says = ("cannot convert: it is a list now".to_owned(), "run the same command again".to_owned());
                    let facts = Fetched { url: wanted.source.request.url.to_string(), ..Fetched::default() };
                    (RemoteInput { facts, failure: Some(says), ..RemoteInput::default() }, None)
                }
            };
            let (key, origin) = (task.input.key.clone(), task.input.origin.clone());
            task.input = SourceFile { key, origin, ..source_file(wanted.path, remote, file) };
        }
    }

    /// Asks for all of them. There is no answer to what was not asked for: in an interrupted run, or because it did not fail
    /// before.
    fn answers(&self, wanted: &[NamedRequest]) -> Vec<Option<Answer>> {
        let jobs: Vec<FetchJob> = wanted
            .iter()
            .enumerate()
            .filter_map(|(number, wanted)| {
                let record = self.journal.last_record(&Name::from_path(&wanted.path));
                let failed = record.is_some_and(|record| record.report.status == InputStatus::Failed);
                let known = record.filter(|record| self.is_enough(record));
                let known = known
                    .and_then(|record| Some((record.fetched.clone()?, (record.stamp.size, record.stamp.hash.clone()))));
                let request = wanted.source.request.clone();
                (!self.retry || failed || wanted.source.share == UrlShare::Typed && record.is_none())
                    .then_some(FetchJob { number, request, known })
            })
            .collect();
        let mut answers: Vec<Option<Answer>> = wanted.iter().map(|_| None).collect();
        let jobs = Arc::new(interleaved(jobs));
        let shared = Arc::new(SharedProgress::default());
        let (sender, receiver) = mpsc::channel();
        let threads = if self.threads == 0 { TOGETHER } else { self.threads };
        for _ in 0..threads.min(jobs.len()) {
            let (jobs, shared, sender) = (Arc::clone(&jobs), Arc::clone(&shared), sender.clone());
            let client = Arc::clone(&self.client);
            // not joined: a server that does not answer must not hold up the end of the run
            std::thread::spawn(move || work(&client, &jobs, &shared, &sender));
        }
        drop(sender);
        let mut display = FetchDisplay::new(self.shows, jobs.len());
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok((number, answer)) => {
                    if let Some(place) = answers.get_mut(number)
                        && !matches!(&answer, Err(failure) if failure.is_interrupted)
                    {
                        *place = Some(answer);
                    }
                    display.done += 1;
                }
                Err(mpsc::RecvTimeoutError::Timeout) => (),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            display.show(shared.bytes.load(Ordering::Relaxed), &self.client);
            if self.stop.now() {
                shared.stopped.store(true, Ordering::Relaxed);
                break;
            }
        }
        display.end();
        answers
    }

    /// Whether the outputs of a record are in place, so that no body is needed if the document is still the same.
    fn is_enough(&self, record: &Record) -> bool {
        self.trusts_journal
            && record.options == self.asked_for
            && record.report.status == InputStatus::Done
            && record.fetched.as_ref().is_some_and(Validators::are_any)
            && are_files_unchanged(record, self.out)
    }

    /// What a document turned out to be.
    fn look(&self, request: &DocumentRequest, document: FetchedDocument, found: &mut SourceListing) -> FetchedKind {
        let (facts, validators) = (document.facts.clone(), document.validators.clone());
        let mut remote = RemoteInput {
            facts: facts.clone(),
            validators: Some(validators),
            stamp: document.stamp.clone(),
            request: Some(Arc::new(request.clone())),
            ..RemoteInput::default()
        };
        let path = match &document.body {
            None => {
                remote.lacks_body = true;
                return FetchedKind::Document(remote, None);
            }
            Some(BodyPlace::Stored(path)) => Some(path.clone()),
            Some(BodyPlace::Spooled(_)) => None,
        };
        let failed = |error: Error| FetchedKind::Failed(facts.clone(), in_parts(error));
        let source = match InputSource::remote(document, &Progress::new(ProgressMode::Never)) {
            Ok(source) => source,
            Err(error) => return failed(error),
        };
        match self.named_by(&source, path.as_deref(), request, found) {
            Err(error) => return failed(error),
            Ok(Some(named)) => return FetchedKind::List(named),
            Ok(None) => (),
        }
        match path {
            Some(path) => FetchedKind::Document(remote, Some(path)),
            // it is not stored because it cannot be a document
            None => match kind_of(&source) {
                Some(kind) if !is_document(&kind) => failed(refusal(&kind)),
                Some(_) | None => failed(Error::format("its body cannot be read", "run the same command again")),
            },
        }
    }

    /// The documents that this one lists.
    fn named_by(
        &self,
        source: &InputSource,
        path: Option<&Path>,
        request: &DocumentRequest,
        found: &mut SourceListing,
    ) -> Result<Option<Vec<DocumentRequest>>, Error> {
        let here = fetch::final_location(source.fetched(), &request.url);
        if fetch::is_robots(&here) {
            let named = fetch::sitemaps_of(source);
            if !named.is_empty() {
                return fetch::requests(&named, &here, request).map(Some);
            }
        }
        if self.discovers && fetch::is_page(source) {
            let site = fetch::site(&self.client, source, request, &Progress::new(ProgressMode::Never))?;
            let urls: Vec<String> = site.documents.into_iter().map(|document| document.url).collect();
            return fetch::requests(&urls, &here, request).map(|named| Some(named).filter(|named| !named.is_empty()));
        }
        let Some(path) = path else { return Ok(None) };
        match kind(path) {
            Ok(DocumentKind::Opml) => {
                let text = fetch::text_of(source, super::sources::LIST);
                if let Err(cut_off) = list::whole_opml(&text) {
                    found.failed.push((path_of(&request.url), format!("{}: {cut_off}", request.url)));
                }
                let named: Vec<String> = list::opml(&text)
                    .into_iter()
                    .filter_map(|entry| match entry {
                        list::ListEntry::Remote(url) => Some(url),
                        list::ListEntry::File(path) => path.to_str().map(str::to_owned),
                        list::ListEntry::Odd(text) => {
                            found.notes.push(format!("{}: {text:?} is not a URL", request.url));
                            None
                        }
                    })
                    .collect();
                fetch::requests(&named, &here, request).map(Some)
            }
            Ok(DocumentKind::SitemapIndex) if self.follows => {
                let parts = list::index(source, self.options)?.collect::<Result<Vec<_>, _>>()?;
                fetch::requests(&parts, &here, request).map(Some)
            }
            Ok(DocumentKind::SitemapIndex) => Err(Error::format(
                "cannot convert an index of sitemaps without its parts",
                "pass --follow-remote to fetch them",
            )),
            Ok(_) | Err(_) => Ok(None),
        }
    }
}

/// Documents that one run fetches at most.
const MOST: usize = 5_000_000;

/// What a document turned out to be.
enum FetchedKind {
    /// A document, with its file if it has one.
    Document(RemoteInput, Option<PathBuf>),
    /// A list of others.
    List(Vec<DocumentRequest>),
    Failed(Fetched, (String, String)),
}

/// A request that is to be sent.
struct FetchJob {
    number: usize,
    request: DocumentRequest,
    /// What is known of it.
    known: Option<(Validators, (u64, String))>,
}

/// The state that the threads share.
#[derive(Default)]
struct SharedProgress {
    next: AtomicUsize,
    bytes: AtomicU64,
    stopped: AtomicBool,
}

/// Sends requests until none is left.
fn work(client: &Client, jobs: &[FetchJob], shared: &SharedProgress, sender: &mpsc::Sender<(usize, Answer)>) {
    let stop = || shared.stopped.load(Ordering::Relaxed);
    let received = |bytes: u64| _ = shared.bytes.fetch_add(bytes, Ordering::Relaxed);
    while let Some(job) = jobs.get(shared.next.fetch_add(1, Ordering::Relaxed)) {
        let known = job.known.as_ref().map(|(validators, stamp)| (validators, stamp.clone()));
        let answer = client.get(&job.request, &FetchConditions { known, stop: &stop, received: &received });
        if stop() || sender.send((job.number, answer)).is_err() {
            return;
        }
    }
}

/// The jobs in an order in which neighbours are at different hosts: a host has few connections, and others need not wait.
fn interleaved(jobs: Vec<FetchJob>) -> Vec<FetchJob> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut ranked: Vec<(usize, FetchJob)> = jobs
        .into_iter()
        .map(|job| {
            let count = counts.entry(job.request.url.host().to_owned()).or_default();
            *count += 1;
            (*count, job)
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, job)| job).collect()
}

/// The progress of the fetching.
struct FetchDisplay {
    bar: Option<ProgressBar>,
    has_lines: bool,
    all: usize,
    done: usize,
    shown: Instant,
}

impl FetchDisplay {
    fn new((when, has_lines): (ProgressMode, bool), all: usize) -> FetchDisplay {
        let bar = progress::bar(when).filter(|_| all > 0).map(|target| {
            let style =
                ProgressStyle::with_template("{bar:10} {wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target(Some(all as u64), target).with_style(style)
        });
        FetchDisplay { bar, has_lines, all, done: 0, shown: Instant::now() }
    }

    fn show(&mut self, bytes: u64, client: &Client) {
        const LINES: Duration = Duration::from_secs(10);
        let pause = if self.bar.is_some() { LOOK } else { LINES };
        if self.bar.is_none() && !self.has_lines || self.shown.elapsed() < pause {
            return;
        }
        self.shown = Instant::now();
        let hosts = client.hosts_in_flight();
        let more = if hosts.len() > 3 { format!(" and {} more", hosts.len() - 3) } else { String::new() };
        let named = hosts.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
        let line = format!("fetched {}/{} URLs, {}: {named}{more}", self.done, self.all, size(bytes));
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.done as u64);
                bar.set_message(line);
            }
            None => eprint(&format!("note: {line}\n")),
        }
    }

    fn end(&self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

/// A failure, and what to do about it.
fn of_failure(failure: FetchFailure) -> (String, String) {
    (format!("cannot fetch {}: {}", failure.facts.url, failure.says), failure.hint)
}

/// An error, and what to do about it.
fn in_parts(error: Error) -> (String, String) {
    match error.kind() {
        ErrorKind::Format { looks, hint } => (looks.clone(), hint.clone()),
        _ => (error.to_string(), "check the URL".to_owned()),
    }
}

fn kind_of(source: &InputSource) -> Option<DocumentKind> {
    use crate::convert::Input;
    let prefix = decode::decode(source.open().ok()?).ok()?.peek().ok()?;
    Some(crate::detect::detect(&prefix.text, prefix.complete))
}

/// An input at a URL.
fn source_file(path: PathBuf, remote: RemoteInput, file: Option<PathBuf>) -> SourceFile {
    let origin = InputOrigin { real: Name::Text(remote.facts.url.clone()), ..InputOrigin::default() };
    let (size, hash) = remote.stamp.clone();
    SourceFile {
        // a file that is not there: nothing reads it
        file: file.unwrap_or_else(|| PathBuf::from(&remote.facts.url)),
        key: path.clone(),
        path,
        origin,
        size,
        mtime: content_time(&hash),
        named: true,
        remote: Some(Arc::new(remote)),
    }
}

/// A time of change that differs with the content: the date that a server names may stay when the content does not.
pub fn content_time(hash: &str) -> i64 {
    let digits: String = hash.chars().take(15).collect();
    i64::from_str_radix(&digits, 16).unwrap_or(0) | 1
}

/// The path by which a document at a URL is known, and its output named: the host and the path. What is in a query may be
/// secret or long, so a hash replaces it.
fn path_of(url: &RemoteUrl) -> PathBuf {
    let (path, query) = match url.path().split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (url.path(), None),
    };
    let step = |text: &str| {
        let plain = name::plain(&unescaped(text));
        // a changed name gets a mark
        if plain == text {
            plain
        } else {
            with_mark(Path::new(&plain), &digest(text.as_bytes(), 8)).display().to_string()
        }
    };
    let mut steps: Vec<String> = vec![name::plain(&url.authority().replace(['[', ']'], "").replace(':', "_"))];
    steps.extend(path.split('/').filter(|step| !step.is_empty()).map(step));
    if path.ends_with('/') {
        steps.push("index".to_owned());
    }
    let path: PathBuf = steps.into_iter().collect();
    match query {
        Some(query) => with_mark(&path, &digest(query.as_bytes(), 8)),
        None => path,
    }
}

/// A path with a mark before the ending of its name.
fn with_mark(path: &Path, mark: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{stem}-{mark}{ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(url: &str) -> String {
        path_of(&RemoteUrl::parse(url).expect("a URL")).display().to_string()
    }

    #[test]
    fn outputs_are_named_by_host_and_path() {
        for (url, named) in [
            ("https://example.com/feeds/a.xml", "example.com/feeds/a.xml"),
            ("https://user:secret@example.com:8443/", "example.com_8443/index"),
            ("https://example.com//a//b", "example.com/a/b"),
            ("http://[::1]:80/x", "__1/x"),
        ] {
            assert_eq!(path(url), named);
        }
        let tokens = path("https://example.com/feed.php?token=secret&id=1");
        assert!(tokens.starts_with("example.com/feed-") && tokens.ends_with(".php") && !tokens.contains("secret"));
        assert_ne!(path("https://example.com/f?a"), path("https://example.com/f?b"));
        assert_ne!(path("https://example.com/a%20b"), path("https://example.com/a-b"));
        assert!(!path("https://example.com/%2e%2e/%2e%2e/x").contains(".."));
    }

    #[test]
    fn contents_have_times_before_now() {
        for hash in ["", "ffffffffffffffffffff", "0123456789abcdef"] {
            let time = content_time(hash);
            assert!((1..1_700_000_000_000_000_000).contains(&time), "{time}");
        }
        assert_ne!(content_time("00a"), content_time("0ff"));
    }
}
