//! The command line: arguments and commands. The only place that uses clap, files, the terminal and the environment.

mod argument;
mod color;
mod columns;
mod config;
mod convert;
mod diff;
mod enrich;
mod exit;
mod explain;
#[cfg(feature = "fetch")]
mod fetch;
#[cfg(not(feature = "fetch"))]
#[path = "no_fetch.rs"]
mod fetch;
mod file;
mod formats;
mod gates;
mod hash;
mod hidden;
#[doc(hidden)]
pub mod in_memory;
mod inspect;
mod kinds;
mod known;
mod limits;
mod lock;
mod migrate;
mod output;
mod pattern;
mod per_page;
mod places;
mod progress;
mod reports;
mod run;
mod settings;
mod shell;
mod signals;
mod temporary;
mod validate;
mod walk;
mod wanted;

use std::ffi::OsString;
use std::io::Write;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

use self::argument::COMMANDS;
use self::color::eprint;
use self::exit::{Exit, is_broken_pipe};
use crate::error::Error;
use crate::report;
use crate::text::nearest;

/// Convert video and page feeds between formats, and report every value that is lost.
#[derive(Parser)]
#[command(
    name = "transfeed",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
        transfeed convert catalogue.mrss --to video-sitemap -o videos.xml\n  \
        transfeed convert feed.rss --to atom --report losses.json > feed.atom\n  \
        transfeed convert https://example.com/feed --to jsonl\n  \
        transfeed catalogue.mrss\n  \
        transfeed diff old.xml new.xml --fail-on removed\n  \
        transfeed migrate feeds --to video-sitemap --out sitemaps\n  \
        transfeed run nightly\n  \
        transfeed validate sitemap.xml\n  \
        transfeed explain V05\n  \
        transfeed formats rss atom\n\n\
        Exit codes: 0 done, 1 a gate, a difference (diff) or a finding (validate),\n\
        2 an error, 3 some inputs of migrate failed, 70 a bug of transfeed,\n130 and 143 interrupted."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    short: inspect::Short,
}

// what the other commands take is not made for the one that is asked for; so the list of commands has their first lines
// from here, and not from there
#[derive(Subcommand)]
#[command(defer = true)]
enum Command {
    /// Convert one document, or several into one
    Convert(Box<convert::Convert>),
    /// Show the content of documents, and forecast losses
    Inspect(Box<inspect::InspectArgs>),
    /// Compare two documents of any formats, or two folders
    Diff(Box<diff::Diff>),
    /// Convert trees of feeds, and resume where the last run ended
    Migrate(Box<migrate::Migrate>),
    /// Run a job of transfeed.toml, or list the jobs
    Run(run::Run),
    /// Check documents against the rules of formats and search engines
    Validate(Box<validate::Validate>),
    /// Show which fields each format can carry
    Formats(formats::Formats),
    /// Explain a code or a name: a rule, a loss code, a reason, a repair, a field, a format
    Explain(explain::Explain),
    /// Print shell completions
    Completions(shell::Completions),
    /// Write the manual pages to a folder, or print the first
    Man(shell::Man),
}

/// What was meant by a first word that is neither a command nor a file, if it is like a command.
fn misspelt(word: &str) -> Option<String> {
    let is_word = word.chars().all(|c| c.is_ascii_alphabetic() || c == '-') && !word.starts_with('-');
    if !is_word || COMMANDS.contains(&word) || std::path::Path::new(word).exists() {
        return None;
    }
    let near = nearest(&word.to_ascii_lowercase(), COMMANDS);
    let hint = near.map(|command| format!("did you mean {command}? ")).unwrap_or_default();
    Some(format!("{word} is neither a command nor a file: {hint}commands are {}", COMMANDS.join(", ")))
}

