//! Writes JSON-LD: one graph of `VideoObject`s, each with the values of its page. The properties of a video are in
//! write_video.rs, the choice of what Google requires is here.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::slice;

use super::draft::{Draft, DraftId, DraftValue};
use super::write_video::{ORDER, RequiredValues, VideoPage, VideoWriting, is_refused};
use crate::emit::{Carrier, Out, ValueSpelling};
use crate::fate::FateTable;
use crate::format::choice::{
    ChosenValue, EntryTexts, GOOGLE_THUMBNAIL, VideoSurroundings, asked_image, date_of_video, effective,
    made_description, made_thumbnail, made_title, no_thumbnail, settle_head, settle_unwritten, usable_thumbnail, words,
};
use crate::format::contract::{FormatWriter, Setup};
use crate::format::medium::{is_film, is_no_video, is_player};
use crate::format::ns::dcterms::w3c;
use crate::format::rank::rank_as_first;
use crate::format::sitemap::forbids;
use crate::json::page::SCRIPT;
use crate::model::page::ids_of_objects;
use crate::model::{Entry, Feed, File, Foreign, Video, Walk};
use crate::options::{Options, ThumbnailRule};
use crate::pages;
use crate::place::SourceElements;
use crate::reason::Reason;
use crate::resolve;

/// Writes `jsonld`.
pub struct JsonLdWriter;

const HEAD: &[u8] = b"{\"@context\":\"https://schema.org\",";
const PRETTY_HEAD: &[u8] = b"{\n  \"@context\": \"https://schema.org\",\n";

impl FormatWriter for JsonLdWriter {
    fn table(&self, _options: &Options) -> FateTable {
        super::fate::fate
    }
    fn carrier(&self) -> Carrier {
        |_, _| None
    }
    fn spelling(&self) -> ValueSpelling {
        ValueSpelling { yes: "true", no: "false", date: |date| (date.to_w3c(), None) }
    }
    fn namespaces(&self, _setup: &Setup<'_>) -> Vec<(String, String)> {
        Vec::new()
    }
    fn surveys(&self, _feed: &Feed<'_>, _options: &Options) -> bool {
        false
    }
    fn settles_episodes(&self) -> bool {
        true
    }
    fn head<'e>(&self, feed: &'e Feed<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        let pretty = setup.options.pretty;
        out.bytes().extend_from_slice(if pretty { PRETTY_HEAD } else { HEAD });
        // what a page has around its entries is not written
        let is_page = setup.source.family.holds == Some(setup.target.family);
        if out.keeps_foreign() && !feed.foreign.is_empty() && !is_page {
            let mut draft = Draft::new(true).based(setup.options.base.clone());
            let others = draft.root(DraftValue::List);
            around(feed, &mut draft, others, out);
            let buf = out.bytes();
            buf.extend_from_slice(if pretty { b"  \"@included\": " } else { b"\"@included\":" });
            draft.write(others, pretty.then_some(2), buf);
            buf.extend_from_slice(if pretty { b",\n" } else { b"," });
        }
        settle_head(feed, out);
        out.bytes().extend_from_slice(if pretty { b"  \"@graph\": [\n" } else { b"\"@graph\":[\n" });
    }
    fn entry<'e>(&self, entry: &'e Entry<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        if entry.videos.is_empty() && (pages::is_unread(entry) && !out.keeps_foreign()) {
            return;
        }
        let keeps = out.keeps_foreign() && !entry.foreign.is_empty();
        // what a page has beside its videos is not written
        let is_page = is_page(entry, setup);
        if entry.videos.is_empty() && (!keeps || is_page) {
            return out.drop_entry(Reason::NoVideo);
        }
        let page = VideoPage::new(entry, setup);
        let graph = GraphWriting { entry, setup, page, dropped: Cell::new(None), texts: EntryTexts::default() };
        let base = resolve::base(entry, is_page, setup.own_feed, setup.options).filter(|_| keeps);
        let mut draft = Draft::new(keeps).based(base).reading(SourceElements::of_entry(entry, setup.own_feed));
        let written = graph.all(&mut draft, out);
        if written.is_empty() {
            if let Some(why) = graph.dropped.get() {
                out.drop_entry(why);
            }
            return;
        }
        merge_enclosures(entry, out);
        merge_language(entry, setup, out);
        for enclosure in &entry.enclosures {
            out.drop(enclosure, (), Reason::JsonLdElement);
        }
        settle_unwritten(out, |visit| entry.walk((), visit));
        let (pretty, count) = (setup.options.pretty, written.len());
        let buf = out.bytes();
        for (number, node) in written.into_iter().enumerate() {
            if number > 0 {
                buf.extend_from_slice(b",\n");
            }
            if pretty {
                buf.extend_from_slice(b"    ");
            }
            draft.write(node, pretty.then_some(4), buf);
        }
        (0..count).for_each(|_| out.one_more());
    }
    fn tail(&self, setup: &Setup<'_>, buf: &mut Vec<u8>) {
        buf.extend_from_slice(if setup.options.pretty { b"\n  ]\n}\n" } else { b"\n]}\n" });
    }
    fn between(&self) -> &'static [u8] {
        b",\n"
    }
}

