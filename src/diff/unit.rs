//! Two entries that belong together, read from where they wait and compared: directly, and, between two formats, as a
//! conversion would write the one in the other. Which belong together is told elsewhere.

use std::collections::HashMap;

use super::Comparison;
use super::align::{Pages, Pair};
use super::compare::{About, Change, VIDEO, changes};
use super::hash::{Hash, Hasher};
use super::passes::temporary;
use super::pick::keys;
use super::project::{Projected, Projection, format_of, read_text, table};
use super::result::{Changed, FieldChange, Lone, Moved, Told};
use super::side::Side;
use super::texts::{Label, Texts, raw};
use super::tree::Node;
use crate::convert::Document;
use crate::error::Error;
use crate::fate::Fate;
use crate::format::{Family, Format};
use crate::model::{Entry, Field};
use crate::pages;

/// What a pair has to tell.
#[derive(Default)]
pub(super) struct Differs {
    /// It stands elsewhere.
    pub moved: Vec<Moved>,
    /// Something of it changed.
    pub changed: Option<Changed>,
    /// Fields whose difference a conversion explains, because one format has no place for them.
    pub explained: Vec<(&'static str, &'static str)>,
    /// How many entries of A it stands for.
    pub entries: u64,
}

/// Whether a format cannot hold a field that a document of another one says. Relatives carry each other's modules.
pub(super) fn not_held(field: Field, format: &'static Format, of: &'static Format) -> bool {
    let related = format.family == of.family && field < Field::VideoId;
    !related && matches!(table(format)(field), Fate::Lost(..))
}

