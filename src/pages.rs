//! Which page an entry belongs to, and how entries of one page become one (rules S-M1, S-M2, A5). Only for targets
//! that list pages; how a page is written is theirs.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Serialize;

use crate::format::medium::{self, is_avatar, video_key};
use crate::format::sitemap::news::is_article;
use crate::format::{Family, Setup};
use crate::model::origin::Preset;
use crate::model::record::PartJoiner;
use crate::model::refers::{UrlContent, refers};
use crate::model::renumber::renumber;
use crate::model::{
    Enclosure, Entry, Field, File, Image, Leaf, LeafView, Link, Mark, News, Str, Thumbnail, Value, Video, Walk,
};
use crate::reason::Reason;
use crate::text::{embed, mime, url};
use crate::work;
use crate::xml::names::Ns;

/// The URL of an entry's page.
pub(crate) struct Address<'e> {
    /// As a sitemap holds it.
    pub url: Cow<'e, str>,
    /// As the source has it.
    pub given: &'e str,
    /// The leaf it came from.
    pub mark: Mark,
    /// The field of that leaf: `loc`, or its replacement.
    pub field: Field,
    /// It is its own key.
    settled: bool,
}

impl Address<'_> {
    /// The same, with characters beyond ASCII as they are where that is asked for (`--iri`).
    pub fn spelt(self, iri: bool) -> Self {
        if iri { Address { url: url::normalize_iri(self.given), ..self } } else { self }
    }
}

/// The URL that the entry itself gives for its page, valid or not.
pub(crate) fn page<'e>(entry: &'e Entry<'_>) -> Option<&'e str> {
    entry.loc.as_ref().map(|loc| loc.as_str())
}

/// The page that a sitemap or a list of URLs names for an entry of this family (S-M1, S-M2).
pub(crate) fn address<'e>(entry: &'e Entry<'_>, family: &'static Family) -> Option<Address<'e>> {
    let own = entry.loc.as_ref().map(|leaf| (leaf, if is_of_id(leaf) { Field::Id } else { Field::Loc }));
    let permalink = entry.id.as_ref().filter(|_| is_permalink(entry, family.permalinks)).map(|leaf| (leaf, Field::Id));
    let links = replacements(entry, family).take(MOST_LINKS);
    own.into_iter().chain(permalink).chain(links).find_map(|(leaf, field)| {
        let settled = url::is_settled(&leaf.value);
        let written = if settled { Cow::Borrowed(&*leaf.value) } else { url::normalize_for_sitemap(&leaf.value) };
        let usable = (settled || url::is_http(&written)) && !is_media(entry, &leaf.value, family);
        usable.then(|| Address { url: written, given: &leaf.value, mark: leaf.mark, field, settled })
    })
}

/// Gives an item of RSS that names no page the one that its permanent `guid` is (S-M1). It is the same leaf. A relative one
/// is a page only where it is expressly permanent and looks like a path: others are numbers and words.
pub(crate) fn permalink(entry: &mut Entry<'_>) {
    let is_said = entry.id_is_permalink.as_ref().is_some_and(|said| said.value);
    let is_relative = |id: &str| is_said && id.contains(['/', '.']) && is_relative(id);
    let id = entry.id.as_ref().filter(|id| entry.loc.is_none() && (url::is_http(&id.value) || is_relative(&id.value)));
    let id = id.filter(|id| is_permalink(entry, true) && !is_listed_media(entry, &id.value));
    entry.loc = entry.loc.take().or_else(|| id.map(|id| Leaf { via: Some(Ns::Rss2), ..id.clone() }));
}

/// Whether the URL of a page comes from its `guid`, because no other element of RSS gives one.
pub(crate) fn is_of_id(loc: &Str<'_>) -> bool {
    loc.via == Some(Ns::Rss2)
}

/// What two entries of one page have in common (A4); `None` for an entry without a page. Rows of a table have it even where
/// their URL is not absolute, because each video of a page has a row.
pub(crate) fn key<'e>(entry: &'e Entry<'_>, family: &'static Family) -> Option<Cow<'e, str>> {
    let page = address(entry, family).map(|page| match page.url {
        Cow::Borrowed(url) if page.settled => Cow::Borrowed(url),
        Cow::Borrowed(url) => url::key(url),
        Cow::Owned(url) => Cow::Owned(url::key(&url).into_owned()),
    });
    let of_row = || page_of_row(entry).filter(|_| family.is_table());
    page.or_else(of_row)
}

