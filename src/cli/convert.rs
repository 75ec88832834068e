//! `transfeed convert`: arguments to options, files to streams, books to a report.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::exit::Exit;
use super::file::Source;
use super::output::{Manner, Published, Set, Target};
use super::progress::Progress;
use super::{Convert, Ext, ForeignArg, ProfileArg, color, limits, say};
use crate::code::LossKind;
use crate::convert::{Conversion, Input, Summary};
use crate::error::Error;
use crate::format::{self, Family, Format};
use crate::model::Date;
use crate::options::{Extensions, ForeignMode, Items, Options, Profile, RenditionRule};
use crate::report::{self, Detail};
use crate::text::url;

/// Runs the command.
///
/// # Errors
/// Whatever stops the conversion; nothing is left half-written.
pub fn run(args: Convert) -> Result<Exit, Error> {
    let to = target(&args)?;
    if args.verify && !matches!(to.family, Family::Rss | Family::Atom) {
        return Err(Error::format(
            format!("--verify cannot read {} back", to.id),
            "it takes rss, mrss, atom and atom-media",
        ));
    }
    distinct(&args)?;
    let progress = Progress::new(args.progress);
    let open = |name: &String| Source::open(name, args.temp_dir.as_deref(), &progress);
    let sources = args.inputs.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    progress.expect(sources.iter().map(Source::size).sum());
    let inputs: Vec<&dyn Input> = sources.iter().map(|source| source as &dyn Input).collect();
    let options = options(&args, &sources)?;
    let profile = options.profile_name(to);
    if options.yandex() && matches!(to.family, Family::Rss | Family::Atom) {
        return Err(Error::format(
            "Yandex takes no feeds as sitemaps",
            "say --to sitemap or --to text, or leave --for out",
        ));
    }
    say_unused(&args, to);
    if !args.gzip && !args.quiet && args.output.ends_with(".gz") {
        say(&format!("transfeed: {} will not be compressed; --gzip does that\n", report::tame(&args.output)));
    }
    let mut conversion = Conversion::to(to).with(options).counting(progress.entries());
    if let Some(from) = args.from {
        conversion = conversion.from(from);
    }
    let mut output = Target::create(&args.output, Manner { hold: args.strict, gzip: args.gzip })?;
    let kind = report_kind(args.report.as_deref())?;
    let mut file = match (&kind, args.report.as_deref()) {
        (ReportKind::Lines | ReportKind::Document, Some(name)) => Some(Target::create(name, Manner::default())?),
        _ => None,
    };
    let summary = match (&kind, &mut file) {
        (ReportKind::Lines, Some(lines)) => conversion.run(&inputs, &mut output, Some(lines)),
        _ => conversion.run(&inputs, &mut output, None),
    };
    progress.done();
    let summary =
        summary.map_err(|error| error.in_output(&args.output)).map_err(|error| match args.inputs.as_slice() {
            [one] => error.in_input(one),
            _ => error,
        })?;
    publish(&args, output, &summary, to)?;
    write_report(&args, profile, &kind, file, &summary, to)?;
    Ok(exit(&args, &summary))
}

/// The folder that parts will be in, as an address: said, or that of the output or of the input.
fn index_base(args: &Convert) -> Option<String> {
    let of_document = args.self_url.as_deref().or(args.base.as_deref());
    args.index_base.clone().or_else(|| of_document.and_then(|address| url::resolve(address, ".")))
}

/// Gives the output its names, and tells which they are where it is several files.
fn publish(args: &Convert, output: Target, summary: &Summary, to: &'static Format) -> Result<(), Error> {
    let base = index_base(args).filter(|_| summary.indexed);
    let read = args.inputs.iter().filter(|name| *name != "-").chain(&args.report);
    let read: Vec<PathBuf> = read.flat_map(|name| [real(name), in_folder(Path::new(name))]).collect();
    let taken =
        |path: &Path| read.contains(&in_folder(path)) || path.canonicalize().is_ok_and(|path| read.contains(&path));
    let set = Set { parts: &summary.parts, format: Some(to), index: base.as_deref(), taken: &taken };
    let published = output.finish_set(&set)?;
    if !args.quiet {
        say_parts(&args.output, &published);
    }
    Ok(())
}

/// How many files the output became, and what stands beside them from before.
fn say_parts(output: &str, published: &Published) {
    let shown = |path: &Path| report::tame(&path.file_name().unwrap_or_default().to_string_lossy());
    if let [first, .., last] = published.parts.as_slice() {
        let count = published.parts.len();
        let index = if published.index { format!("; {} is their index", report::tame(output)) } else { String::new() };
        say(&format!("transfeed: {count} parts, {} to {}{index}\n", shown(first), shown(last)));
    }
    if let Some(first) = published.stale.first() {
        let more = match published.stale.len() {
            1 => "is".to_owned(),
            count => format!("and {} more are", count - 1),
        };
        say(&format!("transfeed: {} {more} left from before, and no part of this output\n", shown(first)));
    }
}

