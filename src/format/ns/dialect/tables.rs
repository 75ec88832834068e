//! The tables of the platforms. A row requires evidence for the meaning of its element: the platform's documentation,
//! its feed generator or captured feeds; the name alone is not enough. Counts without a field in the model
//! (`bc:viewcount` of one week, `kaltura:plays` next to `views`) have no row.

use super::row::{Dialect, DialectRow, IdSource, ThumbnailRow, ValueForm};
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
    GMRSS,
    MPX,
    SMARTNEWS,
    PODCAST,
    #[cfg(test)]
    crate::format::tests::HARBOUR,
];

/// A platform whose namespaces, if it has any, hold nothing that the model has a field for.
const PLAIN: Dialect = Dialect {
    name: "",
    title: "",
    namespaces: &[],
    generators: &[],
    hosts: &[],
    rows: &[],
    videos: &[],
    known: &[],
    thumbnails: &[],
};

/// `yt:videoId` is read with the media elements, because it may be the only element about the video.
const YOUTUBE: Dialect = Dialect {
    name: "youtube",
    title: "YouTube: channels and playlists (Atom), and the feeds of its former data interface",
    namespaces: &[
        "http://www.youtube.com/xml/schemas/2015",
        "http://gdata.youtube.com/schemas/2007",
        "http://www.youtube.com/schemas/yt/0.2",
    ],
    rows: &[
        DialectRow::attr("duration", "seconds", Field::VideoDuration),
        DialectRow::attr("statistics", "viewCount", Field::VideoViews),
        DialectRow::attr("statistics", "favoriteCount", Field::VideoFavorites),
        DialectRow::text("uploaded", Field::VideoPublished),
        DialectRow::text("videoid", Field::VideoId),
        DialectRow::text("videoId", Field::VideoId),
    ],
    thumbnails: &[ThumbnailRow {
        hosts: &["youtube.com", "youtu.be"],
        ids: IdSource::Players,
        image: "https://i.ytimg.com/vi/{id}/hqdefault.jpg",
        source: "YouTube Data API, Thumbnails (2025)",
    }],
    ..PLAIN
};

const VIMEO: Dialect =
    Dialect { name: "vimeo", title: "Vimeo: channels, albums and users (RSS)", hosts: &["vimeo.com"], ..PLAIN };

const DAILYMOTION: Dialect = Dialect {
    name: "dailymotion",
    title: "Dailymotion: users, channels and searches (RSS), and the feeds its partners deliver",
    namespaces: &["http://www.dailymotion.com/dmrss"],
    rows: &[
        DialectRow::text("id", Field::VideoId),
        DialectRow::text("author", Field::VideoUploaderName),
        DialectRow::text("views", Field::VideoViews),
        DialectRow::text("favorites", Field::VideoFavorites),
        DialectRow::text("comments", Field::CommentCount),
        DialectRow::text("videorating", Field::VideoRatingAverage),
        DialectRow::text("videovotes", Field::VideoRatingCount),
        DialectRow::text("channels", Field::VideoCategoryTerm),
    ],
    thumbnails: &[ThumbnailRow {
        hosts: &["dailymotion.com", "dai.ly"],
        ids: IdSource::Players,
        image: "https://www.dailymotion.com/thumbnail/video/{id}",
        source: "not documented; in public use (2025)",
    }],
    ..PLAIN
};

