//! Values that a video inherits from the levels of Media RSS, when a caller changes the video or the level. The model has them twice
//! under one mark: in the video, which names the member as inherited, and on its level (rule A1). A value that
//! a caller changed or removed must not come back from the level, and one whose level is gone must be written with its video.

use std::collections::HashSet;

use crate::api::original::ModelRestorer;
use crate::model::{Entry, Mark, Video, Walk, WalkStep};

/// The marks of the members of a level, by their names; those of renditions apart.
fn members(video: &Video<'_>) -> Vec<(&'static str, Vec<Mark>)> {
    let mut found: Vec<(&'static str, Vec<Mark>)> = Vec::new();
    let mut depth = 0;
    video.outline((), &mut |step| match step {
        WalkStep::Member(name) => {
            if depth == 0 {
                found.push((name, Vec::new()));
            }
            depth += 1;
        }
        WalkStep::Item => depth += 1,
        WalkStep::End => depth -= 1,
        WalkStep::Leaf(seen) | WalkStep::Text(_, seen) => {
            if let Some((_, marks)) = found.last_mut() {
                marks.push(seen.mark);
            }
        }
        WalkStep::Word(_) => (),
    });
    found.retain(|(name, _)| *name != "files");
    found
}

/// The member that a name in `inherited` means: `categories[2]` is a part of `categories`.
fn member_of(name: &str) -> &str {
    name.split_once('[').map_or(name, |(member, _)| member)
}

/// The inherited values of a video, by the names in `inherited`.
pub(super) fn inherited(video: &Video<'_>) -> Vec<(String, Vec<Mark>)> {
    if video.inherited.is_empty() {
        return Vec::new();
    }
    let members = members(video);
    let marks =
        |name: &str| members.iter().find(|(member, _)| *member == member_of(name)).map(|(_, marks)| marks.clone());
    video.inherited.iter().map(|name| (name.to_string(), marks(name).unwrap_or_default())).collect()
}

/// A member with a changed, new or removed value is no longer inherited.
pub(super) fn disinherit(video: &mut Video<'_>, before: &[(String, Vec<Mark>)], back: &mut ModelRestorer<'_>) {
    if before.is_empty() && video.inherited.is_empty() {
        return;
    }
    let now = members(video);
    let marks =
        |name: &str| now.iter().find(|(member, _)| *member == member_of(name)).map_or(&[][..], |(_, marks)| marks);
    let same: HashSet<&str> =
        before.iter().filter(|(name, before)| marks(name) == before).map(|(name, _)| name.as_str()).collect();
    video.inherited.retain(|name| same.contains(&**name));
    let changed = before.iter().filter(|(name, _)| !same.contains(name.as_str()));
    back.changed_members.extend(changed.map(|(name, _)| member_of(name).to_owned()));
}

/// The marks that are both in a video and on one of its levels, both of this entry.
pub(super) fn inherited_marks(entry: &Entry<'_>) -> HashSet<Mark> {
    let mut handed = HashSet::new();
    if entry.videos.iter().all(|video| video.inherited.is_empty()) {
        return handed;
    }
    let levels = on_levels(entry);
    for video in &entry.videos {
        for (_, marks) in inherited(video) {
            handed.extend(marks.into_iter().filter(|mark| levels.contains(mark)));
        }
    }
    handed
}

fn on_levels(entry: &Entry<'_>) -> HashSet<Mark> {
    let mut levels = HashSet::new();
    let renditions = entry.videos.iter().flat_map(|video| &video.files).filter_map(|file| file.media.as_deref());
    for level in entry.media.as_deref().into_iter().chain(renditions) {
        level.walk((), &mut |seen| {
            levels.insert(seen.mark);
        });
    }
    levels
}

/// Removes values from the levels that their videos no longer inherit, and adds values to each video that its level no longer has.
pub(super) fn settle(entry: &mut Entry<'static>, handed: &HashSet<Mark>, changed: &HashSet<String>) {
    if handed.is_empty() {
        return;
    }
    let mut carried = HashSet::new();
    for video in &entry.videos {
        for (_, marks) in members(video) {
            carried.extend(marks);
        }
    }
    let Entry { media, videos, .. } = entry;
    let renditions = videos.iter_mut().flat_map(|video| &mut video.files).map(|file| &mut file.media);
    for level in std::iter::once(media).chain(renditions) {
        let Some(part) = level.as_deref_mut() else { continue };
        for (name, marks) in members(part) {
            let is_gone = |mark: &Mark| !carried.contains(mark);
            let all_handed = !marks.is_empty() && marks.iter().all(|mark| handed.contains(mark));
            if all_handed && (changed.contains(name) || marks.iter().any(is_gone)) {
                part.forget(name);
            }
        }
        level.take_if(|part| part.is_blank());
    }
    // what no level gives is the video's own; what the head gives has the head's marks
    let levels = on_levels(entry);
    for video in &mut entry.videos {
        let own: HashSet<&'static str> = members(video)
            .into_iter()
            .filter(|(_, marks)| marks.iter().any(|mark| handed.contains(mark) && !levels.contains(mark)))
            .map(|(name, _)| name)
            .collect();
        video.inherited.retain(|name| !own.contains(member_of(name)));
    }
}
