//! The findings and counts of a check, per chunk and in total: added in order, and passed on as far as they are wanted.

use std::collections::{BTreeMap, HashSet};

use super::context::{CheckContext, FindingSink};
use crate::convert::PageKeys;
use crate::error::Error;
use crate::options::Options;
use crate::rules::active::ActiveRules;
use crate::rules::alternates::{Alternates, LinkedPages};
use crate::rules::finding::Finding;
use crate::rules::levels::VARIANTS;

/// What is found and counted so far.
pub(super) struct CheckBooks<'r> {
    pub counts: Vec<[u64; VARIANTS]>,
    /// How many findings of each rule were handed on.
    pub listed: Vec<u64>,
    pub entries: u64,
    /// URLs in a list of them.
    pub urls: u64,
    /// Articles of a news sitemap.
    pub articles: u64,
    /// Elements that were reported once for all entries.
    pub names: HashSet<String>,
    /// The keys of each rule about unique values.
    pub keys: Vec<PageKeys<'r>>,
    /// The pages so far and which name which, where a rule asks that they name each other.
    pub alternates: Option<Alternates>,
    /// The rule that asks, where only so many of its findings are wanted, and those that wait: the others are found when
    /// all pages are known, and it is the first in order that are wanted.
    pub waiting: Option<(usize, Vec<Finding>)>,
    pub same: BTreeMap<(usize, u8), UniformValue>,
    /// The last line so far, in lists of URLs.
    pub line: u32,
}

/// Whether a value is the same in all entries that have it.
#[derive(Clone, Debug, Default)]
pub(super) struct UniformValue {
    pub count: u64,
    /// The finding for the first one.
    pub first: Option<Finding>,
    pub differs: bool,
    /// Between which instants all of them lie, as far as they name seconds; none if one of them does not.
    pub within: Option<(i128, i128)>,
}

impl UniformValue {
    pub fn add(&mut self, other: UniformValue) {
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

/// The rule that reports each element once, in however many entries it occurs.
const ONCE_A_NAME: &str = "U18";

/// How many names of elements are remembered, to report each once.
const NAMES: usize = 10_000;

/// A finding with the number of its rule.
pub(super) type NumberedFinding = (usize, Finding);

/// What one core found in one chunk.
#[derive(Default)]
pub(super) struct CheckedChunk {
    pub found: Vec<NumberedFinding>,
    pub counts: Vec<[u64; VARIANTS]>,
    pub keys: Vec<(usize, u64, [u64; 2])>,
    pub same: Vec<((usize, u8), UniformValue)>,
    pub linked: LinkedPages,
    pub entries: u64,
    /// URLs in a list of them.
    pub urls: u64,
    pub articles: u64,
    /// Its first and its last line, in lists of URLs.
    pub lines: Option<(u32, u32)>,
}

impl<'r> CheckBooks<'r> {
    pub fn new(ground: &CheckContext<'_>, options: &'r Options) -> CheckBooks<'r> {
        let share = options.memory / (2 * ground.once.len().max(1));
        let count = ground.active.rules.len();
        CheckBooks {
            counts: vec![[0; VARIANTS]; count],
            listed: vec![0; count],
            entries: 0,
            urls: 0,
            articles: 0,
            names: HashSet::new(),
            keys: ground.once.iter().map(|_| PageKeys::new(share, options.temp_dir.as_deref())).collect(),
            alternates: ground.links.then(|| Alternates::new(ground.secret.clone())),
            waiting: ground.waits().map(|rule| (rule, Vec::new())),
            same: BTreeMap::new(),
            line: 0,
        }
    }

    pub fn count(&mut self, counts: &[[u64; VARIANTS]]) {
        for (sums, counts) in self.counts.iter_mut().zip(counts) {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }

    /// Takes one back.
    pub fn uncount(&mut self, rule: usize, variant: u8) {
        let count = &mut self.counts[rule][usize::from(variant).min(VARIANTS - 1)];
        *count = count.saturating_sub(1);
    }

    pub fn counted(&self) -> impl Iterator<Item = (usize, u8, u64)> {
        let rows = self.counts.iter().enumerate();
        rows.flat_map(|(number, counts)| (0_u8..).zip(counts).map(move |(variant, count)| (number, variant, *count)))
            .filter(|row| row.2 > 0)
    }

    /// Findings that were counted and not handed on.
    pub fn unreported(&self) -> u64 {
        let all: u64 = self.counts.iter().flatten().sum();
        all.saturating_sub(self.listed.iter().sum())
    }

    /// Hands findings on, as many of each rule as are wanted.
    pub fn forward(
        &mut self,
        found: Vec<NumberedFinding>,
        active: &ActiveRules,
        out: &mut dyn FindingSink,
    ) -> Result<(), Error> {
        for (rule, finding) in found {
            if finding.code == ONCE_A_NAME && (self.names.len() >= NAMES || !self.names.insert(finding.message.clone()))
            {
                self.counts[rule][0] = self.counts[rule][0].saturating_sub(1);
                continue;
            }
            if self.listed[rule] < active.levels.most[rule] {
                self.listed[rule] += 1;
                match &mut self.waiting {
                    Some((waits, waiting)) if *waits == rule => waiting.push(finding),
                    _ => out.take(finding).map_err(Error::findings)?,
                }
            }
        }
        Ok(())
    }

    pub fn add(&mut self, done: CheckedChunk, active: &ActiveRules, out: &mut dyn FindingSink) -> Result<(), Error> {
        self.entries += done.entries;
        self.urls += done.urls;
        self.articles += done.articles;
        self.count(&done.counts);
        for (slot, place, hash) in done.keys {
            self.keys[slot].push(hash, place).map_err(Error::temporary)?;
        }
        if let Some(alternates) = &mut self.alternates {
            alternates.add(&done.linked);
        }
        for (of, same) in done.same {
            self.same.entry(of).or_default().add(same);
        }
        self.forward(done.found, active, out)
    }
}
