//! Values that an item and the channel of RSS write alike: texts, people, categories, links. Which ones are written is not decided here.

use super::person::is_address;
use crate::emit::Out;
use crate::format::ns::dcterms;
use crate::format::ns::modules;
use crate::model::leaf::TextKind;
use crate::model::{Category, Date, Field, Link, Mark, Person, Precision, Str, Text, Video};
use crate::reason::{Reason, ValueChange};
use crate::text::html;
use crate::xml::names::Ns;
use std::borrow::Cow;

/// Persons in the order in which readers find them, each with the module element for it: `None` for the first of those
/// that RSS's own element may hold.
pub(super) fn in_order<'e>(
    persons: &'e [Person<'e>],
    (field, other): (Field, &'static str),
    own: impl Fn(&Person<'_>) -> bool,
    out: &Out<'_, '_>,
) -> Vec<(&'e Person<'e>, Option<&'static str>)> {
    let mut free = true;
    let place = |person: &'e Person<'e>| match modules::carrier_of(out, field, person) {
        None if free && own(person) => {
            free = false;
            (person, None)
        }
        carrier => (person, carrier.or(Some(other))),
    };
    let mut all: Vec<_> = persons.iter().map(place).collect();
    all.sort_by_key(|(_, carrier)| modules::rank(*carrier));
    all
}

/// Whether a person has an e-mail address, as an author of RSS requires (S-R9).
pub(super) fn has_address(person: &Person<'_>) -> bool {
    person.email.as_ref().is_some_and(|email| is_address(&email.value))
}

/// Those who took part: RSS has no element for them.
pub(super) fn write_contributors(persons: &[Person<'_>], field: Field, out: &mut Out<'_, '_>) {
    for (person, _) in in_order(persons, (field, CONTRIBUTOR), |_| false, out) {
        if !modules::write_person(out, field, person) {
            write_name(out, CONTRIBUTOR, person, None);
        }
    }
}

pub(super) const CREATOR: &str = "dc:creator";

pub(super) const CONTRIBUTOR: &str = "dc:contributor";

/// Whether the URL of a link is empty: it refers to the base, which RSS does not have.
pub(super) fn leads_nowhere(href: &Str<'_>, out: &Out<'_, '_>) -> bool {
    href.value.trim().is_empty() && !out.same_family()
}

/// Writes when videos may be shown, and that they are live, without Media RSS.
pub(super) fn write_terms(out: &mut Out<'_, '_>, level: &Video<'_>, media: bool) {
    let end = level.available.as_ref().and_then(|available| available.end.as_ref());
    match (&level.available, end.filter(|end| end.via == Some(Ns::Rss2))) {
        (_, Some(end)) => {
            let (text, change) = rfc822(&end.value);
            out.elem_as("expirationDate", end.mark, &text, change);
        }
        (Some(available), None) if !media => dcterms::write_valid(available, false, out),
        (_, None) => (),
    }
    if let Some(live) = level.live.as_ref().filter(|live| live.value && !media) {
        out.elem_as("dcterms:type", live.mark, "live-video", None);
    }
}

/// Marks the attributes of a link other than its URL as lost, except a relation that an element of RSS means.
pub(super) fn lose_link(out: &mut Out<'_, '_>, link: &Link<'_>, is_meant: bool) {
    if let Some(rel) = link.rel.as_ref().filter(|_| is_meant) {
        out.books().kept(rel.mark);
    }
    let rel = link.rel.as_ref().filter(|_| !is_meant);
    let texts = [link.kind.as_ref(), link.hreflang.as_ref(), link.title.as_ref(), link.media.as_ref(), rel];
    let marks = texts.into_iter().flatten().map(|leaf| leaf.mark).chain(link.length.as_ref().map(|leaf| leaf.mark));
    let modules = link.modules.iter().filter_map(|attribute| attribute.value.as_ref()).map(|leaf| leaf.mark);
    for mark in marks.chain(modules).collect::<Vec<Mark>>() {
        out.books().lost(mark, Reason::RssAttribute);
    }
}

/// Writes a language as an element. An empty attribute of Atom means no language.
pub(super) fn put_language(field: Field, language: &Str<'_>, out: &mut Out<'_, '_>) {
    match language.value.is_empty() {
        true => out.books().lost(language.mark, Reason::NoText),
        false => out.put_leaf(field, language),
    }
}

/// Whether a value goes back to an attribute in the namespace of XML.
pub(super) fn is_xml(out: &Out<'_, '_>, value: &Str<'_>) -> bool {
    out.same_family() && value.via == Some(Ns::Xml)
}

/// The name of somebody, where there is room for a name only.
pub(super) fn write_name(out: &mut Out<'_, '_>, element: &str, person: &Person<'_>, change: ValueChange) {
    if let Some(name) = &person.name {
        out.elem_as(element, name.mark, &name.value, change);
        if let Some(email) = &person.email {
            out.books().lost(email.mark, Reason::RssAttribute);
        }
    } else if let Some(email) = &person.email {
        let change = Some(Reason::UsedAsAuthor);
        out.elem_as(element, email.mark, &email.value, change);
    }
}

/// `category` with its `domain`.
pub(super) fn write_category(out: &mut Out<'_, '_>, category: &Category<'_>, change: ValueChange) {
    let word = category.term.as_ref().or(category.label.as_ref());
    if let Some(word) = word.filter(|word| category.scheme.is_none() && word.value.is_empty()) {
        return out.books().lost(word.mark, Reason::NoText);
    }
    out.next_from("category", |see| see(category.first_mark()));
    out.element("category", |out| {
        if let Some(scheme) = &category.scheme {
            out.attr_as("domain", scheme.mark, &scheme.value, change);
        }
        match (&category.term, &category.label) {
            (Some(term), _) => out.text_as(term.mark, &term.value, change),
            (None, Some(label)) => {
                out.text_as(label.mark, &label.value, Some(Reason::UsedAsCategory));
            }
            (None, None) => (),
        }
    });
}

/// A title: plain text, unless it goes back into the family whose titles have no declared kind.
pub(super) fn write_title(out: &mut Out<'_, '_>, title: &Text<'_>, change: ValueChange) {
    write_of_unsaid_kind(out, "title", title, change);
}

/// A text whose kind RSS does not say. One that is known to be plain, though it looks like markup, goes back escaped.
pub(super) fn write_of_unsaid_kind(out: &mut Out<'_, '_>, element: &str, text: &Text<'_>, change: ValueChange) {
    match text.kind == TextKind::Plain && html::is_markup(&text.value) {
        true => write_html(out, element, text, change),
        false => out.element_always(element, |out| {
            out.put_text_attributes(text);
            let (written, change) = as_plain(out, text, change);
            out.text_as(text.value.mark, &written, change);
        }),
    }
}

/// Plain text where readers take what looks like markup for markup: escaped once more, so that it stays text.
pub(super) fn of_unsaid_kind(text: &str) -> Cow<'_, str> {
    if html::looks_like_markup(text) { html::from_plain(text) } else { text.into() }
}

/// A text as an element that readers take for plain text.
pub(super) fn write_plain(out: &mut Out<'_, '_>, element: &str, text: &Text<'_>, change: ValueChange) {
    out.element_always(element, |out| {
        out.put_text_attributes(text);
        plain_into(out, text, change);
    });
}

pub(super) fn plain_into(out: &mut Out<'_, '_>, text: &Text<'_>, change: ValueChange) {
    let mark = text.value.mark;
    match text.kind {
        TextKind::Html | TextKind::Xhtml if !(out.same_family() && change.is_none() && text.kind == TextKind::Html) => {
            let words = html::to_plain(&as_html(text));
            let change = if words == text.value.as_str() { change } else { STRIPPED };
            out.text_as(mark, &words, change);
        }
        TextKind::Html | TextKind::Xhtml | TextKind::Plain => out.text_as(mark, text.value.as_str(), change),
    }
}

/// A text for an element whose kind RSS does not say.
pub(super) fn as_plain<'t>(out: &Out<'_, '_>, text: &'t Text<'_>, change: ValueChange) -> (Cow<'t, str>, ValueChange) {
    let value = text.value.as_str();
    match text.kind {
        _ if out.same_family() && change.is_none() && text.kind != TextKind::Xhtml => (value.into(), None),
        TextKind::Html | TextKind::Xhtml => {
            let words = html::to_plain(&as_html(text));
            let written = of_unsaid_kind(&words).into_owned();
            // words without markup are the same in both kinds; escaped again, they may be the HTML that they were
            let is_same = written == value;
            (written.into(), if is_same { change } else { STRIPPED })
        }
        TextKind::Plain => match of_unsaid_kind(value) {
            written if written == value => (written, change),
            written => (written, AS_HTML),
        },
    }
}

