//! The result of a comparison as text: findings as they are found, then the totals.

use std::io::Write;
use std::path::PathBuf;

use unicode_width::UnicodeWidthStr;

use super::inputs::DiffInputs;
use super::later::{DeferredDifference, DeferredDifferences, SHOWN};
use super::words::{both, quoted};
use crate::cli::color::{added, bold, faint, noted, removed};
use crate::cli::columns::columns;
use crate::cli::output::stdout_error;
use crate::diff::{
    ChangedEntry, ComparedValue, DiffSums, Difference, DifferenceSink, FieldChange, FileSums, FoldedField, MovedEntry,
    NotComparable, UnpairedEntry,
};
use crate::error::Error;
use crate::inspect::text::narrow;
use crate::job::shown;
use crate::report::{input_title, make_visible};
use crate::text::{grouped, many};

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DiffDetail {
    /// Nothing.
    Nothing,
    /// The sums, a line each.
    Sums,
    /// The first findings.
    Some,
    /// All of them.
    All,
}

/// Columns that a title needs beside the URL of its entry; a title with less room gets its own line.
const ROOM: usize = 16;

/// Findings as text.
pub struct DifferenceText<W> {
    out: W,
    manner: DiffDetail,
    names: (String, String),
    /// Findings that were shown, and those that were not.
    told: u64,
    rest: u64,
    header: bool,
    /// For folders, their names: files without differences are not mentioned.
    folders: Option<(String, String)>,
    /// The sums over all files of folders.
    all: Box<DiffSums>,
    /// Each field that was not compared is listed.
    verbose: bool,
    /// Columns of the terminal.
    width: usize,
    /// Changes of which it is not known yet whether they are shown.
    later: Option<DeferredDifferences>,
    temp_dir: Option<PathBuf>,
}

impl<W: Write + Send> DifferenceText<W> {
    /// Onto this.
    pub fn new(out: W, manner: DiffDetail) -> DifferenceText<W> {
        DifferenceText {
            out,
            manner,
            names: (String::new(), String::new()),
            told: 0,
            rest: 0,
            header: false,
            folders: None,
            all: Box::default(),
            verbose: false,
            width: columns(),
            later: None,
            temp_dir: None,
        }
    }

    /// Whether each field that was not compared is listed.
    pub fn verbose(mut self, verbose: bool) -> DifferenceText<W> {
        self.verbose = verbose;
        self
    }

    /// Where temporary files are made.
    pub fn temp_dir(mut self, dir: Option<PathBuf>) -> DifferenceText<W> {
        self.temp_dir = dir;
        self
    }

    /// The comparisons are of the files of these two folders.
    pub fn of_folders(&mut self, a: &str, b: &str) {
        self.folders = Some((make_visible(a), make_visible(b)));
    }

    /// Begins a comparison of these.
    pub fn begin(&mut self, a: &str, b: &str) {
        (self.names, self.header) = ((input_title(a), input_title(b)), false);
        (self.told, self.rest, self.later) = (0, 0, None);
    }

    fn line(&mut self, text: &str) -> Result<(), Error> {
        writeln!(self.out, "{text}").map_err(stdout_error)
    }

