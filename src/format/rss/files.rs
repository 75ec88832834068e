//! The files of an item: `enclosure`, of which there is one, and links of Atom for what else there is. Media RSS has
//! elements of its own for them.

use std::collections::{HashMap, HashSet};

use super::item::RssItem;
use super::podcast;
use super::read::UNKNOWN;
use crate::emit::Out;
use crate::format::choice::{constants, is_moved_avatar};
use crate::format::contract::Setup;
use crate::format::medium::{is_no_video, is_platform_page, made_type};
use crate::format::ns::{media, modules};
use crate::format::rank::{Rank, RenditionCandidate, rank};
use crate::model::origin::{Role, Syntax};
use crate::model::{Enclosure, Field, File, Image, Leaf, Mark, Str, Video};
use crate::reason::Reason;
use crate::text::{mime, url};
use crate::xml::names::Ns;

/// A file with the values that an enclosure or a link has room for.
struct LinkedFile<'e> {
    url: &'e Str<'e>,
    kind: Option<&'e Str<'e>>,
    size: Option<&'e Leaf<u64>>,
    title: Option<&'e Str<'e>>,
    lang: Option<&'e Str<'e>>,
    /// How it is written, whatever the others are; `None` if that is free.
    as_link: Option<bool>,
    /// How well it suits as the one enclosure, the smallest best; absent if it does not.
    rank: Option<Rank>,
    is_video: bool,
    /// It goes back as it came: nothing is made for it.
    back: bool,
    /// The source gives its length as unknown.
    unknown: bool,
    /// Its further values.
    file: Option<&'e File<'e>>,
}

impl<'e> LinkedFile<'e> {
    /// Whose alternate enclosure it may be: the item's only video, in a podcast.
    fn alternate(&self, item: &RssItem<'_, 'e>) -> Option<(&'e File<'e>, &'e Video<'e>)> {
        let video = item.only().filter(|_| item.podcast() && self.is_video && !item.carry.holds())?;
        // readers take one that is no video for another form of the episode
        let kind = self.kind.map_or(made_type(&self.url.value, self.is_video).0, |kind| kind.as_str().trim());
        let is_film =
            kind.contains('/') && !mime::is_flash(kind) && mime::medium_of_type(kind) == Some(mime::Medium::Video);
        Some((self.file.filter(|_| is_film)?, video))
    }

    /// The same with all that podcasts say of files.
    fn with_details(&self, file: &'e File<'e>, is_enclosure: bool, alone: bool) -> podcast::AlternateFile<'_, 'e> {
        let made = || made_type(&self.url.value, self.is_video);
        podcast::AlternateFile {
            file,
            url: self.url,
            kind: self.kind.ok_or_else(made),
            size: self.size,
            lang: self.lang,
            title: self.title,
            is_enclosure,
            back: self.back,
            alone,
        }
    }

    /// Whether it has no type, and none is to be made.
    fn lacks_type(&self, item: &RssItem<'_, '_>) -> bool {
        self.kind.is_none() && item.setup.options.no_synth
    }

    /// Settles values that its type implies, and defaults.
    fn drop_constants(&self, out: &mut Out<'_, '_>) {
        let kind = self.kind.and_then(|kind| mime::medium_of_type(&kind.value));
        if let Some(file) = self.file {
            constants(file, kind.or_else(|| mime::medium_of_url(&self.url.value)), out);
        }
    }
}

