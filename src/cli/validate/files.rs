//! The files to check: named files, files of named folders, and the sitemaps next to an index.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::super::fetch;
use super::super::file::{InputSource, beside_index};
use super::super::pattern;
use super::super::places::is_below;
use super::super::progress::{Progress, ProgressMode};
use crate::convert::Document;
use crate::error::Error;
use crate::job::{list, shown};
use crate::options::Options;
use crate::text::many;

/// A file that is checked.
pub(super) struct CheckedFile {
    /// Where it is; `-` is standard input. Empty for a URL that is still to be fetched.
    pub file: PathBuf,
    /// Its name as it is shown, or a URL as it was typed.
    pub path: String,
    /// Its URL, if an index gives it.
    pub url: Option<String>,
    /// Nobody named it: it was found in a folder.
    pub found: bool,
}

impl CheckedFile {
    /// Its name without its folder.
    pub fn file_name(&self) -> Option<String> {
        let name = self.file.file_name().filter(|_| self.path != "-");
        name.map(|name| name.to_string_lossy().into_owned())
    }

    /// The folder it lies in.
    pub fn folder(&self) -> Option<PathBuf> {
        (self.path != "-").then(|| self.file.parent().unwrap_or(Path::new("")).to_owned())
    }
}

/// Ends of the names that feeds, sitemaps and pages in folders have.
const ENDS: [&str; 11] = ["xml", "rss", "atom", "rdf", "mrss", "txt", "gz", "feed", "html", "htm", "jsonld"];

/// The files that these names match, each once and in order, and notes on missing ones.
pub(super) fn expand(inputs: &[String]) -> Result<(Vec<CheckedFile>, Vec<String>), Error> {
    let mut notes = Vec::new();
    let mut named: Vec<CheckedFile> = Vec::new();
    let mut seen: HashSet<PathBuf> = HashSet::new();
    for (input, is_matched) in &pattern::inputs(inputs)? {
        if fetch::is_url(input) {
            named.push(CheckedFile { file: PathBuf::new(), path: input.clone(), url: None, found: false });
            continue;
        }
        let path = Path::new(input);
        let mut found = vec![(path.to_owned(), None)];
        let is_folder = input != "-" && path.is_dir();
        if is_folder {
            found = folder(path)?.into_iter().map(|path| (path, None)).collect();
            if found.is_empty() {
                let hint = format!("pass files that end in .{}", ENDS.join(", ."));
                return Err(Error::format(
                    format!("cannot validate {input}: it contains no feeds, sitemaps or pages"),
                    hint,
                ));
            }
        }
        let mut parts = Vec::new();
        for (path, _) in &found {
            let (beside, missing) = parts_of(path);
            if missing > 0 {
                let of = many((beside.len() + missing) as u64, "part", "parts");
                let path = path.to_string_lossy();
                notes.push(format!("{path}: {missing} of {of} are not next to it, and not checked"));
            }
            parts.extend(beside);
        }
        for (file, url) in found.into_iter().chain(parts) {
            let real = std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
            match seen.insert(real.clone()) {
                true => {
                    let path = file.to_str().map_or_else(|| shown(&file), str::to_owned);
                    named.push(CheckedFile { file, path, url, found: is_folder || *is_matched });
                }
                // a folder names the parts before their index does, and files before somebody else does
                false if url.is_some() || !is_folder => {
                    let is_it =
                        |named: &&mut CheckedFile| std::fs::canonicalize(&named.file).is_ok_and(|found| found == real);
                    if let Some(known) = named.iter_mut().find(is_it) {
                        known.url = url.or(known.url.take());
                        known.found &= is_folder || *is_matched;
                    }
                }
                false => (),
            }
        }
    }
    Ok((named, notes))
}

/// The files in a folder and in those below it, in the order of their names. Links to folders are not followed.
fn folder(root: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut open = vec![root.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let wrong = |error| Error::io(folder.to_string_lossy(), error);
        for entry in std::fs::read_dir(&folder).map_err(wrong)? {
            let entry = entry.map_err(wrong)?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(wrong)?);
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
            if kind.is_dir() && !hidden {
                open.push(path);
            } else if !hidden
                && (kind.is_file() || !kind.is_dir() && is_below(root, &path))
                && end.is_some_and(|end| ENDS.contains(&end.as_str()))
            {
                found.push(path);
            }
        }
    }
    found.sort_by(|one, other| one.as_os_str().cmp(other.as_os_str()));
    Ok(found)
}

/// Parts of one index that are looked for.
const PARTS: usize = 50_000;

/// The parts of an index that are next to it, with their URLs, and how many are missing. Other documents have none.
fn parts_of(path: &Path) -> (Vec<(PathBuf, Option<String>)>, usize) {
    let (mut parts, mut missing) = (Vec::new(), 0);
    if path == Path::new("-") {
        return (parts, missing);
    }
    let Ok(source) = InputSource::at(path, "", None, &Progress::new(ProgressMode::Never)) else {
        return (parts, missing);
    };
    let Ok(addresses) = list::index(&source, &Options::default()) else { return (parts, missing) };
    let folder = path.parent().unwrap_or(Path::new(""));
    // entries that cannot be read are findings of the index
    for address in addresses.take(PARTS).flatten() {
        match beside_index(folder, &address) {
            Some(part) => parts.push((part, Some(address))),
            None => missing += 1,
        }
    }
    (parts, missing)
}

/// The format of the part with this URL, if it is next to the index.
pub(super) fn kind_of_part(folder: Option<&Path>, address: &str) -> Option<String> {
    let source =
        InputSource::at(&beside_index(folder?, address)?, "", None, &Progress::new(ProgressMode::Never)).ok()?;
    let document = Document::open_briefly(&source, None, &Options::default()).ok()?;
    Some(document.format.id.to_owned())
}
