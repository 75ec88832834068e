//! The namespaces this crate knows, their spellings and their prefixes, as one table.
//!
//! It has no element names and no scopes: a namespace is identified by a URI, or an undeclared prefix.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A namespace. In JSON it is its [`Ns::name`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Ns {
    /// No namespace.
    None,
    /// One that is not in the table.
    Unknown,
    /// `xml:lang`, `xml:base`.
    Xml,
    /// XML sitemap 0.9.
    Sitemap,
    /// Google video sitemap extension.
    Video,
    /// Google image sitemap extension.
    Image,
    /// Google news sitemap extension.
    News,
    /// Google mobile sitemap extension.
    Mobile,
    /// Google PageMap.
    PageMap,
    /// XHTML.
    Xhtml,
    /// Media RSS.
    Media,
    /// Atom 1.0 (RFC 4287).
    Atom,
    /// Atom 0.3, a separate format.
    Atom03,
    /// RSS content module.
    Content,
    /// Dublin Core elements.
    Dc,
    /// Dublin Core terms.
    Dcterms,
    /// Apple podcasts.
    Itunes,
    /// Google Play podcasts.
    GooglePlay,
    /// Podcasting 2.0.
    Podcast,
    /// GeoRSS.
    GeoRss,
    /// OpenGIS GML.
    Gml,
    /// W3C basic geo.
    Geo,
    /// RSS syndication module.
    Sy,
    /// RSS slash module.
    Slash,
    /// Well-Formed Web comment API.
    Wfw,
    /// Atom threading extensions (RFC 4685).
    Thr,
    /// Feed paging and archiving (RFC 5005).
    Fh,
    /// YouTube.
    Yt,
    /// Creative Commons module of RSS 2.0.
    CreativeCommons,
    /// Creative Commons in RDF.
    Cc,
    /// Scripting News source namespace.
    Source,
    /// RDF syntax.
    Rdf,
    /// RSS 1.0.
    Rss10,
    /// RSS 0.90.
    Rss090,
    /// RSS 1.1, an RDF vocabulary of its own.
    Rss11,
    /// RSS 2.0 put into a namespace, which the specification does not do.
    Rss2,
    /// The root `channel` of old Yahoo documents.
    YahooChannel,
    /// Videos for Yandex.
    Ovs,
    /// Values that a conversion marks as generated, for later conversions to read (S-A3).
    Transfeed,
    /// Not a namespace of documents: marks a value that was copied into the model from a platform's own element
    /// (`format::ns::dialect`).
    Dialect,
}

/// The namespace of a URI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamespaceMatch {
    /// The namespace.
    pub ns: Ns,
    /// Whether the URI is a spelling of it other than the canonical one.
    pub alias: bool,
}

impl Ns {
    /// The namespace of a URI.
    ///
    /// Beside the spellings in the table this forgives white space around the URI, the case of scheme and host, `https`
    /// for `http`, and a slash missing or added at the end.
    pub fn from_uri(uri: &str) -> NamespaceMatch {
        if let Some(entry) = NAMES.iter().find(|entry| entry.uri == uri && entry.ns != Ns::Unknown) {
            return NamespaceMatch { ns: entry.ns, alias: false };
        }
        let wanted = key(uri);
        // most are ruled out without building their keys: `https` and the slash add up to two bytes
        let end = |uri: &str| uri.strip_suffix('/').unwrap_or(uri).bytes().last().map(|byte| byte.to_ascii_lowercase());
        let last = end(wanted.strip_prefix(':').unwrap_or(&wanted));
        let may_be = |spelling: &str| spelling.len().abs_diff(wanted.len()) <= 2 && end(spelling) == last;
        let is_wanted = |spelling: &&str| may_be(spelling) && key(spelling) == wanted;
        let spells = |entry: &&NameRow| entry.spellings().any(|spelling| is_wanted(&spelling));
        match NAMES.iter().filter(|entry| entry.ns != Ns::Unknown).find(spells) {
            Some(entry) => NamespaceMatch { ns: entry.ns, alias: true },
            None => NamespaceMatch { ns: Ns::Unknown, alias: false },
        }
    }

