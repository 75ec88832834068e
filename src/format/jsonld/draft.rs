//! JSON that is being written: objects and lists by number, so that later values can be put into earlier objects. Unknown
//! values find the object they were in by their paths. The objects and their values are chosen in write.rs and write_video.rs.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::emit::Out;
use crate::json::is_below;
use crate::json::names::unescaped;
use crate::json::parse::{BOOLEAN, LIST, NUMBER, is_number};
use crate::model::{Foreign, Mark};
use crate::place::SourceElements;
use crate::reason::Reason;
use crate::text::url;
use crate::work;

/// The number of an object or a list.
pub(super) type DraftId = usize;

/// What a value is.
#[derive(Clone)]
pub(super) enum DraftValue {
    /// An object without members so far.
    Object,
    /// A list without values so far.
    List,
    /// A string.
    Text(String),
    /// A number or a boolean, as it is written.
    Bare(String),
}

struct DraftNode {
    name: String,
    value: DraftValue,
    /// Its members.
    below: Vec<DraftId>,
    /// The object or list it is in, and its place there.
    above: Option<(DraftId, usize)>,
    /// A type that its place implies: a type of the source replaces it.
    implied: bool,
}

/// An object, and its path in the source.
struct PlacedObject {
    path: String,
    node: DraftId,
    by: PathEvidence,
}

/// How the path of an object is known, the surest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PathEvidence {
    /// A value in it is from an object of its name.
    Value,
    /// So many of its name were written before.
    Count,
    /// A value in it is from an object of another name.
    OtherName,
}

/// A JSON value in work.
pub(super) struct Draft<'e> {
    nodes: Vec<DraftNode>,
    /// The last member of an object by its name.
    members: HashMap<(DraftId, String), DraftId>,
    /// Objects and lists by their paths, while unknown values are to be put into them.
    paths: Option<HashMap<String, DraftId>>,
    /// Objects that were written since, which are not among the paths yet.
    placed: Vec<PlacedObject>,
    /// The objects of the source that values are from.
    source: Option<SourceElements<'e, 'e>>,
    /// The path there below which all unknown values are, if some are in objects.
    above: Option<String>,
    /// The unknown values of lists, by their paths: they are not in the model.
    unknown: HashSet<String>,
    /// The paths of the objects that unknown values are in.
    hosts: HashSet<String>,
    /// How many values of a list are written, and the number of the last of them in the source.
    numbers: HashMap<String, (usize, usize)>,
    /// What relative URLs among the unknown values are resolved against.
    base: Option<String>,
}

/// The name that an object is referred to by.
const ID: &str = "@id";

/// The properties whose values may be URLs, names or objects, as far as unknown values have them.
const ADDRESSES: [&str; 10] = [
    "image",
    "item",
    "license",
    "logo",
    "mainEntityOfPage",
    "relatedLink",
    "sameAs",
    "significantLink",
    "target",
    "urlTemplate",
];

