//! Detects the format of a document from its beginning. The bytes decide, never a name or a MIME type. It does not
//! validate, and the namespaces in use are found elsewhere.

use std::borrow::Cow;

use crate::format::csv::row::{is_comment, is_header, is_separator_line};
use crate::format::embedded;
use crate::json::page::is_video_item;
use crate::text::html::{PageElements, is_of_message};
use crate::xml::names::Ns;
use crate::xml::scan::{attributes, is_declaration, missing_quote, name_len, split_name, starts_name, tag_end};

const ATOM: &str = "http://www.w3.org/2005/Atom";
const ATOM_03: &str = "http://purl.org/atom/ns#";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const RSS_10: &str = "http://purl.org/rss/1.0";
const RSS_11: &str = "http://purl.org/net/rss1.1#";
const YAHOO_CHANNEL: &str = "urn:yahoo:yn";

/// What a document is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentKind {
    /// RSS 0.91 to 0.94 and 2.x: root `rss`.
    Rss {
        /// Attribute `version` as written, trimmed; empty if absent, which means 2.0.
        version: String,
    },
    /// RSS 1.0: root `RDF`.
    Rss10,
    /// RSS 0.90: root `RDF` with Netscape's namespace.
    Rss090,
    /// RSS 1.1: root `Channel`.
    Rss11,
    /// Atom 1.0, also without a namespace.
    Atom,
    /// Atom 0.3.
    Atom03,
    /// An Atom entry document (RFC 4287, 4.1.2).
    AtomEntry,
    /// XML sitemap with any namespace or none.
    Sitemap,
    /// Sitemap index with any namespace or none.
    SitemapIndex,
    /// A description of a video for Yandex.
    YandexVideo {
        /// The root has several of them.
        nested: bool,
    },
    /// Text sitemap: one URL per line.
    Text,
    /// The model as one JSON object.
    Json,
    /// The model as JSON lines, the first one the feed.
    JsonLines,
    /// JSON Feed 1.0 or 1.1.
    JsonFeed,
    /// schema.org `VideoObject` as JSON-LD.
    JsonLd,
    /// OPML.
    Opml,
    /// A web page where a feed was expected.
    Html {
        /// Its title with white space collapsed, at most 200 characters.
        title: Option<String>,
        /// It has players of known platforms, or `video` elements with a file.
        players: bool,
        /// It describes a video by microdata.
        microdata: bool,
    },
    /// A web page with a `VideoObject` as JSON-LD.
    HtmlVideo,
    /// XML with a root that is not one of the above.
    UnknownXml {
        /// Qualified name of the root element.
        root: String,
        /// Its namespace, if one is bound.
        namespace: Option<String>,
    },
    /// JSON that is not one of the above.
    UnknownJson {
        /// More of it follows.
        cut: bool,
    },
    /// A table with headings that name fields of the model.
    Table,
    /// A table with a column of URLs, and none of these headings.
    Csv {
        /// The character between two columns.
        delimiter: char,
        /// The column of the URLs, from 1.
        column: usize,
    },
    /// Only white space.
    Empty,
    /// Anything else.
    Unknown {
        /// What it looks like, to be shown to a person.
        looks: String,
    },
}

impl DocumentKind {
    /// The version of the format of the document; empty if it has none.
    pub fn version(&self) -> &str {
        match self {
            DocumentKind::Rss { version } if version.is_empty() => "2.0",
            DocumentKind::Rss { version } => version,
            DocumentKind::Rss10 | DocumentKind::Atom | DocumentKind::AtomEntry => "1.0",
            DocumentKind::Rss090 => "0.90",
            DocumentKind::Rss11 => "1.1",
            DocumentKind::Atom03 => "0.3",
            DocumentKind::Sitemap | DocumentKind::SitemapIndex => "0.9",
            DocumentKind::Text
            | DocumentKind::YandexVideo { .. }
            | DocumentKind::Json
            | DocumentKind::JsonLines
            | DocumentKind::JsonFeed
            | DocumentKind::JsonLd
            | DocumentKind::Opml
            | DocumentKind::Html { .. }
            | DocumentKind::HtmlVideo
            | DocumentKind::UnknownXml { .. }
            | DocumentKind::UnknownJson { .. }
            | DocumentKind::Table
            | DocumentKind::Csv { .. }
            | DocumentKind::Empty
            | DocumentKind::Unknown { .. } => "",
        }
    }
}

/// Detects the format of a document from its first bytes, usually 64 KiB; `complete` if they are all of it.
///
/// White space, comments, processing instructions and a document type before the root are skipped. Names of roots are
/// compared without case, namespaces without `https` and a final slash.
pub fn detect(prefix: &str, complete: bool) -> DocumentKind {
    let text = prefix.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
    match text.as_bytes().first() {
        None if complete => DocumentKind::Empty,
        None => unknown("only white space"),
        Some(b'<') => xml(text, complete),
        Some(b'{') => json_object(text, complete),
        Some(b'[') if is_json_ld(text) => DocumentKind::JsonLd,
        Some(b'[') => DocumentKind::UnknownJson { cut: !complete },
        Some(_) => match lines(text, complete) {
            DocumentKind::Unknown { looks } if looks == BEFORE_MARKUP => {
                after_junk(text).unwrap_or_else(|| unknown(&list_with_markup(prefix).unwrap_or(looks)))
            }
            kind => kind,
        },
    }
}