/// The URL of a page as a row gives it, else its id, which begins with a character that no URL has.
fn page_of_row<'e>(entry: &'e Entry<'_>) -> Option<Cow<'e, str>> {
    let given = |leaf: &'e Option<Str<'_>>| leaf.as_ref().map(|leaf| leaf.value.trim()).filter(|text| !text.is_empty());
    let id = || given(&entry.id).map(|id| Cow::Owned(format!("\n{id}")));
    given(&entry.loc).map(url::key).or_else(id)
}

/// Whether a URL needs a base. Text with spaces is not a URL.
fn is_relative(address: &str) -> bool {
    let address = address.trim();
    !address.is_empty() && !address.contains(char::is_whitespace) && url::scheme(address).is_none()
}

/// Why an entry without a page is dropped, and which option would help.
pub(crate) fn no_page(entry: &Entry<'_>) -> Reason {
    let is_other = |loc: &Str<'_>| url::scheme(&loc.value).is_some() && !url::is_http(&loc.value);
    match &entry.loc {
        Some(loc) if is_relative(&loc.value) => Reason::RelativePage,
        Some(loc) if is_other(loc) => Reason::PageScheme,
        Some(loc) if url::is_http(&loc.value) => Reason::MediaPage,
        _ => Reason::NoPage,
    }
}

/// Whether no reader understood anything of the entry: there is nothing to drop.
pub(crate) fn is_unread(entry: &Entry<'_>) -> bool {
    let mut unread = true;
    entry.each_leaf(&mut |seen| unread &= seen.field == Field::Foreign);
    unread
}

/// Whether a feed would hold an empty entry for it: nothing was understood, and what was not has no place there. An
/// entry that was empty already stays in its own family.
pub(crate) fn is_idle(entry: &Entry<'_>, same_family: bool) -> bool {
    let stray = |path: &str| path.rsplit_once('/').is_none_or(|(_, step)| step == "text()");
    let nothing = || !entry.foreign.is_empty() && entry.foreign.iter().all(|item| stray(&item.path));
    is_unread(entry) && (!same_family || nothing())
}

/// RSS 2.0: a `guid` is a permalink unless it is marked otherwise. An Atom `id` never is.
fn is_permalink(entry: &Entry<'_>, by_default: bool) -> bool {
    match &entry.id_is_permalink {
        Some(said) => said.value,
        None => by_default,
    }
}

/// Whether a link leads to the page, or to it in another language or for another device.
fn is_alternate(link: &Link<'_>) -> bool {
    link.rel.as_ref().is_none_or(|rel| rel.value == "alternate")
}

/// The links of an entry without a usable page that are tried, at most.
pub(crate) const MOST_LINKS: usize = 64;

/// Links that may replace the page: alternates (HTML first, then those without a type, then any), then `via`. In feeds, one
/// in a language is an alternate too.
fn replacements<'e>(
    entry: &'e Entry<'_>,
    family: &'static Family,
) -> impl Iterator<Item = (&'e Leaf<Cow<'e, str>>, Field)> {
    let is_via = |link: &Link<'_>| link.rel.as_ref().is_some_and(|rel| rel.value == "via");
    let kind = |link: &Link<'_>| match link.kind.as_ref() {
        Some(kind) if mime::is_html(&kind.value) => 0,
        None => 1,
        Some(_) => 2,
    };
    let links = || entry.links.iter().map(|link| (link, Field::LinkHref));
    let translated = move || {
        let alternates = entry.alternates.iter().filter(|_| !family.lists_pages());
        alternates.map(|link| (link, Field::AlternateHref))
    };
    let alternates = (0..3).flat_map(move |rank| {
        let all = links().filter(move |(link, _)| is_alternate(link)).chain(translated());
        all.filter(move |(link, _)| kind(link) == rank)
    });
    let via = links().filter(move |(link, _)| is_via(link));
    alternates.chain(via).filter_map(|(link, field)| Some((link.href.as_ref()?, field)))
}

/// Whether a feed gives the URL of a media file as that of the page (S-M2), judging by its extension or by the type of
/// the link or the file with that URL. A page may also be listed as a file of its own video, most often on a known platform.
/// Sitemaps are trusted.
pub(crate) fn is_media(entry: &Entry<'_>, address: &str, family: &'static Family) -> bool {
    !family.lists_pages() && is_listed_media(entry, address)
}

