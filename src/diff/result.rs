//! The findings of a comparison: entries that were added, removed, moved or changed, and the sums. Other modules write
//! them as JSON or show them.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::convert::Fetched;
use crate::error::Error;

/// A value, or the values of a list whose order changed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum ComparedValue {
    /// One value, whole.
    One(String),
    /// A list, in its order.
    Many(Vec<String>),
}

/// One field of an entry that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FieldChange {
    /// Its name: `video.title`; `title.kind` where only the kind of the text changed, `video` for a whole video.
    pub field: String,
    /// Its place in the entry, if in a list: `videos[0].files[1].bitrate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The value in A; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<ComparedValue>,
    /// The value in B.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<ComparedValue>,
}

/// An entry, or a video of one, that only one side has.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnpairedEntry {
    /// Its URL, else its id, else its title.
    pub key: String,
    /// The title of the entry, or of its first video, cut at 200 characters; absent where `key` is the title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its place, from 0.
    pub entry: u64,
    /// Its line, from 1.
    pub line: u32,
    /// The file of the entry, if its side has another name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The video, by its URL or title, if both sides have the entry and one of them lacks this video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video: Option<String>,
    /// Why a conversion to the format of the other side drops it, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
}

/// An entry with another URL, or, with `--order`, in another position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MovedEntry {
    /// Its key in A.
    pub key: String,
    /// The title of the entry, or of its first video, cut at 200 characters; absent where `key` is the title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// `loc`, or `order`.
    pub field: &'static str,
    /// URL or position in A.
    pub a: String,
    /// URL or position in B.
    pub b: String,
    /// Line in A.
    pub a_line: u32,
    /// Line in B.
    pub b_line: u32,
    /// The file of the entry in A, if that side has another name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a_file: Option<String>,
    /// The file of the entry in B.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b_file: Option<String>,
}

/// An entry of which something changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChangedEntry {
    /// Its key in A; `feed` for the head.
    pub key: String,
    /// The title of the entry, or of its first video, cut at 200 characters; absent where `key` is the title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Line in A.
    pub a_line: u32,
    /// Line in B.
    pub b_line: u32,
    /// The file of the entry in A, if that side has another name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a_file: Option<String>,
    /// The file of the entry in B.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b_file: Option<String>,
    /// The field or object that changed.
    pub fields: Vec<FieldChange>,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Difference {
    /// Only B has it.
    Added(UnpairedEntry),
    /// Only A has it.
    Removed(UnpairedEntry),
    /// It moved.
    Moved(MovedEntry),
    /// Something of it changed.
    Changed(ChangedEntry),
}

/// A field that one of the formats cannot hold, or of which a conversion leaves values out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NotComparable {
    /// The field; `entry` where whole entries are concerned.
    pub field: &'static str,
    /// Why.
    pub why: String,
}

/// A field that changed in nearly all of the entries that were compared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FoldedField {
    /// The field.
    pub field: String,
    /// In how many entries it changed.
    pub entries: u64,
    /// How many entries were compared.
    pub of: u64,
    /// The value in A in the first of them, cut; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
    /// The value in B there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
}

/// In how many entries a field changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FieldSpread {
    /// How many.
    pub entries: u64,
    /// The value in A in the first of them, cut.
    pub a: Option<String>,
    /// The value in B there.
    pub b: Option<String>,
}

/// One of the two sides.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SideInfo {
    /// Its name.
    pub name: String,
    /// Its format, or its formats.
    pub format: String,
    /// How many entries it has.
    pub entries: u64,
    /// How those of its documents that came from URLs were fetched. Only the command line fetches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fetched: Vec<Fetched>,
}

/// A problem of an input, next to the differences.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InputRemark {
    /// The input.
    pub name: String,
    /// Its line, from 1; 0 where no place is meant.
    pub line: u32,
    /// Stable code of the diagnostic.
    pub code: &'static str,
    /// The problem, and how it was handled.
    pub says: String,
}

/// The sums of a comparison.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffSums {
    /// One side.
    pub a: SideInfo,
    /// The other.
    pub b: SideInfo,
    /// Unchanged entries. A pair counts once, even if it represents several entries of one page, so both
    /// directions give the same number.
    pub same: u64,
    /// How many were added, videos of entries that both sides have among them.
    pub added: u64,
    /// How many were removed, the same way.
    pub removed: u64,
    /// How many moved.
    pub moved: u64,
    /// How many changed; the head is one.
    pub changed: u64,
    /// How many changes there are of each field.
    pub fields: BTreeMap<String, u64>,
    /// Fields that changed in nearly all entries; `--ignore` hides them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub folded: Vec<FoldedField>,
    /// Inputs that could not be compared.
    pub not_comparable: Vec<NotComparable>,
    /// Pairs of entries that were compared.
    #[serde(skip)]
    pub compared: u64,
    /// In how many entries each field changed, with an example.
    #[serde(skip)]
    pub spread: BTreeMap<String, FieldSpread>,
    /// Keys that several entries have that differ, on both sides: these were aligned in order.
    #[serde(skip)]
    pub repeated: u64,
    /// Problems of the inputs: damaged markup, entries that cannot be read.
    #[serde(skip)]
    pub remarks: Vec<InputRemark>,
    /// Remarks that are not listed.
    #[serde(skip)]
    pub untold: u64,
}