/// Writes the files of an item that Media RSS does not hold.
pub fn write<'e>(out: &mut Out<'_, 'e>, item: &RssItem<'_, 'e>) {
    for enclosure in others(item).filter(|enclosure| enclosure.url.is_none()) {
        out.drop(enclosure, (), Reason::NoUrl);
    }
    let mut found = collect(out, item);
    if !out.same_family() {
        found.iter_mut().for_each(|file| fill(file, out));
    }
    found.sort_by_key(|file| file.url.mark);
    let google = item.setup.google();
    if google {
        found.retain_mut(|file| fetched(file, out));
    }
    if out.same_family() {
        report_unknown(&mut found, item);
    }
    found = each_once(found, out);
    let mut taken = found.iter().any(|file| file.as_link == Some(false));
    if !taken {
        let first_stays = first_stays(item);
        // a link of the source's own family stays one
        let free = |file: &LinkedFile<'e>| {
            let rank = file.rank.clone().filter(|_| file.as_link.is_none())?;
            let plays = podcast::plays(file.url, file.kind);
            // files that are no renditions are not ranked by what they are
            Some(match !first_stays && file.is_video {
                true => (false, false, rank),
                false => (!first_stays, !plays, rank.in_order()),
            })
        };
        let ranked = |(at, file): (usize, &LinkedFile<'e>)| Some((free(file)?, at));
        if let Some((_, at)) = found.iter().enumerate().filter_map(ranked).min() {
            found[at].as_link = Some(false);
            taken = true;
        }
    }
    // in the order in which they are read again
    found.sort_by_key(|file| file.as_link != Some(false));
    let alone = item.only().is_some_and(podcast::has_one_film);
    for file in &found {
        match file.as_link {
            Some(false) => {
                enclosure(out, file, item, google);
                let has_details = |(own, video): &(&File<'_>, &Video<'_>)| podcast::has_details(own, video, alone);
                match file.alternate(item).filter(has_details) {
                    Some((own, _)) if file.lacks_type(item) => podcast::drop_details(own, out),
                    Some((own, video)) => podcast::write_file(&file.with_details(own, true, alone), video, out),
                    None => (),
                }
            }
            None => match file.alternate(item) {
                Some((own, _)) if file.lacks_type(item) => {
                    link(out, file);
                    podcast::drop_details(own, out);
                }
                Some((own, video)) => {
                    file.drop_constants(out);
                    podcast::write_file(&file.with_details(own, false, alone), video, out);
                }
                None => link(out, file),
            },
            Some(true) => link(out, file),
        }
    }
    let mut artwork = has_artwork(item);
    for image in item.share.pictures(item.entry) {
        taken |= picture(out, image, item, (taken, &mut artwork));
    }
}

/// An empty type of a file from another family is not written.
fn fill(file: &mut LinkedFile<'_>, out: &mut Out<'_, '_>) {
    if let Some(kind) = file.kind.take_if(|kind| kind.value.trim().is_empty()) {
        out.books().lost(kind.mark, Reason::NoTerm);
    }
}

/// Where Google's rules apply, a file without an HTTP URL is written as another link, not as an enclosure. False if it
/// has no URL at all.
fn fetched(file: &mut LinkedFile<'_>, out: &mut Out<'_, '_>) -> bool {
    if file.url.value.trim().is_empty() {
        let marks = [Some(file.url.mark), file.kind.map(|leaf| leaf.mark), file.size.map(|leaf| leaf.mark)];
        let texts = [file.title.map(|leaf| leaf.mark), file.lang.map(|leaf| leaf.mark)];
        for mark in marks.into_iter().chain(texts).flatten() {
            out.books().lost(mark, Reason::NoUrl);
        }
        return false;
    }
    if !url::is_http(&file.url.value) {
        file.as_link = Some(true);
    }
    file.back = false;
    true
}

/// The enclosures that Media RSS does not hold.
fn others<'e>(item: &RssItem<'_, 'e>) -> impl Iterator<Item = &'e Enclosure<'e>> {
    item.share.enclosures(item.entry).filter(|enclosure| !(item.media() && media::is_media_enclosure(enclosure)))
}

