//! Writes links of Atom (RFC 4287 section 4.2.7): those of the model, and what becomes a link in Atom.
//! Not how links are read (read.rs).

use std::collections::{HashMap, HashSet};

use crate::emit::Out;
use crate::format::choice::{constants, is_moved_avatar, plain};
use crate::format::contract::Setup;
use crate::format::medium::is_platform_page;
use crate::format::ns::{media, modules};
use crate::format::share::Share;
use crate::format::sitemap::carry::CarriedValues;
use crate::model::page::LinkFields;
use crate::model::{
    Enclosure, Entry, Feed, Field, File, Foreign, Image, Leaf, Link, Mark, Origin, PeerLink, Source, Str, Text, Video,
};
use crate::reason::{Reason, ValueChange};
use crate::text::{mime, url};
use crate::xml::names::Ns;

/// The links of a model in its order. If a URL has its own field in the model, the other attributes of its link may be
/// in a link without a URL: that link is written with the URL, the others come first.
struct Links<'l> {
    links: &'l [Link<'l>],
    /// The URL that the link without a URL at this index describes.
    main: Vec<Option<OutputLink<'l>>>,
    items: Vec<OutputLink<'l>>,
}

impl<'l> Links<'l> {
    fn new(links: &'l [Link<'l>]) -> Self {
        Links { links, main: links.iter().map(|_| None).collect(), items: Vec::new() }
    }

    /// The index of the link that holds further attributes of a URL with this relation, if one fits.
    fn holder(&self, rel: &str, fits: impl Fn(&Link<'_>) -> bool) -> Option<usize> {
        let mut all = self.links.iter().zip(&self.main);
        all.position(|(link, main)| link.href.is_none() && main.is_none() && short(link) == rel && fits(link))
    }

    /// Adds a URL with its relation, the type implied by its field, and the link that holds its further attributes.
    fn main(
        &mut self,
        rel: &'static str,
        href: &'l Str<'l>,
        kind: Option<&'static str>,
        fits: impl Fn(&Link<'_>) -> bool,
    ) {
        match self.holder(rel, fits) {
            Some(index) => self.main[index] = Some(OutputLink::Main(rel, href, Some(&self.links[index]), kind)),
            None => self.items.push(OutputLink::Main(rel, href, None, kind)),
        }
    }

    /// All links. Those without a URL to describe are dropped.
    fn finish(self, fields: LinkFields, out: &mut Out<'_, '_>) -> Vec<OutputLink<'l>> {
        let Links { links, main, mut items } = self;
        for (link, main) in links.iter().zip(main) {
            match main {
                Some(main) => items.push(main),
                None if link.href.is_some() => items.push(OutputLink::Whole(link, "")),
                None => out.drop(link, fields, Reason::DetachedAttribute),
            }
        }
        items
    }
}

/// The type of what `wfw:commentRss` names.
const RSS_FEED: &str = "application/rss+xml";

/// The relation of a link under its short name.
fn short<'l>(link: &'l Link<'_>) -> &'l str {
    let rel = link.rel.as_ref().map_or("alternate", Leaf::as_str);
    rel.strip_prefix("http://www.iana.org/assignments/relation/").unwrap_or(rel)
}

/// The links of a feed.
pub(super) fn write_head(feed: &Feed<'_>, setup: &Setup<'_>, out: &mut Out<'_, '_>) {
    let mut links = Links::new(&feed.links);
    match (&setup.options.self_url, &feed.self_url) {
        (Some(own), old) => {
            let from = old.as_ref().map(|old| old.mark);
            out.element_always("link", |out| {
                out.constant("rel", "self");
                out.make_attr("href", Field::FeedSelf, Reason::GeneratedSelfUrl, from, own);
            });
            if let Some(old) = old {
                out.books().changed(old.mark, Reason::OwnUrl, own.clone());
            }
        }
        (None, Some(old)) => links.main("self", old, None, |_| true),
        (None, None) => (),
    }
    if let Some(home) = &feed.home {
        links.main("alternate", home, None, |_| true);
    }
    let mut items = links.finish(LinkFields::FEED, out);
    one_alternate_each(&mut items, out);
    in_order(items, &feed.origin, &feed.foreign, out);
}

