//! The lenient parser compared with the strict one on well-formed markup, and its repairs one by one.

use proptest::prelude::*;

use super::super::parse;
use super::*;

/// A tree as text: elements with their attributes, text in quotes.
fn show(tree: &Tree<'_>) -> String {
    let mut out = String::new();
    let mut open: Vec<(u32, usize)> = Vec::new();
    let roots = tree.nodes.iter().enumerate().filter(|(_, raw)| raw.parent == u32::MAX);
    let mut todo: Vec<(u32, usize)> = roots.map(|(index, _)| (index as u32, 0)).collect();
    todo.reverse();
    while let Some((index, depth)) = todo.pop() {
        let node = tree.node(index);
        while open.last().is_some_and(|(_, above)| *above >= depth) {
            open.pop();
            out.push(')');
        }
        match node.kind() {
            NodeKind::Element => {
                out.push_str(&format!("({}", node.name()));
                open.push((index, depth));
            }
            NodeKind::Attribute => out.push_str(&format!(" {}={:?}", node.name(), node.value())),
            NodeKind::Text => out.push_str(&format!("{:?}", node.value())),
        }
        let below: Vec<u32> = node.nodes().map(|node| node.index).collect();
        todo.extend(below.into_iter().rev().map(|index| (index, depth + 1)));
    }
    out.push_str(&")".repeat(open.len()));
    out
}

fn mend(raw: &str) -> (String, Vec<&'static str>) {
    let tree = parse::parse(raw, &Scope::default(), &TreeLimits::default()).unwrap();
    (show(&tree), tree.repairs.iter().map(|repair| repair.code).collect())
}

#[track_caller]
fn check(raw: &str, tree: &str, codes: &[&str]) {
    let (found, found_codes) = mend(raw);
    assert_eq!((found.as_str(), found_codes.as_slice()), (tree, codes), "{raw}");
}

