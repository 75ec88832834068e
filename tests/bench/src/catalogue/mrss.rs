//! Media RSS in three dialects.

use super::entry::{Entry, number};

pub const HEAD: &str = r#"<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:lh="https://feeds.example.com/ns/catalogue">
  <channel>
    <title>Lighthouse Films</title>
    <link>https://www.example.com/</link>
    <description>All films</description>
    <language>en-GB</language>
    <lastBuildDate>Tue, 03 Nov 2026 18:20:00 +0200</lastBuildDate>
"#;

pub const HEAD_PREFIX: &str = r#"<rss version="2.0" xmlns:m="http://search.yahoo.com/mrss/" xmlns:t="http://purl.org/dc/terms/">
<channel>
<title>Lighthouse Films</title>
<link>https://www.example.com/</link>
<description>All films</description>
"#;

const HEIGHTS: [(u64, u64, u64); 4] = [(2160, 3840, 16000), (1080, 1920, 6200), (720, 1280, 2900), (480, 854, 1400)];
const COUNTRIES: [&str; 4] = ["fi se no dk ee gb", "de at ch", "us ca mx", "ru by kz am"];

/// Renditions in a group, all else beside it.
pub fn groups(entry: &mut Entry, out: &mut String) {
    let n = entry.number;
    out.push_str("    <item>\n      <title>");
    entry.title(out);
    out.push_str("</title>\n      <link>");
    entry.link_escaped(out);
    out.push_str("</link>\n      <description><![CDATA[");
    entry.html(60, out);
    number(out, "]]></description>\n      <guid isPermaLink=\"false\">lh-", n);
    out.push_str("</guid>\n      <pubDate>");
    entry.rfc_822(out);
    out.push_str("</pubDate>\n      <category domain=\"https://www.example.com/genres\">");
    entry.text(1, out);
    out.push_str("</category>\n      <dc:creator>");
    entry.text(2, out);
    out.push_str("</dc:creator>\n      <dcterms:valid>start=2026-11-03T18:00:00+02:00; end=2028-11-02T23:59:59+02:00; scheme=W3C-DTF</dcterms:valid>\n      <media:title type=\"plain\">");
    entry.title(out);
    out.push_str("</media:title>\n      <media:description type=\"plain\">");
    entry.prose(110, out);
    out.push_str("</media:description>\n      <media:keywords>");
    entry.list(5, ", ", out);
    out.push_str("</media:keywords>\n");
    for (k, (height, width, _)) in HEIGHTS.iter().skip(2).enumerate() {
        number(out, "      <media:thumbnail url=\"https://static.example.com/", n);
        number(out, "/", *width);
        number(out, ".jpg\" width=\"", *width);
        number(out, "\" height=\"", *height);
        number(out, "\" time=\"0:04:1", k as u64);
        out.push_str(".000\"/>\n");
    }
    out.push_str("      <media:category scheme=\"https://www.example.com/genres\" label=\"");
    entry.text(1, out);
    out.push_str("\">documentary/sea</media:category>\n");
    number(out, "      <media:player url=\"https://player.example.com/embed/", n);
    out.push_str("\" width=\"960\" height=\"540\"/>\n      <media:rating scheme=\"urn:simple\">nonadult</media:rating>\n      <media:credit role=\"director\" scheme=\"urn:ebu\">");
    entry.text(2, out);
    out.push_str("</media:credit>\n      <media:credit role=\"uploader\" scheme=\"urn:yvs\">");
    entry.text(2, out);
    out.push_str("</media:credit>\n      <media:copyright url=\"https://www.example.com/rights\">2026 Lighthouse Films</media:copyright>\n      <media:restriction relationship=\"allow\" type=\"country\">");
    out.push_str(COUNTRIES[n as usize % 4]);
    number(out, "</media:restriction>\n      <media:price type=\"rent\" price=\"", n % 20);
    number(out, ".90\" currency=\"EUR\"/>\n      <media:community>\n        <media:starRating average=\"4.", n % 10);
    number(out, "\" count=\"", n % 5000);
    number(out, "\" min=\"1\" max=\"5\"/>\n        <media:statistics views=\"", n * 7);
    number(out, "\" favorites=\"", n % 977);
    out.push_str("\"/>\n      </media:community>\n      <media:group>\n");
    for (k, (height, width, bitrate)) in HEIGHTS.iter().enumerate() {
        number(out, "        <media:content url=\"https://cdn.example.com/v/", n);
        number(out, "/", *height);
        number(out, ".mp4?key=", n % 9973);
        out.push_str(entry.amp());
        number(out, "cdn=2\" fileSize=\"", bitrate * 1000 + n);
        out.push_str("\" type=\"video/mp4\" medium=\"video\" isDefault=\"");
        out.push_str(if k == 1 { "true" } else { "false" });
        number(out, "\" expression=\"full\" bitrate=\"", *bitrate);
        number(out, "\" framerate=\"25\" channels=\"2\" duration=\"", 60 + n % 3000);
        number(out, "\" height=\"", *height);
        number(out, "\" width=\"", *width);
        out.push_str("\" lang=\"en\"");
        if k == 1 {
            number(out, ">\n          <media:hash algo=\"md5\">0c7ba7e1c9d6f4c4a6b3f7d2", 10_000_000 + n);
            out.push_str("</media:hash>\n        </media:content>\n");
        } else {
            out.push_str("/>\n");
        }
    }
    number(out, "      </media:group>\n      <lh:shelf position=\"", n % 12);
    out.push_str("\">");
    entry.text(2, out);
    out.push_str("</lh:shelf>\n      <lh:awards><lh:award year=\"2026\">");
    entry.text(3, out);
    out.push_str("</lh:award><lh:award year=\"2025\">");
    entry.text(2, out);
    out.push_str("</lh:award></lh:awards>\n    </item>\n");
}

