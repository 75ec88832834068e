//! The options that all converting commands share. Inputs and outputs are options of each command.

use std::path::PathBuf;
use std::time::SystemTime;

use clap::{Args, ValueEnum};

use super::argument::{RUN, VIDEO, WHAT, WHERE};
use super::gates::{self, GateArgs};
use super::known::known;
use super::{color, limits, progress, rules, selection, tables};
use crate::cli::argument::{address, date, source, source_names, target, target_names};
use crate::cli::color::eprint;
use crate::error::Error;
use crate::format::Format;
use crate::model::Date;
use crate::options::{Extensions, ForeignMode, Items, Options, Profile, RenditionRule};
use crate::text::url;

/// The options of a group as they are if none is given.
///
/// # Errors
/// The environment sets one to a value that it cannot have.
pub fn defaults<A: Args>() -> Result<A, Error> {
    let command = A::augment_args(clap::Command::new("transfeed").no_binary_name(true));
    let options =
        command.try_get_matches_from(std::iter::empty::<&str>()).and_then(|found| A::from_arg_matches(&found));
    options.map_err(|error| Error::format(error.to_string().trim_end().to_owned(), "check the environment"))
}

/// Further headings of the long help.
const PAGES: &str = "Pages and entries";

/// The options.
#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct ConversionArgs {
    /// Target format [default: from the extension of OUT]
    ///
    /// Formats: rss, mrss, rss-podcast, atom, atom-media, sitemap, video-sitemap, text, csv, jsonfeed, json, jsonl, jsonld,
    /// yandex-video; the extensions .rss, .mrss, .atom, .txt, .csv, .json, .jsonl and .jsonld select one.
    #[arg(long, value_name = "FORMAT", value_parser = known(target, target_names), hide_possible_values = true, help_heading = WHAT)]
    pub to: Option<&'static Format>,
    /// Source format [default: detected from the content]
    #[arg(long, value_name = "FORMAT", value_parser = known(source, source_names), hide_possible_values = true, help_heading = WHAT)]
    pub from: Option<&'static Format>,
    /// Apply the rules of google, yandex or none
    ///
    /// [default: google for video-sitemap and jsonld, otherwise none]
    #[arg(long = "for", value_name = "WHO", hide_possible_values = true, help_heading = WHAT)]
    pub profile: Option<ProfileArg>,
    /// Set the URL of the input, to resolve relative URLs
    #[arg(long, value_name = "URL", value_parser = address, help_heading = WHAT)]
    pub base: Option<String>,
    /// Set the URL of the output (written as rel=self)
    #[arg(long = "self", value_name = "URL", value_parser = address, help_heading = WHERE, hide_short_help = true)]
    pub self_url: Option<String>,
    /// Split after N entries [default: 50000 for sitemaps]
    ///
    /// The files are named NAME-0001.xml and so on.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = WHERE)]
    pub split: Option<u64>,
    /// Split after SIZE uncompressed bytes [default: 52428800 for sitemaps]
    #[arg(long, value_name = "SIZE", value_parser = part_size, help_heading = WHERE, hide_short_help = true)]
    pub split_bytes: Option<limits::Size>,
    /// Set the URL of the folder of a split sitemap; OUT becomes its index [default: from --self or --base]
    #[arg(long, value_name = "URL", value_parser = address, help_heading = WHERE, hide_short_help = true)]
    pub index_base: Option<String>,
    /// Write one file even beyond the sitemap limits (50000 URLs, 52428800 bytes)
    #[arg(long, help_heading = WHERE, hide_short_help = true)]
    pub no_limits: bool,
    /// Compress the output and add .gz to its name
    ///
    /// A name that ends in .gz is compressed without this option.
    #[arg(long, help_heading = WHERE)]
    pub gzip: bool,
    /// Indent the output, one element per line
    #[arg(long, help_heading = WHERE, hide_short_help = true)]
    pub pretty: bool,
    #[command(flatten)]
    pub gates: GateArgs,
    /// Fail on repairs and unwritable entries or videos
    #[arg(long, help_heading = gates::HEADING)]
    pub strict: bool,
    /// Publish the readable part of a truncated input
    ///
    /// Without this option the previous output is kept.
    #[arg(long, help_heading = gates::HEADING, hide_short_help = true)]
    pub accept_truncated: bool,
    /// Read RSS and Atom output back with the crates rss and atom_syndication; exit 70 on a difference
    #[arg(long, help_heading = gates::HEADING, hide_short_help = true)]
    pub verify: bool,
    /// Choose one file of a video [default: best]
    ///
    /// Rules: best, smallest, largest, first, type=MIME, height<=N.
    #[arg(long, value_name = "RULE", default_value = "best", hide_default_value = true, help_heading = VIDEO)]
    pub rendition: RenditionRule,
    /// Skip items that lack required fields
    ///
    /// Otherwise they are generated. Still generated are required values of the head, and values of an item that follow from
    /// its others (the page URL from a permalink, `updated` from `published`).
    #[arg(long, help_heading = VIDEO)]
    pub no_synth: bool,
    /// Treat Media RSS files outside a group as separate videos, not renditions
    #[arg(long, help_heading = VIDEO, hide_short_help = true)]
    pub no_merge_ungrouped: bool,
    /// Treat Media RSS files of unknown type as videos
    #[arg(long, help_heading = VIDEO, hide_short_help = true)]
    pub assume_video: bool,
    /// Keep watch-page URLs; do not replace them with player URLs
    #[arg(long, help_heading = VIDEO, hide_short_help = true)]
    pub no_rewrite: bool,
    #[command(flatten)]
    pub rules: rules::RuleArgs,
    #[command(flatten)]
    pub selection: selection::SelectionArgs,
    #[command(flatten)]
    pub tables: tables::TableArgs,
    /// Choose sitemap extensions: image, news, alternates, none [default: those with data]
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = PAGES, hide_possible_values = true, hide_short_help = true)]
    pub ext: Option<Vec<Ext>>,
    /// Choose what happens to unrecognized markup: same, keep, drop
    ///
    /// `same` copies it within a format family, `keep` also carries unsupported values as extensions, `drop` discards it.
    #[arg(long, value_name = "HOW", default_value = "same", help_heading = PAGES, hide_possible_values = true, hide_short_help = true)]
    pub foreign: ForeignArg,
    /// Write one feed item per page [default: one per video from sitemaps]
    #[arg(long, conflicts_with = "one_item_per_video", help_heading = PAGES, hide_short_help = true)]
    pub one_item_per_page: bool,
    /// Write one feed item per video, also from feeds
    #[arg(long, help_heading = PAGES, hide_short_help = true)]
    pub one_item_per_video: bool,
    /// Keep entries of the same page separate; sitemaps otherwise list each page once
    #[arg(long, help_heading = PAGES, hide_short_help = true)]
    pub no_group: bool,
    /// Decode feed texts that are escaped twice; can turn inert text into live markup
    #[arg(long, help_heading = PAGES, hide_short_help = true)]
    pub decode_twice: bool,
    /// Set the time of the run, for required dates without a source [default: SOURCE_DATE_EPOCH or the clock]
    #[arg(long, value_name = "DATE", value_parser = date, help_heading = PAGES, hide_short_help = true)]
    pub now: Option<Date>,
    /// Number of threads (0 = one per core)
    #[arg(short = 'j', long = "threads", value_name = "N", default_value_t = 0, value_parser = threads, help_heading = RUN)]
    pub threads: u16,
    /// Print no summary
    #[arg(short, long, help_heading = RUN)]
    pub quiet: bool,
    /// List all repairs of the input
    #[arg(short, long, help_heading = RUN)]
    pub verbose: bool,
    /// Memory for grouping by page before temporary files are used
    #[arg(long, value_name = "SIZE", default_value = "256MiB", help_heading = RUN, hide_short_help = true)]
    pub memory: limits::Size,
    /// Folder for temporary files [default: that of the system]
    #[arg(long, value_name = "DIR", help_heading = RUN, hide_short_help = true)]
    pub temp_dir: Option<PathBuf>,
    /// Show a progress bar: auto (on a terminal, after half a second), always, never
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = RUN, hide_possible_values = true, hide_short_help = true)]
    pub progress: progress::ProgressMode,
    /// Use colors: auto (on a terminal, without NO_COLOR), always, never
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = RUN, hide_possible_values = true, hide_short_help = true)]
    pub color: color::ColorMode,
    /// Print help (-h: the common options)
    #[arg(short, long, action = clap::ArgAction::Help, help_heading = RUN)]
    help: Option<bool>,
    #[command(flatten)]
    pub limits: limits::LimitArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProfileArg {
    Google,
    Yandex,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Ext {
    Image,
    News,
    Alternates,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ForeignArg {
    Same,
    Keep,
    Drop,
}

impl ConversionArgs {
    /// When there is a progress bar: a quiet run has one only on request.
    pub fn bar(&self) -> progress::ProgressMode {
        match self.progress {
            progress::ProgressMode::Auto if self.quiet => progress::ProgressMode::Never,
            asked => asked,
        }
    }

    /// What the library is asked for; `modified` is when the input was last changed.
    ///
    /// # Errors
    /// Options that go with no other.
    pub fn options(&self, modified: Option<SystemTime>) -> Result<Options, Error> {
        let mut options = Options {
            base: self.base.clone(),
            self_url: self.self_url.clone(),
            profile: match self.profile {
                None => Profile::Default,
                Some(ProfileArg::Google) => Profile::Google,
                Some(ProfileArg::Yandex) => Profile::Yandex,
                Some(ProfileArg::None) => Profile::None,
            },
            ext: extensions(self.ext.as_deref())?,
            foreign: match self.foreign {
                ForeignArg::Same => ForeignMode::Same,
                ForeignArg::Keep => ForeignMode::Keep,
                ForeignArg::Drop => ForeignMode::Drop,
            },
            strict: self.strict,
            no_synth: self.no_synth,
            rendition: self.rendition.clone(),
            items: match (self.one_item_per_page, self.one_item_per_video) {
                (true, _) => Items::PerPage,
                (_, true) => Items::PerVideo,
                _ => Items::AsGiven,
            },
            no_merge_ungrouped: self.no_merge_ungrouped,
            assume_video: self.assume_video,
            decode_twice: self.decode_twice,
            no_rewrite: self.no_rewrite,
            pretty: self.pretty,
            now: self.now.or_else(now),
            modified: modified.and_then(date_of),
            threads: self.threads.into(),
            verify: self.verify,
            no_group: self.no_group,
            memory: self.memory.bytes(),
            temp_dir: self.temp_dir.clone(),
            split: self.split,
            split_bytes: self.split_bytes.map(limits::Size::count),
            index_base: self.index_base(),
            no_limits: self.no_limits,
            accept_truncated: self.accept_truncated,
            min_entries: self.gates.min_entries,
            min_videos: self.gates.min_videos,
            limits: self.limits.limits(),
            ..Options::default()
        };
        self.rules.apply(&mut options);
        self.selection.apply(&mut options);
        self.tables.apply(&mut options);
        Ok(options)
    }

    /// All settings that affect the output, in one text. Threads and memory are not part of it, nor is the clock,
    /// unless the time was given or entries are selected by their age.
    ///
    /// # Errors
    /// See [`ConversionArgs::options`].
    pub fn essence(&self, to: &Format) -> Result<String, Error> {
        let options = self.options(None)?;
        let is_given = self.now.is_some() || std::env::var_os("SOURCE_DATE_EPOCH").is_some();
        let now = options.now.filter(|_| is_given || options.max_age.is_some() || options.drop_expired);
        let bare = Options { now, threads: 0, memory: 0, temp_dir: None, ..options };
        let from = self.from.map(|from| from.id);
        let gates = self.gates.essence() + &self.tables.essence();
        Ok(format!("{} {from:?} {} {} {bare:?}{gates}", env!("CARGO_PKG_VERSION"), to.id, self.gzip))
    }

    /// What this target cannot be asked for.
    ///
    /// # Errors
    /// What is asked for, and what would be right.
    pub fn refuse(&self, to: &Format) -> Result<(), Error> {
        let feed = to.family.is_feed();
        // ignoring the option would silently disable a guard that the user relies on
        if self.gates.min_videos.is_some() && !to.has_videos() {
            return Err(Error::format(
                format!("cannot check --min-videos: {} has no videos", to.id),
                "try --min-entries",
            ));
        }
        if self.gates.validate && !rules_fit(to) {
            return Err(Error::format(
                format!("cannot check --validate: no profile has rules for {}", to.id),
                "omit --validate",
            ));
        }
        if self.verify && !feed {
            return Err(Error::format(
                format!("cannot verify {}: no independent reader", to.id),
                "--verify supports rss, mrss, rss-podcast, atom and atom-media",
            ));
        }
        if self.profile == Some(ProfileArg::Yandex) && feed {
            return Err(Error::format(
                "cannot write a feed for Yandex: it accepts only sitemaps and text",
                "try --to sitemap, or omit --for",
            ));
        }
        Ok(())
    }

    /// The URL of the folder for the parts: as given, or that of the output or of the input.
    pub fn index_base(&self) -> Option<String> {
        let of_document = self.self_url.as_deref().or(self.base.as_deref());
        self.index_base.clone().or_else(|| of_document.and_then(|address| url::resolve(address, ".")))
    }

    /// Warns about options that have no effect on this target.
    pub fn warn_unused(&self, to: &Format) {
        if self.quiet {
            return;
        }
        let sitemap = to.family.is_xml_sitemap();
        let feed = to.family.is_feed();
        // a list of URLs is a sitemap too
        let yandex = self.profile == Some(ProfileArg::Yandex) && to.family.is_lines();
        let videos = to.has_videos();
        let unused = [
            ("--ext", self.ext.is_some() && !sitemap),
            ("--self", self.self_url.is_some() && !feed && !sitemap && self.profile != Some(ProfileArg::Yandex)),
            ("--for", self.profile.is_some() && !sitemap && to.id != "mrss" && !yandex),
            ("--foreign keep", self.foreign == ForeignArg::Keep && !feed),
            (
                "--rendition",
                self.rendition != RenditionRule::Best && !matches!(to.id, "video-sitemap" | "rss" | "rss-podcast"),
            ),
            ("--one-item-per-page", self.one_item_per_page && !feed),
            ("--one-item-per-video", self.one_item_per_video && !feed),
            ("--no-merge-ungrouped", self.no_merge_ungrouped && !videos),
            ("--assume-video", self.assume_video && !videos),
            ("--no-rewrite", self.no_rewrite && to.id != "video-sitemap"),
            ("--no-group", self.no_group && to.family.is_model()),
            ("--no-limits", self.no_limits && !sitemap),
            ("--index-base", self.index_base.is_some() && !sitemap),
            ("--pretty", self.pretty && matches!(to.id, "text" | "jsonl")),
        ];
        let (rules, tables) = (self.rules.unused(to), self.tables.unused(to));
        for (option, _) in unused.iter().chain(&rules).chain(&tables).filter(|(_, unused)| *unused) {
            eprint(&format!("note: {option} has no effect on {}\n", to.id));
        }
        if to.id == "video-sitemap" && self.profile == Some(ProfileArg::Yandex) {
            eprint(
                "warning: no videos written: Yandex does not support the video extension (--for google writes them)\n",
            );
        }
    }

    /// Whether an output may turn out to be one that is not to be published: then a stream has to wait for the end.
    pub fn may_refuse(&self, to: &Format) -> bool {
        let limited = to.family.is_xml_sitemap() && !self.no_limits;
        self.strict || limited || self.gates.is_any()
    }
}

/// Whether there are rules for documents of this format, whoever is to take them.
fn rules_fit(to: &Format) -> bool {
    crate::rules::Profile::ALL.into_iter().any(|profile| profile != crate::rules::Profile::Yandex && profile.fits(to))
}

fn extensions(list: Option<&[Ext]>) -> Result<Option<Extensions>, Error> {
    let Some(list) = list else { return Ok(None) };
    if list.contains(&Ext::None) && list.len() > 1 {
        return Err(Error::format("cannot combine --ext none with other extensions", "remove one of them"));
    }
    let has = |ext| list.contains(&ext);
    Ok(Some(Extensions { image: has(Ext::Image), news: has(Ext::News), alternates: has(Ext::Alternates) }))
}

/// Gives the options what the run and its input say of time, as a conversion has it; `modified` is when the input was
/// last changed.
pub fn date_run(options: &mut Options, modified: Option<SystemTime>) {
    options.now = now();
    options.modified = modified.and_then(date_of);
}

/// The time of the run, or that of the environment, so that two runs can give the same bytes.
pub(super) fn now() -> Option<Date> {
    epoch().unwrap_or_default().or_else(|| date_of(SystemTime::now()))
}

/// The time that the environment sets, if any.
///
/// # Errors
/// Its value is not a time.
pub fn epoch() -> Result<Option<Date>, Error> {
    let Some(said) = std::env::var_os("SOURCE_DATE_EPOCH").filter(|said| !said.is_empty()) else { return Ok(None) };
    let said = said.to_string_lossy();
    match said.trim().parse().ok().and_then(Date::from_unix) {
        Some(date) => Ok(Some(date)),
        None => Err(Error::format(
            format!("cannot read SOURCE_DATE_EPOCH={said}: not a time"),
            "set it to seconds since 1970, such as 1780000000, or unset it",
        )),
    }
}

/// A moment as a date.
pub fn date_of(time: SystemTime) -> Option<Date> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Date::from_unix(i64::try_from(since.as_secs()).ok()?)
}

pub fn threads(text: &str) -> Result<u16, String> {
    let read = text.parse().ok().filter(|threads| *threads <= 256);
    read.ok_or_else(|| "expected a number of threads from 0 (one per core) to 256".to_owned())
}

fn part_size(text: &str) -> Result<limits::Size, String> {
    let size: limits::Size = text.parse()?;
    if size.count() == 0 { Err("expected a size above 0".to_owned()) } else { Ok(size) }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_help_names_every_target() {
        let mut command = super::super::Cli::command();
        command.build();
        let convert = command.find_subcommand_mut("convert").expect("a command");
        let help = convert.render_long_help().to_string();
        let said = help.split("Formats:").nth(1).and_then(|rest| rest.split(';').next()).expect("the option");
        let said: Vec<&str> = said.split(',').map(str::trim).collect();
        let targets: Vec<&str> = crate::format::targets().map(|format| format.id).collect();
        assert_eq!(said, targets);
    }
}
