//! What becomes of every field.
use crate::fate::Fate;
use crate::model::Field;

/// The fate table.
pub fn fate(_field: Field) -> Fate {
    Fate::NONE
}
