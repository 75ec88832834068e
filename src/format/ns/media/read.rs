//! The optional elements of Media RSS 1.5.1. All levels have the same elements; item.rs and inherit.rs determine the
//! level and what it passes on.

use crate::format::ns::dcterms;
use crate::model::{
    Audience, Category, Credit, Decimal, Embed, Hash, Leaf, LeafView, License, Mark, Param, PeerLink, Price,
    Restriction, Scene, Str, Subtitle, TagWeight, Text, TextKind, Thumbnail, TimedText, Uploader, UriRestriction,
    Video, VideoLocation, Walk,
};
use crate::reason::Reason;
use crate::text::bytes::trimmed;
use crate::text::{html, region};
use crate::tree::wild::{TRUE_FALSE, is_separator};
use crate::tree::{Node, Take, is_unescaped};
use crate::xml::escape::reference_name;
use crate::xml::names::Ns;

/// How many members of a list are searched for one with the same key. Lists that are keyed have a handful; a longer
/// one must not cost more than its length.
const KEYED: usize = 64;

/// Reads one element into a level. `false`, and nothing taken, if it is not one of these elements or cannot be
/// understood.
pub(super) fn element<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) -> bool {
    match (el.ns(), el.name()) {
        (Ns::Media, name) => optional(name, el, take, level),
        (Ns::Dcterms, "valid") => dcterms::valid(el, take, &mut level.available),
        (Ns::Dcterms, "type") => dcterms::live(el, take, &mut level.live),
        _ => false,
    }
}

/// Whether an element may be one of these, before anything is made for it.
pub fn is_element(el: Node<'_, '_>) -> bool {
    el.ns() == Ns::Media || el.ns() == Ns::Dcterms && matches!(el.name(), "valid" | "type")
}

fn optional<'t, 'a>(name: &str, el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) -> bool {
    match name {
        "rating" => rating(el, take, level),
        "adult" => take.flag_text(el, TRUE_FALSE, &mut level.adult),
        "title" => text(el, take, &mut level.title),
        "description" => text(el, take, &mut level.description),
        "keywords" => keywords(el, take, level),
        "thumbnail" => thumbnail(el, take, level),
        "category" => category(el, take, level),
        "hash" => hash(el, take, level),
        "player" => once(el, take, &mut level.player, |take, player| {
            take.attr(el, "url", &mut player.url);
            address_inside(el, take, &mut player.url);
            take.attr(el, "width", &mut player.width);
            take.attr(el, "height", &mut player.height);
        }),
        "credit" => credit(el, take, level),
        "copyright" => once(el, take, &mut level.copyright, |take, copyright| {
            take.attr(el, "url", &mut copyright.url);
            take.text(el, &mut copyright.text);
        }),
        "text" => timed_text(el, take, level),
        "restriction" => return restriction(el, take, level),
        "community" => community(el, take, level),
        "comments" => children(el, "comment", take, |take, comment| take.push(comment, None, &mut level.comments)),
        // its parameters belong together: none fills a gap
        "embed" if level.embed.is_some() => {
            let chosen = take.chosen_like(el);
            take.set_aside(el, chosen, |take, aside| _ = optional(name, el, take, aside));
        }
        "embed" => once(el, take, &mut level.embed, |take, embed| read_embed(el, take, embed)),
        "responses" => {
            children(el, "response", take, |take, response| take.push(response, None, &mut level.responses));
        }
        "backLinks" => children(el, "backLink", take, |take, link| take.push(link, None, &mut level.back_links)),
        "status" => once(el, take, &mut level.status, |take, status| {
            take.attr(el, "state", &mut status.state);
            take.attr(el, "reason", &mut status.reason);
        }),
        "price" => price(el, take, level),
        "license" => license(el, take, level),
        "subTitle" => subtitle(el, take, level),
        "peerLink" => peer_link(el, take, level),
        "location" => location(el, take, level),
        "rights" => take.attr(el, "status", &mut level.rights_status),
        "scenes" => children(el, "scene", take, |take, part| scene(part, take, level)),
        _ => return false,
    }
    true
}

