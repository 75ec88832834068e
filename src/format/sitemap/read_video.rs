//! Reads `video:video` (Google video sitemap 1.1, all 23 elements) into a [`Video`].

use std::borrow::Cow;

use super::element::{CoreNamespace, decode_again, leave_videos, name_of, plain, word, words};
use crate::model::date::DateForm;
use crate::model::{
    Category, Field, File, Leaf, Platform, Price, Restriction, Seconds, Segment, Str, Thumbnail, Tv, TypedId, Video,
};
use crate::reason::Reason;
use crate::tree::wild::{YES_NO, is_separator};
use crate::tree::{Node, Take};
use crate::xml::names::Ns;

/// The children of a video in the order of the schema.
pub(crate) const NAMES: &[&str] = &[
    "thumbnail_loc",
    "title",
    "description",
    "content_loc",
    "player_loc",
    "duration",
    "expiration_date",
    "rating",
    "content_segment_loc",
    "view_count",
    "publication_date",
    "tag",
    "category",
    "family_friendly",
    "restriction",
    "gallery_loc",
    "price",
    "requires_subscription",
    "uploader",
    "tvshow",
    "platform",
    "live",
    "id",
];

/// Reads one video. Children without prefix are taken for the extension's own: the prefix is often forgotten.
pub(super) fn video<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, reading: CoreNamespace) -> Video<'a> {
    let mut video = Video::default();
    into(root, take, &mut video, reading);
    video
}

/// Reads a video into one that may have values already; those win.
pub(super) fn into<'t, 'a>(root: Node<'t, 'a>, take: &mut Take<'t, 'a>, video: &mut Video<'a>, reading: CoreNamespace) {
    take.known(root);
    let prices = video.prices.len();
    let children = || root.children().filter(|child| child.ns() == Ns::Video || reading.is_core(child.ns()));
    for node in children() {
        let name = name_of(node, take, NAMES);
        if !name.is_empty() {
            take.unprefixed(node, Ns::Video);
        }
        let is_aside = is_filled(name, video)
            && take.sets_aside(node, true, |take, aside| element(name, node, take, aside, reading));
        if is_aside {
            continue;
        }
        let known =
            video.prices.iter_mut().take(prices.min(PRICES)).find(|known| name == "price" && is_same(node, known));
        if let Some(known) = known {
            more_of(node, take, known);
        } else if name != "tag" {
            element(name, node, take, video, reading);
        }
    }
    tags(children().filter(|node| node.name().eq_ignore_ascii_case("tag")).collect(), take, video);
}

/// Whether a video has values of an element of several, which belong together.
fn is_filled(name: &str, video: &Video<'_>) -> bool {
    match name {
        "player_loc" => video.player.is_some(),
        "gallery_loc" => video.gallery.is_some(),
        "uploader" => video.uploader.is_some(),
        "tvshow" => video.tv.is_some(),
        _ => false,
    }
}

/// A video's only tag with commas in it is a list of tags; among several, a comma belongs to its tag.
fn tags<'t, 'a>(nodes: Vec<Node<'t, 'a>>, take: &mut Take<'t, 'a>, video: &mut Video<'a>) {
    if let [only] = nodes[..]
        && only.text_value().contains(',')
    {
        take.remark(only, "list.lenient", only.text_value(), "split at the commas into several tags");
        let before = video.tags.len();
        take.list(only, None, |c| c == ',', &mut video.tags);
        return video.tags.iter_mut().skip(before).for_each(|tag| decode_again(only, take, tag));
    }
    for node in nodes {
        let before = video.tags.len();
        take.push(node, None, &mut video.tags);
        video.tags.iter_mut().skip(before).for_each(|tag| decode_again(node, take, tag));
    }
}

