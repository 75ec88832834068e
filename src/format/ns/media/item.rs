//! The media objects of a page (mapping A2): which become videos, which pictures of the page, which enclosures, and
//! where enclosures of RSS and Atom belong. Not what the levels hand down (inherit.rs).

use std::collections::HashSet;

use super::read;
use crate::code::Code;
use crate::model::{Decimal, Enclosure, Entry, Feed, File, Image, Leaf, Seconds, Str, Video, Walk};
use crate::text::mime::{self, Medium};
use crate::text::url;
use crate::tree::wild::TRUE_FALSE;
use crate::tree::{Node, Take};
use crate::xml::names::Ns;

/// Reads a Media RSS element of the head, or a `dcterms:valid` or `dcterms:type` that describes its videos. `false`
/// if it is none, or says nothing that has a place: the caller may keep it as a module then.
pub fn feed_child<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) -> bool {
    read::is_element(child) && level(child, take, &mut feed.media)
}

/// Reads a Media RSS element of an item or an entry, or a `dcterms:valid` or `dcterms:type` that describes its
/// videos. `false` if it is none, or says nothing that has a place: the caller may keep it as a module then.
pub fn item_child<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) -> bool {
    match (child.ns(), child.name()) {
        (Ns::Media, "group") => group(child, take, entry),
        (Ns::Media, "content") => content(child, take, entry),
        _ => return read::is_element(child) && level(child, take, &mut entry.media),
    }
    true
}

/// Reads an element into a level that may not be there yet.
fn level<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Box<Video<'a>>>) -> bool {
    let fresh = slot.is_none();
    let level = slot.get_or_insert_default();
    let known = read::element(el, take, level);
    if fresh && level.is_blank() {
        *slot = None;
    }
    known
}

/// A group is one video, whatever its renditions are.
fn group<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    take.known(el);
    let mut video = Video::default();
    for child in el.children() {
        if child.ns() == Ns::Media && child.name() == "content" {
            let file = rendition(child, take, &mut video.duration);
            if !file.is_blank() {
                video.files.push(file);
            }
        } else {
            read::element(child, take, &mut video);
        }
    }
    if !video.is_blank() {
        video.group = true;
        entry.videos.push(video);
    }
}

/// A rendition in a group, with what is said of it alone.
fn rendition<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, common: &mut Option<Leaf<Seconds>>) -> File<'a> {
    let mut file = attributes(el, take);
    duration(el, take, common, &mut file);
    file.media = Some(Box::new(elements(el, take))).filter(|media| !media.is_blank());
    file
}

fn elements<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Video<'a> {
    let mut own = Video::default();
    for child in el.children() {
        read::element(child, take, &mut own);
    }
    own
}

/// The attributes of `media:content` but `duration`.
fn attributes<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> File<'a> {
    let mut file = File::default();
    take.attr(el, "url", &mut file.url);
    take.attr_alias(el, &["fileSize", "length"], &mut file.size);
    take.attr(el, "type", &mut file.kind);
    take.attr(el, "medium", &mut file.medium);
    photo(el, take, &mut file.medium);
    take.flag_attr(el, "isDefault", TRUE_FALSE, &mut file.is_default);
    take.attr(el, "expression", &mut file.expression);
    take.attr(el, "bitrate", &mut file.bitrate);
    take.attr_alias(el, &["framerate", "fps"], &mut file.framerate);
    take.attr(el, "samplingrate", &mut file.samplingrate);
    kilohertz(el, take, &mut file.samplingrate);
    take.attr(el, "channels", &mut file.channels);
    take.attr(el, "height", &mut file.height);
    take.attr(el, "width", &mut file.width);
    take.language_attr(el, "lang", &mut file.lang);
    file
}

/// `photo` is a word that Media RSS has not.
fn photo<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, medium: &mut Option<Str<'a>>) {
    let (Some(attribute), Some(leaf)) = (el.attribute("medium"), medium) else { return };
    if leaf.value.eq_ignore_ascii_case(PHOTO) {
        take.remark(attribute, "word.lenient", &leaf.value, "read as image");
        take.adjusted(leaf.mark, Code::EnumMapped, "a photo is called 'image'");
        leaf.value = "image".into();
    }
}

