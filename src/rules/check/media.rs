//! Checks of Media RSS 1.5.1, and of the requirements of Google for a feed used as a sitemap.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::super::hits::{Cx, Hits, QuotedValue, cut};
use super::rss::is_language;
use super::value::{self, attribute};
use super::{reading, video};
use crate::format::choice::{is_avatar, youtube_number};
use crate::format::medium::{can_be_film, is_no_video, medium_of};
use crate::format::ns::media::text_kind;
use crate::model::{Date, TextKind, Walk};
use crate::pages;
use crate::text::region::{self, Country};
use crate::text::{embed, html, many, mime, url};
use crate::tree::Node;
use crate::xml::names::Ns;

const M: Ns = Ns::Media;

fn is_media(node: Node<'_, '_>, name: &str) -> bool {
    node.ns() == M && node.name() == name
}

/// Whether a file is a video, by its medium, type or name; a player always is. `None` if unknown.
pub(super) fn is_video_content(content: Node<'_, '_>) -> Option<bool> {
    let medium = match (attribute(content, "medium"), attribute(content, "type"), attribute(content, "url")) {
        (Some(medium), ..) => return Some(medium.value().trim().eq_ignore_ascii_case("video")),
        (None, None, None) => return Some(true),
        (None, kind, url) => kind
            .and_then(|kind| mime::medium_of_type(kind.value()))
            .or_else(|| url.and_then(|url| mime::medium_of_url(url.value()))),
    };
    medium.map(|medium| medium == mime::Medium::Video)
}

fn is_video(content: Node<'_, '_>) -> bool {
    is_video_content(content) == Some(true)
}

/// The files of an entry that Google may take for videos.
fn videos<'t, 'a>(root: Node<'t, 'a>) -> impl Iterator<Item = Node<'t, 'a>> {
    let groups = root.children().filter(|child| is_media(*child, "group"));
    let in_groups = groups.flat_map(Node::children);
    let files = root.children().chain(in_groups).filter(|child| is_media(*child, "content"));
    files.filter(|content| is_video(*content))
}

pub(in super::super) fn url_or_player(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if of_channel("player", cx) {
        return;
    }
    each_video(
        root,
        "player",
        |_| true,
        |files| {
            for (file, _) in files.iter().filter(|(file, player)| attribute(*file, "url").is_none() && player.is_none())
            {
                let hint = "add url=\"…\" with the URL of the file, or <media:player url=\"…\"/>";
                let says = "the file has no url, and there is no player";
                hits.report_missing(u8::from(!is_video(*file)), *file, says, hint);
            }
        },
    );
}

/// Visits videos that have neither a file nor a `media:player`: `media:embed` must name something to play them with.
/// Other checks report unusable files and players.
fn each_unplayed(root: Node<'_, '_>, cx: &Cx<'_>, mut look: impl FnMut(Node<'_, '_>, Option<&str>, &str)) {
    let is_level = |node: Node<'_, '_>| is_media(node, "group") && !node.children().any(is_rendition);
    let embeds = |node: Node<'_, '_>| is_media(node, "embed");
    let mut around =
        root.children().chain(root.children().filter(|child| is_media(*child, "group")).flat_map(Node::children));
    if !around.any(|node| is_level(node) || embeds(node)) || ["player", "embed"].iter().any(|name| of_channel(name, cx))
    {
        return;
    }
    let entry = reading::entry(root, cx);
    let page = pages::address(&entry, cx.format.family).map_or("".into(), |page| page.url);
    let is_known = embed::player(&page, url::UrlParts::parse(&page).host()).is_some();
    for video in &entry.videos {
        let has_file = video.files.iter().any(|file| can_be_film(medium_of(file)));
        let has_player = video.player.as_ref().is_some_and(|player| player.url.is_some());
        if has_file || has_player || is_no_video(video, false) || is_known || youtube_number(video).is_some() {
            continue;
        }
        let embed = video.embed.as_ref().and_then(|embed| embed.url.as_ref());
        let address = embed.map(|url| url::normalize_for_sitemap(&url.value));
        if address.as_ref().is_some_and(|address| url::is_http(address) && !url::is_same(address, &page)) {
            continue;
        }
        let mut first = embed.map(|url| url.mark);
        video.walk((), &mut |seen| first = first.or(Some(seen.mark)));
        let found = first.and_then(|mark| reading::node(root, &entry, mark)).unwrap_or(root);
        look(found, embed.map(|url| url.as_str()), &page);
    }
}

fn is_rendition(node: Node<'_, '_>) -> bool {
    is_media(node, "content")
}

/// Nothing to play: neither a file, nor a player, nor an embed with a URL.
pub(in super::super) fn unplayed(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    each_unplayed(root, cx, |found, embed, _| {
        if embed.is_none_or(|address| address.trim().is_empty()) {
            let group = std::iter::successors(Some(found), |node| node.parent()).find(|node| is_media(*node, "group"));
            let hint = "add <media:content url=\"…\"/> with the URL of the file, or <media:player url=\"…\"/>";
            hits.report_missing(0, group.unwrap_or(found), "the video has neither a file nor a player", hint);
        }
    });
}

const MEDIA: [&str; 5] = ["image", "audio", "video", "document", "executable"];

