//! Writes RSS 2.0, with Media RSS or without: one code, since Media RSS only adds to it. The head is written in
//! write_head.rs; the rules S-R of what is made where the source lacks it are named where they apply.

use std::collections::HashSet;

use super::item::{Extension, RssItem, is_of_rdf};
use super::person::{split, write_named, write_person};
use super::read::reads_as_words;
use super::words::{
    CREATOR, as_plain, has_address, in_order, is_xml, leads_nowhere, lose_link, of_unsaid_kind, plain_into,
    put_language, rfc822, write_category, write_contributors, write_html, write_name, write_plain, write_terms,
    write_title,
};
use super::write_head;
use crate::emit::{Carrier, Out, ValueSpelling};
use crate::fate::FateTable;
use crate::format::choice::{article_keywords, readable_content, settle_date, settle_other_page, video_hash};
use crate::format::contract::{FormatWriter, Setup, Survey};
use crate::format::ns::dialect::LIVE_ITEM;
use crate::format::ns::{dcterms, georss, media, modules};
use crate::format::share::{AttachedShares, Share};
use crate::format::sitemap::carry::{self, CarriedValues};
use crate::format::{order, profile};
use crate::model::episode::keywords;
use crate::model::leaf::TextKind;
use crate::model::origin::{LeafRecord, Role};
use crate::model::page::LinkFields;
use crate::model::{
    Category, Date, Entry, Feed, Field, Leaf, Link, Mark, Module, News, Person, Precision, Source, Str, Text, Video,
    Walk,
};
use crate::options::Options;
use crate::pages::{self, Address};
use crate::place::SourceElements;
use crate::reason::{Reason, ValueChange, altering};
use crate::text::{mime, url};
use crate::xml::names::Ns;

/// Writes RSS 2.0.
pub struct RssWriter {
    /// What is written besides RSS itself.
    pub extension: Extension,
}

