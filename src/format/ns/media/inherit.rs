//! What a video takes over from the levels around it (rule A1): copies with the marks of the originals, which
//! stay where they were given.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::read::same_key;
use crate::format::choice::are_labels;
use crate::format::contract::ReadContext;
use crate::format::medium::{is_film, usual_file};
use crate::model::{Category, Date, Entry, Feed, Leaf, Video, Walk};
use crate::xml::names::Ns;

/// The longest list a level hands down. A default of the whole feed has a few members; copying a longer one into each
/// of its entries would cost more than reading them did.
const HANDED_DOWN: usize = 256;

/// Completes an entry after reading: creates the video of a player without files, and gives every video the values of
/// its levels, nearest first: the default (else the first) rendition, the item, the head; at last the other renditions, for what shows
/// it.
pub fn finish<'a>(entry: &mut Entry<'a>, around: ReadContext<'a>) {
    let plays = |level: &Video<'_>| level.player.is_some() || level.embed.is_some();
    if entry.videos.is_empty()
        && !entry.enclosures.iter().any(super::is_media_enclosure)
        && entry.media.as_deref().is_some_and(plays)
    {
        entry.videos.push(Video::default());
    }
    number(entry);
    availability(entry);
    apply_entry_defaults(entry, around, &[]);
}

/// Gives videos that an entry gets later what its levels say.
pub fn hand_down<'a>(entry: &mut Entry<'a>, around: ReadContext<'a>) {
    apply_entry_defaults(entry, around, &[]);
}

/// `dcterms:available` is the first day of availability, if no period gives it.
fn availability(entry: &mut Entry<'_>) {
    let is_it = |module: &crate::model::Module<'_>| module.name == "dcterms:available" && module.attributes.is_empty();
    let Some(at) = entry.modules.iter().position(is_it) else { return };
    let available = entry.media.as_deref().and_then(|media| media.available.as_ref());
    let free = available.is_none_or(|available| available.start.is_none() && available.name.is_none());
    let Some(leaf) = entry.modules[at].value.as_ref().filter(|_| free) else { return };
    // a date that has to be repaired stays as it was given
    let Some((date, None)) = Date::parse(&leaf.value) else { return };
    let start = Leaf { via: Some(Ns::Dcterms), ..leaf.with(date) };
    entry.modules.remove(at);
    entry.media.get_or_insert_default().available.get_or_insert_default().start = Some(start);
}

/// `yt:videoId` is the id of the only video, or of one that only the platform's elements describe (rule A2.5).
fn number(entry: &mut Entry<'_>) {
    let is_number = |module: &crate::model::Module<'_>| module.name == "yt:videoId" && module.attributes.is_empty();
    let Some(at) = entry.modules.iter().position(is_number) else { return };
    if entry.videos.is_empty() {
        entry.videos.push(Video::default());
    }
    let [video] = entry.videos.as_mut_slice() else { return };
    if let (None, Some(value)) = (&video.id, entry.modules[at].value.take()) {
        entry.modules.remove(at);
        video.id = Some(Leaf { via: Some(Ns::Yt), ..value });
    }
}

/// Ends the reading of an entry whose videos hold copies of what other levels give, by the names in `inherited` (the
/// model as JSON): in place of each copy comes the value of that level, with its mark. Nothing else is handed down.
pub fn restore<'a>(entry: &mut Entry<'a>, around: ReadContext<'a>) {
    let mut named: Vec<Vec<Cow<'a, str>>> = Vec::new();
    for video in &mut entry.videos {
        let names = std::mem::take(&mut video.inherited);
        names.iter().for_each(|name| forget(video, name));
        named.push(names);
    }
    if named.iter().all(Vec::is_empty) {
        return;
    }
    apply_entry_defaults(entry, around, &named);
    for (video, names) in entry.videos.iter_mut().zip(named) {
        let found = std::mem::take(&mut video.inherited);
        found.iter().filter(|name| !names.contains(name)).for_each(|name| forget(video, name));
        video.inherited = names.into_iter().filter(|name| found.contains(name)).collect();
    }
}