/// The kinds of file that the player has words of its own for.
const JWPLAYER_TYPES: ValueForm = ValueForm::Words(&[
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
        DialectRow::text("mediaid", Field::VideoId),
        DialectRow::text("image", Field::VideoThumbnailUrl),
        DialectRow::attr("source", "file", Field::VideoFileUrl),
        DialectRow::attr("source", "type", Field::VideoFileType).with_form(JWPLAYER_TYPES),
        DialectRow::attr("source", "default", Field::VideoFileIsDefault),
        DialectRow::attr("source", "width", Field::VideoFileWidth),
        DialectRow::attr("source", "height", Field::VideoFileHeight),
        DialectRow::attr("track", "file", Field::VideoSubtitleHref).only("kind", &["captions", "subtitles", ""]),
        // of version 5 of the player, whose settings were given as elements
        DialectRow::text("file", Field::VideoFileUrl),
        DialectRow::text("duration", Field::VideoDuration),
    ],
    thumbnails: &[ThumbnailRow {
        hosts: &["cdn.jwplayer.com", "content.jwplatform.com"],
        ids: IdSource::Addresses {
            patterns: &["/players/{id}-", "/videos/{id}", "/manifests/{id}", "/previews/{id}", "/v2/media/{id}"],
            in_id: |byte| byte.is_ascii_alphanumeric(),
            length: 8,
        },
        image: "https://cdn.jwplayer.com/thumbs/{id}-720.jpg",
        source: "JW Player, Delivery API, \"Specific poster image for the media\" (2025)",
    }],
    ..PLAIN
};

const BRIGHTCOVE: Dialect = Dialect {
    name: "brightcove",
    title: "Brightcove: line-ups of its former media interface (Media RSS)",
    namespaces: &["http://www.brightcove.tv/link"],
    rows: &[
        DialectRow::text("titleid", Field::VideoId),
        DialectRow::text("duration", Field::VideoDuration).with_form(ValueForm::Millis),
        DialectRow::text("viewcount", Field::VideoViews).only("period", &["all-time"]),
        DialectRow::text("embeddable", Field::VideoAllowEmbed),
    ],
    ..PLAIN
};

const KALTURA: Dialect = Dialect {
    name: "kaltura",
    title: "Kaltura: playlists and syndicated feeds (Media RSS)",
    namespaces: &["http://kaltura.com/playlist/1.0"],
    rows: &[
        DialectRow::text("entryId", Field::VideoId),
        DialectRow::text("duration", Field::VideoDuration).with_form(ValueForm::Millis),
        DialectRow::text("views", Field::VideoViews),
        DialectRow::text("votes", Field::VideoRatingCount),
        DialectRow::text("tags", Field::VideoTag).with_form(ValueForm::List),
        DialectRow::text("createdAtInt", Field::Created).with_form(ValueForm::Epoch),
        DialectRow::text("sunrise", Field::VideoAvailableStart).with_form(ValueForm::Epoch),
        DialectRow::text("sunset", Field::VideoAvailableEnd).with_form(ValueForm::Epoch),
        DialectRow::text("credit", Field::VideoCreditName),
    ],
    thumbnails: &[ThumbnailRow {
        hosts: &[
            "kaltura.com",
            "cdnapi.kaltura.com",
            "cdnapisec.kaltura.com",
            "cdnsecakmi.kaltura.com",
            "cfvod.kaltura.com",
        ],
        ids: IdSource::Addresses {
            patterns: &[
                "/p/{account}/*/entryId/{id}",
                "/p/{account}/*/entry_id/{id}",
                "/p/{account}/*?entry_id={id}",
                "/p/{account}/*&entry_id={id}",
            ],
            in_id: |byte| byte.is_ascii_alphanumeric() || byte == b'_',
            length: 10,
        },
        image: "https://cdnsecakmi.kaltura.com/p/{account}/thumbnail/entry_id/{id}/width/640",
        source: "Kaltura, \"Video Thumbnail and Image Transformation API\" (2025)",
    }],
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
        DialectRow::text("dateTimeWritten", Field::Created),
        DialectRow::text("shortTitle", Field::Title),
        DialectRow::text("duration", Field::VideoDuration),
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
    rows: &[DialectRow::text("full-text", Field::Content)],
    ..PLAIN
};

const TURBO: Dialect = Dialect {
    name: "turbo",
    title: "Yandex: turbo pages (RSS)",
    namespaces: &["http://turbo.yandex.ru"],
    rows: &[DialectRow::text("topic", Field::Title), DialectRow::text("content", Field::Content)],
    ..PLAIN
};

