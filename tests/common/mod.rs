//! What the black-box tests share: running the program, converting in this process, the leaves of a document counted by
//! other means than the crate's own, and the lines of a loss report.
//!
//! Of the crate only the conversion itself is used: a mistake of its readers must not be repeated by its tests. No run here
//! can see the clock: the program is given [`NOW`], and the files that it reads an age.

#![allow(dead_code, reason = "each test binary uses a part of these helpers")]

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::Value;

/// The time of every run that does not name another, in seconds since 1970 and as `--now` takes it.
pub const EPOCH: &str = "1796083200";
/// The same as `--now` takes it.
pub const NOW: &str = "2026-12-01T00:00:00Z";

/// The program under test. Only here: a command made elsewhere could meet the clock.
const PROGRAM: &str = env!("CARGO_BIN_EXE_transfeed");

/// How many documents a property is tried on: few by default, many where `TRANSFEED_FULL` is 1. A share below 1, as in
/// `.ci/run`, is a number between, on a scale on which each step multiplies. With 0 it is a switch, which has no between.
pub fn count(few: usize, many: usize) -> usize {
    let Some(full) = std::env::var_os("TRANSFEED_FULL") else { return few };
    let share: f64 = full.to_str().and_then(|share| share.parse().ok()).unwrap_or(1.0);
    if few == 0 || many == 0 || !(0.0..1.0).contains(&share) {
        return many;
    }
    let between = (few as f64).powf(1.0 - share) * (many as f64).powf(share);
    // never as few as without it
    (if few < many { between.ceil() } else { between.floor() }) as usize
}

/// The program, run in `dir` without standard input, colours and clock.
pub fn program(dir: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    surround(&mut command, dir);
    command
}

/// A shell script that calls the program `"$0"`, and whose arguments are `"$@"`.
pub fn shell(dir: &Path, script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script, PROGRAM]);
    surround(&mut command, dir);
    command
}

fn surround(command: &mut Command, dir: &Path) {
    // what is shown depends on the terminal and the locale
    command.env_remove("TERM").env_remove("LC_ALL").env_remove("LC_CTYPE").env_remove("LANG");
    command.current_dir(dir).env("NO_COLOR", "1").env("SOURCE_DATE_EPOCH", EPOCH).stdin(Stdio::null());
}

/// Makes the files of a folder that were changed in the last minute a minute older: a run trusts no file that was changed a
/// moment ago.
pub fn make_old(dir: &Path) {
    for entry in std::fs::read_dir(dir).expect("the folder can be listed").flatten() {
        let kind = entry.file_type().expect("a kind of file");
        if kind.is_dir() {
            make_old(&entry.path());
        } else if kind.is_file() {
            let changed = entry.metadata().and_then(|meta| meta.modified()).expect("a time of change");
            let minute = Duration::from_secs(60);
            if changed.elapsed().is_ok_and(|age| age < minute) {
                set_age(&entry.path(), changed - minute);
            }
        }
    }
}

/// Sets when a file was last changed; one that may not be written to keeps its age.
fn set_age(path: &Path, changed: SystemTime) {
    if let Ok(file) = std::fs::File::options().append(true).open(path) {
        file.set_modified(changed).expect("a time of change can be set");
    }
}

/// Gives the files in `dir` that `args` names the age [`NOW`]: an output may take a date from its input.
fn settle(dir: &Path, args: &[&str]) {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(EPOCH.parse().expect("a number"));
    for arg in args {
        let path = dir.join(arg);
        let meta = std::fs::symlink_metadata(&path);
        if Path::new(arg).is_relative() && meta.is_ok_and(|meta| meta.is_file()) {
            set_age(&path, now);
        }
    }
}

/// What `transfeed convert` makes of a document, in this process: the report with every occurrence, and what `-v` prints.
#[derive(Debug)]
pub struct Converted {
    /// The document.
    pub output: String,
    /// The report.
    pub report: Report,
    /// What `-v` prints.
    pub summary: String,
}

