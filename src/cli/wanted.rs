//! What a conversion can be asked for on the command line: the options that all commands that convert share. Where inputs
//! come from and where outputs go is each command's own.

use std::path::PathBuf;
use std::time::SystemTime;

use clap::{Args, ValueEnum};

use super::gates::GateArgs;
use super::known::known;
use super::{address, color, date, limits, progress, rules, say, source, source_names, target, target_names};
use crate::error::Error;
use crate::format::{Family, Format};
use crate::model::Date;
use crate::options::{Extensions, ForeignMode, Items, Options, Profile, RenditionRule};
use crate::text::url;

/// Headings of the help.
const LOSS: &str = "Losses and repairs";
const FORM: &str = "Form of the output";
const RUN: &str = "The run";

/// The options.
#[derive(Args)]
pub struct Wanted {
    /// Target format: rss, mrss, atom, atom-media, sitemap, video-sitemap, text, json, jsonl; may be left out where the
    /// name after -o ends in .rss, .mrss, .atom, .txt, .json or .jsonl
    #[arg(long, value_name = "FORMAT", value_parser = known(target, target_names), hide_possible_values = true)]
    pub to: Option<&'static Format>,
    /// Source format, if its content should not decide
    #[arg(long, value_name = "FORMAT", value_parser = known(source, source_names), hide_possible_values = true)]
    pub from: Option<&'static Format>,
    /// Whose rules are applied while writing [default: google for video-sitemap, else none]
    #[arg(long = "for", value_name = "WHO")]
    pub profile: Option<ProfileArg>,
    /// Sitemap extensions to write: image, news, alternates, or none [default: those the data has]
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_short_help = true)]
    pub ext: Option<Vec<Ext>>,
    /// Address of the input: relative addresses refer to it
    #[arg(long, value_name = "URL", value_parser = address)]
    pub base: Option<String>,
    /// Address the output will have (written as rel=self)
    #[arg(long = "self", value_name = "URL", value_parser = address, hide_short_help = true)]
    pub self_url: Option<String>,
    /// Unknown markup: back into the same family of formats, or never; keep: also carries in feeds, in the words of
    /// sitemaps and of Media RSS, what they have no place for
    #[arg(long, value_name = "HOW", default_value = "same", hide_short_help = true)]
    pub foreign: ForeignArg,
    /// A repair of the input, or an entry or video that cannot be written, is an error: nothing is written
    #[arg(long, help_heading = LOSS)]
    pub strict: bool,
    /// Publish what could be read of an input that is cut off, instead of keeping the previous output
    #[arg(long, help_heading = LOSS, hide_short_help = true)]
    pub accept_truncated: bool,
    /// Drops an object rather than making up what the target requires of it
    #[arg(long, hide_short_help = true)]
    pub no_synth: bool,
    /// Which rendition of a video to take: best, smallest, largest, first, type=MIME, height<=N
    #[arg(long, value_name = "RULE", default_value = "best", hide_default_value = true, hide_short_help = true)]
    pub rendition: RenditionRule,
    /// Several videos of one page become one item of a feed [default: an item a video from sitemaps]
    #[arg(long, conflicts_with = "one_item_per_video", hide_short_help = true)]
    pub one_item_per_page: bool,
    /// Several videos of one page become an item each, from feeds too
    #[arg(long, hide_short_help = true)]
    pub one_item_per_video: bool,
    /// Media RSS files outside of a group are videos of their own, never renditions of one
    #[arg(long, hide_short_help = true)]
    pub no_merge_ungrouped: bool,
    /// A Media RSS file of unknown kind is a video
    #[arg(long, hide_short_help = true)]
    pub assume_video: bool,
    /// Decode texts of feeds that are escaped twice; can turn inert text into live markup
    #[arg(long, hide_short_help = true)]
    pub decode_twice: bool,
    /// Never the player of a known host in place of its watch page
    #[arg(long, hide_short_help = true)]
    pub no_rewrite: bool,
    /// Time of the run, where a target requires a date that nothing else gives [default: SOURCE_DATE_EPOCH, or the clock]
    #[arg(long, value_name = "DATE", value_parser = date, hide_short_help = true)]
    pub now: Option<Date>,
    /// Indented output, one element a line
    #[arg(long, help_heading = FORM, hide_short_help = true)]
    pub pretty: bool,
    /// Reads RSS and Atom output back with the crates rss and atom_syndication; exit 70 on a difference
    #[arg(long, help_heading = LOSS, hide_short_help = true)]
    pub verify: bool,
    /// Entries stay apart, also those of one page; without it, a sitemap names each page once
    #[arg(long, hide_short_help = true)]
    pub no_group: bool,
    /// What grouping by page may hold before it uses temporary files
    #[arg(long, value_name = "SIZE", default_value = "256MiB", help_heading = RUN, hide_short_help = true)]
    pub memory: limits::Size,
    /// Where temporary files are made [default: where the system makes them]
    #[arg(long, value_name = "DIR", help_heading = RUN, hide_short_help = true)]
    pub temp_dir: Option<PathBuf>,
    /// Entries of one file; more are split into NAME-0001.xml and so on [default: 50000 for sitemaps]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = FORM)]
    pub split: Option<u64>,
    /// Bytes of one file before compression; more are split [default: 52428800 for sitemaps]
    #[arg(long, value_name = "SIZE", value_parser = part_size, help_heading = FORM, hide_short_help = true)]
    pub split_bytes: Option<limits::Size>,
    /// Address of the folder that the parts of a sitemap will be in: OUT is their index [default: that of --self or --base]
    #[arg(long, value_name = "URL", value_parser = address, help_heading = FORM, hide_short_help = true)]
    pub index_base: Option<String>,
    /// Write a sitemap beyond the limits of the protocol (50000 URLs, 52428800 bytes) whole; without it, that is an error
    #[arg(long, help_heading = FORM, hide_short_help = true)]
    pub no_limits: bool,
    /// Compress the output; files get .gz at the end of their names [default: where OUT ends in .gz]
    #[arg(long, help_heading = FORM)]
    pub gzip: bool,
    /// A bar on standard error: auto is on a terminal, for what takes more than half a second
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = RUN, hide_short_help = true)]
    pub progress: progress::When,
    /// Colour on standard error: auto is on a terminal without NO_COLOR
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = RUN, hide_short_help = true)]
    pub color: color::When,
    /// Threads; 0 for one a core. The output never depends on it
    #[arg(short = 'j', long = "threads", value_name = "N", default_value_t = 0, value_parser = threads, help_heading = RUN)]
    pub threads: u16,
    /// No summary on standard error
    #[arg(short, long, help_heading = RUN)]
    pub quiet: bool,
    /// All repairs of the input on standard error
    #[arg(short, long, help_heading = RUN)]
    pub verbose: bool,
    #[command(flatten)]
    pub gates: GateArgs,
    #[command(flatten)]
    pub rules: rules::RuleArgs,
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