/// What XML with a long prolog looks like.
pub(crate) const LATE_ELEMENT: &str = "XML without an element in its first 64 KiB; --from names its format";

const BEFORE_MARKUP: &str = "text before markup";

/// The description of a list of URLs in which a line begins with `<`.
fn list_with_markup(prefix: &str) -> Option<String> {
    let mut lines = prefix.lines().map(str::trim).zip(1..);
    lines.clone().any(|(line, _)| is_address(line)).then_some(())?;
    let (line, number) = lines.find(|(line, _)| line.starts_with('<'))?;
    let line: String = line.chars().take(30).collect();
    Some(format!("a list of URLs whose line {number} begins with `<`: {line}; --from text reads the others"))
}

/// A feed or sitemap that follows text which does not belong to it.
fn after_junk(text: &str) -> Option<DocumentKind> {
    let roots = ["<rss", "<feed", "<rdf:RDF", "<urlset", "<sitemapindex"];
    let declaration = text.find("<?xml").filter(|at| !is_message(&text[*at..]));
    let at = roots.iter().filter_map(|root| text.find(root)).chain(declaration).min()?;
    match xml(&text[at..], true) {
        DocumentKind::Unknown { .. } | DocumentKind::UnknownXml { .. } | DocumentKind::Html { .. } => None,
        kind => Some(kind),
    }
}

/// Whether the first element is one of a message.
fn is_message(text: &str) -> bool {
    root(text, true).is_ok_and(|root| is_of_message(root.name))
}

fn unknown(looks: &str) -> DocumentKind {
    DocumentKind::Unknown { looks: looks.to_owned() }
}

// ---- XML ----

/// The root's start tag.
struct Root<'t> {
    tag: Cow<'t, str>,
    name: &'t str,
    local: String,
    namespace: Option<String>,
    /// What follows the tag.
    after: &'t str,
    /// A document type of HTML precedes it.
    in_page: bool,
}

impl Root<'_> {
    fn attribute(&self, name: &str) -> Option<&str> {
        attributes(&self.tag).find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    fn has_namespace(&self, uri: &str) -> bool {
        self.namespace.as_deref().is_some_and(|namespace| same_namespace(namespace, uri))
    }

    fn declares(&self, test: impl Fn(&str) -> bool) -> bool {
        attributes(&self.tag).any(|(name, uri)| name.starts_with("xmlns") && test(uri.trim()))
    }
}

fn xml(text: &str, complete: bool) -> DocumentKind {
    let root = match root(text, complete) {
        Ok(root) => root,
        Err(kind) => return kind,
    };
    match root.local.as_str() {
        "urlset" => DocumentKind::Sitemap,
        "sitemapindex" => DocumentKind::SitemapIndex,
        "rss" => DocumentKind::Rss { version: root.attribute("version").unwrap_or_default().to_owned() },
        "rdf" => rdf(&root).unwrap_or_else(|| unknown_xml(&root)),
        "channel" if root.has_namespace(RSS_11) => DocumentKind::Rss11,
        "channel" if root.has_namespace(YAHOO_CHANNEL) => DocumentKind::Rss { version: String::new() },
        "feed" => feed(&root),
        "entry" if root.has_namespace(ATOM) || (root.namespace.is_none() && root.name.contains(':')) => {
            DocumentKind::AtomEntry
        }
        "opml" => DocumentKind::Opml,
        "video" | "videos" if is_of_yandex(&root) => yandex_video(&root),
        "html" | "head" | "body" | "title" | "meta" | "script" => html(text),
        _ if root.in_page => html(text),
        _ if is_of_message(root.name) => after_junk(text).unwrap_or_else(|| unknown_xml(&root)),
        _ => unknown_xml(&root),
    }
}

/// A page with a video in its JSON-LD, or any other.
fn html(text: &str) -> DocumentKind {
    let is_json_ld = |plus: usize| {
        let name = plus.checked_sub(2).and_then(|start| text.as_bytes().get(start..plus + 5));
        name.is_some_and(|name| name.eq_ignore_ascii_case(b"ld+json"))
    };
    match text.contains("VideoObject") && memchr::memchr_iter(b'+', text.as_bytes()).any(is_json_ld) {
        true => DocumentKind::HtmlVideo,
        false => DocumentKind::Html {
            title: title(text),
            players: embedded::has_videos(text),
            microdata: PageElements::new(text).any(|element| is_video_item(&element)),
        },
    }
}