/// Converts in this process, with options of `transfeed convert`. An error is the exit code and the message of the
/// program; 70 also for a report that breaks its contract.
pub fn try_convert(input: &[u8], to: &str, options: &[&str]) -> Result<Converted, (i32, String)> {
    let threads: &[&str] = if options.contains(&"-j") { &[] } else { &["-j", "1"] };
    let now: &[&str] = if options.contains(&"--now") { &[] } else { &["--now", NOW] };
    let options = [&["--to", to], threads, now, options].concat();
    let converted = transfeed::cli::in_memory::convert(input, &options)
        .map_err(|error| (if error.is_bug() { 70 } else { 2 }, error.to_string()))?;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).map_err(|error| (70, error.to_string()));
    let report = Report::parse(&text(converted.report)?).map_err(|error| (70, error))?;
    Ok(Converted { output: text(converted.output)?, report, summary: converted.summary })
}

/// [`try_convert`], where nothing may go wrong.
#[track_caller]
pub fn convert(what: &str, input: &[u8], to: &str, options: &[&str]) -> Converted {
    match try_convert(input, to, options) {
        Ok(converted) => converted,
        Err((code, message)) => panic!("{what} to {to}: exit code {code}\n{message}"),
    }
}

/// What one run of the binary left behind.
#[derive(Debug)]
pub struct Run {
    /// The exit code; -1 after a signal.
    pub code: i32,
    /// Standard output, byte for byte.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    /// Standard output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Panics with the messages of the run unless it ended with exit code 0.
    #[track_caller]
    pub fn ok(self, what: &str) -> Self {
        assert_eq!(self.code, 0, "{what}: exit code {}\n{}", self.code, self.stderr);
        self
    }
}

/// Runs the program in `dir` with `args`, giving it `stdin` where there is any. For what the program is the subject
/// of: files, messages, exit codes; documents are converted by [`convert`].
pub fn transfeed(dir: &Path, args: &[&str], stdin: Option<&[u8]>) -> Run {
    if args.first().is_some_and(|command| *command != "migrate") {
        settle(dir, args);
    }
    let mut command = program(dir);
    command.args(args).stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() });
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary under test starts");
    let feeder = child.stdin.take().zip(stdin).map(|(mut pipe, bytes)| {
        let bytes = bytes.to_vec();
        // A child that refuses its arguments closes the pipe before it is read: no failure of the test's own.
        std::thread::spawn(move || drop(pipe.write_all(&bytes)))
    });
    let output = child.wait_with_output().expect("the binary under test ends");
    if let Some(feeder) = feeder {
        feeder.join().expect("the thread that feeds stdin ends");
    }
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Highest resident memory of a run, in KiB, as far as it can be seen from outside; its exit code and messages.
#[cfg(target_os = "linux")]
pub fn watch(dir: &Path, args: &[&str]) -> (u64, Option<i32>, String) {
    let mut child = program(dir)
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary under test starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("the child can be waited for").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let found = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = peak.max(found.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("the child has ended");
    (peak, output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Whether whoever runs the tests has had a signal ignored, as `nohup` and jobs in the background do: what they start
/// ignores it too.
pub fn is_ignored(signal: &str) -> bool {
    let number =
        [("HUP", 1), ("INT", 2), ("TERM", 15)].iter().find(|(name, _)| *name == signal).map_or(0, |found| found.1);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    number > 0 && mask >> (number - 1) & 1 == 1
}

/// Adds the files below a folder; none where there is no such folder.
pub fn files(folder: PathBuf, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(&folder) else { return };
    for path in entries.map(|file| file.expect("the folder can be read").path()) {
        match path.is_dir() {
            true => files(path, found),
            false => found.push(path),
        }
    }
}

/// A folder of its own for the calling test, emptied.
pub fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(std::fs::remove_dir_all(&dir));
    std::fs::create_dir_all(&dir).expect("the scratch folder can be made");
    dir
}

/// One leaf of a source document: an attribute value or a run of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// From the root, with the prefixes of the source: `rss/channel/item/media:content/@bitrate`.
    pub path: String,
    /// Local name of the element that holds the leaf.
    pub owner: String,
    /// Local name of the attribute; none for text.
    pub attribute: Option<String>,
    /// Namespace of the element that holds the leaf; empty if none.
    pub namespace: String,
    /// The decoded value.
    pub value: String,
    /// 1-based line where the leaf begins.
    pub line: u32,
    /// 1-based column in characters.
    pub column: u32,
    /// Where the element that holds the leaf begins: the same for all leaves of one element.
    pub element: usize,
}

/// Every leaf of a document, in document order: attributes (`xmlns` apart) and runs of text that are more
/// than white space. CDATA, references and comments inside a run make one value of it.
pub fn leaves(xml: &str) -> Vec<Leaf> {
    let document = parse(xml);
    let lines = Lines::of(xml);
    let mut found = Vec::new();
    let mut paths: HashMap<roxmltree::NodeId, String> = HashMap::new();
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let path = child_path(xml, &paths, node);
        for attribute in node.attributes() {
            let at = attribute.range().start;
            let name = name_at(xml, at);
            found.push(leaf(node, format!("{path}/@{name}"), Some(attribute.name()), attribute.value(), lines.at(at)));
        }
        for (at, value) in runs(node) {
            found.push(leaf(node, path.clone(), None, &value, lines.at(at)));
        }
        paths.insert(node.id(), path);
    }
    found
}