/// Whether a URL is that of a media file, by its extension or by a link or a file of the entry with that URL.
fn is_listed_media<'e>(entry: &'e Entry<'_>, address: &str) -> bool {
    let is_media = |medium| matches!(medium, Some(mime::Medium::Video | mime::Medium::Audio));
    let by_name = mime::medium_of_url(address);
    if is_media(by_name) {
        return true;
    }
    let is_typed = |file: &&File<'_>| {
        let kind = file.kind.as_ref().filter(|kind| !mime::is_html(&kind.value));
        by_name == Some(mime::Medium::Image) || kind.is_some_and(|kind| mime::medium_of_type(&kind.value).is_some())
    };
    let files = entry.videos.iter().flat_map(|video| &video.files).inspect(|_| work::count(1));
    let typed = files.filter(is_typed);
    let files = typed.filter_map(|file| file.url.as_ref());
    // one without a URL describes that of the page
    let href = |link: &'e Link<'_>| link.href.as_ref().or(entry.loc.as_ref().filter(|_| is_alternate(link)));
    let links = entry
        .links
        .iter()
        .chain(&entry.alternates)
        .filter(|link| link.kind.as_ref().is_some_and(|kind| is_media(mime::medium_of_type(&kind.value))));
    let is_same = url::is_same_as(address);
    files.chain(links.filter_map(href)).any(|url| is_same(&url.value)) && !embed::is_embed_host(address)
}

/// Whether the URL of the page is a film, the video has no file, and another URL names the page (S-M2).
pub(crate) fn is_film(entry: &Entry<'_>, setup: &Setup<'_>) -> bool {
    let family = setup.source.family;
    let is_film = |loc: &Str<'_>| !is_of_id(loc) && mime::medium_of_url(&loc.value) == Some(mime::Medium::Video);
    setup.target.family.lists_pages()
        && !family.lists_pages()
        && entry.loc.as_ref().is_some_and(is_film)
        && entry.videos.len() < 2
        && !entry.videos.iter().flat_map(|video| &video.files).any(|file| file.url.is_some())
        && address(entry, family).is_some()
}

/// Gives the URL of the page to the file of the video; without a video, to that of one with the values of the entry.
pub(crate) fn take_film(entry: &mut Entry<'_>) {
    let Some(url) = entry.loc.take() else { return };
    if let Some(record) = entry.origin.records.get_mut(url.mark.0 as usize)
        && record.preset == Preset::Open
    {
        record.preset = Preset::Adjusted(Reason::UsedForVideo);
    }
    if entry.videos.is_empty() {
        entry.videos.push(entry.media.as_deref().cloned().unwrap_or_default());
    }
    let Some(video) = entry.videos.first_mut() else { return };
    match video.files.first_mut() {
        Some(file) => file.url = Some(url),
        None => video.files.push(File { url: Some(url), ..File::default() }),
    }
}

/// Whether the only image of a page without a video lacks a title or a caption that Media RSS gives for the page, and the
/// target has no other element for it.
pub(crate) fn lacks_caption(entry: &Entry<'_>, setup: &Setup<'_>) -> bool {
    let says = |page: &Video<'_>, image: &Image<'_>| {
        page.title.is_some() && image.title.is_none() || page.description.is_some() && image.caption.is_none()
    };
    let target = setup.target.family;
    let only = || Some((medium::of_page(entry)?, entry.images.first().filter(|_| entry.images.len() == 1)?));
    (target.lists_pages() || target.is_table()) && only().is_some_and(|(page, image)| says(page, image))
}

/// Gives the texts of the page to its only image.
pub(crate) fn take_caption(entry: &mut Entry<'_>) {
    let Entry { media: Some(page), images, origin, .. } = entry else { return };
    let Some(image) = images.first_mut() else { return };
    for (said, slot) in [(&mut page.title, &mut image.title), (&mut page.description, &mut image.caption)] {
        let Some(text) = said.take_if(|_| slot.is_none()) else { continue };
        if let Some(record) = origin.records.get_mut(text.value.mark.0 as usize)
            && record.preset == Preset::Open
        {
            record.preset = Preset::Adjusted(Reason::OtherElement);
        }
        *slot = Some(text);
    }
}

/// Whether a page has a thumbnail but neither a video nor an image, and the target has columns only for those.
pub(crate) fn lacks_picture(entry: &Entry<'_>, setup: &Setup<'_>) -> bool {
    let is_shown = |page: &Video<'_>| page.thumbnails.iter().any(is_picture_of_page);
    setup.target.family.is_table() && entry.images.is_empty() && medium::of_page(entry).is_some_and(is_shown)
}

fn is_picture_of_page(thumbnail: &Thumbnail<'_>) -> bool {
    thumbnail.url.as_ref().is_some_and(|url| !is_avatar(&url.value))
}

/// Makes the thumbnail of the page its image.
pub(crate) fn take_thumbnail(entry: &mut Entry<'_>) {
    let thumbnails = entry.media.iter_mut().flat_map(|page| &mut page.thumbnails);
    let mut pictures = thumbnails.filter(|thumbnail| is_picture_of_page(thumbnail));
    let Some(url) = pictures.next().and_then(|thumbnail| thumbnail.url.take()) else { return };
    if let Some(record) = entry.origin.records.get_mut(url.mark.0 as usize)
        && record.preset == Preset::Open
    {
        record.preset = Preset::Adjusted(Reason::UsedForEntry);
    }
    entry.images.push(Image { loc: Some(url), ..Image::default() });
}

