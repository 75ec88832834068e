//! The page of a comparison: what one document has and the other has not, and what both say differently.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use askama::Template;

use super::bar::Bar;
use super::escape::{cut, grouped, link, many};
use super::fetched::FetchedTable;
use super::words::{self, Effort, TextSpan};
use super::{LISTED, PageSection, PageShell, SHOWN, write};
use crate::diff::{ComparedValue, DiffSums, Difference, FieldChange, SideInfo, UnpairedEntry};

/// What a difference is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum DifferenceKind {
    /// Only B has the entry.
    Added,
    /// Only A has it.
    Removed,
    /// It moved.
    Moved,
    /// Some of its values changed.
    Changed,
}

impl DifferenceKind {
    /// The word for it.
    fn name(self) -> &'static str {
        match self {
            DifferenceKind::Added => "added",
            DifferenceKind::Removed => "removed",
            DifferenceKind::Moved => "moved",
            DifferenceKind::Changed => "changed",
        }
    }
}

/// A difference of an entry, of whichever kind.
struct EntryDifference<'c> {
    /// The kind of difference.
    what: DifferenceKind,
    /// What the entry was found by.
    key: Cow<'c, str>,
    /// Its title, if it has one and was not found by it.
    title: Option<Cow<'c, str>>,
    /// Its line in A.
    a_line: Option<u32>,
    /// Its line in B.
    b_line: Option<u32>,
    /// Its file, if a side has several.
    file: Option<Cow<'c, str>>,
    /// Why a conversion drops it, if it does.
    why: Option<&'c str>,
    /// The fields that differ.
    fields: Vec<FieldDifference<'c>>,
}

/// A field that differs.
struct FieldDifference<'c> {
    /// Its name.
    field: Cow<'c, str>,
    /// Its path in the entry, if it is in a list.
    path: Option<Cow<'c, str>>,
    /// The value in A.
    a: Option<Cow<'c, str>>,
    /// The value in B.
    b: Option<Cow<'c, str>>,
}

/// The difference of an entry; of one of several files, `file` is its name.
fn difference<'c>((file, found): &'c (String, Difference)) -> EntryDifference<'c> {
    let own = (!file.is_empty()).then_some(Cow::Borrowed(file.as_str()));
    let lone = |what, lone: &'c UnpairedEntry, a_line, b_line| EntryDifference {
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

/// Writes the page of a comparison: its sums, and the findings, each with its file (empty if there is only one). At most
/// [`LISTED`] findings are shown; the sums count the others too.
///
/// # Errors
/// An error of `out`.
pub fn changes(sums: &DiffSums, found: &[(String, Difference)], out: &mut dyn Write) -> io::Result<()> {
    let all = [
        ("same", sums.same),
        ("moved", sums.moved),
        ("changed", sums.changed),
        ("removed", sums.removed),
        ("added", sums.added),
    ];
    let differences: Vec<EntryDifference<'_>> = found.iter().map(difference).collect();
    let mut effort = Effort::default();
    let mut room = LISTED;
    let repeated = RepeatedChanges::find(&differences, &mut room, &mut effort);
    let (mut rows, mut added, mut removed) = (Vec::new(), Vec::new(), Vec::new());
    let many_of = |what: DifferenceKind| differences.iter().filter(|one| one.what == what).count() > RUN;
    let (many_added, many_removed) = (many_of(DifferenceKind::Added), many_of(DifferenceKind::Removed));
    // entries without a row, because all their changes are in the rows of repeated changes
    let mut without = 0;
    for difference in &differences {
        if room == 0 {
            break;
        }
        if repeated.is_all_of(difference) {
            without += 1;
            continue;
        }
        let row = ChangeRow::new(difference, &repeated, &mut room, &mut effort);
        match difference.what {
            DifferenceKind::Added if many_added => added.push(row),
            DifferenceKind::Removed if many_removed => removed.push(row),
            DifferenceKind::Added | DifferenceKind::Removed | DifferenceKind::Moved | DifferenceKind::Changed => {
                rows.push(row)
            }
        }
    }
    let told = rows.len() + added.len() + removed.len() + without;
    let untold = sums.found().saturating_sub(told as u64);
    let mut fields: Vec<(&String, &u64)> = sums.fields.iter().collect();
    fields.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let most = fields.first().map_or(0, |(_, count)| **count);
    let bar = |(field, count): (&String, &u64)| {
        (cut(field, SHOWN).into_owned(), grouped(*count), Bar::new(&[("changed", *count)], most))
    };
    let fetched = FetchedTable::new([&sums.a, &sums.b].into_iter().flat_map(|side| &side.fetched));
    let mut sections = sections(sums);
    sections.extend(fetched.section());
    let page = ChangesPage {
        shell: PageShell::new(),
        headline: headline(sums),
        a: name(&sums.a),
        b: name(&sums.b),
        sections,
        fetched,
        entries: Bar::new(&all, all.iter().map(|(_, count)| count).sum()),
        fields: fields.into_iter().take(LISTED).map(bar).collect(),
        repeated: repeated.rows,
        runs: [EntryRun::new("added", "t-added", added), EntryRun::new("removed", "t-removed", removed)],
        untold: (untold > 0).then(|| many(untold, "more difference", "more differences")),
        sums,
        rows,
    };
    write(&page, out)
}