/// Copies the values that an entry's videos inherit from its own head into the entry, because it will be written below
/// another head. The videos inherit the same values as before.
pub fn apply_head_defaults<'a>(entry: &mut Entry<'a>, head: &Feed<'a>) {
    if let Some(level) = head.media.as_deref() {
        apply_defaults(entry, level);
    }
}

/// Copies the values of `level`, the channel of the entry in a document of several channels, into the entry.
pub fn apply_defaults<'a>(entry: &mut Entry<'a>, level: &Video<'a>) {
    if entry.videos.is_empty() {
        return;
    }
    let only = has_one_file(&entry.videos);
    let item = entry.media.get_or_insert_default();
    inherit(item, level, true, only, &[]);
    item.inherited.clear();
}

/// Takes from a video what levels give to the only file of an item: it has more of them now (A1.5).
pub fn detach(video: &mut Video<'_>) {
    let (of_one, names): (Vec<_>, Vec<_>) = std::mem::take(&mut video.inherited).into_iter().partition(|name| {
        let list = in_part(name).map_or(&**name, |(list, _)| list);
        matches!(list, "hashes" | "duration")
    });
    of_one.iter().for_each(|name| forget(video, name));
    video.inherited = names;
}

/// Empties an inherited member, or cuts off the inherited part of a list.
pub(super) fn forget(video: &mut Video<'_>, name: &str) {
    match in_part(name) {
        Some(("ratings", own)) => video.ratings.truncate(own),
        Some(("hashes", own)) => video.hashes.truncate(own),
        Some(("categories", own)) => video.categories.truncate(own),
        Some(_) => (),
        None if matches!(name, "files" | "inherited") => (),
        None => {
            video.forget(name);
        }
    }
}

/// Takes the names of members without a value out of `inherited`.
pub(crate) fn forget_names(video: &mut Video<'_>) {
    let mut names = std::mem::take(&mut video.inherited);
    names.retain(|name| {
        let (list, own) = in_part(name).unwrap_or((name, 0));
        let mut member = Video::default();
        member.swap(list, video);
        let is_left = match list {
            "ratings" => member.ratings.len() > own,
            "hashes" => member.hashes.len() > own,
            "categories" => member.categories.len() > own,
            _ => !member.is_blank(),
        };
        member.swap(list, video);
        is_left
    });
    video.inherited = names;
}

/// Reads a name in `inherited` like `categories[2]`: a list of which levels give a part, and the number of its first
/// inherited member. Of other lists they give all or nothing.
pub(in crate::format) fn in_part(name: &str) -> Option<(&str, usize)> {
    let (list, number) = name.strip_suffix(']')?.split_once('[')?;
    let is_shared = matches!(list, "ratings" | "hashes" | "categories");
    Some((list, number.parse().ok()?)).filter(|_| is_shared)
}

/// The names in `inherited` that can mean something: no level gives renditions, and a list begins to be inherited once.
pub(in crate::format) fn meant<'n>(names: impl Iterator<Item = &'n str> + Clone) -> BTreeSet<&'n str> {
    let whole: BTreeSet<&str> = names.clone().filter(|name| in_part(name).is_none()).collect();
    let mut first: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for name in names {
        if let Some((list, number)) = in_part(name).filter(|(list, _)| !whole.contains(list)) {
            let known = first.entry(list).or_insert((number, name));
            *known = (number, name).min(*known);
        }
    }
    let meant = whole.into_iter().filter(|name| !matches!(*name, "files" | "inherited"));
    meant.chain(first.into_values().map(|(_, name)| name)).collect()
}

