//! Writes JSON Feed 1.1. A page is an item, the files of its videos are attachments: renditions of one video have one title.

use std::collections::hash_map::Entry as MapEntry;
use std::collections::{HashMap, HashSet};

use super::nested::NestedUnknown;
use super::out::{self, Json};
use super::read::{COMPLETE, DefinedMember, OF_FEED, OF_ITEM, OF_PARTS, PLAIN_CONTENT, is, may_go_back};
use super::version::VERSION;
use crate::emit::Out;
use crate::fate::FateTable;
use crate::format::choice::{
    article_keywords, has_words, is_avatar, is_kind, lose_overruled, plain, readable_content, repeated, settle_date,
    settle_publication, video_hash,
};
use crate::format::contract::{FormatWriter, Setup, Survey};
use crate::format::ns::modules;
use crate::format::rank::rank_as_first;
use crate::format::rss::person::is_nameless;
use crate::format::share::Share;
use crate::format::{medium, stamp};
use crate::ledger::Books;
use crate::model::episode;
use crate::model::origin::{Preset, Role};
use crate::model::page::{Enclosure, Image, Link, Person};
use crate::model::{
    Category, Entry, Feed, Field, File, Foreign, Leaf, LeafType, LeafView, Mark, Str, Text, TextKind, Value, Video,
    Walk,
};
use crate::options::Options;
use crate::pages;
use crate::reason::{Reason, ValueChange, altering};
use crate::text::{html, mime, url};
use crate::xml::names::Ns;

/// Writes `jsonfeed`.
pub struct JsonFeedWriter;

impl FormatWriter for JsonFeedWriter {
    fn table(&self, _options: &Options) -> FateTable {
        super::fate::fate
    }
    fn surveys(&self, feed: &Feed<'_>, _options: &Options) -> bool {
        feed.title.as_ref().is_none_or(|title| plain(title).0.trim().is_empty())
    }
    fn head_asks(&self, feed: &Feed<'_>, survey: &Survey) -> Survey {
        match self.surveys(feed, &Options::default()) {
            true => {
                let Survey { first_page, news_name, .. } = survey.clone();
                Survey { first_page, news_name, ..Survey::default() }
            }
            false => Survey::default(),
        }
    }
    fn settles_episodes(&self) -> bool {
        true
    }
    fn head<'e>(&self, feed: &'e Feed<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        let nested = NestedUnknown::find(&feed.origin, &feed.foreign, setup);
        let mut object = HeadWriter { setup, books: out.books(), nested, object: Json::object() }.write(feed);
        add_unknown(&feed.foreign, OF_FEED, setup, &mut object, out);
        let pretty = setup.options.pretty.then_some(0);
        let buf = out.bytes();
        object.write(pretty, buf);
        // the object stays open around the entries
        while buf.last().is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'}') {
            if buf.pop() == Some(b'}') {
                break;
            }
        }
        while buf.last().is_some_and(u8::is_ascii_whitespace) {
            buf.pop();
        }
        buf.push(b',');
        out::new_line(pretty.map(|depth| depth + 1), buf);
        buf.extend_from_slice(if pretty.is_some() { b"\"items\": [\n" } else { b"\"items\":[\n" });
    }
    fn entry<'e>(&self, entry: &'e Entry<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        if setup.options.keep_inactive || !entry.videos.iter().any(Video::is_inactive) {
            return write_items(entry, setup, out);
        }
        let (mut shown, mut dropped) = (entry.clone(), entry.clone());
        shown.videos.retain(|video| !video.is_inactive());
        dropped.videos.retain(Video::is_inactive);
        let files = dropped.videos.iter().flat_map(|video| &video.files).filter_map(|file| file.url.as_ref());
        let files: HashSet<String> = files.map(|url| url::key(&url.value).into_owned()).collect();
        let is_file =
            |file: &Enclosure<'_>| file.url.as_ref().is_some_and(|url| files.contains(&*url::key(&url.value)));
        shown.enclosures.retain(|file| !is_file(file));
        dropped.enclosures.retain(is_file);
        let media = shown.media.take_if(|_| shown.videos.is_empty());
        write_items(&shown, setup, out);
        dropped.enclosures.iter().for_each(|file| out.drop(file, (), Reason::InactiveVideo));
        media.iter().for_each(|media| out.drop(&**media, (), Reason::InactiveVideo));
        dropped.videos.iter().for_each(|video| out.drop_video(video, Reason::InactiveVideo));
    }
    fn tail(&self, setup: &Setup<'_>, buf: &mut Vec<u8>) {
        buf.extend_from_slice(if setup.options.pretty { b"\n  ]\n}\n" } else { b"\n]}\n" });
    }
    fn between(&self) -> &'static [u8] {
        b",\n"
    }
}

/// Writes an item, or one for each video of a page (A13).
fn write_items(entry: &Entry<'_>, setup: &Setup<'_>, out: &mut Out<'_, '_>) {
    if setup.options.no_synth && lacks(entry, setup) && (!pages::is_unread(entry) || keeps_unknown(entry, setup)) {
        return out.drop_entry(Reason::NoSynth);
    }
    if !setup.explodes(entry.videos.len()) {
        return write_entry(entry, None, setup, out);
    }
    for text in [&entry.title, &entry.summary].into_iter().flatten() {
        out.books().lost(text.value.mark, Reason::OtherValue);
    }
    entry.published.iter().for_each(|date| out.books().lost(date.mark, Reason::OtherValue));
    let mut first = Some(entry.clone());
    let mut files: HashMap<String, Vec<Enclosure<'_>>> = HashMap::new();
    let places: HashSet<String> =
        entry.videos.iter().skip(1).flat_map(|video| &video.files).filter_map(file_key).collect();
    if let Some(first) = &mut first {
        first.videos.truncate(1);
        let key = |file: &Enclosure<'_>| file.url.as_ref().map(|url| url::key(&url.value).into_owned());
        let of_others = first.enclosures.extract_if(.., |file| key(file).is_some_and(|key| places.contains(&key)));
        of_others.for_each(|file| files.entry(key(&file).unwrap_or_default()).or_default().push(file));
    }
    let repeated = repeated(&entry.videos);
    for (number, video) in entry.videos.iter().enumerate() {
        let share = Share::new(number, video, repeated.contains(&number));
        let mut item = first.take().unwrap_or_else(|| Entry {
            loc: entry.loc.clone(),
            id: entry.id.clone(),
            content: entry.content.clone(),
            content_type: entry.content_type.clone(),
            updated: entry.updated,
            language: entry.language.clone(),
            authors: share.few(&entry.authors).to_vec(),
            categories: share.few(&entry.categories).to_vec(),
            videos: vec![video.clone()],
            ..Entry::default()
        });
        item.title = video.title.clone().or_else(|| entry.title.clone());
        item.summary = video.description.clone().or_else(|| entry.summary.clone());
        item.published = video.published.or(entry.published);
        item.enclosures.extend(video.files.iter().filter_map(file_key).filter_map(|key| files.remove(&key)).flatten());
        if number > 0 {
            out.bytes().extend_from_slice(b",\n");
        }
        write_entry(&item, Some(share), setup, out);
        out.one_more();
    }
}

/// Whether neither the page nor a video gives an id or a content for some item.
fn lacks(entry: &Entry<'_>, setup: &Setup<'_>) -> bool {
    let is_described = match setup.explodes(entry.videos.len()) {
        true => entry.videos.iter().all(|video| video.description.is_some()),
        false => entry.videos.iter().chain(entry.media.as_deref()).any(|video| video.description.is_some()),
    };
    let has_content = readable_content(entry).is_some() || entry.summary.as_ref().map_or(is_described, has_text);
    entry.id.is_none() && page_of(entry).is_none() || !has_content
}