impl FormatWriter for RssWriter {
    fn table(&self, _options: &Options) -> FateTable {
        match self.extension {
            Extension::None => super::fate::fate,
            Extension::Media => super::fate::fate_media,
            Extension::Podcast => super::podcast::fate,
        }
    }
    fn carrier(&self) -> Carrier {
        modules::carrier
    }
    fn spelling(&self) -> ValueSpelling {
        ValueSpelling { yes: "true", no: "false", date: rfc822 }
    }
    fn roots(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("rdf:RDF/channel", "rss/channel"),
            ("rdf:RDF", "rss/channel"),
            ("RDF/channel", "rss/channel"),
            ("RDF", "rss/channel"),
            ("channel", "rss/channel"),
        ]
    }
    fn namespaces(&self, setup: &Setup<'_>) -> Vec<(String, String)> {
        write_head::namespaces(setup, self.extension)
    }
    fn surveys(&self, feed: &Feed<'_>, _options: &Options) -> bool {
        feed.title.is_none() || feed.home.is_none()
    }
    fn head_asks(&self, _feed: &Feed<'_>, survey: &Survey) -> Survey {
        let Survey { first_page, news_name, .. } = survey.clone();
        Survey { first_page, news_name, ..Survey::default() }
    }
    fn head<'e>(&self, feed: &'e Feed<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        write_head::write(feed, setup, self.extension, out);
    }
    fn entry<'e>(&self, entry: &'e Entry<'e>, setup: &Setup<'_>, out: &mut Out<'_, 'e>) {
        if pages::is_idle(entry, setup.same_family) || is_of_rdf(setup) && entry.is_blank() {
            return;
        }
        let media = self.extension == Extension::Media;
        let is_for_google = media && setup.google();
        let page = pages::address(entry, setup.source.family).filter(|_| is_for_google);
        if is_for_google && page.is_none() {
            return out.drop_entry(pages::no_page(entry));
        }
        if let Some(why) = page.as_ref().and_then(|page| profile::refusal(&page.url, setup)) {
            return out.drop_entry(why);
        }
        // rule A13: several videos of a page
        let split = setup.explodes(entry.videos.len());
        let whole = [&entry.videos[..]];
        let each = entry.videos.chunks(1);
        let pieces: Vec<&'e [Video<'e>]> = if split { each.collect() } else { whole.to_vec() };
        let attached = if split { AttachedShares::new(entry) } else { AttachedShares::default() };
        let carry = CarriedValues::for_entry(entry, setup);
        let extension = self.extension;
        let item = |number: usize, videos: &'e [Video<'e>], earlier| {
            let share = videos.first().filter(|_| split).map_or(Share::WHOLE, |video| attached.item(number, video));
            RssItem { entry, page: page.as_ref(), videos, earlier, setup, extension, split, share, carry }
        };
        let mut earlier = media::EarlierObjects::default();
        let lacks = |(number, videos): (usize, &&'e [Video<'e>])| {
            let item = item(number, videos, media::EarlierObjects::default());
            !item.has_words() && !item.may_lack_required()
        };
        if setup.options.no_synth && pieces.iter().enumerate().any(lacks) {
            return out.drop_entry(Reason::NoSynth);
        }
        out.claim(write_head::claimed(extension, setup));
        if media && !is_for_google {
            out.admit_terms();
        }
        out.place(&entry.foreign, SourceElements::of_entry(entry, setup.own_feed));
        out.divide(|number| attached.of_markup(number));
        for (number, videos) in pieces.into_iter().enumerate() {
            if number > 0 && !setup.options.pretty {
                out.prolog("\n");
            }
            out.begin_item(number);
            item(number, videos, earlier).write(out);
            videos.iter().for_each(|video| earlier.add(video, setup, out));
        }
        if split {
            let why = Reason::OtherValue;
            out.drop(&entry.title, Field::Title, why);
            out.drop(&entry.summary, Field::Summary, why);
            out.drop(&entry.published, Field::Published, why);
            out.drop(&entry.id_is_permalink, Field::IdIsPermalink, Reason::OtherValue);
        }
        if page.as_ref().is_some_and(|page| page.field != Field::Loc)
            && !entry.loc.as_ref().is_some_and(pages::is_of_id)
        {
            settle_other_page(entry, out);
        }
        let whole = RssItem { share: Share::WHOLE, ..item(0, &entry.videos, media::EarlierObjects::default()) };
        super::left::settle(&whole, out);
    }
    fn tail(&self, setup: &Setup<'_>, buf: &mut Vec<u8>) {
        let tail: &[u8] = if setup.options.pretty { b"  </channel>\n</rss>\n" } else { b"</channel></rss>\n" };
        buf.extend_from_slice(tail);
    }
}

const MOVED_VIDEO: ValueChange = Some(Reason::UsedForEntry);
const ONE_AUTHOR: ValueChange = Some(Reason::UsedAsAuthor);

