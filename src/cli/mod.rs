//! The command line: what can be typed, and which command answers. The only place that knows clap, files, the
//! terminal and the environment.

mod color;
mod convert;
mod exit;
mod file;
mod formats;
mod gzip;
mod limits;
mod output;
mod progress;
mod rules;

use std::io::Write;

use clap::{Args, Parser, Subcommand, ValueEnum};

use self::exit::Exit;
use crate::code::LossKind;
use crate::error::Error;
use crate::format::{self, Format};
use crate::options::RenditionRule;

/// Converts video and page feeds between formats and names every value that a conversion loses.
#[derive(Parser)]
#[command(
    name = "transfeed",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    after_help = "Examples:\n  \
        transfeed convert catalogue.mrss --to video-sitemap -o videos.xml\n  \
        transfeed convert feed.rss --to atom --report losses.json > feed.atom\n  \
        curl -s https://example.com/feed | transfeed convert --to jsonl\n  \
        transfeed formats rss atom\n\n\
        Exit codes: 0 done, 1 a finding (--fail-on), 2 could not be done, 70 a bug of transfeed."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Convert(Box<Convert>),
    Formats(Formats),
}

/// Converts one document, or several that become one.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    transfeed convert catalogue.mrss --to video-sitemap -o videos.xml --report losses.jsonl\n  \
    transfeed convert a.rss b.atom --to sitemap --fail-on lost > pages.xml\n  \
    transfeed convert pages.xml -o pages.jsonl\n\n\
    Formats: see `transfeed formats`.")]
struct Convert {
    /// Files, or `-` for standard input; several become one document in this order
    #[arg(value_name = "INPUT", default_value = "-")]
    inputs: Vec<String>,
    /// Target format; may be left out where the name after -o ends in .rss, .atom, .txt, .json or .jsonl
    #[arg(long, value_name = "FORMAT", value_parser = target)]
    to: Option<&'static Format>,
    /// Source format, if its content should not decide
    #[arg(long, value_name = "FORMAT", value_parser = source)]
    from: Option<&'static Format>,
    /// Output file; `-` is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: String,
    /// Whose rules are applied while writing [default: google for video-sitemap, else none]
    #[arg(long = "for", value_name = "WHO")]
    profile: Option<ProfileArg>,
    /// Sitemap extensions to write: image, news, alternates, or none [default: those the data has]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    ext: Option<Vec<Ext>>,
    /// Address of the input: relative addresses refer to it
    #[arg(long, value_name = "URL", value_parser = address)]
    base: Option<String>,
    /// Address the output will have (written as rel=self)
    #[arg(long = "self", value_name = "URL", value_parser = address)]
    self_url: Option<String>,
    /// Unknown markup: back into the same family of formats, or never; keep: also carries in feeds, in the words of
    /// sitemaps and of Media RSS, what they have no place for
    #[arg(long, value_name = "HOW", default_value = "same")]
    foreign: ForeignArg,
    /// Where to report every loss: FILE.json (rows), FILE.jsonl (each occurrence), `-` (a table on standard error)
    #[arg(long, value_name = "FILE")]
    report: Option<String>,
    /// Exit with 1 if any of these occurs: lost, changed, unread, merged, made, or all; the output is written
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = loss_kinds)]
    fail_on: Vec<LossKinds>,
    /// A repair of the input, or an entry or video that cannot be written, is an error: nothing is written
    #[arg(long)]
    strict: bool,
    /// Drops an object rather than making up what the target requires of it
    #[arg(long)]
    no_synth: bool,
    /// Which rendition of a video to take: best, smallest, largest, first, type=MIME, height<=N
    #[arg(long, value_name = "RULE", default_value = "best", hide_default_value = true)]
    rendition: RenditionRule,
    /// Several videos of one page become one item of a feed [default: an item a video from sitemaps]
    #[arg(long, conflicts_with = "one_item_per_video")]
    one_item_per_page: bool,
    /// Several videos of one page become an item each, from feeds too
    #[arg(long)]
    one_item_per_video: bool,
    /// Media RSS files outside of a group are videos of their own, never renditions of one
    #[arg(long)]
    no_merge_ungrouped: bool,
    /// A Media RSS file of unknown kind is a video
    #[arg(long)]
    assume_video: bool,
    /// Never the player of a known host in place of its watch page
    #[arg(long)]
    no_rewrite: bool,
    /// Time of the run, where a target requires a date that nothing else gives [default: SOURCE_DATE_EPOCH, or the clock]
    #[arg(long, value_name = "DATE", value_parser = date)]
    now: Option<crate::model::Date>,
    /// Indented output, one element a line
    #[arg(long)]
    pretty: bool,
    /// Reads RSS and Atom output back with the crates rss and atom_syndication; exit 70 on a difference
    #[arg(long)]
    verify: bool,
    /// Entries stay apart, also those of one page; without it, a sitemap names each page once
    #[arg(long)]
    no_group: bool,
    /// What grouping by page may hold before it uses temporary files
    #[arg(long, value_name = "SIZE", default_value = "256MiB")]
    memory: limits::Size,
    /// Where temporary files are made [default: where the system makes them]
    #[arg(long, value_name = "DIR")]
    temp_dir: Option<std::path::PathBuf>,
    /// Entries of one file; more are split into NAME-0001.xml and so on [default: 50000 for sitemaps]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    split: Option<u64>,
    /// Bytes of one file before compression; more are split [default: 52428800 for sitemaps]
    #[arg(long, value_name = "SIZE", value_parser = part_size)]
    split_bytes: Option<limits::Size>,
    /// Address of the folder that the parts of a sitemap will be in: OUT is their index [default: that of --self or --base]
    #[arg(long, value_name = "URL", value_parser = address)]
    index_base: Option<String>,
    /// Compressed output; parts are named NAME-0001.xml.gz, OUT keeps its name
    #[arg(long)]
    gzip: bool,
    /// A bar on standard error: auto is on a terminal, for what takes more than half a second
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: progress::When,
    /// Colour on standard error: auto is on a terminal without NO_COLOR
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: color::When,
    /// Threads; 0 for one a core. The output never depends on it
    #[arg(short = 'j', value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256))]
    threads: u16,
    /// No summary on standard error
    #[arg(short, long)]
    quiet: bool,
    /// All repairs of the input on standard error
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    rules: rules::RuleArgs,
    #[command(flatten)]
    limits: limits::LimitArgs,
}

