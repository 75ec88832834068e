//! One conversion from beginning to end: what the input is, its head, its entries through all cores, in order.
//! Reading and writing of files is the caller's (`cli`); this knows streams only.

use std::collections::{HashMap, HashSet};
use std::io::{self, Read, Write};
use std::sync::Arc;

use rayon::prelude::*;

use crate::code::Code;
use crate::detect::{self, Kind};
use crate::diagnostic;
use crate::emit::{Out, Style};
use crate::error::{Error, ErrorKind};
use crate::format::ns::media;
use crate::format::{self, Around, Cut, Family, Format, Setup, Survey, Writer, json};
use crate::interop::verify::Verifier;
use crate::ledger::{Books, Diagnostic, Ledger};
use crate::model::origin::{Part, Record, Role, Syntax};
use crate::model::{Entry, Feed, IntoOwned, Mark, Seen, Walk};
use crate::options::Options;
use crate::pages;
use crate::place;
use crate::resolve;
use crate::survey;
use crate::tree::{NodeKind, Take, Tree};
use crate::xml::decode::{self, Bomb, Decoded, Findings, Unreadable};
use crate::xml::names::Ns;
use crate::xml::parse::{self, Bad, Scope};
use crate::xml::split::{self, Chunk, Context, Frame, Lines, Piece, Shape, Splitter, Trouble};

/// Something that can be read more than once from its beginning: a file, bytes in memory, a spooled pipe.
pub trait Input: Sync {
    /// What messages call it.
    fn name(&self) -> &str;
    /// A new reader at its beginning.
    ///
    /// # Errors
    /// What the system says.
    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>>;
}

/// Bytes in memory.
pub struct Bytes<'b> {
    /// What messages call them.
    pub name: &'b str,
    /// The bytes.
    pub bytes: &'b [u8],
}

impl Input for Bytes<'_> {
    fn name(&self) -> &str {
        self.name
    }
    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
        Ok(Box::new(self.bytes))
    }
}

/// A conversion to one target.
#[derive(Clone, Debug)]
pub struct Conversion {
    to: &'static Format,
    from: Option<&'static Format>,
    options: Options,
}

/// What a run tells of its source besides the books.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct SourceInfo {
    /// Its name.
    pub name: String,
    /// Its format.
    pub format: String,
    /// The encoding it was read in.
    pub encoding: String,
}

/// What a finished run has to tell.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The sources, in order.
    pub sources: Vec<SourceInfo>,
    /// Entries read.
    pub entries: u64,
    /// Entries that could not be written.
    pub dropped: u64,
    /// The books.
    pub ledger: Ledger,
}

impl Conversion {
    /// A conversion to this format, with default options.
    pub fn to(to: &'static Format) -> Conversion {
        Conversion { to, from: None, options: Options::default() }
    }

    /// Overrules detection.
    #[must_use]
    pub fn from(mut self, from: &'static Format) -> Conversion {
        self.from = Some(from);
        self
    }

    /// With these options.
    #[must_use]
    pub fn with(mut self, options: Options) -> Conversion {
        self.options = options;
        self
    }

    /// Converts bytes in memory.
    ///
    /// # Errors
    /// What [`Conversion::run`] returns.
    pub fn bytes(&self, input: &[u8]) -> Result<(String, Ledger), Error> {
        let mut out = Vec::new();
        let summary = self.run(&[&Bytes { name: "-", bytes: input }], &mut out, None)?;
        let text = String::from_utf8(out)
            .map_err(|error| Error::io("output", io::Error::new(io::ErrorKind::InvalidData, error.utf8_error())))?;
        Ok((text, summary.ledger))
    }

    /// Converts several inputs to one document. Every occurrence of the report goes to `lines` as a JSON line, if
    /// that is given.
    ///
    /// # Errors
    /// Any [`ErrorKind`]: unreadable or unknown input, a limit of the document, an output that cannot be written, and
    /// `Unbalanced`, if the books do not balance.
    pub fn run<'r>(
        &'r self,
        inputs: &[&dyn Input],
        out: &'r mut (dyn Write + Send + 'r),
        lines: Option<&'r mut (dyn Write + Send + 'r)>,
    ) -> Result<Summary, Error> {
        let writer = self.to.writer.ok_or_else(|| cannot_write(self.to))?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.options.threads.min(MAX_THREADS))
            .build()
            .map_err(|error| Error::io("threads", io::Error::other(error)))?;
        let mut run = Run {
            to: self.to,
            writer,
            options: &self.options,
            out,
            ledger: Ledger::new(lines.is_some()),
            lines,
            entries: 0,
            dropped: 0,
            written: false,
        };
        let mut documents = Vec::new();
        for input in inputs {
            let document = Document::open(*input, self.from, &self.options);
            documents.push(document.map_err(|error| error.in_input(input.name()))?);
        }
        pool.install(|| run.documents(&documents))?;
        let sources = documents.into_iter().map(|document| document.info).collect();
        Ok(Summary { sources, entries: run.entries, dropped: run.dropped, ledger: run.ledger })
    }
}

/// More threads than any machine here has only cost memory.
const MAX_THREADS: usize = 256;

fn cannot_write(to: &Format) -> Error {
    let all: Vec<&str> = format::targets().map(|format| format.id).collect();
    Error::format(format!("{} can only be read", to.id), format!("targets are {}", all.join(", ")))
}

/// An input whose format and head are known.
pub struct Document<'i> {
    input: &'i dyn Input,
    /// What it is.
    pub format: &'static Format,
    /// What reports say of it.
    pub info: SourceInfo,
    /// What is said of the whole.
    pub feed: Feed<'static>,
    shape: Option<Shape>,
    jsonl: bool,
    trouble: Vec<Trouble>,
    /// Rows left out of `trouble`.
    untold: u64,
    /// The input is valid UTF-8 from beginning to end.
    clean: bool,
}

