//! The names that readers support, by namespace, to distinguish a name in the wrong case (`pubdate`, `Item`, `filesize`)
//! from an unknown one.

use super::names::Ns;
use crate::text::nearest;

/// What a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameSpelling {
    /// A known name.
    Exact,
    /// A known name but for its case: this one.
    Other(&'static str),
    /// No known name.
    None,
}

/// The spelling of an element's name without its prefix.
pub(crate) fn element(ns: Ns, name: &str) -> NameSpelling {
    let ns = if matches!(ns, Ns::Rss2 | Ns::YahooChannel) { Ns::None } else { ns };
    if ns == Ns::Unknown {
        return NameSpelling::None;
    }
    if is_listed(ns, name) {
        return NameSpelling::Exact;
    }
    other(names_of(ns, ELEMENTS), name)
}

/// Whether a vocabulary has an element of this name.
pub(crate) fn is_known(ns: Ns, name: &str) -> bool {
    matches!(element(ns, name), NameSpelling::Exact) || names_of(ns, UNREAD).any(|known| *known == name)
}

/// Whether a vocabulary has no other elements than those that are known here. Others grow, or are known in part.
pub(crate) fn is_whole(ns: Ns) -> bool {
    use Ns::*;
    match ns {
        None | Sitemap | Video | Image | News | Mobile | PageMap | Media | Atom | Atom03 | Content | Dc | Dcterms
        | GeoRss | Sy | Slash | Wfw | Thr | Fh | Rss10 | Rss090 | Rss11 | Rss2 => true,
        Unknown | Xml | Xhtml | Itunes | GooglePlay | Podcast | Gml | Geo | Yt | CreativeCommons | Cc | Source
        | Rdf | YahooChannel | Ovs | Transfeed | Dialect => false,
    }
}

/// The elements of all vocabularies, with the usual prefixes, and the attributes of known elements.
#[cfg(feature = "cli")]
pub(crate) fn all_names() -> (Vec<String>, &'static [&'static str]) {
    let mut elements = Vec::new();
    for (ns, names) in ELEMENTS.iter().chain(UNREAD) {
        let is_bare = matches!(ns, Ns::None | Ns::Sitemap | Ns::Atom | Ns::Atom03 | Ns::Rss10 | Ns::Rss090);
        let prefix = ns.prefix();
        elements.extend(names.iter().filter(|_| is_bare).map(|name| (*name).to_owned()));
        elements.extend(names.iter().filter(|_| !prefix.is_empty()).map(|name| format!("{prefix}:{name}")));
    }
    (elements, ATTRIBUTES)
}

fn names_of(ns: Ns, table: &'static [(Ns, &'static [&'static str])]) -> impl Iterator<Item = &'static &'static str> {
    table.iter().filter(move |(of, _)| *of == ns).flat_map(|(_, names)| *names)
}

/// The name in a vocabulary that is nearly this one, or begins with it (`thumbnail`, `thumbnail_loc`).
pub(crate) fn near_name(ns: Ns, name: &str) -> Option<&'static str> {
    let names = || names_of(ns, ELEMENTS).chain(names_of(ns, UNREAD)).copied();
    let begins = |known: &&str| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'));
    nearest(name, names()).or_else(|| names().filter(begins).min_by_key(|known| known.len()))
}

/// The spelling of the name of an attribute that is in no namespace, of a known element.
pub(crate) fn attribute(name: &str) -> NameSpelling {
    match is_listed(Ns::Unknown, name) {
        true => NameSpelling::Exact,
        false => other(ATTRIBUTES.iter(), name),
    }
}

/// Whether an element of this name is there to hold other elements.
pub(super) fn is_container(ns: Ns, name: &str) -> bool {
    let ns = if matches!(ns, Ns::Rss2 | Ns::YahooChannel | Ns::Rss10 | Ns::Rss090 | Ns::Rss11) { Ns::None } else { ns };
    CONTAINERS.iter().any(|(of, names)| *of == ns && names.contains(&name))
}

