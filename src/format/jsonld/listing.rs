//! Finds entries in lists: those of a JSON-LD document, and those in an object or an HTML page whose videos name different pages.
//! Their values are read in read.rs.

use std::ops::Range;

use super::address::{is_page, page_url};
use super::refer::ObjectIndex;
use super::value::{PAGE, VIDEO, has_type, is_object, member, respell, term};
use crate::json::nested::NestedEntry;
use crate::json::page::{SCRIPT, parse_page};
use crate::json::parse::{LIST, parse};
use crate::json::split::EntryLists;
use crate::tree::{Node, Take};
use crate::xml::limits::TreeLimits;

/// The members whose lists have entries.
const ENTRY_LISTS: &[&str] = &["@graph", "itemListElement"];

/// Where the entries of a document are: in its graph, in the list that it is, or in that of an `ItemList`.
pub(super) const LISTS: EntryLists =
    EntryLists { members: ENTRY_LISTS, top: true, whole: true, is_entry: names_type, nested: entries_of_value };

/// Whether a string in the text of an object is the type of a video. An `@id` may end with the same word.
fn names_type(text: &[u8]) -> bool {
    memchr::memmem::find_iter(text, VIDEO).any(|at| {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + VIDEO.len()..).unwrap_or_default());
        let start = before.iter().rposition(|byte| *byte == b'"').map_or(0, |quote| quote + 1);
        let name = before.get(start..).and_then(|prefix| std::str::from_utf8(prefix).ok());
        after.first() == Some(&b'"') && name.is_some_and(|prefix| term(&format!("{prefix}{VIDEO}")) == VIDEO)
    })
}

/// Where a page states its own URL, the canonical one first.
pub(super) const OWN_URLS: [&str; 2] = ["canonical", "og:url"];

/// The URL that a page has for itself.
fn own_url<'t, 'a>(root: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
    OWN_URLS.iter().find_map(|name| member(root, name))
}

/// The members of an object whose lists have entries.
const LISTS_BELOW: &[&str] = &["@graph", "itemListElement", "hasPart", "mainEntity", "subjectOf", "video"];

/// The member of a page that is about a list.
const SUBJECT: &str = "mainEntity";

/// The entries of a page, if it has several: values of its scripts that hold videos, of which two are for different pages.
pub(super) fn entries(html: &str, limits: &TreeLimits) -> Vec<NestedEntry> {
    if !has_several(html) {
        return Vec::new();
    }
    let mut tree = parse_page(html, limits);
    respell(&mut tree);
    let Some(root) = tree.root().filter(|root| own_url(*root).is_none()) else { return Vec::new() };
    let mut listing = Listing::new(root);
    for script in root.nodes().filter(|node| node.name() == SCRIPT).flat_map(|list| list.nodes()) {
        listing.value(script, |value| value);
    }
    listing.of_pages(root)
}

/// The entries of an object or a list, if it has several.
pub(super) fn entries_of_value(json: &str, limits: &TreeLimits) -> Vec<NestedEntry> {
    if !has_several(json) {
        return Vec::new();
    }
    let Ok(mut tree) = parse(json, limits) else { return Vec::new() };
    tree.typed = true;
    respell(&mut tree);
    let Some(root) = tree.root() else { return Vec::new() };
    let mut listing = Listing::new(root);
    listing.value(root, |value| value);
    listing.of_pages(root)
}

/// Whether a text can have several videos.
fn has_several(text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), VIDEO).nth(1).is_some()
}

struct Listing<'t, 'a> {
    /// All videos of the page, in their order.
    videos: Vec<Node<'t, 'a>>,
    /// The values that hold videos, each with its place.
    entries: Vec<(Node<'t, 'a>, Range<usize>)>,
}

impl<'t, 'a> Listing<'t, 'a> {
    fn new(root: Node<'t, 'a>) -> Self {
        let objects = root.and_behind().filter(|node| has_type(*node, VIDEO));
        Listing { videos: objects.collect(), entries: Vec::new() }
    }

