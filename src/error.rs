//! Errors that stop a run. Losses (ledger.rs) and repairs of the input are not errors.

use std::fmt;
use std::io;

/// An error of a run.
#[derive(Debug)]
pub struct Error(Box<ErrorInner>);

#[derive(Debug)]
struct ErrorInner {
    kind: ErrorKind,
    /// The input of the error.
    input: Option<String>,
}

/// The kinds of errors.
#[derive(Debug)]
pub enum ErrorKind {
    /// Reading or writing failed.
    Io {
        /// The role of the file in the run.
        part: ErrorPart,
        /// The name of the file or stream.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The head of the document cannot be read.
    Xml {
        /// 1-based line.
        line: u32,
        /// 1-based column in characters.
        column: u32,
        /// The problem.
        says: String,
    },
    /// An unknown format, or one that cannot be read or written here.
    Format {
        /// The problem.
        looks: String,
        /// The action to try.
        hint: String,
    },
    /// The document exceeds a limit.
    Limit {
        /// The option that raises the limit.
        option: &'static str,
        /// The limit that was exceeded.
        says: String,
    },
    /// The conversion is complete, but its output must not replace the previous one.
    Refused {
        /// 1-based line and column in the input, if the reason has a place.
        at: Option<(u32, u32)>,
        /// Why.
        says: String,
        /// The action to try.
        hint: String,
        /// The user set the limit (`--min-entries`): a finding, not an error.
        finding: bool,
    },
    /// With `--strict`, a repair or an entry that cannot be written.
    Strict {
        /// 1-based line, 0 without a place.
        line: u32,
        /// The problem.
        says: String,
    },
    /// The books do not balance: a bug of this program.
    Unbalanced {
        /// 1-based line of the leaf.
        line: u32,
        /// Its path.
        path: String,
        /// Its field.
        field: &'static str,
        /// The problem.
        what: &'static str,
    },
    /// The output reads back differently: a bug of this program or of the reader.
    Verify {
        /// The difference.
        says: String,
    },
}

/// The role of a file that cannot be read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorPart {
    /// Known by its name: an input, a report, a folder.
    Named,
    /// The output; only the caller has its name.
    Output,
    /// The report of every occurrence; only the caller has its name.
    Report,
    /// The sink of findings.
    Findings,
    /// A temporary file.
    Temporary,
}

/// The name of a temporary file in messages.
const TEMPORARY: &str = "a temporary file";

impl Error {
    /// The kind of the error.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The same error with this input, unless it has one.
    #[must_use]
    pub fn in_input(mut self, name: &str) -> Error {
        if !matches!(self.0.kind, ErrorKind::Io { .. }) {
            self.0.input.get_or_insert_with(|| name.to_owned());
        }
        self
    }

    /// The input of the error, if known.
    pub fn input(&self) -> Option<&str> {
        self.0.input.as_deref()
    }

    /// Line and column, if the error has a place in the source; the column is 0 if only the line is known.
    pub fn position(&self) -> Option<(u32, u32)> {
        match self.0.kind {
            ErrorKind::Xml { line, column, .. } => Some((line, column)),
            ErrorKind::Refused { at, .. } => at,
            ErrorKind::Strict { line, .. } | ErrorKind::Unbalanced { line, .. } if line > 0 => Some((line, 0)),
            _ => None,
        }
    }

    /// The same error with the output name of the user. The text of the system may have the name of a temporary file,
    /// which is meaningless; its kind is enough.
    #[must_use]
    pub(crate) fn in_output(mut self, output: &str) -> Error {
        if let ErrorKind::Io { part: part @ ErrorPart::Output, name, source } = &mut self.0.kind {
            *part = ErrorPart::Named;
            *name = if output == "-" { "standard output".to_owned() } else { output.to_owned() };
            *source = io::Error::from(source.kind());
        }
        self
    }

