//! Checks of podcasts: the requirements of Apple, and elements of Podcasting 2.0.

use super::super::hits::{Cx, Hits, QuotedValue};
use super::value::{self, attribute};
use crate::text::{mime, nearest, url};
use crate::tree::{Node, NodeKind};
use crate::xml::names::Ns;

/// Apple's categories, each with those below it.
#[rustfmt::skip]
const CATEGORIES: [(&str, &[&str]); 19] = [
    ("Arts", &["Books", "Design", "Fashion & Beauty", "Food", "Performing Arts", "Visual Arts"]),
    ("Business", &["Careers", "Entrepreneurship", "Investing", "Management", "Marketing", "Non-Profit"]),
    ("Comedy", &["Comedy Interviews", "Improv", "Stand-Up"]),
    ("Education", &["Courses", "How To", "Language Learning", "Self-Improvement"]),
    ("Fiction", &["Comedy Fiction", "Drama", "Science Fiction"]),
    ("Government", &[]),
    ("Health & Fitness", &["Alternative Health", "Fitness", "Medicine", "Mental Health", "Nutrition", "Sexuality"]),
    ("History", &[]),
    ("Kids & Family", &["Education for Kids", "Parenting", "Pets & Animals", "Stories for Kids"]),
    ("Leisure", &[
        "Animation & Manga", "Automotive", "Aviation", "Crafts", "Games", "Hobbies", "Home & Garden", "Video Games",
    ]),
    ("Music", &["Music Commentary", "Music History", "Music Interviews"]),
    ("News", &[
        "Business News", "Daily News", "Entertainment News", "News Commentary", "Politics", "Sports News", "Tech News",
    ]),
    ("Religion & Spirituality", &[
        "Buddhism", "Christianity", "Hinduism", "Islam", "Judaism", "Religion", "Spirituality",
    ]),
    ("Science", &[
        "Astronomy", "Chemistry", "Earth Sciences", "Life Sciences", "Mathematics", "Natural Sciences", "Nature",
        "Physics", "Social Sciences",
    ]),
    ("Society & Culture", &["Documentary", "Personal Journals", "Philosophy", "Places & Travel", "Relationships"]),
    ("Sports", &[
        "Baseball", "Basketball", "Cricket", "Fantasy Sports", "Football", "Golf", "Hockey", "Rugby", "Running", "Soccer",
        "Swimming", "Tennis", "Volleyball", "Wilderness", "Wrestling",
    ]),
    ("Technology", &[]),
    ("True Crime", &[]),
    ("TV & Film", &["After Shows", "Film History", "Film Interviews", "Film Reviews", "TV Reviews"]),
];

/// What a show must have.
pub(in super::super) fn show(_: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(channel) = cx.channel().filter(|channel| channel.children().any(|child| child.ns() == Ns::Itunes)) else {
        return;
    };
    for name in ["image", "category", "explicit"] {
        if cx.child(channel, Ns::Itunes, name).is_none() {
            let says = format_args!("the podcast has no itunes:{name}");
            hits.report_missing(0, channel, says, format_args!("add <itunes:{name}>"));
        }
    }
}

pub(in super::super) fn category(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(text) = attribute(node, "text") else {
        return hits.report_missing(1, node, "the category has no text", "add text=\"…\", one of Apple's categories");
    };
    let find = |name: &str| CATEGORIES.iter().find(|(category, _)| *category == name).map(|(_, below)| *below);
    let above = node.parent().filter(|parent| cx.is(*parent, Ns::Itunes, "category"));
    let Some(above) = above else {
        if find(text.value()).is_none() {
            let names = CATEGORIES.map(|(name, _)| name).join(", ");
            let says = format_args!("{} is not an Apple category", QuotedValue(text.value()));
            hits.report(1, text, says, format_args!("write one of {names}"));
        }
        return;
    };
    let name = attribute(above, "text").map_or("", |text| text.value());
    // subcategories of an unknown category are not checked
    if let Some(below) = find(name).filter(|below| !below.contains(&text.value())) {
        let says = format_args!("{} is not an Apple subcategory of {}", QuotedValue(text.value()), QuotedValue(name));
        match below {
            [] => hits.report(1, text, says, "remove it: this category has no subcategories"),
            below => hits.report(1, text, says, format_args!("write one of {}", below.join(", "))),
        }
    }
}

