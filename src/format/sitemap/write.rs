//! Writes XML sitemaps and sitemap indexes: the document, and the elements of `url` in the protocol itself. The
//! extensions are in extensions.rs, videos in video.rs.

use std::path::Path;

use memchr::memmem;

use super::date::{date, end_date};
use super::{extensions, fate, left, video};
use crate::emit::{Out, ValueSpelling};
use crate::fate::FateTable;
use crate::format::choice::{normalized, settle_other_page};
use crate::format::medium::is_picture;
use crate::format::ns::modules;
use crate::format::{EntryTally, FormatWriter, Setup, Survey, profile};
use crate::ledger::Books;
use crate::model::{Date, Decimal, Entry, Feed, Field, Leaf, Video, Walk};
use crate::options::{Extensions, Options};
use crate::pages::{self, Address};
use crate::place::SourceElements;
use crate::reason::Reason;
use crate::xml::escape;
use crate::xml::names::Ns;

/// Writes `sitemap`, and with `video` also `video-sitemap`.
pub struct SitemapWriter {
    /// Whether videos are written.
    pub video: bool,
}

/// The vocabularies that only this writer writes.
const EXTENSIONS: &[Ns] = &[Ns::Video, Ns::Image, Ns::News];

const PROLOG: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

impl FormatWriter for SitemapWriter {
    fn table(&self, options: &Options) -> FateTable {
        match self.video {
            _ if options.yandex() => fate::yandex,
            true if options.no_deprecated => fate::current_video_sitemap,
            true => fate::video_sitemap,
            false => fate::sitemap,
        }
    }
    fn spelling(&self) -> ValueSpelling {
        ValueSpelling { yes: "yes", no: "no", date }
    }
    fn namespaces(&self, setup: &Setup<'_>) -> Vec<(String, String)> {
        let mut declared = vec![(String::new(), Ns::Sitemap.uri().to_owned())];
        let (survey, ext) = (setup.survey, extensions(setup.options));
        let used = [
            (self.video, Ns::Video),
            (ext.image && (survey.images || self.thumbnails(setup) && survey.thumbnails), Ns::Image),
            (ext.news && survey.news, Ns::News),
            (ext.alternates && survey.alternates, Ns::Xhtml),
            (survey.mobile, Ns::Mobile),
            (survey.page_map, Ns::PageMap),
        ];
        let plain = is_index(setup) || setup.options.yandex();
        let used = used.into_iter().filter(|(used, _)| *used && !plain);
        declared.extend(used.map(|(_, ns)| (ns.prefix().to_owned(), ns.uri().to_owned())));
        declared
    }
    fn surveys(&self, _feed: &Feed<'_>, _options: &Options) -> bool {
        true
    }
    fn head_asks(&self, feed: &Feed<'_>, survey: &Survey) -> Survey {
        Survey { videos: feed.media.is_some() && survey.videos, ..Survey::default() }
    }
    fn groups(&self, _options: &Options) -> bool {
        true
    }
    fn head<'e>(&self, feed: &'e Feed<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        out.prolog(PROLOG);
        // outside pages they mean nothing
        out.claim(EXTENSIONS);
        out.place(&feed.foreign, SourceElements::of_head(feed));
        out.enter(if is_index(setup) { "sitemapindex" } else { "urlset" });
        out.declare_all();
        out.pause();
        // what a video inherits of it is settled better when that is written
        let why = if setup.survey.videos { Reason::OtherValue } else { Reason::PageValue };
        self.shadow(&feed.media, why, out);
    }
    fn entry<'e>(&self, entry: &'e Entry<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        let Some(page) = pages::address(entry, setup.source.family) else {
            if pages::is_unread(entry) {
                return;
            }
            return out.drop_entry(pages::no_page(entry));
        };
        if let Some(why) = profile::refusal(&page.url, setup) {
            return out.drop_entry(why);
        }
        let page = page.spelt(setup.options.iri);
        // whether the root declares them depends on what else the document has
        out.claim(EXTENSIONS);
        out.place(&entry.foreign, SourceElements::of_entry(entry, setup.own_feed));
        if is_index(setup) {
            out.element_always("sitemap", |out| {
                loc(&page, out);
                out.put(Field::Updated, &entry.updated);
            });
            return;
        }
        out.element_always("url", |out| self.url(entry, &page, setup, out));
        match page.field {
            // the element means it
            Field::Loc => {
                let links = entry.links.iter().filter(|link| modules::gives_page(link));
                links.filter_map(|link| link.rel.as_ref()).for_each(|rel| out.books().kept(rel.mark));
            }
            _ => settle_other_page(entry, out),
        }
        left::settle_page(entry, setup.own_feed, out);
    }
    fn tally(&self, entry: &Entry<'_>, written: &[u8], setup: &Setup<'_>) -> EntryTally {
        let published = entry.published.as_ref().filter(|_| setup.options.lastmod_from_published && !is_index(setup));
        let lastmod = entry.updated.as_ref().or(published).map(|leaf| leaf.value);
        EntryTally { news: memmem::find_iter(written, b"</news:news>").count() as u64, lastmod }
    }
    fn videos(&self, _entry: &Entry<'_>, written: &[u8], _books: &Books) -> u64 {
        if self.video { memmem::find_iter(written, b"</video:video>").count() as u64 } else { 0 }
    }
    fn is_apart(&self, video: &Video<'_>, setup: &Setup<'_>) -> bool {
        !self.thumbnails(setup) && (setup.same_family || !video.files.iter().any(is_picture))
    }
    fn address_alone(&self, setup: &Setup<'_>) -> Option<fn(&str, &mut Vec<u8>)> {
        if is_index(setup) {
            return None;
        }
        // nothing else in it is escaped
        Some(|address, buf| {
            let (bytes, mut written) = (address.as_bytes(), 0);
            for at in memchr::memchr_iter(b'&', bytes) {
                buf.extend_from_slice(&bytes[written..at]);
                buf.extend_from_slice(b"&amp;");
                written = at + 1;
            }
            buf.extend_from_slice(&bytes[written..]);
        })
    }
    fn tail(&self, setup: &Setup<'_>, buf: &mut Vec<u8>) {
        buf.extend_from_slice(if is_index(setup) { b"</sitemapindex>\n" } else { b"</urlset>\n" });
    }
}

