//! `transfeed run`: runs a job of the settings file, or lists all jobs. Jobs are read in settings.rs.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::config;
use super::exit::Exit;
use super::inspect::quoted;
use super::output::print;
use super::settings::SettingsFile;
use super::{color, fetch, pattern};
use crate::error::Error;
use crate::job::shown;
use crate::report::make_visible;

/// Run a job of transfeed.toml, or list the jobs.
///
/// A job is a table [job.NAME] with the key command (convert, migrate or validate), inputs, and options by their long
/// names. It starts from the table of its command, such as [convert]; its own keys win. Paths are relative to the file.
#[derive(Args)]
#[command(
    override_usage = "transfeed run [--config FILE] [NAME [OPTIONS OF ITS COMMAND]...]",
    after_help = "Examples:\n  \
    transfeed run\n  \
    transfeed run nightly\n  \
    transfeed run nightly --report today.html\n  \
    transfeed run --config jobs/transfeed.toml nightly -q\n\n\
    Exit codes: those of the command. The file: docs/ci.md."
)]
pub struct Run {
    /// Job to run
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Options of its command, which win over those of the job; inputs replace those of the job
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true, value_hint = ValueHint::AnyPath)]
    more: Vec<OsString>,
    /// Settings file [default: transfeed.toml in this folder or the nearest one above]
    #[arg(long, value_name = "FILE", env = config::ENV, value_parser = config::config())]
    config: Option<PathBuf>,
}

impl Run {
    fn file(&self) -> Result<SettingsFile, Error> {
        SettingsFile::find(config::named(self.config.clone()).as_deref())?.ok_or_else(|| {
            let says = "cannot find transfeed.toml in this folder or above";
            Error::format(says, "pass --config FILE, or write one: docs/ci.md")
        })
    }

    /// The command line that shows the help of the job's command, if a job is named.
    ///
    /// # Errors
    /// No file, no job with this name, or an invalid job.
    pub fn help(&self, flag: &str) -> Result<Option<Vec<OsString>>, Error> {
        let Some(name) = &self.name else { return Ok(None) };
        let words = self.file()?.command_line(name, &[], true)?;
        Ok(Some(words.into_iter().take(2).chain([flag.into()]).collect()))
    }

    /// The command line of the job, if one is named.
    ///
    /// # Errors
    /// No file, no job with this name, or an invalid job.
    pub fn command_line(&self) -> Result<Option<Vec<OsString>>, Error> {
        let Some(name) = &self.name else { return Ok(None) };
        self.file()?.command_line(name, &self.more, false).map(Some)
    }
}

/// Lists the jobs, each with its command.
///
/// # Errors
/// No file, no jobs, an invalid job, standard output.
pub fn list(args: &Run) -> Result<Exit, Error> {
    let file = args.file()?;
    let jobs = file.jobs()?;
    let width = jobs.iter().map(|name| name.chars().count()).max();
    let Some(width) = width else {
        return Err(file.error("it has no jobs", "add a table [job.NAME] with a command"));
    };
    let mut text = String::new();
    for name in jobs {
        let words = file.command_line(name, &[], true)?;
        // migrate expands patterns itself, for the other commands a shell does
        let expands = words.get(1).is_some_and(|command| command != "migrate");
        let words: Vec<String> = without_secrets(&words).iter().map(|word| written(word, expands)).collect();
        text.push_str(&format!("{:width$}  {}\n", make_visible(name), make_visible(&words.join(" "))));
    }
    print(color::stdout(), text.as_bytes())?;
    Ok(Exit::Done)
}

/// The words of a command as they may be shown: without the values of headers, and without passwords of URLs.
fn without_secrets(words: &[OsString]) -> Vec<String> {
    let mut is_header = false;
    let hidden = |header: &str| format!("{}: …", header.split(':').next().unwrap_or_default());
    let show = |word: &OsString| {
        let text = shown(word);
        if std::mem::replace(&mut is_header, text == "--header") {
            return hidden(&text);
        }
        match text.strip_prefix("--header=") {
            Some(header) => format!("--header={}", hidden(header)),
            None if fetch::is_url(&text) => fetch::shown(&text),
            None => text,
        }
    };
    words.iter().map(show).collect()
}

/// A word as a shell has to be given it; one that expands patterns must see them.
fn written(word: &str, expands: bool) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "._/-*?[]{},\\".contains(c);
    let is_bare = expands && pattern::is_pattern(word) && word.chars().all(is_plain);
    if is_bare { word.to_owned() } else { quoted(word) }
}
