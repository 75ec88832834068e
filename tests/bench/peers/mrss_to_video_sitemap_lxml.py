"""Media RSS (renditions in groups) to a video sitemap with lxml, an item at a time."""
import sys
from email.utils import parsedate_to_datetime
from lxml import etree

M = "{http://search.yahoo.com/mrss/}"
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
VALID = "{http://purl.org/dc/terms/}valid"


def attribute(element, name):
    return None if element is None else element.get(name)


with etree.xmlfile(sys.stdout.buffer, encoding="UTF-8") as out:
    with out.element("{%s}urlset" % SITEMAP, nsmap={None: SITEMAP, "video": VIDEO}):
        for _, item in etree.iterparse(sys.argv[1], tag="item", huge_tree=True):
            url = etree.Element("{%s}url" % SITEMAP, nsmap={None: SITEMAP, "video": VIDEO})
            etree.SubElement(url, "{%s}loc" % SITEMAP).text = item.findtext("link")
            video = etree.SubElement(url, "{%s}video" % VIDEO)

            def add(name, text, **attributes):
                if text:
                    etree.SubElement(video, "{%s}%s" % (VIDEO, name), **attributes).text = text

            contents = item.findall(M + "group/" + M + "content") + item.findall(M + "content")
            content = next((c for c in contents if c.get("isDefault") == "true"), contents[0] if contents else None)
            add("thumbnail_loc", attribute(item.find(M + "thumbnail"), "url"))
            add("title", item.findtext(M + "title") or item.findtext("title"))
            add("description", (item.findtext(M + "description") or item.findtext("description") or "")[:2048])
            add("content_loc", attribute(content, "url"))
            add("player_loc", attribute(item.find(M + "player"), "url"))
            add("duration", attribute(content, "duration"))
            add("expiration_date", (item.findtext(VALID) or "").partition("end=")[2].partition(";")[0])
            add("rating", attribute(item.find(M + "community/" + M + "starRating"), "average"))
            add("view_count", attribute(item.find(M + "community/" + M + "statistics"), "views"))
            add("publication_date", parsedate_to_datetime(item.findtext("pubDate")).isoformat())
            for tag in (item.findtext(M + "keywords") or "").split(",")[:32]:
                add("tag", tag.strip())
            add("category", attribute(item.find(M + "category"), "label"))
            add("family_friendly", "no" if item.findtext(M + "rating") == "adult" else "yes")
            restriction, price = item.find(M + "restriction"), item.find(M + "price")
            if restriction is not None:
                add("restriction", restriction.text.upper(), relationship=restriction.get("relationship"))
            if price is not None:
                add("price", price.get("price"), currency=price.get("currency"))
            for credit in item.findall(M + "credit"):
                if credit.get("role") == "uploader":
                    add("uploader", credit.text)
            out.write(url)
            item.clear()
            while item.getprevious() is not None:
                del item.getparent()[0]
