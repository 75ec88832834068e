//! What one core does: entries of a chunk in, bytes and books out.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::bare::BareUrlWriter;
use super::converted::ConvertedChunk;
use super::document::Document;
use super::look::{ChunkSurvey, JoinedEntries, SurveyOptions, ordinal, piece};
use super::objects::{DroppedKind, DroppedObject, Drops, Objects, is_tried};
use super::read::{EntryReader, RawEntry, bad_place, raw_entry};
use super::sink::WrittenEntry;
use crate::code::{Class, Code};
use crate::convert::trouble::{diagnostic_of, done, of_remark};
use crate::emit::{Out, Style};
use crate::error::Error;
use crate::fate::{Fate, FateTable};
use crate::format::medium::is_no_video;
use crate::format::ns::dialect;
use crate::format::ns::{media, modules};
use crate::format::{self, EntryTally, FormatWriter, Setup};
use crate::interop::verify::Verifier;
use crate::ledger::{Books, CompleteRows, Diagnostic, Example, Ledger, ReaderChanges, ValueStates, shorten};
use crate::markup::MemoryPool;
use crate::model::origin::{LeafRecord, Origin, Preset, Role, SourcePart, Syntax};
use crate::model::{Entry, Field, IntoOwned, LeafView, Mark, Str, Video, Walk, episode};
use crate::options::Options;
use crate::pages;
use crate::place::PieceLines;
use crate::reason::Reason;
use crate::resolve;
use crate::xml::chunk::{Chunk, Context, Trouble};
use crate::xml::limits::TreeError;

/// What one core does: entries of a chunk in, bytes and books out.
pub(super) struct Worker<'w> {
    pub(super) documents: &'w [Document<'w>],
    pub(super) document: &'w Document<'w>,
    pub(super) index: usize,
    pub(super) setup: &'w Setup<'w>,
    pub(super) style: &'w Style<'w>,
    pub(super) writer: &'static dyn FormatWriter,
    pub(super) joins: &'w JoinedEntries,
    /// Entries are looked at while they are written.
    pub(super) looking: Option<&'w SurveyOptions>,
    /// What is known of the entries' markup.
    pub(super) learned: MemoryPool,
    pub(super) full: bool,
    pub(super) between: &'static [u8],
    pub(super) verifier: Option<&'w Verifier>,
    /// Changes the reader made to the values of the head.
    pub(super) head: Arc<ReaderChanges>,
    /// Rows of the report that have examples enough.
    pub(super) sated: &'w Mutex<Arc<CompleteRows>>,
    /// The options with one more, for each that may keep what is dropped.
    pub(super) attempts: Vec<(&'static str, Options)>,
    /// As many are listed as a report has room for.
    pub(super) enough: &'w AtomicBool,
    /// Somebody else reports the repairs of the input.
    pub(super) quiet: bool,
}

