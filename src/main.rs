//! The command line: arguments to a command, a command to an exit code.
fn main() {}
