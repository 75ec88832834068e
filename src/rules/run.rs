//! One document checked from beginning to end: its head, its entries on all cores, then what only all of them together
//! tell. Memory is bounded whatever the document holds: findings are handed on as they come, what may stand only once
//! is remembered by hashes. How findings are shown is the caller's.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use sha1::{Digest, Sha1};

use super::across::Subject;
use super::active::{Active, VARIANTS};
use super::check::{self, Kind, extension::Alternates};
use super::finding::{Excerpt, Finding, Totals};
use super::hits::{Cx, Hit, Hits, Quoted, cut};
use super::{Profile, Settings, Severity};
use crate::convert::{
    Document, Input, Keys, RawEntry, Return, SourceInfo, bad_place, each_batch, first_chunk, line_tree, raw_entry,
};
use crate::diagnostic;
use crate::error::{Error, ErrorKind};
use crate::format::{Family, Format, json};
use crate::model::origin::{Part, Syntax};
use crate::model::{Date, Precision};
use crate::options::Options;
use crate::place::Lines;
use crate::tree::{NodeKind, Tree};
use crate::xml::names::Ns;
use crate::xml::parse::{self, Bad, Scope};
use crate::xml::plain::Paths;
use crate::xml::split::{Chunk, Frame, Trouble};

/// What takes the findings of a document, entry by entry.
pub trait Findings {
    /// Takes one more.
    ///
    /// # Errors
    /// What the place says that they go to.
    fn take(&mut self, finding: Finding) -> io::Result<()>;
}

impl Findings for Vec<Finding> {
    fn take(&mut self, finding: Finding) -> io::Result<()> {
        self.push(finding);
        Ok(())
    }
}

/// A check of documents against rules.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// What is asked for.
    pub settings: Settings,
    /// Limits, threads and memory.
    pub options: Options,
    /// The format of the document, if its content should not decide.
    pub from: Option<&'static Format>,
    /// Counts entries while it runs.
    pub count: Option<Arc<AtomicU64>>,
    /// The pages and alternates of all documents of a set.
    pub alternates: Option<Arc<Alternates>>,
}

/// How many findings there are of each rule and severity.
pub type Counts = BTreeMap<(&'static str, Severity), u64>;

/// What a check has to tell besides its findings.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The document.
    pub source: SourceInfo,
    /// Its format.
    pub format: &'static Format,
    /// The profiles that were checked.
    pub profiles: Vec<Profile>,
    /// Those that were asked for and say nothing of this format.
    pub unfit: Vec<Profile>,
    /// Its entries.
    pub entries: u64,
    /// How many findings there are, by severity.
    pub totals: Totals,
    /// The same by rule and severity.
    pub rules: Counts,
    /// Findings that were counted and not handed on.
    pub untold: u64,
    /// What could not be looked at.
    pub notes: Vec<String>,
}

impl Check {
    /// Checks a document.
    ///
    /// # Errors
    /// An input that cannot be read or is no known format, a limit of the document, what `out` says.
    pub fn run(&self, input: &dyn Input, out: &mut dyn Findings) -> Result<Checked, Error> {
        let (document, frame) = self.open(input)?;
        let wanted = match self.settings.profiles.as_slice() {
            [] => Profile::defaults(document.format),
            some => some,
        };
        let (profiles, unfit): (Vec<Profile>, Vec<Profile>) =
            wanted.iter().partition(|profile| profile.fits(document.format));
        let active = Active::of(document.format, &profiles, &self.settings);
        let mut check = self.clone();
        if check.alternates.is_none() && active.number("H04").is_some() {
            let mut alternates = Alternates::default();
            self.learn(&document, &mut alternates)?;
            check.alternates = Some(Arc::new(alternates));
        }
        let ground = Ground::new(&check, &document, active, &frame)?;
        let mut books = Books::new(&ground);
        ground.head(&mut books, out)?;
        ground.entries(&mut books, out)?;
        ground.end(&mut books, out)?;
        ground.once(&mut books, out)?;
        let mut checked = Checked {
            source: document.info.clone(),
            format: document.format,
            profiles,
            unfit,
            entries: books.entries,
            totals: Totals::default(),
            rules: BTreeMap::new(),
            untold: books.untold(),
            notes: check.alternates.as_ref().map_or(Vec::new(), |alternates| alternates.notes()),
        };
        for (number, variant, count) in books.counted() {
            let (Some(rule), Some((severity, _))) =
                (ground.active.rules.get(number), ground.active.level(number, variant))
            else {
                continue;
            };
            checked.totals.add(severity, count);
            *checked.rules.entry((rule.code, severity)).or_default() += count;
        }
        Ok(checked)
    }

