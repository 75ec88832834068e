//! The paths of a document, each with a number: the elements around a value and the name it has there. A path is found
//! by comparing a name with the one that followed last time; names and namespaces are looked at once per path.
//!
//! The table stores what it is given. Which namespace a name is in, and whether readers know it, is decided in
//! `markup::naming`.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::xml::names::Ns;
use crate::xml::scan::ends_name;

/// No path, element, leaf, namespace or binding.
pub const NONE: u32 = u32::MAX;

/// Paths kept from one chunk to the next. A document with more distinct paths has them learned again.
const MOST_PATHS: usize = 8_192;

/// Bytes of names and namespaces kept from one chunk to the next.
const MOST_BYTES: usize = 1 << 20;

/// Path numbers are smaller: the other bits of a leaf's path say how its value is written.
const END_OF_NUMBERS: usize = 1 << 29;

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PathRole {
    /// The open elements around the entries of a chunk.
    Around,
    /// An element, or the text in it.
    Element,
    /// An attribute that is a leaf.
    Attribute,
    /// An attribute that declares a namespace.
    Declaration,
}

/// All paths of a document, or those that one worker has met.
#[derive(Clone, Debug)]
pub struct PathTable {
    hot: Vec<HotPath>,
    names: Vec<PathName>,
    /// Path numbers in the order of their hashes; at least half of them are [`NONE`].
    slots: Vec<u32>,
    seed: u64,
    bindings: Vec<NamespaceBinding>,
    uris: Vec<Arc<str>>,
    uri_numbers: HashMap<Arc<str>, u32>,
    /// Bytes of names and namespaces.
    bytes: usize,
}

/// The part of a path that is read for every tag and every leaf: one cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct HotPath {
    /// The first and the last sixteen bytes of the name; an attribute's includes the `=` behind it.
    first_bytes: u128,
    last_bytes: u128,
    length: u32,
    /// The attribute and the child element that came first last time.
    pub attribute: u32,
    pub child: u32,
    /// The path that came next, in the same tag or element, last time.
    pub next: u32,
    /// The child element that came last in the element that is open.
    pub last: u32,
    /// The tag that the attribute was in last, to find one that is there twice.
    pub serial: u32,
    /// Namespaces that the element declares.
    pub declares: u16,
    pub role: PathRole,
    /// It can only be read with a repair.
    pub is_odd: bool,
}

const _: () = assert!(size_of::<HotPath>() == 64);

/// The part of a path that is read once, or for reports.
#[derive(Clone, Debug)]
pub struct PathName {
    /// The path of the element around it; [`NONE`] for the elements around an entry.
    pub parent: u32,
    /// What it leads to.
    pub role: PathRole,
    /// Its namespace.
    pub ns: Ns,
    /// Readers know the name, and those of all elements around it.
    pub(crate) is_known: bool,
    /// The innermost namespace binding in force.
    pub(crate) scope: u32,
    /// The number of bindings in force.
    pub(crate) in_scope: u32,
    uri: u32,
    qname: Box<str>,
    local: u32,
    /// The usual spelling of a name that is written otherwise.
    usual: Option<Box<str>>,
    declares: Box<[(Box<str>, u32)]>,
    is_mended: bool,
}

/// A namespace bound to a prefix.
#[derive(Clone, Debug)]
pub(crate) struct NamespaceBinding {
    pub prefix: Box<str>,
    pub ns: Ns,
    /// The number of the namespace as written.
    pub uri: u32,
    /// The binding that was in force before it.
    outer: u32,
}

/// What a path is found by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathKey<'k> {
    pub parent: u32,
    pub role: PathRole,
    /// The name as written; of [`PathRole::Around`] the start tags.
    pub qname: &'k str,
    /// The namespaces that an element declares: attribute names, numbers of namespaces. Elements with other
    /// declarations have another path.
    pub declares: &'k [(Box<str>, u32)],
    /// The name as a repair reads it. Such a path is never found by its name alone.
    pub mended: Option<MendedName<'k>>,
}

