//! The video: the values of Media RSS 1.5.1 and Google's video sitemap 1.1, and its renditions. The same struct holds
//! values given on a level above or below the video (the `media` members).

use std::borrow::Cow;

use super::category::{Category, CategoryFields};
use super::date::Date;
use super::field::Field;
use super::leaf::{Leaf, Mark, Str, Text};
use super::record::{IntoOwned, LeafView, Walk, record};
use super::value::{Decimal, Seconds};
use crate::text::region;

record! {
    /// One video with all its renditions. A media object of another kind (a group of audio files) has the same shape.
    ///
    /// It holds its effective values. Those given only on a level above or below are named in `inherited`; their leaf
    /// is once in the `media` of the head, the page or the rendition (Media RSS, "Optional Elements": content before
    /// group before item before channel).
    pub struct Video {
        /// `video:id`-like name the publisher gives it (`yt:videoId`).
        id: Option<Str<'a>> = Field::VideoId,
        /// `media:title`, `video:title`.
        title: Option<Text<'a>> = Field::VideoTitle,
        /// `media:description`, `video:description`.
        description: Option<Text<'a>> = Field::VideoDescription,
        /// `media:thumbnail`, `video:thumbnail_loc`, the most important first.
        thumbnails: Vec<Thumbnail<'a>> = (),
        /// `media:player`, `video:player_loc`.
        player: Option<Player<'a>> = (),
        /// `media:content`, `video:content_loc`, `enclosure`: the renditions, in document order.
        files: Vec<File<'a>> = (),
        /// The renditions were in a `media:group` (structure, no leaf).
        group: bool = (),
        /// Play time of the video.
        duration: Option<Leaf<Seconds>> = Field::VideoDuration,
        /// `video:publication_date`.
        published: Option<Leaf<Date>> = Field::VideoPublished,
        /// `dcterms:valid`, `video:expiration_date`.
        available: Option<Available<'a>> = (),
        /// `media:starRating`, `video:rating`.
        rating: Option<Rating<'a>> = (),
        /// `media:rating`: whom it is fit for, one per scheme.
        ratings: Vec<Audience<'a>> = (),
        /// `media:adult` (deprecated in Media RSS).
        adult: Option<Leaf<bool>> = Field::VideoAdult,
        /// `media:statistics@views`, `video:view_count`.
        views: Option<Leaf<u64>> = Field::VideoViews,
        /// `media:statistics@favorites`.
        favorites: Option<Leaf<u64>> = Field::VideoFavorites,
        /// `video:family_friendly`.
        family_friendly: Option<Leaf<bool>> = Field::VideoFamilyFriendly,
        /// `media:restriction type=country`, `video:restriction`.
        restriction: Option<Restriction<'a>> = (),
        /// `video:platform`.
        platform: Option<Platform<'a>> = (),
        /// `media:restriction type=uri`.
        uri_restriction: Option<UriRestriction<'a>> = (),
        /// `media:restriction type=sharing`: its relationship.
        sharing: Option<Str<'a>> = Field::VideoSharing,
        /// `video:player_loc@allow_embed` (retired by Google).
        allow_embed: Option<Leaf<bool>> = Field::VideoAllowEmbed,
        /// `video:player_loc@autoplay` (retired by Google).
        autoplay: Option<Str<'a>> = Field::VideoAutoplay,
        /// `media:price`, `video:price`.
        prices: Vec<Price<'a>> = (),
        /// `video:requires_subscription`.
        requires_subscription: Option<Leaf<bool>> = Field::VideoRequiresSubscription,
        /// `video:uploader`.
        uploader: Option<Uploader<'a>> = (),
        /// `media:credit`.
        credits: Vec<Credit<'a>> = (),
        /// `video:live`, `dcterms:type` of `live-video`.
        live: Option<Leaf<bool>> = Field::VideoLive,
        /// `media:keywords`, `video:tag`.
        tags: Vec<Str<'a>> = Field::VideoTag,
        /// `media:tags`.
        tag_weights: Vec<TagWeight<'a>> = (),
        /// `media:category`, `video:category`.
        categories: Vec<Category<'a>> = CategoryFields::VIDEO,
        /// `media:copyright`.
        copyright: Option<Copyright<'a>> = (),
        /// `media:license`.
        license: Vec<License<'a>> = (),
        /// `media:hash`.
        hashes: Vec<Hash<'a>> = (),
        /// `media:text`: transcript or captions inside the feed.
        texts: Vec<TimedText<'a>> = (),
        /// `media:subTitle`.
        subtitles: Vec<Subtitle<'a>> = (),
        /// `media:embed`.
        embed: Option<Embed<'a>> = (),
        /// `media:status`.
        status: Option<Status<'a>> = (),
        /// `media:rights@status`.
        rights_status: Option<Str<'a>> = Field::VideoRightsStatus,
        /// `media:scene`.
        scenes: Vec<Scene<'a>> = (),
        /// `media:location`.
        location: Vec<VideoLocation<'a>> = (),
        /// `media:peerLink`.
        peer_links: Vec<PeerLink<'a>> = (),
        /// `media:comment`.
        comments: Vec<Str<'a>> = Field::VideoComment,
        /// `media:response`.
        responses: Vec<Str<'a>> = Field::VideoResponse,
        /// `media:backLink`.
        back_links: Vec<Str<'a>> = Field::VideoBackLink,
        /// `video:tvshow` (retired by Google).
        tv: Option<Tv<'a>> = (),
        /// `video:id`.
        ids: Vec<TypedId<'a>> = (),
        /// `video:gallery_loc` (retired by Google).
        gallery: Option<Gallery<'a>> = (),
        /// `video:content_segment_loc`, in playing order.
        segments: Vec<Segment<'a>> = (),
        /// The names of the members above that another level gives (structure, no leaves); `categories[2]` for a list that
        /// is another level's from its third member on.
        inherited: Vec<Cow<'a, str>> = (),
    }
}

