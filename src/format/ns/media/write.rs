//! Media RSS as it is written: the optional elements of a level, and the media objects of a page. Values that no level
//! gave are written where Google's sample of mRSS has them; values that levels gave stay on their levels.

use std::borrow::Cow;
use std::collections::HashSet;

use super::google::{self, GoogleValues};
use super::in_part;
use super::item::{is_media_enclosure, is_media_image, takes_image, would_join, would_merge};
use super::part::{attr, characters, kind, player, text};
use crate::emit::Out;
use crate::format::choice::{self, EntryTexts};
use crate::format::contract::Setup;
use crate::format::medium::is_film;
use crate::format::ns::dcterms;
use crate::format::rss::person;
use crate::format::share::Share;
use crate::format::sitemap::carry;
use crate::format::sitemap::choice::VideoContext;
use crate::format::sitemap::stars;
use crate::model::{
    Enclosure, Entry, Feed, Field, File, Image, Leaf, Mark, Price, Rating, Restriction, Scene, Seconds, Str, Thumbnail,
    Video, VideoLocation, Walk, episode,
};
use crate::options::ForeignMode;
use crate::pages;
use crate::reason::Reason;
use crate::text::{html, region};
use crate::xml::names::Ns;

/// Writes the Media RSS elements of the head.
pub fn write_feed<'e>(feed: &'e Feed<'e>, out: &mut Out<'_, 'e>, setup: &Setup<'_>) {
    if let Some(media) = feed.media.as_deref() {
        elements(media, out, &LevelSelection::new(setup));
    }
}

/// Writes the Dublin Core terms that describe the videos of a level (`dcterms:valid`, `dcterms:type`) where Media RSS
/// itself is not written, but modules are: into plain Atom of the source's own family.
pub fn write_terms(level: Option<&Video<'_>>, out: &mut Out<'_, '_>) {
    let Some(media) = level.filter(|_| out.same_family()) else { return };
    if let Some(available) = &media.available {
        dcterms::write_valid(available, false, out);
    }
    if let Some(live) = media.live.as_ref().filter(|live| live.value) {
        out.elem_as("dcterms:type", live.mark, "live-video", None);
    }
}

/// Writes the Media RSS of an item or entry: the item's own elements, its images, its files that were `media:content`,
/// and these of its videos. Within the source's own family, the caller writes values that came from other elements:
/// files with [`Leaf::via`] of an enclosure, images, tags, durations, ratings and names of modules.
pub fn write_item<'e>(
    entry: &'e Entry<'e>,
    share: Share<'_>,
    out: &mut Out<'_, 'e>,
    setup: &Setup<'_>,
    videos: &[&'e Video<'e>],
) {
    let mut how = LevelSelection::new(setup);
    let page = if how.google { pages::address(entry, setup.source.family) } else { None };
    how.page = page.as_ref().map(|page| &*page.url);
    if let Some(media) = entry.media.as_deref() {
        match how.google {
            true => {
                elements(&without_members(media, &inherited_names(videos)), out, &LevelSelection { level: true, ..how })
            }
            false => elements(media, out, &how),
        }
    }
    if let ([video], false) = (videos, how.as_given) {
        lifted(video, out, &how);
        how.lifted = true;
    }
    // outside groups they would be read as one video
    how.grouped = !out.same_family() && would_merge(videos, |video| is_flat(video, &own_files(video, out), &how));
    let texts = EntryTexts::default();
    let around = page.as_ref().map(|page| VideoContext::new(entry, page, setup, true, &texts));
    how.labels = setup.source.family.is_rss() && !out.same_family() && entry.title.is_some();
    // a podcast's own family has its element
    let told = !out.same_family() && carry::has_media(setup.target.id);
    let explicit = choice::explicit(entry, setup.own_feed).filter(|_| told);
    if told || how.google {
        how.length = choice::episode_length(entry);
        how.keywords = choice::episode_keywords(entry);
    }
    // none of their values are lifted to the item
    let other = LevelSelection { lifted: false, grouped: false, ..how };
    for object in objects(entry, share, videos, out, &how) {
        match object {
            MediaObject::Video(video) => match &around {
                Some(around) => write_wanted(video, around, out, &how.rated(video, explicit)),
                None => write_video(video, out, &how.rated(video, explicit)),
            },
            MediaObject::Image(image) => write_image(image, out, &other.of_part()),
            MediaObject::Enclosure(enclosure) => write_enclosure(enclosure, out, &other.of_part()),
            MediaObject::File(file, video) => write_file(file, None, out, &other.rated(video, explicit)),
        }
    }
    if told {
        choice::lose_overruled(entry, |_| true, out.books());
    }
    // the videos have other ratings
    if let Some((mark, _)) = explicit.filter(|(mark, _)| !mark.of_feed() && !videos.is_empty())
        && !out.books().settled(mark)
    {
        out.books().lost(mark, Reason::OtherValue);
    }
    if let Some(media) = entry.media.as_deref().filter(|_| how.google) {
        media.walk((), &mut |seen| {
            if !out.books().settled(seen.mark) {
                out.books().lost(seen.mark, Reason::OtherValue);
            }
        });
    }
    // what Media RSS has no element for, only attributes of a rendition or nothing; the model as JSON may say it there
    if let Some(level) = entry.media.as_deref() {
        out.drop(&level.duration, Field::VideoDuration, Reason::MediaElement);
        out.drop(&level.published, Field::VideoPublished, Reason::MediaElement);
    }
    for level in videos.iter().flat_map(|video| &video.files).filter_map(|file| file.media.as_deref()) {
        let why = Reason::OtherValue;
        out.drop(&level.duration, Field::VideoDuration, why);
        out.drop(&level.published, Field::VideoPublished, why);
    }
}

/// Writes the number that a platform's own element gave a video: back into the formats of its family, and into
/// those with Media RSS, as the platform itself does it.
pub fn write_number(video: &Video<'_>, media: bool, out: &mut Out<'_, '_>) {
    let number = video.id.as_ref().filter(|id| id.via == Some(Ns::Yt) && (media || out.same_family()));
    if let Some(number) = number {
        out.elem_as("yt:videoId", number.mark, &number.value, None);
    }
}

/// The members that every video inherits from the levels above it: they need not be written there too.
fn inherited_names<'v>(videos: &[&'v Video<'_>]) -> Vec<&'v str> {
    let Some((first, others)) = videos.split_first() else { return Vec::new() };
    let names = first.inherited.iter().map(|name| &**name);
    names.filter(|name| others.iter().all(|video| video.inherited.iter().any(|other| other == name))).collect()
}

/// A level without these members, which are written elsewhere.
fn without_members<'a>(level: &Video<'a>, names: &[&str]) -> Video<'a> {
    let inherited = names.iter().map(|name| Cow::Owned((*name).to_owned())).collect();
    Video { inherited, ..level.clone() }
}

/// How many media objects of the source are not written here, because items before this one hold them: the unknown
/// markup of those behind them keeps its place. Counted once for a page, not again for each of its items.
#[derive(Clone, Copy, Default)]
pub struct EarlierObjects {
    contents: u32,
    groups: u32,
}

