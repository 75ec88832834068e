//! Checks of documents as a whole: root, limits, and known elements.

use super::super::hits::{Cx, Hits, QuotedValue, cut};
use super::{page, value};
use crate::diagnostic::is_cut_off;
use crate::format::sitemap::VIDEO_CHILDREN;
use crate::text::url;
use crate::tree::{Node, NodeKind};
use crate::xml::names::Ns;
use crate::xml::{self, scan};

/// Entries of a sitemap, or parts of an index.
pub(in crate::rules) const MOST: u64 = 50_000;

/// What to do where reading had to repair something.
pub(in super::super) fn repair_hint(code: &str) -> &'static str {
    match code {
        "encoding.conflict" => "declare the encoding of the file; best is UTF-8",
        "encoding.guessed" => "save the file as UTF-8",
        "encoding.invalid" => "save the file as UTF-8; a text may be cut inside a character",
        "encoding.mixed" => "save all of the file in one encoding, best UTF-8",
        "gzip.corrupt" | "gzip.truncated" => "compress the file again, and compare its size after the upload",
        "gzip.garbage" => "remove the data after the compressed stream",
        "ns.undeclared" => "declare the prefix in the root element: xmlns:prefix=\"…\"",
        "xml.ampersand" => "write & as &amp;",
        "xml.after_root" => "end the document with the end tag of its root",
        "xml.attribute" => "quote each attribute, and write it once",
        "xml.charref" => "write the character itself, or its number after &#x; remove invalid ones",
        "xml.comment" => "write - - or another character in the comment",
        "xml.control" => "remove the character: XML does not allow it",
        "xml.declaration" => "write <?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "xml.doctype" => "remove the document type",
        "xml.entity" => "remove the entity definitions, and write the characters",
        "xml.entity.reference" => "write the character itself, or a number such as &#160;",
        "xml.instruction" => "remove it; an XML declaration can only be the first line",
        "xml.markup" => "write < as &lt;",
        "xml.nesting" | "xml.unclosed" => "close elements in reverse order of opening",
        "xml.prolog" => "begin the file with <?xml or the root element, without blank lines or program output",
        "xml.unterminated" => "end each comment with -->, each CDATA section with ]]>, each tag with >",
        "xml.version" => "declare version=\"1.0\"",
        "name.case" | "name.case.root" => "write the name as in its format: XML names are case-sensitive",
        code if is_cut_off(code) => "write the complete file; an upload or a program was interrupted",
        code if code.starts_with("limit.") => "make the entry smaller, or raise the limit with its option",
        code if code.starts_with("json.") => "use a JSON library to write the file",
        _ => "use a library to write the markup",
    }
}

pub(in super::super) fn root(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let name = node.name();
    match (cx.format.family.namespace, node.ns()) {
        (Some(Ns::Atom), Ns::None) => {
            let hint = format_args!("write <{name} xmlns=\"{}\">", Ns::Atom.uri());
            hits.report_missing(0, node, format_args!("<{name}> has no namespace"), hint);
        }
        (Some(Ns::None), Ns::Rss2 | Ns::YahooChannel) => {
            let says = format_args!("RSS 2.0 has no namespace, but <rss> has {}", node.raw().uri);
            hits.report_missing(0, node, says, "remove xmlns from <rss>");
        }
        _ => (),
    }
    if !cx.format.family.is_markup() {
        return;
    }
    let source = node.tree.source.get(node.raw().at as usize..).unwrap_or("");
    let tag = source.get(..scan::tag_end(source).unwrap_or(0)).unwrap_or("");
    for (key, uri) in scan::attributes(tag) {
        let Some(ns) = key.strip_prefix("xmlns:").and_then(|prefix| looks_like(prefix, uri)) else { continue };
        let says = format_args!("{key} is {}, an unknown namespace", QuotedValue(uri));
        hits.report_value(1, node, Some(uri), says, format_args!("did you mean {}?", ns.uri()));
    }
}

