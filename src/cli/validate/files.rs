//! The files to check: named files, files of named folders, and the sitemaps next to an index.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::super::fetch;
use super::super::file::{InputSource, beside_index, name_of};
use super::super::pattern;
use super::super::progress::{Progress, ProgressMode};
use super::super::walk;
use crate::convert::Document;
use crate::error::Error;
use crate::job::list;
use crate::options::Options;
use crate::text::some_of;

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
    /// Why it cannot be read: it is a folder that cannot be listed.
    pub failure: Option<Error>,
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
const ENDS: [&str; 12] = ["xml", "rss", "atom", "rdf", "mrss", "txt", "gz", "feed", "html", "htm", "json", "jsonld"];

/// The files that these names match, each once and in order, and notes on missing ones.
pub(super) fn expand(inputs: &[String]) -> Result<(Vec<CheckedFile>, Vec<String>), Error> {
    let mut notes = Vec::new();
    let mut named: Vec<CheckedFile> = Vec::new();
    let mut seen: HashSet<PathBuf> = HashSet::new();
    for (input, is_matched) in &pattern::inputs(inputs)? {
        if fetch::is_url(input) {
            named.push(CheckedFile {
                file: PathBuf::new(),
                path: input.clone(),
                url: None,
                found: false,
                failure: None,
            });
            continue;
        }
        let path = Path::new(input);
        let mut found = vec![(path.to_owned(), None)];
        let is_folder = input != "-" && path.is_dir();
        if is_folder {
            let listing = walk::files(path)?;
            found = listing.files.into_values().filter(|path| is_wanted(path)).map(|path| (path, None)).collect();
            notes.extend(listing.skipped);
            // a folder that cannot be listed may hold anything
            let failed = listing.failed.into_iter().filter(|(path, _)| is_wanted(path) || path.is_dir());
            let failed: Vec<_> = failed.collect();
            let has_failed = !failed.is_empty();
            named.extend(failed.into_iter().map(|(file, error)| {
                let path = name_of(&file);
                CheckedFile { file, path, url: None, found: true, failure: Some(error) }
            }));
            if found.is_empty() && !has_failed {
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
                let parts = some_of(missing, beside.len() + missing, "part", "parts");
                notes.push(format!("{}: {parts} not next to it, and not checked", path.to_string_lossy()));
            }
            parts.extend(beside);
        }
        for (file, url) in found.into_iter().chain(parts) {
            let real = std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
            match seen.insert(real.clone()) {
                true => {
                    let path = name_of(&file);
                    named.push(CheckedFile { file, path, url, found: is_folder || *is_matched, failure: None });
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

/// Whether a file of a folder has the name of a feed, a sitemap or a page.
fn is_wanted(path: &Path) -> bool {
    let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
    end.is_some_and(|end| ENDS.contains(&end.as_str()))
}

/// Parts of one index that are looked for.
const PARTS: usize = 50_000;

/// The parts of an index that are next to it, with their URLs, and how many are missing. Other documents have none.
fn parts_of(path: &Path) -> (Vec<(PathBuf, Option<String>)>, usize) {
    let (mut parts, mut missing) = (Vec::new(), 0);
    // a pipe can be read only once
    if path == Path::new("-") || !path.is_file() {
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
