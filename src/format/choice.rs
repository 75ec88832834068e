//! Chooses a replacement for a title, a description or a thumbnail that a video lacks, for the targets where Google
//! requires them (rules S-V1 to S-V3): video sitemaps, and Media RSS when it is written for Google. If nothing is
//! missing, each writer chooses by itself.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use sha2::{Digest, Sha256};

use super::contract::Setup;
pub(crate) use super::medium::is_avatar;
use super::medium::{is_film, is_picture, video_key};
use super::ns::dialect::thumbnail;
use crate::emit::Out;
use crate::ledger::Books;
use crate::model::episode::{self, is_explicit, keywords};
use crate::model::{
    Category, Date, Enclosure, Entry, Feed, Field, File, Leaf, LeafView, Mark, Seconds, Str, Text, TextKind, Thumbnail,
    Tv, Video, Walk,
};
use crate::options::{Options, ThumbnailRule};
use crate::pages::Address;
use crate::reason::{Reason, ValueChange, altering};
use crate::text::bytes::trimmed;
use crate::text::mime::Medium;
use crate::text::{cut, embed, hex, html, mime, url};
use crate::xml::names::Ns;

/// The context of a video.
pub(super) struct VideoSurroundings<'e, 's> {
    /// Its entry.
    pub entry: &'e Entry<'e>,
    /// The page it is on, if that is known.
    pub page: Option<&'s Address<'e>>,
    /// The head, whose image may replace a thumbnail.
    pub feed: &'s Feed<'s>,
    /// What the run was asked for.
    pub options: &'s Options,
    /// The texts of the entry, once a video needs them.
    pub texts: &'s EntryTexts,
}

/// The texts of an entry as words, which its videos share: an entry may have many of both.
#[derive(Default)]
pub(super) struct EntryTexts {
    summary: OnceCell<Option<ChosenValue>>,
    content: OnceCell<Option<ChosenValue>>,
}

impl EntryTexts {
    fn summary(&self, entry: &Entry<'_>) -> Option<ChosenValue> {
        self.summary.get_or_init(|| words(entry.summary.as_ref())).clone()
    }

    fn content(&self, entry: &Entry<'_>) -> Option<ChosenValue> {
        self.content.get_or_init(|| words(readable_content(entry))).clone()
    }
}

/// A value of a rendition alone, else of the video (A1).
macro_rules! effective {
    ($video:expr, $file:expr, $member:ident) => {
        $file.and_then(|file| file.media.as_ref()).and_then(|media| media.$member.as_ref()).or($video.$member.as_ref())
    };
}

/// The same for a list, whole or not at all.
macro_rules! effective_list {
    ($video:expr, $file:expr, $member:ident) => {
        match $file.and_then(|file| file.media.as_ref()) {
            Some(media) if !media.$member.is_empty() => &media.$member,
            _ => &$video.$member,
        }
    };
}
pub(super) use {effective, effective_list};

/// Reports that a text was cut, and how many characters it had (A12).
pub(super) fn report_cut(mark: Mark, length: usize, why: Reason, to: &str, out: &mut Out<'_, '_>) {
    out.books().changed_with_text(mark, why, format!("{}; this one has {length}", why.text()), to.to_owned());
}

