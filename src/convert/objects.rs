//! What a run read and wrote, counted as entries, pages and videos; the ones it dropped, and the options that would keep
//! them. Values are in the ledger.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::replace;
use std::ops::AddAssign;

use crate::options::{Options, Profile, TitleSource};
use crate::reason::Reason;

/// Entries, pages and videos of a run.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Objects {
    /// Entries read.
    pub entries: u64,
    /// Entries dropped.
    pub dropped: u64,
    /// Entries that were not asked for (`--where` and others).
    pub unselected: u64,
    /// Entries that became part of an earlier one, which has the same page.
    pub joined: u64,
    /// Entries written, as the target counts them: a page may become several.
    pub entries_written: u64,
    /// Pages written.
    pub pages_written: u64,
    /// Videos read that were asked for; a video of joined entries counts once.
    pub videos: u64,
    /// Videos that were not asked for, those of such entries among them.
    pub videos_unselected: u64,
    /// Videos written, whole or in part.
    pub videos_written: u64,
}

impl Objects {
    /// Pages read: an entry each, without those that were joined with an earlier one or not asked for.
    pub fn pages(&self) -> u64 {
        self.entries.saturating_sub(self.joined + self.unselected)
    }

    /// Videos dropped, those of dropped entries among them.
    pub fn videos_dropped(&self) -> u64 {
        self.videos.saturating_sub(self.videos_written)
    }
}

impl AddAssign for Objects {
    fn add_assign(&mut self, other: Objects) {
        let Objects {
            entries,
            dropped,
            unselected,
            joined,
            entries_written,
            pages_written,
            videos,
            videos_unselected,
            videos_written,
        } = other;
        self.entries += entries;
        self.dropped += dropped;
        self.unselected += unselected;
        self.joined += joined;
        self.entries_written += entries_written;
        self.pages_written += pages_written;
        self.videos += videos;
        self.videos_unselected += videos_unselected;
        self.videos_written += videos_written;
    }
}

/// The kind of the dropped object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DroppedKind {
    /// An entry with all its videos.
    Entry,
    /// A video of an entry that was written.
    Video,
}

/// An object that was dropped.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DroppedObject {
    /// `entry` or `video`.
    pub kind: DroppedKind,
    /// The input, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// 0-based number of the entry in its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<u64>,
    /// 1-based line where it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Its title, or that of its entry; at most 200 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// URL of the page; at most 200 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The reason: its code and its text.
    #[serde(flatten, serialize_with = "code_and_text")]
    #[cfg_attr(test, schemars(with = "CodeAndText"))]
    pub reason: Reason,
    /// Options each of which would keep it, which were tried; where none does, what to do in the source.
    #[serde(rename = "fix", skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<&'static str>,
    /// Videos dropped with it.
    #[serde(skip)]
    pub videos: u64,
}

/// A reason in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CodeAndText {
    /// Code of the reason.
    code: &'static str,
    /// The reason.
    reason: &'static str,
}

fn code_and_text<S: serde::Serializer>(reason: &Reason, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&CodeAndText { code: reason.code().name(), reason: reason.text() }, serializer)
}

/// Objects of a kind that were dropped for one reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DropGroup {
    /// What they are.
    pub kind: DroppedKind,
    /// The reason.
    pub reason: Reason,
    /// How many.
    pub count: u64,
    /// Videos dropped: the objects themselves, or those of the entries.
    pub videos: u64,
    /// Input and line of the first ones.
    pub places: Vec<(Option<String>, u32)>,
    /// How many each input has: objects, and videos dropped. Empty where there is only one input.
    pub inputs: BTreeMap<String, (u64, u64)>,
    /// How many are in the list of dropped objects: [`DropGroup::fixes`] are those of these.
    pub listed: u64,
    /// Options that would keep some of them, and how many.
    pub fixes: Vec<(&'static str, u64)>,
}

impl DropGroup {
    fn count_input(&mut self, input: &str, (objects, videos): (u64, u64)) {
        match self.inputs.get_mut(input) {
            Some((all, of_them)) => (*all, *of_them) = (*all + objects, *of_them + videos),
            None => _ = self.inputs.insert(input.to_owned(), (objects, videos)),
        }
    }

    fn fixed(&mut self, fix: &'static str, more: u64) {
        match self.fixes.iter_mut().find(|(known, _)| *known == fix) {
            Some((_, count)) => *count += more,
            None => self.fixes.push((fix, more)),
        }
    }
}

