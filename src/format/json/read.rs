//! Reads the model itself as JSON: one document (`json`), or a line an entry (`jsonl`). Loses nothing: what it does
//! not know becomes foreign. Types are read by de.rs; here is what needs more than a type: the members around the
//! model, unknown markup, carriers and copies.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use serde::Deserialize;

use super::de::{JsonReading, member};

use super::write::{CORE, is_link};
use crate::format::contract::{EntryDelimiter, Format, FormatReader, ReadContext};
use crate::format::jsonfeed::pass_over_plain;
use crate::format::ns::media;
use crate::json::is_below;
use crate::json::parse::{LIST, NUMBER, OBJECT, STRING};
use crate::model::origin::{Preset, Role};
use crate::model::page::{VIDEO_PLACE, is_technical};
use crate::model::{EmptyContent, Entry, Feed, Field, Foreign, Leaf, Video, Walk};
use crate::tree::{Node, NodeKind, Take};
use crate::xml::names::Ns;

/// Reads `json`.
pub struct JsonReader;

/// Reads `jsonl`.
pub struct JsonlReader;

impl FormatReader for JsonReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::Json(super::LISTS)
    }
    fn too_deep(&self, root: Node<'_, '_>, depth: usize) -> Option<usize> {
        too_deep(root, depth)
    }
    fn head<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>, around: ReadContext<'a>) {
        read_head(root, take, feed, around);
    }
    fn entry<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        entry: &mut Entry<'a>,
        around: ReadContext<'a>,
    ) {
        read_entry(root, take, entry, around);
    }
}

impl FormatReader for JsonlReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::JsonLines
    }
    fn too_deep(&self, root: Node<'_, '_>, depth: usize) -> Option<usize> {
        too_deep(root, depth)
    }
    fn head<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>, around: ReadContext<'a>) {
        read_head(root, take, feed, around);
    }
    fn entry<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        entry: &mut Entry<'a>,
        around: ReadContext<'a>,
    ) {
        read_entry(root, take, entry, around);
    }
}

fn read_head<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>, around: ReadContext<'a>) {
    if root.raw().uri != OBJECT {
        return;
    }
    take.known(root);
    let mut object = None;
    for node in root.nodes() {
        match (node.name(), node.raw().uri) {
            ("transfeed", STRING) => silent(node, take),
            ("format", STRING) if take.before().format.is_none() => {
                let named = |format: &&&Format| format.id == node.value();
                if let Some(format) = around.formats.iter().find(named) {
                    take.before().format = Some(format.id);
                    silent(node, take);
                }
            }
            ("entries", LIST) => take.known(node),
            ("feed", OBJECT) if object.is_none() => object = Some(node),
            _ => (),
        }
    }
    let Some(object) = object else { return };
    let limits = around.options.limits.tree;
    if let Ok(read) = Feed::deserialize(JsonReading::new(take, limits).at(object)) {
        *feed = read;
    }
    feed.foreign = read_foreign(object, take);
    read_carriers(object, take, feed);
    read_order(object, take, feed);
}

fn read_entry<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, around: ReadContext<'a>) {
    if root.raw().uri != OBJECT {
        return;
    }
    take.known(root);
    let limits = around.options.limits.tree;
    if let Ok(read) = Entry::deserialize(JsonReading::new(take, limits).at(root)) {
        *entry = read;
    }
    entry.foreign = read_foreign(root, take);
    let line = root.nodes().find(|node| node.name() == "line" && node.raw().uri == NUMBER);
    if let Some(node) = line
        && let Ok(line) = node.value().parse()
    {
        take.before().line = Some(line);
        silent(node, take);
    }
    read_carriers(root, take, entry);
    read_order(root, take, entry);
    let called: Vec<Video<'_>> = entry.videos.iter_mut().map(take_inherited).collect();
    media::restore(entry, around);
    for (video, called) in entry.videos.iter_mut().zip(called) {
        keep_originals(video, called, take);
    }
    give_back_names(root, take, entry);
    pass_over_plain(entry, take);
}