/// Which elements belong to a container whose end tag is missing.
#[derive(Clone, Copy)]
pub(super) enum OwnChildren {
    /// The elements of these names, and one of each of the second ones.
    Named(&'static [&'static str], &'static [&'static str]),
    /// All but those of RSS, Atom and the sitemap protocol themselves.
    Open,
    /// Those of its namespace.
    Closed,
    /// All.
    Any,
}

/// What belongs to this element.
pub(super) fn own_children(ns: Ns, name: &str) -> OwnChildren {
    const SOURCE: &[&str] = &["id", "title", "updated", "subtitle", "rights", "icon", "logo", "generator"];
    match name {
        _ if matches!(ns, Ns::Media | Ns::Itunes) => OwnChildren::Open,
        _ if matches!(ns, Ns::Video | Ns::Image | Ns::News) => OwnChildren::Closed,
        _ if !is_core(ns) => OwnChildren::Any,
        "author" | "contributor" => OwnChildren::Named(&["name", "uri", "url", "email"], &[]),
        "image" => OwnChildren::Named(&["url", "title", "link", "width", "height", "description"], &[]),
        "source" => OwnChildren::Named(&["author", "category", "contributor", "link"], SOURCE),
        _ => OwnChildren::Any,
    }
}

/// Whether this is the namespace of a format itself, and not of a module.
pub(super) fn is_core(ns: Ns) -> bool {
    let is_rss = matches!(ns, Ns::Rss2 | Ns::YahooChannel | Ns::Rss10 | Ns::Rss090 | Ns::Rss11);
    is_rss || matches!(ns, Ns::None | Ns::Sitemap | Ns::Atom | Ns::Atom03)
}

/// Whether an element may contain another of the same name.
pub(super) fn nests(ns: Ns, name: &str) -> bool {
    matches!((ns, name), (Ns::Itunes, "category") | (Ns::Atom | Ns::Atom03, "content"))
}

fn other<'n>(mut names: impl Iterator<Item = &'n &'static str>, name: &str) -> NameSpelling {
    // what has no letter in the other case can only differ from a name with one
    names.find(|known| known.eq_ignore_ascii_case(name)).map_or(NameSpelling::None, |known| NameSpelling::Other(known))
}

/// All names by a hash of a few of their bytes: the number of a name (see [`PLACE`]), 0 for an empty slot. Computed at
/// compile time; there are many more slots than names.
static KNOWN: [u16; SLOTS] = known();

const SLOTS: usize = 4096;

/// The low bits of a number, which are the position of a name in its list, from 1 on; the bits above are the number of
/// the list.
const PLACE: u32 = 10;

/// The lists of names. Attributes are the last one; they use `Ns::Unknown`, which has no elements here.
const fn list(number: usize) -> (Ns, &'static [&'static str]) {
    if number < ELEMENTS.len() { ELEMENTS[number] } else { (Ns::Unknown, ATTRIBUTES) }
}

const fn known() -> [u16; SLOTS] {
    let mut slots = [0; SLOTS];
    let mut of = 0;
    while of <= ELEMENTS.len() {
        let (ns, names) = list(of);
        let mut at = 0;
        while at < names.len() {
            let mut slot = hash(ns, names[at]);
            while slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            at += 1;
            assert!(at < 1 << PLACE && of < 1 << (u16::BITS - PLACE), "more names than numbers");
            slots[slot] = (of << PLACE | at) as u16;
        }
        of += 1;
    }
    slots
}

fn is_listed(ns: Ns, name: &str) -> bool {
    let mut slot = hash(ns, name);
    while let Some(number) = KNOWN.get(slot).copied().map(usize::from).filter(|number| *number > 0) {
        let (of, names) = list(number >> PLACE);
        if of == ns && names.get((number & ((1 << PLACE) - 1)) - 1) == Some(&name) {
            return true;
        }
        slot = (slot + 1) % SLOTS;
    }
    false
}

