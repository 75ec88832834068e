//! The tree of an HTML page: its URL, title and description, and the JSON-LD of its scripts. Their meaning is for a reader.

use std::borrow::Cow;

use super::parse::{ILL_FORMED, LIST, OBJECT, STRING, parse_from};
use crate::text::html::{PageElement, PageElements};
use crate::tree::{NodeKind, Tree, TreeRepair, tag};
use crate::xml::limits::TreeLimits;

/// The name of the list of scripts.
pub(crate) const SCRIPT: &str = "script";
/// The type of a video in microdata.
const VIDEO: &str = "schema.org/VideoObject";
/// The type of scripts with JSON-LD.
const JSON_LD: &str = "application/ld+json";

/// The tree of a page. Offsets are those of the page; a script that is not JSON is a text in the tree.
pub(crate) fn parse_page<'a>(html: &'a str, limits: &TreeLimits) -> Tree<'a> {
    let mut page = PageTree {
        tree: Tree::default(),
        html,
        found: Vec::new(),
        has_title: false,
        other_title: None,
        scripts: None,
        microdata: None,
        unread: Vec::new(),
        limits: *limits,
    };
    (page.tree.json, page.tree.typed, page.tree.page) = (true, true, true);
    page.element(u32::MAX, "", OBJECT, 0);
    for element in PageElements::new(html) {
        page.look(&element);
    }
    page.end();
    page.tree
}

struct PageTree<'a> {
    tree: Tree<'a>,
    html: &'a str,
    /// The values of the page itself that were found first.
    found: Vec<(&'static str, &'a str)>,
    /// The page has a title.
    has_title: bool,
    /// The first title of a drawing, for a page without its own.
    other_title: Option<PageElement<'a>>,
    /// The list of scripts, once there is one.
    scripts: Option<u32>,
    /// Where microdata describe the first video.
    microdata: Option<usize>,
    /// Elements that are not read, each with a name and the attribute that has the value.
    unread: Vec<(&'a str, PageElement<'a>, &'static str)>,
    limits: TreeLimits,
}

