//! The options of a conversion, without the command line. Every member has the meaning and the default of
//! the option of the same name.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{Date, Entry};
use crate::pool::Pool;
use crate::select::{Condition, FieldSet, MaxAge};
use crate::xml::decode::Caps;
use crate::xml::limits::TreeLimits;

/// The rules that are applied while writing (`--for`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Profile {
    /// Google for `video-sitemap` and `jsonld`, none for the others.
    #[default]
    #[cfg_attr(feature = "cli", value(hide = true))]
    Default,
    /// Google's rules for video sitemaps and mRSS.
    Google,
    /// Elements of a sitemap that Yandex reads, within its scope (rule A18).
    Yandex,
    /// Everything that the schema allows.
    None,
}

/// The sitemap extensions to write (`--ext`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extensions {
    /// `image:image`.
    pub image: bool,
    /// `news:news`.
    pub news: bool,
    /// `xhtml:link`.
    pub alternates: bool,
}

impl Extensions {
    /// All of them.
    pub const ALL: Extensions = Extensions { image: true, news: true, alternates: true };
}

/// The handling of unrecognized markup (`--foreign`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum ForeignMode {
    /// Copied within a format family.
    #[default]
    Same,
    /// As `Same`; feeds also carry unsupported values as extensions.
    Keep,
    /// Discarded.
    Drop,
}

/// The rendition of a video if the target allows only one (`--rendition`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum RenditionRule {
    /// The default one, a full video, in a common container, the largest.
    #[default]
    Best,
    /// The one with the smallest height.
    Smallest,
    /// The one with the largest height.
    Largest,
    /// The first one in the document.
    First,
    /// The best one of this MIME type, otherwise the best one.
    Type(String),
    /// The best one up to this height, otherwise the one with the smallest height.
    Height(u64),
}

/// As the command line takes it.
impl std::fmt::Display for RenditionRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RenditionRule::Best => f.write_str("best"),
            RenditionRule::Smallest => f.write_str("smallest"),
            RenditionRule::Largest => f.write_str("largest"),
            RenditionRule::First => f.write_str("first"),
            RenditionRule::Type(kind) => write!(f, "type={kind}"),
            RenditionRule::Height(most) => write!(f, "height<={most}"),
        }
    }
}

impl std::str::FromStr for RenditionRule {
    type Err = String;

    fn from_str(text: &str) -> Result<RenditionRule, String> {
        let wrong = || "expected best, smallest, largest, first, type=MIME or height<=N".to_owned();
        Ok(match text {
            "best" => RenditionRule::Best,
            "smallest" => RenditionRule::Smallest,
            "largest" => RenditionRule::Largest,
            "first" => RenditionRule::First,
            _ => match (text.strip_prefix("type="), text.strip_prefix("height<=")) {
                (Some(kind), _) if !kind.trim().is_empty() => RenditionRule::Type(kind.trim().to_owned()),
                (_, Some(most)) => RenditionRule::Height(most.trim().parse().map_err(|_| wrong())?),
                _ => return Err(wrong()),
            },
        })
    }
}

/// The thumbnail of a video if the target allows only one (`--thumbnail`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum ThumbnailRule {
    /// The largest if the sizes of all are known, otherwise the first.
    #[default]
    Largest,
    /// The first in the document without a time in the video, otherwise the first.
    First,
}

/// The items of a page with several videos in a feed (`--one-item-per-page`, `--one-item-per-video`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Items {
    /// One item per video of a page of a sitemap, a table or JSON-LD; a feed item stays one item.
    #[default]
    AsGiven,
    /// One item per page.
    PerPage,
    /// One item per video.
    PerVideo,
}

/// The source of the title of an item without one (`--title-from`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum TitleSource {
    /// The words in the last part of its URL (S-R4).
    Slug,
}

/// The object in a row of a table (`--rows`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum TableRows {
    /// A video with the values of its page, or a page without videos.
    #[default]
    Video,
    /// A page with all its videos.
    Page,
}

