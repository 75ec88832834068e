//! Which differences between two formats are none, because a conversion from one to the other explains them, and which are
//! real though the two sides say them under different names. What a conversion makes is project.rs; no value is compared here.

use std::collections::{HashMap, HashSet};

use super::compare::{LeafChange, LeafDifference};
use super::project::{richness, table};
use super::result::ComparedValue;
use crate::fate::Fate;
use crate::format::Format;
use crate::model::{Field, ModelPart};

/// Whether a format cannot hold a field that a document of another format has. Formats of one family carry each other's
/// modules.
pub(super) fn not_held(field: Field, format: &'static Format, of: &'static Format) -> bool {
    let related = format.family == of.family && field.group() != ModelPart::Video;
    !related && matches!(table(format)(field), Fate::Lost(..))
}

/// Whether the format of the side without a value has no place for it.
pub(super) fn is_beyond_format(change: &LeafDifference, (a, b): (&'static Format, &'static Format)) -> bool {
    match change.about {
        LeafChange::Value => match (&change.a, &change.b) {
            (Some(_), None) => not_held(change.field, b, a),
            (None, Some(_)) => not_held(change.field, a, b),
            _ => false,
        },
        LeafChange::Video => {
            let (lacking, of) = if change.a.is_none() { (a, b) } else { (b, a) };
            let is_missing = |field| not_held(field, lacking, of);
            // with a video, a document would be of another format of its family
            lacking.family != of.family && is_missing(Field::VideoFileUrl) && is_missing(Field::VideoPlayerUrl)
        }
        LeafChange::Kind | LeafChange::Order => false,
    }
}

/// What differs in the format of one side, once the other one was written in it.
pub(super) struct RemainingDifferences {
    pub changes: Vec<LeafDifference>,
    /// Dates that had to be made for it.
    pub made: Vec<Field>,
}

/// The two sides in each other's format.
pub(super) struct Views {
    pub formats: (&'static Format, &'static Format),
    /// A unchanged, and B in the format of A; `None` if that format cannot be written.
    pub in_a: Option<RemainingDifferences>,
    /// A in the format of B, and B unchanged.
    pub in_b: Option<RemainingDifferences>,
}

/// One of two sides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SideName {
    A,
    B,
}

impl SideName {
    /// The value of this side.
    pub fn value(self, change: &LeafDifference) -> Option<&ComparedValue> {
        if self == SideName::A { change.a.as_ref() } else { change.b.as_ref() }
    }
    fn video(self, change: &LeafDifference) -> Option<usize> {
        if self == SideName::A { change.videos.0 } else { change.videos.1 }
    }
    /// The other one.
    pub fn other(self) -> SideName {
        if self == SideName::A { SideName::B } else { SideName::A }
    }
}

impl Views {
    /// The side in whose format differences are reported: the less expressive one, because the other can express
    /// everything it holds.
    pub fn shown_side(&self) -> SideName {
        let rank = |format: &'static Format| (richness(format), format.id);
        let a_first = rank(self.formats.0) <= rank(self.formats.1);
        match (a_first, &self.in_a, &self.in_b) {
            (true, Some(_), _) | (false, Some(_), None) => SideName::A,
            (true, None, _) | (false, _, _) => SideName::B,
        }
    }

    /// The differences to report: first those found under one field name, in whatever format they are written; then
    /// those under two names, as seen in the format of one side. `returned` gives the differences after a side was
    /// converted to the other format and back: a difference missing there cannot be expressed in one of the two.
    pub fn unexplained(
        &self,
        mut found: Vec<LeafDifference>,
        returned: impl FnOnce(SideName) -> Option<Vec<LeafDifference>>,
    ) -> Vec<LeafDifference> {
        let raw = found.clone();
        found.retain(|change| !is_beyond_format(change, self.formats));
        for (view, own) in [(&self.in_b, SideName::B), (&self.in_a, SideName::A)] {
            if let Some(view) = view {
                keep(&mut found, view, own);
            }
        }
        let own = self.shown_side();
        let (view, other) = match own {
            SideName::A => (&self.in_a, &self.in_b),
            SideName::B => (&self.in_b, &self.in_a),
        };
        let Some(view) = view else { return found };
        if other.as_ref().is_some_and(|other| other.changes.is_empty()) {
            return found;
        }
        let mut more = unreported_leaves(view, (&raw, &found), own);
        let views = [&self.in_a, &self.in_b].into_iter().flatten();
        let made: HashSet<Field> = views.flat_map(|view| view.made.iter().copied()).collect();
        more.retain(|change| change.about == LeafChange::Video || !made.contains(&change.field));
        if more.is_empty() {
            return found;
        }
        match returned(own) {
            // the other side went through the same conversions in both
            Some(returned) => {
                let (same, rest) = common(more, &returned, own.other());
                let told: HashSet<Field> = found.iter().chain(&same).map(|change| change.field).collect();
                let others = other.iter().flat_map(|other| &other.changes);
                let everywhere = |field: Field| {
                    others.clone().any(|change| change.field == field)
                        && returned.iter().any(|change| change.field == field)
                };
                found.extend(same);
                // what is read otherwise wherever it is written differs in no one leaf, and differs
                let is_open =
                    |change: &LeafDifference| change.about != LeafChange::Video && !told.contains(&change.field);
                found.extend(rest.into_iter().filter(|change| is_open(change) && everywhere(change.field)));
            }
            None => {
                more.retain(|change| !is_beyond_format(change, self.formats));
                found.extend(more);
            }
        }
        found
    }
}