    /// The document; a list of feeds too, which cannot be converted.
    fn open<'i>(&self, input: &'i dyn Input) -> Result<(Document<'i>, Frame), Error> {
        let opened = Document::whole(input, self.from, &self.options);
        match opened {
            Err(error) if self.from.is_none() && matches!(error.kind(), ErrorKind::Format { .. }) => {
                Document::whole(input, Some(&OPML), &self.options).map_err(|_| error)
            }
            opened => opened,
        }
    }

    /// Notes the pages and alternates of a document, for rules about a set of documents.
    ///
    /// # Errors
    /// As [`Check::run`].
    pub fn note_alternates(&self, input: &dyn Input, alternates: &mut Alternates) -> Result<(), Error> {
        let document = Document::glanced(input, self.from, &self.options)?;
        self.learn(&document, alternates)
    }

    fn learn(&self, document: &Document<'_>, alternates: &mut Alternates) -> Result<(), Error> {
        if document.format.family != Family::Sitemap {
            return Ok(());
        }
        let hasher = alternates.hasher();
        let look = |chunk: &Chunk| {
            if !chunk.context.tags.contains("xhtml") && !chunk.text.contains("hreflang") {
                return Vec::new();
            }
            let mut reading = Paths::new(Scope::of(&chunk.context.tags));
            let pages = chunk.pieces.iter().enumerate().filter_map(|(offset, piece)| {
                let raw = raw_entry(chunk, piece, offset);
                if let Some(page) = Alternates::of_plain(raw.text, &hasher) {
                    return Some(page);
                }
                let tree = parse::parse_below(raw.text, &mut reading, &self.options.limits.tree).ok()?;
                let page = Alternates::of(&tree, &hasher);
                reading.reuse(tree);
                page
            });
            pages.collect()
        };
        each_batch(document, &self.options, &look, &mut |_, found| {
            found.into_iter().flatten().for_each(|page| alternates.add(page));
            Ok(())
        })
    }
}

/// A list of feeds, which is read here only.
static OPML: Format = Format {
    id: "opml",
    title: "OPML (a list of feeds)",
    family: Family::Rss,
    reader: &crate::format::rss::read::Rss,
    writer: None,
};

/// What does not change while a document is checked.
struct Ground<'r> {
    check: &'r Check,
    document: &'r Document<'r>,
    active: Active,
    frame: &'r Frame,
    head: Tree<'r>,
    first_page: Option<String>,
    first_line: Option<(u32, u32)>,
    /// The rules about what may stand only once.
    once: Vec<(usize, u8, Subject)>,
    /// The rules about what should not be the same in all entries, by their numbers.
    same: Vec<(usize, &'static SameIn)>,
    hasher: RandomState,
}

/// What is found and counted so far.
struct Books<'r> {
    counts: Vec<[u64; VARIANTS]>,
    /// How many findings of each rule were handed on.
    listed: Vec<u64>,
    entries: u64,
    /// Articles of a news sitemap.
    articles: u64,
    /// Elements that were told of once for all entries.
    names: HashSet<String>,
    /// Of each rule about what may stand only once.
    keys: Vec<Keys<'r>>,
    same: BTreeMap<(usize, u8), Same>,
    /// The last line so far, in lists of addresses.
    line: u32,
}

/// The address of the first page, and where the first entry begins.
type First = (Option<String>, Option<(u32, u32)>);

/// Whether a value is the same in all entries that have it.
#[derive(Clone, Debug, Default)]
struct Same {
    count: u64,
    /// The first one, where it stands.
    first: Option<Finding>,
    differs: bool,
    /// Between which instants all of them lie, as far as they name seconds; none if one of them does not.
    within: Option<(i128, i128)>,
}

