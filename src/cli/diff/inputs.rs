//! The files to compare: two files, two folders (by file or each as one catalogue), and sitemap indexes with the
//! sitemaps next to them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::fetch::{self, Fetcher};
use crate::cli::file::{InputSource, NameHint, beside_index};
use crate::cli::places::{is_below, real};
use crate::cli::progress::{Progress, ProgressMode};
use crate::convert::{Document, Fetched};
use crate::detect::DocumentKind;
use crate::error::{Error, ErrorKind};
use crate::job::{list, shown};
use crate::options::Options;

/// One side: its files, and what the whole is called.
pub struct InputSide {
    pub name: String,
    pub sources: Vec<InputSource>,
}

impl InputSide {
    /// How those of its files that came from URLs were fetched.
    pub fn fetched(&self) -> Vec<Fetched> {
        self.sources.iter().filter_map(InputSource::fetched).cloned().collect()
    }
}

/// Two sides to be compared.
pub struct ComparisonTask {
    pub a: InputSide,
    pub b: InputSide,
}

/// All that is to be compared.
pub struct DiffInputs {
    pub tasks: Vec<ComparisonTask>,
    /// Folders are compared file by file.
    pub by_file: bool,
    /// Files that only one folder has.
    pub only_a: Vec<String>,
    pub only_b: Vec<String>,
    /// What the user should know of it.
    pub notes: Vec<String>,
}

/// What finding inputs takes.
struct DiffInputFinder<'f> {
    progress: Progress,
    temp_dir: Option<&'f Path>,
    fetcher: &'f Fetcher<'f>,
    notes: Vec<String>,
}

impl DiffInputs {
    /// Finds the files to compare.
    ///
    /// # Errors
    /// An unreadable file, or sides that cannot be compared with each other.
    pub fn find(
        (a, b): (&str, &str),
        merge: bool,
        temp_dir: Option<&Path>,
        fetcher: &Fetcher<'_>,
    ) -> Result<DiffInputs, Error> {
        if a == "-" && b == "-" {
            return Err(Error::format("cannot read standard input twice", "pass one side as a file"));
        }
        let progress = Progress::new(ProgressMode::Never);
        let mut finder = DiffInputFinder { progress, temp_dir, fetcher, notes: Vec::new() };
        let is_folder = |name: &str| name != "-" && Path::new(name).is_dir();
        let by_file = is_folder(a) && is_folder(b) && !merge;
        let mut pairs =
            DiffInputs { tasks: Vec::new(), by_file, only_a: Vec::new(), only_b: Vec::new(), notes: Vec::new() };
        if same_file(a, b) {
            let what = if is_folder(a) { "folder" } else { "file" };
            finder.notes.push(format!("{a} and {b} are the same {what}"));
        }
        if by_file {
            finder.folders((a, b), &mut pairs)?;
        } else {
            let (a, b) = (finder.side(a)?, finder.side(b)?);
            pairs.tasks.push(ComparisonTask { a, b });
        }
        pairs.notes = finder.notes;
        Ok(pairs)
    }
}

fn same_file(a: &str, b: &str) -> bool {
    a != "-" && b != "-" && Path::new(a).exists() && real(Path::new(a)) == real(Path::new(b))
}

