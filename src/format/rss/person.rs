//! Persons in one text: `address (Name)`, as RSS writes them, and the other forms that are met wherever a name is asked for.
//! Not persons with an element for each part.

use std::borrow::Cow;

use crate::emit::Out;
use crate::model::{Person, Str};
use crate::reason::{Reason, ValueChange};
use crate::tree::{Node, Take};
use crate::xml::names::Ns;

/// Reads a name and an e-mail address, in either order, or one of them.
pub fn take_person<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>, via: Option<Ns>) -> Option<Person<'a>> {
    take.known(element);
    let run = element.text()?;
    let whole: Str<'a> = take.leaf(run, via)?;
    let mut person = Person::default();
    match split(&whole.value) {
        Some((email, name)) => {
            let mark = take.part(run, whole.mark);
            let before = (email.as_ptr() as usize).saturating_sub(whole.value.as_ptr() as usize);
            if whole.value.get(..before).is_some_and(|before| before.to_ascii_lowercase().ends_with(MAILTO)) {
                take.adjusted(whole.mark, Reason::ValidUrl);
            }
            person.email = Some(whole.with(part(&whole.value, email)));
            person.name = Some(Str { value: part(&whole.value, name), mark, via });
        }
        None if is_address(&whole.value) => {
            let email = part(&whole.value, without_scheme(&whole.value));
            if email != whole.value {
                take.adjusted(whole.mark, Reason::ValidUrl);
            }
            person.email = Some(whole.with(email));
        }
        None => person.name = Some(whole),
    }
    Some(person)
}

/// Whether the name of a person also holds the e-mail address, and no other element does.
pub fn holds_address(person: Node<'_, '_>, name: Node<'_, '_>) -> bool {
    let has_own = || person.children().any(|part| part.name() == "email" && !part.text_value().is_empty());
    split(name.text_value()).is_some() && !has_own()
}

/// E-mail address and name, if the text holds both and nothing else: `address (Name)`, `(Name) address`,
/// `Name (address)`, `Name <address>`, `address Name`, `Name address`.
pub fn split(text: &str) -> Option<(&str, &str)> {
    if !text.contains('@') {
        return None;
    }
    let of = |email: &'_ str, name: &'_ str| is_address(email.trim()) && !name.trim().is_empty();
    let inner = text.strip_suffix(')');
    let first = inner.and_then(|text| text.split_once('(')).filter(|(email, name)| of(email, name));
    let before = || text.strip_prefix('(')?.rsplit_once(')').map(swapped).filter(|(email, name)| of(email, name));
    let last = || inner.and_then(|text| text.rsplit_once('(')).or_else(|| text.strip_suffix('>')?.rsplit_once('<'));
    let found = first.or_else(before).or_else(|| last().map(swapped).filter(|(email, name)| of(email, name)));
    let (email, name) = found.or_else(|| side_by_side(text.trim()))?;
    Some((without_scheme(email.trim()), unquoted(name.trim())))
}

/// E-mail address and name without brackets around one of them.
fn side_by_side<'p>(text: &'p str) -> Option<(&'p str, &'p str)> {
    let marks = |c: char| c.is_whitespace() || ",;:-–".contains(c);
    let both = |(email, name): (&'_ str, &'_ str)| {
        let has_host = email.split_once('@').is_some_and(|(_, host)| host.contains('.'));
        let is_name = name.contains(char::is_alphabetic) && !name.contains(['@', '(', ')', '<', '>', '[', ']']);
        has_host && is_address(email) && !email.contains([',', ';']) && is_name
    };
    let trimmed = |(email, name): (&'p str, &'p str)| (email.trim_matches(marks), name.trim_matches(marks));
    let first = text.split_once(char::is_whitespace);
    let last = text.rsplit_once(char::is_whitespace).map(swapped);
    [first, last].into_iter().flatten().map(trimmed).find(|pair| both(*pair))
}