impl Same {
    fn add(&mut self, other: Same) {
        self.within = match (self.within.filter(|_| self.count > 0), other.within) {
            (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
            (None, other) if self.count == 0 => other,
            _ => None,
        };
        self.count += other.count;
        self.differs |= other.differs;
        match (&self.first, other.first) {
            (Some(one), Some(other)) => self.differs |= one.value != other.value,
            (None, other) => self.first = other,
            (Some(_), None) => (),
        }
    }
}

/// Entries with one and the same value, from which on that is no accident.
const MANY: u64 = 10;

/// The longest time, in nanoseconds, in which that many pages are more likely listed than changed: ten minutes.
const RUN: i128 = 600 * 1_000_000_000;

/// Bits of a place that tell which of the values of an entry it is.
const VALUE: u32 = 16;

/// Articles of a news sitemap.
const ARTICLES: u64 = 1000;

/// The rule that tells of each element once, in however many entries it stands.
const ONCE_A_NAME: &str = "U18";

/// Names of elements that are remembered, to tell of each once.
const NAMES: usize = 10_000;

/// Bytes of a document, before compression, that are read.
const BYTES: u64 = 52_428_800;

/// A finding with the number of its rule.
type Found = (usize, Finding);

/// What one core found in one chunk.
#[derive(Default)]
struct Done {
    found: Vec<Found>,
    counts: Vec<[u64; VARIANTS]>,
    keys: Vec<(usize, u64, [u64; 2])>,
    same: Vec<((usize, u8), Same)>,
    entries: u64,
    articles: u64,
    /// Its first and its last line, in lists of addresses.
    lines: Option<(u32, u32)>,
}

impl<'r> Books<'r> {
    fn new(ground: &Ground<'r>) -> Books<'r> {
        let options = &ground.check.options;
        let share = options.memory / (2 * ground.once.len().max(1));
        let count = ground.active.rules.len();
        Books {
            counts: vec![[0; VARIANTS]; count],
            listed: vec![0; count],
            entries: 0,
            articles: 0,
            names: HashSet::new(),
            keys: ground.once.iter().map(|_| Keys::new(share, options.temp_dir.as_deref())).collect(),
            same: BTreeMap::new(),
            line: 0,
        }
    }

    fn count(&mut self, counts: &[[u64; VARIANTS]]) {
        for (sums, counts) in self.counts.iter_mut().zip(counts) {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }

    fn counted(&self) -> impl Iterator<Item = (usize, u8, u64)> {
        let rows = self.counts.iter().enumerate();
        rows.flat_map(|(number, counts)| (0_u8..).zip(counts).map(move |(variant, count)| (number, variant, *count)))
            .filter(|row| row.2 > 0)
    }

    /// Findings that were counted and not handed on.
    fn untold(&self) -> u64 {
        let all: u64 = self.counts.iter().flatten().sum();
        all.saturating_sub(self.listed.iter().sum())
    }

    /// Hands findings on, as many of each rule as are wanted.
    fn hand_on(&mut self, found: Vec<Found>, active: &Active, out: &mut dyn Findings) -> Result<(), Error> {
        for (rule, finding) in found {
            if finding.code == ONCE_A_NAME && (self.names.len() >= NAMES || !self.names.insert(finding.message.clone()))
            {
                self.counts[rule][0] = self.counts[rule][0].saturating_sub(1);
                continue;
            }
            if self.listed[rule] < active.most[rule] {
                self.listed[rule] += 1;
                out.take(finding).map_err(|error| Error::io("findings", error))?;
            }
        }
        Ok(())
    }

    fn add(&mut self, done: Done, active: &Active, out: &mut dyn Findings) -> Result<(), Error> {
        self.entries += done.entries;
        self.articles += done.articles;
        self.count(&done.counts);
        for (slot, place, hash) in done.keys {
            self.keys[slot].push(hash, place).map_err(|error| Error::io("temporary file", error))?;
        }
        for (of, same) in done.same {
            self.same.entry(of).or_default().add(same);
        }
        self.hand_on(done.found, active, out)
    }
}

impl<'r> Ground<'r> {
    fn new(
        check: &'r Check,
        document: &'r Document<'r>,
        active: Active,
        frame: &'r Frame,
    ) -> Result<Ground<'r>, Error> {
        let markup = matches!(document.format.family, Family::Rss | Family::Atom | Family::Sitemap);
        let head = match markup && !frame.text.is_empty() {
            true => parse::parse(&frame.text, &Scope::default(), &check.options.limits.tree).unwrap_or_default(),
            false => Tree::default(),
        };
        let mut once = Vec::new();
        for (number, rule) in active.rules.iter().enumerate() {
            for kind in rule.checks {
                if let Kind::Once(variant, subject) = kind
                    && active.level(number, *variant).is_some()
                {
                    once.push((number, *variant, *subject));
                }
            }
        }
        let hasher = RandomState::new();
        let same = SAME.iter().filter_map(|row| Some((active.number(row.0)?, row))).collect();
        let mut ground =
            Ground { check, document, active, frame, head, first_page: None, first_line: None, once, same, hasher };
        (ground.first_page, ground.first_line) = ground.first_entry()?;
        Ok(ground)
    }

    /// The address of the first page, for the rule that all are of one site; and the line of the first entry, for the
    /// rule that the head comes first.
    fn first_entry(&self) -> Result<First, Error> {
        if !["U09", "D10", "R21", "A17"].into_iter().any(|code| self.active.number(code).is_some()) {
            return Ok((None, None));
        }
        let chunk = first_chunk(self.document, &self.check.options)?.unwrap_or_default();
        let Some(piece) = chunk.pieces.first() else { return Ok((None, None)) };
        let raw = raw_entry(&chunk, piece, 0);
        let mut paths = Paths::new(Scope::of(&chunk.context.tags));
        let Ok(tree) = self.parse(&raw, &mut paths) else { return Ok((None, Some((raw.line, raw.column)))) };
        let cx = self.cx(Some(0));
        let page = tree.root().and_then(|root| Subject::Loc.values(root, &cx).into_iter().next());
        Ok((page.map(|(page, _)| page.into_owned()), Some((raw.line, raw.column))))
    }

    fn cx(&self, entry: Option<u64>) -> Cx<'_> {
        Cx {
            format: self.document.format,
            settings: &self.check.settings,
            alternates: self.check.alternates.as_deref(),
            head: &self.head,
            frame: self.frame,
            first_line: self.first_line,
            entry,
            first_page: self.first_page.as_deref(),
        }
    }