    /// The same error with the name of the report.
    #[cfg(feature = "cli")]
    pub(crate) fn in_report(mut self, report: &str) -> Error {
        if let ErrorKind::Io { part: part @ ErrorPart::Report, name, source } = &mut self.0.kind {
            (*part, *name) = (ErrorPart::Named, report.to_owned());
            *source = io::Error::from(source.kind());
        }
        self
    }

    /// The same for an output that is buffered in a temporary file.
    #[cfg(feature = "cli")]
    pub(crate) fn in_temporary(mut self) -> Error {
        if let ErrorKind::Io { part: part @ ErrorPart::Output, name, .. } = &mut self.0.kind {
            (*part, *name) = (ErrorPart::Temporary, TEMPORARY.to_owned());
        }
        self
    }

    /// Reading or writing `name` failed.
    pub fn io(name: impl Into<String>, source: io::Error) -> Error {
        ErrorKind::Io { part: ErrorPart::Named, name: name.into(), source }.into()
    }

    /// Writing the output failed.
    pub(crate) fn output(source: io::Error) -> Error {
        ErrorKind::Io { part: ErrorPart::Output, name: "output".to_owned(), source }.into()
    }

    /// Writing the report of every occurrence failed.
    pub(crate) fn report(source: io::Error) -> Error {
        ErrorKind::Io { part: ErrorPart::Report, name: "report".to_owned(), source }.into()
    }

    /// Findings could not be passed on.
    pub(crate) fn findings(source: io::Error) -> Error {
        ErrorKind::Io { part: ErrorPart::Findings, name: "findings".to_owned(), source }.into()
    }

    /// A temporary file could not be written, or not be read back.
    pub(crate) fn temporary(source: io::Error) -> Error {
        ErrorKind::Io { part: ErrorPart::Temporary, name: TEMPORARY.to_owned(), source }.into()
    }

    /// The input is not in a format that can be used here.
    pub fn format(looks: impl Into<String>, hint: impl Into<String>) -> Error {
        ErrorKind::Format { looks: looks.into(), hint: hint.into() }.into()
    }

    /// Whether this is a bug of the program.
    pub fn is_bug(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Unbalanced { .. } | ErrorKind::Verify { .. })
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Error {
        Error(Box::new(ErrorInner { kind, input: None }))
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
            ErrorKind::Io { part: ErrorPart::Temporary, name, source } => {
                write!(f, "cannot use {name}: {}; free space, or pass another --temp-dir", lowered(&plain(source)))
            }
            ErrorKind::Io { name, source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                write!(f, "cannot write {name}: {}; free some, or write to another place", plain(source))
            }
            // a message that is not the system's is complete
            ErrorKind::Io { name, source, .. } if source.get_ref().is_some() => write!(f, "{name}: {}", plain(source)),
            ErrorKind::Io { name, source, .. } => {
                let hint = if source.kind() == io::ErrorKind::NotFound { "; try another path" } else { "" };
                write!(f, "cannot use {name}: {}{hint}", cause(source))
            }
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

/// The text of a system error without its number.
pub(crate) fn plain(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::StorageFull {
        return "no storage space".to_owned();
    }
    let mut text = error.to_string();
    // behind it there may be a path
    if let Some(at) = text.rfind(" (os error ")
        && let Some(length) = text[at..].find(')')
    {
        text.replace_range(at..=at + length, "");
    }
    text
}

/// A text of the system as the end of a sentence.
fn lowered(text: &str) -> String {
    let mut rest = text.chars();
    let begin: String = rest.next().into_iter().flat_map(char::to_lowercase).collect();
    begin + rest.as_str()
}

/// Why the system refuses a file, and what to do.
pub(crate) fn cause(error: &io::Error) -> String {
    let text = match error.kind() {
        io::ErrorKind::NotFound => return "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => {
            return "permission denied; try another user, or change its permissions".to_owned();
        }
        _ if error.get_ref().is_some() => return plain(error),
        _ => plain(error),
    };
    format!("{}; try another path", lowered(&text))
}

/// The same error, with [`cause`] as its text, for a message that already names what failed.
#[cfg(feature = "cli")]
pub(crate) fn with_cause(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), cause(error))
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
