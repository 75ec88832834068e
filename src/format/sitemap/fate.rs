//! The fate of every field in XML sitemaps. The writer settles values that use the element of another field, like a
//! page title as the video's.

use crate::fate::Fate;
use crate::model::Field;
use crate::reason::Reason;

/// The fate table of `sitemap`.
pub fn sitemap(field: Field) -> Fate {
    fate(field, false)
}

/// The fate table of `video-sitemap`.
pub fn video_sitemap(field: Field) -> Fate {
    fate(field, true)
}

/// The fate table of `video-sitemap` without the elements that Google retired (2022).
pub fn current_video_sitemap(field: Field) -> Fate {
    match fate(field, true) {
        Fate::Native(name) | Fate::Near(name, ..) if RETIRED.iter().any(|retired| is_or_below(name, retired)) => {
            Fate::Lost(Reason::RetiredElement)
        }
        fate => fate,
    }
}

/// What Google took out of its documentation of video sitemaps in 2022.
const RETIRED: [&str; 6] = [
    "video:category",
    "video:gallery_loc",
    "video:price",
    "video:tvshow",
    "video:player_loc@allow_embed",
    "video:player_loc@autoplay",
];

/// Whether an element or attribute is this one, or one of it.
fn is_or_below(name: &str, of: &str) -> bool {
    name.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with(['@', '/']))
}

/// The fate table of both sitemaps where they are for Yandex, which knows the core elements only and no videos.
pub fn yandex(field: Field) -> Fate {
    match fate(field, true) {
        Fate::Lost(_) => fate(field, false),
        Fate::Native(name) | Fate::Near(name, ..) if !["loc", "lastmod", "changefreq", "priority"].contains(&name) => {
            Fate::Lost(Reason::YandexElement)
        }
        fate => fate,
    }
}

const NO_VIDEO: Fate = Fate::Lost(Reason::SitemapVideo);