record! {
    /// One rendition: a file with the video in it (`media:content`, `enclosure`, `video:content_loc`).
    pub struct File {
        /// Where its bytes are.
        url: Option<Str<'a>> = Field::VideoFileUrl,
        /// MIME type as written, with parameters.
        #[serde(rename = "type")]
        kind: Option<Str<'a>> = Field::VideoFileType,
        /// RFC 6381 codecs, if given apart from the type.
        codecs: Option<Str<'a>> = Field::VideoFileCodecs,
        /// `image audio video document executable`.
        medium: Option<Str<'a>> = Field::VideoFileMedium,
        /// Pixels.
        width: Option<Leaf<u64>> = Field::VideoFileWidth,
        /// Pixels.
        height: Option<Leaf<u64>> = Field::VideoFileHeight,
        /// Kilobits per second.
        bitrate: Option<Leaf<Decimal<'a>>> = Field::VideoFileBitrate,
        /// Frames per second.
        framerate: Option<Leaf<Decimal<'a>>> = Field::VideoFileFramerate,
        /// Thousands of samples per second.
        samplingrate: Option<Leaf<Decimal<'a>>> = Field::VideoFileSamplingrate,
        /// Audio channels.
        channels: Option<Leaf<u64>> = Field::VideoFileChannels,
        /// Bytes.
        size: Option<Leaf<u64>> = Field::VideoFileSize,
        /// Language of the sound (RFC 3066).
        lang: Option<Str<'a>> = Field::VideoFileLang,
        /// Play time where it differs from the video's.
        duration: Option<Leaf<Seconds>> = Field::VideoFileDuration,
        /// The one to play when nothing is chosen.
        is_default: Option<Leaf<bool>> = Field::VideoFileIsDefault,
        /// `sample full nonstop`.
        expression: Option<Str<'a>> = Field::VideoFileExpression,
        /// Title of the link that named it (Atom).
        title: Option<Str<'a>> = Field::VideoFileTitle,
        /// Values of this rendition alone.
        media: Option<Box<Video<'a>>> = (),
    }
}

record! {
    /// An image of the video.
    pub struct Thumbnail {
        /// URL.
        url: Option<Str<'a>> = Field::VideoThumbnailUrl,
        /// Pixels.
        width: Option<Leaf<u64>> = Field::VideoThumbnailWidth,
        /// Pixels.
        height: Option<Leaf<u64>> = Field::VideoThumbnailHeight,
        /// Offset in the video (normal play time, RFC 2326 section 3.6).
        time: Option<Str<'a>> = Field::VideoThumbnailTime,
    }
}

record! {
    /// A page that plays this video.
    pub struct Player {
        /// URL.
        url: Option<Str<'a>> = Field::VideoPlayerUrl,
        /// Pixels of the window.
        width: Option<Leaf<u64>> = Field::VideoPlayerWidth,
        /// Pixels of the window.
        height: Option<Leaf<u64>> = Field::VideoPlayerHeight,
    }
}

