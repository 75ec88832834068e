//! What is checked of any bytes: one function for each fuzz target. tests/replay.rs runs every input that was kept
//! through the same functions. No input is found here: that is the fuzzer's work.
//!
//! The first bytes of an input choose the circumstances (a target, options, sizes); the rest is the document.

use std::io::Read;

use transfeed::convert::{Bytes, Conversion, Summary};
use transfeed::diff::{Comparison, DiffSums, Difference as Finding, Inputs};
use transfeed::error::{Error, ErrorKind};
use transfeed::format::{self, FORMATS, Format};
use transfeed::job::Name;
use transfeed::job::journal::{self, Journal, KnownRecord, Record, Stamp};
use transfeed::job::summary::FileReport;
use transfeed::markup::{Tokeniser, TokeniserMemory};
use transfeed::model::origin::Syntax;
use transfeed::model::value::{Decimal, FromText, Seconds};
use transfeed::model::{Date, Precision};
use transfeed::options::{Extensions, ForeignMode, Items, Options, Profile, RenditionRule};
use transfeed::report;
use transfeed::text::{cut, embed, html, mime, region, url};
use transfeed::tree::{Node, NodeKind, Tree};
use transfeed::work;
use transfeed::xml::chunk::{SplitLimits, Trouble};
use transfeed::xml::decode::{self, DecodedStream};
use transfeed::xml::escape;
use transfeed::xml::limits::TreeLimits;
use transfeed::xml::parse;
use transfeed::xml::place::Place;
use transfeed::xml::scope::Scope;
use transfeed::xml::split::{Frame, Shape, Splitter};

/// A check of any bytes.
pub type Check = fn(&[u8]);

/// All of them, by the names of their targets.
pub const CHECKS: [(&str, Check); 8] = [
    ("splitter", splitter),
    ("tree", tree),
    ("decode", decode),
    ("values", values),
    ("convert", convert),
    ("growth", growth),
    ("journal", journal),
    ("diff", diff),
];

/// A reader that hands out its bytes in pieces of sizes that follow from a seed.
struct Trickle<'a> {
    rest: &'a [u8],
    seed: u8,
}

impl Trickle<'_> {
    fn size(&mut self) -> usize {
        self.seed = self.seed.wrapping_mul(29).wrapping_add(17);
        match self.seed % 8 {
            0..4 => usize::from(self.seed % 8) + 1,
            4..6 => usize::from(self.seed),
            _ => usize::from(self.seed) * 32 + 1,
        }
    }
}

impl Read for Trickle<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let count = self.size().min(out.len()).min(self.rest.len());
        let (now, rest) = self.rest.split_at(count);
        out[..count].copy_from_slice(now);
        self.rest = rest;
        Ok(count)
    }
}

// ---- splitter ----

const SHAPES: [Shape; 5] = [Shape::RSS, Shape::ATOM, Shape::ATOM_ENTRY, Shape::SITEMAP, Shape::SITEMAP_INDEX];

/// An entry, and where it stands.
#[derive(Debug, PartialEq)]
struct Found {
    number: u64,
    text: String,
    line: u32,
    column: u32,
    tags: String,
    path: String,
}