/// Joins all entries of one page into one. The first one's values win; every other leaf that is not in the result is
/// noted as merged. In Atom, entries with one `id` are `revisions` of one entry: the one updated last represents all.
/// Takes time linear in the size of the entries.
pub(crate) fn join(first: &mut Entry<'static>, mut others: Vec<Entry<'static>>, revisions: bool) {
    let outdated = if revisions { revise(first, &mut others) } else { Vec::new() };
    PageJoin::default().add(first, others, outdated);
}

/// The joining of the entries of one page, some of them at a time: what is to be known of those before.
#[derive(Default)]
pub(crate) struct PageJoin {
    /// Some entries were added.
    begun: bool,
    /// One of them had videos, which may be gone.
    videos: bool,
}

impl PageJoin {
    /// Adds entries to the first, and older revisions of some that it consists of by then.
    pub fn add(&mut self, first: &mut Entry<'static>, others: Vec<Entry<'static>>, outdated: Vec<Entry<'static>>) {
        let mut joiner = Joiner::default();
        joiner.note_values(first);
        joiner.own(first);
        let has_videos = |entry: &Entry<'_>| !entry.videos.is_empty();
        let apart = !others.is_empty() && (self.videos || std::iter::once(&*first).chain(&others).any(has_videos));
        let mut said = std::mem::take(&mut first.origin.joined);
        if apart && !self.begun {
            said.push((0, page_values(first)));
        }
        self.begun = true;
        self.videos |= has_videos(first);
        for mut other in others {
            let by = absorb(first, &mut other);
            joiner.note_values(&other);
            if apart {
                said.push((by, page_values(&mut other)));
            }
            self.videos |= has_videos(&other);
            merge_entry(first, other, &mut joiner);
        }
        for mut entry in outdated {
            absorb(first, &mut entry);
            joiner.outdated(first, &entry);
        }
        joiner.note(first);
        first.origin.joined = said;
    }
}

