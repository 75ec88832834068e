//! `transfeed validate`: the arguments, the check and the output formats. The rules are in `rules`.

mod annotations;
mod args;
mod baseline;
mod files;
mod json;
mod junit;
mod page;
mod render;
mod sarif;
mod spool;
mod text;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::color;
use super::exit::Exit;
use super::fetch::{self, Fetcher};
use super::file::{InputSource, MISNAMED, NameHint};
use super::kinds;
use super::progress::{Progress, ProgressMode};
use crate::cli::color::{eprint, print_notes};
use crate::convert::{Input, refusal};
use crate::detect::{self, DocumentKind};
use crate::error::Error;
use crate::format::Format;
use crate::options::{Limits, Options};
use crate::report::make_visible;
use crate::rules::{
    Alternates, CHECKED_AT_ONCE, Check, CheckSummary, FindingTotals, PartKinds, Profile, Settings, Severity,
};
use crate::text::many;
use crate::xml::decode;

pub use args::{Validate, nearest};

use args::OutputForm;
use baseline::Baseline;
use render::{CheckedFileFindings, Render, StandardOutput};
use spool::FindingSpool;

/// Runs the command.
///
/// # Errors
/// Problems that stop the check: an input that cannot be read or has no known format, standard output.
pub fn run(args: Validate) -> Result<Exit, Error> {
    let form = if args.json { OutputForm::Json } else { args.format.unwrap_or(OutputForm::Text) };
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose()?;
    let mut check = check(&args, form, baseline.is_some());
    let (names, notes) = files::expand(&args.inputs)?;
    print_notes(&notes, args.quiet);
    let progress = Progress::new(if args.quiet { ProgressMode::Never } else { args.progress });
    args.fetch.check(names.iter().map(|name| name.path.as_str()), None)?;
    let fetcher = Fetcher::new(&args.fetch, &args.limits, args.temp_dir.as_deref());
    let (names, sources) = opened(&args, names, &fetcher, &progress);
    fetcher.end()?;
    progress.expect(sources.iter().flatten().map(InputSource::size).sum());
    check.count = Some(progress.entries());
    let options = check.options.clone();
    let mut render: Box<dyn Render> = match (args.quiet, form) {
        (true, OutputForm::Text) => Box::new(text::QuietForm),
        _ => renderer(form, args.all),
    };
    let out = StandardOutput::new(form == OutputForm::Text);
    let mut session = Session {
        check,
        baseline,
        quiet: args.quiet,
        totals: FindingTotals::default(),
        trouble: false,
        passed: PassedFiles::default(),
        pages: 0,
        looked: 0,
        unfit: None,
        out,
    };
    let result = options.on_threads(|| session.files(&names, sources, &progress, &mut *render))?;
    progress.done();
    result?;
    render.end(session.totals, &mut session.out)?;
    session.out.finish()?;
    Ok(match session.totals.sum() {
        _ if session.trouble => Exit::Trouble,
        0 => Exit::Done,
        _ if args.exit_zero => Exit::Done,
        _ => Exit::Finding,
    })
}

