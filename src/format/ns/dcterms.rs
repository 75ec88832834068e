//! The two Dublin Core terms with which feeds describe videos: `dcterms:valid` (a DCMI Period) and `dcterms:type` of
//! `live-video` (Google's mRSS sample). The other terms are modules of the page.

use std::borrow::Cow;

use crate::emit::Out;
use crate::model::date::DateForm;
use crate::model::value::{FromText, Note};
use crate::model::{Available, Date, Leaf, Precision};
use crate::reason::{Reason, ValueChange};
use crate::text::bytes::trimmed;
use crate::tree::{Node, Take};
use crate::xml::names::Ns;

/// Reads a `dcterms:valid` into an empty slot. If the slot is full of values of other elements or the text is not a period,
/// returns `false` and takes nothing.
pub fn valid<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Available<'a>>) -> bool {
    let Some(run) = element.text() else { return false };
    if let Some(Available { start, end, name }) = slot {
        let first = [start, end].into_iter().flatten().find(|date| date.via.is_none()).map(|date| date.mark);
        let first = first.or(name.as_ref().map(|name| name.mark));
        return first.filter(|_| Period::parse(run.value()).is_some()).is_some_and(|first| {
            let chosen = take.beside(element, first);
            take.set_aside(element, chosen, |take, aside| _ = valid(element, take, aside));
            true
        });
    }
    let Some(period) = Period::parse(run.value()) else {
        take.remark(run, "date.period", run.value().trim(), "no period with a start or an end; not read as one");
        return false;
    };
    let Some(leaf) = take.leaf::<Cow<'a, str>>(run, None) else { return false };
    take.known(element);
    let mut first = true;
    let mut mark = |take: &mut Take<'t, 'a>| {
        if std::mem::take(&mut first) { leaf.mark } else { take.part(run, leaf.mark) }
    };
    let mut available = Available::default();
    if let Some(date) = period.start {
        available.start = Some(Leaf { value: date, mark: mark(take), via: None });
    }
    if let Some(date) = period.end {
        available.end = Some(Leaf { value: date, mark: mark(take), via: None });
    }
    if let Some(name) = period.name {
        available.name = Some(Leaf { value: Cow::Owned(name.to_owned()), mark: mark(take), via: None });
    }
    for (note, date) in period.notes.into_iter().zip([&available.start, &available.end]) {
        if let (Some(note), Some(date)) = (note, date) {
            take.remark(run, note.code, run.value().trim(), format!("{}: {}", note.said, date.value.to_w3c()));
            note.cost().into_iter().for_each(|why| take.adjusted(leaf.mark, why));
        }
    }
    for part in &period.unread {
        match part.rsplit('=').next().and_then(Date::refused) {
            Some(note) => take.remark(run, note.code, part, note.said),
            None => take.remark(run, "date.period", part, "no part of a period; not read"),
        }
    }
    if !period.unread.is_empty() {
        take.adjusted(leaf.mark, Reason::ReadablePart);
    }
    *slot = Some(available);
    true
}

/// Reads a `dcterms:type` of `live-video` into an empty slot. `false`, and not taken, if it is anything else.
pub fn live<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>, slot: &mut Option<Leaf<bool>>) -> bool {
    let (None, Some(run)) = (&slot, element.text()) else { return false };
    if !element.text_value().eq_ignore_ascii_case("live-video") {
        return false;
    }
    let Some(leaf) = take.leaf::<Cow<'a, str>>(run, None) else { return false };
    take.known(element);
    *slot = Some(leaf.with(true));
    true
}

/// A date in its own precision. A time without a zone is in UTC, unless it goes back into its own family.
pub fn w3c(date: &Date, out: &Out<'_, '_>) -> (String, ValueChange) {
    let zoneless = date.precision() >= Precision::Minute && date.offset().is_none();
    match zoneless && !out.same_family() {
        true => (date.to_w3c() + "Z", Some(Reason::AsUtc)),
        false => (date.to_w3c(), None),
    }
}

/// Writes the start of a period that came by `dcterms:available` back there, in the family of the source.
pub fn write_available(available: Option<&Available<'_>>, out: &mut Out<'_, '_>) {
    let start = available.and_then(|available| available.start.as_ref()).filter(|_| out.same_family());
    if let Some(start) = start.filter(|start| start.via == Some(Ns::Dcterms)) {
        out.elem_as("dcterms:available", start.mark, &start.value.to_w3c(), None);
    }
}