/// Whether the root has the namespace of descriptions for Yandex, or its undeclared prefix.
fn is_of_yandex(root: &Root<'_>) -> bool {
    let undeclared = root.namespace.is_none() && root.name.starts_with("ovs:");
    undeclared || root.namespace.as_deref().is_some_and(|uri| Ns::from_uri(uri).ns == Ns::Ovs)
}

fn yandex_video(root: &Root<'_>) -> DocumentKind {
    let first = start_tags(root.after).next().map(|(_, name)| local(name));
    // a root with nothing in it has no video
    let nested = root.local == "videos" || first.is_none_or(|name| name == "video");
    DocumentKind::YandexVideo { nested }
}

fn feed(root: &Root<'_>) -> DocumentKind {
    let old = root.declares(|uri| same_namespace(uri, ATOM_03)) || root.attribute("version") == Some("0.3");
    match &root.namespace {
        Some(uri) if uri.starts_with(ATOM_03) => DocumentKind::Atom03,
        Some(uri) if same_namespace(uri, ATOM) => DocumentKind::Atom,
        None if old => DocumentKind::Atom03,
        None => DocumentKind::Atom,
        Some(uri) if Ns::from_uri(uri).ns == Ns::Atom03 => DocumentKind::Atom03,
        Some(_) if Ns::of_root(root.name, root.attribute("version")) == Some(Ns::Atom03) => DocumentKind::Atom03,
        Some(_) => unknown_xml(root),
    }
}

/// RSS in RDF, by the namespaces of the root or else of the first elements in it.
fn rdf(root: &Root<'_>) -> Option<DocumentKind> {
    if root.namespace.is_some() && !root.has_namespace(RDF) {
        return None;
    }
    let netscape = |uri: &str| uri.contains("netscape.com/rdf/simple/0.9");
    let rss = |uri: &str| same_namespace(uri, RSS_10);
    let inner = || start_tags(root.after).take(20);
    let bound = |test: &dyn Fn(&str) -> bool| {
        root.declares(test)
            || inner().any(|(tag, _)| attributes(tag).any(|(name, uri)| name.starts_with("xmlns") && test(uri)))
    };
    let channel = || inner().any(|(_, name)| matches!(local(name).as_str(), "channel" | "item"));
    match () {
        () if bound(&rss) => Some(DocumentKind::Rss10),
        () if bound(&netscape) => Some(DocumentKind::Rss090),
        () if channel() => Some(DocumentKind::Rss10),
        () => None,
    }
}

fn unknown_xml(root: &Root<'_>) -> DocumentKind {
    DocumentKind::UnknownXml { root: root.name.to_owned(), namespace: root.namespace.clone() }
}

/// Finds the root, after the prolog.
fn root(text: &str, complete: bool) -> Result<Root<'_>, DocumentKind> {
    let (mut rest, mut in_page) = (text, false);
    let none = |in_page| match (in_page, complete) {
        (true, _) => html(text),
        (false, true) => unknown("XML that does not begin with an element"),
        (false, false) => unknown(LATE_ELEMENT),
    };
    loop {
        rest = &rest[rest.find('<').ok_or_else(|| none(in_page))?..];
        let end = match rest.as_bytes() {
            [b'<', b'?', ..] if is_declaration(rest.as_bytes()) => rest.find('>').map(|at| at + 1),
            [b'<', b'?', ..] => rest.find("?>").map(|at| at + 2),
            [b'<', b'!', b'-', b'-', ..] => rest[4..].find("-->").map(|at| at + 7),
            [b'<', b'!', ..] => {
                in_page |= is_html_doctype(rest);
                doctype_end(rest)
            }
            [b'<', byte, ..] if starts_name(*byte) => return Ok(root_of(rest, in_page)),
            _ if in_page => return Err(html(text)),
            _ => return Err(unknown("text that begins with `<` but is not XML")),
        };
        rest = &rest[end.ok_or_else(|| none(in_page))?..];
    }
}

fn root_of(rest: &str, in_page: bool) -> Root<'_> {
    // a value that no quote ends, ends with the tag, as the splitter has it
    let whole = rest.get(1..).and_then(|rest| rest.find('<')).map_or(rest, |next| &rest[..=next]);
    let unquoted = if tag_end(whole).is_none() { missing_quote(whole.as_bytes()) } else { None };
    // If a tag is cut off, its name and first attributes still count.
    let end = unquoted.map(|(_, end)| end).or_else(|| tag_end(rest)).unwrap_or(rest.len());
    let (tag, after) = rest.split_at(end);
    let name = &tag[1..1 + name_len(&tag.as_bytes()[1..])];
    let tag = match unquoted {
        Some((quote, _)) => Cow::Owned([&tag[..end - 1], &tag[quote..=quote], ">"].concat()),
        None => Cow::Borrowed(tag),
    };
    let binding = match name.split_once(':') {
        Some((prefix, _)) => format!("xmlns:{prefix}"),
        None => "xmlns".to_owned(),
    };
    let namespace = attributes(&tag).find(|(name, _)| *name == binding).map(|(_, uri)| uri.trim().to_owned());
    Root { tag, name, local: local(name), namespace: namespace.filter(|uri| !uri.is_empty()), after, in_page }
}

