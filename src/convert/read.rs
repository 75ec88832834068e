//! Turns the text of an entry or a head into the model: tree, reader, URLs.

use std::collections::HashMap;
use std::sync::Arc;

use super::names::NamespaceNames;
use crate::convert::trouble::limit;
use crate::diagnostic;
use crate::error::{Error, ErrorKind};
use crate::format::csv::row::{self, Headings};
use crate::format::ns::dialect;
use crate::format::{self, Format, ReadContext, embedded, rss};
use crate::json::parse::{ANY, ANY_TEXT, ILL_FORMED, OBJECT};
use crate::json::{self, page_split};
use crate::markup::{self, Tokeniser, TokeniserMemory};
use crate::model::origin::{Origin, Preset, SourcePart, Syntax};
use crate::model::{Entry, Feed, Field, IntoOwned, Mark, Walk, episode};
use crate::options::Options;
use crate::place;
use crate::resolve::{self, InnerBase};
use crate::select;
use crate::tree::{Node, NodeKind, SpareMemory, Take, Tree, lent};
use crate::xml::chunk::{Chunk, Context, Piece};
use crate::xml::limits::TreeError;
use crate::xml::names::Ns;
use crate::xml::split::Frame;

pub(super) fn read_feed(format: &'static Format, frame: &Frame, options: &Options) -> Result<Feed<'static>, Error> {
    let syntax = format.family.syntax;
    if matches!(syntax, Syntax::Line | Syntax::Html) && frame.text.is_empty() {
        return Ok(Feed::default());
    }
    // an entry document has nothing around its entry
    let bare = syntax == Syntax::Xml && frame.text.trim().is_empty();
    let tree = match syntax {
        _ if bare => Ok(crate::tree::Tree::default()),
        Syntax::Html => Ok(json::page::parse_page(&frame.text, &options.limits.tree)),
        Syntax::Json => json_tree(Tree::default(), format, &frame.text, options),
        Syntax::Xml => markup::parse(&frame.text, "", &options.limits.tree),
        Syntax::Line => Ok(lines_tree(&frame.text)),
        // the headings are structure
        Syntax::Row => Ok(Tree::default()),
    };
    let refuse = |bad: TreeError| {
        let (line, column) = frame.place(bad.at);
        match diagnostic::option(bad.code) {
            Some(_) => limit(bad.code, format!("{} (line {line} of the head)", bad.says)),
            None => Error::from(ErrorKind::Xml { line, column, says: bad.says }),
        }
    };
    let mut tree = tree.map_err(refuse)?;
    format.reader.respell(&mut tree);
    let mut take = Take::new(&tree, true).decoding_twice(options.decode_twice);
    let mut feed = Feed::default();
    if let Some(root) = tree.root() {
        take.known(root);
        format.reader.head(root, &mut take, &mut feed, format::around(None, options));
        feed.links.sort_by_key(|link| link.href.is_some());
    }
    let mut spare = SpareMemory::default();
    let bases = inner_bases(&tree, &frame.text, syntax);
    let origin = take.rest_into(options.limits.head, &mut feed.foreign, &mut spare);
    let mut origin =
        origin.map_err(|at| refuse(TreeError { at, code: "limit.head", says: FAR_TOO_DEEP.to_owned() }))?;
    settle_invalid(&spare, &tree, &mut origin, |root, take| {
        let mut feed = Feed::default();
        format.reader.head(root, take, &mut feed, format::around(None, options));
        fields_of(&feed)
    });
    if let Some(root) = tree.root() {
        let mut objects = format.reader.objects(root);
        if !objects.is_empty() {
            objects.number(&origin);
            origin.objects = Some(Arc::new(objects));
        }
    }
    let places = frame.segments.iter().map(|segment| (segment.at, segment.line, segment.column));
    let mut places: Vec<(usize, u32, u32)> = places.collect();
    if places.first().is_none_or(|place| place.0 != 0) {
        places.insert(0, (0, 1, 1));
    }
    origin.parts.push(SourcePart {
        first: 0,
        entry: None,
        raw: std::borrow::Cow::Borrowed(&frame.text),
        syntax,
        context: Arc::new(Context::default()),
        places,
    });
    feed.origin = origin;
    if format.family.is_markup() || format.family.is_model() {
        dialect::note_known(&feed.foreign, Field::FeedForeign, &mut feed.origin);
    }
    select::select_in_head(&mut feed, options);
    if !format.family.is_model() {
        resolve::feed(&mut feed, &bases, options);
    }
    // the marks of unknown markup carry the head's sign too
    feed.foreign.marks(&mut |mark| {
        if mark.is_some() {
            mark.0 |= Mark::FEED;
        }
    });
    Ok(feed.into_owned())
}

/// One raw entry, with what is known of its place.
pub(crate) struct RawEntry<'a> {
    pub text: &'a str,
    pub context: &'a Arc<Context>,
    pub number: u64,
    pub line: u32,
    pub column: u32,
}

