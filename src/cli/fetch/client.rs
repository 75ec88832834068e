//! The client: one document from one URL, with redirects, repetitions and conditions. Limits towards servers are in
//! manners.rs, limits of bodies in body.rs.

use std::collections::HashSet;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Seek, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use ureq::http::{HeaderMap, Response, Uri};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{Connector as _, DefaultConnector, NextTimeout};
use ureq::{Agent, Body, Proxy, Timeout};

use super::address;
use super::body::{self, BodyLimits, BodyTrouble};
use super::forward::{ForwardConnector, ForwardProxy, ForwardResolver};
use super::location::RemoteUrl;
use super::manners::{self, HostGates};
use super::reading::PageReading;
use super::secrets::Secrets;
use super::store::{BodyStore, CachedFacts};
use super::whole::{self, BodyNature};
use crate::cli::lock::lock;
use crate::cli::temporary::temporary_file;
use crate::convert::Fetched;
use crate::detect::DocumentKind;
use crate::error::Error;
use crate::job::journal::Validators;
use crate::model::Date;
use crate::text::mime;

/// Redirects that are followed.
const REDIRECTS: usize = 10;

/// The formats that are asked for, in the order of preference.
const ACCEPT: &str = "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, \
                      application/json;q=0.8, text/plain;q=0.8, */*;q=0.5";

/// How documents are fetched.
pub struct ClientOptions {
    pub user_agent: String,
    pub secrets: Secrets,
    /// Limits of time: for the connection, the head of a response, and a whole request.
    pub connect: Duration,
    pub first_byte: Duration,
    pub whole: Duration,
    /// How often a request that fails is repeated, after which wait, and the longest wait that a server may ask for.
    pub retries: u32,
    pub retry_wait: Duration,
    pub max_wait: Duration,
    pub limits: BodyLimits,
    /// Addresses that are not public are asked whoever names them.
    pub allow_private: bool,
    /// Nothing is asked; all comes from the cache.
    pub offline: bool,
    /// Documents are asked for whole, whatever is known of them.
    pub fresh: bool,
    /// Which pages are documents.
    pub reads: PageReading,
    /// The folder of spooled bodies.
    pub temp_dir: Option<PathBuf>,
}

/// A request for a document.
#[derive(Clone, Debug)]
pub struct DocumentRequest {
    /// Where it is.
    pub url: RemoteUrl,
    /// The URL that was typed and led there: only its host gets secrets, and may be private.
    pub anchor: Option<RemoteUrl>,
    /// The lists that led there, each named by the one before.
    pub depth: u8,
}

impl DocumentRequest {
    /// Of a URL that was typed.
    pub fn typed(url: RemoteUrl) -> DocumentRequest {
        DocumentRequest { anchor: Some(url.clone()), url, depth: 0 }
    }
}

/// Where a body is.
pub enum BodyPlace {
    /// In the cache.
    Stored(PathBuf),
    /// In a file without a name.
    Spooled(File),
    /// In a file that is there as long as this value: the body is used, and not kept.
    Passing(tempfile::TempPath),
}

/// A document that was fetched.
pub struct FetchedDocument {
    /// The facts for reports.
    pub facts: Fetched,
    /// What it may be asked for again with.
    pub validators: Validators,
    /// Bytes of the body, and its SHA-256.
    pub stamp: (u64, String),
    /// The body; absent if it is the known one, of which the caller has no need.
    pub body: Option<BodyPlace>,
    /// When it was last changed, according to the server.
    pub modified: Option<SystemTime>,
}

/// Why a document could not be fetched.
pub struct FetchFailure {
    /// The facts for reports.
    pub facts: Fetched,
    /// The cause, without the URL.
    pub says: String,
    /// The action to try.
    pub hint: String,
    /// The run was interrupted.
    pub is_interrupted: bool,
}

/// The answer to a request.
pub type FetchAnswer = Result<FetchedDocument, Box<FetchFailure>>;

impl From<FetchFailure> for Error {
    fn from(failure: FetchFailure) -> Error {
        // the URL is in the message; inputs are named only where they are not
        let says = io::Error::other(format!("{}; {}", failure.says, failure.hint));
        Error::io(format!("cannot fetch {}", failure.facts.url), says)
    }
}

/// An attempt that failed.
struct AttemptFailure {
    says: String,
    hint: String,
    /// Another attempt may help, after this wait if the server asks for one.
    again: Option<Option<Duration>>,
    /// The host that asks for the wait.
    host: Box<str>,
    /// The server that did not answer at all, by its origin.
    silent: Option<Box<str>>,
    is_interrupted: bool,
    /// Nothing was sent to a host that asked others to wait so long.
    pause: Option<Duration>,
}

impl AttemptFailure {
    fn last(says: impl Into<String>, hint: impl Into<String>) -> AttemptFailure {
        let (says, hint) = (says.into(), hint.into());
        let host = Box::default();
        AttemptFailure { says, hint, again: None, host, silent: None, is_interrupted: false, pause: None }
    }

    fn paused(wait: Duration) -> AttemptFailure {
        AttemptFailure { pause: Some(wait), ..AttemptFailure::transient("the host asked to wait") }
    }

