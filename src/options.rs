//! What a conversion can be asked for, without the command line. Every member has the meaning and the default of
//! the option of the same name.

use std::path::PathBuf;

use crate::convert::Pool;
use crate::model::Date;
use crate::xml::decode::Caps;
use crate::xml::parse::TreeLimits;

/// Whose rules are applied while writing (`--for`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Profile {
    /// Google for `video-sitemap`, none for the others.
    #[default]
    Default,
    /// Google's rules for video sitemaps and mRSS.
    Google,
    /// What Yandex knows of a sitemap, and within its scope (rule A18).
    Yandex,
    /// Everything the schema can hold.
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

/// What becomes of unknown markup (`--foreign`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ForeignMode {
    /// Written back into the same family.
    #[default]
    Same,
    /// The same; and what a feed has no place for stands in it in the words of another format.
    Keep,
    /// Never written.
    Drop,
}

/// Which rendition stands for a video where a target takes one (`--rendition`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum RenditionRule {
    /// The default one, whole before a sample, of a container that is widely supported, the largest.
    #[default]
    Best,
    /// The least high one.
    Smallest,
    /// The highest one, whatever else is said of it.
    Largest,
    /// The first one in the document.
    First,
    /// The best one of this MIME type, else the best one.
    Type(String),
    /// The best one that is not higher than this, else the least high one.
    Height(u64),
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

/// Which thumbnail stands for a video where a target takes one (`--thumbnail`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ThumbnailRule {
    /// The largest, if the sizes of all are known; else the first.
    #[default]
    Largest,
    /// The first in the document that is not of a moment in the video, else the first.
    First,
}

/// How several videos of one page are told apart in a feed (`--one-item-per-page`, `--one-item-per-video`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Items {
    /// One item for each video of a sitemap's page; an item of a feed stays one item.
    #[default]
    AsGiven,
    /// One item for each page.
    PerPage,
    /// One item for each video.
    PerVideo,
}

/// Limits of the input. Passing one costs the entry, or, for the head, the document.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of one entry.
    pub entry: usize,
    /// Bytes of the document without its entries.
    pub head: usize,
    /// Bytes of a line of a text sitemap.
    pub line: usize,
    /// What one entry is made of.
    pub tree: TreeLimits,
    /// What comes out of a gzip stream; passing it costs the document.
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
            chunk: 256 << 10,
        }
    }
}