    fn parse<'a>(&self, raw: &RawEntry<'a>, paths: &mut Paths<'a>) -> Result<Tree<'a>, Bad> {
        let limits = &self.check.options.limits.tree;
        match self.document.format.family {
            Family::Text => Ok(line_tree(raw.text)),
            Family::Json => json::parse::parse_object(raw.text, limits).map_err(|bad| Bad {
                at: bad.at,
                code: bad.code,
                says: bad.says.to_owned(),
            }),
            Family::Rss | Family::Atom | Family::Sitemap => parse::parse_below(raw.text, paths, limits),
        }
    }

    /// The head, and what is wrong with the bytes and the markup around the entries.
    fn head(&self, books: &mut Books<'_>, out: &mut dyn Findings) -> Result<(), Error> {
        let mut hits = Hits::new(&self.active);
        self.active.tree(&self.head, &self.cx(None), &mut hits);
        self.repairs(&self.head, &mut hits);
        let places = self.frame.segments.iter().map(|segment| (segment.at, segment.line, segment.column)).collect();
        let part = part(&self.frame.text, places, None);
        let mut found = self.findings(&hits, &self.head, &part, "");
        let encoding = &self.document.info.encoding;
        if encoding != "UTF-8" && self.document.format.family != Family::Json {
            let says = format!("the document is in {encoding}");
            found.extend(self.whole("D02", says, "save it as UTF-8, and say so in the XML declaration", &mut hits));
        }
        let bytes = self.document.bytes.load(Ordering::Relaxed);
        if bytes > BYTES && self.document.format.family != Family::Json {
            let code = if self.document.is_index() { "D08" } else { "D07" };
            let says = format!("the document has {bytes} bytes, where at most {BYTES} are read");
            let hint = match self.document.format.family {
                Family::Sitemap => "split it: `transfeed convert` does that by itself when it writes a sitemap with -o",
                _ => "split it: `transfeed convert --split-bytes 50MB` does",
            };
            found.extend(self.whole(code, says, hint, &mut hits));
        }
        for trouble in &self.document.trouble {
            found.extend(self.trouble(trouble, &mut hits));
        }
        found.sort_by_key(|(_, finding)| finding.key());
        books.count(&hits.counts);
        books.hand_on(found, &self.active, out)
    }

    /// A finding about the whole document.
    fn whole(&self, code: &str, says: String, hint: &str, hits: &mut Hits<'_>) -> Option<Found> {
        let rule = self.active.number(code)?;
        self.placed((rule, 0), (1, 1, None), (says, hint.to_owned(), None), hits)
    }

    /// What reading said of the bytes, or of markup outside of entries.
    fn trouble(&self, trouble: &Trouble, hits: &mut Hits<'_>) -> Option<Found> {
        let of = self.active.of_repair(trouble.code)?;
        let texts = repair_texts(trouble.code, &trouble.found);
        self.placed(of, (trouble.line, trouble.column, trouble.entry), texts, hits)
    }

    fn placed(
        &self,
        (rule, variant): (usize, u8),
        (line, column, entry): (u32, u32, Option<u64>),
        (message, hint, value): (String, String, Option<String>),
        hits: &mut Hits<'_>,
    ) -> Option<Found> {
        let (severity, profile) = self.active.level(rule, variant)?;
        let code = self.active.rules.get(rule)?.code;
        hits.count(rule, variant);
        let fingerprint = if self.check.settings.fingerprints { fingerprint(&[code, &message]) } else { 0 };
        let (path, excerpt) = (String::new(), None);
        let finding =
            Finding { code, severity, profile, message, hint, line, column, path, entry, value, fingerprint, excerpt };
        Some((rule, finding))
    }

    /// What reading had to repair in a tree.
    fn repairs(&self, tree: &Tree<'_>, hits: &mut Hits<'_>) {
        for repair in &tree.repairs {
            let code = match repair.code {
                // which rule it is about depends on the namespace
                "ns.alias" => namespace_code(&repair.found),
                "xml.entity" => "xml.entity.reference",
                code => code,
            };
            let Some((rule, variant)) = self.active.of_repair(code) else { continue };
            let (says, hint, value) = repair_texts(code, &repair.found);
            hits.rule = rule;
            hits.repaired(variant, repair.at, (says, hint, value));
        }
    }

