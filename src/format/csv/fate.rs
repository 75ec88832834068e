//! The fate of every field in a table: a column has the name of its field. The columns are in columns.rs.

use super::columns;
use crate::fate::Fate;
use crate::model::Field;
use crate::reason::Reason;

/// The fate table. A field that is new to the model has no column.
pub fn fate(field: Field) -> Fate {
    match field {
        Field::Module => Fate::Lost(Reason::ModuleElement),
        Field::Foreign => Fate::Lost(Reason::UnknownMarkup),
        field => columns::heading_of(field).map_or(Fate::Lost(Reason::TableColumn), Fate::Native),
    }
}
