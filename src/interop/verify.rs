//! `convert --verify`: what was written is read again with the `rss` and `atom_syndication` crates, entry by entry, and
//! held against what our own parser and our own reader see in it. We keep the books; someone else audits them.

#![cfg_attr(
    not(any(feature = "rss", feature = "atom")),
    allow(dead_code, reason = "without a crate that reads it, nothing is verified")
)]

use std::sync::Arc;

use super::shallow;
use crate::convert::read::{EntryReader, RawEntry, read_entry};
use crate::error::{Error, ErrorKind};
use crate::format::{self, EntryDelimiter, Format};
#[cfg(feature = "atom")]
use crate::model::Date;
use crate::model::Entry;
use crate::options::Options;
use crate::tree::{Node, Tree};
use crate::xml::chunk::{Chunk, Context, SplitLimits};
#[cfg(any(feature = "rss", feature = "atom"))]
use crate::xml::names::Ns;
use crate::xml::split::Splitter;

/// Reads the entries of one output again.
pub struct Verifier {
    target: &'static Format,
    context: Arc<Context>,
    close: String,
    options: Options,
}

/// One thing that both see.
struct Fact {
    name: &'static str,
    ours: Vec<String>,
    theirs: Vec<String>,
}

impl Verifier {
    /// For an output that begins with this head, up to the first entry. The head itself is compared with the other
    /// crate's view of it.
    ///
    /// # Errors
    /// [`ErrorKind::Verify`] if they differ; a target that is neither RSS nor Atom, or one whose crate is not part of
    /// this build.
    pub fn new(target: &'static Format, head: &[u8]) -> Result<Verifier, Error> {
        let family = target.family;
        let is_read = family.is_rss() && cfg!(feature = "rss") || family.is_atom() && cfg!(feature = "atom");
        let Some(entry) = family.empty_entry.filter(|_| is_read) else {
            return Err(Error::format(format!("cannot verify {}", target.id), "no independent reader is available"));
        };
        let head = String::from_utf8_lossy(head);
        let context = first_chunk(target, &format!("{head}{entry}")).map(|chunk| chunk.context).unwrap_or_default();
        let close: String = context.path.rsplit('/').map(|name| format!("</{name}>")).collect();
        let verifier = Verifier { target, context, close, options: Options::default() };
        verifier.compare(&format!("{head}{}", verifier.close), "the head", true)?;
        Ok(verifier)
    }

    /// Holds an entry, as it was written, against what the other crate sees in it.
    ///
    /// # Errors
    /// [`ErrorKind::Verify`] naming the difference; [`ErrorKind::Limit`] for an entry too deep to be handed over.
    pub fn entry(&self, entry: &[u8]) -> Result<(), Error> {
        let entry = String::from_utf8_lossy(entry);
        let text = format!("{}{entry}{}", self.context.tags, self.close);
        self.compare(&text, "an entry", false)
    }

    fn compare(&self, text: &str, what: &str, head: bool) -> Result<(), Error> {
        let tree = shallow(text)?;
        let facts: Vec<Fact> = match self.target.family.namespace {
            #[cfg(feature = "rss")]
            Some(Ns::None) => rss_facts(&tree, text, head)?,
            #[cfg(feature = "atom")]
            Some(Ns::Atom) => atom_facts(&tree, text, head)?,
            _ => Vec::new(),
        };
        for fact in facts {
            if fact.ours != fact.theirs {
                let (name, ours, theirs) = (fact.name, quote(&fact.ours), quote(&fact.theirs));
                let says = format!("{name} of {what} is {ours}, but the other reader has {theirs}");
                return Err(ErrorKind::Verify { says }.into());
            }
        }
        if head { Ok(()) } else { self.model(&tree, text) }
    }

