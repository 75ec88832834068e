//! A part of the model as a tree of named members: what the comparison walks. Built from the model's own outline, so no
//! member can be forgotten; and which lists have an order, and what their items are called. It compares nothing.

use super::values::ComparedLeaf;
use crate::format::Family;
use crate::format::medium::video_key;
use crate::model::{Entry, Feed, Field, Value, Walk, WalkStep};

/// A member with what it holds, or one of a list.
#[derive(Default)]
pub(super) struct MemberNode<'e> {
    /// The member's name; empty for one of a list.
    pub name: &'static str,
    /// Leaves: one, and those that go with a text.
    pub leaves: Vec<ComparedLeaf<'e>>,
    /// A structural string.
    pub word: Option<&'e str>,
    /// Members, by their names.
    pub members: Vec<MemberNode<'e>>,
    /// Its own leaves that are the same as absent ones: they are shown beside other values only.
    pub defaults: Vec<ComparedLeaf<'e>>,
    /// What a list holds.
    pub items: Vec<MemberNode<'e>>,
    /// The key of a list item, where its members do not give one.
    pub key: Option<String>,
}

impl<'e> MemberNode<'e> {
    /// An entry.
    pub fn of_entry(entry: &'e Entry<'_>, family: &'static Family) -> MemberNode<'e> {
        let mut root = MemberNode::from_part(entry, family);
        let videos = root.members.iter_mut().filter(|member| member.name == "videos");
        for (item, video) in videos.flat_map(|list| &mut list.items).zip(&entry.videos) {
            item.key = video_key(video);
        }
        root
    }

    /// A head.
    pub fn of_feed(feed: &'e Feed<'_>, family: &'static Family) -> MemberNode<'e> {
        MemberNode::from_part(feed, family)
    }

    fn from_part<W: Walk<Names = ()>>(part: &'e W, family: &'static Family) -> MemberNode<'e> {
        let mut open = vec![MemberNode::default()];
        part.outline((), &mut |step| match step {
            WalkStep::Member(name) => open.push(MemberNode { name, ..MemberNode::default() }),
            WalkStep::Item => open.push(MemberNode::default()),
            WalkStep::End => {
                if let Some(done) = open.pop()
                    && let Some(above) = open.last_mut()
                {
                    match done.name {
                        "" => above.items.push(done),
                        // inherited values are compared where they are defined
                        "inherited" => (),
                        "restriction" => above.members.extend(restriction(done)),
                        _ => above.members.push(done),
                    }
                }
            }
            WalkStep::Leaf(seen) => {
                let said = ComparedLeaf::new(&seen, None, element(&open));
                leaf(&mut open, said, family);
            }
            WalkStep::Text(kind, seen) => {
                let said = ComparedLeaf::new(&seen, Some(kind), element(&open));
                leaf(&mut open, said, family);
            }
            WalkStep::Word(word) => {
                if let Some(last) = open.last_mut() {
                    last.word = Some(word);
                }
            }
        });
        open.swap_remove(0)
    }

    /// The member with this name.
    pub fn member(&self, name: &str) -> Option<&MemberNode<'e>> {
        self.members.iter().find(|member| member.name == name)
    }

    /// The value of the member with this name.
    pub fn leaf(&self, name: &str) -> Option<&ComparedLeaf<'e>> {
        self.member(name)?.leaves.first()
    }

    /// Its first leaf, at whatever depth.
    pub fn first(&self) -> Option<&ComparedLeaf<'e>> {
        let below = || self.members.iter().chain(&self.items).find_map(MemberNode::first);
        self.leaves.first().or_else(below)
    }
}