pub(in super::super) fn medium(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    match node.attribute("medium") {
        Some(medium) if !MEDIA.contains(&medium.value()) => {
            let says = format_args!("medium is {}", QuotedValue(medium.value()));
            match MEDIA.iter().find(|known| known.eq_ignore_ascii_case(medium.value())) {
                Some(known) => hits.report(0, medium, says, format_args!("write {known}")),
                None => hits.report(0, medium, says, format_args!("write one of {}", MEDIA.join(", "))),
            }
        }
        Some(_) => (),
        None => match is_video_content(node) {
            Some(true) => hits.report_missing(1, node, "the video has no medium", "add medium=\"video\""),
            Some(false) => (),
            None => {
                let hint = "add medium=\"video\" if it is a video; Google ignores it otherwise";
                hits.report_missing(2, node, "the type of the file is unknown", hint);
            }
        },
    }
}

/// The files of one video, each with the element that applies to it: its own, or an inherited one.
type VideoFiles<'t, 'a> = [(Node<'t, 'a>, Option<Node<'t, 'a>>)];

/// Visits the videos of an entry one by one, with the elements of a name that apply to their files. The files of a
/// group are one video, and so are the files outside groups that only have the entry's elements.
fn each_video<'t, 'a>(
    root: Node<'t, 'a>,
    name: &str,
    is_wanted: fn(Node<'_, '_>) -> bool,
    mut look: impl FnMut(&VideoFiles<'t, 'a>),
) {
    let own = |node: Node<'t, 'a>| node.children().find(|child| is_media(*child, name));
    let of_entry = own(root);
    let is_file = |node: &Node<'t, 'a>| is_media(*node, "content") && is_wanted(*node);
    let mut bare = Vec::new();
    let mut files = Vec::new();
    for child in root.children() {
        if is_media(child, "group") {
            let of_group = own(child).or(of_entry);
            files.extend(child.children().filter(is_file).map(|file| (file, own(file).or(of_group))));
        } else if is_file(&child) && child.has_children() {
            files.push((child, own(child).or(of_entry)));
        } else if is_file(&child) {
            bare.push((child, of_entry));
            continue;
        }
        if !files.is_empty() {
            look(&files);
            files.clear();
        }
    }
    if !bare.is_empty() {
        look(&bare);
    }
}

/// Whether the channel has it, for all its videos.
fn of_channel(name: &'static str, cx: &Cx<'_>) -> bool {
    cx.channel().is_some_and(|channel| channel.children().any(|child| is_media(child, name)))
}

/// A text that Google requires of each video.
pub(in super::super) fn text_of(root: Node<'_, '_>, name: &'static str, most: usize, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let shown = format!("media:{name}");
    let above = of_channel(name, cx);
    let mut seen = HashSet::new();
    each_video(root, name, is_video, |files| {
        if let Some((file, _)) = files.iter().find(|(_, text)| text.is_none() && !above) {
            hits.report_missing(0, *file, format_args!("the video has no {shown}"), format_args!("add <{shown}>"));
        }
        for text in files.iter().filter_map(|(_, text)| *text).filter(|text| seen.insert(text.index)) {
            let kind = text_kind(text);
            let plain = value::words(text, kind);
            if plain.is_empty() && (kind == TextKind::Html || !text.has_children()) {
                hits.report_missing(0, text, format_args!("{shown} is empty"), "write its text");
            } else if let Some(count) = value::longer(&plain, most) {
                let hint = format_args!("truncate it to {most} characters");
                hits.report(1, text, format_args!("{shown} has {count} characters"), hint);
            }
        }
    });
}

pub(in super::super) fn title(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    text_of(root, "title", 100, cx, hits);
    // a player can have the title of its item, or the beginning of its text
    let is_text = |node: Node<'_, '_>| {
        let is_one = matches!(node.name(), "title" | "description" | "summary" | "content" | "encoded" | "subtitle");
        is_one && (node.text().is_some() || node.has_children())
    };
    if of_channel("title", cx) || root.children().any(is_text) {
        return;
    }
    for (level, player) in bare_players(root) {
        if !level.children().any(is_text) {
            hits.report_missing(0, player, "the video has no media:title", "add <media:title>");
        }
    }
}

pub(in super::super) fn thumbnail_missing(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if of_channel("thumbnail", cx) {
        return;
    }
    let hint = "add <media:thumbnail url=\"…\"/> with the URL of an image";
    let mut pictures = false;
    each_video(
        root,
        "thumbnail",
        |_| true,
        |all| {
            pictures |= all.iter().any(|(_, thumbnail)| thumbnail.is_some());
        },
    );
    let mut seen = HashSet::new();
    each_video(root, "thumbnail", is_video, |files| {
        for level in files.iter().filter_map(|(_, thumbnail)| thumbnail.as_ref()?.parent()) {
            if seen.insert(level.index) {
                avatars_alone(level, hits);
            }
        }
        if let Some((file, _)) = files.iter().find(|(_, thumbnail)| thumbnail.is_none()) {
            hits.report_missing(0, *file, "the video has no media:thumbnail", hint);
        }
    });
    let has = |node: Node<'_, '_>, name: &str| node.children().any(|child| is_media(child, name));
    let is_covered = has(root, "thumbnail");
    for (level, player) in bare_players(root).into_iter().filter(|_| !is_covered) {
        // an image beside the player is one too
        if !has(level, "thumbnail") && !files_of(level, root).any(is_image) {
            hits.report_missing(0, player, "the video has no media:thumbnail", hint);
        }
    }
    // so is an enclosure, which Google does not look at
    let enclosed = enclosures(root, cx).find(|_| !pictures && !is_covered);
    if let Some(enclosure) = enclosed {
        let hint = "add <media:content medium=\"video\"> and <media:thumbnail>: Google ignores enclosures";
        hits.report_missing(4, enclosure, "the enclosure is a video without media:thumbnail", hint);
    }
}