    /// The hits of one tree as findings.
    fn findings(&self, hits: &Hits<'_>, tree: &Tree<'_>, part: &Part<'_>, above: &str) -> Vec<Found> {
        if hits.found.is_empty() {
            return Vec::new();
        }
        let mut lines = Lines::of(part);
        let settings = &self.check.settings;
        let mut seen: HashMap<(usize, String), u32> = HashMap::new();
        let key = if settings.fingerprints { entry_key(tree, &self.cx(part.entry)) } else { String::new() };
        let mut finding = |hit: &Hit| {
            let (severity, profile) = self.active.level(hit.rule, hit.variant)?;
            let code = self.active.rules.get(hit.rule)?.code;
            let raw = tree.nodes.get(hit.node as usize);
            let at = hit.at.or(raw.map(|raw| raw.at)).unwrap_or(0) as usize;
            let (line, column) = lines.at(at);
            let is_line = self.document.format.family == Family::Text;
            let path = if is_line { String::new() } else { tree.path(hit.node, above) };
            let mut fingerprint = 0;
            if settings.fingerprints {
                let count = seen.entry((hit.rule, path.clone())).or_insert(0);
                *count += 1;
                fingerprint = self::fingerprint(&[code, &key, &path, &count.to_string()]);
            }
            let excerpt = settings.excerpts.then(|| Excerpt::of(&part.raw, at, length(tree, hit, at, &part.raw)));
            let (message, hint, value) = (hit.says.clone(), hit.hint.clone(), hit.value.clone());
            let entry = part.entry;
            let finding = Finding {
                code,
                severity,
                profile,
                message,
                hint,
                line,
                column,
                path,
                entry,
                value,
                fingerprint,
                excerpt,
            };
            Some((hit.rule, finding))
        };
        hits.found.iter().filter_map(&mut finding).collect()
    }

    /// All entries, on all cores, in order.
    fn entries(&self, books: &mut Books<'_>, out: &mut dyn Findings) -> Result<(), Error> {
        let listed = Mutex::new(books.listed.clone());
        let work = |chunk: &Chunk| {
            let listed = listed.lock().unwrap_or_else(PoisonError::into_inner).clone();
            self.chunk(chunk, listed)
        };
        each_batch(self.document, &self.check.options, &work, &mut |_, results| {
            for mut done in results {
                if let Some((first, last)) = done.lines {
                    let mut hits = Hits::new(&self.active);
                    let before = std::mem::replace(&mut books.line, last);
                    done.found.extend(self.blank(before, first, &mut hits));
                    books.count(&hits.counts);
                }
                if let Some(count) = &self.check.count {
                    count.fetch_add(done.entries, Ordering::Relaxed);
                }
                books.add(done, &self.active, out)?;
            }
            listed.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&books.listed);
            Ok(())
        })
    }

    /// What one core does.
    fn chunk(&self, chunk: &Chunk, listed: Vec<u64>) -> Done {
        let mut done = Done { counts: vec![[0; VARIANTS]; listed.len()], ..Done::default() };
        let mut hits = Hits::new(&self.active);
        hits.listed = listed.into_iter().map(|listed| (listed, 0)).collect();
        let mut paths = Paths::new(Scope::of(&chunk.context.tags));
        if self.document.format.family == Family::Text {
            self.lines(chunk, &mut done, &mut hits);
        }
        for (offset, piece) in chunk.pieces.iter().enumerate() {
            done.entries += 1;
            let raw = raw_entry(chunk, piece, offset);
            hits.next_entry();
            match self.parse(&raw, &mut paths) {
                Ok(tree) => {
                    let cx = self.cx(Some(raw.number));
                    match self.document.format.family {
                        Family::Text => self.active.line(&tree, &cx, &mut hits),
                        _ => self.active.tree(&tree, &cx, &mut hits),
                    }
                    self.repairs(&tree, &mut hits);
                    if !hits.found.is_empty() {
                        let part = part(raw.text, vec![(0, raw.line, raw.column)], Some(raw.number));
                        done.found.extend(self.findings(&hits, &tree, &part, &chunk.context.path));
                        hits.found.clear();
                    }
                    self.compare(&tree, &cx, &raw, &mut done);
                    paths.reuse(tree);
                }
                Err(bad) => done.found.extend(self.bad(&raw, &bad, &mut hits)),
            }
        }
        for trouble in &chunk.trouble {
            done.entries += u64::from(trouble.lost);
            done.found.extend(self.trouble(trouble, &mut hits));
        }
        done.found.sort_by_key(|(_, finding)| finding.key());
        done.counts = std::mem::take(&mut hits.counts);
        done
    }

