//! Options of a conversion for choices that the rules leave open.

use clap::{Args, ValueEnum};

use crate::cli::argument::{VIDEO, address};
use crate::format::Format;
use crate::options::{Options, ThumbnailRule};

/// The options, under two headings.
#[derive(Args)]
#[command(next_help_heading = "Pages and entries")]
pub struct RuleArgs {
    /// Choose one: largest, first
    #[arg(long, value_name = "WHICH", default_value = "largest", help_heading = VIDEO, hide_possible_values = true)]
    thumbnail: ThumbnailArg,
    /// Use the feed image for missing thumbnails
    #[arg(long, help_heading = VIDEO)]
    thumbnail_from_feed: bool,
    /// Use the first image in the text if missing
    #[arg(long, help_heading = VIDEO)]
    thumbnail_from_html: bool,
    /// Read players and video elements in HTML as videos
    #[arg(long, help_heading = VIDEO, hide_short_help = true)]
    videos_from_html: bool,
    /// Use this image for missing thumbnails
    #[arg(long, value_name = "URL", value_parser = address, help_heading = VIDEO)]
    default_thumbnail: Option<String>,
    /// Write blocked and deleted videos too
    #[arg(long, help_heading = VIDEO, hide_short_help = true)]
    keep_inactive: bool,
    /// Omit video elements that Google retired: category, gallery_loc, price, tvshow, allow_embed, autoplay
    #[arg(long, help_heading = VIDEO, hide_short_help = true)]
    no_deprecated: bool,
    /// Truncate video titles to 100 characters
    #[arg(long, help_heading = VIDEO, hide_short_help = true)]
    fit_titles: bool,
    /// List the first thumbnail of each video as an image of its page, in sitemaps without videos
    #[arg(long, help_heading = VIDEO, hide_short_help = true)]
    thumbnails_as_images: bool,
    /// Generate missing titles: slug uses the words at the end of the URL
    #[arg(long, value_name = "SOURCE", hide_possible_values = true, hide_short_help = true)]
    title_from: Option<TitleFrom>,
    /// Use the update period of the feed as changefreq where a page has none
    #[arg(long, hide_short_help = true)]
    feed_changefreq: bool,
    /// Use the publication date as lastmod where a page was never updated
    #[arg(long, hide_short_help = true)]
    lastmod_from_published: bool,
    /// Use the date of the last change as pubDate where an item has none
    #[arg(long, hide_short_help = true)]
    pubdate_from_lastmod: bool,
    /// Set the publication name for --ext news [default: title of the feed]
    #[arg(long, value_name = "TEXT", hide_short_help = true)]
    news_name: Option<String>,
    /// Set the article language for --ext news [default: that of the page or feed]
    #[arg(long, value_name = "TAG", hide_short_help = true)]
    news_language: Option<String>,
    /// Keep URL fragments in text output
    #[arg(long, hide_short_help = true)]
    keep_fragments: bool,
    /// Keep non-ASCII characters in sitemap URLs instead of percent-encoding them
    #[arg(long, hide_short_help = true)]
    iri: bool,
    /// Resolve relative links in texts with markup
    #[arg(long, hide_short_help = true)]
    absolutize_html: bool,
}

/// What a title may be created from.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TitleFrom {
    /// The words in the last part of the URL
    Slug,
}

/// Which of several thumbnails represents a video.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ThumbnailArg {
    /// The largest if the sizes of all are known, else the first
    Largest,
    /// The first that is not of a moment in the video, else the first
    First,
}

impl RuleArgs {
    /// Sets the options of the library.
    pub fn apply(&self, options: &mut Options) {
        options.no_deprecated = self.no_deprecated;
        options.keep_inactive = self.keep_inactive;
        options.fit_titles = self.fit_titles;
        options.title_from_slug = self.title_from.is_some();
        options.thumbnails_as_images = self.thumbnails_as_images;
        options.thumbnail = match self.thumbnail {
            ThumbnailArg::Largest => ThumbnailRule::Largest,
            ThumbnailArg::First => ThumbnailRule::First,
        };
        options.default_thumbnail.clone_from(&self.default_thumbnail);
        options.thumbnail_from_feed = self.thumbnail_from_feed;
        options.thumbnail_from_html = self.thumbnail_from_html;
        options.videos_from_html = self.videos_from_html;
        options.feed_changefreq = self.feed_changefreq;
        options.lastmod_from_published = self.lastmod_from_published;
        options.pubdate_from_lastmod = self.pubdate_from_lastmod;
        options.news_name.clone_from(&self.news_name);
        options.news_language.clone_from(&self.news_language);
        options.keep_fragments = self.keep_fragments;
        options.iri = self.iri;
        options.absolutize_html = self.absolutize_html;
    }

    /// Which of them this target has no use for.
    pub fn unused(&self, to: &Format) -> Vec<(&'static str, bool)> {
        let sitemap = to.family.is_xml_sitemap();
        let videos = to.id == "video-sitemap";
        // a thumbnail is required where Google's rules are applied
        let thumbnails = matches!(to.id, "video-sitemap" | "mrss" | "jsonld");
        vec![
            ("--no-deprecated", self.no_deprecated && !videos),
            ("--keep-inactive", self.keep_inactive && !videos && to.id != "jsonld"),
            ("--fit-titles", self.fit_titles && !thumbnails),
            ("--title-from", self.title_from.is_some() && !to.family.is_feed()),
            ("--thumbnails-as-images", self.thumbnails_as_images && to.id != "sitemap"),
            ("--thumbnail", self.thumbnail != ThumbnailArg::Largest && !videos),
            ("--default-thumbnail", self.default_thumbnail.is_some() && !thumbnails),
            ("--thumbnail-from-feed", self.thumbnail_from_feed && !thumbnails),
            ("--thumbnail-from-html", self.thumbnail_from_html && !thumbnails),
            ("--feed-changefreq", self.feed_changefreq && !sitemap),
            ("--lastmod-from-published", self.lastmod_from_published && !sitemap),
            ("--pubdate-from-lastmod", self.pubdate_from_lastmod && !to.family.is_rss()),
            ("--news-name", self.news_name.is_some() && !sitemap),
            ("--news-language", self.news_language.is_some() && !sitemap),
            ("--absolutize-html", self.absolutize_html && (sitemap || to.family.is_lines())),
            ("--iri", self.iri && !sitemap && !to.family.is_lines()),
            ("--keep-fragments", self.keep_fragments && !to.family.is_lines()),
        ]
    }
}
