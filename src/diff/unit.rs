//! Reads two matching entries from their temporary files and compares them: directly and, between two formats, with one
//! converted to the format of the other. Entries are matched elsewhere.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;

use super::align::{PageEntries, Pair};
use super::compare::{LeafChange, LeafDifference, VIDEO, changes};
use super::explain::{RemainingDifferences, SideName, Views, is_beyond_format};
use super::hash::{Hash128, Hasher};
use super::losses::FieldLosses;
use super::passes::temporary;
use super::pick::{keys, shown, title};
use super::project::{OmittedVideo, Projection, ProjectionOutcome, format_of, read_text, table};
use super::result::{ChangedEntry, ComparedValue, FieldChange, MovedEntry, UnpairedEntry};
use super::side::ComparedSide;
use super::texts::{Label, Texts, raw};
use super::tree::MemberNode;
use crate::convert::Document;
use crate::diff::comparison::Comparison;
use crate::error::Error;
use crate::fate::Fate;
use crate::format::{Family, Format};
use crate::model::{Date, Entry, Field, Leaf};
use crate::options::Options;
use crate::pages;
use crate::reason::Reason;
use crate::text::url;

/// The differences of a pair.
#[derive(Default)]
pub(super) struct PairDifferences {
    /// Moves, of the entry or of entries of its page.
    pub moved: Vec<MovedEntry>,
    /// Something of it changed.
    pub changed: Option<ChangedEntry>,
    /// Videos that one side lacks because a conversion drops them, and whether those are of B.
    pub dropped: Vec<(UnpairedEntry, bool)>,
    /// Fields whose difference a conversion explains, because one format has no place for them.
    pub explained: Vec<(&'static str, &'static str)>,
    /// Fields whose difference a conversion explains, because it leaves values out, and why.
    pub lost: Vec<(Field, &'static str)>,
}

/// What is needed to compare.
pub(super) struct Unit<'u, 'i> {
    a: (&'u ComparedSide<'i>, &'u Texts),
    b: (&'u ComparedSide<'i>, &'u Texts),
    comparison: &'u Comparison,
    hasher: &'u Hasher,
    same_format: bool,
    projections: Projections<'u>,
    /// The same with lenient options, built on first use.
    lenient: (&'u Options, OnceLock<Projections<'u>>),
}

/// From the documents of one side to the formats of the other, by the number of the document and the format.
type ProjectionsByDocument<'u> = HashMap<(usize, &'static str), Projection<'u>>;

/// From each document of A to the formats of B, and the other way round.
#[derive(Default)]
struct Projections<'u> {
    to_b: ProjectionsByDocument<'u>,
    to_a: ProjectionsByDocument<'u>,
}

/// The thumbnail of a video that has none, where a conversion would drop it for that.
const ANY_THUMBNAIL: &str = "https://example.invalid/any.jpg";

/// The options of a conversion that drops fewer videos: what the other side has all the same is compared by it.
pub(super) fn lenient(options: &Options) -> Options {
    Options { default_thumbnail: Some(ANY_THUMBNAIL.to_owned()), keep_inactive: true, ..options.clone() }
}

/// An entry with its place.
struct PlacedEntry {
    entry: Entry<'static>,
    /// The unjoined entries, if several were joined.
    parts: Vec<Entry<'static>>,
    document: usize,
}

/// A text, if there is one.
fn some(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// The file of an entry, if its name is not that of its side.
fn file(side: &ComparedSide<'_>, label: &Label) -> Option<String> {
    let document = side.documents.get(label.document as usize)?;
    (document.info.name != side.name).then(|| document.info.name.clone())
}

impl<'u, 'i> Unit<'u, 'i> {
    /// Prepares it.
    pub fn new(
        a: (&'u ComparedSide<'i>, &'u Texts),
        b: (&'u ComparedSide<'i>, &'u Texts),
        same_format: bool,
        (comparison, lenient): (&'u Comparison, &'u Options),
        hasher: &'u Hasher,
    ) -> Unit<'u, 'i> {
        let projections = match same_format {
            true => Projections::default(),
            false => Projections::new(a.0, b.0, &comparison.options),
        };
        Unit { a, b, comparison, hasher, same_format, projections, lenient: (lenient, OnceLock::new()) }
    }

    fn lenient(&self) -> &Projections<'u> {
        self.lenient.1.get_or_init(|| Projections::new(self.a.0, self.b.0, self.lenient.0))
    }

    /// How many entries wait.
    pub fn len(&self, of_b: bool) -> usize {
        if of_b { self.b.1.len() } else { self.a.1.len() }
    }

    /// An entry that only one side has, and why a conversion drops it, if it does.
    ///
    /// # Errors
    /// A temporary file.
    pub fn unpaired_entry(&self, index: u64, of_b: bool) -> Result<UnpairedEntry, Error> {
        let ((side, texts), projections, other) = match of_b {
            true => (self.b, &self.projections.to_a, self.a.0),
            false => (self.a, &self.projections.to_b, self.b.0),
        };
        let (label, context, text) = texts.get(index).map_err(temporary)?;
        let document = side.documents.get(label.document as usize);
        let mut why = None;
        if let (false, false, Some(document)) = (self.same_format, label.unread, document)
            && let [format] = other.formats().as_slice()
            && let Some(projection) = projections.get(&(label.document as usize, format.id))
            && let Ok(entry) = read_text(document, &raw(&label, &context, &text), &self.comparison.options)
        {
            why = projection.entry(entry).dropped;
        }
        let file = file(side, &label);
        let title = some(label.title);
        Ok(UnpairedEntry { key: label.key, title, entry: label.number, line: label.line, file, video: None, why })
    }

    /// The keys of an entry as a conversion writes it in the format of the other side; with `own`, as it is: whole
    /// content, page, id, and title with day. `None` for sides of several formats.
    ///
    /// # Errors
    /// A temporary file.
    pub fn keys(&self, index: u64, of_b: bool, own: bool) -> Result<[Option<Hash128>; 4], Error> {
        let ((side, texts), projections, other) = match of_b {
            true => (self.b, &self.projections.to_a, self.a.0),
            false => (self.a, &self.projections.to_b, self.b.0),
        };
        let (label, context, text) = texts.get(index).map_err(temporary)?;
        let document = side.documents.get(label.document as usize).filter(|_| !label.unread);
        let Some(document) = document else { return Ok([None; 4]) };
        let read = read_text(document, &raw(&label, &context, &text), &self.comparison.options);
        let Ok(entry) = read else { return Ok([None; 4]) };
        let known = |entry: &Entry<'_>, family: &'static Family| {
            let mut keys = keys(entry, family, self.hasher);
            // the whole content is the key of entries without another
            keys[0] = Some(self.hasher.entry(entry, family));
            keys
        };
        if own {
            return Ok(known(&entry, format_of(document).family));
        }
        let [format] = *other.formats().as_slice() else { return Ok([None; 4]) };
        let projection = projections.get(&(label.document as usize, format.id));
        let Some(projection) = projection else { return Ok([None; 4]) };
        let written = joined(projection.entry(entry).entries, format.family.revisions);
        Ok(written.map_or([None; 4], |entry| known(&entry, format.family)))
    }

    /// The changes between the heads, if each side is one document, and the values of the heads that a conversion
    /// omits.
    pub fn head(&self) -> (Vec<FieldChange>, Vec<(Field, &'static str)>) {
        let ([a], [b]) = (self.a.0.documents.as_slice(), self.b.0.documents.as_slice()) else {
            return Default::default();
        };
        let (mut found, mut lost) = self.head_changes(a, b);
        lost.extend(without_generated(&mut found, Field::FeedUpdated, [&a.feed.updated, &b.feed.updated]));
        (self.fields(found), lost)
    }

    fn head_changes(&self, a: &Document<'i>, b: &Document<'i>) -> (Vec<LeafDifference>, Vec<(Field, &'static str)>) {
        let (of_a, of_b) =
            (MemberNode::of_feed(&a.feed, format_of(a).family), MemberNode::of_feed(&b.feed, format_of(b).family));
        let found = changes(&of_a, &of_b, self.hasher);
        if self.same_format || found.is_empty() {
            return (found, Vec::new());
        }
        let raw = found.clone();
        let formats = (format_of(a), format_of(b));
        let Projections { to_b, to_a } = &self.projections;
        let (to_b, to_a) = (to_b.get(&(0, formats.1.id)), to_a.get(&(0, formats.0.id)));
        let as_b = to_b.map(|projection| MemberNode::of_feed(&projection.feed, formats.1.family));
        let as_a = to_a.map(|projection| MemberNode::of_feed(&projection.feed, formats.0.family));
        let still = |changes: Vec<LeafDifference>, projection: Option<&Projection<'_>>| {
            let made = projection.map(|projection| projection.made.clone()).unwrap_or_default();
            RemainingDifferences { changes, made }
        };
        let views = Views {
            formats,
            in_a: as_a.as_ref().map(|as_a| still(changes(&of_a, as_a, self.hasher), to_a)),
            in_b: as_b.as_ref().map(|as_b| still(changes(as_b, &of_b, self.hasher), to_b)),
        };
        let returned = |own: SideName| {
            Some(match own {
                SideName::A => {
                    let back = MemberNode::of_feed(&to_b?.back()?.feed, formats.0.family);
                    changes(&back, as_a.as_ref()?, self.hasher)
                }
                SideName::B => {
                    let back = MemberNode::of_feed(&to_a?.back()?.feed, formats.1.family);
                    changes(as_b.as_ref()?, &back, self.hasher)
                }
            })
        };
        let found = views.unexplained(found, returned);
        let unused = |projection: Option<&Projection<'u>>, side: &ComparedSide<'_>| {
            let mut lost =
                projection.map(|projection| removed_fields(&raw, &found, &projection.lost)).unwrap_or_default();
            lost.retain(|(field, _)| !side.lost.is_used(*field));
            lost
        };
        let lost = [unused(to_b, self.a.0), unused(to_a, self.b.0)].concat();
        (found, lost)
    }

    fn fields(&self, found: Vec<LeafDifference>) -> Vec<FieldChange> {
        let shown = |change: LeafDifference| {
            let field = change.name().into_owned();
            FieldChange { field, path: change.path, a: change.a, b: change.b }
        };
        found.into_iter().map(shown).filter(|change| self.comparison.wants(&change.field)).collect()
    }

    /// Compares a pair, or several entries of a page that are one.
    ///
    /// # Errors
    /// A temporary file.
    pub fn compare(&self, pair: Pair, pages: Option<&PageEntries>, displaced: bool) -> Result<PairDifferences, Error> {
        let single = (vec![pair.a], vec![pair.b]);
        let (of_a, of_b) = pages.unwrap_or(&single);
        let (label_a, a) = self.read(self.a, of_a)?;
        let (label_b, b) = self.read(self.b, of_b)?;
        let mut differs = PairDifferences::default();
        let (Some(a), Some(b)) = (a, b) else { return Ok(differs) };
        let mut dropped = [Vec::new(), Vec::new()];
        let mut found = self.changes(&a, &b, &mut differs, &mut dropped);
        let dates = [&a.entry.updated, &b.entry.updated];
        differs.lost.extend(without_generated(&mut found, Field::Updated, dates));
        for ((videos, of_b), (side, label)) in
            dropped.into_iter().zip([false, true]).zip([(self.a.0, &label_a), (self.b.0, &label_b)])
        {
            let lone = |(video, why)| UnpairedEntry {
                key: label.key.clone(),
                title: some(label.title.clone()),
                entry: label.number,
                line: label.line,
                file: file(side, label),
                video: Some(video),
                why: Some(why),
            };
            let wanted = videos.into_iter().filter(|_| self.comparison.wants(VIDEO));
            differs.dropped.extend(wanted.map(lone).map(|lone| (lone, of_b)));
        }
        let ids = (a.entry.id.as_ref(), b.entry.id.as_ref());
        let same_id = matches!(ids, (Some(a), Some(b)) if a.value.trim() == b.value.trim());
        let is_move =
            |change: &LeafDifference| same_id && change.field == Field::Loc && change.a.is_some() && change.b.is_some();
        let (moves, found): (Vec<LeafDifference>, Vec<LeafDifference>) = found.into_iter().partition(is_move);
        // a text list has none, but the other side may
        let title = some(label_a.title.clone()).or_else(|| some(label_b.title.clone()));
        let moved = |field, a, b| {
            let (key, title) = (label_a.key.clone(), title.clone());
            let (a_file, b_file) = (file(self.a.0, &label_a), file(self.b.0, &label_b));
            MovedEntry { key, title, field, a, b, a_line: label_a.line, b_line: label_b.line, a_file, b_file }
        };
        for change in moves.into_iter().filter(|_| self.comparison.wants(Field::Loc.name())) {
            if let (Some(ComparedValue::One(a)), Some(ComparedValue::One(b))) = (change.a, change.b) {
                differs.moved.push(moved("loc", a, b));
            }
        }
        if displaced {
            differs.moved.push(moved("order", label_a.ordinal.to_string(), label_b.ordinal.to_string()));
        }
        let fields = self.fields(found);
        if !fields.is_empty() {
            let (a_line, b_line) = (label_a.line, label_b.line);
            let (a_file, b_file) = (file(self.a.0, &label_a), file(self.b.0, &label_b));
            differs.changed = Some(ChangedEntry {
                key: label_a.key.clone(),
                title: title.clone(),
                a_line,
                b_line,
                a_file,
                b_file,
                fields,
            });
        }
        Ok(differs)
    }

    /// Reads entries; those of one page become one.
    fn read(
        &self,
        (side, texts): (&ComparedSide<'_>, &Texts),
        indices: &[u64],
    ) -> Result<(Label, Option<PlacedEntry>), Error> {
        let mut first: Option<Label> = None;
        let mut entries: Vec<Entry<'static>> = Vec::new();
        for index in indices {
            let (label, context, text) = texts.get(*index).map_err(temporary)?;
            if let Some(document) = side.documents.get(label.document as usize)
                && let Ok(entry) = read_text(document, &raw(&label, &context, &text), &self.comparison.options)
            {
                entries.push(entry);
            }
            first.get_or_insert(label);
        }
        let mut label = first.unwrap_or_default();
        let document = label.document as usize;
        let revisions = side.documents.get(document).is_some_and(|document| format_of(document).family.revisions);
        let parts = if entries.len() > 1 { entries.clone() } else { Vec::new() };
        let entry = joined(entries, revisions);
        if let Some(entry) = entry.as_ref().filter(|_| !parts.is_empty()) {
            label.key = shown(entry, label.line);
            label.title = title(entry, &label.key);
        }
        Ok((label, entry.map(|entry| PlacedEntry { entry, parts, document })))
    }

    /// The changes to report for two entries, except videos that a conversion drops.
    fn changes(
        &self,
        a: &PlacedEntry,
        b: &PlacedEntry,
        differs: &mut PairDifferences,
        dropped: &mut [Vec<(String, &'static str)>; 2],
    ) -> Vec<LeafDifference> {
        let document =
            |side: &'u ComparedSide<'i>, number: usize| -> Option<&'u Document<'i>> { side.documents.get(number) };
        let (Some(from), Some(to)) = (document(self.a.0, a.document), document(self.b.0, b.document)) else {
            return Vec::new();
        };
        let (of_a, of_b) = (
            MemberNode::of_entry(&a.entry, format_of(from).family),
            MemberNode::of_entry(&b.entry, format_of(to).family),
        );
        let found = changes(&of_a, &of_b, self.hasher);
        let formats = (format_of(from), format_of(to));
        if formats.0 == formats.1 || found.is_empty() {
            return found;
        }
        let raw = found.clone();
        let mut before = found.clone();
        // relatives drop a video where they have no place for its URL
        let names_video = |change: &LeafDifference| {
            let is_url = matches!(change.field, Field::VideoFileUrl | Field::VideoPlayerUrl);
            is_url && change.about == LeafChange::Value && formats.0.family == formats.1.family
        };
        before.retain(|change| names_video(change) || !is_beyond_format(change, formats));
        let written = BothWays::new(&self.projections, (a, b), formats);
        let mut found = written.unexplained(found, (&of_a, &of_b), self.hasher);
        for ((own, written), dropped) in written.sides().into_iter().zip(dropped.iter_mut()) {
            if let Some(written) = written {
                *dropped = dropped_videos(own, (&before, &found), &written.videos);
            }
        }
        let lacks_more = |(written, dropped): (&EntryOutcome, &Vec<_>)| {
            written.entry.is_none() || written.videos.len() > dropped.len()
        };
        let sides = written.sides().into_iter().zip(dropped.iter());
        if sides.filter_map(|((_, written), dropped)| Some((written.as_ref()?, dropped))).any(lacks_more) {
            let lenient = BothWays::new(self.lenient(), (a, b), formats);
            found = with_all_videos(lenient.unexplained(raw.clone(), (&of_a, &of_b), self.hasher), &found);
        }
        for (_, written) in written.sides() {
            differs.lost.extend(written.iter().flat_map(|written| removed_fields(&raw, &found, &written.lost)));
        }
        for change in &before {
            let lacking = if change.a.is_none() { formats.0 } else { formats.1 };
            if let (Fate::Lost(why), true) = (table(lacking)(change.field), change.a.is_none() || change.b.is_none())
                && !found.iter().any(|left| left.field == change.field)
            {
                differs.explained.push((change.field.name(), why.text()));
            }
        }
        found
    }
}

impl<'u> Projections<'u> {
    fn new(a: &'u ComparedSide<'_>, b: &'u ComparedSide<'_>, options: &'u Options) -> Projections<'u> {
        Projections { to_b: projections(a, &b.formats(), options), to_a: projections(b, &a.formats(), options) }
    }
}

/// Two entries, each written in the format of the other.
struct BothWays<'c, 'u> {
    formats: (&'static Format, &'static Format),
    to_b: Option<&'c Projection<'u>>,
    to_a: Option<&'c Projection<'u>>,
    as_b: Option<EntryOutcome>,
    as_a: Option<EntryOutcome>,
}

impl<'c, 'u> BothWays<'c, 'u> {
    fn new(
        projections: &'c Projections<'u>,
        (a, b): (&PlacedEntry, &PlacedEntry),
        formats: (&'static Format, &'static Format),
    ) -> BothWays<'c, 'u> {
        let to_b = projections.to_b.get(&(a.document, formats.1.id));
        let to_a = projections.to_a.get(&(b.document, formats.0.id));
        let as_b = to_b.map(|projection| project_entry(projection, a));
        let as_a = to_a.map(|projection| project_entry(projection, b));
        BothWays { formats, to_b, to_a, as_b, as_a }
    }

    /// A and B as they were written.
    fn sides(&self) -> [(SideName, &Option<EntryOutcome>); 2] {
        [(SideName::A, &self.as_b), (SideName::B, &self.as_a)]
    }

    /// Those of the differences found that no conversion explains.
    fn unexplained(
        &self,
        found: Vec<LeafDifference>,
        (of_a, of_b): (&MemberNode<'_>, &MemberNode<'_>),
        hasher: &Hasher,
    ) -> Vec<LeafDifference> {
        let BothWays { formats, to_b, to_a, as_b, as_a } = self;
        let in_b = as_b.as_ref().and_then(|written| written.still(formats.1, |node| changes(node, of_b, hasher)));
        let in_a = as_a.as_ref().and_then(|written| written.still(formats.0, |node| changes(of_a, node, hasher)));
        let views = Views { formats: *formats, in_a, in_b };
        views.unexplained(found, |own| match own {
            SideName::A => {
                returned(((*to_b)?, as_b.as_ref()?), as_a.as_ref()?, |back, as_a| changes(back, as_a, hasher))
            }
            SideName::B => {
                returned(((*to_a)?, as_a.as_ref()?), as_b.as_ref()?, |back, as_b| changes(as_b, back, hasher))
            }
        })
    }
}

/// The differences found where a conversion drops fewer videos, without videos that one side lacks but for the rules of the
/// other: `known` has those it lacks in spite of them.
fn with_all_videos(mut found: Vec<LeafDifference>, known: &[LeafDifference]) -> Vec<LeafDifference> {
    let is_video = |change: &&LeafDifference| change.about == LeafChange::Video;
    let known: HashSet<_> = known.iter().filter(is_video).map(|change| change.videos).collect();
    let is_made = |value: &ComparedValue| matches!(value, ComparedValue::One(text) if text == ANY_THUMBNAIL);
    found.retain(|change| change.about != LeafChange::Video || known.contains(&change.videos));
    for change in &mut found {
        change.a.take_if(|value| is_made(value));
        change.b.take_if(|value| is_made(value));
    }
    found.retain(|change| change.a.is_some() || change.b.is_some());
    found
}

fn projections<'u>(
    side: &'u ComparedSide<'_>,
    formats: &[&'static Format],
    options: &'u Options,
) -> ProjectionsByDocument<'u> {
    let mut all = HashMap::new();
    for (number, document) in side.documents.iter().enumerate() {
        for format in formats.iter().filter(|format| **format != format_of(document) && !format.family.is_model()) {
            let known = side.surveys.get(number).cloned().unwrap_or_default();
            if let Some(projection) = Projection::new(document, format, options, &known) {
                all.insert((number, format.id), projection);
            }
        }
    }
    all
}

/// The result of converting an entry, joined into one entry.
struct EntryOutcome {
    entry: Option<Entry<'static>>,
    /// Dates that had to be made.
    made: Vec<Field>,
    /// The videos of it that were not written.
    videos: Vec<OmittedVideo>,
    /// Values of the entry that were omitted.
    lost: FieldLosses,
}

impl EntryOutcome {
    /// What differs of it in this format.
    fn still(
        &self,
        format: &'static Format,
        changes: impl FnOnce(&MemberNode<'_>) -> Vec<LeafDifference>,
    ) -> Option<RemainingDifferences> {
        let entry = self.entry.as_ref()?;
        Some(RemainingDifferences {
            changes: changes(&MemberNode::of_entry(entry, format.family)),
            made: self.made.clone(),
        })
    }
}

/// Videos of one side that the other lacks because a conversion drops them, or as many, and why.
fn dropped_videos(
    own: SideName,
    (before, found): (&[LeafDifference], &[LeafDifference]),
    omitted: &[OmittedVideo],
) -> Vec<(String, &'static str)> {
    // a video without its URL is gone, too, whatever else is left of it
    let lone = |changes: &'_ [LeafDifference]| -> Vec<(String, bool)> {
        let alone = changes.iter().filter(|change| own.other().value(change).is_none());
        let told = alone.filter_map(|change| match (change.about, change.field, own.value(change)?) {
            (LeafChange::Video, _, ComparedValue::One(key)) => Some((key.clone(), true)),
            (LeafChange::Value, Field::VideoFileUrl | Field::VideoPlayerUrl, ComparedValue::One(address)) => {
                Some((url::key(address).into_owned(), false))
            }
            _ => None,
        });
        told.collect()
    };
    let mut told: HashMap<(String, bool), usize> = HashMap::new();
    lone(found).into_iter().for_each(|key| *told.entry(key).or_default() += 1);
    let mut missing = lone(before);
    missing.retain(|key| match told.get_mut(key).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            false
        }
        None => true,
    });
    let mut by_key: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, video) in omitted.iter().enumerate().rev() {
        video.key.iter().for_each(|key| by_key.entry(key).or_default().push(at));
    }
    let mut left: BTreeSet<usize> = (0..omitted.len()).collect();
    let mut dropped = Vec::new();
    missing.retain(|(key, _)| {
        let Some(at) = by_key.get_mut(key.as_str()).and_then(Vec::pop) else { return true };
        left.remove(&at);
        dropped.push((key.clone(), omitted[at].why));
        false
    });
    // two formats may give a video different keys
    let others = missing.into_iter().filter(|(_, is_whole)| *is_whole);
    dropped.extend(others.zip(left).map(|((key, _), at)| (key, omitted[at].why)));
    dropped
}

/// Fields whose differences need no report because a conversion omits their values.
fn removed_fields(raw: &[LeafDifference], found: &[LeafDifference], lost: &FieldLosses) -> Vec<(Field, &'static str)> {
    let is_explained = |field: Field| {
        raw.iter().any(|change| change.field == field) && !found.iter().any(|change| change.field == field)
    };
    lost.all().filter(|(field, _)| is_explained(*field)).collect()
}

/// Removes differences of dates that an earlier conversion generated: they show when it ran. Returns why, if there were some.
fn without_generated(
    found: &mut Vec<LeafDifference>,
    field: Field,
    [a, b]: [&Option<Leaf<Date>>; 2],
) -> Option<(Field, &'static str)> {
    let is_generated = |date: &Option<Leaf<Date>>| date.as_ref().is_some_and(Leaf::is_generated);
    let before = found.len();
    for change in found.iter_mut().filter(|change| change.field == field) {
        change.a.take_if(|_| is_generated(a));
        change.b.take_if(|_| is_generated(b));
    }
    found.retain(|change| change.field != field || change.a.is_some() || change.b.is_some());
    (found.len() < before).then_some((field, Reason::EarlierConversion.text()))
}

/// What differs between an entry that was written in the other format and back, and one that was written in this one;
/// nothing, if there is no way back. What was dropped on the way differs in nothing.
fn returned(
    (there, written): (&Projection<'_>, &EntryOutcome),
    other: &EntryOutcome,
    changes: impl FnOnce(&MemberNode<'_>, &MemberNode<'_>) -> Vec<LeafDifference>,
) -> Option<Vec<LeafDifference>> {
    let back = there.back()?;
    let (Some(written), Some(other)) = (&written.entry, &other.entry) else { return Some(Vec::new()) };
    let returned = project_entry(back, &PlacedEntry { entry: written.clone(), parts: Vec::new(), document: 0 });
    let Some(returned) = &returned.entry else { return Some(Vec::new()) };
    let family = back.target.family;
    Some(changes(&MemberNode::of_entry(returned, family), &MemberNode::of_entry(other, family)))
}

/// Converts an entry, joining the results if the target format lists pages.
fn project_entry(projection: &Projection<'_>, read: &PlacedEntry) -> EntryOutcome {
    let target = projection.target;
    let groups = projection.groups();
    let entries = if groups || read.parts.is_empty() { std::slice::from_ref(&read.entry) } else { &read.parts };
    let (mut written, mut dates, mut whys, mut left) = (Vec::new(), Vec::new(), Vec::new(), FieldLosses::default());
    for entry in entries {
        let ProjectionOutcome { entries, made, videos, lost, dropped: _ } = projection.entry(entry.clone());
        left.add(&lost);
        written.extend(entries);
        dates.extend(made);
        whys.extend(videos);
    }
    EntryOutcome { entry: joined(written, target.family.revisions), made: dates, videos: whys, lost: left }
}

fn joined(entries: Vec<Entry<'static>>, revisions: bool) -> Option<Entry<'static>> {
    let mut entries = entries.into_iter();
    let mut first = entries.next()?;
    let others: Vec<Entry<'static>> = entries.collect();
    if !others.is_empty() {
        pages::join(&mut first, others, revisions);
    }
    Some(first)
}