    /// The namespace of a root element whose own namespace is unknown, by the name of the root and its `version`: an
    /// `rss` is RSS, a `urlset` is a sitemap, and a `feed` is Atom, of version 0.3 if it has this.
    pub fn of_root(qname: &str, version: Option<&str>) -> Option<Ns> {
        let name = qname.rsplit_once(':').map_or(qname, |(_, local)| local);
        match version.map(str::trim) {
            _ if name.eq_ignore_ascii_case("rss") => Some(Ns::Rss2),
            _ if name.eq_ignore_ascii_case("urlset") || name.eq_ignore_ascii_case("sitemapindex") => Some(Ns::Sitemap),
            Some("0.3") if name.eq_ignore_ascii_case("feed") => Some(Ns::Atom03),
            _ => name.eq_ignore_ascii_case("feed").then_some(Ns::Atom),
        }
    }

    /// The conventional namespace of a prefix, for documents that do not declare it.
    pub fn by_prefix(prefix: &str) -> Option<Ns> {
        NAMES.iter().find(|entry| !prefix.is_empty() && entry.prefix == prefix).map(|entry| entry.ns)
    }

    /// The canonical URI; empty for [`Ns::None`] and [`Ns::Unknown`].
    pub fn uri(self) -> &'static str {
        self.entry().uri
    }

    /// The prefix to write; empty for a namespace that is written as the default one, or never.
    pub fn prefix(self) -> &'static str {
        self.entry().prefix
    }

    /// A name for reports and JSON: the prefix where there is one, and different for every namespace.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The namespace with this [`name`](Ns::name).
    pub fn by_name(name: &str) -> Option<Ns> {
        NAMES.iter().find(|entry| entry.name == name).map(|entry| entry.ns)
    }

    fn entry(self) -> &'static NameRow {
        // In bounds: the table has an entry for each namespace, in order, which is checked at compile time below.
        &NAMES[self as usize]
    }
}

impl Serialize for Ns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Ns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<'de, str>::deserialize(deserializer)?;
        Ns::by_name(&name)
            .ok_or_else(|| de::Error::invalid_value(de::Unexpected::Str(&name), &"the name of a namespace"))
    }
}

/// Whether a URI was the right one of its vocabulary once: documents that have it are as their time had them.
pub(crate) fn was_canonical(uri: &str) -> bool {
    FORMER.contains(&uri)
}

/// Namespaces under which their vocabularies were published before they had the present one.
const FORMER: [&str; 8] = [
    "http://www.itunes.com/DTDs/PodCast-1.0.dtd",
    "http://www.itunes.com/DTDs/Podcast-1.0.dtd",
    "http://purl.org/rss/1.0/modules/threading/",
    "http://purl.org/dc/elements/1.0/",
    "http://gdata.youtube.com/schemas/2007",
    "http://creativecommons.org/ns#",
    "http://channel.netscape.com/rdf/simple/0.9/",
    "https://download.cdn.yandex.net/support/com/video/files/xml-schema.xml",
];

/// Whether this is a name that an element or an attribute can have, with or without a prefix (Namespaces in XML 1.0,
/// `QName`).
pub fn is_qname(name: &str) -> bool {
    match name.split_once(':') {
        Some((prefix, local)) => is_ncname(prefix) && is_ncname(local),
        None => is_ncname(name),
    }
}

/// Whether this is a qualified name that all parsers read: some refuse two characters that XML 1.0 allows since its fifth
/// edition, signs of bytes in a wrong encoding.
pub(crate) fn is_plain_qname(name: &str) -> bool {
    is_qname(name) && !name.contains(['\u{FFFD}', '\u{FEFF}'])
}