/// The files of a group, or all of the entry.
fn files_of<'t, 'a>(level: Node<'t, 'a>, root: Node<'t, 'a>) -> impl Iterator<Item = Node<'t, 'a>> {
    let groups = level.children().filter(move |child| level.index == root.index && is_media(*child, "group"));
    level.children().chain(groups.flat_map(Node::children)).filter(|child| is_media(*child, "content"))
}

fn is_image(content: Node<'_, '_>) -> bool {
    let by_type = || attribute(content, "type").and_then(|kind| mime::medium_of_type(kind.value()));
    let by_url = || attribute(content, "url").and_then(|url| mime::medium_of_url(url.value()));
    match attribute(content, "medium") {
        Some(medium) => medium.value().trim().eq_ignore_ascii_case("image"),
        None => by_type().or_else(by_url) == Some(mime::Medium::Image),
    }
}

/// The levels of an entry with a player and without a file that can be a film: such a player is a video too.
fn bare_players<'t, 'a>(root: Node<'t, 'a>) -> Vec<(Node<'t, 'a>, Node<'t, 'a>)> {
    let levels = std::iter::once(root).chain(root.children().filter(|child| is_media(*child, "group")));
    let is_bare = |level: &Node<'t, 'a>| files_of(*level, root).all(|file| is_video_content(file) == Some(false));
    let player = |level: Node<'t, 'a>| {
        let found = level.children().find(|child| is_media(*child, "player") || is_media(*child, "embed"));
        found.map(|player| (level, player))
    };
    levels.filter(is_bare).filter_map(player).collect()
}

/// Thumbnails of one level of which each shows a person.
fn avatars_alone(level: Node<'_, '_>, hits: &mut Hits<'_>) {
    let mut all = level.children().filter(|child| is_media(*child, "thumbnail")).filter_map(|it| attribute(it, "url"));
    let Some(first) = all.next() else { return };
    if is_avatar(first.value()) && all.all(|other| is_avatar(other.value())) {
        let says = format_args!("the only thumbnail is an avatar, {}", QuotedValue(first.value()));
        hits.report(3, first, says, "use an image from the video");
    }
}

/// What is attached to an entry and is a video, by its type or its name.
fn enclosures<'t, 'a>(root: Node<'t, 'a>, cx: &Cx<'_>) -> impl Iterator<Item = Node<'t, 'a>> {
    let is_link = |node: &Node<'_, '_>| {
        node.name() == "link" && attribute(*node, "rel").is_some_and(|rel| rel.value() == "enclosure")
    };
    let is_one = move |node: &Node<'_, '_>| {
        cx.is(*node, Ns::None, "enclosure")
            || node.ns() == Ns::Podcast && node.name() == "alternateEnclosure"
            || is_link(node)
    };
    let kind = |node: Node<'_, '_>| attribute(node, "type").and_then(|kind| mime::medium_of_type(kind.value()));
    let named = |node: Node<'_, '_>| {
        let url = attribute(node, "url").or_else(|| attribute(node, "href"));
        url.and_then(|url| mime::medium_of_url(url.value()))
    };
    let is_film = move |node: &Node<'_, '_>| kind(*node).or_else(|| named(*node)) == Some(mime::Medium::Video);
    root.children().filter(is_one).filter(is_film).collect::<Vec<_>>().into_iter()
}

/// Checks the thumbnails of a channel, and those of an entry that has a video: Google looks at no others.
pub(in super::super) fn thumbnails(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let mut thumbnails = root.and_behind().filter(|node| is_media(*node, "thumbnail")).peekable();
    let has_video = || {
        files_of(root, root).any(|file| is_video_content(file) != Some(false))
            || !bare_players(root).is_empty()
            || enclosures(root, cx).next().is_some()
    };
    if thumbnails.peek().is_some() && (cx.entry.is_none() || has_video()) {
        thumbnails.for_each(|node| thumbnail(node, hits));
    }
}

/// Checks a thumbnail by Google's rules: a listed type, and at least the minimum size.
fn thumbnail(node: Node<'_, '_>, hits: &mut Hits<'_>) {
    if let Some(address) = attribute(node, "url") {
        video::thumbnail_address(address, (2, 3), hits);
    }
    for (name, least) in [("width", 60), ("height", 30)] {
        if let Some(found) = node.attribute(name)
            && value::whole(found.value()).is_some_and(|pixels| pixels < least)
        {
            let what = format_args!("the {name} of the thumbnail");
            hits.report_wrong(3, found, what, "use one with at least 60 by 30 pixels");
        }
    }
}

pub(in super::super) fn has_url(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if attribute(node, "url").is_none() {
        hits.report_missing(1, node, format_args!("{} has no url", node.raw().qname), "add url=\"…\"");
    }
}

/// The page of an item.
fn page<'t>(node: Node<'t, '_>, cx: &Cx<'_>) -> Option<&'t str> {
    let root = std::iter::successors(Some(node), |node| node.parent()).last()?;
    let link = cx
        .children(root, Ns::Atom, "link")
        .find(|link| attribute(*link, "rel").is_none_or(|rel| rel.value() == "alternate"));
    cx.text(root, Ns::None, "link").or_else(|| Some(attribute(link?, "href")?.value()))
}

