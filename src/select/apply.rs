//! Applies the options of a selection to an entry or a head. Not their syntax, which is next to this file.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::copies;
use super::gone;
use crate::format::ns::media;
use crate::model::{Date, Entry, Feed, Field, Mark, ModelPart, Video, Walk, episode};
use crate::options::Options;
use crate::reason::Reason;

/// Removes from an entry the values that were not asked for. The `number` of the entry counts from 0 in its document, and `end` is
/// the first that is beyond `--limit`.
pub(crate) fn select(entry: &mut Entry<'_>, number: u64, end: Option<u64>, options: &Options) {
    if options.drop_expired
        && let Some(now) = &options.now
    {
        drop_expired_videos(entry, now);
    }
    entry.origin.unselected = match end {
        Some(end) if number >= end => Some(Reason::BeyondLimit),
        _ => entry.origin.unselected.or_else(|| reason_to_skip(entry, options)),
    };
    if entry.origin.unselected.is_none() && !options.drop_fields.is_empty() {
        let is_dropped = |field| options.drop_fields.contains(field);
        let mut removed = Vec::new();
        // images and sounds of the page have values in fields of videos, which only go with their URLs
        entry.prune((), &|field| field.group() != ModelPart::Video && is_dropped(field), &mut removed);
        if is_dropped(Field::ImageLoc) {
            entry.images.prune((), &|_| true, &mut removed);
        }
        if is_dropped(Field::EnclosureUrl) {
            entry.enclosures.prune((), &|_| true, &mut removed);
        }
        let had = entry.videos.len();
        entry.videos.prune((), &is_dropped, &mut removed);
        entry.origin.unselected_videos += (had - entry.videos.len()) as u64;
        entry.media.prune((), &is_dropped, &mut removed);
        removed.extend(episode::prune(entry, &is_dropped));
        copies::prune(entry, &removed, &is_dropped);
        entry.videos.iter_mut().for_each(media::forget_names);
        for (mark, field) in removed {
            entry.origin.remove(mark, field, Reason::DroppedField);
        }
    }
}

/// Takes the fields that were not asked for out of a head.
pub(crate) fn select_in_head(feed: &mut Feed<'_>, options: &Options) {
    if options.drop_fields.is_empty() {
        return;
    }
    let mut removed = Vec::new();
    feed.prune((), &|field| options.drop_fields.contains(field), &mut removed);
    for (mark, field) in removed {
        // by its number among the values of the head
        let number = if mark.is_some() { Mark(mark.0 & !Mark::FEED) } else { mark };
        feed.origin.remove(number, field, Reason::DroppedField);
    }
}

/// Whether entries or values are excluded.
pub(crate) fn is_asked(options: &Options) -> bool {
    let Options { since, until, max_age, condition, .. } = options;
    let by_date = since.is_some() || until.is_some() || max_age.is_some() || options.drop_expired;
    by_date
        || options.only_with_video
        || options.limit.is_some()
        || condition.is_some()
        || !options.drop_fields.is_empty()
}

/// The reason of the first option that excludes this entry.
fn reason_to_skip(entry: &Entry<'_>, options: &Options) -> Option<Reason> {
    if options.only_with_video && entry.videos.is_empty() {
        return Some(Reason::WithoutVideo);
    }
    by_date(entry, options).or_else(|| match &options.condition {
        Some(condition) if !condition.holds(entry) => Some(Reason::ConditionUnmet),
        _ => None,
    })
}

/// The reason to skip an entry for its date.
fn by_date(entry: &Entry<'_>, options: &Options) -> Option<Reason> {
    let Options { since, until, max_age, now, .. } = options;
    let youngest = max_age.zip(now.as_ref()).and_then(|(age, now)| age.before(now));
    if since.is_none() && until.is_none() && youngest.is_none() {
        return None;
    }
    let Some(date) = date_of(entry) else { return Some(Reason::Undated) };
    let is_before = |limit: &Date| date.compare(limit) == Ordering::Less;
    if since.as_ref().is_some_and(is_before) || youngest.as_ref().is_some_and(is_before) {
        return Some(Reason::TooOld);
    }
    until.as_ref().is_some_and(|until| date.compare(until) == Ordering::Greater).then_some(Reason::TooNew)
}

/// The date of an entry: its last change or its publication, whichever is later; without both, that of its newest video.
fn date_of<'e>(entry: &'e Entry<'_>) -> Option<&'e Date> {
    let own = [&entry.updated, &entry.published].into_iter().flatten();
    let newest = own.map(|date| &date.value).max_by_key(|date| date.instant());
    let published = entry.videos.iter().filter_map(|video| video.published.as_ref());
    newest.or_else(|| published.map(|date| &date.value).max_by_key(|date| date.instant()))
}

/// Takes out the videos whose last moment is past; an entry that had no others, or is past itself, is skipped.
fn drop_expired_videos(entry: &mut Entry<'_>, now: &Date) {
    let is_past = |date: Option<&Date>| date.is_some_and(|end| end.compare(now) == Ordering::Less);
    let end =
        |video: &Video<'_>| video.available.as_ref().and_then(|available| available.end.as_ref()).map(|end| end.value);
    let is_expired = |video: &Video<'_>| is_past(end(video).as_ref());
    let had = entry.videos.len();
    let gone = entry.videos.iter().filter(|video| is_expired(video)).count();
    if is_past(entry.expires.as_ref().map(|date| &date.value)) || had > 0 && gone == had {
        entry.origin.unselected = Some(Reason::Expired);
        return;
    }
    if gone == 0 {
        return;
    }
    entry.origin.unselected_videos = gone as u64;
    let mut removed: Vec<(Mark, Field)> = Vec::new();
    let mut is_gone = Vec::with_capacity(had);
    entry.videos.retain(|video| {
        let is_kept = !is_expired(video);
        if !is_kept {
            video.walk((), &mut |seen| removed.push((seen.mark, seen.field)));
        }
        is_gone.push(!is_kept);
        is_kept
    });
    gone::prune(entry, &is_gone, Reason::Expired);
    for (mark, field) in removed {
        entry.origin.remove(mark, field, Reason::Expired);
    }
}

/// Counts entries that were selected, up to a number of them.
pub(crate) struct SelectionCounter {
    left: u64,
}

impl SelectionCounter {
    /// For so many entries.
    pub fn new(limit: u64) -> SelectionCounter {
        SelectionCounter { left: limit }
    }

    /// Counts an entry; breaks once it is beyond the limit.
    pub fn count(&mut self, entry: &Entry<'_>) -> ControlFlow<()> {
        if entry.origin.is_skipped() {
            return ControlFlow::Continue(());
        }
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }
}
