//! Rules of reading and writing Atom, each by the smallest input that shows it.

use super::{ATOM, ATOM_MEDIA};
use crate::code::{Code, LossKind};
use crate::convert::Conversion;
use crate::format::{Format, json};
use crate::ledger::Ledger;

fn convert(input: &str, to: &'static Format) -> (String, Ledger) {
    Conversion::to(to).bytes(input.as_bytes()).unwrap()
}

fn feed(inside: &str) -> String {
    format!(
        "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:thr='http://purl.org/syndication/thread/1.0' \
         xmlns:x='urn:x' xml:base='http://h/d/'><id>urn:f</id><title>F</title><updated>2024-01-01T00:00:00Z</updated>\
         <author><name>A</name></author>{inside}</feed>"
    )
}

fn entry(inside: &str) -> String {
    feed(&format!(
        "<entry><id>urn:e</id><title>E</title><updated>2024-01-02T00:00:00Z</updated>\
         <link href='http://h/p'/>{inside}</entry>"
    ))
}

fn rss(channel: &str, item: &str) -> String {
    format!(
        "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><title>C</title>\
         <link>http://h/</link><description>D</description>{channel}<item>{item}</item></channel></rss>"
    )
}

fn sitemap(url: &str) -> String {
    format!(
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
         xmlns:video='http://www.google.com/schemas/sitemap-video/1.1'><url>{url}</url></urlset>"
    )
}

fn codes(ledger: &Ledger) -> Vec<(LossKind, Code, &'static str)> {
    ledger.rows().iter().map(|row| (row.kind, row.code(), row.field)).collect()
}

/// The entries of the output, without their tags.
fn entries(xml: &str) -> Vec<&str> {
    xml.split("<entry").skip(1).filter_map(|piece| Some(piece.split_once('>')?.1.split_once("</entry>")?.0)).collect()
}

#[track_caller]
fn has(text: &str, part: &str) {
    assert!(text.contains(part), "no {part}\nin {text}");
}