    fn transient(says: impl Into<String>) -> AttemptFailure {
        AttemptFailure { again: Some(None), ..AttemptFailure::last(says, "try again later, or raise --retries") }
    }

    fn silent(at: &RemoteUrl, says: impl Into<String>) -> AttemptFailure {
        AttemptFailure { silent: Some(at.origin().into()), ..AttemptFailure::transient(says) }
    }

    /// A limit of time was reached: more repetitions of the same do not help.
    fn late(self, option: &str) -> AttemptFailure {
        AttemptFailure { hint: format!("try again later, or raise {option}"), ..self }
    }

    fn interrupted() -> AttemptFailure {
        AttemptFailure { is_interrupted: true, ..AttemptFailure::last("interrupted", "run the same command again") }
    }
}

/// The agents for one scheme.
struct SchemeAgents {
    /// Asks any address.
    open: Agent,
    /// Asks only public addresses.
    guarded: Agent,
    /// The proxy that both ask.
    proxy: Option<Proxy>,
}

impl SchemeAgents {
    /// The proxy that is asked for this URL.
    fn proxy_for(&self, at: &RemoteUrl) -> Option<&Proxy> {
        let uri: Uri = at.to_string().parse().ok()?;
        self.proxy.as_ref().filter(|proxy| !proxy.is_no_proxy(&uri))
    }
}

/// The client of a run.
pub struct Client {
    options: ClientOptions,
    http: SchemeAgents,
    https: SchemeAgents,
    gates: HostGates,
    store: Option<BodyStore>,
    seed: u64,
    /// URLs that permanent redirects replaced.
    moved: Mutex<Vec<(String, String)>>,
    /// The keys of the bodies that were asked for.
    used: Mutex<HashSet<String>>,
    /// Those of lists: of these each run needs the body.
    lists: Mutex<HashSet<String>>,
}

/// The attempts at a document so far.
#[derive(Debug)]
pub struct FetchAttempts {
    begun: Instant,
    repeated: u32,
    /// The thread has nothing else to do than to wait for a host.
    blocks: bool,
    /// Where redirects led before a host had to be waited for.
    place: Option<RedirectPlace>,
}

/// Where the redirects of a document lead.
#[derive(Debug)]
struct RedirectPlace {
    at: RemoteUrl,
    /// The URLs on the way, this one the last.
    seen: Vec<String>,
    /// All of them are permanent.
    is_permanent: bool,
}

impl FetchAttempts {
    /// None yet, of a caller who can do something else while a host must be waited for.
    pub fn new() -> FetchAttempts {
        FetchAttempts { begun: Instant::now(), repeated: 0, blocks: false, place: None }
    }

    /// The host that the next attempt begins with, if redirects led there.
    pub fn redirected_to(&self) -> Option<&str> {
        self.place.as_ref().map(|place| place.at.host())
    }
}

/// The outcome of an attempt: the answer, or the time after which another attempt is to be made.
pub type AttemptOutcome = ControlFlow<FetchAnswer, Duration>;

/// What a request is sent under.
pub struct FetchConditions<'c> {
    /// What a former run knows of the document, and the bytes and hash of its body: if it is still so, no body is needed.
    pub known: Option<(&'c Validators, (u64, String))>,
    /// Whether the run has stopped.
    pub stop: &'c dyn Fn() -> bool,
    /// Receives the number of bytes as they come.
    pub received: &'c dyn Fn(u64),
}

impl Client {
    /// A client, with the cache it uses.
    ///
    /// # Errors
    /// The environment names an invalid proxy.
    pub fn new(options: ClientOptions, store: Option<BodyStore>) -> Result<Client, Error> {
        let http = agents(&options, "http")?;
        let https = agents(&options, "https")?;
        let seed = RandomState::new().hash_one(0);
        let gates = HostGates::default();
        let (moved, used, lists) = (Mutex::default(), Mutex::default(), Mutex::default());
        Ok(Client { options, http, https, gates, store, seed, moved, used, lists })
    }

    /// Whether a host may be asked now: no response asked to wait.
    pub fn may_ask(&self, host: &str) -> bool {
        self.gates.pause_of(host).is_none()
    }

    /// Notes that a document is a list of others.
    pub fn note_list(&self, request: &DocumentRequest) {
        lock(&self.lists).insert(self.key(request));
    }

    /// Whether a document was a list of others.
    pub fn has_lists(&self) -> bool {
        !lock(&self.lists).is_empty()
    }

    /// Removes what the next run does not need from the folder of bodies, and the mark of a run that is under way: `all`
    /// that this run used stay, or only lists.
    pub fn end_run(&self, all: bool) {
        let used = lock(if all { &self.used } else { &self.lists });
        if let Some(store) = &self.store {
            store.prune(&used);
            store.end_run();
        }
    }

    /// The hosts that are asked at this moment.
    pub fn hosts_in_flight(&self) -> Vec<String> {
        self.gates.in_flight()
    }

    /// The URLs that permanent redirects replaced, in order.
    pub fn moved(&self) -> Vec<(String, String)> {
        let mut moved = lock(&self.moved).clone();
        moved.sort_unstable();
        moved.dedup();
        moved
    }