/// Gives every video what its levels say; `named` is what each is known to inherit, in the model as JSON.
fn apply_entry_defaults<'a>(entry: &mut Entry<'a>, around: ReadContext<'a>, named: &[Vec<Cow<'a, str>>]) {
    let Entry { media, videos, title, summary, content, .. } = entry;
    let item = media.as_deref();
    let of_item = item.and_then(|item| item.title.as_ref()).or(title.as_ref());
    let only = has_one_file(videos);
    let feed = around.feed.and_then(|feed| feed.media.as_deref());
    for (number, video) in videos.iter_mut().enumerate() {
        let named = named.get(number).map_or(&[][..], Vec::as_slice);
        let files = std::mem::take(&mut video.files);
        let chosen = usual_file(&files);
        let own = OwnCounts::count(video);
        let labels = are_labels(&files, video.title.as_ref(), video.group, of_item);
        let nearest = chosen.and_then(|file| file.media.as_deref());
        let others = files.iter().filter(|file| !video.group || is_film(file)).filter_map(|file| file.media.as_deref());
        let others: Vec<&Video<'a>> =
            others.filter(|other| !nearest.is_some_and(|own| std::ptr::eq(own, *other))).collect();
        // outside a group, the values of each of several files apply to the whole video (A2.3)
        let (others, last) = if video.group { (&[][..], &others[..]) } else { (&others[..], &[][..]) };
        video.inherited.reserve(16);
        for level in nearest.into_iter().chain(others.iter().copied()) {
            inherit(video, level, !labels, only, named);
        }
        for level in item.into_iter().chain(feed) {
            inherit(video, level, true, only, named);
        }
        for level in last {
            stand_in(video, level, !labels && title.is_none(), summary.is_none() && content.is_none());
        }
        // a dialect may have added the file that is chosen now
        let is_named = named.iter().any(|name| name == "duration");
        let length = chosen
            .and_then(|file| file.duration)
            .or_else(|| files.iter().find_map(|file| file.duration).filter(|_| is_named));
        let length = length.filter(|_| !video.group && files.len() > 1);
        if let (None, Some(length)) = (&video.duration, length) {
            video.duration = Some(length);
            video.inherited.push(Cow::Borrowed("duration"));
        }
        own.name(video);
        video.files = files;
    }
}

fn has_one_file(videos: &[Video<'_>]) -> bool {
    videos.iter().map(|video| video.files.len()).sum::<usize>() == 1
}

/// How many members of its own each of the lists has that grow by a level.
struct OwnCounts {
    ratings: usize,
    hashes: usize,
    categories: usize,
}

impl OwnCounts {
    fn count(video: &Video<'_>) -> OwnCounts {
        OwnCounts { ratings: video.ratings.len(), hashes: video.hashes.len(), categories: video.categories.len() }
    }

    /// Names the lists that are inherited as a whole, and, with the number of the first such member, those that are
    /// in part: `categories[2]`.
    fn name(self, video: &mut Video<'_>) {
        let lists = [
            ("ratings", self.ratings, video.ratings.len()),
            ("hashes", self.hashes, video.hashes.len()),
            ("categories", self.categories, video.categories.len()),
        ];
        for (name, own, _) in lists.into_iter().filter(|(_, own, all)| own < all) {
            video.inherited.push(if own == 0 { Cow::Borrowed(name) } else { Cow::Owned(format!("{name}[{own}]")) });
        }
    }
}

/// Copies members that the video lacks as a whole.
macro_rules! take_over {
    ($video:ident, $level:ident, $($member:ident)*) => {$(
        if $video.$member.is_blank() && !$level.$member.is_blank() {
            $video.$member = $level.$member.clone();
            $video.inherited.push(Cow::Borrowed(stringify!($member)));
        }
    )*};
}

/// The same for lists, which are handed down whole or not at all.
macro_rules! take_over_lists {
    ($video:ident, $level:ident, $($member:ident)*) => {$(
        if $level.$member.len() <= HANDED_DOWN {
            take_over!($video, $level, $member);
        }
    )*};
}

/// Takes over what shows a video from another file of its group, where nothing nearer gives it (as in S-V7).
fn stand_in<'a>(video: &mut Video<'a>, level: &Video<'a>, untitled: bool, undescribed: bool) {
    if untitled {
        take_over!(video, level, title);
    }
    if undescribed {
        take_over!(video, level, description);
    }
    take_over_lists!(video, level, thumbnails);
}

