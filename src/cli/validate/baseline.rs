//! The findings of a previous run, so that only new ones fail. Findings are identified by entry and rule, regardless of
//! their line.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;
use serde_json::error::Category;

use crate::error::{Error, cause};

/// How often each finding of an earlier run may come again.
pub(super) struct Baseline {
    known: HashMap<u64, u64>,
}

/// What is read of an earlier output: of one file, or of several.
#[derive(Deserialize)]
struct EarlierOutput {
    #[serde(default)]
    findings: Option<Vec<BaselineMark>>,
    #[serde(default)]
    files: Option<Vec<EarlierOutput>>,
}

#[derive(Deserialize)]
struct BaselineMark {
    fingerprint: String,
}

impl Baseline {
    /// Reads the output of `--format json`.
    ///
    /// # Errors
    /// A file that cannot be read, or is something else.
    pub fn read(path: &Path) -> Result<Baseline, Error> {
        let name = path.to_string_lossy().into_owned();
        let not = |why: String| {
            Error::format(
                format!("cannot read the baseline {name}: {why}"),
                "write one with --format json from the same files",
            )
        };
        let file = File::open(path).map_err(|error| not(cause(&error)))?;
        let before: EarlierOutput = serde_json::from_reader(BufReader::new(file)).map_err(|error| {
            not(match error.classify() {
                Category::Io => cause(&error.into()),
                Category::Syntax | Category::Data | Category::Eof => {
                    format!("it is not a report of validate ({error})")
                }
            })
        })?;
        let files = match (before.findings, before.files) {
            (None, None) => return Err(not("it has no findings".to_owned())),
            (findings, files) => {
                findings.into_iter().chain(files.into_iter().flatten().filter_map(|file| file.findings))
            }
        };
        let mut known = HashMap::new();
        for mark in files.flatten() {
            let number = u64::from_str_radix(&mark.fingerprint, 16).map_err(|error| not(error.to_string()))?;
            *known.entry(number).or_default() += 1;
        }
        Ok(Baseline { known })
    }

    /// Whether a finding was there before; each counts as often as it was there.
    pub fn has(&mut self, fingerprint: u64) -> bool {
        match self.known.get_mut(&fingerprint) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}