#[derive(Template)]
#[template(path = "changes.html", config = "src/html/askama.toml")]
struct ChangesPage<'c> {
    shell: PageShell,
    headline: String,
    a: Cow<'c, str>,
    b: Cow<'c, str>,
    sums: &'c DiffSums,
    sections: Vec<PageSection>,
    fetched: FetchedTable<'c>,
    entries: Bar,
    fields: Vec<(String, String, Bar)>,
    rows: Vec<ChangeRow<'c>>,
    repeated: Vec<RepeatedRow<'c>>,
    runs: [EntryRun<'c>; 2],
    untold: Option<String>,
}

/// Added or removed entries from which on these are folded.
const RUN: usize = 20;

/// Entries with the same change of a field from which on these are one row.
const REPEATED: usize = 5;

/// Keys that are listed under a change of many entries.
const KEYS: usize = 100;

/// Entries that only one side has, where they are many.
struct EntryRun<'c> {
    headline: String,
    table: &'static str,
    rows: Vec<ChangeRow<'c>>,
}

impl<'c> EntryRun<'c> {
    fn new(what: &str, table: &'static str, rows: Vec<ChangeRow<'c>>) -> EntryRun<'c> {
        EntryRun { headline: format!("{} {what}", many(rows.len() as u64, "entry", "entries")), table, rows }
    }
}

/// The key of an entry, which may be a link, and its title.
type EntryLabel<'c> = (Cow<'c, str>, Option<&'c str>, Option<Cow<'c, str>>);

fn entry<'c>(difference: &'c EntryDifference<'c>) -> EntryLabel<'c> {
    let href = link(&difference.key).filter(|key| key.len() <= SHOWN);
    (cut(&difference.key, SHOWN), href, difference.title.as_deref().map(|title| cut(title, SHOWN)))
}

/// A change of a field by its name and both values.
type ChangeKey<'c> = (&'c str, Option<&'c str>, Option<&'c str>);

/// Changes that many entries have in common.
#[derive(Default)]
struct RepeatedChanges<'c> {
    known: HashSet<ChangeKey<'c>>,
    rows: Vec<RepeatedRow<'c>>,
}

struct RepeatedRow<'c> {
    field: FieldChangeRow<'c>,
    count: String,
    entries: u64,
    keys: Vec<EntryLabel<'c>>,
    untold: Option<String>,
}

impl<'c> RepeatedChanges<'c> {
    /// Finds them, those of most entries first. Only whole entries that both sides have are looked at.
    fn find(found: &'c [EntryDifference<'c>], room: &mut usize, effort: &mut Effort) -> RepeatedChanges<'c> {
        let mut all: HashMap<ChangeKey<'c>, Vec<&'c EntryDifference<'c>>> = HashMap::new();
        for difference in found.iter().filter(|difference| may_repeat(difference)) {
            let mut seen = HashSet::new();
            for field in difference.fields.iter().filter(|field| seen.insert(same(field))) {
                all.entry(same(field)).or_default().push(difference);
            }
        }
        let mut all: Vec<_> = all.into_iter().filter(|(_, entries)| entries.len() >= REPEATED).collect();
        // the order must not depend on that of a table of hashes
        all.sort_unstable_by(|one, other| (other.1.len(), &one.0).cmp(&(one.1.len(), &other.0)));
        let mut repeated = RepeatedChanges::default();
        for (change, entries) in all {
            if *room == 0 {
                break;
            }
            *room -= 1;
            let listed = entries.len().min(KEYS);
            let untold = (entries.len() - listed) as u64;
            repeated.rows.push(RepeatedRow {
                field: FieldChangeRow::of_values(change.0, None, (change.1, change.2), effort),
                count: grouped(entries.len() as u64),
                entries: entries.len() as u64,
                keys: entries.iter().take(listed).map(|one| entry(one)).collect(),
                untold: (untold > 0).then(|| many(untold, "more entry", "more entries")),
            });
            repeated.known.insert(change);
        }
        repeated
    }

    fn has(&self, difference: &EntryDifference<'_>, field: &FieldDifference<'_>) -> bool {
        may_repeat(difference) && self.known.contains(&same(field))
    }

    /// Whether all that changed about an entry is repeated.
    fn is_all_of(&self, difference: &EntryDifference<'_>) -> bool {
        !difference.fields.is_empty() && difference.fields.iter().all(|field| self.has(difference, field))
    }
}