impl DiffInputFinder<'_> {
    fn open(&self, name: &str) -> Result<InputSource, Error> {
        InputSource::open(name, self.temp_dir, &self.progress)
    }

    /// A file that was found; its name may be no text.
    fn at(&self, file: &Path) -> Result<InputSource, Error> {
        InputSource::at(file, &shown(file), self.temp_dir, &self.progress)
    }

    /// A file, an index with its parts, or all of a folder.
    fn side(&mut self, name: &str) -> Result<InputSide, Error> {
        if name != "-" && Path::new(name).is_dir() {
            return self.catalogue(name);
        }
        if fetch::is_url(name) {
            let sources = self.fetcher.all(&[name.to_owned()], &self.progress, &mut self.notes)?;
            return Ok(InputSide { name: fetch::shown(name), sources });
        }
        let source = self.open(name)?;
        let sources = match name {
            "-" => vec![source],
            _ => self.with_parts(source, name)?,
        };
        Ok(InputSide { name: name.to_owned(), sources })
    }

    /// The parts of an index that are next to it, in its order, each once; nested indexes are replaced by their parts.
    /// A document that is not an index, or has no parts there, is returned itself.
    fn with_parts(&mut self, source: InputSource, name: &str) -> Result<Vec<InputSource>, Error> {
        let Some(parts) = self.parts(&source, Path::new(name)) else { return Ok(vec![source]) };
        let mut seen: HashSet<PathBuf> = HashSet::from([real(Path::new(name))]);
        let mut open: Vec<Option<PathBuf>> = parts.into_iter().rev().collect();
        let (mut there, mut missing, mut all) = (Vec::new(), 0, 0);
        while let Some(part) = open.pop() {
            all += 1;
            let Some(part) = part else {
                missing += 1;
                continue;
            };
            if !seen.insert(real(&part)) {
                continue;
            }
            let source = self.at(&part)?;
            match self.parts(&source, &part) {
                Some(inner) => open.extend(inner.into_iter().rev()),
                None => there.push(source),
            }
        }
        if there.is_empty() {
            self.notes.push(format!("{name}: no sitemap of this index is next to it; comparing their URLs"));
            return Ok(vec![source]);
        }
        if missing > 0 {
            self.notes.push(format!("{name}: {missing} of {all} sitemaps are not next to it"));
        }
        Ok(there)
    }

    /// The paths of an index's parts next to it, `None` for each missing one; `None` if the document is not an index.
    fn parts(&mut self, source: &InputSource, index: &Path) -> Option<Vec<Option<PathBuf>>> {
        // the beginning shows that most documents are not an index
        Document::open_briefly(source, None, &Options::default())
            .ok()
            .filter(|document| document.format.id == "sitemap-index")?;
        let folder = index.parent().unwrap_or(Path::new(""));
        let mut places = Vec::new();
        for address in list::index(source, &Options::default()).ok()? {
            match address {
                Ok(address) => places.push(beside_index(folder, &address)),
                Err(error) => self.notes.push(format!("{}: {error}", shown(index))),
            }
        }
        Some(places)
    }

    /// All documents of a folder as one side; an index of sitemaps that are also in it is skipped.
    fn catalogue(&mut self, name: &str) -> Result<InputSide, Error> {
        let files = self.files(name)?;
        let mut sources = Vec::new();
        let all: HashSet<&Path> = files.values().map(PathBuf::as_path).collect();
        for (path, file) in &files {
            let source = self.at(file)?;
            if let Err(error) = Document::open(&source, None, &Options::default()) {
                if !matches!(error.kind(), ErrorKind::Format { .. }) {
                    return Err(error.in_input(&shown(file)));
                }
                self.notes.push(format!("skipped {}: {error}", shown(path)));
                continue;
            }
            let among = |parts: Vec<Option<PathBuf>>| parts.iter().flatten().any(|part| all.contains(part.as_path()));
            if self.parts(&source, file).is_some_and(among) {
                continue;
            }
            sources.push(source);
        }
        if sources.is_empty() {
            return Err(Error::format(
                format!("cannot read {name}: it contains no readable document"),
                "pass a folder with feeds or sitemaps",
            ));
        }
        Ok(InputSide { name: name.to_owned(), sources })
    }

    /// Pairs the files of two folders: first those with the same path, then those that only differ in extension, as
    /// after a conversion. Files that are feeds on neither side are only noted.
    fn folders(&mut self, (a, b): (&str, &str), pairs: &mut DiffInputs) -> Result<(), Error> {
        let (of_a, mut of_b) = (self.files(a)?, self.files(b)?);
        let (mut found, mut alone_a, mut alone_b) = (Vec::new(), Stems::default(), Stems::default());
        for (path, file) in of_a {
            let Some(other) = of_b.remove(&path) else {
                match self.format(&file)? {
                    Some(format) => {
                        alone_a.entry(stem(&path)).or_default().push(UnpairedDocument { path, file, format });
                    }
                    None => pairs.only_a.extend(self.no_feed((&path, &file))),
                }
                continue;
            };
            if self.format(&file)?.is_none() && self.format(&other)?.is_none() {
                self.notes.push(format!("skipped {}: not a feed or sitemap", shown(&path)));
                continue;
            }
            found.push((path, file, other));
        }
        for (path, file) in of_b {
            match self.format(&file)? {
                Some(format) => {
                    alone_b.entry(stem(&path)).or_default().push(UnpairedDocument { path, file, format });
                }
                None => pairs.only_b.extend(self.no_feed((&path, &file))),
            }
        }
        for (stem, mut a) in alone_a {
            let mut b = alone_b.remove(&stem).unwrap_or_default();
            found.extend(of_one_stem(&mut a, &mut b).into_iter().map(|(a, b)| (a.path, a.file, b.file)));
            pairs.only_a.extend(a.iter().map(|alone| shown(&alone.path)));
            pairs.only_b.extend(b.iter().map(|alone| shown(&alone.path)));
        }
        pairs.only_b.extend(alone_b.values().flatten().map(|alone| shown(&alone.path)));
        pairs.only_a.sort_unstable();
        pairs.only_b.sort_unstable();
        found.sort_unstable();
        for (_, file, other) in found {
            let side = |file: &Path| -> Result<InputSide, Error> {
                Ok(InputSide { sources: vec![self.at(file)?], name: shown(file) })
            };
            let (a, b) = (side(&file)?, side(&other)?);
            pairs.tasks.push(ComparisonTask { a, b });
        }
        if pairs.tasks.is_empty() && pairs.only_a.is_empty() && pairs.only_b.is_empty() {
            return Err(Error::format(
                "cannot compare the folders: neither contains a readable document",
                "pass folders with feeds or sitemaps",
            ));
        }
        Ok(())
    }

    /// Notes a file that is not a document. If it has the name of a feed, it is a difference: an error page or an empty
    /// file in its place.
    fn no_feed(&mut self, (path, file): (&OsString, &Path)) -> Option<String> {
        self.notes.push(format!("{}: not a feed or sitemap", shown(file)));
        NameHint::from_path(file).is_feed(&DocumentKind::Empty).then(|| shown(path))
    }

    /// The files below a folder, by their paths from it.
    fn files(&mut self, folder: &str) -> Result<BTreeMap<OsString, PathBuf>, Error> {
        files(Path::new(folder), &mut self.notes)
    }

    /// The format of a file, which is empty for a damaged one; `None` if it is not a document.
    fn format(&self, file: &Path) -> Result<Option<&'static str>, Error> {
        let source = self.at(file)?;
        match Document::open_briefly(&source, None, &Options::default()) {
            Ok(document) => Ok(Some(document.format.id)),
            Err(error) if matches!(error.kind(), ErrorKind::Format { .. }) => Ok(None),
            Err(_) => Ok(Some("")),
        }
    }
}