impl<'e> RssItem<'_, 'e> {
    fn write(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        let live = self.live(out);
        out.element_always(if live.is_some() { LIVE_ITEM } else { "item" }, |out| {
            let is_translated = !self.share.once(&entry.alternates).is_empty();
            out.arrange(if is_translated { order::translated_rss_item } else { order::rss_item });
            if let Some(live) = live {
                modules::write_attributes(out, live);
            }
            self.write_language_attributes(out);
            self.title(out);
            match self.page.filter(|page| page.field != Field::Loc) {
                Some(page) => self.other_link(page, out),
                None => self.slot_link(out, Field::Loc, &entry.loc),
            }
            self.description(out);
            self.content(out);
            self.guid(out);
            self.published(out);
            self.people(out);
            self.categories(out);
            self.slot_link(out, Field::Comments, &entry.comments);
            super::files::write(out, self);
            self.source(out);
            self.modules(out);
            let videos: Vec<&Video<'_>> = self.videos.iter().collect();
            let carries = self.carry.levels || self.carry.rest && super::podcast::leaves_any(self, out);
            self.terms(self.media() || carries, out);
            if self.media() {
                self.earlier.skip(out);
                media::write_item(entry, self.share, out, self.setup, &videos);
            } else if carries {
                let table = super::fate::fate_media;
                out.carry(table, Some(Reason::UsedAsExtension), |out| {
                    media::write_item(entry, self.share, out, self.setup, &videos)
                });
            }
            let google = self.setup.google();
            let taken = modules::for_google(self.share.few(&entry.modules), google, out);
            modules::write_terms(out, taken);
            carry::write(entry, &videos, self.share.is_first(), self.setup, out);
        });
    }

    /// What made it an item of a podcast for a live stream, which it becomes again (A2.5).
    fn live(&self, out: &mut Out<'_, 'e>) -> Option<&'e Module<'e>> {
        let live = self.entry.module(LIVE_ITEM).filter(|_| out.same_family())?;
        if self.media() && self.setup.google() {
            out.drop(live, Field::Module, Reason::LiveItem);
            return None;
        }
        Some(live)
    }

    fn write_language_attributes(&self, out: &mut Out<'_, 'e>) {
        if let Some(language) = &self.entry.language
            && is_xml(out, language)
        {
            out.attr_as("xml:lang", language.mark, &language.value, None);
        }
        out.put(Field::Base, &self.entry.base);
    }

    // --- title, description, content ---

    /// S-R4.
    fn title(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        let own = self.only().and_then(|video| video.title.as_ref());
        if let (true, Some(title)) = (self.split, own) {
            return moved_title(out, title);
        }
        if let Some(title) = &entry.title {
            if !modules::write_text(out, Field::Title, title) {
                write_title(out, title, None);
            }
            return;
        }
        if let (true, Some(title)) = (self.writes_title(), own) {
            moved_title(out, title);
        } else if entry.summary.is_none() && !self.may_lack_required() {
            self.made_title(out);
        } else if !self.has_description() && own.is_none() && entry.loc.is_none() && entry.id.is_none() {
            // nothing could be generated for it, so that it may be there for that reason
            out.element_always("title", |_| ());
        }
    }

    fn made_title(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        let address = || [self.loc(), &entry.id].into_iter().find_map(Option::as_ref);
        let why = Reason::GeneratedTitle;
        if let Some(words) = self.title_beside() {
            let text = of_unsaid_kind(&words.value);
            out.elem_as("title", words.mark, &text, Some(Reason::UsedAsTitle));
            out.books().made(Field::Title, why, Some(words.mark), text.into_owned());
        } else if let Some((mark, words)) = self.slug() {
            out.make("title", Field::Title, Reason::GeneratedTitle, Some(mark), &of_unsaid_kind(&words));
        } else if self.has_description() {
            // RSS requires one of the two
        } else if let Some(address) = address() {
            out.make("title", Field::Title, Reason::TitleFromText, Some(address.mark), &of_unsaid_kind(&address.value));
        } else {
            out.books().doubt(Field::Title, Reason::EmptyTitle);
            out.element_always("title", |_| ());
            out.books().made(Field::Title, Reason::EmptyTitle, None, String::new());
        }
    }

    /// The words of the page's URL, if a title may be generated from them.
    fn slug(&self) -> Option<(Mark, String)> {
        let loc = self.entry.loc.as_ref().filter(|_| self.setup.options.title_from.is_some())?;
        Some((loc.mark, url::slug(&loc.value)?))
    }

    fn description(&self, out: &mut Out<'_, 'e>) {
        let own = self.described().and_then(|video| video.description.as_ref());
        let summary = self.entry.summary.as_ref();
        match (summary, own) {
            (_, Some(own)) if self.split => write_html(out, "description", own, MOVED_VIDEO),
            (Some(summary), _) => {
                if !modules::write_text(out, Field::Summary, summary) {
                    let back = summary.kind == TextKind::Plain
                        && out.same_family()
                        && summary.value.via == Some(Ns::None)
                        && reads_as_words(&summary.value);
                    match back {
                        true => write_plain(out, "description", summary, None),
                        false => write_html(out, "description", summary, None),
                    }
                }
            }
            (None, Some(own)) if self.writes_description() => write_html(out, "description", own, MOVED_VIDEO),
            (None, _) => {
                if let Some(content) = self.content_as_description() {
                    write_html(out, "description", content, Some(Reason::OtherElement));
                }
            }
        }
    }

    fn content(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        match (readable_content(entry), &entry.content) {
            (Some(_), _) if self.content_as_description().is_some() => (),
            (Some(content), _) => {
                if !modules::write_text(out, Field::Content, content) {
                    write_html(out, "content:encoded", content, None);
                }
            }
            (None, coded) => out.drop(coded, Field::Content, Reason::RssElement),
        }
    }

    // --- identifier and dates ---

    /// S-R5.
    fn guid(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        let named = self.loc().as_ref().or(entry.id.as_ref()).map(|leaf| (leaf.mark, leaf.as_str()));
        let page = named.or(self.page.map(|page| (page.mark, page.given)));
        // items of one page that are not joined have no id in common
        let alone = entry.id.is_none() && self.setup.parts_pages();
        if let (true, Some((mark, page)), Some(video)) = (self.split || alone, page, self.videos.first()) {
            let text =
                format!("{}#v-{}", url::fragmentless(page), video_hash(video, self.share.number, self.share.repeats));
            if let Some(id) = &entry.id {
                out.books().changed(id.mark, Reason::IdOfVideo, text.clone());
            }
            out.element_always("guid", |out| {
                out.constant("isPermaLink", "false");
                out.make_text(Field::Id, Reason::GeneratedId, Some(mark), &text);
            });
            return;
        }
        match (&entry.id, self.loc()) {
            (Some(id), _) if modules::write_value(out, Field::Id, id) => (),
            (Some(id), loc) => out.element_always("guid", |out| {
                let is_loc = loc.as_ref().is_some_and(|loc| loc.value == id.value) && is_permanent(id);
                match &entry.id_is_permalink {
                    Some(_) => out.put(Field::IdIsPermalink, &entry.id_is_permalink),
                    // implied by RSS itself: the default applies
                    None if self.setup.same_family && id.via.is_none() => (),
                    None => out.constant("isPermaLink", if is_loc { "true" } else { "false" }),
                }
                // the page that was read from it may be written otherwise
                let mended = entry.loc.as_ref().is_some_and(|loc| loc.mark == id.mark && loc.value != id.value);
                match mended && self.setup.same_family {
                    true => {
                        out.text_as(Mark::NONE, &id.value, None);
                        out.books().verbatim(id.mark, &id.value);
                    }
                    false => out.text_as(id.mark, &id.value, None),
                }
            }),
            (None, Some(loc)) if !self.setup.same_family && !self.setup.options.no_synth => {
                out.element_always("guid", |out| {
                    out.constant("isPermaLink", if is_permanent(loc) { "true" } else { "false" });
                    out.make_text(Field::Id, Reason::GeneratedId, Some(loc.mark), &loc.value);
                });
            }
            (None, _) => {}
        }
        if entry.id.as_ref().is_none_or(|id| modules::carried(out, Field::Id, id.via).is_some())
            && let Some(flag) = &entry.id_is_permalink
        {
            out.books().lost(flag.mark, Reason::DetachedAttribute);
        }
    }

    /// S-R6, rule A17.
    fn published(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        let video = self.only().and_then(|video| video.published.as_ref());
        let news = self.article().and_then(|news| news.published.as_ref());
        let moved = |why| Some(why);
        match (&entry.published, video, news) {
            (_, Some(video), _) if self.split || entry.published.is_none() => {
                let why = if self.media() { None } else { moved(Reason::UsedForEntry) };
                write_published(out, video, false, why);
            }
            (Some(page), _, _) => {
                if !(modules::write_date(out, Field::Published, page)) {
                    let is_pair = |record: &LeafRecord| record.role == Role::Follows(page.mark);
                    let pair = page.mark.is_some() && entry.origin.records.iter().any(is_pair);
                    write_published(out, page, pair, None);
                }
            }
            (None, _, Some(news)) => write_published(out, news, false, moved(Reason::OtherElement)),
            (None, _, None) => {
                if let Some(updated) = entry
                    .updated
                    .as_ref()
                    .filter(|date| self.setup.options.pubdate_from_lastmod && !date.is_generated())
                {
                    let (text, _) = rfc822(&updated.value);
                    out.make("pubDate", Field::Published, Reason::DateOfChange, Some(updated.mark), &text);
                }
            }
        }
        for video in self.videos {
            if let Some(date) = &video.published
                && !out.books().settled(date.mark)
            {
                match &entry.published {
                    Some(page) => settle_date(date, page, Reason::RssOneDate, out.books()),
                    None => out.books().lost(date.mark, Reason::RssOneDate),
                }
            }
        }
    }

    fn updated(&self, out: &mut Out<'_, 'e>) {
        let Some(date) = &self.entry.updated else { return };
        if date.is_generated() {
            return out.books().lost(date.mark, Reason::EarlierConversion);
        }
        if modules::write_date(out, Field::Updated, date) {
            return;
        }
        let exact = date.value.precision() >= Precision::Second && date.value.offset().is_some();
        match exact {
            true => modules::write_atom_date(out, "atom:updated", date),
            // rule A17: Atom's element would ask for a time of day
            false => write_term("dcterms:modified", date, out),
        }
    }

    // --- people and subjects ---

    fn people(&self, out: &mut Out<'_, 'e>) {
        let authors = self.share.few(&self.entry.authors);
        for (author, carrier) in in_order(authors, (Field::AuthorName, CREATOR), has_address, out) {
            match carrier {
                None => write_person(out, "author", author),
                Some(_) if modules::write_person(out, Field::AuthorName, author) => (),
                Some(_) if author.email.is_some() => write_named(out, CREATOR, author, ONE_AUTHOR),
                // S-R9: an author of RSS is an e-mail address
                Some(_) => write_name(out, CREATOR, author, out.same_family().then_some(Reason::UsedAsAuthor)),
            }
        }
        if self.writes_uploader() {
            let (mut free, mut named) = (true, false);
            // a podcast has an element for credits
            let uploader_or_credit =
                |video: &'e Video<'e>| video.uploader_or_credit().filter(|by| by.credit.is_none() || !self.podcast());
            for by in self.videos.iter().filter_map(uploader_or_credit) {
                let Some(uploader) = by.name else { continue };
                by.implied().for_each(|mark| out.books().kept(mark));
                let change = Some(Reason::UsedAsAuthor);
                match split(&uploader.value).filter(|_| std::mem::take(&mut free)) {
                    Some((email, name)) => {
                        let change = Some(Reason::UsedAsAuthor);
                        out.elem_as("author", uploader.mark, &format!("{email} ({name})"), change);
                    }
                    // readers take the first `itunes:author`
                    None if self.podcast() && !std::mem::replace(&mut named, true) => {
                        out.elem_as("itunes:author", uploader.mark, &uploader.value, change);
                    }
                    None => out.elem_as("dc:creator", uploader.mark, &uploader.value, change),
                }
            }
        }
        let uploader = self.only().and_then(|video| video.uploader.as_ref()?.name.as_ref());
        if let Some(uploader) = uploader.filter(|_| !self.writes_uploader() && self.is_author_free()) {
            let is_same = |author: &Person<'_>| author.name.as_ref().is_some_and(|name| name.value == uploader.value);
            match authors.iter().any(is_same) {
                true => out.books().merged(uploader.mark, Reason::SameValue),
                false => out.elem_as("itunes:author", uploader.mark, &uploader.value, Some(Reason::UsedAsAuthor)),
            }
        }
        write_contributors(self.share.few(&self.entry.contributors), Field::ContributorName, out);
    }

    fn categories(&self, out: &mut Out<'_, 'e>) {
        let own = |out: &mut Out<'_, 'e>, category: &'e Category<'e>| write_category(out, category, None);
        let categories = self.share.few(&self.entry.categories);
        modules::write_categories(out, Field::CategoryTerm, categories, own, |out| self.more_subjects(out));
    }

    /// The article that the page is. Its date and its keywords would come back as those of videos.
    fn article(&self) -> Option<&'e News<'e>> {
        self.entry.news.as_ref().filter(|_| self.entry.videos.is_empty() && !self.carry.on)
    }

    /// What articles and videos are about, as categories of the page.
    fn more_subjects(&self, out: &mut Out<'_, 'e>) {
        let words = if self.carry.on { None } else { article_keywords(self.entry, out.books()) };
        if let Some(words) = words {
            let why = Reason::UsedAsCategory;
            let mut known = HashSet::new();
            let each: Vec<&str> = keywords(&words.value).filter(|word| known.insert(word.to_lowercase())).collect();
            out.books().changed(words.mark, why, each.join(", "));
            for word in each {
                out.elem_as("category", words.mark, word, Some(why));
            }
        }
        if !self.media() && !self.carry.holds() {
            self.subjects(out);
        }
    }

    /// Categories and tags of the videos, where Media RSS does not hold them: each once, as several videos may have
    /// theirs from the same level. Into the family of the source, tags of a module go back there.
    fn subjects(&self, out: &mut Out<'_, 'e>) {
        let same_family = out.same_family();
        let moved = Some(Reason::UsedAsCategory);
        let words = |category: &'e Category<'e>| {
            let word = category.term.as_ref().or(category.label.as_ref());
            (category.scheme.as_ref().map(Leaf::as_str), word.map_or("", Leaf::as_str))
        };
        let mut known: HashSet<(Option<&str>, &str)> = HashSet::new();
        // a tag in another spelling is the same (A11)
        let mut spellings: HashSet<String> = HashSet::new();
        let given = self.entry.module("itunes:keywords").filter(|_| self.podcast());
        let given = given.and_then(|module| module.value.as_ref()).map_or("", |value| value.as_str());
        let given: HashSet<&str> = keywords(given).map(str::trim).collect();
        known.extend(self.share.few(&self.entry.categories).iter().map(words));
        for video in self.videos {
            for category in &video.categories {
                if known.insert(words(category)) {
                    write_category(out, category, moved);
                } else {
                    let word = category.term.as_ref().or(category.label.as_ref());
                    word.into_iter().chain(&category.scheme).for_each(|leaf| merge(leaf.mark, out));
                }
            }
            let keyword =
                |tag: &Str<'_>| super::podcast::writes_keywords(self) && super::podcast::is_keyword(tag, video);
            let here = |tag: &&Str<'_>| !same_family || tag.via.is_none_or(|ns| ns == Ns::Media);
            for tag in video.tags.iter().filter(here).filter(|tag| !keyword(tag)) {
                let is_new = spellings.insert(tag.value.to_lowercase()) && !given.contains(tag.as_str());
                if known.insert((None, tag.as_str())) && is_new {
                    out.elem_as("category", tag.mark, &tag.value, moved);
                } else {
                    merge(tag.mark, out);
                }
            }
        }
    }

    // --- the rest ---

    fn source(&self, out: &mut Out<'_, 'e>) {
        let Some(source) = &self.entry.source else { return };
        if source.title.is_none() && source.self_url.is_none() {
            return;
        }
        let address = source.self_url.as_ref().map(|url| (url, None)).or_else(|| other_address(source));
        // a source of RSS has a URL; one that came without it goes back without it
        if address.is_none() && !self.setup.same_family {
            return out.drop(source, (), Reason::NoUrl);
        }
        out.element_always("source", |out| {
            if let Some((url, change)) = address {
                out.attr_as("url", url.mark, &url.value, change);
            }
            if let Some(title) = &source.title {
                out.put_text_attributes(title);
                plain_into(out, title, None);
            }
        });
    }

    /// All modules except those written after Media RSS.
    fn modules(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        self.updated(out);
        if let Some(created) = &entry.created {
            write_term("dcterms:created", created, out);
        }
        out.put(Field::Publisher, &entry.publisher);
        if let Some(rights) = &entry.rights
            && !modules::write_text(out, Field::Rights, rights)
        {
            write_plain(out, "dc:rights", rights, None);
        }
        self.write_video_rights(out);
        if let Some(language) = &entry.language
            && !is_xml(out, language)
        {
            put_language(Field::Language, language, out);
        }
        self.slot_link(out, Field::License, &entry.license);
        self.write_video_license(out);
        out.put(Field::CommentCount, &entry.comment_count);
        self.slot_link(out, Field::CommentFeed, &entry.comment_feed);
        modules::write_in_reply_to(out, self.share.once(&entry.in_reply_to));
        self.links(out);
        georss::write(self.share.once(&entry.location), out);
        self.write_video_location(out);
        self.videos.iter().for_each(|video| media::write_number(video, self.media() || self.carry.levels, out));
        let google = self.setup.google();
        let taken = modules::for_google(self.share.few(&entry.modules), google, out);
        let taken = taken.into_iter().filter(|module| module.name != LIVE_ITEM);
        match self.podcast() {
            true => modules::write_podcast_modules(out, taken),
            false => modules::write_modules(out, taken),
        }
        super::podcast::write(self, out);
    }

    /// Rights of a video, where the page has none of its own.
    fn write_video_rights(&self, out: &mut Out<'_, 'e>) {
        let copyright = self.only().and_then(|video| video.copyright.as_ref());
        if let (true, Some(note)) = (self.writes_rights(), copyright.and_then(|copyright| copyright.text.as_ref())) {
            out.elem_as("dc:rights", note.mark, &note.value, Some(Reason::UsedForEntry));
        }
    }

    /// Writes the places of the only video as those of an item without a place.
    fn write_video_location(&self, out: &mut Out<'_, 'e>) {
        let Some(video) = self.only().filter(|_| self.writes_location()) else { return };
        georss::write_of_video(video, out);
    }

    /// Writes its license.
    fn write_video_license(&self, out: &mut Out<'_, 'e>) {
        let Some(video) = self.only() else { return };
        let licence = video.license.iter().find_map(|license| license.href.as_ref());
        if let (true, Some(address)) = (self.writes_license(), licence) {
            out.elem_as("creativeCommons:license", address.mark, &address.value, Some(Reason::UsedForEntry));
        }
    }

    /// What Dublin Core terms and RSS 0.93 say of the videos goes back as it came; Media RSS writes it by itself (`holds`).
    fn terms(&self, holds: bool, out: &mut Out<'_, 'e>) {
        if let (true, Some(media)) = (out.same_family(), self.entry.media.as_deref()) {
            write_terms(out, media, holds);
            dcterms::write_available(media.available.as_ref(), out);
        }
    }

    /// A value that is an element of RSS, or a link of Atom where it came from one: with the further attributes of
    /// that link, which only the link has room for.
    fn slot_link(&self, out: &mut Out<'_, 'e>, field: Field, slot: &'e Option<Str<'e>>) {
        let Some(value) = slot else { return };
        if field == Field::Loc && pages::is_of_id(value) {
            return out.books().merged(value.mark, Reason::SameValue);
        }
        let (element, rel) = match field {
            Field::Loc => ("link", "alternate"),
            Field::Comments => ("comments", "replies"),
            Field::CommentFeed => ("wfw:commentRss", "replies"),
            _ => ("creativeCommons:license", "license"),
        };
        if out.same_family() && value.via == Some(Ns::Atom) {
            // a link with further attributes keeps its place among the links
            if !self.share.once(&self.entry.links).iter().any(|link| belongs_to(link) == Some(field)) {
                modules::write_link(out, "atom:link", rel, Some(value), None);
            }
        } else if !modules::write_value(out, field, value) {
            out.elem_as(element, value.mark, &value.value, None);
        }
    }

    /// S-M1, where Google's rules apply: the URL of the page, taken from another value.
    fn other_link(&self, page: &Address<'e>, out: &mut Out<'_, 'e>) {
        out.make("link", Field::Loc, Reason::GeneratedPageUrl, Some(page.mark), &page.url);
        if self.entry.loc.as_ref().is_some_and(pages::is_of_id) {
            self.slot_link(out, Field::Loc, &self.entry.loc);
        }
    }

    /// What the item calls its page: nothing, where it is none that Google takes.
    fn loc(&self) -> &'e Option<Str<'e>> {
        let is_other = |loc: &Str<'_>| self.page.is_some_and(|page| page.field != Field::Loc) && !pages::is_of_id(loc);
        if self.entry.loc.as_ref().is_some_and(is_other) { &None } else { &self.entry.loc }
    }

    fn links(&self, out: &mut Out<'_, 'e>) {
        let entry = self.entry;
        for link in self.share.once(&entry.alternates) {
            modules::write_link(out, "atom:link", "alternate", None, Some(link));
        }
        for link in self.share.once(&entry.links) {
            let slot = match belongs_to(link) {
                Some(Field::Loc) => self.loc(),
                Some(Field::Comments) => &entry.comments,
                Some(Field::CommentFeed) => &entry.comment_feed,
                Some(_) => &entry.license,
                None => &None,
            };
            let back = slot.as_ref().filter(|value| out.same_family() && value.via == Some(Ns::Atom));
            let rel = link.rel.as_ref().map(|rel| modules::short_rel(&rel.value));
            match (&link.href, back) {
                (Some(href), _) if leads_nowhere(href, out) => out.drop(link, LinkFields::PAGE, Reason::NoUrl),
                (Some(_), _) if rel == Some("alternate") && !modules::may_alternate(entry, self.setup) => {
                    modules::write_related(out, "atom:link", link);
                }
                (Some(_), _) => modules::write_link(out, "atom:link", modules::meant_rel(self.setup), None, Some(link)),
                (None, Some(value)) => modules::write_link(out, "atom:link", "alternate", Some(value), Some(link)),
                (None, None) => lose_link(out, link, slot.is_some()),
            }
        }
        if let Some(src) = &entry.content_src {
            let change = Some(Reason::OtherElement);
            out.element_at("atom:link", src.mark, |out| {
                out.constant("rel", "related");
                out.attr_as("href", src.mark, &src.value, change);
                if let Some(kind) = &entry.content_type {
                    out.attr_as("type", kind.mark, &kind.value, change);
                }
            });
        }
    }
}

