//! The video and its renditions.

// How they become the model is in part.rs and levels.rs.

use std::time::Duration;

use super::decimal::Decimal;
use super::part::part;
use super::text::Text;
use crate::model::Date;

part! {
    /// One video with its renditions. A media object of another type (a group of audio files) has the same shape.
    ///
    /// It has the effective values: those of the channel, of the item or of a file (content
    /// before group before item before channel) are here too, and listed in `inherited`.
    ///
    /// ```
    /// use std::time::Duration;
    /// use transfeed::{File, Thumbnail, Video};
    ///
    /// let video = Video {
    ///     title: Some("A lighthouse".into()),
    ///     duration: Some(Duration::from_secs(77)),
    ///     thumbnails: vec![Thumbnail { width: Some(1280), ..Thumbnail::at("https://example.com/1.jpg") }],
    ///     files: vec![File { kind: Some("video/mp4".into()), ..File::at("https://example.com/1.mp4") }],
    ///     tags: vec!["sea".into(), "night".into()],
    ///     ..Video::default()
    /// };
    /// assert_eq!(video.files[0].url.as_deref(), Some("https://example.com/1.mp4"));
    /// ```
    pub struct Video from model::Video by levels {
        /// Its id at the publisher (`yt:videoId`).
        id: Option<String>,
        /// `media:title`, `video:title`.
        title: Option<Text>,
        /// `media:description`, `video:description`.
        description: Option<Text>,
        /// `media:thumbnail`, `video:thumbnail_loc`, the most important first.
        thumbnails: Vec<Thumbnail>,
        /// `media:player`, `video:player_loc`.
        player: Option<Player>,
        /// `media:content`, `video:content_loc`, `enclosure`: the renditions, in document order.
        files: Vec<File>,
        /// The renditions are in a `media:group`.
        group: bool,
        /// Duration.
        duration: Option<Duration>,
        /// `video:publication_date`.
        published: Option<Date>,
        /// `dcterms:valid`, `video:expiration_date`.
        available: Option<Available>,
        /// `media:starRating`, `video:rating`.
        rating: Option<Rating>,
        /// `media:rating`: its audience, one per scheme.
        ratings: Vec<Audience>,
        /// `media:adult` (deprecated in Media RSS).
        adult: Option<bool>,
        /// `media:statistics@views`, `video:view_count`.
        views: Option<u64>,
        /// `media:statistics@favorites`.
        favorites: Option<u64>,
        /// `video:family_friendly`.
        family_friendly: Option<bool>,
        /// `media:restriction type=country`, `video:restriction`.
        restriction: Option<Restriction>,
        /// `video:platform`.
        platform: Option<Platform>,
        /// `media:restriction type=uri`.
        uri_restriction: Option<UriRestriction>,
        /// `media:restriction type=sharing`: its relationship.
        sharing: Option<String>,
        /// `video:player_loc@allow_embed` (retired by Google).
        allow_embed: Option<bool>,
        /// `video:player_loc@autoplay` (retired by Google).
        autoplay: Option<String>,
        /// `media:price`, `video:price`.
        prices: Vec<Price>,
        /// `video:requires_subscription`.
        requires_subscription: Option<bool>,
        /// `video:uploader`.
        uploader: Option<Uploader>,
        /// `media:credit`.
        credits: Vec<Credit>,
        /// `video:live`, `dcterms:type` of `live-video`.
        live: Option<bool>,
        /// `media:keywords`, `video:tag`.
        tags: Vec<String>,
        /// `media:tags`.
        tag_weights: Vec<TagWeight>,
        /// `media:category`, `video:category`.
        categories: Vec<Category>,
        /// `media:copyright`.
        copyright: Option<Copyright>,
        /// `media:license`.
        license: Vec<License>,
        /// `media:hash`.
        hashes: Vec<Hash>,
        /// `media:text`: transcript or captions inside the feed.
        texts: Vec<TimedText>,
        /// `media:subTitle`.
        subtitles: Vec<Subtitle>,
        /// `media:embed`.
        embed: Option<Embed>,
        /// `media:status`.
        status: Option<Status>,
        /// `media:rights@status`.
        rights_status: Option<String>,
        /// `media:scene`.
        scenes: Vec<Scene>,
        /// `media:location`.
        location: Vec<VideoLocation>,
        /// `media:peerLink`.
        peer_links: Vec<PeerLink>,
        /// `media:comment`.
        comments: Vec<String>,
        /// `media:response`.
        responses: Vec<String>,
        /// `media:backLink`.
        back_links: Vec<String>,
        /// `video:tvshow` (retired by Google).
        tv: Option<Tv>,
        /// `video:id`.
        ids: Vec<TypedId>,
        /// `video:gallery_loc` (retired by Google).
        gallery: Option<Gallery>,
        /// `video:content_segment_loc`, in playing order.
        segments: Vec<Segment>,
        /// The members above that come from the channel, the item or the file; `categories[2]` for a list from which
        /// the third member and the following ones come. A changed member is removed from it when it is written.
        inherited: Vec<String>,
    }
}

