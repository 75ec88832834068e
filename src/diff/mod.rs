//! Compares two documents, or two sets of documents, of any formats. Entries are matched by key, values are compared by
//! rule A16; time is linear in the inputs and memory is bounded.
//!
//! A first pass hashes all entries, and equal ones need no further work. A second pass collects the rest in a temporary
//! file, where they are aligned by their keys, read and compared. Between two formats, a difference that a conversion
//! explains is not reported (project.rs). The command line shows the findings.

mod align;
mod compare;
mod comparison;
mod explain;
mod hash;
mod ids;
pub mod json;
mod literal;
mod lockstep;
mod look;
mod losses;
mod pairs;
mod passes;
mod pick;
mod project;
mod result;
mod revisions;
mod side;
mod texts;
mod tree;
mod twins;
mod unit;
mod values;

use self::align::{Alignment, Pair, UnpairedEntries, displaced};
use self::explain::not_held;
use self::hash::Hasher;
use self::literal::common;
use self::lockstep::{PendingTexts, WalkResult, walk, walk_written};
use self::losses::FieldLosses;
use self::passes::{B, HashMode, has, temporary};
use self::pick::SecondPassResult;
use self::project::{format_of, richness, table};
use self::side::{ComparedSide, FirstPassTable};
use self::twins::IdenticalInputs;
use self::unit::{PairDifferences, Unit, lenient};
use crate::convert::{Input, Runs};
use crate::error::Error;
use crate::fate::Fate;
use crate::format::Format;
use crate::model::Field;
pub use comparison::{Comparison, field, field_names};

pub use result::{
    ChangedEntry, ComparedValue, DiffSums, Difference, DifferenceSink, FieldChange, FieldSpread, FileSums, FoldedField,
    InputRemark, MovedEntry, NotComparable, SideInfo, UnpairedEntry,
};

/// The inputs of one side, and what the whole is called.
#[derive(Clone, Copy)]
pub struct Inputs<'s, 'i> {
    /// Its name.
    pub name: &'s str,
    /// One or several documents, which are one catalogue.
    pub inputs: &'s [&'i dyn Input],
}

/// What the first pass leaves, with its texts, if these wait.
type FirstPassResult = (UnpairedEntries, Option<[PendingTexts; 2]>);

/// The table of what entries without a key say.
const CONTENT: usize = 4;

/// Units that are worked on at once.
const AT_ONCE: usize = 512;

impl Comparison {
    /// Compares two sides.
    ///
    /// # Errors
    /// Unreadable or unknown input, a limit of a document, a temporary file, and what `take` states.
    pub fn run(&self, a: Inputs<'_, '_>, b: Inputs<'_, '_>, take: &mut dyn DifferenceSink) -> Result<DiffSums, Error> {
        self.options.on_threads(|| match self.attempt(a, b, true, take)? {
            Some(sums) => Ok(sums),
            None => self.attempt(a, b, false, take).map(Option::unwrap_or_default),
        })?
    }

