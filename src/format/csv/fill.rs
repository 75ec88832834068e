//! What is filled in where values of one entry are moved into the absent ones of another. The moving is that of columns
//! (columns.rs), and which entries these are is the caller's matter.

use std::collections::HashSet;

use crate::model::{Mark, Video};

/// What is filled in, and what was replaced.
#[derive(Debug, Default)]
pub struct Filling {
    /// Values are replaced, but for these.
    over: Option<HashSet<Mark>>,
    /// The values that were replaced, each with its successor.
    pub replaced: Vec<(Mark, Mark)>,
    /// The members of a video that were.
    members: HashSet<&'static str>,
}

impl Filling {
    /// Replaces values that differ, but for `fixed` ones; without them only absent values are filled in.
    pub fn new(fixed: Option<HashSet<Mark>>) -> Filling {
        Filling { over: fixed, ..Filling::default() }
    }

    /// Whether a value with this mark may be replaced.
    pub fn replaces(&self, mark: Mark) -> bool {
        mark.is_some() && !mark.of_feed() && self.over.as_ref().is_some_and(|fixed| !fixed.contains(&mark))
    }

    /// Notes a value that may not be replaced.
    pub fn fix(&mut self, mark: Mark) {
        if let Some(fixed) = &mut self.over {
            fixed.insert(mark);
        }
    }

    /// Notes that a member of a video is no longer inherited.
    pub fn touch(&mut self, member: &'static str) {
        self.members.insert(member);
    }

    /// Ends the filling of an entry, before that of its video.
    pub fn end_page(&mut self) {
        self.members.clear();
    }

    /// Ends the filling of a video: what has values now is not inherited.
    pub fn end_video(&mut self, video: &mut Video<'_>) {
        let members = std::mem::take(&mut self.members);
        video.inherited.retain(|name| !members.contains(&**name));
    }
}