impl Worker<'_> {
    /// Nothing done yet.
    pub(super) fn begin(&self) -> ConvertedChunk {
        let sated = self.sated.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let ledger = Ledger::for_worker(self.full, sated);
        let (bytes, pieces, glance) = (Vec::new(), Vec::new(), ChunkSurvey::default());
        ConvertedChunk {
            bytes,
            pieces,
            apart: Vec::new(),
            ledger,
            objects: Objects::default(),
            drops: Drops::default(),
            scratch: None,
            glance,
        }
    }

    /// Books for the entries of a chunk.
    pub(super) fn books(&self) -> Books {
        let mut books = Books::new(self.full);
        books.open_feed(&self.head);
        books
    }

    pub(super) fn chunk(&self, chunk: &Chunk) -> Result<ConvertedChunk, Error> {
        let mut done = self.begin();
        done.bytes.reserve(chunk.text.len());
        done.pieces.reserve(chunk.pieces.len());
        if self.looking.is_some() {
            done.glance.expect(chunk.pieces.len());
        }
        done.ledger.expect(chunk.text.len());
        let mut reading = EntryReader::after(self.learned.take(), &chunk.context);
        reading.keeps = true;
        let family = self.setup.source.family;
        let mut books = self.books();
        let mut bare = self.bare();
        for (offset, piece) in chunk.pieces.iter().enumerate() {
            done.objects.entries += 1;
            let raw = raw_entry(chunk, piece, offset);
            let place = ordinal(self.index, raw.number);
            if self.joins.is_later(place) {
                done.objects.joined += 1;
                continue;
            }
            let bare = bare.as_mut().filter(|_| !self.joins.is_first(place));
            let bare = bare.and_then(|bare| bare.accepts(raw.text).map(|url| (bare, url)));
            if bare.as_ref().is_some_and(|(bare, url)| bare.write(*url, self.between, &mut done)) {
                if let Some(looking) = self.looking {
                    looking.address(raw.text, raw.number, &mut done.glance);
                }
                continue;
            }
            let before = done.ledger.totals();
            let mut entry = Entry::default();
            match self.document.read_into(&raw, &mut reading, self.setup.options, &mut entry) {
                Ok(()) => {
                    if let Some(looking) = self.looking {
                        looking.entry(&entry, raw.number, family, &mut done.glance);
                    }
                    if self.index > 0 && !self.setup.target.family.lists_pages() {
                        leave_head(&mut entry, self.setup);
                    }
                    self.entry(&mut entry, &mut books, &mut done)?;
                    reading.recycle(&mut entry);
                    if let Some((bare, url)) = bare {
                        bare.learn(url, &done, &before);
                    }
                }
                Err(bad) => self.refuse(&raw, &bad, &mut done),
            }
        }
        self.learned.keep(reading.learned());
        self.lose_pieces(chunk, &mut done);
        Ok(done)
    }

    /// The fast path for lines that are only a URL, unless each entry must be reported or checked.
    fn bare(&self) -> Option<BareUrlWriter<'_>> {
        let unheard =
            self.setup.options.enrich.is_none() && !self.full && self.verifier.is_none() && !self.document.is_edited();
        if unheard { BareUrlWriter::new(self.writer, self.setup) } else { None }
    }

    /// The same for entries of the first document that were read already.
    pub(super) fn read(
        &self,
        chunk: &Chunk,
        entries: Vec<Result<Entry<'_>, TreeError>>,
    ) -> Result<ConvertedChunk, Error> {
        let mut done = self.begin();
        done.bytes.reserve(chunk.text.len());
        let mut books = self.books();
        for ((offset, piece), read) in chunk.pieces.iter().enumerate().zip(entries) {
            done.objects.entries += 1;
            let raw = raw_entry(chunk, piece, offset);
            if self.joins.is_later(ordinal(self.index, raw.number)) {
                done.objects.joined += 1;
                continue;
            }
            match read {
                Ok(mut entry) => {
                    if let Some(looking) = self.looking {
                        looking.entry(&entry, raw.number, self.setup.source.family, &mut done.glance);
                    }
                    self.entry(&mut entry, &mut books, &mut done)?;
                }
                Err(bad) => self.refuse(&raw, &bad, &mut done),
            }
        }
        self.lose_pieces(chunk, &mut done);
        Ok(done)
    }

    fn refuse(&self, raw: &RawEntry<'_>, bad: &TreeError, done: &mut ConvertedChunk) {
        done.ledger.diagnostic(bad_diagnostic(raw, bad));
        self.lose(raw, bad, done);
    }

    fn lose_pieces(&self, chunk: &Chunk, done: &mut ConvertedChunk) {
        for trouble in &chunk.trouble {
            done.ledger.diagnostic(diagnostic_of(trouble, chunk.context.input.as_deref()));
            self.lose_piece(trouble, chunk, done);
        }
    }

    /// An entry that cannot be read is one leaf, lost and named.
    pub(super) fn lose(&self, raw: &RawEntry<'_>, bad: &TreeError, done: &mut ConvertedChunk) {
        let path = entry_path(raw.context, raw.text, self.document.format.family.syntax);
        let why = unread(bad.code);
        let place = (Some(raw.number), raw.line, raw.column);
        self.drop_unread(raw.context, place, why, done);
        done.ledger.unreadable(why, at(raw.context, place, path).beginning(raw.text));
    }

    /// So is one that could not even be cut out.
    pub(super) fn lose_piece(&self, trouble: &Trouble, chunk: &Chunk, done: &mut ConvertedChunk) {
        if !trouble.lost {
            return;
        }
        done.objects.entries += 1;
        let path = chunk.context.path.clone();
        let place = (trouble.entry, trouble.line, trouble.column);
        let why = unread(trouble.code);
        self.drop_unread(&chunk.context, place, why, done);
        done.ledger.unreadable(why, at(&chunk.context, place, path).beginning(&trouble.raw));
    }

    /// Writes an entry that others have a use for too.
    pub(super) fn borrowed(
        &self,
        entry: &Entry<'_>,
        books: &mut Books,
        done: &mut ConvertedChunk,
    ) -> Result<(), Error> {
        let number = number_of(entry);
        // only these are changed on the way
        let settled = entry.foreign.is_empty()
            && entry.modules.is_empty()
            && !pages::attaches_twice(entry, self.setup)
            && !pages::is_film(entry, self.setup)
            && !pages::lacks_caption(entry, self.setup)
            && !pages::lacks_picture(entry, self.setup)
            && (holds_groups(self.style.table, self.setup) || !entry.videos.iter().any(media::is_album))
            && !(lends_durations(self.style.table, self.setup)
                && entry.videos.iter().any(|video| video.lent_duration().is_some()));
        let alone = || !self.joins.is_first(ordinal(self.index, number)) && !self.repeats(entry);
        if settled && alone() { self.write(entry, books, done) } else { self.entry(&mut entry.clone(), books, done) }
    }

    fn repeats(&self, entry: &Entry<'_>) -> bool {
        self.setup.target.joins_videos(self.setup.source.family) && pages::repeats(entry)
    }

    pub(super) fn entry(
        &self,
        entry: &mut Entry<'_>,
        books: &mut Books,
        done: &mut ConvertedChunk,
    ) -> Result<(), Error> {
        if let Some(why) = entry.origin.unselected {
            return self.close_unselected(entry, why, books, done);
        }
        if entry.origin.is_skipped() {
            return self.close_removed(entry, books, done);
        }
        settle(entry, self.setup, self.writer);
        let number = number_of(entry);
        let later = self.joins.later(ordinal(self.index, number), self.documents, self.setup.options);
        if later.is_empty() && !self.repeats(entry) {
            return self.write(entry, books, done);
        }
        let mut joined = std::mem::take(entry).into_owned();
        match later.within(piece(self.setup.options))? {
            Some(later) => {
                let mut later = later;
                if self.writer.settles_episodes() {
                    later.iter_mut().for_each(episode::settle);
                }
                pages::join(&mut joined, later, self.setup.source.family.revisions);
                self.write(&joined, books, done)
            }
            None => {
                let _one = self.joins.large();
                self.in_pieces(joined, &later, books, done)
            }
        }
    }

    /// Reports the values that the caller removed, for an entry of which nothing is written.
    fn close_removed(&self, entry: &Entry<'_>, books: &mut Books, done: &mut ConvertedChunk) -> Result<(), Error> {
        note_repairs(entry, &mut done.ledger);
        books.open(&entry.origin.records);
        done.ledger.close(books, &entry.origin, self.style.table, |_| ())
    }

    /// Reports the values of an entry that was not asked for.
    fn close_unselected(
        &self,
        entry: &Entry<'_>,
        why: Reason,
        books: &mut Books,
        done: &mut ConvertedChunk,
    ) -> Result<(), Error> {
        done.objects.unselected += 1;
        done.objects.videos_unselected += entry.videos.len() as u64 + entry.origin.unselected_videos;
        note_repairs(entry, &mut done.ledger);
        books.open(&entry.origin.records);
        books.drop_all(why);
        done.ledger.close(books, &entry.origin, self.style.table, |visit| entry.walk((), visit))
    }

    fn write(&self, entry: &Entry<'_>, books: &mut Books, done: &mut ConvertedChunk) -> Result<(), Error> {
        self.write_rest(entry, None, books, done).map(|_| ())
    }

    /// Writes an entry, or what is left of one after videos of it were written: `before` has what was done with its
    /// values then. Returns where those videos belong among the bytes.
    pub(super) fn write_rest(
        &self,
        entry: &Entry<'_>,
        before: Option<&ValueStates>,
        books: &mut Books,
        done: &mut ConvertedChunk,
    ) -> Result<Option<usize>, Error> {
        done.objects.videos += entry.videos.len() as u64;
        if before.is_none() {
            done.objects.videos_unselected += entry.origin.unselected_videos;
            self.drop_unread_videos(entry, done);
        }
        if !self.quiet {
            note_repairs(entry, &mut done.ledger);
        }
        match before {
            Some(_) => books.open_piece(&entry.origin.records, entry.videos.len()),
            None => books.open(&entry.origin.records),
        }
        let end = done.bytes.len();
        if end > 0 {
            done.bytes.extend_from_slice(self.between);
        }
        let start = done.bytes.len();
        let mut out = Out::new(self.style, &mut done.bytes, books, self.setup.target.family.depth());
        lose_second(entry, self.setup, self.style.table, &mut out);
        self.writer.entry(entry, self.setup, &mut out);
        note_generated(entry, out.books());
        let (tops, documents) = (out.open_level(), out.documents());
        before.into_iter().for_each(|before| books.add_states(before));
        let written = !books.dropped() && done.bytes.len() > start;
        let mut videos = 0;
        let is_blank = !entry.origin.records.iter().any(|record| matches!(record.role, Role::Leaf));
        if is_blank && written {
            done.ledger.count_kept_empty();
        }
        let dropped = match books.dropped_for() {
            _ if is_blank && !written => {
                note_empty_entry(done, entry);
                Some(Reason::EmptyEntry)
            }
            // those without a value that could be read
            None if !written && before.is_none() => Some(Reason::EmptyEntry),
            why => why,
        };
        if !written {
            done.bytes.truncate(end);
        } else if let Some(written) = done.bytes.get(start..) {
            if let Some(verifier) = self.verifier {
                verifier.entry(written)?;
            }
            let tally = self.writer.tally(entry, written, self.setup);
            if !entry.videos.is_empty() {
                videos = self.writer.videos(entry, written, books);
                done.objects.videos_written += videos;
            }
            done.objects.pages_written += 1;
            done.objects.entries_written += tops.max(1);
            let mut piece = WrittenEntry { start, end: done.bytes.len(), entries: tops.max(1), tally, apart: 0 };
            for next in documents {
                done.pieces.push(WrittenEntry { end: next, entries: 1, ..piece });
                let entries = piece.entries.saturating_sub(1);
                piece = WrittenEntry { start: next, entries, tally: EntryTally::default(), ..piece };
            }
            done.pieces.push(piece);
        }
        let missing = entry.videos.len().saturating_sub(usize::try_from(videos).unwrap_or(usize::MAX));
        match dropped {
            Some(why) => {
                done.objects.dropped += 1;
                self.drop_entry(entry, why, done);
            }
            None if missing > 0 => self.drop_videos(entry, books, (written, missing), done),
            None => (),
        }
        done.ledger.close(books, &entry.origin, self.style.table, |visit| entry.walk((), visit))?;
        Ok(books.cut().filter(|_| written).map(|place| place.end))
    }

    /// Lists an entry that could not be read.
    fn drop_unread(
        &self,
        context: &Context,
        (entry, line, _): (Option<u64>, u32, u32),
        reason: Reason,
        done: &mut ConvertedChunk,
    ) {
        done.objects.dropped += 1;
        done.drops.add(DroppedObject {
            kind: DroppedKind::Entry,
            input: context.input.as_deref().map(str::to_owned),
            entry,
            line: Some(line),
            title: None,
            url: None,
            reason,
            fixes: with_remedy(Vec::new(), reason),
            videos: 0,
        });
    }

    /// Lists the videos in what could not be read of an entry.
    fn drop_unread_videos(&self, entry: &Entry<'_>, done: &mut ConvertedChunk) {
        let is_markup = entry.origin.parts.first().is_some_and(|part| part.syntax == Syntax::Xml);
        let mut lines = PieceLines::new(&entry.origin.parts);
        for &(piece, at) in &entry.origin.unread_videos {
            let line = lines.at(piece, at).map(|(line, _)| line);
            done.objects.videos += 1;
            done.drops.add(DroppedObject {
                kind: DroppedKind::Video,
                reason: if is_markup { Reason::NestedItem } else { Reason::UnreadVideo },
                videos: 1,
                ..object(entry, self.page_url(entry).as_deref(), (None, line))
            });
        }
    }

    /// Lists an entry of which nothing was written, with what would keep it.
    fn drop_entry(&self, entry: &Entry<'_>, reason: Reason, done: &mut ConvertedChunk) {
        let kept = |attempt: &Attempt| attempt.written;
        let fixes =
            self.attempts(entry, done).into_iter().filter(|(_, attempt)| kept(attempt)).map(|(option, _)| option);
        done.drops.add(DroppedObject {
            reason,
            fixes: with_remedy(fixes.collect(), reason),
            videos: entry.videos.len() as u64,
            ..object(entry, self.page_url(entry).as_deref(), (None, None))
        });
    }

    /// Lists the videos of an entry that are not in what was `written` of it, so many.
    pub(super) fn drop_videos(
        &self,
        entry: &Entry<'_>,
        books: &Books,
        (written, missing): (bool, usize),
        done: &mut ConvertedChunk,
    ) {
        let dropped = omitted_videos(entry, books, (written, missing), (self.setup, self.style.table));
        // what the target has no place for is not kept by an option
        let is_wanted = dropped.iter().any(|(_, why)| why.class() == Class::Attention);
        let attempts = if is_wanted { self.attempts(entry, done) } else { Vec::new() };
        let mut lines = PieceLines::new(&entry.origin.parts);
        let page = self.page_url(entry);
        for (video, reason) in dropped {
            let mark = video.first_mark();
            let line = line_of(&entry.origin, mark, &mut lines);
            let kept = |attempt: &Attempt| attempt.written && (attempt.all || attempt.videos.contains(&mark));
            let fixes = attempts.iter().filter(|(_, attempt)| kept(attempt)).map(|(option, _)| *option);
            let is_missed = reason.class() == Class::Attention;
            let fixes = if is_missed { with_remedy(fixes.collect(), reason) } else { Vec::new() };
            let object = object(entry, page.as_deref(), (Some(video), line));
            done.drops.add(DroppedObject { reason, fixes, videos: 1, ..object });
        }
    }

    /// The URL of the page of an entry. Finding it takes a look at all its files.
    fn page_url<'e>(&self, entry: &'e Entry<'_>) -> Option<Cow<'e, str>> {
        pages::address(entry, self.setup.source.family).map(|page| page.url)
    }

    /// What would be written of an entry with one option more, for each that may keep what was dropped.
    fn attempts(&self, entry: &Entry<'_>, done: &mut ConvertedChunk) -> Vec<(&'static str, Attempt)> {
        // the list is full
        if self.enough.load(Ordering::Relaxed) {
            return Vec::new();
        }
        // opened for the head once: a head can be far larger than an entry
        let mut books = done.scratch.take().unwrap_or_else(|| self.books());
        let attempt = |(option, options): &(&'static str, Options)| {
            let setup = Setup { options, ..*self.setup };
            let style = setup.style(self.writer, self.style.declared);
            let mut bytes = Vec::new();
            // a base URL is of use where an entry is read
            let based = options.base != self.setup.options.base && !setup.source.family.is_model();
            let based = based.then(|| {
                let mut entry = entry.clone();
                resolve::entry(&mut entry, &[], Some(setup.own_feed), options);
                entry
            });
            let entry = based.as_ref().unwrap_or(entry);
            books.open(&entry.origin.records);
            let mut out = Out::new(&style, &mut bytes, &mut books, setup.target.family.depth());
            self.writer.entry(entry, &setup, &mut out);
            let written = !books.dropped() && !bytes.is_empty();
            let all = written && self.writer.videos(entry, &bytes, &books) == entry.videos.len() as u64;
            let (left_out, kept) = (books.videos_dropped_at(), format::WrittenVideos::new(entry, &books));
            let kept = |video: &&Video<'_>| !left_out.contains_key(&video.first_mark()) && kept.has(video);
            let videos = entry.videos.iter().filter(kept).map(Video::first_mark).collect();
            (*option, Attempt { written, all, videos })
        };
        let attempts = self.attempts.iter().map(attempt).collect();
        done.scratch = Some(books);
        attempts
    }
}

