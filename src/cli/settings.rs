//! Settings from `transfeed.toml`, passed by option or found in the current folder or a parent. Its tables become
//! command-line arguments by the definitions of clap, so an option has one meaning and one check.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::Resettable;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use serde_json::{Map, Value};

use super::config::{ENV, SettingsArgs, find_file, named};
use super::convert::Convert;
use super::fetch;
use super::migrate::Migrate;
use super::pattern;
use super::validate::Validate;
use crate::cli::color::eprint;
use crate::error::{Error, cause};
use crate::job::shown;
use crate::report::make_visible;
use crate::text::nearest;

/// The table of named jobs.
const JOB: &str = "job";

/// The key of a job that names its command.
const COMMAND: &str = "command";

/// The key of a job for the inputs that have no option.
const INPUTS: &str = "inputs";

/// A command that has a table of its name in the file.
struct Configurable {
    name: &'static str,
    /// Adds its arguments to a command.
    arguments: fn(Command) -> Command,
    /// It reads patterns and `@LIST` among its inputs itself.
    finds_inputs: bool,
}

const COMMANDS: [Configurable; 3] = [
    Configurable { name: "convert", arguments: Convert::augment_args, finds_inputs: false },
    Configurable { name: "migrate", arguments: Migrate::augment_args, finds_inputs: true },
    Configurable { name: "validate", arguments: Validate::augment_args, finds_inputs: false },
];

fn configurable(name: &str) -> Option<&'static Configurable> {
    COMMANDS.iter().find(|command| command.name == name)
}

impl Configurable {
    /// A parser for parts of a command line: something that is required may be in another part.
    fn parser(&self) -> Command {
        (self.arguments)(Command::new(self.name).no_binary_name(true))
            .mut_args(|arg| arg.required(false).required_unless_present(Resettable::Reset))
    }
}

/// An option that a table sets, with the words that it becomes. A flag that is false has none, but hides the same flag in
/// a weaker table.
type Setting<'c> = (&'c Arg, Vec<OsString>);

/// What a table is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The options of a command.
    Table,
    /// A job that is run: patterns become the files that match.
    Run,
    /// A job that is listed: patterns stay.
    List,
}

/// A settings file that was read.
pub(super) struct SettingsFile {
    path: PathBuf,
    tables: Map<String, Value>,
}