const fn hash(ns: Ns, name: &str) -> usize {
    let bytes = name.as_bytes();
    let length = bytes.len();
    let parts = [
        byte(bytes, 0),
        byte(bytes, length / 2),
        byte(bytes, length.wrapping_sub(1)),
        byte(bytes, length.wrapping_sub(3)),
        length,
    ];
    let (mut hash, mut at) = (ns as usize + 1, 0);
    while at < parts.len() {
        hash = hash.wrapping_mul(0x9E37_79B1).wrapping_add(parts[at]);
        at += 1;
    }
    hash >> 7 & (SLOTS - 1)
}

const fn byte(bytes: &[u8], at: usize) -> usize {
    if at < bytes.len() { bytes[at] as usize } else { 0 }
}

const MEDIA_SCENE: &[&str] = &["sceneTitle", "sceneDescription", "sceneStartTime", "sceneEndTime"];

#[rustfmt::skip]
const ATOM: &[&str] = &[
    "feed", "entry", "id", "title", "updated", "author", "link", "category", "contributor", "generator", "icon", "logo",
    "rights", "subtitle", "content", "published", "summary", "source", "name", "uri", "email",
];

/// Elements, without their prefixes. Of `Ns::None` are those of RSS, and those of sitemaps and of Atom, which are met
/// without a namespace too.
#[rustfmt::skip]
const ELEMENTS: &[(Ns, &[&str])] = &[
    (Ns::None, &[
        "rss", "channel", "item", "title", "link", "description", "language", "copyright", "managingEditor", "webMaster",
        "pubDate", "lastBuildDate", "category", "generator", "docs", "cloud", "ttl", "image", "url", "width", "height",
        "rating", "textInput", "name", "skipHours", "hour", "skipDays", "day", "author", "comments", "enclosure", "guid",
        "source", "expirationDate", "content",
        "urlset", "loc", "lastmod", "changefreq", "priority", "sitemapindex", "sitemap", "expires",
        "PageMap", "Template", "DataObject", "Attribute",
        "feed", "entry", "id", "updated", "contributor", "icon", "logo", "rights", "subtitle", "published", "summary",
        "uri", "email",
    ]),
    (Ns::None, MEDIA_SCENE),
    (Ns::Rss10, RSS1),
    (Ns::Rss090, RSS1),
    (Ns::Rss11, &["Channel", "item", "title", "link", "description", "image", "url", "items"]),
    (Ns::Rdf, &["RDF", "Seq", "li"]),
    (Ns::Sitemap, &[
        "urlset", "url", "loc", "lastmod", "changefreq", "priority", "sitemapindex", "sitemap", "expires",
        "PageMap", "Template", "DataObject", "Attribute",
    ]),
    (Ns::Video, &[
        "video", "thumbnail_loc", "title", "description", "content_loc", "player_loc", "duration", "expiration_date",
        "rating", "content_segment_loc", "view_count", "publication_date", "tag", "category", "family_friendly",
        "restriction", "gallery_loc", "price", "requires_subscription", "uploader", "tvshow", "show_title", "video_type",
        "episode_title", "season_number", "episode_number", "premier_date", "platform", "live", "id",
    ]),
    (Ns::Image, &["image", "loc", "caption", "geo_location", "title", "license"]),
    (Ns::News, &[
        "news", "publication", "name", "language", "publication_date", "title", "access", "genres", "keywords",
        "stock_tickers",
    ]),
    (Ns::Mobile, &["mobile"]),
    (Ns::PageMap, &["PageMap", "Template", "DataObject", "Attribute"]),
    (Ns::Xhtml, &["link"]),
    (Ns::Media, &[
        "group", "content", "rating", "adult", "title", "description", "keywords", "thumbnail", "category", "hash",
        "player", "credit", "copyright", "text", "restriction", "community", "starRating", "statistics", "tags",
        "comments", "comment", "embed", "param", "responses", "response", "backLinks", "backLink", "status", "price",
        "license", "subTitle", "peerLink", "location", "rights", "scenes", "scene",
    ]),
    (Ns::Media, MEDIA_SCENE),
    (Ns::Atom, ATOM),
    (Ns::Atom, MEDIA_SCENE),
    (Ns::Atom03, ATOM),
    (Ns::Atom03, &["modified", "issued", "created", "tagline", "copyright", "info", "url"]),
    (Ns::Content, &["encoded"]),
    (Ns::Dc, &[
        "title", "creator", "subject", "description", "publisher", "contributor", "date", "type", "format", "identifier",
        "source", "language", "relation", "coverage", "rights",
    ]),
    (Ns::Dcterms, &[
        "created", "issued", "modified", "available", "dateCopyrighted", "valid", "type", "abstract", "license",
        "accessRights", "rightsHolder", "spatial", "temporal", "extent", "title", "creator", "subject", "description",
        "publisher", "contributor", "date", "format", "identifier", "source", "language", "relation", "coverage", "rights",
    ]),
    (Ns::Itunes, &[
        "title", "subtitle", "summary", "author", "image", "duration", "explicit", "keywords", "category", "episode",
        "season", "episodeType", "owner", "name", "email", "type", "new-feed-url", "block", "complete", "order",
        "isClosedCaptioned",
    ]),
    (Ns::GooglePlay, &["author", "description", "email", "image", "explicit", "category", "block", "new-feed-url", "owner"]),
    (Ns::GeoRss, &[
        "point", "line", "polygon", "box", "elev", "floor", "radius", "featurename", "featuretypetag", "relationshiptag",
        "where",
    ]),
    (Ns::Gml, &["Point", "pos", "LineString", "posList", "Polygon", "exterior", "LinearRing", "Envelope", "lowerCorner", "upperCorner"]),
    (Ns::Geo, &["lat", "long", "Point", "alt"]),
    (Ns::Sy, &["updatePeriod", "updateFrequency", "updateBase"]),
    (Ns::Slash, &["comments", "section", "department", "hit_parade"]),
    (Ns::Wfw, &["comment", "commentRss"]),
    (Ns::Thr, &["in-reply-to", "total"]),
    (Ns::Fh, &["complete", "archive"]),
    (Ns::Yt, &["videoId", "channelId", "playlistId"]),
    (Ns::CreativeCommons, &["license"]),
    (Ns::Cc, &["license"]),
];