/// Gives entries values that their document lacks (`--enrich`).
pub trait FillsIn: fmt::Debug + Send + Sync {
    /// Fills in the absent values of an entry.
    fn fill(&self, entry: &mut Entry<'_>);
    /// The line of headings of the table that the values are from; empty if they are from no table.
    fn headings(&self) -> &str {
        ""
    }
}

/// Limits of the input. An entry beyond a limit is skipped; a head beyond a limit is an error.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(remote = "Self", default)]
pub struct Limits {
    /// Bytes of one entry.
    pub entry: usize,
    /// Bytes of the document without its entries.
    pub head: usize,
    /// Bytes of a line of a URL list.
    pub line: usize,
    /// The size of the tree of an entry.
    pub tree: TreeLimits,
    /// The size of decompressed gzip; more is an error.
    pub gzip: Caps,
    /// Bytes of a chunk of entries that one thread works on.
    pub chunk: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            entry: 64 << 20,
            head: 16 << 20,
            line: 64 << 10,
            tree: TreeLimits::default(),
            gzip: Caps::default(),
            chunk: 128 << 10,
        }
    }
}

/// All options of a conversion, each once: its meaning (the text of its documentation and of the help), its name, type and
/// default, its argument for clap, and `for` the targets on which it has an effect, where that is not all.
///
/// `$rows!` is expanded with them: here to the members of [`Options`], in the command line to its arguments. Names in `arg` and
/// `for` are those of the place of expansion. The type of a member that is not that of its argument follows `as`, with the
/// function that makes it.
macro_rules! option_rows {
    ($rows:ident) => {
        $rows! {
            arguments {
                /// Apply the rules of google, yandex or none
                ///
                /// [default: google for video-sitemap and jsonld, otherwise none]
                #[arg(long = "for", value_name = "WHO", value_enum, default_value_t, hide_default_value = true, hide_possible_values = true, help_heading = WHAT)]
                profile: Profile = Profile::Default, for profiled;
                /// Set the URL of the input, to resolve relative URLs
                #[arg(long, value_name = "URL", value_parser = address, help_heading = WHAT)]
                base: Option<String> = None;
                /// Set the URL of the output (written as rel=self)
                #[arg(long = "self", value_name = "URL", value_parser = address, help_heading = WHERE, hide_short_help = true)]
                self_url: Option<String> = None, for |options, to| options.yandex() || feed(options, to) || sitemap(options, to);
                /// Split after N entries [default: 50000 for sitemaps]
                ///
                /// The files are named NAME-0001.xml and so on.
                #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one, help_heading = WHERE)]
                split: Option<u64> = None;
                /// Split after SIZE uncompressed bytes [default: 52428800 for sitemaps]
                #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = part_size, help_heading = WHERE, hide_short_help = true)]
                split_bytes: Option<u64> = None;
                /// Set the URL of the folder of a split sitemap; OUT becomes its index [default: from --self or --base]
                #[arg(long, value_name = "URL", value_parser = folder_address, help_heading = WHERE, hide_short_help = true)]
                index_base: Option<String> = None, for sitemap;
                /// Write one file even beyond the sitemap limits (50000 URLs, 52428800 bytes)
                #[arg(long, help_heading = WHERE, hide_short_help = true)]
                no_limits: bool = false, for sitemap;
                /// Indent the output, one element per line
                #[arg(long, help_heading = WHERE, hide_short_help = true)]
                pretty: bool = false, for |_, to| !matches!(to.id, "text" | "csv" | "jsonl");
                /// Fail if the output has fewer entries
                #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count::<u64>, help_heading = REPORT, hide_short_help = true)]
                min_entries: Option<u64> = None;
                /// Fail if the output has fewer videos
                #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count::<u64>, help_heading = REPORT)]
                min_videos: Option<u64> = None;
                /// Fail on repairs and unwritable entries or videos
                #[arg(long, help_heading = REPORT)]
                strict: bool = false;
                /// Publish the readable part of a truncated input
                ///
                /// Without this option the previous output is kept.
                #[arg(long, help_heading = REPORT, hide_short_help = true)]
                accept_truncated: bool = false;
                /// Read RSS and Atom output back with the crates rss and atom_syndication; exit 70 on a difference
                #[arg(long, help_heading = REPORT, hide_short_help = true)]
                verify: bool = false;
                /// Choose one file of a video [default: best]
                ///
                /// Rules: best, smallest, largest, first, type=MIME, height<=N.
                #[arg(long, value_name = "RULE", default_value_t, hide_default_value = true, help_heading = VIDEO)]
                rendition: RenditionRule = RenditionRule::Best, for renditions;
                /// Skip items that lack required fields
                ///
                /// Otherwise they are generated. Still generated are required values of the head, and values of an item that follow from
                /// its others (the page URL from a permalink, `updated` from `published`).
                #[arg(long, help_heading = VIDEO)]
                no_synth: bool = false, for |options, to| !to.family.is_model() && !lines(options, to);
                /// Treat Media RSS files outside a group as separate videos, not renditions
                #[arg(long, help_heading = VIDEO, hide_short_help = true)]
                no_merge_ungrouped: bool = false, for videos;
                /// Treat Media RSS files of unknown type as videos
                #[arg(long, help_heading = VIDEO, hide_short_help = true)]
                assume_video: bool = false, for videos;
                /// Keep watch-page URLs; do not replace them with player URLs
                #[arg(long, help_heading = VIDEO, hide_short_help = true)]
                no_rewrite: bool = false, for players;
                /// Choose one: largest, first
                #[arg(long, value_name = "WHICH", value_enum, default_value_t, hide_possible_values = true, help_heading = VIDEO)]
                thumbnail: ThumbnailRule = ThumbnailRule::Largest, for |_, to| matches!(to.id, "video-sitemap" | "yandex-video");
                /// Use the feed image for missing thumbnails
                #[arg(long, help_heading = VIDEO)]
                thumbnail_from_feed: bool = false, for thumbnails;
                /// Use the first image in the text if missing
                #[arg(long, help_heading = VIDEO)]
                thumbnail_from_html: bool = false, for thumbnails;
                /// Read players and video elements in HTML as videos
                #[arg(long, help_heading = VIDEO, hide_short_help = true)]
                videos_from_html: bool = false;
                /// Use this image for missing thumbnails
                #[arg(long, value_name = "URL", value_parser = address, help_heading = VIDEO)]
                default_thumbnail: Option<String> = None, for thumbnails;
                /// Write blocked and deleted videos too
                #[arg(long, help_heading = VIDEO, hide_short_help = true)]
                keep_inactive: bool = false,
                    for |_, to| matches!(to.id, "video-sitemap" | "jsonld" | "yandex-video" | "jsonfeed");
                /// Omit video elements that Google retired: category, gallery_loc, price, tvshow, allow_embed, autoplay
                #[arg(long, help_heading = VIDEO, hide_short_help = true)]
                no_deprecated: bool = false, for video_sitemap;
                /// Truncate video titles to 100 characters
                #[arg(long, help_heading = VIDEO, hide_short_help = true)]
                fit_titles: bool = false, for titles;
                /// List the first thumbnail of each video as an image of its page, in sitemaps without videos
                #[arg(long, help_heading = VIDEO, hide_short_help = true)]
                thumbnails_as_images: bool = false, for |_, to| to.id == "sitemap";
                /// Generate missing titles: slug uses the words at the end of the URL
                #[arg(long, value_name = "SOURCE", hide_possible_values = true, help_heading = PAGES, hide_short_help = true)]
                title_from: Option<TitleSource> = None, for feed;
                /// Use the update period of the feed as changefreq where a page has none
                #[arg(long, help_heading = PAGES, hide_short_help = true)]
                feed_changefreq: bool = false, for sitemap;
                /// Use the publication date as lastmod where a page was never updated
                #[arg(long, help_heading = PAGES, hide_short_help = true)]
                lastmod_from_published: bool = false, for sitemap;
                /// Use the date of the last change as pubDate where an item has none
                #[arg(long, help_heading = PAGES, hide_short_help = true)]
                pubdate_from_lastmod: bool = false, for |_, to| to.family.is_rss();
                /// Set the publication name for --ext news [default: title of the feed]
                #[arg(long, value_name = "TEXT", help_heading = PAGES, hide_short_help = true)]
                news_name: Option<String> = None, for sitemap;
                /// Set the article language for --ext news [default: that of the page or feed]
                #[arg(long, value_name = "TAG", help_heading = PAGES, hide_short_help = true)]
                news_language: Option<String> = None, for sitemap;
                /// Keep URL fragments in text output
                #[arg(long, help_heading = PAGES, hide_short_help = true)]
                keep_fragments: bool = false, for lines;
                /// Keep non-ASCII characters in sitemap URLs instead of percent-encoding them
                #[arg(long, help_heading = PAGES, hide_short_help = true)]
                iri: bool = false, for |options, to| sitemap(options, to) || lines(options, to);
                /// Resolve relative links in texts with markup
                #[arg(long, help_heading = PAGES, hide_short_help = true)]
                absolutize_html: bool = false, for |options, to| !sitemap(options, to) && !lines(options, to);
                /// Write only entries that meet a condition
                ///
                /// FIELD OP VALUE with = != < <= > >=, ~ (matches a regular expression) and !~; FIELD alone is true if it has a value. Join
                /// conditions with and, or, not and parentheses; quote values with spaces. The fields are in `transfeed explain --list`. A condition
                /// on a video is true if one video of the entry meets it.
                #[arg(long = "where", value_name = "CONDITION", help_heading = SELECTION, hide_short_help = true)]
                #[serde(rename = "where")]
                condition: Option<Condition> = None;
                /// Write only entries of this date or later
                ///
                /// The date of an entry is that of its last change or its publication, whichever is later, or that of its newest video.
                #[arg(long, value_name = "DATE", value_parser = date, help_heading = SELECTION, hide_short_help = true)]
                since: Option<Date> = None;
                /// Write only entries of this date or earlier
                #[arg(long, value_name = "DATE", value_parser = date, help_heading = SELECTION, hide_short_help = true)]
                until: Option<Date> = None;
                /// Write only entries that are not older: 90m, 48h, 7d, 2w
                #[arg(long, value_name = "TIME", allow_hyphen_values = true, help_heading = SELECTION, hide_short_help = true)]
                max_age: Option<MaxAge> = None;
                /// Skip videos and entries that have expired
                #[arg(long, help_heading = SELECTION, hide_short_help = true)]
                drop_expired: bool = false;
                /// Skip entries without a video
                #[arg(long, help_heading = SELECTION, hide_short_help = true)]
                only_with_video: bool = false;
                /// Write only the first N selected entries
                #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count::<u64>, help_heading = SELECTION, hide_short_help = true)]
                limit: Option<u64> = None;
                /// Omit a field: video.tags, video.file, *.email; repeatable
                #[arg(long = "drop-field", value_name = "FIELD", value_delimiter = ',', help_heading = SELECTION, hide_short_help = true)]
                #[serde(rename = "drop_field")]
                drop_fields: Vec<FieldSet> = FieldSet::default(), as FieldSet => field_set;
                /// Write these columns of a table: names of fields, or all [default: those of a source that is a table, otherwise the usual ones]
                #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = column, help_heading = TABLES, hide_short_help = true)]
                columns: Vec<String> = Vec::new(), for table;
                /// Write one row per video, or per page
                #[arg(long, value_name = "OBJECT", value_enum, default_value_t, hide_possible_values = true, help_heading = TABLES, hide_short_help = true)]
                rows: TableRows = TableRows::Video, for table;
                /// Put a quote in front of cells that a spreadsheet would run
                #[arg(long, help_heading = TABLES, hide_short_help = true)]
                csv_safe: bool = false, for table;
                /// Choose sitemap extensions: image, news, alternates, none [default: those with data]
                #[arg(long, value_name = "LIST", value_delimiter = ',', hide_possible_values = true, help_heading = PAGES, hide_short_help = true)]
                ext: Option<Vec<Ext>> = None, as Option<Extensions> => extensions, for sitemap;
                /// Choose what happens to unrecognized markup: same, keep, drop
                ///
                /// `same` copies it within a format family, `keep` also carries unsupported values as extensions, `drop` discards it.
                #[arg(long, value_name = "HOW", value_enum, default_value_t, hide_possible_values = true, help_heading = PAGES, hide_short_help = true)]
                foreign: ForeignMode = ForeignMode::Same, for |options, to| options.foreign == ForeignMode::Drop && !lines(options, to) || feed(options, to) && to.family.is_markup();
                /// How many items a page with several videos becomes in a feed; by default one per video, and one per page
                /// from feeds
                #[command(flatten)]
                items: ItemArgs = Items::AsGiven, as Items => ItemArgs::items, for feed;
                /// Keep entries of the same page separate; sitemaps otherwise list each page once
                #[arg(long, help_heading = PAGES, hide_short_help = true)]
                no_group: bool = false, for grouping;
                /// Decode feed texts that are escaped twice; can turn inert text into live markup
                #[arg(long, help_heading = PAGES, hide_short_help = true)]
                decode_twice: bool = false;
                /// Set the time of the run, for required dates without a source [default: SOURCE_DATE_EPOCH or the clock]
                #[arg(long, value_name = "DATE", value_parser = date, help_heading = PAGES, hide_short_help = true)]
                now: Option<Date> = None;
                /// Number of threads (0 = one per core)
                ///
                /// With 1, the library starts no other thread.
                #[arg(short = 'j', long, value_name = "N", default_value_t, allow_negative_numbers = true, value_parser = threads, help_heading = RUN)]
                threads: usize = 0;
                /// Memory for grouping by page before temporary files are used
                #[arg(long, value_name = "SIZE", allow_negative_numbers = true, default_value = "256MiB", value_parser = bytes, help_heading = RUN, hide_short_help = true)]
                memory: usize = 256 << 20;
                /// Folder for temporary files [default: that of the system]
                #[arg(long, value_name = "DIR", value_parser = folder(), help_heading = RUN, hide_short_help = true)]
                temp_dir: Option<PathBuf> = None;
                /// Limits of the input
                #[command(flatten)]
                limits: LimitArgs = Limits::default(), as Limits => |given: LimitArgs| given.limits();
            }
            others {
                /// When the input was last changed, for required dates without a source (S-A3).
                modified: Option<Date> = None;
                /// Threads to use instead of new ones, unless `threads` is 1. Not a member with serde.
                #[serde(skip)]
                pool: Option<Pool> = None;
                /// Fills in values when entries are read (`--enrich`). Not a member with serde.
                #[serde(skip)]
                enrich: Option<Arc<dyn FillsIn>> = None;
            }
        }
    };
}
#[cfg(feature = "cli")]
pub(crate) use option_rows;