/// The links of the feed that an entry was taken from.
pub(super) fn write_source(source: &Source<'_>, out: &mut Out<'_, '_>) {
    let mut links = Links::new(&source.links);
    for (rel, address) in [("self", &source.self_url), ("alternate", &source.home)] {
        if let Some(address) = address {
            links.main(rel, address, None, |_| true);
        }
    }
    let items = links.finish(LinkFields::SOURCE, out);
    items.iter().for_each(|item| item.write(out));
}

/// The links of an entry, its files among them.
pub(super) fn write_entry<'e>(
    entry: &'e Entry<'e>,
    share: Share<'_>,
    videos: &[&'e Video<'e>],
    media: bool,
    setup: &Setup<'_>,
    out: &mut Out<'_, 'e>,
) {
    let mut links = Links::new(share.once(&entry.links));
    let html = |link: &Link<'_>| link.kind.as_ref().is_some_and(|kind| mime::is_html(kind));
    if let Some(loc) = &entry.loc {
        links.main("alternate", loc, None, |_| true);
    }
    if let Some(comments) = &entry.comments {
        links.main("replies", comments, Some("text/html"), html);
    }
    if let Some(feed) = &entry.comment_feed
        && modules::carried(out, Field::CommentFeed, feed.via).is_none()
    {
        let rss = (setup.source.family.is_rss() && feed.via != Some(Ns::Atom)).then_some(RSS_FEED);
        links.main("replies", feed, rss, |link| !html(link));
    }
    if let Some(license) = &entry.license
        && modules::carried(out, Field::License, license.via).is_none()
    {
        links.main("license", license, None, |_| true);
    }
    let mut items = links.finish(LinkFields::PAGE, out);
    for item in &mut items {
        if let OutputLink::Whole(link, rel) = item
            && link.rel.is_none()
        {
            *rel = modules::meant_rel(setup);
        }
    }
    let alternates = share.once(&entry.alternates);
    items.extend(alternates.iter().filter(|link| link.href.is_some()).map(|link| OutputLink::Whole(link, "alternate")));
    for link in alternates.iter().filter(|link| link.href.is_none()) {
        out.drop(link, LinkFields::ALTERNATE, Reason::DetachedAttribute);
    }
    if !modules::may_alternate(entry, setup) {
        for item in &mut items {
            if let (Some(_), OutputLink::Whole(link, _)) = (item.alternate(), &*item) {
                *item = OutputLink::Related(link);
            }
        }
    }
    one_alternate_each(&mut items, out);
    files(entry, share, videos, media, CarriedValues::for_entry(entry, setup), &mut items, out);
    each_once(&mut items, out);
    // a page's license that a module holds is not a link
    let linked = |license: &Str<'_>| modules::carried(out, Field::License, license.via).is_none();
    let mut free = !entry.license.as_ref().is_some_and(linked);
    let page = page(entry, setup).map(|href| href.mark);
    let same_family = out.same_family();
    let is_loc = |href: &Str<'_>| !same_family && entry.loc.as_ref().is_some_and(|loc| loc.value == href.value);
    items.sort_by_cached_key(|item| match item {
        OutputLink::Whole(Link { href: Some(href), .. }, _)
            if Some(href.mark) == page && page.is_some_and(Mark::is_some) =>
        {
            (4, 0)
        }
        // our reader takes an alternate of the type HTML for the page, and writes it first
        OutputLink::Whole(link, rel) if !same_family && is_html_alternate(link, rel) => (0, 0),
        OutputLink::Main("alternate", _, None, _) => (0, 1),
        // readers take the first or the last alternate for the page
        OutputLink::Whole(Link { href: Some(href), .. }, "alternate") if is_loc(href) => (6, 1),
        item => item.place(&mut free, &entry.origin, out.same_family()),
    });
    in_order(items, &entry.origin, share.once(&entry.foreign), out);
}

fn is_html_alternate(link: &Link<'_>, rel: &str) -> bool {
    let is_html = link.kind.as_ref().is_some_and(|kind| mime::is_html(kind));
    is_html && link.hreflang.is_none() && rel != "related" && short(link) == "alternate"
}

