//! The page (one entry of a feed, one `url` of a sitemap) and the head of its document.

use std::borrow::Cow;
use std::collections::HashMap;

use super::category::{Category, CategoryFields};
use super::date::Date;
use super::field::Field;
use super::leaf::{Leaf, Mark, Str, Text};
use super::origin::Origin;
use super::record::{IntoOwned, LeafView, Walk, record};
use super::value::Decimal;
use super::video::{File, Video};

record! {
    /// The head: the values of the whole document.
    pub struct Feed {
        /// RFC 4287 `id`.
        id: Option<Str<'a>> = Field::FeedId,
        /// `title`.
        title: Option<Text<'a>> = Field::FeedTitle,
        /// RSS `description`, Atom `subtitle`.
        subtitle: Option<Text<'a>> = Field::FeedSubtitle,
        /// RSS `link`, Atom `link rel=alternate`: the page the feed belongs to.
        home: Option<Str<'a>> = Field::FeedHome,
        /// `link rel=self`: the URL of the feed itself.
        #[serde(rename = "self")]
        self_url: Option<Str<'a>> = Field::FeedSelf,
        /// Further links. One without `href` holds the further attributes of the link that `home` or `self` came from.
        links: Vec<Link<'a>> = LinkFields::FEED,
        /// RSS `language`, `xml:lang` of the feed.
        language: Option<Str<'a>> = Field::FeedLanguage,
        /// `xml:base` of the document.
        base: Option<Str<'a>> = Field::FeedBase,
        /// RSS `copyright`, Atom `rights`.
        rights: Option<Text<'a>> = Field::FeedRights,
        /// RSS `managingEditor`, Atom `author`.
        authors: Vec<Person<'a>> = PersonFields::FEED_AUTHOR,
        /// Atom `contributor`.
        contributors: Vec<Person<'a>> = PersonFields::FEED_CONTRIBUTOR,
        /// RSS `webMaster`.
        web_master: Option<Person<'a>> = PersonFields::FEED_WEB_MASTER,
        /// `itunes:owner`.
        owner: Option<Person<'a>> = PersonFields::FEED_OWNER,
        /// `dc:publisher`.
        publisher: Option<Str<'a>> = Field::FeedPublisher,
        /// RSS `docs`.
        docs: Option<Str<'a>> = Field::FeedDocs,
        /// `category`.
        categories: Vec<Category<'a>> = CategoryFields::FEED,
        /// `generator`.
        generator: Option<Generator<'a>> = GeneratorFields::FEED,
        /// RSS `pubDate`.
        published: Option<Leaf<Date>> = Field::FeedPublished,
        /// RSS `lastBuildDate`, Atom `updated`.
        updated: Option<Leaf<Date>> = Field::FeedUpdated,
        /// RSS `image`, Atom `logo`.
        image: Option<FeedImage<'a>> = (),
        /// Atom `icon`.
        icon: Option<Str<'a>> = Field::FeedIcon,
        /// RSS `ttl`, in minutes.
        ttl: Option<Leaf<u64>> = Field::FeedTtl,
        /// RSS `skipHours`.
        skip_hours: Vec<Leaf<u64>> = Field::FeedSkipHour,
        /// RSS `skipDays`.
        skip_days: Vec<Str<'a>> = Field::FeedSkipDay,
        /// RSS `cloud`.
        cloud: Option<Cloud<'a>> = (),
        /// RSS `textInput`.
        text_input: Option<TextInput<'a>> = (),
        /// RSS `rating` (PICS).
        pics_rating: Option<Str<'a>> = Field::FeedPicsRating,
        /// `sy:updatePeriod`.
        update_period: Option<Str<'a>> = Field::FeedUpdatePeriod,
        /// `sy:updateFrequency`.
        update_frequency: Option<Leaf<u64>> = Field::FeedUpdateFrequency,
        /// `sy:updateBase`.
        update_base: Option<Leaf<Date>> = Field::FeedUpdateBase,
        /// `itunes:explicit`.
        explicit: Option<Leaf<bool>> = Field::FeedExplicit,
        /// Marks of the feed: `fh:complete`, `fh:archive`, `itunes:block`, `itunes:complete`, `itunes:new-feed-url`.
        flags: Vec<Flag<'a>> = (),
        /// Media RSS elements of the channel, which its videos inherit.
        media: Option<Box<Video<'a>>> = (),
        /// Elements of known modules whose concept has its place taken, or none.
        modules: Vec<Module<'a>> = Field::FeedModule,
        /// Markup and values that no reader recognized.
        foreign: Vec<Foreign<'a>> = Field::FeedForeign,
        /// Places of its leaves. Not part of equality.
        #[serde(skip)]
        origin: Origin<'a> = (),
    }
}

