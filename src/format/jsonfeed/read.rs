//! Reads JSON Feed 1.0 and 1.1. Members of other types than the specification has, and members that are not in it, stay in
//! the tree and become foreign.

use std::borrow::Cow;
use std::collections::HashMap;

use super::nested::number_attachments;
use super::version::VERSIONS;
use crate::format::contract::{EntryDelimiter, FormatReader, ReadContext};
use crate::json::parse::{BOOLEAN, LIST, NULL, NUMBER, OBJECT, STRING};
use crate::json::split::EntryLists;
use crate::model::origin::Origin;
use crate::model::page::{Enclosure, FeedImage, Flag, Image, Link, Person};
use crate::model::{Category, Entry, Feed, Field, File, Foreign, Leaf, Module, Str, Text, TextKind, Video, Walk};
use crate::reason::Reason;
use crate::text::html;
use crate::text::mime::{self, Medium};
use crate::tree::{Node, Take};

/// Reads `jsonfeed`.
pub struct JsonFeedReader;

/// The flag of a feed that will have no more entries.
pub(super) const COMPLETE: &str = "itunes:complete";

/// The content without markup, where there is also one with it.
pub(super) const PLAIN_CONTENT: &str = "content_text";

/// A member that the format defines: its name, the type of one that no reader took and that may go back (dates of any
/// type may not), and its field.
pub(super) type DefinedMember = (&'static str, &'static str, Field);

/// The members of a feed.
pub(super) const OF_FEED: &[DefinedMember] = &[
    ("title", STRING, Field::FeedTitle),
    ("description", STRING, Field::FeedSubtitle),
    ("home_page_url", STRING, Field::FeedHome),
    ("feed_url", STRING, Field::FeedSelf),
    ("user_comment", STRING, Field::FeedForeign),
    ("next_url", STRING, Field::FeedLinkHref),
    ("icon", STRING, Field::FeedImageUrl),
    ("favicon", STRING, Field::FeedIcon),
    ("language", STRING, Field::FeedLanguage),
    ("author", OBJECT, Field::FeedAuthorName),
    ("authors", LIST, Field::FeedAuthorName),
    ("hubs", LIST, Field::FeedLinkHref),
    ("expired", BOOLEAN, Field::FeedFlag),
];

/// The members of an item.
pub(super) const OF_ITEM: &[DefinedMember] = &[
    ("id", STRING, Field::Id),
    ("url", STRING, Field::Loc),
    ("external_url", STRING, Field::LinkHref),
    ("title", STRING, Field::Title),
    ("content_html", STRING, Field::Content),
    (PLAIN_CONTENT, STRING, Field::Content),
    ("summary", STRING, Field::Summary),
    ("image", STRING, Field::ImageLoc),
    ("banner_image", STRING, Field::ImageLoc),
    ("date_published", "", Field::Published),
    ("date_modified", "", Field::Updated),
    ("language", STRING, Field::Language),
    ("author", OBJECT, Field::AuthorName),
    ("authors", LIST, Field::AuthorName),
    ("tags", LIST, Field::CategoryTerm),
    ("attachments", LIST, Field::EnclosureUrl),
];

/// The members of authors, hubs and attachments.
pub(super) const OF_PARTS: &[DefinedMember] = &[
    ("name", STRING, Field::AuthorName),
    ("avatar", STRING, Field::Foreign),
    ("url", STRING, Field::EnclosureUrl),
    ("mime_type", STRING, Field::EnclosureType),
    ("title", STRING, Field::EnclosureTitle),
    ("size_in_bytes", "", Field::EnclosureLength),
    ("duration_in_seconds", "", Field::VideoDuration),
];

/// Whether an unread member of this type, of an object with these, may go back: one of the format may if it is of its type.
/// `null` is no value, and stays what it is.
fn fits(name: &str, kind: &str, defined: &[DefinedMember]) -> bool {
    let known = defined.iter().find(|(known, ..)| *known == name);
    known.is_none_or(|(_, own, _)| kind == NULL || *own == kind)
}

