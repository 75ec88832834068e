//! Writes Atom 1.0 (RFC 4287), plain or with Media RSS: the feed and its entries, and what Atom requires and a source
//! may lack. Links are in link.rs, texts in text.rs, the elements of other vocabularies in `format::ns`.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{link, text};
use crate::emit::{Carrier, Out, ValueSpelling};
use crate::fate::FateTable;
use crate::format::choice::{
    article_keywords, episode_keywords, readable_content, settle_date, settle_publication, video_hash,
};
use crate::format::contract::{FormatWriter, Setup, Survey};
use crate::format::medium::of_page;
use crate::format::ns::{dcterms, georss, media, modules};
use crate::format::order;
use crate::format::rss::person;
use crate::format::share::{AttachedShares, Share};
use crate::format::sitemap::carry::{self, CarriedValues};
use crate::format::stamp;
use crate::model::episode;
use crate::model::origin::{LeafRecord, Role};
use crate::model::{
    Category, Date, Entry, Feed, Field, Generator, Leaf, LeafView, Mark, Module, Person, Precision, Source, Str, Text,
    Video, VideoUploader, Walk,
};
use crate::options::Options;
use crate::pages;
use crate::place::SourceElements;
use crate::reason::{Reason, ValueChange, altering};
use crate::text::url;
use crate::xml::names::Ns;

/// Writes Atom.
pub struct AtomWriter {
    /// With Media RSS, GeoRSS and Dublin Core terms.
    pub media: bool,
}

impl FormatWriter for AtomWriter {
    fn table(&self, _: &Options) -> FateTable {
        if self.media { super::fate::media } else { super::fate::plain }
    }

    fn carrier(&self) -> Carrier {
        modules::carrier
    }

    fn spelling(&self) -> ValueSpelling {
        ValueSpelling { yes: "true", no: "false", date: stamp::rfc3339 }
    }

    fn namespaces(&self, _: &Setup<'_>) -> Vec<(String, String)> {
        let own: &[Ns] = if self.media { &[Ns::Media, Ns::Dcterms, Ns::Thr] } else { &[Ns::Thr] };
        let mut all = vec![(String::new(), Ns::Atom.uri().to_owned())];
        all.extend(own.iter().map(|ns| (ns.prefix().to_owned(), ns.uri().to_owned())));
        all
    }

    fn surveys(&self, feed: &Feed<'_>, _: &Options) -> bool {
        feed.updated.is_none() || feed.authors.is_empty()
    }

    fn head_asks(&self, feed: &Feed<'_>, survey: &Survey) -> Survey {
        Survey {
            first_page: survey.first_page.clone(),
            news_name: survey.news_name.clone(),
            newest: survey.newest.filter(|_| feed.updated.is_none()),
            authorless: survey.authorless && feed.authors.is_empty(),
            ..Survey::default()
        }
    }

    fn head<'e>(&self, feed: &'e Feed<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        out.prolog("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        if setup.omits_unknown_media(self.media) {
            out.claim(&[Ns::Media]);
        }
        out.place(&feed.foreign, SourceElements::of_head(feed));
        out.enter("feed");
        out.arrange(order::atom_head);
        out.declare_all();
        if modules::carried(out, Field::FeedLanguage, via(&feed.language)).is_none() {
            out.put(Field::FeedLanguage, &feed.language);
        }
        out.put(Field::FeedBase, &feed.base);
        head_core(feed, setup, out);
        if self.media {
            media::write_feed(feed, out, setup);
        } else if CarriedValues::for_head(setup).levels {
            out.carry(super::fate::media, Some(Reason::UsedAsExtension), |out| media::write_feed(feed, out, setup));
        } else {
            media::write_terms(feed.media.as_deref(), out);
        }
        modules::write_terms(out, &feed.modules);
        lose_texts(feed, out);
        out.pause();
    }

    fn entry<'e>(&self, entry: &'e Entry<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        if pages::is_idle(entry, setup.same_family) {
            return;
        }
        // rule A13: several videos of a page
        let split = setup.explodes(entry.videos.len());
        let media = self.media;
        let mut earlier = media::EarlierObjects::default();
        let attached = if split { AttachedShares::new(entry) } else { AttachedShares::default() };
        let one = |number: usize, video: &'e Video<'e>, earlier| {
            let share = attached.item(number, video);
            AtomEntry { entry, videos: vec![video], earlier, split, share, media, setup }
        };
        let whole = || AtomEntry {
            entry,
            videos: entry.videos.iter().collect(),
            earlier,
            split,
            share: Share::WHOLE,
            media,
            setup,
        };
        let lacks = || match split {
            true => entry.videos.iter().enumerate().any(|(number, video)| one(number, video, earlier).lacks()),
            false => whole().lacks(),
        };
        if setup.options.no_synth && lacks() {
            return out.drop_entry(Reason::NoSynth);
        }
        if setup.omits_unknown_media(self.media) {
            out.claim(&[Ns::Media]);
        }
        if self.media {
            out.admit_terms();
        }
        out.place(&entry.foreign, SourceElements::of_entry(entry, setup.own_feed));
        if !split {
            whole().write(out);
            return lose_texts_of(entry, out);
        }
        out.divide(|number| attached.of_markup(number));
        for (number, video) in entry.videos.iter().enumerate() {
            if number > 0 && !setup.options.pretty {
                out.prolog("\n");
            }
            out.begin_item(number);
            one(number, video, earlier).write(out);
            earlier.add(video, setup, out);
        }
        lose_texts_of(entry, out);
        let why = Reason::OtherValue;
        out.drop(&entry.title, Field::Title, why);
        out.drop(&entry.summary, Field::Summary, why);
    }

    fn tail(&self, _: &Setup<'_>, buf: &mut Vec<u8>) {
        buf.extend_from_slice(b"</feed>\n");
    }
}