/// Any bytes are cut into the same entries, whatever the sizes of reads and of chunks, and whether or not the text of
/// entries and frame is kept. Bytes: shape and limits; seed of the sizes.
pub fn splitter(data: &[u8]) {
    let [how, seed, document @ ..] = data else { return };
    let shape = &SHAPES[usize::from(how % 5)];
    let limits = match how / 5 % 4 {
        0 => SplitLimits { entry: 200, ..SplitLimits::default() },
        1 => SplitLimits { head: 300, ..SplitLimits::default() },
        2 => SplitLimits { depth: 4, ..SplitLimits::default() },
        _ => SplitLimits::default(),
    };
    let (entries, trouble, frame) = split(document, shape, limits.clone());
    if let Ok(text) = std::str::from_utf8(document) {
        stand_where_they_say(text, &entries, &trouble);
    }
    let trickle = || Trickle { rest: document, seed: *seed };
    let other = split(trickle(), shape, limits.clone());
    assert_eq!((&entries, &trouble, &frame), (&other.0, &other.1, &other.2), "other sizes of reads");
    let small = SplitLimits { chunk: usize::from(*seed), ..limits.clone() };
    let other = split(trickle(), shape, small);
    assert_eq!((&entries, &trouble, &frame), (&other.0, &other.1, &other.2), "other sizes of chunks");

    // what is not kept is not looked at for invalid bytes, which are not to be there
    let said = |trouble: &[Trouble]| -> Vec<Trouble> {
        trouble.iter().filter(|trouble| trouble.code != "encoding.invalid").cloned().collect()
    };
    let mut first = Splitter::new(document, shape.clone(), limits.clone());
    first.collect_entries(false);
    let (none, first_trouble, first_frame) = drain(first);
    assert_eq!(none, [], "no entries were asked for");
    assert_eq!((said(&trouble), &frame), (said(&first_trouble), &first_frame), "without entries");
    let mut second = Splitter::new(trickle(), shape.clone(), limits);
    second.collect_frame(false);
    let (second_entries, second_trouble, second_frame) = drain(second);
    assert_eq!((&entries, &trouble), (&second_entries, &second_trouble), "without frame");
    assert_eq!(second_frame.text, "");
    let untold = match said(&frame.trouble) == frame.trouble {
        true => (frame.untold, second_frame.untold),
        false => (0, 0),
    };
    let second_frame = Frame { text: frame.text.clone(), segments: frame.segments.clone(), ..second_frame };
    let bare = |frame: Frame, untold: u64| Frame { trouble: said(&frame.trouble), untold, ..frame };
    assert_eq!(bare(frame, untold.0), bare(second_frame, untold.1), "without frame");
}

fn split(reader: impl Read, shape: &Shape, limits: SplitLimits) -> (Vec<Found>, Vec<Trouble>, Frame) {
    drain(Splitter::new(reader, shape.clone(), limits))
}

fn drain(mut splitter: Splitter<impl Read>) -> (Vec<Found>, Vec<Trouble>, Frame) {
    let (mut entries, mut trouble) = (Vec::new(), Vec::new());
    while let Some(chunk) = splitter.next_chunk().expect("bytes in memory can be read") {
        let mut end = 0;
        for (index, piece) in chunk.pieces.iter().enumerate() {
            assert_eq!(piece.start, end, "nothing stands between the pieces of a chunk");
            end = piece.end;
            let text = chunk.text[piece.start..piece.end].to_owned();
            assert!(text.starts_with('<'), "an entry begins with its tag: {text}");
            entries.push(Found {
                number: chunk.first + index as u64,
                text,
                line: piece.line,
                column: piece.column,
                tags: chunk.context.tags.clone(),
                path: chunk.context.path.clone(),
            });
        }
        assert_eq!(end, chunk.text.len());
        trouble.extend(chunk.trouble);
    }
    let frame = splitter.frame();
    assert!(entries.windows(2).all(|pair| pair[0].number < pair[1].number), "entries are numbered in order");
    assert!(entries.last().is_none_or(|last| last.number < frame.entries));
    (entries, trouble, frame)
}

/// Every entry stands in the document, at its place. One that was not closed has an end tag besides.
fn stand_where_they_say(document: &str, entries: &[Found], trouble: &[Trouble]) {
    let mut place = Place::default();
    let mut at = 0;
    for entry in entries {
        while (place.line, place.column) != (entry.line, entry.column) {
            let next = document[at..].chars().next().unwrap_or_else(|| panic!("no such place: {entry:?}"));
            place.advance(&document.as_bytes()[at..at + next.len_utf8()]);
            at += next.len_utf8();
        }
        let rest = &document[at..];
        let mended = trouble.iter().any(|trouble| trouble.entry == Some(entry.number));
        let written = match mended && !rest.starts_with(&entry.text) {
            true => entry.text.rsplit_once("</").map_or("", |(text, _)| text),
            false => &entry.text,
        };
        assert!(!written.is_empty() && rest.starts_with(written), "other text at its place: {entry:?} {rest}");
    }
}

// ---- tree ----

