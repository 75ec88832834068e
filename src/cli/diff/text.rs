//! What a comparison found, as text for people: findings as they are made, then the sums.

use std::io::{self, Write};

use super::inputs::Pairs;
use super::words::{both, quoted};
use crate::cli::color::{added, bold, faint, noted, removed};
use crate::diff::{Changed, FieldChange, FileSums, Found, Lone, Moved, NotComparable, Sums, Take, Told};
use crate::error::Error;
use crate::report::tame;
use crate::text::many;

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Nothing.
    Nothing,
    /// The sums, a line each.
    Sums,
    /// The first findings.
    Some,
    /// All of them.
    All,
}

/// Findings that are shown where not all are asked for.
const SHOWN: u64 = 50;

/// Lines on what cannot be compared.
const REASONS: usize = 20;

/// Findings as text.
pub struct Text<W> {
    out: W,
    manner: Manner,
    names: (String, String),
    told: u64,
    header: bool,
    /// Of two folders, their names: of files in which nothing differs, nothing is said.
    folders: Option<(String, String)>,
    /// The sums over all files of folders.
    all: Box<Sums>,
}

impl<W: Write + Send> Text<W> {
    /// Onto this.
    pub fn new(out: W, manner: Manner) -> Text<W> {
        Text {
            out,
            manner,
            names: (String::new(), String::new()),
            told: 0,
            header: false,
            folders: None,
            all: Box::default(),
        }
    }

    /// The comparisons are of the files of these two folders.
    pub fn of_folders(&mut self, a: &str, b: &str) {
        self.folders = Some((tame(a), tame(b)));
    }

    /// Begins a comparison of these.
    pub fn begin(&mut self, a: &str, b: &str) {
        (self.names, self.told, self.header) = ((tame(a), tame(b)), 0, false);
    }

    fn line(&mut self, text: &str) -> Result<(), Error> {
        writeln!(self.out, "{text}").map_err(gone)
    }

