//! Random documents from the tables: every value that may hold text holds a token of its own.
//!
//! The same seed gives the same document. Documents are well-formed and of a known format; what stands in them
//! may be unreadable, repeated, unknown, or in any order.

use super::tables::{MORE_NAMESPACES, NAMESPACES, TABLES, VENDORS};

/// A small generator (SplitMix64): enough for tests, the same on every machine.
pub struct Random(u64);

impl Random {
    /// A generator that starts at `seed`.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// An element of a table.
#[derive(Debug, Clone)]
pub struct Element {
    name: String,
    text: String,
    attributes: Vec<(String, String, bool)>,
    children: Vec<Element>,
    required: bool,
    repeats: bool,
}

impl Element {
    /// The kinds of value that stand in the element and below it.
    pub fn kinds(&self) -> Vec<String> {
        let own = std::iter::once(self.text.clone()).chain(self.attributes.iter().map(|(_, kind, _)| kind.clone()));
        own.chain(self.children.iter().flat_map(Element::kinds)).collect()
    }
}

/// The elements of the named table, with the tables it takes in.
pub fn table(name: &str) -> Vec<Element> {
    let (_, text) =
        TABLES.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no table is called {name}"));
    let lines: Vec<(usize, &str)> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| (line.len() - line.trim_start().len(), line.trim()))
        .collect();
    let (elements, rest) = block(&lines, 0);
    assert!(rest.is_empty(), "{name}: a line is indented less than the first: {rest:?}");
    elements
}