/// Local name in lower case.
fn local(name: &str) -> String {
    String::from_utf8_lossy(split_name(name.as_bytes()).1).to_ascii_lowercase()
}

fn is_html_doctype(rest: &str) -> bool {
    let words = rest.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"));
    words && rest[9..].trim_start().get(..4).is_some_and(|name| name.eq_ignore_ascii_case("html"))
}

/// The end of a document type declaration, brackets, quotes and comments matched.
fn doctype_end(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let (mut at, mut depth, mut quote) = (0, 0u32, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            // a literal that no quote ends, as the splitter has it
            b'<' if quote != 0 && depth == 0 => return Some(at),
            _ if quote != 0 => quote = if byte == quote { 0 } else { quote },
            b'<' if bytes[at..].starts_with(b"<!--") => at += 3 + rest[at + 4..].find("-->")? + 3,
            b'<' if bytes[at..].starts_with(b"<?") => at += 1 + rest[at + 2..].find("?>")? + 2,
            b'"' | b'\'' => quote = byte,
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            b'>' if depth == 0 => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Start tags in order with their names; comments are not recognised.
fn start_tags(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let opens = memchr::memchr_iter(b'<', text.as_bytes());
    opens.filter_map(|at| {
        let rest = &text[at..];
        let name = &rest[1..1 + name_len(&rest.as_bytes()[1..])];
        let named = name.as_bytes().first().is_some_and(|byte| starts_name(*byte));
        named.then(|| (&rest[..tag_end(rest).unwrap_or(rest.len())], name))
    })
}

/// Whether two namespaces mean the same: `https` as `http`, host in any case, final slash optional.
fn same_namespace(found: &str, uri: &str) -> bool {
    let plain = |uri: &str| {
        let uri = uri.trim().trim_end_matches('/').to_ascii_lowercase();
        uri.strip_prefix("https:").map(|rest| format!("http:{rest}")).unwrap_or(uri)
    };
    plain(found) == plain(uri)
}

fn title(html: &str) -> Option<String> {
    let (_, rest) = start_tags(html).find(|(_, name)| name.eq_ignore_ascii_case("title")).map(|(tag, name)| {
        let at = tag.as_ptr() as usize - html.as_ptr() as usize;
        (name, &html[at + tag.len()..])
    })?;
    let words: Vec<&str> = rest.split('<').next()?.split_whitespace().collect();
    Some(words.join(" ").chars().take(200).collect::<String>()).filter(|title| !title.is_empty())
}

// ---- JSON ----

fn json_object(text: &str, complete: bool) -> DocumentKind {
    let object = JsonMembers::scan(text);
    if object.members.first().is_some_and(|member| member.name == "transfeed") && is_model(&object) {
        return model(text, &object, complete);
    }
    let version = object.members.iter().find(|member| member.name == "version").map(|member| member.text);
    let json_feed = |url: &str| {
        let url = url.trim_start_matches("https://").trim_start_matches("http://").trim_start_matches("www.");
        url.starts_with("jsonfeed.org/version/1")
    };
    match () {
        () if version.is_some_and(json_feed) => DocumentKind::JsonFeed,
        () if is_json_ld(text) => DocumentKind::JsonLd,
        () if object.has("items") && object.has("title") => DocumentKind::JsonFeed,
        () if !complete && begins_with_items(&object) => DocumentKind::JsonFeed,
        () => DocumentKind::UnknownJson { cut: !complete },
    }
}

/// Whether an object is a JSON Feed whose items are followed by its title and version, as in one with sorted members.
fn begins_with_items(object: &JsonMembers<'_>) -> bool {
    const BEFORE: [&str; 9] =
        ["author", "authors", "description", "expired", "favicon", "feed_url", "home_page_url", "hubs", "icon"];
    let Some((items, before)) = object.members.split_last().filter(|(last, _)| last.name == "items") else {
        return false;
    };
    let item = items.value.trim_start().strip_prefix('[').map(JsonMembers::scan).unwrap_or_default();
    let has_content = item.has("content_text") || item.has("content_html");
    before.iter().all(|member| member.name.starts_with('_') || BEFORE.contains(&member.name))
        && (has_content || item.has("id") && item.has("url"))
}

/// Whether an object that begins like the model is one: reports begin with the same member. Unknown members are read if
/// there is a feed or a list of entries.
fn is_model(object: &JsonMembers<'_>) -> bool {
    let mut is_one = object.members.iter().all(|member| matches!(member.name, "transfeed" | "format" | "feed"));
    for member in &object.members {
        match (member.name, member.value.trim_start().bytes().next()) {
            ("entries", Some(first)) if first != b'[' => return false,
            ("feed", Some(b'{')) | ("entries", _) => is_one = true,
            _ => (),
        }
    }
    is_one
}

/// The model: JSON lines if more follows the first object. A first object that is cut off counts as a line if it is on
/// one line and has no `entries` so far.
fn model(text: &str, object: &JsonMembers<'_>, complete: bool) -> DocumentKind {
    let one_line = !text.trim_end().contains('\n');
    match object.end {
        _ if object.has("entries") => DocumentKind::Json,
        Some(end) if text[end..].trim().is_empty() => {
            // Only the first line of what is longer: the rest follows.
            if complete { DocumentKind::Json } else { DocumentKind::JsonLines }
        }
        Some(_) => DocumentKind::JsonLines,
        None if one_line && !complete => DocumentKind::JsonLines,
        None => DocumentKind::Json,
    }
}

/// Whether this is about a video, or about nothing yet: a graph may be empty.
fn is_json_ld(text: &str) -> bool {
    let of_schema = text.contains("\"@context\"") && text.contains("schema.org");
    of_schema && (text.contains("VideoObject") || text.contains("\"@graph\""))
}

/// The names of the members of a JSON object at its top level, as they are written.
pub(crate) fn member_names(object: &str) -> Vec<&str> {
    JsonMembers::scan(object).members.into_iter().map(|member| member.name).collect()
}

/// A member of a JSON object.
struct JsonMember<'t> {
    name: &'t str,
    /// The raw content, if it is a string.
    text: &'t str,
    /// What follows its colon.
    value: &'t str,
}

/// The members of a JSON object at its top level.
#[derive(Default)]
struct JsonMembers<'t> {
    members: Vec<JsonMember<'t>>,
    /// After its closing brace.
    end: Option<usize>,
}