    /// The key of a document in the cache: what is sent with the secrets of one URL is no answer for another.
    pub fn key(&self, request: &DocumentRequest) -> String {
        let secrets = self.options.secrets.fingerprint(&request.url, request.anchor.as_ref());
        BodyStore::key(&request.url.to_string(), secrets)
    }

    /// Notes that a URL moved, if it did: its document was looked at, and is one.
    pub fn note_moved(&self, facts: &Fetched) {
        if let Some(moved_to) = &facts.moved_to {
            let mut moved = lock(&self.moved);
            moved.push((facts.url.clone(), moved_to.clone()));
        }
    }

    /// Whether a body came in a run that was interrupted and that this one resumes. With validators the server is asked
    /// whether it is still the same.
    fn is_of_this_run(&self, key: &str, known: &CachedFacts) -> bool {
        let store = self.store.as_ref().filter(|_| !self.options.fresh && !known.validators.are_any());
        store.is_some_and(|store| store.is_of_this_run(key))
    }

    /// Fetches a document. Waits where a server or a repetition asks for it.
    ///
    /// # Errors
    /// See [`FetchFailure`].
    pub fn get(&self, request: &DocumentRequest, conditions: &FetchConditions<'_>) -> FetchAnswer {
        let mut attempts = FetchAttempts { blocks: true, ..FetchAttempts::new() };
        loop {
            match self.try_once(request, conditions, &mut attempts) {
                ControlFlow::Break(answer) => return answer,
                ControlFlow::Continue(wait) if sleep(wait, conditions.stop) => (),
                ControlFlow::Continue(_) => {
                    let facts = Fetched { repeated: attempts.repeated, ..facts(request) };
                    return Err(Box::new(failure(facts, AttemptFailure::interrupted(), &attempts)));
                }
            }
        }
    }

    /// Makes one attempt at a document, and does not wait for the next one.
    pub fn try_once(
        &self,
        request: &DocumentRequest,
        conditions: &FetchConditions<'_>,
        attempts: &mut FetchAttempts,
    ) -> AttemptOutcome {
        let mut facts = Fetched { repeated: attempts.repeated, ..facts(request) };
        let key = self.key(request);
        if self.store.is_some() {
            lock(&self.used).insert(key.clone());
        }
        let stored = self.store.as_ref().and_then(|store| store.find(&key));
        let stored = stored.filter(|(known, path)| BodyStore::is_intact(path, &known.hash));
        if self.options.offline {
            return ControlFlow::Break(offline(facts, stored));
        }
        if let Some((known, path)) = stored.as_ref().filter(|(known, _)| self.is_of_this_run(&key, known)) {
            facts.moved_to.clone_from(&known.moved_to);
            return ControlFlow::Break(Ok(cached(facts, known.clone(), path.clone())));
        }
        let begun = (request, key.as_str(), stored.as_ref());
        let mut failed = match self.attempt(begun, conditions, (&mut facts, attempts)) {
            Ok(mut document) => {
                document.facts.seconds = seconds(attempts.begun);
                return ControlFlow::Break(Ok(document));
            }
            Err(failed) => failed,
        };
        if let Some(wait) = failed.pause {
            return ControlFlow::Continue(wait);
        }
        match failed.again {
            Some(Some(asked)) if asked > self.options.max_wait => {
                let (says, asked) = (failed.says, manners::shown_wait(asked));
                let hint = "run the command again after that, or raise --max-wait";
                let last = AttemptFailure::last(format!("{says}, and it asks to wait {asked}"), hint);
                failed = AttemptFailure { host: failed.host, ..last };
            }
            Some(asked) => {
                if let Some(asked) = asked {
                    self.gates.pause(&failed.host, asked);
                }
                if attempts.repeated < self.options.retries {
                    let seed = self.seed ^ RandomState::new().hash_one(&key);
                    let own = manners::backoff(attempts.repeated, self.options.retry_wait, seed);
                    attempts.repeated += 1;
                    return ControlFlow::Continue(asked.unwrap_or_else(|| own.min(self.options.max_wait)));
                }
            }
            None => (),
        }
        if let Some(origin) = &failed.silent {
            self.gates.was_silent(origin);
        }
        if is_busy(facts.status) {
            self.gates.was_busy(&failed.host);
        }
        ControlFlow::Break(Err(Box::new(failure(facts, failed, attempts))))
    }