fn inherit<'a>(video: &mut Video<'a>, level: &Video<'a>, titled: bool, only: bool, named: &[Cow<'_, str>]) {
    if titled {
        take_over!(video, level, title);
    }
    take_over!(video, level, description player available adult family_friendly sharing live copyright status);
    take_over!(video, level, rights_status);
    take_over_lists!(video, level, thumbnails prices tags license texts subtitles scenes location peer_links);
    take_over_lists!(video, level, comments responses back_links);
    if level.restriction.as_ref().is_some_and(|restriction| restriction.countries.len() <= HANDED_DOWN) {
        take_over!(video, level, restriction);
    }
    if level.uri_restriction.as_ref().is_some_and(|restriction| restriction.values.len() <= HANDED_DOWN) {
        take_over!(video, level, uri_restriction);
    }
    if level.embed.as_ref().is_some_and(|embed| embed.params.len() <= HANDED_DOWN) {
        take_over!(video, level, embed);
    }
    // one element each, although several members: taken over together or not at all. What was taken over once is so still,
    // also where a dialect gave the video others of them later
    let is_named = |members: &[&str]| named.iter().any(|name| members.contains(&&**name));
    let credited = is_named(&["uploader", "credits"]);
    let bare = video.uploader.is_blank() && video.credits.is_blank();
    if (bare || credited) && level.credits.len() <= HANDED_DOWN {
        take_over!(video, level, uploader credits);
    }
    let community = video.rating.is_some() || video.views.is_some() || video.favorites.is_some();
    let rated = is_named(&["rating", "views", "favorites", "tag_weights"]);
    if (rated || !community && video.tag_weights.is_empty()) && level.tag_weights.len() <= HANDED_DOWN {
        take_over!(video, level, rating views favorites tag_weights);
    }
    if only {
        take_over!(video, level, duration);
        keyed_hashes(video, level);
    }
    keyed_ratings(video, level);
    all_categories(video, level);
}

/// A rating for each scheme that no nearer level rates.
fn keyed_ratings<'a>(video: &mut Video<'a>, level: &Video<'a>) {
    let nearer = video.ratings.len();
    for rating in level.ratings.iter().take(HANDED_DOWN) {
        let scheme = rating.scheme.as_ref().map_or("", Leaf::as_str);
        let same =
            |own: &crate::model::Audience<'_>| same_key(own.scheme.as_ref().map(Leaf::as_str), scheme, "urn:simple");
        if !video.ratings.iter().take(nearer).any(same) {
            video.ratings.push(rating.clone());
        }
    }
}

/// A checksum for each algorithm that no nearer level uses; only where there is one file it can be of.
fn keyed_hashes<'a>(video: &mut Video<'a>, level: &Video<'a>) {
    let nearer = video.hashes.len();
    for hash in level.hashes.iter().take(HANDED_DOWN) {
        let algo = hash.algo.as_ref().map_or("", Leaf::as_str);
        let same = |own: &crate::model::Hash<'_>| same_key(own.algo.as_ref().map(Leaf::as_str), algo, "md5");
        if !video.hashes.iter().take(nearer).any(same) {
            video.hashes.push(hash.clone());
        }
    }
}

/// The categories of all levels, each once.
fn all_categories<'a>(video: &mut Video<'a>, level: &Video<'a>) {
    let nearer = video.categories.len();
    let same = |one: &Category<'_>, other: &Category<'_>| one.term == other.term && one.scheme == other.scheme;
    for category in level.categories.iter().take(HANDED_DOWN) {
        if !video.categories.iter().take(nearer).any(|own| same(own, category)) {
            video.categories.push(category.clone());
        }
    }
}