/// One entry makes a tree within its limits, or there is a reason in it; an independent parser that accepts it sees the
/// same. Byte: limits and the elements around.
pub fn tree(data: &[u8]) {
    let [how, entry @ ..] = data else { return };
    let entry = String::from_utf8_lossy(entry);
    let limits = match how % 3 {
        0 => TreeLimits { depth: 4, attributes: 3, namespaces: 5, text: 40, attribute: 20, ..TreeLimits::default() },
        _ => TreeLimits::default(),
    };
    let around = match how / 3 % 2 {
        0 => "",
        _ => {
            r#"<rss xmlns:media="http://search.yahoo.com/mrss/" xmlns:m2="http://www.rssboard.org/media-rss" xml:lang="en"><channel xml:base="a/">"#
        }
    };
    let tree = match Tokeniser::new(around, TokeniserMemory::default()).tree(&entry, &limits) {
        Ok(tree) => tree,
        Err(bad) => {
            assert!(bad.at <= entry.len() && entry.is_char_boundary(bad.at), "{bad:?}");
            assert!(!bad.says.is_empty());
            if around.is_empty() && how % 3 != 0 {
                let other = roxmltree::Document::parse(&entry);
                assert!(other.is_err() || bad.code.starts_with("limit."), "{bad:?}, but it is well-formed: {entry}");
            }
            return;
        }
    };
    let root = tree.root().expect("a tree has a root");
    for repair in &tree.repairs {
        assert!(repair.at as usize <= entry.len() && entry.is_char_boundary(repair.at as usize), "{repair:?}");
    }
    holds(root, &limits);
    if around.is_empty() {
        same_as_others(&entry, &tree, root);
    }
    let again = parse::parse(&entry, &Scope::from_tags(around), &limits).expect("it was read before");
    assert_eq!(tree.repairs.len(), again.repairs.len());
    assert_eq!(again.root().map(outlines), Some(outlines(root)), "the parser alone makes another tree");
}

/// Nothing in the tree passes a limit.
fn holds(root: Node<'_, '_>, limits: &TreeLimits) {
    let mut todo = vec![(root, 1)];
    while let Some((node, depth)) = todo.pop() {
        assert!(depth <= limits.depth, "depth {depth}");
        assert!(node.attributes().count() <= limits.attributes, "attributes");
        for below in node.nodes() {
            match below.kind() {
                NodeKind::Element => todo.push((below, depth + 1)),
                NodeKind::Attribute => assert!(below.value().len() <= limits.attribute, "attribute"),
                NodeKind::Text => assert!(below.value().len() <= limits.text, "text"),
            }
        }
    }
}

/// An element: its name, its attributes, its own text without white space.
type Outline = (String, Vec<(String, String)>, String);

fn same_as_others(entry: &str, tree: &Tree<'_>, root: Node<'_, '_>) {
    let Ok(other) = roxmltree::Document::parse(entry) else { return };
    let strict = |code: &str| !matches!(code, "xml.case" | "xml.prefix" | "xml.namespace");
    let wrong = tree.repairs.iter().find(|repair| repair.code == "xml.ill_formed");
    assert!(wrong.is_none(), "mended what is well-formed: {wrong:?} {entry}");
    let repaired = tree.repairs.iter().any(|repair| strict(repair.code));
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    let mut theirs: Vec<Outline> = Vec::new();
    for node in other.root_element().descendants().filter(|node| node.is_element()) {
        let text = node.children().filter(|node| node.is_text()).filter_map(|node| node.text()).collect::<String>();
        let attributes = node.attributes().map(|found| (found.name().to_lowercase(), found.value().to_owned()));
        theirs.push((node.tag_name().name().to_lowercase(), attributes.collect(), bare(&text)));
    }
    let ours = outlines(root);
    assert!(repaired || ours == theirs, "{entry}\nours: {ours:?}\ntheirs: {theirs:?}\n{:?}", tree.repairs);
}

fn outlines(root: Node<'_, '_>) -> Vec<Outline> {
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    let mut ours: Vec<Outline> = Vec::new();
    let mut todo = vec![root];
    while let Some(node) = todo.pop() {
        let texts = node.nodes().filter(|node| node.kind() == NodeKind::Text);
        let text = texts.map(|node| node.value()).collect::<String>();
        let attributes = node.attributes().map(|found| (found.name().to_lowercase(), found.value().to_owned()));
        ours.push((node.name().to_lowercase(), attributes.collect(), bare(&text)));
        let mut below: Vec<_> = node.children().collect();
        below.reverse();
        todo.extend(below);
    }
    ours
}

// ---- decode ----

/// What is known of a document after it was decoded.
#[derive(Debug, PartialEq)]
struct Text {
    text: String,
    encoding: &'static str,
    gzip: bool,
    clean: bool,
    trouble: Vec<Trouble>,
    untold: u64,
    error: Option<String>,
}

