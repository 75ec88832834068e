//! Exit codes as a type, for other programs to rely on.

use std::process::ExitCode;

use crate::error::{Error, ErrorKind};

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Done, without findings.
    Done,
    /// Done, with a finding that was asked for (`--fail-on`).
    Finding,
    /// It could not be done.
    Trouble,
    /// Some inputs failed, the rest is done.
    Partly,
    /// A mistake of this program.
    Bug,
    /// This signal ended it.
    Interrupted(u8),
}

impl Exit {
    /// How a command ends that this error stopped.
    pub fn from_error(error: &Error) -> Exit {
        match error.kind() {
            ErrorKind::Refused { finding: true, .. } => Exit::Finding,
            _ if error.is_bug() => Exit::Bug,
            _ => Exit::Trouble,
        }
    }
}

impl From<Exit> for u8 {
    fn from(exit: Exit) -> u8 {
        match exit {
            Exit::Done => 0,
            Exit::Finding => 1,
            Exit::Trouble => 2,
            Exit::Partly => 3,
            Exit::Bug => 70,
            Exit::Interrupted(signal) => 128_u8.saturating_add(signal),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(u8::from(exit))
    }
}

/// A reader that went away has all it wanted.
pub(super) fn is_broken_pipe(error: &Error) -> bool {
    match error.kind() {
        crate::error::ErrorKind::Io { source, .. } => source.kind() == std::io::ErrorKind::BrokenPipe,
        _ => false,
    }
}