/// What is needed to compare.
pub(super) struct Unit<'u, 'i> {
    a: (&'u Side<'i>, &'u Texts),
    b: (&'u Side<'i>, &'u Texts),
    comparison: &'u Comparison,
    hasher: &'u Hasher,
    same_format: bool,
    /// From each document of A to the formats of B, and the other way round.
    to_b: HashMap<(usize, &'static str), Projection<'u>>,
    to_a: HashMap<(usize, &'static str), Projection<'u>>,
}

/// An entry with where it stands.
struct Read {
    entry: Entry<'static>,
    /// Where several are one: each as it stands.
    parts: Vec<Entry<'static>>,
    document: usize,
}

/// The file that an entry stands in, where its side is called otherwise.
fn file(side: &Side<'_>, label: &Label) -> Option<String> {
    let document = side.documents.get(label.document as usize)?;
    (document.info.name != side.name).then(|| document.info.name.clone())
}

impl<'u, 'i> Unit<'u, 'i> {
    /// Prepares it.
    pub fn new(
        a: (&'u Side<'i>, &'u Texts),
        b: (&'u Side<'i>, &'u Texts),
        same_format: bool,
        comparison: &'u Comparison,
        hasher: &'u Hasher,
    ) -> Unit<'u, 'i> {
        let (mut to_b, mut to_a) = (HashMap::new(), HashMap::new());
        if !same_format {
            to_b = projections(a.0, &b.0.formats(), comparison);
            to_a = projections(b.0, &a.0.formats(), comparison);
        }
        Unit { a, b, comparison, hasher, same_format, to_b, to_a }
    }

    /// How many entries wait.
    pub fn len(&self, of_b: bool) -> usize {
        if of_b { self.b.1.len() } else { self.a.1.len() }
    }

    /// An entry that only one side has; or why the other one cannot have it.
    ///
    /// # Errors
    /// A temporary file.
    pub fn lone(&self, index: u64, of_b: bool) -> Result<Result<Lone, &'static str>, Error> {
        let ((side, texts), projections, other) = match of_b {
            true => (self.b, &self.to_a, self.a.0),
            false => (self.a, &self.to_b, self.b.0),
        };
        let (label, context, text) = texts.get(index).map_err(temporary)?;
        let document = side.documents.get(label.document as usize);
        if let (false, false, Some(document)) = (self.same_format, label.unread, document)
            && let [format] = other.formats().as_slice()
            && let Some(projection) = projections.get(&(label.document as usize, format.id))
            && let Ok(entry) = read_text(document, &raw(&label, &context, &text), &self.comparison.options)
            && let Some(why) = projection.entry(entry).dropped
        {
            return Ok(Err(why));
        }
        let file = file(side, &label);
        Ok(Ok(Lone { key: label.key, entry: label.number, line: label.line, file }))
    }

    /// What an entry is known by, as a conversion writes it in the format of the other side; with `own`, as it stands. All
    /// it says, page, id, title and date; nothing for sides of several formats.
    ///
    /// # Errors
    /// A temporary file.
    pub fn keys(&self, index: u64, of_b: bool, own: bool) -> Result<[Option<Hash>; 4], Error> {
        let ((side, texts), projections, other) = match of_b {
            true => (self.b, &self.to_a, self.a.0),
            false => (self.a, &self.to_b, self.b.0),
        };
        let (label, context, text) = texts.get(index).map_err(temporary)?;
        let document = side.documents.get(label.document as usize).filter(|_| !label.unread);
        let Some(document) = document else { return Ok([None; 4]) };
        let read = read_text(document, &raw(&label, &context, &text), &self.comparison.options);
        let Ok(entry) = read else { return Ok([None; 4]) };
        let known = |entry: &Entry<'_>, family: Family| {
            let mut keys = keys(entry, family, self.hasher);
            // what is known by nothing is known by all it says
            keys[0] = Some(self.hasher.entry(entry, family));
            keys
        };
        if own {
            return Ok(known(&entry, format_of(document).family));
        }
        let [format] = *other.formats().as_slice() else { return Ok([None; 4]) };
        let projection = projections.get(&(label.document as usize, format.id));
        let Some(projection) = projection else { return Ok([None; 4]) };
        let written = joined(projection.entry(entry).entries, format.family == Family::Atom);
        Ok(written.map_or([None; 4], |entry| known(&entry, format.family)))
    }

    /// What changed in the heads, where each side is one document.
    pub fn head(&self) -> Vec<FieldChange> {
        let ([a], [b]) = (self.a.0.documents.as_slice(), self.b.0.documents.as_slice()) else { return Vec::new() };
        let (of_a, of_b) = (Node::of_feed(&a.feed, format_of(a).family), Node::of_feed(&b.feed, format_of(b).family));
        let mut found = changes(&of_a, &of_b, self.hasher);
        if !self.same_format {
            found.retain(|change| !beyond(change, (format_of(a), format_of(b))));
            if let Some(projection) = self.to_b.get(&(0, format_of(b).id)).filter(|_| !found.is_empty()) {
                let projected = Node::of_feed(&projection.feed, format_of(b).family);
                keep_unexplained(&mut found, &changes(&projected, &of_b, self.hasher), &projection.made, true);
            }
            if let Some(projection) = self.to_a.get(&(0, format_of(a).id)).filter(|_| !found.is_empty()) {
                let projected = Node::of_feed(&projection.feed, format_of(a).family);
                keep_unexplained(&mut found, &changes(&of_a, &projected, self.hasher), &projection.made, false);
            }
        }
        self.fields(found)
    }

    fn fields(&self, found: Vec<Change>) -> Vec<FieldChange> {
        let shown = |change: Change| {
            let field = change.name().into_owned();
            FieldChange { field, path: change.path, a: change.a, b: change.b }
        };
        found.into_iter().map(shown).filter(|change| self.comparison.wants(&change.field)).collect()
    }

    /// Compares a pair, or several entries of a page that are one.
    ///
    /// # Errors
    /// A temporary file.
    pub fn compare(&self, pair: Pair, pages: Option<&Pages>, displaced: bool) -> Result<Differs, Error> {
        let single = (vec![pair.a], vec![pair.b]);
        let (of_a, of_b) = pages.unwrap_or(&single);
        let (label_a, a) = self.read(self.a, of_a)?;
        let (label_b, b) = self.read(self.b, of_b)?;
        let mut differs = Differs { entries: of_a.len() as u64, ..Differs::default() };
        let (Some(a), Some(b)) = (a, b) else { return Ok(differs) };
        let found = self.changes(&a, &b, &mut differs.explained);
        let ids = (a.entry.id.as_ref(), b.entry.id.as_ref());
        let same_id = matches!(ids, (Some(a), Some(b)) if a.value.trim() == b.value.trim());
        let is_move =
            |change: &Change| same_id && change.field == Field::Loc && change.a.is_some() && change.b.is_some();
        let (moves, found): (Vec<Change>, Vec<Change>) = found.into_iter().partition(is_move);
        let moved = |field, a, b| {
            let key = label_a.key.clone();
            let (a_file, b_file) = (file(self.a.0, &label_a), file(self.b.0, &label_b));
            Moved { key, field, a, b, a_line: label_a.line, b_line: label_b.line, a_file, b_file }
        };
        for change in moves.into_iter().filter(|_| self.comparison.wants(Field::Loc.name())) {
            if let (Some(Told::One(a)), Some(Told::One(b))) = (change.a, change.b) {
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
            differs.changed = Some(Changed { key: label_a.key, a_line, b_line, a_file, b_file, fields });
        }
        Ok(differs)
    }

    /// Reads entries; those of one page become one.
    fn read(&self, (side, texts): (&Side<'_>, &Texts), indices: &[u64]) -> Result<(Label, Option<Read>), Error> {
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
        let label = first.unwrap_or_default();
        let document = label.document as usize;
        let revisions = side.documents.get(document).is_some_and(|document| format_of(document).family == Family::Atom);
        let parts = if entries.len() > 1 { entries.clone() } else { Vec::new() };
        let entry = joined(entries, revisions);
        Ok((label, entry.map(|entry| Read { entry, parts, document })))
    }

    /// What is to be told of two entries.
    fn changes(&self, a: &Read, b: &Read, explained: &mut Vec<(&'static str, &'static str)>) -> Vec<Change> {
        let document = |side: &'u Side<'i>, number: usize| -> Option<&'u Document<'i>> { side.documents.get(number) };
        let (Some(from), Some(to)) = (document(self.a.0, a.document), document(self.b.0, b.document)) else {
            return Vec::new();
        };
        let (of_a, of_b) =
            (Node::of_entry(&a.entry, format_of(from).family), Node::of_entry(&b.entry, format_of(to).family));
        let mut found = changes(&of_a, &of_b, self.hasher);
        let formats = (format_of(from), format_of(to));
        if formats.0 == formats.1 || found.is_empty() {
            return found;
        }
        found.retain(|change| !beyond(change, formats));
        let (before, mut dropped) = (found.clone(), None);
        if let Some(projection) = self.to_b.get(&(a.document, formats.1.id)).filter(|_| !found.is_empty())
            && let One { entry: Some(projected), made, video } = one(projection, a)
        {
            dropped = dropped.or(video);
            let projected = Node::of_entry(&projected, formats.1.family);
            keep_unexplained(&mut found, &changes(&projected, &of_b, self.hasher), &made, true);
        }
        if let Some(projection) = self.to_a.get(&(b.document, formats.0.id)).filter(|_| !found.is_empty())
            && let One { entry: Some(projected), made, video } = one(projection, b)
        {
            dropped = dropped.or(video);
            let projected = Node::of_entry(&projected, formats.0.family);
            keep_unexplained(&mut found, &changes(&of_a, &projected, self.hasher), &made, false);
        }
        let videos = |changes: &[Change]| changes.iter().filter(|change| change.about == About::Video).count();
        if let Some(why) = dropped.filter(|_| videos(&before) > videos(&found)) {
            explained.push((VIDEO, why));
        }
        for change in &before {
            let lacking = if change.a.is_none() { formats.0 } else { formats.1 };
            if let (Fate::Lost(_, why), true) = (table(lacking)(change.field), change.a.is_none() || change.b.is_none())
                && !found.iter().any(|left| left.field == change.field)
            {
                explained.push((change.field.name(), why));
            }
        }
        found
    }
}

fn projections<'u>(
    side: &'u Side<'_>,
    formats: &[&'static Format],
    comparison: &'u Comparison,
) -> HashMap<(usize, &'static str), Projection<'u>> {
    let mut all = HashMap::new();
    for (number, document) in side.documents.iter().enumerate() {
        for format in formats.iter().filter(|format| **format != format_of(document) && format.family != Family::Json) {
            let known = side.surveys.get(number).cloned().unwrap_or_default();
            if let Some(projection) = Projection::new(document, format, &comparison.options, &known) {
                all.insert((number, format.id), projection);
            }
        }
    }
    all
}

/// What became of an entry, as one entry.
struct One {
    entry: Option<Entry<'static>>,
    /// Dates that had to be made.
    made: Vec<Field>,
    /// Why a video of it was not written, if one was not.
    video: Option<&'static str>,
}

/// What becomes of an entry, as one entry. Only formats that list pages make one of several.
fn one(projection: &Projection<'_>, read: &Read) -> One {
    let target = projection.target;
    let groups = target.writer.is_some_and(|writer| writer.groups());
    let entries = if groups || read.parts.is_empty() { std::slice::from_ref(&read.entry) } else { &read.parts };
    let (mut written, mut dates, mut why) = (Vec::new(), Vec::new(), None);
    for entry in entries {
        let Projected { entries, made, video, .. } = projection.entry(entry.clone());
        written.extend(entries);
        dates.extend(made);
        why = why.or(video);
    }
    One { entry: joined(written, target.family == Family::Atom), made: dates, video: why }
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

/// Whether the side that says nothing could not say it.
fn beyond(change: &Change, (a, b): (&'static Format, &'static Format)) -> bool {
    match change.about {
        About::Value => match (&change.a, &change.b) {
            (Some(_), None) => not_held(change.field, b, a),
            (None, Some(_)) => not_held(change.field, a, b),
            _ => false,
        },
        About::Video => {
            let lacking = if change.a.is_none() { (a, b) } else { (b, a) };
            not_held(Field::VideoFileUrl, lacking.0, lacking.1) && not_held(Field::VideoPlayerUrl, lacking.0, lacking.1)
        }
        About::Kind | About::Order => false,
    }
}

/// Leaves what differs still after one side was written as the other one; `to_b` tells which. A date that had to be made
/// then says when that was done, and no more.
fn keep_unexplained(found: &mut Vec<Change>, still: &[Change], made: &[Field], to_b: bool) {
    let own = |change: &Change| if to_b { change.b.clone() } else { change.a.clone() };
    let others = |change: &Change| if to_b { change.a.is_none() } else { change.b.is_none() };
    found.retain(|change| {
        let is_made = others(change) && made.contains(&change.field);
        let same =
            |left: &&Change| left.field == change.field && left.about == change.about && own(left) == own(change);
        !is_made && still.iter().any(|left| same(&left))
    });
}
