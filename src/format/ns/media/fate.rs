//! The fate of the members of a video in formats that hold Media RSS. Fields of the page are in the tables of RSS and
//! Atom, which call this one.

use crate::fate::Fate;
use crate::model::Field;
use crate::reason::Reason;

/// The fate of a member of a video, or of the attributes of a text, where Media RSS is written. Every other field is
/// [`Fate::NONE`] here.
#[deny(clippy::wildcard_enum_match_arm)]
pub fn video_fate(field: Field) -> Fate {
    match field {
        Field::TextLang => Fate::Native("@xml:lang"),
        Field::TextBase => Fate::Native("@xml:base"),
        Field::VideoId
        | Field::VideoPublished
        | Field::VideoPlatformRelationship
        | Field::VideoPlatform
        | Field::VideoAutoplay
        | Field::VideoUploaderUri
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
        | Field::VideoSegmentDuration => Fate::Lost(Reason::MediaElement),
        Field::VideoTitle => Fate::Native("media:title"),
        Field::VideoDescription => Fate::Native("media:description"),
        Field::VideoThumbnailUrl => Fate::Native("media:thumbnail@url"),
        Field::VideoThumbnailWidth => Fate::Native("media:thumbnail@width"),
        Field::VideoThumbnailHeight => Fate::Native("media:thumbnail@height"),
        Field::VideoThumbnailTime => Fate::Native("media:thumbnail@time"),
        Field::VideoPlayerUrl => Fate::Native("media:player@url"),
        Field::VideoPlayerWidth => Fate::Native("media:player@width"),
        Field::VideoPlayerHeight => Fate::Native("media:player@height"),
        Field::VideoFileUrl => Fate::Native("media:content@url"),
        Field::VideoFileType => Fate::Native("media:content@type"),
        Field::VideoFileCodecs | Field::VideoFileTitle | Field::VideoPriceResolution => {
            Fate::Lost(Reason::MediaAttribute)
        }
        Field::VideoFileMedium => Fate::Native("media:content@medium"),
        Field::VideoFileWidth => Fate::Native("media:content@width"),
        Field::VideoFileHeight => Fate::Native("media:content@height"),
        Field::VideoFileBitrate => Fate::Native("media:content@bitrate"),
        Field::VideoFileFramerate => Fate::Native("media:content@framerate"),
        Field::VideoFileSamplingrate => Fate::Native("media:content@samplingrate"),
        Field::VideoFileChannels => Fate::Native("media:content@channels"),
        Field::VideoFileSize => Fate::Native("media:content@fileSize"),
        Field::VideoFileLang => Fate::Native("media:content@lang"),
        Field::VideoFileDuration | Field::VideoDuration => Fate::Native("media:content@duration"),
        Field::VideoFileIsDefault => Fate::Native("media:content@isDefault"),
        Field::VideoFileExpression => Fate::Native("media:content@expression"),
        Field::VideoAvailableStart | Field::VideoAvailableEnd | Field::VideoAvailableName => {
            Fate::Native("dcterms:valid")
        }
        Field::VideoRatingAverage => Fate::Native("media:community/media:starRating@average"),
        Field::VideoRatingCount => Fate::Native("media:community/media:starRating@count"),
        Field::VideoRatingMin => Fate::Native("media:community/media:starRating@min"),
        Field::VideoRatingMax => Fate::Native("media:community/media:starRating@max"),
        Field::VideoRatingsValue => Fate::Native("media:rating"),
        Field::VideoRatingsScheme => Fate::Native("media:rating@scheme"),
        Field::VideoAdult => Fate::Native("media:adult"),
        Field::VideoViews => Fate::Native("media:community/media:statistics@views"),
        Field::VideoFavorites => Fate::Native("media:community/media:statistics@favorites"),
        Field::VideoFamilyFriendly => Fate::Near("media:rating", Reason::OtherElement),
        Field::VideoRestrictionRelationship | Field::VideoUriRestrictionRelationship | Field::VideoSharing => {
            Fate::Native("media:restriction@relationship")
        }
        Field::VideoRestrictionCountry | Field::VideoUriRestriction => Fate::Native("media:restriction"),
        Field::VideoAllowEmbed => Fate::Near("media:restriction@relationship", Reason::OtherElement),
        Field::VideoPriceAmount => Fate::Native("media:price@price"),
        Field::VideoPriceCurrency => Fate::Native("media:price@currency"),
        Field::VideoPriceType => Fate::Native("media:price@type"),
        Field::VideoPriceInfo => Fate::Native("media:price@info"),
        Field::VideoRequiresSubscription => Fate::Near("media:price@type", Reason::OtherElement),
        Field::VideoUploaderName | Field::VideoCreditName => Fate::Native("media:credit"),
        Field::VideoCreditRole => Fate::Native("media:credit@role"),
        Field::VideoCreditScheme => Fate::Native("media:credit@scheme"),
        Field::VideoLive => Fate::Native("dcterms:type"),
        Field::VideoTag => Fate::Native("media:keywords"),
        Field::VideoTagWeightTag | Field::VideoTagWeightWeight => Fate::Native("media:community/media:tags"),
        Field::VideoCategoryTerm => Fate::Native("media:category"),
        Field::VideoCategoryScheme => Fate::Native("media:category@scheme"),
        Field::VideoCategoryLabel => Fate::Native("media:category@label"),
        Field::VideoCopyrightText => Fate::Native("media:copyright"),
        Field::VideoCopyrightUrl => Fate::Native("media:copyright@url"),
        Field::VideoLicenseText => Fate::Native("media:license"),
        Field::VideoLicenseHref => Fate::Native("media:license@href"),
        Field::VideoLicenseType => Fate::Native("media:license@type"),
        Field::VideoHashValue => Fate::Native("media:hash"),
        Field::VideoHashAlgo => Fate::Native("media:hash@algo"),
        Field::VideoTextValue => Fate::Native("media:text"),
        Field::VideoTextLang => Fate::Native("media:text@lang"),
        Field::VideoTextStart => Fate::Native("media:text@start"),
        Field::VideoTextEnd => Fate::Native("media:text@end"),
        Field::VideoSubtitleHref => Fate::Native("media:subTitle@href"),
        Field::VideoSubtitleLang => Fate::Native("media:subTitle@lang"),
        Field::VideoSubtitleType => Fate::Native("media:subTitle@type"),
        Field::VideoEmbedUrl => Fate::Native("media:embed@url"),
        Field::VideoEmbedWidth => Fate::Native("media:embed@width"),
        Field::VideoEmbedHeight => Fate::Native("media:embed@height"),
        Field::VideoEmbedParamName => Fate::Native("media:embed/media:param@name"),
        Field::VideoEmbedParamValue => Fate::Native("media:embed/media:param"),
        Field::VideoStatusState => Fate::Native("media:status@state"),
        Field::VideoStatusReason => Fate::Native("media:status@reason"),
        Field::VideoRightsStatus => Fate::Native("media:rights@status"),
        Field::VideoSceneTitle => Fate::Native("media:scenes/media:scene/sceneTitle"),
        Field::VideoSceneDescription => Fate::Native("media:scenes/media:scene/sceneDescription"),
        Field::VideoSceneStart => Fate::Native("media:scenes/media:scene/sceneStartTime"),
        Field::VideoSceneEnd => Fate::Native("media:scenes/media:scene/sceneEndTime"),
        Field::VideoLocationDescription => Fate::Native("media:location@description"),
        Field::VideoLocationStart => Fate::Native("media:location@start"),
        Field::VideoLocationEnd => Fate::Native("media:location@end"),
        Field::VideoLocationPoint => Fate::Native("media:location/georss:where/gml:Point/gml:pos"),
        Field::VideoPeerLinkHref => Fate::Native("media:peerLink@href"),
        Field::VideoPeerLinkType => Fate::Native("media:peerLink@type"),
        Field::VideoComment => Fate::Native("media:comments/media:comment"),
        Field::VideoResponse => Fate::Native("media:responses/media:response"),
        Field::VideoBackLink => Fate::Native("media:backLinks/media:backLink"),
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
        | Field::FeedForeign
        | Field::Loc
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
        | Field::CommentCount
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
        | Field::Foreign => Fate::NONE,
    }
}