/// Whether what `--fail-on` names occurs; told also where no summary is wanted.
fn exit(args: &Convert, summary: &Summary) -> Exit {
    let rows = summary.ledger.rows();
    let wanted: Vec<LossKind> = args.fail_on.iter().flat_map(|kinds| kinds.0.iter().copied()).collect();
    let count = |kind: LossKind| rows.iter().filter(|row| row.kind == kind).map(|row| row.count).sum::<u64>();
    let found = LossKind::ALL.into_iter().filter(|kind| wanted.contains(kind) && count(*kind) > 0);
    let found: Vec<String> = found.map(|kind| format!("{} {}", count(kind), kind.name())).collect();
    if found.is_empty() {
        return Exit::Done;
    }
    say(&format!("transfeed: --fail-on: {}\n", found.join(", ")));
    Exit::Finding
}

/// The file that a name leads to.
fn real(name: &str) -> PathBuf {
    std::fs::canonicalize(name).unwrap_or_else(|_| name.into())
}

/// A name that may not exist yet, in its real folder.
fn in_folder(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    path.file_name().map_or_else(|| path.to_owned(), |name| folder.join(name))
}

/// A file that is read must not be written, and two outputs cannot have one name.
fn distinct(args: &Convert) -> Result<(), Error> {
    let is_file = |name: &&str| *name != "-" && !std::fs::metadata(name).is_ok_and(|meta| !meta.is_file());
    let report = args.report.as_deref();
    let written: Vec<&str> = std::iter::once(args.output.as_str()).chain(report).filter(is_file).collect();
    if let [output, report] = written.as_slice()
        && real(output) == real(report)
    {
        return Err(Error::format(format!("-o and --report both name {output}"), "give the report another name"));
    }
    for name in written {
        if args.inputs.iter().any(|input| input != "-" && real(input) == real(name)) {
            return Err(Error::format(format!("{name} is an input too"), "give the output another name"));
        }
    }
    Ok(())
}

/// The target, said or told by the output's name.
fn target(args: &Convert) -> Result<&'static Format, Error> {
    if let Some(to) = args.to {
        return Ok(to);
    }
    let name = args.output.strip_suffix(".gz").unwrap_or(&args.output);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let id = match extension {
        Some("rss") => "rss",
        Some("atom") => "atom",
        Some("txt") => "text",
        Some("json") => "json",
        Some("jsonl") => "jsonl",
        _ => {
            let all: Vec<&str> = format::targets().map(|format| format.id).collect();
            return Err(Error::format("no target format", format!("say --to with one of {}", all.join(", "))));
        }
    };
    if !args.quiet {
        say(&format!("transfeed: writing {id}, as the name {} says\n", report::tame(&args.output)));
    }
    // the names above are those of targets
    format::by_id(id).ok_or_else(|| Error::format(format!("no such format: {id}"), "this is a bug"))
}

fn options(args: &Convert, sources: &[Source]) -> Result<Options, Error> {
    let mut options = Options {
        base: args.base.clone(),
        self_url: args.self_url.clone(),
        profile: match args.profile {
            None => Profile::Default,
            Some(ProfileArg::Google) => Profile::Google,
            Some(ProfileArg::Yandex) => Profile::Yandex,
            Some(ProfileArg::None) => Profile::None,
        },
        ext: extensions(args.ext.as_deref())?,
        foreign: match args.foreign {
            ForeignArg::Same => ForeignMode::Same,
            ForeignArg::Keep => ForeignMode::Keep,
            ForeignArg::Drop => ForeignMode::Drop,
        },
        strict: args.strict,
        no_synth: args.no_synth,
        rendition: args.rendition.clone(),
        items: match (args.one_item_per_page, args.one_item_per_video) {
            (true, _) => Items::PerPage,
            (_, true) => Items::PerVideo,
            _ => Items::AsGiven,
        },
        no_merge_ungrouped: args.no_merge_ungrouped,
        assume_video: args.assume_video,
        no_rewrite: args.no_rewrite,
        pretty: args.pretty,
        now: args.now.or_else(now),
        modified: sources.first().and_then(Source::modified).and_then(date_of),
        threads: args.threads.into(),
        verify: args.verify,
        no_group: args.no_group,
        memory: args.memory.bytes(),
        temp_dir: args.temp_dir.clone(),
        split: args.split,
        split_bytes: args.split_bytes.map(limits::Size::count),
        index_base: index_base(args),
        limits: args.limits.limits(),
        ..Options::default()
    };
    args.rules.apply(&mut options);
    Ok(options)
}