    /// One attempt. `None`, with nothing reported, if the documents must be opened as a whole.
    fn attempt(
        &self,
        a: Inputs<'_, '_>,
        b: Inputs<'_, '_>,
        begin: bool,
        take: &mut dyn DifferenceSink,
    ) -> Result<Option<DiffSums>, Error> {
        let hasher = Hasher::new();
        let twins = IdenticalInputs::new(a.inputs, b.inputs);
        let how = (self.from, &self.options);
        let (a, b) = self.options.both(
            || ComparedSide::open((a.name, a.inputs), 0, how, begin),
            || ComparedSide::open((b.name, b.inputs), B, how, begin),
        );
        let (mut a, mut b) = (a?, b?);
        let mut plan = self.plan(&a, &b, &hasher)?;
        let Some((left, waiting)) = self.first_pass((&mut a, &mut b), &plan, &hasher, &twins)? else {
            return Ok(None);
        };
        // the hash of a single entry cannot cover all its revisions
        let waiting = waiting.filter(|_| !a.has_revisions && !b.has_revisions);
        plan.first = plan.first.filter(|_| !a.has_revisions && !b.has_revisions);
        if begin && plan.first.is_none() {
            return Ok(None);
        }
        let same = if plan.first.is_some() { left.same } else { 0 };
        let (wanted_a, wanted_b) = match plan.first {
            Some(_) => (Some(left.a.as_slice()), Some(left.b.as_slice())),
            None => (None, None),
        };
        let how = (&hasher, &twins);
        let pick = |side: &mut ComparedSide<'_>, wanted: Option<&[u64]>, waiting: Option<PendingTexts>| match (
            wanted, waiting,
        ) {
            (Some(wanted), Some(waiting)) => side.pick_waiting(wanted, waiting, how, &self.options),
            (wanted, _) => side.pick(wanted, how, &self.options),
        };
        let (waits_a, waits_b) = waiting.map_or((None, None), |[a, b]| (Some(a), Some(b)));
        // all cores work on either side, and what is found in a batch is held for one at a time
        let of_a = pick(&mut a, wanted_a, waits_a);
        let of_b = pick(&mut b, wanted_b, waits_b);
        let running = RunningComparison {
            comparison: self,
            plan,
            hasher: &hasher,
            a: &a,
            b: &b,
            sums: DiffSums::default(),
            lost: FieldLosses::default(),
            take,
        };
        let (mut of_a, mut of_b) = (of_a?, of_b?);
        if running.plan.by_page {
            of_a = revisions::unite(&a, of_a, self, &hasher)?;
            of_b = revisions::unite(&b, of_b, self, &hasher)?;
        }
        running.finish(same, of_a, of_b).map(Some)
    }

    /// How the two are to be compared.
    fn plan(&self, a: &ComparedSide<'_>, b: &ComparedSide<'_>, hasher: &Hasher) -> Result<ComparisonPlan, Error> {
        let (of_a, of_b) = (a.formats(), b.formats());
        let all: Vec<&'static Format> = of_a.iter().chain(&of_b).copied().collect();
        let one_format = all.windows(2).all(|pair| pair[0] == pair[1]);
        // rows and objects of one page are one item elsewhere
        let lists_pages = |format: &&'static Format| format.family.lists_pages();
        let has_each_once = |format: &&'static Format| format.writer.is_some_and(|writer| writer.groups(&self.options));
        let by_page =
            !one_format && all.iter().any(lists_pages) && !all.iter().any(|format| format.id == "sitemap-index");
        let uniform = of_a.len() == 1 && of_b.len() == 1;
        let first = match (one_format, uniform) {
            _ if self.order => None,
            (true, _) => {
                let mut formats = a.documents.iter().chain(&b.documents).map(|document| document.format);
                let kind = formats.next();
                let one_reader = formats.all(|format| Some(format) == kind);
                let marked = one_reader && kind.is_some_and(|kind| !kind.family.is_model());
                let on_one_ground = || -> Result<bool, Error> {
                    Ok(a.ground(hasher, &self.options)? == b.ground(hasher, &self.options)?)
                };
                Some(if marked && on_one_ground()? { HashMode::Bytes } else { HashMode::Said })
            }
            (false, true) => {
                let poorest = all.iter().copied().filter(|format| !format.family.is_model());
                poorest.min_by_key(|format| (richness(format), format.id)).map(HashMode::In)
            }
            (false, false) => None,
        };
        // an order counts for each entry
        let by_page = by_page && !self.order;
        let whole_pages = by_page || one_format && !self.order && all.iter().all(has_each_once);
        Ok(ComparisonPlan { same_format: one_format, by_page, whole_pages, first })
    }

    /// What has no equal, with its texts, if these wait; nothing, if a document that was only begun held more of a head.
    fn first_pass(
        &self,
        (a, b): (&mut ComparedSide<'_>, &mut ComparedSide<'_>),
        plan: &ComparisonPlan,
        hasher: &Hasher,
        twins: &IdenticalInputs<'_, '_>,
    ) -> Result<Option<FirstPassResult>, Error> {
        let Some(pass) = plan.first else { return Ok(Some((UnpairedEntries::default(), None))) };
        match self.side_by_side((a, b), (pass, plan.by_page), (hasher, twins))? {
            WalkResult::Whole(outcome) => {
                let [of_a, of_b] = outcome.sides;
                a.add_facts(of_a);
                b.add_facts(of_b);
                return Ok(Some((outcome.left, outcome.waiting)));
            }
            WalkResult::Begun => return Ok(None),
            WalkResult::Odd => (),
        }
        let how = (pass, plan.by_page);
        let by = (hasher, twins);
        let (of_a, of_b) = self.options.both(|| a.look(how, by, &self.options), || b.look(how, by, &self.options));
        let (Some(of_a), Some(of_b)) = (of_a?, of_b?) else { return Ok(None) };
        let left = match (of_a, of_b) {
            (FirstPassTable::Entries(a), FirstPassTable::Entries(b)) => UnpairedEntries::of_entries(vec![a, b]),
            (FirstPassTable::Pages(a), FirstPassTable::Pages(b)) => UnpairedEntries::of_pages(vec![a, b]),
            // both are made in one way
            (FirstPassTable::Entries(_), FirstPassTable::Pages(_))
            | (FirstPassTable::Pages(_), FirstPassTable::Entries(_)) => Ok(UnpairedEntries::default()),
        };
        left.map(|left| Some((left, None))).map_err(temporary)
    }

    /// The first pass where both sides can be walked over side by side.
    fn side_by_side(
        &self,
        (a, b): (&ComparedSide<'_>, &ComparedSide<'_>),
        (pass, by_page): (HashMode, bool),
        (hasher, twins): (&Hasher, &IdenticalInputs<'_, '_>),
    ) -> Result<WalkResult, Error> {
        match (pass, a.documents.as_slice(), b.documents.as_slice()) {
            (HashMode::Bytes, of_a, of_b) => walk((of_a, of_b), hasher, &self.options),
            (HashMode::In(target), [of_a], [of_b]) if by_page => {
                let (other, own) = if format_of(of_a) == target { (of_b, of_a) } else { (of_a, of_b) };
                if own.format != target || format_of(other) == target {
                    return Ok(WalkResult::Odd);
                }
                match common((other, own), target, &self.options)? {
                    Some(common) => walk_written((of_a, of_b), (target, &common), (hasher, twins), &self.options),
                    None => Ok(WalkResult::Odd),
                }
            }
            (HashMode::In(_) | HashMode::Said, ..) => Ok(WalkResult::Odd),
        }
    }

    /// Whether a field is looked at.
    fn wants(&self, name: &str) -> bool {
        let within = crate::model::wanted::is_within;
        // of a video nothing more is looked at than one of its fields, and a whole video has it too
        let is_whole_video = |list: &String| name == compare::VIDEO && within(list, name);
        let ignored = self.ignore.iter().any(|list| within(name, list));
        let wanted = self.only.is_empty() || self.only.iter().any(|list| within(name, list) || is_whole_video(list));
        wanted && !ignored
    }
}

