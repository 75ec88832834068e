//! What a format is: its declaration, its reader, its writer, and what they may look at. It knows no format.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::family::{EntryKind, Family};
use crate::code::Code;
use crate::emit::{Carrier, Out, Style, ValueSpelling};
use crate::fate::FateTable;
use crate::json::nested::FindEntries;
use crate::json::split::EntryLists;
use crate::ledger::Books;
use crate::model::lent::LentObjects;
use crate::model::origin::Origin;
use crate::model::{Date, Entry, Feed, Field, LeafView, Mark, Video, Walk};
use crate::options::{ForeignMode, Items, Options, Profile};
use crate::reason::Reason;
use crate::tree::{Node, Take, Tree};
use crate::xml::split::Shape;

/// One format: a name on the command line, a reader, and a writer if it can be a target.
pub struct Format {
    /// Name on the command line and in reports.
    pub id: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// Its relatives.
    pub family: &'static Family,
    /// Reads it.
    pub reader: &'static dyn FormatReader,
    /// Writes it; absent for formats that are only read.
    pub writer: Option<&'static dyn FormatWriter>,
}

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.id == other.id
    }
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// How entries are marked in a document.
pub enum EntryDelimiter {
    /// By an element.
    Markup(Shape),
    /// By lines.
    Lines,
    /// As the rows of a table below a row of headings.
    Rows,
    /// As values in a list of a JSON document.
    Json(EntryLists),
    /// By lines of JSON after the first.
    JsonLines,
    /// The document is one entry, or has these.
    Page(FindEntries),
}

/// What a reader may look at besides the entry itself.
#[derive(Clone, Copy)]
pub struct ReadContext<'a> {
    /// The head, whose media defaults and language the entry inherits; absent while the head itself is read.
    pub feed: Option<&'a Feed<'a>>,
    /// What the run was asked for (`--base`).
    pub options: &'a Options,
    /// All formats, for documents that name one.
    pub formats: &'static [&'static Format],
}

/// Reads one format: takes leaves from trees into the model. Anything it does not take becomes foreign, so the last arm
/// of its `match` may be `_ => ()`.
pub trait FormatReader: Sync {
    /// How entries are found.
    fn cut(&self) -> EntryDelimiter;
    /// Reads the document without its entries; `root` is its root element.
    fn head<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>, around: ReadContext<'a>);
    /// The objects of the head that entries may refer to.
    fn objects(&self, _root: Node<'_, '_>) -> LentObjects {
        LentObjects::default()
    }
    /// Where an entry or a head has a place nested deeper than the limit, as text.
    fn too_deep(&self, _root: Node<'_, '_>, _depth: usize) -> Option<usize> {
        None
    }
    /// Gives the names in a tree the spelling that this reader knows, before it is read.
    fn respell(&self, _tree: &mut Tree<'_>) {}
    /// Adds to the tree of an entry the objects of the head that it refers to, before it is read. `container` is the number
    /// of the element around it that is directly below the root.
    fn borrow<'a>(&self, _tree: &mut Tree<'a>, _objects: &'a LentObjects, _container: u32) {}
    /// Reads one entry; `root` is its element (a line's text, a JSON object).
    fn entry<'t, 'a>(
        &self,
        root: Node<'t, 'a>,
        take: &mut Take<'t, 'a>,
        entry: &mut Entry<'a>,
        around: ReadContext<'a>,
    );
    /// Arranges the unknown values of an entry, once the places of all its values are known.
    fn finish<'a>(&self, _root: Node<'_, 'a>, _origin: &Origin<'a>, _entry: &mut Entry<'a>) {}
}

/// What a first look at all entries found, where a writer needs to know before it begins.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Survey {
    /// URL of the first page that has one (S-R1, S-R2).
    pub first_page: Option<String>,
    /// Name in the first `news:news` (S-R1).
    pub news_name: Option<String>,
    /// Newest `updated` (else `published`) of all entries (S-A4).
    pub newest: Option<Date>,
    /// Some entry has no author (S-A5).
    pub authorless: bool,
    /// Which sitemap extensions the data has for certain, whatever a search engine asks of it: what else there is
    /// declares itself.
    pub images: bool,
    /// `news:news`.
    pub news: bool,
    /// Videos.
    pub videos: bool,
    /// Thumbnails of videos.
    pub thumbnails: bool,
    /// `xhtml:link`.
    pub alternates: bool,
    /// `mobile:mobile`.
    pub mobile: bool,
    /// `PageMap`.
    pub page_map: bool,
}

