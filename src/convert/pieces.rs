//! Joins a page that returns too often to be held as one entry: its later entries come in pieces of limited size. What
//! describes the page waits for the last of them; the videos of each piece are written, and their books closed, at once.
//! How two entries are joined is in `pages`.

use std::collections::{HashMap, HashSet};

use super::converted::ConvertedChunk;
use super::keys::{PageKeys, Secret};
use super::look::{HELD, LaterEntries, piece};
use super::runs::Spool;
use super::sink::VideosApart;
use super::worker::{Worker, lose_second, note_repairs};
use crate::emit::Out;
use crate::error::{Error, ErrorKind};
use crate::format::medium::video_key;
use crate::ledger::{Books, ValueStates};
use crate::model::origin::{self, Role, move_mark};
use crate::model::{Entry, Foreign, Mark, Video, Walk};
use crate::pages::{self, PageJoin};
use crate::text::grouped;

/// A page may take so many bytes in any case: with `--memory 0`, temporary files are used wherever possible.
const LEAST: usize = 1 << 20;

/// About so many bytes of the model belong to one leaf.
const LEAF: usize = 512;

/// A page some of whose entries are joined.
struct JoinedPage<'w> {
    /// What is not written yet of them.
    entry: Entry<'static>,
    join: PageJoin,
    /// What was done so far with the values of that.
    states: ValueStates,
    /// The videos that were written before the rest of their page.
    videos: Spool,
    awaited: AwaitedVideos,
    /// Bytes that the entry may take.
    memory: usize,
    worker: &'w Worker<'w>,
}

/// Videos that more than one entry of the page has, and how many entries with each are still to come.
struct AwaitedVideos {
    secret: Secret,
    left: HashMap<[u64; 2], u32>,
}

impl AwaitedVideos {
    /// The keys of an entry's videos, each of them once.
    fn keys(&self, entry: &Entry<'_>) -> HashSet<[u64; 2]> {
        entry.videos.iter().filter_map(|video| self.key(video)).collect()
    }

    fn key(&self, video: &Video<'_>) -> Option<[u64; 2]> {
        video_key(video).map(|key| self.secret.hash(key.as_bytes()))
    }

    /// An entry has come.
    fn came(&mut self, entry: &Entry<'_>) {
        for key in self.keys(entry) {
            if let Some(left) = self.left.get_mut(&key) {
                *left = left.saturating_sub(1);
            }
        }
    }

    fn is_awaited(&self, video: &Video<'_>) -> bool {
        !self.left.is_empty() && self.key(video).and_then(|key| self.left.get(&key)).is_some_and(|left| *left > 0)
    }
}

/// What was found out about the later entries of a page before they are joined.
struct PageSurvey {
    awaited: AwaitedVideos,
    /// The numbers of older revisions of entries (A5); the first entry of the page has 0.
    outdated: HashSet<usize>,
    /// The number of the entry that the others are joined to.
    first: usize,
}

impl PageSurvey {
    fn new(first: &Entry<'_>, later: &LaterEntries<'_>, worker: &Worker<'_>) -> Result<PageSurvey, Error> {
        let options = worker.setup.options;
        let mut awaited = AwaitedVideos { secret: Secret::default(), left: HashMap::new() };
        let mut keys = PageKeys::new(options.memory / 4, options.temp_dir.as_deref());
        let mut revisions = Revisions::default();
        let is_atom = worker.setup.source.family.revisions;
        let mut look = |number: usize, entry: &Entry<'_>| {
            if is_atom {
                revisions.look(number, entry, &awaited.secret);
            }
            awaited.keys(entry).into_iter().try_for_each(|key| keys.push(key, number as u64)).map_err(Error::temporary)
        };
        look(0, first)?;
        for number in 0..later.len() {
            if let Some(entry) = later.get(number)? {
                look(number + 1, &entry)?;
            }
        }
        awaited.left = keys.repeated().map_err(Error::temporary)?;
        let first = revisions.newest_of.get(&0).copied().unwrap_or(0);
        Ok(PageSurvey { awaited, outdated: revisions.outdated, first })
    }
}

