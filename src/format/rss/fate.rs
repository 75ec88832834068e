//! The fate of every field in RSS 2.0, without and with Media RSS. Within their own family, values from modules go back
//! to them even if this table has another fate.

use crate::fate::Fate;
use crate::format::ns::media;
use crate::model::{Field, ModelPart};
use crate::reason::Reason;

/// The fate table of `rss`.
#[deny(clippy::wildcard_enum_match_arm)]
pub fn fate(field: Field) -> Fate {
    use Fate::{Lost, Native, Near};
    match field {
        Field::FeedId => Native("atom:id"),
        Field::FeedTitle => Native("title"),
        Field::FeedSubtitle => Native("description"),
        Field::FeedHome => Native("link"),
        Field::FeedSelf | Field::FeedLinkHref | Field::LinkHref | Field::AlternateHref => Native("atom:link@href"),
        Field::FeedLinkRel | Field::LinkRel => Native("atom:link@rel"),
        Field::FeedLinkType | Field::LinkType | Field::AlternateType => Native("atom:link@type"),
        Field::FeedLinkHreflang | Field::LinkHreflang | Field::AlternateHreflang => Native("atom:link@hreflang"),
        Field::FeedLinkTitle | Field::LinkTitle | Field::AlternateTitle => Native("atom:link@title"),
        Field::FeedLinkLength | Field::LinkLength | Field::AlternateLength => Native("atom:link@length"),
        Field::LinkMedia => Lost(Reason::RssElement),
        Field::FeedLanguage => Native("language"),
        Field::FeedBase => Native("rss@xml:base"),
        Field::FeedRights => Native("copyright"),
        Field::FeedAuthorName | Field::FeedAuthorEmail => Native("managingEditor"),
        Field::FeedContributorName | Field::ContributorName => Native("dc:contributor"),
        Field::FeedAuthorUri
        | Field::FeedContributorEmail
        | Field::FeedContributorUri
        | Field::AuthorUri
        | Field::ContributorEmail
        | Field::ContributorUri => Lost(Reason::RssAttribute),
        Field::FeedWebMasterName | Field::FeedWebMasterEmail => Native("webMaster"),
        Field::FeedOwnerName | Field::FeedOwnerEmail | Field::FeedExplicit | Field::FeedFlag => {
            Lost(Reason::RssElement)
        }
        Field::FeedPublisher | Field::Publisher => Native("dc:publisher"),
        Field::FeedDocs => Native("docs"),
        Field::FeedCategoryTerm | Field::CategoryTerm => Native("category"),
        Field::FeedCategoryScheme | Field::CategoryScheme => Native("category@domain"),
        Field::FeedCategoryLabel | Field::CategoryLabel => Lost(Reason::NoLabel),
        Field::FeedGeneratorName => Native("generator"),
        Field::FeedGeneratorUri | Field::FeedGeneratorVersion => Near("generator", Reason::RssGenerator),
        Field::FeedPublished | Field::Published => Native("pubDate"),
        Field::FeedUpdated => Native("lastBuildDate"),
        Field::FeedImageUrl => Native("image/url"),
        Field::FeedImageTitle => Native("image/title"),
        Field::FeedImageLink => Native("image/link"),
        Field::FeedImageWidth => Native("image/width"),
        Field::FeedImageHeight => Native("image/height"),
        Field::FeedImageDescription => Native("image/description"),
        Field::FeedIcon => Lost(Reason::RssElement),
        Field::FeedTtl => Native("ttl"),
        Field::FeedSkipHour => Native("skipHours/hour"),
        Field::FeedSkipDay => Native("skipDays/day"),
        Field::FeedCloudDomain => Native("cloud@domain"),
        Field::FeedCloudPort => Native("cloud@port"),
        Field::FeedCloudPath => Native("cloud@path"),
        Field::FeedCloudProcedure => Native("cloud@registerProcedure"),
        Field::FeedCloudProtocol => Native("cloud@protocol"),
        Field::FeedTextInputTitle => Native("textInput/title"),
        Field::FeedTextInputDescription => Native("textInput/description"),
        Field::FeedTextInputName => Native("textInput/name"),
        Field::FeedTextInputLink => Native("textInput/link"),
        Field::FeedPicsRating => Native("rating"),
        Field::FeedUpdatePeriod => Native("sy:updatePeriod"),
        Field::FeedUpdateFrequency => Native("sy:updateFrequency"),
        Field::FeedUpdateBase => Native("sy:updateBase"),
        Field::FeedModule | Field::Module => Lost(Reason::ModuleElement),
        Field::FeedForeign | Field::Foreign => Lost(Reason::UnknownMarkup),

        Field::Loc => Native("link"),
        Field::Id => Native("guid"),
        Field::IdIsPermalink => Native("guid@isPermaLink"),
        Field::Title => Native("title"),
        Field::Summary => Native("description"),
        Field::Content => Native("content:encoded"),
        Field::ContentSrc => Near("atom:link@href", Reason::OtherElement),
        Field::ContentType => Lost(Reason::RssElement),
        Field::Updated => Native("atom:updated"),
        Field::Created => Native("dcterms:created"),
        Field::Expires | Field::Changefreq | Field::Priority | Field::Mobile => Lost(Reason::RssElement),
        Field::PageMapTemplate
        | Field::PageMapType
        | Field::PageMapId
        | Field::PageMapAttributeName
        | Field::PageMapAttributeValue => Lost(Reason::RssElement),
        Field::AuthorName => Native("dc:creator"),
        Field::AuthorEmail => Native("author"),
        Field::EnclosureUrl => Native("enclosure@url"),
        Field::EnclosureType => Native("enclosure@type"),
        Field::EnclosureLength => Native("enclosure@length"),
        Field::EnclosureTitle | Field::EnclosureLang => Lost(Reason::RssAttribute),
        Field::ImageLoc => Near("enclosure@url", Reason::UsedAsEnclosure),
        Field::ImageCaption | Field::ImageTitle | Field::ImageGeoLocation | Field::ImageLicense => {
            Lost(Reason::RssAttribute)
        }
        Field::NewsTitle | Field::NewsPublished => Lost(Reason::ItemValue),
        Field::NewsKeywords => Near("category", Reason::UsedAsCategory),
        Field::NewsName | Field::NewsLanguage | Field::NewsAccess | Field::NewsGenres | Field::NewsStockTickers => {
            Lost(Reason::RssElement)
        }
        Field::Language => Native("dc:language"),
        Field::Base => Native("item@xml:base"),
        Field::Rights => Native("dc:rights"),
        Field::License => Native("creativeCommons:license"),
        Field::Comments => Native("comments"),
        Field::CommentCount => Native("slash:comments"),
        Field::CommentFeed => Native("wfw:commentRss"),
        Field::InReplyToRef => Native("thr:in-reply-to@ref"),
        Field::InReplyToHref => Native("thr:in-reply-to@href"),
        Field::InReplyToType => Native("thr:in-reply-to@type"),
        Field::InReplyToSource => Native("thr:in-reply-to@source"),
        Field::SourceTitle => Native("source"),
        Field::SourceSelf => Native("source@url"),
        Field::SourceId
        | Field::SourceSubtitle
        | Field::SourceHome
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
        | Field::SourceBase => Lost(Reason::RssAttribute),
        Field::LocationPoint => Native("georss:point"),
        Field::LocationShape => Native("georss:line"),
        Field::LocationName => Native("georss:featurename"),
        Field::TextLang => Native("@xml:lang"),
        Field::TextBase => Native("@xml:base"),

        Field::VideoFileUrl => Native("enclosure@url"),
        Field::VideoFileType => Native("enclosure@type"),
        Field::VideoFileSize => Native("enclosure@length"),
        Field::VideoTitle => Near("title", Reason::UsedForEntry),
        Field::VideoDescription => Near("description", Reason::UsedForEntry),
        Field::VideoPublished => Near("pubDate", Reason::UsedForEntry),
        Field::VideoUploaderName => Near("dc:creator", Reason::UsedAsAuthor),
        Field::VideoTag | Field::VideoCategoryTerm => Near("category", Reason::UsedAsCategory),
        Field::VideoCategoryScheme => Near("category@domain", Reason::UsedAsCategory),
        Field::VideoCategoryLabel => Lost(Reason::NoLabel),
        Field::VideoCopyrightText => Near("dc:rights", Reason::UsedForEntry),
        Field::VideoLocationPoint => Near("georss:point", Reason::UsedForEntry),
        Field::VideoLocationDescription => Near("georss:featurename", Reason::UsedForEntry),
        Field::VideoLicenseHref => Near("creativeCommons:license", Reason::UsedForEntry),
        Field::VideoThumbnailUrl
        | Field::VideoThumbnailWidth
        | Field::VideoThumbnailHeight
        | Field::VideoThumbnailTime => Lost(Reason::RssThumbnail),
        Field::VideoId
        | Field::VideoPlayerUrl
        | Field::VideoPlayerWidth
        | Field::VideoPlayerHeight
        | Field::VideoFileCodecs
        | Field::VideoFileMedium
        | Field::VideoFileWidth
        | Field::VideoFileHeight
        | Field::VideoFileBitrate
        | Field::VideoFileFramerate
        | Field::VideoFileSamplingrate
        | Field::VideoFileChannels
        | Field::VideoFileLang
        | Field::VideoFileDuration
        | Field::VideoFileIsDefault
        | Field::VideoFileExpression
        | Field::VideoFileTitle
        | Field::VideoDuration
        | Field::VideoAvailableStart
        | Field::VideoAvailableEnd
        | Field::VideoAvailableName
        | Field::VideoRatingAverage
        | Field::VideoRatingCount
        | Field::VideoRatingMin
        | Field::VideoRatingMax
        | Field::VideoRatingsValue
        | Field::VideoRatingsScheme
        | Field::VideoAdult
        | Field::VideoViews
        | Field::VideoFavorites
        | Field::VideoFamilyFriendly
        | Field::VideoRestrictionRelationship
        | Field::VideoRestrictionCountry
        | Field::VideoPlatformRelationship
        | Field::VideoPlatform
        | Field::VideoUriRestrictionRelationship
        | Field::VideoUriRestriction
        | Field::VideoSharing
        | Field::VideoAllowEmbed
        | Field::VideoAutoplay
        | Field::VideoPriceAmount
        | Field::VideoPriceCurrency
        | Field::VideoPriceType
        | Field::VideoPriceResolution
        | Field::VideoPriceInfo
        | Field::VideoRequiresSubscription
        | Field::VideoUploaderUri
        | Field::VideoCreditName
        | Field::VideoCreditRole
        | Field::VideoCreditScheme
        | Field::VideoLive
        | Field::VideoTagWeightTag
        | Field::VideoTagWeightWeight
        | Field::VideoCopyrightUrl
        | Field::VideoLicenseText
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
        | Field::VideoLocationStart
        | Field::VideoLocationEnd
        | Field::VideoPeerLinkHref
        | Field::VideoPeerLinkType
        | Field::VideoComment
        | Field::VideoResponse
        | Field::VideoBackLink => Lost(Reason::RssVideo),
        Field::VideoTvShowTitle
        | Field::VideoTvType
        | Field::VideoTvEpisodeTitle
        | Field::VideoTvSeason
        | Field::VideoTvEpisode
        | Field::VideoTvPremiere
        | Field::VideoIdsValue
        | Field::VideoIdsType
        | Field::VideoGalleryUrl
        | Field::VideoGalleryTitle
        | Field::VideoSegmentUrl
        | Field::VideoSegmentDuration => Lost(Reason::RssElement),
    }
}

/// The fate table of `mrss`: that of RSS for the page, that of Media RSS for its videos and images.
pub fn fate_media(field: Field) -> Fate {
    match field {
        Field::VideoPublished => Fate::Native("pubDate"),
        field if field.group() == ModelPart::Video => media::video_fate(field),
        Field::ImageLoc => Fate::Native("media:content@url"),
        Field::ImageTitle => Fate::Native("media:title"),
        Field::ImageCaption => Fate::Native("media:description"),
        Field::ImageLicense => Fate::Native("media:license@href"),
        Field::ImageGeoLocation => Fate::Near("media:location@description", Reason::OtherElement),
        field => fate(field),
    }
}