#[test]
fn less_than_signs_in_text() {
    check("<item><title>1 < 2 <3 a<b c</title></item>", r#"(item(title"1 < 2 <3 a<b c"))"#, &["xml.markup"; 3]);
    check(
        "<item><title>see <http://x.y> <me@x.y></title></item>",
        r#"(item(title"see <http://x.y> <me@x.y>"))"#,
        &["xml.markup"; 2],
    );
    check("<item><title>a<></title></item>", r#"(item(title"a<>"))"#, &["xml.markup"]);
    check("<item><title>a ]]> b</title></item>", r#"(item(title"a ]]> b"))"#, &["xml.markup"]);
}

#[test]
fn attributes() {
    let code = "xml.attribute";
    check("<a b=\"1<2\" c='<'/>", r#"(a b="1<2" c="<")"#, &["xml.markup"; 2]);
    check("<a b=1 c=http://x/y?z=1 d=2/>", r#"(a b="1" c="http://x/y?z=1" d="2")"#, &[code; 3]);
    check("<a b c=\"1\" d></a>", r#"(a b="" c="1" d="")"#, &[code; 2]);
    check("<a b=\"1\" b=\"2\" B=\"3\"/>", r#"(a b="1" B="3")"#, &[code]);
    check("<a b=\"1\"c='2'/>", r#"(a b="1" c="2")"#, &[code]);
    check("<a b=\"1 c=\"2\">t</a>", r#"(a b="1" c="2""t")"#, &[code]);
    check("<x><a b=\"1>t</a><a c=\"2\">u</a></x>", r#"(x(a b="1""t")(a c="2""u"))"#, &[code]);
    check("<a b='1'/ =c='2'>t</a>", r#"(a b="1" c="2""t")"#, &[code; 3]);
    check("<a \"1\"=2 c:d:e=\"3\">t</a>", r#"(a"t")"#, &[code; 9]);
    check("<a b= c='1'>t</a>", r#"(a b="c='1'""t")"#, &[code]);
    check("<a b=>t</a>", r#"(a b="""t")"#, &[code]);
}

#[test]
fn end_tags() {
    check("<item><title>A</TITLE><link>b</link></item>", r#"(item(title"A")(link"b"))"#, &["xml.nesting"]);
    check("<item><title>A</titel><link>b</link></item>", r#"(item(title"A")(link"b"))"#, &["xml.nesting"]);
    check("<item><title>A<link>b</link></item>", r#"(item(title"A")(link"b"))"#, &["xml.unclosed"]);
    check(
        "<item><category>A<category>B</category><link>c</link></item>",
        r#"(item(category"A")(category"B")(link"c"))"#,
        &["xml.unclosed"],
    );
    check("<item><title>a</b>c</title></item>", r#"(item(title"ac"))"#, &["xml.nesting"]);
    check("<item><title>A</title></foo></item>", r#"(item(title"A"))"#, &["xml.nesting"]);
    check("<item><enclosure url='u'><link>b</link></item>", r#"(item(enclosure url="u")(link"b"))"#, &["xml.unclosed"]);
    check("<item><author><name>x</author><id>1</id></item>", r#"(item(author(name"x"))(id"1"))"#, &["xml.unclosed"]);
    check("<item><image><url>x</url></item>", r#"(item(image(url"x")))"#, &["xml.unclosed"]);
    check("<item><title>A", r#"(item(title"A"))"#, &["xml.unclosed"; 2]);
    check("<item><title>A</title x='1'></item>", r#"(item(title"A"))"#, &["xml.nesting"]);
    check("<item><title>A</title</item>", r#"(item(title"A"))"#, &["xml.nesting"]);
    check("<d>a<br>b<br>c<p>d<p>e</d>", r#"(d"a"(br)"b"(br)"c"(p"d")(p"e"))"#, &["xml.unclosed"; 4]);
}

#[test]
fn sections_without_end() {
    let code = "xml.unterminated";
    check("<item><d><![CDATA[a <b> c</d><e>f</e></item>", r#"(item(d"a <b> c")(e"f"))"#, &[code]);
    check("<item><d><![CDATA[a</d><e><![CDATA[b]]></e></item>", r#"(item(d"a")(e"b"))"#, &[code]);
    check("<item><d><![cdata[a <b> c]]></d></item>", r#"(item(d"a <b> c"))"#, &["xml.markup"]);
    check("<item><d><![CDATA[a", r#"(item(d"a"))"#, &[code, "xml.unclosed", "xml.unclosed"]);
    check("<item><!-- a <b>c</b></item>", r#"(item(b"c"))"#, &[code]);
    check("<item><?a <b>c</b></item>", r#"(item(b"c"))"#, &[code]);
    check("<item><link href='a' <b>c</b></item>", r#"(item(link href="a")(b"c"))"#, &[code, "xml.unclosed"]);
    check("<item><title <b>c</b></title></item>", r#"(item(title(b"c")))"#, &[code]);
    check("<item><!ELEMENT a><b>c</b><![endif]></item>", r#"(item(b"c"))"#, &["xml.markup"; 2]);
}

#[test]
fn characters_and_references() {
    check(
        "<a b='\u{1}x&#7;\u{0}'>\u{8}y\u{FFFE}<![CDATA[\u{2}z]]></a>",
        r#"(a b="x""yz")"#,
        &["xml.charref", "xml.control", "xml.control", "xml.control"],
    );
    check(
        "<a b='1&2'>Q&A &foo; &nbsp; &#0; &#x; &</a>",
        "(a b=\"1&2\"\"Q&A &foo; \\u{a0}  &#x; &\")",
        &["xml.ampersand", "xml.ampersand", "xml.entity", "xml.entity", "xml.charref", "xml.charref", "xml.ampersand"],
    );
    check("<a b='1\r\n2\r3'>1\r\n2\r3&#13;</a>", r#"(a b="1 2 3""1\n2\n3\r")"#, &[]);
}

#[test]
fn what_stands_outside_of_the_root() {
    check("x <a>1</a> y", r#"(a"1")"#, &["xml.prolog", "xml.after_root"]);
    check("<a>1</a></a><b>2</b>", r#"(a"1")(b"2")"#, &["xml.nesting", "xml.after_root"]);
    assert!(parse::parse("no element", &Scope::default(), &TreeLimits::default()).is_err());
    assert!(parse::parse("", &Scope::default(), &TreeLimits::default()).is_err());
}

#[test]
fn names_and_namespaces() {
    check(
        "<ITEM><PubDate>1</PubDate><Vendor><Title>2</Title></Vendor></ITEM>",
        r#"(item(pubDate"1")(Vendor(Title"2")))"#,
        &["name.case"; 2],
    );
    check(
        "<item xmlns:m='https://search.yahoo.com/mrss'><m:Content filesize='1' fileSize='2' FileSize='3'/></item>",
        r#"(item(content filesize="1" fileSize="2" FileSize="3"))"#,
        &["ns.alias", "name.case"],
    );
    check(
        "<item><media:Content filesize='1'/></item>",
        r#"(item(content fileSize="1"))"#,
        &["ns.undeclared", "name.case", "name.case"],
    );
}

#[test]
fn places_are_those_of_the_source() {
    let raw = "<item><title>a &nbsp; b\u{1}</title><x y='a&b'/><z q=1></item>";
    let tree = parse::parse(raw, &Scope::default(), &TreeLimits::default()).unwrap();
    let found: Vec<&str> = tree.repairs.iter().map(|repair| &raw[repair.at as usize..][..2]).collect();
    assert_eq!(found, ["&n", "\u{1}<", "&b", "q=", "<z"]);
}

#[test]
fn limits_hold() {
    let limits = TreeLimits { depth: 8, attributes: 4, namespaces: 4, text: 100, attribute: 10, nodes: 40 };
    let code = |raw: &str| parse::parse(raw, &Scope::default(), &limits).map_err(|bad| bad.code).map(|_| ());
    let broken = |raw: &str| code(&format!("<item>&<{raw}</item>"));
    assert_eq!(broken(&"<a>".repeat(9)), Ok(()), "the same name again and again is a list");
    let names: String = (0..9).map(|n| format!("<a{n}>")).collect();
    assert_eq!(broken(&names), Err("limit.depth"));
    assert_eq!(broken(&"<a/>".repeat(41)), Err("limit.entry"));
    let attributes: String = (0..9).map(|n| format!(" a{n}=''")).collect();
    assert_eq!(broken(&format!("<b{attributes}/>")), Err("limit.attributes"));
    let namespaces: String = (0..5).map(|n| format!(" xmlns:a{n}='u'")).collect();
    assert_eq!(broken(&format!("<b{namespaces}/>")), Err("limit.namespaces"));
    assert_eq!(broken(&"x".repeat(101)), Err("limit.text"));
    assert_eq!(broken(&format!("<b c=\"{}\"/>", "x".repeat(11))), Err("limit.attribute"));
}

#[test]
fn repairs_do_not_multiply() {
    let raw = format!("<a>{}</a>", "&".repeat(5000));
    let tree = parse::parse(&raw, &Scope::default(), &TreeLimits::default()).unwrap();
    assert_eq!(tree.repairs.len(), 1001);
    assert_eq!(tree.repairs[1000].found, "4000 more repairs in this entry");
}

#[test]
fn hostile_families_end() {
    let many = |count: usize, part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<String>();
    for (name, raw) in [
        ("attributes", format!("<a{}/>", many(20_000, &|n| format!(" a{n}='1'")))),
        ("attributes without quotes", format!("<a{}/>", many(20_000, &|n| format!(" a{n}=1")))),
        ("namespaces", format!("<a{}/>", many(20_000, &|n| format!(" xmlns:a{n}='1'")))),
        ("open tags", "<a>".repeat(100_000)),
        ("open tags of different names", many(20_000, &|n| format!("<a{n}>"))),
        ("less-than signs", format!("<a>{}</a>", "<".repeat(100_000))),
        ("ampersands", format!("<a>{}</a>", "&".repeat(100_000))),
        ("stray end tags", format!("<a>{}</a>", "</b>".repeat(100_000))),
        ("open quotes", format!("<a>{}</a>", "<b c=\"d>".repeat(10_000))),
        ("quotes of both kinds", format!("<a>{}\"</a>", "<b c='d>".repeat(10_000))),
        ("open sections", format!("<a>{}</a>", "<b><![CDATA[x</b>".repeat(10_000))),
        (
            "open sections and one end",
            format!("<a>{}{}]]></a>", "<b><![CDATA[x</b>".repeat(10_000), "y".repeat(200_000)),
        ),
        ("open comments", format!("<a>{}</a>", "<!--".repeat(100_000))),
        ("words of a tag", format!("<a {}", "b ".repeat(100_000))),
        ("unclosed with text", format!("<a>{}</a>", many(20_000, &|n| format!("<b{}>x", n % 200)))),
        ("line breaks", format!("<a>{}</a>", "<br>".repeat(50_000))),
    ] {
        let outcome = parse::parse(&raw, &Scope::default(), &TreeLimits::default());
        let told = outcome.map_or_else(|_| 1, |tree| tree.repairs.len());
        assert!((1..=1001).contains(&told), "{name}: {told}");
    }
}

fn name() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("title"),
        Just("pubdate"),
        Just("media:content"),
        Just("x:y"),
        Just("br"),
        Just("p"),
        Just("b-c.d_1"),
        Just("é"),
        Just("a"),
    ]
}

fn attribute() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        "[a-zé =/>\r\n\t]{0,8}",
        Just("&amp;&#65;&lt;".to_owned()),
        Just("a&nbsp;b&c".to_owned()),
        Just("]]>".to_owned()),
        Just("it''s".replace("''", "\u{2019}")),
    ];
    (
        prop_oneof![Just("a"), Just("filesize"), Just("m:b"), Just("xmlns"), Just("xmlns:m")],
        value,
        any::<bool>(),
        "[ \r\n]{1,2}",
        "[ \n]{0,1}",
    )
        .prop_map(|(name, value, single, before, around)| {
            let quote = if single { '\'' } else { '"' };
            format!("{before}{name}{around}={around}{quote}{value}{quote}")
        })
}

fn content() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-zé中 >\"'\r\n/=]{0,8}",
        Just("&lt;item&gt;&amp;&#233;&nbsp;".to_owned()),
        Just("a & b&c;".to_owned()),
        Just("<!-- </title> <title> ]]> -->".to_owned()),
        Just("<![CDATA[</title><br> & ]] >]]>".to_owned()),
        Just("<![CDATA[]]>".to_owned()),
        Just("<?php </item> > ?>".to_owned()),
        Just("<![CDATA[a</title><![CDATA[b]]>".to_owned()),
    ];
    leaf.prop_recursive(5, 24, 5, |inner| {
        (
            prop::collection::vec(inner, 0..5),
            name(),
            prop::collection::vec(attribute(), 0..3),
            "[ \n]{0,1}",
            any::<bool>(),
        )
            .prop_map(|(children, name, attributes, blank, empty)| match empty {
                true => format!("<{name}{}{blank}/>", attributes.concat()),
                false => format!("<{name}{}{blank}>{}</{name}{blank}>", attributes.concat(), children.concat()),
            })
    })
}

type Fact<'t> = ((NodeKind, crate::xml::names::Ns), [&'t str; 4], [u32; 3]);

/// Everything of a tree that readers and reports see.
fn facts<'t>(tree: &'t Tree<'_>) -> Vec<Fact<'t>> {
    let fact = |raw: &'t crate::tree::RawNode<'_>| {
        ((raw.kind, raw.ns), [raw.name, raw.qname, raw.uri, &*raw.value], [raw.at, raw.end, raw.parent])
    };
    tree.nodes.iter().map(fact).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn well_formed_entries_come_out_alike(parts in prop::collection::vec(content(), 0..5)) {
        let raw = format!("<item>{}</item>", parts.concat());
        let limits = TreeLimits::default();
        if let Ok(one) = parse::strict(&raw, &Scope::default(), &limits) {
            let two = parse(&raw, &Scope::default(), &limits).unwrap();
            prop_assert_eq!(facts(&one), facts(&two));
            let told = |tree: &Tree<'_>| tree.repairs.iter().map(|repair| (repair.code, repair.at, repair.found.clone())).collect::<Vec<_>>();
            prop_assert_eq!(told(&one), told(&two));
        }
    }

    #[test]
    fn anything_comes_out_somehow(parts in prop::collection::vec(prop::sample::select(TOKENS), 0..40)) {
        let raw = format!("<item>{}", parts.concat());
        let tree = parse::parse(&raw, &Scope::default(), &TreeLimits::default()).unwrap();
        for (index, raw_node) in tree.nodes.iter().enumerate() {
            prop_assert!(raw_node.parent == u32::MAX || (raw_node.parent as usize) < index);
            prop_assert!(raw.is_char_boundary(raw_node.at as usize));
        }
        // every node hangs in the tree once
        let mut todo: Vec<u32> = (0..tree.nodes.len() as u32).filter(|&at| tree.nodes[at as usize].parent == u32::MAX).collect();
        let mut count = 0;
        while let Some(index) = todo.pop() {
            count += 1;
            for below in tree.node(index).nodes() {
                prop_assert_eq!(below.raw().parent, index);
                todo.push(below.index);
            }
        }
        prop_assert_eq!(count, tree.nodes.len());
    }
}

const TOKENS: &[&str] = &[
    "<title>",
    "</title>",
    "</TITLE>",
    "<title",
    "<media:content",
    " url=\"",
    " a='1'",
    " a=1",
    " b",
    "\"",
    "'",
    "/>",
    ">",
    "<",
    "</",
    "</x>",
    "<x>",
    "<br>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "<!",
    "&",
    "&nbsp;",
    "&#0;",
    "\u{1}",
    "\r",
    "\n",
    "é",
    "text ",
    "=",
    "/",
    "</item>",
    "<item>",
    " xmlns='u'",
    " xmlns:m='v'",
];