fn via<T>(leaf: &Option<Leaf<T>>) -> Option<Ns> {
    leaf.as_ref().and_then(|leaf| leaf.via)
}

/// Languages and bases of texts that were written as something else, or not at all.
fn lose_texts<W: Walk<Names = ()>>(part: &W, out: &mut Out<'_, '_>) {
    let books = out.books();
    part.walk((), &mut |seen: LeafView<'_>| {
        if matches!(seen.field, Field::TextLang | Field::TextBase) {
            books.lost(seen.mark, Reason::DetachedAttribute);
        }
    });
}

/// The same for an entry, once all that is written of its page is written.
fn lose_texts_of(entry: &Entry<'_>, out: &mut Out<'_, '_>) {
    if !entry.videos.is_empty() || entry.media.is_some() || !entry.images.is_empty() || entry.news.is_some() {
        lose_texts(entry, out);
    }
}

// --- the feed ---

fn head_core<'e>(feed: &'e Feed<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
    head_id(feed, setup, out);
    match feed.title.as_ref().filter(|title| is_natural(out, Field::FeedTitle, title)) {
        Some(title) => text::write(out, "title", title, None),
        None => head_title(feed, setup, out),
    }
    text_or_carrier(out, Field::FeedSubtitle, "subtitle", &feed.subtitle);
    head_updated(feed, setup, out);
    if let Some(published) = feed.published.as_ref().filter(|_| out.same_family())
        && !modules::write_date(out, Field::FeedPublished, published)
    {
        date_as(out, "published", published);
    }
    persons(out, "author", Field::FeedAuthorName, &feed.authors);
    head_author(feed, setup, out);
    persons(out, "contributor", Field::FeedContributorName, &feed.contributors);
    others(out, Field::FeedAuthorName, &feed.authors);
    others(out, Field::FeedContributorName, &feed.contributors);
    link::write_head(feed, setup, out);
    modules::write_licenses(feed, out, |address, out| {
        out.element_always("link", |out| {
            out.constant("rel", "license");
            out.attr_as("href", address.mark, &address.value, Some(Reason::OtherElement));
        });
    });
    modules::write_categories(out, Field::FeedCategoryTerm, &feed.categories, write_category, |_| ());
    generator(out, &feed.generator);
    out.put(Field::FeedIcon, &feed.icon);
    if let Some(image) = &feed.image
        && !modules::write_itunes_image(out, Field::FeedImageUrl, &image.url)
    {
        out.put(Field::FeedImageUrl, &image.url);
    }
    text_or_carrier(out, Field::FeedRights, "rights", &feed.rights);
    if modules::carried(out, Field::FeedLanguage, via(&feed.language)).is_some() {
        out.put(Field::FeedLanguage, &feed.language);
    }
    out.put(Field::FeedUpdatePeriod, &feed.update_period);
    out.put(Field::FeedUpdateFrequency, &feed.update_frequency);
    if let Some(base) = &feed.update_base {
        out.elem_as("sy:updateBase", base.mark, &base.value.to_w3c(), None);
    }
    if let Some(publisher) = feed.publisher.as_ref().filter(|_| out.same_family()) {
        out.elem_as("dc:publisher", publisher.mark, publisher.as_str(), None);
    }
    modules::write_flags(out, feed, false);
    modules::write_itunes_feed(out, feed, false);
    modules::write_modules(out, &feed.modules);
}

/// S-A2.
fn head_id(feed: &Feed<'_>, setup: &Setup<'_>, out: &mut Out<'_, '_>) {
    let address = feed.self_url.as_ref().or(feed.home.as_ref()).filter(|address| url::scheme(address).is_some());
    match (&feed.id, address) {
        (Some(_), _) => out.put(Field::FeedId, &feed.id),
        (None, Some(address)) => {
            out.make("id", Field::FeedId, Reason::GeneratedId, Some(address.mark), address.as_str());
        }
        (None, None) => {
            let (name, mark) = head_name(feed, setup).unwrap_or_default();
            out.make("id", Field::FeedId, Reason::GeneratedId, Some(mark), &stamp::urn(&name));
        }
    }
}

/// S-R1: the name of the feed, and the leaf it comes from.
fn head_name(feed: &Feed<'_>, setup: &Setup<'_>) -> Option<(String, Mark)> {
    if let Some(title) = &feed.title {
        return Some((text::plain(title), title.value.mark));
    }
    if let Some(name) = &setup.survey.news_name {
        return Some((name.clone(), Mark::NONE));
    }
    let known = feed.self_url.as_ref().or(feed.home.as_ref());
    let known = known.and_then(|address| Some((url::host(address)?.to_owned(), address.mark)));
    known.or_else(|| Some((url::host(setup.survey.first_page.as_deref()?)?.to_owned(), Mark::NONE)))
}

fn head_title(feed: &Feed<'_>, setup: &Setup<'_>, out: &mut Out<'_, '_>) {
    let (name, mark) = head_name(feed, setup).unwrap_or_default();
    let why = match &feed.title {
        _ if name.is_empty() => Reason::EmptyTitle,
        Some(_) => Reason::TitleFromText,
        None => setup.survey.why_of_title(),
    };
    if why == Reason::EmptyTitle {
        out.books().doubt(Field::FeedTitle, why);
    }
    out.make("title", Field::FeedTitle, why, Some(mark), &name);
    if let Some(title) = &feed.title {
        modules::write_text(out, Field::FeedTitle, title);
    }
}

/// S-A4.
fn head_updated(feed: &Feed<'_>, setup: &Setup<'_>, out: &mut Out<'_, '_>) {
    if let Some(updated) = feed.updated.as_ref()
        && !modules::write_date(out, Field::FeedUpdated, updated)
    {
        return updated_as(out, updated);
    }
    let own = feed.updated.as_ref().or(feed.published.as_ref());
    let newest = setup.survey.newest.map(Leaf::new);
    let run = setup.options.modified.or(setup.options.now).map(Leaf::new);
    let date = feed.updated.as_ref().or(newest.as_ref()).or(own).or(run.as_ref());
    let text = date.map(|date| date.value.to_rfc3339()).unwrap_or_default();
    let from = date.map(|date| date.mark);
    let is_found = from.is_some_and(Mark::is_some) || newest.is_some();
    let why = if is_found { Reason::GeneratedDate } else { why_of_run(setup) };
    generated(out, Field::FeedUpdated, from, &text, why);
}

