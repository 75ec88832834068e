//! Counts the content of entries while they are read: every core counts a chunk, and the chunks are added up
//! in order, so the figures depend neither on the number of cores nor on their speed. Memory is bounded for any
//! input: each field has a sketch or a table with a limit, and nothing is kept per entry.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use super::distinct::DistinctCounter;
use super::extreme::Ends;
use super::frequent::FrequentValues;
use super::times::Times;
use crate::convert::EntryObserver;
use crate::format::Family;
use crate::format::medium::is_no_video;
use crate::ledger::{Example, shorten};
use crate::model::origin::Preset;
use crate::model::page::is_technical;
use crate::model::refers::{UrlContent, refers};
use crate::model::{Date, Entry, Feed, Field, Foreign, LeafView, Mark, Origin, Value};
use crate::place::LeafPlaces;
use crate::text::url;

/// Maximum number of examples per field.
const EXAMPLES: usize = 3;
/// Maximum number of paths of unknown markup that are counted separately.
const PATHS: usize = 1_000;

/// Roles of URLs.
pub(super) const ROLES: [&str; 5] = ["page", "file", "player", "picture", "link"];

/// Counts of one field in a stretch of entries, or in all.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldTally {
    pub values: u64,
    pub entries: u64,
    /// The entry that was counted last: its number plus one.
    last: u64,
    pub ends: Ends,
    pub frequent: FrequentValues,
    pub examples: Vec<Example>,
    /// The preceding chunks already have enough examples.
    enough: bool,
    /// The preceding chunks have no frequent values.
    given_up: bool,
}

/// Maximum number of elements of modules that are counted separately.
const ELEMENTS: usize = 100;

/// An element of a module; many elements share its field.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub tally: FieldTally,
    pub distinct: Arc<DistinctCounter>,
    /// When it was first seen.
    pub first: (u64, u32),
}

/// Unknown markup at one path.
#[derive(Clone, Debug, Default)]
pub(super) struct UnreadMarkupCount {
    pub ns: String,
    pub count: u64,
    pub entries: u64,
    last: u64,
    pub example: Option<String>,
    pub line: Option<u32>,
    /// When it was first seen.
    pub first: (u64, u32),
}

/// Counts of a stretch of entries, or of all.
#[derive(Clone, Debug, Default)]
pub(super) struct EntryCounts {
    pub entries: u64,
    pub videos: u64,
    pub renditions: u64,
    /// Indexed by the number of the field.
    pub fields: Vec<FieldTally>,
    /// By name; elements beyond the limit are counted with their field.
    pub elements: HashMap<String, Element>,
    pub hosts: [FrequentValues; 5],
    pub languages: FrequentValues,
    pub foreign: HashMap<String, UnreadMarkupCount>,
    pub foreign_untold: u64,
    /// When entries were published, or else updated.
    pub times: Times,
}

/// Counts of one core for a chunk.
pub(crate) struct ChunkCensus {
    counts: EntryCounts,
    /// The entry in which each mark was last seen: its number plus one.
    seen: Vec<u64>,
    /// The last URL of each role, up to the end of its host, with the hash of that.
    near: [(String, u64); 5],
    /// The languages of an entry.
    tongues: Vec<u64>,
}

/// The counts of all entries, and the state that all cores share.
pub(super) struct Census {
    all: Mutex<EntryCounts>,
    distinct: Vec<OnceLock<DistinctCounter>>,
    /// The role of each field's URLs.
    roles: Vec<Option<usize>>,
    /// Whether each field is a language.
    tongues: Vec<bool>,
}

impl Census {
    /// Nothing counted yet.
    pub fn new() -> Census {
        Census {
            all: Mutex::new(EntryCounts::default()),
            distinct: Field::ALL.iter().map(|_| OnceLock::new()).collect(),
            roles: Field::ALL.iter().map(|field| role(*field)).collect(),
            tongues: Field::ALL.iter().map(|field| is_language(*field)).collect(),
        }
    }