/// How two sides are compared.
struct ComparisonPlan {
    /// All documents have one format.
    same_format: bool,
    /// Entries of one page are one (rule A5).
    by_page: bool,
    /// The same for those that have no equal.
    whole_pages: bool,
    /// The first pass; none, where all entries are compared.
    first: Option<HashMode>,
}

/// A comparison whose entries are aligned.
struct RunningComparison<'r, 'i> {
    comparison: &'r Comparison,
    plan: ComparisonPlan,
    hasher: &'r Hasher,
    a: &'r ComparedSide<'i>,
    b: &'r ComparedSide<'i>,
    sums: DiffSums,
    /// What only a conversion could compare, and does not carry.
    lost: FieldLosses,
    take: &'r mut dyn DifferenceSink,
}

impl RunningComparison<'_, '_> {
    fn finish(mut self, same: u64, of_a: SecondPassResult<'_>, of_b: SecondPassResult<'_>) -> Result<DiffSums, Error> {
        self.sums.same = same;
        let SecondPassResult { texts: texts_a, keys: keys_a, keyless: keyless_a } = of_a;
        let SecondPassResult { texts: texts_b, keys: keys_b, keyless: keyless_b } = of_b;
        let mut aligned = Alignment::new(texts_a.len(), texts_b.len());
        for (number, (a, b)) in keys_a.into_iter().zip(keys_b).enumerate() {
            // pages are identified by their URLs
            let whole = self.plan.whole_pages && number == 1;
            let repeated = aligned.repeated;
            aligned.round(vec![a, b], whole).map_err(temporary)?;
            if number == CONTENT {
                // of equal ones any is the same as any other
                aligned.repeated = repeated;
            }
        }
        let lenient = lenient(&self.comparison.options);
        let how = (self.comparison, &lenient);
        let unit = Unit::new((self.a, &texts_a), (self.b, &texts_b), self.plan.same_format, how, self.hasher);
        if !self.plan.same_format {
            self.as_written(&unit, &mut aligned)?;
        }
        aligned.by_place(vec![keyless_a, keyless_b], (self.a.entries, self.b.entries)).map_err(temporary)?;
        aligned.pairs.sort_unstable();
        self.report_unpaired(&unit, &aligned, true)?;
        self.report_unpaired(&unit, &aligned, false)?;
        self.head(&unit)?;
        self.pairs(&unit, &aligned)?;
        self.not_comparable();
        let mut sums = self.sums;
        sums.compared = same + aligned.pairs.len() as u64;
        sums.fold();
        sums.repeated = aligned.repeated;
        (sums.a, sums.b) = (self.a.info(), self.b.info());
        sums.remarks = self.a.remarks.iter().chain(&self.b.remarks).cloned().collect();
        sums.untold = self.a.untold + self.b.untold;
        Ok(sums)
    }

