//! Sitemap elements inside the items of feeds: values without an element in the feed are carried under their sitemap
//! names (`--foreign keep`), and are read back from there. Each video of the item has one `video:video`, in the same
//! order, with the values that nothing else in the item holds.
//!
//! No rules of search engines apply here: every value is written unchanged. Elements of Media RSS in plain feeds are
//! written by `format::ns::media`; [`CarriedValues`] decides when.

use std::borrow::Cow;
use std::collections::HashMap;

use super::element::CoreNamespace;
use super::read;
use super::read_video;
use crate::emit::Out;
use crate::format::choice::report_whole;
use crate::format::contract::Setup;
use crate::format::ns::media;
use crate::model::{
    Entry, Field, Image, Leaf, LeafType, LeafView, News, PageMap, Price, Str, Text, TextKind, Tv, Value, Video, Walk,
};
use crate::options::ForeignMode;
use crate::reason::{Reason, ValueChange};
use crate::text::html;
use crate::tree::{Node, Take};
use crate::xml::names::Ns;

const STRIPPED: ValueChange = Some(Reason::AsPlainText);

/// What a feed takes along in the words of another format.
#[derive(Clone, Copy)]
pub struct CarriedValues {
    /// Anything at all: it was asked for, or goes back into the family it came from.
    pub on: bool,
    /// Videos and images are carried as whole sitemap elements; none of their values need to move to other elements.
    pub whole: bool,
    /// Media RSS is carried in a feed without it.
    pub levels: bool,
    /// Media RSS is carried in a podcast, for what podcasts have no element for.
    pub rest: bool,
    /// Only what Media RSS has no place for.
    beyond_media: bool,
    /// The reason to report for a carried value.
    why: Option<Reason>,
}

impl CarriedValues {
    /// What is to be carried of an entry in a conversion to a feed.
    pub fn for_entry(entry: &Entry<'_>, setup: &Setup<'_>) -> CarriedValues {
        CarriedValues::new(entry.origin.media, setup)
    }

    /// What is to be carried of the head, whose Media RSS is that of its items.
    pub fn for_head(setup: &Setup<'_>) -> CarriedValues {
        CarriedValues::new(false, setup)
    }

    /// What is to be carried of a part; `of_media` if it holds elements of Media RSS, whatever its document is called.
    fn new(of_media: bool, setup: &Setup<'_>) -> CarriedValues {
        let feed = setup.target.family.is_feed();
        let asked = setup.options.foreign == ForeignMode::Keep;
        let on = feed && (asked || setup.same_family && setup.options.foreign == ForeignMode::Same);
        let plain = !has_media(setup.target.id);
        let from_sitemap = setup.source.family.is_xml_sitemap();
        let is_plain = setup.same_family && !of_media && may_be_plain(setup.source.id);
        let whole = on && plain && (from_sitemap || is_plain);
        let media = on && plain && asked && !whole;
        let podcast = setup.target.id == "rss-podcast";
        CarriedValues {
            on,
            whole,
            levels: media && !podcast,
            rest: media && podcast,
            beyond_media: on && plain && !asked && !whole,
            why: (!setup.same_family).then_some(Reason::UsedAsExtension),
        }
    }

    /// Whether an image is written back into its own family as a sitemap element: it has more than a URL, and does not
    /// come from Media RSS.
    pub fn accepts(self, image: &Image<'_>) -> bool {
        let Image { loc: _, caption, title, geo_location, license, file: _ } = image;
        let more = caption.is_some() || title.is_some() || geo_location.is_some() || license.is_some();
        self.on && self.why.is_none() && more && !media::is_media_image(image)
    }

    /// Whether videos and images are carried as elements of sitemaps or Media RSS.
    pub fn holds(self) -> bool {
        self.whole || self.levels
    }
}

/// Whether Media RSS has its own place in a format.
pub fn has_media(format: &str) -> bool {
    matches!(format, "mrss" | "atom-media")
}

/// Whether documents of this format have no Media RSS, as far as their names say. The older formats are called the same with
/// it and without it.
fn may_be_plain(format: &str) -> bool {
    matches!(format, "rss" | "rss-podcast" | "atom")
}

