//! Sitemaps: of videos, of pages, and as a list.

use super::entry::{Entry, number};

pub const TAIL: &str = "</urlset>\n";
pub const HEAD: &str = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">
"#;

/// A page with a video.
pub fn videos(entry: &mut Entry, out: &mut String) {
    let n = entry.number;
    out.push_str("  <url>\n    <loc>");
    entry.link_escaped(out);
    out.push_str("</loc>\n    <lastmod>");
    entry.w3c(out);
    number(out, "</lastmod>\n    <video:video>\n      <video:thumbnail_loc>https://static.example.com/", n);
    out.push_str("/1280.jpg</video:thumbnail_loc>\n      <video:title>");
    entry.title(out);
    out.push_str("</video:title>\n      <video:description>");
    entry.prose(44, out);
    number(out, "</video:description>\n      <video:content_loc>https://cdn.example.com/v/", n);
    number(out, "/1080.mp4?key=", n % 9973);
    out.push_str(entry.amp());
    number(out, "cdn=2</video:content_loc>\n      <video:player_loc>https://player.example.com/embed/", n);
    number(out, "</video:player_loc>\n      <video:duration>", 60 + n % 3000);
    number(
        out,
        "</video:duration>\n      <video:expiration_date>2028-11-02T23:59:59+02:00</video:expiration_date>\n      <video:rating>4.",
        n % 10,
    );
    number(out, "</video:rating>\n      <video:view_count>", n * 7);
    out.push_str("</video:view_count>\n      <video:publication_date>");
    entry.w3c(out);
    out.push_str("</video:publication_date>\n      <video:family_friendly>yes</video:family_friendly>\n      <video:restriction relationship=\"allow\">FI SE NO DK EE GB</video:restriction>\n");
    number(out, "      <video:price currency=\"EUR\">", n % 20);
    out.push_str(".90</video:price>\n      <video:uploader>");
    entry.text(2, out);
    out.push_str("</video:uploader>\n");
    for _ in 0..5 {
        out.push_str("      <video:tag>");
        entry.text(1, out);
        out.push_str("</video:tag>\n");
    }
    out.push_str("    </video:video>\n  </url>\n");
}

/// A page with an image, and with its translations here and there.
pub fn pages(entry: &mut Entry, out: &mut String) {
    let n = entry.number;
    out.push_str("  <url>\n    <loc>");
    entry.link_escaped(out);
    out.push_str("</loc>\n    <lastmod>");
    entry.w3c(out);
    out.push_str("</lastmod>\n    <changefreq>weekly</changefreq>\n    <priority>0.8</priority>\n");
    number(out, "    <image:image>\n      <image:loc>https://static.example.com/", n);
    number(out, "/1280.jpg?key=", n % 9973);
    out.push_str(entry.amp());
    out.push_str("cdn=2</image:loc>\n    </image:image>\n");
    if n.is_multiple_of(4) {
        for language in ["en", "ru"] {
            out.push_str("    <xhtml:link rel=\"alternate\" hreflang=\"");
            out.push_str(language);
            number(out, "\" href=\"https://www.example.com/watch/", n);
            out.push('/');
            out.push_str(language);
            out.push_str("\"/>\n");
        }
    }
    out.push_str("  </url>\n");
}

/// A line of a list.
pub fn line(entry: &mut Entry, out: &mut String) {
    out.push_str(&entry.link());
    out.push('\n');
}
