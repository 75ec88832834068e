//! References: which objects of a document an entry refers to by `@id`, in itself and around it. What the properties mean is in
//! the readers.

use std::collections::{HashMap, HashSet, VecDeque};

use super::value::{has_type, is_object, is_scalar, member};
use crate::json::parse::LIST;
use crate::model::lent::LentObjects;
use crate::text::url;
use crate::tree::{Node, Tree};

/// The steps that a reference may lead to other references.
const REFERENCES: usize = 8;

/// The most members of an object that a reference may lead to: each value that refers to it looks at them.
pub(super) const MEMBERS: usize = 1024;

/// The properties by which a page refers to its videos.
const VIDEOS: [&str; 2] = ["video", "mainEntity"];

/// The objects of an entry by their `@id`, with those of the head that it refers to.
#[derive(Default)]
pub(super) struct ObjectIndex<'t, 'a> {
    by_id: HashMap<&'t str, Node<'t, 'a>>,
    /// The others with the `@id` of one that is in `by_id`, by that: they are the same object.
    others: HashMap<&'t str, Vec<Node<'t, 'a>>>,
    /// The pages that refer to a video, by its `@id`.
    pages: HashMap<&'t str, Node<'t, 'a>>,
}

impl<'t, 'a> ObjectIndex<'t, 'a> {
    /// Of all objects from here on that have more than an `@id`; of two with one `@id`, the first counts.
    pub fn new(root: Node<'t, 'a>) -> Self {
        let mut index = ObjectIndex::default();
        let is_described = |node: &Node<'_, '_>| is_object(*node) && !is_reference(*node);
        for node in root.and_lent().filter(is_described).filter(|node| node.nodes().nth(MEMBERS).is_none()) {
            if let Some(id) = own_id(node) {
                let first = *index.by_id.entry(id.value()).or_insert(node);
                if first.index != node.index {
                    index.others.entry(id.value()).or_default().push(node);
                }
            }
            for id in videos_of(node) {
                index.pages.entry(id).or_insert(node);
            }
        }
        index
    }

    /// The object that a reference names; itself for any other value, and for a reference out of the document.
    pub fn target(&self, value: Node<'t, 'a>) -> Node<'t, 'a> {
        let mut found = value;
        for _ in 0..REFERENCES {
            let next = is_reference(found).then(|| self.by_id.get(own_id(found)?.value())).flatten();
            let Some(next) = next else { break };
            found = *next;
        }
        found
    }

    /// The videos with the `@id` of this one, which are the same in JSON-LD, and the objects without a type: itself first, then
    /// the others in their order. Many pages have the `@id` of their video.
    pub fn same(&self, video: Node<'t, 'a>) -> Vec<Node<'t, 'a>> {
        let is_untyped = |node: Node<'_, '_>| node.nodes().all(|member| member.name() != "@type");
        let is_same =
            |node: &Node<'t, 'a>| node.index != video.index && (has_type(*node, "VideoObject") || is_untyped(*node));
        let id = own_id(video).map_or("", |id| id.value());
        let others = self.others.get(id).into_iter().flatten();
        let all = self.by_id.get(id).filter(|_| self.others.contains_key(id)).into_iter().chain(others);
        std::iter::once(video).chain(all.copied().filter(is_same)).collect()
    }

    /// The page that refers to a video.
    pub fn page_of(&self, video: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
        self.pages.get(own_id(video)?.value()).copied()
    }
}

/// The scalar `@id` of an object.
pub(super) fn own_id<'t, 'a>(object: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
    member(object, "@id")
}

/// Whether this is an object with only an `@id`.
pub(super) fn is_reference(node: Node<'_, '_>) -> bool {
    let mut members = node.nodes();
    is_object(node) && members.next().is_some_and(|id| id.name() == "@id" && is_scalar(id)) && members.next().is_none()
}

/// The `@id`s that a page refers to as its videos.
fn videos_of<'t>(object: Node<'t, '_>) -> impl Iterator<Item = &'t str> {
    let is_video = has_type(object, "VideoObject");
    let members = object.nodes().filter(move |node| !is_video && VIDEOS.contains(&node.name()));
    let values = members.flat_map(|node| node.nodes().filter(move |_| node.raw().uri == LIST).chain([node]));
    values.filter(|value| is_reference(*value)).filter_map(|value| Some(own_id(value)?.value()))
}

/// The objects of a head that entries may refer to. A URL that is not whole would be resolved differently in an entry, so it
/// stays in the head.
pub(super) fn objects(root: Node<'_, '_>) -> LentObjects {
    let is_url = |node: Node<'_, '_>| is_scalar(node) && matches!(node.name(), "url" | "contentUrl");
    let is_lent = |node: Node<'_, '_>| !is_url(node) || url::is_whole(node.value());
    let mut objects = LentObjects::default();
    for node in root.and_behind().skip(1).filter(|node| is_object(*node) && !is_reference(*node)) {
        let id = own_id(node).map(|id| id.value());
        let mut videos = videos_of(node).peekable();
        if id.is_some() || videos.peek().is_some() {
            objects.add(node, id, videos, is_lent);
        }
    }
    objects
}

/// Adds the objects of the head that an entry refers to, and those that they refer to.
pub(super) fn borrow<'a>(tree: &mut Tree<'a>, objects: &'a LentObjects) {
    let mut search = ReferenceSearch::default();
    search.look(tree);
    for id in std::mem::take(&mut search.videos) {
        tree.lend_holder(objects, &id);
        // what else is known of the video
        tree.lend(objects, &id);
    }
    loop {
        search.look(tree);
        let Some(id) = search.wanted.pop_front() else { return };
        // what the entry has itself, it does not need from the head
        if search.known.insert(id.clone()) {
            tree.lend(objects, &id);
        }
    }
}

/// The references in a tree.
#[derive(Default)]
struct ReferenceSearch {
    /// The `@id`s of its objects, and those that were looked for.
    known: HashSet<String>,
    /// Those of its videos.
    videos: Vec<String>,
    /// Those that are referred to.
    wanted: VecDeque<String>,
    /// How many nodes were looked at.
    seen: u32,
}

impl ReferenceSearch {
    /// Looks at the nodes that are new.
    fn look(&mut self, tree: &Tree<'_>) {
        for node in (self.seen..tree.len()).map(|index| tree.node(index)).filter(|node| is_object(*node)) {
            let Some(id) = own_id(node).map(|id| id.value().to_owned()) else { continue };
            if is_reference(node) {
                self.wanted.push_back(id);
                continue;
            }
            if has_type(node, "VideoObject") {
                self.videos.push(id.clone());
            }
            self.known.insert(id);
        }
        self.seen = tree.len();
    }
}
