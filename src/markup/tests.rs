//! The strict parser makes the same tree as the tokeniser, and the table has its elements, leaves, spans, places and repairs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::*;
use crate::table::{LeafForm, NONE, PathRole};
use crate::tree::{NodeKind, Tree};
use crate::xml::chunk::{Chunk, Context, SplitLimits};
use crate::xml::decode;
use crate::xml::split::{Shape, Splitter};

/// What of a node can be told apart: kind, namespace, names, value, where it begins and ends, its parent.
type Row = (NodeKind, String, usize, usize, u32);

/// The rows of a tree.
fn rows_of_tree(tree: &Tree<'_>) -> Vec<Row> {
    let rows = tree.nodes.iter().map(|raw| {
        let names = match raw.kind {
            // where a text ends is nowhere asked
            NodeKind::Text => String::new(),
            NodeKind::Element | NodeKind::Attribute => {
                format!("{:?} {:?} {:?} {:?}", raw.ns, raw.name, raw.qname, raw.uri)
            }
        };
        let end = if raw.kind == NodeKind::Text { 0 } else { raw.end as usize };
        (raw.kind, format!("{names} {:?}", raw.value), raw.at as usize, end, raw.parent)
    });
    rows.collect()
}

/// All that can be told of a tree.
fn told(tree: &Tree<'_>) -> Vec<String> {
    tree.nodes.iter().map(|node| format!("{node:?}")).collect()
}

/// The rows of a table, numbered like the nodes of a tree: an element, then its leaves and elements.
fn rows_of_table(table: &LeafTable, paths: &PathTable, source: &str) -> Vec<Row> {
    let (mut rows, mut nodes) = (Vec::new(), vec![0; table.elements().len()]);
    let mut leaf = 0;
    for (number, element) in table.elements().iter().enumerate() {
        leaf_rows(&mut rows, (table, paths, source), leaf..element.leaves as usize, &nodes);
        leaf = element.leaves as usize;
        nodes[number] = rows.len() as u32;
        let name = paths.name(element.path);
        assert_eq!(name.role, PathRole::Element);
        let names = format!("{:?} {:?} {:?} {:?}", name.ns, name.local(), name.qname(), paths.uri(element.path));
        let parent = if element.parent == NONE { NONE } else { nodes[element.parent as usize] };
        let (at, end) = (element.at as usize, element.end as usize);
        rows.push((NodeKind::Element, format!("{names} \"\""), at, end, parent));
        let above = if element.parent == NONE { NONE } else { table.elements()[element.parent as usize].path };
        assert!(above == NONE || name.parent == above, "the path of a parent");
    }
    leaf_rows(&mut rows, (table, paths, source), leaf..table.leaves().len(), &nodes);
    rows
}

fn leaf_rows(
    rows: &mut Vec<Row>,
    (table, paths, source): (&LeafTable, &PathTable, &str),
    leaves: std::ops::Range<usize>,
    nodes: &[u32],
) {
    for number in leaves {
        let leaf = &table.leaves()[number];
        let name = paths.name(leaf.path());
        let value = table.value(leaf, source);
        let at = table.at(number as u32, paths);
        let parent = nodes[leaf.element as usize];
        let element = &table.elements()[leaf.element as usize];
        assert!((element.leaves as usize..element.leaves_end as usize).contains(&number), "the leaves of an element");
        if leaf.form() == LeafForm::Empty {
            assert_eq!((element.path, element.at as usize, &*value), (leaf.path(), at, ""));
            continue;
        }
        rows.push(match name.role {
            PathRole::Element => {
                assert_eq!(element.path, leaf.path());
                (NodeKind::Text, format!(" {value:?}"), at, 0, parent)
            }
            PathRole::Attribute | PathRole::Declaration | PathRole::Around => {
                assert_eq!((name.role, name.parent), (PathRole::Attribute, element.path));
                let names = format!("{:?} {:?} {:?} {:?}", name.ns, name.local(), name.qname(), paths.uri(leaf.path()));
                (NodeKind::Attribute, format!("{names} {value:?}"), at, at + name.qname().len(), parent)
            }
        });
    }
}

/// Reads entries below the same elements with the tokeniser and with the strict parser.
struct BothReaders<'a> {
    tokeniser: Tokeniser<'a>,
    /// Entries read, and those of the usual shape.
    read: usize,
    regular: usize,
}