impl SettingsFile {
    /// Reads the named file, or the nearest one; a missing file is only an error if it was named.
    ///
    /// # Errors
    /// The file cannot be read, is not TOML, or has tables of unknown commands.
    pub fn find(named: Option<&Path>) -> Result<Option<SettingsFile>, Error> {
        let Some(path) = named.map(Path::to_owned).or_else(find_file) else { return Ok(None) };
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let of = if std::env::var_os(ENV).is_some_and(|name| name == path) {
                format!(" ({ENV})")
            } else {
                String::new()
            };
            let says = io::Error::other(cause(&error));
            Error::io(format!("cannot read the settings file {}{of}", shown(&path)), says)
        })?;
        let mut file = SettingsFile { path, tables: Map::new() };
        file.tables = basic_toml::from_str(&text).map_err(|error| {
            let hint = "check the TOML syntax; text and dates need quotes";
            file.error(error, hint)
        })?;
        file.check_tables()?;
        Ok(Some(file))
    }

    /// Keys outside the tables are errors, even if this run does not use them.
    fn check_tables(&self) -> Result<(), Error> {
        let known: Vec<&str> = COMMANDS.iter().map(|command| command.name).chain([JOB]).collect();
        let shown = |name: &str| if name == JOB { "[job.NAME]".to_owned() } else { format!("[{name}]") };
        for (key, value) in &self.tables {
            if known.contains(&key.as_str()) {
                self.table(value, key)?;
                continue;
            }
            let all = || known.iter().map(|name| shown(name)).collect::<Vec<_>>().join(", ");
            return Err(match (value, nearest(key, known.iter().copied())) {
                (Value::Object(_), Some(near)) => {
                    self.error(format!("unknown table [{key}]"), format!("did you mean {}?", shown(near)))
                }
                (Value::Object(_), None) => {
                    self.error(format!("unknown table [{key}]"), format!("the tables are {}", all()))
                }
                _ => self.error(format!("key {key} outside a table"), format!("move it below one of {}", all())),
            });
        }
        Ok(())
    }

    /// Its name, for people.
    pub fn name(&self) -> String {
        shown(&self.path)
    }

    /// An error of this file.
    pub fn error(&self, cause: impl std::fmt::Display, hint: impl Into<String>) -> Error {
        Error::format(format!("cannot use {}: {cause}", self.name()), hint)
    }

    /// The names of its jobs, in alphabetical order.
    ///
    /// # Errors
    /// A job that is not a table.
    pub fn jobs(&self) -> Result<Vec<&str>, Error> {
        let jobs = self.tables.get(JOB).and_then(Value::as_object);
        let names = jobs.into_iter().flatten().map(|(name, _)| self.job(name).map(|_| name.as_str()));
        names.collect()
    }

    fn job(&self, name: &str) -> Result<Option<&Map<String, Value>>, Error> {
        let job = self.tables.get(JOB).and_then(|jobs| jobs.get(name));
        job.map(|job| self.table(job, &format!("{JOB}.{name}"))).transpose()
    }

    fn table<'t>(&self, value: &'t Value, name: &str) -> Result<&'t Map<String, Value>, Error> {
        let wrong =
            || self.error(format!("{name} is not a table"), format!("write it as a table with the line [{name}]"));
        value.as_object().ok_or_else(wrong)
    }

    /// The folder that its paths are relative to; empty if that is the working directory.
    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// A path of the file as the program has to read it.
    fn resolve_path(&self, path: &str) -> OsString {
        if path.is_empty() || path == "-" {
            return path.into();
        }
        let joined = self.folder().join(path);
        // without a folder it could be read as an option
        if joined.as_os_str().as_encoded_bytes().starts_with(b"-") {
            return Path::new(".").join(joined).into();
        }
        joined.into()
    }

    /// The options of a table, checked.
    fn settings<'c>(
        &self,
        (command, parser): (&Configurable, &'c Command),
        (table, keys): (&str, &Map<String, Value>),
        purpose: Purpose,
    ) -> Result<Vec<Setting<'c>>, Error> {
        let see = || format!("see `transfeed {} --help`", command.name);
        let mut settings = Vec::new();
        for (key, value) in keys.iter().filter(|(key, _)| purpose == Purpose::Table || *key != COMMAND) {
            let positional = parser.get_positionals().next();
            if let Some(arg) = positional.filter(|_| key == INPUTS && purpose != Purpose::Table) {
                let wrong = |cause| self.error(format!("{INPUTS} in [{table}] {cause}"), "write them as [\"a.rss\"]");
                let texts = texts(value).map_err(|_| wrong("is neither text nor a list of texts"))?;
                let mut words = Vec::new();
                for text in texts {
                    let hint = "patterns are relative to the folder of the file";
                    let inputs = self.inputs(command, &text, purpose);
                    words.extend(inputs.map_err(|cause| self.error(format!("{INPUTS} in [{table}]: {cause}"), hint))?);
                }
                settings.push((arg, words));
                continue;
            }
            let Some(arg) = parser.get_arguments().find(|arg| has_key(arg, key)) else {
                return Err(self.unknown_key(parser, (table, key), purpose));
            };
            let words =
                self.words(arg, value).map_err(|cause| self.error(format!("{key} in [{table}] {cause}"), see()))?;
            settings.push((arg, words));
        }
        let words = settings.iter().flat_map(|(_, words)| words);
        match parser.clone().try_get_matches_from(words) {
            Err(error) if error.kind() != ErrorKind::MissingRequiredArgument => {
                Err(self.error(format!("[{table}]: {}", first_paragraph(&error)), see()))
            }
            Ok(_) | Err(_) => Ok(settings),
        }
    }

    fn unknown_key(&self, parser: &Command, (table, key): (&str, &str), purpose: Purpose) -> Error {
        let options = parser.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(Arg::get_long);
        let known = options.filter(|name| !is_about_settings(name) && *name != "help");
        let hint = match nearest(key, known.chain([INPUTS].into_iter().filter(|_| purpose != Purpose::Table))) {
            _ if key == INPUTS => "only jobs have inputs; move it to a table [job.NAME]".to_owned(),
            _ if is_about_settings(key) => "pass it on the command line".to_owned(),
            Some(near) => format!("did you mean {near}?"),
            None => format!("`transfeed {} --help` lists all options", parser.get_name()),
        };
        self.error(format!("unknown key {key} in [{table}]"), hint)
    }

    /// The words that an option and its value become.
    fn words(&self, arg: &Arg, value: &Value) -> Result<Vec<OsString>, &'static str> {
        let name = arg.get_long().unwrap_or_default();
        let is_flag = !arg.get_action().takes_values();
        let may_lack_value = arg.get_num_args().is_some_and(|count| count.min_values() == 0);
        let texts = match value {
            Value::Bool(given) if is_flag || may_lack_value => {
                return Ok(if *given { vec![format!("--{name}").into()] } else { Vec::new() });
            }
            _ if is_flag => return Err("is a flag: write true or false"),
            Value::Array(_) if !matches!(arg.get_action(), ArgAction::Append) => {
                return Err("takes a single value, not a list");
            }
            value => texts(value)?,
        };
        let is_path = is_path(arg);
        let word = |text: String| {
            let mut word = OsString::from(format!("--{name}="));
            word.push(if is_path { self.resolve_path(&text) } else { text.into() });
            word
        };
        Ok(texts.into_iter().map(word).collect())
    }

    /// The inputs that a text of a job names.
    fn inputs(&self, command: &Configurable, text: &str, purpose: Purpose) -> Result<Vec<OsString>, String> {
        if fetch::is_url(text) {
            return Ok(vec![text.into()]);
        }
        let beside = self.resolve_path(text);
        let is_pattern = pattern::is_pattern(text) && !Path::new(&beside).exists();
        Ok(match text.strip_prefix('@').filter(|_| command.finds_inputs) {
            Some(list) => {
                let mut word = OsString::from("@");
                word.push(self.resolve_path(list));
                vec![word]
            }
            // no shell expands it
            None if is_pattern && !command.finds_inputs && purpose == Purpose::Run => {
                let files = pattern::expand(self.folder(), text).map_err(|(cause, _)| cause)?;
                files.into_iter().map(PathBuf::into_os_string).collect()
            }
            None if is_pattern && !Path::new(text).is_absolute() => {
                let folder = self.folder().to_str().map(pattern::escaped);
                let folder = folder.map_or_else(|| self.folder().to_owned(), PathBuf::from);
                vec![folder.join(text).into()]
            }
            None => vec![beside],
        })
    }

    /// The command line of a job, with more options that go before its own.
    ///
    /// # Errors
    /// No such job, or one that is not right.
    pub fn command_line(&self, name: &str, more: &[OsString], listed: bool) -> Result<Vec<OsString>, Error> {
        let Some(job) = self.job(name)? else {
            let jobs = self.jobs()?;
            let hint = match nearest(name, jobs.iter().copied()) {
                Some(near) => format!("did you mean {near}?"),
                None if jobs.is_empty() => format!("add a table [job.{name}]"),
                None => format!("its jobs are {}", jobs.join(", ")),
            };
            return Err(Error::format(format!("cannot run {name}: no such job in {}", self.name()), hint));
        };
        let table = format!("{JOB}.{name}");
        let commands = COMMANDS.map(|command| command.name);
        let one_of = || format!("write {COMMAND} = \"convert\" (or one of {})", commands[1..].join(", "));
        let command = match job.get(COMMAND) {
            None => {
                let near = job.keys().map(String::as_str).find(|key| nearest(key, [COMMAND]).is_some());
                return Err(match near {
                    Some(key) => {
                        self.error(format!("unknown key {key} in [{table}]"), format!("did you mean {COMMAND}?"))
                    }
                    None => self.error(format!("[{table}] names no command"), one_of()),
                });
            }
            Some(value) => value.as_str().and_then(configurable).ok_or_else(|| {
                let near = value.as_str().and_then(|text| nearest(text, commands));
                let hint = near.map(|near| format!("did you mean \"{near}\"?")).unwrap_or_else(one_of);
                self.error(format!("[{table}] has no command {value}"), hint)
            })?,
        };
        let parser = command.parser();
        let purpose = if listed { Purpose::List } else { Purpose::Run };
        let own = self.settings((command, &parser), (&table, job), purpose)?;
        let shared = self.shared((command, &parser))?;
        let begin = ["transfeed", command.name].map(OsString::from).into_iter();
        // the command reports invalid arguments
        let Ok(typed) = parser.clone().try_get_matches_from(more) else {
            return Ok(begin.chain(more.iter().cloned()).collect());
        };
        let is_typed = |id| typed.value_source(id) == Some(ValueSource::CommandLine);
        if is_typed("config") || is_typed("no_config") {
            let says = "cannot choose a settings file among the options of a job";
            return Err(Error::format(says, format!("try `transfeed run --config FILE {name}`")));
        }
        Ok(begin.chain(combine(&parser, &typed, &[own, shared])).chain(more.iter().cloned()).collect())
    }

    /// The options that all runs of a command have.
    fn shared<'c>(&self, (command, parser): (&Configurable, &'c Command)) -> Result<Vec<Setting<'c>>, Error> {
        let Some(table) = self.tables.get(command.name) else { return Ok(Vec::new()) };
        self.settings((command, parser), (command.name, self.table(table, command.name)?), Purpose::Table)
    }
}