impl<'e> Draft<'e> {
    /// Nothing yet; with `hosts`, unknown values follow.
    pub fn new(hosts: bool) -> Draft<'e> {
        Draft {
            nodes: Vec::new(),
            members: HashMap::new(),
            paths: hosts.then(HashMap::new),
            placed: Vec::new(),
            source: None,
            above: None,
            unknown: HashSet::new(),
            hosts: HashSet::new(),
            numbers: HashMap::new(),
            base: None,
        }
    }

    /// The same for values of a document with this base: documents that become one would share their relative URLs.
    pub fn based(self, base: Option<String>) -> Draft<'e> {
        Draft { base, ..self }
    }

    /// A value that is in no other.
    pub fn root(&mut self, value: DraftValue) -> DraftId {
        self.push(DraftNode { name: String::new(), value, below: Vec::new(), above: None, implied: false })
    }

    fn push(&mut self, node: DraftNode) -> DraftId {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// An object or list has this path in the source.
    pub fn at_path(&mut self, path: &str, node: DraftId) {
        if let Some(paths) = &mut self.paths {
            paths.insert(path.to_owned(), node);
        }
    }

    /// The same for values of this source.
    pub fn reading(self, source: SourceElements<'e, 'e>) -> Draft<'e> {
        Draft { source: Some(source), ..self }
    }

    /// From now on, paths are those below another object, which is here in the source; these are its unknown values.
    pub fn expect(&mut self, items: &[Foreign<'_>], above: &str) {
        self.paths.iter_mut().for_each(HashMap::clear);
        self.placed.clear();
        let is_deep = |item: &Foreign<'_>| item.path.contains(['/', '[']);
        self.above = items.iter().any(is_deep).then(|| above.to_owned());
        self.numbers.clear();
        self.hosts = items.iter().filter_map(|item| Some(item.path.rsplit_once('/')?.0.to_owned())).collect();
        self.unknown = items.iter().filter(|item| item.path.ends_with(']')).map(|item| item.path.to_string()).collect();
    }

    /// The number that a written value has in a list of the source, where unknown values may be between.
    fn number_in_source(&mut self, list: &str, written: usize) -> usize {
        let (mut count, mut number) = self.numbers.get(list).copied().unwrap_or_default();
        while count < written {
            number += 1;
            count += usize::from(!self.unknown.contains(&format!("{list}[{number}]")));
        }
        self.numbers.insert(list.to_owned(), (count, number));
        number
    }

    /// Adds a value: to a list, or to an object as the member of this name. A second member of a name makes a list of both.
    pub fn add(&mut self, into: DraftId, name: &str, value: DraftValue) -> DraftId {
        let into_list = self.nodes.get(into).is_some_and(|node| matches!(node.value, DraftValue::List));
        let key = (into, name.to_owned());
        let known = self.members.get(&key).copied().filter(|_| !into_list);
        let host = match known {
            Some(first) if matches!(self.nodes[first].value, DraftValue::List) => first,
            Some(first) => self.list_around(first, key),
            None => into,
        };
        let place = self.nodes[host].below.len();
        let (name, above, below) = (name.to_owned(), Some((host, place)), Vec::new());
        let node = self.push(DraftNode { name: name.clone(), value, below, above, implied: false });
        self.nodes[host].below.push(node);
        if host == into && !into_list {
            self.members.insert((into, name), node);
        }
        node
    }

    /// Puts a list in the place of a member, with that in it.
    fn list_around(&mut self, first: DraftId, key: (DraftId, String)) -> DraftId {
        let above = self.nodes[first].above;
        let (name, below) = (key.1.clone(), vec![first]);
        let list = self.push(DraftNode { name, value: DraftValue::List, below, above, implied: false });
        if let Some((host, place)) = above
            && let Some(slot) = self.nodes.get_mut(host).and_then(|host| host.below.get_mut(place))
        {
            *slot = list;
        }
        self.nodes[first].above = Some((list, 0));
        self.members.insert(key, list);
        list
    }

    /// Adds an object with the type that its place implies; `path` is that of the object around it. Its own path is that of
    /// the next of its name, unless a value in it shows another.
    pub fn object(&mut self, into: DraftId, name: &str, kind: &str, path: &str) -> (DraftId, String) {
        let node = self.add(into, name, DraftValue::Object);
        let number = match self.nodes[node].above {
            Some((host, place)) if host != into => place + 1,
            _ => 1,
        };
        let step = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        let number = self.number_in_source(&step, number);
        let own = format!("{step}[{number}]");
        if self.paths.is_some() {
            self.placed.push(PlacedObject { path: own.clone(), node, by: PathEvidence::Count });
            if number == 1 {
                self.placed.push(PlacedObject { path: step, node, by: PathEvidence::Count });
            }
        }
        self.implied_type(node, kind);
        (node, own)
    }

    /// How many places are noted, until one is looked up.
    pub fn noted(&self) -> usize {
        self.placed.len()
    }

    /// An object of this name is complete; the places noted behind the first `before` ones are those of it and of objects in it.
    /// Its values show which object of the source it is written for.
    pub fn end_object(&mut self, before: usize, name: &str, counted_path: &str, values: &[Mark]) {
        if self.above.is_none() {
            return;
        }
        work::count(values.len());
        let paths: Vec<String> = values.iter().filter_map(|mark| self.path_in_source(*mark)).collect();
        let added = self.placed.split_off(before.min(self.placed.len()));
        let Some(node) = added.first().map(|object| object.node) else { return };
        let own = paths.iter().find_map(|path| last_object_named(path, name));
        // plain members of an object around this one
        let is_around = |path: &String| path.is_empty() || is_below(counted_path, path);
        let is_new = own.is_none() && !paths.is_empty() && paths.iter().all(is_around);
        self.placed.extend(added.into_iter().filter_map(|object| {
            match (own, object.path.strip_prefix(counted_path)) {
                _ if object.by != PathEvidence::Count => Some(object),
                (Some(path), Some(below)) => {
                    Some(PlacedObject { path: format!("{path}{below}"), by: PathEvidence::Value, ..object })
                }
                (Some(_), None) => None,
                (None, _) => (!is_new).then_some(object),
            }
        }));
        if own.is_none()
            && let Some(path) = paths.iter().find(|path| !is_around(path))
        {
            self.placed.push(PlacedObject { path: path.clone(), node, by: PathEvidence::OtherName });
        }
    }

    /// Whether the object of this name that has a value in the source has unknown ones, too.
    pub fn is_beside_unknown(&mut self, name: &str, mark: Mark) -> bool {
        let is_there = |path: &String| last_object_named(path, name).is_some_and(|own| own.len() == path.len());
        self.path_in_source(mark).is_some_and(|path| is_there(&path) && self.hosts.contains(&path))
    }

    /// The path of the object or list of the source that has a value, where unknown values are in objects. A value that is not
    /// below was referred to, and has none.
    fn path_in_source(&mut self, mark: Mark) -> Option<String> {
        let (source, above) = (self.source.as_mut()?, self.above.as_ref()?);
        let path = source.path(mark)?;
        match above.as_str() {
            "" => Some(path),
            above if path == above => Some(String::new()),
            above => Some(path.strip_prefix(above)?.strip_prefix('/')?.to_owned()),
        }
    }

    /// The object or list with this path in the source.
    fn find(&mut self, path: &str) -> Option<DraftId> {
        let paths = self.paths.as_mut()?;
        // an object counts before those in it
        self.placed.sort_by_key(|object| object.by);
        for PlacedObject { path, node, .. } in self.placed.drain(..) {
            paths.entry(path).or_insert(node);
        }
        paths.get(path).copied()
    }

    /// Gives an object the type that its place implies.
    pub fn implied_type(&mut self, node: DraftId, kind: &str) {
        if !kind.is_empty() {
            let kind = self.add(node, "@type", DraftValue::Text(kind.to_owned()));
            self.nodes[kind].implied = true;
        }
    }

    /// Puts unknown values where they were, below the object at the path `root`. At the place of a video, `video` writes it;
    /// without one, all below it stays out.
    pub fn host<'i>(
        &mut self,
        items: impl Iterator<Item = &'i Foreign<'i>>,
        root: DraftId,
        out: &mut Out<'_, 'e>,
        mut video: impl FnMut(&mut Self, DraftId, &Foreign<'_>, &mut Out<'_, 'e>) -> bool,
    ) {
        let mut left_out: Option<&str> = None;
        for item in items {
            if left_out.is_some_and(|path| is_below(&item.path, path)) {
                continue;
            }
            left_out = None;
            let host = self.host_of(item, root);
            if item.is_video_place() {
                if !video(self, host, item, out) {
                    left_out = Some(&item.path);
                }
                continue;
            }
            let value = match &item.value {
                Some(leaf) => {
                    let is_bare = matches!(&*item.ns, NUMBER | BOOLEAN) && is_bare(&leaf.value);
                    let absolute = if is_bare { None } else { self.absolute(&item.name, &leaf.value) };
                    match &absolute {
                        Some(url) => out.books().changed(leaf.mark, Reason::ResolvedUrl, url.clone()),
                        None => out.books().kept(leaf.mark),
                    }
                    if is_bare {
                        DraftValue::Bare(leaf.value.to_string())
                    } else {
                        DraftValue::Text(absolute.unwrap_or_else(|| leaf.value.to_string()))
                    }
                }
                None if item.ns == LIST => DraftValue::List,
                None => DraftValue::Object,
            };
            if let Some(empty) = &item.empty {
                out.books().kept(empty.mark);
            }
            let node = self.put(host, item, value);
            self.at_path(&item.path, node);
        }
    }

    /// The URL that a relative one among the unknown values means. A template for URLs may begin with one.
    fn absolute(&self, name: &str, value: &str) -> Option<String> {
        let value = value.trim();
        let is_url = name == ID || name == "url" || name.ends_with("Url");
        let is_path = || ADDRESSES.contains(&name) && value.starts_with(['/', '.', '#']);
        let is_blank_node = value.starts_with("_:");
        let is_relative = url::scheme(value).is_none() && !value.is_empty() && !value.contains(char::is_whitespace);
        let base = self.base.as_ref().filter(|_| is_relative && !is_blank_node && (is_url || is_path()))?;
        let (fixed, template) = value.split_at(value.find('{').unwrap_or(value.len()));
        url::resolve(base, fixed).map(|resolved| resolved + template)
    }

    fn put(&mut self, host: DraftId, item: &Foreign<'_>, value: DraftValue) -> DraftId {
        let kind = self.members.get(&(host, item.name.to_string())).copied();
        if let Some(kind) = kind.filter(|kind| self.nodes[*kind].implied) {
            let node = &mut self.nodes[kind];
            (node.value, node.implied) = (value, false);
            return kind;
        }
        // somebody whom several videos refer to
        if let (ID, Some(known), DraftValue::Text(id)) = (&*item.name, kind, &value)
            && matches!(&self.nodes[known].value, DraftValue::Text(other) if other == id)
        {
            return known;
        }
        self.add(host, &item.name, value)
    }

    /// The object or list that an unknown value was in. Objects on the way that are not written any more are made anew.
    fn host_of(&mut self, item: &Foreign<'_>, root: DraftId) -> DraftId {
        let path = &*item.path;
        let in_list = path.strip_suffix(']').and_then(|path| path.rsplit_once('['));
        let list = in_list
            .and_then(|(list, _)| self.find(list))
            .filter(|list| self.nodes.get(*list).is_some_and(|node| matches!(node.value, DraftValue::List)));
        if let Some(list) = list {
            return list;
        }
        let named = in_list.map_or(path, |(list, _)| list);
        let named = if path.ends_with(&*item.name) { path } else { named };
        let host = named.strip_suffix(&*item.name).unwrap_or("").trim_end_matches('/');
        if host.is_empty() {
            return root;
        }
        if let Some(found) = self.find(host) {
            return self.listed(host, found);
        }
        let (mut node, mut so_far) = (root, String::new());
        for step in host.split('/') {
            if !so_far.is_empty() {
                so_far.push('/');
            }
            so_far.push_str(step);
            node = match self.find(&so_far) {
                Some(found) => self.listed(&so_far, found),
                None => {
                    let name = step.split_once('[').map_or(step, |(name, _)| name);
                    let made = self.add(node, name, DraftValue::Object);
                    self.at_path(&so_far, made);
                    made
                }
            };
        }
        node
    }

    /// Puts an object in a list again that was alone in one: the paths of the values in it name its number.
    fn listed(&mut self, path: &str, object: DraftId) -> DraftId {
        let DraftNode { name, above, .. } = &self.nodes[object];
        // an object of another name was elsewhere
        let is_first = path.strip_suffix("[1]").and_then(|list| list.rsplit('/').next()) == Some(name);
        let host = above.map(|(host, _)| host).filter(|_| is_first);
        if let Some(host) = host.filter(|host| !matches!(self.nodes[*host].value, DraftValue::List)) {
            self.list_around(object, (host, name.clone()));
        }
        object
    }

    /// Completes the members of these names that only refer to another object below `root`, by its `@id`: readers take the
    /// other one for them, and would write them so.
    pub fn complete(&mut self, root: DraftId, names: &[&str]) {
        let id = |draft: &Self, node: DraftId| match &draft.nodes[*draft.members.get(&(node, ID.to_owned()))?].value {
            DraftValue::Text(id) => Some(id.clone()),
            DraftValue::Object | DraftValue::List | DraftValue::Bare(_) => None,
        };
        let (mut known, mut open) = (HashMap::new(), self.nodes[root].below.clone());
        while let Some(node) = open.pop() {
            let below = &self.nodes[node].below;
            let is_plain = |member: &DraftId| self.nodes[*member].below.is_empty();
            if below.len() > 1
                && below.iter().all(is_plain)
                && let Some(id) = id(self, node)
            {
                known.insert(id, node);
            }
            open.extend(below);
        }
        for name in names {
            let Some(&node) = self.members.get(&(root, (*name).to_owned())) else { continue };
            let objects = match self.nodes[node].value {
                DraftValue::List => self.nodes[node].below.clone(),
                _ => vec![node],
            };
            for object in objects {
                let is_reference = self.nodes[object].below.len() == 1;
                let full = is_reference.then(|| id(self, object)).flatten().and_then(|id| known.get(&id));
                let Some(full) = full else { continue };
                for member in self.nodes[*full].below.clone() {
                    let DraftNode { name, value, .. } = &self.nodes[member];
                    if name != ID {
                        let (name, value) = (name.clone(), value.clone());
                        self.add(object, &name, value);
                    }
                }
                // as it is behind the members of other objects
                self.nodes[object].below.rotate_left(1);
            }
        }
    }

    /// Sorts the members of an object by these names; others stay behind them. A value may be read into another part of the model
    /// than it was written from: with one order, it is written in the same place again.
    pub fn arrange(&mut self, node: DraftId, order: &[&str]) {
        let rank = |name: &str| order.iter().position(|known| *known == name).unwrap_or(order.len());
        let mut below = std::mem::take(&mut self.nodes[node].below);
        below.sort_by_cached_key(|member| rank(&self.nodes[*member].name));
        self.nodes[node].below = below;
    }

    /// Writes a value; with `indent`, one member a line, indented by so many spaces and more.
    pub fn write(&self, root: DraftId, indent: Option<usize>, buf: &mut Vec<u8>) {
        let line = |depth: usize, buf: &mut Vec<u8>| {
            if let Some(indent) = indent {
                buf.push(b'\n');
                buf.extend(std::iter::repeat_n(b' ', indent + 2 * depth));
            }
        };
        // the open objects and lists, with how many members are written
        let mut open: Vec<(DraftId, usize)> = Vec::new();
        self.begin(root, false, indent.is_some(), buf);
        open.push((root, 0));
        while let Some((node, written)) = open.last_mut() {
            let of = &self.nodes[*node];
            let Some(&next) = of.below.get(*written) else {
                let (count, end) = (of.below.len(), end(&of.value));
                open.pop();
                if count > 0 {
                    line(open.len(), buf);
                }
                buf.extend_from_slice(end);
                continue;
            };
            if *written > 0 {
                buf.push(b',');
            }
            *written += 1;
            let named = matches!(of.value, DraftValue::Object);
            line(open.len(), buf);
            self.begin(next, named, indent.is_some(), buf);
            open.push((next, 0));
        }
    }

    fn begin(&self, node: DraftId, named: bool, spaced: bool, buf: &mut Vec<u8>) {
        let node = &self.nodes[node];
        if named {
            string(&unescaped(&node.name).unwrap_or(Cow::Borrowed(&node.name)), buf);
            buf.extend_from_slice(if spaced { b": " } else { b":" });
        }
        match &node.value {
            DraftValue::Object => buf.push(b'{'),
            DraftValue::List => buf.push(b'['),
            DraftValue::Text(text) => string(text, buf),
            DraftValue::Bare(text) => buf.extend_from_slice(text.as_bytes()),
        }
    }
}

/// The path of the last object with this name on a path.
fn last_object_named<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    let mut path = path;
    loop {
        let (above, step) = path.rsplit_once('/').unwrap_or(("", path));
        if step.split('[').next() == Some(name) {
            return Some(path);
        }
        if above.is_empty() {
            return None;
        }
        path = above;
    }
}

fn end(value: &DraftValue) -> &'static [u8] {
    match value {
        DraftValue::Object => b"}",
        DraftValue::List => b"]",
        DraftValue::Text(_) | DraftValue::Bare(_) => b"",
    }
}

/// Writes a string. A `</` could end the script element that the JSON is put into.
fn string(text: &str, buf: &mut Vec<u8>) {
    let start = buf.len();
    // writing to memory does not fail
    if serde_json::to_writer(&mut *buf, text).is_err() {
        buf.truncate(start);
        return;
    }
    if memchr::memmem::find(&buf[start..], b"</").is_some() || memchr::memmem::find(&buf[start..], b"<!--").is_some() {
        let written = buf.split_off(start);
        for (at, &byte) in written.iter().enumerate() {
            let ends = byte == b'<' && matches!(written.get(at + 1), Some(b'/' | b'!'));
            if ends {
                buf.extend_from_slice(b"\\u003c");
            } else {
                buf.push(byte);
            }
        }
    }
}

/// Whether a text is a number or a boolean of JSON.
fn is_bare(text: &str) -> bool {
    is_number(text) || matches!(text, "true" | "false")
}