/// The URL of the page, which may be its id.
fn page_of<'e>(entry: &'e Entry<'_>) -> Option<&'e Str<'e>> {
    entry.loc.as_ref().filter(|loc| !loc.value.trim().is_empty())
}

fn has_text(text: &Text<'_>) -> bool {
    !text.value.value.trim().is_empty()
}

/// What the files of a video and what is attached to its page have in common.
fn file_key(file: &File<'_>) -> Option<String> {
    file.url.as_ref().map(|url| url::key(&url.value).into_owned())
}

/// Writes an entry, or the share of it that one of its videos is.
fn write_entry(entry: &Entry<'_>, share: Option<Share<'_>>, setup: &Setup<'_>, out: &mut Out<'_, '_>) {
    let books = out.books();
    if !setup.same_family {
        lose_avatars(entry, books);
    }
    places_taken(entry, books);
    if let Some(updated) = entry.updated.as_ref().filter(|date| date.is_generated()) {
        books.lost(updated.mark, Reason::EarlierConversion);
    }
    lose_file_titles(entry, books);
    lose_of_files(entry, books);
    lose_without_url(entry, books);
    if setup.options.no_synth {
        lose_untyped(entry, setup.same_family, books);
    }
    if !setup.same_family {
        lose_empty_types(entry, books);
    }
    lose_labelled(entry, books);
    let of_videos = medium::described(entry).flat_map(|video| [&video.title, &video.description]);
    lose_wordless(of_videos.chain([&entry.title, &entry.summary]), books);
    article_keywords(entry, books);
    lose_all(|visit| entry.walk((), visit), Reason::JsonFeedMember, books);
    if pages::is_unread(entry) && !keeps_unknown(entry, setup) {
        return out.drop_entry(Reason::EmptyEntry);
    }
    let nested = NestedUnknown::find(&entry.origin, &entry.foreign, setup);
    let mut item = ItemWriter { setup, books, nested, share, object: Json::object() };
    item.write(entry);
    lose_overruled(entry, |field| super::fate::fate(field).name().is_some(), item.books);
    let mut object = item.object;
    if object.is_empty() {
        return out.drop_entry(Reason::EmptyEntry);
    }
    add_unknown(&entry.foreign, OF_ITEM, setup, &mut object, out);
    let pretty = setup.options.pretty.then_some(2);
    let buf = out.bytes();
    if let Some(depth) = pretty {
        buf.extend(std::iter::repeat_n(b' ', 2 * depth));
    }
    object.write(pretty, buf);
}

/// Everything that may have a member is lost until it is written: a value may be at a place without one.
fn lose_all<'w>(walk: impl Fn(&mut dyn FnMut(LeafView<'w>)), why: Reason, books: &mut Books) {
    walk(&mut |seen| {
        // that of the feed itself has its own reason
        let has_member = super::fate::fate(seen.field).name().is_some() && seen.field != Field::FeedSelf;
        if has_member && seen.mark.is_some() {
            books.lost(seen.mark, why);
        }
    });
}

/// Loses texts that have no words without their markup.
fn lose_wordless<'t, 'a: 't>(texts: impl Iterator<Item = &'t Option<Text<'a>>>, books: &mut Books) {
    for text in texts.flatten().filter(|text| !has_words(text)) {
        books.lost(text.value.mark, Reason::NoText);
    }
}

/// An avatar (S-V1) shows a person, not the item.
fn lose_avatars(entry: &Entry<'_>, books: &mut Books) {
    let is_one = |url: &Option<Str<'_>>| url.as_ref().is_some_and(|url| is_avatar(&url.value));
    let mut lose = |seen: LeafView<'_>| books.lost(seen.mark, Reason::AvatarImage);
    entry.images.iter().filter(|image| is_one(&image.loc)).for_each(|image| image.walk((), &mut lose));
    let thumbnails = medium::described(entry).flat_map(|video| &video.thumbnails);
    thumbnails.filter(|thumbnail| is_one(&thumbnail.url)).for_each(|thumbnail| thumbnail.walk((), &mut lose));
}

/// Titles of single files are lost where files have the title of their video.
fn lose_file_titles(entry: &Entry<'_>, books: &mut Books) {
    for video in &entry.videos {
        if video.title.is_some() || video.files.len() > 1 {
            let own = video.files.iter().filter_map(|file| file.title.as_ref()).map(|title| title.mark);
            let of_levels =
                levels_of_files(video).filter_map(|level| level.title.as_ref()).map(|title| title.value.mark);
            own.chain(of_levels).for_each(|title| books.lost(title, Reason::TitleOfAll));
        }
    }
}

/// Thumbnails and descriptions of single files are lost where the item has others.
fn lose_of_files(entry: &Entry<'_>, books: &mut Books) {
    let is_described = entry.summary.is_some() || entry.content.is_some();
    let has_image = entry.images.iter().any(|image| image.loc.is_some());
    for video in &entry.videos {
        for level in levels_of_files(video) {
            let description = level.description.as_ref().filter(|_| is_described || video.description.is_some());
            let thumbnails = level.thumbnails.iter().filter(|_| has_image || !video.thumbnails.is_empty());
            let urls = thumbnails.filter_map(|thumbnail| thumbnail.url.as_ref()).map(|url| url.mark);
            urls.chain(description.map(|text| text.value.mark)).for_each(|mark| books.lost(mark, Reason::OtherValue));
        }
    }
}

/// The values of single files of a video.
fn levels_of_files<'v, 'e>(video: &'v Video<'e>) -> impl Iterator<Item = &'v Video<'e>> {
    video.files.iter().filter_map(|file| file.media.as_deref())
}

/// Categories for programs, and terms that a label replaces.
fn lose_labelled(entry: &Entry<'_>, books: &mut Books) {
    for category in entry.categories.iter().filter(|category| is_kind(category)) {
        let all = [&category.term, &category.label, &category.scheme].into_iter().flatten();
        all.for_each(|leaf| books.lost(leaf.mark, Reason::KindCategory));
    }
    let of_videos = medium::described(entry).flat_map(|video| &video.categories);
    for (label, term) in entry.categories.iter().chain(of_videos).filter_map(tag_name) {
        if let Some(term) = term.filter(|term| term.mark.is_some() && term.value != label.value) {
            books.lost(term.mark, Reason::LabelInstead);
        }
    }
}

/// Files without a URL are no attachments, nor are videos without another file.
fn lose_without_url(entry: &Entry<'_>, books: &mut Books) {
    let mut lose = |seen: LeafView<'_>| {
        if super::fate::fate(seen.field).name().is_some() && seen.mark.is_some() {
            books.lost(seen.mark, Reason::NoUrl);
        }
    };
    for video in &entry.videos {
        let without = video.files.iter().filter(|file| file.url.is_none());
        match !video.files.is_empty() && video.files.iter().all(|file| file.url.is_none()) {
            true => video.walk((), &mut lose),
            false => without.for_each(|file| file.walk((), &mut lose)),
        }
    }
    entry.enclosures.iter().filter(|file| file.url.is_none()).for_each(|file| file.walk((), &mut lose));
}

/// Whether a file has a type. An empty one is only written back into JSON Feed.
fn is_typed(kind: &Option<Str<'_>>, same_family: bool) -> bool {
    kind.as_ref().is_some_and(|kind| same_family || !kind.value.trim().is_empty())
}