impl<'a> PageTree<'a> {
    fn look(&mut self, element: &PageElement<'a>) {
        if is_video_item(element) {
            self.microdata.get_or_insert(element.at);
            self.unread.push(("itemtype", *element, "itemtype"));
        }
        let is = |name: &str| element.name.eq_ignore_ascii_case(name);
        let has = |name: &str, value: &str| {
            element
                .raw(name)
                .is_some_and(|raw| raw.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(value)))
        };
        match () {
            () if is("script") => {
                let kind = element.raw("type").unwrap_or_default().trim();
                let kind = kind.split(';').next().unwrap_or_default().trim();
                if let Some(content) = element.content.filter(|_| kind.eq_ignore_ascii_case(JSON_LD)) {
                    self.script(content);
                }
            }
            () if is("link") && has("rel", "canonical") => self.attribute("canonical", element, "href"),
            () if is("base") => self.attribute("base", element, "href"),
            () if is("html") => self.attribute("lang", element, "lang"),
            () if is("meta") && has("property", "og:url") => self.attribute("og:url", element, "content"),
            () if is("meta") && has("name", "description") => self.attribute("description", element, "content"),
            () if is("meta") => self.unread.extend(named_meta(element)),
            () if is("link") && has("rel", "alternate") && element.raw("hreflang").is_some() => {
                self.unread.extend(element.attribute("href").map(|_| ("hreflang", *element, "href")));
            }
            () if is("title") && element.aside => _ = self.other_title.get_or_insert(*element),
            () if is("title") => self.title(element),
            () => (),
        }
    }

    fn title(&mut self, element: &PageElement<'a>) {
        if let Some((at, text, _)) = element.content.filter(|_| !self.has_title) {
            let words = crate::text::html::to_plain(text);
            if !words.is_empty() {
                self.has_title = true;
                self.text(0, "title", at, Cow::Owned(words));
            }
        }
    }

    /// What other programs read of a page stays in the tree, for no reader, and the types of videos in microdata.
    fn end(&mut self) {
        if let Some(other) = self.other_title.take() {
            self.title(&other);
        }
        let unread = std::mem::take(&mut self.unread);
        let most = self.limits.nodes.saturating_sub(self.tree.nodes.len());
        for (name, element, attribute) in unread.iter().take(most) {
            self.value(0, name, element, attribute);
        }
        if let Some((_, element, _)) = unread.get(most) {
            let found = format!("{} more values about the page", unread.len() - most);
            self.repair("limit.entry", element.at, &found, "skipped them");
        }
        if let Some(at) = self.microdata {
            self.repair("html.microdata", at, VIDEO, "only JSON-LD is read");
        }
    }

    fn repair(&mut self, code: &'static str, at: usize, found: &str, done: &'static str) {
        let at = at.min(end_of(self.html)) as u32;
        self.tree.repairs.push(TreeRepair { code, at, found: found.to_owned(), done: Cow::Borrowed(done) });
    }

    /// A value of the page, if it is not empty; another one of the same name is not read.
    fn attribute(&mut self, name: &'static str, element: &PageElement<'a>, attribute: &'static str) {
        let Some(value) = element.raw(attribute) else { return };
        match self.found.iter().find(|(found, _)| *found == name) {
            None => {
                self.value(0, name, element, attribute);
                self.found.push((name, value));
            }
            Some((_, first)) if *first != value => self.unread.push((name, *element, attribute)),
            Some(_) => (),
        }
    }

    fn value(&mut self, parent: u32, name: &'a str, element: &PageElement<'a>, attribute: &str) {
        let (Some(raw), Some(value)) = (element.raw(attribute), element.attribute(attribute)) else { return };
        if !value.is_empty() {
            // a slice of the page
            let at = (raw.as_ptr() as usize).saturating_sub(self.html.as_ptr() as usize);
            self.text(parent, name, at, value);
        }
    }

    /// The JSON of a script, without the marks that hide it from old programs.
    fn script(&mut self, (at, content, has_end): (usize, &'a str, bool)) {
        let list = self.scripts.unwrap_or_else(|| self.element(0, SCRIPT, LIST, at));
        self.scripts = Some(list);
        let (start, end) = bounds(content);
        let text = content.get(start..end).unwrap_or_default();
        if text.is_empty() {
            return;
        }
        let (start, end) = (at + start, at + end);
        let nodes = self.limits.nodes.saturating_sub(self.tree.nodes.len());
        let limits = TreeLimits { nodes, ..self.limits };
        let before = self.html.get(..end).unwrap_or_default();
        match parse_from(before, start, SCRIPT, &limits) {
            Ok(tree) => self.tree.graft(list, tree),
            Err(bad) => {
                self.text(list, SCRIPT, start, Cow::Borrowed(text));
                let code = if bad.code == ILL_FORMED { "html.script" } else { bad.code };
                self.repair(code, bad.at, bad.says, "skipped the script");
                let videos = text.match_indices("VideoObject\"").map(|(at, _)| (start + at) as u32);
                self.tree.unread_videos.extend(videos);
            }
        }
        if !has_end {
            self.repair("xml.truncated", self.html.len(), "the page ends inside a script", "ended the script");
        }
    }

    fn element(&mut self, parent: u32, name: &'a str, kind: &'static str, at: usize) -> u32 {
        let mut raw = Tree::raw(NodeKind::Element, "", at);
        (raw.qname, raw.name, raw.uri, raw.tag) = (name, name, kind, tag(name));
        self.tree.push(parent, raw)
    }

    fn text(&mut self, parent: u32, name: &'a str, at: usize, value: Cow<'a, str>) {
        let mut raw = Tree::raw(NodeKind::Text, "", at);
        (raw.qname, raw.name, raw.uri, raw.tag, raw.value) = (name, name, STRING, tag(name), value);
        self.tree.push(parent, raw);
    }
}

/// Whether microdata describe a video with this element.
pub(crate) fn is_video_item(element: &PageElement<'_>) -> bool {
    element.raw("itemtype").is_some_and(|kinds| kinds.split_ascii_whitespace().any(|kind| kind.ends_with(VIDEO)))
}