/// The alternate that readers take for the page, where no other element gives its URL.
pub(super) fn page<'e>(entry: &'e Entry<'_>, setup: &Setup<'_>) -> Option<&'e Str<'e>> {
    let alternates = entry.alternates.iter().filter(|link| link.href.is_some());
    let rank = |link: &&Link<'_>| {
        let kind = link.kind.as_ref();
        (kind.is_some_and(|kind| !mime::is_html(kind)), link.hreflang.is_some(), kind.is_none())
    };
    alternates.min_by_key(rank).filter(|_| entry.loc.is_none() && modules::may_alternate(entry, setup))?.href.as_ref()
}

/// Of alternates of one type and one language Atom has one (RFC 4287 section 4.1.2): from another family, the others
/// are related, and those for a device that come back from there stay so.
fn one_alternate_each(items: &mut [OutputLink<'_>], out: &Out<'_, '_>) {
    let same_family = out.same_family();
    let is_carried = |link: &Link<'_>| link.media.is_some();
    let mut alternates = items.iter().filter_map(OutputLink::alternate);
    let free = same_family && !alternates.clone().any(|(link, _)| link.is_some_and(is_carried));
    if free || alternates.nth(1).is_none() {
        return;
    }
    let mut known = HashSet::new();
    for item in items {
        let Some((link, kind)) = item.alternate() else { continue };
        let word = |said: Option<&Str<'_>>| said.map(|said| said.value.trim().to_ascii_lowercase());
        // one that does not say its type is a page
        let kind = word(link.and_then(|link| link.kind.as_ref())).or(kind.map(str::to_owned));
        let kind = kind.unwrap_or_else(|| "text/html".to_owned());
        let language = word(link.and_then(|link| link.hreflang.as_ref()));
        if !known.insert((kind, language))
            && let OutputLink::Whole(link, _) = item
            && (!same_family || is_carried(link))
        {
            *item = OutputLink::Related(link);
        }
    }
}

/// What goes with the entry, as links; with Media RSS only what came as links. What travels
/// elsewhere needs no link.
fn files<'e>(
    entry: &'e Entry<'e>,
    share: Share<'_>,
    videos: &[&'e Video<'e>],
    media: bool,
    carry: CarriedValues,
    items: &mut Vec<OutputLink<'e>>,
    out: &mut Out<'_, 'e>,
) {
    for enclosure in share.enclosures(entry).filter(|enclosure| !media || !media::is_media_enclosure(enclosure)) {
        match enclosure.url {
            Some(_) => items.push(OutputLink::Enclosure(enclosure)),
            None => out.drop(enclosure, (), Reason::DetachedAttribute),
        }
    }
    let held = carry.holds();
    let theirs = |image: &Image<'_>, out: &Out<'_, '_>| media && media::takes_image(image, out);
    for image in share.pictures(entry) {
        if held || carry.accepts(image) || theirs(image, out) {
            continue;
        }
        let module = modules::carried(out, Field::ImageLoc, image.loc.as_ref().and_then(|loc| loc.via)).is_some();
        match image.loc {
            Some(_) if module => (),
            Some(ref loc) if is_moved_avatar(loc, out.same_family()) => out.drop(image, (), Reason::AvatarImage),
            Some(_) => items.push(OutputLink::Image(image)),
            None => out.drop(image, (), Reason::DetachedAttribute),
        }
    }
    for video in videos {
        for file in &video.files {
            let linked = file.url.as_ref().is_some_and(|url| url.via == Some(Ns::Atom)) && out.same_family();
            let title = video.title.as_ref().filter(|_| !held && !media);
            let is_page = !media && !linked && is_platform_page(file);
            match file.url {
                Some(_) if is_page && held => (),
                Some(_) if is_page => out.drop(file, (), Reason::AtomVideo),
                Some(_) if !media || linked => items.push(OutputLink::File(AttachedName::File(file, title))),
                None if !media => out.drop(file, (), Reason::DetachedAttribute),
                _ => (),
            }
        }
        if !media && !held {
            items.extend(video.peer_links.iter().filter(|link| link.href.is_some()).map(OutputLink::Peer));
            items.extend(video.license.iter().filter(|license| license.href.is_some()).map(OutputLink::License));
        }
    }
}