    /// The blank lines of a chunk; those before it are its neighbours' affair.
    fn lines(&self, chunk: &Chunk, done: &mut Done, hits: &mut Hits<'_>) {
        let lost = chunk.trouble.iter().filter(|trouble| trouble.lost).map(|trouble| trouble.line);
        let mut lines: Vec<u32> = chunk.pieces.iter().map(|piece| piece.line).chain(lost).collect();
        lines.sort_unstable();
        for pair in lines.windows(2) {
            done.found.extend(self.blank(pair[0], pair[1], hits));
        }
        done.lines = lines.first().copied().zip(lines.last().copied());
    }

    /// What stands between two lines that are not blank is.
    fn blank(&self, before: u32, next: u32, hits: &mut Hits<'_>) -> Option<Found> {
        let count = next.saturating_sub(before).checked_sub(1).filter(|count| *count > 0)?;
        let rule = self.active.number("T03")?;
        let (says, hint) = match count {
            1 => ("a blank line".to_owned(), "leave it out"),
            count => (format!("{count} blank lines"), "leave them out"),
        };
        self.placed((rule, 0), (before + 1, 1, None), (says, hint.to_owned(), None), hits)
    }

    /// An entry that cannot be read at all.
    fn bad(&self, raw: &RawEntry<'_>, bad: &Bad, hits: &mut Hits<'_>) -> Option<Found> {
        let of = self.active.of_repair(bad.code)?;
        let (line, column) = bad_place(raw, bad);
        let (_, hint, _) = repair_texts(bad.code, "");
        let says = format!("this entry cannot be read, and is not checked: {}", bad.says);
        let (rule, mut finding) = self.placed(of, (line, column, Some(raw.number)), (says, hint, None), hits)?;
        finding.excerpt = self.check.settings.excerpts.then(|| Excerpt::of(raw.text, bad.at, 1));
        Some((rule, finding))
    }

    /// What is compared across entries.
    fn compare(&self, tree: &Tree<'_>, cx: &Cx<'_>, raw: &RawEntry<'_>, done: &mut Done) {
        let Some(root) = tree.root() else { return };
        if self.document.format.family == Family::Sitemap {
            done.articles += cx.children(root, Ns::News, "news").count() as u64;
        }
        for (slot, (_, _, subject)) in self.once.iter().enumerate() {
            for (number, (value, _)) in (0..1 << VALUE).zip(subject.values(root, cx)) {
                let hash = [self.hasher.hash_one((0_u8, &value)), self.hasher.hash_one((1_u8, &value))];
                done.keys.push((slot, raw.number << VALUE | number, hash));
            }
        }
        for (rule, (code, variant, ns, name)) in &self.same {
            let rule = *rule;
            let Some(node) = cx.child(root, *ns, name) else { continue };
            let same = match done.same.iter_mut().find(|(of, _)| *of == (rule, *variant)) {
                Some((_, same)) => same,
                None => {
                    done.same.push(((rule, *variant), Same::default()));
                    let Some((_, same)) = done.same.last_mut() else { continue };
                    same
                }
            };
            let at = *code == "U13";
            let instant = if at { instant(node.text_value()) } else { None };
            same.within = match (instant, same.within) {
                (Some(at), Some((first, last))) => Some((first.min(at), last.max(at))),
                (Some(at), None) if same.count == 0 => Some((at, at)),
                _ => None,
            };
            same.count += 1;
            match &same.first {
                Some(first) => same.differs |= first.value.as_deref() != Some(node.text_value()),
                None => same.first = self.first(tree, node, raw, rule, *variant),
            }
        }
    }

    fn first(
        &self,
        tree: &Tree<'_>,
        node: crate::tree::Node<'_, '_>,
        raw: &RawEntry<'_>,
        rule: usize,
        variant: u8,
    ) -> Option<Finding> {
        let mut hits = Hits::new(&self.active);
        hits.rule = rule;
        hits.tell(variant, node, "", "");
        let part = part(raw.text, vec![(0, raw.line, raw.column)], Some(raw.number));
        let (_, mut finding) = self.findings(&hits, tree, &part, &raw.context.path).pop()?;
        finding.value = Some(node.text_value().to_owned());
        Some(finding)
    }