#[test]
fn texts_keep_their_kind() {
    let cases = [
        ("<summary>a &lt; b</summary>", r#""summary":"a < b""#),
        ("<summary type='text/plain'>a</summary>", r#""summary":"a""#),
        ("<summary type='html'>&lt;b>a&lt;/b></summary>", r#""summary":{"kind":"html","value":"<b>a</b>"}"#),
        ("<summary type='text/html'><![CDATA[<b>a</b>]]></summary>", r#"{"kind":"html","value":"<b>a</b>"}"#),
        (
            "<summary type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>a <b>b</b> &amp; c</div></summary>",
            r#"{"kind":"xhtml","value":"a <b>b</b> &amp; c"}"#,
        ),
        (
            "<summary type='xhtml' xml:lang='de'><div xmlns='http://www.w3.org/1999/xhtml' class='k'>a</div></summary>",
            r#"{"kind":"xhtml","value":"<div class=\"k\">a</div>","lang":"de"}"#,
        ),
        ("<content type='text/csv'>a,b</content>", r#""content":"a,b","content_type":"text/csv""#),
        (
            "<content type='application/xml'><d xmlns='urn:d' k='v'/></content>",
            r#"{"kind":"xhtml","value":"<d xmlns=\"urn:d\" k=\"v\"/>"},"content_type":"application/xml""#,
        ),
        (
            "<content type='application/pdf' src='a.pdf'/>",
            r#""content_src":"http://h/d/a.pdf","content_type":"application/pdf""#,
        ),
    ];
    for (source, expected) in cases {
        let document = entry(source);
        let (model, _) = convert(&document, &json::JSON);
        has(&model, expected);
        let (again, _) = convert(&convert(&document, &ATOM).0, &json::JSON);
        has(&again, expected);
    }
}

#[test]
fn the_page_is_the_alternate_that_is_html_in_no_named_language() {
    let links = "<link rel='alternate' hreflang='de' href='de'/><link href='a.pdf' type='application/pdf'/>\
                 <link href='plain'/><link rel='alternate' type='text/html' href='html'/>\
                 <link rel='http://www.iana.org/assignments/relation/license' href='l'/>\
                 <link rel='replies' type='text/html' href='c'/><link rel='replies' href='cf' thr:count='2'/>";
    let document = feed(&format!("<entry><id>urn:e</id><title>E</title>{links}</entry>"));
    let (model, _) = convert(&document, &json::JSON);
    for part in [
        r#""loc":"http://h/d/html""#,
        r#""alternates":[{"href":"http://h/d/de","hreflang":"de"}]"#,
        r#""license":"http://h/d/l""#,
        r#""comments":"http://h/d/c""#,
        r#""comment_feed":"http://h/d/cf""#,
        r#"{"href":"http://h/d/a.pdf","type":"application/pdf"}"#,
        r#"{"href":"http://h/d/plain"}"#,
    ] {
        has(&model, part);
    }
    let (again, _) = convert(&convert(&document, &ATOM).0, &json::JSON);
    has(&again, r#""loc":"http://h/d/html""#);
    has(&again, r#"{"name":"thr:count","value":"2"}"#);
}

#[test]
fn bases_add_up() {
    let source = "<link rel='via' xml:base='e/' href='v'/><author xml:base='/p/'><name>N</name><uri>u</uri></author>";
    let (model, ledger) = convert(&entry(source), &json::JSON);
    has(&model, r#""href":"http://h/d/e/v""#);
    has(&model, r#""uri":"http://h/p/u""#);
    assert!(codes(&ledger).contains(&(LossKind::Changed, Code::UrlNormalized, "link.href")));
}

#[test]
fn the_page_comes_first_and_other_links_keep_their_order_and_unknown_attributes() {
    let source = "<link rel='via' href='http://h/v' x:k='1'/><link rel='related' href='http://h/r' x:k='2'/>";
    let document = feed(&format!("<entry><id>urn:e</id><title>E</title>{source}<link href='http://h/p'/></entry>"));
    let (out, _) = convert(&document, &ATOM);
    let at = |part: &str| out.find(part).unwrap();
    assert!(at("rel=\"via\"") < at("k=\"1\"") || at("k=\"1\"") < at("rel=\"related\""));
    assert!(at("http://h/p") < at("http://h/v") && at("http://h/v") < at("http://h/r"), "{out}");
    has(&out, r#"<link xmlns:x="urn:x" x:k="2" rel="related""#);
}

#[test]
fn an_identifier_is_an_iri() {
    let cases = [
        ("<guid>http://h/p</guid><link>http://h/p</link>", "<id>http://h/p</id>", None),
        ("<link>http://h/p</link>", "<id>http://h/p</id>", Some((LossKind::Made, Code::SynthId, "id"))),
        (
            "<guid isPermaLink='false'>7</guid><link>http://h/p</link>",
            "<id>urn:uuid:6ee82834-71c0-58af-bf5b-dadf3178480f</id>",
            Some((LossKind::Changed, Code::IdDerived, "id")),
        ),
    ];
    for (item, expected, code) in cases {
        let (out, ledger) = convert(&rss("", item), &ATOM);
        has(&out, expected);
        let found = codes(&ledger).into_iter().find(|(_, _, field)| *field == "id");
        assert_eq!(found, code, "{item}");
    }
}

#[test]
fn a_permanent_address_shows_in_the_id() {
    let item = "<guid isPermaLink='true'>http://h/p</guid><link>http://h/p</link>";
    let (_, ledger) = convert(&rss("", item), &ATOM);
    assert!(codes(&ledger).contains(&(LossKind::Changed, Code::PermalinkChanged, "id_is_permalink")));
    let item = "<guid isPermaLink='true'>http://h/q</guid><link>http://h/p</link>";
    let (_, ledger) = convert(&rss("", item), &ATOM);
    assert!(codes(&ledger).contains(&(LossKind::Lost, Code::NoCarrier, "id_is_permalink")));
}

#[test]
fn what_atom_requires_is_made() {
    let (out, ledger) =
        convert(&rss("", "<link>http://h/p</link><pubDate>Mon, 01 Jan 2024 10:00:00 GMT</pubDate>"), &ATOM);
    has(&out, "<id>http://h/</id><title>C</title>");
    let updated =
        r#"<updated xmlns:transfeed="urn:transfeed" transfeed:generated="true">2024-01-01T10:00:00Z</updated>"#;
    has(&out, &format!("{updated}<author><name>C</name></author>"));
    has(&out, &format!("<title>http://h/p</title>{updated}<published>2024-01-01T10:00:00Z</published>"));
    let made: Vec<_> = codes(&ledger).into_iter().filter(|(kind, ..)| *kind == LossKind::Made).collect();
    for field in ["feed.id", "feed.updated", "feed.author.name", "id", "title", "updated"] {
        assert!(made.iter().any(|(_, _, of)| *of == field), "{field}: {made:?}");
    }
    let (out, _) = convert(&rss("", "<title>T</title><guid>urn:g</guid><description>words</description>"), &ATOM);
    has(&out, "<content>words</content>");
}

#[test]
fn several_videos_of_a_page_become_entries() {
    let video = |n: u8| {
        format!(
            "<video:video><video:thumbnail_loc>http://h/{n}.jpg</video:thumbnail_loc><video:title>V{n}</video:title>\
             <video:description>D{n}</video:description><video:content_loc>http://h/{n}.mp4</video:content_loc>\
             <video:publication_date>2024-01-0{n}</video:publication_date></video:video>"
        )
    };
    let document = sitemap(&format!("<loc>http://h/p</loc>{}{}", video(1), video(2)));
    let (out, ledger) = convert(&document, &ATOM_MEDIA);
    let entries = entries(&out);
    assert_eq!(entries.len(), 2, "{out}");
    has(entries[0], "<id>http://h/p#v-");
    has(entries[0], "<title>V1</title>");
    has(entries[1], "<title>V2</title>");
    has(entries[1], "<published>2024-01-02T00:00:00Z</published>");
    has(entries[1], "<dcterms:issued>2024-01-02</dcterms:issued>");
    has(entries[1], "href=\"http://h/p\"");
    assert_eq!(ledger.totals().lost, 0, "{:?}", codes(&ledger));
    let (out, _) = convert(&document, &ATOM);
    has(&out, r#"<link rel="enclosure" href="http://h/2.mp4" type="video/mp4" title="V2"/>"#);
    has(&out, "<summary>D2</summary>");
}

#[test]
fn atom_03_is_read_by_its_own_names() {
    let source = "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><title>F</title><tagline>S</tagline>\
                  <modified>2024-01-01T00:00:00Z</modified><copyright>R</copyright><generator url='http://g/'>G</generator>\
                  <entry><title>E</title><id>urn:e</id><issued>2024-01-02</issued><modified>2024-01-03T00:00:00Z</modified>\
                  <created>2024-01-01</created><author><name>N</name><url>http://n/</url></author>\
                  <content type='application/xhtml+xml' mode='xml'><p xmlns='http://www.w3.org/1999/xhtml'>c</p></content>\
                  </entry></feed>";
    let (model, ledger) = convert(source, &json::JSON);
    for part in [
        r#""subtitle":"S""#,
        r#""rights":"R""#,
        r#""generator":{"name":"G","uri":"http://g/"}"#,
        r#""published":"2024-01-02""#,
        r#""updated":"2024-01-03T00:00:00Z""#,
        r#""created":"2024-01-01""#,
        r#""authors":[{"name":"N","uri":"http://n/"}]"#,
        r#""content":{"kind":"xhtml","value":"<p>c</p>"}"#,
    ] {
        has(&model, part);
    }
    assert_eq!(ledger.totals().kept, ledger.totals().leaves);
}

#[test]
fn a_second_text_is_merged() {
    let (_, ledger) =
        convert(&entry("<title type='html'>Other</title><summary>S</summary><summary>S</summary>"), &ATOM);
    let codes = codes(&ledger);
    assert!(codes.contains(&(LossKind::Merged, Code::ConflictFirstWins, "title")), "{codes:?}");
    assert!(codes.contains(&(LossKind::Merged, Code::DuplicateMerged, "summary")), "{codes:?}");
}

#[test]
fn the_true_precision_of_a_date_comes_back() {
    let document = sitemap(
        "<loc>http://h/p</loc><lastmod>2024-01-01</lastmod><video:video>\
         <video:thumbnail_loc>http://h/1.jpg</video:thumbnail_loc><video:title>V</video:title>\
         <video:description>D</video:description><video:content_loc>http://h/1.mp4</video:content_loc>\
         <video:publication_date>2024-01-02</video:publication_date></video:video>",
    );
    let (feed, ledger) = convert(&document, &ATOM_MEDIA);
    has(&feed, "<updated>2024-01-01T00:00:00Z</updated><published>2024-01-02T00:00:00Z</published>");
    assert_eq!(ledger.totals().lost, 0, "{:?}", codes(&ledger));
    let (model, ledger) = convert(&feed, &json::JSON);
    has(&model, r#""published":"2024-01-02","updated":"2024-01-01""#);
    assert_eq!(ledger.totals().kept, ledger.totals().leaves, "{:?}", codes(&ledger));
    assert_eq!(feed, convert(&feed, &ATOM_MEDIA).0);
}