impl<'i> Document<'i> {
    /// Finds out what the input is and reads its head.
    ///
    /// # Errors
    /// Unreadable, unknown, or with a head that cannot be read.
    pub fn open(input: &'i dyn Input, from: Option<&'static Format>, options: &Options) -> Result<Document<'i>, Error> {
        let mut decoded = decoded(input, options)?;
        let prefix = decoded.peek().map_err(|error| unreadable(input.name(), error))?;
        let kind = detect::detect(&prefix.text, prefix.complete);
        let format = match from {
            Some(format) => format,
            None => recognise(&kind, &prefix.text)?,
        };
        let shape = match (format.reader.cut(), &kind) {
            (Cut::Markup(_), Kind::AtomEntry) => Some(Shape::ATOM_ENTRY),
            (Cut::Markup(shape), _) => Some(shape),
            (Cut::Lines | Cut::Json, _) => None,
        };
        let info = SourceInfo {
            name: input.name().to_owned(),
            format: format.id.to_owned(),
            encoding: decoded.encoding_name().to_owned(),
        };
        let jsonl = format.id == "jsonl";
        let feed = Feed::default();
        let mut document =
            Document { input, format, info, feed, shape, jsonl, trouble: Vec::new(), untold: 0, clean: false };
        drop(decoded);
        document.read_head(options)?;
        Ok(document)
    }

    fn decoded(&self, options: &Options) -> Result<Decoded<Box<dyn Read + Send + 'i>>, Error> {
        decoded(self.input, options)
    }

    fn cutter(&self, options: &Options) -> Result<Box<dyn Cutter + Send + 'i>, Error> {
        let decoded = self.decoded(options)?;
        Ok(self.cut(if self.clean { decoded.trusted() } else { decoded }, options, true))
    }

    /// Of the first pass the `entries` are not wanted.
    fn cut<R>(&self, decoded: Decoded<R>, options: &Options, entries: bool) -> Box<dyn Cutter + Send + 'i>
    where
        R: Read + Send + 'i,
    {
        let limits = split::Limits {
            entry: options.limits.entry,
            head: options.limits.head,
            depth: options.limits.tree.depth,
            chunk: options.limits.chunk,
            line: options.limits.line,
        };
        match (&self.shape, self.format.family) {
            (Some(shape), _) => {
                let mut splitter = Splitter::new(decoded, shape.clone(), limits);
                splitter.collect_entries(entries);
                Box::new(splitter)
            }
            (None, Family::Json) => json::split::cutter(decoded, self.jsonl, limits),
            (None, _) => Box::new(Lines::new(decoded, limits)),
        }
    }

    /// The first pass: everything but the entries, and what is wrong with the bytes.
    fn read_head(&mut self, options: &Options) -> Result<(), Error> {
        let mut decoded = self.decoded(options)?;
        let findings = decoded.findings();
        if self.format.family == Family::Text {
            io::copy(&mut decoded, &mut io::sink()).map_err(|error| unreadable(self.input.name(), error))?;
            self.note_bytes(&findings);
            return Ok(());
        }
        let mut cutter = self.cut(decoded, options, false);
        let mut spent = Chunk::default();
        while let Some(chunk) =
            cutter.next_chunk_into(std::mem::take(&mut spent)).map_err(|error| unreadable(self.input.name(), error))?
        {
            spent = chunk;
        }
        let frame = cutter.frame();
        if frame.stopped {
            let worst = frame.trouble.iter().rev().find(|trouble| trouble.code.starts_with("limit."));
            let code = worst.map_or("limit.head", |trouble| trouble.code);
            let says = match code {
                "limit.depth" => "elements are nested too deeply",
                _ => "the document without its entries is too large",
            };
            return Err(limit(code, says.to_owned()));
        }
        self.note_bytes(&findings);
        self.feed = read_feed(self.format, &frame, options)?;
        self.trouble.extend(frame.trouble);
        Ok(())
    }

    fn note_bytes(&mut self, findings: &Findings) {
        let (trouble, untold) = findings.trouble();
        self.trouble.extend(trouble);
        self.untold += untold;
        self.clean = findings.is_clean();
        self.info.encoding = findings.encoding().to_owned();
    }
}

fn decoded<'i>(input: &'i dyn Input, options: &Options) -> Result<Decoded<Box<dyn Read + Send + 'i>>, Error> {
    let opened = input.open().and_then(|reader| decode::decode_within(reader, options.limits.gzip));
    opened.map_err(|error| unreadable(input.name(), error))
}

fn unreadable(name: &str, error: io::Error) -> Error {
    let inner = error.get_ref();
    if let Some(unreadable) = inner.and_then(|inner| inner.downcast_ref::<Unreadable>()) {
        return Error::format(format!("this is {}", unreadable.what), unreadable.hint).in_input(name);
    }
    if let Some(bomb) = inner.and_then(|inner| inner.downcast_ref::<Bomb>()) {
        return ErrorKind::Limit { option: bomb.option, says: bomb.says.clone() }.into();
    }
    Error::io(name, error)
}

/// A limit that costs the document.
fn limit(code: &str, says: String) -> Error {
    ErrorKind::Limit { option: diagnostic::option(code).unwrap_or("--max-head"), says }.into()
}

/// What was done, and for a limit what raises it.
fn done(code: &str, done: &str) -> String {
    match diagnostic::option(code) {
        Some(option) => format!("{done}; {option} raises the limit"),
        None => done.to_owned(),
    }
}

/// The format of a document, from what its beginning looks like and the namespaces it names there.
fn recognise(kind: &Kind, prefix: &str) -> Result<&'static Format, Error> {
    let uses = |ns: Ns| namespaces_in(prefix).any(|found| found == ns);
    Ok(match kind {
        Kind::Rss { .. } if uses(Ns::Media) => &format::rss::MRSS,
        Kind::Rss { .. } => &format::rss::RSS,
        Kind::Rss10 | Kind::Rss11 => &format::rss::RSS1,
        Kind::Rss090 => &format::rss::RSS09,
        Kind::Atom | Kind::AtomEntry if uses(Ns::Media) => &format::atom::ATOM_MEDIA,
        Kind::Atom | Kind::AtomEntry => &format::atom::ATOM,
        Kind::Atom03 => &format::atom::ATOM03,
        Kind::Sitemap if uses(Ns::Video) => &format::sitemap::VIDEO,
        Kind::Sitemap => &format::sitemap::SITEMAP,
        Kind::SitemapIndex => &format::sitemap::SITEMAP_INDEX,
        Kind::Text => &format::text::TEXT,
        Kind::Json => &format::json::JSON,
        Kind::JsonLines => &format::json::JSONL,
        other => return Err(refusal(other)),
    })
}