/// A video of which each file is the page, and which nothing else plays.
fn file_is_page(root: Node<'_, '_>, page: &str, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let is_page = url::is_same_as(page);
    let has = |node: Node<'_, '_>| node.children().any(|child| is_media(child, "embed"));
    let is_known = || embed::player(page, url::UrlParts::parse(page).host()).is_some();
    if of_channel("player", cx) || has(root) {
        return;
    }
    each_video(root, "player", is_video, |files| {
        // the files of a video have one parent
        let group = files.first().and_then(|(file, _)| file.parent()).filter(|group| group.index != root.index);
        let group_plays = group.is_some_and(has);
        let address = |(file, player): &(Node<'_, '_>, Option<Node<'_, '_>>)| {
            let plays = group_plays || player.is_some() || has(*file);
            attribute(*file, "url").is_some_and(|url| is_page(url.value())) && !plays
        };
        if let Some((first, _)) = files.first().filter(|_| files.iter().all(address) && !is_known()) {
            let found = attribute(*first, "url").unwrap_or(*first);
            let hint = "write the URL of the file, or add <media:player url=\"…\"/>";
            hits.report(0, found, format_args!("the file URL is the page {}", QuotedValue(page)), hint);
        }
    });
}

pub(in super::super) fn player_is_page(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(page) = page(root, cx) else { return };
    let is_page = url::is_same_as(page);
    file_is_page(root, page, cx, hits);
    each_unplayed(root, cx, |found, embed, page| {
        if embed.is_some_and(|embed| url::is_same(embed, page)) {
            let hint = "write the URL of a player that shows only this video";
            hits.report(0, found, format_args!("the embed URL is the page {}", QuotedValue(page)), hint);
        }
    });
    let levels = root.children().filter(|child| is_media(*child, "group"));
    let files = root.children().chain(levels.flat_map(Node::children)).filter(|child| is_media(*child, "content"));
    let levels = root.children().filter(|child| is_media(*child, "group"));
    let holders = std::iter::once(root).chain(levels).chain(files);
    for player in holders.flat_map(Node::children).filter(|child| is_media(*child, "player")) {
        if let Some(address) = attribute(player, "url").filter(|address| is_page(address.value())) {
            let hint = "write the URL of a player that shows only this video";
            hits.report(0, address, format_args!("the player URL is the page {}", QuotedValue(page)), hint);
        }
    }
}

/// A player is a page, which is fetched over http or https only.
pub(in super::super) fn player_url(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if let Some(address) = attribute(node, "url") {
        video::check_player_scheme(address, address.value(), hits);
    }
}

/// The same of what alone plays a video.
pub(in super::super) fn embed_url(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    each_unplayed(root, cx, |found, embed, _| {
        if let Some(address) = embed {
            video::check_player_scheme(found, address, hits);
        }
    });
}

pub(in super::super) fn duration(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    match node.attribute("duration") {
        None if is_video(node) => {
            hits.report_missing(0, node, "the video has no duration", "add duration=\"…\" in seconds")
        }
        None => (),
        Some(found) if !value::decimal(found.value()).is_some_and(|seconds| seconds >= 0.0) => {
            let says = format_args!("the duration is {}", QuotedValue(found.value()));
            match crate::model::Seconds::parse(found.value()) {
                Some((seconds, _)) => {
                    hits.report(1, found, says, format_args!("write the seconds: {}", seconds.whole()))
                }
                None => hits.report(1, found, says, "write a number of seconds"),
            }
        }
        Some(_) => (),
    }
}

pub(in super::super) fn numbers(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for name in ["bitrate", "framerate", "samplingrate", "channels", "fileSize", "height", "width"] {
        let Some(found) = node.attribute(name) else { continue };
        let (right, hint) = match name {
            "bitrate" | "framerate" | "samplingrate" => {
                (value::decimal(found.value()).is_some_and(|number| number >= 0.0), "write a decimal number")
            }
            "channels" => (value::whole(found.value()).is_some(), "write a whole number"),
            _ => (value::whole(found.value()).is_some_and(|number| number > 0), "write a whole number above 0"),
        };
        if !right {
            hits.report_wrong(0, found, name, hint);
        }
    }
}

pub(in super::super) fn is_default(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if let Some(found) = node.attribute("isDefault").filter(|found| !matches!(found.value(), "true" | "false")) {
        hits.report_wrong(0, found, "isDefault", "write true or false");
    }
}

pub(in super::super) fn one_default(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let files = node.children().filter(|child| is_media(*child, "content"));
    let defaults = files.filter_map(|file| file.attribute("isDefault")).filter(|found| found.value() == "true");
    for extra in defaults.skip(1) {
        hits.report(1, extra, "a second file of the group is the default", "set it for only one file");
    }
}

pub(in super::super) fn one_of(node: Node<'_, '_>, name: &str, words: &[&str], variant: u8, hits: &mut Hits<'_>) {
    if let Some(found) = node.attribute(name).filter(|found| !words.contains(&found.value())) {
        let word = found.value().trim();
        if words.contains(&word) {
            let hint = format_args!("write {name}=\"{word}\"");
            return hits.report(variant, found, format_args!("white space around {name}"), hint);
        }
        let hint = format_args!("write one of {}", words.join(", "));
        hits.report_wrong(variant, found, name, hint);
    }
}