/// Entries from which on a field that changed in nearly all of them is folded: of fewer, each is soon read.
const FOLDED_FROM: u64 = 5;

/// Characters of an example.
const EXAMPLE: usize = 200;

/// A value as an example.
fn example(told: &ComparedValue) -> String {
    let text = match told {
        ComparedValue::One(text) => text.clone(),
        ComparedValue::Many(all) => all.join(", "),
    };
    match text.char_indices().nth(EXAMPLE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

impl DiffSums {
    /// Counts an entry of which these fields changed, each once.
    pub(super) fn spread(&mut self, fields: &[FieldChange]) {
        let mut seen: HashSet<&str> = HashSet::new();
        for change in fields.iter().filter(|change| seen.insert(&change.field)) {
            self.spread_of(&change.field, || (change.a.as_ref().map(example), change.b.as_ref().map(example)));
        }
    }

    /// Counts an entry that moved.
    pub(super) fn spread_move(&mut self, moved: &MovedEntry) {
        let example = |text: &String| Some(example(&ComparedValue::One(text.clone())));
        self.spread_of(moved.field, || (example(&moved.a), example(&moved.b)));
    }

    fn spread_of(&mut self, field: &str, example: impl FnOnce() -> (Option<String>, Option<String>)) {
        if let Some(known) = self.spread.get_mut(field) {
            known.entries += 1;
            return;
        }
        let (a, b) = example();
        self.spread.insert(field.to_owned(), FieldSpread { entries: 1, a, b });
    }

    /// Finds the fields that changed in more than 80 % of the entries that were compared.
    pub(super) fn fold(&mut self) {
        let of = self.compared;
        let is_folded = |spread: &FieldSpread| spread.entries >= FOLDED_FROM && spread.entries * 5 > of * 4;
        let fold = |(field, spread): (&String, &FieldSpread)| {
            let FieldSpread { entries, a, b } = spread.clone();
            FoldedField { field: field.clone(), entries, of, a, b }
        };
        self.folded = self.spread.iter().filter(|(_, spread)| is_folded(spread)).map(fold).collect();
        self.folded.sort_by_key(|folded| std::cmp::Reverse(folded.entries));
    }

    /// Whether nothing was found.
    pub fn is_same(&self) -> bool {
        self.found() == 0
    }

    /// Adds the sums of another comparison, without its remarks.
    pub fn add(&mut self, other: &DiffSums) {
        self.a.entries += other.a.entries;
        self.b.entries += other.b.entries;
        (self.a.format, self.b.format) = (other.a.format.clone(), other.b.format.clone());
        self.a.fetched.extend_from_slice(&other.a.fetched);
        self.b.fetched.extend_from_slice(&other.b.fetched);
        self.same += other.same;
        self.added += other.added;
        self.removed += other.removed;
        self.moved += other.moved;
        self.changed += other.changed;
        for (field, count) in &other.fields {
            *self.fields.entry(field.clone()).or_default() += count;
        }
        self.compared += other.compared;
        for (field, spread) in &other.spread {
            match self.spread.get_mut(field) {
                Some(known) => known.entries += spread.entries,
                None => drop(self.spread.insert(field.clone(), spread.clone())),
            }
        }
        self.fold();
        for row in &other.not_comparable {
            if !self.not_comparable.contains(row) {
                self.not_comparable.push(row.clone());
            }
        }
    }

    /// How many findings there are.
    pub fn found(&self) -> u64 {
        self.added + self.removed + self.moved + self.changed
    }
}

/// The sums of several comparisons: of the files of two folders.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileSums {
    /// Files that were compared.
    pub files: u64,
    /// Those of them in which nothing was found.
    pub files_same: u64,
    /// Unchanged entries.
    pub same: u64,
    /// Entries that were added, those of files that only B has among them.
    pub added: u64,
    /// Entries that were removed, those of files that only A has among them.
    pub removed: u64,
    /// Entries that moved.
    pub moved: u64,
    /// Entries that changed; heads count, too.
    pub changed: u64,
    /// How many changes there are of each field.
    pub fields: BTreeMap<String, u64>,
    /// Files that only B has.
    pub files_added: u64,
    /// Files that only A has.
    pub files_removed: u64,
    /// Files that both have and that could not be compared.
    pub files_failed: u64,
}

impl FileSums {
    /// Adds one comparison.
    pub fn add(&mut self, sums: &DiffSums) {
        self.files += 1;
        self.files_same += u64::from(sums.is_same());
        self.add_entries(sums);
    }

    /// Adds what was found in a file, which is not counted.
    pub fn add_entries(&mut self, sums: &DiffSums) {
        self.same += sums.same;
        self.added += sums.added;
        self.removed += sums.removed;
        self.moved += sums.moved;
        self.changed += sums.changed;
        for (field, count) in &sums.fields {
            *self.fields.entry(field.clone()).or_default() += count;
        }
    }
}

/// Takes findings as they are made: first what was added, then what was removed, in the order of their documents, then
/// what moved or changed, and videos of entries that both sides have, in the order of A.
pub trait DifferenceSink: Send {
    /// Takes one.
    ///
    /// # Errors
    /// An error of the receiver, which ends the comparison.
    fn take(&mut self, found: Difference) -> Result<(), Error>;
}

impl DifferenceSink for Vec<Difference> {
    fn take(&mut self, found: Difference) -> Result<(), Error> {
        self.push(found);
        Ok(())
    }
}