impl Wanted {
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
        Ok(options)
    }

    /// All that an output depends on besides its input, in one text. What has no part in it (threads, memory, the clock where
    /// nobody said a time) is left out.
    ///
    /// # Errors
    /// See [`Wanted::options`].
    pub fn essence(&self, to: &Format) -> Result<String, Error> {
        let now = if self.now.is_some() || std::env::var_os("SOURCE_DATE_EPOCH").is_some() {
            self.options(None)?.now
        } else {
            None
        };
        let bare = Options { now, threads: 0, memory: 0, temp_dir: None, ..self.options(None)? };
        let from = self.from.map(|from| from.id);
        let gates = self.gates.essence();
        Ok(format!("{} {from:?} {} {} {bare:?}{gates}", env!("CARGO_PKG_VERSION"), to.id, self.gzip))
    }

    /// What this target cannot be asked for.
    ///
    /// # Errors
    /// What is asked for, and what would be right.
    pub fn refuse(&self, to: &Format) -> Result<(), Error> {
        let feed = matches!(to.family, Family::Rss | Family::Atom);
        // passed over, it would guard nothing, and whoever asks for it counts on it
        if self.gates.min_videos.is_some() && matches!(to.id, "text" | "sitemap") {
            return Err(Error::format(
                format!("{} has no videos that --min-videos could count", to.id),
                "--min-entries counts the entries of the output",
            ));
        }
        if self.gates.validate && !rules_fit(to) {
            return Err(Error::format(
                format!("no profile has rules for {} that --validate could check", to.id),
                "leave --validate out, or convert to a format that has rules",
            ));
        }
        if self.verify && !feed {
            return Err(Error::format(
                format!("--verify cannot read {} back", to.id),
                "it takes rss, mrss, atom and atom-media",
            ));
        }
        if self.profile == Some(ProfileArg::Yandex) && feed {
            return Err(Error::format(
                "Yandex takes no feeds as sitemaps",
                "say --to sitemap or --to text, or leave --for out",
            ));
        }
        Ok(())
    }

    /// The folder that parts will be in, as an address: said, or that of the output or of the input.
    pub fn index_base(&self) -> Option<String> {
        let of_document = self.self_url.as_deref().or(self.base.as_deref());
        self.index_base.clone().or_else(|| of_document.and_then(|address| url::resolve(address, ".")))
    }

    /// Options that this target has no use for change nothing, and the user is told.
    pub fn say_unused(&self, to: &Format) {
        if self.quiet {
            return;
        }
        let sitemap = to.family == Family::Sitemap;
        let feed = matches!(to.family, Family::Rss | Family::Atom);
        // a list of addresses is a sitemap too
        let yandex = self.profile == Some(ProfileArg::Yandex) && to.family == Family::Text;
        let videos = !matches!(to.id, "text" | "sitemap");
        let unused = [
            ("--ext", self.ext.is_some() && !sitemap),
            ("--self", self.self_url.is_some() && !feed && !sitemap && self.profile != Some(ProfileArg::Yandex)),
            ("--for", self.profile.is_some() && !sitemap && to.id != "mrss" && !yandex),
            ("--foreign keep", self.foreign == ForeignArg::Keep && !feed),
            ("--rendition", self.rendition != RenditionRule::Best && !matches!(to.id, "video-sitemap" | "rss")),
            ("--one-item-per-page", self.one_item_per_page && !feed),
            ("--one-item-per-video", self.one_item_per_video && !feed),
            ("--no-merge-ungrouped", self.no_merge_ungrouped && !videos),
            ("--assume-video", self.assume_video && !videos),
            ("--no-rewrite", self.no_rewrite && to.id != "video-sitemap"),
            ("--no-group", self.no_group && to.family == Family::Json),
            ("--no-limits", self.no_limits && !sitemap),
            ("--index-base", self.index_base.is_some() && !sitemap),
            ("--pretty", self.pretty && matches!(to.id, "text" | "jsonl")),
        ];
        let rules = self.rules.unused(to);
        for (option, _) in unused.iter().chain(&rules).filter(|(_, unused)| *unused) {
            say(&format!("note: {} has no use for {option}\n", to.id));
        }
        if to.id == "video-sitemap" && self.profile == Some(ProfileArg::Yandex) {
            say(
                "warning: Yandex does not know the video extension: no video will be written (--for google writes them)\n",
            );
        }
    }

    /// Whether an output may turn out to be one that is not to be published: then a stream has to wait for the end.
    pub fn may_refuse(&self, to: &Format) -> bool {
        let limited = to.family == Family::Sitemap && !self.no_limits;
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
        return Err(Error::format("--ext none goes with no other", "leave the others out, or none"));
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

/// The time of the run: the environment's if it says one, so that two runs can give the same bytes.
pub(super) fn now() -> Option<Date> {
    epoch().unwrap_or_default().or_else(|| date_of(SystemTime::now()))
}

/// The time that the environment says, if it says one.
///
/// # Errors
/// It says something else.
pub fn epoch() -> Result<Option<Date>, Error> {
    let Some(said) = std::env::var_os("SOURCE_DATE_EPOCH").filter(|said| !said.is_empty()) else { return Ok(None) };
    let said = said.to_string_lossy();
    match said.trim().parse().ok().and_then(Date::from_unix) {
        Some(date) => Ok(Some(date)),
        None => Err(Error::format(
            format!("SOURCE_DATE_EPOCH says {said}, which is no time"),
            "give it seconds since 1970, such as 1780000000, or take it out of the environment",
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
    read.ok_or_else(|| "a number of threads is wanted, from 0 (one a core) to 256".to_owned())
}

fn part_size(text: &str) -> Result<limits::Size, String> {
    let size: limits::Size = text.parse()?;
    if size.count() == 0 { Err("a part of no bytes cannot be made".to_owned()) } else { Ok(size) }
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
        let said = help.split("--to <FORMAT>").nth(1).and_then(|rest| rest.split(';').next()).expect("the option");
        let said: Vec<&str> = said.split([':', ',']).skip(1).map(str::trim).collect();
        let targets: Vec<&str> = crate::format::targets().map(|format| format.id).collect();
        assert_eq!(said, targets);
    }
}