pub(in super::super) fn kind(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(kind) = node.attribute("type") else { return };
    if !value::is_mime(kind.value()) {
        let hint = "write a MIME type such as video/mp4";
        return hits.report_wrong(0, kind, "the type", hint);
    }
    let said = attribute(node, "medium").and_then(|medium| mime::Medium::by_name(medium.value()));
    if let (Some(said), Some(meant)) = (said, mime::medium_of_type(kind.value()))
        && said != meant
    {
        let says = format_args!("the type {} contradicts medium", QuotedValue(kind.value()));
        hits.report(1, kind, says, "make the two agree");
    }
}

pub(in super::super) fn lang(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if let Some(found) = node.attribute("lang").filter(|found| !is_language(found.value())) {
        let hint = "write a language tag such as en or pt-BR";
        hits.report_wrong(0, found, "lang", hint);
    }
}

pub(in super::super) fn group(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let count = node.children().filter(|child| is_media(*child, "content")).count();
    if count < 2 {
        let files = many(count as u64, "file", "files");
        let says = format_args!("the group has {files}; it needs two or more");
        hits.report_missing(0, node, says, "move a single file into the item");
    }
    if cx.entry.is_none() || node.raw().parent != 0 {
        let hint = "put <media:group> directly into <item> or <entry>";
        hits.report_missing(1, node, "the group is not in an item or entry", hint);
    }
}

pub(in super::super) fn text(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let kind = node.attribute("type");
    if let Some(kind) = kind.filter(|kind| !matches!(kind.value(), "plain" | "html")) {
        return hits.report_wrong(0, kind, "the type", "write plain or html");
    }
    if kind.is_none_or(|kind| kind.value() == "plain") && html::is_markup(node.text_value()) {
        let says = format_args!("{} contains undeclared markup", node.raw().qname);
        hits.report(1, node, says, "add type=\"html\", or write only text");
    }
}

pub(in super::super) fn rating(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    let scheme = attribute(node, "scheme").map_or("urn:simple", |scheme| scheme.value());
    if value::decimal(text).is_some() {
        let hint = "a number of stars belongs in <media:starRating average=\"…\"/> in <media:community>";
        return hits.report(2, node, format_args!("the audience rating is the number {}", QuotedValue(text)), hint);
    }
    let words: &[&str] = match scheme {
        "urn:simple" => &["adult", "nonadult"],
        "urn:mpaa" => &["g", "pg", "pg-13", "r", "nc-17", "x", "m", "nr", "unrated"],
        "urn:v-chip" => &[
            "tv-y",
            "tv-y7",
            "tv-y7-fv",
            "tv-g",
            "tv-pg",
            "tv-14",
            "tv-ma",
            "all children",
            "directed to older children",
            "directed to older children - fantasy violence",
            "general audience",
            "parental guidance suggested",
            "parents strongly cautioned",
            "mature audience only",
        ],
        _ => return,
    };
    if !words.contains(&text.to_ascii_lowercase().as_str()) {
        let says = format_args!("{} is not a rating of {scheme}", QuotedValue(text));
        hits.report(0, node, says, format_args!("write one of {}", words.join(", ")));
    }
}

pub(in super::super) fn adult(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let hint = "write <media:rating scheme=\"urn:simple\">adult</media:rating>, or nonadult";
    hits.report(1, node, "media:adult is deprecated", hint);
}

pub(in super::super) fn hash(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let algo = attribute(node, "algo").map_or("md5", |algo| algo.value());
    let text = node.text_value();
    let length = match algo {
        "md5" => 32,
        "sha-1" => 40,
        _ => {
            let says = format_args!("the algorithm is {}", QuotedValue(algo));
            if let Some(found) = attribute(node, "algo") {
                hits.report(0, found, says, "write md5 or sha-1");
            }
            return;
        }
    };
    if text.len() != length || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let says = format_args!("{} is not an {algo} hash", QuotedValue(text));
        hits.report(0, node, says, format_args!("write {length} hexadecimal digits"));
    }
}

/// Reports elements that repeat the value of an attribute.
pub(in super::super) fn repeated(
    root: Node<'_, '_>,
    name: &str,
    key: &str,
    usual: &str,
    variant: u8,
    hits: &mut Hits<'_>,
) {
    for level in
        value::elements(root).filter(|node| node.index == 0 || is_media(*node, "group") || is_media(*node, "content"))
    {
        let mut seen: HashSet<String> = HashSet::new();
        for child in level.children().filter(|child| is_media(*child, name)) {
            let of = attribute(child, key).map_or(usual, |found| found.value()).to_ascii_lowercase();
            if seen.contains(&of) {
                let says = format_args!("a second media:{name} with {key} {}", QuotedValue(&of));
                hits.report(variant, child, says, "remove one of them: only the first is used");
            } else {
                seen.insert(of);
            }
        }
    }
}

