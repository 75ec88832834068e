//! The widths of the terminals of standard output and standard error.

use std::io::{self, IsTerminal};
#[cfg(unix)]
use std::os::fd::AsFd;

/// The width used if the output is not a terminal, or does not report its width.
const USUAL: usize = 80;

/// Columns of standard output.
pub fn columns() -> usize {
    columns_of(&io::stdout())
}

/// Columns of standard error, where text for people goes: no more than can be read.
pub fn error_columns() -> usize {
    columns_of(&io::stderr()).clamp(40, 120)
}

#[cfg(unix)]
fn columns_of(out: &(impl IsTerminal + AsFd)) -> usize {
    // a terminal whose size was never set reports 0
    let told = || Some(rustix::termios::tcgetwinsize(out).ok()?.ws_col.into()).filter(|columns| *columns > 0);
    if out.is_terminal() { told().unwrap_or(USUAL) } else { USUAL }
}

#[cfg(not(unix))]
fn columns_of(_: &impl IsTerminal) -> usize {
    USUAL
}

/// Whether standard error shows characters beyond ASCII, as far as the locale and the terminal show. A file takes all,
/// unless the locale is that of ASCII.
fn is_unicode() -> bool {
    if cfg!(windows) {
        return true;
    }
    if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        return false;
    }
    let is_terminal = io::stderr().is_terminal();
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| Some(std::env::var(name).ok()?).filter(|locale| !locale.is_empty()));
    set.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        let is_ascii = matches!(locale.as_str(), "c" | "posix");
        locale.ends_with("utf-8") || locale.ends_with("utf8") || !is_terminal && !is_ascii
    })
}

/// A text with what a terminal that knows ASCII only shows instead of our own characters beyond it.
pub fn shown(text: String) -> String {
    if is_unicode() {
        text
    } else {
        text.replace('…', "...").replace('→', "->").replace('×', "x").replace('–', "-")
    }
}