/// The same of an unknown value.
pub(super) fn may_go_back(name: &str, item: &Foreign<'_>, defined: &[DefinedMember]) -> bool {
    let kind = match (&*item.ns, &item.value) {
        ("", Some(_)) => STRING,
        ("", None) => OBJECT,
        (kind, _) => kind,
    };
    fits(name, kind, defined)
}

/// A member of another type than its own is no value of its field.
fn misfit<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, defined: &[DefinedMember]) {
    if let Some((.., field)) = defined.iter().find(|(name, ..)| *name == node.name())
        && !fits(node.name(), kind(node), defined)
    {
        take.unreadable(node, *field);
    }
}

impl FormatReader for JsonFeedReader {
    fn cut(&self) -> EntryDelimiter {
        EntryDelimiter::Json(EntryLists::named(&["items"]))
    }
    fn head<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>, _: ReadContext<'a>) {
        if kind(root) != OBJECT {
            return;
        }
        let mut author = None;
        for node in root.nodes() {
            match (node.name(), kind(node)) {
                ("version", STRING) if node.value().contains(VERSIONS) => take.implied(node),
                ("title", STRING) => text(node, TextKind::Plain, take, &mut feed.title),
                ("description", STRING) => text(node, TextKind::Plain, take, &mut feed.subtitle),
                ("home_page_url", STRING) => take.value(node, None, &mut feed.home),
                ("feed_url", STRING) => take.value(node, None, &mut feed.self_url),
                ("next_url", STRING) => link(node, "next", take, &mut feed.links),
                ("icon", STRING) => icon(node, take, feed),
                ("favicon", STRING) => take.value(node, None, &mut feed.icon),
                ("language", STRING) => language(node, take, &mut feed.language),
                ("author", OBJECT) => author = author.or(Some(node)),
                ("authors", LIST | OBJECT) => people(node, Field::FeedAuthorName, take, &mut feed.authors),
                ("hubs", LIST | OBJECT) => hubs(node, take, feed),
                ("expired", BOOLEAN) => expired(node, take, feed),
                ("items", LIST) => take.known(node),
                _ => misfit(node, take, OF_FEED),
            }
        }
        only_author(author, take, &mut feed.authors);
    }
    fn entry<'t, 'a>(&self, root: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>, _: ReadContext<'a>) {
        if kind(root) != OBJECT {
            return;
        }
        let (mut plain, mut author) = (None, None);
        for node in root.nodes() {
            match (node.name(), kind(node)) {
                // an empty id identifies nothing
                ("id", STRING) if node.value().trim().is_empty() => take.implied(node),
                ("id", STRING) => take.value(node, None, &mut entry.id),
                ("id", NUMBER) => {
                    take.remark(node, "json.string", node.value(), "read as a string");
                    take.value(node, None, &mut entry.id);
                }
                ("id", _) => take.unreadable(node, Field::Id),
                ("url", STRING) => take.value(node, None, &mut entry.loc),
                ("external_url", STRING) => link(node, "via", take, &mut entry.links),
                ("title", STRING) => text(node, TextKind::Plain, take, &mut entry.title),
                ("content_html", STRING) => text(node, TextKind::Html, take, &mut entry.content),
                ("content_text", STRING) => plain = plain.or(Some(node)),
                ("summary", STRING) => text(node, TextKind::Plain, take, &mut entry.summary),
                ("image" | "banner_image", STRING) => image(node, take, entry),
                ("date_published", STRING) => take.value(node, None, &mut entry.published),
                ("date_modified", STRING) => take.value(node, None, &mut entry.updated),
                ("language", STRING) => language(node, take, &mut entry.language),
                ("author", OBJECT) => author = author.or(Some(node)),
                ("authors", LIST | OBJECT) => people(node, Field::AuthorName, take, &mut entry.authors),
                ("tags", LIST | STRING) => tags(node, take, entry),
                ("attachments", LIST | OBJECT) => attachments(node, take, entry),
                _ => misfit(node, take, OF_ITEM),
            }
        }
        only_author(author, take, &mut entry.authors);
        // without an image, the banner is the image of the item
        let has_image = root.nodes().any(|node| node.name() == "image" && kind(node) == STRING);
        if let Some(banner) = entry.images.first().and_then(|image| image.loc.as_ref()).filter(|_| !has_image) {
            take.adjusted(banner.mark, Reason::OtherElement);
        }
        if let Some(node) = plain {
            plain_content(node, take, entry);
        }
    }
    fn finish<'a>(&self, root: Node<'_, 'a>, origin: &Origin<'a>, entry: &mut Entry<'a>) {
        number_attachments(root, origin, entry);
    }
}

