//! Problems of an input as errors and as diagnostics.

use crate::diagnostic;
use crate::error::{Error, ErrorKind};
use crate::ledger::Diagnostic;
use crate::model::origin::EntryRepair;
use crate::xml::chunk::Trouble;
use crate::xml::decode::{CapExceeded, DecodeError};
use std::io;

pub(super) fn unreadable(name: &str, error: io::Error) -> Error {
    let inner = error.get_ref();
    if let Some(unreadable) = inner.and_then(|inner| inner.downcast_ref::<DecodeError>()) {
        return Error::format(format!("this is {}", unreadable.what), unreadable.hint).in_input(name);
    }
    if let Some(bomb) = inner.and_then(|inner| inner.downcast_ref::<CapExceeded>()) {
        return ErrorKind::Limit { option: bomb.option, says: bomb.says.clone() }.into();
    }
    Error::io(name, error)
}

/// A limit that costs the document.
pub(super) fn limit(code: &str, says: String) -> Error {
    ErrorKind::Limit { option: diagnostic::option(code).unwrap_or("--max-head"), says }.into()
}

/// What was done, and for a limit what raises it.
pub(super) fn done(code: &str, done: &str) -> String {
    match diagnostic::option(code) {
        Some(option) => format!("{done}; {option} raises the limit"),
        None => done.to_owned(),
    }
}

/// The diagnostic of a repair at this place.
pub(crate) fn of_remark(remark: &EntryRepair, (line, column): (u32, u32), input: Option<&str>) -> Diagnostic {
    Diagnostic {
        input: input.map(str::to_owned),
        code: remark.code,
        severity: diagnostic::severity(remark.code),
        line,
        column,
        found: remark.found.clone(),
        done: remark.done.to_string(),
    }
}

/// The error of an input that was cut off at this place, where the options do not accept it.
pub(crate) fn cut_off(place: (u32, u32), found: &str) -> Error {
    Error::from(ErrorKind::Refused {
        at: Some(place),
        says: format!("cut off: {found}"),
        hint: "pass --accept-truncated to use what is there".to_owned(),
        finding: false,
    })
}

pub(crate) fn diagnostic_of(trouble: &Trouble, input: Option<&str>) -> Diagnostic {
    Diagnostic {
        input: input.map(str::to_owned),
        code: trouble.code,
        severity: if trouble.lost { "error" } else { diagnostic::severity(trouble.code) },
        line: trouble.line,
        column: trouble.column,
        found: trouble.found.clone(),
        done: done(trouble.code, trouble.done),
    }
}