impl<'a> BothReaders<'a> {
    fn new(tags: &'a str, memory: TokeniserMemory) -> BothReaders<'a> {
        BothReaders { tokeniser: Tokeniser::new(tags, memory), read: 0, regular: 0 }
    }

    /// Reads an entry in both ways and compares all that they found.
    fn compare(&mut self, text: &'a str, limits: &TreeLimits) {
        self.read += 1;
        let tree = parse::parse(text, &self.tokeniser.scope, limits);
        let is_regular = self.tokeniser.read_regular(text, limits).is_some();
        self.regular += usize::from(is_regular);
        let tree = match (tree, is_regular) {
            (Ok(tree), _) => tree,
            (Err(bad), true) => panic!("{bad:?}, but it was read\n{text}"),
            (Err(bad), false) => {
                assert_eq!(self.tokeniser.read(text, limits), Err(bad), "{text}");
                return;
            }
        };
        let rows = rows_of_tree(&tree);
        if is_regular {
            assert!(tree.repairs.is_empty(), "{text}");
            let grown = self.tokeniser.tree(text, limits).unwrap_or_else(|bad| panic!("{bad:?}\n{text}"));
            assert_eq!(told(&grown), told(&tree), "{text}");
            self.tokeniser.reuse(grown);
            // the entry may have been the one that filled the table of paths, and is then read otherwise
            self.tokeniser.read(text, limits).unwrap_or_else(|bad| panic!("{bad:?}\n{text}"));
            self.check(&tree, &rows, text);
            // what the one way fills, the other fills too
            self.tokeniser.read_irregular(text, limits).unwrap_or_else(|bad| panic!("{bad:?}\n{text}"));
        } else {
            self.tokeniser.read(text, limits).unwrap_or_else(|bad| panic!("{bad:?}\n{text}"));
        }
        self.check(&tree, &rows, text);
    }

    fn check(&self, tree: &Tree<'_>, rows: &[Row], text: &str) {
        let (table, paths) = (self.tokeniser.table(), self.tokeniser.paths());
        let found = rows_of_table(table, paths, text);
        if found != rows {
            let differ = found.iter().zip(rows).position(|(found, row)| found != row).unwrap_or(rows.len());
            panic!("{:?}\n{:?}\nof row {differ} in\n{text}", found.get(differ), rows.get(differ));
        }
        let repairs = |repairs: &[crate::tree::TreeRepair]| {
            let told = |repair: &crate::tree::TreeRepair| {
                (repair.code, repair.at, repair.found.clone(), repair.done.clone().into_owned())
            };
            repairs.iter().map(told).collect::<Vec<_>>()
        };
        assert_eq!(repairs(&table.repairs), repairs(&tree.repairs), "{text}");
        let leaves: Vec<u32> = (0..tree.nodes.len() as u32).filter(|node| tree.is_leaf(*node)).collect();
        assert_eq!(leaves.len(), table.leaves().len(), "{text}");
        let mut path = String::new();
        for (node, leaf) in leaves.into_iter().zip(table.leaves()) {
            path.clear();
            paths.push_text(leaf.path(), &mut path);
            assert_eq!(path, tree.path(node, ""), "{text}");
        }
    }
}

/// How many entries a property is tried on: few by default, many where `TRANSFEED_FULL` is set, or as many as
/// `TRANSFEED_ENTRIES` says. `TRANSFEED_SEED` makes others.
fn count(few: usize, many: usize) -> usize {
    let asked = std::env::var("TRANSFEED_ENTRIES").ok().and_then(|count| count.parse().ok());
    asked.unwrap_or(if std::env::var_os("TRANSFEED_FULL").is_some() { many } else { few })
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// Every document at hand: samples, fixtures, specimens, the blocks of the cases, and the corpus where there is one.
fn documents() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["samples", "tests/fixtures", "tests/cases", "../shared/corpus"] {
        files(&root.join(folder), &mut found);
    }
    found.sort();
    let mut documents = Vec::new();
    for path in found {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        if path.extension().is_some_and(|ending| ending == "md") {
            let text = String::from_utf8_lossy(&bytes);
            let blocks = text.split("\n```").skip(1).step_by(2);
            documents.extend(blocks.filter_map(|block| Some(block.split_once('\n')?.1.as_bytes().to_vec())));
        } else {
            documents.push(bytes);
        }
    }
    assert!(documents.len() > 300, "the documents were not found");
    documents
}

/// A document cut into entries of each shape, its head among them as an entry of its own.
fn chunks(document: &[u8]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for shape in [Shape::RSS, Shape::ATOM, Shape::ATOM_ENTRY, Shape::SITEMAP, Shape::SITEMAP_INDEX] {
        let Ok(decoded) = decode::decode(document) else { continue };
        let mut splitter = Splitter::new(decoded, shape, SplitLimits::default());
        while let Ok(Some(chunk)) = splitter.next_chunk() {
            chunks.push(chunk);
        }
        let text = splitter.frame().text;
        let piece = crate::xml::chunk::Piece { start: 0, end: text.len(), line: 1, column: 1 };
        chunks.push(Chunk { text, pieces: vec![piece], ..Chunk::default() });
    }
    chunks
}

/// Limits that are passed by small entries below these start tags.
fn narrow(tags: &str) -> TreeLimits {
    // the head has the same limits, so those of namespaces are not passed around an entry
    let namespaces = Scope::from_tags(tags).bindings.len() + 2;
    TreeLimits { depth: 6, attributes: 4, namespaces, text: 40, attribute: 30, nodes: 60 }
}

#[test]
fn every_document_at_hand_gives_the_same_leaves() {
    let (mut read, mut regular) = (0, 0);
    let mut memory = TokeniserMemory::default();
    for document in documents() {
        for chunk in chunks(&document) {
            let limits = narrow(&chunk.context.tags);
            let mut pair = BothReaders::new(&chunk.context.tags, TokeniserMemory::default());
            for piece in &chunk.pieces {
                pair.compare(&chunk.text[piece.start..piece.end], &limits);
            }
            let mut pair = BothReaders::new(&chunk.context.tags, std::mem::take(&mut memory));
            for piece in &chunk.pieces {
                pair.compare(&chunk.text[piece.start..piece.end], &TreeLimits::default());
            }
            (read, regular) = (read + pair.read, regular + pair.regular);
            memory = pair.tokeniser.into_memory();
        }
    }
    assert!(read > 2_000 && 3 * regular > read, "{regular} of {read} are of the usual shape");
}

/// RandomNumbers that look random, the same in every run (Marsaglia's xorshift).
struct RandomNumbers(u64);

impl RandomNumbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    fn any<'t>(&mut self, these: &'t [String]) -> &'t str {
        &these[self.below(these.len())]
    }

    /// A place between two characters.
    fn spot(&mut self, text: &str) -> usize {
        let at = self.below(text.len() + 1);
        (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
    }
}