// --- what several elements have in common ---

/// Adds a part to a list, if anything of it was readable.
fn push<W: Walk>(list: &mut Vec<W>, part: W) {
    if !part.is_blank() {
        list.push(part);
    }
}

/// Reads an element of which a level has one.
fn once<'t, 'a, W: Walk<Names = ()> + Default>(
    el: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    slot: &mut Option<W>,
    read: impl FnOnce(&mut Take<'t, 'a>, &mut W),
) {
    if let Some(chosen) = slot.as_ref().and_then(|_| take.contradicted(el)) {
        return take.set_aside(el, Some(chosen), read);
    }
    take.known(el);
    let mut part = slot.take().unwrap_or_default();
    read(take, &mut part);
    if !part.is_blank() {
        *slot = Some(part);
    }
}

/// The mark of the first leaf of a part.
pub(super) fn first_mark<W: Walk>(part: &W, names: W::Names) -> Mark {
    let mut first = Mark::NONE;
    part.walk(names, &mut |seen: LeafView<'_>| {
        if !first.is_some() {
            first = seen.mark;
        }
    });
    first
}

/// Sets an element of an attribute and a text aside, in whose place another one is.
fn set_pair_aside<'t, 'a>(
    el: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    [attribute, text]: [Mark; 2],
    read: impl FnOnce(&mut Take<'t, 'a>, &mut Video<'a>),
) {
    let chosen = take.beside(el, if attribute.is_some() { attribute } else { text });
    take.set_aside(el, chosen, read);
}

fn mark_of(slot: &Option<Str<'_>>) -> Mark {
    slot.as_ref().map_or(Mark::NONE, |leaf| leaf.mark)
}

/// Reads the `media:` children of one name below an element that only holds them.
fn children<'t, 'a>(
    el: Node<'t, 'a>,
    name: &str,
    take: &mut Take<'t, 'a>,
    mut read: impl FnMut(&mut Take<'t, 'a>, Node<'t, 'a>),
) {
    take.known(el);
    for child in el.children().filter(|child| child.ns() == Ns::Media && child.name() == name) {
        read(take, child);
    }
}

/// What the `type` of a text in HTML is.
const HTML: &[&str] = &["html", "text/html"];

/// The kind of a text: HTML if that is its `type`, or if it has markup and no `type`.
pub(crate) fn text_kind(el: Node<'_, '_>) -> TextKind {
    let is_html = is_said(el, HTML) || is_undeclared(el) || is_unescaped(el);
    if is_html { TextKind::Html } else { TextKind::Plain }
}

/// Whether the `type` of a text is one of these.
fn is_said(el: Node<'_, '_>, names: &[&str]) -> bool {
    let said = el.attribute("type").map(|attribute| trimmed(attribute.value()));
    said.is_some_and(|said| names.iter().any(|name| said.eq_ignore_ascii_case(name)))
}

/// Whether a text without a `type` has markup.
fn is_undeclared(el: Node<'_, '_>) -> bool {
    let is_untyped = el.attribute("type").is_none_or(|attribute| trimmed(attribute.value()).is_empty());
    is_untyped && html::has_tag(el.text_value()) && html::is_markup(el.text_value())
}

/// Reads a text with its `type`, which goes where the text goes.
fn text<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Text<'a>>) {
    let declared = el.attribute("type");
    let kind = text_kind(el);
    let undeclared = kind == TextKind::Html && !is_said(el, HTML) && !is_unescaped(el);
    let second = slot.is_some();
    take.construct(el, kind, None, slot);
    let Some(mark) = slot.as_ref().map(|text| text.value.mark) else { return };
    if let Some(attribute) = declared {
        if second {
            take.merge(attribute, Reason::FirstWins, mark);
        } else if is_said(el, HTML) || is_said(el, &["plain", "text/plain", "text"]) {
            take.follow(attribute, mark);
        }
    }
    if let (true, false, Some(run)) = (undeclared, second, el.text()) {
        take.remark(run, "text.undeclared_html", run.value(), "read markup in a text without a type as HTML");
    }
}