    /// One attempt: requests until one does not redirect.
    fn attempt(
        &self,
        (request, key, stored): (&DocumentRequest, &str, Option<&(CachedFacts, PathBuf)>),
        conditions: &FetchConditions<'_>,
        (facts, attempts): (&mut Fetched, &mut FetchAttempts),
    ) -> Result<FetchedDocument, AttemptFailure> {
        let mut deadline = Instant::now() + self.options.whole;
        (facts.final_url, facts.moved_to, facts.bytes, facts.status) = (None, None, 0, 0);
        let first =
            || RedirectPlace { at: request.url.clone(), seen: vec![request.url.to_string()], is_permanent: true };
        let RedirectPlace { mut at, mut seen, mut is_permanent } = attempts.place.take().unwrap_or_else(first);
        if seen.len() > 1 {
            facts.final_url = Some(at.to_string());
            facts.moved_to = facts.final_url.clone().filter(|_| is_permanent);
        }
        let known = stored.map(|(known, _)| &known.validators).or(conditions.known.as_ref().map(|(known, _)| *known));
        let known = known.filter(|_| !self.options.fresh);
        loop {
            if let Some(why) = self.gates.given_up(at.host(), &at.origin()) {
                let says = format!("{} {why}", at.authority());
                return Err(AttemptFailure::last(says, "run the command again later"));
            }
            if let Some(wait) = self.gates.pause_of(at.host()).filter(|_| !attempts.blocks) {
                attempts.place = Some(RedirectPlace { at, seen, is_permanent });
                return Err(AttemptFailure::paused(wait));
            }
            let waits = Instant::now();
            let Some(_turn) = self.gates.turn(at.host(), conditions.stop) else {
                return Err(AttemptFailure::interrupted());
            };
            // the server has no part in this wait
            deadline += waits.elapsed();
            let known = known.filter(|known| known.are_any() && known.url == at.to_string());
            let response = self.send(&at, request.anchor.as_ref(), known)?;
            self.gates.answered(&at.origin());
            let status = response.status().as_u16();
            facts.status = status;
            if !is_busy(status) {
                self.gates.served(at.host());
            }
            match status {
                // a proxy that changed the document answers 203
                200 | 203 => return self.body(response, &at, (key, stored.is_some()), conditions, (facts, deadline)),
                304 if known.is_some() => {
                    let document = unchanged(response.headers(), stored, conditions, facts)?;
                    self.renew(key, stored, &document.facts).map_err(storage)?;
                    return Ok(document);
                }
                301 | 302 | 303 | 307 | 308 => {
                    is_permanent &= matches!(status, 301 | 308);
                    at = next(&at, response.headers(), status)?;
                    let shown = at.to_string();
                    if seen.contains(&shown) || seen.len() > REDIRECTS {
                        let says = match seen.contains(&shown) {
                            true => format!("its redirects lead in a circle, back to {shown}"),
                            false => format!("it has more than {REDIRECTS} redirects"),
                        };
                        return Err(AttemptFailure::last(says, "check the URL"));
                    }
                    facts.final_url = Some(shown.clone());
                    if is_permanent {
                        facts.moved_to = Some(shown.clone());
                    }
                    seen.push(shown);
                }
                status => {
                    let host = at.host().into();
                    return Err(AttemptFailure { host, ..refused(status, response.headers()) });
                }
            }
            if Instant::now() > deadline {
                return Err(AttemptFailure::transient(self.too_slow()).late("--timeout"));
            }
        }
    }

    /// Replaces the URL that a document in the cache moved to, if the server names another one now.
    fn renew(&self, key: &str, stored: Option<&(CachedFacts, PathBuf)>, facts: &Fetched) -> io::Result<()> {
        match (&self.store, stored) {
            (Some(store), Some((known, _))) if known.moved_to != facts.moved_to => {
                let mut known = known.clone();
                known.moved_to.clone_from(&facts.moved_to);
                store.note(key, &known)
            }
            _ => Ok(()),
        }
    }

    fn too_slow(&self) -> String {
        format!("it takes longer than {} s (--timeout)", self.options.whole.as_secs_f64())
    }

