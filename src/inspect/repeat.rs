//! Finds pages, ids and videos that occur more than once. The places of the first ones are looked up afterwards, so
//! that only hashes have to be kept for all entries.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::found::{Duplicate, Repeat};
use crate::convert::{ForecastOutcome, RepeatedKeys};
use crate::error::Error;
use crate::format::medium::video_key;
use crate::format::{self, Family};
use crate::ledger::shorten;
use crate::model::Entry;
use crate::options::Options;
use crate::pages;

/// What an entry is compared by.
#[derive(Default)]
struct RepeatKeys {
    line: u32,
    page: Option<String>,
    id: Option<String>,
    videos: Vec<String>,
}

impl RepeatKeys {
    fn from_entry(entry: &Entry<'_>, family: &'static Family) -> RepeatKeys {
        RepeatKeys {
            line: entry.origin.line(),
            page: pages::key(entry, family).map(Cow::into_owned),
            id: entry.id.as_ref().map(|id| id.to_string()),
            videos: entry.videos.iter().filter_map(video_key).collect(),
        }
    }

    /// The video that both have; within one entry, the first that is there twice.
    fn common(&self, other: &RepeatKeys, same: bool) -> Option<&str> {
        let mut known: HashSet<&String> = if same { HashSet::new() } else { other.videos.iter().collect() };
        self.videos
            .iter()
            .find(|video| if same { !known.insert(video) } else { known.contains(video) })
            .map(String::as_str)
    }
}

/// Pages, ids and videos that occur more than once.
///
/// # Errors
/// An error while reading.
pub(super) fn count_repeats(
    outcome: &mut ForecastOutcome<'_>,
    options: &Options,
) -> Result<(Repeat, Repeat, Repeat), Error> {
    let family = format::family_format(outcome.document.format, &outcome.document.feed).family;
    let all = [&outcome.repeats.pages, &outcome.repeats.ids, &outcome.repeats.videos];
    let places = all.iter().flat_map(|repeated| repeated.first.iter().flat_map(|found| [found.place, found.first]));
    let wanted: BTreeSet<u64> = places.collect();
    let mut keys: HashMap<u64, RepeatKeys> = HashMap::new();
    let mut find = || {
        outcome.document.find(&wanted, options, &mut |number, entry| {
            keys.insert(number, RepeatKeys::from_entry(entry, family));
        })
    };
    options.on_threads(&mut find)??;
    let repeat = |repeated: &RepeatedKeys, value: &dyn Fn(&RepeatKeys, &RepeatKeys, bool) -> Option<String>| Repeat {
        different: repeated.different,
        again: repeated.again,
        examples: repeated
            .first
            .iter()
            .filter_map(|found| {
                let (again, first) = (keys.get(&found.place)?, keys.get(&found.first)?);
                Some(Duplicate {
                    value: shorten(&value(again, first, found.place == found.first)?),
                    entry: found.place,
                    line: again.line,
                    first_entry: found.first,
                    first_line: first.line,
                })
            })
            .collect(),
    };
    let [pages, ids, videos] = all;
    Ok((
        repeat(pages, &|again, _, _| again.page.clone()),
        repeat(ids, &|again, _, _| again.id.clone()),
        repeat(videos, &|again, first, same| again.common(first, same).map(str::to_owned)),
    ))
}
