//! The fate of every field in JSON-LD. The writer settles values that use the property of another field, like the title
//! of a page as the name of its video.

use crate::fate::Fate;
use crate::model::Field;
use crate::reason::Reason;

/// The fate table of `jsonld`.
#[deny(clippy::wildcard_enum_match_arm)]
pub fn fate(field: Field) -> Fate {
    match field {
        Field::Loc => Fate::Native("mainEntityOfPage"),
        Field::Id => Fate::Native("identifier"),
        Field::Published => Fate::Native("datePublished"),
        Field::Updated => Fate::Native("dateModified"),
        Field::Created => Fate::Native("dateCreated"),
        Field::AuthorName => Fate::Native("author/name"),
        Field::AuthorEmail => Fate::Native("author/email"),
        Field::AuthorUri => Fate::Native("author/url"),
        Field::ContributorName => Fate::Native("contributor/name"),
        Field::ContributorEmail => Fate::Native("contributor/email"),
        Field::ContributorUri => Fate::Native("contributor/url"),
        Field::Publisher => Fate::Native("publisher/name"),
        Field::CategoryTerm => Fate::Native("genre"),
        Field::CategoryLabel => Fate::Native("genre"),
        Field::ImageLoc => Fate::Native("image"),
        Field::Language => Fate::Near("inLanguage", Reason::UsedForVideo),
        Field::Rights => Fate::Near("copyrightNotice", Reason::UsedForVideo),
        Field::License => Fate::Near("license", Reason::UsedForVideo),
        Field::Expires => Fate::Near("expires", Reason::UsedForVideo),
        Field::LocationPoint => Fate::Near("contentLocation/geo", Reason::UsedForVideo),
        Field::LocationName => Fate::Near("contentLocation/name", Reason::UsedForVideo),
        Field::FeedExplicit => Fate::Near("isFamilyFriendly", Reason::OtherElement),
        Field::Comments => Fate::Native("discussionUrl"),
        Field::CommentCount => Fate::Native("commentCount"),
        Field::TextLang => Fate::Native("@language"),
        Field::VideoTitle => Fate::Native("name"),
        Field::VideoDescription => Fate::Native("description"),
        Field::VideoThumbnailUrl => Fate::Native("thumbnailUrl"),
        Field::VideoThumbnailWidth => Fate::Native("thumbnail/width"),
        Field::VideoThumbnailHeight => Fate::Native("thumbnail/height"),
        Field::VideoPlayerUrl => Fate::Native("embedUrl"),
        Field::VideoFileUrl => Fate::Native("contentUrl"),
        Field::VideoFileType => Fate::Native("encodingFormat"),
        Field::VideoFileWidth => Fate::Native("width"),
        Field::VideoFileHeight => Fate::Native("height"),
        Field::VideoFileBitrate => Fate::Native("bitrate"),
        Field::VideoFileSize => Fate::Native("contentSize"),
        Field::VideoFileLang => Fate::Native("inLanguage"),
        Field::VideoFileDuration => Fate::Native("duration"),
        Field::VideoDuration => Fate::Native("duration"),
        Field::VideoPublished => Fate::Native("uploadDate"),
        Field::VideoAvailableEnd => Fate::Native("expires"),
        Field::VideoRatingAverage => Fate::Native("aggregateRating/ratingValue"),
        Field::VideoRatingCount => Fate::Native("aggregateRating/ratingCount"),
        Field::VideoRatingMin => Fate::Native("aggregateRating/worstRating"),
        Field::VideoRatingMax => Fate::Native("aggregateRating/bestRating"),
        Field::VideoRatingsValue => Fate::Native("contentRating"),
        Field::VideoRatingsScheme => Fate::Native("contentRating"),
        Field::VideoViews => Fate::Native("interactionStatistic/userInteractionCount"),
        Field::VideoFavorites => Fate::Near("interactionStatistic/userInteractionCount", Reason::UsedAsLikes),
        Field::VideoFamilyFriendly => Fate::Native("isFamilyFriendly"),
        Field::VideoAdult => Fate::Near("isFamilyFriendly", Reason::UsualTerm),
        Field::VideoRestrictionRelationship => Fate::Native("regionsAllowed"),
        Field::VideoRestrictionCountry => Fate::Native("regionsAllowed"),
        Field::VideoPriceAmount => Fate::Native("offers/price"),
        Field::VideoPriceCurrency => Fate::Native("offers/priceCurrency"),
        Field::VideoPriceType => Fate::Native("offers/businessFunction"),
        Field::VideoPriceInfo => Fate::Native("offers/url"),
        Field::VideoRequiresSubscription => Fate::Native("requiresSubscription"),
        Field::VideoUploaderName => Fate::Native("creator/name"),
        Field::VideoUploaderUri => Fate::Native("creator/url"),
        Field::VideoCreditName => Fate::Native("actor/name"),
        Field::VideoLive => Fate::Native("publication/isLiveBroadcast"),
        Field::VideoTag => Fate::Native("keywords"),
        Field::VideoCategoryTerm => Fate::Native("genre"),
        Field::VideoCategoryLabel => Fate::Native("genre"),
        Field::VideoCopyrightText => Fate::Native("copyrightNotice"),
        Field::VideoCopyrightUrl => Fate::Native("usageInfo"),
        Field::VideoLicenseText => Fate::Native("license"),
        Field::VideoLicenseHref => Fate::Native("license"),
        Field::VideoFileCodecs => Fate::Near("encodingFormat", Reason::OtherElement),
        Field::VideoHashValue => Fate::Native("sha256"),
        Field::VideoHashAlgo => Fate::Native("sha256"),
        Field::VideoTextValue => Fate::Native("transcript"),
        Field::VideoSubtitleHref => Fate::Native("caption/contentUrl"),
        Field::VideoSubtitleLang => Fate::Native("caption/inLanguage"),
        Field::VideoSubtitleType => Fate::Native("caption/encodingFormat"),
        Field::VideoComment => Fate::Native("comment/text"),
        Field::VideoEmbedUrl => Fate::Near("embedUrl", Reason::UsedForVideo),
        Field::VideoSceneTitle => Fate::Native("hasPart/name"),
        Field::VideoSceneDescription => Fate::Native("hasPart/description"),
        Field::VideoSceneStart => Fate::Native("hasPart/startOffset"),
        Field::VideoSceneEnd => Fate::Native("hasPart/endOffset"),
        Field::VideoLocationDescription => Fate::Native("contentLocation/name"),
        Field::VideoLocationPoint => Fate::Native("contentLocation/geo"),
        Field::VideoGalleryUrl => Fate::Native("isPartOf/url"),
        Field::VideoGalleryTitle => Fate::Native("isPartOf/name"),
        Field::VideoTvShowTitle => Fate::Native("partOfSeries/name"),
        Field::VideoTvSeason => Fate::Native("partOfSeason/seasonNumber"),
        Field::VideoTvEpisode => Fate::Native("episodeNumber"),
        Field::VideoId => Fate::Native("identifier/value"),
        Field::VideoIdsValue => Fate::Native("identifier/value"),
        Field::VideoIdsType => Fate::Native("identifier/propertyID"),
        Field::VideoStatusState => Fate::Native("creativeWorkStatus"),
        Field::VideoPeerLinkHref => Fate::Native("encoding/contentUrl"),
        Field::VideoPeerLinkType => Fate::Native("encoding/encodingFormat"),
        Field::VideoSegmentUrl => Fate::Native("hasPart/contentUrl"),
        Field::VideoSegmentDuration => Fate::Native("hasPart/duration"),
        Field::Foreign | Field::FeedForeign => Fate::Lost(Reason::UnknownMarkup),
        Field::CategoryScheme | Field::VideoCategoryScheme => Fate::Lost(Reason::JsonLdScheme),
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
        | Field::FeedFlag
        | Field::FeedModule
        | Field::IdIsPermalink
        | Field::Title
        | Field::Summary
        | Field::Content
        | Field::ContentSrc
        | Field::ContentType
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
        | Field::ImageCaption
        | Field::ImageTitle
        | Field::ImageGeoLocation
        | Field::ImageLicense
        | Field::NewsName
        | Field::NewsLanguage
        | Field::NewsPublished
        | Field::NewsTitle
        | Field::NewsAccess
        | Field::NewsGenres
        | Field::NewsKeywords
        | Field::NewsStockTickers
        | Field::AlternateHref
        | Field::AlternateHreflang
        | Field::AlternateType
        | Field::AlternateTitle
        | Field::AlternateLength
        | Field::Changefreq
        | Field::Priority
        | Field::Base
        | Field::CommentFeed
        | Field::InReplyToRef
        | Field::InReplyToHref
        | Field::InReplyToType
        | Field::InReplyToSource
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
        | Field::SourceBase
        | Field::LocationShape
        | Field::Mobile
        | Field::PageMapTemplate
        | Field::PageMapType
        | Field::PageMapId
        | Field::PageMapAttributeName
        | Field::PageMapAttributeValue
        | Field::Module
        | Field::TextBase
        | Field::VideoThumbnailTime
        | Field::VideoPlayerWidth
        | Field::VideoPlayerHeight
        | Field::VideoFileMedium
        | Field::VideoFileFramerate
        | Field::VideoFileSamplingrate
        | Field::VideoFileChannels
        | Field::VideoFileIsDefault
        | Field::VideoFileExpression
        | Field::VideoFileTitle
        | Field::VideoAvailableStart
        | Field::VideoAvailableName
        | Field::VideoPlatformRelationship
        | Field::VideoPlatform
        | Field::VideoUriRestrictionRelationship
        | Field::VideoUriRestriction
        | Field::VideoSharing
        | Field::VideoAllowEmbed
        | Field::VideoAutoplay
        | Field::VideoPriceResolution
        | Field::VideoCreditRole
        | Field::VideoCreditScheme
        | Field::VideoTagWeightTag
        | Field::VideoTagWeightWeight
        | Field::VideoLicenseType
        | Field::VideoTextLang
        | Field::VideoTextStart
        | Field::VideoTextEnd
        | Field::VideoEmbedWidth
        | Field::VideoEmbedHeight
        | Field::VideoEmbedParamName
        | Field::VideoEmbedParamValue
        | Field::VideoStatusReason
        | Field::VideoRightsStatus
        | Field::VideoLocationStart
        | Field::VideoLocationEnd
        | Field::VideoResponse
        | Field::VideoBackLink
        | Field::VideoTvType
        | Field::VideoTvEpisodeTitle
        | Field::VideoTvPremiere => Fate::Lost(Reason::JsonLdElement),
    }
}