/// What a conversion is asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// Address of the input: relative addresses refer to it.
    pub base: Option<String>,
    /// Address the output will have.
    pub self_url: Option<String>,
    /// Whose rules are applied.
    pub profile: Profile,
    /// Sitemap extensions to write; those that the data has, if not said.
    pub ext: Option<Extensions>,
    /// What becomes of unknown markup.
    pub foreign: ForeignMode,
    /// A repair, an invention of doubtful truth or an entry that cannot be written ends the run.
    pub strict: bool,
    /// Drops an object rather than making what it lacks.
    pub no_synth: bool,
    /// Which rendition stands for a video.
    pub rendition: RenditionRule,
    /// Which thumbnail stands for a video.
    pub thumbnail: ThumbnailRule,
    /// Several videos of one page towards feeds.
    pub items: Items,
    /// Files of Media RSS outside of a group are each a video of its own.
    pub no_merge_ungrouped: bool,
    /// A file of Media RSS of which nothing tells what it is, is a video.
    pub assume_video: bool,
    /// Markup of feeds that is escaped once more than it should be is decoded once more.
    pub decode_twice: bool,
    /// The address of a watch page is not replaced by that of its player.
    pub no_rewrite: bool,
    /// One element a line, indented.
    pub pretty: bool,
    /// The time of the run, for what a target requires and nothing else gives (S-A3).
    pub now: Option<Date>,
    /// When the input was last changed (S-A3).
    pub modified: Option<Date>,
    /// Reads RSS and Atom output back with independent parsers.
    pub verify: bool,
    /// Threads; 0 for as many as there are cores, 1 for the calling one alone.
    pub threads: usize,
    /// Threads to work on instead of new ones, unless one is asked for.
    pub pool: Option<Pool>,
    /// Video elements that Google retired are left out.
    pub no_deprecated: bool,
    /// Videos that are blocked or deleted are written too.
    pub keep_inactive: bool,
    /// Titles of videos are cut at 100 characters (A12).
    pub fit_titles: bool,
    /// An item without any title gets the words of its address (S-R4).
    pub title_from_slug: bool,
    /// The first thumbnail of each video is an image of its page, in `sitemap`.
    pub thumbnails_as_images: bool,
    /// The first image of the page's text may stand for a missing thumbnail (S-V1).
    pub thumbnail_from_html: bool,
    /// The picture of the feed may.
    pub thumbnail_from_feed: bool,
    /// This address does, where nothing else is found.
    pub default_thumbnail: Option<String>,
    /// Pages without a `changefreq` get the feed's period.
    pub feed_changefreq: bool,
    /// A page that was never updated gets the date of its publication as `lastmod` (S-M3).
    pub lastmod_from_published: bool,
    /// An item without a date of publication gets that of its last change (S-R6).
    pub pubdate_from_lastmod: bool,
    /// The publication that articles belong to (S-N1); the feed, if not said.
    pub news_name: Option<String>,
    /// The language of articles (S-N1); that of the page, if not said.
    pub news_language: Option<String>,
    /// A list of addresses keeps their fragments (S-T1).
    pub keep_fragments: bool,
    /// Addresses in sitemaps and lists of addresses keep their characters beyond ASCII.
    pub iri: bool,
    /// Relative links inside texts with markup are resolved (A15).
    pub absolutize_html: bool,
    /// Entries stay apart, also those of one page (A5).
    pub no_group: bool,
    /// Bytes that grouping may hold before it uses a temporary file.
    pub memory: usize,
    /// Where temporary files are made; where the system makes them, if not said.
    pub temp_dir: Option<PathBuf>,
    /// Entries of one document, before the output is split; what the protocol says for sitemaps, and no limit for others,
    /// if not said (A14).
    pub split: Option<u64>,
    /// Bytes of one document before compression, in the same way.
    pub split_bytes: Option<u64>,
    /// Address of the folder that the documents of a split sitemap will be in, for their index.
    pub index_base: Option<String>,
    /// A sitemap beyond the limits of the protocol is written whole, where it is not split; else it is an error.
    pub no_limits: bool,
    /// A document that was cut off may be published as far as it goes (`convert::Summary::refusal`).
    pub accept_truncated: bool,
    /// An output with fewer entries is not to be published.
    pub min_entries: Option<u64>,
    /// An output with fewer videos is not to be published.
    pub min_videos: Option<u64>,
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
            no_deprecated: false,
            keep_inactive: false,
            fit_titles: false,
            title_from_slug: false,
            thumbnails_as_images: false,
            thumbnail_from_html: false,
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
            limits: Limits::default(),
        }
    }
}

impl Options {
    /// Whether a page with so many videos becomes an item for each of them.
    pub(crate) fn explodes(&self, source: crate::format::Family, videos: usize) -> bool {
        videos > 1
            && match self.items {
                Items::AsGiven => source == crate::format::Family::Sitemap,
                Items::PerPage => false,
                Items::PerVideo => true,
            }
    }

    /// Whether Google's rules are applied to this target.
    pub fn google(&self, target: &crate::format::Format) -> bool {
        match self.profile {
            Profile::Google => true,
            Profile::None | Profile::Yandex => false,
            Profile::Default => target.id == "video-sitemap",
        }
    }

    /// Whether only what Yandex knows is written.
    pub fn yandex(&self) -> bool {
        self.profile == Profile::Yandex
    }

    /// The name of the rules that are applied to this target.
    pub fn profile_name(&self, target: &crate::format::Format) -> &'static str {
        match self.profile {
            Profile::Yandex => "yandex",
            _ if self.google(target) => "google",
            Profile::Google | Profile::None | Profile::Default => "none",
        }
    }
}