impl<'t> JsonMembers<'t> {
    fn has(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name == name)
    }

    /// Reads as far as there is text; nesting is counted, not followed.
    fn scan(text: &'t str) -> Self {
        let mut object = JsonMembers::default();
        let bytes = text.as_bytes();
        let (mut at, mut depth, mut in_value) = (0, 0u32, false);
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    let Some(end) = string_end(bytes, at) else { break };
                    if depth == 1 {
                        object.string(&text[at + 1..end - 1], in_value);
                    }
                    at = end;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                b':' if depth == 1 => {
                    in_value = true;
                    if let Some(member) = object.members.last_mut() {
                        member.value = &text[at + 1..];
                    }
                }
                b',' if depth == 1 => in_value = false,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                object.end = Some(at);
                break;
            }
        }
        object
    }

    fn string(&mut self, content: &'t str, in_value: bool) {
        match self.members.last_mut() {
            Some(member) if in_value => member.text = content,
            _ => self.members.push(JsonMember { name: content, text: "", value: "" }),
        }
    }
}

/// After the closing quote of the string that begins at `at`.
fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = at + 1;
    loop {
        match bytes.get(end)? {
            b'\\' => end += 2,
            b'"' => return Some(end + 1),
            _ => end += 1,
        }
    }
}

// ---- text ----

fn lines(text: &str, complete: bool) -> DocumentKind {
    // headings may be longer than what is looked at
    let cut = || {
        let end = text.rfind([',', ';', '\t', '|']).filter(|_| !complete && !text.contains(['\r', '\n']))?;
        Some(text.split_at(end))
    };
    let first = row_of(text, complete).or_else(cut);
    let behind = std::iter::successors(first, |(line, rest)| {
        (is_separator_line(line) || is_comment(line)).then(|| row_of(rest, complete)).flatten()
    });
    if let Some((header, rest)) = behind.last()
        && is_header(header, row_of(rest, complete).map(|(row, _)| row))
    {
        return DocumentKind::Table;
    }
    // a tab at the end is an empty cell
    let lines = text.split(['\r', '\n']).map(|line| line.trim_matches(|c: char| c.is_whitespace() && c != '\t'));
    let mut untrimmed: Vec<&str> = lines.filter(|line| !line.trim().is_empty()).collect();
    if !complete && untrimmed.len() > 1 && !text.ends_with(['\r', '\n']) {
        untrimmed.pop();
    }
    let lines: Vec<&str> = untrimmed.iter().map(|line| line.trim()).collect();
    let markup = lines.iter().any(|line| line.starts_with('<'));
    if !markup && let Some((delimiter, column)) = table(&untrimmed).or_else(|| rows(&lines)) {
        return DocumentKind::Csv { delimiter, column };
    }
    if !markup && lines.iter().any(|line| is_address(line)) {
        return DocumentKind::Text;
    }
    match looks_like(text, &lines, markup) {
        NO_URL if !complete => unknown("text without an http(s) URL in its first 64 KiB; --from text reads a list"),
        looks => unknown(looks),
    }
}

/// The first row of a table that is not blank, and what follows it: a line, or several if it has quotes around line ends.
fn row_of(text: &str, complete: bool) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(['\r', '\n', ' ']);
    let mut quoted = false;
    let end = text.find(|c: char| {
        quoted ^= c == '"';
        !quoted && matches!(c, '\r' | '\n')
    });
    let end = end.or_else(|| (complete && !text.is_empty()).then_some(text.len()))?;
    Some(text.split_at(end))
}

