//! Writes the head of RSS 2.0: the root, and the channel up to its first item.

use super::item::Extension;
use super::person::write_person;
use super::words::{
    has_address, in_order, leads_nowhere, lose_link, of_unsaid_kind, put_language, write_category, write_contributors,
    write_name, write_plain, write_terms, write_title,
};
use crate::emit::{Out, can_stand_for};
use crate::format::contract::Setup;
use crate::format::ns::{media as mrss, modules};
use crate::format::order;
use crate::format::sitemap::carry::CarriedValues;
use crate::model::page::LinkFields;
use crate::model::{Category, Feed, FeedImage, Field, Foreign, Leaf, Mark, Person, Str, Walk};
use crate::options::ForeignMode;
use crate::place::SourceElements;
use crate::reason::Reason;
use crate::text::url;
use crate::xml::names::{Ns, is_ncname};

/// Modules that feeds use, declared once rather than on each of their elements: of any source, as what was written is
/// written again the same.
const MODULES: [Ns; 7] = [Ns::Itunes, Ns::Sy, Ns::Slash, Ns::Wfw, Ns::Thr, Ns::GeoRss, Ns::CreativeCommons];

/// The namespaces to declare: those of the target, the common modules, and, in the source's family, the unknown
/// namespaces of the head. The head is written before the entries, so namespaces that only entries use are declared
/// there.
pub fn namespaces(setup: &Setup<'_>, extension: Extension) -> Vec<(String, String)> {
    let mut own = vec![Ns::Content, Ns::Dc, Ns::Atom];
    match extension {
        Extension::None => (),
        Extension::Media => own.extend([Ns::Media, Ns::Dcterms]),
        Extension::Podcast => own.push(Ns::Podcast),
    }
    own.extend(MODULES);
    let mut all: Vec<(String, String)> = own.iter().map(|ns| (ns.prefix().to_owned(), ns.uri().to_owned())).collect();
    if setup.same_family && setup.options.foreign == ForeignMode::Same {
        // deeper elements may be inside one that is not written
        let above = |item: &&Foreign<'_>| {
            let around = |step: &&str| matches!(*step, "rss" | "rdf:RDF" | "RDF" | "channel");
            item.path.split('/').skip_while(around).count() < 2
        };
        for item in setup.feed.foreign.iter().filter(above) {
            let step = item.path.rsplit('/').next().unwrap_or("").trim_start_matches('@');
            let prefix = step.split_once(':').map(|(prefix, _)| prefix);
            let ns = Ns::from_uri(&item.ns).ns;
            let of_podcast = |prefix: &str| ns == Ns::Podcast && prefix == ns.prefix();
            let of_nobody = |prefix: &str| ns == Ns::Unknown && Ns::by_prefix(prefix).is_none();
            let is_free = |prefix: &&str| is_ncname(prefix) && (of_podcast(prefix) || of_nobody(prefix));
            if let Some(prefix) = prefix.filter(is_free)
                && !item.ns.is_empty()
                && can_stand_for(prefix, &item.ns)
                && !all.iter().any(|(known, _)| known == prefix)
                && all.len() < MOST
            {
                all.push((prefix.to_owned(), item.ns.to_string()));
            }
        }
    }
    all
}

/// Declarations on the root, at most: heads with more unknown namespaces declare them where they are used.
const MOST: usize = 50;

/// RSS of other versions: what was not understood of it would be taken for an element of this one.
const FORMER: [Ns; 4] = [Ns::Rss10, Ns::Rss090, Ns::Rss11, Ns::Rss2];

/// The same with Media RSS.
const FORMER_AND_MEDIA: [Ns; 5] = [Ns::Rss10, Ns::Rss090, Ns::Rss11, Ns::Rss2, Ns::Media];

