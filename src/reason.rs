//! The one table of reasons: why a value is not in the output as it was. Writers, fate tables and readers refer to a
//! row, so there are no other texts about losses. The codes that programs match on are in code.rs.

use std::fmt::Write as _;

use crate::code::{Class, Code, LossKind, Severity};

/// Declares the reasons: name, code (with its own class in parentheses where that of the code is not right), text, and
/// the option or the edit that avoids it.
macro_rules! reasons {
    ($($variant:ident $name:literal $code:ident $(($class:ident))? $text:literal $remedy:literal)*) => {
        /// Why a value is not in the output as it was: the texts and codes of reports follow from it.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Reason {
            $(#[doc = $text] $variant),*
        }

        impl Reason {
            /// All reasons.
            pub const ALL: &[Reason] = &[$(Reason::$variant),*];

            /// The stable name in reports, for `transfeed explain`.
            pub fn name(self) -> &'static str {
                match self { $(Reason::$variant => $name),* }
            }

            /// The reason with this name.
            pub fn by_name(name: &str) -> Option<Reason> {
                match name { $($name => Some(Reason::$variant),)* _ => None }
            }

            /// The code that reports give with it.
            pub const fn code(self) -> Code {
                match self { $(Reason::$variant => Code::$code),* }
            }

            /// The text in reports, short enough for a heading over several fields.
            pub const fn text(self) -> &'static str {
                match self { $(Reason::$variant => $text),* }
            }

            /// The option or the edit of the source that avoids it; empty if there is none.
            pub const fn remedy(self) -> &'static str {
                match self { $(Reason::$variant => $remedy),* }
            }

            /// Its own class, where that of the code is not right.
            const fn own_class(self) -> Option<Class> {
                match self { $(Reason::$variant => reasons!(@class $($class)?)),* }
            }
        }
    };
    (@class) => { None };
    (@class $class:ident) => { Some(Class::$class) };
}