/// Whether a difference is one of values, and not of a whole entry or video.
fn may_repeat(difference: &EntryDifference<'_>) -> bool {
    matches!(difference.what, DifferenceKind::Changed | DifferenceKind::Moved)
}

fn same<'c>(field: &'c FieldDifference<'_>) -> ChangeKey<'c> {
    (&field.field, field.a.as_deref(), field.b.as_deref())
}

struct ChangeRow<'c> {
    what: &'static str,
    key: Cow<'c, str>,
    title: Option<Cow<'c, str>>,
    link: Option<&'c str>,
    a_line: Option<u32>,
    b_line: Option<u32>,
    file: Option<Cow<'c, str>>,
    why: Option<&'c str>,
    fields: Vec<FieldChangeRow<'c>>,
    untold: Option<String>,
}

struct FieldChangeRow<'c> {
    field: Cow<'c, str>,
    path: Option<Cow<'c, str>>,
    a: Option<Vec<TextSpan>>,
    b: Option<Vec<TextSpan>>,
}

impl<'c> ChangeRow<'c> {
    /// An entry takes one line of the page and one for each field of it.
    fn new(
        difference: &'c EntryDifference<'c>,
        repeated: &RepeatedChanges<'_>,
        room: &mut usize,
        effort: &mut Effort,
    ) -> ChangeRow<'c> {
        *room = room.saturating_sub(1);
        let own: Vec<_> = difference.fields.iter().filter(|field| !repeated.has(difference, field)).collect();
        let fields: Vec<FieldChangeRow<'c>> =
            own.iter().take(*room).map(|field| FieldChangeRow::new(field, effort)).collect();
        *room -= fields.len();
        let untold = own.len() - fields.len();
        ChangeRow {
            what: difference.what.name(),
            key: cut(&difference.key, SHOWN),
            title: difference.title.as_deref().map(|title| cut(title, SHOWN)),
            link: link(&difference.key).filter(|key| key.len() <= SHOWN),
            a_line: difference.a_line,
            b_line: difference.b_line,
            file: difference.file.as_deref().map(|file| cut(file, SHOWN)),
            why: difference.why,
            fields,
            untold: (untold > 0).then(|| many(untold as u64, "more field", "more fields")),
        }
    }

    /// The names of its fields, for the filter.
    fn names(&self) -> String {
        let mut names: Vec<&str> = self.fields.iter().map(|field| &*field.field).collect();
        names.sort_unstable();
        names.dedup();
        names.join(" ")
    }
}

impl<'c> FieldChangeRow<'c> {
    fn new(difference: &'c FieldDifference<'c>, effort: &mut Effort) -> FieldChangeRow<'c> {
        let FieldDifference { field, path, a, b } = difference;
        FieldChangeRow::of_values(field, path.as_deref(), (a.as_deref(), b.as_deref()), effort)
    }

    fn of_values(
        field: &'c str,
        path: Option<&'c str>,
        (a, b): (Option<&'c str>, Option<&'c str>),
        effort: &mut Effort,
    ) -> FieldChangeRow<'c> {
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => {
                let (a, b) = words::marked(a, b, effort);
                (Some(a), Some(b))
            }
            (a, b) => (a.map(words::unmarked), b.map(words::unmarked)),
        };
        FieldChangeRow { field: cut(field, SHOWN), path: path.map(|path| cut(path, SHOWN)), a, b }
    }
}

fn name(side: &SideInfo) -> Cow<'_, str> {
    cut(if side.name == "-" { "standard input" } else { &side.name }, SHOWN)
}

fn sections(sums: &DiffSums) -> Vec<PageSection> {
    PageSection::filled([
        ("found", "Differences", sums.found()),
        ("fields", "By field", sums.fields.len() as u64),
        ("apart", "Not comparable", sums.not_comparable.len() as u64),
        ("remarks", "Remarks", sums.remarks.len() as u64),
    ])
}

fn headline(sums: &DiffSums) -> String {
    if sums.is_same() {
        return match sums.same {
            0 => "Nothing to compare".to_owned(),
            1 => "The only entry is the same".to_owned(),
            same => format!("All {} entries are the same", grouped(same)),
        };
    }
    let DiffSums { added, removed, moved, changed, .. } = *sums;
    let parts = [(changed, "changed"), (added, "added"), (removed, "removed"), (moved, "moved")];
    let said: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .enumerate()
        .map(|(at, (count, what))| match at {
            0 => format!("{} {what}", many(*count, "entry", "entries")),
            _ => format!("{} {what}", grouped(*count)),
        })
        .collect();
    said.join(", ")
}