/// Why a document is not read, and what was expected.
fn refusal(kind: &Kind) -> Error {
    let expected = "expected RSS, Atom, an XML sitemap, a list of addresses or the model as JSON";
    match kind {
        Kind::Empty => Error::format("the input is empty", expected),
        Kind::Html { title: Some(title) } => {
            let title: String = title.chars().filter(|c| !c.is_control()).take(100).collect();
            Error::format(
                format!("an HTML page (\"{title}\") where a feed was expected"),
                "fetch the feed's own address",
            )
        }
        Kind::Html { title: None } => {
            Error::format("an HTML page where a feed was expected", "fetch the feed's own address")
        }
        Kind::UnknownXml { root, namespace } => {
            let of = namespace.as_ref().map(|uri| format!(" of {uri}")).unwrap_or_default();
            Error::format(format!("XML with the root element <{root}>{of}, which is no feed or sitemap"), expected)
        }
        Kind::JsonFeed => Error::format("a JSON Feed, which is not read yet", expected),
        Kind::JsonLd => Error::format("schema.org JSON-LD, which is not read yet", expected),
        Kind::Opml => Error::format("an OPML list of feeds", "convert the feeds it names"),
        Kind::UnknownJson => Error::format("JSON that is not the model", expected),
        Kind::Unknown { looks } => {
            let looks: String = looks.chars().filter(|c| !c.is_control()).take(100).collect();
            Error::format(looks, expected)
        }
        _ => Error::format("not a known format", expected),
    }
}

/// The namespaces that a piece of markup declares, known ones only.
fn namespaces_in(text: &str) -> impl Iterator<Item = Ns> {
    memchr::memmem::find_iter(text.as_bytes(), b"xmlns").filter_map(|at| {
        let rest = text.get(at..)?;
        let (_, value) = rest.split_once('=')?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (uri, _) = value.get(1..)?.split_once(quote)?;
        (uri.len() < 200).then(|| Ns::of(uri).ns).filter(|ns| *ns != Ns::Unknown)
    })
}

/// Anything that cuts a stream into chunks of entries.
pub(crate) trait Cutter {
    /// The next chunk; the given one is used again.
    fn next_chunk_into(&mut self, spent: Chunk) -> io::Result<Option<Chunk>>;
    /// The document without its entries, after the last chunk.
    fn frame(self: Box<Self>) -> Frame;
}

impl<R: Read> Cutter for Splitter<R> {
    fn next_chunk_into(&mut self, spent: Chunk) -> io::Result<Option<Chunk>> {
        Splitter::next_chunk_into(self, spent)
    }
    fn frame(self: Box<Self>) -> Frame {
        Splitter::frame(*self)
    }
}

impl<R: Read> Cutter for Lines<R> {
    fn next_chunk_into(&mut self, _: Chunk) -> io::Result<Option<Chunk>> {
        self.next_chunk()
    }
    fn frame(self: Box<Self>) -> Frame {
        Frame::default()
    }
}

fn read_feed(format: &'static Format, frame: &Frame, options: &Options) -> Result<Feed<'static>, Error> {
    let syntax = if format.family == Family::Json { Syntax::Json } else { Syntax::Xml };
    let scope = Scope::default();
    // an entry document has nothing around its entry
    let bare = syntax == Syntax::Xml && frame.text.trim().is_empty();
    let tree = match syntax {
        _ if bare => Ok(crate::tree::Tree::default()),
        Syntax::Json => json::parse::parse_object(&frame.text, options.limits.tree.depth).map_err(|bad| Bad {
            at: bad.at,
            code: "json.ill_formed",
            says: bad.says.to_owned(),
        }),
        Syntax::Xml | Syntax::Line => parse::parse(&frame.text, &scope, &options.limits.tree),
    };
    let refuse = |bad: Bad| {
        let (line, column) = frame.place(bad.at);
        match diagnostic::option(bad.code) {
            Some(_) => limit(bad.code, format!("{} (line {line} of the head)", bad.says)),
            None => Error::from(ErrorKind::Xml { line, column, says: bad.says }),
        }
    };
    let tree = tree.map_err(refuse)?;
    let mut take = Take::new(&tree, true);
    let mut feed = Feed::default();
    if let Some(root) = tree.root() {
        take.known(root);
        format.reader.head(root, &mut take, &mut feed, Around { feed: None, options });
        feed.links.sort_by_key(|link| link.href.is_some());
    }
    let origin = take.rest(options.limits.head, &mut feed.foreign);
    let mut origin = origin.map_err(|at| refuse(Bad { at, code: "limit.head", says: FAR_TOO_DEEP.to_owned() }))?;
    let places = frame.segments.iter().map(|segment| (segment.at, segment.line, segment.column));
    let mut places: Vec<(usize, u32, u32)> = places.collect();
    if places.first().is_none_or(|place| place.0 != 0) {
        places.insert(0, (0, 1, 1));
    }
    origin.parts.push(Part {
        first: 0,
        entry: None,
        raw: std::borrow::Cow::Borrowed(&frame.text),
        syntax,
        context: Arc::new(Context::default()),
        places,
    });
    feed.origin = origin;
    if format.family != Family::Json {
        resolve::feed(&mut feed, options);
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
    pub scope: &'a Scope<'a>,
    pub context: &'a Arc<Context>,
    pub number: u64,
    pub line: u32,
    pub column: u32,
}

/// Reads one entry.
///
/// # Errors
/// [`Bad`], if its markup is not well-formed or passes a limit.
pub(crate) fn read_entry<'a>(format: &Format, raw: &RawEntry<'a>, around: Around<'a>) -> Result<Entry<'a>, Bad> {
    let (tree, syntax) =
        match format.family {
            Family::Text => (line_tree(raw.text), Syntax::Line),
            Family::Json => {
                let tree = json::parse::parse_object(raw.text, around.options.limits.tree.depth)
                    .map_err(|bad| Bad { at: bad.at, code: "json.ill_formed", says: bad.says.to_owned() })?;
                (tree, Syntax::Json)
            }
            Family::Rss | Family::Atom | Family::Sitemap => {
                (parse::parse(raw.text, raw.scope, &around.options.limits.tree)?, Syntax::Xml)
            }
        };
    let mut take = Take::new(&tree, false);
    let mut entry = Entry::default();
    if let Some(root) = tree.root() {
        take.known(root);
        format.reader.entry(root, &mut take, &mut entry, around);
        // links that only describe another member's link are written with that member, so they stand first
        entry.links.sort_by_key(|link| link.href.is_some());
    }
    let origin = take.rest(around.options.limits.entry, &mut entry.foreign);
    let mut origin = origin.map_err(|at| Bad { at, code: "limit.entry", says: FAR_TOO_DEEP.to_owned() })?;
    origin.parts.push(Part {
        first: 0,
        entry: Some(raw.number),
        raw: std::borrow::Cow::Borrowed(raw.text),
        syntax,
        context: raw.context.clone(),
        places: vec![(0, raw.line, raw.column)],
    });
    entry.origin = origin;
    if format.family != Family::Json {
        resolve::entry(&mut entry, around.feed, around.options);
    }
    Ok(entry)
}

/// The paths of `foreign` count like bytes of the entry they are made of.
const FAR_TOO_DEEP: &str = "the paths of its unknown markup are longer than it may be itself";

fn line_tree(line: &str) -> Tree<'_> {
    let mut tree = Tree::default();
    let mut raw = Tree::raw(NodeKind::Text, "", 0);
    raw.value = std::borrow::Cow::Borrowed(line);
    tree.push(u32::MAX, raw);
    tree
}

/// The running conversion.
struct Run<'r> {
    to: &'static Format,
    writer: &'static dyn Writer,
    options: &'r Options,
    out: &'r mut (dyn Write + Send + 'r),
    lines: Option<&'r mut (dyn Write + Send + 'r)>,
    ledger: Ledger,
    entries: u64,
    dropped: u64,
    /// Something was written after the head.
    written: bool,
}