/// The delimiter of a table, and the column with URLs. URLs may contain commas and semicolons, so every row must have
/// the same number of columns, and there must be either a line of names above them, or a cell next to the URL that
/// cannot be part of it.
fn table(lines: &[&str]) -> Option<(char, usize)> {
    let lines: Vec<&str> = lines.iter().copied().filter(|line| !line.starts_with('#')).collect();
    let (first, rest) = lines.split_first()?;
    [',', ';', '\t', '|'].into_iter().find_map(|delimiter| {
        let names = cells(first, delimiter);
        if names.len() < 2 || !rest.iter().all(|line| cells(line, delimiter).len() == names.len()) {
            return None;
        }
        let is_head = !rest.is_empty() && !names.iter().any(|name| name.contains("://"));
        let rows = if is_head { rest } else { &lines };
        let first_url = |row: &&str| cells(row, delimiter).iter().position(|cell| is_address(cell));
        let column = rows.iter().filter_map(first_url).min()?;
        let has_more = |row: &&str| {
            let cells = cells(row, delimiter);
            // no path has one of these
            let parts = match delimiter {
                '\t' => true,
                '|' => cells.get(column).is_some_and(|cell| !cell.contains(['?', '#'])),
                _ => false,
            };
            let is_apart = |cell: &str| is_value(cell) || parts && !cell.is_empty();
            cells.iter().enumerate().any(|(at, cell)| at != column && is_apart(cell))
        };
        (is_head || rows.iter().all(has_more)).then_some((delimiter, column + 1))
    })
}

/// Like [`table`], for lines that begin with a URL and may include others: at least two, and three quarters of all,
/// must have the same number of columns and a cell with words. Numbers, file names and parameters after a comma are
/// part of a URL.
fn rows(lines: &[&str]) -> Option<(char, usize)> {
    let lines: Vec<&str> = lines.iter().copied().filter(|line| !line.starts_with('#')).collect();
    let says = |cell: &str| {
        let is_word = |c: char| c.is_alphabetic() || " '’&!:,".contains(c);
        is_value(cell) && !is_address(cell) || cell.starts_with(char::is_alphabetic) && cell.chars().all(is_word)
    };
    [',', ';', '|'].into_iter().find_map(|delimiter| {
        let of_row = |line: &&str| {
            let cells = line.contains(delimiter).then(|| cells(line, delimiter))?;
            let (first, rest) = cells.split_first()?;
            (is_address(first) && rest.iter().any(|cell| says(cell))).then_some(cells.len())
        };
        let widths: Vec<usize> = lines.iter().filter_map(of_row).collect();
        let rows = widths.iter().filter(|width| Some(*width) == widths.first()).count();
        (rows >= 2 && rows * 4 >= lines.len() * 3).then_some((delimiter, 1))
    })
}

/// The columns of a row, without their quotes. A delimiter in quotes does not count.
fn cells(line: &str, delimiter: char) -> Vec<&str> {
    let mut quoted = false;
    let cells = line.split(|c: char| {
        quoted ^= c == '"';
        c == delimiter && !quoted
    });
    cells.map(|cell| cell.trim().trim_matches('"')).collect()
}

