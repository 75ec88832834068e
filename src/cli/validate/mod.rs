//! `transfeed validate`: arguments to a check, findings to one of the forms in which people and programs read them.
//! The rules and the check itself are the library's (`rules`).

mod annotations;
mod baseline;
mod config;
mod files;
mod json;
mod junit;
mod page;
mod render;
mod sarif;
mod spool;
mod text;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::exit::Exit;
use super::file::Source;
use super::known::known;
use super::progress::Progress;
use super::{address, color, date, limits, progress, say, source, source_names};
use crate::convert::Input;
use crate::error::Error;
use crate::format::Format;
use crate::model::Date;
use crate::options::Options;
use crate::report::tame;
use crate::rules::{self, Alternates, Check, PartKinds, Profile, Settings, Severity, Totals};
use crate::text::distance;

use baseline::Baseline;
use render::{Render, Shown};
use spool::Spool;

/// Checks documents against the rules of Google, Yandex, sitemaps.org, the RSS Advisory Board, RFC 4287 and Media RSS.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    transfeed validate sitemap.xml\n  \
    transfeed validate catalogue.mrss --profile google --level error\n  \
    transfeed validate public/ --format sarif > findings.sarif\n  \
    transfeed validate index.xml --sitemap-url https://example.com/index.xml\n  \
    transfeed validate old.xml --format json > known.json; transfeed validate old.xml --baseline known.json\n\n\
    Exit codes: 0 nothing found at the level or above, 1 findings, 2 could not be done.\n\
    What a code means: `transfeed explain V05`; all of them: `transfeed explain --list`.\n\
    Settings for a folder tree: transfeed.toml with a table [validate]; flags and TRANSFEED_* go before it.")]
pub struct Validate {
    /// Files, folders, or `-` for standard input; parts of an index that lie beside it are checked too
    #[arg(value_name = "INPUT", default_value = "-")]
    inputs: Vec<String>,
    /// Whose rules: google, yandex, sitemaps, rss-board, atom, mrss [default: those that fit the format]
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', value_parser = known(profile, profile_names), hide_possible_values = true, env = "TRANSFEED_PROFILE")]
    profile: Vec<Profile>,
    /// The least that is shown, and that makes exit code 1 [default: warn]
    #[arg(long, value_name = "LEVEL", env = "TRANSFEED_LEVEL")]
    level: Option<Level>,
    /// Only these rules: codes, or their beginnings (V, U0)
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = known(code, code_names), hide_possible_values = true, env = "TRANSFEED_SELECT")]
    select: Vec<String>,
    /// Not these rules
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = known(code, code_names), hide_possible_values = true, env = "TRANSFEED_IGNORE")]
    ignore: Vec<String>,
    /// The address of the document, for rules about sites and folders
    #[arg(long, value_name = "URL", value_parser = address, env = "TRANSFEED_SITEMAP_URL")]
    sitemap_url: Option<String>,
    /// Today, for what is past or to come [default: SOURCE_DATE_EPOCH, or the clock]
    #[arg(long, value_name = "DATE", value_parser = date, env = "TRANSFEED_NOW")]
    now: Option<Date>,
    /// The form of the output [default: text]
    #[arg(long, value_name = "FORMAT", env = "TRANSFEED_FORMAT")]
    format: Option<Form>,
    /// All findings: as text not the first 20 of each rule, on a page not the first 500
    #[arg(long)]
    all: bool,
    /// Only what this earlier output of --format json does not have
    #[arg(long, value_name = "FILE", env = "TRANSFEED_BASELINE")]
    baseline: Option<PathBuf>,
    /// Exit code 0 whatever is found
    #[arg(long, env = "TRANSFEED_EXIT_ZERO")]
    exit_zero: bool,
    /// Settings [default: transfeed.toml in this folder or the nearest one above]
    #[arg(long, value_name = "FILE", env = "TRANSFEED_CONFIG", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// No settings from a file
    #[arg(long)]
    no_config: bool,
    /// Format of the input, if its content should not decide
    #[arg(long, value_name = "FORMAT", value_parser = known(source, source_names), hide_possible_values = true)]
    from: Option<&'static Format>,
    /// A bar on standard error: auto is on a terminal, for what takes more than half a second
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: progress::When,
    /// Colour: auto is on a terminal without NO_COLOR
    #[arg(long, value_name = "WHEN", default_value = "auto", env = "TRANSFEED_COLOR")]
    color: color::When,
    /// Threads; 0 for one a core. The output never depends on it
    #[arg(short = 'j', value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256))]
    threads: u16,
    #[command(flatten)]
    limits: limits::LimitArgs,
}

/// The forms of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Only errors
    Error,
    /// Errors and warnings
    #[value(alias = "warning")]
    #[serde(alias = "warning")]
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
pub(super) fn nearest<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let (off, near) = names.map(|name| (distance(given, name), name)).min()?;
    (off <= 3 && off < given.chars().count()).then_some(near)
}

impl Validate {
    /// When there is colour.
    pub fn color(&self) -> color::When {
        self.color
    }
}

/// Findings of one rule that a text shows.
const SHOWN: u64 = 20;