/// Any bytes become the same text, whatever the sizes of reads on both sides, packed or not. Bytes: how it is packed;
/// seed of the sizes.
pub fn decode(data: &[u8]) {
    let [how, seed, document @ ..] = data else { return };
    let packed;
    let bytes = match how % 4 {
        0 => {
            packed = gzip(document);
            &packed
        }
        1 => {
            packed = gzip(document);
            &packed[..packed.len() - packed.len().min(usize::from(how / 4))]
        }
        _ => document,
    };
    let whole = decoded(decode::decode(bytes), 1 << 16, false);
    let pieces = |seed: u8| decode::decode(Trickle { rest: bytes, seed });
    assert_eq!(whole, decoded(pieces(*seed), 1 << 16, false), "other sizes of reads of the input");
    assert_eq!(whole, decoded(pieces(*seed), usize::from(*seed) + 1, true), "other sizes of reads of the text");
    assert_eq!(whole, decoded(decode::decode(bytes), 4096, true), "after a look at it");
    if how % 4 == 0 && whole.error.is_none() {
        let plain = decoded(decode::decode(document), 1 << 16, false);
        assert_eq!(Text { gzip: plain.gzip, ..whole }, plain, "packed");
    } else if how % 4 > 1 && whole.error.is_none() && !whole.gzip {
        if let Ok(text) = std::str::from_utf8(document)
            && whole.encoding == "UTF-8"
        {
            assert_eq!(whole.text, text.strip_prefix('\u{feff}').unwrap_or(text), "UTF-8 stays as it is");
            assert!(whole.clean, "valid UTF-8");
        }
        if whole.clean {
            assert!(document.ends_with(whole.text.as_bytes()), "clean text stays as it is");
            let trusted = decoded(decode::decode(document).map(DecodedStream::trust_utf8), 4096, false);
            assert_eq!(whole.text, trusted.text, "trusted text");
        }
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut packer = flate2::read::GzEncoder::new(bytes, flate2::Compression::fast());
    packer.read_to_end(&mut packed).expect("bytes in memory can be packed");
    packed
}

fn decoded(stream: std::io::Result<DecodedStream<impl Read>>, size: usize, look: bool) -> Text {
    let mut stream = match stream {
        Ok(stream) => stream,
        Err(error) => {
            let error = Some(error.to_string());
            let (text, trouble) = (String::new(), Vec::new());
            return Text { text, encoding: "", gzip: false, clean: false, trouble, untold: 0, error };
        }
    };
    let findings = stream.findings();
    let prefix = look.then(|| stream.peek().ok()).flatten();
    let mut bytes = Vec::new();
    let mut buffer = vec![0; size];
    let error = loop {
        match stream.read(&mut buffer) {
            Ok(0) => break None,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            Err(error) => break Some(error.to_string()),
        }
    };
    let text = String::from_utf8(bytes).expect("what was decoded is UTF-8");
    if let Some(prefix) = prefix.filter(|_| error.is_none()) {
        assert!(text.starts_with(&prefix.text), "the look shows the beginning");
        assert_eq!(prefix.complete, text.len() == prefix.text.len(), "the look knows whether it is all");
    }
    let (trouble, untold) = findings.trouble();
    let (encoding, gzip, clean) = (findings.encoding(), findings.gzip(), findings.is_clean());
    Text { text, encoding, gzip, clean, trouble, untold, error }
}

// ---- values ----

/// Any text is read as a value of each kind, or is none; what a value is written as is read as that value.
pub fn values(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    dates(text);
    durations(text);
    numbers(text);
    addresses(text);
    markup(text);
    codes(text);
}

fn dates(text: &str) {
    let Some((date, _)) = Date::parse(text) else { return };
    let read = |text: String| match Date::parse(&text) {
        Some((date, note)) => (date, note.map(|note| note.said)),
        None => panic!("not read again: {text}"),
    };
    let is_epoch = |date: &Date| Date::parse(&date.to_rfc3339()).is_none();
    let (again, note) = read(date.to_w3c());
    assert_eq!(again, date);
    let zoned = date.precision() < Precision::Minute || date.offset().is_some();
    assert!(!zoned || note.is_none(), "{} has a note: {note:?}", date.to_w3c());
    let full = date.at_midnight_utc();
    if !is_epoch(&full) {
        let (again, note) = read(date.to_rfc3339());
        assert_eq!((again.instant(), note), (date.instant(), None));
    }
    let seconds = full.truncated(Precision::Second);
    if !is_epoch(&seconds) {
        let (again, note) = read(date.to_rfc822());
        assert_eq!((again, note), (seconds, None), "{}", date.to_rfc822());
        let (again, note) = read(date.to_sitemap());
        assert_eq!(note, None);
        assert!(again.instant() == seconds.instant() || date.precision() <= Precision::Day);
    }
    for precision in [Precision::Year, Precision::Month, Precision::Day, Precision::Minute, Precision::Second] {
        let coarse = date.truncated(precision);
        assert!(coarse.precision() <= precision && coarse.covers(&date), "{coarse:?} {date:?}");
    }
}

fn durations(text: &str) {
    let Some((value, _)) = Seconds::parse(text) else { return };
    for text in [value.to_string(), value.to_clock(), value.to_iso()] {
        assert_eq!(Seconds::parse(&text).map(|(value, _)| value), Some(value), "{text}");
    }
    assert_eq!(Seconds::parse(&value.to_string()).and_then(|(_, note)| note), None);
    assert!(value.whole() >= value.micros() / 1_000_000);
}

fn numbers(text: &str) {
    if let Some((number, _)) = Decimal::parse(text.into()) {
        let (again, note) = Decimal::parse(number.as_str().into()).expect("a number is a number");
        assert_eq!((&again, note), (&number, None));
        assert_eq!(again.cmp_num(&number), std::cmp::Ordering::Equal);
        let digits = u32::try_from(number.fraction_digits()).unwrap_or(u32::MAX);
        if let Some(scaled) = number.scaled(digits)
            && digits <= 38
        {
            assert_eq!(Decimal::from_scaled(scaled, digits).as_ref(), Some(&number));
        }
    }
    if let Some((count, _)) = u64::from_text(text.into()) {
        assert_eq!(u64::from_text(count.to_string().into()), Some((count, None)));
    }
    if let Some((yes, _)) = bool::from_text(text.into()) {
        assert_eq!(bool::from_text(yes.to_string().into()), Some((yes, None)));
    }
}

fn addresses(text: &str) {
    let (first, second) = text.split_once(' ').unwrap_or((text, ""));
    let key = url::key(first);
    assert_eq!(url::key(&key), key, "the key of a key");
    let normal = url::normalize_for_sitemap(first);
    assert_eq!(url::normalize_for_sitemap(&normal), normal, "the normal form of a normal form");
    assert!(url::is_http(&normal) || !url::is_http(first), "{first} is an address, {normal} is none");
    for base in [first, "https://pond.example/a/b?c#d"] {
        if let Some(resolved) = url::resolve(base, second) {
            assert!(url::scheme(&resolved).is_some(), "{base} {second}: {resolved}");
            let again = url::resolve(base, &resolved);
            assert_eq!(again.as_deref(), Some(resolved.trim()), "what is absolute stays");
        }
    }
    if let Some(origin) = url::origin(first) {
        assert!(first.trim().starts_with(origin));
    }
    let _ = (url::host(first), url::extension(first), url::file_stem(first), url::slug(first));
    let _ = (embed::is_embed_host(first), embed::id_on(first, &["youtube.com"]));
    if let Some(player) = embed::player(first, Some("pond.example")) {
        assert!(url::is_http(&player) && embed::is_embed_host(&player), "{player}");
    }
}

fn markup(text: &str) {
    let plain = html::to_plain(text);
    assert!(plain.trim() == plain, "trimmed");
    assert!(!plain.contains("\n\n\n"), "at most one empty line: {plain:?}");
    if !text.contains(['<', '&', '\r']) {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().concat();
        assert_eq!(words(&plain), words(text), "plain text stays");
    }
    let back = html::to_plain(&html::from_plain(&plain));
    assert_eq!(back, plain, "plain text as markup says the same");
    let _ = (html::looks_like_markup(text), html::first_image(text), html::strip_iframe(text));
    let _ = html::xhtml_to_html(text);
    let (lenient, repairs) = escape::unescape_lenient(text);
    assert_eq!(escape::unescape(text).is_some(), repairs.is_empty());
    let mut escaped = Vec::new();
    if escape::escape_text(&lenient, &mut escaped) {
        let escaped = String::from_utf8(escaped).expect("escaped text is text");
        assert_eq!(escape::unescape(&escaped).as_deref(), Some(&*lenient), "escaped and back");
    }
    let mut escaped = Vec::new();
    if escape::escape_attr(&lenient, &mut escaped) {
        let escaped = String::from_utf8(escaped).expect("escaped text is text");
        assert_eq!(escape::unescape(&escaped).as_deref(), Some(&*lenient), "escaped and back");
    }
    for most in [0, 1, 10, 100, 2048] {
        match cut::cut(text, most) {
            None => assert!(text.chars().count() <= most),
            Some(short) => {
                assert!(text.chars().count() > most && short.chars().count() <= most);
                assert!(most == 0 || text.starts_with(short.trim_end_matches('…')) || text.contains('…'));
            }
        }
    }
    let tame = report::make_visible(text);
    assert!(!tame.contains(char::is_control), "{tame:?}");
}

fn codes(text: &str) {
    if let Some(country) = region::country(text) {
        let again = region::country(country.code).expect("a country's code is one");
        assert_eq!(again.code, country.code);
    }
    let _ = (region::is_currency(text), mime::medium_of_type(text), mime::medium_of_url(text));
    let _ = (mime::is_flash(text), mime::is_html(text), mime::is_manifest(text));
    let _ = (mime::major(text), mime::by_extension(text), mime::container_rank(Some(text), Some(text)));
    if let Some(ext) = mime::extension_of(text) {
        assert!(mime::by_extension(ext).is_some(), "{ext}");
    }
}

// ---- convert ----

/// Any bytes are converted, or refused for a reason in them: the books balance, the report can be read, and the output
/// is what it says it is. Bytes: target, and from 128 on the source format, which is else found; options.
pub fn convert(data: &[u8]) {
    let [to, how, document @ ..] = data else { return };
    let targets: Vec<&'static Format> = format::targets().collect();
    let target = targets[usize::from(*to) % targets.len()];
    let from = to.checked_sub(128).map(|number| FORMATS[usize::from(number) % FORMATS.len()]);
    let options = options(*how);
    let Some(output) = converted(document, from, target, &options) else { return };
    if output.dropped > 0 && options.strict {
        panic!("--strict, but {} entries were dropped", output.dropped);
    }
    is_well_formed(&output.text, target);
    if !target.family.is_lines() {
        let plain = Options { threads: 1, ..Options::default() };
        // the model on one line, longer than what detection looks at, may be either kind of JSON
        let from = (output.text.len() > decode::PEEK).then_some(target);
        let again = converted(output.text.as_bytes(), from, target, &plain);
        assert!(again.is_some(), "{} is not read again: {}", target.id, output.text);
    }
}

fn options(how: u8) -> Options {
    let is = |bit: u8| how & bit != 0;
    let address = |name: &str| Some(format!("https://pond.example/feeds/{name}.xml"));
    Options {
        base: if is(32) { address("base") } else { None },
        self_url: if is(32) { address("self") } else { None },
        profile: match (is(64), is(128)) {
            (false, _) => Profile::Default,
            (true, false) => Profile::Google,
            (true, true) => Profile::None,
        },
        ext: is(128).then_some(Extensions::ALL),
        foreign: if is(4) { ForeignMode::Drop } else { ForeignMode::Same },
        strict: is(8),
        no_synth: is(2),
        pretty: is(1),
        now: if is(32) { Date::ymd(2024, 5, 1) } else { None },
        verify: is(16),
        memory: if is(2) { 0 } else { Options::default().memory },
        no_group: is(4) && is(1),
        items: match (is(2), is(64)) {
            (false, _) => Items::AsGiven,
            (true, false) => Items::PerPage,
            (true, true) => Items::PerVideo,
        },
        rendition: if is(64) { RenditionRule::Smallest } else { RenditionRule::Best },
        no_merge_ungrouped: is(32) && is(4),
        assume_video: is(32),
        no_rewrite: is(4),
        threads: 1,
        ..Options::default()
    }
}

struct Output {
    text: String,
    dropped: u64,
}

/// The output, if there is one; a refusal has to have a reason in the input.
fn converted(document: &[u8], from: Option<&'static Format>, to: &'static Format, options: &Options) -> Option<Output> {
    let mut conversion = Conversion::to(to).with(options.clone());
    if let Some(from) = from {
        conversion = conversion.from(from);
    }
    let (mut out, mut lines) = (Vec::new(), Vec::new());
    let input = Bytes { name: "fuzz", bytes: document };
    match conversion.run(&[&input], &mut out, Some(&mut lines)) {
        Ok(summary) => {
            let dropped = summary.objects.dropped;
            reports(&summary, to, &lines);
            Some(Output { text: String::from_utf8(out).expect("output is UTF-8"), dropped })
        }
        Err(error) => {
            refused(&error, options);
            None
        }
    }
}

fn refused(error: &Error, options: &Options) {
    assert!(!error.is_bug(), "{error}");
    match error.kind() {
        ErrorKind::Io { .. } => panic!("memory is no file: {error}"),
        ErrorKind::Strict { .. } => assert!(options.strict, "{error}"),
        _ => (),
    }
    assert!(!error.to_string().is_empty());
}

fn reports(summary: &Summary, to: &'static Format, lines: &[u8]) {
    let sums = summary.ledger.totals();
    assert_eq!(sums.leaves, sums.kept + sums.changed + sums.lost + sums.unread + sums.merged, "{sums:?}");
    let lines = std::str::from_utf8(lines).expect("a report is UTF-8");
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line of the report is JSON");
        assert!(line.is_object());
    }
    let mut whole = Vec::new();
    report::json(summary, to, "default", &mut whole).expect("memory can be written");
    let _: serde_json::Value = serde_json::from_slice(&whole).expect("a report is JSON");
    let text = report::text(summary, to, &report::TextOptions::plain(report::ReportDetail::Table));
    assert!(text.lines().all(|line| report::make_visible(line) == line), "a terminal would obey: {text:?}");
}