    /// Pairs what is left by what it is known by once a conversion wrote it: an id may be derived from another.
    fn as_written(&self, unit: &Unit<'_, '_>, aligned: &mut Alignment) -> Result<(), Error> {
        for of_b in [false, true] {
            let known = &*aligned;
            let open = |side: bool| -> Vec<u64> {
                (0..unit.len(side) as u64).filter(|index| !known.is_paired(*index, side)).collect()
            };
            let (own, others) = (open(of_b), open(!of_b));
            if own.is_empty() || others.is_empty() {
                return Ok(());
            }
            let dir = self.comparison.options.temp_dir.as_deref();
            let mut tables: [[Runs<'_, 3>; 2]; 4] =
                std::array::from_fn(|_| [0, 1].map(|_| Runs::new(self.comparison.options.memory / 64, dir)));
            for (number, (indices, side, as_it_is)) in
                [(own, of_b, false), (others, !of_b, true)].into_iter().enumerate()
            {
                for batch in indices.chunks(AT_ONCE) {
                    let options = &self.comparison.options;
                    let keys = options.each(batch, |index| unit.keys(*index, side, as_it_is));
                    for (index, keys) in batch.iter().zip(keys) {
                        let keys = keys?;
                        let place = if side { B | index } else { *index };
                        for (table, hash) in tables.iter_mut().zip(keys) {
                            if let Some([high, low]) = hash {
                                table[number].push([high, low, place]).map_err(temporary)?;
                            }
                        }
                    }
                }
            }
            for (number, table) in tables.into_iter().enumerate() {
                aligned.round(table.into(), self.plan.by_page && number == 1).map_err(temporary)?;
            }
        }
        Ok(())
    }

    /// Reports entries that only one side has.
    fn report_unpaired(&mut self, unit: &Unit<'_, '_>, aligned: &Alignment, of_b: bool) -> Result<(), Error> {
        let count = unit.len(of_b) as u64;
        let mut open = (0..count).filter(|index| !aligned.is_paired(*index, of_b));
        loop {
            let batch: Vec<u64> = open.by_ref().take(AT_ONCE).collect();
            if batch.is_empty() {
                return Ok(());
            }
            for lone in self.comparison.options.each(&batch, |index| unit.unpaired_entry(*index, of_b)) {
                self.add_unpaired(lone?, of_b)?;
            }
        }
    }

    /// Reports an entry or a video that only one side has, unless a conversion drops it and that is allowed.
    fn add_unpaired(&mut self, lone: UnpairedEntry, of_b: bool) -> Result<(), Error> {
        if let Some(why) = lone.why.filter(|_| self.comparison.allow_conversion_drops) {
            self.cannot(if lone.video.is_some() { compare::VIDEO } else { "entry" }, why);
            return Ok(());
        }
        match of_b {
            true => {
                self.sums.added += 1;
                self.take.take(Difference::Added(lone))
            }
            false => {
                self.sums.removed += 1;
                self.take.take(Difference::Removed(lone))
            }
        }
    }

    fn head(&mut self, unit: &Unit<'_, '_>) -> Result<(), Error> {
        let (fields, lost) = unit.head();
        lost.into_iter().for_each(|(field, why)| self.lost.note(field, why));
        if fields.is_empty() {
            return Ok(());
        }
        let changed = ChangedEntry {
            key: "feed".to_owned(),
            title: None,
            a_line: 1,
            b_line: 1,
            a_file: None,
            b_file: None,
            fields,
        };
        self.changed(changed)
    }

    fn pairs(&mut self, unit: &Unit<'_, '_>, aligned: &Alignment) -> Result<(), Error> {
        let order = self.comparison.order && self.comparison.wants("order");
        let displaced = if order { displaced(&aligned.pairs) } else { Vec::new() };
        for (batch, pairs) in aligned.pairs.chunks(AT_ONCE).enumerate() {
            let numbered: Vec<(usize, &Pair)> = (batch * AT_ONCE..).zip(pairs).collect();
            let differ = |(at, pair): &(usize, &Pair)| -> Result<PairDifferences, Error> {
                let displaced = displaced.get(*at).copied().unwrap_or(false);
                unit.compare(**pair, aligned.pages.get(&pair.a), displaced)
            };
            for differs in self.comparison.options.each(&numbered, differ) {
                self.differs(differs?)?;
            }
        }
        Ok(())
    }

    fn differs(&mut self, differs: PairDifferences) -> Result<(), Error> {
        for (field, why) in differs.explained {
            self.cannot(field, why);
        }
        differs.lost.into_iter().for_each(|(field, why)| self.lost.note(field, why));
        let drops = !differs.dropped.is_empty() && !self.comparison.allow_conversion_drops;
        if differs.moved.is_empty() && differs.changed.is_none() && !drops {
            self.sums.same += 1;
        }
        for (lone, of_b) in differs.dropped {
            self.add_unpaired(lone, of_b)?;
        }
        for moved in differs.moved {
            self.sums.moved += 1;
            *self.sums.fields.entry(moved.field.to_owned()).or_default() += 1;
            self.sums.spread_move(&moved);
            self.take.take(Difference::Moved(moved))?;
        }
        match differs.changed {
            Some(changed) => {
                self.sums.spread(&changed.fields);
                self.changed(changed)
            }
            None => Ok(()),
        }
    }

    fn changed(&mut self, changed: ChangedEntry) -> Result<(), Error> {
        self.sums.changed += 1;
        for field in &changed.fields {
            *self.sums.fields.entry(field.field.clone()).or_default() += 1;
        }
        self.take.take(Difference::Changed(changed))
    }

    /// Notes the values of one side that the other side's format cannot hold, and those that are compared in none.
    fn not_comparable(&mut self) {
        let mut lost = std::mem::take(&mut self.lost);
        [self.a, self.b].into_iter().for_each(|side| lost.add(&side.lost));
        for field in Field::ALL {
            let mut is_held = true;
            for (side, other) in [(self.a, self.b), (self.b, self.a)] {
                if !self.plan.same_format
                    && has(&side.fields, *field)
                    && let Some(why) = not_held_reason(*field, side, other)
                {
                    self.cannot(field.name(), why);
                    is_held = false;
                }
            }
            if is_held {
                lost.reasons(*field).into_iter().for_each(|why| self.cannot(field.name(), why));
            }
        }
    }

    fn cannot(&mut self, field: &'static str, why: &str) {
        let known = |row: &NotComparable| row.field == field && row.why == why;
        if self.comparison.wants(field) && !self.sums.not_comparable.iter().any(known) {
            self.sums.not_comparable.push(NotComparable { field, why: why.to_owned() });
        }
    }
}

/// Why no format of the other side has a place for a field of this one.
fn not_held_reason(field: Field, side: &ComparedSide<'_>, other: &ComparedSide<'_>) -> Option<&'static str> {
    let mut reason = None;
    for own in side.formats() {
        for format in other.formats() {
            if !not_held(field, format, own) {
                return None;
            }
            if let Fate::Lost(why) = table(format)(field) {
                reason = Some(why.text());
            }
        }
    }
    reason
}