/// The values of an entry about its page, for its own videos: of the videos, only their number.
fn page_values(entry: &mut Entry<'static>) -> Entry<'static> {
    let (foreign, origin) = (std::mem::take(&mut entry.foreign), std::mem::take(&mut entry.origin));
    let videos = std::mem::take(&mut entry.videos);
    let mut said = entry.clone();
    said.videos.resize_with(videos.len(), Video::default);
    (entry.foreign, entry.origin, entry.videos) = (foreign, origin, videos);
    said
}

/// Puts the records of an entry behind those of the first, and numbers its leaves by them: from the number it returns.
fn absorb(first: &mut Entry<'static>, other: &mut Entry<'static>) -> u32 {
    let by = first.origin.absorb(std::mem::take(&mut other.origin));
    other.marks(&mut |mark| {
        if mark.is_some() && !mark.of_feed() {
            mark.0 += by;
        }
    });
    by
}

/// Leaves the last revision of each entry, and returns the others (A5).
fn revise(first: &mut Entry<'static>, others: &mut Vec<Entry<'static>>) -> Vec<Entry<'static>> {
    let updated = |entry: &Entry<'_>| entry.updated.as_ref().map(|leaf| leaf.instant());
    let mut newest: HashMap<String, usize> = HashMap::new();
    let (mut kept, mut outdated): (Vec<Entry<'static>>, Vec<_>) = (Vec::new(), Vec::new());
    for mut entry in std::iter::once(std::mem::take(first)).chain(others.drain(..)) {
        let id = entry.id.as_ref().map(|id| id.to_string());
        let known = id.as_ref().and_then(|id| newest.get(id)).and_then(|index| kept.get_mut(*index));
        match known {
            Some(last) => {
                if updated(&entry) > updated(last) {
                    std::mem::swap(&mut entry, last);
                }
                outdated.push(entry);
            }
            None => {
                newest.extend(id.map(|id| (id, kept.len())));
                kept.push(entry);
            }
        }
    }
    let mut kept = kept.into_iter();
    *first = kept.next().unwrap_or_default();
    others.extend(kept);
    outdated
}

fn has_duplicates(keys: impl Iterator<Item = String>) -> bool {
    let mut seen = std::collections::HashSet::new();
    keys.into_iter().any(|key| !seen.insert(key))
}

/// Whether an entry attaches a file twice that the target names once.
pub(crate) fn attaches_twice(entry: &Entry<'_>, setup: &Setup<'_>) -> bool {
    !setup.same_family
        && entry.enclosures.len() > 1
        && has_duplicates(entry.enclosures.iter().filter_map(enclosure_key))
}

/// Names each attached file once, with what any of its names has (A2.4).
pub(crate) fn join_enclosures(entry: &mut Entry<'_>) {
    let mut log = Joiner::default();
    log.note_values(entry);
    let enclosures = std::mem::take(&mut entry.enclosures);
    log.keyed((0, "enclosures"), &mut entry.enclosures, enclosures, enclosure_key, merge_enclosure);
    log.note(entry);
}

/// Whether a page lists a video or an image twice.
pub(crate) fn repeats(entry: &Entry<'_>) -> bool {
    entry.videos.len() > 1 && has_duplicates(entry.videos.iter().filter_map(video_key))
        || entry.images.len() > 1 && has_duplicates(entry.images.iter().filter_map(image_key))
}

/// A list of the result: whose it is (0 for the entry's own), and its name.
type ListPlace = (u32, &'static str);

/// The values of one field in a part.
struct FieldValues {
    /// The first of them.
    first: Mark,
    /// The first leaf with each value.
    values: HashMap<String, Mark>,
}

/// The joining of the entries of one page: what is known of the result, kept from one entry to the next.
#[derive(Default)]
struct Joiner {
    /// Leaves that another one represents.
    log: Vec<(Mark, Preset)>,
    /// The field and the value of each leaf of the entries.
    said: HashMap<Mark, (Field, String)>,
    /// The values of a part of the result, by its first mark.
    parts: HashMap<Mark, HashMap<Field, FieldValues>>,
    /// The positions of values in a list of the result, by their keys.
    known: HashMap<ListPlace, HashMap<String, usize>>,
    /// How many items of a list are in `known`.
    filled: HashMap<ListPlace, usize>,
    /// The numbers of members that have lists of their own.
    owners: HashMap<(ListPlace, usize), u32>,
}

impl Joiner {
    /// Looks at the first entry, whose own lists may name a thing twice (A5.3).
    fn own(&mut self, first: &mut Entry<'static>) {
        let (videos, images) = (std::mem::take(&mut first.videos), std::mem::take(&mut first.images));
        let videos = self.keyed((0, "videos"), &mut first.videos, videos, video_key, merge_video);
        let images = self.keyed((0, "images"), &mut first.images, images, image_key, merge_image);
        first.renumber("video:video", &videos);
        first.renumber("image:image", &images);
    }

    /// Stores the log in the records of the entry.
    fn note(self, entry: &mut Entry<'_>) {
        for (mark, preset) in self.log {
            if let Some(record) = entry.origin.records.get_mut(mark.0 as usize) {
                record.preset = preset;
            }
        }
    }

    /// The number of a member of a list, as the owner of lists.
    fn owner(&mut self, place: ListPlace, index: usize) -> u32 {
        let next = self.owners.len() as u32 + 1;
        *self.owners.entry((place, index)).or_insert(next)
    }

    /// Learns what was added to a list.
    fn learn<W>(&mut self, place: ListPlace, slots: &[W], key: impl Fn(&W) -> Option<String>) {
        let filled = self.filled.insert(place, slots.len()).unwrap_or(0);
        let known = self.known.entry(place).or_default();
        for (index, slot) in slots.iter().enumerate().skip(filled) {
            if let Some(key) = key(slot) {
                known.entry(key).or_insert(index);
            }
        }
    }

    fn find(&self, place: ListPlace, key: Option<&String>) -> Option<usize> {
        self.known.get(&place)?.get(key?).copied()
    }

    /// Remembers the values of an entry before it is joined to another.
    fn note_values(&mut self, entry: &Entry<'_>) {
        entry.each_leaf(&mut |seen| {
            if seen.mark.is_some() && !seen.mark.of_feed() {
                self.said.entry(seen.mark).or_insert_with(|| (seen.field, comparable(&seen)));
            }
        });
    }

    /// Merges the whole of the other part into the first: each leaf into an equal one, or into one that overrides it
    /// for this reason.
    fn part<W: Walk>(&mut self, first: &mut W, mut other: W, equal: bool, why: Reason) {
        let mut marks = Vec::new();
        other.marks(&mut |mark| marks.push(*mark));
        let lead = lead(first);
        if !equal && !self.parts.contains_key(&lead) {
            let mut said: HashMap<Field, FieldValues> = HashMap::new();
            first.marks(&mut |mark| {
                if let Some((field, value)) = self.said.get(mark) {
                    let said =
                        said.entry(*field).or_insert_with(|| FieldValues { first: *mark, values: HashMap::new() });
                    said.values.entry(value.clone()).or_insert(*mark);
                }
            });
            self.parts.insert(lead, said);
        }
        let said = self.parts.get(&lead);
        // equal parts have their values in one order
        let mut alike = Vec::new();
        if equal {
            first.marks(&mut |mark| alike.push(*mark));
        }
        for (at, mark) in marks.into_iter().enumerate() {
            let Some((field, value)) = self.said.get(&mark) else { continue };
            let (why, with) = match said.and_then(|said| said.get(field)) {
                _ if equal => {
                    let with = alike.get(at).copied().unwrap_or(lead);
                    (Reason::SameValue, with)
                }
                Some(said) => match said.values.get(value) {
                    Some(with) => (Reason::SameValue, *with),
                    None => (why, said.first),
                },
                None => (why, lead),
            };
            // what both have from a level above them is still there
            if with != mark {
                self.log.push((mark, Preset::Joined(why, *field, with)));
            }
        }
    }

    /// Merges the values of an older revision into the last one; values that only the older one has go with it.
    fn outdated(&mut self, last: &Entry<'static>, older: &Entry<'static>) {
        let (mut said, mut fields) = (HashMap::new(), HashMap::new());
        last.each_leaf(&mut |seen| {
            fields.entry(seen.field).or_insert(seen.mark);
            said.entry((seen.field, comparable(&seen))).or_insert(seen.mark);
        });
        older.each_leaf(&mut |seen| {
            let (same, other) = (said.get(&(seen.field, comparable(&seen))), fields.get(&seen.field));
            let (why, with) = match (same, other) {
                (Some(with), _) => (Reason::SameValue, *with),
                (None, Some(with)) => (Reason::LatestWins, *with),
                (None, None) => (Reason::OlderRevision, Mark::NONE),
            };
            if seen.mark.is_some() && !seen.mark.of_feed() {
                self.log.push((seen.mark, Preset::Joined(why, seen.field, with)));
            }
        });
    }

    /// A single value that was chosen for a reason.
    fn chosen<W: Walk + PartialEq>(&mut self, slot: &mut Option<W>, other: Option<W>, why: Reason) {
        match (slot, other) {
            (_, None) => (),
            (slot @ None, other) => *slot = other,
            (Some(first), Some(other)) => {
                let equal = *first == other;
                self.part(first, other, equal, why);
            }
        }
    }

    /// A list: what the first lacks is added.
    fn list<W: Walk + PartialEq + Serialize>(&mut self, place: ListPlace, slots: &mut Vec<W>, others: Vec<W>) {
        if others.is_empty() {
            return;
        }
        let key = |value: &W| serde_json::to_string(value).ok();
        self.learn(place, slots, key);
        for other in others {
            let found = self.find(place, key(&other).as_ref()).and_then(|index| slots.get_mut(index));
            match found.filter(|first| **first == other) {
                Some(first) => self.part(first, other, true, Reason::FirstWins),
                None => slots.push(other),
            }
        }
    }

    /// Joins a list with one value per key: the first wins. Returns the new position of each of the others; `None` if
    /// it was merged into the first with its key.
    fn keyed<W: Walk>(
        &mut self,
        place: ListPlace,
        slots: &mut Vec<W>,
        others: Vec<W>,
        key: impl Fn(&W) -> Option<String>,
        merge: impl Fn(&mut Joiner, u32, &mut W, W),
    ) -> Vec<Option<usize>> {
        let mut now = Vec::with_capacity(others.len());
        for other in others {
            work::count(1);
            self.learn(place, slots, &key);
            let found = self.find(place, key(&other).as_ref());
            match found.and_then(|index| Some((index, slots.get_mut(index)?))) {
                Some((index, first)) => {
                    let owner = self.owner(place, index);
                    merge(self, owner, first, other);
                    now.push(None);
                }
                None => {
                    now.push(Some(slots.len()));
                    slots.push(other);
                }
            }
        }
        now
    }

    /// The whole of the second goes.
    fn whole<W: Walk + PartialEq>(&mut self, _owner: u32, first: &mut W, other: W) {
        let equal = *first == other;
        self.part(first, other, equal, Reason::FirstWins);
    }
}

/// The value of a leaf in comparable form: two spellings of one URL or one language are equal.
fn comparable(seen: &LeafView<'_>) -> String {
    match (refers(seen.field), seen.value) {
        (UrlContent::Always, Value::Str(address)) => url::key(address).into_owned(),
        (_, Value::Str(tag)) if seen.field == Field::AlternateHreflang => tag.to_ascii_lowercase(),
        (_, value) => value.to_string(),
    }
}

/// The first mark of a part: the leaf that others are merged into.
fn lead<W: Walk>(part: &mut W) -> Mark {
    let mut lead = Mark::NONE;
    part.marks(&mut |mark| {
        if !lead.is_some() {
            lead = *mark;
        }
    });
    lead
}

/// Swaps two values where the second is to win.
fn prefer<T>(slot: &mut Option<Leaf<T>>, other: &mut Option<Leaf<T>>, wins: impl Fn(&T, &T) -> bool) {
    if let (Some(first), Some(second)) = (&*slot, &*other)
        && wins(&second.value, &first.value)
    {
        std::mem::swap(slot, other);
    }
}

fn address_key(address: Option<&Str<'_>>) -> Option<String> {
    address.map(|leaf| url::key(&leaf.value).into_owned())
}

fn image_key(image: &Image<'_>) -> Option<String> {
    address_key(image.loc.as_ref())
}

fn enclosure_key(enclosure: &Enclosure<'_>) -> Option<String> {
    address_key(enclosure.url.as_ref())
}

/// Joins the parts of one owner of lists.
struct OwnerJoiner<'j> {
    log: &'j mut Joiner,
    owner: u32,
}

impl PartJoiner for OwnerJoiner<'_> {
    fn one<W: Walk + PartialEq>(&mut self, slot: &mut Option<W>, other: Option<W>) {
        self.log.chosen(slot, other, Reason::FirstWins);
    }
    fn list<W: Walk + PartialEq + Serialize>(&mut self, name: &'static str, slots: &mut Vec<W>, others: Vec<W>) {
        self.log.list((self.owner, name), slots, others);
    }
}

