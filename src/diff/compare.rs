//! Two trees held against each other (rule A16): members by name, lists by what their items are known by, in order where
//! order counts. What a difference between formats explains is not decided here.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use super::hash::{Hash128, Hasher};
use super::result::ComparedValue;
use super::tree::{MemberNode, Order, order, signature};
use super::values::ComparedLeaf;
use crate::model::Field;

/// One difference.
#[derive(Clone, Debug)]
pub(super) struct LeafDifference {
    /// The leaf.
    pub field: Field,
    /// What about it.
    pub about: LeafChange,
    /// Its path, if it is in a list.
    pub path: Option<String>,
    /// The value in A.
    pub a: Option<ComparedValue>,
    /// The value in B.
    pub b: Option<ComparedValue>,
    /// The videos of the two entries that it is about, by their places: those that were held against each other, or one alone.
    pub videos: (Option<usize>, Option<usize>),
    /// What the two sides have of the member or the item that it is in, if that is one which videos inherit from another level.
    handed_down: Option<LevelParts>,
}

/// A value of a level on both sides: the hash with which it would be found in a video.
type LevelParts = (Option<Hash128>, Option<Hash128>);

/// What differs about a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum LeafChange {
    /// Its value.
    Value,
    /// How its characters are to be understood.
    Kind,
    /// The order of the list that it names.
    Order,
    /// A whole video, which only one side has.
    Video,
}

impl LeafDifference {
    /// The name in reports.
    pub fn name(&self) -> Cow<'static, str> {
        match self.about {
            LeafChange::Value | LeafChange::Order => Cow::Borrowed(self.field.name()),
            LeafChange::Kind => Cow::Owned(format!("{}.kind", self.field.name())),
            LeafChange::Video => Cow::Borrowed(VIDEO),
        }
    }
}

/// What a video is called that only one side has.
pub(super) const VIDEO: &str = "video";

/// What one of a list is known by, even where something about it changed.
fn identity(item: &MemberNode<'_>, list: &str) -> Option<String> {
    let told = |name: &str| item.leaf(name).map(|said| said.reads().into_owned());
    match list {
        "videos" => item.key.clone(),
        "files" | "enclosures" | "segments" => told("url"),
        "images" => told("loc"),
        "alternates" => told("hreflang"),
        "subtitles" => told("lang"),
        "links" | "peer_links" => told("href"),
        "prices" => Some(format!("{:?} {:?} {:?}", told("kind"), told("currency"), told("resolution"))),
        "ratings" => Some(told("scheme").unwrap_or_default()),
        "hashes" => Some(told("algo").unwrap_or_default()),
        "categories" => told("term"),
        "params" | "attributes" => told("name"),
        "ids" => told("kind"),
        _ => None,
    }
}

/// The key of a video without a known URL.
fn title_and_length(item: &MemberNode<'_>, list: &str) -> Option<String> {
    let told = |name: &str| item.leaf(name).map(|said| said.reads().into_owned());
    (list == "videos").then(|| format!("{:?} {:?}", told("title"), told("duration")))
}

/// The differences between two entries or heads.
pub(super) fn changes(a: &MemberNode<'_>, b: &MemberNode<'_>, hasher: &Hasher) -> Vec<LeafDifference> {
    let (path, found) = (Vec::new(), Vec::new());
    let mut comparison = LeafComparison { hasher, path, videos: (None, None), level: None, found };
    comparison.nodes(a, b);
    let mut found = comparison.found;
    if found.iter().any(|change| change.handed_down.is_some()) {
        let (of_a, of_b) = (effective(a, hasher), effective(b, hasher));
        let said = |part: Option<Hash128>, all: &HashSet<Hash128>| part.is_none_or(|part| all.contains(&part));
        found.retain(|change| !change.handed_down.is_some_and(|(in_a, in_b)| said(in_a, &of_a) && said(in_b, &of_b)));
    }
    found
}