impl SitemapWriter {
    /// Settles values of the head that no video uses, if the target has an element for them.
    fn shadow(&self, media: &Option<Box<Video<'_>>>, why: Reason, out: &mut Out<'_, '_>) {
        let table = out.table();
        media.walk((), &mut |seen| {
            if table(seen.field).name().is_some() {
                out.books().lost(seen.mark, why);
            }
        });
    }

    /// Whether thumbnails are written as images.
    fn thumbnails(&self, setup: &Setup<'_>) -> bool {
        setup.options.thumbnails_as_images && !self.video
    }

    fn url<'e>(&self, entry: &'e Entry<'e>, page: &Address<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        let ext = extensions(setup.options);
        loc(page, out);
        lastmod(entry, setup.options, out);
        changefreq(entry, setup, out);
        priority(&entry.priority, setup.options, out);
        if setup.options.yandex() {
            return extensions::unread_links(entry, out);
        }
        if let Some(end) = &entry.expires {
            let (text, change) = end_date(&end.value);
            out.elem_as("expires", end.mark, &text, change);
        }
        extensions::links(entry, ext, setup, out);
        extensions::mobile(entry, out);
        extensions::page_map(entry, out);
        extensions::images(entry, ext, self.thumbnails(setup), setup, out);
        if self.video {
            video::videos(entry, page, setup, out);
        }
        extensions::news(entry, ext, setup, out);
    }
}

/// The extensions that are asked for.
fn extensions(options: &Options) -> Extensions {
    options.ext.unwrap_or(Extensions::ALL)
}

/// Sitemaps in an index (sitemaps.org).
pub const SITEMAPS_OF_INDEX: usize = 50_000;