    /// Sends a request.
    fn send(
        &self,
        at: &RemoteUrl,
        anchor: Option<&RemoteUrl>,
        known: Option<&Validators>,
    ) -> Result<Response<Body>, AttemptFailure> {
        let agents = if at.scheme() == "https" { &self.https } else { &self.http };
        let is_trusted = self.options.allow_private || anchor.is_some_and(|anchor| anchor.host() == at.host());
        let literal = at.non_public_literal().filter(|_| !is_trusted);
        if let Some(kind) = literal {
            return Err(private(at.host(), kind));
        }
        let agent = if is_trusted { &agents.open } else { &agents.guarded };
        let mut request = agent.get(at.to_string()).header("Accept-Encoding", "gzip");
        let own = self.options.secrets.headers_for(at, anchor);
        if !own.iter().any(|(name, _)| name.eq_ignore_ascii_case("accept")) {
            request = request.header("Accept", ACCEPT);
        }
        for (name, value) in own {
            request = request.header(name, value);
        }
        if let Some(known) = known {
            let conditions = [("If-None-Match", &known.etag), ("If-Modified-Since", &known.last_modified)];
            for (name, value) in conditions.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))) {
                request = request.header(name, value);
            }
        }
        request.call().map_err(|error| self.failed(at, agents.proxy_for(at), error))
    }

    /// What a failure of the transport means.
    fn failed(&self, at: &RemoteUrl, proxy: Option<&Proxy>, error: ureq::Error) -> AttemptFailure {
        match error {
            ureq::Error::Timeout(which) => {
                let (says, option) = self.late(which);
                AttemptFailure::silent(at, says).late(option)
            }
            ureq::Error::HostNotFound => AttemptFailure::transient(unknown_host(at, proxy)),
            ureq::Error::Io(error) => Client::failed_io(at, proxy, &error),
            ureq::Error::Rustls(error) => tls(at, &error),
            ureq::Error::LargeResponseHeader(..) => {
                AttemptFailure::last("the head of the response is too large", "check the URL")
            }
            error @ ureq::Error::Protocol(_) => {
                AttemptFailure::transient(format!("the response is not valid HTTP ({error})"))
            }
            error => AttemptFailure::last(format!("the request failed ({error})"), "check the URL"),
        }
    }

    /// What an error of the system, or in one, means.
    fn failed_io(at: &RemoteUrl, proxy: Option<&Proxy>, error: &io::Error) -> AttemptFailure {
        let inner = error.get_ref();
        if let Some(PrivateAddress(kind)) = inner.and_then(|inner| inner.downcast_ref()) {
            return private(at.host(), kind);
        }
        if let Some(error) = inner.and_then(|inner| inner.downcast_ref()) {
            return tls(at, error);
        }
        if is_unknown_host(error) {
            let hint = if proxy.is_some() { "check the proxy variables" } else { "check the URL" };
            return AttemptFailure::last(unknown_host(at, proxy), hint);
        }
        match proxy.filter(|_| error.kind() == io::ErrorKind::ConnectionRefused) {
            Some(proxy) => {
                let says = format!("the proxy {}:{} refused the connection", proxy.host(), proxy.port());
                AttemptFailure::silent(at, says)
            }
            None => AttemptFailure::silent(at, body::io_words(error)),
        }
    }

    /// What a limit of time means, and its option.
    fn late(&self, which: Timeout) -> (String, &'static str) {
        let seconds = |limit: Duration| limit.as_secs_f64();
        match which {
            Timeout::Resolve | Timeout::Connect => {
                let says = format!("no connection within {} s (--connect-timeout)", seconds(self.options.connect));
                (says, "--connect-timeout")
            }
            Timeout::RecvResponse => {
                let says = format!("no response within {} s (--first-byte-timeout)", seconds(self.options.first_byte));
                (says, "--first-byte-timeout")
            }
            _ => (self.too_slow(), "--timeout"),
        }
    }

    /// Receives a body and stores it.
    fn body(
        &self,
        response: Response<Body>,
        at: &RemoteUrl,
        (key, has_other): (&str, bool),
        conditions: &FetchConditions<'_>,
        (facts, deadline): (&mut Fetched, Instant),
    ) -> Result<FetchedDocument, AttemptFailure> {
        let (head, body) = response.into_parts();
        let header = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let layers = body::gzip_layers(&header("content-encoding").unwrap_or_default())
            .map_err(|says| AttemptFailure::last(says, "download it with another program"))?;
        let is_chunked = head.headers.contains_key("transfer-encoding");
        let expected = header("content-length").filter(|_| !is_chunked).and_then(|length| length.trim().parse().ok());
        let is_over = || match (conditions.stop)() {
            true => Some("interrupted".to_owned()),
            false => (Instant::now() > deadline).then(|| self.too_slow()),
        };
        let mut spool = BodySpool::new(self.store.as_ref(), self.options.temp_dir.as_deref()).map_err(storage)?;
        let reader = body.into_with_config().limit(u64::MAX).reader();
        let reader = ReceivingReader { inner: reader, count: conditions.received };
        let received = body::receive(reader, (layers, expected), &self.options.limits, &mut spool, &is_over);
        let received = received.map_err(|trouble| match trouble {
            BodyTrouble::Broken(_) if (conditions.stop)() => AttemptFailure::interrupted(),
            BodyTrouble::Broken(says) if Instant::now() > deadline => AttemptFailure::transient(says).late("--timeout"),
            BodyTrouble::Broken(says) => AttemptFailure::transient(says),
            BodyTrouble::Refused(says) => {
                AttemptFailure::last(says, "raise the limit if the document is what you expect")
            }
            BodyTrouble::Invalid(says) => AttemptFailure::last(says, "download it with another program"),
            BodyTrouble::Storage(error) => storage(error),
        })?;
        let mut validators =
            Validators { etag: header("etag"), last_modified: header("last-modified"), url: at.to_string() };
        let modified = modified(&head.headers);
        facts.bytes = received.sent;
        facts.charset = header("content-type").as_deref().and_then(mime::charset).map(str::to_owned);
        let stamp = (received.size, received.hash);
        let known = CachedFacts::new(facts, validators.clone(), stamp.clone());
        let body = spool.end((key, has_other, self.options.reads), &known, modified).map_err(storage)?;
        if matches!(body, BodyPlace::Passing(_)) {
            // a server that sent a part knows it by the validators of the whole
            validators = Validators { url: at.to_string(), ..Validators::default() };
        }
        Ok(FetchedDocument { facts: std::mem::take(facts), validators, stamp, body: Some(body), modified })
    }
}

/// The message for a name without an address.
fn unknown_host(at: &RemoteUrl, proxy: Option<&Proxy>) -> String {
    match proxy {
        Some(proxy) => format!("the host {} of the proxy is not known", proxy.host()),
        None => format!("the host {} is not known", at.host()),
    }
}

