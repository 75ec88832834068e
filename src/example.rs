//! Small examples of changes to values in conversions, and of repairs on reading: one for each code that no table of
//! fates or rules shows already. `code` and `diagnostic` explain the codes; tests/examples.rs converts the examples.

use crate::rules::Within;

/// An example of a code.
#[derive(Clone, Copy, Debug)]
pub struct CodeExample {
    /// The code, of a loss, a kind of losses or a repair.
    pub code: &'static str,
    /// The context of the example.
    pub within: Within,
    /// The example; a sentence where it cannot be shown.
    pub shown: &'static str,
    /// Markup repeated after it this many times.
    pub again: Option<(&'static str, usize)>,
    /// The options of the conversion that reports it.
    pub options: &'static str,
}

const fn at(code: &'static str, within: Within, shown: &'static str, options: &'static str) -> CodeExample {
    CodeExample { code, within, shown, again: None, options }
}

const fn words(code: &'static str, shown: &'static str, options: &'static str) -> CodeExample {
    at(code, Within::Words, shown, options)
}

impl CodeExample {
    const fn and(mut self, again: &'static str, times: usize) -> CodeExample {
        self.again = Some((again, times));
        self
    }

    /// The whole example, with its repeated part.
    pub fn part(&self) -> String {
        let again = self.again.map_or(String::new(), |(again, times)| again.repeat(times));
        format!("{}{again}", self.shown)
    }
}

/// The example of a code.
pub fn by_code(code: &str) -> Option<&'static CodeExample> {
    ALL.iter().find(|example| example.code == code)
}

