//! Changes are buffered in a temporary file until the end of the comparison, because only then it is known which fields
//! changed in nearly all entries and get one row.

use std::collections::HashMap;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tempfile::SpooledTempFile;

use crate::convert::scratch;

/// Bytes that are held before they go to a temporary file.
const HELD: usize = 1 << 20;

/// A finding as text.
#[derive(Default, Serialize, Deserialize)]
pub struct DeferredDifference {
    /// Its first lines; empty where it can only be counted.
    pub head: String,
    /// The fields that changed, each with its line.
    pub fields: Vec<(String, String)>,
}

/// Findings that wait.
pub struct DeferredDifferences {
    out: BufWriter<SpooledTempFile>,
    /// How many findings with each field are kept as text; under no name those without fields.
    kept: HashMap<String, u64>,
}

impl DeferredDifferences {
    /// None yet; the file is made in this folder, or where the system keeps such.
    pub fn new(dir: Option<&Path>) -> DeferredDifferences {
        DeferredDifferences { out: BufWriter::new(scratch(HELD, dir)), kept: HashMap::new() }
    }

    /// Adds one. Of each field so many are kept as text as can be shown at all; of others only the names of the fields, so
    /// that the file stays small. Whichever fields are folded in the end, the first findings with another one are kept.
    ///
    /// # Errors
    /// A temporary file.
    pub fn add(&mut self, names: Vec<String>, text: impl FnOnce() -> DeferredDifference) -> io::Result<()> {
        let none = [String::new()];
        let known = if names.is_empty() { none.as_slice() } else { names.as_slice() };
        let has_room = known.iter().any(|name| self.kept.get(name).is_none_or(|kept| *kept < SHOWN));
        let waiting = if has_room {
            for name in known {
                *self.kept.entry(name.clone()).or_default() += 1;
            }
            text()
        } else {
            DeferredDifference {
                head: String::new(),
                fields: names.into_iter().map(|name| (name, String::new())).collect(),
            }
        };
        serde_json::to_writer(&mut self.out, &waiting)?;
        self.out.write_all(b"\n")
    }

    /// All of them, in order.
    ///
    /// # Errors
    /// A temporary file.
    pub fn all(self) -> io::Result<impl Iterator<Item = io::Result<DeferredDifference>>> {
        let mut file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        let rows = serde_json::Deserializer::from_reader(BufReader::new(file)).into_iter::<DeferredDifference>();
        Ok(rows.map(|row| row.map_err(io::Error::from)))
    }
}

/// Findings that are shown where not all are asked for.
pub const SHOWN: u64 = 50;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_findings_with_each_field_are_kept() {
        let mut later = DeferredDifferences::new(None);
        let waiting = |head: &str| DeferredDifference { head: head.to_owned(), fields: Vec::new() };
        for number in 0..3 * SHOWN {
            let mut names = vec!["video.views".to_owned()];
            names.extend((number > 2 * SHOWN).then(|| "title".to_owned()));
            later.add(names, || waiting("kept")).unwrap();
        }
        let all: Vec<bool> = later.all().unwrap().map(|row| !row.unwrap().head.is_empty()).collect();
        let wanted = (0..3 * SHOWN).map(|number| !(SHOWN..=2 * SHOWN).contains(&number));
        assert_eq!(all, wanted.collect::<Vec<_>>());
    }
}
