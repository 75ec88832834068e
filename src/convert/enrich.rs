//! Values for entries from another file: a table or JSON lines, whose rows are found by a key. Absent values are filled in, and
//! reported as made with the file and the line. What is read and written otherwise is not touched.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::document::Document;
use super::input::Input;
use super::read::{EntryReader, RawEntry, bad_place, raw_entry, read_entry};
use super::trouble::{cut_off, unreadable};
use crate::diagnostic;
use crate::error::{Error, ErrorKind};
use crate::format::csv::columns::{fill_page, fill_video};
use crate::format::csv::fill::Filling;
use crate::format::{self, Format};
use crate::model::origin::{LeafRecord, Preset, Role, Syntax};
use crate::model::{Entry, Field, File, IntoOwned, Leaf, Mark, Seconds, Str, Video, Walk, episode};
use crate::options::{FillsIn, Options};
use crate::reason::Reason;
use crate::text::cut::cut;
use crate::text::url;
use crate::xml::chunk::{Chunk, Trouble};
use crate::xml::limits::TreeError;

/// What finds the row of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnrichKey {
    /// The URL of the page.
    Loc,
    /// The id of the entry.
    Id,
    /// The URL of a file of the video.
    FileUrl,
}

impl EnrichKey {
    /// All keys.
    pub const ALL: [EnrichKey; 3] = [EnrichKey::Loc, EnrichKey::Id, EnrichKey::FileUrl];

    /// The name of its field.
    pub fn name(self) -> &'static str {
        match self {
            EnrichKey::Loc => "loc",
            EnrichKey::Id => "id",
            EnrichKey::FileUrl => "video.file.url",
        }
    }
}

/// Memory that a row takes beside its text.
const ROW: usize = 200;

/// The rows of a file.
pub struct Enrichment {
    name: Arc<str>,
    key: EnrichKey,
    over: bool,
    format: &'static Format,
    options: Options,
    chunks: Vec<Chunk>,
    /// Chunk and number in it of the rows with a key.
    rows: HashMap<String, Vec<(usize, usize)>>,
    /// What became of the rows of a chunk.
    fates: Vec<Vec<RowFate>>,
    /// Rows without a key.
    keyless: u64,
    /// Rows that cannot be read.
    unreadable: u64,
    /// Values that are not read: of headings without a meaning, or of another type than their field.
    unread: u64,
    /// The first of them.
    unread_names: Vec<String>,
    /// The first values that are not used where they belong.
    unused: Mutex<BTreeSet<(u32, String)>>,
}

/// What became of a row.
#[derive(Default)]
struct RowFate {
    /// An entry has its key.
    is_used: AtomicBool,
    /// Its values of a video found no video in an entry.
    lacks_video: AtomicBool,
    /// An earlier row has its key, and its values count first.
    is_further: AtomicBool,
    /// How many of its values are not used in an entry.
    unused: AtomicU64,
}

/// A value of a row.
struct RowValue {
    field: Field,
    mark: Mark,
    value: String,
}

impl RowValue {
    /// The value by which it is compared with one of the entry.
    fn key(field: Field, value: &str) -> (Field, String) {
        match field {
            Field::VideoFileUrl | Field::VideoPlayerUrl => (field, url::key(value).into_owned()),
            _ => (field, value.to_owned()),
        }
    }
}

/// What was filled in, with the values of rows that should have been, by rows with their lines.
struct RowFilling<'f> {
    filling: Filling,
    wanted: Vec<(Option<&'f RowFate>, u32, Vec<RowValue>)>,
}

/// Adds the values of a part of a row.
fn want<W: Walk<Names = ()>>(part: &W, wanted: &mut Vec<RowValue>) {
    part.walk((), &mut |seen| {
        wanted.push(RowValue { field: seen.field, mark: seen.mark, value: seen.value.to_string() });
    });
}