/// Merges the type and the length of an enclosure with those of the file of a video that has its URL.
fn merge_enclosures(entry: &Entry<'_>, out: &mut Out<'_, '_>) {
    if entry.enclosures.is_empty() {
        return;
    }
    let files = entry.videos.iter().flat_map(|video| &video.files);
    let files: HashMap<&str, &File<'_>> = files.filter_map(|file| Some((file.url.as_ref()?.as_str(), file))).collect();
    for enclosure in &entry.enclosures {
        let Some(file) = enclosure.url.as_ref().and_then(|url| files.get(url.as_str())) else { continue };
        let kinds = enclosure.kind.as_ref().zip(file.kind.as_ref()).filter(|(own, other)| own.value == other.value);
        let sizes = enclosure.length.as_ref().zip(file.size.as_ref()).filter(|(own, other)| own.value == other.value);
        let kinds = kinds.map(|(own, other)| (own.mark, other.mark));
        for (own, other) in kinds.into_iter().chain(sizes.map(|(own, other)| (own.mark, other.mark))) {
            if out.books().is_written(other) {
                out.books().merged_with(own, other, Reason::SameValue);
            }
        }
    }
}

/// Merges the language of a page, or else of its feed, with that of a file of a video, which is written instead.
fn merge_language(entry: &Entry<'_>, setup: &Setup<'_>, out: &mut Out<'_, '_>) {
    let Some(own) = entry.language.as_ref().or(setup.own_feed.language.as_ref()) else { return };
    let mut files = entry.videos.iter().flat_map(|video| &video.files).filter_map(|file| file.lang.as_ref());
    if files.any(|lang| lang.value == own.value && out.books().is_written(lang.mark)) {
        out.books().merged(own.mark, Reason::SameValue);
    }
}

/// The lists whose values are objects around the entries.
const LISTS: [&str; 3] = ["@graph", "@included", "itemListElement"];

/// Puts the objects around the entries into a list: those of the graph, and the properties of the graph itself as one.
fn around<'e>(feed: &'e Feed<'e>, draft: &mut Draft<'e>, others: DraftId, out: &mut Out<'_, 'e>) {
    LISTS.into_iter().chain([""]).for_each(|name| draft.at_path(name, others));
    let is_listed = |item: &&Foreign<'_>| {
        let list = item.path.split_once('[').map(|(list, _)| list);
        list.is_some_and(|list| list.is_empty() || LISTS.contains(&list)) || LISTS.contains(&&*item.path)
    };
    let (listed, own): (Vec<_>, Vec<_>) = feed.foreign.iter().partition(is_listed);
    if !own.is_empty() {
        let node = draft.add(others, "", DraftValue::Object);
        draft.host(own.into_iter(), node, out, |_, _, _, _| false);
    }
    let listed = listed.into_iter().filter(|item| !LISTS.contains(&&*item.path));
    draft.host(listed, others, out, |_, _, _, _| false);
}

/// Whether an entry is an HTML page: its videos were in scripts.
fn is_page(entry: &Entry<'_>, setup: &Setup<'_>) -> bool {
    let mut labels = entry.foreign.iter().filter(|item| item.is_video_place());
    setup.source.family.holds == Some(setup.target.family) && labels.all(|label| label.path.starts_with(SCRIPT))
}

/// One entry on its way out.
struct GraphWriting<'e, 's> {
    entry: &'e Entry<'e>,
    setup: &'s Setup<'s>,
    page: VideoPage<'e>,
    /// Why the first video is not written that is not.
    dropped: Cell<Option<Reason>>,
    texts: EntryTexts,
}