/// What kind of JSON value a node is.
fn kind<'a>(node: Node<'_, 'a>) -> &'a str {
    node.raw().uri
}

fn strings<'t, 'a>(list: Node<'t, 'a>) -> impl Iterator<Item = Node<'t, 'a>> {
    list.nodes().filter(|node| kind(*node) == STRING)
}

/// The objects of a list. An object in place of the list is read as its only item; other values are unreadable.
fn objects<'t, 'a>(
    list: Node<'t, 'a>,
    field: Field,
    take: &mut Take<'t, 'a>,
) -> impl Iterator<Item = Node<'t, 'a>> + use<'t, 'a> {
    let alone = Some(list).filter(|list| kind(*list) == OBJECT);
    match alone {
        Some(_) => take.remark(list, "json.list", list.name(), "read as a list of one"),
        None => {
            take.known(list);
            let others = list.nodes().filter(|node| !matches!(kind(*node), OBJECT | NULL));
            others.for_each(|node| take.unreadable(node, field));
        }
    }
    let listed = list.nodes().filter(move |node| alone.is_none() && kind(*node) == OBJECT);
    alone.into_iter().chain(listed)
}

fn language<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Str<'a>>) {
    take.value(node, None, slot);
    take.language(Some(node), slot);
}

fn text<'t, 'a>(node: Node<'t, 'a>, kind: TextKind, take: &mut Take<'t, 'a>, slot: &mut Option<Text<'a>>) {
    match slot {
        // an empty text counts as absent
        _ if node.value().trim().is_empty() => take.implied(node),
        Some(first) => take.merge(node, Reason::FirstWins, first.value.mark),
        None => *slot = take.leaf(node, None).map(|value| Text::new(kind, value)),
    }
}

/// The content without markup. Beside content with markup, which has more, it only goes back.
fn plain_content<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    if entry.content.is_none() {
        return text(node, TextKind::Plain, take, &mut entry.content);
    }
    let Some(value) = take.leaf::<Cow<'a, str>>(node, None) else { return };
    entry.modules.push(Module { name: PLAIN_CONTENT.into(), value: Some(value), ..Module::default() });
    pass_over_plain(entry, take);
}

/// Settles content without markup that is kept beside content with markup.
pub(in crate::format) fn pass_over_plain(entry: &Entry<'_>, take: &mut Take<'_, '_>) {
    let Some(marked) = entry.content.as_ref().filter(|content| content.kind != TextKind::Plain) else { return };
    let plain = entry.modules.iter().find(|module| module.name == PLAIN_CONTENT);
    let Some(plain) = plain.and_then(|module| module.value.as_ref()) else { return };
    let words = html::to_plain(&marked.value.value);
    match words.split_whitespace().eq(plain.value.split_whitespace()) {
        true => take.fold(plain.mark, Reason::SameValue, marked.value.mark),
        false => take.pass_over(plain.mark, Field::Content, Reason::MarkupInstead),
    }
}

/// A member of a list that gives one value of a part.
fn link<'t, 'a>(node: Node<'t, 'a>, rel: &'static str, take: &mut Take<'t, 'a>, links: &mut Vec<Link<'a>>) {
    let href: Option<Str<'a>> = take.leaf(node, None);
    // the name of the member is the relation
    links.extend(href.map(|href| Link { href: Some(href), rel: Some(take.constant(node, rel)), ..Link::default() }));
}

fn icon<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    let mut image = feed.image.take().unwrap_or_default();
    take.value(node, None, &mut image.url);
    feed.image = Some(image).filter(|image: &FeedImage<'_>| !image.is_blank());
}

