//! Groups that contain only images (A2.2): for targets without groups, their files are images of the page. What a file is,
//! is decided in medium.rs.

use super::inherit::forget;
use super::item::image;
use crate::format::medium::is_picture;
use crate::model::{Entry, File, Video, Walk};
use crate::work;

/// Replaces each group of images by images of the page. The title and other values of the group go to the first image that
/// has none.
pub fn take_pictures(entry: &mut Entry<'_>) {
    let Entry { videos, images, .. } = entry;
    for mut video in videos.extract_if(.., |video| is_album(video)) {
        let files = std::mem::take(&mut video.files);
        let mut of_group = Some(own_values(video));
        images.extend(files.into_iter().map(|mut file| {
            let own = file.media.take().map(|own| *own).or_else(|| of_group.take());
            image(file, own.unwrap_or_default())
        }));
    }
}

/// Whether a group has only images, and one of them has room for the values of the group, if it has any. Takes time linear in
/// the size of the group.
pub fn is_album(video: &Video<'_>) -> bool {
    let has_room = |file: &File<'_>| file.media.is_none();
    let is_of_images = video.group && !video.files.is_empty() && video.files.iter().all(is_picture);
    is_of_images && (video.files.iter().any(has_room) || own_values(video.clone()).is_blank())
}

/// The values of a video without those of its files and of other levels.
fn own_values<'a>(video: Video<'a>) -> Video<'a> {
    work::count(video.files.len());
    let names = video.inherited.clone();
    let mut own = Video { files: Vec::new(), inherited: Vec::new(), group: false, ..video };
    names.iter().for_each(|name| forget(&mut own, name));
    own
}