record! {
    /// From when to when it may be shown (DCMI Period).
    pub struct Available {
        /// First moment.
        start: Option<Leaf<Date>> = Field::VideoAvailableStart,
        /// Last moment.
        end: Option<Leaf<Date>> = Field::VideoAvailableEnd,
        /// Name of the period.
        name: Option<Str<'a>> = Field::VideoAvailableName,
    }
}

record! {
    /// The rating by viewers, as a number.
    pub struct Rating {
        /// Mean of the votes.
        average: Option<Leaf<Decimal<'a>>> = Field::VideoRatingAverage,
        /// Number of votes.
        count: Option<Leaf<u64>> = Field::VideoRatingCount,
        /// Lowest vote possible.
        min: Option<Leaf<Decimal<'a>>> = Field::VideoRatingMin,
        /// Highest vote possible.
        max: Option<Leaf<Decimal<'a>>> = Field::VideoRatingMax,
    }
}

record! {
    /// Whom it is fit for.
    pub struct Audience {
        /// `urn:simple` (default), `urn:mpaa`, `urn:v-chip`, `urn:icra` …
        scheme: Option<Str<'a>> = Field::VideoRatingsScheme,
        /// The grade, as a term of the scheme.
        value: Option<Str<'a>> = Field::VideoRatingsValue,
    }
}

record! {
    /// Countries in which it may, or may not, be shown.
    pub struct Restriction {
        /// `allow` or `deny`.
        relationship: Option<Str<'a>> = Field::VideoRestrictionRelationship,
        /// ISO 3166-1 alpha-2 codes as written, or the literals `all` and `none` of Media RSS.
        countries: Vec<Str<'a>> = Field::VideoRestrictionCountry,
    }
}

record! {
    /// Devices on which it may, or may not, be shown.
    pub struct Platform {
        /// `allow` or `deny`.
        relationship: Option<Str<'a>> = Field::VideoPlatformRelationship,
        /// `web mobile tv`.
        platforms: Vec<Str<'a>> = Field::VideoPlatform,
    }
}

record! {
    /// Sites on which it may, or may not, be shown.
    pub struct UriRestriction {
        /// `allow` or `deny`.
        relationship: Option<Str<'a>> = Field::VideoUriRestrictionRelationship,
        /// URL patterns.
        values: Vec<Str<'a>> = Field::VideoUriRestriction,
    }
}

record! {
    /// Its price.
    pub struct Price {
        /// Amount as written.
        amount: Option<Leaf<Decimal<'a>>> = Field::VideoPriceAmount,
        /// ISO 4217.
        currency: Option<Str<'a>> = Field::VideoPriceCurrency,
        /// `rent purchase package subscription`.
        #[serde(rename = "type")]
        kind: Option<Str<'a>> = Field::VideoPriceType,
        /// `hd` or `sd`.
        resolution: Option<Str<'a>> = Field::VideoPriceResolution,
        /// Page about a package or a subscription.
        info: Option<Str<'a>> = Field::VideoPriceInfo,
    }
}

record! {
    /// Who put it up.
    pub struct Uploader {
        /// Name.
        name: Option<Str<'a>> = Field::VideoUploaderName,
        /// Page about the uploader.
        uri: Option<Str<'a>> = Field::VideoUploaderUri,
    }
}

record! {
    /// Someone who took part.
    pub struct Credit {
        /// Name.
        name: Option<Str<'a>> = Field::VideoCreditName,
        /// The role of the person, as a term of the scheme.
        role: Option<Str<'a>> = Field::VideoCreditRole,
        /// `urn:ebu` (default), `urn:yvs` …
        scheme: Option<Str<'a>> = Field::VideoCreditScheme,
    }
}

record! {
    /// A tag with its weight.
    pub struct TagWeight {
        /// The tag.
        tag: Option<Str<'a>> = Field::VideoTagWeightTag,
        /// Default 1.
        weight: Option<Leaf<Decimal<'a>>> = Field::VideoTagWeightWeight,
    }
}

record! {
    /// A note on who holds the rights.
    pub struct Copyright {
        /// The note.
        text: Option<Str<'a>> = Field::VideoCopyrightText,
        /// Terms of use.
        url: Option<Str<'a>> = Field::VideoCopyrightUrl,
    }
}

record! {
    /// A license.
    pub struct License {
        /// Its name.
        text: Option<Str<'a>> = Field::VideoLicenseText,
        /// Its text.
        href: Option<Str<'a>> = Field::VideoLicenseHref,
        /// MIME type of its text.
        #[serde(rename = "type")]
        kind: Option<Str<'a>> = Field::VideoLicenseType,
    }
}

