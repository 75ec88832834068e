//! Writes what other vocabularies add to `url`: links, the mobile flag, PageMap, images and news. Not videos.

use std::collections::{HashMap, HashSet};

use super::news::{news_language, unfit};
use crate::emit::Out;
use crate::format::choice::{address, attached_picture, constants, is_avatar, plain};
use crate::format::contract::{Setup, Survey};
use crate::format::family::Family;
use crate::format::medium::{described, is_picture};
use crate::format::sitemap::date::date;
use crate::model::{Date, Entry, Field, Image, Link, Mark, News, Precision, Str, Text, Walk};
use crate::options::{Extensions, Profile};
use crate::reason::{Reason, ValueChange};
use crate::text::mime::Medium;
use crate::text::{language, url};

/// Which extensions the `url` of an entry has for certain.
pub(crate) fn look(entry: &Entry<'_>, family: &'static Family, survey: &mut Survey) {
    let of_sitemap = family.is_xml_sitemap();
    let shown = |url: &Str<'_>| not_of_the_web(url).is_none() && (of_sitemap || !is_avatar(&url.value));
    let files = || entry.videos.iter().flat_map(|video| &video.files).filter(|file| !of_sitemap && is_picture(file));
    survey.images = survey.images
        || entry.images.iter().filter_map(|image| image.loc.as_ref()).any(shown)
        || entry.enclosures.iter().filter_map(attached_picture).any(shown)
        || files().filter_map(|file| file.url.as_ref()).any(shown);
    survey.news = survey.news || entry.news.as_ref().is_some_and(|news| !unfit(news));
    let given = |link: &&Link<'_>, alternate| link.href.is_some() && refused(link, alternate).is_none();
    survey.alternates = survey.alternates
        || entry.alternates.iter().any(|link| given(&link, true))
        || entry.links.iter().any(|link| (of_sitemap || is_for_devices(link)) && given(&link, false));
    survey.videos |= !entry.videos.is_empty();
    survey.thumbnails |= described(entry).any(|video| !video.thumbnails.is_empty());
    survey.mobile |= entry.mobile.as_ref().is_some_and(|mobile| mobile.value);
    survey.page_map |= entry.page_map.is_some();
}

/// The page in other languages, and, from sitemaps, whatever other links there were.
pub(super) fn links<'e>(entry: &'e Entry<'e>, ext: Extensions, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
    let (google, iri) = (setup.google(), setup.options.iri);
    use crate::model::LinkFields;
    for alternate in &entry.alternates {
        if !ext.alternates {
            out.drop(alternate, LinkFields::ALTERNATE, Reason::ExtensionOff);
        } else if alternate.href.is_none() {
            out.drop(alternate, LinkFields::ALTERNATE, Reason::NoUrl);
            out.skip("xhtml:link");
        } else if let Some(why) = refused(alternate, true).filter(|_| google) {
            out.drop(alternate, LinkFields::ALTERNATE, why);
            out.skip("xhtml:link");
        } else {
            link(alternate, google, iri, out);
        }
    }
    for other in &entry.links {
        if other.href.is_none() || !(out.same_family() || is_for_devices(other)) {
            continue;
        }
        if !ext.alternates {
            out.drop(other, LinkFields::PAGE, Reason::ExtensionOff);
            continue;
        }
        match refused(other, false).filter(|_| google) {
            Some(why) => {
                out.drop(other, LinkFields::PAGE, why);
                out.skip("xhtml:link");
            }
            None => link(other, google, iri, out),
        }
    }
}

/// Links that other sitemaps hold, where Yandex is to read this one.
pub(super) fn unread_links<'e>(entry: &'e Entry<'e>, out: &mut Out<'_, 'e>) {
    use crate::model::LinkFields;
    let why = Reason::YandexElement;
    out.drop(&entry.alternates, LinkFields::ALTERNATE, why);
    for other in &entry.links {
        if out.same_family() || is_for_devices(other) {
            out.drop(other, LinkFields::PAGE, why);
        }
    }
}