/// Vocabularies of metadata about pages and videos.
const VOCABULARIES: [&str; 5] = ["og:", "article:", "video:", "twitter:", "music:"];
/// Names of metadata about the page, and what these are called in the tree: `author` there would be one of JSON-LD.
const NAMES: [(&str, &str); 5] = [
    ("author", "meta:author"),
    ("date", "meta:date"),
    ("keywords", "meta:keywords"),
    ("robots", "meta:robots"),
    ("thumbnail", "meta:thumbnail"),
];

/// A `meta` element with a value about the page or its video, by its name.
fn named_meta<'a>(element: &PageElement<'a>) -> Option<(&'a str, PageElement<'a>, &'static str)> {
    let name = element.raw("property").or_else(|| element.raw("name"))?.trim();
    let begins =
        |vocabulary: &&str| name.get(..vocabulary.len()).is_some_and(|start| start.eq_ignore_ascii_case(vocabulary));
    if let Some((_, called)) = NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) {
        return Some((called, *element, "content"));
    }
    let is_known = VOCABULARIES.iter().any(begins) && name.bytes().all(is_part_of_name);
    is_known.then_some((name, *element, "content"))
}

fn is_part_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'_' | b'-' | b'.')
}

fn end_of(html: &str) -> usize {
    html.len().min(u32::MAX as usize)
}

/// Where the JSON of a script begins and ends: comments and CDATA marks around it hide it from old programs.
fn bounds(content: &str) -> (usize, usize) {
    let mut text = content.trim();
    loop {
        let shorter = ["<!--", "<![CDATA[", "//<![CDATA[", "// <![CDATA[", "/*<![CDATA[*/"]
            .iter()
            .find_map(|mark| text.strip_prefix(mark))
            .or_else(|| {
                ["-->", "]]>", "//]]>", "// ]]>", "/*]]>*/", "//"].iter().find_map(|mark| text.strip_suffix(mark))
            });
        match shorter {
            Some(shorter) => text = shorter.trim(),
            None => break,
        }
    }
    let start = (text.as_ptr() as usize).saturating_sub(content.as_ptr() as usize);
    (start, start + text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(html: &str) -> Vec<(String, u32, String)> {
        let tree = parse_page(html, &TreeLimits::default());
        let leaves = tree.nodes.iter().filter(|node| node.kind == NodeKind::Text);
        leaves.map(|node| (node.name.to_owned(), node.at, node.value.to_string())).collect()
    }

    #[test]
    fn places_are_those_of_the_page() {
        let html = "<html lang=en><link rel='nofollow canonical' href=\"http://a/?b&amp;c\"><script type=application/ld+json>{\"a\": 1}</script>";
        let found = seen(html);
        let at = |text: &str| html.find(text).unwrap() as u32;
        let want = [("lang", at("en>"), "en"), ("canonical", at("http"), "http://a/?b&c"), ("a", at("1}"), "1")];
        assert_eq!(found, want.map(|(name, at, value)| (name.to_owned(), at, value.to_owned())));
    }

    #[test]
    fn a_broken_script_costs_itself() {
        let html = "<script type='application/ld+json'>{\"a\": </script><SCRIPT TYPE=\"application/ld+json; charset=utf-8\"><!-- {\"b\": 2} --></SCRIPT>\
            <script>{\"c\": 3}</script><script type=application/ld+json>{\"d\": 4";
        let tree = parse_page(html, &TreeLimits::default());
        let names: Vec<_> = seen(html).into_iter().map(|(name, _, value)| (name, value)).collect();
        let want = [("script", "{\"a\":"), ("b", "2"), ("script", "{\"d\": 4")];
        assert_eq!(names, want.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let codes: Vec<&str> = tree.repairs.iter().map(|repair| repair.code).collect();
        assert_eq!(codes, ["html.script", "html.script", "xml.truncated"]);
    }

    #[test]
    fn a_script_deeper_than_the_limit_costs_itself() {
        let html = format!("<script type=application/ld+json>{}</script><title>x</title>", "[".repeat(100_000));
        let names: Vec<_> = seen(&html).into_iter().map(|(name, ..)| name).collect();
        assert_eq!(names, ["script", "title"]);
    }
}
