//! Checks over all entries: values that are the same everywhere, and duplicates; for the latter the entries are read
//! again.

use std::collections::{HashMap, HashSet};

use super::books::{CheckBooks, CheckedChunk, UniformValue};
use super::context::{CheckContext, FindingSink};
use super::told::part;
use crate::convert::{RawEntry, RepeatedPage, each_batch, raw_entry};
use crate::error::Error;
use crate::markup::{Tokeniser, TokeniserMemory};
use crate::model::Precision;
use crate::place::LineIndex;
use crate::rules::across::ComparedValues;
use crate::rules::finding::Finding;
use crate::rules::hits::{Cx, Hits, cut};
use crate::rules::levels::VARIANTS;
use crate::text::url;
use crate::tree::{Node, Tree};
use crate::xml::chunk::Chunk;
use crate::xml::names::Ns;

/// The longest time, in nanoseconds, in which that many pages are more likely listed than changed: ten minutes.
const RUN: i128 = 600 * 1_000_000_000;

/// The low bits of a place, which number the values of an entry.
const VALUE: u32 = 16;

/// First values, counts, and repeated values.
type RepeatTables = (Vec<(ValuePlace, FirstValue)>, Vec<[u64; VARIANTS]>, Vec<RepeatedValue>);

/// Where a value is: the entry with the number of the value in it, and the check that compares it.
type ValuePlace = (u64, usize);

/// A value that no earlier entry has.
#[derive(Clone, Copy)]
struct FirstValue {
    line: u32,
    /// A hash of the page of its entry.
    page: Option<u64>,
}

/// A value that an earlier entry has.
struct RepeatedValue {
    rule: usize,
    variant: u8,
    /// None, if enough of the rule are listed.
    finding: Option<Finding>,
    first: ValuePlace,
    /// A hash of its page, if the value may be repeated there.
    page: Option<u64>,
    /// The entry and the video that have it, if one value of a video is enough.
    video: Option<(u64, u32)>,
}

