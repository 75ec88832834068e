//! Keeps unknown markup with the element that contained it, when the elements of its name are no longer those of the source.

use std::borrow::Cow;

use super::origin::Origin;
use super::{Entry, Foreign};
use crate::work;

impl Entry<'_> {
    /// Notes that elements were merged or moved: `now` has the new position of each of the source's elements with this name. An
    /// element that is gone gets the number 0, under which nothing is written.
    pub(crate) fn renumber(&mut self, name: &'static str, now: &[Option<usize>]) {
        renumber(&mut self.foreign, name, now);
        let is_same = now.iter().enumerate().all(|(index, now)| *now == Some(index));
        // the elements of joined entries are not looked up in the source
        if !is_same && self.origin.parts.len() == 1 {
            self.origin.renumbered.push((name, now.to_vec()));
        }
    }
}

impl Origin<'_> {
    /// The path of an element of the source, with the numbers that unknown markup has now.
    pub(crate) fn path_now(&self, path: String) -> String {
        self.renumbered.iter().fold(path, |path, (name, now)| renumbered(&path, name, now).unwrap_or(path))
    }
}

/// The same for unknown markup whose entry has no such elements in the source.
pub(crate) fn renumber(foreign: &mut [Foreign<'_>], name: &str, now: &[Option<usize>]) {
    work::count(foreign.len());
    for item in foreign {
        if let Some(path) = renumbered(&item.path, name, now) {
            item.path = Cow::Owned(path);
        }
    }
}

/// `url/video:video[2]/…` with the number that the element has now; `None` for other paths.
fn renumbered(path: &str, name: &str, now: &[Option<usize>]) -> Option<String> {
    let (number, rest) = numbered(path, name)?;
    let now = number.checked_sub(1).and_then(|index| now.get(index).copied().flatten());
    Some(format!("url/{name}[{}]{rest}", now.map_or(0, |index| index + 1)))
}

/// The number of the element of this name that a path goes through, and the rest of the path.
pub(crate) fn numbered<'p>(path: &'p str, name: &str) -> Option<(usize, &'p str)> {
    let rest = path.strip_prefix("url/")?.strip_prefix(name)?;
    let (number, rest) = match rest.strip_prefix('[') {
        Some(numbered) => {
            let (number, rest) = numbered.split_once(']')?;
            (number.parse().ok()?, rest)
        }
        None => (1, rest),
    };
    (rest.is_empty() || rest.starts_with('/')).then_some((number, rest))
}