/// The files, opened, and what is at the URLs among them.
fn opened(
    args: &Validate,
    names: Vec<files::CheckedFile>,
    fetcher: &Fetcher<'_>,
    progress: &Progress,
) -> (Vec<files::CheckedFile>, Vec<Result<InputSource, Error>>) {
    let (mut all, mut sources, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for mut name in names {
        if let Some(error) = name.failure.take() {
            sources.push(Err(error));
            all.push(name);
            continue;
        }
        if !fetch::is_url(&name.path) {
            sources.push(match name.path.as_str() {
                "-" => InputSource::open("-", args.temp_dir.as_deref(), progress),
                path => InputSource::at(&name.file, path, args.temp_dir.as_deref(), progress),
            });
            all.push(name);
            continue;
        }
        for (path, source) in fetcher.each(&name.path, progress, &mut notes) {
            let url = source.as_ref().ok().and_then(|source| source.base()).filter(|_| args.sitemap_url.is_none());
            let url = url.map(str::to_owned);
            let file = PathBuf::from(path.split('?').next().unwrap_or_default());
            all.push(files::CheckedFile { file, path, url, found: false, failure: None });
            sources.push(source);
        }
    }
    print_notes(&notes, args.quiet);
    (all, sources)
}

fn renderer(form: OutputForm, all: bool) -> Box<dyn Render> {
    match form {
        OutputForm::Text => Box::new(text::TextForm::new(all)),
        OutputForm::Json => Box::new(json::JsonForm::default()),
        OutputForm::Jsonl => Box::new(json::JsonLinesForm),
        OutputForm::Sarif => Box::new(sarif::Sarif::default()),
        OutputForm::Github => Box::new(annotations::Github),
        OutputForm::Gitlab => Box::new(annotations::Gitlab::default()),
        OutputForm::Junit => Box::new(junit::Junit::default()),
        OutputForm::Html => Box::new(page::ValidationPage::default()),
    }
}

fn check(args: &Validate, form: OutputForm, baseline: bool) -> Check {
    let most = match form {
        _ if baseline => None,
        OutputForm::Text if !args.all => Some(text::SHOWN),
        // a rule alone can fill the file
        OutputForm::Sarif => Some(sarif::MOST as u64),
        OutputForm::Html if args.all => Some(crate::html::LISTED as u64),
        OutputForm::Html => Some(crate::html::LISTED_OF_A_RULE),
        OutputForm::Text
        | OutputForm::Json
        | OutputForm::Jsonl
        | OutputForm::Github
        | OutputForm::Gitlab
        | OutputForm::Junit => None,
    };
    let settings = Settings {
        profiles: args.profile.clone(),
        level: Some(args.least()),
        select: args.select.clone(),
        ignore: args.ignore.clone(),
        sitemap_url: args.sitemap_url.clone(),
        now: args.now.or_else(super::wanted::now),
        now_said: args.now.is_some(),
        most,
        excerpts: matches!(form, OutputForm::Text | OutputForm::Html),
        fingerprints: baseline
            || matches!(form, OutputForm::Json | OutputForm::Jsonl | OutputForm::Sarif | OutputForm::Gitlab),
        ..Settings::default()
    };
    let limits = Limits { chunk: CHECKED_AT_ONCE, ..args.limits.limits() };
    let temp_dir = args.temp_dir.clone();
    let options = Options { limits, threads: args.threads, temp_dir, ..Options::default() };
    Check { settings, options, from: args.from, ..Check::default() }
}

/// How many files of folders are named that hold nothing to check.
const NAMED: usize = 3;

/// Files of folders that hold nothing to check.
#[derive(Default)]
struct PassedFiles {
    count: usize,
    /// The first ones.
    named: Vec<String>,
}

impl PassedFiles {
    fn note(&mut self, path: &str) {
        self.count += 1;
        if self.named.len() < NAMED {
            self.named.push(make_visible(path));
        }
    }
}

impl std::fmt::Display for PassedFiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} in folders ({}", many(self.count as u64, "file", "files"), self.named.join(", "))?;
        match self.count - self.named.len() {
            0 => f.write_str(")"),
            more => write!(f, " and {more} more)"),
        }
    }
}

/// One run over all files.
struct Session {
    check: Check,
    baseline: Option<Baseline>,
    /// Only errors are printed beside the findings.
    quiet: bool,
    totals: FindingTotals,
    /// A file could not be read, and the others were checked all the same.
    trouble: bool,
    passed: PassedFiles,
    /// Pages that describe no video.
    pages: u64,
    /// Files that were checked.
    looked: u64,
    /// Why the first file that was found has no rules.
    unfit: Option<Error>,
    out: StandardOutput,
}

impl Session {
    fn files(
        &mut self,
        names: &[files::CheckedFile],
        sources: Vec<Result<InputSource, Error>>,
        progress: &Progress,
        render: &mut dyn Render,
    ) -> Result<(), Error> {
        if self.wants_alternates(sources.len()) {
            let mut alternates = Alternates::default();
            for source in sources.iter().flatten() {
                // unreadable files are reported when they are checked
                let _ = self.check.note_alternates(source, &mut alternates);
            }
            self.check.alternates = Some(Arc::new(alternates));
        }
        let several = names.len() > 1;
        for (name, source) in names.iter().zip(sources) {
            let source = match source.and_then(|source| Ok((self.passes(name, &source, several)?, source))) {
                Ok((true, _)) => continue,
                Ok((false, source)) => Ok(source),
                Err(error) => Err(error),
            };
            let checked = source.and_then(|source| self.file(name, &source, several, render));
            match checked {
                Ok(()) => (),
                Err(error) if several && !render::is_output(&error) => {
                    self.trouble = true;
                    progress.done();
                    let error = error.in_input(&name.path);
                    eprint(&format!("{}: {}\n", color::red("error"), make_visible(&error.to_string())));
                    render.refused(&name.path, &error.to_string(), &mut self.out)?;
                }
                Err(error) => return Err(error.in_input(&name.path)),
            }
        }
        if self.passed.count > 0 && !self.quiet {
            progress.done();
            eprint(&format!("note: skipped {}: not feeds, or without rules for the format\n", self.passed));
        }
        if self.pages > 0 && !self.quiet {
            progress.done();
            eprint(&format!("note: skipped {} without a video in JSON-LD\n", many(self.pages, "page", "pages")));
        }
        // what fits nothing of all that is there was asked for by mistake, as with a single file
        if let Some(error) = self.unfit.take().filter(|_| self.looked == 0 && !self.trouble) {
            return Err(error);
        }
        Ok(())
    }

