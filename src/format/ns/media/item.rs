//! Sorts the media objects of a page (rule A2) into videos, images of the page and enclosures, and assigns the
//! enclosures of RSS and Atom. Inheritance between levels is in inherit.rs.

use std::collections::HashSet;
use std::hash::Hash;

use super::read;
use crate::emit::Out;
use crate::format::contract::ReadContext;
use crate::format::medium::{is_no_video, medium_of};
use crate::format::ns::modules;
use crate::model::{Decimal, Enclosure, Entry, Feed, Field, File, Image, Leaf, Seconds, Str, Video, Walk};
use crate::options::Options;
use crate::reason::Reason;
use crate::text::mime::{self, Medium};
use crate::text::{embed, url};
use crate::tree::wild::TRUE_FALSE;
use crate::tree::{AttributeNames, Node, Take};
use crate::xml::names::Ns;

/// Reads a Media RSS element of the head, or a `dcterms:valid` or `dcterms:type` that describes its videos. `false` if
/// it is another element or has no value that fits: the caller may keep it as a module.
pub fn feed_child<'t, 'a>(child: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) -> bool {
    read::is_element(child) && level(child, take, &mut feed.media)
}

/// Reads a Media RSS element of an item or an entry, or a `dcterms:valid` or `dcterms:type` that describes its videos.
/// `false` if it is another element or has no value that fits: the caller may keep it as a module.
pub fn item_child<'t, 'a>(
    child: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    entry: &mut Entry<'a>,
    options: &Options,
) -> bool {
    match (child.ns(), child.name()) {
        (Ns::Media, "group") => group(child, take, entry, options),
        (Ns::Media, "content") => content(child, take, entry, options),
        _ => return read::is_element(child) && level(child, take, &mut entry.media),
    }
    true
}

/// Reads an element into a level that may not be there yet.
pub fn level<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Box<Video<'a>>>) -> bool {
    let fresh = slot.is_none();
    let level = slot.get_or_insert_default();
    let known = read::element(el, take, level);
    if fresh && level.is_blank() {
        *slot = None;
    }
    known
}

/// A group is one media object, whatever its renditions are.
fn group<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, options: &Options) {
    take.known(el);
    let mut video = Video::default();
    let mut timed = Vec::new();
    for child in el.children() {
        if child.ns() == Ns::Media && child.name() == "content" {
            rendition(child, take, &mut video, &mut timed);
        } else {
            read::element(child, take, &mut video);
        }
    }
    part_durations(&mut video, &timed);
    if !video.is_blank() {
        video.group = true;
        if is_no_video(&video, options.assume_video) {
            for file in video.files.iter().filter(|file| medium_of(file).is_none()) {
                let found = file.url.as_ref().map_or("", Leaf::as_str);
                take.remark(el, UNKNOWN, found, NO_VIDEO);
            }
        }
        entry.videos.push(video);
    }
}

const UNKNOWN: &str = "media.medium_unknown";
const NO_VIDEO: &str = "kept as a file that goes with the page, not as a video";

/// Where some files have no duration, those of the others are not that of the video.
fn part_durations(video: &mut Video<'_>, timed: &[bool]) {
    if timed.contains(&true) && timed.contains(&false) {
        let common = video.duration.take();
        let of_video = video.files.iter_mut().zip(timed).filter(|(file, timed)| **timed && file.duration.is_none());
        of_video.for_each(|(file, _)| file.duration = common);
    }
}

/// A rendition in a group, with its own values; `timed` has for each file whether it has a duration.
fn rendition<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, video: &mut Video<'a>, timed: &mut Vec<bool>) {
    let Video { files, duration: common, .. } = video;
    // a large thing to be moved
    files.push(File::default());
    let Some(file) = files.last_mut() else { return };
    let (_, length) = attributes(el, take, file);
    let has_duration = duration(length, take, common, file);
    if el.has_children() {
        file.media = Some(Box::new(elements(el, take))).filter(|media| !media.is_blank());
    }
    match file.is_blank() {
        true => _ = files.pop(),
        false => timed.push(has_duration),
    }
}

fn elements<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Video<'a> {
    let mut own = Video::default();
    for child in el.children() {
        read::element(child, take, &mut own);
    }
    own
}

/// What attributes of `media:content` there are.
const ATTRIBUTES: AttributeNames<17> = AttributeNames::new([
    "url",
    "fileSize",
    "length",
    "type",
    "medium",
    "isDefault",
    "expression",
    "bitrate",
    "framerate",
    "fps",
    "samplingrate",
    "channels",
    "height",
    "width",
    "lang",
    "language",
    "duration",
]);