/// The vocabulary that an unknown namespace seems to mean: that of its prefix, where the two are on one host.
fn looks_like(prefix: &str, uri: &str) -> Option<Ns> {
    let host = |uri: &str| url::host(uri).map(|host| host.trim_start_matches("www.").to_ascii_lowercase());
    let ns = Ns::by_prefix(prefix)?;
    // it has a namespace for each of its versions
    let is_like = ns != Ns::Gml && Ns::from_uri(uri).ns == Ns::Unknown && host(uri)? == host(ns.uri())?;
    is_like.then_some(ns)
}

pub(in super::super) fn sitemap_root(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if cx.format.family.is_xml_sitemap() && node.ns() == Ns::None {
        let hint = format_args!("write <{} xmlns=\"{}\">", node.name(), Ns::Sitemap.uri());
        hits.report_missing(0, node, format_args!("<{}> has no namespace", node.name()), hint);
    }
}

pub(in super::super) fn too_many(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if cx.entry == Some(MOST) && cx.format.id != "sitemap-index" {
        let says = "this is entry 50,001; a sitemap has at most 50,000";
        hits.report_missing(0, node, says, "split it: `transfeed convert` does so when it writes a sitemap with -o");
    }
}

pub(in super::super) fn too_many_parts(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if cx.entry == Some(MOST) && cx.format.id == "sitemap-index" {
        let says = "this is part 50,001; an index has at most 50,000";
        hits.report_missing(0, node, says, "write a second index, and submit both");
    }
}

pub(in super::super) fn nested_index(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let (Some(kinds), Some(loc)) = (&cx.settings.kinds, cx.child(node, Ns::Sitemap, "loc")) else { return };
    if kinds.format_name(loc.text_value()).as_deref() == Some("sitemap-index") {
        let says = format_args!("{} is an index itself", QuotedValue(loc.text_value()));
        hits.report(0, loc, says, "list its parts here instead");
    }
}

pub(in super::super) fn part_elsewhere(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if cx.format.id != "sitemap-index" {
        return;
    }
    let Some(own) = cx.settings.sitemap_url.as_deref().or(cx.first_page) else { return };
    let Some(loc) = cx.child(node, Ns::Sitemap, "loc") else { return };
    let text = loc.text_value();
    if value::is_web(text) && value::is_web(own) && !page::same_origin(text, own) {
        let origin = url::origin(own.trim()).unwrap_or(own).to_owned();
        let says = format_args!("{} is not on the site {origin}", QuotedValue(text));
        hits.report(0, loc, says, "keep the parts on the site of their index");
    }
}

pub(in super::super) fn part_above(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let (Some(own), "sitemap-index") = (cx.settings.sitemap_url.as_deref(), cx.format.id) else { return };
    let Some(loc) = cx.child(node, Ns::Sitemap, "loc") else { return };
    let (text, folder) = (loc.text_value(), page::folder(own));
    if page::same_origin(text, own) && !page::path(text).starts_with(&folder) {
        let says = format_args!("{} is not in {folder}, the folder of the index, or below it", QuotedValue(text));
        hits.report(0, loc, says, "move the index up, or its parts down");
    }
}

/// Elements whose text may not be missing.
const FILLED: [&str; 3] = ["lastmod", "changefreq", "priority"];

pub(in super::super) fn empty(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if node.text_value().is_empty() && !node.has_children() && FILLED.contains(&node.name()) {
        let hint = "write its value, or remove the element";
        hits.report_missing(0, node, format_args!("{} is empty", node.name()), hint);
    }
}

/// The same of videos.
pub(in super::super) fn empty_in_video(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(video) = node.parent().filter(|parent| cx.is(*parent, Ns::Video, "video")) else { return };
    // without both, another rule reports the video
    let is_reported = matches!(node.name(), "content_loc" | "player_loc")
        && ["content_loc", "player_loc"].into_iter().all(|name| cx.text(video, Ns::Video, name).is_none());
    if node.text_value().is_empty() && !node.has_children() && !is_reported {
        let says = format_args!("{} is empty", node.name());
        hits.report_missing(3, node, says, "write its value, or remove the element");
    }
}