    /// The counts, and the estimated number of distinct values of each field.
    pub fn into_counts(self, feed: &Feed<'_>) -> (EntryCounts, Vec<u64>) {
        let estimates = self.distinct.iter().map(|slot| slot.get().map_or(0, DistinctCounter::count)).collect();
        let mut counts = self.all.into_inner().unwrap_or_else(PoisonError::into_inner);
        // the language of the head applies to entries without one
        let silent = counts.languages.take(SILENT);
        if let Some((tag, (count, first))) = feed.language.as_ref().zip(silent) {
            let tag = tag.value.to_ascii_lowercase();
            counts.languages.add_times(xxh3_64(tag.as_bytes()), count, first, || tag);
        }
        for item in feed.foreign.iter().filter(|item| is_unrecognized(item, &feed.origin)) {
            count_foreign(&mut counts, item, None, u32::MAX, |_| None);
        }
        (counts, estimates)
    }

    fn lock(&self) -> MutexGuard<'_, EntryCounts> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn value(&self, seen: &LeafView<'_>, here: &mut CensusPosition<'_, '_>, part: &mut ChunkCensus) {
        let index = seen.field as usize;
        let order = here.next;
        here.next += 1;
        let element = seen.within.filter(|_| seen.field == Field::Module);
        let element = element.and_then(|name| element_of(&mut part.counts.elements, name, (here.number, order)));
        let (tally, distinct) = match (element, part.counts.fields.get_mut(index)) {
            (Some(element), _) => (&mut element.tally, Some(&*element.distinct)),
            (None, Some(tally)) => (tally, self.distinct.get(index).map(|slot| slot.get_or_init(DistinctCounter::new))),
            (None, None) => return,
        };
        tally.values += 1;
        if tally.last != here.number + 1 {
            tally.last = here.number + 1;
            tally.entries += 1;
        }
        let hash = hash_of(seen.value);
        if let Some(distinct) = distinct {
            distinct.add(hash);
        }
        if !tally.given_up {
            tally.frequent.add(hash, (here.number, order), || seen.value.to_string());
        }
        tally.ends.add(seen.value, here.number, || here.line(seen));
        if !tally.enough && tally.examples.len() < EXAMPLES {
            tally.examples.extend(here.example(seen));
        }
        if let Value::Str(text) = seen.value {
            if let Some(role) = self.roles.get(index).copied().flatten() {
                host(text, role, (here.number, order), part);
            }
            if self.tongues.get(index) == Some(&true) && !text.is_empty() {
                count_language(text, (here.number, order), part);
            }
        }
    }
}

impl EntryObserver for Census {
    type Part = ChunkCensus;

    fn part(&self) -> ChunkCensus {
        let all = self.lock();
        let known = |index: usize| {
            let Some(tally) = all.fields.get(index) else { return FieldTally::default() };
            let (enough, given_up) = (tally.examples.len() >= EXAMPLES, tally.frequent.is_incomplete());
            FieldTally { enough, given_up, ends: tally.ends.bounds(), ..FieldTally::default() }
        };
        let fields = (0..Field::ALL.len()).map(known).collect();
        let counts = EntryCounts { fields, ..EntryCounts::default() };
        ChunkCensus { counts, seen: Vec::new(), near: Default::default(), tongues: Vec::new() }
    }

