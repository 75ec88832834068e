//! The splitter compared with an independent parser and with naive counting, and on truncated or broken documents.

use std::fmt::Write as _;
use std::io;

use proptest::prelude::*;

use super::*;

/// A reader that returns a few bytes at a time.
pub(crate) struct Slow<'a> {
    bytes: &'a [u8],
    step: usize,
}

impl<'a> Slow<'a> {
    pub(crate) fn new(bytes: &'a [u8], step: usize) -> Self {
        Slow { bytes, step }
    }
}

impl Read for Slow<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.len().min(self.step).min(out.len());
        out[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes = &self.bytes[count..];
        Ok(count)
    }
}

#[derive(Debug, PartialEq)]
struct Split {
    /// Text, line, column, index, path.
    entries: Vec<(String, u32, u32, u64, String)>,
    trouble: Vec<Trouble>,
    frame: Frame,
}

impl Split {
    fn texts(&self) -> Vec<&str> {
        self.entries.iter().map(|entry| entry.0.as_str()).collect()
    }

    fn codes(&self) -> Vec<&str> {
        self.trouble.iter().chain(&self.frame.trouble).map(|trouble| trouble.code).collect()
    }
}

fn split_with(document: &[u8], shape: Shape, step: usize, limits: SplitLimits) -> Split {
    let mut splitter = Splitter::new(Slow::new(document, step), shape, limits);
    let (mut entries, mut trouble, mut spent) = (Vec::new(), Vec::new(), Chunk::default());
    while let Some(chunk) = splitter.next_chunk_into(std::mem::take(&mut spent)).unwrap() {
        for (index, piece) in (chunk.first..).zip(&chunk.pieces) {
            let text = chunk.text[piece.start..piece.end].to_owned();
            entries.push((text, piece.line, piece.column, index, chunk.context.path.clone()));
        }
        trouble.extend(chunk.trouble.iter().cloned());
        spent = chunk;
    }
    Split { entries, trouble, frame: splitter.frame() }
}

fn split(document: &str, shape: Shape) -> Split {
    let whole = split_with(document.as_bytes(), shape.clone(), 4096, SplitLimits::default());
    for step in [1, 2, 3, 7] {
        for chunk in [1, 50] {
            let limits = SplitLimits { chunk, ..SplitLimits::default() };
            assert_eq!(
                split_with(document.as_bytes(), shape.clone(), step, limits),
                whole,
                "step {step}, chunk {chunk}"
            );
        }
    }
    whole
}

fn naive_place(document: &str, at: usize) -> (u32, u32) {
    let before = &document[..at];
    let ended = |(i, c): &(usize, char)| *c == '\n' || (*c == '\r' && !document[i + 1..].starts_with('\n'));
    let last = before.char_indices().rfind(ended).map_or(0, |(i, _)| i + 1);
    let line = before.char_indices().filter(ended).count() + 1;
    (line as u32, before[last..].chars().count() as u32 + 1)
}

/// Entries and their offsets as a real parser sees them.
fn by_parser<'d>(document: &'d str, names: &[&str], depths: RangeInclusive<u16>) -> Vec<(&'d str, usize)> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let tree = roxmltree::Document::parse_with_options(document, options).unwrap();
    let mut found = Vec::new();
    let mut open = vec![(tree.root_element(), 0u16)];
    while let Some((node, depth)) = open.pop() {
        let prefixed = document[node.range()].split([' ', '>', '/']).next().unwrap().contains(':');
        let root_prefixed = document[tree.root_element().range()].split([' ', '>']).next().unwrap().contains(':');
        if depths.contains(&depth) && names.contains(&node.tag_name().name()) && (!prefixed || root_prefixed) {
            found.push((&document[node.range()], node.range().start));
        } else {
            open.extend(node.children().filter(|node| node.is_element()).map(|node| (node, depth + 1)));
        }
    }
    found.sort_by_key(|(_, at)| *at);
    found
}

