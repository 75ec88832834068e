//! The order of the elements of feeds: equivalent elements are together, so that the order of the output does not
//! depend on the vocabulary. The order of values within one element is defined elsewhere.

use crate::model::Module;

/// Other modules, after the elements of the format and their equivalents.
const MODULES: u8 = 60;
/// Media RSS, and its companions.
const MEDIA: u8 = 70;
/// The words of other formats that travel along.
const CARRIED: u8 = 80;
/// Podcasting 2.0, at the end like unknown markup: written again, it is that.
const PODCAST: u8 = 90;

/// The place of an element of an item.
pub fn rss_item(name: &str) -> u8 {
    match name {
        "title" | "dc:title" | "itunes:title" | "atom:title" => 1,
        "link" => 2,
        "description" | "dc:description" | "dcterms:abstract" | "atom:summary" => 3,
        "content:encoded" | "atom:content" => 4,
        "guid" | "atom:id" => 5,
        "pubDate" | "dc:date" | "dcterms:issued" | "atom:published" => 6,
        "author" | "atom:author" | "dc:creator" | "itunes:author" | "googleplay:author" => 7,
        "dc:contributor" | "atom:contributor" => 8,
        "category" | "atom:category" | "dc:subject" => 9,
        "comments" => 10,
        "enclosure" => 11,
        "atom:link" => 12,
        // feedparser takes a second description for the content
        "itunes:summary" | "googleplay:description" | "itunes:image" | "googleplay:image" => 13,
        "source" => 14,
        "atom:updated" | "dcterms:modified" => 15,
        "dcterms:created" => 16,
        "dc:publisher" => 17,
        "dc:rights" | "atom:rights" => 18,
        "dc:language" => 19,
        "creativeCommons:license" | "cc:license" | "dcterms:license" => 20,
        "slash:comments" | "thr:total" => 21,
        "wfw:commentRss" | "wfw:commentRSS" => 22,
        "thr:in-reply-to" => 23,
        "yt:videoId" => 25,
        "expirationDate" | "dcterms:available" => 26,
        name => of_modules(name),
    }
}

/// The same where `atom:link` names translations: feedparser takes the last of all links for the page.
pub fn translated_rss_item(name: &str) -> u8 {
    match name {
        "link" => 13,
        name => rss_item(name),
    }
}

/// The place of an element of a channel.
pub fn rss_head(name: &str) -> u8 {
    match name {
        "title" | "dc:title" | "itunes:title" | "atom:title" => 1,
        "link" => 2,
        "description" | "dc:description" | "itunes:summary" | "googleplay:description" | "atom:subtitle" => 3,
        "language" | "dc:language" => 4,
        "copyright" | "dc:rights" | "atom:rights" => 5,
        "managingEditor" | "atom:author" | "dc:creator" | "itunes:author" | "googleplay:author" => 6,
        "webMaster" => 7,
        "dc:contributor" | "atom:contributor" => 8,
        "pubDate" | "dc:date" | "dcterms:issued" => 9,
        "lastBuildDate" | "atom:updated" | "dcterms:modified" => 10,
        "category" | "atom:category" | "dc:subject" | "itunes:category" => 11,
        "generator" => 12,
        "docs" => 13,
        "cloud" => 14,
        "ttl" => 15,
        "image" | "itunes:image" | "googleplay:image" => 16,
        "rating" => 17,
        "textInput" => 18,
        "skipHours" => 19,
        "skipDays" => 20,
        "atom:link" => 21,
        "atom:id" => 22,
        "atom:icon" => 23,
        "dc:publisher" => 24,
        name => of_heads(name),
    }
}

/// The place of an element of an entry.
pub fn atom_entry(name: &str) -> u8 {
    match name {
        "id" => 1,
        "title" => 2,
        "updated" => 3,
        "published" => 4,
        "author" | "dc:creator" | "itunes:author" | "googleplay:author" => 5,
        "contributor" | "dc:contributor" => 6,
        "category" | "dc:subject" => 7,
        "link" => 8,
        "rights" | "dc:rights" => 9,
        "summary" => 10,
        "content" | "content:encoded" => 11,
        "source" => 12,
        "thr:in-reply-to" => 13,
        "slash:comments" | "thr:total" => 14,
        "dc:language" => 16,
        "dc:publisher" => 17,
        "itunes:image" | "googleplay:image" => 18,
        "dc:date" | "dcterms:issued" => 19,
        "dcterms:modified" => 20,
        "dcterms:available" => 21,
        "dcterms:created" => 22,
        "yt:videoId" => 23,
        "wfw:commentRss" | "wfw:commentRSS" => 24,
        "dc:description" | "dcterms:abstract" | "itunes:summary" | "googleplay:description" => 25,
        "creativeCommons:license" | "cc:license" | "dcterms:license" => 26,
        "dc:title" | "itunes:title" => 27,
        name => of_modules(name),
    }
}

/// The place of an element of a feed.
pub fn atom_head(name: &str) -> u8 {
    match name {
        "id" => 1,
        "title" | "dc:title" | "itunes:title" => 2,
        "subtitle" | "dc:description" | "itunes:summary" | "googleplay:description" => 3,
        "updated" | "dcterms:modified" => 4,
        "published" | "dc:date" | "dcterms:issued" => 5,
        "author" | "dc:creator" | "itunes:author" | "googleplay:author" => 6,
        "contributor" | "dc:contributor" => 7,
        "link" => 8,
        "category" | "dc:subject" | "itunes:category" => 9,
        "generator" => 10,
        "icon" => 11,
        "logo" | "itunes:image" | "googleplay:image" => 12,
        "rights" | "dc:rights" => 13,
        "dc:language" => 14,
        name => of_heads(name),
    }
}

/// Sorts elements of modules into the order in which they are written; elements with the same rank keep their order.
pub fn sort(modules: &mut [Module<'_>], rank: fn(&str) -> u8) {
    if !modules.is_sorted_by_key(|module| rank(&module.name)) {
        modules.sort_by_cached_key(|module| rank(&module.name));
    }
}

/// What both heads have.
fn of_heads(name: &str) -> u8 {
    match name {
        "sy:updatePeriod" => 30,
        "sy:updateFrequency" => 31,
        "sy:updateBase" => 32,
        "dc:publisher" => 33,
        "itunes:owner" => 34,
        "itunes:explicit" | "googleplay:explicit" => 35,
        name if name.starts_with("fh:") => 36,
        "itunes:block" | "itunes:complete" | "itunes:new-feed-url" => 36,
        name => of_modules(name),
    }
}

/// What every level has.
fn of_modules(name: &str) -> u8 {
    match name.split_once(':') {
        Some(("georss" | "geo" | "gml", _)) => MODULES - 1,
        Some(("media", _)) | Some(("dcterms", "valid" | "type")) => MEDIA,
        Some(("sm" | "video" | "image" | "news" | "xhtml" | "mobile" | "pagemap", _)) => CARRIED,
        Some(("podcast", _)) => PODCAST,
        _ => MODULES,
    }
}