/// A text as an element that holds HTML.
pub(super) fn write_html(out: &mut Out<'_, '_>, element: &str, text: &Text<'_>, change: ValueChange) {
    let value = text.value.as_str();
    let mark = text.value.mark;
    out.element_always(element, |out| {
        out.put_text_attributes(text);
        match text.kind {
            TextKind::Html => out.text_as(mark, value, change),
            TextKind::Xhtml => out.text_as(mark, &html::xhtml_to_html(value), AS_HTML),
            TextKind::Plain => {
                let escaped = html::from_plain(value);
                // words without markup are the same in both kinds
                let same = escaped == value;
                out.text_as(mark, &escaped, if same { change } else { AS_HTML });
            }
        }
    });
}

/// A text whose kind RSS does not say, and that may be HTML (the description of a channel).
pub(super) fn write_html_or_unsaid(out: &mut Out<'_, '_>, element: &str, text: &Text<'_>) {
    match text.kind {
        TextKind::Plain => write_of_unsaid_kind(out, element, text, None),
        TextKind::Html | TextKind::Xhtml => write_html(out, element, text, None),
    }
}

/// A text as HTML.
pub(super) fn as_html<'t>(text: &'t Text<'_>) -> Cow<'t, str> {
    match text.kind {
        TextKind::Html => text.value.as_str().into(),
        TextKind::Xhtml => html::xhtml_to_html(text.value.as_str()),
        TextKind::Plain => html::from_plain(text.value.as_str()),
    }
}

/// A date as RSS spells it (RFC 822, four digits of the year).
pub(super) fn rfc822(date: &Date) -> (String, ValueChange) {
    let timed = date.precision() >= Precision::Minute;
    let change = match date.precision() {
        _ if timed && date.offset().is_none() => Some(Reason::AsUtc),
        precision if precision < Precision::Second => Some(Reason::MorePrecise),
        Precision::Fraction => Some(Reason::LessPrecise),
        _ => None,
    };
    (date.to_rfc822(), change)
}

pub(super) const STRIPPED: ValueChange = Some(Reason::AsPlainText);

pub(super) const AS_HTML: ValueChange = Some(Reason::AsHtml);