/// Elements with a list of values, and how Apple writes these. Case does not count.
const WORDS: &[(&str, &[&str])] = &[
    ("explicit", &["true", "false"]),
    ("block", &["Yes", "No"]),
    ("complete", &["Yes", "No"]),
    ("type", &["episodic", "serial"]),
    ("episodeType", &["full", "trailer", "bonus"]),
];

pub(in super::super) fn word(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some((_, words)) = WORDS.iter().find(|(name, _)| *name == node.name()) else { return };
    let text = node.text_value();
    if words.iter().any(|word| word.eq_ignore_ascii_case(text)) {
        return;
    }
    let says = format_args!("{} is {}", node.raw().qname, QuotedValue(text));
    match (*words, text.to_ascii_lowercase().as_str()) {
        (["true", "false"], "yes" | "explicit") => hits.report(1, node, says, "write true"),
        (["true", "false"], "no" | "clean") => hits.report(1, node, says, "write false"),
        (["Yes", "No"], _) => hits.report(1, node, says, "write Yes, or remove it: other values have no effect"),
        (words, _) => hits.report(1, node, says, format_args!("write {}", words.join(" or "))),
    }
}

/// The number of an episode or a season.
pub(in super::super) fn number(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    if value::whole(text).is_none_or(|number| number == 0) {
        hits.report_wrong(1, node, node.raw().qname, "write a whole number above 0");
    }
}

/// Seconds, or hours, minutes and seconds with colons between them.
pub(in super::super) fn duration(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    let parts: Vec<Option<u64>> = text.split(':').map(value::whole).collect();
    let right = match parts.as_slice() {
        [Some(_)] => true,
        [Some(_), Some(seconds)] => *seconds < 60,
        [Some(_), Some(minutes), Some(seconds)] => *minutes < 60 && *seconds < 60,
        _ => false,
    };
    if !right {
        let says = format_args!("{} is {}", node.raw().qname, QuotedValue(text));
        match crate::model::Seconds::parse(text) {
            Some((seconds, _)) => hits.report(1, node, says, format_args!("write the seconds: {}", seconds.whole())),
            None => hits.report(1, node, says, "write the seconds, or H:MM:SS"),
        }
    }
}

pub(in super::super) fn image(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    match attribute(node, "href") {
        None => hits.report_missing(
            1,
            node,
            format_args!("{} has no href", node.raw().qname),
            "add href=\"…\" with the URL of the image",
        ),
        // another rule reports it for profiles that have all URLs checked
        Some(href) if !value::is_web(href.value()) && !hits.is_required("D22", 1) => {
            let says = format_args!("href is {}: not an http or https URL", QuotedValue(href.value()));
            hits.report(1, href, says, super::video::make_whole(href.value()));
        }
        Some(_) => (),
    }
}

pub(in super::super) fn owner(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    match cx.child(node, Ns::Itunes, "email") {
        None => hits.report_missing(1, node, "the owner has no e-mail address", "add <itunes:email>"),
        Some(email) if !value::is_email(email.text_value()) => {
            hits.report_wrong(1, email, "the e-mail address", "write name@host without the name of the person");
        }
        Some(_) => (),
    }
}

pub(in super::super) fn keywords(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let count = node.text_value().split(',').filter(|word| !word.trim().is_empty()).count();
    if count > 12 {
        hits.report(1, node, format_args!("{count} keywords are listed"), "keep the 12 most important");
    }
}

pub(in super::super) fn live_item(root: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if root.ns() != Ns::Podcast || root.name() != "liveItem" {
        return;
    }
    match attribute(root, "status") {
        Some(status) if matches!(status.value(), "pending" | "live" | "ended") => (),
        Some(status) => {
            hits.report_wrong(0, status, "the status", "write pending, live or ended");
        }
        None => {
            hits.report_missing(0, root, "the live item has no status", "add status=\"pending\", \"live\" or \"ended\"")
        }
    }
    if attribute(root, "start").is_none() {
        hits.report_missing(0, root, "the live item has no start", "add start=\"…\" with the start time");
    }
}