/// Elements that their vocabularies have and that no reader takes from there, so that nobody asks for their case.
#[rustfmt::skip]
const UNREAD: &[(Ns, &[&str])] = &[
    (Ns::Content, &["items", "item", "format", "encoding"]),
    (Ns::Dcterms, &[
        "accrualMethod", "accrualPeriodicity", "accrualPolicy", "alternative", "audience", "bibliographicCitation",
        "conformsTo", "dateAccepted", "dateSubmitted", "educationLevel", "hasFormat", "hasPart", "hasVersion",
        "instructionalMethod", "isFormatOf", "isPartOf", "isReferencedBy", "isReplacedBy", "isRequiredBy", "isVersionOf",
        "mediator", "medium", "provenance", "references", "replaces", "requires", "tableOfContents",
    ]),
    (Ns::GeoRss, &["circle"]),
    (Ns::Itunes, &["applepodcastsverify"]),
    (Ns::Podcast, &[
        "transcript", "chapters", "soundbite", "person", "location", "season", "episode", "trailer", "license",
        "alternateEnclosure", "source", "integrity", "guid", "value", "valueRecipient", "valueTimeSplit", "medium", "image",
        "images", "liveItem", "contentLink", "socialInteract", "block", "txt", "remoteItem", "podroll", "updateFrequency",
        "podping", "publisher", "chat", "funding", "locked",
    ]),
    (Ns::Source, &[
        "account", "archive", "blogroll", "channels", "cloud", "comments", "filename", "inReplyTo", "jsonUrl", "likes",
        "linkFull", "linkShort", "localTime", "markdown", "outline", "self", "subscriptionList",
    ]),
];

#[rustfmt::skip]
const RSS1: &[&str] = &[
    "channel", "item", "items", "title", "link", "description", "image", "url", "textinput", "name",
];