fn element<'t, 'a>(
    name: &'static str,
    node: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    video: &mut Video<'a>,
    reading: CoreNamespace,
) {
    match name {
        "thumbnail_loc" => {
            let mut thumbnail = Thumbnail::default();
            reading.address_of(node, take, &mut thumbnail.url);
            video.thumbnails.extend(thumbnail.url.is_some().then_some(thumbnail));
        }
        "title" => plain(node, take, &mut video.title),
        "description" => plain(node, take, &mut video.description),
        "content_loc" => {
            take.known(node);
            if node.text().is_some() {
                if video.files.is_empty() {
                    video.files.push(File::default());
                }
                reading.address_of(node, take, &mut video.files[0].url);
            }
        }
        "player_loc" => {
            take.flag_attr(node, "allow_embed", YES_NO, &mut video.allow_embed);
            take.attr(node, "autoplay", &mut video.autoplay);
            reading.address_of(node, take, &mut video.player.get_or_insert_default().url);
        }
        "duration" => whole_seconds(node, take, &mut video.duration),
        "expiration_date" => take.date_text(node, DateForm::W3c, &mut video.available.get_or_insert_default().end),
        "rating" => take.text(node, &mut video.rating.get_or_insert_default().average),
        "content_segment_loc" => {
            let mut segment = Segment::default();
            take.attr(node, "duration", &mut segment.duration);
            reading.address_of(node, take, &mut segment.url);
            video.segments.push(segment);
        }
        "view_count" => take.text(node, &mut video.views),
        "publication_date" => take.date_text(node, DateForm::W3c, &mut video.published),
        "category" => {
            if video.categories.is_empty() {
                video.categories.push(Category::default());
            }
            words(node, take, &mut video.categories[0].term);
        }
        "family_friendly" => take.flag_text(node, YES_NO, &mut video.family_friendly),
        "restriction" => restriction(node, take, video),
        "gallery_loc" => {
            let gallery = video.gallery.get_or_insert_default();
            let first = gallery.title.is_none();
            take.attr(node, "title", &mut gallery.title);
            if let Some(title) = gallery.title.as_mut().filter(|_| first) {
                decode_again(node, take, title);
            }
            reading.address_of(node, take, &mut gallery.url);
        }
        "price" => {
            let price = price(node, take);
            video.prices.push(price);
        }
        "requires_subscription" => take.flag_text(node, YES_NO, &mut video.requires_subscription),
        "uploader" => {
            let uploader = video.uploader.get_or_insert_default();
            words(node, take, &mut uploader.name);
            if let Some(info) = node.attribute("info") {
                take.value(info, None, &mut uploader.uri);
            }
        }
        "tvshow" => tv(node, take, video.tv.get_or_insert_default(), reading),
        "platform" => platform(node, take, video),
        "live" => take.flag_text(node, YES_NO, &mut video.live),
        "id" => {
            let mut id = TypedId::default();
            take.attr(node, "type", &mut id.kind);
            take.text(node, &mut id.value);
            video.ids.push(id);
        }
        _ => leave_videos(node, take),
    }
}

fn restriction<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, video: &mut Video<'a>) {
    if let Some(first) = &video.restriction {
        return match take.chosen_like(node) {
            None => merge_all(node, take, first.relationship.as_ref(), first.countries.first()),
            chosen => take.set_aside(node, chosen, |take, aside| restriction(node, take, aside)),
        };
    }
    take.known(node);
    let mut restriction = Restriction::default();
    match node.attribute("relationship") {
        // kept as it is, so that writers do not take the video for a free one
        Some(attribute) if unclear(node) => take.value(attribute, None, &mut restriction.relationship),
        Some(attribute) => {
            word(attribute, take, Field::VideoRestrictionRelationship.terms(), &mut restriction.relationship);
        }
        None => (),
    }
    take.countries(node, false, &mut restriction.countries);
    match (&restriction.relationship, restriction.countries.as_slice()) {
        // neither a word nor a list: it means nothing
        (None, []) => return,
        (None, _) => allowed(node, take),
        (Some(_), _) => (),
    }
    video.restriction = Some(restriction);
}

fn platform<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, video: &mut Video<'a>) {
    if let Some(first) = &video.platform {
        return match take.chosen_like(node) {
            None => merge_all(node, take, first.relationship.as_ref(), first.platforms.first()),
            chosen => take.set_aside(node, chosen, |take, aside| platform(node, take, aside)),
        };
    }
    take.known(node);
    if unclear(node) {
        return;
    }
    let mut platform = Platform::default();
    if let Some(attribute) = node.attribute("relationship") {
        word(attribute, take, Field::VideoPlatformRelationship.terms(), &mut platform.relationship);
    }
    take.list(node, None, is_separator, &mut platform.platforms);
    if node.text_value().contains([',', ';', '|']) {
        take.remark(node, "list.lenient", node.text_value(), "split at characters other than spaces");
    }
    match (&platform.relationship, platform.platforms.as_slice()) {
        (None, []) => return,
        (None, _) => allowed(node, take),
        (Some(_), _) => (),
    }
    video.platform = Some(platform);
}

/// Merges an element into values that an element of another name gave.
fn merge_all<'t, 'a>(
    node: Node<'t, 'a>,
    take: &mut Take<'t, 'a>,
    relationship: Option<&Str<'a>>,
    word: Option<&Str<'a>>,
) {
    take.known(node);
    let Some(any) = relationship.or(word) else { return };
    for (leaf, with) in [(node.attribute("relationship"), relationship), (node.text(), word)] {
        let Some(leaf) = leaf else { continue };
        let is_same = with.is_some_and(|with| with.value == leaf.value().trim());
        let why = if is_same { Reason::SameValue } else { Reason::FirstWins };
        take.merge(leaf, why, with.unwrap_or(any).mark);
    }
}

