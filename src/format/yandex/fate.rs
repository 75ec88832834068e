//! The fate of every field in descriptions for Yandex. The writer settles values that use the element of another field,
//! like the title of a page as that of its video.

use crate::fate::Fate;
use crate::model::Field;
use crate::reason::Reason;

/// The fate table of `yandex-video`.
#[deny(clippy::wildcard_enum_match_arm)]
pub fn fate(field: Field) -> Fate {
    match field {
        Field::Loc => Fate::Native("ovs:url"),
        Field::CommentCount => Fate::Native("ovs:comments"),
        Field::VideoId => Fate::Native("ovs:content_id"),
        Field::VideoTitle => Fate::Native("ovs:title"),
        Field::VideoDescription => Fate::Native("ovs:description"),
        Field::VideoThumbnailUrl => Fate::Native("ovs:thumbnail"),
        Field::VideoPublished => Fate::Native("ovs:upload_date"),
        Field::VideoDuration => Fate::Native("ovs:duration"),
        Field::VideoFileDuration => Fate::Native("ovs:duration"),
        Field::VideoAdult => Fate::Native("ovs:adult"),
        Field::VideoPlayerUrl => Fate::Native("ovs:embed_url"),
        Field::VideoFileUrl => Fate::Native("ovs:content_url"),
        Field::VideoAllowEmbed => Fate::Native("ovs:allow_embed"),
        Field::VideoViews => Fate::Native("ovs:views_total"),
        Field::VideoFavorites => Fate::Native("ovs:likes"),
        Field::VideoUploaderName => Fate::Native("ovs:login"),
        Field::VideoTag => Fate::Native("ovs:tag"),
        Field::VideoEmbedUrl => Fate::Near("ovs:embed_url", Reason::UsedForVideo),
        Field::VideoFamilyFriendly => Fate::Near("ovs:adult", Reason::UsualTerm),
        Field::Foreign | Field::FeedForeign => Fate::Lost(Reason::UnknownMarkup),
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
        | Field::FeedModule
        | Field::Id
        | Field::IdIsPermalink
        | Field::Title
        | Field::Summary
        | Field::Content
        | Field::ContentSrc
        | Field::ContentType
        | Field::Published
        | Field::Updated
        | Field::Created
        | Field::Expires
        | Field::AuthorName
        | Field::AuthorEmail
        | Field::AuthorUri
        | Field::ContributorName
        | Field::ContributorEmail
        | Field::ContributorUri
        | Field::Publisher
        | Field::CategoryTerm
        | Field::CategoryScheme
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
        | Field::ImageLoc
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
        | Field::Language
        | Field::Base
        | Field::Rights
        | Field::License
        | Field::Comments
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
        | Field::LocationPoint
        | Field::LocationShape
        | Field::LocationName
        | Field::Mobile
        | Field::PageMapTemplate
        | Field::PageMapType
        | Field::PageMapId
        | Field::PageMapAttributeName
        | Field::PageMapAttributeValue
        | Field::Module
        | Field::TextLang
        | Field::TextBase
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
        | Field::VideoAvailableEnd
        | Field::VideoAvailableName
        | Field::VideoRatingAverage
        | Field::VideoRatingCount
        | Field::VideoRatingMin
        | Field::VideoRatingMax
        | Field::VideoRatingsValue
        | Field::VideoRatingsScheme
        | Field::VideoRestrictionRelationship
        | Field::VideoRestrictionCountry
        | Field::VideoPlatformRelationship
        | Field::VideoPlatform
        | Field::VideoUriRestrictionRelationship
        | Field::VideoUriRestriction
        | Field::VideoSharing
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
        | Field::VideoCategoryTerm
        | Field::VideoCategoryScheme
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
        | Field::VideoBackLink
        | Field::VideoTvShowTitle
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
        | Field::VideoSegmentDuration => Fate::Lost(Reason::YandexVideoElement),
    }
}