/// Shows what each format can carry: all fields by all targets.
#[derive(Args)]
#[command(after_help = "Examples:\n  transfeed formats\n  transfeed formats video-sitemap --json\n  \
    transfeed formats --markdown")]
struct Formats {
    /// Only these formats
    #[arg(value_name = "FORMAT", value_parser = target)]
    formats: Vec<&'static Format>,
    /// As JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// As Markdown
    #[arg(long)]
    markdown: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ProfileArg {
    Google,
    Yandex,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ext {
    Image,
    News,
    Alternates,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ForeignArg {
    Same,
    Keep,
    Drop,
}

fn target(id: &str) -> Result<&'static Format, String> {
    match format::by_id(id) {
        Some(format) if format.writer.is_some() => Ok(format),
        Some(_) => Err(format!("{id} can only be read; targets are {}", names(true))),
        None => Err(unknown("format", id, true)),
    }
}

fn source(id: &str) -> Result<&'static Format, String> {
    format::by_id(id).ok_or_else(|| unknown("format", id, false))
}

fn names(targets: bool) -> String {
    let all = format::FORMATS.iter().filter(|format| !targets || format.writer.is_some());
    all.map(|format| format.id).collect::<Vec<_>>().join(", ")
}

fn unknown(what: &str, given: &str, targets: bool) -> String {
    let near = format::FORMATS
        .iter()
        .filter(|format| !targets || format.writer.is_some())
        .map(|format| (distance(given, format.id), format.id))
        .min();
    let hint = match near {
        Some((distance, id)) if distance <= 3 && distance < given.chars().count() => format!("did you mean {id}? "),
        _ => String::new(),
    };
    format!("no such {what}: {hint}known are {}", names(targets))
}

/// How many letters must change to make one word of another.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = cost.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// What one word of `--fail-on` names.
#[derive(Clone)]
struct LossKinds(Vec<LossKind>);

fn loss_kinds(name: &str) -> Result<LossKinds, String> {
    let name = name.trim();
    if name == "all" {
        return Ok(LossKinds(LossKind::ALL.to_vec()));
    }
    let all = LossKind::ALL.map(LossKind::name).join(", ");
    let kind = LossKind::ALL.into_iter().find(|kind| kind.name() == name);
    kind.map(|kind| LossKinds(vec![kind])).ok_or(format!("no such kind: known are {all} and all"))
}

fn address(text: &str) -> Result<String, String> {
    match crate::text::url::is_http(text) {
        true => Ok(text.to_owned()),
        false => Err("an absolute address is wanted, such as https://example.com/feed.xml".to_owned()),
    }
}

fn part_size(text: &str) -> Result<limits::Size, String> {
    let size: limits::Size = text.parse()?;
    if size.count() == 0 { Err("a part of no bytes cannot be made".to_owned()) } else { Ok(size) }
}

fn date(text: &str) -> Result<crate::model::Date, String> {
    let read = crate::model::Date::parse(text).map(|(date, _)| date);
    read.ok_or_else(|| "a date is wanted, such as 2026-05-01 or 2026-05-01T12:00:00Z".to_owned())
}

/// Runs the command line of this process.
pub fn main() -> impl Into<std::process::ExitCode> {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let wrong = error.use_stderr();
            // nobody is left to tell if the terminal is gone
            let _ = error.print();
            return if wrong { Exit::Trouble } else { Exit::Done };
        }
    };
    if let Command::Convert(args) = &cli.command {
        color::choose(args.color);
    }
    let result = match cli.command {
        Command::Convert(args) => convert::run(*args),
        Command::Formats(args) => formats::run(&args),
    };
    match result {
        Ok(exit) => exit,
        Err(error) if is_broken_pipe(&error) => Exit::Done,
        Err(error) => {
            let says = crate::report::tame(&error.to_string());
            say(&format!("{}: {says}\n", color::bad("transfeed")));
            Exit::of(&error)
        }
    }
}

/// A reader that went away has all it wanted.
fn is_broken_pipe(error: &Error) -> bool {
    match error.kind() {
        crate::error::ErrorKind::Io { source, .. } => source.kind() == std::io::ErrorKind::BrokenPipe,
        _ => false,
    }
}

/// Writes to standard error; if that is gone, there is nobody to tell.
fn say(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}