    /// Checks that our own reader finds all content of the entry.
    fn model(&self, tree: &Tree<'_>, text: &str) -> Result<(), Error> {
        let Some(chunk) = first_chunk(self.target, text) else { return Ok(()) };
        let mut reading = EntryReader::new(&chunk.context);
        for (piece, node) in chunk.pieces.iter().zip(entries(tree, self.target)) {
            let text = chunk.text.get(piece.start..piece.end).unwrap_or_default();
            let raw = RawEntry { text, context: &chunk.context, number: 0, line: 1, column: 1 };
            let around = format::around(None, &self.options);
            let Ok(entry) = read_entry(self.target, &raw, &mut reading, around) else {
                return Err(ErrorKind::Verify { says: "our own reader cannot read an entry".to_owned() }.into());
            };
            same_model(&entry, node)?;
        }
        Ok(())
    }
}

fn quote(values: &[String]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| format!("\"{}\"", crate::ledger::shorten(value))).collect();
    if quoted.is_empty() { "absent".to_owned() } else { quoted.join(", ") }
}

fn first_chunk(target: &Format, text: &str) -> Option<Chunk> {
    let EntryDelimiter::Markup(shape) = target.reader.cut() else { return None };
    let limits = SplitLimits { entry: usize::MAX, head: usize::MAX, chunk: usize::MAX, ..SplitLimits::default() };
    Splitter::new(text.as_bytes(), shape, limits).next_chunk().ok().flatten()
}

/// The entries of a wrapped output.
fn entries<'t, 'a>(tree: &'t Tree<'a>, target: &Format) -> Vec<Node<'t, 'a>> {
    let Some(root) = tree.root() else { return Vec::new() };
    match target.family.holder {
        Some(holder) => {
            let channel = root.children().find(|node| node.name() == holder);
            channel.into_iter().flat_map(|channel| children_named(channel, "item")).collect()
        }
        None => children_named(root, "entry").collect(),
    }
}

/// Children in the vocabulary of their parent: not `atom:link` in RSS.
fn children_named<'t, 'a>(node: Node<'t, 'a>, name: &'static str) -> impl Iterator<Item = Node<'t, 'a>> {
    node.children().filter(move |child| child.ns() == node.ns() && child.name() == name)
}

/// The same, and children of that tag in any vocabulary: the other readers take a `title` without a prefix for theirs.
fn tagged<'t, 'a>(node: Node<'t, 'a>, name: &'static str) -> impl Iterator<Item = Node<'t, 'a>> {
    let own = move |child: Node<'t, 'a>| child.ns() == node.ns() && child.name() == name;
    node.children().filter(move |child| child.raw().qname == name || own(*child))
}

/// Our own reader: identity, title and date of the entry are what its elements say.
fn same_model(entry: &Entry<'_>, node: Node<'_, '_>) -> Result<(), Error> {
    let id = children_named(node, "guid").chain(children_named(node, "id")).map(text).find(|text| !text.is_empty());
    let title =
        children_named(node, "title").find(|title| !title.has_children()).map(text).filter(|text| !text.is_empty());
    let has = [
        ("the identifier", id, entry.id.as_ref().map(|id| clean(id))),
        ("the title", title, entry.title.as_ref().map(|title| clean(&title.value))),
    ];
    for (name, ours, model) in has {
        if ours.is_some() && ours != model {
            let says = format!("{name} of an entry is {ours:?}, but our own reader has {model:?}");
            return Err(ErrorKind::Verify { says }.into());
        }
    }
    Ok(())
}

/// The characters of an element as both sides can be expected to see them: white space around them, and the difference
/// between ends of lines, mean nothing.
fn clean(text: &str) -> String {
    text.trim().replace("\r\n", "\n").replace('\r', "\n")
}

/// All characters directly in an element.
fn text(node: Node<'_, '_>) -> String {
    let runs = node.nodes().filter(|run| run.kind() == crate::tree::NodeKind::Text);
    clean(&runs.map(Node::value).collect::<String>())
}

