//! Determines the format of a document from its detected beginning, and builds the error for one without a known
//! format. `detect` examines the beginning.

use crate::detect::{self, DocumentKind, LATE_ELEMENT};
use crate::error::Error;
use crate::format::{self, Family, Format};
use crate::model::origin::Syntax;
use crate::text::{html, url};
use crate::xml::names::Ns;

/// The format of a document, from what its beginning looks like and the namespaces it names there. Pages with `players` may be
/// asked for.
pub(super) fn recognise(kind: &DocumentKind, prefix: &str, players: bool) -> Result<&'static Format, Error> {
    let uses = |ns: Ns| namespaces_in(prefix).any(|found| found == ns) || uses_undeclared_prefix(prefix, ns);
    Ok(match kind {
        DocumentKind::Rss { .. } if uses(Ns::Media) => &format::rss::MRSS,
        DocumentKind::Rss { .. } if is_podcast(prefix) => &format::rss::PODCAST,
        DocumentKind::Rss { .. } => &format::rss::RSS,
        DocumentKind::Rss10 | DocumentKind::Rss11 => &format::rss::RSS1,
        DocumentKind::Rss090 => &format::rss::RSS09,
        DocumentKind::Atom | DocumentKind::AtomEntry if uses(Ns::Media) => &format::atom::ATOM_MEDIA,
        DocumentKind::Atom | DocumentKind::AtomEntry => &format::atom::ATOM,
        DocumentKind::Atom03 => &format::atom::ATOM03,
        DocumentKind::Sitemap if uses(Ns::Video) => &format::sitemap::VIDEO,
        DocumentKind::Sitemap => &format::sitemap::SITEMAP,
        DocumentKind::SitemapIndex => &format::sitemap::SITEMAP_INDEX,
        DocumentKind::YandexVideo { .. } => &format::yandex::YANDEX_VIDEO,
        DocumentKind::Text => &format::text::TEXT,
        DocumentKind::Table => &format::csv::CSV,
        DocumentKind::JsonFeed => &format::jsonfeed::JSON_FEED,
        DocumentKind::Json => &format::json::JSON,
        DocumentKind::JsonLines => &format::json::JSONL,
        DocumentKind::JsonLd => &format::jsonld::JSONLD,
        DocumentKind::HtmlVideo => &format::jsonld::HTML,
        DocumentKind::Html { players: true, .. } if players => &format::jsonld::HTML,
        other => return Err(refusal(other)),
    })
}

/// Whether a document that looks like this and begins with `prefix` can be read as this format where that is asked for.
pub(super) fn forced(kind: &DocumentKind, prefix: &str, from: &'static Format) -> Result<(), Error> {
    let family = match kind {
        DocumentKind::Opml if from.id == "opml" => return Ok(()),
        // a list of URLs may begin with anything, and may have none
        _ if from.family.is_lines() => return Ok(()),
        DocumentKind::Empty => return Err(refusal(kind)),
        _ if from.id == "opml" => return Err(refusal(kind)),
        // headings may be anything, too
        DocumentKind::Text
        | DocumentKind::Csv { .. }
        | DocumentKind::Unknown { .. }
        | DocumentKind::UnknownXml { .. }
        | DocumentKind::UnknownJson { .. }
            if from.family.is_table() && !prefix.lines().next().is_some_and(|line| url::is_http(line.trim())) =>
        {
            return Ok(());
        }
        DocumentKind::Rss { .. } | DocumentKind::Rss10 | DocumentKind::Rss11 | DocumentKind::Rss090 => {
            &format::rss::FAMILY
        }
        DocumentKind::Atom | DocumentKind::AtomEntry | DocumentKind::Atom03 => &format::atom::FAMILY,
        DocumentKind::Sitemap | DocumentKind::SitemapIndex => &format::sitemap::FAMILY,
        DocumentKind::UnknownJson { cut } if from.family.syntax == Syntax::Json => {
            return if *cut || has_member(prefix, from) { Ok(()) } else { Err(refusal(kind)) };
        }
        DocumentKind::Json | DocumentKind::JsonLines | DocumentKind::UnknownJson { .. } => &format::json::FAMILY,
        DocumentKind::JsonFeed => &format::jsonfeed::FAMILY,
        DocumentKind::JsonLd => &format::jsonld::FAMILY,
        DocumentKind::HtmlVideo => &format::jsonld::PAGES,
        DocumentKind::YandexVideo { .. } => &format::yandex::FAMILY,
        DocumentKind::Table | DocumentKind::Csv { .. } => &format::csv::FAMILY,
        DocumentKind::Text => &format::text::FAMILY,
        DocumentKind::Html { .. } if from.id == "html" => from.family,
        DocumentKind::UnknownXml { .. } if matches!(from.family.syntax, Syntax::Xml | Syntax::Html) => from.family,
        DocumentKind::Unknown { looks } if looks == LATE_ELEMENT => from.family,
        DocumentKind::Html { .. }
        | DocumentKind::Opml
        | DocumentKind::UnknownXml { .. }
        | DocumentKind::Unknown { .. } => return Err(refusal(kind)),
    };
    if family == from.family {
        return Ok(());
    }
    Err(Error::format(format!("this is {}, not {}", family.name, from.id), "leave --from out"))
}

