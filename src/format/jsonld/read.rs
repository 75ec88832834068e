//! Reads JSON-LD documents: the objects of a graph or a list that hold a video, one entry each, and the others as the head.
//! Reads HTML pages, too, whose JSON-LD is one entry. The properties of a video are in read_video.rs.

use super::read_video::ObjectReader;
use super::value::{ObjectIndex, has_type, is_object, put, put_text, url, values};
use crate::format::contract::{EntryDelimiter, FormatReader, ReadContext};
use crate::json::parse::{NULL, STRING};
use crate::json::split::EntryLists;
use crate::model::page::VIDEO_PLACE;
use crate::model::{Entry, Feed};
use crate::text::url as urls;
use crate::tree::{Node, Take};

/// Where the entries of a document are: in its graph, in the list that it is, or in that of an `ItemList`.
const LISTS: EntryLists = EntryLists {
    members: &["@graph", "itemListElement"],
    top: true,
    whole: true,
    is_entry: |text| memchr::memmem::find(text, b"VideoObject").is_some(),
};

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

/// Reads all videos below a root.
pub(super) fn read_objects<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    nulls(root, take);
    let index = ObjectIndex::new(root);
    let mut reading = ObjectReader::new(take, &index);
    let is_alone = has_type(root, "VideoObject");
    if !is_alone {
        reading.page(root, entry);
    }
    // videos in videos are parts of them
    let mut behind = 0;
    for node in root.and_behind() {
        if (node.raw().at as usize) < behind || !is_object(node) {
            continue;
        }
        if let Some(names) = node.nodes().find(|node| node.name() == "@context") {
            context(names, reading.take);
        }
        if !has_type(node, "VideoObject") {
            continue;
        }
        behind = node.raw().end as usize;
        let video = reading.video(node, entry);
        entry.videos.push(video);
        if node.index != root.index {
            reading.take.label(node, VIDEO_PLACE);
        }
    }
}

impl<'t, 'a> ObjectReader<'_, 't, 'a> {
    /// Reads the properties of an object that is not a video: those of the page it describes.
    fn page(&mut self, root: Node<'t, 'a>, entry: &mut Entry<'a>) {
        if !is_object(root) {
            return;
        }
        self.take.known(root);
        let has_video = root.and_behind().skip(1).any(|node| has_type(node, "VideoObject"));
        if !has_video {
            return;
        }
        for node in root.nodes() {
            let name = node.name();
            if name == "@graph" {
                self.take.known(node);
            }
            for value in values(node, self.take) {
                match name {
                    "name" | "headline" => put_text(value, self.take, &mut entry.title),
                    "description" => put_text(value, self.take, &mut entry.summary),
                    "inLanguage" => put(value, self.take, &mut entry.language),
                    "url" | "mainEntityOfPage" => {
                        let found = url(value, self.take);
                        if let Some(leaf) = found.filter(|leaf| urls::is_http(leaf.value())) {
                            self.take.value(leaf, None, &mut entry.loc);
                        }
                    }
                    name => _ = self.of_page(name, value, entry),
                }
            }
        }
    }
}
