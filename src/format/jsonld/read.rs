//! Reads JSON-LD documents: the objects of a graph or a list that hold a video, one entry each, and the others as the head.
//! Reads HTML pages, too, whose JSON-LD is one entry. The properties of a video are in read_video.rs.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use super::address::{address_of, page_objects};
use super::listing;
use super::read_video::{EPISODE, ObjectReader};
use super::refer::{self, ObjectIndex};
use super::value::{
    VIDEO, has_type, is_object, listed, member, put_language, put_leaf, put_text, respell, url, values,
};
use crate::format::contract::{EntryDelimiter, FormatReader, ReadContext};
use crate::json::parse::{NULL, STRING};
use crate::model::lent::LentObjects;
use crate::model::page::{SAME_VIDEO, VIDEO_PLACE};
use crate::model::{Entry, Feed, Leaf, Video};
use crate::text::url as urls;
use crate::tree::{Node, Take, Tree};

/// Reads `jsonld`.
pub struct JsonLdReader;

impl FormatReader for JsonLdReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::Json(listing::LISTS)
    }
    fn head<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, _: &mut Feed<'a>, _: ReadContext<'a>) {
        take.known(root);
        around(root, take);
    }
    fn objects(&self, root: Node<'_, '_>) -> LentObjects {
        refer::objects(root)
    }
    fn respell(&self, tree: &mut Tree<'_>) {
        respell(tree);
    }
    fn borrow<'a>(&self, tree: &mut Tree<'a>, objects: &'a LentObjects, _: u32) {
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
    root.and_behind().filter(|node| node.name() == "@context").for_each(|node| context(node, take));
    listing::lists(root, take);
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
        reading.own_authors = have_own_authors(root, &index);
    }
    let mut known: HashSet<u32> = HashSet::new();
    for node in outer_objects(root) {
        if let Some(names) = node.nodes().find(|node| node.name() == "@context") {
            context(names, reading.take);
        }
        if !has_type(node, VIDEO) {
            continue;
        }
        // one that is the same as an earlier one was read with it
        let is_known = known.contains(&node.index);
        if !is_known {
            let same = index.same(node);
            let mut video = reading.video(&same, entry);
            same.iter().for_each(|node| reading.page_around(*node, &mut video, entry));
            entry.videos.push(video);
            known.extend(same.iter().map(|node| node.index));
        }
        if node.index != root.index {
            reading.take.label(node, if is_known { SAME_VIDEO } else { VIDEO_PLACE });
        }
    }
}

/// The objects of a root, except those in videos: videos in videos are parts of them.
fn outer_objects<'t, 'a>(root: Node<'t, 'a>) -> impl Iterator<Item = Node<'t, 'a>> {
    let mut behind = 0;
    root.and_behind().filter(move |node| {
        let is_outside = node.raw().at as usize >= behind && is_object(*node);
        if is_outside && has_type(*node, VIDEO) {
            behind = node.raw().end as usize;
        }
        is_outside
    })
}

/// Whether the videos below a root do not all have the same authors.
fn have_own_authors(root: Node<'_, '_>, index: &ObjectIndex<'_, '_>) -> bool {
    let mut first = None;
    for node in outer_objects(root).filter(|node| has_type(*node, VIDEO)) {
        let members = node.nodes().filter(|node| node.name() == "author").flat_map(listed);
        let authors = members.map(|author| {
            let author = index.target(author);
            member(author, "name").unwrap_or(author).value()
        });
        let authors: BTreeSet<&str> = authors.collect();
        if *first.get_or_insert_with(|| authors.clone()) != authors {
            return true;
        }
    }
    false
}

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
                    name => {
                        let value = self.target(value);
                        self.of_described_page(name, value, entry);
                    }
                }
            }
        }
    }

    /// A property of the object of a page, except its URL.
    fn of_described_page(&mut self, name: &'a str, value: Node<'t, 'a>, entry: &mut Entry<'a>) {
        match name {
            "name" | "headline" => put_text(value, self.take, &mut entry.title),
            "description" => put_text(value, self.take, &mut entry.summary),
            "inLanguage" => put_language(value, self.take, &mut entry.language),
            name => _ = self.of_page(name, value, entry),
        }
    }

    /// Reads the page that a video refers to, that refers to it, or that it is in, unless the entry has another. The first
    /// video of an episode gets its number, its season and its series.
    pub(super) fn page_around(&mut self, node: Node<'t, 'a>, video: &mut Video<'a>, entry: &mut Entry<'a>) {
        for page in page_objects(self.index, node) {
            if !self.pages.insert(page.index) {
                continue;
            }
            if has_type(page, "TVEpisode") {
                for node in page.nodes().filter(|node| EPISODE.contains(&node.name())) {
                    let value = self.target(node);
                    self.episode(node.name(), value, video);
                }
            }
            if page.index > 0 {
                self.page_object(page, entry);
            }
        }
    }

    fn page_object(&mut self, page: Node<'t, 'a>, entry: &mut Entry<'a>) {
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
