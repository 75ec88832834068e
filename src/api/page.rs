//! The page (an entry of a feed, a `url` of a sitemap) and the head of its document.

// How they become the model is in part.rs and edit.rs.

use super::decimal::Decimal;
use super::part::part;
use super::text::Text;
use super::video::{Category, File, Video};
use crate::model::Date;

part! {
    /// The head of a document: the channel of RSS, the feed of Atom.
    ///
    /// ```
    /// use transfeed::{Head, Person};
    ///
    /// let head = Head {
    ///     title: Some("Lighthouses".into()),
    ///     home: Some("https://example.com/".into()),
    ///     authors: vec![Person::named("Anna")],
    ///     ..Head::default()
    /// };
    /// # let _ = head;
    /// ```
    pub struct Head from model::Feed but origin {
        /// RFC 4287 `id`.
        id: Option<String>,
        /// `title`.
        title: Option<Text>,
        /// RSS `description`, Atom `subtitle`.
        subtitle: Option<Text>,
        /// RSS `link`, Atom `link rel=alternate`: the page the feed belongs to.
        home: Option<String>,
        /// `link rel=self`: the URL of the feed.
        self_url: Option<String>,
        /// Further links. One without `href` has the further attributes of the link of `home` or `self`.
        links: Vec<Link>,
        /// RSS `language`, `xml:lang` of the feed.
        language: Option<String>,
        /// `xml:base` of the document.
        base: Option<String>,
        /// RSS `copyright`, Atom `rights`.
        rights: Option<Text>,
        /// RSS `managingEditor`, Atom `author`.
        authors: Vec<Person>,
        /// Atom `contributor`.
        contributors: Vec<Person>,
        /// RSS `webMaster`.
        web_master: Option<Person>,
        /// `itunes:owner`.
        owner: Option<Person>,
        /// `dc:publisher`.
        publisher: Option<String>,
        /// RSS `docs`.
        docs: Option<String>,
        /// `category`.
        categories: Vec<Category>,
        /// `generator`.
        generator: Option<Generator>,
        /// RSS `pubDate`.
        published: Option<Date>,
        /// RSS `lastBuildDate`, Atom `updated`.
        updated: Option<Date>,
        /// RSS `image`, Atom `logo`.
        image: Option<FeedImage>,
        /// Atom `icon`.
        icon: Option<String>,
        /// RSS `ttl`, in minutes.
        ttl: Option<u64>,
        /// RSS `skipHours`.
        skip_hours: Vec<u64>,
        /// RSS `skipDays`.
        skip_days: Vec<String>,
        /// RSS `cloud`.
        cloud: Option<Cloud>,
        /// RSS `textInput`.
        text_input: Option<TextInput>,
        /// RSS `rating` (PICS).
        pics_rating: Option<String>,
        /// `sy:updatePeriod`.
        update_period: Option<String>,
        /// `sy:updateFrequency`.
        update_frequency: Option<u64>,
        /// `sy:updateBase`.
        update_base: Option<Date>,
        /// `itunes:explicit`.
        explicit: Option<bool>,
        /// Marks of the feed: `fh:complete`, `fh:archive`, `itunes:block`, `itunes:complete`, `itunes:new-feed-url`.
        flags: Vec<Flag>,
        /// Values of the channel for all its videos (Media RSS). The videos have them too; edit them there.
        media: Option<Box<Video>>,
        /// Elements of known modules that are not in another member.
        modules: Vec<Module>,
        /// Unrecognized markup, flat and in document order. It is copied within a format family.
        foreign: Vec<Foreign>,
    }
}