/// The last element of a name counts, as with the other readers; none is as good as an empty one, and one with markup
/// in it is not compared.
fn last(node: Node<'_, '_>, name: &'static str, theirs: Option<&str>) -> Option<Fact> {
    let element = tagged(node, name).last();
    if element.is_some_and(Node::has_children) {
        return None;
    }
    let some = |text: String| Some(text).filter(|text| !text.is_empty());
    let ours = element.map(text).and_then(some).into_iter().collect();
    let theirs = theirs.map(clean).and_then(some).into_iter().collect();
    Some(Fact { name, ours, theirs })
}

fn attributes(nodes: impl Iterator<Item = impl AsRef<str>>) -> Vec<String> {
    nodes.map(|value| clean(value.as_ref())).collect()
}

fn attribute(node: Node<'_, '_>, name: &str) -> String {
    clean(node.attribute(name).map_or("", Node::value))
}

fn number(name: &'static str, ours: usize, theirs: usize) -> Fact {
    Fact { name, ours: vec![ours.to_string()], theirs: vec![theirs.to_string()] }
}

#[cfg(feature = "rss")]
fn rss_facts(tree: &Tree<'_>, text: &str, head: bool) -> Result<Vec<Fact>, Error> {
    let refused = |error: rss::Error| ErrorKind::Verify { says: format!("the rss crate rejects it: {error}") };
    let channel = rss::Channel::read_from(text.as_bytes()).map_err(refused)?;
    let Some(root) = tree.root() else { return Ok(Vec::new()) };
    let mut facts = Vec::new();
    if let Some(node) = root.children().find(|node| head && node.name() == "channel") {
        facts.extend([
            last(node, "title", Some(&channel.title)),
            last(node, "link", Some(&channel.link)),
            last(node, "description", Some(&channel.description)),
            last(node, "language", channel.language.as_deref()),
            last(node, "copyright", channel.copyright.as_deref()),
            last(node, "pubDate", channel.pub_date.as_deref()),
            last(node, "lastBuildDate", channel.last_build_date.as_deref()),
            Some(number("the number of categories", tagged(node, "category").count(), channel.categories.len())),
        ]);
    }
    let nodes = entries(tree, &crate::format::rss::RSS);
    facts.push(Some(number("the number of items", nodes.len(), channel.items.len())));
    for (node, item) in nodes.into_iter().zip(&channel.items) {
        rss_item(node, item, &mut facts);
    }
    Ok(facts.into_iter().flatten().collect())
}

#[cfg(feature = "rss")]
fn rss_item(node: Node<'_, '_>, item: &rss::Item, facts: &mut Vec<Option<Fact>>) {
    let media = |name: &'static str| {
        // the other reader goes by the prefix
        let is_named = |child: Node<'_, '_>| child.raw().qname.strip_prefix("media:") == Some(name);
        let is_it = |child: &Node<'_, '_>| is_named(*child) || child.ns() == Ns::Media && child.name() == name;
        let ours = node.children().filter(is_it).count();
        let theirs = item.extensions.get("media").and_then(|media| media.get(name)).map_or(0, Vec::len);
        Some(number("the number of media elements", ours, theirs))
    };
    let guid = tagged(node, "guid").last();
    let permalink = guid.map(|guid| (attribute(guid, "isPermaLink") != "false").to_string());
    facts.extend([
        last(node, "title", item.title.as_deref()),
        last(node, "link", item.link.as_deref()),
        last(node, "description", item.description.as_deref()),
        last(node, "author", item.author.as_deref()),
        last(node, "comments", item.comments.as_deref()),
        last(node, "pubDate", item.pub_date.as_deref()),
        last(node, "guid", item.guid.as_ref().map(|guid| guid.value.as_str())),
        Some(Fact {
            name: "guid@isPermaLink",
            ours: permalink.into_iter().collect(),
            theirs: item.guid.iter().map(|guid| guid.permalink.to_string()).collect(),
        }),
        Some(Fact {
            name: "enclosure@url",
            ours: tagged(node, "enclosure").last().map(|file| attribute(file, "url")).into_iter().collect(),
            theirs: attributes(item.enclosure.iter().map(|file| &file.url)),
        }),
        Some(Fact {
            name: "source@url",
            ours: tagged(node, "source").last().map(|source| attribute(source, "url")).into_iter().collect(),
            theirs: attributes(item.source.iter().map(|source| &source.url)),
        }),
        Some(Fact {
            name: "category",
            ours: tagged(node, "category").map(self::text).collect(),
            theirs: attributes(item.categories.iter().map(|category| &category.name)),
        }),
        media("content"),
        media("group"),
    ]);
}