/// Whether this status means that the server can answer later.
fn is_busy(status: u16) -> bool {
    matches!(status, 429 | 503)
}

/// The facts about a document of which nothing is known.
fn facts(request: &DocumentRequest) -> Fetched {
    Fetched { url: request.url.to_string(), ..Fetched::default() }
}

/// The failure of the last attempt, as that of the document.
fn failure(mut facts: Fetched, failed: AttemptFailure, attempts: &FetchAttempts) -> FetchFailure {
    facts.seconds = seconds(attempts.begun);
    let AttemptFailure { mut says, hint, is_interrupted, .. } = failed;
    if facts.repeated > 0 && !is_interrupted {
        says = format!("{says} (tried {} times)", facts.repeated + 1);
    }
    FetchFailure { facts, says, hint, is_interrupted }
}

/// The document is the known one.
fn unchanged(
    headers: &HeaderMap,
    stored: Option<&(CachedFacts, PathBuf)>,
    conditions: &FetchConditions<'_>,
    facts: &mut Fetched,
) -> Result<FetchedDocument, AttemptFailure> {
    let facts = std::mem::take(facts);
    if let Some((known, path)) = stored {
        return Ok(cached(facts, known.clone(), path.clone()));
    }
    let Some((validators, stamp)) = conditions.known.clone() else {
        return Err(AttemptFailure::last("the server sent no body (304)", "check the URL"));
    };
    let modified = modified(headers);
    Ok(FetchedDocument { facts, validators: validators.clone(), stamp, body: None, modified })
}

/// A document of the cache, where nothing is sent.
fn offline(mut facts: Fetched, stored: Option<(CachedFacts, PathBuf)>) -> Result<FetchedDocument, Box<FetchFailure>> {
    match stored {
        Some((known, path)) => {
            facts.moved_to.clone_from(&known.moved_to);
            Ok(cached(facts, known, path))
        }
        None => {
            let (says, hint) = ("it is not in the cache", "run the command once without --offline");
            Err(Box::new(FetchFailure { facts, says: says.into(), hint: hint.into(), is_interrupted: false }))
        }
    }
}

/// A document in the cache.
fn cached(mut facts: Fetched, known: CachedFacts, path: PathBuf) -> FetchedDocument {
    facts.cached = true;
    facts.charset.clone_from(&known.charset);
    if known.validators.url != facts.url {
        facts.final_url = Some(known.validators.url.clone());
    }
    let modified = known.validators.last_modified.as_deref().and_then(time);
    let (stamp, body) = ((known.size, known.hash), Some(BodyPlace::Stored(path)));
    FetchedDocument { facts, validators: known.validators, stamp, body, modified }
}

/// Where a body is received.
enum BodySpool<'s> {
    Stored(&'s BodyStore, tempfile::NamedTempFile),
    Spooled(File),
}

impl<'s> BodySpool<'s> {
    fn new(store: Option<&'s BodyStore>, temp_dir: Option<&Path>) -> io::Result<BodySpool<'s>> {
        match (store, temp_dir) {
            (Some(store), _) => Ok(BodySpool::Stored(store, store.part()?)),
            (None, folder) => temporary_file(folder).map(BodySpool::Spooled),
        }
    }

    /// Stores a body that is whole. A page of HTML that is no document, an empty body and a cut-off document are never stored, and nothing
    /// that is no document replaces another body.
    fn end(
        self,
        (key, has_other, reads): (&str, bool, PageReading),
        known: &CachedFacts,
        modified: Option<SystemTime>,
    ) -> io::Result<BodyPlace> {
        let (store, body) = match self {
            BodySpool::Spooled(file) => return Ok(BodyPlace::Spooled(file)),
            BodySpool::Stored(store, body) => (store, body),
        };
        if let Some(modified) = modified {
            // a date that cannot be set is that of the download
            let _ = body.as_file().set_modified(modified);
        }
        let mut file = body.reopen()?;
        match whole::nature(&mut file)? {
            BodyNature { kind: kind @ (DocumentKind::Html { .. } | DocumentKind::Empty), .. }
                if !reads.is_read(&kind) =>
            {
                file.rewind()?;
                Ok(BodyPlace::Spooled(file))
            }
            BodyNature { is_whole: false, .. } => Ok(BodyPlace::Passing(body.into_temp_path())),
            BodyNature { kind, .. } if has_other && is_error_page(&kind, &known.validators.url, reads) => {
                Ok(BodyPlace::Passing(body.into_temp_path()))
            }
            BodyNature { .. } => Ok(BodyPlace::Stored(store.put(key, known, body)?)),
        }
    }
}

impl Write for BodySpool<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            BodySpool::Stored(_, file) => file.write(bytes),
            BodySpool::Spooled(file) => file.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a body is neither a document nor a list: perhaps the message of a server in trouble.
fn is_error_page(kind: &DocumentKind, url: &str, reads: PageReading) -> bool {
    let is_robots = RemoteUrl::parse(url).is_ok_and(|url| url.is_robots());
    !is_robots && !matches!(kind, DocumentKind::Opml) && !reads.is_read(kind)
}

/// A reader whose bytes are counted.
struct ReceivingReader<'c, R> {
    inner: R,
    count: &'c dyn Fn(u64),
}