/// A document of which the other folder has none with its path.
struct UnpairedDocument {
    path: OsString,
    file: PathBuf,
    format: &'static str,
}

/// Such documents by their paths without endings.
type Stems = BTreeMap<PathBuf, Vec<UnpairedDocument>>;

/// A path without the extension of its format, and without `.gz`.
fn stem(path: &OsString) -> PathBuf {
    let path = Path::new(path);
    let path =
        if path.extension().is_some_and(|ending| ending == "gz") { path.with_extension("") } else { path.to_owned() };
    path.with_extension("")
}

/// Pairs documents of one stem: those of one format, then those that are the only ones left.
fn of_one_stem(
    a: &mut Vec<UnpairedDocument>,
    b: &mut Vec<UnpairedDocument>,
) -> Vec<(UnpairedDocument, UnpairedDocument)> {
    let mut pairs = Vec::new();
    let formats: BTreeSet<&str> = a.iter().map(|alone| alone.format).collect();
    for format in formats {
        let of_format = |all: &mut Vec<UnpairedDocument>| -> Vec<UnpairedDocument> {
            let (own, others) = std::mem::take(all).into_iter().partition(|alone| alone.format == format);
            *all = others;
            own
        };
        let (mut own, mut other) = (of_format(a), of_format(b));
        if let ([_], [_]) = (own.as_slice(), other.as_slice()) {
            pairs.extend(own.pop().zip(other.pop()));
        }
        a.append(&mut own);
        b.append(&mut other);
    }
    if let ([_], [_]) = (a.as_slice(), b.as_slice()) {
        pairs.extend(a.pop().zip(b.pop()));
    }
    pairs
}

/// The files below a folder that are not hidden, by their paths from it. Links are not followed into folders, nor out of it.
/// Those that lead nowhere or out of it are named in `notes`.
fn files(folder: &Path, notes: &mut Vec<String>) -> Result<BTreeMap<OsString, PathBuf>, Error> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(dir) = open.pop() {
        let wrong = |error| Error::io(dir.to_string_lossy(), error);
        let mut entries = fs::read_dir(&dir).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(wrong)?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            let kind = entry.file_type().map_err(wrong)?;
            if kind.is_dir() {
                open.push(path);
            } else if path.is_file() && is_below(folder, &path) {
                found.insert(path.strip_prefix(folder).unwrap_or(&path).as_os_str().to_owned(), path);
            } else if kind.is_symlink() {
                let why = match path.metadata() {
                    Err(_) => "a broken symlink",
                    Ok(meta) if meta.is_dir() => "a symlink to a folder",
                    Ok(_) => "a symlink out of the folder",
                };
                notes.push(format!("skipped {}: {why}", shown(&path)));
            }
        }
    }
    Ok(found)
}