part! {
    /// One rendition: a file with the video in it (`media:content`, `enclosure`, `video:content_loc`).
    pub struct File from model::File {
        /// Its URL.
        url: Option<String>,
        /// MIME type as written, with parameters.
        kind: Option<String>,
        /// RFC 6381 codecs, if not in the type.
        codecs: Option<String>,
        /// `image audio video document executable`.
        medium: Option<String>,
        /// Pixels.
        width: Option<u64>,
        /// Pixels.
        height: Option<u64>,
        /// Kilobits per second.
        bitrate: Option<Decimal>,
        /// Frames per second.
        framerate: Option<Decimal>,
        /// Thousands of samples per second.
        samplingrate: Option<Decimal>,
        /// Audio channels.
        channels: Option<u64>,
        /// Bytes.
        size: Option<u64>,
        /// Language of the sound (RFC 3066).
        lang: Option<String>,
        /// Duration, if different from that of the video.
        duration: Option<Duration>,
        /// Whether it is the default.
        is_default: Option<bool>,
        /// `sample full nonstop`.
        expression: Option<String>,
        /// Title of its link (Atom).
        title: Option<String>,
        /// Values of only this rendition.
        media: Option<Box<Video>>,
    }
}

part! {
    /// A thumbnail of the video.
    pub struct Thumbnail from model::Thumbnail {
        /// URL.
        url: Option<String>,
        /// Pixels.
        width: Option<u64>,
        /// Pixels.
        height: Option<u64>,
        /// Offset in the video (normal play time, RFC 2326 section 3.6).
        time: Option<String>,
    }
}

part! {
    /// A page that plays this video.
    pub struct Player from model::Player {
        /// URL.
        url: Option<String>,
        /// Pixels of the window.
        width: Option<u64>,
        /// Pixels of the window.
        height: Option<u64>,
    }
}

part! {
    /// The period in which it may be shown (DCMI Period).
    pub struct Available from model::Available {
        /// First moment.
        start: Option<Date>,
        /// Last moment.
        end: Option<Date>,
        /// Name of the period.
        name: Option<String>,
    }
}

part! {
    /// The rating by viewers.
    pub struct Rating from model::Rating {
        /// Mean of the votes.
        average: Option<Decimal>,
        /// Number of votes.
        count: Option<u64>,
        /// Lowest vote possible.
        min: Option<Decimal>,
        /// Highest vote possible.
        max: Option<Decimal>,
    }
}

part! {
    /// Its audience.
    pub struct Audience from model::Audience {
        /// `urn:simple` (default), `urn:mpaa`, `urn:v-chip`, `urn:icra` …
        scheme: Option<String>,
        /// The rating, as in the scheme.
        value: Option<String>,
    }
}

part! {
    /// Countries where it may or may not be shown.
    pub struct Restriction from model::Restriction {
        /// `allow` or `deny`.
        relationship: Option<String>,
        /// ISO 3166-1 alpha-2 codes as written, or the literals `all` and `none` of Media RSS.
        countries: Vec<String>,
    }
}

part! {
    /// Devices on which it may or may not be shown.
    pub struct Platform from model::Platform {
        /// `allow` or `deny`.
        relationship: Option<String>,
        /// `web mobile tv`.
        platforms: Vec<String>,
    }
}

part! {
    /// Sites on which it may or may not be shown.
    pub struct UriRestriction from model::UriRestriction {
        /// `allow` or `deny`.
        relationship: Option<String>,
        /// URL patterns.
        values: Vec<String>,
    }
}

part! {
    /// Its price.
    pub struct Price from model::Price {
        /// Amount as written.
        amount: Option<Decimal>,
        /// ISO 4217.
        currency: Option<String>,
        /// `rent purchase package subscription`.
        kind: Option<String>,
        /// `hd` or `sd`.
        resolution: Option<String>,
        /// Page about a package or a subscription.
        info: Option<String>,
    }
}

part! {
    /// The uploader.
    pub struct Uploader from model::Uploader {
        /// Name.
        name: Option<String>,
        /// Page about the uploader.
        uri: Option<String>,
    }
}

part! {
    /// A contributor.
    pub struct Credit from model::Credit {
        /// Name.
        name: Option<String>,
        /// The role, as in the scheme.
        role: Option<String>,
        /// `urn:ebu` (default), `urn:yvs` …
        scheme: Option<String>,
    }
}

part! {
    /// A tag with its weight.
    pub struct TagWeight from model::TagWeight {
        /// The tag.
        tag: Option<String>,
        /// Default 1.
        weight: Option<Decimal>,
    }
}

part! {
    /// A copyright notice.
    pub struct Copyright from model::Copyright {
        /// The note.
        text: Option<String>,
        /// Terms of use.
        url: Option<String>,
    }
}