/// Names an enclosure once that is a file of a video too (rule A2.4), unless both are links in the source. A link that goes
/// back has all names of its file in Media RSS, so that none of them becomes another link.
fn each_once(items: &mut Vec<OutputLink<'_>>, out: &Out<'_, '_>) {
    let same_family = out.same_family();
    let is_free = |name: &AttachedName<'_>| match name {
        AttachedName::Enclosure(enclosure) => same_family && media::is_media_enclosure(enclosure),
        AttachedName::File(..) => !(same_family && name.url().is_some_and(|url| url.via == Some(Ns::Atom))),
        AttachedName::Peer(_) => false,
    };
    if !items.iter().filter_map(OutputLink::attached).any(|name| is_free(&name)) {
        return;
    }
    let names: Vec<Option<AttachedName<'_>>> = items.iter().map(OutputLink::attached).collect();
    let named = |free: bool| {
        let those = names.iter().enumerate();
        let those = those.filter_map(move |(index, name)| Some((index, name.filter(|name| is_free(name) == free)?)));
        those.filter_map(|(index, name)| Some((index, name, url::key(&name.url()?.value).into_owned())))
    };
    let mut known: HashMap<String, usize> = HashMap::new();
    for (index, _, key) in named(false) {
        known.entry(key).or_insert(index);
    }
    if known.is_empty() {
        return;
    }
    let mut further = Vec::new();
    for (index, name, key) in named(true) {
        let found = if same_family { known.get(&key).copied() } else { known.remove(&key) };
        let Some(place) = found else { continue };
        further.push(index);
        match (items.get_mut(place), names.get(place)) {
            (Some(OutputLink::Named(all)), _) => all.push(name),
            (Some(item), Some(Some(first))) => *item = OutputLink::Named(vec![*first, name]),
            _ => (),
        }
    }
    let (mut further, mut numbers) = (further.into_iter().peekable(), 0..);
    items.retain(|_| numbers.next().and_then(|number| further.next_if_eq(&number)).is_none());
}