/// Writes what an item that is otherwise complete could not hold: of these videos of it, and, in the `first` item of a
/// page, of the page.
pub fn write<'e>(
    entry: &'e Entry<'e>,
    videos: &[&'e Video<'e>],
    first: bool,
    setup: &Setup<'_>,
    out: &mut Out<'_, 'e>,
) {
    let carry = CarriedValues::for_entry(entry, setup);
    if !carry.on {
        return;
    }
    out.carry(super::fate::video_sitemap, carry.why, |out| {
        let rest = RemainingValues { carry };
        if first {
            rest.page(entry, out);
        }
        let last = videos.iter().rposition(|video| rest.any(*video, (), out));
        for video in videos.iter().take(last.map_or(0, |last| last + 1)) {
            // an empty one keeps the places of those behind it
            out.element_always("video:video", |out| rest.video(video, out));
        }
    });
    if carry.whole {
        videos.iter().for_each(|video| left_behind(video, out));
    }
}

/// Settles what the elements of sitemaps do not hold of a video that travels in them.
fn left_behind(video: &Video<'_>, out: &mut Out<'_, '_>) {
    for category in video.categories.iter().skip(1) {
        out.drop(&category.term, Field::VideoCategoryTerm, Reason::CarriedElement);
    }
    video.walk((), &mut |seen: LeafView<'_>| {
        if super::fate::video_sitemap(seen.field).name().is_none() {
            out.books().lost(seen.mark, Reason::CarriedElement);
        }
    });
}

/// What is left to be written.
struct RemainingValues {
    carry: CarriedValues,
}

impl RemainingValues {
    /// Whether a value is still to be written.
    fn left<T>(&self, field: Field, leaf: &Leaf<T>, out: &mut Out<'_, '_>) -> bool {
        let (mark, via, value) = (leaf.mark, leaf.via, Value::Nothing);
        self.is_unwritten(LeafView { field, mark, via, within: None, kind: None, value }, out)
    }

    fn is_unwritten(&self, seen: LeafView<'_>, out: &mut Out<'_, '_>) -> bool {
        // the head holds it for all items, it was omitted for a more specific reason, or the markup of a platform that it was
        // read from goes back
        let goes_back = seen.via == Some(Ns::Dialect) && out.keeps_foreign();
        if seen.mark.of_feed() || out.books().refused(seen.mark) || goes_back {
            return false;
        }
        let beyond = || media::video_fate(seen.field).name().is_none();
        match self.carry.whole {
            true => !out.books().is_unchanged(seen.mark),
            false => !out.books().written(seen.mark) && (!self.carry.beyond_media || beyond()),
        }
    }

    /// Whether some value of a part, with a name in sitemaps, is still to be written.
    fn any<W: Walk>(&self, part: &W, names: W::Names, out: &mut Out<'_, '_>) -> bool {
        let mut any = false;
        part.walk(names, &mut |seen| {
            let here = super::fate::video_sitemap(seen.field).name().is_some();
            any |= here && self.is_unwritten(seen, out);
        });
        any
    }

    fn put<T: LeafType>(&self, field: Field, slot: &Option<Leaf<T>>, out: &mut Out<'_, '_>) {
        if let (Some(leaf), Some(name)) = (slot, super::fate::video_sitemap(field).name())
            && self.left(field, leaf, out)
        {
            out.write_named(name, leaf.mark, &spell(leaf), None);
        }
    }

    /// The same for the protocol's own elements, which have a prefix here.
    fn core<T: LeafType>(&self, name: &str, field: Field, slot: &Option<Leaf<T>>, out: &mut Out<'_, '_>) {
        if let Some(leaf) = slot.as_ref().filter(|leaf| self.left(field, leaf, out)) {
            out.elem_as(name, leaf.mark, &spell(leaf), None);
        }
    }