/// The same of feeds.
pub(in super::super) fn blank(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if node.text_value().is_empty() {
        hits.report_missing(1, node, format_args!("{} is empty", node.name()), "write its text, or remove the element");
    }
}

/// Elements of sitemaps that hold others.
const HOLDERS: [&str; 12] = [
    "urlset",
    "url",
    "sitemapindex",
    "sitemap",
    "video",
    "tvshow",
    "image",
    "news",
    "publication",
    "PageMap",
    "DataObject",
    "mobile",
];

pub(in super::super) fn text_expected(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    // few elements hold others, so this is asked first
    for node in value::elements(root).filter(|node| node.has_children()) {
        let raw = node.raw();
        let ns = cx.canonical_namespace(raw.ns);
        let variant = match ns {
            _ if !cx.is_in_place(node) => continue,
            // another rule reports texts of videos
            Ns::Video
                if hits.is_required("V39", 0)
                    && node.parent().is_some_and(|above| cx.is(above, Ns::Video, "video")) =>
            {
                continue;
            }
            Ns::Sitemap | Ns::Video | Ns::Image | Ns::News => {
                if cx.entry.is_none() || HOLDERS.contains(&raw.name) || !xml::is_known(ns, raw.name) {
                    continue;
                }
                if ns == Ns::Sitemap { 0 } else { 3 }
            }
            _ if is_text_of_feed(ns, node, cx) => 2,
            _ => continue,
        };
        let says = format_args!("{} contains elements, but text is expected", raw.qname);
        hits.report(variant, node, says, "write text only, with < as &lt; and & as &amp;");
    }
}

/// Elements of modules that hold only text.
const TEXTS: &[(Ns, &[&str])] = &[
    (
        Ns::Media,
        &[
            "title",
            "description",
            "keywords",
            "text",
            "copyright",
            "category",
            "credit",
            "rating",
            "hash",
            "adult",
            "restriction",
        ],
    ),
    (Ns::Content, &["encoded"]),
    (
        Ns::Itunes,
        &[
            "author",
            "block",
            "complete",
            "duration",
            "email",
            "episode",
            "episodeType",
            "explicit",
            "keywords",
            "name",
            "new-feed-url",
            "season",
            "subtitle",
            "summary",
            "title",
            "type",
        ],
    ),
];

/// Whether RSS, or a module in it, has only text in this element. Another rule looks at the texts of Atom.
fn is_text_of_feed(ns: Ns, node: Node<'_, '_>, cx: &Cx<'_>) -> bool {
    if !matches!(cx.format.id, "rss" | "mrss" | "rss-podcast") {
        return false;
    }
    if ns != Ns::None {
        return TEXTS.iter().any(|(of, names)| *of == ns && names.contains(&node.name()));
    }
    let is_held = RSS.iter().any(|(holder, names)| {
        let above = node.parent().map_or("", |above| above.name());
        let above = if above == "liveItem" { "item" } else { above };
        *holder == above && names.contains(&node.name())
    });
    is_held && !RSS.iter().any(|(holder, _)| *holder == node.name()) && !matches!(node.name(), "cloud" | "enclosure")
}

/// Text between the elements of one that holds nothing else.
pub(in super::super) fn stray(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if let Some(text) = node.text() {
        let says = format_args!("{} between the elements of <{}>", QuotedValue(text.value()), node.raw().qname);
        let variant = u8::from(is_extension(cx.canonical_namespace(node.ns())));
        hits.report_at(place_of_text(text), variant, text, says, "put it into an element, or remove it");
    }
}

