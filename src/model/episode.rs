//! The values that elements of iTunes and Google Play give a podcast's episode, and how they become values of its only video or
//! file. For formats that have those elements they stay in modules; which formats these are, is not decided here.

use super::origin::{LeafRecord, Preset, Role};
use super::value::FromText;
use super::{Category, Entry, Field, File, Leaf, LeafView, Mark, Seconds, Str, Text, TextKind, Tv, Value, Video};
use crate::reason::Reason;

/// The words of a list of keywords: between commas, or between semicolons where there is no comma (A11).
pub fn keywords(list: &str) -> impl Iterator<Item = &str> {
    let separator = if list.contains(',') { ',' } else { ';' };
    list.split(separator).map(str::trim).filter(|word| !word.is_empty())
}

/// Whether a word means that an episode is explicit: those of a flag, and one more for each side.
pub fn is_explicit(word: &str) -> Option<bool> {
    match word.trim().to_ascii_lowercase().as_str() {
        "explicit" => Some(true),
        "clean" => Some(false),
        word => Some(bool::from_text(word.into())?.0),
    }
}

/// The values of an episode that a video has a place for, each with the number of its module.
#[derive(Debug, Default)]
struct EpisodeValues {
    duration: Option<(usize, Leaf<Seconds>)>,
    season: Option<(usize, Leaf<u64>)>,
    episode: Option<(usize, Leaf<u64>)>,
    is_explicit: Option<(usize, Leaf<bool>)>,
    keywords: Option<(usize, Mark, Vec<String>)>,
}

impl EpisodeValues {
    fn from_entry(entry: &Entry<'_>) -> EpisodeValues {
        if entry.modules.is_empty() {
            return EpisodeValues::default();
        }
        let count = |element| {
            find(entry, element, |text| text.trim().parse::<u64>().ok().filter(|count| *count > 0))
                .map(|(at, leaf, count)| (at, leaf.with(count)))
        };
        let duration = find(entry, "duration", |text| Some(Seconds::parse(text)?.0));
        let is_explicit = find(entry, "explicit", is_explicit);
        let words = |text: &str| {
            let words: Vec<String> = keywords(text).map(str::to_owned).collect();
            Some(words).filter(|words| !words.is_empty())
        };
        let keywords = find(entry, "keywords", words);
        EpisodeValues {
            duration: duration.map(|(at, leaf, length)| (at, leaf.with(length))),
            season: count("season"),
            episode: count("episode"),
            is_explicit: is_explicit.map(|(at, leaf, said)| (at, leaf.with(said))),
            keywords: keywords.map(|(at, leaf, words)| (at, leaf.mark, words)),
        }
    }
}

/// Marks the values of an episode that are no values of their fields.
pub fn mark_unreadable(entry: &mut Entry<'_>) {
    let Entry { modules, origin, .. } = entry;
    for module in modules {
        let name = module.name.strip_prefix("itunes:").or_else(|| module.name.strip_prefix("googleplay:"));
        let (Some(name), Some(value)) = (name, &module.value) else { continue };
        let text = value.as_str().trim();
        let (field, is_readable) = match name {
            "duration" => (Field::VideoDuration, Seconds::parse(text).is_some()),
            "season" => (Field::VideoTvSeason, text.parse::<u64>().is_ok()),
            "episode" => (Field::VideoTvEpisode, text.parse::<u64>().is_ok()),
            "explicit" => (Field::VideoFamilyFriendly, is_explicit(text).is_some()),
            _ => continue,
        };
        if let Some(record) = origin.records.get_mut(value.mark.0 as usize)
            && record.preset == Preset::Open
            && !is_readable
            && !text.is_empty()
        {
            record.preset = Preset::Unread(Some(field));
        }
    }
}