/// Reports the text of a list of countries in the output, if it changed.
pub(super) fn report_whole(countries: &[Str<'_>], text: impl FnOnce() -> String, out: &mut Out<'_, '_>) {
    if let [first, _, ..] = countries
        && countries.iter().any(|leaf| !out.books().is_kept(leaf.mark))
    {
        out.books().replace_text(first.mark, text());
    }
}

/// A value that was chosen.
#[derive(Clone)]
pub(super) struct ChosenValue {
    /// The leaf it comes from.
    pub mark: Mark,
    /// How it is written.
    pub text: String,
    /// What that does to the leaf.
    pub change: ValueChange,
    /// Set if the source has no value of this kind and another one replaces it.
    pub made: Option<Reason>,
    /// The leaf itself is not what is written: its own books stay as they are.
    pub derived: bool,
    /// How many characters it had before it was cut.
    length: Option<usize>,
}

impl ChosenValue {
    /// The value of a leaf.
    pub fn own(mark: Mark, text: String, change: ValueChange) -> ChosenValue {
        ChosenValue { mark, text, change, made: None, derived: false, length: None }
    }
    /// The URL of a leaf.
    pub fn address(leaf: &Str<'_>, iri: bool) -> ChosenValue {
        let (text, change) = address(&leaf.value, iri);
        ChosenValue::own(leaf.mark, text, change)
    }
    /// The same, in an element that is not its own.
    pub fn moved(mut self, why: Reason) -> ChosenValue {
        self.change = altering(Some(why), self.change);
        self
    }
    /// The same, in place of a value that there is not.
    pub fn with_substitution(mut self, why: Reason) -> ChosenValue {
        self.change = altering(Some(Reason::UsedForVideo), self.change);
        self.made = Some(why);
        self
    }
    /// A value derived from that of a leaf.
    pub fn derived(mark: Mark, text: String, why: Reason) -> ChosenValue {
        ChosenValue { mark, text, change: None, made: Some(why), derived: true, length: None }
    }

    /// Cuts a text that has more characters (rule A12).
    pub fn cut(&mut self, most: usize, why: Reason) {
        if let Some(shorter) = cut::cut(&self.text, most) {
            self.length = Some(self.text.chars().count());
            self.text = shorter;
            self.change = Some(why);
        }
    }

    /// Reports how long the text was.
    fn report_length(&self, out: &mut Out<'_, '_>) {
        if let (Some(length), Some(why)) = (self.length, self.change) {
            report_cut(self.mark, length, why, &self.text, out);
        }
    }

    /// The leaf it was derived from, if any.
    fn source(&self) -> Option<Mark> {
        self.mark.is_some().then_some(self.mark)
    }

    /// Writes the value as an element.
    pub fn write(&self, name: &str, field: Field, out: &mut Out<'_, '_>) {
        if self.made.is_none() {
            self.report_length(out);
            return out.elem_as(name, self.mark, &self.text, self.change);
        }
        out.element_always(name, |out| self.write_text(field, out));
    }

    /// Writes the value as the text of the open element.
    pub fn write_text(&self, field: Field, out: &mut Out<'_, '_>) {
        match self.made {
            Some(why) if self.derived => {
                if why == Reason::TitleFromFileName {
                    out.books().doubt(field, why);
                }
                out.make_text(field, why, self.source(), &self.text);
            }
            made => {
                self.report_length(out);
                out.text_as(self.mark, &self.text, self.change);
                if let Some(why) = made {
                    out.books().made(field, why, Some(self.mark), self.text.clone());
                }
            }
        }
    }

    /// Writes the value as an attribute of the open element.
    pub fn write_attr(&self, name: &str, field: Field, out: &mut Out<'_, '_>) {
        match self.made {
            Some(why) if self.derived => out.make_attr(name, field, why, self.source(), &self.text),
            made => {
                self.report_length(out);
                out.attr_as(name, self.mark, &self.text, self.change);
                if let Some(why) = made {
                    out.books().made(field, why, Some(self.mark), self.text.clone());
                }
            }
        }
    }
}

/// Marks values of a written file as kept that the target has no element for and needs none: what its element implies
/// (`medium`), and defaults.
pub(super) fn constants(file: &File<'_>, medium: Option<Medium>, out: &mut Out<'_, '_>) {
    let said = file.medium.as_ref().filter(|said| medium.is_some() && Medium::by_name(&said.value) == medium);
    let full = file.expression.as_ref().filter(|said| said.value.trim().eq_ignore_ascii_case("full"));
    let usual = file.is_default.as_ref().filter(|said| !said.value);
    let all = [
        (Field::VideoFileMedium, said.map(|leaf| (leaf.mark, leaf.as_str()))),
        (Field::VideoFileExpression, full.map(|leaf| (leaf.mark, leaf.as_str()))),
        (Field::VideoFileIsDefault, usual.map(|leaf| (leaf.mark, "false"))),
    ];
    let table = out.table();
    for (field, said) in all {
        if let Some((mark, text)) = said.filter(|_| table(field).name().is_none()) {
            out.books().kept_as(mark, || text.to_owned());
        }
    }
}

/// Whether the files of a video have other titles than one another, or than the video: then they say which file is which
/// (`HD`), not what is shown.
pub(crate) fn titles_differ(files: &[File<'_>], of_video: Option<&Text<'_>>) -> bool {
    if files.len() < 2 {
        return false;
    }
    let mut titles = titles_of_films(files).chain(of_video.map(|title| trimmed(&title.value)));
    let first = titles.next();
    titles.any(|title| Some(title) != first)
}

/// Whether the titles of the files of a video say which file is which: they differ, or some files of a group have one
/// and others have none, while the item (`media` of it, else its own title) is called otherwise.
pub(crate) fn are_labels(
    files: &[File<'_>],
    of_video: Option<&Text<'_>>,
    in_group: bool,
    of_item: Option<&Text<'_>>,
) -> bool {
    if titles_differ(files, of_video) {
        return true;
    }
    let Some(of_item) = of_item.filter(|_| in_group && files.len() > 1) else { return false };
    let other = titles_of_films(files).any(|title| title != trimmed(&of_item.value));
    let films = files.iter().filter(|file| is_film(file)).count();
    other && titles_of_films(files).count() < films
}

fn titles_of_films<'f>(files: &'f [File<'_>]) -> impl Iterator<Item = &'f str> {
    let films = files.iter().filter(|file| is_film(file));
    films.filter_map(|file| Some(trimmed(&file.media.as_ref()?.title.as_ref()?.value)))
}

/// 12 hexadecimal digits that name a video on its page (S-R5), derived from its position, too, if it repeats an earlier one,
/// and from nothing else if it has no URL.
pub(super) fn video_hash(video: &Video<'_>, place: usize, repeats: bool) -> String {
    let key = match video_key(video) {
        Some(key) if repeats => format!("{key}#{place}"),
        Some(key) => key,
        None => place.to_string(),
    };
    hex(&Sha256::digest(key.as_bytes())[..6])
}

/// The numbers of the videos of a page of which an earlier one has the URL.
pub(super) fn repeated(videos: &[Video<'_>]) -> HashSet<usize> {
    let mut known = HashSet::new();
    let mut is_known = |video: &Video<'_>| video_key(video).is_some_and(|key| !known.insert(key));
    videos.iter().enumerate().filter_map(|(number, video)| is_known(video).then_some(number)).collect()
}

/// Each video of an entry looks at so many images of the page for a thumbnail that it lacks.
const MOST_IMAGES: usize = 64;

/// And at so many values that no reader took.
const MOST_ATTRIBUTES: usize = 256;

/// Makes a thumbnail for a video without a usable one (S-V1).
pub(super) fn made_thumbnail(
    video: &Video<'_>,
    file: Option<&File<'_>>,
    beside: &VideoSurroundings<'_, '_>,
) -> Option<ChosenValue> {
    if beside.options.no_synth {
        return None;
    }
    let is_web = |loc: &&Str<'_>| url::is_http(&url::normalize_for_sitemap(&loc.value)) && !is_avatar(&loc.value);
    let mut group = video.files.iter().filter(|file| is_picture(file)).filter_map(|file| file.url.as_ref());
    if let Some(loc) = group.find(is_web) {
        return Some(ChosenValue::address(loc, beside.options.iri).with_substitution(Reason::GeneratedThumbnail));
    }
    let mut images = beside.entry.images.iter().take(MOST_IMAGES).filter_map(|image| image.loc.as_ref());
    if let Some(loc) = poster(beside.entry).filter(is_web).or_else(|| images.find(is_web)) {
        return Some(ChosenValue::address(loc, beside.options.iri).with_substitution(Reason::GeneratedThumbnail));
    }
    let mut attached = beside.entry.enclosures.iter().take(MOST_IMAGES).filter_map(attached_picture);
    if let Some(url) = attached.find(is_web) {
        return Some(ChosenValue::address(url, beside.options.iri).with_substitution(Reason::GeneratedThumbnail));
    }
    platform_image(video, file, beside.page).or_else(|| asked_image(beside))
}

/// The poster of an episode, where its element goes back unread: into the family of its source.
fn poster<'e>(entry: &'e Entry<'_>) -> Option<&'e Str<'e>> {
    let attributes =
        || entry.foreign.iter().take(MOST_ATTRIBUTES).filter_map(|item| Some((&*item.path, item.value.as_ref()?)));
    let is_poster =
        |purpose: &Str<'_>| purpose.value.split_whitespace().any(|word| word.eq_ignore_ascii_case("poster"));
    let of_poster = |(path, value): (&'e str, &'e Str<'e>)| {
        path.strip_suffix("/@purpose").filter(|image| image.ends_with("/podcast:image") && is_poster(value))
    };
    let image = attributes().find_map(of_poster)?;
    let address = attributes().find(|(path, _)| path.strip_prefix(image) == Some("/@href"));
    address.map(|(_, value)| value)
}

/// Why a video without a thumbnail is dropped, and which option would help.
pub(super) fn no_thumbnail(video: &Video<'_>, beside: &VideoSurroundings<'_, '_>) -> Reason {
    let is_relative = |url: &Str<'_>| url::scheme(&url.value).is_none();
    let levels = || video.files.iter().filter_map(|file| file.media.as_deref()).chain([video]);
    let thumbnails = || levels().flat_map(|level| &level.thumbnails);
    let own = thumbnails().filter_map(|thumbnail| thumbnail.url.as_ref());
    let grouped = video.files.iter().filter(|file| is_picture(file)).filter_map(|file| file.url.as_ref());
    let of_page = beside.entry.images.iter().take(MOST_IMAGES).filter_map(|image| image.loc.as_ref());
    let attached = beside.entry.enclosures.iter().take(MOST_IMAGES).filter_map(attached_picture);
    let pictures = grouped.chain(of_page).chain(attached).filter(|_| !beside.options.no_synth);
    match own.chain(pictures).any(is_relative) {
        true => Reason::RelativeThumbnail,
        false if thumbnails().any(|thumbnail| is_small(thumbnail, GOOGLE_THUMBNAIL)) => Reason::SmallThumbnail,
        false if !beside.options.no_synth && feed_image(beside).is_some() => Reason::FeedImageOnly,
        false => Reason::NoThumbnail,
    }
}

/// Width and height that a thumbnail must have for Google ("Video SEO best practices", 2025).
pub(super) const GOOGLE_THUMBNAIL: (u64, u64) = (60, 30);

/// The same for Yandex (Open Video Schema, `ovs:thumbnail`).
pub(super) const YANDEX_THUMBNAIL: (u64, u64) = (120, 90);

/// Whether an image is known to be smaller than this. Publishers write 0 for a size that they do not know.
pub(super) fn is_small(thumbnail: &Thumbnail<'_>, (width, height): (u64, u64)) -> bool {
    let below =
        |slot: &Option<Leaf<u64>>, least| slot.as_ref().is_some_and(|leaf| leaf.value > 0 && leaf.value < least);
    below(&thumbnail.width, width) || below(&thumbnail.height, height)
}

/// The thumbnail of a target that has only one (S-V1).
pub(super) fn best_thumbnail<'t, 'e>(
    thumbnails: &[&'t Thumbnail<'e>],
    rule: ThumbnailRule,
) -> Option<&'t Thumbnail<'e>> {
    let first = || thumbnails.iter().min_by_key(|thumbnail| thumbnail.time.is_some()).copied();
    match rule {
        ThumbnailRule::Largest => largest(thumbnails).or_else(first),
        ThumbnailRule::First => first(),
    }
}

/// The largest thumbnail, if the size of all is known in one way; of equal ones the first that is of no moment.
fn largest<'t, 'e>(thumbnails: &[&'t Thumbnail<'e>]) -> Option<&'t Thumbnail<'e>> {
    let number = |slot: &Option<Leaf<u64>>| slot.as_ref().map(|leaf| u128::from(leaf.value));
    let sizes = |[width, height]: [bool; 2]| -> Option<Vec<_>> {
        let known = |wanted: bool, slot| if wanted { number(slot) } else { Some(1) };
        let size = |thumbnail: &&'t Thumbnail<'e>| {
            let size = known(width, &thumbnail.width)? * known(height, &thumbnail.height)?;
            Some((Reverse(size), thumbnail.time.is_some(), *thumbnail))
        };
        thumbnails.iter().map(size).collect()
    };
    let sizes = [[true, true], [true, false], [false, true]].into_iter().find_map(sizes)?;
    sizes.into_iter().min_by_key(|(size, timed, _)| (*size, *timed)).map(|(.., thumbnail)| thumbnail)
}

/// The image of the feed, if it can be a thumbnail.
fn feed_image<'b>(beside: &'b VideoSurroundings<'_, '_>) -> Option<&'b Str<'b>> {
    let image = beside.feed.image.as_ref()?.url.as_ref();
    image.filter(|image| url::is_http(&image.value) && !is_avatar(&image.value))
}

/// Whether an image that gets another element than in its source is an avatar (S-V1), which shows a person, not the page.
pub(crate) fn is_moved_avatar(address: &Str<'_>, same_family: bool) -> bool {
    (!same_family || address.via == Some(Ns::Media)) && is_avatar(&address.value)
}

/// The URL of an enclosure that is an image, and so one of the page.
pub(super) fn attached_picture<'e>(enclosure: &'e Enclosure<'_>) -> Option<&'e Str<'e>> {
    let url = enclosure.url.as_ref()?;
    let kind = enclosure.kind.as_ref().map(Leaf::as_str);
    let medium = kind.and_then(mime::medium_of_type).or_else(|| mime::medium_of_url(&url.value));
    (medium == Some(Medium::Image)).then_some(url)
}

/// An image that is not the video's own and replaces its thumbnail only on request.
pub(super) fn asked_image(beside: &VideoSurroundings<'_, '_>) -> Option<ChosenValue> {
    let (entry, options) = (beside.entry, beside.options);
    let texts =
        || readable_content(entry).into_iter().chain(&entry.summary).filter(|text| text.kind != TextKind::Plain);
    let in_html = || {
        let resolved = |text: &Text<'_>, image: String| match url::scheme(&image) {
            Some(_) => Some(image),
            None => {
                let base = text.base.as_ref().or(entry.base.as_ref()).filter(|base| url::is_http(&base.value));
                let page = || beside.page.map(|page| &*page.url);
                url::resolve(base.map(Leaf::as_str).or_else(page)?, &image)
            }
        };
        let usable = |image: &String| url::is_http(image) && !is_avatar(image);
        let (mark, image) = texts().find_map(|text| {
            let image = html::find_image(&text.value.value, |image| resolved(text, image).filter(usable))?;
            Some((text.value.mark, image))
        })?;
        Some(ChosenValue::derived(mark, address(&image, options.iri).0, Reason::GivenThumbnail))
    };
    let of_feed = || {
        let image = feed_image(beside)?;
        Some(ChosenValue::derived(image.mark, address(&image.value, options.iri).0, Reason::GivenThumbnail))
    };
    let default = || {
        let image = options.default_thumbnail.as_ref()?;
        Some(ChosenValue::derived(Mark::NONE, image.clone(), Reason::GivenThumbnail))
    };
    let in_html = options.thumbnail_from_html.then(in_html).flatten();
    in_html.or_else(|| options.thumbnail_from_feed.then(of_feed).flatten()).or_else(default)
}

/// The thumbnail that a known platform has of each of its videos.
fn platform_image(video: &Video<'_>, file: Option<&File<'_>>, page: Option<&Address<'_>>) -> Option<ChosenValue> {
    let player = effective!(video, file, player).and_then(|player| player.url.as_ref());
    let file = file.and_then(|file| file.url.as_ref());
    let addresses = player.into_iter().chain(file).map(|leaf| (leaf.mark, leaf.as_str()));
    let page = page.map(|page| (page.mark, &*page.url));
    let found = addresses.chain(page).find_map(|(mark, address)| Some((mark, thumbnail::platform_image(address)?)));
    let numbered = || youtube_number(video).and_then(|id| Some((id.mark, thumbnail::youtube_image(&id.value)?)));
    let (mark, image) = found.or_else(numbered)?;
    Some(ChosenValue::derived(mark, image, Reason::PlatformThumbnail))
}

/// A number that looks like YouTube's: eleven characters of URL-safe base64.
pub(crate) fn youtube_number<'e>(video: &'e Video<'_>) -> Option<&'e Str<'e>> {
    let looks = |id: &&Str<'_>| {
        let id = id.value.as_bytes();
        id.len() == 11 && id.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    };
    let is_youtube = |kind: &Str<'_>| kind.value.eq_ignore_ascii_case("youtube");
    let typed = || video.ids.iter().find(|id| id.kind.as_ref().is_some_and(is_youtube));
    video.id.as_ref().filter(looks).or_else(|| typed().and_then(|id| id.value.as_ref()).filter(looks))
}

