//! The fetching of inputs at URLs, before anything is converted: all at once, few for each host, lists and indexes followed
//! where they may be. Each becomes a file that the rest of the run reads; what did not change has none.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::args::Migrate;
use super::leftover;
use super::plan::{MigrationPlan, are_files_unchanged};
use super::sources::{RemoteInput, RemoteSource, SourceFile, SourceListing, UrlShare};
use super::store::{self, History};
use super::work::RunState;
use crate::cli::eprint;
use crate::cli::fetch::PageReading;
use crate::cli::fetch::client::{BodyPlace, FetchedDocument};
use crate::cli::fetch::{
    self, Client, DocumentRequest, FetchAnswer, FetchAttempts, FetchConditions, FetchFailure, ListReader,
    ListedDocuments, NamedList, PARTS, PER_HOST, RemoteUrl, SitePage, StoreUse, moved_note, unescaped,
};
use crate::cli::file::InputSource;
use crate::cli::lock::lock;
use crate::cli::progress::{self, Progress, ProgressMode};
use crate::cli::temporary::temporary_folder;
use crate::convert::{Fetched, refusal};
use crate::error::{Error, ErrorKind};
use crate::job::journal::{InputOrigin, Journal, KnownRecord, Validators};
use crate::job::name::Template;
use crate::job::shard::Shard;
use crate::job::summary::InputStatus;
use crate::job::{Name, digest, name, shown};
use crate::options::Options;
use crate::text::size;

/// Requests at the same time, where `-j` does not say how many.
const TOGETHER: usize = 16;

/// Documents that came and were not looked at.
const WAITING: usize = 64;

/// Interval of looks at signals, at progress and at hosts that had to be waited for.
const LOOK: Duration = Duration::from_millis(100);

/// The bodies that a run fetches, and the client that does.
pub struct RemoteBodies {
    client: Arc<Client>,
    /// The folder of bodies that is no cache.
    folder: Option<PathBuf>,
    /// The URLs that answered, where only some are asked for.
    asked: Mutex<Option<HashSet<String>>>,
    _temporary: Option<tempfile::TempDir>,
}

/// The facts of a run: its options, their hash, the journal of former runs, and why it ends early.
type RunFacts<'r> = (&'r Migrate, &'r str, &'r History, &'r RunState);

impl RemoteBodies {
    /// Prepares the client and the folder: the cache, one in the folder of outputs, or a temporary one in a dry run.
    ///
    /// # Errors
    /// The options do not fit, or the folder cannot be used.
    pub fn open(args: &Migrate, out: &Path) -> Result<RemoteBodies, Error> {
        let temp_dir = args.wanted.given.temp_dir.as_deref();
        let temporary = match args.dry_run && args.fetch.cache.is_none() {
            true => Some(temporary_folder(temp_dir).map_err(Error::temporary)?),
            false => None,
        };
        let folder = match &temporary {
            Some(temporary) => temporary.path().to_owned(),
            None => store::state_folder(out).join(leftover::of_shard("fetched", args.shard, "")),
        };
        let use_of_store = StoreUse { folder: Some(&folder), fresh: args.force, reads: reading(args) };
        let client = Arc::new(args.fetch.client(&args.wanted.given.limits, temp_dir, use_of_store)?);
        let folder = args.fetch.cache.is_none().then_some(folder);
        Ok(RemoteBodies { client, folder, asked: Mutex::default(), _temporary: temporary })
    }

    fn fetching<'f>(&self, (args, asked_for, history, stop): RunFacts<'f>, options: &'f Options) -> RemoteFetching<'f> {
        RemoteFetching {
            client: Arc::clone(&self.client),
            out: args.out.as_deref().unwrap_or(Path::new("")),
            journal: &history.journal,
            asked_for,
            trusts_journal: !args.force && !needs_bodies(args),
            retry: args.retry_failed,
            shard: args.shard,
            follows: args.fetch.follow_remote,
            discovers: args.fetch.discover,
            reads: reading(args),
            threads: args.wanted.given.threads,
            stop,
            shows: (args.wanted.bar(), args.wanted.verbose && !args.wanted.quiet),
            moved: args.fetch.write_moved.as_deref().filter(|_| !args.dry_run),
            options,
        }
    }

