//! Outcome of every field in the model's own JSON: it is written under its own name, all of it.
//! Not how the members look (write.rs).

use crate::fate::Fate;
use crate::model::Field;

/// The fate table. No field can be forgotten here, since all have the same fate.
pub fn fate(field: Field) -> Fate {
    Fate::Native(field.name())
}