    /// Whether a file holds nothing to check: it is a page without a video, or was found in a folder and is no feed.
    ///
    /// # Errors
    /// It was meant to be a feed.
    fn passes(&mut self, name: &files::CheckedFile, source: &InputSource, several: bool) -> Result<bool, Error> {
        let Some(kind) = kind_of(source).filter(|_| name.found || several) else { return Ok(false) };
        let from = self.check.from;
        let is_feed = NameHint::from_path(&name.file).is_feed(&kind);
        let is_page = several && from.is_none() && !is_feed && matches!(kind, DocumentKind::Html { .. });
        if !is_page && (!name.found || kinds::is_document(&kind, from, false)) {
            return Ok(false);
        }
        let why = refusal(&kind);
        if is_feed {
            return Err(Error::io(name.path.as_str(), io::Error::other(format!("{MISNAMED}: {why}"))));
        }
        if is_page {
            self.pages += 1
        } else {
            self.passed.note(&name.path)
        }
        self.unfit.get_or_insert(why.in_input(&name.path));
        Ok(true)
    }

    /// Whether links between pages of several files are asked for.
    fn wants_alternates(&self, files: usize) -> bool {
        let settings = &self.check.settings;
        let google = settings.profiles.is_empty() || settings.profiles.contains(&Profile::Google);
        files > 1 && google && settings.wants("H04") && settings.level < Some(Severity::Error)
    }

    fn file(
        &mut self,
        name: &files::CheckedFile,
        source: &InputSource,
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
        let mut spool = FindingSpool::new(self.baseline.as_mut(), self.check.options.temp_dir.clone());
        let mut checked = check.run(source as &dyn Input, &mut spool)?;
        if let Some((totals, rules)) = spool.recounted(&checked) {
            (checked.totals, checked.rules) = (totals, rules);
        }
        if checked.profiles.is_empty() {
            if name.found {
                self.passed.note(&name.path);
                self.unfit.get_or_insert_with(|| unfit(&checked).in_input(&name.path));
                return Ok(());
            }
            return Err(unfit(&checked));
        }
        self.looked += 1;
        for profile in checked.unfit.iter().filter(|_| !self.quiet) {
            let (path, profile, format) = (make_visible(&name.path), profile.name(), checked.format.id);
            let says = format!("skipped: the profile {profile} has no rules for {format}; {}", fitting(checked.format));
            eprint(&format!("warning: {path}: {says}\n"));
        }
        for note in checked.notes.iter().filter(|_| !self.quiet) {
            eprint(&format!("note: {}: {note}\n", make_visible(&name.path)));
        }
        self.totals.merge(checked.totals);
        let (fetched, findings) = (source.fetched(), spool.sorted()?);
        let shown = CheckedFileFindings { name: &name.path, fetched, checked: &checked, several, findings };
        render.file(shown, &mut self.out)?;
        // output about the next file comes later
        self.out.finish()
    }
}

/// The error that no profile has rules for the document.
fn unfit(checked: &CheckSummary) -> Error {
    let format = checked.format;
    let names: Vec<&str> = checked.unfit.iter().map(|profile| profile.name()).collect();
    match names.as_slice() {
        [] => Error::format(format!("cannot validate {}: no profile checks it by default", format.id), fitting(format)),
        [name] => Error::format(
            format!("cannot validate: the profile {name} has no rules for {}", format.id),
            fitting(format),
        ),
        names => {
            let names = names.join(", ");
            Error::format(
                format!("cannot validate: the profiles {names} have no rules for {}", format.id),
                fitting(format),
            )
        }
    }
}

/// What an input is, by its beginning; nothing if it cannot be read.
fn kind_of(source: &InputSource) -> Option<DocumentKind> {
    let prefix = (source as &dyn Input).open().and_then(|from| decode::decode(from)?.peek()).ok()?;
    Some(detect::detect(&prefix.text, prefix.complete))
}

/// The profiles that have rules for a format, or what to do if none has.
fn fitting(format: &Format) -> String {
    let fit = Profile::ALL.iter().filter(|profile| profile.fits(format)).map(|profile| profile.name());
    match fit.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => {
            "validate the document that it comes from, or one that it is converted to".to_owned()
        }
        names => format!("profiles with rules: {names}"),
    }
}
