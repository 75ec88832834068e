//! The options of `transfeed migrate`; mod.rs has the run.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::cli::argument::{self, REPORT};
use crate::cli::config::SettingsArgs;
use crate::cli::fetch::FetchArgs;
use crate::cli::gates;
use crate::cli::wanted::ConversionArgs;
use crate::job::name::Template;
use crate::job::shard::Shard;

const AGAIN: &str = "Resume and shard";

/// Arguments in the short help of `convert` alone.
const OF_CONVERT: [&str; 12] = [
    "base",
    "from",
    "strict",
    "fail_on",
    "min_videos",
    "validate",
    "rendition",
    "no_synth",
    "thumbnail",
    "thumbnail_from_feed",
    "thumbnail_from_html",
    "default_thumbnail",
];

/// Convert trees of feeds, and resume where the last run ended.
///
/// Each feed below SRC becomes a file below --out, in the same folder. Run the same command again after an interrupt, a
/// full disk or a change of inputs: files that are up to date are skipped (DIR/.transfeed keeps a journal). Outputs appear
/// once they are complete. A file that cannot be converted does not stop the others.
#[derive(Args)]
// here is no -o from whose name it could be inferred
#[command(mut_arg("to", |to| to.help(format!("Target format: {}", argument::names(true))).long_help(None::<&str>)))]
// the short help is one screen: the shared options are in that of convert
#[command(mut_args(|arg| if OF_CONVERT.contains(&arg.get_id().as_str()) { arg.hide_short_help(true) } else { arg }))]
#[cfg_attr(feature = "fetch", command(mut_arg("follow_remote", |arg| arg.hide_short_help(false))))]
#[cfg_attr(feature = "fetch", command(mut_arg("discover", |arg| arg.hide_short_help(false))))]
#[command(after_help = "Examples:\n  \
    transfeed migrate feeds --to video-sitemap --out sitemaps --report reports\n  \
    transfeed migrate 'archive/**/*.xml' --to jsonl --out all --gzip\n  \
    transfeed migrate @feeds.txt --to sitemap --out sitemaps    # a URL per line\n\
    More: --help lists all options.")]
#[command(after_long_help = "Examples:\n  \
    transfeed migrate feeds --to video-sitemap --out sitemaps\n  \
    transfeed migrate feeds --to mrss --out new --dry-run    # show what would happen\n  \
    transfeed migrate feeds --to mrss --out new --report reports    # and a report per file\n  \
    transfeed migrate feeds --to video-sitemap --out set --merge --index-base https://example.com/\n  \
    transfeed migrate 'archive/**/*.xml' partners.opml @more.txt --to jsonl --out all --gzip\n  \
    transfeed migrate feeds --to atom --out new --shard 1/4    # one of four machines\n\n\
    A URL for --base, --self or --index-base that ends in a slash is the root of the tree: the path of each file is \
    appended. More: docs/migrate.md.\n\n\
    Exit codes: 0 done, 1 more failed than --max-failed allows, 2 the input or the options are wrong, 3 some inputs \
    failed or did not pass a gate (each is named), 70 a bug of transfeed, 130 and 143 interrupted (run the same command \
    again to resume).")]