/// Which entries are one page with an earlier one.
#[derive(Default)]
struct Joins {
    /// The later ones: (document, number).
    later: HashSet<(usize, u64)>,
    /// For the first of each page, the later ones, in order.
    of: HashMap<(usize, u64), Vec<Entry<'static>>>,
}

impl Run<'_> {
    fn documents(&mut self, documents: &[Document<'_>]) -> Result<(), Error> {
        let Some(first) = documents.first() else { return Ok(()) };
        for document in documents {
            self.refuse_index(json::family_format(document.format, &document.feed))?;
            for trouble in &document.trouble {
                self.trouble(trouble)?;
            }
            self.ledger.untold(document.untold);
            for remark in &document.feed.origin.remarks {
                let part = document.feed.origin.parts.first();
                let (line, column) = part.map_or((1, 1), |part| place::position(part, remark.at as usize));
                self.ledger.diagnostic(Diagnostic {
                    code: remark.code,
                    severity: diagnostic::severity(remark.code),
                    line,
                    column,
                    found: remark.found.clone(),
                    done: remark.done.to_string(),
                });
            }
        }
        let mut survey = Survey::default();
        let mut joins = Joins::default();
        if self.writer.surveys(&first.feed, self.options) || self.writer.groups() {
            self.survey(documents, &mut survey, &mut joins)?;
        }
        let mut verifier = None;
        let mut declared = Vec::new();
        for (index, document) in documents.iter().enumerate() {
            let source = json::family_format(document.format, &document.feed);
            let same_family = source.family == self.to.family || self.to.family == Family::Json;
            let setup = Setup {
                source,
                target: self.to,
                same_family,
                options: self.options,
                feed: &first.feed,
                own_feed: &document.feed,
                survey: &survey,
            };
            // the root is written once
            if index == 0 {
                declared = self.writer.namespaces(&setup);
            }
            let style = setup.style(self.writer, &declared);
            let mut books = Books::default();
            if index == 0 {
                verifier = self.head(document, &setup, &style, &mut books)?;
            }
            self.entries(index, document, &setup, &style, &mut joins, verifier.as_ref())?;
            self.close_head(index, document, first, &style, &mut books)?;
        }
        self.tail(first, &survey)?;
        self.flush_lines()
    }

    /// A sitemap index is a document of its own kind: its entries are no pages.
    fn refuse_index(&self, format: &Format) -> Result<(), Error> {
        let takes = matches!(self.to.id, "sitemap" | "json" | "jsonl");
        match format.id == "sitemap-index" && !takes {
            true => Err(Error::format(
                format!("a sitemap index cannot become {}: its entries are other sitemaps, not pages", self.to.id),
                "convert the sitemaps it names, or write it as sitemap, json or jsonl",
            )),
            false => Ok(()),
        }
    }

    fn trouble(&mut self, trouble: &Trouble) -> Result<(), Error> {
        self.ledger.diagnostic(diagnostic_of(trouble));
        self.strict()
    }

    fn strict(&self) -> Result<(), Error> {
        if !self.options.strict {
            return Ok(());
        }
        if let Some(diagnostic) = self.ledger.diagnostics().first() {
            let says = format!("{}: {}, {}", diagnostic.code, diagnostic.found, diagnostic.done);
            return Err(ErrorKind::Strict { line: diagnostic.line, says }.into());
        }
        if let Some((says, line)) = self.ledger.doubt() {
            return Err(ErrorKind::Strict { line, says: says.to_owned() }.into());
        }
        let worst = self.ledger.rows().into_iter().find(|row| row.severity() == crate::code::Severity::Error);
        match worst {
            Some(row) => {
                let line = row.examples.first().and_then(|example| example.line).unwrap_or(0);
                let says = format!("{}: {}", row.code.name(), row.why);
                Err(ErrorKind::Strict { line, says }.into())
            }
            None => Ok(()),
        }
    }

    fn is_markup(&self) -> bool {
        matches!(self.to.family, Family::Rss | Family::Atom | Family::Sitemap)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out.write_all(bytes).map_err(|error| Error::io("output", error))
    }

    fn flush_lines(&mut self) -> Result<(), Error> {
        let bytes = self.ledger.take_lines();
        match &mut self.lines {
            Some(lines) => lines.write_all(&bytes).map_err(|error| Error::io("report", error)),
            None => Ok(()),
        }
    }

    fn head(
        &mut self,
        document: &Document<'_>,
        setup: &Setup<'_>,
        style: &Style<'_>,
        books: &mut Books,
    ) -> Result<Option<Verifier>, Error> {
        let mut buf = Vec::new();
        books.open_feed(&document.feed.origin.records);
        let mut out = Out::new(style, &mut buf, books, 0);
        self.writer.head(&document.feed, setup, &mut out);
        if self.is_markup() && !self.options.pretty {
            buf.push(b'\n');
        }
        self.write(&buf)?;
        self.options.verify.then(|| Verifier::new(self.to, &buf)).transpose()
    }

    fn close_head(
        &mut self,
        index: usize,
        document: &Document<'_>,
        first: &Document<'_>,
        style: &Style<'_>,
        books: &mut Books,
    ) -> Result<(), Error> {
        let feed = &document.feed;
        if index > 0 {
            // of several documents, the head of the first is written
            let mut known: HashMap<crate::model::Field, Vec<String>> = HashMap::new();
            first.feed.each_leaf(&mut |seen| known.entry(seen.field).or_default().push(seen.value.to_string()));
            feed.each_leaf(&mut |seen: Seen<'_>| {
                let why = "the head of the first input is the head of the output";
                match known.get(&seen.field) {
                    Some(values) if values.contains(&seen.value.to_string()) => {
                        books.merged(seen.mark, Code::DuplicateMerged, why);
                    }
                    Some(_) => books.merged(seen.mark, Code::ConflictFirstWins, why),
                    None => books.lost(seen.mark, Code::NoCarrier, why),
                }
            });
        }
        self.ledger.close_feed(books, &feed.origin, style.table, |visit| feed.walk((), visit))?;
        self.strict()
    }

    fn tail(&mut self, first: &Document<'_>, survey: &Survey) -> Result<(), Error> {
        let source = json::family_format(first.format, &first.feed);
        let setup = Setup {
            source,
            target: self.to,
            same_family: source.family == self.to.family,
            options: self.options,
            feed: &first.feed,
            own_feed: &first.feed,
            survey,
        };
        let mut buf = Vec::new();
        let line_end = match self.to.family {
            Family::Json => false,
            Family::Text => self.written,
            Family::Rss | Family::Atom | Family::Sitemap => self.written || self.options.pretty,
        };
        if line_end {
            buf.push(b'\n');
        }
        self.writer.tail(&setup, &mut buf);
        self.write(&buf)?;
        self.out.flush().map_err(|error| Error::io("output", error))
    }

    /// The first look at all entries.
    fn survey(&mut self, documents: &[Document<'_>], survey: &mut Survey, joins: &mut Joins) -> Result<(), Error> {
        let groups = self.writer.groups();
        let mut first_with: HashMap<u128, (usize, u64)> = HashMap::new();
        let hasher = std::collections::hash_map::RandomState::new();
        for (index, document) in documents.iter().enumerate() {
            let glance = |chunk: &Chunk| Glance::of(chunk, document, self.options, groups, &hasher);
            each_batch(document, self.options, &glance, &mut |chunks, glances| {
                for (chunk, glance) in chunks.iter().zip(glances) {
                    survey::merge(survey, glance.survey);
                    for (number, key) in glance.keys {
                        match first_with.get(&key) {
                            None => {
                                first_with.insert(key, (index, number));
                            }
                            Some(&first) => {
                                joins.later.insert((index, number));
                                if let Some(entry) = reread(chunk, number, document, self.options) {
                                    joins.of.entry(first).or_default().push(entry);
                                }
                            }
                        }
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn entries(
        &mut self,
        index: usize,
        document: &Document<'_>,
        setup: &Setup<'_>,
        style: &Style<'_>,
        joins: &mut Joins,
        verifier: Option<&Verifier>,
    ) -> Result<(), Error> {
        let full = self.lines.is_some();
        let joins: &Joins = joins;
        let markup_pretty = self.is_markup() && self.options.pretty;
        let between: &[u8] = if markup_pretty { b"" } else { self.writer.between() };
        let worker = Worker { document, index, setup, style, writer: self.writer, joins, full, between, verifier };
        each_batch(document, self.options, &|chunk| worker.chunk(chunk), &mut |_, results| {
            results.into_iter().try_for_each(|done| self.finish_chunk(done?, between))
        })
    }

    fn finish_chunk(&mut self, done: Done, between: &[u8]) -> Result<(), Error> {
        self.entries += done.entries;
        self.dropped += done.dropped;
        self.ledger.absorb(done.ledger);
        self.strict()?;
        if !done.bytes.is_empty() {
            if self.written {
                self.write(between)?;
            }
            self.written = true;
            self.write(&done.bytes)?;
        }
        self.flush_lines()
    }
}

/// What takes the results of a batch, with its chunks.
type Sink<'s, T> = dyn FnMut(&[Chunk], Vec<T>) -> Result<(), Error> + 's;

/// Cuts a document into batches of chunks; each batch is worked on by all cores while the next one is cut, and its
/// results are handed on in order. Memory is bounded by two batches and their results.
fn each_batch<T: Send>(
    document: &Document<'_>,
    options: &Options,
    work: &(dyn Fn(&Chunk) -> T + Sync),
    done: &mut Sink<'_, T>,
) -> Result<(), Error> {
    let mut cutter = document.cutter(options)?;
    let size = 4 * rayon::current_num_threads();
    let mut spent: Vec<Chunk> = Vec::new();
    let mut batch = cut_batch(&mut *cutter, &mut spent, size, document)?;
    while !batch.is_empty() {
        let (results, next) = rayon::join(
            || batch.par_iter().map(work).collect::<Vec<T>>(),
            || cut_batch(&mut *cutter, &mut spent, size, document),
        );
        done(&batch, results)?;
        spent.append(&mut batch);
        batch = next?;
    }
    Ok(())
}

fn cut_batch(
    cutter: &mut (dyn Cutter + Send),
    spent: &mut Vec<Chunk>,
    size: usize,
    document: &Document<'_>,
) -> Result<Vec<Chunk>, Error> {
    let mut batch = Vec::with_capacity(size);
    while batch.len() < size {
        let chunk = cutter.next_chunk_into(spent.pop().unwrap_or_default());
        match chunk.map_err(|error| unreadable(document.input.name(), error))? {
            Some(chunk) => batch.push(chunk),
            None => break,
        }
    }
    Ok(batch)
}

fn diagnostic_of(trouble: &Trouble) -> Diagnostic {
    Diagnostic {
        code: trouble.code,
        severity: if trouble.lost { "error" } else { diagnostic::severity(trouble.code) },
        line: trouble.line,
        column: trouble.column,
        found: trouble.found.clone(),
        done: done(trouble.code, trouble.done),
    }
}

/// What the first look at a chunk found.
struct Glance {
    survey: Survey,
    keys: Vec<(u64, u128)>,
}

impl Glance {
    fn of(
        chunk: &Chunk,
        document: &Document<'_>,
        options: &Options,
        groups: bool,
        hasher: &std::collections::hash_map::RandomState,
    ) -> Glance {
        let mut glance = Glance { survey: Survey::default(), keys: Vec::new() };
        let scope = Scope::of(&chunk.context.tags);
        let around = Around { feed: Some(&document.feed), options };
        let family = json::family_format(document.format, &document.feed).family;
        for (offset, piece) in chunk.pieces.iter().enumerate() {
            let raw = raw_entry(chunk, piece, offset, &scope);
            let Ok(entry) = read_entry(document.format, &raw, around) else { continue };
            survey::look(&entry, &mut glance.survey);
            if groups && let Some(key) = pages::key(&entry, family) {
                use std::hash::BuildHasher;
                let high = hasher.hash_one((0_u8, &key));
                let low = hasher.hash_one((1_u8, &key));
                glance.keys.push((raw.number, u128::from(high) << 64 | u128::from(low)));
            }
        }
        glance
    }
}

fn raw_entry<'a>(chunk: &'a Chunk, piece: &Piece, offset: usize, scope: &'a Scope<'a>) -> RawEntry<'a> {
    RawEntry {
        text: chunk.text.get(piece.start..piece.end).unwrap_or(""),
        scope,
        context: &chunk.context,
        number: chunk.first + offset as u64,
        line: piece.line,
        column: piece.column,
    }
}

fn reread(chunk: &Chunk, number: u64, document: &Document<'_>, options: &Options) -> Option<Entry<'static>> {
    let offset = number.checked_sub(chunk.first)? as usize;
    let scope = Scope::of(&chunk.context.tags);
    let raw = raw_entry(chunk, chunk.pieces.get(offset)?, offset, &scope);
    let around = Around { feed: Some(&document.feed), options };
    read_entry(document.format, &raw, around).ok().map(IntoOwned::into_owned)
}

/// What one core does: entries of a chunk in, bytes and books out.
struct Worker<'w> {
    document: &'w Document<'w>,
    index: usize,
    setup: &'w Setup<'w>,
    style: &'w Style<'w>,
    writer: &'static dyn Writer,
    joins: &'w Joins,
    full: bool,
    between: &'static [u8],
    verifier: Option<&'w Verifier>,
}

struct Done {
    bytes: Vec<u8>,
    ledger: Ledger,
    entries: u64,
    dropped: u64,
}

impl Worker<'_> {
    fn chunk(&self, chunk: &Chunk) -> Result<Done, Error> {
        let mut done = Done { bytes: Vec::new(), ledger: Ledger::new(self.full), entries: 0, dropped: 0 };
        let scope = Scope::of(&chunk.context.tags);
        let around = Around { feed: Some(&self.document.feed), options: self.setup.options };
        let mut books = Books::default();
        books.open_feed(&self.document.feed.origin.records);
        for (offset, piece) in chunk.pieces.iter().enumerate() {
            done.entries += 1;
            let raw = raw_entry(chunk, piece, offset, &scope);
            if self.joins.later.contains(&(self.index, raw.number)) {
                continue;
            }
            match read_entry(self.document.format, &raw, around) {
                Ok(mut entry) => {
                    if self.index > 0 && matches!(self.setup.target.family, Family::Rss | Family::Atom | Family::Json) {
                        leave_head(&mut entry, self.setup);
                    }
                    self.entry(entry, &mut books, &mut done)?;
                }
                Err(bad) => lose(&mut done, &raw, syntax_of(self.document.format), &bad),
            }
        }
        for trouble in &chunk.trouble {
            done.ledger.diagnostic(diagnostic_of(trouble));
            if trouble.lost {
                done.entries += 1;
                done.dropped += 1;
                let path = chunk.context.path.clone();
                done.ledger.unreadable(trouble.done, trouble.entry, trouble.line, trouble.column, path);
            }
        }
        Ok(done)
    }

    fn entry(&self, entry: Entry<'_>, books: &mut Books, done: &mut Done) -> Result<(), Error> {
        let number = entry.origin.parts.first().and_then(|part| part.entry).unwrap_or(0);
        match self.joins.of.get(&(self.index, number)) {
            Some(later) => {
                let mut joined = entry.into_owned();
                pages::join(&mut joined, later.iter().cloned());
                self.write(&joined, books, done)
            }
            None if self.setup.target.family == Family::Sitemap && pages::repeats(&entry) => {
                let mut joined = entry.into_owned();
                pages::join(&mut joined, []);
                self.write(&joined, books, done)
            }
            None => self.write(&entry, books, done),
        }
    }

    fn write(&self, entry: &Entry<'_>, books: &mut Books, done: &mut Done) -> Result<(), Error> {
        for remark in &entry.origin.remarks {
            let Some(part) = entry.origin.parts.get(remark.part as usize) else { continue };
            let (line, column) = place::position(part, remark.at as usize);
            done.ledger.diagnostic(Diagnostic {
                code: remark.code,
                severity: diagnostic::severity(remark.code),
                line,
                column,
                found: remark.found.clone(),
                done: remark.done.to_string(),
            });
        }
        books.open(&entry.origin.records);
        let before = done.bytes.len();
        if before > 0 {
            done.bytes.extend_from_slice(self.between);
        }
        let start = done.bytes.len();
        let mut out = Out::new(self.style, &mut done.bytes, books, depth_of(self.setup.target));
        self.writer.entry(entry, self.setup, &mut out);
        let written = !books.dropped() && done.bytes.len() > start;
        if !written && !entry.origin.records.iter().any(|record| matches!(record.role, Role::Leaf)) {
            unsaid(done, entry);
        } else if books.dropped() {
            done.dropped += 1;
        }
        if !written {
            done.bytes.truncate(before);
        } else if let (Some(verifier), Some(written)) = (self.verifier, done.bytes.get(start..)) {
            verifier.entry(written)?;
        }
        done.ledger.close(books, &entry.origin, self.style.table, |visit| entry.walk((), visit))
    }
}

/// Gives an entry what its own head says for its entries, where the head that is written says something else. The
/// copies have the marks of their originals, in the books of the entry's own head.
fn leave_head<'a>(entry: &mut Entry<'a>, setup: &Setup<'a>) {
    let (own, written) = (setup.own_feed, setup.feed);
    if pages::is_unread(entry) {
        return;
    }
    // the editor of an RSS channel is not the author of its items
    if entry.authors.is_empty() && setup.source.family == Family::Atom && own.authors != written.authors {
        entry.authors.clone_from(&own.authors);
    }
    if entry.language.is_none() && own.language != written.language {
        entry.language.clone_from(&own.language);
    }
    if entry.base.is_none() && own.base != written.base {
        entry.base.clone_from(&own.base);
    }
    if entry.rights.is_none() && own.rights != written.rights {
        entry.rights.clone_from(&own.rights);
    }
    media::bring(entry, own);
}

/// How many elements are open around an entry of this target.
fn depth_of(target: &Format) -> usize {
    match target.family {
        Family::Rss => 2,
        Family::Atom | Family::Sitemap => 1,
        Family::Text | Family::Json => 0,
    }
}

/// Where an entry stands: below the elements around it, by its own name if it has one.
fn entry_path(context: &Context, text: &str, syntax: Syntax) -> String {
    let name = match syntax {
        Syntax::Xml => text.trim_start_matches('<').split([' ', '>', '/', '\n', '\t', '\r']).next().unwrap_or(""),
        Syntax::Json | Syntax::Line => "",
    };
    [context.path.as_str(), name].into_iter().filter(|step| !step.is_empty()).collect::<Vec<_>>().join("/")
}

fn syntax_of(format: &Format) -> Syntax {
    match format.family {
        Family::Text => Syntax::Line,
        Family::Json => Syntax::Json,
        Family::Rss | Family::Atom | Family::Sitemap => Syntax::Xml,
    }
}

/// An entry that has no value and was not written is one leaf, lost and named.
fn unsaid(done: &mut Done, entry: &Entry<'_>) {
    done.dropped += 1;
    let Some(part) = entry.origin.parts.first() else { return };
    let (line, column) = part.places.first().map_or((1, 1), |place| (place.1, place.2));
    let path = entry_path(&part.context, &part.raw, part.syntax);
    done.ledger.unreadable("it says nothing that can be written", part.entry, line, column, path);
}

fn bad_place(raw: &RawEntry<'_>, bad: &Bad) -> (u32, u32) {
    let before = raw.text.get(..bad.at).unwrap_or(raw.text);
    let next = raw.text.as_bytes().get(bad.at).copied();
    place::advance(before, next, raw.line, raw.column)
}

/// An entry that cannot be read is one leaf, lost and named.
fn lose(done: &mut Done, raw: &RawEntry<'_>, syntax: Syntax, bad: &Bad) {
    done.dropped += 1;
    let (line, column) = bad_place(raw, bad);
    done.ledger.diagnostic(Diagnostic {
        code: bad.code,
        severity: "error",
        line,
        column,
        found: bad.says.clone(),
        done: self::done(bad.code, "the entry is lost, its neighbours are not"),
    });
    let path = entry_path(raw.context, raw.text, syntax);
    let why = if bad.code.starts_with("limit.") { "it passes a limit" } else { "it is not well-formed" };
    done.ledger.unreadable(why, Some(raw.number), raw.line, raw.column, path);
}

/// Reads the entries of a document one after the other, in constant memory.
///
/// ```
/// use transfeed::convert::{Bytes, Entries};
///
/// let input = Bytes { name: "urls.txt", bytes: b"https://example.com/a\nhttps://example.com/b\n" };
/// let entries = Entries::open(&input, None)?;
/// let pages: Vec<String> =
///     entries.map(|entry| Ok(entry?.loc.unwrap().to_string())).collect::<Result<_, transfeed::error::Error>>()?;
/// assert_eq!(pages, ["https://example.com/a", "https://example.com/b"]);
/// # Ok::<(), transfeed::error::Error>(())
/// ```
pub struct Entries<'i> {
    document: Document<'i>,
    options: Options,
    cutter: Box<dyn Cutter + Send + 'i>,
    chunk: Chunk,
    next: usize,
    trouble: usize,
}

impl<'i> Entries<'i> {
    /// Finds out what the input is (unless `from` says so) and reads its head.
    ///
    /// # Errors
    /// Unreadable, unknown, or with a head that cannot be read.
    pub fn open(input: &'i dyn Input, from: Option<&'static Format>) -> Result<Entries<'i>, Error> {
        let options = Options::default();
        let document = Document::open(input, from, &options)?;
        let cutter = document.cutter(&options)?;
        Ok(Entries { document, options, cutter, chunk: Chunk::default(), next: 0, trouble: 0 })
    }

    /// The head.
    pub fn feed(&self) -> &Feed<'static> {
        &self.document.feed
    }

    /// What the document is.
    pub fn format(&self) -> &'static Format {
        self.document.format
    }

    fn read(&mut self) -> Option<Result<Entry<'static>, Error>> {
        if let Some(piece) = self.chunk.pieces.get(self.next) {
            let scope = Scope::of(&self.chunk.context.tags);
            let raw = raw_entry(&self.chunk, piece, self.next, &scope);
            let around = Around { feed: Some(&self.document.feed), options: &self.options };
            let entry = read_entry(self.document.format, &raw, around).map(IntoOwned::into_owned);
            let entry = entry.map_err(|bad| {
                let (line, column) = bad_place(&raw, &bad);
                match diagnostic::option(bad.code) {
                    Some(_) => limit(bad.code, format!("{} (line {line} of the head)", bad.says)),
                    None => Error::from(ErrorKind::Xml { line, column, says: bad.says }),
                }
            });
            self.next += 1;
            return Some(entry);
        }
        let trouble = self.chunk.trouble[self.trouble.min(self.chunk.trouble.len())..].iter();
        let lost = trouble.inspect(|_| self.trouble += 1).find(|trouble| trouble.lost)?;
        let says = format!("{}: {}", lost.code, lost.done);
        Some(Err(ErrorKind::Xml { line: lost.line, column: lost.column, says }.into()))
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.read() {
                return Some(entry);
            }
            match self.cutter.next_chunk_into(std::mem::take(&mut self.chunk)) {
                Ok(Some(chunk)) => (self.chunk, self.next, self.trouble) = (chunk, 0, 0),
                Ok(None) => return None,
                Err(error) => return Some(Err(unreadable(self.document.input.name(), error))),
            }
        }
    }
}