/// A link to be written.
enum OutputLink<'l> {
    /// A URL with its relation, its further attributes, and the type implied by its field.
    Main(&'static str, &'l Str<'l>, Option<&'l Link<'l>>, Option<&'static str>),
    /// A link with all its attributes, and the relation implied by its field.
    Whole(&'l Link<'l>, &'static str),
    /// An alternate that cannot be one.
    Related(&'l Link<'l>),
    Enclosure(&'l Enclosure<'l>),
    Image(&'l Image<'l>),
    File(AttachedName<'l>),
    /// A file with several names, written as one link with the values of all.
    Named(Vec<AttachedName<'l>>),
    Peer(&'l PeerLink<'l>),
    License(&'l crate::model::License<'l>),
}

/// Writes links in the order of the model. Unknown markup finds its link by the number that it had in the source.
fn in_order(items: Vec<OutputLink<'_>>, origin: &Origin<'_>, foreign: &[Foreign<'_>], out: &mut Out<'_, '_>) {
    if !out.same_family() || !foreign.iter().any(Foreign::is_in_link) {
        return items.iter().for_each(|item| item.write(out));
    }
    let place = |item: &OutputLink<'_>| item.href().and_then(|href| origin.place(href.mark)).unwrap_or(u32::MAX);
    let mut places: Vec<(u32, usize)> = items.iter().enumerate().map(|(index, item)| (place(item), index)).collect();
    places.sort_unstable();
    let mut numbers = vec![0; items.len()];
    places.iter().zip(1..).for_each(|((_, index), number)| numbers[*index] = number);
    for (item, number) in items.iter().zip(numbers) {
        out.next_is("link", number);
        item.write(out);
    }
    out.next_is("link", items.len() as u32 + 1);
}

impl<'l> OutputLink<'l> {
    /// The further attributes of an alternate, and the type implied by its field.
    fn alternate(&self) -> Option<(Option<&'l Link<'l>>, Option<&'static str>)> {
        match self {
            OutputLink::Main("alternate", _, link, kind) => Some((*link, *kind)),
            OutputLink::Whole(link, rel) if *rel != "related" && short(link) == "alternate" => {
                Some((Some(*link), None))
            }
            OutputLink::Main(..)
            | OutputLink::Whole(..)
            | OutputLink::Related(..)
            | OutputLink::Enclosure(_)
            | OutputLink::Image(_) => None,
            OutputLink::File(..) | OutputLink::Named(_) | OutputLink::Peer(_) | OutputLink::License(_) => None,
        }
    }

    /// What goes with the entry, if it may have further names.
    fn attached(&self) -> Option<AttachedName<'l>> {
        match self {
            OutputLink::Enclosure(enclosure) => Some(AttachedName::Enclosure(enclosure)),
            OutputLink::File(name) => Some(*name),
            OutputLink::Main(..) | OutputLink::Whole(..) | OutputLink::Related(_) | OutputLink::Image(_) => None,
            OutputLink::Named(_) | OutputLink::Peer(_) | OutputLink::License(_) => None,
        }
    }

    /// The sort key of a link: the order in which readers find links, so that reading the output gives the same order.
    /// If the page has no license (`free`), the first license of a video takes the page's place.
    fn place(&self, free: &mut bool, origin: &Origin<'_>, same_family: bool) -> (u8, u32) {
        let file = |href: Option<&Str<'_>>| {
            let place = href.filter(|_| same_family).and_then(|href| origin.place(href.mark));
            (7, place.unwrap_or(0))
        };
        match self {
            OutputLink::Main("replies", _, None, Some("text/html")) => (1, 0),
            OutputLink::Main("replies", _, None, None) => (2, 0),
            OutputLink::Main("license", _, None, _) => (3, 0),
            // with further attributes, these come before all other links
            OutputLink::Main("replies" | "license", ..) | OutputLink::Main(_, _, Some(_), _) => (4, 0),
            OutputLink::Main(..) => (0, 0),
            OutputLink::License(license) => {
                let bare = license.kind.is_none() && license.text.is_none();
                let place = if std::mem::take(free) { 4 - u8::from(bare) } else { 5 };
                (place, 0)
            }
            OutputLink::Whole(link, rel)
                if *rel != "related" && short(link) == "alternate" && link.hreflang.is_some() =>
            {
                (6, 0)
            }
            OutputLink::Whole(_, "alternate") => (6, 0),
            OutputLink::Whole(..) | OutputLink::Related(..) => (5, 0),
            OutputLink::Image(_) if !same_family => (7, 1),
            OutputLink::Enclosure(_) | OutputLink::Image(_) | OutputLink::File(..) | OutputLink::Named(_) => {
                file(self.href())
            }
            // the model as JSON does not store its place
            OutputLink::Peer(_) => (8, 0),
        }
    }

    fn href(&self) -> Option<&'l Str<'l>> {
        match self {
            OutputLink::Main(_, href, ..) => Some(href),
            OutputLink::Whole(link, _) | OutputLink::Related(link) => link.href.as_ref(),
            OutputLink::Enclosure(enclosure) => enclosure.url.as_ref(),
            OutputLink::Named(names) => names.first()?.url(),
            OutputLink::Image(image) => image.loc.as_ref(),
            OutputLink::File(name) => name.url(),
            OutputLink::Peer(link) => link.href.as_ref(),
            OutputLink::License(license) => license.href.as_ref(),
        }
    }

    fn write(&self, out: &mut Out<'_, '_>) {
        let Some(href) = self.href() else { return };
        match self {
            OutputLink::Main(rel, href, None, Some(kind)) => out.element_at("link", href.mark, |out| {
                out.constant("rel", rel);
                out.attr_as("href", href.mark, href.as_str(), None);
                match *kind {
                    RSS_FEED => {
                        out.make_attr("type", Field::LinkType, Reason::CommentsInRss, Some(href.mark), RSS_FEED);
                    }
                    kind => out.constant("type", kind),
                }
            }),
            OutputLink::Main(rel, href, link, _) => modules::write_link(out, "link", rel, Some(href), *link),
            OutputLink::Whole(link, rel) => modules::write_link(out, "link", rel, None, Some(link)),
            OutputLink::Related(link) => modules::write_related(out, "link", link),
            OutputLink::Enclosure(_) | OutputLink::File(..) => {
                self.attached().iter().for_each(|name| write_file(std::slice::from_ref(name), href, None, out));
            }
            OutputLink::Named(names) => write_file(names, href, None, out),
            OutputLink::Image(image) => {
                let name = image.file.as_deref().map(|file| AttachedName::File(file, None));
                write_file(name.as_slice(), href, Some(Reason::UsedAsEnclosure), out);
                let place = image.file.as_ref().and_then(|file| file.media.as_ref()).map(|media| &media.location);
                out.drop(place.unwrap_or(&Vec::new()), (), Reason::AtomAttribute);
            }
            OutputLink::Peer(link) => {
                write_file(&[AttachedName::Peer(link)], href, Some(Reason::UsedAsEnclosure), out);
            }
            OutputLink::License(license) => write_license(out, href, license),
        }
    }
}

fn write_license(out: &mut Out<'_, '_>, href: &Str<'_>, license: &crate::model::License<'_>) {
    let change = Some(Reason::UsedForEntry);
    out.element_at("link", href.mark, |out| {
        out.constant("rel", "license");
        out.attr_as("href", href.mark, href.as_str(), change);
        for (name, value) in [("type", &license.kind), ("title", &license.text)] {
            if let Some(value) = value {
                out.attr_as(name, value.mark, value.as_str(), change);
            }
        }
    });
}

/// What names a file: a place that may give the values of its link.
#[derive(Clone, Copy)]
enum AttachedName<'l> {
    Enclosure(&'l Enclosure<'l>),
    /// A file, and the title of its video where that is nowhere else.
    File(&'l File<'l>, Option<&'l Text<'l>>),
    Peer(&'l PeerLink<'l>),
}

