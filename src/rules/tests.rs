//! Every rule against its own examples, the limits of those that have one, and the table against the list of rules that
//! there are to be. How findings are shown is tested by cases.

use rayon::prelude::*;

use super::levels;
use super::*;
use crate::convert::Bytes;
use crate::model::Date;

/// The document around an example.
fn document(within: Within, part: &str) -> Option<String> {
    let sitemap = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
        xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
        xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
        xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";
    let rss = "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\" xmlns:dcterms=\"http://purl.org/dc/terms/\" \
        xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" \
        xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" xmlns:atom=\"http://www.w3.org/2005/Atom\" \
        xmlns:podcast=\"https://podcastindex.org/namespace/1.0\" xmlns:geo=\"http://www.w3.org/2003/01/geo/wgs84_pos#\">";
    Some(match within {
        Within::Document | Within::Text => part.to_owned(),
        Within::Urlset => format!("<urlset {sitemap}>{part}</urlset>"),
        Within::Url => format!("<urlset {sitemap}><url><loc>https://a.example/p</loc>{part}</url></urlset>"),
        Within::Video => format!(
            "<urlset {sitemap}><url><loc>https://a.example/p</loc><video:video>{part}</video:video></url></urlset>"
        ),
        Within::Index => format!("<sitemapindex {sitemap}>{part}</sitemapindex>"),
        Within::Channel => format!("{rss}<channel>{part}</channel></rss>"),
        Within::Item => format!("{rss}<channel><item>{part}</item></channel></rss>"),
        Within::Feed => format!("<feed xmlns=\"http://www.w3.org/2005/Atom\">{part}</feed>"),
        Within::Entry => format!("<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry>{part}</entry></feed>"),
        Within::Words => return None,
    })
}

fn settings(code: &str) -> Settings {
    let own = ["U07", "U08", "D10", "D11", "R16"].contains(&code);
    Settings {
        profiles: Profile::ALL.to_vec(),
        select: vec![code.to_owned()],
        sitemap_url: own.then(|| "https://a.example/dir/sitemap.xml".to_owned()),
        now: Date::parse("2026-06-01T00:00:00Z").map(|(date, _)| date),
        now_said: true,
        file_name: Some("urls.list".to_owned()),
        excerpts: true,
        fingerprints: true,
        ..Settings::default()
    }
}

/// The findings of one rule in a document.
fn found(code: &str, document: &str) -> Vec<Finding> {
    let check = Check { settings: settings(code), ..Check::default() };
    let mut findings = Vec::new();
    let checked = check.run(&Bytes { name: "-", bytes: document.as_bytes() }, &mut findings).expect(code);
    assert_eq!(checked.totals.sum() - checked.untold, findings.len() as u64, "{code}: {document}");
    findings
}

fn in_video(part: &str) -> String {
    document(Within::Video, part).expect("a document")
}

fn in_item(part: &str) -> String {
    document(Within::Item, part).expect("a document")
}