const WURL: Dialect = Dialect {
    name: "wurl",
    title: "Wurl: programmes and episodes (Media RSS)",
    namespaces: &["http://api.wurl.com/wurlrss/1.0"],
    rows: &[
        DialectRow::text("series", Field::VideoTvShowTitle),
        DialectRow::text("season", Field::VideoTvSeason),
        DialectRow::text("episode", Field::VideoTvEpisode),
        DialectRow::text("firstAired", Field::VideoTvPremiere),
        DialectRow::attr("price", "amount", Field::VideoPriceAmount),
        DialectRow::attr("price", "currency", Field::VideoPriceCurrency),
        DialectRow::attr("closedCaptions", "href", Field::VideoSubtitleHref),
        DialectRow::attr("closedCaptions", "type", Field::VideoSubtitleType).with_form(WURL_CAPTIONS),
        DialectRow::attr("closedCaptions", "lang", Field::VideoSubtitleLang),
    ],
    ..PLAIN
};

/// The kinds of captions that are known by their MIME types too.
const WURL_CAPTIONS: ValueForm = ValueForm::OnlyWords(&[
    ("WebVTT", "text/vtt"),
    ("SRT", "application/x-subrip"),
    ("TTML", "application/ttml+xml"),
    ("DFXP", "application/ttml+xml"),
    ("SMPTE-TT", "application/ttml+xml"),
]);

const GDATA: Dialect = Dialect {
    name: "gdata",
    title: "Google: elements of its former data APIs",
    namespaces: &["http://schemas.google.com/g/2005"],
    rows: &[
        DialectRow::attr("rating", "average", Field::VideoRatingAverage),
        DialectRow::attr("rating", "numRaters", Field::VideoRatingCount),
        DialectRow::attr("rating", "min", Field::VideoRatingMin),
        DialectRow::attr("rating", "max", Field::VideoRatingMax),
    ],
    ..PLAIN
};

const GMRSS: Dialect = Dialect {
    name: "gmrss",
    title: "Comcast and RDK: open GMRSS (Media RSS)",
    namespaces: &["urn:uri:merlin-gold-FIXME"],
    rows: &[
        DialectRow::text("shortDescription", Field::Summary),
        DialectRow::text("mediumDescription", Field::Summary),
        DialectRow::text("longDescription", Field::Content),
    ],
    ..PLAIN
};

const MPX: Dialect = Dialect {
    name: "mpx",
    title: "mpx of thePlatform: feeds of media (Media RSS)",
    namespaces: &["http://xml.theplatform.com/media/data/Media"],
    rows: &[DialectRow::text("defaultThumbnailUrl", Field::VideoThumbnailUrl)],
    ..PLAIN
};

const SMARTNEWS: Dialect = Dialect {
    name: "smartnews",
    title: "SmartNews: articles that partners deliver (RSS and Atom)",
    namespaces: &["http://www.smartnews.be/snf"],
    rows: &[
        DialectRow::attr("video", "url", Field::VideoFileUrl),
        DialectRow::attr("video", "thumbnail", Field::VideoThumbnailUrl),
    ],
    videos: &["video"],
    ..PLAIN
};