part! {
    /// One page: an RSS item, an Atom entry, a sitemap's `url`.
    ///
    /// ```
    /// use transfeed::{Category, Date, Entry};
    ///
    /// let entry = Entry {
    ///     title: Some("A lighthouse".into()),
    ///     published: Date::ymd(2026, 11, 23),
    ///     categories: vec![Category::named("Coast")],
    ///     ..Entry::at("https://example.com/1")
    /// };
    /// assert_eq!(entry.published.unwrap().to_string(), "2026-11-23");
    /// ```
    pub struct Entry from model::Entry but origin {
        /// Its URL: sitemap `loc`, RSS `link`, Atom `link rel=alternate`.
        loc: Option<String>,
        /// RSS `guid`, Atom `id`.
        id: Option<String>,
        /// `guid@isPermaLink`, if given (RSS 2.0: default true).
        id_is_permalink: Option<bool>,
        /// `title`.
        title: Option<Text>,
        /// RSS `description`, Atom `summary`.
        summary: Option<Text>,
        /// `content:encoded`, Atom `content`.
        content: Option<Text>,
        /// Atom `content@src`.
        content_src: Option<String>,
        /// Atom `content@type` if it is a MIME type.
        content_type: Option<String>,
        /// RSS `pubDate`, Atom `published`.
        published: Option<Date>,
        /// Atom `updated`, sitemap `lastmod`.
        updated: Option<Date>,
        /// `dcterms:created`.
        created: Option<Date>,
        /// Sitemap `expires` (historic).
        expires: Option<Date>,
        /// RSS `author`, `dc:creator`, Atom `author`.
        authors: Vec<Person>,
        /// Atom `contributor`, `dc:contributor`.
        contributors: Vec<Person>,
        /// `dc:publisher`.
        publisher: Option<String>,
        /// `category`.
        categories: Vec<Category>,
        /// Further links. One without `href` has the further attributes of the link of `loc`, `license`,
        /// `comments` or `comment_feed` (see its `rel`).
        links: Vec<Link>,
        /// Files that are not videos.
        enclosures: Vec<Enclosure>,
        /// Images of the page: `image:image`, `itunes:image`, `media:content medium=image`.
        images: Vec<Image>,
        /// `news:news`.
        news: Option<News>,
        /// The page in other languages: `xhtml:link`, links with `hreflang`.
        alternates: Vec<Link>,
        /// Sitemap `changefreq`.
        changefreq: Option<String>,
        /// Sitemap `priority`.
        priority: Option<Decimal>,
        /// `dc:language`, `xml:lang` of the entry.
        language: Option<String>,
        /// `xml:base` of the entry.
        base: Option<String>,
        /// `dc:rights`, Atom `rights`.
        rights: Option<Text>,
        /// URL of a license: `creativeCommons:license`, Atom `link rel=license`.
        license: Option<String>,
        /// RSS `comments`: URL of the page with comments.
        comments: Option<String>,
        /// `slash:comments`, `thr:total`.
        comment_count: Option<u64>,
        /// `wfw:commentRss`, Atom `link rel=replies`: URL of the feed of comments.
        comment_feed: Option<String>,
        /// `thr:in-reply-to` (RFC 4685).
        in_reply_to: Vec<InReplyTo>,
        /// The feed it was taken from: RSS `source`, Atom `source`.
        source: Option<Box<Source>>,
        /// `georss:*`, `geo:lat` and `geo:long`.
        location: Vec<Location>,
        /// Sitemap `mobile:mobile`.
        mobile: Option<bool>,
        /// Sitemap `PageMap`.
        page_map: Option<PageMap>,
        /// Values of the item for all its videos (Media RSS). The videos have them too; edit them there, and the item follows.
        media: Option<Box<Video>>,
        /// Its videos.
        videos: Vec<Video>,
        /// Elements of known modules that are not in another member.
        modules: Vec<Module>,
        /// Unrecognized markup, flat and in document order. It is copied within a format family.
        foreign: Vec<Foreign>,
    }
}

part! {
    /// A person or an organization (RFC 4287 section 3.2).
    pub struct Person from model::Person {
        /// Name.
        name: Option<String>,
        /// E-mail address.
        email: Option<String>,
        /// Page about the person.
        uri: Option<String>,
    }
}