/// Loses values of modules that give those of the entry another time.
pub(crate) fn lose_second(entry: &Entry<'_>, setup: &Setup<'_>, table: FateTable, out: &mut Out<'_, '_>) {
    if !entry.modules.is_empty() {
        modules::lose_second(entry, &entry.modules, (setup, table), &entry.origin, out);
    }
}

/// Makes the number of replies that a link gives (RFC 4685 section 4) that of the comments, if nothing else gives it.
fn count_comments(entry: &mut Entry<'_>) {
    if entry.comment_count.is_some() {
        return;
    }
    for link in entry.links.iter_mut().filter(|link| link.rel.as_ref().is_some_and(|rel| rel.value.trim() == "replies"))
    {
        let Some(at) = link.modules.iter().position(|attribute| attribute.name == "thr:count") else { continue };
        let count = link.modules.get(at).and_then(|attribute| attribute.value.as_ref());
        let count = count.and_then(|leaf| Some(leaf.with(leaf.value.trim().parse::<u64>().ok()?)));
        let Some(count) = count else { continue };
        if let Some(record) = entry.origin.records.get_mut(count.mark.0 as usize)
            && record.preset == Preset::Open
        {
            record.preset = Preset::Adjusted(Reason::OtherElement);
        }
        link.modules.remove(at);
        entry.comment_count = Some(count);
        return;
    }
}

