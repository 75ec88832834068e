"""A video sitemap to Media RSS with lxml, a page at a time."""
import sys
from datetime import datetime
from email.utils import format_datetime
from lxml import etree

S = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
V = "{http://www.google.com/schemas/sitemap-video/1.1}"
MEDIA = "http://search.yahoo.com/mrss/"
M = "{%s}" % MEDIA
TERMS = "http://purl.org/dc/terms/"
NAMES = {"media": MEDIA, "dcterms": TERMS}

with etree.xmlfile(sys.stdout.buffer, encoding="UTF-8") as out:
    with out.element("rss", version="2.0", nsmap=NAMES), out.element("channel"):
        for name, text in (("title", "Videos"), ("link", "https://www.example.com/"), ("description", "Videos")):
            with out.element(name):
                out.write(text)
        for _, url in etree.iterparse(sys.argv[1], tag=S + "url", huge_tree=True):
            for video in url.findall(V + "video"):
                item = etree.Element("item", nsmap=NAMES)

                def add(name, text, **attributes):
                    etree.SubElement(item, name, **attributes).text = text

                def value(name):
                    return video.findtext(V + name) or ""

                add("title", value("title"))
                add("link", url.findtext(S + "loc"))
                add("description", value("description"))
                add("pubDate", format_datetime(datetime.fromisoformat(value("publication_date"))))
                add("{%s}valid" % TERMS, "end=" + value("expiration_date"))
                add(M + "content", None, medium="video", url=value("content_loc"), duration=value("duration"))
                add(M + "keywords", ", ".join(tag.text for tag in video.findall(V + "tag")))
                add(M + "thumbnail", None, url=value("thumbnail_loc"))
                add(M + "player", None, url=value("player_loc"))
                add(M + "rating", "adult" if value("family_friendly") == "no" else "nonadult")
                restriction, price = video.find(V + "restriction"), video.find(V + "price")
                add(M + "restriction", restriction.text.lower(), type="country", relationship=restriction.get("relationship"))
                add(M + "price", None, price=price.text, currency=price.get("currency"))
                add(M + "credit", value("uploader"), role="uploader")
                community = etree.SubElement(item, M + "community")
                etree.SubElement(community, M + "starRating", average=value("rating"))
                etree.SubElement(community, M + "statistics", views=value("view_count"))
                out.write(item)
            url.clear()
            while url.getprevious() is not None:
                del url.getparent()[0]