impl RowFate {
    fn note(fate: Option<&RowFate>, of: fn(&RowFate) -> &AtomicBool) {
        fate.into_iter().for_each(|fate| of(fate).store(true, Ordering::Relaxed));
    }
}

/// The videos of a row with their places.
struct RowVideos<'f> {
    line: u32,
    wanted: Vec<RowValue>,
    /// How many of them are values of the page.
    of_page: usize,
    videos: Vec<Video<'static>>,
    places: Vec<VideoPlace>,
    fate: Option<&'f RowFate>,
}

impl fmt::Debug for Enrichment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {:?}, over: {}, {} keys", self.name, self.key, self.over, self.rows.len())
    }
}

/// How the rows of a file were used (`--enrich`).
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EnrichmentUse {
    /// The name of the file.
    pub file: String,
    /// The field that finds the row of an entry.
    pub key: &'static str,
    /// Rows with a key.
    pub rows: u64,
    /// Those of which no entry that was read has the key.
    pub unmatched: u64,
    /// The first three keys of them.
    pub keys: Vec<String>,
    /// Rows without a key.
    pub keyless: u64,
    /// Rows that cannot be read.
    pub unreadable: u64,
    /// Rows with values of a video, for an entry that has none or another number of videos than rows.
    pub without_video: u64,
    /// Rows with the key of an earlier row, whose values count first.
    pub further: u64,
    /// Values that are not read: of headings without a meaning, or of another type than their field.
    pub unread: u64,
    /// The first three of them, with their lines.
    pub unread_names: Vec<String>,
    /// Values that are not used: the entry has others that are not replaced, or no place for them.
    pub unused: u64,
    /// The first three of them, with their lines.
    pub unused_names: Vec<String>,
}

/// How many keys without an entry are named.
const NAMED: usize = 3;

/// How many characters of a value are shown.
const SHOWN: usize = 60;

/// A value of a row with its name and its line.
fn shown_value(name: &str, value: &str, line: u32) -> String {
    let short = cut(value, SHOWN);
    format!("{name} \"{}\" (line {line})", short.as_deref().unwrap_or(value))
}

/// Refuses a file that was cut off, as values may be cut off with it; with `--strict` any file with an error.
fn refuse(trouble: &Trouble, strict: bool, accepts_part: bool) -> Result<(), Error> {
    let Trouble { code, line, column, found, done, .. } = trouble;
    if strict {
        return Err(ErrorKind::Strict { line: *line, says: format!("{code}: {found}, {done}") }.into());
    }
    if accepts_part || !diagnostic::is_cut_off(code) {
        return Ok(());
    }
    Err(cut_off((*line, *column), found))
}

impl Enrichment {
    /// Reads a file of rows into memory, at most as much as `options.memory`.
    ///
    /// # Errors
    /// It cannot be read, is no table or JSON lines, was cut off, or is too large.
    pub fn read(input: &dyn Input, key: EnrichKey, over: bool, options: &Options) -> Result<Enrichment, Error> {
        let (memory, strict, accepts_part) = (options.memory, options.strict, options.accept_truncated);
        let options = Options { limits: options.limits, threads: 1, ..Options::default() };
        let document = match Document::open(input, None, &options) {
            // JSON lines of other programs have no head by which they are known
            Err(error) => Document::open(input, format::by_id("jsonl"), &options).map_err(|_| error)?,
            Ok(document) => document,
        };
        let format = document.format;
        if !matches!(format.id, "csv" | "jsonl") {
            let says = format!("cannot take values from it: it is {}", format.family.name);
            return Err(Error::format(says, "pass a table (CSV) or JSON lines to --enrich"));
        }
        let mut found = Enrichment {
            name: input.name().into(),
            key,
            over,
            format,
            options,
            chunks: Vec::new(),
            rows: HashMap::new(),
            fates: Vec::new(),
            keyless: 0,
            unreadable: 0,
            unread: 0,
            unread_names: Vec::new(),
            unused: Mutex::default(),
        };
        let mut cutter = document.cutter(&found.options)?;
        let mut size = 0;
        while let Some(chunk) =
            cutter.next_chunk_into(Chunk::default()).map_err(|error| unreadable(input.name(), error))?
        {
            size += chunk.text.len() + ROW * chunk.pieces.len();
            if size > memory {
                let says = format!("cannot take values from it: it needs more than {memory} bytes of memory");
                return Err(Error::format(says, "pass a larger --memory SIZE"));
            }
            for trouble in &chunk.trouble {
                refuse(trouble, strict, accepts_part)?;
                found.unreadable += u64::from(trouble.lost);
            }
            found.chunks.push(chunk);
        }
        document.trouble.iter().try_for_each(|trouble| refuse(trouble, strict, accepts_part))?;
        found.index(strict)?;
        Ok(found)
    }

