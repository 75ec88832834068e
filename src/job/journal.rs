//! The journal of earlier runs: one line of JSON for each processed input, with its own checksum. Lines are only
//! appended, so a run that was killed leaves at most one partial line.
//!
//! Nothing in it is trusted. A line that is cut, altered, of another version or of other options only costs repeated
//! work; its facts about a file are compared with the file itself before the file is skipped.
//!
//! A report is many times larger than the facts that decide whether a file is up to date. So memory holds these facts and
//! the place of the line; whoever needs the report reads the line again.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::Hash;
use std::io::{self, BufRead, Read};
use std::sync::Arc;

use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::summary::{FileReport, InputStatus};
use super::{Name, digest};
use crate::code::Code;

/// Version of the format of a line; lines of other versions are skipped.
pub const VERSION: u32 = 1;

/// No line is longer.
const LONGEST: u64 = 16 << 20;

/// Digits of the checksum of a line.
const SUM: usize = 16;

/// The facts that show whether a file is unchanged.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// When it was last changed, in nanoseconds since 1970.
    pub mtime: i64,
    /// SHA-256 of the content, as hexadecimal digits; empty where nobody read it to its end.
    pub hash: String,
}

/// An output, below the folder of outputs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordedOutput {
    /// Its path there.
    pub path: Name,
    /// What it was when it was written.
    pub stamp: Stamp,
}

/// The place where an input was found, which distinguishes inputs with the same path below different sources.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct InputOrigin {
    /// The folder below which it is known by its path, as it really is.
    pub real: Name,
    /// The same by the name that was given, where that is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<Name>,
    /// What was named as a source and it was found in, as it really is, where that is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Name>,
}

impl InputOrigin {
    /// The folder as it was named.
    pub fn named(&self) -> &Name {
        self.named.as_ref().unwrap_or(&self.real)
    }

    /// What was named as a source.
    pub fn source(&self) -> &Name {
        self.source.as_ref().unwrap_or(&self.real)
    }
}

/// What shows a server which version of a document is known.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Validators {
    /// The `ETag` header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// The `Last-Modified` header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// The URL that answered with them.
    pub url: String,
}

impl Validators {
    /// Whether a server can be asked with them.
    pub fn are_any(&self) -> bool {
        self.etag.is_some() || self.last_modified.is_some()
    }
}

/// The record of one input.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// [`VERSION`].
    pub v: u32,
    /// The input as it was read.
    pub stamp: Stamp,
    /// Hash of all that the output depends on besides the input.
    pub options: String,
    /// When the input was read, in nanoseconds since 1970. A file that was changed just before may have been changed again
    /// in the same moment, and not show it.
    pub at: i64,
    /// The folder below which inputs that were named by absolute paths kept their paths, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<Name>,
    /// Where it was found; for a merged output, where its inputs were. Not in journals of earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<InputOrigin>,
    /// What its URL may be asked for again with, if it came from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fetched: Option<Validators>,
    /// The last record of it that was done, if its URL could not be fetched since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<Box<Record>>,
    /// The files it became.
    pub files: Vec<RecordedOutput>,
    /// The report on it.
    pub report: FileReport,
}

impl Record {
    /// The record of what is in place: the one before, if the URL could not be fetched since.
    #[must_use]
    pub fn into_place(mut self) -> Record {
        self.done.take().map_or(self, |done| *done)
    }
}

/// A record but for its report.
#[derive(Serialize)]
struct RecordHead<'r> {
    v: u32,
    stamp: &'r Stamp,
    options: &'r str,
    at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    below: Option<&'r Name>,
    #[serde(skip_serializing_if = "<[InputOrigin]>::is_empty")]
    origins: &'r [InputOrigin],
    #[serde(skip_serializing_if = "Option::is_none")]
    fetched: Option<&'r Validators>,
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<&'r Record>,
    files: &'r [RecordedOutput],
}

/// A record as a line.
pub fn line(record: &Record) -> Vec<u8> {
    let mut line = Vec::new();
    push_line(&mut line, record, &record.report.json());
    line
}