/// The roles that the scheme of the European Broadcasting Union has, as Media RSS names them and validators know them: a
/// list that may be too long rather than one that calls a right role wrong. In order, with `|` between them.
const ROLES: &str = "\
    actor|adaptor|anchor person|animal trainer|animator|announcer|armourer|art director|artist|\
    artist/performer|assistant camera|assistant chief lighting technician|assistant director|\
    assistant producer|assistant visual editor|author|broadcast assistant|broadcast journalist|\
    camera operator|carpenter|casting|causeur|chief lighting technician|choir|choreographer|clapper loader|\
    commentary or commentator|commentator|commissioning broadcaster|composer|computer programmer|conductor|\
    consultant|continuity checker|contributor|correspondent|costume designer|dancer|dialogue coach|director|\
    director of photography|distribution company|draughtsman|dresser|dubber|editor|editor-in-chief|\
    editor/director|editor/producer|ensemble|executive producer|expert|fight director|floor manager|\
    focus puller|foley artist|foley editor|foley mixer|graphic assistant|graphic designer|greensman|grip|\
    hairdresser|illustrator|interviewed guest|interviewee|interviewer|key character|key grip|key talents|\
    leadman|librettist|lighting director|lighting technician|location manager|lyricist|make up artist|\
    make-up artist|manufacturer|matte artist|music arranger|music group|musician|narrator|news reader|\
    orchestra|participant|performer|photographer|post|producer|production assistant|production company|\
    production department|production manager|production secretary|programme production researcher|\
    property manager|publishing company|puppeteer|pyrotechnician|reporter|rigger|runner|scenario|scenarist|\
    scenic operative|script supervisor|second assistant camera|second assistant director|\
    second unit director|set designer|set dresser|sign language|singer|sound designer|sound mixer|\
    sound recordist|special effects|stunts|subtitles|technical director|term|translation|\
    transportation manager|treatment|treatment/programme proposal|vision mixer|visual editor|visual effects|\
    vocalist|wardrobe|witness";

fn is_role(role: &str) -> bool {
    ROLES.split('|').any(|known| known == role)
}

pub(in super::super) fn credit(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let scheme = attribute(node, "scheme");
    let name = scheme.map_or("urn:ebu", |scheme| scheme.value());
    if let Some(scheme) =
        scheme.filter(|_| !matches!(name, "urn:ebu" | "urn:yvs" | "urn:youtube") && !name.starts_with("http"))
    {
        hits.report(2, scheme, format_args!("{} is not a known scheme", QuotedValue(name)), "write urn:ebu or urn:yvs");
    }
    let Some(role) = attribute(node, "role") else { return };
    let lower = role.value().to_lowercase();
    if lower != role.value() {
        hits.report_wrong(0, role, "the role", format_args!("write {lower}"));
    } else if name == "urn:ebu" && !is_role(&lower) {
        let says = format_args!("{} is not a role of urn:ebu", QuotedValue(&lower));
        hits.report(1, role, says, "write one of that scheme, such as actor, author, director or producer");
    }
}

pub(in super::super) fn restriction(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    video::relationship(node, hits, (0, 0));
    let text = node.text_value();
    let literal = matches!(text, "all" | "none");
    let kind = attribute(node, "type");
    match kind.map(|kind| kind.value().trim()) {
        // all and none need not say of what
        None if literal => countries(node, text, literal, hits),
        None => {
            let hint = "add type=\"country\", \"uri\" or \"sharing\"";
            hits.report_missing(2, node, "the restriction has no type", hint);
        }
        Some("country") => countries(node, text, literal, hits),
        Some("uri" | "sharing") => {
            hits.report(5, kind.unwrap_or(node), "Google reads only country restrictions", "it does no harm");
        }
        Some(_) => (),
    }
    if kind.is_some() {
        one_of(node, "type", &["country", "uri", "sharing"], 1, hits);
    }
}

fn countries(node: Node<'_, '_>, text: &str, literal: bool, hits: &mut Hits<'_>) {
    // what does not say otherwise allows
    let denies = attribute(node, "relationship").is_some_and(|found| found.value().trim().eq_ignore_ascii_case("deny"));
    if matches!((denies, text), (false, "none" | "") | (true, "all")) && !node.has_children() {
        let hint = "list the countries, or remove the element to allow all";
        return hits.report_missing(6, node, "the restriction allows no country", hint);
    }
    if literal {
        return;
    }
    for code in text.split_ascii_whitespace() {
        let right = region::country(code).is_some_and(|country| country.note.is_none() && code.len() == 2);
        if !right {
            let says = format_args!("{} is not a country code of two letters", QuotedValue(code));
            match region::country(code.trim_matches([',', ';'])) {
                Some(country) if !country.code.eq_ignore_ascii_case(code) => {
                    hits.report(3, node, says, format_args!("write {}", country.code.to_lowercase()));
                }
                Some(Country { note: Some(note), .. }) => {
                    let code = code.trim_matches([',', ';']);
                    hits.report(3, node, format_args!("{} is {note}", QuotedValue(code)), value::no_country(code));
                }
                Some(_) | None => {
                    hits.report(3, node, says, "write ISO 3166-1 codes separated by spaces, such as de us")
                }
            }
        }
    }
}

fn is_amount(number: f64) -> bool {
    number >= 0.0
}

pub(in super::super) fn price(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    one_of(node, "type", &["rent", "purchase", "package", "subscription"], 0, hits);
    let currency = attribute(node, "currency");
    if attribute(node, "price").is_some() && currency.is_none() {
        hits.report_missing(1, node, "the price has no currency", "add currency=\"EUR\", or another currency");
    }
    if let Some(amount) =
        node.attribute("price").filter(|amount| !value::decimal(amount.value()).is_some_and(is_amount))
    {
        hits.report_wrong(0, amount, "the price", "write a number such as 1.99, or remove it");
    }
    if let Some(currency) = currency.filter(|code| !video::is_currency(code.value())) {
        let says = format_args!("{} is not a currency", QuotedValue(currency.value()));
        hits.report(2, currency, says, "write an ISO 4217 code in capital letters, such as EUR");
    }
    if node.attribute("type").is_none() {
        hits.report_missing(3, node, "the price has no type", "add type=\"rent\" or type=\"purchase\"");
    }
}