/// Reads the attributes of `media:content` except `duration`. Returns `url` and `duration` as given.
fn attributes<'t, 'a>(
    el: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    file: &mut File<'a>,
) -> (Option<Node<'t, 'a>>, Option<Node<'t, 'a>>) {
    take.known(el);
    let found = ATTRIBUTES.find_in(el);
    let [url, file_size, length, kind, medium, is_default, expression, bitrate, ..] = found;
    let [.., framerate, fps, samplingrate, channels, height, width, lang, language, duration] = found;
    take.found(url, &mut file.url);
    take.found_as([(file_size, "fileSize"), (length, "length")], &mut file.size);
    take.found(kind, &mut file.kind);
    take.found(medium, &mut file.medium);
    photo(medium, take, &mut file.medium);
    take.yes_or_no(is_default, TRUE_FALSE, &mut file.is_default);
    take.found(expression, &mut file.expression);
    take.found(bitrate, &mut file.bitrate);
    take.found_as([(framerate, "framerate"), (fps, "fps")], &mut file.framerate);
    take.found(samplingrate, &mut file.samplingrate);
    kilohertz(samplingrate, take, &mut file.samplingrate);
    take.found(channels, &mut file.channels);
    take.found(height, &mut file.height);
    take.found(width, &mut file.width);
    take.found_as([(lang, "lang"), (language, "language")], &mut file.lang);
    take.language(lang, &mut file.lang);
    take.language(language, &mut file.lang);
    (url, duration)
}

/// `photo` is a word that Media RSS has not.
fn photo<'t, 'a>(attribute: Option<Node<'t, 'a>>, take: &mut Take<'t, 'a>, medium: &mut Option<Str<'a>>) {
    let (Some(attribute), Some(leaf)) = (attribute, medium) else { return };
    if leaf.value.eq_ignore_ascii_case(PHOTO) {
        take.remark(attribute, "word.lenient", &leaf.value, "read as image");
        take.adjusted(leaf.mark, Reason::UsualTerm);
        leaf.value = "image".into();
    }
}

const PHOTO: &str = "photo";

/// No sound has more than a thousand kilohertz: such a number counts hertz.
fn kilohertz<'t, 'a>(attribute: Option<Node<'t, 'a>>, take: &mut Take<'t, 'a>, rate: &mut Option<Leaf<Decimal<'a>>>) {
    let (Some(attribute), Some(leaf)) = (attribute, rate) else { return };
    let Some(hertz) = leaf.value.scaled(3).filter(|millis| *millis > 1_000_000) else { return };
    let Some(thousandth) = Decimal::from_scaled(hertz, 6) else { return };
    let text = thousandth.as_str().trim_end_matches('0').trim_end_matches('.').to_owned();
    let Some((kilohertz, _)) = Decimal::parse(text.into()) else { return };
    take.remark(attribute, "number.lenient", leaf.value.as_str(), format!("read as hertz: {kilohertz} kHz"));
    take.adjusted(leaf.mark, Reason::UsualUnit);
    leaf.value = kilohertz;
}

/// The first duration is the video's; an equal one is merged with it; another one is the file's own. Returns
/// whether the file has a duration.
fn duration<'t, 'a>(
    attribute: Option<Node<'t, 'a>>,
    take: &mut Take<'t, 'a>,
    common: &mut Option<Leaf<Seconds>>,
    file: &mut File<'a>,
) -> bool {
    let Some(attribute) = attribute else { return false };
    match common {
        None => {
            take.value(attribute, None, common);
            common.is_some()
        }
        Some(first) => match Seconds::parse(attribute.value()) {
            Some((same, _)) if same == first.value => {
                take.follow(attribute, first.mark);
                true
            }
            _ => {
                take.value(attribute, None, &mut file.duration);
                file.duration.is_some()
            }
        },
    }
}

/// A content outside a group: a separate video, an image of the page, or another attached file.
fn content<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, options: &Options) {
    let mut file = File::default();
    let (address, length) = attributes(el, take, &mut file);
    // without a URL, it can only be a video with a player
    let assumed = options.assume_video || address.is_none();
    let medium = medium_of(&file).or(assumed.then_some(Medium::Video));
    let mut own = elements(el, take);
    match medium {
        Some(Medium::Video) => {
            duration(length, take, &mut own.duration, &mut file);
            own.files.extend((!file.is_blank()).then_some(file));
            if !own.is_blank() {
                entry.videos.push(own);
            }
        }
        Some(Medium::Image) => {
            take.found(length, &mut file.duration);
            let image = image(file, own);
            entry.images.extend((!image.is_blank()).then_some(image));
        }
        Some(Medium::Audio | Medium::Document | Medium::Executable) | None => {
            if medium.is_none() {
                let found = address.map_or("", |url| url.value());
                take.remark(el, UNKNOWN, found, NO_VIDEO);
            }
            take.found(length, &mut file.duration);
            let enclosure = enclosure(file, own);
            entry.enclosures.extend((!enclosure.is_blank()).then_some(enclosure));
        }
    }
}

