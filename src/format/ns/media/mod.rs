//! Media RSS 1.5.1, for RSS and Atom alike: `media:group`, `media:content` and the optional elements at every level
//! (channel, item, group, content), with `dcterms:valid` and `dcterms:type`.
//!
//! A reader of a format calls [`feed_child`] or [`item_child`] for each child, then [`gather`], [`enclosures`] and [`finish`];
//! its writer calls [`write_feed`] and [`write_item`], and its fate table asks [`video_fate`]. Nothing here knows
//! the elements of RSS or Atom themselves.

mod album;
mod fate;
mod google;
mod inherit;
mod item;
mod part;
mod read;
mod write;

#[cfg(test)]
mod tests;

pub use album::{is_album, take_pictures};
pub use fate::video_fate;
pub(crate) use inherit::forget_names;
pub use inherit::{apply_defaults, apply_head_defaults, detach, finish, hand_down, restore};
pub(in crate::format) use inherit::{in_part, meant};
pub use item::{enclosures, feed_child, gather, is_media_enclosure, is_media_image, item_child, level, takes_image};
pub use read::is_element;
pub(crate) use read::text_kind;
pub(in crate::format) use read::{is_tag_list, split_at_semicolons, tags_in};
pub use write::{EarlierObjects, write_feed, write_item, write_number, write_terms};

/// The scheme of a `media:category` that holds a tag with a comma in it, which `media:keywords` cannot hold.
const TAG_SCHEME: &str = "urn:transfeed:tag";