/// The revisions of Atom entries: with one id, the one updated last counts, the first of those.
#[derive(Default)]
struct Revisions {
    /// By id: the first entry with it, the newest one, and its date.
    known: HashMap<u128, (usize, usize, Option<i128>)>,
    outdated: HashSet<usize>,
    /// The newest revision of the entries that have an older one.
    newest_of: HashMap<usize, usize>,
}

impl Revisions {
    fn look(&mut self, number: usize, entry: &Entry<'_>, secret: &Secret) {
        let Some(id) = &entry.id else { return };
        let updated = entry.updated.as_ref().map(|leaf| leaf.instant());
        let (first, newest, date) =
            self.known.entry(secret.number(id.value.as_bytes())).or_insert((number, number, updated));
        if *newest == number {
            return;
        }
        let is_newer = updated > *date;
        self.outdated.insert(if is_newer { *newest } else { number });
        if is_newer {
            (*newest, *date) = (number, updated);
            self.newest_of.insert(*first, number);
        }
    }
}

impl Worker<'_> {
    /// Writes the entry of a page whose later entries are too many to be held: videos piece by piece, all else at the end.
    pub(super) fn in_pieces(
        &self,
        entry: Entry<'static>,
        later: &LaterEntries<'_>,
        books: &mut Books,
        done: &mut ConvertedChunk,
    ) -> Result<(), Error> {
        let options = self.setup.options;
        let PageSurvey { awaited, outdated, first } = PageSurvey::new(&entry, later, self)?;
        let newest = match first.checked_sub(1) {
            Some(number) => later.get(number)?,
            None => None,
        };
        let (entry, mut old) = match newest {
            Some(newest) => (newest, vec![entry]),
            None => (entry, Vec::new()),
        };
        let mut page = JoinedPage {
            entry,
            join: PageJoin::default(),
            states: ValueStates::default(),
            videos: Spool::new(HELD, options.temp_dir.as_deref()),
            awaited,
            memory: options.memory.max(LEAST),
            worker: self,
        };
        page.awaited.came(&page.entry);
        old.iter().for_each(|entry| page.awaited.came(entry));
        let mut number = 0;
        while number < later.len() {
            let (mut kept, mut size) = (Vec::new(), 0);
            let most = piece(options).max(page.size());
            while number < later.len() && size < most {
                number += 1;
                let wanted = if number == first { None } else { later.get(number - 1)? };
                let Some(entry) = wanted else { continue };
                size += entry.origin.parts.iter().map(|part| part.raw.len()).sum::<usize>();
                page.awaited.came(&entry);
                if outdated.contains(&number) { old.push(entry) } else { kept.push(entry) }
            }
            page.join.add(&mut page.entry, kept, std::mem::take(&mut old));
            page.write_piece(books, done)?;
            page.must_fit(later.len() + 1)?;
        }
        page.write_rest(books, done)
    }
}

