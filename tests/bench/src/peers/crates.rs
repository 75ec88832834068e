//! The crates rss, feed-rs and atom_syndication, used as their documentation shows, with a writer behind them.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};
use rss::extension::Extension;

type Done = Result<(), Box<dyn std::error::Error>>;

/// Runs one of them.
pub fn run(name: &str, file: &str) -> Result<(), String> {
    let from = BufReader::with_capacity(1 << 20, File::open(file).map_err(|error| format!("{file}: {error}"))?);
    let done = match name {
        "rss" => with_rss(from),
        "feed-rs" => with_feed_rs(from),
        "atom-syndication" => with_atom_syndication(from),
        "feed-rs-atom" => with_feed_rs_atom(from),
        _ => return Err(format!("{name} is none of rss, feed-rs, atom-syndication, feed-rs-atom")),
    };
    done.map_err(|error| error.to_string())
}

fn with_rss(from: BufReader<File>) -> Done {
    let channel = rss::Channel::read_from(from)?;
    let mut out = Sitemap::new()?;
    for item in channel.items() {
        let media = item.extensions().get("media").or(item.extensions().get("m"));
        let get = |name: &str| -> Option<&Extension> {
            let direct = media.and_then(|media| media.get(name)).and_then(|all| all.first());
            direct.or_else(|| group(media)?.children().get(name)?.first())
        };
        let attribute =
            |name: &str, key: &str| get(name).and_then(|element| element.attrs().get(key)).map(String::as_str);
        let value = |name: &str| get(name).and_then(Extension::value);
        let community = |name: &str, key: &str| {
            let child = get("community")?.children().get(name)?.first()?;
            child.attrs().get(key).map(String::as_str)
        };
        let contents = group(media).and_then(|group| group.children().get("content")).map_or(&[][..], Vec::as_slice);
        let is_default = |content: &&Extension| content.attrs().get("isDefault").is_some_and(|is| is == "true");
        let content = contents.iter().find(is_default).or(contents.first()).or(get("content"));
        let valid = item.extensions().get("dcterms").and_then(|terms| terms.get("valid")).and_then(|all| all.first());
        out.open(item.link().unwrap_or(""))?;
        out.element("video:thumbnail_loc", attribute("thumbnail", "url"))?;
        out.element("video:title", value("title").or(item.title()))?;
        let description = value("description").or(item.description());
        out.element("video:description", description.map(|text| first(text, 2048)).as_deref())?;
        out.element("video:content_loc", content.and_then(|content| content.attrs().get("url")).map(String::as_str))?;
        out.element("video:player_loc", attribute("player", "url"))?;
        out.element("video:duration", content.and_then(|content| content.attrs().get("duration")).map(String::as_str))?;
        let end = valid.and_then(Extension::value).and_then(|valid| valid.split("end=").nth(1)?.split(';').next());
        out.element("video:expiration_date", end)?;
        out.element("video:rating", community("starRating", "average"))?;
        out.element("video:view_count", community("statistics", "views"))?;
        let date = item.pub_date().and_then(|date| chrono_of(date).map(|date| date.to_rfc3339()));
        out.element("video:publication_date", date.as_deref())?;
        for tag in value("keywords").unwrap_or("").split(',').take(32) {
            out.element("video:tag", Some(tag.trim()))?;
        }
        out.element("video:category", attribute("category", "label"))?;
        out.element("video:family_friendly", Some(if value("rating") == Some("adult") { "no" } else { "yes" }))?;
        let countries = value("restriction").map(str::to_uppercase);
        out.with_attribute(
            "video:restriction",
            ("relationship", attribute("restriction", "relationship")),
            countries.as_deref(),
        )?;
        out.with_attribute("video:price", ("currency", attribute("price", "currency")), attribute("price", "price"))?;
        let credits = media.and_then(|media| media.get("credit")).map_or(&[][..], Vec::as_slice);
        let uploader = credits.iter().find(|credit| credit.attrs().get("role").is_some_and(|role| role == "uploader"));
        out.element("video:uploader", uploader.and_then(Extension::value))?;
        out.close()?;
    }
    out.finish()
}