/// Names each file once, with the type and the size that any of its names has (rule A2.4). What goes back as it came is
/// named as often as it was.
fn each_once<'e>(found: Vec<LinkedFile<'e>>, out: &mut Out<'_, 'e>) -> Vec<LinkedFile<'e>> {
    if found.len() < 2 {
        return found;
    }
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut once: Vec<LinkedFile<'e>> = Vec::with_capacity(found.len());
    for file in found {
        let place = *places.entry(url::key(&file.url.value).into_owned()).or_insert(once.len());
        let Some(first) = once.get_mut(place).filter(|first| first.as_link.is_none() || file.as_link.is_none()) else {
            once.push(file);
            continue;
        };
        let mut merge = |mark: Mark, with: Mark, equal: bool| {
            let why = if equal { Reason::SameValue } else { Reason::FirstWins };
            out.books().merged_with(mark, with, why);
        };
        merge(file.url.mark, first.url.mark, true);
        for (slot, other) in
            [(&mut first.kind, file.kind), (&mut first.title, file.title), (&mut first.lang, file.lang)]
        {
            match (&slot, other) {
                (Some(one), Some(other)) => merge(other.mark, one.mark, one.value == other.value),
                (None, other) => *slot = other,
                (Some(_), None) => (),
            }
        }
        match (first.size, file.size) {
            (Some(one), Some(other)) => merge(other.mark, one.mark, one.value == other.value),
            (None, size) => first.size = size,
            (Some(_), None) => (),
        }
        first.as_link = first.as_link.or(file.as_link);
        first.back |= file.back;
        first.unknown |= file.unknown;
        first.rank = [first.rank.take(), file.rank].into_iter().flatten().min();
        first.is_video |= file.is_video;
    }
    once
}

fn collect<'e>(out: &mut Out<'_, 'e>, item: &RssItem<'_, 'e>) -> Vec<LinkedFile<'e>> {
    let same = out.same_family();
    let mut found: Vec<_> = others(item).filter_map(|enclosure| of_enclosure(enclosure, same, item.setup)).collect();
    for video in item.videos {
        let is_video = !is_no_video(video, item.setup.options.assume_video);
        for file in &video.files {
            match of_file(file, is_video, same, item.setup) {
                Some(linked) if linked.as_link.is_none() && item.media() => (),
                Some(linked) if linked.as_link.is_none() && is_platform_page(file) && item.carry.holds() => (),
                Some(linked) if linked.as_link.is_none() && is_platform_page(file) => {
                    out.drop(file, (), if item.podcast() { Reason::PodcastElement } else { Reason::RssVideo });
                }
                linked => found.extend(linked),
            }
        }
    }
    found
}

fn of_enclosure<'e>(enclosure: &'e Enclosure<'e>, same_family: bool, setup: &Setup<'_>) -> Option<LinkedFile<'e>> {
    let url = enclosure.url.as_ref()?;
    Some(LinkedFile {
        url,
        kind: enclosure.kind.as_ref(),
        size: enclosure.length.as_ref(),
        title: enclosure.title.as_ref(),
        lang: enclosure.lang.as_ref(),
        as_link: (same_family && url.via != Some(Ns::Media)).then_some(url.via == Some(Ns::Atom)),
        rank: rank_of(
            &RenditionCandidate {
                url: Some(url),
                kind: enclosure.kind.as_ref(),
                size: enclosure.length.as_ref(),
                file: enclosure.file.as_deref(),
                extension: url::extension(&url.value),
            },
            setup,
        ),
        is_video: false,
        back: same_family && url.via != Some(Ns::Media),
        unknown: false,
        file: enclosure.file.as_deref(),
    })
}

fn of_file<'e>(file: &'e File<'e>, is_video: bool, same_family: bool, setup: &Setup<'_>) -> Option<LinkedFile<'e>> {
    let url = file.url.as_ref()?;
    let as_link = match url.via {
        Some(Ns::Rss2) => Some(false),
        Some(Ns::Atom) => Some(true),
        _ => None,
    };
    Some(LinkedFile {
        url,
        kind: file.kind.as_ref(),
        size: file.size.as_ref(),
        title: file.title.as_ref(),
        lang: file.lang.as_ref(),
        as_link: as_link.filter(|_| same_family),
        rank: rank_of(&RenditionCandidate::new(file), setup),
        is_video,
        back: same_family && as_link.is_some(),
        unknown: false,
        file: Some(file),
    })
}

/// Whether the first file that plays stays that of the episode: who plays an existing podcast knows the file by its URL.
pub fn first_stays(item: &RssItem<'_, '_>) -> bool {
    let files = || item.videos.iter().flat_map(|video| &video.files).filter_map(|file| file.url.as_ref());
    let is_podcast = || item.setup.source.id == "rss-podcast" || files().any(|url| url.via == Some(Ns::Rss2));
    let is_enclosed = |file: &Enclosure<'_>| file.url.as_ref().is_some_and(|url| url.via != Some(Ns::Media));
    item.podcast() && (item.entry.enclosures.iter().any(is_enclosed) || is_podcast())
}