pub(in super::super) fn times(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    // the specification's own example of a location has 00:01
    let minutes = node.name() == "location";
    for name in ["time", "start", "end"] {
        if let Some(found) = node.attribute(name).filter(|found| value::play_time(found.value(), minutes).is_none()) {
            hits.report_wrong(0, found, name, "write seconds, or H:MM:SS");
        }
    }
    let time = |name| node.attribute(name).and_then(|found| value::play_time(found.value(), minutes));
    if let (Some(start), Some(end), Some(found)) = (time("start"), time("end"), node.attribute("end"))
        && end <= start
    {
        hits.report(1, found, "it ends before it starts", "write an end after the start");
    }
}

pub(in super::super) fn stars(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let number = |name, usual: Option<f64>| attribute(node, name).map_or(usual, |found| value::decimal(found.value()));
    if let Some(count) = attribute(node, "count").filter(|count| value::whole(count.value()).is_none()) {
        hits.report_wrong(1, count, "count", "write a whole number");
    }
    // an average of no votes is meaningless
    let Some(average) = attribute(node, "average").filter(|_| number("count", None) != Some(0.0)) else { return };
    let (Some(stars), Some(min), Some(max)) =
        (number("average", None), number("min", Some(0.0)), number("max", Some(f64::MAX)))
    else {
        let says = format_args!("average is {}, not a comparable number", QuotedValue(average.value()));
        return hits.report(0, average, says, "write decimal numbers");
    };
    if stars.partial_cmp(&min) == Some(Ordering::Less) || stars > max {
        let says = format_args!("the average {} is not between min and max", QuotedValue(average.value()));
        hits.report(0, average, says, "fix the average, min or max");
    }
}

pub(in super::super) fn statistics(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for name in ["views", "favorites"] {
        if let Some(found) = node.attribute(name).filter(|found| value::whole(found.value()).is_none()) {
            hits.report_wrong(1, found, name, "write a whole number");
        }
    }
}

pub(in super::super) fn status(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    one_of(node, "state", &["active", "blocked", "deleted"], 0, hits);
    if let Some(state) = attribute(node, "state")
        && let Some(word) = ["blocked", "deleted"].iter().find(|word| word.eq_ignore_ascii_case(state.value().trim()))
    {
        let says = format_args!("the video is {word}");
        hits.report(1, state, says, "do not send the video to Google");
    }
}

pub(in super::super) fn reference(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    // a license may be a text; a type is that of a page
    let is_text = node.name() == "license" && node.text().is_some() && attribute(node, "type").is_none();
    if attribute(node, "href").is_none() && !is_text {
        hits.report_missing(0, node, format_args!("{} has no href", node.raw().qname), "add href=\"…\"");
    }
    if let Some(kind) = attribute(node, "type").filter(|kind| !value::is_mime(kind.value())) {
        hits.report_wrong(0, kind, "the type", "write a MIME type");
    }
    if let Some(found) = node.attribute("lang").filter(|found| !is_language(found.value())) {
        hits.report_wrong(0, found, "lang", "write a language tag such as en");
    }
}

pub(in super::super) fn keywords(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let words: Vec<String> =
        node.text_value().split(',').map(|word| word.trim().to_lowercase()).filter(|word| !word.is_empty()).collect();
    if words.len() > 10 {
        hits.report(0, node, format_args!("{} keywords are listed", words.len()), "keep the ten most important");
    }
    let mut sorted: Vec<&String> = words.iter().collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        hits.report(0, node, format_args!("the keyword {} occurs twice", QuotedValue(pair[0])), "list it once");
    }
}

pub(in super::super) fn scenes(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let mut last = f64::MIN;
    for scene in node.children().filter(|child| is_media(*child, "scene")) {
        let of = |name: &str| scene.children().find(|child| child.name() == name);
        let time = |name| of(name).and_then(|found| value::play_time(found.text_value(), true));
        if of("sceneTitle").is_none_or(|title| title.text_value().is_empty()) {
            hits.report_missing(0, scene, "the scene has no title", "add <sceneTitle>");
        }
        let (start, end) = (time("sceneStartTime"), time("sceneEndTime"));
        if let (Some(start), Some(end)) = (start, end)
            && end <= start
        {
            hits.report_missing(0, scene, "the scene ends before it starts", "write an end after the start");
        }
        if start.is_some_and(|start| start < last) {
            let hint = "write scenes that do not overlap";
            hits.report_missing(0, scene, "the scene begins before the one before it ends", hint);
        }
        last = end.or(start).unwrap_or(last);
    }
}