type Media = std::collections::BTreeMap<String, Vec<Extension>>;

fn group(media: Option<&Media>) -> Option<&Extension> {
    media?.get("group")?.first()
}

fn chrono_of(date: &str) -> Option<atom_syndication::FixedDateTime> {
    // through the type that atom_syndication offers; the crate rss leaves dates as they are
    atom_syndication::FixedDateTime::parse_from_rfc2822(date).ok()
}

fn with_feed_rs(from: BufReader<File>) -> Done {
    let feed = feed_rs::parser::parse(from)?;
    let mut out = Sitemap::new()?;
    for entry in &feed.entries {
        let media = entry.media.first();
        let content = media.and_then(|media| media.content.iter().find(|content| content.url.is_some()));
        out.open(entry.links.first().map_or("", |link| &link.href))?;
        out.element("video:thumbnail_loc", media.and_then(|m| m.thumbnails.first()).map(|t| t.image.uri.as_str()))?;
        let title = media.and_then(|media| media.title.as_ref()).or(entry.title.as_ref());
        out.element("video:title", title.map(|title| title.content.as_str()))?;
        let description = media.and_then(|media| media.description.as_ref()).or(entry.summary.as_ref());
        out.element("video:description", description.map(|text| first(&text.content, 2048)).as_deref())?;
        out.element("video:content_loc", content.and_then(|content| content.url.as_ref()).map(|url| url.as_str()))?;
        let duration = content.and_then(|content| content.duration).map(|duration| duration.as_secs().to_string());
        out.element("video:duration", duration.as_deref())?;
        let community = media.and_then(|media| media.community.as_ref());
        out.element("video:rating", community.and_then(|c| c.stars_avg).map(|n| n.to_string()).as_deref())?;
        out.element("video:view_count", community.and_then(|c| c.stats_views).map(|n| n.to_string()).as_deref())?;
        out.element("video:publication_date", entry.published.map(|date| date.to_rfc3339()).as_deref())?;
        for category in &entry.categories {
            out.element("video:category", Some(&category.term))?;
        }
        let uploader = media.and_then(|media| media.credits.last());
        out.element("video:uploader", uploader.map(|credit| credit.entity.as_str()))?;
        out.close()?;
    }
    out.finish()
}

fn with_atom_syndication(from: BufReader<File>) -> Done {
    let feed = atom_syndication::Feed::read_from(from)?;
    let mut channel = channel();
    let mut items = Vec::with_capacity(feed.entries().len());
    for entry in feed.entries() {
        let mut item = rss::Item::default();
        item.set_title(entry.title().value.clone());
        item.set_link(entry.links().first().map(|link| link.href.clone()));
        item.set_guid(guid(entry.id()));
        item.set_pub_date(entry.published().map(|date| date.to_rfc2822()));
        let group = entry.extensions().get("media").and_then(|media| media.get("group")?.first());
        let description = group.and_then(|group| group.children().get("description")?.first()?.value());
        item.set_description(description.map(str::to_owned));
        let authors: Vec<String> = entry.authors().iter().map(|author| author.name.clone()).collect();
        let updated = entry.updated().to_rfc3339();
        more(&mut item, authors, updated);
        items.push(item);
    }
    channel.set_items(items);
    channel.write_to(BufWriter::with_capacity(1 << 20, io::stdout().lock()))?;
    Ok(())
}

