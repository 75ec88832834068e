//! Writing markup and keeping the books in one act: a value cannot be written without its mark being settled.
//! It knows how XML is written, not what any format looks like.

use super::reason::{ValueChange, altering};
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use crate::fate::{Fate, FateTable};
use crate::ledger::Books;
use crate::model::{Date, Field, Foreign, Leaf, LeafType, LeafView, Mark, Str, Text, Value, Video, Walk};
use crate::place::SourceElements;
use crate::reason::Reason;
use crate::work;
use crate::xml::escape;
use crate::xml::names::{Ns, is_plain_qname};

/// The URI of the prefix `xmlns`; no other prefix may be bound to it (Namespaces in XML 1.0, section 3).
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The prefix of a sitemap's own elements in a feed; in a sitemap they have none.
const SITEMAP: &str = "sm";

/// How a format spells values that have several spellings.
#[derive(Clone, Copy)]
pub struct ValueSpelling {
    /// The word for yes.
    pub yes: &'static str,
    /// The word for no.
    pub no: &'static str,
    /// A date, with the change that this means.
    pub date: fn(&Date) -> (String, ValueChange),
}

/// Which element carries a field in a given vocabulary, for targets of the source's own family.
pub type Carrier = fn(Field, Ns) -> Option<&'static str>;

/// What the writing of a whole document has in common.
pub struct Style<'s> {
    /// The format's fate table.
    pub table: FateTable,
    /// Spellings of values.
    pub spelling: ValueSpelling,
    /// The other carriers of fields; `None` towards another family.
    pub carrier: Option<Carrier>,
    /// Namespaces declared on the root: prefix and URL.
    pub declared: &'s [(String, String)],
    /// Whether unknown markup is written back.
    pub foreign: bool,
    /// Whether it is not because that was asked for.
    pub foreign_dropped: bool,
    /// One element a line, indented.
    pub pretty: bool,
    /// Other spellings of the path of an entry or a head, with the one this format writes
    /// (`rdf:RDF/item` for `rss/channel/item`).
    pub roots: &'static [(&'static str, &'static str)],
}

struct OpenElement {
    /// The range of its name in the output.
    name: Range<usize>,
    /// The start tag is not closed yet: attributes may follow.
    in_tag: bool,
    /// It has child elements, so its end tag is on a separate line.
    children: bool,
    /// It or an ancestor contains text, so white space would become part of that text.
    inline: bool,
    /// There is unknown markup to be placed, but none of it in here: nothing need be counted.
    idle: bool,
    /// What the next child is, where its values show it.
    next: Option<NextElement>,
    /// What few elements have.
    rare: Option<Box<ElementExtras>>,
}

/// What is known of an open element where there is unknown markup, or a namespace to declare.
#[derive(Default)]
struct ElementExtras {
    /// How often each child name occurred; only kept while there is foreign markup to place.
    counts: HashMap<String, u32>,
    /// Prefixes declared on it, with their URLs.
    bound: Vec<(String, String)>,
    /// Attributes written on it whose names come from the model: URL and name.
    unknown: HashSet<(String, String)>,
}

impl OpenElement {
    /// An element whose name was just written to the end of the output.
    fn new(name: &str, buf: &[u8], inline: bool) -> OpenElement {
        let name = buf.len() - name.len()..buf.len();
        OpenElement { name, in_tag: true, children: false, inline, idle: false, next: None, rare: None }
    }

    fn rare(&mut self) -> &mut ElementExtras {
        self.rare.get_or_insert_default()
    }

    fn bound(&self) -> &[(String, String)] {
        self.rare.as_ref().map_or(&[], |rare| &rare.bound)
    }

    fn count(&self, name: &str) -> u32 {
        self.rare.as_ref().and_then(|rare| rare.counts.get(name)).copied().unwrap_or(0)
    }

    fn counted(&mut self, name: &str) -> &mut u32 {
        self.rare().counts.entry(name.to_owned()).or_insert(0)
    }

    /// The number in the source of the child of this name that is begun, if it is there.
    fn number(&mut self, name: &str) -> Option<u32> {
        let next = self.next.take();
        let count = self.counted(name);
        match next {
            Some(NextElement::None) => return None,
            Some(NextElement::Number(number)) => *count = number,
            None => *count += 1,
        }
        Some(*count)
    }
}

/// The unknown markup of one entry, by the path of the element that contained it.
struct ForeignPlan<'e> {
    items: &'e [Foreign<'e>],
    /// The path of a parent (with all numbers), and its direct children that are not written yet.
    hosts: HashMap<String, VecDeque<usize>>,
    /// Path of an element to the first item anywhere in it.
    first: HashMap<String, usize>,
    /// The paths of these elements without their last numbers: only such elements are looked up in the source.
    names: HashSet<String>,
    /// The elements of the source that values are from.
    source: SourceElements<'e, 'e>,
    /// The children of the entry that wait for a further item of it, by the number of the item, and the path of an item.
    later: HashMap<usize, VecDeque<usize>>,
    entry: String,
}

/// Which element of the source the next child of an open element is.
#[derive(Clone, Copy)]
enum NextElement {
    /// The one of its name with this number.
    Number(u32),
    /// None of its name.
    None,
}

/// The order of the children of one open element.
struct ChildOrder {
    /// How many elements are open in it, itself among them.
    level: usize,
    /// The place of an element by its name, the smallest first.
    rank: fn(&str) -> u8,
    children: Vec<Child>,
}

/// An element in an open one.
struct Child {
    /// Where it begins in the output.
    at: usize,
    /// Its place by its name; none for unknown markup, which has its number among that instead.
    place: Option<u16>,
    /// The last number of the unknown markup in it.
    unknown: Option<usize>,
}