/// Writes the name of a person, its URI, and the e-mail address if one text holds it and the name.
fn named(out: &mut Out<'_, '_>, whole: &Str<'_>, uri: Option<&Str<'_>>, change: ValueChange) {
    let parts = person::split(&whole.value);
    match parts {
        Some((_, name)) => out.elem_as("name", whole.mark, name, Some(Reason::NameAndEmailApart)),
        None => out.elem_as("name", whole.mark, whole.as_str(), change),
    }
    if let Some(uri) = uri {
        out.elem_as("uri", uri.mark, uri.as_str(), change);
    }
    if let Some((email, _)) = parts {
        out.elem_as("email", Mark::NONE, email, None);
    }
}

/// S-A5, where neither the feed nor some entry has an author.
fn head_author(feed: &Feed<'_>, setup: &Setup<'_>, out: &mut Out<'_, '_>) {
    if !feed.authors.is_empty() || !setup.survey.authorless {
        return;
    }
    let owner = feed.owner.as_ref().and_then(|owner| owner.name.as_ref());
    if let Some(name) = owner.filter(|name| !setup.same_family && !name.value.trim().is_empty()) {
        return out.element_always("author", |out| {
            out.elem_as("name", name.mark, name.as_str(), Some(Reason::UsedAsAuthor));
        });
    }
    let owner = owner.map(|name| (name.as_str().to_owned(), name.mark));
    let (name, mark) = owner.or_else(|| head_name(feed, setup)).unwrap_or_default();
    let why = if name.is_empty() { Reason::EmptyAuthor } else { Reason::GeneratedAuthor };
    if why == Reason::EmptyAuthor {
        out.books().doubt(Field::FeedAuthorName, why);
    }
    out.element_always("author", |out| {
        out.make("name", Field::FeedAuthorName, why, Some(mark), &name);
    });
}

// --- parts of both ---

/// Whether a text goes into an element of Atom, and not into one of a module.
fn is_natural(out: &Out<'_, '_>, field: Field, text: &Text<'_>) -> bool {
    modules::carried(out, field, text.value.via).is_none()
}

fn text_or_carrier(out: &mut Out<'_, '_>, field: Field, name: &str, text: &Option<Text<'_>>) {
    if let Some(text) = text
        && !modules::write_text(out, field, text)
    {
        text::write(out, name, text, None);
    }
}

fn date_as(out: &mut Out<'_, '_>, name: &str, date: &Leaf<Date>) {
    let (text, change) = stamp::rfc3339(&date.value);
    out.elem_as(name, date.mark, &text, change);
}

/// Marks the date as generated for later conversions: no source gives the time of the last change. Other programs
/// ignore the attribute.
const GENERATED: &str = "transfeed:generated";

fn sign(out: &mut Out<'_, '_>) {
    out.declare(GENERATED);
    out.constant(GENERATED, "true");
}

/// Writes `updated`, as generated if an earlier conversion made it.
fn updated_as(out: &mut Out<'_, '_>, date: &Leaf<Date>) {
    if !date.is_generated() {
        return date_as(out, "updated", date);
    }
    out.element_always("updated", |out| {
        sign(out);
        let (text, change) = stamp::rfc3339(&date.value);
        out.text_as(date.mark, &text, change);
    });
}

/// Why a date is generated where the source has none: from the date of the input file, or the time of the run.
fn why_of_run(setup: &Setup<'_>) -> Reason {
    if setup.options.modified.is_some() { Reason::DateOfFile } else { Reason::DateOfRun }
}

/// Makes the date of the last change; where not even the time of the run is known, an empty one.
fn generated(out: &mut Out<'_, '_>, field: Field, from: Option<Mark>, text: &str, why: Reason) {
    if why == Reason::DateOfRun {
        out.books().doubt(field, why);
    }
    out.element_always("updated", |out| {
        if !text.is_empty() {
            sign(out);
        }
        out.make_text(field, why, from, text);
    });
}

