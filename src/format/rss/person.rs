//! Persons as RSS writes them: `address (Name)` in one text. Not those of Dublin Core, iTunes and Atom.

use std::borrow::Cow;

use crate::emit::Out;
use crate::model::{Person, Str};
use crate::tree::{Node, Take};

/// Takes `address (Name)`, `Name <address>`, an address or a name.
pub fn take_person<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>) -> Option<Person<'a>> {
    take.known(element);
    let run = element.text()?;
    let whole: Str<'a> = take.leaf(run, None)?;
    let mut person = Person::default();
    match split(&whole.value) {
        Some((email, name)) => {
            let mark = take.part(run, whole.mark);
            person.email = Some(whole.with(part(&whole.value, email)));
            person.name = Some(Str { value: part(&whole.value, name), mark, via: None });
        }
        None if is_address(&whole.value) => person.email = Some(whole),
        None => person.name = Some(whole),
    }
    Some(person)
}

/// The ranges of address and name, if the text holds both and nothing else.
fn split(text: &str) -> Option<(&str, &str)> {
    let (email, name) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((email, name)) => (email, name),
        None => text.strip_suffix('>').and_then(|text| text.rsplit_once('<')).map(|(name, email)| (email, name))?,
    };
    let (email, name) = (email.trim(), name.trim());
    (is_address(email) && !name.is_empty()).then_some((email, name))
}

fn is_address(text: &str) -> bool {
    text.contains('@') && !text.contains(char::is_whitespace) && !text.contains(['(', '<', '>'])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_and_name() {
        assert_eq!(split("a@b.example (A. (the) B)"), Some(("a@b.example", "A. (the) B")));
        assert_eq!(split("Anna B <a@b.example>"), Some(("a@b.example", "Anna B")));
        for whole in ["a@b.example", "Anna", "Anna (the editor)", "a@b.example ()", "(a@b)", "a b@c (x)", ")", ">"] {
            assert_eq!(split(whole), None, "{whole}");
        }
    }
}
