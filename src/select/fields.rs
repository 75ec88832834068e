//! A set of fields, given by their names (`--drop-field`).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::model::Field;
use crate::model::wanted::{is_pattern, is_within};
use crate::text::nearest;

/// Fields by their names, the beginnings of names (`video.file`), or patterns (`video.*.url`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FieldSet {
    names: Vec<String>,
    /// Sorted.
    fields: Vec<Field>,
}

impl FieldSet {
    /// Whether it has no field.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Whether a field is in it.
    pub fn contains(&self, field: Field) -> bool {
        self.fields.binary_search(&field).is_ok()
    }
}

impl Extend<FieldSet> for FieldSet {
    fn extend<I: IntoIterator<Item = FieldSet>>(&mut self, sets: I) {
        for set in sets {
            self.names.extend(set.names);
            self.fields.extend(set.fields);
        }
        self.fields.sort_unstable();
        self.fields.dedup();
    }
}

/// The fields with one name.
impl FromStr for FieldSet {
    type Err = String;

    fn from_str(name: &str) -> Result<FieldSet, String> {
        let fields: Vec<Field> = Field::ALL.iter().copied().filter(|field| is_within(field.name(), name)).collect();
        if fields.is_empty() {
            return Err(unknown(name));
        }
        Ok(FieldSet { names: vec![name.to_owned()], fields })
    }
}

/// The problem with the name of a field, and the field that was perhaps meant.
pub(super) fn unknown(name: &str) -> String {
    let shown: String = name.chars().take(60).collect();
    match nearest(name, Field::ALL.iter().map(|field| field.name())) {
        _ if is_pattern(name) => format!("no field matches {shown}; `transfeed explain --list` shows all"),
        Some(near) => format!("no field is called {shown}; did you mean {near}?"),
        None => format!("no field is called {shown}; `transfeed explain --list` shows all"),
    }
}

impl fmt::Display for FieldSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names.join(","))
    }
}

/// A list of names.
impl Serialize for FieldSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.names.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FieldSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<FieldSet, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let sets = names.iter().map(|name| name.parse()).collect::<Result<Vec<FieldSet>, _>>();
        let mut all = FieldSet::default();
        all.extend(sets.map_err(de::Error::custom)?);
        Ok(all)
    }
}