/// What is kept while the entries of one chunk are read.
pub(crate) struct EntryReader<'a> {
    tokeniser: Tokeniser<'a>,
    spare: SpareMemory,
    /// Descriptions are plain text, as in RSS 0.91.
    plain: bool,
    /// The headings of a table, once they were needed.
    headings: Option<Headings<'a>>,
    /// Entries keep their trees, for callers that look up the places of leaves and recycle the trees.
    pub keeps: bool,
    /// Namespaces, for who wants them counted.
    pub names: Option<NamespaceNames>,
}

impl<'a> EntryReader<'a> {
    /// Takes back memory of an entry that is done with.
    pub fn recycle(&mut self, entry: &mut Entry<'a>) {
        if let Some(tree) = entry.origin.tree.take() {
            self.tokeniser.reuse(tree);
        }
        self.spare.recycle(std::mem::take(&mut entry.origin.records));
    }

    /// For entries in this context.
    pub fn new(context: &'a Context) -> EntryReader<'a> {
        EntryReader::after(TokeniserMemory::default(), context)
    }

    /// The same, with what others have learned of the document's markup.
    pub(super) fn after(learned: TokeniserMemory, context: &'a Context) -> EntryReader<'a> {
        let plain = rss::read::has_plain_descriptions(&context.tags);
        let tokeniser = Tokeniser::new(&context.tags, learned);
        EntryReader { tokeniser, spare: SpareMemory::default(), plain, headings: None, keeps: false, names: None }
    }

    /// What was learned of the markup of the document's entries.
    pub(super) fn learned(self) -> TokeniserMemory {
        self.tokeniser.into_memory()
    }
}

/// Reads one entry.
///
/// # Errors
/// [`TreeError`], if its markup is not well-formed or exceeds a limit.
pub(crate) fn read_entry<'a>(
    format: &Format,
    raw: &RawEntry<'a>,
    reading: &mut EntryReader<'a>,
    around: ReadContext<'a>,
) -> Result<Entry<'a>, TreeError> {
    let mut entry = Entry::default();
    read_entry_into(format, raw, reading, around, &mut entry).map(|()| entry)
}

