// The Atom of a video platform to RSS with feedsmith.
const fs = require("fs");
const { parseAtomFeed, generateRssFeed } = require("feedsmith");

const feed = parseAtomFeed(fs.readFileSync(process.argv[2], "utf8"));
const text = (value) => (typeof value === "object" ? value?.value : value);
const group = (media) => (media?.groups ?? (media?.group ? [media.group] : []))[0];
const items = feed.entries.map((entry) => ({
  title: text(entry.title),
  link: entry.links?.[0]?.href,
  description: group(entry.media)?.description?.value,
  guid: { value: entry.id, isPermaLink: false },
  pubDate: new Date(entry.published),
  dc: { creators: entry.authors?.map((author) => author.name) },
  atom: { updated: new Date(entry.updated) },
}));
process.stdout.write(generateRssFeed(
  { title: "Videos", link: "https://www.example.com/", description: "Videos", items }, { lenient: true }));