pub(in super::super) fn alternate_enclosure(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if attribute(node, "type").is_none() {
        hits.report_missing(0, node, "the alternate enclosure has no type", "add type=\"…\", a MIME type");
    }
    let source =
        |node: &Node<'_, '_>| node.kind() == NodeKind::Element && node.ns() == Ns::Podcast && node.name() == "source";
    if !node.children().any(|child| source(&child) && attribute(child, "uri").is_some()) {
        let hint = "add <podcast:source uri=\"…\"/> in it";
        hits.report_missing(0, node, "the alternate enclosure has no source", hint);
    }
}

pub(in super::super) fn transcript(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for name in ["url", "type"] {
        if attribute(node, name).is_none() {
            let hint = format_args!("add {name}=\"…\"");
            hits.report_missing(0, node, format_args!("the transcript has no {name}"), hint);
        }
    }
}

/// Elements of Podcasting 2.0: the attributes that they require, and whether they require a text.
const REQUIRED: &[(&str, &[&str], bool)] = &[
    ("chapters", &["url", "type"], false),
    ("chat", &["server", "protocol"], false),
    ("contentLink", &["href"], true),
    ("funding", &["url"], true),
    ("image", &["href"], false),
    ("integrity", &["type", "value"], false),
    ("license", &[], true),
    ("location", &[], true),
    ("person", &[], true),
    ("remoteItem", &["feedGuid"], false),
    ("socialInteract", &["protocol"], false),
    ("soundbite", &["startTime", "duration"], false),
    ("source", &["uri"], false),
    ("trailer", &["url", "pubdate"], true),
    ("txt", &[], true),
    ("value", &["type", "method"], false),
    ("valueRecipient", &["type", "address", "split"], false),
];

pub(in super::super) fn complete(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some((_, names, text)) = REQUIRED.iter().find(|(name, ..)| *name == node.name()) else { return };
    let qname = &node.raw().qname;
    for name in names.iter().filter(|name| attribute(node, name).is_none()) {
        hits.report_missing(0, node, format_args!("{qname} has no {name}"), format_args!("add {name}=\"…\""));
    }
    if *text && node.text_value().is_empty() {
        hits.report_missing(0, node, format_args!("{qname} has no text"), "add the text, or remove the element");
    }
}

/// Elements that Apple requires of a show. Where a show has any element of iTunes, [`show`] reports the others.
pub(in super::super) fn show_values(_: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(channel) = cx.channel() else { return };
    let bare = !channel.children().any(|child| child.ns() == Ns::Itunes);
    let own = ["title", "description", "language"].iter().filter(|name| cx.text(channel, Ns::None, name).is_none());
    let of_itunes = ["image", "category", "explicit"].iter().filter(|_| bare);
    for (ns, name) in own.map(|name| (Ns::None, name)).chain(of_itunes.map(|name| (Ns::Itunes, name))) {
        let shown = value::shown(ns, name);
        hits.report_missing(0, channel, format_args!("the show has no {shown}"), format_args!("add <{shown}>"));
    }
}

/// Whether an entry is an episode: a live item is described by other elements.
fn is_episode(root: Node<'_, '_>, cx: &Cx<'_>) -> bool {
    cx.is(root, Ns::None, "item")
}

/// The types of the files that Apple plays.
const PLAYED: &[&str] =
    &["audio/mpeg", "audio/x-m4a", "audio/mp4", "video/mp4", "video/x-m4v", "video/quicktime", "application/pdf"];

