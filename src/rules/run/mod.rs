//! The check of one document: its head, its entries on all cores, then checks over all entries. Memory is bounded:
//! findings are passed on as they are found, and unique values are stored as hashes.

mod books;
mod links;
mod repeats;
mod told;
mod whole;

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::across::ComparedValues;
use super::active::{ActiveRules, VARIANTS};
use super::check::{CheckKind, extension::Alternates};
use super::finding::{Finding, FindingTotals};
use super::hits::{Cx, Hits};
use super::{Profile, Settings, Severity};
use crate::convert::{Document, Input, RawEntry, Secret, SourceInfo, each_batch_to, first_chunk, line_tree, raw_entry};
use crate::error::{Error, ErrorKind};
use crate::format::{Family, Format, json};
use crate::options::Options;
use crate::tree::Tree;
use crate::xml::decode::DecodeFindings as Bytes;
use crate::xml::parse::{self, Scope, TreeError};
use crate::xml::plain::Paths;
use crate::xml::split::{Chunk, Frame};

use books::{CheckBooks, CheckedChunk};
use links::LINKS_BACK;
use repeats::{SAME, UniformRule};
use told::part;

/// Bytes of entries that one core checks at once. The findings of all cores are held until they are in order, and lines of
/// a few letters each have one.
pub const CHECKED_AT_ONCE: usize = 1 << 16;

/// What takes the findings of a document, entry by entry.
pub trait FindingSink {
    /// Takes one more.
    ///
    /// # Errors
    /// An error of the destination of the findings.
    fn take(&mut self, finding: Finding) -> io::Result<()>;
}

impl FindingSink for Vec<Finding> {
    fn take(&mut self, finding: Finding) -> io::Result<()> {
        self.push(finding);
        Ok(())
    }
}

/// A check of documents against rules.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// The rules to check.
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
pub type FindingCounts = BTreeMap<(&'static str, Severity), u64>;

/// The result of a check besides its findings.
#[derive(Clone, Debug)]
pub struct CheckSummary {
    /// The document.
    pub source: SourceInfo,
    /// Its format.
    pub format: &'static Format,
    /// The profiles that were checked.
    pub profiles: Vec<Profile>,
    /// Requested profiles that have no rules for this format.
    pub unfit: Vec<Profile>,
    /// Its entries.
    pub entries: u64,
    /// How many findings there are, by severity.
    pub totals: FindingTotals,
    /// The same by rule and severity.
    pub rules: FindingCounts,
    /// Findings that were counted and not handed on.
    pub untold: u64,
    /// What could not be looked at.
    pub notes: Vec<String>,
}

impl Check {
    /// Checks a document.
    ///
    /// # Errors
    /// An input that cannot be read or has no known format, a limit of the document, an error of `out`.
    pub fn run(&self, input: &dyn Input, out: &mut dyn FindingSink) -> Result<CheckSummary, Error> {
        let (mut document, frame) = self.open(input)?;
        let wanted = match self.settings.profiles.as_slice() {
            [] => Profile::defaults(document.format),
            some => some,
        };
        let (profiles, unfit): (Vec<Profile>, Vec<Profile>) =
            wanted.iter().partition(|profile| profile.fits(document.format));
        let active = ActiveRules::for_format(document.format, &profiles, &self.settings);
        let (frame, begun) = match frame {
            Some(frame) => (frame, None),
            None => {
                let around = Frame::default();
                let ground = CheckContext::new(self, &document, &active, &around)?;
                let mut books = CheckBooks::new(&ground, &self.options);
                let (frame, bytes) = ground.entries(&mut books, out)?;
                document.end(&frame, &bytes, &self.options)?;
                (frame, Some(books))
            }
        };
        let ground = CheckContext::new(self, &document, &active, &frame)?;
        let mut books = match begun {
            Some(mut books) => {
                ground.head(&mut books, out)?;
                books
            }
            None => {
                let mut books = CheckBooks::new(&ground, &self.options);
                ground.head(&mut books, out)?;
                ground.entries(&mut books, out)?;
                books
            }
        };
        ground.end(&mut books, out)?;
        ground.once(&mut books, out)?;
        let notes = ground.links_back(&mut books, out)?;
        let mut checked = CheckSummary {
            source: document.info.clone(),
            format: document.format,
            profiles,
            unfit,
            entries: books.entries,
            totals: FindingTotals::default(),
            rules: BTreeMap::new(),
            untold: books.unreported(),
            notes,
        };
        for (number, variant, count) in books.counted() {
            let (Some(rule), Some((severity, _))) = (active.rules.get(number), active.level(number, variant)) else {
                continue;
            };
            checked.totals.add(severity, count);
            *checked.rules.entry((rule.code, severity)).or_default() += count;
        }
        Ok(checked)
    }

    /// The document, and what is around its entries; a list of feeds too, which cannot be converted. What is around the
    /// entries of a sitemap counts for none of them, so it may be known last: but where only the first findings are wanted,
    /// those of the head are among them.
    fn open<'i>(&self, input: &'i dyn Input) -> Result<(Document<'i>, Option<Frame>), Error> {
        let late: fn(&Format) -> bool = match self.settings.most {
            None => |format| format.family == Family::Sitemap,
            Some(_) => |_| false,
        };
        match Document::whole(input, self.from, &self.options, late) {
            Err(error) if self.from.is_none() && matches!(error.kind(), ErrorKind::Format { .. }) => {
                Document::whole(input, Some(&OPML), &self.options, |_| false).map_err(|_| error)
            }
            opened => opened,
        }
    }
}