/// Writes a head and entries, made by hand or read before, and keeps the books of it.
///
/// ```
/// use transfeed::convert::write;
/// use transfeed::format;
/// use transfeed::model::{Entry, Feed};
/// use transfeed::options::Options;
///
/// let mut out = Vec::new();
/// let books = write(&format::text::TEXT, Feed::default(), [Entry::at("https://example.com/")], &Options::default(), &mut out)?;
/// assert_eq!(out, b"https://example.com/\n");
/// assert_eq!(books.totals().kept, 1);
/// # Ok::<(), transfeed::error::Error>(())
/// ```
///
/// # Errors
/// `Unbalanced`, and what `out` says.
pub fn write<'e>(
    to: &'static Format,
    mut feed: Feed<'_>,
    entries: impl IntoIterator<Item = Entry<'e>>,
    options: &Options,
    out: &mut dyn Write,
) -> Result<Ledger, Error> {
    let writer = to.writer.ok_or_else(|| cannot_write(to))?;
    number_feed(&mut feed);
    let mut entries: Vec<Entry<'e>> = entries.into_iter().collect();
    let mut seen = Survey::default();
    for entry in &mut entries {
        number(entry);
        survey::look(entry, &mut seen);
    }
    let setup =
        Setup { source: to, target: to, same_family: true, options, feed: &feed, own_feed: &feed, survey: &seen };
    let declared = writer.namespaces(&setup);
    let style = setup.style(writer, &declared);
    let mut books = Books::default();
    let mut ledger = Ledger::default();
    let mut bytes = Vec::new();
    let mut head = Out::new(&style, &mut bytes, &mut books, 0);
    writer.head(&feed, &setup, &mut head);
    let markup = matches!(to.family, Family::Rss | Family::Atom | Family::Sitemap);
    if markup && !options.pretty {
        bytes.push(b'\n');
    }
    let mut between: &[u8] = b"";
    for entry in &entries {
        let mut entry_books = Books::default();
        entry_books.open(&entry.origin.records);
        let mut one = Vec::new();
        writer.entry(entry, &setup, &mut Out::new(&style, &mut one, &mut entry_books, depth_of(to)));
        if !entry_books.dropped() && !one.is_empty() {
            bytes.extend_from_slice(between);
            bytes.extend_from_slice(&one);
            between = if markup && options.pretty { b"" } else { writer.between() };
        }
        ledger.close(&mut entry_books, &entry.origin, style.table, |visit| entry.walk((), visit))?;
    }
    if to.family != Family::Json && (to.family != Family::Text || !between.is_empty()) {
        bytes.push(b'\n');
    }
    writer.tail(&setup, &mut bytes);
    ledger.close_feed(&mut books, &feed.origin, style.table, |visit| feed.walk((), visit))?;
    out.write_all(&bytes).map_err(|error| Error::io("output", error))?;
    Ok(ledger)
}