/// Where a text between elements begins: in a tree, the first one is where the element around it begins.
fn place_of_text(text: Node<'_, '_>) -> usize {
    let Some(holder) = text.parent() else { return 0 };
    let source = |at: usize| text.tree.source.get(at..).unwrap_or("");
    let before = holder.nodes().take_while(|node| node.index != text.index);
    let mut at = match before.filter(|node| node.kind() == NodeKind::Element).last() {
        Some(element) => element.raw().end as usize,
        None => holder.raw().at as usize + scan::tag_end(holder.source()).unwrap_or(0),
    };
    loop {
        at += source(at).len() - source(at).trim_start().len();
        match source(at).starts_with("<!--").then(|| source(at).find("-->")).flatten() {
            Some(end) => at += end + "-->".len(),
            None => return at,
        }
    }
}

/// Elements allowed at most once: their parents, and their names.
const SINGLE: &[(Ns, &str, Ns, &[&str])] = &[
    (Ns::Sitemap, "url", Ns::Sitemap, PAGE),
    (Ns::Sitemap, "sitemap", Ns::Sitemap, PART),
    (Ns::Image, "image", Ns::Image, IMAGE),
    (Ns::News, "news", Ns::News, NEWS),
    (Ns::News, "publication", Ns::News, &["name", "language"]),
    (Ns::None, "rss", Ns::None, &["channel"]),
    (Ns::None, "channel", Ns::None, CHANNEL),
    // another rule reports a second enclosure
    (Ns::None, "item", Ns::None, ITEM),
    (Ns::None, "item", Ns::Content, &["encoded"]),
    (Ns::Podcast, "liveItem", Ns::None, ITEM),
    (Ns::None, "image", Ns::None, CHANNEL_IMAGE),
    (Ns::None, "textInput", Ns::None, TEXT_INPUT),
    // other rules report a second id, title or updated, which are required too
    (Ns::Atom, "feed", Ns::Atom, &["generator", "icon", "logo", "rights", "subtitle"]),
    (Ns::Atom, "entry", Ns::Atom, &["content", "published", "rights", "source", "summary"]),
    (Ns::Atom, "source", Ns::Atom, &["generator", "icon", "id", "logo", "rights", "subtitle", "title", "updated"]),
    (Ns::Atom, "author", Ns::Atom, PERSON),
    (Ns::Atom, "contributor", Ns::Atom, PERSON),
    (Ns::None, "channel", Ns::Media, MEDIA),
    (Ns::None, "item", Ns::Media, MEDIA),
    (Ns::Podcast, "liveItem", Ns::Media, MEDIA),
    (Ns::Atom, "feed", Ns::Media, MEDIA),
    (Ns::Atom, "entry", Ns::Media, MEDIA),
    (Ns::Media, "group", Ns::Media, MEDIA),
    (Ns::Media, "content", Ns::Media, MEDIA),
    (Ns::Media, "community", Ns::Media, &["starRating", "statistics", "tags"]),
];

/// Elements of modules allowed at most once, in the head or in an entry, of RSS and Atom alike.
const SINGLE_IN_MODULES: &[(ModuleParent, Ns, &[&str])] = &[
    (
        ModuleParent::Head,
        Ns::Itunes,
        &[
            "author",
            "block",
            "complete",
            "explicit",
            "image",
            "keywords",
            "new-feed-url",
            "owner",
            "subtitle",
            "summary",
            "title",
            "type",
        ],
    ),
    (
        ModuleParent::Entry,
        Ns::Itunes,
        &[
            "author",
            "block",
            "duration",
            "episode",
            "episodeType",
            "explicit",
            "image",
            "isClosedCaptioned",
            "keywords",
            "order",
            "season",
            "subtitle",
            "summary",
            "title",
        ],
    ),
    (ModuleParent::Owner, Ns::Itunes, &["name", "email"]),
    (ModuleParent::Head, Ns::Sy, &["updatePeriod", "updateFrequency", "updateBase"]),
    (ModuleParent::Entry, Ns::Slash, &["comments", "department", "hit_parade", "section"]),
    (ModuleParent::Entry, Ns::Wfw, &["comment", "commentRss"]),
    (ModuleParent::Entry, Ns::Thr, &["total"]),
    (ModuleParent::Head, Ns::Podcast, &["guid", "medium"]),
    (ModuleParent::Entry, Ns::Podcast, &["chapters", "episode", "season"]),
    (ModuleParent::Head, Ns::Dcterms, &["valid"]),
    (ModuleParent::Entry, Ns::Dcterms, &["valid"]),
    (ModuleParent::Media, Ns::Dcterms, &["valid"]),
    (ModuleParent::Head, Ns::Atom, &["generator", "icon", "id", "logo", "rights", "subtitle", "title", "updated"]),
    (ModuleParent::Entry, Ns::Atom, &["content", "id", "published", "rights", "source", "summary", "title", "updated"]),
];

