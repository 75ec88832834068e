"""Media RSS to a video sitemap with feedparser, which has no place for some fields."""
import sys
import time
from xml.sax.saxutils import escape
import feedparser

feed = feedparser.parse(sys.argv[1])
out = open(sys.stdout.fileno(), "w", encoding="utf-8", buffering=1 << 20)
out.write('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
          'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">\n')
for entry in feed.entries:
    out.write("<url><loc>%s</loc><video:video>" % escape(entry.link))

    def add(name, text):
        if text:
            out.write("<video:%s>%s</video:%s>" % (name, escape(str(text)), name))

    contents = entry.get("media_content", [])
    content = next((c for c in contents if c.get("isdefault") == "true"), contents[0] if contents else {})
    add("thumbnail_loc", entry.media_thumbnail[0]["url"])
    add("title", entry.title)
    add("description", entry.get("summary", "")[:2048])
    add("content_loc", content.get("url"))
    add("player_loc", entry.get("media_player", {}).get("url"))
    add("duration", content.get("duration"))
    add("rating", entry.get("media_starrating", {}).get("average"))
    add("view_count", entry.get("media_statistics", {}).get("views"))
    add("publication_date", time.strftime("%Y-%m-%dT%H:%M:%SZ", entry.published_parsed))
    for tag in (entry.get("media_keywords") or "").split(","):
        add("tag", tag.strip())
    for credit in entry.get("media_credit", []):
        if credit.get("role") == "uploader":
            add("uploader", credit.get("content"))
    out.write("</video:video></url>\n")
out.write("</urlset>\n")
out.flush()