/// An image of the page: members of the image sitemap are set in the image, all others in `file`.
pub(super) fn image<'a>(mut file: File<'a>, mut own: Video<'a>) -> Image<'a> {
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

/// Whether an image was a `media:content`. [`super::write_item`] writes these, and images from another family.
pub fn is_media_image(image: &Image<'_>) -> bool {
    image.loc.as_ref().map_or(image.file.is_some(), |loc| loc.via == Some(Ns::Media))
}

/// Whether Media RSS is where a feed with it writes an image: one that came from there, or that goes back neither as markup of
/// its own nor to a module.
pub fn takes_image(image: &Image<'_>, out: &Out<'_, '_>) -> bool {
    let via = image.loc.as_ref().and_then(|loc| loc.via);
    is_media_image(image) || !out.keeps_foreign() && modules::carried(out, Field::ImageLoc, via).is_none()
}

/// Joins contents outside groups into one video if they are renditions of it (rule A2.3). By the specification they are
/// separate objects, but feeds list renditions that way. Each file keeps its own values, so that it can be written back
/// unchanged.
pub fn gather<'a>(entry: &mut Entry<'a>, around: ReadContext<'a>) {
    let alone = |video: &Video<'a>| !video.group;
    if around.options.no_merge_ungrouped || entry.videos.iter().filter(|video| alone(video)).count() < 2 {
        return;
    }
    let feed = around.feed.and_then(|feed| feed.media.as_deref());
    let above = [entry.media.as_deref(), feed];
    let candidates: Vec<&Video<'a>> = entry.videos.iter().filter(|video| alone(video)).collect();
    if !are_renditions(&candidates, above) {
        return;
    }
    let mut videos = Vec::with_capacity(entry.videos.len());
    let mut place = None;
    for mut video in std::mem::take(&mut entry.videos) {
        if alone(&video) {
            let files = std::mem::take(&mut video.files);
            let duration = video.duration.take();
            let mut media = Some(Box::new(video)).filter(|media| !media.is_blank());
            let at = *place.get_or_insert_with(|| {
                videos.push(Video::default());
                videos.len() - 1
            });
            let files = files.into_iter().map(|file| File { duration, media: media.take(), ..file });
            videos[at].files.extend(files);
        } else {
            videos.push(video);
        }
    }
    entry.videos = videos;
}

/// Whether videos written as contents outside groups would be read as renditions of one (A2.3). They already hold
/// inherited values.
pub(super) fn would_merge(videos: &[&Video<'_>], is_flat: impl Fn(&Video<'_>) -> bool) -> bool {
    let is_alone = |video: &&Video<'_>| !video.group && (video.files.len() < 2 || is_flat(video));
    let alone: Vec<&Video<'_>> = videos.iter().copied().filter(is_alone).collect();
    if alone.len() < 2 {
        return false;
    }
    match alone.iter().all(|video| video.files.len() < 2) {
        true => are_renditions(&alone, [None, None]),
        false => would_join(&alone.iter().flat_map(|video| &video.files).collect::<Vec<_>>()),
    }
}

