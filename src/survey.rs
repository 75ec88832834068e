//! The first look at all entries: what some writers must know before they write the head.

use crate::format::sitemap::look_at_extensions;
use crate::format::{Family, Survey};
use crate::model::{Date, Entry, Video};
use crate::pages;

/// Adds the facts of one entry.
pub(crate) fn look(entry: &Entry<'_>, family: &'static Family, survey: &mut Survey) {
    if survey.first_page.is_none() {
        survey.first_page = pages::page(entry).map(|loc| loc.to_owned());
    }
    if let Some(news) = entry.news.as_ref().filter(|_| survey.news_name.is_none()) {
        survey.news_name = news.name.as_ref().map(|name| name.as_str().to_owned());
    }
    survey.newest = newer(survey.newest, changed(entry));
    // of what a feed would hold nothing of, nobody need be the author
    survey.authorless = survey.authorless || !has_author(entry, family) && !pages::is_idle(entry, family.is_atom());
    if pages::address(entry, family).is_some() {
        look_at_extensions(entry, family, survey);
    }
}

/// Whether an entry names an author, or the uploader of a video, who replaces one (S-A5): for each video, if each has a
/// separate entry.
fn has_author(entry: &Entry<'_>, family: &'static Family) -> bool {
    // Atom keeps its credits
    let named =
        |video: &Video<'_>| video.uploader_or_credit().is_some_and(|by| by.credit.is_none() || !family.is_atom());
    let mut videos = entry.videos.iter();
    let stands_in = match family.lists_pages() {
        true => !entry.videos.is_empty() && videos.all(named),
        false => videos.any(named),
    };
    !entry.authors.is_empty() || stands_in
}

/// When an entry was last changed, judging by its dates (S-A3).
fn changed(entry: &Entry<'_>) -> Option<Date> {
    let of_videos = || {
        let dates = entry.videos.iter().filter_map(|video| video.published.as_ref());
        dates.max_by_key(|date| date.value.instant())
    };
    let of_news = || entry.news.as_ref()?.published.as_ref();
    let own = entry.updated.as_ref().or(entry.published.as_ref());
    own.or_else(of_videos).or_else(of_news).map(|leaf| leaf.value)
}

/// Adds the facts of a later run of entries.
pub(crate) fn merge(into: &mut Survey, from: Survey) {
    into.first_page = into.first_page.take().or(from.first_page);
    into.news_name = into.news_name.take().or(from.news_name);
    into.newest = newer(into.newest, from.newest);
    into.authorless |= from.authorless;
    into.images |= from.images;
    into.news |= from.news;
    into.alternates |= from.alternates;
    into.videos |= from.videos;
    into.thumbnails |= from.thumbnails;
    into.mobile |= from.mobile;
    into.page_map |= from.page_map;
}

/// The later of two dates; of equal ones the first.
pub(crate) fn newer(a: Option<Date>, b: Option<Date>) -> Option<Date> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.instant() > a.instant() { b } else { a }),
        (a, b) => a.or(b),
    }
}