/// Whether this is a name without a colon (Namespaces in XML 1.0, `NCName`).
pub fn is_ncname(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(starts_name) && chars.all(|c| starts_name(c) || continues_name(c))
}

/// XML 1.0 section 2.3, `NameStartChar` without the colon.
fn starts_name(c: char) -> bool {
    matches!(c, 'A'..='Z' | '_' | 'a'..='z' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}'
        | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

/// What `NameChar` has beyond that.
fn continues_name(c: char) -> bool {
    matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// A URI with everything taken away that does not count when namespaces are compared.
fn key(uri: &str) -> String {
    let uri = uri.trim();
    let uri = uri.strip_suffix('/').unwrap_or(uri);
    let (scheme, rest) = uri.split_once(':').unwrap_or(("", uri));
    let scheme = scheme.to_ascii_lowercase();
    let scheme = if scheme == "https" { "http" } else { &scheme };
    match rest.strip_prefix("//") {
        Some(rest) => {
            let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            format!("{scheme}://{}{path}", host.to_ascii_lowercase())
        }
        None => format!("{scheme}:{rest}"),
    }
}

/// One row of the table.
struct NameRow {
    ns: Ns,
    name: &'static str,
    prefix: &'static str,
    uri: &'static str,
    also: &'static [&'static str],
}

impl NameRow {
    fn spellings(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.uri).chain(self.also.iter().copied())
    }
}

/// A namespace written with a prefix.
const fn prefixed(ns: Ns, prefix: &'static str, uri: &'static str, also: &'static [&'static str]) -> NameRow {
    NameRow { ns, name: prefix, prefix, uri, also }
}

/// A namespace written as the default one, or only read.
const fn default(ns: Ns, name: &'static str, uri: &'static str, also: &'static [&'static str]) -> NameRow {
    NameRow { ns, name, prefix: "", uri, also }
}