/// Empty types of files from another family are not written.
fn lose_empty_types(entry: &Entry<'_>, books: &mut Books) {
    entry.walk((), &mut |seen| {
        let is_type = matches!(seen.field, Field::EnclosureType | Field::VideoFileType);
        if is_type && matches!(seen.value, Value::Str(text) if text.trim().is_empty()) {
            books.lost(seen.mark, Reason::NoTerm);
        }
    });
}

/// Files without a type are no attachments where none is generated.
fn lose_untyped(entry: &Entry<'_>, same_family: bool, books: &mut Books) {
    let is_typed = |kind: &Option<Str<'_>>| is_typed(kind, same_family);
    let mut lose = |seen: LeafView<'_>| {
        if super::fate::fate(seen.field).name().is_some() && seen.mark.is_some() {
            books.lost(seen.mark, Reason::NoEnclosureType);
        }
    };
    for video in &entry.videos {
        match !video.files.iter().any(|file| is_typed(&file.kind)) {
            true => video.walk((), &mut lose),
            false => video.files.iter().filter(|file| !is_typed(&file.kind)).for_each(|file| file.walk((), &mut lose)),
        }
        video.peer_links.iter().filter(|peer| !is_typed(&peer.kind)).for_each(|peer| peer.walk((), &mut lose));
    }
    entry.enclosures.iter().filter(|file| !is_typed(&file.kind)).for_each(|file| file.walk((), &mut lose));
}

/// Whether an entry has unknown members that go back, or none because it is empty.
fn keeps_unknown(entry: &Entry<'_>, setup: &Setup<'_>) -> bool {
    setup.is_foreign_kept() && !entry.foreign.is_empty()
}

