//! The options that all converting commands share. Inputs and outputs are options of each command.

use std::path::PathBuf;
use std::time::SystemTime;

use clap::{Arg, Args, Command, ValueEnum};

use super::argument::{PAGES, REPORT, RUN, SELECTION, TABLES, VIDEO, WHAT, WHERE};
use super::enrich::{EnrichArgs, column};
use super::gates::{GateArgs, profiles};
use super::known::known;
use super::limits::{LimitArgs, Size};
use super::{color, progress};
use crate::cli::argument::{
    address, at_least_one, count, date, folder, folder_address, source, source_names, target, target_names,
};
use crate::cli::color::eprint;
use crate::convert;
use crate::error::Error;
use crate::format::{Format, PageGrouping};
use crate::model::Date;
use crate::options::{
    Extensions, ForeignMode, Items, Options, Profile, RenditionRule, TableRows, ThumbnailRule, TitleSource, option_rows,
};
use crate::select::{Condition, FieldSet, MaxAge};
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

/// An argument for each option of the library that has one, and the targets on which it has an effect.
macro_rules! arguments {
    (
        arguments {$(
            $(#[doc = $help:literal])* $(#[arg $arg:tt])? $(#[command $command:tt])? $(#[serde $serde:tt])?
            $name:ident: $given:ty = $default:expr $(, as $type:ty => $by:expr)? $(, for $effect:expr)?;
        )*}
        others { $($others:tt)* }
    ) => {
        /// Options of the library, as they are typed.
        #[derive(Args)]
        pub struct OptionArgs {
            $($(#[doc = $help])* $(#[arg $arg])? $(#[command $command])? pub $name: $given,)*
        }

        impl OptionArgs {
            fn options(&self) -> Options {
                Options { $($name: member!(self.$name.clone() $(, $by)?),)* ..Options::default() }
            }
        }

        /// Members that are set and that have no effect on a target.
        fn without_effect(options: &Options, to: &Format) -> Vec<&'static str> {
            let default = Options::default();
            let mut found = Vec::new();
            $($(
                let has_effect: fn(&Options, &Format) -> bool = $effect;
                if options.$name != default.$name && !has_effect(options, to) {
                    found.push(stringify!($name));
                }
            )?)*
            found
        }
    };
}

macro_rules! member {
    ($value:expr) => {
        $value
    };
    ($value:expr, $by:expr) => {
        $by($value)
    };
}

option_rows!(arguments);

fn feed(_: &Options, to: &Format) -> bool {
    to.family.is_feed()
}

fn sitemap(_: &Options, to: &Format) -> bool {
    to.family.is_xml_sitemap()
}

fn lines(_: &Options, to: &Format) -> bool {
    to.family.is_lines()
}

fn videos(_: &Options, to: &Format) -> bool {
    to.has_videos()
}

fn video_sitemap(_: &Options, to: &Format) -> bool {
    to.id == "video-sitemap"
}

/// A thumbnail is required where the rules of a search engine are applied.
fn thumbnails(options: &Options, to: &Format) -> bool {
    matches!(to.id, "video-sitemap" | "jsonld" | "yandex-video") || media_for_google(options, to)
}

/// Titles are those of a video sitemap, which is also what Google wants of Media RSS.
fn titles(options: &Options, to: &Format) -> bool {
    video_sitemap(options, to) || media_for_google(options, to)
}

fn media_for_google(options: &Options, to: &Format) -> bool {
    to.id == "mrss" && to.google(options)
}

/// Entries of one page become one, where nothing else is asked for.
fn grouping(options: &Options, to: &Format) -> bool {
    to.groups(&Options { no_group: false, ..options.clone() }) != PageGrouping::Never
}

/// A player takes the place of a watch page.
fn players(_: &Options, to: &Format) -> bool {
    matches!(to.id, "video-sitemap" | "jsonld" | "yandex-video")
}

/// One file is written for the video, or comes first.
fn renditions(_: &Options, to: &Format) -> bool {
    matches!(to.id, "video-sitemap" | "rss" | "rss-podcast" | "jsonfeed" | "jsonld" | "yandex-video")
}

fn table(_: &Options, to: &Format) -> bool {
    to.id == "csv"
}

/// A list of URLs is a sitemap for Yandex, too.
fn profiled(options: &Options, to: &Format) -> bool {
    to.family.is_xml_sitemap() || matches!(to.id, "mrss" | "jsonld") || options.yandex() && to.family.is_lines()
}

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
    /// Compress the output and add .gz to its name
    ///
    /// A name that ends in .gz is compressed without this option.
    #[arg(long, help_heading = WHERE)]
    pub gzip: bool,
    #[command(flatten)]
    pub gates: GateArgs,
    #[command(flatten)]
    pub given: OptionArgs,
    #[command(flatten)]
    pub enrich: EnrichArgs,
    /// Print no summary
    #[arg(short, long, help_heading = RUN)]
    pub quiet: bool,
    /// List all repairs of the input
    #[arg(short, long, help_heading = RUN)]
    pub verbose: bool,
    /// Show a progress bar: auto (on a terminal, after half a second), always, never
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = RUN, hide_possible_values = true, hide_short_help = true)]
    pub progress: progress::ProgressMode,
    /// Use colors: auto (on a terminal, without NO_COLOR), always, never
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = RUN, hide_possible_values = true, hide_short_help = true)]
    pub color: color::ColorMode,
    /// Print help (-h: the common options)
    #[arg(short, long, action = clap::ArgAction::Help, help_heading = RUN)]
    help: Option<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Ext {
    Image,
    News,
    Alternates,
    None,
}