/// The number, the leaf and the value of the first element of this name that can be read, of iTunes before those of Google Play.
/// One with attributes has more than its value.
fn find<'e, 'a, T>(
    entry: &'e Entry<'a>,
    element: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Option<(usize, &'e Str<'a>, T)> {
    let of = |vocabulary: &str| {
        entry.modules.iter().enumerate().find_map(|(at, module)| {
            let name = module.name.strip_prefix(vocabulary)?.strip_prefix(':')?;
            let leaf = module.value.as_ref().filter(|_| name == element && module.attributes.is_empty())?;
            Some((at, leaf, read(&leaf.value)?))
        })
    };
    of("itunes").or_else(|| of("googleplay"))
}

/// Shows the values of an episode with at most one video that the video itself lacks, as values of a video.
pub fn walk_values(entry: &Entry<'_>, visit: &mut dyn FnMut(Field, Value<'_>)) {
    if entry.videos.len() > 1 {
        return;
    }
    let values = EpisodeValues::from_entry(entry);
    let video = entry.videos.first();
    let lacks = |has: fn(&Video<'_>) -> bool| !video.is_some_and(has);
    if let Some((_, leaf)) = values.duration.filter(|_| lacks(|video| video.duration.is_some())) {
        visit(Field::VideoDuration, Value::Seconds(leaf.value));
        if entry.enclosures.len() == 1 && video.is_none() {
            visit(Field::VideoFileDuration, Value::Seconds(leaf.value));
        }
    }
    let tv = |has: fn(&Tv<'_>) -> bool| video.and_then(|video| video.tv.as_ref()).is_some_and(has);
    if let Some((_, leaf)) = values.season.filter(|_| !tv(|tv| tv.season.is_some())) {
        visit(Field::VideoTvSeason, Value::Count(leaf.value));
    }
    if let Some((_, leaf)) = values.episode.filter(|_| !tv(|tv| tv.episode.is_some())) {
        visit(Field::VideoTvEpisode, Value::Count(leaf.value));
    }
    if let Some((_, leaf)) = values.is_explicit.filter(|_| lacks(|video| video.family_friendly.is_some())) {
        visit(Field::VideoFamilyFriendly, Value::Flag(!leaf.value));
    }
    for word in values.keywords.filter(|_| lacks(|video| !video.tags.is_empty())).iter().flat_map(|(.., words)| words) {
        visit(Field::VideoTag, Value::Str(word));
    }
}

/// Removes the elements with the values of fields that are not wanted, of an episode with at most one video. Returns their
/// marks, each with its field.
pub fn prune(entry: &mut Entry<'_>, is_dropped: &dyn Fn(Field) -> bool) -> Vec<(Mark, Field)> {
    if entry.videos.len() > 1 {
        return Vec::new();
    }
    let values = EpisodeValues::from_entry(entry);
    let found = [
        (Field::VideoDuration, values.duration.map(|(at, leaf)| (at, leaf.mark))),
        (Field::VideoTvSeason, values.season.map(|(at, leaf)| (at, leaf.mark))),
        (Field::VideoTvEpisode, values.episode.map(|(at, leaf)| (at, leaf.mark))),
        (Field::VideoFamilyFriendly, values.is_explicit.map(|(at, leaf)| (at, leaf.mark))),
        (Field::VideoTag, values.keywords.map(|(at, mark, _)| (at, mark))),
    ];
    let dropped = found.into_iter().filter(|(field, _)| is_dropped(*field));
    let mut dropped: Vec<(usize, Mark, Field)> =
        dropped.filter_map(|(field, found)| found.map(|(at, mark)| (at, mark, field))).collect();
    dropped.sort_unstable_by_key(|(at, ..)| std::cmp::Reverse(*at));
    dropped
        .into_iter()
        .map(|(at, mark, field)| {
            entry.modules.remove(at);
            (mark, field)
        })
        .collect()
}

/// Removes the keywords of an episode with one video, if they may be replaced. Returns the mark of the value.
pub fn take_keywords(entry: &mut Entry<'_>, may_be: &dyn Fn(Mark) -> bool) -> Option<Mark> {
    let [video] = entry.videos.as_slice() else { return None };
    let (at, mark, _) = EpisodeValues::from_entry(entry).keywords.filter(|_| video.tags.is_empty())?;
    may_be(mark).then(|| entry.modules.remove(at)).map(|_| mark)
}

/// Replaces the value that an episode has for a field, if that of this leaf may be, in both vocabularies. Returns the marks of what
/// was replaced.
pub fn replace(entry: &mut Entry<'_>, seen: &LeafView<'_>, may_be: &dyn Fn(Mark) -> bool) -> Vec<Mark> {
    replace_first(entry, seen, may_be).unwrap_or_default()
}

fn replace_first(entry: &mut Entry<'_>, seen: &LeafView<'_>, may_be: &dyn Fn(Mark) -> bool) -> Option<Vec<Mark>> {
    let values = EpisodeValues::from_entry(entry);
    let (at, mark, is_other) = match (seen.field, seen.value) {
        (Field::VideoDuration | Field::VideoFileDuration, Value::Seconds(new)) => of_value(values.duration, new)?,
        (Field::VideoTvSeason, Value::Count(new)) => of_value(values.season, new)?,
        (Field::VideoTvEpisode, Value::Count(new)) => of_value(values.episode, new)?,
        (Field::VideoFamilyFriendly, Value::Flag(new)) => of_value(values.is_explicit, !new)?,
        _ => return None,
    };
    let text = match seen.value {
        Value::Flag(is_friendly) => (!is_friendly).to_string(),
        value => value.to_string(),
    };
    let first = entry.modules.get(at).filter(|_| is_other && may_be(mark))?;
    let element = first.name.split_once(':')?.1.to_owned();
    let mut replaced = Vec::new();
    for module in entry.modules.iter_mut().filter(|module| module.attributes.is_empty()) {
        let is_same = module
            .name
            .split_once(':')
            .is_some_and(|(vocabulary, name)| matches!(vocabulary, "itunes" | "googleplay") && name == element);
        if let Some(old) = module.value.as_mut().filter(|old| is_same && may_be(old.mark)) {
            replaced.push(old.mark);
            *old = Str { mark: seen.mark, ..text.clone().into() };
        }
    }
    Some(replaced)
}

/// The place and the mark of a value, and whether it is another one than this.
fn of_value<T: PartialEq>(said: Option<(usize, Leaf<T>)>, new: T) -> Option<(usize, Mark, bool)> {
    said.map(|(at, leaf)| (at, leaf.mark, leaf.value != new))
}

/// Makes the values of an episode those of its only video, or of its only other file, where that lacks them; each of
/// several videos can have its flag and its keywords. Without a video, its keywords become categories.
pub fn settle(entry: &mut Entry<'_>) {
    let values = EpisodeValues::from_entry(entry);
    let mut moved = MovedValues::new();
    match entry.videos.len() {
        0 => settle_file(entry, &values, &mut moved),
        1 => settle_video(entry, &values, &mut moved),
        _ => (),
    }
    settle_videos(entry, &values, &mut moved);
    moved.sort_unstable_by_key(|(at, ..)| std::cmp::Reverse(*at));
    for (at, mark, why) in moved {
        entry.modules.remove(at);
        if let Some(record) = entry.origin.records.get_mut(mark.0 as usize)
            && record.preset == Preset::Open
        {
            record.preset = Preset::Adjusted(why);
        }
    }
}

/// Uses the subtitle of an episode as its description, if it has no other.
pub fn describe(entry: &mut Entry<'_>) {
    let subtitle = entry.modules.iter().position(|module| {
        let is_it = module.name == "itunes:subtitle" && module.attributes.is_empty();
        is_it && module.value.as_ref().is_some_and(|value| !value.value.trim().is_empty())
    });
    let Some(at) = subtitle.filter(|_| entry.summary.is_none()) else { return };
    let Some(said) = entry.modules.remove(at).value else { return };
    if let Some(record) = entry.origin.records.get_mut(said.mark.0 as usize)
        && record.preset == Preset::Open
    {
        record.preset = Preset::Adjusted(Reason::OtherElement);
    }
    entry.summary = Some(Text::new(TextKind::Plain, said));
}

/// Values that were moved: the numbers of their modules, their marks, and what that does to them.
type MovedValues = Vec<(usize, Mark, Reason)>;

fn settle_video(entry: &mut Entry<'_>, values: &EpisodeValues, moved: &mut MovedValues) {
    let Some(video) = entry.videos.first_mut() else { return };
    if let Some((at, leaf)) = values.duration.filter(|_| !has_length(video)) {
        video.duration = Some(leaf);
        moved.push((at, leaf.mark, Reason::UsedForVideo));
    }
    let mut tv = video.tv.take().unwrap_or_default();
    for (said, slot) in [(values.season, &mut tv.season), (values.episode, &mut tv.episode)] {
        if let Some((at, leaf)) = said.filter(|_| slot.is_none()) {
            *slot = Some(leaf);
            moved.push((at, leaf.mark, Reason::UsedForVideo));
        }
    }
    video.tv = Some(tv).filter(|tv| *tv != Tv::default());
}

/// How many keywords each of several videos is given: work and output stay proportional to the page.
const SHARED: usize = 32;

/// What each of several videos can have.
fn settle_videos(entry: &mut Entry<'_>, values: &EpisodeValues, moved: &mut MovedValues) {
    let Entry { videos, origin, .. } = entry;
    if let Some((at, leaf)) = values.is_explicit.filter(|_| videos.iter().any(|video| !is_rated(video))) {
        for video in videos.iter_mut().filter(|video| !is_rated(video)) {
            video.family_friendly = Some(leaf.with(!leaf.value));
        }
        moved.push((at, leaf.mark, Reason::OtherElement));
    }
    let lacks_tags = videos.iter().any(|video| video.tags.is_empty());
    let are_few = |words: &[String]| videos.len() == 1 || words.len() <= SHARED;
    if let Some((at, mark, words)) = values.keywords.as_ref().filter(|(.., words)| lacks_tags && are_few(words)) {
        let words = parts(*mark, words, &mut origin.records);
        for video in videos.iter_mut().filter(|video| video.tags.is_empty()) {
            video.tags.clone_from(&words);
        }
        moved.push((*at, *mark, Reason::UsedForVideo));
    }
}

fn has_length(video: &Video<'_>) -> bool {
    video.duration.is_some() || video.files.iter().any(|file| file.duration.is_some())
}

fn is_rated(video: &Video<'_>) -> bool {
    video.family_friendly.is_some() || video.adult.is_some() || !video.ratings.is_empty()
}

/// The length of an episode, if its only video has another, and its flag and keywords, if all its videos have others; each
/// with its field.
pub fn overruled(entry: &Entry<'_>) -> impl Iterator<Item = (Field, Mark)> {
    let videos = entry.videos.as_slice();
    let found = (!videos.is_empty()).then(|| {
        let EpisodeValues { duration, season: _, episode: _, is_explicit, keywords } = EpisodeValues::from_entry(entry);
        let duration = duration.filter(|_| matches!(videos, [video] if has_length(video)));
        let is_explicit = is_explicit.filter(|_| videos.iter().all(is_rated));
        let keywords = keywords.filter(|_| videos.iter().all(|video| !video.tags.is_empty()));
        [
            (Field::VideoDuration, duration.map(|(_, leaf)| leaf.mark)),
            (Field::VideoFamilyFriendly, is_explicit.map(|(_, leaf)| leaf.mark)),
            (Field::VideoTag, keywords.map(|(_, mark, _)| mark)),
        ]
    });
    found.into_iter().flatten().filter_map(|(field, mark)| Some((field, mark?)))
}

fn settle_file(entry: &mut Entry<'_>, values: &EpisodeValues, moved: &mut MovedValues) {
    if let Some((at, mark, words)) = &values.keywords {
        let words = parts(*mark, words, &mut entry.origin.records).into_iter();
        entry.categories.extend(words.map(|word| Category { term: Some(word), ..Category::default() }));
        moved.push((*at, *mark, Reason::UsedAsCategory));
    }
    let [enclosure] = entry.enclosures.as_mut_slice() else { return };
    let file = enclosure.file.get_or_insert_default();
    if let Some((at, leaf)) = values.duration.filter(|_| file.duration.is_none()) {
        file.duration = Some(leaf);
        moved.push((at, leaf.mark, Reason::OtherElement));
    }
    enclosure.file.take_if(|file| **file == File::default());
}

/// The values of a list, of which all behind the first are further values of its leaf.
fn parts<'a>(mark: Mark, words: &[String], records: &mut Vec<LeafRecord>) -> Vec<Str<'a>> {
    let at = records.get(mark.0 as usize).map(|record| record.at);
    let mut numbered = |number: usize| match (number, at) {
        (0, _) | (_, None) => mark,
        (_, Some(at)) => {
            records.push(LeafRecord { at, role: Role::Part(mark), preset: Preset::Open });
            Mark(u32::try_from(records.len() - 1).unwrap_or(u32::MAX))
        }
    };
    words.iter().enumerate().map(|(number, word)| Str { mark: numbered(number), ..word.clone().into() }).collect()
}
