//! Names of the formats, for users of the library. The formats themselves are in format/.

use std::fmt;

use crate::format::{self, atom, csv, json, jsonfeed, jsonld, rss, sitemap, text, yandex};

/// A format that documents are read in.
///
/// ```
/// use transfeed::Format;
///
/// let document = transfeed::read(b"https://example.com/\n")?;
/// assert_eq!(document.format, Some(Format::TEXT));
/// assert_eq!(Format::ATOM.id(), "atom");
/// assert!(Format::all().count() >= 15);
/// # Ok::<(), transfeed::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Format(pub(super) &'static format::Format);

/// A format that documents are written in.
///
/// ```
/// use transfeed::{Format, Target};
///
/// assert_eq!(Target::by_id("mrss"), Some(Target::MRSS));
/// assert_eq!(Target::try_from(Format::ATOM), Ok(Target::ATOM));
/// // RSS 1.0 is only read
/// assert!(Target::try_from(Format::RSS1).is_err());
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Target(pub(super) &'static format::Format);

macro_rules! names {
    ($of:ident: $($(#[$doc:meta])* $name:ident = $format:path;)*) => {
        impl $of {
            $($(#[$doc])* pub const $name: $of = $of(&$format);)*
        }
    };
}

names! {
    Format:
    /// RSS 0.91 to 2.0 without Media RSS.
    RSS = rss::RSS;
    /// RSS 2.0 with Media RSS.
    MRSS = rss::MRSS;
    /// RSS 2.0 with elements of iTunes or Podcasting 2.0, without Media RSS.
    RSS_PODCAST = rss::PODCAST;
    /// RSS 1.0 (RDF); only read.
    RSS1 = rss::RSS1;
    /// RSS 0.90 (RDF); only read.
    RSS09 = rss::RSS09;
    /// Atom 1.0.
    ATOM = atom::ATOM;
    /// Atom 1.0 with Media RSS.
    ATOM_MEDIA = atom::ATOM_MEDIA;
    /// Atom 0.3; only read.
    ATOM03 = atom::ATOM03;
    /// XML sitemap.
    SITEMAP = sitemap::SITEMAP;
    /// XML sitemap with Google's video extension.
    VIDEO_SITEMAP = sitemap::VIDEO;
    /// Index of sitemaps; only read.
    SITEMAP_INDEX = sitemap::SITEMAP_INDEX;
    /// Descriptions of videos for Yandex.
    YANDEX_VIDEO = yandex::YANDEX_VIDEO;
    /// One URL per line.
    TEXT = text::TEXT;
    /// A table (CSV) with a row for each video or page.
    CSV = csv::CSV;
    /// JSON Feed 1.0 and 1.1; written as 1.1.
    JSON_FEED = jsonfeed::JSON_FEED;
    /// The model as one JSON document.
    JSON = json::JSON;
    /// The model as JSON lines: the head, then one entry per line.
    JSONL = json::JSONL;
    /// schema.org `VideoObject` as JSON-LD.
    JSONLD = jsonld::JSONLD;
    /// HTML page with JSON-LD; only read.
    HTML = jsonld::HTML;
}

names! {
    Target:
    /// RSS 2.0.
    RSS = rss::RSS;
    /// RSS 2.0 with Media RSS 1.5.1.
    MRSS = rss::MRSS;
    /// RSS 2.0 with iTunes and Podcasting 2.0.
    RSS_PODCAST = rss::PODCAST;
    /// Atom 1.0.
    ATOM = atom::ATOM;
    /// Atom 1.0 with Media RSS 1.5.1.
    ATOM_MEDIA = atom::ATOM_MEDIA;
    /// XML sitemap 0.9.
    SITEMAP = sitemap::SITEMAP;
    /// XML sitemap 0.9 with Google's video extension 1.1.
    VIDEO_SITEMAP = sitemap::VIDEO;
    /// Descriptions of videos for Yandex.
    YANDEX_VIDEO = yandex::YANDEX_VIDEO;
    /// One URL per line.
    TEXT = text::TEXT;
    /// A table (CSV) with a row for each video or page.
    CSV = csv::CSV;
    /// JSON Feed 1.0 and 1.1; written as 1.1.
    JSON_FEED = jsonfeed::JSON_FEED;
    /// The model as one JSON document.
    JSON = json::JSON;
    /// The model as JSON lines: the head, then one entry per line.
    JSONL = json::JSONL;
    /// schema.org `VideoObject` as JSON-LD.
    JSONLD = jsonld::JSONLD;
}

impl Format {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Format> {
        format::FORMATS.iter().copied().map(Format)
    }

    /// The format with this name on the command line and in reports.
    pub fn by_id(id: &str) -> Option<Format> {
        format::by_id(id).map(Format)
    }

    /// Its name on the command line and in reports.
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// A short description.
    pub fn title(self) -> &'static str {
        self.0.title
    }
}

impl Target {
    /// All targets.
    pub fn all() -> impl Iterator<Item = Target> {
        format::targets().map(Target)
    }

    /// The target with this name on the command line and in reports.
    pub fn by_id(id: &str) -> Option<Target> {
        format::targets().find(|format| format.id == id).map(Target)
    }

    /// Its name on the command line and in reports.
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// A short description.
    pub fn title(self) -> &'static str {
        self.0.title
    }
}

impl Eq for Format {}

impl Eq for Target {}

impl From<Target> for Format {
    fn from(target: Target) -> Format {
        Format(target.0)
    }
}

impl TryFrom<Format> for Target {
    /// The format, which is only read.
    type Error = Format;
    fn try_from(format: Format) -> Result<Target, Format> {
        if format.0.writer.is_some() { Ok(Target(format.0)) } else { Err(format) }
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}
