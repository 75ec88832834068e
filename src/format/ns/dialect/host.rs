//! Which of several videos an element in a media object speaks of (A1).

use std::borrow::Cow;
use std::collections::HashMap;

use crate::model::origin::Origin;
use crate::model::value::FromText;
use crate::model::{Date, Field, LeafView, Seconds, Value, Video, Walk};
use crate::place::SourceElements;
use crate::text::url;

/// How many members of a list are searched for the same one: a longer list must not cost more than its length.
pub(super) const SEARCHED: usize = 64;

/// The numbers of the videos by the paths of the media objects they were read from.
pub(super) type VideosByHost = HashMap<String, usize>;

/// A value of an element, and its field.
type SaidValue<'s> = (Field, Cow<'s, str>);

/// The media object of the entry that a path leads into.
pub(super) fn media_object(path: &str) -> Option<&str> {
    let (root, below) = path.split_once('/')?;
    let step = below.split('/').next()?;
    let is_it = matches!(step.split('[').next(), Some("media:group" | "media:content"));
    is_it.then(|| &path[..root.len() + 1 + step.len()])
}

/// How many values of a media object are compared at most.
const COMPARED: usize = 16;

/// Finds the media objects of videos in the markup that they were read from.
pub(super) fn in_source(videos: &[Video<'_>], origin: &Origin<'_>) -> VideosByHost {
    let mut elements = SourceElements::of_origin(origin);
    let mut found = VideosByHost::new();
    for (number, video) in videos.iter().enumerate() {
        video.walk((), &mut |seen| {
            let path = elements.path(seen.mark).unwrap_or_default();
            if let Some(host) = media_object(&path).filter(|host| !found.contains_key(*host)) {
                found.insert(host.to_owned(), number);
            }
        });
    }
    found
}

/// Finds them in JSON, which has no such places, by the copies of what their elements say. `said` are media objects in
/// the order of the source, each with the fields and values of its elements.
pub(super) fn in_model<'s>(
    said: impl Iterator<Item = (&'s str, Field, Cow<'s, str>)>,
    videos: &[Video<'_>],
    is_copy: impl Fn(&LeafView<'_>) -> bool,
) -> VideosByHost {
    let mut hosts: Vec<(&str, Vec<SaidValue<'s>>)> = Vec::new();
    for (host, field, text) in said {
        match hosts.last_mut().filter(|(last, _)| *last == host) {
            Some((_, values)) if values.len() < COMPARED => values.push((field, text)),
            Some(_) => (),
            None => hosts.push((host, vec![(field, text)])),
        }
    }
    let copies = |video| {
        let mut copies = Vec::new();
        Video::walk(video, (), &mut |seen| copies.extend(is_copy(&seen).then_some((seen.field, seen.value))));
        copies
    };
    let copies: Vec<Vec<(Field, Value<'_>)>> = videos.iter().map(copies).collect();
    let mut found = VideosByHost::new();
    let mut next = 0;
    for (host, values) in hosts {
        let has = |copies: &[(Field, Value<'_>)], (field, text): &SaidValue<'s>| {
            copies.iter().any(|(known, value)| known == field && is_said(*value, text.trim()))
        };
        let mut best = (0, None);
        // the videos are in the order of the source, but several media objects may be one video
        for number in (next..videos.len()).take(SEARCHED).chain(usize::checked_sub(next, 1)) {
            let alike = values.iter().filter(|value| has(&copies[number], value)).count();
            if alike > best.0 {
                best = (alike, Some(number));
            }
            if alike == values.len() {
                break;
            }
        }
        if let Some(number) = best.1 {
            found.insert(host.to_owned(), number);
            next = number + 1;
        }
    }
    found
}

/// Whether a value of the model is the one that a text gives.
fn is_said(value: Value<'_>, text: &str) -> bool {
    match value {
        Value::Str(known) => known == text || ends_as(known, text) || url::key(known) == url::key(text),
        Value::Date(date) => Date::from_text(text.into()).is_some_and(|(said, _)| said == *date),
        Value::Seconds(seconds) => Seconds::from_text(text.into()).is_some_and(|(said, _)| said == seconds),
        Value::Flag(flag) => bool::from_text(text.into()).is_some_and(|(said, _)| said == flag),
        Value::Decimal(_) | Value::Count(_) | Value::Nothing => value.to_string() == text,
    }
}

/// Whether the last steps of a URL are those of this relative one.
pub(super) fn ends_as(url: &str, address: &str) -> bool {
    let end = address.trim_start_matches(['.', '/']);
    let is_relative = !end.is_empty() && url::scheme(address).is_none();
    is_relative && url.strip_suffix(end).is_some_and(|start| start.ends_with('/'))
}