/// Settles what an entry holds beside the model, as this target takes it: extensions of platforms, files that it attaches
/// twice or gives as its page, and values of episodes.
pub(crate) fn settle(entry: &mut Entry<'_>, setup: &Setup<'_>, writer: &dyn FormatWriter) {
    dialect::settle(entry, setup.unknown());
    if pages::attaches_twice(entry, setup) {
        pages::join_enclosures(entry);
    }
    let table = writer.table(setup.options);
    if pages::is_film(entry, setup) && table(Field::VideoFileUrl).name().is_some() {
        pages::take_film(entry);
    }
    if pages::lacks_caption(entry, setup) {
        pages::take_caption(entry);
    }
    if pages::lacks_picture(entry, setup) {
        pages::take_thumbnail(entry);
    }
    if !holds_groups(table, setup) {
        media::take_pictures(entry);
    }
    if lends_durations(table, setup) {
        entry.videos.iter_mut().for_each(|video| video.duration = video.duration.or(video.lent_duration()));
    }
    if writer.settles_episodes() {
        episode::settle(entry);
    }
    let (target, source) = (setup.target.family, setup.source.family);
    if !(target.is_rss() || target.is_model() || target == source) {
        episode::describe(entry);
    }
    if !(target.is_model() || target == source) && table(Field::License).name().is_some() {
        modules::take_license(entry);
    }
    if !(target.is_model() || target == source) {
        drop_blanks(entry);
    }
    if !(target.is_atom() || target.is_model() || target == source) {
        count_comments(entry);
    }
}