    fn header(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.header, true) {
            return Ok(());
        }
        let (a, b) = self.names.clone();
        self.line(&format!("{} → {}", bold(&a), bold(&b)))
    }

    /// Writes what is still buffered.
    ///
    /// # Errors
    /// An error of the output.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.out.flush().map_err(stdout_error)
    }

    /// Adds sums to those of all files.
    pub fn add(&mut self, sums: &DiffSums) {
        self.all.add(sums);
    }

    /// Writes the sums at the end of a comparison.
    ///
    /// # Errors
    /// An error of the output.
    pub fn end(&mut self, sums: &DiffSums) -> Result<(), Error> {
        let many = self.folders.is_some();
        let idle = many && sums.is_same() && sums.not_comparable.is_empty();
        match self.manner {
            DiffDetail::Sums if many => {
                self.add(sums);
                Ok(())
            }
            DiffDetail::Some if idle => Ok(()),
            DiffDetail::Nothing => Ok(()),
            DiffDetail::Sums => self.sums(sums),
            DiffDetail::Some => {
                self.changes(sums)?;
                self.summary(sums)
            }
            DiffDetail::All => self.summary(sums),
        }
    }

    /// The changes that wait. A field that changed nearly everywhere is one line; an entry of which nothing else changed is not
    /// listed.
    fn changes(&mut self, sums: &DiffSums) -> Result<(), Error> {
        for folded in &sums.folded {
            self.header()?;
            self.line(&folded_row(folded))?;
        }
        let Some(later) = self.later.take() else { return Ok(()) };
        let is_folded = |name: &str| sums.folded.iter().any(|folded| folded.field == name);
        for waiting in later.all().map_err(Error::temporary)? {
            let DeferredDifference { head, fields } = waiting.map_err(Error::temporary)?;
            if !fields.is_empty() && fields.iter().all(|(name, _)| is_folded(name)) {
                continue;
            }
            if self.told >= SHOWN || head.is_empty() {
                self.rest += 1;
                continue;
            }
            self.told += 1;
            self.header()?;
            self.line(&head)?;
            for (_, line) in fields.iter().filter(|(name, line)| !line.is_empty() && !is_folded(name)) {
                self.line(line)?;
            }
        }
        Ok(())
    }

    /// A line for each kind and field.
    fn sums(&mut self, sums: &DiffSums) -> Result<(), Error> {
        self.header()?;
        let kinds = [
            ("added", sums.added),
            ("removed", sums.removed),
            ("moved", sums.moved),
            ("changed", sums.changed),
            ("same", sums.same),
        ];
        let wide = sums.fields.keys().map(|name| name.len() + 2).max().unwrap_or(0).max(8);
        for (name, count) in kinds {
            self.line(&format!("{name:<wide$}  {}", grouped(count)))?;
            if name == "changed" {
                for (field, count) in &sums.fields {
                    self.line(&format!("  {field:<width$}  {}", grouped(*count), width = wide - 2))?;
                }
            }
        }
        self.reasons(&sums.not_comparable)
    }

    fn summary(&mut self, sums: &DiffSums) -> Result<(), Error> {
        self.header()?;
        if self.rest > 0 {
            self.line(&faint(&format!("… and {} more; --all shows them", grouped(self.rest))))?;
        }
        if sums.changed > 1 {
            let mut fields: Vec<(&String, &u64)> = sums.fields.iter().collect();
            fields.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
            let told: Vec<String> =
                fields.iter().take(12).map(|(name, count)| format!("{name} {}", grouped(**count))).collect();
            let more = if fields.len() > 12 { ", …" } else { "" };
            self.line(&format!("fields: {}{more}", told.join(", ")))?;
        }
        self.reasons(&sums.not_comparable)?;
        let side = |count: u64, format: &str| format!("{} of {format}", many(count, "entry", "entries"));
        let (a, b) = (side(sums.a.entries, &sums.a.format), side(sums.b.entries, &sums.b.format));
        let counts = match sums.is_same() {
            true => "the same".to_owned(),
            false => {
                let all = [
                    (sums.added, "added"),
                    (sums.removed, "removed"),
                    (sums.moved, "moved"),
                    (sums.changed, "changed"),
                ];
                let told = all
                    .iter()
                    .filter(|(count, _)| *count > 0)
                    .map(|(count, what)| format!("{} {what}", grouped(*count)));
                told.chain([format!("{} the same", grouped(sums.same))]).collect::<Vec<_>>().join(", ")
            }
        };
        self.line(&format!("{a}, {b}: {}", bold(&counts)))
    }

    /// What cannot be compared: a line, or one for each reason.
    fn reasons(&mut self, rows: &[NotComparable]) -> Result<(), Error> {
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        for row in rows {
            match reasons.iter_mut().find(|(why, _)| *why == row.why) {
                Some((_, fields)) => fields.push(row.field),
                None => reasons.push((&row.why, vec![row.field])),
            }
        }
        let whole = |(why, fields): &(&str, Vec<&str>)| format!("not compared: {} ({why})", fields.join(", "));
        let width = self.width;
        match reasons.as_slice() {
            [] => Ok(()),
            all if self.verbose || self.manner == DiffDetail::All => {
                all.iter().try_for_each(|reason| self.line(&faint(&whole(reason))))
            }
            [only] if whole(only).width() <= width => self.line(&faint(&whole(only))),
            all => self.line(&faint(&not_compared(all, width))),
        }
    }

    /// Writes the summary under a comparison of folders.
    ///
    /// # Errors
    /// An error of the output.
    pub fn files(&mut self, pairs: &DiffInputs, sums: &FileSums) -> Result<(), Error> {
        if self.manner == DiffDetail::Nothing {
            return Ok(());
        }
        let only_sums = self.manner == DiffDetail::Sums;
        if let (true, Some(folders)) = (only_sums, self.folders.take()) {
            (self.names, self.header) = (folders, false);
            let all = std::mem::take(&mut self.all);
            self.sums(&all)?;
        }
        for lone in pairs.only_a.iter().filter(|_| !only_sums) {
            self.line(&removed(&format!("- {}", shown(&lone.path))))?;
        }
        for lone in pairs.only_b.iter().filter(|_| !only_sums) {
            self.line(&added(&format!("+ {}", shown(&lone.path))))?;
        }
        let FileSums { files, files_same, files_added, files_removed, files_failed, .. } = *sums;
        let FileSums { same, added, removed, moved, changed, .. } = *sums;
        let told = |counts: &[(u64, &str)]| {
            let told = counts
                .iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, what)| format!(", {} {what}", grouped(*count)));
            told.collect::<String>()
        };
        let all = told(&[(files_added, "added"), (files_removed, "removed"), (files_failed, "failed")]);
        self.line(&format!("{} compared, {} the same{all}", many(files, "file", "files"), grouped(files_same)))?;
        let all = told(&[(added, "added"), (removed, "removed"), (moved, "moved"), (changed, "changed")]);
        match all.strip_prefix(", ").filter(|_| !only_sums) {
            Some(all) => self.line(&format!("in all of them: {}", bold(&format!("{all}, {same} the same")))),
            None => Ok(()),
        }
    }

    /// A line with the title of its entry before the places, or under it, where there is no room.
    fn with_title(&self, text: &str, title: Option<&str>, places: &str) -> String {
        let Some(title) = title.map(make_visible) else { return format!("{text}  {places}") };
        let taken = seen(text) + seen(places) + 6;
        let room = self.width.saturating_sub(taken);
        match room >= ROOM.min(title.width()) {
            true => format!("{text}  \"{}\"  {places}", narrow(&title, room)),
            false => format!("{text}  {places}\n    \"{}\"", narrow(&title, self.width.saturating_sub(6).max(ROOM))),
        }
    }

    fn unpaired_line(&self, sign: &str, lone: &UnpairedEntry, of_b: bool) -> String {
        let name = if of_b { &self.names.1 } else { &self.names.0 };
        let name = lone.file.as_deref().map_or_else(|| name.clone(), make_visible);
        let place = faint(&format!("{name}:{}", lone.line));
        let video = lone.video.as_ref().map(|video| format!(": video {}", make_visible(video))).unwrap_or_default();
        let text = format!("{sign} {}{video}", make_visible(&lone.key));
        let text = if of_b { added(&text) } else { removed(&text) };
        let text = self.with_title(&text, lone.title.as_deref(), &place);
        match lone.why {
            Some(why) => format!("{text}\n    a conversion drops it: {why}"),
            None => text,
        }
    }

    fn places(&self, (a, a_file): (u32, &Option<String>), (b, b_file): (u32, &Option<String>)) -> String {
        let name = |file: &Option<String>, side: &str| file.as_deref().map_or_else(|| side.to_owned(), make_visible);
        faint(&format!("{}:{a} {}:{b}", name(a_file, &self.names.0), name(b_file, &self.names.1)))
    }

    fn moved(&self, moved: &MovedEntry) -> String {
        let places = self.places((moved.a_line, &moved.a_file), (moved.b_line, &moved.b_file));
        let text = match moved.field {
            "order" => format!("{}: place {} → {}", make_visible(&moved.key), moved.a, moved.b),
            _ => both(&moved.a, &moved.b, true),
        };
        self.with_title(&format!("{} {text}", noted(">")), moved.title.as_deref(), &places)
    }

    fn changed(&self, changed: &ChangedEntry) -> DeferredDifference {
        let places = self.places((changed.a_line, &changed.a_file), (changed.b_line, &changed.b_file));
        let text = format!("{} {}", noted("~"), make_visible(&changed.key));
        let head = self.with_title(&text, changed.title.as_deref(), &places);
        let fields = changed.fields.iter().map(|field| (field.field.clone(), self.field(field))).collect();
        DeferredDifference { head, fields }
    }

    fn show(&mut self, found: &Difference) -> Result<(), Error> {
        self.told += 1;
        self.header()?;
        let DeferredDifference { head, fields } = self.text(found);
        self.line(&head)?;
        fields.iter().filter(|(_, line)| !line.is_empty()).try_for_each(|(_, line)| self.line(line))
    }

    fn wait(&mut self, found: &Difference) -> Result<(), Error> {
        let mut later = self.later.take().unwrap_or_else(|| DeferredDifferences::new(self.temp_dir.as_deref()));
        let added = later.add(fields_of(found), || self.text(found));
        self.later = Some(later);
        added.map_err(Error::temporary)
    }

    /// A finding as text.
    fn text(&self, found: &Difference) -> DeferredDifference {
        match found {
            Difference::Added(lone) => {
                DeferredDifference { head: self.unpaired_line("+", lone, true), fields: Vec::new() }
            }
            Difference::Removed(lone) => {
                DeferredDifference { head: self.unpaired_line("-", lone, false), fields: Vec::new() }
            }
            Difference::Moved(moved) => {
                DeferredDifference { head: self.moved(moved), fields: vec![(moved.field.to_owned(), String::new())] }
            }
            Difference::Changed(changed) => self.changed(changed),
        }
    }

    fn field(&self, change: &FieldChange) -> String {
        let whole = self.manner == DiffDetail::All;
        // the last step is the field itself; the first item of a list is the default and not shown
        let path = change.path.as_deref().and_then(|path| path.rsplit_once('.')).map(|(path, _)| path);
        let path = path.filter(|path| path.matches('[').count() > path.matches("[0]").count());
        let place = path.map_or_else(String::new, |path| faint(&format!(" of {}", make_visible(path))));
        let said = match (&change.a, &change.b) {
            (Some(ComparedValue::One(a)), Some(ComparedValue::One(b))) => both(a, b, whole),
            (Some(a), Some(b)) => format!("{} → {}", removed(&list(a, whole)), added(&list(b, whole))),
            (Some(a), None) => removed(&format!("- {}", list(a, whole))),
            (None, Some(b)) => added(&format!("+ {}", list(b, whole))),
            (None, None) => String::new(),
        };
        format!("    {}{place}: {said}", change.field)
    }
}

