//! The strict parser builds the same tree as the fast one.

use super::*;
use crate::xml::parse::{has_forbidden, strict};

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    fn of<'t>(&mut self, these: &[&'t str]) -> &'t str {
        these[self.below(these.len())]
    }
}

const SCOPE: &str = "<rss xmlns:media='http://search.yahoo.com/mrss/' xmlns:v='urn:vendor' version='2.0'><channel>";

/// What entries are made of, mostly in order.
const PARTS: &[&str] = &[
    "<title>A title</title>",
    "<title>Заголовок &amp; more</title>",
    "<title xml:lang='en'>\n  A &#x41; title\n</title>",
    "<link>https://example.com/?a=1&amp;b=2</link>",
    "<guid isPermaLink=\"false\">id</guid>",
    "<media:group>",
    "</media:group>",
    "<media:content url=\"https://example.com/a.mp4\" type=\"video/mp4\" isDefault='true'/>",
    "<media:content url=\"https://example.com/b.mp4\" duration=\"10\">",
    "</media:content>",
    "<media:thumbnail url='https://example.com/t.jpg' width='640' />",
    "<description><![CDATA[<p>Text &nbsp;</p>]]></description>",
    "<description>before <![CDATA[ inside ]]> behind <!-- no --> on</description>",
    "<v:own v:a='1' b='2'>text<v:b/> more</v:own>",
    "<m:content xmlns:m='http://search.yahoo.com/mrss/' url='x'><m:title>t</m:title></m:content>",
    "<m:content xmlns:m='urn:other' url='x'><m:title>t</m:title></m:content>",
    "<a xmlns='urn:a'><b/><c xmlns=''><d/></c></a>",
    "<!-- a comment -->",
    "<?target data?>",
    "\n\t",
    "\r\n  ",
    " \u{A0} ",
    "text",
    "&#32;",
    "&#xD;\n",
    " &#160;",
    "<title>&#13;</title>",
    "<title>&#9;<!-- --> &#10;</title>",
];

/// What makes them odd.
const ODD: &[&str] = &[
    "&nbsp;",
    "&",
    "&#0;",
    "<",
    ">",
    "]]>",
    "'",
    "\"",
    " a='1' a='2'",
    "<pubdate>x</pubdate>",
    "<u:x/>",
    "<a b=c>",
    "<a b='1'c='2'/>",
    "<a b = '1'/>",
    "<a b='<'/>",
    "<a b='x\ny&amp;\tz'/>",
    "</x>",
    "<x>",
    "</title >",
    "<!DOCTYPE x>",
    "<1a/>",
    "<a xmlns:media='urn:x'/>",
    "<a xmlns:a='u' xmlns:a='w'/>",
    "<a 1xmlns='u'/>",
    "<a b='1' 1b='2'/><a b='1' 1b='2'/>",
    "<a:b:c/>",
    "=",
    "/",
    "\u{1}",
    "\u{FFFE}",
    "<media:content filesize='1'/>",
    "<x xmlns:m='https://search.yahoo.com/mrss'/>",
    "<!-- -- -->",
    "<!-->",
    "<![CDATA[",
    "<?x",
    "é",
];

fn entry(numbers: &mut Numbers) -> String {
    let mut text = String::from("<item>");
    for _ in 0..numbers.below(12) {
        text.push_str(numbers.of(PARTS));
    }
    if numbers.below(3) == 0 {
        text.push_str(numbers.of(ODD));
    }
    text.push_str("</item>");
    // now and then something is cut out, doubled or put in anywhere
    for _ in 0..numbers.below(6).saturating_sub(3) {
        let mut spot = || {
            let at = numbers.below(text.len() + 1);
            (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
        };
        let (a, b) = (spot(), spot());
        match (numbers.below(3), a.min(b)..a.max(b).min(a.min(b) + 9)) {
            (0, range) if text.is_char_boundary(range.end) => text.replace_range(range, ""),
            (1, range) if text.is_char_boundary(range.end) => {
                let piece = text[range.clone()].to_owned();
                text.insert_str(range.start, &piece);
            }
            _ => text.insert_str(a, numbers.of(ODD)),
        }
    }
    text
}

/// What of a tree can be told apart.
fn told(tree: &Tree<'_>) -> Vec<String> {
    let node = |raw: &RawNode<'_>| {
        format!(
            "{:?} {:?} {:?} {:?} {:?} {} {:?} {}..{} {} {} {}",
            raw.kind,
            raw.ns,
            raw.name,
            raw.qname,
            raw.uri,
            raw.tag,
            raw.value,
            raw.at,
            raw.end,
            raw.parent,
            raw.child,
            raw.next
        )
    };
    tree.nodes.iter().map(node).chain(tree.repairs.iter().map(|repair| repair.code.to_owned())).collect()
}

#[test]
fn both_ways_find_the_same_tree() {
    let rounds: usize = std::env::var("TRANSFEED_ENTRIES").ok().and_then(|count| count.parse().ok()).unwrap_or(1_000);
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let (mut short, mut all) = (0, 0);
    let limits = TreeLimits { depth: 6, attributes: 4, namespaces: 6, text: 40, ..TreeLimits::default() };
    let limits = [TreeLimits::default(), limits];
    for round in 0..rounds {
        // the paths learn from one entry what they tell of the next
        let entries: Vec<String> = (0..50).map(|_| entry(&mut numbers)).collect();
        let scope = Scope::from_tags(SCOPE);
        let mut paths = Paths::new(scope.clone());
        let limits = &limits[round % 2];
        for text in entries.iter().filter(|text| !has_forbidden(text)) {
            all += 1;
            let Some(tree) = paths.tree(text, limits) else { continue };
            short += 1;
            let other = strict(text, &scope, limits).unwrap_or_else(|bad| panic!("{bad:?}\n{text}"));
            assert_eq!(told(&tree), told(&other), "{text}");
        }
    }
    assert!(short * 8 > all, "{short} of {all} took the short way");
}

#[test]
fn what_is_common_takes_the_short_way() {
    let scope = Scope::from_tags(SCOPE);
    let mut paths = Paths::new(scope);
    let whole =
        |part: &&&str| !part.starts_with("<media:group") && !part.starts_with("</") && !part.ends_with("\"10\">");
    for part in PARTS.iter().filter(whole) {
        let text = format!("<item>{part}</item>");
        assert!(paths.tree(text.leak(), &TreeLimits::default()).is_some(), "{part}");
    }
}
