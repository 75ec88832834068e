//! The command line: arguments to a command, a command to an exit code. Everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    transfeed::cli::main()
}