reasons! {
    // The target has no element for it
    NoElement "no-element" NoCarrier "the target has no element for it" ""
    CrateField "crate-field" NoCarrier "the types of the crate have no field for it" ""
    SitemapElement "sitemap-element" NoCarrier "no element in a sitemap" ""
    VideoSitemapElement "video-sitemap-element" NoCarrier "no element in a video sitemap" ""
    SitemapVideo "sitemap-video" NoCarrier "no element for videos in a plain sitemap" "--to video-sitemap"
    SitemapThumbnail "sitemap-thumbnail" NoCarrier
        "no element for thumbnails in a plain sitemap" "--to video-sitemap, or --thumbnails-as-images"
    SitemapFile "sitemap-file" NoCarrier "no element for attached files in a sitemap" ""
    TextSitemapElement "text-sitemap-element" NoCarrier "no element in a text sitemap" "--to sitemap or --to video-sitemap"
    YandexElement "yandex-element" NoCarrier "no element that Yandex reads" "--for none"
    YandexVideoElement "yandex-video-element" NoCarrier "no element in descriptions for Yandex" ""
    RssElement "rss-element" NoCarrier "no element in RSS" ""
    RssVideo "rss-video" NoCarrier "no element for videos in plain RSS" "--to mrss"
    RssThumbnail "rss-thumbnail" NoCarrier "no element for thumbnails in plain RSS" "--to mrss"
    PodcastElement "podcast-element" NoCarrier "no element for it in a podcast" "--to mrss"
    EpisodeFile "episode-file" NoCarrier "no video file that the episode of a podcast could be" "add a media file in the source"
    AtomElement "atom-element" NoCarrier "no element in Atom" ""
    AtomVideo "atom-video" NoCarrier "no element for videos in plain Atom" "--to atom-media"
    AtomThumbnail "atom-thumbnail" NoCarrier "no element for thumbnails in plain Atom" "--to atom-media"
    JsonLdElement "json-ld-element" NoCarrier "no property in JSON-LD" ""
    JsonLdFile "json-ld-file" NoCarrier "no property for files other than videos in JSON-LD" ""
    MediaElement "media-element" NoCarrier "no element in Media RSS" ""
    ModuleElement "module-element" NoCarrier "no place for elements of iTunes, Dublin Core and others" ""
    JsonFeedMember "json-feed-member" NoCarrier "no member in JSON Feed" ""
    TableColumn "table-column" NoCarrier "no column in a table" ""
    TableFile "table-file" NoCarrier "no column for values of one file" ""
    TableColumnOff "table-column-off" ColumnNotChosen "no column is chosen for it" "--columns all"
    CarriedElement "carried-element" NoCarrier "no element in the sitemap extension that carries it" ""
    LiveItem "live-item" NoCarrier "no element for live-only items that Google reads" "--for none"
    FurtherHead "further-head" NoCarrier "no element for the head of a further input" "convert the inputs one by one"
    RdfOrder "rdf-order" NoCarrier(Technical) "no RDF list in the target; items keep the order of the document" ""
    UnknownMarkup "unknown-markup" ExtensionDropped "no element for unrecognized markup or values" "--foreign keep"
    DroppedMarkup "dropped-markup" ExtensionDropped
        "no unrecognized markup or values are written with --foreign drop" ""
    InvalidValue "invalid-value" InvalidDropped
        "no readable value for an element of the target" "correct it in the source"
    InvalidUnsupported "invalid-unsupported" InvalidDropped(Unsupported)
        "no readable value, and no element in the target" ""
    SchemaLocation "schema-location" TechnicalDropped "no use in the output: schema location" ""

    // The target has no attribute for it
    SitemapAttribute "sitemap-attribute" AttributeDropped "no attribute in a sitemap" ""
    RssAttribute "rss-attribute" AttributeDropped "no attribute in RSS" ""
    AtomAttribute "atom-attribute" AttributeDropped "no attribute in Atom" ""
    MediaAttribute "media-attribute" AttributeDropped "no attribute in Media RSS" ""
    NoLabel "no-label" LabelDropped "no place for a label" ""
    CategoryScheme "category-scheme" SchemeDropped "no attribute for category schemes in a video sitemap" ""
    JsonFeedScheme "json-feed-scheme" SchemeDropped "no member for category schemes in JSON Feed" ""
    JsonLdScheme "json-ld-scheme" SchemeDropped "no property for category schemes in JSON-LD" ""
    KindCategory "kind-category" SchemeDropped(Technical) "no topic: the category is the kind of a Google Data entry" ""
    DetachedAttribute "detached-attribute" AttributeDropped "no element to attach it to" "add the element it belongs to"

    // A value or part of it that the target requires is missing
    NoUrl "no-url" NoCarrier(Attention) "no URL (required by the target)" "add the URL in the source"
    NoText "no-text" NoCarrier "no text in it" "add text in the source"
    NoCurrency "no-currency" AttributeDropped(Attention)
        "no currency code of three letters (required by video:price)" "add the currency in the source"
    IncompletePart "incomplete-part" NoCarrier(Attention)
        "no value for a part that the target requires" "complete it in the source"
    OnePeriod "one-period" OutOfRange "Google allows only one valid period" "correct the dates in the source"
    NoHreflang "no-hreflang" NoCarrier(Attention) "no hreflang (required by Google)" "add hreflang in the source"
    IncompleteNews "incomplete-news" NoCarrier(Attention)
        "no name, language, date or title (required by Google News)" "--news-name TEXT, --news-language TAG"
    UnknownCountry "unknown-country" CountryDropped "no country code that the target knows" "correct the code in the source"
    AvatarImage "avatar-image" NoCarrier "no thumbnail: the image is an avatar" ""

    // Entries that are not written
    PageScheme "page-scheme" PageMissing
        "no valid page URL of http or https (required by the target)" "write one in the source"
    NoPage "no-page" PageMissing "no page URL (required by the target)" "add a link in the source (a page: <link rel=canonical>)"
    RelativePage "relative-page" PageMissing "no absolute page URL" "--base URL"
    NotPage "not-page" PageMissing "no page URL: relative, with an invalid host, or that of a media file" "--base URL, or correct it in the source"
    MediaPage "media-page" PageMissing "no page URL: the link is that of a media file" "add the URL of the page in the source"
    LongUrl "long-url" EntryDropped "the target allows no URLs of this length" "shorten the URL, or --for none"
    YandexScope "yandex-scope" EntryDropped
        "Yandex allows only URLs below the sitemap on its site" "--self URL of the sitemap, or --for none"
    NoVideo "no-video" EntryDropped "no video (required by the target)" "choose another target"
    NoSynth "no-synth" EntryDropped "no value that the target requires, and --no-synth is set" "omit --no-synth"
    EmptyEntry "empty-entry" EntryDropped "no value that the target has an element for" "choose another target"
    OverLimit "over-limit" EntryDropped "no entry read: it exceeds a limit" "raise the limit (--max-entry, --max-depth, ...)"
    IllFormed "ill-formed" EntryDropped "no entry read: its syntax is broken" "correct the syntax in the source"

    // What was not asked for
    TooOld "too-old" NotSelected "not chosen: older than --since or --max-age allows" ""
    TooNew "too-new" NotSelected "not chosen: newer than --until allows" ""
    Undated "undated" NotSelected "no date, which --since, --until and --max-age require" ""
    Expired "expired" NotSelected "not chosen: expired, and --drop-expired is set" ""
    WithoutVideo "without-video" NotSelected "no video, and --only-with-video is set" ""
    ConditionUnmet "condition-unmet" NotSelected "not chosen: the condition of --where is not met" ""
    BeyondLimit "beyond-limit" NotSelected "not chosen: after the last entry that --limit allows" ""
    DroppedField "dropped-field" FieldDropped "removed by --drop-field" ""

    // Videos that are not written
    NoThumbnail "no-thumbnail" VideoDropped
        "no thumbnail (required by Google)" "--default-thumbnail URL; --for none keeps the video"
    FeedImageOnly "feed-image-only" VideoDropped
        "no thumbnail (required by Google); the feed has an image" "--thumbnail-from-feed"
    SmallThumbnail "small-thumbnail" VideoDropped
        "no thumbnail of 60 × 30 pixels or more (required by Google)" "--default-thumbnail URL"
    NoTitle "no-title" VideoDropped "no title (required by Google)" "add a title, or omit --no-synth"
    NoVideoFile "no-video-file" VideoDropped "no URL of a media file, which the target needs" "add a media file in the source"
    NoUploadDate "no-upload-date" VideoDropped
        "no upload date (required by Google)" "add the date in the source; --for none keeps the video"
    NoDescription "no-description" VideoDropped "no description (required by Google)" "add a description, or omit --no-synth"
    RelativeThumbnail "relative-thumbnail" VideoDropped
        "no absolute URL of a thumbnail" "use absolute URLs in the source"
    RelativeUrl "relative-url" VideoDropped "no absolute URL of a file or player" "use absolute URLs in the source"
    NotPlayable "not-playable" VideoDropped
        "no file or player that Google takes" "add a media file or a player URL in the source"
    YandexNoThumbnail "yandex-no-thumbnail" VideoDropped "no thumbnail (required by Yandex)" "--default-thumbnail URL"
    YandexSmallThumbnail "yandex-small-thumbnail" VideoDropped
        "no thumbnail of 120 × 90 pixels or more (required by Yandex)" "--default-thumbnail URL"
    YandexNoTitle "yandex-no-title" VideoDropped "no title (required by Yandex)" "add a title, or omit --no-synth"
    YandexNoDescription "yandex-no-description" VideoDropped
        "no description (required by Yandex)" "add a description, or omit --no-synth"
    YandexNoDate "yandex-no-date" VideoDropped "no upload date (required by Yandex)" "add the date in the source"
    YandexNoFile "yandex-no-file" VideoDropped
        "no file or player (required by Yandex)" "add a media file or a player URL in the source"
    SameVideo "same-video" DuplicateMerged "same as another video of the page" ""
    NestedItem "nested-item" VideoDropped "no entry is read of an item in an item" "correct it in the source"
    UnreadVideo "unread-video" VideoDropped
        "no entry, list of entries or readable script around the video" "correct the source"
    InactiveVideo "inactive-video" VideoDropped "no viewers: blocked or deleted" "--keep-inactive"
    NoCountry "no-country" VideoDropped "no viewers: allowed in no known country" "write country codes such as DE in the source"
    DeniedCountry "denied-country" VideoDropped
        "no code that Google knows among the denied countries" "write country codes such as DE in the source"
    UnclearRestriction "unclear-restriction" VideoDropped
        "no known relationship of the countries" "write allow or deny in the source"

    // Limits of the target
    VideoTags "video-tags" ListCut "a video sitemap allows at most 32 tags" ""
    SitemapImages "sitemap-images" ListCut "a sitemap allows at most 1,000 images per page" ""
    LongTitle "long-title" Truncated "Google allows at most 100 characters in a title" "shorten it in the source"
    LongDescription "long-description" Truncated
        "Google allows at most 2,048 characters in a description" "shorten it in the source"
    LongCategory "long-category" Truncated "video:category allows at most 256 characters" "shorten it in the source"
    LongUploader "long-uploader" Truncated "video:uploader allows at most 255 characters" "shorten it in the source"
    ControlCharacters "control-characters" Truncated "XML 1.0 allows no control characters" "remove them in the source"
    YandexLongValue "yandex-long-value" OutOfRange "Yandex allows at most 100 bytes in a value" "shorten it, or --for none"
    NoDuration "no-duration" OutOfRange "a duration of 0: the video has no length" "correct it in the source"
    DurationRange "duration-range" OutOfRange
        "a video sitemap allows durations of 1 to 28,800 seconds" "correct it in the source"
    RatingRange "rating-range" OutOfRange "a video sitemap allows ratings of 0 to 5" "correct it in the source"
    NoVotes "no-votes" OutOfRange(Technical) "no rating: the number of votes is 0" ""
    RatingScale "rating-scale" OutOfRange "no rating: it is not on its scale" "correct it in the source"
    PriorityRange "priority-range" OutOfRange "a sitemap allows priorities of 0.0 to 1.0" "correct it in the source"
    NegativePrice "negative-price" OutOfRange "a video sitemap allows no negative prices" "correct it in the source"
    ThumbnailSize "thumbnail-size" OutOfRange "Google requires thumbnails of at least 60 × 30 pixels" "give a larger image"
    UnderThumbnailSize "under-thumbnail-size" ListReduced "Google allows no thumbnails below 60 × 30 pixels" ""
    RssImageSize "rss-image-size" AttributeDropped "RSS allows at most 144 × 400 pixels in an image" ""
    RssGenerator "rss-generator" Joined "RSS allows one text for the generator" ""
    RssOne "rss-one" NoCarrier "RSS allows one enclosure per item" ""
    RssOneDate "rss-one-date" NoCarrier "RSS allows one date per item" ""
    NoEnclosureType "no-enclosure-type" NoCarrier "no MIME type or size (required of an enclosure)" "add the type and size in the source"
    ArticleOfPage "article-of-page" NoCarrier "no place for the article of a page beside its videos" ""
    RssOneVideo "rss-one-video" NoCarrier "RSS allows values of one video per item" "--one-item-per-video, or --to mrss"
    RepeatedAttribute "repeated-attribute" AttributeDropped "XML allows an attribute once per element" ""
    AsPlainText "as-plain-text" MarkupStripped "replaced by plain text" ""
    AbsoluteUrl "absolute-url" RelativeUnresolved "Google requires absolute http or https URLs" "--base URL"
    AllowedScheme "allowed-scheme" SchemeUnsupported "Google allows no URLs of this scheme" ""
    UploaderSite "uploader-site" AttributeDropped "Google allows only uploader pages on the site of the page" ""
    AlternateHreflang "alternate-hreflang" EnumUnmapped
        "Google allows only alternate links with a language it knows" "correct it in the source, or --for none"
    NoTerm "no-term" EnumUnmapped "the target has no term for it" "correct it in the source"
    AudienceRating "audience-rating" EnumUnmapped "video:family_friendly allows only yes and no" ""
    MediaFile "media-file" FileTypeUnsupported "Google allows only media files as the file of a video" ""
    PlayerFile "player-file" FileTypeUnsupported(Unsupported) "no value of a media file: it is a player" ""
    RetiredElement "retired-element" DeprecatedDropped "no longer read by Google" "omit --no-deprecated"
    SeveralFiles "several-files" NoCarrier "no file that it is known to be of: the video has several" "give it to a file in the source"
    ExtensionOff "extension-off" NoCarrier "no extension for it is enabled" "--ext LIST"
    SitemapEmail "sitemap-email" NoCarrier "no element for an e-mail address in a sitemap" ""
    SelfUnknown "self-unknown" NoCarrier "no URL of the output is known; this is that of the source" "--self URL"

    // Not chosen
    FirstWins "first-wins" ConflictFirstWins "not chosen: the first value was" ""
    LatestWins "latest-wins" ConflictFirstWins "not chosen: the latest value was" ""
    CompleteNews "complete-news" ConflictFirstWins "not chosen: the first complete article was" ""
    InnerValue "inner-value" ConflictFirstWins "not chosen: the value of an inner element was" ""
    HighestWins "highest-wins" ConflictFirstWins "not chosen: the highest allowed value was" ""
    OlderRevision "older-revision" ConflictFirstWins "not chosen: the latest revision was, without this value" ""
    GivenUrl "given-url" ConflictFirstWins "not chosen: the URL given for the output was" ""
    EnrichedOver "enriched-over" ConflictFirstWins "not chosen: the value from --enrich was" "omit --enrich-over"
    OtherValue "other-value" Shadowed "not chosen: another value was" ""
    ElementNotChosen "element-not-chosen" Shadowed "not chosen: another element was" ""
    PageValue "page-value" NoCarrier "no written video inherits it" ""
    ItemValue "item-value" NoCarrier "not chosen: the value of the item was" ""
    MarkupInstead "markup-instead" NoCarrier "not chosen: the content with markup was" ""
    TitleOfAll "title-of-all" Shadowed "not chosen: attachments of one video have one title" ""
    ContentItself "content-itself" AttributeDropped "not chosen: the content itself was" ""
    LabelInstead "label-instead" Shadowed "replaced by its label" ""
    OtherFile "other-file" RenditionDropped "not chosen: another file was" "--rendition RULE"
    OtherThumbnail "other-thumbnail" ListReduced(Technical) "not chosen: another thumbnail was" "--thumbnail WHICH"
    OtherPlayer "other-player" SameAsPage "not chosen: another player was" ""

    // In the output by another value
    SameValue "same-value" DuplicateMerged "same as another value" ""
    SameElsewhere "same-elsewhere" DuplicateMerged "same value under another name" ""
    SameAsDefault "same-as-default" NoCarrier(Technical) "same as the default of the target" ""
    SameAsPage "same-as-page" SameAsPage "same as the page URL" ""
    SameAsFeedTitle "same-as-feed-title" NoCarrier(Technical) "same as the title of the feed" ""
    EarlierConversion "earlier-conversion" NoCarrier(Technical) "generated by an earlier conversion" ""

    // In another element
    UsedForEntry "used-for-entry" Moved "used as a value of the entry" ""
    UsedForVideo "used-for-video" Moved "used as a value of the video" ""
    UsedAsTitle "used-as-title" Moved "used as the title" ""
    UsedAsAuthor "used-as-author" Moved "used as an author or contributor" ""
    UsedAsCategory "used-as-category" Moved "used as a category or tag" ""
    UsedAsEnclosure "used-as-enclosure" Moved "used as an enclosure" ""
    OwnUrl "own-url" Moved "replaced by the URL of the output" ""
    OtherElement "other-element" Moved "used in another element" ""
    UsedAsPage "used-as-page" Moved "used as the page URL" ""
    AsMailto "as-mailto" Moved "used as the URL of the author" ""
    UsedAsExtension "used-as-extension" ForeignKept "used as an extension; the target has no element for it" ""
    CopiedMarkup "copied-markup" ForeignKept "same as in the source: unrecognized markup or value" ""
    UsedAsPlayer "used-as-player" TypeChanged "used as the player URL" ""

    // In another spelling
    AsHtml "as-html" TypeChanged "replaced by HTML" ""
    TableFormula "table-formula" TypeChanged "replaced by text with a quote in front, which no spreadsheet runs" ""
    LanguageTag "language-tag" TypeChanged "replaced by a language tag with hyphens" ""
    ReadablePart "readable-part" Split(Attention) "replaced by the part that is readable" "correct it in the source"
    UsualTerm "usual-term" EnumMapped "replaced by the usual term" ""
    UsedAsLikes "used-as-likes" EnumMapped "used as the number of likes" ""
    CountryCode "country-code" CountryFixed "replaced by its ISO 3166 code" ""
    AsUtc "as-utc" ZoneAssumed "replaced by UTC: the time has no known zone" "add the zone in the source"
    MorePrecise "more-precise" PrecisionRaised "replaced by a full date; the target requires one" "add the time in the source"
    LessPrecise "less-precise" PrecisionDropped "replaced by a less precise time" ""
    FarOffset "far-offset" PrecisionDropped "replaced by UTC: a sitemap allows no offset beyond 14 hours"
        "correct the offset in the source"
    RoundedNumber "rounded-number" Rounded "replaced by the rounded number" ""
    UsualUnit "usual-unit" UnitConverted "replaced by the usual unit" ""
    FiveStars "five-stars" Rescaled "replaced by a rating of 0 to 5" ""
    ResolvedUrl "resolved-url" UrlNormalized "replaced by the absolute URL" ""
    ValidUrl "valid-url" UrlNormalized "replaced by a valid URL or e-mail address" ""
    PlayerUrl "player-url" UrlRewritten "replaced by the URL of the player" "--no-rewrite"
    PageWithoutFragment "page-without-fragment" FragmentDropped "replaced by the URL without its fragment" "--keep-fragments"
    NameAndEmailApart "name-and-email-apart" Split "replaced by the name, without the e-mail address" ""
    DerivedId "derived-id" IdDerived "replaced by an id derived from it" ""
    IdOfVideo "id-of-video" IdDerived "replaced by an id derived from the page and the video" ""
    IdPermalink "id-permalink" PermalinkChanged "replaced by the form of the id: the page URL or another" ""
    RemovedByCaller "removed-by-caller" RemovedByCaller "removed by the calling program" ""
    EditedByCaller "edited-by-caller" EditedByCaller "replaced by the calling program" ""

    // Generated
    TitleFromFileName "title-from-file-name" SynthTitle
        "generated from the file name; the target requires a title" "add a title in the source"
    GeneratedTitle "generated-title" SynthTitle(Technical)
        "generated from other values; the target requires a title" ""
    TitleOfFiles "title-of-files" SynthTitle(Technical) "generated from other values; files of a video have one title" ""
    TitleFromText "title-from-text" SynthTitle
        "generated from a URL, an id or a text; the target requires a title" "add a title in the source"
    NewsNameGiven "news-name-given" SynthTitle(Technical) "generated from --news-name" ""
    EmptyTitle "empty-title" SynthTitle "generated empty; the target requires a title" "add a title in the source"
    EmptyDescription "empty-description" SynthDescription
        "generated empty; the target requires a description" "add a description in the source"
    EmptyLink "empty-link" SynthLink
        "generated empty; the target requires a link" "--base URL, or add a link in the source"
    EmptyLanguage "empty-language" SynthType "generated empty; the target requires a language" "--news-language"
    EmptyDate "empty-date" SynthDate "generated empty; the target requires a date" "add a date in the source"
    GeneratedDescription "generated-description" SynthDescription(Technical)
        "generated from other values; the target requires a description" ""
    DescriptionFromTitle "description-from-title" SynthDescription
        "generated from the title; the target requires a description" "add a description in the source"
    GeneratedThumbnail "generated-thumbnail" SynthThumbnail(Technical)
        "generated from another image; the target requires a thumbnail" ""
    PlatformThumbnail "platform-thumbnail" SynthThumbnail(Technical)
        "generated by a platform's pattern; the target requires a thumbnail" "add a thumbnail in the source"
    GivenThumbnail "given-thumbnail" SynthThumbnail(Technical)
        "generated from the image that an option selects" ""
    GeneratedPlayer "generated-player" SynthPlayer
        "generated from another URL; the target requires a file or player" "add a file or player URL in the source"
    VideoInHtml "video-in-html" SynthPlayer(Technical)
        "generated from a player or a video in HTML, by --videos-from-html" ""
    DefaultLength "default-length" SynthLength
        "generated by default (0); an enclosure requires a length" "add the length in the source"
    DurationOfVideo "duration-of-video" SynthLength
        "generated from the duration of another file of the video" ""
    GeneratedType "generated-type" SynthType
        "generated from the file name; a linked file requires a type" "add the type in the source"
    CommentsInRss "comments-in-rss" SynthType(Technical) "generated from the element, which names a feed in RSS" ""
    Enriched "enriched" FromOtherFile "generated from the file that --enrich names" ""
    DefaultTerm "default-term" SynthType
        "generated by default; the target requires it" "add it in the source"
    NewsLanguageGiven "news-language-given" SynthType(Technical) "generated from --news-language" ""
    GeneratedFriendliness "generated-friendliness" SynthType(Technical) "generated from the grade of a rating" ""
    GeneratedLink "generated-link" SynthLink
        "generated from other values; RSS requires a link" "--base URL, or add a link in the source"
    GeneratedPageUrl "generated-page-url" SynthLink(Technical)
        "generated from the id or another link; the target requires one" ""
    PageUrlOfDocument "page-url-of-document" SynthLink(Technical)
        "generated from the URL of the document, or --base" ""
    GeneratedSelfUrl "generated-self-url" SynthLink(Technical) "generated from the URL given for the output" ""
    GeneratedId "generated-id" SynthId "generated from other values; the target requires an id" "add an id in the source"
    GeneratedDate "generated-date" SynthDate(Technical)
        "generated from other dates; Atom requires a date of update" ""
    DateOfChange "date-of-change" Moved "generated from the date of the last change" ""
    DateOfPage "date-of-page" SynthDate(Technical)
        "generated from the date of the page; the target requires a date" ""
    DateOfFeed "date-of-feed" SynthDate
        "generated from the date of the feed; Atom requires a date" "add a date in the source"
    DateOfFile "date-of-file" SynthDate
        "generated from the date of the input file; Atom requires a date" "add a date in the source"
    DateOfRun "date-of-run" SynthDate
        "generated from the time of the run; Atom requires a date" "--now DATE, or add a date in the source"
    BaseAsLink "base-as-link" SynthLink "generated from --base; RSS requires a link" "add a link in the source"
    EmptyAuthor "empty-author" SynthAuthor
        "generated empty; Atom requires the name of an author" "add an author in the source"
    GeneratedAuthor "generated-author" SynthAuthor
        "generated from other values; Atom requires the name of an author" "add an author in the source"
}