/// How many elements of the given namespaces have neither attributes nor content: leaves without a value
/// where no reader knows them.
pub fn empty_elements(xml: &str, namespaces: &[&str]) -> usize {
    let document = parse(xml);
    let bare = |node: &roxmltree::Node<'_, '_>| {
        node.is_element()
            && node.attributes().len() == 0
            && node.children().all(|child| child.text().unwrap_or_default().trim().is_empty() && !child.is_element())
            && namespaces.contains(&node.tag_name().namespace().unwrap_or_default())
    };
    document.descendants().filter(bare).count()
}

#[track_caller]
fn parse(xml: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    match roxmltree::Document::parse_with_options(xml, options) {
        Ok(document) => document,
        Err(error) => panic!("not well-formed: {error}\n{}", xml.chars().take(2000).collect::<String>()),
    }
}

fn leaf(
    node: roxmltree::Node<'_, '_>,
    path: String,
    attribute: Option<&str>,
    value: &str,
    (line, column): (u32, u32),
) -> Leaf {
    Leaf {
        path,
        owner: node.tag_name().name().to_owned(),
        attribute: attribute.map(str::to_owned),
        namespace: node.tag_name().namespace().unwrap_or_default().to_owned(),
        value: value.to_owned(),
        line,
        column,
        element: node.range().start,
    }
}

fn child_path(xml: &str, paths: &HashMap<roxmltree::NodeId, String>, node: roxmltree::Node<'_, '_>) -> String {
    let name = name_at(xml, node.range().start + 1);
    match node.parent_element().and_then(|parent| paths.get(&parent.id())) {
        Some(parent) => format!("{parent}/{name}"),
        None => name.to_owned(),
    }
}

/// The qualified name that begins at byte `at`.
fn name_at(xml: &str, at: usize) -> &str {
    let rest = &xml[at..];
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '/' | '>')).unwrap_or(rest.len());
    &rest[..end]
}

/// The runs of text of an element with the offset at which each is booked: what it begins with at the start tag.
fn runs(node: roxmltree::Node<'_, '_>) -> Vec<(usize, String)> {
    let mut runs: Vec<(usize, String)> = Vec::new();
    let (mut open, mut begun) = (false, None);
    for child in node.children() {
        if child.is_text() {
            match runs.last_mut() {
                Some((_, run)) if open => run.push_str(child.text().unwrap_or_default()),
                _ => runs.push((child.range().start, child.text().unwrap_or_default().to_owned())),
            }
            open = true;
        } else if child.is_element() {
            open = false;
            begun = begun.or(Some(child.range().start));
        }
    }
    runs.retain(|(_, run)| !run.trim().is_empty());
    if let Some(first) = runs.first_mut().filter(|(at, _)| begun.is_none_or(|begun| *at < begun)) {
        first.0 = node.range().start;
    }
    runs
}