/// Adds an entry: here what is not decided by the first value alone, the rest by the declaration of the model.
fn merge_entry(first: &mut Entry<'static>, mut other: Entry<'static>, log: &mut Joiner) {
    same_page(&mut first.loc, other.loc.take(), log);
    match (&first.updated, &other.updated) {
        // one that an earlier conversion made counts where there is no other
        (Some(one), Some(another)) if one.is_generated() != another.is_generated() => {
            if one.is_generated() {
                std::mem::swap(&mut first.updated, &mut other.updated);
            }
        }
        _ => prefer(&mut first.updated, &mut other.updated, |second, first| second.instant() > first.instant()),
    }
    log.chosen(&mut first.updated, other.updated.take(), Reason::LatestWins);
    let images = std::mem::take(&mut other.images);
    let images = log.keyed((0, "images"), &mut first.images, images, image_key, merge_image);
    // the page has one article: the first that is whole
    let is_whole = |news: &Option<News<'_>>| news.as_ref().is_some_and(is_article);
    let second = is_whole(&other.news) && !is_whole(&first.news);
    if second {
        std::mem::swap(&mut first.news, &mut other.news);
        first.renumber("news:news", &[None]);
    }
    let articles = [(second || first.news.is_none()).then_some(0)];
    let why = if second { Reason::CompleteNews } else { Reason::FirstWins };
    log.chosen(&mut first.news, other.news.take(), why);
    let hreflang = |link: &Link<'_>| link.hreflang.as_ref().map(|leaf| leaf.value.to_ascii_lowercase());
    let alternates = std::mem::take(&mut other.alternates);
    log.keyed((0, "alternates"), &mut first.alternates, alternates, hreflang, Joiner::whole);
    // an invalid one is only used if there is no other
    prefer(&mut first.priority, &mut other.priority, |second, first| {
        match (second.is_up_to_one(), first.is_up_to_one()) {
            (false, true) => false,
            (true, false) => true,
            _ => second.cmp_num(first).is_gt(),
        }
    });
    log.chosen(&mut first.priority, other.priority.take(), Reason::HighestWins);
    let owner = log.owner((0, "media"), 0);
    merge_media(log, owner, &mut first.media, other.media.take());
    let videos = log.keyed((0, "videos"), &mut first.videos, std::mem::take(&mut other.videos), video_key, merge_video);
    first.modules.append(&mut other.modules);
    let mut foreign = std::mem::take(&mut other.foreign);
    renumber(&mut foreign, "video:video", &videos);
    renumber(&mut foreign, "image:image", &images);
    renumber(&mut foreign, "news:news", &articles);
    // the order of the source does not give the new position of these links
    renumber(&mut foreign, "xhtml:link", &[]);
    first.foreign.append(&mut foreign);
    first.join(other, &mut OwnerJoiner { log, owner: 0 });
}