/// Members that no reader understood go back as they were.
fn add_unknown(
    items: &[Foreign<'_>],
    defined: &[DefinedMember],
    setup: &Setup<'_>,
    object: &mut Json,
    out: &mut Out<'_, '_>,
) {
    if !setup.is_foreign_kept() || items.is_empty() {
        return;
    }
    let books = out.books();
    let is_taken = |item: &Foreign<'_>, name: &str| object.has(name) || !may_go_back(name, item, defined);
    let members = out::unknown(items, "", is_taken, |item| settle(item, books));
    for (name, value) in members {
        object.add(&name, value);
    }
}

/// Settles an unknown value as written.
fn settle(item: &Foreign<'_>, books: &mut Books) {
    if let Some(value) = &item.value {
        books.kept_as(value.mark, || value.value.to_string());
    }
    if let Some(empty) = &item.empty {
        books.kept(empty.mark);
    }
}

/// Settles a value as written.
fn keep(books: &mut Books, mark: Mark, text: &str, change: ValueChange) {
    match change {
        _ if !mark.is_some() => (),
        Some(why) => books.changed(mark, why, text.to_owned()),
        None => books.kept_as(mark, || text.to_owned()),
    }
}

/// What the writers of head and items share.
struct ObjectWriter<'w, 'b> {
    books: &'b mut Books,
    nested: &'b mut NestedUnknown<'w>,
    /// How many files of an item precede those that are written next.
    files: usize,
    /// Dates go back as they were.
    same_family: bool,
    /// Files without a type are dropped (`--no-synth`).
    no_synth: bool,
}

impl ObjectWriter<'_, '_> {
    /// Adds the unknown members of the object that a value is from, the one at this place in a list.
    fn unknown(&mut self, object: &mut Json, mark: Option<Mark>, holder: &str, place: usize) {
        if let Some((path, items)) = mark.and_then(|mark| self.nested.beside(mark, holder, place)) {
            self.extend(object, path, items);
        }
    }

    fn extend(&mut self, object: &mut Json, path: &str, items: &[Foreign<'_>]) {
        let is_taken = |item: &Foreign<'_>, name: &str| object.has(name) || !may_go_back(name, item, OF_PARTS);
        for (name, value) in out::unknown(items, path, is_taken, |item| settle(item, self.books)) {
            object.add(&name, value);
        }
    }

    /// A value as a string or a number.
    fn value<T: LeafType>(&mut self, leaf: &Leaf<T>, change: ValueChange) -> Json {
        let (text, is_text) = match leaf.value.value() {
            Value::Date(date) if !self.same_family => {
                let (text, respelt) = stamp::rfc3339(date);
                keep(self.books, leaf.mark, &text, altering(change, respelt));
                return Json::Text(text);
            }
            Value::Date(date) => (date.to_w3c(), true),
            Value::Str(text) => (text.to_owned(), true),
            value @ (Value::Seconds(_) | Value::Decimal(_) | Value::Count(_) | Value::Flag(_)) => {
                (value.to_string(), false)
            }
            Value::Nothing => (String::new(), true),
        };
        keep(self.books, leaf.mark, &text, change);
        if is_text { Json::Text(text) } else { Json::Word(text) }
    }

    fn put<T: LeafType>(&mut self, object: &mut Json, name: &str, slot: &Option<Leaf<T>>, change: ValueChange) {
        if let Some(leaf) = slot {
            let value = self.value(leaf, change);
            object.add(name, value);
        }
    }

    fn plain(&mut self, object: &mut Json, name: &str, slot: &Option<Text<'_>>, moved: ValueChange) {
        if let Some(text) = slot {
            let (value, change) = plain(text);
            if value.trim().is_empty() {
                return;
            }
            keep(self.books, text.value.mark, &value, change.or(moved));
            object.add(name, Json::Text(value));
        }
    }

    /// Authors. An e-mail address is written as a `mailto:` URL if there is no other URL.
    fn people(&mut self, object: &mut Json, people: &[Person<'_>]) {
        let mut list = Vec::new();
        for (place, person) in people.iter().enumerate() {
            let mut author = Json::object();
            match person.name.as_ref().filter(|_| is_nameless(person) && person.uri.is_none() && !self.same_family) {
                Some(name) => self.books.merged(name.mark, Reason::SameValue),
                None => self.put(&mut author, "name", &person.name, None),
            }
            self.put(&mut author, "url", &person.uri, None);
            if let Some(email) = person.email.as_ref().filter(|_| person.uri.is_none()) {
                let text = format!("mailto:{}", email.value);
                keep(self.books, email.mark, &text, (!self.same_family).then_some(Reason::AsMailto));
                author.add("url", Json::Text(text));
            }
            let first = person.name.as_ref().or(person.uri.as_ref()).or(person.email.as_ref());
            self.unknown(&mut author, first.map(|leaf| leaf.mark), "authors", place);
            if people.len() == 1 {
                self.unknown(&mut author, first.map(|leaf| leaf.mark), "author", place);
            }
            if !author.is_empty() {
                list.push(author);
            }
        }
        // authors of whom nothing is known to the model
        while let Some((path, items)) = self.nested.next_of("authors") {
            let mut author = Json::object();
            self.extend(&mut author, path, items);
            if !author.is_empty() {
                list.push(author);
            }
        }
        if !list.is_empty() {
            object.add("authors", Json::List(list));
        }
    }
}

/// Writes the members of the head.
struct HeadWriter<'s, 'b> {
    setup: &'s Setup<'s>,
    books: &'b mut Books,
    nested: NestedUnknown<'s>,
    object: Json,
}

impl HeadWriter<'_, '_> {
    fn write(mut self, feed: &Feed<'_>) -> Json {
        lose_wordless([&feed.title, &feed.subtitle].into_iter(), self.books);
        lose_all(|visit| feed.walk((), visit), Reason::JsonFeedMember, self.books);
        if let Some(media) = &feed.media {
            lose_all(|visit| media.walk((), visit), Reason::PageValue, self.books);
        }
        let (same_family, no_synth) = (self.setup.same_family, self.setup.options.no_synth);
        let mut to = ObjectWriter { books: self.books, nested: &mut self.nested, files: 0, same_family, no_synth };
        let object = &mut self.object;
        object.add("version", Json::Text(VERSION.to_owned()));
        to.plain(object, "title", &feed.title, None);
        if !object.has("title") {
            object.add("title", Json::Text(made_title(feed, self.setup, to.books)));
        }
        to.put(object, "home_page_url", &feed.home, None);
        if feed.home.is_some() {
            feed.links.iter().filter(|link| modules::gives_page(link)).for_each(|link| settle_rel(link, to.books));
        }
        self_url(feed, self.setup, object, &mut to);
        to.plain(object, "description", &feed.subtitle, None);
        let is_next = |link: &&Link<'_>| is(link.rel.as_ref(), "next");
        if let Some(next) = feed.links.iter().find(is_next).filter(|link| link.href.is_some()) {
            to.put(object, "next_url", &next.href, None);
            settle_rel(next, to.books);
        }
        let icon = feed.image.as_ref().and_then(|image| image.url.clone());
        to.put(object, "icon", &icon, (!self.setup.same_family).then_some(Reason::OtherElement));
        to.put(object, "favicon", &feed.icon, None);
        to.people(object, &feed.authors);
        to.put(object, "language", &feed.language, None);
        expired(feed, self.setup, object, to.books);
        hubs(&feed.links, object, &mut to);
        self.object
    }
}

/// The title of a feed that has none (S-R1): the name of the publication, the host of its home page, or of its first page.
fn made_title(feed: &Feed<'_>, setup: &Setup<'_>, books: &mut Books) -> String {
    let home = feed.home.as_ref().and_then(|home| Some((url::host(&home.value)?.to_owned(), Some(home.mark))));
    let page = || Some((url::host(setup.survey.first_page.as_deref()?)?.to_owned(), None));
    let name = setup.survey.news_name.clone().map(|name| (name, None));
    match name.or(home).or_else(page) {
        Some((host, from)) => {
            books.made(Field::FeedTitle, setup.survey.why_of_title(), from, host.clone());
            host
        }
        None => {
            books.made(Field::FeedTitle, Reason::EmptyTitle, None, String::new());
            String::new()
        }
    }
}

/// The URL of the output; that of the source only where it is the same feed.
fn self_url(feed: &Feed<'_>, setup: &Setup<'_>, object: &mut Json, to: &mut ObjectWriter<'_, '_>) {
    match (&setup.options.self_url, &feed.self_url) {
        (Some(given), own) => {
            object.add("feed_url", Json::Text(given.clone()));
            match own {
                Some(own) if *own.value == *given => keep(to.books, own.mark, given, None),
                Some(own) => {
                    to.books.lost(own.mark, Reason::GivenUrl);
                    to.books.made(Field::FeedSelf, Reason::GeneratedSelfUrl, None, given.clone());
                }
                None => to.books.made(Field::FeedSelf, Reason::GeneratedSelfUrl, None, given.clone()),
            }
        }
        (None, Some(_)) if setup.same_family => to.put(object, "feed_url", &feed.self_url, None),
        (None, Some(own)) => to.books.lost(own.mark, Reason::SelfUnknown),
        (None, None) => (),
    }
}

/// The relation of a link is the name of its member.
fn settle_rel(link: &Link<'_>, books: &mut Books) {
    if let Some(rel) = &link.rel {
        keep(books, rel.mark, &rel.value, None);
    }
}

/// A feed that is marked as complete has expired.
fn expired(feed: &Feed<'_>, setup: &Setup<'_>, object: &mut Json, books: &mut Books) {
    let is_complete = |flag: &&crate::model::page::Flag<'_>| flag.name == COMPLETE && is(flag.value.as_ref(), "yes");
    if let Some(flag) = feed.flags.iter().find(is_complete) {
        object.add("expired", Json::Word("true".to_owned()));
        if let Some(value) = &flag.value {
            keep(books, value.mark, "true", (!setup.same_family).then_some(Reason::UsualTerm));
        }
    }
}

fn hubs(links: &[Link<'_>], object: &mut Json, to: &mut ObjectWriter<'_, '_>) {
    let mut list = Vec::new();
    let all = links.iter().filter(|link| is(link.rel.as_ref(), "hub") && link.href.is_some());
    for (place, link) in all.enumerate() {
        let mut hub = Json::object();
        match &link.title {
            Some(_) => to.put(&mut hub, "type", &link.title, None),
            None if to.same_family => (),
            None => hub.add("type", Json::Text("WebSub".to_owned())),
        }
        to.put(&mut hub, "url", &link.href, None);
        to.unknown(&mut hub, link.href.as_ref().map(|href| href.mark), "hubs", place);
        settle_rel(link, to.books);
        list.push(hub);
    }
    if !list.is_empty() {
        object.add("hubs", Json::List(list));
    }
}

/// Writes the members of an item.
struct ItemWriter<'s, 'b> {
    setup: &'s Setup<'s>,
    books: &'b mut Books,
    nested: NestedUnknown<'s>,
    /// Its share of the page, if each video has its own item.
    share: Option<Share<'s>>,
    object: Json,
}

impl ItemWriter<'_, '_> {
    fn write(&mut self, entry: &Entry<'_>) {
        let (same_family, no_synth) = (self.setup.same_family, self.setup.options.no_synth);
        let to = &mut ObjectWriter { books: self.books, nested: &mut self.nested, files: 0, same_family, no_synth };
        settle_publication(entry, self.setup, to.books);
        let object = &mut self.object;
        let moved = self.share.and(Some(Reason::UsedForEntry));
        let of_video = self.share.and_then(|share| id_of_video(entry, share, to.books));
        match &entry.id {
            _ if of_video.is_some() => object.add("id", Json::Text(of_video.unwrap_or_default())),
            Some(id) => object.add("id", to.value(id, None)),
            // the specification requires an id and a content, also in place of one that could not be read
            None => made_id(entry, object, to.books),
        }
        if let Some(loc) = &entry.loc {
            object.add("url", to.value(loc, None));
            entry.links.iter().filter(|link| modules::gives_page(link)).for_each(|link| settle_rel(link, to.books));
        }
        // a link to a page elsewhere
        let elsewhere =
            |rel: &'static str| entry.links.iter().find(|link| is(link.rel.as_ref(), rel) && link.href.is_some());
        if let Some(link) = elsewhere("via") {
            to.put(object, "external_url", &link.href, None);
            settle_rel(link, to.books);
        } else if let Some(link) = elsewhere("related") {
            to.put(object, "external_url", &link.href, Some(Reason::OtherElement));
        } else {
            to.put(object, "external_url", &entry.content_src, Some(Reason::OtherElement));
        }
        to.plain(object, "title", &entry.title, moved);
        if let Some(title) = title_of_article(entry).filter(|_| entry.title.is_none()) {
            object.add("title", to.value(title, Some(Reason::UsedAsTitle)));
        }
        let own_content = readable_content(entry);
        match own_content {
            Some(text) => content(text, None, object, to.books),
            None => made_content(entry, object, same_family, to.books),
        }
        let beside = entry.modules.iter().find(|module| module.name == PLAIN_CONTENT).filter(|_| same_family);
        if let Some(module) = beside.filter(|_| !object.has(PLAIN_CONTENT)) {
            to.put(object, PLAIN_CONTENT, &module.value, None);
        }
        let only = match entry.videos.as_slice() {
            [only] => Some(only),
            _ => None,
        };
        match only {
            Some(video) if entry.summary.is_none() && own_content.is_some() => {
                to.plain(object, "summary", &video.description, Some(Reason::UsedForEntry));
            }
            _ => to.plain(object, "summary", &entry.summary, moved),
        }
        let images = images_once(entry, to);
        pictures(&images, only.or(medium::of_page(entry)), object, to);
        match (&entry.published, only) {
            (None, Some(video)) if video.published.is_some() => {
                to.put(object, "date_published", &video.published, Some(Reason::UsedForEntry));
            }
            (None, _) => article_date(entry, object, to),
            _ => to.put(object, "date_published", &entry.published, moved),
        }
        let updated = entry.updated.filter(|date| !date.is_generated());
        to.put(object, "date_modified", &updated, None);
        authors(entry, object, to);
        tags(entry, object, to);
        to.put(object, "language", &entry.language, None);
        language_of_files(entry, only, self.setup, object, to);
        let mut found = Vec::new();
        let repeated = RepeatedValues::find(entry);
        let mut enclosures: Vec<&Enclosure<'_>> = entry.enclosures.iter().collect();
        for video in &entry.videos {
            let mut files = files_once(video, &mut enclosures, to);
            if !same_family {
                best_first(&mut files, self.setup, to.books);
            }
            let is_other = medium::is_no_video(video, self.setup.options.assume_video);
            let of_type = if is_other { Field::EnclosureType } else { Field::VideoFileType };
            renditions(entry, (video, of_type), &files, &repeated, &mut found, to);
            to.files += video.files.len();
        }
        for file in enclosures {
            found.extend(enclosure(file, to));
            to.files += 1;
        }
        // one image is the item's, and in JSON Feed one may be its banner
        let shown = if same_family { 2 } else { 1 };
        images.iter().skip(shown).for_each(|image| found.extend(attached_image(image, to)));
        if object.text("external_url") != entry.content_src.as_ref().map(Leaf::as_str) {
            found.extend(linked_file(&entry.content_src, &entry.content_type, Field::EnclosureType, to));
        }
        let peers = entry.videos.iter().chain(entry.media.as_deref()).flat_map(|video| &video.peer_links);
        let mut known = HashSet::new();
        let linked: HashSet<String> =
            found.iter().filter_map(|file| Some(url::key(file.text("url")?).into_owned())).collect();
        for peer in peers {
            // one of the item is that of each of its videos
            let Some(href) = peer.href.as_ref().filter(|href| !href.mark.is_some() || known.insert(href.mark)) else {
                continue;
            };
            if same_family || !linked.contains(&*url::key(&href.value)) {
                found.extend(linked_file(&peer.href, &peer.kind, Field::VideoPeerLinkType, to));
                continue;
            }
            for leaf in [Some(href), peer.kind.as_ref()].into_iter().flatten() {
                to.books.merged(leaf.mark, Reason::SameValue);
            }
        }
        let list = in_order(found, first_attached(entry, self.setup));
        if !list.is_empty() {
            object.add("attachments", Json::List(list));
        }
    }
}

/// The id of an item for one video of a page (S-R5).
fn id_of_video(entry: &Entry<'_>, share: Share<'_>, books: &mut Books) -> Option<String> {
    let page = entry.loc.as_ref().or(entry.id.as_ref())?;
    let hash = video_hash(entry.videos.first()?, share.number, share.repeats);
    let id = format!("{}#v-{hash}", url::fragmentless(&page.value));
    if let Some(own) = &entry.id {
        books.changed(own.mark, Reason::IdOfVideo, id.clone());
    }
    books.made(Field::Id, Reason::GeneratedId, Some(page.mark), id.clone());
    Some(id)
}

/// The title of the article that the page is.
fn title_of_article<'e>(entry: &'e Entry<'_>) -> Option<&'e Str<'e>> {
    entry.news.as_ref()?.title.as_ref().filter(|title| !title.value.trim().is_empty())
}

/// The date of that article. Beside videos it would come back as theirs.
fn article_date(entry: &Entry<'_>, object: &mut Json, to: &mut ObjectWriter<'_, '_>) {
    let Some(news) = &entry.news else { return };
    match (entry.videos.is_empty(), &news.published) {
        (true, date) => to.put(object, "date_published", date, Some(Reason::OtherElement)),
        (false, Some(date)) => to.books.lost(date.mark, Reason::ArticleOfPage),
        (false, None) => (),
    }
}

/// The one language of the files of an item that has none.
fn language_of_files(
    entry: &Entry<'_>,
    only: Option<&Video<'_>>,
    setup: &Setup<'_>,
    object: &mut Json,
    to: &mut ObjectWriter<'_, '_>,
) {
    let films = || only.into_iter().flat_map(|video| &video.files).filter(|file| medium::is_film(file));
    let mut said = films().filter_map(|file| file.lang.as_ref());
    let Some(first) = said.next().filter(|_| entry.language.is_none()) else { return };
    if films().any(|file| file.lang.as_ref().is_none_or(|other| other.value != first.value)) {
        return;
    }
    let of_feed = setup.own_feed.language.as_ref().is_some_and(|language| language.value == first.value);
    match of_feed {
        true => to.books.lost(first.mark, Reason::SameAsDefault),
        false => to.put(object, "language", &Some(first.clone()), Some(Reason::UsedForEntry)),
    }
    let others = said.filter(|other| other.mark != first.mark);
    others.for_each(|other| to.books.merged_with(other.mark, first.mark, Reason::SameValue));
}

/// Loses values of videos, or of a page without any, for which an item has a place that its own value takes.
fn places_taken(entry: &Entry<'_>, books: &mut Books) {
    let has_image = entry.images.iter().any(|image| image.loc.is_some());
    for video in medium::described(entry) {
        if let (Some(date), Some(page)) = (&video.published, &entry.published) {
            settle_date(date, page, Reason::ItemValue, books);
        }
        let thumbnails = video.thumbnails.iter().filter(|_| has_image).filter_map(|thumbnail| thumbnail.url.as_ref());
        let uploader = video.uploader.iter().filter(|_| !entry.authors.is_empty());
        let name = uploader.filter_map(|uploader| uploader.name.as_ref());
        let marks = thumbnails.chain(name).map(|leaf| leaf.mark);
        marks.filter(|mark| mark.is_some()).for_each(|mark| books.lost(mark, Reason::ItemValue));
    }
}

/// A text with its markup, under the name of its kind.
fn marked(text: &Text<'_>) -> (&'static str, String, ValueChange) {
    match text.kind {
        TextKind::Plain => ("content_text", text.value.value.to_string(), None),
        TextKind::Html => ("content_html", text.value.value.to_string(), None),
        TextKind::Xhtml => ("content_html", html::xhtml_to_html(&text.value.value).into_owned(), Some(Reason::AsHtml)),
    }
}

fn content(text: &Text<'_>, moved: ValueChange, object: &mut Json, books: &mut Books) {
    let (name, value, respelt) = marked(text);
    keep(books, text.value.mark, &value, altering(moved, respelt));
    object.add(name, Json::Text(value));
}

/// The images of an item that have a URL; from another family, each once, and no avatars.
fn images_once<'e, 'a>(entry: &'e Entry<'a>, to: &mut ObjectWriter<'_, '_>) -> Vec<&'e Image<'a>> {
    let mut known: HashMap<String, Mark> = HashMap::new();
    let is_first = |image: &&Image<'_>| {
        let Some(loc) = image.loc.as_ref() else { return false };
        match known.entry(url::key(&loc.value).into_owned()) {
            _ if to.same_family => true,
            _ if is_avatar(&loc.value) => false,
            MapEntry::Vacant(slot) => {
                slot.insert(loc.mark);
                true
            }
            MapEntry::Occupied(first) => {
                to.books.merged_with(loc.mark, *first.get(), Reason::SameValue);
                false
            }
        }
    };
    entry.images.iter().filter(is_first).collect()
}

/// The image of an item, and in JSON Feed its banner; without any, the thumbnail of its only video or of its page.
fn pictures(images: &[&Image<'_>], shown: Option<&Video<'_>>, object: &mut Json, to: &mut ObjectWriter<'_, '_>) {
    let mut images = images.iter().filter_map(|image| image.loc.as_ref());
    let (first, second) = (images.next(), images.next());
    match first {
        Some(loc) => object.add("image", to.value(loc, None)),
        None => {
            let thumbnails = shown.into_iter().flat_map(|video| &video.thumbnails);
            let mut urls = thumbnails.filter_map(|thumbnail| thumbnail.url.as_ref());
            if let Some(url) = urls.find(|url| to.same_family || !is_avatar(&url.value)) {
                object.add("image", to.value(url, Some(Reason::UsedForEntry)));
            }
        }
    }
    if let Some(loc) = second.filter(|_| to.same_family) {
        object.add("banner_image", to.value(loc, None));
    }
}

/// The authors of an item, otherwise those who put up its videos, each once.
fn authors(entry: &Entry<'_>, object: &mut Json, to: &mut ObjectWriter<'_, '_>) {
    let mut uploaders = entry.videos.iter().filter_map(Video::uploader_or_credit).peekable();
    if !entry.authors.is_empty() || uploaders.peek().is_none() {
        return to.people(object, &entry.authors);
    }
    let (mut list, mut known) = (Vec::new(), HashSet::new());
    for uploader in uploaders {
        uploader.implied().for_each(|mark| to.books.kept(mark));
        let leaves = [uploader.name, uploader.uri];
        if !known.insert(leaves.map(|leaf| leaf.map(Leaf::as_str))) {
            leaves.into_iter().flatten().for_each(|leaf| to.books.merged(leaf.mark, Reason::SameValue));
            continue;
        }
        let mut author = Json::object();
        for (member, leaf) in ["name", "url"].into_iter().zip(leaves) {
            if let Some(leaf) = leaf {
                author.add(member, to.value(leaf, Some(Reason::UsedAsAuthor)));
            }
        }
        if !author.is_empty() {
            list.push(author);
        }
    }
    if !list.is_empty() {
        object.add("authors", Json::List(list));
    }
}

/// The name of a category as a tag, and the term that this name replaces.
fn tag_name<'t, 'a>(category: &'t Category<'a>) -> Option<(&'t Str<'a>, Option<&'t Str<'a>>)> {
    match (category.label.as_ref().filter(|label| !label.value.trim().is_empty()), &category.term) {
        (Some(label), term) => Some((label, term.as_ref())),
        (None, term) => Some((term.as_ref()?, None)),
    }
}

/// Categories and tags, each once; a category by its label, else by its term.
fn tags(entry: &Entry<'_>, object: &mut Json, to: &mut ObjectWriter<'_, '_>) {
    let own = entry.categories.iter().filter(|category| !is_kind(category));
    let own = own.filter_map(tag_name).map(|tag| (tag, None));
    let moved = Some(Reason::UsedAsCategory);
    let of_videos = medium::described(entry).flat_map(|video| {
        let categories = video.categories.iter().filter_map(tag_name);
        video.tags.iter().map(|tag| (tag, None)).chain(categories).map(move |tag| (tag, moved))
    });
    let (mut seen, mut list) = (HashMap::new(), Vec::new());
    for ((tag, term), change) in own.chain(of_videos) {
        if let Some(term) = term.filter(|term| term.mark.is_some() && term.value == tag.value) {
            to.books.merged_with(term.mark, tag.mark, Reason::SameValue);
        }
        let key = if to.same_family { tag.value.to_string() } else { tag.value.to_lowercase() };
        match seen.entry(key) {
            MapEntry::Occupied(first) if tag.mark.is_some() => {
                to.books.merged_with(tag.mark, *first.get(), Reason::SameValue)
            }
            MapEntry::Occupied(_) => (),
            MapEntry::Vacant(slot) => {
                slot.insert(tag.mark);
                list.push(to.value(tag, change));
            }
        }
    }
    if let Some(keywords) = article_keywords(entry, to.books) {
        let is_new = |word: &&str| seen.insert(word.to_lowercase(), keywords.mark).is_none();
        let each: Vec<&str> = episode::keywords(&keywords.value).filter(is_new).collect();
        match each.is_empty() {
            true => to.books.merged(keywords.mark, Reason::SameValue),
            false => to.books.changed(keywords.mark, Reason::UsedAsCategory, each.join(", ")),
        }
        list.extend(each.into_iter().map(|word| Json::Text(word.to_owned())));
    }
    if !list.is_empty() {
        object.add("tags", Json::List(list));
    }
}

/// The file that the source gives first, if it is no film: the enclosure of an item of RSS, whatever its other forms are.
fn first_attached<'e>(entry: &'e Entry<'_>, setup: &Setup<'_>) -> Option<&'e str> {
    let films = entry.videos.iter().flat_map(|video| &video.files).filter_map(|file| file.url.as_ref());
    let others = entry.enclosures.iter().filter_map(|file| file.url.as_ref());
    let is_enclosed = |url: &Str<'_>, is_film: bool| match url.via {
        Some(via) => via == Ns::Rss2,
        None => setup.source.family.is_rss() && !is_film,
    };
    let all = films.map(|url| (url, true)).chain(others.map(|url| (url, false)));
    let given = all.filter(|(url, is_film)| setup.same_family || is_enclosed(url, *is_film));
    let (_, first, is_film) = given
        .filter_map(|(url, is_film)| Some((entry.origin.place(url.mark)?, url, is_film)))
        .min_by_key(|(at, ..)| *at)?;
    (!is_film).then_some(first.as_str())
}