/// A text as plain text; `None` if it is only markup.
pub(super) fn words(text: Option<&Text<'_>>) -> Option<ChosenValue> {
    let text = text?;
    let (words, change) = plain(text);
    (!trimmed(&words).is_empty()).then(|| ChosenValue::own(text.value.mark, words, change))
}

/// The content of an entry, if people can read it: content of a type that is neither text nor XML is Base64.
pub(super) fn readable_content<'e>(entry: &'e Entry<'e>) -> Option<&'e Text<'e>> {
    let coded = entry.content_type.as_ref().is_some_and(|kind| !mime::is_text_or_xml(&kind.value));
    entry.content.as_ref().filter(|_| !coded)
}

/// Whether there is more in a text than markup.
pub(super) fn has_words(text: &Text<'_>) -> bool {
    match text.kind {
        TextKind::Plain => !trimmed(&text.value).is_empty(),
        TextKind::Html | TextKind::Xhtml => words(Some(text)).is_some(),
    }
}

/// Makes a title for a video without one (S-V2).
pub(super) fn made_title(file: Option<&File<'_>>, beside: &VideoSurroundings<'_, '_>) -> Option<ChosenValue> {
    if beside.options.no_synth {
        return None;
    }
    let entry = beside.entry;
    let news = || entry.news.as_ref().and_then(|news| news.title.as_ref());
    words(entry.title.as_ref())
        .map(|picked| picked.with_substitution(Reason::GeneratedTitle))
        .or_else(|| {
            let title = news()?;
            let picked = ChosenValue::own(title.mark, title.value.to_string(), None);
            Some(picked.with_substitution(Reason::GeneratedTitle))
        })
        .or_else(|| {
            let mut picked = beside.texts.summary(entry)?;
            picked.text = picked.text.split_whitespace().collect::<Vec<_>>().join(" ");
            picked.text = cut::cut(&picked.text, TITLE).unwrap_or(picked.text);
            Some(ChosenValue { made: Some(Reason::TitleFromText), derived: true, ..picked })
        })
        .or_else(|| {
            let url = file.and_then(|file| file.url.as_ref())?;
            let stem = url::file_stem(&url.value)?.into_owned();
            Some(ChosenValue::derived(url.mark, stem, Reason::TitleFromFileName))
        })
}