/// Two spellings of one URL are the same page: the first one is written.
fn same_page(slot: &mut Option<Str<'static>>, other: Option<Str<'static>>, log: &mut Joiner) {
    match (slot, other) {
        (Some(first), Some(other)) => {
            let equal = url::key(&first.value) == url::key(&other.value);
            log.part(first, other, equal, Reason::FirstWins);
        }
        (slot @ None, other) => *slot = other,
        (Some(_), None) => (),
    }
}

/// Keeps for the books the values that the later entry gives to all its videos; the videos have them already.
fn merge_media<'a>(log: &mut Joiner, owner: u32, slot: &mut Option<Box<Video<'a>>>, other: Option<Box<Video<'a>>>) {
    match (slot.as_mut(), other) {
        (Some(first), Some(other)) => merge_video(log, owner, first, *other),
        (None, other) => *slot = other,
        (Some(_), None) => (),
    }
}

/// Two that are one video (A2.6): what the first lacks is added, all else of the second is merged.
fn merge_video<'a>(log: &mut Joiner, owner: u32, first: &mut Video<'a>, mut other: Video<'a>) {
    let key = |file: &File<'a>| address_key(file.url.as_ref());
    log.keyed((owner, "files"), &mut first.files, std::mem::take(&mut other.files), key, merge_file);
    // the first stays as it inherits
    other.inherited.clear();
    merge_player(log, first, &mut other);
    first.join(other, &mut OwnerJoiner { log, owner });
}