/// Attachments in the order in which they are read: films with one title together, then other files, except the first.
fn in_order(found: Vec<Json>, first: Option<&str>) -> Vec<Json> {
    let (films, others): (Vec<_>, Vec<_>) = found.into_iter().partition(is_film);
    let mut groups: Vec<(Option<String>, Vec<Json>)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for film in films {
        let title = film.text("title").map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
        match title.as_ref().and_then(|title| known.get(title).copied()).and_then(|at| groups.get_mut(at)) {
            Some((_, group)) => group.push(film),
            None => {
                known.extend(title.clone().map(|title| (title, groups.len())));
                groups.push((title, vec![film]));
            }
        }
    }
    let mut all: Vec<Json> = groups.into_iter().flat_map(|(_, group)| group).chain(others).collect();
    let place = first.and_then(|first| all.iter().position(|file| file.text("url") == Some(first)));
    if let Some(before) = place.and_then(|place| all.get_mut(..=place)) {
        before.rotate_right(1);
    }
    all
}

/// Whether an attachment will be read as a film.
fn is_film(object: &Json) -> bool {
    let kind = object.text("mime_type").and_then(mime::medium_of_type);
    kind.or_else(|| object.text("url").and_then(mime::medium_of_url)) == Some(mime::Medium::Video)
}