/// How long a title may be in Media RSS for Google, and how much of a summary makes one.
pub(super) const TITLE: usize = 100;

/// How long a description may be (Google, 2025, and the schema).
pub(super) const DESCRIPTION: usize = 2048;

/// Makes a description for a video without one (S-V3); in the end of its title.
pub(super) fn made_description(title: Option<&ChosenValue>, beside: &VideoSurroundings<'_, '_>) -> Option<ChosenValue> {
    if beside.options.no_synth {
        return None;
    }
    let entry = beside.entry;
    let stands_in = |text: ChosenValue| text.with_substitution(Reason::GeneratedDescription);
    let module = |name: &str| {
        let value = entry.module(name)?.value.as_ref().filter(|value| !value.value.trim().is_empty())?;
        let picked = ChosenValue::own(value.mark, html::to_plain(&value.value), None);
        Some(picked.with_substitution(Reason::GeneratedDescription))
    };
    let of_entry = || beside.texts.summary(entry).or_else(|| beside.texts.content(entry)).map(stands_in);
    module("itunes:summary").or_else(of_entry).or_else(|| module("itunes:subtitle")).or_else(|| {
        let title = title?;
        let text = title.text.clone();
        Some(ChosenValue::derived(title.mark, text, Reason::DescriptionFromTitle))
    })
}