/// The output of one entry, or of a head, and its books.
pub struct Out<'o, 'e> {
    style: &'o Style<'o>,
    buf: &'o mut Vec<u8>,
    books: &'o mut Books,
    open: Vec<OpenElement>,
    depth: usize,
    plan: Option<ForeignPlan<'e>>,
    path: String,
    /// In place of the target's own, while the words of another format are written.
    table: FateTable,
    /// How many prefixes are declared on elements that are open.
    bound: usize,
    /// Elements written with none open around them.
    tops: u64,
    /// Where further documents begin in the output, of one entry that becomes several.
    documents: Vec<usize>,
    /// A prefix that needs no declaration while there are none: most names have the one that the last had.
    settled: &'static str,
    /// Vocabularies of the target's family, whether the root declares them or not.
    claimed: &'static [Ns],
    /// Whether terms of media objects that no reader understood are written back.
    terms: bool,
    /// The order of the children of an element that is open.
    arranged: Option<Box<ChildOrder>>,
    /// The values written now are in no field of the model: they follow those of the same place that are.
    left: bool,
}

/// An ampersand of a text that is to be decoded once only, where readers decode texts twice: nobody escapes twice in this
/// way.
pub const PLAIN_AMPERSAND: &str = "&#38;";

/// The elements of sitemaps with such texts, and the attribute where the text is in one.
const DECODED_TWICE: &[(&str, &str)] = &[
    ("image:caption", ""),
    ("image:geo_location", ""),
    ("image:title", ""),
    ("news:keywords", ""),
    ("news:name", ""),
    ("news:title", ""),
    ("video:category", ""),
    ("video:description", ""),
    ("video:episode_title", ""),
    ("video:gallery_loc", "title"),
    ("video:show_title", ""),
    ("video:tag", ""),
    ("video:title", ""),
    ("video:uploader", ""),
];

/// Whether a text would be read as another one in an element whose texts are decoded twice.
fn reads_as_escaped(text: &str) -> bool {
    escape::unescape_lenient(text).0 != text
}

impl<'o, 'e> Out<'o, 'e> {
    /// Begins to write below so many open elements.
    pub fn new(style: &'o Style<'o>, buf: &'o mut Vec<u8>, books: &'o mut Books, depth: usize) -> Out<'o, 'e> {
        let (open, path, settled) = (Vec::new(), String::new(), "");
        let (plan, claimed, terms) = (None, &[][..], false);
        books.spelling(style.spelling.date);
        books.drop_markup(style.foreign_dropped);
        Out {
            style,
            buf,
            books,
            open,
            depth,
            plan,
            path,
            table: style.table,
            bound: 0,
            tops: 0,
            documents: Vec::new(),
            settled,
            claimed,
            terms,
            arranged: None,
            left: false,
        }
    }

    /// Claims vocabularies for the target's family. Their elements are written from the model or not at all: markup of them that
    /// no reader understood is not written back.
    pub fn claim(&mut self, vocabularies: &'static [Ns]) {
        self.claimed = vocabularies;
    }

    /// Lets terms of media objects that no reader understood (`dcterms:valid` of a bare date) go back into them.
    pub fn admit_terms(&mut self) {
        self.terms = true;
    }

    /// The books, for what is settled without being written.
    pub fn books(&mut self) -> &mut Books {
        self.books
    }

    /// How many top-level elements, objects or rows were written.
    pub(crate) fn open_level(&self) -> u64 {
        self.tops
    }

    /// Begins another document: the target has one root in each, and the entry becomes several.
    pub(crate) fn next_document(&mut self) {
        self.documents.push(self.buf.len());
    }

    /// Where further documents begin in the output.
    pub(crate) fn documents(self) -> Vec<usize> {
        self.documents
    }

    /// Counts a row of a table or an object, which is no element.
    pub(crate) fn one_more(&mut self) {
        self.tops += 1;
    }

    /// Whether the target is of the source's family, so that modules go back as they came.
    pub fn same_family(&self) -> bool {
        self.style.carrier.is_some()
    }

    /// Whether unknown markup is written back.
    pub fn keeps_foreign(&self) -> bool {
        self.style.foreign
    }

    /// Writes elements of another format, which has this fate table; `why` is the reason reported for values that are
    /// only there.
    pub fn carry(&mut self, table: FateTable, why: Option<Reason>, inside: impl FnOnce(&mut Self)) {
        self.table = table;
        self.books.carry(why);
        inside(self);
        self.books.carry(None);
        self.table = self.style.table;
    }