impl EarlierObjects {
    /// One video more.
    pub fn add(&mut self, video: &Video<'_>, setup: &Setup<'_>, out: &Out<'_, '_>) {
        let files = own_files(video, out);
        match (is_flat(video, &files, &LevelSelection::new(setup)), is_group(video, &files)) {
            (true, _) => self.contents += files.len() as u32,
            (false, true) => self.groups += 1,
            (false, false) => self.contents += 1,
        }
    }

    /// Counts these elements as passed, so that the unknown markup of later ones keeps its place.
    pub fn skip(self, out: &mut Out<'_, '_>) {
        out.skip_many("media:content", self.contents);
        out.skip_many("media:group", self.groups);
    }
}

/// By what the elements of a level are chosen.
#[derive(Clone, Copy)]
struct LevelSelection<'w> {
    /// The source had levels: each value is written on its own.
    as_given: bool,
    /// Values from a sitemap, whose scales and words are Google's.
    sitemap: bool,
    /// The source lists pages: the files of its videos are videos, whatever they are called.
    listed: bool,
    /// Prices of nothing are not written: a video without a price is free (A7).
    free: bool,
    /// Restriction, validity and type of the only video are already written at the item (Google's mRSS sample).
    lifted: bool,
    /// Google's rules apply: values are where its sample has them.
    google: bool,
    /// The page of the videos, where Google's rules are applied.
    page: Option<&'w str>,
    /// A level whose `inherited` names what is written elsewhere.
    level: bool,
    /// Videos of one file are written in groups too.
    grouped: bool,
    /// What Google requires of the level, which is a video, and how it is written (S-R11).
    wanted: Option<&'w GoogleValues<'w>>,
    /// Whether the video is explicit, if no other value rates it.
    explicit: Option<(Mark, bool)>,
    /// The duration of a podcast's episode, if no other value gives the video's.
    length: Option<(Mark, Seconds)>,
    /// The keywords of the episode, where the video has no tags.
    keywords: Option<(Mark, &'w str)>,
    /// Titles of files are labels beside the title of the item (podcasts).
    labels: bool,
    /// The title of the file, where nothing else is one.
    called: Option<&'w Str<'w>>,
    /// Elements of the source had the duration of a video for each file of it.
    timed: bool,
    /// Another file of the video has its duration already.
    repeats: bool,
    /// What a platform's own elements gave a video is written among the elements of Media RSS.
    translated: bool,
}

/// A member of a video, and whether a video has it.
type MemberTest = (&'static str, fn(&Video<'_>) -> bool);

/// The members of which one element, or one list of elements, of a level replaces all that the levels above have.
const REPLACED_TOGETHER: [&[MemberTest]; 2] = [
    &[
        ("rating", |video| video.rating.is_some()),
        ("views", |video| video.views.is_some()),
        ("favorites", |video| video.favorites.is_some()),
        ("tag_weights", |video| !video.tag_weights.is_empty()),
    ],
    &[("uploader", |video| video.uploader.is_some()), ("credits", |video| !video.credits.is_empty())],
];

impl<'w> LevelSelection<'w> {
    fn new(setup: &Setup<'_>) -> LevelSelection<'w> {
        let sitemap = setup.source.family.is_xml_sitemap();
        let listed = setup.source.family.lists_pages();
        let google = setup.target.id == "mrss" && setup.google();
        let as_given = !listed && !google;
        let (page, wanted, explicit, length, keywords) = (None, None, None, None, None);
        let (lifted, level, grouped) = (false, false, false);
        LevelSelection {
            as_given,
            sitemap,
            listed,
            free: listed && setup.options.foreign != ForeignMode::Keep,
            lifted,
            google,
            page,
            level,
            grouped,
            wanted,
            explicit,
            length,
            keywords,
            labels: false,
            called: None,
            timed: setup.same_family || setup.source.family.is_rss() || setup.source.family.is_atom(),
            repeats: false,
            translated: as_given && !setup.same_family,
        }
    }

    /// The same for a part of a video or another object, which the episode's values do not describe.
    fn of_part(self) -> LevelSelection<'w> {
        LevelSelection { explicit: None, keywords: None, ..self }
    }

    /// The same for a video, with the values of its podcast; the podcast's rating only if the video has none.
    fn rated(self, video: &Video<'_>, explicit: Option<(Mark, bool)>) -> LevelSelection<'w> {
        let rated = !video.ratings.is_empty() || video.adult.is_some() || video.family_friendly.is_some();
        let keywords = self.keywords.filter(|_| video.tags.is_empty());
        LevelSelection { explicit: explicit.filter(|_| !rated), keywords, ..self }
    }

    /// Whether a member is written with this video: it is its own and not handed down to it, or shares an element with one
    /// that is.
    fn owns(&self, video: &Video<'_>, member: &str) -> bool {
        let is_own = |member: &str| !video.inherited.iter().any(|name| name == member);
        if !(self.as_given || self.level) || is_own(member) {
            return true;
        }
        let mut together = REPLACED_TOGETHER.iter().filter(|members| members.iter().any(|(name, _)| *name == member));
        self.translated && together.any(|members| members.iter().any(|(name, has)| is_own(name) && has(video)))
    }

    /// The members of a list of a video that are its own: the first ones (`categories[2]` names the rest).
    fn own<'l, T>(&self, video: &Video<'_>, name: &str, list: &'l [T]) -> &'l [T] {
        let parts = video.inherited.iter().filter_map(|given| in_part(given)).filter(|_| self.as_given);
        let own = parts.filter(|(part, _)| *part == name).map(|(_, own)| own).next();
        list.get(..own.unwrap_or(list.len())).unwrap_or(list)
    }
}

/// A media object of a page.
enum MediaObject<'e> {
    Image(&'e Image<'e>),
    Enclosure(&'e Enclosure<'e>),
    Video(&'e Video<'e>),
    /// One of several files outside a group, and their video.
    File(&'e File<'e>, &'e Video<'e>),
}

impl MediaObject<'_> {
    /// Its place in the source.
    fn place(&self) -> Mark {
        match self {
            MediaObject::Image(image) => place(*image, &image.loc),
            MediaObject::Enclosure(enclosure) => place(*enclosure, &enclosure.url),
            MediaObject::Video(video) => {
                // enclosures are read before Media RSS, and sorted separately
                let files = || video.files.iter().filter(|file| self.was_enclosed() || !is_enclosure(file));
                files().map(|file| place(file, &file.url)).min().unwrap_or(Mark::NONE)
            }
            MediaObject::File(file, _) => place(*file, &file.url),
        }
    }

    /// Whether it is a video that was an enclosure: readers put those behind the others.
    fn was_enclosed(&self) -> bool {
        match self {
            MediaObject::Video(video) => video.files.first().is_some_and(is_enclosure),
            MediaObject::File(file, _) => is_enclosure(file),
            MediaObject::Image(_) | MediaObject::Enclosure(_) => false,
        }
    }
}

