//! RSS without Media RSS, and the Atom of a video platform.

use super::entry::{Entry, number};

pub const RSS_TAIL: &str = "</channel></rss>\n";
pub const RSS_HEAD: &str = r#"<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:lh="https://feeds.example.com/ns/catalogue"><channel>
<title>Lighthouse</title>
<link>https://www.example.com/</link>
<description>Letters from the north</description>
"#;

pub const ATOM_TAIL: &str = "</feed>\n";
pub const ATOM_HEAD: &str = r#"<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
 <link rel="self" href="https://www.example.com/feeds/videos.xml"/>
 <id>yt:channel:UCexampleexampleexample1</id>
 <title>Lighthouse Films</title>
 <link rel="alternate" href="https://www.example.com/"/>
 <updated>2026-11-03T18:20:00+02:00</updated>
 <author>
  <name>Lighthouse Films</name>
  <uri>https://www.example.com/about</uri>
 </author>
"#;

/// An item of a blog with a sound file.
pub fn rss(entry: &mut Entry, out: &mut String) {
    let n = entry.number;
    out.push_str("<item>\n<title>");
    entry.title(out);
    out.push_str("</title>\n<link>");
    entry.link_escaped(out);
    out.push_str("</link>\n<description>");
    entry.prose(20, out);
    out.push_str("</description>\n<content:encoded><![CDATA[");
    entry.html(80, out);
    number(out, "]]></content:encoded>\n<guid isPermaLink=\"false\">post-", n);
    out.push_str("</guid>\n<pubDate>");
    entry.rfc_822(out);
    out.push_str("</pubDate>\n<dc:creator>");
    entry.text(2, out);
    out.push_str("</dc:creator>\n<category>");
    entry.text(1, out);
    out.push_str("</category>\n<category>");
    entry.text(1, out);
    number(out, "</category>\n<enclosure url=\"https://cdn.example.com/a/", n);
    number(out, ".mp3?key=", n % 9973);
    out.push_str(entry.amp());
    number(out, "cdn=2\" length=\"", 1_000_000 + n);
    out.push_str("\" type=\"audio/mpeg\"/>\n<lh:mood>");
    entry.text(1, out);
    out.push_str("</lh:mood>\n</item>\n");
}

/// An entry of a channel's feed.
pub fn atom(entry: &mut Entry, out: &mut String) {
    let n = entry.number;
    number(out, " <entry>\n  <id>yt:video:example", n);
    number(out, "</id>\n  <yt:videoId>example", n);
    out.push_str("</yt:videoId>\n  <yt:channelId>UCexampleexampleexample1</yt:channelId>\n  <title>");
    let from = out.len();
    entry.title(out);
    let title = out[from..].to_owned();
    out.push_str("</title>\n  <link rel=\"alternate\" href=\"");
    entry.link_escaped(out);
    out.push_str("\"/>\n  <author>\n   <name>Lighthouse Films</name>\n   <uri>https://www.example.com/about</uri>\n  </author>\n  <published>");
    entry.w3c(out);
    out.push_str("</published>\n  <updated>");
    entry.w3c(out);
    out.push_str("</updated>\n  <media:group>\n   <media:title>");
    out.push_str(&title);
    number(out, "</media:title>\n   <media:content url=\"https://www.example.com/v/example", n);
    out.push_str("?version=3");
    out.push_str(entry.amp());
    number(
        out,
        "k=1\" type=\"video/mp4\" width=\"640\" height=\"390\"/>\n   <media:thumbnail url=\"https://i2.example.com/vi/example",
        n,
    );
    out.push_str("/hqdefault.jpg\" width=\"480\" height=\"360\"/>\n   <media:description>");
    entry.prose(40, out);
    out.push_str("\n\n");
    entry.text(15, out);
    number(out, "</media:description>\n   <media:community>\n    <media:starRating count=\"", n % 5000);
    number(out, "\" average=\"4.", n % 10);
    number(out, "0\" min=\"1\" max=\"5\"/>\n    <media:statistics views=\"", n * 7);
    out.push_str("\"/>\n   </media:community>\n  </media:group>\n </entry>\n");
}