impl<'e> GraphWriting<'e, '_> {
    /// Writes the videos of the entry: as they are, or within the object of their page, where that has unknown properties.
    fn all(&self, draft: &mut Draft<'e>, out: &mut Out<'_, 'e>) -> Vec<DraftId> {
        let entry = self.entry;
        let keeps = out.keeps_foreign();
        let has_places = entry.foreign.iter().any(Foreign::is_video_place);
        let places = self.places();
        if keeps && has_places != entry.videos.is_empty() && !entry.foreign.is_empty() && places.is_none() {
            return self.within_page(draft, out).into_iter().collect();
        }
        let mut written = Vec::new();
        for (number, video) in entry.videos.iter().enumerate() {
            out.at_video(number);
            let Some(required) = self.required(video, out) else { continue };
            let node = draft.root(DraftValue::Object);
            let unknown = match &places {
                _ if !keeps => None,
                Some(places) => {
                    places.get(number).map(|all| all.iter().flat_map(|at| self.unknown_below(*at)).collect())
                }
                None => (number == 0).then(|| entry.foreign.clone()),
            };
            let unknown: Option<Vec<Foreign<'_>>> = unknown;
            if let Some(items) = &unknown {
                let place = places.as_ref().and_then(|places| self.entry.foreign.get(*places.get(number)?.first()?));
                let above = place.map_or("", |place| &*place.path);
                draft.expect(items, above);
                draft.at_path("", node);
            }
            let genres = self.video(video, required, draft, node, "", out);
            let mut writing = VideoWriting::new(draft, node, "", out).beside(genres);
            match (written.is_empty(), self.setup.same_family) {
                (true, true) => writing.page(self.entry, &self.entry.videos, false, self.setup),
                (true, false) => writing.page(self.entry, slice::from_ref(video), false, self.setup),
                // what the first has of the page counts for all
                (false, true) => writing.page_address(self.entry),
                (false, false) => writing.further(self.entry, video, number, self.setup),
            }
            written.push(node);
            if let Some(items) = unknown {
                draft.host(items.iter(), node, out, |_, _, _, _| false);
                draft.complete(node, &["author", "contributor"]);
            }
            draft.arrange(node, &ORDER);
        }
        out.at_video(entry.videos.len());
        written
    }

    /// Where each video of a document is among what is unknown, if it only holds objects of this format: the place of the video
    /// and those of other objects that are it. None of them, where the source was edited and has another number of videos.
    fn places(&self) -> Option<Vec<Vec<usize>>> {
        if self.setup.source.family.holds != Some(self.setup.target.family) {
            return None;
        }
        let ids = ids_of_objects(&self.entry.foreign);
        let mut by_id: HashMap<&str, usize> = HashMap::new();
        let mut places: Vec<Vec<usize>> = Vec::new();
        for (at, item) in self.entry.foreign.iter().enumerate() {
            let id = || ids.get(&*item.path).copied();
            if item.is_video_place() {
                by_id.extend(id().map(|id| (id, places.len())));
                places.push(vec![at]);
            } else if item.is_same_video()
                && let Some(first) = id().and_then(|id| places.get_mut(*by_id.get(id)?))
            {
                first.push(at);
            }
        }
        places.truncate(if self.is_placed() { places.len() } else { 0 });
        Some(places)
    }

    /// Whether each video has a place among what is unknown: who edits values may add and remove videos.
    fn is_placed(&self) -> bool {
        self.entry.foreign.iter().filter(|item| item.is_video_place()).count() == self.entry.videos.len()
    }

    /// What is unknown in the object at this place, with its paths there: it follows the place. What is around the object is
    /// not written.
    fn unknown_below(&self, place: usize) -> Vec<Foreign<'e>> {
        let Some((label, behind)) = self.entry.foreign.get(place..).and_then(<[_]>::split_first) else {
            return Vec::new();
        };
        let inside = |path: &str| match &*label.path {
            "" => Some(path.to_owned()),
            above => Some(path.strip_prefix(above)?.strip_prefix('/')?.to_owned()),
        };
        let items = behind.iter().map_while(|item| Some(Foreign { path: inside(&item.path)?.into(), ..item.clone() }));
        items.collect()
    }

    /// Writes the object of the page, with its videos where they were.
    fn within_page(&self, draft: &mut Draft<'e>, out: &mut Out<'_, 'e>) -> Option<DraftId> {
        let entry = self.entry;
        let node = draft.root(DraftValue::Object);
        draft.expect(&entry.foreign, "");
        draft.at_path("", node);
        VideoWriting::new(draft, node, "", out).page_texts(entry);
        VideoWriting::new(draft, node, "", out).page(entry, &entry.videos, true, self.setup);
        let mut next = 0;
        let mut objects = Vec::new();
        let mut written = entry.videos.is_empty();
        let is_placed = self.is_placed();
        draft.host(entry.foreign.iter(), node, out, |draft, host, item, out| {
            // videos without known places are all in the first
            let here = if is_placed { next..next + 1 } else { next..entry.videos.len() };
            next = here.end;
            let mut is_written = false;
            for number in here {
                let Some(video) = entry.videos.get(number) else { break };
                out.at_video(number);
                let Some(required) = self.required(video, out) else { continue };
                let object = draft.add(host, &item.name, DraftValue::Object);
                if is_placed {
                    draft.at_path(&item.path, object);
                }
                objects.push(object);
                self.video(video, required, draft, object, &item.path, out);
                is_written = true;
            }
            written |= is_written;
            is_written && is_placed
        });
        out.at_video(entry.videos.len());
        objects.into_iter().chain([node]).for_each(|object| draft.arrange(object, &ORDER));
        written.then_some(node)
    }

    fn video(
        &self,
        video: &'e Video<'e>,
        required: RequiredValues<'e>,
        draft: &mut Draft<'e>,
        node: DraftId,
        path: &str,
        out: &mut Out<'_, 'e>,
    ) -> HashSet<&'e str> {
        let mut writing = VideoWriting::new(draft, node, path, out).on_page(&self.page);
        writing.video(video, &required, self.setup);
        writing.genres
    }

    /// What Google requires of a video; `None` for one that is not written, which is settled.
    fn required(&self, video: &'e Video<'e>, out: &mut Out<'_, 'e>) -> Option<RequiredValues<'e>> {
        match self.choose(video, out) {
            Ok(required) => Some(required),
            Err(why) => {
                self.dropped.set(self.dropped.get().or(Some(why)));
                out.drop_video(video, why);
                None
            }
        }
    }

    fn choose(&self, video: &'e Video<'e>, out: &mut Out<'_, 'e>) -> Result<RequiredValues<'e>, Reason> {
        let (options, google) = (self.setup.options, self.setup.google());
        if !out.same_family() && is_no_video(video, options.assume_video) {
            return Err(Reason::JsonLdFile);
        }
        let file = self.file(video);
        let restriction = effective!(video, file, restriction);
        let forbidden = restriction.filter(|_| !options.keep_inactive).and_then(|said| forbids(said, google));
        if let Some(why) = forbidden {
            return Err(why);
        }
        let feed = self.setup.own_feed;
        let beside = VideoSurroundings {
            entry: self.entry,
            page: self.page.address.as_ref(),
            feed,
            options,
            texts: &self.texts,
        };
        let title = words(effective!(video, file, title));
        // without Google's rules, nothing is made, but the page lends what its video lacks
        let lends = google || !self.setup.same_family;
        let lent = |made: &ChosenValue| google || lends && !made.derived;
        let title = title.or_else(|| made_title(file, &beside).filter(lent));
        let thumbnail = usable_thumbnail(video, file, ThumbnailRule::First, google.then_some(GOOGLE_THUMBNAIL));
        let thumbnail = thumbnail.or_else(|| match google {
            true => made_thumbnail(video, file, &beside),
            false => asked_image(&beside).filter(|_| !options.no_synth),
        });
        let published = date_of_video(video, file, self.entry, google && !options.no_synth, |date| w3c(date, out));
        if google {
            let required = [
                (title.is_some(), Reason::NoTitle),
                (thumbnail.is_some(), no_thumbnail(video, &beside)),
                (published.is_some(), Reason::NoUploadDate),
            ];
            if let Some((_, why)) = required.into_iter().find(|(there, _)| !there) {
                return Err(why);
            }
        }
        let description = words(effective!(video, file, description));
        let description =
            description.or_else(|| made_description(title.as_ref(), &beside).filter(|made| lends && !made.derived));
        Ok(RequiredValues { file, title, thumbnail, published, description })
    }

    /// The rendition that represents the video (A8).
    fn file(&self, video: &'e Video<'e>) -> Option<&'e File<'e>> {
        let same_family = self.setup.same_family;
        let films = || video.files.iter().filter(|file| same_family || is_film(file));
        let is_taken = |file: &&File<'_>| file.url.as_ref().is_none_or(|url| !is_refused(url, self.setup.google()));
        let other = || films().next().filter(|_| !films().any(|file| is_taken(&file)));
        if same_family {
            return films().find(is_taken).or_else(other);
        }
        // a player is no rendition, where there is another
        let is_last = |file: &File<'_>| self.setup.google() && (is_player(file) || self.page.is_at(file));
        let best = films().filter(is_taken).min_by_key(|file| (is_last(file), rank_as_first(file, self.setup)));
        best.or_else(other)
    }
}