part! {
    /// A reference (RFC 4287 section 4.2.7).
    pub struct Link from model::Link {
        /// URL.
        href: Option<String>,
        /// Its relation (`via`, `related`, `hub` …), if given.
        rel: Option<String>,
        /// MIME type.
        kind: Option<String>,
        /// Language.
        hreflang: Option<String>,
        /// Title.
        title: Option<String>,
        /// Bytes.
        length: Option<u64>,
        /// Media query (`xhtml:link@media`).
        media: Option<String>,
        /// Attributes of known modules, under their usual prefix: `thr:count`, `thr:updated` (RFC 4685 section 4).
        modules: Vec<ModuleAttribute>,
        /// It is a link of a sitemap without `rel`.
        without_rel: bool,
    }
}

part! {
    /// The program that wrote the document (RFC 4287 section 4.2.4).
    pub struct Generator from model::Generator {
        /// Name.
        name: Option<String>,
        /// Page about it.
        uri: Option<String>,
        /// Version.
        version: Option<String>,
    }
}

part! {
    /// The image of a feed (RSS 2.0 `image`).
    pub struct FeedImage from model::FeedImage {
        /// URL.
        url: Option<String>,
        /// Alternative text.
        title: Option<Text>,
        /// Linked page.
        link: Option<String>,
        /// Pixels, at most 144.
        width: Option<u64>,
        /// Pixels, at most 400.
        height: Option<u64>,
        /// Title of the link.
        description: Option<Text>,
    }
}

part! {
    /// A service that notifies of changes (RSS 2.0 `cloud`).
    pub struct Cloud from model::Cloud {
        /// Host.
        domain: Option<String>,
        /// Port.
        port: Option<String>,
        /// Path.
        path: Option<String>,
        /// Procedure to call.
        register_procedure: Option<String>,
        /// `xml-rpc soap http-post`.
        protocol: Option<String>,
    }
}

part! {
    /// A form (RSS 2.0 `textInput`).
    pub struct TextInput from model::TextInput {
        /// Label of the button.
        title: Option<Text>,
        /// Its purpose.
        description: Option<Text>,
        /// Name of the text field.
        name: Option<String>,
        /// URL that receives the text.
        link: Option<String>,
    }
}

part! {
    /// A flag of the feed.
    pub struct Flag from model::Flag {
        /// The element: `fh:complete`.
        name: String,
        /// Its value; absent for an element without content.
        value: Option<String>,
        /// Whether it is set, for an element without content.
        flag: Option<bool>,
    }
}

part! {
    /// An attached file that is not a video.
    pub struct Enclosure from model::Enclosure {
        /// URL.
        url: Option<String>,
        /// MIME type.
        kind: Option<String>,
        /// Bytes.
        length: Option<u64>,
        /// Title of the link (Atom).
        title: Option<String>,
        /// Language (Atom `hreflang`).
        lang: Option<String>,
        /// Further values of `media:content`.
        file: Option<Box<File>>,
    }
}

part! {
    /// An image of the page (Google image sitemap).
    pub struct Image from model::Image {
        /// URL.
        loc: Option<String>,
        /// Caption (retired by Google).
        caption: Option<Text>,
        /// Title (retired by Google).
        title: Option<Text>,
        /// Place (retired by Google).
        geo_location: Option<String>,
        /// URL of its license (retired by Google).
        license: Option<String>,
        /// Further values of `media:content`.
        file: Option<Box<File>>,
    }
}

part! {
    /// An article (Google news sitemap).
    pub struct News from model::News {
        /// Name of the publication.
        name: Option<String>,
        /// Its language.
        language: Option<String>,
        /// `Subscription` or `Registration` (retired).
        access: Option<String>,
        /// List of genres (retired).
        genres: Option<String>,
        /// When it first appeared.
        published: Option<Date>,
        /// Its title.
        title: Option<String>,
        /// List of keywords (retired).
        keywords: Option<String>,
        /// List of tickers (retired).
        stock_tickers: Option<String>,
    }
}

part! {
    /// The entry that it answers (RFC 4685 section 3).
    pub struct InReplyTo from model::InReplyTo {
        /// Identifier of the entry.
        reference: Option<String>,
        /// Its URL.
        href: Option<String>,
        /// MIME type.
        kind: Option<String>,
        /// Its feed.
        source: Option<String>,
    }
}