/// Members of which a document in JSON has one, or its first entry, whatever else is missing.
static MEMBERS: [(&Family, &[&str]); 3] = [
    (
        &format::json::FAMILY,
        &[
            "transfeed",
            "feed",
            "entries",
            "loc",
            "id",
            "title",
            "summary",
            "content",
            "links",
            "enclosures",
            "videos",
            "published",
            "updated",
            "authors",
            "categories",
            "images",
            "news",
            "alternates",
            "media",
            "modules",
            "foreign",
        ],
    ),
    (&format::jsonfeed::FAMILY, &["items"]),
    (&format::jsonld::FAMILY, &["@context", "@graph", "@id", "@type"]),
];

/// Whether the first object in JSON has such a member.
fn has_member(prefix: &str, from: &Format) -> bool {
    let names = detect::member_names(prefix.find('{').map_or("", |at| &prefix[at..]));
    MEMBERS.iter().any(|(family, members)| *family == from.family && members.iter().any(|name| names.contains(name)))
}

/// What helps where a page is not read.
const FEED_OR_PAGE: &str = "pass the URL of a feed, or --from html to read the page";
const PLAYERS: &str = "pass --videos-from-html to read its players and videos, or --from html to read the page";

/// Why a document is not read, and what was expected.
pub(crate) fn refusal(kind: &DocumentKind) -> Error {
    let expected =
        "expected RSS, Atom, an XML sitemap, JSON-LD, JSON Feed, a table, a list of URLs or the model as JSON";
    match kind {
        DocumentKind::Empty => Error::format("the input is empty", expected),
        DocumentKind::Html { title, players, microdata } => {
            let title = title.as_ref().map(|title| html::to_plain(title)).unwrap_or_default();
            let title: String = title.chars().filter(|c| !c.is_control()).take(100).collect();
            let title = if title.is_empty() { title } else { format!(" (\"{title}\")") };
            let video = if *microdata { "with a video in microdata, not" } else { "without a video" };
            let hint = if *players { PLAYERS } else { FEED_OR_PAGE };
            Error::format(format!("an HTML page{title} {video} in JSON-LD"), hint)
        }
        DocumentKind::UnknownXml { root, namespace } => {
            let of = namespace.as_ref().map(|uri| format!(" of {uri}")).unwrap_or_default();
            Error::format(
                format!("XML with the root element <{root}>{of}, which is not that of a feed or sitemap"),
                expected,
            )
        }
        DocumentKind::Opml => {
            Error::format("an OPML list of feeds", "transfeed migrate converts the feeds that it names")
        }
        DocumentKind::Csv { delimiter, column } => {
            let set_apart = match delimiter {
                '\t' => String::new(),
                delimiter => format!(" -d'{delimiter}'"),
            };
            Error::format(
                "a table (CSV) without a heading that names a value",
                format!(
                    "use the names that `transfeed formats csv` lists, such as loc and video.title, or extract the column of URLs \
                     with `cut{set_apart} -f{column}`"
                ),
            )
        }
        DocumentKind::UnknownJson { cut: true } => Error::format(
            "JSON whose first 64 KiB are not those of a feed, of JSON-LD or of the model",
            "--from jsonfeed, --from jsonld or --from json reads it if it is one",
        ),
        DocumentKind::UnknownJson { cut: false } => {
            Error::format("JSON, but no feed, no JSON-LD, and not the model", expected)
        }
        DocumentKind::Unknown { looks } => {
            let looks: String = looks.chars().filter(|c| !c.is_control()).take(150).collect();
            Error::format(looks, expected)
        }
        _ => Error::format("not a known format", expected),
    }
}

/// Whether RSS has elements of podcasts. Many feeds declare the namespace of iTunes without a use of it.
fn is_podcast(prefix: &str) -> bool {
    let has = |start: &str| memchr::memmem::find(prefix.as_bytes(), start.as_bytes()).is_some();
    has("<itunes:") || has("<podcast:") || namespaces_in(prefix).any(|ns| ns == Ns::Podcast)
}

/// Whether elements have the usual prefix of a namespace, and nothing declares that prefix.
fn uses_undeclared_prefix(text: &str, ns: Ns) -> bool {
    let has = |piece: String| memchr::memmem::find(text.as_bytes(), piece.as_bytes()).is_some();
    has(format!("<{}:", ns.prefix())) && !has(format!("xmlns:{}", ns.prefix()))
}

/// The namespaces that a piece of markup declares, known ones only.
fn namespaces_in(text: &str) -> impl Iterator<Item = Ns> {
    memchr::memmem::find_iter(text.as_bytes(), b"xmlns").filter_map(|at| {
        let rest = text.get(at..)?;
        let (_, value) = rest.split_once('=')?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (uri, _) = value.get(1..)?.split_once(quote)?;
        (uri.len() < 200).then(|| Ns::from_uri(uri).ns).filter(|ns| *ns != Ns::Unknown)
    })
}