/// What the videos of an entry say, wherever they have it from: their members, and what is in lists of these.
fn effective(entry: &MemberNode<'_>, hasher: &Hasher) -> HashSet<Hash128> {
    let videos = entry.member("videos").into_iter().flat_map(|list| &list.items);
    let members = videos.flat_map(|video| &video.members).filter(|member| member.name != "files");
    let parts = |member: &MemberNode<'_>| {
        let items = member.items.iter().map(|item| hasher.item_of(item, member.name));
        items.chain([hasher.member(member)]).collect::<Vec<_>>()
    };
    members.flat_map(parts).collect()
}

/// A step on the way to a leaf.
#[derive(Clone)]
enum PathStep {
    Member(&'static str),
    Item(usize),
    Called(String),
}

/// A running comparison.
struct LeafComparison<'h> {
    hasher: &'h Hasher,
    path: Vec<PathStep>,
    videos: (Option<usize>, Option<usize>),
    /// The member, or the item of one, of a level that is being compared.
    level: Option<LevelParts>,
    found: Vec<LeafDifference>,
}

impl LeafComparison<'_> {
    fn nodes(&mut self, a: &MemberNode<'_>, b: &MemberNode<'_>) {
        self.leaves(a, b);
        for member in &a.members {
            match b.member(member.name) {
                Some(other) => {
                    self.path.push(PathStep::Member(member.name));
                    let parts = |hasher: &Hasher| (Some(hasher.member(member)), Some(hasher.member(other)));
                    self.part(parts, |comparison| comparison.nodes(member, other));
                    self.path.pop();
                }
                None => self.one_sided_member(member, true),
            }
        }
        for member in b.members.iter().filter(|member| a.member(member.name).is_none()) {
            self.one_sided_member(member, false);
        }
        if !a.items.is_empty() || !b.items.is_empty() {
            self.lists(a, b);
        }
    }

    /// Compares a member at the end of the path, or one of its items. In a level, these are the parts that can be handed down.
    fn part(&mut self, parts: impl FnOnce(&Hasher) -> LevelParts, compare: impl FnOnce(&mut Self)) {
        let around = self.level;
        if let [.., PathStep::Member("media"), PathStep::Member(_)] = self.path.as_slice() {
            self.level = Some(parts(self.hasher));
        }
        compare(self);
        self.level = around;
    }

    fn leaves(&mut self, a: &MemberNode<'_>, b: &MemberNode<'_>) {
        fn find_leaf<'n, 'e>(leaves: &'n [ComparedLeaf<'e>], field: Field) -> Option<&'n ComparedLeaf<'e>> {
            leaves.iter().find(|said| said.field == field)
        }
        for said in &a.leaves {
            match find_leaf(&b.leaves, said.field) {
                Some(other) if !said.is_same(other) => self.change(Some(said), Some(other)),
                Some(other) if said.kind != other.kind => self.kinds(said, other),
                Some(_) => (),
                None => self.change(Some(said), find_leaf(&b.defaults, said.field)),
            }
        }
        for said in b.leaves.iter().filter(|said| find_leaf(&a.leaves, said.field).is_none()) {
            self.change(find_leaf(&a.defaults, said.field), Some(said));
        }
    }

    fn change(&mut self, a: Option<&ComparedLeaf<'_>>, b: Option<&ComparedLeaf<'_>>) {
        let Some(field) = a.or(b).map(|said| said.field) else { return };
        let told = |said: Option<&ComparedLeaf<'_>>| said.map(|said| ComparedValue::One(said.display_text()));
        self.add(field, LeafChange::Value, told(a), told(b));
    }

    fn kinds(&mut self, a: &ComparedLeaf<'_>, b: &ComparedLeaf<'_>) {
        let told = |said: &ComparedLeaf<'_>| {
            said.kind.map(|kind| ComparedValue::One(format!("{kind:?}").to_ascii_lowercase()))
        };
        self.add(a.field, LeafChange::Kind, told(a), told(b));
    }

    fn add(&mut self, field: Field, about: LeafChange, a: Option<ComparedValue>, b: Option<ComparedValue>) {
        self.found.push(LeafDifference {
            field,
            about,
            path: self.path_text(),
            a,
            b,
            videos: self.videos,
            handed_down: self.level,
        });
    }

    /// The path of a leaf, if it is in a list.
    fn path_text(&self) -> Option<String> {
        if !self.path.iter().any(|way| !matches!(way, PathStep::Member(_))) {
            return None;
        }
        let mut text = String::new();
        for way in &self.path {
            match way {
                PathStep::Member(name) => {
                    let dot = if text.is_empty() { "" } else { "." };
                    text.push_str(&format!("{dot}{name}"));
                }
                PathStep::Item(number) => text.push_str(&format!("[{number}]")),
                PathStep::Called(name) => text.push_str(&format!("[{name}]")),
            }
        }
        Some(text)
    }

    /// All that only one side has.
    fn one_sided(&mut self, node: &MemberNode<'_>, is_a: bool) {
        for said in &node.leaves {
            if is_a { self.change(Some(said), None) } else { self.change(None, Some(said)) }
        }
        for member in &node.members {
            self.one_sided_member(member, is_a);
        }
        for number in numbers(node, self.hasher) {
            if let Some(item) = node.items.get(number) {
                self.one_sided_item(item, node.name, number, is_a);
            }
        }
    }

    fn one_sided_member(&mut self, member: &MemberNode<'_>, is_a: bool) {
        self.path.push(PathStep::Member(member.name));
        let parts = |hasher: &Hasher| one_side(hasher.member(member), is_a);
        self.part(parts, |comparison| comparison.one_sided(member, is_a));
        self.path.pop();
    }

    fn one_sided_item(&mut self, item: &MemberNode<'_>, list: &'static str, number: usize, is_a: bool) {
        let parts = |hasher: &Hasher| one_side(hasher.item_of(item, list), is_a);
        self.part(parts, |comparison| comparison.item_alone(item, list, number, is_a));
    }

    fn item_alone(&mut self, item: &MemberNode<'_>, list: &'static str, number: usize, is_a: bool) {
        self.path.push(path_step(item, list, number));
        match (list, item.key.clone()) {
            ("videos", key) => {
                let title = || item.leaf("title").map(ComparedLeaf::display_text);
                let told = Some(ComparedValue::One(key.or_else(title).unwrap_or_default()));
                let (a, b) = if is_a { (told, None) } else { (None, told) };
                self.videos = if is_a { (Some(number), None) } else { (None, Some(number)) };
                self.add(Field::VideoFileUrl, LeafChange::Video, a, b);
                self.videos = (None, None);
            }
            _ => self.one_sided(item, is_a),
        }
        self.path.pop();
    }

    fn lists(&mut self, a: &MemberNode<'_>, b: &MemberNode<'_>) {
        let list = a.name;
        let mut pairing = ListPairing::new(a, b, self.hasher);
        pairing.equal();
        pairing.pair_by(|item| identity(item, list));
        let known = pairing.pairs.len();
        if list == "videos" {
            pairing.pair_by(|item| title_and_length(item, list));
            pairing.only();
        } else {
            pairing.rest();
        }
        if matches!(order(list), Order::Counts) && pairing.is_reordered(known) {
            self.reordered(a, b);
        }
        let ListPairing { pairs, open_a, open_b, equal, .. } = pairing;
        let mut pairs: Vec<(usize, usize)> = pairs.into_iter().skip(equal).collect();
        pairs.sort_unstable();
        for (one, other) in pairs {
            if let (Some(one_item), Some(other_item)) = (a.items.get(one), b.items.get(other)) {
                let around = self.videos;
                if list == "videos" {
                    self.videos = (Some(one), Some(other));
                }
                let parts =
                    |hasher: &Hasher| (Some(hasher.item_of(one_item, list)), Some(hasher.item_of(other_item, list)));
                self.part(parts, |comparison| {
                    comparison.path.push(path_step(one_item, list, one));
                    comparison.nodes(one_item, other_item);
                    comparison.path.pop();
                });
                self.videos = around;
            }
        }
        for (items, open, is_a) in [(&a.items, open_a, true), (&b.items, open_b, false)] {
            for number in open {
                if let Some(item) = items.get(number) {
                    self.one_sided_item(item, list, number, is_a);
                }
            }
        }
    }

    /// The whole list on both sides, by what its items begin with.
    fn reordered(&mut self, a: &MemberNode<'_>, b: &MemberNode<'_>) {
        let all = |node: &MemberNode<'_>| {
            let items = node.items.iter().filter_map(MemberNode::first);
            Some(ComparedValue::Many(items.map(ComparedLeaf::display_text).collect()))
        };
        if let Some(first) = a.first() {
            self.add(first.field, LeafChange::Order, all(a), all(b));
        }
    }
}