    /// The entries, if two of them are for different pages.
    fn of_pages(mut self, root: Node<'t, 'a>) -> Vec<NestedEntry> {
        let index = ObjectIndex::new(root);
        let videos = self.entries.iter().filter_map(|(entry, _)| self.videos_in(*entry).first());
        let mut urls = videos.filter_map(|video| page_url(&index, *video));
        let first = urls.next();
        if urls.all(|url| Some(url) == first) {
            return Vec::new();
        }
        self.entries.sort_by_key(|(entry, _)| entry.index);
        let found = self.entries.into_iter();
        found.map(|(entry, place)| NestedEntry { value: bytes(entry), place }).collect()
    }

    /// The videos in a value, itself included.
    fn videos_in(&self, value: Node<'t, 'a>) -> &[Node<'t, 'a>] {
        let from = self.videos.partition_point(|video| video.index < value.index);
        let to = self.videos.partition_point(|video| video.raw().at < value.raw().end);
        self.videos.get(from..to).unwrap_or_default()
    }

    /// Finds the entries in a value: those in its lists, else the value itself.
    fn value(&mut self, value: Node<'t, 'a>, place: impl Fn(Range<usize>) -> Range<usize>) {
        if self.videos_in(value).is_empty() {
            return;
        }
        let lists = lists_of(value);
        if lists.is_empty() {
            return self.entries.push((value, place(bytes(value))));
        }
        for list in lists {
            self.list(list);
        }
    }

    fn list(&mut self, list: Node<'t, 'a>) {
        // where the last value ends that is no entry, and the first entry behind it
        let (mut kept, mut run) = (None, self.entries.len());
        let mut values = list.nodes().peekable();
        while let Some(value) = values.next() {
            let next = values.peek().map(|next| next.raw().at as usize);
            let known = self.entries.len();
            self.value(value, |own| own.start..next.unwrap_or(own.end));
            if self.entries.get(known).is_none_or(|(entry, _)| entry.index != value.index) {
                (kept, run) = (Some(value.raw().end as usize), self.entries.len());
            }
        }
        // the comma before the last entries
        if let (Some(end), Some((_, place))) = (kept, self.entries.get_mut(run)) {
            place.start = end;
        }
    }
}

/// The lists of entries that a value is or has; those of a video are part of it, and those of a page with a URL are on it.
fn lists_of<'t, 'a>(value: Node<'t, 'a>) -> Vec<Node<'t, 'a>> {
    let is_list = |node: &Node<'_, '_>| node.raw().uri == LIST;
    if is_list(&value) {
        return vec![value];
    }
    let has_url = || ["url", PAGE].iter().any(|name| member(value, name).is_some());
    if !is_object(value) || has_type(value, VIDEO) || is_page(value) && has_url() {
        return Vec::new();
    }
    let of = |object: Node<'t, 'a>| object.nodes().filter(|node| LISTS_BELOW.contains(&node.name()) && is_list(node));
    let subjects = value.nodes().filter(|node| node.name() == SUBJECT && is_object(*node));
    of(value).chain(subjects.flat_map(of)).collect()
}

fn bytes(node: Node<'_, '_>) -> Range<usize> {
    node.raw().at as usize..node.raw().end as usize
}

/// Takes the lists around the entries: those of the root, and others that held nothing else. A video that is left there is in
/// no entry.
pub(super) fn lists<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>) {
    root.and_behind().filter(|node| has_type(*node, VIDEO)).for_each(|video| take.leave_video(video));
    for node in root.and_behind().filter(|node| node.raw().uri == LIST) {
        let is_named = node.name() == SCRIPT || LISTS_BELOW.contains(&node.name());
        if is_named && (node.nodes().next().is_none() || node.parent().is_some_and(|above| above.index == root.index)) {
            take.known(node);
        }
    }
}