impl JoinedPage<'_> {
    /// Bytes that about are needed to hold the entry.
    fn size(&self) -> usize {
        let texts: usize = self.entry.origin.parts.iter().map(|part| part.raw.len()).sum();
        texts + self.entry.origin.records.len() * LEAF
    }

    /// What waits of the page must be bounded.
    fn must_fit(&self, entries: usize) -> Result<(), Error> {
        if self.size() <= self.memory {
            return Ok(());
        }
        let page = pages::address(&self.entry, self.worker.setup.source.family);
        let page = page.map_or("a page".to_owned(), |page| format!("the page {}", page.url));
        let says =
            format!("{page} has {} entries, whose values do not fit into memory together", grouped(entries as u64));
        Err(ErrorKind::Limit { option: "--memory", says }.into())
    }

    /// Puts the videos that wait first. Returns how many they are.
    fn sort_videos(&mut self) -> usize {
        let (writer, setup) = (self.worker.writer, self.worker.setup);
        let videos = std::mem::take(&mut self.entry.videos);
        let waits: Vec<bool> =
            videos.iter().map(|video| !writer.is_apart(video, setup) || self.awaited.is_awaited(video)).collect();
        let count = waits.iter().filter(|waits| **waits).count();
        let (mut ahead, mut behind) = (0.., count..);
        let now: Vec<Option<usize>> =
            waits.iter().map(|waits| if *waits { ahead.next() } else { behind.next() }).collect();
        self.entry.renumber("video:video", &now);
        let (first, rest): (Vec<_>, Vec<_>) = videos.into_iter().zip(waits).partition(|(_, waits)| *waits);
        self.entry.videos = first.into_iter().chain(rest).map(|(video, _)| video).collect();
        count
    }

    /// Writes the videos that need not wait, and closes the books of all that will not be in the output later.
    fn write_piece(&mut self, books: &mut Books, done: &mut ConvertedChunk) -> Result<(), Error> {
        let worker = self.worker;
        if !worker.quiet {
            note_repairs(&self.entry, &mut done.ledger);
        }
        let first = self.sort_videos();
        let beside = self.set_markup_aside(first);
        books.open_piece(&self.entry.origin.records, first);
        let mut bytes = Vec::new();
        let mut out = Out::new(worker.style, &mut bytes, books, worker.setup.target.family.depth());
        lose_second(&self.entry, worker.setup, worker.style.table, &mut out);
        worker.writer.entry(&self.entry, worker.setup, &mut out);
        let is_written = !books.dropped() && !bytes.is_empty();
        if let Some(verifier) = worker.verifier.filter(|_| is_written) {
            verifier.entry(&bytes)?;
        }
        let own = self.entry.videos.len() - first;
        done.objects.videos += own as u64;
        let apart = books.cut().filter(|_| is_written).and_then(|place| bytes.get(place)).unwrap_or_default();
        let written = if apart.is_empty() { 0 } else { worker.writer.videos(&self.entry, apart, books) };
        done.objects.videos_written += written;
        self.videos.push(apart).map_err(Error::temporary)?;
        let missing = own.saturating_sub(usize::try_from(written).unwrap_or(usize::MAX));
        books.add_states(&self.states);
        if missing > 0 && books.dropped_for().is_none() {
            let waiting: Vec<Video<'static>> = self.entry.videos.drain(..first).collect();
            worker.drop_videos(&self.entry, books, (is_written, missing), done);
            self.entry.videos.splice(..0, waiting);
        }
        let gone = self.leave(first, books);
        self.entry.foreign.extend(beside);
        self.close(&gone, books, done)
    }

    /// Unknown markup that is written back stays with the page, except in the videos behind the first ones.
    fn set_markup_aside(&mut self, first: usize) -> Vec<Foreign<'static>> {
        if !self.worker.style.foreign {
            return Vec::new();
        }
        let is_inner = |item: &Foreign<'_>| {
            let number = item.path.strip_prefix("url/video:video[").and_then(|rest| rest.split_once(']'));
            number.and_then(|(number, _)| number.parse::<usize>().ok()).is_some_and(|number| number > first)
        };
        let (inner, beside) = std::mem::take(&mut self.entry.foreign).into_iter().partition(is_inner);
        self.entry.foreign = inner;
        beside
    }

    /// Takes from the entry what was written, and what is not in the output: nothing can change that.
    fn leave(&mut self, first: usize, books: &Books) -> Entry<'static> {
        let entry = &mut self.entry;
        let firsts: Vec<Mark> = entry.videos.iter().take(first).map(Video::first_mark).collect();
        entry.origin.keep_joined(&firsts);
        let mut said = HashSet::new();
        entry.origin.joined.iter_mut().for_each(|(_, page)| page.marks(&mut |mark| said.extend([*mark])));
        let stays = |mark: Mark| books.is_written(mark) || said.contains(&mark);
        // videos that wait may have inherited some of it
        let mut awaited = false;
        entry.media.marks(&mut |mark| awaited |= said.contains(mark));
        let mut gone = Entry {
            videos: entry.videos.split_off(first),
            media: if awaited { None } else { entry.media.take() },
            foreign: std::mem::take(&mut entry.foreign),
            ..Entry::default()
        };
        macro_rules! unwritten {
            (slots: $($slot:ident)*; lists: $($list:ident)*;) => {
                $(
                    let (kept, lost) = split(entry.$slot.take().into_iter().collect(), stays);
                    (entry.$slot, gone.$slot) = (kept.into_iter().next(), lost.into_iter().next());
                )*
                $((entry.$list, gone.$list) = split(std::mem::take(&mut entry.$list), stays);)*
            };
        }
        unwritten! {
            slots: title summary content content_src content_type created publisher rights license comments comment_count
                comment_feed source;
            lists: authors contributors categories links enclosures images alternates in_reply_to location modules;
        }
        gone
    }

    /// Closes the books of what is gone.
    fn close(&mut self, gone: &Entry<'static>, books: &mut Books, done: &mut ConvertedChunk) -> Result<(), Error> {
        let entry = &mut self.entry;
        let pending = pending(entry);
        let numbers = origin::numbers(&pending);
        self.states = books.states(&numbers);
        books.leave(pending);
        done.ledger.close(books, &entry.origin, self.worker.style.table, |visit| {
            entry.walk((), visit);
            gone.walk((), visit);
        })?;
        entry.origin.keep_records(&numbers);
        entry.marks(&mut |mark| *mark = move_mark(*mark, &numbers));
        Ok(())
    }

    /// Writes what waited, with the videos that were written before in their place.
    fn write_rest(mut self, books: &mut Books, done: &mut ConvertedChunk) -> Result<(), Error> {
        let place = self.worker.write_rest(&self.entry, Some(&self.states), books, done)?;
        let (Some(place), Some(piece), true) = (place, done.pieces.last_mut(), self.videos.size() > 0) else {
            return Ok(());
        };
        if self.videos.size() <= HELD as u64 {
            let mut videos = Vec::new();
            self.videos.each_block(&mut |block| {
                videos.extend_from_slice(block);
                Ok(())
            })?;
            piece.end += videos.len();
            done.bytes.splice(place..place, videos);
            return Ok(());
        }
        piece.apart = self.videos.size();
        done.apart.push(VideosApart { place, videos: self.videos });
        Ok(())
    }
}

