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
    /// What its output must be.
    pub kind: Kind,
    /// What is asked of it.
    pub bound: Option<Bound>,
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

    /// A run of a part of this binary.
    pub fn own(&self, arguments: &[&str], input: &Path) -> Run {
        let mut command = vec![self.own.clone()];
        command.extend(arguments.iter().map(|&argument| argument.to_owned()));
        command.push(input.display().to_string());
        Run::new(command)
    }

    /// The row of a floor.
    pub fn floor(&self, name: &str, input: &Path) -> Row {
        let floor = FLOORS.iter().find(|floor| floor.name == name);
        let (title, inner) = floor.map_or((name, false), |floor| (floor.title, floor.inner));
        let run = Run { inner, ..self.own(&["floor", name], input) };
        Row { title: title.to_owned(), run, kind: Kind::Anything, bound: None }
    }

    /// The unit q.
    pub fn q(&self, document: &Document) -> Row {
        self.floor("quick-xml", &document.path)
    }

    /// What an expert writes by hand, without books.
    pub fn expert(&self, direction: &str, document: &Document, kind: Kind) -> Row {
        let run = self.own(&["expert", direction], &document.path);
        Row { title: "expert: quick-xml by hand, no report".to_owned(), run, kind, bound: None }
    }

    /// A row of transfeed for each that is to be measured. Arguments come after `convert INPUT`.
    pub fn transfeed(
        &self,
        title: &str,
        input: &Path,
        arguments: &[&str],
        kind: Kind,
        bound: Option<Bound>,
    ) -> Vec<Row> {
        let row = |binary: &Binary| {
            let mut command =
                vec![binary.path.clone(), "convert".to_owned(), input.display().to_string(), "-q".to_owned()];
            command.extend(arguments.iter().map(|&argument| argument.to_owned()));
            Row { title: format!("**{}**, {title}", binary.name), run: Run::new(command), kind, bound }
        };
        self.options.transfeed.iter().map(row).collect()
    }

    /// Whether every transfeed that is measured knows this option; says so where one does not.
    pub fn knows(&self, option: &str) -> bool {
        self.options.transfeed.iter().all(|binary| {
            let help = Command::new(&binary.path).args(["convert", "--help"]).output();
            let known = help.is_ok_and(|help| String::from_utf8_lossy(&help.stdout).contains(option));
            if !known {
                self.skip(&format!("rows with {option}: {} does not know it", binary.name));
            }
            known
        })
    }

    /// Says that something is left out.
    pub fn skip(&self, what: &str) {
        println!("\n> **SKIPPED** {what}");
        eprintln!("bench: SKIPPED {what}");
    }

    /// Checks, measures and prints rows over one document; the first row is the unit.
    pub fn table(&self, title: &str, unit: &str, document: &Document, rows: Vec<Row>) -> Result<Vec<Measured>, String> {
        let mut sound = Vec::new();
        for mut row in rows {
            if row.kind != Kind::Anything {
                row.run.output = Some(self.dir.join("output"));
            }
            match self.try_row(&row, document) {
                Ok(()) => sound.push(row),
                Err(message) if row.title.starts_with("**") => {
                    return Err(format!("{title}: {}: {message}", row.title));
                }
                Err(message) => self.skip(&format!("{}: {message}", row.title)),
            }
        }
        let mut measured: Vec<Measured> = sound
            .iter()
            .map(|row| Measured { title: row.title.clone(), costs: Vec::new(), bound: row.bound })
            .collect();
        for round in 0..self.options.rounds {
            eprintln!("bench: {title}, round {} of {}", round + 1, self.options.rounds);
            for (row, into) in sound.iter().zip(&mut measured) {
                into.costs.push(row.run.measure()?);
            }
        }
        table::print(title, document.made.bytes, Some(0), unit, &measured);
        Ok(measured)
    }

    fn try_row(&self, row: &Row, document: &Document) -> Result<(), String> {
        row.run.measure()?;
        match &row.run.output {
            Some(output) => check::check(output, row.kind, &document.recipe, &document.made),
            None => Ok(()),
        }
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        if self.temporary {
            // what cannot be removed is in the system's temporary directory
            let _ = fs::remove_dir_all(&self.dir);
        }
    }
}

/// A run that reads a document while it is made.
pub fn from_pipe(row: Row, recipe: Recipe) -> Row {
    Row { run: Run { feed: Feed::Made(recipe), ..row.run }, ..row }
}
