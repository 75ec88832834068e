//! What someone writes by hand who knows both formats, uses quick-xml well and keeps no books: texts go from markup to
//! markup as they stand, nothing is checked or repaired, and what has no place is dropped without a word. It is the
//! measure for a converter that does nothing but convert. One direction each; of clean documents only.

use std::borrow::Cow;
use std::io::{self, Write};

use quick_xml::Reader;
use quick_xml::escape::minimal_escape;
use quick_xml::events::{BytesStart, Event};

use crate::floors::load;

/// The hidden command `expert DIRECTION FILE`; the output goes to standard output.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if let [name, one, other] = arguments
        && name == "hash-and-sort"
    {
        return hash_and_sort(one, other);
    }
    let [direction, file] = arguments else { return Err("expert DIRECTION FILE".to_owned()) };
    let bytes = load(file)?;
    let text = simdutf8::basic::from_utf8(&bytes).map_err(|error| error.to_string())?;
    let mut out = Out { bytes: Vec::with_capacity(1 << 20), to: io::stdout().lock() };
    let done = match direction.as_str() {
        "mrss-to-video-sitemap" => mrss_to_video_sitemap(text, &mut out),
        "video-sitemap-to-mrss" => video_sitemap_to_mrss(text, &mut out),
        "atom-to-rss" => atom_to_rss(text, &mut out),
        _ => return Err("no such direction".to_owned()),
    };
    done.and_then(|()| out.flush(0)).map_err(|error| error.to_string())
}

/// Which entries two documents do not share, by hashes of their bytes, sorted: no more is known of them than their places.
fn hash_and_sort(one: &str, other: &str) -> Result<(), String> {
    let hashes = |file: &str| -> Result<Vec<(u64, usize)>, String> {
        let bytes = load(file)?;
        let starts = memchr::memmem::Finder::new(if bytes.windows(5).take(4000).any(|five| five == b"<item") {
            "<item"
        } else {
            "<url>"
        });
        let places: Vec<usize> = starts.find_iter(&bytes).chain([bytes.len()]).collect();
        let mut hashes: Vec<(u64, usize)> = places
            .windows(2)
            .enumerate()
            .map(|(number, ends)| {
                let mut hasher = std::hash::DefaultHasher::new();
                std::hash::Hasher::write(&mut hasher, bytes[ends[0]..ends[1]].trim_ascii());
                (std::hash::Hasher::finish(&hasher), number)
            })
            .collect();
        hashes.sort_unstable();
        Ok(hashes)
    };
    let (one, other) = (hashes(one)?, hashes(other)?);
    let known = |all: &[(u64, usize)], hash: u64| all.binary_search_by_key(&hash, |(hash, _)| *hash).is_ok();
    let gone = one.iter().filter(|(hash, _)| !known(&other, *hash)).count();
    let come = other.iter().filter(|(hash, _)| !known(&one, *hash)).count();
    println!("{gone} {come}");
    Ok(())
}

type Done = Result<(), Box<dyn std::error::Error>>;

/// What is written, in pieces of a mebibyte.
struct Out {
    bytes: Vec<u8>,
    to: io::StdoutLock<'static>,
}

impl Out {
    fn flush(&mut self, above: usize) -> Done {
        if self.bytes.len() > above {
            self.to.write_all(&self.bytes)?;
            self.bytes.clear();
        }
        Ok(())
    }

    fn raw(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// `<name>text</name>`, where there is a text.
    fn element(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            for piece in ["      <", name, ">", text, "</", name, ">\n"] {
                self.raw(piece);
            }
        }
    }
}

/// What is collected of one entry: texts as they stand in markup.
#[derive(Default)]
struct Video {
    page: String,
    title: String,
    own_title: String,
    description: String,
    own_description: String,
    thumbnail: String,
    content: String,
    is_default: bool,
    duration: String,
    player: String,
    published: String,
    updated: String,
    valid: String,
    keywords: String,
    rating: String,
    views: String,
    adult: bool,
    countries: String,
    relationship: String,
    price: String,
    currency: String,
    uploader: String,
    category: String,
    id: String,
}

impl Video {
    /// Empties it; the buffers stay.
    fn clear(&mut self) {
        let texts = [
            &mut self.page,
            &mut self.title,
            &mut self.own_title,
            &mut self.description,
            &mut self.own_description,
            &mut self.thumbnail,
            &mut self.content,
            &mut self.duration,
            &mut self.player,
            &mut self.published,
            &mut self.updated,
            &mut self.valid,
            &mut self.keywords,
            &mut self.rating,
            &mut self.views,
            &mut self.countries,
            &mut self.relationship,
            &mut self.price,
            &mut self.currency,
            &mut self.uploader,
            &mut self.category,
            &mut self.id,
        ];
        texts.into_iter().for_each(String::clear);
        (self.is_default, self.adult) = (false, false);
    }
}