#[deny(clippy::wildcard_enum_match_arm)]
fn fate(field: Field, video: bool) -> Fate {
    let no_element = Fate::Lost(if video { Reason::VideoSitemapElement } else { Reason::SitemapElement });
    let video_element = |name| if video { Fate::Native(name) } else { NO_VIDEO };
    match field {
        Field::Loc => Fate::Native("loc"),
        Field::Updated => Fate::Native("lastmod"),
        Field::Changefreq => Fate::Native("changefreq"),
        Field::Priority => Fate::Native("priority"),
        Field::Expires => Fate::Native("expires"),
        Field::AlternateHref => Fate::Native("xhtml:link@href"),
        Field::AlternateHreflang => Fate::Native("xhtml:link@hreflang"),
        Field::AlternateType => Fate::Native("xhtml:link@type"),
        Field::AlternateTitle => Fate::Native("xhtml:link@title"),
        Field::Mobile => Fate::Native("mobile:mobile"),
        Field::PageMapTemplate => Fate::Native("pagemap:Template@src"),
        Field::PageMapType => Fate::Native("pagemap:DataObject@type"),
        Field::PageMapId => Fate::Native("pagemap:DataObject@id"),
        Field::PageMapAttributeName => Fate::Native("pagemap:Attribute@name"),
        Field::PageMapAttributeValue => Fate::Native("pagemap:Attribute@value"),
        Field::ImageLoc => Fate::Native("image:loc"),
        Field::ImageCaption => Fate::Native("image:caption"),
        Field::ImageTitle => Fate::Native("image:title"),
        Field::ImageGeoLocation => Fate::Native("image:geo_location"),
        Field::ImageLicense => Fate::Native("image:license"),
        Field::NewsName => Fate::Native("news:name"),
        Field::NewsLanguage => Fate::Native("news:language"),
        Field::NewsPublished => Fate::Native("news:publication_date"),
        Field::NewsTitle => Fate::Native("news:title"),
        Field::NewsAccess => Fate::Native("news:access"),
        Field::NewsGenres => Fate::Native("news:genres"),
        Field::NewsKeywords => Fate::Native("news:keywords"),
        Field::NewsStockTickers => Fate::Native("news:stock_tickers"),
        Field::VideoTitle => video_element("video:title"),
        Field::VideoDescription => video_element("video:description"),
        Field::VideoThumbnailUrl
        | Field::VideoThumbnailWidth
        | Field::VideoThumbnailHeight
        | Field::VideoThumbnailTime
            if !video =>
        {
            Fate::Lost(Reason::SitemapThumbnail)
        }
        Field::VideoThumbnailUrl => video_element("video:thumbnail_loc"),
        Field::VideoPlayerUrl => video_element("video:player_loc"),
        Field::VideoFileUrl => video_element("video:content_loc"),
        Field::VideoDuration => video_element("video:duration"),
        Field::VideoFileDuration => video_element("video:duration"),
        Field::VideoPublished => video_element("video:publication_date"),
        Field::VideoAvailableEnd => video_element("video:expiration_date"),
        // the end of the same leaf may be written
        Field::VideoAvailableStart | Field::VideoAvailableName if video => no_element,
        Field::VideoRatingAverage => video_element("video:rating"),
        Field::VideoViews => video_element("video:view_count"),
        Field::VideoFamilyFriendly => video_element("video:family_friendly"),
        Field::VideoRestrictionRelationship => video_element("video:restriction@relationship"),
        Field::VideoRestrictionCountry => video_element("video:restriction"),
        Field::VideoPlatformRelationship => video_element("video:platform@relationship"),
        Field::VideoPlatform => video_element("video:platform"),
        Field::VideoAllowEmbed => video_element("video:player_loc@allow_embed"),
        Field::VideoAutoplay => video_element("video:player_loc@autoplay"),
        Field::VideoPriceAmount => video_element("video:price"),
        Field::VideoPriceCurrency => video_element("video:price@currency"),
        Field::VideoPriceType => video_element("video:price@type"),
        Field::VideoPriceResolution => video_element("video:price@resolution"),
        Field::VideoRequiresSubscription => video_element("video:requires_subscription"),
        Field::VideoUploaderName => video_element("video:uploader"),
        Field::VideoUploaderUri => video_element("video:uploader@info"),
        Field::VideoLive => video_element("video:live"),
        Field::VideoTag => video_element("video:tag"),
        Field::VideoCategoryTerm => video_element("video:category"),
        Field::VideoTvShowTitle => video_element("video:tvshow/video:show_title"),
        Field::VideoTvType => video_element("video:tvshow/video:video_type"),
        Field::VideoTvEpisodeTitle => video_element("video:tvshow/video:episode_title"),
        Field::VideoTvSeason => video_element("video:tvshow/video:season_number"),
        Field::VideoTvEpisode => video_element("video:tvshow/video:episode_number"),
        Field::VideoTvPremiere => video_element("video:tvshow/video:premier_date"),
        Field::VideoIdsValue => video_element("video:id"),
        Field::VideoIdsType => video_element("video:id@type"),
        Field::VideoGalleryUrl => video_element("video:gallery_loc"),
        Field::VideoGalleryTitle => video_element("video:gallery_loc@title"),
        Field::VideoSegmentUrl => video_element("video:content_segment_loc"),
        Field::VideoSegmentDuration => video_element("video:content_segment_loc@duration"),
        Field::CategoryScheme | Field::VideoCategoryScheme if video => Fate::Lost(Reason::CategoryScheme),
        Field::VideoCategoryScheme => NO_VIDEO,
        Field::CategoryScheme => no_element,
        Field::TextLang | Field::TextBase => Fate::Lost(Reason::SitemapAttribute),
        Field::Foreign | Field::FeedForeign => Fate::Lost(Reason::UnknownMarkup),
        Field::VideoId
        | Field::VideoThumbnailWidth
        | Field::VideoThumbnailHeight
        | Field::VideoThumbnailTime
        | Field::VideoPlayerWidth
        | Field::VideoPlayerHeight
        | Field::VideoFileType
        | Field::VideoFileCodecs
        | Field::VideoFileMedium
        | Field::VideoFileWidth
        | Field::VideoFileHeight
        | Field::VideoFileBitrate
        | Field::VideoFileFramerate
        | Field::VideoFileSamplingrate
        | Field::VideoFileChannels
        | Field::VideoFileSize
        | Field::VideoFileLang
        | Field::VideoFileIsDefault
        | Field::VideoFileExpression
        | Field::VideoFileTitle
        | Field::VideoAvailableStart
        | Field::VideoAvailableName
        | Field::VideoRatingCount
        | Field::VideoRatingMin
        | Field::VideoRatingMax
        | Field::VideoRatingsValue
        | Field::VideoRatingsScheme
        | Field::VideoAdult
        | Field::VideoFavorites
        | Field::VideoUriRestrictionRelationship
        | Field::VideoUriRestriction
        | Field::VideoSharing
        | Field::VideoPriceInfo
        | Field::VideoCreditName
        | Field::VideoCreditRole
        | Field::VideoCreditScheme
        | Field::VideoTagWeightTag
        | Field::VideoTagWeightWeight
        | Field::VideoCategoryLabel
        | Field::VideoCopyrightText
        | Field::VideoCopyrightUrl
        | Field::VideoLicenseText
        | Field::VideoLicenseHref
        | Field::VideoLicenseType
        | Field::VideoHashValue
        | Field::VideoHashAlgo
        | Field::VideoTextValue
        | Field::VideoTextLang
        | Field::VideoTextStart
        | Field::VideoTextEnd
        | Field::VideoSubtitleHref
        | Field::VideoSubtitleLang
        | Field::VideoSubtitleType
        | Field::VideoEmbedUrl
        | Field::VideoEmbedWidth
        | Field::VideoEmbedHeight
        | Field::VideoEmbedParamName
        | Field::VideoEmbedParamValue
        | Field::VideoStatusState
        | Field::VideoStatusReason
        | Field::VideoRightsStatus
        | Field::VideoSceneTitle
        | Field::VideoSceneDescription
        | Field::VideoSceneStart
        | Field::VideoSceneEnd
        | Field::VideoLocationDescription
        | Field::VideoLocationStart
        | Field::VideoLocationEnd
        | Field::VideoLocationPoint
        | Field::VideoPeerLinkHref
        | Field::VideoPeerLinkType
        | Field::VideoComment
        | Field::VideoResponse
        | Field::VideoBackLink => {
            if video {
                no_element
            } else {
                NO_VIDEO
            }
        }
        Field::FeedId
        | Field::FeedTitle
        | Field::FeedSubtitle
        | Field::FeedHome
        | Field::FeedSelf
        | Field::FeedLinkHref
        | Field::FeedLinkRel
        | Field::FeedLinkType
        | Field::FeedLinkHreflang
        | Field::FeedLinkTitle
        | Field::FeedLinkLength
        | Field::FeedLanguage
        | Field::FeedBase
        | Field::FeedRights
        | Field::FeedAuthorName
        | Field::FeedAuthorEmail
        | Field::FeedAuthorUri
        | Field::FeedContributorName
        | Field::FeedContributorEmail
        | Field::FeedContributorUri
        | Field::FeedWebMasterName
        | Field::FeedWebMasterEmail
        | Field::FeedOwnerName
        | Field::FeedOwnerEmail
        | Field::FeedPublisher
        | Field::FeedDocs
        | Field::FeedCategoryTerm
        | Field::FeedCategoryScheme
        | Field::FeedCategoryLabel
        | Field::FeedGeneratorName
        | Field::FeedGeneratorUri
        | Field::FeedGeneratorVersion
        | Field::FeedPublished
        | Field::FeedUpdated
        | Field::FeedImageUrl
        | Field::FeedImageTitle
        | Field::FeedImageLink
        | Field::FeedImageWidth
        | Field::FeedImageHeight
        | Field::FeedImageDescription
        | Field::FeedIcon
        | Field::FeedTtl
        | Field::FeedSkipHour
        | Field::FeedSkipDay
        | Field::FeedCloudDomain
        | Field::FeedCloudPort
        | Field::FeedCloudPath
        | Field::FeedCloudProcedure
        | Field::FeedCloudProtocol
        | Field::FeedTextInputTitle
        | Field::FeedTextInputDescription
        | Field::FeedTextInputName
        | Field::FeedTextInputLink
        | Field::FeedPicsRating
        | Field::FeedUpdatePeriod
        | Field::FeedUpdateFrequency
        | Field::FeedUpdateBase
        | Field::FeedExplicit
        | Field::FeedFlag
        | Field::FeedModule => no_element,
        Field::Id
        | Field::IdIsPermalink
        | Field::Title
        | Field::Summary
        | Field::Content
        | Field::ContentSrc
        | Field::ContentType
        | Field::Published
        | Field::Created
        | Field::AuthorName
        | Field::AuthorEmail
        | Field::AuthorUri
        | Field::ContributorName
        | Field::ContributorEmail
        | Field::ContributorUri
        | Field::Publisher
        | Field::CategoryTerm
        | Field::CategoryLabel
        | Field::LinkHref
        | Field::LinkRel
        | Field::LinkType
        | Field::LinkHreflang
        | Field::LinkTitle
        | Field::LinkLength
        | Field::LinkMedia
        | Field::EnclosureUrl
        | Field::EnclosureType
        | Field::EnclosureLength
        | Field::EnclosureTitle
        | Field::EnclosureLang
        | Field::AlternateLength
        | Field::Language
        | Field::Base
        | Field::Rights
        | Field::License
        | Field::Comments
        | Field::CommentCount
        | Field::CommentFeed
        | Field::InReplyToRef
        | Field::InReplyToHref
        | Field::InReplyToType
        | Field::InReplyToSource
        | Field::LocationPoint
        | Field::LocationShape
        | Field::LocationName
        | Field::Module
        | Field::SourceId
        | Field::SourceTitle
        | Field::SourceSubtitle
        | Field::SourceHome
        | Field::SourceSelf
        | Field::SourceLinkHref
        | Field::SourceLinkRel
        | Field::SourceLinkType
        | Field::SourceLinkHreflang
        | Field::SourceLinkTitle
        | Field::SourceLinkLength
        | Field::SourceUpdated
        | Field::SourceRights
        | Field::SourceAuthorName
        | Field::SourceAuthorEmail
        | Field::SourceAuthorUri
        | Field::SourceContributorName
        | Field::SourceContributorEmail
        | Field::SourceContributorUri
        | Field::SourceCategoryTerm
        | Field::SourceCategoryScheme
        | Field::SourceCategoryLabel
        | Field::SourceGeneratorName
        | Field::SourceGeneratorUri
        | Field::SourceGeneratorVersion
        | Field::SourceIcon
        | Field::SourceImageUrl
        | Field::SourceLanguage
        | Field::SourceBase => no_element,
    }
}