#[cfg(feature = "atom")]
fn atom_facts(tree: &Tree<'_>, text: &str, head: bool) -> Result<Vec<Fact>, Error> {
    use atom_syndication::Feed;
    let refused = |error: atom_syndication::Error| ErrorKind::Verify {
        says: format!("the atom_syndication crate rejects it: {error}"),
    };
    let feed = Feed::read_from(text.as_bytes()).map_err(refused)?;
    let Some(root) = tree.root() else { return Ok(Vec::new()) };
    let mut facts = Vec::new();
    if head {
        facts.extend([
            last(root, "id", Some(&feed.id)),
            last(root, "title", Some(&feed.title.value)),
            last(root, "subtitle", feed.subtitle.as_ref().map(|text| text.value.as_str())),
            last(root, "icon", feed.icon.as_deref()),
            last(root, "logo", feed.logo.as_deref()),
            date(root, "updated", Some(&feed.updated)),
            Some(hrefs(root, &feed.links)),
            Some(terms(root, &feed.categories)),
        ]);
    }
    let nodes = entries(tree, &crate::format::atom::ATOM);
    facts.push(Some(number("the number of entries", nodes.len(), feed.entries.len())));
    for (node, entry) in nodes.into_iter().zip(&feed.entries) {
        facts.extend([
            last(node, "id", Some(&entry.id)),
            last(node, "title", Some(&entry.title.value)),
            last(node, "summary", entry.summary.as_ref().map(|text| text.value.as_str())),
            last(node, "rights", entry.rights.as_ref().map(|text| text.value.as_str())),
            last(node, "content", entry.content.as_ref().and_then(|content| content.value.as_deref())),
            date(node, "updated", Some(&entry.updated)),
            date(node, "published", entry.published.as_ref()),
            Some(hrefs(node, &entry.links)),
            Some(terms(node, &entry.categories)),
            Some(number("the number of authors", tagged(node, "author").count(), entry.authors.len())),
        ]);
    }
    Ok(facts.into_iter().flatten().collect())
}

/// Compared as points in time; an element that is not there has a default with them.
#[cfg(feature = "atom")]
fn date(node: Node<'_, '_>, name: &'static str, theirs: Option<&atom_syndication::FixedDateTime>) -> Option<Fact> {
    let ours = tagged(node, name).last().map(text)?;
    let instant = |text: &str| Date::parse(text).map(|(date, _)| date.instant().to_string());
    let theirs = theirs.and_then(|date| instant(&date.to_rfc3339()));
    Some(Fact { name, ours: Vec::from_iter(instant(&ours)), theirs: Vec::from_iter(theirs) })
}

#[cfg(feature = "atom")]
fn hrefs(node: Node<'_, '_>, theirs: &[atom_syndication::Link]) -> Fact {
    Fact {
        name: "link@href",
        ours: tagged(node, "link").map(|link| attribute(link, "href")).collect(),
        theirs: attributes(theirs.iter().map(|link| &link.href)),
    }
}

#[cfg(feature = "atom")]
fn terms(node: Node<'_, '_>, theirs: &[atom_syndication::Category]) -> Fact {
    Fact {
        name: "category@term",
        ours: tagged(node, "category").map(|category| attribute(category, "term")).collect(),
        theirs: attributes(theirs.iter().map(|category| &category.term)),
    }
}