fn block<'a>(mut lines: &'a [(usize, &'a str)], indent: usize) -> (Vec<Element>, &'a [(usize, &'a str)]) {
    let mut elements = Vec::new();
    while let Some(((depth, line), rest)) = lines.split_first() {
        if *depth < indent {
            break;
        }
        lines = rest;
        if let Some(name) = line.strip_prefix('@') {
            elements.extend(table(name));
            continue;
        }
        let mut element = element(line);
        if let Some((inner, _)) = lines.first().filter(|(inner, _)| inner > depth) {
            (element.children, lines) = block(lines, *inner);
        }
        elements.push(element);
    }
    (elements, lines)
}

fn element(line: &str) -> Element {
    let mut words = line.split(' ');
    let name = words.next().unwrap_or_default();
    let mut element = Element {
        name: name.trim_end_matches(['*', '!']).to_owned(),
        text: "-".to_owned(),
        attributes: Vec::new(),
        children: Vec::new(),
        required: name.ends_with('!'),
        repeats: name.ends_with('*'),
    };
    if let Some(text) = words.next() {
        element.text = text.to_owned();
    }
    for word in words {
        let (name, kind) = word.split_once('=').unwrap_or_else(|| panic!("an attribute without a kind: {line}"));
        element.attributes.push((name.trim_end_matches('!').to_owned(), kind.to_owned(), name.ends_with('!')));
    }
    element
}

/// Every kind of value the tables may name besides lists and literals.
pub const KINDS: &[&str] = &[
    "-",
    "flag",
    "text",
    "html",
    "construct",
    "url",
    "media",
    "page",
    "urn",
    "word",
    "words",
    "email",
    "person",
    "mime",
    "tags",
    "valid",
    "rfc822",
    "rfc3339",
    "w3c",
    "int",
    "small",
    "hour",
    "dec",
    "star",
    "unit",
    "money",
    "currency",
    "seconds",
    "npt",
    "clock",
    "bool",
    "country",
    "COUNTRY",
    "lang",
    "hash",
    "point",
    "base64",
    "twice",
];

/// A document and what a failure needs to know of it.
pub struct Document {
    /// The table it was made from.
    pub format: &'static str,
    /// The bytes.
    pub text: String,
    /// How many elements it may have that are leaves without a value, or none: flags, and breaks in XHTML.
    pub flags: usize,
    /// How many unknown elements without attributes and content it has: leaves without a value.
    pub bare: usize,
}

/// The input formats.
pub const FORMATS: &[&str] = &[
    "rss",
    "mrss",
    "rss-091",
    "rss-092",
    "rss-1.0",
    "rss-0.90",
    "atom",
    "atom-media",
    "atom-entry",
    "atom-0.3",
    "sitemap",
    "video-sitemap",
    "text",
];

/// Every dialect that a reader has, with all that it may meet there. What of it comes back from another format, and
/// what may be compared with it, is not asked: only whether the books are true.
pub const WIDE: &[&str] = &[
    "rss-all",
    "rss-podcast-all",
    "rss-podcast-all",
    "rss-091-all",
    "rss-1.0-all",
    "rss-1.0-all",
    "rss-0.90-all",
    "atom-all",
    "atom-0.3-all",
    "sitemap-all",
    "yandex-video-all",
    "text-all",
];

/// The document that belongs to `seed`: of all dialects.
pub fn wide(seed: u64) -> Document {
    let mut random = Random::new(!seed);
    match random.chance(50) {
        true => document(seed),
        false => {
            let format = random.pick(WIDE);
            make(random, format, true)
        }
    }
}

/// The document that belongs to `seed`.
pub fn document(seed: u64) -> Document {
    let mut random = Random::new(seed);
    // The rich formats come more often: they have most of the fields.
    let rich = ["mrss", "mrss", "rss", "atom-media", "video-sitemap"];
    let format = if random.chance(50) { random.pick(&rich) } else { random.pick(FORMATS) };
    make(random, format, false)
}

fn make(mut random: Random, format: &'static str, wide: bool) -> Document {
    let density = random.pick(&[&8, &20, &45]).to_owned();
    let mut writer = Writer {
        random,
        out: String::new(),
        tokens: 0,
        density,
        prefixes: Vec::new(),
        flags: 0,
        bare: 0,
        pages: Vec::new(),
        wide,
    };
    let format = match format {
        "text" => {
            writer.lines();
            format
        }
        "text-all" => {
            writer.many_lines();
            "text"
        }
        _ => {
            writer.root(format);
            format
        }
    };
    Document { format, text: writer.out, flags: writer.flags, bare: writer.bare }
}

struct Writer {
    random: Random,
    out: String,
    tokens: u32,
    /// Percent of the optional parts that stand in the document.
    density: usize,
    /// Canonical prefix and the one this document uses; an empty canonical one is the root's namespace.
    prefixes: Vec<(&'static str, String)>,
    flags: usize,
    bare: usize,
    /// Addresses of pages: some entries are of a page that came before.
    pages: Vec<String>,
    /// The tables with more namespaces are used.
    wide: bool,
}

impl Writer {
    fn lines(&mut self) {
        let end = self.random.pick(&["\n", "\r\n", "\n"]);
        for _ in 0..=self.random.below(30) {
            let token = self.token();
            self.out.push_str(&format!("https://www.example.com/{token}/page?a=1&b=2{end}"));
            if self.random.chance(10) {
                self.out.push_str(end);
            }
        }
    }

    /// Lines that are addresses of all kinds, and lines that are none. The first one tells what the document is.
    fn many_lines(&mut self) {
        self.out.push_str("https://www.example.com/\n");
        for _ in 0..=self.random.below(30) {
            let line = match self.random.below(8) {
                0 => format!("# {}", self.token()),
                1 => format!("sitemap: https://www.example.com/{}", self.token()),
                2 => format!("no address {}", self.token()),
                _ => self.page(),
            };
            self.out.push_str(&format!("{line}\n"));
        }
    }

    fn root(&mut self, format: &'static str) {
        if self.random.chance(80) {
            self.out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        }
        self.choose_prefixes();
        let (name, namespace, attributes) = root_of(format);
        let tag = self.open_root(name, namespace, attributes);
        let elements = table(format);
        self.children(&elements, 100.min(self.density + 30), true);
        self.out.push_str(&format!("\n</{tag}>\n"));
    }

    fn choose_prefixes(&mut self) {
        for (prefix, _) in NAMESPACES.iter().chain(VENDORS) {
            let chosen = match self.random.below(8) {
                0 => format!("{prefix}2"),
                1 => prefix.chars().take(1).collect::<String>() + &format!("{}", self.prefixes.len()),
                _ => (*prefix).to_owned(),
            };
            self.prefixes.push((prefix, chosen));
        }
        if self.wide {
            let more = MORE_NAMESPACES.iter().map(|(prefix, _)| (*prefix, (*prefix).to_owned()));
            self.prefixes.extend(more);
        }
    }

    fn open_root(&mut self, name: &str, namespace: &str, attributes: &str) -> String {
        // RDF's root lives in a namespace of its own, so its children always use the default one.
        let prefix = match (namespace.is_empty(), name.contains(':'), self.random.chance(15)) {
            (false, false, true) => "p".to_owned(),
            _ => String::new(),
        };
        self.prefixes.push(("", prefix.clone()));
        let tag = self.name(name);
        self.out.push_str(&format!("<{tag}{attributes}"));
        if !namespace.is_empty() {
            let binding = if prefix.is_empty() { "xmlns".to_owned() } else { format!("xmlns:{prefix}") };
            self.out.push_str(&format!("\n  {binding}=\"{namespace}\""));
        }
        for (prefix, uri) in NAMESPACES.iter().chain(VENDORS) {
            let chosen = self.chosen(prefix).to_owned();
            self.out.push_str(&format!("\n  xmlns:{chosen}='{uri}'"));
        }
        for (prefix, uri) in MORE_NAMESPACES.iter().filter(|_| self.wide) {
            self.out.push_str(&format!("\n  xmlns:{prefix}='{uri}'"));
        }
        if self.random.chance(20) {
            let vendor = self.chosen("acme").to_owned();
            let token = self.token();
            self.out.push_str(&format!("\n  {vendor}:flag=\"{token}\""));
        }
        self.out.push('>');
        tag
    }

    fn chosen<'a>(&'a self, prefix: &'a str) -> &'a str {
        self.prefixes.iter().find(|(known, _)| *known == prefix).map_or(prefix, |(_, chosen)| chosen)
    }

    /// The qualified name this document uses for a name of the tables.
    fn name(&self, name: &str) -> String {
        if let Some(bare) = name.strip_prefix(':') {
            return bare.to_owned();
        }
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        match self.chosen(prefix) {
            "" => local.to_owned(),
            chosen => format!("{chosen}:{local}"),
        }
    }

    /// Writes a choice of `elements` in any order; at least one if `some`. Tells whether any was written.
    fn children(&mut self, elements: &[Element], density: usize, some: bool) -> bool {
        let mut chosen: Vec<&Element> = Vec::new();
        for element in elements {
            // A channel is what makes the document a feed; everything else may be missing or doubled.
            let frame = element.name == "channel";
            let stands = if element.required { 97 } else { density };
            if frame || self.random.chance(stands) {
                let entries = matches!(element.name.as_str(), "item" | "entry" | "url");
                let times = match (element.repeats, self.random.chance(3)) {
                    (true, true) if entries => 4 + self.random.below(12),
                    (true, _) => 1 + self.random.below(3),
                    (false, true) if !frame => 2,
                    (false, _) => 1,
                };
                chosen.extend(std::iter::repeat_n(element, times));
            }
        }
        if chosen.is_empty() && some && !elements.is_empty() {
            chosen.push(&elements[self.random.below(elements.len())]);
        }
        self.random.shuffle(&mut chosen);
        for element in &chosen {
            self.between();
            self.element(element);
        }
        !chosen.is_empty()
    }

    /// What may stand between two elements without being a value.
    fn between(&mut self) {
        self.out.push_str(match self.random.below(12) {
            0 => "",
            1 => "\n\n\t",
            2 => "<!-- a comment -->\n",
            3 => "\n<?pi in between?>",
            _ => "\n  ",
        });
    }

    fn element(&mut self, element: &Element) {
        let name = self.name(&element.name);
        if element.text == "flag" {
            self.flags += 1;
            return self.out.push_str(&format!("<{name}/>"));
        }
        self.out.push_str(&format!("<{name}"));
        let construct = (element.text == "construct").then(|| self.construct());
        self.attributes(element, construct.as_ref().map(|(kind, _)| *kind));
        self.out.push('>');
        match construct {
            Some((_, markup)) => self.out.push_str(&markup),
            None if element.text != "-" => self.text(&element.text),
            None => {}
        }
        // An element without any value would be no leaf to some and one to others: it always gets a child.
        let bare = element.text == "-" && element.attributes.is_empty();
        let wrote = self.children(&element.children, self.density, bare);
        if wrote && self.random.chance(1) {
            let token = self.token();
            self.out.push_str(&format!("stray {token}"));
        }
        if element.children.len() > 2 && self.random.chance(3) {
            self.unknown();
        }
        self.out.push_str(&format!("</{name}>"));
    }

    /// An Atom text construct: its type and its markup.
    fn construct(&mut self) -> (&'static str, String) {
        let (one, two) = (self.token(), self.token());
        match self.random.below(4) {
            0 => ("html", format!("&lt;p&gt;{one} &lt;b&gt;{two}&lt;/b&gt;&lt;/p&gt;")),
            1 => ("html", format!("<![CDATA[<p>{one}</p>&nbsp;{two}]]>")),
            2 => {
                let xhtml = "http://www.w3.org/1999/xhtml";
                // unknown where the construct is, and then a leaf without a value
                self.flags += 1;
                let div = format!("<div xmlns=\"{xhtml}\"><p class=\"{one}\">a</p> tail {two}<br/></div>");
                ("xhtml", div)
            }
            _ => ("text", format!("{one} &amp; {two}")),
        }
    }

    fn attributes(&mut self, element: &Element, construct: Option<&'static str>) {
        let mut written: Vec<(String, String)> = Vec::new();
        let none_required = element.text == "-" && !element.attributes.iter().any(|(_, _, required)| *required);
        let always = self.random.below(element.attributes.len());
        for (at, (name, kind, required)) in element.attributes.iter().enumerate() {
            let must = *required || (none_required && at == always);
            if must || self.random.chance(self.density + 30) {
                let value = self.value(kind, *required);
                written.push((self.attribute_name(name), value));
            }
        }
        if let Some(kind) = construct {
            written.push(("type".to_owned(), kind.to_owned()));
        }
        if self.random.chance(2) {
            let name = self.name("shop:shelf");
            written.push((name, self.token()));
        }
        if self.random.chance(1) {
            let token = self.token();
            written.push(("unheard-of".to_owned(), token));
        }
        self.random.shuffle(&mut written);
        for (name, value) in written {
            let space = self.random.pick(&[" ", " ", " ", "\n      "]);
            let value = escape(&value);
            let quoted = if self.random.chance(20) { format!("'{value}'") } else { format!("\"{value}\"") };
            self.out.push_str(&format!("{space}{name}={quoted}"));
        }
    }

    /// Attributes without a prefix have no namespace, whatever the root's is.
    fn attribute_name(&self, name: &str) -> String {
        if name.contains(':') { self.name(name) } else { name.to_owned() }
    }

    /// Markup that nobody knows, in a namespace that somebody knows.
    fn unknown(&mut self) {
        if self.random.chance(20) {
            let name = self.name("acme:bare");
            self.bare += 1;
            return self.out.push_str(&format!("<{name}/>"));
        }
        let name = self.name(self.random_known());
        let token = self.token();
        self.out.push_str(&format!("<{name}>{token}</{name}>"));
    }

    fn random_known(&self) -> &'static str {
        ["media:bogus", "bogus", "dc:bogus", "acme:bogus", "video:bogus"][self.tokens as usize % 5]
    }

    /// The text of an element: escaped, as CDATA, or in pieces.
    fn text(&mut self, kind: &str) {
        let value = self.value(kind, false);
        match self.random.below(10) {
            0 | 1 => self.out.push_str(&format!("<![CDATA[{value}]]>")),
            2 => {
                let middle = value.char_indices().nth(value.chars().count() / 2).map_or(0, |(at, _)| at);
                let (head, tail) = (escape(&value[..middle]), escape(&value[middle..]));
                self.out.push_str(&format!("{head}<!-- cut -->{tail}"));
            }
            3 => self.out.push_str(&format!("\n      {}\n    ", escape(&value))),
            _ => self.out.push_str(&escape(&value)),
        }
    }

    fn token(&mut self) -> String {
        self.tokens += 1;
        format!("tk{:06}", self.tokens)
    }

    /// A value of a kind; `sound` never gives an unreadable one.
    fn value(&mut self, kind: &str, sound: bool) -> String {
        if let Some(literal) = kind.strip_prefix('\'') {
            return literal.to_owned();
        }
        let typed = kind.contains('|') || !matches!(kind, "text" | "html" | "url" | "media" | "page" | "urn" | "word");
        if typed && !sound && self.random.chance(3) {
            let token = self.token();
            return format!("not a {token}");
        }
        if kind.contains('|') {
            let values: Vec<&str> = kind.split('|').collect();
            return self.random.pick(&values).to_owned();
        }
        match kind {
            "text" => self.prose(),
            "html" => self.markup(),
            "twice" => format!("&lt;p&gt;{} &amp;amp; {}&lt;/p&gt;", self.token(), self.token()),
            "page" => self.page(),
            "url" | "media" => self.address(kind),
            "urn" => format!("urn:example:{}", self.token()),
            "word" => self.token(),
            "words" => format!("{}, {},{}", self.token(), self.token(), self.token()),
            "email" => format!("{}@example.com", self.token()),
            "person" => format!("{}@example.com (Имя {})", self.token(), self.token()),
            "mime" => self.random.pick(&["video/mp4", "video/webm", "text/html", "image/png", "audio/mpeg"]).to_owned(),
            "tags" => format!("{}:{}, {}", self.token(), self.random.below(90), self.token()),
            "valid" => self.period(),
            _ => self.scalar(kind),
        }
    }

    fn prose(&mut self) -> String {
        let token = self.token();
        match self.random.below(30) {
            0 => format!("{}{token}", "long ".repeat(450)),
            1 => format!("{} {token}", "слово ".repeat(20)),
            2 => format!("a < b & {token} > c"),
            3 => format!("{token}\n  second line {}", self.token()),
            4 => format!("Фильм «{token}» — \u{1F3AC}"),
            _ => format!("value {token}"),
        }
    }

    fn markup(&mut self) -> String {
        let token = self.token();
        match self.random.below(5) {
            0 => format!("<p>{token} <a href=\"https://example.com/{}?a=1&amp;b=2\">link</a></p>", self.token()),
            1 => format!("<b>{token}</b><br>&eacute; {}", self.token()),
            2 => format!("<img src='{}' alt='{token}'>", self.token()),
            _ => self.prose(),
        }
    }

    /// The address of a page, now and then of one that an earlier entry is of.
    fn page(&mut self) -> String {
        if !self.pages.is_empty() && self.random.chance(20) {
            let known = self.random.below(self.pages.len());
            return self.pages[known].clone();
        }
        let address = self.address("page");
        self.pages.push(address.clone());
        address
    }

    fn address(&mut self, kind: &str) -> String {
        let token = self.token();
        let ending = match kind {
            "media" => self.random.pick(&[".mp4", ".webm", ".m3u8", ".mp3", ".swf", ""]),
            _ => "",
        };
        match self.random.below(40) {
            0 => format!("/relative/{token}{ending}"),
            1 => format!("//cdn.example.com/{token}{ending}"),
            2 => format!("https://example.com/a b/{token}{ending}"),
            3 => format!("https://пример.example/фильм/{token}{ending}"),
            4 => format!("https://example.com/{token}{ending}#part"),
            5 => format!("https://www.youtube.com/watch?v={token}"),
            6 => format!("rtmp://stream.example.com/{token}{ending}"),
            7 => format!("HTTPS://Example.COM:443/{token}/../x{ending}"),
            _ => format!("https://example.com/{token}{ending}?a=1&b=2"),
        }
    }

    fn period(&mut self) -> String {
        let (start, end) = (self.scalar("w3c"), self.scalar("w3c"));
        match self.random.below(5) {
            0 => format!("start={start};"),
            1 => format!("end={end}"),
            2 => format!("name={}; start={start}; end={end}; scheme=W3C-DTF", self.token()),
            _ => format!("start={start}; end={end}; scheme=W3C-DTF"),
        }
    }

    /// Values that hold no token.
    fn scalar(&mut self, kind: &str) -> String {
        let (day, hour, minute) = (1 + self.random.below(28), self.random.below(24), self.random.below(60));
        let number = 1 + self.random.below(9000);
        match kind {
            "rfc822" => format!("{day} Nov 2026 {hour:02}:{minute:02}:07 +0300"),
            "rfc3339" => format!("2026-10-{day:02}T{hour:02}:{minute:02}:09Z"),
            "w3c" => match self.random.below(4) {
                0 => format!("2026-09-{day:02}"),
                1 => format!("2026-09-{day:02}T{hour:02}:{minute:02}+03:00"),
                2 => format!("2026-09-{day:02}T{hour:02}:{minute:02}:05.25Z"),
                _ => format!("2026-09-{day:02}T{hour:02}:{minute:02}:05-05:00"),
            },
            "int" => number.to_string(),
            "small" => (1 + number % 140).to_string(),
            "hour" => hour.to_string(),
            "dec" => format!("{}.{}", number % 100, 1 + number % 9),
            "star" => format!("{}.{}", number % 5, number % 10),
            "unit" => format!("0.{}", 1 + number % 9),
            "money" => format!("{}.{:02}", number % 500, number % 100),
            "currency" => self.random.pick(&["EUR", "USD", "RUB", "KZT"]).to_owned(),
            "seconds" => (1 + number).to_string(),
            "npt" => format!("{}:{minute:02}:07.500", hour % 3),
            "clock" => format!("{minute:02}:{:02}", number % 60),
            "bool" => self.random.pick(&["true", "false"]).to_owned(),
            "country" => self.random.pick(&["us gb", "ru by kz", "de", "fr it"]).to_owned(),
            "COUNTRY" => self.random.pick(&["US GB", "RU BY KZ", "DE", "FR IT"]).to_owned(),
            "lang" => self.random.pick(&["en", "ru", "en-GB", "zh-Hant"]).to_owned(),
            "hash" => format!("{:016x}{:016x}", self.random.next(), self.random.next()),
            "point" => format!("45.{number} -110.{number}"),
            "base64" => self.random.pick(&["SGVsbG8gd29ybGQ=", "PHA+SGk8L3A+", "bm90IGNvZGVk!"]).to_owned(),
            _ => panic!("no kind of value is called {kind}"),
        }
    }
}

/// Root element, its namespace and its attributes.
fn root_of(format: &str) -> (&'static str, &'static str, &'static str) {
    match format {
        "rss-091" | "rss-091-all" => ("rss", "", " version=\"0.91\""),
        "rss-092" => ("rss", "", " version=\"0.93\""),
        "rss-1.0" | "rss-1.0-all" => ("rdf:RDF", "http://purl.org/rss/1.0/", ""),
        "rss-0.90" | "rss-0.90-all" => ("rdf:RDF", "http://my.netscape.com/rdf/simple/0.9/", ""),
        "atom" | "atom-media" | "atom-all" => ("feed", "http://www.w3.org/2005/Atom", " xml:lang=\"ru\""),
        "atom-entry" => ("entry", "http://www.w3.org/2005/Atom", ""),
        "atom-0.3" | "atom-0.3-all" => ("feed", "http://purl.org/atom/ns#", " version=\"0.3\""),
        "yandex-video-all" => ("ovs:video", "", ""),
        "sitemap" | "video-sitemap" | "sitemap-all" => ("urlset", "http://www.sitemaps.org/schemas/sitemap/0.9", ""),
        _ => ("rss", "", " version=\"2.0\""),
    }
}

fn escape(value: &str) -> String {
    value
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
        .replace("\u{1F3AC}", "&#x1F3AC;")
}