/// A name without the quotes around it.
fn unquoted(name: &str) -> &str {
    let inner = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).map(str::trim);
    inner.filter(|inner| !inner.is_empty() && !inner.contains('"')).unwrap_or(name)
}

fn swapped<'p>((name, email): (&'p str, &'p str)) -> (&'p str, &'p str) {
    (email, name)
}

/// An e-mail address that is written as a URL.
fn without_scheme(email: &str) -> &str {
    match email.split_at_checked(MAILTO.len()) {
        Some((scheme, address)) if scheme.eq_ignore_ascii_case(MAILTO) => address,
        _ => email,
    }
}

const MAILTO: &str = "mailto:";

/// Why a name is written without the e-mail address in it.
pub const WITHOUT_ADDRESS: ValueChange = Some(Reason::NameAndEmailApart);

/// Whether a text is an e-mail address.
pub fn is_address(text: &str) -> bool {
    let parts = text.split_once('@').filter(|(local, host)| !local.is_empty() && !host.is_empty());
    parts.is_some() && !text.contains(char::is_whitespace) && !text.contains(['(', '<', '>'])
}

/// Whether a person has no name, or only the e-mail address for one.
pub fn is_nameless(person: &Person<'_>) -> bool {
    let is_address = |name: &Str<'_>| person.email.as_ref().is_some_and(|email| email.value == name.value);
    person.name.as_ref().is_none_or(is_address)
}

/// A name without the e-mail addresses in it, and without the brackets or separators left around them; `None` if
/// nothing remains. An e-mail address is only found as a separate word, between spaces, brackets, quotes or commas.
pub fn without_addresses(name: &str) -> Option<Cow<'_, str>> {
    let is_inside =
        |word: &str| word.split_once('@').is_some_and(|(local, host)| !local.is_empty() && host.contains('.'));
    if !name.contains('@') {
        return Some(Cow::Borrowed(name));
    }
    if is_address(name) {
        return None;
    }
    let name = split(name).map_or(name, |(_, name)| name);
    let between = |c: char| c.is_whitespace() || "()<>[]{}\",;|/".contains(c);
    if !name.split(between).any(is_inside) {
        return Some(Cow::Borrowed(name));
    }
    let mut left = String::with_capacity(name.len());
    for piece in name.split_inclusive(between) {
        let end = piece.strip_suffix(between).unwrap_or(piece).len();
        let (word, behind) = piece.split_at(end);
        left.push_str(if is_inside(word) { "" } else { word });
        close(&mut left, behind);
    }
    let around = |c: char| c.is_whitespace() || ",;:|/-–".contains(c);
    let left = left.trim_matches(around);
    // a name in brackets behind an e-mail address
    let inner = left.strip_prefix('(').and_then(|left| left.strip_suffix(')'));
    let left = unquoted(inner.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(left).trim());
    (!left.is_empty()).then(|| Cow::Owned(left.to_owned()))
}

/// Puts what parts two words behind a text, without empty brackets, repeated spaces and spaces before commas.
fn close(text: &mut String, behind: &str) {
    let kept = text.trim_end().len();
    let opened = match behind {
        ")" => Some('('),
        ">" => Some('<'),
        "]" => Some('['),
        "}" => Some('{'),
        "\"" => Some('"'),
        _ => None,
    };
    if opened.is_some_and(|opened| text.get(..kept).is_some_and(|text| text.ends_with(opened))) {
        text.truncate(kept - 1);
        return;
    }
    match behind.chars().next() {
        Some(c) if c.is_whitespace() && (text.is_empty() || text.ends_with(char::is_whitespace)) => (),
        Some(',' | ';') => {
            text.truncate(kept);
            text.push_str(behind);
        }
        _ => text.push_str(behind),
    }
}

/// A piece of a text, borrowed where the text is.
fn part<'a>(whole: &Cow<'a, str>, piece: &str) -> Cow<'a, str> {
    let at = (piece.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
    match whole {
        Cow::Borrowed(text) => text.get(at..at + piece.len()).map_or_else(|| piece.to_owned().into(), Cow::Borrowed),
        Cow::Owned(_) => Cow::Owned(piece.to_owned()),
    }
}

