//! Checks of videos in sitemaps, by the documentation of Google.

use super::super::hits::{Cx, Hits, QuotedValue, cut};
use super::document::TVSHOW;
use super::value::{self, Iso, attribute, iso, shown};
use crate::format::sitemap::{TV_KINDS, VIDEO_CHILDREN};
use crate::model::Seconds;
use crate::text::region::{self, Country};
use crate::text::{embed, mime, site, url};
use crate::tree::Node;
use crate::xml::names::Ns;

/// The URL of the page that contains a video.
fn page<'t>(video: Node<'t, '_>, cx: &Cx<'_>) -> Option<&'t str> {
    cx.text(video.parent()?, Ns::Sitemap, "loc")
}

/// The parent of an element, where that is a video of a page.
fn video_of<'t, 'a>(node: Node<'t, 'a>, cx: &Cx<'_>) -> Option<Node<'t, 'a>> {
    node.parent().filter(|parent| cx.is(*parent, Ns::Video, "video"))
}

fn is_child_of(node: Node<'_, '_>, cx: &Cx<'_>, name: &str) -> bool {
    node.parent().is_some_and(|parent| cx.is(parent, Ns::Video, name))
}

pub(in super::super) fn long_title(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if is_child_of(node, cx, "video") {
        hits.report_longer(node, "title", 100);
    }
}

pub(in super::super) fn check_file_or_player(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let has = |name| cx.text(node, Ns::Video, name).is_some();
    if !has("content_loc") && !has("player_loc") {
        let hint = "add <video:content_loc> with the URL of the file, or <video:player_loc> with the URL of a player";
        hits.report_missing(0, node, "this video has neither content_loc nor player_loc", hint);
    }
}

pub(in super::super) fn same_as_page(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>, hint: &str) {
    let Some(page) = video_of(node, cx).and_then(|video| page(video, cx)) else { return };
    let text = node.text_value();
    if !text.is_empty() && url::is_same(text, page) {
        hits.report(0, node, format_args!("{} is the URL of the page", QuotedValue(text)), hint);
    }
}

pub(in super::super) fn only_player(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let mut players = cx.children(node, Ns::Video, "player_loc");
    let Some(player) = players.find(|player| !player.text_value().is_empty()) else { return };
    // another rule reports an empty file
    let is_reported = cx.child(node, Ns::Video, "content_loc").is_some() && hits.is_required("D13", 3);
    // of a platform's video there is no file to name
    let is_alone = cx.text(node, Ns::Video, "content_loc").is_none() && !is_reported;
    if is_alone && !embed::is_embed_host(player.text_value()) {
        hits.report(0, player, "this video has only a player", "add <video:content_loc> if the file may be fetched");
    }
}

/// Whether the scheme of a file is one that Google fetches.
pub(super) fn scheme(text: &str) -> Option<String> {
    let scheme = url::scheme(text)?.to_ascii_lowercase();
    (!matches!(scheme.as_str(), "http" | "https" | "ftp")).then_some(scheme)
}

pub(in super::super) fn content_scheme(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if let Some(scheme) = scheme(node.text_value()) {
        let says = format_args!("the file URL has the scheme {scheme}:");
        hits.report(0, node, says, "write an https:// URL of a file or an M3U8 playlist");
    }
}

pub(in super::super) fn check_player_scheme(node: Node<'_, '_>, text: &str, hits: &mut Hits<'_>) {
    if let Some(scheme) = url::scheme(text).filter(|scheme| !is_web(scheme)) {
        let says = format_args!("the player URL has the scheme {}:", scheme.to_ascii_lowercase());
        hits.report(0, node, says, "write a URL that begins with https://");
    }
}

pub(in super::super) fn content_type(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    // another rule reports players of platforms
    let Some(extension) = url::extension(text).filter(|_| !embed::is_embed_host(text)) else { return };
    let what = match () {
        () if mime::is_html(extension) => "an HTML page",
        () if mime::is_flash(extension) => "a Flash file",
        () => return,
    };
    let hint = "write the URL of the file; a player belongs in <video:player_loc>";
    hits.report(0, node, format_args!("{} is {what}", QuotedValue(text)), hint);
}