fn is_well_formed(text: &str, target: &Format) {
    match target.family.syntax {
        Syntax::Xml => {
            if let Err(error) = roxmltree::Document::parse(text) {
                panic!("{} that is no XML: {error}\n{text}", target.id);
            }
        }
        // a cell in quotes may have any lines
        Syntax::Row => assert!(!text.contains('\0') || text.contains(','), "a table without columns: {text:?}"),
        Syntax::Json if target.id != "jsonl" => {
            let _: serde_json::Value = serde_json::from_str(text).expect("JSON");
        }
        Syntax::Json => {
            for line in text.lines() {
                let _: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
            }
        }
        Syntax::Html => panic!("nothing writes pages"),
        Syntax::Line => assert!(text.lines().all(|line| !line.trim().is_empty()), "an empty line: {text:?}"),
    }
}

// ---- growth ----

/// Bytes of the documents of [`growth`].
const SIZES: [usize; 2] = [64 << 10, 256 << 10];
/// Four times the bytes may take so many times the work; what is quadratic takes 16 times.
const MOST: u64 = 7;
/// Less work than this is none.
const NOTHING: u64 = 10_000;

/// Documents in which something repeats many times take work in proportion. It is counted, not timed, so that the same
/// input passes or fails on any machine and under any load.
/// Bytes: as for [`convert`]; where what repeats begins, its length.
pub fn growth(data: &[u8]) {
    let [to, how, begin, length, document @ ..] = data else { return };
    let at = document.len() * usize::from(*begin) / 256;
    let (before, rest) = document.split_at(at);
    let (again, after) = rest.split_at(rest.len().min(usize::from(*length) + 1));
    if again.is_empty() {
        return;
    }
    let targets: Vec<&'static Format> = format::targets().collect();
    let target = targets[usize::from(*to) % targets.len()];
    // the count is that of this thread
    let options = Options { verify: false, threads: 1, ..options(*how) };
    let [once, four] = SIZES.map(|size| {
        let large = [before, &again.repeat(size / again.len()), after].concat();
        let start = work::done();
        converted(&large, None, target, &options);
        work::done() - start
    });
    assert!(four < MOST * once + NOTHING, "four times the bytes take {four} for {once}");
}