/// Line starts of a document, so that a position costs a search and not a scan.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { text, starts }
    }

    fn at(&self, offset: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let column = self.text[self.starts[line - 1]..offset].chars().count() + 1;
        (line as u32, column as u32)
    }
}

/// One occurrence of a `.jsonl` report.
#[derive(Debug, Clone)]
pub struct Occurrence {
    /// `lost`, `changed`, `merged`, `unread` or `made`.
    pub kind: String,
    /// The code of the closed list.
    pub code: String,
    /// The model's name of the field.
    pub field: String,
    /// The reason, for people.
    pub why: String,
    /// Where the leaf stands; empty where the report has none.
    pub path: String,
    /// 1-based; 0 where the report has none.
    pub line: u32,
    /// 1-based; 0 where the report has none.
    pub column: u32,
    /// The source value.
    pub from: Option<String>,
    /// The value as it stands in the output.
    pub to: Option<String>,
    /// 0-based number of the entry in its source; none for the head.
    pub entry: Option<u64>,
}

/// The totals of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Leaves of the source.
    pub leaves: u64,
    /// In the output as they were.
    pub kept: u64,
    /// In the output, altered or elsewhere.
    pub changed: u64,
    /// Not in the output.
    pub lost: u64,
    /// Understood by no reader.
    pub unread: u64,
    /// Become one with another value.
    pub merged: u64,
    /// Made up; no leaves.
    pub made: u64,
}

impl Totals {
    /// Whether every leaf is accounted for.
    pub fn balance(&self) -> bool {
        self.leaves == self.kept + self.changed + self.lost + self.unread + self.merged
    }
}

/// A `.jsonl` report.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Every occurrence, in the order of the file.
    pub rows: Vec<Occurrence>,
    /// The last line.
    pub totals: Totals,
}

impl Report {
    /// Reads the lines of a report; an error names the line that breaks the contract.
    pub fn parse(text: &str) -> Result<Report, String> {
        let mut report = Report::default();
        let mut totals = None;
        for (number, line) in text.lines().enumerate() {
            let value: Value =
                serde_json::from_str(line).map_err(|error| format!("report line {}: {error}", number + 1))?;
            if totals.is_some() {
                return Err(format!("report line {}: stands after the totals", number + 1));
            }
            match value.get("totals") {
                Some(sums) => totals = Some(totals_of(sums)?),
                None => report.rows.push(
                    occurrence(&value)
                        .ok_or_else(|| format!("report line {}: not an occurrence: {line}", number + 1))?,
                ),
            }
        }
        report.totals = totals.ok_or("the report has no totals")?;
        report.check()?;
        Ok(report)
    }

    /// Reads the report in `file`.
    pub fn read(file: &Path) -> Result<Report, String> {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        Report::parse(&text)
    }

    /// Totals that balance, and as many lines of each kind as the totals say.
    fn check(&self) -> Result<(), String> {
        let totals = self.totals;
        if !totals.balance() {
            return Err(format!("the books do not balance: {totals:?}"));
        }
        let said = [
            ("changed", totals.changed),
            ("lost", totals.lost),
            ("unread", totals.unread),
            ("merged", totals.merged),
            ("made", totals.made),
        ];
        for (kind, total) in said {
            let lines = self.rows.iter().filter(|row| row.kind == kind).count() as u64;
            if lines != total {
                return Err(format!("totals say {total} {kind}, the report has {lines} such lines"));
            }
        }
        match self.rows.iter().find(|row| !fits(row)) {
            Some(row) => Err(format!("{} {} of {} to {:?}", row.kind, row.code, row.field, row.to)),
            None => Ok(()),
        }
    }
}