/// The first value of an iTunes element of an episode that can be read, or of the equivalent element of Google Play.
pub(super) fn of_episode<'e, T>(
    entry: &'e Entry<'_>,
    element: &str,
    read: impl Fn(&'e str) -> Option<T>,
) -> Option<(&'e Str<'e>, T)> {
    let said = |ns: &str| {
        let is_it = |name: &str| name.strip_prefix(ns).and_then(|rest| rest.strip_prefix(':')) == Some(element);
        let mut values =
            entry.modules.iter().filter(|module| is_it(&module.name)).filter_map(|module| module.value.as_ref());
        values.find_map(|leaf| Some((leaf, read(&leaf.value)?)))
    };
    said("itunes").or_else(|| said("googleplay"))
}

/// Settles the numbers of an episode, of which its video has the same or others.
pub(super) fn settle_episode(entry: &Entry<'_>, tv: &Tv<'_>, out: &mut Out<'_, '_>) {
    for (name, number) in [("itunes:season", &tv.season), ("itunes:episode", &tv.episode)] {
        let module = entry.module(name).and_then(|module| module.value.as_ref());
        let (Some(module), Some(number)) = (module, number) else { continue };
        match module.value.trim() == number.value.to_string() {
            true => out.books().merged_with(module.mark, number.mark, Reason::SameValue),
            false => out.books().lost(module.mark, Reason::OtherValue),
        }
    }
}