/// Appends a record to other lines, with its report as [JSON](FileReport::json).
pub fn push_line(lines: &mut Vec<u8>, record: &Record, report: &[u8]) {
    let Record { v, stamp, options, at, below, origins, fetched, done, files, report: _ } = record;
    let (below, fetched, done) = (below.as_ref(), fetched.as_ref(), done.as_deref());
    let head = RecordHead { v: *v, stamp, options, at: *at, below, origins, fetched, done, files };
    let start = lines.len();
    // what is in a record has nothing that JSON cannot say, and memory takes everything
    let _ = serde_json::to_writer(&mut *lines, &head);
    lines.pop();
    lines.extend_from_slice(b",\"report\":");
    lines.extend_from_slice(report);
    let sum = digest(lines.get(start..).unwrap_or_default(), SUM);
    lines.extend_from_slice(format!(",\"sum\":\"{sum}\"}}\n").as_bytes());
}

/// The record of a line, if it is as it was written.
pub fn parse(line: &[u8]) -> Option<Record> {
    let record: Record = serde_json::from_slice(&object(line)?).ok()?;
    (record.v == VERSION).then_some(record)
}

/// The object in a line without its checksum, if that is right.
fn object(line: &[u8]) -> Option<Vec<u8>> {
    let line = line.strip_suffix(b"\n")?;
    let (body, tail) = line.split_at_checked(line.len().checked_sub(SUM + 10)?)?;
    let sum = tail.strip_prefix(b",\"sum\":\"")?.strip_suffix(b"\"}")?;
    (digest(body, SUM).as_bytes() == sum).then(|| [body, b"}"].concat())
}

/// Where a record is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RecordPlace {
    /// Which of the files that were read, as the caller of [`Journal::read`] counts them.
    pub file: u32,
    /// The first byte of its line there.
    pub start: u64,
    /// Bytes of the line.
    pub length: u64,
}

/// What is kept of a record: all that decides whether an input is up to date and whose an output is, but no report.
#[derive(Debug)]
pub struct KnownRecord {
    /// See [`Record::stamp`].
    pub stamp: Stamp,
    /// See [`Record::options`].
    pub options: Arc<str>,
    /// See [`Record::at`].
    pub at: i64,
    /// See [`Record::below`].
    pub below: Option<Arc<Name>>,
    /// See [`Record::origins`].
    pub origins: Arc<[InputOrigin]>,
    /// See [`Record::fetched`].
    pub fetched: Option<Box<Validators>>,
    /// See [`Record::done`].
    pub done: Option<Box<KnownRecord>>,
    /// See [`Record::files`].
    pub files: Box<[RecordedOutput]>,
    /// See [`FileReport::path`].
    pub path: Arc<Name>,
    /// See [`FileReport::status`].
    pub status: InputStatus,
    /// See [`FileReport::inputs`].
    pub inputs: Box<[Name]>,
    /// A date in the output was made, perhaps of the date of the file.
    pub has_made_date: bool,
    /// Where all of it is; of one in [`KnownRecord::done`], the record around it.
    pub place: RecordPlace,
}

impl KnownRecord {
    /// The record of what is in place: the one before, if the URL could not be fetched since.
    #[must_use]
    pub fn in_place(&self) -> &KnownRecord {
        self.done.as_deref().unwrap_or(self)
    }

    /// The same, without the one around it.
    #[must_use]
    pub fn into_place(mut self) -> KnownRecord {
        self.done.take().map_or(self, |done| *done)
    }
}

/// What is read of a line for a [`KnownRecord`].
#[derive(Deserialize)]
struct RecordFacts {
    v: u32,
    stamp: Stamp,
    options: String,
    at: i64,
    #[serde(default)]
    below: Option<Name>,
    #[serde(default)]
    origins: Vec<InputOrigin>,
    #[serde(default)]
    fetched: Option<Box<Validators>>,
    #[serde(default)]
    done: Option<Box<RecordFacts>>,
    files: Box<[RecordedOutput]>,
    report: ReportFacts,
}

#[derive(Deserialize)]
struct ReportFacts {
    path: Name,
    status: InputStatus,
    #[serde(default)]
    inputs: Box<[Name]>,
    #[serde(default, rename = "rows", deserialize_with = "has_made_date")]
    has_made_date: bool,
}