/// Writes persons in Atom's own element; `field` is that of their names.
fn persons(out: &mut Out<'_, '_>, name: &str, field: Field, persons: &[Person<'_>]) {
    for person in persons {
        if modules::carrier_of(out, field, person).is_none() {
            write_person(out, name, field, person);
        }
    }
}

/// Writes those that modules name.
fn others(out: &mut Out<'_, '_>, field: Field, persons: &[Person<'_>]) {
    for person in persons {
        modules::write_person(out, field, person);
    }
}

fn write_person(out: &mut Out<'_, '_>, name: &str, field: Field, person: &Person<'_>) {
    let Person { name: called, email, uri } = person;
    out.next_from(name, |see| see(person.first_mark()));
    out.element(name, |out| {
        match (called, email.as_ref().or(uri.as_ref())) {
            (Some(called), _) => out.elem_as("name", called.mark, called.as_str(), None),
            (None, Some(other)) => {
                out.make("name", field, Reason::GeneratedAuthor, Some(other.mark), other.as_str());
            }
            (None, None) => (),
        }
        for (part, value) in [("uri", uri), ("email", email)] {
            if let Some(value) = value {
                out.elem_as(part, value.mark, value.as_str(), None);
            }
        }
    });
}

fn write_category(out: &mut Out<'_, '_>, category: &Category<'_>) {
    let Category { term, scheme, label, sub: _ } = category;
    let is_empty = |value: &Option<Str<'_>>| value.as_ref().is_none_or(|value| value.value.is_empty());
    if !out.same_family() && is_empty(term) && is_empty(label) {
        for leaf in [term, scheme, label].into_iter().flatten() {
            out.books().lost(leaf.mark, Reason::NoText);
        }
        return;
    }
    out.next_from("category", |see| see(category.first_mark()));
    out.element("category", |out| {
        for (name, value) in [("term", term), ("scheme", scheme), ("label", label)] {
            if let Some(value) = value {
                out.attr_as(name, value.mark, value.as_str(), None);
            }
        }
    });
}

fn generator(out: &mut Out<'_, '_>, generator: &Option<Generator<'_>>) {
    let Some(Generator { name, uri, version }) = generator else { return };
    out.element("generator", |out| {
        for (attribute, value) in [("uri", uri), ("version", version)] {
            if let Some(value) = value {
                out.attr_as(attribute, value.mark, value.as_str(), None);
            }
        }
        if let Some(name) = name {
            out.text_as(name.mark, name.as_str(), None);
        }
    });
}

// --- the entry ---

/// One entry of the output.
struct AtomEntry<'e, 's> {
    entry: &'e Entry<'e>,
    /// The videos written in it.
    videos: Vec<&'e Video<'e>>,
    /// Those of the page that entries before this one speak of.
    earlier: media::EarlierObjects,
    /// The page has others, in entries of their own.
    split: bool,
    /// What it has of the lists of its page.
    share: Share<'s>,
    media: bool,
    setup: &'s Setup<'s>,
}

impl<'e> AtomEntry<'e, '_> {
    fn write(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        out.element_always("entry", |out| {
            out.arrange(order::atom_entry);
            if modules::carried(out, Field::Language, via(&entry.language)).is_none() {
                out.put(Field::Language, &entry.language);
            }
            out.put(Field::Base, &entry.base);
            self.core(out);
            if self.media {
                self.earlier.skip(out);
            }
            self.extensions(out);
        });
    }

    /// Whether neither it nor its page gives an id, a title or a date for it.
    fn lacks(&self) -> bool {
        let entry = self.entry;
        let is_id = |loc: &Str<'_>| url::is_iri(loc) || url::scheme(loc).is_some() && self.setup.same_family;
        let is_known = entry.id.is_some() || entry.loc.as_ref().is_some_and(is_id);
        let is_called = self.own_title().is_some() || self.title_of_file().is_some() || self.title_beside().is_some();
        !is_known || !is_called || self.date().is_none()
    }

    /// The video that the entry speaks of, if it is the only one.
    fn only(&self) -> Option<&'e Video<'e>> {
        match self.videos[..] {
            [video] => Some(video),
            _ => None,
        }
    }

    /// What Media RSS describes: the videos, or a page without any.
    fn described(&self) -> impl Iterator<Item = &'e Video<'e>> {
        self.videos.iter().copied().chain(of_page(self.entry))
    }

    fn core(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        self.id(out);
        self.title(out);
        if !CarriedValues::for_entry(entry, self.setup).on {
            settle_publication(entry, self.setup, out.books());
        }
        self.updated(out);
        self.published(out);
        persons(out, "author", Field::AuthorName, self.share.few(&entry.authors));
        self.uploader(out);
        persons(out, "contributor", Field::ContributorName, self.share.few(&entry.contributors));
        self.credits(out);
        others(out, Field::AuthorName, &entry.authors);
        others(out, Field::ContributorName, &entry.contributors);
        self.categories(out);
        link::write_entry(entry, self.share, &self.videos, self.media, self.setup, out);
        self.rights(out);
        self.summary(out);
        self.content(out);
        if let Some(source) = &entry.source {
            write_source(out, source);
        }
    }

    fn extensions(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        modules::write_in_reply_to(out, self.share.once(&entry.in_reply_to));
        self.comment_count(out);
        georss::write(self.share.once(&entry.location), out);
        let placed = self.only().filter(|_| self.writes_video_values() && entry.location.is_empty());
        placed.into_iter().for_each(|video| georss::write_of_video(video, out));
        if modules::carried(out, Field::Language, via(&entry.language)).is_some() {
            out.put(Field::Language, &entry.language);
        }
        if let Some(publisher) = entry.publisher.as_ref().filter(|_| out.same_family()) {
            out.elem_as("dc:publisher", publisher.mark, publisher.as_str(), None);
        }
        for image in self.share.pictures(entry) {
            modules::write_itunes_image(out, Field::ImageLoc, &image.loc);
        }
        self.terms(out);
        self.videos.iter().for_each(|video| {
            media::write_number(video, self.media || CarriedValues::for_entry(self.entry, self.setup).levels, out)
        });
        self.carried(out);
        modules::write_modules(out, self.share.few(&entry.modules));
        if self.media {
            media::write_item(entry, self.share, out, self.setup, &self.videos);
        } else if CarriedValues::for_entry(self.entry, self.setup).levels {
            let table = super::fate::media;
            out.carry(table, Some(Reason::UsedAsExtension), |out| {
                media::write_item(entry, self.share, out, self.setup, &self.videos)
            });
        } else {
            media::write_terms(entry.media.as_deref(), out);
        }
        modules::write_terms(out, self.share.few(&entry.modules));
        carry::write(entry, &self.videos, self.share.is_first(), self.setup, out);
    }

    fn comment_count(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        out.put(Field::CommentCount, &entry.comment_count);
        if entry.comment_count.is_some() && !out.same_family() {
            let further = |module: &&Module<'_>| matches!(&*module.name, "slash:comments" | "thr:total");
            for value in entry.modules.iter().filter(further).filter_map(|module| module.value.as_ref()) {
                out.books().lost(value.mark, Reason::OtherValue);
            }
        }
    }

    /// Writes values from modules back into them. If Atom's own element is written too, the value was read from the
    /// module, so it goes back there.
    fn carried(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        if let Some(feed) = &entry.comment_feed {
            modules::write_value(out, Field::CommentFeed, feed);
        }
        if let Some(summary) = &entry.summary {
            modules::write_text(out, Field::Summary, summary);
        }
        if let Some(license) = &entry.license {
            modules::write_value(out, Field::License, license);
        }
        if let Some(title) = &entry.title {
            modules::write_text(out, Field::Title, title);
        }
    }

    /// Whether values of a video go into Atom's own elements, because neither Media RSS nor carried elements hold them.
    fn writes_video_values(&self) -> bool {
        !self.media && !CarriedValues::for_entry(self.entry, self.setup).holds()
    }

    /// S-A1.
    fn id(&self, out: &mut Out<'_, 'e>) {
        let (entry, loc) = (self.entry, &self.entry.loc);
        if self.split {
            return self.split_id(out);
        }
        // entries of one page that are not joined have no id in common
        if entry.id.is_none() && !self.videos.is_empty() && self.setup.parts_pages() {
            return self.split_id(out);
        }
        // an element of Atom beside the id of another format
        let own = entry.modules.iter().find(|module| &*module.name == "atom:id" && module.attributes.is_empty());
        let own = own.and_then(|module| module.value.as_ref()).filter(|id| !out.same_family() && url::is_iri(id));
        if let (Some(own), Some(id)) = (own, &entry.id) {
            out.books().lost(id.mark, Reason::OtherValue);
            self.permalink(own.as_str(), out);
            return out.elem_as("id", own.mark, own.as_str(), None);
        }
        match (&entry.id, loc) {
            (Some(id), _) if !out.same_family() && !url::is_iri(id) && url::is_iri(&url::normalize_iri(id)) => {
                let made = url::normalize_iri(id);
                out.elem_as("id", id.mark, &made, Some(Reason::ValidUrl));
                self.permalink(&made, out);
            }
            (Some(id), _) if out.same_family() || url::is_iri(id) => {
                if modules::carried(out, Field::Id, id.via).is_some() {
                    out.make("id", Field::Id, Reason::GeneratedId, Some(id.mark), id.as_str());
                }
                out.put(Field::Id, &entry.id);
                self.permalink(id.as_str(), out);
            }
            (Some(id), _) => {
                let whose = [&self.setup.own_feed.id, &self.setup.own_feed.self_url, &self.setup.own_feed.home];
                let whose = whose.into_iter().flatten().next().map_or("", Leaf::as_str);
                let made = stamp::urn(&format!("{whose}\n{}", id.as_str()));
                out.elem_as("id", id.mark, &made, Some(Reason::DerivedId));
                self.permalink(&made, out);
            }
            (None, Some(loc)) if url::is_iri(loc) || url::scheme(loc).is_some() && out.same_family() => {
                out.make("id", Field::Id, Reason::GeneratedId, Some(loc.mark), loc.as_str());
            }
            (None, _) => {
                let id = stamp::urn(&stamp::words(self.entry));
                out.make("id", Field::Id, Reason::GeneratedId, loc.as_ref().map(|loc| loc.mark), &id);
            }
        }
    }

    /// In Atom, a guid is a permalink if it equals the URL of the page. `id` is the id as written.
    fn permalink(&self, id: &str, out: &mut Out<'_, 'e>) {
        let Some(flag) = &self.entry.id_is_permalink else { return };
        let given = self.entry.id.as_ref().map(Leaf::as_str);
        let page = self.entry.loc.as_ref().map(Leaf::as_str);
        let same = given == page || page == Some(id);
        if same == flag.value {
            out.books().changed(flag.mark, Reason::IdPermalink, id.to_owned());
        }
    }

    fn split_id(&self, out: &mut Out<'_, 'e>) {
        let page = self.entry.loc.as_ref().or(self.entry.id.as_ref()).map_or("", Leaf::as_str);
        let from = self.entry.loc.as_ref().map(|loc| loc.mark);
        let hash = self
            .videos
            .first()
            .map(|video| video_hash(video, self.share.number, self.share.repeats))
            .unwrap_or_default();
        let id = format!("{}#v-{hash}", url::fragmentless(page));
        let id = if url::scheme(page).is_some() { id } else { stamp::urn(&id) };
        out.make("id", Field::Id, Reason::GeneratedId, from, &id);
        if let Some(own) = &self.entry.id {
            out.books().changed(own.mark, Reason::IdOfVideo, id.clone());
        }
        self.permalink(&id, out);
    }

    /// S-A6.
    fn title(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        let own = entry.title.as_ref();
        if let Some(title) = own.filter(|title| !self.split && is_natural(out, Field::Title, title)) {
            return text::write(out, "title", title, None);
        }
        if let Some(title) = self.own_title() {
            text::write(out, "title", title, Some(Reason::UsedForEntry));
            let mark = title.value.mark;
            out.books().made(Field::Title, Reason::GeneratedTitle, Some(mark), title.value.value.clone().into_owned());
        } else if let Some((title, mark)) = self.title_of_file() {
            out.make("title", Field::Title, Reason::GeneratedTitle, Some(mark), &title);
        } else {
            let slug = entry.loc.as_ref().filter(|_| self.setup.options.title_from.is_some());
            let slug = slug.and_then(|loc| Some((url::slug(&loc.value)?.into(), Some(loc.mark))));
            let address = || entry.loc.as_ref().or_else(|| link::page(entry, self.setup)).or(distinct_id(entry));
            let whole = |other: &'e Str<'e>| (Cow::Borrowed(other.as_str()), Some(other.mark));
            match self.title_beside() {
                Some(words) if !CarriedValues::for_entry(self.entry, self.setup).on => {
                    out.elem_as("title", words.mark, words.as_str(), Some(Reason::UsedAsTitle));
                    let (made, from) = (words.as_str().to_owned(), Some(words.mark));
                    out.books().made(Field::Title, Reason::GeneratedTitle, from, made);
                }
                words => {
                    let chosen = words.map(whole).or(slug).or_else(|| address().map(whole));
                    let (text, mark) = chosen.unwrap_or_default();
                    let why = if text.is_empty() { Reason::EmptyTitle } else { Reason::TitleFromText };
                    if why == Reason::EmptyTitle {
                        out.books().doubt(Field::Title, why);
                    }
                    out.make("title", Field::Title, why, mark, &text);
                }
            }
        }
    }

    /// The words of the title, generated or not, so that a text made of them is made again of what was written.
    fn words_of_title(&self) -> Option<(String, Mark)> {
        let entry = self.entry;
        let whole = |other: &Str<'_>| (other.as_str().to_owned(), other.mark);
        let slug = || {
            let loc = entry.loc.as_ref().filter(|_| self.setup.options.title_from.is_some())?;
            Some((url::slug(&loc.value)?, loc.mark))
        };
        let address = || entry.loc.as_ref().or_else(|| link::page(entry, self.setup)).or(distinct_id(entry));
        let title = self.own_title().map(|title| (text::plain(title), title.value.mark));
        title
            .or_else(|| self.title_of_file())
            .or_else(|| self.title_beside().map(whole))
            .or_else(slug)
            .or_else(|| address().map(whole))
    }

    /// The title of the page or of its only video.
    fn own_title(&self) -> Option<&'e Text<'e>> {
        let (own, of_video) = (self.entry.title.as_ref(), self.only().and_then(|video| video.title.as_ref()));
        if self.split { of_video.or(own) } else { own.or(of_video) }
    }

    /// What the one file is called, where no video has a title for the entry: it is read again as that of both.
    fn title_of_file(&self) -> Option<(String, Mark)> {
        if self.media {
            let title = self.only()?.files.first()?.title.as_ref()?;
            return Some((title.as_str().to_owned(), title.mark));
        }
        let files = self.videos.iter().flat_map(|video| video.files.iter().map(move |file| (video, file)));
        let mut files = files.filter(|(_, file)| file.url.is_some());
        let (Some((video, file)), None) = (files.next(), files.next()) else { return None };
        let own = file.title.as_ref().map(|title| (title.as_str().to_owned(), title.mark));
        own.or_else(|| video.title.as_ref().map(|title| (text::plain(title), title.value.mark)))
    }

    /// The title of the article or of an image of the page.
    fn title_beside(&self) -> Option<&'e Str<'e>> {
        let news = self.entry.news.as_ref().and_then(|news| news.title.as_ref());
        let images = self.share.pictures(self.entry);
        news.or_else(|| images.iter().find_map(|image| image.title.as_ref()).map(|title| &title.value))
    }

    /// The last date of the page: of its change, its publication, that of its videos, or of its article.
    fn date(&self) -> Option<&'e Leaf<Date>> {
        let of_videos = self.videos.iter().filter_map(|video| video.published.as_ref());
        let newest = of_videos.max_by_key(|date| date.value.instant());
        let news = self.entry.news.as_ref().and_then(|news| news.published.as_ref());
        self.entry.updated.as_ref().or(self.entry.published.as_ref()).or(newest).or(news)
    }

    /// S-A3.
    fn updated(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        if let Some(updated) = &entry.updated
            && modules::carried(out, Field::Updated, updated.via).is_none()
        {
            return updated_as(out, updated);
        }
        let run = self.setup.options.modified.or(self.setup.options.now).map(Leaf::new);
        let found = self.date();
        let feed = self.setup.own_feed;
        let date = found.or(feed.updated.as_ref()).or(feed.published.as_ref()).or(run.as_ref());
        let text = date.map(|date| date.value.to_rfc3339()).unwrap_or_default();
        let why = match (found, date) {
            (Some(_), _) => Reason::GeneratedDate,
            (None, Some(date)) if date.mark.is_some() => Reason::DateOfFeed,
            (None, _) => why_of_run(self.setup),
        };
        generated(out, Field::Updated, date.map(|date| date.mark), &text, why);
    }

    fn published(&self, out: &mut Out<'_, 'e>) {
        let of_video = self.only().and_then(|video| video.published.as_ref());
        match (&self.entry.published, of_video) {
            (Some(date), of_video) => {
                if modules::carried(out, Field::Published, date.via).is_none() {
                    date_as(out, "published", date);
                }
                if let Some(other) = of_video.filter(|other| other.mark != date.mark) {
                    settle_date(other, date, Reason::ItemValue, out.books());
                }
            }
            (None, Some(date)) => date_as(out, "published", date),
            (None, None) => self.article_date(out),
        }
    }

    /// The date of the article that the page is. Beside videos it would come back as theirs.
    fn article_date(&self, out: &mut Out<'_, 'e>) {
        let date = self.entry.news.as_ref().and_then(|news| news.published.as_ref());
        let Some(date) = date.filter(|_| !CarriedValues::for_entry(self.entry, self.setup).on) else { return };
        if !self.entry.videos.is_empty() {
            return out.books().lost(date.mark, Reason::ArticleOfPage);
        }
        let (text, respelt) = stamp::rfc3339(&date.value);
        out.elem_as("published", date.mark, &text, altering(Some(Reason::OtherElement), respelt));
    }

    /// The dates that belong to Dublin Core: those that came from there, and the true precision of those that Atom
    /// had to raise (A17).
    fn terms(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        let of_video = self.only().and_then(|video| video.published.as_ref());
        let published = entry.published.as_ref().or(of_video);
        let all = [
            (Field::Published, "dcterms:issued", published),
            (Field::Updated, "dcterms:modified", entry.updated.as_ref()),
        ];
        for (field, name, date) in all {
            let Some(date) = date else { continue };
            let beside = self.media || out.same_family() || CarriedValues::for_entry(self.entry, self.setup).on;
            if !modules::write_date(out, field, date) && beside && date.value.precision() < Precision::Second {
                let (text, change) = dcterms::w3c(&date.value, out);
                // where the source has the pair, it comes back as it was
                let is_pair = |record: &LeafRecord| record.role == Role::Follows(date.mark);
                let pair = date.via.is_some() || date.mark.is_some() && entry.origin.records.iter().any(is_pair);
                let change = if pair { change } else { change.or(stamp::rfc3339(&date.value).1) };
                out.elem_as(name, date.mark, &text, change);
            }
        }
        if let Some(media) = entry.media.as_deref() {
            dcterms::write_available(media.available.as_ref(), out);
        }
        if let Some(created) = entry.created.as_ref().filter(|_| self.media || out.same_family()) {
            let (text, change) = dcterms::w3c(&created.value, out);
            out.elem_as("dcterms:created", created.mark, &text, change);
        }
    }

    /// The uploader of a video, who replaces a missing author (S-A5). In the family of Atom, credits stay what they are.
    fn author_from_uploader(&self) -> Option<VideoUploader<'e, 'e>> {
        let is_taken = |by: &VideoUploader<'_, '_>| !self.setup.same_family || by.credit.is_none() && !self.media;
        let uploader = || self.videos.iter().find_map(|video| video.uploader_or_credit().filter(is_taken));
        self.entry.authors.is_empty().then(uploader).flatten()
    }

    fn uploader(&self, out: &mut Out<'_, 'e>) {
        let Some(uploader) = self.author_from_uploader() else {
            let own = self.videos.iter().find_map(|video| video.uploader.as_ref()).filter(|_| !self.media);
            return own.into_iter().for_each(|own| out.drop(own, (), Reason::ItemValue));
        };
        uploader.implied().for_each(|mark| out.books().kept(mark));
        let change = Some(Reason::UsedAsAuthor);
        out.element("author", |out| match (uploader.name, uploader.uri) {
            // the name itself is a credit
            (Some(name), uri) if self.media => {
                let (email, called) = person::split(&name.value).unzip();
                let (why, from) = (Reason::GeneratedAuthor, Some(name.mark));
                out.make("name", Field::AuthorName, why, from, called.unwrap_or(name.as_str()));
                if let Some(uri) = uri {
                    out.elem_as("uri", uri.mark, uri.as_str(), change);
                }
                if let Some(email) = email {
                    out.make("email", Field::AuthorEmail, why, from, email);
                }
            }
            (Some(name), uri) => named(out, name, uri, change),
            (None, Some(uri)) => {
                out.make("name", Field::AuthorName, Reason::GeneratedAuthor, Some(uri.mark), uri.as_str());
                out.elem_as("uri", uri.mark, uri.as_str(), change);
            }
            (None, None) => (),
        });
    }

    fn credits(&self, out: &mut Out<'_, 'e>) {
        if !self.writes_video_values() {
            return;
        }
        let change = Some(Reason::UsedAsAuthor);
        let author = self.author_from_uploader().and_then(|uploader| uploader.credit?.name.as_ref());
        for credit in self.described().flat_map(|video| &video.credits) {
            if let Some(name) = credit.name.as_ref().filter(|name| author.is_none_or(|author| author.mark != name.mark))
            {
                out.element_at("contributor", name.mark, |out| named(out, name, None, change));
            }
        }
    }

    fn categories(&self, out: &mut Out<'_, 'e>) {
        let own = self.share.few(&self.entry.categories);
        modules::write_categories(out, Field::CategoryTerm, own, write_category, |out| self.more_categories(out));
    }

    /// Categories and tags of the videos, where Media RSS does not hold them.
    fn more_categories(&self, out: &mut Out<'_, 'e>) {
        let own = self.share.few(&self.entry.categories);
        let described: Vec<&'e Video<'e>> = self.described().filter(|_| self.writes_video_values()).collect();
        let has_tags = described.iter().any(|video| !video.tags.is_empty());
        // without a video, Media RSS has no place for those of an episode
        let takes_keywords = self.writes_video_values() || self.media && self.entry.videos.is_empty();
        let keywords = episode_keywords(self.entry).filter(|_| takes_keywords && !out.same_family());
        let (overruled, keywords) = if has_tags { (keywords, None) } else { (None, keywords) };
        if let Some((mark, _)) = overruled {
            out.books().lost(mark, Reason::OtherValue);
        }
        let carried = CarriedValues::for_entry(self.entry, self.setup).on;
        let of_article = if carried { None } else { article_keywords(self.entry, out.books()) };
        let of_article = of_article.map(|keywords| (keywords.mark, keywords.as_str()));
        if !has_tags && keywords.or(of_article).is_none() && described.iter().all(|video| video.categories.is_empty()) {
            return;
        }
        fn named<'c>(category: &'c Category<'_>) -> (&'c str, &'c str) {
            (category.term.as_ref().map_or("", Leaf::as_str), category.scheme.as_ref().map_or("", Leaf::as_str))
        }
        let mut seen: HashSet<(&str, &str)> = own.iter().map(named).collect();
        for category in described.iter().flat_map(|video| &video.categories) {
            if seen.insert(named(category)) {
                write_category(out, category);
            } else {
                let Category { term, scheme, label, sub: _ } = category;
                for leaf in [term, scheme, label].into_iter().flatten() {
                    out.books().merged(leaf.mark, Reason::SameValue);
                }
            }
        }
        let change = Some(Reason::UsedAsCategory);
        // a tag in another spelling is the same (A11)
        let mut words: HashSet<String> = HashSet::new();
        for tag in described.iter().flat_map(|video| &video.tags) {
            let is_new = words.insert(tag.value.to_lowercase());
            if seen.insert((tag.as_str(), "")) && is_new {
                out.element_at("category", tag.mark, |out| out.attr_as("term", tag.mark, tag.as_str(), change));
            } else {
                out.books().merged(tag.mark, Reason::SameValue);
            }
        }
        for (mark, said) in of_article.into_iter().chain(keywords) {
            let is_new = |word: &&str| !seen.contains(&(*word, "")) && words.insert(word.to_lowercase());
            let each: Vec<&str> = episode::keywords(said).filter(is_new).collect();
            match each.is_empty() {
                true => out.books().merged(mark, Reason::SameValue),
                false => out.books().changed(mark, Reason::UsedAsCategory, each.join(", ")),
            }
            for word in each {
                out.element_at("category", mark, |out| out.attr_as("term", mark, word, change));
            }
        }
    }

    fn rights(&self, out: &mut Out<'_, 'e>) {
        text_or_carrier(out, Field::Rights, "rights", &self.entry.rights);
        let described = self.only().or(of_page(self.entry)).filter(|_| self.writes_video_values());
        let of_video = described.and_then(|video| video.copyright.as_ref());
        let note = of_video.and_then(|copyright| copyright.text.as_ref());
        if let Some(note) = note.filter(|_| self.entry.rights.is_none()) {
            out.elem_as("rights", note.mark, note.as_str(), Some(Reason::UsedForEntry));
        }
    }

    /// `summary`, and S-A8.
    fn summary(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        if let Some(summary) = entry.summary.as_ref().filter(|summary| is_natural(out, Field::Summary, summary)) {
            return text::write(out, "summary", summary, None);
        }
        let levels = CarriedValues::for_entry(self.entry, self.setup).levels;
        let of_video = self.only().filter(|_| !self.media && !levels && entry.summary.is_none());
        if let Some(description) = of_video.and_then(|video| video.description.as_ref()) {
            text::write(out, "summary", description, Some(Reason::UsedForEntry));
        } else if needs_summary(entry) {
            let summary = entry.summary.as_ref().map(|of| (text::plain(of), of.value.mark));
            let of = summary.or_else(|| self.words_of_title());
            let (words, mark) = of.map_or((String::new(), None), |(words, mark)| (words, Some(mark)));
            let why = if words.is_empty() { Reason::EmptyDescription } else { Reason::GeneratedDescription };
            if why == Reason::EmptyDescription {
                out.books().doubt(Field::Summary, why);
            }
            out.make("summary", Field::Summary, why, mark, &words);
        }
    }

    /// `content`, and S-A7.
    fn content(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        match (&entry.content, &entry.content_src) {
            (Some(content), src) => {
                if !modules::write_text(out, Field::Content, content) {
                    text::content(out, content, &entry.content_type);
                }
                for leaf in src.iter().chain(&entry.content_type) {
                    out.books().lost(leaf.mark, Reason::ContentItself);
                }
            }
            (None, None) if entry.content_type.is_none() => {
                if self.share.is_first() && out.has_foreign_child("content") {
                    // unknown markup is written inside it
                    out.element("content", |_| ());
                } else if entry.loc.is_none() && link::page(entry, self.setup).is_none() {
                    self.write_content_link(out);
                }
            }
            (None, src) => out.element("content", |out| {
                out.put(Field::ContentType, &entry.content_type);
                out.put(Field::ContentSrc, src);
            }),
        }
    }

    fn write_content_link(&self, out: &mut Out<'_, 'e>) {
        let of_video = self.only();
        let texts = [
            self.entry.summary.as_ref(),
            self.entry.title.as_ref(),
            of_video.and_then(|video| video.description.as_ref()),
            of_video.and_then(|video| video.title.as_ref()),
        ];
        let of = texts.into_iter().flatten().next().map(|of| (text::plain(of), of.value.mark));
        // without any of these, use the text that becomes the title (S-A6)
        let beside = || self.title_beside().map(|title| (title.as_str().to_owned(), title.mark));
        let of = of.or_else(|| self.title_of_file()).or_else(beside);
        let of = of.or_else(|| distinct_id(self.entry).map(|id| (id.as_str().to_owned(), id.mark)));
        let (words, mark) = of.map_or((String::new(), None), |(words, mark)| (words, Some(mark)));
        let why = if words.is_empty() { Reason::EmptyDescription } else { Reason::GeneratedDescription };
        if why == Reason::EmptyDescription {
            out.books().doubt(Field::Content, why);
        }
        out.make("content", Field::Content, why, mark, &words);
    }
}