/// A name in `inherited` that names nothing, or what no level gives, is not understood.
fn give_back_names<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &Entry<'a>) {
    let list = root.nodes().find(|node| node.name() == "videos" && node.raw().uri == LIST);
    let nodes = list.into_iter().flat_map(|list| list.nodes().filter(|node| node.raw().uri == OBJECT));
    for (node, video) in nodes.zip(&entry.videos) {
        let found: HashSet<&str> = video.inherited.iter().map(|name| &**name).collect();
        let names = node.nodes().find(|node| node.name() == "inherited" && node.raw().uri == LIST);
        for name in names.into_iter().flat_map(|list| list.nodes()).filter(|name| name.raw().uri == STRING) {
            if !found.contains(name.value()) {
                take.untake(name);
            }
        }
    }
}

/// What is called inherited: taken out of the video, as the levels will give it, or copied where they give a part.
fn take_inherited<'a>(video: &mut Video<'a>) -> Video<'a> {
    let names: BTreeSet<String> =
        media::meant(video.inherited.iter().map(|name| &**name)).into_iter().map(str::to_owned).collect();
    // a name that means nothing is not understood, and stays where it is
    video.inherited.retain(|name| names.contains(&**name));
    let mut called = Video { inherited: video.inherited.clone(), ..Video::default() };
    for name in names {
        match media::in_part(&name) {
            Some(("ratings", _)) => called.ratings.clone_from(&video.ratings),
            Some(("hashes", _)) => called.hashes.clone_from(&video.hashes),
            Some(("categories", _)) => called.categories.clone_from(&video.categories),
            Some(_) => (),
            None => called.swap(&name, video),
        }
    }
    called
}

/// What was called inherited, and no level gives, is the video's own.
fn keep_originals<'a>(video: &mut Video<'a>, mut called: Video<'a>, take: &mut Take<'_, '_>) {
    let mut names = std::mem::take(&mut called.inherited);
    let found: HashSet<&str> = video.inherited.iter().map(|name| &**name).collect();
    names.retain(|name| !found.contains(&**name));
    for name in &names {
        let (name, own) = media::in_part(name).unwrap_or((name, 0));
        let mut one = Video::default();
        one.swap(name, &mut called);
        if own > 0 {
            one.ratings.drain(..own.min(one.ratings.len()));
            one.hashes.drain(..own.min(one.hashes.len()));
            one.categories.drain(..own.min(one.categories.len()));
        }
        one.walk((), &mut |seen| take.speaks(seen.mark));
        video.ratings.append(&mut one.ratings);
        video.hashes.append(&mut one.hashes);
        video.categories.append(&mut one.categories);
        if !one.is_blank() {
            video.swap(name, &mut one);
        }
    }
}

/// Restores the order of links that differs from that of the model, by their marks.
fn read_order<'t, 'a>(object: Node<'t, 'a>, take: &mut Take<'t, 'a>, part: &mut impl Walk<Names = ()>) {
    let found = object.nodes().find(|node| node.name() == "link_order" && node.raw().uri == LIST);
    let Some(list) = found else { return };
    let mut links = Vec::new();
    part.walk((), &mut |seen| links.extend(is_link(seen.field).then_some(seen.mark)));
    take.known(list);
    let mut order = Vec::new();
    for number in list.nodes().filter(|node| node.raw().uri == NUMBER) {
        let index = number.value().parse::<usize>().ok();
        if let Some(mark) = index.and_then(|index| links.get_mut(index)).filter(|mark| mark.is_some()) {
            order.push(std::mem::take(mark));
            silent(number, take);
        }
    }
    let moved = take.reorder(&order);
    part.marks(&mut |mark| {
        if let Some(new) = moved.get(mark) {
            *mark = *new;
        }
    });
    take.before().ordered = true;
}

/// Takes a value that only describes structure.
fn silent<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>) {
    if !take.taken(node) {
        take.record(node, Role::Silent, Preset::Implied);
    }
}

/// The list of unknown markup of an entry or a head.
fn foreign_of<'t, 'a>(object: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
    object.nodes().find(|node| node.name() == "foreign" && node.raw().uri == LIST)
}

/// The first path of unknown markup that has more elements than may be nested.
fn too_deep(root: Node<'_, '_>, depth: usize) -> Option<usize> {
    let elements = |path: &str| path.split('/').filter(|step| !step.starts_with('@') && *step != "text()").count();
    let feed = root.nodes().find(|node| node.name() == "feed" && node.raw().uri == OBJECT);
    let items = [Some(root), feed].into_iter().flatten().filter_map(foreign_of).flat_map(Node::nodes);
    let mut deep = items.filter(|item| member(*item, "path").is_some_and(|path| elements(path) > depth));
    deep.next().map(|item| item.raw().at as usize)
}

