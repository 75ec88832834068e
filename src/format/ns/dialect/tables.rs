//! The tables themselves, by platform. A row stands here if the platform's documentation, its feed generator or
//! captured feeds tell what the element means; a name alone is no reason. Counts that the model has no field for
//! (`bc:viewcount` of one week, `kaltura:plays` beside `views`) have no row.

use super::{Dialect, Form, Row};
use crate::model::Field;

/// All dialects.
pub static DIALECTS: &[Dialect] = &[
    YOUTUBE,
    VIMEO,
    DAILYMOTION,
    JWPLAYER,
    BRIGHTCOVE,
    KALTURA,
    PEERTUBE,
    MSN,
    WORDPRESS,
    YANDEX,
    TURBO,
    WURL,
    GDATA,
    PODCAST,
];

/// A platform whose namespaces, if it has any, hold nothing that the model has a field for.
const PLAIN: Dialect = Dialect { name: "", title: "", namespaces: &[], generators: &[], hosts: &[], rows: &[] };

/// `yt:videoId` is read with the media elements, as it may be all that tells of the video.
const YOUTUBE: Dialect = Dialect {
    name: "youtube",
    title: "YouTube: channels and playlists (Atom), and the feeds of its former data interface",
    namespaces: &[
        "http://www.youtube.com/xml/schemas/2015",
        "http://gdata.youtube.com/schemas/2007",
        "http://www.youtube.com/schemas/yt/0.2",
    ],
    rows: &[
        Row::attr("duration", "seconds", Field::VideoDuration),
        Row::attr("statistics", "viewCount", Field::VideoViews),
        Row::attr("statistics", "favoriteCount", Field::VideoFavorites),
        Row::text("uploaded", Field::VideoPublished),
    ],
    ..PLAIN
};

const VIMEO: Dialect =
    Dialect { name: "vimeo", title: "Vimeo: channels, albums and users (RSS)", hosts: &["vimeo.com"], ..PLAIN };

const DAILYMOTION: Dialect = Dialect {
    name: "dailymotion",
    title: "Dailymotion: users, channels and searches (RSS), and the feeds its partners deliver",
    namespaces: &["http://www.dailymotion.com/dmrss"],
    rows: &[
        Row::text("id", Field::VideoId),
        Row::text("author", Field::VideoUploaderName),
        Row::text("views", Field::VideoViews),
        Row::text("favorites", Field::VideoFavorites),
        Row::text("comments", Field::CommentCount),
        Row::text("videorating", Field::VideoRatingAverage),
        Row::text("videovotes", Field::VideoRatingCount),
        Row::text("channels", Field::VideoCategoryTerm),
    ],
    ..PLAIN
};

/// The kinds of file that the player has words of its own for.
const JWPLAYER_TYPES: Form = Form::Words(&[
    ("mp4", "video/mp4"),
    ("m4v", "video/mp4"),
    ("webm", "video/webm"),
    ("flv", "video/x-flv"),
    ("hls", "application/vnd.apple.mpegurl"),
    ("m3u8", "application/vnd.apple.mpegurl"),
    ("dash", "application/dash+xml"),
    ("mpd", "application/dash+xml"),
    ("mp3", "audio/mpeg"),
    ("aac", "audio/aac"),
]);

const JWPLAYER: Dialect = Dialect {
    name: "jwplayer",
    title: "JW Player: playlists of the player and of its platform (RSS)",
    namespaces: &[
        "http://rss.jwpcdn.com/",
        "http://developer.longtailvideo.com/",
        "http://developer.longtailvideo.com/trac/wiki/FlashFormats",
    ],
    rows: &[
        Row::text("mediaid", Field::VideoId),
        Row::text("image", Field::VideoThumbnailUrl),
        Row::attr("source", "file", Field::VideoFileUrl),
        Row::attr("source", "type", Field::VideoFileType).said(JWPLAYER_TYPES),
        Row::attr("source", "default", Field::VideoFileIsDefault),
        Row::attr("source", "width", Field::VideoFileWidth),
        Row::attr("source", "height", Field::VideoFileHeight),
        Row::attr("track", "file", Field::VideoSubtitleHref).only("kind", &["captions", "subtitles", ""]),
        // of the player's fifth version, whose settings stood as elements
        Row::text("file", Field::VideoFileUrl),
        Row::text("duration", Field::VideoDuration),
    ],
    ..PLAIN
};

const BRIGHTCOVE: Dialect = Dialect {
    name: "brightcove",
    title: "Brightcove: line-ups of its former media interface (Media RSS)",
    namespaces: &["http://www.brightcove.tv/link"],
    rows: &[
        Row::text("titleid", Field::VideoId),
        Row::text("duration", Field::VideoDuration).said(Form::Millis),
        Row::text("viewcount", Field::VideoViews).only("period", &["all-time"]),
        Row::text("embeddable", Field::VideoAllowEmbed),
    ],
    ..PLAIN
};