/// An identifier that is meaningful to people: not a UUID, whether generated here (S-A1) or elsewhere.
fn distinct_id<'e>(entry: &'e Entry<'e>) -> Option<&'e Str<'e>> {
    let is_uuid = |id: &Str<'_>| id.value.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("urn:uuid:"));
    entry.id.as_ref().filter(|id| !is_uuid(id))
}

/// Whether RFC 4287 section 4.1.2 requires a summary: the content is referenced, or is neither text nor markup.
fn needs_summary(entry: &Entry<'_>) -> bool {
    entry.content_src.is_some() || entry.content.is_some() && readable_content(entry).is_none()
}

fn write_source(out: &mut Out<'_, '_>, source: &Source<'_>) {
    out.element("source", |out| {
        out.put(Field::SourceLanguage, &source.language);
        out.put(Field::SourceBase, &source.base);
        out.put(Field::SourceId, &source.id);
        for (name, text) in [("title", &source.title), ("subtitle", &source.subtitle)] {
            if let Some(text) = text {
                text::write(out, name, text, None);
            }
        }
        out.put(Field::SourceUpdated, &source.updated);
        persons(out, "author", Field::SourceAuthorName, &source.authors);
        persons(out, "contributor", Field::SourceContributorName, &source.contributors);
        link::write_source(source, out);
        source.categories.iter().for_each(|category| write_category(out, category));
        generator(out, &source.generator);
        out.put(Field::SourceIcon, &source.icon);
        if let Some(image) = &source.image {
            out.put(Field::SourceImageUrl, &image.url);
        }
        if let Some(rights) = &source.rights {
            text::write(out, "rights", rights, None);
        }
    });
}