/// The parts with one of these marks, and the others.
fn split<W: Walk>(parts: Vec<W>, is_wanted: impl Fn(Mark) -> bool) -> (Vec<W>, Vec<W>) {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for mut part in parts {
        let mut wanted = false;
        part.marks(&mut |mark| wanted |= is_wanted(*mark));
        if wanted { with.push(part) } else { without.push(part) }
    }
    (with, without)
}

/// Which records of an entry have a value in it, or go where one of these goes.
fn pending(entry: &mut Entry<'static>) -> Vec<bool> {
    let mut pending = vec![false; entry.origin.records.len()];
    let mut note = |mark: &mut Mark| {
        if mark.is_some()
            && !mark.of_feed()
            && let Some(slot) = pending.get_mut(mark.0 as usize)
        {
            *slot = true;
        }
    };
    entry.marks(&mut note);
    entry.origin.joined.iter_mut().for_each(|(_, said)| said.marks(&mut note));
    let records = &entry.origin.records;
    loop {
        let mut grown = false;
        for (index, record) in records.iter().enumerate() {
            let (Role::Part(of) | Role::Follows(of)) = record.role else { continue };
            let (own, whole) = (pending[index], pending.get(of.0 as usize).copied().unwrap_or(false));
            if own != whole && (whole || matches!(record.role, Role::Part(_))) {
                pending[index] = true;
                if let Some(slot) = pending.get_mut(of.0 as usize) {
                    *slot = true;
                }
                grown = true;
            }
        }
        if !grown {
            return pending;
        }
    }
}