/// Runs the command.
///
/// # Errors
/// What stops the check: an input that cannot be read or is no known format, standard output.
pub fn run(mut args: Validate) -> Result<Exit, Error> {
    config::apply(&mut args)?;
    let form = args.format.unwrap_or(Form::Text);
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose()?;
    let mut check = check(&args, form, baseline.is_some());
    let (names, notes) = files::expand(&args.inputs)?;
    for note in notes {
        say(&format!("transfeed: {}\n", tame(&note)));
    }
    let progress = Progress::new(args.progress);
    let sources: Vec<Result<Source, Error>> =
        names.iter().map(|name| Source::open(&name.path, None, &progress)).collect();
    progress.expect(sources.iter().flatten().map(Source::size).sum());
    check.count = Some(progress.entries());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(args.threads)).build();
    let pool = pool.map_err(|error| Error::io("threads", std::io::Error::other(error)))?;
    let mut render = render::of(form, args.all);
    let mut session = Session { check, baseline, totals: Totals::default(), trouble: false };
    let result = pool.install(|| session.files(&names, sources, &progress, &mut *render));
    progress.done();
    result?;
    render.end(session.totals)?;
    Ok(match session.totals.sum() {
        _ if session.trouble => Exit::Trouble,
        0 => Exit::Done,
        _ if args.exit_zero => Exit::Done,
        _ => Exit::Finding,
    })
}

fn check(args: &Validate, form: Form, baseline: bool) -> Check {
    let most = match form {
        _ if baseline => None,
        Form::Text if !args.all => Some(SHOWN),
        // a rule alone can fill the file
        Form::Sarif => Some(sarif::MOST as u64),
        Form::Html if args.all => Some(crate::html::LISTED as u64),
        Form::Html => Some(page::OF_A_RULE),
        Form::Text | Form::Json | Form::Jsonl | Form::Github | Form::Gitlab | Form::Junit => None,
    };
    let settings = Settings {
        profiles: args.profile.clone(),
        level: Some(args.level.unwrap_or(Level::Warn).severity()),
        select: args.select.clone(),
        ignore: args.ignore.clone(),
        sitemap_url: args.sitemap_url.clone(),
        now: args.now.or_else(super::wanted::now),
        now_said: args.now.is_some(),
        most,
        excerpts: matches!(form, Form::Text | Form::Html),
        fingerprints: baseline || matches!(form, Form::Json | Form::Jsonl | Form::Sarif | Form::Gitlab),
        ..Settings::default()
    };
    let options = Options { limits: args.limits.limits(), ..Options::default() };
    Check { settings, options, from: args.from, ..Check::default() }
}

/// One run over all files.
struct Session {
    check: Check,
    baseline: Option<Baseline>,
    totals: Totals,
    /// A file could not be read, and the others were checked all the same.
    trouble: bool,
}

impl Session {
    fn files(
        &mut self,
        names: &[files::Named],
        sources: Vec<Result<Source, Error>>,
        progress: &Progress,
        render: &mut dyn Render,
    ) -> Result<(), Error> {
        if self.wants_alternates(sources.len()) {
            let mut alternates = Alternates::default();
            for source in sources.iter().flatten() {
                // what cannot be read is told when it is checked
                let _ = self.check.note_alternates(source, &mut alternates);
            }
            self.check.alternates = Some(Arc::new(alternates));
        }
        let several = names.len() > 1;
        for (name, source) in names.iter().zip(sources) {
            let checked = source.and_then(|source| self.file(name, &source, several, render));
            match checked {
                Ok(()) => (),
                Err(error) if several && !render::is_output(&error) => {
                    self.trouble = true;
                    progress.done();
                    let error = error.in_input(&name.path);
                    say(&format!("{}: {}\n", color::bad("transfeed"), tame(&error.to_string())));
                    render.refused(&name.path, &error.to_string())?;
                }
                Err(error) => return Err(error.in_input(&name.path)),
            }
        }
        Ok(())
    }

    /// Whether links between pages of several files are asked for.
    fn wants_alternates(&self, files: usize) -> bool {
        let settings = &self.check.settings;
        let google = settings.profiles.is_empty() || settings.profiles.contains(&Profile::Google);
        files > 1 && google && settings.wants("H04") && settings.level < Some(Severity::Error)
    }

    fn file(
        &mut self,
        name: &files::Named,
        source: &Source,
        several: bool,
        render: &mut dyn Render,
    ) -> Result<(), Error> {
        let mut check = self.check.clone();
        check.settings.file_name = name.file_name();
        if let Some(url) = &name.url {
            check.settings.sitemap_url = Some(url.clone());
        }
        let folder = name.folder();
        check.settings.kinds =
            Some(PartKinds(Arc::new(move |address| files::kind_of_part(folder.as_deref(), address))));
        let mut spool = Spool::new(self.baseline.as_mut());
        let mut checked = check.run(source as &dyn Input, &mut spool)?;
        if let Some((totals, rules)) = spool.recounted(&checked) {
            (checked.totals, checked.rules) = (totals, rules);
        }
        for profile in &checked.unfit {
            let (profile, format) = (profile.name(), checked.format.id);
            say(&format!("transfeed: {}: the profile {profile} has no rules for {format}\n", tame(&name.path)));
        }
        if checked.profiles.is_empty() && checked.unfit.is_empty() {
            return Err(Error::format(
                format!("no profile has rules for {}", checked.format.id),
                "validate the document that it was made of, or what it is converted to",
            ));
        }
        for note in &checked.notes {
            say(&format!("transfeed: {}: {note}\n", tame(&name.path)));
        }
        self.totals.merge(checked.totals);
        let shown = Shown { name: &name.path, checked: &checked, several };
        render.file(&shown, spool.sorted()?)
    }
}
