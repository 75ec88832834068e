//! Errors of the library as exceptions of Python. Their classes are in python/transfeed/_errors.py.

use std::any::Any;

use pyo3::prelude::*;
use transfeed::{Error, ErrorKind};

/// The exception for an error. An exception that a file object raised is raised again.
pub fn exception(py: Python<'_>, error: &Error) -> PyErr {
    if let ErrorKind::Io { source, .. } = error.kind()
        && let Some(raised) = source.get_ref().and_then(|inner| inner.downcast_ref::<PyErr>())
    {
        return raised.clone_ref(py);
    }
    let (code, errno) = match error.kind() {
        ErrorKind::Io { source, .. } => ("io", source.raw_os_error().or_else(|| errno(source.kind()))),
        ErrorKind::Xml { .. } => ("xml", None),
        ErrorKind::Format { .. } => ("format", None),
        ErrorKind::Limit { .. } => ("limit", None),
        ErrorKind::Refused { .. } => ("refused", None),
        ErrorKind::Strict { .. } => ("strict", None),
        ErrorKind::Unbalanced { .. } => ("unbalanced", None),
        ErrorKind::Verify { .. } => ("verify", None),
    };
    let place = error.position();
    let line = place.map(|(line, _)| line);
    let column = place.map(|(_, column)| column).filter(|column| *column > 0);
    made(py, (code, error.to_string(), line, column, error.input(), errno))
}

/// The number of an error of the system whose own number is hidden by a message of ours.
fn errno(kind: std::io::ErrorKind) -> Option<i32> {
    match kind {
        std::io::ErrorKind::NotFound => Some(2),
        std::io::ErrorKind::PermissionDenied => Some(13),
        std::io::ErrorKind::IsADirectory => Some(21),
        _ => None,
    }
}

/// The exception for a panic.
pub fn panicked(py: Python<'_>, payload: &(dyn Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    let says = format!("bug: the library panicked: {text}; please report it with the document");
    made(py, ("panic", says, None, None, None, None))
}

type Members<'m> = (&'m str, String, Option<u32>, Option<u32>, Option<&'m str>, Option<i32>);

fn made(py: Python<'_>, members: Members<'_>) -> PyErr {
    let make = py.import("transfeed._errors").and_then(|module| module.getattr("make"));
    match make.and_then(|make| make.call1(members)) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