/// What was meant by a file with options that looking at it does not have.
fn missing_command_hint(word: &str, typed: &[OsString]) -> Option<String> {
    let is_file = !COMMANDS.contains(&word) && std::path::Path::new(word).is_file();
    is_file.then(|| {
        let takes = |command: &&&str| {
            let words = ["transfeed", **command].map(OsString::from).into_iter().chain(typed.iter().cloned());
            !Cli::try_parse_from(words).is_err_and(|error| error.kind() == ErrorKind::UnknownArgument)
        };
        let says = "without a command, transfeed only inspects a file";
        let words: Vec<_> = typed.iter().map(|word| word.to_string_lossy()).collect();
        match ["convert", "inspect", "validate", "diff", "migrate"].iter().find(takes) {
            Some(command) => {
                format!("{says}; did you mean `transfeed {command} {}`?", report::make_visible(&words.join(" ")))
            }
            None => format!("{says}; pass one of {}", COMMANDS.join(", ")),
        }
    })
}

/// Options of other programs, and what may be meant by them here.
const ELSEWHERE: [(&str, &str); 8] = [
    ("-f", "from"),
    ("-f", "format"),
    ("-t", "to"),
    ("-O", "output"),
    ("-O", "out"),
    ("--format", "to"),
    ("--format", "json"),
    ("--json", "report"),
];

/// Adds the nearest option or command to an error about an unknown one, where the parser found none.
fn suggest(error: &mut clap::Error, typed: &[OsString]) {
    let given = |error: &clap::Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    if error.kind() == ErrorKind::InvalidSubcommand && error.get(ContextKind::SuggestedSubcommand).is_none() {
        let near = given(error, ContextKind::InvalidSubcommand).and_then(|word| nearest(&word, COMMANDS));
        near.map(|near| error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![near.to_owned()])));
    }
    if error.kind() == ErrorKind::UnknownArgument {
        let Some(name) = given(error, ContextKind::InvalidArg) else { return };
        let mut program = Cli::command();
        program.build();
        let command = typed.get(1).and_then(|word| program.find_subcommand(word)).unwrap_or(&program);
        let options = command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(clap::Arg::get_long);
        let options: Vec<&str> = options.collect();
        let meant = ELSEWHERE.iter().filter(|(known, _)| *known == name).map(|(_, here)| *here);
        let meant = meant.into_iter().find(|here| options.contains(here));
        let is_open = error.get(ContextKind::SuggestedArg).is_none();
        let like = || name.strip_prefix("--").filter(|_| is_open).and_then(|name| nearest(name, options));
        if let Some(near) = meant.or_else(like) {
            error.remove(ContextKind::Suggested);
            error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{near}")));
        }
    }
}

/// The message for a wrong value that an option has from its variable in the environment.
fn from_environment(error: &clap::Error, typed: &[OsString]) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let (option, value) = (text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue)?);
    let name = option.split([' ', '=']).next().and_then(|name| name.strip_prefix("--"))?;
    let variable = format!("TRANSFEED_{}", name.replace('-', "_").to_ascii_uppercase());
    let content = std::env::var(&variable).ok()?;
    let is_typed = |word: &OsString| word.to_string_lossy().starts_with(&format!("--{name}"));
    if typed.iter().any(is_typed) || !(content == value || content.split(',').any(|part| part.trim() == value)) {
        return None;
    }
    Some(error.render().ansi().to_string().replace(option, &variable))
}

/// Whether standard input is a file or a pipe: `transfeed < feed.rss` inspects it.
#[cfg(unix)]
fn is_fed() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let input = std::io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from);
    input.and_then(|file| file.metadata()).is_ok_and(|meta| meta.is_file() || meta.file_type().is_fifo())
}

/// Whether standard input is a file or a pipe; not asked of other systems.
#[cfg(not(unix))]
fn is_fed() -> bool {
    false
}

/// Runs the command line of this process.
pub fn main() -> std::process::ExitCode {
    run_words(std::env::args_os().collect()).into()
}