    fn entry(&self, entry: &Entry<'_>, family: &'static Family, part: &mut ChunkCensus) {
        let number = entry.origin.parts.first().and_then(|part| part.entry).unwrap_or(0);
        let mut here = CensusPosition { entry, number, next: 0, places: None };
        part.counts.entries += 1;
        // each `video:video` of a sitemap is one
        let videos = || entry.videos.iter().filter(|video| family.lists_pages() || !is_no_video(video, false));
        part.counts.videos += videos().count() as u64;
        part.counts.renditions += videos().map(|video| video.files.len() as u64).sum::<u64>();
        if part.seen.len() < entry.origin.records.len() {
            part.seen.resize(entry.origin.records.len(), 0);
        }
        if let Some(date) = entry.published.as_ref().or(entry.updated.as_ref()) {
            part.counts.times.add(&date.value);
        }
        part.tongues.clear();
        entry.each_leaf(&mut |seen| {
            if seen.mark.of_feed() {
                return;
            }
            // a leaf that several videos share is one value
            if let Some(last) = part.seen.get_mut(seen.mark.0 as usize) {
                if *last == number + 1 {
                    return;
                }
                *last = number + 1;
            }
            self.value(&seen, &mut here, part);
        });
        if part.tongues.is_empty() {
            part.counts.languages.add(SILENT, (number, u32::MAX), String::new);
        }
        let unread = entry.foreign.iter().enumerate().filter(|(_, item)| is_unrecognized(item, &entry.origin));
        for (order, item) in unread {
            count_foreign(&mut part.counts, item, Some(number), order as u32, |item| {
                mark_of(item).and_then(|mark| here.line_of(mark)).or_else(|| Some(entry.origin.line()))
            });
        }
    }

    fn absorb(&self, part: ChunkCensus) {
        let mut all = self.lock();
        let more = part.counts;
        all.entries += more.entries;
        all.videos += more.videos;
        all.renditions += more.renditions;
        if all.fields.is_empty() {
            all.fields.resize_with(Field::ALL.len(), FieldTally::default);
        }
        for (tally, more) in all.fields.iter_mut().zip(more.fields).filter(|(_, more)| more.values > 0) {
            tally.absorb(more);
        }
        let mut elements: Vec<(String, Element)> = more.elements.into_iter().collect();
        elements.sort_unstable_by_key(|(_, element)| element.first);
        for (name, more) in elements {
            let counts = &mut *all;
            match (element_of(&mut counts.elements, &name, more.first), counts.fields.get_mut(Field::Module as usize)) {
                (Some(element), _) => {
                    element.distinct.absorb(&more.distinct);
                    element.tally.absorb(more.tally);
                }
                (None, Some(tally)) => {
                    if let Some(slot) = self.distinct.get(Field::Module as usize) {
                        slot.get_or_init(DistinctCounter::new).absorb(&more.distinct);
                    }
                    tally.absorb(more.tally);
                }
                (None, None) => (),
            }
        }
        for (hosts, more) in all.hosts.iter_mut().zip(more.hosts) {
            hosts.absorb(more);
        }
        all.languages.absorb(more.languages);
        all.times.absorb(more.times);
        all.foreign_untold += more.foreign_untold;
        let mut paths: Vec<(String, UnreadMarkupCount)> = more.foreign.into_iter().collect();
        paths.sort_unstable_by_key(|(_, strange)| strange.first);
        for (path, more) in paths {
            let full = all.foreign.len() >= PATHS;
            match all.foreign.get_mut(&path) {
                Some(strange) => {
                    strange.count += more.count;
                    strange.entries += more.entries;
                    strange.example = strange.example.take().or(more.example);
                }
                None if full => all.foreign_untold += more.count,
                None => {
                    all.foreign.insert(path, more);
                }
            }
        }
    }

    fn reset(&self) {
        *self.lock() = EntryCounts::default();
    }
}

impl FieldTally {
    /// Adds the counts of later entries.
    fn absorb(&mut self, more: FieldTally) {
        self.values += more.values;
        self.entries += more.entries;
        self.ends.absorb(more.ends);
        self.frequent.absorb(more.frequent);
        let room = EXAMPLES.saturating_sub(self.examples.len());
        self.examples.extend(more.examples.into_iter().take(room));
    }
}