// --- the elements, in the order of the specification ---

/// One rating a scheme.
fn rating<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    let scheme = el.attribute("scheme").map_or("", |attribute| attribute.value().trim());
    let same = |rating: &&Audience<'_>| same_key(rating.scheme.as_ref().map(Leaf::as_str), scheme, "urn:simple");
    if let Some(first) = level.ratings.iter().take(KEYED).find(same) {
        let marks = [mark_of(&first.scheme), mark_of(&first.value)];
        return set_pair_aside(el, take, marks, |take, aside| rating(el, take, aside));
    }
    let mut rating = Audience::default();
    take.attr(el, "scheme", &mut rating.scheme);
    take.text(el, &mut rating.value);
    push(&mut level.ratings, rating);
}

/// Whether two keys are the same, where an absent one means `usual`.
pub(super) fn same_key(one: Option<&str>, other: &str, usual: &str) -> bool {
    let one = one.filter(|key| !key.is_empty()).unwrap_or(usual);
    let other = if other.is_empty() { usual } else { other };
    one.eq_ignore_ascii_case(other)
}

fn keywords<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    if memchr::memchr(b',', el.text_value().as_bytes()).is_some() {
        return take.list(el, None, |c| c == ',', &mut level.tags);
    }
    take.known(el);
    let Some(run) = el.text() else { return };
    split_at_semicolons(run, take, &mut level.tags);
}

/// Takes keywords without a comma as those between semicolons (A11).
pub(in crate::format) fn split_at_semicolons<'t, 'a>(
    run: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    tags: &mut Vec<Str<'a>>,
) {
    let before = tags.len();
    take.parts_of(run, None, at_semicolons, tags);
    if tags.len() > before + 1 {
        take.remark(run, "list.lenient", run.value().trim(), "split at the semicolons into several tags");
    }
}

/// Whether this text is read as several tags.
pub(in crate::format) fn is_tag_list(text: &str) -> bool {
    text.contains(',') || at_semicolons(text).len() > 1
}

/// The tags in a text, between commas, or else between semicolons (A11).
pub(in crate::format) fn tags_in(text: &str) -> impl Iterator<Item = &str> {
    let parts = if text.contains(',') { text.split(',').collect() } else { at_semicolons(text) };
    parts.into_iter().map(str::trim).filter(|tag| !tag.is_empty())
}

/// Parts a list at its semicolons, but not at one that ends what looks like a character reference (`&amp;`).
fn at_semicolons(text: &str) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for (end, _) in text.match_indices(';') {
        let ampersand = text[start..end].rfind('&').map(|at| start + at);
        let is_reference = |at: usize| reference_name(&text[at..]).is_some_and(|name| at + 1 + name.len() == end);
        if !ampersand.is_some_and(is_reference) {
            parts.push(&text[start..end]);
            start = end + 1;
        }
    }
    parts.push(&text[start..]);
    parts
}

fn thumbnail<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    let mut thumbnail = Thumbnail::default();
    take.attr_alias(el, ["url", "href"], &mut thumbnail.url);
    take.text_for_attr(el, "url", &mut thumbnail.url);
    take.attr(el, "width", &mut thumbnail.width);
    take.attr(el, "height", &mut thumbnail.height);
    take.position_attr(el, "time", &mut thumbnail.time);
    push(&mut level.thumbnails, thumbnail);
}

fn category<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    if let Some(scheme) = el.attribute("scheme").filter(|scheme| scheme.value().trim() == super::TAG_SCHEME)
        && el.attributes().count() == 1
        && el.text().is_some()
    {
        take.push(el, Some(Ns::Media), &mut level.tags);
        if let Some(mark) = level.tags.last().map(|tag| tag.mark) {
            take.follow(scheme, mark);
        }
        return;
    }
    let mut category = Category::default();
    take.attr(el, "scheme", &mut category.scheme);
    take.attr(el, "label", &mut category.label);
    take.text(el, &mut category.term);
    push(&mut level.categories, category);
}