impl Survey {
    /// Why a feed without a title is called like its publication, or a host.
    pub fn why_of_title(&self) -> Reason {
        if self.news_name.is_some() { Reason::GeneratedTitle } else { Reason::TitleFromText }
    }
}

/// What an entry counts in the document it is written to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryTally {
    /// `news:news` elements.
    pub news: u64,
    /// Its `lastmod`.
    pub lastmod: Option<Date>,
}

/// What the target of an entry does with unknown markup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForeignHandling {
    /// It goes back as it was: what copies it goes from the model.
    Back,
    /// The same, but an item for a live stream becomes one like any other: that it is live is a value like any other.
    BackAsItems,
    /// It is written next to the values of the model.
    Beside,
    /// It is not written: what copies it is a value like any other.
    Dropped,
}

/// What the writing of one document has to go by.
pub struct Setup<'s> {
    /// The source's format.
    pub source: &'static Format,
    /// The target's.
    pub target: &'static Format,
    /// Modules and unknown markup go back as they came.
    pub same_family: bool,
    /// What the run was asked for.
    pub options: &'s Options,
    /// The head that is written: that of the source, of several sources the first one's.
    pub feed: &'s Feed<'s>,
    /// The head of the source that the current entries come from; its values apply to them.
    pub own_feed: &'s Feed<'s>,
    /// The result of the first survey; only the parts that [`FormatWriter::surveys`] requests.
    pub survey: &'s Survey,
}

impl<'s> Setup<'s> {
    /// Whether Google's rules are applied.
    pub(crate) fn google(&self) -> bool {
        self.target.google(self.options)
    }

    /// Whether a page with this many videos becomes one item per video.
    pub(crate) fn explodes(&self, videos: usize) -> bool {
        videos > 1
            && match self.options.items {
                Items::AsGiven => self.source.family.lists_pages(),
                Items::PerPage => false,
                Items::PerVideo => true,
            }
    }

    /// Whether a page that the source lists several times has several entries in the target: what names pages becomes
    /// a feed without being grouped.
    pub(crate) fn parts_pages(&self) -> bool {
        self.options.no_group && self.target.family.is_feed() && PageGrouping::Lists.joins(self.source.family)
    }

    /// The style of a writer for this document; `declared` are the namespaces from [`FormatWriter::namespaces`].
    pub(crate) fn style<'d>(&self, writer: &dyn FormatWriter, declared: &'d [(String, String)]) -> Style<'d> {
        Style {
            table: writer.table(self.options),
            spelling: writer.spelling(),
            carrier: self.same_family.then(|| writer.carrier()),
            declared,
            foreign: self.is_foreign_kept(),
            foreign_dropped: self.same_family && self.options.foreign == ForeignMode::Drop,
            pretty: self.options.pretty,
            roots: writer.roots(),
        }
    }

    /// Whether a target of this family takes markup of the source's as it came.
    pub(crate) fn same_family(source: &Format, target: &Format) -> bool {
        source.family == target.family || source.family.holds == Some(target.family) || target.family.is_model()
    }

    /// Whether unknown markup is written back.
    pub(crate) fn is_foreign_kept(&self) -> bool {
        let is_for_yandex = self.options.yandex() && self.target.family.is_xml_sitemap();
        self.same_family && self.options.foreign != ForeignMode::Drop && !is_for_yandex
    }

    /// Whether unknown elements of Media RSS are omitted: in formats without it, unless all markup is kept.
    pub fn omits_unknown_media(&self, has_media: bool) -> bool {
        !has_media && self.options.foreign != ForeignMode::Keep
    }

    /// How the unknown markup that a dialect understood is written.
    pub(crate) fn unknown(&self) -> ForeignHandling {
        match self.target {
            _ if !self.is_foreign_kept() => ForeignHandling::Dropped,
            target if target.family.is_model() => ForeignHandling::Beside,
            target if target.id == "mrss" && self.google() => ForeignHandling::BackAsItems,
            _ => ForeignHandling::Back,
        }
    }
}