/// The place of a file: the mark of its URL, whose order the model as JSON preserves, else the lowest mark of its
/// values.
fn place<W: Walk<Names = ()>>(file: &W, address: &Option<Str<'_>>) -> Mark {
    let mut least = Mark::NONE;
    match address {
        Some(address) => least = address.mark,
        None => file.walk((), &mut |seen| least = least.min(seen.mark)),
    }
    least
}

/// The media objects to write, in the order of the source (given by `link_order` in the model as JSON).
fn objects<'e>(
    entry: &'e Entry<'e>,
    share: Share<'_>,
    videos: &[&'e Video<'e>],
    out: &Out<'_, 'e>,
    how: &LevelSelection<'_>,
) -> Vec<MediaObject<'e>> {
    let theirs = |image: &&Image<'_>| takes_image(image, out);
    let images = share.pictures(entry).iter().filter(theirs).map(MediaObject::Image);
    // an enclosure with values that its element has no attribute for, unless their own markup goes back
    let has_details = |file: &File<'_>| *file != File::default();
    let is_told = |enclosure: &Enclosure<'_>| {
        !out.keeps_foreign()
            && !how.google
            && enclosure.url.is_some()
            && enclosure.file.as_deref().is_some_and(has_details)
    };
    let enclosures = share
        .enclosures(entry)
        .filter(|enclosure| is_media_enclosure(enclosure) || is_told(enclosure))
        .map(MediaObject::Enclosure);
    let mut objects: Vec<MediaObject<'e>> = images.chain(enclosures).collect();
    for video in videos {
        let files = own_files(video, out);
        match is_flat(video, &files, how) {
            true => objects.extend(files.into_iter().map(|file| MediaObject::File(file, video))),
            false => objects.push(MediaObject::Video(video)),
        }
    }
    if !entry.origin.parts.is_empty() && objects.len() > 1 {
        // a video without files goes before the next one with files
        let mut next = Mark::NONE;
        let placed = objects.into_iter().rev().map(|object| {
            let place = object.place();
            if matches!(object, MediaObject::Video(_) | MediaObject::File(..))
                && place.is_some()
                && !object.was_enclosed()
            {
                next = place;
            }
            let place = if place.is_some() { place } else { next };
            ((object.was_enclosed(), place), object)
        });
        let mut placed: Vec<_> = placed.collect();
        placed.reverse();
        placed.sort_by_key(|(place, object)| (*place, object.place().is_some()));
        return placed.into_iter().map(|(_, object)| object).collect();
    }
    objects
}

// --- media objects ---

/// The files of a video that are media objects of their own.
fn own_files<'v, 'e>(video: &'v Video<'e>, out: &Out<'_, '_>) -> Vec<&'v File<'e>> {
    let (same_family, is_whole) = (out.same_family(), out.keeps_foreign());
    let goes_back = |file: &File<'_>| is_enclosure(file) && (is_whole || !exceeds_enclosure(file));
    video.files.iter().filter(|file| !(same_family && goes_back(file))).collect()
}

/// Whether a file has values that its `enclosure`, or its link of Atom, has no attribute for.
fn exceeds_enclosure(file: &File<'_>) -> bool {
    let mut other = File { url: None, kind: None, size: None, ..file.clone() };
    if file.url.as_ref().is_some_and(|url| url.via == Some(Ns::Atom)) {
        (other.title, other.lang) = (None, None);
    }
    other != File::default()
}

/// Whether files are written in a group.
fn is_group(video: &Video<'_>, files: &[&File<'_>]) -> bool {
    video.group || files.len() > 1
}

/// Whether several files are outside a group, and all values of the video are at one of them or above it: they are
/// written as they were given.
fn is_flat(video: &Video<'_>, files: &[&File<'_>], how: &LevelSelection<'_>) -> bool {
    if video.group || files.len() < 2 || !how.as_given {
        return false;
    }
    // an enclosure has no value that would separate it from another video; it only joins contents of which one has further
    // values of the video, and none a title that the enclosure lacks
    let mut levels = files.iter().filter_map(|file| file.media.as_deref()).peekable();
    let joins = levels.peek().is_some() && levels.all(|level| level.title.is_none());
    if !joins && files.iter().any(|file| is_enclosure(file)) {
        return false;
    }
    let mut own = Video { files: Vec::new(), inherited: Vec::new(), ..video.clone() };
    video.inherited.iter().for_each(|name| match in_part(name) {
        Some(_) => (),
        None => _ = own.forget(name),
    });
    // files that were no contents may differ in their URLs alone
    own.is_blank() && would_join(files)
}

/// A video as Google wants it, if it can be had.
fn write_wanted<'e>(
    video: &'e Video<'e>,
    around: &VideoContext<'e, '_>,
    out: &mut Out<'_, 'e>,
    how: &LevelSelection<'_>,
) {
    match google::wanted(video, around, out) {
        Ok(wanted) => write_video(video, out, &LevelSelection { wanted: Some(&wanted), ..*how }),
        Err(why) => {
            out.skip(if video.group { "media:group" } else { "media:content" });
            out.drop_video(video, why);
        }
    }
}

fn write_video(video: &Video<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    let files = match how.wanted {
        Some(wanted) => wanted.files(),
        None => own_files(video, out),
    };
    let group = is_group(video, &files) || how.grouped;
    // an episode has the length of a video of which no file has one
    let length = how.length.filter(|_| files.iter().all(|file| file.duration.is_none()));
    let alone = LevelSelection { wanted: None, lifted: false, length, ..how.of_part() };
    if group {
        out.next_from("media:group", |see| {
            files.iter().for_each(|file| file.walk((), &mut |seen| see(seen.mark)));
            video.walk((), &mut |seen| see(seen.mark));
        });
        out.element("media:group", |out| {
            elements(video, out, how);
            if files.is_empty() {
                // a play time has no other place
                out.element("media:content", |out| play_time(&File::default(), Some(video), out, how));
            }
            let is_untimed = |file: &&File<'_>| file.duration.is_none();
            // an enclosure has no duration
            let was_timed = |file: &File<'_>| how.timed && !is_enclosure(file);
            let is_first = |file: &&File<'_>| is_untimed(file) && (was_timed(file) || !how.timed && is_film(file));
            let first = files.iter().position(is_first).or_else(|| files.iter().position(is_untimed));
            for (number, file) in files.iter().enumerate() {
                let how = LevelSelection { repeats: !was_timed(file) && first != Some(number), ..alone };
                write_file(file, Some(video), out, &how);
            }
        });
        return;
    }
    let none = File::default();
    let file = files.first().copied().unwrap_or(&none);
    let untitled = video.title.is_none() && how.wanted.is_none();
    out.element_of("media:content", file, |out| {
        attributes(file, how, out);
        play_time(file, Some(video), out, how);
        let free = untitled && file.media.as_deref().is_none_or(|media| media.title.is_none());
        let called = file.title.as_ref().filter(|_| free);
        for label in called.iter().filter(|_| how.labels) {
            out.books().lost(label.mark, Reason::ItemValue);
        }
        elements(video, out, &LevelSelection { called: called.filter(|_| !how.labels), ..*how });
        below(file, false, out, &alone);
    });
}