record! {
    /// A checksum of the file.
    pub struct Hash {
        /// `md5` (default) or `sha-1`.
        algo: Option<Str<'a>> = Field::VideoHashAlgo,
        /// Hexadecimal digits.
        value: Option<Str<'a>> = Field::VideoHashValue,
    }
}

record! {
    /// A piece of transcript or caption.
    pub struct TimedText {
        /// The words.
        value: Option<Text<'a>> = Field::VideoTextValue,
        /// Their language.
        lang: Option<Str<'a>> = Field::VideoTextLang,
        /// Normal play time.
        start: Option<Str<'a>> = Field::VideoTextStart,
        /// Normal play time.
        end: Option<Str<'a>> = Field::VideoTextEnd,
    }
}

record! {
    /// A file of subtitles.
    pub struct Subtitle {
        /// URL.
        href: Option<Str<'a>> = Field::VideoSubtitleHref,
        /// Language.
        lang: Option<Str<'a>> = Field::VideoSubtitleLang,
        /// MIME type.
        #[serde(rename = "type")]
        kind: Option<Str<'a>> = Field::VideoSubtitleType,
    }
}

record! {
    /// A player to be embedded, with its parameters.
    pub struct Embed {
        /// URL.
        url: Option<Str<'a>> = Field::VideoEmbedUrl,
        /// Pixels.
        width: Option<Leaf<u64>> = Field::VideoEmbedWidth,
        /// Pixels.
        height: Option<Leaf<u64>> = Field::VideoEmbedHeight,
        /// `media:param`.
        params: Vec<Param<'a>> = (),
    }
}

record! {
    /// A parameter of an embedded player.
    pub struct Param {
        /// Name.
        name: Option<Str<'a>> = Field::VideoEmbedParamName,
        /// Value.
        value: Option<Str<'a>> = Field::VideoEmbedParamValue,
    }
}

record! {
    /// Whether it can be seen at all.
    pub struct Status {
        /// `active blocked deleted`.
        state: Option<Str<'a>> = Field::VideoStatusState,
        /// Text or a URL.
        reason: Option<Str<'a>> = Field::VideoStatusReason,
    }
}

record! {
    /// A part of the video.
    pub struct Scene {
        /// `sceneTitle`.
        title: Option<Str<'a>> = Field::VideoSceneTitle,
        /// `sceneDescription`.
        description: Option<Str<'a>> = Field::VideoSceneDescription,
        /// `sceneStartTime`, normal play time.
        start: Option<Str<'a>> = Field::VideoSceneStart,
        /// `sceneEndTime`, normal play time.
        end: Option<Str<'a>> = Field::VideoSceneEnd,
    }
}

record! {
    /// A place that the video shows.
    pub struct VideoLocation {
        /// Its name.
        description: Option<Str<'a>> = Field::VideoLocationDescription,
        /// Normal play time from which it is seen.
        start: Option<Str<'a>> = Field::VideoLocationStart,
        /// Normal play time to which it is seen.
        end: Option<Str<'a>> = Field::VideoLocationEnd,
        /// "latitude longitude" (`georss:where/gml:Point/gml:pos`).
        point: Option<Str<'a>> = Field::VideoLocationPoint,
    }
}

record! {
    /// A torrent or the like.
    pub struct PeerLink {
        /// URL.
        href: Option<Str<'a>> = Field::VideoPeerLinkHref,
        /// MIME type.
        #[serde(rename = "type")]
        kind: Option<Str<'a>> = Field::VideoPeerLinkType,
    }
}

record! {
    /// The programme it is an episode of.
    pub struct Tv {
        /// `show_title`.
        show_title: Option<Str<'a>> = Field::VideoTvShowTitle,
        /// `full preview clip interview news other`.
        #[serde(rename = "type")]
        kind: Option<Str<'a>> = Field::VideoTvType,
        /// `episode_title`.
        episode_title: Option<Str<'a>> = Field::VideoTvEpisodeTitle,
        /// From 1.
        season: Option<Leaf<u64>> = Field::VideoTvSeason,
        /// From 1.
        episode: Option<Leaf<u64>> = Field::VideoTvEpisode,
        /// `premier_date`.
        premiere: Option<Leaf<Date>> = Field::VideoTvPremiere,
    }
}

record! {
    /// A number in someone's catalogue.
    pub struct TypedId {
        /// `tms:series tms:program rovi:series rovi:program freebase url`.
        #[serde(rename = "type")]
        kind: Option<Str<'a>> = Field::VideoIdsType,
        /// The number.
        value: Option<Str<'a>> = Field::VideoIdsValue,
    }
}