/// Why Google would not take a link of a page, which names its version in another language or for another device.
fn refused(link: &Link<'_>, alternate: bool) -> Option<Reason> {
    let is_amp = link.rel.as_ref().is_some_and(|rel| rel.value.eq_ignore_ascii_case("amphtml"));
    let is_device = is_amp || link.media.is_some();
    let address = link.href.as_ref().map_or("", |href| &*href.value);
    let is_app = address.starts_with("android-app:");
    let other = |rel: &&Str<'_>| !rel.value.eq_ignore_ascii_case("alternate") && !is_device;
    if link.rel.as_ref().filter(other).is_some() {
        return Some(Reason::AlternateHreflang);
    }
    if !is_app && !url::is_http(&url::normalize_for_sitemap(address)) {
        return Some(Reason::AbsoluteUrl);
    }
    match &link.hreflang {
        Some(tag) if !language::is_hreflang(&tag.value) && language::repair_hreflang(&tag.value).is_none() => {
            Some(Reason::AlternateHreflang)
        }
        None if (alternate || !is_app) && !is_device => Some(Reason::NoHreflang),
        _ => None,
    }
}

/// Links to the page for other devices, which sitemaps have been seen to hold.
fn is_for_devices(link: &Link<'_>) -> bool {
    link.rel.as_ref().is_some_and(|rel| rel.value == "amphtml")
        || link.media.is_some()
        || link.href.as_ref().is_some_and(|href| href.value.starts_with("android-app:"))
}

fn link<'e>(link: &'e Link<'e>, google: bool, iri: bool, out: &mut Out<'_, 'e>) {
    const ALTERNATE: &str = "alternate";
    out.element_at("xhtml:link", link.href.as_ref().map_or(Mark::NONE, |href| href.mark), |out| {
        match &link.rel {
            Some(rel) => out.attr_as("rel", rel.mark, &rel.value, None),
            None if !link.without_rel => out.constant("rel", ALTERNATE),
            None if google => {
                let from = link.href.as_ref().map(|href| href.mark);
                out.make_attr("rel", Field::LinkRel, Reason::DefaultTerm, from, ALTERNATE);
            }
            None => (),
        }
        if let Some(tag) = &link.hreflang {
            let mended = language::repair_hreflang(&tag.value).filter(|_| google);
            let change = mended.as_ref().map(|_| Reason::UsualTerm);
            out.attr_as("hreflang", tag.mark, mended.as_deref().unwrap_or(&tag.value), change);
        }
        for (name, slot) in [("media", &link.media), ("type", &link.kind), ("title", &link.title)] {
            if let Some(leaf) = slot {
                out.attr_as(name, leaf.mark, &leaf.value, None);
            }
        }
        if let Some(href) = &link.href {
            let (text, change) = address(&href.value, iri);
            out.attr_as("href", href.mark, &text, change);
        }
    });
}

/// `mobile:mobile` is there or not.
pub(super) fn mobile<'e>(entry: &'e Entry<'e>, out: &mut Out<'_, 'e>) {
    if let Some(mobile) = &entry.mobile {
        if mobile.value {
            out.element_always("mobile:mobile", |_| ());
        }
        out.books().kept_as(mobile.mark, String::new);
    }
}

/// Google's PageMap.
pub(super) fn page_map<'e>(entry: &'e Entry<'e>, out: &mut Out<'_, 'e>) {
    let Some(map) = &entry.page_map else { return };
    out.element("pagemap:PageMap", |out| {
        out.element("pagemap:Template", |out| out.put(Field::PageMapTemplate, &map.template));
        for object in &map.objects {
            out.element("pagemap:DataObject", |out| {
                out.put(Field::PageMapType, &object.kind);
                out.put(Field::PageMapId, &object.id);
                for attribute in &object.attributes {
                    out.element("pagemap:Attribute", |out| {
                        out.put(Field::PageMapAttributeName, &attribute.name);
                        match &attribute.value {
                            Some(value) if attribute.text => out.text_as(value.mark, &value.value, None),
                            value => out.put(Field::PageMapAttributeValue, value),
                        }
                    });
                }
            });
        }
    });
}

