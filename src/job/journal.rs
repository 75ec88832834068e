//! The journal of earlier runs: one line of JSON for each processed input, with its own checksum. Lines are only
//! appended, so a run that was killed leaves at most one partial line.
//!
//! Nothing in it is trusted. A line that is cut, altered, of another version or of other options only costs repeated
//! work; its facts about a file are compared with the file itself before the file is skipped.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};

use serde::{Deserialize, Serialize};

use super::summary::FileReport;
use super::{Name, digest};

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
    pub fn in_place(&self) -> &Record {
        self.done.as_deref().unwrap_or(self)
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
    line_with(record, &record.report.json())
}

/// The same, with its report as [JSON](FileReport::json), for who has that already.
pub fn line_with(record: &Record, report: &[u8]) -> Vec<u8> {
    let Record { v, stamp, options, at, below, origins, fetched, done, files, report: _ } = record;
    // what is in a record has nothing that JSON cannot say
    let (below, fetched, done) = (below.as_ref(), fetched.as_ref(), done.as_deref());
    let head = RecordHead { v: *v, stamp, options, at: *at, below, origins, fetched, done, files };
    let mut line = serde_json::to_vec(&head).unwrap_or_default();
    line.pop();
    line.extend_from_slice(b",\"report\":");
    line.extend_from_slice(report);
    let sum = digest(&line, SUM);
    line.extend_from_slice(format!(",\"sum\":\"{sum}\"}}\n").as_bytes());
    line
}

/// The record of a line, if it is as it was written.
pub fn parse(line: &[u8]) -> Option<Record> {
    let line = line.strip_suffix(b"\n")?;
    let (body, tail) = line.split_at_checked(line.len().checked_sub(SUM + 10)?)?;
    let sum = tail.strip_prefix(b",\"sum\":\"")?.strip_suffix(b"\"}")?;
    if digest(body, SUM).as_bytes() != sum {
        return None;
    }
    let record: Record = serde_json::from_slice(&[body, b"}"].concat()).ok()?;
    (record.v == VERSION).then_some(record)
}

/// What is known of former runs.
#[derive(Debug, Default)]
pub struct Journal {
    /// Of each path the last record of each place where there is or was such an input, the last one at the end.
    latest: HashMap<Name, Vec<Record>>,
    /// Records of other runs, shards next to this one: they show which outputs belong to others.
    beside: Vec<Record>,
    /// Lines that could not be read.
    pub unreadable: u64,
    /// The last line is not whole: the next one needs an end of line before it.
    pub torn: bool,
}

impl Journal {
    /// Reads the lines of a journal; the last of several about one input counts.
    ///
    /// # Errors
    /// An error of the reader.
    pub fn read(&mut self, mut lines: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        self.torn = false;
        loop {
            line.clear();
            let read = lines.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(());
            }
            self.torn = line.last() != Some(&b'\n');
            match parse(&line) {
                Some(record) => {
                    let known = self.latest.entry(record.report.path.clone()).or_default();
                    known.retain(|other| other.origins != record.origins);
                    known.push(record);
                }
                None => self.unreadable += 1,
            }
        }
    }

    /// Keeps what a run knows that is not this one, nor is gone on with by it.
    pub fn put_beside(&mut self, other: Journal) {
        self.beside.extend(other.latest.into_values().flatten());
    }

    /// The last record of an input with this path.
    pub fn last_record(&self, path: &Name) -> Option<&Record> {
        self.latest.get(path)?.last()
    }

    /// Takes out the records of this path that are of one input, and gives the last; what stays at the end is of inputs that
    /// are no more.
    pub fn take(&mut self, path: &Name, is_of: impl FnMut(&mut Record) -> bool) -> Option<Record> {
        let known = self.latest.get_mut(path)?;
        let taken = known.extract_if(.., is_of).last();
        if known.is_empty() {
            self.latest.remove(path);
        }
        taken
    }

    /// All records, also of other runs, in the order in which they were made.
    pub fn all(&self) -> Vec<&Record> {
        let mut all: Vec<&Record> = self.latest.values().flatten().chain(&self.beside).collect();
        all.sort_by_key(|record| record.at);
        all
    }

    /// The folder below which inputs that were named by absolute paths kept their paths in the last run that had any.
    pub fn below(&self) -> Option<&Name> {
        let with = self.latest.values().flatten().filter(|record| record.below.is_some());
        with.max_by_key(|record| (record.at, &record.below))?.below.as_ref()
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
    pub fn rest(&self) -> Vec<&Record> {
        let mut rest: Vec<&Record> = self.latest.values().flatten().collect();
        rest.sort_by(|a, b| a.report.path.cmp(&b.report.path));
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
        journal.read(bytes).expect("memory");
        journal
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
        assert_eq!(journal.last_record(&Name::Text("a".into())), Some(&record("a", 3)));
        assert_eq!(journal.last_record(&Name::Text("b\n\"".into())), Some(&record("b\n\"", 2)));
    }

    #[test]
    fn a_torn_line_says_nothing() {
        let (first, second) = (line(&record("a", 1)), line(&record("a", 2)));
        for end in 0..second.len() {
            let journal = read(&[&first[..], &second[..end]].concat());
            assert_eq!(journal.last_record(&Name::Text("a".into())), Some(&record("a", 1)), "{end}");
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
            prop_assert!(journal.rest().iter().all(|found| known.contains(found)));
            let new = record("new", 1);
            if journal.torn {
                bytes.push(b'\n');
            }
            bytes.extend(line(&new));
            let after = read(&bytes);
            prop_assert_eq!(after.last_record(&new.report.path), Some(&new));
        }

        #[test]
        fn anything_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            prop_assert!(read(&bytes).is_empty());
        }
    }
}