/// The file types that Google lists for videos.
pub(super) const VIDEO_TYPES: [&str; 23] = [
    "3gp", "3g2", "asf", "avi", "divx", "m2v", "m3u", "m3u8", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "ogv", "qvt",
    "ram", "rm", "vob", "webm", "wmv", "xap", "qt",
];

pub(in super::super) fn content_extension(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    let Some(extension) = url::extension(text) else { return };
    let lower = extension.to_ascii_lowercase();
    // HTML and Flash are another rule's
    if !VIDEO_TYPES.contains(&lower.as_str()) && !mime::is_html(&lower) && !mime::is_flash(&lower) {
        let says = format_args!("the file ends in .{extension}, a type that Google does not list");
        hits.report(0, node, says, "use MP4 or WebM, or the right extension");
    }
}

pub(in super::super) fn content_host(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    if embed::is_embed_host(text) {
        let player = embed::player(text, None).unwrap_or_else(|| text.to_owned());
        let says = format_args!("{} is a page of a video platform, not a file", QuotedValue(text));
        let hint = format_args!("write <video:player_loc>{}</video:player_loc> instead", cut(&player, 200));
        hits.report(0, node, says, hint);
    }
}

pub(in super::super) fn watch_page(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    let parent = video_of(node, cx).and_then(|video| page(video, cx)).and_then(url::host);
    if let Some(player) = embed::player(text, parent).filter(|player| !url::is_same(player, text)) {
        let says = format_args!("{} is a watch page, not a player", QuotedValue(text));
        hits.report(0, node, says, format_args!("write {}", QuotedValue(&player)));
    }
}

pub(in super::super) fn relative(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    if !text.is_empty() && !is_whole(text) {
        let says = format_args!("{} is not an absolute URL", QuotedValue(text));
        hits.report(0, node, says, make_whole(text));
    }
}

/// The hint for a URL that is invalid or incomplete.
pub(super) fn make_whole(text: &str) -> &'static str {
    match text {
        text if value::is_web(text) => "replace spaces by %20",
        text if text.trim_start().starts_with('<') => "write only the URL from src=\"…\"",
        _ => "write the absolute URL, with https:// and the host",
    }
}

/// Whether this is an absolute URL, with a host if it is one of the web.
pub(super) fn is_whole(text: &str) -> bool {
    value::is_absolute(text) && (!url::scheme(text).is_some_and(is_web) || value::is_web(text))
}

