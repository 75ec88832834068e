//! Gives names their paths: the namespace of a name, and whether readers know it. This is done once per path.

use crate::table::paths::{MendedName, NONE, PathKey, PathReading, PathRole, PathTable};
use crate::xml::limits::TreeLimits;
use crate::xml::names::Ns;
use crate::xml::scan::{self, ends_name, has_control, is_name};
use crate::xml::scope::{self, Binding, Scope};
use crate::xml::spelling::{self, NameSpelling};

/// The path of the elements around an entry, with the namespaces that their start tags declare.
pub(super) fn around(paths: &mut PathTable, tags: &str, scope: &Scope<'_>) -> u32 {
    let key = PathKey { parent: NONE, role: PathRole::Around, qname: tags, declares: &[], mended: None };
    if let Some(path) = paths.find(&key) {
        return path;
    }
    let reading = PathReading { ns: Ns::None, uri: NONE, is_known: true, is_odd: false };
    let path = paths.add(&key, reading).unwrap_or(0);
    for binding in &scope.bindings {
        let uri = paths.uri_number(binding.uri);
        paths.bind(path, binding.prefix, binding.ns, uri);
    }
    path
}

/// The name that `rest` begins with; `None` if the entry ends with it, or too many paths are known to add any.
fn new_name<'r>(paths: &PathTable, rest: &'r str) -> Option<&'r str> {
    let length = rest.bytes().position(ends_name)?;
    (!paths.is_full()).then_some(&rest[..length])
}

/// The element with the name that `rest` begins with, below `parent`, where it was not expected.
#[cold]
#[inline(never)]
pub(super) fn unexpected_element(paths: &mut PathTable, parent: u32, rest: &str) -> Option<u32> {
    let path = element(paths, parent, new_name(paths, rest)?, &[])?;
    paths.follows(parent, path);
    Some(path)
}

/// The attribute with the name that `rest` begins with, in a tag of `element` behind the attribute `last`, where it was
/// not expected. `None` if its name cannot be read as it is.
#[cold]
#[inline(never)]
pub(super) fn unexpected_attribute(paths: &mut PathTable, element: u32, last: u32, rest: &str) -> Option<u32> {
    let path = attribute(paths, element, new_name(paths, rest)?)?;
    if paths.hot(path).is_odd {
        return None;
    }
    match last {
        NONE => paths.hot(element).attribute = path,
        last => paths.hot(last).next = path,
    }
    Some(path)
}

/// The path of an element by its name and the namespaces that it declares.
pub(super) fn element(paths: &mut PathTable, parent: u32, qname: &str, declares: &[(Box<str>, u32)]) -> Option<u32> {
    let key = PathKey { parent, role: PathRole::Element, qname, declares, mended: None };
    if let Some(path) = paths.find(&key) {
        return Some(path);
    }
    let unread = PathReading { ns: Ns::None, uri: NONE, is_known: false, is_odd: true };
    let path = paths.add(&key, unread)?;
    for (name, uri) in declares {
        let text = paths.uri_text(*uri).to_owned();
        let (Binding { prefix, ns, .. }, _) = scope::binding(name, &text)?;
        paths.bind(path, prefix, ns, *uri);
        let key = PathKey {
            parent: path,
            role: PathRole::Declaration,
            qname: name,
            declares: &[(name.clone(), *uri)],
            mended: None,
        };
        paths.add(&key, PathReading { uri: *uri, is_odd: false, ..unread })?;
    }
    let (ns, uri, is_bound) = resolve(paths, path, qname, true);
    let spelling = match paths.name(parent).is_known {
        true => spelling::element(ns, paths.name(path).local()),
        false => NameSpelling::None,
    };
    let is_odd = !is_bound || !is_name(qname) || matches!(spelling, NameSpelling::Other(_));
    paths.read_as(path, PathReading { ns, uri, is_known: spelling == NameSpelling::Exact, is_odd });
    Some(path)
}