/// Of which sources the entries of one page become one on the way to a target (rule A5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PageGrouping {
    /// Of none.
    Never,
    /// Of sitemaps and lists, which name pages. Items of a feed are distinguished by their ids.
    Lists,
    /// Of all: the target lists pages itself.
    Always,
}

impl PageGrouping {
    /// Whether entries of a source of this family are joined.
    pub fn joins(self, source: &'static Family) -> bool {
        match self {
            PageGrouping::Never => false,
            PageGrouping::Lists => source.lists_pages(),
            PageGrouping::Always => true,
        }
    }
}

impl Format {
    /// Whether Google's rules are applied to this target.
    pub fn google(&self, options: &Options) -> bool {
        match options.profile {
            Profile::Google => true,
            Profile::None | Profile::Yandex => false,
            Profile::Default => matches!(self.id, "video-sitemap" | "jsonld"),
        }
    }

    /// The name of the rules that are applied to this target.
    pub fn profile_name(&self, options: &Options) -> &'static str {
        match options.profile {
            Profile::Yandex => "yandex",
            _ if self.google(options) => "google",
            Profile::Google | Profile::None | Profile::Default => "none",
        }
    }

    /// Which entries of one page become one in this target. Two items of a feed for one page would have one id.
    pub(crate) fn groups(&self, options: &Options) -> PageGrouping {
        match self.family.lists {
            _ if options.no_group => PageGrouping::Never,
            _ if self.writer.is_some_and(|writer| writer.groups(options)) => PageGrouping::Always,
            EntryKind::Items => PageGrouping::Lists,
            EntryKind::Pages | EntryKind::Model => PageGrouping::Never,
        }
    }

    /// Whether it has an element for videos, by its fate table.
    pub fn has_videos(&self) -> bool {
        let table = self.writer.map(|writer| writer.table(&Options::default()));
        let is_written = |field| table.is_some_and(|fates| fates(field).name().is_some());
        is_written(Field::VideoFileUrl) || is_written(Field::VideoPlayerUrl)
    }

    /// Whether a page that names a video twice has it once in this target (A5.3).
    pub(crate) fn joins_videos(&self, source: &'static Family) -> bool {
        match self.family.lists {
            EntryKind::Items => PageGrouping::Lists.joins(source),
            EntryKind::Pages => self.family.is_markup(),
            EntryKind::Model => false,
        }
    }
}

/// Which videos of an entry are in the output.
pub(crate) struct WrittenVideos<'w> {
    entry: &'w Entry<'w>,
    books: &'w Books,
    /// The URLs of attached files, if they were asked for.
    attached: OnceCell<HashSet<Mark>>,
}

