//! The arguments of `transfeed validate`, and how the words in them are read: on the command line, in the environment and in
//! `transfeed.toml`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::super::known::known;
use super::super::settings::SettingsArgs;
use super::super::{address, color, date, limits, progress, source, source_names};
use crate::format::Format;
use crate::model::Date;
use crate::rules::{self, Profile, Severity};
use crate::text::distance;

/// Checks documents against the rules of Google, Yandex, sitemaps.org, the RSS Advisory Board, RFC 4287 and Media RSS.
#[derive(Args)]
#[command(mut_arg("config", |arg| arg.hide_short_help(false)), mut_arg("no_config", |arg| arg.hide_short_help(false)))]
#[command(after_help = "Examples:\n  \
    transfeed validate sitemap.xml\n  \
    transfeed validate catalogue.mrss --profile google --level error\n  \
    transfeed validate public/ --format sarif > findings.sarif\n  \
    transfeed validate index.xml --sitemap-url https://example.com/index.xml\n  \
    transfeed validate old.xml --format json > known.json; transfeed validate old.xml --baseline known.json\n\n\
    Exit codes: 0 nothing found at the level or above, 1 findings, 2 could not be done.\n\
    What a code means: `transfeed explain V05`; all of them: `transfeed explain --list`.\n\
    Settings for a folder tree: transfeed.toml with a table [validate]; options and TRANSFEED_* win over it (docs/ci.md).")]
pub struct Validate {
    /// Files, folders, or `-` for standard input; parts of an index that lie beside it are checked too
    #[arg(value_name = "INPUT", default_value = "-", value_hint = ValueHint::AnyPath)]
    pub(super) inputs: Vec<String>,
    /// Whose rules: google, yandex, sitemaps, rss-board, atom, mrss [default: those that fit the format]
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', value_parser = known(profile, profile_names), hide_possible_values = true, env = "TRANSFEED_PROFILE")]
    pub(super) profile: Vec<Profile>,
    /// The least that is shown, and that makes exit code 1 [default: warn]
    #[arg(long, value_name = "LEVEL", env = "TRANSFEED_LEVEL")]
    pub(super) level: Option<Level>,
    /// Only these rules: codes, or their beginnings (V, U0)
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = known(code, code_names), hide_possible_values = true, env = "TRANSFEED_SELECT")]
    pub(super) select: Vec<String>,
    /// Not these rules
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = known(code, code_names), hide_possible_values = true, env = "TRANSFEED_IGNORE")]
    pub(super) ignore: Vec<String>,
    /// The address of the document, for rules about sites and folders
    #[arg(long, value_name = "URL", value_parser = address, env = "TRANSFEED_SITEMAP_URL")]
    pub(super) sitemap_url: Option<String>,
    /// Today, for what is past or to come [default: SOURCE_DATE_EPOCH, or the clock]
    #[arg(long, value_name = "DATE", value_parser = date, env = "TRANSFEED_NOW")]
    pub(super) now: Option<Date>,
    /// The form of the output [default: text]
    #[arg(long, value_name = "FORMAT", env = "TRANSFEED_FORMAT")]
    pub(super) format: Option<Form>,
    /// The same as --format json
    #[arg(long, overrides_with = "format")]
    pub(super) json: bool,
    /// All findings: as text not the first 20 of each rule, on a page not the first 500
    #[arg(long)]
    pub(super) all: bool,
    /// Only what this earlier output of --format json does not have
    #[arg(long, value_name = "FILE", env = "TRANSFEED_BASELINE")]
    pub(super) baseline: Option<PathBuf>,
    /// Exit code 0 whatever is found
    #[arg(long, env = "TRANSFEED_EXIT_ZERO")]
    pub(super) exit_zero: bool,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Format of the input, if its content should not decide
    #[arg(long, value_name = "FORMAT", value_parser = known(source, source_names), hide_possible_values = true)]
    pub(super) from: Option<&'static Format>,
    /// A bar on standard error: auto is on a terminal, for what takes more than half a second
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(super) progress: progress::When,
    /// Colour: auto is on a terminal without NO_COLOR
    #[arg(long, value_name = "WHEN", default_value = "auto", env = "TRANSFEED_COLOR")]
    pub(super) color: color::When,
    /// Threads; 0 for one a core. The output never depends on it
    #[arg(short = 'j', long = "threads", value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256))]
    pub(super) threads: u16,
    /// Print only errors; the exit code tells the result. Forms for programs (--format json) are still written
    #[arg(short, long)]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) limits: limits::LimitArgs,
}

/// The forms of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people
    Text,
    /// One document
    Json,
    /// A finding a line, the totals last
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
    /// GitLab Code Quality
    Gitlab,
    /// JUnit XML
    Junit,
    /// A page: transfeed validate … --format html > findings.html
    Html,
}

/// How bad a finding must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Only errors
    Error,
    /// Errors and warnings
    #[value(alias = "warning")]
    Warn,
    /// Everything
    Info,
}

impl Level {
    fn severity(self) -> Severity {
        match self {
            Level::Error => Severity::Error,
            Level::Warn => Severity::Warning,
            Level::Info => Severity::Info,
        }
    }
}

/// The profile of this name.
pub fn profile(name: &str) -> Result<Profile, String> {
    Profile::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = Profile::ALL.iter().map(|profile| profile.name()).collect();
        let near =
            nearest(name, names.iter().copied()).map(|near| format!("did you mean {near}? ")).unwrap_or_default();
        format!("no such profile: {near}known are {}", names.join(", "))
    })
}

fn profile_names() -> Vec<&'static str> {
    Profile::ALL.iter().map(|profile| profile.name()).collect()
}

fn code_names() -> Vec<&'static str> {
    rules::all().map(|rule| rule.code).collect()
}

/// A code of a rule, or the beginning of one, in capital letters.
pub fn code(text: &str) -> Result<String, String> {
    let wanted = text.trim().to_ascii_uppercase();
    if !wanted.is_empty() && rules::all().any(|rule| rule.code.starts_with(&wanted)) {
        return Ok(wanted);
    }
    let near = nearest(&wanted, rules::all().map(|rule| rule.code));
    let hint = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
    Err(format!("no rule has a code that begins with {text}: {hint}`transfeed explain --list` shows all"))
}

/// The name that is nearly the one given.
pub fn nearest<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let (off, near) = names.map(|name| (distance(given, name), name)).min()?;
    (off <= 3 && off < given.chars().count()).then_some(near)
}

impl Validate {
    /// The least that is told.
    pub(super) fn least(&self) -> Severity {
        self.level.unwrap_or(Level::Warn).severity()
    }

    /// When there is colour.
    pub fn color(&self) -> color::When {
        self.color
    }
}
