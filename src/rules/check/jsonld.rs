//! Checks of `VideoObject` in JSON-LD: the properties that Google requires and recommends.

use super::super::hits::{Cx, Hits, QuotedValue};
use super::value;
use super::video::is_web;
use crate::format::jsonld;
use crate::json::parse::{LIST, NULL, OBJECT, STRING};
use crate::model::Seconds;
use crate::text::region::Country;
use crate::text::{embed, mime, region, url};
use crate::tree::{Node, NodeKind};

/// The objects of a type in an entry.
fn objects<'t, 'a>(root: Node<'t, 'a>, kind: &str) -> impl Iterator<Item = Node<'t, 'a>> {
    root.and_behind().filter(move |node| node.raw().uri == OBJECT && has_type(*node, kind))
}

fn has_type(object: Node<'_, '_>, kind: &str) -> bool {
    let is_it = |node: Node<'_, '_>| {
        let name = node.value();
        node.kind() == NodeKind::Text && name.rsplit(['/', ':']).next() == Some(kind)
    };
    let mut types = object.nodes().filter(|node| node.name() == "@type");
    types.any(|node| is_it(node) || node.nodes().any(is_it))
}

/// The member of an object that has a value.
fn member<'t, 'a>(object: Node<'t, 'a>, name: &str) -> Option<Node<'t, 'a>> {
    object.nodes().find(|node| node.name() == name && has_value(*node))
}

fn has_value(node: Node<'_, '_>) -> bool {
    match node.raw().uri {
        NULL => false,
        STRING => !node.value().trim().is_empty(),
        OBJECT | LIST => node.nodes().next().is_some(),
        _ => true,
    }
}

/// An object that is only an `@id` has its properties elsewhere.
fn is_whole(object: &Node<'_, '_>) -> bool {
    let mut names = object.nodes().map(|node| node.name());
    names.all(|name| name != "@id") || object.nodes().any(|node| !node.name().starts_with('@'))
}

/// A part of another video is no video of its own.
fn is_part(object: &Node<'_, '_>) -> bool {
    object.name() == "hasPart"
}

fn videos<'t, 'a>(root: Node<'t, 'a>) -> impl Iterator<Item = Node<'t, 'a>> {
    objects(root, "VideoObject").filter(|video| is_whole(video) && !is_part(video))
}

pub(in super::super) fn required(root: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for video in videos(root) {
        for name in ["name", "thumbnailUrl", "uploadDate"] {
            let is_there =
                member(video, name).is_some() || name == "thumbnailUrl" && member(video, "thumbnail").is_some();
            if !is_there {
                report_without(video, name, hits);
            }
        }
    }
}

pub(in super::super) fn recommended(root: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for video in videos(root) {
        if member(video, "contentUrl").is_none() && member(video, "embedUrl").is_none() {
            let says = "the VideoObject has neither contentUrl nor embedUrl";
            hits.report_missing(0, video, says, "add the URL of the file or of the player");
        } else if member(video, "embedUrl").is_none()
            && let Some(page) = only_page(video)
        {
            let says = format_args!("contentUrl is {}: a page, and there is no embedUrl", QuotedValue(page.value()));
            hits.report(0, page, says, "write the URL of the file, or add embedUrl with the URL of the player");
        }
        for name in ["description", "duration"] {
            if member(video, name).is_none() {
                report_without(video, name, hits);
            }
        }
    }
}

/// The first URL of the file of a video, if each is that of a page.
fn only_page<'t, 'a>(video: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
    let is_page = |node: &Node<'_, '_>| {
        let is_html = url::extension(node.value()).is_some_and(mime::is_html);
        is_html && !embed::is_embed_host(node.value())
            || urls(video, "mainEntityOfPage").any(|page| url::is_same(page.value(), node.value()))
    };
    urls(video, "contentUrl").next().filter(|_| urls(video, "contentUrl").all(|node| is_page(&node)))
}

/// Reports a property that is not there; one whose name differs in its case alone is not the same.
fn report_without(video: Node<'_, '_>, name: &str, hits: &mut Hits<'_>) {
    let says = format_args!("the VideoObject has no {name}");
    match video.nodes().find(|node| node.name().eq_ignore_ascii_case(name) && has_value(*node) && node.name() != name) {
        Some(other) => {
            hits.report_missing(0, video, says, format_args!("write \"{name}\" instead of \"{}\"", other.name()))
        }
        None => hits.report_missing(0, video, says, format_args!("add \"{name}\"")),
    }
}

pub(in super::super) fn regions(root: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for video in videos(root) {
        let (allowed, denied) = (member(video, "regionsAllowed"), member(video, "ineligibleRegion"));
        if let (Some(_), Some(denied)) = (allowed, denied) {
            let says = "the VideoObject has regionsAllowed and ineligibleRegion";
            hits.report_missing(0, denied, says, "remove one of them");
        }
    }
}