/// The attributes of another player go with it.
fn merge_player<'a>(log: &mut Joiner, first: &mut Video<'a>, other: &mut Video<'a>) {
    let (Some(player), Some(another)) = (&mut first.player, &other.player) else { return };
    if address_key(player.url.as_ref()) == address_key(another.url.as_ref()) {
        return;
    }
    let lead = lead(player);
    if first.allow_embed.is_none()
        && let Some(embeds) = other.allow_embed.take()
    {
        log.log.push((embeds.mark, Preset::Joined(Reason::FirstWins, Field::VideoAllowEmbed, lead)));
    }
    if first.autoplay.is_none()
        && let Some(plays) = other.autoplay.take()
    {
        log.log.push((plays.mark, Preset::Joined(Reason::FirstWins, Field::VideoAutoplay, lead)));
    }
}

/// The same rendition named again.
fn merge_file<'a>(log: &mut Joiner, owner: u32, first: &mut File<'a>, mut other: File<'a>) {
    let media = other.media.take();
    first.join(other, &mut OwnerJoiner { log, owner });
    let owner = log.owner((owner, "media"), 0);
    merge_media(log, owner, &mut first.media, media);
}

/// The same image named again: what the first lacks is added.
fn merge_image<'a>(log: &mut Joiner, owner: u32, first: &mut Image<'a>, mut other: Image<'a>) {
    join_files(log, owner, &mut first.file, other.file.take());
    first.join(other, &mut OwnerJoiner { log, owner });
}

/// The same file attached again: what the first lacks is added (A2.4).
fn merge_enclosure<'a>(log: &mut Joiner, owner: u32, first: &mut Enclosure<'a>, mut other: Enclosure<'a>) {
    join_files(log, owner, &mut first.file, other.file.take());
    first.join(other, &mut OwnerJoiner { log, owner });
}

/// Joins the files of two images or two attachments, member by member.
fn join_files<'a>(log: &mut Joiner, owner: u32, first: &mut Option<Box<File<'a>>>, other: Option<Box<File<'a>>>) {
    match (first, other) {
        (Some(first), Some(other)) => {
            let owner = log.owner((owner, "file"), 0);
            merge_file(log, owner, first, *other);
        }
        (slot @ None, file) => *slot = file,
        (Some(_), None) => (),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Foreign;

    fn page(video: &str, markup: &'static str) -> Entry<'static> {
        let file = File { url: Some(format!("https://e.com/{video}.mp4").into()), ..File::default() };
        let videos = vec![Video { files: vec![file], ..Video::default() }];
        let foreign = vec![Foreign { path: markup.into(), ..Foreign::default() }];
        Entry { videos, foreign, ..Entry::default() }
    }

    #[test]
    fn unknown_markup_stays_with_its_video() {
        let mut first = page("a", "url/video:video/x:a");
        join(&mut first, vec![page("a", "url/video:video/x:b"), page("b", "url/video:video/x:c")], false);
        let paths: Vec<&str> = first.foreign.iter().map(|item| &*item.path).collect();
        assert_eq!(paths, ["url/video:video[1]/x:a", "url/video:video[0]/x:b", "url/video:video[2]/x:c"]);
        assert_eq!(first.videos.len(), 2);
    }

    #[test]
    fn a_page_that_lists_a_video_twice_has_it_once() {
        let mut entry = page("a", "url/video:video[3]/x:a");
        entry.videos.extend(page("a", "").videos);
        assert!(repeats(&entry));
        entry.videos.extend(page("b", "").videos);
        join(&mut entry, Vec::new(), false);
        assert_eq!((entry.videos.len(), &*entry.foreign[0].path), (2, "url/video:video[2]/x:a"));
        assert!(!repeats(&entry));
    }
}
