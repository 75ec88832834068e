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
use crate::xml::parse::TreeLimits;

/// The rules that are applied while writing (`--for`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Google for `video-sitemap`, none for the others.
    #[default]
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
    /// One item per video of a sitemap page; a feed item stays one item.
    #[default]
    AsGiven,
    /// One item per page.
    PerPage,
    /// One item per video.
    PerVideo,
}

/// The object in a row of a table (`--rows`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
    /// URL of the input, to resolve relative URLs.
    pub base: Option<String>,
    /// URL of the output.
    pub self_url: Option<String>,
    /// The rules that are applied.
    pub profile: Profile,
    /// Sitemap extensions to write; by default those with data.
    pub ext: Option<Extensions>,
    /// The handling of unrecognized markup.
    pub foreign: ForeignMode,
    /// A repair, a doubtful generated value or an unwritable entry is an error.
    pub strict: bool,
    /// Skips items instead of generating required fields.
    pub no_synth: bool,
    /// The rendition of a video.
    pub rendition: RenditionRule,
    /// The thumbnail of a video.
    pub thumbnail: ThumbnailRule,
    /// The items of a page with several videos in feeds.
    pub items: Items,
    /// Media RSS files outside a group are separate videos.
    pub no_merge_ungrouped: bool,
    /// Media RSS files of unknown type are videos.
    pub assume_video: bool,
    /// Feed texts that are escaped twice are decoded again.
    pub decode_twice: bool,
    /// Watch-page URLs are not replaced with player URLs.
    pub no_rewrite: bool,
    /// Indented output, one element per line.
    pub pretty: bool,
    /// The time of the run, for required dates without a source (S-A3).
    pub now: Option<Date>,
    /// When the input was last changed (S-A3).
    pub modified: Option<Date>,
    /// Reads RSS and Atom output back with independent parsers.
    pub verify: bool,
    /// Number of threads; 0 for one per core, 1 for only the calling thread.
    pub threads: usize,
    /// Threads to use instead of new ones, unless `threads` is 1. Not a member with serde.
    #[serde(skip)]
    pub pool: Option<Pool>,
    /// Fills in values when entries are read. Not a member with serde.
    #[serde(skip)]
    pub enrich: Option<Arc<dyn FillsIn>>,
    /// Video elements that Google retired are omitted.
    pub no_deprecated: bool,
    /// Blocked and deleted videos are written too.
    pub keep_inactive: bool,
    /// Video titles are truncated to 100 characters (A12).
    pub fit_titles: bool,
    /// An item without a title gets one from the words in its URL (S-R4).
    pub title_from_slug: bool,
    /// The first thumbnail of each video is an image of its page, in `sitemap`.
    pub thumbnails_as_images: bool,
    /// The first image of the page text replaces a missing thumbnail (S-V1).
    pub thumbnail_from_html: bool,
    /// Players of known platforms and `video` elements in HTML are videos (`--videos-from-html`).
    pub videos_from_html: bool,
    /// The image of the feed replaces a missing thumbnail.
    pub thumbnail_from_feed: bool,
    /// This URL replaces a missing thumbnail.
    pub default_thumbnail: Option<String>,
    /// Pages without a `changefreq` get the update period of the feed.
    pub feed_changefreq: bool,
    /// A page that was never updated gets its publication date as `lastmod` (S-M3).
    pub lastmod_from_published: bool,
    /// An item without a publication date gets the date of its last change (S-R6).
    pub pubdate_from_lastmod: bool,
    /// The publication of articles (S-N1); by default the feed.
    pub news_name: Option<String>,
    /// The language of articles (S-N1); by default that of the page.
    pub news_language: Option<String>,
    /// A list of URLs keeps fragments (S-T1).
    pub keep_fragments: bool,
    /// URLs in sitemaps and lists keep non-ASCII characters.
    pub iri: bool,
    /// Relative links inside texts with markup are resolved (A15).
    pub absolutize_html: bool,
    /// The columns of a table, by the names of their fields, or `all`; by default those of a source that is a table, otherwise
    /// the usual ones.
    pub columns: Vec<String>,
    /// The object in a row of a table.
    pub rows: TableRows,
    /// Cells of a table that a spreadsheet would take for formulas get a quote in front.
    pub csv_safe: bool,
    /// Entries of the same page are kept separate (A5).
    pub no_group: bool,
    /// Memory for grouping before a temporary file is used, in bytes.
    pub memory: usize,
    /// Folder for temporary files; by default that of the system.
    pub temp_dir: Option<PathBuf>,
    /// Entries of one document before the output is split; by default the limit of the protocol for sitemaps, and none for
    /// others (A14).
    pub split: Option<u64>,
    /// Uncompressed bytes of one document, in the same way.
    pub split_bytes: Option<u64>,
    /// URL of the folder of a split sitemap, for its index.
    pub index_base: Option<String>,
    /// An unsplit sitemap beyond the limits of the protocol is written, instead of an error.
    pub no_limits: bool,
    /// The readable part of a truncated input is published (`convert::Summary::refusal`).
    pub accept_truncated: bool,
    /// An output with fewer entries is not published.
    pub min_entries: Option<u64>,
    /// An output with fewer videos is not published.
    pub min_videos: Option<u64>,
    /// Entries with an earlier date are skipped.
    pub since: Option<Date>,
    /// Entries with a later date are skipped.
    pub until: Option<Date>,
    /// Entries whose date is longer ago are skipped; needs `now`.
    pub max_age: Option<MaxAge>,
    /// Videos and entries that expired before `now` are skipped.
    pub drop_expired: bool,
    /// Entries without a video are skipped.
    pub only_with_video: bool,
    /// The selected entries after so many are skipped.
    pub limit: Option<u64>,
    /// Entries for which this is not true are skipped.
    #[serde(rename = "where")]
    pub condition: Option<Condition>,
    /// Fields that are omitted.
    #[serde(rename = "drop_field")]
    pub drop_fields: FieldSet,
    /// Limits of the input.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            base: None,
            self_url: None,
            profile: Profile::Default,
            ext: None,
            foreign: ForeignMode::Same,
            strict: false,
            no_synth: false,
            rendition: RenditionRule::Best,
            thumbnail: ThumbnailRule::Largest,
            items: Items::AsGiven,
            no_merge_ungrouped: false,
            assume_video: false,
            decode_twice: false,
            no_rewrite: false,
            pretty: false,
            now: None,
            modified: None,
            verify: false,
            threads: 0,
            pool: None,
            enrich: None,
            no_deprecated: false,
            keep_inactive: false,
            fit_titles: false,
            title_from_slug: false,
            thumbnails_as_images: false,
            thumbnail_from_html: false,
            videos_from_html: false,
            thumbnail_from_feed: false,
            default_thumbnail: None,
            feed_changefreq: false,
            lastmod_from_published: false,
            pubdate_from_lastmod: false,
            news_name: None,
            news_language: None,
            keep_fragments: false,
            iri: false,
            absolutize_html: false,
            columns: Vec::new(),
            rows: TableRows::Video,
            csv_safe: false,
            no_group: false,
            memory: 256 << 20,
            temp_dir: None,
            split: None,
            split_bytes: None,
            index_base: None,
            no_limits: false,
            accept_truncated: false,
            min_entries: None,
            min_videos: None,
            since: None,
            until: None,
            max_age: None,
            drop_expired: false,
            only_with_video: false,
            limit: None,
            condition: None,
            drop_fields: FieldSet::default(),
            limits: Limits::default(),
        }
    }
}

impl Options {
    /// Whether only elements that Yandex reads are written.
    pub fn yandex(&self) -> bool {
        self.profile == Profile::Yandex
    }
}
