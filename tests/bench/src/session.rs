//! Runs the rows of a table: makes the document, checks what each row writes, measures all of them in turn, round by
//! round, and prints. What cannot run is named and left out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::catalogue::{Made, Recipe};
use crate::check::{self, Kind};
use crate::floors::FLOORS;
use crate::measure::{Feed, Run, make, own_path};
use crate::options::{Binary, Options};
use crate::table::{self, Bound, Measured};

/// A row to be measured.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it is called.
    pub title: String,
    /// What is run.
    pub run: Run,
    /// What it converts.
    pub document: Document,
    /// What its output must be.
    pub kind: Kind,
    /// What is asked of it.
    pub bounds: Vec<Bound>,
}

/// A document that was made.
#[derive(Clone, Debug)]
pub struct Document {
    /// Where it is.
    pub path: PathBuf,
    /// What it was made from.
    pub recipe: Recipe,
    /// What it came to.
    pub made: Made,
}

/// The whole of a bench run.
pub struct Session<'a> {
    /// What was asked for.
    pub options: &'a Options,
    /// Where files are made.
    pub dir: PathBuf,
    own: String,
    temporary: bool,
}

impl<'a> Session<'a> {
    /// Makes its directory.
    pub fn new(options: &'a Options) -> Result<Session<'a>, String> {
        let dir = options
            .dir
            .clone()
            .unwrap_or_else(|| std::env::temp_dir().join(format!("transfeed-bench-{}", std::process::id())));
        fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        let own = own_path()?.display().to_string();
        Ok(Session { options, dir, own, temporary: options.dir.is_none() })
    }

    /// Makes a document.
    pub fn document(&self, name: &str, recipe: Recipe) -> Result<Document, String> {
        let path = self.dir.join(name);
        let made = make(&recipe, &path)?;
        Ok(Document { path, recipe, made })
    }

    /// The path of a file of this session.
    pub fn file(&self, name: &str) -> String {
        self.dir.join(name).display().to_string()
    }

    /// A row of a part of this binary, which is told the file at last.
    pub fn own(&self, title: &str, arguments: &[&str], document: &Document, kind: Kind) -> Row {
        let mut command = vec![self.own.clone()];
        command.extend(arguments.iter().map(|&argument| argument.to_owned()));
        command.push(document.path.display().to_string());
        Row { title: title.to_owned(), run: Run::new(command), document: document.clone(), kind, bounds: Vec::new() }
    }

    /// The row of a floor.
    pub fn floor(&self, name: &str, document: &Document) -> Row {
        let floor = FLOORS.iter().find(|floor| floor.name == name);
        let (title, inner) = floor.map_or((name, false), |floor| (floor.title, floor.inner));
        let mut row = self.own(title, &["floor", name], document, Kind::Anything);
        row.run.inner = inner;
        row
    }

    /// The unit q.
    pub fn q(&self, document: &Document) -> Row {
        self.floor("quick-xml", document)
    }

    /// What an expert writes by hand, without books.
    pub fn expert(&self, direction: &str, document: &Document, kind: Kind) -> Row {
        self.own("expert: quick-xml by hand, no report", &["expert", direction], document, kind)
    }

    /// A row of transfeed for each that is to be measured. Arguments come after `convert INPUT`.
    pub fn transfeed(
        &self,
        title: &str,
        document: &Document,
        arguments: &[&str],
        kind: Kind,
        bounds: &[Bound],
    ) -> Vec<Row> {
        let each = |binary| self.transfeed_one(binary, title, document, arguments, kind, bounds);
        self.options.transfeed.iter().map(each).collect()
    }

    /// The row of one transfeed.
    pub fn transfeed_one(
        &self,
        binary: &Binary,
        title: &str,
        document: &Document,
        arguments: &[&str],
        kind: Kind,
        bounds: &[Bound],
    ) -> Row {
        let mut command = vec![binary.path.clone(), "convert".to_owned(), document.path.display().to_string()];
        command.push("-q".to_owned());
        command.extend(arguments.iter().map(|&argument| argument.to_owned()));
        let title = format!("**{}**, {title}", binary.name);
        Row { title, run: Run::new(command), document: document.clone(), kind, bounds: bounds.to_vec() }
    }

    /// The same conversion of a document that is made while it runs, on a pipe.
    pub fn piped(&self, mut row: Row) -> Row {
        row.run.feed = Feed::Made(row.document.recipe);
        let path = row.document.path.display().to_string();
        for argument in row.run.command.iter_mut().filter(|argument| **argument == path) {
            "-".clone_into(argument);
        }
        row
    }

    /// Whether every transfeed that is measured knows this option; says so where one does not.
    pub fn knows(&self, option: &str) -> bool {
        self.options.transfeed.iter().all(|binary| {
            let help = Command::new(&binary.path).args(["convert", "--help"]).output();
            let known = help.is_ok_and(|help| String::from_utf8_lossy(&help.stdout).contains(option));
            if !known {
                self.skip(&format!("rows with {}: {} does not know it", option.trim(), binary.name));
            }
            known
        })
    }

    /// Says that something is left out.
    pub fn skip(&self, what: &str) {
        println!("\n> **SKIPPED** {what}");
        eprintln!("bench: SKIPPED {what}");
    }

    /// Checks, measures and prints rows; where `unit` names it, the first is what others are divided by.
    pub fn table(&self, title: &str, unit: Option<&str>, rows: Vec<Row>) -> Result<Vec<Measured>, String> {
        self.table_of(title, unit, rows, self.options.rounds)
    }

    /// The same in that many rounds.
    pub fn table_of(
        &self,
        title: &str,
        unit: Option<&str>,
        rows: Vec<Row>,
        rounds: usize,
    ) -> Result<Vec<Measured>, String> {
        let mut sound = Vec::new();
        for mut row in rows {
            if row.kind != Kind::Anything {
                let output = self.dir.join("output");
                if row.title.starts_with("**") && row.kind != Kind::Edits {
                    row.run.command.extend(written_to(&output, &row.run.command));
                }
                row.run.output = Some(output);
            }
            match self.try_row(&row) {
                Ok(()) => sound.push(row),
                Err(message) if row.title.starts_with("**") => {
                    return Err(format!("{title}: {}: {message}", row.title));
                }
                Err(message) => self.skip(&format!("{}: {message}", row.title)),
            }
        }
        let blank = |row: &Row| Measured {
            title: row.title.clone(),
            costs: Vec::new(),
            bytes: row.document.made.bytes,
            bounds: row.bounds.clone(),
        };
        let mut measured: Vec<Measured> = sound.iter().map(blank).collect();
        for round in 0..rounds {
            eprintln!("bench: {title}, round {} of {rounds}", round + 1);
            for (row, into) in sound.iter().zip(&mut measured) {
                into.costs.push(row.run.measure()?);
            }
        }
        table::print(title, unit, &measured);
        Ok(measured)
    }

    /// Runs it once and looks at what it wrote.
    fn try_row(&self, row: &Row) -> Result<(), String> {
        row.run.measure()?;
        match &row.run.output {
            Some(output) => check::check(output, row.kind, &row.document.recipe, &row.document.made),
            None => Ok(()),
        }
    }
}

/// What makes transfeed write to a file, as most people have it, and not to its standard output: one file, whatever the
/// protocol of sitemaps says of its size.
fn written_to(output: &Path, command: &[String]) -> Vec<String> {
    let mut more = vec!["-o".to_owned(), output.display().to_string()];
    if command.iter().any(|word| word.ends_with("sitemap")) {
        more.push("--no-limits".to_owned());
    }
    more
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        if self.temporary {
            // what cannot be removed is in the system's temporary directory
            let _ = fs::remove_dir_all(&self.dir);
        }
    }
}