/// The element with this name, if there is room for it.
fn element_of<'e>(all: &'e mut HashMap<String, Element>, name: &str, first: (u64, u32)) -> Option<&'e mut Element> {
    if !all.contains_key(name) {
        if all.len() >= ELEMENTS || name.len() > 200 {
            return None;
        }
        all.insert(
            name.to_owned(),
            Element { tally: FieldTally::default(), distinct: Arc::new(DistinctCounter::new()), first },
        );
    }
    all.get_mut(name)
}

/// The current position of the count.
struct CensusPosition<'h, 'e> {
    entry: &'h Entry<'e>,
    number: u64,
    next: u32,
    places: Option<LeafPlaces<'h, 'e>>,
}

impl<'h> CensusPosition<'h, '_> {
    fn example(&mut self, seen: &LeafView<'_>) -> Option<Example> {
        let places = self.places.get_or_insert_with(|| LeafPlaces::new(&self.entry.origin));
        let leaf = places.leaf(seen.mark.0 as usize, None);
        let from = leaf.from.map_or_else(|| shorten(&seen.value.to_string()), shorten);
        Some(Example { from: Some(from), ..Example::from_leaf(&leaf) })
    }

    fn line(&self, seen: &LeafView<'_>) -> u32 {
        self.line_of(seen.mark).unwrap_or_else(|| self.entry.origin.line())
    }

    /// The line of a value, counted from the start of its entry: computed only for values that may be shown.
    fn line_of(&self, mark: crate::model::Mark) -> Option<u32> {
        let origin: &'h _ = &self.entry.origin;
        let (record, part) = (origin.record(mark)?, origin.part_of(mark)?);
        let (line, column) = part.places.first().map(|place| (place.1, place.2))?;
        let before = part.raw.get(..record.at as usize)?;
        Some(crate::place::advance(before, part.raw.as_bytes().get(record.at as usize).copied(), line, column).0)
    }
}

/// Replaces the hash of a language if an entry has none.
const SILENT: u64 = 0;

fn hash_of(value: Value<'_>) -> u64 {
    match value {
        Value::Str(text) => xxh3_64(text.as_bytes()),
        Value::Date(date) => xxh3_64(&date_bytes(date)),
        Value::Seconds(seconds) => xxh3_64(&seconds.micros().to_le_bytes()),
        Value::Decimal(decimal) => xxh3_64(decimal.as_str().as_bytes()),
        Value::Count(count) => xxh3_64(&count.to_le_bytes()),
        Value::Flag(flag) => xxh3_64(&[flag.into()]),
        Value::Nothing => xxh3_64(b""),
    }
}

fn date_bytes(date: &Date) -> [u8; 20] {
    let mut bytes = [0; 20];
    bytes[..16].copy_from_slice(&date.instant().to_le_bytes());
    bytes[16..18].copy_from_slice(&date.offset().unwrap_or(i16::MIN).to_le_bytes());
    bytes[18] = date.precision() as u8;
    bytes
}

/// The role of a field's URLs; `None` if it contains none.
fn role(field: Field) -> Option<usize> {
    if refers(field) != UrlContent::Always || field.name().starts_with("feed.") {
        return None;
    }
    let named = NAMED.iter().find(|(_, fields)| fields.contains(&field)).map_or("link", |(role, _)| role);
    ROLES.iter().position(|role| *role == named)
}

/// The fields of each role; URLs of any other field are links.
const NAMED: [(&str, &[Field]); 4] = [
    ("page", &[Field::Loc]),
    ("file", &[Field::VideoFileUrl, Field::EnclosureUrl, Field::VideoSegmentUrl]),
    ("player", &[Field::VideoPlayerUrl, Field::VideoEmbedUrl]),
    ("picture", &[Field::VideoThumbnailUrl, Field::ImageLoc, Field::VideoGalleryUrl]),
];

/// Whether a field is the language of some content of the entry.
fn is_language(field: Field) -> bool {
    const LANGUAGES: [Field; 7] = [
        Field::Language,
        Field::TextLang,
        Field::NewsLanguage,
        Field::EnclosureLang,
        Field::VideoFileLang,
        Field::VideoTextLang,
        Field::VideoSubtitleLang,
    ];
    LANGUAGES.contains(&field)
}