/// The values that repeat others, by these.
#[derive(Default)]
struct RepeatedValues {
    merged: HashMap<Mark, Vec<Mark>>,
    /// How many go where the other one goes.
    following: HashMap<Mark, usize>,
}

impl RepeatedValues {
    fn find(entry: &Entry<'_>) -> RepeatedValues {
        let mut found = RepeatedValues::default();
        for (index, record) in entry.origin.records.iter().enumerate() {
            match (record.role, record.preset) {
                (Role::Follows(of), _) => *found.following.entry(of).or_default() += 1,
                (_, Preset::Merged(Reason::SameValue, with)) => {
                    found.merged.entry(with).or_default().push(Mark(index as u32));
                }
                _ => (),
            }
        }
        found
    }

    fn merged(&self, mark: Mark) -> &[Mark] {
        self.merged.get(&mark).map(Vec::as_slice).unwrap_or_default()
    }

    /// How often the source has the value.
    fn count(&self, mark: Mark) -> usize {
        1 + self.merged(mark).len() + self.following.get(&mark).copied().unwrap_or_default()
    }
}

/// The files of a video, each URL once: a further file or an enclosure with the URL gives what the first lacks (A2.4).
/// Enclosures that are used are removed.
fn files_once<'e>(
    video: &Video<'e>,
    enclosures: &mut Vec<&Enclosure<'e>>,
    to: &mut ObjectWriter<'_, '_>,
) -> Vec<File<'e>> {
    let values = |file: &File<'e>| File {
        url: file.url.clone(),
        kind: file.kind.clone(),
        codecs: file.codecs.clone(),
        size: file.size,
        title: file.title.clone(),
        duration: file.duration,
        lang: file.lang.clone(),
        width: file.width,
        height: file.height,
        bitrate: file.bitrate.clone(),
        is_default: file.is_default,
        expression: file.expression.clone(),
        ..File::default()
    };
    let (players, files): (Vec<_>, Vec<_>) = video
        .files
        .iter()
        .filter(|file| file.url.is_some())
        .partition(|file| !to.same_family && medium::is_platform_page(file));
    for player in players {
        player.walk((), &mut |seen| to.books.lost(seen.mark, Reason::JsonFeedMember));
    }
    let files = files.into_iter().map(values);
    if to.same_family || enclosures.is_empty() && video.files.len() < 2 {
        return files.collect();
    }
    let mut once: Vec<File<'e>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for file in files {
        let Some(address) = &file.url else { continue };
        match places.entry(url::key(&address.value).into_owned()) {
            MapEntry::Occupied(place) => join(&mut once[*place.get()], file, to.books),
            MapEntry::Vacant(place) => {
                place.insert(once.len());
                once.push(file);
            }
        }
    }
    enclosures.retain(|enclosure| {
        let place = enclosure.url.as_ref().and_then(|address| places.get(&*url::key(&address.value)));
        let Some(first) = place.and_then(|place| once.get_mut(*place)) else { return true };
        let Enclosure { url, kind, length, title, file, .. } = (*enclosure).clone();
        let (duration, codecs) = file.map_or((None, None), |file| (file.duration, file.codecs));
        join(first, File { url, kind, codecs, size: length, title, duration, ..File::default() }, to.books);
        false
    });
    once
}

