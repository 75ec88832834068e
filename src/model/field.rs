//! The names of all leaves of the model: one variant per concept, with the name used in reports, in the matrix and in
//! `diff`. The formats' fate tables define how each format handles them.

/// The part of the model that a field belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelPart {
    /// The head of the document.
    Head,
    /// The page.
    Page,
    /// Any text.
    Text,
    /// The video, also as the media members of the head, the page and a rendition.
    Video,
}

/// Declares the fields by their groups, with the names that reports give them.
macro_rules! fields {
    ($($group:ident { $($variant:ident $name:literal)* })*) => {
        /// A concept of the model. The variant is named after its place, the string is what reports say.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u16)]
        #[allow(missing_docs, reason = "the names are the documentation; mod.rs describes each member")]
        pub enum Field { $($($variant),*),* }

        impl Field {
            /// All fields, in model order.
            pub const ALL: &[Field] = &[$($(Field::$variant),*),*];
            /// The name in reports: `video.file.bitrate`.
            pub fn name(self) -> &'static str {
                match self { $($(Field::$variant => $name),*),* }
            }
            /// The part of the model that it belongs to.
            pub const fn group(self) -> ModelPart {
                match self { $($(Field::$variant)|* => ModelPart::$group),* }
            }
            /// The reason text for a value whose text is the same as this field's.
            pub(crate) fn same_as(self) -> &'static str {
                match self { $($(Field::$variant => concat!("same as ", $name)),*),* }
            }
        }
    };
}