/// A list of feeds, which is read here only.
static OPML: Format = Format {
    id: "opml",
    title: "OPML (a list of feeds)",
    family: Family::Rss,
    reader: &crate::format::rss::read::RssReader,
    writer: None,
};

/// What does not change while a document is checked.
struct CheckContext<'r> {
    check: &'r Check,
    document: &'r Document<'r>,
    active: &'r ActiveRules,
    frame: &'r Frame,
    head: Tree<'r>,
    first_page: Option<String>,
    first_line: Option<(u32, u32)>,
    /// The rules about unique values.
    once: Vec<(usize, u8, ComparedValues)>,
    /// The rules about what should not be the same in all entries, by their numbers.
    same: Vec<(usize, &'static UniformRule)>,
    /// Whether pages are to name each other, and it is not known yet which do.
    links: bool,
    secret: Secret,
}

/// The URL of the first page, and the place of the first entry.
type FirstPage = (Option<String>, Option<(u32, u32)>);

impl<'r> CheckContext<'r> {
    fn new(
        check: &'r Check,
        document: &'r Document<'r>,
        active: &'r ActiveRules,
        frame: &'r Frame,
    ) -> Result<CheckContext<'r>, Error> {
        let markup = matches!(document.format.family, Family::Rss | Family::Atom | Family::Sitemap);
        let head = match markup && !frame.text.is_empty() {
            true => parse::parse(&frame.text, &Scope::default(), &check.options.limits.tree).unwrap_or_default(),
            false => Tree::default(),
        };
        let mut once = Vec::new();
        for (number, rule) in active.rules.iter().enumerate() {
            for kind in rule.checks {
                if let CheckKind::Once(variant, subject) = kind
                    && active.level(number, *variant).is_some()
                {
                    once.push((number, *variant, *subject));
                }
            }
        }
        let links = document.format.family == Family::Sitemap
            && check.alternates.is_none()
            && active.number(LINKS_BACK).is_some();
        let same = SAME.iter().filter_map(|row| Some((active.number(row.0)?, row))).collect();
        let mut ground = CheckContext {
            check,
            document,
            active,
            frame,
            head,
            first_page: None,
            first_line: None,
            once,
            same,
            links,
            secret: Secret::default(),
        };
        (ground.first_page, ground.first_line) = ground.first_entry()?;
        Ok(ground)
    }

    /// The URL of the first page, for the rule that all pages are of one site, and the line of the first entry, for the
    /// rule that the head comes first.
    fn first_entry(&self) -> Result<FirstPage, Error> {
        if !["U09", "D10", "R21", "A17"].into_iter().any(|code| self.active.number(code).is_some()) {
            return Ok((None, None));
        }
        let chunk = first_chunk(self.document, &self.check.options)?.unwrap_or_default();
        let Some(first) = chunk.pieces.first() else { return Ok((None, None)) };
        let place = raw_entry(&chunk, first, 0);
        let mut paths = Paths::new(Scope::from_tags(&chunk.context.tags));
        let cx = self.cx(Some(0));
        // the first line of a list may not be a URL
        let most = if self.document.format.family == Family::Text { chunk.pieces.len() } else { 1 };
        let page = chunk.pieces.iter().take(most).find_map(|piece| {
            let raw = raw_entry(&chunk, piece, 0);
            let tree = self.parse(&raw, &mut paths).ok()?;
            let (page, _) = ComparedValues::Loc.values(tree.root()?, &cx).into_iter().next()?;
            Some(page.into_owned())
        });
        Ok((page, Some((place.line, place.column))))
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

    fn parse<'a>(&self, raw: &RawEntry<'a>, paths: &mut Paths<'a>) -> Result<Tree<'a>, TreeError> {
        let limits = &self.check.options.limits.tree;
        match self.document.format.family {
            Family::Text => Ok(line_tree(raw.text)),
            Family::Json => json::parse::parse_object(raw.text, limits).map_err(|bad| TreeError {
                at: bad.at,
                code: bad.code,
                says: bad.says.to_owned(),
            }),
            Family::Rss | Family::Atom | Family::Sitemap => parse::parse_below(raw.text, paths, limits),
        }
    }

    /// All entries, on all cores, in order. Returns what is around them, and what was found out about the bytes.
    fn entries(&self, books: &mut CheckBooks<'_>, out: &mut dyn FindingSink) -> Result<(Frame, Bytes), Error> {
        let listed = Mutex::new(books.listed.clone());
        let work = |chunk: &Chunk| {
            let listed = listed.lock().unwrap_or_else(PoisonError::into_inner).clone();
            self.chunk(chunk, listed)
        };
        let mut take = |_: &[Chunk], results: Vec<CheckedChunk>| {
            for mut done in results {
                if let Some((first, last)) = done.lines {
                    let mut hits = Hits::new(self.active);
                    let before = std::mem::replace(&mut books.line, last);
                    // before all else of the chunk
                    done.found.splice(0..0, self.blank(before, first, &mut hits));
                    books.count(&hits.counts);
                }
                if let Some(count) = &self.check.count {
                    count.fetch_add(done.entries, Ordering::Relaxed);
                }
                books.add(done, self.active, out)?;
            }
            listed.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&books.listed);
            Ok(())
        };
        let mut around = (Frame::default(), Bytes::default());
        each_batch_to(self.document, &self.check.options, &work, &mut take, &mut |frame, bytes| {
            around = (frame, bytes);
            Ok(())
        })?;
        Ok(around)
    }

    /// Checks one chunk, on one thread.
    fn chunk(&self, chunk: &Chunk, listed: Vec<u64>) -> CheckedChunk {
        let mut done = CheckedChunk { counts: vec![[0; VARIANTS]; listed.len()], ..CheckedChunk::default() };
        let mut hits = Hits::new(self.active);
        hits.listed = listed.into_iter().map(|listed| (listed, 0)).collect();
        let mut paths = Paths::new(Scope::from_tags(&chunk.context.tags));
        let links = self.links && links::may_link(chunk);
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
                    let page = self.compare(&tree, &cx, &raw, &mut hits, &mut done);
                    if links {
                        done.linked.note(&tree, page, &self.secret);
                    }
                    paths.reuse(tree);
                }
                Err(bad) => done.found.extend(self.check_unreadable(&raw, &bad, &mut hits)),
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
}