/// A vocabulary of many platforms, but it describes files in its own way. Files that are not videos, and those with
/// other content than the enclosure, are not read, nor is what the model has no field for (soundbites, chapters by
/// reference, values and funding).
const PODCAST: Dialect = Dialect {
    name: "podcast",
    title: "Podcasting 2.0: files, poster, transcripts, people and numbers of an episode, and items for live streams, with \
            the chapters of Podlove (RSS)",
    namespaces: &[
        "https://podcastindex.org/namespace/1.0",
        "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
        "http://podlove.org/simple-chapters",
    ],
    rows: &[
        DialectRow::attr("alternateEnclosure", "source@uri", Field::VideoFileUrl).only("rel", SAME),
        DialectRow::attr("alternateEnclosure", "url", Field::VideoFileUrl).only("rel", SAME),
        DialectRow::attr("alternateEnclosure", "source@contentType", Field::VideoFileType).only("rel", SAME),
        DialectRow::attr("alternateEnclosure", "type", Field::VideoFileType).only("rel", SAME),
        DialectRow::attr("alternateEnclosure", "length", Field::VideoFileSize)
            .with_form(ValueForm::Bytes)
            .only("rel", SAME),
        DialectRow::attr("alternateEnclosure", "bitrate", Field::VideoFileBitrate)
            .with_form(ValueForm::Bits)
            .only("rel", SAME),
        DialectRow::attr("alternateEnclosure", "height", Field::VideoFileHeight).only("rel", SAME),
        DialectRow::attr("alternateEnclosure", "lang", Field::VideoFileLang).only("rel", SAME),
        DialectRow::attr("alternateEnclosure", "codecs", Field::VideoFileCodecs).only("rel", SAME),
        DialectRow::attr("alternateEnclosure", "default", Field::VideoFileIsDefault).only("rel", SAME),
        DialectRow::attr("alternateEnclosure", "title", Field::VideoFileTitle).only("rel", SAME),
        DialectRow::attr("alternateEnclosure", "integrity@value", Field::VideoHashValue)
            .with_form(ValueForm::Integrity)
            .only("integrity@type", SRI),
        DialectRow::attr("image", "href", Field::VideoThumbnailUrl).only("purpose", POSTER),
        DialectRow::attr("image", "width", Field::VideoThumbnailWidth).only("purpose", POSTER),
        DialectRow::attr("image", "height", Field::VideoThumbnailHeight).only("purpose", POSTER),
        DialectRow::attr("transcript", "url", Field::VideoSubtitleHref).only_with("rel", CAPTIONS),
        DialectRow::attr("transcript", "type", Field::VideoSubtitleType).only_with("rel", CAPTIONS),
        DialectRow::attr("transcript", "language", Field::VideoSubtitleLang).only_with("rel", CAPTIONS),
        DialectRow::attr("transcript", "url", Field::VideoSubtitleHref).only("type", TIMED),
        DialectRow::attr("transcript", "type", Field::VideoSubtitleType).only("type", TIMED),
        DialectRow::attr("transcript", "language", Field::VideoSubtitleLang).only("type", TIMED),
        DialectRow::text("person", Field::VideoCreditName),
        DialectRow::attr("person", "role", Field::VideoCreditRole),
        DialectRow::text("license", Field::VideoLicenseText),
        DialectRow::attr("license", "url", Field::VideoLicenseHref),
        DialectRow::text("location", Field::VideoLocationDescription),
        DialectRow::attr("location", "geo", Field::VideoLocationPoint).with_form(ValueForm::Geo),
        DialectRow::text("season", Field::VideoTvSeason),
        DialectRow::text("episode", Field::VideoTvEpisode).with_form(ValueForm::Whole),
        DialectRow::attr("chapters", "chapter@start", Field::VideoSceneStart),
        DialectRow::attr("chapters", "chapter@title", Field::VideoSceneTitle),
        DialectRow::attr("liveItem", "status", Field::VideoLive).with_form(LIVE),
    ],
    known: &["guid", "medium", "chapters", "transcript"],
    ..PLAIN
};

/// An image of the video itself, rather than artwork of the episode.
const POSTER: &[&str] = &["poster"];

/// Transcripts that can be shown with the video. Others are texts to be read.
const TIMED: &[&str] = &["text/vtt", "application/x-subrip", "application/srt", "text/srt", "application/ttml+xml"];

/// A transcript with times, whatever its type is.
const CAPTIONS: &[&str] = &["captions"];

/// A stream that is to begin, or has ended, is not live (A2.5).
const LIVE: ValueForm = ValueForm::OnlyWords(&[("live", "yes")]);

/// Checksums, rather than signatures.
const SRI: &[&str] = &["sri"];

/// The file is the episode itself in another format.
const SAME: &[&str] = &["", "default"];