record! {
    /// A collection it belongs to.
    pub struct Gallery {
        /// URL.
        url: Option<Str<'a>> = Field::VideoGalleryUrl,
        /// Title.
        title: Option<Str<'a>> = Field::VideoGalleryTitle,
    }
}

record! {
    /// One of the parts a video is cut into.
    pub struct Segment {
        /// URL of its bytes.
        url: Option<Str<'a>> = Field::VideoSegmentUrl,
        /// Play time.
        duration: Option<Leaf<Seconds>> = Field::VideoSegmentDuration,
    }
}

impl Restriction<'_> {
    /// Whether it is a relationship with a list of countries, without the literals `all` and `none`.
    pub(crate) fn is_plain(&self) -> bool {
        let is_literal = |word: &Str<'_>| region::is_literal(&word.value);
        self.relationship.is_some() && !self.countries.is_empty() && !self.countries.iter().any(is_literal)
    }

    /// Whether its relationship is neither of the two.
    pub(crate) fn is_unclear(&self) -> bool {
        let terms = Field::VideoRestrictionRelationship.terms();
        let is_known = |said: &Str<'_>| terms.iter().any(|term| said.value.eq_ignore_ascii_case(term));
        self.relationship.as_ref().is_some_and(|said| !is_known(said))
    }
}

/// Who put up a video.
#[derive(Clone, Copy)]
pub(crate) struct VideoUploader<'v, 'a> {
    /// The name.
    pub name: Option<&'v Str<'a>>,
    /// The page about the uploader.
    pub uri: Option<&'v Str<'a>>,
    /// The credit that gives the name.
    pub credit: Option<&'v Credit<'a>>,
}

impl VideoUploader<'_, '_> {
    /// The role of the credit, which the place of the name implies, and the scheme of that role.
    pub(crate) fn implied(&self) -> impl Iterator<Item = Mark> {
        let scheme = |credit: &&Credit<'_>| {
            credit.scheme.as_ref().is_some_and(|scheme| scheme.value.trim().eq_ignore_ascii_case("urn:yvs"))
        };
        let schemes = self.credit.into_iter().filter(scheme).map(|credit| &credit.scheme);
        let leaves = self.credit.into_iter().map(|credit| &credit.role).chain(schemes);
        leaves.flatten().map(|leaf| leaf.mark)
    }
}

impl<'a> Video<'a> {
    /// The credit of the role of an uploader, whatever its scheme.
    pub(crate) fn uploader_credit(&self) -> Option<&Credit<'a>> {
        let is_uploader = |role: &Str<'_>| role.value.trim().eq_ignore_ascii_case("uploader");
        self.credits.iter().find(|credit| credit.name.is_some() && credit.role.as_ref().is_some_and(is_uploader))
    }

    /// The uploader, by name otherwise that of a credit.
    pub(crate) fn uploader_or_credit(&self) -> Option<VideoUploader<'_, 'a>> {
        let own = self.uploader.as_ref();
        let (name, uri) = (own.and_then(|own| own.name.as_ref()), own.and_then(|own| own.uri.as_ref()));
        let credit = self.uploader_credit().filter(|_| name.is_none());
        let name = name.or(credit.and_then(|credit| credit.name.as_ref()));
        (name.is_some() || uri.is_some()).then_some(VideoUploader { name, uri, credit })
    }
}

impl Video<'_> {
    /// Whether it is for no viewers: blocked or deleted.
    pub(crate) fn is_inactive(&self) -> bool {
        let state = self.status.as_ref().and_then(|status| status.state.as_ref());
        state.is_some_and(|state| ["blocked", "deleted"].iter().any(|word| state.value.eq_ignore_ascii_case(word)))
    }

    /// The duration of a file, where the video itself has none.
    pub(crate) fn lent_duration(&self) -> Option<Leaf<Seconds>> {
        self.files.iter().find_map(|file| file.duration).filter(|_| self.duration.is_none())
    }

    /// The first mark of its entry that it has, not of the head. What it was given by a later entry of the page has a
    /// higher number.
    pub(crate) fn first_mark(&self) -> Mark {
        let mut first = Mark::NONE;
        self.walk((), &mut |seen: LeafView<'_>| {
            if seen.mark.is_some() && !seen.mark.of_feed() && (!first.is_some() || seen.mark.0 < first.0) {
                first = seen.mark;
            }
        });
        first
    }
}