/// Where elements of modules are.
#[derive(Clone, Copy, PartialEq)]
enum ModuleParent {
    Head,
    Entry,
    /// In a group or a file of Media RSS.
    Media,
    /// In `itunes:owner`.
    Owner,
}

impl ModuleParent {
    fn from_node(node: Node<'_, '_>, cx: &Cx<'_>) -> Option<ModuleParent> {
        match (cx.canonical_namespace(node.ns()), node.name()) {
            (Ns::None, "channel") | (Ns::Atom, "feed") => Some(ModuleParent::Head),
            (Ns::None, "item") | (Ns::Podcast, "liveItem") | (Ns::Atom, "entry") => Some(ModuleParent::Entry),
            (Ns::Media, "group" | "content") => Some(ModuleParent::Media),
            (Ns::Itunes, "owner") => Some(ModuleParent::Owner),
            _ => None,
        }
    }
}

const PAGE: &[&str] = &["loc", "lastmod", "changefreq", "priority"];
const PART: &[&str] = &["loc", "lastmod"];
const IMAGE: &[&str] = &["loc", "caption", "geo_location", "title", "license"];
const NEWS: &[&str] = &["publication", "access", "genres", "publication_date", "title", "keywords", "stock_tickers"];
pub(super) const TVSHOW: &[&str] =
    &["show_title", "video_type", "episode_title", "season_number", "episode_number", "premier_date"];
const CHANNEL: &[&str] = &[
    "title",
    "link",
    "description",
    "language",
    "copyright",
    "managingEditor",
    "webMaster",
    "pubDate",
    "lastBuildDate",
    "generator",
    "docs",
    "cloud",
    "ttl",
    "image",
    "rating",
    "textInput",
    "skipHours",
    "skipDays",
];
const CHANNEL_IMAGE: &[&str] = &["url", "title", "link", "width", "height", "description"];
const TEXT_INPUT: &[&str] = &["title", "description", "name", "link"];
const ITEM: &[&str] = &["title", "link", "description", "author", "comments", "guid", "pubDate", "source"];
const PERSON: &[&str] = &["name", "uri", "email"];

/// What Media RSS has once at each level.
const MEDIA: &[&str] = &[
    "adult",
    "title",
    "description",
    "keywords",
    "player",
    "copyright",
    "community",
    "comments",
    "embed",
    "responses",
    "backLinks",
    "status",
    "rights",
    "scenes",
];

pub(in super::super) fn repeated(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for (above, holder, ns, names) in SINGLE {
        if cx.is(node, *above, holder) {
            report_repeated(node, if is_extension(*ns) { 2 } else { 0 }, *ns, names, cx, hits);
        }
    }
    let Some(place) = ModuleParent::from_node(node, cx) else { return };
    for (at, ns, names) in SINGLE_IN_MODULES {
        // Atom's own elements are not a module in Atom
        if *at == place && (*ns != Ns::Atom || !cx.format.family.is_atom()) {
            report_repeated(node, 1, *ns, names, cx, hits);
        }
    }
}

fn report_repeated(
    node: Node<'_, '_>,
    variant: u8,
    ns: Ns,
    names: &'static [&'static str],
    cx: &Cx<'_>,
    hits: &mut Hits<'_>,
) {
    if is_any_twice(node, ns, names, cx) {
        for name in names {
            for (count, extra) in cx.children(node, ns, name).enumerate().skip(1) {
                // in RSS an id is not that of an item
                let is_atom = ns == Ns::Atom && !cx.format.family.is_atom();
                let shown = if is_atom { extra.raw().qname.to_owned() } else { value::shown(ns, name) };
                let says = format_args!("{} {shown} in one {}", value::ordinal(count + 1), node.name());
                hits.report(variant, extra, says, "remove one of them");
            }
        }
    }
}