/// Runs a command line whose first word is the name of the program, for the wheel; returns the exit code.
pub fn run_command_line(words: Vec<OsString>) -> u8 {
    run_words(words).into()
}

fn run_words(typed: Vec<OsString>) -> Exit {
    hidden::learn_mode();
    let words = if typed.len() == 1 && is_fed() { vec!["transfeed".into(), "-".into()] } else { typed.clone() };
    let cli = match parse(words) {
        Ok(cli) => cli,
        Err(CommandLineError::Settings(error)) => return trouble(&error),
        Err(CommandLineError::Usage(mut error)) => {
            suggest(&mut error, &typed);
            let first = typed.get(1).filter(|_| error.use_stderr()).and_then(|word| word.to_str());
            let unknown = error.kind() == ErrorKind::UnknownArgument;
            let hint = |word| missing_command_hint(word, &typed[1..]).filter(|_| unknown);
            let meant = first.and_then(|word| misspelt(word).or_else(|| hint(word)));
            if let Some(meant) = meant {
                eprint(&format!("{}: {meant}\n", color::red("error")));
                return Exit::Trouble;
            }
            let text = error.render().ansi().to_string();
            if error.use_stderr() {
                eprint(&from_environment(&error, &typed).unwrap_or(text));
                return Exit::Trouble;
            }
            let mut out = color::stdout();
            let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            return match written {
                Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Exit::Trouble,
                Ok(()) | Err(_) => Exit::Done,
            };
        }
    };
    color::choose(match &cli.command {
        Some(Command::Convert(args)) => args.wanted.color,
        Some(Command::Inspect(args)) => args.color,
        Some(Command::Diff(args)) => args.color,
        Some(Command::Migrate(args)) => args.wanted.color,
        Some(Command::Validate(args)) => args.color,
        Some(
            Command::Run(_) | Command::Formats(_) | Command::Explain(_) | Command::Completions(_) | Command::Man(_),
        ) => color::ColorMode::Auto,
        None => cli.short.color,
    });
    if let Some(meant) = cli.short.first().and_then(misspelt) {
        eprint(&format!("{}: {meant}\n", color::red("error")));
        return Exit::Trouble;
    }
    match wanted::epoch().and_then(|_| run(cli)) {
        Ok(exit) => exit,
        Err(error) if is_broken_pipe(&error) => Exit::Done,
        Err(error) => trouble(&error),
    }
}

/// Names what stopped a command.
fn trouble(error: &Error) -> Exit {
    let says = report::make_visible(&error.to_string());
    eprint(&format!("{}: {says}\n", color::red("error")));
    Exit::from_error(error)
}

/// Why a command line cannot be run.
enum CommandLineError {
    Usage(clap::Error),
    Settings(Error),
}

impl From<clap::Error> for CommandLineError {
    fn from(error: clap::Error) -> CommandLineError {
        CommandLineError::Usage(error)
    }
}

impl From<Error> for CommandLineError {
    fn from(error: Error) -> CommandLineError {
        CommandLineError::Settings(error)
    }
}

/// Parses a command line, with the options that a settings file adds; a job is replaced by its command.
fn parse(words: Vec<OsString>) -> Result<Cli, CommandLineError> {
    let words = settings::complete(words)?;
    let cli = match Cli::try_parse_from(&words) {
        Err(error) if error.kind() == ErrorKind::DisplayHelp => match help_of_job(&words)? {
            Some(words) => Cli::try_parse_from(words)?,
            None => return Err(error.into()),
        },
        parsed => parsed?,
    };
    let job = match &cli.command {
        Some(Command::Run(args)) => args.command_line()?,
        _ => None,
    };
    Ok(job.map(Cli::try_parse_from).transpose()?.unwrap_or(cli))
}

