//! Reads JSON-LD documents: the objects of a graph or a list that hold a video, one entry each, and the others as the head.
//! Reads HTML pages, too, whose JSON-LD is one entry. The properties of a video are in read_video.rs.

use std::borrow::Cow;
use std::collections::HashSet;

use super::read_video::ObjectReader;
use super::refer::{self, MEMBERS, ObjectIndex, is_reference};
use super::value::{
    has_type, is_address, is_file, is_object, is_scalar, member, put, put_leaf, put_text, term, url, values,
};
use crate::format::contract::{EntryDelimiter, FormatReader, ReadContext};
use crate::json::page::SCRIPT;
use crate::json::parse::{LIST, NULL, STRING};
use crate::json::split::EntryLists;
use crate::model::lent::LentObjects;
use crate::model::page::VIDEO_PLACE;
use crate::model::{Entry, Feed, Leaf};
use crate::text::url as urls;
use crate::tree::{Node, Take, Tree};

/// The members whose lists have entries.
pub(super) const ENTRY_LISTS: &[&str] = &["@graph", "itemListElement"];

/// Where the entries of a document are: in its graph, in the list that it is, or in that of an `ItemList`.
const LISTS: EntryLists = EntryLists { members: ENTRY_LISTS, top: true, whole: true, is_entry: names_type };

/// The type of a video.
pub(super) const VIDEO: &str = "VideoObject";

/// Whether a string in the text of an object is the type of a video. An `@id` may end with the same word.
fn names_type(text: &[u8]) -> bool {
    memchr::memmem::find_iter(text, VIDEO).any(|at| {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + VIDEO.len()..).unwrap_or_default());
        let start = before.iter().rposition(|byte| *byte == b'"').map_or(0, |quote| quote + 1);
        let name = before.get(start..).and_then(|prefix| std::str::from_utf8(prefix).ok());
        after.first() == Some(&b'"') && name.is_some_and(|prefix| term(&format!("{prefix}{VIDEO}")) == VIDEO)
    })
}

/// Reads `jsonld`.
pub struct JsonLdReader;

impl FormatReader for JsonLdReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::Json(LISTS)
    }
    fn head<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, _: &mut Feed<'a>, _: ReadContext<'a>) {
        take.known(root);
        for node in root.nodes() {
            match node.name() {
                "@context" => context(node, take),
                "@graph" | "itemListElement" => take.known(node),
                _ => (),
            }
        }
        nulls(root, take);
    }
    fn objects(&self, root: Node<'_, '_>) -> LentObjects {
        refer::objects(root)
    }
    fn borrow<'a>(&self, tree: &mut Tree<'a>, objects: &'a LentObjects) {
        refer::borrow(tree, objects);
    }
    fn entry<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, _: ReadContext<'a>) {
        read_objects(root, take, entry);
    }
}

/// The names of schema.org, which the format implies.
fn context<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>) {
    let is_schema = |node: Node<'_, '_>| node.raw().uri == STRING && host(node.value()) == "schema.org";
    if is_schema(node) {
        take.implied(node);
    } else if node.nodes().next().is_some() && node.nodes().all(is_schema) {
        take.known(node);
        node.nodes().for_each(|name| take.implied(name));
    }
}

fn host(context: &str) -> &str {
    let name = context.trim().trim_start_matches("https://").trim_start_matches("http://");
    name.trim_start_matches("www.").trim_end_matches(['/', '#'])
}

/// A `null` has no meaning.
fn nulls<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>) {
    root.and_behind().filter(|node| node.raw().uri == NULL).for_each(|node| take.implied(node));
}

/// Reads what is around the entries of a page: the contexts, and the lists that they were in.
pub(super) fn around<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>) {
    for node in root.and_behind() {
        match node.name() {
            "@context" => context(node, take),
            name if node.raw().uri == LIST && (name == SCRIPT || ENTRY_LISTS.contains(&name)) => take.known(node),
            _ => (),
        }
    }
    nulls(root, take);
}

/// Reads all videos below a root.
pub(super) fn read_objects<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    nulls(root, take);
    let index = ObjectIndex::new(root);
    let mut reading = ObjectReader::new(take, &index);
    let is_alone = has_type(root, VIDEO);
    if !is_alone {
        reading.page(root, entry);
    }
    // videos in videos are parts of them
    let mut behind = 0;
    let mut known: HashSet<u32> = HashSet::new();
    for node in root.and_behind() {
        if (node.raw().at as usize) < behind || !is_object(node) {
            continue;
        }
        if let Some(names) = node.nodes().find(|node| node.name() == "@context") {
            context(names, reading.take);
        }
        if !has_type(node, VIDEO) {
            continue;
        }
        behind = node.raw().end as usize;
        // one that is the same as an earlier one was read with it
        if !known.contains(&node.index) {
            let same = index.same(node);
            let video = reading.video(&same, entry);
            same.iter().for_each(|node| reading.page_around(*node, entry));
            entry.videos.push(video);
            known.extend(same.iter().map(|node| node.index));
        }
        if node.index != root.index {
            reading.take.label(node, VIDEO_PLACE);
        }
    }
}

/// The steps from an object to the URL of its page: an article is part of a page, which has a URL.
const STEPS: usize = 4;