/// Takes out names and tags without a text: no element is made of them.
fn drop_blanks(entry: &mut Entry<'_>) {
    let Entry { authors, contributors, media, videos, origin, .. } = entry;
    let mut is_dropped = |leaf: &Str<'_>, field: Field| {
        let is_blank = leaf.value.trim().is_empty();
        if is_blank {
            origin.remove(leaf.mark, field, Reason::NoText);
        }
        is_blank
    };
    for (people, field) in [(authors, Field::AuthorName), (contributors, Field::ContributorName)] {
        people.retain_mut(|person| {
            let taken = person.name.take_if(|name| is_dropped(name, field));
            taken.is_none() || !person.is_blank()
        });
    }
    for video in media.as_deref_mut().into_iter().chain(videos) {
        video.tags.retain(|tag| !is_dropped(tag, Field::VideoTag));
        if let Some(uploader) = &mut video.uploader {
            uploader.name.take_if(|name| is_dropped(name, Field::VideoUploaderName));
        }
        video.uploader.take_if(|uploader| uploader.is_blank());
    }
}

/// Whether the target has groups of files, or several files for an item in their place.
fn holds_groups(table: FateTable, setup: &Setup<'_>) -> bool {
    let target = setup.target.family;
    target.is_rss() || target.is_model() || !target.is_table() && table(Field::VideoFileMedium).name().is_some()
}