impl<'w> WrittenVideos<'w> {
    pub(crate) fn new(entry: &'w Entry<'w>, books: &'w Books) -> WrittenVideos<'w> {
        WrittenVideos { entry, books, attached: OnceCell::new() }
    }

    /// Whether something of a video is in the output: its file or its player, or, if it has neither or no column for it is chosen,
    /// any of its values.
    pub(crate) fn has(&self, video: &Video<'_>) -> bool {
        let books = self.books;
        let player = video.player.as_ref().and_then(|player| player.url.as_ref());
        let mut urls = video.files.iter().filter_map(|file| file.url.as_ref()).chain(player);
        let is_chosen = |mark| books.reason_of_loss(mark).is_none_or(|why| why.code() != Code::ColumnNotChosen);
        if urls.clone().any(|url| is_chosen(url.mark)) {
            // an attached file with its URL is that of the video (A2.4)
            let is_attached = |with: Mark| books.is_written(with) && self.attached().contains(&with);
            return urls.any(|url| books.is_written(url.mark) || books.merged_into(url.mark).is_some_and(is_attached));
        }
        let mut found = false;
        video.walk((), &mut |seen: LeafView<'_>| found |= seen.mark.is_some() && books.is_written(seen.mark));
        found
    }

    fn attached(&self) -> &HashSet<Mark> {
        let urls = || self.entry.enclosures.iter().filter_map(|enclosure| enclosure.url.as_ref());
        self.attached.get_or_init(|| urls().map(|url| url.mark).collect())
    }
}

/// Writes one format. It has no way to fail: what cannot be written is settled in the books.
pub trait FormatWriter: Sync {
    /// The fate of every field.
    fn table(&self, options: &Options) -> FateTable;
    /// Which element carries a field in a vocabulary that is not its usual one.
    fn carrier(&self) -> Carrier {
        |_, _| None
    }
    /// How it spells values.
    fn spelling(&self) -> ValueSpelling {
        ValueSpelling { yes: "true", no: "false", date: |date| (date.to_w3c(), None) }
    }
    /// Other paths of its entries and head in documents of its family, with its own (`rdf:RDF/item`, `rss/channel/item`).
    fn roots(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Namespaces to declare on the root: prefix (empty for the default one) and URL.
    fn namespaces(&self, _setup: &Setup<'_>) -> Vec<(String, String)> {
        Vec::new()
    }
    /// Whether it must know all entries before it writes the head.
    fn surveys(&self, _feed: &Feed<'_>, _options: &Options) -> bool {
        false
    }
    /// The parts of a survey that the head depends on, besides the namespaces; the others are left empty.
    fn head_asks(&self, _feed: &Feed<'_>, _survey: &Survey) -> Survey {
        Survey::default()
    }
    /// Whether it lists pages, so that entries of one page become one (rule A5).
    fn groups(&self, _options: &Options) -> bool {
        false
    }
    /// Whether it has no elements of podcasts, but places for what they say of an episode: that becomes values of its video or file
    /// before the entry is written.
    fn settles_episodes(&self) -> bool {
        false
    }
    /// Writes everything before the first entry. The elements that stay open around the entries are opened with
    /// `Out::enter`.
    fn head<'e>(&self, feed: &'e Feed<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>);
    /// Writes one entry (or several elements for it: rule A13).
    fn entry<'e>(&self, entry: &'e Entry<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>);
    /// Writes everything after the last entry.
    fn tail(&self, setup: &Setup<'_>, buf: &mut Vec<u8>);
    /// The counts of an entry toward the limits of a document, and its facts for an index (A14). `written` is its
    /// output.
    fn tally(&self, _entry: &Entry<'_>, _written: &[u8], _setup: &Setup<'_>) -> EntryTally {
        EntryTally::default()
    }
    /// How many videos of an entry are in what was `written` of it: those of which a file or a player is there, or, if they
    /// have neither or their columns are not chosen, anything else.
    fn videos(&self, entry: &Entry<'_>, _written: &[u8], books: &Books) -> u64 {
        let dropped = books.videos_dropped_at();
        let is_dropped = |video: &Video<'_>| !dropped.is_empty() && dropped.contains_key(&video.first_mark());
        let written = WrittenVideos::new(entry, books);
        entry.videos.iter().filter(|video| written.has(video) && !is_dropped(video)).count() as u64
    }
    /// Whether a video leaves nothing in the output outside its own element, which does not depend on other videos of
    /// the page: such videos can be written before the rest of a page that is too large for memory.
    fn is_apart(&self, _video: &Video<'_>, _setup: &Setup<'_>) -> bool {
        false
    }
    /// A function that writes the URL of an entry without other values, if the markup around every such URL in normal
    /// form (`url::is_settled`) is the same, and one without an ampersand is written as it is; `None` if such an entry needs
    /// more.
    fn address_alone(&self, _setup: &Setup<'_>) -> Option<fn(&str, &mut Vec<u8>)> {
        None
    }
    /// The text between two entries.
    fn between(&self) -> &'static [u8] {
        b"\n"
    }
}