    /// Finds the keys of the rows.
    ///
    /// # Errors
    /// With `strict`: a row cannot be read.
    fn index(&mut self, strict: bool) -> Result<(), Error> {
        let mut rows: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
        for number in 0..self.chunks.len() {
            for place in 0..self.chunks.get(number).map_or(0, |chunk| chunk.pieces.len()) {
                let (row, line) = match self.row(number, place) {
                    Some(Ok(read)) => read,
                    Some(Err(error)) if strict => return Err(error),
                    Some(Err(_)) | None => {
                        self.unreadable += 1;
                        continue;
                    }
                };
                let keys = self.keys(&row);
                self.keyless += u64::from(keys.is_empty());
                self.note_unread(&row, line);
                for key in keys {
                    rows.entry(key).or_default().push((number, place));
                }
            }
        }
        self.fates =
            self.chunks.iter().map(|chunk| chunk.pieces.iter().map(|_| RowFate::default()).collect()).collect();
        self.rows = rows;
        Ok(())
    }

    fn note_unread(&mut self, row: &Entry<'_>, line: u32) {
        for item in &row.foreign {
            let Some(value) = &item.value else { continue };
            self.unread += 1;
            if self.unread_names.len() < NAMED {
                self.unread_names.push(shown_value(&item.name, &value.value, line));
            }
        }
    }

    /// Notes the values of rows that are not in the entry.
    fn note_unused(&self, wanted: Vec<(Option<&RowFate>, u32, Vec<RowValue>)>, entry: &Entry<'_>) {
        let (mut marks, mut fields) = (HashSet::new(), HashSet::new());
        entry.walk((), &mut |seen| {
            marks.insert(seen.mark);
            fields.insert(seen.field);
        });
        episode::walk_values(entry, &mut |field, _| _ = fields.insert(field));
        // without --enrich-over, what is there stays
        let is_used = |value: &RowValue| marks.contains(&value.mark) || !self.over && fields.contains(&value.field);
        if wanted.iter().flat_map(|(.., values)| values).all(is_used) {
            return;
        }
        let mut known = HashSet::new();
        entry.walk((), &mut |seen| _ = known.insert(RowValue::key(seen.field, &seen.value.to_string())));
        episode::walk_values(entry, &mut |field, value| _ = known.insert((field, value.to_string())));
        for (fate, line, mut values) in wanted {
            values.retain(|value| !is_used(value) && !known.contains(&RowValue::key(value.field, &value.value)));
            // an entry may be read several times
            if let Some(fate) = fate {
                fate.unused.fetch_max(values.len() as u64, Ordering::Relaxed);
            }
            let Ok(mut first) = self.unused.lock() else { continue };
            for value in values {
                first.insert((line, shown_value(value.field.name(), &value.value, line)));
                if first.len() > NAMED {
                    first.pop_last();
                }
            }
        }
    }

    fn fate(&self, (chunk, place): (usize, usize)) -> Option<&RowFate> {
        self.fates.get(chunk)?.get(place)
    }