/// Loses values of an episode whose only video has others, if the target has a place for them.
pub(super) fn lose_overruled(entry: &Entry<'_>, has_place: impl Fn(Field) -> bool, books: &mut Books) {
    for (_, mark) in episode::overruled(entry).filter(|(field, _)| has_place(*field)) {
        if !books.settled(mark) {
            books.lost(mark, Reason::OtherValue);
        }
    }
}

/// Settles a date of publication that is not written, where another one is: two of one instant are one date.
pub(super) fn settle_date(date: &Leaf<Date>, chosen: &Leaf<Date>, why: Reason, books: &mut Books) {
    match date.value.instant() == chosen.value.instant() {
        true => books.merged_with(date.mark, chosen.mark, Reason::SameValue),
        false => books.lost(date.mark, why),
    }
}

/// How long an episode is, which is how long its only video is (A1.8).
pub(super) fn episode_length(entry: &Entry<'_>) -> Option<(Mark, Seconds)> {
    let is_alone = entry.videos.len() == 1;
    let (leaf, length) = of_episode(entry, "duration", |text| Some(Seconds::parse(text)?.0).filter(|_| is_alone))?;
    Some((leaf.mark, length))
}

/// Settles the name of the publication of which the title of a feed without one is made (S-R1).
pub(super) fn settle_publication(entry: &Entry<'_>, setup: &Setup<'_>, books: &mut Books) {
    let called = setup.survey.news_name.as_deref().filter(|_| setup.feed.title.is_none());
    let name = entry.news.as_ref().and_then(|news| news.name.as_ref());
    if let Some(name) = name.filter(|name| called == Some(name.as_str())) {
        books.lost(name.mark, Reason::SameAsFeedTitle);
    }
}

/// The keywords of an episode, if there are any (A1.8).
pub(super) fn episode_keywords<'e>(entry: &'e Entry<'_>) -> Option<(Mark, &'e str)> {
    let (leaf, _) = of_episode(entry, "keywords", |text| keywords(text).next())?;
    Some((leaf.mark, &leaf.value))
}