/// Whether a cell cannot be the continuation of a URL: another URL, a date, a decimal number, words.
fn is_value(cell: &str) -> bool {
    let digits = |range: std::ops::Range<usize>| {
        cell.get(range).is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_date = digits(0..4) && digits(5..7) && cell.as_bytes().get(4) == Some(&b'-');
    let is_number = cell.split_once('.').is_some_and(|(whole, part)| {
        [whole, part].iter().all(|half| !half.is_empty() && half.bytes().all(|byte| byte.is_ascii_digit()))
    });
    is_address(cell) || is_date || is_number || cell.contains(char::is_whitespace)
}

/// An absolute http(s) URL and nothing else.
fn is_address(line: &str) -> bool {
    let Some((scheme, rest)) = line.split_once("://") else { return false };
    let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    web && !host.is_empty() && !line.contains(char::is_whitespace)
}

const NO_URL: &str = "text without a line that is an http(s) URL";

fn looks_like(text: &str, lines: &[&str], markup: bool) -> &'static str {
    let begins = |line: &str, name: &str| line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let known = [
        ("%PDF", "PDF"),
        ("#EXTM3U", "an M3U playlist"),
        ("WEBVTT", "WebVTT subtitles"),
        ("HTTP/", "an HTTP response with its header"),
        ("---", "YAML or front matter"),
        ("BEGIN:VCALENDAR", "an iCalendar file"),
        ("PAR1", "Parquet"),
    ];
    match known.iter().find(|(start, _)| text.starts_with(start)) {
        Some((_, looks)) => looks,
        None if markup && lines.iter().any(|line| is_address(line)) => BEFORE_MARKUP,
        None if lines.iter().any(|line| begins(line, "user-agent:") || begins(line, "sitemap:")) => "robots.txt",
        None if text.contains('\0') => "binary data",
        None if markup => BEFORE_MARKUP,
        None if text.contains('\u{FFFD}') => "binary data or text in an unknown encoding",
        None => NO_URL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rss(version: &str) -> DocumentKind {
        DocumentKind::Rss { version: version.to_owned() }
    }

    fn html(title: Option<&str>) -> DocumentKind {
        DocumentKind::Html { title: title.map(str::to_owned), players: false, microdata: false }
    }

    fn other(root: &str, namespace: Option<&str>) -> DocumentKind {
        DocumentKind::UnknownXml { root: root.to_owned(), namespace: namespace.map(str::to_owned) }
    }

    #[test]
    fn documents_of_every_kind() {
        let table = [
            ("", DocumentKind::Empty),
            ("\u{FEFF} \r\n", DocumentKind::Empty),
            ("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>", DocumentKind::Sitemap),
            ("<urlset>", DocumentKind::Sitemap),
            (
                "\n\n<?xml version='1.0'?>\n<!-- <rss> -->\n<?xml-stylesheet href='a>b'?><s:urlset>",
                DocumentKind::Sitemap,
            ),
            ("<sitemapindex/>", DocumentKind::SitemapIndex),
            ("<rss version='2.0'><channel>", rss("2.0")),
            ("<?xml version='1.0'><rss version='2.0'>", rss("2.0")),
            ("<br />\n<b>Notice</b>: x\n<?xml version='1.0'?><rss version='2.0'>", rss("2.0")),
            ("<?xml version='1.0'?><b>x</b><?xml version='1.0'?><i>", other("b", None)),
            ("<!DOCTYPE rss SYSTEM 'http://my.netscape.com/rss.dtd><rss version='0.91'>", rss("0.91")),
            ("\u{FEFF}<RSS Version=\" 0.91 \">", rss("0.91")),
            ("<rss xmlns='http://backend.userland.com/rss2'>", rss("")),
            (
                "<!DOCTYPE rss PUBLIC \"-//N//DTD RSS 0.91//EN\" 'x>' [<!ENTITY a \"]>\"> <!-- ' -->]>\n<rss version='0.91'>",
                rss("0.91"),
            ),
            ("<channel xmlns='urn:yahoo:yn'>", rss("")),
            (
                "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>",
                DocumentKind::Rss10,
            ),
            ("<rdf:RDF xmlns='http://my.netscape.com/rdf/simple/0.9/'>", DocumentKind::Rss090),
            ("<rdf:RDF><channel xmlns='http://my.netscape.com/rdf/simple/0.9/'>", DocumentKind::Rss090),
            ("<rdf:RDF><channel>", DocumentKind::Rss10),
            ("<rdf:RDF xmlns:foaf='f'><foaf:Person/></rdf:RDF>", other("rdf:RDF", None)),
            ("<Channel xmlns='http://purl.org/net/rss1.1#'>", DocumentKind::Rss11),
            ("<feed xmlns='http://www.w3.org/2005/Atom'>", DocumentKind::Atom),
            ("<feed xmlns='https://www.w3.org/2005/atom/'>", DocumentKind::Atom),
            ("<a:feed xmlns:a='http://www.w3.org/2005/Atom'>", DocumentKind::Atom),
            ("<atom:feed>", DocumentKind::Atom),
            ("<feed>", DocumentKind::Atom),
            ("<feed version='0.3'>", DocumentKind::Atom03),
            ("<feed version='0.3' xmlns='http://purl.org/atom/ns#'>", DocumentKind::Atom03),
            ("<feed xmlns='urn:x'>", other("feed", Some("urn:x"))),
            ("<entry xmlns='http://www.w3.org/2005/Atom'>", DocumentKind::AtomEntry),
            ("<entry>", other("entry", None)),
            ("<opml version='2.0'>", DocumentKind::Opml),
            (
                "<ovs:video xmlns:ovs='http://webmaster.yandex.ru/schemas/video'><ovs:url>",
                DocumentKind::YandexVideo { nested: false },
            ),
            ("<ovs:video><!-- --><ovs:video>", DocumentKind::YandexVideo { nested: true }),
            ("<video xmlns='urn:other'>", other("video", Some("urn:other"))),
            ("<!DOCTYPE html>\n<html><head><title>404\n Not  Found</title>", html(Some("404 Not Found"))),
            ("<!doctype HTML PUBLIC '-//W3C//DTD HTML 4.01//EN'><p>", html(None)),
            ("<!doctype html>words", html(None)),
            ("<!DOCTYPE html><!-- a --><rss version='2.0'>", rss("2.0")),
            ("<html xmlns='http://www.w3.org/1999/xhtml'>", html(None)),
            ("<x:y xmlns:x=' urn:z '/>", other("x:y", Some("urn:z"))),
            ("{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"a\"}", DocumentKind::JsonFeed),
            ("{\"title\": \"\\\"\", \"items\": [{\"version\": 1}]}", DocumentKind::JsonFeed),
            ("{\"a\": {\"title\": 1, \"items\": 2}}", DocumentKind::UnknownJson { cut: false }),
            ("{\"@context\": \"https://schema.org\", \"@type\": \"VideoObject\"}", DocumentKind::JsonLd),
            ("[{\"@context\": \"https://schema.org\", \"@type\": [\"VideoObject\"]}]", DocumentKind::JsonLd),
            ("[1]", DocumentKind::UnknownJson { cut: false }),
            ("{\"transfeed\": \"0.1\", \"feed\": {}, \"entries\": []}", DocumentKind::Json),
            ("{\"transfeed\": \"0.1\",\n \"feed\": {}\n}\n", DocumentKind::Json),
            ("{\"transfeed\": \"0.1\", \"feed\": {\"entries\": 1}}\n{\"loc\": \"a\"}\n", DocumentKind::JsonLines),
            ("http://a/\nHTTPS://b/c", DocumentKind::Text),
            ("# comment\r\nhttp://a/ 0.5\rhttp://a/", DocumentKind::Text),
            ("http://a/1,2\nhttp://a/3,4", DocumentKind::Text),
            ("http://a/1,2.html\nhttp://a/3,4.html\nhttp://b/;x", DocumentKind::Text),
            ("http://a/1,2026-11-01", DocumentKind::Csv { delimiter: ',', column: 1 }),
            ("title;url\n\"a;b\";http://a/1\nc;http://a/2", DocumentKind::Csv { delimiter: ';', column: 2 }),
            ("\"http://a/1\",\"a, b\"\n\"http://a/2\",\"c d\"", DocumentKind::Csv { delimiter: ',', column: 1 }),
            ("http://a/1,Intro\nhttp://a/2,Outro", DocumentKind::Csv { delimiter: ',', column: 1 }),
            (
                "http://a/1,Title of it\nhttp://a/2,Intro\nhttp://a/3,7\nhttp://a/4,End",
                DocumentKind::Csv { delimiter: ',', column: 1 },
            ),
            ("http://a/1,a-slug\nhttp://a/2,b-slug", DocumentKind::Text),
            ("http://a/x;v=A\nhttp://a/y;v=B", DocumentKind::Text),
            ("http://a/1\nhttp://a/map,Bern\nhttp://a/2\nhttp://a/map,Basel", DocumentKind::Text),
            ("http://a/1,Intro", DocumentKind::Text),
            ("http://a/1\t0.5\nhttp://a/2\t0.7", DocumentKind::Csv { delimiter: '\t', column: 1 }),
        ];
        for (text, kind) in table {
            assert_eq!(detect(text, true), kind, "{text}");
        }
    }

    #[test]
    fn what_is_unknown_is_named() {
        let table = [
            ("User-agent: *\nSitemap: http://a/s.xml", "robots.txt"),
            ("%PDF-1.4", "PDF"),
            ("a\0b", "binary data"),
            ("Warning: http\n<b>", "text before markup"),
            ("hello", "text without a line that is an http(s) URL"),
            ("http://", "text without a line that is an http(s) URL"),
            ("<!-- no end", "XML that does not begin with an element"),
            (
                "http://a/\n<http://b/>\nSitemap: http://c/",
                "a list of URLs whose line 2 begins with `<`: <http://b/>; --from text reads the others",
            ),
            ("<", "text that begins with `<` but is not XML"),
            ("< a", "text that begins with `<` but is not XML"),
        ];
        for (text, looks) in table {
            assert_eq!(detect(text, true), unknown(looks), "{text}");
        }
    }

    #[test]
    fn prefixes_decide_what_they_can() {
        assert_eq!(detect("{\"transfeed\": \"0.1\", \"feed\": {\"title\": \"lon", false), DocumentKind::JsonLines);
        assert_eq!(detect("{\n\"transfeed\": \"0.1\",\n\"feed\": {\"title\": \"lon", false), DocumentKind::Json);
        assert_eq!(detect("http://a/\nhttp://b c", false), DocumentKind::Text);
        assert_eq!(detect("<rss version='2.0' xmlns:a='lon", false), rss("2.0"));
        assert_eq!(detect("  ", false), unknown("only white space"));
        assert_eq!(detect("{\"items\": [{\"id\": \"1\", \"content_text\": \"lon", false), DocumentKind::JsonFeed);
        let other = "{\"etag\": \"a\", \"items\": [{\"id\": \"1\", \"url\": \"lon";
        assert_eq!(detect(other, false), DocumentKind::UnknownJson { cut: true });
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "[<>!?a-z:='\"{}\\[\\]\\\\,é\r\n /-]{0,60}", complete: bool) {
            detect(&text, complete);
        }

        #[test]
        fn no_cut_panics(cut in 0usize..200) {
            let text = "<!DOCTYPE é [ <!-- é ' --> <?é?> ]><rdf:RDF xmlns='é'><é a='é'/></rdf:RDF>{\"transfeed\":\"\\é\",\"é\":[1]}";
            let cut = (0..=cut.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            detect(&text[..cut], true);
            detect(&text[text.len() - (text.len() - cut)..], false);
        }
    }
}
