//! The fate of every field in JSON Feed 1.1. A value has a member here if some entry may have it there; the writer
//! reports the others.

use crate::fate::Fate;
use crate::model::Field;
use crate::reason::Reason;

/// The fate table.
#[deny(clippy::wildcard_enum_match_arm)]
pub fn fate(field: Field) -> Fate {
    use Fate::{Lost, Native, Near};
    match field {
        Field::FeedTitle | Field::Title => Native("title"),
        Field::FeedSubtitle => Native("description"),
        Field::FeedHome => Native("home_page_url"),
        Field::FeedSelf => Native("feed_url"),
        Field::FeedLinkHref => Native("hubs/url"),
        Field::FeedLinkTitle => Native("hubs/type"),
        Field::FeedLanguage | Field::Language => Native("language"),
        Field::FeedAuthorName | Field::AuthorName => Native("authors/name"),
        Field::FeedAuthorUri | Field::AuthorUri => Native("authors/url"),
        Field::FeedIcon => Native("favicon"),
        Field::Loc => Native("url"),
        Field::Id => Native("id"),
        Field::Summary => Native("summary"),
        Field::Published => Native("date_published"),
        Field::Updated => Native("date_modified"),
        Field::CategoryTerm | Field::CategoryLabel => Native("tags"),
        Field::VideoFileCodecs => Near("attachments/mime_type", Reason::OtherElement),
        Field::LinkHref => Native("external_url"),
        Field::EnclosureUrl | Field::VideoFileUrl => Native("attachments/url"),
        Field::EnclosureType | Field::VideoFileType => Native("attachments/mime_type"),
        Field::EnclosureLength | Field::VideoFileSize => Native("attachments/size_in_bytes"),
        Field::EnclosureTitle | Field::VideoTitle | Field::VideoFileTitle => Native("attachments/title"),
        Field::ImageLoc => Native("image"),
        Field::VideoFileDuration | Field::VideoDuration => Native("attachments/duration_in_seconds"),
        Field::Content => Native("content_html"),
        Field::FeedAuthorEmail | Field::AuthorEmail => Near("authors/url", Reason::AsMailto),
        Field::FeedImageUrl => Near("icon", Reason::OtherElement),
        Field::ContentSrc => Near("external_url", Reason::OtherElement),
        Field::VideoPeerLinkHref => Near("attachments/url", Reason::UsedAsEnclosure),
        Field::ContentType | Field::VideoPeerLinkType => Near("attachments/mime_type", Reason::UsedAsEnclosure),
        Field::FeedFlag => Near("expired", Reason::UsualTerm),
        Field::VideoTag | Field::VideoCategoryTerm | Field::VideoCategoryLabel | Field::NewsKeywords => {
            Near("tags", Reason::UsedAsCategory)
        }
        Field::VideoDescription => Near("content_text", Reason::UsedForEntry),
        Field::VideoThumbnailUrl => Near("image", Reason::UsedForEntry),
        Field::VideoPublished => Near("date_published", Reason::UsedForEntry),
        Field::VideoUploaderName => Near("authors/name", Reason::UsedAsAuthor),
        Field::VideoUploaderUri => Near("authors/url", Reason::UsedAsAuthor),
        Field::CategoryScheme | Field::VideoCategoryScheme => Lost(Reason::JsonFeedScheme),
        Field::FeedModule | Field::Module => Lost(Reason::ModuleElement),
        Field::FeedForeign | Field::Foreign => Lost(Reason::UnknownMarkup),
        Field::FeedId
        | Field::FeedLinkRel
        | Field::FeedLinkType
        | Field::FeedLinkHreflang
        | Field::FeedLinkLength
        | Field::FeedBase
        | Field::FeedRights
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
        | Field::FeedImageTitle
        | Field::FeedImageLink
        | Field::FeedImageWidth
        | Field::FeedImageHeight
        | Field::FeedImageDescription
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
        | Field::IdIsPermalink
        | Field::Created
        | Field::Expires
        | Field::ContributorName
        | Field::ContributorEmail
        | Field::ContributorUri
        | Field::Publisher
        | Field::LinkRel
        | Field::LinkType
        | Field::LinkHreflang
        | Field::LinkTitle
        | Field::LinkLength
        | Field::LinkMedia
        | Field::EnclosureLang
        | Field::ImageCaption
        | Field::ImageTitle
        | Field::ImageGeoLocation
        | Field::ImageLicense
        | Field::NewsName
        | Field::NewsLanguage
        | Field::NewsAccess
        | Field::NewsGenres
        | Field::NewsStockTickers
        | Field::AlternateHref
        | Field::AlternateHreflang
        | Field::AlternateType
        | Field::AlternateTitle
        | Field::AlternateLength
        | Field::Changefreq
        | Field::Priority
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
        | Field::TextLang
        | Field::TextBase
        | Field::VideoId
        | Field::VideoThumbnailWidth
        | Field::VideoThumbnailHeight
        | Field::VideoThumbnailTime
        | Field::VideoPlayerUrl
        | Field::VideoPlayerWidth
        | Field::VideoPlayerHeight
        | Field::VideoFileMedium
        | Field::VideoFileWidth
        | Field::VideoFileHeight
        | Field::VideoFileBitrate
        | Field::VideoFileFramerate
        | Field::VideoFileSamplingrate
        | Field::VideoFileChannels
        | Field::VideoFileLang
        | Field::VideoFileIsDefault
        | Field::VideoFileExpression
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
        | Field::VideoCreditName
        | Field::VideoCreditRole
        | Field::VideoCreditScheme
        | Field::VideoLive
        | Field::VideoTagWeightTag
        | Field::VideoTagWeightWeight
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
        | Field::VideoSegmentDuration => Lost(Reason::JsonFeedMember),
        Field::NewsTitle | Field::NewsPublished => Lost(Reason::ItemValue),
    }
}