fn with_feed_rs_atom(from: BufReader<File>) -> Done {
    let feed = feed_rs::parser::parse(from)?;
    let mut channel = channel();
    let mut items = Vec::with_capacity(feed.entries.len());
    for entry in &feed.entries {
        let mut item = rss::Item::default();
        item.set_title(entry.title.as_ref().map(|title| title.content.clone()));
        item.set_link(entry.links.first().map(|link| link.href.clone()));
        item.set_guid(guid(&entry.id));
        item.set_pub_date(entry.published.map(|date| date.to_rfc2822()));
        let description = entry.media.first().and_then(|media| media.description.as_ref());
        item.set_description(description.map(|text| text.content.clone()));
        let authors = entry.authors.iter().filter_map(|author| author.name.clone()).collect();
        more(&mut item, authors, entry.updated.map_or_else(String::new, |date| date.to_rfc3339()));
        items.push(item);
    }
    channel.set_items(items);
    channel.write_to(BufWriter::with_capacity(1 << 20, io::stdout().lock()))?;
    Ok(())
}

fn channel() -> rss::Channel {
    let mut channel = rss::Channel::default();
    channel.set_title("Videos");
    channel.set_link("https://www.example.com/");
    channel.set_description("Videos");
    let names = [("atom", "http://www.w3.org/2005/Atom"), ("dc", "http://purl.org/dc/elements/1.1/")];
    channel.set_namespaces(
        names
            .map(|(prefix, name)| (prefix.to_owned(), name.to_owned()))
            .into_iter()
            .collect::<std::collections::BTreeMap<_, _>>(),
    );
    channel
}

fn guid(id: &str) -> rss::Guid {
    let mut guid = rss::Guid::default();
    guid.set_value(id);
    guid.set_permalink(false);
    guid
}

/// Who wrote it and when it changed, for which RSS has no elements of its own.
fn more(item: &mut rss::Item, authors: Vec<String>, updated: String) {
    let mut core = rss::extension::dublincore::DublinCoreExtension::default();
    core.set_creators(authors);
    item.set_dublin_core_ext(core);
    let element = Extension { name: "atom:updated".to_owned(), value: Some(updated), ..Extension::default() };
    let of_atom = Media::from([("updated".to_owned(), vec![element])]);
    item.set_extensions(rss::extension::ExtensionMap::from([("atom".to_owned(), of_atom)]));
}

fn first(text: &str, n: usize) -> String {
    text.chars().take(n).collect()
}

/// A video sitemap, written with quick-xml.
struct Sitemap {
    to: Writer<BufWriter<io::StdoutLock<'static>>>,
}

impl Sitemap {
    fn new() -> Result<Sitemap, Box<dyn std::error::Error>> {
        let mut to = Writer::new(BufWriter::with_capacity(1 << 20, io::stdout().lock()));
        let names = [
            ("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9"),
            ("xmlns:video", "http://www.google.com/schemas/sitemap-video/1.1"),
        ];
        to.write_event(Event::Start(BytesStart::new("urlset").with_attributes(names)))?;
        Ok(Sitemap { to })
    }

    fn open(&mut self, page: &str) -> Done {
        self.to.write_event(Event::Start(BytesStart::new("url")))?;
        self.element("loc", Some(page))?;
        self.to.write_event(Event::Start(BytesStart::new("video:video")))?;
        Ok(())
    }

    fn close(&mut self) -> Done {
        self.to.write_event(Event::End(BytesEnd::new("video:video")))?;
        self.to.write_event(Event::End(BytesEnd::new("url")))?;
        Ok(())
    }

    fn element(&mut self, name: &str, text: Option<&str>) -> Done {
        if let Some(text) = text {
            self.to.create_element(name).write_text_content(BytesText::new(text))?;
        }
        Ok(())
    }

    fn with_attribute(&mut self, name: &str, attribute: (&str, Option<&str>), text: Option<&str>) -> Done {
        if let Some(text) = text {
            let element = self.to.create_element(name);
            let element = match attribute {
                (key, Some(value)) => element.with_attribute((key, value)),
                (_, None) => element,
            };
            element.write_text_content(BytesText::new(text))?;
        }
        Ok(())
    }

    fn finish(mut self) -> Done {
        self.to.write_event(Event::End(BytesEnd::new("urlset")))?;
        self.to.get_mut().flush()?;
        Ok(())
    }
}