fn one_side(part: Hash128, is_a: bool) -> LevelParts {
    if is_a { (Some(part), None) } else { (None, Some(part)) }
}

fn path_step(item: &MemberNode<'_>, list: &str, number: usize) -> PathStep {
    match signature(item, list) {
        Some(name) if list == "foreign" => PathStep::Called(name.split(" {").next().unwrap_or_default().to_owned()),
        Some(name) => PathStep::Called(name),
        None => PathStep::Item(number),
    }
}

/// The numbers of the items of a list; repeated items of a set count once.
fn numbers(list: &MemberNode<'_>, hasher: &Hasher) -> Vec<usize> {
    let all = list.items.iter().enumerate();
    match order(list.name) {
        Order::Counts | Order::Free => all.map(|(number, _)| number).collect(),
        Order::Set => {
            let mut seen = HashSet::new();
            let first = all.filter(|(_, item)| seen.insert(hasher.item(item, list.name)));
            first.map(|(number, _)| number).collect()
        }
    }
}

/// Which of one list belongs to which of another.
struct ListPairing<'n, 'e> {
    a: &'n MemberNode<'e>,
    b: &'n MemberNode<'e>,
    hasher: &'n Hasher,
    pairs: Vec<(usize, usize)>,
    /// How many of the pairs are equal: the first ones.
    equal: usize,
    open_a: Vec<usize>,
    open_b: Vec<usize>,
}