/// One checksum an algorithm.
fn hash<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    let algo = el.attribute("algo").map_or("", |attribute| attribute.value().trim());
    let same = |hash: &&Hash<'_>| same_key(hash.algo.as_ref().map(Leaf::as_str), algo, "md5");
    if let Some(first) = level.hashes.iter().take(KEYED).find(same) {
        let marks = [mark_of(&first.algo), mark_of(&first.value)];
        return set_pair_aside(el, take, marks, |take, aside| hash(el, take, aside));
    }
    let mut hash = Hash::default();
    take.attr(el, "algo", &mut hash.algo);
    take.text(el, &mut hash.value);
    push(&mut level.hashes, hash);
}

/// The credit that names the uploader is what `video:uploader` is in a sitemap.
fn credit<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    let (role, scheme) = (el.attribute("role"), el.attribute("scheme"));
    let is = |found: Option<Node<'_, '_>>, value: &str| {
        found.is_some_and(|found| trimmed(found.value()).eq_ignore_ascii_case(value))
    };
    if is(role, "uploader") && is(scheme, "urn:yvs") && level.uploader.is_none() && el.text().is_some() {
        let mut uploader = Uploader::default();
        take.text(el, &mut uploader.name);
        let mark = first_mark(&uploader, ());
        for attribute in [role, scheme].into_iter().flatten() {
            take.follow(attribute, mark);
        }
        level.uploader = Some(uploader);
        return;
    }
    let mut credit = Credit::default();
    take.found(role, &mut credit.role);
    take.found(scheme, &mut credit.scheme);
    take.text(el, &mut credit.name);
    push(&mut level.credits, credit);
}

fn timed_text<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    let mut part = TimedText::default();
    text(el, take, &mut part.value);
    take.language_attr(el, "lang", &mut part.lang);
    take.position_attr(el, "start", &mut part.start);
    take.position_attr(el, "end", &mut part.end);
    push(&mut level.texts, part);
}

/// What a restriction is about.
#[derive(Clone, Copy, PartialEq)]
enum RestrictionKind {
    Countries,
    Sites,
    Sharing,
}

impl RestrictionKind {
    /// By `type`; without it, by the form of the list. `None` if neither decides.
    fn from_element(el: Node<'_, '_>) -> Option<RestrictionKind> {
        let Some(said) = restricted(el).map(|attribute| attribute.value().trim()) else {
            let is_code = |word: &str| matches!(word.len(), 2..=3) && word.bytes().all(|b| b.is_ascii_alphabetic());
            let mut words = list(el.text_value());
            let countries = words.all(|word| is_code(word) || region::is_literal(word));
            return countries.then_some(RestrictionKind::Countries);
        };
        let known = [
            ("country", RestrictionKind::Countries),
            ("uri", RestrictionKind::Sites),
            ("sharing", RestrictionKind::Sharing),
        ];
        known.iter().find(|(name, _)| said.eq_ignore_ascii_case(name)).map(|(_, restricts)| *restricts)
    }
}

/// The `type` of a restriction, unless it is empty.
fn restricted<'t, 'a>(el: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
    el.attribute("type").filter(|kind| !kind.value().trim().is_empty())
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_separator).filter(|word| !word.is_empty())
}