    /// A row as an entry, and its line.
    ///
    /// # Errors
    /// The row cannot be read.
    fn row(&self, chunk: usize, place: usize) -> Option<Result<(Entry<'static>, u32), Error>> {
        let chunk = self.chunks.get(chunk)?;
        let raw: RawEntry<'_> = raw_entry(chunk, chunk.pieces.get(place)?, place);
        let mut reading = EntryReader::new(raw.context);
        let entry = read_entry(self.format, &raw, &mut reading, format::around(None, &self.options));
        let unreadable = |bad: TreeError| ErrorKind::Strict { line: bad_place(&raw, &bad).0, says: bad.says };
        Some(entry.map(|entry| (entry.into_owned(), raw.line)).map_err(|bad| unreadable(bad).into()))
    }

    fn keys(&self, entry: &Entry<'_>) -> Vec<String> {
        let page = |leaf: &crate::model::Str<'_>| url::key(&leaf.value).into_owned();
        match self.key {
            EnrichKey::Loc => entry.loc.iter().map(page).collect(),
            EnrichKey::Id => entry.id.iter().map(|id| id.value.to_string()).collect(),
            EnrichKey::FileUrl => entry.videos.iter().flat_map(files).collect(),
        }
    }

    /// What was found of the rows so far.
    pub fn summary(&self) -> EnrichmentUse {
        let is_used = |row: &(usize, usize)| self.fate(*row).is_some_and(|fate| fate.is_used.load(Ordering::Relaxed));
        let count = |of: fn(&RowFate) -> &AtomicBool| {
            self.fates.iter().flatten().filter(|fate| of(fate).load(Ordering::Relaxed)).count() as u64
        };
        let mut sums = EnrichmentUse {
            file: self.name.to_string(),
            key: self.key.name(),
            keyless: self.keyless,
            unreadable: self.unreadable,
            without_video: count(|fate| &fate.lacks_video),
            further: count(|fate| &fate.is_further),
            unread: self.unread,
            unread_names: self.unread_names.clone(),
            unused: self.fates.iter().flatten().map(|fate| fate.unused.load(Ordering::Relaxed)).sum(),
            unused_names: self
                .unused
                .lock()
                .map(|first| first.iter().map(|(_, name)| name.clone()).collect())
                .unwrap_or_default(),
            ..EnrichmentUse::default()
        };
        let mut unmatched: Vec<(&(usize, usize), &String)> = Vec::new();
        for (key, rows) in &self.rows {
            sums.rows += rows.len() as u64;
            unmatched.extend(rows.iter().filter(|row| !is_used(row)).map(|row| (row, key)));
        }
        unmatched.sort();
        sums.unmatched = unmatched.len() as u64;
        sums.keys = unmatched.into_iter().take(NAMED).map(|(_, key)| key.clone()).collect();
        sums
    }