/// Whether the target has a place for the duration of a video, and none for those of its files (S-V7). Tables have one for
/// those of other files.
fn lends_durations(table: FateTable, setup: &Setup<'_>) -> bool {
    let has = |field| table(field).name().is_some();
    has(Field::VideoDuration) && (setup.target.family.is_table() || !has(Field::VideoFileDuration))
}

/// The options that keep an object; where none does, what the reason proposes, unless that was tried.
fn with_remedy(mut fixes: Vec<&'static str>, reason: Reason) -> Vec<&'static str> {
    let remedy = reason.remedy();
    if fixes.is_empty() && !remedy.is_empty() && !is_tried(remedy) {
        fixes.push(remedy);
    }
    fixes
}

/// What is known of an entry, or of a video of it.
fn object(entry: &Entry<'_>, page: Option<&str>, (video, line): (Option<&Video<'_>>, Option<u32>)) -> DroppedObject {
    let of_video = video.and_then(|video| entry.origin.part_of(video.first_mark()));
    let part = of_video.or(entry.origin.parts.first());
    let title = video.and_then(|video| video.title.as_ref()).or(entry.title.as_ref());
    let file = |video: &Video<'_>| {
        let file = video.files.iter().find_map(|file| file.url.as_ref());
        let player = || video.player.as_ref().and_then(|player| player.url.as_ref());
        file.or_else(player).map(|url| url.value.to_string())
    };
    let url = page.map(str::to_owned).or_else(|| video.or(entry.videos.first()).and_then(file));
    let shown = |text: &str| (!text.trim().is_empty()).then(|| shorten(text.trim()));
    DroppedObject {
        kind: if video.is_some() { DroppedKind::Video } else { DroppedKind::Entry },
        input: part.and_then(SourcePart::input),
        entry: Some(number_of(entry)),
        line: line.or_else(|| Some(entry.origin.line()).filter(|line| *line > 0)),
        title: title.and_then(|title| shown(&title.value)),
        url: url.as_deref().and_then(shown),
        reason: Reason::EmptyEntry,
        fixes: Vec::new(),
        videos: 0,
    }
}