pub(in super::super) fn enclosure(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !is_episode(root, cx) {
        return;
    }
    let Some(enclosure) = cx.child(root, Ns::None, "enclosure") else {
        let hint = "add <enclosure> with url, length and type";
        return hits.report_missing(0, root, "the episode has no enclosure", hint);
    };
    let kind = attribute(enclosure, "type");
    if let Some(kind) = kind.filter(|kind| !PLAYED.iter().any(|known| known.eq_ignore_ascii_case(kind.value()))) {
        let says = format_args!("Apple plays no {}", QuotedValue(kind.value()));
        hits.report(1, kind, says, "give a file in MP3, M4A, MP4, M4V, MOV or PDF");
    }
    let given = |name: &str| attribute(enclosure, name).filter(|given| !given.value().trim().is_empty());
    for (name, hint) in [("url", "the URL of the file"), ("length", "the bytes of the file"), ("type", "its MIME type")]
    {
        if given(name).is_none() {
            let says = format_args!("the enclosure has no {name}");
            hits.report_missing(2, enclosure, says, format_args!("add {name}=\"…\" with {hint}"));
        }
    }
    if let Some(length) = given("length").filter(|length| value::whole(length.value()).is_none()) {
        hits.report_wrong(2, length, "the length of the enclosure", "write the bytes of the file, a whole number");
    }
}

pub(in super::super) fn episode_title(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let titled = [Ns::None, Ns::Itunes].iter().any(|ns| cx.text(root, *ns, "title").is_some());
    if is_episode(root, cx) && !titled {
        hits.report_missing(0, root, "the episode has no title", "add <title>");
    }
}

pub(in super::super) fn episode_number(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let said = |node: Node<'_, '_>, name: &'static str, word: &str| {
        cx.text(node, Ns::Itunes, name).is_some_and(|text| text.eq_ignore_ascii_case(word))
    };
    let is_serial = cx.channel().is_some_and(|channel| said(channel, "type", "serial"));
    let is_extra = said(root, "episodeType", "trailer") || said(root, "episodeType", "bonus");
    let numbered = cx.text(root, Ns::Itunes, "episode").is_some();
    if is_serial && is_episode(root, cx) && !is_extra && !numbered {
        hits.report_missing(0, root, "the episode of a serial show has no number", "add <itunes:episode>");
    }
}

pub(in super::super) fn artwork(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let Some(href) = attribute(node, "href") else { return };
    // a URL without an extension may lead to any file
    let kind = url::extension(href.value()).and_then(mime::by_extension);
    if kind.is_some_and(|kind| !matches!(kind, "image/jpeg" | "image/png")) {
        hits.report_wrong(0, href, "the artwork", "give a JPEG or PNG file of 1400 to 3000 pixels");
    }
}

pub(in super::super) fn recommended(root: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    if !is_episode(root, cx) {
        return;
    }
    for (variant, ns, name) in [(0, Ns::None, "guid"), (1, Ns::None, "pubDate"), (2, Ns::Itunes, "duration")] {
        if cx.text(root, ns, name).is_none() {
            let shown = value::shown(ns, name);
            let says = format_args!("the episode has no {shown}");
            hits.report_missing(variant, root, says, format_args!("add <{shown}>"));
        }
    }
}

pub(in super::super) fn show_guid(_: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    let in_use = |channel: &Node<'_, '_>| channel.children().any(|child| child.ns() == Ns::Podcast);
    let Some(channel) = cx.channel().filter(in_use) else { return };
    if cx.child(channel, Ns::Podcast, "guid").is_none() {
        hits.report_missing(0, channel, "the show has no podcast:guid", "add <podcast:guid>");
    }
}

/// What a show is made of; a list of such shows has the name with an `L`.
const MEDIA: &[&str] =
    &["podcast", "music", "video", "film", "audiobook", "newsletter", "blog", "publisher", "course", "mixed"];