/// How well a file of a podcast suits as the enclosure; `None` if it does not.
pub fn rank_as_enclosure(file: &File<'_>, first_stays: bool, setup: &Setup<'_>) -> Option<Rank> {
    let rank = rank_of(&RenditionCandidate::new(file), setup)?;
    Some(if first_stays { rank.in_order() } else { rank })
}

/// An enclosure is a file that can be fetched, no player; which one is chosen by A8.
fn rank_of(file: &RenditionCandidate<'_, '_>, setup: &Setup<'_>) -> Option<Rank> {
    let address = file.url.map_or("", |url| url.as_str());
    let named = [file.kind.map(|kind| kind.as_str()), file.extension].into_iter().flatten();
    let scheme = url::scheme(address).map(str::to_ascii_lowercase);
    let fetchable = matches!(scheme.as_deref(), Some("http" | "https" | "ftp"));
    if !fetchable || named.clone().any(|name| mime::is_flash(name) || mime::is_html(name)) {
        return None;
    }
    let language = setup.own_feed.language.as_ref().map(Leaf::as_str);
    Some(rank(file, &setup.options.rendition, language))
}

/// S-R7, S-R8.
fn enclosure(out: &mut Out<'_, '_>, file: &LinkedFile<'_>, item: &RssItem<'_, '_>, google: bool) {
    file.drop_constants(out);
    let odd = file.kind.filter(|kind| google && !mime::is_type(&kind.value));
    let kind = file.kind.filter(|_| odd.is_none());
    let incomplete = file.size.is_none() && !file.unknown || kind.is_none();
    let from = Some(file.url.mark);
    if incomplete && item.setup.options.no_synth && !file.back {
        return link(out, file);
    }
    out.element_at("enclosure", file.url.mark, |out| {
        out.attr_as("url", file.url.mark, &file.url.value, None);
        match file.size {
            Some(size) => out.attr_as("length", size.mark, &size.value.to_string(), None),
            None if file.unknown => out.constant("length", UNKNOWN),
            None if file.back && !of_json(item) => (),
            None => {
                out.make_attr(
                    "length",
                    field(file, Field::VideoFileSize, Field::EnclosureLength),
                    Reason::DefaultLength,
                    from,
                    UNKNOWN,
                );
            }
        }
        if let Some(odd) = odd {
            out.books().lost(odd.mark, Reason::NoTerm);
        }
        match kind {
            Some(kind) => out.attr_as("type", kind.mark, &kind.value, None),
            None if file.back => (),
            None => {
                let (kind, why) = made_type(&file.url.value, file.is_video);
                if file.is_video && why == Reason::DefaultTerm {
                    out.books().doubt(field(file, Field::VideoFileType, Field::EnclosureType), why);
                }
                out.make_attr("type", field(file, Field::VideoFileType, Field::EnclosureType), why, from, kind);
            }
        }
    });
}

