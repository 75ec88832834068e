//! Finds the entries of an HTML page that is no entry itself: it has no canonical URL, and lists videos with different ones.

use std::ops::Range;

use super::read::{ENTRY_LISTS, VIDEO, page_url};
use super::refer::ObjectIndex;
use super::value::{has_type, is_object, member};
use crate::json::page::{SCRIPT, parse_page};
use crate::json::page_split::EntryInPage;
use crate::json::parse::LIST;
use crate::tree::Node;
use crate::xml::parse::TreeLimits;

/// Where a page states its own URL, the canonical one first.
pub(super) const OWN_URLS: [&str; 2] = ["canonical", "og:url"];

/// The URL that a page has for itself.
fn own_url<'t, 'a>(root: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
    OWN_URLS.iter().find_map(|name| member(root, name))
}

/// The member of a page that is about a list.
const SUBJECT: &str = "mainEntity";

/// The entries of a page, if it has several: values of its scripts that hold videos, of which two are for different pages.
pub(super) fn entries(html: &str, limits: &TreeLimits) -> Vec<EntryInPage> {
    if memchr::memmem::find_iter(html.as_bytes(), VIDEO).nth(1).is_none() {
        return Vec::new();
    }
    let tree = parse_page(html, limits);
    let Some(root) = tree.root().filter(|root| own_url(*root).is_none()) else { return Vec::new() };
    let objects = root.and_behind().filter(|node| has_type(*node, VIDEO));
    let mut listing = Listing { videos: objects.collect(), entries: Vec::new() };
    for script in root.nodes().filter(|node| node.name() == SCRIPT).flat_map(|list| list.nodes()) {
        listing.value(script, |value| value);
    }
    let index = ObjectIndex::new(root);
    let videos = listing.entries.iter().filter_map(|(entry, _)| listing.videos_in(*entry).first());
    let mut urls = videos.filter_map(|video| page_url(&index, *video));
    let first = urls.next();
    if urls.all(|url| Some(url) == first) {
        return Vec::new();
    }
    listing.entries.sort_by_key(|(entry, _)| entry.index);
    let found = listing.entries.iter();
    found.map(|(entry, place)| EntryInPage { value: bytes(*entry), place: place.clone() }).collect()
}

struct Listing<'t, 'a> {
    /// All videos of the page, in their order.
    videos: Vec<Node<'t, 'a>>,
    /// The values that hold videos, each with its place.
    entries: Vec<(Node<'t, 'a>, Range<usize>)>,
}

impl<'t, 'a> Listing<'t, 'a> {
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

/// The lists of entries that a value is or has; those of a video are part of it.
fn lists_of<'t, 'a>(value: Node<'t, 'a>) -> Vec<Node<'t, 'a>> {
    let is_list = |node: &Node<'_, '_>| node.raw().uri == LIST;
    if is_list(&value) {
        return vec![value];
    }
    if !is_object(value) || has_type(value, VIDEO) {
        return Vec::new();
    }
    let of = |object: Node<'t, 'a>| object.nodes().filter(|node| ENTRY_LISTS.contains(&node.name()) && is_list(node));
    let subjects = value.nodes().filter(|node| node.name() == SUBJECT && is_object(*node));
    of(value).chain(subjects.flat_map(of)).collect()
}

fn bytes(node: Node<'_, '_>) -> Range<usize> {
    node.raw().at as usize..node.raw().end as usize
}
