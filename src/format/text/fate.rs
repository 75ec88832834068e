//! The fate of every field in a list of URLs: one is written, all others are lost.

use crate::fate::Fate;
use crate::model::Field;
use crate::reason::Reason;

/// The fate table. No exhaustive match as in other formats: a field that is new to the model has no place here.
pub fn fate(field: Field) -> Fate {
    match field == Field::Loc {
        true => Fate::Native("line"),
        false => Fate::Lost(Reason::TextSitemapElement),
    }
}