/// Marks the files with an explicitly unknown length: the reader records that attribute as following the URL.
fn report_unknown(found: &mut [LinkedFile<'_>], item: &RssItem<'_, '_>) {
    if found.iter().all(|file| file.size.is_some()) {
        return;
    }
    let followed = item.entry.origin.records.iter().filter_map(|record| match record.role {
        Role::Follows(of) => Some(of),
        Role::Leaf | Role::Part(_) | Role::Silent | Role::Filled(_) => None,
    });
    let followed: HashSet<Mark> = followed.collect();
    for file in found {
        file.unknown = followed.contains(&file.url.mark);
    }
}

/// Whether the item was no markup: JSON or a table does not distinguish an unknown length from an absent one.
fn of_json(item: &RssItem<'_, '_>) -> bool {
    item.entry.origin.parts.first().is_some_and(|part| part.syntax != Syntax::Xml)
}

fn field(file: &LinkedFile<'_>, video: Field, other: Field) -> Field {
    if file.is_video { video } else { other }
}

fn link(out: &mut Out<'_, '_>, file: &LinkedFile<'_>) {
    file.drop_constants(out);
    out.element_at("atom:link", file.url.mark, |out| {
        out.constant("rel", "enclosure");
        let texts = [("href", Some(file.url)), ("type", file.kind), ("hreflang", file.lang), ("title", file.title)];
        for (name, value) in texts {
            if let Some(value) = value {
                out.attr_as(name, value.mark, &value.value, None);
            }
        }
        if let Some(size) = file.size {
            out.attr_as("length", size.mark, &size.value.to_string(), None);
        }
    });
}

/// Whether the item gets an image of iTunes back.
fn has_artwork(item: &RssItem<'_, '_>) -> bool {
    let of_itunes = |image: &Image<'_>| image.loc.as_ref().is_some_and(|loc| loc.via == Some(Ns::Itunes));
    item.setup.same_family && item.entry.images.iter().any(of_itunes) || item.entry.module("itunes:image").is_some()
}

/// Whether this image is in the item as that of iTunes.
fn is_artwork(loc: &Str<'_>, item: &RssItem<'_, '_>) -> bool {
    let images = item.entry.images.iter().take(ARTWORK).filter_map(|image| image.loc.as_ref());
    let mut of_itunes = images.filter(|image| item.setup.same_family && image.via == Some(Ns::Itunes));
    of_itunes.any(|image| url::key(&image.value) == url::key(&loc.value))
}

/// How many images of an item are searched for that of iTunes.
const ARTWORK: usize = 16;

/// Writes an image of the page: back to `itunes:image`, else as the enclosure if there is no other. Media RSS writes
/// its own images, and those of other families. Returns whether it became the enclosure.
fn picture(
    out: &mut Out<'_, '_>,
    image: &Image<'_>,
    item: &RssItem<'_, '_>,
    (taken, artwork): (bool, &mut bool),
) -> bool {
    let Some(loc) = &image.loc else { return false };
    if modules::write_itunes_image(out, Field::ImageLoc, &image.loc) {
        return false;
    }
    if item.media() && media::takes_image(image, out) || item.carry.holds() || item.carry.accepts(image) {
        return false;
    }
    if is_moved_avatar(loc, out.same_family()) {
        out.drop(image, (), Reason::AvatarImage);
        return false;
    }
    if item.podcast() && is_artwork(loc, item) {
        out.books().merged(loc.mark, Reason::SameValue);
        return false;
    }
    if item.podcast() && !std::mem::replace(artwork, true) {
        out.element_always("itunes:image", |out| out.attr_as("href", loc.mark, &loc.value, None));
        return false;
    }
    let by_name = url::extension(&loc.value).and_then(mime::by_extension).filter(|kind| mime::major(kind) == "image");
    let file = image.file.as_deref();
    let kind = file.and_then(|file| file.kind.as_ref()).filter(|kind| mime::is_type(&kind.value));
    let size = file.and_then(|file| file.size.as_ref());
    let complete = kind.is_some() && size.is_some();
    if taken || kind.is_none() && by_name.is_none() || item.setup.options.no_synth && !complete {
        out.books().lost(loc.mark, if taken { Reason::RssOne } else { Reason::NoEnclosureType });
        return false;
    }
    let change = Some(Reason::UsedAsEnclosure);
    let from: Option<Mark> = Some(loc.mark);
    out.element_at("enclosure", loc.mark, |out| {
        out.attr_as("url", loc.mark, &loc.value, change);
        match size {
            Some(size) => out.attr_as("length", size.mark, &size.value.to_string(), change),
            None => {
                out.make_attr("length", Field::EnclosureLength, Reason::DefaultLength, from, UNKNOWN);
            }
        }
        match (kind, by_name) {
            (Some(kind), _) => out.attr_as("type", kind.mark, &kind.value, change),
            (None, by_name) => {
                let kind = by_name.unwrap_or_default();
                out.make_attr("type", Field::EnclosureType, Reason::GeneratedType, from, kind);
            }
        }
    });
    if let Some(file) = file {
        constants(file, Some(mime::Medium::Image), out);
    }
    true
}
