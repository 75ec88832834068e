//! `transfeed convert`: arguments to options, files to streams, books to a report.

use std::cell::LazyCell;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::argument::{self, REPORT};
use super::exit::Exit;
use super::fetch::{FetchArgs, Fetcher, InputSources};
use super::file::InputSource;
use super::hidden::Temporaries;
use super::output::{OutputOptions, OutputTarget, PartSet, PublishedFiles, is_stdout};
use super::places::{in_folder, is_standard_input, real};
use super::progress::Progress;
use super::reports::Reports;
use super::wanted::ConversionArgs;
use super::{color, columns, config, enrich, fetch, kinds, pattern, per_page, signals};
use crate::cli::color::{eprint, print_notes};
use crate::cli::config::SettingsArgs;
use crate::convert::{Conversion, FiredGate, Input, Output, Publication, Summary};
use crate::error::Error;
use crate::format::{self, Format};
use crate::job::name;
use crate::options::Options;
use crate::report::{self, ReportDetail, TextOptions};
use crate::text::many;

/// Convert one document, or several into one.
#[derive(Args)]
#[command(after_help = "Example: transfeed convert feed.mrss --to video-sitemap -o videos.xml\n\
    More: --help lists all options (also of URLs), `transfeed formats` formats.")]
#[command(after_long_help = "Examples:\n  \
    transfeed convert catalogue.mrss --to video-sitemap -o videos.xml --report losses.jsonl\n  \
    transfeed convert a.rss b.atom --to sitemap --fail-on lost > pages.xml\n  \
    transfeed convert pages.xml -o pages.jsonl\n\n\
    Formats: `transfeed formats`. Exit codes: 0 done, 1 a gate fired, 2 the input or the options are wrong, 70 a bug.")]
pub struct Convert {
    /// Input files or URLs; `-` is standard input
    ///
    /// URLs begin with http:// or https:// (docs/fetch.md). Patterns such as '*.rss' are expanded if the shell did not do it.
    #[arg(value_name = "INPUT", default_value = "-", value_hint = ValueHint::FilePath, help_heading = argument::WHAT, display_order = 0)]
    inputs: Vec<String>,
    /// Output file; `-` is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-", value_hint = ValueHint::FilePath, help_heading = argument::WHERE)]
    output: String,
    /// Write one JSON-LD snippet for each page into this folder
    ///
    /// Each file is named after the URL of its page. Only for jsonld.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with_all = ["output", "gzip", "split", "split_bytes"], help_heading = argument::WHERE, hide_short_help = true)]
    per_page: Option<PathBuf>,
    /// Report every loss to a file or `-`; repeatable
    ///
    /// FILE.html is a page, FILE.json has rows, FILE.jsonl each occurrence, `-` is a table on standard error.
    #[arg(long = "report", value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = REPORT)]
    reports: Vec<String>,
    #[command(flatten)]
    pub(super) wanted: ConversionArgs,
    /// Publish the output even if a gate fires; the exit code stays 1
    #[arg(long, help_heading = REPORT, hide_short_help = true)]
    write_anyway: bool,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    fetch: FetchArgs,
}

