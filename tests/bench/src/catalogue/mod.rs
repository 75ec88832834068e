//! Catalogues that look like those of real sites, of any size, the same for the same seed, written as a stream.
//! Nothing here is transfeed's: what is in a document is known from its recipe alone, so outputs can be checked
//! against it (`check.rs`).

mod entry;
mod feeds;
mod mrss;
mod odd;
mod sitemaps;

use std::io::{self, Write};

pub use entry::Entry;

/// What documents there are, by the name that the command line has for them.
pub const SHAPES: [(&str, Shape); 12] = [
    ("mrss", Shape::Groups),
    ("mrss-single", Shape::Single),
    ("mrss-prefix", Shape::Prefix),
    ("rss", Shape::Rss),
    ("atom", Shape::Atom),
    ("video-sitemap", Shape::VideoSitemap),
    ("sitemap", Shape::Sitemap),
    ("text", Shape::Text),
    ("tiny", Shape::Tiny),
    ("giant", Shape::Giant),
    ("attributes", Shape::Attributes),
    ("depth", Shape::Depth),
];

/// A kind of document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Media RSS: four renditions in a group, texts beside it, some foreign markup; 4.9 kB and 111 leaves an item.
    Groups,
    /// Media RSS: one file an item, with all that is said of it inside.
    Single,
    /// Media RSS under another prefix, with namespaces declared inside items and texts in CDATA.
    Prefix,
    /// A podcast or blog: RSS with an enclosure and HTML.
    Rss,
    /// The Atom of a video platform.
    Atom,
    /// A video sitemap.
    VideoSitemap,
    /// A sitemap of pages, with images and alternates.
    Sitemap,
    /// A list of addresses.
    Text,
    /// RSS with items of 100 bytes.
    Tiny,
    /// One entry of 60 MiB (or half of the document, where that is less) among tiny ones.
    Giant,
    /// Every item has an element with 9,990 attributes.
    Attributes,
    /// Every item has 240 elements inside each other.
    Depth,
}

impl Shape {
    /// The shape of that name.
    pub fn named(name: &str) -> Option<Shape> {
        SHAPES.iter().find(|(known, _)| *known == name).map(|&(_, shape)| shape)
    }
}

/// All that decides what is written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recipe {
    /// What kind of document.
    pub shape: Shape,
    /// How many bytes, about: the document ends with the entry that passes them.
    pub size: u64,
    /// How many entries at most.
    pub entries: u64,
    /// Another seed, another document.
    pub seed: u64,
    /// The share of entries with something to repair.
    pub dirty: f64,
    /// The share of entries that name the page of an earlier one.
    pub shared: f64,
    /// windows-1251 in place of UTF-8.
    pub windows_1251: bool,
}

impl Recipe {
    /// A clean document of that kind and size.
    pub fn new(shape: Shape, size: u64) -> Recipe {
        Recipe { shape, size, entries: u64::MAX, seed: 7, dirty: 0.0, shared: 0.0, windows_1251: false }
    }

    /// Entry number `i` of this document.
    pub fn entry(&self, i: u64) -> Entry {
        Entry::new(self, i)
    }

    /// Writes the document.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<Made> {
        let mut out = Stream { text: String::with_capacity(1 << 17), bytes: Vec::new(), written: 0, recipe: *self, to };
        let (head, tail) = self.frame();
        out.text.push_str(&head);
        let mut made = Made::default();
        while made.entries == 0 || made.entries < self.entries && out.written + (out.text.len() as u64) < self.size {
            let mut entry = self.entry(made.entries);
            made.entries += 1;
            made.pages += u64::from(!entry.shares);
            self.body(&mut entry, &mut out.text);
            out.flush(1 << 16)?;
        }
        out.text.push_str(tail);
        out.flush(0)?;
        made.bytes = out.written;
        Ok(made)
    }

    fn frame(&self) -> (String, &'static str) {
        let encoding = if self.windows_1251 { "windows-1251" } else { "UTF-8" };
        let declaration = format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>\n");
        let (head, tail) = match self.shape {
            Shape::Groups | Shape::Single => (mrss::HEAD, feeds::RSS_TAIL),
            Shape::Prefix => (mrss::HEAD_PREFIX, feeds::RSS_TAIL),
            Shape::Rss | Shape::Tiny | Shape::Giant | Shape::Attributes | Shape::Depth => {
                (feeds::RSS_HEAD, feeds::RSS_TAIL)
            }
            Shape::Atom => (feeds::ATOM_HEAD, feeds::ATOM_TAIL),
            Shape::VideoSitemap | Shape::Sitemap => (sitemaps::HEAD, sitemaps::TAIL),
            Shape::Text => return (String::new(), ""),
        };
        (declaration + head, tail)
    }

    fn body(&self, entry: &mut Entry, out: &mut String) {
        match self.shape {
            Shape::Groups => mrss::groups(entry, out),
            Shape::Single => mrss::single(entry, out),
            Shape::Prefix => mrss::prefix(entry, out),
            Shape::Rss => feeds::rss(entry, out),
            Shape::Atom => feeds::atom(entry, out),
            Shape::VideoSitemap => sitemaps::videos(entry, out),
            Shape::Sitemap => sitemaps::pages(entry, out),
            Shape::Text => sitemaps::line(entry, out),
            Shape::Tiny => odd::tiny(entry, out),
            Shape::Giant => odd::giant(entry, out, self.size),
            Shape::Attributes => odd::attributes(entry, out),
            Shape::Depth => odd::depth(entry, out),
        }
    }
}

/// What a document came to.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Made {
    /// Its bytes.
    pub bytes: u64,
    /// Its entries.
    pub entries: u64,
    /// The pages that they name.
    pub pages: u64,
}

struct Stream<'a> {
    text: String,
    bytes: Vec<u8>,
    written: u64,
    recipe: Recipe,
    to: &'a mut dyn Write,
}

impl Stream<'_> {
    fn flush(&mut self, above: usize) -> io::Result<()> {
        if self.text.len() <= above {
            return Ok(());
        }
        self.bytes.clear();
        if self.recipe.windows_1251 {
            windows_1251(&self.text, &mut self.bytes);
        } else {
            self.bytes.extend_from_slice(self.text.as_bytes());
        }
        self.to.write_all(&self.bytes)?;
        self.written += self.bytes.len() as u64;
        self.text.clear();
        Ok(())
    }
}

/// The characters that the generator uses, in windows-1251.
fn windows_1251(text: &str, out: &mut Vec<u8>) {
    for c in text.chars() {
        out.push(match c {
            '\0'..='\x7f' => c as u8,
            'А'..='я' => (c as u32 - 'А' as u32) as u8 + 0xC0,
            'ё' => 0xB8,
            '«' => 0xAB,
            '»' => 0xBB,
            '—' => 0x97,
            '·' => 0xB7,
            _ => b'?',
        });
    }
}