    /// What is known when all entries were seen.
    fn end(&self, books: &mut Books<'_>, out: &mut dyn Findings) -> Result<(), Error> {
        let mut hits = Hits::new(&self.active);
        let mut found = Vec::new();
        if books.entries == 0 && matches!(self.document.format.family, Family::Sitemap | Family::Text) {
            let says = "the sitemap lists nothing".to_owned();
            found.extend(self.whole("D12", says, "list at least one address, or leave the file out", &mut hits));
        }
        found.extend(self.format_findings(books, &mut hits));
        for ((rule, variant), same) in std::mem::take(&mut books.same) {
            let run = same.within.map(|(first, last)| last - first).filter(|run| same.differs && *run <= RUN);
            let is_it = same.count >= MANY && (!same.differs || run.is_some());
            let Some(mut finding) = same.first.filter(|_| is_it) else { continue };
            let what = if finding.code == "U13" { "lastmod" } else { "id" };
            finding.message = match run {
                None => format!("all {} entries have one and the same {what}", same.count),
                Some(run) => {
                    let seconds = run / 1_000_000_000 + 1;
                    format!(
                        "all {} entries were changed within {seconds} seconds, as if in the run that listed them",
                        same.count
                    )
                }
            };
            finding.hint = match what {
                "lastmod" => "write when each page itself was last changed, not when the file was made".to_owned(),
                _ => "give each entry an id of its own, which never changes".to_owned(),
            };
            finding.value = finding.value.map(|value| cut(&value, 200));
            hits.count(rule, variant);
            found.push((rule, finding));
        }
        books.count(&hits.counts);
        books.hand_on(found, &self.active, out)
    }

    /// What is said of the document for what it is.
    fn format_findings(&self, books: &Books<'_>, hits: &mut Hits<'_>) -> Vec<Found> {
        let format = self.document.format;
        let mut found = Vec::new();
        if matches!(format.family, Family::Rss | Family::Atom | Family::Json) {
            let says = format!("Yandex does not read {} as a sitemap", format.title);
            let hint = "convert it: transfeed convert FEED --to sitemap --for yandex -o sitemap.xml";
            found.extend(self.whole("D17", says, hint, hits));
        }
        let name = self.check.settings.file_name.as_deref().filter(|_| format.family == Family::Text);
        if let Some(name) = name.filter(|name| !name.ends_with(".txt") && !name.ends_with(".txt.gz")) {
            let says = format!("the name {} does not end in .txt", Quoted(name));
            found.extend(self.whole("T02", says, "rename it, for instance to sitemap.txt", hits));
        }
        if books.articles > ARTICLES {
            let says = format!("the file lists {} articles, where Google takes {ARTICLES}", books.articles);
            found.extend(self.whole("N01", says, "leave out what is older than two days, or split the file", hits));
        }
        found
    }

    /// What stands more than once though it may not: those entries are read again.
    fn once(&self, books: &mut Books<'_>, out: &mut dyn Findings) -> Result<(), Error> {
        let mut returns = Vec::new();
        for keys in std::mem::take(&mut books.keys) {
            returns.push(keys.returns().map_err(|error| Error::io("temporary file", error))?);
        }
        if returns.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let mut firsts: Vec<u64> = returns.iter().flatten().map(|found| found.first >> VALUE).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let mut lines: HashMap<u64, u32> = HashMap::new();
        let work = |chunk: &Chunk| self.repeated(chunk, &returns, &firsts);
        each_batch(self.document, &self.check.options, &work, &mut |_, results| {
            for (places, counts, repeats) in results {
                lines.extend(places);
                books.count(&counts);
                let told = repeats.into_iter().map(|(rule, mut finding, first)| {
                    if let Some(line) = lines.get(&first) {
                        finding.message = format!("{}; the first stands in line {line}", finding.message);
                    }
                    (rule, finding)
                });
                let told = told.collect();
                books.hand_on(told, &self.active, out)?;
            }
            Ok(())
        })
    }

    /// The values of a chunk that stood before, each with the entry that has it first; and the lines of such entries.
    fn repeated(&self, chunk: &Chunk, returns: &[Vec<Return>], firsts: &[u64]) -> Repeated {
        let mut paths = Paths::new(Scope::of(&chunk.context.tags));
        let mut places = Vec::new();
        let mut repeats = Vec::new();
        let mut hits = Hits::new(&self.active);
        for (offset, piece) in chunk.pieces.iter().enumerate() {
            let raw = raw_entry(chunk, piece, offset);
            if firsts.binary_search(&raw.number).is_ok() {
                places.push((raw.number, raw.line));
            }
            let from = raw.number << VALUE;
            let of_entry = |found: &[Return]| {
                let start = found.partition_point(|found| found.place < from);
                let end = found.partition_point(|found| found.place >> VALUE <= raw.number);
                start..end
            };
            if returns.iter().all(|found| of_entry(found).is_empty()) {
                continue;
            }
            let Ok(tree) = self.parse(&raw, &mut paths) else { continue };
            let Some(root) = tree.root() else { continue };
            let cx = self.cx(Some(raw.number));
            let part = part(raw.text, vec![(0, raw.line, raw.column)], Some(raw.number));
            let mut told: Vec<(usize, u32)> = Vec::new();
            hits.next_entry();
            for ((rule, variant, subject), found) in self.once.iter().zip(returns) {
                let values = subject.values(root, &cx);
                for back in found.get(of_entry(found)).unwrap_or_default() {
                    let number = (back.place & ((1 << VALUE) - 1)) as usize;
                    let Some((_, node)) = values.get(number) else { continue };
                    if told.contains(&(*rule, node.index)) || subject.forgives(back.place >> VALUE, back.first >> VALUE)
                    {
                        continue;
                    }
                    told.push((*rule, node.index));
                    hits.rule = *rule;
                    let (says, hint) = subject.says();
                    hits.tell(*variant, *node, says, hint);
                    let finding = self.findings(&hits, &tree, &part, &chunk.context.path).pop();
                    hits.found.clear();
                    repeats.extend(finding.map(|(rule, finding)| (rule, finding, back.first >> VALUE)));
                }
            }
        }
        (places, hits.counts, repeats)
    }
}