fn hubs<'t, 'a>(list: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    for hub in objects(list, Field::FeedLinkHref, take) {
        // one that is no link stays whole
        let Some(node) = strings(hub).find(|node| node.name() == "url") else { continue };
        take.known(hub);
        link(node, "hub", take, &mut feed.links);
        let kind = strings(hub).find(|node| node.name() == "type");
        if let (Some(kind), Some(link)) = (kind, feed.links.last_mut()) {
            take.value(kind, None, &mut link.title);
        }
    }
}

fn expired<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, feed: &mut Feed<'a>) {
    if node.value() != "true" {
        return take.implied(node);
    }
    let value: Option<Str<'a>> = take.leaf(node, None);
    let value = value.map(|value| value.with("yes".into()));
    feed.flags.push(Flag { name: COMPLETE.into(), value, flag: None });
}

fn people<'t, 'a>(list: Node<'t, 'a>, field: Field, take: &mut Take<'t, 'a>, people: &mut Vec<Person<'a>>) {
    for object in objects(list, field, take) {
        people.extend(person(object, take));
    }
}

/// How many people are searched for the same one: a longer list must not cost more than its length.
const SEARCHED: usize = 64;

/// An object of which the model has something; any other stays whole, unless it is empty.
fn person<'t, 'a>(object: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Option<Person<'a>> {
    let mut person = Person::default();
    for node in strings(object) {
        match (node.name(), node.value().strip_prefix("mailto:")) {
            ("name", _) => take.value(node, None, &mut person.name),
            ("url", Some(_)) => {
                take.value(node, None, &mut person.email);
                let email =
                    person.email.as_ref().and_then(|email| Some(email.value.strip_prefix("mailto:")?.to_owned()));
                person.email = person.email.map(|leaf| match email {
                    Some(email) => leaf.with(email.into()),
                    None => leaf,
                });
            }
            ("url", None) => take.value(node, None, &mut person.uri),
            _ => (),
        }
    }
    let has_some = !person.is_blank();
    if has_some || object.nodes().next().is_none() {
        take.known(object);
    }
    has_some.then_some(person)
}

/// The author of version 1.0. Version 1.1 allows it beside `authors`, for readers of 1.0.
fn only_author<'t, 'a>(object: Option<Node<'t, 'a>>, take: &mut Take<'t, 'a>, people: &mut Vec<Person<'a>>) {
    let Some(object) = object else { return };
    let Some(person) = person(object, take) else { return };
    let said = |known: &Person<'_>| known.name == person.name && known.uri == person.uri && known.email == person.email;
    match people.iter().take(SEARCHED).find(|known| said(known)) {
        Some(known) => {
            let pairs = [(&person.name, &known.name), (&person.uri, &known.uri), (&person.email, &known.email)];
            for (own, first) in pairs.into_iter().filter_map(|(own, first)| own.as_ref().zip(first.as_ref())) {
                take.fold(own.mark, Reason::SameValue, first.mark);
            }
        }
        None => people.push(person),
    }
}

fn image<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let loc = take.leaf(node, None);
    let image = loc.map(|loc| Image { loc: Some(loc), ..Image::default() });
    match node.name() {
        "image" => entry.images.splice(0..0, image).for_each(drop),
        _ => entry.images.extend(image),
    }
}

fn tags<'t, 'a>(list: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    take.known(list);
    let mut terms: Vec<Str<'a>> = Vec::new();
    if kind(list) == STRING {
        take.remark(list, "json.list", list.value(), "read as a list, split at commas");
        take.parts(list, None, |c| c == ',', &mut terms);
    }
    terms.extend(strings(list).filter_map(|node| take.leaf(node, None)));
    entry.categories.extend(terms.into_iter().map(|term| Category { term: Some(term), ..Category::default() }));
}

/// The members of an attachment.
#[derive(Default)]
struct Attachment<'t, 'a> {
    file: File<'a>,
    title: Option<Node<'t, 'a>>,
    duration: Option<Node<'t, 'a>>,
}