/// The keywords of the article that a page is, which are categories of the page. Beside videos they would come back as
/// theirs.
pub(super) fn article_keywords<'e, 'a>(entry: &'e Entry<'a>, books: &mut Books) -> Option<&'e Str<'a>> {
    let keywords = entry.news.as_ref()?.keywords.as_ref()?;
    if !entry.videos.is_empty() {
        books.lost(keywords.mark, Reason::ArticleOfPage);
        return None;
    }
    if episode::keywords(&keywords.value).next().is_none() {
        books.lost(keywords.mark, Reason::InvalidValue);
        return None;
    }
    Some(keywords)
}

/// Whether the episode of a podcast is explicit, by its own element or that of the head (A1.8). One whose own word is unknown is
/// not clean because its channel is.
pub(super) fn explicit(entry: &Entry<'_>, feed: &Feed<'_>) -> Option<(Mark, bool)> {
    if let Some((leaf, said)) = of_episode(entry, "explicit", is_explicit) {
        return Some((leaf.mark, said));
    }
    let is_unclear = of_episode(entry, "explicit", |word| (!word.trim().is_empty()).then_some(())).is_some();
    let of_feed = feed.explicit.as_ref().filter(|leaf| leaf.value || !is_unclear);
    of_feed.map(|leaf| (leaf.mark, leaf.value))
}

/// Whether a category is meant for programs (the kind of an entry in Google Data APIs: `…/2005#kind`), not for people.
pub(super) fn is_kind(category: &Category<'_>) -> bool {
    category.scheme.as_ref().is_some_and(|scheme| scheme.value.trim().ends_with("#kind"))
}

/// The labels that categories with different terms have in common. Such a label is not the name of one of them.
pub(super) fn shared_labels<'c>(categories: impl Iterator<Item = &'c Category<'c>>) -> HashSet<&'c str> {
    let mut terms = HashMap::new();
    let named = categories.filter_map(|category| Some((category.label.as_ref()?, category.term.as_ref()?)));
    let is_shared = |(label, term): (&'c Str<'c>, &'c Str<'c>)| {
        let first = *terms.entry(label.as_str()).or_insert(term.as_str());
        (first != term.as_str()).then_some(label.as_str())
    };
    named.filter_map(is_shared).collect()
}

/// The name of a category for people: its label, unless others share it, else its term.
pub(super) fn category_name<'c, 'e>(category: &'c Category<'e>, shared: &HashSet<&str>) -> Option<&'c Str<'e>> {
    let label = category.label.as_ref().filter(|label| category.term.is_none() || !shared.contains(label.as_str()));
    label.or(category.term.as_ref())
}

/// The words of a text, with the change that leaving its markup out means.
pub(super) fn plain(text: &Text<'_>) -> (String, ValueChange) {
    let given = text.value.as_str();
    match text.kind {
        TextKind::Plain => (given.to_owned(), None),
        TextKind::Html | TextKind::Xhtml => {
            let words = html::to_plain(given);
            let change = (words != given).then_some(Reason::AsPlainText);
            (words, change)
        }
    }
}

/// The change, if a sitemap requires a URL in its normal form.
pub(super) fn normalized(given: &str, written: &str) -> ValueChange {
    (trimmed(given) != written).then_some(Reason::ValidUrl)
}

/// A URL in the form that a sitemap requires, or with `iri` allows, and the change, if any.
pub(super) fn address(given: &str, iri: bool) -> (String, ValueChange) {
    let written = if iri { url::normalize_iri(given) } else { url::normalize_for_sitemap(given) };
    let change = normalized(given, &written);
    (written.into_owned(), change)
}

/// The player of a known platform for a watch page, if it is not the page itself.
pub(super) fn player_url(address: &str, page: Option<&Address<'_>>) -> Option<String> {
    let player = embed::player(address, page.and_then(|page| url::host(&page.url)))?;
    let is_page = page.is_some_and(|page| url::is_same(&player, &page.url));
    (player != address && !is_page).then_some(player)
}

/// How a target takes the URLs of players.
pub(super) struct PlayerChoice<'f> {
    /// Whether it takes this one, which is no page.
    pub takes: &'f dyn Fn(&Str<'_>) -> bool,
    /// The URL as it is written.
    pub spelled: &'f dyn Fn(&Str<'_>) -> ChosenValue,
    /// The player of a known platform in place of its watch page.
    pub rewritten: &'f dyn Fn(&str) -> Option<String>,
}