const KALTURA: Dialect = Dialect {
    name: "kaltura",
    title: "Kaltura: playlists and syndicated feeds (Media RSS)",
    namespaces: &["http://kaltura.com/playlist/1.0"],
    rows: &[
        Row::text("entryId", Field::VideoId),
        Row::text("duration", Field::VideoDuration).said(Form::Millis),
        Row::text("views", Field::VideoViews),
        Row::text("votes", Field::VideoRatingCount),
        Row::text("tags", Field::VideoTag).said(Form::List),
        Row::text("createdAtInt", Field::Created).said(Form::Epoch),
        Row::text("sunrise", Field::VideoAvailableStart).said(Form::Epoch),
        Row::text("sunset", Field::VideoAvailableEnd).said(Form::Epoch),
        Row::text("credit", Field::VideoCreditName),
    ],
    ..PLAIN
};

const PEERTUBE: Dialect = Dialect {
    name: "peertube",
    title: "PeerTube: videos of an instance, an account or a channel (RSS and Atom)",
    generators: &["PeerTube", "Toraifōsu"],
    ..PLAIN
};

const MSN: Dialect = Dialect {
    name: "msn",
    title: "MSN, Microsoft Start: feeds that partners deliver (RSS)",
    namespaces: &["http://schemas.ingestion.microsoft.com/common/"],
    rows: &[
        Row::text("dateTimeWritten", Field::Created),
        Row::text("shortTitle", Field::Title),
        Row::text("duration", Field::VideoDuration),
    ],
    ..PLAIN
};

const WORDPRESS: Dialect = Dialect {
    name: "wordpress",
    title: "WordPress: posts (RSS), with what Jetpack, Yoast and others add to them",
    namespaces: &["com-wordpress:feed-additions:1"],
    generators: &["wordpress.org", "wordpress.com"],
    ..PLAIN
};

const YANDEX: Dialect = Dialect {
    name: "yandex",
    title: "Yandex and Dzen: news (RSS)",
    namespaces: &["http://news.yandex.ru"],
    rows: &[Row::text("full-text", Field::Content)],
    ..PLAIN
};

const TURBO: Dialect = Dialect {
    name: "turbo",
    title: "Yandex: turbo pages (RSS)",
    namespaces: &["http://turbo.yandex.ru"],
    rows: &[Row::text("topic", Field::Title), Row::text("content", Field::Content)],
    ..PLAIN
};

const WURL: Dialect = Dialect {
    name: "wurl",
    title: "Wurl: programmes and episodes (Media RSS)",
    namespaces: &["http://api.wurl.com/wurlrss/1.0"],
    rows: &[
        Row::text("series", Field::VideoTvShowTitle),
        Row::text("season", Field::VideoTvSeason),
        Row::text("episode", Field::VideoTvEpisode),
        Row::text("firstAired", Field::VideoTvPremiere),
    ],
    ..PLAIN
};

const GDATA: Dialect = Dialect {
    name: "gdata",
    title: "Google: elements of its former data APIs",
    namespaces: &["http://schemas.google.com/g/2005"],
    rows: &[
        Row::attr("rating", "average", Field::VideoRatingAverage),
        Row::attr("rating", "numRaters", Field::VideoRatingCount),
        Row::attr("rating", "min", Field::VideoRatingMin),
        Row::attr("rating", "max", Field::VideoRatingMax),
    ],
    ..PLAIN
};

/// A vocabulary of many; but what it says of files is what others say in words of their own. Files of another kind than
/// videos, and those that hold something else than the enclosure does, are not read.
const PODCAST: Dialect = Dialect {
    name: "podcast",
    title: "Podcasting 2.0: further files of an episode, its poster, and items for live streams (RSS)",
    namespaces: &[
        "https://podcastindex.org/namespace/1.0",
        "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
    ],
    rows: &[
        Row::attr("alternateEnclosure", "source@uri", Field::VideoFileUrl).only("rel", SAME),
        Row::attr("alternateEnclosure", "url", Field::VideoFileUrl).only("rel", SAME),
        Row::attr("alternateEnclosure", "source@contentType", Field::VideoFileType).only("rel", SAME),
        Row::attr("alternateEnclosure", "type", Field::VideoFileType).only("rel", SAME),
        Row::attr("alternateEnclosure", "length", Field::VideoFileSize).only("rel", SAME),
        Row::attr("alternateEnclosure", "bitrate", Field::VideoFileBitrate).said(Form::Bits).only("rel", SAME),
        Row::attr("alternateEnclosure", "height", Field::VideoFileHeight).only("rel", SAME),
        Row::attr("alternateEnclosure", "lang", Field::VideoFileLang).only("rel", SAME),
        Row::attr("alternateEnclosure", "codecs", Field::VideoFileCodecs).only("rel", SAME),
        Row::attr("alternateEnclosure", "default", Field::VideoFileIsDefault).only("rel", SAME),
        Row::attr("alternateEnclosure", "title", Field::VideoFileTitle).only("rel", SAME),
        Row::attr("image", "href", Field::VideoThumbnailUrl).only("purpose", &["poster"]),
        Row::attr("liveItem", "status", Field::VideoLive).said(LIVE),
    ],
    ..PLAIN
};

/// What it was, is or will be, it is the stream of something live (A2.5).
const LIVE: Form = Form::Words(&[("pending", "yes"), ("live", "yes"), ("ended", "yes")]);

/// The file is the episode in another form.
const SAME: &[&str] = &["", "default"];