pub(in super::super) fn valid(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    let interval = text.split_once('/').filter(|_| !text.contains('='));
    let parts: Vec<(&str, &str)> = match interval {
        Some((start, end)) => vec![("start", start), ("end", end)],
        None => text.split(';').filter_map(|part| part.trim().split_once('=')).collect(),
    };
    let part =
        |name: &str| parts.iter().find(|(key, _)| key.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim());
    let date = |name| part(name).map(|text| Date::parse(text).map(|(date, _)| date));
    let (start, end) = (date("start"), date("end"));
    if start.is_none() && end.is_none() || start == Some(None) || end == Some(None) {
        let hint = "write start=2026-01-01T00:00:00+00:00;end=2027-01-01T00:00:00+00:00;scheme=W3C-DTF";
        return hits.report_wrong(0, node, "the period", hint);
    }
    let (start, end) = (start.flatten(), end.flatten());
    if let (Some(start), Some(end)) = (start, end)
        && end.last_instant() <= start.instant()
    {
        let hint = "one of the two dates is wrong";
        hits.report(2, node, format_args!("the period ends before it starts: {}", QuotedValue(text)), hint);
    } else if let (Some(end), Some(now)) = (end, cx.settings.now)
        && end.last_instant() < now.instant()
    {
        hits.report(1, node, format_args!("the video expired: {}", QuotedValue(text)), "remove the item, or the end");
    }
    match interval {
        Some((start, end)) => {
            let hint = format_args!("write start={};end={};scheme=W3C-DTF", start.trim(), end.trim());
            hits.report(3, node, "the period is an interval without a scheme", hint);
        }
        None if part("scheme").is_none() => {
            hits.report(3, node, "the period has no scheme", "add scheme=W3C-DTF");
        }
        None => (),
    }
}

pub(in super::super) fn several(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let groups = root.children().filter(|child| is_media(*child, "group")).count();
    let alone = root.children().filter(|child| is_media(*child, "content") && is_video(*child)).count();
    if groups + alone < 2 || cx.entry.is_none() {
        return;
    }
    // files outside groups may be renditions of one video
    let entry = reading::entry(root, cx);
    let count = entry.videos.iter().filter(|video| !is_no_video(video, false)).count();
    if count > 1 {
        let says = format_args!("the item has {count} videos");
        hits.report_missing(0, root, says, "write one item per video; put the files of one video in <media:group>");
    }
}

pub(in super::super) fn link(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    // another rule reports an item without a page, of videos or not
    let is_told = cx.format.family.is_rss() && hits.is_required("R04", 0) && !super::rss::has_page(root, cx);
    if !is_told && videos(root).next().is_some() && page(root, cx).is_none() {
        hits.report_missing(0, root, "the item has no link", "add <link> with the page that shows the video");
    }
}

pub(in super::super) fn content_url(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(found) = attribute(node, "url").filter(|_| is_video(node)) else { return };
    let text = found.value();
    if !video::is_whole(text) {
        let says = format_args!("{} is not an absolute URL", QuotedValue(text));
        return match text.trim_start().starts_with('<') {
            true => hits.report(0, found, says, "write only the URL; a player belongs in <media:player>"),
            // another rule reports those without a base
            false if hits.is_required("D22", 0) && !reading::has_base(node, cx) => (),
            false => hits.report(0, found, says, video::make_whole(text)),
        };
    }
    if let Some(scheme) = video::scheme(text) {
        let says = format_args!("the file URL has the scheme {scheme}:");
        return hits.report(0, found, says, "write a URL that begins with https://");
    }
    if embed::is_embed_host(text) {
        let player = embed::player(text, None).unwrap_or_else(|| text.to_owned());
        let says = format_args!("{} is a page of a video platform, not a file", QuotedValue(text));
        let hint = format_args!("write <media:player url=\"{}\"/> instead", cut(&player, 200));
        return hits.report(3, found, says, hint);
    }
    let Some(extension) = url::extension(text) else { return };
    if mime::is_html(extension) || mime::is_flash(extension) {
        let says = format_args!("{} is a page or a Flash file", QuotedValue(text));
        hits.report(1, found, says, "write the URL of the file; a player belongs in <media:player>");
    } else if !video::VIDEO_TYPES.contains(&extension.to_ascii_lowercase().as_str()) {
        let says = format_args!("the file ends in .{extension}, a type that Google does not list");
        hits.report(2, found, says, "use MP4 or WebM");
    }
}

/// The allowed parents of elements of Media RSS that are not allowed everywhere.
const PLACES: &[(&str, &[&str])] = &[
    // another rule reports a group in the wrong place
    ("group", &[]),
    ("content", &["item", "entry", "group", "liveItem"]),
    ("starRating", &["community"]),
    ("statistics", &["community"]),
    ("tags", &["community"]),
    ("comment", &["comments"]),
    ("response", &["responses"]),
    ("backLink", &["backLinks"]),
    ("param", &["embed"]),
    ("scene", &["scenes"]),
];

pub(in super::super) fn misplaced(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for node in value::elements(root).filter(|node| node.ns() == M) {
        let (home, of_media) = node.parent().map_or(("", false), |parent| (parent.name(), parent.ns() == M));
        let says = format_args!("{} has no meaning in <{}>", node.raw().qname, cut(home, 60));
        match PLACES.iter().find(|(name, _)| *name == node.name()) {
            Some((_, [])) => (),
            Some((_, homes)) if homes.contains(&home) || home.is_empty() && cx.entry.is_some() => (),
            Some((_, homes)) => hits.report_missing(0, node, says, format_args!("put it into {}", homes.join(" or "))),
            // all others are allowed in the channel, in items, and in groups and files
            None if !of_media || matches!(home, "group" | "content" | "scene") => (),
            None => hits.report_missing(0, node, says, "move it next to, or into its group or file"),
        }
    }
}