impl PlayerChoice<'_> {
    /// The player (A3): the video's own, else that of its embedded form, else the file that is one.
    pub fn choose(&self, [own, embed, file]: [Option<&Str<'_>>; 3]) -> Option<ChosenValue> {
        let taken = |leaf: Option<&Str<'_>>| {
            let leaf = leaf.filter(|leaf| (self.takes)(leaf))?;
            Some(self.player(leaf).unwrap_or_else(|| (self.spelled)(leaf)))
        };
        let played = || {
            let leaf = file?;
            let as_player = || ChosenValue { change: Some(Reason::UsedAsPlayer), ..(self.spelled)(leaf) };
            self.player(leaf).or_else(|| (self.takes)(leaf).then(as_player))
        };
        taken(own)
            .or_else(|| Some(taken(embed)?.moved(Reason::UsedForVideo)))
            .or_else(|| self.player(own?))
            .or_else(played)
    }

    fn player(&self, leaf: &Str<'_>) -> Option<ChosenValue> {
        let player = (self.rewritten)(&leaf.value)?;
        Some(ChosenValue::own(leaf.mark, player, Some(Reason::PlayerUrl)))
    }

    /// A player derived from the page or the platform's id, for a video with nothing else to play.
    pub fn of_platform(&self, video: &Video<'_>, page: Option<&Address<'_>>) -> Option<ChosenValue> {
        let why = Reason::GeneratedPlayer;
        let of_page = page.and_then(|page| Some(ChosenValue::derived(page.mark, (self.rewritten)(&page.url)?, why)));
        of_page.or_else(|| {
            let id = youtube_number(video)?;
            let player = format!("https://www.youtube.com/embed/{}", id.value);
            Some(ChosenValue::derived(id.mark, player, why))
        })
    }
}

/// A usable thumbnail of a video; for a search engine, one that it can fetch and that has at least this size.
pub(super) fn usable_thumbnail<'e>(
    video: &'e Video<'e>,
    file: Option<&'e File<'e>>,
    rule: ThumbnailRule,
    least: Option<(u64, u64)>,
) -> Option<ChosenValue> {
    let is_usable = |thumbnail: &&Thumbnail<'_>| {
        thumbnail.url.as_ref().is_some_and(|leaf| {
            least.is_none_or(|least| {
                !is_small(thumbnail, least)
                    && !is_avatar(&leaf.value)
                    && url::is_http(&url::normalize_for_sitemap(&leaf.value))
            })
        })
    };
    let usable: Vec<_> = effective_list!(video, file, thumbnails).iter().filter(is_usable).collect();
    let leaf = best_thumbnail(&usable, rule)?.url.as_ref()?;
    Some(ChosenValue::own(leaf.mark, leaf.value.to_string(), None))
}

/// The date of a video, else, if it may be `made`, that of the page, else when the page was changed; as the format spells it.
pub(super) fn date_of_video<'e>(
    video: &'e Video<'e>,
    file: Option<&'e File<'e>>,
    entry: &'e Entry<'e>,
    made: bool,
    spell: impl Fn(&Date) -> (String, ValueChange),
) -> Option<ChosenValue> {
    let chosen = |date: &Leaf<Date>| {
        let (text, change) = spell(&date.value);
        ChosenValue::own(date.mark, text, change)
    };
    if let Some(own) = effective!(video, file, published) {
        return Some(chosen(own));
    }
    let of_page = entry.published.as_ref().or(entry.updated.as_ref()).filter(|_| made)?;
    Some(chosen(of_page).with_substitution(Reason::DateOfPage))
}

/// Settles the URL that an entry gives for its page, where another one is written (S-M2): it may be in the output as that
/// of a file.
pub(super) fn settle_other_page<'e>(entry: &'e Entry<'e>, out: &mut Out<'_, 'e>) {
    let Some(loc) = &entry.loc else { return };
    let is_same = url::is_same_as(&loc.value);
    let files = entry.videos.iter().flat_map(|video| &video.files).filter_map(|file| file.url.as_ref());
    let mut same = files.filter(|url| url.mark != loc.mark && is_same(&url.value));
    match same.find(|url| out.books().is_written(url.mark)) {
        Some(url) => out.books().merged_with(loc.mark, url.mark, Reason::SameValue),
        None => out.drop(&entry.loc, Field::Loc, Reason::NotPage),
    }
}

/// Settles values that are not written although the format has a place for them: another value is.
pub(super) fn settle_unwritten<'w>(out: &mut Out<'_, '_>, walk: impl Fn(&mut dyn FnMut(LeafView<'w>))) {
    settle_open(Reason::OtherValue, out, walk);
}

/// The same for the values of a head, some of which videos inherit; what a video inherits is settled better when that is
/// written.
pub(super) fn settle_head(feed: &Feed<'_>, out: &mut Out<'_, '_>) {
    settle_open(Reason::PageValue, out, |visit| {
        feed.media.walk((), visit);
        feed.explicit.walk(Field::FeedExplicit, visit);
    });
    settle_unwritten(out, |visit| feed.walk((), visit));
}

fn settle_open<'w>(why: Reason, out: &mut Out<'_, '_>, walk: impl Fn(&mut dyn FnMut(LeafView<'w>))) {
    let table = out.table();
    walk(&mut |seen: LeafView<'w>| {
        if table(seen.field).name().is_some() && !out.books().settled(seen.mark) {
            out.books().lost(seen.mark, why);
        }
    });
}