/// Why nothing of an entry could be read, by the code of its repair.
fn unread(code: &str) -> Reason {
    if code.starts_with("limit.") { Reason::OverLimit } else { Reason::IllFormed }
}

/// What an option would keep of an entry.
struct Attempt {
    /// Anything at all.
    written: bool,
    /// All its videos.
    all: bool,
    /// These, by their first marks.
    videos: HashSet<Mark>,
}

/// The line of a value.
fn line_of(origin: &Origin<'_>, mark: Mark, lines: &mut PieceLines<'_, '_>) -> Option<u32> {
    let record = origin.record(mark).filter(|record| record.at != LeafRecord::NOWHERE && !mark.of_feed())?;
    let (line, _) = lines.at(origin.piece_of(mark)?, record.at)?;
    Some(line)
}

/// The videos of an entry that are not in what was `written` of it, so many, and why.
pub(crate) fn omitted_videos<'e, 'a>(
    entry: &'e Entry<'a>,
    books: &Books,
    (written, missing): (bool, usize),
    (setup, table): (&Setup<'_>, FateTable),
) -> Vec<(&'e Video<'a>, Reason)> {
    let (left_out, kept) = (books.videos_dropped_at(), format::WrittenVideos::new(entry, books));
    let target = setup.target;
    let is_feed = target.family.is_feed() && target.has_videos() && target.id != setup.source.id;
    let why = |video: &Video<'_>| match left_out.get(&video.first_mark()) {
        Some(why) => Some(*why),
        None if kept.has(video) => None,
        None if !written => Some(Reason::EmptyEntry),
        None => {
            let lost = why_lost(video, books, table).filter(|why| why.code() != Code::VideoDropped);
            match lost.unwrap_or(Reason::NoElement) {
                why if is_feed && why.class() == Class::Unsupported && !is_no_video(video, false) => {
                    Some(Reason::NoVideoFile)
                }
                Reason::SameAsPage => Some(Reason::NotPlayable),
                why => Some(why),
            }
        }
    };
    entry.videos.iter().filter_map(|video| Some((video, why(video)?))).take(missing).collect()
}

/// Why a video is not in the output: the reason of its first URL, else of its first value.
fn why_lost(video: &Video<'_>, books: &Books, table: FateTable) -> Option<Reason> {
    let (mut of_address, mut of_value) = (None, None);
    video.walk((), &mut |seen: LeafView<'_>| {
        let first = match seen.field {
            Field::VideoFileUrl | Field::VideoPlayerUrl => &mut of_address,
            _ => &mut of_value,
        };
        if first.is_none() {
            *first = books.reason_of_loss(seen.mark).or_else(|| match table(seen.field) {
                Fate::Lost(why) => Some(why),
                Fate::Native(_) | Fate::Near(..) => None,
            });
        }
    });
    of_address.or(of_value)
}