/// Keeps the differences that remain after one side was written in the format of the other. A generated date shows only
/// when that was done, and a video that was not written has no values to compare.
fn keep(found: &mut Vec<LeafDifference>, view: &RemainingDifferences, own: SideName) {
    let gone: HashSet<usize> = only_on_side(&view.changes, own).collect();
    let still: HashSet<SideLeaf<'_>> = view.changes.iter().map(|change| leaf(change, own)).collect();
    let lacks = |changes: &[LeafDifference]| -> HashSet<(Field, LeafChange, Option<usize>)> {
        let is_lacking = |change: &&LeafDifference| own.value(change).is_none();
        changes.iter().filter(is_lacking).map(|change| (change.field, change.about, own.video(change))).collect()
    };
    // one value of the other side that is several here, more than this side has
    let (more, before) = (lacks(&view.changes), lacks(found));
    let is_split = |change: &LeafDifference| {
        let place = (change.field, change.about, own.video(change));
        more.contains(&place) && !before.contains(&place)
    };
    found.retain(|change| {
        let is_made = own.other().value(change).is_none() && view.made.contains(&change.field);
        let is_gone = || own.video(change).is_some_and(|video| gone.contains(&video));
        change.about != LeafChange::Video && is_gone()
            || !is_made && (still.contains(&leaf(change, own)) || is_split(change))
    });
}

/// Videos that only the side itself has.
fn only_on_side(changes: &[LeafDifference], own: SideName) -> impl Iterator<Item = usize> {
    let is_alone =
        move |change: &&LeafDifference| change.about == LeafChange::Video && own.other().value(change).is_none();
    changes.iter().filter(is_alone).filter_map(move |change| own.video(change))
}

/// The differences of a view that are not reported yet.
fn unreported_leaves(
    view: &RemainingDifferences,
    (raw, told): (&[LeafDifference], &[LeafDifference]),
    own: SideName,
) -> Vec<LeafDifference> {
    let mut open: Vec<LeafDifference> = view.changes.clone();
    // videos that match before a conversion are reported without it
    let lone: HashSet<usize> = only_on_side(raw, own).collect();
    let apart: HashSet<usize> = only_on_side(&view.changes, own).filter(|video| !lone.contains(video)).collect();
    let mut written = apart.len();
    open.retain(|change| match (change.about, own.video(change)) {
        (LeafChange::Video, Some(video)) => !apart.contains(&video),
        (LeafChange::Video, None) if written > 0 => {
            written -= 1;
            false
        }
        _ => true,
    });
    let told = matched(&open, told, own);
    zipped(open, told).1
}

/// Those of the changes that occur among the others as well, and those that do not.
fn common(
    changes: Vec<LeafDifference>,
    others: &[LeafDifference],
    own: SideName,
) -> (Vec<LeafDifference>, Vec<LeafDifference>) {
    let matched = matched(&changes, others, own);
    zipped(changes, matched)
}

fn zipped(changes: Vec<LeafDifference>, are: Vec<bool>) -> (Vec<LeafDifference>, Vec<LeafDifference>) {
    let (so, not): (Vec<_>, Vec<_>) = changes.into_iter().zip(are).partition(|(_, is)| *is);
    let changes = |all: Vec<(LeafDifference, bool)>| all.into_iter().map(|(change, _)| change).collect();
    (changes(so), changes(not))
}

/// A leaf of one side, with its value there.
type SideLeaf<'c> = (Field, LeafChange, Option<usize>, Option<&'c ComparedValue>);

fn leaf(change: &LeafDifference, own: SideName) -> SideLeaf<'_> {
    (change.field, change.about, own.video(change), own.value(change))
}

/// Marks the changes that have a counterpart among the others, about the same leaf of a side; each counterpart is used
/// once. Those whose other side is equal too are matched first.
fn matched(changes: &[LeafDifference], others: &[LeafDifference], own: SideName) -> Vec<bool> {
    let mut are = vec![false; changes.len()];
    let mut taken = vec![false; others.len()];
    for exactly in [true, false] {
        let key = |change: &'_ LeafDifference| -> (Field, LeafChange, Option<usize>, Option<ComparedValue>, Option<ComparedValue>) {
            let (field, about, video, value) = leaf(change, own);
            (field, about, video, value.cloned(), own.other().value(change).filter(|_| exactly).cloned())
        };
        let mut waiting: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, change) in others.iter().enumerate().filter(|(at, _)| !taken[*at]) {
            waiting.entry(key(change)).or_default().push(at);
        }
        for (change, is) in changes.iter().zip(&mut are).filter(|(_, is)| !**is) {
            if let Some(at) = waiting.get_mut(&key(change)).and_then(Vec::pop) {
                taken[at] = true;
                *is = true;
            }
        }
    }
    are
}