    /// Sets the unknown markup to write into its original parent elements, which are found by the places of other values in
    /// them. The first element that will be opened is its root.
    pub(crate) fn place(&mut self, items: &'e [Foreign<'e>], source: SourceElements<'e, 'e>) {
        self.path.clear();
        self.plan = None;
        if !self.style.foreign || items.is_empty() {
            return;
        }
        let mut hosts: HashMap<String, VecDeque<usize>> = HashMap::new();
        let mut above: Vec<(&str, bool)> = Vec::new();
        let mut last: Option<(&str, Ns)> = None;
        work::count(items.len());
        for (index, item) in items.iter().enumerate() {
            // an item below another item is written with it
            while above.last().is_some_and(|(path, _)| !is_below(&item.path, path)) {
                above.pop();
            }
            let top = above.is_empty();
            above.push((&item.path, top));
            if top && let Some((host, step)) = item.path.rsplit_once('/') {
                // most have the namespace of the one before
                let known = match last {
                    Some((uri, ns)) if *uri == *item.ns => ns,
                    _ => Ns::from_uri(&item.ns).ns,
                };
                last = Some((&item.ns, known));
                let unprefixed = item.ns.is_empty();
                let is_term = self.terms && known == Ns::Dcterms && is_in_media(host);
                let ours = unprefixed || known != Ns::Unknown && self.defines(known) && !is_term;
                let is_child = !step.starts_with('@');
                if step != "text()" && !ours && !(is_child && is_date(host)) {
                    hosts.entry(numbered(host, self.style.roots)).or_default().push_back(index);
                }
            }
        }
        if hosts.is_empty() {
            return;
        }
        let mut first: HashMap<String, usize> = HashMap::new();
        for (path, indices) in &hosts {
            let Some(&index) = indices.front() else { continue };
            for (end, _) in path.match_indices('/').chain([(path.len(), "")]) {
                let least = first.entry(path[..end].to_owned()).or_insert(index);
                *least = index.min(*least);
            }
        }
        let without_last = |path: &String| path.rsplit_once('[').map_or(path.as_str(), |(name, _)| name).to_owned();
        let names = first.keys().map(without_last).collect();
        self.plan =
            Some(ForeignPlan { items, hosts, first, names, source, later: HashMap::new(), entry: String::new() });
    }

    /// The entry becomes several items: its own unknown children wait for the items that they go with.
    pub(crate) fn divide(&mut self, item_of: impl Fn(usize) -> usize) {
        let Some(plan) = &mut self.plan else { return };
        for (path, children) in plan.hosts.iter_mut().filter(|(path, _)| !path.contains('/')) {
            plan.entry.clone_from(path);
            children.retain(|index| {
                let item = item_of(*index);
                if item > 0 {
                    plan.later.entry(item).or_default().push_back(*index);
                }
                item == 0
            });
        }
    }

    /// The item with this number of a divided entry begins.
    pub(crate) fn begin_item(&mut self, number: usize) {
        if let Some(plan) = &mut self.plan
            && let Some(children) = plan.later.remove(&number)
            && let Some(waiting) = plan.hosts.get_mut(&plan.entry)
        {
            waiting.extend(children);
        }
    }

    /// Whether the target's own vocabularies include this namespace. Of Podcasting 2.0 only the live item is understood, and
    /// descriptions for Yandex have elements of their own that Yandex does not document.
    fn defines(&self, ns: Ns) -> bool {
        let declared = || self.style.declared.iter().any(|(_, uri)| Ns::from_uri(uri).ns == ns);
        self.claimed.contains(&ns)
            || ns == Ns::None
            || ns == Ns::Xml
            || !matches!(ns, Ns::Podcast | Ns::Ovs) && declared()
    }

    // --- elements ---

    /// Sorts the children of the open element by these places, whatever order they are written in. Within one place,
    /// fields of the model come first, then other values, then unknown markup. A reader may find a value in another part
    /// of the model than it was written from (a module instead of a field); with one order, it is written in the same
    /// place again.
    pub fn arrange(&mut self, rank: fn(&str) -> u8) {
        self.arranged = Some(Box::new(ChildOrder { level: self.open.len(), rank, children: Vec::new() }));
    }

    /// Writes what no concept took.
    pub fn leftover(&mut self, inside: impl FnOnce(&mut Self)) {
        self.left = true;
        inside(self);
        self.left = false;
    }

    /// A child of the open element begins here: a known one of this name, or unknown markup with this number.
    fn begin_child(&mut self, name: Result<&str, usize>) {
        let (level, at, left) = (self.open.len(), self.buf.len(), self.left);
        if let Some(arranged) = self.arranged.as_mut().filter(|arranged| arranged.level == level) {
            let place = name.ok().map(|name| 2 * u16::from((arranged.rank)(name)) + u16::from(left));
            arranged.children.push(Child { at, place, unknown: name.err() });
        }
    }

    /// Unknown markup with this number was written in an element.
    fn hosted(&mut self, number: usize) {
        let level = self.open.len();
        if let Some(arranged) = self.arranged.as_mut().filter(|arranged| arranged.level < level)
            && let Some(child) = arranged.children.last_mut()
        {
            child.unknown = child.unknown.max(Some(number));
        }
    }

    /// Sorts the children of the open element, if [`Out::arrange`] was called for it. Unknown markup goes before the first
    /// other child that contains unknown markup of a higher number. An element that goes back as unknown markup, and that
    /// the model gives too, is there once.
    fn put_in_order(&mut self) {
        let level = self.open.len();
        let Some(arranged) = self.arranged.take_if(|arranged| arranged.level == level) else { return };
        let children = arranged.children;
        work::count(children.len());
        let Some(first) = children.first().map(|child| child.at) else { return };
        let in_place = children.is_sorted_by_key(|child| child.place.unwrap_or(u16::MAX));
        let is_unknown = |child: &Child| child.unknown.is_some();
        if in_place && !children.iter().any(is_unknown) {
            return;
        }
        let ends = children.iter().skip(1).map(|child| child.at).chain([self.buf.len()]);
        let pieces: Vec<(&Child, Range<usize>)> =
            children.iter().zip(ends).map(|(child, end)| (child, child.at - first..end - first)).collect();
        let (mut known, unknown): (Vec<_>, Vec<_>) = pieces.into_iter().partition(|(child, _)| child.place.is_some());
        known.sort_by_key(|(child, _)| child.place);
        let written = self.buf.split_off(first);
        let markup = |piece: &Range<usize>| written.get(piece.clone()).unwrap_or_default();
        let goes_back: HashSet<&[u8]> = unknown.iter().map(|(_, piece)| markup(piece)).collect();
        known.retain(|(_, piece)| !goes_back.contains(markup(piece)));
        let mut unknown = unknown.into_iter().peekable();
        let mut write = |piece: &Range<usize>| self.buf.extend_from_slice(markup(piece));
        for (child, piece) in &known {
            while let Some((_, before)) = unknown.next_if(|(other, _)| other.unknown < child.unknown) {
                write(&before);
            }
            write(piece);
        }
        unknown.for_each(|(_, piece)| write(&piece));
    }

    /// Writes an element around what `inside` writes; if that is nothing, nothing is written.
    pub fn element(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        self.host_children_before(name);
        let before = self.buf.len();
        let path = self.path.len();
        let above = self.open.last().map(|parent| (parent.in_tag, parent.children, parent.count(name)));
        let empty = self.begin(name);
        inside(self);
        self.host_children();
        if self.buf.len() == empty {
            self.close();
            self.path.truncate(path);
            self.buf.truncate(before);
            if let Some(arranged) = &mut self.arranged {
                arranged.children.truncate(arranged.children.partition_point(|child| child.at < before));
            }
            if let (Some(parent), Some((in_tag, children, before))) = (self.open.last_mut(), above) {
                (parent.in_tag, parent.children) = (in_tag, children);
                if let Some(count) = parent.rare.as_mut().and_then(|rare| rare.counts.get_mut(name)) {
                    *count = before;
                }
            }
            return;
        }
        self.end();
        self.path.truncate(path);
    }

    /// The same for the element of the source that this part of the model is from, which may be one of several.
    pub fn element_of<W: Walk<Names = ()>>(&mut self, name: &str, part: &W, inside: impl FnOnce(&mut Self)) {
        self.next_from(name, |see| part.walk((), &mut |seen: LeafView<'_>| see(seen.mark)));
        self.element(name, inside);
    }

    /// The same for the one that has this value; it is written even if nothing is inside.
    pub fn element_at(&mut self, name: &str, mark: Mark, inside: impl FnOnce(&mut Self)) {
        self.next_from(name, |see| see(mark));
        self.element_always(name, inside);
    }

    /// Writes an element even if nothing is inside.
    pub fn element_always(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        self.host_children_before(name);
        let path = self.path.len();
        self.begin(name);
        inside(self);
        self.host_children();
        self.put_in_order();
        self.end();
        self.path.truncate(path);
    }

    /// Whether unknown markup is to be written into the next child of this name.
    pub fn has_foreign_child(&mut self, name: &str) -> bool {
        self.next_unknown(name).is_some()
    }

    /// Whether unknown markup may be written into the open element.
    fn takes_foreign(&self) -> bool {
        self.plan.is_some() && !self.open.last().is_some_and(|open| open.idle)
    }

    /// The first piece of unknown markup in the next child of this name.
    fn next_unknown(&mut self, name: &str) -> Option<usize> {
        let open = self.open.last().filter(|_| self.takes_foreign())?;
        let number = match open.next {
            Some(NextElement::Number(number)) => number,
            Some(NextElement::None) => return None,
            None => open.count(name) + 1,
        };
        let length = self.path.len();
        push_step(&mut self.path, name, number);
        let found = self.plan.as_ref().and_then(|plan| plan.first.get(&self.path)).copied();
        self.path.truncate(length);
        found
    }

    /// Opens an element; returns where the output ended before anything of its own was written inside its tag.
    fn begin(&mut self, name: &str) -> usize {
        work::count(1);
        self.close_start_tag(true);
        self.begin_child(Ok(name));
        self.indent();
        self.tops += u64::from(self.open.is_empty());
        self.buf.push(b'<');
        self.buf.extend_from_slice(name.as_bytes());
        let mut open = OpenElement::new(name, self.buf, self.inline());
        open.idle = self.plan.is_some();
        if self.takes_foreign()
            && let Some(number) = self.open.last_mut().map_or(Some(1), |parent| parent.number(name))
        {
            push_step(&mut self.path, name, number);
            open.idle = !self.plan.as_ref().is_some_and(|plan| plan.first.contains_key(&self.path));
        }
        self.open.push(open);
        self.declare(name);
        let empty = self.buf.len();
        self.host_attributes();
        empty
    }

    /// Declares the namespace of a name on the open element, if nothing around it declares its prefix. Elements do this
    /// by themselves; attributes with a prefix must ask.
    pub fn declare(&mut self, name: &str) {
        if self.is_settled(name) {
            return;
        }
        if let Some(prefix) = prefix_of(name)
            && let Some((prefix, ns)) = match prefix {
                SITEMAP => Some((SITEMAP, Ns::Sitemap)),
                _ => Ns::by_prefix(prefix).map(|ns| (ns.prefix(), ns)),
            }
        {
            let bound = self.bound_to(prefix) == Some(ns.uri()) || self.bind(prefix, ns.uri());
            if bound && self.bound == 0 {
                self.settled = prefix;
            }
        }
    }

    /// Whether a name has the prefix that the last one had, as nearly all have.
    fn is_settled(&self, name: &str) -> bool {
        let settled = self.settled;
        let known = !settled.is_empty() && self.bound == 0;
        known && name.as_bytes().get(settled.len()) == Some(&b':') && name.starts_with(settled)
    }

    /// Binds a prefix to a URL on the open element; false if the same start tag already binds it to another one.
    fn bind(&mut self, prefix: &str, uri: &str) -> bool {
        if !can_stand_for(prefix, uri) {
            return false;
        }
        if prefix == "xml" || self.bound_to(prefix).unwrap_or("") == uri {
            return true;
        }
        let Some(open) = self.open.last_mut() else { return false };
        if open.bound().iter().any(|(bound, _)| bound == prefix) {
            return false;
        }
        open.rare().bound.push((prefix.to_owned(), uri.to_owned()));
        self.bound += 1;
        match prefix {
            "" => self.raw_attribute("xmlns", uri),
            prefix => self.raw_attribute(&format!("xmlns:{prefix}"), uri),
        };
        true
    }

    /// The URL bound to a prefix here.
    fn bound_to(&self, prefix: &str) -> Option<&str> {
        let inner = self.open.iter().rev().flat_map(OpenElement::bound);
        let mut found = inner.chain(self.style.declared).filter(|(bound, _)| bound == prefix);
        found.next().map(|(_, uri)| uri.as_str())
    }

    fn close(&mut self) -> Option<OpenElement> {
        let open = self.open.pop()?;
        self.bound -= open.bound().len();
        Some(open)
    }

    fn end(&mut self) {
        let Some(open) = self.close() else { return };
        if open.in_tag {
            self.buf.extend_from_slice(b"/>");
        } else {
            if open.children && !open.inline {
                self.indent();
            }
            self.buf.extend_from_slice(b"</");
            self.buf.extend_from_within(open.name);
            self.buf.push(b'>');
        }
    }

    fn indent(&mut self) {
        let depth = self.depth + self.open.len();
        if self.style.pretty && depth > 0 && !self.inline() {
            self.buf.push(b'\n');
            self.buf.extend(std::iter::repeat_n(b' ', 2 * depth));
        }
    }

    /// Whether white space means something here.
    fn inline(&self) -> bool {
        self.open.last().is_some_and(|open| open.inline)
    }

    /// Text comes next in the open element.
    fn begin_text(&mut self, text: &str) {
        self.close_start_tag(false);
        if let Some(open) = self.open.last_mut() {
            open.inline |= !text.is_empty();
        }
    }

    fn close_start_tag(&mut self, child: bool) {
        if let Some(open) = self.open.last_mut() {
            open.children |= child;
            if open.in_tag {
                open.in_tag = false;
                self.buf.push(b'>');
            }
        }
    }

    fn raw_attribute(&mut self, name: &str, value: &str) -> bool {
        self.buf.push(b' ');
        self.buf.extend_from_slice(name.as_bytes());
        self.buf.extend_from_slice(b"=\"");
        let whole = self.written(value, |out, value| out.escaped(name, value, escape::escape_attr));
        self.buf.push(b'"');
        whole
    }

    fn raw_text(&mut self, text: &str) -> bool {
        self.begin_text(text);
        self.written(text, |out, text| out.escaped("", text, escape::escape_text))
    }

    /// Writes a value with this function, and anew as it is printable if it was not written whole; whether it was.
    fn written(&mut self, text: &str, write: impl Fn(&mut Self, &str) -> bool) -> bool {
        let start = self.buf.len();
        let whole = write(self, text);
        if !whole {
            self.buf.truncate(start);
            write(self, &printable(text));
        }
        whole
    }

    /// Writes a text of the open element, or of its attribute with this name, so that it is read as it is.
    fn escaped(&mut self, attribute: &str, text: &str, escape: impl Fn(&str, &mut Vec<u8>) -> bool) -> bool {
        let open = || self.open.last().and_then(|open| self.buf.get(open.name.clone())).unwrap_or_default();
        let is_decoded_twice =
            |open: &[u8]| DECODED_TWICE.iter().any(|(name, own)| name.as_bytes() == open && *own == attribute);
        if !text.contains('&') || !is_decoded_twice(open()) || !reads_as_escaped(text) {
            return escape(text, self.buf);
        }
        let mut whole = true;
        for (number, piece) in text.split('&').enumerate() {
            if number > 0 {
                self.buf.extend_from_slice(PLAIN_AMPERSAND.as_bytes());
            }
            whole &= escape(piece, self.buf);
        }
        whole
    }

    /// Opens an element that stays open: the root, the channel. What follows is written inside.
    pub fn enter(&mut self, name: &str) {
        self.begin(name);
    }

    /// Writes the unknown children of the open element, before a child is opened that stays open.
    pub fn unknown(&mut self) {
        self.host_children();
    }

    /// Ends what is written directly inside the elements that stay open; entries come next.
    pub fn pause(&mut self) {
        self.host_children();
        self.put_in_order();
        self.close_start_tag(true);
    }

    /// The output itself, for what is no markup. What is written there must be settled in the books by hand.
    pub fn bytes(&mut self) -> &mut Vec<u8> {
        self.buf
    }

    /// Puts bytes in front of the first element: the XML declaration.
    pub fn prolog(&mut self, text: &str) {
        self.buf.extend_from_slice(text.as_bytes());
    }

    /// Declares the namespaces of the document on the open element.
    pub fn declare_all(&mut self) {
        let declared = self.style.declared;
        for (prefix, uri) in declared {
            match prefix.as_str() {
                "" => self.raw_attribute("xmlns", uri),
                prefix => self.raw_attribute(&format!("xmlns:{prefix}"), uri),
            };
        }
    }

    // --- values, by name ---

    /// Writes an attribute of the open element that no leaf gave and nobody need hear of: a constant of the format.
    pub fn constant(&mut self, name: &str, value: &str) {
        self.raw_attribute(name, value);
    }

    /// Writes a value as an attribute of the open element.
    pub fn attr_as(&mut self, name: &str, mark: Mark, text: &str, change: ValueChange) {
        self.declare(name);
        let whole = self.raw_attribute(name, text);
        self.settle(mark, text, change, whole);
    }

    /// Writes a value as the text of the open element.
    pub fn text_as(&mut self, mark: Mark, text: &str, change: ValueChange) {
        let whole = self.raw_text(text);
        self.settle(mark, text, change, whole);
    }

    /// Writes a value as a separate element.
    pub fn elem_as(&mut self, name: &str, mark: Mark, text: &str, change: ValueChange) {
        // no unknown markup goes into or before it, and no namespace has to be declared
        let is_decoded_twice = text.contains('&') && DECODED_TWICE.contains(&(name, ""));
        if !is_decoded_twice && !self.takes_foreign() && (self.is_settled(name) || prefix_of(name).is_none()) {
            self.close_start_tag(true);
            self.begin_child(Ok(name));
            self.indent();
            self.tops += u64::from(self.open.is_empty());
            self.tag(b"<", name);
            let whole = self.written(text, |out, text| escape::escape_text(text, out.buf));
            self.tag(b"</", name);
            return self.settle(mark, text, change, whole);
        }
        self.element_at(name, mark, |out| out.text_as(mark, text, change));
    }

    /// A tag without attributes.
    fn tag(&mut self, begin: &[u8], name: &str) {
        self.buf.reserve(begin.len() + name.len() + 1);
        self.buf.extend_from_slice(begin);
        self.buf.extend_from_slice(name.as_bytes());
        self.buf.push(b'>');
    }

    /// Writes an element with a generated value; `from` is the leaf it was derived from.
    pub fn make(&mut self, name: &str, field: Field, why: Reason, from: Option<Mark>, text: &str) {
        self.element_always(name, |out| out.make_text(field, why, from, text));
    }

    /// Writes text that no source leaf gave into the open element.
    pub fn make_text(&mut self, field: Field, why: Reason, from: Option<Mark>, text: &str) {
        let whole = self.raw_text(text);
        self.books.made(field, why, from, if whole { text.to_owned() } else { printable(text) });
    }

    /// Writes an attribute whose value no source leaf gave.
    pub fn make_attr(&mut self, name: &str, field: Field, why: Reason, from: Option<Mark>, text: &str) {
        let whole = self.raw_attribute(name, text);
        self.books.made(field, why, from, if whole { text.to_owned() } else { printable(text) });
    }

    /// Writes markup that is well-formed already (XHTML content) into the open element.
    pub fn markup(&mut self, mark: Mark, markup: &str, change: ValueChange) {
        self.begin_text(markup);
        self.buf.extend_from_slice(markup.as_bytes());
        self.settle(mark, markup, change, true);
    }

    fn settle(&mut self, mark: Mark, text: &str, change: ValueChange, whole: bool) {
        match change {
            _ if !whole => self.books.changed(mark, Reason::ControlCharacters, printable(text)),
            None => self.books.kept_as(mark, || text.to_owned()),
            Some(why) => self.books.changed(mark, why, text.to_owned()),
        }
    }

    // --- values, by field: the fate table knows the name ---

    /// The fates of all fields in this run.
    pub fn table(&self) -> FateTable {
        self.style.table
    }

    /// The name a leaf is written under: its own carrier's in its own family, else the fate table's.
    fn name_of(&self, field: Field, via: Option<Ns>) -> Option<(&'static str, ValueChange)> {
        if let (Some(carrier), Some(ns)) = (self.style.carrier, via)
            && let Some(name) = carrier(field, ns)
        {
            return Some((name, None));
        }
        match (self.table)(field) {
            Fate::Native(name) => Some((name, None)),
            Fate::Near(name, why) => Some((name, Some(why))),
            Fate::Lost(..) => None,
        }
    }

    /// Writes a value under the name the fate table gives its field: as an attribute where the name has an `@`, else
    /// as an element. A field that the format has no place for is left to the books.
    pub fn put<T: LeafType>(&mut self, field: Field, slot: &Option<Leaf<T>>) {
        if let Some(leaf) = slot {
            self.put_leaf(field, leaf);
        }
    }

    /// The same for an element that its parent requires: where there is no value an empty one is made.
    pub fn put_always<T: LeafType>(&mut self, name: &str, field: Field, slot: &Option<Leaf<T>>, made: Reason) {
        match slot {
            Some(leaf) => self.put_leaf(field, leaf),
            None => self.make(name, field, made, None, ""),
        }
    }

    /// The same for each value of a list.
    pub fn each<T: LeafType>(&mut self, field: Field, slots: &[Leaf<T>]) {
        for leaf in slots {
            self.put_leaf(field, leaf);
        }
    }

    /// The same for one leaf.
    pub fn put_leaf<T: LeafType>(&mut self, field: Field, leaf: &Leaf<T>) {
        let Some((name, change)) = self.name_of(field, leaf.via) else { return };
        let (text, respelt) = self.spell(leaf.value.value());
        self.write_named(name, leaf.mark, &text, altering(change, respelt));
    }

    /// Writes a text under a name of the fate table's kind: `element`, `element@attribute`.
    pub fn write_named(&mut self, name: &str, mark: Mark, text: &str, change: ValueChange) {
        // an attribute is the last step, and no step is one's name
        let last = name.bytes().rposition(|byte| matches!(byte, b'@' | b'/'));
        match last.and_then(|at| Some((name.as_bytes().get(at)?, name.get(at + 1..)?))) {
            Some((b'@', attribute)) => self.attr_as(attribute, mark, text, change),
            Some((_, step)) => self.elem_as(step, mark, text, change),
            None => self.elem_as(name, mark, text, change),
        }
    }

    /// Writes a value as the text of the open element, if the format has a place for its field.
    pub fn text_of<T: LeafType>(&mut self, field: Field, slot: &Option<Leaf<T>>) {
        let Some(leaf) = slot else { return };
        let Some((_, change)) = self.name_of(field, leaf.via) else { return };
        let (text, respelt) = self.spell(leaf.value.value());
        self.text_as(leaf.mark, &text, altering(change, respelt));
    }

    /// Writes a list as one text, its members joined; each member is a separate value in the books.
    pub fn joined(&mut self, field: Field, slots: &[Str<'_>], separator: &str) {
        if slots.is_empty() || self.name_of(field, None).is_none() {
            return;
        }
        let text: Vec<&str> = slots.iter().map(Leaf::as_str).collect();
        let whole = self.raw_text(&text.join(separator));
        for leaf in slots {
            self.settle(leaf.mark, &leaf.value, None, whole);
        }
    }

    /// The spelling of a value in this format.
    pub fn spell<'v>(&self, value: Value<'v>) -> (std::borrow::Cow<'v, str>, ValueChange) {
        use std::borrow::Cow::{Borrowed, Owned};
        match value {
            Value::Str(text) => (Borrowed(text), None),
            Value::Decimal(decimal) => (Borrowed(decimal.as_str()), None),
            Value::Date(date) => {
                let (text, change) = (self.style.spelling.date)(date);
                (Owned(text), change)
            }
            Value::Flag(true) => (Borrowed(self.style.spelling.yes), None),
            Value::Flag(false) => (Borrowed(self.style.spelling.no), None),
            Value::Seconds(_) | Value::Count(_) => (Owned(value.to_string()), None),
            Value::Nothing => (Borrowed(""), None),
        }
    }

    /// The attributes every text may have: `xml:lang`, `xml:base`.
    pub fn put_text_attributes(&mut self, text: &Text<'_>) {
        self.put(Field::TextLang, &text.lang);
        self.put(Field::TextBase, &text.base);
    }

    // --- what is settled without being written ---

    /// Everything in this part of the model that is not written yet is lost for this reason.
    pub fn drop<W: Walk>(&mut self, part: &W, names: W::Names, why: Reason) {
        let mut losing = self.books.losing(why, None);
        part.walk(names, &mut |seen: LeafView<'_>| losing.lost(seen.mark));
    }

    /// Drops a part of which nothing is written, including values settled as not chosen before that was known.
    pub fn drop_all_of<W: Walk>(&mut self, part: &W, names: W::Names, why: Reason) {
        part.walk(names, &mut |seen: LeafView<'_>| self.books.lost_with_all(seen.mark, why));
    }

    /// A video is not written, and nothing of it elsewhere.
    pub fn drop_video(&mut self, video: &Video<'_>, why: Reason) {
        self.books.drop_video(video.first_mark(), why);
        self.drop_all_of(video, (), why);
    }

    /// The source's next element of this name is not written: the unknown markup of those behind it keeps its place.
    pub fn skip(&mut self, name: &str) {
        self.skip_many(name, 1);
    }

    /// The same for so many of them.
    pub fn skip_many(&mut self, name: &str, count: u32) {
        work::count(1);
        if count > 0
            && self.takes_foreign()
            && let Some(parent) = self.open.last_mut()
        {
            *parent.counted(name) += count;
        }
    }

    /// The next element of this name is the source's with this number, counted from 1: the unknown markup of that one is
    /// its own.
    pub fn next_is(&mut self, name: &str, number: u32) {
        if self.takes_foreign()
            && let Some(parent) = self.open.last_mut()
        {
            *parent.counted(name) = number.saturating_sub(1);
        }
    }

    /// The next element of this name is the one of the source that has the first of these values that is in such an element:
    /// the unknown markup of that one is its own. Without a place in the source, elements are counted.
    pub fn next_from(&mut self, name: &str, values: impl FnOnce(&mut dyn FnMut(Mark))) {
        if !self.may_host(name) {
            return;
        }
        let Some(mut plan) = self.plan.take() else { return };
        let mut next = None;
        values(&mut |mark| {
            if matches!(next, Some(NextElement::Number(_))) {
                return;
            }
            let Some(path) = plan.source.path(mark) else { return };
            work::count(1);
            let path = numbered(&path, self.style.roots);
            let step = path.strip_prefix(&self.path).and_then(|rest| rest.strip_prefix('/')?.strip_prefix(name));
            let number = step.and_then(|rest| rest.strip_prefix('[')?.split_once(']')?.0.parse().ok());
            next = Some(number.map_or(NextElement::None, NextElement::Number));
        });
        self.plan = Some(plan);
        if let Some(parent) = self.open.last_mut() {
            parent.next = next;
        }
    }

    /// Whether an element of the source with this name, in the open one, has unknown markup.
    fn may_host(&mut self, name: &str) -> bool {
        if !self.takes_foreign() {
            return false;
        }
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(name);
        let may = self.plan.as_ref().is_some_and(|plan| plan.names.contains(&self.path));
        self.path.truncate(length);
        may
    }

    /// So many videos of the page are settled.
    pub fn at_video(&mut self, number: usize) {
        self.books.at_video(number, self.buf.len());
    }

    /// Nothing of the entry is written.
    pub fn drop_entry(&mut self, why: Reason) {
        self.books.drop_all(why);
    }

    // --- unknown markup ---

    fn host_attributes(&mut self) {
        if !self.takes_foreign() {
            return;
        }
        let Some(mut plan) = self.plan.take() else { return };
        if let Some(hosted) = plan.hosts.get_mut(&self.path) {
            // an element of the source may become several
            hosted.retain(|&index| {
                let item = &plan.items[index];
                work::count(1);
                let name = attribute_name(item);
                if let Some(name) = &name {
                    self.foreign_attribute(item, index, name);
                }
                name.is_none()
            });
        }
        self.plan = Some(plan);
    }

    fn foreign_attribute(&mut self, item: &Foreign<'_>, index: usize, name: &str) {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        // markup from a caller may list an attribute after the content of its element
        if !self.open.last().is_some_and(|open| open.in_tag) {
            return;
        }
        if !is_plain_qname(name) || local == "xmlns" || prefix.is_empty() != item.ns.is_empty() {
            return;
        }
        // the element's own prefix cannot come to mean something else
        let own = self.open.last().is_some_and(|open| {
            let name = self.buf.get(open.name.clone()).unwrap_or_default();
            name.strip_prefix(prefix.as_bytes()).is_some_and(|rest| !prefix.is_empty() && rest.first() == Some(&b':'))
        });
        if own && self.bound_to(prefix) != Some(&item.ns) || !prefix.is_empty() && !self.bind(prefix, &item.ns) {
            return;
        }
        if let Some(value) = &item.value
            && self.is_new(&item.ns, local)
        {
            self.hosted(index);
            self.attr_as(name, value.mark, &value.value, None);
        }
    }

    /// Writes an attribute whose name the model gives; no second one of that name, which only models have that people
    /// wrote.
    pub fn attr_of_model(&mut self, name: &str, mark: Mark, text: &str) {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let uri = Ns::by_prefix(prefix).map_or(prefix, |ns| ns.uri());
        if self.is_new(uri, local) {
            self.attr_as(name, mark, text, None);
        } else {
            self.books.lost(mark, Reason::RepeatedAttribute);
        }
    }

    /// Whether the open element has no attribute yet of this name that the model gave.
    fn is_new(&mut self, uri: &str, local: &str) -> bool {
        let name = (uri.to_owned(), local.to_owned());
        self.open.last_mut().is_some_and(|open| open.rare().unknown.insert(name))
    }

    fn host_children(&mut self) {
        self.host_children_until(usize::MAX);
    }

    /// Writes the unknown elements that preceded the unknown children of the child about to be opened. If the children
    /// are sorted, this is done during sorting instead.
    fn host_children_before(&mut self, name: &str) {
        if self.arranged.as_ref().is_none_or(|arranged| arranged.level != self.open.len())
            && let Some(first) = self.next_unknown(name)
        {
            self.host_children_until(first);
        }
    }

    fn host_children_until(&mut self, end: usize) {
        if !self.takes_foreign() {
            return;
        }
        let Some(mut plan) = self.plan.take() else { return };
        // they are in order
        let next = |plan: &mut ForeignPlan<'e>, path: &str| {
            let indices = plan.hosts.get_mut(path)?;
            indices.front().is_some_and(|index| *index < end).then(|| indices.pop_front())?
        };
        while let Some(index) = next(&mut plan, &self.path) {
            if attribute_name(&plan.items[index]).is_none() {
                self.foreign_element(&plan, index);
            }
        }
        self.plan = Some(plan);
    }

    /// Writes an unknown element with all its content, in order.
    fn foreign_element(&mut self, plan: &ForeignPlan<'e>, index: usize) {
        let mut open: Vec<ForeignElement<'_>> = Vec::new();
        let mixed = if self.style.pretty { mixed(&plan.items[index..]) } else { HashSet::new() };
        for (offset, item) in plan.items[index..].iter().enumerate() {
            work::count(1);
            while open.last().is_some_and(|above| !is_below(&item.path, above.path)) {
                self.end_foreign(open.pop());
            }
            if offset > 0 && open.is_empty() {
                return;
            }
            if let Some(name) = attribute_name(item) {
                self.foreign_attribute(item, index + offset, &name);
                continue;
            }
            self.flush_foreign(open.last_mut());
            let step = last_step(&item.path);
            if step == "text()" {
                if let Some(value) = &item.value {
                    self.text_as(value.mark, &value.value, None);
                }
                continue;
            }
            let name = without_number(step).to_owned();
            // an undeclared prefix or an invalid name cannot be written
            if !is_plain_qname(&name) || !can_stand_for(prefix_of(&name).unwrap_or(""), &item.ns) {
                break;
            }
            self.begin_foreign(item, index + offset, &name);
            if let Some(last) = self.open.last_mut() {
                last.inline |= mixed.contains(&*item.path);
            }
            open.push(ForeignElement { path: &item.path, text: item.value.as_ref() });
        }
        while let Some(last) = open.pop() {
            self.end_foreign(Some(last));
        }
    }

    fn begin_foreign(&mut self, item: &Foreign<'_>, index: usize, name: &str) {
        self.close_start_tag(true);
        self.begin_child(Err(index));
        self.hosted(index);
        self.indent();
        self.buf.push(b'<');
        self.buf.extend_from_slice(name.as_bytes());
        let open = OpenElement::new(name, self.buf, self.inline());
        self.open.push(open);
        self.bind(prefix_of(name).unwrap_or(""), &item.ns);
        if let Some(empty) = &item.empty {
            self.books.kept(empty.mark);
        }
    }

    /// Writes the text of an unknown element once its attributes are written.
    fn flush_foreign(&mut self, open: Option<&mut ForeignElement<'_>>) {
        if let Some(text) = open.and_then(|open| open.text.take()) {
            self.text_as(text.mark, &text.value, None);
        }
    }

    fn end_foreign(&mut self, open: Option<ForeignElement<'_>>) {
        if let Some(mut open) = open {
            self.flush_foreign(Some(&mut open));
            self.end();
        }
    }
}

/// An unknown element being written.
struct ForeignElement<'p> {
    path: &'p str,
    /// Its text, which waits for its attributes.
    text: Option<&'p Str<'p>>,
}

/// A text without the characters that XML forbids, and without white space around the rest.
fn printable(text: &str) -> String {
    text.chars().filter(|&c| escape::is_xml_char(c)).collect::<String>().trim().to_owned()
}

/// Whether a prefix, or none, may be bound to a URL (Namespaces in XML 1.0, section 3).
pub fn can_stand_for(prefix: &str, uri: &str) -> bool {
    match prefix {
        "xml" => uri == Ns::Xml.uri(),
        "xmlns" => false,
        _ if uri == Ns::Xml.uri() || uri == XMLNS => false,
        _ => (prefix.is_empty() || !uri.is_empty()) && escape::is_all_xml(uri),
    }
}

/// The paths of elements with text after a child, in the first tree of unknown markup.
fn mixed<'p>(items: &'p [Foreign<'_>]) -> HashSet<&'p str> {
    let Some(top) = items.first() else { return HashSet::new() };
    let below = items[1..].iter().inspect(|_| work::count(1)).take_while(|item| is_below(&item.path, &top.path));
    let hosts = below.filter_map(|item| item.path.rsplit_once('/'));
    hosts.filter(|(_, step)| *step == "text()").map(|(host, _)| host).collect()
}

/// Adds the step to the child with this name and number.
fn push_step(path: &mut String, name: &str, number: u32) {
    if !path.is_empty() {
        path.push('/');
    }
    path.push_str(name);
    path.push('[');
    match number {
        // nearly all are, and formatting costs more than the rest of it
        1..=9 => path.push(char::from(b'0' + number as u8)),
        _ => path.push_str(&number.to_string()),
    }
    path.push(']');
}

/// Whether the element at this path has a date: with a child, it would have none for other readers.
fn is_date(path: &str) -> bool {
    let step = without_number(last_step(path));
    DATES.contains(&step.rsplit_once(':').map_or(step, |(_, name)| name))
}

/// The elements with dates in feeds and sitemaps, without prefixes.
const DATES: [&str; 12] = [
    "published",
    "updated",
    "pubDate",
    "lastBuildDate",
    "date",
    "issued",
    "modified",
    "created",
    "lastmod",
    "expires",
    "publication_date",
    "expiration_date",
];

/// Whether the element at this path is a media object.
fn is_in_media(path: &str) -> bool {
    matches!(without_number(last_step(path)), "media:content" | "media:group")
}

pub(crate) fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}

fn prefix_of(name: &str) -> Option<&str> {
    name.bytes().position(|byte| byte == b':').map(|colon| &name[..colon])
}

fn last_step(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, step)| step)
}

fn without_number(step: &str) -> &str {
    step.split_once('[').map_or(step, |(name, _)| name)
}

fn attribute_name(item: &Foreign<'_>) -> Option<String> {
    let (_, step) = item.path.rsplit_once('/')?;
    step.strip_prefix('@').map(str::to_owned)
}

/// A path with a number on every step, below the root that this format writes.
fn numbered(path: &str, roots: &[(&str, &str)]) -> String {
    let mut path = path.to_owned();
    for (other, ours) in roots {
        if let Some(rest) = path.strip_prefix(other)
            && (rest.is_empty() || rest.starts_with('/') || rest.starts_with('['))
        {
            path = format!("{ours}{rest}");
            break;
        }
    }
    let step = |step: &str| if step.ends_with(']') { step.to_owned() } else { format!("{step}[1]") };
    path.split('/').map(step).collect::<Vec<_>>().join("/")
}
