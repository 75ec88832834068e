//! Exit codes as a type: what other programs may rely on.

use std::process::ExitCode;

use crate::error::Error;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Done, and nothing to tell.
    Done,
    /// Done, with a finding that was asked for (`--fail-on`).
    Finding,
    /// It could not be done.
    Trouble,
    /// A mistake of this program.
    Bug,
}

impl Exit {
    /// How a command ends that this error stopped.
    pub fn of(error: &Error) -> Exit {
        if error.is_bug() { Exit::Bug } else { Exit::Trouble }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Finding => 1,
            Exit::Trouble => 2,
            Exit::Bug => 70,
        })
    }
}