pub(in super::super) fn parts(root: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let kinds: [(&str, &[&str]); 2] =
        [("BroadcastEvent", &["isLiveBroadcast", "startDate", "endDate"]), ("Clip", &["name", "startOffset", "url"])];
    for (kind, names) in kinds {
        for object in objects(root, kind).filter(is_whole) {
            for name in names.iter().filter(|name| member(object, name).is_none()) {
                let hint = format_args!("add \"{name}\"");
                hits.report_missing(0, object, format_args!("the {kind} has no {name}"), hint);
            }
        }
    }
}

pub(in super::super) fn zones(root: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for video in videos(root) {
        let dates = video.nodes().filter(|node| matches!(node.name(), "uploadDate" | "expires"));
        for node in dates.filter(|node| node.kind() == NodeKind::Text) {
            let has_zone = hits.date(node.value()).is_none_or(|date| date.offset().is_some());
            if !has_zone && node.value().contains(['T', 't', ':']) {
                let says = format_args!("{} is {}: a time without a zone", node.name(), QuotedValue(node.value()));
                hits.report(0, node, says, "add the zone, as in +02:00 or Z");
            }
        }
    }
}

/// The strings of a property: its values, and the URLs of objects among them.
fn urls<'t, 'a>(object: Node<'t, 'a>, name: &'static str) -> impl Iterator<Item = Node<'t, 'a>> {
    let named = object.nodes().filter(move |node| node.name() == name);
    let values = named.flat_map(|node| [node].into_iter().chain(node.nodes().filter(move |_| node.raw().uri == LIST)));
    let inner = |node: Node<'t, 'a>| {
        let members = node.nodes().filter(|member| matches!(member.name(), "url" | "contentUrl" | "@id" | "@value"));
        [node].into_iter().chain(members.filter(move |_| node.raw().uri == OBJECT))
    };
    values.flat_map(inner).filter(|node| node.raw().uri == STRING)
}

/// The URL of the page: that of the HTML page, or one that an object gives.
pub(in super::super) fn page(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(video) = videos(root).next() else { return };
    let names = ["canonical", "og:url", "mainEntityOfPage", "url"];
    // <base href> of an HTML page
    let mut pages = [root].into_iter().chain(cx.head.root());
    let has_base = pages.any(|page| urls(page, "base").any(|base| url::is_http(base.value())));
    let is_url = |page: &str| has_base || url::is_http(page);
    let named = names.iter().find_map(|name| urls(root, name).find(|page| is_url(page.value())));
    // a video is no page, and its file or player is not its page
    let is_own = named.filter(|_| !has_type(root, "VideoObject"));
    if is_own.is_none() && !jsonld::pages_of_videos(root).any(is_url) {
        let hint = "add \"mainEntityOfPage\" with its URL";
        match named {
            None => hits.report_missing(0, video, "no page is named for the VideoObject", hint),
            Some(named) => {
                let hint = "write the URL of the page that shows the video";
                hits.report(0, named, "the page of the VideoObject is its file or player", hint);
            }
        }
    }
    if let Some(page) = is_own
        && let Some(count) = value::longer_url(page.value(), 2047)
    {
        let says = format_args!("the URL of the page has {count}, fewer than 2,048 are allowed");
        hits.report(0, page, says, "use a shorter URL for the page");
    }
}

pub(in super::super) fn schemes(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    // the base of a page is its URL
    let is_page = cx.format.id == "html";
    let is_relative =
        |node: &Node<'_, '_>| url::scheme(node.value()).is_none() && !node.value().trim_start().starts_with("//");
    for video in videos(root).filter(|_| !is_page) {
        for names in [&["thumbnailUrl", "thumbnail"][..], &["contentUrl"], &["embedUrl"]] {
            let all = || names.iter().flat_map(|name| urls(video, name).map(move |node| (*name, node)));
            // one that can be fetched is enough
            for (name, node) in all().filter(|_| all().all(|(_, node)| is_relative(&node))) {
                let says = format_args!("{name} is {}: not an absolute URL", QuotedValue(node.value()));
                hits.report(0, node, says, "write the absolute URL, with https:// and the host");
            }
        }
    }
    for video in videos(root) {
        for name in ["thumbnailUrl", "thumbnail", "contentUrl", "embedUrl"] {
            for node in urls(video, name) {
                if let Some(scheme) = url::scheme(node.value()).filter(|scheme| !is_web(scheme)) {
                    let says = format_args!("{name} has the scheme {}:", scheme.to_ascii_lowercase());
                    hits.report(0, node, says, "write a URL that begins with https://");
                }
            }
        }
    }
}

