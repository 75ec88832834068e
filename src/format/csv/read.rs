//! Reads tables: each cell below a known heading becomes values of the entry or of its video. Other cells stay in the tree
//! and become foreign. The headings are structure, so the head has no values.

use super::columns::{self, Reach, TableCell};
use crate::format::contract::{EntryDelimiter, FormatReader, ReadContext};
use crate::model::{Entry, Feed, Field, Video, Walk};
use crate::tree::{Node, Take};

/// The fields of relationships with those of their lists. A list is not understood without: to guess wrong would turn it into
/// its opposite.
const RELATIONSHIPS: [(Field, Field); 3] = [
    (Field::VideoRestrictionRelationship, Field::VideoRestrictionCountry),
    (Field::VideoPlatformRelationship, Field::VideoPlatform),
    (Field::VideoUriRestrictionRelationship, Field::VideoUriRestriction),
];

/// Reads `csv`.
pub struct CsvReader;

impl FormatReader for CsvReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::Rows
    }
    fn head<'t, 'a>(&self, _: Node<'t, 'a>, _: &mut Take<'t, 'a>, _: &mut Feed<'a>, _: ReadContext<'a>) {}
    fn entry<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, _: ReadContext<'a>) {
        let mut own = Video::default();
        let mut others: Vec<Video<'a>> = Vec::new();
        let mut unclear = Vec::new();
        for node in root.nodes() {
            let Some(known) = columns::by_heading(node.name()) else { continue };
            let listed = RELATIONSHIPS.iter().find(|(relationship, _)| *relationship == known.column.field);
            let is_unclear = || TableCell::new(node, known.column).is_unclear();
            unclear.extend(listed.filter(|_| is_unclear()).map(|(_, list)| *list));
        }
        for node in root.nodes() {
            let Some(known) = columns::by_heading(node.name()) else { continue };
            if unclear.contains(&known.column.field) {
                take.unreadable(node, known.column.field);
                let mut open = vec![node];
                while let Some(node) = open.pop() {
                    take.known(node);
                    open.extend(node.nodes());
                }
                continue;
            }
            take.known(node);
            let cell = TableCell::new(node, known.column);
            match known.column.reach {
                Reach::Page(read, ..) => read(entry, cell, take),
                Reach::Video(read, ..) if !known.of_videos => read(&mut own, cell, take),
                Reach::Video(read, ..) => {
                    for (at, own) in cell.videos(take) {
                        if others.len() <= at {
                            others.resize_with(at + 1, Video::default);
                        }
                        if let Some(video) = others.get_mut(at) {
                            read(video, own, take);
                        }
                    }
                }
            }
        }
        columns::tidy_page(entry);
        let videos = std::iter::once(own).chain(others).map(|mut video| {
            columns::tidy_video(&mut video);
            video
        });
        entry.videos = videos.filter(|video| !video.is_blank()).collect();
    }
}