fn nests_directly(document: &str) -> bool {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let tree = roxmltree::Document::parse_with_options(document, options).unwrap();
    let is_item = |node: &roxmltree::Node<'_, '_>| node.has_tag_name("item");
    tree.descendants().filter(is_item).any(|item| item.parent().as_ref().is_some_and(is_item))
}

fn content() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-zé中 >\"'\r\n]{0,8}",
        Just("<!-- </item> <item> -- >\n-->".replace("-- >", "- ->")),
        Just("<![CDATA[</item><item>]] >]]>".to_owned()),
        Just("<?php </item> > ?>".to_owned()),
        Just("&lt;item&gt;&amp;".to_owned()),
        Just("<item/>".to_owned()),
        Just("<items/><itemx a='/>'>b</itemx>".to_owned()),
        Just("<m:item xmlns:m='u'>\r</m:item>".to_owned()),
        Just("<a b=\"</item>\"/>".replace("</item>", "/item>")),
    ];
    leaf.prop_recursive(4, 16, 4, |inner| {
        (
            prop::collection::vec(inner, 0..4),
            prop_oneof![Just("item"), Just("title"), Just("channel"), Just("b")],
            attribute(),
        )
            .prop_map(|(children, name, attribute)| format!("<{name}{attribute}>{}</{name}\n>", children.concat()))
    })
}

fn attribute() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just(" a='/>'".to_owned()),
        Just(" a=\"x>'item \n\"".to_owned()),
        Just("\r\n".to_owned())
    ]
}

fn between() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ \n\r\t]{0,5}",
        Just("<!-- <item>no</item> -->".to_owned()),
        Just("<?x <item> ?>".to_owned()),
        Just("<title>é \u{2028} late</title>".to_owned()),
        Just("<image><url>u</url><item>deep</item><b><item>deeper</item></b></image>".to_owned()),
        Just("<link/>".to_owned()),
        Just("<![CDATA[<item>]]>text".to_owned()),
    ]
}

