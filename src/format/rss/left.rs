//! Values of an item that RSS can hold, but not in this document: the place is taken, or an item describes several
//! videos. Each is listed with the condition under which its writer omits it, so that a value forgotten by a writer
//! stays open in the books. Values that RSS never holds are only in fate.rs.

use std::collections::HashMap;

use super::item::RssItem;
use crate::emit::Out;
use crate::format::choice::{constants, readable_content, settle_publication};
use crate::model::{Entry, Field, LeafView, Mark, Source, Video, Walk};
use crate::reason::Reason;
use crate::text::mime::Medium;

/// Settles the values that no item of a page could hold.
pub fn settle<'e>(item: &RssItem<'_, 'e>, out: &mut Out<'_, 'e>) {
    let entry = item.entry;
    if let Some(source) = &entry.source {
        self::source(source, out);
    }
    if let Some(kind) = entry.content_type.as_ref().filter(|_| entry.content_src.is_none()) {
        out.books().lost(kind.mark, Reason::RssElement);
    }
    let article = entry.news.as_ref().filter(|_| !entry.videos.is_empty() && !item.carry.on);
    let is_dated = entry.published.is_some() || entry.videos.iter().any(|video| video.published.is_some());
    if let Some(date) = article.and_then(|news| news.published.as_ref()).filter(|_| !is_dated) {
        out.books().lost(date.mark, Reason::ArticleOfPage);
    }
    if !item.carry.on {
        settle_publication(entry, item.setup, out.books());
    }
    if item.media() {
        return;
    }
    for image in &entry.images {
        let why = Reason::RssAttribute;
        out.drop(&image.title, Field::ImageTitle, why);
        out.drop(&image.caption, Field::ImageCaption, why);
        out.drop(&image.file, (), item.no_element());
    }
    for enclosure in &entry.enclosures {
        out.drop(&enclosure.file, (), item.no_element());
    }
    let writes_license = item.writes_license();
    for video in &entry.videos {
        self::video(video, item, writes_license, out);
    }
    levels(entry, item.no_element(), out);
    super::podcast::settle(item, out);
}

/// Settles the head's values about the media of its items: items that inherit a value have it too.
pub fn defaults(media: &Video<'_>, why: Reason, out: &mut Out<'_, '_>) {
    out.drop(media, (), why);
}

/// The texts of a source, which is written as a title and a URL.
fn source(source: &Source<'_>, out: &mut Out<'_, '_>) {
    let why = Reason::RssAttribute;
    out.drop(&source.subtitle, Field::SourceSubtitle, why);
    out.drop(&source.rights, Field::SourceRights, why);
}

/// One video, of which RSS holds a few values in elements of the item.
fn video<'e>(video: &'e Video<'e>, item: &RssItem<'_, 'e>, writes_license: bool, out: &mut Out<'_, 'e>) {
    if item.carry.holds() {
        return;
    }
    let entry = item.entry;
    let has_others = item.videos.len() > 1;
    let reason = |taken: bool| match (taken, item.writes_video_values() && has_others) {
        (true, _) => Reason::ItemValue,
        (false, true) => Reason::RssOneVideo,
        (false, false) => item.no_element(),
    };
    if !item.writes_title() {
        let why = reason(entry.title.is_some());
        out.drop(&video.title, Field::VideoTitle, why);
    }
    if !item.writes_description() {
        let taken = entry.summary.is_some() || readable_content(entry).is_some();
        let why = reason(taken);
        out.drop(&video.description, Field::VideoDescription, why);
    }
    if !item.writes_uploader()
        && let Some(uploader) = &video.uploader
    {
        let why = reason(!entry.authors.is_empty());
        out.drop(&uploader.name, Field::VideoUploaderName, why);
    }
    if !item.writes_rights()
        && let Some(copyright) = &video.copyright
    {
        let why = reason(entry.rights.is_some());
        out.drop(&copyright.text, Field::VideoCopyrightText, why);
    }
    for place in &video.location {
        if !item.writes_location() || place.point.is_none() {
            let why = reason(!entry.location.is_empty());
            out.drop(&place.point, Field::VideoLocationPoint, why);
            out.drop(&place.description, Field::VideoLocationDescription, why);
        }
    }
    let addresses = video.license.iter().filter(|license| license.href.is_some());
    for license in addresses.skip(usize::from(writes_license)) {
        let why = reason(entry.license.is_some() || writes_license);
        out.drop(&license.href, Field::VideoLicenseHref, why);
    }
    for file in video.files.iter().filter(|file| file.url.is_none()) {
        constants(file, Some(Medium::Video), out);
        out.drop(file, (), Reason::NoUrl);
    }
    out.drop(&video.texts, (), item.no_element());
}