/// Numbers the values of an entry made by hand, so that the books can name them.
fn number(entry: &mut Entry<'_>) {
    let mut records = std::mem::take(&mut entry.origin.records);
    entry.marks(&mut |mark: &mut Mark| {
        if !mark.is_some() {
            *mark = Mark(records.len() as u32);
            records.push(Record { at: 0, role: Role::Leaf, preset: crate::model::origin::Preset::Open });
        }
    });
    entry.origin.records = records;
}

fn number_feed(feed: &mut Feed<'_>) {
    let mut records = std::mem::take(&mut feed.origin.records);
    feed.marks(&mut |mark: &mut Mark| {
        if !mark.is_some() {
            *mark = Mark(records.len() as u32 | Mark::FEED);
            records.push(Record { at: 0, role: Role::Leaf, preset: crate::model::origin::Preset::Open });
        }
    });
    feed.origin.records = records;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::{Carrier, Spelling};
    use crate::fate::{Fate, FateTable};
    use crate::model::Field;

    /// A writer that declares two fields and forgets one of them from the second entry on.
    struct Forgetful;

    impl Writer for Forgetful {
        fn table(&self, _: &Options) -> FateTable {
            |field| match field {
                Field::Loc => Fate::Native("loc"),
                Field::Title => Fate::Native("title"),
                _ => Fate::NONE,
            }
        }
        fn carrier(&self) -> Carrier {
            |_, _| None
        }
        fn spelling(&self) -> Spelling {
            Spelling { yes: "yes", no: "no", date: |date| (date.to_w3c(), None) }
        }
        fn namespaces(&self, _: &Setup<'_>) -> Vec<(String, String)> {
            Vec::new()
        }
        fn surveys(&self, _: &Feed<'_>, _: &Options) -> bool {
            false
        }
        fn head<'e>(&self, _: &'e Feed<'e>, _: &Setup<'_>, _: &mut Out<'_, 'e>) {}
        fn entry<'e>(&self, entry: &'e Entry<'e>, _: &Setup<'_>, out: &mut Out<'_, 'e>) {
            out.element("page", |out| {
                out.put(Field::Loc, &entry.loc);
                if entry.loc.as_ref().is_some_and(|loc| loc.ends_with('1')) {
                    out.put(Field::Title, &entry.title.as_ref().map(|title| title.value.clone()));
                }
            });
        }
        fn tail(&self, _: &Setup<'_>, _: &mut Vec<u8>) {}
    }

    static FORGETFUL: Format = Format {
        id: "forgetful",
        title: "a format whose writer forgets",
        family: Family::Text,
        reader: &crate::format::text::read::Text,
        writer: Some(&Forgetful),
    };

    fn page(number: u32) -> Entry<'static> {
        let loc = Some(format!("https://example.com/{number}").into());
        Entry { loc, title: Some("a title".into()), ..Entry::default() }
    }

    #[test]
    fn the_ledger_catches_a_writer_that_forgets_a_field() {
        let mut out = Vec::new();
        let options = Options::default();
        let good = write(&FORGETFUL, Feed::default(), [page(1)], &options, &mut out).unwrap();
        assert_eq!(good.totals().kept, 2);
        let bad = write(&FORGETFUL, Feed::default(), [page(1), page(2)], &options, &mut out).unwrap_err();
        assert!(bad.is_bug(), "{bad}");
        assert!(bad.to_string().contains("title at"), "{bad}");
        assert!(bad.to_string().contains("neither written nor reported"), "{bad}");
    }

    #[test]
    fn a_value_in_the_model_without_a_number_is_a_bug_too() {
        let mut entry = page(1);
        number(&mut entry);
        entry.id = Some("late".into());
        let mut ledger = Ledger::default();
        let mut books = Books::default();
        books.open(&entry.origin.records);
        let table: FateTable = |_| Fate::NONE;
        let closed = ledger.close(&mut books, &entry.origin, table, |visit| entry.walk((), visit));
        assert!(closed.is_err_and(|error| error.is_bug()));
    }

    #[test]
    fn a_leaf_that_a_reader_took_and_dropped_is_a_bug() {
        let mut entry = page(1);
        number(&mut entry);
        entry.title = None;
        let mut ledger = Ledger::default();
        let mut books = Books::default();
        books.open(&entry.origin.records);
        let table: FateTable = |_| Fate::NONE;
        let closed = ledger.close(&mut books, &entry.origin, table, |visit| entry.walk((), visit));
        assert!(closed.is_err_and(|error| error.to_string().contains("read and then forgotten")));
    }
}
