//! Removes the unknown markup of videos that were taken out of an entry, so that what is left belongs to those that are there.

use std::collections::HashSet;

use crate::json::is_below;
use crate::model::page::ids_of_objects;
use crate::model::renumber::numbered;
use crate::model::{Entry, Field, Mark};
use crate::reason::Reason;
use crate::work;

/// The element of sitemaps that is a video.
const VIDEO: &str = "video:video";

/// Removes what was in the videos that are gone; `is_gone` has a value for each video that the entry had.
pub(super) fn prune(entry: &mut Entry<'_>, is_gone: &[bool], why: Reason) {
    if entry.foreign.is_empty() {
        return;
    }
    work::count(entry.foreign.len());
    let mut places = is_gone.iter().copied();
    // values edited by others may have videos without places
    let are_placed = entry.foreign.iter().filter(|item| item.is_video_place()).count() == is_gone.len();
    let is_element_gone = |path: &str| {
        let number = numbered(path, VIDEO).and_then(|(number, _)| number.checked_sub(1));
        number.is_some_and(|index| is_gone.get(index) == Some(&true))
    };
    let ids = ids_of_objects(&entry.foreign);
    let mut gone_ids: HashSet<&str> = HashSet::new();
    let mut above: Option<&str> = None;
    let is_kept: Vec<bool> = entry
        .foreign
        .iter()
        .map(|item| {
            if above.is_some_and(|above| is_below(&item.path, above)) {
                return false;
            }
            let id = ids.get(&*item.path).filter(|_| item.is_video_place() || item.is_same_video());
            let is_gone = if item.is_video_place() {
                places.next() == Some(true) && are_placed
            } else if item.is_same_video() {
                id.is_some_and(|id| gone_ids.contains(id))
            } else {
                above = None;
                return !is_element_gone(&item.path);
            };
            gone_ids.extend(id.filter(|_| is_gone));
            above = is_gone.then_some(&item.path);
            !is_gone
        })
        .collect();
    let mut marks: Vec<Mark> = Vec::new();
    let mut is_kept = is_kept.into_iter();
    entry.foreign.retain(|item| {
        let stays = is_kept.next().unwrap_or(true);
        if !stays {
            marks.extend(item.value.iter().map(|value| value.mark).chain(item.empty.iter().map(|empty| empty.mark)));
        }
        stays
    });
    marks.into_iter().for_each(|mark| entry.origin.remove(mark, Field::Foreign, why));
    let mut left = 0..;
    let now: Vec<Option<usize>> = is_gone.iter().map(|is_gone| if *is_gone { None } else { left.next() }).collect();
    entry.renumber(VIDEO, &now);
}