/// What may be before any tag of an entry that is read without repairs.
const REGULAR: &str = "&#32;|&#xA0;|&#xD;|&#9;|&lt;|&amp;amp;|é|\u{A0}|\r\n|\n\t|\t| |<!-- c -->|<![CDATA[ <b>&nbsp;]]>|<![CDATA[\r]]>|<![CDATA[]]>\
    |<![CDATA[ ]]>|<![CDATA[&#32;]]>|<?x y?>|text|<v e='1'/>|<v>x<w/>y</v>|<v e='1' f=\"it's\" g='&#10;'/>|<v f='x\ny&amp;\tz' e='2'></v >\
    |<v xmlns='urn:v' xmlns:w='urn:w' w:x='1'><w:w/><v xmlns=''/></v>|<m:t xmlns:m='urn:m'>y</m:t>|<m:t xmlns:m='urn:n'>y</m:t>\
    |<v xml:lang='en' xml:base='http://a/' xml:space='preserve'> </v>";

/// What makes an entry unusual, or only looks as if it did.
const ODD: &str = "&nbsp;|&|&#0;|&#32;|&#xA0;|&#xD;|&#9;|&lt;|&amp;amp;|&#X41;|<|>|]]>|'|\"|=|/|\u{1}|\u{FFFE}|é|\u{A0}|\r|\r\n|\n\t|\t| \
    | a='1'| a='1' a='2'| a = '1'| b='x\ny&amp;\tz'| c=\"it's\"| d='&#10;'|<pubdate>x</pubdate>|<u:x/>|<a b=c>|<a b='1'c='2'/>|<a b='1' 1b='2'/>\
    |<a b='<'/>|</x>|<x>|</title >|<!DOCTYPE x>|<1a/>|<a:b:c/>|<a xmlns:media='urn:x'/>|<a xmlns:a='u' xmlns:a='w'/>|<a 1xmlns='u'/>\
    |<media:content filesize='1'/>|<x xmlns:m='https://search.yahoo.com/mrss'/>|<m:t xmlns:m='http://search.yahoo.com/mrss/' m:a='1'/>\
    |<m:t xmlns:m='urn:m'>y</m:t>|<a xmlns='urn:a'><b/><c xmlns=''><d e=''/></c></a>|<a xml:lang='en' xml:base='http://a/' xml:space='preserve'> </a>\
    |<x:y xmlns:x='http://www.w3.org/XML/1998/namespace'/>|<!-- -- -->|<!-->|<!-- c -->|<![CDATA[|<![CDATA[ <b>&nbsp;]]>|<![CDATA[\r]]>\
    |<![CDATA[]]>|<![CDATA[ ]]>|<![CDATA[&#32;]]>|<?x|<?x y?>|<br>|<p>one<p>two</p>|<a><b>c</a></b>|<Title>t</Title>|<item>|</item>|text\
    | <b>bold</b> |\n\n|&#160;|<averylongnameofmorethansixteenbytes and-a-longer-attribute-name='1'/>\
    |<averylongnameofanelementofmorethanthirtytwobytes and-a-longer-attribute-name-too='1'>x</averylongnameofanelementofmorethanthirtytwobytes>";

