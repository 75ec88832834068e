//! Descriptions of videos for Yandex (namespace `ovs`), which partners gave to Yandex Video: Yandex may not take new ones. A
//! document describes one video, or has several descriptions in one root.

mod fate;
mod read;
mod write;

use super::contract::Format;
use super::family::{EntryKind, Family};
use crate::model::origin::Syntax;
use crate::xml::names::Ns;

/// Descriptions of videos for Yandex.
pub static FAMILY: Family = Family {
    name: "a description of videos for Yandex",
    syntax: Syntax::Xml,
    lists: EntryKind::Pages,
    entry: ("page", "pages"),
    extension: Some("xml"),
    namespace: Some(Ns::Ovs),
    aliases: &[Ns::None],
    empty_entry: Some("<ovs:video/>"),
    ..Family::PLAIN
};

/// Descriptions of videos for Yandex.
pub static YANDEX_VIDEO: Format = Format {
    id: "yandex-video",
    title: "description of videos for Yandex (ovs)",
    family: &FAMILY,
    reader: &read::YandexVideoReader,
    writer: Some(&write::YandexVideoWriter),
};