pub(super) fn is_web(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

pub(in super::super) fn duration(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !is_child_of(node, cx, "video") {
        return;
    }
    let text = node.text_value();
    match value::whole(text) {
        Some(1..=28_800) => (),
        Some(seconds) => {
            let says = format_args!("the duration is {seconds} seconds");
            hits.report(0, node, says, "write 1 to 28800 seconds, or remove the element");
        }
        None => {
            let says = format_args!("the duration is {}", QuotedValue(text));
            match Seconds::parse(text)
                .map(|(seconds, _)| seconds.whole())
                .filter(|seconds| (1..=28_800).contains(seconds))
            {
                Some(seconds) => hits.report(0, node, says, format_args!("write the seconds: {seconds}")),
                None => hits.report(0, node, says, "write the seconds as a whole number, 1 to 28800"),
            }
        }
    }
}

pub(in super::super) fn date(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    let date = hits.date(text);
    if iso(text, date).is_none() || !value::is_in_schemas(text, date) {
        let says = format_args!("{} is {}: not a W3C date", node.name(), QuotedValue(text));
        return hits.report(0, node, says, value::as_w3c(text, date));
    }
    // V19 reports an expired video
    if node.name() != "expiration_date" {
        hits.report_placeholder(node, node.raw().qname, text, date);
    }
}

pub(in super::super) fn coarse_date(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    let date = hits.date(text);
    let what = match iso(text, date) {
        Some(Iso::Year | Iso::Month) => "has no day",
        Some(Iso::Time { zone: false, .. }) => "has a time without a zone",
        Some(Iso::Time { seconds: false, .. }) => "has a time without seconds",
        Some(Iso::Time { fraction: true, .. }) => "has a fraction of a second",
        Some(Iso::Day | Iso::Time { .. }) | None => return,
    };
    let says = format_args!("{} {what}", QuotedValue(text));
    match what {
        "has no day" => hits.report(0, node, says, "write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss+00:00"),
        _ => hits.report(0, node, says, value::as_w3c(text, date)),
    }
}

pub(in super::super) fn expired(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let (Some(now), Some(date)) = (cx.settings.now, hits.date(node.text_value())) else { return };
    // another rule reports what is no date
    if date.last_instant() < now.instant() && iso(node.text_value(), Some(date)).is_some() {
        let says = format_args!("the video expired on {}", QuotedValue(node.text_value()));
        hits.report(0, node, says, "remove the video, or the date if the video is still available");
    }
}

pub(in super::super) fn published(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(date) = hits.date(node.text_value()) else { return };
    if iso(node.text_value(), Some(date)).is_none() {
        return;
    }
    // a second date is reported by another rule, and not compared with the end
    let is_first = |video: &Node<'_, '_>| {
        let first = cx.child(*video, Ns::Video, "publication_date");
        first.is_some_and(|first| first.index == node.index)
    };
    let video = node.parent().filter(is_first);
    let expires = video.and_then(|video| cx.text(video, Ns::Video, "expiration_date"));
    let expires = expires.and_then(|text| hits.date(text)).filter(|expires| date.instant() > expires.last_instant());
    if let Some(expires) = expires {
        let says = format_args!("the video is published {}, after it expires", QuotedValue(node.text_value()));
        hits.report(0, node, says, format_args!("one of the two dates is wrong: it expires {expires}"));
    } else if cx.settings.now.is_some_and(|now| date.instant() > now.instant() + 14 * 3_600_000_000_000) {
        let says = format_args!("the video is published {}, in the future", QuotedValue(node.text_value()));
        hits.report(1, node, says, "write when the video was first published");
    }
}

pub(in super::super) fn rating(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    if !value::decimal(text).is_some_and(|number| (0.0..=5.0).contains(&number)) {
        hits.report_wrong(0, node, "the rating", "write a decimal number from 0.0 to 5.0");
    }
}

pub(in super::super) fn view_count(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    if value::whole(text).is_none() {
        hits.report_wrong(0, node, "view_count", "write a whole number, only digits");
    }
}

pub(in super::super) fn allow_embed(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if let Some(attribute) = node.attribute("allow_embed") {
        yes_or_no(attribute, cx, hits);
    }
}

pub(in super::super) fn yes_or_no(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.value_or_text();
    if value::is_yes_or_no(text.trim()) {
        return;
    }
    let says = format_args!("{} is {}", node.name(), QuotedValue(text));
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "y" => hits.report(0, node, says, "write yes"),
        "false" | "0" | "n" => hits.report(0, node, says, "write no"),
        _ => hits.report(0, node, says, "write yes or no"),
    }
}

/// `relationship` is `allow` or `deny`.
pub(in super::super) fn relationship(node: Node<'_, '_>, hits: &mut Hits<'_>, variants: (u8, u8)) {
    match attribute(node, "relationship") {
        None => {
            let says = format_args!("{} has no relationship", node.raw().qname);
            hits.report_missing(variants.0, node, says, "add relationship=\"allow\" or relationship=\"deny\"");
        }
        Some(found) if !matches!(found.value(), "allow" | "deny") => {
            hits.report_wrong(variants.1, found, "relationship", "write allow or deny");
        }
        Some(_) => (),
    }
}