    /// Writes a text. A sitemap knows plain ones only: of one with markup the words.
    fn text(&self, name: &str, field: Field, slot: &Option<Text<'_>>, out: &mut Out<'_, '_>) {
        let Some(text) = slot.as_ref().filter(|text| self.left(field, &text.value, out)) else { return };
        let value = &*text.value.value;
        let words = match text.kind {
            TextKind::Plain => Cow::Borrowed(value),
            TextKind::Html => Cow::Owned(html::to_plain(value)),
            TextKind::Xhtml => Cow::Owned(html::to_plain(&html::xhtml_to_html(value))),
        };
        let change = if words == value { None } else { STRIPPED };
        out.element_always(name, |out| {
            if let Some(language) = &text.lang {
                out.attr_as("xml:lang", language.mark, &language.value, None);
            }
            out.text_as(text.value.mark, &words, change);
        });
    }

    // --- the page ---

    fn page(&self, entry: &Entry<'_>, out: &mut Out<'_, '_>) {
        self.core("sm:changefreq", Field::Changefreq, &entry.changefreq, out);
        self.core("sm:priority", Field::Priority, &entry.priority, out);
        self.core("sm:expires", Field::Expires, &entry.expires, out);
        self.links(entry, out);
        if let Some(mobile) = entry.mobile.as_ref().filter(|leaf| leaf.value && self.left(Field::Mobile, leaf, out)) {
            out.element_always("mobile:mobile", |_| ());
            out.books().kept_as(mobile.mark, String::new);
        }
        if let Some(map) = entry.page_map.as_ref().filter(|map| self.any(*map, (), out)) {
            page_map(map, out);
        }
        // an image from Media RSS stays there, or is lost if the feed has none
        let travels =
            |image: &&Image<'_>| !(self.carry.beyond_media || self.carry.whole) || !media::is_media_image(image);
        for image in entry.images.iter().filter(travels) {
            self.image(image, out);
        }
        if let Some(news) = &entry.news {
            self.news(news, out);
        }
    }

    /// Links for other devices, of which feeds cannot say the device.
    fn links(&self, entry: &Entry<'_>, out: &mut Out<'_, '_>) {
        for link in &entry.links {
            let (Some(href), Some(media)) = (&link.href, &link.media) else { continue };
            if !self.left(Field::LinkMedia, media, out) {
                continue;
            }
            out.element_always("xhtml:link", |out| {
                if let Some(rel) = &link.rel {
                    out.attr_as("rel", rel.mark, &rel.value, None);
                }
                out.attr_as("media", media.mark, &media.value, None);
                out.attr_as("href", href.mark, &href.value, None);
            });
        }
    }

    /// An image with values that its element in the feed lacks; its URL identifies it.
    fn image(&self, image: &Image<'_>, out: &mut Out<'_, '_>) {
        let Image { loc, caption, title, geo_location, license, file: _ } = image;
        let Some(loc) = loc.as_ref().filter(|_| self.image_is_left(image, out)) else { return };
        out.element_always("image:image", |out| {
            out.elem_as("image:loc", loc.mark, &loc.value, None);
            self.text("image:caption", Field::ImageCaption, caption, out);
            self.put(Field::ImageGeoLocation, geo_location, out);
            self.text("image:title", Field::ImageTitle, title, out);
            self.put(Field::ImageLicense, license, out);
        });
    }

    fn image_is_left(&self, image: &Image<'_>, out: &mut Out<'_, '_>) -> bool {
        let Image { loc, caption, title, geo_location, license, file: _ } = image;
        let texts = [(Field::ImageCaption, caption), (Field::ImageTitle, title)];
        let mut texts = texts.into_iter().filter_map(|(field, text)| Some((field, &text.as_ref()?.value)));
        let rest = [(Field::ImageLoc, loc), (Field::ImageGeoLocation, geo_location), (Field::ImageLicense, license)];
        texts.any(|(field, leaf)| self.left(field, leaf, out))
            || rest.into_iter().any(|(field, leaf)| leaf.as_ref().is_some_and(|leaf| self.left(field, leaf, out)))
    }

    /// Writes a value that is not in the output as it was, even if it is there otherwise.
    fn loose<T: LeafType>(&self, field: Field, slot: &Option<Leaf<T>>, out: &mut Out<'_, '_>) {
        if let (Some(leaf), Some(name)) = (slot, super::fate::video_sitemap(field).name())
            && !out.books().is_kept(leaf.mark)
        {
            out.write_named(name, leaf.mark, &spell(leaf), None);
        }
    }

