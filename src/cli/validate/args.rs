//! The arguments of `transfeed validate`, from the command line, the environment and `transfeed.toml`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::super::fetch::FetchArgs;
use super::super::known::known;
use super::super::{color, limits, progress};
use crate::cli::argument::{address, date, folder, source, source_names};
use crate::cli::config::SettingsArgs;
use crate::format::Format;
use crate::model::Date;
use crate::rules::{self, Profile, Severity};
use crate::text::distance;

/// Check documents against the rules of formats and search engines.
///
/// Rules: Google, Yandex, sitemaps.org, the RSS Advisory Board, RFC 4287 and Media RSS.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    transfeed validate sitemap.xml --profile google --level error\n  \
    transfeed validate public/ --format sarif > findings.sarif\n  \
    transfeed validate https://example.com/sitemap.xml --follow-remote\n\n\
    Exit codes: 0 no findings, 1 findings at the level or above, 2 an input cannot be read.\n\
    Codes: `transfeed explain V05`, `transfeed explain --list`. More options: --help.")]
#[command(after_long_help = "Examples:\n  \
    transfeed validate sitemap.xml\n  \
    transfeed validate catalogue.mrss --profile google --level error\n  \
    transfeed validate public/ --format sarif > findings.sarif\n  \
    transfeed validate index.xml --sitemap-url https://example.com/index.xml\n  \
    transfeed validate old.xml --format json > known.json; transfeed validate old.xml --baseline known.json\n\n\
    Exit codes: 0 no findings, 1 findings at the level or above, 2 an input cannot be read.\n\
    Codes: `transfeed explain V05` explains one, `transfeed explain --list` lists all.\n\
    Settings for a folder tree: a table [validate] in transfeed.toml; options and TRANSFEED_* win (docs/ci.md).")]
pub struct Validate {
    /// Files, URLs, folders, or `-` for standard input
    ///
    /// Sitemaps next to their index are checked too.
    #[arg(value_name = "INPUT", default_value = "-", value_hint = ValueHint::AnyPath)]
    pub(super) inputs: Vec<String>,
    /// Apply the rules of google, yandex, sitemaps, rss-board, atom, mrss, apple, podcast, jsonfeed [default: by format]
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', value_parser = known(profile, profile_names), hide_possible_values = true, hide_env_values = true, env = "TRANSFEED_PROFILE")]
    pub(super) profile: Vec<Profile>,
    /// Minimum severity to report and to fail on: error, warn, info [default: warn]
    #[arg(long, value_name = "LEVEL", hide_possible_values = true, hide_env_values = true, env = "TRANSFEED_LEVEL")]
    pub(super) level: Option<SeverityLevel>,
    /// Check only these rules: codes or prefixes (V, U0)
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = known(rules::code_prefix, code_names), hide_possible_values = true, hide_env_values = true, env = "TRANSFEED_SELECT")]
    pub(super) select: Vec<String>,
    /// Skip these rules
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = known(rules::code_prefix, code_names), hide_possible_values = true, hide_env_values = true, env = "TRANSFEED_IGNORE")]
    pub(super) ignore: Vec<String>,
    /// Set the URL of the document, for rules about sites and folders
    #[arg(long, value_name = "URL", value_parser = address, hide_env_values = true, env = "TRANSFEED_SITEMAP_URL")]
    pub(super) sitemap_url: Option<String>,
    /// Set the current time [default: SOURCE_DATE_EPOCH or the clock]
    #[arg(long, value_name = "DATE", value_parser = date, hide_env_values = true, env = "TRANSFEED_NOW")]
    pub(super) now: Option<Date>,
    /// Output format: text, json, jsonl, sarif, github, gitlab, junit, html [default: text]
    #[arg(long, hide_possible_values = true, value_name = "FORMAT", hide_env_values = true, env = "TRANSFEED_FORMAT")]
    pub(super) format: Option<OutputForm>,
    /// Same as --format json
    #[arg(long, overrides_with = "format")]
    pub(super) json: bool,
    /// Show all findings [default: 20 per rule; on a page 500]
    #[arg(long)]
    pub(super) all: bool,
    /// Report only findings that this earlier --format json output lacks
    #[arg(long, value_name = "FILE", hide_env_values = true, env = "TRANSFEED_BASELINE")]
    pub(super) baseline: Option<PathBuf>,
    /// Exit 0 even with findings
    #[arg(long, hide_env_values = true, env = "TRANSFEED_EXIT_ZERO", value_parser = flag)]
    pub(super) exit_zero: bool,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Source format [default: detected from the content]
    #[arg(long, value_name = "FORMAT", value_parser = known(source, source_names), hide_possible_values = true)]
    pub(super) from: Option<&'static Format>,
    /// Show a progress bar: auto (on a terminal, after half a second), always, never
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_possible_values = true, hide_short_help = true)]
    pub(super) progress: progress::ProgressMode,
    /// Use colors: auto (on a terminal, without NO_COLOR), always, never
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        hide_short_help = true,
        hide_env_values = true,
        env = "TRANSFEED_COLOR"
    )]
    pub(in crate::cli) color: color::ColorMode,
    /// Number of threads (0 = one per core)
    #[arg(short = 'j', long = "threads", value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = crate::cli::wanted::threads)]
    pub(super) threads: usize,
    /// Print only errors and machine-readable formats
    #[arg(short, long)]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) fetch: FetchArgs,
    #[command(flatten)]
    pub(super) limits: limits::LimitArgs,
    /// Folder for temporary files [default: that of the system]
    #[arg(long, value_name = "DIR", value_parser = folder(), hide_short_help = true)]
    pub(super) temp_dir: Option<PathBuf>,
}