pub(in super::super) fn countries(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    let signs = [',', ';', '|'];
    if text.contains(signs) {
        let says = "the countries are not separated by spaces";
        hits.report(2, node, says, "separate them by spaces");
    }
    let codes = text.split(|c: char| c.is_ascii_whitespace() || signs.contains(&c));
    for code in codes.filter(|code| !code.is_empty()) {
        let says = format_args!("{} is not a country code of two letters", QuotedValue(code));
        match region::country(code) {
            Some(country) if country.code == code && country.note.is_none() => (),
            Some(country) if country.code.eq_ignore_ascii_case(code) && country.note.is_none() => {
                let says = format_args!("the country {} is not in capital letters", QuotedValue(code));
                hits.report(1, node, says, format_args!("write {}", country.code));
            }
            Some(country) if !country.code.eq_ignore_ascii_case(code) => {
                hits.report(0, node, says, format_args!("write {}", country.code));
            }
            // a withdrawn or reserved code is not a current country
            Some(Country { note: Some(note), .. }) => {
                hits.report(0, node, format_args!("{} is {note}", QuotedValue(code)), value::no_country(code));
            }
            Some(_) | None => hits.report(0, node, says, "write ISO 3166-1 codes, such as DE or US"),
        }
    }
}

pub(in super::super) fn empty_list(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if node.text_value().is_empty() && !node.has_children() {
        let allows = node.attribute("relationship").is_some_and(|found| found.value() == "allow");
        let what = if allows { "allows nothing" } else { "denies nothing" };
        let says = format_args!("an empty {} {what}", node.raw().qname);
        hits.report_missing(0, node, says, "list the values, or remove the element to allow all");
    }
}

pub(in super::super) fn platform(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    relationship(node, hits, (0, 0));
    let text = node.text_value();
    if let Some(odd) = text.split_ascii_whitespace().find(|word| !matches!(*word, "web" | "mobile" | "tv")) {
        let hint = "write web, mobile and tv, separated by spaces";
        hits.report(0, node, format_args!("{} is not a platform", QuotedValue(odd)), hint);
    }
}

/// Elements that may occur more than once in a video.
const MANY: [&str; 4] = ["tag", "price", "id", "content_segment_loc"];

pub(in super::super) fn repeated(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let (mut seen, mut last) = ([0_usize; VIDEO_CHILDREN.len()], 0);
    for child in node.children().filter(|child| child.ns() == Ns::Video) {
        let Some(place) = super::document::place_of(child.name(), VIDEO_CHILDREN, last) else { continue };
        last = place;
        let Some(count) = seen.get_mut(place) else { continue };
        *count += 1;
        if *count > 1 && !MANY.contains(&child.name()) && cx.is(node, Ns::Video, "video") {
            let says = format_args!("{} {} in one video", value::ordinal(*count), shown(Ns::Video, child.name()));
            hits.report(0, child, says, "remove one of them: Google may use either");
        }
    }
}

pub(in super::super) fn tag(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !is_child_of(node, cx, "video") {
        return;
    }
    let text = node.text_value();
    // another rule reports elements in it
    if text.is_empty() && !node.has_children() {
        hits.report_missing(0, node, "this tag is empty", "remove it");
    } else if text.contains(',') {
        let hint = "write one <video:tag> for each";
        hits.report(0, node, format_args!("{} contains several tags", QuotedValue(text)), hint);
    }
}

pub(in super::super) fn uploader(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(info) = node.attribute("info") else { return };
    let Some(page) = video_of(node, cx).and_then(|video| page(video, cx)) else { return };
    let (text, host) = (info.value(), url::host(page).unwrap_or_default());
    if !value::is_web(page) {
        return;
    }
    if !text.is_empty() && url::scheme(text).is_none() {
        let says = format_args!("info is {}, which is not an absolute URL", QuotedValue(text));
        hits.report(0, info, says, "write the absolute URL, with https:// and the host");
    } else if !value::is_web(text) || !site::is_same(text, page) {
        let says = format_args!("info is {}, which is not on the domain of the page, {host}", QuotedValue(text));
        hits.report(0, info, says, "write a page of the uploader on the same domain, or remove info");
    } else if url::host(&url::key(text)) != url::host(&url::key(page)) {
        let says = format_args!("info is on another host than the page, {host}");
        hits.report(1, info, says, "the same host is the safe choice");
    }
}

/// Retired elements.
const RETIRED: [&str; 4] = ["category", "gallery_loc", "price", "tvshow"];