impl<'l> AttachedName<'l> {
    fn url(self) -> Option<&'l Str<'l>> {
        match self {
            AttachedName::Enclosure(enclosure) => enclosure.url.as_ref(),
            AttachedName::File(file, _) => file.url.as_ref(),
            AttachedName::Peer(link) => link.href.as_ref(),
        }
    }

    fn enclosure(self) -> Option<&'l Enclosure<'l>> {
        match self {
            AttachedName::Enclosure(enclosure) => Some(enclosure),
            AttachedName::File(..) | AttachedName::Peer(_) => None,
        }
    }

    fn file(self) -> Option<&'l File<'l>> {
        match self {
            AttachedName::Enclosure(enclosure) => enclosure.file.as_deref(),
            AttachedName::File(file, _) => Some(file),
            AttachedName::Peer(_) => None,
        }
    }

    fn title_of_video(self) -> Option<&'l Text<'l>> {
        match self {
            AttachedName::File(_, title) => title,
            AttachedName::Enclosure(_) | AttachedName::Peer(_) => None,
        }
    }

    fn peer(self) -> Option<&'l PeerLink<'l>> {
        match self {
            AttachedName::Peer(link) => Some(link),
            AttachedName::Enclosure(_) | AttachedName::File(..) => None,
        }
    }

    fn kinds(self) -> impl Iterator<Item = &'l Str<'l>> {
        let own = self.enclosure().map(|it| &it.kind).or(self.peer().map(|it| &it.kind));
        own.into_iter().chain(self.file().map(|it| &it.kind)).flatten()
    }

    fn languages(self) -> impl Iterator<Item = &'l Str<'l>> {
        self.enclosure().map(|it| &it.lang).into_iter().chain(self.file().map(|it| &it.lang)).flatten()
    }

    fn titles(self) -> impl Iterator<Item = &'l Str<'l>> {
        self.enclosure().map(|it| &it.title).into_iter().chain(self.file().map(|it| &it.title)).flatten()
    }