#[test]
fn every_rule_finds_its_bad_example_and_not_its_good_one() {
    let mut silent = Vec::new();
    for rule in all() {
        let Some(bad) = document(rule.within, rule.bad) else { continue };
        let good = document(rule.within, rule.good).expect("a document");
        if found(rule.code, &bad).is_empty() {
            silent.push(format!("{} finds nothing in {bad}", rule.code));
        }
        for finding in found(rule.code, &good) {
            silent.push(format!("{} finds {} in {good}", rule.code, finding.message));
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// The rules that there are to be, by table and number.
const RULES: &[(&str, u32)] = &[
    ("D", 23),
    ("U", 18),
    ("T", 3),
    ("V", 44),
    ("I", 3),
    ("N", 5),
    ("H", 5),
    ("R", 25),
    ("P", 9),
    ("A", 22),
    ("M", 31),
    ("X", 3),
    ("L", 8),
    ("J", 2),
    ("O", 1),
];

#[test]
fn the_tables_hold_every_rule_once_and_in_order() {
    let wanted = RULES.iter().flat_map(|(table, count)| (1..=*count).map(move |number| format!("{table}{number:02}")));
    let wanted: Vec<String> = wanted.collect();
    let codes: Vec<&str> = all().map(|rule| rule.code).collect();
    assert_eq!(codes, wanted);
}

#[test]
fn rows_are_complete() {
    for rule in all() {
        assert!(rule.title.starts_with(|c: char| !c.is_whitespace()) && !rule.title.ends_with('.'), "{}", rule.code);
        for text in [rule.why, rule.mend] {
            assert!(text.ends_with('.') && !text.contains("  "), "{}: {text}", rule.code);
        }
        assert!(!rule.levels.is_empty() && !rule.checks.is_empty(), "{}", rule.code);
        for (_, letters) in rule.levels {
            let known = letters.split(';').all(|letter| matches!(letter, "E" | "W" | "I" | "·"));
            assert!(known && letters.split(';').count() <= levels::VARIANTS, "{}: {letters}", rule.code);
        }
        assert!(rule.good.is_empty() || rule.bad != rule.good, "{}", rule.code);
    }
}

/// How many findings a rule has in each of these.
fn edges(code: &str, documents: &[(String, usize)]) {
    for (document, count) in documents {
        assert_eq!(found(code, document).len(), *count, "{code}: {:.300}", document);
    }
}

/// Documents at the limits of rules, with the findings they are to have.
#[derive(Default)]
struct Limits(Vec<(&'static str, String, usize)>);

impl Limits {
    fn of(&mut self, code: &'static str, documents: impl IntoIterator<Item = (String, usize)>) {
        self.0.extend(documents.into_iter().map(|(document, count)| (code, document, count)));
    }

    fn all() -> Limits {
        let mut all = Limits::default();
        texts(&mut all);
        numbers(&mut all);
        wholes(&mut all);
        times(&mut all);
        kinds(&mut all);
        all
    }
}

#[test]
fn limits_are_told_from_what_is_just_within() {
    // some of them are large; of those with as many entries as fit, one is told from one that is just beyond
    let full = std::env::var_os("TRANSFEED_FULL").is_some();
    let is_tried = |limit: &&(&str, String, usize)| full || !matches!(limit.0, "D06" | "D08") || limit.2 > 0;
    Limits::all().0.par_iter().filter(is_tried).for_each(|(code, document, count)| {
        assert_eq!(found(code, document).len(), *count, "{code}: {:.400}", document);
    });
}

/// Rules with a limit: a number, a length, a time, a list.
const LIMITED: &[&str] = &[
    "D06", "D07", "D08", "U02", "U03", "U13", "U15", "U17", "T03", "V03", "V05", "V16", "V20", "V21", "V29", "V31",
    "V34", "V36", "V37", "V40", "I01", "N01", "N04", "N05", "R07", "R08", "R12", "R13", "R14", "R18", "R23", "M04",
    "M05", "M06", "M09", "M17", "M18", "M21", "M25", "M27",
];

/// Rules whose documents are too large for a case.
const LARGE: &[&str] = &["D06", "D07", "D08", "I01"];

/// Rules whose examples are words, and which tests of their own are about.
const APART: &[&str] = &["T02", "D02", "D03", "D09"];

#[test]
fn every_rule_has_a_failing_and_a_passing_case() {
    let limits = Limits::all().0;
    let has = |code: &str, fails: bool| limits.iter().any(|(of, _, count)| *of == code && (*count > 0) == fails);
    let is_tried = |code: &str| has(code, true) && has(code, false);
    let is_shown = |rule: &&Rule| rule.within != Within::Words || APART.contains(&rule.code) || is_tried(rule.code);
    let missing: Vec<&str> = all().filter(|rule| !is_shown(rule)).map(|rule| rule.code).collect();
    assert!(missing.is_empty(), "no failing and passing case of {missing:?}");
    let missing: Vec<&&str> = LIMITED.iter().filter(|code| !is_tried(code)).collect();
    assert!(missing.is_empty(), "the limits of {missing:?} are not tried");
    // and each is shown with all that it prints
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/validate");
    let cases: String = std::fs::read_dir(folder)
        .expect("the cases")
        .map(|case| std::fs::read_to_string(case.expect("a case").path()).expect("a case"))
        .collect();
    let seen = |code: &&str| cases.contains(*code) || LARGE.contains(code);
    let unseen: Vec<&str> = all().map(|rule| rule.code).filter(|code| !seen(code)).collect();
    assert!(unseen.is_empty(), "no case shows {unseen:?}");
}

fn texts(all: &mut Limits) {
    let long = |name: &str, count: usize| in_video(&format!("<video:{name}>{}</video:{name}>", "ю".repeat(count)));
    for (code, name, most) in
        [("V03", "title", 100), ("V05", "description", 2048), ("V31", "uploader", 255), ("V34", "category", 256)]
    {
        all.of(code, [(long(name, most - 1), 0), (long(name, most), 0), (long(name, most + 1), 1)]);
    }
    let media = |name: &str, count: usize| {
        let text = "ю".repeat(count);
        in_item(&format!(
            "<media:content url=\"https://a.example/v.mp4\"><media:{name}>{text}</media:{name}></media:content>"
        ))
    };
    for (code, name, most) in [("M04", "title", 100), ("M05", "description", 2048)] {
        all.of(code, [(media(name, most - 1), 0), (media(name, most), 0), (media(name, most + 1), 1)]);
    }
    let page =
        |address: String| document(Within::Urlset, &format!("<url><loc>{address}</loc></url>")).expect("a document");
    // percent-encoded, a letter has six characters
    let long = |count: usize| {
        let (letters, signs) = ("ю".repeat((count - 18) / 6), "x".repeat((count - 18) % 6));
        [format!("https://a.example/{}", "x".repeat(count - 18)), format!("https://a.example/{letters}{signs}")]
    };
    for count in [2047, 2048, 2049] {
        all.of("U02", long(count).map(|address| (page(address), usize::from(count > 2047))));
    }
    for count in [1023, 1024, 1025] {
        all.of("U03", long(count).map(|address| (page(address), usize::from(count > 1024))));
    }
    let wide = |count: usize| {
        let text = "1".repeat(count);
        document(Within::Url, &format!("<priority>{text}</priority>")).expect("a document")
    };
    all.of("U17", [(wide(100), 0), (wide(101), 1)]);
}

fn numbers(all: &mut Limits) {
    let one = |name: &str, value: &str| in_video(&format!("<video:{name}>{value}</video:{name}>"));
    let durations = [("0", 1), ("1", 0), ("28800", 0), ("28801", 1), ("-1", 1), ("1.5", 1), ("", 1), ("PT1M", 1)];
    all.of("V16", durations.map(|(value, count)| (one("duration", value), count)));
    let ratings = [("0.0", 0), ("5.0", 0), ("5.1", 1), ("-0.1", 1), ("4,5", 1), ("NaN", 1)];
    all.of("V21", ratings.map(|(value, count)| (one("rating", value), count)));
    let priority = |value: &str| document(Within::Url, &format!("<priority>{value}</priority>")).expect("a document");
    let priorities = [("0.0", 0), ("1", 0), ("1.0", 0), ("1.01", 1), ("-0.1", 1), (".5", 0), ("0,5", 1)];
    all.of("U15", priorities.map(|(value, count)| (priority(value), count)));
    let tags = |count: usize| in_video(&"<video:tag>t</video:tag>".repeat(count));
    all.of("V29", [(tags(31), 0), (tags(32), 0), (tags(33), 1)]);
    let images = |count: usize| document(Within::Url, &"<image:image/>".repeat(count)).expect("a document");
    all.of("I01", [(images(1000), 0), (images(1001), 1)]);
    let articles = |count: usize| {
        let page = "<url><loc>https://a.example/</loc><news:news/></url>";
        document(Within::Urlset, &page.repeat(count)).expect("a document")
    };
    all.of("N01", [(articles(1000), 0), (articles(1001), 1)]);
    let keywords = |count: usize| {
        let words: Vec<String> = (0..count).map(|number| format!("w{number}")).collect();
        in_item(&format!("<media:keywords>{}</media:keywords>", words.join(",")))
    };
    all.of("M25", [(keywords(10), 0), (keywords(11), 1)]);
    let image = |width: u32, height: u32| {
        let sizes = format!("<width>{width}</width><height>{height}</height>");
        let rest = "<url>https://a.example/i.png</url><title>t</title><link>https://a.example/</link>";
        document(Within::Channel, &format!("<image>{rest}{sizes}</image>")).expect("a document")
    };
    all.of("R12", [(image(144, 400), 0), (image(145, 400), 1), (image(144, 401), 1), (image(0, 0), 2)]);
}

fn wholes(all: &mut Limits) {
    let pages = |count: usize| {
        let page = "<url><loc>https://a.example/</loc></url>";
        document(Within::Urlset, &page.repeat(count)).expect("a document")
    };
    all.of("D06", [(pages(50_000), 0), (pages(50_001), 1)]);
    // in a list, only URLs count
    let list = |count: usize| "https://a.example/\n# a comment\n".repeat(count);
    all.of("D06", [(list(50_000), 0), (list(50_001), 1)]);
    let parts = |count: usize| {
        let part = "<sitemap><loc>https://a.example/</loc></sitemap>";
        document(Within::Index, &part.repeat(count)).expect("a document")
    };
    all.of("D08", [(parts(50_000), 0), (parts(50_001), 1)]);
    let filled = |bytes: usize| {
        let whole = pages(1);
        let rest = bytes - whole.len();
        whole.replace("</urlset>", &format!("{}</urlset>", " ".repeat(rest)))
    };
    all.of("D07", [(filled(52_428_800), 0), (filled(52_428_801), 1)]);
    let feed = |bytes: usize| {
        let whole = document(Within::Channel, "<item><link>https://a.example/</link></item>").expect("a document");
        let rest = bytes - whole.len();
        whole.replace("</channel>", &format!("{}</channel>", " ".repeat(rest)))
    };
    all.of("D07", [(feed(52_428_800), 0), (feed(52_428_801), 1)]);
    let dated = |count: usize| {
        let page = "<url><loc>https://a.example/</loc><lastmod>2026-01-01</lastmod></url>";
        document(Within::Urlset, &page.repeat(count)).expect("a document")
    };
    all.of("U13", [(dated(9), 0), (dated(10), 1)]);
    // written as they were listed, the last of them so many seconds after the first
    let listed = |count: u32, last: u32| {
        let page = |number: u32| {
            let (minute, second) = (last * number / (count - 1) / 60, last * number / (count - 1) % 60);
            format!("<url><loc>/{number}</loc><lastmod>2026-01-01T10:{minute:02}:{second:02}Z</lastmod></url>")
        };
        document(Within::Urlset, &(0..count).map(page).collect::<String>()).expect("a document")
    };
    all.of("U13", [(listed(10, 600), 1), (listed(10, 601), 0), (listed(9, 600), 0), (listed(40, 39), 1)]);
    let days: String = (1..20).map(|day| format!("<url><lastmod>2026-01-{day:02}</lastmod></url>")).collect();
    all.of("U13", [(document(Within::Urlset, &days).expect("a document"), 0)]);
    let lines = |text: &str| text.replace('.', "https://a.example/1").replace(',', "https://a.example/2");
    let blank =
        [(".\n,\n", 0), (".\n\n,\n", 1), ("\n.\n", 1), (".\r\n,\r\n", 0), (".\n\n\n \n,", 1), (".\n,\n\n\n", 0)];
    all.of("T03", blank.map(|(text, count)| (lines(text), count)));
    all.of("T03", [("# a\nhttps://a.example/\n".to_owned(), 1), (lines(".\n,\n.\n"), 1)]);
}

fn times(all: &mut Limits) {
    // the tests run on the first day of June 2026
    let lastmod = |text: &str| document(Within::Url, &format!("<lastmod>{text}</lastmod>")).expect("a document");
    let dates = [("2026-06-01", 0), ("2026-06-01T14:00:00Z", 0), ("2026-06-01T14:00:01Z", 1), ("2026-06-02", 1)];
    all.of("U13", dates.map(|(text, count)| (lastmod(text), count)));
    let published = |text: &str| in_video(&format!("<video:publication_date>{text}</video:publication_date>"));
    all.of("V20", dates.map(|(text, count)| (published(text), count)));
    let clocks = [("23:59:59Z", 0), ("24:00:00Z", 1), ("00:00:00+14:00", 0), ("00:00Z", 0), ("00:00:00+0300", 1)];
    all.of("V17", clocks.map(|(clock, count)| (published(&format!("2026-05-01T{clock}")), count)));
    let article = |text: &str| {
        let news = format!("<news:news><news:publication_date>{text}</news:publication_date></news:news>");
        document(Within::Url, &news).expect("a document")
    };
    let dates = [("2026-05-30", 0), ("2026-05-29T23:59:59Z", 1), ("2026-05", 1), ("2026-05-31T10:00:00", 1)];
    all.of("N04", dates.map(|(text, count)| (article(text), count)));
    let date = |text: &str| in_item(&format!("<pubDate>{text}</pubDate>"));
    let dates = [
        ("Tue, 02 Jun 2026 00:00:00 GMT", 0),
        ("Tue, 02 Jun 2026 00:00:01 GMT", 1),
        ("Mon, 02 Jun 2026 00:00:00 GMT", 1),
        ("Mon, 01 Jan 1990 00:00:00 GMT", 0),
        ("Sun, 31 Dec 1989 00:00:00 GMT", 1),
        ("1 May 26 10:00 GMT", 1),
        ("2026-05-01", 1),
    ];
    all.of("R08", dates.map(|(text, count)| (date(text), count)));
    let period = |text: &str| in_item(&format!("<dcterms:valid>{text}; scheme=W3C-DTF</dcterms:valid>"));
    let periods = [
        ("start=2026-01-01; end=2027-01-01", 0),
        ("start=2027-01-01; end=2027-01-01", 0),
        ("start=2027-01-01T00:00:00Z; end=2027-01-01T00:00:00Z", 1),
        ("start=2027-02-01; end=2027-01", 1),
        ("start=2027-01-02; end=2027-01-01", 1),
        ("end=2026-05-31", 1),
        ("start=soon", 1),
        ("name=x", 1),
    ];
    all.of("M27", periods.map(|(text, count)| (period(text), count)));
    let text = |start: &str, end: &str| in_item(&format!("<media:text start=\"{start}\" end=\"{end}\">t</media:text>"));
    all.of("M21", [(text("1", "2"), 0), (text("2", "2"), 1), (text("3", "2"), 1), (text("0:00:59", "0:00:60"), 1)]);
}

fn kinds(all: &mut Limits) {
    let film = "<media:content url=\"https://a.example/v.mp4\"/>";
    let thumbnail = |attributes: &str| in_item(&format!("{film}<media:thumbnail {attributes}/>"));
    let url = "url=\"https://a.example/t.jpg\"";
    all.of(
        "M06",
        [(60, 0), (59, 1), (61, 0)].map(|(width, count)| (thumbnail(&format!("{url} width=\"{width}\"")), count)),
    );
    all.of("M06", [(30, 0), (29, 1)].map(|(height, count)| (thumbnail(&format!("{url} height=\"{height}\"")), count)));
    let addresses =
        [("https://a.example/t.tiff", 1), ("data:image/png;base64,iVBO", 1), ("https://a.example/t", 0), ("", 1)];
    all.of("M06", addresses.map(|(address, count)| (thumbnail(&format!("url=\"{address}\"")), count)));
    let addresses = [("https://a.example/t.tiff", 1), ("data:image/png;base64,iVBO", 1), ("https://a.example/t", 0)];
    let loc = |address: &str| in_video(&format!("<video:thumbnail_loc>{address}</video:thumbnail_loc>"));
    all.of("V40", addresses.map(|(address, count)| (loc(address), count)));
    let segment = |seconds: &str| {
        in_video(&format!(
            "<video:player_loc>https://a.example/e</video:player_loc>\
             <video:content_segment_loc duration=\"{seconds}\">https://a.example/1.mp4</video:content_segment_loc>"
        ))
    };
    all.of("V36", [("0", 0), ("28800", 0), ("28801", 1), ("x", 1)].map(|(seconds, count)| (segment(seconds), count)));
    let season = |number: &str| {
        let show = "<video:show_title>t</video:show_title><video:video_type>clip</video:video_type>";
        in_video(&format!("<video:tvshow>{show}<video:season_number>{number}</video:season_number></video:tvshow>"))
    };
    all.of("V37", [("0", 1), ("1", 0), ("-1", 1)].map(|(number, count)| (season(number), count)));
    let tickers = |count: usize| {
        let list = vec!["NASDAQ:A"; count].join(", ");
        let news = format!("<news:news><news:stock_tickers>{list}</news:stock_tickers></news:news>");
        document(Within::Url, &news).expect("a document")
    };
    // that the element is there at all is one more
    all.of("N05", [(tickers(5), 1), (tickers(6), 2), (document(Within::Url, "<news:news/>").expect("one"), 0)]);
    let guid = |digits: usize| in_item(&format!("<guid isPermaLink=\"false\">{}</guid>", "1".repeat(digits)));
    all.of("R07", [(guid(8), 1), (guid(9), 0)]);
    let channel = |part: &str| document(Within::Channel, part).expect("a document");
    let hour = |hour: &str| channel(&format!("<skipHours><hour>{hour}</hour></skipHours>"));
    all.of("R13", [("0", 0), ("23", 0), ("24", 1), ("-1", 1)].map(|(text, count)| (hour(text), count)));
    let hours = |hours: &str| channel(&format!("<skipHours>{hours}</skipHours>"));
    let all_hours: String = (0..24).map(|hour| format!("<hour>{hour}</hour>")).collect();
    all.of("R13", [(hours(&all_hours), 0), (hours("<hour>1</hour><hour>01</hour>"), 1), (hours(""), 1)]);
    let ttl = |text: &str| channel(&format!("<ttl>{text}</ttl>"));
    all.of("R14", [("1", 0), ("0", 1), ("-1", 1), ("1.5", 1)].map(|(text, count)| (ttl(text), count)));
    let keywords =
        |count: usize| in_item(&format!("<itunes:keywords>{}</itunes:keywords>", vec!["w"; count].join(",")));
    all.of("R23", [(keywords(12), 0), (keywords(13), 1)]);
    let twice = [
        ("<lastBuildDate>x</lastBuildDate><dcterms:modified>y</dcterms:modified>", 1),
        ("<webMaster>x</webMaster><dc:publisher>y</dc:publisher>", 1),
        ("<managingEditor>x</managingEditor><dc:creator>y</dc:creator>", 1),
        ("<lastBuildDate>x</lastBuildDate><dc:publisher>y</dc:publisher>", 0),
    ];
    all.of("R18", twice.map(|(part, count)| (channel(part), count)));
    let file = |attribute: &str| in_item(&format!("<media:content url=\"https://a.example/v.mp4\" {attribute}/>"));
    let numbers = [
        ("width=\"1\"", 0),
        ("width=\"0\"", 1),
        ("channels=\"0\"", 0),
        ("channels=\"-1\"", 1),
        ("bitrate=\"0.5\"", 0),
        ("bitrate=\"1e3\"", 1),
    ];
    all.of("M09", numbers.map(|(attribute, count)| (file(attribute), count)));
    let hash = |digits: usize| in_item(&format!("<media:hash algo=\"md5\">{}</media:hash>", "a".repeat(digits)));
    all.of("M17", [(hash(31), 1), (hash(32), 0), (hash(33), 1)]);
    let credit = |attributes: &str| in_item(&format!("<media:credit {attributes}>n</media:credit>"));
    let roles = [
        ("role=\"grip\"", 0),
        ("role=\"executive producer\"", 0),
        ("role=\"Grip\"", 1),
        ("role=\"barber\"", 1),
        ("role=\"barber\" scheme=\"urn:yvs\"", 0),
        ("role=\"grip\" scheme=\"urn:other\"", 1),
    ];
    all.of("M18", roles.map(|(attributes, count)| (credit(attributes), count)));
}

#[test]
fn what_repeats_is_told_with_the_line_of_the_first() {
    let page = |path: &str| format!("<url><loc>https://a.example/{path}</loc></url>\n");
    let text =
        document(Within::Urlset, &[page("a"), page("b"), page("a"), page("%61"), page("a")].concat()).expect("one");
    let told = found("U10", &text);
    let told: Vec<_> =
        told.iter().map(|found| (found.line, found.severity, found.message.contains("line 1"))).collect();
    use Severity::{Info, Warning};
    assert_eq!(told, [(3, Warning, true), (4, Info, true), (5, Warning, true)]);
    let entry =
        |id: &str, day: u8| format!("<entry><id>{id}</id><updated>2026-01-0{day}T00:00:00Z</updated></entry>\n");
    let entries = [entry("urn:a", 1), entry("urn:a", 2), entry("urn:a", 1), entry("urn:b", 1)];
    let text = document(Within::Feed, &entries.concat()).expect("one");
    let told: Vec<_> = found("A08", &text).into_iter().map(|found| (found.line, found.message)).collect();
    assert!(
        told[0].0 == 2 && told[0].1.contains("duplicate id;") && told[1].0 == 3 && told[1].1.contains("same date"),
        "{told:?}"
    );
}

#[test]
fn encodings_and_bytes_are_findings() {
    let run = |code: &str, bytes: &[u8]| {
        let check = Check { settings: settings(code), ..Check::default() };
        let mut findings = Vec::new();
        check.run(&Bytes { name: "-", bytes }, &mut findings).expect(code);
        findings.len()
    };
    let text = document(Within::Urlset, "<url><loc>https://a.example/é</loc></url>").expect("a document");
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let said = [b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>".as_slice(), &latin].concat();
    assert_eq!((run("D02", text.as_bytes()), run("D02", &said)), (0, 1));
    let lying = [b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>".as_slice(), text.as_bytes()].concat();
    assert_eq!((run("D03", text.as_bytes()), run("D03", &lying), run("D03", &latin)), (0, 1, 1));
    assert_eq!(run("T02", b"https://a.example/\n"), 1);
    let mut check = Check { settings: settings("T02"), ..Check::default() };
    for (name, count) in [("urls.txt", 0), ("urls.txt.gz", 0), ("urls.text", 1)] {
        check.settings.file_name = Some(name.to_owned());
        let mut findings = Vec::new();
        check.run(&Bytes { name: "-", bytes: b"https://a.example/\n" }, &mut findings).expect("a check");
        assert_eq!(findings.len(), count, "{name}");
    }
}

#[test]
fn blank_lines_of_a_list_are_found_wherever_it_is_cut() {
    let text = "\nhttps://a.example/1\n\n\nhttps://a.example/2\nhttps://a.example/3\n\nhttps://a.example/4\n";
    for chunk in [1, 25, 45, 1 << 18] {
        let mut check = Check { settings: settings("T03"), ..Check::default() };
        check.options.limits.chunk = chunk;
        let mut findings = Vec::new();
        let checked = check.run(&Bytes { name: "-", bytes: text.as_bytes() }, &mut findings).expect("a check");
        let mut told: Vec<_> = findings.iter().map(|found| (found.line, found.message.as_str())).collect();
        told.sort_unstable();
        assert_eq!(told, [(1, "a blank line"), (3, "2 blank lines"), (7, "a blank line")], "{chunk}");
        assert_eq!(checked.totals.warning, 3);
    }
    let told = found("T03", "https://a.example/\nhttps://a.example/b\nhttps://a.example/\n");
    assert_eq!((told.len(), told[0].line), (1, 3));
}

#[test]
fn alternates_that_do_not_link_back_are_told() {
    let link = |code: &str, path: &str| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{code}\" href=\"https://a.example/{path}\"/>")
    };
    let page =
        |path: &str, links: &[String]| format!("<url><loc>https://a.example/{path}</loc>{}</url>\n", links.concat());
    let both = [link("en", "en"), link("de", "de")];
    let good = [page("en", &both), page("de", &both)].concat();
    let bad = [page("en", &both), page("de", &both[1..])].concat();
    let document = |part: &str| document(Within::Urlset, part).expect("a document");
    edges("H04", &[(document(&good), 0), (document(&bad), 1), (document(&page("en", &both)), 0)]);
}

#[test]
fn a_part_that_is_an_index_is_told() {
    let text = document(Within::Index, "<sitemap><loc>https://a.example/i.xml</loc></sitemap>").expect("a document");
    let mut check = Check { settings: settings("D09"), ..Check::default() };
    let kinds = |kind: &'static str| Some(PartKinds(std::sync::Arc::new(move |_: &str| Some(kind.to_owned()))));
    for (kind, count) in [("sitemap-index", 1), ("sitemap", 0)] {
        check.settings.kinds = kinds(kind);
        let mut findings = Vec::new();
        check.run(&Bytes { name: "-", bytes: text.as_bytes() }, &mut findings).expect("a check");
        assert_eq!(findings.len(), count, "{kind}");
    }
}

#[test]
fn elements_that_yandex_does_not_know_are_told_once() {
    let page = "<url><loc>https://a.example/</loc><image:image/><video:video/></url>";
    let text = document(Within::Urlset, &page.repeat(3)).expect("a document");
    assert_eq!(found("U18", &text).len(), 2);
}

#[test]
fn a_fingerprint_stays_where_an_entry_moves() {
    let page = |path: &str| format!("<url><loc>https://a.example/{path}</loc><priority>9</priority></url>\n");
    let print = |text: &str| {
        let text = document(Within::Urlset, text).expect("a document");
        let mut found: Vec<_> = found("U15", &text).into_iter().map(|found| (found.value, found.fingerprint)).collect();
        found.sort();
        found
    };
    let (one, other) = (print(&(page("a") + &page("b"))), print(&(page("b") + &page("a"))));
    assert_eq!(one, other);
    assert_ne!(one[0].1, one[1].1);
}

#[test]
fn findings_are_those_of_one_thread_in_any_chunks() {
    let page = |number: usize| format!("<url><loc>/p{}</loc><priority>{number}</priority></url>\n", number % 700);
    let text = document(Within::Urlset, &(0..2000).map(page).collect::<String>()).expect("a document");
    let run = |chunk: usize| {
        let mut check = Check { settings: Settings { now: None, ..Settings::default() }, ..Check::default() };
        check.options.limits.chunk = chunk;
        let mut findings = Vec::new();
        let checked = check.run(&Bytes { name: "-", bytes: text.as_bytes() }, &mut findings).expect("a check");
        let mut shown: Vec<_> = findings.iter().map(|found| (found.line, found.code, found.message.clone())).collect();
        shown.sort();
        (shown, checked.totals)
    };
    assert_eq!(run(256 << 10), run(700));
    assert!(run(700).1.sum() > 2000);
}