pub struct Migrate {
    /// Folders, patterns, files, URLs, sitemap indexes, OPML documents, @LIST
    ///
    /// Folders: all feeds in them, without hidden files. Patterns: such as 'feeds/**/*.xml'. Sitemap indexes: the sitemaps
    /// next to them. OPML: the files and URLs that it lists. @LIST: a file with a path or a URL per line; @- is standard input.
    #[arg(value_name = "SRC", required_unless_present = "merge_reports", value_hint = ValueHint::AnyPath, help_heading = argument::WHAT, display_order = 0)]
    pub sources: Vec<OsString>,
    /// Convert only matching files, such as *.xml or partners/**/*.xml; repeatable
    ///
    /// The pattern matches a file name, or a path below the source.
    #[arg(long, value_name = "GLOB", help_heading = argument::WHAT, display_order = 1)]
    pub include: Vec<String>,
    /// Skip matching files and folders; repeatable
    #[arg(long, value_name = "GLOB", help_heading = argument::WHAT, display_order = 2)]
    pub exclude: Vec<String>,
    /// Follow symlinks, also out of the sources and in the output folder
    #[arg(long, help_heading = argument::WHAT, hide_short_help = true)]
    pub follow: bool,
    /// Separate paths in @LIST by zero bytes, as find -print0 does
    #[arg(short = '0', long = "null", help_heading = argument::WHAT, hide_short_help = true)]
    pub zero: bool,
    /// Output folder; created if missing
    #[arg(long, value_name = "DIR", required_unless_present_any = ["merge_reports", "output"], help_heading = argument::WHERE)]
    pub out: Option<PathBuf>,
    #[arg(short = 'o', long = "output", value_name = "OUT", value_hint = ValueHint::FilePath, hide = true)]
    pub output: Option<String>,
    /// Name outputs by {dir} {stem} {ext} {format} {title} {date} and n in braces [default: {dir}/{stem}.{ext}]
    #[arg(long, value_name = "TEMPLATE", help_heading = argument::WHERE, hide_short_help = true)]
    pub name: Option<Template>,
    /// Write all inputs into one output, pages joined
    ///
    /// It is named merged, or by --name.
    #[arg(long, help_heading = argument::WHERE)]
    pub merge: bool,
    /// Show what would happen to each file; write only reports
    #[arg(long, help_heading = argument::WHERE)]
    pub dry_run: bool,
    /// Report to FILE.html, FILE.json, FILE.jsonl, or a folder (one report per file); repeatable
    ///
    /// A folder also gets summary.json and summary.html. FILE.html is a page, FILE.json has rows, FILE.jsonl each occurrence.
    #[arg(long = "report", value_name = "DIR|FILE", help_heading = REPORT)]
    pub reports: Vec<PathBuf>,
    /// Print one JSON line per file, and the summary as the last line
    #[arg(long, help_heading = REPORT)]
    pub json: bool,
    /// Exit 1 if more files fail (5, 2%), otherwise 0
    #[arg(long, value_name = "N|N%", allow_negative_numbers = true, help_heading = REPORT)]
    pub max_failed: Option<gates::LossLimit>,
    /// Only `convert` has it; here it is refused with the reason
    #[arg(long, hide = true)]
    pub write_anyway: bool,
    #[command(flatten)]
    pub wanted: ConversionArgs,
    /// Resume the last run (the default)
    #[arg(long, conflicts_with = "force", help_heading = AGAIN, hide_short_help = true)]
    pub resume: bool,
    /// Convert all files again
    #[arg(long, help_heading = AGAIN, hide_short_help = true)]
    pub force: bool,
    /// Convert only the files that failed in the last run
    #[arg(long, conflicts_with = "force", help_heading = AGAIN, hide_short_help = true)]
    pub retry_failed: bool,
    /// Continue after a file that fails (the default)
    #[arg(long, conflicts_with = "fail_fast", help_heading = AGAIN, hide_short_help = true)]
    pub keep_going: bool,
    /// Stop at the first file that fails
    #[arg(long, help_heading = AGAIN, hide_short_help = true)]
    pub fail_fast: bool,
    /// Process shard K of N; shards are independent
    ///
    /// `auto/N` reads K from the environment of an array job: JOB_COMPLETION_INDEX (Kubernetes), AWS_BATCH_JOB_ARRAY_INDEX,
    /// CLOUD_RUN_TASK_INDEX or SLURM_ARRAY_TASK_ID.
    #[arg(long, value_name = "K/N", allow_negative_numbers = true, value_parser = shard, conflicts_with = "merge", help_heading = AGAIN, hide_short_help = true)]
    pub shard: Option<Shard>,
    /// Merge the summaries that shards left in DIR (--report DIR) into DIR/summary.json, and show it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["sources", "out"], help_heading = AGAIN, hide_short_help = true)]
    pub merge_reports: Option<PathBuf>,
    #[command(flatten)]
    pub settings: SettingsArgs,
    #[command(flatten)]
    pub fetch: FetchArgs,
}

/// The shard that is meant, also by the environment.
fn shard(text: &str) -> Result<Shard, String> {
    Shard::parse(text, &|name| std::env::var(name).ok())
}