fn host(address: &str, role: usize, first: (u64, u32), part: &mut ChunkCensus) {
    let (Some(near), Some(hosts)) = (part.near.get_mut(role), part.counts.hosts.get_mut(role)) else { return };
    let same = !near.0.is_empty() && address.starts_with(&near.0);
    if !same {
        let Some(host) = url::host(address).filter(|host| !host.is_empty()) else { return };
        let host = host.to_ascii_lowercase();
        near.1 = xxh3_64(host.as_bytes());
        // without a path, the host may continue in the next URL
        let after = address.find("://").map(|at| at + 3);
        let path = after.and_then(|at| Some(at + address.get(at..)?.find('/')?));
        near.0 = path.and_then(|end| address.get(..=end)).unwrap_or("").to_owned();
        return hosts.add(near.1, first, || host);
    }
    hosts.add(near.1, first, || url::host(address).unwrap_or("").to_ascii_lowercase());
}

/// Counts an entry once for each of its languages.
fn count_language(tag: &str, first: (u64, u32), part: &mut ChunkCensus) {
    let tag = tag.trim().to_ascii_lowercase();
    let hash = xxh3_64(tag.as_bytes());
    // so many values are not languages
    if part.tongues.contains(&hash) || part.tongues.len() > 64 {
        return;
    }
    part.tongues.push(hash);
    part.counts.languages.add(hash, first, || tag);
}

fn mark_of(item: &Foreign<'_>) -> Option<Mark> {
    item.value.as_ref().map(|leaf| leaf.mark).or(item.empty.as_ref().map(|leaf| leaf.mark))
}

/// Whether no reader, and no row of a dialect, knows a piece of markup.
fn is_unrecognized(item: &Foreign<'_>, origin: &Origin<'_>) -> bool {
    let record = mark_of(item).and_then(|mark| origin.record(mark));
    !is_technical(&item.ns, &item.name) && record.is_none_or(|record| matches!(record.preset, Preset::Unread(_)))
}

/// Counts a piece of unknown markup by its path; the line is that of the first one.
fn count_foreign(
    counts: &mut EntryCounts,
    item: &Foreign<'_>,
    entry: Option<u64>,
    order: u32,
    line: impl Fn(&Foreign<'_>) -> Option<u32>,
) {
    // an element without a value is represented by its attributes and children, which are counted
    if item.value.is_none() && item.empty.is_none() {
        return;
    }
    let path = unnumbered(&item.path);
    let (number, last) = (entry.unwrap_or(0), entry.map_or(0, |number| number + 1));
    let full = counts.foreign.len() >= PATHS;
    let strange = match counts.foreign.get_mut(path.as_ref()) {
        Some(strange) => strange,
        None if full => {
            counts.foreign_untold += 1;
            return;
        }
        None => counts.foreign.entry(path.into_owned()).or_insert_with(|| UnreadMarkupCount {
            ns: item.ns.clone().into_owned(),
            first: (number, order),
            line: line(item),
            ..UnreadMarkupCount::default()
        }),
    };
    strange.count += 1;
    if last != strange.last {
        strange.last = last;
        strange.entries += 1;
    }
    if strange.example.is_none() {
        strange.example = item.value.as_ref().map(|value| shorten(value));
    }
}

/// A path without the indexes of repeated steps, cut to the length that is shown.
fn unnumbered(path: &str) -> std::borrow::Cow<'_, str> {
    if path.len() <= 400 && !path.contains('[') {
        return path.into();
    }
    let mut plain = String::with_capacity(path.len().min(400));
    let mut inside = false;
    for c in path.chars() {
        match c {
            '[' => inside = true,
            ']' => inside = false,
            c if !inside => plain.push(c),
            _ => (),
        }
        if plain.len() > 400 {
            plain.push('…');
            break;
        }
    }
    plain.into()
}