/// In the order of [`Ns`]. The aliases were seen in feeds or are accepted by SimplePie, Rome or feedsmith.
#[rustfmt::skip]
const NAMES: [NameRow; Ns::Dialect as usize + 1] = [
    default(Ns::None, "", "", &[]),
    default(Ns::Unknown, "unknown", "", &[]),
    prefixed(Ns::Xml, "xml", "http://www.w3.org/XML/1998/namespace", &[]),
    default(Ns::Sitemap, "sitemap", "http://www.sitemaps.org/schemas/sitemap/0.9", &[
        "http://www.google.com/schemas/sitemap/0.84",
        "http://www.google.com/schemas/sitemap/0.9",
    ]),
    prefixed(Ns::Video, "video", "http://www.google.com/schemas/sitemap-video/1.1", &[
        "http://www.google.com/schemas/sitemap-video/1.0",
    ]),
    prefixed(Ns::Image, "image", "http://www.google.com/schemas/sitemap-image/1.1", &[
        "http://www.google.com/schemas/sitemap-image/1.0",
    ]),
    prefixed(Ns::News, "news", "http://www.google.com/schemas/sitemap-news/0.9", &[]),
    prefixed(Ns::Mobile, "mobile", "http://www.google.com/schemas/sitemap-mobile/1.0", &[]),
    prefixed(Ns::PageMap, "pagemap", "http://www.google.com/schemas/sitemap-pagemap/1.0", &[]),
    prefixed(Ns::Xhtml, "xhtml", "http://www.w3.org/1999/xhtml", &[
        "http://www.w3.org/TR/xhtml11/xhtml11_schema.html",
    ]),
    prefixed(Ns::Media, "media", "http://search.yahoo.com/mrss/", &[
        "http://video.search.yahoo.com/mrss",
        "http://tools.search.yahoo.com/mrss",
        "http://www.rssboard.org/media-rss",
        "http://search.yahoo.com/searchmonkey/media",
    ]),
    prefixed(Ns::Atom, "atom", "http://www.w3.org/2005/Atom", &[
        "http://www.w3.org/2005/atom",
    ]),
    default(Ns::Atom03, "atom03", "http://purl.org/atom/ns#", &[
        "http://purl.org/echo/",
    ]),
    prefixed(Ns::Content, "content", "http://purl.org/rss/1.0/modules/content/", &[]),
    prefixed(Ns::Dc, "dc", "http://purl.org/dc/elements/1.1/", &[
        "http://purl.org/dc/elements/1.0/",
        "http://dublincore.org/documents/dcmi-namespace/",
    ]),
    prefixed(Ns::Dcterms, "dcterms", "http://purl.org/dc/terms/", &[
        "http://dublincore.org/documents/dcmi-terms/",
    ]),
    prefixed(Ns::Itunes, "itunes", "http://www.itunes.com/dtds/podcast-1.0.dtd", &[
        "http://www.itunes.com/DTDs/PodCast-1.0.dtd",
        "http://www.itunes.com/DTDs/Podcast-1.0.dtd",
        "http://example.com/DTDs/PodCast-1.0.dtd",
    ]),
    prefixed(Ns::GooglePlay, "googleplay", "http://www.google.com/schemas/play-podcasts/1.0", &[
        "http://www.google.com/schemas/play-podcasts/1.0/play-podcasts.xsd",
        "http://www.google.com/schemas/play-podcasts.xsd",
    ]),
    prefixed(Ns::Podcast, "podcast", "https://podcastindex.org/namespace/1.0", &[
        "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
    ]),
    prefixed(Ns::GeoRss, "georss", "http://www.georss.org/georss", &[]),
    prefixed(Ns::Gml, "gml", "http://www.opengis.net/gml", &[]),
    prefixed(Ns::Geo, "geo", "http://www.w3.org/2003/01/geo/wgs84_pos#", &[]),
    prefixed(Ns::Sy, "sy", "http://purl.org/rss/1.0/modules/syndication/", &[]),
    prefixed(Ns::Slash, "slash", "http://purl.org/rss/1.0/modules/slash/", &[]),
    prefixed(Ns::Wfw, "wfw", "http://wellformedweb.org/CommentAPI/", &[
        "http://wellformedweb.org/commentAPI/",
    ]),
    prefixed(Ns::Thr, "thr", "http://purl.org/syndication/thread/1.0", &[
        "http://purl.org/rss/1.0/modules/threading/",
    ]),
    prefixed(Ns::Fh, "fh", "http://purl.org/syndication/history/1.0", &[]),
    prefixed(Ns::Yt, "yt", "http://www.youtube.com/xml/schemas/2015", &[]),
    prefixed(Ns::CreativeCommons, "creativeCommons", "http://backend.userland.com/creativeCommonsRssModule", &[
        "http://cyber.law.harvard.edu/rss/creativeCommonsRssModule.html",
    ]),
    prefixed(Ns::Cc, "cc", "http://web.resource.org/cc/", &[
        "http://creativecommons.org/ns#",
    ]),
    prefixed(Ns::Source, "source", "http://source.scripting.com/", &[]),
    prefixed(Ns::Rdf, "rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#", &[]),
    default(Ns::Rss10, "rss10", "http://purl.org/rss/1.0/", &[]),
    default(Ns::Rss090, "rss090", "http://my.netscape.com/rdf/simple/0.9/", &[
        "http://channel.netscape.com/rdf/simple/0.9/",
    ]),
    default(Ns::Rss11, "rss11", "http://purl.org/net/rss1.1#", &[]),
    default(Ns::Rss2, "rss2", "http://backend.userland.com/rss2", &[
        "http://backend.userland.com/RSS2",
        "http://backend.userland.com/rss",
        "http://blogs.law.harvard.edu/tech/rss",
        "http://cyber.law.harvard.edu/rss/rss.html",
        "http://www.rssboard.org/rss-specification",
    ]),
    default(Ns::YahooChannel, "yahoo", "urn:yahoo:yn", &[]),
    prefixed(Ns::Ovs, "ovs", "http://webmaster.yandex.ru/schemas/video", &[
        "https://download.cdn.yandex.net/support/com/video/files/xml-schema.xml",
        "http://video.yandex.ru/schemas/video_import",
    ]),
    prefixed(Ns::Transfeed, "transfeed", "urn:transfeed", &[]),
    default(Ns::Dialect, "dialect", "urn:transfeed:dialect", &[]),
];

