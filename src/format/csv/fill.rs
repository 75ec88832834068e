//! What is filled in where values of one entry are moved into the absent ones of another. The moving is that of columns
//! (columns.rs), and which entries these are is the caller's matter.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::model::{Leaf, LeafType, Mark, Video, Walk};
use crate::xml::names::Ns;

/// A value that distinguishes parts of one kind, as text, with its mark.
pub type PartKey = (Mark, String);

/// What is filled in, and what was replaced.
#[derive(Debug, Default)]
pub struct Filling {
    /// Values are replaced, but for these: each is one of several that a leaf gave.
    over: Option<HashSet<Mark>>,
    /// The values that were filled in.
    filled: HashSet<Mark>,
    /// The values that were replaced, each with its successor.
    pub replaced: Vec<(Mark, Mark)>,
    /// The texts of those that unknown markup gave, with the new ones.
    pub texts: HashMap<Mark, (String, String)>,
    /// The members of a video that were.
    members: HashSet<&'static str>,
    /// Those of them that are other lists now.
    lists: HashSet<&'static str>,
}

impl Filling {
    /// Replaces values that differ, but for `fixed` ones; without them only absent values are filled in.
    pub fn new(fixed: Option<HashSet<Mark>>) -> Filling {
        Filling { over: fixed, ..Filling::default() }
    }

    /// Whether values are replaced.
    pub fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// Whether a value with this mark may be replaced.
    pub fn replaces(&self, mark: Mark) -> bool {
        self.replaces_in_list(mark) && self.over.as_ref().is_some_and(|fixed| !fixed.contains(&mark))
    }

    /// Whether it may be, with the other values of its leaf.
    fn replaces_in_list(&self, mark: Mark) -> bool {
        self.is_over() && mark.is_some() && !mark.of_feed() && !self.filled.contains(&mark)
    }

    /// Whether all values of a part may be replaced.
    fn replaces_all(&self, part: &mut impl Walk) -> bool {
        let mut may = self.is_over();
        part.marks(&mut |mark| may &= self.replaces_in_list(*mark));
        may
    }

    fn replace_all(&mut self, part: &mut impl Walk, with: Mark) {
        part.marks(&mut |mark| self.replaced.push((*mark, with)));
    }

    /// Notes a value that is replaced by one for the same field.
    pub fn replace<T: LeafType>(&mut self, old: &Leaf<T>, new: &Leaf<T>) {
        self.replaced.push((old.mark, new.mark));
        if old.via == Some(Ns::Dialect) {
            self.texts.insert(old.mark, (old.value.value().to_string(), new.value.value().to_string()));
        }
    }

    /// Notes a value that is filled in. It is not replaced.
    pub fn fix(&mut self, mark: Mark) {
        self.filled.insert(mark);
    }

    /// Notes that a member of a video is no longer inherited.
    pub fn touch(&mut self, member: &'static str) {
        self.members.insert(member);
    }

    /// Takes a list of values in place of an empty one, or of one that may be replaced whole. Returns true if it was taken.
    pub fn fill_list<W: Walk + PartialEq>(&mut self, own: &mut Vec<W>, new: Vec<W>, mark: fn(&W) -> Mark) -> bool {
        let may = own.is_empty() || *own != new && self.replaces_all(own);
        let Some(first) = new.first().map(mark).filter(|_| may) else { return false };
        self.replace_all(own, first);
        *own = new;
        true
    }

    /// Makes room in a list of parts for one with other `keys`: parts with the same key stay, in the new order. False if the
    /// list cannot be replaced.
    pub fn replace_parts<P: Walk + Default>(
        &mut self,
        own: &mut Vec<P>,
        keys: &[Option<PartKey>],
        key: impl Fn(&P) -> Option<PartKey>,
        member: &'static str,
    ) -> bool {
        let text = |key: &Option<PartKey>| key.as_ref().map(|(_, text)| text.clone());
        let first = keys.iter().flatten().map(|(mark, _)| *mark).next();
        let Some(first) = first.filter(|_| self.is_over() && !own.is_empty()) else { return true };
        if own.len() == keys.len() && own.iter().zip(keys).all(|(own, new)| text(&key(own)) == text(new)) {
            return true;
        }
        let mut known: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (at, part) in own.iter().enumerate() {
            known.extend(
                key(part).map(|(_, text)| (text, VecDeque::new())).filter(|(text, _)| !known.contains_key(text)),
            );
            if let Some(places) = key(part).and_then(|(_, text)| known.get_mut(&text)) {
                places.push_back(at);
            }
        }
        let stays: Vec<Option<usize>> =
            keys.iter().map(|key| known.get_mut(&text(key)?).and_then(VecDeque::pop_front)).collect();
        self.keep_parts(own, &stays, first, member)
    }

    /// The same for parts without a key, which are known by their places: further ones are removed.
    pub fn shorten<P: Walk + Default>(
        &mut self,
        own: &mut Vec<P>,
        keys: &[Option<PartKey>],
        member: &'static str,
    ) -> bool {
        let first = keys.iter().flatten().map(|(mark, _)| *mark).next();
        let Some(first) = first.filter(|_| self.is_over() && own.len() > keys.len()) else { return true };
        let stays: Vec<Option<usize>> = (0..keys.len()).map(Some).collect();
        self.keep_parts(own, &stays, first, member)
    }

    /// Keeps these parts of a list, if the others can be replaced.
    fn keep_parts<P: Walk + Default>(
        &mut self,
        own: &mut Vec<P>,
        stays: &[Option<usize>],
        with: Mark,
        member: &'static str,
    ) -> bool {
        let kept: HashSet<usize> = stays.iter().flatten().copied().collect();
        if !own.iter_mut().enumerate().all(|(at, part)| kept.contains(&at) || self.replaces_all(part)) {
            return false;
        }
        let mut parts: Vec<Option<P>> = std::mem::take(own).into_iter().map(Some).collect();
        let found = stays.iter().map(|at| at.and_then(|at| parts.get_mut(at)?.take()).unwrap_or_default());
        own.extend(found);
        parts.iter_mut().flatten().for_each(|part| self.replace_all(part, with));
        self.members.insert(member);
        self.lists.insert(member);
        true
    }

    /// Removes a part with another key than the new one: its other values belong to the old one. False if it cannot be replaced.
    pub fn replace_part<P: Walk>(
        &mut self,
        own: &mut Option<P>,
        new: Option<PartKey>,
        key: impl Fn(&P) -> Option<PartKey>,
    ) -> bool {
        let (Some((mark, new)), Some((_, old)), true) = (new, own.as_ref().and_then(key), self.is_over()) else {
            return true;
        };
        if new == old {
            return true;
        }
        let may = self.replaces_all(own);
        if may {
            self.replace_all(own, mark);
            *own = None;
        }
        may
    }

    /// Whether a list of parts was replaced since the last end.
    pub fn has_lists(&self) -> bool {
        !self.lists.is_empty()
    }

    /// Ends the filling of an entry, before that of its video.
    pub fn end_page(&mut self) {
        self.members.clear();
        self.lists.clear();
    }

    /// Ends the filling of a video: what has values now is not inherited.
    pub fn end_video(&mut self, video: &mut Video<'_>) {
        let members = std::mem::take(&mut self.members);
        let lists = std::mem::take(&mut self.lists);
        let list = |name: &str| name.split('[').next().is_some_and(|name| lists.contains(name));
        video.inherited.retain(|name| !members.contains(&**name) && !list(name));
    }
}