/// The value that the environment has for a flag: the words that clap takes, whose own message names a type of Rust.
fn flag(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "y" | "yes" | "t" | "true" | "on" | "1" => Ok(true),
        "n" | "no" | "f" | "false" | "off" | "0" => Ok(false),
        _ => Err(format!("expected true or false, not {text:?}")),
    }
}

/// The forms of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputForm {
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
    /// An HTML page
    Html,
}

/// The minimum severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SeverityLevel {
    /// Only errors
    Error,
    /// Errors and warnings
    #[value(alias = "warning")]
    Warn,
    /// Everything
    Info,
}

impl SeverityLevel {
    fn severity(self) -> Severity {
        match self {
            SeverityLevel::Error => Severity::Error,
            SeverityLevel::Warn => Severity::Warning,
            SeverityLevel::Info => Severity::Info,
        }
    }
}

/// Profiles by words that users try for them.
const MEANT: [(&str, &str); 6] = [
    ("itunes", "apple"),
    ("spotify", "apple"),
    ("podcasting", "podcast"),
    ("json-feed", "jsonfeed"),
    ("rss", "rss-board"),
    ("schema", "google"),
];

/// The profile of this name.
pub fn profile(name: &str) -> Result<Profile, String> {
    Profile::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = Profile::ALL.iter().map(|profile| profile.name()).collect();
        let meant = MEANT.iter().find(|(word, _)| name.eq_ignore_ascii_case(word)).map(|(_, meant)| *meant);
        let near = meant.or_else(|| nearest(name, names.iter().copied()));
        let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
        format!("no profile with this name: {near}profiles are {}", names.join(", "))
    })
}

fn profile_names() -> Vec<&'static str> {
    Profile::ALL.iter().map(|profile| profile.name()).collect()
}

fn code_names() -> Vec<&'static str> {
    rules::all().map(|rule| rule.code).collect()
}

/// The name that is nearly the one given.
pub fn nearest<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let (off, near) = names.map(|name| (distance(given, name), name)).min()?;
    (off <= 3 && off < given.chars().count()).then_some(near)
}

impl Validate {
    /// The minimum severity to report.
    pub(super) fn least(&self) -> Severity {
        self.level.unwrap_or(SeverityLevel::Warn).severity()
    }
}
