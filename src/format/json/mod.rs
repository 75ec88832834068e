//! The model itself as JSON: one document, or a line an entry. Loses nothing.

mod de;
mod fate;
pub(crate) mod parse;
mod read;
pub(crate) mod split;
#[cfg(test)]
mod tests;
pub(crate) mod write;

use super::{Family, Format};
use crate::model::Field;

/// The model as one JSON document.
pub static JSON: Format = Format {
    id: "json",
    title: "the model as one JSON document",
    family: Family::Json,
    reader: &read::JsonReader,
    writer: Some(&write::JsonWriter),
};

/// The model as JSON lines, one entry a line.
pub static JSONL: Format = Format {
    id: "jsonl",
    title: "the model as JSON lines, one entry a line",
    family: Family::Json,
    reader: &read::JsonlReader,
    writer: Some(&write::JsonlWriter),
};

/// Whether a leaf is the address of a link or a file: their order among each other is written back, and counts where
/// unknown attributes stand on them.
fn is_link(field: Field) -> bool {
    use Field::*;
    matches!(
        field,
        FeedHome
            | FeedSelf
            | FeedLinkHref
            | Loc
            | Comments
            | CommentFeed
            | License
            | LinkHref
            | AlternateHref
            | EnclosureUrl
            | ImageLoc
            | VideoFileUrl
            | VideoPeerLinkHref
            | VideoLicenseHref
    )
}

/// The format whose family a document belongs to: for the model as JSON, the one it was first read from.
pub(crate) fn family_format(format: &'static Format, feed: &crate::model::Feed<'_>) -> &'static Format {
    feed.origin.before.format.and_then(super::by_id).unwrap_or(format)
}
