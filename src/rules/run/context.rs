//! The facts that a check of one document goes by: its head, its rules, its settings, and where its findings go.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::convert::{Document, RawEntry, Secret, first_chunk, line_tree, raw_entry};
use crate::error::Error;
use crate::format::Format;
use crate::format::csv::row::{self, Headings};
use crate::json::{self, page_split};
use crate::markup::{self, MemoryPool, Tokeniser, TokeniserMemory};
use crate::model::origin::Syntax;
use crate::options::Options;
use crate::rules::Settings;
use crate::rules::across::ComparedValues;
use crate::rules::active::ActiveRules;
use crate::rules::alternates::Alternates;
use crate::rules::check::kind::CheckKind;
use crate::rules::finding::Finding;
use crate::rules::hits::Cx;
use crate::tree::Tree;
use crate::xml::limits::TreeError;
use crate::xml::names::Ns;
use crate::xml::split::Frame;

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

/// What does not change while a document is checked.
pub(super) struct CheckContext<'r> {
    pub(super) check: &'r Check,
    pub(super) document: &'r Document<'r>,
    pub(super) active: &'r ActiveRules,
    pub(super) frame: &'r Frame,
    pub(super) head: Tree<'r>,
    pub(super) first_page: Option<String>,
    pub(super) first_line: Option<(u32, u32)>,
    /// The rules about unique values.
    pub(super) once: Vec<(usize, u8, ComparedValues)>,
    /// The rules about what should not be the same in all entries, by their numbers.
    pub(super) same: Vec<(usize, &'static UniformRule)>,
    /// Whether pages are to name each other, and it is not known yet which do.
    pub(super) links: bool,
    pub(super) secret: Secret,
    /// What is known of the entries' markup.
    pub(super) learned: MemoryPool,
}

/// The rule that pages name each other.
pub(super) const LINKS_BACK: &str = "H04";

/// Of a value that should not be the same in all entries: rule and variant, element, and the number of entries from
/// which on it is not a coincidence.
pub(super) type UniformRule = (&'static str, u8, Ns, &'static str, u64);

pub(super) const SAME: &[UniformRule] = &[("U13", 1, Ns::Sitemap, "lastmod", 10), ("A08", 1, Ns::Atom, "id", 2)];

/// The URL of the first page, and the place of the first entry.
type FirstPage = (Option<String>, Option<(u32, u32)>);

impl<'r> CheckContext<'r> {
    pub(super) fn new(
        check: &'r Check,
        document: &'r Document<'r>,
        active: &'r ActiveRules,
        frame: &'r Frame,
    ) -> Result<CheckContext<'r>, Error> {
        let limits = &check.options.limits.tree;
        let head = match document.format.family.syntax {
            _ if frame.text.is_empty() => None,
            Syntax::Xml => markup::parse(&frame.text, "", limits).ok(),
            Syntax::Json if document.format.family.is_feed() => json::parse::parse(&frame.text, limits).ok(),
            Syntax::Html => Some(json::page::parse_page(&frame.text, limits)),
            Syntax::Json | Syntax::Line | Syntax::Row => None,
        };
        let head = head.unwrap_or_default();
        let mut once = Vec::new();
        for (number, rule) in active.rules.iter().enumerate() {
            for kind in rule.checks {
                if let CheckKind::Once(variant, subject) = kind
                    && active.levels.level(number, *variant).is_some()
                {
                    once.push((number, *variant, *subject));
                }
            }
        }
        let links = document.format.family.is_xml_sitemap()
            && check.alternates.is_none()
            && active.levels.number(LINKS_BACK).is_some();
        let same = SAME.iter().filter_map(|row| Some((active.levels.number(row.0)?, row))).collect();
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
            learned: MemoryPool::default(),
        };
        (ground.first_page, ground.first_line) = ground.first_entry()?;
        Ok(ground)
    }

    /// The URL of the first page, for the rule that all pages are of one site, and the line of the first entry, for the
    /// rule that the head comes first.
    fn first_entry(&self) -> Result<FirstPage, Error> {
        if !["U09", "D10", "R21", "A17"].into_iter().any(|code| self.active.levels.number(code).is_some()) {
            return Ok((None, None));
        }
        let chunk = first_chunk(self.document, &self.check.options)?.unwrap_or_default();
        let Some(first) = chunk.pieces.first() else { return Ok((None, None)) };
        let place = raw_entry(&chunk, first, 0);
        let mut tokeniser = Tokeniser::new(&chunk.context.tags, TokeniserMemory::default());
        let cx = self.cx(Some(0));
        // the first line of a list may not be a URL
        let most = if self.document.format.family.is_lines() { chunk.pieces.len() } else { 1 };
        let page = chunk.pieces.iter().take(most).find_map(|piece| {
            let raw = raw_entry(&chunk, piece, 0);
            let tree = self.parse(&raw, &mut tokeniser).ok()?;
            let (page, _) = ComparedValues::Loc.values(tree.root()?, &cx).into_iter().next()?;
            Some(page.into_owned())
        });
        Ok((page, Some((place.line, place.column))))
    }

    pub(super) fn cx(&self, entry: Option<u64>) -> Cx<'_> {
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

    pub(super) fn parse<'a>(&self, raw: &RawEntry<'a>, tokeniser: &mut Tokeniser<'a>) -> Result<Tree<'a>, TreeError> {
        let limits = &self.check.options.limits.tree;
        match self.document.format.family.syntax {
            Syntax::Line => Ok(line_tree(raw.text)),
            Syntax::Row => row::parse(raw.text, &Headings::read(&raw.context.tags), limits),
            Syntax::Html if !page_split::is_in_page(raw.context) => Ok(json::page::parse_page(raw.text, limits)),
            Syntax::Json | Syntax::Html => {
                let tree = json::parse::parse(raw.text, limits);
                let mut tree =
                    tree.map_err(|bad| TreeError { at: bad.at, code: bad.code, says: bad.says.to_owned() })?;
                self.document.format.reader.respell(&mut tree);
                Ok(tree)
            }
            Syntax::Xml => tokeniser.tree(raw.text, limits),
        }
    }
}