record! {
    /// One page: an RSS item, an Atom entry, a sitemap's `url`.
    pub struct Entry {
        /// Its URL: sitemap `loc`, RSS `link`, Atom `link rel=alternate`.
        loc: Option<Str<'a>> = Field::Loc,
        /// RSS `guid`, Atom `id`.
        id: Option<Str<'a>> = Field::Id,
        /// `guid@isPermaLink`, if given (RSS 2.0: default true).
        id_is_permalink: Option<Leaf<bool>> = Field::IdIsPermalink,
        /// `title`.
        title: Option<Text<'a>> = Field::Title,
        /// RSS `description`, Atom `summary`.
        summary: Option<Text<'a>> = Field::Summary,
        /// `content:encoded`, Atom `content`.
        content: Option<Text<'a>> = Field::Content,
        /// Atom `content@src`.
        content_src: Option<Str<'a>> = Field::ContentSrc,
        /// Atom `content@type` where it is a MIME type.
        content_type: Option<Str<'a>> = Field::ContentType,
        /// RSS `pubDate`, Atom `published`.
        published: Option<Leaf<Date>> = Field::Published,
        /// Atom `updated`, sitemap `lastmod`.
        updated: Option<Leaf<Date>> = Field::Updated,
        /// `dcterms:created`.
        created: Option<Leaf<Date>> = Field::Created,
        /// Sitemap `expires` (historic).
        expires: Option<Leaf<Date>> = Field::Expires,
        /// RSS `author`, `dc:creator`, Atom `author`.
        authors: Vec<Person<'a>> = PersonFields::AUTHOR,
        /// Atom `contributor`, `dc:contributor`.
        contributors: Vec<Person<'a>> = PersonFields::CONTRIBUTOR,
        /// `dc:publisher`.
        publisher: Option<Str<'a>> = Field::Publisher,
        /// `category`.
        categories: Vec<Category<'a>> = CategoryFields::PAGE,
        /// Further links. One without `href` holds the further attributes of the link that `loc`, `license`, `comments`
        /// or `comment_feed` came from (its `rel` shows which).
        links: Vec<Link<'a>> = LinkFields::PAGE,
        /// Files other than videos.
        enclosures: Vec<Enclosure<'a>> = (),
        /// Images of the page: `image:image`, `itunes:image`, `media:content medium=image`.
        images: Vec<Image<'a>> = (),
        /// `news:news`.
        news: Option<News<'a>> = (),
        /// The page in other languages: `xhtml:link`, links with `hreflang`.
        alternates: Vec<Link<'a>> = LinkFields::ALTERNATE,
        /// Sitemap `changefreq`.
        changefreq: Option<Str<'a>> = Field::Changefreq,
        /// Sitemap `priority`.
        priority: Option<Leaf<Decimal<'a>>> = Field::Priority,
        /// `dc:language`, `xml:lang` of the entry.
        language: Option<Str<'a>> = Field::Language,
        /// `xml:base` of the entry.
        base: Option<Str<'a>> = Field::Base,
        /// `dc:rights`, Atom `rights`.
        rights: Option<Text<'a>> = Field::Rights,
        /// URL of a license: `creativeCommons:license`, Atom `link rel=license`.
        license: Option<Str<'a>> = Field::License,
        /// RSS `comments`: URL of the page with comments.
        comments: Option<Str<'a>> = Field::Comments,
        /// `slash:comments`, `thr:total`.
        comment_count: Option<Leaf<u64>> = Field::CommentCount,
        /// `wfw:commentRss`, Atom `link rel=replies`: URL of the feed of comments.
        comment_feed: Option<Str<'a>> = Field::CommentFeed,
        /// `thr:in-reply-to` (RFC 4685).
        in_reply_to: Vec<InReplyTo<'a>> = (),
        /// The feed it was taken from: RSS `source`, Atom `source`.
        source: Option<Box<Source<'a>>> = (),
        /// `georss:*`, `geo:lat` and `geo:long`.
        location: Vec<Location<'a>> = (),
        /// Sitemap `mobile:mobile`.
        mobile: Option<Leaf<bool>> = Field::Mobile,
        /// Sitemap `PageMap`.
        page_map: Option<PageMap<'a>> = (),
        /// Media RSS elements of the item, which its videos inherit.
        media: Option<Box<Video<'a>>> = (),
        /// Its videos.
        videos: Vec<Video<'a>> = (),
        /// Elements of known modules whose concept has its place taken, or none.
        modules: Vec<Module<'a>> = Field::Module,
        /// Markup and values that no reader recognized.
        foreign: Vec<Foreign<'a>> = Field::Foreign,
        /// Places of its leaves. Not part of equality.
        #[serde(skip)]
        origin: Origin<'a> = (),
    }
}

