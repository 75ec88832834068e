// Media RSS (renditions in groups) to a video sitemap with feedsmith and sitemap.js.
const fs = require("fs");
const { parseRssFeed } = require("feedsmith");
const { SitemapStream } = require("sitemap");

const feed = parseRssFeed(fs.readFileSync(process.argv[2], "utf8"));
const out = new SitemapStream({ xmlns: { news: false, xhtml: false, image: false, video: true } });
out.pipe(process.stdout);

function write(item) {
  const media = item.media ?? {};
  const group = (media.groups ?? (media.group ? [media.group] : []))[0] ?? {};
  const contents = group.contents ?? media.contents ?? [];
  const content = contents.find((one) => one.isDefault) ?? contents[0] ?? {};
  const price = (media.prices ?? [])[0];
  const restriction = (media.restrictions ?? [])[0];
  const uploader = (media.credits ?? []).find((credit) => credit.role === "uploader");
  return out.write({
    url: item.link,
    video: [{
      thumbnail_loc: media.thumbnails?.[0]?.url,
      title: media.title?.value ?? item.title,
      description: (media.description?.value ?? item.description ?? "").slice(0, 2048),
      content_loc: content.url,
      player_loc: (media.player ?? group.player)?.url,
      duration: content.duration,
      rating: media.community?.starRating?.average,
      view_count: media.community?.statistics?.views,
      publication_date: item.pubDate ? new Date(item.pubDate).toISOString() : undefined,
      tag: media.keywords ?? [],
      category: media.categories?.[0]?.label,
      family_friendly: "yes",
      restriction: restriction?.value?.toUpperCase(),
      "restriction:relationship": restriction?.relationship,
      price: price?.price === undefined ? undefined : String(price.price),
      "price:currency": price?.currency,
      uploader: uploader?.value,
    }],
  });
}

(async () => {
  for (const item of feed.items) {
    if (!write(item)) await new Promise((resolve) => out.once("drain", resolve));
  }
  out.end();
})();