/// One of several files, in the group of a video or alone.
fn write_file(file: &File<'_>, video: Option<&Video<'_>>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    out.element_of("media:content", file, |out| {
        attributes(file, how, out);
        play_time(file, video, out, how);
        match (file.media.as_deref(), video) {
            (Some(media), Some(video)) if how.google => {
                let shared = media.shared(video);
                // values at the item describe the video, not one file
                elements(&without_members(media, &shared), out, &LevelSelection { level: true, lifted: false, ..*how });
                media.walk_shared(video, (), &mut |seen, with| {
                    if !out.books().settled(seen.mark) {
                        out.books().merged_with(seen.mark, with, Reason::SameValue);
                    }
                });
            }
            _ => {
                explicit(how, out);
                below(file, true, out, &LevelSelection { keywords: how.keywords, ..how.of_part() });
            }
        }
    });
}

/// Whether a rendition was an enclosure, which its own family writes as one.
fn is_enclosure(file: &File<'_>) -> bool {
    file.url.as_ref().is_some_and(|url| matches!(url.via, Some(Ns::Rss2 | Ns::Atom)))
}

/// The attributes of `media:content` but `duration`, in the order of the specification.
fn attributes(file: &File<'_>, how: &LevelSelection<'_>, out: &mut Out<'_, '_>) {
    attr("url", &file.url, out);
    attr("fileSize", &file.size, out);
    type_attr(file, out);
    match &file.medium {
        Some(medium) if how.google && is_film(file) && medium.value != "video" => {
            let change = Some(Reason::UsualTerm);
            out.attr_as("medium", medium.mark, "video", change);
        }
        Some(medium) => write_medium(medium, how.google, out),
        None if how.google && !how.listed && is_film(file) => {
            out.make_attr("medium", Field::VideoFileMedium, Reason::DefaultTerm, None, "video");
        }
        None if how.sitemap || how.listed && is_film(file) => out.constant("medium", "video"),
        None => (),
    }
    more_attributes(file, out);
}

/// What a file is: one of the five words of Media RSS, or nothing, where Google's rules are applied.
fn write_medium(medium: &Str<'_>, google: bool, out: &mut Out<'_, '_>) {
    match one_of(&["image", "audio", "video", "document", "executable"], &medium.value) {
        Some(word) if google && medium.value != word => {
            out.attr_as("medium", medium.mark, word, Some(Reason::UsualTerm));
        }
        None if google => {
            out.books().lost(medium.mark, Reason::NoTerm);
        }
        Some(word) => out.attr_as("medium", medium.mark, word, None),
        None => out.attr_as("medium", medium.mark, &medium.value, None),
    }
}

fn more_attributes(file: &File<'_>, out: &mut Out<'_, '_>) {
    attr("isDefault", &file.is_default, out);
    word_attr("expression", &["full", "sample", "nonstop"], &file.expression, out);
    attr("bitrate", &file.bitrate, out);
    attr("framerate", &file.framerate, out);
    attr("samplingrate", &file.samplingrate, out);
    attr("channels", &file.channels, out);
    attr("height", &file.height, out);
    attr("width", &file.width, out);
    attr("lang", &file.lang, out);
}

/// Codecs have no separate attribute; RFC 6381 makes them a parameter of the type.
fn type_attr(file: &File<'_>, out: &mut Out<'_, '_>) {
    let Some(kind) = &file.kind else { return };
    if !out.same_family() && file.codecs.is_none() && kind.value.trim().is_empty() {
        return out.books().lost(kind.mark, Reason::NoTerm);
    }
    let Some(codecs) = &file.codecs else { return attr("type", &file.kind, out) };
    if kind.value.contains("codecs=") {
        out.books().merged(codecs.mark, Reason::SameValue);
        return attr("type", &file.kind, out);
    }
    out.attr_as("type", kind.mark, &format!("{}; codecs=\"{}\"", kind.value, codecs.value), None);
    out.books().changed(codecs.mark, Reason::OtherElement, codecs.value.to_string());
}

fn play_time(file: &File<'_>, video: Option<&Video<'_>>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    let common = video.and_then(|video| video.duration.as_ref());
    match (file.duration.as_ref().or(common.filter(|leaf| is_media_namespace(leaf.via, out))), how.length) {
        (Some(_), _) if how.repeats && file.duration.is_none() && !is_film(file) => (),
        (Some(duration), _) if how.repeats && file.duration.is_none() => {
            let (field, from) = (Field::VideoFileDuration, Some(duration.mark));
            out.make_attr("duration", field, Reason::DurationOfVideo, from, &duration.value.to_string());
        }
        (Some(duration), _) => write_duration(duration, out),
        (None, Some((mark, length))) if common.is_none() => {
            let change = Some(Reason::UsedForVideo);
            out.attr_as("duration", mark, &length.to_string(), change);
        }
        (None, _) => (),
    }
}

fn write_duration(duration: &Leaf<Seconds>, out: &mut Out<'_, '_>) {
    out.attr_as("duration", duration.mark, &duration.value.to_string(), None);
}

/// The values of one rendition. `untitled`: it has no other title.
fn below(file: &File<'_>, untitled: bool, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    let called = file.title.as_ref().filter(|_| untitled);
    match file.media.as_deref() {
        Some(media) => elements(media, out, &LevelSelection { lifted: false, called, ..*how }),
        None => title_of_file(called, out),
    }
}

/// The title of a file, where what it belongs to has none.
fn title_of_file(title: Option<&Str<'_>>, out: &mut Out<'_, '_>) {
    if let Some(title) = title {
        plain_title(title, out);
    }
}

/// A plain title; its type is written only if it looks like markup.
fn plain_title(title: &Str<'_>, out: &mut Out<'_, '_>) {
    out.element_always("media:title", |out| {
        if html::looks_like_markup(&title.value) {
            out.constant("type", "plain");
        }
        out.text_as(title.mark, &title.value, Some(Reason::UsedAsTitle));
    });
}

fn write_image(image: &Image<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    let Image { loc, caption, title, geo_location, license, file } = image;
    if !is_media_image(image) && loc.as_ref().is_none_or(|loc| loc.value.trim().is_empty()) {
        return out.drop(image, (), Reason::NoUrl);
    }
    out.element_of("media:content", image, |out| {
        attr("url", loc, out);
        match file.as_deref() {
            Some(file) => file_attributes(file, how.google, out),
            None if !is_media_image(image) => out.constant("medium", "image"),
            None => (),
        }
        text("media:title", title, out);
        text("media:description", caption, out);
        if let Some(license) = license {
            out.element_always("media:license", |out| out.attr_as("href", license.mark, &license.value, None));
        }
        let locations = || file.as_deref()?.media.as_deref().map(|media| media.location.as_slice());
        let is_named = |place: &&Str<'_>| {
            locations()
                .into_iter()
                .flatten()
                .any(|there| there.description.as_ref().is_some_and(|it| it.value == place.value))
        };
        if let Some(place) = geo_location.as_ref().filter(is_named) {
            out.books().merged(place.mark, Reason::SameValue);
        } else if let Some(place) = geo_location {
            let change = Some(Reason::OtherElement);
            out.element_always("media:location", |out| out.attr_as("description", place.mark, &place.value, change));
        }
        if let Some(media) = file.as_deref().and_then(|file| file.media.as_deref()) {
            elements(media, out, how);
        }
    });
}