/// Copies into an entry the values its own head gives for all entries, where the written head has others. The copies
/// have the marks of their originals, in the books of the entry's own head.
fn leave_head<'a>(entry: &mut Entry<'a>, setup: &Setup<'a>) {
    let (own, written) = (setup.own_feed, setup.feed);
    if pages::is_unread(entry) {
        return;
    }
    // the editor of an RSS channel is not the author of its items
    if entry.authors.is_empty() && setup.source.family.is_atom() && own.authors != written.authors {
        entry.authors.clone_from(&own.authors);
    }
    if entry.language.is_none() && own.language != written.language {
        entry.language.clone_from(&own.language);
    }
    if entry.base.is_none() && own.base != written.base {
        entry.base.clone_from(&own.base);
    }
    if entry.rights.is_none() && own.rights != written.rights {
        entry.rights.clone_from(&own.rights);
    }
    media::apply_head_defaults(entry, own);
}

/// The path of an entry: the elements around it and its own name, if any.
fn entry_path(context: &Context, text: &str, syntax: Syntax) -> String {
    let name = match syntax {
        Syntax::Xml => text.trim_start_matches('<').split([' ', '>', '/', '\n', '\t', '\r']).next().unwrap_or(""),
        Syntax::Json | Syntax::Line | Syntax::Row | Syntax::Html => "",
    };
    [context.path.as_str(), name].into_iter().filter(|step| !step.is_empty()).collect::<Vec<_>>().join("/")
}

/// The place of a whole entry.
fn at(context: &Context, (entry, line, column): (Option<u64>, u32, u32), path: String) -> Example {
    let input = context.input.as_deref().map(str::to_owned);
    Example { input, entry, line: Some(line), column: Some(column), path: Some(path), ..Example::default() }
}

/// An entry that has no value and was not written is one leaf, lost and named.
fn note_empty_entry(done: &mut ConvertedChunk, entry: &Entry<'_>) {
    let Some(part) = entry.origin.parts.first() else { return };
    let (line, column) = part.places.first().map_or((1, 1), |place| (place.1, place.2));
    let path = entry_path(&part.context, &part.raw, part.syntax);
    let here = at(&part.context, (part.entry, line, column), path);
    done.ledger.unreadable(Reason::EmptyEntry, here.beginning(&part.raw));
}

/// Reports written values without a leaf in the source as generated.
fn note_generated(entry: &Entry<'_>, books: &mut Books) {
    for made in &entry.origin.generated {
        if books.dropped() || !books.is_written(made.mark) {
            continue;
        }
        books.made(made.field, made.why, Some(made.from), made.text.clone());
    }
}

/// Notes the repairs that were made while the entry was read.
pub(crate) fn note_repairs(entry: &Entry<'_>, ledger: &mut Ledger) {
    ledger.count_unnamed(entry.origin.untold);
    let mut lines = PieceLines::new(&entry.origin.parts);
    for remark in &entry.origin.remarks {
        let Some(part) = entry.origin.parts.get(remark.part as usize) else { continue };
        let Some(place) = lines.at(remark.part, remark.at) else { continue };
        ledger.diagnostic(of_remark(remark, place, part.context.input.as_deref()));
    }
}

/// The diagnostic of an unreadable entry.
pub(crate) fn bad_diagnostic(raw: &RawEntry<'_>, bad: &TreeError) -> Diagnostic {
    let (line, column) = bad_place(raw, bad);
    Diagnostic {
        input: raw.context.input.as_deref().map(str::to_owned),
        code: bad.code,
        severity: "error",
        line,
        column,
        found: bad.says.clone(),
        done: done(bad.code, "the entry is lost, its neighbours are not"),
    }
}

/// The number of an entry in its document.
fn number_of(entry: &Entry<'_>) -> u64 {
    if let Some(held) = entry.origin.held {
        return held.number;
    }
    entry.origin.parts.first().and_then(|part| part.entry).unwrap_or(0)
}