/// Moves the file that represents the video to the front (A8): readers take the first attachment for it.
fn best_first(files: &mut [File<'_>], setup: &Setup<'_>, books: &mut Books) {
    if files.len() < 2 {
        return;
    }
    // the enclosure of an item stays the first
    let is_enclosed = files.iter().any(|file| file.url.as_ref().is_some_and(|url| url.via == Some(Ns::Rss2)));
    let quality = |file: &File<'_>| match rank_as_first(file, setup) {
        rank if is_enclosed => rank.in_order(),
        rank => rank,
    };
    let is_web = |file: &File<'_>| file.url.as_ref().is_some_and(|url| url::is_http(&url.value));
    let rank = |(_, file): &(usize, &File<'_>)| (!medium::is_film(file), !is_web(file), quality(file));
    if let Some((best, _)) = files.iter().enumerate().min_by_key(rank)
        && let Some(before) = files.get_mut(..=best)
    {
        before.rotate_right(1);
    }
    for (place, file) in files.iter().enumerate() {
        if let Some(said) = file.is_default.filter(|said| said.value == (place == 0) && said.mark.is_some()) {
            books.implied(said.mark);
        }
    }
}

/// Adds what a file has of another one with its URL.
fn join<'e>(first: &mut File<'e>, other: File<'e>, books: &mut Books) {
    fn fill<T: PartialEq>(slot: &mut Option<Leaf<T>>, other: Option<Leaf<T>>, books: &mut Books) {
        match (&slot, other) {
            (Some(one), Some(other)) if other.mark.is_some() && one.mark != other.mark => {
                let why = if one.value == other.value { Reason::SameValue } else { Reason::FirstWins };
                books.merged_with(other.mark, one.mark, why);
            }
            (None, other) => *slot = other,
            (Some(_), _) => (),
        }
    }
    let address = first.url.as_ref().map_or(Mark::NONE, |address| address.mark);
    if let Some(url) = other.url.filter(|url| url.mark.is_some() && url.mark != address) {
        books.merged_with(url.mark, address, Reason::SameValue);
    }
    fill(&mut first.kind, other.kind, books);
    fill(&mut first.codecs, other.codecs, books);
    fill(&mut first.size, other.size, books);
    fill(&mut first.title, other.title, books);
    fill(&mut first.duration, other.duration, books);
}