/// The vocabularies whose unknown elements are not written: those of other versions, and Media RSS in the formats without.
pub fn claimed(extension: Extension, setup: &Setup<'_>) -> &'static [Ns] {
    if setup.omits_unknown_media(extension == Extension::Media) { &FORMER_AND_MEDIA } else { &FORMER }
}

/// Writes everything before the first item, and leaves the channel open.
pub fn write<'e>(feed: &'e Feed<'e>, setup: &Setup<'_>, extension: Extension, out: &mut Out<'_, 'e>) {
    out.prolog("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // what several channels have for their own items is not for all of them
    let is_lent = feed.origin.objects.is_some();
    out.claim(if is_lent { &FORMER_AND_MEDIA } else { claimed(extension, setup) });
    out.place(&feed.foreign, SourceElements::of_head(feed));
    out.enter("rss");
    out.constant("version", "2.0");
    out.declare_all();
    let of_xml = |language: &&Str<'_>| language.via == Some(Ns::Xml) && setup.same_family;
    if let Some(language) = feed.language.as_ref().filter(of_xml) {
        out.attr_as("xml:lang", language.mark, &language.value, None);
    }
    out.put(Field::FeedBase, &feed.base);
    // including unknown markup from after the channel, which stays open for the items
    out.unknown();
    out.enter("channel");
    out.arrange(order::rss_head);
    let media = extension == Extension::Media;
    let head = RssHeadWriter { feed, setup, podcast: extension == Extension::Podcast };
    head.required(out);
    head.own(out);
    head.links(out);
    head.modules(out);
    match (media, feed.media.as_deref()) {
        (true, _) => mrss::write_feed(feed, out, setup),
        (false, Some(_)) if CarriedValues::for_head(setup).levels => {
            out.carry(super::fate::fate_media, Some(Reason::UsedAsExtension), |out| mrss::write_feed(feed, out, setup));
        }
        (false, Some(defaults)) => {
            if setup.same_family {
                write_terms(out, defaults, media);
            }
            let why = if head.podcast { Reason::PodcastElement } else { Reason::RssVideo };
            super::left::defaults(defaults, why, out);
        }
        (false, None) => (),
    }
    let taken = modules::for_google(&feed.modules, setup.google(), out);
    modules::write_terms(out, taken);
    out.pause();
}

struct RssHeadWriter<'w, 'e> {
    feed: &'e Feed<'e>,
    setup: &'w Setup<'w>,
    /// With the elements of podcasts.
    podcast: bool,
}

impl<'e> RssHeadWriter<'_, 'e> {
    /// S-R1 to S-R3.
    fn required(&self, out: &mut Out<'_, 'e>) {
        let feed = self.feed;
        match &feed.title {
            Some(title) => write_title(out, title, None),
            None => match self.made_title() {
                Some((text, from)) => {
                    let why = self.setup.survey.why_of_title();
                    out.make("title", Field::FeedTitle, why, from, &of_unsaid_kind(&text));
                }
                None => {
                    out.books().doubt(Field::FeedTitle, Reason::EmptyTitle);
                    out.make("title", Field::FeedTitle, Reason::EmptyTitle, None, "");
                }
            },
        }
        match (&feed.home, self.made_home()) {
            (Some(home), _) => out.elem_as("link", home.mark, &home.value, None),
            (None, Some(text)) => {
                let why = if self.home_is_file() { Reason::BaseAsLink } else { Reason::GeneratedLink };
                if why == Reason::BaseAsLink {
                    out.books().doubt(Field::FeedHome, why);
                }
                out.make("link", Field::FeedHome, why, None, &text);
            }
            (None, None) => {
                out.books().doubt(Field::FeedHome, Reason::EmptyLink);
                out.make("link", Field::FeedHome, Reason::EmptyLink, None, "");
            }
        }
        match (&feed.subtitle, &feed.title, self.made_title()) {
            (Some(subtitle), _, _) => super::words::write_html_or_unsaid(out, "description", subtitle),
            (None, Some(title), _) => {
                let text = crate::text::html::to_plain(&super::words::as_html(title));
                let from = Some(title.value.mark);
                let text = of_unsaid_kind(&text);
                out.make("description", Field::FeedSubtitle, Reason::DescriptionFromTitle, from, &text);
            }
            (None, None, Some((text, from))) => {
                let text = of_unsaid_kind(&text);
                out.make("description", Field::FeedSubtitle, Reason::DescriptionFromTitle, from, &text);
            }
            (None, None, None) => {
                out.books().doubt(Field::FeedSubtitle, Reason::EmptyDescription);
                out.make("description", Field::FeedSubtitle, Reason::EmptyDescription, None, "");
            }
        }
    }

    /// The name of the publication, or a host: a fact rather than prose.
    fn made_title(&self) -> Option<(String, Option<Mark>)> {
        if let Some(name) = &self.setup.survey.news_name {
            return Some((name.clone(), None));
        }
        let mut from_head = [&self.feed.self_url, &self.feed.home].into_iter().flatten();
        let from_head = from_head.find_map(|leaf| Some((url::host(&leaf.value)?.to_owned(), Some(leaf.mark))));
        let page = self.setup.survey.first_page.as_deref().or(self.setup.options.base.as_deref());
        from_head.or_else(|| Some((url::host(page?)?.to_owned(), None)))
    }

    /// Whether the home page is unknown, except for the URL of the document itself.
    fn home_is_file(&self) -> bool {
        self.setup.survey.first_page.as_deref().and_then(url::origin).is_none()
    }

    fn made_home(&self) -> Option<String> {
        let page = self.setup.survey.first_page.as_deref().and_then(url::origin).map(|origin| format!("{origin}/"));
        page.or_else(|| self.setup.options.base.clone())
    }

    /// The other elements of RSS itself.
    fn own(&self, out: &mut Out<'_, 'e>) {
        let feed = self.feed;
        if let Some(language) = &feed.language
            && !(self.setup.same_family && language.via == Some(Ns::Xml))
        {
            put_language(Field::FeedLanguage, language, out);
        }
        if let Some(rights) = &feed.rights
            && !modules::write_text(out, Field::FeedRights, rights)
        {
            write_plain(out, "copyright", rights, None);
        }
        self.people(out);
        for (field, date) in [(Field::FeedPublished, &feed.published), (Field::FeedUpdated, &feed.updated)] {
            if let Some(leaf) = date.as_ref().filter(|leaf| leaf.is_generated()) {
                out.books().lost(leaf.mark, Reason::EarlierConversion);
            } else if let Some(leaf) = date
                && !modules::write_date(out, field, leaf)
            {
                out.put(field, date);
            }
        }
        let category = |out: &mut Out<'_, 'e>, category: &'e Category<'e>| {
            if !(self.podcast && super::podcast::write_category(category, out)) {
                write_category(out, category, None);
            }
        };
        modules::write_categories(out, Field::FeedCategoryTerm, &feed.categories, category, |_| ());
        self.generator(out);
        out.put(Field::FeedDocs, &feed.docs);
        if let Some(cloud) = &feed.cloud {
            out.element("cloud", |out| {
                out.put(Field::FeedCloudDomain, &cloud.domain);
                out.put(Field::FeedCloudPort, &cloud.port);
                out.put(Field::FeedCloudPath, &cloud.path);
                out.put(Field::FeedCloudProcedure, &cloud.register_procedure);
                out.put(Field::FeedCloudProtocol, &cloud.protocol);
            });
        }
        out.put(Field::FeedTtl, &feed.ttl);
        if let Some(image) = &feed.image {
            self.image(out, image);
        }
        out.put(Field::FeedPicsRating, &feed.pics_rating);
        if let Some(input) = &feed.text_input {
            // RSS requires all four
            out.element("textInput", |out| {
                if input.is_blank() {
                    return;
                }
                for (name, field, why, text) in [
                    ("title", Field::FeedTextInputTitle, Reason::EmptyTitle, &input.title),
                    ("description", Field::FeedTextInputDescription, Reason::EmptyDescription, &input.description),
                ] {
                    match text {
                        Some(text) => write_plain(out, name, text, None),
                        None => out.make(name, field, why, None, ""),
                    }
                }
                out.put_always("name", Field::FeedTextInputName, &input.name, Reason::EmptyTitle);
                out.put_always("link", Field::FeedTextInputLink, &input.link, Reason::EmptyLink);
            });
        }
        out.element("skipHours", |out| skip_hours(&feed.skip_hours, out));
        out.element("skipDays", |out| out.each(Field::FeedSkipDay, &feed.skip_days));
    }

    /// `managingEditor` requires an e-mail address; the other elements hold names.
    fn people(&self, out: &mut Out<'_, 'e>) {
        let own = |author: &Person<'_>| has_address(author) || self.is_editor(author);
        for (author, carrier) in in_order(&self.feed.authors, (Field::FeedAuthorName, "dc:creator"), own, out) {
            match carrier {
                None => write_person(out, "managingEditor", author),
                Some(_) if modules::write_person(out, Field::FeedAuthorName, author) => (),
                Some(name) => write_name(out, name, author, None),
            }
        }
        if let Some(master) = &self.feed.web_master {
            write_person(out, "webMaster", master);
        }
        write_contributors(&self.feed.contributors, Field::FeedContributorName, out);
    }

    /// A name from `managingEditor` is written back there.
    fn is_editor(&self, author: &Person<'_>) -> bool {
        self.setup.same_family && author.name.as_ref().is_some_and(|name| name.via.is_none())
    }

    fn generator(&self, out: &mut Out<'_, 'e>) {
        let Some(generator) = &self.feed.generator else { return };
        let parts: Vec<&Str<'_>> =
            [&generator.name, &generator.version, &generator.uri].into_iter().flatten().collect();
        let text: Vec<&str> = parts.iter().map(|part| part.as_str()).collect();
        let joined = text.join(" ");
        let change = (parts.len() > 1).then_some(Reason::RssGenerator);
        if let Some((first, others)) = parts.split_first() {
            out.elem_as("generator", first.mark, &joined, change);
            if let Some(why) = change {
                others.iter().for_each(|part| out.books().changed(part.mark, why, joined.clone()));
            }
        }
    }

    fn image(&self, out: &mut Out<'_, 'e>, image: &'e FeedImage<'e>) {
        // its further values go back into RSS's own element, which had no URL then
        if self.podcast && super::podcast::write_artwork(image, out) {
            return;
        }
        let elsewhere = modules::write_itunes_image(out, Field::FeedImageUrl, &image.url);
        // RSS requires a URL, a title and a link
        let is_whole = !elsewhere && image.url.is_some();
        out.element("image", |out| {
            if !elsewhere {
                out.put(Field::FeedImageUrl, &image.url);
            }
            match (&image.title, &self.feed.title) {
                (Some(title), _) => write_plain(out, "title", title, None),
                (None, Some(title)) if self.makes() => {
                    let text = crate::text::html::to_plain(&super::words::as_html(title));
                    let text = of_unsaid_kind(&text);
                    out.make("title", Field::FeedImageTitle, Reason::GeneratedTitle, Some(title.value.mark), &text);
                }
                (None, _) if is_whole => out.element_always("title", |_| ()),
                (None, _) => (),
            }
            match (&image.link, &self.feed.home, self.made_home()) {
                (Some(_), ..) => out.put(Field::FeedImageLink, &image.link),
                (None, Some(home), _) if self.makes() => {
                    out.make("link", Field::FeedImageLink, Reason::GeneratedLink, Some(home.mark), &home.value);
                }
                // the link of the channel is generated from the same
                (None, None, Some(home)) if self.makes() => {
                    out.make("link", Field::FeedImageLink, Reason::GeneratedLink, None, &home);
                }
                (None, ..) if is_whole => out.element_always("link", |_| ()),
                (None, ..) => (),
            }
            for (field, size, most) in
                [(Field::FeedImageWidth, &image.width, 144), (Field::FeedImageHeight, &image.height, 400)]
            {
                match size {
                    Some(pixels) if pixels.value > most && !self.setup.same_family => {
                        out.books().lost(pixels.mark, Reason::RssImageSize);
                    }
                    _ => out.put(field, size),
                }
            }
            if let Some(description) = &image.description {
                write_plain(out, "description", description, None);
            }
        });
    }

    /// Whether required values that the source lacks are generated.
    fn makes(&self) -> bool {
        !self.setup.same_family && !self.setup.options.no_synth
    }

    /// S-R10 and the other links.
    fn links(&self, out: &mut Out<'_, 'e>) {
        let feed = self.feed;
        let rest_of = |rel: &str| {
            feed.links.iter().find(|link| {
                let said = link.rel.as_ref().map_or("alternate", |said| modules::short_rel(&said.value));
                link.href.is_none() && said == rel
            })
        };
        let rest = rest_of("self");
        match (&self.setup.options.self_url, &feed.self_url) {
            (Some(given), own) => {
                out.element_always("atom:link", |out| {
                    out.constant("rel", "self");
                    out.make_attr("href", Field::FeedSelf, Reason::GeneratedSelfUrl, None, given);
                    out.constant("type", "application/rss+xml");
                });
                if let Some(own) = own {
                    out.books().merged(own.mark, Reason::GivenUrl);
                }
            }
            // a link with further attributes keeps its place among the links
            (None, Some(own)) if self.setup.same_family => {
                if rest.is_none() {
                    modules::write_link(out, "atom:link", "self", Some(own), None);
                }
            }
            (None, Some(own)) => {
                out.books().lost(own.mark, Reason::SelfUnknown);
            }
            (None, None) => (),
        }
        let home = feed.home.as_ref().filter(|home| self.setup.same_family && home.via == Some(Ns::Atom));
        if let (Some(home), Some(rest)) = (home, rest_of("alternate")) {
            modules::write_link(out, "atom:link", "alternate", Some(home), Some(rest));
        }
        let kept = self.setup.same_family && self.setup.options.self_url.is_none();
        let own_lost = feed.self_url.is_some() && !self.setup.same_family && self.setup.options.self_url.is_none();
        for link in &feed.links {
            let own = feed.self_url.as_ref().filter(|_| kept && rest.is_some_and(|rest| std::ptr::eq(rest, link)));
            match (&link.href, own) {
                (Some(href), _) if leads_nowhere(href, out) => out.drop(link, LinkFields::FEED, Reason::NoUrl),
                (Some(_), _) => modules::write_link(out, "atom:link", "", None, Some(link)),
                (None, Some(own)) => modules::write_link(out, "atom:link", "self", Some(own), Some(link)),
                (None, None) if own_lost && rest.is_some_and(|rest| std::ptr::eq(rest, link)) => {
                    out.drop(link, LinkFields::FEED, Reason::SelfUnknown);
                }
                (None, None) => lose_link(out, link, feed.home.is_some() && modules::gives_page(link)),
            }
        }
    }

    fn modules(&self, out: &mut Out<'_, 'e>) {
        let feed = self.feed;
        out.put(Field::FeedId, &feed.id);
        if let Some(icon) = feed.icon.as_ref().filter(|_| out.same_family()) {
            out.elem_as("atom:icon", icon.mark, &icon.value, None);
        }
        out.put(Field::FeedPublisher, &feed.publisher);
        out.put(Field::FeedUpdatePeriod, &feed.update_period);
        out.put(Field::FeedUpdateFrequency, &feed.update_frequency);
        if let Some(base) = &feed.update_base {
            out.elem_as("sy:updateBase", base.mark, &base.value.to_w3c(), None);
        }
        modules::write_itunes_feed(out, feed, self.podcast);
        modules::write_flags(out, feed, self.podcast);
        let google = self.setup.google();
        let taken = modules::for_google(&feed.modules, google, out);
        match self.podcast {
            true => modules::write_podcast_modules(out, taken),
            false => modules::write_modules(out, taken),
        }
        modules::write_licenses(feed, out, |address, out| {
            out.elem_as("creativeCommons:license", address.mark, &address.value, None);
        });
    }
}

/// Writes the hours of `skipHours`: RSS 2.0 has 0 to 23, so 24 (midnight in RSS 0.91) is written as 0.
fn skip_hours(hours: &[Leaf<u64>], out: &mut Out<'_, '_>) {
    let midnight = hours.iter().find(|hour| matches!(hour.value, 0 | 24));
    for hour in hours {
        match midnight.filter(|first| hour.value == 24 || hour.value == 0 && first.value == 24) {
            None => out.put_leaf(Field::FeedSkipHour, hour),
            Some(first) if first.mark == hour.mark => {
                out.elem_as("hour", hour.mark, "0", Some(Reason::UsualTerm));
            }
            Some(first) => out.books().merged_with(hour.mark, first.mark, Reason::SameValue),
        }
    }
}