/// The command line that is meant by `run NAME --help`: the help of the command of that job.
fn help_of_job(words: &[OsString]) -> Result<Option<Vec<OsString>>, Error> {
    let is_help = |word: &&OsString| *word == "--help" || *word == "-h";
    let Some(flag) = words.iter().find(is_help).and_then(|flag| flag.to_str()) else { return Ok(None) };
    match Cli::try_parse_from(words.iter().filter(|word| !is_help(word))).map(|cli| cli.command) {
        Ok(Some(Command::Run(args))) => args.help(flag),
        // help that is asked for in another way
        Ok(_) | Err(_) => Ok(None),
    }
}

/// Ends what only reads as soon as a signal comes.
fn end_on_signals() {
    signals::end_on(&signals::listen(), || eprint("note: interrupted\n"));
}

fn run(cli: Cli) -> Result<Exit, Error> {
    match &cli.command {
        Some(Command::Inspect(_) | Command::Diff(_) | Command::Validate(_)) | None => end_on_signals(),
        Some(_) => (),
    }
    match cli.command {
        Some(Command::Convert(args)) => convert::run(*args),
        Some(Command::Inspect(args)) => inspect::run(&args),
        Some(Command::Diff(args)) => diff::run(&args),
        Some(Command::Migrate(args)) => migrate::run(*args),
        Some(Command::Run(args)) => run::list(&args),
        Some(Command::Validate(args)) => validate::run(*args),
        Some(Command::Formats(args)) => formats::run(&args),
        Some(Command::Explain(args)) => explain::run(&args, Cli::command()),
        Some(Command::Completions(args)) => shell::completions(&args, Cli::command()),
        Some(Command::Man(args)) => shell::man(&args, Cli::command()),
        None => inspect::short(&cli.short),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::error::ErrorKind;

    use super::*;

    /// The sources, but for what only tests have.
    fn sources(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                found.push(text.split("#[cfg(test)]").next().unwrap_or_default().to_owned());
            }
        }
    }

    /// A text of a source with lines that go on joined.
    fn joined(source: &str) -> String {
        let mut text = String::new();
        for line in source.lines() {
            match line.strip_suffix('\\') {
                Some(begun) => text.push_str(if text.ends_with('\n') { begun } else { begun.trim_start() }),
                None if text.ends_with('\n') || text.is_empty() => text.extend([line, "\n"]),
                None => text.extend([line.trim_start(), "\n"]),
            }
        }
        text
    }

    /// Commands that texts tell to run, with something for what they leave open.
    fn commands(source: &str) -> Vec<String> {
        let names: Vec<String> =
            Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
        let mut found = Vec::new();
        for (at, begin) in source.match_indices("transfeed ") {
            let rest = &source[at + begin.len()..];
            if !names.iter().any(|name| rest.starts_with(&format!("{name} "))) {
                continue;
            }
            let ends = ["`", "\"", "\n", "\\n", ";", " >", " |", "  ", "…", " (", ", ", ": "];
            let end = ends.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
            let command = rest[..end].replace("FORMAT", "rss").replace("CODE", "V05").replace("FIELD", "title");
            let command = command.replace("K/N", "1/4");
            if !command.contains(['{', '<', '[']) {
                found.push(command.trim_end_matches(['.', ',']).to_owned());
            }
        }
        found
    }

    #[test]
    fn commands_in_hints_are_commands() {
        let mut texts = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut texts);
        let commands: Vec<String> = texts.iter().flat_map(|text| commands(&joined(text))).collect();
        assert!(commands.len() > 50, "only {} were found", commands.len());
        let mut wrong = Vec::new();
        for command in &commands {
            let words = std::iter::once("transfeed").chain(command.split_ascii_whitespace());
            if let Err(error) = Cli::try_parse_from(words)
                // a hint may name the option alone that it is about, and help is asked for
                && !matches!(error.kind(), ErrorKind::MissingRequiredArgument | ErrorKind::DisplayHelp)
            {
                wrong.push(format!("transfeed {command}: {}", error.to_string().lines().next().unwrap_or_default()));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