/// A text that comes in several events.
fn gather(text: &mut String, event: &Event<'_>) -> Done {
    match event {
        Event::Text(piece) => text.push_str(piece),
        Event::CData(piece) => text.push_str(&minimal_escape(&**piece)),
        Event::GeneralRef(name) => {
            text.push('&');
            text.push_str(name);
            text.push(';');
        }
        _ => {}
    }
    Ok(())
}

fn mrss_to_video_sitemap(text: &str, out: &mut Out) -> Done {
    out.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">\n");
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let (mut video, mut value, mut inside) = (Video::default(), String::new(), false);
    let mut role = String::new();
    loop {
        let event = reader.read_event()?;
        match &event {
            Event::Start(start) => {
                value.clear();
                if start.name().as_ref() == "item" {
                    inside = true;
                    video.clear();
                } else if inside {
                    media_attributes(start, &mut video, &mut role)?;
                }
            }
            Event::Empty(start) if inside => media_attributes(start, &mut video, &mut role)?,
            Event::End(end) if inside => {
                let name = end.name();
                if name.as_ref() == "item" {
                    inside = false;
                    write_url(&mut video, out);
                    out.flush(1 << 20)?;
                } else {
                    media_text(media(name.as_ref()), &value, &role, &mut video);
                }
            }
            Event::Eof => break,
            _ if inside => gather(&mut value, &event)?,
            _ => {}
        }
    }
    out.raw("</urlset>\n");
    Ok(())
}

/// The name with the prefix that this table knows.
fn media(name: &str) -> (bool, &str) {
    match name.strip_prefix("media:").or(name.strip_prefix("m:")) {
        Some(local) => (true, local),
        None => (false, name),
    }
}

fn media_attributes(start: &BytesStart<'_>, video: &mut Video, role: &mut String) -> Done {
    let name = start.name();
    let (true, local) = media(name.as_ref()) else { return Ok(()) };
    let (mut address, mut duration, mut chosen) = (Cow::Borrowed(""), Cow::Borrowed(""), false);
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute?;
        let slot = match (local, attribute.key.as_ref()) {
            ("content", "url") => {
                address = attribute.value;
                continue;
            }
            ("content", "duration") => {
                duration = attribute.value;
                continue;
            }
            ("content", "isDefault") => {
                chosen = &*attribute.value == "true";
                continue;
            }
            ("thumbnail", "url") => &mut video.thumbnail,
            ("player", "url") => &mut video.player,
            ("starRating", "average") => &mut video.rating,
            ("statistics", "views") => &mut video.views,
            ("category", "label") => &mut video.category,
            ("restriction", "relationship") => &mut video.relationship,
            ("price", "price") => &mut video.price,
            ("price", "currency") => &mut video.currency,
            ("credit", "role") => {
                role.clear();
                &mut *role
            }
            _ => continue,
        };
        if slot.is_empty() {
            slot.push_str(&attribute.value);
        }
    }
    if !address.is_empty() && (video.content.is_empty() || chosen && !video.is_default) {
        video.is_default = chosen;
        video.content.clear();
        video.content.push_str(&address);
        video.duration.clear();
        video.duration.push_str(&duration);
    }
    Ok(())
}

fn media_text(name: (bool, &str), value: &str, role: &str, video: &mut Video) {
    let slot = match name {
        (false, "link") => &mut video.page,
        (false, "title") => &mut video.own_title,
        (false, "description") => &mut video.own_description,
        (false, "pubDate") => &mut video.published,
        (false, "dcterms:valid" | "t:valid") => &mut video.valid,
        (true, "title") => &mut video.title,
        (true, "description") => &mut video.description,
        (true, "keywords") => &mut video.keywords,
        (true, "rating") => {
            video.adult = value == "adult";
            return;
        }
        (true, "restriction") => &mut video.countries,
        (true, "credit") if role == "uploader" => &mut video.uploader,
        _ => return,
    };
    slot.clear();
    slot.push_str(value);
}