impl<'n, 'e> ListPairing<'n, 'e> {
    fn new(a: &'n MemberNode<'e>, b: &'n MemberNode<'e>, hasher: &'n Hasher) -> Self {
        let (open_a, open_b) = (numbers(a, hasher), numbers(b, hasher));
        ListPairing { a, b, hasher, pairs: Vec::new(), equal: 0, open_a, open_b }
    }

    /// Pairs what has one key, in order.
    fn keyed<K: std::hash::Hash + Eq>(&mut self, key: impl Fn(&MemberNode<'e>) -> Option<K>) {
        let mut waiting: HashMap<K, VecDeque<usize>> = HashMap::new();
        for &number in &self.open_b {
            if let Some(key) = self.b.items.get(number).and_then(&key) {
                waiting.entry(key).or_default().push_back(number);
            }
        }
        let mut taken = HashSet::new();
        let (items, pairs) = (&self.a.items, &mut self.pairs);
        self.open_a.retain(|&number| {
            let found = items.get(number).and_then(&key).and_then(|key| waiting.get_mut(&key)?.pop_front());
            if let Some(other) = found {
                pairs.push((number, other));
                taken.insert(other);
            }
            found.is_none()
        });
        self.open_b.retain(|number| !taken.contains(number));
    }

    fn equal(&mut self) {
        let (hasher, list) = (self.hasher, self.a.name);
        self.keyed(|item| -> Option<Hash128> { Some(hasher.item(item, list)) });
        self.equal = self.pairs.len();
    }

    fn pair_by(&mut self, key: impl Fn(&MemberNode<'e>) -> Option<String>) {
        let list = self.a.name;
        self.keyed(|item| Some((signature(item, list), key(item)?)));
    }

    /// What is left, in order, where it can be the same.
    fn rest(&mut self) {
        let list = self.a.name;
        self.keyed(|item| Some(signature(item, list)));
    }

    /// What is left, where there is one on each side.
    fn only(&mut self) {
        if let ([_], [_]) = (self.open_a.as_slice(), self.open_b.as_slice()) {
            self.rest();
        }
    }

    /// Whether the first `known` pairs are in another order.
    fn is_reordered(&self, known: usize) -> bool {
        let mut pairs: Vec<(usize, usize)> = self.pairs.iter().take(known).copied().collect();
        pairs.sort_unstable();
        pairs.windows(2).any(|pair| matches!(pair, [(_, one), (_, other)] if one > other))
    }
}