fn write_enclosure(enclosure: &Enclosure<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    let Enclosure { url, kind, length, title, lang, file } = enclosure;
    out.element_of("media:content", enclosure, |out| {
        attr("url", url, out);
        attr("fileSize", length, out);
        attr("type", kind, out);
        attr("lang", lang, out);
        match file.as_deref() {
            // models that people wrote may say it twice
            Some(file)
                if lang.is_some() && file.lang.is_some()
                    || kind.is_some() && file.kind.is_some()
                    || length.is_some() && file.size.is_some() =>
            {
                let rest = File {
                    lang: file.lang.clone().filter(|_| lang.is_none()),
                    kind: file.kind.clone().filter(|_| kind.is_none()),
                    size: file.size.filter(|_| length.is_none()),
                    ..file.clone()
                };
                file_attributes(&rest, how.google, out);
            }
            Some(file) => file_attributes(file, how.google, out),
            None => (),
        }
        let media = file.as_deref().and_then(|file| file.media.as_deref());
        if let Some(title) = title
            && media.is_none_or(|media| media.title.is_none())
        {
            plain_title(title, out);
        }
        if let Some(media) = media {
            elements(media, out, how);
        }
    });
}

/// The attributes of an image or an enclosure that are not in its own members.
fn file_attributes(file: &File<'_>, google: bool, out: &mut Out<'_, '_>) {
    attr("fileSize", &file.size, out);
    attr("type", &file.kind, out);
    if let Some(medium) = &file.medium {
        write_medium(medium, google, out);
    }
    more_attributes(file, out);
    if let Some(duration) = &file.duration {
        write_duration(duration, out);
    }
}

// --- the elements of a level ---

/// Whether a value may be written here: into its own family, what a module carried goes back there.
fn is_media_namespace(via: Option<Ns>, out: &Out<'_, '_>) -> bool {
    !out.same_family() || via.is_none_or(|ns| ns == Ns::Media)
}

/// All optional elements of a level, in the order of the specification.
fn elements(video: &Video<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    let owns = |member: &str| how.owns(video, member);
    if owns("ratings") {
        ratings(video, out, how);
    }
    if owns("family_friendly") {
        family_friendly(video, out);
    }
    explicit(how, out);
    if owns("adult") {
        adult(video, out, how);
    }
    match how.wanted {
        Some(wanted) => wanted.texts(video, out),
        None => {
            if owns("title") {
                text("media:title", &video.title, out);
            }
            title_of_file(how.called.filter(|_| video.title.is_none()), out);
            if owns("description") {
                text("media:description", &video.description, out);
            }
        }
    }
    if owns("tags") {
        keywords(video, out);
    }
    episode_keywords(how, out);
    match how.wanted {
        Some(wanted) => {
            thumbnails(&wanted.thumbnails(video, out), out);
            wanted.thumbnail(out);
        }
        None if owns("thumbnails") && how.google => thumbnails(&google::taken(&video.thumbnails, out), out),
        None if owns("thumbnails") => thumbnails(&video.thumbnails.iter().collect::<Vec<_>>(), out),
        None => (),
    }
    if owns("categories") {
        categories(video, out, how);
    }
    if owns("tags") {
        tags_apart(video, out);
    }
    if owns("hashes") {
        hashes(video, out, how);
    }
    match how.wanted {
        Some(wanted) => wanted.player(video, out),
        None if owns("player") && how.google => google::player_of_level(video, how.page, out),
        None if owns("player") => player(video, out),
        None => (),
    }
    credits(video, out, how);
    if owns("copyright") {
        copyright(video, out);
    }
    if owns("texts") {
        timed_texts(video, out);
    }
    if !how.lifted {
        lifted(video, out, how);
    }
    if owns("uri_restriction") {
        uri_restriction(video, out);
    }
    sharing(video, out, how);
    community(video, out, how);
    if owns("comments") {
        out.element("media:comments", |out| out.each(Field::VideoComment, &video.comments));
    }
    if owns("embed") {
        embed(video, out);
    }
    if owns("responses") {
        out.element("media:responses", |out| out.each(Field::VideoResponse, &video.responses));
    }
    if owns("back_links") {
        out.element("media:backLinks", |out| out.each(Field::VideoBackLink, &video.back_links));
    }
    further(video, out, how);
}

/// The second half of the list.
fn further(video: &Video<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    let owns = |member: &str| how.owns(video, member);
    if owns("status") {
        status(video, out);
    }
    if owns("prices") {
        prices(video, out, how);
    }
    if owns("requires_subscription") {
        subscription(video, out);
    }
    if owns("license") {
        licenses(video, out);
    }
    if owns("subtitles") {
        subtitles(video, out);
    }
    if owns("peer_links") {
        peer_links(video, out);
    }
    if owns("location") {
        for place in &video.location {
            location(place, out);
        }
    }
    if owns("rights_status") {
        out.element("media:rights", |out| attr("status", &video.rights_status, out));
    }
    if owns("scenes") {
        out.element("media:scenes", |out| {
            for part in &video.scenes {
                out.element_of("media:scene", part, |out| scene(part, out));
            }
        });
    }
}

/// The elements that Google's mRSS sample has at an item with one video: `media:restriction`, `dcterms:valid`,
/// `dcterms:type`.
fn lifted(video: &Video<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    if let Some(restriction) = video.restriction.as_ref().filter(|_| how.owns(video, "restriction")) {
        countries(restriction, out, how);
    }
    if let Some(available) = video.available.as_ref().filter(|_| how.owns(video, "available")) {
        dcterms::write_valid(available, how.google, out);
    }
    match video.live.as_ref().filter(|_| how.owns(video, "live")) {
        Some(live) if live.value => out.elem_as("dcterms:type", live.mark, "live-video", None),
        Some(live) => out.books().lost(live.mark, Reason::SameAsDefault),
        None => (),
    }
}

/// The text of the open element.
fn inner(slot: &Option<Str<'_>>, out: &mut Out<'_, '_>) {
    if let Some(leaf) = slot {
        out.text_as(leaf.mark, &leaf.value, None);
    }
}

/// Several leaves as one text of the open element.
fn joined<'l>(leaves: impl Iterator<Item = &'l Str<'l>> + Clone, separator: &str, out: &mut Out<'_, '_>) {
    let mut text = String::new();
    for (number, leaf) in leaves.clone().enumerate() {
        if number > 0 {
            text.push_str(separator);
        }
        text.push_str(&leaf.value);
    }
    if leaves.clone().next().is_some() {
        out.text_as(Mark::NONE, &text, None);
    }
    for leaf in leaves {
        out.books().kept_as(leaf.mark, || leaf.value.to_string());
    }
}