    /// Fills in the values of the rows with this key; those of videos into the `only` one, or into these.
    fn apply<'f>(&'f self, key: &str, only: Option<usize>, entry: &mut Entry<'_>, found: &mut RowFilling<'f>) {
        let Some(places) = self.rows.get(key) else { return };
        let mut rows = Vec::with_capacity(places.len());
        for place in places {
            let Some(Ok((mut row, line))) = self.row(place.0, place.1) else { continue };
            let fate = self.fate(*place);
            RowFate::note(fate, |fate| &fate.is_used);
            // what found the row is in the entry
            match self.key {
                EnrichKey::Loc => row.loc = None,
                EnrichKey::Id => row.id = None,
                EnrichKey::FileUrl => (),
            }
            rows.push((row, line, fate));
        }
        let videos: Vec<&[Video<'_>]> = rows.iter().map(|(row, ..)| row.videos.as_slice()).collect();
        let places = match only {
            Some(at) => places_of_file(&videos, at, key),
            None => VideoPlaces::new(entry).find(&videos, self.over),
        };
        let has_none = entry.videos.is_empty();
        let is_even = rows.len() == entry.videos.len();
        let mut values: Vec<RowVideos<'_>> = Vec::with_capacity(rows.len());
        for ((mut row, line, fate), places) in rows.into_iter().zip(places) {
            self.number(&mut row, line, entry, &mut found.filling);
            let adds = has_none && !row.videos.is_empty();
            let is_placed = places.iter().any(|place| place.at.is_some());
            let is_further = !values.is_empty() && !is_placed && !is_even && !adds;
            if is_further {
                RowFate::note(fate, |fate| &fate.is_further);
            }
            let videos = std::mem::take(&mut row.videos);
            let mut wanted = Vec::new();
            if !is_further {
                want(&row, &mut wanted);
            }
            let of_page = wanted.len();
            let placed =
                videos.iter().zip(&places).filter(|(video, place)| place.at.is_some() || adds && is_playable(video));
            placed.for_each(|(video, _)| want(video, &mut wanted));
            row.videos = videos;
            Enrichment::settle_episode(&mut row, entry, &mut found.filling);
            let videos = std::mem::take(&mut row.videos);
            fill_page(entry, &mut row, &mut found.filling);
            values.push(RowVideos { videos, places, wanted, of_page, fate, line });
        }
        // values for a video that is named count before those that are not
        values.sort_by_key(|row| !row.places.iter().any(|place| place.is_named));
        let mut seen = HashSet::new();
        for RowVideos { videos, places, mut wanted, of_page, fate, line } in values {
            let mut placed = places.iter().filter_map(|place| place.at).peekable();
            if placed.peek().is_some() && placed.all(|at| seen.contains(&at)) {
                RowFate::note(fate, |fate| &fate.is_further);
                wanted.truncate(of_page);
            }
            found.wanted.push((fate, line, wanted));
            seen.extend(places.iter().filter_map(|place| place.at));
            for (video, place) in videos.into_iter().zip(places) {
                if !place.of_other && !place_video(video, place.at, has_none, entry, &mut found.filling) {
                    RowFate::note(fate, |fate| &fate.lacks_video);
                }
            }
        }
    }

    /// What the elements of a podcast say of the episode is there: it stays, or is what is replaced.
    fn settle_episode(row: &mut Entry<'static>, entry: &mut Entry<'_>, filling: &mut Filling) {
        let mut said = Vec::new();
        episode::walk_values(entry, &mut |field, _| said.push(field));
        if said.is_empty() {
            return;
        }
        row.walk((), &mut |seen| {
            let old = episode::replace(entry, &seen, &|mark| filling.replaces(mark));
            filling.replaced.extend(old.into_iter().map(|old| (old, seen.mark)));
        });
        let new = row.videos.first().and_then(|video| video.tags.first()).map(|tag| tag.mark);
        if let Some(new) = new.filter(|_| said.contains(&Field::VideoTag))
            && let Some(old) = episode::take_keywords(entry, &|mark| filling.replaces(mark))
        {
            // the video has a place for the new ones
            filling.replaced.push((old, new));
            said.retain(|field| *field != Field::VideoTag);
        }
        row.prune((), &|field| said.contains(&field), &mut Vec::new());
    }

    /// Gives the values of a row numbers of the entry. Those of later rows do not replace them.
    fn number(&self, row: &mut Entry<'static>, line: u32, entry: &mut Entry<'_>, filling: &mut Filling) {
        row.foreign.clear();
        entry.origin.filled_from = Some(Arc::clone(&self.name));
        let records = &mut entry.origin.records;
        row.marks(&mut |mark| {
            *mark = Mark(u32::try_from(records.len()).unwrap_or(0));
            filling.fix(*mark);
            records.push(LeafRecord { at: LeafRecord::NOWHERE, role: Role::Filled(line), preset: Preset::Open });
        });
    }
}