/// The objects that a run dropped.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Drops {
    groups: Vec<DropGroup>,
    list: Vec<DroppedObject>,
}

/// The list of dropped objects ends here; all of them are counted.
const LISTED: usize = 10_000;

/// A group names the places of so many.
const PLACES: usize = 5;

impl Drops {
    /// By kind and reason, in the order of the first of each.
    pub fn groups(&self) -> &[DropGroup] {
        &self.groups
    }

    /// The first 10,000 of them, in the order of the source.
    pub fn list(&self) -> &[DroppedObject] {
        &self.list
    }

    /// Whether the list has its 10,000 objects: options are not tried on further ones.
    pub(super) fn is_full(&self) -> bool {
        self.groups.iter().map(|group| group.listed).sum::<u64>() >= LISTED as u64
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.groups.iter().map(|group| group.count).sum()
    }

    /// How many inputs they are in; 0 where there is only one input.
    pub fn inputs(&self) -> u64 {
        self.groups.iter().flat_map(|group| group.inputs.keys()).collect::<BTreeSet<_>>().len() as u64
    }

    pub(super) fn add(&mut self, dropped: DroppedObject) {
        let DroppedObject { kind, reason, videos, .. } = dropped;
        let group = self.group(kind, reason);
        group.count += 1;
        group.videos += videos;
        dropped.input.iter().for_each(|input| group.count_input(input, (1, videos)));
        if let Some(line) = dropped.line.filter(|_| group.places.len() < PLACES) {
            group.places.push((dropped.input.clone(), line));
        }
        self.enlist(dropped);
    }

    /// Adds those of the next part of the source.
    pub(super) fn absorb(&mut self, other: Drops) {
        self.count_all(&other.groups);
        other.list.into_iter().for_each(|dropped| self.enlist(dropped));
    }

    /// Adds those of the next part of the source, without their list.
    pub(super) fn absorb_counts(&mut self, other: &Drops) {
        let is_full = self.is_full();
        self.count_all(&other.groups);
        for theirs in other.groups.iter().filter(|_| !is_full) {
            let group = self.group(theirs.kind, theirs.reason);
            group.listed += theirs.listed;
            theirs.fixes.iter().for_each(|(fix, count)| group.fixed(fix, *count));
        }
    }

    fn count_all(&mut self, groups: &[DropGroup]) {
        for theirs in groups {
            let group = self.group(theirs.kind, theirs.reason);
            group.count += theirs.count;
            group.videos += theirs.videos;
            theirs.inputs.iter().for_each(|(input, counts)| group.count_input(input, *counts));
            let room = PLACES.saturating_sub(group.places.len());
            group.places.extend(theirs.places.iter().take(room).cloned());
        }
    }

    fn group(&mut self, kind: DroppedKind, reason: Reason) -> &mut DropGroup {
        let known = |group: &DropGroup| group.kind == kind && group.reason == reason;
        let at = self.groups.iter().position(known).unwrap_or_else(|| {
            let (places, inputs, fixes) = (Vec::new(), BTreeMap::new(), Vec::new());
            self.groups.push(DropGroup { kind, reason, count: 0, videos: 0, places, inputs, listed: 0, fixes });
            self.groups.len() - 1
        });
        &mut self.groups[at]
    }

    fn enlist(&mut self, dropped: DroppedObject) {
        if self.list.len() >= LISTED {
            return;
        }
        let group = self.group(dropped.kind, dropped.reason);
        group.listed += 1;
        dropped.fixes.iter().for_each(|fix| group.fixed(fix, 1));
        self.list.push(dropped);
    }
}

/// Used as any URL while an option is tried.
const ANY_URL: &str = "https://example.com/any.jpg";