impl<'t, 'a> ObjectReader<'_, 't, 'a> {
    /// Reads the properties of an object that is not a video: those of the page it describes.
    fn page(&mut self, root: Node<'t, 'a>, entry: &mut Entry<'a>) {
        if !is_object(root) {
            return;
        }
        self.take.known(root);
        let has_video = root.and_behind().skip(1).any(|node| has_type(node, VIDEO));
        if !has_video {
            return;
        }
        for node in root.nodes() {
            if node.name() == "@graph" {
                self.take.known(node);
            }
            for value in values(node, self.take) {
                match node.name() {
                    "url" | "mainEntityOfPage" => {
                        let found = url(value, self.take);
                        if let Some(leaf) = found.filter(|leaf| urls::is_http(leaf.value())) {
                            self.take.value(leaf, None, &mut entry.loc);
                        }
                    }
                    name => self.of_described_page(name, value, entry),
                }
            }
        }
    }

    /// A property of the object of a page, except its URL.
    fn of_described_page(&mut self, name: &'a str, value: Node<'t, 'a>, entry: &mut Entry<'a>) {
        match name {
            "name" | "headline" => put_text(value, self.take, &mut entry.title),
            "description" => put_text(value, self.take, &mut entry.summary),
            "inLanguage" => put(value, self.take, &mut entry.language),
            name => _ = self.of_page(name, value, entry),
        }
    }

    /// Reads the page that a video refers to, that refers to it, or that it is in, unless the entry has another.
    pub(super) fn page_around(&mut self, video: Node<'t, 'a>, entry: &mut Entry<'a>) {
        let page = page_object(self.index, video);
        let Some(page) = page.filter(|page| page.index > 0 && self.pages.insert(page.index)) else { return };
        let address = address_of(self.index, page);
        let is_other = |loc: &Leaf<Cow<'a, str>>| address.is_some_and(|url| !urls::is_same(&loc.value, url.value()));
        if entry.loc.as_ref().is_some_and(is_other) {
            return;
        }
        self.take.known(page);
        if let Some(address) = address {
            put_leaf(address, self.take, &mut entry.loc);
        }
        for node in page.nodes().filter(|node| !matches!(node.name(), "url" | "identifier")) {
            for value in values(node, self.take) {
                let value = self.target(value);
                self.of_described_page(node.name(), value, entry);
            }
        }
    }
}

/// The object of the page that a video refers to, that refers to it, or that it is in.
fn page_object<'t, 'a>(index: &ObjectIndex<'t, 'a>, video: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
    let above = |node: &Node<'t, 'a>| matches!(node.name(), "mainEntityOfPage" | "isPartOf");
    let stated = video.nodes().filter(above).map(|node| index.target(node)).find(|page| is_page(*page));
    let around = || std::iter::successors(video.parent(), |node| node.parent()).find(|page| has_page(*page));
    stated.or_else(|| index.page_of(video)).or_else(around)
}

/// The URL of the page that an object is, or is on.
fn address_of<'t, 'a>(index: &ObjectIndex<'t, 'a>, object: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
    let is_url = |leaf: &Node<'t, 'a>| is_scalar(*leaf) && urls::is_http(leaf.value());
    let mut page = object;
    for _ in 0..STEPS {
        let stated = |name: &'static str| page.nodes().filter(move |node| node.name() == name);
        let own = member(page, "url").filter(is_url);
        if let Some(leaf) = own.or_else(|| stated("mainEntityOfPage").find(is_url)) {
            return Some(leaf);
        }
        let above = stated("mainEntityOfPage").chain(stated("isPartOf")).map(|node| index.target(node));
        match above.into_iter().find(|above| is_page(*above) || is_reference(*above)) {
            Some(above) => page = above,
            None => break,
        }
    }
    member(page, "@id").filter(|id| is_url(id) && (is_page(page) || is_reference(page)))
}

/// The URLs of the pages of the videos in a value, as the document has them.
pub(crate) fn pages_of_videos<'t>(root: Node<'t, '_>) -> impl Iterator<Item = &'t str> {
    let index = ObjectIndex::new(root);
    root.and_behind().filter(|node| has_type(*node, VIDEO)).filter_map(move |video| page_url(&index, video))
}

/// The URL of the page of a video, as the document has it.
pub(super) fn page_url<'t, 'a>(index: &ObjectIndex<'t, 'a>, video: Node<'t, 'a>) -> Option<&'t str> {
    let is_it = |leaf: &Node<'t, 'a>| is_address(leaf) && !is_file([video].into_iter(), *leaf);
    let own = ["mainEntityOfPage", "url"].into_iter().find_map(|name| member(video, name).filter(is_it));
    let own = own.or_else(|| address_of(index, video).filter(is_it));
    own.or_else(|| address_of(index, page_object(index, video)?)).map(|leaf| leaf.value())
}

/// Ends of the names of types that are pages.
const PAGES: [&str; 3] = ["Page", "Article", "Posting"];

/// Ends of the names of types with a page of their own, on which the videos in them are.
const SUBJECTS: [&str; 12] = [
    "Application",
    "Book",
    "Course",
    "Episode",
    "Event",
    "Game",
    "HowTo",
    "LearningResource",
    "Movie",
    "Product",
    "Recipe",
    "TVSeries",
];

/// Whether an object is a page or an article, not a collection of them.
fn is_page(object: Node<'_, '_>) -> bool {
    has_kind(object, &PAGES)
}

/// Whether an object is a page, or has one.
fn has_page(object: Node<'_, '_>) -> bool {
    is_page(object) || has_kind(object, &SUBJECTS)
}

fn has_kind(object: Node<'_, '_>, kinds: &[&str]) -> bool {
    let is_it = |name: &str| kinds.iter().any(|kind| name.ends_with(kind)) && name != "CollectionPage";
    let types = object.nodes().take(MEMBERS).filter(|node| node.name() == "@type");
    let mut names = types.flat_map(|node| node.nodes().chain(is_scalar(node).then_some(node)));
    is_object(object) && names.any(|name| is_it(term(name.value())))
}