/// What can be told of a value that is in the output, but not as it was.
const CHANGES: &[&str] = &[
    "truncated",
    "markup_stripped",
    "type_changed",
    "precision_raised",
    "precision_dropped",
    "zone_assumed",
    "unit_converted",
    "rescaled",
    "rounded",
    "enum_mapped",
    "country_fixed",
    "country_dropped",
    "moved",
    "joined",
    "split",
    "id_derived",
    "permalink_changed",
    "url_normalized",
    "url_rewritten",
    "fragment_dropped",
    "foreign_kept",
];

/// Whether an occurrence has a code of its kind, and says what became of what is in the output.
fn fits(row: &Occurrence) -> bool {
    let code = row.code.as_str();
    match row.kind.as_str() {
        "changed" => CHANGES.contains(&code) && row.to.is_some(),
        "merged" => matches!(code, "duplicate_merged" | "conflict_first_wins"),
        "unread" => matches!(code, "foreign_kept" | "extension_dropped" | "invalid_dropped"),
        "made" => (code.starts_with("synth_") || matches!(code, "id_derived" | "moved")) && row.to.is_some(),
        // a list that lost all its members is lost for the reason of the last
        _ => !CHANGES.contains(&code) && !code.starts_with("synth_") || code == "country_dropped",
    }
}

fn occurrence(value: &Value) -> Option<Occurrence> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let number = |name: &str| value.get(name).and_then(Value::as_u64).unwrap_or(0) as u32;
    let kind = text("kind").filter(|kind| ["lost", "changed", "merged", "unread", "made"].contains(&kind.as_str()))?;
    Some(Occurrence {
        kind,
        code: text("code")?,
        field: text("field")?,
        why: text("why").unwrap_or_default(),
        path: text("path").unwrap_or_default(),
        line: number("line"),
        column: number("column"),
        from: text("from"),
        to: text("to"),
        entry: value.get("entry").and_then(Value::as_u64),
    })
}

fn totals_of(sums: &Value) -> Result<Totals, String> {
    let sum = |name: &str| {
        sums.get(name).and_then(Value::as_u64).ok_or_else(|| format!("totals lack a number of {name}: {sums}"))
    };
    Ok(Totals {
        leaves: sum("leaves")?,
        kept: sum("kept")?,
        changed: sum("changed")?,
        lost: sum("lost")?,
        unread: sum("unread")?,
        merged: sum("merged")?,
        made: sum("made")?,
    })
}

/// Removes what of a model tells where in the source something stood and not what: `line` and `link_order`.
pub fn without_lines(model: &mut Value) {
    let mut open = vec![model];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                members.remove("line");
                members.remove("link_order");
                open.extend(members.values_mut());
            }
            Value::Array(items) => open.extend(items.iter_mut()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// The lines in which two texts differ, `-` expected and `+` found, with a little of what surrounds them.
pub fn line_diff(expected: &str, found: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_mid, new_mid) = (&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]);
    let mut out = format!("@ line {}\n", head + 1);
    for line in &old[head.saturating_sub(2)..head] {
        out.push_str(&format!("  {line}\n"));
    }
    for (sign, line) in common_lines(old_mid, new_mid) {
        out.push_str(&format!("{sign} {line}\n"));
    }
    for line in old_rest[old_rest.len() - tail..].iter().take(2) {
        out.push_str(&format!("  {line}\n"));
    }
    if expected.ends_with('\n') != found.ends_with('\n') {
        out.push_str("(the final newline differs)\n");
    }
    out
}

/// Lines of both sides by their longest common subsequence; a long stretch is shown whole instead.
fn common_lines<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(char, &'a str)> {
    if old.len() * new.len() > 4_000_000 {
        return old.iter().map(|line| ('-', *line)).chain(new.iter().map(|line| ('+', *line))).collect();
    }
    let mut longest = vec![vec![0u32; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i][j] = match old[i] == new[j] {
                true => longest[i + 1][j + 1] + 1,
                false => longest[i + 1][j].max(longest[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && longest[i + 1][j] >= longest[i][j + 1]) {
            out.push(('-', old[i]));
            i += 1;
        } else {
            out.push(('+', new[j]));
            j += 1;
        }
    }
    out
}