/// The same into an entry that is empty so far: a large thing to be moved.
///
/// # Errors
/// As [`read_entry`].
pub(super) fn read_entry_into<'a>(
    format: &Format,
    raw: &RawEntry<'a>,
    reading: &mut EntryReader<'a>,
    around: ReadContext<'a>,
    entry: &mut Entry<'a>,
) -> Result<(), TreeError> {
    let (mut tree, syntax) = match format.family.syntax {
        Syntax::Line => (line_tree(raw.text), Syntax::Line),
        Syntax::Json => (json_tree(reading.tokeniser.spare(), format, raw.text, around.options)?, Syntax::Json),
        Syntax::Html if page_split::is_in_page(raw.context) => {
            (json_tree(reading.tokeniser.spare(), format, raw.text, around.options)?, Syntax::Json)
        }
        Syntax::Html => (json::page::parse_page(raw.text, &around.options.limits.tree), Syntax::Html),
        Syntax::Row => {
            let headings = reading.headings.get_or_insert_with(|| Headings::read(&raw.context.tags));
            (row::parse(raw.text, headings, &around.options.limits.tree)?, Syntax::Row)
        }
        Syntax::Xml => (reading.tokeniser.tree(raw.text, &around.options.limits.tree)?, Syntax::Xml),
    };
    if let Some(names) = &mut reading.names {
        names.count(&tree);
    }
    format.reader.respell(&mut tree);
    if let Some(objects) = around.feed.and_then(|feed| feed.origin.objects.as_deref()) {
        format.reader.borrow(&mut tree, objects, raw.context.container);
    }
    let take = Take::with(&tree, false, std::mem::take(&mut reading.spare));
    let mut take = take.decoding_twice(around.options.decode_twice);
    if let Some(root) = tree.root() {
        take.known(root);
        format.reader.entry(root, &mut take, entry, around);
        if reading.plain {
            rss::read::plain_description(entry);
        }
        // such a link is written with the link it describes, so it comes first
        entry.links.sort_by_key(|link| link.href.is_some());
    }
    let origin = take.rest_into(around.options.limits.entry, &mut entry.foreign, &mut reading.spare);
    let mut origin = origin.map_err(|at| TreeError { at, code: "limit.entry", says: FAR_TOO_DEEP.to_owned() })?;
    settle_invalid(&reading.spare, &tree, &mut origin, |root, take| {
        let mut entry = Entry::default();
        format.reader.entry(root, take, &mut entry, around);
        fields_of(&entry)
    });
    lent::give_back(&tree, &reading.spare, &mut origin, entry);
    if let Some(root) = tree.root() {
        format.reader.finish(root, &origin, entry);
    }
    let bases = inner_bases(&tree, raw.text, syntax);
    origin.media = format.family.is_feed() && tree.nodes.iter().any(|node| node.ns == Ns::Media);
    match reading.keeps {
        true => origin.tree = Some(tree),
        false => reading.tokeniser.reuse(tree),
    }
    origin.parts = vec![SourcePart {
        first: 0,
        entry: Some(raw.number),
        raw: std::borrow::Cow::Borrowed(raw.text),
        syntax,
        context: raw.context.clone(),
        places: vec![(0, raw.line, raw.column)],
    }];
    entry.origin = origin;
    if !format.family.lists_pages() && (format.family.is_markup() || format.family.is_model()) {
        dialect::apply(entry, format.family, around);
        dialect::note_known(&entry.foreign, Field::Foreign, &mut entry.origin);
        episode::mark_unreadable(entry);
    }
    if around.options.videos_from_html && !format.family.is_model() {
        embedded::add_videos(entry, (syntax == Syntax::Html).then_some(raw.text));
    }
    if !format.family.is_model() {
        resolve::entry(entry, &bases, around.feed, around.options);
    }
    if let Some(enrich) = &around.options.enrich {
        enrich.fill(entry);
    }
    Ok(())
}

/// The bases of elements in markup; few documents have any.
fn inner_bases(tree: &Tree<'_>, text: &str, syntax: Syntax) -> Vec<InnerBase> {
    let has_base = syntax == Syntax::Xml && memchr::memmem::find(text.as_bytes(), b"xml:base").is_some();
    tree.root().filter(|_| has_base).map_or_else(Vec::new, resolve::inner_bases)
}