fn write_url(video: &mut Video, out: &mut Out) {
    out.raw("  <url>\n    <loc>");
    out.raw(&video.page);
    out.raw("</loc>\n    <video:video>\n");
    out.element("video:thumbnail_loc", &video.thumbnail);
    out.element("video:title", if video.title.is_empty() { &video.own_title } else { &video.title });
    let description = if video.description.is_empty() { &video.own_description } else { &video.description };
    out.element("video:description", first_characters(description, 2048));
    out.element("video:content_loc", &video.content);
    out.element("video:player_loc", &video.player);
    out.element("video:duration", &video.duration);
    if let Some(end) = video.valid.split("end=").nth(1) {
        out.element("video:expiration_date", end.split(';').next().unwrap_or(""));
    }
    out.element("video:rating", &video.rating);
    out.element("video:view_count", &video.views);
    out.element("video:publication_date", &w3c(&video.published));
    for tag in video.keywords.split(',').take(32) {
        out.element("video:tag", tag.trim());
    }
    out.element("video:category", &video.category);
    out.element("video:family_friendly", if video.adult { "no" } else { "yes" });
    if !video.countries.is_empty() {
        out.raw("      <video:restriction relationship=\"");
        out.raw(&video.relationship);
        out.raw("\">");
        video.countries.make_ascii_uppercase();
        out.raw(&video.countries);
        out.raw("</video:restriction>\n");
    }
    if !video.price.is_empty() {
        out.raw("      <video:price currency=\"");
        out.raw(&video.currency);
        out.raw("\">");
        out.raw(&video.price);
        out.raw("</video:price>\n");
    }
    out.element("video:uploader", &video.uploader);
    out.raw("    </video:video>\n  </url>\n");
}

fn first_characters(text: &str, n: usize) -> &str {
    if text.len() <= n { text } else { text.char_indices().nth(n).map_or(text, |(at, _)| &text[..at]) }
}

/// `Tue, 03 Nov 2026 17:45:00 +0200` as `2026-11-03T17:45:00+02:00`.
fn w3c(date: &str) -> String {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let date = date.split_once(", ").map_or(date, |(_, rest)| rest);
    let (Some(day), Some(month), Some(year), Some(clock), Some(zone)) =
        (date.get(0..2), date.get(3..6), date.get(7..11), date.get(12..20), date.get(21..))
    else {
        return String::new();
    };
    let month = MONTHS.find(month).map_or(0, |at| at / 3 + 1);
    let mut out = String::with_capacity(25);
    out.push_str(year);
    out.push('-');
    out.push((b'0' + (month / 10) as u8) as char);
    out.push((b'0' + (month % 10) as u8) as char);
    out.push('-');
    out.push_str(day);
    out.push('T');
    out.push_str(clock);
    match (zone.get(0..3), zone.get(3..5)) {
        (Some(hours), Some(minutes)) if zone.len() == 5 => {
            out.push_str(hours);
            out.push(':');
            out.push_str(minutes);
        }
        _ => out.push('Z'),
    }
    out
}

/// `2026-11-03T17:45:00+02:00` as `Tue, 03 Nov 2026 17:45:00 +0200`, without the weekday, which is optional.
fn rfc_822(date: &str) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (Some(year), Some(month), Some(day), Some(clock), Some(zone)) =
        (date.get(0..4), date.get(5..7), date.get(8..10), date.get(11..19), date.get(19..))
    else {
        return String::new();
    };
    let month = month.parse::<usize>().ok().and_then(|month| MONTHS.get(month.wrapping_sub(1))).unwrap_or(&"Jan");
    let zone = if zone == "Z" { "GMT".to_owned() } else { zone.replace(':', "") };
    [day, " ", month, " ", year, " ", clock, " ", &zone].concat()
}

fn video_sitemap_to_mrss(text: &str, out: &mut Out) -> Done {
    out.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\" xmlns:dcterms=\"http://purl.org/dc/terms/\"><channel><title>Videos</title><link>https://www.example.com/</link><description>Videos</description>\n");
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let (mut video, mut value) = (Video::default(), String::new());
    loop {
        let event = reader.read_event()?;
        match &event {
            Event::Start(start) => {
                value.clear();
                match start.name().as_ref() {
                    "url" => video.clear(),
                    "video:restriction" | "video:price" => {
                        for attribute in start.attributes().with_checks(false) {
                            let attribute = attribute?;
                            let slot = match attribute.key.as_ref() {
                                "relationship" => &mut video.relationship,
                                "currency" => &mut video.currency,
                                _ => continue,
                            };
                            slot.clear();
                            slot.push_str(&attribute.value);
                        }
                    }
                    _ => {}
                }
            }
            Event::End(end) => match end.name().as_ref() {
                "video:video" => {
                    write_item(&video, out);
                    out.flush(1 << 20)?;
                }
                name => sitemap_text(name, &value, &mut video),
            },
            Event::Eof => break,
            _ => gather(&mut value, &event)?,
        }
    }
    out.raw("</channel></rss>\n");
    Ok(())
}

