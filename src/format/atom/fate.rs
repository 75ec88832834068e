//! The fate of every field in Atom: plain, where a video is a link, and with Media RSS. A field that a writer can only
//! sometimes move elsewhere counts as lost here, and the writer overrides it.

use crate::fate::Fate;
use crate::format::ns::media::video_fate;
use crate::model::{Field, ModelPart};
use crate::reason::Reason;

/// No element in Atom nor in the modules that this target writes.
const NO_ELEMENT: Fate = Fate::Lost(Reason::AtomElement);
/// Of an element that is written, but has no such part.
const LOGO: Fate = Fate::Lost(Reason::AtomAttribute);
const LINK: Fate = Fate::Lost(Reason::AtomAttribute);
const CREDIT: Fate = Fate::Lost(Reason::AtomAttribute);
const VIDEO: Fate = Fate::Lost(Reason::AtomVideo);
const MODULE: Fate = Fate::Lost(Reason::ModuleElement);

/// The fate table of plain Atom.
pub fn plain(field: Field) -> Fate {
    fate(field)
}

/// The fate table of Atom with Media RSS.
pub fn media(field: Field) -> Fate {
    match field {
        Field::Created => Fate::Native("dcterms:created"),
        Field::ImageLoc => Fate::Native("media:content@url"),
        Field::ImageCaption => Fate::Native("media:description"),
        Field::ImageTitle => Fate::Native("media:title"),
        Field::ImageLicense => Fate::Native("media:license@href"),
        Field::ImageGeoLocation => Fate::Near("media:location@description", Reason::OtherElement),
        _ if field.group() == ModelPart::Video => video_fate(field),
        _ => fate(field),
    }
}

