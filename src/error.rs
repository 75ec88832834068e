//! Why a run could not go on. What a conversion loses is no error (ledger.rs), nor is a repaired input.

use std::fmt;
use std::io;

/// An error of a run.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    /// The input it is about.
    input: Option<String>,
}

/// The kinds of trouble that end a run.
#[derive(Debug)]
pub enum ErrorKind {
    /// Reading or writing failed.
    Io {
        /// What part it had in the run.
        part: Part,
        /// The file, or what stands for it.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// The head of the document cannot be read.
    Xml {
        /// 1-based line.
        line: u32,
        /// 1-based column in characters.
        column: u32,
        /// What is wrong there.
        says: String,
    },
    /// No known format, or one that cannot be read, or written, here.
    Format {
        /// What it looks like.
        looks: String,
        /// What to do.
        hint: String,
    },
    /// A limit was passed that costs the document.
    Limit {
        /// The option that raises it.
        option: &'static str,
        /// What was passed.
        says: String,
    },
    /// The conversion came to its end, but its output is not to take the place of the one before.
    Refused {
        /// 1-based line and column in the input, where the reason has a place there.
        at: Option<(u32, u32)>,
        /// Why.
        says: String,
        /// What to do.
        hint: String,
        /// The user set the bound that was missed (`--min-entries`): a finding, not trouble.
        finding: bool,
    },
    /// With `--strict`, a repair or an entry that cannot be written.
    Strict {
        /// 1-based line, 0 where no place is meant.
        line: u32,
        /// What was found.
        says: String,
    },
    /// The books do not balance: a mistake of this program.
    Unbalanced {
        /// 1-based line of the leaf.
        line: u32,
        /// Its path.
        path: String,
        /// Its field.
        field: &'static str,
        /// What is wrong.
        what: &'static str,
    },
    /// What was written does not read back as it was meant: a mistake of this program or of the reader.
    Verify {
        /// What differs.
        says: String,
    },
}

/// What a file that cannot be read or written was there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// What its name says: an input, a report, a folder.
    Named,
    /// The output, whose name only the caller knows.
    Output,
    /// What findings are handed to.
    Findings,
    /// A temporary file.
    Temporary,
}

impl Error {
    /// What kind of trouble it is.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The same error, said of this input, unless it names one already.
    #[must_use]
    pub fn in_input(mut self, name: &str) -> Error {
        if !matches!(self.0.kind, ErrorKind::Io { .. }) {
            self.0.input.get_or_insert_with(|| name.to_owned());
        }
        self
    }

    /// The input it is about, if that is known.
    pub fn input(&self) -> Option<&str> {
        self.0.input.as_deref()
    }

    /// Line and column, where the trouble has a place in the source; the column is 0 where only the line is known.
    pub fn position(&self) -> Option<(u32, u32)> {
        match self.0.kind {
            ErrorKind::Xml { line, column, .. } => Some((line, column)),
            ErrorKind::Refused { at, .. } => at,
            ErrorKind::Strict { line, .. } | ErrorKind::Unbalanced { line, .. } if line > 0 => Some((line, 0)),
            _ => None,
        }
    }

    /// The same error under the name that the user gave the output. The system's words may hold the name of a temporary,
    /// which nobody knows; its kind says enough.
    #[must_use]
    #[cfg(feature = "cli")]
    pub(crate) fn in_output(mut self, output: &str) -> Error {
        if let ErrorKind::Io { part: part @ Part::Output, name, source } = &mut self.0.kind {
            *part = Part::Named;
            *name = if output == "-" { "standard output".to_owned() } else { output.to_owned() };
            *source = io::Error::from(source.kind());
        }
        self
    }

    /// The same where what is written waits for the end in a temporary file.
    #[cfg(feature = "cli")]
    pub(crate) fn in_temporary(mut self) -> Error {
        if let ErrorKind::Io { part: part @ Part::Output, name, .. } = &mut self.0.kind {
            (*part, *name) = (Part::Temporary, "temporary file".to_owned());
        }
        self
    }

    /// Reading or writing `name` failed.
    pub fn io(name: impl Into<String>, source: io::Error) -> Error {
        ErrorKind::Io { part: Part::Named, name: name.into(), source }.into()
    }

    /// Writing the output failed.
    pub(crate) fn output(source: io::Error) -> Error {
        ErrorKind::Io { part: Part::Output, name: "output".to_owned(), source }.into()
    }

    /// Findings could not be handed on.
    pub(crate) fn findings(source: io::Error) -> Error {
        ErrorKind::Io { part: Part::Findings, name: "findings".to_owned(), source }.into()
    }

    /// What memory could not hold could not be written to a temporary file, or not be read back.
    pub(crate) fn temporary(source: io::Error) -> Error {
        ErrorKind::Io { part: Part::Temporary, name: "temporary file".to_owned(), source }.into()
    }

    /// What stands there is no format that can be used here.
    pub fn format(looks: impl Into<String>, hint: impl Into<String>) -> Error {
        ErrorKind::Format { looks: looks.into(), hint: hint.into() }.into()
    }

    /// Whether this program is at fault, not its input.
    pub fn is_bug(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Unbalanced { .. } | ErrorKind::Verify { .. })
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Error {
        Error(Box::new(Inner { kind, input: None }))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(input) = self.0.input.as_deref() {
            write!(f, "{}:", if input == "-" { "standard input" } else { input })?;
        }
        match self.position() {
            Some((line, 0)) => write!(f, "{line}: ")?,
            Some((line, column)) => write!(f, "{line}:{column}: ")?,
            None if self.0.input.is_some() => f.write_str(" ")?,
            None => (),
        }
        match &self.0.kind {
            ErrorKind::Io { name, source, .. } => write!(f, "{name}: {}", plain(source)),
            ErrorKind::Xml { says, .. } => f.write_str(says),
            ErrorKind::Format { looks, hint } => write!(f, "{looks}; {hint}"),
            ErrorKind::Limit { option, says } => write!(f, "{says}; {option} raises the limit"),
            ErrorKind::Refused { says, hint, .. } => write!(f, "{says}; {hint}"),
            ErrorKind::Strict { says, .. } => write!(f, "{says} (--strict)"),
            ErrorKind::Unbalanced { path, field, what, .. } => {
                write!(f, "bug: {field} at {path} {what}; please report it with the document")
            }
            ErrorKind::Verify { says } => write!(f, "bug: the output reads back differently: {says}"),
        }
    }
}

/// The words of the system without its number for them.
pub(crate) fn plain(error: &io::Error) -> String {
    let mut text = error.to_string();
    if error.raw_os_error().is_some()
        && let Some(end) = text.rfind(" (os error ")
    {
        text.truncate(end);
    }
    text
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