/// A name that is not what its letters and the bindings in force make it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MendedName<'k> {
    pub ns: Ns,
    pub uri: u32,
    /// The usual spelling of a name that is written otherwise.
    pub usual: Option<&'k str>,
}

/// What a new path means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathReading {
    pub ns: Ns,
    pub uri: u32,
    pub is_known: bool,
    pub is_odd: bool,
}

impl Default for PathTable {
    fn default() -> Self {
        PathTable {
            hot: Vec::new(),
            names: Vec::new(),
            slots: Vec::new(),
            seed: RandomState::new().hash_one(0),
            bindings: Vec::new(),
            uris: Vec::new(),
            uri_numbers: HashMap::new(),
            bytes: 0,
        }
    }
}

impl PathTable {
    /// What is known of a path.
    pub fn name(&self, path: u32) -> &PathName {
        &self.names[path as usize]
    }

    /// Its namespace as written; empty for none and for a prefix that was never declared.
    pub fn uri(&self, path: u32) -> &str {
        self.uri_text(self.name(path).uri)
    }

    /// The number of paths.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Appends a path as reports show it: names as written below the entry's surroundings, attributes with `@`.
    pub fn push_text(&self, path: u32, out: &mut String) {
        let mut steps: Vec<&PathName> = Vec::new();
        let mut at = path;
        while let Some(name) = self.names.get(at as usize).filter(|name| name.role != PathRole::Around) {
            steps.push(name);
            at = name.parent;
        }
        for name in steps.into_iter().rev() {
            let sign = if name.role == PathRole::Element { "" } else { "@" };
            if !out.is_empty() || !sign.is_empty() {
                out.push('/');
            }
            out.push_str(sign);
            out.push_str(&name.qname);
        }
    }

    /// Whether there are more paths than are kept from one chunk to the next.
    pub(crate) fn is_full(&self) -> bool {
        self.len() > MOST_PATHS || self.bytes > MOST_BYTES
    }

    /// Removes all paths, and what memory exceeds that of a usual document.
    pub(crate) fn clear(&mut self) {
        self.hot.clear();
        self.hot.shrink_to(MOST_PATHS);
        self.names.clear();
        self.names.shrink_to(MOST_PATHS);
        self.slots.clear();
        self.slots.shrink_to(2 * MOST_PATHS);
        self.bindings.clear();
        self.bindings.shrink_to(MOST_PATHS);
        self.uris.clear();
        self.uris.shrink_to(MOST_PATHS);
        self.uri_numbers.clear();
        self.uri_numbers.shrink_to(MOST_PATHS);
        self.bytes = 0;
    }

    pub(crate) fn hot(&mut self, path: u32) -> &mut HotPath {
        &mut self.hot[path as usize]
    }

    /// The same, if there is such a path.
    #[inline(always)]
    pub(crate) fn get(&mut self, path: u32) -> Option<&mut HotPath> {
        self.hot.get_mut(path as usize)
    }

    /// The child element of `parent` that was expected here, if its name is what `rest` begins with.
    #[inline(always)]
    pub(crate) fn expected(&mut self, parent: u32, rest: &[u8]) -> Option<u32> {
        let above = &self.hot[parent as usize];
        let last = above.last;
        let next = if last == NONE { above.child } else { self.hot[last as usize].next };
        for guess in [next, last] {
            if let Some(path) = self.hot.get(guess as usize)
                && path.begins(rest)
                && rest.get(path.length as usize).is_some_and(|byte| ends_name(*byte))
            {
                self.hot[parent as usize].last = guess;
                return Some(guess);
            }
        }
        None
    }

    /// Learns that the element `path` came next below `parent`.
    pub(crate) fn follows(&mut self, parent: u32, path: u32) {
        match self.hot[parent as usize].last {
            NONE => self.hot[parent as usize].child = path,
            last => self.hot[last as usize].next = path,
        }
        self.hot[parent as usize].last = path;
    }