const _: () = {
    let mut place = 0;
    while place < NAMES.len() {
        assert!(NAMES[place].ns as usize == place, "the table is not in the order of Ns");
        place += 1;
    }
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_each_of_its_spellings() {
        for entry in NAMES.iter().filter(|entry| entry.ns != Ns::Unknown) {
            assert_eq!(Ns::from_uri(entry.uri), NamespaceMatch { ns: entry.ns, alias: false });
            for uri in entry.also {
                assert_eq!(Ns::from_uri(uri), NamespaceMatch { ns: entry.ns, alias: true }, "{uri}");
            }
            let json = serde_json::to_string(&entry.ns).unwrap();
            assert_eq!(serde_json::from_str::<Ns>(&json).unwrap(), entry.ns);
            if !entry.prefix.is_empty() {
                assert_eq!(Ns::by_prefix(entry.prefix), Some(entry.ns));
                assert_eq!(entry.ns.name(), entry.prefix);
            }
        }
    }

    #[test]
    fn no_spelling_names_two_namespaces() {
        let mut seen: Vec<(String, Ns)> = Vec::new();
        for entry in NAMES.iter().filter(|entry| entry.ns != Ns::Unknown) {
            for spelling in entry.spellings() {
                let key = key(spelling);
                assert!(seen.iter().all(|(other, _)| *other != key), "{spelling} stands twice");
                seen.push((key, entry.ns));
            }
        }
    }

    #[test]
    fn spellings_outside_the_table() {
        let cases = [
            ("http://search.yahoo.com/mrss", Ns::Media),
            ("https://search.yahoo.com/mrss/", Ns::Media),
            (" HTTP://Search.Yahoo.COM/mrss/\n", Ns::Media),
            ("http://www.rssboard.org/media-rss/", Ns::Media),
            ("https://www.sitemaps.org/schemas/sitemap/0.9/", Ns::Sitemap),
            ("http://purl.org/dc/elements/1.1", Ns::Dc),
            ("http://source.scripting.com", Ns::Source),
            ("URN:yahoo:yn", Ns::YahooChannel),
            (" ", Ns::None),
        ];
        for (uri, ns) in cases {
            assert_eq!(Ns::from_uri(uri), NamespaceMatch { ns, alias: true }, "{uri}");
        }
        let unknown = [
            "http://search.yahoo.com/MRSS/",
            "http://podlove.org/simple-chapters",
            "http://www.spotify.com/ns/rss",
            "http://www.google.com/geo/schemas/sitemap/1.0",
            "http://www.w3.org/2005/Atom#",
            "mrss",
            "://",
            "é:é",
        ];
        for uri in unknown {
            assert_eq!(Ns::from_uri(uri), NamespaceMatch { ns: Ns::Unknown, alias: false }, "{uri}");
        }
    }

    #[test]
    fn prefixes() {
        assert_eq!(Ns::by_prefix("media"), Some(Ns::Media));
        assert_eq!(Ns::by_prefix("podcast"), Some(Ns::Podcast));
        assert_eq!(Ns::by_prefix("psc"), None);
        assert_eq!(Ns::by_prefix("unknown"), None);
        assert_eq!(Ns::by_prefix(""), None);
        assert_eq!((Ns::Sitemap.prefix(), Ns::Video.prefix()), ("", "video"));
        assert_eq!(Ns::Media.uri(), "http://search.yahoo.com/mrss/");
    }
}