/// What the leaves of a person are called in a place.
#[derive(Clone, Copy)]
pub struct PersonFields {
    name: Field,
    email: Field,
    uri: Field,
}

impl PersonFields {
    const fn new(name: Field, email: Field, uri: Field) -> PersonFields {
        PersonFields { name, email, uri }
    }
    pub(crate) const FEED_AUTHOR: PersonFields =
        PersonFields::new(Field::FeedAuthorName, Field::FeedAuthorEmail, Field::FeedAuthorUri);
    pub(crate) const FEED_CONTRIBUTOR: PersonFields =
        PersonFields::new(Field::FeedContributorName, Field::FeedContributorEmail, Field::FeedContributorUri);
    // neither `webMaster` nor `itunes:owner` has a place for a URL
    pub(crate) const FEED_WEB_MASTER: PersonFields =
        PersonFields::new(Field::FeedWebMasterName, Field::FeedWebMasterEmail, Field::FeedWebMasterName);
    pub(crate) const FEED_OWNER: PersonFields =
        PersonFields::new(Field::FeedOwnerName, Field::FeedOwnerEmail, Field::FeedOwnerName);
    pub(crate) const AUTHOR: PersonFields = PersonFields::new(Field::AuthorName, Field::AuthorEmail, Field::AuthorUri);
    pub(crate) const CONTRIBUTOR: PersonFields =
        PersonFields::new(Field::ContributorName, Field::ContributorEmail, Field::ContributorUri);
    pub(crate) const SOURCE_AUTHOR: PersonFields =
        PersonFields::new(Field::SourceAuthorName, Field::SourceAuthorEmail, Field::SourceAuthorUri);
    pub(crate) const SOURCE_CONTRIBUTOR: PersonFields =
        PersonFields::new(Field::SourceContributorName, Field::SourceContributorEmail, Field::SourceContributorUri);
}

record! {
    /// Someone, or an organisation (RFC 4287 section 3.2).
    pub struct Person(PersonFields as f) {
        /// Name.
        name: Option<Str<'a>> = f.name,
        /// E-mail address.
        email: Option<Str<'a>> = f.email,
        /// Page about them.
        uri: Option<Str<'a>> = f.uri,
    }
}

impl Person<'_> {
    /// The mark of their first value.
    pub(crate) fn first_mark(&self) -> Mark {
        let values = [&self.name, &self.email, &self.uri];
        values.into_iter().flatten().next().map_or(Mark::NONE, |value| value.mark)
    }
}

/// What the leaves of a link are called in a place.
#[derive(Clone, Copy)]
pub struct LinkFields {
    href: Field,
    rel: Field,
    kind: Field,
    hreflang: Field,
    title: Field,
    length: Field,
}