impl Convert {
    /// The target that the options name.
    ///
    /// # Errors
    /// None is named.
    pub(super) fn target(&self) -> Result<&'static Format, Error> {
        target(self)
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever stops the conversion; nothing is left half-written.
pub fn run(mut args: Convert) -> Result<Exit, Error> {
    let to = target(&args)?;
    args.wanted.refuse(to)?;
    args.inputs = pattern::names(&args.inputs)?;
    prepare_pages(&mut args, to)?;
    if fetch::is_url(&args.output) {
        let says = format!("cannot write to {}: nothing is uploaded", fetch::shown(&args.output));
        return Err(Error::format(says, "pass a file to -o, and upload it with another program"));
    }
    settle_gzip(&mut args);
    distinct(&args)?;
    let files = args.inputs.iter().chain([&args.output]).chain(&args.reports);
    args.fetch.check(files.map(String::as_str), None)?;
    let progress = Progress::new(args.wanted.bar());
    let temporaries = Temporaries::default();
    end_on_signals(&temporaries, &progress);
    let (limits, temp_dir) = (args.wanted.given.limits.clone(), args.wanted.given.temp_dir.clone());
    let fetcher = Fetcher::new(&args.fetch, &limits, temp_dir.as_deref());
    let mut notes = Vec::new();
    let mut sources =
        fetcher.inputs(&args.inputs, &progress, &mut notes).map_err(|error| output_meant(&args, error))?;
    let lists = args.inputs.iter().filter(|name| fetch::FETCHES && kinds::is_list_of_feeds(Path::new(name)));
    notes.extend(lists.map(|name| kinds::list_note(name)));
    args.inputs.iter_mut().for_each(|name| *name = fetch::shown(name));
    print_notes(&notes, args.wanted.quiet);
    let has_index_base = args.wanted.index_base().is_some();
    if let InputSources::All(sources) = &sources {
        adopt_base(&mut args.wanted, sources);
        progress.expect(sources.iter().map(InputSource::size).sum());
    }
    let mut options = args.wanted.options(sources.first().and_then(InputSource::modified))?;
    let enrichment = args.wanted.enrich.enrichment(&mut options)?;
    let profile = to.profile_name(&options);
    args.wanted.warn_unused(to, None);
    let mut conversion = Conversion::to(to).with(options.clone()).counting(progress.entries());
    conversion = conversion.counting_names(args.wanted.gates.are_named());
    if let Some(from) = args.wanted.from {
        conversion = conversion.from(from);
    }
    let manner = OutputOptions { hold: args.wanted.may_refuse(to), gzip: args.wanted.gzip, temp_dir: temp_dir.clone() };
    let mut output = OutputTarget::create_among(&args.output, manner, &temporaries)?;
    let mut reports = Reports::create(&args.reports, &temporaries)?;
    let lines = reports.lines().map(|lines| lines as &mut dyn Output);
    let summary = match &mut sources {
        InputSources::All(sources) => {
            let inputs: Vec<&dyn Input> = sources.iter().map(|source| source as &dyn Input).collect();
            conversion.run(&inputs, &mut output, lines)
        }
        InputSources::Coming(stream) => {
            if args.reports.is_empty() {
                stream.end_with(output.reader());
            }
            conversion.run_coming(stream.as_mut(), &mut output, lines)
        }
    };
    progress.done();
    print_notes(&sources.take_notes(), args.wanted.quiet);
    let of_input = |error: Error| match args.inputs.as_slice() {
        [one] if !sources.have_failed() => error.in_input(one),
        _ => error,
    };
    let mut summary = match summary {
        Ok(summary) => summary,
        Err(error) => {
            // what moved is known all the same; the first error is the cause
            let _ = fetcher.end();
            let error = match reports.name_of_lines() {
                Some(name) => error.in_report(name),
                None => error,
            };
            return Err(of_input(output.with_output_name(error)));
        }
    };
    summary.fetched = sources.fetched();
    summary.enrichment = enrichment.map(|enrichment| enrichment.summary());
    args.wanted.gates.check_names(&summary.ledger)?;
    let cut_off = summary.refusal_of_input(&options).map(of_input);
    let mut fired = summary.refusal_of_output(&options);
    fired.extend(args.wanted.gates.refusal(&summary, to));
    // a stream has nothing before it that could be kept, so what was read goes there
    let stays = cut_off.is_some() && !output.is_stream();
    let is_published = if stays || !fired.is_empty() && !args.write_anyway {
        drop(output);
        false
    } else {
        let invalid = publish(&args, output, &summary, (to, &options))?;
        let is_published = invalid.is_none() || args.write_anyway;
        if let Some(base) = args.wanted.index_base().filter(|_| summary.indexed && !has_index_base && is_published) {
            warn_index(&base, summary.parts.len());
        }
        if let Some(dir) = args.per_page.as_deref().filter(|_| is_published) {
            let count = per_page::write(Path::new(&args.output), dir, &temporaries)? as u64;
            summary.snippets = Some(count);
            args.output = dir.to_string_lossy().into_owned();
            if !args.wanted.quiet {
                let files = many(count, "file", "files");
                eprint(&format!("note: wrote {files} to {}\n", report::make_visible(&args.output)));
            }
        }
        fired.extend(invalid);
        is_published
    };
    fetcher.end()?;
    summary.publication = Publication { is_published, gates: fired };
    let table = reports.table();
    reports.write(&summary, to, profile)?;
    print_summary(&args, &summary, to, (table, is_published));
    summary.enrichment.iter().for_each(|found| enrich::note_unmatched(found, args.wanted.quiet));
    for error in cut_off.iter().map(ToString::to_string).chain(gate_lines(&summary, args.write_anyway)) {
        eprint(&format!("{}: {}\n", color::red("error"), report::make_visible(&error)));
    }
    Ok(match (cut_off, summary.publication.gates.first()) {
        _ if stays => Exit::Trouble,
        (None, None) => {
            warn_empty(&summary, to);
            Exit::Done
        }
        (Some(_), _) | (_, Some(_)) => Exit::Finding,
    })
}

/// The index of the parts of a document at a URL names them beside this document, where they may not be published.
fn warn_index(base: &str, parts: usize) {
    if parts > 1 {
        let base = report::make_visible(base);
        eprint(&format!("warning: the index names the parts below {base}; pass --index-base if they are elsewhere\n"));
    }
}

/// With `--per-page`, the output is the whole graph first.
fn prepare_pages(args: &mut Convert, to: &Format) -> Result<(), Error> {
    let Some(dir) = &args.per_page else { return Ok(()) };
    if to.id != "jsonld" {
        return Err(Error::format(format!("--per-page is not for {}", to.id), "pass --to jsonld, or -o FILE"));
    }
    if dir.is_file() {
        let says = format!("cannot write snippets to {}: it is a file", dir.display());
        return Err(Error::format(says, "pass the name of a folder to --per-page"));
    }
    std::fs::create_dir_all(dir).map_err(|error| Error::io(dir.to_string_lossy(), error))?;
    args.output = per_page::graph_in(dir).to_string_lossy().into_owned();
    Ok(())
}

/// The URL of a single document that was fetched is its base, if none is given.
fn adopt_base(wanted: &mut ConversionArgs, sources: &[InputSource]) {
    if let ([source], None) = (sources, &wanted.given.base) {
        wanted.given.base = source.base().map(str::to_owned);
    }
}

/// The gates that fired, a line each; the last one with what to do.
fn gate_lines(summary: &Summary, write_anyway: bool) -> Vec<String> {
    let mut lines: Vec<String> = summary.publication.gates.iter().map(ToString::to_string).collect();
    if let Some(last) = lines.last_mut() {
        last.push_str(match write_anyway {
            true => "; published because of --write-anyway",
            false => "; fix the source, relax the gate, or publish with --write-anyway",
        });
    }
    lines
}

/// Names an output without the things that it is for.
fn warn_empty(summary: &Summary, to: &Format) {
    if let Some((what, option)) = summary.empty(to) {
        let read = many(summary.objects.entries, "entry", "entries");
        eprint(&format!("warning: the output has no {what} ({read} read); {option} 1 makes this an error\n"));
    }
}

/// Adds a hint to the error if the last input was probably meant as the output.
fn output_meant(args: &Convert, error: Error) -> Error {
    match args.inputs.as_slice() {
        [_, .., last]
            if args.output == "-" && !last.is_empty() && !fetch::is_url(last) && !Path::new(last).exists() =>
        {
            Error::format(format!("cannot read {last}: no such file"), format!("if it is the output, pass -o {last}"))
        }
        _ => error,
    }
}

/// A signal ends the run at once: a publish that is under way is finished, and nothing hidden stays behind.
fn end_on_signals(temporaries: &Temporaries, progress: &Progress) {
    let (temporaries, progress) = (temporaries.clone(), progress.clone());
    signals::end_on(&signals::listen(), move || {
        // nothing else is made until the process is gone
        std::mem::forget(temporaries.remove());
        progress.done();
        eprint("note: interrupted\n");
    });
}

/// The name decides what is compressed: `.gz` is, and what `--gzip` compresses gets that ending. A stream has no name.
fn settle_gzip(args: &mut Convert) {
    let is_gz = without_gz(&args.output).is_some();
    if args.wanted.gzip && !is_gz && !is_stdout(&args.output) {
        // a device or a pipe keeps its name, and a folder is an error reported elsewhere
        if std::fs::metadata(&args.output).is_ok_and(|found| !found.is_file()) {
            return;
        }
        let named = format!("{}.gz", args.output);
        if !args.wanted.quiet {
            let (named, given) = (report::make_visible(&named), report::make_visible(&args.output));
            eprint(&format!("note: writing {named} instead of {given}, because of --gzip\n"));
        }
        args.output = named;
    }
    args.wanted.gzip |= is_gz;
}

/// A name without the ending of compressed files, if it has it.
fn without_gz(name: &str) -> Option<&str> {
    let (stem, end) = name.split_at_checked(name.len().checked_sub(3)?)?;
    end.eq_ignore_ascii_case(".gz").then_some(stem)
}

/// Gives the output files their names and lists them if there are several. With `--validate`, only if the output has no
/// errors.
fn publish(
    args: &Convert,
    output: OutputTarget,
    summary: &Summary,
    (to, options): (&'static Format, &Options),
) -> Result<Option<FiredGate>, Error> {
    let base = args.wanted.index_base().filter(|_| summary.indexed);
    // asked for where there are parts
    let read = LazyCell::new(|| -> Vec<PathBuf> {
        let read = args.inputs.iter().filter(|name| *name != "-").chain(&args.reports).map(Path::new);
        read.chain(args.wanted.enrich.file())
            .chain(args.fetch.list_of_moved())
            .flat_map(|name| [real(name), in_folder(name)])
            .collect()
    });
    let taken =
        |path: &Path| read.contains(&in_folder(path)) || path.canonicalize().is_ok_and(|path| read.contains(&path));
    let set = PartSet { parts: &summary.parts, format: Some(to), index: base.as_deref(), taken: &taken };
    let mut complete = output.complete(&set)?;
    let gates = &args.wanted.gates;
    let invalid = if gates.validate { gates.invalid(&complete.documents()?, to, options)? } else { None };
    if invalid.is_some() && !args.write_anyway {
        return Ok(invalid);
    }
    let published = complete.publish()?;
    print_parts(&args.output, &published, args.wanted.quiet);
    Ok(invalid)
}

/// Prints how many files were written, and which old parts are still next to them.
fn print_parts(output: &str, published: &PublishedFiles, quiet: bool) {
    let shown = |path: &Path| report::make_visible(&path.file_name().unwrap_or_default().to_string_lossy());
    if let [first, .., last] = published.parts.as_slice()
        && !quiet
    {
        let count = published.parts.len();
        let index = if published.index { format!(", index {}", report::make_visible(output)) } else { String::new() };
        eprint(&format!("note: wrote {count} parts, {} to {}{index}\n", shown(first), shown(last)));
    }
    if let Some(first) = published.stale.first() {
        let more = match published.stale.len() {
            1 => "is".to_owned(),
            count => format!("and {} more are", count - 1),
        };
        eprint(&format!("warning: {} {more} left from before, and no part of this output\n", shown(first)));
    }
}

/// A file that is read must not be written, and two outputs cannot have one name.
fn distinct(args: &Convert) -> Result<(), Error> {
    let is_file = |name: &&str| {
        *name != "-" && !fetch::is_url(name) && !std::fs::metadata(name).is_ok_and(|meta| !meta.is_file())
    };
    let reports = args.reports.iter().map(String::as_str);
    let written: Vec<&str> = std::iter::once(args.output.as_str()).chain(reports).filter(is_file).collect();
    for (at, name) in written.iter().enumerate() {
        let before = written.iter().take(at).position(|other| real(Path::new(other)) == real(Path::new(name)));
        match before {
            None => (),
            Some(0) if written[0] == args.output => {
                return Err(Error::format(
                    format!("cannot write {name}: -o and --report both name it"),
                    "rename the report",
                ));
            }
            Some(_) => {
                return Err(Error::format(
                    format!("cannot write {name}: two reports have this name"),
                    "use each name once",
                ));
            }
        }
    }
    let files = args.inputs.iter().filter(|input| *input != "-" && !fetch::is_url(input)).map(Path::new);
    let read: Vec<PathBuf> = files.chain(args.wanted.enrich.file()).map(real).collect();
    let settings = config::file(&args.settings).map(|file| real(&file));
    let is_standard_input = |path: &Path| args.inputs.iter().any(|input| input == "-") && is_standard_input(path);
    for name in written {
        let place = real(Path::new(name));
        let what = match () {
            () if read.contains(&place) || is_standard_input(&place) => "an input",
            () if settings.as_ref() == Some(&place) => "the settings file",
            () => continue,
        };
        return Err(Error::format(format!("cannot write {name}: it is {what}"), "rename the output"));
    }
    Ok(())
}

/// The target, from its option or from the output's name.
fn target(args: &Convert) -> Result<&'static Format, Error> {
    if let Some(to) = args.wanted.to {
        return Ok(to);
    }
    let name = without_gz(&args.output).unwrap_or(&args.output);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let extension = extension.map(str::to_ascii_lowercase);
    let Some(to) = extension.as_deref().and_then(name::target_of) else {
        let all: Vec<&str> = format::targets().map(|format| format.id).collect();
        let says = match args.output.as_str() {
            "-" => "no target format".to_owned(),
            output => format!("cannot infer the format from {output}"),
        };
        return Err(Error::format(says, format!("pass --to with one of {}", all.join(", "))));
    };
    if !args.wanted.quiet {
        eprint(&format!("note: writing {}, inferred from the name {}\n", to.id, report::make_visible(&args.output)));
    }
    Ok(to)
}

/// Prints the outcome: as a table if requested, otherwise only if values changed. A quiet run only names losses that
/// users of the target would notice.
fn print_summary(args: &Convert, summary: &Summary, to: &'static Format, (table, is_published): (bool, bool)) {
    let totals = summary.ledger.totals();
    let eventful = totals.kept != totals.leaves || totals.made > 0 || summary.ledger.diagnostics_seen() > 0;
    let detail = match table {
        _ if args.wanted.verbose => ReportDetail::Whole,
        true => ReportDetail::Table,
        false if args.wanted.quiet => {
            let warning = color::noted("warning");
            return report::quiet(summary).iter().for_each(|line| eprint(&format!("{warning}: {line}\n")));
        }
        false if !eventful => return,
        false => ReportDetail::Summary,
    };
    let written = args.reports.iter().find(|name| *name != "-").map(String::as_str);
    let named = if is_published { args.output.clone() } else { format!("{} (not written)", args.output) };
    let shown = TextOptions {
        detail,
        name: Some(named.as_str()).filter(|_| !is_stdout(&args.output)),
        width: columns::error_columns(),
        details: Some(written.unwrap_or("--report FILE.html")),
    };
    eprint(&color::report(&columns::shown(report::text(summary, to, &shown))));
}
