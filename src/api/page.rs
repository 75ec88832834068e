//! The page (an entry of a feed, a `url` of a sitemap) and the head of its document.

// How they become the model is in part.rs and edit.rs.

use super::decimal::Decimal;
use super::part::part;
use super::text::Text;
use super::video::{File, Video};
use crate::model::Date;

part! {
    /// What is said of the whole document: the channel of RSS, the feed of Atom.
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
        /// `link rel=self`: the feed's own address.
        self_url: Option<String>,
        /// Further links. One without `href` holds the further attributes of the link that `home` or `self` came from.
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
        /// What the channel says of all its videos (Media RSS). The videos have it too; edit it there.
        media: Option<Box<Video>>,
        /// Elements of known modules whose concept has its place taken, or none.
        modules: Vec<Module>,
        /// Unknown markup, flat and in document order. It is written back into formats of the same family.
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
        /// Its address: sitemap `loc`, RSS `link`, Atom `link rel=alternate`.
        loc: Option<String>,
        /// RSS `guid`, Atom `id`.
        id: Option<String>,
        /// `guid@isPermaLink`, if said (RSS 2.0: default true).
        id_is_permalink: Option<bool>,
        /// `title`.
        title: Option<Text>,
        /// RSS `description`, Atom `summary`.
        summary: Option<Text>,
        /// `content:encoded`, Atom `content`.
        content: Option<Text>,
        /// Atom `content@src`.
        content_src: Option<String>,
        /// Atom `content@type` where it is a MIME type.
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
        /// Further links. One without `href` holds the further attributes of the link that `loc`, `license`,
        /// `comments` or `comment_feed` came from (its `rel` tells which).
        links: Vec<Link>,
        /// Files that are no videos.
        enclosures: Vec<Enclosure>,
        /// Pictures of the page: `image:image`, `itunes:image`, `media:content medium=image`.
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
        /// Address of a licence: `creativeCommons:license`, Atom `link rel=license`.
        license: Option<String>,
        /// RSS `comments`: address of the page with comments.
        comments: Option<String>,
        /// `slash:comments`, `thr:total`.
        comment_count: Option<u64>,
        /// `wfw:commentRss`, Atom `link rel=replies`: address of the feed of comments.
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
        /// What the item says of all its videos (Media RSS). The videos have it too; edit it there, and the item follows.
        media: Option<Box<Video>>,
        /// Its videos.
        videos: Vec<Video>,
        /// Elements of known modules whose concept has its place taken, or none.
        modules: Vec<Module>,
        /// Unknown markup, flat and in document order. It is written back into formats of the same family.
        foreign: Vec<Foreign>,
    }
}

part! {
    /// Someone, or an organisation (RFC 4287 section 3.2).
    pub struct Person from model::Person {
        /// Name.
        name: Option<String>,
        /// E-mail address.
        email: Option<String>,
        /// Page about them.
        uri: Option<String>,
    }
}

part! {
    /// A subject (RFC 4287 section 4.2.2; RSS `category`, whose `domain` is the scheme).
    pub struct Category from model::Category {
        /// The subject, in the words of the scheme.
        term: Option<String>,
        /// The scheme's address.
        scheme: Option<String>,
        /// The subject, for people.
        label: Option<String>,
        /// It stands inside the category before it (`itunes:category`).
        sub: bool,
    }
}

part! {
    /// A reference (RFC 4287 section 4.2.7).
    pub struct Link from model::Link {
        /// Address.
        href: Option<String>,
        /// What it is to this (`via`, `related`, `hub` …), if said.
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
    /// A picture that stands for the feed (RSS 2.0 `image`).
    pub struct FeedImage from model::FeedImage {
        /// Address.
        url: Option<String>,
        /// Text in its place.
        title: Option<Text>,
        /// Page it leads to.
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
    /// Where to be told of changes (RSS 2.0 `cloud`).
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
        /// What it is for.
        description: Option<Text>,
        /// Name of the text field.
        name: Option<String>,
        /// Program that takes it.
        link: Option<String>,
    }
}

part! {
    /// A mark of the whole feed.
    pub struct Flag from model::Flag {
        /// The element: `fh:complete`.
        name: String,
        /// Its value; absent where the element says all.
        value: Option<String>,
        /// Whether it is set, for an element without content.
        flag: Option<bool>,
    }
}

part! {
    /// A file that goes with the page and is no video.
    pub struct Enclosure from model::Enclosure {
        /// Address.
        url: Option<String>,
        /// MIME type.
        kind: Option<String>,
        /// Bytes.
        length: Option<u64>,
        /// Title of the link (Atom).
        title: Option<String>,
        /// Language (Atom `hreflang`).
        lang: Option<String>,
        /// What `media:content` says beyond that.
        file: Option<Box<File>>,
    }
}

part! {
    /// A picture on the page (Google image sitemap).
    pub struct Image from model::Image {
        /// Address.
        loc: Option<String>,
        /// Caption (retired by Google).
        caption: Option<Text>,
        /// Title (retired by Google).
        title: Option<Text>,
        /// Place (retired by Google).
        geo_location: Option<String>,
        /// Address of its licence (retired by Google).
        license: Option<String>,
        /// What `media:content` says beyond that.
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
    /// What it answers to (RFC 4685 section 3).
    pub struct InReplyTo from model::InReplyTo {
        /// Identifier of the entry.
        reference: Option<String>,
        /// Its address.
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
        /// The feed's own address: RSS `source@url`, Atom `link rel=self`.
        self_url: Option<String>,
        /// Further links. One without `href` holds the further attributes of the link that `home` or `self` came from.
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
    /// A picture that stands for the feed an entry was taken from.
    pub struct SourceImage from model::SourceImage {
        /// Address.
        url: Option<String>,
    }
}

part! {
    /// A place (GeoRSS Simple, W3C Geo).
    pub struct Location from model::Location {
        /// "latitude longitude": `georss:point`, `gml:pos`, `geo:lat` with `geo:long`.
        point: Option<String>,
        /// The element of a shape that is no point, `line polygon box`.
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
    /// An element of a known module for which the model has no better place: `itunes:subtitle`, a second `dc:date`.
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
    /// An attribute of such an element.
    pub struct ModuleAttribute from model::ModuleAttribute {
        /// Its name.
        name: String,
        /// Its value.
        value: Option<String>,
    }
}

part! {
    /// One piece of unknown markup, flat and in document order: an element stands before its attributes
    /// and children.
    pub struct Foreign from model::Foreign {
        /// Where it stood, root first, `[n]` on a step that repeats.
        path: String,
        /// Namespace; empty for none.
        ns: String,
        /// Name without prefix.
        name: String,
        /// Its text, if it has any of its own.
        value: Option<String>,
        /// The element has neither attributes nor content.
        empty: bool,
    }
}

impl Entry {
    /// A page with an address and nothing else.
    pub fn at(loc: impl Into<String>) -> Entry {
        Entry { loc: Some(loc.into()), ..Entry::default() }
    }
}

impl Person {
    /// Someone with a name.
    pub fn named(name: impl Into<String>) -> Person {
        Person { name: Some(name.into()), ..Person::default() }
    }
}

impl Category {
    /// A subject.
    pub fn named(term: impl Into<String>) -> Category {
        Category { term: Some(term.into()), ..Category::default() }
    }
}