part! {
    /// A license.
    pub struct License from model::License {
        /// Its name.
        text: Option<String>,
        /// Its text.
        href: Option<String>,
        /// MIME type of its text.
        kind: Option<String>,
    }
}

part! {
    /// A checksum of the file.
    pub struct Hash from model::Hash {
        /// `md5` (default) or `sha-1`.
        algo: Option<String>,
        /// Hexadecimal digits.
        value: Option<String>,
    }
}

part! {
    /// A piece of transcript or caption.
    pub struct TimedText from model::TimedText {
        /// The text.
        value: Option<Text>,
        /// Its language.
        lang: Option<String>,
        /// Normal play time.
        start: Option<String>,
        /// Normal play time.
        end: Option<String>,
    }
}

part! {
    /// A file of subtitles.
    pub struct Subtitle from model::Subtitle {
        /// URL.
        href: Option<String>,
        /// Language.
        lang: Option<String>,
        /// MIME type.
        kind: Option<String>,
    }
}

part! {
    /// An embeddable player with its parameters.
    pub struct Embed from model::Embed {
        /// URL.
        url: Option<String>,
        /// Pixels.
        width: Option<u64>,
        /// Pixels.
        height: Option<u64>,
        /// `media:param`.
        params: Vec<Param>,
    }
}

part! {
    /// A parameter of an embedded player.
    pub struct Param from model::Param {
        /// Name.
        name: Option<String>,
        /// Value.
        value: Option<String>,
    }
}

part! {
    /// Its status.
    pub struct Status from model::Status {
        /// `active blocked deleted`.
        state: Option<String>,
        /// A text or a URL.
        reason: Option<String>,
    }
}

part! {
    /// A part of the video.
    pub struct Scene from model::Scene {
        /// `sceneTitle`.
        title: Option<String>,
        /// `sceneDescription`.
        description: Option<String>,
        /// `sceneStartTime`, normal play time.
        start: Option<String>,
        /// `sceneEndTime`, normal play time.
        end: Option<String>,
    }
}

part! {
    /// A place that the video shows.
    pub struct VideoLocation from model::VideoLocation {
        /// Its name.
        description: Option<String>,
        /// Start, in normal play time.
        start: Option<String>,
        /// End, in normal play time.
        end: Option<String>,
        /// "latitude longitude" (`georss:where/gml:Point/gml:pos`).
        point: Option<String>,
    }
}

part! {
    /// A torrent or the like.
    pub struct PeerLink from model::PeerLink {
        /// URL.
        href: Option<String>,
        /// MIME type.
        kind: Option<String>,
    }
}

part! {
    /// The programme it is an episode of.
    pub struct Tv from model::Tv {
        /// `show_title`.
        show_title: Option<String>,
        /// `full preview clip interview news other`.
        kind: Option<String>,
        /// `episode_title`.
        episode_title: Option<String>,
        /// From 1.
        season: Option<u64>,
        /// From 1.
        episode: Option<u64>,
        /// `premier_date`.
        premiere: Option<Date>,
    }
}

part! {
    /// An id in a catalogue.
    pub struct TypedId from model::TypedId {
        /// `tms:series tms:program rovi:series rovi:program freebase url`.
        kind: Option<String>,
        /// The id.
        value: Option<String>,
    }
}

part! {
    /// A collection it belongs to.
    pub struct Gallery from model::Gallery {
        /// URL.
        url: Option<String>,
        /// Title.
        title: Option<String>,
    }
}

part! {
    /// A segment of a video.
    pub struct Segment from model::Segment {
        /// URL of its file.
        url: Option<String>,
        /// Duration.
        duration: Option<Duration>,
    }
}

part! {
    /// A subject (RFC 4287 section 4.2.2; RSS `category`, whose `domain` is the scheme).
    pub struct Category from model::Category {
        /// The subject, as in the scheme.
        term: Option<String>,
        /// The URL of the scheme.
        scheme: Option<String>,
        /// The subject, for people.
        label: Option<String>,
        /// It is a subcategory of the previous one (`itunes:category`).
        sub: bool,
    }
}

impl File {
    /// A file with a URL.
    pub fn at(url: impl Into<String>) -> File {
        File { url: Some(url.into()), ..File::default() }
    }
}

impl Thumbnail {
    /// An image with a URL.
    pub fn at(url: impl Into<String>) -> Thumbnail {
        Thumbnail { url: Some(url.into()), ..Thumbnail::default() }
    }
}

impl Player {
    /// A player with a URL.
    pub fn at(url: impl Into<String>) -> Player {
        Player { url: Some(url.into()), ..Player::default() }
    }
}

impl Category {
    /// A subject.
    pub fn named(term: impl Into<String>) -> Category {
        Category { term: Some(term.into()), ..Category::default() }
    }
}