prop_compose! {
    fn document()(prolog in prop_oneof![
            Just(""), Just("<?xml version='1.0'?>\r\n"),
            Just("<!-- <item> --><!DOCTYPE rss [ <!-- ]> ' --> <?x ]> ?> <!ELEMENT rss ANY> ]>\n"),
        ],
        parts in prop::collection::vec((between(), prop::option::of((attribute(), content(), any::<bool>()))), 0..6),
        nested in any::<bool>()) -> String {
        let mut document = format!("{prolog}<rss version='2.0'>");
        document.push_str(if nested { "\n<channel a='>'>" } else { "" });
        for (between, entry) in parts {
            document.push_str(&between);
            if let Some((attribute, content, full)) = entry {
                let _ = if full { write!(document, "<item{attribute}>{content}</item>") } else { write!(document, "<item{attribute}/>") };
            }
        }
        document.push_str(if nested { "</channel>" } else { "" });
        document + "</rss>\n<!-- end -->"
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn entries_are_those_of_a_parser(document in document(), step in prop_oneof![1usize..9, Just(4096)], chunk in 1usize..200) {
        let limits = SplitLimits { chunk, ..SplitLimits::default() };
        let found = split_with(document.as_bytes(), Shape::RSS, step, limits);
        let want = by_parser(&document, &["item"], 1..=3);
        prop_assert_eq!(found.texts(), want.iter().map(|(text, _)| *text).collect::<Vec<_>>());
        for (n, (entry, (_, at))) in found.entries.iter().zip(&want).enumerate() {
            prop_assert_eq!((entry.1, entry.2), naive_place(&document, *at));
            prop_assert_eq!(entry.3, n as u64);
        }
        prop_assert!(found.trouble.is_empty());
        prop_assert!(!found.frame.truncated);
        prop_assert_eq!(found.frame.entries, want.len() as u64);
        prop_assert!(roxmltree::Document::parse(&found.frame.text).is_ok(), "{}", found.frame.text);
        check_segments(&document, &found.frame)?;
    }

    #[test]
    fn every_prefix_gives_a_prefix_of_the_entries(document in document(), step in prop_oneof![1usize..9, Just(4096)]) {
        // of entries directly in entries, a cut document cannot tell whether the outer one was closed
        prop_assume!(!nests_directly(&document));
        let whole = split_with(document.as_bytes(), Shape::RSS, 4096, SplitLimits::default());
        for cut in 0..document.len() {
            let part = split_with(&document.as_bytes()[..cut], Shape::RSS, step, SplitLimits { chunk: 40, ..SplitLimits::default() });
            prop_assert!(whole.entries.starts_with(&part.entries), "cut at {}", cut);
            let lost = part.trouble.iter().filter(|trouble| trouble.lost).count();
            prop_assert!(lost <= 1);
            prop_assert_eq!(part.frame.entries, (part.entries.len() + lost) as u64);
            let at_root = document[..floor(&document, cut)].contains("<rss version='2.0'>");
            prop_assert_eq!(part.frame.text.is_empty(), !at_root);
            if at_root {
                prop_assert!(roxmltree::Document::parse(&part.frame.text).is_ok(), "{}", part.frame.text);
                let end = document.rfind("</rss>").unwrap() + 6;
                prop_assert_eq!(part.frame.truncated, cut < end || (end + 1 < cut && cut < document.len()));
            }
        }
    }

    #[test]
    fn any_bytes_are_survived_alike(
        parts in prop::collection::vec(prop::sample::select(TOKENS), 0..40),
        step in 1usize..6, entry in prop_oneof![Just(10usize), Just(1000)], head in prop_oneof![Just(30usize), Just(1000)]) {
        let document = parts.concat();
        let limits = |chunk| SplitLimits { entry, head, depth: 4, chunk, line: 10 };
        let one = split_with(&document, Shape::RSS, 4096, limits(1000));
        let two = split_with(&document, Shape::RSS, step, limits(1));
        let lost = one.trouble.iter().filter(|trouble| trouble.lost).count();
        prop_assert_eq!(one.frame.entries, (one.entries.len() + lost) as u64);
        prop_assert_eq!(one, two);
    }
}

/// What broken documents are made of.
const TOKENS: &[&[u8]] = &[
    b"<item>",
    b"</item>",
    b"<item",
    b"<podcast:liveItem>",
    b"</podcast:liveItem>",
    b"<podcast:liveItem xmlns:podcast='https://podcastindex.org/namespace/1.0'>",
    b"<rss xmlns:podcast='https://podcastindex.org/namespace/1.0'>",
    b"/>",
    b">",
    b"<",
    b"<!--",
    b"-->",
    b"<![CDATA[",
    b"]]>",
    b"<!DOCTYPE",
    b"[",
    b"]",
    b"'",
    b"\"",
    b"<rss>",
    b"</rss>",
    b"<channel>",
    b"</channel>",
    b"\xFF\xFE",
    b"\xD0\xB0",
    b"<?",
    b"?>",
    b" ",
    b"\r",
    b"\n",
    b"\0",
    b"x",
    b"<!ENTITY",
];

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn check_segments(document: &str, frame: &Frame) -> Result<(), TestCaseError> {
    for (index, segment) in frame.segments.iter().enumerate() {
        let end = frame.segments.get(index + 1).map_or(frame.text.len(), |next| next.at);
        let run = &frame.text[segment.at..end];
        let found =
            document.match_indices(run).any(|(at, _)| naive_place(document, at) == (segment.line, segment.column));
        prop_assert!(found, "{:?} is not at {:?}", run, segment);
        prop_assert_eq!(frame.place(segment.at), (segment.line, segment.column));
    }
    Ok(())
}

#[test]
fn entry_ends_in_comments_cdata_and_quotes_are_none() {
    let entries = [
        "<item><!-- </item> --><a/></item>",
        "<item><![CDATA[</item>]]></item>",
        "<item a='>' b=\"/>\"><c d='/>'>x</c></item>",
        "<item a=\"/>\"/>",
        "<item><item>inner</item><item/></item>",
        "<item><b>mismatched</i></item>",
        "<item></item >",
        "<ITEM>shouted</item>",
    ];
    let document = format!("<rss><channel>{}</channel></rss>", entries.join("\n "));
    let found = split(&document, Shape::RSS);
    assert_eq!(found.texts(), entries);
    assert_eq!(found.frame.text, "<rss><channel></channel></rss>");
    assert!(found.codes().is_empty());
    assert_eq!(found.entries[0].4, "rss/channel");
}

#[test]
fn prefixes_follow_the_root() {
    let sitemap = split("<s:urlset><s:url>1</s:url><url>2</url><x:url>3</x:url></s:urlset>", Shape::SITEMAP);
    assert_eq!(sitemap.texts(), ["<s:url>1</s:url>", "<url>2</url>"]);
    assert_eq!(sitemap.frame.text, "<s:urlset><x:url>3</x:url></s:urlset>");
    let plain = split("<urlset><s:url>1</s:url><url>2<s:url/></url></urlset>", Shape::SITEMAP);
    assert_eq!(plain.texts(), ["<url>2<s:url/></url>"]);
    let rdf =
        "<rdf:RDF xmlns:r='http://purl.org/rss/1.0/'><r:channel/><item>1</item><r:item>2</r:item><q:item/></rdf:RDF>";
    assert_eq!(split(rdf, Shape::RSS).texts(), ["<item>1</item>", "<r:item>2</r:item>"]);
}

#[test]
fn an_entry_document_is_one_entry() {
    let found = split("<?xml version='1.0'?><!-- c --><a:entry><a:id/></a:entry>", Shape::ATOM_ENTRY);
    assert_eq!(found.texts(), ["<a:entry><a:id/></a:entry>"]);
    assert_eq!((found.frame.text.as_str(), found.frame.comments, found.frame.instructions), ("", 1, 0));
    assert_eq!(found.entries[0].4, "");
}

#[test]
fn late_elements_and_inner_white_space_stay_in_the_frame() {
    let found = split("<feed>\n <a>1 <b>2</b> <i>3</i></a>\n<entry/> <?p?>\n<c>4</c> stray \n</feed>", Shape::ATOM);
    assert_eq!(found.frame.text, "<feed><a>1 <b>2</b> <i>3</i></a><c>4</c>stray \n</feed>");
    assert_eq!(found.frame.instructions, 1);
    assert_eq!(found.frame.place(found.frame.text.find("<c>").unwrap() + 3), (4, 4));
}

#[test]
fn large_entries_are_skipped_and_named() {
    let document = "<urlset><url>1</url>\n<url>a long one</url><url>3</url></urlset>";
    for step in [1, 5, 4096] {
        let limits = SplitLimits { entry: 12, ..SplitLimits::default() };
        let found = split_with(document.as_bytes(), Shape::SITEMAP, step, limits);
        assert_eq!(found.texts(), ["<url>1</url>", "<url>3</url>"]);
        assert_eq!(found.entries[1].3, 2);
        let [trouble] = found.trouble.as_slice() else { panic!("one row") };
        assert_eq!(
            (trouble.code, trouble.line, trouble.column, trouble.entry, trouble.lost),
            ("limit.entry", 2, 1, Some(1), true)
        );
    }
}

#[test]
fn a_large_head_and_a_deep_one_stop() {
    for (document, code) in [
        ("<rss><channel><title>long long</title><item/></channel></rss>", "limit.head"),
        ("<rss a='0123456789012345678901234567890", "limit.head"),
        ("<!DOCTYPE rss [ 0123456789012345678901234567890 ]><rss/>", "limit.head"),
        ("<rss><<<<<<<<<<<<<<<<<<<<<<<<</rss>", "limit.head"),
        ("<rss><b><c><d><e><f>", "limit.depth"),
    ] {
        for step in [1, 4096] {
            let limits = SplitLimits { head: 30, depth: 4, ..SplitLimits::default() };
            let found = split_with(document.as_bytes(), Shape::RSS, step, limits);
            assert_eq!(found.codes().last(), Some(&code), "{document}");
            assert!(found.frame.stopped && found.entries.is_empty());
        }
    }
}

#[test]
fn comments_and_white_space_count_towards_no_limit() {
    let filler = format!("<!--{}-->{}<?p {}?>", "c".repeat(500), " ".repeat(500), "p".repeat(500));
    let document = format!("{filler}<rss>{filler}<item/>{filler}</rss>{filler}");
    let found = split_with(document.as_bytes(), Shape::RSS, 100, SplitLimits { head: 20, ..SplitLimits::default() });
    assert_eq!((found.texts(), found.codes()), (vec!["<item/>"], vec![]));
}

#[test]
fn cut_documents_say_so() {
    let cut = |document| {
        let found = split(document, Shape::RSS);
        assert!(found.frame.truncated, "{document}");
        assert_eq!(found.codes(), ["xml.truncated"], "{document}");
        (found.frame.text.clone(), found.trouble.first().and_then(|trouble| trouble.entry))
    };
    assert_eq!(cut("<rss><channel><item/><item>half"), ("<rss><channel></channel></rss>".to_owned(), Some(1)));
    assert_eq!(
        cut("<rss><channel><title>half"),
        ("<rss><channel><title>half</title></channel></rss>".to_owned(), None)
    );
    assert_eq!(cut("<rss><b><![CDATA[half]"), ("<rss><b><![CDATA[half]]]></b></rss>".to_owned(), None));
    assert_eq!(cut("<rss><chan"), ("<rss></rss>".to_owned(), None));
    assert_eq!(cut("<rss><!-- half"), ("<rss></rss>".to_owned(), None));
    assert_eq!(cut("<rss></"), ("<rss></rss>".to_owned(), None));
}

#[test]
fn broken_nesting_in_the_frame_is_mended() {
    let found = split("<rss><channel><t>a<b>c</t></x><item/>1 < 2 <d e</channel></rss>", Shape::RSS);
    assert_eq!(found.texts(), ["<item/>"]);
    assert_eq!(found.frame.text, "<rss><channel><t>a<b>c</b></t>1 &lt; 2 &lt;d e</channel></rss>");
    assert_eq!(found.codes(), ["xml.nesting", "xml.nesting", "xml.markup", "xml.markup"]);
}

#[test]
fn a_forgotten_end_tag_in_the_channel_hides_no_items() {
    let found = split("<rss><channel><c a='1'>\n<item>1</item>\n<item>2</item> </channel></rss>", Shape::RSS);
    assert_eq!(found.texts(), ["<item>1</item>", "<item>2</item>"]);
    assert_eq!((found.codes(), found.entries[1].4.as_str()), (vec!["xml.nesting"], "rss/channel/c"));
    assert_eq!(found.frame.text, "<rss><channel><c a='1'>\n</c></channel></rss>");
}

#[test]
fn an_open_element_of_the_head_ends_before_the_first_entry() {
    let found =
        split("<feed><id>f</id><title>F<!-- a -->\n<b/><entry>1</entry> <t/><entry>2</entry></feed>", Shape::ATOM);
    assert_eq!(found.texts(), ["<entry>1</entry>", "<entry>2</entry>"]);
    assert_eq!((found.codes(), found.entries[1].4.as_str()), (vec!["xml.unclosed"], "feed"));
    assert_eq!(found.frame.text, "<feed><id>f</id><title>F\n<b/></title><t/></feed>");
    for whole in [
        "<feed><a><entry>1</entry></a><entry>2</entry></feed>",
        "<feed><a><b><entry>1</b></a><entry>2</entry></feed>",
        "<feed><a><m:entry>1</m:entry><entry>2</entry></feed>",
    ] {
        assert_eq!(split(whole, Shape::ATOM).texts(), ["<entry>2</entry>"], "{whole}");
    }
    assert_eq!(split("<feed><a><entry>1</entry>", Shape::ATOM).texts(), [""; 0]);
    assert_eq!(split("<rss><channel><a><b><item>1</item></channel></rss>", Shape::RSS).texts(), ["<item>1</item>"]);
    assert_eq!(split("<entry><a><entry>1</entry></a></entry>", Shape::ATOM_ENTRY).entries.len(), 1);
}

#[test]
fn a_head_that_is_too_large_ends_before_its_first_entry() {
    let entries = format!("<entry>{}</entry>", "x".repeat(30)).repeat(3);
    for (text, entries) in [(format!("<feed><a>{entries}</a></feed>"), 3), (format!("<feed><a>{entries}"), 3)] {
        for step in [1, 3, 4096] {
            let limits = SplitLimits { head: 64, ..SplitLimits::default() };
            let found = split_with(text.as_bytes(), Shape::ATOM, step, limits);
            assert_eq!((found.texts().len(), found.frame.stopped), (entries, false), "{text} in steps of {step}");
        }
    }
}

#[test]
fn a_start_tag_without_a_quote_ends_with_its_first_bracket() {
    let found = split("<feed xmlns=\"u/>\n<a b='c/><d e=\"f>g</d><entry>1</entry></feed>", Shape::ATOM);
    assert_eq!((found.texts(), found.codes()), (vec!["<entry>1</entry>"], vec!["xml.attribute"; 3]));
    assert_eq!(found.frame.text, "<feed xmlns=\"u/\"><a b='c'/><d e=\"f\">g</d></feed>");
    let found = split("<feed a=\"b xmlns=\"u\">c <entry>1</entry></feed>", Shape::ATOM);
    assert_eq!(
        (found.texts(), found.frame.text.as_str()),
        (vec!["<entry>1</entry>"], "<feed a=\"b xmlns=\"u\">c </feed>")
    );
    assert_eq!(split("<feed>a <b c=\"d <entry>1</entry></feed>", Shape::ATOM).texts(), ["<entry>1</entry>"]);
}

#[test]
fn a_document_type_is_passed_over_and_named() {
    let found = split("<!DOCTYPE rss [<!ENTITY a \"]>\"><!-- ' -->]\n><rss><item/></rss>", Shape::RSS);
    assert_eq!(found.texts(), ["<item/>"]);
    assert_eq!((found.frame.text.as_str(), found.codes()), ("<rss></rss>", vec!["xml.entity", "xml.doctype"]));
    let open = split("<!DOCTYPE rss <rss><item/></rss>", Shape::RSS);
    assert_eq!(open.texts(), ["<item/>"]);
}

#[test]
fn invalid_bytes_are_replaced_and_named() {
    let found = split_with(
        b"<rss><t>\xFF</t>\n<item>\xD0\xB0\xFFb</item><item>c</item></rss>",
        Shape::RSS,
        2,
        SplitLimits::default(),
    );
    assert_eq!(found.texts(), ["<item>а\u{FFFD}b</item>", "<item>c</item>"]);
    let [row] = found.trouble.as_slice() else { panic!("one row") };
    assert_eq!((row.code, row.line, row.column, row.entry, row.lost), ("encoding.invalid", 2, 8, Some(0), false));
    assert_eq!((found.frame.trouble[0].code, found.frame.trouble[0].column), ("encoding.invalid", 9));
}

#[test]
fn containers_apart_do_not_share_a_chunk() {
    let found =
        split("<rss><channel a='1'><item>1</item></channel><channel a='2'><item>2</item></channel></rss>", Shape::RSS);
    assert_eq!(found.texts(), ["<item>1</item>", "<item>2</item>"]);
    let mut splitter =
        Splitter::new(&b"<rss><c a='1'><item/></c><c a='2'><item/></c></rss>"[..], Shape::RSS, SplitLimits::default());
    splitter.collect_frame(false);
    let mut tags = Vec::new();
    while let Some(chunk) = splitter.next_chunk().unwrap() {
        tags.push(chunk.context.tags.clone());
    }
    assert_eq!(tags, ["<rss><c a='1'>", "<rss><c a='2'>"]);
    assert_eq!(splitter.frame().text, "");
}

/// A document of RSS around these entries.
fn channel(entries: &str) -> String {
    format!("<rss><channel>{entries}</channel></rss>")
}

#[test]
fn an_entry_without_an_end_tag_costs_no_other() {
    let closed = |broken: &str, texts: &[&str]| {
        let found = split(&channel(broken), Shape::RSS);
        assert_eq!(found.texts(), texts, "{broken}");
        assert!(!found.frame.truncated, "{broken}");
        assert_eq!(found.frame.text, "<rss><channel></channel></rss>");
        found.codes().iter().filter(|code| **code == "xml.unclosed").count()
    };
    let (one, two, three) = ("<item><a>1</a></item>", "<item>2</item>", "<item>3</item>");
    let open = "<item><a>1</a>";
    assert_eq!(closed(&format!("{open}{two}{three}"), &[one, two, three]), 1);
    assert_eq!(closed(&format!("{two}{open}{three}"), &[two, one, three]), 1);
    assert_eq!(closed(&format!("{two}{three}{open}"), &[two, three, one]), 1);
    assert_eq!(closed(&format!("{open}{open}{open}"), &[one, one, one]), 3);
    assert_eq!(closed("<item><a>1<item>2</item>", &["<item><a>1</item>", two]), 1);
    assert_eq!(closed("<item><a>1<item><a>1<item>2</item>", &["<item><a>1</item>", "<item><a>1</item>", two]), 2);
}

#[test]
fn entries_in_entries_stay_where_they_are() {
    for entry in [
        "<item>1<item>2</item><item/>3</item>",
        "<item><episodes><item>2</item><item>3</item></episodes></item>",
        "<item><channel><item>2</item></channel><rss/><rss></rss></item>",
    ] {
        let found = split(&channel(&entry.repeat(2)), Shape::RSS);
        assert_eq!((found.texts(), found.codes()), (vec![entry; 2], vec![]));
    }
}

#[test]
fn items_for_live_streams_are_entries() {
    const URI: &str = "https://podcastindex.org/namespace/1.0";
    let split_in = |root: &str, channel: &str, live: &str| {
        split(&format!("<rss{root}><channel{channel}>{live}<item>1</item>{live}</channel></rss>"), Shape::RSS)
    };
    let bound = |prefix: &str| format!(" xmlns:{prefix}=\"{URI}\"");
    let other = " xmlns:podcast='urn:other'";
    let own = format!("<live:liveItem xmlns:live='{URI}'>2</live:liveItem>");
    for (root, channel, live, is_entry) in [
        (&*bound("podcast"), "", "<podcast:liveItem a='b'><podcast:x/>2</podcast:liveItem>", true),
        (&bound("pod"), "", "<pod:liveItem/>", true),
        ("", &bound("pod"), "<pod:liveItem>2</pod:liveItem>", true),
        ("", "", &own, true),
        ("", "", "<podcast:liveItem>2</podcast:liveItem>", true),
        (" xmlns:p='http://podcastindex.org/namespace/1.0/'", "", "<p:liveItem>2</p:liveItem>", true),
        (other, "", "<podcast:liveItem>2</podcast:liveItem>", false),
        (&bound("podcast"), other, "<podcast:liveItem>2</podcast:liveItem>", false),
        (other, &bound("podcast"), "<podcast:liveItem>2</podcast:liveItem>", true),
        (&bound("podcast"), "", "<liveItem>2</liveItem>", false),
        (&bound("podcast"), "", "<podcast:item>2</podcast:item>", false),
    ] {
        let found = split_in(root, channel, live);
        let expected = if is_entry { vec![live, "<item>1</item>", live] } else { vec!["<item>1</item>"] };
        assert_eq!(found.texts(), expected, "{root} {channel}");
    }
}

#[test]
fn entries_of_two_kinds_do_not_swallow_each_other() {
    let (item, live) = ("<item><a>1</a></item>", "<podcast:liveItem><a>2</a></podcast:liveItem>");
    let (open_item, open_live) = ("<item><a>1</a>", "<podcast:liveItem><a>2</a>");
    let all = [item, live, item, live];
    for broken in [
        [open_item, live, item, live],
        [item, open_live, item, live],
        [item, live, open_item, live],
        [item, live, item, open_live],
        [open_item, open_live, open_item, open_live],
    ] {
        let document = format!(
            "<rss xmlns:podcast='https://podcastindex.org/namespace/1.0'><channel>{}</channel></rss>",
            broken.concat()
        );
        let found = split(&document, Shape::RSS);
        assert_eq!(found.texts(), all, "{broken:?}");
        assert!(found.codes().iter().all(|code| *code == "xml.unclosed"), "{broken:?}");
    }
}

#[test]
fn many_entries_without_end_tags_are_read_in_time() {
    let document = channel(&"<item><a>1</a>".repeat(20_000));
    let found = split_with(document.as_bytes(), Shape::RSS, 4096, SplitLimits::default());
    assert_eq!(found.entries.len(), 20_000);
    let document = channel(&"<item><a>1".repeat(20_000));
    let found = split_with(document.as_bytes(), Shape::RSS, 4096, SplitLimits::default());
    assert_eq!(found.entries.len(), 20_000);
    // the limit of an entry is a proof too
    let document = channel(&format!("<item>1{}", "<item>2</item>".repeat(100)));
    let found = split_with(document.as_bytes(), Shape::RSS, 100, SplitLimits { entry: 300, ..SplitLimits::default() });
    assert_eq!((found.entries.len(), found.codes()), (101, vec!["xml.unclosed"]));
}

#[test]
fn a_cut_document_tells_entries_without_end_tags_too() {
    let found = split("<rss><channel><item>1<item>2</item><item>3</it", Shape::RSS);
    assert_eq!(found.texts(), ["<item>1</item>", "<item>2</item>"]);
    assert_eq!(found.codes(), ["xml.unclosed", "xml.truncated"]);
}

#[test]
fn a_passage_without_end_costs_its_entry_only() {
    for (opening, code) in [("<![CDATA[", "CDATA"), ("<!--", "comment"), ("<?", "instruction")] {
        let broken = format!("<item>{opening}1</item>");
        let found = split(&channel(&format!("{broken}<item>2</item>{broken}")), Shape::RSS);
        assert_eq!(found.texts(), [&broken, "<item>2</item>", &broken], "{code}");
        assert!(found.codes().is_empty() && !found.frame.truncated);
    }
}

#[test]
fn what_stands_around_the_root_is_named() {
    let found = split("junk < 1\n<?xml version='1.1'?>\n<rss><item>1</item></rss> tail <item>2</item>\n", Shape::RSS);
    assert_eq!(found.texts(), ["<item>1</item>", "<item>2</item>"]);
    assert_eq!(found.codes(), ["xml.prolog", "xml.version", "xml.prolog", "xml.after_root", "xml.after_root"]);
    assert_eq!(found.frame.trouble[0].found, "junk < 1");
    assert_eq!(found.frame.text, "<rss></rss>");
    let two = split("<rss><item>1</item></rss><?xml version='1.0'?><rss><item>2</item></rss>", Shape::RSS);
    assert_eq!((two.texts(), two.codes()), (vec!["<item>1</item>", "<item>2</item>"], vec!["xml.after_root"]));
}