/// Whether files of one video that are written as contents outside groups would be read as its renditions (A2.3).
pub(super) fn would_join(files: &[&File<'_>]) -> bool {
    let mut forms = HashSet::new();
    files.iter().all(|file| forms.insert(form(file)) && is_fetched(file))
}

/// What renditions of one video differ in.
fn form(file: &File<'_>) -> impl Eq + Hash + use<> {
    (
        file.kind.as_ref().map(|kind| kind.value.to_ascii_lowercase()),
        (file.height.as_ref().map(|leaf| leaf.value), file.width.as_ref().map(|leaf| leaf.value)),
        file.bitrate.as_ref().map(|leaf| leaf.value.as_str().to_owned()),
        file.size.as_ref().map(|leaf| leaf.value),
        file.lang.as_ref().map(|lang| lang.value.to_ascii_lowercase()),
    )
}

/// Whether these are one video: equal titles, players and durations, and each in another format.
fn are_renditions<'a>(videos: &[&Video<'a>], above: [Option<&Video<'a>>; 2]) -> bool {
    let [item, feed] = above;
    let mut title = None;
    let mut player = None;
    let mut picture = None;
    let mut words = None;
    let mut length: Option<(Seconds, Seconds)> = None;
    let mut forms = HashSet::new();
    videos.iter().all(|video| {
        let [file] = video.files.as_slice() else { return false };
        let levels = || [Some(*video), item, feed].into_iter().flatten();
        let own_title = levels().find_map(|level| level.title.as_ref());
        let same_title = *title.get_or_insert(own_title) == own_title;
        let own_player = levels().find_map(|level| level.player.as_ref()?.url.as_ref()).map(|url| key(url.as_str()));
        let same_player = match &own_player {
            Some(own) => *player.get_or_insert_with(|| own.clone()) == *own,
            None => true,
        };
        // contents with different own thumbnails or descriptions are different videos
        let owns = |name: &str| !video.inherited.iter().any(|inherited| inherited == name);
        let own_picture = video.thumbnails.first().filter(|_| owns("thumbnails")).and_then(|own| own.url.as_ref());
        let own_picture = own_picture.map(|url| key(url.as_str()));
        let same_picture = own_picture.is_none_or(|own| *picture.get_or_insert_with(|| own.clone()) == own);
        let own_words = video.description.as_ref().filter(|_| owns("description"));
        let same_words = own_words.is_none_or(|own| *words.get_or_insert(own) == own);
        let same_length = video.duration.is_none_or(|own| {
            let (least, most) = length.get_or_insert((own.value, own.value));
            (*least, *most) = ((*least).min(own.value), (*most).max(own.value));
            most.micros() - least.micros() <= 1_000_000
        });
        let is_new = forms.insert(form(file));
        same_title && same_player && same_picture && same_words && same_length && is_new && is_fetched(file)
    })
}

/// Whether a file's URL is that of a video file, and not of a page or Flash player (A3).
fn is_fetched(file: &File<'_>) -> bool {
    let Some(address) = &file.url else { return false };
    let kind = file.kind.as_ref().map(Leaf::as_str);
    let named = kind.into_iter().chain(url::extension(&address.value));
    !named.clone().any(mime::is_flash) && !kind.is_some_and(mime::is_html) && !embed::is_embed_host(&address.value)
}

/// Assigns the enclosures of an item or entry after its media elements are read (rule A2.4). One with the URL of a
/// rendition stays an enclosure; another video file becomes a rendition of the only video, or a new video if there is
/// not exactly one; other files stay enclosures. `via` is [`Ns::Rss2`] for an RSS `enclosure` and [`Ns::Atom`] for an
/// Atom link: the mark by which their writers find their files again. Several videos without an element of Media RSS may
/// each be a video (`apart`).
pub fn enclosures<'t, 'a>(
    found: Vec<Enclosure<'a>>,
    via: Ns,
    entry: &mut Entry<'a>,
    apart: bool,
    (root, take): (Node<'t, 'a>, &mut Take<'t, 'a>),
) {
    let is_bare = |video: &Video<'_>| {
        let mut vias = video.files.iter().map(|file| file.url.as_ref().and_then(|url| url.via));
        !video.files.is_empty() && !video.group && vias.all(|via| matches!(via, Some(Ns::Rss2 | Ns::Atom)))
    };
    // a group of audio files is not a video that a video file could be a rendition of
    let mut candidates = None;
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
        // two are as good as many, and one that takes a file stays what it is
        let candidates = candidates.get_or_insert_with(|| {
            let all = entry.videos.iter().enumerate().filter(|(_, video)| !is_no_video(video, true));
            all.take(2).map(|(at, video)| (at, is_bare(video))).collect::<Vec<_>>()
        });
        match candidates.as_slice() {
            [(only, bare)] if !(apart && *bare) => {
                if *bare {
                    let found = file.url.as_ref().map_or("", Leaf::as_str);
                    let done = "read as a rendition of the same video; --no-merge-ungrouped reads it as a video";
                    take.remark(root, "media.enclosures", found, done);
                }
                entry.videos[*only].files.push(file);
            }
            _ => {
                let video = Video { files: vec![file], ..Video::default() };
                if candidates.len() < 2 && !is_no_video(&video, true) {
                    candidates.push((entry.videos.len(), is_bare(&video)));
                }
                entry.videos.push(video);
            }
        }
    }
}

/// The keys of the URLs of all renditions.
fn addresses(entry: &Entry<'_>) -> HashSet<String> {
    let files = entry.videos.iter().flat_map(|video| &video.files);
    files.filter_map(|file| file.url.as_ref()).map(|url| key(url.as_str())).collect()
}

fn key(address: &str) -> String {
    url::key(address).into_owned()
}

/// By its type; by its name only if the type does not decide.
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