impl LinkFields {
    pub(crate) const FEED: LinkFields = LinkFields {
        href: Field::FeedLinkHref,
        rel: Field::FeedLinkRel,
        kind: Field::FeedLinkType,
        hreflang: Field::FeedLinkHreflang,
        title: Field::FeedLinkTitle,
        length: Field::FeedLinkLength,
    };
    pub(crate) const PAGE: LinkFields = LinkFields {
        href: Field::LinkHref,
        rel: Field::LinkRel,
        kind: Field::LinkType,
        hreflang: Field::LinkHreflang,
        title: Field::LinkTitle,
        length: Field::LinkLength,
    };
    pub(crate) const ALTERNATE: LinkFields = LinkFields {
        href: Field::AlternateHref,
        rel: Field::LinkRel,
        kind: Field::AlternateType,
        hreflang: Field::AlternateHreflang,
        title: Field::AlternateTitle,
        length: Field::AlternateLength,
    };
    pub(crate) const SOURCE: LinkFields = LinkFields {
        href: Field::SourceLinkHref,
        rel: Field::SourceLinkRel,
        kind: Field::SourceLinkType,
        hreflang: Field::SourceLinkHreflang,
        title: Field::SourceLinkTitle,
        length: Field::SourceLinkLength,
    };
}

record! {
    /// A reference (RFC 4287 section 4.2.7).
    pub struct Link(LinkFields as f) {
        /// URL.
        href: Option<Str<'a>> = f.href,
        /// Its relation (`via`, `related`, `hub` …), if given.
        rel: Option<Str<'a>> = f.rel,
        /// MIME type.
        #[serde(rename = "type")]
        kind: Option<Str<'a>> = f.kind,
        /// Language.
        hreflang: Option<Str<'a>> = f.hreflang,
        /// Title.
        title: Option<Str<'a>> = f.title,
        /// Bytes.
        length: Option<Leaf<u64>> = f.length,
        /// Media query (`xhtml:link@media`).
        media: Option<Str<'a>> = Field::LinkMedia,
        /// Attributes of known modules, under their usual prefix: `thr:count`, `thr:updated` (RFC 4685 section 4).
        modules: Vec<ModuleAttribute<'a>> = Field::Module,
        /// It is a link of a sitemap without `rel` (structure, no leaf).
        without_rel: bool = (),
    }
}

/// What the leaves of a generator are called in a place.
#[derive(Clone, Copy)]
pub struct GeneratorFields {
    name: Field,
    uri: Field,
    version: Field,
}

impl GeneratorFields {
    pub(crate) const FEED: GeneratorFields = GeneratorFields {
        name: Field::FeedGeneratorName,
        uri: Field::FeedGeneratorUri,
        version: Field::FeedGeneratorVersion,
    };
    pub(crate) const SOURCE: GeneratorFields = GeneratorFields {
        name: Field::SourceGeneratorName,
        uri: Field::SourceGeneratorUri,
        version: Field::SourceGeneratorVersion,
    };
}

record! {
    /// The program that wrote the document (RFC 4287 section 4.2.4).
    pub struct Generator(GeneratorFields as f) {
        /// Name.
        name: Option<Str<'a>> = f.name,
        /// Page about it.
        uri: Option<Str<'a>> = f.uri,
        /// Version.
        version: Option<Str<'a>> = f.version,
    }
}

record! {
    /// An image of the feed (RSS 2.0 `image`).
    pub struct FeedImage {
        /// URL.
        url: Option<Str<'a>> = Field::FeedImageUrl,
        /// Text in its place.
        title: Option<Text<'a>> = Field::FeedImageTitle,
        /// Page it leads to.
        link: Option<Str<'a>> = Field::FeedImageLink,
        /// Pixels, at most 144.
        width: Option<Leaf<u64>> = Field::FeedImageWidth,
        /// Pixels, at most 400.
        height: Option<Leaf<u64>> = Field::FeedImageHeight,
        /// Title of the link.
        description: Option<Text<'a>> = Field::FeedImageDescription,
    }
}

record! {
    /// Where to subscribe to changes (RSS 2.0 `cloud`).
    pub struct Cloud {
        /// Host.
        domain: Option<Str<'a>> = Field::FeedCloudDomain,
        /// Port.
        port: Option<Str<'a>> = Field::FeedCloudPort,
        /// Path.
        path: Option<Str<'a>> = Field::FeedCloudPath,
        /// Procedure to call.
        register_procedure: Option<Str<'a>> = Field::FeedCloudProcedure,
        /// `xml-rpc soap http-post`.
        protocol: Option<Str<'a>> = Field::FeedCloudProtocol,
    }
}