// ---- journal ----

fn record(path: &str, size: u64) -> Record {
    let stamp = Stamp { size, mtime: -5, hash: "ab".into() };
    let files = vec![journal::RecordedOutput { path: Name::Text("o.xml".into()), stamp: stamp.clone() }];
    let report = FileReport { path: Name::Text(path.into()), ..FileReport::default() };
    Record {
        v: journal::VERSION,
        stamp,
        options: "x".into(),
        at: 0,
        below: None,
        origins: Vec::new(),
        fetched: None,
        done: None,
        files,
        report,
    }
}

fn read_journal(bytes: &[u8]) -> Journal {
    let mut journal = Journal::default();
    journal.read(bytes, 0).expect("memory can be read");
    journal
}

/// The record at the place of one that is known.
fn written(known: &KnownRecord, bytes: &[u8]) -> Record {
    let start = known.place.start as usize;
    journal::parse(&bytes[start..start + known.place.length as usize]).expect("what is known can be read again")
}

/// A journal that is cut, flipped, doubled and mixed with any bytes tells nothing but what was once written, and what is
/// appended to it is read. Bytes: edits of seven, until there is none; the rest is put in.
pub fn journal(data: &[u8]) {
    let known: Vec<Record> = (0..9).map(|n| record(&format!("{}/\n\"{}.xml", n % 2, n % 4), n)).collect();
    let mut bytes: Vec<u8> = known.iter().flat_map(journal::line).collect();
    let mut rest = data;
    while let [how @ 0..5, a, b, c, d, byte, after @ ..] = rest {
        rest = after;
        let place = |high: u8, low: u8| usize::from(u16::from_be_bytes([high, low])) % (bytes.len() + 1);
        let (at, to) = (place(*a, *b), place(*c, *d));
        let (from, until) = (at.min(to), at.max(to));
        match how {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(from..until)),
            2 => bytes.get_mut(at).into_iter().for_each(|old| *old ^= byte),
            3 => drop(bytes.splice(at..at, rest.iter().copied().take(usize::from(*byte)))),
            _ => {
                let piece = bytes[from..until].to_vec();
                bytes.splice(at..at, piece);
            }
        }
        bytes.truncate(200_000);
    }
    let found = read_journal(&bytes);
    for record in found.rest() {
        // only a line that is whole, and no other could have been made without the sum
        assert!(known.contains(&written(record, &bytes)), "nobody wrote {record:?}");
    }
    let new = record("new", 1);
    if found.torn {
        bytes.push(b'\n');
    }
    bytes.extend(journal::line(&new));
    let found = read_journal(&bytes);
    assert_eq!(found.last_record(&new.report.path).map(|found| written(found, &bytes)), Some(new));
}

