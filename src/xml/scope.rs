//! The namespaces, language and base that are in force around an element.

use std::collections::HashSet;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::names::Ns;

/// One namespace declaration.
#[derive(Clone, Copy, Debug)]
pub struct Binding<'a> {
    /// Prefix; empty for the default namespace.
    pub prefix: &'a str,
    /// URI as written.
    pub uri: &'a str,
    /// The namespace it identifies.
    pub ns: Ns,
}

/// The namespace declarations in force around an entry.
#[derive(Clone, Debug, Default)]
pub struct Scope<'a> {
    /// Declarations, outermost first.
    pub bindings: Vec<Binding<'a>>,
    /// Inherited attributes of the open elements: the innermost `xml:lang`.
    pub lang: Option<&'a str>,
    /// `xml:base`, outermost first.
    pub bases: Vec<&'a str>,
}

impl<'a> Scope<'a> {
    /// Reads the start tags of the open ancestors (`Context::tags` of a splitter).
    pub fn from_tags(tags: &'a str) -> Scope<'a> {
        let mut scope = Scope::default();
        let mut reader = Reader::from_str(tags);
        reader.config_mut().check_end_names = false;
        let mut before = 0;
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Eof => break,
                Event::Start(tag) | Event::Empty(tag) => {
                    let is_root = scope.bindings.is_empty() && before == 0;
                    if attributes(&tag, tags, before).all(|attribute| attribute.is_ok()) {
                        let found = attributes(&tag, tags, before).flatten();
                        found.for_each(|attribute| scope.note(attribute.key, attribute.raw));
                    } else {
                        let tag = tags.get(before..reader.buffer_position() as usize).unwrap_or_default();
                        // of two with one name the first counts, as in the frame
                        let mut seen = HashSet::new();
                        let first = super::scan::attributes(tag).filter(|(key, _)| seen.insert(*key));
                        first.for_each(|(key, raw)| scope.note(key, raw));
                    }
                    if is_root {
                        let tag = tags.get(..reader.buffer_position() as usize).unwrap_or_default();
                        let version = super::scan::attributes(tag).find(|(key, _)| *key == "version");
                        let name = tag.get(1..).unwrap_or_default();
                        let name = &name[..super::scan::name_len(name.as_bytes())];
                        name_root(name, version.map(|(_, raw)| raw), &mut scope.bindings);
                    }
                }
                _ => (),
            }
            before = reader.buffer_position() as usize;
        }
        scope
    }

    fn note(&mut self, key: &'a str, raw: &'a str) {
        match key {
            "xml:lang" => self.lang = Some(raw),
            "xml:base" => self.bases.push(raw),
            key => self.bindings.extend(binding(key, raw).map(|(binding, _)| binding)),
        }
    }
}

/// Binds the root's namespace to the format that the name of the root implies, if that namespace has no such root.
pub(super) fn name_root<'b, 'a>(
    qname: &str,
    version: Option<&str>,
    bindings: &'b mut [Binding<'a>],
) -> Option<&'b Binding<'a>> {
    let prefix = qname.split_once(':').map_or("", |(prefix, _)| prefix);
    let ns = Ns::of_root(qname, version)?;
    let own = bindings.iter_mut().rev().find(|binding| binding.prefix == prefix)?;
    if !is_misnamed(ns, own.ns) {
        return None;
    }
    own.ns = ns;
    Some(own)
}

/// Whether a root of this vocabulary cannot be in this namespace. That of a module may be the default one by mistake.
pub(crate) fn is_misnamed(root: Ns, ns: Ns) -> bool {
    match root {
        Ns::Rss2 => !matches!(ns, Ns::None | Ns::Rss2 | Ns::Rss10 | Ns::Rss090 | Ns::Rss11 | Ns::YahooChannel),
        Ns::Sitemap => !matches!(ns, Ns::None | Ns::Sitemap),
        _ => ns == Ns::Unknown,
    }
}

/// The declaration that an attribute is, and whether it spells its namespace in another way than usual.
pub(crate) fn binding<'a>(key: &'a str, uri: &'a str) -> Option<(Binding<'a>, bool)> {
    let prefix = match key {
        "xmlns" => "",
        _ => key.strip_prefix("xmlns:")?,
    };
    let (ns, alias) = match uri.is_empty() {
        // a prefix bound to nothing is not bound
        true if !prefix.is_empty() => (Ns::by_prefix(prefix).unwrap_or(Ns::Unknown), false),
        true => (Ns::None, false),
        false => {
            let found = Ns::from_uri(uri);
            (found.ns, found.alias)
        }
    };
    Some((Binding { prefix, uri, ns }, alias))
}

/// Whether a declaration binds a prefix to nothing, or one of XML's own to something else (Namespaces in XML 1.0 section 3).
pub(crate) fn is_misbound(binding: &Binding<'_>) -> bool {
    match (binding.prefix, binding.uri) {
        ("xml", uri) => uri != Ns::Xml.uri(),
        ("xmlns", _) | (_, "http://www.w3.org/2000/xmlns/") => true,
        (prefix, "") => !prefix.is_empty(),
        (_, uri) => uri == Ns::Xml.uri(),
    }
}

/// An attribute of a tag, not decoded.
pub(super) struct RawAttribute<'a> {
    pub key: &'a str,
    /// The text between its quotes, not decoded.
    pub raw: &'a str,
    /// Where its name begins.
    pub at: usize,
    /// Where its value begins.
    pub value_at: usize,
}

/// The attributes of a start tag that begins at `start` of `raw`, as slices of `raw`.
pub(super) fn attributes<'x, 'a>(
    tag: &'x BytesStart<'_>,
    raw: &'a str,
    start: usize,
) -> impl Iterator<Item = Result<RawAttribute<'a>, (usize, String)>> + 'x
where
    'a: 'x,
{
    let content: &'x str = tag;
    // the parser returns slices of the tag; in `raw`, the same bytes are one after the `<`
    let offset = move |part: &str| start + 1 + (part.as_ptr() as usize).saturating_sub(content.as_ptr() as usize);
    let slice = move |part: &str| {
        let at = offset(part);
        raw.get(at..at + part.len()).unwrap_or("")
    };
    tag.attributes().map(move |attribute| match attribute {
        Ok(attribute) => {
            let at = offset(attribute.key.as_ref());
            let value_at = offset(&attribute.value);
            Ok(RawAttribute { key: slice(attribute.key.as_ref()), raw: slice(&attribute.value), at, value_at })
        }
        Err(error) => Err((start, error.to_string())),
    })
}