macro_rules! last_type {
    ($only:ty) => {
        $only
    };
    ($first:ty, $last:ty) => {
        $last
    };
}

macro_rules! members {
    (
        arguments {$(
            $(#[doc = $help:literal])* $(#[arg $arg:tt])? $(#[command $command:tt])? $(#[serde $serde:tt])?
            $name:ident: $given:ty = $default:expr $(, as $type:ty => $by:expr)? $(, for $effect:expr)?;
        )*}
        others {$(
            $(#[doc = $doc:literal])* $(#[serde $other_serde:tt])?
            $other:ident: $other_type:ty = $other_default:expr;
        )*}
    ) => {
        /// The options of a conversion.
        ///
        /// With serde they are an object whose members have the names of these members. Missing ones have their defaults, and an
        /// unknown name is an error:
        ///
        /// ```
        /// use transfeed::{Items, Options};
        ///
        /// let options: Options = serde_json::from_str(r#"{"pretty": true, "items": "per-page", "ext": ["image"]}"#).unwrap();
        /// assert!(options.pretty && options.items == Items::PerPage);
        /// let error = serde_json::from_str::<Options>(r#"{"prety": true}"#).unwrap_err();
        /// assert!(error.to_string().starts_with("no option is called prety; did you mean pretty?"), "{error}");
        /// ```
        #[derive(Clone, Debug, Serialize, Deserialize)]
        #[serde(remote = "Self", default)]
        pub struct Options {
            $($(#[doc = $help])* $(#[serde $serde])? pub $name: last_type!($given $(, $type)?),)*
            $($(#[doc = $doc])* $(#[serde $other_serde])? pub $other: $other_type,)*
        }

        impl Default for Options {
            fn default() -> Options {
                Options { $($name: $default,)* $($other: $other_default,)* }
            }
        }
    };
}

option_rows!(members);

impl Options {
    /// Whether only elements that Yandex reads are written.
    pub fn yandex(&self) -> bool {
        self.profile == Profile::Yandex
    }
}