/// The path of an attribute by its name; `None` for one that declares a namespace, unless the element's path has it.
pub(super) fn attribute(paths: &mut PathTable, element: u32, qname: &str) -> Option<u32> {
    if qname == "xmlns" || qname.starts_with("xmlns:") {
        return None;
    }
    let key = PathKey { parent: element, role: PathRole::Attribute, qname, declares: &[], mended: None };
    if let Some(path) = paths.find(&key) {
        return Some(path);
    }
    let (ns, uri, is_bound) = resolve(paths, element, qname, false);
    let is_misspelt = || paths.name(element).is_known && matches!(spelling::attribute(qname), NameSpelling::Other(_));
    let is_odd = !is_bound || !is_name(qname) || is_misspelt();
    paths.add(&key, PathReading { ns, uri, is_known: false, is_odd })
}

/// The path of a declaration by its name, where the element's path has one.
pub(super) fn declaration(paths: &PathTable, element: u32, rest: &str) -> Option<u32> {
    let qname = new_name(paths, rest)?;
    let uri = paths.name(element).declared(qname)?;
    let declares = [(Box::from(qname), uri)];
    paths.find(&PathKey { parent: element, role: PathRole::Declaration, qname, declares: &declares, mended: None })
}

/// The path of a name as a repair reads it. Where it reads as it would without one, that is the usual path.
pub(super) fn mended(
    paths: &mut PathTable,
    parent: u32,
    role: PathRole,
    qname: &str,
    (ns, uri, local): (Ns, u32, &str),
) -> Option<u32> {
    let usual = match role {
        PathRole::Element => element(paths, parent, qname, &[]),
        PathRole::Attribute | PathRole::Declaration | PathRole::Around => attribute(paths, parent, qname),
    };
    if let Some(path) = usual.filter(|path| paths.name(*path).means(ns, uri, local)) {
        return Some(path);
    }
    let is_spelt = qname.rsplit_once(':').map_or(qname, |(_, local)| local) == local;
    let usual = (!is_spelt).then_some(local);
    let key = PathKey { parent, role, qname, declares: &[], mended: Some(MendedName { ns, uri, usual }) };
    let reading = PathReading { ns, uri, is_known: false, is_odd: true };
    paths.find(&key).or_else(|| paths.add(&key, reading))
}

/// The path of a tag that declares namespaces. `None` if they cannot be read as they are.
#[cold]
#[inline(never)]
pub(super) fn declaring(paths: &mut PathTable, parent: u32, rest: &str, limits: &TreeLimits) -> Option<u32> {
    let text = &rest[..scan::tag_end(rest)?];
    let qname = new_name(paths, rest)?;
    // the name of the root may identify a namespace that is not known
    let prefix = qname.split_once(':').map_or("", |(prefix, _)| prefix);
    let root = Ns::of_root(qname, None).unwrap_or(Ns::Unknown);
    let is_outermost = paths.name(parent).role == PathRole::Around;
    let mut declares: Vec<(Box<str>, u32)> = Vec::new();
    for (key, value) in scan::attributes(text) {
        let Some((binding, alias)) = scope::binding(key, value) else { continue };
        let is_misnamed = is_outermost && binding.prefix == prefix && scope::is_misnamed(root, binding.ns);
        let is_unread = value.contains(['<', '&']) || has_control(value) || !is_name(key);
        let is_odd = alias || scope::is_misbound(&binding) || is_unread;
        let is_too_many = declares.len() >= limits.namespaces.min(usize::from(u16::MAX));
        if is_odd || is_misnamed || is_too_many {
            return None;
        }
        declares.push((key.into(), paths.uri_number(value)));
    }
    let path = element(paths, parent, qname, &declares)?;
    paths.follows(parent, path);
    Some(path)
}

/// The namespace of a name in a path, and whether its prefix is bound there (Namespaces in XML 1.0 section 6).
fn resolve(paths: &mut PathTable, path: u32, qname: &str, is_element: bool) -> (Ns, u32, bool) {
    let prefix = match qname.split_once(':') {
        None if !is_element => return (Ns::None, NONE, true),
        None => "",
        Some((prefix, _)) => prefix,
    };
    if prefix == "xml" {
        return (Ns::Xml, paths.uri_number(Ns::Xml.uri()), true);
    }
    match paths.binding(path, prefix) {
        Some(binding) => (binding.ns, binding.uri, true),
        None => (Ns::None, NONE, prefix.is_empty()),
    }
}