    /// Where the name of an element ends that `bytes` have at `at`, if it is that of this path.
    #[inline(always)]
    pub(crate) fn end_of_name(&self, path: u32, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = bytes.get(at..)?;
        let hot = &self.hot[path as usize];
        match hot.begins(rest) || rest.starts_with(self.names[path as usize].qname.as_bytes()) {
            true => Some(at + hot.length as usize),
            false => None,
        }
    }

    /// The path with this key.
    pub(crate) fn find(&self, key: &PathKey<'_>) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = self.hash(key) as usize & mask;
        loop {
            let path = self.slots[slot];
            if self.names.get(path as usize)?.has(key) {
                return Some(path);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Adds a path that is not there; `None` if there are far too many.
    pub(crate) fn add(&mut self, key: &PathKey<'_>, reading: PathReading) -> Option<u32> {
        let path = u32::try_from(self.len()).ok().filter(|_| self.len() < END_OF_NUMBERS)?;
        if 2 * (self.len() + 1) > self.slots.len() {
            self.grow();
        }
        let PathKey { parent, role, qname, declares, mended } = *key;
        let (scope, in_scope) = match self.names.get(parent as usize) {
            Some(above) => (above.scope, above.in_scope),
            None => (NONE, 0),
        };
        let pattern = match role {
            PathRole::Attribute | PathRole::Declaration => &[qname, "="].concat(),
            PathRole::Element | PathRole::Around => qname,
        };
        self.hot.push(HotPath::new(pattern.as_bytes(), role, declares.len(), reading.is_odd));
        let local = if role == PathRole::Around { 0 } else { qname.rfind(':').map_or(0, |colon| colon + 1) };
        self.names.push(PathName {
            parent,
            role,
            ns: reading.ns,
            is_known: reading.is_known,
            scope,
            in_scope,
            uri: reading.uri,
            qname: qname.into(),
            local: local as u32,
            usual: mended.and_then(|mended| mended.usual).map(Box::from),
            declares: declares.into(),
            is_mended: mended.is_some(),
        });
        self.bytes += qname.len();
        let slot = self.free_slot(self.hash(key));
        self.slots[slot] = path;
        Some(path)
    }

    /// Binds a prefix for what is below a path.
    pub(crate) fn bind(&mut self, path: u32, prefix: &str, ns: Ns, uri: u32) {
        let number = self.bindings.len() as u32;
        self.bytes += prefix.len() + size_of::<NamespaceBinding>();
        let name = &mut self.names[path as usize];
        let outer = std::mem::replace(&mut name.scope, number);
        name.in_scope += 1;
        self.bindings.push(NamespaceBinding { prefix: prefix.into(), ns, uri, outer });
    }

    /// What a path means, once the bindings of its own element are known.
    pub(crate) fn read_as(&mut self, path: u32, reading: PathReading) {
        let name = &mut self.names[path as usize];
        (name.ns, name.uri, name.is_known) = (reading.ns, reading.uri, reading.is_known);
        self.hot[path as usize].is_odd = reading.is_odd;
    }

    /// The binding of a prefix that is in force in a path.
    pub(crate) fn binding(&self, path: u32, prefix: &str) -> Option<&NamespaceBinding> {
        let mut at = self.name(path).scope;
        while let Some(binding) = self.bindings.get(at as usize) {
            if *binding.prefix == *prefix {
                return Some(binding);
            }
            at = binding.outer;
        }
        None
    }

    /// The number of a namespace as written.
    pub(crate) fn uri_number(&mut self, uri: &str) -> u32 {
        if uri.is_empty() {
            return NONE;
        }
        if let Some(number) = self.uri_numbers.get(uri) {
            return *number;
        }
        let (number, uri) = (self.uris.len() as u32, Arc::<str>::from(uri));
        self.bytes += uri.len();
        self.uris.push(uri.clone());
        self.uri_numbers.insert(uri, number);
        number
    }

    /// The namespace with this number.
    pub(crate) fn uri_text(&self, uri: u32) -> &str {
        self.uris.get(uri as usize).map_or("", |uri| uri)
    }

    fn hash(&self, key: &PathKey<'_>) -> u64 {
        let mix = |hash: u64, number: u64| (hash ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        let seed = mix(self.seed, u64::from(key.parent) << 3 | key.role as u64);
        let mut hash = xxh3_64_with_seed(key.qname.as_bytes(), seed);
        for (name, uri) in key.declares {
            hash = mix(xxh3_64_with_seed(name.as_bytes(), hash), u64::from(*uri));
        }
        if let Some(mended) = &key.mended {
            hash = mix(mix(hash, mended.ns as u64), u64::from(mended.uri));
        }
        hash ^ hash >> 32
    }

    fn free_slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != NONE {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(256);
        self.slots.clear();
        self.slots.resize(size, NONE);
        for path in 0..self.names.len() {
            let slot = self.free_slot(self.hash(&self.names[path].key()));
            self.slots[slot] = path as u32;
        }
    }
}

impl PathName {
    /// Name as written.
    pub fn qname(&self) -> &str {
        &self.qname
    }

    /// Name without prefix, in its usual spelling.
    pub fn local(&self) -> &str {
        self.usual.as_deref().unwrap_or(&self.qname[self.local as usize..])
    }

    /// Whether it means this.
    pub(crate) fn means(&self, ns: Ns, uri: u32, local: &str) -> bool {
        self.ns == ns && self.uri == uri && self.local() == local
    }

    /// The number of the namespace that it declares by an attribute of this name.
    pub(crate) fn declared(&self, name: &str) -> Option<u32> {
        self.declares.iter().find(|(declared, _)| **declared == *name).map(|(_, uri)| *uri)
    }

    /// Whether the element declares namespaces.
    pub(crate) fn declares_any(&self) -> bool {
        !self.declares.is_empty()
    }

    fn key(&self) -> PathKey<'_> {
        let mended = self.is_mended.then_some(MendedName { ns: self.ns, uri: self.uri, usual: self.usual.as_deref() });
        PathKey { parent: self.parent, role: self.role, qname: &self.qname, declares: &self.declares, mended }
    }

    fn has(&self, key: &PathKey<'_>) -> bool {
        let own = self.key();
        own.parent == key.parent
            && own.role == key.role
            && own.qname == key.qname
            && own.declares == key.declares
            && own.mended == key.mended
    }
}

impl HotPath {
    fn new(pattern: &[u8], role: PathRole, declares: usize, is_odd: bool) -> HotPath {
        let mut first = [0; 16];
        first.iter_mut().zip(pattern).for_each(|(to, from)| *to = *from);
        HotPath {
            first_bytes: u128::from_le_bytes(first),
            last_bytes: pattern.last_chunk::<16>().map_or(0, |last| u128::from_le_bytes(*last)),
            length: pattern.len() as u32,
            attribute: NONE,
            child: NONE,
            next: NONE,
            last: NONE,
            serial: 0,
            declares: declares.try_into().unwrap_or(u16::MAX),
            role,
            is_odd,
        }
    }

    /// The length of the name, with the `=` of an attribute.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether `rest` begins with the name (and the `=`); `false` too for names of more than 32 bytes, and where there
    /// is too little to compare.
    #[inline(always)]
    pub fn begins(&self, rest: &[u8]) -> bool {
        let Some(first) = rest.first_chunk::<16>() else { return false };
        let unlike = u128::from_le_bytes(*first) ^ self.first_bytes;
        let length = self.length as usize;
        if let Some(mask) = MASKS.get(length) {
            return unlike & mask == 0;
        }
        let last = rest.get(length - 16..length).and_then(|last| last.first_chunk::<16>());
        length <= 32 && unlike == 0 && last.is_some_and(|last| u128::from_le_bytes(*last) == self.last_bytes)
    }
}

/// Which bits of sixteen bytes count for a name of so many bytes.
static MASKS: [u128; 17] = {
    let mut masks = [0; 17];
    let mut length = 1;
    while length <= 16 {
        masks[length] = u128::MAX >> (128 - 8 * length);
        length += 1;
    }
    masks
};

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: PathReading = PathReading { ns: Ns::None, uri: NONE, is_known: false, is_odd: false };

    fn key(parent: u32, qname: &str) -> PathKey<'_> {
        PathKey { parent, role: PathRole::Element, qname, declares: &[], mended: None }
    }

    fn table() -> (PathTable, u32) {
        let mut paths = PathTable::default();
        let around = PathKey { role: PathRole::Around, ..key(NONE, "<rss>") };
        let around = paths.add(&around, PLAIN).unwrap();
        (paths, around)
    }

    #[test]
    fn a_path_is_found_by_all_that_makes_it() {
        let (mut paths, around) = table();
        let names: Vec<String> = (0..5_000).map(|n| format!("name{n}")).collect();
        let mut parent = around;
        for (n, name) in names.iter().enumerate() {
            let path = paths.add(&key(parent, name), PLAIN).unwrap();
            parent = if n % 7 == 0 { path } else { parent };
        }
        let mut parent = around;
        for (n, name) in names.iter().enumerate() {
            assert_eq!(paths.find(&key(parent, name)), Some(n as u32 + 1));
            assert_eq!(paths.find(&PathKey { role: PathRole::Attribute, ..key(parent, name) }), None);
            let declares = [(Box::from("xmlns"), NONE)];
            assert_eq!(paths.find(&PathKey { declares: &declares, ..key(parent, name) }), None);
            let mended = Some(MendedName { ns: Ns::None, uri: NONE, usual: None });
            assert_eq!(paths.find(&PathKey { mended, ..key(parent, name) }), None);
            parent = if n % 7 == 0 { n as u32 + 1 } else { parent };
        }
        assert!(!paths.is_full());
        paths.clear();
        assert_eq!((paths.len(), paths.find(&key(around, "name0"))), (0, None));
    }

    #[test]
    fn the_innermost_binding_of_a_prefix_is_in_force() {
        let (mut paths, around) = table();
        let (one, two) = (paths.uri_number("urn:1"), paths.uri_number("urn:2"));
        assert_eq!((paths.uri_number("urn:1"), paths.uri_number("")), (one, NONE));
        assert_eq!(paths.uri_text(two), "urn:2");
        paths.bind(around, "m", Ns::Media, one);
        let inner = paths.add(&key(around, "a"), PLAIN).unwrap();
        paths.bind(inner, "m", Ns::Unknown, two);
        let below = paths.add(&key(inner, "m:b"), PLAIN).unwrap();
        let uri = |path: u32, prefix: &str| paths.binding(path, prefix).map(|binding| binding.uri);
        assert_eq!(
            [uri(around, "m"), uri(inner, "m"), uri(below, "m"), uri(below, "")],
            [Some(one), Some(two), Some(two), None]
        );
        assert_eq!((paths.name(below).in_scope, paths.name(below).local()), (2, "b"));
    }

    #[test]
    fn names_of_all_lengths_are_compared_whole() {
        for length in 1..50 {
            let name = "n".repeat(length);
            let hot = HotPath::new(name.as_bytes(), PathRole::Element, 0, false);
            let rest = format!("{name}>and what follows behind it");
            assert_eq!(hot.begins(rest.as_bytes()), length <= 32, "{length}");
            let other = format!("{}m>and what follows behind it", &name[1..]);
            assert!(!hot.begins(other.as_bytes()), "{length}");
            assert!(!hot.begins(&name.as_bytes()[..length.min(15)]), "{length}");
        }
    }

    #[test]
    fn many_paths_are_not_kept() {
        let (mut paths, around) = table();
        for n in 0..=MOST_PATHS {
            paths.add(&key(around, &n.to_string()), PLAIN).unwrap();
        }
        assert!(paths.is_full());
        paths.clear();
        assert!(!paths.is_full() && paths.names.capacity() <= 2 * MOST_PATHS);
        let (mut paths, around) = table();
        paths.add(&key(around, &"x".repeat(MOST_BYTES + 1)), PLAIN).unwrap();
        assert!(paths.is_full());
    }
}