/// One file, and what is said of it inside.
pub fn single(entry: &mut Entry, out: &mut String) {
    let n = entry.number;
    out.push_str("    <item>\n      <title>");
    entry.title(out);
    out.push_str("</title>\n      <link>");
    entry.link_escaped(out);
    out.push_str("</link>\n      <description>");
    entry.prose(10, out);
    number(out, "</description>\n      <guid isPermaLink=\"false\">lh-", n);
    out.push_str("</guid>\n      <pubDate>");
    entry.rfc_822(out);
    number(out, "</pubDate>\n      <media:content url=\"https://cdn.example.com/v/", n);
    number(out, ".mp4?key=", n % 9973);
    out.push_str(entry.amp());
    number(out, "cdn=2\" fileSize=\"", 700_000_000 + n);
    number(out, "\" type=\"video/mp4\" medium=\"video\" duration=\"", 60 + n % 3000);
    out.push_str("\" height=\"1080\" width=\"1920\" lang=\"ru\">\n        <media:title>");
    entry.title(out);
    out.push_str("</media:title>\n        <media:description>");
    entry.prose(25, out);
    number(out, "</media:description>\n        <media:thumbnail url=\"https://static.example.com/", n);
    out.push_str("/1280.jpg\" width=\"1280\" height=\"720\"/>\n        <media:keywords>");
    entry.list(4, ", ", out);
    out.push_str("</media:keywords>\n        <media:restriction relationship=\"deny\" type=\"country\">");
    out.push_str(COUNTRIES[n as usize % 4]);
    out.push_str("</media:restriction>\n        <media:status state=\"active\"/>\n      </media:content>\n");
    if n.is_multiple_of(3) {
        number(out, "      <lh:shelf position=\"", n % 12);
        out.push_str("\">");
        entry.text(2, out);
        out.push_str("</lh:shelf>\n");
    }
    out.push_str("    </item>\n");
}

/// Another prefix; namespaces declared inside; CDATA; attributes in apostrophes here and there; no indentation.
pub fn prefix(entry: &mut Entry, out: &mut String) {
    let n = entry.number;
    out.push_str("<item><title><![CDATA[");
    entry.text(5, out);
    number(out, " & ", n);
    out.push_str("]]></title><link>");
    entry.link_escaped(out);
    number(out, "</link><guid isPermaLink=\"false\">lh-", n);
    out.push_str("</guid><pubDate>");
    entry.rfc_822(out);
    out.push_str("</pubDate><description><![CDATA[");
    entry.html(30, out);
    out.push_str("]]></description><t:valid>start=2026-11-03T18:00:00+02:00; end=2028-11-02T23:59:59+02:00; scheme=W3C-DTF</t:valid><dc:creator xmlns:dc=\"http://purl.org/dc/elements/1.1/\">");
    entry.text(2, out);
    out.push_str("</dc:creator><m:group>");
    for (k, (height, width, bitrate)) in HEIGHTS.iter().skip(1).enumerate() {
        number(out, "<m:content url='https://cdn.example.com/v/", n);
        number(out, "/", *height);
        number(out, ".mp4?key=", n % 9973);
        out.push_str(entry.amp());
        out.push_str("cdn=2' type='video/mp4' medium='video' isDefault='");
        out.push_str(if k == 0 { "true" } else { "false" });
        number(out, "' bitrate='", *bitrate);
        number(out, "' duration='", 60 + n % 3000);
        number(out, "' height='", *height);
        number(out, "' width='", *width);
        out.push_str("'/>");
    }
    out.push_str("<m:title><![CDATA[");
    entry.text(5, out);
    number(out, " & ", n);
    out.push_str("]]></m:title><m:description type='html'><![CDATA[");
    entry.html(36, out);
    number(out, "]]></m:description><m:thumbnail url='https://static.example.com/", n);
    out.push_str("/1280.jpg' width='1280' height='720'/><m:keywords><![CDATA[");
    entry.list(5, ", ", out);
    number(out, "]]></m:keywords><m:player url='https://player.example.com/embed/", n);
    out.push_str("'/><m:rating scheme='urn:simple'>nonadult</m:rating></m:group><x:stock xmlns:x='https://feeds.example.com/ns/stock' x:level='");
    number(out, "", n % 40);
    out.push_str("'><x:shelf>");
    if entry.dirt == Some(super::entry::Dirt::Less) || entry.dirt == Some(super::entry::Dirt::Entity) {
        out.push_str("A & B ");
    }
    entry.text(2, out);
    out.push_str("</x:shelf></x:stock></item>\n");
}