record! {
    /// A form (RSS 2.0 `textInput`).
    pub struct TextInput {
        /// Label of the button.
        title: Option<Text<'a>> = Field::FeedTextInputTitle,
        /// Its purpose.
        description: Option<Text<'a>> = Field::FeedTextInputDescription,
        /// Name of the text field.
        name: Option<Str<'a>> = Field::FeedTextInputName,
        /// Program that takes it.
        link: Option<Str<'a>> = Field::FeedTextInputLink,
    }
}

record! {
    /// A mark of the whole feed.
    pub struct Flag within name {
        /// The element: `fh:complete` (structure, no leaf).
        name: Cow<'a, str> = (),
        /// Its value; absent if the element itself is the value.
        value: Option<Str<'a>> = Field::FeedFlag,
        /// An element without content is a leaf by itself.
        flag: Option<Leaf<bool>> = Field::FeedFlag,
    }
}

record! {
    /// A file of the page other than a video.
    pub struct Enclosure {
        /// URL.
        url: Option<Str<'a>> = Field::EnclosureUrl,
        /// MIME type.
        #[serde(rename = "type")]
        kind: Option<Str<'a>> = Field::EnclosureType,
        /// Bytes.
        length: Option<Leaf<u64>> = Field::EnclosureLength,
        /// Title of the link (Atom).
        title: Option<Str<'a>> = Field::EnclosureTitle,
        /// Language (Atom `hreflang`).
        lang: Option<Str<'a>> = Field::EnclosureLang,
        /// The other attributes of `media:content`.
        file: Option<Box<File<'a>>> = (),
    }
}

record! {
    /// An image on the page (Google image sitemap).
    pub struct Image {
        /// URL.
        loc: Option<Str<'a>> = Field::ImageLoc,
        /// Caption (retired by Google).
        caption: Option<Text<'a>> = Field::ImageCaption,
        /// Title (retired by Google).
        title: Option<Text<'a>> = Field::ImageTitle,
        /// Place (retired by Google).
        geo_location: Option<Str<'a>> = Field::ImageGeoLocation,
        /// URL of its license (retired by Google).
        license: Option<Str<'a>> = Field::ImageLicense,
        /// The other attributes of `media:content`.
        file: Option<Box<File<'a>>> = (),
    }
}

record! {
    /// An article (Google news sitemap).
    pub struct News {
        /// Name of the publication.
        name: Option<Str<'a>> = Field::NewsName,
        /// Its language.
        language: Option<Str<'a>> = Field::NewsLanguage,
        /// `Subscription` or `Registration` (retired).
        access: Option<Str<'a>> = Field::NewsAccess,
        /// List of genres (retired).
        genres: Option<Str<'a>> = Field::NewsGenres,
        /// When it first appeared.
        published: Option<Leaf<Date>> = Field::NewsPublished,
        /// Its title.
        title: Option<Str<'a>> = Field::NewsTitle,
        /// List of keywords (retired).
        keywords: Option<Str<'a>> = Field::NewsKeywords,
        /// List of tickers (retired).
        stock_tickers: Option<Str<'a>> = Field::NewsStockTickers,
    }
}

record! {
    /// The entry that it replies to (RFC 4685 section 3).
    pub struct InReplyTo {
        /// Identifier of the entry.
        #[serde(rename = "ref")]
        reference: Option<Str<'a>> = Field::InReplyToRef,
        /// Its URL.
        href: Option<Str<'a>> = Field::InReplyToHref,
        /// MIME type.
        #[serde(rename = "type")]
        kind: Option<Str<'a>> = Field::InReplyToType,
        /// Its feed.
        source: Option<Str<'a>> = Field::InReplyToSource,
    }
}