fields! {
    Head {
        FeedId "feed.id"
        FeedTitle "feed.title"
        FeedSubtitle "feed.subtitle"
        FeedHome "feed.home"
        FeedSelf "feed.self"
        FeedLinkHref "feed.link.href"
        FeedLinkRel "feed.link.rel"
        FeedLinkType "feed.link.type"
        FeedLinkHreflang "feed.link.hreflang"
        FeedLinkTitle "feed.link.title"
        FeedLinkLength "feed.link.length"
        FeedLanguage "feed.language"
        FeedBase "feed.base"
        FeedRights "feed.rights"
        FeedAuthorName "feed.author.name"
        FeedAuthorEmail "feed.author.email"
        FeedAuthorUri "feed.author.uri"
        FeedContributorName "feed.contributor.name"
        FeedContributorEmail "feed.contributor.email"
        FeedContributorUri "feed.contributor.uri"
        FeedWebMasterName "feed.web_master.name"
        FeedWebMasterEmail "feed.web_master.email"
        FeedOwnerName "feed.owner.name"
        FeedOwnerEmail "feed.owner.email"
        FeedPublisher "feed.publisher"
        FeedDocs "feed.docs"
        FeedCategoryTerm "feed.category.term"
        FeedCategoryScheme "feed.category.scheme"
        FeedCategoryLabel "feed.category.label"
        FeedGeneratorName "feed.generator.name"
        FeedGeneratorUri "feed.generator.uri"
        FeedGeneratorVersion "feed.generator.version"
        FeedPublished "feed.published"
        FeedUpdated "feed.updated"
        FeedImageUrl "feed.image.url"
        FeedImageTitle "feed.image.title"
        FeedImageLink "feed.image.link"
        FeedImageWidth "feed.image.width"
        FeedImageHeight "feed.image.height"
        FeedImageDescription "feed.image.description"
        FeedIcon "feed.icon"
        FeedTtl "feed.ttl"
        FeedSkipHour "feed.skip_hours"
        FeedSkipDay "feed.skip_days"
        FeedCloudDomain "feed.cloud.domain"
        FeedCloudPort "feed.cloud.port"
        FeedCloudPath "feed.cloud.path"
        FeedCloudProcedure "feed.cloud.register_procedure"
        FeedCloudProtocol "feed.cloud.protocol"
        FeedTextInputTitle "feed.text_input.title"
        FeedTextInputDescription "feed.text_input.description"
        FeedTextInputName "feed.text_input.name"
        FeedTextInputLink "feed.text_input.link"
        FeedPicsRating "feed.pics_rating"
        FeedUpdatePeriod "feed.update_period"
        FeedUpdateFrequency "feed.update_frequency"
        FeedUpdateBase "feed.update_base"
        FeedExplicit "feed.explicit"
        FeedFlag "feed.flags"
        FeedModule "feed.modules"
        FeedForeign "feed.foreign"
    }
    Page {
        Loc "loc"
        Id "id"
        IdIsPermalink "id_is_permalink"
        Title "title"
        Summary "summary"
        Content "content"
        ContentSrc "content_src"
        ContentType "content_type"
        Published "published"
        Updated "updated"
        Created "created"
        Expires "expires"
        AuthorName "author.name"
        AuthorEmail "author.email"
        AuthorUri "author.uri"
        ContributorName "contributor.name"
        ContributorEmail "contributor.email"
        ContributorUri "contributor.uri"
        Publisher "publisher"
        CategoryTerm "category.term"
        CategoryScheme "category.scheme"
        CategoryLabel "category.label"
        LinkHref "link.href"
        LinkRel "link.rel"
        LinkType "link.type"
        LinkHreflang "link.hreflang"
        LinkTitle "link.title"
        LinkLength "link.length"
        LinkMedia "link.media"
        EnclosureUrl "enclosure.url"
        EnclosureType "enclosure.type"
        EnclosureLength "enclosure.length"
        EnclosureTitle "enclosure.title"
        EnclosureLang "enclosure.lang"
        ImageLoc "image.loc"
        ImageCaption "image.caption"
        ImageTitle "image.title"
        ImageGeoLocation "image.geo_location"
        ImageLicense "image.license"
        NewsName "news.name"
        NewsLanguage "news.language"
        NewsPublished "news.published"
        NewsTitle "news.title"
        NewsAccess "news.access"
        NewsGenres "news.genres"
        NewsKeywords "news.keywords"
        NewsStockTickers "news.stock_tickers"
        AlternateHref "alternate.href"
        AlternateHreflang "alternate.hreflang"
        AlternateType "alternate.type"
        AlternateTitle "alternate.title"
        AlternateLength "alternate.length"
        Changefreq "changefreq"
        Priority "priority"
        Language "language"
        Base "base"
        Rights "rights"
        License "license"
        Comments "comments"
        CommentCount "comment_count"
        CommentFeed "comment_feed"
        InReplyToRef "in_reply_to.ref"
        InReplyToHref "in_reply_to.href"
        InReplyToType "in_reply_to.type"
        InReplyToSource "in_reply_to.source"
        SourceId "source.id"
        SourceTitle "source.title"
        SourceSubtitle "source.subtitle"
        SourceHome "source.home"
        SourceSelf "source.self"
        SourceLinkHref "source.link.href"
        SourceLinkRel "source.link.rel"
        SourceLinkType "source.link.type"
        SourceLinkHreflang "source.link.hreflang"
        SourceLinkTitle "source.link.title"
        SourceLinkLength "source.link.length"
        SourceUpdated "source.updated"
        SourceRights "source.rights"
        SourceAuthorName "source.author.name"
        SourceAuthorEmail "source.author.email"
        SourceAuthorUri "source.author.uri"
        SourceContributorName "source.contributor.name"
        SourceContributorEmail "source.contributor.email"
        SourceContributorUri "source.contributor.uri"
        SourceCategoryTerm "source.category.term"
        SourceCategoryScheme "source.category.scheme"
        SourceCategoryLabel "source.category.label"
        SourceGeneratorName "source.generator.name"
        SourceGeneratorUri "source.generator.uri"
        SourceGeneratorVersion "source.generator.version"
        SourceIcon "source.icon"
        SourceImageUrl "source.image.url"
        SourceLanguage "source.language"
        SourceBase "source.base"
        LocationPoint "location.point"
        LocationShape "location.shape"
        LocationName "location.name"
        Mobile "mobile"
        PageMapTemplate "page_map.template"
        PageMapType "page_map.object.type"
        PageMapId "page_map.object.id"
        PageMapAttributeName "page_map.attribute.name"
        PageMapAttributeValue "page_map.attribute.value"
        Module "modules"
        Foreign "foreign"
    }
    Text {
        TextLang "text.lang"
        TextBase "text.base"
    }
    Video {
        VideoId "video.id"
        VideoTitle "video.title"
        VideoDescription "video.description"
        VideoThumbnailUrl "video.thumbnail.url"
        VideoThumbnailWidth "video.thumbnail.width"
        VideoThumbnailHeight "video.thumbnail.height"
        VideoThumbnailTime "video.thumbnail.time"
        VideoPlayerUrl "video.player.url"
        VideoPlayerWidth "video.player.width"
        VideoPlayerHeight "video.player.height"
        VideoFileUrl "video.file.url"
        VideoFileType "video.file.type"
        VideoFileCodecs "video.file.codecs"
        VideoFileMedium "video.file.medium"
        VideoFileWidth "video.file.width"
        VideoFileHeight "video.file.height"
        VideoFileBitrate "video.file.bitrate"
        VideoFileFramerate "video.file.framerate"
        VideoFileSamplingrate "video.file.samplingrate"
        VideoFileChannels "video.file.channels"
        VideoFileSize "video.file.size"
        VideoFileLang "video.file.lang"
        VideoFileDuration "video.file.duration"
        VideoFileIsDefault "video.file.is_default"
        VideoFileExpression "video.file.expression"
        VideoFileTitle "video.file.title"
        VideoDuration "video.duration"
        VideoPublished "video.published"
        VideoAvailableStart "video.available.start"
        VideoAvailableEnd "video.available.end"
        VideoAvailableName "video.available.name"
        VideoRatingAverage "video.rating.average"
        VideoRatingCount "video.rating.count"
        VideoRatingMin "video.rating.min"
        VideoRatingMax "video.rating.max"
        VideoRatingsValue "video.ratings.value"
        VideoRatingsScheme "video.ratings.scheme"
        VideoAdult "video.adult"
        VideoViews "video.views"
        VideoFavorites "video.favorites"
        VideoFamilyFriendly "video.family_friendly"
        VideoRestrictionRelationship "video.restriction.relationship"
        VideoRestrictionCountry "video.restriction.countries"
        VideoPlatformRelationship "video.platform.relationship"
        VideoPlatform "video.platform.platforms"
        VideoUriRestrictionRelationship "video.uri_restriction.relationship"
        VideoUriRestriction "video.uri_restriction.values"
        VideoSharing "video.sharing"
        VideoAllowEmbed "video.allow_embed"
        VideoAutoplay "video.autoplay"
        VideoPriceAmount "video.price.amount"
        VideoPriceCurrency "video.price.currency"
        VideoPriceType "video.price.type"
        VideoPriceResolution "video.price.resolution"
        VideoPriceInfo "video.price.info"
        VideoRequiresSubscription "video.requires_subscription"
        VideoUploaderName "video.uploader.name"
        VideoUploaderUri "video.uploader.uri"
        VideoCreditName "video.credit.name"
        VideoCreditRole "video.credit.role"
        VideoCreditScheme "video.credit.scheme"
        VideoLive "video.live"
        VideoTag "video.tags"
        VideoTagWeightTag "video.tag_weights.tag"
        VideoTagWeightWeight "video.tag_weights.weight"
        VideoCategoryTerm "video.category.term"
        VideoCategoryScheme "video.category.scheme"
        VideoCategoryLabel "video.category.label"
        VideoCopyrightText "video.copyright.text"
        VideoCopyrightUrl "video.copyright.url"
        VideoLicenseText "video.license.text"
        VideoLicenseHref "video.license.href"
        VideoLicenseType "video.license.type"
        VideoHashValue "video.hash.value"
        VideoHashAlgo "video.hash.algo"
        VideoTextValue "video.text.value"
        VideoTextLang "video.text.lang"
        VideoTextStart "video.text.start"
        VideoTextEnd "video.text.end"
        VideoSubtitleHref "video.subtitle.href"
        VideoSubtitleLang "video.subtitle.lang"
        VideoSubtitleType "video.subtitle.type"
        VideoEmbedUrl "video.embed.url"
        VideoEmbedWidth "video.embed.width"
        VideoEmbedHeight "video.embed.height"
        VideoEmbedParamName "video.embed.param.name"
        VideoEmbedParamValue "video.embed.param.value"
        VideoStatusState "video.status.state"
        VideoStatusReason "video.status.reason"
        VideoRightsStatus "video.rights_status"
        VideoSceneTitle "video.scene.title"
        VideoSceneDescription "video.scene.description"
        VideoSceneStart "video.scene.start"
        VideoSceneEnd "video.scene.end"
        VideoLocationDescription "video.location.description"
        VideoLocationStart "video.location.start"
        VideoLocationEnd "video.location.end"
        VideoLocationPoint "video.location.point"
        VideoPeerLinkHref "video.peer_link.href"
        VideoPeerLinkType "video.peer_link.type"
        VideoComment "video.comments"
        VideoResponse "video.responses"
        VideoBackLink "video.back_links"
        VideoTvShowTitle "video.tv.show_title"
        VideoTvType "video.tv.type"
        VideoTvEpisodeTitle "video.tv.episode_title"
        VideoTvSeason "video.tv.season"
        VideoTvEpisode "video.tv.episode"
        VideoTvPremiere "video.tv.premiere"
        VideoIdsValue "video.ids.value"
        VideoIdsType "video.ids.type"
        VideoGalleryUrl "video.gallery.url"
        VideoGalleryTitle "video.gallery.title"
        VideoSegmentUrl "video.segment.url"
        VideoSegmentDuration "video.segment.duration"
    }
}

impl Field {
    /// The field with this name in reports.
    pub fn by_name(name: &str) -> Option<Field> {
        Field::ALL.iter().copied().find(|field| field.name() == name)
    }

    /// The words that it can have, if all formats have the same ones; otherwise an empty list.
    pub(crate) fn terms(self) -> &'static [&'static str] {
        match self {
            Field::Changefreq => &["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"],
            Field::VideoRestrictionRelationship
            | Field::VideoPlatformRelationship
            | Field::VideoUriRestrictionRelationship
            | Field::VideoSharing => &["allow", "deny"],
            Field::VideoPriceType => &["rent", "purchase", "package", "subscription"],
            Field::VideoPriceResolution => &["hd", "sd"],
            _ => &[],
        }
    }
}