    fn header(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.header, true) {
            return Ok(());
        }
        let (a, b) = self.names.clone();
        self.line(&format!("{} → {}", bold(&a), bold(&b)))
    }

    /// Hands on all that is pending.
    ///
    /// # Errors
    /// What the output says.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.out.flush().map_err(gone)
    }

    /// The sums at the end of a comparison.
    ///
    /// # Errors
    /// What the output says.
    pub fn end(&mut self, sums: &Sums) -> Result<(), Error> {
        let many = self.folders.is_some();
        let idle = many && sums.is_same() && sums.not_comparable.is_empty();
        match self.manner {
            Manner::Sums if many => {
                self.all.add(sums);
                Ok(())
            }
            Manner::Some if idle => Ok(()),
            Manner::Nothing => Ok(()),
            Manner::Sums => self.sums(sums),
            Manner::Some | Manner::All => self.summary(sums),
        }
    }

    /// A line for each kind and field.
    fn sums(&mut self, sums: &Sums) -> Result<(), Error> {
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
            self.line(&format!("{name:<wide$}  {count}"))?;
            if name == "changed" {
                for (field, count) in &sums.fields {
                    self.line(&format!("  {field:<width$}  {count}", width = wide - 2))?;
                }
            }
        }
        self.reasons(&sums.not_comparable)
    }

    fn summary(&mut self, sums: &Sums) -> Result<(), Error> {
        self.header()?;
        if sums.found() > self.told {
            let more = sums.found() - self.told;
            self.line(&faint(&format!("… and {more} more; --all shows them")))?;
        }
        if sums.changed > 1 {
            let mut fields: Vec<(&String, &u64)> = sums.fields.iter().collect();
            fields.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
            let told: Vec<String> = fields.iter().take(12).map(|(name, count)| format!("{name} {count}")).collect();
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
                let told = all.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
                told.chain([format!("{} the same", sums.same)]).collect::<Vec<_>>().join(", ")
            }
        };
        self.line(&format!("{a}, {b}: {}", bold(&counts)))
    }

    /// What cannot be compared, by reason.
    fn reasons(&mut self, rows: &[NotComparable]) -> Result<(), Error> {
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        for row in rows {
            match reasons.iter_mut().find(|(why, _)| *why == row.why) {
                Some((_, fields)) => fields.push(row.field),
                None => reasons.push((&row.why, vec![row.field])),
            }
        }
        for (why, fields) in reasons.iter().take(REASONS) {
            let most = if self.manner == Manner::All { usize::MAX } else { 8 };
            let more = if fields.len() > most { format!(" and {} more", fields.len() - most) } else { String::new() };
            let told = fields.iter().take(most).copied().collect::<Vec<_>>().join(", ");
            self.line(&faint(&format!("not compared: {told}{more} ({why})")))?;
        }
        if reasons.len() > REASONS {
            self.line(&faint(&format!("not compared: … {} more reasons; --json has them", reasons.len() - REASONS)))?;
        }
        Ok(())
    }

    /// What stands under a comparison of folders.
    ///
    /// # Errors
    /// What the output says.
    pub fn files(&mut self, pairs: &Pairs, sums: &FileSums) -> Result<(), Error> {
        if self.manner == Manner::Nothing {
            return Ok(());
        }
        let only_sums = self.manner == Manner::Sums;
        if let (true, Some(folders)) = (only_sums, self.folders.take()) {
            (self.names, self.header) = (folders, false);
            let all = std::mem::take(&mut self.all);
            self.sums(&all)?;
        }
        for path in pairs.only_a.iter().filter(|_| !only_sums) {
            self.line(&removed(&format!("- {}", tame(path))))?;
        }
        for path in pairs.only_b.iter().filter(|_| !only_sums) {
            self.line(&added(&format!("+ {}", tame(path))))?;
        }
        let FileSums { files, files_same, files_added, files_removed, files_failed, .. } = *sums;
        let FileSums { same, added, removed, moved, changed, .. } = *sums;
        let told = |counts: &[(u64, &str)]| {
            let told = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
            told.collect::<String>()
        };
        let all = told(&[(files_added, "added"), (files_removed, "removed"), (files_failed, "failed")]);
        self.line(&format!("{} compared, {files_same} the same{all}", many(files, "file", "files")))?;
        let all = told(&[(added, "added"), (removed, "removed"), (moved, "moved"), (changed, "changed")]);
        match all.strip_prefix(", ").filter(|_| !only_sums) {
            Some(all) => self.line(&format!("in all of them: {}", bold(&format!("{all}, {same} the same")))),
            None => Ok(()),
        }
    }

    fn lone(&mut self, sign: &str, lone: &Lone, of_b: bool) -> Result<(), Error> {
        let name = if of_b { &self.names.1 } else { &self.names.0 };
        let name = lone.file.as_deref().map_or_else(|| name.clone(), tame);
        let place = faint(&format!("{name}:{}", lone.line));
        let video = lone.video.as_ref().map(|video| format!(": video {}", tame(video))).unwrap_or_default();
        let text = format!("{sign} {}{video}", tame(&lone.key));
        let text = if of_b { added(&text) } else { removed(&text) };
        self.line(&format!("{text}  {place}"))?;
        match lone.why {
            Some(why) => self.line(&format!("    a conversion drops it: {why}")),
            None => Ok(()),
        }
    }

    fn places(&self, (a, a_file): (u32, &Option<String>), (b, b_file): (u32, &Option<String>)) -> String {
        let name = |file: &Option<String>, side: &str| file.as_deref().map_or_else(|| side.to_owned(), tame);
        faint(&format!("{}:{a} {}:{b}", name(a_file, &self.names.0), name(b_file, &self.names.1)))
    }

    fn moved(&mut self, moved: &Moved) -> Result<(), Error> {
        let places = self.places((moved.a_line, &moved.a_file), (moved.b_line, &moved.b_file));
        let text = match moved.field {
            "order" => format!("{}: place {} → {}", tame(&moved.key), moved.a, moved.b),
            _ => both(&moved.a, &moved.b, true),
        };
        self.line(&format!("{} {text}  {places}", noted(">")))
    }

    fn changed(&mut self, changed: &Changed) -> Result<(), Error> {
        let places = self.places((changed.a_line, &changed.a_file), (changed.b_line, &changed.b_file));
        self.line(&format!("{} {}  {places}", noted("~"), tame(&changed.key)))?;
        for field in &changed.fields {
            self.field(field)?;
        }
        Ok(())
    }

    fn field(&mut self, change: &FieldChange) -> Result<(), Error> {
        let whole = self.manner == Manner::All;
        // its last step is that of the field, and the first of a list is meant where nothing is said
        let path = change.path.as_deref().and_then(|path| path.rsplit_once('.')).map(|(path, _)| path);
        let path = path.filter(|path| path.matches('[').count() > path.matches("[0]").count());
        let place = path.map_or_else(String::new, |path| faint(&format!(" of {}", tame(path))));
        let said = match (&change.a, &change.b) {
            (Some(Told::One(a)), Some(Told::One(b))) => both(a, b, whole),
            (Some(a), Some(b)) => format!("{} → {}", removed(&list(a, whole)), added(&list(b, whole))),
            (Some(a), None) => removed(&format!("- {}", list(a, whole))),
            (None, Some(b)) => added(&format!("+ {}", list(b, whole))),
            (None, None) => String::new(),
        };
        self.line(&format!("    {}{place}: {said}", change.field))
    }
}

fn list(told: &Told, whole: bool) -> String {
    match told {
        Told::One(value) => quoted(value, whole),
        Told::Many(values) => {
            let most = if whole { usize::MAX } else { 10 };
            let more = if values.len() > most { ", …" } else { "" };
            let shown: Vec<String> = values.iter().take(most).map(|value| quoted(value, whole)).collect();
            format!("{}{more}", shown.join(", "))
        }
    }
}

fn gone(error: io::Error) -> Error {
    Error::io("standard output", error)
}

impl<W: Write + Send> Take for Text<W> {
    fn take(&mut self, found: Found) -> Result<(), Error> {
        let shows = match self.manner {
            Manner::Nothing | Manner::Sums => false,
            Manner::Some => self.told < SHOWN,
            Manner::All => true,
        };
        if !shows {
            return Ok(());
        }
        self.told += 1;
        self.header()?;
        match &found {
            Found::Added(lone) => self.lone("+", lone, true),
            Found::Removed(lone) => self.lone("-", lone, false),
            Found::Moved(moved) => self.moved(moved),
            Found::Changed(changed) => self.changed(changed),
        }
    }
}