pub(in super::super) fn retired(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for child in node.children().filter(|child| child.ns() == Ns::Video && RETIRED.contains(&child.name())) {
        let says = format_args!("Google retired {} in 2022", shown(Ns::Video, child.name()));
        hits.report_missing(0, child, says, "it does no harm; `transfeed convert --no-deprecated` omits it");
    }
    for player in cx.children(node, Ns::Video, "player_loc") {
        for name in ["allow_embed", "autoplay"] {
            if let Some(found) = player.attribute(name) {
                let says = format_args!("Google retired the attribute {name} in 2022");
                hits.report(0, found, says, "it does no harm; `transfeed convert --no-deprecated` omits it");
            }
        }
    }
}

pub(in super::super) fn price(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    let kind = attribute(node, "type");
    if text.is_empty() {
        if kind.is_none() {
            let hint = "write the amount and its currency";
            hits.report_missing(0, node, "the price has neither a value nor a type", hint);
        }
    } else {
        if !value::decimal(text).is_some_and(|number| number >= 0.0) {
            hits.report_wrong(0, node, "the price", "write a number such as 1.99");
        }
        match attribute(node, "currency") {
            None => {
                hits.report_missing(0, node, "the price has no currency", "add currency=\"EUR\", or another currency")
            }
            Some(code) if !is_currency(code.value()) => {
                let says = format_args!("{} is not a currency", QuotedValue(code.value()));
                hits.report(0, code, says, "write an ISO 4217 code in capital letters, such as EUR");
            }
            Some(_) => (),
        }
    }
    if let Some(kind) = kind
        && !matches!(kind.value(), "rent" | "RENT" | "purchase" | "PURCHASE")
    {
        let says = format_args!("the type of the price is {}", QuotedValue(kind.value()));
        // Google's documentation had it, its schema never
        let variant = u8::from(kind.value().eq_ignore_ascii_case("own"));
        hits.report(variant, kind, says, "write rent or purchase");
    }
    if let Some(resolution) = attribute(node, "resolution")
        && !matches!(resolution.value(), "hd" | "HD" | "sd" | "SD")
    {
        hits.report_wrong(0, resolution, "the resolution of the price", "write hd or sd");
    }
}

/// A code of ISO 4217 in capital letters.
pub(super) fn is_currency(code: &str) -> bool {
    code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase()) && region::is_currency(code)
}

pub(in super::super) fn segment(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if video_of(node, cx).is_some_and(|video| cx.text(video, Ns::Video, "player_loc").is_none()) {
        hits.report(0, node, "a segment in a video without player_loc", "add <video:player_loc>");
    }
    if let Some(duration) = node.attribute("duration")
        && value::whole(duration.value()).is_none_or(|seconds| seconds > 28_800)
    {
        hits.report_wrong(0, duration, "the duration of the segment", "write at most 28800 seconds, as a whole number");
    }
}

pub(in super::super) fn tvshow(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for name in ["show_title", "video_type"] {
        if cx.text(node, Ns::Video, name).is_none() {
            let says = format_args!("the show has no {name}");
            hits.report_missing(0, node, says, format_args!("add <video:{name}>"));
        }
    }
    let mut seen: Vec<&str> = Vec::new();
    for child in node.children().filter(|child| child.ns() == Ns::Video) {
        let text = child.text_value();
        if seen.contains(&child.name()) {
            let says = format_args!("{} occurs again in one tvshow", shown(Ns::Video, child.name()));
            hits.report(0, child, says, "remove one of them");
        } else if TVSHOW.contains(&child.name()) {
            seen.push(child.name());
        }
        let wrong = match child.name() {
            "video_type" => !TV_KINDS.contains(&text) && !text.is_empty(),
            "season_number" | "episode_number" => value::whole(text).is_none_or(|number| number == 0),
            "premier_date" => {
                let date = hits.date(text);
                iso(text, date).is_none() || !value::is_in_schemas(text, date)
            }
            _ => false,
        };
        if wrong {
            let says = format_args!("{} is {}", child.name(), QuotedValue(text));
            let hint = match child.name() {
                "video_type" => format!("write one of {}", TV_KINDS.join(", ")),
                "premier_date" => "write YYYY-MM-DD".to_owned(),
                _ => "write a whole number above 0".to_owned(),
            };
            hits.report(0, child, says, hint);
        }
    }
}