/// The replacement for the URL of the feed that an item was taken from: the URL of its page, or its id.
fn other_address<'e>(source: &'e Source<'_>) -> Option<(&'e Str<'e>, ValueChange)> {
    let home = source.home.as_ref();
    let id = source.id.as_ref().filter(|id| url::is_http(&id.value));
    home.or(id).map(|address| (address, Some(Reason::OtherElement)))
}

/// Whether a URL can be a permalink: a relative one depends on its document.
fn is_permanent(address: &Str<'_>) -> bool {
    url::scheme(&address.value).is_some()
}

/// The value whose link this one holds the further attributes of.
fn belongs_to(link: &Link<'_>) -> Option<Field> {
    if link.href.is_some() {
        return None;
    }
    let kind = link.kind.as_ref().map_or("", |kind| kind.as_str());
    match link.rel.as_ref().map_or("alternate", |rel| modules::short_rel(&rel.value)) {
        "alternate" => Some(Field::Loc),
        "replies" if mime::is_html(kind) => Some(Field::Comments),
        "replies" => Some(Field::CommentFeed),
        "license" => Some(Field::License),
        _ => None,
    }
}

fn merge(mark: Mark, out: &mut Out<'_, '_>) {
    out.books().merged(mark, Reason::SameValue);
}

/// The title of a video, which becomes that of its item.
fn moved_title(out: &mut Out<'_, '_>, title: &Text<'_>) {
    write_title(out, title, MOVED_VIDEO);
    let to = as_plain(out, title, MOVED_VIDEO).0.into_owned();
    out.books().made(Field::Title, Reason::GeneratedTitle, Some(title.value.mark), to);
}

/// Writes `pubDate`, and the original date next to it if it has no time of day (rule A17). `pair`: the source has both.
fn write_published(out: &mut Out<'_, '_>, date: &Leaf<Date>, pair: bool, change: ValueChange) {
    let (text, respelt) = rfc822(&date.value);
    out.elem_as("pubDate", date.mark, &text, altering(change, respelt));
    if date.value.precision() < Precision::Second {
        // where the source has the pair, it comes back as it was
        let change = if pair || date.via.is_some() { change } else { altering(change, respelt) };
        out.elem_as("dcterms:issued", date.mark, &dcterms::w3c(&date.value, out).0, change);
    }
}

/// A date of Dublin Core.
fn write_term(name: &str, date: &Leaf<Date>, out: &mut Out<'_, '_>) {
    let (text, change) = dcterms::w3c(&date.value, out);
    out.elem_as(name, date.mark, &text, change);
}
