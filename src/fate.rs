//! The fate of a field in a format: the type of the entries in the formats' fate tables.

use crate::model::Field;
use crate::reason::Reason;

/// What a format does with a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Written under this name: an element (`video:duration`), an attribute (`media:content@url`), or, after a
    /// `/`, an element inside another (`author/name`).
    Native(&'static str),
    /// Written under this name, with the change that the reason describes.
    Near(&'static str, Reason),
    /// Not written as itself, and why. A writer may still use it in another field's place.
    Lost(Reason),
}

impl Fate {
    /// The usual loss: the format has no such element.
    pub const NONE: Fate = Fate::Lost(Reason::NoElement);

    /// The name it is written under.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Fate::Native(name) | Fate::Near(name, ..) => Some(name),
            Fate::Lost(..) => None,
        }
    }
}

/// A format's answer for every field.
pub type FateTable = fn(Field) -> Fate;