impl CheckContext<'_> {
    /// What is compared across entries. Returns the hash of the page, where that was made.
    pub(super) fn compare(
        &self,
        tree: &Tree<'_>,
        cx: &Cx<'_>,
        raw: &RawEntry<'_>,
        hits: &mut Hits<'_>,
        done: &mut CheckedChunk,
    ) -> Option<u64> {
        let root = tree.root()?;
        if self.document.format.family.is_xml_sitemap() {
            done.articles += cx.children(root, Ns::News, "news").count() as u64;
        }
        let page = self.note_values(root, cx, raw.number, done);
        for (rule, (code, variant, ns, name, _)) in &self.same {
            let rule = *rule;
            let Some(node) = cx.child(root, *ns, name) else { continue };
            let same = match done.same.iter_mut().find(|(of, _)| *of == (rule, *variant)) {
                Some((_, same)) => same,
                None => {
                    done.same.push(((rule, *variant), UniformValue::default()));
                    let Some((_, same)) = done.same.last_mut() else { continue };
                    same
                }
            };
            let at = *code == "U13";
            let date = if at { hits.date(node.text_value()) } else { None };
            // a day is as coarse as the one on which the file was made
            let instant = date.filter(|date| date.precision() >= Precision::Second).map(|date| date.instant());
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
        page
    }

    /// Notes the values that must be unique, by their hashes. Returns that of the page, if it is one of them.
    fn note_values(&self, root: Node<'_, '_>, cx: &Cx<'_>, entry: u64, done: &mut CheckedChunk) -> Option<u64> {
        // the written form and the normal form of a URL are mostly the same
        let mut last: Option<(&str, [u64; 2])> = None;
        let mut page = None;
        for (slot, (_, _, subject)) in self.once.iter().enumerate() {
            let place = entry << VALUE;
            let Some((text, means)) = subject.single(root, cx) else {
                let values = (0..1 << VALUE).zip(subject.values(root, cx));
                let keys =
                    values.map(|(number, (value, _))| (slot, place | number, self.secret.hash(value.as_bytes())));
                done.keys.extend(keys);
                continue;
            };
            if text.is_empty() {
                continue;
            }
            let value = if means { url::key(text) } else { text.into() };
            let hash = match last {
                Some((before, hash)) if *before == *value => hash,
                _ => self.secret.hash(value.as_bytes()),
            };
            if means {
                page = hash.first().copied();
            }
            last = Some((text, hash)).filter(|_| !means);
            done.keys.push((slot, place, hash));
        }
        page
    }

    fn first(
        &self,
        tree: &Tree<'_>,
        node: Node<'_, '_>,
        raw: &RawEntry<'_>,
        rule: usize,
        variant: u8,
    ) -> Option<Finding> {
        let mut hits = Hits::new(&self.active.levels);
        hits.rule = rule;
        hits.report(variant, node, "", "");
        let part = part(raw.text, vec![(0, raw.line, raw.column)], Some(raw.number));
        let (_, mut finding) = self.findings(&hits, tree, &part, &raw.context.path).pop()?;
        finding.value = Some(node.text_value().to_owned());
        Some(finding)
    }

    /// What is known when all entries were seen.
    pub(super) fn end(&self, books: &mut CheckBooks<'_>, out: &mut dyn FindingSink) -> Result<(), Error> {
        let mut hits = Hits::new(&self.active.levels);
        let mut found = Vec::new();
        if books.entries == 0 && self.document.format.family.protocol {
            let says = "the sitemap is empty".to_owned();
            found.extend(self.whole("D12", says, "list at least one URL, or remove the file", &mut hits));
        }
        found.extend(self.format_findings(books, &mut hits));
        for ((rule, variant), same) in std::mem::take(&mut books.same) {
            let run = same.within.map(|(first, last)| last - first).filter(|run| same.differs && *run <= RUN);
            let least = self.same.iter().find(|(of, row)| (*of, row.1) == (rule, variant)).map(|(_, row)| row.4);
            let is_it = least.is_some_and(|least| same.count >= least) && (!same.differs || run.is_some());
            let Some(mut finding) = same.first.filter(|_| is_it) else { continue };
            let what = if finding.code == "U13" { "lastmod" } else { "id" };
            finding.message = match run {
                None => format!("all {} entries have the same {what}", same.count),
                Some(run) => {
                    let seconds = run / 1_000_000_000 + 1;
                    format!(
                        "all {} entries were changed within {seconds} seconds, probably by the program that listed \
                        them",
                        same.count
                    )
                }
            };
            finding.hint = match what {
                "lastmod" => "write when each page was last changed, not when the file was generated".to_owned(),
                _ => "give each entry a unique id that never changes".to_owned(),
            };
            finding.value = finding.value.map(|value| cut(&value, 200));
            hits.count(rule, variant);
            found.push((rule, finding));
        }
        books.count(&hits.counts);
        books.forward(found, self.active, out)
    }

    /// Reports values that must be unique but are not: their entries are read again.
    pub(super) fn once(&self, books: &mut CheckBooks<'_>, out: &mut dyn FindingSink) -> Result<(), Error> {
        let mut returns = Vec::new();
        for keys in std::mem::take(&mut books.keys) {
            returns.push(keys.returns().map_err(Error::temporary)?);
        }
        if returns.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let slots = returns.iter().enumerate();
        let mut firsts: Vec<ValuePlace> =
            slots.flat_map(|(slot, found)| found.iter().map(move |found| (found.first, slot))).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let mut known: HashMap<ValuePlace, FirstValue> = HashMap::new();
        let work = |chunk: &Chunk| self.repeated(chunk, &returns, &firsts);
        each_batch(self.document, &self.check.options, &work, &mut |_, results| {
            for (places, counts, repeats) in results {
                known.extend(places);
                books.count(&counts);
                let (mut told, mut told_video) = (Vec::new(), None);
                for RepeatedValue { rule, variant, finding, first, page, video } in repeats {
                    let first = known.get(&first);
                    let is_own = page.is_some() && first.is_some_and(|first| first.page == page);
                    if is_own || video.is_some() && video == told_video {
                        books.uncount(rule, variant);
                        continue;
                    }
                    told_video = video;
                    let Some(mut finding) = finding else { continue };
                    if let Some(FirstValue { line, .. }) = first {
                        finding.message = format!("{}; the first is in line {line}", finding.message);
                    }
                    told.push((rule, finding));
                }
                books.forward(told, self.active, out)?;
            }
            Ok(())
        })
    }

    /// The repeated values of a chunk, each with the place of the first such value, and the lines of first values.
    fn repeated(&self, chunk: &Chunk, returns: &[Vec<RepeatedPage>], firsts: &[ValuePlace]) -> RepeatTables {
        let mut tokeniser = Tokeniser::new(&chunk.context.tags, TokeniserMemory::default());
        let mut places = Vec::new();
        let mut repeats = Vec::new();
        let mut hits = Hits::new(&self.active.levels);
        let by_page = self.once.iter().any(|(_, _, subject)| *subject == ComparedValues::Media);
        for (offset, piece) in chunk.pieces.iter().enumerate() {
            let raw = raw_entry(chunk, piece, offset);
            let from = raw.number << VALUE;
            let start = firsts.partition_point(|(place, _)| *place < from);
            let end = firsts.partition_point(|(place, _)| place >> VALUE <= raw.number);
            let own_firsts = firsts.get(start..end).unwrap_or_default();
            let of_entry = |found: &[RepeatedPage]| {
                let start = found.partition_point(|found| found.place < from);
                let end = found.partition_point(|found| found.place >> VALUE <= raw.number);
                start..end
            };
            if returns.iter().all(|found| of_entry(found).is_empty()) && own_firsts.is_empty() {
                continue;
            }
            let Ok(tree) = self.parse(&raw, &mut tokeniser) else { continue };
            let Some(root) = tree.root() else { continue };
            let cx = self.cx(Some(raw.number));
            let page = cx.text(root, Ns::Sitemap, "loc").filter(|_| by_page);
            let page = page.map(|page| self.secret.hash(url::key(page).as_bytes())[0]);
            let part = part(raw.text, vec![(0, raw.line, raw.column)], Some(raw.number));
            let mut lines = LineIndex::new(&part);
            let mut told: HashSet<(usize, u32)> = HashSet::new();
            hits.next_entry();
            for (slot, ((rule, variant, subject), found)) in self.once.iter().zip(returns).enumerate() {
                let values = subject.values(root, &cx);
                for (place, _) in own_firsts.iter().filter(|(_, of)| *of == slot) {
                    let Some((_, node)) = values.get(number_of(*place)) else { continue };
                    let (line, _) = lines.at(node.raw().at as usize);
                    places.push(((*place, slot), FirstValue { line, page }));
                }
                for back in found.get(of_entry(found)).unwrap_or_default() {
                    let Some((_, node)) = values.get(number_of(back.place)) else { continue };
                    // two rules would report the same about a repeated line
                    let by = if self.document.format.family.is_lines() { 0 } else { *rule };
                    if subject.allows_repeat(back.place >> VALUE, back.first >> VALUE) || !told.insert((by, node.index))
                    {
                        continue;
                    }
                    hits.rule = *rule;
                    let (says, hint) = subject.texts();
                    hits.report(*variant, *node, says, hint);
                    let finding = self.findings(&hits, &tree, &part, &chunk.context.path).pop();
                    hits.found.clear();
                    let (rule, variant, finding) = (*rule, *variant, finding.map(|(_, finding)| finding));
                    let is_media = *subject == ComparedValues::Media;
                    let page = page.filter(|_| is_media);
                    let video = is_media.then(|| (raw.number, node.raw().parent));
                    repeats.push(RepeatedValue { rule, variant, finding, first: (back.first, slot), page, video });
                }
            }
        }
        (places, hits.counts, repeats)
    }
}

/// The number of a value in its entry.
fn number_of(place: u64) -> usize {
    (place & ((1 << VALUE) - 1)) as usize
}