    /// An article is carried whole, including values that the item already uses.
    fn news(&self, news: &News<'_>, out: &mut Out<'_, '_>) {
        let mut whole = true;
        news.walk((), &mut |seen| whole &= out.books().is_kept(seen.mark));
        if whole {
            return;
        }
        out.element("news:news", |out| {
            out.element("news:publication", |out| {
                self.loose(Field::NewsName, &news.name, out);
                self.loose(Field::NewsLanguage, &news.language, out);
            });
            self.loose(Field::NewsAccess, &news.access, out);
            self.loose(Field::NewsGenres, &news.genres, out);
            self.loose(Field::NewsPublished, &news.published, out);
            self.loose(Field::NewsTitle, &news.title, out);
            self.loose(Field::NewsKeywords, &news.keywords, out);
            self.loose(Field::NewsStockTickers, &news.stock_tickers, out);
        });
    }

    // --- a video ---

    fn video(&self, video: &Video<'_>, out: &mut Out<'_, '_>) {
        for thumbnail in &video.thumbnails {
            self.put(Field::VideoThumbnailUrl, &thumbnail.url, out);
        }
        self.text("video:title", Field::VideoTitle, &video.title, out);
        self.text("video:description", Field::VideoDescription, &video.description, out);
        self.put(Field::VideoFileUrl, &video.files.first().and_then(|file| file.url.clone()), out);
        self.player(video, out);
        self.put(Field::VideoDuration, &video.duration, out);
        if let Some(available) = &video.available {
            self.put(Field::VideoAvailableEnd, &available.end, out);
        }
        if let Some(rating) = &video.rating {
            self.put(Field::VideoRatingAverage, &rating.average, out);
        }
        self.segments(video, out);
        self.put(Field::VideoViews, &video.views, out);
        self.put(Field::VideoPublished, &video.published, out);
        for tag in video.tags.iter().filter(|tag| self.left(Field::VideoTag, tag, out)).collect::<Vec<_>>() {
            out.elem_as("video:tag", tag.mark, &tag.value, None);
        }
        if let Some(category) = video.categories.first() {
            self.put(Field::VideoCategoryTerm, &category.term, out);
        }
        self.put(Field::VideoFamilyFriendly, &video.family_friendly, out);
        if let Some(restriction) = video.restriction.as_ref().filter(|restriction| self.any(*restriction, (), out)) {
            list("video:restriction", &restriction.relationship, &restriction.countries, out);
        }
        self.further(video, out);
    }

    fn further(&self, video: &Video<'_>, out: &mut Out<'_, '_>) {
        if let Some(gallery) = video.gallery.as_ref().filter(|gallery| self.any(*gallery, (), out)) {
            out.element("video:gallery_loc", |out| {
                attribute("title", &gallery.title, out);
                inner(&gallery.url, out);
            });
        }
        for price in &video.prices {
            self.price(price, out);
        }
        self.put(Field::VideoRequiresSubscription, &video.requires_subscription, out);
        if let Some(uploader) = &video.uploader {
            out.element("video:uploader", |out| {
                // an author of the entry may have taken the page about the uploader
                if uploader.uri.as_ref().is_some_and(|uri| !out.books().is_kept(uri.mark)) {
                    attribute("info", &uploader.uri, out);
                }
                if uploader.name.as_ref().is_some_and(|name| self.left(Field::VideoUploaderName, name, out)) {
                    inner(&uploader.name, out);
                }
            });
        }
        if let Some(tv) = &video.tv {
            out.element("video:tvshow", |out| self.tv(tv, out));
        }
        if let Some(platform) = video.platform.as_ref().filter(|platform| self.any(*platform, (), out)) {
            list("video:platform", &platform.relationship, &platform.platforms, out);
        }
        self.put(Field::VideoLive, &video.live, out);
        for id in video.ids.iter().filter(|id| self.any(*id, (), out)).collect::<Vec<_>>() {
            out.element("video:id", |out| {
                attribute("type", &id.kind, out);
                inner(&id.value, out);
            });
        }
    }

