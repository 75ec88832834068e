//! From what a comparison found to its page.

use std::borrow::Cow;

use super::changes::{Changes, DifferenceKind, DocumentSide, EntryDifference, FieldDifference};
use crate::diff::{ComparedValue, DiffSums, Difference, FieldChange, SideInfo};

/// The page of a comparison: its sums, and the findings, each with its file (empty if there is only one).
pub fn compared<'c>(sums: &'c DiffSums, found: &'c [(String, Difference)], beside: Vec<&'c str>) -> Changes<'c> {
    let remark =
        |remark: &'c crate::diff::InputRemark| (remark.name.as_str(), remark.line, remark.code, remark.says.as_str());
    let mut fields: Vec<(&str, u64)> = sums.fields.iter().map(|(field, count)| (field.as_str(), *count)).collect();
    fields.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    Changes {
        a: side(&sums.a),
        b: side(&sums.b),
        same: sums.same,
        added: sums.added,
        removed: sums.removed,
        moved: sums.moved,
        changed: sums.changed,
        found: found.iter().map(|(file, found)| difference(file, found)).collect(),
        fields,
        folded: sums.folded.iter().map(|folded| (folded.field.as_str(), folded.entries, folded.of)).collect(),
        not_comparable: sums.not_comparable.iter().map(|one| (one.field, one.why.as_str())).collect(),
        remarks: sums.remarks.iter().map(remark).collect(),
        fetched: [&sums.a, &sums.b].into_iter().flat_map(|side| &side.fetched).collect(),
        beside,
    }
}

fn side(side: &SideInfo) -> DocumentSide<'_> {
    let name = if side.name == "-" { "standard input" } else { &side.name };
    DocumentSide { name, format: &side.format, entries: side.entries }
}

fn difference<'c>(file: &'c str, found: &'c Difference) -> EntryDifference<'c> {
    let own = (!file.is_empty()).then_some(Cow::Borrowed(file));
    let lone = |what, lone: &'c crate::diff::UnpairedEntry, a_line, b_line| EntryDifference {
        what,
        key: lone.key.as_str().into(),
        title: lone.title.as_deref().map(Cow::Borrowed),
        a_line,
        b_line,
        file: lone.file.as_deref().map(Cow::Borrowed).or(own.clone()),
        why: lone.why,
        fields: lone.video.iter().map(|video| one_sided(video, what)).collect(),
    };
    match found {
        Difference::Added(entry) => lone(DifferenceKind::Added, entry, None, Some(entry.line)),
        Difference::Removed(entry) => lone(DifferenceKind::Removed, entry, Some(entry.line), None),
        Difference::Moved(moved) => EntryDifference {
            what: DifferenceKind::Moved,
            key: moved.key.as_str().into(),
            title: moved.title.as_deref().map(Cow::Borrowed),
            a_line: Some(moved.a_line),
            b_line: Some(moved.b_line),
            file: files(&moved.a_file, &moved.b_file).or(own),
            why: None,
            fields: vec![FieldDifference {
                field: moved.field.into(),
                path: None,
                a: Some(moved.a.as_str().into()),
                b: Some(moved.b.as_str().into()),
            }],
        },
        Difference::Changed(changed) => EntryDifference {
            what: DifferenceKind::Changed,
            key: changed.key.as_str().into(),
            title: changed.title.as_deref().map(Cow::Borrowed),
            a_line: Some(changed.a_line),
            b_line: Some(changed.b_line),
            file: files(&changed.a_file, &changed.b_file).or(own),
            why: None,
            fields: changed.fields.iter().map(field).collect(),
        },
    }
}

/// A video that only one side has.
fn one_sided(video: &str, what: DifferenceKind) -> FieldDifference<'_> {
    let (a, b) = if what == DifferenceKind::Added { (None, Some(video)) } else { (Some(video), None) };
    FieldDifference { field: "video".into(), path: None, a: a.map(Cow::Borrowed), b: b.map(Cow::Borrowed) }
}

/// The files of an entry on both sides, where these are called otherwise.
fn files<'c>(a: &'c Option<String>, b: &'c Option<String>) -> Option<Cow<'c, str>> {
    match (a.as_deref(), b.as_deref()) {
        (Some(a), Some(b)) if a != b => Some(format!("{a} → {b}").into()),
        (Some(one), _) | (None, Some(one)) => Some(one.into()),
        (None, None) => None,
    }
}

fn field(change: &FieldChange) -> FieldDifference<'_> {
    FieldDifference {
        field: change.field.as_str().into(),
        path: change.path.as_deref().map(Cow::Borrowed),
        a: change.a.as_ref().map(value_text),
        b: change.b.as_ref().map(value_text),
    }
}

/// A list is shown with one value per line.
fn value_text(told: &ComparedValue) -> Cow<'_, str> {
    match told {
        ComparedValue::One(value) => value.as_str().into(),
        ComparedValue::Many(values) => values.join("\n").into(),
    }
}