const PHOTO: &str = "photo";

/// No sound has more than a thousand kilohertz: such a number counts hertz.
fn kilohertz<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, rate: &mut Option<Leaf<Decimal<'a>>>) {
    let (Some(attribute), Some(leaf)) = (el.attribute("samplingrate"), rate) else { return };
    let Some(hertz) = leaf.value.scaled(3).filter(|millis| *millis > 1_000_000) else { return };
    let Some(thousandth) = Decimal::from_scaled(hertz, 6) else { return };
    let text = thousandth.as_str().trim_end_matches('0').trim_end_matches('.').to_owned();
    let Some((kilohertz, _)) = Decimal::parse(text.into()) else { return };
    take.remark(attribute, "number.lenient", leaf.value.as_str(), format!("read as hertz: {kilohertz} kHz"));
    take.adjusted(leaf.mark, Code::UnitConverted, "hertz as kilohertz");
    leaf.value = kilohertz;
}

/// The first duration is the video's; one that says the same goes where that goes; another is the file's own.
fn duration<'t, 'a>(
    el: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    common: &mut Option<Leaf<Seconds>>,
    file: &mut File<'a>,
) {
    let Some(attribute) = el.attribute("duration") else { return };
    match common {
        None => take.value(attribute, None, common),
        Some(first) => match Seconds::parse(attribute.value()) {
            Some((same, _)) if same == first.value => take.follow(attribute, first.mark),
            _ => take.value(attribute, None, &mut file.duration),
        },
    }
}

/// A content outside of a group: a video of its own, a picture of the page, or another file that goes with it.
fn content<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let medium = medium(el);
    let mut file = attributes(el, take);
    let mut own = elements(el, take);
    match medium {
        Some(Medium::Video) => {
            duration(el, take, &mut own.duration, &mut file);
            own.files.extend((!file.is_blank()).then_some(file));
            if !own.is_blank() {
                entry.videos.push(own);
            }
        }
        Some(Medium::Image) => {
            take.attr(el, "duration", &mut file.duration);
            let image = image(file, own);
            entry.images.extend((!image.is_blank()).then_some(image));
        }
        Some(Medium::Audio | Medium::Document | Medium::Executable) | None => {
            if medium.is_none() {
                let found = el.attribute("url").map_or("", |url| url.value());
                take.remark(
                    el,
                    "media.medium_unknown",
                    found,
                    "kept as a file that goes with the page, not as a video",
                );
            }
            take.attr(el, "duration", &mut file.duration);
            let enclosure = enclosure(file, own);
            entry.enclosures.extend((!enclosure.is_blank()).then_some(enclosure));
        }
    }
}

/// What a content is: by `medium`, else by `type`, else by the name of the file. One without an address can only be
/// a video with a player.
fn medium(el: Node<'_, '_>) -> Option<Medium> {
    let said = |name: &str| el.attribute(name).map(|attribute| attribute.value().trim());
    let media = [
        ("image", Medium::Image),
        (PHOTO, Medium::Image),
        ("audio", Medium::Audio),
        ("video", Medium::Video),
        ("document", Medium::Document),
        ("executable", Medium::Executable),
    ];
    let named = |said: &str| media.iter().find(|(name, _)| said.eq_ignore_ascii_case(name)).map(|(_, medium)| *medium);
    let by_type = |kind: &str| if mime::is_html(kind) { Some(Medium::Video) } else { medium_of(kind) };
    let address = said("url");
    (said("medium").and_then(named))
        .or_else(|| said("type").and_then(by_type))
        .or_else(|| address.map_or(Some(Medium::Video), mime::medium_of_url))
}

/// What a type names, also one that is only the ending of a file (`mp4`).
fn medium_of(kind: &str) -> Option<Medium> {
    mime::medium_of_type(kind).or_else(|| mime::by_extension(kind).and_then(mime::medium_of_type))
}