    fn player(&self, video: &Video<'_>, out: &mut Out<'_, '_>) {
        out.element("video:player_loc", |out| {
            let Video { allow_embed, autoplay, .. } = video;
            if allow_embed.as_ref().is_some_and(|leaf| self.left(Field::VideoAllowEmbed, leaf, out)) {
                attribute("allow_embed", allow_embed, out);
            }
            if autoplay.as_ref().is_some_and(|leaf| self.left(Field::VideoAutoplay, leaf, out)) {
                attribute("autoplay", autoplay, out);
            }
            let url = video.player.as_ref().and_then(|player| player.url.as_ref());
            if let Some(url) = url.filter(|leaf| self.left(Field::VideoPlayerUrl, leaf, out)) {
                out.text_as(url.mark, &url.value, None);
            }
        });
    }

    fn segments(&self, video: &Video<'_>, out: &mut Out<'_, '_>) {
        for segment in video.segments.iter().filter(|part| self.any(*part, (), out)).collect::<Vec<_>>() {
            out.element("video:content_segment_loc", |out| {
                attribute("duration", &segment.duration, out);
                inner(&segment.url, out);
            });
        }
    }

    /// A price with values that are not written yet; its other values identify it.
    fn price(&self, price: &Price<'_>, out: &mut Out<'_, '_>) {
        if !self.any(price, (), out) {
            return;
        }
        out.element("video:price", |out| {
            attribute("currency", &price.currency, out);
            attribute("type", &price.kind, out);
            attribute("resolution", &price.resolution, out);
            inner(&price.amount, out);
        });
    }

    fn tv(&self, tv: &Tv<'_>, out: &mut Out<'_, '_>) {
        self.put(Field::VideoTvShowTitle, &tv.show_title, out);
        self.put(Field::VideoTvType, &tv.kind, out);
        self.put(Field::VideoTvEpisodeTitle, &tv.episode_title, out);
        self.put(Field::VideoTvSeason, &tv.season, out);
        self.put(Field::VideoTvEpisode, &tv.episode, out);
        self.put(Field::VideoTvPremiere, &tv.premiere, out);
    }
}

/// A value as sitemaps spell it, dates with the precision they have.
fn spell<T: LeafType>(leaf: &Leaf<T>) -> String {
    match leaf.value.value() {
        Value::Flag(true) => "yes".to_owned(),
        Value::Flag(false) => "no".to_owned(),
        value => value.to_string(),
    }
}

fn attribute<T: LeafType>(name: &str, slot: &Option<Leaf<T>>, out: &mut Out<'_, '_>) {
    if let Some(leaf) = slot {
        out.attr_as(name, leaf.mark, &spell(leaf), None);
    }
}

fn inner<T: LeafType>(slot: &Option<Leaf<T>>, out: &mut Out<'_, '_>) {
    if let Some(leaf) = slot {
        out.text_as(leaf.mark, &spell(leaf), None);
    }
}

/// A list of words with its attributes.
fn list(name: &str, relationship: &Option<Str<'_>>, words: &[Str<'_>], out: &mut Out<'_, '_>) {
    out.element_always(name, |out| {
        attribute("relationship", relationship, out);
        let all: Vec<&str> = words.iter().map(Leaf::as_str).collect();
        if let Some((first, rest)) = words.split_first() {
            out.text_as(first.mark, &all.join(" "), None);
            for leaf in rest {
                out.books().kept_as(leaf.mark, || leaf.value.to_string());
            }
        }
        report_whole(words, || all.join(" "), out);
    });
}

fn page_map(map: &PageMap<'_>, out: &mut Out<'_, '_>) {
    out.element("pagemap:PageMap", |out| {
        out.element("pagemap:Template", |out| attribute("src", &map.template, out));
        for object in &map.objects {
            out.element("pagemap:DataObject", |out| {
                attribute("type", &object.kind, out);
                attribute("id", &object.id, out);
                for part in &object.attributes {
                    out.element("pagemap:Attribute", |out| {
                        attribute("name", &part.name, out);
                        match part.text {
                            true => inner(&part.value, out),
                            false => attribute("value", &part.value, out),
                        }
                    });
                }
            });
        }
    });
}

// --- reading ---

/// Whether an item has the elements of several videos. Its enclosures are then no renditions of one.
pub fn has_several_videos(root: Node<'_, '_>) -> bool {
    root.children().filter(|child| child.ns() == Ns::Video && child.name() == "video").nth(1).is_some()
}