/// Whether an option has this long name. Help is not for files, nor are the options that choose the file.
fn has_key(arg: &Arg, key: &str) -> bool {
    let has_name = arg.get_long() == Some(key) || arg.get_all_aliases().is_some_and(|names| names.contains(&key));
    has_name
        && !is_about_settings(key)
        && !matches!(
            arg.get_action(),
            ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
        )
}

fn is_about_settings(name: &str) -> bool {
    matches!(name, "config" | "no-config")
}

/// Whether the values of an option are paths: by its type, or by the hint for shells.
fn is_path(arg: &Arg) -> bool {
    let hint = arg.get_value_hint();
    matches!(hint, ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath | ValueHint::ExecutablePath)
}

/// A value, or the values of a list, as they would be typed.
fn texts(value: &Value) -> Result<Vec<String>, &'static str> {
    let text = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err("takes text, a number, or a list of them"),
    };
    match value {
        Value::Array(items) => items.iter().map(text).collect(),
        Value::Bool(_) => Err("takes a value: write text or a number, not true or false"),
        value => text(value).map(|text| vec![text]),
    }
}

/// The cause that clap names, on one line and without its advice.
fn first_paragraph(error: &clap::Error) -> String {
    let text = error.to_string();
    let cause = text.split("\n\n").next().unwrap_or(&text);
    let lines: Vec<&str> = cause.strip_prefix("error: ").unwrap_or(cause).lines().map(str::trim).collect();
    lines.join(" ")
}