fn ratings(video: &Video<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    for rating in how.own(video, "ratings", &video.ratings) {
        out.element_of("media:rating", rating, |out| {
            attr("scheme", &rating.scheme, out);
            inner(&rating.value, out);
        });
    }
}

fn family_friendly(video: &Video<'_>, out: &mut Out<'_, '_>) {
    let Some(leaf) = video.family_friendly.as_ref().filter(|leaf| is_media_namespace(leaf.via, out)) else { return };
    let word = if leaf.value { "nonadult" } else { "adult" };
    out.element_at("media:rating", leaf.mark, |out| {
        out.constant("scheme", "urn:simple");
        out.text_as(leaf.mark, word, Some(Reason::OtherElement));
    });
}

/// The retired element, where a feed may have it; else a rating (A10), unless there is one.
fn adult(video: &Video<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    let Some(leaf) = video.adult.as_ref().filter(|_| how.listed) else {
        return out.put(Field::VideoAdult, &video.adult);
    };
    match &video.family_friendly {
        Some(said) => {
            let why = if said.value == leaf.value { Reason::FirstWins } else { Reason::SameValue };
            out.books().merged(leaf.mark, why);
        }
        None => out.element_at("media:rating", leaf.mark, |out| {
            out.constant("scheme", "urn:simple");
            out.text_as(leaf.mark, if leaf.value { "adult" } else { "nonadult" }, Some(Reason::OtherElement));
        }),
    }
}

/// Writes the podcast's rating of the video (A1.8).
fn explicit(how: &LevelSelection<'_>, out: &mut Out<'_, '_>) {
    let Some((mark, explicit)) = how.explicit else { return };
    out.element_at("media:rating", mark, |out| {
        out.constant("scheme", "urn:simple");
        out.text_as(mark, if explicit { "adult" } else { "nonadult" }, Some(Reason::OtherElement));
    });
}

/// The keywords of a podcast's episode (A1.8).
fn episode_keywords(how: &LevelSelection<'_>, out: &mut Out<'_, '_>) {
    let Some((mark, said)) = how.keywords else { return };
    let words = episode::keywords(said).collect::<Vec<_>>().join(", ");
    out.elem_as("media:keywords", mark, &words, Some(Reason::UsedForVideo));
}

/// Which tags `media:keywords` holds, and which it would split: at a comma, or at a semicolon where there is no comma.
fn split_tags<'v, 'e>(video: &'v Video<'e>) -> (Vec<&'v Str<'e>>, Vec<&'v Str<'e>>) {
    let holds = |tag: &&Str<'_>| !tag.value.contains(',') && tag.via != Some(Ns::Media);
    let (mut keywords, mut others): (Vec<_>, Vec<_>) = video.tags.iter().partition(holds);
    let alone = matches!(keywords.as_slice(), [tag] if tag.via.is_none() && tag.value.contains(';'));
    if alone {
        others = video.tags.iter().collect();
        keywords.clear();
    }
    (keywords, others)
}

fn keywords(video: &Video<'_>, out: &mut Out<'_, '_>) {
    let same_family = out.same_family();
    let tags = split_tags(video).0.into_iter().filter(|tag| !(same_family && tag.via.is_some()));
    out.element("media:keywords", |out| joined(tags, ", ", out));
}

/// Tags that `media:keywords` would split (A11).
fn tags_apart(video: &Video<'_>, out: &mut Out<'_, '_>) {
    for tag in split_tags(video).1 {
        if !is_media_namespace(tag.via, out) {
            continue;
        }
        let change = (tag.via != Some(Ns::Media)).then_some(Reason::UsedAsCategory);
        out.element_at("media:category", tag.mark, |out| {
            out.constant("scheme", super::TAG_SCHEME);
            out.text_as(tag.mark, &tag.value, change);
        });
    }
}

