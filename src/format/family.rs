//! What is true of all formats of a family. Rooms above ask a family for a fact and never which family it is, so a new
//! family is a value next to its formats. It lists no families.

use crate::model::origin::Syntax;
use crate::xml::names::Ns;

/// What the documents of a family list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// Items that are distinguished by their ids.
    Items,
    /// Pages: entries of one page belong together (A5).
    Pages,
    /// Entries of whatever they were read from: the model itself.
    Model,
}

/// Formats that share their elements: what one of them carries, the others take back.
#[derive(Debug)]
pub struct Family {
    /// What one of its documents is, as in "this is RSS". Unique.
    pub name: &'static str,
    /// How its documents are written.
    pub syntax: Syntax,
    /// What its documents list.
    pub lists: EntryKind,
    /// One entry and several, as people call them.
    pub entry: (&'static str, &'static str),
    /// The ending of the names of its documents; that of JSON is the name of the format.
    pub extension: Option<&'static str>,
    /// The namespace of its elements, in markup. RSS 2.0 has [`Ns::None`].
    pub namespace: Option<Ns>,
    /// Other namespaces that documents give the same elements.
    pub aliases: &'static [Ns],
    /// The element below the root that has the entries; absent where the root has them.
    pub holder: Option<&'static str>,
    /// An entry without content, in markup.
    pub empty_entry: Option<&'static str>,
    /// Its documents are sitemaps by the protocol of sitemaps.org, with its limits.
    pub protocol: bool,
    /// Entries with one id are revisions of one entry (RFC 4287 4.1.1).
    pub revisions: bool,
    /// Unknown values keep their JSON types, because they go back into documents of this family.
    pub typed: bool,
    /// The family whose objects its documents hold, and which takes back what is unknown in them.
    pub holds: Option<&'static Family>,
    /// An id is the URL of the page unless the document denies it (RSS 2.0, `guid`).
    pub permalinks: bool,
}

impl Family {
    /// What most families are: pages in no namespace, without what only some formats have.
    pub const PLAIN: Family = Family {
        name: "",
        syntax: Syntax::Json,
        lists: EntryKind::Pages,
        entry: ("entry", "entries"),
        extension: None,
        namespace: None,
        aliases: &[],
        holder: None,
        empty_entry: None,
        protocol: false,
        revisions: false,
        typed: false,
        holds: None,
        permalinks: false,
    };
}

impl PartialEq for Family {
    fn eq(&self, other: &Family) -> bool {
        self.name == other.name
    }
}

impl Family {
    /// Whether its documents are feeds, whose entries are items.
    pub fn is_feed(&self) -> bool {
        self.lists == EntryKind::Items
    }

    /// Whether each entry is a page.
    pub fn lists_pages(&self) -> bool {
        self.lists == EntryKind::Pages
    }

    /// Whether it is the model itself, which keeps everything.
    pub fn is_model(&self) -> bool {
        self.lists == EntryKind::Model
    }

    /// Whether its documents are markup.
    pub fn is_markup(&self) -> bool {
        self.syntax == Syntax::Xml
    }

    /// Whether its documents are lines of one value.
    pub fn is_lines(&self) -> bool {
        self.syntax == Syntax::Line
    }

    /// Whether its documents are tables, with a row for each video.
    pub fn is_table(&self) -> bool {
        self.syntax == Syntax::Row
    }

    /// Whether its documents are XML sitemaps, which an index can list and extensions can describe.
    pub fn is_xml_sitemap(&self) -> bool {
        self.protocol && self.is_markup()
    }

    /// Whether its elements are those of RSS 2.0.
    pub fn is_rss(&self) -> bool {
        self.namespace == Some(Ns::None)
    }

    /// Whether its elements are those of Atom 1.0.
    pub fn is_atom(&self) -> bool {
        self.namespace == Some(Ns::Atom)
    }

    /// How many elements are open around an entry.
    pub fn depth(&self) -> usize {
        usize::from(self.is_markup()) + usize::from(self.holder.is_some())
    }

    /// The namespace by which its elements are known, whichever alias a document has.
    pub fn canonical(&self, ns: Ns) -> Ns {
        self.namespace.filter(|_| self.aliases.contains(&ns)).unwrap_or(ns)
    }
}