/// One restriction a type: later ones are ignored. One that neither allows nor denies is not understood: to guess wrong
/// would turn it into its opposite. One of countries is kept as it is, so that writers do not take the video for a free one.
fn restriction<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) -> bool {
    let Some(restricts) = RestrictionKind::from_element(el) else {
        if let Some(kind) = restricted(el) {
            take.remark(kind, "restriction.lenient", kind.value().trim(), "not a type of restrictions; not read");
        }
        return false;
    };
    // an empty attribute is a missing one
    let said = el.attribute("relationship").map(|said| said.value().trim()).filter(|said| !said.is_empty());
    let is_unclear = said.is_some_and(|said| !said.eq_ignore_ascii_case("allow") && !said.eq_ignore_ascii_case("deny"));
    if is_unclear && restricts != RestrictionKind::Countries {
        return false;
    }
    let first = match restricts {
        RestrictionKind::Countries => {
            level.restriction.as_ref().map(|first| (&first.relationship, first.countries.first()))
        }
        RestrictionKind::Sites => {
            level.uri_restriction.as_ref().map(|first| (&first.relationship, first.values.first()))
        }
        RestrictionKind::Sharing => level.sharing.as_ref().map(|_| (&level.sharing, None)),
    };
    if let Some((relationship, word)) = first {
        let marks = [mark_of(relationship), word.map_or(Mark::NONE, |word| word.mark)];
        set_pair_aside(el, take, marks, |take, aside| _ = restriction(el, take, aside));
        return true;
    }
    let mut relationship = None;
    if said.is_some() {
        take.attr(el, "relationship", &mut relationship);
    }
    let mut words = Vec::new();
    match restricts {
        RestrictionKind::Countries => take.countries(el, true, &mut words),
        RestrictionKind::Sites => take.list(el, None, char::is_whitespace, &mut words),
        RestrictionKind::Sharing => (),
    }
    // neither a word nor a list: a type alone means nothing
    let Some(mark) = relationship.as_ref().or(words.first()).map(|leaf| leaf.mark) else { return false };
    if relationship.is_none() {
        take.remark(el, "restriction.lenient", el.text_value(), "neither allow nor deny, read as allow");
    }
    let is_literal = |word: &Str<'_>| region::is_literal(word.as_str());
    if restricted(el).is_none() && !words.is_empty() && !words.iter().all(is_literal) {
        take.remark(el, "restriction.lenient", el.text_value(), "it does not say of what, read as countries");
    }
    el.attribute("type").into_iter().for_each(|kind| take.follow(kind, mark));
    // a list of all or none need not say of what; it goes back as it came
    if restricted(el).is_none()
        && words.iter().all(is_literal)
        && let Some(leaf) = relationship.as_mut().or(words.first_mut())
    {
        leaf.via = Some(Ns::Media);
    }
    match restricts {
        RestrictionKind::Countries => level.restriction = Some(Restriction { relationship, countries: words }),
        RestrictionKind::Sites => level.uri_restriction = Some(UriRestriction { relationship, values: words }),
        RestrictionKind::Sharing => level.sharing = relationship,
    }
    true
}

fn community<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    let is_filled =
        level.rating.is_some() || level.views.is_some() || level.favorites.is_some() || !level.tag_weights.is_empty();
    if take.sets_aside(el, is_filled, |take, aside| community(el, take, aside)) {
        return;
    }
    take.known(el);
    for part in el.children().filter(|part| part.ns() == Ns::Media) {
        match part.name() {
            "starRating" => once(part, take, &mut level.rating, |take, rating| {
                take.attr(part, "average", &mut rating.average);
                take.attr(part, "count", &mut rating.count);
                take.attr(part, "min", &mut rating.min);
                take.attr(part, "max", &mut rating.max);
            }),
            "statistics" => {
                take.attr(part, "views", &mut level.views);
                take.attr(part, "favorites", &mut level.favorites);
            }
            "tags" => tag_weights(part, take, level),
            _ => (),
        }
    }
}