/// Whether a row is that of a date that was made; no row is kept.
fn has_made_date<'de, D: Deserializer<'de>>(rows: D) -> Result<bool, D::Error> {
    #[derive(Deserialize)]
    struct RowCode<'r> {
        #[serde(borrow)]
        code: std::borrow::Cow<'r, str>,
    }
    struct MadeDateFinder;
    impl<'de> Visitor<'de> for MadeDateFinder {
        type Value = bool;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("rows")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<bool, A::Error> {
            let mut found = false;
            while let Some(row) = rows.next_element::<RowCode<'de>>()? {
                found |= row.code == Code::SynthDate.name();
            }
            Ok(found)
        }
    }
    rows.deserialize_seq(MadeDateFinder)
}

/// Values that most records have in common, each once.
#[derive(Debug, Default)]
struct SharedValues {
    names: HashSet<Arc<Name>>,
    options: HashSet<Arc<str>>,
    origins: HashSet<Arc<[InputOrigin]>>,
}

/// The one of these that is equal.
fn shared<T: ?Sized + Eq + Hash, V: Into<Arc<T>> + Borrow<T>>(known: &mut HashSet<Arc<T>>, value: V) -> Arc<T> {
    if let Some(same) = known.get(value.borrow()) {
        return Arc::clone(same);
    }
    let new = value.into();
    known.insert(Arc::clone(&new));
    new
}

impl SharedValues {
    fn record(&mut self, facts: RecordFacts, place: RecordPlace) -> KnownRecord {
        let RecordFacts { v: _, stamp, options, at, below, origins, fetched, done, files, report } = facts;
        KnownRecord {
            stamp,
            options: shared(&mut self.options, options),
            at,
            below: below.map(|below| shared(&mut self.names, below)),
            origins: shared(&mut self.origins, origins),
            fetched,
            done: done.map(|done| Box::new(self.record(*done, place))),
            files,
            path: Arc::new(report.path),
            status: report.status,
            inputs: report.inputs,
            has_made_date: report.has_made_date,
            place,
        }
    }
}

/// What is known of former runs.
#[derive(Debug, Default)]
pub struct Journal {
    /// Of each path the last record of each place where there is or was such an input, the last one at the end.
    latest: HashMap<Arc<Name>, Vec<KnownRecord>>,
    /// Records of other runs, shards next to this one: they show which outputs belong to others.
    beside: Vec<KnownRecord>,
    shared: SharedValues,
    /// Lines that could not be read.
    pub unreadable: u64,
    /// The last line is not whole: the next one needs an end of line before it.
    pub torn: bool,
}

impl Journal {
    /// Reads the lines of a journal, with the number that places of its records get; the last of several about one input
    /// counts.
    ///
    /// # Errors
    /// An error of the reader.
    pub fn read(&mut self, mut lines: impl BufRead, file: u32) -> io::Result<()> {
        let (mut line, mut start) = (Vec::new(), 0);
        self.torn = false;
        loop {
            line.clear();
            let length = lines.by_ref().take(LONGEST).read_until(b'\n', &mut line)? as u64;
            if length == 0 {
                return Ok(());
            }
            self.torn = line.last() != Some(&b'\n');
            match self.known(&line, RecordPlace { file, start, length }) {
                Some(record) => {
                    let known = self.latest.entry(Arc::clone(&record.path)).or_default();
                    known.retain(|other| other.origins != record.origins);
                    // most paths have one record, and a vector makes room for four
                    known.reserve_exact(1);
                    known.push(record);
                }
                None => self.unreadable += 1,
            }
            start += length;
        }
    }

    fn known(&mut self, line: &[u8], place: RecordPlace) -> Option<KnownRecord> {
        let facts: RecordFacts = serde_json::from_slice(&object(line)?).ok()?;
        (facts.v == VERSION).then(|| self.shared.record(facts, place))
    }

    /// Keeps what a run knows that is not this one, nor is gone on with by it.
    pub fn put_beside(&mut self, other: Journal) {
        self.beside.extend(other.latest.into_values().flatten());
    }

    /// The last record of an input with this path.
    pub fn last_record(&self, path: &Name) -> Option<&KnownRecord> {
        self.latest.get(path)?.last()
    }