#[deny(clippy::wildcard_enum_match_arm)]
fn fate(field: Field) -> Fate {
    use Fate::Native;
    match field {
        Field::FeedId => Native("id"),
        Field::FeedTitle => Native("title"),
        Field::FeedSubtitle => Native("subtitle"),
        Field::FeedHome | Field::FeedSelf | Field::FeedLinkHref => Native("link@href"),
        Field::FeedLinkRel => Native("link@rel"),
        Field::FeedLinkType => Native("link@type"),
        Field::FeedLinkHreflang => Native("link@hreflang"),
        Field::FeedLinkTitle => Native("link@title"),
        Field::FeedLinkLength => Native("link@length"),
        Field::FeedLanguage => Native("feed@xml:lang"),
        Field::FeedBase => Native("feed@xml:base"),
        Field::FeedRights => Native("rights"),
        Field::FeedAuthorName => Native("author/name"),
        Field::FeedAuthorEmail => Native("author/email"),
        Field::FeedAuthorUri => Native("author/uri"),
        Field::FeedContributorName => Native("contributor/name"),
        Field::FeedContributorEmail => Native("contributor/email"),
        Field::FeedContributorUri => Native("contributor/uri"),
        Field::FeedWebMasterName
        | Field::FeedWebMasterEmail
        | Field::FeedOwnerName
        | Field::FeedOwnerEmail
        | Field::FeedPublisher
        | Field::FeedDocs => NO_ELEMENT,
        Field::FeedCategoryTerm => Native("category@term"),
        Field::FeedCategoryScheme => Native("category@scheme"),
        Field::FeedCategoryLabel => Native("category@label"),
        Field::FeedGeneratorName => Native("generator"),
        Field::FeedGeneratorUri => Native("generator@uri"),
        Field::FeedGeneratorVersion => Native("generator@version"),
        Field::FeedPublished => Fate::Lost(Reason::AtomElement),
        Field::FeedUpdated => Native("updated"),
        Field::FeedImageUrl => Native("logo"),
        Field::FeedImageTitle
        | Field::FeedImageLink
        | Field::FeedImageWidth
        | Field::FeedImageHeight
        | Field::FeedImageDescription => LOGO,
        Field::FeedIcon => Native("icon"),
        Field::FeedTtl
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
        | Field::FeedPicsRating => NO_ELEMENT,
        Field::FeedUpdatePeriod => Native("sy:updatePeriod"),
        Field::FeedUpdateFrequency => Native("sy:updateFrequency"),
        Field::FeedUpdateBase => Native("sy:updateBase"),
        Field::FeedExplicit => NO_ELEMENT,
        Field::FeedFlag => Fate::Lost(Reason::AtomElement),
        Field::FeedModule | Field::FeedForeign => MODULE,
        Field::Loc => Native("link@href"),
        Field::Id => Native("id"),
        Field::IdIsPermalink => Fate::Lost(Reason::AtomElement),
        Field::Title => Native("title"),
        Field::Summary => Native("summary"),
        Field::Content => Native("content"),
        Field::ContentSrc => Native("content@src"),
        Field::ContentType => Native("content@type"),
        Field::Published => Native("published"),
        Field::Updated => Native("updated"),
        Field::Created | Field::Expires => NO_ELEMENT,
        Field::AuthorName => Native("author/name"),
        Field::AuthorEmail => Native("author/email"),
        Field::AuthorUri => Native("author/uri"),
        Field::ContributorName => Native("contributor/name"),
        Field::ContributorEmail => Native("contributor/email"),
        Field::ContributorUri => Native("contributor/uri"),
        Field::Publisher => NO_ELEMENT,
        Field::CategoryTerm => Native("category@term"),
        Field::CategoryScheme => Native("category@scheme"),
        Field::CategoryLabel => Native("category@label"),
        Field::LinkHref => Native("link@href"),
        Field::LinkRel => Native("link@rel"),
        Field::LinkType => Native("link@type"),
        Field::LinkHreflang => Native("link@hreflang"),
        Field::LinkTitle => Native("link@title"),
        Field::LinkLength => Native("link@length"),
        Field::LinkMedia => LINK,
        Field::EnclosureUrl => Native("link@href"),
        Field::EnclosureType => Native("link@type"),
        Field::EnclosureLength => Native("link@length"),
        Field::EnclosureTitle => Native("link@title"),
        Field::EnclosureLang => Native("link@hreflang"),
        Field::ImageLoc => Fate::Near("link@href", Reason::UsedAsEnclosure),
        Field::ImageCaption | Field::ImageTitle | Field::ImageGeoLocation | Field::ImageLicense => LINK,
        Field::NewsTitle | Field::NewsPublished => Fate::Lost(Reason::ItemValue),
        Field::NewsKeywords => Fate::Near("category@term", Reason::UsedAsCategory),
        Field::NewsName | Field::NewsLanguage | Field::NewsAccess | Field::NewsGenres | Field::NewsStockTickers => {
            NO_ELEMENT
        }
        Field::AlternateHref => Native("link@href"),
        Field::AlternateHreflang => Native("link@hreflang"),
        Field::AlternateType => Native("link@type"),
        Field::AlternateTitle => Native("link@title"),
        Field::AlternateLength => Native("link@length"),
        Field::Changefreq | Field::Priority => NO_ELEMENT,
        Field::Language => Native("entry@xml:lang"),
        Field::Base => Native("entry@xml:base"),
        Field::Rights => Native("rights"),
        Field::License | Field::Comments | Field::CommentFeed => Native("link@href"),
        Field::CommentCount => Native("thr:total"),
        Field::InReplyToRef => Native("thr:in-reply-to@ref"),
        Field::InReplyToHref => Native("thr:in-reply-to@href"),
        Field::InReplyToType => Native("thr:in-reply-to@type"),
        Field::InReplyToSource => Native("thr:in-reply-to@source"),
        Field::SourceId => Native("source/id"),
        Field::SourceTitle => Native("source/title"),
        Field::SourceSubtitle => Native("source/subtitle"),
        Field::SourceHome | Field::SourceSelf | Field::SourceLinkHref => Native("source/link@href"),
        Field::SourceLinkRel => Native("source/link@rel"),
        Field::SourceLinkType => Native("source/link@type"),
        Field::SourceLinkHreflang => Native("source/link@hreflang"),
        Field::SourceLinkTitle => Native("source/link@title"),
        Field::SourceLinkLength => Native("source/link@length"),
        Field::SourceUpdated => Native("source/updated"),
        Field::SourceRights => Native("source/rights"),
        Field::SourceAuthorName => Native("source/author/name"),
        Field::SourceAuthorEmail => Native("source/author/email"),
        Field::SourceAuthorUri => Native("source/author/uri"),
        Field::SourceContributorName => Native("source/contributor/name"),
        Field::SourceContributorEmail => Native("source/contributor/email"),
        Field::SourceContributorUri => Native("source/contributor/uri"),
        Field::SourceCategoryTerm => Native("source/category@term"),
        Field::SourceCategoryScheme => Native("source/category@scheme"),
        Field::SourceCategoryLabel => Native("source/category@label"),
        Field::SourceGeneratorName => Native("source/generator"),
        Field::SourceGeneratorUri => Native("source/generator@uri"),
        Field::SourceGeneratorVersion => Native("source/generator@version"),
        Field::SourceIcon => Native("source/icon"),
        Field::SourceImageUrl => Native("source/logo"),
        Field::SourceLanguage => Native("source@xml:lang"),
        Field::SourceBase => Native("source@xml:base"),
        Field::LocationPoint => Native("georss:point"),
        Field::LocationShape => Native("georss:line"),
        Field::LocationName => Native("georss:featureName"),
        Field::Mobile
        | Field::PageMapTemplate
        | Field::PageMapType
        | Field::PageMapId
        | Field::PageMapAttributeName
        | Field::PageMapAttributeValue => NO_ELEMENT,
        Field::Module | Field::Foreign => MODULE,
        Field::TextLang => Native("@xml:lang"),
        Field::TextBase => Native("@xml:base"),
        Field::VideoFileUrl => Native("link@href"),
        Field::VideoFileType => Native("link@type"),
        Field::VideoFileCodecs => Fate::Near("link@type", Reason::OtherElement),
        Field::VideoFileSize => Native("link@length"),
        Field::VideoFileLang => Native("link@hreflang"),
        Field::VideoFileTitle => Native("link@title"),
        Field::VideoFileMedium
        | Field::VideoFileWidth
        | Field::VideoFileHeight
        | Field::VideoFileBitrate
        | Field::VideoFileFramerate
        | Field::VideoFileSamplingrate
        | Field::VideoFileChannels
        | Field::VideoFileDuration
        | Field::VideoFileIsDefault
        | Field::VideoFileExpression => LINK,
        Field::VideoThumbnailUrl
        | Field::VideoThumbnailWidth
        | Field::VideoThumbnailHeight
        | Field::VideoThumbnailTime => Fate::Lost(Reason::AtomThumbnail),
        Field::VideoCreditRole | Field::VideoCreditScheme => CREDIT,
        Field::VideoId
        | Field::VideoTitle
        | Field::VideoDescription
        | Field::VideoPlayerUrl
        | Field::VideoPlayerWidth
        | Field::VideoPlayerHeight
        | Field::VideoDuration
        | Field::VideoPublished
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
        | Field::VideoUploaderName
        | Field::VideoUploaderUri
        | Field::VideoCreditName
        | Field::VideoLive
        | Field::VideoTag
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
        | Field::VideoSegmentDuration => VIDEO,
    }
}