/// Countries that have no code: Google knows them by ISO 3166 only.
fn countries(video: Node<'_, '_>, hits: &mut Hits<'_>) {
    for name in ["regionsAllowed", "ineligibleRegion"] {
        let all = video.nodes().filter(|node| node.name() == name);
        let all = all.flat_map(|node| [node].into_iter().chain(node.nodes().filter(move |_| node.raw().uri == LIST)));
        for node in all.filter_map(text_of_region).filter(|node| node.raw().uri == STRING) {
            let words = node.value().split([',', ';', ' ']).map(str::trim).filter(|word| !word.is_empty());
            for word in words {
                // of a part of a country (`US-NY`), the country is looked at
                let code = word.split('-').next().unwrap_or_default();
                let said = QuotedValue(word);
                match region::country(code) {
                    None => {
                        let says = format_args!("{name} has {said}: no country code");
                        hits.report(0, node, says, "write a code of ISO 3166, such as DE");
                    }
                    Some(country @ Country { note: Some(note), .. }) if !country.is_assigned() => {
                        hits.report(0, node, format_args!("{name} has {said}: {note}"), value::no_country(code));
                    }
                    Some(country) if code.len() == 2 && !country.code.eq_ignore_ascii_case(code) => {
                        let says = format_args!("{name} has {said}: no country code");
                        hits.report(0, node, says, format_args!("write {}", country.code));
                    }
                    Some(_) => continue,
                }
                break;
            }
        }
    }
}

/// Whether a date begins as one of ISO 8601 does: `2026-05-01`, `20260501`.
fn has_day_of_iso_8601(text: &str) -> bool {
    let is_like = |pattern: &str, text: &str| {
        let mut pairs = pattern.bytes().zip(text.bytes());
        text.len() >= pattern.len() && pairs.all(|(want, byte)| byte == want || want == b'0' && byte.is_ascii_digit())
    };
    let text = text.trim();
    is_like("0000-00", text) || is_like("00000000T", text) || matches!(text.len(), 4 | 8) && is_like("0000", text)
}

/// The text that names a country: a text, or that of an object for a country or a place.
fn text_of_region<'t, 'a>(value: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
    if value.raw().uri != OBJECT {
        return Some(value);
    }
    let of_address = member(value, "address").and_then(|place| member(place, "addressCountry"));
    of_address.or_else(|| member(value, "identifier")).or_else(|| member(value, "name"))
}

/// Whether a duration of ISO 8601 has years or months; `M` is minutes only behind a `T`.
fn has_months(text: &str) -> bool {
    let date = text.split('T').next().and_then(|date| date.strip_prefix('P')).unwrap_or_default();
    date.contains(['Y', 'M']) && Seconds::parse(text).is_none()
}

pub(in super::super) fn readable(root: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for video in videos(root) {
        for name in ["uploadDate", "expires"] {
            for node in urls(video, name).filter(|node| !node.value().trim().is_empty()) {
                let date = hits.date(node.value());
                if date.is_none() || !has_day_of_iso_8601(node.value()) {
                    let says = format_args!("{name} is {}: not a date", QuotedValue(node.value()));
                    hits.report(0, node, says, "write it as 2026-05-01T10:00:00Z");
                } else {
                    hits.report_placeholder(node, name, node.value(), date);
                }
            }
        }
        for node in video.nodes().filter(|node| node.name() == "duration" && node.kind() == NodeKind::Text) {
            let text = node.value().trim();
            if has_months(text) {
                let says = format_args!("duration is {}: years and months have no fixed length", QuotedValue(text));
                hits.report(0, node, says, "write it in days, hours, minutes and seconds; PT10M is ten minutes");
            } else if !text.is_empty()
                && node.raw().uri != NULL
                && !(text.starts_with('P') && Seconds::parse(text).is_some())
            {
                let says = format_args!("duration is {}: not one of ISO 8601", QuotedValue(text));
                hits.report(0, node, says, "write it as PT1M30S");
            } else if Seconds::parse(text).is_some_and(|(length, _)| length == Seconds::default()) {
                let says = format_args!("duration is {}: the video has no length", QuotedValue(text));
                hits.report(0, node, says, "write the length of the video, or remove it");
            }
        }
        countries(video, hits);
    }
    for clip in objects(root, "Clip") {
        let second = |name: &str| member(clip, name).and_then(|node| node.value().trim().parse::<f64>().ok());
        for name in ["startOffset", "endOffset"] {
            if let Some(node) = member(clip, name).filter(|_| second(name).is_none()) {
                let says = format_args!("{name} is {}: not a number of seconds", QuotedValue(node.value()));
                hits.report(0, node, says, "write the seconds from the beginning of the video");
            }
        }
        if let (Some(start), Some(end)) = (second("startOffset"), second("endOffset"))
            && end <= start
        {
            let says = format_args!("the Clip ends at {end}, before it starts at {start}");
            hits.report_missing(0, clip, says, "write offsets in seconds from the beginning of the video");
        }
    }
}