    /// Takes out the records of this path that are of one input, and gives the last; what stays at the end is of inputs that
    /// are no more.
    pub fn take(&mut self, path: &Name, is_of: impl FnMut(&mut KnownRecord) -> bool) -> Option<KnownRecord> {
        let known = self.latest.get_mut(path)?;
        let taken = known.extract_if(.., is_of).last();
        if known.is_empty() {
            self.latest.remove(path);
        }
        taken
    }

    /// All records, also of other runs, in the order in which they were made.
    pub fn all(&self) -> Vec<&KnownRecord> {
        let mut all: Vec<&KnownRecord> = self.records().chain(&self.beside).collect();
        all.sort_by_key(|record| record.at);
        all
    }

    /// The folder below which inputs that were named by absolute paths kept their paths in the last run that had any.
    pub fn below(&self) -> Option<&Name> {
        let with = self.records().filter(|record| record.below.is_some());
        with.max_by_key(|record| (record.at, &record.below))?.below.as_deref()
    }

    /// The records of this run, in any order.
    pub fn records(&self) -> impl Iterator<Item = &KnownRecord> {
        self.latest.values().flatten()
    }

    /// How many inputs are known.
    pub fn len(&self) -> usize {
        self.latest.values().map(Vec::len).sum()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.latest.is_empty()
    }

    /// The records that were not taken out, in the order of their names.
    pub fn rest(&self) -> Vec<&KnownRecord> {
        let mut rest: Vec<&KnownRecord> = self.records().collect();
        rest.sort_by(|a, b| a.path.cmp(&b.path));
        rest
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn record(path: &str, size: u64) -> Record {
        let stamp = Stamp { size, mtime: -5, hash: "ab".into() };
        let files = vec![RecordedOutput { path: Name::Text("o.xml".into()), stamp: stamp.clone() }];
        let report = FileReport { path: Name::Text(path.into()), ..FileReport::default() };
        let below = (size == 2).then(|| Name::Text("/a".into()));
        let real = Name::Text(format!("/{}", size % 2));
        let origins = if size > 5 { vec![InputOrigin { real, ..InputOrigin::default() }] } else { Vec::new() };
        let fetched = (size == 3).then(|| Validators { etag: Some("\"x\"".into()), ..Validators::default() });
        let done = (size == 4).then(|| Box::new(record(path, 3)));
        Record { v: VERSION, stamp, options: "x".into(), at: 0, below, origins, fetched, done, files, report }
    }

    fn read(bytes: &[u8]) -> Journal {
        let mut journal = Journal::default();
        journal.read(bytes, 0).expect("memory");
        journal
    }

    /// What was written of a record that is known.
    fn written(known: &KnownRecord, bytes: &[u8]) -> Option<Record> {
        let start = known.place.start as usize;
        let record = parse(bytes.get(start..start + known.place.length as usize)?)?;
        assert_eq!((&*known.path, known.status), (&record.report.path, record.report.status));
        assert_eq!((&known.stamp, &*known.options, known.at), (&record.stamp, &*record.options, record.at));
        assert_eq!((known.below.as_deref(), &*known.origins), (record.below.as_ref(), &*record.origins));
        assert_eq!((known.fetched.as_deref(), &*known.files), (record.fetched.as_ref(), &*record.files));
        assert_eq!(known.done.as_ref().map(|done| done.stamp.size), record.done.as_ref().map(|done| done.stamp.size));
        Some(record)
    }

    fn last(journal: &Journal, path: &str, bytes: &[u8]) -> Option<Record> {
        written(journal.last_record(&Name::Text(path.into()))?, bytes)
    }

    #[test]
    fn a_line_is_its_record() {
        for record in [record("a", 1), record("a", 4)] {
            let whole = serde_json::to_vec(&record).expect("JSON");
            assert!(line(&record).starts_with(whole.strip_suffix(b"}").expect("an object")));
            assert_eq!(parse(&line(&record)), Some(record));
        }
    }

    #[test]
    fn the_last_line_of_an_input_counts() {
        let lines = [line(&record("a", 1)), line(&record("b\n\"", 2)), line(&record("a", 3))].concat();
        let journal = read(&lines);
        assert_eq!((journal.len(), journal.unreadable, journal.torn), (2, 0, false));
        assert_eq!(last(&journal, "a", &lines), Some(record("a", 3)));
        assert_eq!(last(&journal, "b\n\"", &lines), Some(record("b\n\"", 2)));
    }

    #[test]
    fn a_record_knows_whether_a_date_was_made() {
        let of_row = |code: &'static str| {
            let row = serde_json::json!({ "kind": "made", "code": code, "severity": "", "field": "", "count": 1 });
            let mut made = record("a", 1);
            made.report.rows.push(serde_json::from_value(row).expect("a row"));
            read(&line(&made)).last_record(&Name::Text("a".into())).map(|known| known.has_made_date)
        };
        assert_eq!((of_row(Code::SynthDate.name()), of_row("no_carrier")), (Some(true), Some(false)));
    }

