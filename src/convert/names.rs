//! How often each namespace occurs in the markup that was read: elements and attributes, by namespace. Which of them
//! were understood is not asked here.

use std::collections::HashMap;

use crate::markup;
use crate::model::origin::{SourcePart, Syntax};
use crate::options::Options;
use crate::tree::{NodeKind, Tree};
use crate::xml::names::Ns;

/// How many unknown namespaces are counted separately; hostile input may use one per element.
const UNKNOWN: usize = 1_000;

/// What occurred of one namespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NamespaceUse {
    /// Elements in it.
    pub elements: u64,
    /// Attributes with a prefix bound to it.
    pub attributes: u64,
}

impl NamespaceUse {
    fn add(&mut self, more: NamespaceUse) {
        self.elements += more.elements;
        self.attributes += more.attributes;
    }
}

/// The namespaces of a stretch of markup.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamespaceNames {
    known: HashMap<Ns, NamespaceUse>,
    /// By namespace URL, with the prefix seen first.
    unknown: HashMap<String, (String, NamespaceUse)>,
    /// The last one that was counted, which is most often the next one too.
    near: Option<(Ns, NamespaceUse)>,
    /// Elements and attributes in namespaces beyond the limit.
    untold: u64,
}

impl NamespaceNames {
    /// Counts the nodes of an entry or a head.
    pub fn count(&mut self, tree: &Tree<'_>) {
        if tree.json {
            return;
        }
        for raw in &tree.nodes {
            let one = match raw.kind {
                NodeKind::Element => NamespaceUse { elements: 1, attributes: 0 },
                NodeKind::Attribute => NamespaceUse { elements: 0, attributes: 1 },
                NodeKind::Text => continue,
            };
            match raw.ns {
                Ns::None | Ns::Xml if raw.kind == NodeKind::Attribute => (),
                Ns::Unknown => self.add_unknown(raw.uri, raw.qname, one),
                ns => self.add_namespace(ns, one),
            }
        }
    }

    /// Counts the nodes of a head.
    pub fn count_head(&mut self, head: Option<&SourcePart<'_>>, options: &Options) {
        let Some(part) = head.filter(|part| part.syntax == Syntax::Xml && !part.raw.trim().is_empty()) else { return };
        // a head that cannot be read was refused before
        if let Ok(tree) = markup::parse(&part.raw, "", &options.limits.tree) {
            self.count(&tree);
        }
    }

    fn add_namespace(&mut self, ns: Ns, one: NamespaceUse) {
        match &mut self.near {
            Some((near, occurs)) if *near == ns => occurs.add(one),
            near => {
                if let Some((ns, occurs)) = near.replace((ns, one)) {
                    self.known.entry(ns).or_default().add(occurs);
                }
            }
        }
    }

    fn add_unknown(&mut self, uri: &str, qname: &str, one: NamespaceUse) {
        let prefix = || qname.split_once(':').map_or("", |(prefix, _)| prefix).to_owned();
        let full = self.unknown.len() >= UNKNOWN;
        match self.unknown.get_mut(uri) {
            Some((_, occurs)) => occurs.add(one),
            None if full => self.untold += one.elements + one.attributes,
            None => {
                self.unknown.insert(uri.to_owned(), (prefix(), one));
            }
        }
    }

    /// Adds the counts of a later part.
    pub fn absorb(&mut self, other: NamespaceNames) {
        for (ns, occurs) in other.known.into_iter().chain(other.near) {
            self.known.entry(ns).or_default().add(occurs);
        }
        let mut strangers: Vec<_> = other.unknown.into_iter().collect();
        strangers.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        for (uri, (prefix, occurs)) in strangers {
            let full = self.unknown.len() >= UNKNOWN;
            match self.unknown.get_mut(&uri) {
                Some((_, known)) => known.add(occurs),
                None if full => self.untold += occurs.elements + occurs.attributes,
                None => {
                    self.unknown.insert(uri, (prefix, occurs));
                }
            }
        }
        self.untold += other.untold;
    }

    /// Prefix, URL and count of each, the most frequent first; and how many were not counted separately.
    pub fn into_rows(mut self) -> (Vec<(String, String, bool, NamespaceUse)>, u64) {
        if let Some((ns, occurs)) = self.near.take() {
            self.known.entry(ns).or_default().add(occurs);
        }
        let known = self.known.into_iter().map(|(ns, occurs)| {
            let name = if ns == Ns::None { "" } else { ns.name() };
            (name.to_owned(), ns.uri().to_owned(), true, occurs)
        });
        let unknown = self.unknown.into_iter().map(|(uri, (prefix, occurs))| (prefix, uri, false, occurs));
        let mut rows: Vec<_> = known.chain(unknown).collect();
        let size = |occurs: &NamespaceUse| std::cmp::Reverse(occurs.elements + occurs.attributes);
        rows.sort_by(|a, b| (size(&a.3), &a.1, &a.0).cmp(&(size(&b.3), &b.1, &b.0)));
        (rows, self.untold)
    }
}