/// How many images a page may list (Google, 2025).
const IMAGES: usize = 1000;

/// Writes the images of the page: its own, and attached files that are images.
pub(super) fn images<'e>(
    entry: &'e Entry<'e>,
    ext: Extensions,
    thumbnails: bool,
    setup: &Setup<'_>,
    out: &mut Out<'_, 'e>,
) {
    // a sitemap keeps what it has, and so does `--for none`; other images get in only with a URL that can be fetched
    let as_given = out.same_family() || setup.options.profile == Profile::None;
    let (strict, iri) = (setup.google() || !as_given, setup.options.iri);
    let mut written = 0;
    for picture in &entry.images {
        if !ext.image {
            out.drop(picture, (), Reason::ExtensionOff);
            out.skip("image:image");
        } else if picture.loc.is_none() {
            out.drop(picture, (), Reason::NoUrl);
            out.skip("image:image");
        } else if let Some(why) = picture.loc.as_ref().filter(|_| strict).and_then(not_of_the_web) {
            out.drop(picture, (), why);
            out.skip("image:image");
        } else if !out.same_family() && picture.loc.as_ref().is_some_and(|loc| is_avatar(&loc.value)) {
            out.drop(picture, (), Reason::AvatarImage);
            out.skip("image:image");
        } else if written == IMAGES {
            out.drop(picture, (), Reason::SitemapImages);
        } else {
            image(picture, iri, out);
            if let Some(file) = &picture.file {
                constants(file, Some(Medium::Image), out);
            }
            written += 1;
        }
        out.drop(&picture.file, (), Reason::SitemapFile);
    }
    written = attached(entry, ext, written, strict, iri, out);
    if ext.image {
        pictures(entry, thumbnails, written, strict, iri, out);
    }
}

/// Why Google does not fetch an image.
fn not_of_the_web(loc: &Str<'_>) -> Option<Reason> {
    let address = url::normalize_for_sitemap(&loc.value);
    match url::scheme(&address) {
        None if address.trim().is_empty() => Some(Reason::NoUrl),
        None => Some(Reason::AbsoluteUrl),
        Some(_) if url::is_http(&address) => None,
        Some(_) => Some(Reason::AllowedScheme),
    }
}

/// Writes the attached images that are not among the images of the page.
fn attached<'e>(
    entry: &'e Entry<'e>,
    ext: Extensions,
    mut written: usize,
    strict: bool,
    iri: bool,
    out: &mut Out<'_, 'e>,
) -> usize {
    if entry.enclosures.is_empty() {
        return written;
    }
    let there = entry.images.iter().filter_map(|image| image.loc.as_ref());
    let mut known: HashSet<_> =
        there.filter(|loc| out.books().written(loc.mark)).map(|loc| url::key(&loc.value)).collect();
    for enclosure in &entry.enclosures {
        out.drop(&enclosure.file, (), Reason::SitemapFile);
        let Some(url) = attached_picture(enclosure).filter(|_| ext.image) else { continue };
        if known.contains(&url::key(&url.value)) {
            out.books().merged(url.mark, Reason::SameValue);
        } else if let Some(why) = not_of_the_web(url).filter(|_| strict) {
            out.books().lost(url.mark, why);
        } else if is_avatar(&url.value) {
            out.books().lost(url.mark, Reason::AvatarImage);
        } else if written < IMAGES {
            known.insert(url::key(&url.value));
            out.element_always("image:image", |out| {
                out.elem_as("image:loc", url.mark, &address(&url.value, iri).0, Some(Reason::OtherElement));
            });
            written += 1;
        } else {
            out.books().lost(url.mark, Reason::SitemapImages);
        }
    }
    written
}

