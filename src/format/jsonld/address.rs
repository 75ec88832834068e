//! The pages of videos: which object is that of a page, and what its URL is.

use super::refer::{MEMBERS, ObjectIndex, is_reference};
use super::value::{VIDEO, has_type, is_address, is_file, is_object, is_scalar, member, scalar_of_url, term};
use crate::json::parse::LIST;
use crate::text::url as urls;
use crate::tree::Node;

/// The steps from an object to the URL of its page: an article is part of a page, which has a URL.
const STEPS: usize = 4;

/// The objects of the page of a video: the article that it is in, and the page that it refers to or that refers to it.
pub(super) fn page_objects<'t, 'a>(
    index: &ObjectIndex<'t, 'a>,
    video: Node<'t, 'a>,
) -> impl Iterator<Item = Node<'t, 'a>> {
    let above = |node: &Node<'t, 'a>| matches!(node.name(), "mainEntityOfPage" | "isPartOf");
    let stated = video.nodes().filter(above).map(|node| index.target(node)).find(|page| is_page(*page));
    let around = || std::iter::successors(video.parent(), |node| node.parent()).find(|page| has_page(*page));
    let named = stated.or_else(|| index.page_of(video));
    let address = named.and_then(|page| address_of(index, page)).map(|leaf| leaf.value());
    let is_there = |object: &Node<'t, 'a>| {
        let own = address_of(index, *object).map(|leaf| leaf.value());
        own.is_none_or(|own| address.is_some_and(|address| urls::is_same(own, address)))
    };
    let article = around().filter(|object| named.is_none() || is_page(*object) && is_there(object));
    article.into_iter().chain(named)
}

/// The URL of the page that an object is, or is on.
pub(super) fn address_of<'t, 'a>(index: &ObjectIndex<'t, 'a>, object: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
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
    let is_it = |name: &str, leaf: &Node<'t, 'a>| is_address(leaf) && !is_file(name, [video].into_iter(), *leaf);
    let stated = |name: &'static str| urls_of(video, name).find(|leaf| is_it(name, leaf));
    let own = ["mainEntityOfPage", "url"].into_iter().find_map(stated);
    let own = own.or_else(|| address_of(index, video).filter(|leaf| is_it("", leaf)));
    own.or_else(|| page_objects(index, video).find_map(|page| address_of(index, page))).map(|leaf| leaf.value())
}

/// The scalars with URLs of a property.
fn urls_of<'t, 'a>(object: Node<'t, 'a>, name: &str) -> impl Iterator<Item = Node<'t, 'a>> {
    let named = object.nodes().filter(move |node| node.name() == name);
    let values = named.flat_map(|node| node.nodes().filter(move |_| node.raw().uri == LIST).chain([node]));
    values.filter_map(scalar_of_url)
}

/// Ends of the names of types that are pages.
const PAGES: [&str; 3] = ["Page", "Article", "Posting"];

/// Ends of the names of types with a page of their own, on which the videos in them are.
const SUBJECTS: [&str; 14] = [
    "Application",
    "Book",
    "Course",
    "Episode",
    "Event",
    "Gallery",
    "Game",
    "HowTo",
    "LearningResource",
    "ListItem",
    "Movie",
    "Product",
    "Recipe",
    "TVSeries",
];

/// Whether an object is a page or an article, not a collection of them.
pub(super) fn is_page(object: Node<'_, '_>) -> bool {
    has_kind(object, &PAGES) && !has_kind(object, &["CollectionPage"])
}

/// Whether an object is a page, or has one.
fn has_page(object: Node<'_, '_>) -> bool {
    has_kind(object, &PAGES) || has_kind(object, &SUBJECTS)
}

fn has_kind(object: Node<'_, '_>, kinds: &[&str]) -> bool {
    let is_it = |name: &str| kinds.iter().any(|kind| name.ends_with(kind));
    let types = object.nodes().take(MEMBERS).filter(|node| node.name() == "@type");
    let mut names = types.flat_map(|node| node.nodes().chain(is_scalar(node).then_some(node)));
    is_object(object) && names.any(|name| is_it(term(name.value())))
}