fn sitemap_text(name: &str, value: &str, video: &mut Video) {
    let slot = match name {
        "loc" => &mut video.page,
        "video:thumbnail_loc" => &mut video.thumbnail,
        "video:title" => &mut video.title,
        "video:description" => &mut video.description,
        "video:content_loc" => &mut video.content,
        "video:player_loc" => &mut video.player,
        "video:duration" => &mut video.duration,
        "video:expiration_date" => &mut video.valid,
        "video:rating" => &mut video.rating,
        "video:view_count" => &mut video.views,
        "video:publication_date" => &mut video.published,
        "video:family_friendly" => {
            video.adult = value == "no";
            return;
        }
        "video:restriction" => &mut video.countries,
        "video:price" => &mut video.price,
        "video:uploader" => &mut video.uploader,
        "video:tag" => {
            if !video.keywords.is_empty() {
                video.keywords.push_str(", ");
            }
            video.keywords.push_str(value);
            return;
        }
        _ => return,
    };
    slot.clear();
    slot.push_str(value);
}

fn write_item(video: &Video, out: &mut Out) {
    out.raw("    <item>\n");
    out.element("title", &video.title);
    out.element("link", &video.page);
    out.element("description", &video.description);
    out.element("pubDate", &rfc_822(&video.published));
    if !video.valid.is_empty() {
        out.raw("      <dcterms:valid>end=");
        out.raw(&video.valid);
        out.raw("; scheme=W3C-DTF</dcterms:valid>\n");
    }
    attribute(out, "      <media:content medium=\"video\" url=\"", &video.content);
    attribute(out, " duration=\"", &video.duration);
    out.raw("/>\n");
    out.element("media:title", &video.title);
    out.element("media:description", &video.description);
    out.element("media:keywords", &video.keywords);
    attribute(out, "      <media:thumbnail url=\"", &video.thumbnail);
    out.raw("/>\n");
    attribute(out, "      <media:player url=\"", &video.player);
    out.raw("/>\n");
    out.element("media:rating", if video.adult { "adult" } else { "nonadult" });
    out.raw("      <media:restriction type=\"country\"");
    attribute(out, " relationship=\"", &video.relationship);
    out.raw(">");
    out.raw(&video.countries.to_ascii_lowercase());
    out.raw("</media:restriction>\n");
    attribute(out, "      <media:price price=\"", &video.price);
    attribute(out, " currency=\"", &video.currency);
    out.raw("/>\n      <media:credit role=\"uploader\">");
    out.raw(&video.uploader);
    attribute(out, "</media:credit>\n      <media:community><media:starRating average=\"", &video.rating);
    attribute(out, "/><media:statistics views=\"", &video.views);
    out.raw("/></media:community>\n    </item>\n");
}

fn attribute(out: &mut Out, before: &str, value: &str) {
    out.raw(before);
    out.raw(value);
    out.raw("\"");
}

fn atom_to_rss(text: &str, out: &mut Out) -> Done {
    out.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel><title>Videos</title><link>https://www.example.com/</link><description>Videos</description>\n");
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let (mut video, mut value, mut inside) = (Video::default(), String::new(), false);
    loop {
        let event = reader.read_event()?;
        match &event {
            Event::Start(start) => {
                value.clear();
                if start.name().as_ref() == "entry" {
                    inside = true;
                    video.clear();
                }
            }
            Event::Empty(start) if inside && start.name().as_ref() == "link" => {
                if let Some(href) = start.try_get_attribute("href")? {
                    video.page.push_str(&href.value);
                }
            }
            Event::End(end) if inside => match end.name().as_ref() {
                "entry" => {
                    inside = false;
                    write_post(&video, out);
                    out.flush(1 << 20)?;
                }
                "id" => video.id.push_str(&value),
                "title" => video.title.push_str(&value),
                "name" => video.uploader.push_str(&value),
                "published" => video.published.push_str(&value),
                "updated" => video.updated.push_str(&value),
                "media:description" => video.description.push_str(&value),
                _ => {}
            },
            Event::Eof => break,
            _ if inside => gather(&mut value, &event)?,
            _ => {}
        }
    }
    out.raw("</channel></rss>\n");
    Ok(())
}

fn write_post(video: &Video, out: &mut Out) {
    out.raw("    <item>\n");
    out.element("title", &video.title);
    out.element("link", &video.page);
    out.element("description", &video.description);
    out.raw("      <guid isPermaLink=\"false\">");
    out.raw(&video.id);
    out.raw("</guid>\n");
    out.element("pubDate", &rfc_822(&video.published));
    out.element("atom:updated", &video.updated);
    out.element("dc:creator", &video.uploader);
    out.raw("    </item>\n");
}
