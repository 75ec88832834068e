//! The fate of every field in the model's own JSON: all are written under their own names. The form of the members is
//! in write.rs.

use crate::fate::Fate;
use crate::model::Field;

/// The fate table. No field can be forgotten here, since all have the same fate.
pub fn fate(field: Field) -> Fate {
    Fate::Native(field.name())
}