/// Images among the renditions of videos, and on request the first thumbnail of each video or of the page.
fn pictures<'e>(
    entry: &'e Entry<'e>,
    thumbnails: bool,
    mut written: usize,
    strict: bool,
    iri: bool,
    out: &mut Out<'_, 'e>,
) {
    let same_family = out.same_family();
    let files = entry.videos.iter().flat_map(|video| &video.files).filter(|file| !same_family && is_picture(file));
    let files = files.filter_map(|file| file.url.as_ref());
    let first = described(entry).filter(|_| thumbnails).filter_map(|video| {
        let mut all = video.thumbnails.iter().map(|thumbnail| thumbnail.url.as_ref());
        all.find(|url| !url.is_some_and(|url| is_avatar(&url.value)))?
    });
    let mut found = files.chain(first).filter(|url| !strict || not_of_the_web(url).is_none()).peekable();
    if found.peek().is_none() {
        return;
    }
    let known = entry.images.iter().filter_map(|image| image.loc.as_ref());
    let mut known: HashMap<_, _> = known.map(|loc| (url::key(&loc.value), loc.mark)).collect();
    for url in found {
        let first = *known.entry(url::key(&url.value)).or_insert(url.mark);
        if is_avatar(&url.value) {
            out.books().lost(url.mark, Reason::AvatarImage);
        } else if first != url.mark {
            out.books().merged_with(url.mark, first, Reason::SameValue);
        } else if written < IMAGES {
            out.element_always("image:image", |out| {
                out.elem_as("image:loc", url.mark, &address(&url.value, iri).0, Some(Reason::OtherElement));
            });
            written += 1;
        }
    }
}

fn image<'e>(image: &'e Image<'e>, iri: bool, out: &mut Out<'_, 'e>) {
    out.element_of("image:image", image, |out| {
        if let Some(loc) = &image.loc {
            let (text, change) = address(&loc.value, iri);
            out.elem_as("image:loc", loc.mark, &text, change);
        }
        // what Media RSS gives with more than these elements hold
        let media = image.file.as_deref().and_then(|file| file.media.as_deref());
        text_element("image:caption", &image.caption, out);
        match (&image.geo_location, media.and_then(|media| media.location.first()?.description.as_ref())) {
            (None, Some(place)) => {
                out.elem_as("image:geo_location", place.mark, &place.value, Some(Reason::OtherElement));
            }
            (place, _) => out.put(Field::ImageGeoLocation, place),
        }
        text_element("image:title", &image.title, out);
        match (&image.license, media.and_then(|media| media.license.iter().find_map(|one| one.href.as_ref()))) {
            (None, Some(license)) => {
                out.elem_as("image:license", license.mark, &license.value, Some(Reason::OtherElement));
            }
            (license, _) => out.put(Field::ImageLicense, license),
        }
    });
}

/// A text of any kind as an element of plain text.
fn text_element<'e>(name: &str, text: &'e Option<Text<'e>>, out: &mut Out<'_, 'e>) {
    if let Some(text) = text {
        let (words, change) = plain(text);
        out.element_always(name, |out| {
            self::language(text, out);
            out.text_as(text.value.mark, &words, change);
        });
    }
}

/// `xml:lang` and `xml:base` go back where they came from; no schema has room for them.
pub(super) fn language<'e>(text: &'e Text<'e>, out: &mut Out<'_, 'e>) {
    if out.same_family() {
        for (name, slot) in [("xml:lang", &text.lang), ("xml:base", &text.base)] {
            if let Some(leaf) = slot {
                out.attr_as(name, leaf.mark, &leaf.value, None);
            }
        }
    }
}

/// `news:news`: the page's own, or, if the extension was requested by name, one generated from values of the page.
pub(super) fn news<'e>(entry: &'e Entry<'e>, ext: Extensions, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
    match &entry.news {
        Some(news) if !ext.news => out.drop(news, (), Reason::ExtensionOff),
        Some(news) => match setup.google() {
            true if unfit(news) => {
                out.drop(news, (), Reason::IncompleteNews);
                out.skip("news:news");
            }
            google => own_news(news, google, out),
        },
        None if setup.options.ext.is_some_and(|ext| ext.news) && !setup.options.no_synth => {
            made_news(entry, setup, out);
        }
        None => (),
    }
}

