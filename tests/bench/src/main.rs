//! What transfeed costs, held against the floors of the machine and against other programs. One command makes the
//! documents, checks each output once, measures in interleaved rounds and prints tables in Markdown:
//!
//! ```sh
//! cargo run --release --manifest-path tests/bench/Cargo.toml -- --rows G1
//! ```
//!
//! docs/PERFORMANCE.md tells how to read them. No time is ever asserted; only the command `count` fails, and it counts
//! instructions.

mod catalogue;
mod check;
mod count;
mod expert;
mod floors;
mod measure;
mod options;
mod peers;
mod rows;
mod session;
mod table;

use std::io;
use std::process::ExitCode;

use options::Options;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asks_help = arguments.iter().any(|argument| argument == "--help" || argument == "-h");
    let result = match arguments.split_first() {
        Some((command, rest)) if command == "measure" => measure::shell(rest),
        Some((command, rest)) if command == "floor" => floors::run(rest),
        Some((command, rest)) if command == "expert" => expert::run(rest),
        Some((command, rest)) if command == "peer" => peers::run(rest),
        Some((command, rest)) if command == "gen" => generate(rest),
        Some((command, rest)) if command == "count" && !asks_help => count::run(rest),
        _ if asks_help => {
            print!("{}", options::HELP);
            Ok(())
        }
        _ => Options::parse(&arguments).and_then(|options| rows::run(&options)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::from(2)
        }
    }
}

/// The command `gen SHAPE SIZE`: a document on standard output.
fn generate(arguments: &[String]) -> Result<(), String> {
    let recipe = options::recipe(arguments)?;
    match recipe.write(&mut io::stdout().lock()) {
        // who reads it has seen enough
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(error.to_string()),
        Ok(made) => {
            eprintln!("{} bytes, {} entries of {} pages", made.bytes, made.entries, made.pages);
            Ok(())
        }
    }
}
