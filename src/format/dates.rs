//! Dates of elements whose format says how a date is written: one in the form of another format is read, and told.
//! What forms there are is known by model/date.rs.

use crate::model::{Date, Leaf};
use crate::tree::{Node, Take};

/// How a format writes dates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// RSS: `Tue, 05 Mar 2024 10:00:00 GMT`.
    Rfc822,
    /// Sitemaps and Atom: `2024-03-05T10:00:00Z`.
    W3c,
}

/// Takes the text of an element as a date.
pub fn take<'t, 'a>(element: Node<'t, 'a>, take: &mut Take<'t, 'a>, form: Form, slot: &mut Option<Leaf<Date>>) {
    let first = slot.is_none();
    take.text(element, slot);
    let Some(run) = element.text().filter(|_| first && slot.is_some()) else { return };
    let found = run.value().trim();
    let is_other = (form_of(found) != form) && Date::parse(found).is_some_and(|(_, note)| note.is_none());
    if is_other {
        let done = match form {
            Form::Rfc822 => "the form of Atom and sitemaps, where RSS has that of RFC 822",
            Form::W3c => "the form of RSS, where that of the W3C belongs",
        };
        take.remark(run, "date.lenient", found, done);
    }
}

/// Which form a readable date has that has one of the two: the year stands first, or not.
fn form_of(text: &str) -> Form {
    let year = text.as_bytes().get(..4).is_some_and(|start| start.iter().all(u8::is_ascii_digit));
    if year { Form::W3c } else { Form::Rfc822 }
}