/// Kinds of identifiers.
const IDS: [&str; 6] = ["tms:series", "tms:program", "rovi:series", "rovi:program", "freebase", "url"];

pub(in super::super) fn id(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !is_child_of(node, cx, "video") {
        return;
    }
    match attribute(node, "type") {
        None => {
            hits.report_missing(0, node, "the id has no type", format_args!("add type=, one of {}", IDS.join(", ")))
        }
        Some(kind) if !IDS.contains(&kind.value()) => {
            hits.report_wrong(0, kind, "the type of the id", format_args!("write one of {}", IDS.join(", ")));
        }
        Some(_) => (),
    }
}

pub(in super::super) fn markup(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !is_child_of(node, cx, "video") {
        return;
    }
    if node.has_children() {
        let says = format_args!("{} contains elements", node.raw().qname);
        hits.report(0, node, says, "write plain text, or escape the markup: < as &lt; and & as &amp;");
    }
}

/// The file types that Google lists for thumbnails.
const PICTURES: [&str; 9] = ["bmp", "gif", "jpg", "jpeg", "png", "webp", "svg", "avif", "jfif"];

/// Google's rules for the URL of a thumbnail: its type, and that it is not a `data:` URL.
pub(in super::super) fn thumbnail_address(node: Node<'_, '_>, variants: (u8, u8), hits: &mut Hits<'_>) {
    let text = node.value_or_text();
    if url::scheme(text).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data")) {
        return hits.report(variants.1, node, "the thumbnail is a data: URL", "serve the image at its own URL");
    }
    if let Some(scheme) = url::scheme(text).filter(|scheme| !is_web(scheme)) {
        let says = format_args!("the thumbnail URL has the scheme {}:", scheme.to_ascii_lowercase());
        return hits.report(variants.1, node, says, "serve the image at an https:// URL");
    }
    let Some(extension) = url::extension(text) else { return };
    let is_picture = PICTURES.contains(&extension.to_ascii_lowercase().as_str());
    let is_program = ["php", "aspx", "ashx", "cgi", "jsp"].contains(&extension.to_ascii_lowercase().as_str());
    if !is_picture && !is_program {
        let says = format_args!("the thumbnail ends in .{extension}, an image type that Google does not list");
        hits.report(variants.0, node, says, "use JPEG, PNG or WebP");
    }
}

pub(in super::super) fn misplaced(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    for node in value::elements(root).filter(|node| node.ns() == Ns::Video && node.name() == "video") {
        let in_page = cx.entry.is_some() && node.raw().parent == 0;
        if !in_page {
            hits.report_missing(0, node, "a video outside a page", "put <video:video> directly into <url>");
        } else if cx.text(root, Ns::Sitemap, "loc").is_none() {
            let hint = "add <loc> with the page that shows the video";
            hits.report_missing(0, node, "the page of this video has no URL", hint);
        }
    }
}

/// Texts without meaning.
const PLACEHOLDERS: [&str; 12] = [
    "description",
    "no description",
    "n/a",
    "none",
    "null",
    "undefined",
    "todo",
    "tbd",
    "test",
    "-",
    "lorem ipsum",
    "untitled",
];

pub(in super::super) fn check_placeholder(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(video) = video_of(node, cx) else { return };
    let text = node.text_value();
    let lower = text.trim_end_matches('.').to_lowercase();
    if !text.is_empty() && cx.text(video, Ns::Video, "title").is_some_and(|title| title == text) {
        hits.report(0, node, "the description is the title", "describe the video in one or two sentences");
    } else if PLACEHOLDERS.contains(&lower.as_str()) || lower.starts_with("lorem ipsum") {
        hits.report_wrong(0, node, "the description", "describe the video in one or two sentences");
    }
}