fn thumbnails(list: &[&Thumbnail<'_>], out: &mut Out<'_, '_>) {
    for thumbnail in list {
        out.element_of("media:thumbnail", *thumbnail, |out| {
            attr("url", &thumbnail.url, out);
            attr("width", &thumbnail.width, out);
            attr("height", &thumbnail.height, out);
            play_position("time", &thumbnail.time, out);
        });
    }
}

fn categories(video: &Video<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    for category in how.own(video, "categories", &video.categories) {
        out.next_from("media:category", |see| see(category.first_mark()));
        out.element("media:category", |out| {
            attr("scheme", &category.scheme, out);
            attr("label", &category.label, out);
            inner(&category.term, out);
        });
    }
}

fn hashes(video: &Video<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    for hash in how.own(video, "hashes", &video.hashes) {
        out.element_of("media:hash", hash, |out| {
            attr("algo", &hash.algo, out);
            inner(&hash.value, out);
        });
    }
}

fn credits(video: &Video<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    for credit in video.credits.iter().filter(|_| how.owns(video, "credits")) {
        out.element_of("media:credit", credit, |out| {
            role(&credit.role, out);
            attr("scheme", &credit.scheme, out);
            inner(&credit.name, out);
        });
    }
    let uploader = video.uploader.as_ref().filter(|_| how.owns(video, "uploader"));
    if let Some(name) =
        uploader.and_then(|uploader| uploader.name.as_ref()).filter(|name| is_media_namespace(name.via, out))
    {
        out.element_at("media:credit", name.mark, |out| {
            out.constant("role", "uploader");
            out.constant("scheme", "urn:yvs");
            let foreign = !out.same_family();
            match person::without_addresses(&name.value).filter(|called| foreign && *called != name.value) {
                Some(called) => out.text_as(name.mark, &called, person::WITHOUT_ADDRESS),
                None => out.text_as(name.mark, &name.value, None),
            }
        });
    }
}

/// Writes a role, which Media RSS has in lower case; within Media RSS it stays as written.
fn role(role: &Option<Str<'_>>, out: &mut Out<'_, '_>) {
    match role.as_ref().filter(|role| !out.same_family() && role.value.contains(char::is_uppercase)) {
        Some(role) => out.attr_as("role", role.mark, &role.value.to_lowercase(), Some(Reason::UsualTerm)),
        None => attr("role", role, out),
    }
}

fn copyright(video: &Video<'_>, out: &mut Out<'_, '_>) {
    if let Some(copyright) = &video.copyright {
        out.element("media:copyright", |out| {
            attr("url", &copyright.url, out);
            inner(&copyright.text, out);
        });
    }
}

fn timed_texts(video: &Video<'_>, out: &mut Out<'_, '_>) {
    for part in &video.texts {
        out.element_of("media:text", part, |out| {
            if let Some(text) = &part.value {
                kind(text, out);
            }
            attr("lang", &part.lang, out);
            play_position("start", &part.start, out);
            play_position("end", &part.end, out);
            if let Some(text) = &part.value {
                characters(text, out);
            }
        });
    }
}

/// Writes a normal play time. `1:05` is none, and gets its hours in another format; within Media RSS it stays as written.
fn play_position(name: &str, slot: &Option<Str<'_>>, out: &mut Out<'_, '_>) {
    let Some(leaf) = slot else { return };
    let is_short = !out.same_family() && leaf.value.matches(':').count() == 1;
    let seconds = Seconds::parse(&leaf.value).filter(|_| is_short);
    match seconds {
        Some((seconds, _)) => out.attr_as(name, leaf.mark, &seconds.to_clock(), Some(Reason::UsualUnit)),
        None => attr(name, slot, out),
    }
}

/// An empty list that allows is a list of nobody, for which Media RSS has the word `none` (A6).
fn countries(restriction: &Restriction<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    let Restriction { relationship, countries } = restriction;
    if how.google && restriction.is_unclear() {
        out.drop(relationship, Field::VideoRestrictionRelationship, Reason::NoTerm);
        return countries.iter().for_each(|leaf| out.books().lost(leaf.mark, Reason::NoTerm));
    }
    let strict = how.sitemap || how.google;
    let allows = relationship.as_ref().is_none_or(|word| word.value.eq_ignore_ascii_case("allow"));
    let named = known_countries(countries, how, out);
    // denying an empty list restricts nothing; an allowed list does, even if all its countries are unknown
    if named.is_empty() && !countries.is_empty() && !allows {
        return out.drop(relationship, Field::VideoRestrictionRelationship, Reason::UnknownCountry);
    }
    let codes: Vec<String> = named.iter().map(|leaf| small_code(&leaf.value)).collect();
    out.element_of("media:restriction", restriction, |out| {
        match relationship {
            None if strict || !out.same_family() => {
                let field = Field::VideoRestrictionRelationship;
                out.make_attr("relationship", field, Reason::DefaultTerm, None, "allow");
            }
            said => lower_attr("relationship", said, out),
        }
        // a list of all or none need not say of what
        match relationship.as_ref().or(countries.first()).is_some_and(|word| word.via == Some(Ns::Media)) {
            true if how.google => {
                let (field, from) = (Field::VideoRestrictionCountry, countries.first().map(|word| word.mark));
                out.make_attr("type", field, Reason::DefaultTerm, from, "country");
            }
            true => (),
            false => out.constant("type", "country"),
        }
        let codes = codes.join(" ");
        if !codes.is_empty() {
            out.text_as(Mark::NONE, &codes, None);
        } else if (strict || !countries.is_empty()) && allows {
            out.text_as(Mark::NONE, "none", None);
        }
    });
    for (leaf, code) in named.iter().zip(&codes) {
        match leaf.value.eq_ignore_ascii_case(code) {
            true => out.books().kept_as(leaf.mark, || code.clone()),
            false => out.books().changed(leaf.mark, Reason::CountryCode, code.clone()),
        }
    }
    choice::report_whole(countries, || codes.join(" "), out);
}

/// A code or a word as Media RSS writes it.
fn small_code(word: &str) -> String {
    region::country(word).map_or(word, |country| country.code).to_ascii_lowercase()
}

/// Each once; unless it goes back into its own family, those that are countries or words of Media RSS. Where Google's
/// rules are applied, or the list comes from a sitemap, a word is alone.
fn known_countries<'l, 'e>(
    countries: &'l [Str<'e>],
    how: &LevelSelection<'_>,
    out: &mut Out<'_, '_>,
) -> Vec<&'l Str<'e>> {
    let strict = how.sitemap || how.google;
    let mut seen = HashSet::new();
    let mut known: Vec<&'l Str<'e>> = Vec::new();
    let word = |wanted: &str| countries.iter().any(|leaf| leaf.value.eq_ignore_ascii_case(wanted));
    let only = if !strict { None } else { ["all", "none"].into_iter().find(|wanted| word(wanted)) };
    for leaf in countries {
        let code = match region::country(&leaf.value) {
            Some(country) if how.google && !country.is_assigned() => None,
            Some(country) => Some(Cow::Borrowed(country.code)),
            None if region::is_literal(&leaf.value) => Some(Cow::Owned(leaf.value.to_ascii_lowercase())),
            None if strict || !out.same_family() => None,
            None => Some(Cow::Borrowed(&*leaf.value)),
        };
        let Some(code) = code else {
            out.books().lost(leaf.mark, Reason::UnknownCountry);
            continue;
        };
        if only.is_some_and(|only| code != only) {
            out.books().merged(leaf.mark, Reason::SameValue);
            continue;
        }
        match seen.insert(code) {
            true => known.push(leaf),
            false => out.books().merged(leaf.mark, Reason::SameValue),
        }
    }
    known
}

/// A word of Media RSS as an attribute of the open element, which writes them in small letters.
fn lower_attr(name: &str, slot: &Option<Str<'_>>, out: &mut Out<'_, '_>) {
    if let Some(word) = slot {
        out.attr_as(name, word.mark, &word.value.to_ascii_lowercase(), None);
    }
}

/// The same for a word of a short list; others stay as they are.
fn word_attr(name: &str, words: &[&str], slot: &Option<Str<'_>>, out: &mut Out<'_, '_>) {
    if let Some(leaf) = slot {
        out.attr_as(name, leaf.mark, one_of(words, &leaf.value).unwrap_or(&leaf.value), None);
    }
}

fn one_of<'w>(words: &[&'w str], said: &str) -> Option<&'w str> {
    words.iter().copied().find(|word| said.trim().eq_ignore_ascii_case(word))
}

fn uri_restriction(video: &Video<'_>, out: &mut Out<'_, '_>) {
    if let Some(restriction) = &video.uri_restriction {
        out.element_of("media:restriction", restriction, |out| {
            lower_attr("relationship", &restriction.relationship, out);
            out.constant("type", "uri");
            joined(restriction.values.iter(), " ", out);
        });
    }
}

fn sharing(video: &Video<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    let Video { sharing, allow_embed, .. } = video;
    if let Some(sharing) = sharing.as_ref().filter(|_| how.owns(video, "sharing")) {
        out.element_at("media:restriction", sharing.mark, |out| {
            out.attr_as("relationship", sharing.mark, &sharing.value.to_ascii_lowercase(), None);
            out.constant("type", "sharing");
        });
    }
    match (allow_embed, sharing) {
        (None, _) => (),
        (Some(allowed), Some(sharing)) => {
            let denies = sharing.value.eq_ignore_ascii_case("deny");
            let why = if allowed.value == denies { Reason::FirstWins } else { Reason::SameValue };
            out.books().merged(allowed.mark, why);
        }
        (Some(allowed), None) if allowed.value => {
            out.books().lost(allowed.mark, Reason::SameAsDefault);
        }
        (Some(allowed), None) => out.element_at("media:restriction", allowed.mark, |out| {
            out.attr_as("relationship", allowed.mark, "deny", Some(Reason::OtherElement));
            out.constant("type", "sharing");
        }),
    }
}