/// Writes `address (Name)`, or the one of both that is there.
pub fn write_person(out: &mut Out<'_, '_>, name: &str, person: &Person<'_>) {
    match (&person.email, &person.name) {
        (Some(email), Some(named)) => {
            out.elem_as(name, email.mark, &format!("{} ({})", email.value, named.value), None);
            out.books().kept(named.mark);
        }
        (Some(one), None) | (None, Some(one)) => out.elem_as(name, one.mark, &one.value, None),
        (None, None) => (),
    }
}

/// Writes `Name (address)`, or the one of both that is there: for elements of modules, which are shown as names.
pub fn write_named(out: &mut Out<'_, '_>, element: &str, person: &Person<'_>, change: ValueChange) {
    match (&person.name, &person.email) {
        (Some(named), Some(email)) => {
            let whole = format!("{} ({})", named.value, email.value);
            out.elem_as(element, email.mark, &whole, change);
            out.books().kept(named.mark);
            if change.is_some() {
                out.books().replace_text(email.mark, whole);
            }
        }
        (Some(one), None) | (None, Some(one)) => out.elem_as(element, one.mark, &one.value, change),
        (None, None) => (),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_and_name() {
        assert_eq!(split("a@b.example (A. (the) B)"), Some(("a@b.example", "A. (the) B")));
        assert_eq!(split("Anna B <a@b.example>"), Some(("a@b.example", "Anna B")));
        assert_eq!(split("(Anna B) a@b.example"), Some(("a@b.example", "Anna B")));
        assert_eq!(split("MAILTO:a@b.example (Anna B)"), Some(("a@b.example", "Anna B")));
        assert_eq!(split("a@b.example Anna B"), Some(("a@b.example", "Anna B")));
        assert_eq!(split("Anna B - a@b.example"), Some(("a@b.example", "Anna B")));
        assert_eq!(split("\"B, Anna\" <a@b.example>"), Some(("a@b.example", "B, Anna")));
        assert_eq!(split("Anna (Annie) B (a@b.example)"), Some(("a@b.example", "Anna (Annie) B")));
        for whole in [
            "a@b.example",
            "Anna (@anna)",
            "Anna",
            "Anna (the editor)",
            "a@b.example ()",
            "(a@b)",
            "a b@c (x)",
            "R@dio Bern",
            "a@b.example, c@d.example",
            "a@b.example c@d.example Anna",
            ")",
            ">",
        ] {
            assert_eq!(split(whole), None, "{whole}");
        }
    }

    #[test]
    fn no_address_in_a_name() {
        let table = [
            ("Jane Roe", Some("Jane Roe")),
            ("Jane (@jane)", Some("Jane (@jane)")),
            ("Radio R@dio (Bern)", Some("Radio R@dio (Bern)")),
            ("jane@ex.com Jane Roe", Some("Jane Roe")),
            ("Jane Roe jane@ex.com", Some("Jane Roe")),
            ("Jane Roe - jane@ex.com", Some("Jane Roe")),
            ("A (a@e.com), B (b@e.com)", Some("A, B")),
            ("A <a@e.com>, B <b@e.com>", Some("A, B")),
            ("\"Jane Roe\" <jane@ex.com>", Some("Jane Roe")),
            ("a@e.com, b@e.com (B)", Some("B")),
            ("a@e.com; b@e.com", None),
            ("a@e.com (b@e.com)", None),
            ("jane@ex.com ()", None),
            ("<jane@ex.com>", None),
            ("mailto:jane@ex.com", None),
            ("jane@host", None),
            ("Jane, mailto:jane@ex.com (home)", Some("Jane, (home)")),
        ];
        for (name, left) in table {
            assert_eq!(without_addresses(name).as_deref(), left, "{name}");
        }
    }
}