/// The files of a video: attachments with its title.
fn renditions(
    entry: &Entry<'_>,
    (video, of_type): (&Video<'_>, Field),
    files: &[File<'_>],
    repeated: &RepeatedValues,
    list: &mut Vec<Json>,
    to: &mut ObjectWriter<'_, '_>,
) {
    let shared = video.title.as_ref().and_then(|text| {
        let (title, change) = plain(text);
        (!title.trim().is_empty()).then_some((title, text.value.mark, change))
    });
    if let Some((_, mark, None)) = shared
        && repeated.merged(mark).len() < files.len()
    {
        // each has it in its own attachment
        repeated.merged(mark).iter().for_each(|mark| to.books.kept(*mark));
    }
    let mut titles = files.iter().filter_map(|file| file.title.as_ref());
    let common = titles.next().filter(|_| video.title.is_none() && entry.title.is_none());
    let mut of_video = video.duration;
    if let Some(duration) = of_video.filter(|_| !to.same_family) {
        // it is the duration of each file; how many of them have it in the source is counted
        let lacking = files.iter().filter(|file| file.duration.is_none()).count();
        for _ in repeated.count(duration.mark)..lacking {
            let (why, from) = (Reason::DurationOfVideo, Some(duration.mark));
            to.books.made(Field::VideoFileDuration, why, from, duration.value.to_string());
        }
    }
    let numbers = video.files.iter().enumerate().filter(|(_, file)| file.url.is_some()).map(|(number, _)| number);
    let (no_synth, same_family) = (to.no_synth, to.same_family);
    if no_synth && !files.is_empty() && !files.iter().any(|file| is_typed(&file.kind, same_family)) {
        to.books.drop_video(video.first_mark(), Reason::NoEnclosureType);
    }
    for (file, number) in files.iter().zip(numbers).filter(|(file, _)| !no_synth || is_typed(&file.kind, same_family)) {
        let mut object = Json::object();
        to.put(&mut object, "url", &file.url, None);
        mime_type(&mut object, file.url.as_ref(), (&file.kind, file.codecs.as_ref()), of_type, to);
        match (&shared, &file.title) {
            (Some((title, mark, change)), _) => {
                keep(to.books, *mark, title, *change);
                object.add("title", Json::Text(title.clone()));
            }
            (None, Some(_)) if files.len() == 1 => to.put(&mut object, "title", &file.title, None),
            (None, Some(title)) if Some(title) == common => object.add("title", to.value(title, None)),
            // without a common title they would be several videos
            (None, _) if files.len() > 1 => {
                let of_entry = entry.title.as_ref().map(|title| (plain(title).0, Some(title.value.mark)));
                let of_file = || common.map(|title| (title.value.to_string(), Some(title.mark)));
                let (title, from) = of_entry.or_else(of_file).unwrap_or_else(|| ("video".to_owned(), None));
                to.books.made(Field::VideoTitle, Reason::TitleOfFiles, from, title.clone());
                object.add("title", Json::Text(title));
            }
            (None, _) => (),
        }
        to.put(&mut object, "size_in_bytes", &file.size, None);
        let length = file.duration.or(of_video);
        if file.duration.is_none() && to.same_family {
            of_video = None;
        }
        to.put(&mut object, "duration_in_seconds", &length, None);
        let place = to.files + number;
        to.unknown(&mut object, file.url.as_ref().map(|url| url.mark), "attachments", place);
        list.push(object);
    }
}

/// The type of a file, which is required, with its codecs.
fn mime_type(
    object: &mut Json,
    url: Option<&Str<'_>>,
    (kind, codecs): (&Option<Str<'_>>, Option<&Str<'_>>),
    field: Field,
    to: &mut ObjectWriter<'_, '_>,
) {
    match (kind.as_ref().filter(|_| is_typed(kind, to.same_family)), codecs) {
        (Some(kind), Some(codecs)) => {
            let whole = mime::with_codecs(kind, codecs);
            keep(to.books, codecs.mark, &whole, Some(Reason::OtherElement));
            to.books.kept(kind.mark);
            return object.add("mime_type", Json::Text(whole));
        }
        (Some(kind), None) => return object.add("mime_type", to.value(kind, None)),
        (None, Some(codecs)) if codecs.mark.is_some() => to.books.lost(codecs.mark, Reason::DetachedAttribute),
        (None, _) => (),
    }
    let is_video = field == Field::VideoFileType && url.is_some_and(|url| url::is_http(&url.value));
    let (made, why) = medium::made_type(url.map_or("", Leaf::as_str), is_video);
    if is_video && why == Reason::DefaultTerm {
        to.books.doubt(field, why);
    }
    to.books.made(field, why, url.map(|url| url.mark), made.to_owned());
    object.add("mime_type", Json::Text(made.to_owned()));
}

fn enclosure(file: &Enclosure<'_>, to: &mut ObjectWriter<'_, '_>) -> Option<Json> {
    file.url.as_ref().filter(|_| !to.no_synth || is_typed(&file.kind, to.same_family))?;
    let mut object = Json::object();
    to.put(&mut object, "url", &file.url, None);
    let codecs = file.file.as_ref().and_then(|more| more.codecs.as_ref());
    mime_type(&mut object, file.url.as_ref(), (&file.kind, codecs), Field::EnclosureType, to);
    to.put(&mut object, "title", &file.title, None);
    to.put(&mut object, "size_in_bytes", &file.length, None);
    let length = file.file.as_ref().and_then(|more| more.duration);
    to.put(&mut object, "duration_in_seconds", &length, None);
    let place = to.files;
    to.unknown(&mut object, file.url.as_ref().map(|url| url.mark), "attachments", place);
    Some(object)
}

/// A further image as an attachment.
fn attached_image(image: &Image<'_>, to: &mut ObjectWriter<'_, '_>) -> Option<Json> {
    let file = image.file.as_deref();
    let kind = file.map_or(&None, |file| &file.kind);
    let mut object = linked_file(&image.loc, kind, Field::EnclosureType, to)?;
    match &image.title {
        Some(title) => to.plain(&mut object, "title", &Some(title.clone()), Some(Reason::UsedAsEnclosure)),
        None => to.put(&mut object, "title", file.map_or(&None, |file| &file.title), Some(Reason::UsedAsEnclosure)),
    }
    to.put(&mut object, "size_in_bytes", file.map_or(&None, |file| &file.size), Some(Reason::UsedAsEnclosure));
    Some(object)
}

/// An attachment for a URL that is not that of a file in the model: of the content, or of a peer.
fn linked_file(
    url: &Option<Str<'_>>,
    kind: &Option<Str<'_>>,
    field: Field,
    to: &mut ObjectWriter<'_, '_>,
) -> Option<Json> {
    let address = url.as_ref()?;
    let kind = kind.as_ref().filter(|_| is_typed(kind, to.same_family));
    if to.no_synth && kind.is_none() {
        to.books.lost(address.mark, Reason::NoEnclosureType);
        return None;
    }
    let mut object = Json::object();
    object.add("url", to.value(address, Some(Reason::UsedAsEnclosure)));
    match kind {
        Some(kind) => object.add("mime_type", to.value(kind, Some(Reason::UsedAsEnclosure))),
        None => mime_type(&mut object, url.as_ref(), (&None, None), field, to),
    }
    Some(object)
}

/// Makes the id that an item must have.
fn made_id(entry: &Entry<'_>, object: &mut Json, books: &mut Books) {
    let page = page_of(entry);
    let texts = [&entry.title, &entry.content, &entry.summary];
    let from = page.or_else(|| texts.into_iter().flatten().next().map(|text| &text.value));
    let id = page.map_or_else(|| stamp::urn(&stamp::words(entry)), |loc| loc.value.to_string());
    books.made(Field::Id, Reason::GeneratedId, from.map(|leaf| leaf.mark), id.clone());
    object.add("id", Json::Text(id));
}

/// Makes the content that an item must have.
fn made_content<'t>(entry: &'t Entry<'_>, object: &mut Json, same_family: bool, books: &mut Books) {
    let of_videos = || entry.videos.iter().chain(entry.media.as_deref());
    let moved = Some(Reason::UsedForEntry);
    let description = of_videos().find_map(|video| video.description.as_ref());
    if let (None, Some(description)) = (&entry.summary, description) {
        return content(description, moved, object, books);
    }
    // titles of attachments are no content in JSON Feed, where an item may have an empty one
    let of_video = of_videos().find_map(|video| video.title.as_ref()).filter(|_| !same_family);
    let filled = |text: Option<&'t Text<'_>>| text.filter(|text| has_text(text));
    let summary = filled(entry.summary.as_ref());
    let words = summary.or(filled(entry.title.as_ref())).or(filled(of_video));
    let (name, text, from) = match (words, title_of_article(entry).or(entry.loc.as_ref())) {
        (Some(words), _) => {
            // markup without words has no plain text that could be the summary
            if summary.is_some() && plain(words).0.trim().is_empty() {
                return content(words, Some(Reason::OtherElement), object, books);
            }
            let (name, text, respelt) = marked(words);
            if entry.title.is_none() && entry.summary.is_none() {
                keep(books, words.value.mark, &text, altering(moved, respelt));
            }
            (name, text, Some(words.value.mark))
        }
        (None, Some(loc)) => ("content_text", loc.value.to_string(), Some(loc.mark)),
        (None, None) => ("content_text", String::new(), None),
    };
    let why = if from.is_some() { Reason::GeneratedDescription } else { Reason::EmptyDescription };
    books.made(Field::Content, why, from, text.clone());
    object.add(name, Json::Text(text));
}