/// An object of JSON: of the model, or of a format with types.
fn json_tree<'a>(spare: Tree<'a>, format: &Format, text: &'a str, options: &Options) -> Result<Tree<'a>, TreeError> {
    let refused = |at, code, says: &str| TreeError { at, code, says: says.to_owned() };
    let tree = json::parse::parse_into(spare, text, &options.limits.tree);
    let mut tree = tree.map_err(|bad| refused(bad.at, bad.code, bad.says))?;
    tree.typed = format.family.typed;
    if !tree.typed && tree.nodes.first().is_none_or(|root| root.uri != OBJECT) {
        return Err(refused(0, ILL_FORMED, "not an object"));
    }
    match tree.root().and_then(|root| format.reader.too_deep(root, options.limits.tree.depth)) {
        Some(at) => Err(refused(at, "limit.depth", "paths of unrecognized markup are nested too deeply")),
        None => Ok(tree),
    }
}

/// The fields of values by their numbers.
type FieldsByNumber = HashMap<u32, Field>;

fn fields_of(read: &impl Walk<Names = ()>) -> FieldsByNumber {
    let mut fields = FieldsByNumber::new();
    read.walk((), &mut |seen| _ = fields.insert(seen.mark.0 & !Mark::FEED, seen.field));
    fields
}

/// Notes the fields of values that could not be read: the reader gets the same tree with readable values in their
/// places.
fn settle_invalid<'a>(
    spare: &SpareMemory,
    tree: &Tree<'a>,
    origin: &mut Origin<'a>,
    read: impl for<'t> FnOnce(Node<'t, 'a>, &mut Take<'t, 'a>) -> FieldsByNumber,
) {
    let is_unread =
        |record: usize| origin.records.get(record).is_some_and(|record| record.preset == Preset::Unread(None));
    let invalid: Vec<_> = spare.invalid().filter(|(_, record, _)| is_unread(*record)).collect();
    if invalid.is_empty() {
        return;
    }
    let mut tree = tree.clone();
    for (node, _, specimen) in &invalid {
        if let Some(raw) = tree.nodes.get_mut(*node as usize) {
            raw.value = std::borrow::Cow::Borrowed(*specimen);
            if *specimen == ANY_TEXT {
                raw.uri = ANY;
            }
        }
    }
    let mut take = Take::new(&tree, false);
    let Some(root) = tree.root() else { return };
    take.known(root);
    let fields = read(root, &mut take);
    for (node, record, _) in invalid {
        if let Some(record) = origin.records.get_mut(record) {
            record.preset = Preset::Unread(take.field_of(tree.node(node), &fields));
        }
    }
}

/// The paths of `foreign` count toward the size of their entry.
const FAR_TOO_DEEP: &str = "the paths of its unknown markup are longer than it may be itself";

/// A line of a list of URLs as a tree with one text node.
pub(crate) fn line_tree(line: &str) -> Tree<'_> {
    let mut tree = Tree::default();
    push_line(0, line, &mut tree);
    tree
}

/// Lines around the entries of such a list: a text for each, none below another.
fn lines_tree(lines: &str) -> Tree<'_> {
    let mut tree = Tree::default();
    let mut at = 0;
    for line in lines.split('\n') {
        push_line(at, line, &mut tree);
        at += line.len() + 1;
    }
    tree
}

fn push_line<'a>(at: usize, line: &'a str, tree: &mut Tree<'a>) {
    let mut raw = Tree::raw(NodeKind::Text, "", at);
    raw.value = std::borrow::Cow::Borrowed(line);
    tree.push(u32::MAX, raw);
}

pub(crate) fn raw_entry<'a>(chunk: &'a Chunk, piece: &Piece, offset: usize) -> RawEntry<'a> {
    RawEntry {
        text: chunk.text.get(piece.start..piece.end).unwrap_or(""),
        context: &chunk.context,
        number: chunk.first + offset as u64,
        line: piece.line,
        column: piece.column,
    }
}

pub(crate) fn bad_place(raw: &RawEntry<'_>, bad: &TreeError) -> (u32, u32) {
    let before = raw.text.get(..bad.at).unwrap_or(raw.text);
    let next = raw.text.as_bytes().get(bad.at).copied();
    place::advance(before, next, raw.line, raw.column)
}