impl Reason {
    /// What a value with it means to someone who publishes the output.
    pub const fn class(self) -> Class {
        match self.own_class() {
            Some(class) => class,
            None => self.code().class(),
        }
    }

    /// The class of a row of this kind: merged values are in the output, and generated ones should be in the source.
    pub fn class_as(self, kind: LossKind) -> Class {
        match kind {
            LossKind::Merged => Class::Technical,
            // a value that was taken from one with the same meaning, or requested, has a class of its own
            LossKind::Made | LossKind::Lost | LossKind::Changed | LossKind::Unread => self.class(),
        }
    }

    /// The code of a row of this kind: a list that is only partly written is split, and markup that no reader knows is
    /// either copied or dropped.
    pub fn code_as(self, kind: LossKind) -> Code {
        match (kind, self.code()) {
            (LossKind::Changed, code) if !code.is_change() => Code::Split,
            (LossKind::Unread, code) if !matches!(code, Code::ExtensionDropped | Code::InvalidDropped) => {
                Code::ForeignKept
            }
            (_, code) => code,
        }
    }

    /// Whether values are given with it that no source leaf gave, or that are also kept in their own place.
    pub fn is_generated(self) -> bool {
        self.code().is_generated() || self == Reason::DateOfChange
    }

    /// The kind of its rows, as far as the code decides it.
    pub fn usual_kind(self) -> LossKind {
        match self.code() {
            Code::DuplicateMerged | Code::ConflictFirstWins => LossKind::Merged,
            Code::ExtensionDropped | Code::InvalidDropped | Code::ForeignKept => LossKind::Unread,
            _ if self.is_generated() => LossKind::Made,
            code if code.is_change() => LossKind::Changed,
            _ => LossKind::Lost,
        }
    }