fn extensions(list: Option<&[Ext]>) -> Result<Option<Extensions>, Error> {
    let Some(list) = list else { return Ok(None) };
    if list.contains(&Ext::None) && list.len() > 1 {
        return Err(Error::format("--ext none goes with no other", "leave the others out, or none"));
    }
    let has = |ext| list.contains(&ext);
    Ok(Some(Extensions { image: has(Ext::Image), news: has(Ext::News), alternates: has(Ext::Alternates) }))
}

/// The time of the run: the environment's if it says one, so that two runs can give the same bytes.
fn now() -> Option<Date> {
    if let Ok(said) = std::env::var("SOURCE_DATE_EPOCH")
        && let Ok(seconds) = said.trim().parse()
    {
        return Date::from_unix(seconds);
    }
    date_of(std::time::SystemTime::now())
}

fn date_of(time: std::time::SystemTime) -> Option<Date> {
    let since = time.duration_since(std::time::UNIX_EPOCH).ok()?;
    Date::from_unix(i64::try_from(since.as_secs()).ok()?)
}

/// Options that this target has no use for change nothing, and the user is told.
fn say_unused(args: &Convert, to: &Format) {
    if args.quiet {
        return;
    }
    let sitemap = to.family == Family::Sitemap;
    let feed = matches!(to.family, Family::Rss | Family::Atom);
    // a list of addresses is a sitemap too
    let yandex = args.profile == Some(ProfileArg::Yandex) && to.family == Family::Text;
    let videos = !matches!(to.id, "text" | "sitemap");
    let unused = [
        ("--ext", args.ext.is_some() && !sitemap),
        ("--self", args.self_url.is_some() && !feed && !sitemap && args.profile != Some(ProfileArg::Yandex)),
        ("--for", args.profile.is_some() && !sitemap && to.id != "mrss" && !yandex),
        ("--foreign keep", args.foreign == ForeignArg::Keep && !feed),
        ("--rendition", args.rendition != RenditionRule::Best && !matches!(to.id, "video-sitemap" | "rss")),
        ("--one-item-per-page", args.one_item_per_page && !feed),
        ("--one-item-per-video", args.one_item_per_video && !feed),
        ("--no-merge-ungrouped", args.no_merge_ungrouped && !videos),
        ("--assume-video", args.assume_video && !videos),
        ("--no-rewrite", args.no_rewrite && to.id != "video-sitemap"),
        ("--no-group", args.no_group && !(sitemap || to.family == Family::Text)),
        ("--index-base", args.index_base.is_some() && !sitemap),
        ("--pretty", args.pretty && matches!(to.id, "text" | "jsonl")),
    ];
    let rules = args.rules.unused(to);
    for (option, _) in unused.iter().chain(&rules).filter(|(_, unused)| *unused) {
        say(&format!("transfeed: {} has no use for {option}\n", to.id));
    }
}

enum ReportKind {
    None,
    Table,
    Document,
    Lines,
}

fn report_kind(name: Option<&str>) -> Result<ReportKind, Error> {
    match name {
        None => Ok(ReportKind::None),
        Some("-") => Ok(ReportKind::Table),
        Some(name) if name.ends_with(".jsonl") => Ok(ReportKind::Lines),
        Some(name) if name.ends_with(".json") => Ok(ReportKind::Document),
        Some(name) => Err(Error::format(
            format!("--report {name}: its name does not say what to write"),
            "end it in .json (rows) or .jsonl (each occurrence), or say - for a table",
        )),
    }
}

fn write_report(
    args: &Convert,
    profile: &'static str,
    kind: &ReportKind,
    file: Option<Target>,
    summary: &Summary,
    to: &'static Format,
) -> Result<(), Error> {
    let name = args.report.as_deref().unwrap_or("report");
    let wrong = |error| Error::io(name, error);
    match (kind, file) {
        (ReportKind::Lines, Some(mut lines)) => {
            report::last_line(summary, &mut lines).map_err(wrong)?;
            lines.finish()?;
        }
        (ReportKind::Document, Some(mut file)) => {
            report::json(summary, to, profile, &mut file).map_err(wrong)?;
            file.flush().map_err(wrong)?;
            file.finish()?;
        }
        (ReportKind::Table, _) => say(&color::report(&report::text(summary, to, Detail::Table))),
        (ReportKind::None | ReportKind::Lines | ReportKind::Document, _) => (),
    }
    let totals = summary.ledger.totals();
    let eventful = totals.kept != totals.leaves || totals.made > 0 || summary.ledger.diagnostics_seen() > 0;
    if !args.quiet && !matches!(kind, ReportKind::Table) && eventful {
        let detail = if args.verbose { Detail::Table } else { Detail::Summary };
        say(&color::report(&report::text(summary, to, detail)));
    }
    Ok(())
}