/// Lines of first entries, counts, and findings with the entry that has the value first.
type Repeated = (Vec<(u64, u32)>, Vec<[u64; VARIANTS]>, Vec<(usize, Finding, u64)>);

/// Of a value that should not be the same in all entries: rule and variant, element.
type SameIn = (&'static str, u8, Ns, &'static str);

const SAME: &[SameIn] = &[("U13", 1, Ns::Sitemap, "lastmod"), ("A08", 1, Ns::Atom, "id")];

/// When a date with seconds is; a day is as coarse as the one on which the file was made.
fn instant(text: &str) -> Option<i128> {
    let (date, _) = Date::parse(text)?;
    (date.precision() >= Precision::Second).then(|| date.instant())
}

fn part(raw: &str, mut places: Vec<(usize, u32, u32)>, entry: Option<u64>) -> Part<'_> {
    if places.first().is_none_or(|place| place.0 != 0) {
        places.insert(0, (0, 1, 1));
    }
    Part { first: 0, entry, raw: raw.into(), syntax: Syntax::Xml, context: Arc::default(), places }
}

/// Bytes of the source that a hit is about: an attribute with its value, a start tag, an element without others in it.
fn length(tree: &Tree<'_>, hit: &Hit, at: usize, text: &str) -> usize {
    let Some(raw) = tree.nodes.get(hit.node as usize).filter(|_| hit.at.is_none()) else { return 1 };
    let rest = text.get(at..).unwrap_or("");
    match raw.kind {
        NodeKind::Attribute => {
            let quote = rest.find(['"', '\'']).map(|open| (open, rest.as_bytes()[open] as char));
            let close = quote.and_then(|(open, quote)| Some(open + 2 + rest.get(open + 1..)?.find(quote)?));
            close.unwrap_or(raw.name.len())
        }
        NodeKind::Element if tree.node(hit.node).has_children() => rest.find('>').map_or(1, |end| end + 1),
        NodeKind::Element | NodeKind::Text if raw.end as usize > at => raw.end as usize - at,
        NodeKind::Element | NodeKind::Text => rest.len(),
    }
}

/// What an entry is known by in another run: its address, or its id.
fn entry_key(tree: &Tree<'_>, cx: &Cx<'_>) -> String {
    let Some(root) = tree.root().filter(|_| cx.entry.is_some()) else { return String::new() };
    let names = [(Ns::Sitemap, "loc"), (Ns::None, "guid"), (Ns::Atom, "id"), (Ns::None, "link")];
    let text = names.iter().find_map(|(ns, name)| cx.text(root, *ns, name)).unwrap_or_else(|| root.value());
    text.to_owned()
}

/// A number for texts that is the same on every machine.
fn fingerprint(texts: &[&str]) -> u64 {
    let mut hash = Sha1::new();
    for text in texts {
        hash.update(text.as_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The rule, as the code of a repair, that another spelling of a namespace is a finding of.
fn namespace_code(uri: &str) -> &'static str {
    match Ns::of(uri).ns {
        Ns::Sitemap => "ns.alias.sitemap",
        Ns::Media => "ns.alias.media",
        _ => "ns.alias",
    }
}

/// What a finding says of a repair: what is wrong, what to do, and the value.
fn repair_texts(code: &str, found: &str) -> (String, String, Option<String>) {
    let value = (!found.is_empty()).then(|| cut(found, 200));
    let usual = || Ns::of(found).ns.uri();
    if code.starts_with("ns.alias") {
        let says = format!("the namespace is written {}", Quoted(found));
        return (says, format!("write {}", usual()), value);
    }
    let title = diagnostic::by_code(code.trim_end_matches(".reference")).map_or(code, |row| row.title);
    let says = if found.is_empty() { title.to_owned() } else { format!("{title}: {}", Quoted(found)) };
    (says, check::document::repair_hint(code).to_owned(), value)
}