/// Values of levels above and below the videos that no video uses; each is in the entry once.
fn levels(entry: &Entry<'_>, why: Reason, out: &mut Out<'_, '_>) {
    let files = entry.videos.iter().flat_map(|video| &video.files);
    let mut levels =
        entry.media.as_deref().into_iter().chain(files.filter_map(|file| file.media.as_deref())).peekable();
    if levels.peek().is_none() {
        return;
    }
    let mut times: HashMap<Mark, u32> = HashMap::new();
    let mut count = |seen: LeafView<'_>| *times.entry(seen.mark).or_default() += 1;
    entry.media.walk((), &mut count);
    entry.videos.walk((), &mut count);
    for level in levels {
        level.walk((), &mut |seen: LeafView<'_>| {
            if times.get(&seen.mark) == Some(&1) {
                out.books().lost(seen.mark, why);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fate::Fate;
    use crate::format::contract::Setup;
    use crate::format::contract::Survey;
    use crate::format::rss::RSS;
    use crate::format::rss::fate::fate;
    use crate::format::rss::item::Extension;
    use crate::format::rss::write::RssWriter;
    use crate::format::sitemap::{VIDEO, carry::CarriedValues};
    use crate::ledger::Books;
    use crate::model::{Copyright, Feed, File, License, Str, Text, TextKind, Uploader};
    use crate::options::Options;

    /// A page about which nothing is said but what its only video says, each value with a mark of its own.
    fn page() -> Entry<'static> {
        let mut next = 0;
        let mut leaf = |text: &'static str| {
            next += 1;
            let mut leaf: Str<'static> = text.into();
            leaf.mark = Mark(next - 1);
            leaf
        };
        let words = |value| Text::new(TextKind::Plain, value);
        let video = Video {
            title: Some(words(leaf("title"))),
            description: Some(words(leaf("description"))),
            files: vec![File {
                url: Some(leaf("https://example.com/a.mp4")),
                kind: Some(leaf("video/mp4")),
                ..File::default()
            }],
            uploader: Some(Uploader { name: Some(leaf("uploader")), uri: None }),
            tags: vec![leaf("tag")],
            copyright: Some(Copyright { text: Some(leaf("copyright")), url: None }),
            license: vec![License { href: Some(leaf("https://example.com/licence")), ..License::default() }],
            ..Video::default()
        };
        Entry { videos: vec![video], ..Entry::default() }
    }

    #[test]
    fn a_value_that_its_writer_forgot_stays_open() {
        let (entry, feed) = (page(), Feed::default());
        let (options, survey) = (Options::default(), Survey::default());
        let setup = Setup {
            source: &VIDEO,
            target: &RSS,
            same_family: false,
            options: &options,
            feed: &feed,
            own_feed: &feed,
            survey: &survey,
        };
        let (mut buf, mut books) = (Vec::new(), Books::default());
        let style = setup.style(&RssWriter { extension: Extension::None }, &[]);
        let mut out = Out::new(&style, &mut buf, &mut books, 0);
        let carry = CarriedValues::for_entry(&entry, &setup);
        let item = RssItem {
            entry: &entry,
            page: None,
            videos: &entry.videos,
            earlier: crate::format::ns::media::EarlierObjects::default(),
            setup: &setup,
            extension: Extension::None,
            split: false,
            share: crate::format::share::Share::WHOLE,
            carry,
        };
        settle(&item, &mut out);
        entry.each_leaf(&mut |seen| {
            let written = !matches!(fate(seen.field), Fate::Lost(..));
            assert!(!(written && books.settled(seen.mark)), "{}", seen.field.name());
        });
    }
}