    /// Fetches the URLs of a listing, and what these name.
    ///
    /// # Errors
    /// More documents than are accepted.
    pub fn fetch(&self, run: RunFacts<'_>, options: &Options, found: &mut SourceListing) -> Result<(), Error> {
        let options = Options { limits: options.limits, ..Options::default() };
        self.fetching(run, &options).fetch(found)?;
        if run.0.retry_failed {
            let came = found.inputs.iter().filter_map(|input| input.remote.as_ref());
            let came = came.filter(|remote| remote.validators.is_some()).map(|remote| remote.facts.url.clone());
            *lock(&self.asked) = Some(came.collect());
        }
        Ok(())
    }

    /// Fetches whole what is to be done, but for which the journal was trusted.
    pub fn complete(&self, run: RunFacts<'_>, options: &Options, (plan, todo): (&mut MigrationPlan, &[usize])) {
        let options = Options { limits: options.limits, ..Options::default() };
        self.fetching(run, &options).complete(plan, todo);
    }

    /// Removes what no later run needs, which nothing is that this run did not come to; and writes the list of URLs that moved,
    /// unless it is interrupted and lacks some of them.
    ///
    /// # Errors
    /// The list cannot be written.
    pub fn end(&self, args: &Migrate, (is_interrupted, is_stopped): (bool, bool)) -> Result<(), Error> {
        match self.folder.as_ref().filter(|_| !is_stopped) {
            Some(_) if needs_bodies(args) => self.client.end_run(true),
            Some(_) if self.client.has_lists() => self.client.end_run(false),
            // what stays is only in the way
            Some(folder) => drop(std::fs::remove_dir_all(folder)),
            None => (),
        }
        if is_interrupted || args.dry_run {
            return Ok(());
        }
        fetch::write_moved(&args.fetch, &self.client, lock(&self.asked).as_ref())
    }
}

/// Which pages the run reads.
fn reading(args: &Migrate) -> PageReading {
    PageReading { from: args.wanted.from, players: args.wanted.given.videos_from_html }
}