part! {
    /// The feed an entry was taken from (RFC 4287 section 4.2.11; RSS 2.0 `source`).
    pub struct Source from model::Source {
        /// `id`.
        id: Option<String>,
        /// `title`, text of RSS `source`.
        title: Option<Text>,
        /// `subtitle`.
        subtitle: Option<Text>,
        /// `link rel=alternate`: the page the feed belongs to.
        home: Option<String>,
        /// The URL of the feed: RSS `source@url`, Atom `link rel=self`.
        self_url: Option<String>,
        /// Further links. One without `href` has the further attributes of the link of `home` or `self`.
        links: Vec<Link>,
        /// `updated`.
        updated: Option<Date>,
        /// `rights`.
        rights: Option<Text>,
        /// `author`.
        authors: Vec<Person>,
        /// `contributor`.
        contributors: Vec<Person>,
        /// `category`.
        categories: Vec<Category>,
        /// `generator`.
        generator: Option<Generator>,
        /// `icon`.
        icon: Option<String>,
        /// `logo`.
        image: Option<SourceImage>,
        /// `xml:lang`.
        language: Option<String>,
        /// `xml:base`.
        base: Option<String>,
    }
}

part! {
    /// The image of the feed that an entry was taken from.
    pub struct SourceImage from model::SourceImage {
        /// URL.
        url: Option<String>,
    }
}

part! {
    /// A place (GeoRSS Simple, W3C Geo).
    pub struct Location from model::Location {
        /// "latitude longitude": `georss:point`, `gml:pos`, `geo:lat` with `geo:long`.
        point: Option<String>,
        /// The element of a shape other than a point, `line polygon box`.
        shape: String,
        /// Its coordinates.
        coordinates: Option<String>,
        /// `georss:featureName`.
        name: Option<String>,
    }
}

part! {
    /// Google's PageMap: data objects of a page.
    pub struct PageMap from model::PageMap {
        /// `Template@src`.
        template: Option<String>,
        /// `DataObject`.
        objects: Vec<DataObject>,
    }
}

part! {
    /// One object of a PageMap.
    pub struct DataObject from model::DataObject {
        /// Its type.
        kind: Option<String>,
        /// Its name on the page.
        id: Option<String>,
        /// Its attributes.
        attributes: Vec<DataAttribute>,
    }
}

part! {
    /// One attribute of an object of a PageMap.
    pub struct DataAttribute from model::DataAttribute {
        /// Name.
        name: Option<String>,
        /// Value, given as attribute or as text.
        value: Option<String>,
        /// The value is the text of its element, not an attribute.
        text: bool,
    }
}

part! {
    /// An element of a known module without a specific member: `itunes:subtitle`, a second `dc:date`.
    pub struct Module from model::Module {
        /// The element under its usual prefix.
        name: String,
        /// Its text.
        value: Option<String>,
        /// Its attributes.
        attributes: Vec<ModuleAttribute>,
        /// Present for an element that has neither text nor attributes.
        flag: Option<bool>,
    }
}

part! {
    /// An attribute of a module element.
    pub struct ModuleAttribute from model::ModuleAttribute {
        /// Its name.
        name: String,
        /// Its value.
        value: Option<String>,
    }
}

part! {
    /// One piece of unrecognized markup, flat and in document order: an element precedes its attributes
    /// and children.
    pub struct Foreign from model::Foreign {
        /// Its path, root first, `[n]` on a step that repeats.
        path: String,
        /// Namespace; empty for none.
        ns: String,
        /// Name without prefix.
        name: String,
        /// Its text, if it has one.
        value: Option<String>,
        /// The element has neither attributes nor content.
        empty: bool,
    }
}

impl Entry {
    /// A page with only a URL.
    pub fn at(loc: impl Into<String>) -> Entry {
        Entry { loc: Some(loc.into()), ..Entry::default() }
    }
}

impl Person {
    /// A person with a name.
    pub fn named(name: impl Into<String>) -> Person {
        Person { name: Some(name.into()), ..Person::default() }
    }
}