    /// How much a row with it matters.
    pub fn severity(self) -> Severity {
        Severity::from_code(self.usual_kind(), self.code())
    }
}

/// All reasons as the rows of a table in Markdown.
pub fn markdown() -> String {
    let mut page = String::new();
    for reason in Reason::ALL {
        let (class, severity) = (reason.class_as(reason.usual_kind()).name(), reason.severity().name());
        let (name, text, code, remedy) = (reason.name(), reason.text(), reason.code().name(), reason.remedy());
        let _ = writeln!(page, "| `{name}` | {text} | {class} | {severity} | `{code}` | {remedy} |");
    }
    page
}

/// A change of a value on its way out: what it is, and why.
pub type ValueChange = Option<Reason>;

/// The change to report for a value that was moved to another element and respelled: that of the spelling, because a
/// reader of the output cannot see it.
pub fn altering(moved: ValueChange, respelt: ValueChange) -> ValueChange {
    match moved {
        Some(why) if why.code() != Code::Moved => moved,
        Some(_) | None => respelt.or(moved),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use super::*;

    /// How texts begin that name what is missing, or what is in the output instead.
    const BEGINNINGS: [&str; 7] =
        ["no ", "not chosen: ", "same ", "used ", "replaced by ", "removed by ", "generated "];

    /// What texts hold that begin with the name of a target.
    const VERBS: [&str; 4] = [" has no ", " have no ", " allows ", " requires "];

    /// Words that make a text a riddle.
    const AVOIDED: [&str; 12] =
        ["such", "nobody", "none", "stands", "told", "says", "said", "address", "picture", "word", "what", "made"];

    #[test]
    fn texts_are_short_and_of_a_known_form() {
        for reason in Reason::ALL {
            let text = reason.text();
            assert!(text.chars().count() <= 70, "{reason:?} is long: {text}");
            let begins = BEGINNINGS.iter().any(|form| text.starts_with(form));
            assert!(begins || VERBS.iter().any(|verb| text.contains(verb)), "{reason:?} has no form: {text}");
            // an e-mail address has no other name
            let rest = text.replace("e-mail address", "");
            let mut words = rest.split(|letter: char| !letter.is_ascii_alphanumeric());
            assert!(!words.any(|word| AVOIDED.contains(&word)), "{reason:?}: {text}");
        }
    }

    #[test]
    fn names_and_texts_are_unique() {
        let (mut names, mut texts) = (HashSet::new(), HashSet::new());
        for reason in Reason::ALL {
            assert!(names.insert(reason.name()) && texts.insert(reason.text()), "{reason:?}");
            assert_eq!(Reason::by_name(reason.name()), Some(*reason));
            let variant: String = reason.name().split('-').map(|part| part[..1].to_uppercase() + &part[1..]).collect();
            assert_eq!(variant, format!("{reason:?}"));
            assert!(Code::by_name(reason.name()).is_none() && crate::model::Field::by_name(reason.name()).is_none());
        }
    }

    #[test]
    fn every_code_has_a_reason() {
        for code in Code::ALL {
            assert!(Reason::ALL.iter().any(|reason| reason.code() == *code), "{code:?}");
        }
    }

    #[test]
    fn every_reason_is_given_somewhere() {
        let mut source = String::new();
        read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut source);
        let given: HashSet<&str> = source
            .match_indices("Reason::")
            .map(|(at, found)| {
                let rest = &source[at + found.len()..];
                &rest[..rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len())]
            })
            .collect();
        for reason in Reason::ALL {
            assert!(given.contains(format!("{reason:?}").as_str()), "{reason:?} is never given");
        }
    }

    /// The program's own text, but for the table.
    fn read_all(folder: &Path, source: &mut String) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                read_all(&path, source);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("src/reason.rs") {
                source.push_str(&std::fs::read_to_string(&path).expect("text"));
            }
        }
    }
}