impl<R: Read> Read for ReceivingReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        (self.count)(read as u64);
        Ok(read)
    }
}

/// Seconds since then, in whole milliseconds.
fn seconds(begun: Instant) -> f64 {
    begun.elapsed().as_millis() as f64 / 1e3
}

/// Waits, and looks whether anybody still does.
fn sleep(wait: Duration, stop: &dyn Fn() -> bool) -> bool {
    const LOOK: Duration = Duration::from_millis(50);
    let end = Instant::now() + wait;
    loop {
        if stop() {
            return false;
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        std::thread::sleep(left.min(LOOK));
    }
}

/// When the document was last changed.
fn modified(headers: &HeaderMap) -> Option<SystemTime> {
    headers.get("last-modified").and_then(|value| value.to_str().ok()).and_then(time)
}

/// The moment that a header names.
fn time(text: &str) -> Option<SystemTime> {
    let (date, _) = Date::parse(text)?;
    let since = u64::try_from(date.instant()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_nanos(since))
}

/// The URL that a redirect leads to.
fn next(at: &RemoteUrl, headers: &HeaderMap, status: u16) -> Result<RemoteUrl, AttemptFailure> {
    let Some(value) = headers.get("location") else {
        return Err(AttemptFailure::last(format!("the server redirects ({status}) without a URL"), "check the URL"));
    };
    let bad = |says| AttemptFailure::last(format!("its redirect ({status}) is not followed: {says}"), "check the URL");
    // bytes of any encoding are sent as they came
    let text = value.as_bytes().utf8_chunks().fold(String::new(), |text, chunk| {
        let escaped: String = chunk.invalid().iter().map(|byte| format!("%{byte:02X}")).collect();
        text + chunk.valid() + &escaped
    });
    at.join(&text).map_err(bad)
}

/// What a status other than success means.
fn refused(status: u16, headers: &HeaderMap) -> AttemptFailure {
    let says = match status {
        401 => "the server asks for user and password (401)".to_owned(),
        403 => "the server forbids it (403)".to_owned(),
        404 => "not found (404)".to_owned(),
        410 => "gone (410)".to_owned(),
        204 => "the server sent no document (204)".to_owned(),
        429 => "the server had too many requests (429)".to_owned(),
        500..=599 => format!("the server failed ({status})"),
        status => format!("the server answered {status}"),
    };
    if manners::is_transient(status) {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let value = headers.get("retry-after").and_then(|value| value.to_str().ok());
        let wait = value.and_then(|value| manners::retry_after(value, i64::try_from(now).unwrap_or(i64::MAX)));
        return AttemptFailure { again: Some(wait), ..AttemptFailure::transient(says) };
    }
    let hint = match status {
        401 => "pass --header, --netrc, or https://user:password@host/…",
        403 => "pass --header or --netrc; some servers refuse unknown programs: --user-agent",
        _ => "check the URL",
    };
    AttemptFailure::last(says, hint)
}

fn private(host: &str, kind: &str) -> AttemptFailure {
    let says = format!("{host} is not on the public internet ({kind}), and not the host of the URL that leads to it");
    AttemptFailure::last(says, "pass --allow-private if it may be asked")
}

fn tls(at: &RemoteUrl, error: &rustls::Error) -> AttemptFailure {
    let says = format!("no secure connection to {} ({error})", at.host());
    let hint = match error {
        rustls::Error::InvalidMessage(_) => "check the URL: this port may have no https",
        // the verifier of the platform has no variant for it
        rustls::Error::General(says) if says.starts_with("No CA certificates") => {
            "install root certificates (package ca-certificates), or set SSL_CERT_FILE to a file that has them"
        }
        _ => "check the clock and the certificates that the system trusts",
    };
    AttemptFailure::last(says, hint)
}

fn storage(error: io::Error) -> AttemptFailure {
    AttemptFailure::last(
        format!("its body cannot be stored ({error})"),
        "free space, or pass another folder for temporary files (--temp-dir) or for the cache (--cache)",
    )
}

/// Whether there is no such host, rather than no answer from the name server.
fn is_unknown_host(error: &io::Error) -> bool {
    let says = error.to_string();
    says.contains("lookup address") && !says.contains("emporary")
}

/// The error of an address that must not be asked.
#[derive(Debug)]
struct PrivateAddress(&'static str);

impl std::fmt::Display for PrivateAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for PrivateAddress {}

/// Gives only addresses on the public internet: what is checked here is what is connected to.
#[derive(Debug)]
struct PublicResolver {
    inner: DefaultResolver,
    /// The proxy, which may be anywhere: the user chose it.
    proxy: Option<Uri>,
}

impl Resolver for PublicResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &ureq::config::Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        if self.proxy.as_ref().is_some_and(|proxy| proxy.authority() == uri.authority()) {
            return Ok(found);
        }
        let (mut public, mut refused) = (self.empty(), None);
        for address in found.iter() {
            match address::non_public(address.ip()) {
                None => public.push(*address),
                Some(kind) => refused = Some(kind),
            }
        }
        match refused.filter(|_| public.is_empty()) {
            Some(kind) => Err(ureq::Error::Io(io::Error::other(PrivateAddress(kind)))),
            None => Ok(public),
        }
    }
}

