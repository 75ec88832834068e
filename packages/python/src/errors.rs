//! Errors of the library as exceptions of Python. Their classes are in python/transfeed/_errors.py.

use std::any::Any;
use std::io;

use pyo3::prelude::*;
use transfeed::{Error, ErrorKind, ErrorPart};

/// The exception for an error. An exception that a file object raised is raised again.
pub fn exception(py: Python<'_>, error: &Error) -> PyErr {
    if let ErrorKind::Io { source, .. } = error.kind()
        && let Some(raised) = source.get_ref().and_then(|inner| inner.downcast_ref::<PyErr>())
    {
        return raised.clone_ref(py);
    }
    let code = match error.kind() {
        ErrorKind::Io { .. } => "io",
        ErrorKind::Xml { .. } => "xml",
        ErrorKind::Format { .. } => "format",
        ErrorKind::Limit { .. } => "limit",
        ErrorKind::Refused { .. } => "refused",
        ErrorKind::Strict { .. } => "strict",
        ErrorKind::Unbalanced { .. } => "unbalanced",
        ErrorKind::Verify { .. } => "verify",
    };
    let place = error.position();
    let line = place.map(|(line, _)| line);
    let column = place.map(|(_, column)| column).filter(|column| *column > 0);
    made(py, (code, error.to_string(), line, column, error.input(), system_error(error)))
}

/// The number of an error of the system, or its name, and the file.
type SystemError<'e> = (Option<i32>, Option<&'static str>, Option<&'e str>);

fn system_error(error: &Error) -> SystemError<'_> {
    let ErrorKind::Io { part, name, source } = error.kind() else { return (None, None, None) };
    let file = matches!(part, ErrorPart::Named).then_some(name.as_str());
    (source.raw_os_error(), errno_name(source.kind()), file)
}

/// The name that Python's `errno` has for an error whose number is hidden by a message of ours.
fn errno_name(kind: io::ErrorKind) -> Option<&'static str> {
    Some(match kind {
        io::ErrorKind::NotFound => "ENOENT",
        io::ErrorKind::PermissionDenied => "EACCES",
        io::ErrorKind::IsADirectory => "EISDIR",
        io::ErrorKind::NotADirectory => "ENOTDIR",
        io::ErrorKind::StorageFull => "ENOSPC",
        io::ErrorKind::QuotaExceeded => "EDQUOT",
        io::ErrorKind::ReadOnlyFilesystem => "EROFS",
        io::ErrorKind::FileTooLarge => "EFBIG",
        io::ErrorKind::InvalidFilename => "ENAMETOOLONG",
        io::ErrorKind::BrokenPipe => "EPIPE",
        io::ErrorKind::AlreadyExists => "EEXIST",
        io::ErrorKind::OutOfMemory => "ENOMEM",
        io::ErrorKind::ResourceBusy => "EBUSY",
        io::ErrorKind::TimedOut => "ETIMEDOUT",
        io::ErrorKind::WouldBlock => "EAGAIN",
        _ => return None,
    })
}

/// The exception for a panic.
pub fn panicked(py: Python<'_>, payload: &(dyn Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    let says = format!("bug: the library panicked: {text}; please report it with the document");
    made(py, ("panic", says, None, None, None, (None, None, None)))
}

type Members<'m> = (&'m str, String, Option<u32>, Option<u32>, Option<&'m str>, SystemError<'m>);

fn made(py: Python<'_>, members: Members<'_>) -> PyErr {
    let make = py.import("transfeed._errors").and_then(|module| module.getattr("make"));
    match make.and_then(|make| make.call1(members)) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