record! {
    /// The feed an entry was taken from (RFC 4287 section 4.2.11; RSS 2.0 `source`).
    pub struct Source {
        /// `id`.
        id: Option<Str<'a>> = Field::SourceId,
        /// `title`, text of RSS `source`.
        title: Option<Text<'a>> = Field::SourceTitle,
        /// `subtitle`.
        subtitle: Option<Text<'a>> = Field::SourceSubtitle,
        /// `link rel=alternate`: the page the feed belongs to.
        home: Option<Str<'a>> = Field::SourceHome,
        /// The URL of the feed itself: RSS `source@url`, Atom `link rel=self`.
        #[serde(rename = "self")]
        self_url: Option<Str<'a>> = Field::SourceSelf,
        /// Further links. One without `href` holds the further attributes of the link that `home` or `self` came from.
        links: Vec<Link<'a>> = LinkFields::SOURCE,
        /// `updated`.
        updated: Option<Leaf<Date>> = Field::SourceUpdated,
        /// `rights`.
        rights: Option<Text<'a>> = Field::SourceRights,
        /// `author`.
        authors: Vec<Person<'a>> = PersonFields::SOURCE_AUTHOR,
        /// `contributor`.
        contributors: Vec<Person<'a>> = PersonFields::SOURCE_CONTRIBUTOR,
        /// `category`.
        categories: Vec<Category<'a>> = CategoryFields::SOURCE,
        /// `generator`.
        generator: Option<Generator<'a>> = GeneratorFields::SOURCE,
        /// `icon`.
        icon: Option<Str<'a>> = Field::SourceIcon,
        /// `logo`.
        image: Option<SourceImage<'a>> = (),
        /// `xml:lang`.
        language: Option<Str<'a>> = Field::SourceLanguage,
        /// `xml:base`.
        base: Option<Str<'a>> = Field::SourceBase,
    }
}

record! {
    /// An image of the feed an entry was copied from.
    pub struct SourceImage {
        /// URL.
        url: Option<Str<'a>> = Field::SourceImageUrl,
    }
}

record! {
    /// A place (GeoRSS Simple, W3C Geo).
    pub struct Location {
        /// "latitude longitude": `georss:point`, `gml:pos`, `geo:lat` with `geo:long`.
        point: Option<Str<'a>> = Field::LocationPoint,
        /// The element of a shape other than a point, `line polygon box` (structure, no leaf).
        shape: Cow<'a, str> = (),
        /// Its coordinates.
        coordinates: Option<Str<'a>> = Field::LocationShape,
        /// `georss:featureName`.
        name: Option<Str<'a>> = Field::LocationName,
    }
}

record! {
    /// Google's PageMap: data objects of a page.
    pub struct PageMap {
        /// `Template@src`.
        template: Option<Str<'a>> = Field::PageMapTemplate,
        /// `DataObject`.
        objects: Vec<DataObject<'a>> = (),
    }
}

record! {
    /// One object of a PageMap.
    pub struct DataObject {
        /// Its type.
        #[serde(rename = "type")]
        kind: Option<Str<'a>> = Field::PageMapType,
        /// Its name on the page.
        id: Option<Str<'a>> = Field::PageMapId,
        /// Its attributes.
        attributes: Vec<DataAttribute<'a>> = (),
    }
}

record! {
    /// One attribute of an object of a PageMap.
    pub struct DataAttribute {
        /// Name.
        name: Option<Str<'a>> = Field::PageMapAttributeName,
        /// Value, given as attribute or as text.
        value: Option<Str<'a>> = Field::PageMapAttributeValue,
        /// The value was text in the source (structure, no leaf).
        text: bool = (),
    }
}

record! {
    /// An element of a known module for which the model has no better place: `itunes:subtitle`, a second `dc:date`.
    pub struct Module(Field as f) within name {
        /// The element under its usual prefix (structure, no leaf).
        name: Cow<'a, str> = (),
        /// Its text.
        value: Option<Str<'a>> = f,
        /// Its attributes.
        attributes: Vec<ModuleAttribute<'a>> = f,
        /// Present for an element that has neither text nor attributes, which is a leaf by itself.
        flag: Option<Leaf<bool>> = f,
    }
}

record! {
    /// An attribute of a module element.
    pub struct ModuleAttribute(Field as f) within name {
        /// Its name (structure, no leaf).
        name: Cow<'a, str> = (),
        /// Its value.
        value: Option<Str<'a>> = f,
    }
}