fn extensions(list: Option<Vec<Ext>>) -> Option<Extensions> {
    let list = list?;
    let has = |ext| list.contains(&ext);
    Some(Extensions { image: has(Ext::Image), news: has(Ext::News), alternates: has(Ext::Alternates) })
}

/// Two flags for one member.
#[derive(Args, Clone)]
pub struct ItemArgs {
    /// Write one feed item per page [default: one per video from sitemaps]
    #[arg(long, conflicts_with = "one_item_per_video", help_heading = PAGES, hide_short_help = true)]
    one_item_per_page: bool,
    /// Write one feed item per video, also from feeds
    #[arg(long, help_heading = PAGES, hide_short_help = true)]
    one_item_per_video: bool,
}

impl ItemArgs {
    fn items(self) -> Items {
        match (self.one_item_per_page, self.one_item_per_video) {
            (true, _) => Items::PerPage,
            (_, true) => Items::PerVideo,
            _ => Items::AsGiven,
        }
    }
}

fn field_set(sets: Vec<FieldSet>) -> FieldSet {
    let mut all = FieldSet::default();
    all.extend(sets);
    all
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
        if self.given.ext.as_ref().is_some_and(|list| list.contains(&Ext::None) && list.len() > 1) {
            return Err(Error::format("cannot combine --ext none with other extensions", "remove one of them"));
        }
        let options = self.given.options();
        if let (Some(since), Some(until)) = (&options.since, &options.until)
            && since.compare(until).is_gt()
        {
            let says =
                format!("cannot select entries: --since {} is later than --until {}", since.to_w3c(), until.to_w3c());
            return Err(Error::format(says, "exchange the dates"));
        }
        Ok(Options {
            now: options.now.or_else(now),
            modified: modified.and_then(date_of),
            index_base: self.index_base(),
            ..options
        })
    }

    /// All settings that affect the output, in one text. Threads and memory are not part of it, nor is the clock,
    /// unless the time was given or entries are selected by their age.
    ///
    /// # Errors
    /// See [`ConversionArgs::options`].
    pub fn essence(&self, to: &Format) -> Result<String, Error> {
        let options = self.options(None)?;
        let is_given = self.given.now.is_some() || std::env::var_os("SOURCE_DATE_EPOCH").is_some();
        let now = options.now.filter(|_| is_given || options.max_age.is_some() || options.drop_expired);
        let bare = Options { now, threads: 0, memory: 0, temp_dir: None, ..options };
        let from = self.from.map(|from| from.id);
        let gates = self.gates.essence() + &self.enrich.essence();
        Ok(format!("{} {from:?} {} {} {bare:?}{gates}", env!("CARGO_PKG_VERSION"), to.id, self.gzip))
    }

    /// What this target cannot be asked for.
    ///
    /// # Errors
    /// What is asked for, and what would be right.
    pub fn refuse(&self, to: &Format) -> Result<(), Error> {
        // ignoring the option would silently disable a guard that the user relies on
        if self.given.min_videos.is_some() && !to.has_videos() {
            return Err(Error::format(
                format!("cannot check --min-videos: {} has no videos", to.id),
                "try --min-entries",
            ));
        }
        if self.gates.validate && profiles(to, &self.given.options()).is_empty() {
            return Err(Error::format(
                format!("cannot check --validate: no profile has rules for {}", to.id),
                "omit --validate",
            ));
        }
        if self.given.verify && !to.family.is_feed() {
            return Err(Error::format(
                format!("cannot verify {}: no independent reader", to.id),
                "--verify supports rss, mrss, rss-podcast, atom and atom-media",
            ));
        }
        // before anything is fetched
        convert::writer_for(to, &self.given.options()).map(|_| ())
    }

    /// The URL of the folder for the parts: as given, or that of the output or of the input.
    pub fn index_base(&self) -> Option<String> {
        let of_document = self.given.self_url.as_deref().or(self.given.base.as_deref());
        self.given.index_base.clone().or_else(|| of_document.and_then(|address| url::resolve(address, ".")))
    }

    /// Warns about options that have no effect on this target; the command itself uses the one with this name.
    pub fn warn_unused(&self, to: &Format, used: Option<&str>) {
        if self.quiet {
            return;
        }
        let command = OptionArgs::augment_args(Command::new("transfeed"));
        let options = self.given.options();
        for name in without_effect(&options, to).into_iter().filter(|name| used != Some(*name)) {
            let long = command.get_arguments().find(|arg| arg.get_id() == name).and_then(Arg::get_long);
            let shown = match (long, options.items) {
                (Some(long), _) => long,
                (None, Items::PerVideo) => "one-item-per-video",
                (None, _) => "one-item-per-page",
            };
            eprint(&format!("note: --{shown} has no effect on {}\n", to.id));
        }
        if to.id == "video-sitemap" && self.given.profile == Profile::Yandex {
            eprint(
                "warning: no videos written: Yandex does not support the video extension (--for google writes them)\n",
            );
        }
    }

    /// Whether an output may turn out to be one that is not to be published: then a stream has to wait for the end.
    pub fn may_refuse(&self, to: &Format) -> bool {
        let OptionArgs { no_limits, strict, min_entries, min_videos, .. } = self.given;
        let limited = to.family.is_xml_sitemap() && !no_limits;
        strict || limited || min_entries.or(min_videos).is_some() || self.gates.is_any()
    }
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

pub fn threads(text: &str) -> Result<usize, String> {
    let read = text.parse().ok().filter(|threads| *threads <= 256);
    read.ok_or_else(|| "expected a number of threads from 0 (one per core) to 256".to_owned())
}

fn bytes(text: &str) -> Result<usize, String> {
    text.parse().map(Size::bytes)
}

fn part_size(text: &str) -> Result<u64, String> {
    let size = text.parse().map(Size::count)?;
    if size == 0 { Err("expected a size above 0".to_owned()) } else { Ok(size) }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn without_arguments_options_have_their_defaults() {
        let given: super::OptionArgs = super::defaults().expect("no arguments");
        assert_eq!(format!("{:?}", given.options()), format!("{:?}", crate::options::Options::default()));
    }

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