/// The items of `foreign`.
fn read_foreign<'t, 'a>(object: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Vec<Foreign<'a>> {
    let Some(list) = foreign_of(object) else { return Vec::new() };
    take.known(list);
    let mut items: Vec<(Foreign<'a>, Node<'t, 'a>)> = Vec::new();
    for node in list.children() {
        // the place of an entry that is a video itself has no path
        let is_root = || member(node, "ns") == Some(VIDEO_PLACE);
        if member(node, "path").is_some_and(|path| !path.is_empty()) || is_root() {
            items.push((foreign_item(node, take), node));
        }
    }
    let next: Vec<bool> = items.windows(2).map(|pair| is_below(&pair[1].0.path, &pair[0].0.path)).collect();
    for (index, (item, node)) in items.iter_mut().enumerate() {
        if item.value.is_none()
            && !item.is_video_place()
            && !item.is_same_video()
            && !next.get(index).copied().unwrap_or(false)
        {
            item.empty = empty_element(*node, take);
        }
    }
    items.into_iter().map(|(item, _)| item).collect()
}

fn foreign_item<'t, 'a>(object: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Foreign<'a> {
    take.known(object);
    let mut item = Foreign::default();
    let mut read: [bool; 4] = [false; 4];
    for node in object.nodes().filter(|node| node.raw().uri == STRING) {
        let slot = ["path", "ns", "name", "value"].iter().position(|name| *name == node.name());
        let Some(slot) = slot.filter(|slot| !std::mem::replace(&mut read[*slot], true)) else { continue };
        let text = characters(node);
        match slot {
            3 => {
                let mark = take.record(node, Role::Leaf, Preset::Unread(None));
                item.value = Some(Leaf { value: text, mark, via: None });
                continue;
            }
            0 => item.path = text,
            1 => item.ns = text,
            _ => item.name = text,
        }
        silent(node, take);
    }
    if let Some(value) = item.value.as_ref().filter(|_| is_technical(&item.ns, &item.name)) {
        take.understood(value.mark);
    }
    item
}

/// An element with neither attributes nor content is a leaf; in JSON, its path is the leaf.
fn empty_element<'t, 'a>(object: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Option<Leaf<EmptyContent>> {
    let path = object.nodes().find(|node| node.name() == "path" && node.raw().uri == STRING)?;
    let mark = take.record(path, Role::Leaf, Preset::Unread(None));
    Some(Leaf { value: EmptyContent, mark, via: None })
}

fn characters<'a>(node: Node<'_, 'a>) -> Cow<'a, str> {
    match &node.raw().value {
        Cow::Borrowed(text) => Cow::Borrowed(text),
        Cow::Owned(text) => Cow::Owned(text.clone()),
    }
}

/// Gives values the vocabularies that carried them, by field and order.
fn read_carriers<'t, 'a>(object: Node<'t, 'a>, take: &mut Take<'t, 'a>, part: &mut impl Walk<Names = ()>) {
    let found = object.nodes().find(|node| node.name() == "carriers" && node.raw().uri == OBJECT);
    let Some(carriers) = found else { return };
    take.known(carriers);
    // by the field's number
    let mut by_field: Vec<Option<std::vec::IntoIter<Option<Ns>>>> = Vec::new();
    by_field.resize_with(Field::ALL.len(), || None);
    for list in carriers.children().filter(|list| list.raw().uri == LIST) {
        let Some(field) = Field::by_name(list.name()) else { continue };
        let Some(slot @ None) = by_field.get_mut(field as usize) else { continue };
        take.known(list);
        let mut names = Vec::new();
        for name in list.nodes().filter(|name| name.kind() == NodeKind::Text) {
            let ns = match name.value() {
                CORE => Some(Ns::None),
                name => Ns::by_name(name).filter(|ns| *ns != Ns::None),
            };
            if ns.is_some() || name.value().is_empty() {
                silent(name, take);
            }
            names.push(ns);
        }
        *slot = Some(names.into_iter());
    }
    let mut fields = Vec::new();
    part.walk((), &mut |seen| fields.push(seen.field));
    let mut fields = fields.into_iter();
    part.carriers(&mut |via| {
        let next = fields.next().and_then(|field| by_field.get_mut(field as usize)?.as_mut()?.next());
        if let Some(ns) = next {
            *via = ns;
        }
    });
}