// ---- diff ----

/// Any two documents can be compared: what is told adds up, whatever the order of the sides, and nothing differs from
/// itself. Bytes: options; where the first document ends (two); both documents.
pub fn diff(data: &[u8]) {
    let [how, high, low, rest @ ..] = data else { return };
    let (a, b) = rest.split_at(usize::from(u16::from_be_bytes([*high, *low])).min(rest.len()));
    let options = Options { threads: 1, memory: if how & 1 == 0 { 1 << 20 } else { 0 }, ..Options::default() };
    let comparison = Comparison { options, order: how & 2 != 0, ..Comparison::default() };
    let compare = |a: &[u8], b: &[u8]| -> Result<(DiffSums, Vec<Finding>), Error> {
        let (a, b) = (Bytes { name: "a", bytes: a }, Bytes { name: "b", bytes: b });
        let mut found = Vec::new();
        let sides = (Inputs { name: "a", inputs: &[&a] }, Inputs { name: "b", inputs: &[&b] });
        comparison.run(sides.0, sides.1, &mut found).map(|sums| (sums, found))
    };
    for document in [a, b] {
        if let Ok((sums, found)) = compare(document, document) {
            assert!(sums.is_same() && found.is_empty(), "a document differs from itself: {found:?}");
        }
    }
    let (Ok((there, found)), Ok((back, _))) = (compare(a, b), compare(b, a)) else { return };
    let count = |is: fn(&Finding) -> bool| found.iter().filter(|found| is(found)).count() as u64;
    assert_eq!(there.added, count(|found| matches!(found, Finding::Added(_))));
    assert_eq!(there.removed, count(|found| matches!(found, Finding::Removed(_))));
    assert_eq!(there.moved, count(|found| matches!(found, Finding::Moved(_))));
    assert_eq!(there.changed, count(|found| matches!(found, Finding::Changed(_))));
    assert_eq!((there.added, there.removed), (back.removed, back.added), "the other way round it is something else");
}
