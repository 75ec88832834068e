//! The link relations that IANA has registered, as of August 2026 (<https://www.iana.org/assignments/link-relations>). Not what a
//! relation means to a format.

/// The names in alphabetical order.
#[rustfmt::skip]
static REGISTERED: &[&str] = &[
    "about", "acl", "alternate", "amphtml", "api-catalog", "appendix", "apple-touch-icon",
    "apple-touch-startup-image", "archives", "author", "blocked-by", "bookmark", "c2pa-manifest", "canonical",
    "chapter", "cite-as", "collection", "compression-dictionary", "contents", "convertedfrom", "copyright",
    "create-form", "current", "deprecation", "describedby", "describes", "disclosure", "dns-prefetch", "dpp", "duplicate",
    "edit", "edit-form", "edit-media", "enclosure", "external", "first", "geofeed", "glossary", "help", "hosts",
    "hub", "ice-server", "icon", "index", "intervalafter", "intervalbefore", "intervalcontains", "intervaldisjoint",
    "intervalduring", "intervalequals", "intervalfinishedby", "intervalfinishes", "intervalin", "intervalmeets",
    "intervalmetby", "intervaloverlappedby", "intervaloverlaps", "intervalstartedby", "intervalstarts", "item",
    "last", "latest-version", "license", "linkset", "lrdd", "manifest", "mask-icon", "me", "media-feed", "memento",
    "micropub", "modulepreload", "monitor", "monitor-group", "next", "next-archive", "nofollow", "noopener",
    "noreferrer", "opener", "openid2.local_id", "openid2.provider", "original", "p3pv1", "payment", "pingback",
    "preconnect", "predecessor-version", "prefetch", "preload", "prerender", "prev", "prev-archive", "preview",
    "previous", "privacy-policy", "profile", "publication", "rdap-active", "rdap-bottom", "rdap-down", "rdap-top",
    "rdap-up", "related", "replies", "restconf", "ruleinput", "search", "section", "self", "service",
    "service-desc", "service-doc", "service-meta", "sip-trunking-capability", "sponsored", "start", "status",
    "stylesheet", "subsection", "successor-version", "sunset", "tag", "terms-of-service", "timegate", "timemap",
    "type", "ugc", "up", "version-history", "via", "webmention", "working-copy", "working-copy-of",
];

/// The registered relation that is meant by a name in any case.
pub(crate) fn registered(name: &str) -> Option<&'static str> {
    REGISTERED.iter().find(|known| known.eq_ignore_ascii_case(name)).copied()
}

/// Whether a relation is registered, in any case (RFC 8288, section 3.3).
pub(crate) fn is_registered(name: &str) -> bool {
    registered(name).is_some()
}