    fn lengths(self) -> impl Iterator<Item = &'l Leaf<u64>> {
        self.enclosure().map(|it| &it.length).into_iter().chain(self.file().map(|it| &it.size)).flatten()
    }
}

/// Writes a file as a link with what its names give; what the first of them gives counts.
fn write_file(names: &[AttachedName<'_>], href: &Str<'_>, change: ValueChange, out: &mut Out<'_, '_>) {
    let each = || names.iter().copied();
    out.element_at("link", href.mark, |out| {
        out.constant("rel", "enclosure");
        out.attr_as("href", href.mark, href.as_str(), change);
        write_type(names, href, out);
        attribute(out, "hreflang", each().flat_map(AttachedName::languages));
        match each().find_map(AttachedName::title_of_video) {
            Some(title) if each().flat_map(AttachedName::titles).next().is_none() => {
                let (text, stripped) = plain(title);
                out.attr_as("title", title.value.mark, &text, stripped.or(Some(Reason::UsedAsTitle)));
            }
            _ => attribute(out, "title", each().flat_map(AttachedName::titles)),
        }
        let mut lengths = each().flat_map(AttachedName::lengths);
        if let Some(length) = lengths.next() {
            out.attr_as("length", length.mark, &length.value.to_string(), None);
            lengths.for_each(|further| merge(out, length, further));
        }
    });
    let kind = each().flat_map(AttachedName::kinds).next().and_then(|kind| mime::medium_of_type(&kind.value));
    let medium = kind.or_else(|| mime::medium_of_url(&href.value));
    for name in each() {
        if let Some(file) = name.file() {
            constants(file, medium, out);
            // the URL of an enclosure may be that of its file, under another number
            if let Some(url) = &file.url {
                out.books().kept_as(url.mark, || url.as_str().to_owned());
            }
        }
        let is_file = matches!(name, AttachedName::File(..));
        if let Some(url) = name.url().filter(|url| url.mark != href.mark && !is_file) {
            merge(out, href, url);
        }
    }
}

fn write_type(names: &[AttachedName<'_>], href: &Str<'_>, out: &mut Out<'_, '_>) {
    let kinds = names.iter().copied().flat_map(AttachedName::kinds);
    let mut kinds = kinds.filter(|kind| is_type_written(kind, out)).collect::<Vec<_>>().into_iter();
    let mut codecs = names.iter().filter_map(|name| name.file()?.codecs.as_ref());
    let Some(kind) = kinds.next() else {
        let guess = url::extension(href).and_then(mime::by_extension);
        if let Some(guess) = guess.filter(|_| !out.same_family()) {
            out.make_attr("type", Field::EnclosureType, Reason::GeneratedType, Some(href.mark), guess);
        }
        return codecs.for_each(|codecs| out.books().lost(codecs.mark, Reason::DetachedAttribute));
    };
    match codecs.next() {
        Some(first) => {
            let whole = mime::with_codecs(kind, first);
            out.attr_as("type", first.mark, &whole, Some(Reason::OtherElement));
            out.books().kept(kind.mark);
            codecs.for_each(|further| merge(out, first, further));
        }
        None => out.attr_as("type", kind.mark, kind.as_str(), None),
    }
    kinds.for_each(|further| merge(out, kind, further));
}

/// Whether a type is to be written. An empty one is only written back into its own family.
fn is_type_written(kind: &Str<'_>, out: &mut Out<'_, '_>) -> bool {
    let is_said = out.same_family() || !kind.value.trim().is_empty();
    if !is_said {
        out.books().lost(kind.mark, Reason::NoTerm);
    }
    is_said
}

/// Writes the first of these values; the others are merged.
fn attribute<'l>(out: &mut Out<'_, '_>, name: &str, mut values: impl Iterator<Item = &'l Str<'l>>) {
    let Some(first) = values.next() else { return };
    out.attr_as(name, first.mark, first.as_str(), None);
    values.for_each(|further| merge(out, first, further));
}

fn merge<T: PartialEq>(out: &mut Out<'_, '_>, first: &Leaf<T>, further: &Leaf<T>) {
    let why = if first.value == further.value { Reason::SameValue } else { Reason::FirstWins };
    out.books().merged(further.mark, why);
}