/// All examples: kinds, losses, repairs.
#[rustfmt::skip]
pub const ALL: &[CodeExample] = &[
    at("lost", Within::Item, "<link>https://a.example/1</link><title>a</title>", "--to sitemap"),
    at("changed", Within::Url, "<lastmod>2026-05</lastmod>", "--to sitemap"),
    at("unread", Within::Item, r#"<media:content url="https://a.example/a.mp4" duration="about a minute"/>"#, "--to mrss"),
    at("merged", Within::Item, "<title>a</title><title>b</title>", "--to mrss"),
    at("made", Within::Item, "<link>https://a.example/1</link>", "--to atom"),
    at("deprecated_dropped", Within::Video, "<video:content_loc>https://a.example/a.mp4</video:content_loc><video:thumbnail_loc>https://a.example/t.jpg</video:thumbnail_loc><video:gallery_loc>https://a.example/g</video:gallery_loc>", "--to video-sitemap --no-deprecated"),
    at("truncated", Within::Item, r#"<link>https://a.example/1</link><title>long long long long long long long long long long long long long long long long long long long long long </title><media:content url="https://a.example/a.mp4"/><media:thumbnail url="https://a.example/t.jpg"/>"#, "--to video-sitemap --fit-titles"),
    at("markup_stripped", Within::Entry, r#"<title type="html">a &lt;b&gt;bold&lt;/b&gt; title</title>"#, "--to rss"),
    at("type_changed", Within::Entry, "<summary>1 &lt; 2</summary>", "--to rss"),
    at("precision_raised", Within::Url, "<lastmod>2026-05</lastmod>", "--to sitemap"),
    at("precision_dropped", Within::Entry, "<published>2026-05-01T10:00:00.25Z</published>", "--to rss"),
    at("zone_assumed", Within::Url, "<lastmod>2026-05-01T10:00:00</lastmod>", "--to atom"),
    at("unit_converted", Within::Item, r#"<media:content url="https://a.example/a.mp4" samplingrate="44100"/>"#, "--to mrss"),
    at("rescaled", Within::Item, r#"<link>https://a.example/1</link><media:content url="https://a.example/a.mp4"><media:thumbnail url="https://a.example/t.jpg"/><media:title>t</media:title><media:description>d</media:description><media:community><media:starRating average="7" min="0" max="10"/></media:community></media:content>"#, "--to video-sitemap"),
    at("rounded", Within::Item, r#"<link>https://a.example/1</link><media:content url="https://a.example/a.mp4" duration="61.4"><media:thumbnail url="https://a.example/t.jpg"/><media:title>t</media:title></media:content>"#, "--to video-sitemap"),
    at("out_of_range", Within::Video, "<video:content_loc>https://a.example/a.mp4</video:content_loc><video:thumbnail_loc>https://a.example/t.jpg</video:thumbnail_loc><video:duration>30000</video:duration>", "--to video-sitemap"),
    at("list_reduced", Within::Item, r#"<link>https://a.example/1</link><media:content url="https://a.example/a.mp4"><media:title>t</media:title><media:thumbnail url="https://a.example/1.jpg"/><media:thumbnail url="https://a.example/2.jpg"/></media:content>"#, "--to video-sitemap"),
    at("list_cut", Within::Video, "<video:thumbnail_loc>https://a.example/t.jpg</video:thumbnail_loc><video:content_loc>https://a.example/a.mp4</video:content_loc>", "--to video-sitemap").and("<video:tag>t</video:tag>", 33),
    at("enum_mapped", Within::Item, r#"<link>https://a.example/1</link><media:content url="https://a.example/a.mp4"><media:thumbnail url="https://a.example/t.jpg"/><media:title>t</media:title><media:adult>true</media:adult></media:content>"#, "--to video-sitemap"),
    at("enum_unmapped", Within::Item, r#"<link>https://a.example/1</link><media:content url="https://a.example/a.mp4"><media:thumbnail url="https://a.example/t.jpg"/><media:title>t</media:title><media:price type="package" price="1" currency="EUR"/></media:content>"#, "--to video-sitemap"),
    at("country_fixed", Within::Video, r#"<video:content_loc>https://a.example/a.mp4</video:content_loc><video:thumbnail_loc>https://a.example/t.jpg</video:thumbnail_loc><video:restriction relationship="allow">UK</video:restriction>"#, "--to video-sitemap"),
    at("country_dropped", Within::Video, r#"<video:content_loc>https://a.example/a.mp4</video:content_loc><video:thumbnail_loc>https://a.example/t.jpg</video:thumbnail_loc><video:restriction relationship="allow">DE XX1</video:restriction>"#, "--to video-sitemap"),
    at("split", Within::Item, r#"<link>https://a.example/1</link><media:content url="https://a.example/a.mp4"><media:thumbnail url="https://a.example/t.jpg"/><media:title>t</media:title><media:keywords>sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, sea, boat</media:keywords></media:content>"#, "--to video-sitemap"),
    at("id_derived", Within::Item, r#"<link>https://a.example/1</link><guid isPermaLink="false">42</guid>"#, "--to atom"),
    at("permalink_changed", Within::Item, r#"<link>https://a.example/1</link><guid isPermaLink="true">https://a.example/1</guid>"#, "--to atom"),
    at("url_normalized", Within::Item, "<link>https://a.example/a b</link>", "--to sitemap"),
    at("url_rewritten", Within::Item, r#"<link>https://a.example/1</link><media:player>&lt;iframe src="https://a.example/p"&gt;&lt;/iframe&gt;</media:player>"#, "--to mrss"),
    at("fragment_dropped", Within::Item, "<link>https://a.example/1#top</link>", "--to text"),
    at("relative_unresolved", Within::Video, "<video:thumbnail_loc>https://a.example/t.jpg</video:thumbnail_loc><video:content_loc>/a.mp4</video:content_loc>", "--to video-sitemap"),
    at("same_as_page", Within::Video, "<video:thumbnail_loc>https://a.example/t.jpg</video:thumbnail_loc><video:content_loc>https://a.example/p</video:content_loc>", "--to video-sitemap"),
    at("scheme_unsupported", Within::Video, "<video:thumbnail_loc>https://a.example/t.jpg</video:thumbnail_loc><video:content_loc>rtmp://a.example/a</video:content_loc>", "--to video-sitemap"),
    at("file_type_unsupported", Within::Item, r#"<link>https://a.example/1</link><media:group><media:content url="https://a.example/a.mp4"/><media:content url="https://a.example/a.swf" medium="video"/><media:thumbnail url="https://a.example/t.jpg"/></media:group>"#, "--to video-sitemap"),
    at("duplicate_merged", Within::Item, "<title>a</title><title>a</title>", "--to mrss"),
    at("conflict_first_wins", Within::Item, "<title>a</title><title>b</title>", "--to mrss"),
    at("shadowed", Within::Item, r#"<link>https://a.example/1</link><media:content url="https://a.example/a.mp4"><media:thumbnail url="https://a.example/t.jpg"/><media:title>t</media:title></media:content><media:title>u</media:title>"#, "--to video-sitemap"),
    at("rendition_dropped", Within::Item, r#"<link>https://a.example/1</link><media:group><media:content url="https://a.example/big.mp4" height="1080"/><media:content url="https://a.example/small.mp4" height="240"/><media:thumbnail url="https://a.example/t.jpg"/><media:title>t</media:title></media:group>"#, "--to video-sitemap"),
    at("video_dropped", Within::Item, r#"<link>https://a.example/1</link><media:content url="https://a.example/a.mp4"/>"#, "--to video-sitemap"),
    at("entry_dropped", Within::Url, "", "--to sitemap --for yandex --base https://b.example/"),
    at("page_missing", Within::Item, "<title>a</title>", "--to sitemap"),
    at("synth_title", Within::Entry, "<id>urn:a:1</id>", "--to atom"),
    at("synth_description", Within::Channel, "<title>c</title>", "--to rss"),
    at("synth_id", Within::Item, "<link>https://a.example/1</link>", "--to atom"),
    at("synth_date", Within::Item, "<link>https://a.example/1</link>", "--to atom"),
    at("synth_author", Within::Item, "<link>https://a.example/1</link>", "--to atom"),
    at("synth_link", Within::Channel, "<title>c</title>", "--to rss"),
    at("synth_thumbnail", Within::Item, r#"<link>https://a.example/1</link><media:content url="https://a.example/a.mp4"/><title>t</title><description>&lt;img src="https://a.example/t.jpg"&gt;</description>"#, "--to video-sitemap --thumbnail-from-html"),
    at("synth_player", Within::Item, r#"<link>https://www.youtube.com/watch?v=aaaaaaaaaaa</link><title>t</title><media:content medium="video"><media:thumbnail url="https://a.example/t.jpg"/></media:content>"#, "--to video-sitemap"),
    at("synth_length", Within::Item, r#"<media:content url="https://a.example/a.mp4"/>"#, "--to rss"),
    at("synth_type", Within::Video, "<video:content_loc>https://a.example/a.mp4</video:content_loc><video:thumbnail_loc>https://a.example/t.jpg</video:thumbnail_loc><video:restriction>DE</video:restriction>", "--to video-sitemap"),
    at("foreign_kept", Within::Item, "<ex:mood>calm</ex:mood>", "--to mrss"),
    at("extension_dropped", Within::Item, "<link>https://a.example/1</link><ex:mood>calm</ex:mood>", "--to sitemap"),
    at("invalid_dropped", Within::Item, "<link>https://a.example/1</link><pubDate>soon</pubDate>", "--to atom"),
    at("technical_dropped", Within::Document, r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.sitemaps.org/schemas/sitemap/0.9 http://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd"/>"#, "--to text"),
    at("bool.lenient", Within::Video, "<video:live>1</video:live>", "--to json"),
    at("country.lenient", Within::Video, r#"<video:restriction relationship="allow">UK</video:restriction>"#, "--to json"),
    at("country.unknown", Within::Video, r#"<video:restriction relationship="allow">DE XX1</video:restriction>"#, "--to json"),
    at("csv.cells", Within::Document, "loc,title\nhttps://a.example/1,a,b\n", "--to json"),
    at("csv.nul", Within::Document, "loc,title\nhttps://a.example/1,a\0b\n", "--to json"),
    at("csv.quote", Within::Document, "loc,title\nhttps://a.example/1,\"a\" b\n", "--to json"),
    at("csv.ragged", Within::Document, "loc,title,id\nhttps://a.example/1,a\n", "--to json"),
    at("csv.comment", Within::Document, "# pages\nloc,title\nhttps://a.example/1,a\n", "--to json"),
    at("csv.heading", Within::Document, "loc;duration\nhttps://a.example/1;5\n", "--to json"),
    at("csv.separator", Within::Document, "sep=;\nloc;title\nhttps://a.example/1;a\n", "--to json"),
    at("csv.truncated", Within::Document, "loc,title\nhttps://a.example/1,\"a", "--to json"),
    at("csv.unclosed", Within::Document, "loc,title\nhttps://a.example/1,\"a\n", "--to json"),
    at("date.lenient", Within::Item, "<pubDate>2026-05-01</pubDate>", "--to json"),
    at("date.none", Within::Item, "<pubDate>0000-00-00</pubDate>", "--to json"),
    at("date.period", Within::Item, "<dcterms:valid>2026-05-01</dcterms:valid>", "--to json"),
    at("duration.lenient", Within::Item, r#"<media:content url="https://a.example/a.mp4" duration="1:01.5"/>"#, "--to json"),
    at("explicit.unknown", Within::Item, r#"<itunes:explicit xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">perhaps</itunes:explicit>"#, "--to json"),
    at("html.microdata", Within::Document, r#"<html><head><link rel="canonical" href="https://a.example/1"><title>Tree</title></head><body><p itemscope itemtype="https://schema.org/VideoObject">Tree</p></body></html>"#, "--from html --to json"),
    at("html.page", Within::Document, r#"<html><head><script type="application/ld+json">{"@type": "VideoObject", "name": "Tree"}</script></head></html>"#, "--to json --base https://a.example/1"),
    at("html.script", Within::Document, r#"<html><head><link rel="canonical" href="https://a.example/1"><script type="application/ld+json">{"@type": "VideoObject", }</script></head></html>"#, "--to json"),
    at("html.videos", Within::Document, r#"<html><head><link rel="canonical" href="https://a.example/1"><script type="application/ld+json">{"@type": "VideoObject", "name": "Tree"}</script></head>"#, "--to json --videos-from-html")
        .and("<video src=//a.example/1.mp4></video>", 1_001),
    at("json.comma", Within::Document, r#"{"transfeed":"0.1","format":"mrss","feed":{},"entries":[{"loc":"https://a.example/1"},,{"loc":"https://a.example/2"}]}"#, "--to json"),
    at("json.ill_formed", Within::Document, "{\"transfeed\":\"0.1\",\"format\":\"mrss\",\"feed\":{}}\n{\"loc\":https}\n", "--to json"),
    at("json.list", Within::Document, r#"{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{"id":"7","url":"https://a.example/1","content_text":"x","tags":"a, b"}]}"#, "--to json"),
    at("json.string", Within::Document, r#"{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{"id":7,"url":"https://a.example/1","content_text":"x"}]}"#, "--to json"),
    at("json.surrogate", Within::Document, "{\"transfeed\":\"0.1\",\"format\":\"mrss\",\"feed\":{}}\n{\"title\":\"a\\ud800\"}", "--to json"),
    at("json.truncated", Within::Document, r#"{"transfeed":"0.1","format":"mrss","feed":{},"entries":[{"loc":"https://a.example/1"},{"loc":"#, "--to json"),
    at("json.xhtml", Within::Document, "{\"transfeed\":\"0.1\",\"format\":\"mrss\",\"feed\":{}}\n{\"title\":{\"kind\":\"xhtml\",\"value\":\"<b>a\"}}", "--to json"),
    at("language.lenient", Within::Channel, "<language>en_US</language>", "--to json"),
    at("language.unknown", Within::Channel, "<language>русский</language>", "--to json"),
    at("limit.attribute", Within::Item, r#"<media:content url="https://a.example/a.mp4"/>"#, "--to json --max-attribute 10"),
    at("limit.attributes", Within::Item, r#"<media:content url="https://a.example/a.mp4" type="video/mp4" medium="video"/>"#, "--to json --max-attributes 2"),
    at("limit.depth", Within::Item, "<a><b><c><d><e><f>x</f></e></d></c></b></a>", "--to json --max-depth 4"),
    at("limit.entry", Within::Item, "<title>a title</title>", "--to json --max-entry 20"),
    at("limit.head", Within::Channel, "<title>a title</title>", "--to json --max-head 20"),
    at("limit.line", Within::Text, "https://a.example/1\nhttps://a.example/long\n", "--to json --max-line 20"),
    at("limit.namespaces", Within::Document, r#"<rss version="2.0"><channel><item><a xmlns:b="b" xmlns:c="c"/></item></channel></rss>"#, "--to json --max-namespaces 1"),
    at("limit.text", Within::Item, "<title>a title of more than thirty letters</title>", "--to json --max-text 30"),
    at("list.lenient", Within::Video, r#"<video:restriction relationship="allow">DE,FR</video:restriction>"#, "--to json"),
    at("markup.place", Within::Item, "<media:player>https://a.example/p</media:player>", "--to json"),
    at("markup.unknown", Within::Video, "<video:thumbnail>https://a.example/t.jpg</video:thumbnail>", "--to json"),
    at("media.enclosures", Within::Item, r#"<enclosure url="https://a.example/a.mp4"/><enclosure url="https://a.example/b.mp4"/>"#, "--to json"),
    at("media.medium_unknown", Within::Item, r#"<media:content url="https://a.example/a"/>"#, "--to json"),
    at("name.case", Within::Item, "<pubdate>Fri, 01 May 2026 10:00:00 GMT</pubdate>", "--to json"),
    at("ns.alias", Within::Document, r#"<urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"/>"#, "--to json"),
    at("ns.missing", Within::Video, "<title>t</title>", "--to json"),
    at("ns.undeclared", Within::Document, r#"<rss version="2.0"><channel><item><media:title>a</media:title></item></channel></rss>"#, "--to json"),
    at("number.lenient", Within::Item, r#"<media:content url="https://a.example/a.mp4" fileSize="1,024"/>"#, "--to json"),
    at("position.unknown", Within::Item, r#"<media:thumbnail url="https://a.example/t.jpg" time="later"/>"#, "--to json"),
    at("restriction.lenient", Within::Item, r#"<media:content url="https://a.example/a.mp4"/><media:restriction relationship="allow">DE</media:restriction>"#, "--to json"),
    at("rss.version", Within::Document, "<rss><channel><title>c</title></channel></rss>", "--to json"),
    at("text.escaped_twice", Within::Video, "<video:title>a &amp;amp; b</video:title>", "--to json"),
    at("text.line", Within::Text, "https://a.example/1\nabout us\n", "--to json"),
    at("text.markup", Within::Item, "<description>a <b>bold</b> word</description>", "--to json"),
    at("text.type", Within::Entry, r#"<title type="markdown">a</title>"#, "--to json"),
    at("text.undeclared_html", Within::Item, r#"<media:content url="https://a.example/a.mp4"><media:description>a &lt;b&gt;bold&lt;/b&gt; word</media:description></media:content>"#, "--to json"),
    at("url.lenient", Within::Item, "<link>https://a.example/a b</link>", "--to json"),
    at("url.relative", Within::Item, "<link>/1</link>", "--to json"),
    at("url.scheme", Within::Item, "<link>//a.example/1</link>", "--to json"),
    at("url.unclear", Within::Item, "<link>https://a.example/1 https://a.example/2</link>", "--to json"),
    at("word.lenient", Within::Item, r#"<media:content url="https://a.example/i" medium="photo"/>"#, "--to json"),
    at("xml.after_root", Within::Document, r#"<rss version="2.0"><channel/></rss><p>x</p>"#, "--to json"),
    at("xml.ampersand", Within::Item, "<title>a & b</title>", "--to json"),
    at("xml.attribute", Within::Item, "<media:content url=https://a.example/a.mp4/>", "--to json"),
    at("xml.charref", Within::Item, "<title>a&#0;</title>", "--to json"),
    at("xml.comment", Within::Item, "<title>a</title><!-- b -- c -->", "--to json"),
    at("xml.control", Within::Item, "<title>a\u{1}</title>", "--to json"),
    at("xml.declaration", Within::Document, r#"<?xml encoding="UTF-8"?><rss version="2.0"><channel/></rss>"#, "--to json"),
    at("xml.doctype", Within::Document, r#"<!DOCTYPE rss SYSTEM "a.dtd"><rss version="2.0"><channel/></rss>"#, "--to json"),
    at("xml.entity", Within::Item, "<title>a&nbsp;b</title>", "--to json"),
    at("xml.instruction", Within::Item, "<title>a</title><?xml b?>", "--to json"),
    at("xml.markup", Within::Item, "<title>1 < 2</title>", "--to json"),
    at("xml.nesting", Within::Item, "<title><b>a</title></b>", "--to json"),
    at("xml.prolog", Within::Document, "\n<?xml version=\"1.0\"?><rss version=\"2.0\"><channel/></rss>", "--to json"),
    at("xml.truncated", Within::Document, r#"<rss version="2.0"><channel><title>c</title>"#, "--to json"),
    at("xml.unclosed", Within::Item, "<title>a<link>https://a.example/1</link>", "--to json"),
    at("xml.unterminated", Within::Item, "<title>a</title><!-- note", "--to json"),
    at("xml.version", Within::Document, r#"<?xml version="2.0"?><rss version="2.0"><channel/></rss>"#, "--to json"),
    words("encoding.conflict", r#"A file in windows-1251 that begins with <?xml version="1.0" encoding="UTF-8"?>."#, "--to json"),
    words("encoding.guessed", r#"A file in windows-1251 that begins with <?xml version="1.0"?>."#, "--to json"),
    words("removed_by_caller", "A program reads a feed, takes an advertisement out of entry.videos and writes the document.", ""),
    words("edited_by_caller", "A program reads a feed, gives an entry another title and writes the document.", ""),
    words("encoding.invalid", "A title in UTF-8 that was cut at a number of bytes, in the middle of a letter.", "--to json"),
    words("encoding.mixed", "A feed in UTF-8, one of whose items was pasted in windows-1251.", "--to json"),
    words("gzip.corrupt", "A sitemap.xml.gz with a byte that is not what it was.", "--to json"),
    words("gzip.garbage", "A sitemap.xml.gz with a line of text behind it.", "--to json"),
    words("gzip.truncated", "The first half of a sitemap.xml.gz.", "--to json"),
    words("limit_passed", "50,001 pages that are converted to one sitemap.", "--to sitemap --no-limits"),
    words("limit_split", "50,001 pages that are converted to a list of URLs.", "--to text"),
    words("xml.ill_formed", "An entry without any element. Other XML errors have their own codes.", "--to json"),
    words("xml.repairs", "An item with 1,001 bare ampersands.", "--to json"),
];