/// Videos, and other files. Attachments with one title are renditions of one video.
fn attachments<'t, 'a>(list: Node<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let mut titles: HashMap<&'t str, usize> = HashMap::new();
    for object in objects(list, Field::EnclosureUrl, take) {
        take.known(object);
        let attachment = attachment(object, take);
        if !is_video_file(&attachment.file) {
            other_file(attachment, take, entry);
            continue;
        }
        let title = attachment.title.map(|node| node.value().trim()).filter(|title| !title.is_empty());
        let known = title.and_then(|title| titles.get(title).copied());
        let at = known.unwrap_or(entry.videos.len());
        if known.is_none() {
            entry.videos.push(Video::default());
            titles.extend(title.map(|title| (title, at)));
        }
        if let Some(video) = entry.videos.get_mut(at) {
            rendition(attachment, take, video);
        }
    }
    // where some files have no duration, that of the first is not that of the video
    for video in &mut entry.videos {
        if let Some((first, others)) = video.files.split_first_mut()
            && others.iter().any(|file| file.duration.is_none())
        {
            first.duration = video.duration.take();
        }
    }
    entry.videos.retain(|video| !video.is_blank());
}

/// Whether an attachment is the file of a video, by its type or else its name. One without a URL is not.
fn is_video_file(file: &File<'_>) -> bool {
    let kind = file.kind.as_ref().and_then(|kind| mime::medium_of_type(&kind.value));
    let medium = |url: &Str<'_>| kind.or_else(|| mime::medium_of_url(&url.value));
    file.url.as_ref().and_then(medium) == Some(Medium::Video)
}

fn attachment<'t, 'a>(object: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Attachment<'t, 'a> {
    let mut found = Attachment::default();
    for node in object.nodes() {
        match (node.name(), kind(node)) {
            ("url", STRING) => take.value(node, None, &mut found.file.url),
            ("mime_type", STRING) => take.value(node, None, &mut found.file.kind),
            ("size_in_bytes", NUMBER | STRING) => take.value(node, None, &mut found.file.size),
            ("title", STRING) if found.title.is_none() => found.title = Some(node),
            ("duration_in_seconds", NUMBER | STRING) if found.duration.is_none() => found.duration = Some(node),
            _ => misfit(node, take, OF_PARTS),
        }
    }
    found
}

fn rendition<'t, 'a>(attachment: Attachment<'t, 'a>, take: &mut Take<'t, 'a>, video: &mut Video<'a>) {
    let Attachment { mut file, title, duration } = attachment;
    if let Some(title) = title {
        match &video.title {
            Some(first) => take.merge(title, Reason::SameValue, first.value.mark),
            None => text(title, TextKind::Plain, take, &mut video.title),
        }
    }
    if let Some(node) = duration {
        // that of the first file is the video's; the others have their own, or none
        let slot = if video.files.is_empty() { &mut video.duration } else { &mut file.duration };
        take.value(node, None, slot);
    }
    video.files.extend((!file.is_blank()).then_some(file));
}

fn other_file<'t, 'a>(attachment: Attachment<'t, 'a>, take: &mut Take<'t, 'a>, entry: &mut Entry<'a>) {
    let Attachment { file, title, duration } = attachment;
    let File { url, kind, size, .. } = file;
    let mut enclosure = Enclosure { url, kind, length: size, ..Enclosure::default() };
    if let Some(title) = title {
        take.value(title, None, &mut enclosure.title);
    }
    // without a URL it would be taken for a file of Media RSS
    if let Some(node) = duration.filter(|_| enclosure.url.is_some()) {
        let mut more = File::default();
        take.value(node, None, &mut more.duration);
        enclosure.file = Some(Box::new(more)).filter(|more| !more.is_blank());
    }
    entry.enclosures.extend((!enclosure.is_blank()).then_some(enclosure));
}

/// Whether a leaf has this text.
pub(super) fn is(leaf: Option<&Str<'_>>, text: &str) -> bool {
    leaf.map(Leaf::as_str).is_some_and(|found| found.eq_ignore_ascii_case(text))
}