fn community(video: &Video<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    let owns = |member: &str| how.owns(video, member);
    out.element("media:community", |out| {
        let rating = video.rating.as_ref().filter(|_| owns("rating"));
        // of five stars, as `video:rating` is
        let of_five =
            |rating: &Rating<'_>| rating.average.as_ref().is_none_or(|it| stars(rating, &it.value, true).is_ok());
        if let Some(rating) = rating.filter(|rating| how.sitemap && !of_five(rating)) {
            out.drop(rating, (), Reason::RatingScale);
        } else if let Some(rating) = rating {
            out.element("media:starRating", |out| {
                attr("average", &rating.average, out);
                attr("count", &rating.count, out);
                if how.sitemap && rating.average.is_some() && rating.min.is_none() && rating.max.is_none() {
                    out.constant("min", "0");
                    out.constant("max", "5");
                }
                attr("min", &rating.min, out);
                attr("max", &rating.max, out);
            });
        }
        out.element("media:statistics", |out| {
            attr("views", if owns("views") { &video.views } else { &None }, out);
            attr("favorites", if owns("favorites") { &video.favorites } else { &None }, out);
        });
        if owns("tag_weights") {
            out.element("media:tags", |out| tag_weights(video, out));
        }
    });
}

fn tag_weights(video: &Video<'_>, out: &mut Out<'_, '_>) {
    let member = |part: &crate::model::TagWeight<'_>| match (&part.tag, &part.weight) {
        (Some(tag), Some(weight)) => format!("{}:{}", tag.value, weight.value),
        (Some(tag), None) => tag.value.to_string(),
        (None, Some(weight)) => format!(":{}", weight.value),
        (None, None) => String::new(),
    };
    let members: Vec<String> = video.tag_weights.iter().map(member).collect();
    let mut marks = Vec::new();
    video.tag_weights.walk((), &mut |seen| marks.push(seen.mark));
    if let Some((first, rest)) = marks.split_first() {
        out.text_as(*first, &members.join(", "), None);
        for mark in rest {
            out.books().kept(*mark);
        }
    }
}

fn embed(video: &Video<'_>, out: &mut Out<'_, '_>) {
    let Some(embed) = &video.embed else { return };
    out.element("media:embed", |out| {
        attr("url", &embed.url, out);
        attr("width", &embed.width, out);
        attr("height", &embed.height, out);
        for param in &embed.params {
            out.element_of("media:param", param, |out| {
                attr("name", &param.name, out);
                inner(&param.value, out);
            });
        }
    });
}

fn status(video: &Video<'_>, out: &mut Out<'_, '_>) {
    if let Some(status) = &video.status {
        out.element("media:status", |out| {
            word_attr("state", &["active", "blocked", "deleted"], &status.state, out);
            attr("reason", &status.reason, out);
        });
    }
}

/// Writes the prices; a video of a list of pages that costs nothing has none (A7).
fn prices(video: &Video<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    for part in &video.prices {
        if how.free && part.amount.as_ref().is_some_and(|amount| is_zero(amount.as_str())) {
            out.drop(part, (), Reason::SameAsDefault);
        } else {
            price(part, out, how);
        }
    }
}

fn is_zero(amount: &str) -> bool {
    amount.bytes().all(|byte| matches!(byte, b'0' | b'.' | b'-' | b'+'))
}

fn price(price: &Price<'_>, out: &mut Out<'_, '_>, how: &LevelSelection<'_>) {
    let Price { amount, currency, kind, resolution: _, info } = price;
    out.element_of("media:price", price, |out| {
        match kind {
            Some(word) if word.value.trim().eq_ignore_ascii_case("own") => {
                let change = Some(Reason::UsualTerm);
                out.attr_as("type", word.mark, "purchase", change);
            }
            None if how.sitemap && amount.is_some() => {
                out.make_attr("type", Field::VideoPriceType, Reason::DefaultTerm, None, "purchase");
            }
            kind => word_attr("type", &["rent", "purchase", "package", "subscription"], kind, out),
        }
        attr("price", amount, out);
        if let Some(currency) = currency {
            let code = currency.value.trim();
            let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_alphabetic());
            let text = if is_code { Cow::Owned(code.to_ascii_uppercase()) } else { Cow::Borrowed(&*currency.value) };
            out.attr_as("currency", currency.mark, &text, None);
        }
        attr("info", info, out);
    });
}

fn subscription(video: &Video<'_>, out: &mut Out<'_, '_>) {
    let Some(required) = &video.requires_subscription else { return };
    let says_so = |kind: &Str<'_>| kind.value.trim().eq_ignore_ascii_case("subscription");
    let is_subscription = |price: &Price<'_>| price.kind.as_ref().is_some_and(says_so);
    if !required.value {
        out.books().lost(required.mark, Reason::SameAsDefault);
    } else if video.prices.iter().any(is_subscription) {
        out.books().merged(required.mark, Reason::SameValue);
    } else {
        out.element_at("media:price", required.mark, |out| {
            let change = Some(Reason::OtherElement);
            out.attr_as("type", required.mark, "subscription", change);
        });
    }
}

fn licenses(video: &Video<'_>, out: &mut Out<'_, '_>) {
    for license in &video.license {
        out.element_of("media:license", license, |out| {
            attr("type", &license.kind, out);
            attr("href", &license.href, out);
            inner(&license.text, out);
        });
    }
}

fn subtitles(video: &Video<'_>, out: &mut Out<'_, '_>) {
    for subtitle in &video.subtitles {
        out.element_of("media:subTitle", subtitle, |out| {
            attr("type", &subtitle.kind, out);
            attr("lang", &subtitle.lang, out);
            attr("href", &subtitle.href, out);
        });
    }
}

fn peer_links(video: &Video<'_>, out: &mut Out<'_, '_>) {
    for link in &video.peer_links {
        out.element_of("media:peerLink", link, |out| {
            attr("type", &link.kind, out);
            attr("href", &link.href, out);
        });
    }
}

fn location(place: &VideoLocation<'_>, out: &mut Out<'_, '_>) {
    out.element_of("media:location", place, |out| {
        attr("description", &place.description, out);
        attr("start", &place.start, out);
        attr("end", &place.end, out);
        out.element("georss:where", |out| {
            out.element("gml:Point", |out| out.put(Field::VideoLocationPoint, &place.point));
        });
    });
}

/// The specification writes the children of a scene without a prefix.
fn scene(part: &Scene<'_>, out: &mut Out<'_, '_>) {
    out.put(Field::VideoSceneTitle, &part.title);
    out.put(Field::VideoSceneDescription, &part.description);
    scene_time("sceneStartTime", &part.start, out);
    scene_time("sceneEndTime", &part.end, out);
}

/// Seconds from another family are written with minutes.
fn scene_time(name: &str, slot: &Option<Str<'_>>, out: &mut Out<'_, '_>) {
    let Some(leaf) = slot else { return };
    let seconds = Seconds::parse(&leaf.value).filter(|_| !out.same_family() && !leaf.value.contains(':'));
    match seconds {
        Some((seconds, _)) => out.elem_as(name, leaf.mark, &seconds.to_short_clock(), Some(Reason::UsualUnit)),
        None => out.elem_as(name, leaf.mark, &leaf.value, None),
    }
}