/// Attributes of known elements.
#[rustfmt::skip]
const ATTRIBUTES: &[&str] = &[
    "url", "fileSize", "type", "medium", "isDefault", "expression", "bitrate", "framerate", "samplingrate", "channels",
    "duration", "height", "width", "lang", "scheme", "label", "algo", "role", "time", "start", "end", "relationship",
    "average", "count", "min", "max", "views", "favorites", "state", "reason", "price", "currency", "info", "href",
    "status", "description", "domain", "port", "path", "registerProcedure", "protocol", "length", "isPermaLink",
    "version", "rel", "hreflang", "title", "media", "uri", "term", "src", "mode", "allow_embed", "autoplay", "resolution",
    "name", "value", "id", "text", "ref", "source",
];

/// Elements that contain others; if the end tag of one is missing, it keeps its children.
#[rustfmt::skip]
const CONTAINERS: &[(Ns, &[&str])] = &[
    (Ns::None, &[
        "rss", "channel", "item", "image", "textInput", "textinput", "skipHours", "skipDays", "urlset", "url",
        "sitemapindex", "sitemap", "feed", "entry", "author", "contributor", "items", "PageMap", "DataObject",
    ]),
    (Ns::Rdf, &["RDF", "Seq"]),
    (Ns::Sitemap, &["urlset", "url", "sitemapindex", "sitemap", "PageMap", "DataObject"]),
    (Ns::Video, &["video", "tvshow"]),
    (Ns::Image, &["image"]),
    (Ns::News, &["news", "publication"]),
    (Ns::PageMap, &["PageMap", "DataObject"]),
    (Ns::Media, &["group", "content", "community", "comments", "responses", "backLinks", "scenes", "scene", "location", "embed"]),
    (Ns::Atom, &["feed", "entry", "author", "contributor", "source", "content", "title", "summary", "rights", "subtitle"]),
    (Ns::Atom03, &["feed", "entry", "author", "contributor", "content"]),
    (Ns::Itunes, &["owner", "category"]),
    (Ns::GeoRss, &["where"]),
    (Ns::Gml, &["Point", "LineString", "Polygon", "exterior", "LinearRing", "Envelope"]),
    (Ns::Geo, &["Point"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wild_cases_are_told_from_known_and_unknown_names() {
        for (ns, name, spelling) in [
            (Ns::None, "pubdate", NameSpelling::Other("pubDate")),
            (Ns::None, "pubDate", NameSpelling::Exact),
            (Ns::None, "ITEM", NameSpelling::Other("item")),
            (Ns::Rss2, "Item", NameSpelling::Other("item")),
            (Ns::Media, "subtitle", NameSpelling::Other("subTitle")),
            (Ns::Atom, "subtitle", NameSpelling::Exact),
            (Ns::Rss10, "textInput", NameSpelling::Other("textinput")),
            (Ns::Unknown, "url", NameSpelling::None),
            (Ns::None, "series", NameSpelling::None),
            (Ns::None, "", NameSpelling::None),
        ] {
            assert_eq!(element(ns, name), spelling, "{name}");
        }
        assert_eq!(attribute("filesize"), NameSpelling::Other("fileSize"));
        assert_eq!(attribute("isPermaLink"), NameSpelling::Exact);
        assert_eq!(attribute("bitRates"), NameSpelling::None);
    }

    #[test]
    fn every_name_is_found_and_is_the_only_one_of_its_letters() {
        for (ns, names) in ELEMENTS {
            for name in *names {
                assert_eq!(element(*ns, name), NameSpelling::Exact, "{name}");
                let same = ELEMENTS.iter().filter(|(of, _)| of == ns).flat_map(|(_, names)| *names);
                assert_eq!(same.filter(|other| other.eq_ignore_ascii_case(name)).count(), 1, "{ns:?} {name}");
            }
        }
        for name in ATTRIBUTES {
            assert_eq!(attribute(name), NameSpelling::Exact, "{name}");
        }
    }
}
