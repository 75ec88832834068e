//! Reads `ovs:video`: the page, and the video on it. Elements that Yandex does not document stay unknown markup.

use crate::format::contract::{EntryDelimiter, FormatReader, ReadContext};
use crate::format::ns::media;
use crate::model::date::DateForm;
use crate::model::{Entry, Feed, File, Player, TextKind, Thumbnail, Uploader, Video, Walk};
use crate::tree::wild::YES_NO;
use crate::tree::{Node, Take};
use crate::xml::names::Ns;
use crate::xml::split::Shape;

/// Reads `yandex-video`.
pub struct YandexVideoReader;

impl FormatReader for YandexVideoReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::Markup(Shape::YANDEX_VIDEOS)
    }
    fn head<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, _: &mut Feed<'a>, _around: ReadContext<'a>) {
        take.known(root);
    }
    fn entry<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        entry: &mut Entry<'a>,
        around: ReadContext<'a>,
    ) {
        take.known(root);
        let mut video = Video::default();
        for node in root.children().filter(|node| matches!(node.ns(), Ns::Ovs | Ns::None)) {
            child(node, take, entry, &mut video);
        }
        if !video.is_blank() {
            entry.videos.push(video);
        }
        media::finish(entry, around);
    }
}

fn child<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, video: &mut Video<'a>) {
    match node.name() {
        "url" => take.text(node, &mut entry.loc),
        "thumbnail" => {
            let mut thumbnail = Thumbnail::default();
            take.text(node, &mut thumbnail.url);
            video.thumbnails.extend(thumbnail.url.is_some().then_some(thumbnail));
        }
        "title" => take.construct(node, TextKind::Plain, None, &mut video.title),
        "description" => take.construct(node, TextKind::Plain, None, &mut video.description),
        "upload_date" => take.date_text(node, DateForm::W3c, &mut video.published),
        "duration" => take.text(node, &mut video.duration),
        "adult" => take.flag_text(node, YES_NO, &mut video.adult),
        "content_id" => take.text(node, &mut video.id),
        "content_url" => take.text(node, &mut file(video).url),
        "embed_url" => take.text(node, &mut video.player.get_or_insert_with(Player::default).url),
        "allow_embed" => take.flag_text(node, YES_NO, &mut video.allow_embed),
        "views_total" => take.text(node, &mut video.views),
        "likes" => take.text(node, &mut video.favorites),
        "comments" => take.text(node, &mut entry.comment_count),
        "login" => take.text(node, &mut video.uploader.get_or_insert_with(Uploader::default).name),
        "tag" => take.push(node, None, &mut video.tags),
        _ => (),
    }
}

/// The only file of a video.
fn file<'v, 'a>(video: &'v mut Video<'a>) -> &'v mut File<'a> {
    if video.files.is_empty() {
        video.files.push(File::default());
    }
    &mut video.files[0]
}
