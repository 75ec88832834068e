//! The width of the terminal of standard output.

use std::io::{self, IsTerminal};

/// Columns of what is no terminal, or does not tell its width.
const USUAL: usize = 80;

/// Columns of standard output.
pub fn columns() -> usize {
    let out = io::stdout();
    if !out.is_terminal() {
        return USUAL;
    }
    // a terminal that was never told its size reports 0
    width(&out).filter(|columns| *columns > 0).unwrap_or(USUAL)
}

#[cfg(unix)]
fn width(out: &io::Stdout) -> Option<usize> {
    rustix::termios::tcgetwinsize(out).ok().map(|size| size.ws_col.into())
}

#[cfg(not(unix))]
fn width(_: &io::Stdout) -> Option<usize> {
    None
}