/// `name:weight, …`: names and weights are all values of one leaf. A name may contain colons; the weight is the part
/// after the last one, if it is a number.
fn tag_weights<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    take.known(el);
    let Some(run) = el.text() else { return };
    let mut members = Vec::new();
    take.parts(run, None, |c| c == ',', &mut members);
    let Some(lead) = members.first().map(|member| member.mark) else { return };
    for member in members {
        let split = member.value.rsplit_once(':').and_then(|(name, weight)| {
            let (weight, note) = Decimal::parse(weight.trim().to_owned().into())?;
            Some((name.trim().to_owned(), weight, note)).filter(|(name, ..)| !name.is_empty())
        });
        let part = match split {
            Some((name, weight, note)) => {
                if let Some(note) = note {
                    take.remark(run, note.code, &member.value, format!("{}: {weight}", note.said));
                }
                let weight = Leaf { value: weight, mark: take.part(run, lead), via: None };
                TagWeight { tag: Some(member.with(name.into())), weight: Some(weight) }
            }
            None => TagWeight { tag: Some(member), weight: None },
        };
        level.tag_weights.push(part);
    }
}

/// Reads the URL of a player given in its element rather than in an attribute: as text, or as a snippet of HTML.
fn address_inside<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Str<'a>>) {
    take.text_for_attr(el, "url", slot);
    take.snippet(el, slot);
}

fn read_embed<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, embed: &mut Embed<'a>) {
    take.attr(el, "url", &mut embed.url);
    address_inside(el, take, &mut embed.url);
    take.attr(el, "width", &mut embed.width);
    take.attr(el, "height", &mut embed.height);
    children(el, "param", take, |take, child| {
        let mut param = Param::default();
        take.attr(child, "name", &mut param.name);
        take.text(child, &mut param.value);
        push(&mut embed.params, param);
    });
}

fn price<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    let mut price = Price::default();
    take.attr(el, "type", &mut price.kind);
    take.attr(el, "price", &mut price.amount);
    take.text_for_attr(el, "price", &mut price.amount);
    take.attr(el, "currency", &mut price.currency);
    take.attr(el, "info", &mut price.info);
    push(&mut level.prices, price);
}

fn license<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    let mut license = License::default();
    take.attr(el, "type", &mut license.kind);
    take.attr(el, "href", &mut license.href);
    take.text(el, &mut license.text);
    push(&mut level.license, license);
}

fn subtitle<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    let mut subtitle = Subtitle::default();
    take.attr(el, "type", &mut subtitle.kind);
    take.language_attr(el, "lang", &mut subtitle.lang);
    take.attr(el, "href", &mut subtitle.href);
    take.text_for_attr(el, "href", &mut subtitle.href);
    push(&mut level.subtitles, subtitle);
}

fn peer_link<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    let mut link = PeerLink::default();
    take.attr(el, "type", &mut link.kind);
    take.attr(el, "href", &mut link.href);
    push(&mut level.peer_links, link);
}

fn location<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    let mut place = VideoLocation::default();
    take.attr(el, "description", &mut place.description);
    take.text_for_attr(el, "description", &mut place.description);
    take.position_attr(el, "start", &mut place.start);
    take.position_attr(el, "end", &mut place.end);
    if let Some(container) = el.child(Ns::GeoRss, "where") {
        take.known(container);
        if let Some(point) = container.child(Ns::Gml, "Point") {
            take.known(point);
            if let Some(pos) = point.child(Ns::Gml, "pos") {
                take.text(pos, &mut place.point);
            }
        }
    }
    push(&mut level.location, place);
}

/// The children of a scene have no prefix, so they are in no namespace, or in that of the document.
fn scene<'t, 'a>(el: Node<'t, 'a>, take: &mut Take<'t, 'a>, level: &mut Video<'a>) {
    take.known(el);
    let mut part = Scene::default();
    for child in el.children().filter(|child| child.ns() != Ns::Unknown) {
        match child.name() {
            "sceneTitle" => take.text(child, &mut part.title),
            "sceneDescription" => take.text(child, &mut part.description),
            "sceneStartTime" => take.position_text(child, &mut part.start),
            "sceneEndTime" => take.position_text(child, &mut part.end),
            _ => (),
        }
    }
    push(&mut level.scenes, part);
}
