//! Which pages of a set of documents name which as another version of theirs (rule H04). The findings about them are in extension.rs.

use super::check::value::attribute;
use crate::convert::Secret;
use crate::text::url;
use crate::tree::{Node, Tree};
use crate::xml::names::Ns;
use memchr::memmem;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::hash::Hasher;

/// The pages of a set of documents, and which name which as another version of theirs. By hashes, as many as fit.
#[derive(Debug, Default)]
pub struct Alternates {
    secret: Secret,
    pages: HashSet<u64, IdentityHasher>,
    links: HashSet<(u64, u64), IdentityHasher>,
    /// Whether any page names another, remembered or not.
    linked: bool,
    full: bool,
}

/// Pages with the hashes of those that they name, of one chunk.
#[derive(Debug, Default)]
pub(crate) struct LinkedPages {
    /// Each with how many of the links are its own.
    pages: Vec<(u64, usize)>,
    links: Vec<u64>,
}

/// Links that are remembered, in all documents of a set, or twice as many pages: 64 MiB.
const LINKS: usize = 2_000_000;

/// What is hashed already is not hashed again.
type IdentityHasher = BuildHasherDefault<FoldingHasher>;

/// Folds the parts of a key that are hashes themselves.
#[derive(Debug, Default)]
struct FoldingHasher(u64);

impl Hasher for FoldingHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }
    fn write_u64(&mut self, part: u64) {
        self.0 = self.0.rotate_left(29) ^ part;
    }
}

/// The hash of a URL that identifies a page.
fn name(address: &str, secret: &Secret) -> u64 {
    secret.hash(url::key(address).as_bytes())[0]
}

impl Alternates {
    /// None yet, in hashes of this secret.
    pub(in crate::rules) fn new(secret: Secret) -> Alternates {
        Alternates { secret, ..Alternates::default() }
    }

    pub(in crate::rules) fn secret(&self) -> Secret {
        self.secret.clone()
    }

    pub(in crate::rules) fn name(&self, address: &str) -> u64 {
        name(address, &self.secret)
    }

    pub(in crate::rules) fn add(&mut self, linked: &LinkedPages) {
        let mut links = linked.links.as_slice();
        for (page, count) in &linked.pages {
            let Some((own, rest)) = links.split_at_checked(*count) else { return };
            links = rest;
            self.linked |= !own.is_empty();
            if self.pages.len() / 2 + self.links.len() + own.len() > LINKS {
                self.full = true;
                continue;
            }
            self.pages.insert(*page);
            self.links.extend(own.iter().map(|link| (*page, *link)));
        }
    }

    /// Whether a page names another one of the set that does not name it.
    pub(in crate::rules) fn is_one_way(&self, page: u64, link: u64) -> bool {
        page != link && !self.full && self.pages.contains(&link) && !self.links.contains(&(link, page))
    }

    /// Whether there is any such page.
    pub(in crate::rules) fn has_one_way(&self) -> bool {
        self.links.iter().any(|(page, link)| self.is_one_way(*page, *link))
    }

    /// What could not be looked at.
    pub(in crate::rules) fn notes(&self) -> Vec<String> {
        match self.full && self.linked {
            true => vec![format!("too many pages and alternates: whether they link back (H04) was not checked")],
            false => Vec::new(),
        }
    }
}

impl LinkedPages {
    /// Notes a page that names none, where that can be seen without reading its markup: many do not.
    pub fn note_plain(&mut self, text: &str, secret: &Secret) -> bool {
        let has = |what: &[u8]| memmem::find(text.as_bytes(), what).is_some();
        if has(b"link") || has(b"<!") {
            return false;
        }
        let inner = text.strip_prefix("<url>").and_then(|inner| inner.trim_start().strip_prefix("<loc>"));
        let loc = inner.and_then(|inner| inner.split_once('<')).map(|(loc, _)| loc).filter(|loc| !loc.contains('&'));
        self.pages.extend(loc.map(|loc| (name(loc, secret), 0)));
        loc.is_some()
    }

    /// Notes a page with its versions; its name, if that was hashed already.
    pub fn note(&mut self, tree: &Tree<'_>, known: Option<u64>, secret: &Secret) {
        let Some(root) = tree.root() else { return };
        let is_loc = |child: &Node<'_, '_>| matches!(child.ns(), Ns::Sitemap | Ns::None) && child.name() == "loc";
        let Some(loc) = root.children().find(is_loc) else { return };
        let before = self.links.len();
        let links = alternates(root).filter_map(|link| Some(name(attribute(link, "href")?.value(), secret)));
        self.links.extend(links);
        let page = known.unwrap_or_else(|| name(loc.text_value(), secret));
        self.pages.push((page, self.links.len() - before));
    }
}

/// The links of a page that name its versions in other languages.
pub(super) fn alternates<'t, 'a>(root: Node<'t, 'a>) -> impl Iterator<Item = Node<'t, 'a>> {
    let is_link = |node: &Node<'t, 'a>| node.ns() == Ns::Xhtml && node.name() == "link";
    // links for other screens and for apps are not versions in another language
    let is_other = |node: &Node<'t, 'a>| node.attribute("media").is_some() && node.attribute("hreflang").is_none();
    root.children().filter(is_link).filter(move |node| !is_other(node))
}