fn own_news<'e>(news: &'e News<'e>, google: bool, out: &mut Out<'_, 'e>) {
    out.element("news:news", |out| {
        if news.is_blank() {
            return;
        }
        out.element("news:publication", |out| {
            out.put_always("news:name", Field::NewsName, &news.name, Reason::EmptyTitle);
            match &news.language {
                Some(tag) if google && !language::is_of_news(&tag.value) => {
                    out.elem_as("news:language", tag.mark, &news_language(&tag.value), Some(Reason::UsualTerm));
                }
                language => {
                    out.put_always("news:language", Field::NewsLanguage, language, Reason::EmptyLanguage);
                }
            }
        });
        out.put(Field::NewsAccess, &news.access);
        out.put(Field::NewsGenres, &news.genres);
        match &news.published {
            Some(published) => {
                let (text, change) = news_date(&published.value);
                out.elem_as("news:publication_date", published.mark, &text, change);
            }
            None => {
                out.make("news:publication_date", Field::NewsPublished, Reason::EmptyDate, None, "");
            }
        }
        out.put_always("news:title", Field::NewsTitle, &news.title, Reason::EmptyTitle);
        out.put(Field::NewsKeywords, &news.keywords);
        out.put(Field::NewsStockTickers, &news.stock_tickers);
    });
}

/// News sitemaps take more spellings of a date than other sitemaps: minutes and fractions too.
fn news_date(published: &Date) -> (String, ValueChange) {
    if published.precision() >= Precision::Minute && published.offset().is_some() {
        let utc = published.far_in_utc();
        return (utc.unwrap_or(*published).to_w3c(), utc.map(|_| Reason::FarOffset));
    }
    date(published)
}

/// How long an article is news, in nanoseconds (Google: two days).
const NEWS_AGE: i128 = 2 * 24 * 60 * 60 * 1_000_000_000;

/// S-N1: only a page that has all four values, and is not known to be too old.
fn made_news<'e>(entry: &'e Entry<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
    let (feed, options) = (setup.own_feed, setup.options);
    let (Some(title), Some(published)) = (&entry.title, &entry.published) else { return };
    let language = entry.language.as_ref().or(feed.language.as_ref());
    if options.news_name.is_none() && feed.title.is_none() || options.news_language.is_none() && language.is_none() {
        return;
    }
    let old = |now: &Date| now.instant() - published.value.instant() > NEWS_AGE;
    if setup.options.now.as_ref().is_some_and(old) {
        return;
    }
    let moved = Some(Reason::OtherElement);
    let (date, _) = news_date(&published.value);
    // those of the page and of the feed for which another one is written
    let languages = [&entry.language, &feed.language].into_iter().flatten();
    let others = languages.filter(|other| options.news_language.is_some() || Some(*other) != language);
    others.for_each(|other| out.books().lost(other.mark, Reason::OtherValue));
    out.element_always("news:news", |out| {
        out.element_always("news:publication", |out| {
            match (&options.news_name, &feed.title) {
                (Some(name), _) => out.make("news:name", Field::NewsName, Reason::NewsNameGiven, None, name),
                (None, Some(name)) => out.elem_as("news:name", name.value.mark, &plain(name).0, moved),
                (None, None) => (),
            }
            match (&options.news_language, language) {
                (Some(tag), _) => {
                    let tag = news_language(tag);
                    out.make("news:language", Field::NewsLanguage, Reason::NewsLanguageGiven, None, &tag);
                }
                (None, Some(language)) => {
                    out.elem_as("news:language", language.mark, &news_language(&language.value), moved);
                }
                (None, None) => (),
            }
        });
        out.elem_as("news:publication_date", published.mark, &date, moved);
        out.elem_as("news:title", title.value.mark, &plain(title).0, moved);
    });
}