    /// A run of a million feeds keeps as many of these, so none of them may have a report.
    #[test]
    fn what_is_kept_of_a_record_is_small() {
        assert!(size_of::<KnownRecord>() <= 224, "{}", size_of::<KnownRecord>());
        let mut long = record("a", 7);
        long.report.error = Some("x".repeat(10_000));
        let journal = read(&[line(&long), line(&record("b", 7))].concat());
        let known = journal.last_record(&Name::Text("b".into())).expect("known");
        let first = journal.last_record(&Name::Text("a".into())).expect("known");
        assert!(format!("{first:?}").len() < 1_000);
        assert!(Arc::ptr_eq(&known.origins, &first.origins) && Arc::ptr_eq(&known.options, &first.options));
    }

    #[test]
    fn a_torn_line_says_nothing() {
        let (first, second) = (line(&record("a", 1)), line(&record("a", 2)));
        for end in 0..second.len() {
            let bytes = [&first[..], &second[..end]].concat();
            let journal = read(&bytes);
            assert_eq!(last(&journal, "a", &bytes), Some(record("a", 1)), "{end}");
            assert_eq!((journal.torn, journal.unreadable), (end > 0, u64::from(end > 0)));
        }
    }

    #[test]
    fn another_version_says_nothing() {
        let other = Record { v: VERSION + 1, ..record("a", 1) };
        assert!(parse(&line(&other)).is_none());
    }

    proptest! {
        #[test]
        fn a_line_with_an_altered_byte_says_nothing(at in 0_usize..200, to in any::<u8>()) {
            let mut bytes = line(&record("a/b.xml", 7));
            let at = at % (bytes.len() - 1);
            prop_assume!(bytes[at] != to && to != b'\n');
            bytes[at] = to;
            prop_assert!(parse(&bytes).is_none());
        }

        /// A journal that is cut, flipped, doubled and mixed tells nothing but what was once written, and what is appended
        /// to it afterwards is read.
        #[test]
        fn an_altered_journal_tells_nothing_that_was_not_so(
            edits in proptest::collection::vec((0_u8..5, any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 0..12)
        ) {
            let known: Vec<Record> = (0..9).map(|n| record(&format!("{}/\n\"{}.xml", n % 2, n % 4), n)).collect();
            let mut bytes: Vec<u8> = known.iter().flat_map(line).collect();
            for (how, at, to, byte) in edits {
                let (at, to) = (at.index(bytes.len() + 1), to.index(bytes.len() + 1));
                let (from, until) = (at.min(to), at.max(to));
                match how {
                    0 => bytes.truncate(at),
                    1 => drop(bytes.drain(from..until)),
                    2 => bytes.get_mut(at).into_iter().for_each(|old| *old ^= byte),
                    3 => bytes.insert(at, byte),
                    _ => {
                        let piece = bytes[from..until].to_vec();
                        bytes.splice(at..at, piece);
                    }
                }
                bytes.truncate(100_000);
            }
            let journal = read(&bytes);
            prop_assert!(journal.rest().iter().all(|found| known.contains(&written(found, &bytes).expect("a line"))));
            let new = record("new", 1);
            if journal.torn {
                bytes.push(b'\n');
            }
            bytes.extend(line(&new));
            let after = read(&bytes);
            prop_assert_eq!(last(&after, "new", &bytes), Some(new));
        }

        #[test]
        fn anything_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            prop_assert!(read(&bytes).is_empty());
        }
    }
}