/// Reads the sitemap elements of an item into the page and its videos, which were read before: the first `video:video`
/// adds to the first video, and so on.
pub fn read<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    use Ns::{Image, Mobile, News, PageMap, Sitemap, Video, Xhtml};
    let may_be = |ns| matches!(ns, Video | Image | News | Xhtml | Sitemap | Mobile | PageMap);
    if !root.children().any(|child| may_be(child.ns())) {
        return;
    }
    let reading = CoreNamespace::new(Ns::Sitemap);
    let mut videos = 0;
    let mut images: Option<HashMap<String, usize>> = None;
    for child in root.children() {
        match (child.ns(), child.name()) {
            (Ns::Video, "video") => {
                video(child, take, entry, videos, reading);
                videos += 1;
            }
            (Ns::Image, "image") => {
                let known = images.get_or_insert_with(|| locations(&entry.images));
                image(child, take, &mut entry.images, known, reading);
            }
            (Ns::News, "news") => {
                let mut news = entry.news.take().unwrap_or_default();
                read::article(child, take, &mut news);
                entry.news = Some(news).filter(|news| !news.is_blank());
            }
            (Ns::Xhtml, "link") => link(child, take, entry),
            (Ns::Sitemap, "changefreq" | "priority" | "expires") => read::core(child, take, entry, reading),
            (Ns::Mobile, "mobile") => take.flag(child, &mut entry.mobile),
            (Ns::PageMap, "PageMap") => {
                let mut map = entry.page_map.take().unwrap_or_default();
                read::page_map(child, take, &mut map);
                entry.page_map = Some(map).filter(|map| !map.is_blank());
            }
            _ => (),
        }
    }
}

fn video<'t, 'a>(
    node: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    entry: &mut Entry<'a>,
    index: usize,
    reading: CoreNamespace,
) {
    if let Some(video) = entry.videos.get_mut(index) {
        return read_video::into(node, take, video, reading);
    }
    let video = read_video::video(node, take, reading);
    if !video.is_blank() {
        entry.videos.push(video);
    }
}

fn locations(images: &[Image<'_>]) -> HashMap<String, usize> {
    let all = images.iter().enumerate();
    all.filter_map(|(index, image)| Some((image.loc.as_ref()?.value.to_string(), index))).collect()
}

/// An image, or further values of a known one.
fn image<'t, 'a>(
    node: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    images: &mut Vec<Image<'a>>,
    known: &mut HashMap<String, usize>,
    reading: CoreNamespace,
) {
    let loc = node.child(Ns::Image, "loc").and_then(Node::text);
    let found = loc.and_then(|loc| images.get_mut(*known.get(loc.value().trim())?));
    if let (Some(there), Some(loc)) = (found, loc) {
        if let Some(first) = &there.loc {
            take.follow(loc, first.mark);
        }
        return read::image_into(node, take, there, reading);
    }
    let image = read::image(node, take, reading);
    if let Some(loc) = &image.loc {
        known.insert(loc.value.to_string(), images.len());
    }
    images.extend((!image.is_blank()).then_some(image));
}

/// How many links of an item are searched for the one that a device belongs to.
const LINKS: usize = 64;

/// The device that a link of the item is for.
fn link<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let (Some(href), Some(_)) = (node.attribute("href"), node.attribute("media")) else { return };
    let address = href.value().trim();
    let same = |link: &&mut crate::model::Link<'a>| {
        link.media.is_none() && link.href.as_ref().is_some_and(|href| href.value == address)
    };
    let Some(link) = entry.links.iter_mut().take(LINKS).find(same) else { return };
    take.known(node);
    take.attr(node, "media", &mut link.media);
    match (&mut link.rel, node.attribute("rel")) {
        // the feed could not call it what it is
        (Some(stands_in), Some(rel)) if stands_in.value == "related" => {
            take.follow(rel, stands_in.mark);
            stands_in.value = Cow::Owned(rel.value().to_owned());
        }
        (slot, _) => take.attr(node, "rel", slot),
    }
    if let Some(first) = &link.href {
        take.follow(href, first.mark);
    }
}