record! {
    /// One piece of markup that no reader recognized, flat and in document order: an element comes before its attributes
    /// and children.
    pub struct Foreign(Field as f) within path {
        /// Its path in the source, root first, `[n]` on a step that repeats (structure, no leaf).
        path: Cow<'a, str> = (),
        /// Namespace; empty for none (structure, no leaf).
        ns: Cow<'a, str> = (),
        /// Name without prefix (structure, no leaf).
        name: Cow<'a, str> = (),
        /// Its own text, if any.
        value: Option<Str<'a>> = f,
        /// The leaf of an element with neither attributes nor content.
        #[serde(skip)]
        empty: Option<Leaf<EmptyContent>> = f,
    }
}

impl Foreign<'_> {
    /// Whether it is in a link of Atom, which it refers to by its number.
    pub(crate) fn is_in_link(&self) -> bool {
        let mut steps = self.path.split('/').skip(1);
        let link = steps.next().and_then(|step| step.strip_prefix("link"));
        link.is_some_and(|number| number.is_empty() || number.starts_with('[')) && steps.next().is_some()
    }

    /// Whether a video was in its place.
    pub(crate) fn is_video_place(&self) -> bool {
        self.value.is_none() && self.ns == VIDEO_PLACE
    }

    /// Whether more of a video that has its place before was in its place.
    pub(crate) fn is_same_video(&self) -> bool {
        self.value.is_none() && self.ns == SAME_VIDEO
    }
}

/// The namespace of a foreign element that is no leaf: a video was in its place, and unknown values are around it.
pub(crate) const VIDEO_PLACE: &str = "VideoObject";

/// The same where an object with the `@id` of an earlier video was: both are one video.
pub(crate) const SAME_VIDEO: &str = "VideoObject again";

/// The `@id` of each object with one, by the path of the object.
pub(crate) fn ids_of_objects<'f>(foreign: &'f [Foreign<'_>]) -> HashMap<&'f str, &'f str> {
    let ids = foreign.iter().filter(|item| item.name == "@id");
    ids.filter_map(|item| Some((item.path.strip_suffix("/@id")?, &*item.value.as_ref()?.value))).collect()
}

/// The namespace of attributes that say where schemas are (XML Schema 1.0, part 1, section 2.6).
const SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Whether an attribute gives the location of its document's schema, which is not data about pages and videos.
pub(crate) fn is_technical(ns: &str, name: &str) -> bool {
    ns == SCHEMA_INSTANCE && matches!(name, "schemaLocation" | "noNamespaceSchemaLocation")
}

/// The value of an element with neither attributes nor content.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EmptyContent;

impl super::record::LeafType for EmptyContent {
    const TYPE: super::record::ValueType = super::record::ValueType::Nothing;
    fn value(&self) -> super::record::Value<'_> {
        super::record::Value::Nothing
    }
}

impl IntoOwned for EmptyContent {
    type Owned = EmptyContent;
    fn into_owned(self) -> EmptyContent {
        self
    }
}

impl<'a> Entry<'a> {
    /// Visits every leaf once, in model order.
    pub fn each_leaf<'e>(&'e self, visit: &mut dyn FnMut(LeafView<'e>)) {
        self.walk((), visit);
    }

    /// A page with only a URL.
    pub fn at(loc: &'a str) -> Entry<'a> {
        Entry { loc: Some(loc.into()), ..Entry::default() }
    }

    /// The 1-based line where it begins in its source; 0 for one made by hand.
    pub fn line(&self) -> u32 {
        self.origin.line()
    }

    /// The module element with this name, under its usual prefix.
    pub fn module(&self, name: &str) -> Option<&Module<'a>> {
        self.modules.iter().find(|module| module.name == name)
    }
}

impl<'a> Feed<'a> {
    /// Visits every leaf once, in model order.
    pub fn each_leaf<'e>(&'e self, visit: &mut dyn FnMut(LeafView<'e>)) {
        self.walk((), visit);
    }

    /// The module element with this name, under its usual prefix.
    pub fn module(&self, name: &str) -> Option<&Module<'a>> {
        self.modules.iter().find(|module| module.name == name)
    }
}
