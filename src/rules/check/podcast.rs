//! Checks of podcasts: the requirements of Apple, and elements of Podcasting 2.0.

use super::super::hits::{Cx, Hits, QuotedValue};
use super::value::{self, attribute};
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
        return hits.report_missing(0, node, "the category has no text", "add text=\"…\", one of Apple's categories");
    };
    let find = |name: &str| CATEGORIES.iter().find(|(category, _)| *category == name).map(|(_, below)| *below);
    let above = node.parent().filter(|parent| cx.is(*parent, Ns::Itunes, "category"));
    let Some(above) = above else {
        if find(text.value()).is_none() {
            let names = CATEGORIES.map(|(name, _)| name).join(", ");
            let says = format_args!("{} is not an Apple category", QuotedValue(text.value()));
            hits.report(0, text, says, format_args!("write one of {names}"));
        }
        return;
    };
    let name = attribute(above, "text").map_or("", |text| text.value());
    // subcategories of an unknown category are not checked
    if let Some(below) = find(name).filter(|below| !below.contains(&text.value())) {
        let says = format_args!("{} is not an Apple subcategory of {}", QuotedValue(text.value()), QuotedValue(name));
        match below {
            [] => hits.report(0, text, says, "remove it: this category has no subcategories"),
            below => hits.report(0, text, says, format_args!("write one of {}", below.join(", "))),
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
        (["true", "false"], "yes" | "explicit") => hits.report(0, node, says, "write true"),
        (["true", "false"], "no" | "clean") => hits.report(0, node, says, "write false"),
        (["Yes", "No"], _) => hits.report(0, node, says, "write Yes, or remove it: other values have no effect"),
        (words, _) => hits.report(0, node, says, format_args!("write {}", words.join(" or "))),
    }
}

/// The number of an episode or a season.
pub(in super::super) fn number(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let text = node.text_value();
    if value::whole(text).is_none_or(|number| number == 0) {
        let says = format_args!("{} is {}", node.raw().qname, QuotedValue(text));
        hits.report(0, node, says, "write a whole number above 0");
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
            Some((seconds, _)) => hits.report(0, node, says, format_args!("write the seconds: {}", seconds.whole())),
            None => hits.report(0, node, says, "write the seconds, or H:MM:SS"),
        }
    }
}

pub(in super::super) fn image(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if attribute(node, "href").is_none() {
        hits.report_missing(
            0,
            node,
            format_args!("{} has no href", node.raw().qname),
            "add href=\"…\" with the URL of the image",
        );
    }
}

pub(in super::super) fn owner(node: Node<'_, '_>, cx: &Cx<'_>, hits: &mut Hits<'_>) {
    match cx.child(node, Ns::Itunes, "email") {
        None => hits.report_missing(0, node, "the owner has no e-mail address", "add <itunes:email>"),
        Some(email) if !value::is_email(email.text_value()) => {
            let says = format_args!("the e-mail address is {}", QuotedValue(email.text_value()));
            hits.report(0, email, says, "write name@host without the name of the person");
        }
        Some(_) => (),
    }
}

pub(in super::super) fn keywords(node: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    let count = node.text_value().split(',').filter(|word| !word.trim().is_empty()).count();
    if count > 12 {
        hits.report(0, node, format_args!("{count} keywords are listed"), "keep the 12 most important");
    }
}

pub(in super::super) fn live_item(root: Node<'_, '_>, _: &Cx<'_>, hits: &mut Hits<'_>) {
    if root.ns() != Ns::Podcast || root.name() != "liveItem" {
        return;
    }
    match attribute(root, "status") {
        Some(status) if matches!(status.value(), "pending" | "live" | "ended") => (),
        Some(status) => {
            let says = format_args!("the status is {}", QuotedValue(status.value()));
            hits.report(0, status, says, "write pending, live or ended");
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
            hits.report_missing(
                0,
                node,
                format_args!("the transcript has no {name}"),
                format_args!("add {name}=\"…\""),
            );
        }
    }
}