/// A picture of the page: what the image sitemap knows too in its own members, all else in `file`.
fn image<'a>(mut file: File<'a>, mut own: Video<'a>) -> Image<'a> {
    let mut image = Image { loc: via_media(file.url.take()), ..Image::default() };
    image.title = own.title.take();
    image.caption = own.description.take();
    if let [license] = own.license.as_mut_slice()
        && license.text.is_none()
        && license.kind.is_none()
    {
        image.license = via_media(license.href.take());
        own.license.clear();
    }
    image.file = rest(file, own);
    image
}

/// A file that goes with the page: what an RSS enclosure knows too in its own members, all else in `file`.
fn enclosure<'a>(mut file: File<'a>, own: Video<'a>) -> Enclosure<'a> {
    Enclosure {
        url: via_media(file.url.take()),
        kind: file.kind.take(),
        length: file.size.take(),
        title: None,
        lang: file.lang.take(),
        file: rest(file, own),
    }
}

fn rest<'a>(mut file: File<'a>, own: Video<'a>) -> Option<Box<File<'a>>> {
    file.media = Some(Box::new(own)).filter(|own| !own.is_blank());
    Some(Box::new(file)).filter(|file| !file.is_blank())
}

fn via_media<T>(leaf: Option<Leaf<T>>) -> Option<Leaf<T>> {
    leaf.map(|leaf| Leaf { via: Some(Ns::Media), ..leaf })
}

/// Whether an enclosure was a `media:content`, so that [`super::write_item`] writes it; all others are for the
/// caller's own `enclosure` or `link`.
pub fn is_media_enclosure(enclosure: &Enclosure<'_>) -> bool {
    enclosure.url.as_ref().map_or(enclosure.file.is_some(), |url| url.via == Some(Ns::Media))
}

/// Whether a picture was a `media:content`. [`super::write_item`] writes it, and pictures from another family.
pub fn is_media_image(image: &Image<'_>) -> bool {
    image.loc.as_ref().map_or(image.file.is_some(), |loc| loc.via == Some(Ns::Media))
}

/// Puts the enclosures of an item or entry in their places, once its media elements are read (mapping A2.4). One
/// whose address is a rendition's already stays an enclosure; another video file becomes a rendition of the only
/// video there is, else a video of its own; what is no video stays an enclosure. `via` is [`Ns::Rss2`] for an RSS
/// `enclosure`, [`Ns::Atom`] for an Atom link: the mark by which their writers find their files again.
pub fn enclosures<'a>(found: Vec<Enclosure<'a>>, via: Ns, entry: &mut Entry<'a>) {
    let mut known: Option<HashSet<String>> = None;
    for enclosure in found {
        let Some(address) = enclosure.url.as_ref().filter(|_| is_video(&enclosure)).map(|url| key(url.as_str())) else {
            entry.enclosures.push(enclosure);
            continue;
        };
        let known = known.get_or_insert_with(|| addresses(entry));
        if !known.insert(address) {
            entry.enclosures.push(enclosure);
            continue;
        }
        let file = as_file(enclosure, via);
        match entry.videos.as_mut_slice() {
            [only] => only.files.push(file),
            _ => entry.videos.push(Video { files: vec![file], ..Video::default() }),
        }
    }
}

/// The addresses of all renditions, for comparison.
fn addresses(entry: &Entry<'_>) -> HashSet<String> {
    let files = entry.videos.iter().flat_map(|video| &video.files);
    files.filter_map(|file| file.url.as_ref()).map(|url| key(url.as_str())).collect()
}

fn key(address: &str) -> String {
    url::key(address).into_owned()
}

/// By its type; by its name only if the type does not tell.
fn is_video(enclosure: &Enclosure<'_>) -> bool {
    let by_type = enclosure.kind.as_ref().and_then(|kind| mime::medium_of_type(kind.as_str()));
    let by_name = || enclosure.url.as_ref().and_then(|url| mime::medium_of_url(url.as_str()));
    by_type.or_else(by_name) == Some(Medium::Video)
}

fn as_file<'a>(enclosure: Enclosure<'a>, via: Ns) -> File<'a> {
    let Enclosure { url, kind, length, title, lang, file } = enclosure;
    let more = file.map(|file| *file).unwrap_or_default();
    File { url: url.map(|url| Leaf { via: Some(via), ..url }), kind, size: length, title, lang, ..more }
}