/// Notes the values of the source that were replaced.
fn note_replaced(filling: &Filling, entry: &mut Entry<'_>) {
    for (old, new) in &filling.replaced {
        if let Some(record) = entry.origin.records.get_mut(old.0 as usize) {
            record.preset = Preset::Merged(Reason::EnrichedOver, *new);
        }
    }
    replace_unknown(filling, entry);
}

/// Replaces values of unknown markup, which was the source of them.
fn replace_unknown(filling: &Filling, entry: &mut Entry<'_>) {
    let replaced: HashMap<Mark, Mark> = filling.replaced.iter().copied().collect();
    if replaced.is_empty() || entry.foreign.is_empty() && entry.modules.is_empty() {
        return;
    }
    let renew = |slot: &mut Option<Str<'_>>| {
        let Some(leaf) = slot else { return false };
        let Some(mark) = replaced.get(&leaf.mark) else { return false };
        match filling.texts.get(&leaf.mark) {
            Some((old, new)) if leaf.value.trim() == old => {
                leaf.value = new.clone().into();
                leaf.mark = *mark;
                false
            }
            _ => {
                *slot = None;
                true
            }
        }
    };
    entry.modules.iter_mut().for_each(|module| _ = renew(&mut module.value));
    // an element that has no values any more
    let mut emptied: HashSet<String> = HashSet::new();
    for item in &mut entry.foreign {
        if renew(&mut item.value) {
            emptied.extend(ancestors(&item.path).map(str::to_owned));
        }
    }
    if emptied.is_empty() {
        return;
    }
    let filled = entry.foreign.iter().filter(|item| item.value.is_some() || item.empty.is_some());
    let filled: HashSet<String> = filled.flat_map(|item| ancestors(&item.path)).map(str::to_owned).collect();
    entry.foreign.retain(|item| !emptied.contains(&*item.path) || filled.contains(&*item.path));
}

/// A path and those of the elements around it.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rsplit_once('/').map(|(outer, _)| outer))
}

/// Where the values of a video of a row belong.
#[derive(Clone, Default)]
struct VideoPlace {
    /// The number of the video in the entry.
    at: Option<usize>,
    /// Its file, player or title is that of the video.
    is_named: bool,
    /// Another row of the entry's has its key.
    of_other: bool,
}

/// The places of the videos of rows that the file of a video found.
fn places_of_file(rows: &[&[Video<'_>]], at: usize, key: &str) -> Vec<Vec<VideoPlace>> {
    let place = |count: usize, video: &Video<'_>| {
        let of_other = count > 1 && !files(video).iter().any(|own| own == key);
        VideoPlace { at: Some(at).filter(|_| !of_other), is_named: true, of_other }
    };
    rows.iter().map(|videos| videos.iter().map(|video| place(videos.len(), video)).collect()).collect()
}

/// The videos of an entry, as rows find them: by a file, a player or a title, else in their order where as many are left.
#[derive(Default)]
struct VideoPlaces<'v> {
    count: usize,
    by_file: HashMap<String, usize>,
    by_player: HashMap<String, usize>,
    /// Several videos may have a title.
    by_title: HashMap<&'v str, Vec<usize>>,
    has_player: Vec<bool>,
}