/// Whether the relationship is neither `allow` nor `deny`. Such a restriction is not understood: a wrong guess would
/// reverse it. An empty attribute is a missing one.
fn unclear(node: Node<'_, '_>) -> bool {
    let said = node.attribute("relationship").map(|said| said.value().trim()).filter(|said| !said.is_empty());
    said.is_some_and(|said| {
        !Field::VideoRestrictionRelationship.terms().iter().any(|word| word.eq_ignore_ascii_case(said))
    })
}

fn allowed<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>) {
    take.remark(node, "restriction.lenient", node.text_value(), "neither allow nor deny, read as allow");
}

/// How many prices are searched for the one that an element adds to.
const PRICES: usize = 64;

/// Whether an element repeats a known price and adds its resolution.
fn is_same(node: Node<'_, '_>, known: &Price<'_>) -> bool {
    let said = |name: &str| node.attribute(name).map(|attribute| attribute.value().trim());
    let amount = node.text().map(|text| text.value().trim());
    let new = said("resolution").is_some() && known.resolution.is_none();
    // an amount without a type is that of a purchase (A7)
    let usual = amount.map(|_| "purchase");
    let kind = known.kind.as_ref().map(|kind| kind.as_str());
    new && amount == known.amount.as_ref().map(|amount| amount.value.as_str())
        && said("currency") == known.currency.as_ref().map(|currency| currency.as_str())
        && said("type").or(usual) == kind.or(usual)
}

/// Reads the resolution of a price that is known.
fn more_of<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, known: &mut Price<'a>) {
    take.known(node);
    let said = [
        (node.text(), known.amount.as_ref().map(|leaf| leaf.mark)),
        (node.attribute("currency"), known.currency.as_ref().map(|leaf| leaf.mark)),
        (node.attribute("type"), known.kind.as_ref().map(|leaf| leaf.mark)),
    ];
    for (leaf, mark) in said {
        if let (Some(leaf), Some(mark)) = (leaf, mark) {
            take.follow(leaf, mark);
        }
    }
    if let Some(resolution) = node.attribute("resolution") {
        word(resolution, take, Field::VideoPriceResolution.terms(), &mut known.resolution);
    }
}

/// Takes a duration, which in this format is a number of whole seconds.
fn whole_seconds<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Leaf<Seconds>>) {
    let first = slot.is_none();
    take.text(node, slot);
    let Some(seconds) = slot.as_ref().filter(|seconds| first && !seconds.value.is_whole()) else { return };
    let found = node.text_value().trim();
    if found.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        take.remark(node, "duration.lenient", found, format!("read with its fraction: {}", seconds.value));
    }
}

/// A price. `own`, the word of Google's page before 2022, is what the schema calls `purchase`.
fn price<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Price<'a> {
    let mut price = Price::default();
    take.text(node, &mut price.amount);
    take.attr(node, "currency", &mut price.currency);
    if let Some(currency) = &mut price.currency
        && currency.value.len() == 3
        && currency.value.bytes().all(|byte| byte.is_ascii_alphabetic())
    {
        currency.value = Cow::Owned(currency.value.to_ascii_uppercase());
    }
    if let Some(kind) = node.attribute("type") {
        word(kind, take, &["rent", "purchase", "package", "subscription", "own"], &mut price.kind);
    }
    if let Some(kind) = price.kind.as_mut().filter(|kind| kind.value == "own") {
        kind.value = Cow::Borrowed("purchase");
        take.adjusted(kind.mark, Reason::UsualTerm);
    }
    if let Some(resolution) = node.attribute("resolution") {
        word(resolution, take, Field::VideoPriceResolution.terms(), &mut price.resolution);
    }
    price
}

fn tv<'t, 'a>(node: Node<'t, 'a>, take: &mut Take<'t, 'a>, tv: &mut Tv<'a>, reading: CoreNamespace) {
    const NAMES: &[&str] =
        &["show_title", "video_type", "episode_title", "season_number", "episode_number", "premier_date"];
    take.known(node);
    for child in node.children().filter(|child| child.ns() == Ns::Video || reading.is_core(child.ns())) {
        let name = name_of(child, take, NAMES);
        if !name.is_empty() {
            take.unprefixed(child, Ns::Video);
        }
        match name {
            "show_title" => words(child, take, &mut tv.show_title),
            "video_type" => take.text(child, &mut tv.kind),
            "episode_title" => words(child, take, &mut tv.episode_title),
            "season_number" => take.text(child, &mut tv.season),
            "episode_number" => take.text(child, &mut tv.episode),
            "premier_date" => take.date_text(child, DateForm::W3c, &mut tv.premiere),
            _ => (),
        }
    }
}