/// Whether each run needs all bodies, also those that did not change: an output of all inputs is made of them, and a name
/// may need the document.
fn needs_bodies(args: &Migrate) -> bool {
    args.merge || args.name.as_ref().is_some_and(Template::asks_document)
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
    /// Which pages are documents.
    reads: PageReading,
    /// Requests at the same time; 0 for the default.
    threads: usize,
    /// Why and whether the run ends early.
    stop: &'f RunState,
    /// When to draw a bar, and whether to print lines without one.
    shows: (ProgressMode, bool),
    /// The file that URLs which moved are written to.
    moved: Option<&'f Path>,
    /// How lists are read.
    options: &'f Options,
}

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
        // the documents that each typed URL leads to
        let mut listed: HashMap<String, usize> = HashMap::new();
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
                found.has_others |= self.shard.is_some_and(|shard| !shard.holds(&path));
                if source.share != UrlShare::Listed || self.shard.is_none_or(|shard| shard.holds(&path)) {
                    wanted.push(NamedRequest { source, path });
                }
            }
            if seen.len() > MOST {
                let says = format!("cannot fetch more than {MOST} documents in one run");
                return Err(Error::format(says, "pass fewer sources, or split them with --shard"));
            }
            let answers = self.answers(&wanted);
            for (wanted, answer) in wanted.into_iter().zip(answers) {
                let url = wanted.source.request.url.to_string();
                let is_others = wanted.source.share == UrlShare::Typed
                    && self.shard.is_some_and(|shard| !shard.holds(&wanted.path));
                match answer {
                    Some(FetchedKind::List(NamedList { requests, refused })) => {
                        found.lists += 1;
                        let failed =
                            |(reference, error): (String, Error)| (PathBuf::from(reference), error.to_string());
                        found.failed.extend(refused.into_iter().map(failed));
                        let share = match wanted.source.share {
                            UrlShare::Typed => UrlShare::Listed,
                            UrlShare::Listed | UrlShare::Inherited => UrlShare::Inherited,
                        };
                        let anchor =
                            wanted.source.request.anchor.as_ref().map_or_else(|| url.clone(), ToString::to_string);
                        let count = listed.entry(anchor.clone()).or_default();
                        *count += requests.len();
                        if *count > PARTS {
                            let says = format!("cannot fetch {url}: {anchor} leads to more than {PARTS} documents");
                            let says = format!("{says}; pass its parts one by one");
                            found.failed.push((PathBuf::from(url), says));
                            continue;
                        }
                        open.extend(requests.into_iter().map(|request| RemoteSource { request, share }));
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
        if let count @ 1.. = self.client.moved().len() {
            let by = self.moved.map_or_else(|| "--write-moved FILE".to_owned(), shown);
            found.notes.push(moved_note(count as u64, &by));
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
            let request = remote.request.as_deref().cloned().unwrap_or(DocumentRequest { url, anchor: None, depth: 0 });
            let source = RemoteSource { request, share: UrlShare::Inherited };
            again.push((*number, NamedRequest { source, path: input.path.clone() }));
        }
        let (numbers, wanted): (Vec<usize>, Vec<NamedRequest>) = again.into_iter().unzip();
        let whole = RemoteFetching { client: Arc::clone(&self.client), trusts_journal: false, retry: false, ..*self };
        let answers = whole.answers(&wanted);
        for ((number, wanted), looked) in numbers.into_iter().zip(wanted).zip(answers) {
            let (Some(looked), Some(task)) = (looked, plan.tasks.get_mut(number)) else { continue };
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

    /// Asks for all of them, and looks at each document as it comes. There is no answer to what was not asked for: in an
    /// interrupted run, or because it did not fail before.
    fn answers(&self, wanted: &[NamedRequest]) -> Vec<Option<FetchedKind>> {
        let jobs =
            wanted.iter().enumerate().filter_map(|(number, wanted)| {
                let record = self.journal.last_record(&Name::from_path(&wanted.path));
                let failed = record.is_some_and(|record| record.status == InputStatus::Failed);
                let known = record.map(KnownRecord::in_place).filter(|record| self.is_enough(record));
                let known = known.and_then(|record| {
                    Some((record.fetched.as_deref().cloned()?, (record.stamp.size, record.stamp.hash.clone())))
                });
                let request = wanted.source.request.clone();
                (!self.retry || failed || wanted.source.share == UrlShare::Typed && record.is_none())
                    .then(|| FetchJob { number, request, known, attempts: FetchAttempts::new() })
            });
        let mut answers: Vec<Option<FetchedKind>> = wanted.iter().map(|_| None).collect();
        // each robots.txt is asked for once, and after the pages: nothing waits for it but what it names
        let mut sites: BTreeMap<(String, Option<&str>), Vec<WaitingPage>> = BTreeMap::new();
        self.send(jobs.collect(), |number, answer| {
            let (Some(place), Some(wanted)) = (answers.get_mut(number), wanted.get(number)) else { return };
            match self.kind_of_answer(&wanted.source.request, answer) {
                Some(LookedAt::Page(facts, page)) => {
                    // whether a host may be private depends on the one that was typed
                    let typed = wanted.source.request.anchor.as_ref().map(RemoteUrl::host);
                    sites.entry((self.client.key(&page.robots), typed)).or_default().push(WaitingPage {
                        number,
                        facts,
                        page,
                    });
                }
                Some(LookedAt::Kind(kind)) => *place = Some(kind),
                None => (),
            }
        });
        let sites: Vec<Vec<WaitingPage>> = sites.into_values().collect();
        let robots = sites.iter().enumerate().filter_map(|(number, pages)| {
            let request = pages.first()?.page.robots.clone();
            Some(FetchJob { number, request, known: None, attempts: FetchAttempts::new() })
        });
        self.send(robots.collect(), |number, answer| {
            for (number, kind) in self.kinds_of_pages(sites.get(number).map_or(&[], Vec::as_slice), answer) {
                if let (Some(place), Some(wanted)) = (answers.get_mut(number), wanted.get(number)) {
                    if let FetchedKind::List(_) = kind {
                        self.client.note_list(&wanted.source.request);
                    }
                    *place = Some(kind);
                }
            }
        });
        answers
    }

    /// What pages turned out to be, by the answer to the request for the robots.txt of their site; nothing of a request that
    /// was interrupted.
    fn kinds_of_pages(&self, pages: &[WaitingPage], answer: FetchAnswer) -> Vec<(usize, FetchedKind)> {
        let Some(first) = pages.first() else { return Vec::new() };
        if answer.as_ref().is_err_and(|failure| failure.is_interrupted) {
            return Vec::new();
        }
        let quiet = Progress::new(ProgressMode::Never);
        let sitemaps = fetch::sitemaps_of_site(&self.client, (&first.page.robots, answer), &quiet).map_err(in_parts);
        let kind = |page: &WaitingPage| match &sitemaps {
            Err(says) => FetchedKind::Failed(page.facts.clone(), says.clone()),
            Ok(sitemaps) => match page.page.list(sitemaps) {
                ListedDocuments::List(named) => FetchedKind::List(named),
                _ => FetchedKind::Failed(page.facts.clone(), in_parts(no_feed())),
            },
        };
        pages.iter().map(|page| (page.number, kind(page))).collect()
    }

    /// Sends requests, and receives their answers as they come, until all are there or the run ends.
    fn send(&self, jobs: Vec<FetchJob>, mut receive: impl FnMut(usize, FetchAnswer)) {
        let all = jobs.len();
        let shared =
            Arc::new(SharedProgress { queues: Mutex::new(HostQueues::new(jobs)), ..SharedProgress::default() });
        // what came waits to be looked at, but not so much that files stay open by the thousand
        let (sender, receiver) = mpsc::sync_channel(WAITING);
        let threads = if self.threads == 0 { TOGETHER } else { self.threads };
        for _ in 0..threads.min(all) {
            let (shared, sender, client) = (Arc::clone(&shared), sender.clone(), Arc::clone(&self.client));
            // not joined: a server that does not answer must not hold up the end of the run
            std::thread::spawn(move || work(&client, &shared, &sender));
        }
        drop(sender);
        let mut display = FetchDisplay::new(self.shows, all);
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok((number, answer)) => {
                    receive(number, answer);
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
    }

    /// Whether the outputs of a record are in place, so that no body is needed if the document is still the same.
    fn is_enough(&self, record: &KnownRecord) -> bool {
        self.trusts_journal
            && *record.options == *self.asked_for
            && record.status == InputStatus::Done
            && record.fetched.as_deref().is_some_and(Validators::are_any)
            && are_files_unchanged(record, self.out)
    }

    /// What came of a request; nothing of one that was interrupted.
    fn kind_of_answer(&self, request: &DocumentRequest, answer: FetchAnswer) -> Option<LookedAt> {
        match answer {
            Ok(document) => Some(self.look(request, document)),
            Err(failure) if failure.is_interrupted => None,
            Err(failure) => Some(LookedAt::Kind(FetchedKind::Failed(failure.facts.clone(), of_failure(*failure)))),
        }
    }

    /// What a document turned out to be.
    fn look(&self, request: &DocumentRequest, document: FetchedDocument) -> LookedAt {
        let (facts, validators) = (document.facts.clone(), document.validators.clone());
        let mut remote = RemoteInput {
            facts: facts.clone(),
            validators: Some(validators),
            stamp: document.stamp.clone(),
            request: Some(Arc::new(request.clone())),
            ..RemoteInput::default()
        };
        let mut document = document;
        let path = match document.body.take() {
            None => {
                remote.lacks_body = true;
                self.client.note_moved(&facts);
                return LookedAt::Kind(FetchedKind::Document(remote, None));
            }
            Some(BodyPlace::Stored(path)) => {
                document.body = Some(BodyPlace::Stored(path.clone()));
                Some(path)
            }
            Some(BodyPlace::Passing(body)) => {
                let path = body.to_path_buf();
                remote.passing = Some(Arc::new(body));
                document.body = Some(BodyPlace::Stored(path.clone()));
                Some(path)
            }
            Some(BodyPlace::Spooled(file)) => {
                document.body = Some(BodyPlace::Spooled(file));
                None
            }
        };
        let failed = |error: Error| LookedAt::Kind(FetchedKind::Failed(facts.clone(), in_parts(error)));
        let source = match InputSource::remote(document, &Progress::new(ProgressMode::Never)) {
            Ok(source) => source,
            Err(error) => return failed(error),
        };
        if fetch::leads_somewhere(&source, self.discovers, self.reads) {
            self.client.note_moved(&facts);
        }
        match self.named_by(&source, request) {
            Err(error) => return failed(error),
            Ok(ListedDocuments::List(named)) => {
                self.client.note_list(request);
                return LookedAt::Kind(FetchedKind::List(named));
            }
            Ok(ListedDocuments::Index) => {
                return failed(Error::format(
                    "cannot convert an index of sitemaps without its parts",
                    "pass --follow-remote to fetch them",
                ));
            }
            Ok(ListedDocuments::Site(page)) => return LookedAt::Page(facts, page),
            Ok(ListedDocuments::Page) if path.is_none() => return failed(no_feed()),
            Ok(ListedDocuments::Nothing | ListedDocuments::Page) => (),
        }
        match path {
            Some(path) => LookedAt::Kind(FetchedKind::Document(remote, Some(path))),
            // it is not stored because it cannot be a document
            None => match fetch::kind(&source) {
                Some(kind) if !self.reads.is_read(&kind) => failed(refusal(&kind)),
                Some(_) | None => failed(Error::format("its body cannot be read", "run the same command again")),
            },
        }
    }

    /// What a document lists.
    fn named_by(&self, source: &InputSource, request: &DocumentRequest) -> Result<ListedDocuments, Error> {
        let (follows, discovers, reads) = (self.follows, self.discovers, self.reads);
        ListReader { follows, discovers, opens_opml: true, reads, options: self.options }.named_by(source, request)
    }
}

/// Documents that one run fetches at most.
const MOST: usize = 5_000_000;

/// What a document turned out to be.
enum FetchedKind {
    /// A document, with its file if it has one.
    Document(RemoteInput, Option<PathBuf>),
    /// A list of others.
    List(NamedList),
    Failed(Fetched, (String, String)),
}

/// What is known of a document when it was looked at.
enum LookedAt {
    /// What it turned out to be.
    Kind(FetchedKind),
    /// It is a page, whose site may name documents in its robots.txt.
    Page(Fetched, Box<SitePage>),
}

/// A page that waits for the robots.txt of its site, with the number of its request.
struct WaitingPage {
    number: usize,
    facts: Fetched,
    page: Box<SitePage>,
}

fn no_feed() -> Error {
    Error::format(
        "an HTML page, not a feed",
        "pass the URL of a feed (transfeed inspect lists those of the site), or --discover to read them all",
    )
}

/// A request that is to be sent.
struct FetchJob {
    number: usize,
    request: DocumentRequest,
    /// What is known of it.
    known: Option<(Validators, (u64, String))>,
    attempts: FetchAttempts,
}

/// The state that the threads share.
#[derive(Default)]
struct SharedProgress {
    queues: Mutex<HostQueues>,
    /// A request was answered, so that its host may be asked for another document.
    answered: Condvar,
    bytes: AtomicU64,
    stopped: AtomicBool,
}

/// The requests of each host. Hosts take turns, and one that must be waited for holds up no other. The client limits connections,
/// also of hosts behind redirects; here requests are limited that are handed out, so that threads do not wait for connections.
#[derive(Default)]
struct HostQueues {
    queues: VecDeque<HostQueue>,
    /// Requests of each host that are being answered.
    busy: HashMap<String, usize>,
}

/// Requests of a host that wait to be repeated, before others are sent.
const REPEATED: usize = 4 * PER_HOST;

/// The requests of a host.
#[derive(Default)]
struct HostQueue {
    host: String,
    jobs: VecDeque<FetchJob>,
    /// Those that are to be repeated, and when.
    repeated: Vec<(Instant, FetchJob)>,
}

/// What a thread does next.
enum NextJob {
    Job(Box<FetchJob>),
    /// All hosts that have requests left are busy.
    Wait,
    Done,
}

impl SharedProgress {
    /// Waits for a request that may be sent; nothing if none is left or the run ends.
    fn next_job(&self, client: &Client) -> Option<Box<FetchJob>> {
        let mut queues = lock(&self.queues);
        while !self.stopped.load(Ordering::Relaxed) {
            match queues.next(|host| client.may_ask(host)) {
                NextJob::Job(job) => return Some(job),
                NextJob::Done => return None,
                // a pause of a host ends without a sign
                NextJob::Wait => {
                    let waited = self.answered.wait_timeout(queues, LOOK);
                    queues = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        None
    }
}

impl HostQueues {
    fn new(jobs: Vec<FetchJob>) -> HostQueues {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut queues: VecDeque<HostQueue> = VecDeque::new();
        for job in jobs {
            let host = job.request.url.host().to_owned();
            let place = *places.entry(host.clone()).or_insert_with(|| {
                queues.push_back(HostQueue { host, ..HostQueue::default() });
                queues.len() - 1
            });
            if let Some(queue) = queues.get_mut(place) {
                queue.jobs.push_back(job);
            }
        }
        HostQueues { queues, busy: HashMap::new() }
    }

    /// The next request, of the host that waits longest among those that may be asked.
    fn next(&mut self, may_ask: impl Fn(&str) -> bool) -> NextJob {
        let now = Instant::now();
        for _ in 0..self.queues.len() {
            let Some(mut queue) = self.queues.pop_front() else { break };
            let busy = self.busy.get(&queue.host).copied().unwrap_or(0);
            let is_due = |(at, job): &(Instant, FetchJob)| {
                *at <= now && may_ask(job.attempts.redirected_to().unwrap_or(&queue.host))
            };
            let job = match queue.repeated.iter().position(is_due) {
                _ if busy >= PER_HOST => None,
                Some(place) => Some(queue.repeated.remove(place).1),
                // a host that answers nothing is given up before all of its documents were asked for
                None if queue.repeated.len() >= REPEATED || !may_ask(&queue.host) => None,
                None => queue.jobs.pop_front(),
            };
            if job.is_some() {
                self.busy.insert(queue.host.clone(), busy + 1);
            }
            if !queue.jobs.is_empty() || !queue.repeated.is_empty() {
                self.queues.push_back(queue);
            }
            if let Some(job) = job {
                return NextJob::Job(Box::new(job));
            }
        }
        if self.queues.is_empty() { NextJob::Done } else { NextJob::Wait }
    }

    /// A request is to be repeated after this time.
    fn again(&mut self, job: FetchJob, wait: Duration) {
        let (host, now) = (job.request.url.host().to_owned(), Instant::now());
        self.end(&host);
        let job_at = |job| (now.checked_add(wait).unwrap_or(now), job);
        match self.queues.iter_mut().find(|queue| queue.host == host) {
            Some(queue) => queue.repeated.push(job_at(job)),
            None => {
                self.queues.push_back(HostQueue { host, repeated: vec![job_at(job)], ..HostQueue::default() });
            }
        }
    }

    /// A request of this host was answered.
    fn end(&mut self, host: &str) {
        match self.busy.get_mut(host) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(self.busy.remove(host)),
        }
    }
}

/// Sends requests until none is left.
fn work(client: &Client, shared: &SharedProgress, sender: &mpsc::SyncSender<(usize, FetchAnswer)>) {
    let stop = || shared.stopped.load(Ordering::Relaxed);
    let received = |bytes: u64| _ = shared.bytes.fetch_add(bytes, Ordering::Relaxed);
    while let Some(mut job) = shared.next_job(client) {
        let known = job.known.as_ref().map(|(validators, stamp)| (validators, stamp.clone()));
        let conditions = FetchConditions { known, stop: &stop, received: &received };
        let outcome = client.try_once(&job.request, &conditions, &mut job.attempts);
        let number = job.number;
        match &outcome {
            ControlFlow::Break(_) => lock(&shared.queues).end(job.request.url.host()),
            ControlFlow::Continue(wait) => lock(&shared.queues).again(*job, *wait),
        }
        shared.answered.notify_all();
        let ControlFlow::Break(answer) = outcome else { continue };
        if stop() || sender.send((number, answer)).is_err() {
            return;
        }
    }
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

/// An input at a URL.
fn source_file(path: PathBuf, remote: RemoteInput, file: Option<PathBuf>) -> SourceFile {
    let origin = InputOrigin { real: Name::Text(remote.facts.url.clone()), ..InputOrigin::default() };
    let (size, hash) = remote.stamp.clone();
    SourceFile {
        // a file that is not there: nothing reads it
        file: file.unwrap_or_else(|| PathBuf::from(&remote.facts.url)),
        key: path.clone(),
        path,
        origin: Arc::new(origin),
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
    fn a_host_that_is_busy_holds_up_no_other() {
        let job = |number: usize, url: &str| {
            let request = DocumentRequest::typed(RemoteUrl::parse(url).expect("a URL"));
            FetchJob { number, request, known: None, attempts: FetchAttempts::new() }
        };
        let jobs = (0..4).map(|number| job(number, "http://a.example/")).chain([job(4, "http://b.example/")]);
        let mut queues = HostQueues::new(jobs.collect());
        let mut next = |paused: &str| match queues.next(|host| host != paused) {
            NextJob::Job(job) => job.number,
            NextJob::Wait => 100,
            NextJob::Done => 200,
        };
        // two of a host, and it waits while it is paused
        assert_eq!(["b.example", "b.example", "b.example", "", ""].map(&mut next), [0, 1, 100, 4, 100]);
        queues.end("a.example");
        queues.end("a.example");
        let mut next = || match queues.next(|_| true) {
            NextJob::Job(job) => *job,
            NextJob::Wait | NextJob::Done => panic!("two are left"),
        };
        let (two, three) = (next(), next());
        assert!(matches!(queues.next(|_| true), NextJob::Done));
        // one that is to be repeated is one of the two of its host
        queues.again(two, Duration::from_secs(3_600));
        queues.again(three, Duration::ZERO);
        assert!(matches!(queues.next(|_| true), NextJob::Job(job) if job.number == 3));
        assert!(matches!(queues.next(|_| true), NextJob::Wait));
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