/// Whether any of these names occurs twice below an element; there are no more of them than bits.
fn is_any_twice(node: Node<'_, '_>, ns: Ns, names: &[&str], cx: &Cx<'_>) -> bool {
    let mut seen = 0_u64;
    node.children().filter(|child| cx.canonical_namespace(child.ns()) == ns).any(|child| {
        let bit = names.iter().position(|name| *name == child.name()).map_or(0, |place| 1 << place);
        let before = seen;
        seen |= bit;
        before & bit != 0
    })
}

/// The position of a name in an order. Most names follow the previous one, so the search begins there.
pub(super) fn place_of(name: &str, names: &[&str], from: usize) -> Option<usize> {
    let is_it = |known: &&str| *known == name;
    let behind = names.get(from..).and_then(|names| names.iter().position(is_it)).map(|place| from + place);
    behind.or_else(|| names.iter().take(from).position(is_it))
}

/// The order of the schemas.
const ORDER: &[SchemaOrder] = &[
    (Ns::Sitemap, "url", Ns::Sitemap, PAGE),
    (Ns::Sitemap, "sitemap", Ns::Sitemap, PART),
    (Ns::Video, "video", Ns::Video, VIDEO_CHILDREN),
    (Ns::Video, "tvshow", Ns::Video, TVSHOW),
    (Ns::Image, "image", Ns::Image, IMAGE),
    (Ns::News, "news", Ns::News, NEWS),
];

/// The elements of sitemaps whose order is free, by the elements around them.
const IN_ANY_ORDER: &[(Ns, &str, Ns, &[&str])] = &[
    (Ns::Sitemap, "url", Ns::Video, &["video"]),
    (Ns::Sitemap, "url", Ns::Image, &["image"]),
    (Ns::Sitemap, "url", Ns::News, &["news"]),
    (Ns::Sitemap, "url", Ns::Mobile, &["mobile"]),
    (Ns::Sitemap, "url", Ns::Xhtml, &["link"]),
    (Ns::News, "publication", Ns::News, &["name", "language"]),
];

/// Whether a vocabulary is one of those that Google reads in sitemaps.
fn is_extension(ns: Ns) -> bool {
    matches!(ns, Ns::Video | Ns::Image | Ns::News)
}