/// An option as it is typed, and how it is set; false if it is set already.
type Fix = (&'static str, fn(&mut Options) -> bool);

/// Options that may keep a dropped object, in the order in which a user would try them: what loses least comes first.
const FIXES: &[Fix] = &[
    ("--base URL", |options| options.base.replace(ANY_URL.to_owned()).is_none()),
    ("--thumbnail-from-html", |options| !replace(&mut options.thumbnail_from_html, true)),
    ("--thumbnail-from-feed", |options| !replace(&mut options.thumbnail_from_feed, true)),
    ("--default-thumbnail URL", |options| options.default_thumbnail.replace(ANY_URL.to_owned()).is_none()),
    ("--title-from slug", |options| options.title_from.replace(TitleSource::Slug).is_none()),
    ("--keep-inactive", |options| !replace(&mut options.keep_inactive, true)),
    ("omit --no-synth", |options| replace(&mut options.no_synth, false)),
    ("--for none", |options| replace(&mut options.profile, Profile::None) != Profile::None),
];

/// Whether a remedy begins with an option that is tried on dropped objects.
pub(super) fn is_tried(remedy: &str) -> bool {
    let name = |text: &'_ str| text.split([' ', ';', ',']).next().unwrap_or_default().to_owned();
    FIXES.iter().any(|(option, _)| option.starts_with("--") && name(option) == name(remedy))
}

/// The options of a run with one more, for each that may keep what the run drops.
pub(super) fn attempts(options: &Options) -> Vec<(&'static str, Options)> {
    let with = |(option, set): &Fix| {
        let mut options = options.clone();
        set(&mut options).then_some((*option, options))
    };
    FIXES.iter().filter_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dropped(line: u32, reason: Reason, fixes: &[&'static str]) -> DroppedObject {
        let (kind, fixes) = (DroppedKind::Video, fixes.to_vec());
        DroppedObject {
            kind,
            input: None,
            entry: None,
            line: Some(line),
            title: None,
            url: None,
            reason,
            fixes,
            videos: 1,
        }
    }

    fn part(lines: std::ops::Range<u32>) -> Drops {
        let mut drops = Drops::default();
        lines.for_each(|line| drops.add(dropped(line, Reason::NoThumbnail, &["--for none"])));
        drops
    }

    #[test]
    fn all_are_counted_and_the_first_are_listed() {
        let mut drops = part(0..6_000);
        drops.absorb(part(6_000..12_000));
        drops.add(dropped(12_000, Reason::NoTitle, &[]));
        assert_eq!((drops.count(), drops.list().len()), (12_001, LISTED));
        let [first, second] = drops.groups() else { panic!("two reasons") };
        assert_eq!((first.count, first.listed, &first.fixes[..]), (12_000, 10_000, &[("--for none", 10_000)][..]));
        assert_eq!(first.places.iter().map(|(_, line)| *line).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!((second.count, second.listed), (1, 0));
    }

    #[test]
    fn inputs_are_counted_beyond_the_list() {
        let of = |input: &str, count: u32| {
            let mut drops = Drops::default();
            let object =
                |line| DroppedObject { input: Some(input.to_owned()), ..dropped(line, Reason::NoThumbnail, &[]) };
            (0..count).for_each(|line| drops.add(object(line)));
            drops
        };
        let mut drops = of("a", 10_000);
        drops.absorb(of("b", 1));
        drops.absorb_counts(&of("c", 2));
        drops.absorb(of("a", 1));
        drops.add(dropped(7, Reason::NoTitle, &[]));
        assert_eq!((drops.count(), drops.list().len(), drops.inputs()), (10_005, LISTED, 3));
        let counts: Vec<u64> = drops.groups()[0].inputs.values().map(|(objects, _)| *objects).collect();
        assert_eq!(counts, [10_001, 1, 2]);
    }

    #[test]
    fn an_option_is_tried_once() {
        let mut options = Options { no_synth: true, ..Options::default() };
        assert_eq!(attempts(&options).len(), FIXES.len());
        for (_, set) in FIXES {
            assert!(set(&mut options));
        }
        assert!(attempts(&options).is_empty());
    }

    /// A fix that cannot be typed would be a lie.
    #[test]
    #[cfg(feature = "cli")]
    fn fixes_are_options_of_convert() {
        use clap::CommandFactory;

        let mut program = crate::cli::Cli::command();
        program.build();
        let convert = program.find_subcommand("convert").expect("a command");
        let named = FIXES.iter().map(|(option, _)| *option).chain(Reason::ALL.iter().map(|reason| reason.remedy()));
        for word in named.flat_map(|text| text.split([' ', ',', ';', '(', ')'])) {
            let Some(name) = word.strip_prefix("--") else { continue };
            assert!(convert.get_arguments().any(|option| option.get_long() == Some(name)), "{word}");
        }
    }

    #[test]
    fn without_a_list_the_counts_are_the_same() {
        let (mut counted, mut listed) = (Drops::default(), Drops::default());
        for lines in [0..3, 3..4, 4..9] {
            counted.absorb_counts(&part(lines.clone()));
            listed.absorb(part(lines));
        }
        assert_eq!(counted.groups(), listed.groups());
        assert!(counted.list().is_empty());
    }
}