/// Writes a `dcterms:valid`; each member in its own precision. Members that came from another element of the source's
/// own family are written back there instead.
///
/// Where Google's rules are applied, a period that it does not take is not written.
pub fn write_valid(available: &Available<'_>, google: bool, out: &mut Out<'_, '_>) {
    let Available { start, end, name } = available;
    let refused = match (start, end) {
        (Some(start), Some(end)) if end.value.last_instant() <= start.value.instant() => Some(Reason::OnePeriod),
        (None, None) => Some(Reason::IncompletePart),
        _ => None,
    };
    if let Some(why) = refused.filter(|_| google) {
        return out.drop(available, (), why);
    }
    let same_family = out.same_family();
    let here = |date: &&Leaf<Date>| !(same_family && date.via.is_some());
    let dates = [("start", start.as_ref().filter(here)), ("end", end.as_ref().filter(here))];
    let (mut text, mut marks) = (String::new(), Vec::with_capacity(3));
    for (key, date) in dates.into_iter().filter_map(|(key, date)| Some((key, date?))) {
        let (said, change) = w3c(&date.value, out);
        for part in [key, "=", &said, "; "] {
            text.push_str(part);
        }
        marks.push((date.mark, change));
    }
    if !marks.is_empty() {
        text.push_str("scheme=W3C-DTF");
    }
    if let Some(name) = name {
        for part in [if marks.is_empty() { "" } else { "; " }, "name=", &name.value] {
            text.push_str(part);
        }
        marks.push((name.mark, None));
    }
    if let Some(((first, change), rest)) = marks.split_first() {
        out.elem_as("dcterms:valid", *first, &text, *change);
        // a value that was merged with one of the dates is in this text
        let mut is_merged_with = false;
        if change.is_none() && !rest.is_empty() {
            out.books().kept_as(*first, || {
                is_merged_with = true;
                text.clone()
            });
        }
        if is_merged_with {
            out.books().replace_text(*first, text.clone());
        }
        for (mark, change) in rest {
            match change {
                None => out.books().kept_as(*mark, || text.clone()),
                Some(why) => out.books().changed(*mark, *why, text.clone()),
            }
        }
    }
}

/// A DCMI Period as text.
#[derive(Default)]
struct Period<'p> {
    start: Option<Date>,
    end: Option<Date>,
    name: Option<&'p str>,
    notes: [Option<Note>; 2],
    /// Parts that could not be read.
    unread: Vec<&'p str>,
}

impl<'p> Period<'p> {
    /// Reads `start=…; end=…; scheme=W3C-DTF; name=…` in any order, or `start/end`; one readable date is enough. A single
    /// date is not a period: it could be either end.
    fn parse(text: &'p str) -> Option<Period<'p>> {
        let mut period = Period::default();
        if text.contains('=') {
            for part in text.split(';').map(trimmed).filter(|part| !part.is_empty()) {
                if !period.part(part) {
                    period.unread.push(part);
                }
            }
        } else {
            let (start, end) = text.split_once('/')?;
            for (half, is_start) in [(start, true), (end, false)] {
                if !period.limit(is_start, half) {
                    // other texts have slashes, too
                    Date::is_stand_in(half).then(|| period.unread.push(trimmed(half)))?;
                }
            }
        }
        let is_dated = period.start.is_some() || period.end.is_some();
        (is_dated || period.name.is_some() && period.unread.is_empty()).then_some(period)
    }

    /// Reads `key=value`; `false` if it is not understood, or there is one already.
    fn part(&mut self, part: &'p str) -> bool {
        let Some((key, value)) = part.split_once('=') else { return false };
        let (key, value) = (trimmed(key), trimmed(value));
        let is = |name: &str| key.eq_ignore_ascii_case(name);
        match value {
            "" => is("start") || is("end") || is("name"),
            _ if is("start") || is("end") => self.limit(is("start"), value),
            _ if is("name") && self.name.is_none() => {
                self.name = Some(value);
                true
            }
            _ => is("scheme") && is_w3c(value),
        }
    }

    /// Reads the start or the end; `false` if it is no date, or there is one already.
    fn limit(&mut self, is_start: bool, text: &str) -> bool {
        let slot = if is_start { &mut self.start } else { &mut self.end };
        let Some((date, note)) = date(text).filter(|_| slot.is_none()) else { return false };
        *slot = Some(date);
        self.notes[usize::from(!is_start)] = note;
        true
    }
}

/// A date, with a note if it is not in W3C-DTF.
fn date(text: &str) -> Option<(Date, Option<Note>)> {
    let (date, note) = Date::parse(text)?;
    let other = Date::form(text) != DateForm::W3c;
    Some((date, note.or(other.then_some(Note { code: "date.lenient", said: "read a date of RFC 822" }))))
}

/// `W3C-DTF`, also without the hyphen.
fn is_w3c(scheme: &str) -> bool {
    ["W3C-DTF", "W3CDTF"].iter().any(|name| scheme.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::Period;

    fn parsed(text: &str) -> Option<String> {
        let period = Period::parse(text)?;
        let date = |date: Option<crate::model::Date>| date.map_or("-".to_owned(), |date| date.to_w3c());
        Some(format!("{} {} {}", date(period.start), date(period.end), period.name.unwrap_or("-")))
    }

    #[test]
    fn periods() {
        let cases = [
            ("start=2026-10-13T19:00+01:00; end=2027-12-31", "2026-10-13T19:00+01:00 2027-12-31 -"),
            ("\n END = 2027-01-01 ;;start=2026-01-01;scheme=w3c-dtf;\n", "2026-01-01 2027-01-01 -"),
            ("start=2026; name=spring ; ", "2026 - spring"),
            ("end=2027-01-01T00:00:00.5Z", "- 2027-01-01T00:00:00.5Z -"),
            ("start=;end=2027", "- 2027 -"),
            ("2026-01-01/2027-01-01", "2026-01-01 2027-01-01 -"),
            ("start=Tue, 02 Dec 2014 00:00:00 -0600", "2014-12-02T00:00:00-06:00 - -"),
            ("start=soon; end=2027; scheme=other; here", "- 2027 -"),
            ("start=2026;start=2027", "2026 - -"),
            ("0000-00-00/2027-01-01", "- 2027-01-01 -"),
        ];
        for (text, expected) in cases {
            assert_eq!(parsed(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            "2026-01-01",
            "start=soon",
            "start=soon;name=spring",
            "from=2026",
            "scheme=W3C-DTF",
            "/",
            ";",
            "2026/05/01",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