/// The agents for a scheme.
fn agents(options: &ClientOptions, scheme: &str) -> Result<SchemeAgents, Error> {
    let proxy = proxy(scheme)?;
    let (asked, proxy_uri) = (proxy.clone(), proxy.as_ref().map(|proxy| proxy.uri().clone()));
    // for https, and through a proxy that is asked by https or SOCKS, ureq makes a tunnel
    let forward = proxy.as_ref().filter(|_| scheme == "http").and_then(ForwardProxy::new);
    let proxy = proxy.filter(|_| forward.is_none());
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::PlatformVerifier)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(options.user_agent.clone())
        .proxy(proxy)
        .max_idle_connections_per_host(manners::PER_HOST)
        .tls_config(tls)
        .timeout_resolve(Some(options.connect))
        .timeout_connect(Some(options.connect))
        .timeout_recv_response(Some(options.first_byte))
        .timeout_global(Some(options.whole))
        .build();
    let resolver = PublicResolver { inner: DefaultResolver::default(), proxy: proxy_uri };
    if let Some(proxy) = forward {
        let connector = || DefaultConnector::default().chain(ForwardConnector(proxy.clone()));
        let open = ForwardResolver { inner: DefaultResolver::default(), proxy: proxy.clone() };
        let guarded = ForwardResolver { inner: resolver, proxy: proxy.clone() };
        return Ok(SchemeAgents {
            open: Agent::with_parts(config.clone(), connector(), open),
            guarded: Agent::with_parts(config, connector(), guarded),
            proxy: asked,
        });
    }
    Ok(SchemeAgents {
        open: Agent::with_parts(config.clone(), DefaultConnector::default(), DefaultResolver::default()),
        guarded: Agent::with_parts(config, DefaultConnector::default(), resolver),
        proxy: asked,
    })
}

/// The first of these variables that is set.
fn variable(names: &[&'static str]) -> Option<(&'static str, String)> {
    let set =
        |name: &&'static str| std::env::var(*name).ok().filter(|value| !value.is_empty()).map(|value| (*name, value));
    names.iter().find_map(set)
}

/// The proxy that the environment names for a scheme.
fn proxy(scheme: &str) -> Result<Option<Proxy>, Error> {
    let names: &[&'static str] = match scheme {
        "https" => &["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
        // a web server sets HTTP_PROXY from a header of its client
        _ => &["http_proxy", "all_proxy", "ALL_PROXY"],
    };
    let Some((name, value)) = variable(names) else { return Ok(None) };
    let odd = |_| {
        let says = format!("cannot use the proxy of {name}: it is not an http or https URL");
        Error::format(says, format!("set {name} to one such as http://proxy.example:3128"))
    };
    let proxy = Proxy::new(&value).map_err(odd)?;
    let Some((_, exceptions)) = variable(&["no_proxy", "NO_PROXY"]) else { return Ok(Some(proxy)) };
    let mut builder = Proxy::builder(proxy.protocol()).host(proxy.host()).port(proxy.port());
    if let Some(user) = proxy.username() {
        builder = builder.username(user);
    }
    if let Some(password) = proxy.password() {
        builder = builder.password(password);
    }
    for exception in exceptions.split(',').map(str::trim).filter(|exception| !exception.is_empty()) {
        builder = builder.no_proxy(exception);
    }
    builder.build().map(Some).map_err(odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_private_hosts_are_refused_by_the_resolver() {
        let resolver = PublicResolver { inner: DefaultResolver::default(), proxy: None };
        let resolve = |resolver: &PublicResolver, url: &'static str| {
            let timeout = NextTimeout { reason: Timeout::Resolve, ..NextTimeout::default() };
            resolver.resolve(&Uri::from_static(url), &Agent::config_builder().build(), timeout)
        };
        for url in ["http://127.0.0.1/", "http://10.1.2.3:8080/", "http://[::1]/", "http://169.254.169.254/"] {
            let refused = resolve(&resolver, url);
            let is_private = matches!(&refused, Err(ureq::Error::Io(error))
                if error.get_ref().is_some_and(|inner| inner.is::<PrivateAddress>()));
            assert!(is_private, "{url} {refused:?}");
        }
        assert!(resolve(&resolver, "http://8.8.8.8/").is_ok());
        let proxied = PublicResolver { proxy: Some(Uri::from_static("http://127.0.0.1:3128")), ..resolver };
        assert!(resolve(&proxied, "http://127.0.0.1:3128/").is_ok());
        assert!(resolve(&proxied, "http://127.0.0.1:3129/").is_err());
    }

    #[test]
    fn dates_of_headers_are_moments() {
        let moment = time("Tue, 14 Nov 2023 22:13:20 GMT").expect("a date");
        assert_eq!(moment.duration_since(SystemTime::UNIX_EPOCH).expect("later").as_secs(), 1_700_000_000);
        assert!(time("never").is_none());
    }
}
