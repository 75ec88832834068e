//! Values that must be unique in a document, compared across entries. They are stored as hashes (`convert::keys`).

use std::borrow::Cow;

use super::Cx;
use super::check::page::listed;
use crate::json::parse::{NUMBER, STRING};
use crate::text::url;
use crate::tree::Node;
use crate::xml::names::Ns;

/// A value as it is written, and whether what it means is compared instead.
pub(crate) type SingleValue<'t> = (&'t str, bool);

/// Values that are compared across the entries of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComparedValues {
    /// The URL of a page as it is written.
    Loc,
    /// The same as what it means.
    Page,
    /// The guid of an item.
    Guid,
    /// The id of an entry.
    Id,
    /// The id of an item of JSON Feed.
    ItemId,
    /// The id of an entry with its date.
    Revision,
    /// The thumbnail of a video.
    Thumbnail,
    /// Its title.
    Title,
    /// Its description.
    Description,
    /// Its file and its player, for videos of other pages.
    Media,
}

impl ComparedValues {
    /// The message for a repeated value, and the hint.
    pub fn texts(self) -> (&'static str, &'static str) {
        match self {
            ComparedValues::Loc => ("duplicate URL", "list each URL once"),
            ComparedValues::Page => ("duplicate URL in another spelling", "list each page once, in one spelling"),
            ComparedValues::Guid => ("duplicate guid", "give each item a unique guid: readers show only one of them"),
            ComparedValues::Id => ("duplicate id", "give each entry a unique id"),
            ComparedValues::ItemId => ("duplicate id", "give each item a unique id: readers show only one of them"),
            ComparedValues::Revision => {
                ("duplicate id with the same date", "remove one of them, or update the date of the newer one")
            }
            ComparedValues::Thumbnail => ("another video has the same thumbnail", "give each video a unique thumbnail"),
            ComparedValues::Title => ("another video has the same title", "give each video a unique title"),
            ComparedValues::Description => {
                ("another video has the same description", "give each video a unique description")
            }
            ComparedValues::Media => {
                ("this video is also listed under another page", "list it only under its watch page")
            }
        }
    }

    /// Whether a value may come back in this entry after that one: the same video several times in one page.
    pub fn allows_repeat(self, entry: u64, first: u64) -> bool {
        self == ComparedValues::Media && entry == first
    }

    /// The element that has the value, where an entry has no more than one: as it is written, and whether what it means
    /// is compared.
    pub fn single<'t, 'a>(self, root: Node<'t, 'a>, cx: &Cx<'_>) -> Option<SingleValue<'t>> {
        let text = |ns: Ns, name: &'static str| cx.child(root, ns, name).map_or("", Node::text_value);
        match self {
            ComparedValues::Loc | ComparedValues::Page if cx.format.family.is_lines() => {
                Some((listed(root.value()).unwrap_or(""), self == ComparedValues::Page))
            }
            ComparedValues::Loc => Some((text(Ns::Sitemap, "loc"), false)),
            ComparedValues::Page => Some((text(Ns::Sitemap, "loc"), true)),
            ComparedValues::Guid => Some((text(Ns::None, "guid"), false)),
            ComparedValues::Id => Some((text(Ns::Atom, "id"), false)),
            ComparedValues::ItemId => Some((item_id(root).map_or("", Node::value), false)),
            ComparedValues::Revision
            | ComparedValues::Thumbnail
            | ComparedValues::Title
            | ComparedValues::Description
            | ComparedValues::Media => None,
        }
    }

    /// The values of an entry, each with its element.
    pub fn values<'t, 'a>(self, root: Node<'t, 'a>, cx: &Cx<'_>) -> Vec<(Cow<'t, str>, Node<'t, 'a>)> {
        let texts = |ns: Ns, name: &'static str| -> Vec<(Cow<'t, str>, Node<'t, 'a>)> {
            let one = |node: Node<'t, 'a>| Some((Cow::Borrowed(node.text_value()), node));
            cx.child(root, ns, name).and_then(one).into_iter().collect()
        };
        let of_videos = |names: &[&'static str]| -> Vec<(Cow<'t, str>, Node<'t, 'a>)> {
            let videos = cx.children(root, Ns::Video, "video");
            let of = |video: Node<'t, 'a>| names.iter().filter_map(move |name| cx.child(video, Ns::Video, name));
            videos.flat_map(of).map(|node| (Cow::Borrowed(node.text_value()), node)).collect()
        };
        let mut values = match self {
            ComparedValues::Loc | ComparedValues::Page if cx.format.family.is_lines() => {
                vec![(Cow::Borrowed(listed(root.value()).unwrap_or("")), root)]
            }
            ComparedValues::Loc => texts(Ns::Sitemap, "loc"),
            ComparedValues::Page => texts(Ns::Sitemap, "loc"),
            ComparedValues::Guid => texts(Ns::None, "guid"),
            ComparedValues::Id => texts(Ns::Atom, "id"),
            ComparedValues::ItemId => {
                item_id(root).map(|node| (Cow::Borrowed(node.value()), node)).into_iter().collect()
            }
            ComparedValues::Revision => texts(Ns::Atom, "id"),
            ComparedValues::Thumbnail => of_videos(&["thumbnail_loc"]),
            ComparedValues::Title => of_videos(&["title"]),
            ComparedValues::Description => of_videos(&["description"]),
            ComparedValues::Media => of_videos(&["content_loc", "player_loc"]),
        };
        values.retain(|(value, _)| !value.is_empty());
        match self {
            ComparedValues::Page | ComparedValues::Thumbnail | ComparedValues::Media => {
                for (value, _) in &mut values {
                    *value = match std::mem::take(value) {
                        Cow::Borrowed(address) => url::key(address),
                        Cow::Owned(address) => Cow::Owned(url::key(&address).into_owned()),
                    };
                }
            }
            ComparedValues::Revision => {
                let updated = cx.text(root, Ns::Atom, "updated").unwrap_or("");
                values.iter_mut().for_each(|(value, _)| *value = Cow::Owned(format!("{value}\n{updated}")));
            }
            _ => (),
        }
        // the same file twice in one page is not a second page
        if self == ComparedValues::Media {
            let mut seen = std::collections::HashSet::new();
            values.retain(|(value, _)| seen.insert(value.clone()));
        }
        values
    }
}

/// The id of an item of JSON Feed; numbers count as what readers make of them.
fn item_id<'t, 'a>(root: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
    root.nodes().find(|node| node.name() == "id" && matches!(node.raw().uri, STRING | NUMBER))
}