/// One to four changes: something put in, cut out, doubled, moved, or taken from another entry.
fn mutate(text: &str, all: &[(Arc<Context>, String)], inserts: [&[String]; 2], numbers: &mut RandomNumbers) -> String {
    let [regular, odd] = inserts;
    let mut text = text.to_owned();
    for _ in 0..numbers.below(4) {
        let at = numbers.spot(&text);
        let tag = text[at..].find('<').map_or(at, |lt| at + lt);
        text.insert_str(tag, numbers.any(regular));
    }
    for _ in 0..numbers.below(8).saturating_sub(4) {
        let (a, b) = (numbers.spot(&text), numbers.spot(&text));
        let start = a.min(b);
        let end = (start..=a.max(b).min(start + 60)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(start);
        match numbers.below(8) {
            0..4 => text.insert_str(a, numbers.any(odd)),
            4 => text.replace_range(start..end, ""),
            5 => {
                let piece = text[start..end].to_owned();
                text.insert_str(numbers.spot(&text), &piece);
            }
            6 => {
                let other = &all[numbers.below(all.len())].1;
                let from = numbers.spot(other);
                let to = (from..=other.len().min(from + 200)).rev().find(|at| other.is_char_boundary(*at));
                text.insert_str(a, &other[from..to.unwrap_or(from)]);
            }
            _ => {
                let range = text[start..].find('<').map(|lt| start + lt).unwrap_or(start)..end;
                if range.start <= range.end && text.is_char_boundary(range.start) {
                    text.replace_range(range, numbers.any(odd));
                }
            }
        }
    }
    text
}

#[test]
fn mutated_entries_give_the_same_leaves() {
    let mut all: Vec<(Arc<Context>, String)> = Vec::new();
    for chunk in documents().iter().flat_map(|document| chunks(document)) {
        let pieces = chunk.pieces.iter().map(|piece| &chunk.text[piece.start..piece.end]);
        let short = pieces.filter(|text| (1..3_000).contains(&text.len()));
        all.extend(short.map(|text| (chunk.context.clone(), text.to_owned())));
    }
    assert!(all.len() > 1_000, "{} entries", all.len());
    let [regular, odd] = [REGULAR, ODD].map(|inserts| inserts.split('|').map(str::to_owned).collect::<Vec<_>>());
    let inserts = [regular.as_slice(), odd.as_slice()];
    let seed = std::env::var("TRANSFEED_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0_u64);
    let mut numbers = RandomNumbers(0x9E37_79B9_7F4A_7C15 ^ seed);
    let (mut read, mut regular) = (0, 0);
    let mut memory = TokeniserMemory::default();
    for round in 0..count(2_500, 500_000).div_ceil(50) {
        // the paths learn from one entry what they expect of the next
        let (context, text) = &all[numbers.below(all.len())];
        let entries: Vec<String> = (0..50).map(|_| mutate(text, &all, inserts, &mut numbers)).collect();
        let mut pair = BothReaders::new(&context.tags, std::mem::take(&mut memory));
        let limits = if round % 4 == 0 { narrow(&context.tags) } else { TreeLimits::default() };
        for text in &entries {
            pair.compare(text, &limits);
        }
        (read, regular) = (read + pair.read, regular + pair.regular);
        memory = pair.tokeniser.into_memory();
    }
    assert!(4 * regular > read, "{regular} of {read} are of the usual shape");
}

/// The forms of the leaves of an entry, with their values.
fn leaves(text: &str) -> Vec<(LeafForm, String)> {
    let mut tokeniser = Tokeniser::new("", TokeniserMemory::default());
    tokeniser.read(text, &TreeLimits::default()).unwrap();
    let table = tokeniser.table();
    table.leaves().iter().map(|leaf| (leaf.form(), table.value(leaf, text).into_owned())).collect()
}

#[test]
fn values_stay_in_the_source_unless_repairs_change_them() {
    use LeafForm::{Arena, Attribute, Pieces, Plain, Section, Text};
    for (text, expected) in [
        ("<a b='c' d=\"e&amp;f\">g</a>", &[(Plain, "c"), (Attribute, "e&f"), (Plain, "g")][..]),
        ("<a> x &lt; y\r\n</a>", &[(Text, " x < y\n")]),
        ("<a><![CDATA[<b>&nbsp;]]></a>", &[(Section, "<b>&nbsp;")]),
        ("<a>\n<![CDATA[b]]> c <!-- d --> e</a>", &[(Pieces, "\nb c  e")]),
        ("<a><![CDATA[b\r\nc]]></a>", &[(Pieces, "b\nc")]),
        ("<a>&nbsp;b</a>", &[(Arena, "\u{A0}b")]),
        ("<a b=c>d</a>", &[(Plain, "c"), (Plain, "d")]),
        ("<a> &#32;<!-- --> </a>", &[(LeafForm::Empty, "")]),
        ("<a b='c'><d/></a>", &[(Plain, "c"), (LeafForm::Empty, "")]),
    ] {
        let expected: Vec<_> = expected.iter().map(|(form, value)| (*form, (*value).to_owned())).collect();
        assert_eq!(leaves(text), expected, "{text}");
    }
}

/// Entries that are large in every way there is, and their paths, take linear time and are forgotten.
#[test]
fn hostile_entries_are_read_and_their_paths_forgotten() {
    let many = |count: usize, one: fn(usize) -> String| (0..count).map(one).collect::<String>();
    let entries = [
        format!("<a {}/>", many(10_000, |n| format!(" a{n}='{n}'"))),
        format!("<a>{}</a>", many(20_000, |n| format!("<n{n} x='1'/>"))),
        format!("<a>{}</a>", many(20_000, |n| format!("<b c{n}='1'/>"))),
        format!("<a>{}</a>", many(20_000, |n| format!("<b xmlns='urn:{n}'><c/></b>"))),
        format!("<a>{}</a>", many(20_000, |n| format!("<p{n}:b xmlns:p{n}='urn:x'>y</p{n}:b>"))),
        format!("{}{}", "<a b='c'>".repeat(250), "</a>".repeat(250)),
        format!("<a>{}</a>", many(200, |n| format!("<b{}/>", "n".repeat(n * 100)))),
        format!("<a>{}</a>", "<b/>t&#32;".repeat(20_000)),
        format!("<a>{}</a>", "<![CDATA[]]><!-- -->&amp;".repeat(20_000)),
    ];
    let mut memory = TokeniserMemory::default();
    for text in &entries {
        let mut pair = BothReaders::new("", std::mem::take(&mut memory));
        pair.compare(text, &TreeLimits::default());
        pair.compare(text, &TreeLimits::default());
        memory = pair.tokeniser.into_memory();
    }
    let tokeniser = Tokeniser::new("", memory);
    assert!(tokeniser.paths().len() < 10_000, "{}", tokeniser.paths().len());
}

#[test]
fn usual_markup_takes_no_repair() {
    let mut tokeniser = Tokeniser::new("", TokeniserMemory::default());
    for part in REGULAR.split('|') {
        let text = format!("<item>{part}</item>");
        assert!(tokeniser.read_regular(&text, &TreeLimits::default()).is_some(), "{part}");
    }
}

#[test]
fn nothing_is_learned_twice() {
    let tags = "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel>";
    let entry =
        "<item><title>a</title><m:t xmlns:m='urn:m' a='1' xmlns='urn:d'><x/></m:t><media:content url='b'/></item>";
    let mut memory = TokeniserMemory::default();
    let mut known = 0;
    for round in 0..3 {
        let mut tokeniser = Tokeniser::new(tags, memory);
        for _ in 0..3 {
            assert!(tokeniser.read_regular(entry, &TreeLimits::default()).is_some());
        }
        assert!(round == 0 || tokeniser.paths().len() == known);
        known = tokeniser.paths().len();
        memory = tokeniser.into_memory();
    }
}