/// Indexes of files with sitemaps, which will be in the folder with this URL, and their dates; more than one only where it
/// cannot hold all.
pub fn indexes(folder: &str, parts: &[(&Path, Option<Date>)]) -> impl Iterator<Item = Vec<u8>> {
    parts.chunks(SITEMAPS_OF_INDEX).map(move |parts| {
        let addresses: Vec<String> = parts.iter().map(|(path, _)| address(folder, path)).collect();
        index(addresses.iter().map(String::as_str).zip(parts.iter().map(|(_, date)| *date)))
    })
}

/// The URL of a file in this folder.
fn address(folder: &str, path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let mut address = folder.to_owned();
    if !address.ends_with('/') {
        address.push('/');
    }
    for byte in name {
        match *byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => address.push((*byte).into()),
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

/// An index of the sitemaps with these URLs and dates (A14).
pub fn index<'p>(parts: impl IntoIterator<Item = (&'p str, Option<Date>)>) -> Vec<u8> {
    let mut buf = format!("{PROLOG}<sitemapindex xmlns=\"{}\">\n", Ns::Sitemap.uri()).into_bytes();
    for (address, lastmod) in parts {
        buf.extend_from_slice(b"<sitemap><loc>");
        escape::escape_text(address, &mut buf);
        buf.extend_from_slice(b"</loc>");
        if let Some(lastmod) = lastmod {
            buf.extend_from_slice(format!("<lastmod>{}</lastmod>", date(&lastmod).0).as_bytes());
        }
        buf.extend_from_slice(b"</sitemap>\n");
    }
    buf.extend_from_slice(b"</sitemapindex>\n");
    buf
}

fn is_index(setup: &Setup<'_>) -> bool {
    setup.source.id == "sitemap-index"
}

fn loc<'e>(page: &Address<'e>, out: &mut Out<'_, 'e>) {
    let change = normalized(page.given, &page.url);
    if page.field == Field::Loc {
        out.elem_as("loc", page.mark, &page.url, change);
    } else {
        out.elem_as("loc", page.mark, &page.url, Some(Reason::UsedAsPage));
        out.books().made(Field::Loc, Reason::GeneratedPageUrl, Some(page.mark), page.url.to_string());
    }
}

/// S-M3.
fn lastmod<'e>(entry: &'e Entry<'e>, options: &Options, out: &mut Out<'_, 'e>) {
    let (generated, updated) = match &entry.updated {
        Some(date) if date.is_generated() => (Some(date), &None),
        updated => (None, updated),
    };
    if let Some(date) = generated {
        out.books().lost(date.mark, Reason::EarlierConversion);
    }
    out.put(Field::Updated, updated);
    if let (None, true, Some(published)) = (updated, options.lastmod_from_published, &entry.published) {
        out.elem_as("lastmod", published.mark, &date(&published.value).0, Some(Reason::OtherElement));
    }
}

/// The page's own, or, if asked for, that of the feed.
fn changefreq<'e>(entry: &'e Entry<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
    match (&entry.changefreq, &setup.own_feed.update_period) {
        (Some(own), _) if too_long(&own.value, setup.options) => {
            out.books().lost(own.mark, Reason::YandexLongValue);
        }
        (None, Some(period)) if setup.options.feed_changefreq => {
            out.elem_as("changefreq", period.mark, &period.value.to_ascii_lowercase(), Some(Reason::OtherElement));
        }
        (own, _) => out.put(Field::Changefreq, own),
    }
}

fn too_long(value: &str, options: &Options) -> bool {
    options.yandex() && value.len() > profile::TAG
}

fn priority<'e>(priority: &'e Option<Leaf<Decimal<'e>>>, options: &Options, out: &mut Out<'_, 'e>) {
    let Some(leaf) = priority else { return };
    if too_long(leaf.value.as_str(), options) {
        return out.books().lost(leaf.mark, Reason::YandexLongValue);
    }
    if leaf.value.is_up_to_one() {
        out.put(Field::Priority, priority);
    } else {
        out.books().lost(leaf.mark, Reason::PriorityRange);
    }
}