/// What a person does, by the Podcast Taxonomy. Case does not count.
#[rustfmt::skip]
const ROLES: &[&str] = &[
    // Creative Direction
    "director", "assistant director", "executive producer", "senior producer", "producer", "associate producer",
    "development producer", "creative director",
    // Cast
    "host", "co-host", "guest host", "guest", "voice actor", "narrator", "announcer", "reporter",
    // Writing
    "author", "editorial director", "co-writer", "writer", "songwriter", "guest writer", "story editor", "managing editor",
    "script editor", "script coordinator", "researcher", "editor", "fact checker", "translator", "translater", "transcriber",
    "logger",
    // Audio Production
    "studio coordinator", "technical director", "technical manager", "audio engineer", "remote recording engineer",
    "post production engineer",
    // Audio Post-Production
    "audio editor", "sound designer", "foley artist", "composer", "theme music", "music production", "music contributor",
    // Administration
    "production coordinator", "booking coordinator", "production assistant", "content manager", "marketing manager",
    "sales representative", "sales manager",
    // Visuals, Community, Misc.
    "graphic designer", "cover art designer", "social media manager", "consultant", "intern",
    // Video Production and Post-Production
    "camera operator", "lighting designer", "camera grip", "assistant camera", "assistant editor",
];

/// The groups of these roles.
const GROUPS: &[&str] = &[
    "creative direction",
    "cast",
    "writing",
    "audio production",
    "audio post-production",
    "administration",
    "visuals",
    "community",
    "misc.",
    "video production",
    "video post-production",
];

/// The role and the group of a person.
pub(in super::super) fn person(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    for (name, known, usual) in [("role", ROLES, "host"), ("group", GROUPS, "cast")] {
        let Some(said) = attribute(node, name) else { continue };
        if known.iter().any(|known| known.eq_ignore_ascii_case(said.value().trim())) {
            continue;
        }
        let says = format_args!("podcast:person has the {name} {}", QuotedValue(said.value()));
        match nearest(&said.value().to_ascii_lowercase(), known.iter().copied()) {
            Some(near) => hits.report(0, said, says, format_args!("write {near}")),
            None => hits.report(0, said, says, format_args!("write a {name} of the Podcast Taxonomy, such as {usual}")),
        }
    }
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether this is a place on Earth as a URI: `geo:` and two numbers.
fn is_geo(text: &str) -> bool {
    let point = text.strip_prefix("geo:").and_then(|rest| rest.split(';').next());
    let numbers = point.map(|point| point.split(',').map(|number| value::decimal(number.trim_start_matches('-'))));
    numbers.is_some_and(|mut numbers| {
        let whole = matches!((numbers.next(), numbers.next()), (Some(Some(_)), Some(Some(_))));
        whole && numbers.next().is_none_or(|height| height.is_some())
    })
}

pub(in super::super) fn known_value(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let (text, qname) = (node.text_value(), &node.raw().qname);
    let mut check = |at: Node<'_, '_>, right: bool, hint: &str| {
        if !right {
            let found = at.value();
            let found = if found.is_empty() { text } else { found };
            hits.report(0, at, format_args!("{qname} has the value {}", QuotedValue(found)), hint);
        }
    };
    match node.name() {
        "medium" => {
            let known = |word: &str| MEDIA.iter().any(|known| known.eq_ignore_ascii_case(word));
            let list = text.strip_suffix('L').is_some_and(|word| known(word) && !word.eq_ignore_ascii_case("mixed"));
            check(node, known(text) || list, "write podcast, music, video, film, audiobook, newsletter or blog");
        }
        "locked" => check(node, value::is_yes_or_no(text), "write yes or no"),
        "guid" => check(node, is_uuid(text), "write a UUID"),
        "season" => check(node, value::whole(text).is_some(), "write a whole number"),
        "soundbite" => {
            for name in ["startTime", "duration"] {
                if let Some(time) = attribute(node, name) {
                    check(time, value::decimal(time.value()).is_some(), "write a number of seconds");
                }
            }
        }
        "integrity" => {
            if let Some(kind) = attribute(node, "type") {
                let known = matches!(kind.value(), "sri" | "pgp-signature");
                check(kind, known, "write sri or pgp-signature");
            }
        }
        "location" => {
            if let Some(geo) = attribute(node, "geo") {
                check(geo, is_geo(geo.value()), "write geo:LATITUDE,LONGITUDE");
            }
        }
        _ => (),
    }
}