/// Whether the command line or the environment gives an option.
fn is_given(typed: &ArgMatches, arg: &Arg) -> bool {
    let source = typed.value_source(arg.get_id().as_str());
    matches!(source, Some(ValueSource::CommandLine | ValueSource::EnvVariable))
}

/// Combines the arguments of several tables, the strongest first, below a command line. An option that is already
/// given, or conflicts with a given one, is dropped from all weaker tables. The weakest arguments come first, because
/// later ones may override earlier ones.
fn combine(parser: &Command, typed: &ArgMatches, tables: &[Vec<Setting<'_>>]) -> Vec<OsString> {
    let conflict =
        |one: &Arg, other: &Arg| parser.get_arg_conflicts_with(one).iter().any(|arg| arg.get_id() == other.get_id());
    let mut taken: Vec<(&Arg, bool)> =
        parser.get_arguments().filter(|arg| is_given(typed, arg)).map(|arg| (arg, true)).collect();
    let mut parts = Vec::new();
    for table in tables {
        let is_free = |arg: &Arg| {
            taken.iter().all(|(other, on)| {
                arg.get_id() != other.get_id() && !(*on && (conflict(arg, other) || conflict(other, arg)))
            })
        };
        let free = table.iter().filter(|(arg, _)| is_free(arg));
        parts.push(free.flat_map(|(_, words)| words.iter().cloned()).collect::<Vec<_>>());
        taken.extend(table.iter().map(|(arg, words)| (*arg, !words.is_empty())));
    }
    parts.reverse();
    parts.concat()
}

/// The words of a command line, with those that the settings file adds to them.
///
/// # Errors
/// A settings file that cannot be used.
pub(super) fn complete(words: Vec<OsString>) -> Result<Vec<OsString>, Error> {
    let [program, name, typed @ ..] = words.as_slice() else { return Ok(words) };
    let Some(command) = name.to_str().and_then(configurable) else { return Ok(words) };
    // nearly no run has such a file, and its words need to be read once only
    let mentions = |word: &OsString| word.as_encoded_bytes().starts_with(b"--config");
    let is_named = std::env::var_os(ENV).is_some_and(|name| !name.is_empty()) || typed.iter().any(mentions);
    if !is_named && find_file().is_none() {
        return Ok(words);
    }
    let parser = command.parser();
    // the command reports invalid arguments, or shows its help
    let Ok(matches) = parser.clone().try_get_matches_from(typed) else { return Ok(words) };
    let Ok(SettingsArgs { config, no_config }) = SettingsArgs::from_arg_matches(&matches) else { return Ok(words) };
    // clap would refuse a file that the environment names, too
    match matches.value_source("config") {
        Some(ValueSource::CommandLine) if no_config => {
            return Err(Error::format("cannot combine --config with --no-config", "remove one of them"));
        }
        _ if no_config => return Ok(words),
        _ => (),
    }
    let config = named(config);
    let Some(file) = SettingsFile::find(config.as_deref())? else { return Ok(words) };
    let shared = file.shared((command, &parser))?;
    let added = combine(&parser, &matches, &[shared]);
    if config.is_none() && !added.is_empty() && !is_quiet(&parser, &matches, &added) {
        eprint(&format!(
            "note: {} adds options to {} (--no-config ignores it)\n",
            make_visible(&file.name()),
            command.name
        ));
    }
    let begin = [program, name].into_iter().cloned();
    Ok(begin.chain(added).chain(typed.iter().cloned()).collect())
}

/// Whether only errors are printed. Always true for a command without `--quiet`, because its output is for programs.
fn is_quiet(parser: &Command, typed: &ArgMatches, added: &[OsString]) -> bool {
    let quiet = parser.get_arguments().find(|arg| arg.get_id() == "quiet");
    quiet.is_none_or(|quiet| is_given(typed, quiet) || added.iter().any(|word| word == OsStr::new("--quiet")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An option for a file whose paths were not relative to the settings file would depend on the working directory.
    #[test]
    fn values_that_are_called_files_are_paths() {
        for command in &COMMANDS {
            let parser = command.parser();
            for arg in parser.get_arguments() {
                let names = arg.get_value_names().unwrap_or_default();
                let called_path = names.iter().any(|name| {
                    name.split('|').any(|name| matches!(name, "FILE" | "DIR" | "OUT" | "INPUT" | "SRC" | "PATH"))
                });
                assert_eq!(
                    called_path,
                    is_path(arg) && arg.get_action().takes_values(),
                    "{} {}",
                    command.name,
                    arg.get_id()
                );
            }
        }
    }

    /// An option without a long name could not be set in a file.
    #[test]
    fn every_option_has_a_long_name() {
        for command in &COMMANDS {
            let parser = command.parser();
            let nameless = parser.get_arguments().find(|arg| !arg.is_positional() && arg.get_long().is_none());
            assert_eq!(nameless.map(Arg::get_id), None, "{}", command.name);
        }
    }
}