/// Columns of a text with colours.
fn seen(text: &str) -> usize {
    anstream::adapter::strip_str(text).to_string().width()
}

/// The names of the fields that changed about an entry; none of one that only one side has.
fn fields_of(found: &Difference) -> Vec<String> {
    let mut names: Vec<String> = match found {
        Difference::Added(_) | Difference::Removed(_) => Vec::new(),
        Difference::Moved(moved) => vec![moved.field.to_owned()],
        Difference::Changed(changed) => changed.fields.iter().map(|field| field.field.clone()).collect(),
    };
    names.sort_unstable();
    names.dedup();
    names
}

/// A field that changed nearly everywhere.
fn folded_row(folded: &FoldedField) -> String {
    let FoldedField { field, entries, of, a, b } = folded;
    let example = match (a, b) {
        (Some(a), Some(b)) => both(a, b, false),
        (Some(a), None) => removed(&format!("- {}", quoted(a, false))),
        (None, Some(b)) => added(&format!("+ {}", quoted(b, false))),
        (None, None) => String::new(),
    };
    let (entries, of) = (grouped(*entries), grouped(*of));
    format!("{} {field} changed in {entries} of {of} entries, e.g. {example}; --ignore {field} hides it", noted("~"))
}

/// How many fields were not compared, and as many of their names as fit.
fn not_compared(reasons: &[(&str, Vec<&str>)], width: usize) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in reasons.iter().flat_map(|(_, fields)| fields) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let line = |shown: usize| {
        let examples = if shown < names.len() { "e.g. " } else { "" };
        let count = many(names.len() as u64, "field", "fields");
        format!("not compared: {count}, {examples}{} (-v lists them)", names.get(..shown).unwrap_or(&[]).join(", "))
    };
    let fits = (2..=names.len()).take_while(|shown| line(*shown).width() <= width).last();
    line(fits.unwrap_or(1))
}

fn list(told: &ComparedValue, whole: bool) -> String {
    match told {
        ComparedValue::One(value) => quoted(value, whole),
        ComparedValue::Many(values) => {
            let most = if whole { usize::MAX } else { 10 };
            let more = if values.len() > most { ", …" } else { "" };
            let shown: Vec<String> = values.iter().take(most).map(|value| quoted(value, whole)).collect();
            format!("{}{more}", shown.join(", "))
        }
    }
}

impl<W: Write + Send> DifferenceSink for DifferenceText<W> {
    fn take(&mut self, found: Difference) -> Result<(), Error> {
        match (self.manner, &found) {
            (DiffDetail::Nothing | DiffDetail::Sums, _) => Ok(()),
            (DiffDetail::All, _) => self.show(&found),
            // the sums decide which changes are shown, so these wait, and so does everything after them
            (DiffDetail::Some, Difference::Moved(_) | Difference::Changed(_)) => self.wait(&found),
            (DiffDetail::Some, _) if self.later.is_some() => self.wait(&found),
            (DiffDetail::Some, _) if self.told < SHOWN => self.show(&found),
            (DiffDetail::Some, _) => {
                self.rest += 1;
                Ok(())
            }
        }
    }
}