/// A restriction of countries as rule A6 reads it: `None` if the video is allowed everywhere, and `allow none` if it is allowed
/// nowhere. One that neither allows nor denies is compared as it is written.
fn restriction(mut done: MemberNode<'_>) -> Option<MemberNode<'_>> {
    let denies = match done.leaf("relationship").map(ComparedLeaf::reads).as_deref() {
        Some("deny") => true,
        Some("allow") | None => false,
        Some(_) => return Some(done),
    };
    let words: Vec<&ComparedLeaf<'_>> =
        done.member("countries").iter().flat_map(|list| &list.items).flat_map(|item| &item.leaves).collect();
    let has = |literal: &str| words.iter().any(|word| word.reads() == literal);
    let (all, none) = (has("all"), has("none") || words.is_empty());
    let leaf = |field, word| ComparedLeaf { field, kind: None, value: Value::Str(word), element: None };
    let member = |name, leaves| MemberNode { name, leaves, ..MemberNode::default() };
    let relationship = || member("relationship", vec![leaf(Field::VideoRestrictionRelationship, "allow")]);
    if denies && all || !denies && none {
        let nobody = member("", vec![leaf(Field::VideoRestrictionCountry, "none")]);
        let countries = MemberNode { name: "countries", items: vec![nobody], ..MemberNode::default() };
        done.members = vec![relationship(), countries];
    } else if all || none {
        return None;
    } else if done.leaf("relationship").is_none() {
        done.members.retain(|member| member.name != "relationship");
        done.members.insert(0, relationship());
    }
    Some(done)
}

/// The name of the part whose member is open.
fn element<'e>(open: &[MemberNode<'e>]) -> Option<&'e str> {
    open.iter().nth_back(1)?.member("name")?.word
}

fn leaf<'e>(open: &mut [MemberNode<'e>], said: ComparedLeaf<'e>, family: &'static Family) {
    if let Some(last) = open.last_mut() {
        let is_default = said.is_default(family);
        if is_default { &mut last.defaults } else { &mut last.leaves }.push(said);
    }
}

/// Whether the order of a list counts.
pub(super) enum Order {
    Counts,
    Free,
    /// Neither the order nor repetition counts.
    Set,
}

/// Of the lists of the model by their names.
pub(super) fn order(list: &str) -> Order {
    match list {
        "thumbnails" | "credits" | "files" | "segments" | "scenes" | "texts" | "authors" | "contributors"
        | "comments" | "responses" | "back_links" | "objects" => Order::Counts,
        "tags" | "categories" | "countries" | "platforms" | "values" | "prices" | "subtitles" | "alternates" => {
            Order::Set
        }
        _ => Order::Free,
    }
}

/// What one of a list is called in it, by its structural strings: only what is called the same can be the same.
pub(super) fn signature(item: &MemberNode<'_>, list: &str) -> Option<String> {
    signature_of(item.members.iter().filter_map(|member| member.word.map(|word| (member.name, word))), list)
}

/// The same of the names of its members and their structural strings.
pub(super) fn signature_of<'e>(
    mut words: impl Iterator<Item = (&'static str, &'e str)> + Clone,
    list: &str,
) -> Option<String> {
    if list == "foreign" {
        let word = |wanted: &str| words.clone().find(|(name, _)| *name == wanted).map_or("", |(_, word)| word);
        return Some(format!("{} {{{}}}", foreign_path(word("path")), word("ns")));
    }
    let mut name = words.next()?.1.to_owned();
    for (_, word) in words {
        name.push(' ');
        name.push_str(word);
    }
    Some(name)
}

/// The path of unknown markup below its entry, or below the head, without prefixes.
fn foreign_path(path: &str) -> String {
    let steps: Vec<&str> = path.split('/').collect();
    let entry = |step: &str| matches!(local(step).split('[').next(), Some("item" | "entry" | "url" | "sitemap"));
    let around =
        |step: &str| matches!(local(step).split('[').next(), Some("rss" | "RDF" | "feed" | "urlset" | "channel"));
    let start = match steps.iter().take(3).position(|step| entry(step)) {
        Some(at) => at + 1,
        None => steps.iter().take_while(|step| around(step)).count(),
    };
    let steps: Vec<String> = steps[start.min(steps.len())..].iter().map(|step| local(step)).collect();
    steps.join("/")
}

/// A step without its prefix.
fn local(step: &str) -> String {
    let (sign, name) = step.strip_prefix('@').map_or(("", step), |name| ("@", name));
    format!("{sign}{}", name.split_once(':').map_or(name, |(_, local)| local))
}