impl<'v> VideoPlaces<'v> {
    fn new(entry: &'v Entry<'_>) -> VideoPlaces<'v> {
        let mut places = VideoPlaces { count: entry.videos.len(), ..VideoPlaces::default() };
        for (at, video) in entry.videos.iter().enumerate() {
            for key in files(video) {
                places.by_file.entry(key).or_insert(at);
            }
            let player = player(video);
            places.has_player.push(player.is_some());
            if let Some(key) = player {
                places.by_player.entry(key).or_insert(at);
            }
            if let Some(title) = title(video) {
                places.by_title.entry(title).or_default().push(at);
            }
        }
        places
    }

    /// The places of the videos of each row. A player that differs is replaced only if values are (`over`).
    fn find(&self, rows: &[&[Video<'_>]], over: bool) -> Vec<Vec<VideoPlace>> {
        let named = |video: &Video<'_>| {
            let by_file = files(video).iter().find_map(|key| self.by_file.get(key)).copied();
            let at = by_file.or_else(|| self.by_player.get(&player(video)?).copied());
            VideoPlace { at, is_named: at.is_some(), of_other: false }
        };
        let mut places: Vec<Vec<VideoPlace>> = rows.iter().map(|videos| videos.iter().map(named).collect()).collect();
        let (singles, lists): (Vec<usize>, Vec<usize>) = (0..rows.len()).partition(|row| rows[*row].len() < 2);
        self.place_rest(&singles, rows, &mut places, over);
        lists.into_iter().for_each(|row| self.place_rest(&[row], rows, &mut places, over));
        places
    }

    /// Finds the places of the videos of these rows that have none, among the videos that are left.
    fn place_rest(&self, numbers: &[usize], rows: &[&[Video<'_>]], places: &mut [Vec<VideoPlace>], over: bool) {
        let mut taken = vec![false; self.count];
        numbers.iter().flat_map(|row| &places[*row]).filter_map(|place| place.at).for_each(|at| taken[at] = true);
        // in the order of the table; a row without values of a video may hold the place of one
        let mut rest: Vec<(usize, Option<usize>)> = Vec::new();
        let mut next = HashMap::new();
        for &row in numbers {
            if rows[row].is_empty() {
                rest.push((row, None));
            }
            for (nth, video) in rows[row].iter().enumerate() {
                if places[row][nth].at.is_some() {
                    continue;
                }
                let titled = title(video).and_then(|title| self.by_title.get_key_value(title));
                let Some((title, same)) = titled.filter(|_| self.count > 1) else {
                    rest.push((row, Some(nth)));
                    continue;
                };
                let from = next.entry(*title).or_insert(0);
                while same.get(*from).is_some_and(|at| taken[*at]) {
                    *from += 1;
                }
                if let Some(at) = same.get(*from) {
                    taken[*at] = true;
                    places[row][nth] = VideoPlace { at: Some(*at), is_named: true, of_other: false };
                }
            }
        }
        let left: Vec<usize> = (0..self.count).filter(|at| !taken[*at]).collect();
        if rest.len() != left.len() {
            rest.retain(|(_, nth)| nth.is_some());
        }
        let is_single = self.count == 1 && numbers.iter().all(|row| rows[*row].len() < 2);
        if rest.len() != left.len() && !is_single {
            return;
        }
        for (turn, (row, nth)) in rest.into_iter().enumerate() {
            let Some(nth) = nth else { continue };
            let at = if is_single { 0 } else { left[turn] };
            let video = &rows[row][nth];
            // a file or a player that no video has is that of another video
            let is_other = !self.by_file.is_empty() && !files(video).is_empty()
                || !over && self.has_player[at] && player(video).is_some();
            places[row][nth].at = Some(at).filter(|_| is_single || !is_other);
        }
    }
}

/// The key of its player.
fn player(video: &Video<'_>) -> Option<String> {
    let url = video.player.as_ref().and_then(|player| player.url.as_ref())?;
    Some(url::key(&url.value).into_owned())
}

/// Its title, without white space around it.
fn title<'v>(video: &'v Video<'_>) -> Option<&'v str> {
    video.title.as_ref().map(|title| title.value.value.trim()).filter(|title| !title.is_empty())
}

/// Replaces the play times of files that are the `old` one of the video.
fn replace_lengths(video: &mut Video<'_>, old: &Leaf<Seconds>, filling: &mut Filling) {
    let Some(new) = video.duration else { return };
    for length in video.files.iter_mut().filter_map(|file| file.duration.as_mut()) {
        if length.value == old.value && filling.replaces(length.mark) {
            filling.replace(length, &new);
            *length = new;
        }
    }
}

/// Whether it has a file or a player.
fn is_playable(video: &Video<'_>) -> bool {
    let has_player = video.player.as_ref().is_some_and(|player| player.url.is_some());
    has_player || video.files.iter().any(|file| file.url.is_some())
}

/// Fills in the values of a video, if there is one for them. A video is added only to an entry that was without any, and only if
/// it can be played.
fn place_video(
    mut video: Video<'static>,
    at: Option<usize>,
    is_free: bool,
    entry: &mut Entry<'_>,
    filling: &mut Filling,
) -> bool {
    if let Some(own) = at.and_then(|at| entry.videos.get_mut(at)) {
        align_files(own, &mut video, filling.is_over());
        let length = own.duration;
        fill_video(own, &mut video, filling);
        match length {
            Some(old) if own.duration.as_ref().is_some_and(|new| new.mark != old.mark) => {
                replace_lengths(own, &old, filling);
            }
            _ => (),
        }
        return true;
    }
    if is_free && is_playable(&video) {
        entry.videos.push(video);
        return true;
    }
    false
}

/// Puts the files of a row in the order of those of the video with the same URLs; others are no files of it, but may replace
/// them (`over`) if none is.
fn align_files(own: &Video<'_>, row: &mut Video<'static>, over: bool) {
    let key = |file: &File<'_>| file.url.as_ref().map(|url| url::key(&url.value).into_owned());
    if own.files.is_empty() || row.files.iter().all(|file| file.url.is_none()) {
        return;
    }
    let places: HashMap<String, usize> =
        row.files.iter().enumerate().filter_map(|(at, file)| Some((key(file)?, at))).collect();
    let found: Vec<Option<usize>> =
        own.files.iter().map(|file| key(file).and_then(|key| places.get(&key).copied())).collect();
    if over && found.iter().all(Option::is_none) {
        return;
    }
    let mut files: Vec<Option<File<'static>>> = std::mem::take(&mut row.files).into_iter().map(Some).collect();
    let aligned = found.into_iter().map(|at| at.and_then(|at| files.get_mut(at)?.take()).unwrap_or_default());
    row.files = aligned.map(|file| File { url: None, ..file }).collect();
}

fn files(video: &Video<'_>) -> Vec<String> {
    let urls = video.files.iter().filter_map(|file| file.url.as_ref());
    urls.map(|url| url::key(&url.value).into_owned()).collect()
}

/// The values that cannot be replaced: one of several that one leaf of the source gave.
fn fixed(entry: &Entry<'_>) -> HashSet<Mark> {
    let records = &entry.origin.records;
    let parts = records.iter().zip(0..).filter_map(|(record, own)| match record.role {
        Role::Part(of) => Some([of, Mark(own)]),
        Role::Leaf | Role::Filled(_) | Role::Follows(_) | Role::Silent => None,
    });
    parts.flatten().collect()
}

impl FillsIn for Enrichment {
    fn headings(&self) -> &str {
        let first = self.chunks.first().filter(|_| self.format.family.syntax == Syntax::Row);
        first.map_or("", |chunk| &chunk.context.tags)
    }
    fn fill(&self, entry: &mut Entry<'_>) {
        let mut found = RowFilling { filling: Filling::new(self.over.then(|| fixed(entry))), wanted: Vec::new() };
        match self.key {
            EnrichKey::Loc | EnrichKey::Id => {
                for key in self.keys(entry) {
                    self.apply(&key, None, entry, &mut found);
                }
            }
            EnrichKey::FileUrl => {
                for at in 0..entry.videos.len() {
                    let keys: Vec<String> = entry.videos.get(at).map(files).unwrap_or_default();
                    keys.iter().for_each(|key| self.apply(key, Some(at), entry, &mut found));
                }
            }
        }
        note_replaced(&found.filling, entry);
        if !found.wanted.is_empty() {
            self.note_unused(found.wanted, entry);
        }
    }
}