/// The order of the elements of a page, a video and the like.
type SchemaOrder = (Ns, &'static str, Ns, &'static [&'static str]);

pub(in super::super) fn order(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for row in ORDER {
        let (above, holder, ns, _) = row;
        // another rule reports a show
        let is_reported = *holder == "tvshow" && hits.is_required("V37", 0);
        if cx.is(node, *above, holder) && !is_reported {
            check_order(node, row, u8::from(is_extension(*ns)), cx, hits);
        }
    }
}

/// The order in a show.
pub(in super::super) fn order_of_show(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    check_order(node, &(Ns::Video, "tvshow", Ns::Video, TVSHOW), 0, cx, hits);
}

/// Reports the first element that is not in the order of the schema.
fn check_order(
    node: Node<'_, '_>,
    (_, holder, ns, names): &SchemaOrder,
    variant: u8,
    cx: &Cx<'_>,
    hits: &mut Hits<'_>,
) {
    let mut last: Option<(usize, &str)> = None;
    let mut foreign = false;
    for child in node.children() {
        if cx.canonical_namespace(child.ns()) != *ns {
            // in a page the extensions come last
            foreign = *holder == "url";
            continue;
        }
        let from = last.map_or(0, |(place, _)| place);
        let Some(place) = place_of(child.name(), names, from) else { continue };
        if foreign {
            let says = format_args!("{} after the extension elements", child.name());
            let hint = "write loc, lastmod, changefreq, priority, then the rest";
            return hits.report_missing(variant, child, says, hint);
        }
        if let Some((before, name)) = last.filter(|(before, _)| *before > place) {
            let says = format_args!("{} after {name}; the schema has it before", child.name());
            // both are places in it, and this one is the earlier
            let order = names[place..=before].join(", ");
            return hits.report_missing(variant, child, says, format_args!("write them in the order {order}"));
        }
        last = Some((place, child.name()));
    }
}

/// The elements of RSS 2.0, by their parents; those that may occur twice are in rows of their own.
const RSS: &[(&str, &[&str])] = &[
    ("rss", &["channel"]),
    ("channel", CHANNEL),
    ("channel", &["category", "item"]),
    ("item", ITEM),
    ("item", &["category", "enclosure", "expirationDate"]),
    ("image", CHANNEL_IMAGE),
    ("textInput", TEXT_INPUT),
    ("skipHours", &["hour"]),
    ("skipDays", &["day"]),
];

/// The core of sitemaps.
const SITEMAP: &[(&str, &[&str])] =
    &[("urlset", &["url"]), ("url", PAGE), ("sitemapindex", &["sitemap"]), ("sitemap", PART)];

pub(in super::super) fn unknown(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    // names of JSON are in no vocabulary of elements
    if !cx.format.family.is_markup() {
        return;
    }
    for node in value::elements(root).filter(|node| node.ns() != Ns::Unknown) {
        let raw = node.raw();
        let ns = cx.canonical_namespace(raw.ns);
        if ns == Ns::Sitemap
            && let Some(above) = unprefixed(node)
        {
            let shown = value::shown(above, raw.name);
            let says = format_args!("<{}> in <{}> without a prefix", raw.qname, cut(&holder(node), 60));
            hits.report_missing(2, node, says, format_args!("did you forget {}:? write <{shown}>", above.prefix()));
            continue;
        }
        if let Some(place) = misplaced(node, ns, cx) {
            // another rule reports videos outside pages
            if (ns, raw.name) == (Ns::Video, "video") && hits.is_required("V43", 0) {
                continue;
            }
            let says = format_args!("<{}> is out of place in <{}>", raw.qname, cut(&holder(node), 60));
            let variant = if is_extension(ns) || cx.entry.is_some() { 2 } else { 0 };
            match place.as_str() {
                "" => hits.report_missing(variant, node, says, "remove it, or move it to your own namespace"),
                place => hits.report_missing(variant, node, says, format_args!("put it into {place}")),
            }
            continue;
        }
        let known = match (cx.format.family.namespace, ns) {
            (_, Ns::Xhtml) => continue,
            (Some(Ns::Sitemap), Ns::Sitemap) => in_table(SITEMAP, node, cx),
            (Some(Ns::None), Ns::None) if matches!(cx.format.id, "rss" | "mrss" | "rss-podcast") => {
                in_table(RSS, node, cx)
            }
            (Some(Ns::None), Ns::None | Ns::Rdf) | (Some(Ns::Atom), Ns::Atom) => None,
            (Some(Ns::Sitemap), Ns::PageMap) => None,
            _ => Some(xml::is_known(ns, raw.name)),
        };
        if known == Some(false) {
            let near = near(ns, raw.name, node, cx);
            // an unknown name in an incompletely listed vocabulary is only an error if it is close to a known one
            if !xml::is_whole(ns) && !near.as_deref().is_some_and(|near| is_slip(raw.name, near)) {
                continue;
            }
            let variant = match ns {
                Ns::Media => 1,
                // one finding under Yandex covers all elements of this name
                Ns::Sitemap if cx.entry.is_some() => 2,
                Ns::Sitemap | Ns::None => 0,
                _ => 2,
            };
            let says = format_args!("{} has no <{}> here", vocabulary(ns), raw.qname);
            match near {
                Some(near) => hits.report_missing(variant, node, says, format_args!("did you mean {near}?")),
                None => hits.report_missing(variant, node, says, "remove it, or move it to your own namespace"),
            }
        }
    }
}

/// The parent that an element of a sitemap should have, where its parent has no child of its name; empty where none should
/// have it. Absent for unknown names of extensions, which are reported as slips.
fn misplaced(node: Node<'_, '_>, ns: Ns, cx: &Cx<'_>) -> Option<String> {
    if cx.format.family.namespace != Some(Ns::Sitemap) {
        return None;
    }
    let above = node.parent()?;
    let home = cx.canonical_namespace(above.ns());
    if ns == Ns::Sitemap && home == Ns::Sitemap {
        return None;
    }
    let rows = || ORDER.iter().chain(IN_ANY_ORDER);
    let is_holder = home == Ns::Sitemap && matches!(above.name(), "urlset" | "sitemapindex")
        || rows().any(|(of, name, ..)| *of == home && *name == above.name());
    let has = |(_, _, of, names): &&(Ns, &str, Ns, &[&str])| *of == ns && names.contains(&node.name());
    if !is_holder || rows().filter(has).any(|(of, name, ..)| *of == home && *name == above.name()) {
        return None;
    }
    let place = rows().find(has).map(|(of, name, ..)| format!("<{}>", value::shown(*of, name)));
    place.or_else(|| matches!(ns, Ns::Sitemap | Ns::Xhtml).then(String::new))
}

/// The vocabulary of the element around this one, where that has an element of this name and this one is not of it.
fn unprefixed(node: Node<'_, '_>) -> Option<Ns> {
    let above = node.parent()?.ns();
    (matches!(above, Ns::Video | Ns::Image | Ns::News) && xml::is_known(above, node.name())).then_some(above)
}

/// The name of the element around this one, as it is written.
fn holder(node: Node<'_, '_>) -> String {
    node.parent().map_or(String::new(), |parent| parent.raw().qname.to_owned())
}

/// Whether a name is so near a known one that it is hardly another: one letter in three may be off.
fn is_slip(name: &str, near: &str) -> bool {
    let near = near.rsplit_once(':').map_or(near, |(_, local)| local);
    crate::text::distance(name, near) * 3 <= name.len()
}

fn vocabulary(ns: Ns) -> String {
    match ns {
        Ns::None => "RSS 2.0".to_owned(),
        Ns::Sitemap => "the protocol of sitemaps".to_owned(),
        ns => format!("the vocabulary {}", ns.uri()),
    }
}

/// Whether an element is listed under its parent; `None` if the parent is not listed either.
fn in_table(table: &'static [(&str, &[&str])], node: Node<'_, '_>, cx: &Cx<'_>) -> Option<bool> {
    let parent = node.parent().map(|parent| parent.name());
    let holder = match parent {
        Some(parent) => parent,
        // the parent of an entry's root is not part of its tree
        None if cx.entry.is_some() => return None,
        None => {
            return Some(table.first().is_some_and(|(name, _)| *name == node.name()) || node.name() == "sitemapindex");
        }
    };
    let mut names = names_in(table, holder).peekable();
    names.peek()?;
    // Google's old elements, which other rules are about
    Some(names.any(|name| name == node.name()) || matches!(node.name(), "PageMap" | "expires"))
}

/// A known name that is nearly this one.
fn near(ns: Ns, name: &str, node: Node<'_, '_>, cx: &Cx<'_>) -> Option<String> {
    let holder = node.parent().map(|parent| parent.name())?;
    let table = match (cx.format.family.namespace, ns) {
        (Some(Ns::None), Ns::None) => RSS,
        (Some(Ns::Sitemap), Ns::Sitemap) => SITEMAP,
        _ => return xml::near_name(ns, name).map(|near| value::shown(ns, near)),
    };
    crate::text::nearest(name, names_in(table, holder)).map(str::to_owned)
}

/// The names that a table has for a parent.
fn names_in(table: &'static [(&str, &[&str])], holder: &str) -> impl Iterator<Item = &'static str> {
    table.iter().filter(move |(of, _)| *of == holder).flat_map(|(_, names)| names.iter().copied())
}
